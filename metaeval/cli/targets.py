"""Targets of ``check``, ``run`` and ``score``: a measure's id, ``package.module:function`` or ``file.py:function``.

A file is loaded under a private name, so that it may be called ``measures.py`` or ``metaeval.py``.
"""

import ast
import contextlib
import hashlib
import importlib
import importlib.util
import inspect
import os
import shlex
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, NamedTuple

from metaeval.adapters import Declared, as_measure, param_values
from metaeval.catalogue.measure import FILE_MODULE, LAMBDA, Measure, ScoreFunction, id_of, make_measure, measures
from metaeval.catalogue.registry import suggestion
from metaeval.core.errors import InputError, MetaevalError
from metaeval.equations.equation import Equation
from metaeval.equations.tree import MOST_BYTES, Expression
from metaeval.files.json_file import demand_small, read_json
from metaeval.project import FILE

_FORMS = "a measure's id, package.module:function, path/to/file.py:function or an equation.json"

#: The target that stands for every registered measure.
ALL = "all"


class Said(NamedTuple):
    """What the command line says of a plain function, which cannot say it itself."""

    best: float | Literal["none"] | None = None
    low: float | None = None
    smaller_is_better: bool = False
    domain: str | None = None
    params: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        """The same as options of ``metaeval check``."""
        words: list[str] = []
        for option, value in zip(("--best", "--low", "--smaller-is-better", "--domain"), self, strict=False):
            if value is not None and value is not False:  # not `in`: --best 0 equals False
                words.append(option)
                if value is not True:
                    words.append(value if isinstance(value, str) else f"{value:g}")
        return words + [one for word in self.params for one in ("--param", word)]


NOTHING = Said()


def load(target: str, said: Said = NOTHING) -> Measure:
    """The measure of a target; the best score of a dissimilarity is 0 unless the command line says otherwise."""
    found = find(target)
    if isinstance(found, (Measure, Equation)) and said.words:
        option = said.words[0]
        how = ", as functools.partial(function, beta=2)" if option == "--param" else ""
        raise InputError(
            f"{target} is a measure that says this itself; leave {option} out, say it where it is made{how}"
        )
    if isinstance(found, Equation):
        place, name = ("json", Path(target).stem) if target.endswith(".json") else target.rpartition(":")[::2]
        return located(make_measure(found, id=id_of(name, place), name=name), shlex.quote(target))
    if isinstance(found, Measure):
        return located(found, shlex.quote(target)) if ":" in target else found
    declared = Declared(low=said.low, smaller_is_better=said.smaller_is_better)
    if said.best is not None:
        declared["best"] = None if said.best == "none" else said.best
    if said.domain is not None:
        declared["domain"] = said.domain
    demand_call(found, target, said.params)
    return located(as_measure(found, param_values(said.params), **declared), shlex.join([target, *said.words]))


def located(measure: Measure, words: str) -> Measure:
    """The same object, which now knows its target: the registry knows measures by identity."""
    object.__setattr__(measure, "target", words)
    return measure


def taken_for_gold(measure: Measure) -> str | None:
    """Which argument of a function is taken for the gold standard, in a sentence; None where its names tell."""
    usage = measure.usage
    if usage.told is not None or measure.is_equation or measure.id in measures():
        return None
    place, name = ("first", usage.names[0]) if usage.gold_first else ("second", usage.names[1])
    return f"the {place} argument, `{name}`, is taken for the gold standard; call one gold and one candidate to be sure"


def find(target: str) -> Measure | ScoreFunction:
    """The measure, or the plain function, that a target names."""
    place, colon, function = target.rpartition(":")
    if target.endswith(".json"):  # an equation: nothing is executed
        demand_small(target, MOST_BYTES)
        try:
            return Equation.from_json(read_json(target))
        except InputError as error:
            raise InputError(str(error) if target in str(error) else f"{target}: {error}") from None
    if not colon and _is_file_name(target):
        name = _first_function_in(target)
        hint = "" if name is None else f", such as {target}:{name}"
        raise InputError(f"{target} names a file and no function; expected {target}:function{hint}")
    if not colon:
        try:
            return as_measure(target)
        except InputError as error:
            raise InputError(f"{error}; a function of your own is path/to/file.py:function") from None
    if not place or not function:
        raise InputError(f"the target is {target!r}; expected {_FORMS}")
    module = _load_file(place) if _is_file_name(place) else _load_module(place)
    found: Measure | ScoreFunction = _attribute(module, place, function)
    if isinstance(found, Expression):
        raise InputError(f"{target} is an expression without conventions; expected Equation(…, empty=…)")
    if not callable(found):
        raise InputError(f"{target} is a {type(found).__name__}; expected a function of (candidate, gold)")
    if not isinstance(found, Measure) and getattr(found, "__name__", None) == LAMBDA:
        # A lambda has no name of its own; it gets the one it was found under.
        found.__name__ = function.rpartition(".")[2]
        found.__qualname__ = function
    return found


def load_several(targets: Iterable[str], said: Said = NOTHING) -> list[Measure]:
    """The measures of targets, each once; ``all`` stands for every registered one.

    Two partials of one function have its name. Where such measures meet, each gets the name it was found under.
    """
    registered = list(measures().values())  # before any file adds to it
    found: dict[str, Measure] = {}
    for target in dict.fromkeys(targets):
        if target == ALL and ALL not in measures():
            found |= {measure.id: measure for measure in registered}
        else:
            found[target] = load(target, said)
    often = Counter(one.id for one in dict.fromkeys(found.values()))
    for target, one in found.items():
        place, _, name = target.rpartition(":")
        if often[one.id] > 1 and place and one not in measures().values():
            found[target] = replace(one, id=id_of(name, place), name=name)
    demand_ids(found)
    return list(dict.fromkeys(found.values()))


def demand_ids(found: Mapping[str, Measure]) -> None:
    """Refuse targets of which two different ones have the same id."""
    owners: dict[str, str] = {}
    for target, measure in found.items():
        other = owners.setdefault(measure.id, target)
        if found[other] is not measure:
            raise InputError(
                f"{other} and {target} both have the id {measure.id!r}; give each its own: @metaeval.measure('an-id')"
            )


def _is_file_name(place: str) -> bool:
    return place.endswith(".py") or os.sep in place or "/" in place or Path(place).is_file()


def _first_function_in(path: str) -> str | None:
    """The first public function that a file defines; the file is parsed, not run."""
    try:
        tree = ast.parse(Path(path).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
    functions = (node.name for node in tree.body if isinstance(node, ast.FunctionDef))
    return next((name for name in functions if name[0] != "_"), None)


# --- loading


class _Uncached(SourceFileLoader):
    """Reads the source itself: bytecode of the same second and size would hide an edit."""

    def path_stats(self, path: Any) -> Any:
        raise OSError("no bytecode, please")


def _load_file(path: str) -> ModuleType:
    file = Path(path)
    if not file.exists():
        close = suggestion(file.name, [each.name for each in file.parent.glob("*.py")])
        hint = "" if close is None else f"; did you mean {file.with_name(close)}?"
        raise InputError(f"{path} does not exist{hint}")
    if not file.is_file():
        raise InputError(f"{path} is no file; expected path/to/file.py:function")
    whole = str(file.resolve())
    if (package := _package_of(Path(whole))) is not None:
        return _load_module(*package)
    # A file has the same module name each time, so that it can register its measures again.
    name = f"{FILE_MODULE}{hashlib.sha256(whole.encode()).hexdigest()[:16]}"
    loader = _Uncached(name, whole)
    spec = importlib.util.spec_from_file_location(name, whole, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look their module up
    try:
        with _importing_from(Path(whole).parent):
            _explained(lambda: loader.exec_module(module), path, whole)
    except InputError as error:
        del sys.modules[name]
        if "relative import" in str(error):  # a folder without __init__.py is a package only if a module is named
            raise InputError(
                f"{error}; expected package.module:function, from the folder that holds the package"
            ) from None
        raise
    return module


def _package_of(file: Path) -> tuple[str, Path, Path] | None:
    """The name of a module in a package, and the folders it may import from; None for other files."""
    parts = [] if file.stem == "__init__" else [file.stem]
    for home in file.parents:
        if not (home / "__init__.py").is_file():
            break
        parts.insert(0, home.name)
    top = sys.modules.get(parts[0])
    taken = top is not None and getattr(top, "__file__", None) != str(home / parts[0] / "__init__.py")
    inside = home != file.parent and file.suffix == ".py" and all(map(str.isidentifier, parts))
    return (".".join(parts), home, file.parent) if inside and not taken else None


def _load_module(name: str, *homes: Path) -> ModuleType:
    # A project whose package lies in src/ need not be installed.
    here = [Path.cwd(), *([Path.cwd() / "src"] if Path(FILE).is_file() else [])]
    with _importing_from(*(homes or here)):
        importlib.invalidate_caches()
        # Finding a module imports the packages it lies in.
        spec = _explained(lambda: importlib.util.find_spec(name), name, None, searched=name)
        if spec is None:
            raise InputError(_no_module(name))
        shown = f"{name} ({os.path.relpath(spec.origin)})" if spec.has_location else name
        module: ModuleType = _explained(lambda: importlib.import_module(name), shown, spec.origin)
        return module


def _no_module(name: str) -> str:
    hint = f"; did you mean {name}.py?" if Path(f"{name}.py").is_file() else ""
    return f"no module {name!r} here or among the installed packages{hint}"


@contextlib.contextmanager
def _importing_from(*homes: Path) -> Iterator[None]:
    """Put folders first on the path while the user's code is imported, as for a script; last afterwards.

    They move to the end because a neighbour called statistics.py must not shadow a module that metaeval imports later.
    They stay because a function may import a neighbour when it is called.
    """
    folders = list(map(str, homes))
    sys.path[:0] = folders
    try:
        # Standard output is for data; what the file prints is not.
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        for folder in folders:
            with contextlib.suppress(ValueError):
                sys.path.remove(folder)
            if folder not in sys.path:
                sys.path.append(folder)


def _explained(work: Callable[[], Any], shown: str, file: str | None, searched: str | None = None) -> Any:
    """Do an import; an exception becomes one sentence that names the file."""
    try:
        return work()
    except SyntaxError as error:
        if error.filename == file:
            raise InputError(f"{shown}, line {error.lineno}: syntax error: {error.msg}") from None
        what = f"syntax error in {error.filename}, line {error.lineno}: {error.msg}"
        raise InputError(f"{_place(shown, file, error)}: importing it failed with a {what}") from None
    except MetaevalError as error:
        raise InputError(f"{_place(shown, file, error)}: {error}") from None
    except (Exception, SystemExit) as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if searched is not None and missing and f"{searched}.".startswith(f"{missing}."):
            raise InputError(_no_module(searched)) from None
        text = " ".join(str(error).split())
        raised = f"{type(error).__name__}: {text}" if text else type(error).__name__
        raise InputError(f"{_place(shown, file, error)}: importing it raised {raised}") from None


def _place(shown: str, file: str | None, error: BaseException) -> str:
    """The file, with the last of its lines in the traceback."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f"{shown}, line {lines[-1]}" if lines else shown


# --- what was loaded


def _attribute(module: ModuleType, place: str, name: str) -> Any:
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            close = suggestion(part, [each for each in vars(found) if each[0] != "_"])
            hint = "" if close is None else f"; did you mean {close!r}?"
            raise InputError(f"{place} has no function {name!r}{hint}")
        found = getattr(found, part)
    return found


def demand_call(found: ScoreFunction, target: str, params: Sequence[str]) -> None:
    """Refuse a function that cannot be called with a candidate, a gold standard and these further ``params``."""
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):  # some functions written in C do not tell
        return
    try:
        signature.bind(None, None, **param_values(params))
    except TypeError as error:
        called = ", ".join(("candidate", "gold", *params))
        hint = "; --param NAME=VALUE gives it" if "missing" in str(error) else ""
        raise InputError(f"{target}{signature} cannot be called with ({called}): {error}{hint}") from None
