"""Certificates: a violated cell's witness as data, and re-checking it without any search.

A certificate is believed in nothing: the case is read anew, judged by the premise, scored again, and
the relation must really be broken. The only code a file can make run is a registered measure's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from metaeval.cases import TOLERANCE, Case, ScoreValue, Side, broken
from metaeval.condition import Condition, find_condition
from metaeval.engine.evaluation import Fault, evaluate
from metaeval.errors import InputError, MetaevalError
from metaeval.measuring import Measure, find_measure
from metaeval.model import Biclustering

SCHEMA = "metaeval.certificate/1"

#: A certificate is meant to be checked by hand; larger ones are refused before they cost anything.
MOST_INDICES = 100_000

_KEYS = {"schema", "measure", "condition", "reading", "relation", "left", "right", "scores", "minimal"}


class Refused(MetaevalError):
    """A certificate that does not hold, and why."""


def certificate(
    measure: Measure,
    condition: Condition,
    reading: str,
    case: Case,
    scores: tuple[ScoreValue, ScoreValue],
    certified: bool,
) -> dict[str, Any]:
    """The certificate of a violation, as data for ``json.dump``."""
    optimum = measure.optimum if condition.relation.needs_optimum else None
    return {
        "schema": SCHEMA,
        "measure": measure.id,
        "condition": condition.id,
        "reading": reading,
        "relation": condition.relation.name,
        "left": side_to_json(case.left),
        "right": side_to_json(case.right),
        "scores": {
            "left": score_to_json(scores[0]),
            "right": score_to_json(scores[1]),
            "optimum": optimum,
        },
        "minimal": {"objects": case.objects, "certified": certified},
    }


def verify(data: Any, measure: Measure | None = None) -> None:
    """Re-check a certificate; :class:`Refused` says what is wrong with it.

    ``measure`` stands in for the registered one of that id, for measures that are not registered.
    """
    _check_schema(data)
    try:
        condition = find_condition(data["condition"])
        reading = condition.reading(data["reading"])
        subject = (
            measure if measure is not None and measure.id == data["measure"] else find_measure(data["measure"])
        )
        case = case_from_json(data)
    except InputError as error:
        raise Refused(str(error)) from None
    if data["relation"] != condition.relation.name:
        raise Refused(f"{condition.id} demands {condition.relation.name!r}, not {data['relation']!r}")
    if not reading.premise(case):
        raise Refused(f"the case is no instance of {condition.id} under the {reading.name} reading")
    scores = []
    for name, side in zip(("left", "right"), case, strict=True):
        try:
            score = evaluate(subject, side)
        except Fault as fault:
            raise Refused(f"{subject.id} gives no score for the {name}: it {fault.message}") from None
        _compare(name, score, data["scores"][name])
        scores.append(score)
    if broken(condition.relation, scores[0], scores[1], subject.optimum) is None:
        raise Refused(f"the scores {scores[0]} and {scores[1]} keep the relation: {condition.relation.demand}")
    optimum = data["scores"]["optimum"]
    if isinstance(optimum, bool) or optimum not in (None, subject.optimum):
        raise Refused(f"the optimum of {subject.id} is {subject.optimum:g}, not {optimum!r}")
    if data["minimal"]["objects"] != case.objects:
        raise Refused(f"the case has {case.objects} objects, not {data['minimal']['objects']}")


def case_from_json(data: Any) -> Case:
    """The case in a pair file or a certificate."""
    if not isinstance(data, Mapping) or not {"left", "right"} <= set(data):
        raise InputError('a pair is a JSON object with "left" and "right", each with "candidate" and "gold"')
    case = Case(_side_from_json("left", data["left"]), _side_from_json("right", data["right"]))
    # Parts that state no shape lie in one matrix with the rest.
    shape = (case.objects, case.features)
    sides = []
    for name, side in zip(("left", "right"), case, strict=True):
        stated = [data[name][role].get("shape") is not None for role in ("candidate", "gold")]
        sides.append(Side(*(part if said else part.on(shape) for part, said in zip(side, stated, strict=True))))
    return Case(*sides)


def side_to_json(side: Side) -> dict[str, Any]:
    """A side as data."""
    return {"candidate": side.candidate.to_json(), "gold": side.gold.to_json()}


def _side_from_json(name: str, data: Any) -> Side:
    if not isinstance(data, Mapping) or set(data) != {"candidate", "gold"}:
        raise InputError(f'"{name}" must be an object with "candidate" and "gold"')
    parts = []
    for role in ("candidate", "gold"):
        _check_size(name, role, data[role])
        try:
            parts.append(Biclustering.from_json(data[role]))
        except InputError as error:
            raise InputError(f"{name} {role}: {error}") from None
    return Side(*parts)


def _check_size(name: str, role: str, data: Any) -> None:
    entries = data.get("biclusters") if isinstance(data, Mapping) else None
    if isinstance(entries, list):
        lists = [entry.get(key) for entry in entries if isinstance(entry, Mapping) for key in ("rows", "cols")]
        indices = sum(len(one) for one in lists if isinstance(one, list))
        if indices > MOST_INDICES or len(entries) > MOST_INDICES:
            raise InputError(f"{name} {role} lists {indices} indices; at most {MOST_INDICES} are accepted")


def score_to_json(score: ScoreValue) -> dict[str, Any]:
    """A score as data: the float, and the fraction where it is exact."""
    exact = f"{score.numerator}/{score.denominator}" if isinstance(score, Fraction) else None
    return {"float": float_to_json(float(score)), "exact": exact}


def float_to_json(value: float) -> float | str:
    """JSON has no words for non-finite floats; they are written as strings."""
    return value if math.isfinite(value) else str(value)


def _compare(name: str, score: ScoreValue, stated: Mapping[str, Any]) -> None:
    """Refuse a stated score that is not the one computed."""
    number, exact = stated["float"], stated["exact"]
    if (
        isinstance(number, bool)
        or not isinstance(number, (int, float))
        or not abs(number - float(score)) <= TOLERANCE
    ):
        raise Refused(f"the {name} scores {float(score):.12g}, not {number!r}")
    if exact is None and isinstance(score, Fraction):
        raise Refused(f"the {name} scores {score} exactly, and the file states no exact score")
    if exact is not None and not (isinstance(score, Fraction) and _fraction(exact) == score):
        raise Refused(f"the {name} scores {score}, not {exact!r}")


def _fraction(text: Any) -> Fraction | None:
    try:
        return Fraction(text) if isinstance(text, str) and len(text) < 10_000 else None
    except (ValueError, ZeroDivisionError):
        return None


def _check_schema(data: Any) -> None:
    if not isinstance(data, Mapping):
        raise Refused("a certificate is a JSON object")
    if data.get("schema") != SCHEMA:
        raise Refused(f'its "schema" is {data.get("schema")!r}; expected {SCHEMA!r}')
    missing, unknown = sorted(_KEYS - set(data)), sorted(map(str, set(data) - _KEYS))
    if missing or unknown:
        raise Refused(f"it lacks {missing[0]!r}" if missing else f"it has an unknown key {unknown[0]!r}")
    for key in ("measure", "condition", "reading", "relation"):
        if not isinstance(data[key], str):
            raise Refused(f'its "{key}" must be text')
    scores, minimal = data["scores"], data["minimal"]
    if not isinstance(scores, Mapping) or set(scores) != {"left", "right", "optimum"}:
        raise Refused('its "scores" must hold "left", "right" and "optimum"')
    for name in ("left", "right"):
        if not isinstance(scores[name], Mapping) or set(scores[name]) != {"float", "exact"}:
            raise Refused(f'its {name} score must hold "float" and "exact"')
    if not isinstance(minimal, Mapping) or set(minimal) != {"objects", "certified"}:
        raise Refused('its "minimal" must hold "objects" and "certified"')
    if not isinstance(minimal["certified"], bool) or type(minimal["objects"]) is not int:
        raise Refused('"objects" must be an integer and "certified" true or false')
