"""From a choice of conditions to the answer: listed level by level, so that a circle has as few objects as can be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from metaeval.consistency.answer import Answer, CircleLink
from metaeval.consistency.choice import chosen
from metaeval.consistency.graph import Link, Listen, Scope
from metaeval.core.errors import InputError
from metaeval.core.forms import renaming
from metaeval.runner.plan import Group

#: Up to how many objects cases are listed where nothing else is said.
OBJECTS = 6
#: Beyond so many objects there are too many partitions to list.
MOST_OBJECTS = 10


def consistency(
    conditions: Iterable[str] | None = None,
    readings: Iterable[str] | Mapping[str, str] | str | None = None,
    objects: int = OBJECTS,
    *,
    listen: Listen = lambda group, objects: None,
) -> Answer:
    """Whether conditions can be satisfied together by any measure that is blind to names.

    ``conditions`` are ids, by default the paper's ten. ``readings`` is the name of a reading for all of them, words
    such as "A.1=literal" for one each, or a mapping; by default canonical. All cases with up to so many ``objects`` are
    looked at, as far as they can be listed. ``listen`` is told the condition and the number of objects under way.

    The answer is impossible, with a circle of cases that no measure can satisfy, or consistent on that scope, with
    an order that is itself a measure.

    >>> import metaeval
    >>> answer = metaeval.consistency(["A.1", "A.2"], objects=4)
    >>> answer.answer, answer.sides
    ('consistent', 42)
    """
    return decide(chosen(conditions, readings), objects, listen)


def decide(
    groups: Sequence[Group],
    objects: int = OBJECTS,
    listen: Listen = lambda group, objects: None,
) -> Answer:
    """The answer for conditions under readings that need not be registered."""
    _check_objects(objects)
    # Loaded here: SciPy is slow to load, and those who only read an answer need none of it.
    from metaeval.consistency.circles import shortest_circle, smallest_impossible
    from metaeval.consistency.ordering import order_of

    ids = [group.condition.id for group in groups]
    readings = {group.condition.id: group.reading.name for group in groups}
    scope = Scope()
    for count in range(1, objects + 1):
        for group in groups:
            listen(group, count)
            scope.add(group, count)
        minimal = smallest_impossible(scope, ids)
        if minimal is not None:
            circle = _named(shortest_circle(scope, minimal))
            return Answer(count, readings, scope.listed, scope.size - 1, circle=circle, minimal=minimal)
    return Answer(objects, readings, scope.listed, scope.size - 1, order=order_of(scope, ids))


def _check_objects(objects: int) -> None:
    if isinstance(objects, bool) or not isinstance(objects, int) or not 1 <= objects <= MOST_OBJECTS:
        raise InputError(f"objects is {objects!r}; expected a whole number from 1 to {MOST_OBJECTS}")


def _named(links: Sequence[Link]) -> tuple[CircleLink, ...]:
    """The circle with the names of each upper end matched with those of the next lower end."""
    plain = [CircleLink(*link.group.id, link.case, link.arrow, None) for link in links]
    following = [*plain[1:], plain[0]]
    return tuple(_matched(one, other) for one, other in zip(plain, following, strict=True))


def _matched(link: CircleLink, following: CircleLink) -> CircleLink:
    if link.upper is None or following.lower is None:
        return link
    return link._replace(renaming=renaming(link.upper, following.lower))
