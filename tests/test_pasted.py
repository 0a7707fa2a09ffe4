"""Every command and every Python line that is printed works when it is pasted, and gives what stands beside it."""

import ast
import contextlib
import io
import json
import re
import shlex
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pytest
from tools import run_inside, run_process

import metaeval
from metaeval import Biclustering, Case, Side, adapters, pytest_plugin, reports
from metaeval.adapters import as_measure
from metaeval.catalogue.measure import make_measure
from metaeval.cli import targets
from metaeval.core.settings import QUICK
from metaeval.display.cell_text import describe
from metaeval.display.counterexample import Counterexample
from metaeval.display.python_call import call_of
from metaeval.parametrize import CellCheck, parametrize_with_baseline
from metaeval.records.certificate import Certificate
from metaeval.records.described import Calling, DescribedCondition, DescribedMeasure, calling_of, target_of
from metaeval.records.results import Results
from metaeval.records.score import Score

MEASURES = """
import metaeval
import numpy as np

def rand(candidate, gold):
    return 1.0 if candidate == gold else 0.5 / (1 + abs(len(candidate) - 2))

def distance(candidate, gold):
    return 0 if candidate == gold else 1 + abs(len(candidate) - 2)

def agreement(y_true, y_pred):
    same = (y_true[:, None] == y_true) == (y_pred[:, None] == y_pred)  # these are no lists
    return 1.0 if same.all() else 0.5 / (1 + abs(len(np.unique(y_pred)) - 2))

def overlap(found, gold):
    equal = all(one in gold for one in found) and len(found) == len(gold)
    return 1.0 if equal else 0.5 / (1 + abs(len(found) - 2))

grouped = metaeval.adapters.clusters(overlap)
"""
#: What else a target can be, each with what its lines call.
OTHERS = """
import functools
import metaeval
from neighbour import SIZE

def weighted(gold, candidate, beta=1, name=""):
    return beta * len(gold) / SIZE + len(candidate)

def flipped(labels_pred, labels_true):
    return float(labels_pred.size - 2 * len(set(labels_true)))

noisy = metaeval.adapters.labels(lambda true, found: float(true.sum() - found.sum()), noise=-7, best=None)
boxes = metaeval.adapters.indicators(lambda one, other: one[0].shape[0] / SIZE)
cells = metaeval.adapters.cell_sets(lambda one, other: len(one) / SIZE, smaller_is_better=True, best=0)
half = functools.partial(weighted, beta=0.5)
left = lambda candidate, gold: 0.5 ** len(candidate)

@metaeval.measure("own-id", best=0, smaller_is_better=True)
def decorated(candidate, gold):
    return len(candidate)

class Scorer:
    def __call__(self, candidate, gold):
        return SIZE
    @staticmethod
    def fixed(candidate, gold):
        return 0.5
    @classmethod
    def made(cls, candidate, gold):
        return 0.75 * len(candidate)

held = Scorer()

class Sized:
    def size(self, candidate, gold):
        return len(candidate) / len(gold) + len(min(candidate)[0])

sized = Sized()
"""
#: A plain function that has the name of a registered measure, a dissimilarity, label vectors, lists of sets.
FOUR = {
    "plain": "measures.py:rand",
    "dissimilarity": "measures.py:distance --smaller-is-better",
    "labels": "measures.py:agreement",
    "clusters": "measures.py:grouped",
}
QUICKLY = "--quick --no-proofs --condition A.1 --condition S.1 --reading canonical"
COMMAND = re.compile(r"(?:^ *|next: |`)((?:metaeval (?!turns)[a-z]+|pytest) [^`\n]*)", re.MULTILINE)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of a user, with their measures."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "measures.py").write_text(MEASURES)
    with as_if_started():
        yield tmp_path


@contextlib.contextmanager
def as_if_started():
    """Python as it starts in the current folder; before and afterwards nothing of that folder is loaded."""
    path = sys.path
    sys.path = ["", *(one for one in path if Path(one or ".").resolve() != Path.cwd())]
    forget_the_folder()
    try:
        yield
    finally:
        sys.path = path
        forget_the_folder()


def forget_the_folder():
    for name, module in list(sys.modules.items()):
        if str(Path.cwd()) in str(getattr(module, "__file__", "")):
            del sys.modules[name]
    for id in {*metaeval.measures()} & {"own-id"}:
        metaeval.forget(id)


def commands(text):
    """The commands in a text."""
    return [shlex.split(line) for line in COMMAND.findall(text)]


def blocks(text):
    """The Python code in a text: indented, or between fences."""
    fenced = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    lines = [line[4:] if line.startswith("    ") else line and None for line in text.splitlines()]
    parts = "\n".join("\0" if line is None else line for line in lines).split("\0")
    return [part.strip("\n") for part in [*fenced, *parts] if "\nprint(" in part]


def valued(text):
    return Fraction(text.replace("−", "-"))


def pasted(code):
    """What the lines of a block print, and what their comments say, in a Python that has just been started."""
    out = io.StringIO()
    with as_if_started(), contextlib.redirect_stdout(out):
        exec(code, {"__name__": "__main__"})
    stated = [line.rpartition("  # ")[2] for line in code.splitlines() if line.startswith("print(")]
    return list(map(valued, out.getvalue().split())), list(map(valued, stated))


def ran(*words):
    """A command, and all that it printed."""
    outcome = run_inside(*words)
    assert outcome.code in (0, 1), outcome
    return outcome.out + "\n" + outcome.err


def of_pytest(target, monkeypatch):
    """What a failing test of a measure prints, in a session with the options of a quick search."""
    monkeypatch.setattr(pytest_plugin, "options", lambda: {**QUICK, "proofs": False})
    tested = metaeval.adapters.as_measure(getattr(import_module("measures"), target.partition(":")[2].split()[0]))
    with pytest.raises(pytest.fail.Exception) as failure:
        CellCheck(tested, "A.1", "canonical").check()
    return str(failure.value)


@pytest.mark.search
@pytest.mark.parametrize("name", FOUR)
def test_every_line_that_is_printed_works(name, folder, monkeypatch):
    target = FOUR[name].split()
    printed = ran("check", *target, *QUICKLY.split(), "--save", "my base.json")
    every = next(words for words in commands(printed) if "--all" in words)
    printed += ran(*every[1:])
    results = ran("check", *target, *QUICKLY.split(), "--quiet", "--json")
    Path("my results.json").write_text(results)
    cell = Results.load("my results.json").cells[0]
    texts = {
        "explain": ran("explain", "/".join(cell.key), "--results", "my results.json"),
        **{form: ran("report", "my results.json", "--format", form) for form in ("text", "markdown")},
    }
    if name != "dissimilarity":  # a plain function under pytest declares nothing
        texts["pytest"] = of_pytest(target[0], monkeypatch)
    page = ran("report", "my results.json", "--format", "html")
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])
    for shown in data["cells"].values():
        Path(shown["witness"]["verify"]["file"]).write_text(shown["witness"]["certificate"])
        texts[shown["name"]] = "\n".join((shown["check"], shown["witness"]["verify"]["command"]))
        texts[shown["name"]] += f"\n```python\n{shown['witness']['python']}\n```\n"
    for where, text in {"check": printed, **texts}.items():
        found = blocks(text)
        assert found, where
        for code in found:
            scores, stated = pasted(code)
            assert scores == stated, code
            assert len(scores) == 2, code
    distinct = {tuple(words): where for where, text in {"check": printed, **texts}.items() for words in commands(text)}
    assert {words[1] for words in distinct} == {"check", "explain", "verify"}
    for words in distinct:
        done = run_inside(*words[1:])
        assert done.code in ((0,) if words[1] in ("verify", "explain") or "--against" in words else (1,)), (words, done)
    assert "my-" not in printed + "".join(texts.values())
    if name == "plain":
        assert cell.measure == "measures.rand"
        assert "rand" in metaeval.measures()


def test_the_scores_beside_a_dissimilarity_are_the_distances(folder):
    text = ran("check", *FOUR["dissimilarity"].split(), *QUICKLY.split(), "--all")
    for code in blocks(text):
        scores, _ = pasted(code)
        assert all(score >= 0 for score in scores)
        assert max(scores) > 0
        assert "turns the sign" in code


# --- whatever a target can be, wherever it lies


GOLD, LEFT = Biclustering.from_labels([0, 0, 1, 1]), Biclustering.from_labels([0, 1, 1, 2])
PARTIAL = Biclustering.lifted([{0, 2}], shape=(4, 1))


def lines_of(measure, *sides):
    """The Python lines for a made-up counterexample with these candidates, and the scores of the function itself."""
    case = Case(*(Side(candidate, GOLD) for candidate in sides or (LEFT, GOLD)))
    scores = tuple(Score.of(measure.value(*side)) for side in case)
    certificate = Certificate(measure.id, "A.1", "canonical", "worse", case, scores, None, 4, False)
    described = DescribedMeasure.from_json("x", json.loads(json.dumps(DescribedMeasure.of(measure).to_json())))
    code = Counterexample(certificate, DescribedCondition("A.1")).python(76, call_of(certificate, described))
    return code, [Fraction(float(measure(*side))) for side in case]


KINDS = (
    "weighted", "weighted --param beta=3", "flipped", "noisy", "boxes", "cells", "half", "left", "decorated", "held",
    "Scorer.fixed", "Scorer.made", "sized.size",
)  # fmt: skip
PLACES = ("own.py", "sub/own.py", "with space/own.py", "sub/my-own.py", "statistics.py", "package.module")


def placed(place):
    """A file with these measures, and a file beside it that it imports."""
    file = Path(place if place.endswith(".py") else place.replace(".", "/") + ".py")
    file.parent.mkdir(exist_ok=True)
    file.write_text(OTHERS)
    # A module of a package finds what lies in the folder where Python started.
    (file.parent if place.endswith(".py") else Path()).joinpath("neighbour.py").write_text("SIZE = 4\n")


@pytest.mark.parametrize(("place", "kind"), [
    *(("own.py", kind) for kind in KINDS), *((place, "weighted --param beta=3") for place in PLACES),
    *((place, "noisy") for place in PLACES),
])  # fmt: skip
def test_python_lines_call_whatever_a_target_is_wherever_it_lies(place, kind, folder):
    placed(place)
    name, *options = kind.split()
    found = targets.load(f"{place}:{name}", targets.Said(params=tuple(options[1:])))
    code, expected = lines_of(found, *([PARTIAL, GOLD] if kind == "noisy" else []))
    printed, stated = pasted(code)
    assert printed == stated == expected, code
    assert expected[0] != expected[1] or kind in ("flipped", "held", "Scorer.fixed"), code


def test_a_file_with_the_name_of_a_module_hides_nothing_in_a_new_python(folder):
    placed("metaeval.py")
    code, expected = lines_of(targets.load("metaeval.py:half"))
    done = run_process(code=code)
    assert done.code == 0, done.err
    assert list(map(Fraction, done.out.split())) == expected


def test_in_python_a_measure_is_found_where_it_was_made(folder):
    placed("own.py")
    own = import_module("own")
    nameless = adapters.clusters(lambda found, gold: len(found))
    found = {
        own.decorated: "own.py:decorated", own.noisy: "own.py:noisy", own.boxes: "own.py:boxes",
        as_measure(own.half): "own.py:half", as_measure(own.flipped): "own.py:flipped",
        make_measure(own.left, id="left", smaller_is_better=True): "",  # of the function alone commands make another
        nameless: "", metaeval.measures()["ce"]: "",
    }  # fmt: skip
    assert {measure: target_of(measure) for measure in found} == found
    assert "your own function" in lines_of(nameless)[0]
    assert calling_of(metaeval.measures()["ce"]) is None
    for code in [lines_of(measure)[0] for measure, target in found.items() if target]:
        printed, stated = pasted(code)
        assert printed == stated, code


def test_what_a_file_says_of_a_function_is_no_code(folder):
    names = "import os", "f\nimport os", "x; os.remove('a')", "__import__('os')"
    for hostile in names:
        for calling in (Calling(hostile, "own.py"), Calling("f", f"{hostile}.py"), Calling("f", hostile)):
            case, scores = Case(Side(LEFT, GOLD)), (Score(1.0),)
            certificate = Certificate("f", "A.1", "canonical", "worse", case, scores, None, 4, False)
            call = call_of(certificate, DescribedMeasure(calling=calling))
            tree = ast.parse("\n".join(call.imports) + "\n" + call("left", "gold"))
            called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) if hasattr(node.func, "id")}
            imported = {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}
            assert "__import__" not in called
            assert imported <= {"runpy", "sys"}


# --- names and files


def test_a_function_with_the_name_of_a_registered_measure_gets_one_that_can_be_typed(folder):
    for target in ("measures.py:rand", "sub/measures.py:rand"):
        Path(target).parent.mkdir(exist_ok=True)
        Path(target.partition(":")[0]).write_text(MEASURES)
        assert targets.load(target).id == "measures.rand"
    assert as_measure(import_module("measures").rand).id == "measures.rand"
    ran("check", "measures.py:rand", *QUICKLY.split(), "--quiet", "--save", "b.json")
    assert run_inside("check", "measures.py:rand", "--against", "b.json", "--golden-only").code == 0
    Path("vi.json").write_text(json.dumps(metaeval.measures()["vi"].equation.to_json()))
    assert targets.load("vi.json").id == "json.vi"


def test_reports_name_their_files_and_the_targets_that_these_need(folder):
    quickly = [*QUICKLY.split(), "--quiet", "--json"]
    for file, target in (("one.json", FOUR["dissimilarity"]), ("two.json", FOUR["clusters"]), ("three.json", "ce")):
        Path(file).write_text(ran("check", *target.split(), *quickly))
    for form in ("text", "markdown", "html"):
        text = ran("report", "one.json", "two.json", "three.json", "--format", form)
        found = {shlex.join(words) for words in commands(text.replace("<code>", "\n").replace("</code>", "\n"))}
        assert {
            "metaeval verify one.json --target measures.py:distance --smaller-is-better",
            "metaeval verify two.json --target measures.py:grouped",
            "metaeval verify three.json",
        } <= found
    for command in found:
        assert run_inside(*shlex.split(command)[1:]).code == 0
    assert run_inside("verify", "one.json", "--target", "measures.py:distance").code == 1
    # Without a name the usual one is printed.
    assert "metaeval verify results.json --target measures.py:grouped" in reports.render(
        Results.load("two.json"), "text"
    )


def test_a_changed_score_under_pytest_says_how_to_save_it(folder):
    ran("check", "measures.py:rand", *QUICKLY.split(), "--quiet", "--save", "b.json")
    mark = parametrize_with_baseline(make_measure(lambda candidate, gold: 0.5, id="measures.rand"), "b.json")
    with pytest.raises(pytest.fail.Exception) as failure:
        next(check for check in mark.args[1] if isinstance(check.place, int)).check()
    (command,) = commands(str(failure.value))
    Path("measures.py").write_text(MEASURES.replace("else 0.5", "else 0.4"))
    assert run_inside("check", "measures.py:rand", "--against", "b.json", "--golden-only").code == 1
    assert run_inside(*command[1:]).code in (0, 1)
    assert run_inside("check", "measures.py:rand", "--against", "b.json", "--golden-only").code == 0


def test_a_test_of_what_no_command_finds_is_run_again_by_pytest(folder, monkeypatch):
    monkeypatch.setattr(pytest_plugin, "options", lambda: {**QUICK, "proofs": False})
    monkeypatch.setenv("PYTEST_CURRENT_TEST", "test_own.py::test_it[x-A.1-canonical] (call)")
    nameless = make_measure(lambda candidate, gold: 1 / (1 + len(candidate)) if candidate != gold else 1.0, id="x")
    with pytest.raises(pytest.fail.Exception) as failure:
        CellCheck(nameless, "A.1", "canonical").check()
    ((first, test, *options),) = commands(str(failure.value))
    assert (first, test) == ("pytest", "test_own.py::test_it[x-A.1-canonical]")
    parser = pytest.Parser(_ispytest=True)
    pytest_plugin.pytest_addoption(parser)
    known = parser.parse_known_args(options)
    assert (known.metaeval_examples, known.metaeval_exhaustive, known.metaeval_proofs) == (20, 3, False)


def test_a_cell_alone_names_no_command_for_a_function_that_nobody_knows():
    measure = make_measure(lambda candidate, gold: 0.5, id="nobody")
    results = metaeval.check(measure, ["A.1"], ["canonical"], **{**QUICK, "proofs": False})
    assert commands(describe(results.cells[0])) == []
