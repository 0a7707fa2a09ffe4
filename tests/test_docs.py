"""The published results: every certificate holds, and what is shown is what the results say."""

import doctest
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hunting import usual_pack
from mutants import GATE, GOLDEN, MUTANTS
from tools import as_json
from variant_readings import with_variant

from metaeval import Results, equations
from metaeval.catalogue.condition import conditions, find_condition
from metaeval.catalogue.measure import measures
from metaeval.cli.targets import load_several
from metaeval.consistency.answer_text import circle_told, contradiction_told, reach
from metaeval.consistency.decide import consistency, decide
from metaeval.consistency.graph import chosen, listed_cases
from metaeval.consistency.recheck import registered, verify_answer
from metaeval.consistency.survey import MIXTURE, Surveyed, load_survey, unsatisfied
from metaeval.display.layout import listed
from metaeval.equations import Equation, tree
from metaeval.literature.shelf import PAPER
from metaeval.paper.study import study
from metaeval.proofs.proof import LEAST_INSTANCES
from metaeval.proofs.situation import SCHEMES
from metaeval.records.described import DescribedCondition
from metaeval.reports import build, render
from metaeval.reports.paper_text import render as render_paper
from metaeval.reports.text import matrix
from metaeval.search.prove import instances, prove
from metaeval.verification.certificate_check import verify

DOCS = Path(__file__).parents[1] / "docs"
ATLAS = Results.load(DOCS / "atlas.json")
OUR_OWN = ("ce", "ce-multiset", "rnia", "rand", "rand-background", "vi", "e4sc", "bcubed", "mocice",
           "mocice-precision", "mocice-recall", "cice")  # fmt: skip
CONDITIONS = [find_condition(id) for id in PAPER.conditions]
#: As the essay says.
MOCICE_IS_PROVED = {
    "canonical": PAPER.conditions,
    "literal": ("A.1", "A.2", "A.5", "B.5"),
    "overlapping": ("A.5", "B.1", "B.2", "B.3", "B.4", "B.5"),
}


@pytest.fixture(scope="module")
def results() -> Results:
    return Results.load(DOCS / "results.json")


@pytest.fixture(scope="module")
def surveyed() -> list[Surveyed]:
    return load_survey(DOCS / "consistency.json")


@pytest.fixture(scope="module")
def small_sets() -> list[Surveyed]:
    return load_survey(DOCS / "contradictions.json")


def test_every_certificate_holds_and_breaks_every_reading_that_admits_its_case(results):
    violated = [cell for cell in results if cell.verdict == "violated"]
    assert violated
    for cell in violated:
        case = verify(cell.certificate).case
        for name, reading in find_condition(cell.condition).readings.items():
            if reading.premise(case):
                assert results.cell(cell.measure, cell.condition, name).verdict == "violated"


def test_every_cell_is_there_and_decided_and_the_conditions_described_as_they_are_now(results):
    assert {cell.key for cell in results} == {(m, c.id, r) for m in OUR_OWN for c in CONDITIONS for r in c.readings}
    assert {"proved", "violated"} <= {cell.verdict for cell in results} <= {"proved", "holds", "violated"}
    assert set(OUR_OWN) <= set(measures())
    for condition in CONDITIONS:
        assert results.conditions[condition.id] == DescribedCondition.of(condition)
    for cell in results:
        complete = find_condition(cell.condition).reading(cell.reading).complete
        # A cell whose counterexample is known to be minimal is searched no further.
        minimal = cell.certificate is not None and cell.certificate.certified
        least = min(cell.certificate.objects - 1, complete) if minimal else complete
        assert least <= cell.exhaustive.objects <= complete


@pytest.mark.parametrize(("format", "file"), [("html", "compliance.html"), ("markdown", "compliance.md")])
def test_what_is_shown_is_rendered_anew_alike(format, file, results, surveyed):
    shown = (DOCS / file).read_text(encoding="utf-8")
    # The day of the run is no part of the results: the page has it from whoever rendered it.
    day = re.search(r'<time datetime="([0-9-]+)"', shown)
    anew = render(results, format, date=day[1] if day else "", survey=surveyed)
    assert shown == anew, "run `make picture`"
    assert bool(day) == (format == "html")


def test_the_paper_is_recomputed_alike(results):
    assert (DOCS / "paper.txt").read_text(encoding="utf-8") == render_paper(study(results)), "run `make picture`"


def test_the_essay_speaks_of_what_was_found(results):
    """Every counterexample and fraction that the essay names is in the results."""
    essay = (DOCS / "what-was-found.md").read_text(encoding="utf-8")
    text = (DOCS / "paper.txt").read_text(encoding="utf-8") + (DOCS / "compliance.md").read_text(encoding="utf-8")
    names = set(re.findall(r"`([a-z0-9-]+-[AB]\d[clor])`", essay))
    assert names
    for name in names:
        assert name in text, name
    for fraction in re.findall(r"\b\d+/\d+\b", essay):
        assert fraction in text, fraction
    said = {(id, reading) for reading, ids in MOCICE_IS_PROVED.items() for id in ids}
    proved = {
        (cell.condition, cell.reading) for cell in results if (cell.measure, cell.verdict) == ("mocice", "proved")
    }
    assert said <= proved


#: Lists of more cases are made again by `make long` alone.
MANY = 4_000


@pytest.mark.parametrize("most", [MANY, pytest.param(10**9, marks=pytest.mark.long)])
def test_the_survey_is_of_the_conditions_as_they_are_now(surveyed, most):
    """The cases that it says it looked at are listed again."""
    wanted = {name: dict(group.id for group in chosen(None, name)) for name in ("canonical", "literal", "overlapping")}
    wanted[MIXTURE] = {id: wanted["canonical" if id < "B" else "overlapping"][id] for id in wanted["canonical"]}
    assert {one.name: one.answer.readings for one in surveyed} == wanted
    known = {}
    for answer in (one.answer for one in surveyed):
        for extent in answer.listed:
            group = registered(extent.condition, extent.reading)
            assert extent.words == group.reading.scope
            if extent.cases <= most:
                if group.id not in known:
                    known[group.id] = sum(1 for _ in listed_cases([group], answer.objects))
                assert extent.cases == known[group.id], "run `make survey picture`"
    assert len(known) >= 10


def test_the_essay_on_consistency_has_the_numbers_of_the_survey(surveyed, results):
    essay = (DOCS / "can-any-measure.md").read_text(encoding="utf-8")
    for one in surveyed:
        cases = sum(extent.cases for extent in one.answer.listed)
        least, most = reach(one.answer)
        said = f"possible: {one.answer.witness}" if one.answer.witness else one.answer.answer
        assert f"| {said} | {cases:,} | {one.answer.sides:,} | up to {least} to {most} |" in essay
    open_ones = {one.name: [listed(some) for some in unsatisfied(results, one.answer.readings)] for one in surveyed}
    assert open_ones["canonical"] == open_ones[MIXTURE] == []
    assert f"**Literal:** {open_ones['literal'][0]} by itself; {'; '.join(open_ones['literal'][1:])}." in essay
    assert f"**Overlapping:** {listed(open_ones['overlapping'])}, each by itself." in essay


def test_the_essay_has_the_smallest_contradictory_sets(small_sets):
    essay = (DOCS / "can-any-measure.md").read_text(encoding="utf-8")
    for one in small_sets:
        sets = one.sets
        assert f"| {sets.possible:,} | {sets.impossible:,} | {sets.open:,} |" in essay
        for answer in one.contradictions:
            assert f"- {listed(answer.minimal)}" in essay
            assert verify_answer(as_json(answer)).impossible
            # Who keeps all others of such a set is never proved, nor said to hold, for the last.
            for measure in ATLAS.measures:
                cells = [ATLAS.get((measure, id, answer.readings[id])) for id in answer.minimal]
                assert not all(cell is not None and cell.verdict.satisfied for cell in cells)


@pytest.mark.parametrize(("conditions", "readings"), [
    (["A.1", "S.1", "S.3", "G.3", "G.4"], "G.4=non-trivial"), (["B.1", "B.2", "B.4", "S.1"], "literal"),
])  # fmt: skip
def test_the_contradictions_in_the_essay_are_those_that_are_found(conditions, readings):
    essay = (DOCS / "can-any-measure.md").read_text(encoding="utf-8")
    told = contradiction_told(consistency(conditions, readings, objects=4), 120)
    assert told.partition("\n\n")[2].partition("\n\n")[0] in essay


@pytest.mark.parametrize(("variant", "others", "objects"), [
    ("A.2 of classes", ["A.5 overlapping"], 3), ("B.1 without a gold", ["B.2 canonical", "B.4 canonical"], 2),
    ("A.3 canonical from n = 1", [], 3), ("A.4 canonical from r = 1", [], 4),
    ("A.1 inside a class", ["A.2 overlapping"], 2), ("A.4 of the gold itself", ["A.5 overlapping"], 4),
])  # fmt: skip
def test_the_circles_in_the_essay_are_those_that_are_found(variant, others, objects):
    essay = (DOCS / "can-any-measure.md").read_text(encoding="utf-8")
    circle = circle_told(decide(with_variant(variant, *others), objects))
    links = circle.partition("\n\n")[2].partition("\n\n")[0]
    assert links.startswith("1. ")
    assert links in essay


def test_the_readme_shows_the_matrix_as_it_is_and_counts_the_mutants_right(results):
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert "\n".join(line.rstrip() for line in matrix(build(results))) in readme
    caught = Counter(mutant.caught_by if mutant.caught_by in (GATE, GOLDEN) else "condition" for mutant in MUTANTS)
    flat = " ".join(readme.split())
    assert f"of {len(MUTANTS)} mutants" in flat
    assert (
        f"{caught['condition']} by a condition that the original satisfies, {caught[GATE]} by the checks before any "
        f"condition, {caught[GOLDEN]} by golden scores" in flat
    )


def test_the_measure_shown_beside_proofs_is_proved_as_it_says(tmp_path):
    example = re.search(r"```python\n(.*?)```", (DOCS / "proofs.md").read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "yours.py").write_text(example.group(1), encoding="utf-8")
    [alike] = load_several([f"{tmp_path / 'yours.py'}:alike"])
    for condition in CONDITIONS:
        reading = condition.reading("canonical")
        cases = instances(reading, usual_pack(condition.id), LEAST_INSTANCES, seed=0)
        assert prove(alike.id, alike.equation, condition, reading, cases).instances >= LEAST_INSTANCES
    assert len(CONDITIONS) == 10


def test_the_page_about_proofs_has_every_scheme_and_condition_and_limit():
    text = (DOCS / "proofs.md").read_text(encoding="utf-8")
    assert [scheme for scheme in SCHEMES if f"`{scheme}`" not in text] == []
    proved = {id for id, one in conditions().items() if any(x.situation for x in one.readings.values())}
    said = text.replace("A.1–A.4", "A.1, A.2, A.3, A.4")
    assert {id for id in conditions() if id not in said} == set()
    assert {*re.search(r"No rule is known for (.*)\.", said)[1].replace(" and ", ", ").split(", ")} == {
        *conditions()
    } - proved
    limits = [value for name, value in vars(tree).items() if name.startswith("MOST_")]
    table = text.partition("## Limits")[2]
    assert re.findall(r"^\| .* \| ([\d,]+) \|$", table, re.MULTILINE) == [f"{value:,}" for value in limits]


def test_the_page_about_equations_has_every_name_and_its_examples_run():
    text = (DOCS / "equations.md").read_text(encoding="utf-8")
    assert [name for name in equations.__all__ if not re.search(rf"`{name}\b", text)] == ["Expression"]
    outcome = doctest.testfile(str(DOCS / "equations.md"), module_relative=False, encoding="utf-8")
    assert outcome.attempted > 10
    assert outcome.failed == 0
    fitting = [one for one in measures().values() if one.is_equation]
    assert f"Of metaeval's {len(measures())} measures, {len(fitting)} are equations." in text
    assert [id for id, one in measures().items() if not one.is_equation and f"`{id}`" not in text] == []


def test_the_equation_shown_in_a_file_is_read():
    shown = re.search(
        r"^```\n(\{\"schema\": \"metaeval.equation/1\".*?)```", (DOCS / "files.md").read_text(), re.M | re.S
    )
    assert Equation.from_json(json.loads(shown[1])) == measures()["ce"].equation
