"""Targets: every way of naming a measure, and one sentence for everything that can be wrong with one."""

import functools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import metaeval
from metaeval.adapters import as_measure
from metaeval.catalogue.measure import MEASURES
from metaeval.cli import targets
from metaeval.core.errors import InputError

GOLD = metaeval.Biclustering.from_labels([0, 0, 1])
FOUND = metaeval.Biclustering.from_labels([0, 1, 1])

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes files into an empty current directory; what is loaded from there is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    modules, ids = set(sys.modules), set(metaeval.measures())

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    yield write
    for name in set(sys.modules) - modules:
        # numpy, once loaded, cannot be loaded again.
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]
    for id in set(metaeval.measures()) - ids:
        metaeval.forget(id)


PLAIN = "def mine(candidate, gold):\n    return len(candidate) / len(gold)\n"


@pytest.mark.parametrize(("file", "target"), [
    ("measures.py", "measures.py:mine"), ("measures.py", "./measures.py:mine"), ("measures.py", "measures:mine"),
    ("metaeval.py", "metaeval.py:mine"), ("conditions.py", "conditions.py:mine"), ("click.py", "click.py:mine"),
    ("my file.py", "my file.py:mine"), ("deep/er/one.py", "deep/er/one.py:mine"),
    ("package/module.py", "package.module:mine"), ("script", "./script:mine"),
])  # fmt: skip
def test_a_function_is_found_in_a_file_or_a_module(file: str, target: str, write: Write) -> None:
    path = write(file, PLAIN)
    assert targets.load(f"{path}:mine").id == "mine"
    measure = targets.load(target)
    assert (measure.id, measure.name, measure.best, measure.domain) == ("mine", "mine", 1.0, "biclusterings")
    assert measure(FOUND, GOLD) == 1.0
    assert sys.modules["metaeval"] is metaeval


def test_attributes_callable_objects_and_neighbours_are_found(write: Write) -> None:
    write(
        "m.py",
        "class Score:\n    def __call__(self, candidate, gold): return 1\n"
        "    @staticmethod\n    def fixed(candidate, gold): return 2\nscore = Score()\n",
    )
    assert targets.load("m.py:score")(FOUND, GOLD) == 1
    assert targets.load("m.py:Score.fixed")(FOUND, GOLD) == 2
    # What lies beside the file can be imported then, and later.
    write("helper_a.py", "A = 1\n")
    write("helper_b.py", "B = 2\n")
    write("m.py", "import helper_a\ndef mine(candidate, gold):\n    import helper_b\n    return helper_b.B\n")
    assert targets.load("m.py:mine")(FOUND, GOLD) == 2
    assert sys.path[-1].endswith(Path.cwd().name)


PACKAGE = {
    "pack/__init__.py": "from .scores import mine\n", "pack/helper.py": "FACTOR = 3\n", "pack/sub/__init__.py": "",
    "pack/scores.py": "import metaeval\nfrom .helper import FACTOR\nfrom pack.helper import FACTOR as again\n"
    "@metaeval.measure('of-a-pack')\ndef mine(candidate, gold): return FACTOR\n",
    "pack/sub/deep.py": "import beside\nfrom ..scores import mine\n", "pack/sub/beside.py": "",
}  # fmt: skip


@pytest.mark.parametrize("target", [
    "pack.scores:mine", "pack:mine", "pack/scores.py:mine", "pack/__init__.py:mine", "pack/sub/deep.py:mine",
])  # fmt: skip
def test_a_file_of_a_package_is_imported_as_such(target: str, write: Write) -> None:
    for name, text in PACKAGE.items():
        write(name, text)
    assert targets.load(target)(FOUND, GOLD) == 3
    # Loaded once, under its own name: a second copy would register the measure a second time.
    assert sys.modules["pack.scores"].mine is metaeval.measures()["of-a-pack"]


def test_a_package_that_is_called_as_another_is_left_alone(write: Write) -> None:
    write("click/__init__.py", "")
    write("click/scores.py", PLAIN)
    assert targets.load("click/scores.py:mine")(FOUND, GOLD) == 1.0
    assert "click.scores" not in sys.modules
    write("loose/scores.py", "from .helper import x\n")
    with pytest.raises(InputError, match=r"relative import .*; expected package\.module:function"):
        targets.load("loose/scores.py:mine")


def test_an_edit_is_seen_at_once_and_what_a_file_prints_is_no_data(write: Write, capsys: Any) -> None:
    # The same size in the same second: bytecode of the first version would be taken for the second.
    write("m.py", "def mine(candidate, gold): return 1\n")
    assert targets.load("m.py:mine")(FOUND, GOLD) == 1
    write("m.py", "def mine(candidate, gold): return 2\n")
    assert targets.load("m.py:mine")(FOUND, GOLD) == 2
    assert not Path("__pycache__").exists()
    capsys.readouterr()
    write("m.py", "print('hello')\n" + PLAIN)
    targets.load("m.py:mine")
    assert capsys.readouterr() == ("", "hello\n")


def test_options_declare_a_plain_function(write: Write) -> None:
    write("m.py", PLAIN)
    measure = targets.load("m.py:mine", targets.Said(best=5, smaller_is_better=True, domain="disjoint"))
    assert (measure.best, measure.optimum, measure.domain, measure.name) == (5.0, -5.0, "disjoint", "mine")
    assert targets.load("m.py:mine", targets.Said(smaller_is_better=True)).best == 0.0
    with pytest.raises(InputError, match="domain is 'all'; expected one of biclusterings"):
        targets.load("m.py:mine", targets.Said(domain="all"))


CALLABLES = """
from functools import partial
def scaled(candidate, gold, factor=1):
    "Scaled, in a word."
    return factor
half, third = partial(scaled, factor=1 / 2), partial(partial(scaled), factor=1 / 3)
class PairScore:
    def __call__(self, candidate, gold): return 4
    within = lambda candidate, gold: 5
held = PairScore()
method = held.__call__
lone = lambda candidate, gold: 6
def rand(candidate, gold): return 7
wrapped = partial(lone)
"""


@pytest.mark.parametrize(("found_under", "id", "name"), [
    ("half", "scaled", "scaled"), ("third", "scaled", "scaled"), ("held", "pairscore", "PairScore"),
    ("method", "pairscore", "PairScore"), ("lone", "lone", "lone"), ("wrapped", "lone", "lone"),
    ("PairScore.within", "within", "within"),
    ("rand", "m.rand", "rand"),  # as a registered measure is called so
])  # fmt: skip
def test_a_callable_is_called_after_what_is_behind_it(found_under: str, id: str, name: str, write: Write) -> None:
    write("m.py", CALLABLES)
    measure = targets.load(f"m.py:{found_under}")
    assert (measure.id, measure.name) == (id, name)
    assert measure.summary == ("Scaled, in a word." if id == "scaled" else "")


double = lambda candidate, gold: 2  # noqa: E731


def test_in_python_a_lambda_is_called_after_its_variable() -> None:
    assert as_measure(double).id == "double"
    assert as_measure(lambda candidate, gold: 2).id == "lambda"
    assert as_measure(functools.partial(double)).name == "double"
    assert as_measure(functools.partial(metaeval.measures()["mocice"])).id == "unregistered.mocice"
    assert targets.load("mocice") is metaeval.measures()["mocice"]


def ids(*named: str) -> list[str]:
    return [measure.id for measure in targets.load_several(named)]


def test_several_targets_are_mixed_with_ids(write: Write) -> None:
    write("m.py", CALLABLES)
    assert ids("vi", "m.py:lone", "ce", "vi") == ["vi", "lone", "ce"]
    assert ids("m.py:half", "m.py:third", "m.py:lone") == ["half", "third", "lone"]
    registered = list(metaeval.measures())
    assert ids("m.py:held", "all", "ce") == ["pairscore", *registered]


def test_a_file_that_registers_does_not_add_to_all(write: Write) -> None:
    registered = list(metaeval.measures())
    write("m.py", DECORATED.format(id="target-test"))
    assert ids("m.py:mine", "all") == ["target-test", *registered]
    assert ids("m.py:mine", "target-test") == ["target-test"]


def test_two_measures_of_one_id_are_refused(write: Write) -> None:
    write("a.py", PLAIN)
    write("b.py", PLAIN)
    with pytest.raises(InputError, match=r"^a\.py:mine and b\.py:mine both have the id 'mine'; give each its own"):
        targets.load_several(["a.py:mine", "b.py:mine"])


DECORATED = "import metaeval\n@metaeval.measure('{id}', best=2)\ndef mine(candidate, gold): return 2\n"


def test_a_measure_says_everything_itself(write: Write) -> None:
    write("m.py", DECORATED.format(id="target-test"))
    measure = targets.load("m.py:mine")
    assert MEASURES.find("target-test") is measure
    assert measure.best == 2.0
    assert targets.load("m.py:mine").id == "target-test"  # loaded again: no clash with itself
    said = targets.Said
    for option in (said(best=0.0), said(best="none"), said(smaller_is_better=True), said(domain="disjoint")):
        with pytest.raises(InputError, match=r"m\.py:mine is a measure that says this itself; leave --"):
            targets.load("m.py:mine", option)


#: What is wrong -> the files, the target, and what the sentence must say.
WRONG: dict[str, tuple[dict[str, str], str, list[str]]] = {
    "no such file": ({}, "nowhere.py:mine", ["nowhere.py does not exist"]),
    "misspelt file": ({"measures.py": PLAIN}, "measure.py:mine", ["measure.py", "did you mean measures.py?"]),
    "a folder": ({"folder/a.py": ""}, "./folder:mine", ["./folder is no file"]),
    "no function named": ({"m.py": PLAIN}, "m.py", ["m.py names a file", "such as m.py:mine"]),
    "no function named, broken file": ({"m.py": "def"}, "m.py", ["expected m.py:function"]),
    "empty function": ({"m.py": PLAIN}, "m.py:", ["'m.py:'", "path/to/file.py:function"]),
    "empty file": ({}, ":mine", ["':mine'", "a measure's id"]),
    "no such function": ({"m.py": PLAIN}, "m.py:mime", ["m.py has no function 'mime'", "did you mean 'mine'?"]),
    "nothing like it": ({"m.py": ""}, "m.py:mine", ["m.py has no function 'mine'"]),
    "syntax error": ({"m.py": "x = 1\ndef mine(:\n"}, "m.py:mine", ["m.py, line 2: syntax error: "]),
    "not text": ({"m.py": "x = '\x00'\n"}, "m.py:mine", ["m.py", "null bytes"]),
    "syntax error elsewhere": ({"m.py": "\nimport broken_helper\n", "broken_helper.py": "def"}, "m.py:mine", [
        "m.py, line 2: importing it failed with a syntax error in ", "broken_helper.py, line 1",
    ]),
    "error while importing": ({"m.py": "def f():\n    return 1 / 0\nx = f()\n"}, "m.py:mine", [
        "m.py, line 2: importing it raised ZeroDivisionError: division by zero",
    ]),
    "exit while importing": ({"m.py": "raise SystemExit\n"}, "m.py:mine", ["m.py, line 1", "raised SystemExit"]),
    "missing import": ({"m.py": "import no_such_thing\n"}, "m.py:mine", [
        "m.py, line 1: importing it raised ModuleNotFoundError: No module named 'no_such_thing'",
    ]),
    "relative import": ({"m.py": "from . import x\n"}, "m.py:mine", ["m.py, line 1", "relative import"]),
    "id taken": ({"m.py": DECORATED.format(id="mocice")}, "m.py:mine", [
        "m.py, line 2: a measure with the id 'mocice' is registered already",
    ]),
    "not callable": ({"m.py": "mine = 3\n"}, "m.py:mine", ["m.py:mine is a int", "function of (candidate, gold)"]),
    "one argument": ({"m.py": "def mine(x): ...\n"}, "m.py:mine", ["m.py:mine(x)", "too many positional"]),
    "three arguments": ({"m.py": "def mine(x, y, z): ...\n"}, "m.py:mine", ["missing a required argument: 'z'"]),
    "keywords only": ({"m.py": "def mine(*, x, y): ...\n"}, "m.py:mine", ["too many positional"]),
    "no such module": ({}, "no_such_package.module:mine", ["no module 'no_such_package.module'"]),
    "no such submodule": ({"pack/__init__.py": ""}, "pack.nothing:mine", ["no module 'pack.nothing'"]),
    "module in no package": ({"flat.py": ""}, "flat.deeper:mine", ["no module 'flat.deeper'"]),
    "broken module": ({"bad_mod.py": "x = 1\ny = x.z\n"}, "bad_mod:mine", [
        "bad_mod (bad_mod.py), line 2: importing it raised AttributeError",
    ]),
    "broken package": ({"bad_pack/__init__.py": "import no_such_thing\n", "bad_pack/m.py": PLAIN}, "bad_pack.m:mine", [
        "bad_pack.m: importing it raised ModuleNotFoundError: No module named 'no_such_thing'",
    ]),
    "unknown id": ({}, "mocise", ["no measure 'mocise'; did you mean 'mocice'?", "path/to/file.py:function"]),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_said_in_a_sentence(wrong: str, write: Write) -> None:
    files, target, parts = WRONG[wrong]
    for name, text in files.items():
        write(name, text)
    before = set(sys.modules)
    with pytest.raises(InputError) as caught:
        targets.load(target)
    for part in parts:
        assert part in str(caught.value)
    assert "\n" not in str(caught.value)
    if "importing it" in str(caught.value):
        assert not [name for name in set(sys.modules) - before if name.startswith("_metaeval_target")]


def test_a_module_not_imported_by_its_file_name(write: Write) -> None:
    write("only.py", PLAIN)
    write("only/__init__.py", "")
    with pytest.raises(InputError, match=r"only has no function 'mine'"):
        targets.load("only:mine")
    assert targets.load("only.py:mine").id == "mine"
