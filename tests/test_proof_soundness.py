"""Whatever the checker's list of claims lets through is true: forms drawn at random, held against concrete cases.

No measure and no prover has a part in this. A form is a made-up measure; its steps are every claim, with the strongest
kind that signs show. If these suffice, the form's own values must keep the condition on every case.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from proof_samples import made

from metaeval.catalogue.condition import find_condition
from metaeval.core.case import Case
from metaeval.core.relation import Bounds, broken
from metaeval.evidence.proof_check import schemes
from metaeval.evidence.proof_check.instances import instances
from metaeval.evidence.proof_check.polynomials import Ratio, TooLarge, bounded
from metaeval.evidence.proof_check.refusals import RefusedProof
from metaeval.evidence.proof_check.schemes import Plan, plan
from metaeval.evidence.proof_check.stated import WORLDS, Form, Part, Step, Sum
from metaeval.evidence.proof_check.statements import STATEMENTS, Statement
from metaeval.evidence.proof_check.trials import form_value
from metaeval.evidence.proof_check.verification import _check_steps

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("zero", "positive", "non-negative")


def ratio(above: str, below: str = "1") -> Ratio:
    return Ratio(made(above), made(below))


def accepted(form: Form, statements: tuple[Statement, ...]) -> bool:
    """Whether the best that can be said of a form is enough, by differences or as a whole."""
    return all(any(_settled(form, one, lemmas) for lemmas in (("rises",), ())) for one in statements)


def _settled(form: Form, statement: Statement, lemmas: tuple[str, ...]) -> bool:
    part = Part(statement.symbols, statement.left, statement.right, lemmas, ())
    try:
        with bounded(150_000):
            needed = plan(form, part, statement, Fraction(1))
            steps = [Step(one.about, kind, one.ratio) for one in needed.claims if (kind := _strongest(one)) is not None]
            _check_steps(Part(statement.symbols, statement.left, statement.right, lemmas, tuple(steps)), needed)
    except (RefusedProof, TooLarge):
        return False
    return True


def _strongest(claim) -> str | None:
    return next((kind for kind in KINDS if claim.fault(kind) is None), None)


@cache
def cases(condition: str, reading: str) -> list[Case]:
    return [case for case in instances(condition, reading, random.Random(99), 150) if case.objects < 60]


def breaking(form: Form, condition: str, reading: str) -> Case | None:
    """A case on which the form's own values break the condition."""
    relation = find_condition(condition).relation
    for case in cases(condition, reading):
        left, right = form_value(form, case.left), form_value(form, case.right)
        if left is None or right is None or broken(relation, (left, right), Bounds(best=1.0)) is not None:
            return case
    return None


TERMS = [
    ratio("n**2", "g"), ratio("n**2", "c"), ratio("n**3", "g*(g + c - n)"), ratio("n**3", "c*(g + c - n)"),
    ratio("n**2", "g + c - n"), ratio("2*n**2", "g + c"), ratio("n"), ratio("n**2"), ratio("n*(n - 1)"), ratio("1"),
    ratio("n**2", "g*c"), ratio("n**3", "g*c"), ratio("n*c", "g"), ratio("n**2 - n", "g"), ratio("n", "g"),
    ratio("g - n"), ratio("n**4", "g**3"), ratio("n", "g + c - n"), ratio("n*g", "c"), ratio("n**2", "c**2"),
]  # fmt: skip
ALONE = {"clusters": [ratio("g**2"), ratio("g"), ratio("1")], "classes": [ratio("c**2"), ratio("c"), ratio("1")]}
SCORES = [
    ratio("2*S1*S2", "S1*gold + S2*candidate"), ratio("S1", "candidate"), ratio("S1", "gold"), ratio("S1", "matrix"),
    ratio("S1 + S2", "candidate + gold"), ratio("S1*S2", "candidate*gold"), ratio("S1", "candidate + gold - shared"),
    ratio("S1", "S1 + S2"), ratio("2*S1", "candidate + gold"), ratio("matching", "candidate + gold - shared"),
    ratio("shared", "candidate + gold - shared"), ratio("S1 + matching", "candidate + gold"), ratio("S1", "shared"),
    ratio("S1 - S2", "gold"), ratio("S1**2", "candidate**2"), ratio("S1 + shared", "candidate + gold"), ratio("1"),
    ratio("candidate - S1", "candidate"), ratio("S1*shared", "candidate*gold"), ratio("S1"), ratio("S1", "S2"),
]  # fmt: skip


#: What most forms say of families that share no cell.
APART = {world: ratio("1" if world == "empty" else "0") for world in WORLDS}


def drawn(dice: random.Random) -> Form:
    sums = [Sum("pairs", dice.choice(TERMS)) for _ in range(2)]
    if dice.random() < 0.15:
        over = dice.choice(["clusters", "classes"])
        sums[1] = Sum(over, dice.choice(ALONE[over]))
    return Form(tuple(sums), dice.choice(SCORES), APART)


@pytest.mark.parametrize(("seed", "rounds"), [(0, 15), pytest.param(1, 40, marks=pytest.mark.long)])
def test_no_form_is_let_through_that_breaks_a_condition(seed: int, rounds: int) -> None:
    dice = random.Random(seed)
    met: Counter[str] = Counter()
    for _ in range(rounds):
        form = drawn(dice)
        for (condition, reading), statements in STATEMENTS.items():
            if accepted(form, statements):
                met[condition] += 1
                assert breaking(form, condition, reading) is None, (condition, reading, form)
    assert sum(met.values()) > 20
    assert len(met) >= 6


def test_every_condition_can_be_settled() -> None:
    """Or the test above would say nothing of some."""
    bcubed = Form((Sum("pairs", TERMS[0]), Sum("pairs", TERMS[1])), SCORES[0], APART)
    assert [place for place, statements in STATEMENTS.items() if not accepted(bcubed, statements)] == []


@pytest.mark.parametrize(
    ("place", "score"),
    [(("A.1", "canonical"), ratio("shared", "gold")), (("A.5", "literal"), ratio("shared", "candidate"))],
)
def test_without_the_last_word_false_forms_would_pass(
    place: tuple[str, str], score: Ratio, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every single step is true of these; that something rises, or costs something, is what they must add up to."""
    form = Form((), score, APART)
    assert breaking(form, *place) is not None
    assert not accepted(form, STATEMENTS[place])
    monkeypatch.setattr(schemes, "Plan", lambda claims, fault=None: Plan(claims))
    assert accepted(form, STATEMENTS[place])


#: The paper's measures as forms, written down from their definitions.
PAPER = {
    "bcubed": ([TERMS[0], TERMS[1]], SCORES[0]),
    "mocice": ([TERMS[2], TERMS[3]], SCORES[0]),
    "mocice-precision": ([TERMS[2]], ratio("S1", "candidate")),
    "mocice-recall": ([TERMS[3]], ratio("S1", "gold")),
    "rnia": ([], ratio("shared", "candidate + gold - shared")),
    "ce": ([], ratio("matching", "candidate + gold - shared")),
}


@pytest.mark.parametrize("measure", PAPER)
def test_no_violated_cell_of_the_published_results_is_let_through(measure: str) -> None:
    terms, score = PAPER[measure]
    form = Form(tuple(Sum("pairs", term) for term in terms), score, APART)
    published = json.loads((ROOT / "docs/results.json").read_text(encoding="utf-8"))["cells"]
    violated = {(one["condition"], one["reading"]) for one in published
                if one["measure"] == measure and one["verdict"] == "violated"}  # fmt: skip
    settled = {place for place, statements in STATEMENTS.items() if accepted(form, statements)}
    assert len(settled) >= 4
    assert not settled & violated
