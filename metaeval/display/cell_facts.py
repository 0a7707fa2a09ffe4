"""Words and sets as every place writes them."""

from __future__ import annotations

from collections.abc import Iterator

from metaeval.core.case import Side
from metaeval.display.layout import plural
from metaeval.literature.shelf import claim_on
from metaeval.literature.source import Source, fate
from metaeval.records.cell import Cell, Diagnosis, Reached

#: So much of what a measure printed is shown.
_LINES, _CHARACTERS = 5, 400


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


#: A side of more indices than these is not written out.
_MOST_INDICES = 200


def fault_facts(fault: Diagnosis) -> Iterator[tuple[str, str]]:
    """What is known of a fault, as terms and explanations."""
    if fault.where is not None:
        yield "where", f"{fault.where}: {fault.code}" if fault.code else fault.where
    if fault.side is not None:
        yield "input", _written(fault.side)
    yield "hint", fault.hint
    if fault.trace is not None:
        yield "traceback", fault.trace


def _written(side: Side) -> str:
    """Both families as Python writes them, so that they can be pasted."""
    indices = sum(len(rows) + len(cols) for family in side for rows, cols in family)
    if indices > _MOST_INDICES:
        objects, features = side.gold.shape
        return f"too large to show: {objects} objects × {features} features"
    return f"candidate = {side.candidate!r}\ngold = {side.gold!r}"
