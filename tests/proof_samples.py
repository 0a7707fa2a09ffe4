"""Proofs written by hand, from closed forms on paper: what a prover's output is compared with.

Polynomials are written as Python expressions, such as ``"2*p*q"``.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from metaeval.catalogue.measure import find_measure
from metaeval.catalogue.source_files import source_hash
from metaeval.evidence.proof_check.polynomials import Poly

Json = dict[str, Any]


def made(text: str) -> Poly:
    """A polynomial to compute with."""
    names = {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}
    value = eval(text, {"__builtins__": {}}, {name: Poly.symbol(name) for name in names})
    return value if isinstance(value, Poly) else Poly.number(value)


def poly(text: str) -> list[Any]:
    """A polynomial as a certificate holds it."""
    terms = made(text).terms
    return [[str(terms[monomial]), dict(monomial)] for monomial in sorted(terms)]


def ratio(above: str, below: str = "1") -> Json:
    return {"numerator": poly(above), "denominator": poly(below)}


def pairs_sum(above: str, below: str) -> Json:
    return {"over": "pairs", "term": ratio(above, below)}


def pair(n: str, g: str, c: str, times: str = "1") -> Json:
    return {"n": poly(n), "g": poly(g), "c": poly(c), "times": poly(times)}


def cluster(g: str, times: str = "1") -> Json:
    return {"g": poly(g), "times": poly(times)}


def side(pairs: list[Json], clusters: list[Json], context: str = "same") -> Json:
    return {"pairs": pairs, "clusters": clusters, "classes": [], "context": context}


def step(kind: str, above: str, below: str = "1", claim: str = "It does not fall.") -> Json:
    return {"claim": claim, "kind": kind, **ratio(above, below)}


def symbols(**least: int) -> list[Json]:
    return [{"name": name, "least": value, "meaning": "a number of cells"} for name, value in least.items()]


#: F = 2AB / (A·|U_C| + B·|U_G|), and why it rises with A and B.
F1 = ratio("2*S1*S2", "S1*gold + S2*candidate")
LEMMA_H = step(
    "non-negative",
    "2*(S1**2*d2*gold + S2**2*d1*candidate + d1*d2*(S1*gold + S2*candidate))",
    "(S1*gold + S2*candidate)*((S1 + d1)*gold + (S2 + d2)*candidate)",
    "The score rises with both sums.",
)
NO_SHARED_CELL = [
    {"world": world, "score": ratio(score)}
    for world, score in {"apart": "0", "no candidate": "0", "no gold": "0", "empty": "1"}.items()
]
FORMS = {
    "bcubed": {"sums": [pairs_sum("n**2", "g"), pairs_sum("n**2", "c")], "score": F1, "worlds": NO_SHARED_CELL},
    "mocice": {
        "sums": [pairs_sum("n**3", "g*(g + c - n)"), pairs_sum("n**3", "c*(g + c - n)")],
        "score": F1,
        "worlds": NO_SHARED_CELL,
    },
}

SPLIT = {
    "symbols": symbols(p=1, q=1, e=0, h=0),
    "left": side([pair("p", "p + q", "p + e"), pair("q", "p + q", "q + h")], [cluster("p + q")]),
    "right": side([pair("p", "p", "p + e"), pair("q", "q", "q + h")], [cluster("p"), cluster("q")]),
}
JOIN = {
    "symbols": symbols(a=1, b=1, e=0),
    "left": side([pair("a", "a", "a + b + e"), pair("b", "b", "a + b + e")], [cluster("a"), cluster("b")]),
    "right": side([pair("a + b", "a + b", "a + b + e")], [cluster("a + b")]),
}
MOVE = {
    "symbols": symbols(n=2, f=1),
    "left": side(
        [pair("n*f", "(n + 1)*f", "n*f"), pair("f", "(n + 1)*f", "f"), pair("f", "n*f", "f", "n")],
        [cluster("(n + 1)*f"), cluster("n*f")],
    ),
    "right": side(
        [pair("n*f", "n*f", "n*f"), pair("f", "(n + 1)*f", "f", "n + 1")], [cluster("n*f"), cluster("(n + 1)*f")]
    ),
}
EXCHANGE = {
    "symbols": symbols(r=2, f=1),
    "left": side(
        [pair("(r + 1)*f", "(r + 1)*f", "(r + 1)*f"), pair("f", "f", "2*f", "2*r")],
        [cluster("(r + 1)*f"), cluster("f", "2*r")],
    ),
    "right": side(
        [pair("r*f", "r*f", "(r + 1)*f"), pair("f", "f", "(r + 1)*f"), pair("2*f", "2*f", "2*f", "r")],
        [cluster("r*f"), cluster("f"), cluster("2*f", "r")],
    ),
}

#: The situation, and both differences in closed form.
RISES = {
    ("bcubed", "A.1"): (SPLIT, step("positive", "2*p*q", "p + q"), step("zero", "0")),
    ("bcubed", "A.2"): (JOIN, step("zero", "0"), step("positive", "2*a*b", "a + b + e")),
    ("bcubed", "A.3"): (MOVE, step("positive", "f*(n - 1)", "n + 1"), step("zero", "0")),
    ("bcubed", "A.4"): (EXCHANGE, step("zero", "0"), step("positive", "f*r*(r - 1)", "r + 1")),
    ("mocice", "A.2"): (
        JOIN,
        step("positive", "2*a*b", "a + b + e"),
        step("positive", "3*a*b*(a + b)", "(a + b + e)**2"),
    ),
    ("mocice", "A.3"): (
        MOVE,
        step("positive", "f*(2*n + 1)*(n - 1)", "n*(n + 1)"),
        step("positive", "f*(n - 1)", "n + 1"),
    ),
    ("mocice", "A.4"): (
        EXCHANGE,
        step("positive", "f*r*(r - 1)", "r + 1"),
        step("positive", "3*f*r*(r - 1)", "2*(r + 1)"),
    ),
}


def rise(measure: str, condition: str, reading: str = "canonical") -> Json:
    """The proof that a measure rises, by the two differences and Lemma H."""
    # Copies, for the tests change them.
    situation, first, second = copy.deepcopy(RISES[measure, condition])
    return {
        "schema": "metaeval.proof/1",
        "measure": measure,
        "source": source_hash(find_measure(measure)),
        "condition": condition,
        "reading": reading,
        "scheme": "rise",
        **situation,
        "form": copy.deepcopy(FORMS[measure]),
        "lemmas": ["rises"],
        "steps": [first, second, copy.deepcopy(LEMMA_H)],
        "trusted": ["One entry a meeting pair describes the measure's input."],
    }
