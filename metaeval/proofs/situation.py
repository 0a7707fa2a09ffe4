"""Situations: what a reading is to a proof. Each reading that can be proved has one, beside its premise.

A situation must describe every case that the premise admits; it may describe more.
"""

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
    from left to right, for the schemes rise and fall. For the scheme top, every case has all defects of one of the
    sets in ``cases``, and of one of the sets in each of the alternatives ``either``. ``rows`` are such sets for an
    equation that sees rows alone. ``weak`` where the right score may equal the left one,
    ``left_alone`` where the relation says nothing of the right side.
    """

    scheme: str
    kind: str
    lifted: bool = False
    moves: tuple[str, ...] = ()
    cases: tuple[Defects, ...] = ()
    either: tuple[tuple[Defects, ...], ...] = ()
    rows: tuple[Defects, ...] = ()
    weak: bool = False
    left_alone: bool = False

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
    disjoint = ("canonical", "literal")
    return {name: Situation(scheme, "disjoint" if name in disjoint else "any", **facts) for name in readings}


# --- defects of the left side, for the scheme top; strictness.py says what each name means

#: Without overlap: a cluster holds cells of two classes, a class those of two clusters, a cell is on one side only.
_APART = frozenset({"cluster is no class", "class is no cluster"})
_MIXED = _APART | {"cluster in two classes", "cluster exceeds a class", "candidate-only pair", "clusters lose entropy"}
_CUT = _APART | {"class in two clusters", "class exceeds a cluster", "gold-only pair", "classes lose entropy"}
_EXTRA = frozenset({"candidate-only cell", "cluster is no class", "more clusters of a cell"})
_MISSED = frozenset({"gold-only cell", "class is no cluster", "more classes of a cell"})
#: The same where no bicluster is a single cell.
_IN_COMPANY = (
    _EXTRA | {"candidate-only cell in company", "candidate-only pair", "clusters lose entropy"},
    _MISSED | {"gold-only cell in company", "gold-only pair", "classes lose entropy"},
)
_FAMILY, _COUNTED = frozenset({"other family"}), frozenset({"other number", "other family"})
#: Different families without repeats: a cluster is no class; or all are, and a class is missing. Or the other way.
_DIFFERENT = (
    (_FAMILY | {"cluster is no class"}, _FAMILY | {"class is no cluster", "more classes of a cell"}),
    (_FAMILY | {"cluster is no class", "more clusters of a cell"}, _FAMILY | {"class is no cluster"}),
)
#: One cluster around all classes: it is no class; or it is one, and some cells are in another one as well.
_SPANS = _COUNTED | {"class is no cluster", "other depth of a pair", "cluster exceeds a class"}
_NO_CLASS = frozenset({"cluster is no class", "meeting cluster is no class"})

#: Gold and candidate differ: A.5 and H.8.
DIFFERENT = {
    "partitions": Situation("top", "partitions", lifted=True, cases=(_MIXED, _CUT)),
    "disjoint": Situation("top", "disjoint", cases=(_MIXED, _CUT, _EXTRA, _MISSED)),
    "disjoint, no single cells": Situation("top", "disjoint", cases=(_MIXED, _CUT, *_IN_COMPANY)),
    "any": Situation("top", "any", either=_DIFFERENT),
    "repeated": Situation("top", "any", cases=(_FAMILY,)),
}


def _of_left(kind: str, *cases: Defects, rows: tuple[Defects, ...]) -> Situation:
    return Situation("top", kind, cases=cases, rows=rows, left_alone=True)


#: On rows alone classes may repeat and overlap.
_SPANNED_ROWS = (
    _COUNTED | _NO_CLASS | {"other depth of a pair"},
    _COUNTED | {"more classes of a cell", "other depth of a pair"},
)
#: One cluster in place of several classes: B.5 and H.4.
SPANNED = {
    "disjoint": _of_left("disjoint", _MIXED | _COUNTED, rows=_SPANNED_ROWS),
    "any": _of_left("any", _SPANS | _NO_CLASS, _SPANS | {"more classes of a cell"}, rows=_SPANNED_ROWS),
}
_FEWER = _COUNTED | {"more classes of a cell"}
#: Some classes are left out: H.2.
LEFT_OUT = {
    "canonical": _of_left("disjoint", _COUNTED | _IN_COMPANY[1], rows=(_FEWER,)),
    "literal": _of_left("disjoint", _COUNTED | _MISSED, rows=(_FEWER,)),
    "overlapping": _of_left("any", _FEWER | {"class is no cluster"}, rows=(_FEWER,)),
    "proper": _of_left("any", _FEWER | {"class is no cluster", "larger class is no cluster"}, rows=(_FEWER,)),
    "repeated": _of_left("any", _FEWER, rows=(_FEWER,)),
}
