"""The progress of a run on stderr: a bar on a terminal, a line for each finished group elsewhere."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING

import click

from metaeval.engine.runner import Event
from metaeval.verdicts import Verdict

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

#: Longer than a condition with a reading, for as many as are under way on two cores.
_MOST_UNDER_WAY = 40


class Watcher(AbstractContextManager["Watcher"]):
    """Listens to a run and shows how far it is; :meth:`on_event` is the listener."""

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet
        self._found: Counter[Verdict] = Counter()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Watcher:
        if not self._quiet and sys.stderr is not None and sys.stderr.isatty():
            self._bar = _bar()
            self._bar.start()
            self._task = self._bar.add_task("", total=None, found="", under_way="starting")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def on_event(self, event: Event) -> None:
        """Show an event."""
        self._found.update(cell.verdict for cell in event.cells)
        if self._bar is not None and self._task is not None:
            self._bar.update(
                self._task,
                completed=event.done,
                total=event.total or None,
                found=tell(self._found),
                under_way=_cut(event.under_way),
            )
        elif event.cells and not self._quiet:
            verdicts = Counter(cell.verdict for cell in event.cells)
            click.echo(f"{event.done}/{event.total}  {event.under_way}: {tell(verdicts)}", err=True)


def tell(found: Counter[Verdict]) -> str:
    """The verdicts in numbers: "12 holds, 3 violated"."""
    return ", ".join(f"{found[verdict]} {verdict}" for verdict in Verdict if found[verdict])


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_UNDER_WAY else text[: _MOST_UNDER_WAY - 1] + "…"


def _bar() -> Progress:
    # Loaded here: a run into a file or a pipe does without.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[found]}", markup=False),
        TextColumn("{task.fields[under_way]}", markup=False),
        console=Console(stderr=True),
        transient=True,
    )
