"""Verdicts on exact logarithms: as floats have it wherever these can tell, and by the normal form where they cannot."""

import copy
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain, islice
from math import log as float_log

import pytest
import reference
from brute_force import OF_PAIRS, OF_PAIRS_ID, condition_of, reading_of
from hunting import search_among
from sklearn.metrics import normalized_mutual_info_score
from tools import as_json, put

import metaeval
from metaeval import Biclustering, Side
from metaeval.cases.sampling import sample_here
from metaeval.catalogue.measure import find_measure, make_measure
from metaeval.core.relation import EQUAL, TOLERANCE, WORSE, Bounds, broken
from metaeval.core.verdict import Verdict
from metaeval.exact import LogRatio, LogSum, log
from metaeval.records.score import Score
from metaeval.verification.certificate_check import Refused, verify
from metaeval.verification.golden import same_score
from metaeval.workers.call import as_score, evaluate
from metaeval.workers.faults import Fault

VI = find_measure("vi")
FEW = {"examples": 20, "exhaustive": 3, "effort": 1, "proofs": False, "jobs": 1}
ZERO, ONE = Bounds(best=0.0), Bounds(best=1.0)


@lru_cache(maxsize=4096)
def float_vi(side: Side) -> float:
    return reference.vi(*side)


def same_by_integers(left: Side, right: Side) -> bool:
    """Whether VI is the same: e^(|U|·VI) is rational, and so are its powers."""
    (one, size), (other, other_size) = reference.vi_product(*left), reference.vi_product(*right)
    return one ** max(1, other_size) == other ** max(1, size)


@pytest.mark.parametrize(("condition", "reading"), OF_PAIRS, ids=OF_PAIRS_ID)
def test_verdicts_are_those_of_floats_wherever_these_can_tell(condition, reading):
    listed = chain.from_iterable(map(reading.enumerate_, range(1, reading.reach + 1)))
    cases = list(islice(listed, 100))
    # To draw a case takes longer than to judge it; so many are drawn only where few are listed.
    cases += sample_here((condition.id, reading.name), 5 if len(cases) >= 50 else 60, 0)
    for case in cases:
        exact = evaluate(VI, case.left), evaluate(VI, case.right)
        floats = float_vi(case.left), float_vi(case.right)
        assert all(isinstance(score, LogSum) or not any(side) for score, side in zip(exact, case, strict=True))
        assert [float(score) for score in exact] == pytest.approx(floats, abs=1e-12)
        if abs(floats[0] - floats[1]) <= TOLERANCE:
            assert (exact[0] == exact[1]) == same_by_integers(*case)
        if any(abs(score) <= TOLERANCE for score in floats):
            assert [score == 0 for score in exact] == [reference.vi_product(*side)[0] == 1 for side in case]
        # Where floats tie, numbers do here; so the words are the same as well.
        assert broken(condition.relation, exact, ZERO) == broken(condition.relation, floats, ZERO)
    assert len(cases) >= 50


@cache
def tie():
    """VI on A.3: an object in a clean cluster or in a rag bag is all the same to it."""
    return search_among(condition_of("A.3"), reading_of("A.3", "canonical"), [VI], drawn=[], exhaustive=5)[0]


@pytest.fixture
def sound():
    return as_json(tie().certificate)


def test_a_difference_below_every_tolerance_is_one():
    near = 306 * log(3) / 10**12, 485 * log(2) / 10**12
    assert abs(float(near[0]) - float(near[1])) < TOLERANCE / 1000
    assert 3**306 < 2**485
    assert broken(WORSE, near, ONE) is None
    assert broken(WORSE, near[::-1], ONE) == "the left scores higher"
    assert broken(EQUAL, near, ONE) == "the scores differ"
    assert broken(EQUAL, tuple(map(float, near)), ONE) is None
    assert broken(WORSE, (log(4), 2 * log(2)), ONE) == "the left scores as high as the right"
    assert broken(WORSE, (Fraction(69, 100), log(2)), ONE) is None
    assert broken(EQUAL, (log(2), float(log(2))), ONE) is None  # beside a float there is a tolerance


def test_a_score_too_large_for_a_float_is_a_fault():
    assert as_score(log(2)) == log(2)
    with pytest.raises(Fault, match="too large for a float"):
        as_score(10**400 * log(2))


# --- certificates
def stating(data, side, exact):
    return put(copy.deepcopy(data), ("scores", side, "exact"), exact)


def test_a_certificate_carries_the_logarithms_and_verify_checks_them(sound):
    # A tie, so that the verdicts above decide something.
    assert sound["scores"]["left"]["exact"] == sound["scores"]["right"]["exact"] == "−3/5·log 3"
    assert tie().verdict == Verdict.VIOLATED
    stated = verify(sound)
    assert stated.left.exact == -Fraction(3, 5) * log(3)
    assert stated.to_json() == sound
    # One from before logarithms were exact still holds.
    verify(stating(stating(sound, "left", None), "right", None))


#: Rounds to the same float.
NUDGED = f"−1/{10**40} − 3/5·log 3"


@pytest.mark.parametrize(("exact", "reason"), [
    ("−2/5·log 3", "the left scores −3/5·log 3, not '−2/5·log 3'"),
    ("3/5·log 3", "the left scores −3/5·log 3, not '3/5·log 3'"),
    ("-1/2", "the left scores −3/5·log 3, not '-1/2'"),
    (NUDGED, "the left scores −3/5·log 3, not"),
    *(
        (text, "logarithms of primes such as")
        for text in ("−3/10·log 9", "-3/5·log 3", "−3/5*log(3)", "−3/5·log 3; import os", "log " + "3" * 5000, [])
    ),
])  # fmt: skip
def test_other_logarithms_are_refused(sound, exact, reason):
    assert float(Score.from_json({"float": 0.0, "exact": NUDGED}, "it").exact) == sound["scores"]["left"]["float"]
    with pytest.raises(Refused) as refused:
        verify(stating(sound, "left", exact))
    assert reason in str(refused.value)
    assert len(str(refused.value)) < 400


# --- measures of one's own, golden scores
def conditional_entropy(candidate, gold):
    """H(gold | candidate), of partitions of the objects: a dissimilarity."""
    found = []
    for rows, _ in candidate:
        for classed, _ in gold:
            if n := len(rows & classed):
                found.append(n * log(Fraction(len(rows), n)))
    return sum(found, start=log(1)) / max(1, gold.shape[0])


def normalised_information(candidate, gold):
    """2·I / (H(candidate) + H(gold)) of partitions, and 1 where both are a single cluster."""
    rows = [[len(found & true) for true, _ in gold] for found, _ in candidate]
    columns = list(zip(*rows, strict=True))
    total = gold.shape[0]

    def entropy(sizes):
        return sum((n * log(Fraction(total, n)) for n in sizes if n), start=log(1))

    marginal = entropy(map(sum, rows)) + entropy(map(sum, columns))
    joint = entropy(n for row in rows for n in row)
    return 2 * (marginal - joint) / marginal if marginal else Fraction(1)


def test_a_measure_of_one_s_own_may_be_made_of_logarithms():
    entropy = make_measure(
        conditional_entropy, id="conditional-entropy", best=0, smaller_is_better=True, domain="partitions"
    )
    pair = Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1])
    assert entropy.exact(*pair) == Fraction(1, 2) * log(2) - Fraction(3, 4) * log(3)
    assert entropy.score(*pair) == pytest.approx(-3 / 4 * (float_log(3) - 2 / 3 * float_log(2)))
    # A quotient, against scikit-learn's floats.
    found, true = [0, 0, 0, 1, 1], [0, 0, 1, 1, 2]
    information = make_measure(normalised_information, id="exact-nmi", domain="partitions")
    pair = Biclustering.from_labels(found), Biclustering.from_labels(true)
    assert information.score(*pair) == pytest.approx(normalized_mutual_info_score(true, found))
    assert isinstance(information.exact(*pair), LogRatio)
    results = metaeval.run([entropy, information], ["A.1", "A.2", "A.3", "A.5"], ["canonical"], **FEW)
    verdicts = {cell.key[:2]: cell.verdict for cell in results}
    for id in (entropy.id, information.id):
        assert [verdicts[id, name] for name in ("A.1", "A.2")] == [Verdict.HOLDS, Verdict.VIOLATED]
    # A.5 needs the exact optimum; A.2 is violated where the gold is a single class.
    assert verdicts[information.id, "A.5"] == Verdict.HOLDS
    certificate = results.cell(entropy.id, "A.2").certificate
    assert certificate.left.exact == certificate.right.exact
    violated = [cell for cell in results if cell.certificate is not None]
    assert any(isinstance(cell.certificate.left.exact, LogRatio) for cell in violated)
    for cell in violated:
        verify(as_json(cell.certificate), entropy if cell.measure == entropy.id else information)
        assert metaeval.describe(cell)


def test_quotients_are_compared_without_a_tolerance():
    one, other = log(3) / log(2), log(3) / log(2) + Fraction(1, 10**30)
    assert float(one) == float(other)
    assert broken(WORSE, (one, other), ONE) is None
    assert broken(WORSE, (other, one), ONE) == "the left scores higher"
    assert broken(EQUAL, (one, other), ONE) == "the scores differ"
    assert broken(EQUAL, (one, log(9) / log(4)), ONE) is None
    assert (Score.of(one) - Score.of(other)).exact is None


def test_differences_and_perfect_matches_are_exact():
    difference = Score.of(log(6)) - Score.of(log(2) + 1)
    assert (difference.exact, str(difference)) == (log(3) - 1, "−1 + log 3 ≈ 0.0986123")
    assert (Score.of(Fraction(1)) - Score.of(log(2))).exact == 1 - log(2)
    gold = Biclustering.from_labels([0, 0, 1, 1, 1, 2])
    assert evaluate(VI, Side(gold, gold)).coefficients == {}


def test_golden_scores_of_logarithms_are_exact_and_old_floats_still_agree():
    assert same_score(log(4), 2 * log(2), 0.0)
    assert not same_score(log(4), 2 * log(2) + Fraction(1, 10**30), 1e-9)
    assert same_score(float(log(2)), log(2), 1e-9)
    assert not same_score(0.7, log(2), 1e-9)
    assert not same_score(log(2), float(log(2)), 1e-9), "exact no longer"
    assert not same_score(0.5, Fraction(1, 2), 1e-9), "a fraction was always exact"


@pytest.mark.parametrize(("score", "shown"), [
    (log(2) / 2, "1/2·log 2 ≈ 0.346574"), (log(1) - Fraction(1, 2), "-1/2 = -0.5"), (log(2) - log(2), "0"),
    (sum((log(n) / 7 for n in (2, 3, 5, 7, 11)), start=log(1)), "1.10643"),
])  # fmt: skip
def test_shown(score, shown):
    assert str(Score.of(score)) == shown
