"""Measures, and the registry that finds them by id."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType, ModuleType
from typing import Any, Generic, TypeVar

from metaeval.errors import InputError, MetaevalError
from metaeval.kernel import LARGE, overlay
from metaeval.model import Biclustering

Score = Fraction | float
ScoreFunction = Callable[[Biclustering, Biclustering], Any]

_ID = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*\Z")
_ENTRY_POINTS = "metaeval.measures"

#: What a measure may be defined on, from everything to the narrowest; see :mod:`metaeval.domains`.
DOMAINS = ("biclusterings", "disjoint", "clusterings", "partitions")


@dataclass(frozen=True, eq=False)
class Measure:
    """A measure: scores (candidate, gold), reported as a similarity whose optimum is :attr:`optimum`.

    ``function`` returns a Fraction or an int where it is exact, else a float. ``fast`` is an optional
    float form for large inputs. A dissimilarity says ``smaller_is_better`` and is turned round here.
    """

    id: str
    name: str
    function: ScoreFunction
    best: float = 1.0
    citation: str = ""
    fast: ScoreFunction | None = None
    smaller_is_better: bool = False
    domain: str = "biclusterings"

    def __call__(self, candidate: Biclustering, gold: Biclustering) -> Any:
        """What the function itself returns."""
        return self.function(candidate, gold)

    @property
    def optimum(self) -> float:
        """The best score, as a similarity."""
        return -self.best if self.smaller_is_better else self.best

    @property
    def summary(self) -> str:
        """The first line of the function's docstring."""
        return (self.function.__doc__ or "").strip().partition("\n")[0]

    def value(self, candidate: Biclustering, gold: Biclustering) -> Any:
        """The score as a similarity, exact where the function is."""
        value = self.function(candidate, gold)
        return -value if self.smaller_is_better else value

    def score(self, candidate: Biclustering, gold: Biclustering) -> float:
        """The score as a similarity and a float, by the fast path where the input is large."""
        if self.fast is None or len(overlay(candidate, gold).atoms) < LARGE:
            return float(self.value(candidate, gold))
        value = float(self.fast(candidate, gold))
        return -value if self.smaller_is_better else value

    def exact(self, candidate: Biclustering, gold: Biclustering) -> Fraction:
        """The score as a similarity and a Fraction; an error where the measure has no exact form."""
        value = self.function(candidate, gold)
        if isinstance(value, bool) or not isinstance(value, (Fraction, int)):
            raise InputError(
                f"{self.id} has no exact form: it returned {value!r}, a {type(value).__name__}; "
                "ask for the float score instead"
            )
        return Fraction(-value if self.smaller_is_better else value)


Entry = TypeVar("Entry")


class Registry(Generic[Entry]):
    """Entries by id, in the order they were registered."""

    def __init__(self, kind: str, id_pattern: re.Pattern[str], id_help: str) -> None:
        self._kind = kind
        self._id_pattern = id_pattern
        self._id_help = id_help
        self._entries: dict[str, Entry] = {}
        self.view: Mapping[str, Entry] = MappingProxyType(self._entries)

    def check_id(self, id: object) -> str:
        """``id`` itself where it is well formed and free."""
        if not isinstance(id, str) or not self._id_pattern.match(id):
            raise InputError(f"{id!r} is no {self._kind} id; expected {self._id_help}")
        if id in self._entries:
            raise InputError(f"a {self._kind} with the id {id!r} is registered already; choose another id")
        return id

    def add(self, id: str, entry: Entry) -> None:
        self._entries[self.check_id(id)] = entry

    def replace(self, id: str, entry: Entry) -> None:
        self._entries[id] = entry

    def remove(self, id: str) -> None:
        del self._entries[id]

    def __contains__(self, id: object) -> bool:
        return id in self._entries

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def find(self, id: str) -> Entry:
        """The entry, or an error that suggests what may have been meant."""
        if id in self._entries:
            return self._entries[id]
        close = get_close_matches(str(id), self._entries, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise InputError(f"no {self._kind} {id!r}; {hint}`metaeval list {self._kind}s` shows them all")


MEASURES: Registry[Measure] = Registry(
    "measure", _ID, "lower-case letters and digits joined by single '-', '_' or '.', such as 'my-measure'"
)


def measure(
    id: str,
    *,
    name: str | None = None,
    best: float = 1.0,
    citation: str = "",
    fast: ScoreFunction | None = None,
    smaller_is_better: bool = False,
    domain: str = "biclusterings",
) -> Callable[[ScoreFunction], Measure]:
    """Register a plain function of (candidate, gold) as a measure.

    >>> import metaeval
    >>> @metaeval.measure("number-of-biclusters", best=0, smaller_is_better=True)
    ... def number_of_biclusters(candidate, gold):
    ...     return abs(len(candidate) - len(gold))
    >>> metaeval.score("number-of-biclusters", metaeval.Biclustering([({0}, {0})]), metaeval.Biclustering())
    -1.0
    >>> metaeval.forget("number-of-biclusters")
    """

    def register(function: ScoreFunction) -> Measure:
        new = make_measure(
            function, id=id, name=name, best=best, citation=citation, fast=fast,
            smaller_is_better=smaller_is_better, domain=domain,
        )  # fmt: skip
        if id in MEASURES and _same_definition(MEASURES.find(id).function, function):
            MEASURES.replace(id, new)  # a notebook cell run again
        else:
            MEASURES.add(id, new)
        return new

    return register


def make_measure(
    function: ScoreFunction,
    *,
    id: str,
    name: str | None = None,
    best: float = 1.0,
    citation: str = "",
    fast: ScoreFunction | None = None,
    smaller_is_better: bool = False,
    domain: str = "biclusterings",
) -> Measure:
    """A checked :class:`Measure` that is not registered."""
    if not callable(function):
        raise InputError(f"a measure is a function of (candidate, gold), not {function!r}")
    if not isinstance(id, str) or not _ID.match(id):
        MEASURES.check_id(id)
    if domain not in DOMAINS:
        raise InputError(f"domain is {domain!r}; expected one of {', '.join(DOMAINS)}")
    if isinstance(best, bool) or not isinstance(best, (int, float, Fraction)) or best - best != 0:
        raise InputError(f"best is {best!r}; expected the finite score of a perfect match")
    return Measure(
        id=id, name=name or id, function=function, best=float(best), citation=citation, fast=fast,
        smaller_is_better=smaller_is_better, domain=domain,
    )  # fmt: skip


def forget(id: str) -> None:
    """Take a measure out of the registry."""
    MEASURES.find(id)
    MEASURES.remove(id)


def measures() -> Mapping[str, Measure]:
    """Every registered measure by id: metaeval's own first, then those of installed plug-ins."""
    import_module("metaeval.measures")
    _load_plugins()
    return MEASURES.view


def find_measure(id: str) -> Measure:
    """A registered measure by its id."""
    measures()
    return MEASURES.find(id)


_plugins_loaded = False


def _load_plugins() -> None:
    """Measures of other packages. A broken plug-in costs a warning, never the run."""
    global _plugins_loaded
    if _plugins_loaded:
        return
    _plugins_loaded = True  # before the loop: a plug-in may ask for the registry while it loads
    for entry in entry_points(group=_ENTRY_POINTS):
        try:
            loaded = entry.load()
            if not isinstance(loaded, (Measure, ModuleType)):
                measure(entry.name)(loaded)
        except MetaevalError as error:
            warnings.warn(f"the plug-in {entry.value!r} adds no measure: {error}", stacklevel=2)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            warnings.warn(f"the plug-in {entry.value!r} could not be loaded: {reason}", stacklevel=2)


def _same_definition(old: ScoreFunction, new: ScoreFunction) -> bool:
    def place(function: ScoreFunction) -> tuple[object, object]:
        return getattr(function, "__module__", None), getattr(function, "__qualname__", None)

    return place(old) == place(new) and None not in place(new)


def callable_package(name: str, function: Callable[[], object]) -> None:
    """Let a package be called: ``metaeval.measures`` is a folder of files and, called, the registry."""

    class CallablePackage(ModuleType):
        def __call__(self) -> object:
            return function()

    sys.modules[name].__class__ = CallablePackage
