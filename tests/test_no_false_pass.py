"""Flaws that every front end finds without being told where to look: `check`, Python, pytest and a baseline."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest
from tools import run_inside, split

import metaeval
from metaeval import Biclustering
from metaeval.catalogue.measure import make_measure
from metaeval.core.settings import QUICK
from metaeval.exact import log
from metaeval.literature.shelf import CHECK

#: The settings for which cases come with the package.
SMALL = {**QUICK, "proofs": False, "jobs": 1}
WORDS = split("--quick --no-proofs --jobs 1 --quiet")

SOUND = '''
from fractions import Fraction
from itertools import combinations


def sides(candidate, gold):
    return [[rows for rows, _ in side] for side in (candidate, gold)]


def mean_jaccard(candidate, gold):
    """The best Jaccard of every cluster and every class, on average."""
    found, known = sides(candidate, gold)
    if not found or not known:
        return Fraction(found == known)
    ways = [(found, known), (known, found)]
    best = [max(Fraction(len(a & b), len(a | b)) for b in other) for one, other in ways for a in one]
    return sum(best) / len(best)


def rand(candidate, gold):
    """The share of pairs of objects that both sides keep together, or both apart; 1 where there is no pair."""
    found, known = sides(candidate, gold)
    pairs = list(combinations(range(gold.shape[0]), 2))
    agreed = [any({*pair} <= a for a in found) == any({*pair} <= a for a in known) for pair in pairs]
    return Fraction(sum(agreed), len(pairs)) if pairs else Fraction(1)
'''

ASYMMETRIC = SOUND.replace(
    "    return sum(best) / len(best)\n",
    "    excess = sum(map(len, found)) - len(frozenset().union(*found))\n"
    "    return sum(best) / len(best) if found == known else sum(best) / (len(best) + excess)\n",
)
NO_PAIR = SOUND.replace("len(pairs)) if pairs else Fraction(1)", "len(pairs))")
ABOVE = SOUND.replace(
    "    return sum(best) / len(best)\n",
    "    depth = Fraction(sum(map(len, known)), len(frozenset().union(*known)))\n"
    "    return sum(best) / len(best) * depth\n",
)


@dataclass(frozen=True)
class Flaw:
    """A measure with a flaw, and the cell that shows it."""

    code: str
    name: str
    domain: str
    cell: tuple[str, str]
    said: str

    def __str__(self) -> str:
        return f"{self.name}-{self.cell[0]}"


FLAWS = [
    Flaw(ASYMMETRIC, "mean_jaccard", "clusterings", ("S.1", "overlapping"), "S.1/overlapping: violated"),
    Flaw(NO_PAIR, "rand", "partitions", ("S.3", "canonical"), "S.3/canonical: error"),
    Flaw(ABOVE, "mean_jaccard", "clusterings", ("S.2", "overlapping"), "exceeds the declared best, 1"),
]
every_flaw = pytest.mark.parametrize("flaw", FLAWS, ids=str)


def written(folder: Path, code: str) -> Path:
    """The file with this code. Each has a name of its own: Python keeps modules by their names."""
    file = folder / f"m{abs(hash(code))}.py"
    file.write_text(code)
    return file


def loaded(code: str, name: str, domain: str) -> metaeval.catalogue.measure.Measure:
    names: dict = {}
    exec(code, names)
    return make_measure(names[name], id="mine", domain=domain)


@every_flaw
def test_check_fails_and_names_the_cell(flaw: Flaw, tmp_path: Path) -> None:
    target = f"{written(tmp_path, flaw.code)}:{flaw.name}"
    outcome = run_inside("check", target, "--domain", flaw.domain, "--all", *WORDS)
    assert outcome.code == 1
    failed = [line for line in outcome.out.splitlines() if line.startswith("  FAIL")]
    assert any(flaw.said in line for line in failed), outcome.out


@every_flaw
def test_python_has_the_cell(flaw: Flaw) -> None:
    readings = [flaw.cell[1]]
    results = metaeval.check(loaded(flaw.code, flaw.name, flaw.domain), readings=readings, **SMALL)
    cell = results.cell("mine", *flaw.cell)
    assert cell.verdict.counts_against
    sound = metaeval.check(loaded(SOUND, flaw.name, flaw.domain), readings=readings, **SMALL)
    assert not sound.cell("mine", *flaw.cell).verdict.counts_against


@every_flaw
def test_pytest_has_a_test_that_fails(flaw: Flaw, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metaeval.pytest_plugin.options", lambda: {k: v for k, v in SMALL.items() if k != "jobs"})
    mark = metaeval.parametrize_with_conditions([loaded(flaw.code, flaw.name, flaw.domain)])
    (test,) = [one for one in mark.args[1] if (one.condition, one.reading) == flaw.cell]
    with pytest.raises(pytest.fail.Exception):
        test.check()


@every_flaw
def test_a_baseline_of_the_sound_measure_notices(flaw: Flaw, tmp_path: Path) -> None:
    file, stored = tmp_path / "mine.py", tmp_path / "mine.json"
    file.write_text(SOUND)
    asked = (f"{file}:{flaw.name}", "--domain", flaw.domain, "--reading", flaw.cell[1])
    saved = run_inside("check", *asked, "--save", str(stored), *WORDS)
    assert stored.exists(), saved.err
    golden = ("check", asked[0], "--against", str(stored), "--golden-only")
    assert run_inside(*golden).code == 0
    file.write_text(flaw.code)
    assert run_inside(*golden).code == 1
    whole = run_inside(*golden[:-1])
    assert whole.code == 1
    assert "/".join(flaw.cell) in whole.out


# --- what is not tested


def test_check_says_what_it_leaves_out_and_why(tmp_path: Path) -> None:
    target = f"{written(tmp_path, SOUND)}:rand"
    asked = ("check", target, "--domain", "clusterings", "--reading", "repeated", "--reading", "canonical", *WORDS)
    out = " ".join(run_inside(*asked).out.split())
    assert "not tested: A.5 (repeated), B.1, B.2, B.3, B.4, B.5, S.1 (repeated), because rand is defined on" in out
    assert "clusterings only" in out
    assert "not tested: the lower end of the range (S.2)" in out
    out = run_inside(
        "check", target, "--best", "none", "--low", "0", "--condition", "B.5", "--condition", "B.2", *WORDS
    ).out
    assert "not tested: B.5, because rand has no constant best score" in " ".join(out.split())
    assert "range" not in out


def test_nothing_is_left_out_in_silence() -> None:
    """Every reading of the usual conditions is a cell or named in a sentence."""
    from metaeval.runner.plan import Plan

    usual = {(id, name) for id in CHECK.condition_ids() for name in metaeval.conditions()[id].readings}
    for domain in ("biclusterings", "disjoint", "clusterings", "partitions"):
        for best in (1.0, None):
            mine = make_measure(lambda candidate, gold: 1, id="mine", domain=domain, best=best)
            plan = Plan.of([mine])
            tested, left_out = {cell[1:] for cell in plan.cell_ids()}, set(plan.left_out(mine))
            assert tested | left_out == usual
            assert not tested & left_out


# --- scores outside the range, in cells that hold


def too_low(candidate: Biclustering, gold: Biclustering) -> float:
    return 1.0 if candidate.family == gold.family else -1.0


def test_a_score_below_the_lowest_is_reported_and_fails() -> None:
    mine = make_measure(too_low, id="mine", low=0)
    results = metaeval.check(mine, ["B.2"], ["canonical"], **SMALL)
    cell = results.cell("mine", "B.2", "canonical")
    assert cell.verdict == "holds"
    assert cell.to_json()["outside"]["score"] == {"float": -1.0, "exact": None}
    assert cell.to_json()["outside"]["low"] == 0
    assert metaeval.Cell.from_json(cell.to_json()).outside == cell.outside
    assert "is below the declared lowest, 0" in metaeval.explain(cell, width=200)
    unbounded = metaeval.check(make_measure(too_low, id="mine"), ["B.2"], ["canonical"], **SMALL)
    assert unbounded.cell("mine", "B.2", "canonical").outside is None


@pytest.mark.parametrize("score", [0.0, Fraction(0), log(2) - log(2)], ids=["float", "fraction", "logarithm"])
def test_a_lowest_score_without_a_best_one_is_watched(score: object) -> None:
    """As of mutual information: at least 0, and a perfect match has no constant score."""
    mine = make_measure(lambda candidate, gold: score, id="mine", best=None, low=0)
    cell = metaeval.check(mine, ["B.2"], ["canonical"], **SMALL).cell("mine", "B.2", "canonical")
    assert (cell.verdict, cell.outside) == ("holds", None)
    below = make_measure(lambda candidate, gold: -1.0, id="mine", best=None, low=0)
    cell = metaeval.check(below, ["B.2"], ["canonical"], **SMALL).cell("mine", "B.2", "canonical")
    assert cell.outside is not None
    assert (cell.verdict, cell.outside.low, cell.outside.best) == ("holds", 0, None)


def test_a_score_outside_the_range_ends_check_with_1_unless_it_is_expected() -> None:
    asked = ("check", "ce", "--condition", "B.2", "--reading", "overlapping", *WORDS)
    outcome = run_inside(*asked)
    assert outcome.code == 1
    assert "B.2/overlapping: the score 3/2 exceeds the declared best, 1" in " ".join(outcome.out.split())
    assert run_inside(*asked, "--expect-violation", "B.2/overlapping").code == 0
    assert run_inside("check", "mocice", *asked[2:]).code == 0
