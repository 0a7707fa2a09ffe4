"""The command line: what it prints, where, and how it ends."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
from click.testing import CliRunner

import metaeval
from metaeval import cli
from metaeval.cli import dispatch, tables
from metaeval.cli.commands.score import score_row
from metaeval.exact import parse
from metaeval.files import json_file as files
from metaeval.files.user_file import read
from metaeval.kernel.overlay import LARGE, overlay
from metaeval.literature.shelf import PAPER

ROOT = Path(__file__).resolve().parent.parent
GOLD = ROOT / "examples" / "gold.json"
FOUND = ROOT / "examples" / "found.json"
PAIR = ["--gold", str(GOLD), "--candidate", str(FOUND)]
#: What is scored where nothing is named, and what can score any pair.
DEFAULT = [id for id in metaeval.measures() if id in PAPER.measures]
DEFINED = [id for id, measure in metaeval.measures().items() if measure.domain == "biclusterings"]


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


def run_process(*args: str, input: str | None = None, **environment: str) -> Outcome:
    done = subprocess.run(
        [sys.executable, "-m", "metaeval", *args],
        input=input,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **environment},
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def run_inside(*args: str, input: str | None = None) -> Outcome:
    result = CliRunner().invoke(cli.main, list(args), prog_name="metaeval", input=input)
    return Outcome(result.exit_code, result.stdout, result.stderr)


@pytest.fixture(params=[run_inside, run_process], ids=["inside", "process"])
def run(request: pytest.FixtureRequest) -> Run:
    chosen: Run = request.param
    return chosen


def assert_one_sentence(outcome: Outcome, *parts: str) -> None:
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("metaeval: ")
    assert outcome.err.count("\n") == 1
    assert outcome.err.endswith("\n")
    assert "Traceback" not in outcome.err
    for part in parts:
        assert part in outcome.err


def family(rows: str = "[0]", cols: str = "[0]", shape: str = "[2, 2]") -> bytes:
    return f'{{"shape": {shape}, "biclusters": [{{"rows": {rows}, "cols": {cols}}}]}}'.encode()


#: What is wrong -> the file's bytes, and what the message must name.
BAD_FILES: dict[str, tuple[bytes, list[str]]] = {
    "no rows": (family(rows="[]"), ["bicluster 1", "no rows"]),
    "no columns": (family(cols="[]"), ["bicluster 1", "no columns"]),
    "negative row": (family(rows="[-3]"), ["row", "-3"]),
    "negative column": (family(cols="[0, -1]"), ["column", "-1"]),
    "text as row": (family(rows='["x"]'), ["row", "'x'"]),
    "bool as row": (family(rows="[true]"), ["row", "True"]),
    "float as row": (family(rows="[1.0]"), ["row", "1.0"]),
    "null as row": (family(rows="[null]"), ["row", "None"]),
    "rows no list": (family(rows="7"), ['"rows"', "7"]),
    "row outside": (family(rows="[5]"), ["row 5", "(2, 2)"]),
    "column outside": (family(cols="[9]"), ["column 9", "(2, 2)"]),
    "shape of three": (family(shape="[1, 2, 3]"), ["shape", "[1, 2, 3]"]),
    "negative shape": (family(shape="[-1, 2]"), ["shape", "-1"]),
    "shape no list": (family(shape='"2x2"'), ["shape", "2x2"]),
    "unknown key": (b'{"shape": [1, 1], "clusters": []}', ["'clusters'"]),
    "no biclusters": (b'{"shape": [1, 1]}', ['"biclusters"']),
    "no object": (b"[1, 2]", ["[1, 2]"]),
    "number": (b"42", ["42"]),
    "empty file": (b"", ["not JSON", "line 1"]),
    "not JSON": (b'{"shape":\n [2, 2],,}', ["not JSON", "line 2, column 9"]),
    "NaN": (family(rows="[NaN]"), ["NaN"]),
    "Infinity": (family(rows="[-Infinity]"), ["-Infinity"]),
    "overflowing float": (family(rows="[1e999]"), ["1e999"]),
    "absurd integer": (family(rows=f"[{'9' * 5000}]"), ["99999", "5000 digits"]),
    "deep nesting": (b"[" * 200_000, ["nested too deeply"]),
    "repeated key": (b'{"biclusters": [], "biclusters": []}', ["'biclusters'", "twice"]),
    "binary": (b"\x89PNG\r\n\x1a\n\x00", ["UTF-8", "0x89"]),
}


@pytest.mark.parametrize("wrong", BAD_FILES)
def test_bad_file_costs_one_sentence(wrong: str, tmp_path: Path) -> None:
    content, parts = BAD_FILES[wrong]
    bad = tmp_path / "bad.json"
    bad.write_bytes(content)
    for option in ("--gold", "--candidate"):
        paths = {"--gold": str(GOLD), "--candidate": str(FOUND), option: str(bad)}
        args = [word for pair in paths.items() for word in pair]
        assert_one_sentence(run_inside("score", *args), "bad.json", *parts)
    if wrong in [*BAD_FILES][::6]:  # a process of its own says the same
        assert_one_sentence(run_process("score", *args), "bad.json", *parts)


def test_missing_file_and_directory_cost_one_sentence(tmp_path: Path, run: Run) -> None:
    missing = str(tmp_path / "nowhere.json")
    assert_one_sentence(run("score", "--gold", missing, "--candidate", str(FOUND)), missing, "does not exist")
    outcome = run("score", "--gold", str(GOLD), "--candidate", str(tmp_path))
    assert_one_sentence(outcome, str(tmp_path), "directory")


def test_odd_file_name_keeps_the_sentence_on_one_line(run: Run) -> None:
    assert_one_sentence(run("score", "--gold", "a\nb.json", "--candidate", str(FOUND)), "a b.json")


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (["scor"], ["'scor'", "did you mean 'score'?"]),
        (["frobnicate"], ["'frobnicate'", "metaeval --help"]),
        (["--frobnicate"], ["--frobnicate"]),
        (["score"], ["--gold", "metaeval score --help"]),
        (["score", *PAIR, "--frobnicate"], ["--frobnicate"]),
        (["score", *PAIR, "surplus"], ["surplus"]),
        (["score", *PAIR, "--measure", "mocise"], ["'mocise'", "did you mean 'mocice'?"]),
        (["score", *PAIR, "--measure", ""], ["''"]),
        (["score", "--gold", "-", "--candidate", "-"], ["standard input"]),
        (["list", "everything"], ["everything", "measures", "conditions"]),
    ],
)
def test_bad_usage_costs_one_sentence(args: list[str], parts: list[str], run: Run) -> None:
    assert_one_sentence(run(*args), *parts)


def test_score_prints_every_measure_of_the_suite(run: Run) -> None:
    outcome = run("score", *PAIR)
    assert outcome.code == 0
    assert outcome.err == ""
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
    return [word for id in ids for word in ("--measure", id)]


def test_score_exact_shows_fractions_and_the_logarithms_of_vi() -> None:
    outcome = run_inside("score", *PAIR, "--exact", "--measure", "rnia", "--measure", "vi", "--measure", "rnia")
    lines = [line.split(maxsplit=3) for line in outcome.out.splitlines()[2:]]
    assert lines == [["rnia", "RNIA", "0.833333", "5/6"], ["vi", "VI", "-0.752039", "1/2·log 2 − log 3"]]


def test_score_reads_standard_input(run: Run) -> None:
    outcome = run("score", "--gold", "-", "--candidate", str(GOLD), "--json", input=GOLD.read_text())
    assert json.loads(outcome.out)["mocice"] == {"float": 1.0, "exact": "1"}
    bad = run("score", "--gold", "-", "--candidate", str(GOLD), input="{")
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
        "odd-raising": raising,
        "odd-undefined": undefined,
        "odd-infinite": lambda candidate, gold: float("-inf"),
        "odd-nan": lambda candidate, gold: float("nan"),
        "odd-zero": lambda candidate, gold: 1 / 0,
        "odd-none": lambda candidate, gold: None,
        "odd-true": lambda candidate, gold: True,
    }
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
    rows = {line.split()[0]: line for line in table.out.splitlines()[2:]}
    odd = {id for id in metaeval.measures() if id.startswith("odd-")}
    assert set(rows) == {*DEFAULT, *odd}
    assert "ZeroDivisionError: no division" in rows["odd-raising"]
    assert "undefined: too small" in rows["odd-undefined"]
    assert "5/6" in rows["rnia"]
    answers = json.loads(run_inside("score", *PAIR, "--json").out)
    assert answers["odd-raising"]["float"] is None
    assert answers["odd-raising"]["error"].startswith("ZeroDivisionError: no division")
    assert answers["odd-infinite"] == {"float": "-inf", "exact": None}
    assert answers["odd-nan"] == {"float": "nan", "exact": None}
    assert "TypeError" in answers["odd-none"]["error"]
    assert answers["odd-true"] == {"float": 1.0, "exact": None}
    assert answers["rnia"]["exact"] == "5/6"


@pytest.mark.usefixtures("odd_measures")
@pytest.mark.parametrize(
    ("ids", "code"),
    [
        (["rnia"], 0),
        (["odd-undefined", "rnia"], 0),
        (["odd-nan"], 0),
        (["odd-raising", "rnia"], 1),
        (["rnia", "odd-none"], 1),
    ],
)
def test_score_ends_with_1_where_a_measure_fails(ids: list[str], code: int) -> None:
    for more in ([], ["--json"], ["--exact"]):
        outcome = run_inside("score", *PAIR, *chosen(ids), *more)
        assert outcome.code == code
        assert all(id in outcome.out for id in ids)


def test_a_measure_of_ones_own_that_leaves_fails(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("import os\ndef leaving(candidate, gold):\n    os._exit(0)\n")
    outcome = run_inside("score", *PAIR, "--measure", f"{file}:leaving")
    assert outcome.code == 1
    assert "its process ended with exit code 0" in outcome.out


@pytest.mark.usefixtures("odd_measures")
def test_list_tells_exact_from_float() -> None:
    rows = [line.split() for line in run_inside("list", "measures").out.splitlines()]
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


@pytest.mark.parametrize("what", [["measures"], ["conditions"], []])
def test_list_names_everything(what: list[str], run: Run) -> None:
    outcome = run("list", *what)
    assert outcome.code == 0
    first = [line.split()[0] for line in outcome.out.splitlines() if line]
    if "conditions" not in what:
        assert set(metaeval.measures()) <= set(first)
    if "measures" not in what:
        assert set(metaeval.conditions()) <= set(first)


def test_list_keeps_families_together() -> None:
    words = [line.split()[:2] for line in run_inside("list", "measures").out.splitlines()[2:]]
    families = {id: family for id, family in words if id in DEFINED}
    assert [family for family, _ in groupby(families.values())] == list(dict.fromkeys(families.values()))
    folders = {path.parent.name for path in (ROOT / "measures").glob("*/*.py")}
    assert set(families.values()) == folders
    assert families["csi"] == families["rand"] == "pairs"


@pytest.mark.usefixtures("odd_measures")
def test_list_has_measures_of_no_family_last() -> None:
    listed = [line.split()[0] for line in run_inside("list", "measures").out.splitlines()[2:]]
    assert all(id.startswith("odd-") for id in listed[-7:])


@pytest.mark.parametrize("columns", [50, 60, 80, 132])
def test_list_fits_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    outcome = run_inside("list")
    assert max(map(len, outcome.out.splitlines())) <= columns


def test_a_table_into_a_pipe_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    done = run_process("list", "measures")
    assert "…" not in done.out


def test_tables_leave_ids_that_look_like_numbers_alone() -> None:
    assert "1e5" in tables.render(["id", "text"], [["1e5", "0010"]])
    assert "0010" in tables.render(["id", "text"], [["1e5", "0010"]])


def test_without_arguments_it_prints_help(run: Run) -> None:
    bare, helped = run(), run("--help")
    assert bare == helped
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
    done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize("args", [["--version"], ["--help"], []])
def test_little_is_loaded_for_little(args: list[str]) -> None:
    loaded = modules_after(*args)
    assert "metaeval.cli" in loaded
    assert not loaded & {
        "numpy",
        "scipy",
        "hypothesis",
        "pytest",
        "jinja2",
        "rich",
        "tabulate",
        "metaeval.core.biclustering",
    }


def test_a_command_loads_no_other_command() -> None:
    loaded = modules_after("list", "--help")
    assert "metaeval.cli.commands.list" in loaded
    assert "metaeval.cli.commands.score" not in loaded


def in_score(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> Outcome:
    def fail(path: object, format: object) -> None:
        raise error

    monkeypatch.setattr("metaeval.cli.commands.score.read", fail)
    return run_inside("score", *PAIR)


def test_system_errors_cost_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_one_sentence(in_score(monkeypatch, PermissionError(13, "Permission denied", "x.json")), "x.json: Perm")
    assert_one_sentence(in_score(monkeypatch, UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad")), "utf-8")
    assert_one_sentence(in_score(monkeypatch, metaeval.MetaevalError("no\nway")), "no way")


def test_interruption_costs_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert in_score(monkeypatch, KeyboardInterrupt()) == (130, "", "metaeval: interrupted\n")


def test_a_bug_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metaeval.cli.commands.score.read", lambda path, format: 1 / 0)
    result = CliRunner().invoke(cli.main, ["score", *PAIR])
    assert isinstance(result.exception, ZeroDivisionError)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_control_c_ends_a_waiting_process(tmp_path: Path) -> None:
    waiting = tmp_path / "gold.json"
    os.mkfifo(waiting)
    # A process started in the background may inherit an ignored SIGINT.
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from metaeval.cli import main; main(sys.argv[1:], prog_name='metaeval')"
    )
    command = [sys.executable, "-c", code, "score", "--gold", str(waiting), "--candidate", str(FOUND)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        with open(waiting, "w"):  # returns when the command has opened its end
            process.send_signal(signal.SIGINT)
            assert process.wait(300) == 130
        assert process.stderr.read() == "metaeval: interrupted\n"


def test_a_closed_pipe_is_quiet() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "metaeval", "score", *PAIR], stdout=writing, stderr=subprocess.PIPE, text=True
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk_costs_one_sentence() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "metaeval", "score", *PAIR], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert_one_sentence(Outcome(done.returncode, "", done.stderr), "No space left")


def test_a_terminal_without_unicode_gets_a_table_all_the_same() -> None:
    outcome = run_process("list", "measures", PYTHONIOENCODING="ascii")
    assert outcome.code == 0
    assert "mocice" in outcome.out


def test_a_broken_plug_in_costs_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def warning() -> None:
        warnings.simplefilter("always")
        warnings.warn("the plug-in\n'x' adds no measure", stacklevel=1)

    monkeypatch.setattr("metaeval.cli.commands.list.command", warning)
    assert run_inside("list") == (0, "", "metaeval: warning: the plug-in 'x' adds no measure\n")


def test_written_files_are_whole_and_readable(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    files.write_atomically(target, '{"a": "é"}')
    assert files.read_json(target) == {"a": "é"}
    target.chmod(0o640)
    files.write_atomically(target, "[]")
    assert target.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["out.json"]


def test_a_failed_write_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out.json"
    target.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(metaeval.InputError, match=r"out\.json cannot be written: No space left"):
        files.write_atomically(target, "new")
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.json"]


def test_writing_follows_links_and_spares_devices(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    link.symlink_to(target)
    files.write_atomically(link, "1")
    assert link.is_symlink()
    assert target.read_text() == "1"
    files.write_atomically("/dev/null", "1")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(metaeval.InputError, match="cannot be written"):
        files.write_atomically(tmp_path, "1")
    with pytest.raises(metaeval.InputError, match="cannot be written"):
        files.write_atomically(tmp_path / "no" / "where", "1")


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "bom.json"
    path.write_bytes(b"\xef\xbb\xbf" + GOLD.read_bytes())
    assert read(path) == replace(read(GOLD), source=str(path))


README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^\$ metaeval (score .*|list .*)\n((?:.*\n)*?)(?=\$|```)", README, re.MULTILINE)


@pytest.mark.parametrize(("command", "output"), SHOWN)
def test_the_readme_shows_what_is_printed(command: str, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert run_inside(*shlex.split(command)).out == output


def test_the_readme_has_examples_that_run() -> None:
    assert SHOWN
    outcome = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert outcome.attempted
    assert not outcome.failed
