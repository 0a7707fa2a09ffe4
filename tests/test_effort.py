"""The effort level: evidence follows from the measure, the seed, the settings and the level, never from the clock."""

import ast
import os
from dataclasses import replace
from math import inf, sqrt
from pathlib import Path

import pytest
from test_backends import Cluster
from tools import ROOT, assert_one_sentence, plain, run_inside

import metaeval
from metaeval import InputError, Results
from metaeval.catalogue.measure import find_measure, make_measure
from metaeval.cli.commands.check_output import next_level
from metaeval.core.settings import HIGHEST, LEVELS, Calls, OutOfCalls
from metaeval.core.verdict import Verdict
from metaeval.records.compare import compare
from metaeval.records.results import merged
from metaeval.reports import render
from metaeval.runner.events import Estimated, Gated, Settled
from metaeval.search.gate import SAMPLE, sample_time
from metaeval.workers import budget as metering

#: As `--quick` asks for, whose cases come with the package.
QUICK = {"examples": 20, "exhaustive": 3, "proofs": False}
#: Large cases beyond 1,000 cells, which level 3 does not try, are among those of B.3.
SMALL = {**QUICK, "conditions": ["A.2", "B.3"], "readings": ["canonical", "overlapping"]}
ONE = {**QUICK, "conditions": ["A.2"], "readings": ["canonical"]}
FEWEST = {**ONE, "examples": 0, "exhaustive": 2}
#: Seconds for a call, in the middle between two thresholds.
BETWEEN_3_AND_4 = 0.001
MIDDLE_OF_3 = sqrt(0.001 * 0.008)


class FakeClock:
    """Processor time that passes only where a measure says so; a worker is forked with its parent's clock."""

    time = 0.0

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


def level(results) -> int:
    return results.to_json()["measures"]["timed"]["effort"]


# --- the clock decides the level and nothing else
def test_at_a_threshold_the_files_say_so_and_the_level_repeats_each(clock):
    settings = {**SMALL, "conditions": ["B.3"], "readings": ["canonical"], "jobs": 1, "budget": None}
    below, above, slower = (
        metaeval.run([taking(seconds, clock)], **settings)
        for seconds in (0.9 * BETWEEN_3_AND_4, 1.1 * BETWEEN_3_AND_4, 2 * MIDDLE_OF_3)
    )
    assert (level(below), level(above), level(slower)) == (4, 3, 3)
    assert plain(below) != plain(above) == plain(slower)
    assert below.cell("timed", "B.3").verdict is Verdict.VIOLATED  # on a large case, which level 3 leaves out
    assert above.cell("timed", "B.3").verdict is Verdict.HOLDS
    for results in (below, above):
        again = metaeval.run([taking(1.0, clock)], **settings, effort=level(results))
        assert plain(again) == plain(results)
    assert compare(below, above).efforts == {"timed": (4, 3)}
    with pytest.raises(InputError, match="one has timed at effort level 4 and other at 3; run one of them again"):
        merged({"one": below, "other": above})


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), workers=2)
    yield cluster
    cluster.close()


def test_jobs_backends_and_a_killed_run_give_the_same_file(clock, cluster, tmp_path):
    measure, options = taking(MIDDLE_OF_3, clock), {**SMALL, "budget": None}
    whole = plain(metaeval.run([measure, "rnia"], **options, jobs=8))
    on_dask = metaeval.run([measure, "rnia"], **options, backend="dask", address=cluster.address)
    assert plain(on_dask) == whole
    out = tmp_path / "results.json"

    def kill(event) -> None:
        if isinstance(event, Settled) and event.condition.id == "B.3":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        metaeval.run([measure, "rnia"], **options, jobs=1, out=out, listen=kill)
    assert 0 < len(Results.load(out)) < len(whole["cells"])
    # The machine is busier now; the level is the file's.
    metaeval.run([taking(100.0, clock), "rnia"], **options, jobs=1, out=out, resume=True)
    assert plain(out) == whole


def test_a_file_is_not_resumed_at_another_level(clock, tmp_path):
    out = tmp_path / "results.json"
    metaeval.run([taking(MIDDLE_OF_3, clock)], **FEWEST, out=out)
    with pytest.raises(InputError, match="has timed at effort level 3, this run asks for 2; run with --effort 3"):
        metaeval.run([taking(MIDDLE_OF_3, clock)], **FEWEST, out=out, resume=True, effort=2)


def test_what_a_measure_prints_does_not_depend_on_how_jobs_are_cut():
    """Readings share what is cached in one job, and not in one job each."""

    def talks(candidate, gold):
        print(sorted(map(len, gold.biclusters[0])) if gold else [], len(candidate), end=" ")
        return metaeval.score("bcubed", candidate, gold, exact=True)

    one, other = (metaeval.run([talks], **SMALL, jobs=jobs, effort=0) for jobs in (1, 8))
    assert all(cell.printed for cell in one)
    assert plain(one) == plain(other)


# --- which level a measure has
def test_own_measures_have_the_highest_level_and_are_never_timed(monkeypatch):
    def refuse(call) -> float:
        raise AssertionError("timed")

    monkeypatch.setattr("metaeval.search.gate.least_time", refuse)
    results = metaeval.run(["ce", "vi"], **FEWEST)
    assert results.efforts == {"ce": 4, "vi": 4}
    assert "effort level" not in render(results, "text")
    assert "effort level 1 of 4" in render(metaeval.run(["ce", "vi"], **FEWEST, effort=1), "text")


def test_the_least_of_five_times_counts_and_of_one_that_is_long(clock):
    def timed(*times: float) -> tuple[float, int]:
        rest = list(times)

        def uneven(candidate, gold):
            clock.time += rest.pop(0)
            raise ValueError("a measure without a score is timed all the same")

        return sample_time(make_measure(uneven, id="uneven")), len(rest)

    assert timed(0.5, 0.3, 0.2, 0.4, 0.6, 0.1) == (pytest.approx(0.2), 1)
    assert timed(1.5, 0.1) == (pytest.approx(1.5), 1)
    # On a pair of partitions of ninety objects.
    for family in SAMPLE:
        assert sorted(row for rows, _ in family for row in rows) == list(range(90))
        assert len({cols for _, cols in family}) == 1
    assert SAMPLE.candidate != SAMPLE.gold


def test_a_measure_that_is_lost_on_the_sample_passes_with_level_0(monkeypatch):
    monkeypatch.setattr("metaeval.runner.jobs.CALL_BUDGET", 0.2)

    def hangs(candidate, gold):
        while gold.shape[0] >= 90:
            pass
        return metaeval.score("bcubed", candidate, gold, exact=True)

    def dies(candidate, gold):
        return os._exit(3) if gold.shape[0] >= 90 else metaeval.score("bcubed", candidate, gold, exact=True)

    results = metaeval.run([hangs, dies], **FEWEST, jobs=1)
    for id in ("hangs", "dies"):
        assert (results.measures[id].gate, results.measures[id].effort) == (None, 0)
        assert results.cell(id, "A.2").verdict is Verdict.HOLDS


def test_a_level_is_a_number_from_0_to_4():
    with pytest.raises(InputError, match="effort is 5; expected an integer from 0 to 4"):
        metaeval.run(["ce"], effort=5)
    assert_one_sentence(run_inside("check", "ce", "--effort", "x"), "'x' is not an integer from 0 to 4")
    data = metaeval.run(["ce"], **FEWEST).to_json()
    data["measures"]["ce"]["effort"] = 5
    with pytest.raises(InputError, match='"effort" of the measure ce must be a whole number up to 4, not 5'):
        Results.from_json(data)


# --- what a level allows
def test_a_reduction_ends_where_its_calls_do(monkeypatch):
    """They count whether they are cached or not."""
    calls = Calls(5)
    calls.take(2)
    calls.take(2)
    with pytest.raises(OutOfCalls):
        calls.take(2)
    calls.take(1)
    Calls(LEVELS[HIGHEST].calls).take(10**9)

    def large_only(candidate, gold):
        score = metaeval.score("bcubed", candidate, gold, exact=True)
        return score if len(gold) < 20 else -score

    def objects(calls: float) -> int:
        levels = [replace(effort, calls=calls) for effort in LEVELS]
        monkeypatch.setattr("metaeval.search.search.LEVELS", levels)
        return metaeval.run([large_only], **ONE, effort=2).cell("large-only", "A.2").certificate.objects

    sizes = [objects(calls) for calls in (0, 10, inf)]
    assert sizes[0] > sizes[1] > sizes[2] == 21


def test_lists_and_draws_do_not_depend_on_the_level():
    cells = [metaeval.run(["bcubed"], **ONE, effort=effort).cells[0] for effort in (0, 1, HIGHEST)]
    assert len({cell.exhaustive for cell in cells}) == 1
    counts, sizes = [cell.cases for cell in cells], [cell.reached.objects for cell in cells]
    assert sizes == sorted(sizes)
    assert counts[0] < counts[1] < counts[2]


# --- what is said of it
def test_a_check_prints_the_level_and_a_baseline_keeps_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")
    (tmp_path / "mine.py").write_text("import metaeval\n\ndef mine(c, g):\n    return metaeval.score('rnia', c, g)\n")
    few = ["--condition", "B.5", "--reading", "canonical", "--examples", "0", "--exhaustive", "2", "--quiet"]
    said = run_inside("check", "mine.py:mine", *few, "--effort", "1", "--save", "mine.json").out
    assert "gate: passed, effort 1 of 4\n" in said
    assert f"effort 1 of 4 tried {LEVELS[1]}; --effort 2 tries {LEVELS[2]}\n" in said
    said = run_inside("check", "ce", *few).out
    assert "gate: passed, effort 4 of 4\n" in said
    assert "--effort" not in said
    against = ["check", "mine.py:mine", "--against", "mine.json", "--quiet"]
    assert "gate: passed, effort 1 of 4\n" in run_inside(*against).out
    assert_one_sentence(run_inside(*against, "--effort", "2"), "--effort and --against exclude each other")


def test_a_timed_measure_is_told_what_the_next_level_costs(clock):
    heard = []
    metaeval.run([taking(0.02, clock)], **FEWEST, listen=heard.append, budget=None, jobs=1)
    (gated,) = (event for event in heard if isinstance(event, Gated))
    (estimated,) = (event for event in heard if isinstance(event, Estimated))
    assert (gated.effort, gated.sample) == (2, pytest.approx(0.02))
    assert estimated.more == pytest.approx((LEVELS[3].sample_calls - LEVELS[2].sample_calls) * 0.02)
    assert next_level(2, 90.0).endswith(f"--effort 3 tries {LEVELS[3]}, which takes about 90 s more")


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

    results = metaeval.run([costly], **ONE, effort=4, budget=10, jobs=1)
    cell = results.cell("costly", "A.2")
    assert (cell.verdict, cell.stopped) == (Verdict.VIOLATED, True)
    assert cell.message == "stopped after 10 s: the counterexample is not fully reduced"
    data = results.to_json()
    assert data["cells"][0]["stopped"] is True
    assert Results.from_json(data).cells == results.cells
    data["cells"][0].update(verdict="timeout", certificate=None, violations=0)
    with pytest.raises(InputError, match="has the verdict timeout and was stopped; only a violated cell can be"):
        Results.from_json(data)


def test_a_cell_without_a_counterexample_says_how_far_it_came(clock):
    def costly(candidate, gold):
        clock.time += 1.0 if gold.shape[0] > 60 else 0.0
        return metaeval.score("bcubed", candidate, gold, exact=True)

    (cell,) = metaeval.run([costly], **ONE, effort=4, budget=9)
    assert cell.verdict is Verdict.TIMEOUT
    assert not cell.stopped
    tried, of = cell.message.removeprefix("stopped after 9 s: ").split(" large cases tried")[0].split(" of ")
    assert 0 < int(tried) < int(of) == 2 * 20


def test_a_counterexample_outlives_a_call_that_hangs():
    def hangs(candidate, gold):
        while gold.shape[0] > 40:
            pass
        score = metaeval.score("bcubed", candidate, gold, exact=True)
        return score if gold.shape[0] < 12 else -score

    def never_breaks(candidate, gold):
        return hangs(candidate, gold) if gold.shape[0] > 40 else metaeval.score("bcubed", candidate, gold, exact=True)

    results = metaeval.run(
        [hangs, never_breaks, "ce"], ["A.2"], ["canonical"], effort=4, budget=1, jobs=1, proofs=False
    )
    cell = results.cell("hangs", "A.2")
    assert (cell.verdict, cell.stopped) == (Verdict.VIOLATED, True)
    assert cell.message == "stopped: it gave no answer on a case within 1 s"
    assert results.cell("never-breaks", "A.2").verdict is Verdict.TIMEOUT
    assert results.cell("ce", "A.2").message is None


# --- who reads a clock

#: Metering, which the watchdog asks, and the display of progress.
MAY_READ = {"metaeval/workers/budget.py", "metaeval/cli/progress.py", "metaeval/cli/tables.py"}
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


def test_only_metering_and_the_progress_display_read_a_clock(tmp_path):
    folders = ("metaeval", "conditions", "measures", "reports")
    paths = [path for folder in folders for path in ROOT.glob(f"{folder}/**/*.py")]
    assert {str(path.relative_to(ROOT)) for path in paths if clocks_read(path)} == MAY_READ
    for text in ("import time\n", "from time import monotonic\n", "from datetime import date\ndate.today()\n"):
        (tmp_path / "module.py").write_text(text)
        assert clocks_read(tmp_path / "module.py")
