"""Re-check an answer: every case of a circle, or the order on every listed case."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from metaeval.catalogue.condition import Group, conditions, find_condition
from metaeval.consistency.answer import SCHEMA, Answer, CircleLink, Order
from metaeval.consistency.decide import MOST_OBJECTS
from metaeval.consistency.graph import Arrow, arrows, listed_cases, side_at
from metaeval.core.errors import InputError
from metaeval.core.renaming import renames
from metaeval.display.layout import plural
from metaeval.files.shown import clean
from metaeval.verification.certificate_check import Refused
from metaeval.verification.verify import told_by
from metaeval.workers.call import Notice
from metaeval.workers.worker import Finished, Hung

#: Processor seconds per answer: all cases of an order's scope are listed again.
ANSWER_BUDGET = 120.0


@dataclass(frozen=True)
class CheckedAnswer:
    """An answer that was re-checked: its place, and what was found or why it was refused."""

    place: str
    found: str | None
    refusal: str | None


def is_answer(data: Any) -> bool:
    """Whether parsed JSON is an answer on consistency."""
    return isinstance(data, Mapping) and data.get("schema") == SCHEMA


def recheck_answer(data: Any, budget: float = ANSWER_BUDGET) -> CheckedAnswer:
    """Re-check an answer in a worker. An answer that takes too long, or kills the worker, is refused."""
    conditions()  # loaded here, not in the time that the answer has
    try:
        return next(told_by(budget, _recheck, data))
    except StopIteration as stopped:
        ending = stopped.value
    assert not isinstance(ending, Finished)
    limit = f"it could not be re-checked within {budget:g} s of processor time; --budget gives it more"
    return CheckedAnswer("answer", None, limit if isinstance(ending, Hung) else "it is too large to be re-checked")


def _recheck(notice: Notice, data: Any) -> Iterator[CheckedAnswer]:
    notice(0)
    try:
        answer = verify_answer(data)
        place = f"{answer.answer}: {', '.join(answer.minimal or answer.conditions)}"
        cases = sum(one.cases for one in answer.listed)
        found = f"an order of {plural(answer.sides, 'side')} keeps all {cases:,} cases, listed anew"
        if answer.circle is not None:
            found = f"a circle of {plural(len(answer.circle), 'link')}, each re-checked"
        yield CheckedAnswer(place, found, None)
    except Refused as refusal:
        yield CheckedAnswer("answer", None, clean(str(refusal)))
    notice(None)


#: Finds the condition and the reading of these names.
Finder = Callable[[str, str], Group]


def registered(condition: str, reading: str) -> Group:
    """A registered condition under one of its readings."""
    found = find_condition(condition)
    return Group(found, found.reading(reading))


def verify_answer(answer: Answer | Any, find: Finder = registered) -> Answer:
    """Re-check an answer, typed or as JSON; :class:`Refused` says what is wrong. ``find`` can replace the registry."""
    try:
        stated = answer if isinstance(answer, Answer) else Answer.from_json(answer)
        groups = [find(*place) for place in stated.readings.items()]
    except InputError as error:
        raise Refused(str(error)) from None
    if stated.circle is not None:
        _check_circle(stated, stated.circle, {group.condition.id: group for group in groups})
    elif stated.order is not None:
        _check_order(stated, stated.order, groups)
    else:
        raise Refused("it says consistent and has no order that shows it")
    return stated


# --- circles


def _check_circle(stated: Answer, circle: Sequence[CircleLink], groups: dict[str, Group]) -> None:
    for number, link in enumerate(circle, start=1):
        group = groups.get(link.condition)
        if group is None or group.reading.name != link.reading:
            raise Refused(f"link {number} is about {link.condition} {link.reading}, which is not among the conditions")
        if not group.reading.premise(link.case):
            raise Refused(f"the case of link {number} is no instance of {group}")
        if link.arrow not in arrows(group.condition.relation):
            raise Refused(f"link {number} says that {_said(link.arrow)}; {group.condition.id} does not demand that")
    following = [*circle[1:], circle[0]]
    # The upper end of a link must be the lower end of the next, under other names or as the optimum.
    for number, (link, successor) in enumerate(zip(circle, following, strict=True), start=1):
        if link.upper is None or successor.lower is None:
            if link.upper is not successor.lower:
                raise Refused(f"link {number} and the next do not meet: only one of the two ends is the optimum")
        elif link.renaming is None or not renames(link.upper, link.renaming, successor.lower):
            raise Refused(f"the renaming of link {number} does not turn its upper end into the lower end of the next")
    if not any(link.arrow.strict for link in circle):
        raise Refused("no link of the circle is strict: equal scores contradict nothing")
    used = {link.condition for link in circle}
    if stated.minimal is None or used != set(stated.minimal):
        named = ", ".join(sorted(used))
        raise Refused(f"the circle is about {named}, and the conditions called minimal are not these")
    if max(link.case.objects for link in circle) > stated.objects:
        raise Refused(f"the circle has cases with more than the {stated.objects} objects that are stated")


def _said(arrow: Arrow) -> str:
    return f"the {arrow.lower} scores {'lower than' if arrow.strict else 'at most as high as'} the {arrow.upper}"


# --- orders


def _check_order(stated: Answer, order: Order, groups: Sequence[Group]) -> None:
    """The sides of every listed case must be in the order, with the right ranks."""
    if stated.objects > MOST_OBJECTS:
        raise Refused(f"it speaks of {stated.objects} objects; cases are listed up to {MOST_OBJECTS}")
    if not len(order.by_form) == len(order.sides) == stated.sides:
        raise Refused(f"its order has {len(order.by_form)} sides that differ by more than names, not {stated.sides}")
    found: Counter[str] = Counter()
    for group, case in listed_cases(groups, stated.objects):
        found[group.condition.id] += 1
        for arrow in arrows(group.condition.relation):
            sides = side_at(case, arrow.lower), side_at(case, arrow.upper)
            lower, upper = (order.optimum if side is None else order.rank(side) for side in sides)
            if lower is None or upper is None:
                raise Refused(f"its order lacks a side of a case of {group} with {case.objects} objects")
            if not (lower < upper if arrow.strict else lower <= upper):
                raise Refused(f"its order breaks {group}: {_said(arrow)}, and the ranks are {lower} and {upper}")
    for one in stated.listed:
        cases = found[one.condition]
        if one.cases != cases:
            raise Refused(f"{one.condition} has {cases} cases up to {one.objects} objects, not {one.cases}")
