"""The command line: what it prints, where, and how it ends."""

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

import click
import pytest
from tools import ROOT, Outcome, assert_ends, assert_one_sentence, run_inside, run_process, words

import metaeval
from metaeval import cli
from metaeval.cli import dispatch, tables
from metaeval.cli.commands.score import score_row
from metaeval.exact import parse
from metaeval.files import json_file as files
from metaeval.files.user_file import read
from metaeval.kernel.overlay import LARGE, overlay
from metaeval.literature.shelf import PAPER

GOLD = ROOT / "examples" / "gold.json"
FOUND = ROOT / "examples" / "found.json"
PAIR = ["--gold", str(GOLD), "--candidate", str(FOUND)]
#: What is scored where nothing is named, and what can score any pair.
DEFAULT = [id for id in metaeval.measures() if id in PAPER.measures]
DEFINED = [id for id, measure in metaeval.measures().items() if measure.domain == "biclusterings"]


Run = Callable[..., Outcome]


@pytest.fixture(params=[run_inside, run_process], ids=["inside", "process"])
def run(request: pytest.FixtureRequest) -> Run:
    chosen: Run = request.param
    return chosen


#: What is wrong -> the file's bytes, and what the message must name. What else a family may be is in test_model.py.
BAD_FILES: dict[str, tuple[bytes, list[str]]] = {
    "negative row": (b'{"biclusters": [{"rows": [-3], "cols": [0]}]}', ["row", "-3"]),
    "shape of three": (b'{"shape": [1, 2, 3], "biclusters": []}', ["shape", "[1, 2, 3]"]),
    "no object": (b"12", ["not 12"]),
    "number": (b"42", ["42"]),
    "empty file": (b"", ["not JSON", "line 1"]),
    "not JSON": (b'{"shape":\n [2, 2],,}', ["not JSON", "line 2, column 9"]),
    "NaN": (b'{"shape": NaN}', ["NaN"]),
    "Infinity": (b'{"shape": -Infinity}', ["-Infinity"]),
    "overflowing float": (b'{"shape": 1e999}', ["1e999"]),
    "absurd integer": (b"9" * 5000, ["99999", "5000 digits"]),
    "deep nesting": (b"[" * 200_000, ["nested too deeply"]),
    "repeated key": (b'{"biclusters": [], "biclusters": []}', ["'biclusters'", "twice"]),
    "binary": (b"\x89PNG\r\n\x1a\n\x00", ["UTF-8", "0x89 at position 0"]),
}


@pytest.mark.parametrize("wrong", BAD_FILES)
def test_bad_file_costs_one_sentence(wrong: str, tmp_path: Path) -> None:
    content, parts = BAD_FILES[wrong]
    bad = tmp_path / "bad.json"
    bad.write_bytes(content)
    for pair in ((bad, FOUND), (GOLD, bad)):
        args = ["score", "--gold", str(pair[0]), "--candidate", str(pair[1])]
        assert_one_sentence(run_inside(*args), "bad.json", *parts)
    if wrong in ("negative row", "deep nesting"):  # a process of its own says the same
        assert_one_sentence(run_process(*args), "bad.json", *parts)


@pytest.mark.parametrize(("args", "parts"), [
    (["scor"], ["'scor'", "did you mean 'score'?"]),
    (["frobnicate"], ["'frobnicate'", "metaeval --help"]),
    (["--frobnicate"], ["--frobnicate"]),
    (["score"], ["--gold", "metaeval score --help"]),
    (["score", *PAIR, "--frobnicate"], ["--frobnicate"]),
    (["score", *PAIR, "surplus"], ["surplus"]),
    (["score", *PAIR, "--measure", "mocise"], ["'mocise'", "did you mean 'mocice'?"]),
    (["score", *PAIR, "--measure", ""], ["''"]),
    (["score", "--gold", "-", "--candidate", "-"], ["standard input"]),
    (["score", "--gold", "nowhere.json", "--candidate", str(FOUND)], ["nowhere.json", "does not exist"]),
    (["score", "--gold", str(GOLD), "--candidate", str(ROOT)], [str(ROOT), "directory"]),
    # An odd name keeps the sentence on one line.
    (["score", "--gold", "a\nb.json", "--candidate", str(FOUND)], ["a b.json"]),
    (["list", "everything"], ["everything", "measures", "conditions"]),
])  # fmt: skip
def test_bad_usage_costs_one_sentence(args: list[str], parts: list[str]) -> None:
    assert_one_sentence(run_inside(*args), *parts)
    if args[0] != "score":
        assert_one_sentence(run_process(*args), *parts)


def test_score_prints_every_measure_of_the_suite() -> None:
    outcome = run_inside("score", *PAIR)
    assert (outcome.code, outcome.err) == (0, "")
    assert len(DEFAULT) == 12
    assert [line.split()[0] for line in outcome.out.splitlines()[2:]] == DEFAULT


def test_score_as_json_says_what_the_api_says(run: Run) -> None:
    outcome = run("score", *PAIR, "--json", *chosen(DEFINED))
    gold, found = read(GOLD).biclustering, read(FOUND).biclustering
    answers = json.loads(outcome.out)
    assert list(answers) == DEFINED
    for id, answer in answers.items():
        assert answer["float"] == metaeval.score(id, found, gold)
        stated = Fraction(answer["exact"]) if answer["exact"].isascii() else parse(answer["exact"])
        assert stated == metaeval.score(id, found, gold, exact=True)


def chosen(ids: list[str]) -> list[str]:
    return words("--measure", ids)


def test_score_exact_shows_fractions_and_the_logarithms_of_vi() -> None:
    outcome = run_inside("score", *PAIR, "--exact", "--measure", "rnia", "--measure", "vi", "--measure", "rnia")
    lines = [line.split(maxsplit=3) for line in outcome.out.splitlines()[2:]]
    assert lines == [["rnia", "RNIA", "0.833333", "5/6"], ["vi", "VI", "-0.752039", "1/2·log 2 − log 3"]]


def test_score_reads_standard_input(run: Run) -> None:
    outcome = run("score", "--gold", "-", "--candidate", str(GOLD), "--json", input=GOLD.read_text())
    assert json.loads(outcome.out)["mocice"] == {"float": 1.0, "exact": "1"}
    bad = run_inside("score", "--gold", "-", "--candidate", str(GOLD), input="{")
    assert_one_sentence(bad, "standard input is not JSON")


def test_score_of_empty_biclusterings(tmp_path: Path) -> None:
    empty = tmp_path / "empty.json"
    empty.write_text('{"shape": [0, 0], "biclusters": []}')
    outcome = run_inside("score", "--gold", str(empty), "--candidate", str(empty), "--json", *chosen(DEFINED))
    scores = {id: answer["float"] for id, answer in json.loads(outcome.out).items()}
    assert scores == {id: metaeval.measures()[id].optimum for id in DEFINED}


@pytest.fixture
def odd_measures() -> Iterator[None]:
    def raising(candidate: Any, gold: Any) -> float:
        raise ZeroDivisionError("no\ndivision " + "x" * 900)

    def undefined(candidate: Any, gold: Any) -> float:
        raise metaeval.Undefined("too small")

    odd: dict[str, Callable[[Any, Any], Any]] = {
        "odd-raising": raising, "odd-undefined": undefined, "odd-infinite": lambda candidate, gold: float("-inf"),
        "odd-nan": lambda candidate, gold: float("nan"), "odd-zero": lambda candidate, gold: 1 / 0,
        "odd-none": lambda candidate, gold: None, "odd-true": lambda candidate, gold: True,
    }  # fmt: skip
    for id, function in odd.items():
        metaeval.measure(id)(function)
    yield
    for id in odd:
        metaeval.forget(id)


@pytest.mark.usefixtures("odd_measures")
def test_a_measure_that_raises_costs_its_own_row() -> None:
    table = run_inside("score", *PAIR, "--exact")
    assert table.code == 1
    assert all(len(line) < 250 for line in table.out.splitlines())
    rows = {line.split()[0]: line for line in table.out.splitlines()[2:] if not line.startswith(" ")}
    assert set(rows) == {*DEFAULT, *(id for id in metaeval.measures() if id.startswith("odd-"))}
    flat = " ".join(table.out.split())
    assert "odd-raising odd-raising - - ZeroDivisionError: no division" in flat
    assert "undefined: too small" in flat
    assert "5/6" in rows["rnia"]
    answers = json.loads(run_inside("score", *PAIR, "--json").out)
    assert answers["odd-raising"]["float"] is None
    assert answers["odd-raising"]["error"].startswith("ZeroDivisionError: no division")
    assert answers["odd-infinite"] == {"float": "-inf", "exact": None}
    assert answers["odd-nan"] == {"float": "nan", "exact": None}
    assert "TypeError" in answers["odd-none"]["error"]
    assert answers["odd-true"] == {"float": 1.0, "exact": None}
    assert answers["rnia"]["exact"] == "5/6"
    for id, code in {"rnia": 0, "odd-undefined": 0, "odd-nan": 0, "odd-raising": 1, "odd-none": 1}.items():
        for more in ([], ["--json"], ["--exact"]):
            assert_ends(run_inside("score", *PAIR, *chosen([id, "ce"]), *more), code, id)


def test_a_measure_of_ones_own_that_leaves_fails(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("import os\ndef leaving(candidate, gold):\n    os._exit(0)\n")
    assert_ends(run_inside("score", *PAIR, "--measure", f"{file}:leaving"), 1, "its process ended with exit code 0")


@pytest.mark.usefixtures("odd_measures")
def test_list_tells_exact_from_float() -> None:
    rows = [line.split() for line in run_inside("list", "measures", COLUMNS="200").out.splitlines()]
    forms = {row[0]: next(word for word in row if word in ("exact", "float", "?")) for row in rows[2:]}
    assert {id for id, form in forms.items() if form == "float"} >= {"odd-infinite"}
    assert forms["mocice"] == forms["ce"] == forms["vi"] == "exact"
    assert forms["odd-zero"] == "?"


def test_large_inputs_go_without_exact_scores_unless_asked() -> None:
    large = metaeval.Biclustering([({i, i + 1}, {j, j + 1}) for i in range(0, 24) for j in range(0, 12)])
    assert len(overlay(large, large).atoms) >= LARGE
    mocice = metaeval.measures()["mocice"]
    assert score_row(mocice, large, large, exact=False).exact is None
    assert score_row(mocice, large, large, exact=True).exact is not None


@pytest.mark.parametrize("columns", [50, 60, 80, 132])
def test_list_names_everything_and_fits_the_terminal(columns: int) -> None:
    lines = run_inside("list", COLUMNS=str(columns)).out.splitlines()
    assert {*metaeval.measures(), *metaeval.conditions()} <= {line.split()[0] for line in lines if line}
    assert max(map(len, lines)) <= columns


def test_a_table_into_a_pipe_is_not_cut_and_needs_no_unicode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    done = run_process("list", "measures", PYTHONIOENCODING="ascii")
    assert done.code == 0
    assert {*metaeval.measures()} <= {line.split()[0] for line in done.out.splitlines() if line}
    assert not {*metaeval.conditions()} & {*done.out.split()}
    assert {*metaeval.conditions()} <= {*run_inside("list", "conditions").out.split()}
    assert "…" not in run_process("list", "measures").out


@pytest.mark.usefixtures("odd_measures")
def test_list_keeps_families_together_and_has_measures_of_none_last() -> None:
    rows = [line.split() for line in run_inside("list", "measures", COLUMNS="200").out.splitlines()[2:]]
    assert all(id.startswith("odd-") for id, *_ in rows[-7:])
    families = {id: family for id, family, *_ in rows if id in DEFINED}
    assert [family for family, _ in groupby(families.values())] == list(dict.fromkeys(families.values()))
    assert set(families.values()) == {*metaeval.measures.FAMILIES}
    assert families["csi"] == families["rand"] == "pairs"


def test_tables_leave_ids_that_look_like_numbers_alone() -> None:
    assert {"1e5", "0010"} <= {*tables.render(["id", "text"], [["1e5", "0010"]]).split()}


def test_without_arguments_it_prints_help(run: Run) -> None:
    bare = run()
    assert bare == run_inside("--help")
    assert bare.code == 0
    for name, summary in dispatch.COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(summary)}$", bare.out, re.MULTILINE)


@pytest.mark.parametrize("name", dispatch.COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    outcome = run_inside(name, "--help")
    assert outcome.code == 0
    _, found, example = outcome.out.partition("Example")
    assert found
    assert f"metaeval {name}" in example


def test_every_command_file_is_in_the_overview() -> None:
    folder = Path(cli.__file__).parent / "commands"
    holding = {path.stem for path in folder.glob("*.py") if re.search("^def command", path.read_text(), re.M)}
    assert holding == set(dispatch.COMMANDS)


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"metaeval {metaeval.__version__}\n", "")


def modules_after(*args: str) -> set[str]:
    code = (
        "import sys; from metaeval.cli import main\n"
        "try: main(sys.argv[1:], prog_name='metaeval')\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    done = run_process(*args, code=code)
    assert done.code == 0
    return set(done.err.split())


def test_little_is_loaded_for_little() -> None:
    heavy = {"numpy", "scipy", "hypothesis", "pytest", "jinja2", "rich", "tabulate", "metaeval.core.biclustering"}
    for loaded in (modules_after("--version"), modules_after()):
        assert "metaeval.cli" in loaded
        assert not loaded & heavy
    assert not modules_after("cache") & {"hypothesis", "pytest"}
    loaded = modules_after("list", "--help")
    assert "metaeval.cli.commands.list" in loaded
    assert "metaeval.cli.commands.score" not in loaded


def test_neither_help_nor_scores_load_the_prover_or_scipy() -> None:
    """Situations are data of the conditions; everything else in proofs/ derives or runs."""
    rules = {f"metaeval.proofs.{path.stem}" for path in (ROOT / "metaeval" / "proofs").glob("[!_]*.py")}
    for command in (["--help"], ["score", *PAIR], ["score", *PAIR, "--measure", "bcubed", "--exact"]):
        assert not modules_after(*command) & ({"scipy", "flint", *rules} - {"metaeval.proofs.situation"})


def in_score(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> Outcome:
    def fail(path: object, format: object) -> None:
        raise error

    monkeypatch.setattr("metaeval.cli.commands.score.read", fail)
    return run_inside("score", *PAIR)


def test_system_errors_cost_one_sentence_and_a_bug_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_one_sentence(in_score(monkeypatch, PermissionError(13, "Permission denied", "x.json")), "x.json: Perm")
    assert_one_sentence(in_score(monkeypatch, UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad")), "utf-8")
    assert_one_sentence(in_score(monkeypatch, metaeval.MetaevalError("no\nway")), "no way")
    assert in_score(monkeypatch, KeyboardInterrupt()) == (130, "", "metaeval: interrupted\n")
    with pytest.raises(ZeroDivisionError):
        in_score(monkeypatch, ZeroDivisionError())


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_closed_pipe_is_quiet_and_a_full_disk_costs_one_sentence() -> None:
    def score_into(target: Any) -> Outcome:
        command = [sys.executable, "-m", "metaeval", "score", *PAIR]
        done = subprocess.run(command, stdout=target, stderr=subprocess.PIPE, text=True)
        return Outcome(done.returncode, "", done.stderr)

    reading, writing = os.pipe()
    os.close(reading)
    assert score_into(writing) == (141, "", "")
    os.close(writing)
    with open("/dev/full", "w") as full:
        assert_one_sentence(score_into(full), "No space left")


def test_a_broken_plug_in_costs_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def warning() -> None:
        warnings.simplefilter("always")
        warnings.warn("the plug-in\n'x' adds no measure", stacklevel=1)

    monkeypatch.setattr("metaeval.cli.commands.list.command", warning)
    assert run_inside("list") == (0, "", "metaeval: warning: the plug-in 'x' adds no measure\n")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out.json"
    files.write_atomically(target, '{"a": "é"}')
    assert files.read_json(target) == {"a": "é"}
    target.chmod(0o640)
    files.write_atomically(target, "[]")
    assert target.stat().st_mode & 0o777 == 0o640

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(metaeval.InputError, match=r"out\.json cannot be written: No space left"):
        files.write_atomically(target, "new")
    assert target.read_text() == "[]"
    assert os.listdir(tmp_path) == ["out.json"]


def test_writing_follows_links_and_spares_devices(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    link.symlink_to(target)
    files.write_atomically(link, "1")
    assert link.is_symlink()
    assert target.read_text() == "1"
    files.write_atomically("/dev/null", "1")
    assert Path("/dev/null").is_char_device()
    for nowhere in (tmp_path, tmp_path / "no" / "where"):
        with pytest.raises(metaeval.InputError, match="cannot be written"):
            files.write_atomically(nowhere, "1")
    # A file with a byte order mark is read.
    target.write_bytes(b"\xef\xbb\xbf" + GOLD.read_bytes())
    assert read(target) == replace(read(GOLD), source=str(target))


README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^\$ metaeval (score .*|list .*)\n((?:.*\n)*?)(?=\$|```)", README, re.MULTILINE)


@pytest.mark.parametrize(("command", "output"), SHOWN)
def test_the_readme_shows_what_is_printed(
    command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In an empty folder: no command needs a checkout."""
    monkeypatch.chdir(tmp_path)
    assert "`metaeval examples .`" in README
    assert run_inside("examples", ".").code == 0
    assert run_inside(*shlex.split(command)).out == output


def test_the_readme_has_examples_that_run() -> None:
    assert SHOWN
    outcome = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert outcome.attempted
    assert not outcome.failed
