"""A counterexample as facts: what was demanded, the scores, the margin, and Python code that scores it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from metaeval.core import relation as relations
from metaeval.core.biclustering import Biclustering
from metaeval.core.errors import InputError
from metaeval.core.relation import TOLERANCE, Bounds, Relation, Scores, broken, is_decided_exactly, relation_of
from metaeval.display.cell_facts import claim_facts, evidence
from metaeval.display.condense import MOST_BICLUSTERS
from metaeval.display.labels import Family, has_pools, label_case, titles_of
from metaeval.display.layout import paragraph, plural
from metaeval.display.python_call import Call
from metaeval.exact import have_difference, is_exact
from metaeval.literature.source import Source
from metaeval.records.cell import Cell
from metaeval.records.certificate import Certificate
from metaeval.records.described import DescribedCondition, DescribedReading
from metaeval.records.score import Score, digits_apart


def in_a_sentence(condition: DescribedCondition, scores: Sequence[Score], bounds: Bounds) -> str:
    """What scores should do and do; empty where a file names no relation, or has another number of scores.

    >>> rag_bag = DescribedCondition("Rag bag", relation="worse", step="after the move")
    >>> in_a_sentence(rag_bag, [Score(0.5), Score(0.4997)], Bounds(best=1.0))
    'After the move, the score should rise; it fell by 0.0003.'
    """
    relation = condition.known_relation
    if relation is None or len(scores) != relation.sides:
        return ""
    if not all(math.isfinite(score.value) for score in scores) and not relation.right_is_best:
        return f"{'Both' if len(scores) == 2 else 'All'} scores should be numbers; one is not."
    if relation is relations.WITHIN:
        top = "the best score" if bounds.best is None else f"{bounds.best + 0.0:g}"
        goal = f"stay at or below {top}" if bounds.low is None else f"lie between {bounds.low + 0.0:g} and {top}"
        return f"The score should {goal}; it is {scores[0].brief}."
    if relation is relations.TRIANGLE:
        if bounds.best is None or relation.margin is None:
            return ""
        longer = relation.margin([score.value for score in scores], bounds)
        said = "longer" if longer > TOLERANCE else "as long" if longer >= -TOLERANCE else "shorter"
        by = "" if said == "as long" else f" by {_short(abs(longer))}"
        demand = "From the first to the third, the way by the second should not be shorter than the direct one"
        return f"{demand}; it is {said}{by}."
    left, right = scores
    best = None if bounds.best is None else float(bounds.best)
    step = condition.step or "from left to right"
    opening = f"{step[0].upper()}{step[1:]}, the {'mean ' if relation is relations.MEAN_EQUAL else ''}score should"
    moved = _moved(left, right)
    if relation in (relations.WORSE, relations.NOT_BETTER):
        return f"{opening} {'rise' if relation is relations.WORSE else 'not fall'}; it {moved}."
    if relation in (relations.EQUAL, relations.MEAN_EQUAL):
        return f"{opening} stay the same; it {'does' if moved == _STAYED else moved}."
    goal = "the best score" if best is None else f"the best score, {best + 0.0:g}"
    if relation is relations.OPTIMAL:
        scored = f"scores {right.brief}" if math.isfinite(right.value) else "has no score"
        return f"The gold standard itself should reach {goal}; it {scored}."
    if relation is relations.PERFECT_MATCH:
        return f"Only the gold standard itself should reach {goal}; {_match(left, right, best)}."
    if relation is relations.NOT_OPTIMAL:
        return f"This candidate should stay below {goal}; it scores {left.brief}."
    raise InputError(f"no sentence says what the relation {relation.name!r} demands")


def _moved(left: Score, right: Score) -> str:
    by = right - left
    # Exact scores differ or do not; of floats, what is within the tolerance counts as a tie.
    if abs(by.value) <= (0 if by.exact is not None else TOLERANCE):
        return _STAYED
    return f"{'rose' if by.value > 0 else 'fell'} by {_short(abs(by.value))}"


def _match(left: Score, right: Score, best: float | None) -> str:
    if not math.isfinite(right.value):
        return "it has no score"
    if not math.isfinite(left.value):
        return "this other candidate has no score"
    if best is not None and best - right.value > TOLERANCE:
        return f"it scores {right.brief}"
    if best is not None and best - left.value <= TOLERANCE:
        return "this other candidate does, too"
    return f"this other candidate scores {left.brief}"


def _short(value: float) -> str:
    """Two significant digits, without an exponent."""
    return format(Decimal(f"{value:.2g}"), "f")


_STAYED = "stayed the same"


@dataclass(frozen=True)
class Counterexample:
    """A certificate in words."""

    certificate: Certificate
    condition: DescribedCondition

    @cached_property
    def families(self) -> tuple[Family, ...]:
        return label_case(self.certificate.case)

    @property
    def sides(self) -> Iterator[tuple[str, Family, Family]]:
        """Name, candidate and gold of every side that is no pool."""
        by_title = {family.title: family for family in self.families}
        for title, side in zip(titles_of(self.certificate.case).sides, self.certificate.case, strict=True):
            if not side.is_pool:
                yield title.name, by_title[title.candidate], by_title[title.gold]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(side.name for side in titles_of(self.certificate.case).sides)

    @cached_property
    def relation(self) -> Relation:
        """The relation that the scores break; an error where nobody knows it."""
        return relation_of(self.certificate.relation, self.condition.demand, self.condition.relation_key)

    @property
    def scores(self) -> tuple[str, ...]:
        """The scores with enough digits to differ; of a pool, with the number of its candidates."""
        digits = digits_apart(*self.certificate.scores)
        return tuple(
            score.shown(digits) + (f", over {len(side.candidates)} candidates" if side.is_pool else "")
            for score, side in zip(self.certificate.scores, self.certificate.case, strict=True)
        )

    @property
    def demanded(self) -> str:
        """The demand, in words and with the values put in."""
        return f"{self.relation.demand}, that is {self._put_in(self.values)}"

    @property
    def formula(self) -> str:
        """The demand as a formula: left < right."""
        return self._put_in(self.names)

    def _put_in(self, values: Sequence[str]) -> str:
        low, optimum = self.certificate.low, self.certificate.optimum
        exact = is_decided_exactly(self.relation, self._numbers)
        return self.relation.formula.format(
            *values,
            left=values[0],
            right=values[-1],
            low="" if low is None else f"{low:g} ≤ ",
            best="the optimum" if optimum is None else f"{optimum:g}",
            by="" if exact else f" by more than {TOLERANCE:g}",
            within="" if exact else f" within {TOLERANCE:g}",
        )

    @property
    def _numbers(self) -> Scores:
        return tuple(score.number for score in self.certificate.scores)

    @property
    def values(self) -> tuple[str, ...]:
        """The scores: as exact numbers where these are short, else as decimals with enough digits to differ."""
        scores = self.certificate.scores
        # Exact forms too long to read are shown as decimals, and their first six digits may be the same.
        told_apart = len({score.brief for score in scores}) == len({score.exact for score in scores})
        brief, digits = all(score.exact is not None for score in scores) and told_apart, digits_apart(*scores)
        return tuple(score.brief if brief else score.rounded(digits) for score in scores)

    @property
    def found(self) -> str:
        """How the scores break the demand."""
        if len(self._numbers) != self.relation.sides:
            return "another number of scores than the relation is about"
        if not all(map(math.isfinite, self._numbers)) and not self.relation.right_is_best:
            return "a score is not a finite number"
        # A file made by hand may leave out the optimum, or hold scores that keep the relation: `verify` refuses both.
        low, optimum = self.certificate.bounds
        why = broken(self.relation, self._numbers, Bounds(low, 0.0 if optimum is None else optimum))
        return why or "these scores keep the relation: this certificate is wrong"

    @property
    def margin(self) -> tuple[str, Score]:
        """The name and the value of what decides the relation: right − left, optimum − left, …"""
        if self.certificate.scores[-1].is_missing:
            return "optimum − right", self.certificate.scores[-1]
        return margin_of(self.relation, self.certificate.scores, self.certificate.bounds)

    def size(self, reading: str) -> str:
        """How small the case is, and whether a smaller one can exist."""
        size = plural(self.certificate.objects, "object")
        if not self.certificate.certified:
            return f"{size}; a smaller one may exist"
        scope = self.condition.readings.get(reading, DescribedReading()).scope
        return f"{size}; enumeration found none smaller" + (f" ({scope})" if scope else "")

    def python(self, width: int, call: Call) -> str:
        """Python code to paste: the case, and a call per score with what it prints."""
        case, scores = self.certificate.case, self.certificate.scores
        lines = [*call.imports, ""]
        if call.said.takes != "biclusterings" or has_pools(case):
            sides = zip(self.names, case, scores, strict=True)  # labels cannot express all that has no score
            blocks = [[f"# {name}"] if one.is_missing else call.written_out(side) for name, side, one in sides]
        else:
            for family in self.families:
                lines += _assignment(family.variable, family.biclustering, width)
            blocks = [[call(candidate.variable, gold.variable)] for _, candidate, gold in self.sides]
        if call.said.turned:
            lines.append("# The function returns a dissimilarity: metaeval turns the sign of what it returns.")
        room = max(len(block[-1]) for block in blocks)
        for block, score in zip(blocks, scores, strict=True):
            for one in block[:-1]:  # a gold standard is written again only where it changed
                lines += [] if one in lines[-3:] else paragraph(one, width, rest="    ")
            lines.append(f"{block[-1].ljust(room)}  # {(-score if call.said.turned else score).noted}")
        return "\n".join(lines)


def facts(cell: Cell, counterexample: Counterexample, source: Source | None = None) -> Iterator[tuple[str, str]]:
    """Facts about a violated cell, as terms and explanations; the claim is that of the ``source``, if one is given."""
    yield from zip(counterexample.names, counterexample.scores, strict=True)
    yield "demanded", counterexample.demanded
    yield "found", counterexample.found
    name, margin = counterexample.margin
    yield "margin", f"{name} = {margin}"
    yield "size", counterexample.size(cell.reading)
    if cell.cases:  # a certificate in a file of its own has none
        yield "evidence", evidence(cell)
    yield from claim_facts(cell, source)


def margin_of(relation: Relation | None, scores: Sequence[Score], bounds: Bounds) -> tuple[str, Score]:
    """The name and the value of what decides a relation; the difference of two scores where nothing else is known."""
    if relation is None or relation.margin is None or len(scores) != relation.sides:
        return "right − left", scores[-1] - scores[0]
    if relation.needs_optimum and bounds.best is None:
        return "right − left", scores[-1] - scores[0]
    numbers = tuple(score.number for score in scores)
    if all(map(is_exact, numbers)) and have_difference(*numbers):
        return relation.decides, Score.of(relation.margin(numbers, bounds.exact))
    return relation.decides, Score.of(float(relation.margin([score.value for score in scores], bounds)))


def _assignment(variable: str, family: Biclustering, width: int) -> list[str]:
    """One line where it fits, else one line or more per bicluster."""
    line = f"{variable} = {family!r}"
    if len(line) <= width or not family:
        return [line]
    shape = family.shape
    # A family of one bicluster prints as Biclustering([…], shape=…): its entry stands inside the brackets.
    entries = [repr(Biclustering([pair], shape)).partition("[")[2].rpartition("]")[0] + "," for pair in family]
    if len(entries) > MOST_BICLUSTERS:  # too many for a line each
        entries = [" ".join(entries)]
    lines = [f"{variable} = Biclustering(["]
    for entry in entries:
        lines += paragraph(entry, width, "    ", "     ")
    return [*lines, f"], shape={shape!r})"]
