"""The questions that the table answers, in its order; each is a module with a ``NAME``, a docstring for the page and
``rows(quick)``."""

import check
import definition
import growth
import matrix
import packages
import sizes

QUESTIONS = (definition, packages, growth, sizes, check, matrix)
