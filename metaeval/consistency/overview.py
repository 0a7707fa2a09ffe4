"""A survey at a glance: its answers in rows, how far cases were listed, and every contradiction once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from metaeval.consistency.answer import Answer
from metaeval.consistency.answer_text import places, reach
from metaeval.consistency.graph import Listed
from metaeval.consistency.survey import Surveyed

#: What the columns of :func:`answer_rows` are.
ANSWERS = ("readings", "together", "objects", "cases", "sides")
#: What the columns of the numbers among them are.
NUMBERS = ("cases", "sides")
#: Where cases with so many objects were left out.
_NOT_ALL = "*"


def answer_rows(found: Iterable[Surveyed]) -> list[tuple[str, ...]]:
    """For each table what was found of all its conditions together, on how many cases and sides up to names."""
    return [(one.name, one.answer.answer, _span(one.answer), *_amounts(one.answer)) for one in found]


def _span(answer: Answer) -> str:
    least, most = reach(answer)
    return f"up to {least}" if least == most else f"up to {least}–{most}"


def _amounts(answer: Answer) -> tuple[str, str]:
    return f"{sum(one.cases for one in answer.listed):,}", f"{answer.sides:,}"


def remarks(found: Iterable[Surveyed]) -> list[tuple[str, str]]:
    """What else there is to say of tables: their readings where they have several, and what contradicts what."""
    said = [(one.name, ". ".join(_remarks(one))) for one in found]
    return [(name, words) for name, words in said if words]


def _remarks(one: Surveyed) -> Iterator[str]:
    if len({*one.answer.readings.values()}) > 1:
        yield places(one.answer.readings)
    if one.answer.impossible:
        alone, pairs = (_of(one.contradictions, count) for count in (1, 2))
        others = " of the others" if alone else ""
        smaller = f"alone: {alone or 'none'}; in pairs{others}: {pairs or 'none'}"
        yield f"Impossible together: {_minimal(one.answer)}; {smaller}"


def _of(answers: Iterable[Answer], count: int) -> str:
    """The contradictions of so many conditions."""
    return ", or ".join(_minimal(answer) for answer in answers if len(answer.minimal or ()) == count)


def _minimal(answer: Answer) -> str:
    return places(answer.readings, answer.minimal)


def verdict(found: Sequence[Surveyed]) -> str:
    """What comes out of it, in a sentence or two."""
    if any(one.answer.impossible for one in found):
        return (
            "There are contradictions, written out below: no measure whatever satisfies these conditions together."
        )
    return (
        "No contradiction was found: the conditions are consistent together, and so each alone and in pairs, as far as "
        "cases were listed."
    )


# --- cases


def case_table(found: Iterable[Surveyed]) -> list[tuple[str, ...]]:
    """Headers and rows: for each condition and reading the number of cases, and up to how many objects they go."""
    listed: dict[tuple[str, str], Listed] = {}
    for one in (one for table in found for one in table.answer.listed):
        place = one.condition, one.reading
        # A table that is impossible was listed only until that was seen.
        listed[place] = max(listed.get(place, one), one, key=lambda some: some.objects)
    readings = [*dict.fromkeys(reading for _, reading in listed)]
    conditions = dict.fromkeys(condition for condition, _ in listed)
    rows = [(id, *(_count(listed.get((id, reading))) for reading in readings)) for id in conditions]
    return [("condition", *readings), *rows]


def case_note(found: Iterable[Surveyed]) -> str:
    """What the table of cases shows."""
    some = any(not one.whole for table in found for one in table.answer.listed)
    note = "Cases looked at, of those that each reading lists, and in brackets up to how many objects"
    return f"{note}; {_NOT_ALL} some with so many objects are left out." if some else f"{note}."


def _count(one: Listed | None) -> str:
    return "–" if one is None else f"{one.cases:,}{'' if one.whole else _NOT_ALL} ({one.objects})"


# --- contradictions


def contradictions(found: Iterable[Surveyed]) -> list[Answer]:
    """The answers that are impossible, each set of conditions and readings once."""
    answers = (answer for one in found for answer in (one.answer, *one.contradictions) if answer.impossible)
    return [*{_contradicting(answer): answer for answer in answers}.values()]


def _contradicting(answer: Answer) -> frozenset[tuple[str, str]]:
    return frozenset((id, answer.readings[id]) for id in answer.minimal or ())


def impossible_with(found: Iterable[Surveyed]) -> dict[tuple[str, str], str]:
    """For each condition and reading that no measure can satisfy together with others: which ones, in words.

    Where it is impossible by itself, the words are empty.
    """
    others: dict[tuple[str, str], list[str]] = {}
    for answer in contradictions(found):
        minimal = answer.minimal or ()
        for id in minimal:
            rest = places(answer.readings, [other for other in minimal if other != id])
            others.setdefault((id, answer.readings[id]), []).append(rest)
    return {place: "" if "" in words else "; or with ".join(words) for place, words in others.items()}
