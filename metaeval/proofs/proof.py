"""Proofs: derived from an equation by the rules, run on instances, and kept as data, ``metaeval.proof/2``.

The rules decide; there is no search for a proof. So a proof is (equation, condition, reading, scheme). Whoever checks
it derives the obligations again from the equation; those in a file are for people, and must be equal.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Self

from metaeval.core.case import Case
from metaeval.core.errors import InputError
from metaeval.equations.equation import Equation, stated_equation
from metaeval.equations.tree import MOST_OBLIGATIONS
from metaeval.equations.types import is_float
from metaeval.files.codec import MOST_CHARACTERS, Count, Line, Record, add_type, decode, demand_schema
from metaeval.proofs.situation import Situation

SCHEMA = "metaeval.proof/2"
OLD_SCHEMA = "metaeval.proof/1"
OLD = f"it has the schema {OLD_SCHEMA}, which is not read any more; run metaeval again"

#: The number of instances on which each obligation must hold before anything is called proved.
LEAST_INSTANCES = 100
#: Where the rule of each scheme is, and what it is called there.
_RULES = {
    "free": ("typings", "free"), "scale": ("typings", "graded"), "copy": ("typings", "copy"),
    "repeat": ("typings", "graded"), "swap": ("typings", "swap"), "names": ("typings", "names"),
    "range": ("bounds", "in_range"), "itself": ("bounds", "itself"), "top": ("strictness", "top"),
    "rise": ("moves", "rise"), "fall": ("falls", "fall"),
}  # fmt: skip

# A file decides nothing: whoever checks a proof demands the equation of the registered measure.
add_type(Equation, stated_equation, Equation.to_json)


class Statement(Record, frozen=True):
    """An obligation in words, and the rule that derived it."""

    rule: Line
    statement: Line


class Proof(Record, frozen=True, tag_field="schema", tag=SCHEMA):
    """Why a measure satisfies a condition under a reading, for every size and in every context."""

    measure: Line
    equation: Equation
    condition: Line
    reading: Line
    scheme: Line
    obligations: tuple[Statement, ...]
    #: The number of instances on which each obligation held when the proof was made.
    instances: Count

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """The proof in parsed JSON; its shape is checked, and nothing else."""
        if is_old(data):
            raise InputError(OLD)
        stated = demand_schema(data, SCHEMA, "a proof").get("obligations")
        if isinstance(stated, list) and len(stated) > MOST_OBLIGATIONS:
            raise InputError(f"a proof has at most {MOST_OBLIGATIONS} obligations, and this one has {len(stated)}")
        return decode(cls, data, "a proof")


def is_old(data: object) -> bool:
    """Whether parsed JSON is a proof of the schema that is not read any more."""
    return isinstance(data, dict) and data.get("schema") == OLD_SCHEMA


class Unproved(Exception):
    """No proof was found; the sentence says why."""


class BrokenRule(Exception):
    """An obligation fails on an instance, so a rule is wrong. The sentence names the rule and the instance."""


@dataclass(frozen=True)
class Derivation:
    """What the rules derive: the scheme, and all obligations."""

    scheme: str
    obligations: tuple[Any, ...]

    @property
    def statements(self) -> tuple[Statement, ...]:
        return tuple(Statement(one.rule, one.statement) for one in self.obligations)


def preload_rules(equations: Iterable[Equation]) -> None:
    """Load the rules, and look at the totality of these, before processes are forked that would each do it anew."""
    from metaeval.proofs.algebra import Refused
    from metaeval.proofs.totality import total

    for module in {module for module, _ in _RULES.values()}:
        import_module(f"metaeval.proofs.{module}")
    for equation in equations:
        with suppress(Refused):
            total(equation)


def derive(equation: Equation, situation: Situation | None) -> Derivation:
    """The obligations of a proof, or :class:`Unproved`. A rule that crashes refuses."""
    from metaeval.proofs.algebra import Refused, limited
    from metaeval.proofs.obligation import Total, conclusion
    from metaeval.proofs.totality import total

    if situation is None:
        raise Unproved("No rule is known for this reading.")
    # Close floats tie, and rounding moves equal ones apart.
    if is_float(equation.expression):
        raise Unproved("Its scores are floats, and a proof is about exact scores.")
    module, name = _RULES[situation.scheme]
    rule: Callable[[Equation, Situation], Iterable[Any]] = getattr(import_module(f"metaeval.proofs.{module}"), name)
    try:
        with limited():
            total(equation)
            found = [Total(equation.expression, rule="totality"), *rule(equation, situation)]
            found += conclusion(equation, situation)
    except Refused as refusal:
        raise Unproved(str(refusal) or "The rules do not show it.") from None
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError, AssertionError) as error:
        raise Unproved(f"The rule of the scheme {situation.scheme} fails with {type(error).__name__}.") from None
    derivation = Derivation(situation.scheme, tuple(dict.fromkeys(found)))
    if len(found) > MOST_OBLIGATIONS or any(len(one.statement) > MOST_CHARACTERS for one in derivation.obligations):
        raise Unproved("Its proof is too long for a file.")
    return derivation


class Instances(tuple[Case, ...]):
    """Cases of a reading, and how many of them each obligation is known to hold on: measures share most obligations."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self.held: dict[Any, int] = {}


def run_obligations(equation: Equation, derivation: Derivation, instances: Sequence[Case], least: int) -> int:
    """The number of instances on which each obligation held: the least of all obligations, and ``least`` or more.

    :class:`BrokenRule` where one fails; :class:`Unproved` where there are too few instances.
    """
    from metaeval.proofs.obligation import Values, failing

    known = instances.held if isinstance(instances, Instances) else {}
    values, header = Values(equation), (equation.unit, equation.one_empty is None)
    new = [one for one in derivation.obligations if (one, header) not in known]
    held = [0] * len(new)
    for case in instances:
        values.forget()
        for place, one in enumerate(new):
            failed = failing(one, case, values)
            if failed:
                raise BrokenRule(f"The rule “{one.rule}” is wrong: {one.statement} is not so on {case!r}.")
            held[place] += failed is False
    known.update({(one, header): count for one, count in zip(new, held, strict=True)})
    fewest = min((known[one, header] for one in derivation.obligations), default=len(instances))
    if fewest < least:
        raise Unproved(f"An obligation could be run on {fewest} instances only; {least} are needed.")
    return fewest
