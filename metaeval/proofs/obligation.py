"""Obligations: what a proof rests on. Rules derive them; each can be run on concrete cases.

An obligation is a typed statement about closed expressions. It is run by the exact semantics of the equation language,
which shares nothing with the algebra of the rules: a wrong rule shows as an obligation that fails on a case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case, Side
from metaeval.equations.equation import Equation
from metaeval.equations.exact_score import compiled_value
from metaeval.equations.tree import Expression
from metaeval.proofs.situation import Situation

#: How far two floats may differ; only exp and arccos make floats.
_TOLERANCE = 1e-9


class Values:
    """Closed expressions on the sides of cases, in the unit of an equation and where its header does not decide."""

    def __init__(self, equation: Equation) -> None:
        self.equation = equation
        self._functions: dict[Expression, Callable[[Biclustering, Biclustering], Any]] = {}

    def __call__(self, e: Expression, side: Side) -> Any:
        function = self._functions.get(e)
        if function is None:
            function = self._functions[e] = compiled_value(e, self.equation.unit)
        return function(*side)

    def decides(self, side: Side) -> bool:
        """Whether the expression decides the score of a side, and not a convention about empty sides."""
        candidate, gold = side
        return bool(candidate and gold) if self.equation.one_empty is not None else bool(candidate or gold)


def sign(a: Any, b: Any) -> int:
    """The sign of a − b: exact, but for floats."""
    if isinstance(a, float) or isinstance(b, float):
        return _rounded(float(a) - float(b))
    try:
        return (a > b) - (a < b)
    except TypeError:  # a logarithm beside a root
        return _rounded(float(a) - float(b))


def _rounded(difference: float) -> int:
    return 0 if abs(difference) <= _TOLERANCE else 1 if difference > 0 else -1


@dataclass(frozen=True, kw_only=True)
class Obligation:
    """A statement that a rule derived; ``rule`` names the rule."""

    rule: str = field(default="", compare=True)

    @property
    def statement(self) -> str:
        """The obligation as a person would write it."""
        raise NotImplementedError

    def run(self, case: Case, values: Values) -> bool | None:
        """Whether it holds on a case; None where it says nothing of this case."""
        held = [self.holds(side, values) for side in self.sides(case) if values.decides(side)]
        return all(held) if held else None

    def sides(self, case: Case) -> Iterator[Side]:
        """The sides it is about."""
        return iter(case)

    def holds(self, side: Side, values: Values) -> bool:
        """Whether it holds on one side."""
        raise NotImplementedError


@dataclass(frozen=True)
class Total(Obligation):
    """An expression has a value on every side."""

    a: Expression

    @property
    def statement(self) -> str:
        return "the equation has a value on every side"

    def holds(self, side: Side, values: Values) -> bool:
        values(self.a, side)  # a divisor of 0 raises
        return True


@dataclass(frozen=True)
class Same(Obligation):
    """Two expressions are equal."""

    a: Expression
    b: Expression

    @property
    def statement(self) -> str:
        return f"{self.a} = {self.b}"

    def holds(self, side: Side, values: Values) -> bool:
        return sign(values(self.a, side), values(self.b, side)) == 0


@dataclass(frozen=True)
class AtMost(Obligation):
    """One expression is at most the other."""

    a: Expression
    b: Expression

    @property
    def statement(self) -> str:
        return f"{self.a} ≤ {self.b}"

    def holds(self, side: Side, values: Values) -> bool:
        return sign(values(self.a, side), values(self.b, side)) <= 0


@dataclass(frozen=True)
class Positive(Obligation):
    """An expression is more than 0."""

    a: Expression

    @property
    def statement(self) -> str:
        return f"{self.a} > 0"

    def holds(self, side: Side, values: Values) -> bool:
        return sign(values(self.a, side), 0) > 0


@dataclass(frozen=True)
class Perfect(Obligation):
    """Two expressions are equal where the gold is scored against itself."""

    a: Expression
    b: Expression

    @property
    def statement(self) -> str:
        return f"{self.a} = {self.b}, for the gold against itself"

    def sides(self, case: Case) -> Iterator[Side]:
        return (Side(side.gold, side.gold) for side in case if side.gold)

    def holds(self, side: Side, values: Values) -> bool:
        return sign(values(self.a, side), values(self.b, side)) == 0


@dataclass(frozen=True)
class Costs(Obligation):
    """A defect of the left side keeps the score from the best: where ``defect`` is positive, so is ``gap``."""

    defect: Expression
    gap: Expression

    @property
    def statement(self) -> str:
        return f"if {self.defect} > 0, then {self.gap} > 0"

    def sides(self, case: Case) -> Iterator[Side]:
        return iter(case[:1])

    def holds(self, side: Side, values: Values) -> bool:
        return sign(values(self.defect, side), 0) <= 0 or sign(values(self.gap, side), 0) > 0


@dataclass(frozen=True)
class Covers(Obligation):
    """Every left side has one of these defects."""

    defects: tuple[Expression, ...]

    @property
    def statement(self) -> str:
        return f"one of these is positive: {'; '.join(map(str, self.defects))}"

    def sides(self, case: Case) -> Iterator[Side]:
        return iter(case[:1])

    def holds(self, side: Side, values: Values) -> bool:
        return any(sign(values(defect, side), 0) > 0 for defect in self.defects)


#: What a sum may do from left to right, as the signs of right − left that are allowed.
HOW = {"stays": {0}, "rises": {1}, "falls": {-1}, "not falls": {0, 1}, "not rises": {0, -1}}
_ARROWS = {"stays": "stays", "rises": "rises", "falls": "falls", "not falls": "does not fall",
           "not rises": "does not rise"}  # fmt: skip


@dataclass(frozen=True)
class Moves(Obligation):
    """What an expression does from left to right."""

    a: Expression
    how: str

    @property
    def statement(self) -> str:
        return f"from left to right, {self.a} {_ARROWS[self.how]}"

    def run(self, case: Case, values: Values) -> bool | None:
        left, right = case[:2]
        if not (values.decides(left) and values.decides(right)):
            return None
        return sign(values(self.a, right), values(self.a, left)) in HOW[self.how]


def conclusion(equation: Equation, situation: Situation) -> list[Obligation]:
    """What the scheme concludes of the score from left to right; other schemes state it of each side."""
    if situation.scheme in ("rise", "fall"):
        how = ("not rises" if situation.weak else "falls") if equation.smaller_is_better else "rises"
        how = "not falls" if how == "rises" and situation.weak else how
    elif situation.scheme in ("range", "itself", "top"):
        return []
    else:
        how = "stays"
    return [Moves(equation.expression, how, rule="conclusion")]


@dataclass(frozen=True)
class Scales(Obligation):
    """With k copies of everything, an expression is k^degree times as large."""

    a: Expression
    degree: Fraction

    @property
    def statement(self) -> str:
        return f"with k copies, {self.a} is k^{self.degree} times as large"

    def run(self, case: Case, values: Values) -> bool | None:
        left, right = case[:2]
        if not (values.decides(left) and values.decides(right)):
            return None
        # Counted on the family that has clusters: copies multiply clusters, scaling multiplies rows.
        number = 0 if left[0] else 1
        k = Fraction(len(right[number]), len(left[number]))
        if k == 1:
            k = Fraction(sum(len(rows) for rows, _ in right[number]), sum(len(rows) for rows, _ in left[number]))
        degree = Fraction(self.degree)
        before, after = values(self.a, left), values(self.a, right)
        if degree.denominator == 1:
            return sign(after, before * k ** int(degree)) == 0
        return _rounded(float(after) / (float(before) or 1.0) - (float(k) ** float(degree) if before else 0)) == 0


def failing(obligation: Obligation, case: Case, values: Values) -> bool | None:
    """Whether an obligation fails on a case; None where it says nothing of it. An error counts as a failure."""
    try:
        held = obligation.run(case, values)
    except (ArithmeticError, ValueError, TypeError):
        return True
    return None if held is None else not held
