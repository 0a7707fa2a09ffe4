"""Expected violations: what users know already, named on the command line or in a test module.

An expectation that no cell is held against would hide a typing mistake, or outlive what it was about; so it is
refused before anything is searched. One that is no longer met fails, so that it is taken out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

from metaeval.catalogue.condition import conditions, find_condition
from metaeval.catalogue.measure import Measure
from metaeval.catalogue.registry import match, suggestion
from metaeval.core.errors import InputError
from metaeval.core.verdict import Verdict
from metaeval.records.cell import Cell
from metaeval.runner.plan import CellId, Group, GroupId, Plan, has_what_is_needed, lies_in_domain


class Judgement(Enum):
    """What becomes of a cell, given whether its violation was expected."""

    PASSES = "nothing speaks against the measure, and nothing was expected to"
    EXPECTED = "a violation that was expected"
    FAILS = "something speaks against the measure that was not expected"
    OBSOLETE = "a violation was expected, and nothing speaks against the measure"


def judge_verdict(verdict: Verdict, expected: bool) -> Judgement:
    """An expectation excuses a violation, and nothing else."""
    if verdict.counts_against:
        return Judgement.EXPECTED if expected and verdict is Verdict.VIOLATED else Judgement.FAILS
    return Judgement.OBSOLETE if expected else Judgement.PASSES


# --- on the command line: --expect-violation ID/READING


def places_expected(texts: Iterable[str], plan: Plan) -> frozenset[GroupId]:
    """The cells that ``--expect-violation`` names; each must be one that is checked."""
    places = [group.id for measure in plan.measures for group in plan.groups_of(measure)]
    return frozenset(_place(text, places) for text in texts)


def _place(text: str, places: list[GroupId]) -> GroupId:
    named = {"/".join(place): place for place in places}
    found = match(text, named)
    if found is not None:
        return named[found]
    every = (f"{condition.id}/{name}" for condition in conditions().values() for name in condition.readings)
    if match(text, every) is not None:
        raise InputError(f"--expect-violation {text}: that cell is not checked here; leave the expectation out")
    meant = suggestion(text, named)
    hint = (
        "; expected a condition and a reading, such as A.3/literal"
        if meant is None
        else f"; did you mean {meant}?"
    )
    raise InputError(f"--expect-violation {text}: no such cell{hint}")


def problem(cell: Cell, expected: bool) -> str | None:
    """Why a cell fails ``metaeval check``, in a sentence, or None where it passes."""
    name = f"{cell.condition}/{cell.reading}"
    judgement = judge_verdict(cell.verdict, expected)
    if judgement is Judgement.FAILS:
        return f"{name}: {cell.verdict}" + (f", {cell.message}" if cell.message else "")
    if judgement is Judgement.OBSOLETE:
        return (
            f"{name}: a violation was expected and none was found (verdict: {cell.verdict}); "
            f"remove --expect-violation {name}, or that line of `expect` in pyproject.toml"
        )
    return None


# --- in a test module: parametrize_with_conditions(expected_violations={measure: {"ID/READING": reason}})


#: For each measure's id, a reason for every "condition/reading" that it is known to violate.
Reasons = Mapping[str, Mapping[str, str]]


def reasons_by_cell(expected: Reasons, plan: Plan) -> dict[CellId, str]:
    """The reason of every cell that is expected to be violated; each must be one that a test looks at."""
    by_id = {measure.id: measure for measure in plan.measures}
    found: dict[CellId, str] = {}
    for id, reasons in expected.items():
        if id not in by_id:
            checked = ", ".join(by_id)
            raise InputError(f"expected_violations names {id!r}, which is not checked here: {checked} are")
        if not isinstance(reasons, Mapping):
            raise InputError(f"expected_violations[{id!r}] is {reasons!r}; expected reasons by condition/reading")
        for key, reason in reasons.items():
            found[id, *_group_id(by_id[id], key, reason, plan)] = reason
    return found


def _group_id(measure: Measure, key: Any, reason: Any, plan: Plan) -> GroupId:
    entry = f"expected_violations[{measure.id!r}][{key!r}]"
    group = _group(entry, key)
    if not lies_in_domain(measure, group):
        raise InputError(f"{entry} lies outside the domain of {measure.id}, {measure.domain}; remove it")
    if not has_what_is_needed(measure, group):
        raise InputError(f"{entry} speaks of the optimum, and {measure.id} has no constant one; remove it")
    if group.id not in [one.id for one in plan.groups]:
        raise InputError(f"{entry} is not among the conditions and readings chosen; remove it, or choose it")
    if not isinstance(reason, str) or not reason.strip():
        raise InputError(f"{entry} is {reason!r}; expected a reason in words")
    return group.id


def _group(entry: str, key: Any) -> Group:
    if not isinstance(key, str) or key.count("/") != 1:
        raise InputError(f"{entry} names no cell; expected a condition and a reading, such as 'A.3/literal'")
    id, reading = key.split("/")
    try:
        condition = find_condition(id)
        return Group(condition, condition.reading(reading))
    except InputError as error:
        raise InputError(f"{entry} names no cell: {error}") from None


def no_longer(cell: Cell, reason: str) -> str:
    """What a test says whose expected violation was not found."""
    return (
        f"{cell.measure} no longer violates {cell.condition} ({cell.reading}), which was expected: {reason}\n"
        f'What to do: remove "{cell.condition}/{cell.reading}" from expected_violations["{cell.measure}"]. If it\n'
        "should still be violated, search further, by --metaeval-examples or --metaeval-exhaustive."
    )
