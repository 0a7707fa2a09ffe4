"""One pytest test per cell, golden score or stored counterexample."""

import os
import shlex
import warnings
from collections import Counter
from collections.abc import Iterable, Sized
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import indent

import pytest

from metaeval import pytest_plugin
from metaeval.adapters import as_measure
from metaeval.catalogue.measure import Measure, ScoreFunction, measures
from metaeval.core.errors import InputError
from metaeval.core.settings import BUDGET, Settings
from metaeval.core.verdict import Verdict
from metaeval.display.cell_facts import excerpt, full_message
from metaeval.display.picture import draw_side
from metaeval.literature.shelf import find_suite
from metaeval.records.cell import Cell
from metaeval.records.described import DescribedMeasure
from metaeval.runner.plan import Plan
from metaeval.session import run
from metaeval.verification import baseline
from metaeval.verification.baseline import Baseline, Rechecked, State
from metaeval.verification.golden import Difference, Golden, NoAnswer, pair_name
from metaeval.verification.outcome import Judgement, Reasons, judge_cell, no_longer, reasons_by_cell

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
        judgement = judge_cell(cell, self.expected is not None)
        if judgement is Judgement.EXPECTED:
            pytest.xfail(self.expected or "")
        if judgement is Judgement.OBSOLETE:
            pytest.fail(f"{no_longer(cell, self.expected or '')}\n\n{self._explained(cell)}", pytrace=False)
        if judgement is Judgement.FAILS:
            pytest.fail(self._explained(cell), pytrace=False)
        if cell.verdict in (Verdict.UNDEFINED, Verdict.VACUOUS):
            pytest.skip(f"{cell.verdict}: {full_message(cell)}")
        return cell

    def _found(self) -> Cell:
        with warnings.catch_warnings():
            # Python warns of a fork where there are threads, and a worker of pytest-xdist has one, which waits for
            # messages. Under -W error the warning would fail the test.
            warnings.filterwarnings("ignore", message=".*fork", category=DeprecationWarning)
            options = {"effort": _EFFORTS.get(self.measure), **pytest_plugin.options()}
            results = run([self.measure], [self.condition], [self.reading], jobs=1, **options)
        if (level := results.efforts.get(self.measure.id)) is not None:
            _EFFORTS[self.measure] = level
        return results.cell(self.measure.id, self.condition, self.reading)

    def _explained(self, cell: Cell) -> str:
        from metaeval.display.cell_text import describe

        words = Settings(**pytest_plugin.options()).words()
        measure = DescribedMeasure.of(self.measure)
        text = describe(cell, measure=measure, options=words)
        if not measure.target and measure.calling is not None:  # no command finds the measure but this test
            test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
            again = shlex.join(["pytest", test, *(word.replace("--", "--metaeval-", 1) for word in words)])
            text += f"\n\nRun this test again:\n    {again}"
        # Without a counterexample, the text has the printed output already.
        printed = cell.printed if cell.certificate is not None else None
        return text if printed is None else f"{text}\n\nIt printed:\n{indent(excerpt(printed), '    ')}"


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


@dataclass(frozen=True)
class Subject:
    """A measure and its baseline; all their tests share what is computed once."""

    measure: Measure
    stored: Baseline
    file: str

    @property
    def budget(self) -> float:
        """The seconds that a call may take."""
        return pytest_plugin.options().get("budget", BUDGET)  # type: ignore[no-any-return]

    @property
    def meant(self) -> str:
        """What to do if a change is meant."""
        known = [self.stored.id] * (self.stored.id in measures())
        target = self.stored.measure.target_words or DescribedMeasure.of(self.measure).target_words or known
        command = shlex.join(["metaeval", "check", *target[:1], "--against", self.file, "--save", self.file])
        return f"What to do: if the change is meant, save a new baseline:\n    {command if target else '--save FILE'}"

    @cached_property
    def changed(self) -> dict[int, Difference]:
        """The golden scores that changed, by the number of their pair."""
        return {one.pair: one for one in baseline.changed_scores(self.stored, self.measure, self.budget)}

    @cached_property
    def rechecked(self) -> dict[tuple[str, str], Rechecked]:
        """The stored counterexamples, re-checked, by condition and reading."""
        return {(one.condition, one.reading): one for one in baseline.recheck(self.stored, self.measure, self.budget)}


@dataclass(frozen=True)
class GoldenCheck:
    """A golden score to compute again."""

    #: The name of the test.
    id: str
    subject: Subject
    pair: int

    def check(self) -> Golden:
        """Fail the test if the score changed, or return it."""
        __tracebackhide__ = True
        try:
            change = self.subject.changed.get(self.pair)
        except NoAnswer as error:
            pytest.fail(f"no golden scores: {error}", pytrace=False)
        if change is not None:
            picture = draw_side(change.now.side)
            said = f"{change} (difference: {change.amount})"
            pytest.fail(f"{said}\n\n{picture}\n\n{self.subject.meant}", pytrace=False)
        return self.subject.stored.golden[self.pair - 1]


@dataclass(frozen=True)
class CounterexampleCheck:
    """A stored counterexample to re-check."""

    #: The name of the test.
    id: str
    subject: Subject
    condition: str
    reading: str

    def check(self) -> Rechecked:
        """Fail the test if the counterexample changed, or return the result."""
        __tracebackhide__ = True
        try:
            found = self.subject.rechecked[self.condition, self.reading]
        except NoAnswer as error:
            pytest.fail(f"no stored counterexample could be checked: {error}", pytrace=False)
        if found.state is not State.HOLDS:
            said = f"{self.condition}/{self.reading}: {found.sentence}"
            pytest.fail(f"{said}\n\n{self.subject.meant}", pytrace=False)
        return found


def parametrize_with_baseline(measure: str | Measure | ScoreFunction, file: str | Path) -> pytest.MarkDecorator:
    """Make a test of ``stored`` one test per golden score and stored counterexample of a baseline file.

    ``metaeval check … --save FILE`` writes such a file; a relative path starts at the current directory. The file has
    the name and the best score of a plain function. A counterexample that no longer breaks its condition fails, too: a
    baseline says what a measure does, and is saved again when that changes.
    """
    try:
        stored = Baseline.load(file)
        known = as_measure(measure) if isinstance(measure, (str, Measure)) else stored.declared(measure)
        stored.demand_same(known, str(file))
    except InputError as error:
        raise CollectionError(f"parametrize_with_baseline: {error}") from None
    subject = Subject(known, stored, str(file))
    violated = [cell.key[1:] for cell in stored.cells if cell.certificate is not None]
    checks: tuple[GoldenCheck | CounterexampleCheck, ...] = (
        *(GoldenCheck(f"{known.id}-{pair_name(at)}", subject, at) for at in range(1, len(stored.golden) + 1)),
        *(CounterexampleCheck("-".join((known.id, *place)), subject, *place) for place in violated),
    )
    return pytest.mark.parametrize("stored", checks, ids=[check.id for check in checks])
