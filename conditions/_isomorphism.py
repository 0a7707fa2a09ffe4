"""Whether two (candidate, gold) pairs are the same up to names, one of them possibly scaled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from metaeval.cases import Side
from metaeval.model import Bicluster


class Structure(NamedTuple):
    """Biclusters with the side each belongs to ("candidate" or "gold")."""

    biclusters: tuple[tuple[str, Bicluster], ...]

    @classmethod
    def of(cls, side: Side) -> Structure:
        """The biclusters of both parts."""
        return cls(tuple((role, bicluster) for role, part in side._asdict().items() for bicluster in part))


def isomorphic(
    a: Structure, b: Structure, row_factor: int = 1, col_factor: int = 1, *, named: bool = False
) -> bool:
    """Whether some renaming turns ``a``, each object and feature repeated so often, into ``b``.

    Biclusters are matched one by one; a partial match survives while rows (and columns) with the same
    memberships number the same on both sides. With ``named`` the columns keep their names.
    """
    if len(a.biclusters) != len(b.biclusters):
        return False

    def labels(structure: Structure, chosen: list[int], axis: int, factor: int) -> Counter[tuple[int, ...]]:
        seen: dict[int, list[int]] = {}
        for position, index in enumerate(chosen):
            for element in structure.biclusters[index][1][axis]:
                seen.setdefault(element, []).append(position)
        return Counter({key: n * factor for key, n in Counter(map(tuple, seen.values())).items()})

    def compatible(i: int, j: int, left: list[int], right: list[int]) -> bool:
        (role, (_, cols)), (other_role, (_, other_cols)) = a.biclusters[i], b.biclusters[j]
        if role != other_role or (named and cols != other_cols):
            return False
        rows_agree = labels(a, [*left, i], 0, row_factor) == labels(b, [*right, j], 0, 1)
        return rows_agree and (named or labels(a, [*left, i], 1, col_factor) == labels(b, [*right, j], 1, 1))

    def match(left: list[int], right: list[int]) -> bool:
        i = len(left)
        if i == len(a.biclusters):
            return True
        return any(
            match([*left, i], [*right, j])
            for j in range(len(b.biclusters))
            if j not in right and compatible(i, j, left, right)
        )

    return match([], [])


def components(structure: Structure, axes: Iterable[int]) -> list[Structure]:
    """The connected parts, two biclusters being connected where they share an element of one of the axes."""
    groups: list[tuple[set[tuple[int, int]], list[tuple[str, Bicluster]]]] = []
    for role, bicluster in structure.biclusters:
        touched = {(axis, element) for axis in axes for element in bicluster[axis]}
        members = [(role, bicluster)]
        apart = []
        for elements, others in groups:
            if elements.isdisjoint(touched):
                apart.append((elements, others))
            else:
                touched |= elements
                members = others + members
        groups = [*apart, (touched, members)]
    return [Structure(tuple(members)) for _, members in groups]
