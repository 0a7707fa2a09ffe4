"""One pytest test for every measure, condition and reading.

Everything a test fails with is the explanation of its cell, without a stack trace: the place in the code
says nothing about why a measure violates a condition.
"""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from metaeval import pytest_plugin
from metaeval.condition import READINGS, conditions, find_condition
from metaeval.engine.runner import run
from metaeval.errors import InputError
from metaeval.evidence.results import Cell
from metaeval.measuring import Measure, ScoreFunction, as_measure
from metaeval.verdicts import Verdict

#: For each measure's id, a reason for every "condition/reading" that it is known to violate.
Expectations = Mapping[str, Mapping[str, str]]


class CollectionError(InputError, pytest.Collector.CollectError):
    """Bad arguments of :func:`parametrize_with_conditions`; pytest prints its text and no stack trace."""


#: Verdicts that `metaeval check` passes too: no counterexample, whether or not there was a case to try.
_NOTHING_AGAINST = (Verdict.HOLDS, Verdict.UNDEFINED, Verdict.VACUOUS)


@dataclass(frozen=True)
class CellCheck:
    """A cell to check: what a test gets as its ``cell``."""

    measure: Measure
    condition: str
    reading: str
    expected: str | None = None

    @property
    def id(self) -> str:
        """The name of the test: the same in every process, so that pytest-xdist can deal tests out."""
        return f"{self.measure.id}-{self.condition}-{self.reading}"

    def check(self) -> Cell:
        """Search for a violation; fail the test with what was found, or pass and return the cell."""
        __tracebackhide__ = True
        cell = self._found()
        if self.expected is not None and cell.verdict is Verdict.VIOLATED:
            pytest.xfail(self.expected)
        if self.expected is not None and cell.verdict in _NOTHING_AGAINST:
            pytest.fail(f"{_obsolete(cell, self.expected)}\n\n{self._explained(cell)}", pytrace=False)
        if cell.verdict not in _NOTHING_AGAINST:
            pytest.fail(self._explained(cell), pytrace=False)
        if cell.verdict is not Verdict.HOLDS:
            pytest.skip(f"{cell.verdict}: {cell.message}")
        return cell

    def _found(self) -> Cell:
        with warnings.catch_warnings():
            # Measures run in forked processes, which Python advises against where there are threads. A worker
            # of pytest-xdist has one, that waits for messages; under -W error the advice would fail the test.
            warnings.filterwarnings("ignore", message=".*fork", category=DeprecationWarning)
            results = run([self.measure], [self.condition], [self.reading], jobs=1, **pytest_plugin.options())
        return results.cell(self.measure.id, self.condition, self.reading)

    def _explained(self, cell: Cell) -> str:
        from metaeval.evidence.explanation import describe

        words = [word for name, value in pytest_plugin.options().items() for word in (f"--{name}", str(value))]
        return describe(cell, target=target_of(self.measure), options=words)


def parametrize_with_conditions(
    measures: Iterable[str | Measure | ScoreFunction],
    *,
    conditions: Iterable[str] | None = None,
    readings: Iterable[str] | None = None,
    expected_violations: Expectations | None = None,
) -> pytest.MarkDecorator:
    """Make a test of ``cell`` one test for every measure, condition and reading in the measure's domain.

    Measures are ids, measures or plain functions of (candidate, gold). A violation that is expected, with
    a reason, is reported as xfailed; if it is no longer found, the test fails and says what to do.

    >>> import metaeval
    >>> mark = parametrize_with_conditions(["ce"], conditions=["A.1"],
    ...     expected_violations={"ce": {"A.1/literal": "known: Table 1 of the paper"}})
    >>> [cell.id for cell in mark.args[1]]
    ['ce-A.1-canonical', 'ce-A.1-literal', 'ce-A.1-overlapping']
    """
    try:
        checks = list(_checks(measures, conditions, readings, expected_violations or {}))
    except InputError as error:
        raise CollectionError(f"parametrize_with_conditions: {error}") from None
    return pytest.mark.parametrize("cell", checks, ids=[check.id for check in checks])


def _checks(
    chosen: Iterable[str | Measure | ScoreFunction],
    condition_ids: Iterable[str] | None,
    reading_names: Iterable[str] | None,
    expected: Expectations,
) -> Iterator[CellCheck]:
    subjects = _subjects(chosen)
    groups = _groups(condition_ids, reading_names)
    _check_expectations(expected, subjects, groups)
    for subject in subjects:
        inside = [group for group in groups if find_condition(group[0]).reading(group[1]).lies_in(subject.domain)]
        if not inside:
            raise InputError(
                f"none of the conditions and readings chosen lies in the domain of {subject.id}, "
                f"{subject.domain}; choose others, or leave it out"
            )
        reasons = expected.get(subject.id, {})
        for condition, reading in inside:
            yield CellCheck(subject, condition, reading, reasons.get(f"{condition}/{reading}"))


def _subjects(chosen: Iterable[str | Measure | ScoreFunction]) -> list[Measure]:
    if isinstance(chosen, (str, Measure)) or callable(chosen):
        raise InputError(f"measures is {chosen!r}; expected a list of measures")
    subjects = [as_measure(one) for one in chosen]
    if isinstance(chosen, (set, frozenset)):
        # Its order differs from process to process, and the workers of pytest-xdist must agree.
        subjects.sort(key=lambda subject: subject.id)
    if not subjects:
        raise InputError("measures is empty; expected at least one")
    ids = [subject.id for subject in subjects]
    for id in ids:
        if ids.count(id) > 1:
            raise InputError(f"two measures have the id {id!r}; give each its own")
    return subjects


def _groups(condition_ids: Iterable[str] | None, reading_names: Iterable[str] | None) -> list[tuple[str, str]]:
    """The conditions and readings chosen, in the order of the registry whatever the order of the choice."""
    for what, values in (("conditions", condition_ids), ("readings", reading_names)):
        if isinstance(values, str):
            raise InputError(f"{what} is {values!r}; expected a list, such as [{values!r}]")
    ids = None if condition_ids is None else {find_condition(id).id for id in condition_ids}
    names = set(READINGS if reading_names is None else reading_names)
    for name in sorted(map(str, names - set(READINGS))):
        raise InputError(f"no reading {name!r}; expected one of {', '.join(READINGS)}")
    groups = [
        (condition.id, reading)
        for condition in conditions().values()
        for reading in condition.readings
        if (ids is None or condition.id in ids) and reading in names
    ]
    if not groups:
        raise InputError("no condition chosen has a reading chosen")
    return groups


def _check_expectations(expected: Expectations, subjects: list[Measure], groups: list[tuple[str, str]]) -> None:
    """An expectation that no test looks at would hide a typing mistake, or outlive what it was about."""
    by_id = {subject.id: subject for subject in subjects}
    for id, reasons in expected.items():
        if id not in by_id:
            raise InputError(
                f"expected_violations names {id!r}, which is not checked here: {', '.join(by_id)} are"
            )
        if not isinstance(reasons, Mapping):
            raise InputError(f"expected_violations[{id!r}] is {reasons!r}; expected reasons by condition/reading")
        for key, reason in reasons.items():
            _check_expectation(by_id[id], key, reason, groups)


def _check_expectation(subject: Measure, key: Any, reason: Any, groups: list[tuple[str, str]]) -> None:
    place = f"expected_violations[{subject.id!r}][{key!r}]"
    if not isinstance(key, str) or key.count("/") != 1:
        raise InputError(f"{place} names no cell; expected a condition and a reading, such as 'A.3/literal'")
    condition, reading = key.split("/")
    try:
        found = find_condition(condition).reading(reading)
    except InputError as error:
        raise InputError(f"{place} names no cell: {error}") from None
    if not found.lies_in(subject.domain):
        raise InputError(f"{place} lies outside the domain of {subject.id}, {subject.domain}; remove it")
    if (condition, reading) not in groups:
        raise InputError(f"{place} is not among the conditions and readings chosen; remove it, or choose it")
    if not isinstance(reason, str) or not reason.strip():
        raise InputError(f"{place} is {reason!r}; expected a reason in words")


def _obsolete(cell: Cell, reason: str) -> str:
    return (
        f"{cell.measure} no longer violates {cell.condition} ({cell.reading}), which was expected: {reason}\n"
        f'What to do: remove "{cell.condition}/{cell.reading}" from expected_violations["{cell.measure}"]. If it\n'
        "should still be violated, search further, by --metaeval-examples or --metaeval-exhaustive."
    )


def target_of(measure: Measure) -> str | None:
    """How ``metaeval check`` finds a measure of the user's own; None where its id is all there is."""
    function: Any = inspect.unwrap(measure.function)
    name, module = getattr(function, "__qualname__", ""), getattr(function, "__module__", None) or ""
    if module.startswith("metaeval.") or not name.isidentifier():
        return None
    try:
        path = Path(inspect.getfile(function))
    except TypeError:
        return None
    relative = os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
    return f"{relative}:{name}"
