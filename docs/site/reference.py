"""The pages that are made of the registries and the command line: measures, conditions, commands."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module

import click
from pages import ROOT

import metaeval
from metaeval.catalogue.condition import Condition, Reading, example
from metaeval.catalogue.measure import Measure, by_family, is_own
from metaeval.cli import COMMANDS, main
from metaeval.display.picture import KEY, draw_case
from metaeval.exact import is_exact
from metaeval.proofs.proof_text import header_text
from metaeval.records.cell import Cell

_DOI, _ARXIV = re.compile(r"doi:(10\.\S+?)(?=[;,]|$)"), re.compile(r"arXiv:(\d+\.\d+)")
_PICTURE_WIDTH = 84
#: Two partitions, on which every measure of metaeval's own returns what it usually returns.
_PAIR = metaeval.Biclustering.from_labels([0, 0, 1]), metaeval.Biclustering.from_labels([0, 1, 1])

#: What a measure is meant for, where that is not every biclustering.
_DEFINED_ON = {
    "biclusterings": "",
    "disjoint": "of disjoint biclusterings · ",
    "clusterings": "of clusterings of objects · ",
    "partitions": "of partitions of objects · ",
}


def measures() -> str:
    """Every measure of metaeval's own: what it is, its equation, its conventions, an example."""
    own = [one for one in metaeval.measures().values() if is_own(one)]
    lines = [
        "# Measures",
        "",
        "A measure scores a candidate biclustering against a gold standard. All scores are similarities: larger is "
        "better. *Cells* are the micro-objects (object, feature). *Clusters* are the candidate's biclusters, *classes* "
        "the gold standard's. In formulas g and c are their sizes and n is what the two share; U are the cells that "
        "either side covers. [Equations](equations.md) explains the other names, and those in LaTeX. "
        "[The matrix](matrix.md) shows which [conditions](conditions.md) each measure keeps.",
    ]
    families = by_family(own)
    for family, members in families.items():
        lines += ["", _described(family), "", "| id | measure |", "|:---|:---|"]
        lines += [f"| [{one.id}](#{one.id}) | **{one.name}.** {one.summary} |" for one in members]
    for family, members in families.items():
        lines += ["", f"## {_described(family).partition(':')[0]}"]
        for one in members:
            lines += _measure(one)
    return "\n".join(lines) + "\n"


def _described(family: str) -> str:
    """What is said of a family: a name, a colon and a sentence."""
    return str(import_module("metaeval.measures").FAMILIES[family])


def _measure(one: Measure) -> Iterator[str]:
    yield from ("", f"({one.id})=", f"### {one.name}", "")
    exact = "exact" if is_exact(one.value(*_PAIR)) else "a float: it has no exact form"
    yield f"`{one.id}` · {_best(one)} · {exact} · {_DEFINED_ON[one.domain]}{_cited(one.citation)}"
    sentence, *paragraphs = inspect.cleandoc(one.doc or one.function.__doc__ or "").split("\n\n")
    yield from ("", *_paragraph(sentence))
    if one.equation is not None and one.is_equation:
        yield from ("", "```{code-block} text", ":class: equation", "", str(one.equation), "```")
        yield from ("", f"It is {header_text(one.equation)}.")
        latex = one.equation.latex()
        yield from ("", "<details><summary>LaTeX</summary>", "", "```latex", latex, "```", "", "</details>")
    for paragraph in paragraphs:
        yield from ("", *_paragraph(paragraph))
    yield from ("", *_kept(one))


def _paragraph(text: str) -> list[str]:
    """A paragraph of a docstring: an example, an equation, which is indented, or prose."""
    if text.startswith(">>>"):
        return ["```pycon", text, "```"]
    if text.startswith("    "):
        return ["```{code-block} text", ":class: equation", "", inspect.cleandoc(text), "```"]
    return [text.replace("|", r"\|")]


def _kept(one: Measure) -> Iterator[str]:
    """Which conditions the published results say the measure violates, as the source pictures them."""
    cells = [cell for cell in _published() if cell.measure == one.id and cell.reading == "canonical"]
    broken = [f"[{cell.condition}](conditions.md#{_anchor(cell.condition)})" for cell in cells if cell.certificate]
    if cells:
        yield "Violates " + (", ".join(broken) or "none of the conditions") + " under the canonical readings."


@cache
def _published() -> list[Cell]:
    return metaeval.Results.load(ROOT / "docs" / "results.json").cells


def _best(one: Measure) -> str:
    if one.optimum is None:
        return "no constant best score"
    return f"best score {one.optimum + 0:g}"  # plus nothing, so that −0 is 0


def _cited(citation: str) -> str:
    linked = _DOI.sub(r"[doi:\1](https://doi.org/\1)", citation)
    return _ARXIV.sub(r"[arXiv:\1](https://arxiv.org/abs/\1)", linked)


def conditions() -> str:
    """Every condition: what it says and demands, and each reading with a drawn example."""
    known = metaeval.conditions().values()
    lines = [
        "# Conditions",
        "",
        "A condition says how any good measure must behave. It makes pairs of inputs, left and right, and demands a "
        "relation between their scores. Its sentence admits more than its authors pictured, so it has *readings*, each "
        "a precise set of cases. `metaeval explain A.3` prints what stands here.",
        "",
        "| id | condition |",
        "|:---|:---|",
        *(f"| [{one.id}](#{_anchor(one.id)}) | **{one.name}.** {one.statement} |" for one in known),
        "",
        f"In the drawings, {KEY}.",
    ]
    for one in known:
        lines += _condition(one)
    return "\n".join(lines) + "\n"


def _condition(one: Condition) -> Iterator[str]:
    yield from ("", f"({_anchor(one.id)})=", f"## {one.id} {one.name}", "", one.statement, "")
    yield f"*Demanded:* {one.relation.demand} (`{one.relation.name}`). *Source:* {_cited(one.citation)}."
    for reading in one.readings.values():
        yield from ("", f"### {one.id} {reading.name}", "", reading.adds, "", _searched(reading))
        case = example(one, reading)
        if case is not None:
            yield from ("", "```text", draw_case(case, _PICTURE_WIDTH), "```")


def _anchor(id: str) -> str:
    return "condition-" + id.lower().replace(".", "")


def _searched(reading: Reading) -> str:
    more = f", and many with up to {reading.reach}" if reading.reach > reading.complete else ""
    return f"Searched without a gap up to {reading.complete} objects{more} ({reading.scope})."


def commands() -> str:
    """Every command with its arguments, options and examples, as the parser has them."""
    top = click.Context(main, info_name="metaeval")
    lines = [
        "# Command line",
        "",
        "`metaeval COMMAND --help` prints what stands here. Data goes to standard output, progress and messages to "
        "standard error. A command ends with 0 when it is done; with 1 where `check` finds a violation that was not "
        "expected, `verify` a certificate that does not hold or `diff` a regression; with 2 for bad usage or input, "
        "after one sentence that says what was expected.",
        "",
        "| command | |",
        "|:---|:---|",
        *(f"| [metaeval {name}](#metaeval-{name}) | {summary} |" for name, summary in COMMANDS.items()),
    ]
    for name in COMMANDS:
        command = main.get_command(top, name)
        assert command is not None
        lines += _command(command, click.Context(command, info_name=name, parent=top))
    return "\n".join(lines) + "\n"


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    yield from ("", f"({context.command_path.replace(' ', '-')})=", f"## {context.command_path}", "")
    yield inspect.cleandoc(command.help or "")
    pieces = " ".join(command.collect_usage_pieces(context))
    yield from ("", "```text", f"{context.command_path} {pieces}", "```")
    for parameter in command.params:
        term, text = parameter.get_help_record(context) or ("", "")
        if text:
            yield from ("", f"`{term}`", f": {_escaped(text)}")
    yield from _epilog(command.epilog or "")


def _epilog(text: str) -> Iterator[str]:
    r"""Examples and forms of files: paragraphs that begin with \b and a title, and are printed as they stand."""
    for paragraph in filter(None, text.replace("\b\n", "").strip().split("\n\n")):
        title, _, body = paragraph.partition("\n")
        kind = "sh" if title.startswith("Example") else "text"
        yield from ("", title, "", f"```{kind}", inspect.cleandoc(" \n" + body), "```")


def _escaped(text: str) -> str:
    return re.sub(r"([\[\]*<>])", r"\\\1", text)


PAGES = {"measures": measures, "conditions": conditions, "commands": commands}
