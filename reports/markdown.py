"""The report as GitHub Markdown; the matrix links to counterexamples and proofs."""

import re
from collections.abc import Iterator

from tabulate import tabulate

from metaeval.reports.document import Block, Code, Heading, Items, Matrix, Paragraph, Table, document
from metaeval.reports.view import Report

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|~$-])")


def render(report: Report) -> str:
    return "\n\n".join("\n".join(_lines(block)) for block in document(report)) + "\n"


def escape(text: str) -> str:
    marked = _SPECIAL.sub(r"\\\1", text)
    # Entities for '://' and '@' prevent automatic links.
    safe = marked.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("@", "&#64;")
    return safe.replace("://", "&#58;//").replace("www.", "www&#46;")


def anchor(name: str) -> str:
    """A name as an anchor: letters, digits, '-', '_' and '.'; other characters by code point."""
    return "".join(char if re.match(r"[A-Za-z0-9._-]", char) else f"x{ord(char):x}" for char in name)


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading(level, text, name):
            if name:
                yield f'<a id="{anchor(name)}"></a>\n'
            yield f"{'#' * level} {escape(text)}"
        case Paragraph(text):
            yield escape(text)
        case Items(pairs):
            yield from (f"- **{escape(term)}** {escape(text)}" for term, text in pairs)
        case Table(headers, rows, numbers, links):
            align = ["right" if name in numbers else "left" for name in headers]
            cells = [
                [_link(value, value) if at == links and value else escape(value) for at, value in enumerate(row)]
                for row in rows
            ]
            yield _pipes(cells, list(map(escape, headers)), align)
        case Code(text, language):
            yield f"```{language}\n{text}\n```"
        case Matrix(report):
            yield _matrix(report)


def _pipes(rows: list[list[str]], headers: list[str], align: list[str] | None = None) -> str:
    table: str = tabulate(rows, headers, tablefmt="pipe", disable_numparse=True, colalign=align)
    return table


def _matrix(report: Report) -> str:
    rows = []
    for row in report.measures:
        cells = [escape(row.id)]
        for column in report.conditions:
            symbols = ""
            for entry in (report.at(row.id, column.id, each.name) for each in column.readings):
                shown = entry.counterexample or entry.proof
                symbols += (_link(entry.symbol, entry.name) if shown else escape(entry.symbol)) + entry.mark
            cells.append(symbols)
        rows.append(cells)
    return _pipes(rows, ["", *(f"{escape(one.id)}<br>{escape(one.letters)}" for one in report.conditions)])


def _link(text: str, name: str) -> str:
    return f"[{escape(text)}](#{anchor(name)})"
