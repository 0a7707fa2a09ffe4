"""A counterexample in words: what is said of it in a terminal, a failing test, a document and on the page.

Everything here is a function of the certificate and of what is known of its condition. Where it is shown only
decides how it is laid out.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from metaeval.cases import TOLERANCE, Relation, broken, relation_of
from metaeval.evidence.cells import Cell
from metaeval.evidence.certificates import Certificate
from metaeval.evidence.descriptions import DescribedCondition, DescribedReading
from metaeval.evidence.labelling import Family, label_case
from metaeval.evidence.large import MOST_BICLUSTERS
from metaeval.evidence.scores import Score, decimals_apart, shown_apart
from metaeval.evidence.wording import claim_facts, evidence, plural
from metaeval.fields import clean
from metaeval.literature.records import Source
from metaeval.model import Biclustering

_PLAIN_ID = re.compile(r"[A-Za-z0-9._:/-]+\Z")


@dataclass(frozen=True)
class Call:
    """How lines of Python call a measure: what they import, and a call with {candidate} and {gold} to put in."""

    imports: tuple[str, ...]
    template: str

    def __call__(self, candidate: str, gold: str) -> str:
        return self.template.format(candidate=candidate, gold=gold)


@dataclass(frozen=True)
class Counterexample:
    """A certificate as people read it."""

    certificate: Certificate
    condition: DescribedCondition

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """The biclusterings of the case, labelled."""
        return label_case(self.certificate.case)

    @property
    def sides(self) -> tuple[tuple[Family, Family], tuple[Family, Family]]:
        """(candidate, gold) on the left and on the right."""
        by_title = {family.title: family for family in self.families}
        left_gold, right_gold = (by_title.get(f"{side} gold") or by_title["gold"] for side in ("left", "right"))
        return (by_title["left"], left_gold), (by_title["right"], right_gold)

    @cached_property
    def relation(self) -> Relation | None:
        """What the condition demands; None where a file names a relation that nobody knows."""
        return relation_of(self.certificate.relation, self.condition.demand)

    @property
    def scores(self) -> tuple[str, str]:
        """Both scores, told apart."""
        return shown_apart(*self.certificate.scores)

    @property
    def demanded(self) -> str:
        """The demand, and the demand with the values put in."""
        if self.relation is None:
            return f"the relation “{self.certificate.relation}” must hold between left and right"
        return f"{self.relation.demand}, that is {self._put_in(self.relation, *self.values)}"

    @property
    def formula(self) -> str:
        """The demand as a formula: left < right."""
        return "" if self.relation is None else self._put_in(self.relation, "left", "right")

    def _put_in(self, relation: Relation, left: str, right: str) -> str:
        optimum = self.certificate.optimum
        exact = is_exact(self.certificate)
        return relation.formula.format(
            left=left,
            right=right,
            best="the optimum" if optimum is None else f"{optimum:g}",
            by="" if exact else f" by more than {TOLERANCE:g}",
            within="" if exact else f" within {TOLERANCE:g}",
        )

    @property
    def values(self) -> tuple[str, str]:
        """Both scores in one form each: as exact numbers where these are short, else as decimals told apart."""
        left, right = self.certificate.scores
        # Forms too long to read are shown as decimals, and six digits of these may be the same.
        told_apart = left.brief != right.brief or left.exact == right.exact
        return (
            (left.brief, right.brief) if is_exact(self.certificate) and told_apart else decimals_apart(left, right)
        )

    @property
    def found(self) -> str:
        """What the scores do instead of what was demanded."""
        left, right = (score.number for score in self.certificate.scores)
        if self.relation is None:
            return "scores that nobody here can judge"
        if not (math.isfinite(left) and math.isfinite(right)) and not self.relation.right_is_best:
            return "a score is not a finite number"
        optimum = self.certificate.optimum
        # A file made by hand may hold scores that keep the relation; `metaeval verify` is there to refuse it.
        why = broken(self.relation, left, right, 0.0 if optimum is None else optimum)
        return why or "these scores keep the relation: this certificate is wrong"

    @property
    def margin(self) -> tuple[str, Score]:
        """What decides the relation, named: right − left, or optimum − left."""
        left, right = self.certificate.scores
        optimum = self.certificate.optimum
        if right.is_missing:
            return "optimum − right", right
        if optimum is None or self.relation is None or not self.relation.needs_optimum:
            return "right − left", right - left
        return "optimum − left", Score.of(optimum if left.exact is None else Fraction(optimum)) - left

    def size(self, reading: str) -> str:
        """How small the case is, and whether a smaller one can exist."""
        size = plural(self.certificate.objects, "object")
        if not self.certificate.certified:
            return f"{size}; a smaller one may exist"
        scope = self.condition.readings.get(reading, DescribedReading()).scope
        return f"{size}; enumeration found none smaller" + (f" ({scope})" if scope else "")

    def python(self, width: int, call: Call) -> str:
        """Lines that anyone can paste: the case, and a call for each score."""
        lines = [*call.imports, "from metaeval import Biclustering", ""]
        for family in self.families:
            lines += _assignment(family, width)
        calls = [call(candidate.variable, gold.variable) for candidate, gold in self.sides]
        room = max(map(len, calls))
        scores = (score.noted for score in self.certificate.scores)
        return "\n".join(
            [*lines, *(f"{line.ljust(room)}  # {score}" for line, score in zip(calls, scores, strict=True))]
        )


def facts(cell: Cell, counterexample: Counterexample, source: Source | None = None) -> Iterator[tuple[str, str]]:
    """What a violated cell shows, as terms and explanations; where a ``source`` is studied, with its claim."""
    left, right = counterexample.scores
    yield "left", left
    yield "right", right
    yield "demanded", counterexample.demanded
    yield "found", counterexample.found
    name, margin = counterexample.margin
    yield "margin", f"{name} = {margin}"
    yield "size", counterexample.size(cell.reading)
    if cell.cases:  # a certificate by itself does not tell how many were tried
        yield "evidence", evidence(cell)
    yield from claim_facts(cell, source)


def by_id(measure: str, exact: bool) -> Call:
    """How a registered measure is called."""
    name = (
        f'"{measure}"' if _PLAIN_ID.match(measure) else ascii(clean(measure)).replace("{", "{{").replace("}", "}}")
    )
    ending = ", exact=True" if exact else ""
    return Call(("import metaeval",), f"print(metaeval.score({name}, {{candidate}}, {{gold}}{ending}))")


def by_target(target: str) -> Call:
    """How a function is called that a target names: path/to/file.py:function or package.module:function."""
    place, _, function = target.rpartition(":")
    module = place.replace("\\", "/").rpartition("/")[2].removesuffix(".py")
    source = f"from {module} import {function}  # {place}" if place.endswith(".py") else None
    return Call((source or f"from {place} import {function}",), f"print({function}({{candidate}}, {{gold}}))")


def is_exact(certificate: Certificate) -> bool:
    """Whether both scores are exact."""
    return all(score.exact is not None for score in certificate.scores)


def _assignment(family: Family, width: int) -> list[str]:
    """On one line where it fits, else a line for each bicluster, and more for a long one."""
    line = f"{family.variable} = {family.biclustering!r}"
    if len(line) <= width or not family.members:
        return [line]
    shape = family.biclustering.shape
    # The family of a single bicluster prints as Biclustering([…], shape=…): what stands inside is its line.
    alone = [
        repr(Biclustering([pair], shape)).partition("[")[2].rpartition("]")[0] for pair in family.biclustering
    ]
    entries = [f"{entry}," for entry in alone]
    if len(entries) > MOST_BICLUSTERS:  # a line each would be a page of lines
        entries = [" ".join(entries)]
    lines = [f"{family.variable} = Biclustering(["]
    for entry in entries:
        lines += textwrap.wrap(
            entry, width, initial_indent="    ", subsequent_indent="     ", break_on_hyphens=False
        )
    return [*lines, f"], shape={shape!r})"]
