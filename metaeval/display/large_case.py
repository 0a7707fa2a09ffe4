"""Cases that are too large to be shown object by object: condensed, and labelled as any case is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from metaeval.core.case import Case, Side
from metaeval.display.condense import Condensed, Kind, condensed
from metaeval.display.labels import Family, Labelled, label_apart, label_sides
from metaeval.display.titles import has_pools, is_pair, titles_of

#: A case with more objects or features than this, or with more biclusters in a family, is shown condensed.
MOST_OBJECTS = 24
MOST_FEATURES = 24
MOST_BICLUSTERS = 12


class Ground(NamedTuple):
    """Families of one matrix, condensed and labelled."""

    matrix: Condensed
    families: tuple[Family, ...]

    @property
    def is_lifted(self) -> bool:
        """Whether every bicluster has all features, so that a line says as much as a matrix."""
        return len(self.matrix.cols) == 1 and not self.matrix.cols[0].part and bool(self.matrix.rows)

    def repeats(self) -> Iterator[str]:
        """What stands for several equal biclusters."""
        for family in self.families:
            for member in family.members:
                if member.equal > 1:
                    yield f"{family.title} {member.starred}: {member.equal} equal biclusters"

    def written(self, member: Labelled) -> str:
        """A bicluster by how many objects and features it has: ``c* = 1 object × 2 features, 37 times``."""
        rows, cols = self.matrix.rows, self.matrix.cols
        held = (
            self._amount([rows[at] for at in sorted(member.rows)], member, "object"),
            self._amount([cols[at] for at in sorted(member.cols)], member, "feature"),
        )
        equal = f", {member.equal} equal ones" if member.equal > 1 else ""
        often = f", {member.times} times" if member.times > 1 else ""
        return f"{member.label} = {' × '.join(held)}{equal}{often}"

    def _amount(self, kinds: Sequence[Kind], member: Labelled, noun: str) -> str:
        """How many objects (or features) these kinds are; of a part that repeats with the member, those of one time."""
        amounts = [str(kind.number) if member.times > 1 else self.matrix.label(kind) for kind in kinds]
        return f"{' + '.join(amounts)} {noun}{'' if amounts == ['1'] else 's'}"

    def label(self, axis: int, position: int) -> str:
        """How many objects (or features) of a kind there are."""
        return self.matrix.label((self.matrix.rows, self.matrix.cols)[axis][position])


def is_large(case: Case) -> bool:
    """Whether a case is shown condensed; one with a side on two matrices never is, as they share no objects."""
    return (
        case.objects > MOST_OBJECTS
        or case.features > MOST_FEATURES
        or any(len(family) > MOST_BICLUSTERS for family in case.families)
    ) and _can_be_condensed(case)


def _can_be_condensed(case: Case) -> bool:
    if is_pair(case):
        return all(side.candidate.shape == side.gold.shape for side in case)
    return not has_pools(case) and len({family.shape for family in case.families}) == 1


def grounds(case: Case) -> tuple[Ground, ...]:
    """All sides on one ground, or each on its own where the matrices differ: numbers then differ in meaning."""
    if len({side.gold.shape for side in case}) == 1:
        return _together(case)
    return _apart(case)


def _together(case: Case) -> tuple[Ground, ...]:
    matrix = condensed(list(case.families))
    small = list(map(matrix.small, range(len(matrix.families))))
    places = titles_of(case).places

    def size(rows: frozenset[int]) -> int:
        return sum(matrix.amount(matrix.rows[row]) for row in rows)

    if is_pair(case):
        pair = Case(Side(*small[:2]), Side(*small[2:]))
        labelled = label_sides(pair, shared="gold" in places, comparable=True, size=size)
    else:
        labelled = label_apart(small, places)
    return (Ground(matrix, tuple(_marked(family, matrix, places[family.title]) for family in labelled)),)


def _apart(case: Case) -> tuple[Ground, ...]:
    matrices = [condensed(side) for side in case]
    left, right = (Side(matrix.small(0), matrix.small(1)) for matrix in matrices)
    labelled = label_sides(Case(left, right), shared=False, comparable=False)
    return tuple(
        Ground(matrix, tuple(_marked(family, matrix, at) for family, at in zip(families, (1, 0), strict=True)))
        for matrix, families in zip(matrices, (labelled[:2], labelled[2:]), strict=True)
    )


def _marked(family: Family, matrix: Condensed, at: int) -> Family:
    """The family, which stands at this place of the matrix's; its members told apart that stand for several."""
    members = (
        replace(member, equal=known.equal, times=matrix.times[known.part])
        for member, known in zip(family.members, matrix.families[at], strict=True)
    )
    return replace(family, members=tuple(members))


def on_all_features(drawn: Sequence[Ground]) -> list[str]:
    """What lines in place of matrices leave to words."""
    features = sorted({ground.matrix.shape[1] for ground in drawn})
    if features == [1] or not all(ground.is_lifted for ground in drawn):
        return []
    return [f"every bicluster has all {' or '.join(map(str, features))} features"]


def legend(drawn: Sequence[Ground]) -> str:
    """What the numbers and stars of a drawing mean, told by some that occur in it."""
    lifted = all(ground.is_lifted for ground in drawn)
    nouns = "objects" if lifted else "objects (rows) or features (columns)"
    kinds = [(ground, kind) for ground in drawn for kind in (*ground.matrix.rows, *ground.matrix.cols)]
    plain = next((kind for _, kind in kinds if not kind.part), None)
    text = f"{'n' if plain is None else plain.number}: so many {nouns} alike"
    repeated = next(((ground.matrix, kind) for ground, kind in kinds if kind.part), None)
    if repeated is None:
        return text
    matrix, kind = repeated
    star = next(member.starred for ground in drawn for family in ground.families for member in family.members
                if member.times > 1)  # fmt: skip
    text += f"; {matrix.label(kind)}: {matrix.times[kind.part]} times {kind.number}; {star}: one each time"
    if any(_repeats_together(ground.matrix) for ground in drawn):
        text += "; what shares a starred letter stands together each time"
    return text


def _repeats_together(matrix: Condensed) -> bool:
    """Whether some part has several kinds, so that a reader must see which of them belong together."""
    return any(_several(kinds) for kinds in (matrix.rows, matrix.cols))


def _several(kinds: Sequence[Kind]) -> bool:
    parts = [kind.part for kind in kinds if kind.part]
    return len(set(parts)) < len(parts)
