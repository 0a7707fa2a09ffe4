"""How a measure stands beside the others: the atlas that comes with the package, and what `check` says of it."""

import json
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from tools import ROOT, run_inside, split

import metaeval
from metaeval.catalogue.condition import READINGS, find_condition
from metaeval.catalogue.measure import make_measure
from metaeval.cli.commands import check_output
from metaeval.consistency.survey import load_survey
from metaeval.core.verdict import Verdict
from metaeval.display.layout import by_reading
from metaeval.literature.shelf import CHECK, find_suite
from metaeval.records.atlas import LEAST_SHARED, SHIPPED, atlas, compact, standing
from metaeval.records.cell import Cell
from metaeval.records.described import DescribedCondition
from metaeval.records.results import Results

PUBLISHED = json.loads((ROOT / "docs" / "atlas.json").read_text(encoding="utf-8"))
QUICK = split("--quick --no-proofs --jobs 1 --quiet")
SATISFIED = ("proved", "holds")

#: Of clusterings that may overlap: the mean of the best Jaccard index of every cluster and class.
MEAN_JACCARD = """
from fractions import Fraction


def mean_jaccard(candidate, gold):
    found, known = ([rows for rows, _ in side] for side in (candidate, gold))
    if not found or not known:
        return Fraction(found == known)
    ways = [(found, known), (known, found)]
    best = [max(Fraction(len(a & b), len(a | b)) for b in other) for one, other in ways for a in one]
    return sum(best) / len(best)
"""


def published(measure):
    """The verdicts of a measure by "condition/reading", read without the code that is tested."""
    return {
        f"{cell['condition']}/{cell['reading']}": cell["verdict"]
        for cell in PUBLISHED["cells"]
        if cell["measure"] == measure
    }


def cells_of(measure, verdicts):
    return [
        Cell(measure, *place.split("/"), Verdict(one), cases=1, violations=1 if one == "violated" else 0)
        for place, one in verdicts.items()
    ]


def own(domain="biclusterings", id="mine"):
    """A measure of somebody else's; it is never called here."""
    return make_measure(lambda candidate, gold: 0.0, id=id, domain=domain)


def same_question(place, *domains):
    """Whether measures of both domains meet the cell in one form."""
    id, _, reading = place.partition("/")
    return len({find_condition(id).form(domain, reading).key for domain in domains}) == 1


# --- the file
def test_the_shipped_atlas_has_the_published_verdicts():
    shipped = {
        (id, place.replace("-clusterings", "")): one for id, row in atlas().items() for place, one in row.items()
    }
    wanted = {(one["measure"], f"{one['condition']}/{one['reading']}"): one["verdict"] for one in PUBLISHED["cells"]}
    assert shipped == wanted, "run `make atlas-pages`"


def test_the_shipped_file_counts_as_many_verdicts_and_is_small():
    """Counted character by character, without the code that reads it."""
    data = json.loads(SHIPPED.read_text(encoding="utf-8"))
    counted = Counter("".join(data["measures"].values()))
    wanted = Counter(cell["verdict"] for cell in PUBLISHED["cells"])
    symbols = {"proved": "∎", "holds": "✓", "violated": "✗"}
    assert {symbols[verdict]: amount for verdict, amount in wanted.items()} == {
        sign: amount for sign, amount in counted.items() if sign != "·"
    }
    assert {len(row) for row in data["measures"].values()} == {len(data["places"])}
    assert SHIPPED.stat().st_size < 20_000


def test_the_file_is_declared_as_data_of_the_package():
    configured = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert SHIPPED.name in configured["package-data"]["metaeval.records"]
    assert SHIPPED.parent == Path(metaeval.__file__).parent / "records"


def test_forms_of_measures_of_clusterings_have_places_of_their_own():
    """These measures meet A.5 under overlap on one feature; the others meet it on matrices."""
    described = {id: DescribedCondition.of(find_condition(id)) for id in ("A.1", "A.5")}
    results = Results({}, dict.fromkeys(["omega", "bcubed"]), described)
    for id in results.measures:
        for cell in cells_of(id, {"A.1/overlapping": "violated", "A.5/overlapping": "holds"}):
            results.add(cell)
    data = compact(results)
    assert data["places"] == ["A.1/overlapping", "A.5/overlapping", "A.5-clusterings/overlapping"]
    assert data["measures"] == {"omega": "✗·✓", "bcubed": "✗✓·"}


# --- how a measure stands
@pytest.mark.parametrize("id", ["e4sc", "ce", "omega", "purity", "nmi", "bcubed"])
def test_a_twin_of_a_measure_is_closest_to_it_and_what_is_said_is_so(id):
    """Everything counted again, from the published file."""
    domain = metaeval.measures()[id].domain
    mine = published(id)
    found = standing(own(domain, "twin"), cells_of("twin", mine))
    others = {
        other: {
            place: verdict
            for place, verdict in published(other).items()
            if place in mine and same_question(place, domain, metaeval.measures()[other].domain)
        }
        for other in PUBLISHED["measures"]
    }
    assert found.cells == len(mine)
    agreeing = {
        other: sum((row[place] in SATISFIED) == (mine[place] in SATISFIED) for place in row)
        for other, row in others.items()
    }
    best = sorted(len(mine) - amount for amount in agreeing.values())[:3]
    assert [len(apart) for apart in found.closest.values()] == best
    assert best[0] == 0
    for other, apart in found.closest.items():
        assert len(apart) == len(mine) - agreeing[other]
        assert {place: others[other].get(place) for place in apart} == apart
    violated = {place for place, verdict in mine.items() if verdict == "violated"}
    said = [place for cells in found.kept for place in cells.split()]
    assert sorted([*found.unkept, *said]) == sorted(violated)
    for place in found.unkept:
        assert not any(row.get(place) in SATISFIED for row in others.values())
    for cells, keepers in found.kept.items():
        places = cells.split()
        assert len({place.partition("/")[2] for place in places}) == 1
        kept = {other: [row.get(place) for place in places] for other, row in others.items()}
        assert keepers == {
            other: "proved" if {*row} == {"proved"} else "holds"
            for other, row in kept.items()
            if {*row} <= {*SATISFIED}
        }


def test_a_measure_of_the_atlas_is_not_compared_with_itself():
    found = standing(metaeval.measures()["e4sc"], cells_of("e4sc", published("e4sc")))
    assert "e4sc" not in found.closest
    assert "e4sc" in standing(own(), cells_of("mine", published("e4sc"))).closest


def test_nothing_is_said_where_too_few_cells_are_shared():
    some = dict(list(published("bcubed").items())[:LEAST_SHARED])
    assert standing(own(), cells_of("mine", some)) is not None
    few = dict(list(some.items())[1:])
    assert standing(own(), cells_of("mine", few)) is None
    # What was not decided is not compared.
    for verdict in ("undefined", "error", "timeout", "vacuous"):
        changed = {**few, next(iter(some)): verdict}
        assert standing(own(), cells_of("mine", changed)) is None


def test_only_cells_that_ask_the_same_are_compared(monkeypatch):
    places = [f"A.{number}/canonical" for number in range(1, 6)]
    rows = {
        "of-matrices": dict.fromkeys([*places, "S.1/overlapping"], Verdict.PROVED),
        "of-clusterings": dict.fromkeys([*places, "S.1-clusterings/overlapping"], Verdict.HOLDS),
    }
    monkeypatch.setattr("metaeval.records.atlas.atlas", lambda: rows)
    cells = cells_of("mine", {**dict.fromkeys(places, "holds"), "S.1/overlapping": "violated"})
    found = standing(own("biclusterings"), cells)
    assert found.kept == {"S.1/overlapping": {"of-matrices": "proved"}}
    assert found.closest["of-clusterings"] == {"S.1/overlapping": None}
    found = standing(own("clusterings"), cells)
    assert found.kept == {"S.1/overlapping": {"of-clusterings": "holds"}}
    assert found.closest["of-matrices"] == {"S.1/overlapping": None}
    # What no measure was asked is not called kept by none.
    found = standing(
        own("biclusterings"), cells_of("mine", {**dict.fromkeys(places, "holds"), "B.1/literal": "violated"})
    )
    assert (found.cells, found.unkept, found.kept) == (5, (), {})


def test_cells_are_told_by_reading():
    cells = ["A.1/literal", "A.2/literal", "A.3/literal", "B.1/literal", "B.2/canonical"]
    assert by_reading(cells) == "A.1–A.3 and B.1 (literal), B.2 (canonical)"


# --- what `check` says
@pytest.fixture
def overlapping(tmp_path):
    path = tmp_path / "overlap.py"
    path.write_text(MEAN_JACCARD, encoding="utf-8")
    return ["check", f"{path}:mean_jaccard", "--domain", "clusterings", *QUICK]


A_ONLY = split("--condition A.1 --condition A.2 --condition A.3 --condition A.4")


def test_check_ends_with_how_the_measure_stands(overlapping):
    text = run_inside(*overlapping, *A_ONLY).out
    assert "note  A.1–A.4 (overlapping): no measure in the atlas keeps any of these\n" in text
    assert "note  closest in the atlas, by 12 cells: " in text
    data = json.loads(run_inside(*overlapping, *A_ONLY, "--json").out)
    results = Results.from_json(data)
    beside = data["check"]["atlas"]
    (id,) = results.measures
    assert standing(own("clusterings", id), results).to_json() == beside
    assert beside["unkept"] == [f"A.{number}/overlapping" for number in range(1, 5)]
    assert beside["cells"] == 12
    assert len(beside["closest"]) == 3
    for id in beside["closest"]:
        assert id in text.partition("closest in the atlas")[2]


def test_who_keeps_what_is_violated_is_named():
    chosen = [*A_ONLY, "--reading", "canonical", "--condition", "A.5"]
    text = run_inside("check", "ce", *QUICK, *chosen, COLUMNS="200").out
    said = re.search(r"A\.1–A\.3 \(canonical\): kept in the atlas by (.*) and (\d+) more\n", text)
    rows = {id: [published(id).get(f"A.{number}/canonical") for number in (1, 2, 3)] for id in PUBLISHED["measures"]}
    keeping = {f"{id} ({max(row, key=SATISFIED.index)})" for id, row in rows.items() if {*row} <= {*SATISFIED}}
    named = said[1].split(", ")
    assert len(named) == 3
    assert {*named} <= keeping
    assert len(keeping) == 3 + int(said[2])
    assert "closest in the atlas, by 5 cells: ce-multiset, without a difference;" in text


def test_check_is_silent_without_a_full_table(overlapping, tmp_path):
    """Not where little is compared, where the gate fails, nor beside a baseline, which says what changed."""
    few = [*overlapping, *split("--condition A.1")]
    broken = tmp_path / "broken.py"
    broken.write_text("def zero(candidate, gold):\n    return 0\n", encoding="utf-8")
    baseline = str(tmp_path / "mine.json")
    saved = [*overlapping, *A_ONLY, "--save", baseline]
    against = [*overlapping[:4], "--jobs", "1", "--quiet", "--against", baseline]
    assert " in the atlas" in run_inside(*saved).out
    for words in (few, ["check", f"{broken}:zero", *QUICK], against, [*against, "--golden-only"]):
        assert " in the atlas" not in run_inside(*words).out
        assert json.loads(run_inside(*words, "--json").out)["check"]["atlas"] is None


# --- the page
PAGE = (ROOT / "docs" / "which-conditions.md").read_text(encoding="utf-8")


def satisfying(*places, measures=None, by=SATISFIED):
    """The measures that satisfy all of these cells."""
    rows = {id: published(id) for id in measures or PUBLISHED["measures"]}
    return {id for id, row in rows.items() if all(row.get(place) in by for place in places)}


def places(ids, reading="canonical"):
    return [f"{id}/{reading}" for id in ids.split()]


def test_the_tables_of_the_page_show_the_published_verdicts():
    """Symbol by symbol; the code that writes the tables is not used."""
    tables = re.findall(r"<!-- verdicts: (.*?) -->\n```\n(.*?)```\n<!-- end of the verdicts -->", PAGE, re.DOTALL)
    assert len(tables) == PAGE.count("<!-- verdicts:") == 3
    letters = {name[0]: name for name in READINGS}
    symbols = {"proved": "∎", "holds": "✓", "violated": "✗"}
    for named, table in tables:
        domain, conditions, readings, measures = (part.split() for part in named.split("|"))
        ids, below, _, *lines = (line.split() for line in table.splitlines())
        assert ids == conditions
        assert {letters[one] for one in "".join(below)} == {*readings}
        assert [line[0] for line in lines] == measures
        for id, *entries in lines:
            verdicts, own_domain = published(id), metaeval.measures()[id].domain
            for condition, names, shown in zip(ids, below, entries, strict=True):
                cells = [f"{condition}/{letters[one]}" for one in names]
                wanted = [
                    symbols[verdicts[cell]] if cell in verdicts and same_question(cell, *domain, own_domain) else "·"
                    for cell in cells
                ]
                assert shown == "".join(wanted), (id, condition)


def test_the_sample_of_the_page_is_what_check_says(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    asked = {place: one for place, one in published("e4sc").items() if place.split("/")[0] in CHECK.condition_ids()}
    found = standing(metaeval.measures()["e4sc"], cells_of("e4sc", asked))
    lines = check_output._labelled("note", check_output._beside(found))
    assert "```text\n" + "\n".join(lines) + "\n```" in PAGE


def test_what_the_page_says_is_so():
    ten = places("A.1 A.2 A.3 A.4 A.5 B.1 B.2 B.3 B.4 B.5")
    assert {"mocice", "bcubed"} <= satisfying(*ten, by=("proved",))
    assert "bcubed" in satisfying(*places("A.1 A.2 A.3", "literal"), by=("proved",))
    assert "ce-multiset" in satisfying(*places("A.5 B.1 B.2 B.3 B.4 B.5", "overlapping"))
    assert not satisfying(*places("A.3 A.4", "literal"))
    for place in places("A.1 A.2 A.3 A.4", "overlapping"):
        assert {published(id).get(place) for id in PUBLISHED["measures"]} == {"violated", None}
    of_labels = [id for id in PUBLISHED["measures"] if metaeval.measures()[id].domain == "partitions"]
    assert len(satisfying("A.3/canonical", measures=of_labels)) < len(of_labels) / 2
    assert "vi" in satisfying("G.3/canonical")
    assert {"adjusted-rand", "ami"} <= satisfying("G.4/non-trivial")
    for suite, ids in (("gosgens2021", "G.1 G.2 G.3 G.4"), ("horta2014", "H.1 H.2 H.3 H.4 H.5 H.6 H.7 H.8")):
        assert f"--suite {suite}" in PAGE
        assert {*ids.split()} <= {*find_suite(suite).condition_ids()}


@pytest.mark.parametrize(("ids", "readings"), [
    ("A.1 G.4", "canonical"), ("A.2 G.4", "canonical"), ("A.5 G.4", "canonical"),
    ("B.1 B.2 B.4 S.1", "literal"), ("B.1 B.2 B.4 H.6", "literal"),
])  # fmt: skip
def test_what_the_page_calls_impossible_has_a_certificate(ids, readings):
    surveyed = load_survey(ROOT / "docs" / "contradictions.json")
    (table,) = (one for one in surveyed if one.name == readings)
    assert ids.split() in [[*one.minimal] for one in table.contradictions]
