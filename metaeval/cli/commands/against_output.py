"""What ``metaeval check --against`` prints of a baseline: its counterexamples and golden scores, asked again."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from metaeval.cli import colour
from metaeval.cli.tables import NO_LIMIT, render
from metaeval.display.picture import draw_side
from metaeval.display.wording import plural
from metaeval.verification.baseline import State
from metaeval.verification.golden import Difference
from metaeval.verification.outcome import HeldAgainst

_STATES = {
    State.HOLDS: "as they were",
    State.FIXED: "broken no longer: fixed",
    State.BROKEN: "otherwise than they were",
}
_GOLDEN_HEADERS = ("pair", "expected", "got", "difference")
_INDENT = "  "


def against_lines(against: HeldAgainst, width: int, draw_all: bool) -> Iterator[str]:
    """The stored counterexamples in numbers and the golden scores that changed as a table.

    The first pair that changed is drawn, or every one.
    """
    if against.no_answer is not None:
        yield f"stored counterexamples and golden scores: {colour.red(against.no_answer)}"
        return
    states = [one.state for one in against.rechecked]
    amounts = ", ".join(f"{states.count(state)} {_STATES[state]}" for state in State if state in states)
    yield from textwrap.wrap(f"stored counterexamples: {amounts or 'none'}", width, subsequent_indent=_INDENT)
    golden = len(against.stored.golden)
    left_out = against.stored.left_out
    slow = f"; {plural(left_out, 'large pair')} left out" if left_out else ""
    same = f"golden scores: {golden - len(against.changed)} of {golden} as they were"
    yield from textwrap.wrap(same + slow, width, subsequent_indent=_INDENT)
    if against.changed:
        yield from _changed(against.changed, width, draw_all)


def _changed(changed: tuple[Difference, ...], width: int, draw_all: bool) -> Iterator[str]:
    rows = [[one.name, str(one.was), str(one.now), one.amount] for one in changed]
    yield ""
    yield render(_GOLDEN_HEADERS, rows, width=NO_LIMIT)
    more = "" if draw_all or len(changed) == 1 else " (--all draws the others too)"
    for one in changed if draw_all else changed[:1]:
        yield from ("", f"{one.name}{more}:")
        yield from (_INDENT + line for line in draw_side(one.now.side, width - len(_INDENT)).splitlines())


def against_summary(against: HeldAgainst) -> str:
    """What was held against the baseline where nothing was searched."""
    amounts = (
        plural(len(against.rechecked), "stored counterexample"),
        plural(len(against.stored.golden), "golden score"),
    )
    return f"{' and '.join(amounts)} asked again, nothing searched"
