"""Exact roots: their arithmetic against decimals, their order against integers, their form as it is printed."""

import pickle
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import inf, isqrt, nan

import pytest
import test_exact
from hypothesis import given
from hypothesis import strategies as st
from strategies import hundreds, thorough
from test_exact import DIGITS, ROUNDING, computes_as_decimals, is_read_as_it_is_printed, order, ratio, rationals
from tools import as_json

import metaeval
from metaeval import Biclustering
from metaeval.catalogue.measure import make_measure
from metaeval.core.relation import EQUAL, NOT_OPTIMAL, TOLERANCE, WORSE, Bounds, broken
from metaeval.core.verdict import Verdict
from metaeval.exact import RootRatio, RootSum, is_exact, log, parse, simplest, sqrt
from metaeval.records.score import Score, exact_from_json, exact_to_json
from metaeval.verification.certificate_check import Refused, verify
from metaeval.verification.golden import same_score
from metaeval.workers.call import as_score
from metaeval.workers.faults import Fault

radicands = st.builds(Fraction, st.integers(0, 40) | st.integers(0, 10**6), st.integers(1, 30))
#: A rational number, and coefficients with radicands.
parts = st.tuples(rationals, st.lists(st.tuples(rationals, radicands), max_size=4))


def made(part) -> RootSum:
    whole, terms = part
    return sum((coefficient * sqrt(radicand) for coefficient, radicand in terms), start=sqrt(0)) + whole


decimal = partial(test_exact.decimal, function=DIGITS.sqrt)


# --- arithmetic
@hundreds
@given(parts, parts, rationals)
def test_arithmetic_against_decimals(one, other, factor):
    computes_as_decimals(RootSum, (made(one), decimal(one)), (made(other), decimal(other)), factor)


@hundreds
@given(parts, parts, parts)
def test_laws(one, two, three):
    x, y, z = map(made, (one, two, three))
    assert x * y == y * x
    assert (x * y) * z == x * (y * z)
    assert x * (y + z) == x * y + x * z
    assert (x + y) * (x - y) == x * x - y * y
    assert hash(x + y - y) == hash(x)
    assert +x is x


@thorough
@given(parts, radicands, rationals)
def test_what_is_divided_by_a_root_comes_back(part, radicand, factor):
    root = sqrt(radicand)
    assert (root * root).fraction == radicand
    is_square = all(isqrt(n) ** 2 == n for n in radicand.as_integer_ratio())
    assert (root.fraction is not None) == is_square
    assert hash(root) == hash(simplest(root))
    if radicand * factor:
        divisor = factor * sqrt(radicand)
        assert made(part) / divisor * divisor == made(part)
        assert 1 / divisor * divisor == 1


@hundreds
@given(parts, parts, parts, parts, rationals)
def test_quotients_against_decimals(one, two, three, four, number):
    a, b, c, d = map(made, (one, two, three, four))
    if b == 0 or d == 0:
        return
    x, y = a / b, c / d
    first, second = (DIGITS.divide(decimal(p), decimal(q)) for p, q in ((one, two), (three, four)))
    assert abs(first) < ROUNDING or float(x) == float(first)
    for other, value in ((y, second), (number, ratio(number)), (c, decimal(three))):
        difference = DIGITS.subtract(first, value)
        assert order(x, other) == (0 if abs(difference) < ROUNDING else (1 if difference > 0 else -1))
    assert is_exact(x)
    assert x == (a * 3) / (b * 3) == (a * sqrt(2)) / (b * sqrt(2))
    assert hash(x) == hash((a * sqrt(2)) / (b * sqrt(2)))
    if isinstance(x, RootRatio):
        assert parse(str(x)) == x == pickle.loads(pickle.dumps(x))
        assert str((a * 3) / (b * 3)) == str((-a) / (-b)) == str(x) == str(parse(str(x)))
        changed = (x + number, number - x, -x, x * number, 1 / x)
        expected = (
            DIGITS.add(first, ratio(number)), DIGITS.subtract(ratio(number), first), -first,
            DIGITS.multiply(first, ratio(number)), DIGITS.divide(Decimal(1), first),
        )  # fmt: skip
        assert [*map(float, changed)] == [*map(float, expected)]


def test_quotients_that_are_sums_are_equal_to_them():
    golden = (1 + sqrt(5)) / 2
    assert 1 / golden == golden - 1
    assert (2 + sqrt(2)) / (1 + sqrt(2)) == sqrt(2)
    assert hash((2 + sqrt(2)) / (1 + sqrt(2))) == hash(sqrt(2))
    assert ((2 + sqrt(8)) / (1 + sqrt(2))).fraction == 2
    assert {((1 + sqrt(2)) / (3 + sqrt(18))): "a third"}[Fraction(1, 3)] == "a third"
    assert order(sqrt(3), 1 / golden) == 1
    assert order(1 / golden, log(2)) == -1


# --- order
@hundreds
@given(parts, parts)
def test_order_against_decimals(one, other):
    difference = DIGITS.subtract(decimal(one), decimal(other))
    expected = 0 if abs(difference) < ROUNDING else (1 if difference > 0 else -1)
    x, y = made(one), made(other)
    assert order(x, y) == expected
    float(x), float(y)  # what is remembered changes nothing
    assert order(x, y) == expected
    assert expected or hash(x) == hash(y)


@hundreds
@given(rationals, radicands, rationals, radicands)
def test_single_roots_are_ordered_as_their_squares_with_sign(one, x, other, y):
    def signed_square(coefficient, radicand):
        return coefficient * abs(coefficient) * radicand

    expected = signed_square(one, x), signed_square(other, y)
    assert order(one * sqrt(x), other * sqrt(y)) == (expected[0] > expected[1]) - (expected[0] < expected[1])
    assert order(one * sqrt(x), other) == (expected[0] > other * abs(other)) - (expected[0] < other * abs(other))


def test_near_ties_are_told():
    """√n + √(n+2) is all but 2·√(n+1), nearer for every n; and two sums of three roots agree in many digits."""
    for digits in (10, 100, 1000):
        below = Fraction(isqrt(2 * 10 ** (2 * digits)), 10**digits)
        assert order(below, sqrt(2)) == order(sqrt(2), below + Fraction(1, 10**digits)) == -1
    for n in (10**3, 10**30, 10**300):
        assert order(sqrt(n) + sqrt(n + 2), 2 * sqrt(n + 1)) == -1
    one, other = sqrt(10) + sqrt(11), sqrt(5) + sqrt(18)
    assert order(one, other) == 1
    assert abs(float(one - other)) < 2e-4


#: Primes beyond the reach of trial division, by their squares.
P, Q = 65_537, 4_294_967_311


def test_squares_are_met_again_wherever_they_hide():
    assert sqrt(P * P * Q) == P * sqrt(Q)
    assert sqrt(P * P * Q) - P * sqrt(Q) == 0
    assert hash(sqrt(P * P * Q)) == hash(P * sqrt(Q))
    assert Q * sqrt(P**3) == P * sqrt(P * Q * Q)
    assert order(sqrt(P * P * Q + 1), P * sqrt(Q)) == 1
    assert str(sqrt(P * P)) == str(P)
    assert (sqrt(P * P * Q) * sqrt(Q)).fraction == P * Q
    assert str(sqrt(Q) + sqrt(P * P * Q)) == f"{P + 1}·√{Q}"
    assert str(sqrt(12 * Q * Q)) == f"{2 * Q}·√3"


def test_others_beside_it():
    for value in (0.5, nan, inf):
        for found in (sqrt(2) + value, value - sqrt(2), sqrt(2) * value, sqrt(2) / value, value / sqrt(2)):
            assert isinstance(found, float)
    assert str(Score.of(sqrt(Fraction(1, 2)))) == "1/2·√2 ≈ 0.707107"
    assert str(Score.of(sqrt(2)) - Score.of(Fraction(1))) == "−1 + √2 ≈ 0.414214"
    assert (Score.of(sqrt(2)) - Score.of(log(2))).exact is None
    nearest = float(sqrt(2))
    assert sqrt(2) != nearest
    assert order(sqrt(2), nearest) == (1 if Fraction(nearest) ** 2 < 2 else -1)
    assert -inf < sqrt(2) < inf
    assert sqrt(2) != nan
    assert sqrt(2) != "√2"
    assert {Fraction(3, 2): 1}[sqrt(Fraction(9, 4))] == 1
    assert order(sqrt(2), log(4)) == 1
    assert order(log(3) / log(2), sqrt(2)) == 1
    assert 10**400 * log(2) != sqrt(2)


def test_numbers_no_float_can_hold():
    with pytest.raises(OverflowError):
        float(10**400 * sqrt(2))
    with pytest.raises(Fault, match="too large for a float"):
        as_score(10**400 * sqrt(2))
    assert (float(sqrt(2) / 10**400), float(sqrt(Fraction(2, 10**700)))) == (0.0, 0.0)
    assert float(sqrt(10**600)) == 1e300


# --- as it is printed, kept and read
@pytest.mark.parametrize(("number", "text"), [
    (sqrt(0), "0"), (sqrt(Fraction(9, 4)), "3/2"), (sqrt(2), "√2"), (-sqrt(12), "−2·√3"),
    (sqrt(Fraction(2, 3)), "1/3·√6"), (1 - sqrt(Fraction(1, 2)), "1 − 1/2·√2"), (sqrt(3) - sqrt(2) - 1, "−1 − √2 + √3"),
])  # fmt: skip
def test_printed(number, text):
    assert (str(number), repr(number), f"{number}") == (text, text, text)
    assert f"{number:.3f}" == f"{float(number):.3f}"
    assert isinstance(simplest(number), Fraction) == ("√" not in text)
    assert exact_from_json(exact_to_json(number)) == number
    assert Score.from_json(Score.of(number).to_json(), "it").exact == number


@hundreds
@given(parts)
def test_what_is_printed_is_read(part):
    is_read_as_it_is_printed(made(part))


# --- verdicts
def test_roots_are_compared_without_a_tolerance():
    one, other = sqrt(Fraction(1, 2)), sqrt(Fraction(1, 2) + Fraction(1, 10**40))
    assert float(one) == float(other)
    assert broken(WORSE, (one, other), Bounds(best=1.0)) is None
    assert broken(WORSE, (other, one), Bounds(best=1.0)) == "the left scores higher"
    assert broken(WORSE, (one, sqrt(2) / 2), Bounds(best=1.0)) == "the left scores as high as the right"
    assert broken(EQUAL, (one, other), Bounds(best=1.0)) == "the scores differ"
    assert broken(EQUAL, (one, other), Bounds(best=1.0)) != broken(EQUAL, (float(one), float(other)), Bounds(best=1.0))
    nearly = sqrt(1 - Fraction(1, 10**40))
    assert 1 - float(nearly) < TOLERANCE
    assert broken(NOT_OPTIMAL, (nearly, one), Bounds(best=1.0)) is None
    assert broken(NOT_OPTIMAL, (sqrt(1), one), Bounds(best=1.0)) == "the left reaches the optimum"
    assert broken(WORSE, (sqrt(2), log(5)), Bounds(best=2.0)) is None
    assert broken(WORSE, (log(3) / log(2), sqrt(2)), Bounds(best=2.0)) == "the left scores higher"
    assert not same_score(one, other, 1e-9)


def geometric_mean(candidate, gold):
    """The root of purity times inverse purity, of partitions."""
    best = [max(len(found & true) for true, _ in gold) for found, _ in candidate]
    inverse = [max(len(found & true) for found, _ in candidate) for true, _ in gold]
    return sqrt(Fraction(sum(best) * sum(inverse), gold.shape[0] ** 2))


def test_a_measure_may_be_a_root():
    mine = make_measure(geometric_mean, id="geometric-mean", domain="partitions")
    pair = Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1])
    assert mine.exact(*pair) == sqrt(Fraction(2, 3))
    results = metaeval.check(mine, ["A.3", "A.5"], ["canonical"], examples=0, exhaustive=5, effort=0, jobs=1)
    verdicts = {cell.condition: cell for cell in results}
    assert [verdicts[id].verdict for id in ("A.3", "A.5")] == [Verdict.VIOLATED, Verdict.HOLDS]
    certificate = verdicts["A.3"].certificate
    data = as_json(certificate)
    assert verify(data, mine).left.exact == certificate.left.exact
    metaeval.describe(verdicts["A.3"])
    assert isinstance(certificate.left.exact, RootSum)
    data["scores"]["left"]["exact"] = None
    with pytest.raises(Refused, match="states no exact score"):
        verify(data, mine)
