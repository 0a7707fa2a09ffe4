"""Hostile measures: each gets its verdict, the run goes on, and nobody else's cell is touched."""

import json
import re
import time
from pathlib import Path

import pytest
import zoo
from brute_force import reading_of
from tools import as_json, run_process

import metaeval
from metaeval import Biclustering, Results, describe, reports
from metaeval.adapters import as_measure
from metaeval.core.verdict import Verdict

#: A cell in which the sound part of every animal holds, so that a verdict is the animal's own.
PLACES = {f"B.2-{reading}": (["B.2"], [reading]) for reading in ("canonical", "overlapping")}
WHERE = PLACES["B.2-canonical"]
OPTIONS = {"examples": 30, "exhaustive": 1, "jobs": 1, "budget": 0.5, "effort": 1, "proofs": False}
HEALTHY = ["rnia", "rand-background"]


every_animal = pytest.mark.parametrize("animal", zoo.ANIMALS, ids=[one.measure.__name__ for one in zoo.ANIMALS])


def animal_of(function):
    return next(animal for animal in zoo.ANIMALS if animal.measure is function)


def id_of(function):
    return as_measure(function).id


@pytest.fixture(scope="module")
def alone():
    """The cells of the healthy measures when nobody else is there."""
    return {where: metaeval.run(HEALTHY, *place, **OPTIONS) for where, place in PLACES.items()}


def assert_untouched(results, alone):
    for cell in alone:
        assert {**results.cell(*cell.key).to_json(), "seconds": 0} == {**cell.to_json(), "seconds": 0}


@pytest.fixture(scope="module")
def zoo_run():
    measures = [HEALTHY[0], *(animal.measure for animal in zoo.ANIMALS), HEALTHY[1]]
    return metaeval.run(measures, *WHERE, **OPTIONS)


@every_animal
def test_the_gate_stops_what_misbehaves_at_once(zoo_run, animal):
    id = id_of(animal.measure)
    cell = zoo_run.cell(id, "B.2")
    assert cell.verdict == animal.verdict
    assert animal.says in cell.message
    assert cell.message.startswith("gate")
    assert zoo_run.measures[id].gate
    assert cell.certificate is None
    assert (cell.cases, cell.violations) == (0, None)


def line_of(animal):
    """Where the zoo's file holds the line that an animal misbehaves in, read from the file itself."""
    lines = Path(zoo.__file__).read_text().splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(f"def {animal.measure.__name__}("))
    return next(n for n, line in enumerate(lines, start=1) if n > start and line.strip().startswith(animal.line))


def places_of(animal):
    """How the line is named; a loop that is interrupted may be at its head or in its body."""
    lines = range(line_of(animal), line_of(animal) + (2 if animal.measure is zoo.spins else 1))
    return {f"{line} in {animal.measure.__name__}" for line in lines}


#: The smallest input of all, but for what can only be seen on one that holds something.
SMALLEST = {"mutates": ([({0}, {0})], [])}


def assert_is_the_smallest(animal, side):
    candidate, gold = SMALLEST.get(animal.measure.__name__, ([], []))
    assert side == (Biclustering(candidate), Biclustering(gold, (1, 1) if candidate else None))


@pytest.fixture(scope="module")
def zoo_told(zoo_run):
    """The zoo in every form that people meet: what each shows, with its white space evened out."""
    again = Results.from_json(as_json(zoo_run))
    shown = {format: reports.render(again, format) for format in ("text", "markdown", "html")}
    # The page's script writes its cells from the data beside it.
    data = re.search(r'type="application/json"[^>]*>(.*?)</script>', shown["html"], re.S)[1]
    shown["html"] = "\n".join(cell["message"] for cell in json.loads(data)["cells"].values())
    return {format: even(text) for format, text in shown.items()}


def even(text):
    return "".join(text.replace("\\", "").split())


@every_animal
def test_each_is_told_with_its_smallest_input_its_line_and_a_hint_in_every_output(zoo_run, zoo_told, animal):
    cell = zoo_run.cell(id_of(animal.measure), "B.2")
    assert_is_the_smallest(animal, cell.fault.side)
    path, _, rest = cell.fault.where.partition(":")
    assert Path(path).resolve() == Path(zoo.__file__).resolve()
    assert rest in places_of(animal)
    assert cell.fault.code.startswith(animal.line)
    assert animal.hint in cell.fault.hint
    # A test that fails says what is described here, and is as wide as a terminal.
    described = describe(cell, 80)
    assert all(len(line) <= 80 or " " not in line.strip() for line in described.splitlines())
    for text in (even(described), zoo_told["text"], zoo_told["markdown"], zoo_told["html"]):
        for part in (cell.fault.where.rpartition("/")[2], animal.hint, f"candidate = {cell.fault.side.candidate!r}"):
            assert even(part) in text


def test_a_full_zoo_touches_no_healthy_cell_and_is_silent(zoo_run, alone, capfd):
    assert_untouched(zoo_run, alone["B.2-canonical"])
    assert all(zoo_run.measures[id].gate is None for id in HEALTHY)
    assert len(zoo_run) == len(zoo.ANIMALS) + 2
    # Here, as in notebooks, sys.stdout is no file descriptor 1.
    metaeval.check(zoo.prints, *WHERE, examples=0, exhaustive=2, effort=0, jobs=1, proofs=False)
    captured = capfd.readouterr()
    assert "NOISE" not in captured.out + captured.err


#: What a shy animal gets in the middle of a group: the same verdict, in other words.
SHY = [animal for animal in zoo.ANIMALS if animal.measure not in (zoo.returns_a_huge_integer,)]


@pytest.mark.parametrize(("where", "wakes"), [("B.2-canonical", zoo.is_large), ("B.2-overlapping", zoo.is_entangled)])
def test_what_misbehaves_late_harms_only_itself(where, wakes, alone):
    """All of them in one run: each has its own verdict, whatever the others do to the process that they share."""
    shy = {animal.measure: zoo.shy(animal, wakes) for animal in SHY}
    results = metaeval.run([HEALTHY[0], *shy.values(), HEALTHY[1]], *PLACES[where], **OPTIONS)
    assert_untouched(results, alone[where])
    assert len(results) == len(SHY) + len(HEALTHY)
    for animal in SHY:
        id = id_of(shy[animal.measure])
        assert results.measures[id].gate is None, id
        assert_has_its_verdict(animal, results.cell(id, *where.split("-")), wakes)


def assert_has_its_verdict(animal, cell, wakes):
    if animal.verdict == "flaky" and wakes is zoo.is_entangled:
        assert cell.verdict == Verdict.FLAKY, cell
        assert cell.certificate is None, cell
    if animal.verdict in ("flaky", "undefined") or animal.measure is zoo.mutates:
        return  # what is undefined here and there is told below
    assert cell.verdict == animal.verdict, cell
    assert cell.message, cell
    # The line and the hint as at the gate; of the inputs, as small a one as wakes it.
    if animal.measure is not zoo.returns_none:  # whose None comes back through another function
        assert cell.fault.where.partition(":")[2] in places_of(animal), cell
    assert wakes(*cell.fault.side), cell
    if animal.verdict != "timeout":
        assert sum(map(len, cell.fault.side)) <= (0 if wakes is zoo.is_large else 3), cell


def test_what_is_undefined_here_and_there_says_how_often():
    measure = zoo.shy(animal_of(zoo.returns_nan), zoo.is_entangled)
    options = {**OPTIONS, "effort": 0}
    cell = metaeval.check(measure, ["B.2"], ["overlapping"], **options).cell(id_of(measure), "B.2", "overlapping")
    assert cell.verdict == Verdict.HOLDS
    assert "further cases" in cell.message
    assert "nan" in cell.message
    everywhere = sum(1 for _ in reading_of("B.2", "overlapping").enumerate_(1))
    assert 0 < cell.cases < everywhere + OPTIONS["examples"]


def test_what_is_undefined_everywhere_is_undefined():
    # No plain input of the gate has two or three objects.
    measure = zoo.shy(animal_of(zoo.says_undefined), lambda candidate, gold: gold.shape == (2, 1))
    options = {"examples": 0, "exhaustive": 3, "jobs": 1, "proofs": False}
    cell = metaeval.check(measure, ["A.1"], ["canonical"], **options).cell(id_of(measure), "A.1")
    assert cell.verdict == Verdict.VIOLATED
    assert cell.message.startswith("on 1 further case it says it is undefined")
    measure = zoo.shy(animal_of(zoo.says_undefined), lambda candidate, gold: gold.shape[0] <= 3)
    cell = metaeval.check(measure, ["A.1"], ["canonical"], **options).cell(id_of(measure), "A.1")
    assert cell.verdict == Verdict.UNDEFINED
    assert cell.cases == 0


def test_what_grows_slow_runs_out_of_its_budget(alone):
    def slow(candidate, gold):
        if candidate.shape[0] < 4 or candidate.shape[0] > 7:
            time.sleep(0.1)
        return zoo.sound(candidate, gold)

    results = metaeval.run([slow, *HEALTHY], *WHERE, **OPTIONS)
    cell = results.cell("slow", "B.2")
    assert cell.verdict == Verdict.TIMEOUT
    assert "stopped after 0.5 s" in cell.message
    assert cell.cases > 0
    assert_untouched(results, alone["B.2-canonical"])


def test_what_prints_is_silenced_and_judged():
    code = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import zoo, metaeval
results = metaeval.check(zoo.prints, ["B.2", "A.1"], ["canonical"], examples=0, exhaustive=3, jobs=2, proofs=False)
print([str(cell.verdict) for cell in results])
"""
    assert run_process(code=code) == (0, "['violated', 'holds']\n", "")


def test_huge_exact_scores_are_no_floats():
    """10**400 is a real, finite number; it has no float, and a certificate needs one."""

    def huge(candidate, gold):
        return -(10**400) if zoo.is_entangled(candidate, gold) else zoo.sound(candidate, gold)

    results = metaeval.run([huge, *HEALTHY], ["A.2"], ["overlapping"], examples=20, exhaustive=3, jobs=1, proofs=False)
    assert results.cell("huge", "A.2", "overlapping").verdict in (Verdict.ERROR, Verdict.VIOLATED)
    assert len(results) == 3
