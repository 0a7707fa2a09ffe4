"""Floats with a bound of their error, one or an array of them: what rounding can do to a score is known, not hoped."""

from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

#: The relative error of one operation, and of a sum of an array.
_STEP, _SUM = 2.0**-52, 2.0**-48
#: Floats hold all whole numbers up to here.
_WHOLE = 2.0**53


class Rounded(NamedTuple):
    """A value, how far it may be from the exact one, and whether it is a whole number by its kind, and so exact."""

    value: Any
    error: Any = 0.0
    whole: bool = False


def counted(value: Any) -> Rounded:
    """Whole numbers."""
    return _made(np.asarray(value, dtype=float), 0.0, True)


def constant(x: Fraction | int) -> Rounded:
    """A rational number."""
    return _made(np.float64(x), 0.0, x == int(x))


def single(a: Rounded) -> Rounded:
    """One number that nobody can change; NumPy makes arrays without a dimension of some."""
    return Rounded(np.float64(a.value), np.float64(a.error), a.whole)


def _made(value: Any, error: Any, whole: bool = False) -> Rounded:
    return _within(value, error, whole, _STEP, abs(value))


def _within(value: Any, error: Any, whole: bool, step: float, size: Any) -> Rounded:
    """A result with this relative error of ``size``, unless it is a whole number that floats hold."""
    if whole and (not size.size or size.max() < _WHOLE):
        return Rounded(value, 0.0, True)
    return Rounded(value, error + step * size)


def plus(a: Rounded, b: Rounded) -> Rounded:
    return _made(a.value + b.value, a.error + b.error, a.whole and b.whole)


def times(a: Rounded, b: Rounded) -> Rounded:
    error = np.abs(a.value) * b.error + np.abs(b.value) * a.error + a.error * b.error
    return _made(a.value * b.value, error, a.whole and b.whole)


def divided(a: Rounded, b: Rounded) -> Rounded:
    """The quotient; its error is infinite where the divisor may be 0."""
    value, least = np.divide(a.value, b.value), np.abs(b.value) - b.error
    return _made(value, np.where(least > 0, (a.error + np.abs(value) * b.error) / least, np.inf))


def over(a: Rounded, b: Rounded, nothing: Rounded) -> Rounded:
    """The quotient, and the third value where the divisor is certainly 0."""
    found, zero = divided(a, b), (b.value == 0) & (b.error == 0)
    return Rounded(np.where(zero, nothing.value, found.value), np.where(zero, nothing.error, found.error))


def extreme(sign: int, *some: Rounded) -> Rounded:
    """The largest with sign 1, the least with −1."""
    choose = np.maximum if sign > 0 else np.minimum
    error = reduce(np.maximum, [x.error for x in some])
    return Rounded(reduce(choose, [x.value for x in some]), error, all(x.whole for x in some))


def root(a: Rounded) -> Rounded:
    # √a − √(a − e) is at most e/√a.
    value = np.sqrt(np.maximum(a.value, 0.0))
    return _made(value, np.where(a.error == 0, 0.0, np.where(a.value >= a.error, a.error / value, np.inf)))


def logarithm(a: Rounded) -> Rounded:
    least = a.value - a.error
    return _made(np.log(a.value), np.where(least > 0, a.error / least, np.inf))


def exponential(a: Rounded) -> Rounded:
    value = np.exp(a.value)
    return _made(value, value * np.expm1(a.error))


def half_turns(a: Rounded) -> Rounded:
    """The angle with this cosine; near ±1 it moves much faster than the cosine."""
    nearest = np.minimum(np.abs(a.value) + a.error, 1.0)
    error = np.where(a.error == 0, 0.0, np.where(nearest < 1, a.error / np.sqrt(1 - nearest**2), np.inf))
    return _made(np.arccos(np.clip(a.value, -1.0, 1.0)) / np.pi, error)


def total(a: Rounded, length: int) -> Rounded:
    """The sum of an array, or of that many equal numbers."""
    if np.ndim(a.value) == 0:
        return times(a, constant(length))
    error = np.sum(np.broadcast_to(a.error, a.value.shape))
    return _within(np.sum(a.value), error, a.whole, _SUM, np.sum(np.abs(a.value)))


def sums(table: Any, a: Rounded) -> Rounded:
    """For each line of a table of 0 and 1, the sum of the numbers that it chooses."""
    values, errors = (np.broadcast_to(x, table.shape[1:]) for x in (a.value, a.error))
    table = table.astype(float)
    return _within(table @ values, table @ errors, a.whole, _SUM, table @ np.abs(values))


def chosen(a: Rounded, where: Any) -> Rounded:
    """The values where a condition is true, elsewhere 0."""
    return Rounded(np.where(where, a.value, 0.0), np.where(where, a.error, 0.0), a.whole)


def largest_of(a: Rounded, places: Any, length: int) -> Rounded:
    """For each place the largest of 0 and its numbers."""
    value, error = np.zeros(length), np.zeros(length)
    np.maximum.at(value, places, np.broadcast_to(a.value, places.shape))
    if np.any(a.error):
        np.maximum.at(error, places, np.broadcast_to(a.error, places.shape))
    return Rounded(value, error, a.whole)
