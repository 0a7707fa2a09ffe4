"""Every example in a docstring runs.

Not by --doctest-modules: the folders are mapped into the package, so their paths are not their names.
"""

import doctest
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

import pytest

from metaeval import Biclustering, Measure


def modules_of(package):
    (folder,) = find_spec(package).submodule_search_locations
    # Importing __main__ would run the program.
    return [f"{package}.{entry.name}" for entry in iter_modules([folder]) if entry.name != "__main__"]


def all_of(package):
    """A package and all modules in it, those of its packages too."""
    names = modules_of(package)
    inside = [all_of(name) if find_spec(name).submodule_search_locations else [name] for name in names]
    return [package, *(name for names in inside for name in names)]


MEASURE_FILES = modules_of("metaeval.measures")
MODULES = all_of("metaeval")


def measures_of(module):
    return [m for m in vars(module).values() if isinstance(m, Measure) and m.home == module.__name__]


def examples_of(name):
    """The doctests of a module, and of the descriptions of its measures, where doctest does not look."""
    module = import_module(name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    tests = finder.find(module, name)
    known = {**vars(module), "Biclustering": Biclustering}
    for measure in measures_of(module):
        text = measure.doc or measure.function.__doc__ or ""
        tests.append(doctest.DocTestParser().get_doctest(text, known, f"{name}:{measure.id}", name, 0))
    return [test for test in tests if test.examples]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    report = []
    runner = doctest.DocTestRunner(verbose=False)
    for test in examples_of(name):
        runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


@pytest.mark.parametrize("name", MEASURE_FILES)
def test_every_measure_has_examples(name):
    measures = measures_of(import_module(name))
    assert measures
    shown = {test.name for test in examples_of(name)}
    assert [measure.id for measure in measures if f"{name}:{measure.id}" not in shown] == []


def test_a_failing_example_is_noticed():
    runner = doctest.DocTestRunner(verbose=False)
    test = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, 0)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 1
    assert "Expected:\n    3" in "".join(report)
