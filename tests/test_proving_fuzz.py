"""Measures made up at random: whatever is proved of one must hold on instances.

The sums and quotients are drawn, most of them no good as measures. What the prover says of them is compared with the
scores themselves, which the measure's own code gives for concrete cases.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from test_situations import CELLS, MAKERS
from tools import loaded

import metaeval
from metaeval.catalogue.measure import Measure
from metaeval.core.case import Case
from metaeval.core.relation import broken
from metaeval.proof import Proof
from metaeval.proving.prover import prove

MADE_UP = 40
INSTANCES = 40

HEAD = """
from fractions import Fraction
from metaeval.kernel.overlay import harmonic_mean, overlay

"""
MEASURE = """
def {name}(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    A = B = Fraction(0)
    for g, line in zip(cells.candidate_sizes, cells.intersections):
        for c, n in zip(cells.gold_sizes, line):
            if n:
                A += Fraction({first})
                B += Fraction({second})
    U, V, I, W, D = cells.candidate_covered, cells.gold_covered, cells.shared, cells.union, cells.matching
    return {score}

"""
TERMS = (
    "n", "n * n", "n * n, g", "n * n, c", "n ** 3, g * (g + c - n)", "n ** 3, c * (g + c - n)", "n ** 3, g * c",
    "n ** 3, g * g", "n ** 3, c * c", "n * n, g + c - n", "2 * n * n, g + c", "n, g", "n, c", "n * g, c", "n * c, g",
    "n * n * n", "n * (g - n + 1)", "n * n, 2 * g - n", "n, g * c", "g, c", "g * c - n * n", "n * (c - n), g",
)  # fmt: skip
SCORES = (
    "A / U", "A / V", "A / W", "harmonic_mean(A / U, B / V)", "harmonic_mean(A / V, B / U)", "(A + B) / (U + V)",
    "A * B / (U * V)", "A / U - B / V", "(A + D) / (U + V)", "1 - B / (A + B + W)", "A / (A + B + U)",
    "D * A / (U * V)",
    "A / (U * V)", "Fraction(I, W) + A / U", "A * A / (U * U)", "(A - B) / W", "Fraction(D, W) * (A + B) / (U + V)",
    "A / (U + V - A)", "A / (U + V - I)", "2 - W / (A + I)", "Fraction(2 * D, U + V)",
)  # fmt: skip


@pytest.fixture(scope="module")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> list[Measure]:
    draw = random.Random(11)
    names = [f"made_up_{number}" for number in range(MADE_UP)]
    drawn = [(name, draw.choice(TERMS), draw.choice(TERMS), draw.choice(SCORES)) for name in names]
    path = Path(tmp_path_factory.mktemp("fuzz")) / "made_up_measures.py"
    keys = ("name", "first", "second", "score")
    path.write_text(HEAD + "".join(MEASURE.format(**dict(zip(keys, one, strict=True))) for one in drawn))
    return [loaded(path, name) for name in names]


@pytest.fixture(scope="module")
def instances() -> dict[tuple[str, str], list[Case]]:
    draw = random.Random(12)
    return {
        (condition, reading): [MAKERS[condition](draw, partial=reading == "literal") for _ in range(INSTANCES)]
        for condition, reading in CELLS
    }


@pytest.mark.parametrize("chosen", [slice(14), pytest.param(slice(14, None), marks=pytest.mark.long)])
def test_whatever_is_proved_of_a_made_up_measure_holds(made_up, instances, chosen):
    proofs = 0
    for measure in made_up[chosen]:
        for cell in CELLS:
            condition = metaeval.conditions()[cell[0]]
            if isinstance(prove(measure, condition, cell[1]), Proof):
                proofs += 1
                for case in instances[cell]:
                    scores = [measure.exact(*side) for side in case]
                    assert broken(condition.relation, scores, measure.bounds) is None, (measure.id, cell, case)
    assert proofs >= len(made_up[chosen])
