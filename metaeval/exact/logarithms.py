"""Sums of logarithms as numbers. That their normal form decides is shown in :mod:`metaeval.exact`; here it is computed.

Logarithms come from ``decimal``, with as many digits as are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from functools import lru_cache
from typing import Any

from metaeval.exact.combination import BITS, Combination
from metaeval.exact.factors import aligned

#: So many scaled logarithms are remembered.
_MOST_REMEMBERED = 1 << 14


class LogSum(Combination):
    """A rational number plus a rational combination of logarithms of positive integers; immutable.

    Made by :func:`log` and by +, −, and × and ÷ with rational numbers; with floats it becomes a float. A sum divided by
    another is a :class:`LogRatio`, or a rational sum where one is a multiple of the other. Two are equal if
    and only if their normal forms over the logarithms of primes are, and <, ≤, >, ≥ are exact. ``float`` gives the
    nearest float. Factors beyond 2³² whose primes are not quickly found stand in the printed form as they are.

    >>> from fractions import Fraction
    >>> from metaeval.exact import log
    >>> x = log(12) / 3 - log(6) / 2
    >>> x
    1/6·log 2 − 1/6·log 3
    >>> x < 0, x == log(Fraction(2, 3)) / 6, float(x)
    (True, True, -0.0675775180180274)
    """

    __slots__ = ()

    symbol = "log "

    @classmethod
    def forms(cls, *sums: Combination) -> list[dict[int, int]]:
        """The terms of some sums over the logarithms of the same coprime numbers."""
        return aligned(*(one.terms for one in sums))

    def _scaled(self, bits: int) -> Mapping[int, int]:
        return _FIRST if bits == BITS else {argument: _scaled_log(argument, bits) for argument in self._terms}

    def _divided_by(self, other: Any) -> Any:
        if not isinstance(other, LogSum):
            return NotImplemented
        # Loaded here: quotients are made of sums.
        from metaeval.exact.ratio import quotient

        return quotient(self, other)


# --- logarithms as integers


@lru_cache(maxsize=256)
def _scaled_log(argument: int, bits: int) -> int:
    """The logarithm times 2^bits, off by less than one."""
    # An integer of so many bits has a logarithm with this many digits before the point; two more are to spare.
    digits = len(str(argument.bit_length())) + bits * 30103 // 100000 + 3
    numerator, denominator = (
        Context(prec=digits, Emin=MIN_EMIN, Emax=MAX_EMAX).ln(Decimal(argument)).as_integer_ratio()
    )
    return ((numerator << bits + 1) + denominator) // (2 * denominator)


class _Remembered(dict[int, int]):
    """Scaled logarithms with the bits of the first precision."""

    def __missing__(self, argument: int) -> int:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        self[argument] = found = _scaled_log(argument, BITS)
        return found


_FIRST = _Remembered()
