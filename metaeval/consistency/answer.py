"""An answer as data: a circle that proves a contradiction, or an order of all sides that were listed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import le
from pathlib import Path
from typing import Any, NamedTuple

from metaeval.catalogue.measure import Measure, make_measure
from metaeval.consistency.graph import LEFT, OPTIMUM, RIGHT, Arrow, Listed, side_at
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.errors import InputError, Undefined
from metaeval.core.renaming import Renaming, SideForm, form
from metaeval.files.codec import count, flag, mapping, need, refuse_unknown, show, text
from metaeval.files.json_file import read_json
from metaeval.records.certificate import case_from_json, case_to_json, side_from_json, side_to_json


@dataclass(frozen=True)
class Order:
    """Sides, each standing for all that differ from it by names, with their ranks, and the rank of the optimum."""

    sides: tuple[Side, ...]
    ranks: tuple[int, ...]
    optimum: int

    @cached_property
    def by_form(self) -> dict[SideForm, int]:
        """The ranks by what the sides are without names."""
        return dict(zip(map(form, self.sides), self.ranks, strict=True))

    @cached_property
    def _largest(self) -> tuple[int, int, int]:
        """The most objects, features and biclusters of a side."""
        sizes = [_size(side) for side in self.sides]
        objects, features, biclusters = map(max, zip(*sizes, strict=True))
        return objects, features, biclusters

    def rank(self, side: Side) -> int | None:
        """The rank of a side; a perfect match that is not in the order has the optimum, and others have none."""
        # A large side is in no order, and it would take long to find its form.
        small = all(map(le, _size(side), self._largest))
        known = self.by_form.get(form(side)) if small else None
        if known is None and side.candidate.family == side.gold.family:
            return self.optimum
        return known

    def score(self, candidate: Biclustering, gold: Biclustering) -> Fraction:
        """The rank as a share of the optimum's; undefined for what is not in the order."""
        rank = self.rank(Side(candidate, gold))
        if rank is None:
            raise Undefined("the pair is not among those that were put in order")
        return Fraction(rank, self.optimum)

    def measure(self, id: str = "ordered") -> Measure:
        """The order as a measure, best at 1."""
        return make_measure(self.score, id=id, name="a finite order", best=1)


def _size(side: Side) -> tuple[int, int, int]:
    return *side.shape, len(side.candidate) + len(side.gold)


SCHEMA = "metaeval.consistency/1"
IMPOSSIBLE, CONSISTENT = "impossible", "consistent"

_KEYS = ("schema", "answer", "objects", "conditions", "readings", "listed", "sides", "circle", "order", "minimal")
_LINK = ("condition", "reading", "lower", "upper", "strict", "left", "right", "renaming")
_ENDS = (LEFT, RIGHT, OPTIMUM)


class CircleLink(NamedTuple):
    """A case, what it says of its ends, and how the upper end's names become those of the next link's lower end.

    There are no names to match where that end is the optimum.
    """

    condition: str
    reading: str
    case: Case
    arrow: Arrow
    renaming: Renaming | None

    @property
    def lower(self) -> Side | None:
        """The side that scores lower, or not higher; None for the optimum."""
        return side_at(self.case, self.arrow.lower)

    @property
    def upper(self) -> Side | None:
        """The side that scores higher, or not lower; None for the optimum."""
        return side_at(self.case, self.arrow.upper)

    def to_json(self) -> dict[str, Any]:
        """The link as data."""
        names = self.renaming
        return {
            "condition": self.condition,
            "reading": self.reading,
            "lower": self.arrow.lower,
            "upper": self.arrow.upper,
            "strict": self.arrow.strict,
            **case_to_json(self.case),
            "renaming": names and {"objects": list(names.objects), "features": list(names.features)},
        }


@dataclass(frozen=True)
class Answer:
    """Whether conditions, each under a reading, can be satisfied together on all cases listed up to so many objects.

    Either there is a ``circle``, whose conditions are the fewest that contradict each other (``minimal``), or an
    ``order``, which may have been left out. ``sides`` is how many sides there are, up to names.
    """

    objects: int
    readings: Mapping[str, str]
    listed: tuple[Listed, ...]
    sides: int
    circle: tuple[CircleLink, ...] | None = None
    order: Order | None = None
    minimal: tuple[str, ...] | None = None

    @property
    def impossible(self) -> bool:
        """Whether no measure whatever satisfies the conditions together."""
        return self.circle is not None

    @property
    def answer(self) -> str:
        """The answer in a word."""
        return IMPOSSIBLE if self.impossible else CONSISTENT

    @property
    def conditions(self) -> tuple[str, ...]:
        """The ids of the conditions."""
        return tuple(self.readings)

    def measure(self, id: str = "ordered") -> Measure:
        """The order as a measure: it satisfies the conditions on this scope, and is undefined beyond."""
        if self.order is None:
            why = "no measure satisfies these conditions" if self.impossible else "the order was left out"
            raise InputError(f"there is no measure to be had from this answer: {why}")
        return self.order.measure(id)

    def to_json(self) -> dict[str, Any]:
        """The answer as data for ``json.dump``."""
        return {
            "schema": SCHEMA,
            "answer": self.answer,
            "objects": self.objects,
            "conditions": list(self.conditions),
            "readings": dict(self.readings),
            "listed": [one._asdict() for one in self.listed],
            "sides": self.sides,
            "circle": None if self.circle is None else [link.to_json() for link in self.circle],
            "order": None if self.order is None else _order_to_json(self.order),
            "minimal": None if self.minimal is None else list(self.minimal),
        }

    @classmethod
    def from_json(cls, data: Any, where: str = "the answer") -> Answer:
        """The answer in parsed JSON; ``where`` names it in an error."""
        entry = mapping(data, where)
        if entry.get("schema") != SCHEMA:
            raise InputError(f"the schema of {where} is {show(entry.get('schema'))}; expected {SCHEMA!r}")
        refuse_unknown(entry, _KEYS, where)
        circle, order, minimal = (need(entry, key, where) for key in ("circle", "order", "minimal"))
        answer = cls(
            objects=count(entry, "objects", where),
            readings=_readings(entry, where),
            listed=tuple(_listed(one, where) for one in _list(need(entry, "listed", where), "listed", where)),
            sides=count(entry, "sides", where),
            circle=None if circle is None else tuple(_link(one, where) for one in _list(circle, "circle", where)),
            order=None if order is None else _order(order, where),
            minimal=None if minimal is None else tuple(map(str, _list(minimal, "minimal", where))),
        )
        return _whole(answer, text(entry, "answer", where), where)

    @classmethod
    def load(cls, path: str | Path) -> Answer:
        """The answer in a file, as ``metaeval consistency --out`` writes it."""
        return cls.from_json(read_json(path), str(path))


def _whole(answer: Answer, stated: str, where: str) -> Answer:
    """Refuse an answer that contradicts itself."""
    if answer.circle is not None and answer.order is not None:
        raise InputError(f"{where} has a circle and an order; expected one of them")
    if (answer.circle is None) != (answer.minimal is None) or not {*(answer.minimal or ())} <= {*answer.readings}:
        raise InputError(f'"minimal" of {where} must name conditions that contradict each other, beside a circle')
    if stated != answer.answer:
        raise InputError(f"{where} says {show(stated)} and shows {answer.answer!r}")
    return answer


def _list(value: Any, key: str, where: str) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise InputError(f'"{key}" of {where} must be a list with something in it, not {show(value)}')
    return value


def _readings(entry: Mapping[str, Any], where: str) -> dict[str, str]:
    readings = mapping(need(entry, "readings", where), f'"readings" of {where}')
    ids = _list(need(entry, "conditions", where), "conditions", where)
    if [*readings] != ids:
        raise InputError(f'"readings" of {where} are not those of its "conditions"')
    return {id: text(readings, id, f'"readings" of {where}') for id in readings}


def _listed(data: Any, where: str) -> Listed:
    entry = mapping(data, f'"listed" of {where}')
    refuse_unknown(entry, Listed._fields, f'"listed" of {where}')
    return Listed(
        condition=text(entry, "condition", where),
        reading=text(entry, "reading", where),
        objects=count(entry, "objects", where),
        whole=flag(entry, "whole", where),
        cases=count(entry, "cases", where),
        words=text(entry, "words", where),
    )


def _link(data: Any, where: str) -> CircleLink:
    entry = mapping(data, f"a link of {where}")
    refuse_unknown(entry, _LINK, f"a link of {where}")
    ends = [text(entry, key, f"a link of {where}") for key in ("lower", "upper")]
    for end in ends:
        if end not in _ENDS:
            raise InputError(f"a link of {where} has the end {show(end)}; expected one of {', '.join(_ENDS)}")
    return CircleLink(
        condition=text(entry, "condition", where),
        reading=text(entry, "reading", where),
        case=case_from_json(entry, f"a link of {where}"),
        arrow=Arrow(ends[0], ends[1], flag(entry, "strict", where)),
        renaming=_renaming(need(entry, "renaming", where), where),
    )


def _renaming(data: Any, where: str) -> Renaming | None:
    if data is None:
        return None
    entry = mapping(data, f"a renaming of {where}")
    refuse_unknown(entry, Renaming._fields, f"a renaming of {where}")
    names = []
    for key in Renaming._fields:
        found = need(entry, key, f"a renaming of {where}")
        if not isinstance(found, list) or not all(type(one) is int for one in found):
            raise InputError(f'"{key}" of a renaming of {where} must be a list of integers, not {show(found)}')
        names.append(tuple(found))
    return Renaming(*names)


def _order_to_json(order: Order) -> dict[str, Any]:
    ranked = sorted(zip(order.ranks, order.sides, strict=True), key=lambda one: one[0])
    return {"optimum": order.optimum, "sides": [{"rank": rank, **side_to_json(side)} for rank, side in ranked]}


def _order(data: Any, where: str) -> Order:
    entry = mapping(data, f'"order" of {where}')
    refuse_unknown(entry, ("optimum", "sides"), f'"order" of {where}')
    optimum = count(entry, "optimum", f'"order" of {where}')
    sides, ranks = [], []
    for one in _list(need(entry, "sides", where), "sides", where):
        ranked = mapping(one, f'a side in the "order" of {where}')
        ranks.append(count(ranked, "rank", f'a side in the "order" of {where}'))
        families = {key: value for key, value in ranked.items() if key != "rank"}
        sides.append(side_from_json(families, "a side"))
    if not optimum:
        raise InputError(f'the optimum in the "order" of {where} is 0; ranks go from 1 up')
    return Order(tuple(sides), tuple(ranks), optimum)
