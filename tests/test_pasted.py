"""Every command and every Python line that is printed works when it is pasted, and gives what stands beside it."""

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
from tools import run_inside

import metaeval
from metaeval import pytest_plugin
from metaeval.core.settings import QUICK
from metaeval.parametrize import CellCheck
from metaeval.records.results import Results

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
left = lambda candidate, gold: 1 / (1 + len(candidate))

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
    """Python as it starts in the current folder; afterwards nothing of that folder is loaded any more."""
    path, registered = sys.path, set(metaeval.measures())
    sys.path = ["", *(one for one in path if Path(one or ".").resolve() != Path.cwd())]
    forget_modules()
    try:
        yield
    finally:
        sys.path = path
        forget_modules()
        for id in {*metaeval.measures()} - registered:
            metaeval.forget(id)


def forget_modules():
    here = str(Path.cwd())
    for name, module in list(sys.modules.items()):
        if here in str(getattr(module, "__file__", "")):
            del sys.modules[name]


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
