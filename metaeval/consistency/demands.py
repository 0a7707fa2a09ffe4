"""What a relation demands of every measure, as arrows from the lower to the higher."""

from __future__ import annotations

from typing import NamedTuple

from metaeval.core.case import (
    EQUAL,
    NOT_BETTER,
    NOT_OPTIMAL,
    OPTIMAL,
    PERFECT_MATCH,
    WORSE,
    Case,
    Relation,
    Side,
)
from metaeval.core.errors import InputError

#: What stands at the ends of an arrow: a side of the case, or the optimum.
LEFT, RIGHT, OPTIMUM = "left", "right", "optimum"


class Arrow(NamedTuple):
    """One end scores lower than the other or, where it is not ``strict``, not higher."""

    lower: str
    upper: str
    strict: bool


#: An equality is an arrow each way. The optimum is what a perfect match scores.
_ARROWS: dict[Relation, tuple[Arrow, ...]] = {
    WORSE: (Arrow(LEFT, RIGHT, strict=True),),
    EQUAL: (Arrow(LEFT, RIGHT, strict=False), Arrow(RIGHT, LEFT, strict=False)),
    NOT_BETTER: (Arrow(LEFT, RIGHT, strict=False),),
    NOT_OPTIMAL: (Arrow(LEFT, OPTIMUM, strict=True),),
    OPTIMAL: (Arrow(RIGHT, OPTIMUM, strict=False), Arrow(OPTIMUM, RIGHT, strict=False)),
    PERFECT_MATCH: (
        Arrow(LEFT, OPTIMUM, strict=True),
        Arrow(RIGHT, OPTIMUM, strict=False),
        Arrow(OPTIMUM, RIGHT, strict=False),
    ),
}


def side_at(case: Case, end: str) -> Side | None:
    """The side of a case that stands at an end of an arrow; None for the optimum."""
    return {LEFT: case.left, RIGHT: case.right}.get(end)


def arrows(relation: Relation) -> tuple[Arrow, ...]:
    """The arrows of a case whose scores must keep this relation."""
    found = _ARROWS.get(relation)
    if found is None:
        raise InputError(
            f"consistency is about which of two scores is higher, and the relation {relation.name!r} is about more"
        )
    return found
