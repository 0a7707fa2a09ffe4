"""The atlas that comes with the package: the verdicts of metaeval's measures, without the evidence.

``atlas.json`` beside this file has a line per measure, with one symbol per place. A place is "A.1/literal", or
"A.5-clusterings/literal" where measures of clusterings meet another form of the condition: equal places ask the same.
``python -m metaeval.records.atlas docs/atlas.json`` writes the file from results; ``make atlas`` does so.
"""

import json
import sys
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from metaeval.catalogue.condition import every_form, find_condition
from metaeval.catalogue.measure import Measure, find_measure, is_own
from metaeval.core.grouping import grouped
from metaeval.core.verdict import Verdict
from metaeval.files.codec import Record
from metaeval.files.json_file import write_atomically
from metaeval.records.cell import Cell
from metaeval.records.results import Results

SHIPPED = Path(__file__).with_name("atlas.json")
_NO_CELL = "·"
_KEPT = {verdict for verdict in Verdict if verdict.satisfied}
_DECIDED = {*_KEPT, Verdict.VIOLATED}
#: With fewer cells in common, nothing is said of two measures.
LEAST_SHARED = 5


@cache
def atlas() -> Mapping[str, Mapping[str, Verdict]]:
    """The verdicts of every measure, by id and place; places that a measure was not asked are left out."""
    data = json.loads(SHIPPED.read_text(encoding="utf-8"))
    known = {verdict.symbol: verdict for verdict in Verdict}
    rows = {id: zip(data["places"], symbols, strict=True) for id, symbols in data["measures"].items()}
    return {id: {place: known[one] for place, one in row if one != _NO_CELL} for id, row in rows.items()}


def compact(results: Results) -> dict[str, Any]:
    """The verdicts of results as the data of ``atlas.json``; all measures must be registered."""
    rows = {id: _by_place(find_measure(id), results) for id in results.measures}
    every = (f"{one.key}/{name}" for one in every_form() for name in one.readings)
    places = [place for place in every if any(place in row for row in rows.values())]
    signs = {id: [row[at].verdict.symbol if at in row else _NO_CELL for at in places] for id, row in rows.items()}
    return {"schema": "metaeval.atlas/1", "places": places, "measures": {id: "".join(one) for id, one in signs.items()}}


def _by_place(measure: Measure, cells: Iterable[Cell]) -> dict[str, Cell]:
    own = (cell for cell in cells if cell.measure == measure.id)
    return {f"{find_condition(one.condition).form(measure.domain, one.reading).key}/{one.reading}": one for one in own}


class Standing(Record, frozen=True):
    """A measure beside the others of the atlas, by its satisfied and violated ``cells`` that are in the atlas too.

    No measure keeps any of ``unkept``. ``kept`` says of the other violated cells, reading by reading, who keeps all:
    "proved", or "holds" where a cell has no proof. The three ``closest`` agree in the most cells; of each it says the
    verdicts where they do not agree, None where it was not asked.
    """

    cells: int
    unkept: tuple[str, ...]
    kept: Mapping[str, Mapping[str, Verdict]]
    closest: Mapping[str, Mapping[str, Verdict | None]]


def standing(measure: Measure, cells: Iterable[Cell]) -> Standing | None:
    """How a measure with these cells stands beside the other measures of the atlas; None if they share too few."""
    others = {id: row for id, row in atlas().items() if id != measure.id or not is_own(measure)}
    own = {place: cell for place, cell in _by_place(measure, cells).items() if cell.verdict in _DECIDED}
    names = {at: "/".join(one.key[1:]) for at, one in own.items() if any(at in row for row in others.values())}
    satisfied = {name: own[place].verdict.satisfied for place, name in names.items()}
    rows = {id: {name: row.get(place) for place, name in names.items()} for id, row in others.items()}

    def apart(id: str) -> dict[str, Verdict | None]:
        return {cell: one for cell, one in rows[id].items() if one not in _DECIDED or one.satisfied != satisfied[cell]}

    def keepers(cells: Collection[str]) -> dict[str, Verdict]:
        by = {id: {rows[id][cell] for cell in cells} for id in ranked}
        return {id: Verdict.HOLDS if Verdict.HOLDS in one else Verdict.PROVED for id, one in by.items() if one <= _KEPT}

    ranked = dict(sorted(((id, apart(id)) for id in rows), key=lambda one: len(one[1])))
    closest = [id for id in ranked if len(names) - [*ranked[id].values()].count(None) >= LEAST_SHARED][:3]
    violated = [cell for cell in satisfied if not satisfied[cell]]
    unkept = tuple(cell for cell in violated if not keepers([cell]))
    rest = grouped((cell for cell in violated if cell not in unkept), lambda cell: cell.partition("/")[2])
    kept = {" ".join(some): keepers(some) for some in rest}
    return Standing(len(names), unkept, kept, {id: ranked[id] for id in closest}) if closest else None


if __name__ == "__main__":
    write_atomically(SHIPPED, json.dumps(compact(Results.load(sys.argv[1])), indent=1, ensure_ascii=False) + "\n")
