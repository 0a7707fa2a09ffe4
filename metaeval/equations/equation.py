"""An equation: an expression with its conventions. It is called like a measure, printed, and written to JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from metaeval.core.biclustering import Biclustering, Unchangeable
from metaeval.core.errors import InputError
from metaeval.equations.tree import (
    ARITY, MOST_DEPTH, MOST_DIGITS, MOST_NODES, Expression, number,
)  # fmt: skip
from metaeval.equations.tree import expression as made_expression
from metaeval.equations.types import check_types
from metaeval.files.shown import show

SCHEMA = "metaeval.equation/1"
UNITS = ("cells", "objects")
DOMAINS = ("biclusterings", "disjoint", "clusterings", "partitions")

_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]*)(?:/[1-9][0-9]*)?\Z")
_HEADER = ("empty", "one_empty", "unit", "domain", "best", "low", "smaller_is_better")
_checking = True


class Equation(Unchangeable):
    """A measure as an equation of (candidate, gold).

    ``empty`` is the score where both sides are empty, ``one_empty`` where exactly one is; without it the expression
    decides. With ``unit="objects"`` the columns of every bicluster are replaced by one feature first. ``domain``,
    ``best``, ``low`` and ``smaller_is_better`` mean what they mean for :func:`metaeval.measure`.

    Types and totality are checked here: a divisor that may be 0, or the logarithm of 0, is an error at this point.

    >>> from metaeval.equations import Equation, cells, in_class, in_cluster
    >>> covered = Equation(cells(in_cluster * in_class) / cells(1), empty=1)
    >>> print(covered)
    cells(in_cluster·in_class)/cells(1)
    >>> covered(Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 0, -1]))
    Fraction(2, 3)
    """

    # No instance has a dictionary: what is scored is the expression, and nothing can be put in its place.
    __slots__ = ("_function", "best", "domain", "empty", "expression", "low", "one_empty", "smaller_is_better", "unit")

    _refusal = "an equation does not change; make a new one"
    expression: Expression
    empty: Fraction
    one_empty: Fraction | None
    unit: str
    domain: str
    best: Fraction | None
    low: Fraction | None
    smaller_is_better: bool
    _function: Callable[[Biclustering, Biclustering], Any] | None

    def __init__(
        self, expression: Any, *, empty: int | Fraction, one_empty: int | Fraction | None = None, unit: str = "cells",
        domain: str = "biclusterings", best: int | Fraction | None = 1, low: int | Fraction | None = None,
        smaller_is_better: bool = False,
    ) -> None:  # fmt: skip
        for name, value, known in (("unit", unit, UNITS), ("domain", domain, DOMAINS)):
            if value not in known:
                raise InputError(f"{name} is {value!r}; expected one of {', '.join(known)}")
        if not isinstance(smaller_is_better, bool):
            raise InputError(f"smaller_is_better is {smaller_is_better!r}; expected True or False")
        if empty is None:
            raise InputError("empty is None; expected the score where both sides are empty")
        header = (
            _number("empty", empty), _number("one_empty", one_empty), UNITS[UNITS.index(unit)],
            DOMAINS[DOMAINS.index(domain)], _bound("best", best), _bound("low", low), smaller_is_better,
        )  # fmt: skip
        for name, field in zip(_HEADER, header, strict=True):
            object.__setattr__(self, name, field)
        object.__setattr__(self, "expression", made_expression(expression))
        object.__setattr__(self, "_function", None)
        check_types(self.expression)
        if _checking:
            from metaeval.proofs.totality import check_total

            check_total(self)

    def __init_subclass__(cls) -> None:
        raise TypeError("an equation has no subclasses: its score is what the expression says")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equation) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[object, ...]:
        return self.expression, *(getattr(self, name) for name in _HEADER)

    def __reduce__(self) -> tuple[Any, ...]:
        # What was an equation once was checked once.
        return _trusted, (self.expression, {name: getattr(self, name) for name in _HEADER})

    def __call__(self, candidate: Biclustering, gold: Biclustering) -> Any:
        """The score: a Fraction or another exact number, or a float where exp or arccos make it one."""
        return (self._function or self.function)(candidate, gold)

    @property
    def function(self) -> Callable[[Biclustering, Biclustering], Any]:
        """The exact score as a Python function, compiled when it is first asked for."""
        if self._function is None:
            from metaeval.equations.exact_score import compiled

            object.__setattr__(self, "_function", compiled(self))
        assert self._function is not None
        return self._function

    def fast(self, candidate: Biclustering, gold: Biclustering) -> float:
        """The score as a float, on arrays: for large inputs."""
        from metaeval.equations.array_score import array_score

        return array_score(self, candidate, gold)

    def __str__(self) -> str:
        from metaeval.equations.equation_text import formula_text

        return formula_text(self.expression)

    __repr__ = __str__

    def latex(self) -> str:
        """The formula in LaTeX, for math mode."""
        from metaeval.equations.equation_text import latex_text

        return latex_text(self.expression)

    def to_json(self) -> dict[str, Any]:
        """The equation as plain data, of schema ``metaeval.equation/1``."""
        header = {name: getattr(self, name) for name in _HEADER}
        shown = {name: str(value) if isinstance(value, Fraction) else value for name, value in header.items()}
        return {"schema": SCHEMA, "expression": _data(self.expression), **shown}

    @classmethod
    def from_json(cls, data: object) -> Equation:
        """The equation that such data say, checked like any other. Nothing is executed."""
        if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
            raise InputError(f"this is no equation: its schema is not {SCHEMA}")
        wrong = set(data) ^ {"schema", "expression", *_HEADER}
        if wrong:
            keys = ", ".join(("schema", "expression", *_HEADER))
            raise InputError(f"an equation has the keys {keys}; {show(min(wrong))} is missing or unknown")
        header: dict[str, Any] = {name: _stated(name, data[name]) for name in ("empty", "one_empty", "best", "low")}
        return cls(
            _read(data["expression"], 0), **header, unit=data["unit"], domain=data["domain"],
            smaller_is_better=data["smaller_is_better"],
        )  # fmt: skip


def stated_equation(data: object) -> Equation:
    """The equation that a record states, for people: its types are checked, its totality is not."""
    with unchecked():
        return Equation.from_json(data)


def _trusted(tree: Expression, header: dict[str, Any]) -> Equation:
    with unchecked():
        return Equation(tree, **header)


@contextmanager
def unchecked() -> Iterator[None]:
    """Make equations without the check of totality, for metaeval's own: the tests check those once and for all."""
    global _checking
    before, _checking = _checking, False
    try:
        yield
    finally:
        _checking = before


def _number(name: str, value: object) -> Fraction | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        raise InputError(f"{name} is {value!r}; expected a whole number or a Fraction")
    return number(value).value


def _bound(name: str, value: object) -> Fraction | None:
    found = _number(name, value)
    # Reports and other measures have floats there; a rounded bound would be another one.
    if found is not None and Fraction(float(found)) != found:
        raise InputError(f"{name} is {found}; expected a number that a float holds exactly, like 1 or -1/2")
    return found


def _data(e: Expression) -> Any:
    if e.op == "number":
        return e.value.numerator if e.value.denominator == 1 else str(e.value)
    if not e.args:
        return e.op
    return [e.op, *(_data(x) for x in e.args)]


def _read(data: object, depth: int) -> Expression:
    if depth > MOST_DEPTH:
        raise InputError(f"an equation is at most {MOST_DEPTH} levels deep, and this one is deeper")
    if isinstance(data, int) and not isinstance(data, bool):
        return number(data)
    if isinstance(data, str):
        return Expression(data) if ARITY.get(data) == 0 else number(_fraction(data))
    if not isinstance(data, list) or not data or not isinstance(data[0], str) or data[0] not in ARITY:
        raise InputError(f"{show(data)} is no part of an equation")
    op, args = data[0], data[1:]
    wanted = ARITY[op]
    if len(args) > MOST_NODES:
        raise InputError(f"an equation has at most {MOST_NODES} nodes, and this one has more")
    if (len(args) < 2 if wanted is None else len(args) != wanted) or not args:
        raise InputError(f"{op} has {len(args)} arguments; expected {wanted or 'two or more'}")
    if op == "^":
        power: Expression = _read(args[0], depth + 1) ** args[1]
        return power
    return Expression(op, *(_read(x, depth + 1) for x in args))


def _fraction(text: str) -> Fraction:
    if len(text) > 2 * MOST_DIGITS + 2 or not _FRACTION.match(text):
        raise InputError(f'{text[:60]!r} is no number of an equation; expected one like 3 or "-1/2", or an operator')
    return Fraction(text)


def _stated(name: str, value: object) -> Fraction | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise InputError(f'{name} is {show(value)}; expected a text like "1" or "-1/2", or null')
    return _fraction(value)
