"""Words and sets as every place writes them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from metaeval.display.labels import Family, Labelled
from metaeval.literature.fates import fate
from metaeval.literature.shelf import claim_on
from metaeval.literature.source import Source
from metaeval.records.cell import Cell, Reached
from metaeval.records.diagnosis import fault_facts

#: Runs of consecutive indices at least this long are written as first … last.
_RUN = 5
#: So much of what a measure printed is shown.
_LINES, _CHARACTERS = 5, 400


def written(member: Labelled) -> str:
    """A bicluster written out: a = {0, 1} × {0}."""
    return f"{member.label} = {indices(member.rows)} × {indices(member.cols)}"


def indices(members: frozenset[int]) -> str:
    """A set of indices, long runs shortened.

    >>> indices(frozenset({0, 2, 5, 6, 7, 8, 9}))
    '{0, 2, 5…9}'
    """
    ordered = sorted(members)
    breaks = [0, *(at for at, (a, b) in enumerate(pairwise(ordered), start=1) if b != a + 1), len(ordered)]
    runs = (ordered[start:stop] for start, stop in pairwise(breaks))
    shown = (f"{run[0]}…{run[-1]}" if len(run) >= _RUN else ", ".join(map(str, run)) for run in runs)
    return "{" + ", ".join(shown) + "}"


def plural(amount: int, noun: str) -> str:
    """'1 object', '1,200 objects'."""
    return f"{amount:,} {noun}" if amount == 1 else f"{amount:,} {noun}s"


def shape_of(family: Family) -> str:
    """The matrix of a family in words."""
    objects, features = family.biclustering.shape
    return f"{plural(objects, 'object')} × {plural(features, 'feature')}"


def claim_facts(cell: Cell, source: Source | None = None) -> Iterator[tuple[str, str]]:
    """What is claimed of a cell, by a source or by the first that speaks of it, and what becomes of that."""
    if cell.claim is not None:
        claim = (claim_on if source is None else source.claim_on)(*cell.key)
        place = f" ({claim.place})" if claim is not None else ""
        yield "claim", f"{cell.claim}: {fate(cell.claim, cell.verdict)}{place}"


def trouble(cell: Cell) -> Iterator[tuple[str, str]]:
    """What a cell says beside its verdict: on what, and where, the measure gave no score, and what it printed."""
    if cell.fault is not None:
        yield from fault_facts(cell.fault)
    if cell.printed is not None:
        yield "printed", excerpt(cell.printed)


def excerpt(printed: str) -> str:
    """The first lines of what a measure printed; a results file holds more."""
    first = "\n".join(printed.splitlines()[:_LINES])[:_CHARACTERS]
    return first if first == printed else f"{first} … (more is kept in the results)"


def full_message(cell: Cell) -> str:
    """The message and all that belongs to it, in one paragraph."""
    facts = (f"{term.capitalize()}: {'; '.join(text.splitlines())}" for term, text in trouble(cell))
    return ". ".join(filter(None, [cell.message, *facts]))


def evidence(cell: Cell) -> str:
    """How many cases were tried, how many of them broke the condition, and how far all of them were."""
    tried = f"{plural(cell.cases, 'case')} tried"
    if cell.violations:
        tried = f"{cell.violations:,} of {plural(cell.cases, 'case')} broke it"
    if cell.bound is not None:
        bound = plural(cell.bound.objects, "object")
        tried += f"; all cases up to {bound} were among these ({cell.bound.cases:,})"
    if cell.reached is not None:
        tried += f"; {reached(cell.reached)}"
    return tried


def reached(reach: Reached) -> str:
    """How far a search went that found nothing.

    >>> reached(Reached(objects=400, biclusters=257, features=8))
    'the largest had 400 objects, 257 biclusters on one side, 8 features'
    """
    clusters = f"{plural(reach.biclusters, 'bicluster')} on one side"
    return f"the largest had {plural(reach.objects, 'object')}, {clusters}, {plural(reach.features, 'feature')}"
