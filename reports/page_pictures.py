"""Drawings of cases on the page."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

from metaeval.core.case import Case
from metaeval.display.condense import Ground, grounds, is_large, legend, on_all_features
from metaeval.display.labels import Family, Labelled, label_case, shape_words, written
from metaeval.display.layout import indices, plural, runs
from metaeval.display.picture import left_out_of_pools, shown_indices

#: The most rows or columns of a picture, and the most groups of like objects in a strip.
MOST = 60
MOST_KINDS = 400


@dataclass(frozen=True)
class Plate:
    """A gold standard and the candidates that are drawn on it; ``ground`` where they are condensed."""

    families: Sequence[Family]
    ground: Ground | None = None

    @property
    def is_strip(self) -> bool:
        """Whether a line of objects says as much as a matrix."""
        if self.ground is not None:
            return self.ground.is_lifted
        return all(family.biclustering.shape[1] == 1 for family in self.families)

    @property
    def most(self) -> int:
        """The most rows or columns that are drawn; a condensed strip can be scrolled."""
        return MOST_KINDS if self.ground is not None and self.is_strip else MOST

    @property
    def nouns(self) -> tuple[str, str]:
        """The nouns of its rows and columns."""
        return ("object", "feature") if self.ground is None else ("row", "column")

    def name(self, axis: int, index: int) -> str:
        """The label of a row or column."""
        return str(index) if self.ground is None else self.ground.label(axis, index)

    def written(self, member: Labelled) -> str:
        """A bicluster with its sets."""
        return written(member) if self.ground is None else self.ground.written(member)

    def shape(self, family: Family) -> str:
        """The matrix of a family in words."""
        return shape_words(family.biclustering.shape if self.ground is None else self.ground.matrix.shape)


def plain_plates(families: Sequence[Family]) -> list[Plate]:
    """One plate per gold standard, with the candidates that follow it."""
    starts = [at for at, family in enumerate(families) if at == 0 or family.title.endswith("gold")]
    return [Plate(families[start:stop]) for start, stop in pairwise([*starts, len(families)])]


def legend_of(plates: Sequence[Plate]) -> str:
    """The meaning of the numbers of condensed plates; empty for others."""
    condensed = [plate.ground for plate in plates if plate.ground is not None]
    if not condensed:
        return ""
    sentences = [legend(condensed)]
    for ground in condensed:
        sentences += ground.repeats()
    sentences += on_all_features(condensed)
    return " ".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in sentences)


#: The most classes with a colour of their own; more colours could not be told apart.
HUES = 7
#: More biclusters of one object than these are outlined without letters.
MOST_SINGLE = 4
_MOST_LETTERS = 240


def pictures(case: Case, captions: Mapping[str, str]) -> dict[str, Any]:
    """What to draw: one ground per gold standard, and the pictures on it."""
    condensed = is_large(case)
    plates = plain_plates(label_case(case)) if not condensed else []
    for ground in grounds(case) if condensed else ():
        plates += [Plate(plate.families, ground) for plate in plain_plates(ground.families)]
    golds = [plate.families[0] for plate in plates]
    hues = _hues(golds)
    left_out = f"Not drawn: {pools}." if (pools := left_out_of_pools(case)) else ""
    classes = len({member.number for gold in golds for member in gold.members})
    grey = (
        f"{classes - len(hues)} of {classes} classes are grey, since only {HUES} colours can be told apart; "
        "their outlines in the gold standard tell them apart."
    )
    drawn_grounds, drawn = [], []
    for number, plate in enumerate(plates):
        gold, *candidates = plate.families
        # Objects of a class are neighbours, and in it those of a cluster.
        drawn_on, shape = [one.biclustering for one in plate.families], gold.biclustering.shape
        shown, cols = (shown_indices(drawn_on, axis, size, plate.most) for axis, size in enumerate(shape))
        places = {row: (*_place(gold, candidates, row), row) for row in shown}
        rows = sorted(places, key=places.__getitem__)
        missing = [
            plural(total - len(some), noun)
            for total, some, noun in zip(gold.biclustering.shape, (rows, cols), plate.nouns, strict=True)
            if total > len(some)
        ]
        drawn_grounds.append(
            {
                "rows": [plate.name(0, row) for row in rows],
                "cols": [plate.name(1, col) for col in cols],
                "cells": list(_cells(gold, rows, cols, hues)),
                "note": f"Not drawn: {' and '.join(missing)}." if missing else "",
            }
        )
        drawn += [_picture(plate, family, rows, cols, captions[family.title], number) for family in plate.families]
    return {
        "strip": all(plate.is_strip for plate in plates),
        "condensed": condensed,
        "grounds": drawn_grounds,
        "pictures": drawn,
        "coloured": "gold class" if golds[0].title.endswith("gold") else f"cluster of the {golds[0].title}",
        "note": " ".join(filter(None, (legend_of(plates), grey if classes > len(hues) else "", left_out))),
    }


def _hues(golds: Iterable[Family]) -> dict[int, int]:
    """The colour of each class; where there are too many, classes of one object have none."""
    sizes: dict[int, int] = {}
    for gold in golds:
        for member in gold.members:
            sizes[member.number] = max(sizes.get(member.number, 0), len(member.rows))
    numbers = sorted(sizes)
    if len(numbers) > HUES:
        numbers = sorted(numbers, key=lambda number: (sizes[number] == 1, number))[:HUES]
    return {number: hue for hue, number in enumerate(sorted(numbers))}


def _place(gold: Family, candidates: Sequence[Family], row: int) -> Iterator[int]:
    """A class's objects that share a cluster with an earlier class come first, those with a later one last."""
    own = _first_with(gold, row)
    yield own
    for family in candidates:
        cluster = _first_with(family, row)
        mates = family.members[cluster].rows if cluster < len(family.members) else frozenset()
        classes = {_first_with(gold, mate) for mate in mates}
        yield -1 if classes and min(classes) < own else int(bool(classes) and max(classes) > own)
        yield cluster


def _first_with(family: Family, row: int) -> int:
    held = (at for at, member in enumerate(family.members) if row in member.rows)
    return next(held, len(family.members))


def _cells(gold: Family, rows: list[int], cols: list[int], hues: Mapping[int, int]) -> Iterator[list[Any]]:
    """[row, column, hues of its classes] for every cell that a class covers."""
    for (at, row), (across, col) in product(enumerate(rows), enumerate(cols)):
        held = [member for member in gold.members if row in member.rows and col in member.cols]
        if held:
            yield [at, across, [hues.get(member.number, -1) for member in held]]


def _picture(
    plate: Plate, family: Family, rows: list[int], cols: list[int], caption: str, ground: int
) -> dict[str, Any]:
    lanes = _laned(family.members)
    single = [] if plate.ground else [member for member in family.members if len(member.rows) == 1]
    quiet = set(map(id, single)) if len(single) > MOST_SINGLE else set()
    objects = frozenset(row for member in single for row in member.rows)

    def moved(row: int, col: int) -> bool:
        held = (member for member in family.members if row in member.rows and col in member.cols)
        return any(member.moved(row, col) for member in held)

    return {
        "title": caption,
        "shape": plate.shape(family),
        "ground": ground,
        "moved": [at for at, row in enumerate(rows) if any(moved(row, col) for col in cols)],
        "biclusters": [
            {
                "label": member.label,
                "said": _short(plate.written(member)),
                "changed": member.changed,
                "quiet": id(member) in quiet,
                "lane": lane,
                "blocks": list(_blocks(member, rows, cols, family.members)),
            }
            for member, lane in zip(family.members, lanes, strict=True)
        ],
        "lanes": max(lanes, default=0) + 1,
        "single": f"{len(single)} of one object each, {_short(indices(objects))}" if quiet else "",
    }


def _laned(members: Sequence[Labelled]) -> list[int]:
    """For every bicluster, the first lane in which it overlaps none before it; outlines of other lanes are inset."""
    lanes: list[int] = []
    for at, member in enumerate(members):
        taken = {lane for other, lane in zip(members[:at], lanes, strict=True) if member.shared(other)}
        lanes.append(next(lane for lane in range(len(members)) if lane not in taken))
    return lanes


def _blocks(member: Labelled, rows: list[int], cols: list[int], others: Sequence[Labelled]) -> Iterator[list[Any]]:
    """[top, left, bottom, right, where its letter goes] for every rectangle; null where that is the middle."""
    tall = runs([at for at, row in enumerate(rows) if row in member.rows])
    wide = runs([at for at, col in enumerate(cols) if col in member.cols])
    for down, along in product(tall, wide):
        cover = {
            (at, across): sum(rows[at] in other.rows and cols[across] in other.cols for other in others)
            for at, across in product(down, along)
        }
        _, freest = min((times, cell) for cell, times in cover.items())
        middle = max(cover.values()) == 1
        yield [down[0], along[0], down[-1], along[-1], None if middle else list(freest)]


def _short(members: str) -> str:
    """Sets cut to the length of a caption; the code and the certificate have all of them."""
    return members if len(members) <= _MOST_LETTERS else members[:_MOST_LETTERS].rpartition(",")[0] + ", …"
