"""The effort level: evidence follows from the measure, the seed, the settings and the level, never from the clock."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from fractions import Fraction
from math import inf, sqrt
from pathlib import Path

import pytest
from click.testing import CliRunner
from test_backends import Cluster

import metaeval
from metaeval import InputError, Results, cli
from metaeval.catalogue.measure import find_measure, make_measure
from metaeval.core.effort import HIGHEST, LEVELS, Calls, OutOfCalls
from metaeval.core.verdict import Verdict
from metaeval.records.compare import compare
from metaeval.records.results import merged
from metaeval.reports import render
from metaeval.runner.events import Estimated, Gated, Settled
from metaeval.search.gate import SAMPLE, sample_time
from metaeval.workers import budget as metering

ROOT = Path(__file__).parent.parent
#: Large cases beyond 1,000 cells, which level 3 does not try, are among those of B.3.
WHERE = {"conditions": ["A.2", "B.3"], "readings": ["canonical", "literal", "overlapping"]}
SMALL = {**WHERE, "examples": 15, "exhaustive": 2, "proofs": False}
#: Seconds for a call, in the middle between two thresholds.
BETWEEN_3_AND_4 = 0.001
MIDDLE_OF_3 = sqrt(0.001 * 0.008)


class FakeClock:
    """Processor time that passes only where a measure says so; a worker is forked with its parent's clock."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    fake = FakeClock()
    monkeypatch.setattr(metering, "processor_clock", fake)
    monkeypatch.setattr(metering, "_STALE", -1)  # asked at every call, however little time has really passed
    return fake


def taking(seconds: float, clock: FakeClock):
    """A measure that takes so much processor time, and breaks B.3 on a matrix of more than 5,000 entries only."""

    def timed(candidate, gold):
        clock.time += seconds
        score = metaeval.score("bcubed", candidate, gold, exact=True)
        return score / 2 if gold.shape[0] * gold.shape[1] > 5000 else score

    return make_measure(timed, id="timed")


def plain(results) -> dict:
    """A results file without its seconds."""
    data = json.loads(json.dumps(results.to_json()))
    for cell in data["cells"]:
        del cell["seconds"]
    return data


def level(results) -> int:
    return results.to_json()["measures"]["timed"]["effort"]


# --- the clock decides the level and nothing else


def test_a_factor_between_a_half_and_two_changes_nothing(clock):
    files = [
        plain(metaeval.run([taking(factor * MIDDLE_OF_3, clock)], **SMALL, jobs=2, budget=None))
        for factor in (0.5, 1, 2)
    ]
    assert {file["measures"]["timed"]["effort"] for file in files} == {3}
    assert all(file == files[0] for file in files)


def test_at_a_threshold_the_files_say_so_and_the_level_repeats_each(clock):
    below, above = (
        metaeval.run([taking(factor * BETWEEN_3_AND_4, clock)], **SMALL, budget=None) for factor in (0.9, 1.1)
    )
    assert (level(below), level(above)) == (4, 3)
    assert plain(below) != plain(above)
    assert below.cell("timed", "B.3").verdict is Verdict.VIOLATED  # on a large case, which level 3 leaves out
    assert above.cell("timed", "B.3").verdict is Verdict.HOLDS
    for results in (below, above):
        again = metaeval.run([taking(1.0, clock)], **SMALL, budget=None, effort=level(results))
        assert plain(again) == plain(results)
    assert compare(below, above).efforts == {"timed": (4, 3)}
    with pytest.raises(
        InputError, match="one has timed at effort level 4 and other at 3; run one of them again with"
    ):
        merged({"one": below, "other": above})


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), workers=2)
    yield cluster
    cluster.close()


def test_jobs_backends_and_a_killed_run_give_the_same_file(clock, cluster, tmp_path):
    measure, options = taking(MIDDLE_OF_3, clock), {**SMALL, "budget": None}
    whole = plain(metaeval.run([measure, "ce"], **options, jobs=1))
    for jobs in (2, 8):
        assert plain(metaeval.run([measure, "ce"], **options, jobs=jobs)) == whole
    on_dask = metaeval.run([measure, "ce"], **options, backend="dask", address=cluster.address)
    assert plain(on_dask) == whole
    out = tmp_path / "results.json"

    def kill(event) -> None:
        if isinstance(event, Settled) and event.condition.id == "B.3":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        metaeval.run([measure, "ce"], **options, jobs=1, out=out, listen=kill)
    assert 0 < len(Results.load(out)) < len(whole["cells"])
    # The machine is busier now; the level is the file's.
    metaeval.run([taking(100.0, clock), "ce"], **options, out=out, resume=True)
    assert plain(Results.load(out)) == whole


def test_a_file_is_not_resumed_at_another_level(clock, tmp_path):
    out = tmp_path / "results.json"
    metaeval.run([taking(MIDDLE_OF_3, clock)], **{**SMALL, "conditions": ["A.2"]}, out=out)
    with pytest.raises(
        InputError, match="has timed at effort level 3, this run asks for 2; run with --effort 3, or"
    ):
        metaeval.run([taking(MIDDLE_OF_3, clock)], **SMALL, out=out, resume=True, effort=2)


def test_what_a_measure_prints_does_not_depend_on_how_jobs_are_cut():
    """Readings share what is cached in one job, and not in one job each."""

    def talks(candidate, gold):
        print(sorted(map(len, gold.biclusters[0])) if gold else [], len(candidate), end=" ")
        return metaeval.score("bcubed", candidate, gold, exact=True)

    one, other = (metaeval.run([talks], **SMALL, jobs=jobs, effort=1) for jobs in (1, 8))
    assert all(cell.printed for cell in one)
    assert plain(one) == plain(other)


# --- which level a measure has


def test_own_measures_have_the_highest_level_and_are_never_timed(monkeypatch):
    def refuse(call) -> float:
        raise AssertionError("timed")

    monkeypatch.setattr("metaeval.search.gate.least_time", refuse)
    results = metaeval.run(["ce", "vi"], ["A.1"], ["canonical"], examples=0, exhaustive=2)
    assert {id: described["effort"] for id, described in results.to_json()["measures"].items()} == {
        "ce": 4,
        "vi": 4,
    }


def test_the_sample_is_a_pair_of_partitions_of_ninety_objects():
    for family in SAMPLE:
        assert family.shape[0] == 90
        assert sorted(row for rows, _ in family for row in rows) == list(range(90))
        assert len({cols for _, cols in family}) == 1
    assert SAMPLE.candidate != SAMPLE.gold


def test_the_least_of_five_times_counts_and_of_one_that_is_long(clock):
    times = iter([0.5, 0.3, 0.2, 0.4, 0.6, 0.1])

    def uneven(candidate, gold):
        clock.time += next(times)
        return Fraction(1)

    assert sample_time(make_measure(uneven, id="uneven")) == pytest.approx(0.2)
    calls = []

    def long(candidate, gold):
        calls.append(1)
        clock.time += 1.5
        return Fraction(1)

    assert sample_time(make_measure(long, id="long")) == pytest.approx(1.5)
    assert len(calls) == 1


def test_a_measure_without_a_score_on_the_sample_is_timed_all_the_same(clock):
    def fails(candidate, gold):
        clock.time += 0.02
        raise ValueError("too many objects")

    assert sample_time(make_measure(fails, id="fails")) == pytest.approx(0.02)


@pytest.mark.parametrize("how", ["hangs", "dies"])
def test_a_measure_that_is_lost_on_the_sample_passes_with_level_0(how, monkeypatch):
    monkeypatch.setattr("metaeval.runner.jobs.CALL_BUDGET", 0.2)

    def frail(candidate, gold):
        if gold.shape[0] >= 90:
            while how == "hangs":
                pass
            import os

            os._exit(3)
        return metaeval.score("bcubed", candidate, gold, exact=True)

    results = metaeval.run([frail], ["A.2"], ["canonical"], examples=5, exhaustive=3, proofs=False)
    assert (results.measures["frail"].gate, results.measures["frail"].effort) == (None, 0)
    assert results.cell("frail", "A.2").verdict is Verdict.HOLDS


def test_a_level_is_a_number_from_0_to_4(tmp_path):
    with pytest.raises(InputError, match="effort is 5; expected an integer from 0 to 4"):
        metaeval.run(["ce"], effort=5)
    said = CliRunner().invoke(cli.main, ["check", "ce", "--effort", "x"])
    assert said.exit_code == 2
    assert "'x' is not an integer from 0 to 4" in said.output
    data = metaeval.run(["ce"], ["A.1"], ["canonical"], examples=0, exhaustive=2).to_json()
    data["measures"]["ce"]["effort"] = 5
    with pytest.raises(InputError, match='"effort" of the measure ce is 5; expected a level from 0 to 4'):
        Results.from_json(data)


# --- what a level allows


def test_a_reduction_counts_calls_whether_they_are_cached_or_not():
    calls = Calls(5)
    calls.take(2)
    calls.take(2)
    with pytest.raises(OutOfCalls):
        calls.take(2)
    calls.take(1)
    Calls(LEVELS[HIGHEST].calls).take(10**9)


def test_a_reduction_ends_where_its_calls_do(monkeypatch):
    def large_only(candidate, gold):
        score = metaeval.score("bcubed", candidate, gold, exact=True)
        return score if len(gold) < 20 else -score

    def objects(calls: float) -> int:
        levels = [replace(effort, calls=calls) for effort in LEVELS]
        monkeypatch.setattr("metaeval.search.search.LEVELS", levels)
        results = metaeval.run([large_only], ["A.2"], ["canonical"], exhaustive=3, proofs=False, effort=2)
        return results.cell("large-only", "A.2").certificate.objects

    sizes = [objects(calls) for calls in (0, 10, inf)]
    assert sizes[0] > sizes[1] > sizes[2] == 21


def test_lists_and_draws_do_not_depend_on_the_level():
    def tried(effort: int):
        cell = metaeval.run(["bcubed"], ["A.2"], ["canonical"], examples=30, proofs=False, effort=effort).cells[0]
        return cell.cases, cell.exhaustive, cell.reached.objects

    every = [tried(effort) for effort in range(HIGHEST + 1)]
    assert len({exhaustive for _, exhaustive, _ in every}) == 1
    counts, sizes = [cases for cases, _, _ in every], [objects for _, _, objects in every]
    assert counts == sorted(counts)
    assert sizes == sorted(sizes)
    assert counts[0] < counts[1] < counts[HIGHEST]


# --- what is said of it


def check(*words: str):
    return CliRunner().invoke(
        cli.main, ["check", *words, "--condition", "B.5", "--reading", "canonical", "--quiet"]
    )


def test_a_check_prints_the_level_and_what_the_next_would_do(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")
    (tmp_path / "mine.py").write_text(
        "import metaeval\n\ndef mine(c, g):\n    return metaeval.score('rnia', c, g)\n"
    )
    said = check("mine.py:mine", "--effort", "2").output
    assert "gate: passed, effort 2 of 4\n" in said
    assert f"effort 2 of 4 tried {LEVELS[2]}; --effort 3 tries {LEVELS[3]}\n" in said
    said = check("ce").output
    assert "gate: passed, effort 4 of 4\n" in said
    assert "--effort" not in said


def test_a_timed_measure_is_told_what_the_next_level_costs(clock, capsys):
    heard = []
    metaeval.run(
        [taking(0.02, clock)], ["A.2"], ["canonical"], examples=5, listen=heard.append, budget=None, jobs=1
    )
    (gated,) = (event for event in heard if isinstance(event, Gated))
    (estimated,) = (event for event in heard if isinstance(event, Estimated))
    assert (gated.effort, gated.sample) == (2, pytest.approx(0.02))
    assert estimated.more == pytest.approx((LEVELS[3].sample_calls - LEVELS[2].sample_calls) * 0.02)
    from metaeval.cli.commands.check_output import next_level

    assert next_level(2, 90.0).endswith(f"--effort 3 tries {LEVELS[3]}, which takes about 90 s more")


def test_a_baseline_keeps_its_level(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")
    (tmp_path / "mine.py").write_text(
        "import metaeval\n\ndef mine(c, g):\n    return metaeval.score('rnia', c, g)\n"
    )
    assert check(
        "mine.py:mine", "--effort", "1", "--save", "mine.json", "--expect-violation", "B.5/canonical"
    ).output
    words = ["check", "mine.py:mine", "--against", "mine.json", "--quiet"]
    assert "gate: passed, effort 1 of 4\n" in CliRunner().invoke(cli.main, words).output
    refused = CliRunner().invoke(cli.main, [*words, "--effort", "2"])
    assert refused.exit_code == 2
    assert "--effort and --against exclude each other" in refused.output


# --- the budget only stops


def test_a_counterexample_outlives_the_budget(clock):
    """The budget ends while the counterexample is reduced: it stays one, and the cell says so."""
    measure, seen = find_measure("bcubed"), []

    def costly(candidate, gold):
        score = measure.value(candidate, gold)
        if len(gold) < 20:
            return score
        seen.append(1)
        clock.time += 1.0 if len(seen) > 8 else 0.0
        return -score

    results = metaeval.run(
        [costly], ["A.2"], ["canonical"], exhaustive=3, proofs=False, effort=4, budget=10, jobs=1
    )
    cell = results.cell("costly", "A.2")
    assert (cell.verdict, cell.stopped) == (Verdict.VIOLATED, True)
    assert cell.message == "stopped after 10 s: the counterexample is not fully reduced"
    data = results.to_json()
    assert data["cells"][0]["stopped"] is True
    assert Results.from_json(data).cells == results.cells
    data["cells"][0].update(verdict="timeout", certificate=None, violations=0)
    with pytest.raises(
        InputError, match="has the verdict timeout and was stopped; expected that only where it is"
    ):
        Results.from_json(data)


def test_a_cell_without_a_counterexample_says_how_far_it_came(clock):
    def costly(candidate, gold):
        clock.time += 1.0 if gold.shape[0] > 60 else 0.0
        return metaeval.score("bcubed", candidate, gold, exact=True)

    run = metaeval.run(
        [costly], ["A.2"], ["canonical"], examples=40, exhaustive=3, proofs=False, effort=4, budget=9
    )
    (cell,) = run
    assert cell.verdict is Verdict.TIMEOUT
    assert not cell.stopped
    tried, of = cell.message.removeprefix("stopped after 9 s: ").split(" large cases tried")[0].split(" of ")
    assert 0 < int(tried) < int(of) == 2 * 40


def test_a_counterexample_outlives_a_call_that_hangs():
    def hangs(candidate, gold):
        while gold.shape[0] > 40:
            pass
        score = metaeval.score("bcubed", candidate, gold, exact=True)
        return score if gold.shape[0] < 12 else -score

    def never_breaks(candidate, gold):
        while gold.shape[0] > 40:
            pass
        return metaeval.score("bcubed", candidate, gold, exact=True)

    where = {"conditions": ["A.2"], "readings": ["canonical"], "exhaustive": 3, "effort": 4}
    results = metaeval.run([hangs, never_breaks, "ce"], **where, budget=1, proofs=False, jobs=1)
    cell = results.cell("hangs", "A.2")
    assert (cell.verdict, cell.stopped) == (Verdict.VIOLATED, True)
    assert cell.message == "stopped: it gave no answer on a case within 1 s"
    assert results.cell("never-breaks", "A.2").verdict is Verdict.TIMEOUT
    assert results.cell("ce", "A.2").message is None


# --- who reads a clock

#: Metering, which the watchdog asks, and the display of progress.
MAY_READ = {"metaeval/engine/metering.py", "metaeval/cli/progress.py", "metaeval/cli/waiting.py"}
TIMES_OF_DAY = {"datetime.now", "datetime.utcnow", "datetime.today", "date.today", "os.times"}


def clocks_read(path: Path) -> set[str]:
    """What a module takes from ``time``, and the calls that ask for the time of day."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name in ("time", "timeit")}
        elif isinstance(node, ast.ImportFrom) and node.module in ("time", "timeit"):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = f"{node.value.id}.{node.attr}"
            found |= {name} & TIMES_OF_DAY
    return found


def test_only_metering_and_the_progress_display_read_a_clock():
    paths = [
        path
        for folder in ("metaeval", "conditions", "measures", "reports")
        for path in ROOT.glob(f"{folder}/**/*.py")
    ]
    reading = {str(path.relative_to(ROOT)): clocks_read(path) for path in paths}
    assert {name for name, clocks in reading.items() if clocks} == MAY_READ


def test_a_module_that_reads_a_clock_is_noticed(tmp_path):
    for text in ("import time\n", "from time import monotonic\n", "from datetime import date\ndate.today()\n"):
        (tmp_path / "module.py").write_text(text)
        assert clocks_read(tmp_path / "module.py")


def test_a_report_names_a_level_below_the_highest():
    results = metaeval.run(["ce", "vi"], ["A.1"], ["canonical"], examples=0, exhaustive=2, effort=1)
    assert "effort level 1 of 4" in render(results, "text")
    assert "effort level" not in render(metaeval.run(["ce"], ["A.1"], ["canonical"], exhaustive=2), "text")
