"""The score of an equation as a float, on arrays: for large inputs.

Where no cell lies in two biclusters of a side, every sum is one over tables: of meetings, of clusters, of classes.
Under overlap, sums over cells and over pairs of cells are those of :mod:`metaeval.equations.overlap_sums`. The error
of every number is bounded on the way; where rounding could show, or a sum has no form here, the exact function scores.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

import numpy as np

from metaeval.core.biclustering import Biclustering
from metaeval.equations import rounded as r
from metaeval.equations.equation import Equation
from metaeval.equations.exact_score import conventional
from metaeval.equations.rounded import Rounded
from metaeval.equations.source_text import bests_of, vanishes
from metaeval.equations.tree import CLOSED, ONE, SIZES, SUMS, Expression
from metaeval.kernel.large_overlay import frozen, lines_in_common, sums
from metaeval.kernel.overlay import Overlay, assigned, objects, overlay
from metaeval.kernel.pair_sums import reach_of

#: The largest error of a score, relative to the larger of the score and 1.
TOLERANCE = 5e-13
#: Tables of all clusters and classes have at most so many entries.
_MOST_PARTNERS = 1 << 26


#: What a term must not have for its value to depend on nothing but which sides hold a cell, or a pair.
_BY_SIZES = frozenset([*SIZES, *SUMS])


class NoForm(Exception):
    """A part of an equation has no form on arrays under overlap."""


def array_score(equation: Equation, candidate: Biclustering, gold: Biclustering) -> float:
    """The score as a float."""
    cells = overlay(candidate, gold)
    settled = conventional(equation, cells)
    if settled is not None:
        return float(settled)
    found = on_arrays(equation, cells)
    if found.error < TOLERANCE * max(1.0, abs(found.value)):
        return float(found.value)
    return float(equation.function(candidate, gold))


def on_arrays(equation: Equation, cells: Overlay) -> Rounded:
    """The value of the expression; its error is infinite where it has no form on arrays."""
    o = objects(cells) if equation.unit == "objects" else cells
    try:
        with np.errstate(all="ignore"):
            return Arrays(o, equation.expression).value(equation.expression, Entries())
    except NoForm:
        return Rounded(0.0, np.inf)


@dataclass(frozen=True)
class Entries:
    """Where a term stands: the numbers of a cluster and of a class and their shared cells, as arrays.

    In a view, −1 is no cluster or class; under overlap, ``atoms`` says that the view is that of each atom.
    """

    i: Any = None
    j: Any = None
    n: Any = None
    in_view: bool = False
    atoms: bool = False
    known: dict[Expression, Rounded] = field(default_factory=dict)


_ARITHMETIC: dict[str, Callable[..., Rounded]] = {
    "+": lambda *some: reduce(r.plus, some), "*": lambda *some: reduce(r.times, some), "/": r.divided, "over": r.over,
    "least": lambda *some: r.extreme(-1, *some), "largest": lambda *some: r.extreme(1, *some),
    "sqrt": r.root, "log": r.logarithm, "exp": r.exponential, "arccos": r.half_turns,
}  # fmt: skip
_SECOND = ("classes", "in_class", "classmates")


class Arrays:
    """The numbers of an overlay as arrays, and what expressions are there."""

    def __init__(self, o: Overlay, expression: Expression) -> None:
        self.o, self.expression, self.families = o, expression, (o.candidate, o.gold)
        self._overlapping: dict[Expression, Rounded] = {}

    def value(self, e: Expression, place: Entries) -> Rounded:
        """An expression at each entry of a place."""
        op = e.op
        if op == "number":
            return r.constant(e.value)
        if e in place.known:
            return place.known[e]
        if op in SIZES:
            return self._size(op, place)
        if op == "matrix":
            return r.constant(self.o.matrix_cells)
        if op in CLOSED or (op in ("clusters", "classes") and not place.in_view):
            return self.closed(e)
        if op == "best":
            # In the view of one cell, or of two: at most one partner is there.
            both = (place.i >= 0) & (place.j >= 0)
            return r.chosen(r.extreme(1, r.constant(0), self.value(e.args[0], place)), both)
        if op in ("in_cluster", "in_class", "clusters", "classes", "mates", "classmates"):
            return self._at_atoms(e) if place.atoms else self._in_view(e, place)
        if op == "^":
            return reduce(r.times, [self.value(e.args[0], place)] * int(e.args[1].value))
        return _ARITHMETIC[op](*[self.value(x, place) for x in e.args])

    # --- sizes

    def _size(self, name: str, place: Entries) -> Rounded:
        letter, _, lines = name.partition(".")
        if letter == "n":
            return r.counted(self._lines(lines, place) if lines else place.n)
        side = int(letter == "c")
        return r.counted(self._sizes(side, lines)[(place.i, place.j)[side]])

    def _sizes(self, side: int, lines: str = "") -> Any:
        """Of each cluster, or class; the last entry stands for none, and is at −1."""
        return self._once(("sizes", side, lines), lambda: np.append(self.o.sizes(side, lines), 1).astype(float))

    def _lines(self, lines: str, place: Entries) -> Any:
        """How many rows or columns the cluster and the class of each entry share."""
        known = self.o.lines_met(place.n, lines)
        if known is not None:
            return known
        table = self._once(("lines", lines), lambda: np.pad(lines_in_common(self.o, int(lines == "cols")), (0, 1)))
        return table[place.i, place.j]

    def _once(self, key: Any, made: Callable[[], Any]) -> Any:
        """What is computed once for an overlay, whatever measures ask for it."""
        known = self.o._values
        if key not in known:
            found = made()
            known[key] = frozen(found) if isinstance(found, np.ndarray) else found
        return known[key]

    # --- in a view

    def _in_view(self, e: Expression, place: Entries) -> Rounded:
        """Without overlap: at most one cluster and one class are there."""
        side = int(e.op in _SECOND)
        inside = (place.i, place.j)[side] >= 0
        if not e.args or (e.args[0] == ONE and e.op in ("clusters", "classes")):
            return r.counted(inside)
        if e.op in ("clusters", "classes"):
            return r.chosen(self.value(e.args[0], replace(place, in_view=False)), inside)
        # Of the cells of the same cluster, n are in the same class, and the others share no class with this one.
        nobody = np.full(len(place.n), -1)
        alone = replace(place, i=nobody if side else place.i, j=place.j if side else nobody, n=0 * place.n)
        own, n = r.counted(self._sizes(side)[(place.i, place.j)[side]]), r.counted(place.n)
        others = r.times(r.plus(own, r.times(r.constant(-1), n)), self.value(e.args[0], alone))
        return r.chosen(r.plus(r.times(n, self.value(e.args[0], place)), others), inside)

    def _at_atoms(self, e: Expression) -> Rounded:
        """Under overlap, for every atom."""
        side = int(e.op in _SECOND)
        signatures = self.o.table.sides[side]
        if not e.args:
            return r.counted(signatures.depths > 0)
        if e.op in ("mates", "classmates"):
            if e.args[0] != ONE:
                raise NoForm
            return r.counted(np.where(signatures.depths > 0, self.reach(side), 0))
        if e.args[0] == ONE:
            return r.counted(signatures.depths)
        if bests_of(e.args[0]):
            raise NoForm
        found = r.sums(signatures.table, self.value(e.args[0], self._one_side(side)))
        return Rounded(found.value[signatures.kinds], np.broadcast_to(found.error, found.value.shape)[signatures.kinds],
                       found.whole)  # fmt: skip

    def reach(self, side: int) -> Any:
        """For every atom the number of cells that share a cluster, or class, with it."""
        return self._once(("reach", side), lambda: reach_of(self.o.table.sides[side], self.o.table.weights))

    # --- sums over everything

    def closed(self, e: Expression) -> Rounded:
        """A sum over everything."""
        found: Rounded = self._once(e, lambda: r.single(self._closed(e)))
        return found

    def _closed(self, e: Expression) -> Rounded:
        term = e.args[0]
        if e.op == "meetings":
            i, j, n = self.o.met
            return r.total(self.value(term, Entries(i, j, n)), len(n))
        if e.op in ("clusters", "classes"):
            return self._of_each(term, int(e.op == "classes"))
        if e.op == "matching":
            return self._matching(term)
        if not self.o.disjoint:
            from metaeval.equations.overlap_sums import overlap_sums, summands

            self._overlapping = self._overlapping or overlap_sums(self)
            parts = summands(e)
            return self._overlapping[e] if parts == [e] else reduce(r.plus, map(self.closed, parts))
        if _BY_SIZES.isdisjoint(x.op for x in term.walk()):
            i, j, times = self._kinds(e.op)
            n = 0 * times
        elif e.op == "cells":  # the cluster and the class of each atom, what these share, and the atom's cells
            i, j, times = self.o.placed
            n = np.where((i >= 0) & (j >= 0), times, 0)
        else:
            i, j, n, times = self._once("pairs", lambda: tuple(map(frozen, self._pairs())))
        return r.total(r.times(r.counted(times), self.value(term, Entries(i, j, n, in_view=True))), len(n))

    def _one_side(self, side: int) -> Entries:
        numbers = np.arange(len(self.families[side]))
        return Entries(j=numbers) if side else Entries(i=numbers)

    def _of_each(self, term: Expression, side: int) -> Rounded:
        """Σ over the clusters, or classes, of which each has its best partners."""
        place, length = self._one_side(side), len(self.families[side])
        for one in bests_of(term):
            i, j, n = self._partners(one.args[0])
            place.known[one] = r.largest_of(self.value(one.args[0], Entries(i, j, n)), (i, j)[side], length)
        return r.total(self.value(term, place), length)

    def _partners(self, term: Expression) -> tuple[Any, Any, Any]:
        """The pairs for which a term may be more than 0."""
        i, j, n = self.o.met
        if vanishes(term, "n"):
            return i, j, n
        shape = len(self.o.candidate), len(self.o.gold)
        if shape[0] * shape[1] > _MOST_PARTNERS:
            raise NoForm
        table = np.zeros(shape)
        table[i, j] = n
        i, j = np.indices(table.shape).reshape(2, -1)
        return i, j, table.ravel()

    def table(self, term: Expression) -> Rounded:
        """The larger of 0 and a term, for each cluster and class."""
        i, j, n = self._partners(term)
        shape = len(self.o.candidate), len(self.o.gold)
        found = r.largest_of(self.value(term, Entries(i, j, n)), i * shape[1] + j, shape[0] * shape[1])
        return Rounded(found.value.reshape(shape), found.error.reshape(shape), found.whole)

    def _matching(self, term: Expression) -> Rounded:
        weights = self.table(term)
        value, error = weights.value, weights.error
        if not value.size:
            return r.constant(0)
        for table in (value, value.T):
            # Where everyone's best partner is another one's than everyone else's, that is the best matching.
            lines, best = np.arange(len(table)), table.argmax(axis=1)
            if len(np.unique(best)) == len(best):
                break
        else:
            table, (lines, best) = value, assigned(value)
        # Rounding may have chosen another matching, which is as good but for the errors of its weights.
        return r.total(Rounded(table[lines, best], 2 * error.max(), weights.whole), len(lines))

    def _kinds(self, op: str) -> tuple[Any, Any, Any]:
        """Without overlap, for terms that ask no size: the cells, or pairs, on both sides, on one, and on neither."""
        o = self.o
        first, second, both, whole = o.candidate_covered, o.gold_covered, o.shared, o.union
        if op == "pairs":
            first, second, both = (_pairs_in(one, whole) for one in (o.sizes(0), o.sizes(1), self.o.met[2]))
            whole = whole * (whole - 1) // 2
        times = both, first - both, second - both, whole - first - second + both
        return np.array([0, 0, -1, -1]), np.array([0, -1, 0, -1]), np.array(times, dtype=float)

    def _pairs(self) -> tuple[Any, Any, Any, Any]:
        """Without overlap: the cluster and the class that hold both cells, what these share, and the pairs of cells."""
        if self.o.union >= 1 << 32:  # NumPy's integers end at 2⁶³
            raise NoForm
        i, j, n = self.o.met
        both, none = n * (n - 1) // 2, -np.ones(1, dtype=int)
        alone = []
        for own, at in ((self.o.sizes(0), i), (self.o.sizes(1), j)):
            alone.append(own * (own - 1) // 2 - sums(at, both, len(own)))
        rest = self.o.union * (self.o.union - 1) // 2 - int(both.sum() + alone[0].sum() + alone[1].sum())
        clusters, classes = map(np.arange, map(len, alone))
        return (
            np.concatenate([i, clusters, 0 * classes - 1, none]), np.concatenate([j, 0 * clusters - 1, classes, none]),
            np.concatenate([n, 0 * alone[0], 0 * alone[1], [0]]), np.concatenate([both, *alone, [rest]]),
        )  # fmt: skip


def _pairs_in(sizes: Any, total: int) -> int:
    """Σ n(n − 1)/2; NumPy's integers end at 2⁶³."""
    return int((sizes * (sizes - 1) // 2).sum()) if total < 1 << 32 else sum(n * (n - 1) // 2 for n in sizes.tolist())
