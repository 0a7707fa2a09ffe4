"""Results and cells as HTML for notebooks: self-contained, without scripts, for light and for dark pages."""

from collections.abc import Iterable
from html import escape

from metaeval.core.verdict import Verdict
from metaeval.display.cell_text import described, headline, other, stated, violated
from metaeval.display.counterexample import Counterexample
from metaeval.display.picture import KEY, draw_case
from metaeval.records.cell import Cell
from metaeval.records.results import Results

#: Readable on white and on black.
_GOOD, _BAD, _OPEN = "#1a8a5f", "#d9480f", "#808080"
_LEFT = "text-align:left;vertical-align:top;white-space:pre-line"
#: Letters of readings stand above their symbols, which some fonts make wider.
_SLOT = "display:inline-block;width:1em;text-align:center"
#: Wider than any sentence, so that the browser wraps it.
_WIDE = 100_000


def html(record: Results | Cell) -> str:
    return _cell(record) if isinstance(record, Cell) else _results(record)


def _results(results: Results) -> str:
    heads, letters, rows = [], [], {id: [_tag("th", one.name, _LEFT, id)] for id, one in results.measures.items()}
    named: dict[str, str] = {}
    met = {cell.key[1:] for cell in results}
    for condition, one in results.conditions.items():
        names = {name: one.letters[name] for name in one.readings if (condition, name) in met}
        named |= {letter: name for name, letter in names.items()}
        heads.append(_tag("th", condition, _LEFT, one.name))
        letters.append(_slots(_tag("span", letter, _SLOT, name) for name, letter in names.items()))
        for id, row in rows.items():
            cells = (results.get((id, condition, reading)) for reading in names)
            row.append(_slots(_tag("span", "", _SLOT) if cell is None else _sign(cell) for cell in cells))
    verdicts = sorted({cell.verdict for cell in results}, key=list(Verdict).index)
    legend = [", ".join(f"{letter} {name}" for letter, name in named.items())]
    legend += [f"{verdict.symbol} {verdict}: {verdict.meaning}" for verdict in verdicts]
    head = f"<tr><th></th>{''.join(heads)}</tr><tr><th></th>{''.join(letters)}</tr>"
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows.values())
    table = f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"
    explained = "<br>".join(map(escape, legend))
    return f'{_tag("p", repr(results).strip("<>"))}<div style="overflow-x:auto">{table}</div><p>{explained}</p>'


def _slots(spans: Iterable[str]) -> str:
    return f'<td style="{_LEFT};white-space:nowrap">{"".join(spans)}</td>'


def _cell(cell: Cell) -> str:
    condition = described(cell)
    parts = [f"<p>{_sign(cell)} {_tag('b', headline(cell, condition))}</p>"]
    parts += [_tag("p", sentence) for sentence in stated(cell, condition, _WIDE)]
    pairs = other(cell)
    if cell.certificate is not None:
        pairs = violated(cell, Counterexample(cell.certificate, condition))
        parts += [_tag("pre", draw_case(cell.certificate.case)), _tag("p", KEY)]
    rows = (f"<tr>{_tag('th', term, _LEFT)}{_tag('td', text, _LEFT)}</tr>" for term, text in pairs if text)
    more = "<p>More: <code>print(metaeval.describe(cell))</code></p>"
    return f'<div style="overflow-x:auto">{"".join(parts)}<table>{"".join(rows)}</table>{more}</div>'


def _sign(cell: Cell) -> str:
    colour = _BAD if cell.verdict.counts_against else _GOOD if cell.verdict.satisfied else _OPEN
    said = f"{cell.condition} {cell.reading}: {cell.verdict}" + (f", {cell.message}" if cell.message else "")
    return _tag("span", cell.verdict.symbol, f"color:{colour};{_SLOT}", said)


def _tag(name: str, text: str, style: str = "", title: str = "") -> str:
    """An element; whatever a file says is escaped."""
    attributes = "".join(f' {key}="{escape(value)}"' for key, value in (("style", style), ("title", title)) if value)
    return f"<{name}{attributes}>{escape(text)}</{name}>"
