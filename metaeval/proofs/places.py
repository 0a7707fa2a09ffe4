"""Places of an equation: signs, and where an expression can be 0, in unknowns that are 0 or more."""

from __future__ import annotations

from collections.abc import Iterable

from metaeval.equations.tree import SUMS, Expression
from metaeval.proofs.algebra import Facts, Number, Refused, Unknowns, arithmetic, ring
from metaeval.proofs.normal_form import coefficient, ordered, simplify

RING = ring(tuple(f"u{i}" for i in range(40)))
_MOST_WAYS = 200
#: Operators that are 0 just where their first argument is.
_WITH_FIRST = ("sqrt", "^", "/")
#: The names of unknowns that are 0 together.
Way = frozenset[str]


class Place(Unknowns):
    """A place of an equation: what each expression is there, in unknowns that are 0 or more."""

    one_sided = False

    def __init__(self, where: str) -> None:
        super().__init__(RING, RING.names)
        self.where, self._facts = where, Facts(RING)
        self._memo: dict[Expression, Number | None] = {}

    def inside(self, e: Expression) -> list[Place]:
        """The places of the term of a sum."""
        raise NotImplementedError

    def leaf(self, e: Expression) -> Number | None:
        """A sum or a size in unknowns; None where it is opaque."""
        return self.unknown("matrix") + 1 if e.op == "matrix" else None

    def number(self, e: Expression) -> Number | None:
        """An expression in unknowns; None where it may be negative and is no quotient of them."""
        if e not in self._memo:
            found = self._number(e)
            self._memo[e] = self.unknown(ordered(e)) if found is None and self._not_negative(e) else found
        return self._memo[e]

    def _number(self, e: Expression) -> Number | None:
        if e.op == "number":
            return RING.constant(e.value)
        found = self.leaf(e)
        if found is not None or e.op in SUMS or not e.args:
            return found
        parts = [x for x in map(self.number, e.args) if x is not None]
        if len(parts) < len(e.args):
            return None
        if e.op in ("+", "*", "^"):
            return arithmetic(e, dict(zip(e.args, parts, strict=True)).__getitem__)
        if e.op in ("/", "over"):
            if parts[1].is_zero:
                return parts[2] if e.op == "over" else None
            return parts[0] / parts[1] if e.op == "/" or self._facts.more_than_zero(parts[1]) else None
        if e.op in ("least", "largest"):
            sign = 1 if e.op == "largest" else -1
            return next((x for x in parts if all(self._facts.at_least_zero((x - y) * sign) for y in parts)), None)
        return None

    def non_negative(self, e: Expression) -> bool:
        found = self.number(e)
        return (found is not None and self._facts.at_least_zero(found)) or self._not_negative(e)

    def _not_negative(self, e: Expression) -> bool:
        if e.op in ("matching", "sqrt", "exp", "arccos") or (e.op == "^" and e.args[1].value % 2 == 0):
            return True
        if e.op in SUMS:
            return self.non_negative_sum(e)
        if e.op == "log":
            return self.non_negative(e.args[0] - 1)
        some = any if e.op == "largest" else all
        return bool(e.args) and some(map(self.non_negative, e.args))

    def non_negative_sum(self, e: Expression) -> bool:
        """Whether a sum is 0 or more: its term is."""
        return all(place.non_negative(e.args[0]) for place in self.inside(e))

    def positive(self, e: Expression) -> bool:
        found = self.number(e)
        if found is not None and self._facts.more_than_zero(found):
            return True
        if e.op in SUMS:
            return self.positive_sum(e)
        if e.op in ("+", "largest"):
            return any(map(self.positive, e.args)) and (e.op != "+" or all(map(self.non_negative, e.args)))
        return e.op in ("*", "/", "least", "sqrt", "^") and all(map(self.positive, e.args))

    def at_most_zero(self, e: Expression) -> bool:
        """Whether it is 0 or less; least(…) − largest(…) of the same is, over nothing or over what is not negative."""
        e = simplify(e)
        if self.non_negative(simplify(-e)):
            return True
        if e.op == "/" and self.non_negative(e.args[1]):
            e = e.args[0]
        if e.op != "+" or len(e.args) != 2:
            return False
        (plus, a), (minus, b) = map(coefficient, e.args)
        shape = plus == 1 and minus == -1 and (a.op, b.op) == ("least", "largest")
        return shape and {*map(ordered, a.args)} == {*map(ordered, b.args)}

    def positive_sum(self, e: Expression) -> bool:
        """Whether a sum is more than 0: it is not empty, and its term is positive."""
        raise NotImplementedError

    def forces(self, b: Expression, a: Expression) -> bool:
        """Whether a is 0 wherever b is."""
        # Where one side is empty, b must show by itself that it is positive; that it counts the other is not enough.
        if self.positive(b) and not self.one_sided:
            return True
        above, below = self.number(a), self.number(b)
        multiple = None if above is None or below is None or below.is_zero else above / below
        if multiple is not None and self._facts.more_than_zero(Number(RING, multiple.bottom)):
            return True
        ways = self.ways(b)
        return ways is not None and all(self.gone(a, way) for way in ways)

    def ways(self, b: Expression) -> set[Way] | None:
        """All ways in which b can be 0, each as unknowns that are 0 then; None where they are not known."""
        found = self.number(b)
        if found is not None and not any(self._is_opaque(name) for name in found.names):
            for x in (found, -found):
                if self._facts.at_least_zero(Number(RING, x.top)):
                    return _hitting([frozenset(powers) for powers, _ in x.terms()])
        if b.op in (*_WITH_FIRST, "over"):
            return self.ways(b.args[0])
        if b.op in ("*", "least"):
            parts = [self.ways(x) for x in b.args]
            return None if None in parts else set().union(*filter(None, parts))
        if b.op in ("+", "largest") and all(map(self.non_negative, b.args)):
            return _together(map(self.ways, b.args))
        # One product of unknowns: each of them by itself makes it 0.
        monomials = [] if found is None else [frozenset(powers) for powers, _ in found.terms()]
        return _hitting(monomials) if len(monomials) == 1 else None

    def _is_opaque(self, name: str) -> bool:
        first = self.key(name)[0]
        return isinstance(first, Expression) and first.op not in SUMS

    def gone(self, a: Expression, way: Way) -> bool:
        """Whether a is 0 where these unknowns are."""
        found, closed = self.number(a), self.closed(way)
        if found is not None and all(powers.keys() & closed for powers, _ in found.terms()):
            return True
        if a.op in _WITH_FIRST:
            return self.gone(a.args[0], way)
        if a.op == "over":
            return self.gone(a.args[0], way) and (self.gone(a.args[2], way) or self.positive(a.args[1]))
        if a.op == "*":
            return any(self.gone(x, way) for x in a.args)
        return a.op in ("+", "least", "largest") and all(self.gone(x, way) for x in a.args)

    def closed(self, way: Way) -> Way:
        """The unknowns that are 0 where these are."""
        return way


def _together(parts: Iterable[set[Way] | None]) -> set[Way] | None:
    found: set[Way] = {frozenset()}
    for part in parts:
        if part is None:
            return None
        found = _smallest({one | other for one in found for other in part})
    return found


def _hitting(monomials: list[Way]) -> set[Way]:
    """The smallest sets of unknowns that make every monomial 0."""
    found: set[Way] = {frozenset()}
    for monomial in _smallest(set(monomials)):
        found = _smallest({way if way & monomial else way | {name} for way in found for name in monomial})
    return found


def _smallest(ways: set[Way]) -> set[Way]:
    """The ways that hold no other way."""
    if len(ways) > _MOST_WAYS:
        raise Refused("A divisor has too many parts.")
    return {way for way in ways if not any(other < way for other in ways)}
