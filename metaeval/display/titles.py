"""What the biclusterings of a case are called where it is shown, and what the scores of its sides are.

Of a pair these are gold, left and right. A side by itself has a gold and a candidate. Of three sides and more each
biclustering is shown once, by number: what is a candidate here may be the gold there. Of pools, the first candidates.
"""

from __future__ import annotations

from typing import NamedTuple

from metaeval.core.case import Case

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
#: So many candidates of a pool are shown.
MOST_OF_A_POOL = 4


class SideTitle(NamedTuple):
    """What the score of a side is called, and by which titles its candidate, or its first, and its gold are found."""

    name: str
    candidate: str
    gold: str


class Titles(NamedTuple):
    """Where the families to be shown stand among all of a case, by title and in order; and its sides."""

    places: dict[str, int]
    sides: tuple[SideTitle, ...]


def side_names(sides: int) -> tuple[str, ...]:
    """What the sides of a case are called: left and right, or by number where there are not two."""
    return ("left", "right") if sides == 2 else tuple(f"side {number}" for number in range(1, sides + 1))


def has_pools(case: Case) -> bool:
    """Whether some side has several candidates."""
    return any(side.is_pool for side in case)


def is_pair(case: Case) -> bool:
    """Whether a case is of two sides with one candidate each, so that it shows what changed between them."""
    return len(case) == 2 and not has_pools(case)


def titles_of(case: Case) -> Titles:
    """The titles of a case."""
    if has_pools(case):
        return _of_pools(case)
    if len(case) == 2:
        return _of_pair(case)
    if len(case) == 1:
        return Titles({"gold": 1, "candidate": 0}, (SideTitle("score", "candidate", "gold"),))
    return _of_several(case)


def _of_pair(case: Case) -> Titles:
    if case.left.gold == case.right.gold:
        sides = SideTitle("left", "left", "gold"), SideTitle("right", "right", "gold")
        return Titles({"gold": 1, "left": 0, "right": 2}, sides)
    sides = SideTitle("left", "left", "left gold"), SideTitle("right", "right", "right gold")
    return Titles({"left gold": 1, "left": 0, "right gold": 3, "right": 2}, sides)


def _of_several(case: Case) -> Titles:
    first = {family: place for place, family in reversed(list(enumerate(case.families)))}
    titles = {place: _ordinal(number) for number, place in enumerate(sorted(first.values()))}
    named = [(titles[first[side.candidate]], titles[first[side.gold]]) for side in case]
    sides = tuple(SideTitle(f"{candidate}|{gold}", candidate, gold) for candidate, gold in named)
    return Titles({title: place for place, title in titles.items()}, sides)


def _ordinal(number: int) -> str:
    return _ORDINALS[number] if number < len(_ORDINALS) else f"number {number + 1}"


def _of_pools(case: Case) -> Titles:
    shared = all(side.gold == case.left.gold for side in case)
    places: dict[str, int] = {}
    sides, start = [], 0
    for name, side in zip(side_names(len(case)), case, strict=True):
        gold, count = "gold" if shared else f"{name} gold", len(side.candidates)
        places.setdefault(gold, start + count)
        shown = {f"{name} {at + 1} of {count}": start + at for at in range(min(count, MOST_OF_A_POOL))}
        places |= shown
        sides.append(SideTitle(f"{name} mean", next(iter(shown)), gold))
        start += len(side)
    return Titles(places, tuple(sides))
