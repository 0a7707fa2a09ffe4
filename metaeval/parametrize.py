"""One pytest test per cell, golden score or stored counterexample; and one assertion for all cells of a measure."""

import os
import shlex
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from metaeval import pytest_plugin
from metaeval.adapters import as_measure
from metaeval.catalogue.measure import Measure, ScoreFunction, measures
from metaeval.core.case import Case
from metaeval.core.errors import InputError
from metaeval.core.settings import BUDGET, Settings
from metaeval.core.verdict import Verdict
from metaeval.display.cell_facts import excerpt, full_message
from metaeval.display.cell_text import describe, describe_faults, describe_fewest
from metaeval.display.fewest import fewest
from metaeval.display.layout import plural
from metaeval.display.picture import draw_case
from metaeval.literature.shelf import find_suite
from metaeval.project import settings_here
from metaeval.records.cell import Cell
from metaeval.records.described import DescribedMeasure
from metaeval.records.results import Results
from metaeval.runner.plan import Plan
from metaeval.session import carry_out
from metaeval.verification import baseline
from metaeval.verification import outcome as outcomes
from metaeval.verification.baseline import Baseline, Rechecked, State
from metaeval.verification.golden import Difference, Golden, NoAnswer, pair_name
from metaeval.verification.outcome import Judgement, Outcome, Reasons, reasons_by_cell

#: The effort levels of measures: each is timed once per session, so that all its tests agree.
_EFFORTS: dict[Measure, int] = {}


class CollectionError(InputError, pytest.Collector.CollectError):
    """Bad arguments of a decorator below; pytest prints the text without a stack trace."""


@dataclass(frozen=True)
class CellCheck:
    """A cell to check: the ``cell`` of a test."""

    measure: Measure
    condition: str
    reading: str
    expected: str | None = None

    @property
    def id(self) -> str:
        """The name of the test; it is the same in every process, as pytest-xdist needs."""
        return f"{self.measure.id}-{self.condition}-{self.reading}"

    def check(self) -> Cell:
        """Search for a violation; fail the test with a counterexample, or return the cell."""
        __tracebackhide__ = True
        cell = self._found()
        judgement = outcomes.judge_cell(cell, self.expected is not None)
        if judgement is Judgement.EXPECTED:
            pytest.xfail(self.expected or "")
        if judgement is Judgement.OBSOLETE:
            pytest.fail(f"{outcomes.no_longer(cell, self.expected or '')}\n\n{self._explained(cell)}", pytrace=False)
        if judgement is Judgement.FAILS:
            pytest.fail(self._explained(cell), pytrace=False)
        if cell.verdict in (Verdict.UNDEFINED, Verdict.VACUOUS):
            pytest.skip(f"{cell.verdict}: {full_message(cell)}")
        return cell

    def _found(self) -> Cell:
        options = {"effort": _EFFORTS.get(self.measure), **pytest_plugin.options()}
        results = _searched(Plan.of([self.measure], [self.condition], [self.reading]), Settings(jobs=1, **options))
        if (level := results.efforts.get(self.measure.id)) is not None:
            _EFFORTS[self.measure] = level
        return results.cell(self.measure.id, self.condition, self.reading)

    def _explained(self, cell: Cell) -> str:
        words = Settings(**pytest_plugin.options()).words(below=settings_here())
        measure = DescribedMeasure.of(self.measure)
        text = describe(cell, measure=measure, options=words)
        if not measure.target and measure.calling is not None:  # no command finds the measure but this test
            test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
            again = shlex.join(["pytest", test, *(word.replace("--", "--metaeval-", 1) for word in words)])
            text += f"\n\nRun this test again:\n    {again}"
        # Without a counterexample, the text has the printed output already.
        printed = cell.printed if cell.certificate is not None else None
        return text if printed is None else f"{text}\n\nIt printed:\n{indent(excerpt(printed), '    ')}"


def _searched(plan: Plan, settings: Settings) -> Results:
    with warnings.catch_warnings():
        # Python warns of a fork where there are threads, and a worker of pytest-xdist has one, which waits for
        # messages. Under -W error the warning would fail the test.
        warnings.filterwarnings("ignore", message=".*fork", category=DeprecationWarning)
        return carry_out(plan, settings)


def parametrize_with_conditions(
    measures: Iterable[str | Measure | ScoreFunction],
    *,
    conditions: Iterable[str] | None = None,
    readings: Iterable[str] | None = None,
    expected_violations: Reasons | None = None,
    suite: str | None = None,
) -> pytest.MarkDecorator:
    """Make a test of ``cell`` one test per measure, condition and reading in the measure's domain.

    Measures are ids, measures or plain functions of (candidate, gold). The default ``conditions`` are those of
    ``metaeval check``, or of a ``suite``; the default is every reading. A violation that is expected, with a
    reason, is reported as xfailed; if it is no longer found, the test fails and says what to do. The test has one
    argument, ``cell``, and calls its :meth:`~metaeval.parametrize.CellCheck.check`.

    >>> import metaeval
    >>> mark = parametrize_with_conditions(["ce"], conditions=["A.1"],
    ...     expected_violations={"ce": {"A.1/literal": "known: Table 1 of the paper"}})
    >>> [cell.id for cell in mark.args[1]]
    ['ce-A.1-canonical', 'ce-A.1-literal', 'ce-A.1-overlapping']
    """
    try:
        plan = Plan.of(measures, conditions, readings, None if suite is None else find_suite(suite))
        if isinstance(measures, Sized) and len(measures) > len(plan.measures):
            # A run counts a measure that is named twice once; two tests of one name are a mistake.
            named = Counter(as_measure(one).id for one in measures)
            raise InputError(f"two measures have the id {named.most_common(1)[0][0]!r}; give each its own")
        plan.demand_cells()
        reasons = reasons_by_cell(expected_violations or {}, plan)
    except InputError as error:
        raise CollectionError(f"parametrize_with_conditions: {error}") from None
    checks = [
        CellCheck(measure, *group.id, reasons.get((measure.id, *group.id)))
        for measure in plan.measures
        for group in plan.groups_of(measure)
    ]
    return pytest.mark.parametrize("cell", checks, ids=[check.id for check in checks])


def assert_conditions(
    measure: str | Measure | ScoreFunction, conditions: Iterable[str] | None = None,
    readings: Iterable[str] | None = None, *, suite: str | None = None,
    expected_violations: Mapping[str, str] | None = None, **options: Any,
) -> Results:  # fmt: skip
    """Check a measure as :func:`metaeval.check` does; raise AssertionError where ``metaeval check`` fails.

    It returns the results, and works in any test function, with and without pytest. ``expected_violations`` are
    reasons by "condition/reading": such a violation is excused, and missed if it is no longer found. ``options`` are
    settings of a search: ``examples``, ``exhaustive``, ``seed``, ``budget``, ``effort``, ``jobs``, ``cache``,
    ``proofs``; those of a pytest session apply where none are given.

    >>> results = assert_conditions("ce", ["A.1"], ["canonical"], examples=0, exhaustive=3,
    ...     expected_violations={"A.1/canonical": "known: Table 1 of the paper"})
    >>> results.cell("ce", "A.1").verdict
    <Verdict.VIOLATED: 'violated'>
    """
    __tracebackhide__ = True
    plan = Plan.of([measure], conditions, readings, None if suite is None else find_suite(suite))
    plan.demand_cells()
    (subject,) = plan.measures
    reasons = reasons_by_cell({subject.id: expected_violations or {}}, plan)
    settings = Settings(**{**pytest_plugin.options(), **options})
    outcome = outcomes.judge(subject, _searched(plan, settings), frozenset(key[1:] for key in reasons))
    if outcome.problems:
        raise AssertionError("\n".join(_told(outcome, subject, settings.words(below=settings_here()))))
    return outcome.results


def _told(outcome: Outcome, measure: Measure, words: list[str]) -> Iterator[str]:
    """Why a check fails: the failures, then the counterexamples; in full where there is one."""
    known = outcome.results.measures[measure.id]
    cells = [one.cell for one in outcome.problems if one.cell is not None]
    if len(outcome.problems) == len(cells) == 1:
        yield describe(cells[0], measure=known, options=words)
        return
    yield from (f"{measure.name} fails {plural(len(outcome.problems), 'check')}:", *outcome.folded("below"))
    if violated := [cell for cell in cells if cell.certificate is not None]:
        yield from ("", *describe_fewest(fewest(violated, known.bounds), len(violated)))
    yield from describe_faults(cells, calling=known.calling)
    failing = [word for id in dict.fromkeys(cell.condition for cell in cells) for word in ("--condition", id)]
    if known.target or known.calling is None:
        target, *declared = known.target_words or [measure.id]
        again = ["metaeval", "check", target, *failing, *words, *declared]
        yield from ("", "Check it again:", f"    {shlex.join(again)}")


@dataclass(frozen=True)
class Subject:
    """A measure and its baseline; all their tests share what is computed once."""

    measure: Measure
    stored: Baseline
    file: str

    @property
    def budget(self) -> float:
        return pytest_plugin.options().get("budget", BUDGET)  # type: ignore[no-any-return]

    @property
    def meant(self) -> str:
        """What to do if a change is meant."""
        known = [self.stored.id] * (self.stored.id in measures())
        target = self.stored.measure.target_words or DescribedMeasure.of(self.measure).target_words or known
        command = shlex.join(["metaeval", "check", *target[:1], "--against", self.file, "--save", self.file])
        what = "What to do: if the change is meant, save a new baseline, with --metaeval-update here"
        return f"{what} or by\n    {command}" if target else f"{what}."

    @cached_property
    def changed(self) -> dict[int, Difference]:
        """The golden scores that changed, by the number of their pair."""
        return {one.pair: one for one in baseline.changed_scores(self.stored, self.measure, self.budget)}

    @cached_property
    def rechecked(self) -> dict[tuple[str, str], Rechecked]:
        """The stored counterexamples, re-checked, by condition and reading."""
        return {(one.condition, one.reading): one for one in baseline.recheck(self.stored, self.measure, self.budget)}

    def now(self, place: int | tuple[str, str]) -> tuple[Golden | Rechecked, str | None]:
        """The golden score of a pair, or the counterexample of a condition and reading; and what changed, or None."""
        if isinstance(place, tuple):
            found = self.rechecked[place]
            return found, None if found.state is State.HOLDS else str(found)
        if (change := self.changed.get(place)) is None:
            return self.stored.golden[place - 1], None
        return change.now, f"{change} (difference: {change.amount})\n\n{draw_case(Case(change.now.side))}"

    @cached_property
    def unsaved(self) -> str | None:
        """Search the cells of the baseline again and save a new one; why that is not possible, or None."""
        results = _searched(self.stored.plan(self.measure), self.stored.settings(Settings(budget=self.budget)))
        outcome = Outcome(results, results.measures[self.measure.id].gate)
        outcomes.save_baseline(self.file, self.measure, outcome, self.budget)
        if outcome.problems:
            return outcome.problems[0].text
        if (updates := pytest_plugin.updates()) is not None:
            updates.files.setdefault(self.file, []).append(self.measure.id)
        return None


@dataclass(frozen=True)
class StoredCheck:
    """A golden score to compute again, or a stored counterexample to re-check: the ``stored`` of a test."""

    #: The name of the test.
    id: str
    subject: Subject
    place: int | tuple[str, str]

    def check(self) -> Golden | Rechecked:
        """Fail the test if something changed, or return what was found. A session with updates saves a new baseline."""
        __tracebackhide__ = True
        try:
            found, change = self.subject.now(self.place)
        except NoAnswer as error:
            pytest.fail(f"no stored scores could be compared: {error}", pytrace=False)
        if (updates := pytest_plugin.updates()) is not None:
            if self.subject.unsaved is not None:
                pytest.fail(self.subject.unsaved, pytrace=False)
            if change is not None:
                updates.tests.add(os.environ["PYTEST_CURRENT_TEST"].removesuffix(" (call)"))
        elif change is not None:
            pytest.fail(f"{change}\n\n{self.subject.meant}", pytrace=False)
        return found


def parametrize_with_baseline(
    measures: str | Measure | ScoreFunction | Iterable[str | Measure | ScoreFunction], file: str | Path
) -> pytest.MarkDecorator:
    """Make a test of ``stored`` one test per golden score and stored counterexample of a baseline file.

    ``measures`` are one measure or several, each with a baseline in the file. ``metaeval check … --save FILE`` writes
    it; a relative path starts at the current directory. The file has the name and the best score of a plain function.
    A counterexample that no longer breaks its condition fails, too: a baseline says what a measure does.

    ``pytest --metaeval-update`` saves new baselines: it searches the cells of each tested measure again, under the
    settings of the baseline, and computes its golden scores. Tests that would have failed are then "updated".
    """
    several = [measures] if isinstance(measures, str) or callable(measures) else list(measures)
    checks: list[StoredCheck] = []
    try:
        for one in several:
            known = as_measure(one)
            stored = Baseline.load(file, known.id)
            known = known if isinstance(one, (str, Measure)) else stored.declared(one)
            stored.demand_same(known, str(file))
            if any(known.id == other.subject.measure.id for other in checks):
                raise InputError(f"two measures have the id {known.id!r}; give each its own")
            subject = Subject(known, stored, str(file))
            golden = range(1, len(stored.golden) + 1)
            checks += [StoredCheck(f"{known.id}-{pair_name(at)}", subject, at) for at in golden]
            violated = [cell.key for cell in stored.cells if cell.certificate is not None]
            checks += [StoredCheck("-".join(key), subject, key[1:]) for key in violated]
    except InputError as error:
        raise CollectionError(f"parametrize_with_baseline: {error}") from None
    return pytest.mark.parametrize("stored", checks, ids=[check.id for check in checks])
