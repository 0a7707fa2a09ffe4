"""Other names of measures, cells under the names that reports print, and what a shell completes."""

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import results_samples as samples
from tools import ROOT, assert_ends, assert_one_sentence, run_inside, run_process

import metaeval
from metaeval import Biclustering, InputError, reports
from metaeval.catalogue.aliases import OTHER_NAMES, resolved
from metaeval.catalogue.condition import READINGS
from metaeval.cli.dispatch import main
from metaeval.literature.shelf import SUITES
from metaeval.records.results import Results
from metaeval.runner.plan import Plan

PAIR = Biclustering.from_labels([0, 0, 1, 1]), Biclustering.from_labels([0, 0, 1, 2])

# --- other names of measures


@pytest.mark.parametrize(("name", "id"), [
    ("ari", "adjusted-rand"), ("ARI", "adjusted-rand"), ("adjusted_rand_score", "adjusted-rand"), ("nmi", "nmi"),
    ("ami", "ami"), ("b3", "bcubed"), ("B-cubed", "bcubed"), ("bcubed", "bcubed"), ("f-measure", "f-measure"),
    ("F measure", "f-measure"), ("vi", "vi"), ("ri", "rand"), ("rand-index", "rand"), ("Rand index", "rand"),
    ("rand", "rand"), ("jaccard", "jaccard"), ("fm", "fowlkes-mallows"), ("fmi", "fowlkes-mallows"),
    ("fowlkes_mallows_score", "fowlkes-mallows"), ("v", "v-measure"), ("v_measure_score", "v-measure"),
    ("omega-index", "omega"), ("mutual_info_score", "mutual-information"), ("consensus_score", "consensus"),
])  # fmt: skip
def test_another_name_means_one_id(name: str, id: str) -> None:
    assert metaeval.score(name, *PAIR) == metaeval.score(id, *PAIR)
    assert [measure.id for measure in Plan.of([name]).measures] == [id]


@pytest.mark.parametrize(("name", "ids"), [
    ("f1", ["f-measure", "purity-f", "dice", "f1a", "f1h"]), ("extended-bcubed", ["bcubed", "ebc"]),
    ("normalized_mutual_info_score", ["nmi", "nmi-max"]), ("adjusted-mutual-information", ["ami", "ami-geometric"]),
])  # fmt: skip
def test_an_ambiguous_name_is_refused_and_every_measure_named(name: str, ids: list[str]) -> None:
    with pytest.raises(InputError, match="can mean") as caught:
        metaeval.score(name, *PAIR)
    assert all(id in str(caught.value) for id in (name, *ids))
    commands = (["check", name], ["run", "--measure", name], ["explain", name])
    for command in (*commands, ["score", "--gold", "-", "--candidate", "x", "--measure", name]):
        assert_one_sentence(run_inside(*command), f"'{name}' can mean")


def test_scikit_learn_s_names_mean_the_same_scores() -> None:
    """The table against somebody else's: each of these functions has the default that the id stands for."""
    metrics = pytest.importorskip("sklearn.metrics")
    labels = [0, 0, 1, 1], [0, 0, 1, 2]
    for name in ("adjusted_rand_score", "rand_score", "fowlkes_mallows_score", "v_measure_score", "mutual_info_score"):
        assert metaeval.score(name, *PAIR) == pytest.approx(getattr(metrics, name)(labels[1], labels[0])), name
    assert metaeval.score("nmi", *PAIR) == pytest.approx(metrics.normalized_mutual_info_score(*labels))


def test_the_table_names_registered_measures_and_hides_none() -> None:
    known = metaeval.measures()
    assert {*OTHER_NAMES} <= {*known}
    names = [name for text in OTHER_NAMES.values() for name in text.split()]
    assert not {*names} & {*known}
    for name, often in Counter(names).items():
        ids = [id for id, text in OTHER_NAMES.items() if name in text.split()]
        if often == 1:
            assert resolved(name, known) == ids[0]
        else:
            with pytest.raises(InputError, match=" or "):
                resolved(name, known)
    for id, measure in known.items():
        assert resolved(id, known) == id
        assert resolved(measure.name, known) in (id, measure.name), measure.name


def test_an_exact_id_always_wins() -> None:
    """Also where another measure is called so."""
    metaeval.measure("f1")(lambda candidate, gold: 7)
    metaeval.measure("ari")(lambda candidate, gold: 8)
    try:
        assert (metaeval.score("f1", *PAIR), metaeval.score("ARI", *PAIR)) == (7, 8)
    finally:
        metaeval.forget("f1")
        metaeval.forget("ari")
    assert metaeval.score("ari", *PAIR) == metaeval.score("adjusted-rand", *PAIR)


def test_results_have_the_id_and_commands_take_the_name(tmp_path: Path) -> None:
    few = ["--condition", "A.1", "--reading", "canonical", "--quick", "--no-proofs", "--examples", "0", "--quiet"]
    file = tmp_path / "results.json"
    assert run_inside("run", "--measure", "ari", *few, "--out", str(file)).code == 0
    assert [*json.loads(file.read_text())["measures"]] == ["adjusted-rand"]
    done = run_inside("check", "b3", *few, "--exhaustive", "3", "--json")
    assert done.code == 0
    assert '"bcubed"' in done.out
    told = run_inside("explain", "ari/A.1/canonical", "--results", str(file)).out
    assert told == run_inside("explain", "adjusted-rand/A.1/canonical", "--results", str(file)).out
    (tmp_path / "x.csv").write_text("a,1\nb,1\nc,2\n")
    files = ["--gold", str(tmp_path / "x.csv"), "--candidate", str(tmp_path / "x.csv")]
    done = run_inside("score", *files, "--measure", "fmi", "--measure", "fowlkes-mallows", "--json")
    assert [*json.loads(done.out)] == ["fowlkes-mallows"]


def test_a_certificate_of_a_measure_that_nobody_knows_is_not_checked_with_a_namesake(tmp_path: Path) -> None:
    """A function of the user's called ri is not the Rand index."""
    results = Results.load(ROOT / "docs" / "results.json")
    certificate = next(cell.certificate for cell in results if cell.measure == "rand" and cell.certificate is not None)
    (tmp_path / "certificate.json").write_text(json.dumps({**certificate.to_json(), "measure": "ri"}))
    assert metaeval.score("ri", *PAIR) == metaeval.score("rand", *PAIR)
    assert_ends(run_inside("verify", str(tmp_path / "certificate.json")), 1, "no measure 'ri' is registered")


def test_explain_shows_the_other_names() -> None:
    told = run_inside("explain", "ari", COLUMNS="80").out
    assert told == run_inside("explain", "adjusted-rand", COLUMNS="80").out == metaeval.explain("ari", width=80) + "\n"
    assert "Also called: ari." in told
    assert "Also called" not in run_inside("explain", "rnia").out


def test_extended_bcubed_is_one_measure_in_every_text() -> None:
    """It is the id ebc: only the texts about that measure and about its source have the words."""
    paths = [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/sources/*"), *ROOT.glob("*.md"), *ROOT.glob("benchmarks/*.py")]
    paths += [
        path for folder in ("measures", "reports", "metaeval", "conditions") for path in ROOT.glob(f"{folder}/**/*.py")
    ]
    said = {path.name for path in paths if "extended bcubed" in path.read_text(encoding="utf-8").lower()}
    assert said == {"ebc.py", "horta2014.py", "horta2014.txt", "the-atlas.md"}
    assert [id for id, measure in metaeval.measures().items() if "Extended" in measure.name] == ["ebc"]


# --- measures in a table


@pytest.mark.parametrize("columns", [80, 120])
def test_list_has_a_column_of_domains_and_leaves_room_for_the_summary(columns: int) -> None:
    header, rule, *rows = run_inside("list", "measures", COLUMNS=str(columns)).out.splitlines()
    names = header.split()
    assert {"measure", "domain", "summary"} <= {*names}
    at = header.index("domain")
    assert {row.split()[0]: row[at:].split()[0] for row in rows} == {
        id: measure.domain for id, measure in metaeval.measures().items()
    }
    assert len(rule) - header.index("summary") >= 36
    assert max(map(len, rows)) <= columns


# --- cells under the names that reports print


def test_cells_are_found_under_every_name_that_reports_print(tmp_path: Path) -> None:
    data = samples.paper_sized()
    results = Results.from_json(data)
    (tmp_path / "results.json").write_text(json.dumps(data))
    entries = [entry for entry in reports.build(results).entries.values() if entry.cell is not None]
    assert len({entry.name for entry in entries}) == len(entries)
    for entry in entries[:: len(entries) // 12]:
        told = metaeval.explain("/".join(entry.key), results=results)
        for name in (entry.name, entry.name.upper(), entry.link):
            assert metaeval.explain(name, results=results) == told, name
    done = run_inside("explain", entries[0].name, "--results", str(tmp_path / "results.json"))
    assert done.out == run_inside("explain", "/".join(entries[0].key), "--results", str(tmp_path / "results.json")).out
    wrong = run_inside("explain", "mocice-A9c", "--results", str(tmp_path / "results.json"))
    assert_one_sentence(wrong, "'mocice-A9c' names no cell")


def test_a_reading_that_nobody_knows_has_the_letter_of_the_report() -> None:
    data = samples.paper_sized()
    (cell,) = [cell for cell in data["cells"] if (cell["measure"], cell["condition"]) == ("ce", "A.1")][:1]
    data["conditions"]["A.1"]["readings"]["loose"] = {"adds": "", "scope": ""}
    data["cells"] = [{**cell, "reading": "loose", "verdict": "holds", "certificate": None, "violations": None}]
    results = Results.from_json(data)
    (entry,) = [entry for entry in reports.build(results).entries.values() if entry.cell is not None]
    assert entry.name != "ce-A1l"
    assert metaeval.explain(entry.name, results=results) == metaeval.explain("ce/A.1/loose", results=results)


# --- completion


def offered(*words: str) -> list[tuple[str, str]]:
    """What click's completion for bash gives for a command line, its last word being under way."""
    line = {"COMP_WORDS": " ".join(("metaeval", *words)), "COMP_CWORD": str(len(words))}
    done = run_inside(_METAEVAL_COMPLETE="bash_complete", **line)
    assert done.err == ""
    return [(kind, value) for kind, _, value in (entry.partition(",") for entry in done.out.splitlines())]


def names(*words: str) -> list[str]:
    return [value for kind, value in offered(*words) if kind == "plain"]


@pytest.mark.parametrize("command", [["check", ""], ["score", "--measure", ""], ["run", "--measure", ""]])
def test_a_shell_completes_measures_or_files(command: list[str]) -> None:
    assert names(*command) == [*metaeval.measures()]
    assert offered(*command)[0] == ("file", "")
    assert names(*command[:-1], "Adj") == ["adjusted-rand"]
    assert offered(*command[:-1], "own.p") == [("file", "own.p")]


def test_a_shell_completes_conditions_readings_and_suites() -> None:
    conditions = sorted(metaeval.conditions())
    for command in ("check", "run", "consistency"):
        assert names(command, "--condition", "") == conditions
        assert names(command, "--condition", "s.") == ["S.1", "S.2", "S.3", "S.4"]
        assert names(command, "--suite", "") == [*SUITES]
        assert names(command, "--reading", "") == [*READINGS]
    assert names("explain", "--reading", "l") == names("list", "--reading", "l") == ["literal"]
    assert names("explain", "") == [*conditions, *metaeval.measures()]
    assert names("explain", "A.") == [id for id in conditions if id.startswith("A.")]


def test_completion_loads_nothing_that_is_slow() -> None:
    code = "import sys; from metaeval.cli import main\ntry: main(prog_name='metaeval')\nfinally: print(*sys.modules)"
    for words in ("check ", "run --condition "):
        line = {"COMP_WORDS": f"metaeval {words}", "COMP_CWORD": str(len(words.split()) + 1)}
        done = run_process(code=code, _METAEVAL_COMPLETE="bash_complete", **line)
        assert done.code == 0, done.err
        loaded = {*done.out.splitlines()[-1].split()}
        assert "metaeval.cli.options" in loaded
        assert not loaded & {"numpy", "scipy", "hypothesis", "pytest", "rich", "flint", "pandas", "jinja2"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_line_that_switches_completion_on_prints_a_script(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("click.shell_completion")
    monkeypatch.setenv("PATH", os.environ["PATH"])
    done: Any = run_process(_METAEVAL_COMPLETE=f"{shell}_source")
    if shell == "bash" and done.code:
        pytest.skip("no bash of version 4.4 here")
    assert "_METAEVAL_COMPLETE" in done.out
    assert main.name == "main"
