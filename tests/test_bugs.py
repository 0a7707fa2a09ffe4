"""Real bugs: every one is caught at the highest effort level, by what the table says, and its right version is not.

The numbers that reports quote come out of the re-enactments, and the right versions are held against metaeval's own
measures, so that what is caught is the bug and nothing else.
"""

from functools import cache
from itertools import product
from math import isnan, log
from typing import Any

import bugs
import pytest
from bugs import BUGS, CONDITION, GATE, GOLDEN, Bug

import metaeval
from metaeval import Biclustering, Cell
from metaeval.core.relation import TOLERANCE
from metaeval.core.verdict import Verdict
from metaeval.search.gate import gate
from metaeval.verification.certificate_check import verify
from metaeval.verification.golden import HUGE, golden_scores, panel_scores

BY_ID = {bug.id: bug for bug in BUGS}


every_bug = pytest.mark.parametrize("bug", BUGS, ids=[bug.id for bug in BUGS])


def those(how: str) -> Any:
    """The bugs that are caught so, each a test."""
    found = [bug for bug in BUGS if bug.caught.how == how]
    return pytest.mark.parametrize("bug", found, ids=[bug.id for bug in found])


def test_every_bug_of_the_list_is_there() -> None:
    """The page lists where they were; the two that conditions of papers let through are caught by name."""
    assert len(BY_ID) == len(BUGS) == len({bug.where for bug in BUGS}) == 18
    assert BY_ID["adjusted-rand-trivial-nan"].caught.by == "S.3/canonical"
    assert BY_ID["omega-of-one-side"].caught.by == "S.1/canonical"
    text = bugs.PAGE.read_text(encoding="utf-8")
    assert bugs.page(text) == text, "python tests/bugs.py writes it"


# --- caught
@cache
def cells(condition: str, reading: str) -> dict[str, Cell]:
    """The cells of a group: of every bug that must be caught there, and of its right version; all is tried."""
    caught = [bug for bug in BUGS if bug.caught.how == CONDITION and bug.caught.group == (condition, reading)]
    measures = [measure for bug in caught for measure in (bug.wrong, bug.right)]
    results = metaeval.run(measures, [condition], [reading], effort=4, proofs=False, jobs=1)
    return {cell.measure: cell for cell in results}


@those(CONDITION)
def test_a_condition_catches_it_that_the_right_version_satisfies(bug: Bug) -> None:
    found = cells(*bug.caught.group)
    assert found[bug.right.id].verdict == Verdict.HOLDS
    assert found[bug.wrong.id].verdict == Verdict.VIOLATED
    certificate = found[bug.wrong.id].certificate
    assert certificate is not None
    verify(certificate, bug.wrong)
    assert certificate.case.objects == bug.caught.objects


@every_bug
def test_the_gate_stops_it_where_the_table_says_so_and_nowhere_else(bug: Bug) -> None:
    failure = gate(bug.wrong).failure
    assert (failure.check if failure else None) == (bug.caught.by if bug.caught.how == GATE else None)
    if failure is not None:
        assert failure.diagnosis.side.gold.shape[0] == bug.caught.objects
    assert gate(bug.right).failure is None


@those(GOLDEN)
def test_golden_scores_tell_it_from_the_right_version(bug: Bug) -> None:
    """As `--save` and `--against` do: with the panel that a baseline stores by itself."""
    panel = panel_scores(bug.right)
    assert not panel.left_out
    now = golden_scores(bug.wrong, (one.side for one in panel.golden))
    changed = [old.side for old, new in zip(panel.golden, now, strict=True) if not old.agrees(new, TOLERANCE)]
    assert changed == [*HUGE]
    assert [side.gold.shape[0] for side in changed] == [bug.caught.objects]
    again = golden_scores(bug.right, changed)
    assert all(old.agrees(new, TOLERANCE) for old, new in zip(panel.golden[-1:], again, strict=True))


# --- the right versions

#: metaeval's own measure of the same definition.
OWN = {
    "fowlkes-mallows-32-bits": "fowlkes-mallows", "fowlkes-mallows-singletons": "fowlkes-mallows",
    "adjusted-rand-64-bits": "adjusted-rand", "adjusted-rand-trivial-0": "adjusted-rand",
    "adjusted-rand-trivial-nan": "adjusted-rand", "omega-of-one-side": "omega",
    "adjusted-information-of-2-and-4": "ami", "nmi-one-cluster": "nmi", "v-measure-of-nothing": "v-measure",
    "v-measure-of-64-bits-as-32": "v-measure", "consensus-trace": "consensus", "bcubed-without-oneself": "bcubed",
    "precision-for-recall": "purity", "labels-as-positions": "bcubed", "bcubed-of-what-was-found": "bcubed",
}  # fmt: skip
#: Pairs of overlapping clusterings, some of which cover not all.
OVERLAPPING = [
    (Biclustering.lifted([{0, 1, 2}, {2, 3}, {0, 2}]), Biclustering.lifted([{0, 1, 2}, {1, 2, 3}, {4, 5}])),
    (Biclustering.lifted([{0, 1}, {3}]), Biclustering.lifted([{0, 1, 2}, {1, 2}])),
    (Biclustering.lifted([{0, 1, 2}, {0, 1}]), Biclustering.lifted([{0, 1}, {0, 1, 2}])),
]


def partitions() -> list[Biclustering]:
    """Every labelling of four objects, which is more than every partition."""
    return [Biclustering.from_labels(labels) for labels in product(range(4), repeat=4) if labels[0] == 0]


@pytest.mark.parametrize("id", OWN)
def test_the_right_version_is_the_measure(id: str) -> None:
    own, right = metaeval.measures()[OWN[id]], BY_ID[id].right
    distinct = list({part.family: part for part in partitions()}.values())
    pairs = [*product(distinct, repeat=2), *(OVERLAPPING if right.domain != "partitions" else [])]
    for pair in pairs:
        assert float(right(*pair)) == pytest.approx(float(own.value(*pair)), abs=1e-9), pair


def test_the_others_are_right_on_what_is_known() -> None:
    """Where metaeval has no measure of the same definition: values worked out by hand."""
    halves, crossed = Biclustering.from_labels([0, 0, 1, 1]), Biclustering.from_labels([0, 1, 0, 1])
    uneven = Biclustering.from_labels([0, 1, 1, 2])
    for id in ("balanced-over-raw", "swapped-logarithm", "f1-last-community"):
        assert float(BY_ID[id].right(uneven, uneven)) == pytest.approx(1)
    assert BY_ID["balanced-over-raw"].right(crossed, halves) == pytest.approx(0)
    assert BY_ID["swapped-logarithm"].right(crossed, halves) == pytest.approx(0)
    assert BY_ID["f1-last-community"].right(crossed, halves) == pytest.approx(0.5)


# --- what the reports quote
def wrong(id: str, gold: list[int], found: list[int]) -> float:
    return float(BY_ID[id].wrong(Biclustering.from_labels(found), Biclustering.from_labels(gold)))


def test_singletons_and_single_clusters_score_as_reported() -> None:
    assert wrong("fowlkes-mallows-singletons", [0, 1, 2], [0, 1, 2]) == 0
    assert wrong("nmi-one-cluster", [0] * 4, [0] * 4) == 0
    assert wrong("adjusted-rand-trivial-0", [1, 1, 1], [1, 1, 1]) == 0
    assert isnan(wrong("adjusted-rand-trivial-nan", [1] * 10, [2] * 10))
    assert wrong("v-measure-of-nothing", [0, 0, 1, 1], [0, 1, 0, 1]) == 1


def test_the_others_score_as_reported() -> None:
    # Rounding decides where dividend and divisor are both 0; the report names 2 and 4, of a thousand tried.
    zeros = [n for n in range(2, 40) if wrong("adjusted-information-of-2-and-4", [*range(n)], [*range(n)]) == 0]
    assert zeros == [2, 4]
    # A product of numbers of pairs needs more than 31 bits from 216 objects on.
    assert wrong("fowlkes-mallows-32-bits", [0] * 215, [0] * 215) == 1
    assert isnan(wrong("fowlkes-mallows-32-bits", [0] * 216, [0] * 216))
    # {1..5} and {1, 6..9} against themselves: the first gets 0.8, as node 1 is only in the second.
    both = Biclustering.lifted([{1, 2, 3, 4, 5}, {1, 6, 7, 8, 9}])
    assert float(BY_ID["f1-last-community"].wrong(both, both)) == pytest.approx((0.8 + 1) / 2)
    assert BY_ID["f1-last-community"].right(both, both) == 1
    # An item alone scores 1.
    gold = Biclustering.lifted([{0, 1, 2}, {0, 1, 3, 4}, {5, 6}, {7}, {8, 9, 10}])
    assert BY_ID["bcubed-of-what-was-found"].right(Biclustering.lifted([{0}]), gold) < 1
    assert BY_ID["bcubed-of-what-was-found"].wrong(Biclustering.lifted([{0}, {0}]), gold) == 1
    # What is weighted alone exceeds 1 by the ratio of the entropies.
    raw = -(2 / 3) * log(2 / 3) - (1 / 3) * log(1 / 3)
    assert wrong("balanced-over-raw", [0, 0, 1], [0, 0, 1]) == pytest.approx(log(2) / raw)


def smoothed(one: frozenset[int], other: frozenset[int], total: int) -> tuple[list[int], int]:
    """Counts as that code has them: each one more, and what is in neither taken for what is not in both."""
    common = len(one & other)
    return [total - common + 1, len(one) - common + 1, len(other) - common + 1, common + 1], total + 4


def test_the_swapped_logarithm_gives_the_number_of_the_report() -> None:
    """2.60794966304; with the logarithm mended alone −0.2354300373718371, as a comment says."""
    found = [frozenset({0, 1, 5}), frozenset({1, 2, 3, 4, 7, 8})]
    gold = [frozenset({0, 1, 2, 3, 4, 5, 7, 8}), frozenset({0, 5})]
    for term, reported in ((bugs.swapped_term, 2.60794966304), (bugs.entropy_term, -0.2354300373718371)):
        told = [bugs.mean_unknown(a, b, 9, term, smoothed) for a, b in ((found, gold), (gold, found))]
        assert 1 - sum(told) / 2 == pytest.approx(reported, abs=1e-10)
    assert 0 <= bugs.overlapping_nmi(found, gold, 9, bugs.entropy_term) <= 1
