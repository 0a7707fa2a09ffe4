"""The engine: cases are drawn and listed, measures are held against them, verdicts come out as events."""
