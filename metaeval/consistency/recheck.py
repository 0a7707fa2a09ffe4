"""Re-check an answer: every case of a circle or a sum, every proof of a witness, the order on every listed case."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from metaeval.catalogue.condition import Group, conditions, find_condition
from metaeval.catalogue.measure import find_measure
from metaeval.consistency.answer import OLD_SCHEMA, SCHEMA, Answer, CircleLink, Multiple, Order
from metaeval.consistency.beyond import complete_beyond
from metaeval.consistency.decide import MOST_OBJECTS
from metaeval.consistency.graph import SUMS, Arrow, arrows, complete_lists, listed_cases, listing, side_at
from metaeval.consistency.witness import is_proved
from metaeval.core.case import Case
from metaeval.core.errors import InputError
from metaeval.core.relation import MEAN_EQUAL
from metaeval.core.renaming import SideForm, form, renames
from metaeval.display.layout import plural
from metaeval.files.shown import clean
from metaeval.verification.certificate_check import Refused
from metaeval.verification.proof_check import INSTANCES, SEED
from metaeval.workers.call import Notice
from metaeval.workers.worker import Finished, Hung, supervise

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
    return isinstance(data, Mapping) and data.get("schema") in (SCHEMA, OLD_SCHEMA)


def recheck_answer(data: Any, budget: float = ANSWER_BUDGET) -> CheckedAnswer:
    """Re-check an answer in a worker. An answer that takes too long, or kills the worker, is refused."""
    conditions()  # loaded here, not in the time that the answer has
    ending = supervise(budget, _recheck, data)
    if isinstance(ending, Finished):
        return CheckedAnswer(*ending.value)
    limit = f"it could not be re-checked within {budget:g} s of processor time; --budget gives it more"
    return CheckedAnswer("answer", None, limit if isinstance(ending, Hung) else "it is too large to be re-checked")


def _recheck(notice: Notice, data: Any) -> tuple[str, str | None, str | None]:
    notice(0)
    try:
        answer = verify_answer(data)
        return f"{answer.answer}: {', '.join(answer.minimal or answer.conditions)}", _found(answer), None
    except Refused as refusal:
        return "answer", None, clean(str(refusal))


def _found(answer: Answer) -> str:
    if answer.circle is not None:
        return f"a circle of {plural(len(answer.circle), 'link')}, each re-checked"
    if answer.farkas is not None:
        return f"multiples of {plural(len(answer.farkas), 'demand')}, each re-checked, add up to 0 > 0"
    if answer.witness is not None:
        return f"{answer.witness} is proved under each, derived again"
    cases = f"all {sum(one.cases for one in answer.listed):,} cases, listed anew"
    return (
        f"an order of {plural(answer.sides, 'side')} keeps {cases}" if answer.order else f"{cases}; no order is stated"
    )


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
    named = {group.condition.id: group for group in groups}
    if dict(group.id for group in groups) != stated.readings or len({*stated.conditions}) < len(stated.conditions):
        raise Refused("a condition is named twice, or not as `metaeval list conditions` writes it")
    for number, demand in enumerate(stated.certificate, start=1):
        _check_demand(demand, named, f"{'demand' if stated.circle is None else 'link'} {number}")
    if stated.circle is not None:
        _check_circle(stated.circle)
    elif stated.farkas is not None:
        _check_multiples(stated.farkas, named)
    elif stated.witness is not None:
        _check_witness(stated.witness, groups)
    else:
        _check_lists(stated, groups)
    _check_minimal(stated)
    return stated


# --- contradictions


def _check_demand(used: CircleLink | Multiple, groups: Mapping[str, Group], place: str) -> None:
    """The case must be an instance of its condition, and the condition must demand the arrow or the sum."""
    group, arrow = groups.get(used.condition), used.arrow
    if group is None or group.reading.name != used.reading:
        raise Refused(f"{place} is about {used.condition} {used.reading}, which is not among the conditions")
    relation = group.condition.relation
    # A premise judges only cases with the sides that the relation is about.
    if not relation.fits(used.case) or not group.reading.premise(used.case):
        raise Refused(f"the case of {place} is no instance of {group}")
    if relation not in SUMS if arrow is None else arrow not in arrows(relation):
        said = f"that {_said(arrow)}" if arrow else "anything of a sum of scores"
        raise Refused(f"{place} says {said}; {group.condition.id} does not demand that")


def _check_minimal(stated: Answer) -> None:
    """The conditions and the number of objects of a contradiction must be those of its cases."""
    names = {one.condition for one in stated.certificate}
    if sorted(names) != sorted(stated.minimal or ()):
        raise Refused(f"it is about {', '.join(sorted(names))}, and the conditions called minimal are not these")
    if any(one.case.objects > stated.objects for one in stated.certificate):
        raise Refused(f"it has cases with more than the {stated.objects} objects that are stated")


def _check_multiples(multiples: Sequence[Multiple], groups: Mapping[str, Group]) -> None:
    """Added up, the scores must cancel out, and a strict demand must remain: 0 > 0."""
    total: Counter[SideForm | None] = Counter()
    for number, one in enumerate(multiples, start=1):
        relation = groups[one.condition].condition.relation
        if one.times == 0 or (one.times < 0 and relation is not MEAN_EQUAL):
            raise Refused(f"demand {number} is taken {one.times} times; only an equality may be taken negatively")
        for side, times in one.terms(relation).items():
            total[None if side is None else form(side)] += times * one.times  # type: ignore[assignment]
    if any(total.values()):
        raise Refused("the multiples do not add up to nothing: some scores do not cancel out")
    if not any(one.arrow is not None and one.arrow.strict for one in multiples):
        raise Refused("no demand among the multiples is strict: 0 = 0 contradicts nothing")


# --- circles


def _check_circle(circle: Sequence[CircleLink]) -> None:
    # The upper end of a link must be the lower end of the next, under other names or as the optimum.
    for number, (link, successor) in enumerate(zip(circle, [*circle[1:], circle[0]], strict=True), start=1):
        if link.upper is None or successor.lower is None:
            if link.upper is not successor.lower:
                raise Refused(f"link {number} and the next do not meet: only one of the two ends is the optimum")
        elif link.renaming is None or not renames(link.upper, link.renaming, successor.lower):
            raise Refused(f"the renaming of link {number} does not turn its upper end into the lower end of the next")
    if not any(link.arrow.strict for link in circle):
        raise Refused("no link of the circle is strict: equal scores contradict nothing")


def _said(arrow: Arrow) -> str:
    return f"the {arrow.lower} scores {'lower than' if arrow.strict else 'at most as high as'} the {arrow.upper}"


# --- measures and orders


def _check_witness(id: str, groups: Sequence[Group]) -> None:
    try:
        measure = find_measure(id)
    except InputError as error:
        raise Refused(str(error)) from None
    if measure.id != id:
        raise Refused(f"its witness is called {measure.id}, not {id}")
    for group in groups:
        if not is_proved(measure, *group.id, INSTANCES, SEED):
            raise Refused(f"{measure.id} is not proved under {group}")


def _check_lists(stated: Answer, groups: Sequence[Group]) -> None:
    """The same cases must be listed again; each must find its sides in the order, rightly ranked."""
    if not 1 <= stated.objects <= MOST_OBJECTS:
        raise Refused(f"it speaks of {stated.objects} objects; cases are listed up to {MOST_OBJECTS}")
    order = stated.order
    if order is not None and any(group.condition.relation in SUMS for group in groups):
        raise Refused("an order says nothing of sums of scores, which some of its conditions are about")
    if order is not None and not len(order.by_form) == len(order.sides) == stated.sides:
        raise Refused(f"its order has {len(order.by_form)} sides that differ by more than names, not {stated.sides}")
    found: Counter[str] = Counter()
    for group, case in listed_cases(groups, stated.objects):
        found[group.condition.id] += 1
        if order is not None:
            _check_ranks(order, group, case)
    listed = tuple(listing(group, stated.objects, found[group.condition.id]) for group in groups)
    for one, other in zip_longest(stated.listed, listed):
        if one != other:
            found_anew = f"{other.cases} cases up to {plural(other.objects, 'object')}" if other else "nothing more"
            raise Refused(f"it misstates what is listed of {(other or one).condition}: {found_anew}")
    if not {*stated.complete} <= {*complete_lists(listed), *complete_beyond(groups)}:
        raise Refused("it says that more was looked at completely than is listed")


def _check_ranks(order: Order, group: Group, case: Case) -> None:
    for arrow in arrows(group.condition.relation):
        sides = side_at(case, arrow.lower), side_at(case, arrow.upper)
        lower, upper = (order.optimum if side is None else order.rank(side) for side in sides)
        if lower is None or upper is None:
            raise Refused(f"its order lacks a side of a case of {group} with {case.objects} objects")
        if not (lower < upper if arrow.strict else lower <= upper):
            raise Refused(f"its order breaks {group}: {_said(arrow)}, and the ranks are {lower} and {upper}")
