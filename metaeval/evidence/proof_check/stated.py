"""What a proof's file states, read with suspicion: every size is bounded before anything is computed with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metaeval.evidence.proof_check.polynomials import Monomial, Poly, Ratio
from metaeval.evidence.proof_check.refusals import RefusedProof
from metaeval.files.shown import clean, is_whole, show

SCHEMA = "metaeval.proof/1"

#: Beyond these no honest proof goes; they bound what a hostile one can cost.
MOST_TERMS = 2_000
MOST_IN_FORM = 40
MOST_DIGITS = 60
MOST_EXPONENT = 24
MOST_IN_FORM_EXPONENT = 4
MOST_SYMBOLS = 12
MOST_SUMS = 6
MOST_ENTRIES = 12
MOST_STEPS = 60
MOST_PARTS = 3
MOST_TEXT = 2_000

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)", re.ASCII)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,15}", re.ASCII)

#: A situation's symbols are single letters, which no sum, difference or total is.
_OWN = re.compile(r"[a-z]", re.ASCII)

#: What the sums of a form go over, and what their terms speak of.
OVER = {"pairs": ("n", "g", "c"), "clusters": ("g",), "classes": ("c",)}
#: What a score may depend on beside the sums: numbers of cells, and the weight of the best matching.
TOTALS = ("candidate", "gold", "shared", "matrix", "matching")
#: Pairs of biclusterings without a cell in common: both have biclusters; or the candidate, the gold, or both have none.
WORLDS = ("apart", "no candidate", "no gold", "empty")
KINDS = ("zero", "non-negative", "positive")
_KEYS = ("schema", "measure", "source", "condition", "reading", "scheme", "form", "trusted")
_PART = ("symbols", "left", "right", "lemmas", "steps")


@dataclass(frozen=True)
class Sum:
    """One sum of a form: what it goes over, and its term."""

    over: str
    term: Ratio


@dataclass(frozen=True)
class Form:
    """A score as a quotient of polynomials in sums and totals; another one in each world without a meeting pair."""

    sums: tuple[Sum, ...]
    score: Ratio
    worlds: Mapping[str, Ratio]

    @property
    def names(self) -> list[str]:
        """S1, S2, …"""
        return [f"S{number}" for number in range(1, len(self.sums) + 1)]


#: An entry: its sizes by their names, and how many there are of it.
Entry = tuple[tuple[str, Poly], ...]


@dataclass(frozen=True)
class Layout:
    """One side: the entries that the condition is about, and what becomes of the others."""

    pairs: tuple[Entry, ...]
    clusters: tuple[Entry, ...]
    classes: tuple[Entry, ...]
    context: str


@dataclass(frozen=True)
class Step:
    """A claim, and the quotient whose sign it is about."""

    claim: str
    kind: str
    ratio: Ratio


@dataclass(frozen=True)
class Part:
    """A situation with its symbols' least values, and the steps that settle it."""

    symbols: Mapping[str, int]
    left: Layout
    right: Layout
    lemmas: tuple[str, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Stated:
    """A proof as its file states it; nothing of it is believed. It has a part for each situation of the reading."""

    measure: str
    source: str
    condition: str
    reading: str
    scheme: str
    form: Form
    parts: tuple[Part, ...]


def read(data: Any) -> Stated:
    """A proof in parsed JSON, or :class:`RefusedProof` where its shape or its size is wrong."""
    entry = {"also": [], **_object(data, "the proof")}
    if entry.get("schema") != SCHEMA:
        raise RefusedProof(f"the schema of the proof is {show(entry.get('schema'))}; expected {SCHEMA!r}")
    _only(entry, (*_KEYS, *_PART, "also"), "the proof")
    _texts(entry["trusted"], '"trusted"')
    further = _list(entry["also"], "also", MOST_PARTS)
    for one in further:
        _only(_object(one, "a further situation"), _PART, "a further situation")
    return Stated(
        **{key: _text(entry[key], f'"{key}"') for key in ("measure", "source", "condition", "reading", "scheme")},
        form=_form(entry["form"]),
        parts=tuple(map(_part, (entry, *further))),
    )


def _part(entry: Mapping[str, Any]) -> Part:
    return Part(
        symbols=_symbols(entry["symbols"]),
        left=_layout(entry["left"], "left"),
        right=_layout(entry["right"], "right"),
        lemmas=tuple(_texts(entry["lemmas"], '"lemmas"')),
        steps=tuple(_step(one, number) for number, one in enumerate(_list(entry["steps"], "steps", MOST_STEPS), 1)),
    )


def _object(data: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise RefusedProof(f"{where} must be a JSON object, not {show(data)}")
    return data


def _only(entry: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    """All of these keys, and no other."""
    for key in keys:
        if key not in entry:
            raise RefusedProof(f'{where} has no "{key}"')
    for key in entry:
        if key not in keys:
            raise RefusedProof(f"{where} has an unknown key {show(key)}")


def _list(data: Any, what: str, most: int) -> list[Any]:
    if not isinstance(data, list):
        raise RefusedProof(f'"{what}" of the proof must be a list, not {show(data)}')
    if len(data) > most:
        raise RefusedProof(f'"{what}" of the proof has {len(data)} entries; at most {most} are accepted')
    return data


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise RefusedProof(f"{where} of the proof must be a string, not {show(value)}")
    if len(value) > MOST_TEXT:
        raise RefusedProof(f"{where} of the proof has {len(value)} characters; at most {MOST_TEXT} are accepted")
    return clean(value)


def _texts(data: Any, where: str) -> list[str]:
    return [_text(one, where) for one in _list(data, where.strip('"'), MOST_STEPS)]


def _symbols(data: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in _list(data, "symbols", MOST_SYMBOLS):
        entry = _object(one, "a symbol")
        _only(entry, ("name", "least", "meaning"), "a symbol")
        name, least = entry["name"], entry["least"]
        _text(entry["meaning"], "the meaning of a symbol")
        if not isinstance(name, str) or not _OWN.fullmatch(name) or name in found:
            raise RefusedProof(f"a symbol is called {show(name)}; expected a letter of its own")
        if not is_whole(least) or not 0 <= least <= 9:
            raise RefusedProof(f"the least value of {name} is {show(least)}; expected a whole number from 0 to 9")
        found[name] = least
    return found


def _form(data: Any) -> Form:
    entry = {"worlds": [], **_object(data, "the form")}
    _only(entry, ("sums", "score", "worlds"), "the form")
    sums = tuple(_sum(one, number) for number, one in enumerate(_list(entry["sums"], "sums", MOST_SUMS), 1))
    score = _ratio(entry["score"], "the score of the form", MOST_IN_FORM, MOST_IN_FORM_EXPONENT)
    form = Form(sums, score, _worlds(entry["worlds"]))
    for one in (score, *form.worlds.values()):
        strangers = one.symbols - {*form.names, *TOTALS}
        if strangers:
            raise RefusedProof(f"a score of the form speaks of {show(min(strangers))}, which is no sum and no total")
    return form


def _worlds(data: Any) -> dict[str, Ratio]:
    found: dict[str, Ratio] = {}
    for one in _list(data, "worlds", len(WORLDS)):
        entry = _object(one, "a world of the form")
        _only(entry, ("world", "score"), "a world of the form")
        world = entry["world"]
        if world not in WORLDS or world in found:
            raise RefusedProof(f"a world of the form is {show(world)}; expected each of {', '.join(WORLDS)} once")
        found[world] = _ratio(entry["score"], f"the world {world!r}", MOST_IN_FORM, MOST_IN_FORM_EXPONENT)
    return found


def _sum(data: Any, number: int) -> Sum:
    entry = _object(data, f"sum {number} of the form")
    _only(entry, ("over", "term"), f"sum {number} of the form")
    over = entry["over"]
    if not isinstance(over, str) or over not in OVER:
        raise RefusedProof(f"sum {number} of the form goes over {show(over)}; expected one of {', '.join(OVER)}")
    term = _ratio(entry["term"], f"the term of sum {number}", MOST_IN_FORM, MOST_IN_FORM_EXPONENT)
    strangers = term.symbols - set(OVER[over])
    if strangers:
        raise RefusedProof(f"the term of sum {number} speaks of {show(min(strangers))}, which {over} do not have")
    return Sum(over, term)


def _layout(data: Any, side: str) -> Layout:
    entry = _object(data, f'"{side}"')
    _only(entry, (*OVER, "context"), f'"{side}"')
    pairs, clusters, classes = (
        tuple(_entry(one, over, side) for one in _list(entry[over], over, MOST_ENTRIES)) for over in OVER
    )
    return Layout(pairs, clusters, classes, _text(entry["context"], f'the context of "{side}"'))


def _entry(data: Any, over: str, side: str) -> Entry:
    where = f"an entry of {over} on the {side}"
    entry = _object(data, where)
    keys = (*OVER[over], "times")
    _only(entry, keys, where)
    return tuple((key, poly(entry[key], where, MOST_IN_FORM, MOST_IN_FORM_EXPONENT)) for key in keys)


def _step(data: Any, number: int) -> Step:
    where = f"step {number}"
    entry = _object(data, where)
    _only(entry, ("claim", "kind", "numerator", "denominator"), where)
    claim, kind = _text(entry["claim"], f"the claim of {where}"), entry["kind"]
    if kind not in KINDS:
        raise RefusedProof(f"{where} is of the kind {show(kind)}; expected one of {', '.join(KINDS)}")
    rest = {key: entry[key] for key in ("numerator", "denominator")}
    return Step(claim, kind, _ratio(rest, where, MOST_TERMS, MOST_EXPONENT))


def _ratio(data: Any, where: str, most: int, highest: int) -> Ratio:
    entry = _object(data, where)
    _only(entry, ("numerator", "denominator"), where)
    above, below = (poly(entry[key], where, most, highest) for key in ("numerator", "denominator"))
    if not below:
        raise RefusedProof(f"the denominator of {where} is 0")
    return Ratio(above, below)


def poly(data: Any, where: str, most: int, highest: int) -> Poly:
    """A polynomial: a list of coefficients, as decimal strings, each with its symbols and their exponents."""
    if not isinstance(data, list) or len(data) > most:
        raise RefusedProof(f"a polynomial of {where} must be a list of at most {most} terms, not {show(data)}")
    terms: dict[Monomial, int] = {}
    for one in data:
        if not isinstance(one, list) or len(one) != 2:
            raise RefusedProof(f"{where} has the term {show(one)}; expected [coefficient, exponents]")
        monomial = _monomial(one[1], where, highest)
        if monomial in terms:
            raise RefusedProof(f"a polynomial of {where} has two terms with the same symbols")
        terms[monomial] = _coefficient(one[0], where)
    return Poly(terms)


def _coefficient(data: Any, where: str) -> int:
    if not isinstance(data, str) or len(data) > MOST_DIGITS or not _INTEGER.fullmatch(data) or data in ("0", "-0"):
        raise RefusedProof(
            f"{where} has the coefficient {show(data)}; expected an integer other than 0 as a decimal string of at "
            f"most {MOST_DIGITS} digits"
        )
    return int(data)


def _monomial(data: Any, where: str, highest: int) -> Monomial:
    if not isinstance(data, Mapping) or len(data) > MOST_SYMBOLS + MOST_SUMS:
        raise RefusedProof(f"{where} has the exponents {show(data)}; expected an object of few symbols")
    for name, power in data.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise RefusedProof(f"{where} speaks of {show(name)}, which is no symbol")
        if not is_whole(power) or not 1 <= power <= highest:
            raise RefusedProof(f"{where} has the exponent {show(power)}; expected a whole number from 1 to {highest}")
    return tuple(sorted(data.items()))
