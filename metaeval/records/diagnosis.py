"""Faults as evidence: what a measure's author needs to know, read, written and put into words in one way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from metaeval.core.case import Side
from metaeval.files.fields import mapping, optional_lines, optional_text, refuse_unknown, text
from metaeval.records.certificate import side_from_json, side_to_json

_KEYS = ("kind", "input", "where", "code", "hint", "trace")


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


@dataclass(frozen=True)
class Diagnosis:
    """The smallest input known on which a measure misbehaves, the line of its code, and what to do."""

    kind: str
    hint: str
    side: Side | None = None
    where: str | None = None
    code: str | None = None
    #: Python's traceback, where code of metaeval's failed.
    trace: str | None = None
