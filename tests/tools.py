"""What many tests share: the command line in this process and in one of its own, and tables of lists of cases."""

import importlib.util
import json
import os
import subprocess
import sys
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from brute_force import all_equal_shapes, check, families, multisets, partial_partitions, partitions
from brute_force import up_to_renaming as distinct
from click.testing import CliRunner

from metaeval import Case, Side, cli
from metaeval.catalogue.measure import Measure, make_measure

ROOT = Path(__file__).resolve().parent.parent


# --- the command line
class Outcome(NamedTuple):
    """How a command ended: its exit code, and what it wrote to standard output and standard error."""

    code: int
    out: str
    err: str


def run_inside(*args: str, input: str | None = None, **environment: str) -> Outcome:
    """A command in this process. An exception that is no exit is a bug, and is raised."""
    runner = CliRunner(env=environment)
    result = runner.invoke(cli.main, list(args), prog_name="metaeval", input=input)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Outcome(result.exit_code, result.stdout, result.stderr)


def run_process(*args: str, input: str | None = None, code: str = "", **environment: str) -> Outcome:
    """A command in a process of its own, or Python code with these arguments."""
    command = [sys.executable, *(["-c", code] if code else ["-m", "metaeval"]), *args]
    done = subprocess.run(
        command, input=input, capture_output=True, encoding="utf-8", env={**os.environ, **environment}
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def assert_ends(outcome: Outcome, code: int, *parts: str) -> None:
    """How a command ends, and what is among all that it prints."""
    assert outcome.code == code, outcome
    assert [part for part in parts if part not in outcome.out] == [], outcome.out


def assert_one_sentence(outcome: Outcome, *parts: str) -> None:
    """Bad input: exit code 2, nothing on standard output, and one sentence that names these parts."""
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("metaeval: ")
    assert outcome.err.endswith("\n")
    assert outcome.err.count("\n") == 1
    for part in parts:
        assert part in outcome.err


def words(option: str, values: Any) -> list[str]:
    """An option once for every value."""
    return [word for value in values for word in (option, value)]


def split(text: str) -> list[str]:
    """The words of a command; paths go beside them, as they may hold spaces."""
    return text.split()


# --- measures
def loaded(path: Path, name: str) -> Measure:
    """A function of a file as a measure, as if its module had been imported."""
    spec = importlib.util.spec_from_file_location(f"own_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return make_measure(getattr(module, name), id=name.replace("_", "-"))


# --- results
def as_json(value: Any) -> Any:
    """What a file gives back of it."""
    return json.loads(json.dumps(value.to_json()))


def plain(results: Any) -> Any:
    """Results, a file of them or parsed cells, without the seconds that cells took."""
    if isinstance(results, Path):
        results = json.loads(results.read_text())
    data = results if isinstance(results, list | dict) else as_json(results)
    for cell in data["cells"] if isinstance(data, dict) else data:
        cell.pop("seconds")
    return data


def put(data: Any, path: str | tuple[Any, ...], value: Any) -> Any:
    """Parsed JSON with a value changed in place, at a path such as ``cells.0.cases``; ``...`` takes the key out."""
    *way, last = [int(key) if key.isdigit() else key for key in path.split(".")] if isinstance(path, str) else path
    inner = data
    for key in way:
        inner = inner[key]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return data


def exact(cases: Any) -> list[Any]:
    """Cases to the order of their biclusters, which makes no difference to equality."""
    return [[(part.biclusters, part.shape) for side in case for part in side] for case in cases]


# --- lists of cases against brute force
def on_partitions(shape):
    return partitions(shape[0])


def on_partial_partitions(shape):
    return partial_partitions(shape[0])


def at_most(count, least=0):
    """Families of so many biclusters."""
    return partial(families, least=least, most=count)


def repeating(count):
    """Families of at most so many biclusters, repeats allowed."""
    return partial(multisets, most=count)


@lru_cache(maxsize=1)
def _triples(shape, kind):
    return all_equal_shapes(shape, kind)


def triples(shape, kind):
    """What makes every gold, left and right of a kind."""
    return partial(_triples, shape, kind)


def matches(shape, golds, lefts=None):
    """What makes every left beside the gold itself: where the premise fixes the right, and triples are too many."""

    def made():
        every = (lefts or golds)(shape)
        return [Case(Side(left, gold), Side(gold, gold)) for gold in distinct(golds(shape)) for left in every]

    return made


def row(readings, shape, everything, none="", marks=(), **options):
    """A row for :func:`holds_everything`. The readings are named as in ``A.1 A.2/canonical; B.1/literal``."""
    id = f"{readings}-{shape[0]}x{shape[1]}"
    return pytest.param(readings, shape, everything, none, options, id=id, marks=marks)


def holds_everything(readings, shape, everything, none, options):
    """Each list must hold all that its premise admits of everything. That is nothing for the conditions in `none`."""
    groups = [group.strip().partition("/") for group in readings.split(";")]
    asked = [(condition, name) for ids, _, names in groups for condition in ids.split() for name in names.split()]
    cases = everything() if len(asked) == 1 else list(everything())
    for condition, name in asked:
        check(condition, name, shape[0], cases, shape[1], some=condition not in none.split(), **options)


every_list = partial(pytest.mark.parametrize, ("readings", "shape", "everything", "none", "options"))
