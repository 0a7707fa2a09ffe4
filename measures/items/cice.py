"""CICE-BCubed F₁: MOCICE on the objects alone."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.measures.items.mocice import fast_mocice, mocice


def _objects_alone(biclustering: Biclustering) -> Biclustering:
    """Every bicluster's columns replaced by one common feature; where there is no other, nothing changes."""
    if biclustering.shape[1] == 1:
        return biclustering
    feature = frozenset({0})
    return Biclustering.trusted(((rows, feature) for rows, _ in biclustering), (biclustering.shape[0], 1))


def _fast_cice(candidate: Biclustering, gold: Biclustering) -> float:
    return fast_mocice(_objects_alone(candidate), _objects_alone(gold))


@measure(
    "cice",
    name="CICE-BCubed F₁",
    citation="Rosales-Méndez & Ramírez-Cruz 2013, doi:10.1007/978-3-642-41822-8_20",
    fast=_fast_cice,
)
def cice(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """MOCICE-BCubed F₁ of the objects alone, blind to the features.

        CICE(𝒢, 𝒞) = MOCICE({(G rows, {f})}, {(C rows, {f})})  for one common feature f

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> found, gold = Biclustering([({0, 1}, {0})]), Biclustering([({0, 1}, {1, 2})])
    >>> cice(found, gold)
    Fraction(1, 1)
    """
    score: Fraction = mocice(_objects_alone(candidate), _objects_alone(gold))
    return score
