"""One pytest test for every golden score and every stored counterexample of a baseline.

They need no search, so a suite that runs on every save can hold a measure to what it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from metaeval import pytest_plugin
from metaeval.catalogue.measure import Measure, ScoreFunction, as_measure
from metaeval.core.errors import InputError
from metaeval.core.settings import BUDGET
from metaeval.display.picture import draw_side
from metaeval.parametrize import CollectionError
from metaeval.verification import baseline
from metaeval.verification.baseline import Baseline, Rechecked, State
from metaeval.verification.golden import Difference, Golden, NoAnswer, pair_name

_MEANT = "What to do: if the change is meant, save a new baseline by `metaeval check … --save {file}`."


@dataclass(frozen=True)
class Subject:
    """A measure and the baseline it is held against; all its tests share what is computed once."""

    measure: Measure
    stored: Baseline
    file: str

    @cached_property
    def changed(self) -> dict[int, Difference]:
        """The golden scores that are not what they were, by the number of their pair."""
        found = baseline.changed_scores(self.stored, self.measure, _budget())
        return {change.pair: change for change in found}

    @cached_property
    def rechecked(self) -> dict[tuple[str, str], Rechecked]:
        """What became of the stored counterexamples, by condition and reading."""
        found = baseline.recheck(self.stored, self.measure, _budget())
        return {(one.condition, one.reading): one for one in found}


@dataclass(frozen=True)
class GoldenCheck:
    """A golden score to ask again."""

    subject: Subject
    pair: int

    @property
    def id(self) -> str:
        """The name of the test."""
        return f"{self.subject.measure.id}-{pair_name(self.pair)}"

    def check(self) -> Golden:
        """Fail the test where the score is not what it was, or pass and return it."""
        __tracebackhide__ = True
        try:
            change = self.subject.changed.get(self.pair)
        except NoAnswer as error:
            pytest.fail(f"no golden scores: {error}", pytrace=False)
        if change is not None:
            picture = draw_side(change.now.side)
            meant = _MEANT.format(file=self.subject.file)
            pytest.fail(f"{change} (difference: {change.amount})\n\n{picture}\n\n{meant}", pytrace=False)
        return self.subject.stored.golden[self.pair - 1]


@dataclass(frozen=True)
class CounterexampleCheck:
    """A stored counterexample to check again."""

    subject: Subject
    condition: str
    reading: str

    @property
    def id(self) -> str:
        """The name of the test."""
        return f"{self.subject.measure.id}-{self.condition}-{self.reading}"

    def check(self) -> Rechecked:
        """Fail the test where the counterexample is not what it was, or pass and return what became of it."""
        __tracebackhide__ = True
        try:
            found = self.subject.rechecked[self.condition, self.reading]
        except NoAnswer as error:
            pytest.fail(f"no stored counterexample could be checked: {error}", pytrace=False)
        if found.state is not State.HOLDS:
            meant = _MEANT.format(file=self.subject.file)
            pytest.fail(f"{self.condition}/{self.reading}: {found.sentence}\n\n{meant}", pytrace=False)
        return found


def parametrize_with_baseline(measure: str | Measure | ScoreFunction, file: str | Path) -> pytest.MarkDecorator:
    """Make a test of ``stored`` one test for every golden score and stored counterexample of a baseline file.

    The file is one that ``metaeval check … --save FILE`` wrote; a relative path counts from the current directory.
    What a plain function is called and scores at best comes from the file. A counterexample that no longer breaks
    its condition fails too: a baseline says what a measure does, and is saved again when that changes.
    """
    try:
        subject = _subject(measure, str(file))
    except InputError as error:
        raise CollectionError(f"parametrize_with_baseline: {error}") from None
    checks: list[GoldenCheck | CounterexampleCheck] = [
        GoldenCheck(subject, pair) for pair in range(1, len(subject.stored.golden) + 1)
    ]
    checks += [
        CounterexampleCheck(subject, cell.condition, cell.reading)
        for cell in subject.stored.cells
        if cell.certificate is not None
    ]
    return pytest.mark.parametrize("stored", checks, ids=[check.id for check in checks])


def _subject(measure: str | Measure | ScoreFunction, file: str) -> Subject:
    stored = Baseline.load(file)
    subject = as_measure(measure) if isinstance(measure, (str, Measure)) else stored.declared(measure)
    stored.demand_same(subject, file)
    return Subject(subject, stored, file)


def _budget() -> float:
    budget: float = pytest_plugin.options().get("budget", BUDGET)
    return budget
