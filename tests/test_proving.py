"""The prover: what it proves, what it must never prove, and that its reasons help."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from fooling import FOOLING, Fooling
from mutants import MUTANTS, Mutant
from symbolic import disjoint_side
from tools import as_json, loaded
from zoo import ANIMALS

import metaeval
from metaeval import Biclustering
from metaeval.catalogue.measure import Measure, make_measure
from metaeval.catalogue.source_files import source_files, source_hash
from metaeval.core.case import Case
from metaeval.core.relation import broken
from metaeval.evidence.proof_check.verification import check_proof
from metaeval.kernel.overlay import overlay
from metaeval.proof import WORLDS, Proof
from metaeval.proving.forms import local_form, value, world_of
from metaeval.proving.prover import prove
from metaeval.proving.refusal import Refusal, Refused

RESULTS = Path(__file__).parents[1] / "docs" / "results.json"
CANONICAL = ("A.1", "A.2", "A.3", "A.4", "A.5", "B.1", "B.2", "B.3", "B.4", "B.5")

#: What must be proved at the least.
PROVED = {
    *((measure, condition, "canonical") for measure in ("bcubed", "mocice") for condition in CANONICAL),
    *((measure, condition, "literal") for measure in ("bcubed", "mocice") for condition in ("A.1", "A.2", "A.5")),
    ("bcubed", "A.3", "literal"),
    *(("cice", condition, "canonical") for condition in ("A.1", "A.2", "A.3", "A.4", "A.5")),
    *(
        (measure, condition, "canonical")
        for measure in ("mocice-precision", "mocice-recall")
        for condition in CANONICAL
        if (measure, condition) != ("mocice-recall", "B.1")
    ),
    *(("rand", condition, reading) for condition in ("A.1", "A.2") for reading in ("canonical", "literal")),
    *(("ce", condition, "canonical") for condition in ("A.4", "A.5", "B.1", "B.2", "B.3", "B.4", "B.5")),
    *(("rnia", condition, "canonical") for condition in ("B.1", "B.2", "B.3", "B.4")),
}


def cells() -> Iterator[tuple[str, str]]:
    for condition in metaeval.conditions().values():
        for reading in condition.readings:
            yield condition.id, reading


@cache
def outcome(measure: Measure, condition: str, reading: str) -> Proof | Refusal:
    return prove(measure, metaeval.conditions()[condition], reading)


def reason(measure: Measure, condition: str, reading: str = "canonical") -> str:
    """Why a cell is not proved."""
    refusal = outcome(measure, condition, reading)
    assert isinstance(refusal, Refusal)
    return refusal.reason


def proved(measure: Measure) -> set[tuple[str, str]]:
    return {cell for cell in cells() if isinstance(outcome(measure, *cell), Proof)}


@cache
def matrix() -> frozenset[tuple[str, str, str]]:
    return frozenset((id, *cell) for id, measure in metaeval.measures().items() for cell in proved(measure))


# --- what is proved ------------------------------------------------------------------------------------


def test_what_is_known_to_be_provable_is_proved():
    assert matrix() >= PROVED
    assert len(matrix()) >= 50


def published() -> dict[tuple[str, str, str], str]:
    cells = json.loads(RESULTS.read_text(encoding="utf-8"))["cells"]
    return {(cell["measure"], cell["condition"], cell["reading"]): cell["verdict"] for cell in cells}


def test_no_published_violation_is_proved():
    verdicts = published()
    assert len(verdicts) >= 12 * 29
    assert {cell for cell in matrix() & set(verdicts) if verdicts[cell] not in ("holds", "proved")} == set()


def test_no_small_case_breaks_what_is_proved_and_not_published():
    for id, *cell in matrix() - set(published()):
        measure = metaeval.measures()[id]
        assert not any(is_broken(measure, cell[0], case) for case in small_cases(*cell)), (id, cell)


@pytest.mark.parametrize("condition", ["A.1", "A.2", "A.3", "A.4"])
def test_the_checker_accepts_what_is_proved(condition: str):
    """It derives each step anew, and accepts the closed forms on paper just so (test_proof_check.py)."""
    for id in ("bcubed", "mocice"):
        proof = outcome(metaeval.measures()[id], condition, "canonical")
        assert check_proof(proof.to_json()).steps == len(proof.steps)


def test_a_proof_is_written_and_read_says_what_it_trusts_and_its_steps_hold_on_random_numbers():
    """Signs of coefficients, put to the test: plain numbers above the bounds in place of the symbols."""
    draw = random.Random(3)
    for id, *cell in sorted(matrix()):
        proof = outcome(metaeval.measures()[id], *cell)
        assert Proof.from_json(as_json(proof)) == proof
        assert len(proof.trusted) >= 4
        assert all(sentence.endswith(".") for sentence in proof.trusted)
        steps = [(part, step) for part in (proof, *proof.also) for step in part.steps if proof.scheme == "rise"]
        for part, step in steps * 20:
            numbers = {one.name: Fraction(one.least + draw.randint(0, 30)) for one in part.symbols}
            bottom = evaluated(step.denominator, numbers, draw)
            quotient = evaluated(step.numerator, numbers, draw) / bottom
            assert {"zero": quotient == 0, "positive": quotient > 0, "non-negative": quotient >= 0}[step.kind]


def evaluated(poly, numbers: dict[str, Fraction], draw: random.Random) -> Fraction:
    for _, powers in poly:
        for name, _ in powers:
            if name not in numbers and name in ("candidate", "gold", "shared", "matrix"):
                shared = Fraction(draw.randint(2, 40))
                candidate, gold = shared + draw.randint(0, 40), shared + draw.randint(0, 40)
                numbers |= {"shared": shared, "candidate": candidate, "gold": gold}
                numbers |= {"matrix": candidate + gold - shared + draw.randint(0, 40)}
            numbers.setdefault(name, Fraction(draw.randint(1, 400), draw.randint(1, 9)))
    total = Fraction(0)
    for coefficient, powers in poly:
        term = Fraction(coefficient)
        for name, power in powers:
            term *= numbers[name] ** power
        total += term
    return total


# --- what must never be proved -------------------------------------------------------------------------


@cache
def small_cases(condition: str, reading: str) -> tuple[Case, ...]:
    """Some cases of each small size."""
    listed = metaeval.conditions()[condition].readings[reading]
    return tuple(case for size in range(1, 8) for case in islice(listed.enumerate_(size), 60))


def is_broken(measure: Measure, condition: str, case: Case) -> bool:
    scores = [measure.exact(*side) for side in case]
    return broken(metaeval.conditions()[condition].relation, scores, measure.bounds) is not None


@pytest.mark.parametrize(
    "mutant",
    [
        pytest.param(mutant, id=mutant.id, marks=[pytest.mark.long] if number % 3 else [])
        for number, mutant in enumerate(MUTANTS)
    ],
)
def test_no_mutant_is_proved_where_it_is_violated(mutant: Mutant):
    found = proved(mutant.measure)
    assert tuple(mutant.caught_by.split("/")) not in found
    for cell in found:
        assert not any(is_broken(mutant.measure, cell[0], case) for case in small_cases(*cell))


@pytest.mark.parametrize("one", FOOLING, ids=lambda one: one.measure.__name__)
def test_no_measure_that_is_made_to_fool_the_prover_is_proved(one: Fooling):
    measure = make_measure(one.measure, id=one.measure.__name__.replace("_", "-"))
    for condition, reading in cells():
        told = reason(measure, condition, reading)
        assert one.says in told or not metaeval.conditions()[condition].readings[reading].situations


@pytest.mark.parametrize("animal", ANIMALS, ids=lambda animal: animal.measure.__name__)
def test_no_measure_that_misbehaves_is_proved_to_order_anything(animal):
    """One that always returns the same is equal to itself; more is never proved."""
    measure = make_measure(animal.measure, id=animal.measure.__name__.replace("_", "-"))
    assert {condition for condition, _ in proved(measure)} <= {"B.2", "B.3", "B.4"}


def mean_over_classes_of_best_f1(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    families = overlay(candidate, gold)
    best = [
        max(
            Fraction(2 * line[at], size + other)
            for size, line in zip(families.candidate_sizes, families.intersections, strict=True)
        )
        for at, other in enumerate(families.gold_sizes)
    ]
    return sum(best, Fraction(0)) / len(best)


def test_what_is_refused_has_a_reason():
    """E4SC passes every small pattern of A.4, and is violated at 39 objects."""
    best = make_measure(mean_over_classes_of_best_f1, id="best-f1")
    space: dict[str, object] = {"__name__": "nowhere"}
    exec("def zero(candidate, gold): return 0", space)
    for measure, condition, part in (
        (metaeval.measures()["e4sc"], "A.4", "which is no sum over pairs, clusters or classes"),
        (best, "A.4", "enumerate"),
        (make_measure(space["zero"], id="zero"), "B.2", "no file"),
    ):
        assert part in reason(measure, condition)


def test_every_refusal_is_a_sentence():
    for measure in metaeval.measures().values():
        for cell in cells():
            found = outcome(measure, *cell)
            if isinstance(found, Refusal):
                assert found.reason[0].isupper()
                assert found.reason.rstrip(")").endswith(".")


# --- the local form ------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["ce", "rnia", "bcubed", "mocice", "mocice-precision", "mocice-recall"])
def test_the_local_form_is_the_measure_on_disjoint_pairs(id: str):
    measure = metaeval.measures()[id]
    form = local_form(measure, WORLDS, least=1, lifted=False)
    draw = random.Random(5)
    met = set()
    for _ in range(400):
        shape = draw.randint(1, 7), draw.randint(1, 5)
        candidate, gold = (disjoint_side(draw, *shape) for _ in range(2))
        met.add(world_of(candidate, gold))
        assert value(form, candidate, gold) == measure.exact(candidate, gold)
    assert met == {"meeting", *WORLDS}


@pytest.mark.parametrize("id", ["rand", "rand-background", "cice"])
def test_the_local_form_is_the_measure_on_clusterings(id: str):
    measure = metaeval.measures()[id]
    form = local_form(measure, (), least=2, lifted=True)
    draw = random.Random(6)
    for _ in range(200):
        labels = [[draw.randint(-1, 3) for _ in range(9)] for _ in range(2)]
        features = draw.randint(1, 3)
        sides = [Biclustering.from_labels(one, n_features=features) for one in labels]
        if world_of(*sides) == "meeting" and overlay(*sides).shared >= 2:
            assert value(form, *sides) == measure.exact(*sides)


def test_a_form_that_is_not_the_measure_is_refused(monkeypatch):
    """The form is held against the measure itself: here the code that was followed is not the code that runs."""
    rnia = metaeval.measures()["rnia"]
    monkeypatch.setattr(Measure, "exact", lambda self, candidate, gold: Fraction(1, 7))
    with pytest.raises(Refused, match="not understood"):
        local_form(rnia, (), least=1, lifted=False)


# --- a user's own measure ------------------------------------------------------------------------------

OWN = '''
from fractions import Fraction
from metaeval.kernel.overlay import overlay

def pair_share(candidate, gold):
    """The share of a class's cells that are in one cluster, over all classes."""
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    total = Fraction(0)
    for g, line in zip(cells.candidate_sizes, cells.intersections):
        for c, n in zip(cells.gold_sizes, line):
            if n:
                total += Fraction(n * n, c)
    return total / cells.gold_covered
'''


def test_a_users_own_measure_is_proved(tmp_path: Path):
    file = tmp_path / "own.py"
    file.write_text(OWN, encoding="utf-8")
    measure = loaded(file, "pair_share")
    assert isinstance(outcome(measure, "A.2", "canonical"), Proof)
    assert isinstance(outcome(measure, "A.2", "literal"), Proof)
    assert isinstance(outcome(measure, "A.1", "canonical"), Refusal)  # it does not see what clusters mix


def test_a_number_from_another_file_is_no_part_of_the_source(tmp_path: Path):
    """Else the same source, by its hash, could be another measure."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "numbers_of_mine.py").write_text("FACTOR = 2\n", encoding="utf-8")
    sys.path.insert(0, str(tmp_path / "elsewhere"))
    file = tmp_path / "uses_a_number.py"
    file.write_text(
        "from fractions import Fraction\nfrom numbers_of_mine import FACTOR\nHALF = Fraction(1, 2)\n"
        "def scaled(candidate, gold, by=FACTOR): return HALF * by\n"
        "def halved(candidate, gold, by=HALF): return HALF * by\n",
        encoding="utf-8",
    )
    told = reason(loaded(file, "scaled"), "B.2")
    sys.path.remove(str(tmp_path / "elsewhere"))
    assert "another file" in told
    assert isinstance(outcome(loaded(file, "halved"), "B.2", "canonical"), Proof)


def test_a_file_that_changed_since_it_was_loaded_is_refused(tmp_path: Path):
    file = tmp_path / "changed.py"
    file.write_text(OWN, encoding="utf-8")
    measure = loaded(file, "pair_share")
    before = source_hash(measure)
    file.write_text(OWN.replace("n * n", "n * n * n"), encoding="utf-8")
    assert source_hash(measure) != before
    assert "no longer" in reason(measure, "A.2")


def test_the_source_of_a_measure_is_its_file_and_those_beside_it_that_it_uses():
    files = {id: [file.name for file in source_files(measure)] for id, measure in metaeval.measures().items()}
    assert files["bcubed"] == ["bcubed.py"]
    assert files["cice"] == ["cice.py", "mocice.py"]
