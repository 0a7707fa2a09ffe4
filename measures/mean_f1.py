"""Mean best matches of clusters and classes, weighted by size: F1a, F1h and F1p."""

from metaeval.catalogue.measure import measure
from metaeval.equations import Equation, best, c, clusters, f1, g, n, sqrt, swapped

LUTOV = "Lutov et al. 2019, arXiv:1902.01691, doi:10.1109/BIGCOMP.2019.8679398"
MEAN = clusters(g * best(2 * n / (g + c))) / clusters(g)
ROOT_MEAN = clusters(g * best(n / sqrt(g * c))) / clusters(g)

f1a = measure(
    "f1a", name="F1a", family="matching", citation=LUTOV,
    equation=Equation((MEAN + swapped(MEAN)) / 2, empty=1, one_empty=0, unit="objects", domain="clusterings", low=0),
    doc="""The mean of how well clusters are met by classes, and classes by clusters.

    The source prints a plain mean in F; its own table weighs by size.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> f1a(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(3, 4)
    """)  # fmt: skip

f1h = measure(
    "f1h", name="F1h", family="matching", citation=LUTOV,
    equation=Equation(f1(MEAN, swapped(MEAN)), empty=1, one_empty=0, unit="objects", domain="clusterings", low=0),
    doc="""The harmonic mean of how well clusters are met by classes, and classes by clusters.

    The source prints a plain mean in F; its own table weighs by size.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> f1h(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(56, 75)
    """)  # fmt: skip

f1p = measure(
    "f1p", name="F1p", family="matching", citation=LUTOV,
    equation=Equation(
        f1(ROOT_MEAN, swapped(ROOT_MEAN)), empty=1, one_empty=0, unit="objects", domain="clusterings", low=0
    ),
    doc="""F1h with another match: the geometric mean, not the harmonic one, of the shares that X and Y have in common.

    The source prints a plain mean in F; its own table weighs by size. An object in several clusters counts fully in
    each of them.

    Undefined when a side is empty (by convention 1 when both are, 0 when one is) and when no cluster meets a class (0).

    >>> f1p(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    (8 + 2·√2) / (√3 + 5·√6)
    """)  # fmt: skip
