"""Mutual information."""

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.exact import LogSum
from metaeval.kernel.overlay import overlay
from metaeval.measures._information import entropies


@measure(
    "mutual-information",
    name="Mutual information",
    best=None,
    low=0,
    citation="Amigó et al. 2009, doi:10.1007/s10791-008-9066-8",
    domain="partitions",
)
def mutual_information(candidate: Biclustering, gold: Biclustering) -> LogSum:
    """What the cluster of an object tells about its class, in nats.

        I = Σ_G Σ_C |G ∩ C|/N · log( N·|G ∩ C| / (|G|·|C|) )

    It has no constant optimum: a perfect match scores the entropy of the gold standard.

    Undefined when there are no objects; 0 by convention, for there is nothing to tell.

    >>> mutual_information(Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    3/2·log 2 − 3/4·log 3
    """
    return entropies(overlay(candidate, gold)).information
