"""All sizes of few clusters: a condition on patterns whose kinds may have any number of objects.

A measure's own code runs on each pattern with weights 1 + x. What it computes are quotients of polynomials, and where
no coefficient of what must be positive is negative, it is positive for all sizes. Where the code compares sizes and
the signs do not tell, the range of two of the symbols is split, at x = y, and the code runs again on both parts, in
which one of them is the other and something more (*successive difference substitution*: Yao, arXiv:0904.4030).

This says nothing of many clusters, and so it is never a proof: E4SC keeps A.4 on every small pattern and breaks it with
39 objects.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

from metaeval import kernel
from metaeval.cases import NOT_OPTIMAL, PERFECT_MATCH, WORSE, Case
from metaeval.condition import Condition, Reading
from metaeval.measuring import Measure
from metaeval.proof import Extent
from metaeval.proving.patterns import MOST, Pattern, patterns, scores
from metaeval.proving.quantities import Quantity, Undecided, constant_of, following
from metaeval.proving.refusal import Refused
from metaeval.sources import source_modules

#: So many kinds a pattern has at the most, and at the least if anything is to be said: all have one kind in common.
_MOST_KINDS = 4
_LEAST_KINDS = 2
#: How often a measure's code is run on symbols: for one pattern, and for a cell.
_MOST_RUNS_EACH = 60
_MOST_RUNS = 160
#: With so large values of the symbols, so often, the numbers are held against the measure itself.
_LARGEST_CHECKED = 12
_CHECKED = 2
#: How far a direction is followed, and how many objects a case may have there.
_POWERS = range(8)
_MOST_OBJECTS = 300
#: How many directions are taken from one polynomial, and how many cases come of a cell.
_MOST_DIRECTIONS = 3
MOST_SUSPECTS = 200


def all_sizes(measure: Measure, condition: Condition, reading: str) -> Extent | None:
    """Up to which patterns a measure keeps a condition for all sizes; None where nothing can be said."""
    found = condition.reading(reading)
    effort = _Effort(_MOST_RUNS)
    reached = None
    clusters = classes = number = 0
    for kinds in range(1, min(_MOST_KINDS, found.complete) + 1):
        try:
            level = _level(measure, condition, found, kinds)
            if number + len(level) > MOST or not all(_keeps(one, effort) for one in level):
                break
        except Exception:  # whatever its code makes of symbols, nothing more is said of it
            break
        number += len(level)
        families = [family for one in level for side in one.pattern.case for family in side]
        clusters = max([clusters, *map(len, families[::2])])
        classes = max([classes, *map(len, families[1::2])])
        if number and kinds >= _LEAST_KINDS:
            reached = Extent(kinds, clusters, classes, number)
    return reached


def directed(measure: Measure, condition: Condition, reading: str) -> Iterator[Case]:
    """Cases to try, where a sign stands in the way: sizes along the symbols of a negative monomial.

    Whoever asks for them must score them: a case that does not break the relation is no counterexample.
    """
    return islice(_directed(measure, condition, condition.reading(reading)), MOST_SUSPECTS)


def _directed(measure: Measure, condition: Condition, found: Reading) -> Iterator[Case]:
    effort = _Effort(_MOST_RUNS)
    for kinds in range(1, min(_MOST_KINDS, found.complete) + 1):
        try:
            level = _level(measure, condition, found, kinds)
        except Refused:
            return
        for subject in level:
            # Where a pattern asks for too much, another one may not.
            with suppress(Exception):
                yield from _suspects(subject, effort)
            if effort.runs < 0:
                return


def _level(measure: Measure, condition: Condition, reading: Reading, kinds: int) -> list[_Subject]:
    if condition.relation not in (WORSE, NOT_OPTIMAL, PERFECT_MATCH) or not reading.lies_in(measure.domain):
        return []
    modules = (kernel, *source_modules(measure).values())

    def value(candidate: Any, gold: Any) -> Any:
        with following(modules):
            return measure.value(candidate, gold)

    optimum = Fraction(0 if measure.optimum is None else measure.optimum)
    return [_Subject(pattern, measure, condition, value, optimum) for pattern in patterns(reading, kinds)]


@dataclass
class _Effort:
    """How many more runs there may be: a number, not a time, so that every machine finds the same."""

    runs: int

    def spend(self) -> None:
        self.runs -= 1
        if self.runs < 0:
            raise Refused("Its code asks for more comparisons than are followed.")


@dataclass(frozen=True)
class _Subject:
    """A measure and a condition on one pattern."""

    pattern: Pattern
    measure: Measure
    condition: Condition
    value: Callable[[Any, Any], Any]
    optimum: Fraction

    def start(self) -> _Part:
        """All sizes."""
        import flint

        names = [f"x{at}" for at in range(len(self.pattern.kinds))]
        context = flint.fmpz_mpoly_ctx.get(names, flint.Ordering.lex)
        kinds = zip(context.gens(), self.pattern.free, strict=True)
        return _Part(tuple(1 + x if free else context.constant(1) for x, free in kinds))

    def demand(self, part: _Part) -> Quantity:
        """What must be more than 0 in a part."""
        left, right = self._scores(part)
        relation = self.condition.relation
        if relation is WORSE:
            return right - left
        if relation is PERFECT_MATCH and not right >= self.optimum:
            return right - self.optimum
        return -left + self.optimum

    def _scores(self, part: _Part) -> tuple[Quantity, Quantity]:
        plain = part.weights[0].context().constant(1)
        one = Quantity(plain, plain)
        weights = [Quantity(weight, plain) for weight in part.weights]
        left, right = scores(self.pattern, self.value, weights)
        self._hold_against_measure(part, one * left, one * right)
        return one * left, one * right

    def _hold_against_measure(self, part: _Part, *found: Quantity) -> None:
        """Code may see that numbers are not plain ones; then it says something else of plain ones."""
        random = Random(0)
        symbols = len(part.weights)
        drawn = [[random.randrange(_LARGEST_CHECKED) for _ in range(symbols)] for _ in range(_CHECKED)]
        for values in ([0] * symbols, *drawn):
            case = self.pattern.sized(part.sizes(values))
            for side, score in zip(case, found, strict=True):
                if self.measure.value(*side) != score.at(values):
                    raise Refused("On symbols, its code does not compute its scores.")


@dataclass(frozen=True)
class _Part:
    """Part of all sizes: the weights of the kinds, by symbols that may be any whole numbers from 0 up."""

    weights: tuple[Any, ...]

    def sizes(self, values: Sequence[int]) -> list[int]:
        """The numbers of objects at some values of the symbols."""
        return [int(weight(*values)) for weight in self.weights]

    def split(self, poly: Any) -> tuple[_Part, _Part]:
        """Two parts that are the whole, chosen so that the sign of the polynomial becomes clearer."""
        gens = poly.context().gens()
        i, j = _divide(poly)
        if i == j:
            return self._with(i, gens[i] * 0), self._with(i, 1 + gens[i])
        return self._with(i, gens[j] + gens[i]), self._with(j, gens[i] + 1 + gens[j])

    def _with(self, at: int, instead: Any) -> _Part:
        places = [*instead.context().gens()]
        places[at] = instead
        return _Part(tuple(weight.compose(*places) for weight in self.weights))


#: The exponents of a monomial.
_Monomial = tuple[int, ...]


def _divide(poly: Any) -> tuple[int, int]:
    """Two symbols of which it should be known which is larger, or one twice, if it is more than 0.

    Any choice is sound. This one goes for the highest monomial among those of the rarer sign, and for what may
    outweigh it.
    """
    signs: dict[bool, list[_Monomial]] = {True: [], False: []}
    for exponents, coefficient in poly.to_dict().items():
        signs[coefficient > 0].append(tuple(map(int, exponents)))
    rare, common = sorted(signs.values(), key=len)
    if not rare:
        return _one_of(min(filter(any, common), key=_symbols_in))
    highest = max(rare, key=sum)
    multiples = [other for other in common if all(map(int.__ge__, other, highest))]
    if multiples:
        rests = [tuple(map(int.__sub__, other, highest)) for other in multiples]
        return _one_of(min(rests, key=_symbols_in))
    inside = [at for at, power in enumerate(highest) if power]
    if len(inside) > 1:
        return inside[0], inside[1]
    if not inside:
        return _one_of(max(common, key=sum))
    outweighing = max(common, key=lambda other: (sum(other), -_symbols_in(other)))
    return next((at for at, power in enumerate(outweighing) if power and at != inside[0]), inside[0]), inside[0]


def _symbols_in(monomial: _Monomial) -> int:
    return sum(map(bool, monomial))


def _one_of(monomial: _Monomial) -> tuple[int, int]:
    first = next(at for at, power in enumerate(monomial) if power)
    return first, first


def _keeps(subject: _Subject, effort: _Effort) -> bool:
    """Whether the demand is kept for all sizes of a pattern."""
    return all(obstacle is None or not obstacle.is_broken for _, obstacle in _parts(subject, effort))


def _suspects(subject: _Subject, effort: _Effort) -> Iterator[Case]:
    """Cases of a pattern along the signs that stand in the way."""
    for part, obstacle in _parts(subject, effort):
        for values in () if obstacle is None else obstacle.directions():
            sizes = part.sizes(values)
            if sum(sizes) <= _MOST_OBJECTS:
                yield subject.pattern.sized(sizes)


@dataclass(frozen=True)
class _Obstacle:
    """A polynomial that should be more than 0 in a part, and is not everywhere or not by its signs."""

    poly: Any
    #: Whether it is 0 or less everywhere.
    is_broken: bool

    def directions(self) -> Iterator[list[int]]:
        """Values of the symbols where it may be 0 or less: powers of two along each negative monomial."""
        symbols = range(self.poly.context().nvars())
        if self.is_broken or not constant_of(self.poly):
            yield [0 for _ in symbols]
        negative = [exponents for exponents, coefficient in self.poly.to_dict().items() if coefficient < 0]
        # Far out the highest monomials decide.
        highest = sorted(negative, key=sum, reverse=True)
        supports = dict.fromkeys(tuple(map(bool, exponents)) for exponents in highest)
        for support in islice(supports, _MOST_DIRECTIONS):
            yield from ([inside << power for inside in support] for power in _POWERS)


def _parts(subject: _Subject, effort: _Effort) -> Iterator[tuple[_Part, _Obstacle | None]]:
    """Parts that are all sizes of a pattern together, each with what stands in the way of its demand.

    One in which the signs do not tell is followed by those that it is split into.
    """
    waiting = deque([subject.start()])
    here = _Effort(_MOST_RUNS_EACH)
    while waiting:
        part = waiting.popleft()
        for limit in (effort, here):
            limit.spend()
        try:
            demand = subject.demand(part)
        except Undecided as undecided:
            waiting += part.split(undecided.poly)
            continue
        try:
            broken = not demand > 0
        except Undecided as undecided:
            yield part, _Obstacle(demand.top, is_broken=False)
            waiting += part.split(undecided.poly)
        else:
            yield part, _Obstacle(demand.top, is_broken=True) if broken else None
