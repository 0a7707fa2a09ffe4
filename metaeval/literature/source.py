"""What a source says, as data: claims, printed tables, slips; and what became of a claim."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.errors import InputError
from metaeval.core.relation import ScoreValue
from metaeval.core.verdict import Verdict

#: How a claim is known, and what that means.
STATUSES = {
    "printed": "the source's own table or text",
    "second-hand": "another source quotes it",
    "documentation": "a library's documentation",
}
SAYS = ("satisfies", "violates")
PRINTED, SECOND_HAND, DOCUMENTATION = STATUSES
SATISFIES, VIOLATES = SAYS


class Claim(NamedTuple):
    """What a source says of a measure and a condition.

    ``readings`` are those that it speaks of; None stands for whatever readings there are. That a measure satisfies a
    condition is claimed under each of them, that it violates one under some of them.
    """

    measure: str
    condition: str
    says: str
    place: str
    status: str = PRINTED
    readings: tuple[str, ...] | None = None

    def speaks_of(self, reading: str) -> bool:
        return self.readings is None or reading in self.readings


class Shortcoming(NamedTuple):
    """What a source says where it names no condition: that a measure violates at least one of several.

    ``places`` are these conditions, each with the reading that is meant. Where the source speaks of ``others``, too,
    which are no conditions here, nothing that is found can contradict it.
    """

    measure: str
    places: tuple[tuple[str, str], ...]
    place: str
    status: str = PRINTED
    others: bool = False

    @property
    def alternatives(self) -> tuple[Claim, ...]:
        """The claims of which at least one is made."""
        return tuple(
            Claim(self.measure, condition, VIOLATES, self.place, self.status, (reading,))
            for condition, reading in self.places
        )


#: What a mark in a table of conditions and measures claims: "satisfies" or "violates", and under which readings.
Meaning = tuple[tuple[str, tuple[str, ...] | None], ...]


@dataclass(frozen=True)
class Compliance:
    """A table in which a source marks which measures satisfy which conditions, and what each mark claims.

    ``marks`` has a measure's row as one character for every condition; ``legend`` says how the source explains them.
    """

    name: str
    place: str
    conditions: tuple[str, ...]
    marks: Mapping[str, str]
    meaning: Mapping[str, Meaning]
    legend: str

    def claims(self) -> Iterator[Claim]:
        """What the marks claim, row by row."""
        for measure, row in self.marks.items():
            for condition, mark in zip(self.conditions, row, strict=True):
                for says, readings in self.meaning[mark]:
                    yield Claim(measure, condition, says, self.place, readings=readings)

    def mark(self, measure: str, condition: str) -> str:
        return self.marks[measure][self.conditions.index(condition)]


@dataclass(frozen=True)
class Column:
    """An example with the scores printed for it: one side, or two, the better one last, filed under a condition."""

    name: str
    sides: tuple[Side, ...]
    printed: Mapping[str, tuple[str, ...]]
    filed_under: str | None = None

    def __post_init__(self) -> None:
        for id, scores in self.printed.items():
            if len(scores) != len(self.sides):
                raise InputError(f"{self.name} has {len(scores)} scores of {id}; expected one per side")

    @property
    def case(self) -> Case:
        return Case(*self.sides)


@dataclass(frozen=True)
class GoldenTable:
    """Scores as a source prints them, with what they are scores of.

    ``rows`` are the measures, ``sides`` what the source calls the sides of a column. It counts objects from ``first``
    and prints this number of ``decimals``, or fewer if the last ones are 0. ``note`` says how to read the table.
    """

    name: str
    rows: tuple[str, ...]
    columns: tuple[Column, ...]
    note: str
    sides: tuple[str, str] = ("left", "right")
    first: int = 0
    decimals: int = 3
    status: str = PRINTED


class Equation(NamedTuple):
    """An equation as it is printed: what it ``says``, and what the registered measure has in its place, ``meant``."""

    measure: str
    place: str
    says: str
    meant: str
    function: Callable[[Biclustering, Biclustering], ScoreValue]


@dataclass(frozen=True)
class Slip:
    """Something that is not as the source says, where it says it, and whether computing shows that."""

    place: str
    computed: bool
    text: str


@dataclass(frozen=True)
class Source:
    """A publication, or the documentation of a library.

    ``called`` is its name in a sentence and ``citation`` where it is found; ``introduction`` says how much of it could
    be read. ``compliance`` is the table that its claims are read from, where there is one. ``slips`` are those that
    only reading shows; computing finds others.
    """

    id: str
    called: str
    citation: str
    measures: tuple[str, ...]
    conditions: tuple[str, ...]
    introduction: str = ""
    claims: tuple[Claim, ...] = ()
    shortcomings: tuple[Shortcoming, ...] = ()
    compliance: Compliance | None = None
    tables: tuple[GoldenTable, ...] = ()
    equations: tuple[Equation, ...] = ()
    slips: tuple[Slip, ...] = ()

    def claim_on(self, measure: str, condition: str, reading: str) -> Claim | None:
        own = (claim for claim in self.claims if (claim.measure, claim.condition) == (measure, condition))
        return next((claim for claim in own if claim.speaks_of(reading)), None)

    def all_claims(self) -> Iterator[Claim]:
        """The claims, and those of which at least one is made."""
        yield from self.claims
        for shortcoming in self.shortcomings:
            yield from shortcoming.alternatives


#: What may become of a claim.
FATES = {
    "proved": "a proof for all sizes bears out the claim that the measure satisfies the condition",
    "confirmed": "what was found agrees with the claim: a counterexample to a condition said to be violated, "
    "none to one said to be satisfied",
    "refuted": "a counterexample contradicts the claim that the measure satisfies the condition, or a proof the claim "
    "that it does not",
    "unconfirmed": "what was found neither bears out nor contradicts the claim",
}

_FATES: dict[str, dict[str, str]] = {
    "satisfies": {Verdict.PROVED: "proved", Verdict.HOLDS: "confirmed", Verdict.VIOLATED: "refuted"},
    "violates": {Verdict.PROVED: "refuted", Verdict.VIOLATED: "confirmed"},
}


def fate(says: str, verdict: str) -> str:
    """What becomes of a claim under one reading.

    That no counterexample was found does not contradict the claim that there is one; a proof that there is none does.
    """
    return _FATES[says].get(verdict, "unconfirmed")
