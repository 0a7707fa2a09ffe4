"""Measures: what they are, how a function becomes one, and the registry that finds them by id."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any, Literal, overload

from metaeval.catalogue.registry import Registry
from metaeval.core.biclustering import Biclustering
from metaeval.core.errors import InputError, MetaevalError
from metaeval.core.grouping import grouped
from metaeval.core.relation import Bounds
from metaeval.exact import Exact, is_exact, plain
from metaeval.kernel.overlay import LARGE, overlay

ScoreFunction = Callable[[Biclustering, Biclustering], Any]

_ID = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*\Z")
_ENTRY_POINTS = "metaeval.measures"
_HOME = "metaeval.measures."

#: How the names of the modules begin under which users' files are loaded.
FILE_MODULE = "_metaeval_target_"
#: What Python calls every lambda.
LAMBDA = "<lambda>"

#: What a measure may be defined on, from everything to the narrowest.
DOMAINS = ("biclusterings", "disjoint", "clusterings", "partitions")


@dataclass(frozen=True, eq=False)
class Measure:
    """A measure: scores (candidate, gold), reported as a similarity whose optimum is :attr:`optimum`.

    ``function`` returns a Fraction, an int or another number of :mod:`metaeval.exact` where it is exact, else a float.
    ``fast`` is an optional float form for large inputs. A dissimilarity says ``smaller_is_better`` and is turned round
    here. ``best`` and ``low`` are what the function returns at best and at worst; None where there is no such
    constant, or none is declared.
    ``target`` are the words by which ``metaeval check`` finds a measure that is not registered. ``renamed`` is the same
    function where it is told clusters by name and these are other names, as label vectors have them: the gate compares.
    """

    id: str
    name: str
    function: ScoreFunction
    best: float | None = 1.0
    citation: str = ""
    fast: ScoreFunction | None = None
    smaller_is_better: bool = False
    domain: str = "biclusterings"
    target: str = ""
    low: float | None = None
    renamed: ScoreFunction | None = None

    def __call__(self, candidate: Biclustering, gold: Biclustering) -> Any:
        """What the function itself returns."""
        return self.function(candidate, gold)

    @property
    def optimum(self) -> float | None:
        """The best score, as a similarity; None where a perfect match has no constant score."""
        return self._turned(self.best)

    @property
    def lowest(self) -> float | None:
        """The worst score, as a similarity; None where none is declared."""
        return self._turned(self.low)

    @property
    def bounds(self) -> Bounds:
        """The lowest and the best score, as similarities."""
        return Bounds(self.lowest, self.optimum)

    def _turned(self, bound: float | None) -> float | None:
        return -bound if self.smaller_is_better and bound is not None else bound

    @property
    def summary(self) -> str:
        """The first line of the function's docstring."""
        return (behind(self.function).__doc__ or "").strip().partition("\n")[0]

    def value(self, candidate: Biclustering, gold: Biclustering) -> Any:
        """The score as a similarity, exact where the function is."""
        value = plain(self.function(candidate, gold))
        return -value if self.smaller_is_better else value

    def score(self, candidate: Biclustering, gold: Biclustering) -> float:
        """The score as a similarity and a float, by the fast path where the input is large."""
        if self.fast is None or overlay(candidate, gold).size < LARGE:
            return float(self.value(candidate, gold))
        value = float(self.fast(candidate, gold))
        return -value if self.smaller_is_better else value

    def exact(self, candidate: Biclustering, gold: Biclustering) -> Exact:
        """The score as a similarity and an exact number; an error where the measure has no exact form."""
        value = plain(self.function(candidate, gold))
        if not is_exact(value):
            raise InputError(
                f"{self.id} has no exact form: it returned {value!r}, a {type(value).__name__}; "
                "ask for the float score instead"
            )
        turned = -value if self.smaller_is_better else value
        return Fraction(turned) if isinstance(turned, int) else turned


MEASURES: Registry[Measure] = Registry(
    "measure", _ID, "lower-case letters and digits joined by single '-', '_' or '.', such as 'my-measure'"
)


def measure(
    id: str,
    *,
    name: str | None = None,
    best: float | None = 1.0,
    low: float | None = None,
    citation: str = "",
    fast: ScoreFunction | None = None,
    smaller_is_better: bool = False,
    domain: str = "biclusterings",
) -> Callable[[ScoreFunction], Measure]:
    """Register a plain function of (candidate, gold) as a measure.

    The function returns a Fraction, an int or another number of :mod:`metaeval.exact` where it is exact, else
    a float, and raises :class:`metaeval.Undefined` where it has no score. ``best`` is what it returns for a perfect
    match; a dissimilarity says ``smaller_is_better``, and its scores are reported with the sign turned. ``best`` is
    None where a perfect match has no constant score, as with mutual information: such a measure is not asked what
    speaks of the optimum. ``low`` is what the function returns at its worst, where that is known. ``name`` and
    ``citation`` are for tables. ``fast`` is a float form of the same for large inputs. ``domain`` says what
    the function is defined on: "biclusterings" is everything, "disjoint" biclusterings share no cell,
    "clusterings" are of objects alone, and "partitions" are clusterings that hold every object once.

    The name of the function then stands for the :class:`metaeval.Measure`, which can still be called.

    >>> import metaeval
    >>> @metaeval.measure("number-of-biclusters", best=0, smaller_is_better=True)
    ... def number_of_biclusters(candidate, gold):
    ...     return abs(len(candidate) - len(gold))
    >>> metaeval.score("number-of-biclusters", metaeval.Biclustering([({0}, {0})]), metaeval.Biclustering())
    -1.0
    >>> metaeval.forget("number-of-biclusters")
    """

    def place(function: ScoreFunction) -> tuple[object, object]:
        return getattr(function, "__module__", None), getattr(function, "__qualname__", None)

    def register(function: ScoreFunction) -> Measure:
        new = make_measure(
            function, id=id, name=name, best=best, low=low, citation=citation, fast=fast,
            smaller_is_better=smaller_is_better, domain=domain,
        )  # fmt: skip
        again = id in MEASURES and place(MEASURES.find(id).function) == place(function)
        if again and None not in place(function):
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
    best: float | None = 1.0,
    low: float | None = None,
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
    return Measure(
        id=id, name=name or id, function=function, best=_bound("best", best, "the finite score of a perfect match"),
        citation=citation, fast=fast, smaller_is_better=smaller_is_better, domain=domain,
        low=_bound("low", low, "the finite score of the worst match"),
    )  # fmt: skip


def _bound(name: str, value: Any, expected: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction)) or value - value != 0:
        raise InputError(f"{name} is {value!r}; expected {expected}, or None where there is none")
    return float(value)


def forget(id: str) -> None:
    """Take a measure out of the registry."""
    MEASURES.remove(MEASURES.find(id).id)


def measures() -> Mapping[str, Measure]:
    """Every registered measure by id: metaeval's own first, then those of installed plug-ins."""
    import_module("metaeval.measures")
    _load_plugins()
    return MEASURES.view


def is_own(measure: Measure) -> bool:
    """Whether a measure is one of metaeval's own, and neither a plug-in's nor the user's."""
    home = getattr(measure.function, "__module__", None) or ""
    return home.startswith(_HOME)


def family_of(measure: Measure) -> str:
    """The folder in which a measure of metaeval's own lies; "" for any other."""
    return str(measure.function.__module__).removeprefix(_HOME).partition(".")[0] if is_own(measure) else ""


def by_family(found: Iterable[Measure]) -> dict[str, list[Measure]]:
    """Measures by their families, each in the order in which its first one comes, those of no family last."""
    families = {family_of(some[0]): some for some in grouped(found, family_of)}
    others = families.pop("", [])
    return {**families, "": others} if others else families


def find_measure(id: str) -> Measure:
    """A registered measure by its id."""
    measures()
    return MEASURES.find(id)


def as_measure(one: str | Measure | ScoreFunction) -> Measure:
    """A measure by id, as it is, or made of a plain function."""
    if isinstance(one, Measure):
        return one
    if isinstance(one, str):
        return find_measure(one)
    name = name_of(one)
    return make_measure(one, id=id_of(name), name=name)


def behind(function: Any) -> Any:
    """The function that a partial wraps; any other as it is."""
    while isinstance(function, partial):
        function = function.func
    return function


def name_of(function: Any) -> str:
    """What a function is called; other callables are called after what is behind them.

    A partial after the function it wraps, an object after its class, a lambda after the variable that holds it.

    >>> def scaled(candidate, gold, factor): ...
    >>> name_of(partial(scaled, factor=2))
    'scaled'
    """
    function = behind(function)
    if isinstance(function, Measure):
        return function.id
    name = getattr(function, "__name__", None)
    if name == LAMBDA:
        held = getattr(function, "__globals__", {}).items()
        return next((variable for variable, value in held if value is function), "lambda")
    if name == "__call__":  # the method of an object
        return type(getattr(function, "__self__", function)).__name__
    return name if isinstance(name, str) else type(function).__name__


def id_of(name: str) -> str:
    """An id made of a name, and one that no registered measure has: results would pass for that measure's."""
    plain = "".join(c if c.isalnum() and c.isascii() else "-" for c in name.lower())
    return free_id("-".join(filter(None, plain.split("-"))) or "measure")


def free_id(id: str) -> str:
    """An id of its own: under a registered one, its results would pass for that measure's."""
    return f"my-{id}" if id in measures() else id


@overload
def score(
    measure: str | Measure, candidate: Biclustering, gold: Biclustering, *, exact: Literal[False] = False
) -> float: ...
@overload
def score(measure: str | Measure, candidate: Biclustering, gold: Biclustering, *, exact: Literal[True]) -> Exact: ...
@overload
def score(measure: str | Measure, candidate: Biclustering, gold: Biclustering, *, exact: bool) -> float | Exact: ...
def score(measure: str | Measure, candidate: Biclustering, gold: Biclustering, *, exact: bool = False) -> float | Exact:
    """The score of a candidate against a gold standard, as a similarity: larger is better.

    ``measure`` is the id of a registered measure, or a measure itself. With ``exact`` the score is a Fraction,
    or another number of :mod:`metaeval.exact` where the measure is made of logarithms or roots; a measure that has no
    exact form raises :class:`metaeval.InputError`.

    >>> import metaeval
    >>> gold = metaeval.Biclustering([({0, 1, 2}, {0, 1}), ({3, 4}, {1, 2})], shape=(6, 3))
    >>> found = metaeval.Biclustering([({0, 1}, {0, 1}), ({3, 4}, {1, 2})], shape=(6, 3))
    >>> metaeval.score("rnia", found, gold)
    0.8
    >>> metaeval.score("rnia", found, gold, exact=True)
    Fraction(4, 5)
    """
    for role, side in (("candidate", candidate), ("gold", gold)):
        if not isinstance(side, Biclustering):
            raise InputError(f"the {role} is a {type(side).__name__}; expected a metaeval.Biclustering")
    found = measure if isinstance(measure, Measure) else find_measure(measure)
    return found.exact(candidate, gold) if exact else found.score(candidate, gold)


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
