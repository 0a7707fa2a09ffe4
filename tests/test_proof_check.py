"""The checker of proofs: true ones are accepted, and everything else is refused with the reason."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import proof_samples as samples
import pytest
from proof_samples import Json, pair, poly, ratio, rise, step, symbols
from test_situations import READERS, meeting
from tools import loaded, put, run_inside, run_process

from metaeval.catalogue.condition import conditions, find_condition
from metaeval.catalogue.measure import Measure, find_measure, make_measure
from metaeval.catalogue.source_files import source_hash
from metaeval.core.case import Case, Side
from metaeval.evidence.proof_check import verification
from metaeval.evidence.proof_check.in_files import recheck_proofs
from metaeval.evidence.proof_check.instances import instances
from metaeval.evidence.proof_check.polynomials import Poly, Ratio, TooLarge, bounded
from metaeval.evidence.proof_check.refusals import RefusedProof
from metaeval.evidence.proof_check.stated import read
from metaeval.evidence.proof_check.statements import STATEMENTS
from metaeval.evidence.proof_check.trials import form_value
from metaeval.evidence.proof_check.verification import check_proof

COVERED = list(STATEMENTS)


def refusal(proof: Any, measure: Measure | None = None) -> str:
    """The one sentence for which a proof is refused."""
    with pytest.raises(RefusedProof) as refused:
        check_proof(proof, measure)
    said = str(refused.value)
    assert "\n" not in said
    assert len(said) < 400
    return said


# --- true proofs


@pytest.mark.parametrize(
    "place", [*samples.RISES, *(("bcubed", condition, "literal") for condition in ("A.1", "A.2"))], ids="-".join
)
def test_what_is_proved_on_paper_is_accepted(place: tuple[str, ...]) -> None:
    """The literal reading of A.1 and A.2 has the same situation."""
    checked = check_proof(rise(*place))
    assert (checked.measure, checked.condition, checked.steps) == (*place[:2], 3)
    assert checked.cases >= 200


#: Their proofs are of the same kinds, and checked by `make long`.
LONGER = ("mocice", "rand", "rnia", "mocice-precision")


@pytest.mark.parametrize("measure", ["bcubed", "ce", *(pytest.param(id, marks=pytest.mark.long) for id in LONGER)])
def test_what_the_prover_finds_is_accepted(measure: str) -> None:
    """Two statements of each situation, two lists of what must be shown, two arithmetics: they agree."""
    pytest.importorskip("flint")
    from metaeval.proof import Proof
    from metaeval.proving.prover import prove

    subject = find_measure(measure)
    found = [
        prove(subject, condition, reading) for condition in conditions().values() for reading in condition.readings
    ]
    proofs = [one.to_json() for one in found if isinstance(one, Proof)]
    assert len(proofs) >= 4
    for proof in proofs:
        check_proof(json.loads(json.dumps(proof)))


def test_names_are_the_files_own() -> None:
    """A situation with other letters is the same situation."""
    text = json.dumps(rise("bcubed", "A.3"))
    other = json.loads(text.replace('"n": 1', '"m": 1').replace('"name": "n"', '"name": "m"'))
    # The terms of the form have an n of their own.
    other["form"] = samples.FORMS["bcubed"]
    assert other != rise("bcubed", "A.3")
    check_proof(other)


# --- tampering

#: What is no polynomial, or too much of one.
HOSTILE = [
    *(([[number, {}]], "has the coefficient") for number in ("9" * 61, "٣", "1_000", "+1", "0", 1)),
    *(([["1", {"n": power}]], "has the exponent") for power in (10**9, True, -1)),
    ([["1", {"__import__('os')": 1}]], "which is no symbol"),
    ([["1", {"n": 1}], ["2", {"n": 1}]], "two terms with the same"),
    *((terms, "must be a list of at most") for terms in ("n", [["1", {"n": 1}]] * 3_000)),
]


def changed(proof: Json, change: Callable[[Json], object]) -> Json:
    tampered = copy.deepcopy(proof)
    change(tampered)
    assert tampered != proof
    return tampered


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda p: p.update(schema="metaeval.proof/2"), "the schema of the proof is 'metaeval.proof/2'; expected"),
        (lambda p: p.update(extra=1), "unknown key 'extra'"),
        (lambda p: p.pop("trusted"), 'the proof has no "trusted"'),
        (lambda p: p.update(source="sha256:" + "0" * 64), "the source of bcubed is no longer the one that was proved"),
        (lambda p: p.update(measure="mine"), "--target"),
        (lambda p: p.update(measure=["bcubed"]), '"measure" of the proof must be a string'),
        (lambda p: p.update(measure="mocice", source=source_hash(find_measure("mocice"))), "not the measure's"),
        (lambda p: p.update(condition="A.4"), "the left names 3 pairs; the condition's situation has 2"),
        (lambda p: p.update(condition="A.1"), "it has 2 symbols; the condition's situation has 4"),
        (lambda p: p.update(condition="A.9"), "A.9"),
        (lambda p: p.update(reading="literal"), "it is about 1 situation; A.3 has 2 under the literal reading"),
        (lambda p: p.update(reading="overlapping"), "under the overlapping reading can be checked here"),
        (lambda p: p.update(reading="generous"), "generous"),
        (lambda p: p.update(scheme="equal"), "A.3 is proved by 'rise', not by 'equal'"),
        (lambda p: p.update(lemmas=["rises", "trust me"]), "a lemma 'trust me'"),
        (lambda p: p.update(lemmas=[]), "step 1 (It does not fall.) is about another polynomial"),
        (lambda p: p["symbols"][0].update(least=1), "n is said to be any number from 1 on; the condition says from 2"),
        (lambda p: p["symbols"][1].update(least=2), "f is said to be any number from 2 on; the condition says from 1"),
        (lambda p: p["symbols"][0].update(name="S1"), "a symbol is called 'S1'"),
        (lambda p: p["symbols"].pop(), "it has 1 symbols"),
        (lambda p: p["left"]["pairs"].pop(), "the left names 2 pairs; the condition's situation has 3"),
        (lambda p: p["left"]["clusters"].pop(), "the left names 1 clusters; the condition's situation has 2"),
        (lambda p: p["left"].update(context="none"), "the context on the left is 'none'; the condition says 'same'"),
        (lambda p: p["left"]["classes"].append({"c": poly("f"), "times": poly("1")}), "an entry has other sizes"),
        (lambda p: p["left"]["pairs"][0].update(c=poly("n*f + f")), "an entry has other sizes"),
        (lambda p: p["steps"].pop(0), "a step is missing: none is about the change of S1"),
        (lambda p: p["steps"].pop(), "a step is missing: none is about the rise of the score with its sums"),
        (lambda p: p.update(steps=[]), "a step is missing"),
        (lambda p: p["steps"][0].update(numerator=poly("f*(n - 2)")), "step 1 (It does not fall.) is about another"),
        (lambda p: p["steps"][0].update(kind="zero"), "is zero, but"),
        (lambda p: p["steps"][0].update(kind="non-negative"), "do not suffice: no step shows that a sum grows"),
        (lambda p: p["steps"][1].update(kind="positive"), "the change of S2 is positive, but no term is"),
        (lambda p: p["steps"][2].update(kind="positive"), "step 3 claims that the rise of the score"),
        (lambda p: p["steps"][2]["numerator"].pop(), "step 3 (The score rises with both sums.) is about another"),
        (lambda p: p["form"]["sums"][0]["term"].update(numerator=poly("n**3")), "is about another polynomial"),
        (lambda p: p["form"]["sums"].pop(), "speaks of 'S2', which is no sum"),
        (lambda p: p["form"]["sums"][0].update(over="clusters"), "speaks of 'n', which clusters do not have"),
        (lambda p: p["form"].update(worlds=[{"world": "mars", "score": ratio("1")}]), "a world of the form is 'mars'"),
        *((lambda p, terms=terms: p["steps"][0].update(numerator=terms), reason) for terms, reason in HOSTILE),
        (lambda p: p["steps"][0].update(denominator=[]), "the denominator of step 1 is 0"),
        (lambda p: p["steps"][0].update(kind=["positive"]), "is of the kind"),
        (lambda p: p.update(steps=p["steps"] * 30), "at most"),
        (lambda p: p.update(symbols=symbols(**dict.fromkeys("abcdefghijklmnop", 0))), "at most"),
        (lambda p: p["left"].update(pairs=[pair("n", "n", "n")] * 1_000), "at most"),
        (lambda p: p.update(trusted=["x" * 10_000]), "characters; at most"),
        (lambda p: p.update(form=[]), "the form must be a JSON object"),
    ],
)  # fmt: skip
def test_a_tampered_proof_is_refused_with_the_reason(change: Callable[[Json], object], reason: str) -> None:
    assert reason in refusal(changed(rise("bcubed", "A.3"), change))


def test_every_coefficient_counts() -> None:
    """Whatever number of a proof is changed, it is refused: in the form, in the situation, in the steps."""
    proof = rise("mocice", "A.2")
    places = list(coefficients(proof))
    assert len(places) > 60
    for place in places:
        number = reduce(getitem, place, proof)[0]
        refusal(put(copy.deepcopy(proof), (*place, 0), "2" if number == "-1" else str(int(number) + 1)))


def coefficients(data: Any, place: tuple[Any, ...] = ()) -> Any:
    if isinstance(data, list) and len(data) == 2 and isinstance(data[1], dict) and isinstance(data[0], str):
        yield place
    elif isinstance(data, (list, dict)):
        if "worlds" in place:
            return  # this reading admits none
        for key in range(len(data)) if isinstance(data, list) else data:
            yield from coefficients(data[key], (*place, key))


# --- a form that is not the measure's


def twice(score: Json) -> Json:
    return {**score, "numerator": [[str(2 * int(factor)), powers] for factor, powers in score["numerator"]]}


def test_a_consistent_proof_about_another_measure_is_refused() -> None:
    """Twice BCubed rises just as well: every step is true, and the form is not this measure's."""
    proof = rise("bcubed", "A.1")
    proof["form"] = {**proof["form"], "score": twice(proof["form"]["score"])}
    proof["steps"][2] = twice(proof["steps"][2])
    assert "the form is not the measure's: it gives" in refusal(proof)


SOURCE = """
from fractions import Fraction
from metaeval.catalogue.measure import find_measure

def bcubed(candidate, gold):
    score = find_measure("bcubed").value(candidate, gold)
    return {wrong}
"""


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("score if max((len(rows) for rows, _ in candidate), default=0) < 1001 else score / 2", "the form is not"),
        ("score if len(candidate) < 9 else Fraction(0)", "the form is not"),
        ("float(score)", "a proof is about exact scores"),
        ("1 // 0", "gives no score for an instance: it raised ZeroDivisionError"),
    ],
)
def test_a_measure_that_is_otherwise_somewhere_is_caught_on_cases(tmp_path: Path, wrong: str, reason: str) -> None:
    (tmp_path / "mine.py").write_text(SOURCE.format(wrong=wrong))
    mine = loaded(tmp_path / "mine.py", "bcubed")
    assert reason in refusal({**rise("bcubed", "A.2"), "source": source_hash(mine)}, mine)


def test_a_measure_without_a_file_has_no_source_to_prove() -> None:
    scope: dict[str, Any] = {}
    exec("def bcubed(candidate, gold): return 1", scope)
    assert "no source file" in refusal(rise("bcubed", "A.1"), make_measure(scope["bcubed"], id="bcubed"))


# --- claims that would be unsound


@pytest.mark.parametrize(
    ("condition", "form", "steps", "reason"),
    [
        # Recall alone, Σ n²/c over the gold's cells, does not rise on A.1: no step can say that it does.
        ("A.1", {"sums": [samples.pairs_sum("n**2", "c")], "score": ratio("S1", "gold")},
         [step("zero", "0"), step("non-negative", "d1", "gold")],
         "the steps do not suffice: no step shows that a sum grows"),
        # Σ n·c/g falls where two clusters are joined.
        ("A.2", {"sums": [samples.pairs_sum("n*c", "g"), samples.pairs_sum("n**2", "c")]},
         [step("non-negative", "-(a + b + e)")], "is non-negative, but the coefficient of"),
        # With a negative term, the context may count against it.
        ("A.1", {"sums": [samples.pairs_sum("n**2 - 2*n*g", "g"), samples.pairs_sum("n**2", "c")]}, [],
         "the term of S1 is not shown to be non-negative"),
        # The score falls with the second sum.
        ("A.1", {"score": ratio("S1", "S2")}, [..., ..., step("non-negative", "d1*S2 - d2*S1", "S2*(S2 + d2)")],
         "the rise of the score with its sums is non-negative, but the coefficient of"),
    ],
)  # fmt: skip
def test_no_step_can_say_what_is_not_so(condition: str, form: Json, steps: list[Any], reason: str) -> None:
    proof = rise("bcubed", condition)
    proof["form"] = {**proof["form"], **form}
    given = [old if new is ... else new for old, new in zip(proof["steps"], steps, strict=False)]
    proof["steps"][: len(given)] = given
    del proof["steps"][len(proof["form"]["sums"]) + 1 :]
    assert reason in refusal(proof)


def test_a_reading_with_empty_families_needs_their_worlds() -> None:
    proof = equal("B.2", [step("zero", "0")])
    check_proof(proof)
    proof["form"] = {**proof["form"], "worlds": proof["form"]["worlds"][:-1]}
    assert "(empty), and the form says nothing of them" in refusal(proof)
    proof["form"]["worlds"] = [*proof["form"]["worlds"], {"world": "empty", "score": ratio("0")}]
    assert "the form is not the measure's: it gives 0 for" in refusal(proof)


def equal(condition: str, steps: list[Json], measure: str = "bcubed") -> Json:
    context = {"B.2": "wider", "B.3": "scaled", "B.4": "copied"}[condition]
    nothing = samples.side([], [], context)
    more = {"scheme": "equal", "symbols": [], "left": nothing, "right": nothing, "lemmas": [], "steps": steps}
    return {**rise("bcubed", "A.1"), "condition": condition, "form": copy.deepcopy(samples.FORMS[measure]), **more}


def test_what_does_not_scale_is_refused() -> None:
    """n² over pairs grows with K² and the cells with K."""
    proof = equal("B.3", [step("zero", "0")])
    proof["form"]["sums"][0] = samples.pairs_sum("n**2 + n", "g")
    assert refusal(proof) == "a step is missing: none is about the scaling of S1"
    scaling = step("zero", "n**2*K**2 + n*K - (n**2 + n)*K**2", "g*K")
    assert "claims that the scaling of S1 is zero, but" in refusal({**proof, "steps": [*proof["steps"], scaling]})


def test_what_sees_the_matrix_does_not_keep_background_independence() -> None:
    proof = equal("B.2", [step("zero", "0")])
    proof["form"]["score"] = ratio("S1", "matrix")
    assert "a step is missing: none is about the difference of the scores" in refusal(proof)


# --- statements and instances


@pytest.mark.parametrize(("condition", "reading"), COVERED)
def test_every_instance_is_a_case_of_its_reading(condition: str, reading: str) -> None:
    premise = find_condition(condition).reading(reading).premise
    drawn = list(instances(condition, reading, random.Random(7), 400))
    assert all(map(premise, drawn))
    assert len({str(case) for case in drawn}) > 300
    assert max(case.objects for case in drawn) > 300


def test_worlds_without_a_shared_cell_are_among_the_instances() -> None:
    def world(side: Side) -> tuple[bool, bool, bool]:
        shared = any(a[0] & b[0] and a[1] & b[1] for a in side.candidate for b in side.gold)
        return bool(side.candidate), bool(side.gold), shared

    for (condition, reading), (statement, *_) in STATEMENTS.items():
        if statement.worlds:
            cases = list(instances(condition, reading, random.Random(7), 400))
            met = {world(side) for case in cases for side in case}
            assert {one[:2] for one in met if not one[2]} == {(a, b) for a in (True, False) for b in (True, False)}


def values(condition: str, case: Case) -> dict[str, int]:
    """The symbols' values in a case, read back from it as the situations' tests do; A.3 calls its size n here."""
    found = READERS[condition](case, "canonical").values
    return {"n" if name == "m" else name: value for name, value in found.items()}


@pytest.mark.parametrize("condition", READERS)
def test_a_statement_names_just_what_differs(condition: str) -> None:
    """On concrete cases, the pairs that left and right do not share are those of the statement, with numbers put in."""
    (statement,) = STATEMENTS[condition, "canonical"]
    for case in instances(condition, "canonical", random.Random(3), 300):
        numbers = values(condition, case)
        stated = []
        for side in (statement.left, statement.right):
            counted: Counter[tuple[int, ...]] = Counter()
            for entry in side.pairs:
                *sizes, times = (int(size.value(numbers)) for _, size in entry)
                counted[tuple(sizes)] += times
            stated.append(counted)
        left, right = (meeting(*side) for side in case)
        assert left - right == stated[0] - stated[1]
        assert right - left == stated[1] - stated[0]


@pytest.mark.parametrize("condition", ["A.3", "A.4"])
def test_a_statement_matches_as_the_kernel_does(condition: str) -> None:
    from metaeval.kernel.overlay import Overlay

    (statement,) = STATEMENTS[condition, "canonical"]
    assert statement.matching is not None
    for case in instances(condition, "canonical", random.Random(3), 100):
        numbers = values(condition, case)
        left, right = (one.value(numbers) for one in statement.matching)
        assert Overlay(*case.right).matching - Overlay(*case.left).matching == right - left


def test_the_form_is_the_measure_on_paper() -> None:
    form = read(rise("mocice", "A.2")).form
    for case in instances("A.5", "literal", random.Random(5), 200):
        assert form_value(form, case.left) == find_measure("mocice").value(*case.left)


# --- polynomials


def drawn(random: random.Random, terms: int = 4) -> Poly:
    return Poly(
        {
            tuple(sorted((name, random.randint(1, 3)) for name in random.sample("xyz", random.randint(0, 3)))):
            random.randint(-5, 5)
            for _ in range(terms)
        }
    )  # fmt: skip


def test_polynomials_compute_as_numbers_do() -> None:
    dice = random.Random(1)
    for _ in range(300):
        a, b, c = drawn(dice), drawn(dice), drawn(dice)
        at = {name: Fraction(dice.randint(-9, 9), dice.randint(1, 5)) for name in "xyz"}
        x, y, z = (one.value(at) for one in (a, b, c))
        assert (a + b * c - a * a).value(at) == x + y * z - x * x
        assert a.at({"x": b, "y": c}).value(at) == a.value({**at, "x": y, "y": z})
        if y and z:
            assert (Ratio(a, b) + Ratio(b, c)).value(at) == x / y + y / z
            put = Ratio(a, Poly.number(1)).put({"x": Ratio(a, b), "z": Ratio(b, c)}).value(at)
            assert put == a.value({**at, "x": x / y, "z": y / z})


def test_the_purse_ends_what_grows_without_bound() -> None:
    many = sum((Poly.symbol(f"x{number}") for number in range(50)), Poly.number(1))
    with pytest.raises(TooLarge), bounded():
        many**9


# --- hostile files


def test_a_bomb_is_refused_at_once() -> None:
    """Steps as large as the reader lets through, which no claim equals."""
    bomb = [["9" * 50, {"f": number % 24 + 1, "n": number // 24 + 1}] for number in range(500)]
    proof = rise("bcubed", "A.3")
    proof["steps"] = [{**proof["steps"][0], "numerator": bomb, "denominator": bomb} for _ in range(60)]
    assert refusal(proof)


@pytest.mark.parametrize("data", [None, [], "proof", 1, True, {}, {"schema": []}], ids=repr)
def test_what_is_no_proof_is_refused(data: Any) -> None:
    refusal(data)


def test_no_change_at_random_makes_the_checker_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files changed anywhere are accepted or refused, and never answered with another exception."""
    monkeypatch.setattr(verification, "try_instances", lambda *args: 0)
    dice = random.Random(12)
    values = [None, True, 0, -1, 10**30, 1.5, "", "n", "-7", [], {}, [[]], [["1", {}]], {"n": 1}, "S1", "\u202e"]
    said: list[str] = []
    for _ in range(1_500):
        proof = rise(*dice.choice([("bcubed", "A.1"), ("mocice", "A.3"), ("bcubed", "A.4")]))
        at: Any = proof
        while True:
            keys = list(range(len(at)) if isinstance(at, list) else at)
            key = dice.choice(keys)
            if not isinstance(at[key], (list, dict)) or not at[key] or dice.random() < 0.15:
                break
            at = at[key]
        if dice.random() < 0.2:
            del at[key]
        else:
            at[key] = dice.choice(values)
        try:
            check_proof(proof)
            said.append("")
        except RefusedProof as refused:
            said.append(str(refused))
    assert not any("\n" in sentence for sentence in said)
    assert sum(map(bool, said)) > 1_000


# --- independence


def test_the_checker_shares_nothing_with_the_prover(tmp_path: Path) -> None:
    """A proof is read, derived and tried without the prover and without its arithmetic."""
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(rise("mocice", "A.2")))
    code = (
        "import json, sys\n"
        "from dataclasses import replace\n"
        "from metaeval.catalogue.condition import CONDITIONS, conditions\n"
        "from metaeval.evidence.proof_check.verification import check_proof\n"
        "for id, one in list(conditions().items()):\n"
        "    bare = {name: replace(reading, situations=()) for name, reading in one.readings.items()}\n"
        "    CONDITIONS.replace(id, replace(one, readings=bare))\n"
        "print(check_proof(json.load(open(sys.argv[1]))).cases)\n"
        "print([name for name in sys.modules if name.startswith(('flint', 'metaeval.proving'))])\n"
    )
    assert run_process(str(file), code=code) == (0, "250\n[]\n", "")


# --- in files


def rechecked(**cell: Any) -> list[str | None]:
    place = {"measure": "bcubed", "condition": "A.2", "reading": "canonical", "verdict": "proved"}
    return [one.refusal for one in recheck_proofs({"cells": [{**place, **cell}]}, {})]


def test_a_proof_must_be_about_its_cell() -> None:
    proof = rise("bcubed", "A.2")
    assert rechecked(proof=proof) == [None]
    assert rechecked(verdict="holds") == []
    assert rechecked(verdict="holds", proof=proof) == ["the cell has a proof and the verdict 'holds'"]
    assert rechecked(verdict="violated", proof=proof) == ["the cell has a proof and the verdict 'violated'"]
    assert rechecked() == ["the cell is proved and has no proof"]
    assert rechecked(proof=proof, reading="literal") == ["its proof is about the reading 'canonical'"]
    assert rechecked(proof=proof, measure="mocice") == ["its proof is about the measure 'bcubed'"]
    assert rechecked(proof=[1]) == ["the proof must be a JSON object, not [1]"]


def test_a_measure_of_ones_own_is_named_with_a_target(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SOURCE.format(wrong="score").replace("def bcubed", "def mine"))
    file = tmp_path / "proof.json"
    from metaeval.cli.targets import load

    target = f"{tmp_path / 'mine.py'}:mine"
    file.write_text(json.dumps({**rise("bcubed", "A.2"), "measure": "mine", "source": source_hash(load(target))}))
    code, out, _ = run_inside("verify", str(file))
    assert code == 1
    assert "no measure 'mine'" in out
    assert "--target file.py:function" in out
    assert run_inside("verify", str(file), "--target", target).code == 0


# --- on the command line


def test_verify_re_checks_a_proof(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(rise("bcubed", "A.2")))
    line = "ok  bcubed A.2 canonical  proof: 3 steps derived again, tried on 250 cases\n"
    assert run_inside("verify", str(file)) == (0, line + "1 proof, all hold\n", "")
    (checked,) = json.loads(run_inside("verify", str(file), "--json").out)
    assert (checked["refusal"], checked["proof"]["cases"]) == (None, 250)
    proof = rise("bcubed", "A.3")
    proof["symbols"][0]["least"] = 1
    file.write_text(json.dumps(proof))
    code, out, err = run_inside("verify", str(file))
    assert (code, err, out.splitlines()[1:]) == (1, "", ["1 proof, 1 refused"])
    assert out.startswith("REFUSED  bcubed A.3 canonical  n is said to be any number from 1 on")


def test_verify_re_checks_what_a_run_has_proved(tmp_path: Path) -> None:
    """Certificates and proofs of one file, each in its line; and no proof outlives a change of its file."""
    pytest.importorskip("flint")
    file = tmp_path / "results.json"
    chosen = ["--measure", "bcubed", "--measure", "rnia", "--condition", "A.2", "--reading", "canonical"]
    assert run_inside("run", *chosen, "--quick", "--out", str(file)).code == 0
    code, out, _ = run_inside("verify", str(file))
    assert (code, out.splitlines()[-1]) == (0, "1 certificate and 1 proof, all hold")
    data = json.loads(file.read_text())
    proof = next(cell["proof"] for cell in data["cells"] if cell.get("proof"))
    proof["steps"][-1]["numerator"][0][0] = "3"
    file.write_text(json.dumps(data))
    code, out, _ = run_inside("verify", str(file))
    assert (code, out.splitlines()[-1]) == (1, "1 certificate and 1 proof, 1 refused")
    assert "is about another polynomial" in out
