"""What changed between two results, cell by cell, for `diff`, `report --compare` and `check --against`.

A smaller number of cases is not a regression: it depends on the versions of Python and Hypothesis. A smaller exhaustive
bound is one, and so is a missing cell. A missing proof is one if proofs were tried.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from metaeval.core.verdict import Verdict
from metaeval.records.cell import Cell, CellKey
from metaeval.records.results import Results


class Kind(StrEnum):
    """How a cell changed, the worst first."""

    BROKEN = "broken"
    REMOVED = "removed"
    WEAKER = "weaker"
    CHANGED = "changed"
    STRONGER = "stronger"
    FIXED = "fixed"
    ADDED = "added"


@dataclass(frozen=True)
class Change:
    """A changed cell: its verdicts, None if it is missing, and whether this is a regression."""

    kind: Kind
    measure: str
    condition: str
    reading: str
    old: Verdict | None
    new: Verdict | None
    regression: bool
    detail: str | None = None

    @property
    def key(self) -> CellKey:
        return self.measure, self.condition, self.reading

    @property
    def summary(self) -> str:
        """The change as text: "holds → violated", "holds, 3 cases, was 5"."""
        if self.kind is Kind.WEAKER:
            return f"{self.new}, {self.detail}"
        return " → ".join(dict.fromkeys(verdict for verdict in (self.old, self.new) if verdict is not None))


@dataclass(frozen=True)
class Comparison:
    """Everything that changed, and how many cells did not."""

    changes: tuple[Change, ...]
    same: int
    #: The effort levels of measures for which they differ; then counts and counterexamples can differ too.
    efforts: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def regression(self) -> bool:
        return any(change.regression for change in self.changes)

    def of(self, kind: Kind) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.kind is kind)


def compare(old: Results, new: Results) -> Comparison:
    """What changed from ``old`` to ``new``, in the order of the old cells, then of the added ones."""
    keys = dict.fromkeys(cell.key for results in (old, new) for cell in results)
    proofs_tried = new.provenance.get("proofs") is True
    changes = tuple(filter(None, (_change(key, old.get(key), new.get(key), proofs_tried) for key in keys)))
    levels = {id: (old.efforts[id], new.efforts[id]) for id in sorted(old.efforts.keys() & new.efforts.keys())}
    efforts = {id: pair for id, pair in levels.items() if pair[0] != pair[1]}
    return Comparison(changes, len(keys) - len(changes), efforts)


def _change(key: CellKey, old: Cell | None, new: Cell | None, proofs_tried: bool) -> Change | None:
    if new is None:
        return Change(Kind.REMOVED, *key, old.verdict if old else None, None, regression=True)
    if old is None:
        return Change(Kind.ADDED, *key, None, new.verdict, regression=False)
    if old.verdict is Verdict.PROVED and new.verdict is Verdict.HOLDS:
        why = new.unproved or ("No proof was found." if proofs_tried else "No proof was tried.")
        return Change(Kind.WEAKER, *key, old.verdict, new.verdict, proofs_tried, f"no longer proved: {why}")
    if old.verdict is not new.verdict:
        better = Kind.STRONGER if old.verdict.satisfied else Kind.FIXED if new.verdict.satisfied else Kind.CHANGED
        kind = Kind.BROKEN if new.verdict.gravity > old.verdict.gravity else better
        regression = kind is Kind.BROKEN or new.verdict.counts_against
        return Change(kind, *key, old.verdict, new.verdict, regression, new.message)
    if new.outside is not None and old.outside is None:
        return Change(Kind.BROKEN, *key, old.verdict, new.verdict, regression=True, detail=str(new.outside))
    losses = "; ".join(_losses(old, new))
    if not losses:
        return None
    # The size of a counterexample does not matter; a `holds` with a smaller bound is weaker.
    regression = new.verdict is Verdict.HOLDS and _bound(new) < _bound(old)
    return Change(Kind.WEAKER, *key, old.verdict, new.verdict, regression, losses)


def _bound(cell: Cell) -> int:
    """The number of objects up to which all cases were tried; 0 if there is none that small."""
    return cell.bound.objects if cell.bound else 0


def _losses(old: Cell, new: Cell) -> Iterator[str]:
    """The ways in which the evidence is weaker."""
    if new.verdict is Verdict.HOLDS:
        was, now = _bound(old), _bound(new)
        if now < was:
            yield f"exhaustive up to {now} objects, was {was}"
        elif old.bound and new.bound and now == was and new.bound.cases < old.bound.cases:
            yield f"{new.bound.cases} exhaustive cases, was {old.bound.cases}"
        if new.cases < old.cases:
            yield f"{new.cases} cases, was {old.cases}"
    if old.certificate is not None and new.certificate is not None:
        if new.certificate.objects > old.certificate.objects:
            yield f"counterexample of {new.certificate.objects} objects, was {old.certificate.objects}"
        elif old.certificate.certified and not new.certificate.certified:
            yield "counterexample no longer certified minimal"
