"""The reports: every format on every kind of results, and what they promise the reader."""

import copy
import csv
import html.parser
import io
import json
import re
import shutil
import subprocess
import textwrap
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import results_samples as samples
from tools import assert_one_sentence, run_inside, run_process
from variant_readings import contradicting_survey

from metaeval import InputError, Results, reports
from metaeval.catalogue.condition import find_condition
from metaeval.consistency.survey import Surveyed, load_survey, survey, survey_to_json
from metaeval.files.shown import clean
from metaeval.records.compare import Kind, compare
from metaeval.records.score import Score, exact_from_json
from metaeval.reports import latex, markdown, view
from metaeval.reports import page_pictures as pictures
from metaeval.reports import text as text_report

SAMPLES: dict[str, Callable[[], dict[str, Any]]] = {
    "paper": samples.paper_sized, "every-verdict": samples.every_verdict, "no-violations": samples.no_violations,
    "only-violations": samples.only_violations, "hostile": samples.hostile, "huge": samples.huge,
    "passes": samples.with_passes, "proofs": samples.with_proofs, "empty": samples.frame,
}  # fmt: skip
CAPTIONS = {name: name for name in ("gold", "left", "right", "left gold", "right gold")}
every_sample = pytest.mark.parametrize("name", SAMPLES)


def results_of(data: dict[str, Any]) -> Results:
    return Results.from_json(copy.deepcopy(data))


def rendered(name: str, format: str) -> str:
    return reports.render(results_of(SAMPLES[name]()), format)


# --- All formats
@every_sample
@pytest.mark.parametrize("format", reports.FORMATS)
def test_every_format_takes_every_kind_of_results(name: str, format: str) -> None:
    text = rendered(name, format)
    text.encode("utf-8")  # no lone surrogate is left
    assert format != "latex" or text.isascii()
    assert (format, name) == ("text", "hostile") or format != "text" or max(map(len, text.splitlines())) <= 100
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", text)


@pytest.mark.parametrize("format", reports.FORMATS)
def test_rendering_is_a_pure_function(format: str) -> None:
    results = results_of(samples.every_verdict())
    before = copy.deepcopy(results)
    assert reports.render(results, format) == reports.render(results, format)
    assert results == before
    with pytest.raises(InputError, match="no format 'pdf'; expected one of text"):
        reports.render(results, "pdf")


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html"])
def test_legend_evidence_and_provenance_are_in_every_document(format: str) -> None:
    text = rendered("every-verdict", format)
    for verdict, meaning in view.LEGEND.items():
        if verdict not in (view.NOT_RUN, view.NOT_APPLICABLE):
            assert verdict in text
            assert _plain(meaning.meaning) in _plain(text)
    for evidence in ("1,432", "1,232"):
        assert evidence in text or evidence.replace(",", "") in text
    for provenance in ("6.170.15", "3.11.2", "hypothesis", "seed"):
        assert provenance in text
    assert "metaeval verify" in text.replace("~", " ")


def _shown(text: str) -> str:
    """A document; a page without its styles and tags."""
    return re.sub(r"<style>.*?</style>|<[^>]*>", "", text, flags=re.S) if text.startswith("<!doctype") else text


def _plain(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.lower())


@pytest.mark.parametrize("format", reports.FORMATS)
def test_a_comparison_shows_only_what_changed(format: str) -> None:
    data = samples.paper_sized()
    old = results_of(samples.changed(data))
    new = results_of(data)
    text = reports.render(new, format, old)
    report = view.build(new, old)
    assert [(entry.before, entry.verdict) for entry in report.ordered] == [
        ("holds", "violated"),
        ("violated", "not run"),
        ("not run", "holds"),
    ]
    for entry in report.ordered:
        assert entry.measure in text
    assert "rnia" not in text


@pytest.mark.parametrize("format", reports.FORMATS)
def test_a_comparison_shows_weaker_evidence_as_diff_does(format: str) -> None:
    """One comparison stands behind both: a cell that says less than it did is a change for either."""
    old, new = samples.paper_sized(), samples.paper_sized()
    cell = next(cell for cell in new["cells"] if cell["verdict"] == "holds")
    cell["cases"] -= 150
    changes = compare(results_of(old), results_of(new)).changes
    assert [(change.kind, change.detail) for change in changes] == [(Kind.WEAKER, "1282 cases, was 1432")]
    report = view.build(results_of(new), results_of(old))
    assert [entry.change for entry in report.ordered] == list(changes)
    text = reports.render(results_of(new), format, results_of(old))
    assert "weaker" in text
    assert format == "csv" or "1282 cases, was 1432" in text


def test_the_renderers_need_neither_the_search_nor_the_measures() -> None:
    code = textwrap.dedent("""
        import json, sys
        from metaeval import reports
        from metaeval.records.results import Results
        results = Results.from_json(json.load(sys.stdin))
        for format in reports.FORMATS:
            reports.render(results, format)
        loaded = [name for name in sys.modules if name.startswith(("hypothesis", "metaeval.measures", "numpy"))]
        print(*loaded)
    """)
    assert run_process(code=code, input=json.dumps(samples.every_verdict()))[:2] == (0, "\n")


# --- The conditions together
@pytest.fixture(scope="module")
def contradicting() -> list[Surveyed]:
    return contradicting_survey()


@pytest.fixture(scope="module")
def consistent() -> list[Surveyed]:
    return survey(["A.1", "A.3", "B.1", "B.2"], objects=2)


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html"])
def test_every_document_says_what_was_found_of_the_conditions_together(format: str, consistent: list[Surveyed]) -> None:
    results = results_of(samples.paper_sized())
    text = _shown(reports.render(results, format, survey=consistent))
    assert "Nothing changed." in reports.render(results, format, results)
    assert "Can any measure satisfy them all?" in text
    assert _plain("No contradiction was found.") in _plain(text)
    assert _plain("A measure is proved to satisfy all conditions together: canonical") in _plain(text)
    for one in consistent:
        assert _plain(one.name) in _plain(text)
        assert f"{one.answer.sides:,}" in text
        assert f"{sum(listed.cases for listed in one.answer.listed):,}" in text
    assert view.IMPOSSIBLE not in text
    assert r"\ddag" not in text
    assert "Open problems" in text


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html"])
def test_what_no_measure_can_satisfy_is_marked_and_its_circle_written_out(
    format: str, contradicting: list[Surveyed]
) -> None:
    results = results_of(samples.paper_sized())
    assert reports.render(results, format, results_of(samples.changed(samples.paper_sized())), survey=contradicting)
    text = reports.render(results, format, survey=contradicting)
    assert format != "latex" or text.isascii()
    assert format != "text" or max(map(len, text.splitlines())) <= text_report.WIDTH
    plain = _plain(_shown(text))
    for place, others in (
        ("A.3 canonical", "at all"),
        ("B.1 literal", "together with B.2 and B.4 (canonical)"),
        ("B.4 canonical", "together with B.1 (literal), B.2 (canonical)"),
    ):
        assert _plain(f"{place} no measure can satisfy this {others}: see the contradiction") in plain
    circles = [answer.circle for one in contradicting for answer in (one.answer, *one.contradictions)]
    for circle in filter(None, circles):
        for link in circle:
            assert _plain(f"{link.condition} {find_condition(link.condition).name}, {link.reading}") in plain
    assert _plain("the same score on both ends, a contradiction") in plain
    assert view.IMPOSSIBLE not in reports.render(results, format)


def test_marks_stand_at_their_columns_heads_and_cells_alone(contradicting: list[Surveyed]) -> None:
    report = view.build(results_of(samples.paper_sized()), survey=contradicting)
    impossible = {("A.3", "canonical"), ("B.1", "literal"), ("B.2", "canonical"), ("B.4", "canonical")}
    marked = {(column.id, one.name) for column in report.conditions for one in column.readings if one.mark}
    assert marked == impossible
    # A cell is marked where the measure keeps the others.
    sets = [{"A.3": "canonical"}, {"B.1": "literal", "B.2": "canonical", "B.4": "canonical"}]
    for entry in report.entries.values():
        rest = [
            {(entry.measure, *place) for place in one.items() if place != entry.key[1:]}
            for one in sets if one.get(entry.condition) == entry.reading
        ]  # fmt: skip
        kept = [all(report.entries[key].verdict in view.SATISFIED for key in keys) for keys in rest]
        assert bool(entry.mark) == any(kept)
    assert {entry.key[1:] for entry in report.entries.values() if entry.mark} == impossible
    plain, table = (reports.render(results_of(samples.paper_sized()), "csv", survey=s) for s in (None, contradicting))
    rows = list(csv.DictReader(io.StringIO(table)))
    assert {(row["condition"], row["reading"]) for row in rows if row["impossible"]} == impossible
    assert "impossible" not in plain
    head, letters, _, *rows = text_report.matrix(report)
    at = letters.split().index("cl‡o")
    assert head.split()[at] == "B.1"
    # Symbols stand below their letters, whether or not a cell has the mark of its column.
    place = letters.index("cl‡o")
    assert all(re.fullmatch("[✗✓∎][✗✓∎][‡ ][✗✓∎]", row[place : place + len("cl‡o")]) for row in rows)
    assert {row[place + 2] for row in rows} == {"‡", " "}


def test_a_counterexample_to_what_nobody_can_do_says_so(contradicting: list[Surveyed]) -> None:
    report = view.build(results_of(samples.paper_sized()), survey=contradicting)
    blamed = [entry for entry in report.witnessed if entry.mark]
    assert blamed
    text = text_report.render(report)
    for entry in blamed:
        _, _, after = text.partition(f"\n{entry.name}: ")
        assert "‡ But no measure can satisfy this" in after.partition("Python")[0].partition(">>>")[0]
    claimed = [entry for entry in report.claimed if entry.mark]
    assert claimed
    assert text.count("canonical ‡ ") + text.count("literal ‡ ") >= len(claimed)


def test_a_survey_is_data_and_no_markup(consistent: list[Surveyed]) -> None:
    hostile = [replace(one, name="<script>alert(1)</script>|$x$") for one in consistent]
    results = results_of(samples.paper_sized())
    assert "<script>alert" not in reports.render(results, "html", survey=hostile)
    assert "<script>" not in reports.render(results, "markdown", survey=hostile)
    assert "$x$" not in reports.render(results, "latex", survey=hostile)


def test_the_command_takes_a_survey(tmp_path: Path, contradicting: list[Surveyed]) -> None:
    results, path = tmp_path / "results.json", tmp_path / "survey.json"
    results.write_text(json.dumps(samples.paper_sized()))
    path.write_text(json.dumps(survey_to_json(contradicting)))
    loaded = Results.load(results)
    told = reports.render(loaded, "text", survey=contradicting, files={str(results): loaded.measures})
    assert run_inside("report", str(results), "--consistency", str(path)) == (0, told, "")
    path.write_text("{}")
    with pytest.raises(InputError, match=r"schema of .* is None; expected 'metaeval.consistency-survey/2'"):
        load_survey(path)


# --- The view
def test_a_proof_does_not_refute_a_violation_that_another_reading_bears_out() -> None:
    results = samples.frame(("ce",), ("A.1",))
    violated = samples.only_violations()["cells"]
    witness = next(one["certificate"] for one in violated if samples._at(one) == ("ce", "A.1", "literal"))
    results["cells"] = [
        samples.cell("ce", "A.1", "canonical", "proved", claim="violates"),
        samples.cell("ce", "A.1", "literal", "violated", claim="violates", certificate=witness),
    ]
    results["cells"][0]["proof"] = samples.proof("ce", "A.1")
    report = view.build(results_of(results))
    assert [entry.fate for entry in report.ordered] == ["unconfirmed", "confirmed"]
    assert report.claimants == ["Rosales-Méndez & Ramírez-Cruz 2015, arXiv:1512.00228"]


def test_what_changed_hands_is_little() -> None:
    """The rag bag moves one object, and only its cells are marked."""
    report = view.build(results_of(samples.paper_sized()))
    found = report.at("ce", "A.3", "canonical").counterexample
    assert found is not None
    drawn = pictures.pictures(found.certificate.case, CAPTIONS)
    assert len(drawn["grounds"]) == 1
    gold, left, right = drawn["pictures"]
    for picture, moved in ((gold, []), (left, ["4"]), (right, ["4"])):
        assert [text for kind, *_, text in picture["axis"] if "moves" in kind] == moved
        assert picture["moves"] == bool(moved)
    assert [text for kind, *_, text in right["marks"] if kind.startswith("letter")] == ["a′", "b′"]


def test_a_huge_matrix_is_drawn_small() -> None:
    (cell,) = view.build(results_of(samples.huge())).witnessed
    assert cell.counterexample is not None
    for picture in pictures.pictures(cell.counterexample.certificate.case, CAPTIONS)["pictures"]:
        rows = [int(text) for kind, *_, text in picture["axis"] if "end" in kind]
        cols = [int(text) for kind, *_, text in picture["axis"] if "end" not in kind]
        # By how many objects and features are treated alike: a class of 100 objects, one of one, the background.
        assert sorted(rows) == [1, 100, 10**9 - 101]
        assert sum(cols) == 10**9
        assert picture["notes"] == []


@pytest.mark.parametrize("format", ["text", "markdown", "latex"])
def test_documents_draw_a_large_case_by_numbers_of_objects(format: str) -> None:
    text = reports.render(results_of(samples.large()), format)
    plain = text.replace(r"\makebox[.525em]{$\times$}", "×").replace("\N{NO-BREAK SPACE}", " ").replace("~", " ")
    assert re.search(r"objects +40 +1 +59 +37×1\b", plain)
    assert re.search(r"left +a +a +b +c\*", plain)
    assert "too many biclusters" not in text


@pytest.mark.parametrize(
    ("value", "written"),
    [(Fraction(1, 3), "1/3 ≈ 0.333333"), (Fraction(3, 5), "3/5 = 0.6"), (Fraction(1), "1"), (None, "0.25")],
)
def test_a_score_is_a_fraction_and_a_decimal(value: Fraction | None, written: str) -> None:
    assert str(Score(0.25 if value is None else float(value), value)) == written


# --- Bad files
BAD = {
    "no cells": (lambda r: r.pop("cells"), 'has no "cells"'),
    "cells": (lambda r: r.update(cells={}), '"cells" of the results file must be a list'),
    "a cell": (lambda r: r["cells"].append(7), "cell 35 must be a JSON object, not 7"),
    "measure": (lambda r: r["cells"][0].update(measure="nope"), "cell 1 names the measure 'nope'"),
    "condition": (lambda r: r["cells"][0].update(condition="Z.1"), "cell 1 names the condition 'Z.1'"),
    "reading": (lambda r: r["cells"][0].update(reading="loose"), "which A.1 does not have"),
    "claim": (lambda r: r["cells"][0].update(claim="perhaps"), '"claim" of cell 1'),
    "certificate": (lambda r: r["cells"][1]["certificate"].pop("left"), r'cell 2 \(.*\) must .* with "left"'),
    "rows": (lambda r: r["cells"][1]["certificate"]["left"]["gold"].update(biclusters=3), '"biclusters" must be'),
    "exact": (lambda r: r["cells"][1]["certificate"]["scores"]["left"].update(exact="1/0"), "divides by zero"),
    "score": (lambda r: r["cells"][1]["certificate"]["scores"]["left"].update(float="x"), "must be a number"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_costs_one_clear_sentence(name: str, tmp_path: Path) -> None:
    change, message = BAD[name]
    path = tmp_path / "bad.json"
    results = samples.every_verdict()
    change(results)
    path.write_text(json.dumps(results))
    with pytest.raises(InputError, match=message):
        Results.load(path)
    assert_one_sentence(run_inside("report", str(path)), str(path))


# --- The command
def test_the_command_writes_to_a_file_or_to_standard_output(tmp_path: Path) -> None:
    path, out = tmp_path / "results.json", tmp_path / "report.csv"
    path.write_text(json.dumps(samples.every_verdict()))
    told = rendered("every-verdict", "csv")
    assert run_inside("report", str(path), "--format", "csv")[:2] == (0, told)
    assert run_inside("report", str(path), "--format", "csv", "--out", str(out))[:2] == (0, "")
    assert out.read_text() == told


def test_the_command_compares(tmp_path: Path) -> None:
    new = samples.paper_sized()
    old = samples.changed(new)
    for name, data in (("new", new), ("old", old)):
        (tmp_path / name).write_text(json.dumps(data))
    done = run_inside("report", str(tmp_path / "new"), "--compare", str(tmp_path / "old"))
    assert done.code == 0
    assert "3 cells changed." in done.out


# --- Text
@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_matrix_fits_the_width_and_loses_no_cell(width: int) -> None:
    report = view.build(results_of(samples.paper_sized()))
    lines = list(text_report.matrix(report, width))
    assert max(map(len, lines)) <= width
    assert (lines.count("") == 0) == (width == 80)  # the paper's matrix is one table on an ordinary terminal
    for measure in report.measures:
        row = "".join(line.removeprefix(measure.id) for line in lines if line.startswith(f"{measure.id} "))
        cells = [cell for cell in samples.paper_sized()["cells"] if cell["measure"] == measure.id]
        expected = [report.at(measure.id, cell["condition"], cell["reading"]).symbol for cell in cells]
        assert row.replace(" ", "") == "".join(expected)


def _snippets(text: str) -> dict[str, str]:
    """The Python code of every counterexample in a text report, by name."""
    parts = re.split(r"^([a-z0-9-]+-[A-Z]\d[clor]): ", text, flags=re.M)
    found = {}
    for name, part in zip(parts[1::2], parts[2::2], strict=True):
        if code := re.search(r"^    import metaeval\n(\n|    .*\n)+", part, re.M):
            found[name] = textwrap.dedent(code[0])
    return found


def test_the_python_in_the_text_report_gives_the_scores(capsys: pytest.CaptureFixture[str]) -> None:
    results = samples.paper_sized()
    text = reports.render(results_of(results), "text")
    snippets = _snippets(text)
    report = view.build(results_of(results))
    written = {entry.name: entry.counterexample for entry in report.witnessed}
    assert len(written) == len(report.witnessed)
    assert len(snippets) > 30
    # Whatever is not written out refers to what is.
    for name in set(written) - set(snippets):
        assert re.search(r"The same case as (\S+)\.", text.partition(f"\n{name}: ")[2])[1] in snippets
    for name, code in snippets.items():
        exec(compile(code, name, "exec"), {})
        left, right = capsys.readouterr().out.splitlines()
        found = written[name]
        assert found is not None
        for shown, score in zip((left, right), found.certificate.scores, strict=True):
            assert shown == (score.fraction or repr(score.value))


# --- Markdown
def test_markdown_links_reach_their_counterexamples() -> None:
    text = rendered("paper", "markdown")
    targets = set(re.findall(r'<a id="([^"]+)"></a>', text))
    assert targets
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) == targets


def test_markdown_escapes_what_it_is_given() -> None:
    text = rendered("hostile", "markdown")
    outside = re.sub(r"```.*?```", "", text, flags=re.S)
    assert "<img" not in outside
    assert "</script>" not in outside
    assert markdown.escape("a|b *c* <d>") == r"a\|b \*c\* &lt;d&gt;"
    for table in re.findall(r"(?:^\|.*\n)+", outside, re.M):
        assert len({line.replace(r"\|", "").count("|") for line in table.splitlines()}) == 1


# --- CSV
@every_sample
def test_csv_parses_back(name: str) -> None:
    results = SAMPLES[name]()
    for measure in results["measures"].values():
        measure["name"] = "=HYPERLINK(1)"  # which must not become a formula
    rows = list(csv.DictReader(io.StringIO(reports.render(results_of(results), "csv"))))
    assert len(rows) == len(results["cells"])
    cells = {(clean(c["measure"]), c["condition"], c["reading"]): c for c in results["cells"]}
    for row in rows:
        cell = cells[row["measure"], row["condition"], row["reading"]]
        assert (row["verdict"], row["measure_name"]) == (cell["verdict"], "'=HYPERLINK(1)")
        assert row["cases"] == str(cell["cases"])
        assert row["provenance_seed"] == "0"
        if cell["certificate"]:
            exact = cell["certificate"]["scores"]["left"]["exact"]
            assert row["left_exact"] == ("" if exact is None else str(exact_from_json(exact)))
            assert float(row["right"]) == cell["certificate"]["scores"]["right"]["float"]


# --- LaTeX
@pytest.mark.parametrize("name", ["paper", "every-verdict", "hostile", "no-violations", "empty", "huge"])
def test_latex_compiles(name: str, tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex on this machine")
    source = rendered(name, "latex")
    assert set(re.findall(r"\\usepackage(?:\[.*?\])?\{(.*?)\}", source)) == {"booktabs"}
    (tmp_path / "report.tex").write_text(source)
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "report.tex"], cwd=tmp_path,
        capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "report.pdf").stat().st_size > 5000


@pytest.mark.parametrize(("text", "written"), [
    ("F₁ of 50% & more_", r"F$_{1}$ of 50\% \& more\_"),
    ("Rosales-Méndez & Ramírez", r"Rosales{-}M\'{e}ndez \& Ram\'{\i}rez"),
    (r"\input{x}", r"\textbackslash{}input\{x\}"),
    ("Φ ⊆ λ", r"$\Phi$ $\subseteq$ $\lambda$"),
    ("漢", "[U+6F22]"),
])  # fmt: skip
def test_latex_writes_every_character_in_ascii(text: str, written: str) -> None:
    assert latex.escape(text) == written


# --- HTML, as far as it can be judged without a browser
class _Page(html.parser.HTMLParser):
    """Collects elements, handlers, addresses and the embedded data."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.data = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        if data.startswith("{"):
            self.data = data


@every_sample
def test_the_page_is_self_contained_and_safe(name: str) -> None:
    text = rendered(name, "html")
    page = _Page()
    page.feed(text)
    assert page.elements.count("script") == 2
    assert "img" not in page.elements
    assert not [key for key, _ in page.attributes if key.startswith("on") or key in ("src", "style")]
    links = {value for key, value in page.attributes if key == "href"} - {"data:,", "#grid"}
    assert all(str(link).startswith(("https://doi.org/10.", "https://arxiv.org/abs/")) for link in links)
    assert not re.search(r"url\((?!#)|@import|https?://(?!www\.w3\.org/2000/svg)", _own_parts(text))
    assert "cells" in json.loads(page.data)
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert not set("<>&") & set(data)  # it cannot end its element
    assert name != "hostile" or samples.MARKUP in json.loads(data)["measures"]["ce"]["name"]


def _own_parts(text: str) -> str:
    """The style and the script, which are the package's own."""
    return "".join(re.findall(r"<style>(.*?)</style>|<script>(.*?)</script>", text, re.S)[0])
