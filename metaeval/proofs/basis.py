"""The basis: every closed sum in unknowns that are 0 or more.

A sum that is no combination of the basis is an unknown of its own if it is known to be at most something: a *bounded
sum*. Then a ≤ b is a question of signs: no coefficient of b − a is negative, with bounded sums as they are, or as their
bounds less a slack that is 0 or more.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from operator import add, mul

from metaeval.equations.equation import Equation
from metaeval.equations.tree import (
    ONE, ZERO, Expression, c, cells, classes, clusters, g, in_class, in_cluster, largest, least, log, matrix, meetings,
    n, number, pairs,
)  # fmt: skip
from metaeval.proofs.algebra import Facts, Number, Refused, Unknowns, arithmetic, ring
from metaeval.proofs.normal_form import MEET, Normal, flat, ordered, rational, simplify, size, view
from metaeval.proofs.obligation import AtMost, Obligation, Same
from metaeval.proofs.shares import (
    CLASS_DEPTH, DEPTH, SHARED_DEPTH, constant_in_view, is_mean, mean_is_attained, share_of, view_shares,
)  # fmt: skip

_U, _MATRIX_LESS_ONE = cells(1), simplify(matrix - 1)
_LOGS = (meetings(n * log(n)), clusters(g * log(g)), classes(c * log(c)))

#: The basis: what each unknown is. All are 0 or more; those with logarithms are used where nothing overlaps.
UNKNOWNS: dict[str, Expression] = {
    "both": cells(in_cluster * in_class), "candidate_only": cells(in_cluster * (1 - in_class)),
    "gold_only": cells((1 - in_cluster) * in_class), "pairs_both": pairs(in_cluster * in_class),
    "pairs_candidate": pairs(in_cluster * (1 - in_class)), "pairs_gold": pairs((1 - in_cluster) * in_class),
    "pairs_neither": pairs((1 - in_cluster) * (1 - in_class)), "clusters": DEPTH, "classes": CLASS_DEPTH,
    "depth_both": cells(SHARED_DEPTH), "depth_candidate": cells(DEPTH - SHARED_DEPTH),
    "depth_gold": cells(CLASS_DEPTH - SHARED_DEPTH), "logs_both": _LOGS[0], "logs_candidate": _LOGS[1] - _LOGS[0],
    "logs_gold": _LOGS[2] - _LOGS[0], "information": meetings(n * log(_U * n / (g * c))), "outside": matrix - _U,
    "pairs_outside": matrix * (matrix - 1) / 2 - pairs(1),
}  # fmt: skip
_CELLS = ("both", "candidate_only", "gold_only")
_PAIRS = ("pairs_both", "pairs_candidate", "pairs_gold", "pairs_neither")
#: How a sum over cells of one of these terms exceeds that of the smaller of both depths.
_DEPTHS: dict[Expression, tuple[str, ...]] = {
    SHARED_DEPTH: (), DEPTH: ("depth_candidate",), CLASS_DEPTH: ("depth_gold",),
    simplify(largest(DEPTH, CLASS_DEPTH)): ("depth_candidate", "depth_gold"),
}  # fmt: skip
#: What is 0 where the gold is scored against itself.
ABSENT_AT_ITSELF = ("candidate_only", "gold_only", "pairs_candidate", "pairs_gold", "depth_candidate", "depth_gold",
                    "logs_candidate", "logs_gold")  # fmt: skip
#: With more sums than any proof needs.
BASIS_RING = ring((*UNKNOWNS, *(f"sum{k}" for k in range(40))))
#: An unknown by its name, and a plain number.
symbol, constant = BASIS_RING.symbol, BASIS_RING.constant
#: Every unknown is 0 or more, and no more is known.
SIGNS = Facts(BASIS_RING)
#: Sums of logarithms on partitions.
_PARTITION_LOGS: dict[Expression, tuple[str, ...]] = {
    ordered(e): names
    for e, names in (
        (UNKNOWNS["information"], ("information",)),
        (clusters(g * log(_U / g)), ("information", "logs_gold")),
        (classes(c * log(_U / c)), ("information", "logs_candidate")),
        (meetings(n * log(g / n)), ("logs_candidate",)),
        (meetings(n * log(c / n)), ("logs_gold",)),
        (meetings(n * log(g * c / n**2)), ("logs_candidate", "logs_gold")),
    )
}


@dataclass(frozen=True)
class Bounded:
    """A sum between 0 and its bound: its symbol, its slack's, and whether the gold against itself attains the bound.

    It exceeds none of the numbers in ``bounds``; ``bound`` says the same as an expression.
    """

    sum: Expression
    symbol: str
    slack: str
    bounds: tuple[Number, ...]
    bound: Expression
    attained: bool
    rule: str


def least_count(equation: Equation, kind: str) -> int:
    """The least number of clusters, and of classes, where the expression decides: one side may be empty."""
    return int("partitions" in (kind, equation.domain) or equation.one_empty is not None)


#: The size and the cells of a side, and what the unknowns of the basis call it.
_SIDES = {"clusters": (g, in_cluster, "candidate"), "classes": (c, in_class, "gold")}


class Basis(Unknowns):
    """Closed expressions in the basis, for an equation and a kind of sides.

    ``steps`` collects what the numbers rest on. ``low`` is the least number of clusters, and of classes.
    """

    def __init__(self, equation: Equation, kind: str) -> None:
        super().__init__(BASIS_RING, BASIS_RING.names[len(UNKNOWNS) :])
        self.equation, self.kind = equation, kind
        self.partitions = kind == "partitions"
        self.low = least_count(equation, kind)
        self.bounded: dict[Expression, Bounded] = {}
        self.steps: dict[Obligation, None] = {}
        if kind != "any":
            for depth, member in ((DEPTH, in_cluster), (CLASS_DEPTH, in_class)):
                self.note(Same(cells(depth), cells(member), rule="nothing overlaps"))

    def note(self, *steps: Obligation) -> None:
        """Add to what the proof rests on."""
        self.steps.update(dict.fromkeys(steps))

    def base(self, name: str) -> Number:
        """An unknown of the basis; that it is 0 or more is a step."""
        if self.partitions and name in ("candidate_only", "gold_only"):
            self.note(Same(UNKNOWNS[name], ZERO, rule="partitions of the same cells"))
            return constant(0)
        self.note(AtMost(ZERO, UNKNOWNS[name], rule="basis"))
        return symbol(name)

    def number_of(self, e: Expression) -> Number:
        """A closed expression as a quotient of polynomials in the unknowns, or Refused."""
        if self.kind != "any" and e.op in ("+", "meetings", "clusters", "classes", "cells") and e.uses("log"):
            if not self.partitions:
                return self._disjoint_logs(e)
            if e.op != "+":
                return self._partition_logs(e)
        if e.op == "number":
            return constant(e.value)
        if e.op == "*":
            return self._product(e)
        if e.op in ("+", "^"):
            return arithmetic(e, self.number_of)
        if e.op == "/":
            return self.number_of(e.args[0]) / self.number_of(e.args[1])
        if e.op == "matrix":
            return self._added((*_CELLS, "outside"))
        if e.op == "pairs":
            return self._in_views(e.args[0], _PAIRS)
        if e.op == "cells":
            return self._cells(e)
        if e.op in _SIDES:
            return self._side(e, simplify(e.args[0]), *_SIDES[e.op])
        if e.op in ("matching", "meetings"):
            return self._matching(e) if e.op == "matching" else self._meetings(e)
        raise Refused(f"{e.op}(…) is not in the basis.")

    def _added(self, names: Iterable[str]) -> Number:
        return reduce(add, map(self.base, names), constant(0))

    def _in_views(self, t: Expression, names: tuple[str, ...]) -> Number:
        """A sum over cells or pairs of what is a plain number in each view."""
        values = [constant_in_view(t, v, self.kind != "any") for v in ("GC", "G", "C", "")[: len(names)]]
        return reduce(add, (self.base(name) * value for name, value in zip(names, values, strict=True)))

    def _product(self, e: Expression) -> Number:
        e = simplify(e)
        factors = list(e.args) if e.op == "*" else [e]
        found = constant(1)
        if matrix in factors and _MATRIX_LESS_ONE in factors:  # twice the pairs of the matrix: those of U, and others
            factors.remove(matrix)
            factors.remove(_MATRIX_LESS_ONE)
            found = self._added((*_PAIRS, "pairs_outside")) * 2
        return reduce(mul, map(self.number_of, factors), found)

    def _cells(self, e: Expression) -> Number:
        t = simplify(e.args[0])
        with suppress(Refused):
            return self._in_views(t, _CELLS)
        if self.kind != "any":
            shares = view_shares(t)
            attained = (1 - shares[0].put({"g": size("n"), "c": size("n")})).is_zero
            used = [name for name, share in zip(_CELLS, shares, strict=True) if not share.is_zero]
            says = cells(reduce(add, (UNKNOWNS[name].args[0] for name in used), ZERO))
            return self.bounded_sum(e, (self._added(used),), says, attained, "cells by views")
        if t in _DEPTHS:
            return self._added(("depth_both", *_DEPTHS[t]))
        if not is_mean(t, "mates", "classmates"):
            raise Refused(f"{e} is no sum of means over mates.")
        covered = cells(in_cluster if t.args[0].op == "mates" else in_class)
        attained = mean_is_attained(t.args[0].args[0])
        return self.bounded_sum(e, (self.number_of(covered),), covered, attained, "mean over mates")

    def _side(self, e: Expression, t: Expression, own: Expression, member: Expression, side: str) -> Number:
        if t == ONE:
            self.note(AtMost(number(self.low), e, rule="least count"))
            return self.base(e.op) + self.low
        disjoint, all_of = self.kind != "any", cells(member if self.kind != "any" else Expression(e.op, ONE))
        if t == own:
            self.note(Same(e, all_of, rule="cells by their biclusters"))
            return self._added(("both", f"{side}_only")) if disjoint else self.number_of(all_of)
        if disjoint and not t.uses("best") and rational(t) == rational(own * (own - 1) / 2):
            self.note(Same(e, pairs(member), rule="pairs by their biclusters"))
            return self._added(("pairs_both", f"pairs_{side}"))
        weighted = t.op == "*" and len(t.args) == 2 and own in t.args
        best = t if t.op == "best" else next((x for x in t.args if weighted and x.op == "best"), None)
        if best is None:
            raise Refused(f"{e} is not in the basis.")
        whole = best.args[0] == n and not weighted
        attained = whole or share_of(best.args[0]).attained
        bound = Expression(e.op, own if weighted or whole else ONE)
        return self.bounded_sum(e, (self.number_of(bound),), bound, attained, "best partners")

    def _matching(self, e: Expression) -> Number:
        if e.args[0] == n:
            shared = cells(SHARED_DEPTH if self.kind == "any" else in_cluster * in_class)
            return self.bounded_sum(e, (self.number_of(shared),), shared, True, "matching of cells")
        if not share_of(e.args[0]).attained:
            raise Refused(f"{e.args[0]} is not 1 for equal biclusters.")
        counts = self.number_of(DEPTH), self.number_of(CLASS_DEPTH)
        return self.bounded_sum(e, counts, least(DEPTH, CLASS_DEPTH), True, "matching of shares")

    def _meetings(self, e: Expression) -> Number:
        if self.kind == "any":
            raise Refused("Under overlap, meetings share cells.")
        term = rational(e.args[0])
        if not (MEET.at_least_zero(term) and MEET.at_least_zero(size("n") - term)):
            raise Refused(f"{e.args[0]} is not between 0 and n.")
        attained = (size("n") - term.put({"g": size("n"), "c": size("n")})).is_zero
        return self.bounded_sum(e, (self.base("both"),), UNKNOWNS["both"], attained, "sum over meetings")

    def bounded_sum(
        self, e: Expression, bounds: tuple[Number, ...], bound: Expression, attained: bool, rule: str
    ) -> Number:
        """An unknown for a sum that is 0 or more, and at most its bound."""
        key = ordered(e)
        found = self.unknown("bounded sum", key)
        if key not in self.bounded:
            names = [self.unknown_name(kind, key) for kind in ("bounded sum", "slack")]
            self.bounded[key] = Bounded(e, names[0], names[1], bounds, bound, attained, rule)
            self.note(AtMost(ZERO, e, rule=rule), AtMost(e, bound, rule=rule))
        return found

    def _partition_logs(self, e: Expression) -> Number:
        if e.op == "cells" and simplify(view(e.args[0], "GC")) == ZERO:  # on partitions every cell is in both
            self.note(Same(e, ZERO, rule="partitions of the same cells"))
            return constant(0)
        names = _PARTITION_LOGS.get(ordered(e))
        if names is None:
            raise Refused(f"{e} is no known sum of logarithms.")
        self.note(Same(e, reduce(add, (UNKNOWNS[name] for name in names)), rule="entropies"))
        return self._added(names)

    def _disjoint_logs(self, e: Expression) -> Number:
        """Σ x log x is the least over meetings, for x log x is superadditive; all other logarithms must cancel."""
        normal = Normal("disjoint")
        atoms = {next(iter(normal.top(x).names)): x for x in _LOGS}
        found = normal.top(flat(e))
        if not (found.names <= set(atoms) and Number(found.ring, found.bottom).is_constant):
            raise Refused(f"{e} is no known sum of logarithms.")
        whole = dict(zip(_LOGS, ("", "logs_candidate", "logs_gold"), strict=True))
        result, says = constant(0), ZERO
        for powers, times in found.terms():
            if sum(powers.values()) != 1:
                raise Refused(f"{e} is no sum of logarithms.")
            (atom,) = powers
            factor = Fraction(times, int(found.bottom.leading_coefficient()))
            extra = whole[atoms[atom]]
            result = result + (self.base("logs_both") + (self.base(extra) if extra else 0)) * factor
            says = says + factor * atoms[atom]
        self.note(Same(e, says, rule="logarithms without overlap"))
        return result


@dataclass
class Change:
    """What a move adds to the unknowns on the left and on the right, and which unknowns are positive."""

    left: dict[str, Number] = field(default_factory=dict)
    right: dict[str, Number] = field(default_factory=dict)
    positive: set[str] = field(default_factory=set)
    how: dict[Expression, str] = field(default_factory=dict)

    def add(self, up: bool, name: str, what: Expression, by: Number, sure: bool) -> None:
        """An unknown is larger by an amount: on the right if it goes up, else on the left. Sure ones are positive."""
        (self.right if up else self.left)[name] = symbol(name) + by
        self.positive |= by.names if sure else set()
        self.how[what] = ("rises" if sure else "not falls") if up else ("falls" if sure else "not rises")

    def complete(self, names: Iterable[str]) -> dict[Expression, str]:
        """What all of these unknowns do: what does not move stays."""
        return {**{UNKNOWNS[name]: "stays" for name in UNKNOWNS if name in names}, **self.how}
