"""The measures of Horta & Campello 2014 against the tables of that paper."""

from typing import NamedTuple

import pytest

import metaeval
from metaeval import Biclustering

#: In the order of the paper's tables.
IDS = (
    "prelic-relevance", "prelic-recovery", "rnia-multiset", "ce-multiset", "liu-wang", "santamaria",
    "weighted-jaccard", "weighted-dice", "consensus", "bozdag-u", "bozdag-e", "ayadi", "eren-relevance",
    "eren-recovery", "csi", "ebc",
)  # fmt: skip


class Column(NamedTuple):
    """What an algorithm found on a data set, and how the paper's measures score it."""

    found: Biclustering
    reference: Biclustering
    scores: str


def up_to(number):
    return range(1, number + 1)


def on_paper(shape, *biclusters):
    """Rows and columns are counted from 1 in the paper."""
    return Biclustering([([r - 1 for r in rows], [c - 1 for c in cols]) for rows, cols in biclusters], shape)


def column(shape, reference, found, scores):
    return Column(on_paper(shape, *found), on_paper(shape, *reference), scores)


FIRST = [(up_to(30), up_to(8))]
PCLUSTER = ((up_to(30), [*up_to(8), 10]), ([*up_to(30), 46, 48], up_to(8)), ([*up_to(30), 46, 47, 50], up_to(8)))
SECOND = [(up_to(10), up_to(10)), (range(21, 31), up_to(10))]
THIRD = [(up_to(10), up_to(10))]
DIAGONAL = [(range(10 * i + 1, 10 * i + 11), range(5 * i + 1, 5 * i + 6)) for i in range(10)]
SHIFTED = [(up_to(25), up_to(10)), (up_to(25), range(11, 21)), (range(26, 51), up_to(10))]
MSBE = [
    *SECOND, ([12, 15, 17], [6, 8, 10]), ([11, 19, 20], [1, 4, 9]), ([12, 15, 16, 19], [3, 4]),
    ([11, 13, 17, 20], [2, 6]),
]  # fmt: skip

COLUMNS = {
    "Table 7, Pcluster": column(
        (50, 10), FIRST, PCLUSTER,
        "0.956 1.000 0.304 0.304 0.950 0.954 0.911 0.954 0.312 1.000 0.795 0.912 0.912 0.938 0.083 0.687",
    ),
    "Table 7, Pcluster {B1}": column(
        (50, 10), FIRST, PCLUSTER[:1],
        "0.943 0.943 0.889 0.889 0.974 0.941 0.889 0.941 0.889 1.000 0.889 0.889 0.889 0.889 0.790 0.940",
    ),
    "Table 8, Xmotifs": column(
        (30, 10), SECOND, SECOND[:1],
        "1.000 0.707 0.500 0.500 1.000 1.000 1.000 1.000 0.500 0.500 1.000 1.000 1.000 0.500 0.500 0.802",
    ),
    "Table 8, Msbe": column(
        (30, 10), SECOND, MSBE,
        "0.408 1.000 0.855 0.855 0.405 0.333 0.855 0.855 0.333 1.000 0.862 0.333 0.333 1.000 0.932 0.950",
    ),
    "Table 9, Las": column(
        (20, 10), THIRD, [*THIRD, ([11, 13, 17, 18], [1, 4, 5, 6, 7, 9, 10])],
        "0.652 1.000 0.781 0.781 0.646 0.500 0.781 0.781 0.500 1.000 0.781 0.500 0.500 1.000 0.929 0.928",
    ),
    "Table 9, Cc": column(
        (20, 10), THIRD, [*THIRD, ([11, 15, 16], [6, 10])],
        "0.548 1.000 0.943 0.943 0.543 0.500 0.943 0.943 0.500 1.000 0.943 0.500 0.500 1.000 0.997 0.987",
    ),
    "Table 10, Bimax": column(
        (100, 50), DIAGONAL, DIAGONAL[:1],
        "1.000 0.100 0.100 0.100 1.000 1.000 1.000 1.000 0.100 0.100 1.000 1.000 1.000 0.100 0.100 0.954",
    ),
    "Table 11, Bbc": column(
        (50, 20), SHIFTED, SHIFTED[1:],
        "1.000 1.000 0.667 0.667 1.000 1.000 1.000 1.000 0.667 0.667 1.000 1.000 1.000 0.667 0.667 0.858",
    ),
}  # fmt: skip


def scored(found, reference):
    return {id: f"{metaeval.score(id, found, reference):.3f}" for id in IDS}


@pytest.mark.parametrize("name", COLUMNS)
def test_the_tables_of_the_paper(name):
    found, reference, printed = COLUMNS[name]
    assert scored(found, reference) == dict(zip(IDS, printed.split(), strict=True))


def test_the_measures_lie_between_nothing_and_one():
    added = [metaeval.measures()[id] for id in IDS if id != "ce-multiset"]
    assert {(measure.lowest, measure.optimum) for measure in added} == {(0, 1)}
