"""Readings that several conditions share, so that each condition says only what is its own; and their words.

Conditions about clusterings have a strategy and an enumerator for disjoint ones, which cover all objects
unless they are ``partial``, and another of each for those that overlap. Conditions about biclusterings have one
of each, for what is ``disjoint`` and for what is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial as bind
from typing import NamedTuple, Protocol

from hypothesis.strategies import SearchStrategy

from metaeval.cases import Case
from metaeval.condition import READINGS, Reading, has_one_feature
from metaeval.situation import Situation

AMIGO = "Amigó et al. 2009, doi:10.1007/s10791-008-9066-8; arXiv:1512.00228, section 2"
CICE = "Rosales-Méndez & Ramírez-Cruz 2013, doi:10.1007/978-3-642-41822-8_20; arXiv:1512.00228, section 2"
PATRIKAINEN = "Patrikainen & Meilă 2006, doi:10.1109/TKDE.2006.106; arXiv:1512.00228, section 2"

HORTA = "Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016"
GOSGENS = "Gösgens, Tikhonov & Prokhorenkova 2021, arXiv:1911.04773"
CLUSIM = "Gates & Ahn 2019, doi:10.21105/joss.01264"

PARTITIONS = "Gold and candidates are partitions of the same objects."
_PARTIAL = (
    "Gold and candidates are disjoint but may be partial: objects in the gold only, in the candidate only, "
    "in neither. Classes may extend beyond the clusters named."
)
_OVERLAPPING = "As literal, with clusters and classes free to overlap."

ONE_FEATURE = "one feature, up to renaming"
UP_TO_TWO_FEATURES = "up to two features with up to three objects, one feature with more, up to renaming"
TWO_BY_TWO = "one feature, and two features with up to two objects, up to renaming"
_AT_MOST_THREE = "one feature, up to renaming; with four objects at most three classes and three clusters"

Strategy = Callable[[], SearchStrategy[Case]]
Enumerator = Callable[[int], Iterator[Case]]


class DisjointStrategy(Protocol):
    """Draws disjoint clusterings, which cover all objects unless they are ``partial``."""

    def __call__(self, *, partial: bool) -> SearchStrategy[Case]:
        """The strategy."""


class DisjointEnumerator(Protocol):
    """Lists disjoint clusterings, which cover all objects unless they are ``partial``."""

    def __call__(self, objects: int, *, partial: bool) -> Iterator[Case]:
        """The cases with so many objects."""


class BiclusteringStrategy(Protocol):
    """Draws biclusterings, ``disjoint`` or free to overlap."""

    def __call__(self, *, disjoint: bool) -> SearchStrategy[Case]:
        """The strategy."""


class BiclusteringEnumerator(Protocol):
    """Lists biclusterings, ``disjoint`` or free to overlap."""

    def __call__(self, objects: int, *, disjoint: bool) -> Iterator[Case]:
        """The cases with so many objects."""


class FourfoldStrategy(Protocol):
    """Draws biclusterings, ``disjoint`` or free to overlap; in ``proper`` ones none is degenerate."""

    def __call__(self, *, disjoint: bool, proper: bool) -> SearchStrategy[Case]:
        """The strategy."""


class FourfoldEnumerator(Protocol):
    """Lists biclusterings, ``disjoint`` or free to overlap; in ``proper`` ones none is degenerate."""

    def __call__(self, objects: int, *, disjoint: bool, proper: bool) -> Iterator[Case]:
        """The cases with so many objects."""


class Listed(NamedTuple):
    """What an enumerator lists: in words, up to how many objects, and in code."""

    scope: str
    complete: int
    reach: int | None = None
    within: Callable[[Case], bool] = has_one_feature


def canonical(
    strategy: DisjointStrategy,
    enumerate_: DisjointEnumerator,
    complete: int,
    adds: str = "",
    situations: tuple[Situation, ...] = (),
) -> Reading:
    """Clusterings as the source pictures them: partitions of the same objects."""
    return Reading(
        "canonical",
        adds=_sentences(PARTITIONS, adds),
        domain="partitions",
        strategy=bind(strategy, partial=False),
        enumerate_=bind(enumerate_, partial=False),
        scope=ONE_FEATURE,
        complete=complete,
        reach=complete,
        situations=situations,
    )


def literal(
    strategy: DisjointStrategy,
    enumerate_: DisjointEnumerator,
    complete: int,
    adds: str = "",
    situations: tuple[Situation, ...] = (),
) -> Reading:
    """Everything the sentence admits among disjoint clusterings, covering or not."""
    return Reading(
        "literal",
        adds=_sentences(_PARTIAL, adds),
        domain="disjoint clusterings",
        strategy=bind(strategy, partial=True),
        enumerate_=bind(enumerate_, partial=True),
        scope=ONE_FEATURE,
        complete=complete,
        reach=complete,
        situations=situations,
    )


def overlapping(
    strategy: Strategy, enumerate_: Enumerator, adds: str, reach: int = 4, scope: str = _AT_MOST_THREE
) -> Reading:
    """Clusterings free to overlap; up to three objects there are few enough families to list them all."""
    return Reading(
        "overlapping",
        adds=_sentences(_OVERLAPPING, adds),
        domain="clusterings",
        strategy=strategy,
        enumerate_=enumerate_,
        scope=scope,
        complete=3,
        reach=reach,
    )


def of_biclusterings(
    name: str,
    strategy: BiclusteringStrategy,
    enumerate_: BiclusteringEnumerator,
    adds: str,
    scope: str,
    complete: int,
    reach: int | None = None,
    situations: tuple[Situation, ...] = (),
) -> Reading:
    """Biclusterings: disjoint ones, unless the reading is the overlapping one."""
    disjoint = name != "overlapping"
    return Reading(
        name,
        adds=adds,
        domain="disjoint" if disjoint else "biclusterings",
        strategy=bind(strategy, disjoint=disjoint),
        enumerate_=bind(enumerate_, disjoint=disjoint),
        scope=scope,
        complete=complete,
        reach=reach or complete,
        situations=situations,
    )


_FOURFOLD = {
    "canonical": "Gold and candidates are disjoint, and no bicluster is degenerate: each has two or more cells.",
    "literal": "Gold and candidates are disjoint; biclusters of a single cell are admitted.",
    "overlapping": "Gold and candidates may overlap; biclusters of a single cell are admitted.",
    "proper": "Gold and candidates may overlap, and no bicluster is degenerate: each has two or more cells.",
}


def fourfold(
    strategy: FourfoldStrategy,
    enumerate_: FourfoldEnumerator,
    listed: Mapping[str, Listed],
    adds: str = "",
    domain: str | None = None,
) -> list[Reading]:
    """Biclusterings that overlap or not, degenerate or not: what the footnotes of Horta & Campello tell apart.

    There is a reading for each name in ``listed``. ``domain`` is where it is wider than the reading's name says.
    """
    return [_one_of_four(name, strategy, enumerate_, listed[name], adds, domain) for name in listed]


def in_order(*readings: Reading) -> list[Reading]:
    """The readings in the order of all."""
    return sorted(readings, key=lambda reading: READINGS.index(reading.name))


def _one_of_four(
    name: str,
    strategy: FourfoldStrategy,
    enumerate_: FourfoldEnumerator,
    listed: Listed,
    adds: str,
    domain: str | None,
) -> Reading:
    disjoint, proper = name in ("canonical", "literal"), name in ("canonical", "proper")
    return Reading(
        name,
        adds=_sentences(_FOURFOLD[name], adds),
        domain=domain or ("disjoint" if disjoint else "biclusterings"),
        strategy=bind(strategy, disjoint=disjoint, proper=proper),
        enumerate_=bind(enumerate_, disjoint=disjoint, proper=proper),
        scope=listed.scope,
        complete=listed.complete,
        reach=listed.reach or listed.complete,
        within=listed.within,
    )


def _sentences(*sentences: str) -> str:
    return " ".join(filter(None, sentences))
