"""Results in Python: one line, a notebook's table, a DataFrame; each holds what the cells say."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from results_samples import MARKUP

import metaeval
from metaeval.core.verdict import Verdict
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
    assert len(text) < 60_000
    table = Table(text)
    head, *rows = table.rows
    assert head == ["", *results.conditions]
    assert [row[0] for row in rows] == [measure.name for measure in results.measures.values()]
    for id, row in zip(results.measures, rows, strict=True):
        for condition, symbols in zip(results.conditions, row[1:], strict=True):
            cells = [cell for cell in results if (cell.measure, cell.condition) == (id, condition)]
            assert symbols == "".join(cell.verdict.symbol for cell in cells)


def test_what_a_file_says_cannot_become_markup() -> None:
    described = DescribedCondition(name=MARKUP, readings={"canonical": DescribedReading()})
    results = Results({}, {MARKUP: DescribedMeasure(MARKUP)}, {MARKUP: described})
    results.add(metaeval.Cell(MARKUP, MARKUP, "canonical", Verdict.ERROR, message=MARKUP))
    text = results._repr_html_()
    table = Table(text)
    assert table.tags == {"table", "caption", "thead", "tbody", "tr", "th", "td", "span"}
    assert table.rows[1] == [MARKUP, "!"]
    assert MARKUP in table.titles
    assert not re.search(r"https?://|<script|<img", text)


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
