"""Facts about a cell as terms and explanations: claim, evidence, fault, output."""

from collections.abc import Iterator

from metaeval.core.case import Side
from metaeval.display.labels import side_words
from metaeval.display.layout import plural, shorten
from metaeval.display.python_call import arguments
from metaeval.literature.shelf import claim_on
from metaeval.literature.source import Source, fate
from metaeval.records.cell import Cell, Diagnosis
from metaeval.records.described import Calling
from metaeval.workers.faults import FaultKind

#: How much of what a measure printed is shown.
_LINES, _CHARACTERS = 5, 400
#: A larger input is not written out.
_MOST_INDICES = 200


def claim_facts(cell: Cell, source: Source | None = None) -> Iterator[tuple[str, str]]:
    """The claim on a cell, by this source or by the first that has one, and what became of it."""
    if cell.claim is not None:
        claim = (claim_on if source is None else source.claim_on)(*cell.key)
        place = f" ({claim.place})" if claim is not None else ""
        yield "claim", f"{cell.claim}: {fate(cell.claim, cell.verdict)}{place}"


def trouble(cell: Cell, calling: Calling | None = None) -> Iterator[tuple[str, str]]:
    """The fault of a cell, and what its measure printed."""
    if cell.fault is not None:
        yield from fault_facts(cell.fault, calling)
    if cell.printed is not None:
        yield "printed", excerpt(cell.printed)


def excerpt(printed: str) -> str:
    """The first lines of what a measure printed."""
    first = "\n".join(printed.splitlines()[:_LINES])[:_CHARACTERS]
    return first if first == printed else f"{first} … (the results have more)"


def full_message(cell: Cell) -> str:
    """The message, the fault, what was printed, a declared equation and a score outside the range, in one paragraph."""
    facts = (f"{term.capitalize()}: {'; '.join(text.splitlines())}" for term, text in trouble(cell))
    return ". ".join(filter(None, [cell.message, *facts, declared(cell), outside(cell)]))


def declared_facts(cell: Cell) -> Iterator[tuple[str, str]]:
    """What is known of a function that declares an equation, in two parts: of the equation, and of the code."""
    if cell.equation is not None:
        yield "equation", "not proved" if cell.equation.proof is None else "proved"
        differs = cell.fault is not None and cell.fault.kind == FaultKind.NOT_ITS_EQUATION.word
        said = "differs from it, though equal" if differs else "equal to it"
        yield "code", f"{said} on {plural(cell.equation.agreed, 'case')}"


def declared(cell: Cell) -> str:
    """The same as one text; empty where nothing is declared."""
    return "; ".join(f"{term}: {text}" for term, text in declared_facts(cell))


def outside(cell: Cell) -> str:
    """A sentence on the score outside the declared range; empty where there is none."""
    if (found := cell.outside) is None:
        return ""
    where = shorten(side_words(found.side, brief=True), _CHARACTERS)
    score, excess = found.words
    return f"The score {score} of {where} {excess}."


def evidence(cell: Cell) -> str:
    """How many cases were tried, how many fail, and up to how many objects every case was tried."""
    tried = f"{plural(cell.cases, 'case')} tried"
    if cell.violations:
        tried = f"{cell.violations:,} of {plural(cell.cases, 'case')} fail{'s' if cell.violations == 1 else ''}"
    if cell.bound is not None:
        tried += f"; every case with at most {plural(cell.bound.objects, 'object')} was tried ({cell.bound.cases:,})"
    if (reach := cell.reached) is not None:
        clusters = f"{plural(reach.biclusters, 'bicluster')} on one side"
        size = f"{plural(reach.objects, 'object')}, {clusters}, {plural(reach.features, 'feature')}"
        tried += f"; the largest had {size}"
    return tried


def fault_facts(fault: Diagnosis, calling: Calling | None = None) -> Iterator[tuple[str, str]]:
    """The line of code, the input as the function gets it, a hint and the traceback of a fault."""
    if fault.where is not None:
        yield "where", f"{fault.where}: {fault.code}" if fault.code else fault.where
    if fault.side is not None:
        yield "input", _written(fault.side, calling)
    yield "hint", fault.hint
    if fault.trace is not None:
        yield "traceback", fault.trace


def _written(side: Side, calling: Calling | None) -> str:
    """Both arguments as Python code."""
    if sum(len(rows) + len(cols) for family in side for rows, cols in family) > _MOST_INDICES:
        objects, features = side.gold.shape
        return f"too large to show: {objects} objects × {features} features"
    if calling is not None and calling.takes != "biclusterings":
        return "\n".join(arguments(side, calling))
    return f"candidate = {side.candidate!r}\ngold = {side.gold!r}"
