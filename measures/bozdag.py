"""Bozdağ's uncovered and extra area, as similarities: the shares of the gold and of the candidate that are common."""

from metaeval.catalogue.measure import measure
from metaeval.equations import Equation, cells, in_class, in_cluster

bozdag_u = measure(
    "bozdag-u", name="Bozdağ U", family="cells",
    citation="Bozdağ et al. 2010; Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016",
    equation=Equation(cells(in_cluster * in_class) / cells(in_class), empty=1, one_empty=0, low=0),
    doc="""The share of the gold standard's cells that the candidate covers, which leaves out what is uncovered.

    Undefined when the gold standard is empty; by convention 1 when both sides are empty, 0 when one is.

    >>> bozdag_u(Biclustering.lifted([{0, 1, 2}]), Biclustering.lifted([{2, 3}]))
    Fraction(1, 2)
    """)  # fmt: skip

bozdag_e = measure(
    "bozdag-e", name="Bozdağ E", family="cells",
    citation="Bozdağ et al. 2010; Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016",
    equation=Equation(cells(in_cluster * in_class) / cells(in_cluster), empty=1, one_empty=0, low=0),
    doc="""The share of the candidate's cells that the gold standard covers, which leaves out what is extra.

    Undefined when the candidate is empty; by convention 1 when both sides are empty, 0 when one is.

    >>> bozdag_e(Biclustering.lifted([{0, 1, 2}]), Biclustering.lifted([{2, 3}]))
    Fraction(1, 3)
    """)  # fmt: skip
