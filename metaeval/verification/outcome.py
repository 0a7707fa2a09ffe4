"""When a check fails: expected violations, and the problems that remain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from operator import itemgetter
from typing import NamedTuple

from metaeval.catalogue.condition import Group, GroupId, conditions, find_condition
from metaeval.catalogue.measure import Measure
from metaeval.catalogue.registry import match, suggestion
from metaeval.core.errors import InputError, naming
from metaeval.core.grouping import grouped
from metaeval.core.settings import HIGHEST
from metaeval.core.verdict import Verdict
from metaeval.records.atlas import Standing
from metaeval.records.cell import Cell
from metaeval.records.compare import Kind, compare
from metaeval.records.results import Results
from metaeval.runner.plan import CellId, Plan, why_not
from metaeval.verification import baseline
from metaeval.verification.baseline import Baseline, Rechecked, State
from metaeval.verification.golden import Difference, NoAnswer, panel_scores
from metaeval.workers.faults import FaultKind


class Judgement(Enum):
    """The judgement of a cell, given whether its violation was expected."""

    PASSES = "nothing counts against the measure, as expected"
    EXPECTED = "an expected violation"
    FAILS = "something unexpected counts against the measure"
    OBSOLETE = "a violation was expected, and nothing counts against the measure"


def judge_cell(cell: Cell, expected: bool) -> Judgement:
    """An expectation excuses only a violation and a score outside the declared range."""
    excusable = cell.verdict is Verdict.VIOLATED or (cell.outside is not None and not cell.verdict.counts_against)
    if cell.verdict.counts_against or excusable:
        return Judgement.EXPECTED if expected and excusable else Judgement.FAILS
    return Judgement.OBSOLETE if expected else Judgement.PASSES


# --- on the command line: --expect-violation ID/READING


def places_expected(texts: Iterable[str], plan: Plan) -> frozenset[GroupId]:
    """The cells that ``--expect-violation`` names; each must be checked."""
    named = {"/".join(group.id): group.id for measure in plan.measures for group in plan.groups_of(measure)}
    places = set()
    for text in texts:
        if (found := match(text, named)) is None:
            every = (f"{condition.id}/{name}" for condition in conditions().values() for name in condition.readings)
            if match(text, every) is not None:
                raise InputError(f"--expect-violation {text}: that cell is not checked here; leave the expectation out")
            meant, such = suggestion(text, named), "expected a condition and a reading, such as A.3/literal"
            hint = such if meant is None else f"did you mean {meant}?"
            raise InputError(f"--expect-violation {text}: no such cell; {hint}")
        places.add(named[found])
    return frozenset(places)


class CheckProblem(NamedTuple):
    """A sentence on why a check fails; ``cell`` where the verdict of a cell is all there is to say."""

    text: str
    cell: Cell | None = None

    @property
    def is_plain_violation(self) -> bool:
        """Whether nothing is to be said but that a cell is violated."""
        cell = self.cell
        return cell is not None and cell.verdict is Verdict.VIOLATED and not (cell.message or cell.outside)


def problem(cell: Cell, expected: bool) -> CheckProblem | None:
    """Why a cell fails ``metaeval check``, or None where it passes."""
    name = f"{cell.condition}/{cell.reading}"
    judgement = judge_cell(cell, expected)
    if judgement is Judgement.FAILS:
        reasons = [cell.verdict, cell.message] if cell.verdict.counts_against or cell.outside is None else []
        return CheckProblem(f"{name}: {', '.join(map(str, filter(None, [*reasons, cell.outside])))}", cell)
    if judgement is not Judgement.OBSOLETE:
        return None
    return CheckProblem(
        f"{name}: a violation was expected and none was found (verdict: {cell.verdict}); "
        f"remove it from --expect-violation, `expect` in pyproject.toml or expected_violations"
    )


# --- in a test module: parametrize_with_conditions(expected_violations={measure: {"ID/READING": reason}})


#: For each measure's id, a reason for every "condition/reading" that it is known to violate.
Reasons = Mapping[str, Mapping[str, str]]


def reasons_by_cell(expected: Reasons, plan: Plan) -> dict[CellId, str]:
    """The reasons of the cells that are expected to be violated; each must be tested."""
    by_id = {measure.id: measure for measure in plan.measures}
    found: dict[CellId, str] = {}
    for id, reasons in expected.items():
        if id not in by_id:
            raise InputError(f"expected_violations names {id!r}, which is not checked here: {', '.join(by_id)} are")
        if not isinstance(reasons, Mapping):
            raise InputError(f"expected_violations[{id!r}] is {reasons!r}; expected reasons by condition/reading")
        for key, reason in reasons.items():
            entry = f"expected_violations[{id!r}][{key!r}]"
            if not isinstance(key, str) or key.count("/") != 1:
                raise InputError(f"{entry} names no cell; expected a condition and a reading, such as 'A.3/literal'")
            with naming(f"{entry} names no cell"):
                condition, reading = find_condition(key.partition("/")[0]), key.partition("/")[2]
                form = condition.form(by_id[id].domain, condition.reading(reading).name)
                group = Group(form, form.reading(reading))
            if (why := why_not(by_id[id], group)) is not None:
                raise InputError(f"{entry} names a cell that there is not: {id} {why}; remove it")
            if group.id not in [one.id for one in plan.groups]:
                raise InputError(f"{entry} is not among the conditions and readings chosen; remove it, or choose it")
            if not isinstance(reason, str) or not reason.strip():
                raise InputError(f"{entry} is {reason!r}; expected a reason in words")
            found[id, *group.id] = reason
    return found


def no_longer(cell: Cell, reason: str) -> str:
    """The message of a test whose expected violation was not found."""
    return (
        f"{cell.measure} no longer violates {cell.condition} ({cell.reading}), which was expected: {reason}\n"
        f'What to do: remove "{cell.condition}/{cell.reading}" from expected_violations["{cell.measure}"]. If it\n'
        "should still be violated, search further, by --metaeval-examples or --metaeval-exhaustive."
    )


def not_tested(plan: Plan, measure: Measure) -> Iterator[str]:
    """Which of the chosen cells a check leaves out, and why, in a sentence for each reason."""
    left_out = plan.left_out(measure)
    met = {group.condition.id: group.condition for group in plan.groups_of(measure)}
    for places in grouped(left_out, left_out.__getitem__):
        readings = ((some[0][0], ", ".join(name for _, name in some)) for some in grouped(places, itemgetter(0)))
        # A condition of which nothing is left is named alone.
        names = (f"{id} ({some})" if id in met else id for id, some in readings)
        yield f"not tested: {', '.join(names)}, because {measure.name} {left_out[places[0]]}"
    ranges = [id for id, condition in met.items() if condition.relation.needs_lowest]
    if ranges and measure.lowest is None:
        yield f"not tested: the lower end of the range ({ranges[0]}), because none is declared; --low X does so"


#: The most violations that are named in one sentence.
_MOST_NAMED = 5


@dataclass
class Outcome:
    """What a check found, the problems that make it fail, and how the measure stands beside others."""

    results: Results
    gate: str | None
    expected: frozenset[GroupId] = frozenset()
    against: HeldAgainst | None = None
    problems: list[CheckProblem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    standing: Standing | None = None

    def is_expected(self, cell: Cell) -> bool:
        return cell.verdict is Verdict.VIOLATED and cell.key[1:] in self.expected

    @property
    def sentences(self) -> list[str]:
        return [problem.text for problem in self.problems]

    def folded(self, where: str = "above") -> list[str]:
        """The problems; plain violations are told in one sentence, which says ``where`` many are explained."""
        violated = [one.cell for one in self.problems if one.cell is not None and one.is_plain_violation]
        if len(violated) < 2:
            return self.sentences
        others = [one.text for one in self.problems if not one.is_plain_violation]
        if len(violated) > _MOST_NAMED:
            return [*others, f"{len(violated)} violations, explained {where}"]
        return [*others, f"violated: {', '.join('/'.join(cell.key[1:]) for cell in violated)}"]


class HeldAgainst(NamedTuple):
    """The comparison with a baseline before the search: its certificates and golden scores, checked again."""

    file: str
    stored: Baseline
    rechecked: tuple[Rechecked, ...] = ()
    changed: tuple[Difference, ...] = ()
    no_answer: str | None = None

    @property
    def violations(self) -> frozenset[GroupId]:
        """The cells that were violated when the baseline was saved."""
        return frozenset(cell.key[1:] for cell in self.stored.cells if cell.verdict is Verdict.VIOLATED)

    def of(self, state: State) -> list[Rechecked]:
        return [one for one in self.rechecked if one.state is state]


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
    """The problems that make the check fail."""
    gate = results.measures[measure.id].gate
    outcome = Outcome(results, gate, expected, against)
    if gate:
        outcome.problems.append(CheckProblem(f"gate: {gate}"))
        fault = results.measures[measure.id].fault
        if fault is not None and fault.kind == FaultKind.NOT_BEST.word:
            # The likeliest reason of all for a failed gate is a distance that nobody declared.
            outcome.notes.append(
                "--best says what a perfect match scores, --smaller-is-better that the function is a dissimilarity"
            )
    if against is not None:
        outcome.problems += map(CheckProblem, _unsearched_problems(against))
        if not gate:
            _judge_against(outcome, against)
    elif not gate:
        outcome.problems += filter(None, (problem(cell, cell.key[1:] in expected) for cell in results))
    return outcome


def judge_unsearched(against: HeldAgainst, results: Results) -> Outcome:
    """The problems with a baseline's certificates and golden scores, for a check without a search."""
    problems = list(map(CheckProblem, _unsearched_problems(against)))
    return Outcome(results, None, against.violations, against, problems, list(map(str, against.of(State.FIXED))))


def _unsearched_problems(against: HeldAgainst) -> Iterator[str]:
    if against.no_answer is not None:
        yield f"stored counterexamples and golden scores: {against.no_answer}"
    yield from map(str, against.of(State.BROKEN))
    if against.changed:
        amount = f"{len(against.changed)} of {len(against.stored.golden)} golden scores changed"
        yield f"{amount}, such as {against.changed[0]}"


def _judge_against(outcome: Outcome, against: HeldAgainst) -> None:
    for change in compare(against.stored.results, outcome.results).changes:
        sentence = f"{change.kind}, {change.summary}" + (f" ({change.detail})" if change.detail else "")
        if change.kind is Kind.WEAKER:
            sentence = f"{change.new} on weaker evidence: {change.detail}"
        sentence = f"{change.condition}/{change.reading}: {sentence}"
        if change.regression:
            outcome.problems.append(CheckProblem(sentence))
        else:
            outcome.notes.append(sentence)
    for one in against.of(State.FIXED):
        if outcome.results.cell(against.stored.id, one.condition, one.reading).verdict is Verdict.VIOLATED:
            outcome.notes.append(f"{one}; another case still breaks it")
    if against.of(State.FIXED):
        outcome.notes.append(f"save a new baseline to guard what is fixed: --save {against.file}")


def save_baseline(file: str, measure: Measure, outcome: Outcome, budget: float | None) -> None:
    """Save the results as a baseline; the check fails if that is not possible."""
    try:
        if outcome.gate:
            raise NoAnswer("the measure fails the gate")
        panel = panel_scores(measure, budget, outcome.results.efforts.get(measure.id, HIGHEST))
    except NoAnswer as error:
        outcome.problems.append(CheckProblem(f"no baseline was saved in {file}: {error}"))
        return
    baseline.make(measure, outcome.results, panel).save(file)
    if panel.left_out:
        outcome.notes.append(f"the baseline has none of the {panel.left_out} large golden pairs: {panel.why}")
