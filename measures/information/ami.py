"""Mutual information corrected for chance, normalised by the arithmetic and by the geometric mean."""

from fractions import Fraction
from math import sqrt

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.exact import Exact
from metaeval.kernel.overlay import overlay
from metaeval.measures._information import entropies, expected_information

CITATION = "Vinh et al. 2010; Gösgens et al. 2021, arXiv:1911.04773"


@measure("ami", name="AMI", citation=CITATION, domain="partitions")
def ami(candidate: Biclustering, gold: Biclustering) -> Exact:
    """How far the mutual information exceeds that of random partitions with the same sizes.

        AMI = (I − E[I]) / ( (H(gold) + H(candidate))/2 − E[I] )

    E[I] is the mean over all partitions with the same sizes: a sum of logarithms with rational coefficients, and so
    exact.

    Undefined when both sides are one cluster, or both singletons alone; 1 by convention, for they are the same.

    >>> ami(Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 1, 1]))
    −1/2
    """
    cells = overlay(candidate, gold)
    known, expected = entropies(cells), expected_information(cells)
    most = (known.gold + known.candidate) / 2 - expected
    return (known.information - expected) / most if most else Fraction(1)


@measure("ami-geometric", name="AMI (geometric)", citation=CITATION, domain="partitions")
def ami_geometric(candidate: Biclustering, gold: Biclustering) -> float:
    """AMI, normalised by the geometric mean of both entropies.

        AMI = (I − E[I]) / ( √(H(gold)·H(candidate)) − E[I] )

    A float: the root of a product of logarithms has no exact form here.

    Undefined when both sides are one cluster, or both singletons alone (1 by convention, for they are the same), and
    when one side is one cluster (0, for it tells nothing).

    >>> ami_geometric(Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 1, 1]))
    -0.5
    """
    cells = overlay(candidate, gold)
    known, expected = entropies(cells), expected_information(cells)
    if known.gold == known.candidate:
        return float(ami(candidate, gold))
    above = float(known.information - expected)
    return above / (sqrt(float(known.gold) * float(known.candidate)) - float(expected)) if above else 0.0
