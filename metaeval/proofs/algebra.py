"""Numbers with symbols: quotients of polynomials with integer coefficients, and what is known of their signs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from operator import add, mul
from typing import Any, TypeVar

from metaeval.equations.tree import MOST_TERMS, MOST_WORK, Expression

T = TypeVar("T")


class Refused(Exception):
    """A rule does not show what it was asked for; the sentence says why."""


def attempt(rule: Callable[..., T], *args: Any) -> T | None:
    """What a rule finds; None where it refuses."""
    try:
        return rule(*args)
    except Refused:
        return None


_work = 0


@contextmanager
def limited() -> Iterator[None]:
    """One derivation: work beyond the limit is refused, however busy the machine is. One inside another has its own."""
    global _work
    before, _work = _work, 0
    try:
        yield
    finally:
        _work = before


def _bounded(terms: int) -> None:
    global _work
    _work += terms
    if terms > MOST_TERMS or _work > MOST_WORK:
        raise Refused("Its polynomials grow beyond what is followed.")


class Ring:
    """The polynomials in some symbols."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    @cached_property
    def context(self) -> Any:
        """What flint keeps of these symbols; imported here, because only proofs need it."""
        import flint

        return flint.fmpz_mpoly_ctx.get(list(self.names), flint.Ordering.lex)

    @cached_property
    def _symbols(self) -> dict[str, Number]:
        return {name: Number(self, symbol) for name, symbol in zip(self.names, self.context.gens(), strict=True)}

    def symbol(self, name: str) -> Number:
        return self._symbols[name]

    def constant(self, value: int | Fraction) -> Number:
        """A plain number as one of this ring."""
        top, below = Fraction(value).as_integer_ratio()
        return Number(self, self.context.constant(top), self.context.constant(below))


#: The ring of these symbols, made once.
ring = lru_cache(maxsize=64)(Ring)


class Number:
    """A quotient of polynomials, reduced; the leading coefficient of the divisor is positive."""

    __slots__ = ("bottom", "ring", "top")

    def __init__(self, ring: Ring, top: Any, bottom: Any = None) -> None:
        self.ring = ring
        one = ring.context.constant(1)
        bottom = one if bottom is None else bottom
        if bottom.is_zero():
            raise Refused("A divisor vanishes identically.")
        common = top.gcd(bottom)
        if common != one:
            top, bottom = top // common, bottom // common
        if bottom.leading_coefficient() < 0:
            top, bottom = -top, -bottom
        self.top, self.bottom = top, bottom

    def _other(self, other: Number | int | Fraction) -> Number:
        return other if isinstance(other, Number) else self.ring.constant(other)

    def __add__(self, other: Number | int | Fraction) -> Number:
        that = self._other(other)
        _bounded(len(self.top) * len(that.bottom) + len(that.top) * len(self.bottom))
        return Number(self.ring, self.top * that.bottom + that.top * self.bottom, self.bottom * that.bottom)

    __radd__ = __add__

    def __sub__(self, other: Number | int | Fraction) -> Number:
        return self + (-self._other(other))

    def __rsub__(self, other: Number | int | Fraction) -> Number:
        return self._other(other) - self

    def __neg__(self) -> Number:
        return Number(self.ring, -self.top, self.bottom)

    def __mul__(self, other: Number | int | Fraction) -> Number:
        that = self._other(other)
        _bounded(len(self.top) * len(that.top) + len(self.bottom) * len(that.bottom))
        return Number(self.ring, self.top * that.top, self.bottom * that.bottom)

    __rmul__ = __mul__

    def __truediv__(self, other: Number | int | Fraction) -> Number:
        """Whoever divides must know that the other is not zero."""
        that = self._other(other)
        _bounded(len(self.top) * len(that.bottom) + len(self.bottom) * len(that.top))
        return Number(self.ring, self.top * that.bottom, self.bottom * that.top)

    def __pow__(self, exponent: int) -> Number:
        _bounded(len(self.top) ** exponent + len(self.bottom) ** exponent)
        return Number(self.ring, self.top**exponent, self.bottom**exponent)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and self.top == other.top and self.bottom == other.bottom

    def __hash__(self) -> int:
        return hash((str(self.top), str(self.bottom)))

    def __str__(self) -> str:
        return f"{self.top}" if self.bottom.is_one() else f"({self.top})/({self.bottom})"

    @property
    def is_zero(self) -> bool:
        """Whether it is 0 whatever the symbols are."""
        return bool(self.top.is_zero())

    @property
    def is_constant(self) -> bool:
        """Whether it is a plain number."""
        return bool(self.top.is_constant() and self.bottom.is_constant())

    @property
    def names(self) -> frozenset[str]:
        """The symbols that it depends on."""
        degrees = zip(self.ring.names, self.top.degrees(), self.bottom.degrees(), strict=True)
        return frozenset(name for name, above, below in degrees if above > 0 or below > 0)

    def terms(self) -> list[tuple[dict[str, int], int]]:
        """The monomials of the dividend: the powers of the symbols, and the coefficient."""
        return [
            ({name: int(k) for name, k in zip(self.ring.names, exponents, strict=True) if k}, int(coefficient))
            for exponents, coefficient in self.top.to_dict().items()
        ]

    def put(self, values: Mapping[str, Number], into: Ring | None = None) -> Number:
        """With numbers in place of symbols; in another ring, symbols keep their names where it has them."""
        target = into or self.ring
        if target is self.ring and not values:
            return self
        kept = {name: target.symbol(name) for name in self.ring.names if name in target.names}
        places = [values.get(name, kept.get(name)) for name in self.ring.names]
        return _evaluated(self.top, places, target) / _evaluated(self.bottom, places, target)


def _evaluated(poly: Any, places: list[Number | None], target: Ring) -> Number:
    used = [degree > 0 for degree in poly.degrees()]
    if any(place is None for place, needed in zip(places, used, strict=True) if needed):
        raise Refused("It has a size that the move says nothing of.")
    zero = target.constant(0)
    numbers = [place if needed and place else zero for place, needed in zip(places, used, strict=True)]
    if all(number.bottom.is_one() for number in numbers):
        _bounded(len(poly))
        return Number(target, poly.compose(*(number.top for number in numbers), ctx=target.context))
    total = zero
    for exponents, coefficient in poly.to_dict().items():
        term = target.constant(int(coefficient))
        for number, exponent in zip(numbers, exponents, strict=True):
            if exponent:
                term = term * number ** int(exponent)
        total = total + term
    return total


class Facts:
    """What is known of the symbols: each is what ``known`` says of it, with every symbol in there 0 or more.

    A symbol that ``known`` does not name is 0 or more itself; those in ``positive`` are more than 0.
    """

    def __init__(self, ring: Ring, known: Mapping[str, Number] | None = None, positive: Iterable[str] = ()) -> None:
        self.ring = ring
        self._known = dict(known or {})
        self._positive = frozenset(positive)
        self._signs: dict[str, tuple[bool, bool]] = {}

    def at_least_zero(self, number: Number) -> bool:
        """Whether the signs of coefficients alone show it."""
        return self._sign(number)[0]

    def more_than_zero(self, number: Number) -> bool:
        """Whether the signs of coefficients alone show it."""
        return self._sign(number)[1]

    def _sign(self, number: Number) -> tuple[bool, bool]:
        # The divisor must have a sure sign; reduced quotients may have it negative.
        if self._shown(number.bottom)[1]:
            return self._shown(number.top)
        return self._shown(-number.top) if self._shown(-number.bottom)[1] else (False, False)

    def _shown(self, poly: Any) -> tuple[bool, bool]:
        key = str(poly)  # at least 0, more than 0
        if key not in self._signs:
            terms = Number(self.ring, poly).put(self._known).terms()
            least = all(coefficient > 0 for _, coefficient in terms)
            self._signs[key] = least, least and any(powers.keys() <= self._positive for powers, _ in terms)
        return self._signs[key]


class Cases(tuple[Facts, ...]):
    """Facts of which one is so: each case by itself must show the sign."""

    def at_least_zero(self, number: Number) -> bool:
        """Whether it is 0 or more in every case."""
        return all(one.at_least_zero(number) for one in self)

    def more_than_zero(self, number: Number) -> bool:
        """Whether it is more than 0 in every case."""
        return all(one.more_than_zero(number) for one in self)


class Unknowns:
    """Symbols for keys, each allocated when its key is first met: named by number, two might have one name."""

    def __init__(self, ring: Ring, free: Sequence[str]) -> None:
        self.ring, self._free = ring, free
        self.allocated: dict[tuple[Any, ...], str] = {}

    def unknown_name(self, *key: Any) -> str:
        """The name of the symbol with this key."""
        if key not in self.allocated:
            if len(self.allocated) >= len(self._free):
                raise Refused("It has too many different sums.")
            self.allocated[key] = self._free[len(self.allocated)]
        return self.allocated[key]

    def unknown(self, *key: Any) -> Number:
        """The symbol with this key."""
        return self.ring.symbol(self.unknown_name(*key))

    def key(self, name: str) -> tuple[Any, ...]:
        """What a symbol stands for."""
        return next(key for key, one in self.allocated.items() if one == name)


def arithmetic(e: Expression, of: Callable[[Expression], Number]) -> Number:
    """A sum, a product or a power, in the numbers of its parts."""
    if e.op == "^":
        return of(e.args[0]) ** int(e.args[1].value)
    return reduce(add if e.op == "+" else mul, map(of, e.args))
