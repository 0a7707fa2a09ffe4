"""What sources say: every id is registered, marks are claims under the right readings, printed scores are computed."""

import inspect
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import bcubed
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from test_cli import assert_one_sentence, run_inside

import metaeval
from metaeval import Biclustering, Cell, InputError, classify
from metaeval.catalogue.condition import find_condition
from metaeval.cli import main
from metaeval.core.verdict import Verdict
from metaeval.literature.horta2014 import ebc_as_printed
from metaeval.literature.lutov2019 import f1a_as_printed, f1h_as_printed
from metaeval.literature.scikit_learn import DOCSTRINGS, VERSION
from metaeval.literature.shelf import FIRST, SOURCES, claim_on, claimant, find_source
from metaeval.literature.source import STATUSES, Claim, Column, Shortcoming, Source, fate
from metaeval.paper.recomputed import agrees, slips
from metaeval.paper.study import JudgedClaim, JudgedShortcoming, Study, claimed_cells, claimed_results, study
from metaeval.records.described import DescribedCondition, DescribedMeasure
from metaeval.records.results import Results, provenance
from metaeval.reports.paper_text import render

EACH = pytest.mark.parametrize("source", SOURCES.values(), ids=list(SOURCES))


# --- ids
@EACH
def test_every_id_is_registered_and_a_source_speaks_of_its_own(source: Source) -> None:
    golden = {id for table in source.tables for id in table.rows}
    assert {*source.measures, *golden, *(one.measure for one in source.equations)} <= {*metaeval.measures()}
    assert set(source.conditions) <= set(metaeval.conditions())
    assert len(set(source.measures)) == len(source.measures)
    for claim in source.all_claims():
        assert set(claim.readings or ()) <= set(find_condition(claim.condition).readings)
        assert claim.measure in source.measures
        assert claim.condition in source.conditions
        assert claim.says in ("satisfies", "violates")
        assert claim.status in STATUSES
        assert claim.place


@EACH
def test_no_source_says_two_things_of_a_cell(source: Source) -> None:
    said: dict[tuple[str, str, str], str] = {}
    for claim in source.claims:
        for reading in find_condition(claim.condition).readings:
            if claim.speaks_of(reading):
                assert said.setdefault((claim.measure, claim.condition, reading), claim.says) == claim.says


def test_a_source_is_found_whatever_its_case() -> None:
    assert find_source("HORTA2014") is SOURCES["horta2014"]
    with pytest.raises(InputError, match="no source 'horta'; expected one of mocice2015, horta2014, "):
        find_source("horta")
    assert_one_sentence(run_inside("paper", "--source", "nonsense"), "no source 'nonsense'", "horta2014")


# --- claims


#: Tables 6 and V a second time, by condition, in the order of the sources' measures.
TABLE_6 = {
    "H.1": "..YY..YY..a...YY", "H.2": "..YY....Y.....YY", "H.3": "..YY......a...bb", "H.4": "YY.YYYYYY..YYYYY",
    "H.5": "..YY..........YY", "H.6": "..YY....Y.....YY", "H.7": "..............YY", "H.8": "...Y....Y.......",
}  # fmt: skip
#: omega, soft-omega, f1h, f1p, nmi-max
TABLE_5 = {"A.1": "YY.YY", "A.2": "YYYY.", "A.3": ".....", "A.4": "..YYY"}
#: What is claimed under canonical, literal, proper and overlapping: s satisfies, v violates under some of these.
MEANT = {"Y": "ssss", "a": "ssvv", "b": "svsv", ".": "vvvv"}


def said(source: Source, measure: str, condition: str) -> str:
    readings = ("canonical", "literal", "proper", "overlapping")
    claims = (source.claim_on(measure, condition, reading) for reading in readings)
    return "".join("-" if claim is None else claim.says[0] for claim in claims)


def test_table_6_is_read_with_its_footnotes_and_table_v_is_about_partitions() -> None:
    horta, lutov = SOURCES["horta2014"], SOURCES["lutov2019"]
    for condition, row in TABLE_6.items():
        for measure, mark in zip(horta.measures, row, strict=True):
            assert said(horta, measure, condition) == MEANT[mark], (measure, condition)

    for condition, row in TABLE_5.items():
        for measure, mark in zip(("omega", "soft-omega", "f1h", "f1p", "nmi-max"), row, strict=True):
            assert said(lutov, measure, condition) == ("s---" if mark == "Y" else "v---")


def test_only_bcubed_and_the_others_fall_short() -> None:
    amigo = SOURCES["amigo2009"]
    assert {claim.condition for claim in amigo.claims if claim.measure == "bcubed"} == {"A.1", "A.2", "A.3", "A.4"}
    assert {one.measure for one in amigo.shortcomings} == set(amigo.measures) - {"bcubed"}
    assert {claim.status for claim in amigo.claims if claim.measure != "bcubed"} == {"second-hand"}
    # All but two fall short of what is no distance.
    gosgens = SOURCES["gosgens2021"]
    assert {one.measure for one in gosgens.shortcomings} == set(gosgens.measures) - {"correlation", "sokal-sneath"}
    assert all(one.others for one in gosgens.shortcomings)
    assert not any(one.others for one in SOURCES["amigo2009"].shortcomings)
    violated = {(claim.measure, claim.condition) for claim in gosgens.claims if claim.says == "violates"}
    assert violated == {("correlation", "G.3"), ("sokal-sneath", "G.3"), ("correlation-distance", "G.4")}


def test_the_first_source_that_speaks_of_a_cell_is_believed_to_claim_it() -> None:
    assert claimant("rand", "A.3", "canonical") is FIRST
    assert claimant("bcubed", "A.3", "canonical") is SOURCES["amigo2009"]
    assert claim_on("bcubed", "A.3", "overlapping") is None
    assert claim_on("nobody", "A.3", "canonical") is None
    for claim in FIRST.claims:
        for reading in find_condition(claim.condition).readings:
            assert claim_on(claim.measure, claim.condition, reading) == claim


@pytest.mark.parametrize("documented", DOCSTRINGS, ids=lambda one: one.function)
def test_the_installed_scikit_learn_says_what_is_claimed(documented) -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    text = " ".join(inspect.getdoc(getattr(sklearn, documented.function)).split())
    for words in documented.words.values():
        assert words in text, f"read in version {VERSION}"


# --- golden tables
def columns(source: Source) -> Iterator[tuple[str, Column]]:
    return ((table.name, column) for table in source.tables for column in table.columns)


#: How many scores are printed, and which of them are slips.
PRINTED = {
    "mocice2015": (12, {("Table 1", "Rag Bag", "e4sc")}), "lutov2019": (52, {("Table III", "Size vs quantity", "f1p")}),
    "horta2014": (48, set()), "amigo2009": (8, set()),
}  # fmt: skip


@EACH
def test_printed_scores_are_those_computed_but_for_the_slips_found(source: Source) -> None:
    scores = [
        ((table.name, column.name, id), agrees(metaeval.measures()[id].value(*side), text, table.decimals))
        for table in source.tables
        for column in table.columns
        for id, printed in column.printed.items()
        for side, text in zip(column.sides, printed, strict=True)
    ]
    assert (len(scores), {place for place, same in scores if not same}) == PRINTED.get(source.id, (0, set()))


@pytest.mark.parametrize("id", ["lutov2019", "amigo2009"])
def test_the_samples_are_what_they_are_filed_under(id: str) -> None:
    for _, column in columns(SOURCES[id]):
        if column.filed_under is not None:
            assert (column.filed_under, "canonical") in classify(column.case)


def test_fewer_digits_stand_for_zeros_and_not_for_coarser_rounding() -> None:
    assert agrees(Fraction(2, 5), "0.4", 3)
    assert not agrees(Fraction(401, 1000), "0.4", 3)
    assert agrees(Fraction(1, 3), "0.33", 2)
    # In the middle between two, either may be printed.
    assert agrees(Fraction(53, 80), "0.663", 3)
    assert agrees(Fraction(53, 80), "0.662", 3)


def test_a_column_has_a_score_for_each_side() -> None:
    (side,) = SOURCES["horta2014"].tables[0].columns[0].sides
    with pytest.raises(InputError, match="has 2 scores of csi; expected one per side"):
        Column("50×10", (side,), {"csi": ("0", "1")})


# --- equations as they are printed
def test_eq_7_by_hand() -> None:
    """Candidate 0|1|2 against 01|2. Best F₁ of its clusters: 2/3, 2/3, 1; of the classes: 2/3, 1."""
    candidate, gold = Biclustering.from_labels([0, 1, 2]), Biclustering.from_labels([0, 0, 1])
    precision, recall = Fraction(7, 9), Fraction(5, 6)
    assert f1a_as_printed(candidate, gold) == (precision + recall) / 2
    assert f1h_as_printed(candidate, gold) == 2 / (1 / precision + 1 / recall)


def padded(side: Biclustering) -> dict[object, set[object]]:
    """Cells with their biclusters, for the package bcubed; every uncovered cell in a cluster of its own."""
    cells = product(*map(range, side.shape))
    return {
        cell: {at for at, (rows, cols) in enumerate(side) if cell[0] in rows and cell[1] in cols} or {cell}
        for cell in cells
    }


@st.composite
def disjoint(draw: st.DrawFn) -> Biclustering:
    labels = draw(st.lists(st.integers(-1, 2), min_size=4, max_size=4))
    rows = {label: [at for at, one in enumerate(labels) if one == label] for label in set(labels) - {-1}}
    return Biclustering([(each, draw(st.sets(st.integers(0, 2), min_size=1))) for each in rows.values()], (4, 3))


@given(disjoint(), disjoint())
@settings(max_examples=60, deadline=None)
def test_the_printed_equation_is_extended_bcubed_where_nothing_overlaps(a: Biclustering, b: Biclustering) -> None:
    one, other = padded(a), padded(b)
    precision, recall = bcubed.precision(one, other), bcubed.recall(one, other)
    assert float(ebc_as_printed(a, b)) == pytest.approx(bcubed.fscore(precision, recall))


def test_the_printed_equations_are_found_out_by_the_tables() -> None:
    (horta,) = slips(SOURCES["horta2014"])
    assert horta.computed
    assert "0.703 for 50×10, where 0.687 is printed, and misses 1 of 3" in horta.text
    assert horta.text.endswith("gives all of them.")
    cut, f1a, f1h = slips(SOURCES["lutov2019"])
    assert "0.819 is printed for 0.8198…: cut, not rounded" in cut.text  # (57 + 40·√2) / (65 + 52·√2)
    assert {f1a.place, f1h.place} == {"Eq. 7"}
    assert "0.550 for Homogeneity, where 0.646 is printed, and misses 8 of 8" in f1a.text
    assert "misses 8 of 8" in f1h.text
    assert f1a.text.endswith("gives all of them.")


# --- what becomes of claims
def judged(says: str, *verdicts: str, condition: str = "A.1") -> JudgedClaim:
    readings = {str(at): {"verdict": one, "fate": fate(says, one)} for at, one in enumerate(verdicts)}
    return JudgedClaim(Claim("ce", condition, says, "nowhere"), readings)


@pytest.mark.parametrize(("verdicts", "becomes"), [
    (["violated", "proved"], "confirmed"), (["holds", "proved"], "unconfirmed"), (["proved", "proved"], "refuted"),
    (["timeout", "violated"], "confirmed"), ([], "unconfirmed"),
])  # fmt: skip
def test_one_violation_of_several_bears_a_shortcoming_out(verdicts: list[str], becomes: str) -> None:
    found = tuple(judged("violates", one, condition=f"A.{at}") for at, one in enumerate(verdicts, 1))
    claim = Shortcoming("ce", (("A.1", "canonical"), ("A.2", "literal")), "nowhere")
    assert JudgedShortcoming(claim, found).fate == becomes
    assert [(one.condition, one.readings) for one in claim.alternatives] == [
        ("A.1", ("canonical",)),
        ("A.2", ("literal",)),
    ]
    # Where a source means other properties, too, proofs of these leave it open.
    assert JudgedShortcoming(claim._replace(others=True), found).fate == becomes.replace("refuted", "unconfirmed")


def found(source: Source, verdict: Verdict = Verdict.HOLDS) -> Results:
    """Empty-handed results on all that a source speaks of."""
    results = Results(provenance(0, 5, 6))
    cells = sorted(claimed_cells(source))
    for measure, condition, _ in cells:
        results.measures.setdefault(measure, DescribedMeasure(measure, best=1.0))
        results.conditions.setdefault(condition, DescribedCondition.of(find_condition(condition)))
    for cell in cells:
        results.add(Cell(*cell, verdict, cases=1))
    return results


@cache
def studied(id: str) -> Study:
    """A source held to cells of its own, which recomputes its tables: once."""
    return study(found(SOURCES[id]), SOURCES[id])


@EACH
def test_a_study_has_every_claim_under_each_reading_and_is_read_in_80_columns(source: Source) -> None:
    data = studied(source.id).to_json()
    wanted = {
        (claim.measure, claim.condition, reading, claim.says, claim.status)
        for claim in source.claims
        for reading in find_condition(claim.condition).readings
        if claim.speaks_of(reading)
    }
    keys = ("measure", "condition", "reading", "claim", "status")
    assert {tuple(entry[key] for key in keys) for entry in data["claims"]} == wanted
    assert len(data["claims"]) == len(wanted)
    for entry in data["claims"]:
        assert entry["fate"] == ("confirmed" if entry["claim"] == "satisfies" else "unconfirmed")
    assert len(data["shortcomings"]) == len(source.shortcomings)
    assert data["id"] == source.id
    assert len(data["tables"]) == len(source.tables)
    text = render(studied(source.id), 80)
    if source is not FIRST:  # its table of claims is as wide as it was
        assert max(map(len, text.splitlines())) <= 80
    assert text.startswith(f"What {source.called} prints and claims, recomputed\n===")


def test_a_table_with_marks_is_shown_with_what_was_found() -> None:
    text = render(studied("horta2014"))
    (row,) = re.findall(r"^bozdag-e +.*✓.*$", text, re.MULTILINE)[:1]
    assert row.split("  ")[-1].strip()
    assert "a ✓✓✓✓ ?" in row
    assert "Of 128 places, 39 are as printed, 0 are not, and 89 could not be settled." in text
    assert re.search(r"bozdag-e H.1 +satisfies: confirmed \(canonical ✓, literal ✓\); violates: unconfirmed", text)


# --- the command
def test_results_of_another_suite_are_refused(tmp_path) -> None:
    path = tmp_path / "results.json"
    found(SOURCES["lutov2019"]).save(path)
    refused = run_inside("paper", "--source", "amigo2009", "--results", str(path))
    assert_one_sentence(refused, "has no cell for bcubed A.1", "run `metaeval run --suite amigo2009` in full")


def test_the_command_studies_another_source(tmp_path) -> None:
    source = SOURCES["lutov2019"]
    path = tmp_path / "results.json"
    results = claimed_results(source=source, examples=0, exhaustive=5, jobs=1, proofs=False)
    assert {cell.key for cell in results} == claimed_cells(source)
    # A claim that was not run is unconfirmed.
    nothing = study(Results(results.provenance), source).to_json()["claims"]
    assert {(entry["reading"], entry["fate"]) for entry in nothing} == {(None, "unconfirmed")}
    results.save(path)
    text = CliRunner(env={"COLUMNS": "80"}).invoke(main, ["paper", "--source", source.id, "--results", str(path)])
    assert text.exit_code == 0, text.output
    assert text.stdout == render(study(results, source), 80)
    data = CliRunner().invoke(main, ["paper", "--source", source.id, "--results", str(path), "--json"])
    assert '"id": "lutov2019"' in data.stdout
