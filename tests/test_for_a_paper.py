"""What goes into a paper: a table for LaTeX, a picture as SVG, BibTeX; and what a matrix says where it has no cell."""

import copy
import json
import re
import shutil
import subprocess
import tomllib
import unicodedata
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import results_samples as samples
import yaml
from tools import ROOT, assert_one_sentence, run_inside

import metaeval
from metaeval import Results, reports
from metaeval.records.results import merged
from metaeval.reports import latex, view
from metaeval.runner.plan import Plan

HOSTILE = r"[a_b%c&d#e{f}$^~\] <g> 漢 é"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / "results.json"
    found.write_text(json.dumps(samples.paper_sized()))
    return found


def lacking() -> dict[str, Any]:
    """Results without the cells of three measures: one of partitions, one without a best score, one not run."""
    results = samples.frame(("ce", "ami", "mutual-information", "vi"))
    results["cells"] = samples.paper_sized(("ce",))["cells"]
    for id, one in results["measures"].items():
        one["domain"] = metaeval.measures()[id].domain
    return results


def entries(results: dict[str, Any]) -> dict[tuple[str, str, str], str]:
    return {key: entry.verdict for key, entry in view.build(Results.from_json(results)).entries.items()}


# --- Where there is no cell
def test_what_cannot_be_run_is_told_from_what_was_not() -> None:
    """A measure has a cell to run wherever a plan has one, and the matrix says the same."""
    found, wanted = entries(lacking()), set(Plan.of([*lacking()["measures"]]).cell_ids())
    assert {key for key, verdict in found.items() if verdict == view.NOT_APPLICABLE} == found.keys() - wanted
    assert {key for key, verdict in found.items() if verdict == view.NOT_RUN} == {
        key for key in found.keys() & wanted if key[0] != "ce"
    }
    assert found["ami", "A.1", "canonical"] == found["vi", "A.5", "repeated"] == view.NOT_RUN
    for key in (("ami", "A.1", "literal"), ("ami", "B.1", "canonical"), ("mutual-information", "A.5", "canonical")):
        assert found[key] == view.NOT_APPLICABLE


def test_older_results_do_not_know_what_applies() -> None:
    older = lacking()
    for one in older["measures"].values():
        del one["domain"]
    assert set(entries(older).values()) == {"holds", "violated", view.NOT_RUN}
    new = Results.from_json(lacking())
    for each in older["cells"]:
        each["measure"] = "vi"
        if each["certificate"]:
            each["certificate"]["measure"] = "vi"
    both = merged({"old": Results.from_json(older), "new": new})
    assert both.measures["ami"].domain == "partitions"
    other = copy.deepcopy(lacking())
    other["measures"]["ami"]["domain"] = "biclusterings"
    with pytest.raises(metaeval.InputError, match="describe the measure ami differently"):
        merged({"other": Results.from_json(other), "new": new})


def test_a_run_says_what_a_measure_is_defined_on() -> None:
    for id in ("ami", "ce"):
        results = metaeval.run(measures=[id], conditions=["A.1"], readings=["canonical"], examples=1, exhaustive=2)
        assert results.to_json()["measures"][id]["domain"] == metaeval.measures()[id].domain
        assert Results.from_json(results.to_json()).measures == results.measures


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html"])
def test_the_legend_has_both_signs_where_they_occur(format: str) -> None:
    meanings = [view.LEGEND[one].meaning for one in (view.NOT_RUN, view.NOT_APPLICABLE)]
    text = reports.render(Results.from_json(lacking()), format)
    assert all(meaning in text for meaning in meanings)
    whole = reports.render(Results.from_json(samples.paper_sized()), format)
    shown = whole.partition('<script type="application/json"')[0]  # the data of a page has all
    assert meanings[1] not in shown


# --- Chosen conditions and readings
@pytest.mark.parametrize("format", reports.FORMATS)
def test_every_format_shows_what_is_chosen_in_the_order_that_is_asked(file: Path, format: str) -> None:
    asked = ("report", str(file), "--format", format, "--condition", "b.1", "--condition", "A.1", "--condition", "B.1")
    done = run_inside(*asked, "--reading", "Literal", "--reading", "canonical")
    assert done.code == 0
    results = Results.from_json(samples.paper_sized())
    only = {id: ["literal", "canonical"] for id in ("B.1", "A.1")}
    shown = reports.render(results, format, date=_day(done.out), only=only, files={str(file): list(results.measures)})
    assert done.out == shown
    assert "A.2" not in re.sub(r"(?s)<style>.*?</style>|<script>.*?</script>", "", shown)
    assert shown.index("B.1") < shown.index("A.1") or format == "html"


def _day(page: str) -> str:
    found = re.search(r'<time datetime="([0-9-]+)"', page)
    return found[1] if found else ""


def test_a_choice_changes_no_fate_of_a_claim() -> None:
    """A proof under the reading that is shown does not refute a violation that was found under another one."""
    results = samples.with_proofs()
    for at, each in enumerate(results["cells"][:2]):
        each["claim"] = "violates"
        if at:
            found = samples.paper_sized()["cells"]
            witness = next(one["certificate"] for one in found if one["certificate"] and one["condition"] == "A.1")
            certificate = {**witness, "measure": each["measure"], "reading": each["reading"]}
            each |= {"verdict": "violated", "violations": 1, "certificate": certificate}
            each.pop("unproved")
    whole = view.build(Results.from_json(results))
    chosen = view.build(Results.from_json(results), only={"A.1": ["canonical"]})
    assert [entry.fate for entry in chosen.ordered if entry.measure == "bcubed"] == ["unconfirmed"]
    assert {entry.key: entry.fate for entry in chosen.ordered}.items() <= {e.key: e.fate for e in whole.ordered}.items()


def test_a_comparison_shows_chosen_changes() -> None:
    data = samples.paper_sized()
    new, old = Results.from_json(data), Results.from_json(samples.changed(data))
    every = view.build(new, old)
    first, *_ = every.ordered
    chosen = view.build(new, old, only={first.condition: [first.reading]})
    assert [entry.key for entry in chosen.ordered] == [
        entry.key for entry in every.ordered if entry.key[1:] == first.key[1:]
    ]
    assert [column.id for column in chosen.conditions] == [first.condition]


@pytest.mark.parametrize(("words", "parts"), [
    (["--condition", "A.9"], ["--condition names 'A.9'", "A.1, A.2"]),
    (["--reading", "loose"], ["--reading names 'loose'", "canonical, literal, overlapping, repeated"]),
    (["--condition", "A.1", "--reading", "repeated"], ["'repeated'", "canonical, literal, overlapping"]),
    (["--condition", "A.1", "--condition", "B.4", "--reading", "repeated"], ["A.1 has no reading repeated"]),
    (["--table-only"], ["--table-only", "leave --format text out"]),
    (["--table-only", "--format", "latex", "--compare", "old.json"], ["leave --compare out"]),
    (["--table-only", "--format", "latex", "--consistency", "survey.json"], ["leave --consistency out"]),
])  # fmt: skip
def test_a_choice_that_cannot_be_met_costs_one_sentence(file: Path, words: list[str], parts: list[str]) -> None:
    assert_one_sentence(run_inside("report", str(file), *words), *parts)


# --- A table
def tables() -> dict[str, str]:
    """A table of usual size, one of one reading, and one with hostile names and signs of every kind."""
    hostile = lacking()
    for at, one in enumerate(hostile["measures"].values()):
        one["name"] = HOSTILE if at < 2 else "*" + HOSTILE
    hostile["conditions"] = {f"{id}{HOSTILE}" if id == "B.5" else id: one for id, one in hostile["conditions"].items()}
    hostile["cells"] = [each for each in hostile["cells"] if each["condition"] != "B.5"]
    built = {
        "usual": view.build(Results.from_json(samples.paper_sized())),
        "one": view.build(Results.from_json(samples.every_verdict()), only={"A.1": ["canonical"]}),
        "hostile": view.build(Results.from_json(hostile)),
    }
    return {name: latex.table(report, f"metaeval report 'a\n{HOSTILE}'") for name, report in built.items()}


@pytest.mark.parametrize("name", ["usual", "one", "hostile"])
def test_a_table_is_one_balanced_tabular_in_which_all_is_escaped(name: str) -> None:
    text = tables()[name]
    assert text.isascii()
    comments, lines = [], []
    for line in text.splitlines():
        (comments if line.startswith("%") else lines).append(line)
    assert any("booktabs" in line for line in comments)
    assert any("metaeval report" in line for line in comments)
    assert (lines[0][: len(r"\begin{tabular}")], lines[-1]) == (r"\begin{tabular}", r"\end{tabular}")
    body = "\n".join(lines[1:-1])
    assert not re.search(r"\\(?:begin|end|usepackage|documentclass|input)\b", body)
    plain = re.sub(r"\\[{}$&#%_]", "", body)  # what is escaped
    plain = re.sub(r"\\\\(?=\n|$)", "", plain)
    assert not re.search(r"\\[^a-zA-Z]", plain.replace(r"\'", ""))
    depth = 0
    for char in plain:
        depth += {"{": 1, "}": -1}.get(char, 0)
        assert depth >= 0
    assert depth == 0
    assert plain.count("$") % 2 == 0
    outside = re.sub(r"\$[^$\n]*\$", "", plain)
    assert not re.search(r"[%#^_~<>|]", outside)
    columns = lines[0].count("c", len(r"\begin{tabular}{@{}l")) - lines[0].count("hspace")
    for row in re.sub(r"\\&", "", body).splitlines():
        if "&" in row and "multicolumn" not in row:
            # The rows of the measures end with an empty cell.
            assert row.removesuffix(r" & \\").count("&") == columns
            assert not row.startswith(("[", "*"))


def test_a_table_has_display_names_and_says_what_its_signs_mean(file: Path) -> None:
    done = run_inside("report", str(file), "--format", "latex", "--table-only", "--reading", "canonical")
    assert r"BCubed F$_{1}$ &" in done.out
    assert "mocice" not in done.out.partition(r"\begin")[2]
    note = done.out.partition(r"\bottomrule")[2]
    read = " ".join(re.findall(r"\{@\{\}l@\{\}\}\{(.*)\} \\\\", note))
    assert read.startswith("c canonical; ")
    for sign in ("holds", "violated"):
        assert latex.escape(f"{view.LEGEND[sign].symbol} {view.LEGEND[sign].meaning}") in read
    assert view.LEGEND["timeout"].meaning not in read
    assert f"by: metaeval report {file} --format=latex --table-only --reading=canonical" in done.out


def wide() -> str:
    """A table of fourteen measures, with the widest sign everywhere, under thirty readings."""
    results = samples.frame(list(metaeval.measures())[:14])
    for condition, described in results["conditions"].items():
        described["readings"] = {name: {} for name in ("canonical", "literal", "overlapping")}
        results["cells"] += [samples.cell(id, condition, name) for id in results["measures"]
                             for name in described["readings"]]  # fmt: skip
    return latex.table(view.build(Results.from_json(results)), "")


def test_a_table_compiles_in_another_document(tmp_path: Path) -> None:
    """Fourteen measures, ten conditions and three readings fit the page of a usual article, as the comment says."""
    found = {**tables(), "wide": wide()}
    for name, text in found.items():
        (tmp_path / f"{name}.tex").write_text(text)
    small = r"\centering\scriptsize\setlength{\tabcolsep}{2pt}"
    put = {name: rf"\input{{{name}}}" for name in found}
    put["hostile"] = r"\hbox to 0pt{\input{hostile}\hss}"  # its names are too long for any page
    inputs = "".join(rf"\begin{{table}}[p]{small}{one}\caption{{}}\end{{table}}" for one in put.values())
    document = rf"\documentclass{{article}}\usepackage{{booktabs}}\begin{{document}}{inputs}\end{{document}}"
    (tmp_path / "paper.tex").write_text(document)
    tex, other = shutil.which("pdflatex"), shutil.which("tectonic")
    if tex is None and other is None:
        pytest.skip("no pdflatex and no tectonic on this machine, so that no table was compiled")
    options = ["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"] if tex else ["--keep-logs"]
    done = subprocess.run(
        [str(tex or other), *options, "paper.tex"], cwd=tmp_path, capture_output=True, text=True, errors="replace"
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in (tmp_path / "paper.log").read_text(errors="replace")


# --- A picture
def test_a_picture_is_a_file_of_its_own(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "picture.svg"
    asked = ("explain", "ce/A.3/canonical", "--results", str(file), "--svg", str(out))
    done = run_inside(*asked)
    assert (done.code, done.out) == (0, run_inside(*asked[:-2]).out)
    text = out.read_text(encoding="utf-8")
    assert run_inside(*asked).code == 0
    assert out.read_text(encoding="utf-8") == text
    root = ElementTree.fromstring(text)
    assert {node.tag.removeprefix(SVG) for node in root.iter()} == {
        "svg", "title", "style", "text", "g", "desc", "path", "rect",
    }  # fmt: skip
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|url\(|@import|<image|href", text)
    captions = [node.text for node in root.findall(f"{SVG}text")]
    assert captions[0] == "Gold"
    assert captions[1].startswith("Before: 0.55")
    assert float(root.get("width")) <= 640
    certificate = tmp_path / "certificate.json"
    found = Results.from_json(samples.paper_sized()).cell("ce", "A.3").certificate
    certificate.write_text(json.dumps(found.to_json()))
    assert run_inside("explain", str(certificate), "--svg", str(out)).code == 0
    assert out.read_text(encoding="utf-8") == text


def test_the_example_of_a_condition_is_drawn_under_the_reading(tmp_path: Path) -> None:
    texts = {}
    for words in (["A.3"], ["a.3", "--reading", "Canonical"], ["A.3/overlapping"]):
        assert run_inside("explain", *words, "--svg", str(tmp_path / "one.svg")).code == 0
        texts[words[0]] = (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert texts["A.3"] == texts["a.3"] != texts["A.3/overlapping"]


def test_what_has_no_picture_costs_one_sentence(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "one.svg"
    for words, part in (
        (["mocice"], "counterexample"), (["mocice/B.2", "--results", str(file)], "B.2/canonical has the verdict holds"),
        (["A.3"], "not a writable directory"), (["A.3"], "'-'"),
    ):  # fmt: skip
        name = {"'-'": "-", "not a writable directory": str(tmp_path / "none" / "a.svg")}.get(part, str(out))
        assert_one_sentence(run_inside("explain", *words, "--svg", name), part)
    assert not out.exists()


def test_fills_differ_without_colours() -> None:
    style = (ROOT / "reports" / "templates" / "sheet.css").read_text()
    greys = []
    for colour in re.findall(r"\.hue-\d \{ fill: #(\w{6})", style):
        red, green, blue = (int(colour[at : at + 2], 16) for at in (0, 2, 4))
        greys.append(0.299 * red + 0.587 * green + 0.114 * blue)
    assert len(greys) == 7
    assert min(greys) > 140  # black letters are read on them
    first = sorted(greys[:3])
    assert all(darker + 25 < lighter for darker, lighter in pairwise(first))


# --- A citation
def test_the_citation_is_one_in_all_places() -> None:
    stated = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    entries = bibliography(run_inside("cite").out)
    kind, own = entries.pop("metaeval")
    assert kind == "software"
    assert own["title"] == stated["title"] == project["name"]
    assert own["version"] == stated["version"] == project["version"] == metaeval.__version__
    assert own["license"] == stated["license"] == project["license"]
    assert own["author"].strip("{}") == stated["authors"][0]["name"] == project["authors"][0]["name"]
    assert own["year"] == str(stated["date-released"].year)
    [(kind, paper)], [reference] = entries.values(), stated["references"]
    assert kind == "misc"
    assert paper["year"] == str(reference["year"])
    assert paper["url"] == reference["url"] == f"https://arxiv.org/abs/{reference['identifiers'][0]['value'][6:]}"
    assert re.sub(r"[{}]", "", paper["title"]) == reference["title"]
    plain = re.sub(r"\{\\'(.)\}", "\\1\u0301", paper["author"])
    names = " and ".join(f"{one['family-names']}, {one['given-names']}" for one in reference["authors"])
    assert unicodedata.normalize("NFC", plain) == names


def test_works_are_cited_by_what_cites_them() -> None:
    entries = bibliography(run_inside("cite", "BCUBED", "a.3", "gosgens2021", "mocice").out)
    assert entries["amigo2009"][1]["url"] == "https://doi.org/10.1007/s10791-008-9066-8"
    assert entries["gosgens2021"][1]["year"] == "2021"
    every = [id for one in (metaeval.measures(), metaeval.conditions()) for id, known in one.items()
             if re.search(r" \d{4}\b", known.citation)]  # fmt: skip
    many = bibliography(run_inside("cite", *every).out)
    assert len(many) > 20
    for key, (_, fields) in many.items():
        assert {"author", "year"} <= fields.keys(), key
    assert_one_sentence(run_inside("cite", "nothing"), "'nothing'", "expected a measure, a condition or a source")


def bibliography(text: str) -> dict[str, tuple[str, dict[str, str]]]:
    """BibTeX as fields by key; braces must be balanced, keys must differ."""
    assert text.isascii()
    found: dict[str, tuple[str, dict[str, str]]] = {}
    for entry in text.strip().split("\n\n"):
        first, *lines, last = entry.splitlines()
        kind, key = re.fullmatch(r"@(\w+)\{([a-z0-9-]+),", first).groups()
        assert last == "}"
        assert entry.count("{") == entry.count("}")
        assert key not in found
        found[key] = kind, dict(re.fullmatch(r"  (\w+) = \{(.*)\},", line).groups() for line in lines)
    return found
