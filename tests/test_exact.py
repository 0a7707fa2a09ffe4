"""Exact logarithms: their arithmetic against decimals, their order against integers, their form as it is printed."""

import pickle
from decimal import Context, Decimal
from fractions import Fraction
from itertools import combinations, pairwise
from math import gcd, inf, lcm, nan, prod
from operator import eq, ge, gt, le, lt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import hundreds, thorough

from metaeval.exact import LogRatio, LogSum, RootSum, is_exact, log, parse, simplest, sqrt, sum_of_logs, sum_of_roots
from metaeval.exact import ratio as quotients
from metaeval.exact.irrational import BOUND, aligned, coprime_base, factored

#: Digits of the oracle, and what two of its numbers may differ by that are the same.
DIGITS = Context(prec=80)
ROUNDING = Decimal("1e-50")

rationals = st.builds(Fraction, st.integers(-50, 50), st.integers(1, 12))
arguments = st.integers(1, 60) | st.integers(1, 10**4) | st.integers(1, 10**12)
#: A rational number, and coefficients with arguments.
parts = st.tuples(rationals, st.lists(st.tuples(rationals, arguments), max_size=4))


def made(part) -> LogSum:
    whole, terms = part
    return sum((coefficient * log(argument) for coefficient, argument in terms), start=log(1)) + whole


def decimal(part, function=DIGITS.ln) -> Decimal:
    whole, terms = part
    total = ratio(whole)
    for coefficient, argument in terms:
        total = DIGITS.add(total, DIGITS.multiply(ratio(coefficient), function(ratio(Fraction(argument)))))
    return total


def ratio(number: Fraction) -> Decimal:
    return DIGITS.divide(Decimal(number.numerator), Decimal(number.denominator))


def is_zero(part) -> bool:
    """By integers alone: r + Σ q·log n is 0 only if r is, and then Π n^(Nq) is 1."""
    whole, terms = part
    common = lcm(*(coefficient.denominator for coefficient, _ in terms))
    powers = (Fraction(argument) ** int(coefficient * common) for coefficient, argument in terms)
    return whole == 0 and prod(powers, start=Fraction(1)) == 1


def minus(one, other):
    return one[0] - other[0], [*one[1], *((-coefficient, argument) for coefficient, argument in other[1])]


def order(x, y) -> int:
    """As each of the operators says it."""
    found = (x > y) - (x < y)
    assert (x == y, x != y, x <= y, x >= y) == (found == 0, found != 0, found <= 0, found >= 0)
    return found


# --- arithmetic
def computes_as_decimals(kind, one, other, factor) -> None:
    """Two exact numbers, each beside its decimal. Products are asked for of roots: those of logarithms are no sums."""
    (x, first), (y, second), number = one, other, ratio(factor)
    for found, expected in (
        (x, first),
        (x + y, DIGITS.add(first, second)),
        (x - y, DIGITS.subtract(first, second)),
        (-x, -first),
        (abs(x), abs(first)),
        (x * factor, DIGITS.multiply(first, number)),
        (factor * x, DIGITS.multiply(first, number)),
        (factor - x, DIGITS.subtract(number, first)),
        *([(x * y, DIGITS.multiply(first, second))] if kind is RootSum else []),
        *([(x / factor, DIGITS.divide(first, number))] if factor else []),
    ):
        assert isinstance(found, kind)
        if abs(expected) > ROUNDING:
            assert float(found) == float(expected)
        else:
            assert found == 0
            assert str(float(found)) == "0.0"


@hundreds
@given(parts, parts, rationals)
def test_arithmetic_against_decimals(one, other, factor):
    computes_as_decimals(LogSum, (made(one), decimal(one)), (made(other), decimal(other)), factor)


@hundreds
@given(parts, parts, parts, rationals)
def test_laws(one, two, three, factor):
    x, y, z = map(made, (one, two, three))
    assert x + y == y + x
    assert (x + y) + z == x + (y + z)
    assert x - x == 0
    assert not x - x
    assert factor * (x + y) == factor * x + factor * y
    assert not factor or x / factor * factor == x
    assert hash(x + y - y) == hash(x)
    assert +x is x


@hundreds
@given(st.lists(st.tuples(st.integers(-9, 9), arguments), max_size=5), st.integers(1, 9))
def test_a_sum_at_once_is_the_sum_of_its_terms(terms, over):
    assert sum_of_logs(terms, over) == sum((k * log(n) for k, n in terms), start=log(1)) / over


def test_numpy_s_integers_are_integers_and_floats_make_floats():
    five = np.int64(5)
    assert sum_of_logs([(five, five)], over=five) == log(five) == log(5)
    assert five * log(2) == log(2) * five == 5 * log(2) == log(32)
    assert float(sum_of_logs([(five, 3), (five, 7)], over=five)) == pytest.approx(np.log(21))
    for value in (0.5, nan, inf):
        for found in (log(2) + value, value + log(2), log(2) - value, value - log(2), log(2) * value, log(2) / value):
            assert isinstance(found, float)
    assert log(4) * 0.5 == float(log(4)) / 2


RATIO = log(2) / log(3)


@pytest.mark.parametrize(("wrong", "error", "words"), [
    (lambda: log(0), ValueError, "^the logarithm of 0; expected a number above 0$"),
    (lambda: log(Fraction(-1, 2)), ValueError, "^the logarithm of -1/2; expected a number above 0$"),
    (lambda: log(0.5), TypeError, "^the exact logarithm of 0.5, a float; expected an int or a Fraction$"),
    (lambda: log(True), TypeError, "^the exact logarithm of True, a bool; expected an int or a Fraction$"),
    (lambda: sum_of_logs([(1, -3)]), ValueError, "^the logarithm of -3; expected a number above 0$"),
    (lambda: sum_of_logs([(1, 2)], over=0), ZeroDivisionError, "^a sum of logarithms divided by 0$"),
    (lambda: sum_of_logs([(0.5, 3)]), TypeError, None),
    (lambda: log(2) / 0, ZeroDivisionError, "^log 2 divided by 0$"),
    (lambda: log(2) / (log(4) - 2 * log(2)), ZeroDivisionError, "^log 2 divided by 0$"),
    # What has no normal form is no sum.
    (lambda: log(2) * log(3), TypeError, None),
    (lambda: log(2) + "1", TypeError, None),
    (lambda: log(2) < "1", TypeError, None),
    (lambda: RATIO + RATIO, TypeError, None),
    (lambda: RATIO - log(2), TypeError, None),
    (lambda: RATIO * RATIO, TypeError, None),
    (lambda: RATIO < "1", TypeError, None),
    (lambda: sqrt(-1), ValueError, "^the root of -1; expected a number from 0 up$"),
    (lambda: sqrt(0.5), TypeError, "^the exact root of 0.5, a float; expected an int or a Fraction$"),
    (lambda: sqrt(True), TypeError, "^the exact root of True, a bool; expected an int or a Fraction$"),
    (lambda: sqrt(2) / 0, ZeroDivisionError, "^√2 divided by 0$"),
    (lambda: sqrt(2) / (sqrt(8) - 2 * sqrt(2)), ZeroDivisionError, "^√2 divided by 0$"),
    (lambda: sum_of_roots([(1, 2)], over=0), ZeroDivisionError, "^a sum of roots divided by 0$"),
    (lambda: sqrt(2) + log(2), TypeError, "unsupported operand"),
    (lambda: sqrt(2) < "1", TypeError, "not supported"),
])  # fmt: skip
def test_mistakes_are_named(wrong, error, words):
    with pytest.raises(error, match=words):
        wrong()


# --- order
@hundreds
@given(parts, parts)
def test_order_against_decimals_and_integers(one, other):
    difference = decimal(minus(one, other))
    expected = (difference > 0) - (difference < 0)
    if abs(difference) < ROUNDING:
        assert is_zero(minus(one, other)), "the oracle cannot tell"
        expected = 0
    assert order(made(one), made(other)) == expected
    x, y = made(one), made(other)
    float(x), float(y)  # what is remembered changes nothing
    assert order(x, y) == expected
    assert (hash(x) == hash(y)) or expected


@hundreds
@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(1, 12)), max_size=5))
def test_zero_is_where_the_product_of_powers_is_one(terms):
    """Small numbers, so that many sums vanish though none of their terms does."""
    product = prod((Fraction(n) ** k for k, n in terms), start=Fraction(1))
    assert order(sum_of_logs(terms), 0) == (product > 1) - (product < 1)
    assert sum_of_logs(terms).fraction == (0 if product == 1 else None)


def convergents(x: int, y: int, largest: int) -> list[tuple[int, int]]:
    """The best approximations p/q of log y / log x: p·log x and q·log y all but meet."""
    context = Context(prec=400)
    rest = context.divide(context.ln(Decimal(y)), context.ln(Decimal(x)))
    found = [(0, 1), (1, 0)]
    while found[-1][1] < largest:
        digit = int(rest)
        found.append(tuple(digit * last + before for before, last in zip(*found[-2:], strict=True)))
        rest = context.divide(Decimal(1), context.subtract(rest, Decimal(digit)))
    return found[2:]


@pytest.mark.parametrize(("x", "y"), [(2, 3), (2, 10), (3, 7), (6, 35), (10, 97)])
def test_near_ties_are_told_as_integers_tell_them(x, y):
    pairs = convergents(x, y, 20_000)
    assert len(pairs) > 5
    assert (x, y) != (2, 3) or (485, 306) in pairs
    for p, q in pairs:
        expected = (x**p > y**q) - (x**p < y**q)
        assert order(p * log(x), q * log(y)) == expected != 0
        assert order(p * log(x) - q * log(y), 0) == expected


@pytest.mark.parametrize("largest", [10**40, 10**90])
def test_ties_nearer_than_any_first_precision(largest):
    """Convergents lie on either side in turn, and come nearer and nearer: no power is computed."""
    pairs = convergents(2, 3, largest)
    signs = [order(p * log(2), q * log(3)) for p, q in pairs]
    assert all(one == -other != 0 for one, other in pairwise(signs))
    gaps = [abs(p * log(2) - q * log(3)) for p, q in pairs]
    assert all(nearer < gap for gap, nearer in pairwise(gaps[1:]))
    assert 0 < float(gaps[-1]) < 1 / largest


@pytest.mark.parametrize("digits", [5, 50, 300])
def test_rational_numbers_and_neighbours_are_told_apart(digits):
    context, n = Context(prec=digits + 20), 10**digits
    below = Fraction(int(context.scaleb(context.ln(Decimal(2)), digits)), n)
    assert order(below, log(2)) == -1
    assert order(log(2), below + Fraction(1, n)) == -1
    assert order(log(2) - below, Fraction(1, n)) == -1
    assert order(log(n + 1), log(n)) == 1
    assert order(log(Fraction(n + 1, n)), Fraction(1, n)) == -1
    assert order(log(Fraction(n + 1, n)), Fraction(1, n + 1)) == 1


def test_floats_and_others_beside_it():
    nearest = float(log(2))
    assert log(2) != nearest
    assert order(log(2), nearest) == order(DIGITS.ln(Decimal(2)), Decimal(nearest))
    assert -inf < log(2) < inf
    assert not any(how(log(2), nan) for how in (lt, le, eq, ge, gt))
    assert log(2) != "log 2"
    assert log(1) == 0 == Fraction(0)
    assert {log(4): 1}[2 * log(2)] == {Fraction(1, 2): 1}[log(1) + Fraction(1, 2)] == 1
    # Numbers that no float can hold.
    huge, tiny = 10**400 * log(2), log(2) / 10**400
    assert order(huge, 10**399 * log(3)) == 1
    assert hash(huge) == hash(huge * 3 / 3)
    with pytest.raises(OverflowError):
        float(huge)
    assert (float(tiny), tiny.sign, float(-tiny)) == (0.0, 1, 0.0)


# --- quotients
@hundreds
@given(parts, parts, rationals)
def test_quotients_against_decimals(one, other, number):
    x, y = made(one), made(other)
    if y == 0:
        return
    expected = DIGITS.divide(decimal(one), decimal(other))
    found = x / y
    assert isinstance(found, (LogSum, LogRatio))
    assert abs(expected) < ROUNDING or float(found) == float(expected)
    if isinstance(found, LogSum):
        assert (found.fraction * y if y.fraction is None else found * y.fraction) == x
        return
    assert parse(str(found)) == found == (x * 3) / (y * 3) == pickle.loads(pickle.dumps(found))
    assert str((x * 3) / (y * 3)) == str((-x) / (-y)) == str(found)
    assert hash((x * 3) / (y * 3)) == hash(found)
    assert order(found, number) == (expected > ratio(number)) - (expected < ratio(number))
    for changed, value in (
        (found + number, DIGITS.add(expected, ratio(number))),
        (number - found, DIGITS.subtract(ratio(number), expected)),
        (found * number, DIGITS.multiply(expected, ratio(number))),
        (1 / found, DIGITS.divide(Decimal(1), expected)),
        (-found, -expected),
        *([(found / number, DIGITS.divide(expected, ratio(number)))] if number else []),
    ):
        assert is_exact(changed)
        assert float(changed) == float(value)


@hundreds
@given(parts, parts, parts, parts)
def test_order_of_quotients_against_decimals(one, two, three, four):
    a, b, c, d = map(made, (one, two, three, four))
    if b == 0 or d == 0:
        return
    difference = DIGITS.subtract(*(DIGITS.divide(decimal(x), decimal(y)) for x, y in ((one, two), (three, four))))
    if abs(difference) > ROUNDING:
        assert order(a / b, c / d) == (1 if difference > 0 else -1)


def test_quotients_are_the_same_whatever_made_them():
    assert (log(8) / log(4)).fraction == Fraction(3, 2)
    assert ((log(P * Q) * 2) / (log(P) + log(Q))).fraction == 2
    assert (log(6) / Fraction(1, 2)).coefficients == {2: 2, 3: 2}
    assert (log(6) / log(6)).fraction == 1 == log(6) / log(6)
    assert (log(1) / log(2)).fraction == 0
    assert log(P * Q) / log(2) == (log(P) + log(Q)) / log(2)
    assert (log(9) + 2) / log(4) == (log(3) + 1) / log(2)
    assert log(3) / log(2) != log(3) / log(5)
    p, q = convergents(2, 3, 10**30)[-1]
    assert order(log(3) / log(2), Fraction(p, q)) != 0
    assert order(log(3**5 + 1) / log(2), log(3**5 + 1) / log(2) + Fraction(1, 10**60)) == -1
    assert order(RATIO, log(2)) == -1
    assert order(log(2), RATIO) == 1
    assert f"{log(3) / log(2):.3f}" == "1.585"


def test_quotients_that_cannot_be_told_apart_are_an_error(monkeypatch):
    monkeypatch.setattr(quotients, "MOST_BITS", 64)
    n = 10**60
    with pytest.raises(ArithmeticError, match="agree in 64 bits, and no form says"):
        _ = log(n) / log(3) < log(n + 1) / log(3)


# --- factors
@thorough
@given(st.integers(1, 10**6))
def test_small_numbers_are_products_of_primes(number):
    assert prod(factor**power for factor, power in factored(number)) == number
    for factor, _ in factored(number):
        assert all(factor % divisor for divisor in range(2, min(factor, 1001)))


@thorough
@given(st.lists(st.integers(1, 500), max_size=6))
def test_a_coprime_base_is_coprime_and_a_base(numbers):
    base = coprime_base(numbers)
    assert all(gcd(one, other) == 1 < min(one, other) for one, other in combinations(base, 2))
    for number in numbers:
        for factor in base:
            while number % factor == 0:
                number //= factor
        assert number == 1


#: Primes beyond the reach of trial division, by their squares.
P, Q, R = 65_537, 4_294_967_311, 10**18 + 9


def test_large_primes_are_met_again_wherever_they_hide():
    assert BOUND < P
    assert factored(P * Q) == ((P * Q, 1),)
    assert log(P * Q) == log(P) + log(Q)
    assert log(P * Q) + log(Q * R) + log(R * P) == 2 * log(P * Q * R)
    assert log(Q**3) == 3 * log(Q)
    assert order(log(P * Q), log(P * Q + 2)) == -1
    assert aligned({P * Q: 1, Q: -1, P: -1}) == [{}]
    assert log(P * Q) - log(Q) == log(P)
    assert str(log(P * Q) - log(Q)) == "log 65537"
    # Numbers that nobody factors do not stall.
    one, other = 10**150 + 67, 10**170 + 33
    assert log(one * other) == log(one) + log(other)
    assert order(log(one * other + 2), log(one) + log(other)) == 1
    assert hash(log(one * other)) == hash(log(one) + log(other))


# --- as it is printed, kept and read
@pytest.mark.parametrize(("number", "text"), [
    (log(1), "0"), (log(2), "log 2"), (-log(8), "−3·log 2"),
    (Fraction(2, 3) * log(2) - log(3) / 6, "2/3·log 2 − 1/6·log 3"), (log(Fraction(2, 3)) - 1, "−1 + log 2 − log 3"),
    (1 - log(12) / 2, "1 − log 2 − 1/2·log 3"), (log(4) - 2 * log(2) + Fraction(-1, 2), "−1/2"),
])  # fmt: skip
def test_printed(number, text):
    assert (str(number), repr(number), f"{number}") == (text, text, text)
    assert f"{number:.3f}" == f"{float(number):.3f}"
    assert simplest(number) == number
    assert isinstance(simplest(number), Fraction) == ("log" not in text)
    assert "log" not in text or parse(text) == number


def is_read_as_it_is_printed(number) -> None:
    if number.fraction is None:
        found = parse(str(number))
        assert found == number
        assert str(found) == str(number)
    assert pickle.loads(pickle.dumps(number)) == number
    assert is_exact(number)


@hundreds
@given(parts)
def test_what_is_printed_is_read(part):
    is_read_as_it_is_printed(made(part))


@pytest.mark.parametrize("text", [
    "", " ", "log", "log 1", "log 0", "log -2", "log 4", "log 02", "log 2 ", " log 2", "LOG 2", "log2", "log  2",
    "log ２", "log ²", "+log 2", "-log 2", "− log 2", "2log 2", "2*log 2", "·log 2", "1·log 2", "0·log 2",
    "2/4·log 2", "1/1·log 2", "1/0·log 2", "1.5·log 2", "log 3 − log 2", "log 2 + log 2", "log 2 − log 2",
    "log 2 + 1", "log 2 - log 3", "log 2 −log 3", "log 2 + −log 3", "log 2 +", "log 2\n", "log 2 + log 3 +  ",
    "0 + log 2", "log(2)", "(log 2) / (log 4)", "(log 2) / (2·log 2)", "(2·log 2) / (2·log 3)",
    "(−log 2) / (−log 3)", "(log 3) / (0)", "(log 3) / (2)", "(log 3)/(log 2)", "(log 3) / (log 2) ",
    "((log 3)) / (log 2)", "log 2; log 3", "__import__('os')", "log " + "7" * 301, "7" * 301 + "·log 2",
    " + ".join(f"log {n}" for n in range(2, 30_000)), "log 2 + " * 50_000 + "log 3",
    "√", "√1", "√4", "√8", "√02", "√2 ", " √2", "√ 2", "√(2)", "√(1/2)", "√-2", "-√2", "+√2", "− √2", "1·√2",
    "0·√2", "2√2", "2*√2", "·√2", "2/4·√2", "√3 − √2", "√2 + √2", "√2 + 1", "√2 - √3", "√2 + log 2", "√log 2",
    "√２", "log √2", "(√3) / (√2)", "(√3) / (2)", "(2) / (2 + 2·√2)", "(−1) / (−1 − √2)", "(1) / (0 + √2)",
    "(log 2) / (1 + √2)", "(2 + √8) / (1 + √2)", "√" + "7" * 601, "√2 + " * 50_000 + "√3",
])  # fmt: skip
def test_nothing_else_is_read(text):
    assert parse(text) is None
