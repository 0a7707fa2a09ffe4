"""Faults as evidence: what a measure's author needs to know, read, written and put into words in one way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from metaeval.core.case import Side
from metaeval.files.codec import mapping, optional_lines, optional_text, refuse_unknown, text
from metaeval.records.certificate import side_from_json, side_to_json
from metaeval.workers.faults import Diagnosis

_KEYS = ("kind", "input", "where", "code", "hint", "trace")
#: A side of more indices than these is not written out.
_MOST_INDICES = 200


def fault_to_json(fault: Diagnosis) -> dict[str, Any]:
    """The fault as data."""
    return {
        "kind": fault.kind,
        "input": None if fault.side is None else side_to_json(fault.side),
        "where": fault.where,
        "code": fault.code,
        "hint": fault.hint,
        **({} if fault.trace is None else {"trace": fault.trace}),
    }


def fault_from_json(data: Any, where: str) -> Diagnosis | None:
    """The fault in parsed JSON; absent or null where there is none."""
    if data is None:
        return None
    entry = mapping(data, where)
    refuse_unknown(entry, _KEYS, where)
    side = entry.get("input")
    return Diagnosis(
        kind=text(entry, "kind", where),
        hint=text(entry, "hint", where),
        side=None if side is None else side_from_json(side, f'"input" of {where}'),
        where=optional_text(entry, "where", where),
        code=optional_text(entry, "code", where),
        trace=optional_lines(entry, "trace", where),
    )


def fault_facts(fault: Diagnosis) -> Iterator[tuple[str, str]]:
    """What is known of a fault, as terms and explanations."""
    if fault.where is not None:
        yield "where", f"{fault.where}: {fault.code}" if fault.code else fault.where
    if fault.side is not None:
        yield "input", _written(fault.side)
    yield "hint", fault.hint
    if fault.trace is not None:
        yield "traceback", fault.trace


def _written(side: Side) -> str:
    """Both families as Python writes them, so that they can be pasted."""
    indices = sum(len(rows) + len(cols) for family in side for rows, cols in family)
    if indices > _MOST_INDICES:
        objects, features = side.gold.shape
        return f"too large to show: {objects} objects × {features} features"
    return f"candidate = {side.candidate!r}\ngold = {side.gold!r}"
