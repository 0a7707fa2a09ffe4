"""Indices of pairs of objects: together on both sides, on one, or on neither."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.equations import arccos, in_class, in_cluster, least, over, pairs, partition_equation, share, sqrt

GOSGENS = "Gösgens et al. 2021, arXiv:1911.04773"
BOTH, NEITHER = pairs(in_cluster * in_class), pairs((1 - in_cluster) * (1 - in_class))
GOLD_ONLY, CANDIDATE_ONLY = pairs((1 - in_cluster) * in_class), pairs(in_cluster * (1 - in_class))
PRECISION, RECALL = share(BOTH, BOTH + CANDIDATE_ONLY), share(BOTH, BOTH + GOLD_ONLY)
APART = share(NEITHER, NEITHER + GOLD_ONLY) + share(NEITHER, NEITHER + CANDIDATE_ONLY)
#: How far the two agree beyond what their numbers of pairs make likely, and at most.
BEYOND = BOTH * NEITHER - GOLD_ONLY * CANDIDATE_ONLY
MOST = (BOTH + GOLD_ONLY) * (GOLD_ONLY + NEITHER) + (BOTH + CANDIDATE_ONLY) * (CANDIDATE_ONLY + NEITHER)
SPREAD = (BOTH + GOLD_ONLY) * (BOTH + CANDIDATE_ONLY) * (NEITHER + GOLD_ONLY) * (NEITHER + CANDIDATE_ONLY)
#: What is constant goes with nothing, but for two sides that are the same.
CORRELATION = over(BEYOND, sqrt(SPREAD), 1 - least(1, GOLD_ONLY + CANDIDATE_ONLY))

jaccard = measure(
    "jaccard", name="Jaccard", family="pairs", citation=GOSGENS,
    equation=partition_equation(share(BOTH, BOTH + GOLD_ONLY + CANDIDATE_ONLY), empty=1, low=0),
    doc="""Of the pairs of objects that are together on either side, the share that is together on both.

    Undefined when neither side has two objects together; 1 by convention, for both are the same then.

    >>> jaccard(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(1, 3)
    """)  # fmt: skip

dice = measure(
    "dice", name="Dice", family="pairs", citation=GOSGENS,
    equation=partition_equation(share(2 * BOTH, 2 * BOTH + GOLD_ONLY + CANDIDATE_ONLY), empty=1, low=0),
    doc="""The F₁ of putting pairs of objects together.

    Undefined when neither side has two objects together; 1 by convention, for both are the same then.

    >>> dice(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(1, 2)
    """)  # fmt: skip

wallace = measure(
    "wallace", name="Wallace", family="pairs", citation=GOSGENS,
    equation=partition_equation(RECALL, empty=1, low=0),
    doc="""Of the pairs of objects that belong together, the share that is put together.

    Undefined when the gold standard has no two objects together; 1 by convention, for then there is no pair to miss.

    >>> wallace(Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 0, 0]))
    Fraction(1, 3)
    """)  # fmt: skip

fowlkes_mallows = measure(
    "fowlkes-mallows", name="Fowlkes–Mallows", family="pairs",
    citation="Fowlkes & Mallows 1983, doi:10.1080/01621459.1983.10478008",
    equation=partition_equation(sqrt(RECALL * PRECISION), empty=1, low=0),
    doc="""The geometric mean of how many pairs belong together that are, and are together that should be.

    Undefined when a side has no two objects together; by convention 1 when neither has, for both are the same then, and
    0 when one has. scikit-learn up to version 1.9 gives 0 to the former, too.

    >>> fowlkes_mallows(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    1/3·√3
    """)  # fmt: skip

correlation = measure(
    "correlation", name="Correlation", family="pairs", citation=GOSGENS,
    equation=partition_equation(CORRELATION, empty=1, low=-1),
    doc="""Pearson's correlation, over pairs of objects, of being together in the candidate and in the gold standard.

    Undefined when a side is one cluster, or singletons alone; by convention 1 when both are the same, else 0, for what
    is constant goes with nothing.

    >>> correlation(Biclustering.from_labels([0, 0, 1, 1]), Biclustering.from_labels([0, 0, 0, 1]))
    0
    >>> correlation(Biclustering.from_labels([0, 0, 1, 2]), Biclustering.from_labels([0, 0, 0, 1]))
    1/5·√5
    """)  # fmt: skip

correlation_distance = measure(
    "correlation-distance", name="Correlation distance", family="pairs", citation=GOSGENS,
    equation=partition_equation(arccos(CORRELATION), empty=0, best=0, low=1, smaller_is_better=True),
    doc="""The angle between the two sides, as vectors of pairs, in half turns.

    It orders pairs as the correlation CC does, and the other way round; CC is exact and this is a float. A
    dissimilarity: its score is reported as −CD.

    Undefined when CC is; by convention 0 when both sides are the same, else 1/2.

    >>> correlation_distance(Biclustering.from_labels([0, 0, 1, 1]), Biclustering.from_labels([0, 0, 0, 1]))
    0.5
    """)  # fmt: skip

sokal_sneath = measure(
    "sokal-sneath", name="Sokal & Sneath 1", family="pairs", citation=GOSGENS,
    equation=partition_equation((RECALL + PRECISION + APART) / 4, empty=1, low=0),
    doc="""The mean of four shares: of the pairs together on a side, and of those apart, those on which the other agrees.

    Undefined when a side has no two objects together, or none apart; a share of nothing is 1 by convention, for there
    is no pair to disagree on.

    >>> sokal_sneath(Biclustering.from_labels([0, 0, 1, 1]), Biclustering.from_labels([0, 0, 0, 1]))
    Fraction(1, 2)
    """)  # noqa: E501  # fmt: skip

adjusted_rand = measure(
    "adjusted-rand", name="Adjusted Rand", family="pairs", citation="Hubert & Arabie 1985, doi:10.1007/BF01908075",
    equation=partition_equation(share(2 * BEYOND, MOST), empty=1, low=Fraction(-1, 2)),
    doc="""How far the agreement on pairs of objects exceeds that of random partitions with the same sizes.

    Undefined when both sides are one cluster, or both singletons alone; 1 by convention, for they are the same.

    >>> adjusted_rand(Biclustering.from_labels([0, 0, 1, 1]), Biclustering.from_labels([0, 0, 1, 2]))
    Fraction(4, 7)
    """)  # fmt: skip
