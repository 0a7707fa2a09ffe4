"""Cases that are kept: the same answers with them and without, and nothing that a bad file can do."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import metaeval
from metaeval import Case, Side, cli
from metaeval.cases import cache_folder as caching
from metaeval.cases import store as draws
from metaeval.cases.cache_folder import FOLDER, Cache, StockKey
from metaeval.cases.order import CaseSource
from metaeval.cases.pack import Malformed, Stock, StockedSource, _Form, _Packer, packed
from metaeval.cases.sampling import Sampler, Sampling, sample_here
from metaeval.catalogue.condition import find_condition
from metaeval.catalogue.measure import find_measure
from metaeval.core.biclustering import Biclustering
from metaeval.core.settings import Settings
from metaeval.runner.events import Event, Noted
from metaeval.search.search import Tainted, search
from metaeval.session import run

SMALL = {"examples": 4, "exhaustive": 2, "jobs": 1}
PLACE = (["rnia"], ["A.1", "B.2"], ["canonical"])
KEY = StockKey("A.1", 4, 0, 2)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of one's own, and a process that remembers nothing."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "cache"))
    monkeypatch.setattr(draws, "_REMEMBERED", {})
    return tmp_path / "cache"


@pytest.fixture
def forget(monkeypatch: pytest.MonkeyPatch):
    return lambda: monkeypatch.setattr(draws, "_REMEMBERED", {})


@pytest.fixture(scope="module")
def stock() -> bytes:
    condition = find_condition("A.1")
    return packed(condition, {name: sample_here(("A.1", name), 4, 0) for name in condition.readings}, 3)


def answer(**options):
    """All that a run finds, but for the time it took, and what it says on the way."""
    said: list[Event] = []
    results = run(*PLACE, **SMALL, listen=said.append, proofs=False, **options)
    cells = [{**cell, "seconds": 0} for cell in results.to_json()["cells"]]
    return cells, [event.sentence for event in said if isinstance(event, Noted)]


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.stock"))


def exact(cases):
    return [[(part.biclusters, part.shape) for side in case for part in side] for case in cases]


# --- the stock


@pytest.mark.parametrize("condition", metaeval.conditions())
def test_a_stock_holds_what_the_readings_try_in_that_order(condition):
    subject = find_condition(condition)
    drawn = {name: sample_here((condition, name), 4, 1) for name in subject.readings}
    every = [case for cases in drawn.values() for case in cases]
    for exhaustive in (0, 2):
        stock = Stock(packed(subject, drawn, exhaustive, seed=1, most_large=3))
        assert stock.condition == condition
        for name, reading in subject.readings.items():
            live = CaseSource(subject, reading, every, exhaustive, seed=1, most_large=3)
            kept = StockedSource(reading, stock)
            levels = [(objects, exact(cases)) for objects, cases in live.levels()]
            assert [(objects, exact(cases)) for objects, cases in kept.levels()] == levels
            assert exact(kept.listed_elsewhere()) == exact(live.listed_elsewhere())
            assert exact(kept.drawn()) == exact(live.drawn())
            assert exact(kept.large()) == exact(live.large())
            assert stock.number_drawn(name) == len(drawn[name])


def test_a_stock_keeps_the_order_of_biclusters():
    condition = find_condition("A.5")
    case = sample_here(("A.5", "repeated"), 20, 0)[-1]
    turned = Case(Side(backwards(case.left.candidate), case.left.gold), case.right)
    stock = Stock(packed(condition, {name: [turned] for name in condition.readings}, 0))
    source = StockedSource(condition.reading("repeated"), stock)
    assert exact(source.drawn()) == exact([turned])


def backwards(part):
    return Biclustering(part.biclusters[::-1], part.shape)


def test_reading_a_stock_shares_what_is_shared(stock):
    source = StockedSource(find_condition("A.1").reading("canonical"), Stock(stock))
    case = next(case for _, cases in source.levels() for case in cases)
    assert case.left.gold is case.right.gold


@pytest.mark.parametrize("cut", [0, 1, 10, 1000, -1, -4])
def test_a_stock_that_was_cut_short_is_none(stock, cut):
    with pytest.raises(Malformed):
        Stock(stock[:cut])


def test_numbers_that_point_nowhere_are_noticed(stock):
    """Whatever one number is changed to, the bytes are refused, or every case can still be built."""
    line, _, rest = stock.partition(b"\n")
    refused = 0
    for place in range(0, len(rest), len(rest) // 100 // 4 * 4):
        try:
            changed = Stock(line + b"\n" + rest[:place] + b"\xff\xff\xff\x7f" + rest[place + 4 :])
        except Malformed:
            refused += 1
            continue
        for name in changed.readings:
            for part in (*changed.levels(name), *changed.parts(name)):
                assert len(list(changed.cases(part))) == len(part)
    assert refused


@pytest.mark.parametrize("head", [b"", b"[]", b"null", b"{}", b'{"condition": "A.1"}', b"\xff", pickle.dumps([1])])
def test_a_head_that_is_none_is_refused(head):
    with pytest.raises(Malformed):
        Stock(head + b"\n")


# --- the same answers


def test_the_answer_is_the_same_cold_warm_remembered_and_without_the_cache(folder, forget):
    cold, said = answer()
    assert said == []
    assert len(files(folder)) == 2
    assert answer() == (cold, [])
    forget()
    assert answer() == (cold, [])
    forget()
    assert answer(cache=False) == (cold, [])


def test_without_the_cache_nothing_is_written(folder):
    answer(cache=False)
    assert not folder.exists()


def test_a_warm_run_makes_nothing(folder, forget, monkeypatch):
    answer()
    forget()
    monkeypatch.setattr(draws, "Sampler", lambda job: pytest.fail("made anew"))
    answer()


def test_other_settings_are_other_files(folder, forget):
    for options in ({}, {"seed": 1}, {"examples": 5}, {"exhaustive": 1}):
        forget()
        run(["rnia"], ["B.5"], ["canonical"], **{**SMALL, **options}, proofs=False)
    assert len(files(folder)) == 4


def test_other_code_is_another_file(monkeypatch):
    before = KEY.name
    with monkeypatch.context() as patched:
        patched.setattr(caching, "_versions", lambda: {"hypothesis": "0"})
        assert KEY.name != before
    monkeypatch.setattr(caching, "digest_of_condition", lambda condition: "others")
    assert KEY.name != before


def test_a_condition_that_was_changed_in_this_process_is_not_taken_from_elsewhere():
    condition = find_condition("A.1")
    assert draws._is_ours(condition)
    reading = replace(condition.reading("canonical"), enumerate_=lambda objects: iter(()))
    assert not draws._is_ours(replace(condition, readings={"canonical": reading}))


# --- files that are not to be believed


def spoil(path: Path, how: str) -> None:
    data = path.read_bytes()
    if how == "empty":
        path.write_bytes(b"")
    elif how == "truncated":
        path.write_bytes(data[: len(data) // 2])
    elif how == "one bit":
        path.write_bytes(data[:-100] + bytes([data[-100] ^ 1]) + data[-99:])
    elif how == "longer":
        path.write_bytes(data + b"\0\0\0\0")
    elif how == "foreign":
        path.write_bytes(os.urandom(len(data)))
    elif how == "pickle":
        path.write_bytes(pickle.dumps(data))
    elif how == "unsigned":
        path.write_bytes(data[:17] + bytes(32) + data[49:])


KINDS = ["empty", "truncated", "one bit", "longer", "foreign", "pickle", "unsigned"]


@pytest.mark.parametrize("how", KINDS)
def test_a_bad_file_is_noticed_and_not_believed(folder, stock, how):
    cache = Cache(folder)
    cache.store(KEY, stock)
    (path,) = files(folder)
    spoil(path, how)
    said: list[str] = []
    assert cache.load(KEY, said.append) is None
    assert len(said) == 1
    assert "made anew" in said[0]
    cache.store(KEY, stock)
    assert cache.load(KEY, said.append) == stock
    assert len(said) == 1


def test_bad_files_are_noticed_once_in_a_run_and_made_anew(folder, forget):
    good, _ = answer()
    for path in files(folder):
        spoil(path, "one bit")
    forget()
    cells, said = answer()
    assert cells == good
    assert len(said) == 1
    assert "made anew" in said[0]
    forget()
    assert answer() == (good, [])


def test_a_file_of_another_key_is_not_taken_for_this_one(folder, stock):
    cache = Cache(folder)
    cache.store(KEY, stock)
    other = StockKey("A.1", 4, 0, 1)
    os.replace(folder / KEY.name, folder / other.name)
    said: list[str] = []
    assert cache.load(other, said.append) is None
    assert len(said) == 1


def test_a_file_that_was_signed_with_another_secret_is_not_believed(folder, stock):
    cache = Cache(folder)
    cache.store(KEY, stock)
    assert cache.load(KEY) == stock
    (folder / "secret").write_bytes(os.urandom(32))
    assert cache.load(KEY) is None
    cache.store(KEY, stock)
    assert cache.load(KEY) == stock


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners and modes of files are told on POSIX")
def test_a_secret_that_others_may_read_is_none(folder, stock):
    cache = Cache(folder)
    cache.store(KEY, stock)
    (folder / "secret").chmod(0o644)
    assert cache.load(KEY) is None
    cache.store(KEY, stock)
    assert cache.load(KEY) == stock
    assert (folder / "secret").stat().st_mode & 0o077 == 0


def test_a_stock_signed_well_but_of_cases_that_are_no_instances_convicts_nobody(folder, forget):
    """Cases of another condition, on which the measure breaks the relation: a premise notices."""
    good, _ = answer()
    condition = find_condition("A.1")
    alien = next(find_condition("B.2").reading("canonical").enumerate_(2))
    forged = _with_cases("A.1", [alien])
    with pytest.raises(Tainted):
        search(condition, condition.reading("canonical"), [find_measure("rnia")], forged)
    Cache(folder).store(KEY, forged)
    forget()
    assert answer() == (good, [])


def _with_cases(id: str, cases: list) -> bytes:
    """A stock in which every reading lists just these cases."""
    packer = _Packer(_Form.of(find_condition(id)))
    entry = {"drawn": 1, "levels": [1], "parts": [0, 0, 0]}
    for _ in find_condition(id).readings:
        packer._tried(cases)
    return packer.written({"condition": id, "readings": dict.fromkeys(find_condition(id).readings, entry)})


# --- folders


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="modes of folders count on POSIX")
@pytest.mark.parametrize("mode", [0o000, 0o500])
def test_a_folder_that_cannot_be_used_is_done_without(folder, mode):
    folder.mkdir()
    folder.chmod(mode)
    try:
        cells, _ = answer()
    finally:
        folder.chmod(0o700)
    assert cells


def test_a_file_in_place_of_the_folder_is_done_without(folder):
    folder.write_text("in the way")
    assert answer()[0]
    assert folder.read_text() == "in the way"


def test_the_folder_is_the_users_alone(folder, stock):
    Cache(folder).store(KEY, stock)
    assert folder.stat().st_mode & 0o077 == 0


def test_the_folder_does_not_grow_without_end(folder, stock, monkeypatch):
    monkeypatch.setattr(caching, "MOST_BYTES", 3 * len(stock))
    cache = Cache(folder)
    for seed in range(6):
        cache.store(StockKey("A.1", 4, seed, 2), stock)
        os.utime(folder / StockKey("A.1", 4, seed, 2).name, (seed, seed))
    left = {path.name for path in files(folder)}
    assert len(left) <= 3
    assert StockKey("A.1", 4, 5, 2).name in left


WRITER = """
import sys
from pathlib import Path
from metaeval.cases.cache_folder import Cache, StockKey
cache, stock = Cache(Path(sys.argv[1])), Path(sys.argv[2]).read_bytes()
for number in range(40):
    key = StockKey("A.1", 4, number % 4, 2)
    cache.store(key, stock)
    assert cache.load(key, lambda said: sys.exit(said)) == stock
"""


def test_writers_do_not_disturb_each_other(folder, stock, tmp_path):
    (tmp_path / "stock").write_bytes(stock)
    command = [sys.executable, "-c", WRITER, str(folder), str(tmp_path / "stock")]
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda _: subprocess.run(command, capture_output=True, text=True), range(3)))
    assert [(one.returncode, one.stderr) for one in done] == [(0, "")] * 3
    assert not list(folder.glob(".metaeval-*"))


# --- the command


def command(*words: str):
    return CliRunner().invoke(cli.main, list(words))


def test_the_command_shows_and_clears(folder, stock):
    assert "0 files" in command("cache").output
    Cache(folder).store(KEY, stock)
    shown = command("cache").output
    assert str(folder) in shown
    assert "1 file," in shown
    assert KEY.name in shown
    assert "1 file removed" in command("cache", "clear").output
    assert list(folder.iterdir()) == []


def test_the_command_shows_files_that_it_cannot_read(folder):
    folder.mkdir()
    (folder / "A.1-0.stock").write_bytes(b"\xff")
    assert "A.1-0.stock" in command("cache").output


def test_the_option_reaches_the_search(folder, forget, tmp_path):
    words = ["--examples", "5", "--exhaustive", "2", "--jobs", "1", "--quiet", "--no-proofs"]
    words += ["--condition", "B.5", "--reading", "canonical"]
    assert command("check", "rnia", *words, "--no-cache").exit_code == 1
    assert not folder.exists()
    forget()
    out = str(tmp_path / "r.json")
    assert command("run", "--measure", "rnia", *words, "--out", out).exit_code == 0
    assert len(files(folder)) == 1
    assert json.loads(Path(out).read_text())["cells"]


def test_the_clean_process_makes_what_this_one_would_read():
    sampler = Sampler(Sampling(("B.5",), 5, 0, 2))
    try:
        id, made = sampler.next()
    finally:
        sampler.close()
    assert id == "B.5"
    assert made is not None
    assert Stock(made).condition == "B.5"


def test_settings_say_that_there_is_a_cache():
    assert Settings().cache
    assert Settings(cache=False).words() == []
