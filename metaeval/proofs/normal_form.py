"""Expressions rewritten: simplified, as quotients in sizes, flattened on disjoint inputs, and in normal form."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from functools import lru_cache, reduce
from math import gcd, prod
from operator import add, mul
from typing import Any

from metaeval.equations import c, classes, clusters, g, meetings, n
from metaeval.equations.tree import ONE, SIZES, SUMS, ZERO, Expression, number, rebuilt
from metaeval.proofs.algebra import Facts, Number, Refused, ring

#: The sizes of a cluster, a class and what they share, as symbols.
SIZE = {size: size.replace(".", "_") for size in SIZES}
R = ring(tuple(SIZE.values()))


def size(name: str) -> Number:
    """A size as a symbol."""
    return R.symbol(SIZE[name])


def meeting_sizes(**more: int) -> dict[str, Number]:
    """A cluster and a class that share a cell: n ≥ 1, g ≥ n, c ≥ n, and so for rows and columns.

    ``more`` adds to a size: ``g=1`` is a cluster that is larger than what it shares.
    """
    found = {}
    for part in ("", "_rows", "_cols"):
        shared = R.symbol(f"n{part}") + 1
        found[f"n{part}"] = shared
        for side in ("g", "c"):
            found[f"{side}{part}"] = shared + R.symbol(f"{side}{part}") + more.get(f"{side}{part}", 0)
    return found


def stranger_sizes(rows: bool, cols: bool) -> dict[str, Number]:
    """A cluster and a class that share no cell, but perhaps rows or columns; sizes are 1 or more."""
    found = {"n": R.constant(0), "g": R.symbol("g") + 1, "c": R.symbol("c") + 1}
    for part, shares in (("_rows", rows), ("_cols", cols)):
        shared = R.symbol(f"n{part}") + 1 if shares else R.constant(0)
        found[f"n{part}"] = shared
        for side in ("g", "c"):
            found[f"{side}{part}"] = shared + R.symbol(f"{side}{part}") + (0 if shares else 1)
    return found


MEET = Facts(R, meeting_sizes())
STRANGERS = tuple(Facts(R, stranger_sizes(*shared)) for shared in ((False, True), (True, False), (False, False)))


class AnyPair:
    """Any cluster with any class: they meet, or share no cell. Each case by itself must show the sign."""

    def at_least_zero(self, x: Number) -> bool:
        """Whether x ≥ 0 for any pair."""
        return MEET.at_least_zero(x) and all(one.at_least_zero(x) for one in STRANGERS)

    def more_than_zero(self, x: Number) -> bool:
        """Whether x > 0 for any pair."""
        return MEET.more_than_zero(x) and all(one.more_than_zero(x) for one in STRANGERS)


ANY_PAIR = AnyPair()


def positive_term(x: Number) -> bool:
    """Whether a term is positive for any pair, strangers included."""
    return ANY_PAIR.more_than_zero(x)


def rational(e: Expression) -> Number:
    """A term as a quotient of polynomials in the sizes."""
    if e.op == "number":
        return R.constant(e.value)
    if e.op in SIZE:
        return size(e.op)
    if e.op in ("+", "*"):
        return reduce(add if e.op == "+" else mul, map(rational, e.args))
    if e.op == "^":
        return rational(e.args[0]) ** int(e.args[1].value)
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
    try:
        found = squared(e)
    except Refused:
        return False
    above, below = Number(R, found.top), Number(R, found.bottom)
    return above.put({"n": R.constant(0)}).is_zero and (positive_term(below) or positive_term(-below))


@lru_cache(maxsize=1 << 14)
def _place(e: Expression) -> str:
    """Where a part stands among others; any fixed order will do."""
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
        return different[0] if len(different) == 1 else rebuilt(e, different)
    return ZERO if e.op in SUMS and args[0] == ZERO else rebuilt(e, args)


def _simplified(op: str, args: list[Expression]) -> Expression:
    """A sum or a product as one node with one constant."""
    parts: list[Expression] = []
    constant = Fraction(op == "*")
    for x in args:
        for y in x.args if x.op == op else [x]:
            if y.op == "number":
                constant = constant + y.value if op == "+" else constant * y.value
            else:
                parts.append(y)
    if op == "*" and constant == 0:
        return ZERO
    if op == "+" and constant:
        parts.append(number(constant))
    if op == "*" and constant != 1:
        parts.insert(0, number(constant))
    if not parts:
        return number(constant)
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


def view(e: Expression, v: str) -> Expression:
    """A term of a view on disjoint inputs, where ``v`` says what is in view: GC, G, C or nothing."""
    if e.op in ("in_cluster", "in_class"):
        return ONE if ("G" if e.op == "in_cluster" else "C") in v else ZERO
    if e.op in ("clusters", "classes"):
        return _in_view(e.args[0], v) if ("G" if e.op == "clusters" else "C") in v else ZERO
    if e.op in ("mates", "classmates"):
        own, other, whole = ("G", "C", g) if e.op == "mates" else ("C", "G", c)
        if own not in v:
            return ZERO
        alone = view(e.args[0], own)
        return n * view(e.args[0], "GC") + (whole - n) * alone if other in v else whole * alone
    if not e.args:
        return e
    return simplify(rebuilt(e, [view(x, v) for x in e.args]))


def _in_view(e: Expression, v: str) -> Expression:
    """A term of the one cluster or class in view; its best partner is the one in view, if any."""
    if e.op == "best":
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


class Normal:
    """Names for opaque atoms; expressions become quotients of polynomials in them.

    An atom's key is a tuple: a kind, and numbers in other atoms or expressions. On partitions Σ n·f(g) over meetings
    is Σ g·f(g) over clusters, and Σ g is the number of cells.
    """

    def __init__(self, kind: str, most: int = 48) -> None:
        self.ring = ring(tuple(f"x{i}" for i in range(most)))
        self.kind = kind
        self.keys: dict[str, tuple[Any, ...]] = {}
        self._names: dict[tuple[Any, ...], str] = {}

    def atom(self, *key: Any) -> Number:
        """The symbol of an atom, allocated when it is first met."""
        if key not in self._names:
            if len(self._names) >= len(self.ring.names):
                raise Refused("It has too many different sums.")
            name = self.ring.names[len(self._names)]
            self._names[key], self.keys[name] = name, key
        return self.ring.symbol(self._names[key])

    def uses(self, number: Number, op: str) -> bool:
        """Whether an operator occurs in the atoms of a number, at any depth and inside opaque parts."""
        # An atom's key holds atoms that were there before it, so this ends. Sizes are no atoms.
        for part in (part for name in number.names for part in _flattened(self.keys[name])):
            inner = isinstance(part, Number) and part.ring is not R and self.uses(part, op)
            if inner or part == op or (isinstance(part, Expression) and part.uses(op)):
                return True
        return False

    def top(self, e: Expression) -> Number:
        """An expression of the top level as a quotient of polynomials in atoms."""
        if e.op == "number":
            return self.ring.constant(e.value)
        if e.op in ("+", "*"):
            return reduce(add if e.op == "+" else mul, map(self.top, e.args))
        if e.op == "^":
            return self.top(e.args[0]) ** int(e.args[1].value)
        if e.op in ("clusters", "classes", "meetings"):
            return self._sum(e.op, e.args[0])
        if e.op in ("/", "over"):
            return self._quotient(e)
        if e.op in ("least", "largest"):
            return self.atom(e.op, *sorted({self.top(x) for x in e.args}, key=str))
        if e.op in ("sqrt", "exp", "arccos", "log"):
            return self.atom(e.op, self.top(e.args[0]))
        return self.atom("expression", ordered(e))

    def _quotient(self, e: Expression) -> Number:
        a, b = self.top(e.args[0]), self.top(e.args[1])
        if b.is_zero:
            if e.op == "over":
                return self.top(e.args[2])
            raise Refused("A divisor is 0.")
        # The divisor of a plain quotient is positive. The v of an `over` is taken just where b is 0: it stays whole.
        return a / b if e.op == "/" or b.is_constant else self.atom("over", a, b, self.top(e.args[2]))

    def _sum(self, over: str, t: Expression) -> Number:
        """Σ t, split at its monomials and logarithms."""
        total = self.ring.constant(0)
        for factor, term, opaque in self._terms(t):
            for powers, times in term.terms():
                single, content = _monomial(powers, term)
                kind, key = self._on_partitions(over, single, opaque)
                total = total + self.atom(kind, key, opaque) * (factor * times / content)
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
        t = simplify(t)
        one = R.constant(1)
        with suppress(Refused):
            return [(Fraction(1), rational(t), ())]
        if t.op == "+":
            return [y for x in t.args for y in self._terms(x)]
        if t.op == "*":
            found: list[tuple[Fraction, Number, tuple[Any, ...]]] = [(Fraction(1), one, ())]
            for x in t.args:
                found = [
                    (k * m, p * q, tuple(sorted((*a, *b), key=str)))
                    for k, p, a in found for m, q, b in self._terms(x)
                ]  # fmt: skip
            return found
        if t.op == "/":
            with suppress(Refused):
                divisor = rational(t.args[1])
                return [(k, p / divisor, a) for k, p, a in self._terms(t.args[0])]
        if t.op == "log":
            return [(Fraction(k), one, (("log", self._inner(x)),)) for x, k in _log_parts(t.args[0], 1)]
        return [(Fraction(1), one, (self._opaque(t),))]

    def _opaque(self, e: Expression) -> tuple[Any, ...]:
        return "opaque", e.op, *map(self._inner, e.args)

    def _inner(self, e: Expression) -> Any:
        """What stands inside a sum: a quotient in sizes, or a closed expression in atoms, or anything as it is."""
        with suppress(Refused):
            return rational(simplify(e))
        if any(x.op in SIZE for x in _open_parts(e)) or e.uses("best"):
            return ordered(e)
        return self.top(e)


def _monomial(powers: dict[str, int], term: Number) -> tuple[Number, int]:
    """One monomial of a quotient with the constant of its divisor taken out, and that constant."""
    single = prod((R.symbol(name) ** k for name, k in powers.items()), start=R.constant(1)) / Number(R, term.bottom)
    content = gcd(*(int(k) for k in single.bottom.to_dict().values()))
    return single * content, content


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
