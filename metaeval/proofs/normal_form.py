"""Expressions rewritten: simplified, as quotients in sizes, flattened on disjoint inputs, and in normal form."""

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache, partial
from math import gcd, prod
from typing import Any

from metaeval.equations import c, classes, clusters, g, meetings, n
from metaeval.equations.tree import ONE, SIZES, SUMS, ZERO, Expression, number, rebuilt
from metaeval.proofs.algebra import Cases, Facts, Number, Refused, Unknowns, arithmetic, attempt, ring

#: The sizes of a cluster, a class and what they share, as symbols.
SIZE = {size: size.replace(".", "_") for size in SIZES}
R = ring(tuple(SIZE.values()))
#: What is in view of a cell: clusters (G), classes (C); and which of these an operator needs.
SIDE = {"clusters": "G", "mates": "G", "in_cluster": "G", "classes": "C", "classmates": "C", "in_class": "C"}


def size(name: str) -> Number:
    return R.symbol(SIZE[name])


def pair_sizes(cells: bool, rows: bool, cols: bool, **more: int) -> dict[str, Number]:
    """A cluster and a class that share cells, rows, columns, or not: n ≥ 1, g ≥ n, c ≥ n; or n = 0, g ≥ 1, c ≥ 1.

    ``more`` adds to a size: ``g=1`` is a cluster that is larger than what it shares.
    """
    found = {}
    for part, shares in (("", cells), ("_rows", rows), ("_cols", cols)):
        found[f"n{part}"] = R.symbol(f"n{part}") + 1 if shares else R.constant(0)
        for side in (f"g{part}", f"c{part}"):
            found[side] = found[f"n{part}"] + R.symbol(side) + more.get(side, 0 if shares else 1)
    return found


#: A cluster and a class that share a cell.
meeting_sizes = partial(pair_sizes, True, True, True)
#: A cluster and a class that share no cell, but perhaps rows or columns.
STRANGER_SIZES = tuple(pair_sizes(False, *shared) for shared in ((False, True), (True, False), (False, False)))
MEET = Facts(R, meeting_sizes())
STRANGERS = tuple(Facts(R, sizes) for sizes in STRANGER_SIZES)
#: Any cluster with any class.
ANY_PAIR = Cases((MEET, *STRANGERS))
#: Sizes in cells as products of rows and columns.
IN_PARTS = {x: size(f"{x}.rows") * size(f"{x}.cols") for x in ("n", "g", "c")}


def larger(side: str) -> Facts:
    """A meeting where this size is larger than what is shared."""
    return Facts(R, meeting_sizes(**{side: 1}))


def positive_term(x: Number) -> bool:
    """Whether a term is positive for any pair, strangers included."""
    return ANY_PAIR.more_than_zero(x)


def rational(e: Expression) -> Number:
    """A term as a quotient of polynomials in the sizes."""
    if e.op == "number":
        return R.constant(e.value)
    if e.op in SIZE:
        return size(e.op)
    if e.op in ("+", "*", "^"):
        return arithmetic(e, rational)
    if e.op in ("/", "over"):
        divisor = rational(e.args[1])
        if divisor.is_zero:
            if e.op == "over":
                return rational(e.args[2])
            raise Refused("A divisor is 0.")
        # Inside best and matching n may be 0, so b = 0 must be impossible for any pair.
        if e.op == "over" and not positive_term(divisor):
            raise Refused(f"The divisor {e.args[1]} may be 0.")
        return rational(e.args[0]) / divisor
    raise Refused(f"{e.op} is no quotient of sizes.")


def is_non_negative(e: Expression) -> bool:
    """Whether a term is 0 or more for any pair, strangers included."""
    return ANY_PAIR.at_least_zero(rational(e))


def squared(e: Expression) -> Number:
    """A term, or its square where it is a root or stands over one; for tests of sign and zero."""
    try:
        return rational(e)
    except Refused:
        if e.op == "/" and e.args[1].op == "sqrt":
            if not is_non_negative(e.args[0]):
                raise Refused("A square would hide the sign of what stands over the root.") from None
            return rational(e.args[0]) ** 2 / rational(e.args[1].args[0])
        if e.op == "sqrt":
            return rational(e.args[0])
        raise


def demand_non_negative(e: Expression) -> None:
    """Refuse a term of best or matching that may be negative."""
    if not ANY_PAIR.at_least_zero(squared(e)):
        raise Refused(f"{e} may be negative.")


def vanishes(e: Expression) -> bool:
    """Whether a term is 0 where nothing is shared."""
    found = attempt(squared, e)
    if found is None:
        return False
    above, below = Number(R, found.top), Number(R, found.bottom)
    return above.put({"n": R.constant(0)}).is_zero and (positive_term(below) or positive_term(-below))


@lru_cache(maxsize=1 << 14)
def _place(e: Expression) -> str:  # any fixed order will do
    return f"{e.value if e.op == 'number' else e.op}({','.join(map(_place, e.args))})"


@lru_cache(maxsize=1 << 14)
def simplify(e: Expression) -> Expression:
    """Constants carried out, sums and products flattened."""
    if not e.args:
        return e
    args = [simplify(x) for x in e.args]
    if e.op in ("+", "*"):
        return _simplified(e.op, args)
    if e.op in ("/", "over"):
        a, b = args[:2]
        if b.op == "number":
            if b.value == 0:
                return args[2] if e.op == "over" else rebuilt(e, args)
            return simplify(number(1 / b.value) * a)
        if a == ZERO and (e.op == "/" or args[2] == ZERO):
            return ZERO
        return rebuilt(e, args)
    if e.op == "^":
        if args[0].op == "number":
            return number(args[0].value ** int(args[1].value))
        return args[0] if args[1] == ONE else rebuilt(e, args)
    if e.op in ("least", "largest"):
        if all(x.op == "number" for x in args):
            return number((min if e.op == "least" else max)(x.value for x in args))
        different = sorted(set(args), key=_place)
        return rebuilt(e, different) if len(different) > 1 else different[0]
    return ZERO if e.op in SUMS and args[0] == ZERO else rebuilt(e, args)


def _simplified(op: str, args: list[Expression]) -> Expression:
    """A sum or a product as one node with one constant: the last of a sum, the first of a product."""
    every = [y for x in args for y in (x.args if x.op == op else [x])]
    parts = [x for x in every if x.op != "number"]
    numbers = (x.value for x in every if x.op == "number")
    constant = sum(numbers, Fraction(0)) if op == "+" else prod(numbers, start=Fraction(1))
    if op == "*" and constant == 0:
        return ZERO
    if not parts:
        return number(constant)
    if constant != (op == "*"):
        parts.insert(len(parts) if op == "+" else 0, number(constant))
    return parts[0] if len(parts) == 1 else Expression(op, *parts)


@lru_cache(maxsize=1 << 14)
def ordered(e: Expression) -> Expression:
    """Simplified, with sums and products in a fixed order: equal where trees are equal up to that order."""
    if not e.args:
        return e
    e = simplify(rebuilt(e, [ordered(x) for x in e.args]))
    return rebuilt(e, sorted(e.args, key=_place)) if e.op in ("+", "*", "least", "largest") else e


def coefficient(e: Expression) -> tuple[Fraction, Expression]:
    """A product as its constant and the rest."""
    e = simplify(e)
    factors = e.args if e.op == "*" else (e,)
    constant = prod((x.value for x in factors if x.op == "number"), start=Fraction(1))
    rest = [x for x in factors if x.op != "number"]
    return constant, ONE if not rest else rest[0] if len(rest) == 1 else Expression("*", *rest)


def replaced(e: Expression, values: Mapping[str, Expression | None]) -> Expression:
    """Simplified, with other expressions in place of some operators and all below them; None leaves such a part."""
    if e.op in values:
        new = values[e.op]
        return e if new is None else new
    return simplify(rebuilt(e, [replaced(x, values) for x in e.args])) if e.args else e


def view(e: Expression, v: str) -> Expression:
    """A term of a view on disjoint inputs, where ``v`` says what is in view: GC, G, C or nothing."""
    if e.op in SIDE:
        own, whole = SIDE[e.op], g if SIDE[e.op] == "G" else c
        if own not in v:
            return ZERO
        if not e.args:
            return ONE
        if e.op in ("clusters", "classes"):
            return _in_view(e.args[0], v)
        alone = view(e.args[0], own)
        return n * view(e.args[0], "GC") + (whole - n) * alone if v == "GC" else whole * alone
    return simplify(rebuilt(e, [view(x, v) for x in e.args])) if e.args else e


def _in_view(e: Expression, v: str) -> Expression:
    """A term of the one cluster or class in view."""
    if e.op == "best":  # the partner is the one in view, if any
        if v != "GC":
            return ZERO
        if not MEET.at_least_zero(rational(e.args[0])):
            raise Refused(f"{e} has a term that may be negative.")
        return e.args[0]
    return simplify(rebuilt(e, [_in_view(x, v) for x in e.args])) if e.args else e


def flat(e: Expression) -> Expression:
    """The same value on disjoint inputs, without cells, pairs and mates."""
    if e.op == "cells":
        both, found, gold = (simplify(view(e.args[0], v)) for v in ("GC", "G", "C"))
        return simplify(_by_parts(n, g, c, both, found, gold))
    if e.op == "pairs":
        both, found, gold, none = (simplify(view(e.args[0], v)) for v in ("GC", "G", "C", ""))
        two = [x * (x - 1) / 2 for x in (n, g, c)]
        union = clusters(g) + classes(c) - meetings(n)
        rest = none * (union * (union - 1) / 2 - clusters(two[1]) - classes(two[2]) + meetings(two[0]))
        return simplify(_by_parts(*two, both, found, gold) + rest)
    return simplify(rebuilt(e, [flat(x) for x in e.args])) if e.args else e


def _by_parts(*terms: Expression) -> Expression:
    """Σ over what is shared, over what only clusters have, over what only classes have."""
    shared, of_cluster, of_class, both, found, gold = terms
    return (
        meetings(shared * both)
        + clusters(of_cluster * found) - meetings(shared * found)
        + classes(of_class * gold) - meetings(shared * gold)
    )  # fmt: skip


class Normal(Unknowns):
    """Names for opaque atoms; expressions become quotients of polynomials in them.

    An atom's key is a tuple: a kind, and numbers in other atoms or expressions. On partitions Σ n·f(g) over meetings
    is Σ g·f(g) over clusters, and Σ g is the number of cells.
    """

    def __init__(self, kind: str) -> None:
        atoms = ring(tuple(f"x{i}" for i in range(48)))
        super().__init__(atoms, atoms.names)
        self.kind = kind

    def uses(self, number: Number, op: str) -> bool:
        """Whether an operator occurs in the atoms of a number, at any depth and inside opaque parts."""
        # An atom's key holds atoms that were there before it, so this ends. Sizes are no atoms.
        for part in (part for name in number.names for part in _flattened(self.key(name))):
            inner = isinstance(part, Number) and part.ring is not R and self.uses(part, op)
            if inner or part == op or (isinstance(part, Expression) and part.uses(op)):
                return True
        return False

    def top(self, e: Expression) -> Number:
        """An expression of the top level as a quotient of polynomials in atoms."""
        if e.op == "number":
            return self.ring.constant(e.value)
        if e.op in ("+", "*", "^"):
            return arithmetic(e, self.top)
        if e.op in ("clusters", "classes", "meetings"):
            return self._sum(e.op, e.args[0])
        if e.op in ("/", "over"):
            return self._quotient(e)
        if e.op in ("least", "largest"):
            return self.unknown(e.op, *sorted({self.top(x) for x in e.args}, key=str))
        if e.op in ("sqrt", "exp", "arccos", "log"):
            return self.unknown(e.op, self.top(e.args[0]))
        return self.unknown("expression", ordered(e))

    def _quotient(self, e: Expression) -> Number:
        a, b = self.top(e.args[0]), self.top(e.args[1])
        if b.is_zero:
            if e.op == "over":
                return self.top(e.args[2])
            raise Refused("A divisor is 0.")
        # The divisor of a plain quotient is positive. The v of an `over` is taken just where b is 0: it stays whole.
        return a / b if e.op == "/" or b.is_constant else self.unknown("over", a, b, self.top(e.args[2]))

    def _sum(self, over: str, t: Expression) -> Number:
        """Σ t, split at its monomials and logarithms."""
        total = self.ring.constant(0)
        for factor, term, opaque in self._terms(t):
            for powers, times in term.terms():
                factors = (R.symbol(name) ** k for name, k in powers.items())
                single = prod(factors, start=R.constant(1)) / Number(R, term.bottom)
                # The constant of the divisor is taken out.
                content = gcd(*(int(k) for k in single.bottom.to_dict().values()))
                kind, key = self._on_partitions(over, single * content, opaque)
                total = total + self.unknown(kind, key, opaque) * (factor * times / content)
        return total

    def _on_partitions(self, over: str, term: Number, opaque: tuple[Any, ...]) -> tuple[str, Number]:
        if self.kind != "partitions":
            return over, term
        rest = term / size("n")
        if over == "meetings" and "n" not in rest.names and rest.names <= {"g", "c"}:
            for side, other, name in (("g", "c", "clusters"), ("c", "g", "classes")):
                if other not in rest.names and opaque in ((), (("log", size(side)),)):
                    over, term = name, rest * size(side)
                    break
        whole = {"clusters": size("g"), "classes": size("c")}.get(over)
        return ("all", R.constant(1)) if term == whole and not opaque else (over, term)

    def _terms(self, t: Expression) -> list[tuple[Fraction, Number, tuple[Any, ...]]]:
        """t as a sum of constant · quotient in sizes · opaque factors."""
        t, one = simplify(t), R.constant(1)
        with suppress(Refused):
            return [(Fraction(1), rational(t), ())]
        if t.op == "+":
            return [y for x in t.args for y in self._terms(x)]
        if t.op == "*":
            found: list[tuple[Fraction, Number, tuple[Any, ...]]] = [(Fraction(1), one, ())]
            for x in t.args:
                every = [(first, second) for first in found for second in self._terms(x)]
                found = [(k * m, p * q, tuple(sorted((*a, *b), key=str))) for (k, p, a), (m, q, b) in every]
            return found
        if t.op == "/":
            with suppress(Refused):
                divisor = rational(t.args[1])
                return [(k, p / divisor, a) for k, p, a in self._terms(t.args[0])]
        if t.op == "log":
            return [(Fraction(k), one, (("log", self._inner(x)),)) for x, k in _log_parts(t.args[0], 1)]
        return [(Fraction(1), one, (("opaque", t.op, *map(self._inner, t.args)),))]

    def _inner(self, e: Expression) -> Any:
        """What stands inside a sum: a quotient in sizes, or a closed expression in atoms, or anything as it is."""
        with suppress(Refused):
            return rational(simplify(e))
        if any(x.op in SIZE for x in _open_parts(e)) or e.uses("best"):
            return ordered(e)
        return self.top(e)


def _log_parts(e: Expression, sign: int) -> list[tuple[Expression, int]]:
    """log e as a sum of logarithms, each with its factor."""
    e = simplify(e)
    if e.op == "*":
        return [part for x in e.args for part in _log_parts(x, sign)]
    if e.op == "/":
        return [*_log_parts(e.args[0], sign), *_log_parts(e.args[1], -sign)]
    if e.op == "^":
        return _log_parts(e.args[0], sign * int(e.args[1].value))
    return [] if e == ONE else [(e, sign)]


def _open_parts(e: Expression) -> list[Expression]:
    """The nodes outside closed sums."""
    return [e] if e.op in SUMS else [e, *(y for x in e.args for y in _open_parts(x))]


def _flattened(key: Any) -> list[Any]:
    return [y for x in key for y in _flattened(x)] if isinstance(key, tuple) else [key]
