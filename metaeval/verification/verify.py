"""Re-check a file: its certificates, and a sample of what holds; in workers, since nothing in it is trusted."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

from metaeval import __version__
from metaeval.catalogue.condition import Condition, conditions, find_condition
from metaeval.catalogue.measure import Measure, find_measure, measures
from metaeval.catalogue.registry import match
from metaeval.core.case import Case
from metaeval.core.errors import InputError
from metaeval.core.relation import broken
from metaeval.core.verdict import Verdict
from metaeval.files.shown import clean, show
from metaeval.records import certificate as certificates
from metaeval.records import results
from metaeval.records.cell import KEY, Cell
from metaeval.records.certificate import Certificate
from metaeval.verification import baseline
from metaeval.verification.certificate_check import Refused, verify
from metaeval.workers.call import Notice, evaluate_case
from metaeval.workers.faults import Fault
from metaeval.workers.worker import TICK, Ending, Finished, Hung, PartialResult, Worker, wait

#: The number of listed cases tried per cell; they show two thirds of the published violations.
CASES = 100

#: Seconds of processor time for all cells together; the published results take one.
SPOT_BUDGET = 2.0


def refuted(data: Any, own: Own, budget: float = SPOT_BUDGET) -> Iterator[Checked]:
    """The cells of a well-formed file that are said to hold and do not, as far as the budget goes."""
    entries = data.get("cells", []) if isinstance(data, Mapping) else []
    # A cell with a certificate that is said to hold is refused elsewhere.
    cells = [Cell.from_json(entry, witnessed=False) for entry in entries if entry.get("certificate") is None]
    holding = [cell for cell in cells if cell.verdict is Verdict.HOLDS and cell.bound is not None]
    if holding:
        conditions(), measures()  # load them before the time limit starts
        yield from told_by(budget, _refuted, holding, own)


def _refuted(notice: Notice, cells: Sequence[Cell], own: Own) -> Iterator[Checked]:
    notice(0)
    for cell in cells:
        measure = own.get(cell.measure) or measures().get(cell.measure)
        found = conditions().get(cell.condition)
        if measure is None or found is None or cell.reading not in found.readings or cell.bound is None:
            continue
        condition = found.form(measure.domain, cell.reading)
        reading = condition.readings[cell.reading]
        stated = cell.bound.objects
        sizes = range(1, min(stated, reading.complete) + 1)
        listed = islice(chain.from_iterable(map(reading.enumerate_, sizes)), CASES)
        if (case := next((case for case in listed if breaks(measure, condition, case)), None)) is not None:
            reason = f"it is said to hold in all cases up to {stated} objects, and one with {case.objects} breaks it"
            yield Checked(" ".join(cell.key), None, reason)


#: Seconds of processor time for a certificate, and again for its size.
BUDGET = 10.0

#: Measures that are not registered, by id.
Own = Mapping[str, Measure]

_RELEASE = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})*")

#: The steps of a check, to name the one in which the time ran out.
_HOLDS, _MINIMAL = 0, 1


Value = TypeVar("Value")


class Witness(NamedTuple):
    """A certificate or a proof of a file, the name of its cell, and why it is refused without a check, if it is."""

    place: str
    data: Any
    refusal: str | None = None
    #: The command-line target of a measure that is not registered.
    target: tuple[str, ...] = ()
    #: Whether it is a proof of an equation that code declares.
    declared: bool = False


@dataclass(frozen=True)
class Checked:
    """A re-checked certificate: its cell, its size, why it was refused, and what could not be checked."""

    place: str
    objects: int | None
    refusal: str | None
    claim: str | None = None


# --- what there is to check


def witnesses(data: Any) -> list[Witness]:
    """The certificates in parsed JSON: of a results file, of a baseline, or a single one."""
    schema = data.get("schema") if isinstance(data, Mapping) else None
    if schema == certificates.SCHEMA:
        return [Witness(place_in(data), data)]
    # Read for what is refused; a bad certificate is not the file's fault but is refused by itself.
    if schema == results.SCHEMA:
        described = dict(results.Results.from_json(data, witnessed=False).measures)
    elif schema == baseline.SCHEMA:
        stored = baseline.Baseline.from_json(data, witnessed=False)
        described = {stored.id: stored.measure}
    else:
        found = "no JSON object" if not isinstance(data, Mapping) else f"its schema is {show(schema)}"
        known = f"{results.SCHEMA!r}, {baseline.SCHEMA!r} or {certificates.SCHEMA!r}"
        raise InputError(f"neither results nor a certificate: {found}; expected an object with the schema {known}")
    stated = data["provenance"].get("version")
    # Merged results state several versions, and some files none.
    for one in stated if isinstance(stated, list) else [stated]:
        if one is not None and not (() < _release(one) <= _release(__version__)):
            raise InputError(f"it says that metaeval {show(one)} wrote it; expected a version up to {__version__}")
    targets = {id: tuple(measure.target_words) for id, measure in described.items()}
    return list(filter(None, (_witness(cell, targets.get(clean(cell["measure"]), ())) for cell in data["cells"])))


def _release(version: Any) -> tuple[int, ...]:
    """The leading numbers of a version; empty if it is not a version."""
    numbers = _RELEASE.match(version) if isinstance(version, str) else None
    return tuple(map(int, numbers[0].split("."))) if numbers else ()


def _witness(cell: Mapping[str, Any], target: tuple[str, ...]) -> Witness | None:
    """The certificate of a cell, which must be about this cell; None if the cell needs none."""
    place, data, verdict = place_in(cell), cell.get("certificate"), cell["verdict"]
    if data is None:
        missing = "the cell is violated and has no certificate"
        return Witness(place, None, missing) if verdict == Verdict.VIOLATED else None
    if verdict != Verdict.VIOLATED:
        return Witness(place, data, f"the cell has a certificate and the verdict {show(verdict)}")
    if isinstance(data, Mapping):
        for key in KEY:
            if key in data and data[key] != cell[key]:
                return Witness(place, data, f"its certificate is about the {key} {show(data[key])}")
    return Witness(place, data, target=target)


def place_in(entry: Mapping[str, Any]) -> str:
    """The cell that an entry of a file names."""
    named = (entry.get(key) for key in KEY)
    return " ".join(clean(name[:60]) if isinstance(name, str) else show(name) for name in named)


# --- checking it


def recheck(found: Sequence[Witness], own: Own, budget: float = BUDGET) -> Iterator[Checked]:
    """Re-check certificates one by one, with ``own`` measures or registered ones; no file decides which code runs."""

    def given_up(witness: Witness, ending: Ending) -> Checked:
        limit = f"within {budget:g} s of processor time; --budget gives it more"
        if not isinstance(ending, Hung):
            return Checked(witness.place, None, "its measure, or its size, killed the worker that re-checked it")
        if ending.position == _HOLDS:
            return Checked(witness.place, None, f"it could not be re-checked {limit}")
        # The certificate holds: the size is checked after that.
        objects = witness.data["minimal"]["objects"]
        return Checked(witness.place, objects, None, f"that no fewer suffice could not be re-checked {limit}")

    return one_by_one(found, own, budget, _check_all, given_up)


def one_by_one(
    found: Sequence[Any], own: Own, budget: float, work: Callable[..., Iterator[Value]],
    given_up: Callable[[Any, Ending], Value],
) -> Iterator[Value]:  # fmt: skip
    """What a worker says of each; what hangs or kills it is given up, and another worker goes on behind it."""
    conditions(), measures()  # load them once, before workers are forked
    done = 0
    while done < len(found):
        ending = yield from told_by(budget, work, found[done:], own)
        if isinstance(ending, Finished):
            return
        done += ending.told
        yield given_up(found[done], ending)
        done += 1


def told_by(budget: float, function: Callable[..., Iterator[Value]], *args: Any) -> Generator[Value, None, Ending]:
    """What a function yields in a process of its own, and how that ended."""
    worker = Worker(function, *args)
    try:
        while not isinstance(message := worker.next_message(budget), Ending):
            if isinstance(message, PartialResult):
                yield message.value
            else:
                wait([worker], [], TICK)
        return message
    finally:
        worker.stop()


def _check_all(notice: Notice, found: Sequence[Witness], own: Own) -> Iterator[Checked]:
    for witness in found:
        try:
            if witness.refusal is not None:
                raise Refused(witness.refusal)
            stated = witness.data.get("measure") if isinstance(witness.data, Mapping) else None
            measure = own.get(stated) if isinstance(stated, str) else None
            if isinstance(stated, str) and measure is None and match(stated, measures()) is None:
                raise Refused(unknown_measure(stated, witness.target))
            notice(_HOLDS)
            certificate = verify(witness.data, measure)
            notice(_MINIMAL)
            check_minimal(certificate, measure)
            yield Checked(witness.place, certificate.objects, None)
        except Refused as refusal:
            yield Checked(witness.place, None, str(refusal))
        except (MemoryError, RecursionError) as error:
            yield Checked(witness.place, None, f"it is too large to be re-checked: {type(error).__name__}")
        notice(None)


def unknown_measure(measure: str, target: Sequence[str] = ()) -> str:
    """What to do about a measure that is not registered: a file can name its target, but not load it."""
    words = shlex.join(target or ["path/to/file.py:function"])
    return clean(f"no measure {show(measure)} is registered; give your own with --target {words}")


def check_minimal(certificate: Certificate, measure: Measure | None = None) -> None:
    """Refuse a certificate that calls its size the smallest if enumeration finds a smaller counterexample."""
    if not certificate.certified:
        return
    subject = measure or find_measure(certificate.measure)
    condition = find_condition(certificate.condition).form(subject.domain, certificate.reading)
    reading = condition.reading(certificate.reading)
    if certificate.objects > reading.complete + 1:
        raise Refused(
            f"its {certificate.objects} objects are called the fewest, and not all cases with fewer can be listed: "
            f"{condition.id} {reading.name} is listed up to {reading.complete}"
        )
    for case in chain.from_iterable(map(reading.enumerate_, range(1, certificate.objects))):
        if breaks(subject, condition, case):
            raise Refused(
                f"its {certificate.objects} objects are called the fewest, and there is a counterexample "
                f"with {case.objects}"
            )


def breaks(measure: Measure, condition: Condition, case: Case) -> bool:
    """Whether the scores of a case break the demand of the condition."""
    try:
        scores = evaluate_case(measure, case, condition.relation)
    except Fault:
        return False  # a case without scores breaks no demand
    return broken(condition.relation, scores, measure.bounds) is not None
