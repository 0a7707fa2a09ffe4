"""Targets: what ``check``, ``run`` and ``score`` are pointed at, and one sentence for everything wrong with it.

A target is a measure's id, ``package.module:function`` or ``path/to/file.py:function``. A file is loaded
under a private name, so that one called ``measures.py`` or ``metaeval.py`` stands in nobody's way.
"""

from __future__ import annotations

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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from difflib import get_close_matches
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from metaeval.catalogue.measure import (
    FILE_MODULE,
    LAMBDA,
    Measure,
    ScoreFunction,
    as_measure,
    find_measure,
    free_id,
    id_of,
    make_measure,
    measures,
)
from metaeval.core.errors import InputError, MetaevalError

_FORMS = "a measure's id, package.module:function or path/to/file.py:function"

#: What ``--best`` says: a number, that there is no constant one, or nothing.
SaidBest = float | Literal["none"] | None

#: Stands for every measure that is registered.
ALL = "all"

#: First parameters of functions written for label vectors, as scikit-learn's.
_LABELS = ("labels_true", "y_true")


def load(
    target: str,
    *,
    best: SaidBest = None,
    smaller_is_better: bool = False,
    domain: str | None = None,
    name: str | None = None,
    low: float | None = None,
) -> Measure:
    """The measure that a target names; the options are for plain functions, which cannot say these things.

    A dissimilarity's best score is 0 unless ``best`` says otherwise.
    """
    found = find(target)
    if isinstance(found, Measure):
        _refuse_options(
            target,
            {
                "--best": best,
                "--low": low,
                "--smaller-is-better": smaller_is_better,
                "--domain": domain,
                "--name": name,
            },
        )
        return _located(found, shlex.quote(target)) if ":" in target else found
    measure = declared(found, best=best, smaller_is_better=smaller_is_better, domain=domain, name=name, low=low)
    return _located(measure, shlex.join([target, *declaring(best, low, smaller_is_better, domain)]))


def _located(measure: Measure, words: str) -> Measure:
    """The measure, which says from now on where it was found.

    It stays the same object: a measure that its file registers is known to the registry by identity.
    """
    object.__setattr__(measure, "target", words)
    return measure


def declaring(best: SaidBest, low: float | None, smaller_is_better: bool, domain: str | None) -> list[str]:
    """What must be said of a plain function, as it follows ``metaeval check`` and the target."""
    words = [] if best is None else ["--best", best if isinstance(best, str) else f"{best:g}"]
    words += [] if low is None else ["--low", f"{low:g}"]
    words += ["--smaller-is-better"] if smaller_is_better else []
    return words + ([] if domain is None else ["--domain", domain])


def find(target: str) -> Measure | ScoreFunction:
    """What a target names: a measure, or a plain function of (candidate, gold)."""
    place, colon, function = target.rpartition(":")
    if not colon:
        return _by_id(target)
    if not place or not function:
        raise InputError(f"the target is {target!r}; expected {_FORMS}")
    module = _load_file(place) if _is_file_name(place) else _load_module(place)
    return _named(_checked(_attribute(module, place, function), target), function)


def load_several(targets: Iterable[str]) -> list[Measure]:
    """The measures that targets name, each once; ``all`` stands for every registered one.

    Two partials of one function have its name. Where such measures meet, each goes by the name it was found under.
    """
    registered = list(measures().values())  # as it is before any file adds to it
    found: dict[str, Measure] = {}
    for target in dict.fromkeys(targets):
        if target == ALL and ALL not in measures():
            found |= {measure.id: measure for measure in registered}
        else:
            found[target] = load(target)
    often = Counter(one.id for one in dict.fromkeys(found.values()))
    renamed = {key: _found_under(key, one) if often[one.id] > 1 else one for key, one in found.items()}
    _refuse_shared_ids(renamed)
    return list(dict.fromkeys(renamed.values()))


def _refuse_shared_ids(found: dict[str, Measure]) -> None:
    owners: dict[str, str] = {}
    for target, measure in found.items():
        other = owners.setdefault(measure.id, target)
        if found[other] is not measure:
            raise InputError(
                f"{other} and {target} both have the id {measure.id!r}; give each its own: @metaeval.measure('an-id')"
            )


def _found_under(target: str, measure: Measure) -> Measure:
    variable = target.rpartition(":")[2]
    if variable == target or measure in measures().values():
        return measure
    return replace(measure, id=id_of(variable), name=variable)


def declared(
    function: ScoreFunction,
    *,
    best: SaidBest = None,
    smaller_is_better: bool = False,
    domain: str | None = None,
    name: str | None = None,
    low: float | None = None,
) -> Measure:
    """A plain function as a measure, with what the command line says of it."""
    plain = as_measure(function)
    if best is None:
        best = 0.0 if smaller_is_better else 1.0
    return make_measure(
        function,
        id=free_id(plain.id),
        name=name or plain.name,
        best=None if isinstance(best, str) else best,
        low=low,
        smaller_is_better=smaller_is_better,
        domain=domain or "biclusterings",
    )


def _refuse_options(target: str, options: dict[str, object]) -> None:
    for option, value in options.items():
        if value is not None and value is not False:  # not `in`: --best 0 equals False
            raise InputError(f"{target} is a measure that says this itself; leave {option} out")


def _by_id(target: str) -> Measure:
    if _is_file_name(target):
        names = _functions_in(target)
        raise InputError(
            f"{target} names a file and no function; expected {target}:function"
            + (f", such as {target}:{names[0]}" if names else "")
        )
    try:
        return find_measure(target)
    except InputError as error:
        raise InputError(f"{error}; a function of your own is path/to/file.py:function") from None


def _is_file_name(place: str) -> bool:
    return place.endswith(".py") or os.sep in place or "/" in place or Path(place).is_file()


def _functions_in(path: str) -> list[str]:
    """The functions that a file defines, by reading it only."""
    try:
        tree = ast.parse(Path(path).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return []
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"]


# --- loading


class _Uncached(SourceFileLoader):
    """Reads the source itself: bytecode of the same second and size would hide an edit."""

    def path_stats(self, path: Any) -> Any:
        raise OSError("no bytecode, please")


def _load_file(path: str) -> ModuleType:
    file = Path(path)
    if not file.exists():
        raise InputError(f"{path} does not exist" + _similar_file(file))
    if not file.is_file():
        raise InputError(f"{path} is no file; expected path/to/file.py:function")
    whole = str(file.resolve())
    # The same file has the same name each time, so that what it registers can be registered again.
    name = f"{FILE_MODULE}{hashlib.sha256(whole.encode()).hexdigest()[:16]}"
    loader = _Uncached(name, whole)
    spec = importlib.util.spec_from_file_location(name, whole, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look their module up
    try:
        with _importing_from(str(Path(whole).parent)):
            _explained(lambda: loader.exec_module(module), path, whole)
    except InputError:
        del sys.modules[name]
        raise
    return module


def _similar_file(file: Path) -> str:
    with contextlib.suppress(OSError):
        close = get_close_matches(file.name, [each.name for each in file.parent.glob("*.py")], n=1)
        if close:
            return f"; did you mean {file.with_name(close[0])}?"
    return ""


def _load_module(name: str) -> ModuleType:
    with _importing_from(os.getcwd()):
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
def _importing_from(folder: str) -> Iterator[None]:
    """First on the path while the user's code is imported, as for a script; last afterwards.

    Last, because a neighbour called statistics.py must not stand in for what metaeval itself imports later,
    and still there, because a function may import a neighbour when it is called.
    """
    sys.path.insert(0, folder)
    try:
        # What the file prints is no data of ours.
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(folder)
        if folder not in sys.path:
            sys.path.append(folder)


def _explained(work: Callable[[], Any], shown: str, file: str | None, searched: str | None = None) -> Any:
    """Do an import; whatever it raises becomes one sentence that names the file."""
    try:
        return work()
    except SyntaxError as error:
        if error.filename == file:
            raise InputError(f"{shown}, line {error.lineno}: syntax error: {error.msg}") from None
        what = f"syntax error in {error.filename}, line {error.lineno}: {error.msg}"
        raise InputError(f"{_place(shown, file, error)}: importing it failed with a {what}") from None
    except ModuleNotFoundError as error:
        if searched is not None and error.name and f"{searched}.".startswith(f"{error.name}."):
            raise InputError(_no_module(searched)) from None
        raise InputError(f"{_place(shown, file, error)}: importing it raised {_described(error)}") from None
    except MetaevalError as error:
        raise InputError(f"{_place(shown, file, error)}: {error}") from None
    except (Exception, SystemExit) as error:
        raise InputError(f"{_place(shown, file, error)}: importing it raised {_described(error)}") from None


def _place(shown: str, file: str | None, error: BaseException) -> str:
    """The file with the last line in it that the error went through."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f"{shown}, line {lines[-1]}" if lines else shown


def _described(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


# --- what was loaded


def _attribute(module: ModuleType, place: str, name: str) -> Any:
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            close = get_close_matches(part, [each for each in vars(found) if each[0] != "_"], n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise InputError(f"{place} has no function {name!r}{hint}")
        found = getattr(found, part)
    return found


def _named(found: Measure | ScoreFunction, name: str) -> Measure | ScoreFunction:
    """A lambda has no name of its own; it gets the one it was found under."""
    if getattr(found, "__name__", None) == LAMBDA:
        found.__name__ = name.rpartition(".")[2]  # type: ignore[union-attr]
        found.__qualname__ = name  # type: ignore[union-attr]
    return found


def _checked(found: Any, target: str) -> Measure | ScoreFunction:
    if isinstance(found, Measure):
        return found
    if not callable(found):
        raise InputError(f"{target} is a {type(found).__name__}; expected a function of (candidate, gold)")
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):  # some functions written in C do not tell
        return found  # type: ignore[no-any-return]
    try:
        signature.bind(None, None)
    except TypeError as error:
        shown = f"{target}{signature}"
        raise InputError(f"{shown} cannot be called with (candidate, gold): {error}") from None
    if next(iter(signature.parameters), None) in _LABELS:
        raise InputError(
            f"{target} takes label vectors; write a file with `mine = metaeval.adapters.labels(…)` around it "
            "and check file.py:mine"
        )
    return found  # type: ignore[no-any-return]
