"""Entropies of two partitions, and what they tell about each other."""

from metaeval.catalogue.measure import measure
from metaeval.equations import (
    c, cells, classes, clusters, exp, g, largest, least, log, meetings, n, partition_equation, share, swapped,
)  # fmt: skip

AMIGO = "Amigó et al. 2009, doi:10.1007/s10791-008-9066-8"
GOSGENS = "Gösgens et al. 2021, arXiv:1911.04773"
U = cells(1)
#: U·I and U·H of the candidate, in nats.
MUTUAL = meetings(n * log(U * n / (g * c)))
OWN = clusters(g * log(U / g))
NMI = share(2 * MUTUAL, OWN + swapped(OWN))
#: How much the numbers of clusters and classes differ, as a share of the classes; not above 0.
FEWER = (least(clusters(1), classes(1)) - largest(clusters(1), classes(1))) / classes(1)

entropy = measure(
    "entropy", name="Entropy", family="information", citation=AMIGO,
    equation=partition_equation(meetings(n * log(g / n)) / U, empty=0, best=0, smaller_is_better=True),
    doc="""How mixed the clusters are: the mean entropy of the classes inside a cluster, in nats.

    A dissimilarity: its score is reported as −Entropy.

    Undefined when there are no objects; 0 by convention, for both sides are the same then.

    >>> entropy(Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    −1/2·log 2 + 3/4·log 3
    """)  # fmt: skip

class_entropy = measure(
    "class-entropy", name="Class entropy", family="information", citation=AMIGO,
    equation=partition_equation(meetings(n * log(c / n)) / U, empty=0, best=0, smaller_is_better=True),
    doc="""How scattered the classes are: the mean entropy of the clusters inside a class, in nats.

    A dissimilarity: its score is reported as −Class entropy.

    Undefined when there are no objects; 0 by convention, for both sides are the same then.

    >>> class_entropy(Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    1/2·log 2
    """)  # fmt: skip

mutual_information = measure(
    "mutual-information", name="Mutual information", family="information", citation=AMIGO,
    equation=partition_equation(MUTUAL / U, empty=0, best=None, low=0),
    doc="""What the cluster of an object tells about its class, in nats.

    It has no constant optimum: a perfect match scores the entropy of the gold standard.

    Undefined when there are no objects; 0 by convention, for there is nothing to tell.

    >>> mutual_information(Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    3/2·log 2 − 3/4·log 3
    """)  # fmt: skip

v_measure = measure(
    "v-measure", name="V-measure", family="information", citation=f"Rosenberg & Hirschberg 2007; {AMIGO}",
    equation=partition_equation(NMI, empty=1, low=0),
    doc="""The harmonic mean of homogeneity, how little a cluster mixes classes, and completeness, the other way round.

    As homogeneity is I/H(gold) and completeness I/H(candidate), this is the same number as NMI.

    Undefined when a side is one cluster: its h or c is 1 by convention, so that V is 1 when both are, for they are the
    same, and 0 when one is.

    >>> v_measure(Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    (4·log 2 − 2·log 3) / (4·log 2 − log 3)
    """)  # fmt: skip

nmi = measure(
    "nmi", name="NMI", family="information", citation=GOSGENS,
    equation=partition_equation(NMI, empty=1, low=0),
    doc="""What both sides tell about each other, as a share of the mean of what they tell.

    Undefined when both sides are one cluster; 1 by convention, for they are the same.

    >>> nmi(Biclustering.from_labels([0, 0, 1, 2]), Biclustering.from_labels([0, 0, 1, 1]))
    4/5
    """)  # fmt: skip

nmi_max = measure(
    "nmi-max", name="NMI (maximum)", family="information", citation=f"{GOSGENS}; Lutov et al. 2019, arXiv:1902.01691",
    equation=partition_equation(share(MUTUAL, largest(OWN, swapped(OWN))), empty=1, low=0),
    doc="""What both sides tell about each other, as a share of what the one that tells more does.

    Undefined when both sides are one cluster; 1 by convention, for they are the same.

    >>> nmi_max(Biclustering.from_labels([0, 0, 1, 2]), Biclustering.from_labels([0, 0, 1, 1]))
    2/3
    """)  # fmt: skip

fnmi = measure(
    "fnmi", name="Fair NMI", family="information", citation=f"Amelio & Pizzuti 2015; {GOSGENS}",
    equation=partition_equation(NMI * exp(FEWER), empty=1, low=0),
    doc="""NMI, lower the more the number of clusters differs from that of the classes.

    A float: the exponential has no exact form here.

    Undefined when NMI is, and when there are no objects; 1 by convention, for both sides are the same then.

    >>> round(fnmi(Biclustering.from_labels([0, 0, 1, 2]), Biclustering.from_labels([0, 0, 1, 1])), 6)
    0.485225
    """)  # fmt: skip
