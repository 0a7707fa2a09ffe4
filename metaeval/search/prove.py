"""Proofs in a search: what holds is derived from the equation, and every obligation is run on instances."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from random import Random

from msgspec.structs import replace

from metaeval.cases.enlarge import multiplied
from metaeval.cases.pack import CasePack, PackedSource
from metaeval.catalogue.condition import Condition, Reading
from metaeval.catalogue.measure import Measure
from metaeval.core.case import Case
from metaeval.core.verdict import Verdict
from metaeval.equations.equation import Equation
from metaeval.proofs.proof import LEAST_INSTANCES, BrokenRule, Instances, Proof, Unproved, derive, run_obligations
from metaeval.records.cell import Cell, DeclaredEquation

#: Instances are chosen with this margin, because an obligation may say nothing of some of them.
_MARGIN = 1.3
#: Larger cases cost more than they show.
_MOST_OBJECTS, _MOST_FEATURES = 60, 12
#: Rare cases are looked for among so many.
_LOOKED_AT = 1_000


def with_proof(cell: Cell, measure: Measure, condition: Condition, reading: Reading, pack: CasePack) -> Cell:
    """The cell of a measure that holds, with a proof of its equation or the reason why there is none."""
    equation = measure.equation
    if equation is None or cell.verdict is not Verdict.HOLDS or not reading.lies_in(equation.domain):
        return cell
    if cell.message is not None:
        return replace(cell, unproved="It gives no score on some cases.")
    try:
        proof = prove(measure.id, equation, condition, reading, instances(reading, pack, LEAST_INSTANCES, seed=0))
    except Unproved as why:
        return replace(cell, unproved=str(why))
    except BrokenRule as why:
        return replace(cell, broken_rule=str(why)[:2000], unproved="A rule of the prover is wrong here.")
    if measure.is_equation:
        return replace(cell, verdict=Verdict.PROVED, proof=proof)
    # A plain function is never proved; the proof is about the equation that it declares.
    agreed = 0 if cell.equation is None else cell.equation.agreed
    return replace(cell, equation=DeclaredEquation(equation, agreed, proof))


def prove(
    measure: str, equation: Equation, condition: Condition, reading: Reading, cases: Sequence[Case],
    least: int = LEAST_INSTANCES,
) -> Proof:  # fmt: skip
    """A proof whose obligations held on these cases; or :class:`Unproved`, or :class:`BrokenRule`."""
    derivation = derive(equation, reading.situation)
    held = run_obligations(equation, derivation, cases, least)
    return Proof(measure, equation, condition.id, reading.name, derivation.scheme, derivation.statements, held)


@lru_cache(maxsize=128)
def instances(reading: Reading, pack: CasePack, count: int, seed: int) -> Instances:
    """Instances of a reading: listed, drawn, and with objects and features multiplied; always the same for a seed."""
    random, source = Random(f"{reading.name}:{seed}"), PackedSource(reading, pack)
    listed = [case for _, cases in source.levels() for case in cases]
    drawn = [*islice(chain(source.drawn(), source.listed_elsewhere()), 2_000)]
    one_sided = [case for case in [*listed, *drawn] if not _decided(case)]
    listed, drawn = ([case for case in cases if _decided(case)] for cases in (listed, drawn))
    few, wanted = count // 10, round(count * _MARGIN)
    smallest, part = listed[:few], wanted // 4
    for cases in (listed, drawn, one_sided):
        random.shuffle(cases)
    apart = [case for case in [*listed[:_LOOKED_AT], *drawn[:_LOOKED_AT]] if _is_apart(case)]
    chosen = dict.fromkeys([*smallest, *one_sided[:few], *apart[:few], *listed[:part], *drawn[:part]])
    # Where few can be multiplied, more of the others are taken.
    for case in chain(_multiplied(random, [*listed, *drawn], reading), listed[part:], drawn[part:]):
        if len(chosen) >= wanted:
            break
        chosen[case] = None
    return Instances(chosen)


def _decided(case: Case) -> bool:
    """Whether no family is empty: an obligation says nothing where a convention decides."""
    return all(family for side in case for family in side)


def _is_apart(case: Case) -> bool:
    """Whether found and reference of some side share no cell: rare among the cases, and where quotients are 0/0."""
    return any(not any(a & c and b & d for a, b in side[0] for c, d in side[-1]) for side in case)


def _multiplied(random: Random, cases: Sequence[Case], reading: Reading) -> Iterator[Case]:
    """Cases with some of their objects, or their features, taken several times, as far as they are instances."""
    for _ in range(4_000 if cases else 0):
        case = random.choice(cases)
        axis, times = random.choice((0, 0, 1)), random.choice((2, 2, 3, 5))
        shape = (case.objects, case.features)
        members = range(shape[axis]) if axis or random.random() < 0.5 else [random.randrange(shape[0])]
        if shape[axis] * times <= (_MOST_OBJECTS, _MOST_FEATURES)[axis]:
            larger = multiplied(case, axis, members, times)
            if reading.premise(larger):
                yield larger
