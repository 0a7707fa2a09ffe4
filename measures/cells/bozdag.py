"""Bozdağ's uncovered and extra area, as similarities: the shares of the gold and of the candidate that are common."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.overlay import overlay

CITATION = "Bozdağ et al. 2010; Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016"


@measure("bozdag-u", name="Bozdağ U", low=0, citation=CITATION)
def bozdag_u(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """The share of the gold standard's cells that the candidate covers, which leaves out what is uncovered.

        U = |U_G ∩ U_C| / |U_C|

    Undefined when the gold standard is empty; by convention 1 when both sides are empty, 0 when one is.

    >>> bozdag_u(Biclustering.lifted([{0, 1, 2}]), Biclustering.lifted([{2, 3}]))
    Fraction(1, 2)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    return Fraction(cells.shared, cells.gold_covered)


@measure("bozdag-e", name="Bozdağ E", low=0, citation=CITATION)
def bozdag_e(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """The share of the candidate's cells that the gold standard covers, which leaves out what is extra.

        E = |U_G ∩ U_C| / |U_G|

    Undefined when the candidate is empty; by convention 1 when both sides are empty, 0 when one is.

    >>> bozdag_e(Biclustering.lifted([{0, 1, 2}]), Biclustering.lifted([{2, 3}]))
    Fraction(1, 3)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    return Fraction(cells.shared, cells.candidate_covered)
