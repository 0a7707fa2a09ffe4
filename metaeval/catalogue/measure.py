"""Measures: what they are, how a function becomes one, and the registry that finds them by id."""

from __future__ import annotations

import inspect
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any, Literal, NamedTuple, overload

from metaeval.catalogue.aliases import resolved
from metaeval.catalogue.registry import Registry
from metaeval.core.biclustering import Biclustering
from metaeval.core.errors import InputError, MetaevalError
from metaeval.core.grouping import grouped
from metaeval.core.relation import Bounds
from metaeval.equations.equation import DOMAINS, Equation
from metaeval.exact import Exact, is_exact, plain
from metaeval.kernel.overlay import LARGE, overlay

ScoreFunction = Callable[[Biclustering, Biclustering], Any]

_ID = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*\Z")
_ENTRY_POINTS = "metaeval.measures"
_HOME = "metaeval.measures."

#: How the names of the modules begin under which users' files are loaded.
FILE_MODULE = "_metaeval_target_"
_ITS_OWN = "an equation has best=, low= and smaller_is_better= itself; leave them out here"
#: What Python calls every lambda.
LAMBDA = "<lambda>"


#: Names of parameters that tell a gold standard from a candidate.
_GOLD = {"gold", "gold_standard", "truth", "ground_truth", "reference", "y_true", "labels_true"}
_CANDIDATE = {"candidate", "found", "predicted", "prediction", "y_pred", "labels_pred"}


class Usage(NamedTuple):
    """How a user's own function is called.

    ``takes`` is what its two arguments are: "biclusterings", "labels", "clusters", "indicators" or "cell_sets".
    ``names`` are the names of the two arguments in the function's own order, ``gold_first`` is whether the first of
    them is the gold standard, and ``params`` are further keyword arguments with fixed values. ``noise`` is the label of
    objects in no cluster.
    """

    takes: str = "biclusterings"
    names: tuple[str, str] = ("candidate", "gold")
    gold_first: bool = False
    params: tuple[tuple[str, Any], ...] = ()
    noise: int | None = None

    @classmethod
    def of(cls, function: Any, takes: str = "biclusterings", gold_first: bool | None = None) -> Usage:
        """By the names of the function's first two parameters; where these are not clear, labels come gold first."""
        names = ("y_true", "y_pred") if takes == "labels" else ("candidate", "gold")
        with suppress(TypeError, ValueError):  # a function written in C may have no signature, another no two names
            found = inspect.signature(function).parameters.values()
            first, second, *_ = (one.name for one in found if one.kind <= one.POSITIONAL_OR_KEYWORD)
            names = first, second
        told = gold_first, cls(takes, names).told, takes == "labels"
        return cls(takes, names, next(one for one in told if one is not None))

    @property
    def told(self) -> bool | None:
        """Whether the first argument is the gold standard by its name; None where the names are not clear."""
        roles = ["gold" if one in _GOLD else "candidate" if one in _CANDIDATE else one for one in self.names]
        return roles[0] == "gold" if sorted(roles) == ["candidate", "gold"] else None


@dataclass(frozen=True, eq=False)
class Measure:
    """A measure: scores (candidate, gold), reported as a similarity whose optimum is :attr:`optimum`.

    ``function`` returns a Fraction, an int or another number of :mod:`metaeval.exact` where it is exact, else a float.
    It is the ``equation`` itself where the measure is one; a plain function may declare an equation, which every case
    of a search then compares with it. A dissimilarity says ``smaller_is_better`` and is turned round here. ``best`` and
    ``low`` are what the function returns at best and at worst; None where there is no such constant, or none is
    declared. ``doc`` describes the measure in words, ``family`` is its kind and ``home`` the module that made it.
    ``target`` are the words by which ``metaeval check`` finds a measure that is not registered. ``renamed`` is the same
    function under other names of clusters, if it gets such names: with gaps, and with -1. The gate compares.
    ``usage`` says how the user's function is called; ``own`` is that function where ``function`` is an adapter around
    it, else None.
    """

    id: str
    name: str
    function: ScoreFunction
    best: float | None = 1.0
    citation: str = ""
    smaller_is_better: bool = False
    domain: str = "biclusterings"
    target: str = ""
    low: float | None = None
    renamed: tuple[ScoreFunction, ...] = ()
    usage: Usage = field(default_factory=Usage)
    own: Callable[..., Any] | None = None
    equation: Equation | None = None
    doc: str = ""
    family: str = ""
    home: str = ""

    def __post_init__(self) -> None:
        if self.equation is not None and self.function is self.equation:
            best, low = (None if bound is None else float(bound) for bound in (self.equation.best, self.equation.low))
            if (self.best, self.low, self.smaller_is_better) != (best, low, self.equation.smaller_is_better):
                raise InputError(_ITS_OWN)
            # Made anew: what somebody put into the object that they have is not scored here.
            fresh = copy(self.equation)
            object.__setattr__(self, "equation", fresh)
            object.__setattr__(self, "function", fresh)

    def __init_subclass__(cls) -> None:
        raise TypeError("Measure has no subclasses; give it a function")

    @property
    def is_equation(self) -> bool:
        """Whether the measure is its equation: then it can be proved."""
        return self.equation is not None and self.function is self.equation

    @property
    def declared(self) -> Equation | None:
        """The equation that a plain function says it computes."""
        return None if self.is_equation else self.equation

    def __call__(self, candidate: Any, gold: Any = None) -> Any:
        """What the function itself returns. An equation that is called with a function is declared for it."""
        if gold is None and self.is_equation and callable(candidate):
            MEASURES.remove(self.id)
            taken = ("id", "name", "citation", "domain", "equation", "doc", "family")
            return _registered(make_measure(candidate, **{name: getattr(self, name) for name in taken}))
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
        """The first line of the description, or of the function's docstring."""
        written = "" if isinstance(self.function, Equation) else behind(self.function).__doc__
        return (self.doc or written or "").strip().partition("\n")[0]

    def value(self, candidate: Biclustering, gold: Biclustering) -> Any:
        """The score as a similarity, exact where the function is."""
        function = self.function
        # What an equation returns is plain, and the search asks for millions of scores.
        value = function.function(candidate, gold) if type(function) is Equation else plain(function(candidate, gold))
        return -value if self.smaller_is_better else value

    def score(self, candidate: Biclustering, gold: Biclustering) -> float:
        """The score as a similarity and a float, on arrays where the measure is an equation and the input is large."""
        if self.scores_on_arrays(candidate, gold):
            assert self.equation is not None
            value = self.equation.fast(candidate, gold)
            return -value if self.smaller_is_better else value
        return float(self.value(candidate, gold))

    def scores_on_arrays(self, candidate: Biclustering, gold: Biclustering) -> bool:
        """Whether :meth:`score` uses arrays here."""
        return self.is_equation and overlay(candidate, gold).size >= LARGE

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


@overload
def measure(
    id: str, *, name: str | None = None, best: float | None = 1.0, low: float | None = None, citation: str = "",
    smaller_is_better: bool = False, domain: str | None = None, doc: str = "", family: str = "",
) -> Callable[[ScoreFunction], Measure]: ...  # fmt: skip
@overload
def measure(
    id: str, *, equation: Equation, name: str | None = None, citation: str = "", domain: str | None = None,
    doc: str = "", family: str = "",
) -> Measure: ...  # fmt: skip
def measure(
    id: str, *, name: str | None = None, best: float | None = 1.0, low: float | None = None, citation: str = "",
    smaller_is_better: bool = False, domain: str | None = None, equation: Equation | None = None, doc: str = "",
    family: str = "",
) -> Measure | Callable[[ScoreFunction], Measure]:  # fmt: skip
    """Register a plain function of (candidate, gold), or an equation, as a measure.

    A function returns a Fraction, an int or another number of :mod:`metaeval.exact` where it is exact, else
    a float, and raises :class:`metaeval.Undefined` where it has no score. ``best`` is what it returns for a perfect
    match; a dissimilarity says ``smaller_is_better``, and its scores are reported with the sign turned. ``best`` is
    None where a perfect match has no constant score, as with mutual information: such a measure is not asked what
    speaks of the optimum. ``low`` is what the function returns at its worst, where that is known. ``name`` and
    ``citation`` are for tables. ``domain`` says what the function is defined on: "biclusterings" is everything,
    "disjoint" biclusterings share no cell, "clusterings" are of objects alone, and "partitions" are clusterings that
    hold every object once.

    The name of the function then stands for the :class:`metaeval.Measure`, which can still be called.

    >>> import metaeval
    >>> @metaeval.measure("number-of-biclusters", best=0, smaller_is_better=True)
    ... def number_of_biclusters(candidate, gold):
    ...     return abs(len(candidate) - len(gold))
    >>> metaeval.score("number-of-biclusters", metaeval.Biclustering([({0}, {0})]), metaeval.Biclustering())
    -1.0
    >>> metaeval.forget("number-of-biclusters")

    With an ``equation`` the measure is that equation, with its best score, domain and sign, and is returned. Used as a
    decorator all the same, it declares that the function computes the equation: each case of a search compares them.

    >>> from metaeval.equations import Equation, cells, in_class, in_cluster
    >>> overlap = metaeval.measure("overlap", equation=Equation(cells(in_cluster * in_class) / cells(1), empty=1))
    >>> overlap(metaeval.Biclustering([({0}, {0})]), metaeval.Biclustering([({0, 1}, {0})]))
    Fraction(1, 2)
    >>> metaeval.forget("overlap")
    """
    options: dict[str, Any] = {"id": id, "name": name, "citation": citation, "doc": doc, "family": family}
    if equation is None:
        options |= {"best": best, "low": low, "smaller_is_better": smaller_is_better}
        return lambda function: _registered(make_measure(function, **options, domain=domain))
    if not isinstance(equation, Equation):
        raise InputError(f"equation is {equation!r}; expected a metaeval.Equation")
    if (best, low, smaller_is_better) != (1.0, None, False):
        raise InputError(_ITS_OWN)
    # Like a function, an equation belongs to the module that wrote it.
    home = str(sys._getframe(1).f_globals.get("__name__", ""))
    return _registered(make_measure(equation, **options, home=home, domain=domain))


def _registered(new: Measure) -> Measure:
    if new.usage.told:
        raise InputError(f"{new.id} takes {' before '.join(new.usage.names)}; a measure takes the candidate first")
    known = MEASURES.view.get(new.id)
    if known is not None and known.home and known.home == new.home:
        # A decorator that declares an equation registers that first.
        equations = new.is_equation and known.equation is not None
        if (equations or _place(known.function) == _place(new.function)) and None not in _place(new.function):
            MEASURES.replace(new.id, new)  # a notebook cell run again
            return new
    MEASURES.add(new.id, new)
    return new


def _place(function: ScoreFunction) -> tuple[object, object]:
    return getattr(function, "__module__", None), getattr(function, "__qualname__", "")


def make_measure(
    function: ScoreFunction, *, id: str, name: str | None = None, best: float | Fraction | None = 1.0,
    low: float | Fraction | None = None, citation: str = "", smaller_is_better: bool = False,
    domain: str | None = None, equation: Equation | None = None, doc: str = "", family: str = "", home: str = "",
) -> Measure:  # fmt: skip
    """A checked :class:`Measure` that is not registered, of a function or of an equation."""
    if not callable(function):
        raise InputError(f"a measure is a function of (candidate, gold), not {function!r}")
    if not isinstance(id, str) or not _ID.match(id):
        MEASURES.check_id(id)
    if isinstance(function, Equation):
        equation = function
    if equation is not None:
        best, low, smaller_is_better = equation.best, equation.low, equation.smaller_is_better
        domain = domain or equation.domain
    domain = domain or "biclusterings"
    if domain not in DOMAINS:
        raise InputError(f"domain is {domain!r}; expected one of {', '.join(DOMAINS)}")
    return Measure(
        id=id, name=name or id, function=function, best=_bound("best", best, "the finite score of a perfect match"),
        citation=citation, smaller_is_better=smaller_is_better, domain=domain, equation=equation, doc=doc,
        low=_bound("low", low, "the finite score of the worst match"), family=family,
        home=home or getattr(function, "__module__", None) or "", usage=Usage.of(function, gold_first=False),
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
    return measure.home.startswith(_HOME)


def family_of(measure: Measure) -> str:
    """The family of a measure of metaeval's own; "" for any other."""
    return measure.family if is_own(measure) else ""


def by_family(found: Iterable[Measure]) -> dict[str, list[Measure]]:
    """Measures by their families, each in the order in which its first one comes, those of no family last."""
    families = {family_of(some[0]): some for some in grouped(found, family_of)}
    return dict(sorted(families.items(), key=lambda one: one[0] == ""))


def find_measure(id: str) -> Measure:
    """A registered measure by its id."""
    measures()
    return MEASURES.find(id)


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
    if isinstance(function, Equation):
        return (variable_of(function) or ("", "equation"))[1]
    name = getattr(function, "__name__", None)
    if name == LAMBDA:
        held = getattr(function, "__globals__", {}).items()
        return next((variable for variable, value in held if value is function), "lambda")
    if name == "__call__":  # the method of an object
        return type(getattr(function, "__self__", function)).__name__
    return name if isinstance(name, str) else type(function).__name__


def variable_of(thing: object) -> tuple[str, str] | None:
    """The name of a module that holds an object, and of the variable; None where no module of the user's does."""
    for name, module in list(sys.modules.items()):
        if not name.startswith("metaeval."):
            for variable, value in list(getattr(module, "__dict__", {}).items()):
                if value is thing and variable[0] != "_":
                    return name, variable
    return None


def id_of(name: str, home: Any = "") -> str:
    """An id made of a name; where a registered measure has it, of its module, too: results would pass for its own.

    ``home`` is the name or the file of the module, or the function itself.
    """
    if not isinstance(home, str):
        home = str(getattr(behind(home), "__module__", None) or "")
        home = sys.modules[home].__file__ or "" if home.startswith(FILE_MODULE) else home
        home = "" if home.partition(".")[0] in ("metaeval", "builtins") else home
    last = re.split(r"[/\\.]", home.removesuffix(".py"))[-1]
    id, module = ("-".join(re.findall("[a-z0-9]+", text.lower())) for text in (name, last))
    id = id or "measure"
    while id in measures():
        id = f"{module or 'unregistered'}.{id}"
    return id


Scored = str | Measure | Equation


@overload
def score(measure: Scored, candidate: Any, gold: Any = None, *, exact: Literal[False] = False) -> float: ...
@overload
def score(measure: Scored, candidate: Any, gold: Any = None, *, exact: Literal[True]) -> Exact: ...
@overload
def score(measure: Scored, candidate: Any, gold: Any = None, *, exact: bool) -> float | Exact: ...
def score(measure: Scored, candidate: Any, gold: Any = None, *, exact: bool = False) -> float | Exact:
    """The score of a candidate against a gold standard, as a similarity: larger is better.

    ``measure`` is the name of a registered measure, a measure or an equation. With ``exact`` the score is a Fraction,
    or another number of :mod:`metaeval.exact` where the measure is made of logarithms or roots; a measure that has no
    exact form raises :class:`metaeval.InputError`.

    The sides are biclusterings. They may also be two vectors of integers, -1 for no label, that need not fit into
    memory: arrays, memory maps, .npy and .parquet files ("found.parquet:column"), arrays and series of Dask. An
    iterable of pairs of chunks (candidate, gold) stands for both.

    >>> import metaeval
    >>> gold = metaeval.Biclustering([({0, 1, 2}, {0, 1}), ({3, 4}, {1, 2})], shape=(6, 3))
    >>> found = metaeval.Biclustering([({0, 1}, {0, 1}), ({3, 4}, {1, 2})], shape=(6, 3))
    >>> metaeval.score("rnia", found, gold)
    0.8
    >>> metaeval.score("rnia", found, gold, exact=True)
    Fraction(4, 5)
    >>> metaeval.score("rand", [([0, 0], [0, 0]), ([1], [1])])
    1.0
    """
    if not (isinstance(candidate, Biclustering) and isinstance(gold, Biclustering)):
        from metaeval.kernel.label_table import label_sides  # loaded here: NumPy is large

        for role, side, other in (("candidate", candidate, gold), ("gold", gold, candidate)):
            if isinstance(other, Biclustering):
                raise InputError(
                    f"the {role} is a {type(side).__name__}; expected a metaeval.Biclustering, as beside it"
                )
        candidate, gold = label_sides(candidate, gold)
    if isinstance(measure, Equation):
        measure = make_measure(measure, id="equation")
    found = measure if isinstance(measure, Measure) else find_measure(resolved(measure, measures()))
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
