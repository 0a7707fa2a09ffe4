"""The fewest counterexamples: that they explain everything, that fewer do not, and that none is a pretence."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

import metaeval
from metaeval import Cell, Results
from metaeval.catalogue.condition import find_condition
from metaeval.core.relation import Bounds
from metaeval.display.fewest import fewest, smallest_cover
from metaeval.verification.certificate_check import verify

ONE = Bounds(best=1.0)
RESULTS = Results.load(Path(__file__).resolve().parent.parent / "docs" / "results.json")


def violated(measure: str) -> list[Cell]:
    return [cell for cell in RESULTS if cell.measure == measure and cell.certificate is not None]


def explained(measure: str) -> list[tuple[Cell, ...]]:
    return [one.explained for one in fewest(violated(measure), metaeval.measures()[measure].bounds)]


@pytest.mark.parametrize("measure", RESULTS.measures)
def test_every_violation_is_explained_by_a_certificate_that_holds_and_none_is_idle(measure: str) -> None:
    found = explained(measure)
    assert {cell.key for cells in found for cell in cells} == {cell.key for cell in violated(measure)}
    assert len(found) < len(violated(measure))  # in the published results there is always something to save
    for at, (own, *others) in enumerate(found):
        elsewhere = {cell.key for other in found[:at] + found[at + 1 :] for cell in other}
        assert {cell.key for cell in (own, *others)} - elsewhere
        for other in others:
            # The witness, stated as one of the other cell: re-scored and judged as a file's certificate would be.
            condition = find_condition(other.condition)
            optimum = metaeval.measures()[measure].optimum if condition.relation.needs_optimum else None
            relation = condition.relation.name
            stated = {"condition": condition.id, "reading": other.reading, "relation": relation, "optimum": optimum}
            verify(replace(own.certificate, **stated))


@given(st.lists(
    st.tuples(st.frozensets(st.integers(0, 6), min_size=1), st.tuples(st.integers(1, 4), st.integers(1, 4))),
    min_size=1, max_size=7,
))  # fmt: skip
def test_no_smaller_cover_exists(sets: Sequence[tuple[frozenset[int], tuple[int, int]]]) -> None:
    """Against every choice there is."""
    wanted = frozenset().union(*(one for one, _ in sets))

    def cost(keys: Sequence[int]) -> tuple[int, int, int]:
        return len(keys), sum(sets[key][1][0] for key in keys), sum(sets[key][1][1] for key in keys)

    choices = [
        keys
        for amount in range(1, len(sets) + 1)
        for keys in combinations(range(len(sets)), amount)
        if frozenset().union(*(sets[key][0] for key in keys)) == wanted
    ]
    found = smallest_cover(
        {at: one for at, (one, _) in enumerate(sets)}, {at: size for at, (_, size) in enumerate(sets)}
    )
    assert tuple(found) in choices
    assert cost(found) == min(map(cost, choices))


def test_of_two_that_explain_the_same_the_smaller_is_shown() -> None:
    cells = [cell for cell in violated("rnia") if cell.condition == "A.1"]
    assert len(cells) == 3
    small, big = cells[0].certificate, RESULTS.cell("ce", "A.1", "canonical").certificate
    assert big.case.size > small.case.size
    larger = structs.replace(cells[0], certificate=replace(big, measure="rnia", scores=small.scores))
    (one,) = fewest([larger, *cells[1:]], ONE)
    assert one.cell.reading == "literal"
    assert {cell.reading for cell in one.explained} == {"canonical", "literal", "overlapping"}
    assert fewest([], ONE) == []
    assert fewest([cell for cell in RESULTS if cell.certificate is None][:3], ONE) == []
