"""Proofs in runs and files: when a cell is proved, what is refused, and what people see of it."""

import copy
import json
import random
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import results_samples as samples
from msgspec.structs import replace
from tools import ROOT, as_json, assert_one_sentence, put, run_inside, split

import metaeval
from metaeval import Biclustering, Equation, InputError, Results, pytest_plugin, reports
from metaeval.cases.store import default_pack
from metaeval.catalogue.condition import conditions, find_condition
from metaeval.catalogue.measure import Measure, find_measure, make_measure
from metaeval.core.verdict import Verdict
from metaeval.equations import cells, clusters, swapped
from metaeval.equations.equation_text import unicode_text
from metaeval.equations.tree import MOST_BYTES, MOST_DEPTH, MOST_NODES, MOST_OBLIGATIONS
from metaeval.project import find_project
from metaeval.proofs import proof as proofs
from metaeval.proofs import typings
from metaeval.proofs.obligation import Same
from metaeval.proofs.proof import LEAST_INSTANCES, Proof, Unproved, derive
from metaeval.proofs.proof_text import proof_facts
from metaeval.records.compare import Kind, compare
from metaeval.runner.events import Noted
from metaeval.search import prove
from metaeval.verification import baseline, proof_check
from metaeval.verification.certificate_check import Refused
from metaeval.verification.proof_check import check_proof, recheck_proofs

pytest_plugins = ["pytester"]

Json = dict[str, Any]
QUICK: Json = {"readings": ["canonical"], "examples": 20, "exhaustive": 4, "effort": 0}
WORDS = split("--reading canonical --examples 20 --exhaustive 4 --effort 0")
A2 = ["--condition", "A.2", *WORDS]
PROOF = Proof.from_json(samples.proof())
WHY = "The signs do not show that the score rises."


def verdicts(results: Results) -> dict[str, str]:
    return {cell.condition: str(cell.verdict) for cell in results}


def covered(*sides: Biclustering) -> set[tuple[int, int]]:
    return {(row, column) for side in sides for rows, columns in side for row in rows for column in columns}


def equation_of(measure: str) -> Equation:
    found = find_measure(measure).equation
    assert found is not None
    return found


# --- what becomes of cells
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_holds_and_is_derived_is_proved(jobs: int) -> None:
    results = metaeval.run(["bcubed", "weighted-jaccard"], ["A.2"], **QUICK, jobs=jobs)
    proved, held = results.cell("bcubed", "A.2"), results.cell("weighted-jaccard", "A.2")
    assert proved.proof is not None
    assert (proved.verdict, proved.unproved, proved.violations) == (Verdict.PROVED, None, 0)
    assert replace(proved.proof, instances=100) == PROOF
    assert proved.proof.instances >= LEAST_INSTANCES
    assert (held.verdict, held.proof) == (Verdict.HOLDS, None)
    assert held.unproved
    assert results.provenance["proofs"] is True


def test_nothing_is_derived_where_nobody_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove, "derive", None)
    results = metaeval.run(["bcubed"], ["A.2"], **QUICK, proofs=False)
    assert (verdicts(results), results.provenance["proofs"]) == ({"A.2": "holds"}, False)
    with pytest.raises(InputError, match="proofs is 'no'; expected True or False"):
        metaeval.run(["bcubed"], ["A.2"], **QUICK, proofs="no")  # type: ignore[arg-type]


def test_a_counterexample_outweighs_any_derivation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove, "derive", lambda *_: derive(equation_of("bcubed"), None))
    (cell,) = metaeval.run(["rnia"], ["A.1"], **QUICK)
    assert (cell.verdict, cell.proof, cell.unproved) == (Verdict.VIOLATED, None, None)


def test_an_obligation_must_be_run_a_hundred_times(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = prove.instances
    monkeypatch.setattr(prove, "instances", lambda *args, **more: whole(*args, **more)[:99])
    (cell,) = metaeval.run(["bcubed"], ["A.2"], **QUICK)
    assert (cell.verdict, cell.proof) == (Verdict.HOLDS, None)
    assert cell.unproved == f"An obligation could be run on 99 instances only; {LEAST_INSTANCES} are needed."


def test_what_has_no_score_on_some_cases_is_not_proved() -> None:
    condition, measure = find_condition("A.2"), find_measure("bcubed")
    (cell,) = metaeval.run(["bcubed"], ["A.2"], **QUICK, proofs=False)
    pack = default_pack("A.2")
    partly = replace(cell, message="on 2 further cases it says it is undefined")
    found = prove.with_proof(partly, measure, condition, condition.reading("canonical"), pack)
    assert (found.verdict, found.unproved) == (Verdict.HOLDS, "It gives no score on some cases.")


def test_a_rule_that_is_wrong_is_named_loudly_and_nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule for copies claims that clusters(1) is always cells(1)."""
    right = typings.copy

    def wrong(*args: Any) -> Iterator[Any]:
        yield from right(*args)
        yield Same(clusters(1), cells(1), rule="copies are cells")

    monkeypatch.setattr(typings, "copy", wrong)
    events: list[Any] = []
    (cell,) = metaeval.run(["bcubed"], ["B.4"], **QUICK, jobs=1, listen=events.append)
    assert (cell.verdict, cell.proof) == (Verdict.HOLDS, None)
    (note,) = [event.sentence for event in events if isinstance(event, Noted)]
    named = re.fullmatch(
        r"bcubed/B.4/canonical: The rule “copies are cells” is wrong: clusters\(1\) = cells\(1\) is not so on "
        r"(Case\(.*\))\. Please report this as a bug\.", note
    )  # fmt: skip
    assert named is not None
    case = eval(named[1], {"Case": metaeval.Case, "Side": metaeval.Side, "Biclustering": Biclustering})
    assert any(len(side.candidate) != len(covered(*side)) for side in case)
    assert find_condition("B.4").reading("canonical").premise(case)
    assert "copies are cells" in metaeval.describe(cell)
    told = run_inside("check", "bcubed", "--condition", "B.4", *WORDS, "--jobs", "1")
    assert "copies are cells" in told.err
    assert "passed: 1 cell: 1 holds" in told.out


# --- functions that declare an equation
OWN = """
import metaeval
from metaeval.equations import *

eq = Equation(cells(in_cluster * in_class) / cells(1), empty=1)
made = metaeval.measure("made", equation=eq)

@metaeval.measure("coded", equation=eq)
def coded(candidate, gold):
    ours, theirs = ({(r, c) for rows, cols in side for r in rows for c in cols} for side in (candidate, gold))
    shared, all = len(ours & theirs), len(ours | theirs)
    return {returned} if all else 1
"""


def own(folder: Path, returned: str = "Fraction(shared, all)") -> str:
    file = folder / "own.py"
    file.write_text("from fractions import Fraction\n" + OWN.replace("{returned}", returned))
    return str(file)


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    for id in ("made", "coded"):
        if id in metaeval.measures():
            metaeval.forget(id)


@pytest.mark.parametrize("returned", ["Fraction(shared, all)", "shared / all"])
def test_code_is_compared_with_its_equation_and_never_proved(tmp_path: Path, returned: str) -> None:
    found = run_inside("check", f"{own(tmp_path, returned)}:coded", "--condition", "B.2", *WORDS, "--json")
    results = Results.from_json(json.loads(found.out))
    (cell,) = results
    assert (cell.verdict, cell.proof) == (Verdict.HOLDS, None)
    assert cell.equation is not None
    assert cell.equation.agreed == cell.cases > 0
    assert cell.equation.proof is not None
    assert cell.equation.equation == equation_of("rnia")
    stored = json.loads(found.out)["cells"][0]["equation"]
    assert (stored["schema"], stored["proof"]["schema"]) == ("metaeval.equation/1", "metaeval.proof/2")
    said = f"equation: proved; code: equal to it on {cell.cases:,} cases"
    told = run_inside("check", f"{tmp_path / 'own.py'}:coded", "--condition", "B.2", *WORDS)
    for text in (told.out, reports.render(results, "text"), reports.render(results, "csv")):
        assert said in " ".join(text.split())
    described = " ".join(metaeval.describe(cell).split())
    assert f"equation proved code equal to it on {cell.cases:,} cases" in described
    assert dict(proof_facts(cell.equation.proof))["therefore"] in described


def test_code_that_differs_from_its_equation_is_an_error_with_that_case(tmp_path: Path) -> None:
    target = f"{own(tmp_path, 'Fraction(shared, all) / (1 if shared == all or all < 7 else 2)')}:coded"
    found = run_inside("check", target, "--condition", "B.2", *WORDS[2:], "--json")
    assert found.code == 1
    for cell in Results.from_json(json.loads(found.out)):
        assert (cell.verdict, cell.proof) == (Verdict.ERROR, None)
        assert cell.equation is not None
        assert (cell.equation.proof, cell.equation.agreed) == (None, cell.cases)
        assert cell.fault is not None
        assert cell.fault.side is not None
        ours = equation_of("rnia")(*cell.fault.side)
        assert cell.message == f"it returned {ours / 2}, and its declared equation gives {ours}"
        assert len(covered(*cell.fault.side)) >= 7
    printed = run_inside("check", target, "--condition", "B.2", *WORDS).out
    assert "code: differs from it, though equal on " in " ".join(printed.split())


def test_omega_is_compared_where_its_equation_is_defined() -> None:
    """Without overlap everywhere, with overlap on those cases of a search that have none."""
    options: Json = {"examples": 20, "exhaustive": 3, "effort": 0}
    results = metaeval.run(["omega"], ["A.1", "S.1"], ["canonical", "overlapping"], **options)
    for cell in results:
        assert cell.verdict in (Verdict.HOLDS, Verdict.VIOLATED)
        assert cell.equation is not None
        if cell.reading == "canonical":
            assert cell.equation.agreed == cell.cases
        else:
            assert 0 < cell.equation.agreed < cell.cases
    symmetric = results.cell("omega", "S.1").equation
    assert symmetric is not None
    assert symmetric.proof is not None


# --- whoever takes a measure takes an equation
def test_every_way_to_ask_gives_the_same_cell(pytester: pytest.Pytester, tmp_path: Path, loaded: None) -> None:
    file = own(tmp_path)
    eq = equation_of("rnia")
    (tmp_path / "equation.json").write_text(json.dumps(eq.to_json()))

    def plain(cell: Json) -> Json:
        proof = {**cell["proof"], "measure": "", "equation": ""}
        return {**cell, "seconds": 0, "measure": "", "proof": proof}

    (expected,) = metaeval.run(["rnia"], ["B.2"], **QUICK).to_json()["cells"]
    assert expected["verdict"] == "proved"
    for results in (metaeval.check(eq, ["B.2"], **QUICK), metaeval.run([eq], ["B.2"], **QUICK)):
        assert [plain(cell) for cell in results.to_json()["cells"]] == [plain(expected)]
    for target in (f"{file}:eq", f"{file}:made", str(tmp_path / "equation.json")):
        told = run_inside("check", target, "--condition", "B.2", *WORDS, "--json")
        assert [plain(cell) for cell in json.loads(told.out)["cells"]] == [plain(expected)]
    pytester.makepyfile(
        """
        import metaeval
        from metaeval.equations import cells, in_class, in_cluster
        eq = metaeval.Equation(cells(in_cluster * in_class) / cells(1), empty=1)

        @metaeval.parametrize_with_conditions([eq], conditions=["B.2"], readings=["canonical"])
        def test_it(cell):
            assert cell.check().verdict == "proved"
        """
    )
    done = pytester.runpytest_inprocess("--metaeval-examples=20", "--metaeval-exhaustive=4", "--metaeval-effort=0")
    done.assert_outcomes(passed=1)


def test_an_equation_is_scored_and_explained_wherever_it_is(tmp_path: Path) -> None:
    file, eq = own(tmp_path), equation_of("rnia")
    (tmp_path / "equation.json").write_text(json.dumps(eq.to_json()))
    pair = [Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 0, -1])]
    assert metaeval.score(eq, *pair, exact=True) == Fraction(2, 3)
    assert metaeval.score(eq, *pair) == metaeval.score("rnia", *pair)
    words = ["score", "--gold", str(ROOT / "examples/gold.json"), "--candidate", str(ROOT / "examples/found.json")]
    targets = ["rnia", f"{file}:eq", f"{file}:made", str(tmp_path / "equation.json")]
    found = [json.loads(run_inside(*words, "--measure", target, "--json").out) for target in targets]
    assert [[*answer.values()] for answer in found[1:]] == [[*found[0].values()]] * 3
    assert str(eq) in metaeval.explain(eq)
    assert str(eq) in run_inside("explain", str(tmp_path / "equation.json")).out
    wrong = run_inside("check", str(tmp_path / "equation.json"), "--condition", "A.1", *WORDS)
    code = wrong.out.partition("in Python:\n")[2].partition("\nCheck this cell")[0]
    printed: list[Any] = []
    exec("\n".join(line.strip() for line in code.splitlines()), {"print": printed.append})
    assert [str(score) for score in printed] == re.findall(r"# (\S+)$", code, re.M)


@pytest.mark.parametrize(("content", "said"), [
    ({"schema": "metaeval.equation/2"}, "its schema is not metaeval.equation/1"),
    ({"expression": ["+"] + [1] * (MOST_NODES + 1)}, f"at most {MOST_NODES} nodes"),
    ({"expression": ["+", *[["+", 1, 1, 1]] * 1_000]}, f"at most {MOST_NODES} nodes"),
    ({"expression": "deep"}, f"at most {MOST_DEPTH} levels deep"),
    ({"expression": ["+", "1/" + "9" * 41, 1]}, "at most 40 digits"),
    ({"expression": ["^", ["cells", 1], 13]}, "the exponent is 13; expected a whole number from 1 to 12"),
    ({"expression": ["^", ["^", ["^", ["cells", 1], 12], 12], 2]}, "multiply to at most 144"),
    ({"expression": ["system", "rm"]}, "is no part of an equation"),
    ({"expression": ["/", 1, ["cells", "in_class"]]}, "the divisor cells(in_class) may be 0"),
    ({"expression": "n"}, "n has no value at the top"),
    ({"empty": 1}, "empty is 1; expected a text"),
    ({"unit": "rows"}, "unit is 'rows'; expected one of cells, objects"),
    ({"colour": "red"}, "'colour' is missing or unknown"),
])  # fmt: skip
def test_a_file_that_is_no_equation_costs_one_sentence(tmp_path: Path, content: Json, said: str) -> None:
    if content.get("expression") == "deep":
        content = {"expression": 1}
        for _ in range(MOST_DEPTH + 1):
            content = {"expression": ["+", content["expression"], 1]}
    file = tmp_path / "equation.json"
    file.write_text(json.dumps({**equation_of("rnia").to_json(), **content}))
    for command in (["check", str(file)], ["explain", str(file)]):
        told = run_inside(*command)
        if content.get("schema") is None:
            assert_one_sentence(told, str(file), said)
        else:
            assert told.code == 2


def test_a_file_that_is_too_large_costs_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    for data, commands in (
        (equation_of("rnia").to_json(), ("check", "explain")),
        (samples.proof(), ("verify", "explain")),
    ):
        file.write_text(json.dumps(data) + " " * MOST_BYTES)
        for command in commands:
            assert_one_sentence(run_inside(command, str(file)), f"{file} has more than {MOST_BYTES:,} bytes")


# --- verify
def refusal(data: Any, own: dict[str, Measure] | None = None) -> str:
    """The one sentence for which a proof is refused."""
    with pytest.raises(Refused) as refused:
        check_proof(data, own or {})
    said = str(refused.value)
    assert "\n" not in said
    assert len(said) < 400
    return said


def filed(measure: str, condition: str, reading: str = "canonical") -> Json:
    """A true proof, as a file has it."""
    equation = equation_of(measure)
    found = derive(equation, find_condition(condition).reading(reading).situation)
    return as_json(Proof(measure, equation, condition, reading, found.scheme, found.statements, 130))


def test_a_proof_is_derived_again_and_run_on_other_instances() -> None:
    obligations, held = check_proof(samples.proof(), {})
    assert (obligations, held >= 500) == (len(samples.proof()["obligations"]), True)
    condition = find_condition("A.2")
    pack, reading = default_pack("A.2"), condition.reading("canonical")
    first, again = (set(prove.instances(reading, pack, 500, seed)) for seed in (0, proof_check.SEED))
    assert len(again - first) > len(again) / 2
    for case in again:
        assert reading.premise(case)


@pytest.mark.parametrize(("change", "said"), [
    (lambda p: {**filed("mocice", "A.2"), "measure": "bcubed"}, "its equation is not that of bcubed"),
    (lambda p: put(p, "equation.one_empty", "1"), "its equation is not that of bcubed"),
    (lambda p: put(p, "equation.domain", "partitions"), "its equation is not that of bcubed"),
    (lambda p: put(filed("bozdag-u", "B.3"), "measure", "bozdag-e"), "its equation is not that of bozdag-e"),
    (lambda p: put(p, "equation.expression", Equation(swapped(equation_of("bozdag-u").expression), empty=1,
                                                      one_empty=0).to_json()["expression"]), "is not that of"),
    (lambda p: put(p, "condition", "A.1"), "its obligations are not those that the rules derive"),
    (lambda p: put(p, "condition", "G.3"), "the rules do not derive it: No rule is known for this reading."),
    (lambda p: put(p, "reading", "literal"), "its obligations are not those that the rules derive"),
    (lambda p: put(p, "reading", "overlapping"), "the rules do not derive it"),
    (lambda p: put(p, "reading", "generous"), "no condition has the reading 'A.2/generous' here"),
    (lambda p: put(p, "scheme", "swap"), "its obligations are not those"),
    (lambda p: put(p, "obligations.0", ...), "its obligations are not those"),
    (lambda p: put(p, "obligations.0.statement", "all is well"), "its obligations are not those"),
    (lambda p: put(p, "instances", 99), "run on 99 instances; expected 100 or more"),
    (lambda p: put(p, "measure", "mine"), "no measure 'mine' is registered; give your own with --target"),
    (lambda p: put(p, "measure", "ami"), "ami is code, and only an equation can be proved"),
    (lambda p: filed("omega", "S.1"), "omega is code, and only an equation can be proved"),
    (lambda p: {**p, "schema": "metaeval.proof/1"}, "it has the schema metaeval.proof/1, which is not read any"),
    (lambda p: put(p, "schema", "metaeval.proof/3"), "'metaeval.proof/3'; expected 'metaeval.proof/2'"),
    (lambda p: put(p, "extra", 1), "unknown key 'extra'"),
    (lambda p: put(p, "instances", ...), 'a proof has no "instances"'),
    (lambda p: put(p, "obligations", p["obligations"] * 100), f"at most {MOST_OBLIGATIONS} obligations"),
    (lambda p: put(p, "obligations.0.statement", "x" * 10_001), "characters; at most 10000"),
    (lambda p: put(p, "equation.expression", ["+"] + [1] * 5_000), f"at most {MOST_NODES} nodes"),
    (lambda p: put(p, "equation.expression", ["+", 1, 10**50]), "at most 40 digits"),
    (lambda p: put(p, "equation", None), "this is no equation"),
    *((lambda p, data=data: data, "a proof") for data in (None, [], "proof", 1, True, {}, {"schema": []})),
])  # fmt: skip
def test_everything_else_is_refused_with_the_reason(change: Callable[[Json], Any], said: str) -> None:
    assert said in refusal(change(samples.proof()))


def test_no_reading_outside_of_the_domain_is_proved() -> None:
    measure = make_measure(Equation(equation_of("rnia").expression, empty=1, domain="partitions"), id="rnia")
    proof = {**filed("rnia", "B.2"), "equation": measure.equation.to_json()}  # type: ignore[union-attr]
    assert "is not defined on all cases of B.2 canonical" in refusal(proof, {"rnia": measure})


def rechecked(**cell: Any) -> list[str | None]:
    place = {"measure": "bcubed", "condition": "A.2", "reading": "canonical", "verdict": "proved"}
    return [one.refusal for one in recheck_proofs({"cells": [{**place, **cell}]}, {})]


def test_a_proof_must_be_about_its_cell() -> None:
    proof = samples.proof()
    assert rechecked(proof=proof) == [None]
    assert rechecked(verdict="holds") == []
    assert rechecked(verdict="holds", proof=proof) == ["the cell has a proof and the verdict 'holds'"]
    assert rechecked() == ["the cell is proved and has no proof"]
    assert rechecked(proof=proof, reading="literal") == ["its proof is about the reading 'canonical'"]
    assert rechecked(proof=proof, measure="mocice") == ["its proof is about the measure 'bcubed'"]
    assert rechecked(proof=[1]) == ["a proof must be a JSON object, not [1]"]
    declared = {**proof["equation"], "agreed": 7, "proof": proof}
    assert rechecked(verdict="holds", equation=declared) == ["bcubed is an equation, and declares none for code"]
    omega = filed("omega", "S.1")
    place = {"measure": "omega", "condition": "S.1", "verdict": "holds"}
    stated = {**omega["equation"], "agreed": 7}
    assert rechecked(**place, equation={**stated, "proof": omega}) == [None]
    (one,) = recheck_proofs({"cells": [{**place, "reading": "canonical", "equation": {**stated, "proof": omega}}]}, {})
    assert one.place == "omega S.1 canonical (declared equation)"
    assert rechecked(**place, equation={**stated, "proof": proof}) == ["its proof is about the measure 'bcubed'"]
    assert rechecked(**{**place, "verdict": "proved"}, proof=omega)[0] == (
        "omega is code, and only an equation can be proved"
    )


def test_verify_re_checks_what_a_run_has_proved(tmp_path: Path) -> None:
    """Certificates and proofs of one file, each in its line; and no proof outlives a change of its file."""
    file, target = tmp_path / "results.json", f"{own(tmp_path)}:eq"
    chosen = ["--measure", "bcubed", "--measure", "rnia", "--measure", target, *A2]
    assert run_inside("run", *chosen, "--condition", "B.2", "--out", str(file)).code == 0
    code, out, _ = run_inside("verify", str(file), "--target", target)
    assert (code, out.splitlines()[-1]) == (0, "2 certificates and 4 proofs, all hold")
    assert re.search(r"^ok  bcubed A.2 canonical  proof: 1\d obligations derived again, each run on 6\d\d", out, re.M)
    code, out, _ = run_inside("verify", str(file))
    assert code == 1
    assert "no measure 'eq' is registered; give your own with --target" in out
    data = json.loads(file.read_text())
    proof = next(cell["proof"] for cell in data["cells"] if cell["verdict"] == "proved")
    file.write_text(json.dumps(proof))
    (checked,) = json.loads(run_inside("verify", str(file), "--json").out)
    assert (checked["refusal"], checked["obligations"]) == (None, len(proof["obligations"]))
    file.write_text(json.dumps({**proof, "scheme": "fall"}))
    code, out, err = run_inside("verify", str(file))
    assert (code, err, out.splitlines()[1:]) == (1, "", ["1 proof, 1 refused"])
    assert out.startswith("REFUSED  ")


def test_old_proofs_are_refused_and_the_other_cells_are_read(tmp_path: Path) -> None:
    data = samples.with_proofs()
    old = {"schema": "metaeval.proof/1", "source": "sha256:0", "steps": []}
    data["cells"][0]["proof"] |= old
    file = tmp_path / "results.json"
    file.write_text(json.dumps(data))
    results = Results.load(file)
    assert [str(cell.verdict) for cell in results] == ["holds", "holds", "proved", "holds"] + ["proved", "holds"] * 2
    assert "metaeval.proof/1, which is not read any more" in str(results.cell("bcubed", "A.1").unproved)
    for command in (["report", str(file)], ["explain", "bcubed/A.1", "--results", str(file)]):
        told = run_inside(*command)
        assert (told.code, "metaeval.proof/1, which is not" in " ".join(told.out.split())) == (0, True)
    refused = [one.refusal for one in recheck_proofs({"cells": data["cells"][:1]}, {})]
    assert refused == ["it has the schema metaeval.proof/1, which is not read any more; run metaeval again"]
    file.write_text(json.dumps(data["cells"][0]["proof"]))
    assert_one_sentence(run_inside("explain", str(file)), "metaeval.proof/1, which is not read any more")
    assert run_inside("verify", str(file)).code == 1


# --- who says whether it is tried
def test_the_command_line_leaves_proofs_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    proved = run_inside("check", "bcubed", *A2)
    assert "∎  A.2" in proved.out
    assert "passed: 1 cell: 1 proved" in proved.out
    assert "passed: 1 cell: 1 holds" in run_inside("check", "bcubed", *A2, "--no-proofs").out
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text("[tool.metaeval]\nproofs = false\n")
    project = find_project(tmp_path)
    assert project is not None
    assert project.settings == {"proofs": False}
    assert "1 holds" in run_inside("check", "bcubed", *A2).out
    assert "1 proved" in run_inside("check", "bcubed", *A2, "--proofs").out
    Path("pyproject.toml").write_text("[tool.metaeval]\nproofs = 1\n")
    assert_one_sentence(run_inside("check", "bcubed", *A2), "proofs is 1; expected true or false")


@pytest.mark.parametrize(("words", "expected"), [([], {}), (["--metaeval-no-proofs"], {"proofs": False})])
def test_a_session_of_pytest_leaves_proofs_out(
    monkeypatch: pytest.MonkeyPatch, words: list[str], expected: Json
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


# --- results, files, comparisons
@pytest.fixture
def data() -> Json:
    return copy.deepcopy(samples.with_proofs())


def test_a_proof_goes_through_a_file_as_it_is(data: Json, tmp_path: Path) -> None:
    results = Results.from_json(data)
    results.save(tmp_path / "results.json")
    again = Results.load(tmp_path / "results.json")
    assert again.to_json() == results.to_json()
    cell = again.cell("bcubed", "A.2")
    assert (cell.verdict, cell.proof) == (Verdict.PROVED, PROOF)
    assert again.cell("bcubed", "A.2", "literal").unproved == WHY


LOST: Json = {"verdict": "holds", "proof": None}


@pytest.mark.parametrize(("change", "tried", "becomes", "regression"), [
    ({**LOST, "unproved": "It branches."}, True, (Kind.WEAKER, "holds, no longer proved: It branches."), True),
    (LOST, True, (Kind.WEAKER, "holds, no longer proved: No proof was found."), True),
    (LOST, False, (Kind.WEAKER, "holds, no longer proved: No proof was tried."), False),
    # Fewer cases make no difference to what is proved for all sizes.
    ({"cases": 3, "exhaustive": None}, True, None, False),
    ({"verdict": "violated", "violations": 1}, True, (Kind.BROKEN, None), True),
    ({"verdict": "undefined"}, True, (Kind.BROKEN, None), True),
])  # fmt: skip
def test_what_becomes_of_a_proof_that_is_no_longer_there(
    data: Json, change: Json, tried: bool, becomes: tuple[Kind, str | None] | None, regression: bool
) -> None:
    other = copy.deepcopy(data)
    other["cells"][0] |= change
    other["provenance"]["proofs"] = tried
    found = compare(Results.from_json(data), Results.from_json(other, witnessed=False))
    assert found.regression == regression
    assert [change.kind for change in found.changes] == ([becomes[0]] if becomes else [])
    assert not becomes or becomes[1] in (None, found.changes[0].summary)


def test_a_new_proof_is_stronger_evidence_and_a_fix_may_be_one(data: Json, tmp_path: Path) -> None:
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


def test_a_resumed_run_tries_proofs_as_the_first_did(tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    metaeval.run(["bcubed"], ["A.2"], **QUICK, out=out)
    with pytest.raises(InputError, match="was made with proofs True, this run has False"):
        metaeval.run(["bcubed"], ["A.2", "B.2"], **QUICK, proofs=False, out=out, resume=True)
    resumed = metaeval.run(["bcubed"], ["A.2", "B.2"], **QUICK, out=out, resume=True)
    assert verdicts(resumed) == {"A.2": "proved", "B.2": "proved"}
    assert resumed.to_json()["cells"] == Results.load(out).to_json()["cells"]


def test_a_baseline_keeps_proofs_and_misses_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file, plain = str(tmp_path / "bcubed.json"), str(tmp_path / "plain.json")
    assert run_inside("check", "bcubed", *A2, "--save", file).code == 0
    (kept,) = baseline.Baseline.load(file).cells
    assert kept.proof is not None
    assert run_inside("check", "bcubed", "--against", file).code == 0
    lenient = run_inside("check", "bcubed", "--against", file, "--no-proofs")
    assert lenient.code == 0
    assert "holds on weaker evidence: no longer proved: No proof was tried." in " ".join(lenient.out.split())
    assert run_inside("check", "bcubed", *A2, "--no-proofs", "--save", plain).code == 0
    assert "1 holds" in run_inside("check", "bcubed", "--against", plain).out

    def unproved(*_: Any) -> None:
        raise Unproved(WHY)

    monkeypatch.setattr(prove, "derive", unproved)
    lost = run_inside("check", "bcubed", "--against", file)
    told = " ".join(lost.out.split())
    assert (lost.code, f"FAIL A.2/canonical: holds on weaker evidence: no longer proved: {WHY}" in told) == (1, True)


@pytest.mark.parametrize(("change", "says"), [
    ({"proof": None}, "expected one if, and only if, it is proved"),
    ({"verdict": "holds"}, "expected one if, and only if, it is proved"),
    ({"proof": samples.proof(condition="A.1")}, "has a proof of the condition 'A.1'"),
    ({"equation": {**PROOF.equation.to_json(), "agreed": 1, "proof": None}}, "is proved and declares an equation"),
    ({"equation": {"agreed": -1}}, '"agreed" is -1; expected a whole number from 0 up'),
    ({**LOST, "equation": {**filed("rnia", "B.2")["equation"], "agreed": 1, "proof": samples.proof()}},
     "has a declared equation's proof of another equation"),
])  # fmt: skip
def test_a_cell_with_evidence_for_something_else_is_refused(change: Json, says: str) -> None:
    (entry,) = (cell for cell in samples.with_proofs()["cells"] if cell.get("proof") == samples.proof())
    metaeval.Cell.from_json(entry)
    with pytest.raises(InputError, match=says):
        metaeval.Cell.from_json({**entry, **change})


# --- where people see it
def test_a_proof_is_told_in_words(data: Json) -> None:
    results = Results.from_json(data)
    proved, held = (
        " ".join(metaeval.describe(results.cell("bcubed", "A.2", reading)).split())
        for reading in ("canonical", "literal")
    )
    assert proved.startswith("bcubed: A.2 Completeness (canonical) is proved")
    facts = dict(proof_facts(PROOF))
    for part in (Verdict.PROVED.meaning, *facts.values(), "1,432 cases tried"):
        assert " ".join(part.split()) in proved
    assert f"proof none: {WHY}" in held


@pytest.mark.parametrize("place", ["bcubed/A.2/canonical", "mocice/A.5/overlapping", "adjusted-rand/S.1/canonical",
                                   "csi/A.2/canonical", "vi/S.2/canonical", "rnia/B.3/canonical"])  # fmt: skip
def test_letters_stand_for_what_they_say(place: str) -> None:
    """With every letter replaced by what it stands for, the formula and all statements are there as derived."""
    proof = Proof.from_json(filed(*place.split("/")))
    facts = proof_facts(proof)
    parts = dict(line.split(" = ", 1) for title, text in facts if title == "where" for line in text.splitlines())

    def whole(text: str) -> str:
        for _ in parts:
            text = re.sub(r"\b[A-Z]\b", lambda found: parts[found[0]], text)
        return re.sub(r"[()\s]", "", text)

    formula = unicode_text(proof.equation.expression)
    assert whole(facts[0][1].rpartition(" (")[0]).removeprefix("minus") == whole(formula)
    told = whole(" ".join(text for title, text in facts if title.startswith("("))).replace("thescore", whole(formula))
    for one in proof.obligations:
        left, _, right = one.statement.partition(" = ")
        shown = one.statement.removeprefix("from left to right, ").removeprefix("with k copies, ")
        assert left == right or whole(shown) in told
    longest = max(len(text) for title, text in facts if title.startswith("("))
    assert len({*parts.values()}) == len(parts)
    assert longest < 600


def test_the_verdict_counts_as_satisfied_everywhere(data: Json, tmp_path: Path) -> None:
    results = Results.from_json(data)
    assert repr(results) == "<Results: 2 measures, 2 conditions, 8 cells: 4 proved, 4 holds>"
    assert results._repr_html_().count("#1a8a5f") == 8
    assert set(results.to_dataframe().verdict) == {"proved", "holds"}
    results.save(tmp_path / "results.json")
    ranked = run_inside("list", "measures", "--satisfying", "A.1,A.2", "--results", str(tmp_path / "results.json")).out
    assert [line.split()[1:] for line in ranked.splitlines()[2:]] == [["2/2", "nothing", "nothing"]] * 2
    assert {verdict for verdict in Verdict if verdict.satisfied} == {Verdict.PROVED, Verdict.HOLDS}
    assert not any(verdict.counts_against for verdict in Verdict if verdict.satisfied)


VALUES = [None, True, 0, -1, 10**30, 1.5, "", "n", "-7", "A", "\ue000", "(" * 90, "cells(" * 90, [], {}, [[]], "\u202e",
          ["+", 1, 1], {"schema": "metaeval.proof/2"}, "the score", [{"rule": "r", "statement": "s"}] * 60]  # fmt: skip


def test_no_change_at_random_makes_readers_fail() -> None:
    """Files changed anywhere are read or refused, and never answered with another exception."""
    dice = random.Random(12)
    said: list[str] = []
    for _ in range(600):
        data = samples.with_proofs()
        cell = data["cells"][0]
        at: Any = cell["proof"]
        while True:
            key = dice.choice(list(range(len(at)) if isinstance(at, list) else at))
            if not isinstance(at[key], (list, dict)) or not at[key] or dice.random() < 0.15:
                break
            at = at[key]
        put(at, (key,), ... if dice.random() < 0.2 else dice.choice(VALUES))
        try:
            results = Results.from_json(data)
            shown = metaeval.describe(results.cell("bcubed", "A.1"))
            assert shown.isprintable() or "\n" in shown
            said.append("")
        except InputError as error:
            said.append(str(error))
        with pytest.raises(Refused):
            check_proof(cell["proof"], {})
    assert not any("\n" in sentence for sentence in said)
    assert sum(map(bool, said)) > 200
    assert said.count("") > 50


def test_rules_crash_into_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: Any) -> None:
        raise IndexError

    monkeypatch.setattr(typings, "free", crash)
    (cell,) = metaeval.run(["bcubed"], ["B.2"], **QUICK, jobs=1)
    assert (cell.verdict, cell.unproved) == (Verdict.HOLDS, "The rule of the scheme free fails with IndexError.")
    monkeypatch.setattr(proofs, "MOST_OBLIGATIONS", 2)
    with pytest.raises(Unproved, match="too long for a file"):
        derive(equation_of("bcubed"), find_condition("A.2").reading("canonical").situation)
    assert {reading.situation is None for one in conditions().values() for reading in one.readings.values()} == {
        True,
        False,
    }
