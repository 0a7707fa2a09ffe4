"""The outcome of a check: what of the results makes it fail, by expectations or against a baseline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from metaeval.catalogue.measure import Measure
from metaeval.core.effort import HIGHEST
from metaeval.core.verdict import Verdict
from metaeval.records.cell import Cell
from metaeval.records.compare import Change, Kind, compare
from metaeval.records.results import Results
from metaeval.runner.plan import GroupId
from metaeval.verification import baseline
from metaeval.verification.baseline import Baseline, Rechecked, State
from metaeval.verification.expectations import problem
from metaeval.verification.golden import Difference, NoAnswer, panel_scores


@dataclass
class Outcome:
    """What a check found, and what of it makes it fail."""

    results: Results
    gate: str | None
    expected: frozenset[GroupId] = frozenset()
    against: HeldAgainst | None = None
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def is_expected(self, cell: Cell) -> bool:
        """Whether the cell's violation was known before."""
        return cell.verdict is Verdict.VIOLATED and place_of(cell) in self.expected

    def is_news(self, cell: Cell) -> bool:
        """Whether the counterexample is to be shown: those of a baseline have been seen."""
        return cell.verdict is Verdict.VIOLATED and not (self.against and self.is_expected(cell))


@dataclass(frozen=True)
class HeldAgainst:
    """What was found against a baseline before the search: its certificates and golden scores, asked again."""

    file: str
    stored: Baseline
    rechecked: tuple[Rechecked, ...] = ()
    changed: tuple[Difference, ...] = ()
    no_answer: str | None = None

    @property
    def violations(self) -> frozenset[GroupId]:
        """The cells that were violated when the baseline was saved."""
        return frozenset(place_of(cell) for cell in self.stored.cells if cell.verdict is Verdict.VIOLATED)


def place_of(cell: Cell) -> GroupId:
    """Condition and reading."""
    return cell.condition, cell.reading


def hold_against(file: str, stored: Baseline, measure: Measure, budget: float | None) -> HeldAgainst:
    """Re-check what a baseline stores, with the measure as it is now."""
    try:
        rechecked = tuple(baseline.recheck(stored, measure, budget))
        changed = tuple(baseline.changed_scores(stored, measure, budget))
    except NoAnswer as error:
        return HeldAgainst(file, stored, no_answer=str(error))
    return HeldAgainst(file, stored, rechecked, changed)


def judge(
    measure: Measure, results: Results, expected: frozenset[GroupId], against: HeldAgainst | None = None
) -> Outcome:
    """What of the results makes the check fail, in sentences."""
    gate = results.measures[measure.id].gate
    outcome = Outcome(results, gate, expected, against)
    if gate:
        outcome.problems.append(f"gate: {gate}")
        outcome.notes += _hints(results)
    if against is not None:
        outcome.expected = against.violations
        _judge_against(outcome, against)
    elif not gate:
        found = (problem(cell, place_of(cell) in expected) for cell in results)
        outcome.problems += [sentence for sentence in found if sentence is not None]
    return outcome


def _hints(results: Results) -> Iterator[str]:
    """The likeliest reason of all for a failed gate is a distance that nobody declared."""
    if any((cell.message or "").startswith("gate (best for a perfect match)") for cell in results):
        yield "--best says what a perfect match scores, --smaller-is-better that the function is a dissimilarity"


def judge_unsearched(against: HeldAgainst, results: Results) -> Outcome:
    """What of a baseline's certificates and golden scores makes a check fail that searches nothing."""
    outcome = Outcome(results, None, against.violations, against)
    outcome.problems += _unsearched_problems(against)
    outcome.notes += [
        f"{one.condition}/{one.reading}: {one.sentence}" for one in against.rechecked if one.state is State.FIXED
    ]
    return outcome


def _unsearched_problems(against: HeldAgainst) -> Iterator[str]:
    if against.no_answer is not None:
        yield f"stored counterexamples and golden scores: {against.no_answer}"
    for one in against.rechecked:
        if one.state is State.BROKEN:
            yield f"{one.condition}/{one.reading}: {one.sentence}"
    if against.changed:
        amount = f"{len(against.changed)} of {len(against.stored.golden)} golden scores changed"
        yield f"{amount}, such as {against.changed[0]}"


def _judge_against(outcome: Outcome, against: HeldAgainst) -> None:
    outcome.problems += _unsearched_problems(against)
    if outcome.gate:
        return
    for change in compare(against.stored.results, outcome.results).changes:
        sentence = f"{change.condition}/{change.reading}: {_sentence(change)}"
        (outcome.problems if change.regression else outcome.notes).append(sentence)
    outcome.notes += _fixed(outcome, against)


def _fixed(outcome: Outcome, against: HeldAgainst) -> Iterator[str]:
    fixed = [one for one in against.rechecked if one.state is State.FIXED]
    for one in fixed:
        if outcome.results.cell(against.stored.id, one.condition, one.reading).verdict is Verdict.VIOLATED:
            yield f"{one.condition}/{one.reading}: {one.sentence}; another case breaks it still"
    if fixed:
        yield f"what is fixed stays guarded once a new baseline is saved: --save {against.file}"


def _sentence(change: Change) -> str:
    if change.kind is Kind.WEAKER:
        return f"{change.new} on weaker evidence: {change.detail}"
    reason = f" ({change.detail})" if change.detail else ""
    return f"{change.kind}, {change.summary}{reason}"


def save_baseline(file: str, measure: Measure, outcome: Outcome, budget: float | None) -> None:
    """Save what was found as a baseline; where that cannot be done, the check fails."""
    if outcome.gate:
        outcome.problems.append(f"no baseline was saved in {file}: the measure fails the gate")
        return
    try:
        panel = panel_scores(measure, budget, outcome.results.efforts.get(measure.id, HIGHEST))
    except NoAnswer as error:
        outcome.problems.append(f"no baseline was saved in {file}: {error}")
        return
    baseline.make(measure, outcome.results, budget, panel).save(file)
    if panel.left_out:
        outcome.notes.append(f"the baseline has none of the {panel.left_out} large golden pairs: {panel.why}")
