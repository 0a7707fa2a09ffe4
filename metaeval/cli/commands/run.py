"""``metaeval run``: every measure against every condition under every reading."""

import shlex
from pathlib import Path

import click

from metaeval.cli import tables, targets
from metaeval.cli.dispatch import INTERRUPTED, Stop
from metaeval.cli.options import Asked, check_file, complete, search_options
from metaeval.cli.progress import Watcher
from metaeval.display.layout import paragraph
from metaeval.records.results import Results
from metaeval.runner.run import BACKENDS, LOCAL
from metaeval.session import carry_out

_EPILOG = """\b
Examples:
  metaeval run
  metaeval run --measure mocice --measure ce --condition A.1 --reading canonical
  metaeval run --measure measures.py:mine --measure all
  metaeval run --suite horta2014 --out horta2014.json
  metaeval run --out results.json --resume
  metaeval run --backend dask --address tcp://10.0.0.1:8786
"""


@click.command(epilog=_EPILOG)
@click.option("--measure", "measures", multiple=True, metavar="ID|TARGET", shell_complete=complete("measure"),
              help="Only this measure; may be repeated. Your own is path/to/file.py:name, package.module:name or "
              "equation.json; `all` is every registered one.")  # fmt: skip
@search_options
@click.option("--out", metavar="FILE", default="results.json", show_default=True, help="Results file.")
@click.option("--resume", is_flag=True, help="Continue from the cells in the results file.")
@click.option("--backend", type=click.Choice(BACKENDS), default=LOCAL, show_default=True,
              help="Run measures in processes of this machine, or on a Dask cluster.")  # fmt: skip
@click.option("--address", metavar="ADDR", help="Scheduler of the cluster, such as tcp://10.0.0.1:8786.")
def command(measures: tuple[str, ...], asked: Asked, out: str, resume: bool, backend: str, address: str | None) -> None:
    """Check every measure against every condition under every reading; save the results, show the matrix.

    Measures and conditions are those of the suite, by default the first paper's twelve measures and ten conditions.

    The file is written cell by cell: after an interruption --resume continues from there. The exit code is 0 when the
    run is complete, whatever the verdicts.
    """
    check_file("--out", out)
    plan = asked.plan(targets.load_several(measures) if measures else None)
    try:
        with Watcher(asked.quiet, asked.quick) as watcher:
            results = carry_out(
                plan, asked.settings, out=out, resume=resume, backend=backend, address=address, listen=watcher.on_event
            )
    except KeyboardInterrupt:
        held = f"{out} holds the cells that are done; the same command with --resume continues from there"
        early = f"before the first cells were done; {out} was not written"
        raise Stop(f"interrupted; {held}" if Path(out).exists() else f"interrupted {early}", INTERRUPTED) from None
    click.echo(tables.symbols(matrix(results)), nl=False)
    if (left_out := asked.left_out()) is not None:
        click.echo("\n" + "\n".join(paragraph(left_out, tables.page_width())))
    if not asked.quiet:
        command_line = shlex.join(["metaeval", "report", str(out), "--format", "html", "--out", "page.html"])
        click.echo(f"metaeval: results in {out}; next: {command_line}", err=True)


def matrix(results: Results) -> str:
    """The compliance matrix with its legend; ``metaeval report`` has the evidence."""
    from metaeval.reports import build
    from metaeval.reports.document import legend, naming, overview
    from metaeval.reports.text import matrix as matrix_lines

    report, width = build(results), tables.page_width()
    lines = [*paragraph(overview(report), width), ""]
    if report.ordered:
        lines += [*matrix_lines(report, width), "", *paragraph(naming(report), width), ""]
        shown = {entry.symbol for entry in report.entries.values()}
        for symbol, meaning in legend(report):
            lines += paragraph(meaning, width, f"{symbol}  ", "   ") if symbol in shown else []
    return "\n".join(lines).rstrip() + "\n"
