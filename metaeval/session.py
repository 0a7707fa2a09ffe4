"""Running and checking: a plan and settings go in, results come out.

This is where the engine meets what is made of its events: results, files, and whoever listens.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

from metaeval.catalogue.measure import Measure, ScoreFunction
from metaeval.core.settings import BUDGET, EXAMPLES, SEED, Settings
from metaeval.files.json_file import demand_regular
from metaeval.files.locks import locked
from metaeval.literature.shelf import claim_on
from metaeval.literature.suites import CHECK, PAPER, find_suite
from metaeval.records.collecting import Collector, Saver, no_results, resumed
from metaeval.records.results import Results
from metaeval.runner import run as runner
from metaeval.runner.backend import LOCAL, open_backend
from metaeval.runner.events import Event, Handler
from metaeval.runner.plan import Plan


def _ignore(event: Event) -> None:
    """For a run that nobody listens to."""


def run(
    measures: Iterable[str | Measure | ScoreFunction] | None = None,
    conditions: Iterable[str] | None = None,
    readings: Iterable[str] | None = None,
    *,
    suite: str | None = None,
    examples: int = EXAMPLES,
    exhaustive: int | None = None,
    seed: int = SEED,
    jobs: int | None = None,
    budget: float | None = BUDGET,
    effort: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    backend: str = LOCAL,
    address: str | None = None,
    listen: Handler = _ignore,
    cache: bool = True,
    proofs: bool = True,
) -> Results:
    """Check measures against conditions and return the results.

    Measures are ids, measures or plain functions of (candidate, gold), conditions and readings their names; by
    default those of the ``suite`` and every reading. A suite is "paper", the default: the first paper's ten conditions
    for its twelve measures; "sanity": what anybody asks of a metric first, of every measure; the id of another source,
    such as "horta2014"; or "all". Measures that are not metaeval's own belong to every suite.

    The same ``seed`` gives the same cases, however many ``jobs``, or processes at a time, do the work (None: one
    for each core). ``examples`` is how many cases Hypothesis draws for a condition under a reading, ``exhaustive``
    up to how many objects all cases are tried (None: as far as is practical), ``budget`` how many seconds of
    processor time a cell may spend in its measure. ``effort`` is a level from 0 to 4 that fixes how many large
    cases are tried; None is 4 for metaeval's own measures and for others follows from the time of a call. With
    ``out`` the file is written after every group, and ``resume`` goes on from what it holds. With the ``backend``
    "dask" the work is done by the cluster whose scheduler is at ``address``. ``listen`` is called with every event
    of :mod:`metaeval.runner.events`. Without ``cache`` no cases are taken from the user's cache folder, and none
    are kept there. With ``proofs`` it is tried to prove what no counterexample was found to, for all sizes; that
    takes the extra ``metaeval[proofs]``.
    """
    plan = Plan.of(measures, conditions, readings, PAPER if suite is None else find_suite(suite))
    settings = Settings(
        examples=examples, exhaustive=exhaustive, seed=seed, budget=budget, jobs=jobs, effort=effort, cache=cache,
        proofs=proofs,
    )  # fmt: skip
    return carry_out(
        plan, settings, out=out, resume=resume, backend=backend, address=address, listen=listen
    )  # fmt: skip


def check(
    measure: str | Measure | ScoreFunction,
    conditions: Iterable[str] | None = None,
    readings: Iterable[str] | None = None,
    *,
    suite: str | None = None,
    **options: Any,
) -> Results:
    """Check one measure, registered or a plain function of (candidate, gold), and return the results.

    By default against the conditions of the first paper and those that anybody asks of a metric first, or those of a
    ``suite``, under every reading in the measure's domain; options as for :func:`run`.
    :func:`metaeval.describe` says in words what was found for a cell.

    >>> import metaeval
    >>> results = metaeval.check("rnia", ["A.1"], ["canonical"], examples=20)
    >>> results.cell("rnia", "A.1").verdict
    <Verdict.VIOLATED: 'violated'>
    """
    if conditions is None and suite is None:
        conditions = CHECK.condition_ids()
    return run([measure], conditions, readings, suite=suite, **options)


def carry_out(
    plan: Plan,
    settings: Settings,
    *,
    out: str | Path | None = None,
    resume: bool = False,
    backend: str = LOCAL,
    address: str | None = None,
    listen: Handler = _ignore,
    into: Results | None = None,
) -> Results:
    """Carry out a plan; the rest as for :func:`run`.

    ``into`` are results to add to: whoever holds them still has what was settled when the run is cut short.
    """
    path = None if out is None else Path(out)
    if path is not None:
        demand_regular(path)
    with nullcontext() if path is None else locked(path):
        results = no_results(settings) if into is None else into
        if resume and path is not None and path.exists():
            results = resumed(path, settings)
            plan = plan.at(results.efforts)
        handlers: list[Handler] = [Collector(results, claim_on).on_event]
        if path is not None:
            handlers.append(Saver(results, path).on_event)
        handlers.append(listen)
        _run(plan.without(results), settings, backend, address, handlers)
    return results


def _run(plan: Plan, settings: Settings, backend: str, address: str | None, handlers: Iterable[Handler]) -> None:
    """Let every handler hear every event of a run."""
    # Closed whatever happens: a handler that fails must not leave processes behind.
    with (
        closing(open_backend(backend, address, plan, settings)) as places,
        closing(runner.events(plan, settings, places)) as events,
    ):
        for event in events:
            for handle in handlers:
                handle(event)
