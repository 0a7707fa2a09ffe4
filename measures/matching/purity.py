"""Purity, inverse purity and their harmonic mean."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.overlay import Overlay, harmonic_mean, overlay
from metaeval.measures._objects import largest_meetings, share, table

CITATION = "Amigó et al. 2009, doi:10.1007/s10791-008-9066-8"


@measure("purity", name="Purity", low=0, citation=CITATION, domain="partitions")
def purity(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """The share of the objects that are in the class that prevails in their cluster.

        Purity = 1/N · Σ_G max_C |G ∩ C|

    Undefined when there are no objects; 1 by convention, for both sides are the same then.

    >>> purity(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(2, 3)
    """
    return _shares(overlay(candidate, gold))[0]


@measure("inverse-purity", name="Inverse purity", low=0, citation=CITATION, domain="partitions")
def inverse_purity(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """The share of the objects that are in the cluster that prevails in their class.

        Inverse purity = 1/N · Σ_C max_G |G ∩ C|

    Undefined when there are no objects; 1 by convention, for both sides are the same then.

    >>> inverse_purity(Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 0, 0]))
    Fraction(2, 3)
    """
    return _shares(overlay(candidate, gold))[1]


@measure(
    "purity-f",
    name="Purity F₁",
    low=0,
    citation="Amigó et al. 2009, doi:10.1007/s10791-008-9066-8; Gösgens et al. 2021, arXiv:1911.04773",
    domain="partitions",
)
def purity_f(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """The harmonic mean of purity and inverse purity.

        Purity F₁ = 2·Purity·Inverse purity / (Purity + Inverse purity)

    Undefined when there are no objects; 1 by convention, for both sides are the same then.

    >>> purity_f(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(4, 5)
    """
    return harmonic_mean(*_shares(overlay(candidate, gold)))


def _shares(cells: Overlay) -> tuple[Fraction, Fraction]:
    """Purity and inverse purity."""
    by_cluster, by_class = largest_meetings(cells)
    objects = table(cells).objects
    return share(sum(by_cluster), objects - sum(by_cluster)), share(sum(by_class), objects - sum(by_class))
