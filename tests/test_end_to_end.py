"""As a new user meets it: the wheel installed, an empty directory, a measure of one's own, and a mistake.

The environment is fresh and holds metaeval alone; its dependencies are lent by the one that runs the tests,
so that nothing is downloaded.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import NamedTuple

import pytest
from tools import ROOT, Outcome, assert_one_sentence, plain

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


class Home(NamedTuple):
    """A user's directory, and the commands of the environment they installed metaeval in."""

    bin: Path
    folder: Path

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def run(self, command: str, *args: str) -> Outcome:
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PYTEST"))}
        settings = {"cwd": self.folder, "env": {**environment, "COLUMNS": "100"}}
        done = subprocess.run([self.bin / command, *args], **settings, capture_output=True, encoding="utf-8")
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
    home.write("measures.py", MISTAKE)
    caught = home.run("python", "-m", "pytest", "-q", "-rfx", *options)
    assert caught.code == 1
    assert "mine violates B.1 Non-intersection area (canonical)" in caught.out
    named = re.findall(r"^(FAILED|XFAIL) .*\[mine-(\S+)\]", caught.out, re.M)
    failed = [("FAILED", "B.1-canonical")]
    assert sorted(named) == sorted(
        failed + [("XFAIL", f"{id}") for id in ("A.1-canonical", "A.1-literal", "B.1-literal")]
    )


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


def test_every_front_end_finds_the_same_and_the_page_shows_it(home: Home) -> None:
    """Two results files make one page, and what it says of the new row can be pasted and done."""
    home.write("measures.py", MEASURE)
    home.write("api.py", API)
    home.write("run.py", RUN)
    checked = home.run("metaeval", "check", "measures.py:mine", *CHOSEN, *FEW, "--json")
    called = home.run("python", "api.py")
    both = ["--measure", "mine", "--measure", "rnia"]
    ran = home.run("python", "run.py", "run", *both, *CHOSEN, *FEW, "--out", "r.json")
    assert (checked.code, called.code, ran.code) == (1, 0, 0), (checked.err, called.err, ran.err)
    # The measure's summary and name may differ between the front ends; what was found may not.
    cells = plain(json.loads(checked.out)["cells"])
    assert len(cells) == 4
    assert cells == plain(json.loads(called.out))
    both = json.loads((home.folder / "r.json").read_text())
    assert cells == plain([cell for cell in both["cells"] if cell["measure"] == "mine"])

    others = {**both, "measures": {"rnia": both["measures"]["rnia"]}}
    others["cells"] = [cell for cell in both["cells"] if cell["measure"] == "rnia"]
    home.write("others.json", json.dumps(others))
    home.write("mine.json", checked.out)
    made = home.run("metaeval", "report", "others.json", "mine.json", "--format", "html", "--out", "p.html")
    assert made.code == 0, made.err
    page = (home.folder / "p.html").read_text(encoding="utf-8")
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert list(data["measures"]) == ["rnia", "mine"]
    # Both look at covered cells alone, so their rows are alike.
    verdicts = {name: [each["verdict"] for each in data["cells"].values() if each["measure"] == name]
                for name in data["measures"]}  # fmt: skip
    assert verdicts["mine"] == [verdict.replace("proved", "holds") for verdict in verdicts["rnia"]]

    shown = data["cells"]["mine.A.1.canonical"]
    assert shown["check"] == "metaeval check measures.py:mine --condition A.1 --reading canonical " + " ".join(FEW)
    assert "mine violates A.1" in home.run(*shlex.split(shown["check"])).out
    verify = shown["witness"]["verify"]
    home.write(verify["file"], shown["witness"]["certificate"])
    assert home.run(*shlex.split(verify["command"])).out.endswith("1 certificate, all hold\n")
    home.write("code.py", shown["witness"]["python"])
    assert home.run("python", "code.py").out.split() == ["1.0", "1.0"]
    twice = home.run("metaeval", "report", "mine.json", "others.json", "./mine.json")
    assert_one_sentence(twice, "mine.json and ./mine.json both answer mine A.1 canonical")


def test_errors_in_the_user_s_file_cost_one_sentence(home: Home) -> None:
    """What may be wrong with a file beside this is told in test_targets.py."""
    home.write("measures.py", "import nothing_here\n")
    outcome = home.run("metaeval", "check", "measures.py:mine")
    assert_one_sentence(outcome, "measures.py, line 1: importing it raised ModuleNotFound")
