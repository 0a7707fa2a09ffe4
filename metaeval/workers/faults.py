"""Faults: a measure gives no score. The kinds of faults, and what the author needs to know to fix them."""

import re
from enum import Enum
from typing import Self

from metaeval.catalogue.measure import Measure
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.core.verdict import Verdict
from metaeval.records.cell import Diagnosis
from metaeval.workers.locate import Place, defining, returning

_OR_UNDEFINED = 'or raise metaeval.Undefined("why") where the measure is not defined'


class FaultKind(Enum):
    """A kind of fault: its name in files, and a hint how to fix it."""

    RAISED = "raised", f"guard it: return a score for this input, {_OR_UNDEFINED}"
    FORM = (
        "form",
        "your function got a Biclustering, which holds pairs (rows, columns); if it takes lists of sets, use "
        "metaeval.adapters.clusters(…); label vectors: adapters.labels(…); boolean arrays: adapters.indicators(…)",
    )
    UNDEFINED = (
        "undefined",
        "define a score for this input or, where the measure is meant for fewer inputs, say so: domain=, --domain",
    )
    NO_BEST = (
        "undefined at a perfect match",
        "a perfect match must reach the best score: return it where candidate and gold are the same",
    )
    NAN = "nan", f"guard the division: return a number for this input, {_OR_UNDEFINED}"
    INFINITE = "infinite", f"return a finite number for this input, {_OR_UNDEFINED}"
    NO_NUMBER = "no number", f"return a float, an int or a Fraction, {_OR_UNDEFINED}"
    CHANGES_INPUTS = "changes inputs", "work on copies: others are given the same objects"
    FLAKY = "flaky", "use a random generator with a fixed seed, made in the call, and keep nothing between calls"
    ORDER = "order", "go by what a bicluster holds, not by its place in the list"
    NAMES = "names", "go by which objects and features are shared, not by their numbers"
    LABELS = (
        "labels",
        "take labels as names, which may be any integers; or say that they must be 0, 1, …: consecutive=True",
    )
    NOISE = (
        "noise",
        "take -1 as any other label; or say that it marks objects in no cluster, noise=-1; or that labels must be "
        "0, 1, …: consecutive=True",
    )
    NOT_BEST = (
        "not best",
        "say what a perfect match scores: best=, --best (None, none where that differs); "
        "or smaller_is_better=, --smaller-is-better",
    )
    NOT_ITS_EQUATION = (
        "not its equation",
        "correct the code or the equation that it declares: both must give this input the same score",
    )
    NO_ANSWER = "no answer", "call it on this input by hand; if it is only slow, allow more seconds: budget=, --budget"
    LOST = "process lost", "call it on this input by hand: it must neither end nor crash its process"
    INTERNAL = "metaeval failed", "the mistake is in metaeval, not in the measure: please report it with this traceback"

    def __init__(self, word: str, hint: str) -> None:
        self.word, self.hint = word, hint


#: What Python says of a Biclustering that is used as a list, a dict or an array.
USED_OTHERWISE = re.compile(
    r"'Biclustering' (object (is|does) not|and)|and 'Biclustering'|'Biclustering' object has no attribute "
    r"'(T|append|astype|dtype|get|index|items|keys|max|ndim|reshape|size|sum|tolist|values)'"
)


class Fault(Exception):
    """A measure gave no score: verdict, message, the ``place`` that raised, if one did, and the ``side``, its input."""

    def __init__(
        self, verdict: Verdict, message: str, kind: FaultKind, place: Place | None = None, side: Side | None = None
    ) -> None:
        super().__init__(message)
        self.verdict, self.message, self.kind, self.place, self.side = verdict, message, kind, place, side

    @property
    def full_message(self) -> str:
        """The message with the line that raised."""
        return self.message if self.place is None else f"{self.message} ({self.place.short})"

    def resembles(self, other: Self) -> bool:
        """Whether both are the same mistake, perhaps on different inputs."""
        return (self.verdict, self.kind, self.place) == (other.verdict, other.kind, other.place)

    def diagnosis(self, measure: Measure) -> Diagnosis:
        """What the author needs to know. If nothing was raised, the measure is called once more to find the line."""
        perfect_match = self.side is not None and self.side.candidate == self.side.gold
        kind = FaultKind.NO_BEST if perfect_match and self.verdict is Verdict.UNDEFINED else self.kind
        return diagnosis_of(kind, self.side, self.place or place_in(measure, self.side, self.kind))


def place_in(measure: Measure, side: Side | None, kind: FaultKind) -> Place | None:
    """The line from which the measure returns, or else the line where it is defined."""
    if side is None or kind in (FaultKind.CHANGES_INPUTS, FaultKind.NO_ANSWER, FaultKind.LOST):
        return defining(measure.own or measure.function)
    copies = Side(*(Biclustering.trusted(family.biclusters, family.shape) for family in side))
    return returning(lambda: measure.value(*copies)) or defining(measure.own or measure.function)


def diagnosis_of(kind: FaultKind, side: Side | None, place: Place | None) -> Diagnosis:
    """The diagnosis of a fault: its kind and hint, the input, the line."""
    where, code = (None, None) if place is None else (str(place), place.text or None)
    return Diagnosis(kind=kind.word, hint=kind.hint, side=side, where=where, code=code)
