"""A certificate as people read it: families of labelled biclusters, both scores, what was demanded."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from metaeval.errors import InputError
from metaeval.model import Bicluster, Biclustering
from metaeval.reports.reading import clean, count, mapping, need, show, text

#: Runs of consecutive indices at least this long are written as first … last.
_RUN = 5
#: Where a score is only a float, differences up to this much count as ties, as they do for the verdicts.
_TIE = 1e-9
_PLAIN = re.compile(r"[A-Za-z0-9._:/-]+\Z")
_FRACTION = re.compile(r"-?[0-9]{1,4000}(/[0-9]{1,4000})?\Z")
_NO_BREAK = "\N{NO-BREAK SPACE}"
#: A short pair of sets, or a shape: kept on one line of code.
_SHORT_PAIR = re.compile(r"\([^()\[\]]{0,60}\)")

_DEMANDS = {
    "worse": "the left must score strictly lower than the right",
    "equal": "both must score the same",
    "not-optimal": "the left must not reach the optimum",
}


@dataclass(frozen=True)
class Score:
    """A score as a float and, where the measure is exact, as a fraction."""

    value: float
    exact: Fraction | None

    @property
    def decimal(self) -> str:
        return number(self.value)

    @property
    def fraction(self) -> str:
        return "" if self.exact is None else str(self.exact)

    def __str__(self) -> str:
        """Fraction and decimal, or one of them where they read alike or there is no other."""
        if self.exact is None or self.fraction == self.decimal:
            return self.decimal
        return (
            f"{self.fraction} = {self.decimal}" if _terminates(self.exact) else f"{self.fraction} ≈ {self.decimal}"
        )

    def __sub__(self, other: Score) -> Score:
        exact = None if self.exact is None or other.exact is None else self.exact - other.exact
        return Score(self.value - other.value if exact is None else float(exact), exact)


@dataclass(frozen=True)
class Part:
    """One bicluster of a family as it is shown; ``colour`` is shared with its form on the other side.

    ``kept`` is the bicluster it is matched with on the other side: the cells outside it changed hands.
    """

    label: str
    colour: int
    rows: frozenset[int]
    cols: frozenset[int]
    kept: Bicluster | None

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.rows) * len(self.cols)

    @property
    def changed(self) -> bool:
        return self.kept != (self.rows, self.cols)

    def moved(self, row: int, col: int) -> bool:
        """Did this cell change hands between left and right?"""
        return self.kept is None or row not in self.kept[0] or col not in self.kept[1]

    def shared(self, other: Part) -> int:
        """The number of cells in common."""
        return len(self.rows & other.rows) * len(self.cols & other.cols)

    def __str__(self) -> str:
        return f"{self.label} = {indices(self.rows)} × {indices(self.cols)}"


@dataclass(frozen=True)
class Family:
    """A biclustering as it is shown."""

    title: str
    variable: str
    biclustering: Biclustering
    parts: tuple[Part, ...]

    @property
    def shape(self) -> str:
        objects, features = self.biclustering.shape
        return f"{plural(objects, 'object')} × {plural(features, 'feature')}"


@dataclass(frozen=True)
class Witness:
    """The case of a certificate, both scores and the verdict's reason, in words and numbers."""

    measure: str
    relation: str
    demand: str
    families: tuple[Family, ...]
    left: Score
    right: Score
    optimum: float | None
    objects: int | None
    certified: bool
    certificate: Mapping[str, Any]

    @property
    def sides(self) -> tuple[tuple[Family, Family], tuple[Family, Family]]:
        """(candidate, gold) on the left and on the right."""
        if len(self.families) == 3:
            gold, left, right = self.families
            return (left, gold), (right, gold)
        left_gold, left, right_gold, right = self.families
        return (left, left_gold), (right, right_gold)

    @property
    def margin(self) -> tuple[str, Score]:
        """What decides the relation, named: right − left, or optimum − left."""
        if self.relation == "not-optimal" and self.optimum is not None:
            return "optimum − left", _exact(self.optimum, self.left) - self.left
        return "right − left", self.right - self.left

    @property
    def found(self) -> str:
        """What the scores do instead of what was demanded."""
        if not (math.isfinite(self.left.value) and math.isfinite(self.right.value)):
            return "a score is not a finite number"
        gap = _beyond_ties(self.right - self.left)
        if self.relation == "equal":
            return "the scores differ" if gap else "the scores are the same"
        if self.relation == "not-optimal" and self.optimum is not None:
            return self._against(self.optimum)
        if gap > 0:
            return "the left scores lower"
        return "the left scores higher" if gap else "the left scores as high as the right"

    def _against(self, optimum: float) -> str:
        if _beyond_ties(_exact(optimum, self.right) - self.right) > 0 and self.demand != _DEMANDS["not-optimal"]:
            return "the right misses the optimum"
        reached = _beyond_ties(self.margin[1]) <= 0
        return "the left reaches the optimum" if reached else "the left stays below the optimum"

    @property
    def minimal(self) -> str:
        """How small the case is, and whether a smaller one can exist."""
        if self.objects is None:
            return ""
        size = plural(self.objects, "object")
        return f"{size}; enumeration found none smaller" if self.certified else f"{size}; a smaller one may exist"

    def python(self, width: int = 96) -> str:
        """A few lines of Python that print both scores."""
        lines = ["import metaeval", ""]
        for family in self.families:
            lines += _assignment(family, width)
        for (candidate, gold), score in zip(self.sides, (self.left, self.right), strict=True):
            lines.append(f"{_call(self.measure, candidate, gold, score)}  # {score.fraction or score.value!r}")
        return "\n".join(lines)


def read_witness(data: Any, condition: str, demand: str, where: str) -> Witness:
    """The witness in a certificate."""
    certificate = mapping(data, where)
    relation = text(certificate, "relation", where)
    scores = mapping(need(certificate, "scores", where), f"the scores of {where}")
    minimal = mapping(certificate.get("minimal") or {}, f'"minimal" of {where}')
    return Witness(
        measure=text(certificate, "measure", where),
        relation=relation,
        demand=demand or demand_of(relation, condition),
        families=_families(certificate, where),
        left=_score(scores, "left", where),
        right=_score(scores, "right", where),
        optimum=None if scores.get("optimum") is None else _float(scores["optimum"], where),
        objects=count(minimal, "objects", where),
        certified=minimal.get("certified") is True,
        certificate=certificate,
    )


def demand_of(relation: str, condition: str) -> str:
    """What a relation demands, in words."""
    words = _DEMANDS.get(relation, f"the relation “{relation}” must hold between left and right")
    # The one condition that also asks something of the right (a perfect match must score best).
    return f"{words}, and the right must reach it" if (relation, condition) == ("not-optimal", "A.5") else words


def intersections(candidate: Family, gold: Family) -> list[list[str]]:
    """The table of |G ∩ C| in cells, with the sizes in its margins."""
    header = ["", *(f"{part.label} ({part.size})" for part in gold.parts)]
    rows = [
        [f"{part.label} ({part.size})", *(str(part.shared(other)) for other in gold.parts)]
        for part in candidate.parts
    ]
    return [header, *rows]


def indices(members: frozenset[int]) -> str:
    """A set of indices, long runs shortened: {0, 2, 5…9}."""
    ordered = sorted(members)
    breaks = [0, *(at for at, (a, b) in enumerate(pairwise(ordered), start=1) if b != a + 1), len(ordered)]
    runs = (ordered[start:stop] for start, stop in pairwise(breaks))
    written = (f"{run[0]}…{run[-1]}" if len(run) >= _RUN else ", ".join(map(str, run)) for run in runs)
    return "{" + ", ".join(written) + "}"


def number(value: float) -> str:
    """A float with six significant digits, without a minus on zero."""
    return format(value, ".6g") if value else "0"


def plural(amount: int, noun: str) -> str:
    """'1 object', '1,200 objects'."""
    return f"{amount:,} {noun}" if amount == 1 else f"{amount:,} {noun}s"


def matched(left: Sequence[Bicluster], right: Sequence[Bicluster]) -> list[int | None]:
    """For every bicluster of the right, the one of the left that it came from.

    Equal ones first, then by the number of common cells: so that what differs is little.
    """
    found: dict[int, int] = {}
    free = list(range(len(left)))
    for at, bicluster in enumerate(right):
        same = next((index for index in free if left[index] == bicluster), None)
        if same is not None:
            found[at] = same
            free.remove(same)
    overlaps = sorted(
        (-len(left[i][0] & right[j][0]) * len(left[i][1] & right[j][1]), i, j)
        for i in free
        for j in range(len(right))
        if j not in found
    )
    for overlap, i, j in overlaps:
        if overlap and i in free and j not in found:
            found[j] = i
            free.remove(i)
    if len(left) == len(right):
        # As many on both sides: what is left over was renamed or scaled, in the order it had.
        found |= zip((j for j in range(len(right)) if j not in found), free, strict=True)
    return [found.get(j) for j in range(len(right))]


def _families(certificate: Mapping[str, Any], where: str) -> tuple[Family, ...]:
    read: dict[tuple[str, str], Biclustering] = {}
    for side in ("left", "right"):
        pair = mapping(need(certificate, side, where), f'"{side}" of {where}')
        for role in ("candidate", "gold"):
            read[side, role] = Biclustering.from_json(need(pair, role, f'"{side}" of {where}'))
    left, right = _labelled("G", read["left", "candidate"], read["right", "candidate"])
    gold, right_gold = _labelled("C", read["left", "gold"], read["right", "gold"])
    candidates = (
        Family("left", "left", read["left", "candidate"], left),
        Family("right", "right", read["right", "candidate"], right),
    )
    if read["left", "gold"] == read["right", "gold"]:
        return (Family("gold", "gold", read["left", "gold"], gold), *candidates)
    return (
        Family("left gold", "left_gold", read["left", "gold"], gold),
        candidates[0],
        Family("right gold", "right_gold", read["right", "gold"], right_gold),
        candidates[1],
    )


def _labelled(letter: str, left: Biclustering, right: Biclustering) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Both families with labels that agree: G1 is kept, G1' came from G1, a higher number is new."""
    here, there = left.biclusters, right.biclusters
    origin = matched(here, there)
    target = {source: at for at, source in enumerate(origin) if source is not None}
    lefts = tuple(
        Part(f"{letter}{at + 1}", at, *bicluster, kept=there[target[at]] if at in target else None)
        for at, bicluster in enumerate(here)
    )
    rights = []
    fresh = len(here)
    for bicluster, source in zip(there, origin, strict=True):
        if source is None:
            rights.append(Part(f"{letter}{fresh + 1}", fresh, *bicluster, kept=None))
            fresh += 1
        else:
            prime = "" if here[source] == bicluster else "'"
            rights.append(Part(f"{letter}{source + 1}{prime}", source, *bicluster, kept=here[source]))
    return lefts, tuple(rights)


def _score(scores: Mapping[str, Any], side: str, where: str) -> Score:
    data = mapping(need(scores, side, f"the scores of {where}"), f"the {side} score of {where}")
    exact = data.get("exact")
    if exact is not None and not (isinstance(exact, str) and _FRACTION.match(exact)):
        raise InputError(f'the exact {side} score of {where} must be a fraction such as "1/2", not {show(exact)}')
    try:
        return Score(_float(need(data, "float", where), where), None if exact is None else Fraction(exact))
    except ZeroDivisionError:
        raise InputError(f"the exact {side} score of {where} divides by zero: {show(exact)}") from None


def _float(value: Any, where: str) -> float:
    """A float; JSON has no non-finite ones, so those come as strings."""
    if isinstance(value, str) and value in ("nan", "inf", "-inf"):
        return float(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError(f'a score of {where} must be a number, "nan", "inf" or "-inf", not {show(value)}')
    return float(value)


def _exact(value: float, like: Score) -> Score:
    return Score(value, None if like.exact is None or not math.isfinite(value) else Fraction(value))


def _beyond_ties(gap: Score) -> float:
    """A difference of scores, 0 where it may be rounding."""
    return 0.0 if gap.exact is None and abs(gap.value) <= _TIE else gap.value


def _terminates(value: Fraction) -> bool:
    """Do six significant digits write this fraction without loss?"""
    return Fraction(number(float(value))) == value


def _assignment(family: Family, width: int) -> list[str]:
    """``name = metaeval.Biclustering([...], shape=...)``, broken between sets where it is long."""
    start = f"{family.variable} = metaeval."
    whole = start + repr(family.biclustering)
    if len(whole) <= width:
        return [whole]
    inside = repr(family.biclustering).removeprefix("Biclustering(").removesuffix(")")
    whole_pairs = _SHORT_PAIR.sub(lambda found: found[0].replace(" ", _NO_BREAK), inside)
    body = textwrap.wrap(whole_pairs, width - 4, break_long_words=False, break_on_hyphens=False)
    return [f"{start}Biclustering(", *(f"    {line.replace(_NO_BREAK, ' ')}" for line in body), ")"]


def _call(measure: str, candidate: Family, gold: Family, score: Score) -> str:
    name = f'"{measure}"' if _PLAIN.match(measure) else ascii(clean(measure))
    exact = "" if score.exact is None else ", exact=True"
    return f"print(metaeval.score({name}, {candidate.variable}, {gold.variable}{exact}))"
