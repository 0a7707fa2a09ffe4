"""Readings that several conditions share, so that each condition says only what is its own; and their words.

Conditions about clusterings have a strategy and an enumerator for disjoint ones, which cover all objects
unless they are ``partial``, and another of each for those that overlap. Conditions about biclusterings have one
of each, for what is ``disjoint`` and for what is not.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial as bind
from typing import NamedTuple

from hypothesis.strategies import SearchStrategy

from metaeval.catalogue.condition import READINGS, Moves, Premise, Reading, has_one_feature
from metaeval.conditions._enumerate import replaced
from metaeval.conditions._premise import on_one_feature
from metaeval.core.case import Case

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

#: Draws cases, and lists those with a number of objects. Both are told what a reading asks for: ``partial`` clusterings
#: need not cover all objects, ``disjoint`` ones share no cell, ``proper`` ones have no degenerate bicluster.
Strategy = Callable[..., SearchStrategy[Case]]
Enumerator = Callable[..., Iterator[Case]]


class ListedScope(NamedTuple):
    """What an enumerator lists: in words, up to which numbers of objects, and in code."""

    scope: str
    complete: int
    reach: int = 0
    within: Callable[[Case], bool] = has_one_feature


def canonical(
    strategy: Strategy,
    enumerate_: Enumerator,
    complete: int,
    adds: str = "",
    *,
    partial: bool = False,
) -> Reading:
    """Clusterings as the source pictures them: partitions of the same objects, unless they are ``partial``."""
    return Reading(
        "literal" if partial else "canonical", adds=_sentences(_PARTIAL if partial else PARTITIONS, adds),
        domain="disjoint clusterings" if partial else "partitions", strategy=bind(strategy, partial=partial),
        enumerate_=bind(enumerate_, partial=partial), scope=ONE_FEATURE, complete=complete,
    )  # fmt: skip


#: Everything the sentence admits among disjoint clusterings, covering or not.
literal = bind(canonical, partial=True)


def of_partitions(
    strategy: Strategy,
    enumerate_: Enumerator,
    complete: int,
    adds: str = PARTITIONS,
    scope: str = ONE_FEATURE,
    name: str = "canonical",
) -> Reading:
    """Partitions of the same objects, drawn and listed by functions that are about nothing else."""
    return Reading(name, adds, "partitions", strategy, enumerate_, scope, complete)


def overlapping(
    strategy: Strategy,
    adds: str,
    moves: Moves,
    enumerate_: Enumerator | None = None,
    reach: int = 4,
    scope: str = _AT_MOST_THREE,
) -> Reading:
    """Clusterings free to overlap, listed by their moves; up to three objects, families are few enough to list all."""
    return Reading(
        "overlapping", adds=_sentences(_OVERLAPPING, adds), domain="clusterings", strategy=strategy,
        enumerate_=enumerate_ or bind(replaced, moves=moves), scope=scope, complete=3, reach=reach, moves=moves,
    )  # fmt: skip


def of_biclusterings(
    name: str,
    strategy: Strategy,
    enumerate_: Enumerator,
    adds: str,
    scope: str,
    complete: int,
    reach: int = 0,
    within: Callable[[Case], bool] = has_one_feature,
) -> Reading:
    """Biclusterings: disjoint ones, unless the reading is the overlapping one."""
    disjoint = name != "overlapping"
    return Reading(
        name, adds=adds, domain="disjoint" if disjoint else "biclusterings", strategy=bind(strategy, disjoint=disjoint),
        enumerate_=bind(enumerate_, disjoint=disjoint), scope=scope, complete=complete, reach=reach, within=within,
    )  # fmt: skip


_FOURFOLD = {
    "canonical": "Gold and candidates are disjoint, and no bicluster is degenerate: each has two or more cells.",
    "literal": "Gold and candidates are disjoint; biclusters of a single cell are admitted.",
    "overlapping": "Gold and candidates may overlap; biclusters of a single cell are admitted.",
    "proper": "Gold and candidates may overlap, and no bicluster is degenerate: each has two or more cells.",
}


def fourfold(
    strategy: Strategy,
    enumerate_: Enumerator,
    listed: Mapping[str, ListedScope],
    adds: str = "",
    domain: str | None = None,
) -> list[Reading]:
    """Biclusterings that overlap or not, degenerate or not: what the footnotes of Horta & Campello tell apart.

    There is a reading for each name in ``listed``. ``domain`` is where it is wider than the reading's name says.
    """
    readings = []
    for name, scope in listed.items():
        disjoint, proper = name in ("canonical", "literal"), name in ("canonical", "proper")
        reading = Reading(
            name, adds=_sentences(_FOURFOLD[name], adds),
            domain=domain or ("disjoint" if disjoint else "biclusterings"),
            strategy=bind(strategy, disjoint=disjoint, proper=proper),
            enumerate_=bind(enumerate_, disjoint=disjoint, proper=proper), scope=scope.scope, complete=scope.complete,
            reach=scope.reach, within=scope.within,
        )  # fmt: skip
        readings.append(reading)
    return readings


def of_clusterings(
    readings: Iterable[Reading], premise: Premise, strategy: Strategy, enumerate_: Enumerator, scope: str = ONE_FEATURE
) -> list[Reading]:
    """Literal and overlapping as measures of clusterings meet them: the same readings, on one feature.

    ``scope`` says what is listed where clusterings overlap.
    """
    domains = {"literal": "disjoint clusterings", "overlapping": "clusterings"}
    return [
        replace(
            one, domain=domains[one.name], premise=bind(on_one_feature, premise=premise, reading=one.name),
            strategy=bind(strategy, disjoint=one.name == "literal", lifted=True),
            enumerate_=bind(enumerate_, disjoint=one.name == "literal", lifted=True),
            scope=scope if one.name == "overlapping" else ONE_FEATURE,
        )
        for one in readings if one.name in domains
    ]  # fmt: skip


def in_order(*readings: Reading) -> list[Reading]:
    """The readings in the order of all."""
    return sorted(readings, key=lambda reading: READINGS.index(reading.name))


def _sentences(*sentences: str) -> str:
    return " ".join(filter(None, sentences))
