"""The benchmarks: everything they say they measure comes out, and the published page is what the table says."""

import csv
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[1]
BENCHMARKS, DOCS = ROOT / "benchmarks", ROOT / "docs"


@pytest.fixture
def on_path(monkeypatch):
    """The benchmarks import each other as scripts do."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))


#: The questions that are answered in the process that asks, but for some rows. The others start many processes, each
#: with its own imports.
SOON = ("definition", "packages", "labels")


def measured(folder: Path, *words: str) -> list[dict[str, str]]:
    out = folder / "table.csv"
    command = [sys.executable, BENCHMARKS, "--quick", "--out", out, *words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return read(out)


def read(file: Path) -> list[dict[str, str]]:
    with open(file, newline="", encoding="utf-8") as saved:
        return list(csv.DictReader(saved))


def subjects(rows: list[dict[str, str]]) -> set[tuple[str, str, str]]:
    return {(row["question"], row["what"], row["against"]) for row in rows}


def test_a_quick_table_has_all_rows_of_the_saved_one_and_judges_nothing(tmp_path):
    saved = read(BENCHMARKS / "table.csv")
    quick = measured(tmp_path, *(word for name in SOON for word in ("--only", name)))
    assert {row["question"] for row in quick} == {*SOON}
    assert subjects(quick) == subjects([row for row in saved if row["question"] in SOON]), "run `make bench`"
    assert {row["target"] + row["met"] for row in quick} == {""}
    for row in quick + saved:
        assert float(row["ours"]) > 0
        assert bool(row["ratio"]) == bool(row["against"])
        if row["ratio"]:
            assert float(row["ratio"]) == pytest.approx(float(row["other"]) / float(row["ours"]), rel=1e-3)


@pytest.mark.long
def test_a_quick_table_of_all_questions_has_all_rows_of_the_saved_one(tmp_path):
    whole = measured(tmp_path)
    assert subjects(whole) == subjects(read(BENCHMARKS / "table.csv")), "run `make bench`"
    # The first comparison is case by case; the other one lets the loop do a part.
    inputs = [row["inputs"] for row in whole if row["what"] == "matrix, B.5 alone"]
    assert inputs
    for text in inputs:
        ours, loop = (part.split()[0] for part in text.partition("; ")[2].split(", "))
        assert ours == loop
    # A check is timed to its last cell.
    inputs = [row["inputs"] for row in whole if row["what"].startswith("check, ") and "cache" in row["what"]]
    assert [text.partition(";")[0] for text in inputs] == ["3 cells", "3 cells"]


def test_the_loop_finds_the_same_whoever_scores():
    cells = [["ce", "A.3", "canonical", 25], ["vi", "A.1", "literal", 25], ["bcubed", "A.2", "canonical", 25]]
    found = []
    for scoring in ("definitions", "singly"):
        command = [sys.executable, BENCHMARKS / "obvious_loop.py", scoring]
        done = subprocess.run(command, input=json.dumps(cells), stdout=subprocess.PIPE, text=True, check=True)
        found.append([tried for *tried, _ in json.loads(done.stdout)])
    assert found[0] == found[1]
    assert [cases for cases, _ in found[0]] == [25, 25, 25]
    assert found[0][0][1] > 0


@pytest.mark.usefixtures("on_path")
def test_scores_that_disagree_are_not_timed_against_each_other():
    from inputs import labelled
    from table import compared

    pair = labelled(10, 1, 3, seed=1)
    with pytest.raises(AssertionError, match=r"mine is 0\.5 on 10 × 1, .*, and 0\.6 by theirs"):
        compared("question", "mine", pair, lambda: 0.5, "theirs", lambda: 0.6)


@pytest.mark.usefixtures("on_path")
def test_page_and_picture_are_made_anew_alike():
    import page
    import picture
    from table import load

    rows = load()
    assert (DOCS / page.PAGE).read_text(encoding="utf-8") == page.render(rows), "run `python benchmarks/page.py`"
    assert (DOCS / page.PICTURE).read_text(encoding="utf-8") == picture.render(rows)


def test_the_page_shows_every_row_and_the_picture_every_point():
    shown = (DOCS / "performance.md").read_text(encoding="utf-8")
    saved = read(BENCHMARKS / "table.csv")
    for row in saved:
        assert row["what"] in shown
        assert row["against"] in shown or row["question"] == "growth"
        assert row["inputs"] in shown
    picture = ElementTree.parse(DOCS / "growth.svg").getroot()
    points = [row for row in saved if row["at"]]
    assert len(picture.findall(".//{*}circle")) == 2 * len(points)
