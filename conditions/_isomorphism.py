"""Whether two (candidate, gold) pairs are the same up to names, one of them possibly scaled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from metaeval.core.biclustering import Bicluster
from metaeval.core.case import Side

#: No case of a sensible size needs as many; a file made to need more is refused rather than waited for.
_MOST_ATTEMPTS = 20_000

_ROLES = ("candidate", "gold")


class Structure(NamedTuple):
    """Biclusters with the side each belongs to ("candidate" or "gold")."""

    biclusters: tuple[tuple[str, Bicluster], ...]

    @classmethod
    def of(cls, side: Side) -> Structure:
        """The biclusters of both biclusters."""
        return cls(
            tuple((role, bicluster) for role, family in zip(_ROLES, side, strict=True) for bicluster in family)
        )


def isomorphic(
    a: Structure, b: Structure, row_factor: int = 1, col_factor: int = 1, *, named: bool = False
) -> bool:
    """Whether some renaming turns ``a``, each object and feature repeated so often, into ``b``.

    Biclusters are matched one by one; a partial match survives while rows (and columns) with the same
    memberships number the same on both sides. With ``named`` the columns keep their names.
    """
    if _sizes(a, row_factor, col_factor, named) != _sizes(b, 1, 1, named):
        return False
    if in_order(a, named, row_factor, col_factor) == in_order(b, named):
        return True  # the renaming that keeps the order: copies of a thing are mostly alike in this way
    colours = _colours(a, row_factor, col_factor, named), _colours(b, 1, 1, named)
    if Counter(colours[0]) != Counter(colours[1]):
        return False
    # The rarest first: they leave the least choice.
    rarity = Counter(colours[0])
    order = sorted(range(len(a.biclusters)), key=lambda i: rarity[colours[0][i]])
    attempts = 0

    def labels(structure: Structure, chosen: list[int], axis: int, factor: int) -> Counter[tuple[int, ...]]:
        seen: dict[int, list[int]] = {}
        for position, index in enumerate(chosen):
            for element in structure.biclusters[index][1][axis]:
                seen.setdefault(element, []).append(position)
        return Counter({key: n * factor for key, n in Counter(map(tuple, seen.values())).items()})

    def compatible(i: int, j: int, left: list[int], right: list[int]) -> bool:
        rows_agree = labels(a, [*left, i], 0, row_factor) == labels(b, [*right, j], 0, 1)
        return rows_agree and (named or labels(a, [*left, i], 1, col_factor) == labels(b, [*right, j], 1, 1))

    def match(left: list[int], right: list[int]) -> bool:
        nonlocal attempts
        if len(left) == len(order):
            return True
        i = order[len(left)]
        for j in range(len(b.biclusters)):
            if j in right or colours[0][i] != colours[1][j]:
                continue
            attempts += 1
            if attempts > _MOST_ATTEMPTS:
                return False
            if compatible(i, j, left, right) and match([*left, i], [*right, j]):
                return True
        return False

    return match([], [])


def in_order(
    structure: Structure, named: bool, row_factor: int = 1, col_factor: int = 1
) -> tuple[tuple[str, tuple[int, ...], tuple[int, ...]], ...]:
    """The biclusters with objects and features renamed to 0, 1, 2 …, in the order of their names.

    With a factor each of them stands for so many in a row.
    """
    sets = [bicluster for _, bicluster in structure.biclusters]
    rows, cols = (
        {name: new for new, name in enumerate(sorted({*chain.from_iterable(one[axis] for one in sets)}))}
        for axis in (0, 1)
    )
    return tuple(
        (
            role,
            _repeated([rows[row] for row in one], row_factor),
            _repeated(other if named else [cols[col] for col in other], col_factor),
        )
        for role, (one, other) in structure.biclusters
    )


def _repeated(names: Iterable[int], times: int) -> tuple[int, ...]:
    """In order, each so many times in a row."""
    if times == 1:
        return tuple(sorted(names))
    return tuple(times * name + copy for name in sorted(names) for copy in range(times))


def _sizes(
    structure: Structure, row_factor: int, col_factor: int, named: bool
) -> list[tuple[str, int, int | tuple[int, ...]]]:
    """The roles and sizes of the biclusters, in order: what no renaming changes, and what is found at once."""
    return sorted(
        (role, len(rows) * row_factor, tuple(sorted(cols)) if named else len(cols) * col_factor)
        for role, (rows, cols) in structure.biclusters
    )


def _colours(structure: Structure, row_factor: int, col_factor: int, named: bool) -> list[int]:
    """For every bicluster a number that no renaming changes: its sizes, and how it meets the others, and so on."""
    biclusters = structure.biclusters
    colours = [
        hash((role, len(rows) * row_factor, tuple(sorted(cols)) if named else len(cols) * col_factor))
        for role, (rows, cols) in biclusters
    ]
    for _ in range(3):
        colours = [
            hash(
                (
                    colours[i],
                    tuple(
                        sorted(
                            (
                                colours[j],
                                len(rows & biclusters[j][1][0]) * row_factor,
                                len(cols & biclusters[j][1][1]) * col_factor,
                            )
                            for j in range(len(biclusters))
                        )
                    ),
                )
            )
            for i, (_, (rows, cols)) in enumerate(biclusters)
        ]
    return colours


def components(structure: Structure, axes: Iterable[int]) -> list[Structure]:
    """The connected biclusters, two biclusters being connected where they share an element of one of the axes."""
    above = [*range(len(structure.biclusters))]
    holders: dict[tuple[int, int], int] = {}

    def top(number: int) -> int:
        while above[number] != number:
            above[number] = number = above[above[number]]
        return number

    for axis in axes:
        for number, (_, bicluster) in enumerate(structure.biclusters):
            for element in bicluster[axis]:
                above[top(holders.setdefault((axis, element), number))] = top(number)
    groups: dict[int, list[tuple[str, Bicluster]]] = {}
    for number, member in enumerate(structure.biclusters):
        groups.setdefault(top(number), []).append(member)
    return [Structure(tuple(members)) for members in groups.values()]
