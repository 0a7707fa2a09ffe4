"""Run and check: a plan and settings go in, results come out.

From the events of a run the cells are collected, and the file is saved after every group; then the caller hears them.
"""

from collections.abc import Iterable
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from metaeval.catalogue.condition import conditions
from metaeval.catalogue.measure import Measure, ScoreFunction, measures
from metaeval.core.errors import InputError
from metaeval.core.settings import BUDGET, EXAMPLES, SEED, Settings
from metaeval.files.json_file import kind_if_not_regular, locked, remove_leftovers
from metaeval.files.shown import show
from metaeval.literature.shelf import claim_on, find_suite
from metaeval.records.described import DescribedCondition, DescribedMeasure
from metaeval.records.results import Results, provenance
from metaeval.runner.events import Event, Gated, GroupDone, Handler, Restarted, Settled, Started
from metaeval.runner.plan import Plan
from metaeval.runner.run import LOCAL, Run, open_backend

Entry = TypeVar("Entry")


def no_results(settings: Settings) -> Results:
    """Results without any cell, of a run with these settings."""
    return Results(provenance(settings.seed, settings.examples, settings.exhaustive, settings.proofs))


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


def _collect(results: Results, event: Event) -> None:
    """Add to the results what an event tells."""
    if isinstance(event, Started):
        for group in event.plan.groups:
            results.conditions.setdefault(group.condition.id, DescribedCondition.of(group.condition))
        for measure in event.plan.measures:
            results.measures.setdefault(measure.id, DescribedMeasure.of(measure))
        # In the order of the registries, whatever was run before.
        results.conditions = _ordered(results.conditions, conditions())
        results.measures = _ordered(results.measures, measures())
    elif isinstance(event, Gated):
        described = DescribedMeasure.of(event.measure, event.failure, event.remark, event.effort)
        results.measures[event.measure.id] = described
    elif isinstance(event, Settled):
        claim = claim_on(event.measure.id, event.condition.id, event.reading.name)
        results.add(event.cell if claim is None else replace(event.cell, claim=claim.says))


def _ordered(table: dict[str, Entry], ids: Iterable[str]) -> dict[str, Entry]:
    """The table with the ids that are known in their order first, the others behind."""
    return {id: table[id] for id in (*ids, *table) if id in table}


def run(
    measures: Iterable[str | Measure | ScoreFunction] | None = None, conditions: Iterable[str] | None = None,
    readings: Iterable[str] | None = None, *, suite: str | None = None, examples: int = EXAMPLES,
    exhaustive: int | None = None, seed: int = SEED, jobs: int | None = None, budget: float | None = BUDGET,
    effort: int | None = None, out: str | Path | None = None, resume: bool = False, backend: str = LOCAL,
    address: str | None = None, listen: Handler = lambda event: None, cache: bool = True, proofs: bool = True,
) -> Results:  # fmt: skip
    """Check measures against conditions and return the results.

    Measures are ids, measures or plain functions of (candidate, gold), conditions and readings their names; by
    default those of the ``suite`` and every reading. A suite is "paper": the first paper's ten conditions for its
    twelve measures; "sanity": what anybody asks of a metric first, of every measure; the id of another source, such as
    "horta2014"; or "all". Measures that are not metaeval's own belong to every suite. Without a suite, measures that
    are named meet the conditions of "paper" and "sanity"; otherwise it is "paper".

    The same ``seed`` gives the same cases, however many ``jobs``, or processes at a time, do the work (None: one
    for each core). ``examples`` is how many cases Hypothesis draws for a condition under a reading, ``exhaustive``
    up to how many objects all cases are tried (None: as far as is practical), ``budget`` how many seconds of
    processor time a cell may spend in its measure. ``effort`` is a level from 0 to 4 that fixes how many large
    cases are tried; None is 4 for metaeval's own measures and for others follows from the time of a call. With
    ``out`` the file is written after every group, and ``resume`` goes on from what it holds. With the ``backend``
    "dask" the work is done by the cluster whose scheduler is at ``address``. ``listen`` is called with every event
    of :mod:`metaeval.runner.events`. Without ``cache`` no cases are taken from the user's cache folder, and none
    are kept there. With ``proofs`` a cell without a counterexample is proved for all sizes, where the measure is an
    equation and the rules show it.
    """
    plan = Plan.of(measures, conditions, readings, None if suite is None else find_suite(suite))
    settings = Settings(
        examples=examples, exhaustive=exhaustive, seed=seed, budget=budget, jobs=jobs, effort=effort, cache=cache,
        proofs=proofs,
    )  # fmt: skip
    return carry_out(plan, settings, out=out, resume=resume, backend=backend, address=address, listen=listen)


def check(
    measure: str | Measure | ScoreFunction, conditions: Iterable[str] | None = None,
    readings: Iterable[str] | None = None, *, suite: str | None = None, **options: Any,
) -> Results:  # fmt: skip
    """Check one measure, registered or a plain function of (candidate, gold), and return the results.

    It is :func:`run` for one measure, with the same defaults and options.
    :func:`metaeval.describe` says in words what was found for a cell.

    >>> import metaeval
    >>> results = metaeval.check("rnia", ["A.1"], ["canonical"], examples=20)
    >>> results.cell("rnia", "A.1").verdict
    <Verdict.VIOLATED: 'violated'>
    """
    return run([measure], conditions, readings, suite=suite, **options)


def carry_out(
    plan: Plan, settings: Settings, *, out: str | Path | None = None, resume: bool = False, backend: str = LOCAL,
    address: str | None = None, listen: Handler = lambda event: None, into: Results | None = None,
) -> Results:  # fmt: skip
    """Carry out a plan; the rest as for :func:`run`.

    ``into`` are results to add to: whoever holds them still has what was settled when the run is cut short.
    """
    path = None if out is None else Path(out)
    if path is not None and (kind := kind_if_not_regular(path)) is not None:
        # A named pipe, for instance, cannot be resumed.
        raise InputError(f"{path} is {kind}; expected the name of a file")
    with nullcontext() if path is None else locked(path):
        results = no_results(settings) if into is None else into
        if resume and path is not None and path.exists():
            results = resumed(path, settings)
            plan = plan.at(results.efforts)
        plan = plan.without(results)
        # Closed whatever happens: a listener that fails must not leave processes behind.
        with (
            closing(open_backend(backend, address, plan, settings)) as places,
            closing(Run(plan, settings, places).events()) as events,
        ):
            for event in events:
                _collect(results, event)
                # Saved once it is collected, so that a killed run loses at most the cells under way.
                if path is not None and isinstance(event, (Started, Restarted, GroupDone)):
                    results.save(path)
                listen(event)
    return results
