"""Letters of clusters and classes, and titles of sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, count, islice
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

from metaeval.core.biclustering import Bicluster, Biclustering, Shape
from metaeval.core.case import Case, Side, side_names
from metaeval.display.layout import indices, plural

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
#: The most candidates of a pool that are shown.
MOST_OF_A_POOL = 4


class SideTitle(NamedTuple):
    """The name of a side's score, and the titles of its (first) candidate and its gold."""

    name: str
    candidate: str
    gold: str


class Titles(NamedTuple):
    """The places of the shown families among all of a case, by title and in order; and its sides."""

    places: dict[str, int]
    sides: tuple[SideTitle, ...]


def has_pools(case: Case) -> bool:
    """Whether some side has several candidates."""
    return any(side.is_pool for side in case)


def is_pair(case: Case) -> bool:
    """Whether a case has two sides with one candidate each, so that a drawing shows the change between them."""
    return len(case) == 2 and not has_pools(case)


def titles_of(case: Case) -> Titles:
    if has_pools(case):
        return _of_pools(case)
    if len(case) == 2 and case.left.gold == case.right.gold:
        pair = SideTitle("left", "left", "gold"), SideTitle("right", "right", "gold")
        return Titles({"gold": 1, "left": 0, "right": 2}, pair)
    if len(case) == 2:
        pair = SideTitle("left", "left", "left gold"), SideTitle("right", "right", "right gold")
        return Titles({"left gold": 1, "left": 0, "right gold": 3, "right": 2}, pair)
    if len(case) == 1:
        return Titles({"gold": 1, "candidate": 0}, (SideTitle("score", "candidate", "gold"),))
    first = {family: place for place, family in reversed(list(enumerate(case.families)))}
    ordinals = chain(_ORDINALS, (f"number {number}" for number in count(len(_ORDINALS) + 1)))
    titles = dict(zip(sorted(first.values()), ordinals, strict=False))
    named = [(titles[first[side.candidate]], titles[first[side.gold]]) for side in case]
    sides = tuple(SideTitle(f"{candidate}|{gold}", candidate, gold) for candidate, gold in named)
    return Titles({title: place for place, title in titles.items()}, sides)


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


def written(member: Labelled) -> str:
    """A bicluster with its sets: a = {0, 1} × {0}."""
    return f"{member.label} = {indices(member.rows)} × {indices(member.cols)}"


def side_words(side: Side, brief: bool = False) -> str:
    """A candidate and its gold standard as text; the ``brief`` form writes a candidate that is the gold standard once.

    >>> found, gold = Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 0, 0])
    >>> side_words(Side(found, gold)), side_words(Side(gold, gold), brief=True)
    ('{0, 1} {2} against {0, 1, 2}', '{0, 1, 2} against itself')
    """
    lifted = len({cols for family in side for _, cols in family}) <= 1
    candidate, gold = (
        " ".join(indices(rows) if lifted else f"{indices(rows)}×{indices(cols)}" for rows, cols in family) or "nothing"
        for family in side
    )
    objects, features = side.gold.shape
    used = {row for family in side for rows, _ in family for row in rows}
    idle = f", of {plural(objects, 'object')}" if len(used) < objects else ""
    if lifted and features > 1:
        idle += f", on {plural(features, 'feature')}"
    return f"{candidate} against {'itself' if brief and side.candidate == side.gold else gold}{idle}"


def shape_words(shape: Shape) -> str:
    """A matrix of this shape in words."""
    return f"{plural(shape[0], 'object')} × {plural(shape[1], 'feature')}"


_GREEK = "αβγδεζηθικλμνξοπρστυφχψω"
_SMALL = ascii_lowercase + _GREEK
_CAPITALS = ascii_uppercase + _GREEK.upper()


class Labelled(NamedTuple):
    """A bicluster as it is shown; its form on the other side has the same ``number`` and letter.

    ``other`` is that form, None where there is none, and the bicluster itself where it did not change. In a condensed
    family it stands for ``equal`` biclusters in each of ``times`` copies of a part; a star marks such a letter.
    """

    letter: str
    number: int
    rows: frozenset[int]
    cols: frozenset[int]
    other: Bicluster | None
    primed: bool = False
    equal: int = 1
    times: int = 1

    @property
    def label(self) -> str:
        """The letter; a prime marks the right form of a bicluster that changed."""
        return f"{self.starred}′" if self.primed else self.starred

    @property
    def starred(self) -> str:
        """The letter; a star marks a bicluster that every copy of a part has."""
        return f"{self.letter}*" if self.times > 1 else self.letter

    @property
    def size(self) -> int:
        return len(self.rows) * len(self.cols)

    @property
    def changed(self) -> bool:
        """Whether its form on the other side differs, or is missing."""
        return self.other != (self.rows, self.cols)

    @property
    def changed_objects(self) -> frozenset[int]:
        """The objects with a cell in one of the two forms only."""
        if self.other is None:
            return self.rows
        rows, cols = self.other
        return self.rows ^ rows if self.cols == cols else self.rows | rows

    def moved(self, row: int, col: int) -> bool:
        """Whether a cell of this bicluster lies outside its form on the other side."""
        return self.other is None or row not in self.other[0] or col not in self.other[1]

    def shared(self, other: Labelled) -> int:
        """The number of cells that another bicluster has, too."""
        return len(self.rows & other.rows) * len(self.cols & other.cols)


class Family(NamedTuple):
    """A biclustering of a case as it is shown; ``title`` says which one it is."""

    title: str
    biclustering: Biclustering
    members: tuple[Labelled, ...]

    @property
    def variable(self) -> str:
        """Its name in lines of Python."""
        return self.title.replace(" ", "_")


def label_case(case: Case) -> tuple[Family, ...]:
    """Gold, left and right; where the golds differ, each before its candidate. Of a pool, some candidates.

    A case of one side is a gold and a candidate; of three or more sides, each biclustering is shown once.

    Where the matrices differ, a number may mean another object, so letters follow the order only.

    >>> from metaeval.core.case import Side
    >>> gold = Biclustering.from_labels([0, 0, 1])
    >>> mixed, split = Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1])
    >>> for family in label_case(Case(Side(mixed, gold), Side(split, gold))):
    ...     print(family.title, *(member.label for member in family.members))
    gold A B
    left a
    right a′ b
    """
    if not is_pair(case) or any(one.shape != other.shape for one, other in zip(*case, strict=True)):
        return label_apart(list(case.families), titles_of(case).places)
    return label_sides(case, shared=case.left.gold == case.right.gold)


def label_apart(families: Sequence[Biclustering], shown: Mapping[str, int]) -> tuple[Family, ...]:
    """The families at these places by their titles, each with letters of its own: no change is shown."""
    found = []
    for title, place in shown.items():
        letters = _letters(_CAPITALS if title.endswith("gold") else _SMALL)
        members = (Labelled(next(letters), at, *one, one) for at, one in enumerate(families[place]))
        found.append(Family(title, families[place], tuple(members)))
    return tuple(found)


def label_sides(case: Case, *, shared: bool, size: Callable[[frozenset[int]], int] = len) -> tuple[Family, ...]:
    """The same for a pair on matrices of one shape, with its change; ``size`` counts objects."""
    (left, left_gold), (right, right_gold) = case
    lefts, rights = _labelled(left, right, _SMALL, size)
    golds, right_golds = _labelled(left_gold, right_gold, _CAPITALS, size)
    on_left, on_right = Family("left", left, lefts), Family("right", right, rights)
    if shared:
        return Family("gold", left_gold, golds), on_left, on_right
    return Family("left gold", left_gold, golds), on_left, Family("right gold", right_gold, right_golds), on_right


def _labelled(
    left: Biclustering, right: Biclustering, alphabet: str, size: Callable[[frozenset[int]], int]
) -> tuple[tuple[Labelled, ...], tuple[Labelled, ...]]:
    """Both families with letters that agree."""
    here, there = left.biclusters, right.biclusters
    origins = _origins(here, there, size)
    forms = {origin: there[at] for at, origin in enumerate(origins) if origin is not None}
    letters = list(islice(_letters(alphabet), len(here) + len(there)))
    lefts = tuple(Labelled(letters[at], at, *bicluster, forms.get(at)) for at, bicluster in enumerate(here))
    fresh = count(len(here))
    rights = []
    for bicluster, origin in zip(there, origins, strict=True):
        place, known = (next(fresh), None) if origin is None else (origin, here[origin])
        rights.append(Labelled(letters[place], place, *bicluster, known, known not in (None, bicluster)))
    return lefts, tuple(rights)


def _origins(
    left: Sequence[Bicluster], right: Sequence[Bicluster], size: Callable[[frozenset[int]], int]
) -> list[int | None]:
    """For every bicluster of the right, its form on the left: an equal one, or the most similar."""
    ranked = sorted(
        (one != other, -size(one[0] & other[0]) * len(one[1] & other[1]), i, j)
        for i, one in enumerate(left)
        for j, other in enumerate(right)
        if one[0] & other[0] and one[1] & other[1]
    )
    found: dict[int, int] = {}
    used: set[int] = set()
    for _, _, i, j in ranked:
        if i not in used and j not in found:
            found[j] = i
            used.add(i)
    return [found.get(j) for j in range(len(right))]


def _letters(alphabet: str) -> Iterator[str]:
    """The letters, then the letters with a number."""
    yield from alphabet
    for again in count(2):
        yield from (f"{letter}{again}" for letter in alphabet)
