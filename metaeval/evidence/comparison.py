"""What changed between two results: a pure comparison, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from metaeval.errors import InputError
from metaeval.evidence.results import Cell, CellKey, Results
from metaeval.verdicts import Verdict


class Kind(StrEnum):
    """In what way a cell changed, the gravest first."""

    BROKEN = "broken"
    REMOVED = "removed"
    WEAKER = "weaker"
    CHANGED = "changed"
    FIXED = "fixed"
    ADDED = "added"


@dataclass(frozen=True)
class Difference:
    """A cell that changed: its verdicts, None where it is missing, and whether this is a step back."""

    kind: Kind
    measure: str
    condition: str
    reading: str
    old: Verdict | None
    new: Verdict | None
    regression: bool
    detail: str | None = None


@dataclass(frozen=True)
class Differences:
    """Everything that changed, and how many cells did not."""

    differences: tuple[Difference, ...]
    same: int

    @property
    def regression(self) -> bool:
        """Whether anything is worse than it was."""
        return any(difference.regression for difference in self.differences)

    def of(self, kind: Kind) -> tuple[Difference, ...]:
        """The differences of one kind."""
        return tuple(difference for difference in self.differences if difference.kind is kind)


def compare(old: Results, new: Results) -> Differences:
    """What changed from ``old`` to ``new``, in the order of the old cells, then of the added ones."""
    before = {cell.key: cell for cell in old}
    after = {cell.key: cell for cell in new}
    keys = dict.fromkeys([*before, *after])
    found = [_difference(key, before.get(key), after.get(key)) for key in keys]
    changed = tuple(difference for difference in found if difference is not None)
    return Differences(changed, len(found) - len(changed))


def _difference(key: CellKey, old: Cell | None, new: Cell | None) -> Difference | None:
    if new is None:
        return Difference(Kind.REMOVED, *key, old.verdict if old else None, None, regression=True)
    if old is None:
        return Difference(Kind.ADDED, *key, None, new.verdict, regression=False)
    if old.verdict is not new.verdict:
        kind = _turn(old.verdict, new.verdict)
        return Difference(kind, *key, old.verdict, new.verdict, kind is Kind.BROKEN, new.message)
    losses = "; ".join(_losses(old, new))
    if not losses:
        return None
    # A violated cell stays violated whatever its counterexample's size; a weaker `holds` says less.
    regression = new.verdict is Verdict.HOLDS
    return Difference(Kind.WEAKER, *key, old.verdict, new.verdict, regression, losses)


#: The higher, the worse: nothing found, nothing tried, a counterexample, no answer at all.
_GRAVITY = {Verdict.HOLDS: 0, Verdict.UNDEFINED: 1, Verdict.VACUOUS: 1, Verdict.VIOLATED: 2}
_NO_ANSWER = 3


def _turn(old: Verdict, new: Verdict) -> Kind:
    if _GRAVITY.get(new, _NO_ANSWER) > _GRAVITY.get(old, _NO_ANSWER):
        return Kind.BROKEN
    return Kind.FIXED if new is Verdict.HOLDS else Kind.CHANGED


def _losses(old: Cell, new: Cell) -> Iterator[str]:
    """In what respects the evidence is weaker than it was."""
    if new.verdict is Verdict.HOLDS:
        was, now = _exhaustive(old), _exhaustive(new)
        if now[0] < was[0]:
            yield f"exhaustive up to {now[0]} objects, was {was[0]}"
        elif now[0] == was[0] and now[1] < was[1]:
            yield f"{now[1]} exhaustive cases, was {was[1]}"
        if new.cases < old.cases:
            yield f"{new.cases} cases, was {old.cases}"
    if new.verdict is Verdict.VIOLATED:
        was_size, now_size = _witness(old), _witness(new)
        if now_size[0] > was_size[0]:
            yield f"counterexample of {now_size[0]} objects, was {was_size[0]}"
        elif now_size[1] < was_size[1]:
            yield "counterexample no longer certified minimal"


def _exhaustive(cell: Cell) -> tuple[int, int]:
    evidence = cell.exhaustive
    if evidence is None:
        return 0, 0
    return _number(cell, evidence, "objects"), _number(cell, evidence, "cases")


def _witness(cell: Cell) -> tuple[int, bool]:
    """The counterexample's objects, and whether it is certified minimal."""
    minimal = _entry(cell, cell.certificate, "minimal")
    certified = _entry(cell, minimal, "certified")
    return _number(cell, minimal, "objects"), certified is True


def _number(cell: Cell, data: object, key: str) -> int:
    value = _entry(cell, data, key)
    if not isinstance(value, int):
        raise InputError(f"the cell {' '.join(cell.key)} has {key} {value!r}; expected an integer")
    return value


def _entry(cell: Cell, data: object, key: str) -> object:
    if not isinstance(data, dict) or key not in data:
        raise InputError(f"the cell {' '.join(cell.key)} has no {key!r} in its evidence")
    return data[key]
