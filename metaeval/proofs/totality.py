"""Totality: an equation has a value on every pair of its domain, unless both sides are empty.

Each place of an equation is described by unknowns that are 0 or more: cells and pairs by what is in view, counts, and
other sums as they are. A divisor must be positive there. Where ``over(a, b, v)`` has b = 0, a must be 0 as well.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from metaeval.core.errors import InputError
from metaeval.equations import c, cells, classes, clusters, g, log, meetings, n, pairs
from metaeval.equations.equation import Equation
from metaeval.equations.tree import ONE, SUMS, ZERO, Expression
from metaeval.proofs.algebra import Number, Refused, attempt, limited
from metaeval.proofs.normal_form import (
    SIDE, SIZE, STRANGER_SIZES, meeting_sizes, ordered, rational, replaced, simplify, vanishes,
)  # fmt: skip
from metaeval.proofs.places import RING, Place, Way

_NO_PARTNER = {"best": ZERO}
_COUNTS = {"G": clusters(1), "C": classes(1)}
_WHERE = {
    "GC": "", "G": " where no class is in view", "C": " where no cluster is in view", "": " where nothing is in view"
}  # fmt: skip
#: On partitions: the information, and what is left of the entropy of the candidate and of the gold, all 0 or more.
_ENTROPIES = {
    ordered(e): names
    for e, *names in (
        (meetings(n * log(cells(1) * n / (g * c))), "information"),
        (clusters(g * log(cells(1) / g)), "information", "candidate"),
        (classes(c * log(cells(1) / c)), "information", "gold"),
    )
}


def total(equation: Equation) -> None:
    """Refuse an equation that may have no value."""
    if wrong := _fault(equation):
        raise Refused(f"{wrong[0].upper()}{wrong[1:]}.")


@lru_cache(maxsize=256)  # asked again for every reading
def _fault(equation: Equation) -> str:
    try:
        check_total(equation)
    except InputError as error:
        return str(error)
    return ""


def check_total(equation: Equation) -> None:
    """Raise one sentence that names the part which may have no value, and says what to do."""
    whole = equation.domain == "partitions"
    sided = whole or equation.one_empty is not None
    # The sides share a cell, or each has cells of its own; without one_empty, one of them may be empty.
    worlds = ("GC",) if whole else ("GC", "G C") if sided else ("GC", "G C", "G", "C")
    sites = _Sites(whole, sided)
    sites.tops += [_Top(sites, world) for world in worlds]
    try:
        with limited():
            _check(equation.expression, [*sites.tops])
    except Refused:
        raise InputError("the equation is too long to show that it has a value everywhere; write it in less") from None


def _check(e: Expression, places: list[Place]) -> None:
    inner = [y for place in places for y in place.inside(e)] if e.op in SUMS else places
    for x in e.args:
        _check(x, list(dict.fromkeys(inner)))
    for place in places:
        if wrong := _wrong(e, place):
            raise InputError(wrong)


def _wrong(e: Expression, place: Place) -> str | None:
    if e.op == "/" and not place.positive(e.args[1]):
        hint = "give one_empty=…, or " if place.one_sided else ""
        return f"the divisor {_short(e.args[1])} may be 0{place.where}; {hint}write over(a, b, v)"
    if e.op == "over" and not place.forces(e.args[1], e.args[0]):
        where = place.where and f", such as{place.where}"
        return f"in {_named(e)} the divisor may be 0 where the dividend is not{where}; take one that is 0 only with it"
    if e.op == "log" and not place.positive(e.args[0]):
        return f"{_named(e)} has no value if its argument may be 0{place.where}; take the logarithm of what is positive"
    if e.op == "exp" and not place.at_most_zero(e.args[0]):
        hint = "take exp of what is 0 or less"
        return f"{_named(e)} may be beyond all floats if its argument may be positive{place.where}; {hint}"
    if e.op == "sqrt" and not place.non_negative(e.args[0]):
        hint = "take the root of what is 0 or more"
        return f"{_named(e)} has no value if its argument may be negative{place.where}; {hint}"
    return None


def _named(e: Expression) -> str:
    return f"{e.op}({', '.join(map(_short, e.args[:2]))}{', …' if e.op == 'over' else ''})"


def _short(e: Expression) -> str:
    text = str(e)
    return text if len(text) <= 60 else f"{text[:59]}…"


class _Sites:
    """The places of one equation, each made once: cells and pairs by what they have in view, and terms."""

    def __init__(self, whole: bool, sided: bool) -> None:
        self.whole, self.sided = whole, sided
        self.tops: list[_Top] = []
        self.regions = {view: _Region(self, view) for view in _WHERE}
        self._terms: dict[Hashable, list[Place]] = {}

    def terms(self, op: str, region: _Region | None = None) -> list[Place]:
        """The clusters, classes or pairs of both that a sum is over, at the top or in a view."""
        if (op, region) not in self._terms:
            needed = {"clusters": "G", "classes": "C"}.get(op, "GC")
            outer: list[Place] = [top for top in self.tops if all(side in top.world for side in needed)]
            sizes = [meeting_sizes(), *(STRANGER_SIZES if op in ("best", "matching") and region is None else ())]
            self._terms[op, region] = [_Terms(self, [region] if region else outer, one) for one in sizes]
        return self._terms[op, region]


class _Terms(Place):
    """A cluster, a class, or one of each, by their sizes."""

    def __init__(self, sites: _Sites, outer: list[Place], sizes: dict[str, Number]) -> None:
        super().__init__(" where a cluster and a class share no cell" if sizes["n"].is_zero else "")
        self.sites, self.outer = sites, outer
        symbols = {name: self.unknown(name) for name in sizes}
        self._sizes = {name: one.put(symbols, RING) for name, one in sizes.items()}

    def inside(self, e: Expression) -> list[Place]:
        if e.op == "best":
            return self.sites.terms("best", next((one for one in self.outer if isinstance(one, _Region)), None))
        return [place for one in self.outer for place in one.inside(e)]

    def leaf(self, e: Expression) -> Number | None:
        if e.op in SIZE:
            return self._sizes[SIZE[e.op]]
        if e == cells(ONE):  # all cells of the two are covered
            return self._sizes["g"] + self._sizes["c"] - self._sizes["n"] + self.unknown("cells")
        return super().leaf(e)

    def non_negative_sum(self, e: Expression) -> bool:
        return e.op == "best" or all(one.non_negative(e) for one in self.outer)

    def positive_sum(self, e: Expression) -> bool:
        return e.op != "best" and all(one.positive(e) for one in self.outer)


class _Region(Place):
    """A cell or a pair with clusters and classes in view (GC), with one of both (G, C), or with nothing."""

    def __init__(self, sites: _Sites, view: str) -> None:
        super().__init__(_WHERE[view])
        self.sites, self.view = sites, view

    def inside(self, e: Expression) -> list[Place]:
        if e.op in ("mates", "classmates"):
            return [self.sites.regions["GC"], self.sites.regions[SIDE[e.op]]]
        return self.sites.terms(e.op, self)

    def leaf(self, e: Expression) -> Number | None:
        if e.op in ("least", "largest") and set(e.args) == {*_COUNTS.values()} and self.view == "GC":
            both, *more = (self._depth(name) for name in ("both", "G", "C"))
            return 1 + both if e.op == "least" else 1 + both + more[0] + more[1]
        if e.op not in SIDE:
            return super().leaf(e)
        side = SIDE[e.op]
        if side not in self.view or not e.args:
            return RING.constant(int(side in self.view))
        if e.args[0] == ONE:
            if e != _COUNTS[side]:
                return self.unknown(e) + 1  # the cell itself is among its mates
            return 1 + self._depth(side) + (self._depth("both") if self.view == "GC" else 0)
        return self.number(simplify(replaced(e, _NO_PARTNER))) if self.view != "GC" and e.uses("best") else None

    def _depth(self, name: str) -> Number:
        """How many more there are in view: of both sides, of one side beyond the other. Partitions have one each."""
        return RING.constant(0) if self.sites.whole else self.unknown("depth", name)

    def depths(self, v: Expression) -> Number | None:
        """A term as a polynomial in the numbers of clusters and classes in view."""
        found = self.number(v)
        if found is None or not found.bottom.is_constant() or any(self.key(x)[0] != "depth" for x in found.names):
            return None
        return found

    def positive_sum(self, e: Expression) -> bool:
        return SIDE.get(e.op, "none") in self.view and all(one.positive(e.args[0]) for one in self.inside(e))


class _Top(Place):
    """The top level, where the sides share a cell (GC), each have cells of their own (G C), or one is empty."""

    def __init__(self, sites: _Sites, world: str) -> None:
        empty = {"G": "gold", "C": "candidate"}.get(world)
        super().__init__(f" where the {empty} is empty" if empty else "")
        self.sites, self.world, self.one_sided = sites, world, empty is not None

    def inside(self, e: Expression) -> list[Place]:
        return [*self._regions(e.op)] if e.op in ("cells", "pairs") else self.sites.terms(e.op)

    def _regions(self, op: str) -> list[_Region]:
        views = [self.world] if self.one_sided else ["GC"] if self.sites.whole and op == "cells" else ["GC", "G", "C"]
        return [self.sites.regions[view] for view in (*views, *([""] if op == "pairs" else []))]

    def leaf(self, e: Expression) -> Number | None:
        if e.op == "matrix":
            covered = self.number(cells(ONE))
            return None if covered is None else covered + self.unknown("matrix")
        if e.op in ("cells", "pairs"):
            return self._counted(e)
        needed = {"meetings": "GC", "matching": "GC"}.get(e.op, SIDE.get(e.op, ""))
        if not {*needed} <= {*self.world}:
            return RING.constant(0)
        if self.sites.whole and ordered(e) in _ENTROPIES:
            return sum((self.unknown("entropies", name) for name in _ENTROPIES[ordered(e)]), RING.constant(0))
        if e.op == "meetings" and simplify(e.args[0]) == n:
            return self.number(cells(clusters(1) * classes(1)))
        return self._side(e) if e.op in ("clusters", "classes") else None

    def _counted(self, e: Expression) -> Number | None:
        """A sum over cells or pairs: one unknown for what is in view, and for each product of depths there."""
        found = RING.constant(0)
        for region in self._regions(e.op):
            term = region.depths(e.args[0])
            if term is None:
                return None
            for powers, times in term.terms():
                key = (e.op, region.view, tuple((region.key(name), power) for name, power in sorted(powers.items())))
                sure = e.op == "cells" and not powers and region.view in self.world.split()
                found = found + (self.unknown(*key) + int(sure)) * times / int(term.bottom.leading_coefficient())
        return found

    def _side(self, e: Expression) -> Number | None:
        """Σ over clusters of a polynomial in g: Σ g counts cells as often as they are covered, Σ g(g − 1)/2 pairs."""
        side = SIDE[e.op]
        if self.one_sided and e.uses("best"):
            return self.number(simplify(replaced(e, _NO_PARTNER)))
        term = attempt(rational, e.args[0])
        square = term is not None and term.bottom.is_constant() and term.top.total_degree() <= 2
        if term is None or not square or not term.names <= {side.lower()}:
            return None
        count = self.unknown("count", side) + int(self.sites.sided)
        covered, paired = self.number(cells(_COUNTS[side])), self.number(pairs(_COUNTS[side]))
        if covered is None or paired is None:
            return None
        by = (count, covered, covered + 2 * paired)
        found = sum((by[sum(powers.values())] * times for powers, times in term.terms()), RING.constant(0))
        return found / int(term.bottom.leading_coefficient())

    def positive_sum(self, e: Expression) -> bool:
        there = e.op == "cells" or {"meetings": "GC", **SIDE}.get(e.op, "no side") in self.world
        return there and all(one.positive(e.args[0]) for one in self.inside(e))

    def closed(self, way: Way) -> Way:
        """Where a side is empty, or nothing is shared, or one cell is all there is, further unknowns are 0."""
        gone = {key for key, name in self.allocated.items() if name in way}
        # Where each side has cells of its own, there are two cells or more.
        single = self.world != "G C" and all(("cells", one.view, ()) in gone for one in self._regions("cells"))
        gone = {key for key in gone if not self._exceeds(key)}
        empty = {side for side in "GC" if self._is_empty(side, gone)}
        apart = bool(empty) or ("cells", "GC", ()) in gone or any(self._is_sure(key, "meetings") for key in gone)

        def follows(key: tuple[Hashable, ...]) -> bool:
            if isinstance(key[0], Expression):
                return _absent(key[0], empty, apart)
            if key[0] == "count":
                return key[1] in empty
            if key[0] not in ("cells", "pairs") or self._exceeds(key):
                return False
            none = bool(empty & {*str(key[1])}) or (apart and key[1] == "GC") or (*key[:2], ()) in gone
            return none or (single and key[0] == "pairs")

        return way | {name for key, name in self.allocated.items() if follows(key)}

    def _exceeds(self, key: tuple[Hashable, ...]) -> bool:
        """Whether the unknown is what there is beyond 1."""
        if key[0] == "count":
            return self.sites.sided
        return key[0] == "cells" and key[2] == () and key[1] in self.world.split()

    def _is_empty(self, side: str, gone: set[tuple[Hashable, ...]]) -> bool:
        sums = any(self._is_sure(key, "clusters" if side == "G" else "classes") for key in gone)
        return sums or ("count", side) in gone or {("cells", "GC", ()), ("cells", side, ())} <= gone

    def _is_sure(self, key: tuple[Hashable, ...], op: str) -> bool:
        """Whether this is such a sum, of a term that is positive."""
        e = key[0]
        return isinstance(e, Expression) and e.op == op and all(x.positive(e.args[0]) for x in self.inside(e))


def _absent(e: Expression, empty: set[str], apart: bool) -> bool:
    """Whether a sum is 0 where these sides are empty, or nothing is shared."""
    if e.op == "matching":
        return bool(empty) or (apart and vanishes(e.args[0]))
    if e.op in ("clusters", "classes"):
        factors = e.args[0].args if e.args[0].op == "*" else (e.args[0],)
        return SIDE[e.op] in empty or (apart and any(x.op == "best" and vanishes(x.args[0]) for x in factors))
    return e.op == "meetings" and apart
