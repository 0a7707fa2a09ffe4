"""``metaeval paper``: the tables and claims of a source, recomputed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from metaeval.cli.options import setting
from metaeval.cli.tables import page_width
from metaeval.core.errors import InputError
from metaeval.core.settings import OPTIONS
from metaeval.literature.shelf import FIRST, SOURCES, find_source

if TYPE_CHECKING:
    from metaeval.literature.source import Source
    from metaeval.records.results import Results

_EPILOG = """\b
Examples:
  metaeval paper
  metaeval paper --results docs/results.json --json > paper.json
  metaeval paper --source horta2014

\b
Sources:
""" + "\n".join(f"  {source.id:<14}{source.citation}" for source in SOURCES.values())


@click.command(epilog=_EPILOG)
@click.option("--source", "id", metavar="ID", default=FIRST.id, show_default=True,
              help="The source of the tables and claims; see below.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--results", "path", type=click.Path(dir_okay=False, path_type=Path),
              help="Take the verdicts from this results file, without a search.")  # fmt: skip
@setting(OPTIONS["examples"])
@setting(OPTIONS["seed"])
@setting(OPTIONS["jobs"])
def command(id: str, as_json: bool, path: Path | None, **settings: Any) -> None:
    """Recompute a source's tables, and compare its claims with what is found.

    The default source is the first paper, with its Table 1.
    """
    source = find_source(id)
    from metaeval.paper.study import study
    from metaeval.reports.paper_text import render

    if path is None:
        from metaeval.cli.progress import Watcher
        from metaeval.paper.study import claimed_results

        given = {name: value for name, value in settings.items() if value is not None}
        with Watcher() as watcher:
            results = claimed_results(listen=watcher.on_event, source=source, **given)
    else:
        results = _stored(path, source)
    found = study(results, source)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=1, ensure_ascii=False))
    else:
        click.echo(render(found, page_width()), nl=False)


def _stored(path: Path, source: Source) -> Results:
    from metaeval.records.results import Results

    results = Results.load(path)
    held = {cell.key[:2] for cell in results}
    for claim in source.all_claims():
        if (claim.measure, claim.condition) not in held:
            suite = "" if source is FIRST else f" --suite {source.id}"
            raise InputError(
                f"{path} has no cell for {claim.measure} {claim.condition}; run `metaeval run{suite}` in full"
            )
    return results
