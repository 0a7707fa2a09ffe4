"""False proofs: equations that a careless rule would call proved. Each is refused, and each refusal is needed.

The fourteen traps and the twenty corrected side conditions are numbered as in ``test_rules.py``, which takes the side
conditions back one at a time. Where an equation is well made and only its proof is refused, the test finds a case of
the reading that breaks the condition: no refusal here is more careful than it has to be.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import NamedTuple

import pytest

import metaeval
from metaeval import Biclustering, Case, InputError, Side
from metaeval.cases.pack import CasePack, PackedSource, opened
from metaeval.cases.store import Disk, PackKey, Shipped, made
from metaeval.catalogue.measure import make_measure
from metaeval.core.relation import broken
from metaeval.core.settings import Settings
from metaeval.proofs.proof import Unproved, derive

from metaeval.equations import (  # isort: skip
    Equation, Expression, best, c, cells, classes, classmates, clusters, exp, f1, g, in_class, in_cluster, largest,
    least, log, matching, mates, matrix, meetings, n, over, pairs, sqrt, swapped,
)  # fmt: skip

i, j = in_cluster, in_class
DEPTH, CLASS_DEPTH, U, SHARED = clusters(1), classes(1), cells(1), cells(i * j)
PRECISION = SHARED / cells(i)
JACCARD = n / (g + c - n)
LIKENESS = clusters(best(JACCARD)) / DEPTH
#: Less than 1 for a cluster that is larger than what it shares, but not for a stranger.
ALOOF = clusters(best(1 - n * (g - n) / g**2)) / DEPTH
UNLIKE = (g + c - 2 * n) / (g + c)
CANDIDATE_ONLY = pairs(i * (1 - j))
HIDDEN = over(n * n, n * (g + c - n), 1)
SIGNED = pairs(i) - U

Make = Callable[[], Equation]


def made_of(e: Expression, **header: object) -> Make:
    return lambda: Equation(e, **{"empty": 1, "one_empty": 0, "low": 0, **header})  # type: ignore[arg-type]


def cost(e: Expression) -> Make:
    return made_of(e, empty=0, one_empty=None, best=0, low=None, smaller_is_better=True)


def registered(id: str, **header: object) -> Make:
    return lambda: Equation(metaeval.measures()[id].equation.expression, **header) if header else equation_of(id)


def equation_of(id: str) -> Equation:
    found = metaeval.measures()[id].equation
    assert found is not None
    return found


def f1_with(v: int, p: Expression = SHARED / U, r: Expression = PRECISION) -> Make:
    return made_of(over(2 * p * r, p + r, v))


def mean(t: Expression | Fraction, op: Callable[[object], Expression] = mates) -> Expression:
    """A mean over mates (classmates), summed over cells, of those that are in a cluster (a class)."""
    return cells(over(op(t), op(1), 0)) / cells(i if op is mates else j)


class Trap(NamedTuple):
    """An equation, and the cells in which it is not to be called proved: ``S.2 canonical``."""

    number: str
    name: str
    make: Make
    cells: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.number} {self.name}"


#: Proofs that must be refused. T1 to T14 are the traps, numbers alone the corrected side conditions.
FALSE = [
    Trap(*one)
    for one in (
        ("T1", "rows overlap where biclusters do not", registered("cice"),
         ("S.1 literal", "H.6 literal", "H.1 canonical", "H.3 canonical")),
        ("T2", "a split cluster that meets no class", registered("bcubed"), ("G.1 literal",)),
        ("T2", "a split cluster that meets no class, likeness", registered("mocice"), ("G.1 literal",)),
        ("T3", "the matrix two levels down", made_of(over(over(SHARED, matrix, 0), cells(i), 0)),
         ("B.2 canonical", "B.2 overlapping")),
        ("T5", "a stranger is the best partner", made_of(clusters(best(UNLIKE)) / DEPTH),
         ("H.2 literal", "A.5 canonical", "B.4 canonical")),
        ("T5", "a stranger is as good as the class itself", made_of(f1(ALOOF, swapped(ALOOF))), ("A.5 literal",)),
        ("T7", "in_class among classmates", made_of(mean(j, classmates)),
         ("A.5 canonical", "A.5 overlapping", "B.5 canonical", "H.2 literal")),
        ("T7", "in_cluster among mates", made_of(mean(i)),
         ("A.5 canonical", "A.5 overlapping", "B.5 canonical", "H.2 literal")),
        ("T8", "best of what is negative", made_of(clusters(best(n * (n - g) / g**2)) / cells(i)),
         ("H.1 literal", "H.1 overlapping")),
        ("T10", "a number mixed with a depth", made_of(cells(least(2, DEPTH)) / cells(i)), ("B.4 repeated",)),
        ("T10", "pairs do not scale", made_of(over(pairs(i * j), pairs(1), 1)), ("B.3 canonical", "B.4 canonical")),
        ("T10", "a matching across copies", made_of(matching(UNLIKE) / largest(DEPTH, CLASS_DEPTH)),
         ("B.4 canonical", "B.4 overlapping")),
        ("T10", "copies share features",
         made_of(clusters(best(n.cols * (g.rows - n.rows) / (g.rows * g.cols))) / DEPTH),
         ("B.4 canonical", "B.4 overlapping")),
        ("T13", "a divisor that is 0 on the right", made_of(over(2 * CANDIDATE_ONLY, CANDIDATE_ONLY, 1)),
         ("A.1 canonical", "G.2 canonical", "G.2 literal")),
        ("T14", "no pair need be together on both sides", registered("jaccard"), ("A.1 canonical", "G.1 canonical")),
        ("T14", "no pair need be together on both sides, Dice", registered("dice"), ("A.1 canonical",)),
        ("1", "a cluster that is its class", made_of(clusters(best((n + 1) / g)) / DEPTH), ("S.2 canonical",)),
        ("2", "0/0 for a stranger", made_of(clusters(best(HIDDEN)) / DEPTH),
         ("A.5 canonical", "A.5 literal", "H.2 literal")),
        ("2", "0/0 for a stranger, swapped", made_of(classes(best(HIDDEN)) / CLASS_DEPTH),
         ("A.5 canonical", "A.5 literal", "H.2 literal")),
        ("3", "a negative root", made_of(clusters(best(-n / sqrt(g * c))) / DEPTH),
         ("S.3 canonical", "S.3 overlapping", "A.5 overlapping")),
        ("3", "a negative root over cells", made_of(clusters(best(-n / sqrt(g * c))) / cells(i)), ("H.1 literal",)),
        ("4", "strangers under best", made_of(clusters(best(2 - n)) / DEPTH), ("S.2 canonical", "S.2 literal")),
        ("4", "likeness of strangers", made_of(clusters(best(2 / (n + 1))) / DEPTH), ("S.2 canonical", "S.2 literal")),
        ("4", "best is never negative", made_of(-clusters(best(-1)) / DEPTH, low=None),
         ("S.3 canonical", "S.3 overlapping")),
        ("5", "a mean of halves", made_of(mean(Fraction(1, 2))), ("S.3 canonical", "S.3 overlapping")),
        ("5", "a mean of what both have", made_of(mean(1 - j)), ("S.3 canonical", "S.3 overlapping")),
        ("5", "a mean of halved likeness",
         made_of(f1(mean(over(clusters(best(n / (2 * g))), DEPTH, 0)), mean(i, classmates))),
         ("S.3 canonical", "S.3 overlapping", "A.5 canonical")),
        ("6", "f1 with 7 for 0/0", f1_with(7), ("S.2 literal", "S.2 overlapping")),
        ("6", "f1 with 1 for 0/0", f1_with(1), ("A.5 literal", "H.8 literal")),
        ("6", "f1 of likeness with 1 for 0/0", f1_with(1, LIKENESS, swapped(LIKENESS)),
         ("A.5 literal", "A.5 overlapping")),
        ("7", "a matching over any number", made_of(matching(JACCARD) / largest(1, pairs(i * j))),
         ("S.2 canonical", "A.5 canonical", "H.2 literal")),
        ("7", "a matching over one number", made_of(matching(JACCARD) / largest(1, DEPTH)), ("H.2 literal",)),
        ("8", "no cluster and a class", made_of((DEPTH - 1) / (DEPTH + CLASS_DEPTH), empty=0, one_empty=None),
         ("S.2 literal",)),
        ("9", "the root of a square", made_of(1 + SIGNED - sqrt(SIGNED**2), low=None), ("S.3 canonical",)),
        ("10", "a dissimilarity of −1 for one empty side",
         registered("vi", empty=0, one_empty=-1, best=0, smaller_is_better=True), ("H.2 canonical", "H.8 canonical")),
        ("10", "a best of 2", made_of(2 * SHARED / U, best=2, empty=2), ("A.5 canonical",)),
        ("11", "one cluster on the left", made_of(over((DEPTH - 1) * DEPTH, DEPTH - 1, 100), low=None),
         ("A.1 canonical",)),
        ("11", "one cluster on the right", made_of(over(-(DEPTH - 1) * DEPTH, DEPTH - 1, -100), low=None),
         ("A.2 canonical",)),
        ("12", "fewer clusters on the right", made_of(DEPTH * meetings(n**2 / c) / U**2), ("A.4 canonical",)),
        ("13", "several features",
         made_of(meetings(n - n**2 / c + Fraction(11, 5) * n**2 / c**2) / U), ("A.4 canonical",)),
        ("14", "logarithms of classes alone", cost(classes(c * log(c)) / U), ("A.2 literal", "A.4 literal")),
        ("15", "pairs against entropies", cost((2 * meetings(n * log(g / n)) - CANDIDATE_ONLY) / U),
         ("A.1 canonical", "A.1 literal")),
        ("15", "pairs against entropies, swapped", cost((2 * meetings(n * log(c / n)) - pairs(j * (1 - i))) / U),
         ("A.2 canonical", "A.2 literal")),
        ("16", "a split where nothing is shared",
         made_of(over(CANDIDATE_ONLY / 2 + SHARED, CANDIDATE_ONLY + SHARED, 0)),
         ("G.2 literal",)),
        ("16", "a split with one shared cell", made_of((SHARED - 1) * -CANDIDATE_ONLY, low=None), ("G.2 literal",)),
        ("17", "an inner value for 0/0",
         made_of(over(over(5 * CANDIDATE_ONLY + 7 * pairs(i * j), pairs(i), 1), U, 0), low=None), ("G.2 canonical",)),
        ("18", "the matrix stays", made_of(SHARED / matrix),
         ("B.1 canonical", "B.1 overlapping", "H.1 literal", "H.3 literal")),
        ("19", "two bests", made_of(classes(best(JACCARD) + 100 * best(g / (g + c))) / cells(i)), ("H.1 literal",)),
        ("19", "best less a size", made_of(classes(best(JACCARD) - c) / cells(i)), ("H.1 literal", "H.1 overlapping")),
        ("20", "a negative sum", made_of((meetings(1 - 3 * n) + SHARED) / U, low=None),
         ("B.1 canonical", "H.1 literal", "H.3 literal")),
        ("20", "a negative factor", made_of((1 + meetings(1 - 2 * n)) * meetings(n**2 / g) / U**2, low=None),
         ("A.1 canonical",)),
        ("N3", "a sum by views moves", made_of(cells(over(i * j, clusters(g), 0)) / U),
         ("G.2 canonical", "G.2 literal")),
        ("N3", "a sum by views falls", made_of(cells(1 - over(i, clusters(g), 0)) / cells(i)),
         ("B.1 canonical", "H.1 literal", "H.3 literal")),
    )
]  # fmt: skip

#: Equations that cannot be made at all, and part of the sentence that says why.
NOT_MADE: list[tuple[str, Make, str]] = [
    ("T4", made_of(mean(least(DEPTH, CLASS_DEPTH) / DEPTH, classmates)), "may be 0 where no cluster is in view"),
    ("T4", made_of(clusters(best(JACCARD)) / DEPTH, one_empty=None), "may be 0 where the candidate is empty"),
    ("T6", made_of(1 - over(CANDIDATE_ONLY, pairs((1 - i) * (1 - j)), 0)), "the divisor may be 0 where the dividend"),
    ("T9", made_of(clusters(best(n / (n - g - c))) / DEPTH), "the divisor n − g − c may be 0"),
    ("T11", made_of(matching(n / sqrt(g * c)) / DEPTH), "matching(…) needs rational weights"),
    ("T12", made_of(exp(SHARED / U - Fraction(1, 2))), "its argument may be positive"),
    ("1", made_of(clusters(best(n / (g - n))) / DEPTH), "the divisor g − n may be 0"),
    ("8", made_of(over(1, DEPTH / 2 + CLASS_DEPTH / 2, 1), one_empty=None), "such as where the gold is empty"),
    ("8", made_of(over(DEPTH - 1, DEPTH + CLASS_DEPTH, 0), one_empty=None), "such as where the gold is empty"),
]

EACH_CELL = [pytest.param(one, cell, id=f"{one} {cell}") for one in FALSE for cell in one.cells]


@cache
def pack_of(condition: str) -> CasePack:
    """The cases that a search of this condition tries."""
    settings = Settings()
    key = PackKey(condition, settings.examples, settings.seed, settings.exhaustive)
    pack = Shipped().get(key) or Disk().get(key)
    if pack is None:
        pack = made(key)
        Disk().put(key, pack)  # for the other processes of the tests
    return opened(pack)


def cases_of(condition: str, reading: str) -> Iterator[Case]:
    """Listed and drawn cases of a reading."""
    source = PackedSource(metaeval.conditions()[condition].readings[reading], pack_of(condition))
    for _, cases in source.levels():
        yield from cases
    yield from source.drawn()
    yield from source.listed_elsewhere()


def counterexample(equation: Equation, cell: str, most: int = 20_000) -> Case | None:
    """A case of the reading that breaks the condition."""
    condition, reading = cell.split()
    measure, relation = make_measure(equation, id="own"), metaeval.conditions()[condition].relation
    cases = islice(cases_of(condition, reading), most)
    return next((x for x in cases if broken(relation, tuple(measure.value(*s) for s in x), measure.bounds)), None)


def refusal(equation: Equation, cell: str) -> str:
    """Why the rules do not prove a cell; nothing if they do."""
    condition, reading = cell.split()
    try:
        derive(equation, metaeval.conditions()[condition].readings[reading].situation)
    except Unproved as why:
        return str(why)
    return ""


def is_proved(equation: Equation, cell: str) -> bool:
    return not refusal(equation, cell)


@pytest.mark.parametrize(("one", "cell"), EACH_CELL)
def test_a_false_proof_is_refused_and_a_case_shows_that_it_is_false(one: Trap, cell: str):
    equation = one.make()
    assert refusal(equation, cell).endswith(".")
    case = counterexample(equation, cell)
    assert case is not None
    condition, reading = cell.split()
    assert metaeval.conditions()[condition].admits(reading, case)


@pytest.mark.parametrize(("number", "make", "why"), NOT_MADE)
def test_what_has_no_value_somewhere_is_no_equation(number: str, make: Make, why: str):
    with pytest.raises(InputError, match=r"\A[^.\n]*\Z") as error:
        make()
    assert why in str(error.value)


def test_every_trap_and_every_corrected_side_condition_has_a_test():
    tested = {one.number for one in FALSE} | {number for number, _, _ in NOT_MADE}
    assert tested >= {f"T{k}" for k in range(1, 15)} | {str(k) for k in range(1, 21)}


def test_the_smallest_false_proof_scores_2():
    """{0} against itself: a cluster that is its class has g = n."""
    one = Biclustering([({0}, {0})], shape=(1, 1))
    (first,) = (one for one in FALSE if one.number == "1")
    assert first.make()(one, one) == 2
    assert counterexample(first.make(), "S.2 canonical") == Case(Side(one, one))


#: What the refusals must not cost: the sound neighbours of these equations are proved.
SOUND = [
    ("1", clusters(best(n / g)) / DEPTH, "S.2 canonical"),
    ("2", clusters(best(over(n, g + c - n, 1))) / DEPTH, "A.5 canonical"),
    ("3", clusters(best(n / sqrt(g * c))) / DEPTH, "S.3 overlapping"),
    ("5", f1(mean(least(DEPTH, CLASS_DEPTH) / DEPTH), mean(i, classmates)), "S.3 overlapping"),
    ("6", f1(PRECISION, SHARED / cells(j)), "S.2 literal"),
    ("7", matching(JACCARD) / largest(DEPTH, CLASS_DEPTH), "H.2 literal"),
    ("12", meetings(n**2 / c) / U, "A.4 canonical"),
    ("18", SHARED / U, "B.1 overlapping"),
    ("19", classes(best(JACCARD)) / cells(i), "H.1 literal"),
    ("T3", over(over(SHARED, U, 0), cells(i), 0), "B.2 overlapping"),
]


@pytest.mark.parametrize(("number", "e", "cell"), SOUND)
def test_the_sound_neighbour_of_a_false_proof_is_proved(number: str, e: Expression, cell: str):
    equation = made_of(e)()
    assert is_proved(equation, cell)
    assert counterexample(equation, cell, 2_000) is None
