"""Obligations: what a proof rests on. Rules derive them; each can be run on concrete cases.

An obligation is a typed statement about closed expressions. It is run by the exact semantics of the equation language,
which shares nothing with the algebra of the rules: a wrong rule shows as an obligation that fails on a case.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar

from metaeval.core.case import Case, Side
from metaeval.equations.equation import Equation
from metaeval.equations.exact_score import compiled_value
from metaeval.equations.tree import ZERO, Expression
from metaeval.proofs.situation import Situation

#: How far two floats may differ; only exp and arccos make floats.
_TOLERANCE = 1e-9


class Values:
    """Closed expressions on the sides of cases, in the unit of an equation and where its header does not decide."""

    def __init__(self, equation: Equation) -> None:
        self.equation = equation
        self._function = cache(lambda e: compiled_value(e, equation.unit))
        self._known: dict[tuple[Expression, int, int], Any] = {}

    def forget(self) -> None:
        """Before another case; values are known by the objects of a case, which live as long as it."""
        self._known.clear()

    def __call__(self, e: Expression, side: Side) -> Any:
        key = e, id(side[0]), id(side[1])
        if key not in self._known:
            self._known[key] = self._function(e)(*side)
        return self._known[key]

    def decides(self, side: Side) -> bool:
        """Whether the expression decides the score of a side, and not a convention about empty sides."""
        candidate, gold = side
        return bool(candidate and gold) if self.equation.one_empty is not None else bool(candidate or gold)


def sign(a: Any, b: Any) -> int:
    """The sign of a − b: exact, but for floats."""
    if isinstance(a, float) or isinstance(b, float):
        return _rounded(float(a) - float(b))
    try:
        return 1 if a > b else 0 if a == b else -1
    except TypeError:  # a logarithm beside a root
        return _rounded(float(a) - float(b))


def _rounded(difference: float) -> int:
    return 0 if abs(difference) <= _TOLERANCE else 1 if difference > 0 else -1


@dataclass(frozen=True, kw_only=True)
class Obligation:
    """A statement that a rule derived; ``rule`` names the rule."""

    rule: str = ""
    #: The statement in words, with fields; and whether it is about the left side only.
    words: ClassVar[str] = ""
    of_left: ClassVar[bool] = False

    @property
    def statement(self) -> str:
        """The obligation as a person would write it."""
        return self.words.format_map(vars(self))

    def run(self, case: Case, values: Values) -> bool | None:
        """Whether it holds on a case; None where it says nothing of this case."""
        held = [self.holds(side, values) for side in self.sides(case) if values.decides(side)]
        return all(held) if held else None

    def sides(self, case: Case) -> Iterable[Side]:
        return case[:1] if self.of_left else case

    def holds(self, side: Side, values: Values) -> bool:
        """Whether it holds on one side."""
        raise NotImplementedError


@dataclass(frozen=True)
class Total(Obligation):
    a: Expression
    words = "the equation has a value on every side"

    def holds(self, side: Side, values: Values) -> bool:
        values(self.a, side)  # a divisor of 0 raises
        return True


@dataclass(frozen=True)
class Same(Obligation):
    """Two expressions are equal; those below compare them otherwise."""

    a: Expression
    b: Expression = ZERO
    words = "{a} = {b}"
    #: The signs of a − b that are allowed.
    signs: ClassVar[tuple[int, ...]] = (0,)

    def holds(self, side: Side, values: Values) -> bool:
        return sign(values(self.a, side), values(self.b, side)) in self.signs


class AtMost(Same):
    words, signs = "{a} ≤ {b}", (-1, 0)


class Positive(Same):
    words, signs = "{a} > {b}", (1,)


class Perfect(Same):
    """Two expressions are equal where the gold is scored against itself."""

    words = "{a} = {b}, for the gold against itself"

    def sides(self, case: Case) -> Iterable[Side]:
        return (Side(side.gold, side.gold) for side in case if side.gold)


@dataclass(frozen=True)
class Costs(Obligation):
    """A defect of the left side keeps the score from the best: where ``defect`` is positive, so is ``gap``."""

    defect: Expression
    gap: Expression
    words, of_left = "if {defect} > 0, then {gap} > 0", True

    def holds(self, side: Side, values: Values) -> bool:
        return sign(values(self.defect, side), 0) <= 0 or sign(values(self.gap, side), 0) > 0


@dataclass(frozen=True)
class Covers(Obligation):
    """Every left side has one of these defects."""

    defects: tuple[Expression, ...]
    of_left = True

    @property
    def statement(self) -> str:
        return f"one of these is positive: {'; '.join(map(str, self.defects))}"

    def holds(self, side: Side, values: Values) -> bool:
        return any(sign(values(defect, side), 0) > 0 for defect in self.defects)


@dataclass(frozen=True)
class _Between(Obligation):
    """A statement about the values of an expression on the left and on the right."""

    a: Expression

    def run(self, case: Case, values: Values) -> bool | None:
        left, right = case[:2]
        if not (values.decides(left) and values.decides(right)):
            return None
        return self.holds_between(values(self.a, left), values(self.a, right), case)

    def holds_between(self, before: Any, after: Any, case: Case) -> bool:
        """Whether it holds of these values."""
        raise NotImplementedError


#: What a sum may do from left to right, as the signs of right − left that are allowed.
HOW = {"stays": {0}, "rises": {1}, "falls": {-1}, "not falls": {0, 1}, "not rises": {0, -1}}
_ARROWS = {"not falls": "does not fall", "not rises": "does not rise"}


@dataclass(frozen=True)
class Moves(_Between):
    """What an expression does from left to right."""

    how: str

    @property
    def statement(self) -> str:
        return f"from left to right, {self.a} {_ARROWS.get(self.how, self.how)}"

    def holds_between(self, before: Any, after: Any, case: Case) -> bool:
        return sign(after, before) in HOW[self.how]


@dataclass(frozen=True)
class Scales(_Between):
    """With k copies of everything, an expression is k^degree times as large."""

    degree: Fraction
    words = "with k copies, {a} is k^{degree} times as large"

    def holds_between(self, before: Any, after: Any, case: Case) -> bool:
        # Counted on the family that has clusters: copies multiply clusters, scaling multiplies rows.
        few, many = (side[0 if case[0][0] else 1] for side in case[:2])
        k = Fraction(len(many), len(few))
        if k == 1:
            k = Fraction(sum(len(rows) for rows, _ in many), sum(len(rows) for rows, _ in few))
        if self.degree.denominator == 1:
            return sign(after, before * k ** int(self.degree)) == 0
        grown = float(k) ** float(self.degree) if before else 0
        return _rounded(float(after) / (float(before) or 1.0) - grown) == 0


def conclusion(equation: Equation, situation: Situation) -> list[Obligation]:
    """What the scheme concludes of the score from left to right; other schemes state it of each side."""
    if situation.scheme in ("range", "itself", "top"):
        return []
    how = "stays"
    if situation.scheme in ("rise", "fall"):
        how = (("rises", "not falls"), ("falls", "not rises"))[equation.smaller_is_better][situation.weak]
    return [Moves(equation.expression, how, rule="conclusion")]


def failing(obligation: Obligation, case: Case, values: Values) -> bool | None:
    """Whether an obligation fails on a case; None where it says nothing of it. An error counts as a failure."""
    try:
        held = obligation.run(case, values)
    except (ArithmeticError, ValueError, TypeError):
        return True
    return None if held is None else not held
