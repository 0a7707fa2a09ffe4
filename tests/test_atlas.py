"""The published atlas: that it is whole, holds, and is what its pages show."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import metaeval
from metaeval.catalogue.measure import is_own
from metaeval.consistency.survey import load_survey
from metaeval.literature.shelf import FIRST, SOURCES, find_suite
from metaeval.paper.study import study
from metaeval.records.described import DescribedCondition
from metaeval.records.results import Results
from metaeval.reports import build
from metaeval.reports import html as page
from metaeval.reports.paper_text import render
from metaeval.runner.plan import Plan
from metaeval.verification.certificate_check import verify

DOCS = Path(__file__).resolve().parent.parent / "docs"
#: Of more than a thousand certificates, every so manieth is re-checked here; `metaeval verify` re-checks all.
STRIDE = 12


@pytest.fixture(scope="module")
def atlas():
    return Results.load(DOCS / "atlas.json")


def cross_table():
    spec = spec_from_file_location("cross_table", DOCS / "cross_table.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_measure_meets_every_condition_of_its_domain(atlas):
    planned = Plan.of(suite=find_suite("all")).cell_ids()
    wanted = {cell for cell in planned if cell[0] in atlas.measures and cell[1] in atlas.conditions}
    assert {cell.key for cell in atlas} == wanted


def test_what_the_sources_speak_of_is_in_the_atlas(atlas):
    for source in SOURCES.values():
        assert {*source.measures} <= atlas.measures.keys()
        assert {*source.conditions} <= atlas.conditions.keys()


def test_what_is_registered_is_in_the_atlas(atlas):
    ours = [id for id, one in metaeval.measures().items() if is_own(one)]
    missing = [id for id in (*ours, *metaeval.conditions()) if id not in {**atlas.measures, **atlas.conditions}]
    if missing:
        pytest.skip(f"not in the atlas yet: {', '.join(missing)}; `make atlas` adds what is missing")


def test_the_conditions_are_described_as_they_are_now(atlas):
    for id, described in atlas.conditions.items():
        assert described == DescribedCondition.of(metaeval.conditions()[id])


def test_some_of_every_measures_certificates_hold(atlas):
    witnessed = [cell for cell in atlas if cell.certificate is not None]
    assert len(witnessed) > 1000
    for cell in witnessed[::STRIDE]:
        verify(cell.certificate)


def test_the_paper_suite_says_the_same_in_both_files(atlas):
    """Other measures and conditions beside them change no verdict."""
    for cell in Results.load(DOCS / "results.json"):
        assert atlas.get(cell.key).verdict == cell.verdict


def test_the_essay_shows_the_table_of_the_results(atlas):
    tool = cross_table()
    text = (DOCS / "the-atlas.md").read_text(encoding="utf-8")
    assert f"{tool.BEGIN}{tool.cross_table(atlas)}{tool.END}" in text


@pytest.mark.parametrize("id", [id for id in SOURCES if id != FIRST.id])
def test_every_source_is_published_as_it_is_computed(atlas, id):
    file = DOCS / "sources" / f"{id}.txt"
    if not file.exists():
        pytest.skip(f"{id} is not in the atlas yet; `make atlas-pages` adds its page")
    published = file.read_text(encoding="utf-8")
    assert published == render(study(atlas, SOURCES[id]), 100)


def test_the_page_is_what_the_results_render_to(atlas):
    published = (DOCS / "atlas.html").read_text(encoding="utf-8")
    date = re.search(r'<time datetime="([^"]*)"', published)[1]
    survey, files = load_survey(DOCS / "contradictions.json"), {"atlas.json": list(atlas.measures)}
    assert published == page.render(build(atlas, date=date, survey=survey, files=files))


def test_what_the_essay_says_of_all_measures_is_so(atlas):
    """Who keeps A.1 to A.4 between partitions; who has a constant baseline; who keeps the triangle inequality."""

    def keeping(*places):
        return {id for id in atlas.measures if all(kept(id, *place) for place in places)}

    def kept(id, condition, reading="canonical"):
        cell = atlas.get((id, condition, reading))
        return cell is not None and cell.verdict.satisfied

    relatives = {"bcubed", "mocice", "mocice-precision", "mocice-recall", "cice", "ebc"}
    assert keeping(*((f"A.{number}",) for number in range(1, 5))) == relatives
    corrected = {"adjusted-rand", "omega", "soft-omega", "correlation", "sokal-sneath"}
    assert corrected <= keeping(("G.4", "non-trivial"), ("G.1",))
    assert {"ami", "ami-geometric"} <= keeping(("G.4", "non-trivial")) - keeping(("G.2",))
    assert {"vi", "rand", "ce", "jaccard", "correlation-distance"} <= keeping(("G.3",))
    assert not {"bcubed", "mocice"} & keeping(("G.3",))
    assert not keeping(("A.3",)) & {"vi", "rand", "ce", "jaccard", *corrected}
    overlapping = [(f"A.{number}", "overlapping") for number in range(1, 5)]
    assert not any(keeping(place) for place in overlapping)
    horta = [(f"H.{number}", name) for number in (1, 2, 3, 5, 6, 8) for name in ("canonical", "overlapping")]
    assert "ce-multiset" in keeping(*horta, ("H.4",), ("A.5", "overlapping"), ("B.2",), ("B.3",), ("B.4",), ("B.5",))
    assert {"rand-background", "ebc"} & keeping(("B.2",)) == set()
    assert "csi" in keeping(("B.2",)) - keeping(("B.2", "overlapping"))
