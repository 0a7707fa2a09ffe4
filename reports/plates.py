"""What pictures are drawn on: the families of one matrix, object by object or, where it is large, kind by kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from metaeval.core.case import Case
from metaeval.display.labels import Family, Labelled
from metaeval.display.large_case import Ground, grounds, legend, on_all_features
from metaeval.display.wording import plural, shape_of, written

#: A picture with more rows or columns would be too small to read.
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
        """So many rows or columns are drawn; a condensed strip is scrolled, and has them all."""
        return MOST_KINDS if self.ground is not None and self.is_strip else MOST

    @property
    def nouns(self) -> tuple[str, str]:
        """What its rows and columns are."""
        return ("object", "feature") if self.ground is None else ("row", "column")

    def name(self, axis: int, index: int) -> str:
        """What stands beside a row or column."""
        return str(index) if self.ground is None else self.ground.label(axis, index)

    def written(self, member: Labelled) -> str:
        """A bicluster with what it holds."""
        return written(member) if self.ground is None else self.ground.written(member)

    def shape(self, family: Family) -> str:
        """The matrix of a family in words."""
        if self.ground is None:
            return shape_of(family)
        objects, features = self.ground.matrix.shape
        return f"{plural(objects, 'object')} × {plural(features, 'feature')}"


def plain_plates(families: Sequence[Family]) -> list[Plate]:
    """A plate where all sides share the gold standard, else one for each gold: it comes before its candidates."""
    starts = [at for at, family in enumerate(families) if at == 0 or family.title.endswith("gold")]
    return [Plate(families[start:stop]) for start, stop in pairwise([*starts, len(families)])]


def condensed_plates(case: Case) -> list[Plate]:
    """The same for a large case."""
    return [Plate(plate.families, ground) for ground in grounds(case) for plate in plain_plates(ground.families)]


def legend_of(plates: Sequence[Plate]) -> str:
    """What the numbers of condensed plates mean; nothing of others."""
    condensed = [plate.ground for plate in plates if plate.ground is not None]
    if not condensed:
        return ""
    sentences = [legend(condensed)]
    for ground in condensed:
        sentences += ground.repeats()
    sentences += on_all_features(condensed)
    return " ".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in sentences)
