"""``metaeval.explain`` and ``metaeval explain``: what is named, in a file, or given as an object, in words."""

import inspect
import textwrap
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from metaeval.catalogue.aliases import OTHER_NAMES, resolved
from metaeval.catalogue.condition import Condition, Excluded, Reading, conditions, example, find_condition
from metaeval.catalogue.measure import Measure, find_measure, make_measure, measures
from metaeval.catalogue.registry import match, suggestion
from metaeval.core.errors import InputError, naming
from metaeval.core.renaming import renaming
from metaeval.core.verdict import Verdict
from metaeval.display.cell_text import describe
from metaeval.display.layout import paragraph, plural
from metaeval.display.picture import KEY, draw_case
from metaeval.equations import equation
from metaeval.equations.equation import Equation
from metaeval.equations.tree import MOST_BYTES
from metaeval.files.json_file import demand_small, read_json
from metaeval.proofs import proof
from metaeval.proofs.proof import Proof
from metaeval.proofs.proof_text import header_text
from metaeval.records import certificate as certificates
from metaeval.records.cell import Cell
from metaeval.records.certificate import Certificate
from metaeval.records.results import Results

Explained = Condition | Measure | Equation | Cell | Certificate | Proof | str | Path

_INDENT = "  "
_EXPECTED = (
    "expected a condition, a measure, a file with an equation, a certificate or a proof or, with --results FILE, a "
    "cell such as mocice/A.1/literal"
)


def explain(
    what: Explained, *, reading: str | None = None, results: Results | str | Path | None = None, width: int = 80
) -> str:
    """Explain a condition, a measure, an equation, a cell, a certificate or a proof.

    ``what`` is such an object, or a text: the id of a condition ("A.3", also "A.3/literal") or of a measure, the name
    of a file with an equation, a certificate or a proof or, with ``results``, a cell ("mocice/A.1/literal"), also under
    the name that reports print ("mocice-A1l").
    ``reading`` chooses one reading of a condition, or of a cell that names none. Ids may be written in upper or lower
    case.

    >>> print(explain("mocice/A.1", results=Results({}), width=60))
    Traceback (most recent call last):
    metaeval.core.errors.InputError: these results have no cell mocice/A.1/canonical
    """
    if results is not None and not isinstance(results, Results):
        results = Results.load(results)
    found, reading = find(what, reading, results)
    if isinstance(found, Condition):
        readings = list(found.readings.values()) if reading is None else [found.reading(reading)]
        return "\n".join(_condition_lines(found, readings, width))
    if reading is not None and isinstance(found, Measure):
        raise InputError(f"{found.id} is a measure, which has no readings; leave the reading {reading!r} out")
    if isinstance(found, Measure):
        return "\n".join(_measure_lines(found, width))
    if isinstance(found, Proof):
        cell = Cell(found.measure, found.condition, found.reading, Verdict.PROVED, proof=found)
    elif isinstance(found, Certificate):
        cell = Cell(*found.key, Verdict.VIOLATED, certificate=found)
    else:
        cell = found
    described = None if results is None else results.measures.get(cell.measure)
    options = [] if results is None else results.search_words(cell.measure)
    return describe(cell, width, measure=described, options=options)


def find(
    what: Explained, reading: str | None = None, results: Results | None = None
) -> tuple[Condition | Measure | Cell | Certificate | Proof, str | None]:
    """What is to be explained, and the reading that is asked for."""
    if not isinstance(what, (str, Path)):
        return make_measure(what, id="equation") if isinstance(what, Equation) else what, reading
    text = str(what)
    if results is not None:
        return _cell(text, reading, results), reading
    condition, _, named = text.partition("/")
    if match(condition, conditions()) is not None:
        return find_condition(condition), named or reading
    if match(text, measures()) is None and (text == "-" or text.endswith(".json") or Path(text).is_file()):
        return _evidence(text), reading
    if (id := resolved(text, measures())) in measures():
        return find_measure(id), reading
    ids = {one.name: id for known in (conditions(), measures()) for id, one in known.items()}
    meant = suggestion(text, [*ids.values(), *ids])
    hint = "" if meant is None else f"did you mean {ids.get(meant, meant)!r}? "
    raise InputError(f"nothing is called {text!r}; {hint}{_EXPECTED}")


def _cell(text: str, reading: str | None, results: Results) -> Cell:
    """The cell of a name such as "mocice/A.1/literal", or as in a report; the default reading is canonical."""
    for cell in results:
        letter = results.conditions[cell.condition].letters[cell.reading]
        if match(text, (f"{cell.measure}-{cell.condition.replace('.', '')}{letter}", ".".join(cell.key))):
            return cell
    parts = text.split("/")
    if len(parts) == 2:
        parts.append(reading or "canonical")
    if len(parts) != 3:
        raise InputError(f"{text!r} names no cell; expected a measure, a condition and a reading: mocice/A.1/literal")
    wanted = "/".join((resolved(parts[0], results.measures), *parts[1:]))
    named = {"/".join(cell.key): cell for cell in results}
    if (found := match(wanted, named)) is None:
        meant = suggestion(wanted, named)
        hint = "" if meant is None else f"; did you mean {meant}?"
        raise InputError(f"these results have no cell {wanted}{hint}")
    return named[found]


def _evidence(path: str) -> Certificate | Proof | Measure:
    """The certificate, the proof or the equation in a file."""
    data = read_json(path)
    if isinstance(data, Mapping) and isinstance(data.get("cells"), list):
        raise InputError(
            f"{path} holds {plural(len(data['cells']), 'cell')}; say which one: "
            f"metaeval explain MEASURE/CONDITION/READING --results {path}"
        )
    schema = data.get("schema") if isinstance(data, Mapping) else None
    if schema in (proof.SCHEMA, equation.SCHEMA):
        demand_small(path, MOST_BYTES)
    with naming(path):
        if schema in (proof.SCHEMA, proof.OLD_SCHEMA):
            return Proof.from_json(data)
        if schema == equation.SCHEMA:
            return make_measure(Equation.from_json(data), id="equation")
    if schema != certificates.SCHEMA:
        known = f"{certificates.SCHEMA!r}, {proof.SCHEMA!r} or {equation.SCHEMA!r}"
        raise InputError(f"{path} holds no certificate; expected an object with the schema {known}")
    return Certificate.from_json(data, path)


def _condition_lines(condition: Condition, readings: list[Reading], width: int) -> Iterator[str]:
    yield f"{condition.id} {condition.name}"
    yield from ("", *paragraph(condition.statement, width))
    yield from paragraph(f"Demanded: {condition.relation.demand} ({condition.relation.name}).", width)
    yield from paragraph(f"Source: {condition.citation}", width)
    for excluded in condition.excluded:
        yield from _excluded_lines(condition, excluded, width)
    for reading in readings:
        yield from ("", f"Reading: {reading.name}")
        yield from paragraph(reading.adds, width, _INDENT)
        limit = f"all cases up to {reading.complete} objects"
        more = f", and many with up to {reading.reach}" if reading.reach > reading.complete else ""
        yield from paragraph(f"Exhaustive search: {limit}{more} ({reading.scope}).", width, _INDENT)
        if (case := example(condition, reading)) is not None:
            yield from ("", textwrap.indent(draw_case(case, width - len(_INDENT)), _INDENT))
    yield from ("", *paragraph(KEY + ".", width))


def _excluded_lines(condition: Condition, excluded: Excluded, width: int) -> Iterator[str]:
    """Why a condition excludes cases: left and right are equal up to names, and their scores would have to differ."""
    circles = ((case, names) for case in excluded.cases() if (names := renaming(case.left, case.right)) is not None)
    for case, names in islice(circles, 1):
        moved = ", ".join(f"{at} → {to}" for at, to in enumerate(names.objects) if at != to)
        why = (
            f"Renaming objects, {moved}, turns the left into the right: both are equal up to names. A measure that "
            f"ignores names gives both the same score s, and {condition.id} would demand s < s, which none can satisfy."
        )
        yield from ("", f"Left out: {excluded.what}", *paragraph(why, width, _INDENT))
        yield from ("", textwrap.indent(draw_case(case, width - len(_INDENT)), _INDENT))


def _measure_lines(measure: Measure, width: int) -> Iterator[str]:
    yield measure.id if measure.name == measure.id else f"{measure.id} {measure.name}"
    if measure.doc or not measure.is_equation:
        documented = measure.doc or inspect.getdoc(measure.function) or ""
        yield from ("", *inspect.cleandoc(documented).splitlines()) if documented else ()
    if measure.equation is not None:
        yield from ("", "Equation:" if measure.is_equation else "Declared equation:")
        yield textwrap.indent(str(measure.equation), _INDENT)
        yield from paragraph(f"It is {header_text(measure.equation)}.", width, _INDENT)
    yield ""
    best = "none that is constant" if measure.optimum is None else f"{measure.optimum + 0.0:g}"
    lowest = "" if measure.lowest is None else f", worst {measure.lowest + 0.0:g}"
    yield from paragraph(f"Best score: {best}{lowest}, as a similarity: larger is better.", width)
    yield from paragraph(f"Defined on: {measure.domain}.", width)
    if measure.id in OTHER_NAMES:
        yield from paragraph(f"Also called: {', '.join(OTHER_NAMES[measure.id].split())}.", width)
    if measure.citation:
        yield from paragraph(f"Source: {measure.citation}", width)
