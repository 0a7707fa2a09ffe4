"""Verdicts: the possible answers to one cell, with their symbols, meanings and gravity."""

from enum import StrEnum
from typing import Self


class Verdict(StrEnum):
    """The answer to one cell.

    ``symbol`` stands for it in a matrix and ``meaning`` in a legend. A larger ``gravity`` is worse. A verdict that
    ``counts_against`` a measure fails a check.
    """

    symbol: str
    meaning: str
    gravity: int
    counts_against: bool

    def __new__(cls, word: str, symbol: str, gravity: int, counts_against: bool, meaning: str) -> Self:
        member = str.__new__(cls, word)
        member._value_ = word
        member.symbol, member.gravity, member.counts_against, member.meaning = symbol, gravity, counts_against, meaning
        return member

    PROVED = "proved", "∎", 0, False, "true for all sizes in every context, with a proof that can be re-checked"
    HOLDS = "holds", "✓", 1, False, "no counterexample among the cases tried"
    VIOLATED = "violated", "✗", 3, True, "a counterexample was found, with a certificate that can be re-checked"
    UNDEFINED = "undefined", "?", 2, False, "the measure is undefined on every case of the condition"
    ERROR = "error", "!", 4, True, "the measure raised an exception, or failed a check before any condition"
    FLAKY = "flaky", "~", 4, True, "the measure scored the same input differently"
    VACUOUS = "vacuous", "∅", 2, False, "no case could be tried, so nothing is known"
    TIMEOUT = "timeout", "…", 4, True, "the time ran out before a verdict"

    @property
    def satisfied(self) -> bool:
        """Whether the measure satisfies the condition, as far as is known."""
        return self in (Verdict.PROVED, Verdict.HOLDS)
