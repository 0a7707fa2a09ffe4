"""Horta & Campello 2014: sixteen measures for biclusterings, eight properties and a table of which has which."""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product

from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.core.grouping import holders
from metaeval.literature.source import SATISFIES, VIOLATES, Column, Compliance, Equation, GoldenTable, Source

_PAPER = "doi:10.1109/TCBB.2014.2325016"
_MEASURES = (
    "prelic-relevance", "prelic-recovery", "rnia-multiset", "ce-multiset", "liu-wang", "santamaria",
    "weighted-jaccard", "weighted-dice", "consensus", "bozdag-u", "bozdag-e", "ayadi", "eren-relevance",
    "eren-recovery", "csi", "ebc",
)  # fmt: skip
_CONDITIONS = ("H.1", "H.2", "H.3", "H.4", "H.5", "H.6", "H.7", "H.8")

# Degenerate: with a bicluster of a single cell. Canonical has neither overlap nor degenerate biclusters, literal has
# degenerate ones, proper has overlap, and overlapping has both.
_DISJOINT, _WITH_OVERLAP = ("canonical", "literal"), ("proper", "overlapping")
_NOT_DEGENERATE, _DEGENERATE = ("canonical", "proper"), ("literal", "overlapping")

TABLE_6 = Compliance(
    name="Table 6",
    place=f"{_PAPER}, Table 6",
    conditions=_CONDITIONS,
    marks={
        "prelic-relevance": "···Y····",
        "prelic-recovery": "···Y····",
        "rnia-multiset": "YYY·YY··",
        "ce-multiset": "YYYYYY·Y",
        "liu-wang": "···Y····",
        "santamaria": "···Y····",
        "weighted-jaccard": "Y··Y····",
        "weighted-dice": "Y··Y····",
        "consensus": "·Y·Y·Y·Y",
        "bozdag-u": "········",
        "bozdag-e": "a·a·····",
        "ayadi": "···Y····",
        "eren-relevance": "···Y····",
        "eren-recovery": "···Y····",
        "csi": "YYbYYYY·",
        "ebc": "YYbYYYY·",
    },
    meaning={
        "Y": ((SATISFIES, None),),
        "a": ((SATISFIES, _DISJOINT), (VIOLATES, _WITH_OVERLAP)),
        "b": ((SATISFIES, _NOT_DEGENERATE), (VIOLATES, _DEGENERATE)),
        "·": ((VIOLATES, None),),
    },
    legend="Y the measure has the property, a only without overlap, b only without degenerate biclusters (those of a "
    "single cell), · it does not have it, which is taken for: under some reading.",
)

Block = tuple[list[int], list[int]]


def _block(rows: Iterable[int], cols: Iterable[int]) -> Block:
    """A bicluster of objects and features, which the paper counts from 1."""
    return [row - 1 for row in rows], [col - 1 for col in cols]


def _example(shape: tuple[int, int], reference: list[Block], found: list[Block], printed: str) -> Column:
    side = Side(Biclustering(found, shape), Biclustering(reference, shape))
    scores = dict(zip(_MEASURES, ((score,) for score in printed.split()), strict=True))
    return Column(f"{shape[0]}×{shape[1]}", (side,), scores)


_GOLDEN = GoldenTable(
    name="Scores of three examples",
    rows=_MEASURES,
    columns=(
        _example(
            (50, 10),
            reference=[_block(range(1, 31), range(1, 9))],
            found=[
                _block(range(1, 31), [*range(1, 9), 10]),
                _block([*range(1, 31), 46, 48], range(1, 9)),
                _block([*range(1, 31), 46, 47, 50], range(1, 9)),
            ],
            printed="0.956 1 0.304 0.304 0.950 0.954 0.911 0.954 0.312 1 0.795 0.912 0.912 0.938 0.083 0.687",
        ),
        _example(
            (30, 10),
            reference=[_block(range(1, 11), range(1, 11)), _block(range(21, 31), range(1, 11))],
            found=[_block(range(1, 11), range(1, 11))],
            printed="1 0.707 0.5 0.5 1 1 1 1 0.5 0.5 1 1 1 0.5 0.5 0.802",
        ),
        _example(
            (20, 10),
            reference=[_block(range(1, 11), range(1, 11))],
            found=[_block(range(1, 11), range(1, 11)), _block([11, 13, 17, 18], [1, 4, 5, 6, 7, 9, 10])],
            printed="0.652 1 0.781 0.781 0.646 0.5 0.781 0.781 0.5 1 0.781 0.5 0.5 1 0.929 0.928",
        ),
    ),
    note="One found biclustering and one reference each, called by the shape of its matrix.",
    first=1,
)


def _memberships(biclustering: Biclustering) -> Mapping[tuple[int, int], frozenset[int]]:
    """The numbers of the biclusters that hold each cell; cells in no bicluster are left out."""
    held = holders(product(rows, cols) for rows, cols in biclustering)
    return {cell: frozenset(numbers) for cell, numbers in held.items()}


Kinds = Mapping[tuple[frozenset[int], frozenset[int]], int]


def ebc_as_printed(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """Extended BCubed F₁ with a ratio of sums in every cell, each uncovered cell a cluster of its own."""
    clusters, classes = _memberships(candidate), _memberships(gold)
    none: frozenset[int] = frozenset()
    cells = product(range(candidate.shape[0]), range(candidate.shape[1]))
    kinds = Counter((clusters.get(cell, none), classes.get(cell, none)) for cell in cells)
    precision, recall = _shared(kinds), _shared({(b, a): many for (a, b), many in kinds.items()})
    return 2 * precision * recall / (precision + recall)


def _shared(kinds: Kinds) -> Fraction:
    """The mean over cells x of Σ min(α, α′) / Σ α, the sums over the cells that α clusters and α′ classes share with x.

    Cells are counted by kinds: those that lie in the same clusters and in the same classes.
    """
    total = Fraction()
    for (mine, wanted), many in kinds.items():
        agreed = sum(others * min(len(mine & a), len(wanted & b)) for (a, b), others in kinds.items())
        together = sum(others * len(mine & a) for (a, _), others in kinds.items())
        if not mine:  # alone in a cluster of its own, which it shares with itself
            agreed = together = 1
        elif not wanted:
            agreed += 1
        total += Fraction(many * agreed, together)
    return total / sum(kinds.values())


SOURCE = Source(
    id="horta2014",
    called="Horta & Campello 2014",
    citation=f"Horta & Campello 2014, {_PAPER}",
    introduction="Similarity Measures for Comparing Biclusterings, IEEE/ACM Transactions on Computational Biology and "
    f"Bioinformatics 11(5), {_PAPER}. Its found biclustering is our candidate, its reference our gold standard.",
    measures=_MEASURES,
    conditions=_CONDITIONS,
    claims=tuple(TABLE_6.claims()),
    compliance=TABLE_6,
    tables=(_GOLDEN,),
    equations=(
        Equation("ebc", "the equation of extended BCubed", says="in each cell a ratio of sums",
                 meant="a mean of ratios", function=ebc_as_printed),
    ),
)  # fmt: skip
