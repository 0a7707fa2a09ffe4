"""What a cell says of itself: read by people, pasted into Python, run as a command."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction

import pytest

import metaeval
from metaeval import Biclustering, Case, Side, exact
from metaeval.catalogue.condition import conditions, find_condition
from metaeval.catalogue.measure import make_measure
from metaeval.core.renaming import form
from metaeval.core.verdict import Verdict
from metaeval.display.cell_text import describe
from metaeval.records.cell import Cell, Exhaustive
from metaeval.records.certificate import Certificate
from metaeval.search.search import search
from metaeval.workers.call import evaluate


def violated(measure, condition_id, case, reading="canonical", certified=True, **more):
    """The cell of a violation, as a run would make it."""
    subject = metaeval.measures()[measure] if isinstance(measure, str) else measure
    scores = tuple(evaluate(subject, side) for side in case)
    witness = Certificate.of(subject, find_condition(condition_id), reading, case, scores, certified)
    told = {"cases": 24, "violations": 11, "exhaustive": Exhaustive(4, 24), **more}
    return Cell(subject.id, condition_id, reading, Verdict.VIOLATED, certificate=witness, **told)


def on_labels(gold, left, right):
    gold, left, right = map(Biclustering.from_labels, (gold, left, right))
    return Case(Side(left, gold), Side(right, gold))


SPLIT = on_labels([0, 1, 1], [0, 0, 1], [0, 2, 1])


def test_a_violation_from_its_headline_to_the_command():
    assert describe(violated("ce", "A.1", SPLIT, claim="violates")).splitlines() == [
        "ce violates A.1 Homogeneity (canonical)",
        "",
        "If a cluster that mixes objects of two classes is replaced by two clusters, each",
        "with objects of one of these classes only, the score must rise.",
        "Reading canonical: Gold and candidates are partitions of the same objects.",
        "",
        "    object  0 1 2",
        "    gold    A B B",
        "    left    a a b",
        "    right   a c b",
        "              !",
        "    changed: object 1",
        "    A, B, …: classes; a, b, …: clusters; ·: covered by none; !: changed",
        "",
        "left      2/3 ≈ 0.666667",
        "right     2/3 ≈ 0.666667",
        "demanded  the left must score strictly lower than the right, that is 2/3 < 2/3",
        "found     the left scores as high as the right",
        "margin    right − left = 0",
        "size      3 objects; enumeration found none smaller (one feature, up to",
        "          renaming)",
        "evidence  11 of 24 cases fail; every case with at most 4 objects was tried (24)",
        "claim     violates: confirmed (arXiv:1512.00228, section 2, Table 1)",
        "",
        "Reproduce both scores in Python:",
        "    import metaeval",
        "    from metaeval import Biclustering",
        "",
        "    gold = Biclustering([({0}, {0}), ({1, 2}, {0})], shape=(3, 1))",
        "    left = Biclustering([({0, 1}, {0}), ({2}, {0})], shape=(3, 1))",
        "    right = Biclustering([({0}, {0}), ({1}, {0}), ({2}, {0})], shape=(3, 1))",
        '    print(metaeval.score("ce", left, gold, exact=True))   # 2/3',
        '    print(metaeval.score("ce", right, gold, exact=True))  # 2/3',
        "",
        "Check this cell again:",
        "    metaeval check ce --condition A.1 --reading canonical",
    ]


def python_lines(text):
    """The lines to paste, as the text gives them."""
    lines = text.partition(" in Python:\n")[2].partition("\n\nCheck")[0].splitlines()
    return "\n".join(line[4:] for line in lines)


@pytest.fixture(scope="module")
def violations():
    return list(every_violation())


def every_violation():
    """One violated cell for each condition and reading that one of these measures violates on small cases."""
    subjects = [metaeval.measures()[id] for id in ("rnia", "vi", "rand-background", "ce")]
    for condition in conditions().values():
        for reading in condition.readings.values():
            found = search(condition, reading, subjects, drawn=[], exhaustive=2)
            for subject, finding in zip(subjects, found, strict=True):
                if finding.witness is not None:
                    yield violated(subject.id, condition.id, finding.witness, reading.name)
                    break


def test_there_are_violations_of_many_conditions_to_explain(violations):
    assert len({cell.condition for cell in violations}) >= 7


def test_the_python_lines_give_the_scores_they_state(violations, capsys):
    for cell in violations:
        code = python_lines(describe(cell))
        exec(code, {})
        printed = capsys.readouterr().out.splitlines()
        stated = [line.rpartition("# ")[2] for line in code.splitlines() if line.startswith("print(")]
        assert len(printed) == len(stated) == find_condition(cell.condition).relation.sides, cell.key
        for shown, number in zip(stated, printed, strict=True):
            assert valued(number) == pytest.approx(valued(shown), rel=1e-5), cell.key


def valued(text):
    """The float of a fraction, a decimal or a sum of logarithms."""
    return float(exact.parse(text) if "log" in text else Fraction(text))


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_prose_and_drawing_keep_to_the_width(violations, width):
    for cell in violations:
        prose = describe(cell, width).partition("\nReproduce")[0].splitlines()[1:]
        assert max(map(len, prose)) <= width, cell.key


def test_many_biclusters_get_a_line_each_in_python():
    side = Biclustering.lifted([{row, row + 1} for row in range(12)], range(7))
    case = Case(Side(side, side), Side(side, side))
    text = describe(violated("rnia", "A.1", case))
    assert text.count("\n        (range(") + text.count("\n        ({") == 3 * len(side)
    scope = {}
    exec(python_lines(text), scope)
    assert scope["left"] == scope["gold"] == side


def test_two_golds_are_told_apart():
    small, large = (Biclustering([({0}, {0})], shape=shape) for shape in ((1, 1), (2, 2)))
    other = Biclustering([], shape=(2, 2))
    text = describe(violated("rand-background", "B.2", Case(Side(small, small), Side(large, other))))
    assert '"rand-background", left, left_gold, exact=True' in text
    assert '"rand-background", right, right_gold, exact=True' in text


# --- scores --------------------------------------------------------------------------------------------------


def scored(left, right):
    """A measure with these scores on the two candidates of SPLIT."""
    return make_measure(lambda candidate, gold: left if len(candidate) == 2 else right, id="my-id")


def test_floats_are_shown_with_the_tolerance():
    text = describe(violated(scored(0.25, 0.25), "A.1", SPLIT))
    assert "left      0.25\n" in text
    assert "that is 0.25 < 0.25 by more than 1e-09 found" in " ".join(text.split())


def test_scores_that_differ_are_shown_to_differ():
    text = describe(violated(scored(Fraction(1, 3) + Fraction(1, 10**9), Fraction(1, 3)), "A.1", SPLIT))
    assert "left      1000000003/3000000000 ≈ 0.333333334" in text
    assert "right     1/3 ≈ 0.333333333" in text
    assert "found     the left scores higher\n" in text


def test_a_fraction_too_long_to_read_is_a_decimal():
    text = describe(violated(scored(Fraction(10**40 + 1, 3 * 10**40), Fraction(1, 3)), "A.1", SPLIT))
    assert "left      0.333333\n" in text
    assert max(map(len, text.splitlines())) <= 100


def test_a_perfect_match_shows_both_demands():
    text = describe(violated("rnia", "A.5", on_labels([0, 0], [0, 1], [0, 0])))
    assert "that is 1 < 1 and 1 ≥ 1" in " ".join(text.split())
    assert "found     the left reaches the optimum\n" in text


def test_a_certificate_that_does_not_hold_is_not_passed_off_as_one():
    assert "this certificate is wrong" in describe(violated("mocice", "A.1", SPLIT))


# --- size, places, other verdicts ----------------------------------------------------------------------------


def test_a_witness_that_is_not_known_to_be_smallest_says_so():
    assert "size      3 objects; a smaller one may exist" in describe(
        violated("ce", "A.1", SPLIT, certified=False)
    )


def test_a_message_beside_a_violation_is_shown():
    assert "also      on another case it raised ValueError" in describe(
        violated("ce", "A.1", SPLIT, message="on another case it raised ValueError")
    )


@pytest.mark.parametrize(
    ("target", "imported", "command"),
    [
        ("measures.py:mine", "from measures import mine  # measures.py", "measures.py:mine"),
        (
            "my work/measures.py:mine",
            "from measures import mine  # my work/measures.py",
            "'my work/measures.py:mine'",
        ),
        ("package.module:mine", "from package.module import mine", "package.module:mine"),
    ],
)
def test_a_measure_of_ones_own_is_imported_from_its_file(target, imported, command):
    text = describe(violated(scored(1, 1), "A.1", SPLIT), target=target, options=["--seed", "3"])
    assert f"    {imported}\n" in text
    assert "    print(mine(left, gold))   # 1\n" in text
    assert text.endswith(f"    metaeval check {command} --condition A.1 --reading canonical --seed 3")


def test_a_measure_of_metaeval_s_own_is_known_before_the_registry_is_asked_for():
    """In a fresh process nothing has loaded the measures yet: `ce` is still no function of the user's."""
    data = json.dumps(violated("ce", "A.1", SPLIT).to_json())
    code = (
        "import json, sys; from metaeval import Cell, describe; "
        "sys.stdout.write(describe(Cell.from_json(json.load(sys.stdin))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=data, capture_output=True, encoding="utf-8", check=True
    )
    assert 'print(metaeval.score("ce", left, gold, exact=True))' in done.stdout
    assert "your function" not in done.stdout


def test_a_measure_that_nobody_can_import_is_named():
    text = describe(violated(scored(1, 1), "A.1", SPLIT))
    assert "# my_id: your function of (candidate, gold)" in text
    assert "print(my_id(left, gold))" in text


@pytest.mark.parametrize("verdict", [verdict for verdict in Verdict if verdict is not Verdict.VIOLATED])
def test_every_other_verdict_has_its_meaning_message_and_evidence(verdict):
    cell = Cell("ce", "A.1", "literal", verdict, 1, message="it raised ValueError: no")
    lines = describe(cell).splitlines()
    ending = {"holds": " holds", "proved": " is proved"}.get(verdict, f": {verdict}")
    assert lines[0] == f"ce: A.1 Homogeneity (literal){ending}"
    assert f"meaning {verdict.meaning}" in " ".join(" ".join(lines).split())
    assert "message   it raised ValueError: no" in lines
    assert "evidence  1 case tried" in lines
    assert lines[-1].endswith("metaeval check ce --condition A.1 --reading literal")


def test_a_condition_or_reading_that_is_not_registered_is_no_obstacle():
    cell = Cell("ce", "Z.1", "canonical", Verdict.HOLDS, 2)
    assert "No condition Z.1 is registered here." in describe(cell)
    witness = violated("ce", "A.1", SPLIT).certificate
    foreign = Cell("ce", "Z.1", "canonical", Verdict.VIOLATED, 2, 1, certificate=witness)
    assert "ce violates Z.1 (canonical)" in describe(foreign)
    assert witness.case == SPLIT


def test_a_violation_without_a_certificate_is_still_told():
    assert "this cell has no certificate" in describe(Cell("ce", "A.1", "canonical", Verdict.VIOLATED, 2, 1))


@pytest.mark.parametrize(("id", "what", "objects"), [("A.3", "n = 1", 3), ("A.4", "r = 1", 4)])
def test_what_a_condition_leaves_out_is_shown_by_its_circle(id, what, objects):
    """The case that is drawn has sides of one form, and every label-blind measure scores them alike."""
    said = metaeval.explain(id)
    assert f"Left out: {what}" in said
    assert f"{id} would demand s < s" in " ".join(said.split())
    (excluded,) = metaeval.conditions()[id].excluded
    cases = [case for case in excluded.cases() if form(case.left) == form(case.right)]
    assert cases
    assert cases[0].objects == objects
    for reading in metaeval.conditions()[id].readings.values():
        assert not reading.premise(cases[0])
    for measure in metaeval.measures().values():
        assert measure.value(*cases[0].left) == measure.value(*cases[0].right)


def test_a_condition_that_leaves_nothing_out_says_nothing_of_it():
    assert "Left out" not in metaeval.explain("A.1")
