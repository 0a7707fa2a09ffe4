"""Re-checking a proof, believing none of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from typing import Any

from metaeval.catalogue.condition import Condition, Reading, find_condition
from metaeval.catalogue.measure import Measure, find_measure
from metaeval.catalogue.source_files import source_hash
from metaeval.core.errors import InputError
from metaeval.display.layout import plural
from metaeval.evidence.proof_check.claims import Claim, implies
from metaeval.evidence.proof_check.polynomials import Poly, TooLarge, bounded
from metaeval.evidence.proof_check.refusals import RefusedProof
from metaeval.evidence.proof_check.schemes import LEMMAS, Plan, plan
from metaeval.evidence.proof_check.stated import Entry, Layout, Part, Stated, Step, read
from metaeval.evidence.proof_check.statements import STATEMENTS, Statement
from metaeval.evidence.proof_check.trials import try_instances
from metaeval.files.shown import show


@dataclass(frozen=True)
class CheckedProof:
    """A proof that holds: how many of its steps were derived anew, and on how many cases it was tried."""

    measure: str
    condition: str
    reading: str
    steps: int
    cases: int


def check_proof(data: Any, measure: Measure | None = None) -> CheckedProof:
    """Re-check a proof in parsed JSON; :class:`RefusedProof` says in a sentence what is wrong with it.

    ``measure`` stands in for the registered one of that id. The polynomials are derived from the checker's own
    statement of the situation and from the stated form of the measure; the form is held against the measure itself on
    random cases.
    """
    stated = read(data)
    subject = _subject(stated, measure)
    condition, reading = _place(stated)
    statements = STATEMENTS.get((condition.id, reading.name))
    if statements is None:
        raise RefusedProof(f"no proof of {condition.id} under the {reading.name} reading can be checked here")
    if len(stated.parts) != len(statements):
        there, wanted = plural(len(stated.parts), "situation"), len(statements)
        raise RefusedProof(f"it is about {there}; {condition.id} has {wanted} under the {reading.name} reading")
    _check_source(stated, subject)
    best = None if subject.optimum is None else Fraction(subject.optimum)
    try:
        with bounded():
            for part, statement in zip(stated.parts, statements, strict=True):
                renamed = _held_against(stated, part, statement)
                _check_steps(part, plan(stated.form, part, renamed, best))
    except TooLarge:
        raise RefusedProof("its polynomials grow beyond what a proof may cost to check") from None
    cases = try_instances(stated, subject, condition, reading)
    return CheckedProof(subject.id, condition.id, reading.name, sum(len(part.steps) for part in stated.parts), cases)


def _subject(stated: Stated, measure: Measure | None) -> Measure:
    if measure is not None and measure.id == stated.measure:
        return measure
    try:
        return find_measure(stated.measure)
    except InputError as error:
        raise RefusedProof(f"{error}; a measure of your own is named with --target file.py:function") from None


def _place(stated: Stated) -> tuple[Condition, Reading]:
    try:
        condition = find_condition(stated.condition)
        return condition, condition.reading(stated.reading)
    except InputError as error:
        raise RefusedProof(str(error)) from None


def _check_source(stated: Stated, subject: Measure) -> None:
    now = source_hash(subject)
    if now is None:
        raise RefusedProof(f"{subject.id} has no source file that its proof could be about")
    if now != stated.source:
        raise RefusedProof(f"the source of {subject.id} is no longer the one that was proved; run the prover again")


# --- the situation


def _held_against(stated: Stated, part: Part, statement: Statement) -> Statement:
    """The checker's own statement in the file's names, where both say the same."""
    unknown = [lemma for lemma in part.lemmas if lemma not in LEMMAS]
    if unknown:
        raise RefusedProof(f"it uses a lemma {show(unknown[0])}, which is not known here")
    if stated.scheme != statement.scheme:
        raise RefusedProof(f"{stated.condition} is proved by {statement.scheme!r}, not by {stated.scheme!r}")
    for side, own, told in _sides(part, statement):
        if told.context != own.context:
            raise RefusedProof(f"the context on the {side} is {told.context!r}; the condition says {own.context!r}")
    missing = [world for world in statement.worlds if world not in stated.form.worlds]
    if missing:
        raise RefusedProof(
            f"the reading admits pairs that share no cell ({missing[0]}), and the form says nothing of them"
        )
    if len(part.symbols) != len(statement.symbols):
        there, wanted = len(part.symbols), len(statement.symbols)
        raise RefusedProof(f"it has {there} symbols; the condition's situation has {wanted}")
    for names in permutations(part.symbols):
        renamed = _renamed(statement, names)
        if _same_entries(part, renamed):
            _check_least(part, renamed)
            return renamed
    raise RefusedProof(_difference(part, statement))


def _sides(part: Part, statement: Statement) -> Iterator[tuple[str, Layout, Layout]]:
    yield "left", statement.left, part.left
    yield "right", statement.right, part.right


def _renamed(statement: Statement, names: tuple[str, ...]) -> Statement:
    """The statement with other names for its symbols, in their order."""
    values = {own: Poly.symbol(name) for own, name in zip(statement.symbols, names, strict=True)}

    def entries(of: tuple[Entry, ...]) -> tuple[Entry, ...]:
        return tuple(tuple((key, size.at(values)) for key, size in entry) for entry in of)

    def layout(one: Layout) -> Layout:
        return Layout(entries(one.pairs), entries(one.clusters), entries(one.classes), one.context)

    matching = statement.matching
    return replace(
        statement,
        symbols=dict(zip(names, statement.symbols.values(), strict=True)),
        left=layout(statement.left),
        right=layout(statement.right),
        matching=None if matching is None else (matching[0].at(values), matching[1].at(values)),
    )


def _same_entries(part: Part, statement: Statement) -> bool:
    """Whether both sides name the same pairs and clusters; the gold is one, so that its classes are on both sides."""
    return Counter(part.left.classes) == Counter(part.right.classes) and all(
        Counter(own.pairs) == Counter(told.pairs) and Counter(own.clusters) == Counter(told.clusters)
        for _, own, told in _sides(part, statement)
    )


def _check_least(part: Part, statement: Statement) -> None:
    for name, least in statement.symbols.items():
        if part.symbols[name] != least:
            raise RefusedProof(
                f"{name} is said to be any number from {part.symbols[name]} on; the condition says from {least} on"
            )


def _difference(part: Part, statement: Statement) -> str:
    """What the file's situation has more or less of than the checker's own."""
    for side, own, told in _sides(part, statement):
        for what in ("pairs", "clusters"):
            there, wanted = len(getattr(told, what)), len(getattr(own, what))
            if there != wanted:
                return f"the {side} names {there} {what}; the condition's situation has {wanted}"
    return "its left and right are not the condition's situation: an entry has other sizes"


# --- the steps


def _check_steps(part: Part, needed: Plan) -> None:
    """Every step is one of the claims, every claim that is needed has its step, and together they suffice."""
    kinds: dict[str, str] = {}
    for number, step in enumerate(part.steps, start=1):
        for claim in _claims_of(step, number, needed):
            fault = claim.fault(step.kind)
            if fault is not None:
                raise RefusedProof(f"step {number} claims that {claim.about} is {step.kind}, but {fault}")
            if claim.about not in kinds or implies(step.kind, kinds[claim.about]):
                kinds[claim.about] = step.kind
    for claim in needed.claims:
        if claim.needed and claim.about not in kinds:
            raise RefusedProof(f"a step is missing: none is about {claim.about}")
        _check_claim(claim, kinds)
    reason = needed.fault(kinds)
    if reason is not None:
        raise RefusedProof(f"the steps do not suffice: {reason}")


def _claims_of(step: Step, number: int, needed: Plan) -> list[Claim]:
    found = [claim for claim in needed.claims if claim.ratio.equals(step.ratio)]
    if not found:
        raise RefusedProof(
            f"step {number} ({step.claim}) is about another polynomial than any that the situation and the form give"
        )
    return found


def _check_claim(claim: Claim, kinds: Mapping[str, str]) -> None:
    stated = kinds.get(claim.about, claim.least)
    if not implies(stated, claim.least):
        raise RefusedProof(f"it is only claimed that {claim.about} is {stated}; it must be {claim.least}")
    fault = claim.fault(claim.least)
    if fault is not None:
        raise RefusedProof(f"{claim.about} is not shown to be {claim.least}: {fault}")
