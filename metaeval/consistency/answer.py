"""Answers: *impossible*, with a circle or with multiples of demands that add up to 0 > 0; *possible*; or *open*."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from operator import le
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta

from metaeval.catalogue.measure import Measure, find_measure, make_measure
from metaeval.consistency.graph import Arrow, Listed, Terms, side_at, sum_terms
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.errors import InputError, Undefined
from metaeval.core.relation import Relation
from metaeval.core.renaming import Renaming, SideForm, form
from metaeval.files.codec import Count, Line, Record, decode, encode
from metaeval.files.json_file import read_json
from metaeval.files.shown import show
from metaeval.records.certificate import case_from_json, case_to_json, side_from_json, side_to_json


@dataclass(frozen=True)
class Order:
    """Sides up to names, with their ranks, and the rank of the optimum."""

    sides: tuple[Side, ...]
    ranks: tuple[int, ...]
    optimum: int

    @cached_property
    def by_form(self) -> dict[SideForm, int]:
        """The ranks by what the sides are without names."""
        return dict(zip(map(form, self.sides), self.ranks, strict=True))

    @cached_property
    def _largest(self) -> tuple[int, ...]:
        """The most objects, features and biclusters of a side."""
        return tuple(map(max, zip(*map(_size, self.sides), strict=True)))

    def rank(self, side: Side) -> int | None:
        """The rank of a side that is in the order; a perfect match that is not has the rank of the optimum."""
        # No order has a large side, and its form would take long to compute.
        known = self.by_form.get(form(side)) if all(map(le, _size(side), self._largest)) else None
        return self.optimum if known is None and side.candidate.family == side.gold.family else known

    def score(self, candidate: Biclustering, gold: Biclustering) -> Fraction:
        """The rank divided by that of the optimum; undefined for pairs that are not in the order."""
        rank = self.rank(Side(candidate, gold))
        if rank is None:
            raise Undefined("the pair is not in the order")
        return Fraction(rank, self.optimum)

    def measure(self, id: str = "ordered") -> Measure:
        """The order as a measure, best at 1."""
        return make_measure(self.score, id=id, name="a finite order", best=1)

    def to_json(self) -> dict[str, Any]:
        """The order as data, the lowest sides first."""
        ranked = sorted(zip(self.ranks, self.sides, strict=True), key=lambda one: one[0])
        return {"optimum": self.optimum, "sides": [{"rank": rank, **side_to_json(side)} for rank, side in ranked]}


def _size(side: Side) -> tuple[int, int, int]:
    return *side.shape, len(side.candidate) + len(side.gold)


SCHEMA, OLD_SCHEMA = "metaeval.consistency/2", "metaeval.consistency/1"
ANSWERS = POSSIBLE, IMPOSSIBLE, OPEN = "possible", "impossible", "open"
#: What files of the older schema say instead of open.
_CONSISTENT = "consistent"


class _Names(Record, frozen=True):
    objects: tuple[int, ...]
    features: tuple[int, ...]


class _Link(Record, frozen=True, kw_only=True):
    """A link of a circle in a file. Its sides are read together, by :func:`case_from_json`."""

    condition: Line
    reading: Line
    lower: Literal["left", "right", "optimum"]
    upper: Literal["left", "right", "optimum"]
    strict: bool
    left: Any = None
    right: Any = None
    renaming: _Names | None


class _Multiple(Record, frozen=True):
    case: Any
    times: int


class _Demand(Record, frozen=True, kw_only=True):
    """A demand of a case in a file, without an end of an arrow if it is about a sum."""

    condition: Line
    reading: Line
    lower: Literal["left", "right", "optimum"] | None
    upper: Literal["left", "right", "optimum"] | None
    strict: bool
    left: Any = None
    right: Any = None
    sides: Any = None


class _Ranked(Record, frozen=True):
    rank: Count
    candidate: Any
    gold: Any


class _Order(Record, frozen=True):
    optimum: Annotated[int, Meta(ge=1)]
    sides: Annotated[list[_Ranked], Meta(min_length=1)]


class _OldFile(Record, frozen=True, kw_only=True, tag_field="schema", tag=OLD_SCHEMA):
    answer: Line
    objects: Count
    conditions: Annotated[list[str], Meta(min_length=1)]
    readings: dict[str, Line]
    listed: Annotated[tuple[Listed, ...], Meta(min_length=1)]
    sides: Count
    circle: Annotated[list[Any], Meta(min_length=1)] | None
    order: _Order | None
    minimal: Annotated[list[Line], Meta(min_length=1)] | None


class _File(_OldFile, frozen=True, kw_only=True, tag_field="schema", tag=SCHEMA):
    witness: Line | None
    farkas: Annotated[list[_Multiple], Meta(min_length=1)] | None
    complete: tuple[Line, ...]


class Multiple(NamedTuple):
    """A demand of a case, taken so many times; without an arrow it is about a sum, which may be taken negatively."""

    condition: str
    reading: str
    case: Case
    arrow: Arrow | None
    times: int

    def terms(self, relation: Relation) -> Terms:
        """What the demand says of a sum of scores: it must be positive, 0 or not negative."""
        if self.arrow is None:
            return sum_terms(relation, self.case)
        terms: Terms = Counter()  # type: ignore[assignment]
        for end, sign in ((self.arrow.lower, -1), (self.arrow.upper, 1)):
            terms[side_at(self.case, end)] += Fraction(sign)
        return terms

    def to_json(self) -> dict[str, Any]:
        arrow = self.arrow._asdict() if self.arrow else {"lower": None, "upper": None, "strict": False}
        named = {"condition": self.condition, "reading": self.reading, **arrow}
        return {"case": {**named, **case_to_json(self.case)}, "times": self.times}

    @classmethod
    def from_json(cls, stated: _Multiple, where: str) -> Multiple:
        demand = decode(_Demand, stated.case, where)
        ends = demand.lower, demand.upper
        if None in ends and (*ends, demand.strict) != (None, None, False):
            raise InputError(
                f"{where} has one end, or is strict without ends; expected both ends, or a sum without any"
            )
        arrow = None if None in ends else Arrow(str(ends[0]), str(ends[1]), demand.strict)
        return cls(demand.condition, demand.reading, case_from_json(stated.case, where), arrow, stated.times)


class CircleLink(NamedTuple):
    """A case and its arrow. ``renaming`` turns the upper end into the next lower end; None if that is the optimum."""

    condition: str
    reading: str
    case: Case
    arrow: Arrow
    renaming: Renaming | None

    @property
    def lower(self) -> Side | None:
        """The side at the lower end of the arrow; None for the optimum."""
        return side_at(self.case, self.arrow.lower)

    @property
    def upper(self) -> Side | None:
        """The side at the upper end of the arrow; None for the optimum."""
        return side_at(self.case, self.arrow.upper)

    def to_json(self) -> dict[str, Any]:
        names = self.renaming
        return {
            "condition": self.condition, "reading": self.reading, **self.arrow._asdict(), **case_to_json(self.case),
            "renaming": names and {"objects": list(names.objects), "features": list(names.features)},
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Any, where: str) -> CircleLink:
        stated = decode(_Link, data, where)
        names = stated.renaming
        arrow = Arrow(stated.lower, stated.upper, stated.strict)
        renaming = None if names is None else Renaming(names.objects, names.features)
        return cls(stated.condition, stated.reading, case_from_json(data, where), arrow, renaming)


@dataclass(frozen=True)
class Answer:
    """Whether conditions, each under a reading, can be satisfied together.

    If there is a ``circle`` or ``farkas``, multiples of demands that add up to 0 > 0, it is impossible; ``minimal`` are
    its conditions, of which none can be left out. If there is a ``witness``, a measure that is proved under all of
    them, it is possible. Otherwise it is open: ``order`` keeps all listed cases, and can be left out. Cases have at
    most ``objects`` objects, or as many as a contradiction needs. ``complete`` says what was listed without a gap,
    ``sides`` counts sides up to names.
    """

    objects: int
    readings: Mapping[str, str]
    listed: tuple[Listed, ...]
    sides: int
    circle: tuple[CircleLink, ...] | None = None
    order: Order | None = None
    minimal: tuple[str, ...] | None = None
    witness: str | None = None
    farkas: tuple[Multiple, ...] | None = None
    complete: tuple[str, ...] = ()

    @property
    def impossible(self) -> bool:
        """Whether no measure satisfies the conditions together."""
        return self.circle is not None or self.farkas is not None

    @property
    def answer(self) -> str:
        """The answer in one word."""
        return IMPOSSIBLE if self.impossible else OPEN if self.witness is None else POSSIBLE

    @property
    def certificate(self) -> tuple[CircleLink | Multiple, ...]:
        """The demands that contradict each other."""
        return self.circle or self.farkas or ()

    @property
    def conditions(self) -> tuple[str, ...]:
        return tuple(self.readings)

    def measure(self, id: str = "ordered") -> Measure:
        """The witness, or the order as a measure: that keeps all listed cases, and is undefined elsewhere."""
        if self.witness is not None:
            return find_measure(self.witness)
        if self.order is None:
            why = "no measure satisfies these conditions" if self.impossible else "it has no order"
            raise InputError(f"this answer gives no measure: {why}")
        return self.order.measure(id)

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA, "answer": self.answer, "objects": self.objects, "conditions": list(self.conditions),
            "readings": dict(self.readings), "listed": encode(self.listed), "sides": self.sides,
            "circle": encode(self.circle), "order": encode(self.order), "minimal": encode(self.minimal),
            "witness": self.witness, "farkas": encode(self.farkas), "complete": list(self.complete),
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Any, where: str = "the answer") -> Answer:
        """The answer in parsed JSON; ``where`` names it in an error."""
        old = isinstance(data, Mapping) and data.get("schema") == OLD_SCHEMA
        stated = decode(_OldFile if old else _File, data, where)
        if [*stated.readings] != stated.conditions:
            raise InputError(f'"readings" of {where} are not those of its "conditions"')
        circle = order = None
        if stated.circle is not None:
            named = ((f"link {number} of {where}", link) for number, link in enumerate(stated.circle, start=1))
            circle = tuple(CircleLink.from_json(link, name) for name, link in named)
        if stated.order is not None:
            sides = tuple(
                side_from_json({"candidate": one.candidate, "gold": one.gold}, f"side {number} of the order")
                for number, one in enumerate(stated.order.sides, start=1)
            )
            order = Order(sides, tuple(one.rank for one in stated.order.sides), stated.order.optimum)
        minimal = None if stated.minimal is None else tuple(stated.minimal)
        answer = cls(stated.objects, stated.readings, stated.listed, stated.sides, circle, order, minimal)
        if isinstance(stated, _File):
            named = ((f"demand {number} of {where}", one) for number, one in enumerate(stated.farkas or (), start=1))
            farkas = tuple(Multiple.from_json(one, name) for name, one in named) or None
            answer = replace(answer, witness=stated.witness, farkas=farkas, complete=stated.complete)
        shown = (answer.circle, answer.farkas, answer.witness)
        if sum(one is not None for one in shown) > 1 or (answer.impossible and order is not None):
            raise InputError(f"{where} shows more than one answer; expected a circle, farkas, a witness or an order")
        if answer.impossible != (minimal is not None) or not {*(minimal or ())} <= {*stated.readings}:
            raise InputError(f'"minimal" of {where} must name conditions that contradict each other')
        if stated.answer != (_CONSISTENT if old and not answer.impossible else answer.answer):
            raise InputError(f"{where} says {show(stated.answer)} and shows {answer.answer!r}")
        return answer

    @classmethod
    def load(cls, path: str | Path) -> Answer:
        """The answer in a file, as ``metaeval consistency --out`` writes it."""
        return cls.from_json(read_json(path), str(path))
