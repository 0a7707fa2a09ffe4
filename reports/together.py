"""What a survey says of the conditions together, as the renderers show it, and which readings it marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from metaeval.consistency import answer_text as overview
from metaeval.consistency.answer_text import circle_told, listed, places
from metaeval.consistency.survey import Surveyed, unsatisfied
from metaeval.records.results import Results

#: The width of a circle written out, which a text report indents.
_WIDTH = 96


@dataclass(frozen=True)
class Together:
    """A survey in words and rows, headers first; ``circles`` are titled, and ``problems`` named by their table.

    ``impossible`` says of a condition's id and a reading with what no measure can satisfy them; nothing, where it is
    impossible by itself.
    """

    verdict: str
    answers: tuple[tuple[str, ...], ...]
    remarks: tuple[tuple[str, str], ...]
    cases_note: str
    cases: tuple[tuple[str, ...], ...]
    circles: tuple[tuple[str, str], ...]
    problems: tuple[tuple[str, str], ...]
    impossible: Mapping[tuple[str, str], str]
    numbers: tuple[str, ...] = overview.NUMBERS

    def remark(self, condition: str, reading: str) -> str:
        """What is to be said of a condition under a reading that no measure can satisfy; else nothing."""
        others = self.impossible.get((condition, reading))
        if others is None:
            return ""
        return f"no measure can satisfy this {f'together with {others}' if others else 'at all'}: see the circle"


def together(survey: Sequence[Surveyed], results: Results) -> Together:
    """What is shown of a survey beside results."""
    headers, *rows = overview.case_table(survey)
    return Together(
        verdict=overview.verdict(survey),
        answers=(overview.ANSWERS, *overview.answer_rows(survey)),
        remarks=tuple(overview.remarks(survey)),
        cases_note=overview.case_note(survey),
        cases=(headers, *rows),
        circles=tuple(
            (places(answer.readings, answer.minimal), circle_told(answer, _WIDTH))
            for answer in overview.contradictions(survey)
        ),
        problems=tuple((one.name, _problems(one, results)) for one in survey if not one.answer.impossible),
        impossible=overview.impossible_with(survey),
    )


def _problems(one: Surveyed, results: Results) -> str:
    return "; ".join(listed(some) for some in unsatisfied(results, one.answer.readings)) or "none"
