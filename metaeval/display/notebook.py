"""Results and cells as HTML for notebooks: self-contained, without scripts, for light and for dark pages."""

from html import escape

from metaeval.core.verdict import Verdict
from metaeval.display.cell_text import described, headline, other, stated
from metaeval.display.counterexample import Counterexample, facts
from metaeval.display.picture import KEY, draw_case
from metaeval.records.cell import Cell
from metaeval.records.results import Results

#: Readable on white and on black.
_GOOD, _BAD, _OPEN = "#1a8a5f", "#d9480f", "#808080"
_LEFT, _MONO = "text-align:left;vertical-align:top", "font-family:monospace;white-space:pre"
#: Wider than any sentence, so that the browser wraps it.
_WIDE = 100_000


def html(record: Results | Cell) -> str:
    """The view of results or of a cell."""
    return _cell(record) if isinstance(record, Cell) else _results(record)


def _results(results: Results) -> str:
    heads, letters, rows = [], [], {id: [_tag("th", one.name, _LEFT, id)] for id, one in results.measures.items()}
    named: dict[str, str] = {}
    for condition, one in results.conditions.items():
        names = {name: one.letters[name] for name in one.readings}
        named |= {letter: name for name, letter in names.items()}
        heads.append(_tag("th", condition, _LEFT, one.name))
        letters.append(
            f'<td style="{_LEFT};{_MONO}">{"".join(_tag("span", names[one], "", one) for one in names)}</td>'
        )
        for id, row in rows.items():
            signs = (results.get((id, condition, reading)) for reading in names)
            row.append(
                f'<td style="{_LEFT};{_MONO}">{"".join(" " if one is None else _sign(one) for one in signs)}</td>'
            )
    verdicts = sorted({cell.verdict for cell in results}, key=list(Verdict).index)
    legend = [f"{letter} {name}" for letter, name in named.items()]
    legend += [f"{verdict.symbol} {verdict}: {verdict.meaning}" for verdict in verdicts]
    head = f"<tr><th></th>{''.join(heads)}</tr><tr><th></th>{''.join(letters)}</tr>"
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows.values())
    table = f"<thead>{head}</thead><tbody>{body}</tbody>"
    caption = _tag("caption", repr(results).strip("<>"), _LEFT)
    return f'<div style="overflow-x:auto"><table>{caption}{table}</table></div>{_tag("p", "; ".join(legend) + ".")}'


def _cell(cell: Cell) -> str:
    condition = described(cell)
    parts = [f"<p>{_sign(cell)} {_tag('b', headline(cell, condition))}</p>"]
    parts += [_tag("p", sentence) for sentence in stated(cell, condition, _WIDE)]
    pairs = other(cell)
    if cell.certificate is not None:
        pairs = facts(cell, Counterexample(cell.certificate, condition))
        parts.append(_tag("pre", f"{draw_case(cell.certificate.case)}\n{KEY}"))
    rows = (f"<tr>{_tag('th', term, _LEFT)}{_tag('td', text, _LEFT)}</tr>" for term, text in pairs if text)
    more = "<p>More: <code>print(metaeval.describe(cell))</code></p>"
    return f'<div style="overflow-x:auto">{"".join(parts)}<table>{"".join(rows)}</table>{more}</div>'


def _sign(cell: Cell) -> str:
    colour = _BAD if cell.verdict.counts_against else _GOOD if cell.verdict.satisfied else _OPEN
    said = f"{cell.condition} {cell.reading}: {cell.verdict}" + (f", {cell.message}" if cell.message else "")
    return _tag("span", cell.verdict.symbol, f"color:{colour}", said)


def _tag(name: str, text: str, style: str = "", title: str = "") -> str:
    """An element; whatever a file says is escaped."""
    attributes = "".join(f' {key}="{escape(value)}"' for key, value in (("style", style), ("title", title)) if value)
    return f"<{name}{attributes}>{escape(text)}</{name}>"
