"""The equations of all measures: they are total, and in print letters stand for their text and LaTeX is balanced."""

import json
import re

import pytest

import metaeval
from metaeval.equations import Equation, best, c, cells, classes, clusters, g, mates, n, over, pairs
from metaeval.equations.equation_text import formula_text, latex_text, unicode_text
from metaeval.proofs.totality import check_total

EQUATIONS = {id: one.equation for id, one in metaeval.measures().items() if one.equation is not None}


def with_texts_put_in(lines: list[str]) -> str:
    """The first line with the text of each letter in its place, in brackets."""
    whole, *rest = lines
    texts = dict(line.split(" = ") for line in rest)
    for _ in texts:  # the text of a letter may have letters, but not its own
        whole = re.sub(r"\b[P-Z]\b", lambda letter: f"({texts[letter[0]]})", whole)
    return whole


def bare(text: str) -> str:
    return re.sub(r"[() ]", "", text)


@pytest.mark.parametrize("id", EQUATIONS)
def test_letters_stand_for_their_text(id: str) -> None:
    lines = str(EQUATIONS[id]).splitlines()
    assert max(map(len, lines)) <= 80
    assert bare(with_texts_put_in(lines)) == bare(unicode_text(EQUATIONS[id].expression))
    letters = [line[0] for line in lines[1:]]
    assert letters == sorted(set(letters), key=letters.index)
    met = re.findall(r"\b[P-Z]\b", " ".join([lines[0], *(line.partition(" = ")[2] for line in lines[1:])]))
    assert list(dict.fromkeys(met)) == letters


@pytest.mark.parametrize("id", EQUATIONS)
def test_an_equation_has_a_value_everywhere_and_survives_json(id: str) -> None:
    """Commands do not check metaeval's own when they make them, for that takes seconds."""
    check_total(EQUATIONS[id])
    assert Equation.from_json(json.loads(json.dumps(EQUATIONS[id].to_json()))) == EQUATIONS[id]


@pytest.mark.parametrize("id", EQUATIONS)
def test_latex_is_balanced(id: str) -> None:
    text = EQUATIONS[id].latex()
    assert text.count("{") == text.count("}")
    assert text.count(r"\left") == text.count(r"\right")


@pytest.mark.parametrize(("e", "text", "latex"), [
    ((n + 1) ** 2 / (g * c), "(n + 1)²/(g·c)", r"\frac{{\left(n + 1\right)}^{2}}{g\, c}"),
    (n - (g - c), "n − (g − c)", r"n - \left(g - c\right)"),
    (2 * -n, "2·(−n)", r"2\, \left(-n\right)"),
    (clusters(g) * cells(1), "clusters(g)·cells(1)", r"\left(\sum_{G \in \mathcal{G}} g\right)\, |U|"),
    (classes(best(n)), "classes(best(n))", r"\sum_{C \in \mathcal{C}} \max_{G \in \mathcal{G}} n"),
    (cells(clusters(1)) + pairs(1), "cells(clusters(1)) + pairs(1)",
     r"\sum_{x \in U} |\mathcal{G}_{x}| + \tbinom{|U|}{2}"),
])  # fmt: skip
def test_brackets_and_views(e, text: str, latex: str) -> None:
    assert (unicode_text(e), latex_text(e)) == (text, latex)


def test_a_part_that_stands_in_two_views_has_no_letter() -> None:
    """Its text is the same, its value is not."""
    mean = over(clusters(best(n / (g + c - n)) + best(n / (2 * g + c - n))), clusters(1), 0)
    text = formula_text(mean + cells(over(mates(mean), mates(1), 0)))
    assert unicode_text(mean) not in re.findall(r" = (.*)", text)
    assert "\n" not in str(Equation(cells(1) / cells(1), empty=1))
