"""Table 1 as the paper prints it: two pairs of biclusterings, and the scores of its measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from metaeval.cases import Case, Side
from metaeval.model import Biclustering

_FEATURES = range(3)
_OBJECTS = 9


class PrintedPair(NamedTuple):
    """A column of Table 1: the pair, the condition it is filed under, and the scores as printed."""

    name: str
    filed_under: str
    left: Sequence[Sequence[int]]
    right: Sequence[Sequence[int]]
    gold: Sequence[Sequence[int]]
    printed: dict[str, tuple[str, str]]

    @property
    def case(self) -> Case:
        """The pair as a case; the paper counts objects from 1."""

        def lifted(clusters: Sequence[Sequence[int]]) -> Biclustering:
            return Biclustering.lifted(
                [[one - 1 for one in cluster] for cluster in clusters], _FEATURES, (_OBJECTS, len(_FEATURES))
            )

        gold = lifted(self.gold)
        return Case(Side(lifted(self.left), gold), Side(lifted(self.right), gold))


TABLE_1 = (
    PrintedPair(
        name="Homogeneity",
        filed_under="A.1",
        left=[[1], [2], [3, 4, 5], [7, 8, 9], [6]],
        right=[[1, 2], [3, 4, 5], [7, 8, 9], [6]],
        gold=[range(1, 7), [7, 8], [9]],
        printed={"ce": ("0.556", "0.556"), "rnia": ("1.000", "1.000"), "e4sc": ("0.544", "0.606")},
    ),
    PrintedPair(
        name="Rag Bag",
        filed_under="A.3",
        left=[range(1, 5), range(5, 10)],
        right=[range(1, 6), range(6, 10)],
        gold=[[1], [2], [3], [4], [5], range(6, 10)],
        printed={"ce": ("0.556", "0.556"), "rnia": ("1.000", "1.000"), "e4sc": ("0.543", "0.533")},
    ),
)
#: The measures of Table 1, and the paper's own, which its table leaves out.
ROWS = ("ce", "rnia", "e4sc", "mocice")
