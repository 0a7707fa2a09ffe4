"""The entropy of classes inside clusters, and of clusters inside classes."""

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.exact import LogSum
from metaeval.kernel.overlay import overlay
from metaeval.measures._information import entropies

CITATION = "Amigó et al. 2009, doi:10.1007/s10791-008-9066-8"


@measure("entropy", name="Entropy", best=0, citation=CITATION, smaller_is_better=True, domain="partitions")
def entropy(candidate: Biclustering, gold: Biclustering) -> LogSum:
    """How mixed the clusters are: the mean entropy of the classes inside a cluster, in nats.

        Entropy = Σ_G |G|/N · H(classes in G) = −Σ_G Σ_C |G ∩ C|/N · log(|G ∩ C|/|G|)

    A dissimilarity: its score is reported as −Entropy.

    Undefined when there are no objects; 0 by convention, for both sides are the same then.

    >>> entropy(Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    −1/2·log 2 + 3/4·log 3
    """
    known = entropies(overlay(candidate, gold))
    mixed: LogSum = known.joint - known.candidate
    return mixed


@measure("class-entropy", name="Class entropy", best=0, citation=CITATION, smaller_is_better=True, domain="partitions")
def class_entropy(candidate: Biclustering, gold: Biclustering) -> LogSum:
    """How scattered the classes are: the mean entropy of the clusters inside a class, in nats.

        Class entropy = Σ_C |C|/N · H(clusters in C) = −Σ_C Σ_G |G ∩ C|/N · log(|G ∩ C|/|C|)

    A dissimilarity: its score is reported as −Class entropy.

    Undefined when there are no objects; 0 by convention, for both sides are the same then.

    >>> class_entropy(Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    1/2·log 2
    """
    known = entropies(overlay(candidate, gold))
    scattered: LogSum = known.joint - known.gold
    return scattered
