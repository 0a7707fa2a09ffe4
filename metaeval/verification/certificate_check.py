"""Re-check one certificate. Nothing in it is trusted; a file can only run the code of a registered measure."""

import math
from fractions import Fraction
from typing import Any

from metaeval.catalogue.condition import find_condition
from metaeval.catalogue.measure import Measure, find_measure
from metaeval.core.case import side_names
from metaeval.core.errors import InputError, MetaevalError
from metaeval.core.relation import NO_SCORE, TOLERANCE, ScoreValue, broken
from metaeval.exact import RootRatio, RootSum, is_exact
from metaeval.files.shown import show
from metaeval.records.certificate import Certificate
from metaeval.records.score import Score
from metaeval.workers.call import evaluate_case
from metaeval.workers.faults import Fault


class Refused(MetaevalError):
    """A certificate that does not hold, and why."""


def verify(certificate: Certificate | Any, measure: Measure | None = None) -> Certificate:
    """Re-check a certificate, typed or as JSON, with this measure or the registered one; or raise :class:`Refused`."""
    try:
        stated = certificate if isinstance(certificate, Certificate) else Certificate.from_json(certificate)
        subject = measure if measure is not None and measure.id == stated.measure else find_measure(stated.measure)
        reading = find_condition(stated.condition).reading(stated.reading)
        condition = find_condition(stated.condition).form(subject.domain, reading.name)
    except InputError as error:
        raise Refused(str(error)) from None
    relation = condition.relation
    if stated.relation != relation.name:
        raise Refused(f"{condition.id} demands {relation.name!r}, not {stated.relation!r}")
    if not condition.admits(reading.name, stated.case):
        raise Refused(f"the case is no instance of {condition.id} under the {reading.name} reading")
    if stated.objects != stated.case.objects:
        raise Refused(f"the case has {stated.case.objects} objects, not {stated.objects}")
    names = [f"the {name}" if len(stated.case) == 2 else name for name in side_names(len(stated.case))]
    try:
        scores = evaluate_case(subject, stated.case, relation)
    except Fault as fault:
        holding = (name for name, side in zip(names, stated.case, strict=True) if fault.side in side.pairs)
        raise Refused(f"{subject.id} gives no score for {next(holding, names[-1])}: it {fault.message}") from None
    for name, value, score in zip(names, scores, stated.scores, strict=True):
        _compare(name, value, score)
    if relation.needs_optimum and subject.optimum is None:
        raise Refused(f"{condition.id} needs an optimum, and {subject.id} has no constant one")
    if broken(relation, scores, subject.bounds) is None:
        raise Refused(f"the scores {' and '.join(map(str, scores))} keep the relation: {relation.demand}")
    if stated.optimum not in (None, subject.optimum):
        raise Refused(f"the optimum of {subject.id} is {subject.optimum!r}, not {stated.optimum!r}")
    if stated.low not in (None, subject.lowest):
        raise Refused(f"the lowest score of {subject.id} is {subject.lowest!r}, not {stated.low!r}")
    return stated


def _compare(name: str, value: ScoreValue, stated: Score) -> None:
    """Refuse a stated score that differs from the computed one; without a score, none may be stated."""
    if value is NO_SCORE and math.isnan(stated.value) and stated.exact is None:
        return
    if not abs(stated.value - float(value)) <= TOLERANCE:
        raise Refused(f"{name} scores {float(value):.12g}, not {stated.value!r}")
    # Older files state logarithms as floats only.
    if stated.exact is None and isinstance(value, (Fraction, RootSum, RootRatio)):
        raise Refused(f"{name} scores {value} exactly, and the file states no exact score")
    if stated.exact is not None and stated.exact != value:
        raise Refused(f"{name} scores {value}, not {show(stated.fraction)}")
    if stated.exact is not None and not is_exact(value):
        raise Refused(f"{name} scores {value}, a float, and the file states {show(stated.fraction)} as exact")
