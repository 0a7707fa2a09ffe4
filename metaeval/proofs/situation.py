"""Situations: what a reading is to a proof. Each reading that can be proved has one, beside its premise.

A situation must describe every case that the premise admits; it may describe more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from metaeval.equations.equation import Equation

SCHEMES = ("free", "scale", "copy", "repeat", "swap", "names", "range", "itself", "top", "rise", "fall")
#: What the sides are: partitions of the same cells; without overlap; anything.
KINDS = ("partitions", "disjoint", "any")

Defects = frozenset[str]


@dataclass(frozen=True)
class Situation:
    """How the cases of a reading are proved.

    ``kind`` says what both sides are, ``lifted`` that all biclusters have the same columns. ``moves`` names what leads
    from left to right, for the schemes rise and fall. For the scheme top, every case has a defect of each of the sets
    in ``cases``, or of each set in one of the alternatives ``either``. ``rows`` are the cases for an equation that sees
    rows alone. ``weak`` where the right score may equal the left one.
    """

    scheme: str
    kind: str
    lifted: bool = False
    moves: tuple[str, ...] = ()
    cases: tuple[Defects, ...] = ()
    either: tuple[tuple[Defects, ...], ...] = ()
    rows: tuple[Defects, ...] = ()
    weak: bool = False

    def __post_init__(self) -> None:
        if self.scheme not in SCHEMES or self.kind not in KINDS:
            raise ValueError(f"a scheme is one of {', '.join(SCHEMES)}, a kind one of {', '.join(KINDS)}")


def sees_rows_alone(equation: Equation, situation: Situation) -> bool:
    """Whether columns are dropped that need not be the same: disjoint biclusters may then overlap or repeat."""
    return equation.unit == "objects" and equation.domain in ("biclusterings", "disjoint") and not situation.lifted


def kind_for(equation: Equation, situation: Situation) -> str:
    """What the equation sees of both sides."""
    return "any" if sees_rows_alone(equation, situation) else situation.kind


def of_partitions(scheme: str, **facts: Any) -> dict[str, Situation]:
    """The situation of lifted partitions, under canonical."""
    return {"canonical": Situation(scheme, "partitions", lifted=True, **facts)}


def of_clusterings(scheme: str, **facts: Any) -> dict[str, Situation]:
    """The situations of lifted clusterings: partitions under canonical, disjoint clusterings under literal."""
    return {**of_partitions(scheme, **facts), "literal": Situation(scheme, "disjoint", lifted=True, **facts)}


def of_biclusterings(scheme: str, *readings: str, **facts: Any) -> dict[str, Situation]:
    """The situations of biclusterings: disjoint under canonical and literal, anything under other readings."""
    return {name: Situation(scheme, "disjoint" if name in _DISJOINT else "any", **facts) for name in readings}


_DISJOINT = ("canonical", "literal")
