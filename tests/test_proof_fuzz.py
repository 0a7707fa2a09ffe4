"""Equations drawn near the rules of the prover: whatever is proved of one survives the cases that are known."""

from collections import Counter
from collections.abc import Iterator

import pytest
from hunting import search_without_reduction, usual_pack
from proof_cases import SCHEMES, counterexample, groups, is_proved
from trees import Trees

from metaeval.catalogue.condition import Group
from metaeval.catalogue.measure import Measure, make_measure
from metaeval.core.verdict import Verdict
from metaeval.equations import Equation
from metaeval.search.prove import with_proof

SEED = 22
#: The number of equations of which something is proved, per scheme; and how many readings these reach at least.
FEW, MANY = 30, 300
READINGS = {"typings": 15, "range": 6, "top": 10, "rise": 8, "fall": 6}


def proved_equations(scheme: str, seed: int, count: int) -> Iterator[tuple[Equation, list[Group]]]:
    """Random equations with what is proved of them. Each is changed further, later on. S.4 holds of every equation."""
    trees, found = Trees(scheme, seed), 0
    while found < count:
        equation = trees.equation()
        proved = [group for group in groups(scheme) if is_proved(equation, group.reading)]
        if {group.reading.situation.scheme for group in proved} > {"names"} or (proved and scheme != "typings"):
            found += 1
            trees.keep(equation)
            yield equation, proved


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_is_proved_of_a_random_equation_is_so(scheme: str) -> None:
    met: Counter[str] = Counter()
    for equation, proved in proved_equations(scheme, SEED, FEW):
        for group in proved:
            met[str(group)] += 1
            assert counterexample(equation, group, most=15) is None, (str(group), equation.to_json())
    assert len(met) >= READINGS[scheme]


@pytest.mark.long
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_whole_search_agrees_with_what_is_proved(scheme: str) -> None:
    """More equations, among them those above; the obligations hold on instances, too."""
    proved: dict[str, tuple[Group, list[Measure]]] = {}
    for place, (equation, found) in enumerate(proved_equations(scheme, SEED, MANY)):
        for group in found:
            assert counterexample(equation, group, most=60) is None, (str(group), equation.to_json())
            proved.setdefault(str(group), (group, []))[1].append(make_measure(equation, id=f"tree-{place}"))
    assert len(proved) >= READINGS[scheme]
    for group, measures in proved.values():
        for measure, cell in zip(measures, search_without_reduction(*group, measures), strict=True):
            shown = with_proof(cell, measure, *group, usual_pack(group.condition.id))
            assert shown.verdict is Verdict.PROVED, (str(group), measure.equation, shown)
