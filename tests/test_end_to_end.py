"""As a new user meets it: the wheel installed, an empty directory, a measure of one's own, and a mistake.

The environment is fresh and holds metaeval alone; its dependencies are lent by the one that runs the tests,
so that nothing is downloaded.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import metaeval

ROOT = Path(__file__).resolve().parent.parent

#: Cells both cover, out of those either covers: blind to how they are grouped.
MEASURE = '''\
"""Measures of my own."""


def cells(part):
    return {(row, col) for rows, cols in part for row in rows for col in cols}


def mine(candidate, gold):
    """Jaccard index of the covered cells."""
    found, true = cells(candidate), cells(gold)
    return len(found & true) / len(found | true) if found | true else 1.0
'''
MISTAKE = MEASURE.replace("len(found | true) if", "len(true or found) if")

TESTS = """\
import metaeval
from measures import mine

KNOWN = {"mine": {"A.1/canonical": "it sees covered cells only", "A.1/literal": "the same"}}


@metaeval.parametrize_with_conditions(
    [mine], conditions=["A.1", "B.1"], readings=["canonical", "literal"], expected_violations=KNOWN
)
def test_conditions(cell):
    cell.check()
"""

#: Whose cases come with the package.
FEW = ["--examples", "20", "--exhaustive", "3"]
CHOSEN = ["--condition", "A.1", "--condition", "B.1", "--reading", "canonical", "--reading", "literal"]


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


class Home:
    """A user's directory, and the commands of the environment they installed metaeval in."""

    def __init__(self, bin: Path, folder: Path) -> None:
        self._bin = bin
        self.folder = folder

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def read(self, name: str) -> Any:
        return json.loads((self.folder / name).read_text())

    def run(self, command: str, *args: str) -> Outcome:
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PYTEST"))}
        done = subprocess.run(
            [str(self._bin / command), *args],
            cwd=self.folder,
            env={**environment, "COLUMNS": "100"},
            capture_output=True,
            encoding="utf-8",
        )
        return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of a fresh environment with the wheel installed."""
    work = tmp_path_factory.mktemp("wheel")
    unwanted = shutil.ignore_patterns(".*", "*.egg-info", "build", "dist", "__pycache__")
    shutil.copytree(ROOT, work / "source", ignore=unwanted)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    offline = ["--no-deps", "--no-index"]
    _done([*pip, "wheel", *offline, "--no-build-isolation", "--wheel-dir", str(work), str(work / "source")])
    (wheel,) = work.glob("*.whl")
    venv.create(work / "env", with_pip=False)
    python = str(work / "env" / "bin" / "python")
    _done([*pip, "--python", python, "install", *offline, str(wheel)])
    (site,) = (work / "env").glob("lib/python*/site-packages")
    # A plain path: what makes the checkout importable in the lender's own site-packages does not apply here.
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    where = [python, "-P", "-c", "import metaeval; print(metaeval.__file__)"]
    home = subprocess.run(where, cwd=work, capture_output=True, text=True, check=True).stdout
    assert str(site) in home
    return work / "env" / "bin"


def _done(command: list[str]) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout


@pytest.fixture
def home(environment: Path, tmp_path: Path) -> Home:
    return Home(environment, tmp_path)


@pytest.mark.long  # the tutorial takes the same steps
def test_from_a_first_check_to_a_regression_caught(home: Home) -> None:
    home.write("measures.py", MEASURE)
    first = home.run("metaeval", "check", "measures.py:mine", *CHOSEN, *FEW)
    assert first.code == 1, first.err
    assert first.out.startswith("mine (measures.py:mine)\ngate: passed, effort ")
    assert "3 violations; 2 counterexamples explain them all:\n\nA.1 Homogeneity (canonical, literal)" in first.out
    every = home.run("metaeval", "check", "measures.py:mine", *CHOSEN, *FEW, "--all")
    assert "mine violates A.1 Homogeneity (canonical)" in every.out
    assert "Traceback" not in first.err

    expected = [f"--expect-violation={name}" for name in ("A.1/canonical", "A.1/literal", "B.1/literal")]
    saved = home.run("metaeval", "check", "measures.py:mine", *CHOSEN, *FEW, *expected, "--save", "mine.json")
    assert saved.code == 0
    assert home.read("mine.json")["schema"] == "metaeval.baseline/1"
    kept = home.run("metaeval", "check", "measures.py:mine", "--against", "mine.json")
    assert kept.code == 0
    assert "golden scores: 34 of 34 unchanged" in kept.out

    home.write("measures.py", MISTAKE)
    caught = home.run("metaeval", "check", "measures.py:mine", "--against", "mine.json")
    assert caught.code == 1
    assert "FAIL  B.1/canonical: broken, holds → violated" in caught.out
    assert "golden scores changed, such as golden-" in caught.out
    asked = home.run("metaeval", "check", "measures.py:mine", "--against", "mine.json", "--golden-only")
    assert asked.code == 1
    assert "nothing searched" in asked.out

    home.write("measures.py", MEASURE)
    assert home.run("metaeval", "check", "measures.py:mine", "--against", "mine.json").code == 0


@pytest.mark.skipif(
    not hasattr(metaeval, "parametrize_with_conditions"),
    reason="metaeval does not export parametrize_with_conditions yet",
)
def test_a_pytest_file_of_one_s_own(home: Home) -> None:
    home.write("measures.py", MEASURE)
    home.write("test_mine.py", TESTS)
    options = ["--metaeval-examples=20", "--metaeval-exhaustive=3"]
    first = home.run("python", "-m", "pytest", "-q", *options)
    assert first.code == 1, first.out
    assert "1 failed, 1 passed, 2 xfailed" in first.out
    assert "mine violates B.1 Non-intersection area (literal)" in first.out
    assert "Traceback" not in first.out

    home.write("test_mine.py", TESTS.replace('"the same"', '"the same", "B.1/literal": "both share nothing"'))
    assert home.run("python", "-m", "pytest", "-q", *options).code == 0

    home.write("measures.py", MISTAKE)
    caught = home.run("python", "-m", "pytest", "-q", "-rfx", *options)
    assert caught.code == 1
    assert "mine violates B.1 Non-intersection area (canonical)" in caught.out

    checked = home.run("metaeval", "check", "measures.py:mine", *CHOSEN, *FEW, "--json")
    verdicts = {(c["condition"], c["reading"]): c["verdict"] for c in json.loads(checked.out)["cells"]}
    failed = {place for place, verdict in verdicts.items() if verdict == "violated"}
    for condition, reading in verdicts:
        named = f"[mine-{condition}-{reading}]" in caught.out
        assert named == ((condition, reading) in failed)


#: Prints the cells that the Python API finds.
API = """\
import json, metaeval, measures
results = metaeval.check(
    measures.mine, ["A.1", "B.1"], ["canonical", "literal"], examples=20, exhaustive=3, jobs=1
)
print(json.dumps([cell.to_json() for cell in results]))
"""

#: A plug-in is how `metaeval run` gets to know a measure; here it is registered before the command starts.
RUN = """\
import sys, metaeval, measures
from metaeval.cli import main
metaeval.measure("mine")(measures.mine)
main(sys.argv[1:])
"""


def without_seconds(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    # The measure's summary and name may differ between the front ends; what was found may not.
    return [{key: value for key, value in cell.items() if key != "seconds"} for cell in cells]


def test_every_front_end_finds_the_same(home: Home) -> None:
    home.write("measures.py", MEASURE)
    home.write("api.py", API)
    home.write("run.py", RUN)
    checked = home.run("metaeval", "check", "measures.py:mine", *CHOSEN, *FEW, "--json")
    called = home.run("python", "api.py")
    ran = home.run("python", "run.py", "run", "--measure", "mine", *CHOSEN, *FEW, "--out", "r.json")
    assert (checked.code, called.code, ran.code) == (1, 0, 0), (checked.err, called.err, ran.err)
    cells = without_seconds(json.loads(checked.out)["cells"])
    assert len(cells) == 4
    assert cells == without_seconds(json.loads(called.out))
    assert cells == without_seconds(home.read("r.json")["cells"])


def test_one_s_own_measure_is_a_row_of_the_matrix(home: Home) -> None:
    """Two results files make one page, and what it says of the new row can be pasted and done."""
    home.write("measures.py", MEASURE)
    others = home.run("metaeval", "check", "rnia", *CHOSEN, *FEW, "--no-proofs", "--json")
    home.write("others.json", others.out)
    home.write("mine.json", home.run("metaeval", "check", "measures.py:mine", *CHOSEN, *FEW, "--json").out)
    assert (
        home.run("metaeval", "report", "others.json", "mine.json", "--format", "html", "--out", "p.html").code == 0
    )
    page = (home.folder / "p.html").read_text(encoding="utf-8")
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert list(data["measures"]) == ["rnia", "mine"]
    # Both look at covered cells alone, so their rows are alike.
    verdicts = {name: [each["verdict"] for each in data["cells"].values() if each["measure"] == name]
                for name in data["measures"]}  # fmt: skip
    assert verdicts["mine"] == verdicts["rnia"]

    shown = data["cells"]["mine.A.1.canonical"]
    assert shown["check"] == "metaeval check measures.py:mine --condition A.1 --reading canonical " + " ".join(FEW)
    assert "mine violates A.1" in home.run(*shlex.split(shown["check"])).out
    verify = shown["witness"]["verify"]
    home.write(verify["file"], shown["witness"]["certificate"])
    assert home.run(*shlex.split(verify["command"])).out.endswith("1 certificate, all hold\n")
    home.write("code.py", shown["witness"]["python"])
    assert home.run("python", "code.py").out.split() == ["1.0", "1.0"]

    twice = home.run("metaeval", "report", "mine.json", "others.json", "./mine.json")
    assert (twice.code, twice.out) == (2, "")
    assert "mine.json and ./mine.json both answer mine A.1 canonical" in twice.err


@pytest.mark.parametrize(
    ("target", "text", "part"),
    [
        ("nowhere.py:mine", "", "nowhere.py does not exist"),
        ("measures.py:mime", MEASURE, "measures.py has no function 'mime'; did you mean 'mine'?"),
        ("measures.py:mine", "def mine(:\n", "measures.py, line 1: syntax error"),
        ("measures.py:mine", "import nothing_here\n", "measures.py, line 1: importing it raised ModuleNotFound"),
        ("measures.py:mine", "def mine(x): ...\n", "measures.py:mine(x) cannot be called with (candidate, gold)"),
    ],
    ids=["no file", "no function", "syntax error", "import error", "wrong signature"],
)
def test_errors_in_the_user_s_file_cost_one_sentence(home: Home, target: str, text: str, part: str) -> None:
    home.write("measures.py", text)
    outcome = home.run("metaeval", "check", target)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("metaeval: ")
    assert part in outcome.err
    assert outcome.err.count("\n") == 1
