"""The questions that the table answers, in order. Each is a module with a ``NAME``, a docstring for the page and
``rows(quick)``."""

import background
import before
import check
import chunks
import definition
import growth
import labels
import matrix
import packages
import sizes

QUESTIONS = (definition, packages, labels, chunks, growth, sizes, background, check, matrix, before)
