"""Every source by its id, and what the first of them that speaks of a cell says of it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from metaeval.catalogue.registry import match
from metaeval.core.errors import InputError
from metaeval.literature import amigo2009, gosgens2021, horta2014, lutov2019, mocice2015, scikit_learn
from metaeval.literature.source import Claim, Source

#: The source whose study is shown where none is named.
FIRST = mocice2015.SOURCE
#: In the order in which they are asked for a claim; a new source comes last.
SOURCES: Mapping[str, Source] = MappingProxyType(
    {
        module.SOURCE.id: module.SOURCE
        for module in (mocice2015, horta2014, lutov2019, amigo2009, gosgens2021, scikit_learn)
    }
)


def find_source(id: str) -> Source:
    """A source by its id, whatever its case."""
    found = match(str(id), SOURCES)
    if found is None:
        raise InputError(f"no source {id!r}; expected one of {', '.join(SOURCES)}")
    return SOURCES[found]


def claimant(measure: str, condition: str, reading: str) -> Source | None:
    """The first source that says something of a cell."""
    return next((one for one in SOURCES.values() if one.claim_on(measure, condition, reading)), None)


def claim_on(measure: str, condition: str, reading: str) -> Claim | None:
    """What that source says."""
    source = claimant(measure, condition, reading)
    return None if source is None else source.claim_on(measure, condition, reading)
