"""The prover: a measure, a condition, a reading; a proof, or why there is none."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from metaeval.catalogue.condition import Condition
from metaeval.catalogue.measure import Measure
from metaeval.catalogue.source_files import source_hash
from metaeval.proof import Further, Proof
from metaeval.proving.forms import LocalForm, local_form
from metaeval.proving.refusal import Refusal, Refused
from metaeval.proving.schemes import SCHEMES, Argument, Setting, least_shared, side_data
from metaeval.situation import Situation

_MATCHING = "That the best matching of the kernel is the largest one, and for copies and scaled cells a multiple."
#: What a proof rests on beside its steps.
TRUSTED = (
    "That the condition's situation describes every case of the reading; it was held against the premise on instances.",
    "That a measure's code, followed on one entry, does the same for every entry; its loops carry nothing but sums.",
    "That the kernel counts cells, sizes and intersections as its documentation says, and computes exactly.",
    "That the measure is blind to names, to the order of biclusters, and to what it was asked before.",
)
_OWN = "That a sum over a family with sizes of their own is at least 0 if it is so where all have the same size."
_DEFECT = "That a candidate other than the gold has a pair with g > n or c > n, or a cell that one side alone covers."


def prove(measure: Measure, condition: Condition, reading: str) -> Proof | Refusal:
    """A proof that a measure satisfies a condition under a reading, for all sizes and in every context.

    A refusal says nothing against the measure: what is not a sum over pairs, clusters or classes is not followed.
    """
    try:
        return _proved(measure, condition, condition.reading(reading).name)
    except Refused as refused:
        return Refusal(str(refused))
    except ModuleNotFoundError as error:
        return Refusal(f"{error.name} is not installed, so that nothing is proved: pip install 'metaeval[proofs]'.")
    except Exception as error:
        # Nothing is proved where the prover fails, and a run goes on without it.
        return Refusal(f"The prover itself failed, with {type(error).__name__}: {error}.")


def _proved(measure: Measure, condition: Condition, reading: str) -> Proof:
    situations = condition.readings[reading].situations
    if not situations:
        raise Refused(f"{condition.id} {reading} has no situation with symbols, so that nothing is proved of it.")
    if not condition.readings[reading].lies_in(measure.domain):
        raise Refused(f"It is defined on {measure.domain} only, and the reading has other cases.")
    source = source_hash(measure)
    if source is None:
        raise Refused("Its source is in no file, so that a proof could not say what it is about.")
    form = _form(measure, situations[0].worlds, min(map(least_shared, situations)), situations[0].lifted, source)
    if isinstance(form, Refusal):
        raise Refused(form.reason)
    best = None if measure.optimum is None else Fraction(measure.optimum)
    settings = [Setting(form, situation, best) for situation in situations]
    shown = [SCHEMES[setting.situation.scheme](setting) for setting in settings]
    (first, argument), *others = zip(settings, shown, strict=True)
    return Proof(
        measure=measure.id,
        source=source,
        condition=condition.id,
        reading=reading,
        scheme=first.situation.scheme,
        symbols=first.situation.symbols,
        form=form.data(),
        left=side_data(first, first.situation.left),
        right=side_data(first, first.situation.right),
        lemmas=tuple(argument.lemmas),
        steps=tuple(argument.steps),
        trusted=tuple(_trusted(first.situation, form)),
        also=tuple(_further(setting, more) for setting, more in others),
    )


@lru_cache(maxsize=256)
def _form(measure: Measure, worlds: tuple[str, ...], least: int, lifted: bool, source: str) -> LocalForm | Refusal:
    """The form, found once for all conditions that ask for it; a changed source has another hash."""
    try:
        return local_form(measure, worlds, least, lifted)
    except Refused as refused:
        return Refusal(str(refused))


def _further(setting: Setting, argument: Argument) -> Further:
    situation = setting.situation
    return Further(
        situation.symbols,
        side_data(setting, situation.left),
        side_data(setting, situation.right),
        tuple(argument.lemmas),
        tuple(argument.steps),
    )


def _trusted(situation: Situation, form: LocalForm) -> list[str]:
    found = [*TRUSTED]
    if "matching" in form.score.names:
        found.append(_MATCHING)
    if situation.own:
        found.append(_OWN)
    if situation.context == "top":
        found.append(_DEFECT)
    return found
