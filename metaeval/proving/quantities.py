"""Numbers that a measure's own code computes with, in place of the sizes of clusters: quotients of polynomials.

Their symbols are whole numbers from 0 up. What the code asks of a number is decided by the signs of coefficients; where
these do not decide, :class:`Undecided` says of which polynomial the sign is wanted, and whoever runs the code splits
the range of the symbols and runs it again on each part. So no answer is ever a guess.

What has no exact answer, such as a float, an index or a hash, has no method here and raises a TypeError.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import reduce
from itertools import product
from math import lcm
from types import ModuleType
from typing import Any

from metaeval.proving.refusal import Refused

#: More monomials than a small pattern needs; beyond, they only cost time.
_MOST_TERMS = 3_000
#: In how many points it is looked whether a polynomial is divisible by a number.
_MOST_POINTS = 10_000


class Undecided(Exception):
    """The coefficients do not tell the sign of a polynomial."""

    def __init__(self, poly: Any) -> None:
        super().__init__("the sign of a polynomial is not decided")
        self.poly = poly


def is_at_least_zero(poly: Any) -> bool:
    """Whether no coefficient is negative."""
    return all(coefficient >= 0 for coefficient in poly.coeffs())


def constant_of(poly: Any) -> int:
    """The value where all symbols are 0."""
    return int(poly.to_dict().get((0,) * poly.context().nvars(), 0))


def sign(poly: Any) -> int:
    """1, 0 or −1, whatever the symbols are."""
    if poly.is_zero():
        return 0
    constant = constant_of(poly)
    if constant > 0 and is_at_least_zero(poly):
        return 1
    if constant < 0 and is_at_least_zero(-poly):
        return -1
    raise Undecided(poly)


class Quantity:
    """A quotient of polynomials; the lower one has no negative coefficient and is more than 0."""

    __slots__ = ("bottom", "top")
    #: Equality is a question about the symbols, so that no hash can agree with it.
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, top: Any, bottom: Any) -> None:
        if len(top) + len(bottom) > _MOST_TERMS:
            raise Refused("Its polynomials grow beyond what is followed.")
        self.top, self.bottom = _reduced(top, bottom)

    def _other(self, other: object) -> Quantity:
        if isinstance(other, Quantity):
            return other
        if isinstance(other, (int, Fraction)):
            context = self.top.context()
            return Quantity(*map(context.constant, other.as_integer_ratio()))
        raise Refused(f"It computes with {type(other).__name__} values; whole numbers and Fractions are exact.")

    def __add__(self, other: object) -> Quantity:
        that = self._other(other)
        if self.bottom == that.bottom:
            return Quantity(self.top + that.top, self.bottom)
        return Quantity(self.top * that.bottom + that.top * self.bottom, self.bottom * that.bottom)

    __radd__ = __add__

    def __neg__(self) -> Quantity:
        return Quantity(-self.top, self.bottom)

    def __pos__(self) -> Quantity:
        return self

    def __abs__(self) -> Quantity:
        return self if self >= 0 else -self

    def __sub__(self, other: object) -> Quantity:
        return self + -self._other(other)

    def __rsub__(self, other: object) -> Quantity:
        return self._other(other) - self

    def __mul__(self, other: object) -> Quantity:
        that = self._other(other)
        return Quantity(self.top * that.top, self.bottom * that.bottom)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Quantity:
        that = self._other(other)
        side = sign(that.top)
        if not side:
            raise ZeroDivisionError("division by zero")
        return Quantity(self.top * that.bottom * side, self.bottom * that.top * side)

    def __rtruediv__(self, other: object) -> Quantity:
        return self._other(other) / self

    def __floordiv__(self, other: object) -> Quantity:
        """Only where nothing remains, whatever the symbols are."""
        found = self / other
        if not _is_whole(found):
            raise Refused("It rounds a quotient that is not whole.")
        return found

    def __rfloordiv__(self, other: object) -> Quantity:
        return self._other(other) // self

    def __pow__(self, exponent: int) -> Quantity:
        if not isinstance(exponent, int) or not 0 <= exponent <= 4:
            raise Refused("It takes a power that is not followed.")
        return Quantity(self.top**exponent, self.bottom**exponent)

    def __eq__(self, other: object) -> bool:
        return sign((self - other).top) == 0

    def __lt__(self, other: object) -> bool:
        return self._other(other) > self

    def __le__(self, other: object) -> bool:
        return not self > other

    def __ge__(self, other: object) -> bool:
        return not self._other(other) > self

    def __gt__(self, other: object) -> bool:
        rise = (self - other).top
        # That it is not more needs no strict sign.
        return not is_at_least_zero(-rise) and sign(rise) > 0

    def __bool__(self) -> bool:
        return sign(self.top) != 0

    def __repr__(self) -> str:
        return f"({self.top})/({self.bottom})"

    @property
    def numerator(self) -> Quantity:
        """One of the whole numbers that it is the quotient of; not the smallest."""
        return Quantity(self.top, self.bottom.context().constant(1))

    @property
    def denominator(self) -> Quantity:
        """The other one."""
        return Quantity(self.bottom, self.bottom.context().constant(1))

    def as_integer_ratio(self) -> tuple[Quantity, Quantity]:
        """Both."""
        return self.numerator, self.denominator

    def at(self, values: Iterable[int]) -> Fraction:
        """With whole numbers in place of the symbols."""
        places = [*values]
        return Fraction(int(self.top(*places)), int(self.bottom(*places)))


def _reduced(top: Any, bottom: Any) -> tuple[Any, Any]:
    """Without a common factor, unless its lack would bring negative coefficients below."""
    common = top.gcd(bottom)
    if common.is_one():
        return top, bottom
    less = bottom // common
    if not is_at_least_zero(less) or not constant_of(less):
        return top, bottom
    return top // common, less


def _is_whole(number: Quantity) -> bool:
    """Whether it is a whole number for all whole values of its symbols: those below the divisor tell."""
    if not number.bottom.is_constant():
        return False
    divisor = constant_of(number.bottom)
    ranges = [range(divisor if degree else 1) for degree in number.top.degrees()]
    points = 1
    for values in ranges:
        points *= len(values)
    return points <= _MOST_POINTS and all(int(number.top(*point)) % divisor == 0 for point in product(*ranges))


class _AlsoFractions(ABCMeta):
    """A Fraction is one of these, and so is a quantity."""

    def __instancecheck__(cls, one: object) -> bool:
        return isinstance(one, (Fraction, Quantity))


class _Ratio(Fraction, metaclass=_AlsoFractions):
    """Stands for Fraction in a measure's code: the same, and a quantity where there are symbols."""

    def __new__(cls, top: Any = 0, bottom: Any = None) -> Any:
        if isinstance(top, Quantity):
            return top if bottom is None else top / bottom
        return top / bottom if isinstance(bottom, Quantity) else Fraction(top, bottom)


def _common_multiple(*numbers: Any) -> Any:
    """Stands for lcm: one common multiple, which for a common denominator is as good as the least."""
    if not any(isinstance(number, Quantity) for number in numbers):
        return lcm(*numbers)
    return reduce(_multiple, numbers)


def _multiple(one: Any, other: Any) -> Any:
    if isinstance(one, int) and isinstance(other, int):
        return lcm(one, other)
    a, b = (number if isinstance(number, Quantity) else None for number in (one, other))
    if a is None or b is None:
        return one * other
    if not (a.bottom.is_one() and b.bottom.is_one()):
        raise Refused("It takes a common multiple of what is not whole.")
    less = b.top // a.top.gcd(b.top)
    return Quantity(a.top * (less if is_at_least_zero(less) else b.top), a.bottom)


@contextmanager
def following(modules: Iterable[ModuleType]) -> Iterator[None]:
    """Let the code of modules compute with quantities: ``Fraction`` and ``lcm`` take only plain numbers.

    Both names mean what they meant wherever there is no quantity, and are put back afterwards.
    """
    stand_ins = ((Fraction, _Ratio), (lcm, _common_multiple))
    changed = [
        (vars(module), name, real, stand_in)
        for module in modules
        for name, value in list(vars(module).items())
        for real, stand_in in stand_ins
        if value is real
    ]
    for names, name, _, stand_in in changed:
        names[name] = stand_in
    try:
        yield
    finally:
        for names, name, real, _ in changed:
            names[name] = real
