"""Certificates: a violated cell's witness as data, and re-checking it without any search.

A certificate is believed in nothing: the case is read anew, judged by the premise, scored again, and
the relation must really be broken. The only code a file can make run is a registered measure's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from metaeval.catalogue.condition import Condition
from metaeval.catalogue.measure import Measure
from metaeval.core.biclustering import Biclustering, Shape
from metaeval.core.case import Case, Side, side_names
from metaeval.core.errors import InputError
from metaeval.core.relation import Bounds, Scores
from metaeval.files.fields import count, flag, mapping, need, number, refuse_unknown, text
from metaeval.files.shown import show
from metaeval.records.score import Score

SCHEMA = "metaeval.certificate/1"

#: A certificate is meant to be checked by hand; larger ones are refused before they cost anything.
MOST_INDICES = 100_000
MOST_BICLUSTERS = 1_000

_KEYS = ("schema", "measure", "condition", "reading", "relation", "scores", "minimal")
_PAIR = ("left", "right")
#: More candidates than any pool has.
MOST_CANDIDATES = 1_000


@dataclass(frozen=True)
class Certificate:
    """The witness of a violation: the case, its scores, and whether a smaller case can exist.

    ``optimum`` and ``low`` are the measure's best and lowest score where the relation speaks of them. ``certified``
    says that enumeration found no counterexample with fewer than ``objects`` objects.
    """

    measure: str
    condition: str
    reading: str
    relation: str
    case: Case
    scores: tuple[Score, ...]
    optimum: float | None
    objects: int
    certified: bool
    low: float | None = None

    @classmethod
    def of(
        cls,
        measure: Measure,
        condition: Condition,
        reading: str,
        case: Case,
        scores: Scores,
        certified: bool,
    ) -> Certificate:
        """The certificate of a violation that was found."""
        return cls(
            measure=measure.id,
            condition=condition.id,
            reading=reading,
            relation=condition.relation.name,
            case=case,
            scores=tuple(map(Score.of, scores)),
            optimum=measure.optimum if condition.relation.needs_optimum else None,
            objects=case.objects,
            certified=certified,
            low=measure.lowest if condition.relation.needs_lowest else None,
        )

    @property
    def key(self) -> tuple[str, str, str]:
        """What names the cell that this is a witness of."""
        return self.measure, self.condition, self.reading

    @property
    def left(self) -> Score:
        """The score of the first side."""
        return self.scores[0]

    @property
    def right(self) -> Score:
        """The score of the second side."""
        return self.scores[1]

    @property
    def bounds(self) -> Bounds:
        """The lowest and the best score, as far as the relation speaks of them."""
        return Bounds(self.low, self.optimum)

    def to_json(self) -> dict[str, Any]:
        """The certificate as data for ``json.dump``."""
        return {
            "schema": SCHEMA,
            "measure": self.measure,
            "condition": self.condition,
            "reading": self.reading,
            "relation": self.relation,
            **case_to_json(self.case),
            "scores": {
                **scores_to_json(self.scores),
                "optimum": self.optimum,
                **({} if self.low is None else {"low": self.low}),
            },
            "minimal": {"objects": self.objects, "certified": self.certified},
        }

    @classmethod
    def from_json(cls, data: Any, where: str = "the certificate") -> Certificate:
        """The certificate in parsed JSON; ``where`` names it in an error."""
        entry = mapping(data, where)
        if entry.get("schema") != SCHEMA:
            raise InputError(f"the schema of {where} is {show(entry.get('schema'))}; expected {SCHEMA!r}")
        refuse_unknown(entry, (*_KEYS, *(("sides",) if "sides" in entry else _PAIR)), where)
        measure, condition, reading, relation = (text(entry, key, where) for key in _KEYS[1:5])
        scores = mapping(need(entry, "scores", where), f'"scores" of {where}')
        minimal = mapping(need(entry, "minimal", where), f'"minimal" of {where}')
        case = case_from_json(entry, where)
        return cls(
            measure=measure,
            condition=condition,
            reading=reading,
            relation=relation,
            case=case,
            scores=scores_from_json(scores, len(case), where),
            optimum=_bound(need(scores, "optimum", f'"scores" of {where}'), f"the optimum of {where}"),
            objects=count(minimal, "objects", f'"minimal" of {where}'),
            certified=flag(minimal, "certified", f'"minimal" of {where}'),
            low=_bound(scores.get("low"), f"the lowest score of {where}"),
        )


def _bound(value: Any, what: str) -> float | None:
    return None if value is None else number(value, what)


def scores_to_json(scores: Sequence[Score]) -> dict[str, Any]:
    """Scores as data: of a pair by name, of other cases as a list."""
    written = [score.to_json() for score in scores]
    return dict(zip(_PAIR, written, strict=True)) if len(written) == 2 else {"sides": written}


def scores_from_json(data: Mapping[str, Any], sides: int, where: str) -> tuple[Score, ...]:
    """The scores of a case with so many sides."""
    if sides == 2:
        stated = [need(data, name, f'"scores" of {where}') for name in _PAIR]
    else:
        stated = need(data, "sides", f'"scores" of {where}')
    if not isinstance(stated, list) or len(stated) != sides:
        raise InputError(f'"scores" of {where} must have a list of {sides} as "sides", one for each side')
    names = side_names(sides)
    return tuple(
        Score.from_json(one, f"the {name} score of {where}" if sides == 2 else f"the score of {name} of {where}")
        for one, name in zip(stated, names, strict=True)
    )


# --- cases as data


def case_to_json(case: Case) -> dict[str, Any]:
    """A case as data: a pair file where it has two sides."""
    sides = [side_to_json(side) for side in case]
    return dict(zip(_PAIR, sides, strict=True)) if len(sides) == 2 else {"sides": sides}


def side_to_json(side: Side) -> dict[str, Any]:
    """A side as data: a candidate or, of a pool, all of them, and the gold."""
    if side.is_pool:
        return {"candidates": [one.to_json() for one in side.candidates], "gold": side.gold.to_json()}
    return {"candidate": side.candidate.to_json(), "gold": side.gold.to_json()}


def case_from_json(data: Any, where: str = "a pair") -> Case:
    """The case in a pair file or a certificate."""
    stated = data.get("sides") if isinstance(data, Mapping) and "left" not in data else None
    if stated is None and isinstance(data, Mapping) and {*_PAIR} <= set(data):
        stated = [data[name] for name in _PAIR]
    if not isinstance(stated, list) or not stated:
        raise InputError(
            f'{where} must be a JSON object with "left" and "right", each with "candidate" and "gold", or with a list '
            'of such "sides"'
        )
    names = side_names(len(stated))
    case = Case(*(_side_from_json(name, side) for name, side in zip(names, stated, strict=True)))
    # Families that state no shape lie in one matrix with the rest.
    shape = (case.objects, case.features)
    return Case(*(_on_shape(side, entry, shape) for side, entry in zip(case, stated, strict=True)))


def _on_shape(side: Side, data: Mapping[str, Any], shape: Shape) -> Side:
    said = [entry.get("shape") is not None for _, entry in _families(data)]
    return Side(*(family if known else family.on(shape) for family, known in zip(side, said, strict=True)))


def side_from_json(data: Any, name: str) -> Side:
    """A candidate and its gold standard in parsed JSON; ``name`` names them in an error."""
    side = case_from_json({"left": data, "right": data}, name).left
    if side.is_pool:
        raise InputError(f"{name} has several candidates; expected one")
    return side


def _side_from_json(name: str, data: Any) -> Side:
    if not isinstance(data, Mapping) or set(data) not in ({"candidate", "gold"}, {"candidates", "gold"}):
        raise InputError(f'"{name}" must be an object with "candidate" and "gold"')
    pool = data.get("candidates", [data.get("candidate")])
    if not isinstance(pool, list) or not 1 <= len(pool) <= MOST_CANDIDATES:
        raise InputError(f'"candidates" of {name} must be a list of 1 to {MOST_CANDIDATES} biclusterings')
    families = []
    for role, entry in _families(data):
        _check_size(name, role, entry)
        try:
            families.append(Biclustering.from_json(entry))
        except InputError as error:
            raise InputError(f"{name} {role}: {error}") from None
    return Side(*families)


def _families(data: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The families of a side as it is stated, each with its role."""
    candidates = data["candidates"] if "candidates" in data else [data["candidate"]]
    return [*(("candidate", one) for one in candidates), ("gold", data["gold"])]


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
