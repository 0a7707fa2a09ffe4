"""How much editing turns a gold standard into a candidate, as a score."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.overlay import overlay
from metaeval.measures._objects import largest_meetings, table


@measure(
    "edit-distance",
    name="Edit distance",
    best=None,
    low=0,
    citation="Pantel & Lin 2002; Amigó et al. 2009, doi:10.1007/s10791-008-9066-8",
    domain="partitions",
)
def edit_distance(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """1 less the edits an object: each cluster costs a merge, and a move for each object outside its prevailing class.

        1 − 1/N · Σ_G (1 + |G| − max_C |G ∩ C|)

    It has no constant optimum: a perfect match of k classes scores 1 − k/N, and fewer clusters may score higher.

    Undefined when there are no objects; 1 by convention, for there is nothing to edit.

    >>> edit_distance(Biclustering.from_labels([0, 0, 1, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    Fraction(1, 2)
    """
    cells = overlay(candidate, gold)
    counts, (by_cluster, _) = table(cells), largest_meetings(cells)
    edits = len(by_cluster) + counts.objects - sum(by_cluster)
    return 1 - Fraction(edits, counts.objects) if counts.objects else Fraction(1)
