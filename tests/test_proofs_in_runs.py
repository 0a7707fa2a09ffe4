"""Proofs in runs and results: what a proof makes of a cell, what it costs when proving goes wrong, and who sees it."""

from __future__ import annotations

import copy
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import results_samples as samples
from tools import as_json, assert_one_sentence, run_inside, split

import metaeval
from metaeval import InputError, Results, pytest_plugin
from metaeval.core.verdict import Verdict
from metaeval.engine import proofs
from metaeval.engine.proofs import Proving
from metaeval.project import find_project
from metaeval.proof import Proof
from metaeval.records.compare import Kind, compare
from metaeval.runner.events import Attempted, Noted
from metaeval.verification import baseline
from metaeval.workers.worker import Died, Finished, Hung

pytest_plugins = ["pytester"]

QUICK: dict[str, Any] = {"readings": ["canonical"], "examples": 5, "exhaustive": 3, "effort": 0}
SMALL: dict[str, Any] = {"conditions": ["A.2", "B.2"], **QUICK}
A2, B2 = ("A.2", "canonical"), ("B.2", "canonical")
PROOF = Proof.from_json(samples.proof())


class Refused:
    """What a prover says in vain."""

    reason = "Its code asks how many clusters there are."


def prover(answer: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what is asked of a condition be answered so; measures and readings do not matter."""
    monkeypatch.setattr("metaeval.proving.prover.prove", lambda measure, condition, reading: answer(condition.id))


def proves_a2(condition: str) -> Any:
    return PROOF if condition == "A.2" else Refused()


def verdicts(results: Results) -> dict[str, str]:
    return {cell.condition: str(cell.verdict) for cell in results}


# --- what becomes of cells -----------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_cell_that_holds_and_has_a_proof_is_proved(monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    prover(proves_a2, monkeypatch)
    results = metaeval.run(["bcubed"], **SMALL, jobs=jobs)
    assert verdicts(results) == {"A.2": "proved", "B.2": "holds"}
    proved, held = results
    assert (proved.proof, proved.unproved, proved.cases > 0) == (PROOF, None, True)
    assert (held.proof, held.unproved) == (None, Refused.reason)
    assert results.provenance["proofs"] is True


def test_a_counterexample_outweighs_any_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    prover(lambda condition: PROOF, monkeypatch)
    events: list[Any] = []
    results = metaeval.run(["rnia"], ["A.1"], ["canonical"], examples=5, exhaustive=3, listen=events.append)
    (cell,) = results
    assert (cell.verdict, cell.proof) == (Verdict.VIOLATED, None)
    (note,) = [event.sentence for event in events if isinstance(event, Noted)]
    assert note.startswith("rnia/A.1/canonical is proved and yet has a counterexample")


def test_a_measure_without_a_score_on_some_cases_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    def picky(candidate: metaeval.Biclustering, gold: metaeval.Biclustering) -> float:
        if candidate.shape[0] > 12:
            raise metaeval.Undefined("the matrix is too large")
        return float(metaeval.score("bcubed", candidate, gold))

    prover(lambda condition: PROOF, monkeypatch)
    (cell,) = metaeval.check(picky, ["B.2"], ["canonical"], examples=30, exhaustive=2)
    assert (cell.verdict, cell.unproved) == (Verdict.HOLDS, "It gives no score on some cases.")


def test_nothing_is_tried_where_nobody_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    prover(lambda condition: PROOF, monkeypatch)
    events: list[Any] = []
    results = metaeval.run(["bcubed"], **SMALL, proofs=False, listen=events.append)
    assert verdicts(results) == {"A.2": "holds", "B.2": "holds"}
    assert not any(isinstance(event, Attempted) for event in events)
    assert results.provenance["proofs"] is False
    with pytest.raises(InputError, match="proofs is 'no'; expected True or False"):
        metaeval.run(["bcubed"], **SMALL, proofs="no")  # type: ignore[arg-type]


# --- what goes wrong costs proofs alone ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (lambda: all(one == 0 for one in iter(int, 1)), "On symbols, its code gave no answer."),
        (
            lambda: os.kill(os.getpid(), signal.SIGKILL),
            "On symbols, its code lost its process, which was killed by SIG",
        ),
        (lambda: sys.exit("enough"), "On symbols, its code lost its process, which was ended by SystemExit: enough."),
        (lambda: 1 / 0, "On symbols, its code raised ZeroDivisionError."),
    ],
)
def test_symbols_that_break_a_measure_cost_its_proofs_alone(
    monkeypatch: pytest.MonkeyPatch, harm: Callable[[], Any], reason: str
) -> None:
    monkeypatch.setattr(proofs, "LIMIT", 0.2)
    prover(lambda condition: harm() if condition == "B.2" else PROOF, monkeypatch)
    results = metaeval.run(["bcubed"], **SMALL)
    assert verdicts(results) == {"A.2": "proved", "B.2": "holds"}
    assert str(results.cell("bcubed", "B.2").unproved).startswith(reason)


def test_what_follows_from_how_an_attempt_ends() -> None:
    job = Proving("bcubed", (A2, ("A.3", "canonical"), B2))
    (event,), successor = job.outcome(Finished([PROOF, "no", "no"]))
    assert (event.attempts, successor) == ({A2: PROOF, ("A.3", "canonical"): "no", B2: "no"}, None)
    # What came before the trouble is done again; what came after it is given up.
    events, again = job.outcome(Hung(1))
    assert (events, again.group_ids, [id for id, _ in again.refused]) == ([], (A2,), [("A.3", "canonical"), B2])
    (event,), successor = again.outcome(Finished([PROOF]))
    assert (event.attempts[A2], len(event.attempts), successor) == (PROOF, 3, None)
    (event,), successor = job.outcome(Hung(0))
    assert (set(map(type, event.attempts.values())), successor) == ({str}, None)
    # A process lost without anybody to blame is tried once more.
    lost = Died(None, "went down with its worker")
    events, again = job.outcome(lost)
    assert (events, again) == ([], replace(job, lost_before=True))
    (event,), successor = again.outcome(lost)
    assert (len(event.attempts), successor) == (3, None)


WITHOUT_FLINT = """
import sys
sys.modules["flint"] = None
from metaeval.cli import main
for more in ([], ["--no-proofs"], ["--quiet"]):
    main([*sys.argv[1:], *more, "--out", "".join(["results", *more, ".json"])], standalone_mode=False)
    print("next", file=sys.stderr)
"""


def test_without_the_extra_it_holds_and_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    words = "run --measure bcubed --measure mocice --condition A.2 --reading canonical --examples 5 --exhaustive 3"
    command = [sys.executable, "-c", WITHOUT_FLINT, *words.split(), "--effort", "0"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, cwd=tmp_path)
    for more, text in zip(("", "--no-proofs", "--quiet"), done.stderr.split("next\n"), strict=False):
        results = Results.load(tmp_path / f"results{more}.json")
        assert {(cell.verdict, cell.unproved) for cell in results} == {(Verdict.HOLDS, None)}
        assert results.provenance["proofs"] is False
        said = [line for line in text.splitlines() if "flint" in line]
        assert ["pip install 'metaeval[proofs]'" in line for line in said] == ([] if more else [True])


# --- who says whether it is tried ----------------------------------------------------------------------


def test_the_command_line_leaves_proofs_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    prover(lambda condition: PROOF, monkeypatch)
    words = split("check bcubed --condition A.2 --reading canonical --examples 0 --exhaustive 3 --effort 0")
    proved = run_inside(*words)
    assert "∎  A.2" in proved.out
    assert "passed: 1 cell: 1 proved" in proved.out
    plain = run_inside(*words, "--no-proofs")
    assert "passed: 1 cell: 1 holds" in plain.out
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text("[tool.metaeval]\nproofs = false\n")
    project = find_project(tmp_path)
    assert project is not None
    assert project.settings == {"proofs": False}
    assert "1 holds" in run_inside(*words).out
    assert "1 proved" in run_inside(*words, "--proofs").out
    Path("pyproject.toml").write_text("[tool.metaeval]\nproofs = 1\n")
    assert_one_sentence(run_inside(*words), "proofs is 1; expected true or false")


@pytest.mark.parametrize(("words", "expected"), [([], {}), (["--metaeval-no-proofs"], {"proofs": False})])
def test_a_session_of_pytest_leaves_proofs_out(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch, words: list[str], expected: dict[str, Any]
) -> None:
    parser = pytest.Parser(_ispytest=True)
    pytest_plugin.pytest_addoption(parser)
    told = parser.parse_known_args(words)

    class Session:
        rootpath = Path("/")

        def getoption(self, name: str, default: Any) -> Any:
            return getattr(told, name, default)

    monkeypatch.setattr(pytest_plugin, "_sessions", [Session()])
    assert pytest_plugin.options() == expected


# --- results, files, comparisons -----------------------------------------------------------------------


@pytest.fixture
def data() -> dict[str, Any]:
    return copy.deepcopy(samples.with_proofs())


def test_a_proof_goes_through_a_file_as_it_is(data: dict[str, Any], tmp_path: Path) -> None:
    results = Results.from_json(data)
    results.save(tmp_path / "results.json")
    again = Results.load(tmp_path / "results.json")
    assert again.to_json() == results.to_json()
    cell = again.cell("bcubed", "A.2")
    assert (cell.verdict, cell.proof) == (Verdict.PROVED, PROOF)
    assert again.cell("bcubed", "A.2", "literal").unproved == Refused.reason


def test_a_proof_that_is_none_is_named(data: dict[str, Any]) -> None:
    data["cells"][0]["proof"]["steps"][1]["kind"] = "hopeful"
    with pytest.raises(InputError, match=r"the proof of cell 1 \(bcubed A.1 canonical\): .*'hopeful'"):
        Results.from_json(data)


LOST: dict[str, Any] = {"verdict": "holds", "proof": None}


@pytest.mark.parametrize(
    ("change", "tried", "becomes", "regression"),
    [
        # A step back only where it was tried: a machine without python-flint says nothing of the measure.
        ({**LOST, "unproved": "It branches."}, True, (Kind.WEAKER, "holds, no longer proved: It branches."), True),
        (LOST, True, (Kind.WEAKER, "holds, no longer proved: No proof was found."), True),
        (LOST, False, (Kind.WEAKER, "holds, no longer proved: No proof was tried."), False),
        # Fewer cases make no difference to what is proved for all sizes.
        ({"cases": 3, "exhaustive": None}, True, None, False),
        ({"verdict": "violated", "violations": 1}, True, (Kind.BROKEN, None), True),
        ({"verdict": "undefined"}, True, (Kind.BROKEN, None), True),
    ],
)
def test_what_becomes_of_a_proof_that_is_no_longer_there(
    data: dict[str, Any], change: dict[str, Any], tried: bool, becomes: tuple[Kind, str | None] | None, regression: bool
) -> None:
    other = copy.deepcopy(data)
    other["cells"][0] |= change
    other["provenance"]["proofs"] = tried
    found = compare(Results.from_json(data), Results.from_json(other, witnessed=False))
    assert found.regression == regression
    assert [change.kind for change in found.changes] == ([becomes[0]] if becomes else [])
    assert not becomes or becomes[1] in (None, found.changes[0].summary)


def test_a_new_proof_is_stronger_evidence_and_a_fix_may_be_one(data: dict[str, Any], tmp_path: Path) -> None:
    for change, expected in (
        ({"verdict": "violated", "violations": 1}, (Kind.FIXED, "violated → proved")),
        (LOST, (Kind.STRONGER, "holds → proved")),
    ):
        before = copy.deepcopy(data)
        before["cells"][0] |= change
        old = Results.from_json(before, witnessed=False)
        (gained,) = compare(old, Results.from_json(data)).changes
        assert (gained.kind, gained.summary, gained.regression) == (*expected, False)
    (tmp_path / "old.json").write_text(json.dumps(before))
    Results.from_json(data).save(tmp_path / "new.json")
    told = run_inside("diff", str(tmp_path / "old.json"), str(tmp_path / "new.json"))
    assert told.code == 0
    assert "Stronger: proved now (1)\n  bcubed A.1 canonical: holds → proved" in told.out


def test_a_resumed_run_tries_proofs_as_the_first_did(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    prover(proves_a2, monkeypatch)
    out = tmp_path / "results.json"
    metaeval.run(["bcubed"], **{**SMALL, "conditions": ["A.2"]}, out=out)
    with pytest.raises(InputError, match="was made with proofs True, this run has False"):
        metaeval.run(["bcubed"], **SMALL, proofs=False, out=out, resume=True)
    resumed = metaeval.run(["bcubed"], **SMALL, out=out, resume=True)
    assert verdicts(resumed) == verdicts(metaeval.run(["bcubed"], **SMALL))
    assert resumed.cell("bcubed", "A.2").proof == PROOF


def test_a_baseline_keeps_proofs_and_misses_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    prover(lambda condition: PROOF, monkeypatch)
    file = str(tmp_path / "bcubed.json")
    words = split("--condition A.2 --reading canonical --examples 0 --exhaustive 3 --effort 0")
    assert run_inside("check", "bcubed", *words, "--save", file).code == 0
    assert [cell.proof for cell in baseline.Baseline.load(file).cells] == [PROOF]
    assert run_inside("check", "bcubed", "--against", file).code == 0
    lenient = run_inside("check", "bcubed", "--against", file, "--no-proofs")
    assert lenient.code == 0
    assert "holds on weaker evidence: no longer proved: No proof was tried." in " ".join(lenient.out.split())
    plain = str(tmp_path / "plain.json")
    assert run_inside("check", "bcubed", *words, "--no-proofs", "--save", plain).code == 0
    assert "1 holds" in run_inside("check", "bcubed", "--against", plain).out
    prover(lambda condition: Refused(), monkeypatch)
    lost = run_inside("check", "bcubed", "--against", file)
    assert lost.code == 1
    told = " ".join(lost.out.split())
    assert f"FAIL A.2/canonical: holds on weaker evidence: no longer proved: {Refused.reason}" in told


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"proof": None}, "expected one if, and only if, it is proved"),
        ({"verdict": "holds"}, "expected one if, and only if, it is proved"),
        ({"proof": samples.proof(condition="A.1")}, "has a proof of the condition 'A.1'"),
    ],
)
def test_a_baseline_with_a_proof_of_something_else_is_refused(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], says: str
) -> None:
    prover(lambda condition: PROOF, monkeypatch)
    results = metaeval.check("bcubed", ["A.2"], ["canonical"], examples=0, exhaustive=3)
    data = as_json(baseline.make(metaeval.measures()["bcubed"], results))
    baseline.Baseline.from_json(data)
    data["cells"][0] |= change
    with pytest.raises(InputError, match=says):
        baseline.Baseline.from_json(data)


# --- where people see it -------------------------------------------------------------------------------


def test_a_proof_is_told_in_words(data: dict[str, Any]) -> None:
    results = Results.from_json(data)
    proved, held = (
        " ".join(metaeval.describe(results.cell("bcubed", "A.2", reading)).split())
        for reading in ("canonical", "literal")
    )
    assert proved.startswith("bcubed: A.2 Completeness (canonical) is proved")
    for part in (Verdict.PROVED.meaning, samples.proof()["trusted"][0], "1,432 cases tried"):
        assert part in proved
    assert f"proof none: {Refused.reason}" in held


def test_a_proof_alone_is_explained(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(samples.proof()))
    told = run_inside("explain", str(file))
    assert told.out.startswith("bcubed: A.2 Completeness (canonical) is proved")
    assert "cases tried" not in told.out
    assert metaeval.explain(PROOF) == metaeval.explain(file)
    file.write_text(json.dumps({**samples.proof(), "steps": "none"}))
    assert_one_sentence(run_inside("explain", str(file)), "proof.json", '"steps" of a proof must be a list')


def test_what_is_proved_counts_as_satisfied(data: dict[str, Any], tmp_path: Path) -> None:
    results = Results.from_json(data)
    assert repr(results) == "<Results: 2 measures, 2 conditions, 8 cells: 4 proved, 4 holds>"
    assert results._repr_html_().count("#1a8a5f") == 8
    assert set(results.to_dataframe().verdict) == {"proved", "holds"}
    results.save(tmp_path / "results.json")
    file = str(tmp_path / "results.json")
    words = ["list", "measures", "--satisfying", "A.1,A.2", "--results", file]
    ranked = run_inside(*words).out
    assert [line.split()[1:] for line in ranked.splitlines()[2:]] == [["2/2", "nothing"]] * 2
    assert {verdict for verdict in Verdict if verdict.satisfied} == {Verdict.PROVED, Verdict.HOLDS}
    assert not any(verdict.counts_against for verdict in Verdict if verdict.satisfied)


# --- with the prover itself ----------------------------------------------------------------------------

OWN = """
from fractions import Fraction
from metaeval.kernel.overlay import overlay, sum_of_ratios


def recall(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    met = [(n, reach) for pairs in cells.together for n, reach in pairs.recall]
    return sum_of_ratios(met, over=cells.gold_covered)


def plain(candidate, gold):
    return float(candidate == gold)
"""


def test_a_measure_of_ones_own_is_proved_by_the_same_machinery(tmp_path: Path) -> None:
    """In a file that no package has; and one that says nothing of sizes is not."""
    file = tmp_path / "own.py"
    file.write_text(OWN)
    words = split("--condition A.2 --condition B.2 --reading canonical --examples 5 --exhaustive 3 --effort 0 --json")
    found = run_inside("check", f"{file}:recall", *words)
    cells = json.loads(found.out)["cells"]
    assert [cell["verdict"] for cell in cells] == ["proved", "proved"]
    assert [cell["proof"]["measure"] for cell in cells] == ["recall", "recall"]
    plain = json.loads(run_inside("check", f"{file}:plain", *words).out)["cells"]
    assert [cell["verdict"] for cell in plain] == ["violated", "holds"]
    assert plain[1]["unproved"]


@pytest.mark.usefixtures("loaded")
def test_every_way_to_ask_gives_the_same_cell(pytester: pytest.Pytester, tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    words = split("--condition A.2 --reading canonical --examples 5 --exhaustive 3 --effort 0")
    assert run_inside("run", "--measure", "bcubed", *words, "--out", str(out)).code == 0
    told = json.loads(run_inside("check", "bcubed", *words, "--json").out)
    pytester.makepyfile(
        f"""
        import json, metaeval

        @metaeval.parametrize_with_conditions(["bcubed"], conditions=["A.2"], readings=["canonical"])
        def test_it(cell):
            found = cell.check().to_json()
            assert json.loads({json.dumps(json.dumps(told["cells"][0]))!s})["proof"] == found["proof"]
            assert found["verdict"] == "proved"
        """
    )
    done = pytester.runpytest_inprocess("--metaeval-examples=5", "--metaeval-exhaustive=3", "--metaeval-effort=0")
    done.assert_outcomes(passed=1)

    def timeless(cell: dict[str, Any]) -> dict[str, Any]:
        return {**cell, "seconds": 0}

    (ran,) = Results.load(out).to_json()["cells"]
    (asked,) = metaeval.check("bcubed", ["A.2"], **QUICK).to_json()["cells"]
    assert timeless(ran) == timeless(asked) == timeless(told["cells"][0])
