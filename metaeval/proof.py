"""Proofs as data, ``metaeval.proof/1``: what the prover writes and the verifier reads.

A polynomial is a sorted tuple of monomials, a monomial an integer and its symbols with their exponents. Nothing
here computes with them: whoever reads a proof must do that anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from metaeval.core.errors import InputError
from metaeval.files.shown import is_whole, mapping, need, refuse_unknown, show, text

SCHEMA = "metaeval.proof/1"

#: What a step can claim of its quotient, where every symbol is at least as large as its bound.
KINDS = ("non-negative", "positive", "zero")
#: What a sum of the measure runs over.
OVER = ("pairs", "clusters", "classes")
#: What conventions can make of a pair of biclusterings: both have biclusters, but no cell in common; the candidate, the
#: gold, or both have none.
WORLDS = ("apart", "no candidate", "no gold", "empty")

Monomial = tuple[int, tuple[tuple[str, int], ...]]
Poly = tuple[Monomial, ...]

_INTEGER = re.compile(r"-?[1-9][0-9]{0,999}\Z", re.ASCII)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,19}\Z", re.ASCII)
_LARGEST_EXPONENT = 1_000
#: More than any list of a proof needs.
_LONGEST = 20_000

Item = TypeVar("Item")


@dataclass(frozen=True)
class Symbol:
    """A whole number that may be any from ``least`` on."""

    name: str
    least: int
    meaning: str


@dataclass(frozen=True)
class Quotient:
    """A polynomial over another."""

    numerator: Poly
    denominator: Poly


@dataclass(frozen=True)
class Pair:
    """``times`` meeting pairs of a cluster of ``g`` cells and a class of ``c`` cells, with ``n`` in common."""

    n: Poly
    g: Poly
    c: Poly
    times: Poly


@dataclass(frozen=True)
class Group:
    """``times`` clusters, or classes, of so many cells."""

    size: Poly
    times: Poly


@dataclass(frozen=True)
class ProofSide:
    """What a situation names on one side, and in one word what surrounds it."""

    pairs: tuple[Pair, ...]
    clusters: tuple[Group, ...]
    classes: tuple[Group, ...]
    context: str


@dataclass(frozen=True)
class Sum:
    """A sum over all meeting pairs, all clusters or all classes; its term is one of n, g and c, of g, or of c."""

    over: str
    term: Quotient


@dataclass(frozen=True)
class Form:
    """The measure on disjoint biclusterings: a quotient in its sums S1, S2, … and in totals.

    The totals are ``candidate``, ``gold``, ``shared``, ``matrix`` (numbers of cells) and ``matching``. ``score`` is the
    score as a similarity where some pair meets; ``worlds`` are the scores where none does, for each of the
    :data:`WORLDS` that the reading admits.
    """

    sums: tuple[Sum, ...]
    score: Quotient
    worlds: tuple[tuple[str, Quotient], ...] = ()


@dataclass(frozen=True)
class Step:
    """A claim in words and as the sign of a quotient; the denominator is positive."""

    claim: str
    kind: str
    numerator: Poly
    denominator: Poly


@dataclass(frozen=True)
class Further:
    """A further situation of the same reading, with its own symbols and steps: the reading's cases are shared out."""

    symbols: tuple[Symbol, ...]
    left: ProofSide
    right: ProofSide
    lemmas: tuple[str, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Proof:
    """Why a measure satisfies a condition under a reading, for every size and in every context."""

    measure: str
    source: str
    condition: str
    reading: str
    scheme: str
    symbols: tuple[Symbol, ...]
    form: Form
    left: ProofSide
    right: ProofSide
    lemmas: tuple[str, ...]
    steps: tuple[Step, ...]
    trusted: tuple[str, ...]
    #: Where one situation does not describe all cases of the reading; left out of the file where there is none.
    also: tuple[Further, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The proof as data for ``json.dump``; :meth:`from_json` reads it back."""
        return {
            "schema": SCHEMA,
            "measure": self.measure,
            "source": self.source,
            "condition": self.condition,
            "reading": self.reading,
            "scheme": self.scheme,
            "symbols": _symbols_json(self.symbols),
            "form": _form_json(self.form),
            "left": _side_json(self.left),
            "right": _side_json(self.right),
            "lemmas": [*self.lemmas],
            "steps": _steps_json(self.steps),
            "trusted": [*self.trusted],
        } | ({"also": [_further_json(one) for one in self.also]} if self.also else {})

    @classmethod
    def from_json(cls, data: Any) -> Proof:
        """The proof in parsed JSON; its shape is checked, and nothing else."""
        where = "a proof"
        told = mapping(data, where)
        refuse_unknown(told, ("schema", *cls.__dataclass_fields__), where)
        if told.get("schema") != SCHEMA:
            raise InputError(f'"schema" of {where} is {show(told.get("schema"))}; expected "{SCHEMA}"')
        words = {key: text(told, key, where) for key in ("measure", "source", "condition", "reading", "scheme")}
        return cls(
            **words,
            symbols=_listed(told, "symbols", where, _symbol),
            form=_form(need(told, "form", where), "the form of a proof"),
            left=_side(need(told, "left", where), "the left of a proof"),
            right=_side(need(told, "right", where), "the right of a proof"),
            lemmas=_listed(told, "lemmas", where, _sentence),
            steps=_listed(told, "steps", where, _step),
            trusted=_listed(told, "trusted", where, _sentence),
            also=_listed(told, "also", where, _further) if "also" in told else (),
        )


# --- to JSON ------------------------------------------------------------------------------------------


def _poly_json(poly: Poly) -> list[Any]:
    return [[str(coefficient), dict(powers)] for coefficient, powers in poly]


def _quotient_json(quotient: Quotient) -> dict[str, Any]:
    return {"numerator": _poly_json(quotient.numerator), "denominator": _poly_json(quotient.denominator)}


def _symbols_json(symbols: tuple[Symbol, ...]) -> list[Any]:
    return [{"name": one.name, "least": one.least, "meaning": one.meaning} for one in symbols]


def _steps_json(steps: tuple[Step, ...]) -> list[Any]:
    return [
        {"claim": step.claim, "kind": step.kind, **_quotient_json(Quotient(step.numerator, step.denominator))}
        for step in steps
    ]


def _further_json(one: Further) -> dict[str, Any]:
    return {
        "symbols": _symbols_json(one.symbols),
        "left": _side_json(one.left),
        "right": _side_json(one.right),
        "lemmas": [*one.lemmas],
        "steps": _steps_json(one.steps),
    }


def _form_json(form: Form) -> dict[str, Any]:
    return {
        "sums": [{"over": one.over, "term": _quotient_json(one.term)} for one in form.sums],
        "score": _quotient_json(form.score),
        "worlds": [{"world": world, "score": _quotient_json(score)} for world, score in form.worlds],
    }


def _side_json(side: ProofSide) -> dict[str, Any]:
    return {
        "pairs": [{key: _poly_json(getattr(pair, key)) for key in ("n", "g", "c", "times")} for pair in side.pairs],
        "clusters": [{"g": _poly_json(one.size), "times": _poly_json(one.times)} for one in side.clusters],
        "classes": [{"c": _poly_json(one.size), "times": _poly_json(one.times)} for one in side.classes],
        "context": side.context,
    }


# --- from JSON ----------------------------------------------------------------------------------------


def _listed(data: Mapping[str, Any], key: str, where: str, read: Callable[[Any, str], Item]) -> tuple[Item, ...]:
    values = need(data, key, where)
    if not isinstance(values, list) or len(values) > _LONGEST:
        raise InputError(f'"{key}" of {where} must be a list of at most {_LONGEST} items, not {show(values)}')
    return tuple(read(value, f'"{key}" of {where}') for value in values)


def _known(value: Any, keys: tuple[str, ...], where: str) -> Mapping[str, Any]:
    found = mapping(value, where)
    refuse_unknown(found, keys, where)
    return found


def _sentence(value: Any, where: str) -> str:
    return text({"sentence": value}, "sentence", where)


def _one_of(value: str, words: tuple[str, ...], where: str) -> str:
    if value not in words:
        raise InputError(f"{show(value)} in {where} is none of {', '.join(words)}")
    return value


def _name(value: Any, where: str) -> str:
    if not isinstance(value, str) or not _NAME.match(value):
        raise InputError(f"{show(value)} in {where} is no symbol: a letter, then letters, digits and _")
    return value


def _symbol(value: Any, where: str) -> Symbol:
    told = _known(value, ("name", "least", "meaning"), where)
    least = need(told, "least", where)
    if not is_whole(least):
        raise InputError(f'"least" in {where} must be a whole number, not {show(least)}')
    return Symbol(_name(need(told, "name", where), where), int(least), text(told, "meaning", where))


def _poly(data: Mapping[str, Any], key: str, where: str) -> Poly:
    monomials = _listed(data, key, where, _monomial)
    if list(monomials) != sorted(monomials, key=lambda one: one[1]) or len({one[1] for one in monomials}) < len(
        monomials
    ):
        raise InputError(f'"{key}" of {where} is not sorted, or names a monomial twice')
    return monomials


def _monomial(value: Any, where: str) -> Monomial:
    if not isinstance(value, list) or len(value) != 2:
        raise InputError(f"{show(value)} in {where} is no monomial: a coefficient and its symbols are expected")
    coefficient, powers = value
    if not isinstance(coefficient, str) or not _INTEGER.match(coefficient):
        raise InputError(f"{show(coefficient)} in {where} is no coefficient: a decimal integer other than 0, as text")
    exponents = sorted(mapping(powers, where).items())
    for name, exponent in exponents:
        if not is_whole(exponent) or not 1 <= exponent <= _LARGEST_EXPONENT:
            raise InputError(f"{show(exponent)} in {where} is no exponent from 1 to {_LARGEST_EXPONENT}")
        _name(name, where)
    return int(coefficient), tuple((name, int(exponent)) for name, exponent in exponents)


def _quotient(value: Any, where: str) -> Quotient:
    told = _known(value, ("numerator", "denominator"), where)
    return Quotient(_poly(told, "numerator", where), _poly(told, "denominator", where))


def _form(value: Any, where: str) -> Form:
    told = _known(value, ("sums", "score", "worlds"), where)
    return Form(
        _listed(told, "sums", where, _sum),
        _quotient(need(told, "score", where), where),
        _listed(told, "worlds", where, _world) if "worlds" in told else (),
    )


def _sum(value: Any, where: str) -> Sum:
    told = _known(value, ("over", "term"), where)
    return Sum(_one_of(text(told, "over", where), OVER, where), _quotient(need(told, "term", where), where))


def _world(value: Any, where: str) -> tuple[str, Quotient]:
    told = _known(value, ("world", "score"), where)
    return _one_of(text(told, "world", where), WORLDS, where), _quotient(need(told, "score", where), where)


def _side(value: Any, where: str) -> ProofSide:
    told = _known(value, ("pairs", "clusters", "classes", "context"), where)
    return ProofSide(
        _listed(told, "pairs", where, _pair),
        _listed(told, "clusters", where, lambda one, place: _group(one, place, "g")),
        _listed(told, "classes", where, lambda one, place: _group(one, place, "c")),
        text(told, "context", where),
    )


def _further(value: Any, where: str) -> Further:
    told = _known(value, ("symbols", "left", "right", "lemmas", "steps"), where)
    return Further(
        _listed(told, "symbols", where, _symbol),
        _side(need(told, "left", where), where),
        _side(need(told, "right", where), where),
        _listed(told, "lemmas", where, _sentence),
        _listed(told, "steps", where, _step),
    )


def _pair(value: Any, where: str) -> Pair:
    told = _known(value, ("n", "g", "c", "times"), where)
    return Pair(*(_poly(told, key, where) for key in ("n", "g", "c", "times")))


def _group(value: Any, where: str, size: str) -> Group:
    told = _known(value, (size, "times"), where)
    return Group(_poly(told, size, where), _poly(told, "times", where))


def _step(value: Any, where: str) -> Step:
    told = _known(value, ("claim", "kind", "numerator", "denominator"), where)
    return Step(
        text(told, "claim", where),
        _one_of(text(told, "kind", where), KINDS, where),
        _poly(told, "numerator", where),
        _poly(told, "denominator", where),
    )
