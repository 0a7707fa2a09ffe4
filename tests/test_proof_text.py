"""Proofs in words: the closed forms that one finds on paper."""

from __future__ import annotations

import copy
import json
from typing import Any

import proof_samples as samples
import pytest
from proof_samples import made, rise

from metaeval.evidence.formulas import divided, formula, written
from metaeval.evidence.proof_check.polynomials import Poly, Ratio
from metaeval.evidence.proof_text import proof_facts
from metaeval.proof import Proof

#: As the notes on proofs have them; f features make f cells of an object.
CLOSED = {
    ("bcubed", "A.1"): ["ΔA = 2pq/(p + q) > 0", "ΔB = 0"],
    ("bcubed", "A.2"): ["ΔA = 0", "ΔB = 2ab/(a + b + e) > 0"],
    ("bcubed", "A.3"): ["ΔA = f(n − 1)/(n + 1) > 0", "ΔB = 0"],
    ("bcubed", "A.4"): ["ΔA = 0", "ΔB = fr(r − 1)/(r + 1) > 0"],
    ("mocice", "A.2"): ["ΔA = 2ab/(a + b + e) > 0", "ΔB = 3ab(a + b)/(a + b + e)² > 0"],
    ("mocice", "A.3"): ["ΔA = f(n − 1)(2n + 1)/(n(n + 1)) > 0", "ΔB = f(n − 1)/(n + 1) > 0"],
    ("mocice", "A.4"): ["ΔA = fr(r − 1)/(r + 1) > 0", "ΔB = 3fr(r − 1)/(2(r + 1)) > 0"],
}


def proof(measure: str, condition: str) -> Proof:
    data = rise(measure, condition)
    for number, one in enumerate(data["steps"][:2], start=1):
        one["claim"] = f"From left to right, the sum S{number} does not fall."
    return Proof.from_json(data)


@pytest.mark.parametrize(("measure", "condition"), CLOSED, ids=lambda one: one)
def test_differences_are_shown_in_closed_form(measure: str, condition: str) -> None:
    told = proof_facts(proof(measure, condition))
    steps = [text for title, text in told if title.startswith("step")]
    for expected, step in zip(CLOSED[measure, condition], steps, strict=False):
        assert expected in step


def test_a_long_difference_is_shown_class_by_class() -> None:
    """MOCICE on A.1: one term for each class, as on paper, with c = e + p and d = h + q."""
    data = rise("bcubed", "A.1")
    data["form"] = samples.FORMS["mocice"]
    c, d, both = "(p + e)", "(q + h)", "(p + q)"
    for number, one in enumerate(data["steps"][:2], start=1):
        one["claim"] = f"From left to right, the sum S{number} does not fall."
    data["steps"][0] |= samples.ratio(
        f"p**2*q*({c} + p + q)*{d}*({d} + p) + q**2*p*({d} + q + p)*{c}*({c} + q)",
        f"{c}*{both}*({c} + q)*{d}*({d} + p)",
    )
    told = dict(proof_facts(Proof.from_json(data)))
    first, second = "p²q(e + 2p + q)/((e + p)(p + q)(e + p + q))", "pq²(h + p + 2q)/((h + q)(p + q)(h + p + q))"
    assert told["step 1"] == f"From left to right ΔA = {first} + {second} > 0."


def test_a_proof_says_what_it_is_about_and_what_is_trusted() -> None:
    told = dict(proof_facts(proof("mocice", "A.3")))
    assert told["score"].startswith("On disjoint biclusterings the score is 2AB/(A·|U_C| + B·|U_G|).")
    assert "A = Σ n³/(g(c + g − n)) and B = Σ n³/(c(c + g − n)) over the meeting pairs" in told["score"]
    assert "n ≥ 2" in told["symbols"]
    assert "(fn, f(n + 1), fn)" in told["left"]
    assert "(n + 1) × (f, f(n + 1), f)" in told["right"]
    assert "no coefficient above is negative" in told["why"]
    assert "the right scores higher" in told["therefore"]
    assert samples.rise("mocice", "A.3")["trusted"][0] in told["trusted"]


@pytest.mark.parametrize(
    ("above", "below", "factors", "shown"),
    [
        ("2*p**2*q + 2*p*q**2", "p**2 + 2*p*q + q**2", ["p + q"], "2pq/(p + q)"),
        ("6*p", "4*q", [], "3p/(2q)"),
        ("p", "1", [], "p"),
        ("0", "p", [], "0"),
        ("p + q", "1", [], "p + q"),
        ("-p", "q", [], "−p/q"),
        ("p**2", "p**3", [], "1/p"),
        ("p - q", "2", [], "(p − q)/2"),
        ("(p + q)**3", "p", ["p + q"], "(p + q)³/p"),
    ],
)
def test_quotients_are_written_as_one_would(above: str, below: str, factors: list[str], shown: str) -> None:
    assert formula(Ratio(made(above), made(below)), map(made, factors)) == shown


def test_division_is_exact_or_none() -> None:
    assert divided(made("p**2 - q**2"), made("p - q")) == made("p + q")
    assert divided(made("p**2 + q**2"), made("p - q")) is None
    assert divided(made("3*p"), made("2*p")) is None
    assert written(made("(p + q + 1)**5")) == "… 21 terms, all positive …"
    # Only a changed file has a quotient over 0: everything divides nothing, so no factor would ever be the last.
    p = Poly.symbol("p")
    assert formula(Ratio(p, p - p), [p - 1]) == "a quotient over 0"


def test_a_hostile_proof_is_told_at_once() -> None:
    """A proof that nobody has checked is shown too; what would take long is counted."""
    data: dict[str, Any] = copy.deepcopy(rise("bcubed", "A.1"))
    bomb = [["7" * 900, {"candidate": 1_000, "gold": 1_000, "p": power}] for power in range(1, 400)]
    for one in data["steps"]:
        one["numerator"] = one["denominator"] = bomb
    data["form"]["score"] = {"numerator": bomb, "denominator": bomb}
    told = proof_facts(Proof.from_json(json.loads(json.dumps(data))))
    assert any("terms" in text for _, text in told)
