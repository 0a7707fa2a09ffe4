"""V-measure: the harmonic mean of homogeneity and completeness."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.exact import Exact
from metaeval.kernel.overlay import overlay
from metaeval.measures._information import entropies


@measure(
    "v-measure",
    name="V-measure",
    low=0,
    citation="Rosenberg & Hirschberg 2007; Amigó et al. 2009, doi:10.1007/s10791-008-9066-8",
    domain="partitions",
)
def v_measure(candidate: Biclustering, gold: Biclustering) -> Exact:
    """The harmonic mean of homogeneity, how little a cluster mixes classes, and completeness, the other way round.

        V = 2·h·c / (h + c),  h = 1 − H(gold | candidate)/H(gold),  c = 1 − H(candidate | gold)/H(candidate)

    As h is I/H(gold) and c is I/H(candidate), V is 2·I / (H(gold) + H(candidate)), which is how it is computed: the
    same number as NMI.

    Undefined when a side is one cluster: its h or c is 1 by convention, so that V is 1 when both are, for they are the
    same, and 0 when one is.

    >>> v_measure(Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    (4·log 2 − 2·log 3) / (4·log 2 − log 3)
    """
    known = entropies(overlay(candidate, gold))
    both = known.gold + known.candidate
    return 2 * known.information / both if both else Fraction(1)
