"""Progress of a run on stderr: a bar or a log."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import click

from metaeval.catalogue.condition import GroupId
from metaeval.core.verdict import Verdict
from metaeval.display.layout import plural, shorten
from metaeval.runner.events import Drawn, Estimated, Event, Gated, GroupDone, Noted, Settled, Started, UnderWay
from metaeval.runner.run import LONG
from metaeval.workers.worker import missing_protection

if TYPE_CHECKING:
    from rich.progress import Progress


#: Room for two conditions with their readings, which are under way on two cores.
_MOST_UNDER_WAY = 40
#: Columns that a bar needs to show what is under way, too.
_ROOMY = 80
#: Seconds between two lines of a log.
_PAUSE = 5.0


class Watcher(AbstractContextManager["Watcher"]):
    """Shows the progress of a run; :meth:`on_event` is the handler of its events."""

    def __init__(self, quiet: bool = False, quick: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        self._quiet, self._quick, self._clock = quiet, quick, clock
        self._last_line = -_PAUSE
        self._done = self._steps = 0
        self._under_way = "starting"
        self._found: Counter[Verdict] = Counter()
        #: The verdicts of conditions and readings that are not done yet.
        self._in_groups: dict[GroupId, Counter[Verdict]] = defaultdict(Counter)
        self._bar: Progress | None = None

    def __enter__(self) -> Watcher:
        # A dumb terminal cannot go back to the start of a line.
        if not self._quiet and sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            self._bar = _bar()
            self._bar.start()
            self._bar.add_task("", total=None, found="", under_way=self._under_way)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def write(self, text: str, to_stderr: bool = False) -> None:
        """Write lines above the bar, where there is one."""
        if self._bar is not None:
            self._bar.stop()
        try:
            click.echo(text, err=to_stderr)
        finally:
            if self._bar is not None:
                self._bar.start()

    def on_event(self, event: Event) -> None:
        line, said = self._noted(event)
        if said is not None and not self._quiet:
            self.write(f"metaeval: {said}", to_stderr=True)
        if self._bar is not None:
            shown: dict[str, Any] = {"found": tell(self._found), "under_way": shorten(self._under_way, _MOST_UNDER_WAY)}
            self._bar.update(self._bar.task_ids[0], completed=self._done, total=self._steps or None, **shown)
        elif line is not None and not self._quiet:
            # A line at the start, at the end, and every few seconds in between.
            due = self._clock() - self._last_line >= _PAUSE
            if due or isinstance(event, Started) or self._done == self._steps:
                self._last_line = self._clock()
                click.echo(f"{self._done}/{self._steps}  {line}", err=True)

    def _noted(self, event: Event) -> tuple[str | None, str | None]:
        """Note an event: the line that it makes in a log, and what the user is told, if anything."""
        line = said = None
        if isinstance(event, (Drawn, Gated, GroupDone)):
            self._done += 1
        if isinstance(event, Started):
            self._done, self._steps, said = 0, event.steps, missing_protection()
            cells = plural(len(list(event.plan.cell_ids())), "cell")
            line = f"started: {plural(len(event.plan.measures), 'measure')}, {cells}"
        elif isinstance(event, UnderWay):
            self._under_way = ", ".join(event.labels)
        elif isinstance(event, Drawn):
            line = f"{' '.join(event.group_id)}: {plural(event.cases, 'case')} drawn"
        elif isinstance(event, Gated):
            line = f"{event.measure.id}: gate {'failed' if event.failure else f'passed, effort {event.effort}'}"
        elif isinstance(event, Settled):
            self._found[event.cell.verdict] += 1
            self._in_groups[event.condition.id, event.reading.name][event.cell.verdict] += 1
        elif isinstance(event, GroupDone):
            found = self._in_groups.pop(event.group.id, Counter())
            line = f"{event.group}: {tell(found)}; so far {tell(self._found)}"
        elif isinstance(event, Noted):
            said = event.sentence
        elif isinstance(event, Estimated) and event.seconds > LONG:
            hint = "" if self._quick else "; use --quick for a first answer"
            said = f"about {duration(event.call)} per call, about {duration(event.seconds)} in all{hint}"
        return line, said


def tell(found: Counter[Verdict]) -> str:
    """The number of each verdict: "12 holds, 3 violated"."""
    return ", ".join(f"{found[verdict]} {verdict}" for verdict in Verdict if found[verdict])


def duration(seconds: float) -> str:
    """A time in words: "50 ms", "15 min"."""
    for unit, length in (("h", 3600.0), ("min", 60.0), ("s", 1.0), ("ms", 1e-3)):
        if seconds >= 2 * length or unit == "ms":
            break
    amount = seconds / length
    return f"{amount:.1g} {unit}" if amount < 1 else f"{amount:.0f} {unit}"


def _bar() -> Progress:
    # Loaded here: a run into a file or a pipe needs no bar.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    roomy = console.width >= _ROOMY
    # On a narrow terminal the names would leave no room for the numbers.
    under_way = [TextColumn("{task.fields[under_way]}", markup=False)] if roomy else []
    found = TextColumn("{task.fields[found]}", markup=False)
    columns = BarColumn(bar_width=20 if roomy else 8), MofNCompleteColumn(), TimeElapsedColumn(), found, *under_way
    return Progress(*columns, console=console, transient=True)
