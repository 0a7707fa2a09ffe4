"""Certificates: a violated cell's witness as data, and re-checking it without any search.

A certificate is believed in nothing: the case is read anew, judged by the premise, scored again, and
the relation must really be broken. The only code a file can make run is a registered measure's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from metaeval.cases import NO_SCORE, TOLERANCE, Case, ScoreValue, Side, broken
from metaeval.condition import Condition, Reading, find_condition
from metaeval.engine.evaluation import evaluate_case
from metaeval.engine.faults import Fault
from metaeval.errors import InputError, MetaevalError
from metaeval.evidence.scores import Score
from metaeval.exact import RootRatio, RootSum, is_exact
from metaeval.fields import count, flag, mapping, need, number, refuse_unknown, show, text
from metaeval.measuring import Measure, find_measure
from metaeval.model import Biclustering

SCHEMA = "metaeval.certificate/1"

#: A certificate is meant to be checked by hand; larger ones are refused before they cost anything.
MOST_INDICES = 100_000
MOST_BICLUSTERS = 1_000

_KEYS = ("schema", "measure", "condition", "reading", "relation", "left", "right", "scores", "minimal")
_ROLES = ("candidate", "gold")


class Refused(MetaevalError):
    """A certificate that does not hold, and why."""


@dataclass(frozen=True)
class Certificate:
    """The witness of a violation: the case, both scores, and whether a smaller case can exist.

    ``optimum`` is the measure's best score where the relation speaks of it. ``certified`` says that
    enumeration found no counterexample with fewer than ``objects`` objects.
    """

    measure: str
    condition: str
    reading: str
    relation: str
    case: Case
    left: Score
    right: Score
    optimum: float | None
    objects: int
    certified: bool

    @classmethod
    def of(
        cls,
        measure: Measure,
        condition: Condition,
        reading: str,
        case: Case,
        scores: tuple[ScoreValue, ScoreValue],
        certified: bool,
    ) -> Certificate:
        """The certificate of a violation that was found."""
        return cls(
            measure=measure.id,
            condition=condition.id,
            reading=reading,
            relation=condition.relation.name,
            case=case,
            left=Score.of(scores[0]),
            right=Score.of(scores[1]),
            optimum=measure.optimum if condition.relation.needs_optimum else None,
            objects=case.objects,
            certified=certified,
        )

    @property
    def key(self) -> tuple[str, str, str]:
        """What names the cell that this is a witness of."""
        return self.measure, self.condition, self.reading

    @property
    def scores(self) -> tuple[Score, Score]:
        """Left and right."""
        return self.left, self.right

    def to_json(self) -> dict[str, Any]:
        """The certificate as data for ``json.dump``."""
        return {
            "schema": SCHEMA,
            "measure": self.measure,
            "condition": self.condition,
            "reading": self.reading,
            "relation": self.relation,
            **case_to_json(self.case),
            "scores": {"left": self.left.to_json(), "right": self.right.to_json(), "optimum": self.optimum},
            "minimal": {"objects": self.objects, "certified": self.certified},
        }

    @classmethod
    def from_json(cls, data: Any, where: str = "the certificate") -> Certificate:
        """The certificate in parsed JSON; ``where`` names it in an error."""
        entry = mapping(data, where)
        if entry.get("schema") != SCHEMA:
            raise InputError(f"the schema of {where} is {show(entry.get('schema'))}; expected {SCHEMA!r}")
        refuse_unknown(entry, _KEYS, where)
        measure, condition, reading, relation = (text(entry, key, where) for key in _KEYS[1:5])
        scores = mapping(need(entry, "scores", where), f'"scores" of {where}')
        minimal = mapping(need(entry, "minimal", where), f'"minimal" of {where}')
        return cls(
            measure=measure,
            condition=condition,
            reading=reading,
            relation=relation,
            case=case_from_json(entry, where),
            left=_score(scores, "left", where),
            right=_score(scores, "right", where),
            optimum=_optimum(scores, where),
            objects=count(minimal, "objects", f'"minimal" of {where}'),
            certified=flag(minimal, "certified", f'"minimal" of {where}'),
        )


def _score(scores: Mapping[str, Any], side: str, where: str) -> Score:
    return Score.from_json(need(scores, side, f'"scores" of {where}'), f"the {side} score of {where}")


def _optimum(scores: Mapping[str, Any], where: str) -> float | None:
    value = need(scores, "optimum", f'"scores" of {where}')
    return None if value is None else number(value, f"the optimum of {where}")


# --- cases as data


def case_to_json(case: Case) -> dict[str, Any]:
    """A case as data: a pair file."""
    return {"left": side_to_json(case.left), "right": side_to_json(case.right)}


def side_to_json(side: Side) -> dict[str, Any]:
    """A side as data."""
    return {role: family.to_json() for role, family in zip(_ROLES, side, strict=True)}


def case_from_json(data: Any, where: str = "a pair") -> Case:
    """The case in a pair file or a certificate."""
    if not isinstance(data, Mapping) or not {"left", "right"} <= set(data):
        raise InputError(
            f'{where} must be a JSON object with "left" and "right", each with "candidate" and "gold"'
        )
    case = Case(_side_from_json("left", data["left"]), _side_from_json("right", data["right"]))
    # Families that state no shape lie in one matrix with the rest.
    shape = (case.objects, case.features)
    sides = []
    for name, side in zip(("left", "right"), case, strict=True):
        stated = [data[name][role].get("shape") is not None for role in _ROLES]
        sides.append(
            Side(*(family if said else family.on(shape) for family, said in zip(side, stated, strict=True)))
        )
    return Case(*sides)


def side_from_json(data: Any, name: str) -> Side:
    """A candidate and its gold standard in parsed JSON; ``name`` names them in an error."""
    return case_from_json({"left": data, "right": data}, name).left


def _side_from_json(name: str, data: Any) -> Side:
    if not isinstance(data, Mapping) or set(data) != set(_ROLES):
        raise InputError(f'"{name}" must be an object with "candidate" and "gold"')
    families = []
    for role in _ROLES:
        _check_size(name, role, data[role])
        try:
            families.append(Biclustering.from_json(data[role]))
        except InputError as error:
            raise InputError(f"{name} {role}: {error}") from None
    return Side(*families)


def _check_size(name: str, role: str, data: Any) -> None:
    entries = data.get("biclusters") if isinstance(data, Mapping) else None
    if isinstance(entries, list):
        lists = [entry.get(key) for entry in entries if isinstance(entry, Mapping) for key in ("rows", "cols")]
        indices = sum(len(one) for one in lists if isinstance(one, list))
        for amount, most, kind in (
            (len(entries), MOST_BICLUSTERS, "biclusters"),
            (indices, MOST_INDICES, "indices"),
        ):
            if amount > most:
                raise InputError(f"{name} {role} lists {amount} {kind}; at most {most} are accepted")


# --- re-checking


def verify(certificate: Certificate | Any, measure: Measure | None = None) -> Certificate:
    """Re-check a certificate, typed or as parsed JSON; :class:`Refused` says what is wrong with it.

    ``measure`` stands in for the registered one of that id, for measures that are not registered.
    """
    try:
        stated = certificate if isinstance(certificate, Certificate) else Certificate.from_json(certificate)
        condition = find_condition(stated.condition)
        reading = condition.reading(stated.reading)
        named = measure is not None and measure.id == stated.measure
        subject = measure if measure is not None and named else find_measure(stated.measure)
    except InputError as error:
        raise Refused(str(error)) from None
    _check_instance(stated, condition, reading)
    _check_violation(stated, condition, subject, _rescored(stated, subject))
    return stated


def _check_instance(stated: Certificate, condition: Condition, reading: Reading) -> None:
    """The case must be what the condition is about, and as large as is said."""
    if stated.relation != condition.relation.name:
        raise Refused(f"{condition.id} demands {condition.relation.name!r}, not {stated.relation!r}")
    if not reading.premise(stated.case):
        raise Refused(f"the case is no instance of {condition.id} under the {reading.name} reading")
    if stated.objects != stated.case.objects:
        raise Refused(f"the case has {stated.case.objects} objects, not {stated.objects}")


def _rescored(stated: Certificate, subject: Measure) -> tuple[ScoreValue, ScoreValue]:
    """Both scores, computed anew and held against the stated ones."""
    relation = find_condition(stated.condition).relation
    try:
        scores = evaluate_case(subject, stated.case, relation)
    except Fault as fault:
        name = "left" if fault.side is stated.case.left else "right"
        raise Refused(f"{subject.id} gives no score for the {name}: it {fault.message}") from None
    for name, value, score in zip(("left", "right"), scores, stated.scores, strict=True):
        _compare(name, value, score)
    return scores


def _compare(name: str, value: ScoreValue, stated: Score) -> None:
    """Refuse a stated score that is not the one computed; where there is none, none must be stated."""
    if value is NO_SCORE and math.isnan(stated.value) and stated.exact is None:
        return
    if not abs(stated.value - float(value)) <= TOLERANCE:
        raise Refused(f"the {name} scores {float(value):.12g}, not {stated.value!r}")
    # Logarithms may be stated as floats alone: that is how they were written before they were exact.
    if stated.exact is None and isinstance(value, (Fraction, RootSum, RootRatio)):
        raise Refused(f"the {name} scores {value} exactly, and the file states no exact score")
    if stated.exact is not None and stated.exact != value:
        raise Refused(f"the {name} scores {value}, not {show(stated.fraction)}")
    if stated.exact is not None and not is_exact(value):
        raise Refused(f"the {name} scores {value}, a float, and the file states {show(stated.fraction)} as exact")


def _check_violation(
    stated: Certificate, condition: Condition, subject: Measure, scores: tuple[ScoreValue, ScoreValue]
) -> None:
    """The relation must be broken by these scores."""
    if broken(condition.relation, *scores, subject.optimum) is None:
        raise Refused(f"the scores {scores[0]} and {scores[1]} keep the relation: {condition.relation.demand}")
    if stated.optimum not in (None, subject.optimum):
        raise Refused(f"the optimum of {subject.id} is {subject.optimum!r}, not {stated.optimum!r}")
