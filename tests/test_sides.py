"""Cases that are no pairs: one side, three sides, pools; from the relation to the certificate and the picture."""

import copy
import json
import pickle
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import log as float_log
from pathlib import Path
from typing import Any

import pytest
import reference
from brute_force import condition_of, partitions, reading_of
from hunting import search_among
from tools import as_json, put, run_inside

import metaeval
from metaeval import Biclustering, Case, InputError, Side, classify
from metaeval.cases.pack import CasePack, Malformed, PackedSource, packed
from metaeval.cases.sampling import sample_here
from metaeval.catalogue.measure import Measure, find_measure, make_measure
from metaeval.core.relation import MEAN_EQUAL, TRIANGLE, WITHIN, Bounds, broken, is_decided_exactly, mean
from metaeval.core.verdict import Verdict
from metaeval.display.picture import draw_case
from metaeval.exact import log
from metaeval.records.certificate import Certificate, case_from_json, case_to_json
from metaeval.reports import render
from metaeval.search.search import search
from metaeval.search.shrink import shrunk
from metaeval.verification import baseline
from metaeval.verification.certificate_check import Refused, verify
from metaeval.verification.verify import check_minimal
from metaeval.workers.call import evaluate_case

Data = dict[str, Any]
FEW = {"examples": 20, "exhaustive": 4, "jobs": 1, "proofs": False}


def labels(text: str) -> Biclustering:
    return Biclustering.from_labels([int(label) for label in text])


def around(first: str, second: str, third: str) -> Case:
    a, b, c = map(labels, (first, second, third))
    return Case(Side(a, b), Side(b, c), Side(a, c))


def pool(gold: str, *candidates: str) -> Side:
    return Side(*map(labels, candidates), labels(gold))


PAIRS_OF_THREE = ("001", "010", "011")
ONE_SIDED = Case(Side(labels("001"), labels("011")))
THREE_SIDED = around("0123", "0122", "0011")
POOLS = Case(pool("001", *PAIRS_OF_THREE), pool("000", *PAIRS_OF_THREE))


# --- sides and cases ----------------------------------------------------------------------------------
@pytest.mark.parametrize("case", [ONE_SIDED, THREE_SIDED, POOLS])
def test_cases_are_copied_and_sent_whole(case: Case) -> None:
    for again in (pickle.loads(pickle.dumps(case)), copy.deepcopy(case)):
        assert again == case
        assert type(again) is Case
        assert {type(side) for side in again} == {Side}
    assert eval(repr(case), {"Case": Case, "Side": Side, "Biclustering": Biclustering}) == case
    for side in case:
        assert (*side.candidates, side.gold) == tuple(side)
        assert side.pairs == tuple(Side(candidate, side.gold) for candidate in side[:-1])
        assert side.is_pool == (case is POOLS)


def test_a_case_knows_its_size_and_what_is_candidate_here_and_gold_there() -> None:
    assert (THREE_SIDED.objects, THREE_SIDED.features, THREE_SIDED.most_biclusters) == (4, 1, 4)
    assert THREE_SIDED.size == (4, 1, 4 + 3 + 3 + 2 + 4 + 2, 3 * (4 + 4) + 4 + 3 + 3 + 2 + 4 + 2)
    assert POOLS.size[2] == 3 * 2 + 2 + 3 * 2 + 1
    a, b = labels("001"), labels("011")
    assert THREE_SIDED.crosses_roles
    assert Case(Side(a, b), Side(b, a)).crosses_roles
    assert not Case(Side(a, b), Side(b, b)).crosses_roles  # one gold for all
    assert not Case(Side(a, b), Side(labels("012"), labels("000"))).crosses_roles  # nothing in common
    assert not ONE_SIDED.crosses_roles


# --- relations ----------------------------------------------------------------------------------------
HALF, ONE = Fraction(1, 2), Fraction(1)


@pytest.mark.parametrize(("relation", "scores", "bounds", "kept"), [
    (WITHIN, [ONE], Bounds(0.0, 1.0), True), (WITHIN, [Fraction(0)], Bounds(0.0, 1.0), True),
    (WITHIN, [1 + Fraction(1, 10**30)], Bounds(0.0, 1.0), False),
    (WITHIN, [-Fraction(1, 10**30)], Bounds(0.0, 1.0), False),
    (WITHIN, [-Fraction(1, 10**30)], Bounds(None, 1.0), True), (WITHIN, [1 + 1e-12], Bounds(0.0, 1.0), True),
    (WITHIN, [1 + 1e-8], Bounds(0.0, 1.0), False), (WITHIN, [log(3) / log(2)], Bounds(0.0, 1.0), False),
    (WITHIN, [log(2) / log(3)], Bounds(0.0, 1.0), True), (TRIANGLE, [HALF, HALF, Fraction(0)], Bounds(best=1.0), True),
    (TRIANGLE, [HALF, HALF, -Fraction(1, 10**30)], Bounds(best=1.0), False),
    (TRIANGLE, [0.5, 0.5, -1e-12], Bounds(best=1.0), True), (TRIANGLE, [0.5, 0.5, -1e-8], Bounds(best=1.0), False),
    (TRIANGLE, [-log(2), -log(3), -log(6)], Bounds(best=0.0), True),
    (TRIANGLE, [-log(2), -log(3), -log(7)], Bounds(best=0.0), False), (MEAN_EQUAL, [HALF, HALF], Bounds(), True),
    (MEAN_EQUAL, [HALF, HALF + Fraction(1, 10**30)], Bounds(), False),
    (MEAN_EQUAL, [log(4), 2 * log(2)], Bounds(), True),
])  # fmt: skip
def test_what_a_relation_keeps(relation: Any, scores: list[Any], bounds: Bounds, kept: bool) -> None:
    assert (broken(relation, tuple(scores), bounds) is None) == kept


def test_numbers_that_cannot_be_added_are_compared_by_their_floats() -> None:
    quotients = (log(3) / log(5), log(2) / log(5), log(2) / log(7))
    assert not is_decided_exactly(TRIANGLE, quotients)
    assert is_decided_exactly(WITHIN, quotients[:1])
    assert is_decided_exactly(TRIANGLE, (log(3), log(2), HALF))
    detour = 1 - sum(map(float, quotients[:2])) + float(quotients[2])
    assert (broken(TRIANGLE, quotients, Bounds(best=1.0)) is None) == (detour >= 0)


def test_a_mean_is_exact_where_it_can_be() -> None:
    assert mean([HALF, ONE, ONE]) == Fraction(5, 6)
    assert mean([log(2), log(8)]) == 2 * log(2)
    assert mean([log(2), HALF]) == (log(2) + HALF) / 2
    quotients = [log(3) / log(2), log(5) / log(2)]
    assert mean(quotients) == pytest.approx(float_log(15) / float_log(2) / 2)
    assert mean(quotients[:1]) is quotients[0]
    assert isinstance(mean([0.5, HALF]), float)


def test_a_relation_is_about_so_many_sides() -> None:
    forms = {"one": ONE_SIDED, "two": Case(*THREE_SIDED[:2]), "three": THREE_SIDED, "pools": POOLS}
    fitting = {
        one.name: {name for name, case in forms.items() if one.fits(case)} for one in (WITHIN, TRIANGLE, MEAN_EQUAL)
    }
    assert fitting == {"within": {"one"}, "triangle": {"three"}, "mean-equal": {"two", "pools"}}


# --- premises -----------------------------------------------------------------------------------------
def test_any_two_partitions_have_a_score_in_range() -> None:
    def readings(*candidate: Any, gold: str) -> str:
        found = classify(Case(Side(Biclustering([({*rows}, {0}) for rows in candidate]), labels(gold))))
        assert {condition for condition, _ in found} <= {"S.2"}
        return " ".join(name for _, name in found)

    assert readings({0, 1}, {2}, gold="011") == readings({0, 1}, {2}, gold="001") == "canonical literal overlapping"
    assert readings({1}, gold="00") == "literal overlapping"
    assert readings({0}, {0, 1}, gold="00") == "overlapping"
    assert readings({0}, {0}, gold="0") == ""
    nothing = Case(Side(Biclustering((), (0, 0)), Biclustering((), (0, 0))))
    assert classify(nothing) == [("S.2", "literal"), ("S.2", "overlapping")]


def triangle_mutants(case: Case) -> Iterator[Case]:
    one, two, three = case
    other = next(part for part in partitions(case.objects) if part not in tuple(case.families))
    for at in range(6):
        parts = [*one, *two, *three]
        parts[at] = other
        yield Case(Side(*parts[:2]), Side(*parts[2:4]), Side(*parts[4:]))
    yield Case(one, three, two)
    yield Case(two, one, three)
    yield Case(Side(one.gold, one.candidate), two, three)
    yield Case(*(Side(*(part.on((case.objects + 1, 1)) for part in side)) for side in case))
    yield Case(one, two, Side(*(part.on((case.objects, 2)) for part in three)))


def test_one_thing_changed_in_a_triangle_or_a_pool_makes_it_none() -> None:
    assert classify(THREE_SIDED) == [("G.3", "canonical")]
    assert classify(POOLS) == [("G.4", "canonical")]
    assert condition_of("G.4").admits("canonical", Case(POOLS.right, POOLS.left))
    same = (around("001", "001", "011"), around("001", "011", "011"), around("001", "011", "001"))
    for mutant in (*triangle_mutants(THREE_SIDED), Case(*THREE_SIDED, THREE_SIDED.left), *same, *pool_mutants(POOLS)):
        assert not classify(mutant), mutant


def pool_mutants(case: Case) -> Iterator[Case]:
    left, right = case
    yield Case(left, left)
    yield Case(Side(*left[1:]), right)  # a candidate is missing
    yield Case(Side(left[0], *left), right)  # one is there twice
    yield Case(Side(left[0], left[0], *left[2:]), right)  # one in place of another
    yield Case(Side(labels("012"), *left), right)  # other sizes among them
    yield Case(left, right, right)
    yield Case(left, Side(*(part.on((4, 1)) for part in right)))
    yield Case(left, Side(*right.candidates, Biclustering([({0, 1}, {0})], (3, 1))))
    yield Case(left, pool("00", "00"))
    # The same sizes against the same classes, under other names: no measure that is blind to names could tell.
    yield Case(left, pool("011", *PAIRS_OF_THREE))


def test_without_trivial_clusterings() -> None:
    three, two = pool("0001", "0001", "0010", "0100", "0111"), pool("0001", "0011", "0101", "0110")
    assert classify(Case(three, two)) == [("G.4", "canonical"), ("G.4", "non-trivial")]
    for gold, *candidates in (
        ("0000", "0001", "0010", "0100", "0111"),
        ("0123", "0001", "0010", "0100", "0111"),
        ("0001", "0000"),
        ("0001", "0123"),
    ):
        assert classify(Case(three, pool(gold, *candidates))) == [("G.4", "canonical")]


# --- verdicts, by hand --------------------------------------------------------------------------------
@cache
def results() -> Any:
    """One run for all that is asked of these forms."""
    return metaeval.run(["ce", "ce-multiset", "vi", "rand", "bcubed", "mocice"], ["S.2", "G.3", "G.4"], **FEW)


def found(measure: str, condition: str, reading: str = "canonical") -> Any:
    return results().cell(measure, condition, reading)


def test_verdicts_by_hand() -> None:
    """Of three pairs, a candidate 2 + 1 holds one together. Against 2 + 1 it agrees on 3, 1 and 1 of three.

    Singletons, then one pair, then two pairs: F of precision 1 and recall 3/4, twice; of 1 and 1/2 at once.
    """
    rand, bcubed = find_measure("rand"), find_measure("bcubed")
    scores = [rand.exact(labels(one), labels("001")) for one in PAIRS_OF_THREE]
    assert scores == [Fraction(1), Fraction(1, 3), Fraction(1, 3)]
    # Against one class: one pair of three, always.
    assert evaluate_case(rand, POOLS, MEAN_EQUAL) == (Fraction(5, 9), Fraction(1, 3))
    three = tuple(bcubed.exact(*side) for side in THREE_SIDED)
    assert three == (Fraction(6, 7), Fraction(6, 7), Fraction(2, 3))
    assert broken(TRIANGLE, three, Bounds(best=1.0)) == "the way by the second is shorter"
    assert 1 - three[2] == Fraction(1, 3) > Fraction(2, 7) == 2 - three[0] - three[1]
    cell = found("bcubed", "G.3")
    assert (cell.verdict, cell.certificate.objects, cell.certificate.certified) == (Verdict.VIOLATED, 3, True)


@pytest.mark.parametrize("measure", ["vi", "rand", "ce"])
def test_distances_keep_the_triangle_inequality(measure: str) -> None:
    """VI, the share of pairs on which two partitions differ, and that of objects off the best matching are metrics."""
    cell = found(measure, "G.3")
    assert cell.verdict is Verdict.HOLDS
    assert cell.exhaustive.objects == 4
    # By the definitions, cell by cell, on a part of what is listed with one object more.
    definition = reference.MEASURES[measure]
    best = find_measure(measure).optimum
    assert best is not None
    for case in list(reading_of("G.3", "canonical").enumerate_(5))[::29]:
        there, on, direct = (best - definition(*side) for side in case)
        assert direct <= there + on + 1e-9


def test_a_score_above_the_best_or_below_the_lowest_is_out_of_range() -> None:
    above = found("ce", "S.2", "overlapping")
    assert (above.verdict, above.certificate.scores[0].exact) == (Verdict.VIOLATED, Fraction(3, 2))
    assert found("ce-multiset", "S.2", "overlapping").verdict is Verdict.HOLDS

    def shifted(candidate: Biclustering, gold: Biclustering) -> Fraction:
        return Fraction(1 if set(candidate) == set(gold) else -len(candidate))

    free, bounded = (make_measure(shifted, id=id, low=low) for id, low in (("free", None), ("bounded", -1)))
    checked = metaeval.run([free, bounded], ["S.2"], ["canonical"], **FEW)
    assert checked.cell("free", "S.2").verdict is Verdict.HOLDS
    cell = checked.cell("bounded", "S.2")
    assert (cell.verdict, cell.certificate.objects, cell.certificate.low) == (Verdict.VIOLATED, 2, -1.0)
    assert cell.certificate.to_json()["scores"]["low"] == -1.0


def test_what_corrects_for_chance_has_a_constant_baseline() -> None:
    """Adjusted Rand by its equation, on partitions that are not trivial: its mean is 0."""

    def adjusted(candidate: Biclustering, gold: Biclustering) -> Fraction:
        def pairs(part: Biclustering) -> set[tuple[int, int]]:
            return {pair for rows, _ in part for pair in combinations(sorted(rows), 2)}

        one, other, all_pairs = pairs(candidate), pairs(gold), candidate.shape[0] * (candidate.shape[0] - 1) // 2
        expected = Fraction(len(one) * len(other), all_pairs)
        most = Fraction(len(one) + len(other), 2)
        return Fraction(1) if most == expected else (len(one & other) - expected) / (most - expected)

    measure = make_measure(adjusted, id="adjusted", domain="partitions")
    cells = metaeval.check(measure, ["G.4"], **{**FEW, "exhaustive": 5})
    proper = cells.cell("adjusted", "G.4", "non-trivial")
    assert (proper.verdict, proper.exhaustive.objects) == (Verdict.HOLDS, 5)
    # Where everything is together or alone on both sides it says 1 for the only candidate there is.
    assert cells.cell("adjusted", "G.4", "canonical").verdict is Verdict.VIOLATED


# --- certificates -------------------------------------------------------------------------------------
CELLS = [("ce", "S.2", "overlapping"), ("mocice", "G.3", "canonical"), ("rand", "G.4", "non-trivial")]


@pytest.fixture(scope="module", params=CELLS, ids=lambda cell: cell[1])
def sound(request: pytest.FixtureRequest) -> Data:
    return as_json(found(*request.param).certificate)


def test_a_certificate_has_its_form_comes_back_as_it_was_and_holds(sound: Data) -> None:
    if sound["condition"] == "G.4":
        assert set(sound["scores"]) == {"left", "right", "optimum"}
        assert [set(sound[side]) for side in ("left", "right")] == [{"candidates", "gold"}] * 2
    else:
        assert "left" not in sound
        assert set(sound["scores"]) == {"sides", "optimum"}
        assert len(sound["sides"]) == len(sound["scores"]["sides"]) == {"S.2": 1, "G.3": 3}[sound["condition"]]
    certificate = Certificate.from_json(sound)
    assert certificate.to_json() == sound
    assert verify(sound) == certificate
    check_minimal(certificate)
    assert case_from_json(case_to_json(certificate.case)) == certificate.case


def test_whatever_is_changed_in_a_certificate_is_refused(sound: Data) -> None:
    """Every score, every side, the number of sides and the optimum."""
    two = "left" in sound
    at = [(name,) for name in ("left", "right")] if two else [("sides", n) for n in range(len(sound["sides"]))]
    for place in at:
        changed = copy.deepcopy(sound)
        put(changed, ("scores", *place), {"float": 0.25, "exact": "1/4"})
        with pytest.raises(Refused, match=r"scores .*, not (0\.25|'1/4')"):
            verify(changed)
        changed = copy.deepcopy(sound)
        (changed[place[0]] if two else changed["sides"][place[1]])["gold"]["biclusters"] *= 2
        with pytest.raises(Refused, match="no instance"):
            verify(changed)
    with pytest.raises(Refused, match="optimum"):
        verify(put(copy.deepcopy(sound), "scores.optimum", 2.0))
    sides = [sound["left"], sound["right"]] if two else sound["sides"]
    bare = {key: value for key, value in sound.items() if key not in ("left", "right", "sides")}
    for some in (sides * 2, sides[:-1] or sides * 3):
        named = {"sides": some} if len(some) != 2 else dict(zip(("left", "right"), some, strict=True))
        with pytest.raises(Refused):
            verify({**bare, **named})


def test_scores_that_keep_the_relation_are_refused() -> None:
    mocice = find_measure("mocice")
    for condition, case in (("S.2", ONE_SIDED), ("G.3", around("001", "011", "012"))):
        relation = condition_of(condition).relation
        scores = evaluate_case(mocice, case, relation)
        stated = Certificate.of(mocice, condition_of(condition), "canonical", case, scores, certified=False)
        with pytest.raises(Refused, match="keep the relation"):
            verify(stated)


@pytest.mark.parametrize(("data", "said"), [
    ({"sides": []}, 'or with a list of such "sides"'),
    ({"sides": [{"candidate": {}}]}, "side 1 must be an object"),
    ({"sides": [{"candidates": [], "gold": {"biclusters": []}}]}, "a list of 1 to 1000"),
    ({"left": {}}, 'a JSON object with "left" and "right"'),
])  # fmt: skip
def test_a_file_that_is_no_case_is_refused(data: Data, said: str) -> None:
    with pytest.raises(InputError, match=said):
        case_from_json(data)


# --- making cases smaller, and keeping them -----------------------------------------------------------
def blames_a_pair(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """Further than all others from each other: a clustering with a pair of objects, and one without any."""
    sizes = [max((len(rows) for rows, _ in part), default=0) for part in (candidate, gold)]
    return Fraction(-9 if sorted(sizes) == [1, 2] else 1 if sizes[0] == sizes[1] else 0)


def breaking(measure: Measure, condition: str) -> Any:
    """Whether a case is an instance, and the measure breaks the condition on it."""
    relation, reading = condition_of(condition).relation, reading_of(condition, "canonical")

    def stays(case: Case) -> bool:
        scores = evaluate_case(measure, case, relation) if reading.premise(case) else None
        return scores is not None and broken(relation, scores, measure.bounds) is not None

    return stays


def test_triangles_and_pools_are_made_as_small_as_can_be() -> None:
    subject = make_measure(blames_a_pair, id="blames")
    stays = breaking(subject, "G.3")
    large = around("0123456789", "0000000000", "0012345678")
    assert stays(large)
    (by_list,) = search_among(condition_of("G.3"), reading_of("G.3", "canonical"), [subject], [], exhaustive=4)
    assert by_list.certificate is not None
    assert shrunk(large, stays).objects == by_list.certificate.case.objects == 3
    stays = breaking(find_measure("rand"), "G.4")
    drawn = [case for case in sample_here(("G.4", "canonical"), 100, 0) if case.objects >= 6]
    small = shrunk(next(filter(stays, drawn)), stays)
    assert stays(small)
    assert (small.objects, small.features) == (2, 1)


def test_a_triangle_far_away_is_found_and_reduced() -> None:
    """Drawn, climbed to or large, and as small as the smallest in the list after that."""

    def squared(candidate: Biclustering, gold: Biclustering) -> Fraction:
        return -Fraction((len(candidate) - len(gold)) ** 2)

    subject = make_measure(squared, id="squared", best=0)
    drawn = [case for case in sample_here(("G.3", "canonical"), 150, 0) if case.objects > 5]
    (by_drawing,) = search_among(
        condition_of("G.3"), reading_of("G.3", "canonical"), [subject], drawn, exhaustive=0, seed=0
    )
    assert by_drawing.certificate is not None
    assert by_drawing.certificate.case.objects == 3


@pytest.mark.parametrize("condition", ["S.2", "G.3", "G.4"])
def test_a_stock_makes_a_side_once_and_knows_how_many_there_are(condition: str) -> None:
    subject = condition_of(condition)
    data = packed(subject, {name: sample_here((condition, name), 8, 1) for name in subject.readings}, exhaustive=3)
    source = PackedSource(subject.reading("canonical"), CasePack(data))
    sides = {id(side): side for _, cases in source.levels() for case in cases for side in case}
    assert len(sides) == len(set(sides.values()))  # made once: whoever asks a measure about one knows it again
    for damaged in (data[:-4], data.replace(b'"sides": ', b'"sides": 9', 1)):
        with pytest.raises(Malformed):
            CasePack(damaged)


def test_a_pool_is_asked_about_once() -> None:
    calls = []

    def counting(candidate: Biclustering, gold: Biclustering) -> Fraction:
        calls.append((candidate, gold))
        return Fraction(1, 2)

    subject = condition_of("G.4")
    data = packed(subject, {name: [] for name in subject.readings}, exhaustive=4)
    (finding,) = search(subject, subject.reading("canonical"), [make_measure(counting, id="counting")], CasePack(data))
    assert finding.verdict is Verdict.HOLDS
    assert finding.cases == 6 + 36 + 300
    assert len(calls) == 2 * 2 + 5 * 3 + 15 * 5  # every partition against every gold, by sizes


def test_a_fault_in_a_pool_is_told_on_its_pair() -> None:
    def refuses(candidate: Biclustering, gold: Biclustering) -> Fraction:
        if len(candidate) == 2 and candidate.shape[0] == 3:
            raise metaeval.Undefined("two clusters")
        return Fraction(1, 2)

    (cell,) = metaeval.check(make_measure(refuses, id="refuses", best=0.5), ["G.4"], ["canonical"], **FEW)
    assert len(cell.fault.side) == 2


# --- what is shown ------------------------------------------------------------------------------------
FIVE = Case(pool("00011", "00001", "00010", "00100", "01000", "01111"), pool("00000", "00000"))
DRAWN = [
    (ONE_SIDED, ["object     0 1 2", "gold       A B B", "candidate  a a b"]),
    (THREE_SIDED, ["object  0 1 2 3", "first   a b c d", "second  a b c c", "third   a a b b"]),
    (around("00", "01", "00"), ["object  0 1", "first   a a", "second  a b"]),
    # Of pools a few are drawn and the others counted.
    (FIVE, ["object        0 1 2 3 4", "left gold     A A A B B", "left 1 of 5   a a a a b", "left 2 of 5   a a a b a",
            "left 3 of 5   a a b a a", "left 4 of 5   a b a a a", "right gold    A A A A A", "right 1 of 1  a a a a a",
            "not drawn: 1 of 5 candidates on the left"]),
]  # fmt: skip


@pytest.mark.parametrize(("case", "lines"), DRAWN)
def test_how_a_case_is_drawn(case: Case, lines: list[str]) -> None:
    assert draw_case(case).splitlines() == lines


def test_large_triangles_are_drawn_by_kinds_of_objects() -> None:
    rows = range(40)
    case = around("0" * 40, "".join(str(row // 10) for row in rows), "".join(str(row // 20) for row in rows))
    drawn = draw_case(case).splitlines()
    assert [line.split()[0] for line in drawn[:4]] == ["objects", "first", "second", "third"]
    assert drawn[0].split()[1:] == ["2×10", "2×10"]  # in each half of the third, two clusters of the second


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "csv", "html"])
def test_every_format_shows_them(format: str) -> None:
    text = render(results(), format)
    assert "triangle" in text.lower()
    if format in ("text", "markdown"):
        assert "over 3 candidates" in text
        assert "first|third" in text or "first\\|third" in text


def python_of(cell: Any) -> str:
    text = metaeval.describe(cell, 100)
    lines = text.partition("in Python:\n")[2].partition("\n\nCheck this cell")[0]
    return "\n".join(line.removeprefix("    ") for line in lines.splitlines())


def test_the_python_lines_print_the_scores(capsys: pytest.CaptureFixture[str]) -> None:
    for cell in results():
        if cell.certificate is not None:
            exec(python_of(cell), {})
            printed = capsys.readouterr().out.splitlines()
            assert printed == [str(score.exact) for score in cell.certificate.scores]


def test_files_and_commands_take_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    results().save("results.json")
    assert metaeval.Results.load("results.json").to_json() == results().to_json()

    def run(*args: str) -> str:
        done = run_inside(*args)
        assert done.code == 0, (args, done)
        return done.out

    assert "all hold" in run("verify", "results.json")
    assert run("diff", "results.json", "results.json") == "0 changed, 36 unchanged\n"
    for measure, condition, reading in CELLS:
        assert run("explain", condition).startswith(condition)
        assert "Reproduce" in run("explain", f"{measure}/{condition}/{reading}", "--results", "results.json")
        Path("certificate.json").write_text(json.dumps(found(measure, condition, reading).certificate.to_json()))
        assert f"{condition} " in run("classify", "certificate.json")
        assert "1 certificate" in run("verify", "certificate.json")


def test_a_baseline_holds_them(tmp_path: Path) -> None:
    rand = find_measure("rand")
    stored = baseline.make(rand, results(), panel=baseline.panel_scores(rand, 5))
    stored.save(tmp_path / "b.json")
    again = baseline.Baseline.load(tmp_path / "b.json")
    assert again == stored
    assert {one.state for one in baseline.recheck(again, rand)} == {baseline.State.HOLDS}
    constant = Measure("rand", "Rand", lambda candidate, gold: Fraction(1))
    states = {one.condition: one.state for one in baseline.recheck(again, constant)}
    assert states == {"G.4": baseline.State.FIXED}
