"""From the events of a run to its results: handlers that collect cells, and write them to a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol, TypeVar

from metaeval.catalogue.condition import conditions
from metaeval.catalogue.measure import measures
from metaeval.core.errors import InputError
from metaeval.core.settings import Settings
from metaeval.engine.proofs import missing_prover
from metaeval.files.codec import show
from metaeval.files.json_file import remove_leftovers
from metaeval.records.cell import Cell, Exhaustive, Pass, Reached
from metaeval.records.certificate import Certificate
from metaeval.records.described import DescribedCondition, DescribedMeasure
from metaeval.records.results import Results, provenance
from metaeval.runner.events import Event, Gated, GroupDone, Restarted, Settled, Started
from metaeval.runner.plan import Plan

Entry = TypeVar("Entry")


class Claim(Protocol):
    """What a publication says of a measure and a condition."""

    @property
    def says(self) -> str:
        """ "satisfies" or "violates"."""


#: The claim on a measure and a condition, by their ids, under a reading, where there is one.
ClaimOn = Callable[[str, str, str], Claim | None]


def no_results(settings: Settings) -> Results:
    """Results without any cell, of a run with these settings."""
    proofs = settings.proofs and missing_prover() is None
    return Results(provenance(settings.seed, settings.examples, settings.exhaustive, proofs))


def resumed(path: Path, settings: Settings) -> Results:
    """The results that a file holds, to go on from; an error where they were made with other settings."""
    remove_leftovers(path)
    old = Results.load(path)
    for key, value in no_results(settings).provenance.items():
        if old.provenance.get(key) != value:
            raise InputError(
                f"{path} was made with {key} {show(old.provenance.get(key))}, this run has {value!r}; "
                "run with the same settings, or without --resume"
            )
    for id, level in old.efforts.items():
        if settings.effort not in (None, level):
            raise InputError(
                f"{path} has {id} at effort level {level}, this run asks for {settings.effort}; "
                f"run with --effort {level}, or without --resume"
            )
    return old


class Collector:
    """Adds to results what a run finds; :meth:`on_event` is the handler."""

    def __init__(self, results: Results, claim_on: ClaimOn) -> None:
        self._results = results
        self._claim_on = claim_on

    def on_event(self, event: Event) -> None:
        """Note what an event tells."""
        if isinstance(event, Started):
            self._describe(event.plan)
        elif isinstance(event, Gated):
            described = DescribedMeasure.of(event.measure, event.failure, event.remark, event.effort)
            self._results.measures[event.measure.id] = described
        elif isinstance(event, Settled):
            claim = self._claim_on(event.measure.id, event.condition.id, event.reading.name)
            self._results.add(cell_of(event, claim))

    def _describe(self, plan: Plan) -> None:
        """Enter what the run is about, in the order of the registries whatever was run before."""
        for group in plan.groups:
            self._results.conditions.setdefault(group.condition.id, DescribedCondition.of(group.condition))
        for measure in plan.measures:
            self._results.measures.setdefault(measure.id, DescribedMeasure.of(measure))
        self._results.conditions = _ordered(self._results.conditions, conditions())
        self._results.measures = _ordered(self._results.measures, measures())


def cell_of(event: Settled, claim: Claim | None) -> Cell:
    """A settled cell as it is published."""
    finding = event.finding
    witness = None
    if finding.witness is not None and finding.scores is not None:
        witness = Certificate.of(
            event.measure, event.condition, event.reading.name, finding.witness, finding.scores, finding.certified
        )
    exhaustive = None
    if finding.exhaustive_objects is not None:
        exhaustive = Exhaustive(finding.exhaustive_objects, finding.exhaustive_cases)
    return Cell(
        measure=event.measure.id,
        condition=event.condition.id,
        reading=event.reading.name,
        verdict=finding.verdict,
        cases=finding.cases,
        violations=finding.violations,
        exhaustive=exhaustive,
        claim=None if claim is None else claim.says,
        certificate=witness,
        message=finding.message,
        seconds=finding.seconds,
        narrowest=None if finding.narrowest is None else Pass.of(*finding.narrowest),
        fault=finding.diagnosis,
        printed=finding.printed,
        reached=None if finding.reach is None else Reached(*finding.reach),
        proof=finding.proof,
        unproved=finding.unproved,
        stopped=finding.stopped,
    )


class Saver:
    """Writes a results file after every group, atomically; :meth:`on_event` is the handler.

    It comes after the collector, so that a killed run loses at most the cells under way.
    """

    def __init__(self, results: Results, path: Path) -> None:
        self._results = results
        self._path = path

    def on_event(self, event: Event) -> None:
        """Save where there is something new to keep."""
        if isinstance(event, (Started, Restarted, GroupDone)):
            self._results.save(self._path)


def _ordered(table: dict[str, Entry], ids: Iterable[str]) -> dict[str, Entry]:
    """The table with the ids that are known in their order first, the others behind."""
    order = {id: place for place, id in enumerate(ids)}
    return dict(sorted(table.items(), key=lambda item: order.get(item[0], len(order))))
