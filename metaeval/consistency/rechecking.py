"""An answer in a file, re-checked apart and within a budget: no file is believed, and none is waited for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from metaeval.catalogue.condition import conditions
from metaeval.consistency.answer import SCHEMA, Answer
from metaeval.consistency.recheck import verify_answer
from metaeval.display.wording import plural
from metaeval.files.codec import clean
from metaeval.records.certificate import Refused
from metaeval.verification.verify import told_by
from metaeval.workers.worker import Finished, Hung, Notice

#: Seconds of processor time that an answer may take: all cases of an order's scope are listed anew.
ANSWER_BUDGET = 120.0


@dataclass(frozen=True)
class CheckedAnswer:
    """An answer that was re-checked: what it is about, what was found of it, or why it was refused."""

    place: str
    found: str | None
    refusal: str | None


def is_answer(data: Any) -> bool:
    """Whether parsed JSON is an answer about the consistency of conditions."""
    return isinstance(data, Mapping) and data.get("schema") == SCHEMA


def recheck_answer(data: Any, budget: float = ANSWER_BUDGET) -> CheckedAnswer:
    """Re-check an answer in a process of its own; one that takes too long, or takes it down, is refused."""
    conditions()  # loaded here, not in the time that the answer has
    telling = told_by(budget, _recheck, data)
    try:
        return next(telling)
    except StopIteration as stopped:
        ending = stopped.value
    assert not isinstance(ending, Finished)
    limit = f"within {budget:g} s of processor time; --budget gives it more"
    why = f"it could not be re-checked {limit}" if isinstance(ending, Hung) else "it is too large to be re-checked"
    return CheckedAnswer("answer", None, why)


def _recheck(notice: Notice, data: Any) -> Iterator[CheckedAnswer]:
    notice(0)
    try:
        yield _checked(verify_answer(data))
    except Refused as refusal:
        yield CheckedAnswer("answer", None, clean(str(refusal)))
    notice(None)


def _checked(answer: Answer) -> CheckedAnswer:
    place = f"{answer.answer}: {', '.join(answer.minimal or answer.conditions)}"
    if answer.circle is not None:
        return CheckedAnswer(place, f"a circle of {plural(len(answer.circle), 'link')}, each re-checked", None)
    cases = sum(one.cases for one in answer.listed)
    sides = plural(answer.sides, "side")
    return CheckedAnswer(place, f"an order of {sides} keeps all {cases:,} cases, listed anew", None)
