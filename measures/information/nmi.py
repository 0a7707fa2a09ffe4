"""Normalised mutual information, by the mean of both entropies and by the larger one, and its fair form."""

from fractions import Fraction
from math import exp

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.exact import Exact
from metaeval.kernel.overlay import overlay
from metaeval.measures._information import entropies

CITATION = "Gösgens et al. 2021, arXiv:1911.04773"


@measure("nmi", name="NMI", low=0, citation=CITATION, domain="partitions")
def nmi(candidate: Biclustering, gold: Biclustering) -> Exact:
    """What both sides tell about each other, as a share of the mean of what they tell.

        NMI = I / ( (H(gold) + H(candidate)) / 2 )

    Undefined when both sides are one cluster; 1 by convention, for they are the same.

    >>> nmi(Biclustering.from_labels([0, 0, 1, 2]), Biclustering.from_labels([0, 0, 1, 1]))
    4/5
    """
    known = entropies(overlay(candidate, gold))
    both = known.gold + known.candidate
    return 2 * known.information / both if both else Fraction(1)


@measure(
    "nmi-max",
    name="NMI (maximum)",
    low=0,
    citation=f"{CITATION}; Lutov et al. 2019, arXiv:1902.01691",
    domain="partitions",
)
def nmi_max(candidate: Biclustering, gold: Biclustering) -> Exact:
    """What both sides tell about each other, as a share of what the one that tells more does.

        NMI_max = I / max(H(gold), H(candidate))

    Undefined when both sides are one cluster; 1 by convention, for they are the same.

    >>> nmi_max(Biclustering.from_labels([0, 0, 1, 2]), Biclustering.from_labels([0, 0, 1, 1]))
    2/3
    """
    known = entropies(overlay(candidate, gold))
    larger = max(known.gold, known.candidate)
    return known.information / larger if larger else Fraction(1)


@measure(
    "fnmi",
    name="Fair NMI",
    low=0,
    citation=f"Amelio & Pizzuti 2015; {CITATION}",
    domain="partitions",
)
def fnmi(candidate: Biclustering, gold: Biclustering) -> float:
    """NMI, lower the more the number of clusters differs from that of the classes.

        FNMI = NMI · exp(−|R − S|/R),  R classes and S clusters

    A float: the exponential has no exact form here.

    Undefined when NMI is, and when there are no objects; 1 by convention, for both sides are the same then.

    >>> round(fnmi(Biclustering.from_labels([0, 0, 1, 2]), Biclustering.from_labels([0, 0, 1, 1])), 6)
    0.485225
    """
    return float(nmi(candidate, gold)) * exp(-abs(len(gold) - len(candidate)) / max(1, len(gold)))
