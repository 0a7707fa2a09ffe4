"""Situations: what a condition is about, with symbols in place of sizes.

Disjoint biclusterings are seen as pairs of a cluster and a class that meet: ``n`` cells in common, ``g`` cells of the
cluster, ``c`` of the class. A situation says which pairs and clusters stand left and right, and in one word what
becomes of all others, the context. Sizes are short polynomials, written as text; they are in cells.

A situation is written by hand, beside strategy, premise and enumerator. Whatever a proof says holds of what the
situation describes, so it must describe every case that the premise admits; it may describe more.
"""

from __future__ import annotations

from dataclasses import dataclass

from metaeval.proof import WORLDS, Symbol

#: What becomes of the context, and how it is proved.
SCHEMES = {
    # The same pairs, clusters and classes left and right.
    "same": "rise",
    # Left, clusters have cells more that no class has, or are new; what is shared stays.
    "grown": "fall",
    # Right, the matrix is larger, and nothing else.
    "wider": "equal",
    # Right, every size and every total is K times as large.
    "scaled": "equal",
    # Right, there are k of every cluster, class and pair.
    "copied": "equal",
    # Right is the gold against itself; left, some pair has g > n or c > n, or a side has a cell that the other has not.
    "top": "top",
}


@dataclass(frozen=True)
class Meeting:
    """``times`` pairs of a cluster of ``g`` cells and a class of ``c`` cells that have ``n`` in common."""

    n: str
    g: str
    c: str
    times: str = "1"


@dataclass(frozen=True)
class Sized:
    """``times`` clusters of ``g`` cells."""

    g: str
    times: str = "1"


@dataclass(frozen=True)
class Named:
    """What a situation names on one side: pairs that meet, all clusters, and what their best matching weighs.

    ``matching`` is left out where it depends on the context.
    """

    pairs: tuple[Meeting, ...] = ()
    clusters: tuple[Sized, ...] = ()
    matching: str | None = None


@dataclass(frozen=True)
class Situation:
    """Left and right with symbols, and the context.

    A symbol of ``own`` may have another value for each member of the one family of pairs that it occurs in. ``lifted``
    where all biclusters have the same columns. ``worlds`` are those of :data:`metaeval.proof.WORLDS` that the reading
    admits. For ``top``: ``covering`` where both sides cover the same cells, ``larger`` where one cluster holds all
    cells of two or more classes, so that it is larger than what it shares with any.
    """

    context: str
    symbols: tuple[Symbol, ...] = ()
    left: Named = Named()
    right: Named = Named()
    own: tuple[str, ...] = ()
    lifted: bool = False
    worlds: tuple[str, ...] = ()
    covering: bool = False
    larger: bool = False

    def __post_init__(self) -> None:
        if self.context not in SCHEMES or not set(self.worlds) <= set(WORLDS):
            raise ValueError(f"a context is one of {', '.join(SCHEMES)}, and worlds are some of {', '.join(WORLDS)}")

    @property
    def scheme(self) -> str:
        """How it is proved."""
        return SCHEMES[self.context]


def same(symbols: tuple[Symbol, ...], left: Named, right: Named, own: tuple[str, ...] = ()) -> Situation:
    """A situation of lifted clusterings, in which named clusters change and all others stay."""
    return Situation("same", symbols, left, right, own, lifted=True)


def anywhere(context: str) -> Situation:
    """A situation that names nothing, of any disjoint biclusterings, empty ones too."""
    return Situation(context, worlds=WORLDS)
