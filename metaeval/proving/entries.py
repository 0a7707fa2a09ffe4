"""What a measure's code sees of a pair of biclusterings: lists of which one entry stands for all.

A list over all clusters, all classes or all pairs that meet is a :class:`Bag`: one entry with symbols n, g and c.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from metaeval.kernel.overlay import Together
from metaeval.proving.refusal import Refused
from metaeval.proving.worlds import World


@dataclass
class Bag:
    """A list of which only kinds of entries are known: (what they run over, what each is); None for a single one.

    ``once`` where it can be gone through only once, ``read`` where that, or anything else, was done.
    """

    parts: tuple[tuple[str | None, Any], ...]
    once: bool = False
    read: bool = False


class Opaque:
    """Something that can be handed on, and not looked at."""

    def __init__(self, what: str) -> None:
        self.what = what


class Mask(Opaque):
    """The one bicluster, or class, that holds a cell."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"which of the {kind} a cell lies in")
        self.kind = kind

    def bit_count(self) -> int:
        """Where nothing overlaps, every cell lies in one."""
        return 1


class Index(Opaque):
    """The place of the entry's cluster, or class, in its list."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"the places of {kind} in their list")
        self.kind = kind


class Line(Opaque):
    """What a cluster shares with each class."""

    def __init__(self) -> None:
        super().__init__("a line of intersections")


class FeatureCount(Opaque):
    """The number of features, of which only whether it is 1 may be asked."""

    def __init__(self, is_one: bool) -> None:
        super().__init__("the number of features")
        self.is_one = is_one


class SymbolicSide:
    """A candidate or a gold standard."""

    def __init__(self, kind: str, feature: int | None = None) -> None:
        self.kind = kind
        #: The one feature that every bicluster's columns were replaced by.
        self.feature = feature


class SymbolicOverlay:
    """What :func:`metaeval.kernel.overlay.overlay` gives, of a pair with symbols. The methods are named as there."""

    def __init__(self, world: World, on_objects: bool) -> None:
        self._world = world
        self._on_objects = on_objects

    def look(self, name: str) -> Any:
        """An attribute of the overlay."""
        found: Callable[[], Any] | None = getattr(self, f"look_{name}", None)
        if found is None:
            raise Refused(f"It looks at {name!r} of the overlay, which is no sum over pairs, clusters or classes.")
        return found()

    def _bag(self, over: str, value: Any) -> Bag:
        return Bag(((over, value),) if self._world.has_entries(over) else ())

    def look_candidate_covered(self) -> Any:
        return self._world.total("candidate")

    def look_gold_covered(self) -> Any:
        return self._world.total("gold")

    def look_shared(self) -> Any:
        return self._world.total("shared")

    def look_union(self) -> Any:
        return self.look_candidate_covered() + self.look_gold_covered() - self.look_shared()

    # On disjoint families every cell is counted once at most.
    look_multiset_union = look_union

    def look_matrix_cells(self) -> Any:
        if self._on_objects:
            raise Refused("It looks at the matrix of biclusterings that it built itself.")
        return self._world.total("matrix")

    def look_matching(self) -> Any:
        return self._world.total("matching")

    def look_disjoint(self) -> bool:
        return True

    def look_is_tangled(self) -> bool:
        # Only what overlaps is.
        return False

    def look_candidate_sizes(self) -> Bag:
        return self._bag("clusters", self._world.sym("g"))

    def look_gold_sizes(self) -> Bag:
        return self._bag("classes", self._world.sym("c"))

    def look_intersections(self) -> Bag:
        return self._bag("clusters", Line())

    def look_together(self) -> Bag:
        n, g, c = (self._world.sym(name) for name in "ngc")
        squares: list[Any] = [[(n * n, g)], [(n * n, c)]]
        masks: list[Any] = [Mask("clusters"), Mask("classes")]
        return self._bag("pairs", Together(*masks, *squares))

    def look_disagreements(self) -> Any:
        n, g, c = (self._world.sym(name) for name in "ngc")
        sum_of = self._world.sum_of
        apart = sum_of("clusters", g * (g - 1)) + sum_of("classes", c * (c - 1))
        return apart * Fraction(1, 2) - sum_of("pairs", n * (n - 1))

    def look_identity(self) -> Callable[[Any, Any], Any]:
        def identity(candidate: Any, gold: Any) -> Any:
            if not (isinstance(candidate, Mask) and isinstance(gold, Mask)):
                raise Refused("It asks for the identity of other biclusters than those of a pair that meets.")
            if (candidate.kind, gold.kind) != ("clusters", "classes"):
                raise Refused("It asks for the identity of a class and a cluster in the wrong order.")
            n, g, c = (self._world.sym(name) for name in "ngc")
            return n, g + c - n

        return identity
