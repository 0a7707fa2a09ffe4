"""What a cell says of itself: read by people, pasted into Python, run as a command."""

import json
from fractions import Fraction

import pytest
from hunting import search_among
from tools import run_process

import metaeval
from metaeval import Biclustering, Case, Side, describe, exact
from metaeval.catalogue.condition import conditions, find_condition
from metaeval.catalogue.measure import make_measure
from metaeval.core.renaming import form
from metaeval.core.verdict import Verdict
from metaeval.records.cell import Cell, Exhaustive
from metaeval.records.certificate import Certificate
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
    """A violated cell for every condition that one of these measures violates on small cases, under one reading."""
    subjects = [metaeval.measures()[id] for id in ("rnia", "vi", "rand-background")]
    cells = []
    for condition in conditions().values():
        name, reading = next(iter(condition.readings.items()))
        found = search_among(condition, reading, subjects, drawn=[], exhaustive=2, efforts=[0] * 3)
        broken = [
            (one, finding.certificate.case) for one, finding in zip(subjects, found, strict=True) if finding.certificate
        ]
        cells += [violated(subject.id, condition.id, case, name) for subject, case in broken[:1]]
    assert len(cells) >= 7
    return cells


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


THIRD = Fraction(1, 3)
WITNESS = violated("ce", "A.1", SPLIT).certificate
#: A cell, and what is said of it: scores, size, message.
TOLD = [
    (violated(scored(0.25, 0.25), "A.1", SPLIT), ["left 0.25 ", "that is 0.25 < 0.25 by more than 1e-09 found"]),
    (
        violated(scored(THIRD + Fraction(1, 10**9), THIRD), "A.1", SPLIT),
        ["left 1000000003/3000000000 ≈ 0.333333334", "right 1/3 ≈ 0.333333333", "found the left scores higher "],
    ),
    (violated(scored(Fraction(10**40 + 1, 3 * 10**40), THIRD), "A.1", SPLIT), ["left 0.333333 "]),
    (
        violated("rnia", "A.5", on_labels([0, 0], [0, 1], [0, 0])),
        ["that is 1 < 1 and 1 ≥ 1", "found the left reaches the optimum "],
    ),
    (violated("mocice", "A.1", SPLIT), ["this certificate is wrong"]),
    (violated("ce", "A.1", SPLIT, certified=False), ["size 3 objects; a smaller one may exist"]),
    (violated("ce", "A.1", SPLIT, message="on another case it raised"), ["also on another case it raised"]),
    (Cell("ce", "A.1", "canonical", Verdict.VIOLATED, 2, 1), ["this cell has no certificate"]),
    # A condition that is not registered is no obstacle.
    (Cell("ce", "Z.1", "canonical", Verdict.HOLDS, 2), ["No condition Z.1 is registered here."]),
    (Cell("ce", "Z.1", "canonical", Verdict.VIOLATED, 2, 1, certificate=WITNESS), ["ce violates Z.1 (canonical)"]),
    # A measure that nobody can import is named.
    (violated(scored(1, 1), "A.1", SPLIT), ["# my_id: your own function", "print(my_id(left, gold))"]),
]


@pytest.mark.parametrize(("cell", "parts"), TOLD)
def test_what_is_said_of_a_cell(cell, parts):
    text = describe(cell)
    assert max(map(len, text.splitlines())) <= 100
    for part in parts:
        assert part in " ".join(text.split())


# --- size, places, other verdicts ----------------------------------------------------------------------------
@pytest.mark.parametrize(("target", "imported", "command"), [
    ("measures.py:mine", "from measures import mine  # measures.py", "measures.py:mine"),
    ("my work/measures.py:mine", "mine = runpy.run_path('my work/measures.py')['mine']", "'my work/measures.py:mine'"),
    ("package.module:mine", "from package.module import mine", "package.module:mine"),
])  # fmt: skip
def test_a_measure_of_ones_own_is_imported_from_its_file(target, imported, command):
    text = describe(violated(scored(1, 1), "A.1", SPLIT), target=target, options=["--seed", "3"])
    assert f"    {imported}\n" in text
    assert "    print(mine(left, gold))   # 1\n" in text
    assert text.endswith(f"    metaeval check {command} --condition A.1 --reading canonical --seed 3")


def test_a_measure_of_metaeval_s_own_is_known_before_the_registry_is_asked_for():
    """In a fresh process nothing has loaded the measures yet: `ce` is still no function of the user's."""
    code = (
        "import json, sys; from metaeval import Cell, describe; "
        "sys.stdout.write(describe(Cell.from_json(json.load(sys.stdin))))"
    )
    done = run_process(code=code, input=json.dumps(violated("ce", "A.1", SPLIT).to_json()))
    assert 'print(metaeval.score("ce", left, gold, exact=True))' in done.out
    assert "your function" not in done.out


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


@pytest.mark.parametrize(("id", "what", "objects"), [("A.3", "n = 1", 3), ("A.4", "r = 1", 4)])
def test_what_a_condition_leaves_out_is_shown_by_its_circle(id, what, objects):
    """The case that is drawn has sides of one form, and every label-blind measure scores them alike."""
    said = metaeval.explain(id)
    assert f"Left out: {what}" in said
    assert f"{id} would demand s < s" in " ".join(said.split())
    (excluded,) = metaeval.conditions()[id].excluded
    case = next(case for case in excluded.cases() if form(case.left) == form(case.right))
    assert case.objects == objects
    for reading in metaeval.conditions()[id].readings.values():
        assert not reading.premise(case)
    for measure in metaeval.measures().values():
        assert measure.value(*case.left) == measure.value(*case.right)
    assert "Left out" not in metaeval.explain("A.1")
