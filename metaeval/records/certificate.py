"""Certificates: the witness of a violated cell; cases as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import structs

from metaeval.catalogue.condition import Condition
from metaeval.catalogue.measure import Measure
from metaeval.core.biclustering import Biclustering, Shape
from metaeval.core.case import Case, Side, side_names
from metaeval.core.errors import InputError, naming
from metaeval.core.relation import Bounds, Scores
from metaeval.files.codec import Count, Line, Record, add_type, decode, demand_schema
from metaeval.records.score import Score

SCHEMA = "metaeval.certificate/1"

#: Larger families, and larger pools of candidates, are refused before they cost time.
MOST_INDICES = 100_000
MOST_BICLUSTERS = 1_000
MOST_CANDIDATES = 1_000

_PAIR = ("left", "right")


class StatedScores(Record, frozen=True):
    """The scores of a case in a file: by name if there are two, else as a list."""

    left: Score | None = None
    right: Score | None = None
    sides: tuple[Score, ...] = ()

    def of(self, case: Case, where: str) -> tuple[Score, ...]:
        """One score for each side of a case."""
        pair = () if self.left is None or self.right is None else (self.left, self.right)
        scores = pair if len(case) == 2 else self.sides
        if len(scores) != len(case) or (pair and self.sides):
            expected = '"left" and "right"' if len(case) == 2 else f'a list of {len(case)} as "sides"'
            raise InputError(f'"scores" of {where} must have {expected}, one score for each side')
        return scores


class _ScoresAndBounds(StatedScores, frozen=True, kw_only=True):
    optimum: float | None
    low: float | None = None


class _Minimal(Record, frozen=True):
    objects: Count
    certified: bool


class _Stated(Record, frozen=True, tag_field="schema", tag=SCHEMA, kw_only=True):
    """A certificate in a file. Its sides are read together, by :func:`case_from_json`."""

    measure: Line
    condition: Line
    reading: Line
    relation: Line
    left: Any = None
    right: Any = None
    sides: Any = None
    scores: _ScoresAndBounds
    minimal: _Minimal


@dataclass(frozen=True)
class Certificate:
    """The witness of a violation: the case, its scores, and whether a smaller case can exist.

    ``optimum`` and ``low`` are the measure's best and lowest score, if the relation is about them. ``certified``
    means that no case with fewer than ``objects`` objects is a counterexample.
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
        cls, measure: Measure, condition: Condition, reading: str, case: Case, scores: Scores, certified: bool
    ) -> Certificate:
        """The certificate of a violation that was found."""
        return cls(
            measure=measure.id, condition=condition.id, reading=reading, relation=condition.relation.name, case=case,
            scores=tuple(map(Score.of, scores)), optimum=measure.optimum if condition.relation.needs_optimum else None,
            objects=case.objects, certified=certified, low=measure.lowest if condition.relation.needs_lowest else None,
        )  # fmt: skip

    @property
    def key(self) -> tuple[str, str, str]:
        """The key of the violated cell."""
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
        """The lowest and the best score, if the relation is about them."""
        return Bounds(self.low, self.optimum)

    def to_json(self) -> dict[str, Any]:
        """The certificate as data for ``json.dump``."""
        low = {} if self.low is None else {"low": self.low}
        return {
            "schema": SCHEMA, "measure": self.measure, "condition": self.condition, "reading": self.reading,
            "relation": self.relation, **case_to_json(self.case),
            "scores": {**scores_to_json(self.scores), "optimum": self.optimum, **low},
            "minimal": {"objects": self.objects, "certified": self.certified},
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Any, where: str = "the certificate") -> Certificate:
        """The certificate in parsed JSON; ``where`` names it in an error."""
        case = case_from_json(demand_schema(data, SCHEMA, where), where)
        stated = decode(_Stated, data, where)
        named = {key: getattr(stated, key) for key in ("measure", "condition", "reading", "relation")}
        scores, optimum, low = stated.scores.of(case, where), stated.scores.optimum, stated.scores.low
        return cls(case=case, scores=scores, optimum=optimum, low=low, **named, **structs.asdict(stated.minimal))


def scores_to_json(scores: Sequence[Score]) -> dict[str, Any]:
    """Scores as data: of a pair by name, of other cases as a list."""
    return _by_name([score.to_json() for score in scores])


def _by_name(sides: list[Any]) -> dict[str, Any]:
    return dict(zip(_PAIR, sides, strict=True)) if len(sides) == 2 else {"sides": sides}


# --- cases as data


def case_to_json(case: Case) -> dict[str, Any]:
    """A case as data: a pair file if it has two sides."""
    return _by_name([side_to_json(side) for side in case])


def side_to_json(side: Side) -> dict[str, Any]:
    """A side as data: a candidate or, for a pool, all of them, and the gold."""
    if side.is_pool:
        return {"candidates": [one.to_json() for one in side.candidates], "gold": side.gold.to_json()}
    return {"candidate": side.candidate.to_json(), "gold": side.gold.to_json()}


def case_from_json(data: Any, where: str = "a pair") -> Case:
    """The case in a pair file or a certificate."""
    stated = None
    if isinstance(data, Mapping):
        pair = [data[name] for name in _PAIR if name in data]
        stated = data.get("sides") if not pair else pair if len(pair) == 2 and "sides" not in data else None
    if not isinstance(stated, list) or not stated:
        raise InputError(
            f'{where} must be a JSON object with "left" and "right", each with "candidate" and "gold", or with a list '
            'of such "sides"'
        )
    names = side_names(len(stated))
    case = Case(*(_families(name, side) for name, side in zip(names, stated, strict=True)))
    # Families without a shape lie in one matrix with the others.
    shape = (case.objects, case.features)
    return Case(*(_on_shape(side, entry, shape) for side, entry in zip(case, stated, strict=True)))


def side_from_json(data: Any, name: str = "it") -> Side:
    """A candidate and its gold standard in parsed JSON; ``name`` names them in an error."""
    side = _families(name, data)
    if side.is_pool:
        raise InputError(f"{name} has several candidates; expected one")
    return _on_shape(side, data, side.shape)


def _families(name: str, data: Any) -> Side:
    """The candidates and the gold of a side, each on its own matrix."""
    if not isinstance(data, Mapping) or set(data) not in ({"candidate", "gold"}, {"candidates", "gold"}):
        raise InputError(f'{name} must be an object with "candidate" and "gold"')
    pool = data.get("candidates", [data.get("candidate")])
    if not isinstance(pool, list) or not 1 <= len(pool) <= MOST_CANDIDATES:
        raise InputError(f'"candidates" of {name} must be a list of 1 to {MOST_CANDIDATES} biclusterings')
    families = []
    for role, entry in _entries(data):
        biclusters = entry.get("biclusters") if isinstance(entry, Mapping) else None
        if isinstance(biclusters, list):
            lists = [one.get(key) for one in biclusters if isinstance(one, Mapping) for key in ("rows", "cols")]
            indices = sum(len(one) for one in lists if isinstance(one, list))
            amounts = (len(biclusters), MOST_BICLUSTERS, "biclusters"), (indices, MOST_INDICES, "indices")
            for amount, most, kind in amounts:
                if amount > most:
                    raise InputError(f"{name} {role} lists {amount} {kind}; at most {most} are accepted")
        with naming(f"{name} {role}"):
            families.append(Biclustering.from_json(entry))
    return Side(*families)


def _on_shape(side: Side, data: Mapping[str, Any], shape: Shape) -> Side:
    has_shape = [entry.get("shape") is not None for _, entry in _entries(data)]
    return Side(*(family if own else family.on(shape) for family, own in zip(side, has_shape, strict=True)))


def _entries(data: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The families of a side in a file, each with its role."""
    candidates = data["candidates"] if "candidates" in data else [data["candidate"]]
    return [*(("candidate", one) for one in candidates), ("gold", data["gold"])]


add_type(Side, side_from_json, side_to_json)
add_type(Case, case_from_json, case_to_json)
