"""The F measure of classes: each beside the cluster that is most like it."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.overlay import largest, overlay, sum_of_ratios
from metaeval.measures._objects import table


@measure(
    "f-measure",
    name="F measure",
    low=0,
    citation="Amigó et al. 2009, doi:10.1007/s10791-008-9066-8",
    domain="partitions",
)
def f_measure(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """The mean, over the objects, of the F₁ of their class with the cluster that is most like it.

        F = Σ_C |C|/N · max_G 2·|G ∩ C| / (|G| + |C|)

    Undefined when there are no objects; 1 by convention, for both sides are the same then.

    >>> f_measure(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(7, 10)
    """
    counts = table(overlay(candidate, gold))
    by_class: list[list[tuple[int, int]]] = [[] for _ in counts.classes]
    for (i, j), n in counts.meetings.items():
        by_class[j].append((2 * n * counts.classes[j], counts.clusters[i] + counts.classes[j]))
    return sum_of_ratios(map(largest, by_class), over=counts.objects) if counts.objects else Fraction(1)
