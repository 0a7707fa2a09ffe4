"""Equations on arrays and compiled: both are what the equation means, cell by cell, and agree on large inputs."""

import subprocess
import sys
from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from slow_equations import Trees, random_pairs, slow_score

import metaeval
from metaeval import Biclustering, Equation
from metaeval.catalogue.measure import is_own
from metaeval.equations.array_score import TOLERANCE, on_arrays
from metaeval.equations.equation import unchecked
from metaeval.kernel.overlay import forget_overlays, overlay

from metaeval.equations import (  # isort: skip
    best, c, cells, classes, classmates, clusters, exp, g, in_class, in_cluster, largest, least, log, mates, matrix,
    meetings, n, over, pairs, sqrt,
)  # fmt: skip

EQUATIONS = {id: m.equation for id, m in metaeval.measures().items() if is_own(m) and m.is_equation}
#: The kinds of inputs that an equation of each domain is defined on.
KINDS = {
    "biclusterings": ("partitions", "partial", "clusterings", "biclusterings"), "disjoint": ("partitions", "partial"),
    "clusterings": ("partitions", "clusterings"), "partitions": ("partitions",),
}  # fmt: skip


def some(random, size, share):
    return {x for x in range(size) if random.random() < share} | {random.randrange(size)}


def family(random, shape, count, share=0.25):
    return Biclustering([(some(random, shape[0], share), some(random, shape[1], share)) for _ in range(count)], shape)


def labels(random, objects, count, missing=0.0):
    return [-1 if random.random() < missing else random.randrange(count) for _ in range(objects)]


def large_pair(kind, seed):
    """Hundreds of cells; some pairs are equal on both sides, or nearly."""
    random = Random(f"{kind} {seed}")
    if kind in ("partitions", "partial"):
        objects, count, width = random.randrange(200, 600), random.choice((1, 2, 6, 20, 40)), random.choice((1, 3))
        found = labels(random, objects, count, 0.2 * (kind == "partial"))
        share = random.choice((0, 0.01, 0.3, 1))
        gold = [random.randrange(count) if random.random() < share else one for one in found]
        return Biclustering.from_labels(found, width), Biclustering.from_labels(gold, width)
    shape = (random.randrange(40, 100), 1) if kind == "clusterings" else (random.randrange(20, 40), 12)
    count = random.choice((2, 5, 9))
    gold = family(random, shape, count, random.choice((0.1, 0.3)))
    kept = gold.biclusters[: random.choice((0, 0, count))]
    return Biclustering([*kept, *family(random, shape, count)][: random.choice((1, count, 2 * count))], shape), gold


def agree(kind, seeds):
    alone = Counter()
    for seed in seeds:
        pair = large_pair(kind, seed)
        for id, equation in EQUATIONS.items():
            if kind in KINDS[equation.domain]:
                found = on_arrays(equation, overlay(*pair))
                exact = float(equation(*pair))
                size = max(1.0, abs(exact))
                assert abs(equation.fast(*pair) - exact) <= 1e-12 * size, (id, seed)
                alone[id] += bool(found.error <= TOLERANCE * size)
    # It is mostly the arrays that agree, and not the exact function in their place.
    assert [id for id, number in alone.items() if number < len(seeds) * 2 / 3] == []


@pytest.mark.parametrize("kind", KINDS["biclusterings"])
def test_arrays_agree_with_the_exact_score_on_large_pairs(kind):
    """At least 200 pairs per measure."""
    agree(kind, range(200 if kind == "partitions" else 100))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS["biclusterings"])
def test_arrays_agree_with_the_exact_score_on_many_large_pairs(kind):
    agree(kind, range(1000, 1400))


# --- Random trees --------------------------------------------------------------------------------------------
def check_trees(seed, number, slow=False):
    """Random equations on small pairs; the share of the scores that arrays could tell by themselves."""
    trees, random, alone, scores = Trees(seed), Random(seed), 0, 0
    for _ in range(number):
        equation = trees.equation()
        for pair in random_pairs(random, equation.domain, 6):
            forget_overlays()
            exact = equation(*pair)
            assert not slow or float(exact) == pytest.approx(float(slow_score(equation, *pair)), rel=1e-9, abs=1e-9)
            forget_overlays()
            size = max(1.0, abs(float(exact)))
            assert abs(equation.fast(*pair) - float(exact)) <= 1e-12 * size, (equation, *pair)
            alone += bool(on_arrays(equation, overlay(*pair)).error < TOLERANCE * size)
            scores += 1
    return alone / scores


def test_random_equations_score_on_arrays_as_they_are_compiled():
    assert check_trees("arrays", 250) > 1 / 2


def test_random_equations_score_as_they_mean_where_arrays_count_pairs_exactly(monkeypatch):
    monkeypatch.setattr("metaeval.kernel.overlay.MANY_ATOMS", 0)
    assert check_trees("tangled", 60, slow=True) > 1 / 2


@pytest.mark.long
def test_many_random_equations_score_on_arrays_as_they_are_compiled():
    assert check_trees("many arrays", 2000) > 1 / 2


#: Operators whose values are no rational numbers, in and around sums.
IRRATIONAL = (
    sqrt(meetings(n / g) / (1 + cells(1))), log(1 + pairs(in_cluster)), exp(-clusters(1)), meetings(log(g * c / n**2)),
    clusters(sqrt(g) * best(n / sqrt(g * c))), cells(clusters(log(g)) + sqrt(classes(1))), largest(sqrt(cells(1)), 2),
    pairs(sqrt(clusters(1))), over(clusters(log(g)), clusters(g * log(g)), 5), classes(best(sqrt(n.rows / c.rows))),
    over(sqrt(pairs(in_cluster * in_class)), sqrt(pairs(1)), 0), cells(sqrt(mates(1)) * classmates(in_cluster)),
    log(1 + clusters(best(log(1 + n)))) * sqrt(2 + matrix), least(meetings(sqrt(n)), cells(log(1 + classes(1)))),
)  # fmt: skip


@pytest.mark.parametrize("expression", IRRATIONAL, ids=str)
def test_roots_and_logarithms_score_as_they_mean(expression):
    with unchecked():
        equation = Equation(expression, empty=1)
    for pair in random_pairs(Random(str(expression)), "biclusterings", 10):
        expected = float(slow_score(equation, *pair))
        assert float(equation(*pair)) == pytest.approx(expected, rel=1e-12, abs=1e-12)
        assert equation.fast(*pair) == pytest.approx(expected, rel=1e-12, abs=1e-12)


# --- Conventions ---------------------------------------------------------------------------------------------
def test_arrays_keep_the_conventions_of_the_header():
    some, nothing = Biclustering.from_labels([0, 0, 1]), Biclustering(shape=(3, 1))
    shared = cells(in_cluster * in_class) / cells(1)
    stated = Equation(shared, empty=Fraction(1, 3), one_empty=Fraction(1, 7))
    padded = Equation(shared, empty=1)
    assert (stated.fast(nothing, nothing), stated.fast(some, nothing)) == (1 / 3, 1 / 7)
    assert (padded.fast(nothing, nothing), padded.fast(nothing, some), padded.fast(some, some)) == (1, 0, 1)
    wide = Biclustering([({0, 1}, {0, 1}), ({2}, {0})], (3, 2))
    assert Equation(shared, empty=1, unit="objects").fast(wide, some) == 1
    for domain, other, reason in (
        ("partitions", Biclustering.from_labels([0, -1, 1]), "no cluster of one side"),
        ("clusterings", wide, "different features"),
        ("disjoint", Biclustering.lifted([{0, 1}, {1, 2}]), "two biclusters of a side"),
    ):
        equation = Equation(shared, empty=1, domain=domain)
        with pytest.raises(metaeval.Undefined, match=reason):
            equation.fast(other, some)


def test_where_rounding_could_show_the_exact_function_scores():
    """The two sums differ by one part in 10²⁰; as floats they are the same."""
    large = 10**20 * clusters(1)
    equation = Equation((large + 1) - large, empty=1, best=None)
    pair = Biclustering.from_labels([0, 1]), Biclustering.from_labels([0, 0])
    assert on_arrays(equation, overlay(*pair)).error > TOLERANCE
    assert equation.fast(*pair) == 1


def test_numbers_beyond_the_integers_of_arrays():
    side = Biclustering([(range(3), range(2)), ({2**63}, {2**64})])
    for id in ("rand", "vi", "bcubed", "rnia", "e4sc", "ebc"):
        assert EQUATIONS[id].fast(side, side) == pytest.approx(float(EQUATIONS[id](side, side)), abs=1e-12)


def test_large_disjoint_inputs_load_neither_scipy_nor_the_prover():
    code = """if True:
        import random, sys, metaeval
        random.seed(0)
        pair = [metaeval.Biclustering.from_labels([random.randrange(30) for _ in range(900)]) for _ in range(2)]
        measures = [m for m in metaeval.measures().values() if m.is_equation and m.family not in ("matching", "cells")]
        assert all(m.scores_on_arrays(*pair) for m in measures)
        print(len([m.score(*pair) for m in measures]), {"scipy", "metaeval.proofs", "flint"} & set(sys.modules))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    number, loaded = done.stdout.split(maxsplit=1)
    assert (int(number) > 15, loaded.strip()) == (True, "set()")
