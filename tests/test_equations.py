"""The equation language: what it refuses, what it prints and writes, and that it scores what its definition says."""

import builtins
import json
import math
import pickle
import re
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from slow_equations import Trees, random_pairs, slow_score
from strategies import SHARE

import metaeval
from metaeval import Biclustering, InputError, equations
from metaeval.equations import tree as limits
from metaeval.equations.equation import unchecked
from metaeval.equations.tree import number
from metaeval.proofs.totality import check_total

from metaeval.equations import (  # isort: skip
    Equation, Expression, arccos, best, c, cells, classes, classmates, clusters, exp, f1, g, in_class, in_cluster,
    largest, least, log, matching, mates, matrix, meetings, n, over, pairs, share, sqrt, swapped,
)  # fmt: skip

MEASURES = {id: one.equation for id, one in metaeval.measures().items() if one.equation is not None}
U, DEPTH, CLASS_DEPTH = cells(1), clusters(1), classes(1)
ROOT = sqrt(pairs(in_cluster))
FOUND, MISSED = pairs(in_cluster * (1 - in_class)), pairs((1 - in_cluster) * in_class)


def made(e: Any, **header: Any) -> Equation:
    return Equation(e, **{"empty": 1, "one_empty": 0, **header})


# --- what is refused, and with which sentence ----------------------------------------------------------

#: Parts that do not fit, made where they are written, and part of the sentence.
NO_EXPRESSION: list[tuple[Callable[[], Any], str]] = [
    (lambda: n + 0.5, "write Fraction(1, 10) for 0.1"),
    (lambda: n * True, "True is no part of an equation"),
    (lambda: "n" + n, "'n' is no part of an equation"),
    (lambda: clusters(None), "None is no part of an equation"),
    (lambda: n**0, "expected a whole number from 1 to 12"),
    (lambda: n**True, "expected a whole number from 1 to 12"),
    (lambda: n ** Fraction(1, 2), "expected a whole number from 1 to 12"),
    (lambda: n if n else g, "an expression is neither true nor false"),
    (lambda: n and g, "an expression is neither true nor false"),
    (lambda: least(n), "least takes two or more arguments, not 1"),
    (lambda: (n + g).rows, "only n, g and c have rows and cols"),
    (lambda: matrix.cols, "matrix has no cols"),
    (lambda: number(10**limits.MOST_DIGITS), "at most 40 digits"),
    (lambda: number(Fraction(1, 10**limits.MOST_DIGITS)), "at most 40 digits"),
]
#: Expressions whose operators stand in the wrong place.
MISPLACED: list[tuple[Any, str]] = [
    (n, "n has no value at the top"),
    (clusters(n), "n has no value in clusters(…)"),
    (clusters(c.rows), "c.rows has no value in clusters(…)"),
    (cells(g), "g has no value in cells(…)"),
    (cells(mates(g)), "g has no value in mates(…)"),
    (best(n), "best(…) stands inside clusters(…) or classes(…) only"),
    (meetings(best(n)), "best(…) stands inside clusters(…) or classes(…) only"),
    (in_cluster, "in_cluster stands inside cells(…)"),
    (clusters(in_class), "in_class stands inside cells(…)"),
    (mates(1), "mates(…) stands inside cells(…) only"),
    (pairs(classmates(1)), "classmates(…) stands inside cells(…) only"),
    (cells(mates(mates(1))), "mates(…) stands inside cells(…) only"),
    (cells(cells(1)), "cells(…) does not stand inside cells(…)"),
    (pairs(meetings(n)), "meetings(…) does not stand inside pairs(…)"),
    (cells(clusters(classes(c))), "classes(…) does not stand inside clusters(…) in cells(…)"),
    (clusters(best(clusters(g))), "clusters(…) does not stand inside best(…)"),
    (matching(n / sqrt(g * c)), "matching(…) needs rational weights"),
    (matching(n * log(g + 1)), "matching(…) needs rational weights"),
    (((U**12) ** 12) ** 2, "exponents inside each other"),
    (Expression("^", U, U), "an exponent is a whole number from 1 to 12"),
    (Expression("number", value=0.5), "0.5 is no number of an equation"),  # type: ignore[arg-type]
    (Expression("/", U), "/ with 1 arguments is no part of an equation"),
    (Expression("median", U), "median with 1 arguments is no part of an equation"),
]
#: Expressions that have no value somewhere, with one_empty=0.
NOT_TOTAL: list[tuple[Any, str]] = [
    (U / cells(in_cluster * in_class), "the divisor cells(in_cluster·in_class) may be 0; write over(a, b, v)"),
    (U / pairs(1), "the divisor pairs(1) may be 0"),
    (1 / (U - 1), "the divisor cells(1) − 1 may be 0"),
    (1 / (matrix - U), "the divisor matrix − cells(1) may be 0"),
    (1 / meetings(n), "the divisor meetings(n) may be 0"),
    (1 / matching(n), "the divisor matching(n) may be 0"),
    (1 / clusters(best(n)), "the divisor clusters(best(n)) may be 0"),
    (1 / clusters(g - 1), "the divisor clusters(g − 1) may be 0"),
    (clusters(best(1 / n)), "the divisor n may be 0 where a cluster and a class share no cell"),
    (meetings(1 / (g - n)), "the divisor g − n may be 0"),
    (meetings(1 / n.cols - 1 / (n.rows - 1)), "the divisor n.rows − 1 may be 0"),
    (cells(1 / DEPTH), "the divisor clusters(1) may be 0 where no cluster is in view"),
    (cells(1 / mates(1)), "the divisor mates(1) may be 0 where no cluster is in view"),
    (cells(over(classmates(1 / DEPTH), 1, 0)), "the divisor clusters(1) may be 0 where no cluster is in view"),
    (pairs(1 / (DEPTH + CLASS_DEPTH)), "may be 0 where nothing is in view"),
    (over(U, pairs(in_cluster), 0), "the divisor may be 0 where the dividend is not"),
    (over(FOUND, MISSED, 0), "the divisor may be 0 where the dividend is not"),
    (over(1, cells(in_cluster * in_class), 1), "the divisor may be 0 where the dividend is not"),
    (meetings(over(n, g - n, 1)), "the divisor may be 0 where the dividend is not"),
    (clusters(best(over(g, n, 0))), "the divisor may be 0 where the dividend is not"),
    (over(DEPTH, DEPTH - CLASS_DEPTH, 0), "the divisor may be 0 where the dividend is not"),
    # One root of two may be 0 where the other is not.
    (over(ROOT + swapped(ROOT), largest(ROOT * swapped(ROOT), -1), 0), "may be 0 where the dividend is not"),
    (log(pairs(1)), "log(pairs(1)) has no value if its argument may be 0"),
    (meetings(log(g - n)), "log(g − n) has no value if its argument may be 0"),
    (clusters(best(log(n))), "log(n) has no value if its argument may be 0 where a cluster and a class share no cell"),
    (sqrt(DEPTH - CLASS_DEPTH), "has no value if its argument may be negative"),
    (meetings(sqrt(n - g)), "sqrt(n − g) has no value if its argument may be negative"),
    (sqrt(cells(DEPTH - CLASS_DEPTH)), "has no value if its argument may be negative"),
    (exp(pairs(in_cluster) - U), "if its argument may be positive"),
    (sqrt(log(U) - 1), "has no value if its argument may be negative"),
]
#: Expressions that have a value where neither side is empty, but not where one is.
NEEDS_TWO_SIDES = [
    (U / DEPTH, "may be 0 where the candidate is empty; give one_empty=…, or write over(a, b, v)"),
    (U / cells(in_class), "may be 0 where the gold is empty; give one_empty=…, or write over(a, b, v)"),
    (over(U, cells(in_class), 1), "such as where the gold is empty"),
    (log(CLASS_DEPTH), "where the gold is empty"),
]


def assert_sentence(make: Callable[[], Any], part: str) -> None:
    with pytest.raises(InputError) as error:
        make()
    sentence = str(error.value)
    assert part in sentence
    assert "\n" not in sentence
    assert len(sentence) < 400


@pytest.mark.parametrize(("make", "part"), NO_EXPRESSION)
def test_what_is_no_expression_costs_a_sentence_where_it_is_written(make: Callable[[], Any], part: str):
    assert_sentence(make, part)


@pytest.mark.parametrize(("e", "part"), MISPLACED + NOT_TOTAL)
def test_an_equation_that_has_no_meaning_or_no_value_costs_a_sentence_when_it_is_made(e: Expression, part: str):
    assert_sentence(lambda: made(e), part)


@pytest.mark.parametrize(("e", "part"), NEEDS_TWO_SIDES)
def test_without_one_empty_an_empty_side_must_have_a_value(e: Expression, part: str):
    assert made(e).one_empty == 0
    assert made(e, one_empty=None, domain="partitions").one_empty is None
    assert_sentence(lambda: made(e, one_empty=None), part)


@pytest.mark.parametrize(("header", "part"), [
    ({"empty": None}, "empty is None"), ({"empty": 0.5}, "empty is 0.5"),
    ({"one_empty": True}, "one_empty is True"),
    ({"best": "1"}, "best is '1'"), ({"low": float("inf")}, "low is inf"), ({"unit": "rows"}, "unit is 'rows'"),
    ({"domain": "graphs"}, "domain is 'graphs'"), ({"smaller_is_better": 1}, "smaller_is_better is 1"),
    ({"best": 10**41}, "at most 40 digits"),
])  # fmt: skip
def test_a_convention_that_is_no_convention_costs_a_sentence(header: dict[str, Any], part: str):
    assert_sentence(lambda: made(U / U, **header), part)


def test_the_limits_are_those_of_one_table():
    e: Any = U
    while e.depth < limits.MOST_DEPTH:
        e = e + 1
    assert made(e).expression.depth == limits.MOST_DEPTH
    assert_sentence(lambda: sqrt(e), f"at most {limits.MOST_DEPTH} levels deep")
    wide = Expression("+", *[U] * ((limits.MOST_NODES - 1) // 2))
    assert_sentence(lambda: wide + U + U, f"at most {limits.MOST_NODES} nodes")
    assert_sentence(lambda: U ** (limits.MOST_EXPONENT + 1), f"from 1 to {limits.MOST_EXPONENT}")
    many = Expression("+", U, *(meetings(n**a * g**b) for a in range(1, 8) for b in range(1, 8)))
    assert_sentence(lambda: made(1 / many), "too long to show that it has a value everywhere")


def test_equations_that_nearly_fail_are_accepted():
    """What is refused above is refused for what it says, not for its shape."""
    for e in (
        U / (matrix - U + 1), meetings(1 / n), clusters(best(n / (g + c - n))),
        over(FOUND, FOUND + MISSED, 0), over(pairs(1), pairs(1), 0), log(U),
        meetings(log(g * c / n**2)), sqrt(meetings(g - n)), cells(over(in_cluster, DEPTH, 0)), pairs(in_cluster) / U,
        over(matching(n), cells(in_cluster * in_class), 1), over(clusters(best(n)), meetings(n), 0),
        cells(over(mates(least(DEPTH, CLASS_DEPTH) / DEPTH), mates(1), 0)),
    ):  # fmt: skip
        assert made(e).expression == e


@pytest.mark.parametrize("id", MEASURES)
def test_registered_equations_are_total(id: str):
    """They are made without this check, which would cost every command a second or two."""
    check_total(MEASURES[id])


# --- equations as values -------------------------------------------------------------------------------
def test_equations_and_expressions_do_not_change():
    equation = made(SHARE_OF_CELLS)
    for one, name in ((equation, "expression"), (equation, "empty"), (U, "op"), (U, "args"), (number(2), "value")):
        with pytest.raises(AttributeError, match="does not change"):
            setattr(one, name, None)
        with pytest.raises(AttributeError, match="does not change"):
            delattr(one, name)
    with pytest.raises(TypeError):
        U.args[0] = U  # type: ignore[index]
    assert not hasattr(equation, "__dict__")
    for kind in (Equation, Expression):
        with pytest.raises(TypeError, match="no subclasses"):
            type("Own", (kind,), {})


SHARE_OF_CELLS = cells(in_cluster * in_class) / U


def test_equality_is_that_of_tree_and_conventions():
    same, other = made(SHARE_OF_CELLS), made(swapped(SHARE_OF_CELLS))
    assert same == made(cells(in_cluster * in_class) / cells(1))
    assert hash(same) == hash(made(SHARE_OF_CELLS))
    assert same != other  # equal values, another tree
    assert n + g != g + n
    headers = {"empty": 0, "one_empty": None, "unit": "objects", "domain": "partitions", "best": 2, "low": 0}
    different = [made(SHARE_OF_CELLS, **{key: value}) for key, value in {**headers, "smaller_is_better": True}.items()]
    assert len({same, other, *different}) == 2 + len(different)
    assert number(Fraction(4, 2)) == number(2)
    assert swapped(swapped(MEASURES["mocice"].expression)) == MEASURES["mocice"].expression


def test_equations_are_pickled():
    one, other = Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 1, 1])
    for equation in MEASURES.values():
        again = pickle.loads(pickle.dumps(equation))
        assert again == equation
        assert again(one, other) == equation(one, other)


# --- files ---------------------------------------------------------------------------------------------
def drawn(count: int, seed: object = "drawn") -> list[Equation]:
    trees = Trees(seed)
    return [trees.equation() for _ in range(count)]


def test_what_is_written_is_read_and_nothing_is_executed(monkeypatch: pytest.MonkeyPatch):
    for equation in [*MEASURES.values(), *drawn(int(200 * SHARE))]:
        text = json.dumps(equation.to_json())
        with monkeypatch.context() as patch:
            for name in ("eval", "exec", "compile"):
                patch.setattr(builtins, name, None)
            read = Equation.from_json(json.loads(text))
        assert read == equation


#: A change of a good file, and part of the sentence that it costs.
CHANGES: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda data: [], "this is no equation"),
    (lambda data: {**data, "schema": "metaeval.equation/2"}, "this is no equation"),
    (lambda data: {**data, "code": "1"}, "'code' is missing or unknown"),
    (lambda data: {key: data[key] for key in data if key != "low"}, "'low' is missing or unknown"),
    (lambda data: {**data, "empty": 1}, 'expected a text like "1"'),
    (lambda data: {**data, "empty": "1e9"}, "is no number of an equation"),
    (lambda data: {**data, "empty": "9" * 100}, "is no number of an equation"),
    (lambda data: {**data, "unit": ["cells"]}, "unit is ['cells']"),
    (lambda data: {**data, "expression": 0.5}, "is no part of an equation"),
    (lambda data: {**data, "expression": True}, "is no part of an equation"),
    (lambda data: {**data, "expression": None}, "is no part of an equation"),
    (lambda data: {**data, "expression": {"op": "n"}}, "is no part of an equation"),
    (lambda data: {**data, "expression": []}, "is no part of an equation"),
    (lambda data: {**data, "expression": ["__import__", "os"]}, "is no part of an equation"),
    (lambda data: {**data, "expression": "__import__('os')"}, "is no number of an equation"),
    (lambda data: {**data, "expression": "1/0"}, "is no number of an equation"),
    (lambda data: {**data, "expression": ["number", 1]}, "is no part of an equation"),
    (lambda data: {**data, "expression": ["cells"]}, "cells has 0 arguments; expected 1"),
    (lambda data: {**data, "expression": ["+", ["cells", 1]]}, "+ has 1 arguments; expected two or more"),
    (lambda data: {**data, "expression": ["^", ["cells", 1], 99]}, "from 1 to 12"),
    (lambda data: {**data, "expression": ["^", ["cells", 1], ["cells", 1]]}, "from 1 to 12"),
    (lambda data: {**data, "expression": ["/", 1, ["pairs", 1]]}, "may be 0"),
    (lambda data: {**data, "expression": "n"}, "n has no value at the top"),
    (lambda data: {**data, "expression": 10**40}, "at most 40 digits"),
    (lambda data: {**data, "expression": ["+", *[["cells", 1]] * 2_000]}, "at most 4000 nodes"),
    (lambda data: {**data, "expression": nested(1_000)}, "at most 60 levels deep"),
]  # fmt: skip


def nested(depth: int) -> Any:
    data: Any = ["cells", 1]
    for _ in range(depth):
        data = ["sqrt", data]
    return data


@pytest.mark.parametrize(("change", "part"), CHANGES)
def test_a_file_that_is_no_equation_costs_a_sentence(change: Callable[[dict[str, Any]], Any], part: str):
    assert_sentence(lambda: Equation.from_json(change(made(SHARE_OF_CELLS).to_json())), part)


# --- print ---------------------------------------------------------------------------------------------
_LANGUAGE = {name: getattr(equations, name) for name in equations.__all__}


def parsed(text: str) -> Expression:
    """An expression from its print, letters included: read as Python with the names of the language."""
    first, *lines = text.split("\n")
    names = dict(_LANGUAGE) | {"number": number}
    parts = dict(line.split(" = ") for line in lines)
    while parts:  # a letter may stand for a part with letters of its own
        ready = {x: y for x, y in parts.items() if not re.search(rf"\b[{''.join(parts)}]\b", y)}
        names |= {x: _parsed(y, names) for x, y in ready.items()}
        parts = {x: y for x, y in parts.items() if x not in ready}
    return _parsed(first, names)


def _parsed(text: str, names: dict[str, Any]) -> Expression:
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda found: f"**int('{_lowered(found[0])}')", text)
    text = re.sub(r"(?<![\w'])\d+(?!')", lambda found: f"number({found[0]})", text)
    found: Expression = eval(text.replace("−", "-").replace("·", "*"), {"__builtins__": {"int": int}}, names)
    return found


def _lowered(text: str) -> str:
    return text.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))


def test_the_print_of_an_equation_says_its_tree():
    """Read back as Python it has the same values: a/b·c is (a·c)/b there, another tree."""
    random = Random("print")
    for equation in [*MEASURES.values(), *drawn(int(200 * SHARE), "print")]:
        pairs = [two for two in random_pairs(random, equation.domain, 12) if all(two)]
        for text in (str(equation), str(equation.expression)):
            with unchecked():
                again = made(parsed(text), unit=equation.unit, domain=equation.domain)
            assert all(same(slow_score(again, *two), slow_score(equation, *two)) for two in pairs), text


def test_latex_is_balanced_and_tells_equations_apart():
    texts = {id: equation.latex() for id, equation in MEASURES.items()}
    for text in [*texts.values(), *(equation.latex() for equation in drawn(int(100 * SHARE), "latex"))]:
        assert text.count("{") == text.count("}")
        assert text.count(r"\left") == text.count(r"\right")
        assert not re.search(r"in_c|\.rows|\.cols|·|−", text)
    same = [[id for id in MEASURES if MEASURES[id].expression == one.expression] for one in MEASURES.values()]
    assert len(set(texts.values())) == len({tuple(ids) for ids in same})


@pytest.mark.parametrize(("e", "text", "latex"), [
    (SHARE_OF_CELLS, "cells(in_cluster·in_class)/cells(1)", r"\frac"),
    (f1(SHARE_OF_CELLS, U / U), "f1(cells(in_cluster·in_class)/cells(1), cells(1)/cells(1))", r"F_1"),
    (share(FOUND, FOUND), "share(pairs(in_cluster·(1 − in_class)), pairs(in_cluster·(1 − in_class)))", "0/0 = 1"),
    (1 - (U - 2) ** 2 / (2 * U), "1 − (cells(1) − 2)²/(2·cells(1))", "^{2}"),
    (arccos(exp(-U)), "arccos(exp(−cells(1)))", r"\arccos"),
    (largest(U, 3) * Fraction(-1, 2), "largest(cells(1), 3)·(−1/2)", r"\max"),
])  # fmt: skip
def test_the_print_of_a_few_equations(e: Expression, text: str, latex: str):
    assert str(e) == text
    assert latex in made(e).latex()


# --- scores --------------------------------------------------------------------------------------------
def same(one: Any, other: Any) -> bool:
    """Exactly where both are rational, else up to rounding."""
    if isinstance(one, Fraction) and isinstance(other, (int, Fraction)):
        return one == other
    x, y = float(one), float(other)
    return x == y or math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-9) or (math.isnan(x) and math.isnan(y))


def test_the_compiled_score_is_that_of_the_definition():
    """Random trees on random pairs: views, strangers, mates, overlap, repeats, empty sides, several features.

    No accepted tree raises: the check of totality lets nothing through that has no value, and no ``over(a, b, v)`` with
    b = 0 and another a.
    """
    trees, random, exact = Trees("scores"), Random("pairs"), 0
    for _ in range(int(600 * SHARE)):
        equation = trees.equation()
        for candidate, gold in random_pairs(random, equation.domain, 12):
            found, wanted = equation(candidate, gold), slow_score(equation, candidate, gold)
            assert same(found, wanted), (equation, equation.domain, equation.unit, candidate, gold)
            exact += isinstance(found, Fraction)
    assert exact > 12 * 300 * SHARE
    assert trees.refused > 100 * SHARE  # the trees are near the border of what has a value


@pytest.mark.parametrize("id", MEASURES)
def test_registered_equations_score_by_definition(id: str):
    equation = MEASURES[id]
    for candidate, gold in random_pairs(Random(id), equation.domain, 20):
        assert same(equation(candidate, gold), slow_score(equation, candidate, gold)), (candidate, gold)


def test_a_negative_constant_counts_for_pairs_that_share_no_class():
    """Three of four cells are in clusters: least(-1, …) is -1 for all their mates, of whatever class."""
    scored = Equation(cells(over(mates(least(-1, classes(1))), mates(1), 0)) / cells(1), empty=0, best=None)
    sides = (Biclustering.from_labels(labels) for labels in ([0, 0, 1, -1], [0, -1, -1, 1]))
    assert scored(*sides) == Fraction(-3, 4)


def test_the_domain_is_checked_before_anything_is_scored():
    apart = Biclustering([({0}, {0}), ({1}, {1})], shape=(2, 2))
    twice = Biclustering([({0, 1}, {0}), ({0}, {0})], shape=(2, 2))
    part = Biclustering([({0}, {0})], shape=(2, 2))
    for domain, wrong in (("disjoint", twice), ("clusterings", apart), ("partitions", part)):
        equation = made(SHARE_OF_CELLS, domain=domain)
        with pytest.raises(metaeval.Undefined):
            equation(wrong, Biclustering([({0, 1}, {0})], shape=(2, 2)))
        assert made(SHARE_OF_CELLS)(wrong, wrong) == 1


def test_in_objects_columns_are_not_seen():
    one = Biclustering([({0, 1}, {0, 1}), ({2}, {2})], shape=(3, 3))
    narrow = Biclustering([({0, 1}, {0}), ({2}, {0})], shape=(3, 1))
    for e in (U / matrix, meetings(n) / DEPTH, clusters(best(n * g.cols)), cells(over(mates(1), DEPTH, 0))):
        assert made(e, unit="objects")(one, one) == made(e)(narrow, narrow) != made(e)(one, one)
