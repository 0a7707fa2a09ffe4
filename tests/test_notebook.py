"""Results in Python: one line, a notebook's table, a DataFrame; each holds what the cells say."""

import html
import re
import sys
import textwrap
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from results_samples import MARKUP

import metaeval
from metaeval.core.verdict import Verdict
from metaeval.display import notebook
from metaeval.records.described import DescribedCondition, DescribedMeasure, DescribedReading
from metaeval.records.results import Results

RESULTS = Path(__file__).parents[1] / "docs" / "results.json"


@pytest.fixture(scope="module")
def results() -> Results:
    return Results.load(RESULTS)


def test_the_repr_is_one_short_line(results: Results) -> None:
    text = repr(results)
    assert len(text) < 200
    assert "\n" not in text
    violated = sum(cell.verdict == "violated" for cell in results)
    assert f"{len(results.measures)} measures" in text
    assert f"{violated} violated" in text
    assert repr(Results({})) == "<Results: 0 measures, 0 conditions, 0 cells>"
    one = Results({}, {"ce": results.measures["ce"]}, {"A.1": results.conditions["A.1"]})
    one.add(results.cell("ce", "A.1"))
    assert repr(one) == "<Results: 1 measure, 1 condition, 1 cell: 1 violated>"


class Table(HTMLParser):
    """The texts of the cells of a table, row by row, and all tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: set[str] = set()
        self.titles: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.titles += [value or "" for name, value in attrs if name == "title"]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows:
            self.rows[-1][-1] += data


def test_a_notebook_shows_every_verdict(results: Results) -> None:
    text = results._repr_html_()
    assert len(text) < 120_000
    table = Table(text.partition("</table>")[0])
    head, letters, *rows = table.rows
    assert head == ["", *results.conditions]
    assert letters == ["", *("".join(name[0] for name in one.readings) for one in results.conditions.values())]
    assert [row[0] for row in rows] == [measure.name for measure in results.measures.values()]
    for id, row in zip(results.measures, rows, strict=True):
        for condition, symbols in zip(results.conditions, row[1:], strict=True):
            cells = [cell for cell in results if (cell.measure, cell.condition) == (id, condition)]
            assert symbols == "".join(cell.verdict.symbol for cell in cells)


def test_the_legend_explains_the_letters_and_symbols_that_occur(results: Results) -> None:
    one = Results({}, {"ce": results.measures["ce"]}, {"A.5": results.conditions["A.5"]})
    for reading in ("canonical", "repeated"):
        one.add(results.cell("ce", "A.5", reading))
    text = one._repr_html_()
    assert Table(text.partition("</table>")[0]).rows[1:] == [["", "cr"], ["CE", "∎✗"]]
    legend = re.sub("<[^>]+>", "\n", text.partition("</table>")[2]).split("\n")
    met = [
        "c canonical, r repeated",
        *(f"{one.symbol} {one}: {one.meaning}" for one in (Verdict.PROVED, Verdict.VIOLATED)),
    ]
    assert [line for line in legend if line] == met
    # A reading that nobody knows has a letter of its own.
    other = DescribedCondition(name="X", readings={name: DescribedReading() for name in ("canonical", "curious")})
    assert list(other.letters.items())[-1] == ("curious", "u")


def test_a_cell_shows_its_condition_its_evidence_and_how_to_see_more(results: Results) -> None:
    for cell in results.cells[::9]:
        text = cell._repr_html_()
        assert metaeval.conditions()[cell.condition].statement in html.unescape(text)
        assert cell.verdict.symbol in text
        assert "print(metaeval.describe(cell))" in text
        if cell.certificate is not None:
            scores = [row[1] for row in Table(text.partition("<table>")[2]).rows[: len(cell.certificate.scores)]]
            assert all(score.brief in shown for score, shown in zip(cell.certificate.scores, scores, strict=True))
    picture = re.search("<pre>(.*?)</pre>", results.cell("ce", "A.1")._repr_html_(), re.S)
    assert picture is not None
    assert textwrap.indent(picture[1], "    ") in metaeval.describe(results.cell("ce", "A.1"))


def test_a_notebook_needs_no_network_and_no_script_and_colours_fit_light_and_dark(results: Results) -> None:
    """Contrasts as WCAG has them for signs and large text: 3 to 1."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    text = results._repr_html_() + "".join(cell._repr_html_() for cell in results.cells[::9])
    assert not re.search(r"<script|<link|<img|https?://|url\(", text)
    colours = set(re.findall(r"color:([^;\"]+)", text))
    assert len(colours) == 2
    for colour in {*colours, notebook._OPEN}:
        assert min(1.05 / (light(colour) + 0.05), (light(colour) + 0.05) / (light("#111111") + 0.05)) >= 3


def test_what_a_file_says_cannot_become_markup() -> None:
    described = DescribedCondition(name=MARKUP, readings={"canonical": DescribedReading()})
    results = Results({}, {MARKUP: DescribedMeasure(MARKUP)}, {MARKUP: described})
    results.add(metaeval.Cell(MARKUP, MARKUP, "canonical", Verdict.ERROR, message=MARKUP))
    text = results._repr_html_()
    table = Table(text)
    assert table.tags == {"div", "p", "br", "table", "thead", "tbody", "tr", "th", "td", "span"}
    assert [MARKUP, "!"] in [row[:2] for row in Table(text.partition("</table>")[0]).rows]
    assert MARKUP in table.titles
    cell = next(iter(results))._repr_html_()
    assert Table(cell).tags == {"div", "p", "b", "span", "table", "tr", "th", "td", "code"}
    assert not re.search(r"https?://|<script|<img", text + cell)


def test_a_dataframe_has_a_row_for_each_cell(results: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    frame: Any = results.to_dataframe()
    assert len(frame) == len(results)
    assert list(map(tuple, frame[["measure", "condition", "reading"]].values)) == [cell.key for cell in results]
    row = frame[(frame.measure == "ce") & (frame.condition == "A.1") & (frame.reading == "canonical")].iloc[0]
    cell = results.cell("ce", "A.1")
    assert cell.certificate is not None
    assert (row.verdict, row.cases, row.objects) == ("violated", cell.cases, cell.certificate.objects)
    assert (row.left, row.right) == (cell.certificate.left.value, cell.certificate.right.value)
    assert str(frame.violations.dtype) == "Int64"
    held = frame[frame.verdict == "proved"].iloc[0]
    assert pandas.isna(held.left)
    assert pandas.isna(held.objects)
    assert list(Results({}).to_dataframe().columns) == list(frame.columns)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(metaeval.InputError, match=r"needs pandas, which is not installed; `pip install pandas`"):
        results.to_dataframe()
