"""Case packs and their store: the same answers with every layer and without, and nothing that a bad file can do."""

import json
import lzma
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from tools import exact, run_inside

import metaeval
from metaeval import Biclustering, Case, Side, run
from metaeval.cases import store
from metaeval.cases.order import CaseSource
from metaeval.cases.pack import CasePack, Malformed, PackedSource, _Packer, opened, packed
from metaeval.cases.sampling import Sampler, sample_here
from metaeval.cases.store import FOLDER, Disk, Memory, PackKey, Shipped
from metaeval.catalogue.condition import condition_of, find_condition
from metaeval.catalogue.measure import find_measure
from metaeval.runner.events import Event, Noted
from metaeval.search.search import NoInstance, search

SMALL = {"examples": 4, "exhaustive": 2, "jobs": 1}
PLACE = (["rnia"], ["A.1", "B.2"], ["canonical"])
KEY = PackKey("A.1", 4, 0, 2)
SHIPPED = Shipped()
KEYS = [pytest.param(kind, key, id=f"{key.condition}-{kind}") for kind, key in SHIPPED.every_key()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder for one test, and a process that remembers nothing."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "cache"))
    monkeypatch.setattr(Memory, "_packs", {})
    return tmp_path / "cache"


@pytest.fixture
def forget(monkeypatch: pytest.MonkeyPatch):
    return lambda: monkeypatch.setattr(Memory, "_packs", {})


@pytest.fixture(scope="module")
def pack() -> bytes:
    condition = find_condition("A.1")
    return packed(condition, {name: sample_here(("A.1", name), 4, 0) for name in condition.readings}, 3)


def answer(**options):
    """All that a run finds, but for the time it took, and what it says on the way."""
    said: list[Event] = []
    results = run(*PLACE, **SMALL, listen=said.append, proofs=False, **options)
    cells = [{**cell, "seconds": 0} for cell in results.to_json()["cells"]]
    return cells, [event.sentence for event in said if isinstance(event, Noted)]


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.pack"))


# --- the pack
@pytest.mark.parametrize("condition", metaeval.conditions())
def test_a_pack_holds_what_the_readings_try_in_that_order(condition):
    subject = find_condition(condition)
    drawn = {name: sample_here((condition, name), 4, 1) for name in subject.readings}
    every = [case for cases in drawn.values() for case in cases]
    for exhaustive in (0, 2):
        pack = CasePack(packed(subject, drawn, exhaustive, seed=1, most_large=3))
        assert pack.condition == condition
        for name, reading in subject.readings.items():
            live = CaseSource(subject, reading, every, exhaustive, seed=1, most_large=3)
            kept = PackedSource(reading, pack)
            levels = [(objects, exact(cases)) for objects, cases in live.levels()]
            assert [(objects, exact(cases)) for objects, cases in kept.levels()] == levels
            assert exact(kept.listed_elsewhere()) == exact(live.listed_elsewhere())
            assert exact(kept.drawn()) == exact(live.drawn())
            assert exact(kept.large()) == exact(live.large())
            assert pack.number_drawn(name) == len(drawn[name])


def test_a_pack_keeps_the_order_of_biclusters():
    condition = find_condition("A.5")
    case = sample_here(("A.5", "repeated"), 20, 0)[-1]
    part = case.left.candidate
    turned = Case(Side(Biclustering(part.biclusters[::-1], part.shape), case.left.gold), case.right)
    pack = CasePack(packed(condition, {name: [turned] for name in condition.readings}, 0))
    source = PackedSource(condition.reading("repeated"), pack)
    assert exact(source.drawn()) == exact([turned])


def test_reading_a_pack_shares_what_is_shared(pack):
    source = PackedSource(find_condition("A.1").reading("canonical"), CasePack(pack))
    case = next(case for _, cases in source.levels() for case in cases)
    assert case.left.gold is case.right.gold


@pytest.mark.parametrize("cut", [0, 1, 10, 1000, -1, -4])
def test_a_pack_that_was_cut_short_is_none(pack, cut):
    with pytest.raises(Malformed):
        CasePack(pack[:cut])


def test_numbers_that_point_nowhere_are_noticed(pack):
    """Whatever one number is changed to, the bytes are refused, or every case can still be built."""
    line, _, rest = pack.partition(b"\n")
    refused = 0
    for place in range(0, len(rest), len(rest) // 100 // 4 * 4):
        try:
            changed = CasePack(line + b"\n" + rest[:place] + b"\xff\xff\xff\x7f" + rest[place + 4 :])
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
        CasePack(head + b"\n")


# --- the same answers
def test_the_answer_is_the_same_cold_warm_remembered_and_without_the_cache(folder, forget):
    answer(cache=False)
    assert not folder.exists()
    forget()
    cold, said = answer()
    assert (said, len(files(folder))) == ([], 2)
    assert answer() == (cold, [])
    forget()
    assert answer() == (cold, [])
    forget()
    assert answer(cache=False) == (cold, [])


def test_a_warm_run_makes_nothing(folder, forget, monkeypatch):
    answer()
    forget()
    monkeypatch.setattr(store, "Sampler", lambda *asked: pytest.fail("made anew"))
    answer()


def test_other_settings_are_other_files(folder, forget):
    for options in ({}, {"seed": 1}, {"examples": 5}, {"exhaustive": 1}):
        forget()
        run(["rnia"], ["B.5"], ["canonical"], **{**SMALL, **options}, proofs=False)
    assert len(files(folder)) == 4


def test_other_code_is_another_file(monkeypatch):
    before = KEY.file_name
    with monkeypatch.context() as patched:
        patched.setattr(store, "_versions", lambda: {"hypothesis": "0"})
        assert KEY.file_name != before
    monkeypatch.setattr(store, "digest_of_condition", lambda condition: "others")
    assert KEY.file_name != before


def test_a_condition_that_was_changed_in_this_process_is_not_taken_from_elsewhere():
    condition = find_condition("A.1")
    assert store._is_own(condition)
    reading = replace(condition.reading("canonical"), enumerate_=lambda objects: iter(()))
    assert not store._is_own(replace(condition, readings={"canonical": reading}))


# --- files that are not to be believed
SPOILT = {
    "empty": lambda data: b"", "truncated": lambda data: data[: len(data) // 2],
    "one bit": lambda data: data[:-100] + bytes([data[-100] ^ 1]) + data[-99:], "longer": lambda data: data + bytes(4),
    "foreign": lambda data: os.urandom(len(data)), "pickle": pickle.dumps,
    "no checksum": lambda data: data[:16] + bytes(32) + data[48:],
}  # fmt: skip


def spoil(path: Path, how: str) -> None:
    path.write_bytes(SPOILT[how](path.read_bytes()))


@pytest.mark.parametrize("how", SPOILT)
def test_a_bad_file_is_noticed_and_not_believed(folder, pack, how):
    said: list[str] = []
    disk = Disk(folder, said.append)
    disk.put(KEY, pack)
    spoil(folder / KEY.file_name, how)
    assert disk.get(KEY) is None
    assert len(said) == 1
    assert "made anew" in said[0]
    disk.put(KEY, pack)
    assert disk.get(KEY) == pack
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


def test_a_file_of_another_key_is_not_taken_for_this_one(folder, pack):
    said: list[str] = []
    disk = Disk(folder, said.append)
    disk.put(KEY, pack)
    other = PackKey("A.1", 4, 0, 1)
    os.replace(folder / KEY.file_name, folder / other.file_name)
    assert disk.get(other) is None
    assert len(said) == 1


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="this system has no owners of files")
@pytest.mark.parametrize("how", ["owner", "mode"])
def test_a_file_that_somebody_else_may_have_written_is_not_believed(folder, pack, how, monkeypatch):
    said: list[str] = []
    disk = Disk(folder, said.append)
    disk.put(KEY, pack)
    if how == "mode":
        (folder / KEY.file_name).chmod(0o620)
    else:
        monkeypatch.setattr(os, "getuid", lambda: os.stat(folder).st_uid + 1)
    assert disk.get(KEY) is None
    assert "belongs to another user" in said[0]


def test_where_a_system_has_no_owners_the_checksum_decides(folder, pack, monkeypatch):
    monkeypatch.delattr(os, "getuid")
    disk = Disk(folder)
    disk.put(KEY, pack)
    assert disk.get(KEY) == pack
    spoil(folder / KEY.file_name, "one bit")
    assert disk.get(KEY) is None


def test_a_pack_of_cases_that_are_no_instances_convicts_nobody(folder, forget):
    """Cases of another condition, on which the measure breaks the relation: a premise notices."""
    good, _ = answer()
    condition = find_condition("A.1")
    alien = next(find_condition("B.2").reading("canonical").enumerate_(2))
    forged = _with_cases("A.1", [alien])
    with pytest.raises(NoInstance):
        search(condition, condition.reading("canonical"), [find_measure("rnia")], CasePack(forged))
    Disk(folder).put(KEY, forged)
    forget()
    assert answer() == (good, [])


def _with_cases(id: str, cases: list) -> bytes:
    """A pack in which every reading lists just these cases."""
    packer = _Packer()
    entry = {"drawn": 1, "levels": [1], "parts": [0, 0, 0]}
    for _ in find_condition(id).readings:
        packer._tried(cases)
    readings = dict.fromkeys(find_condition(id).readings, entry)
    return packer.written({"condition": id, "sides": 2, "readings": readings})


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


def test_the_folder_is_the_users_alone(folder, pack):
    Disk(folder).put(KEY, pack)
    assert folder.stat().st_mode & 0o077 == 0


def test_the_folder_does_not_grow_without_end(folder, pack, monkeypatch):
    monkeypatch.setattr(store, "MOST_BYTES", 3 * len(pack))
    disk = Disk(folder)
    for seed in range(6):
        disk.put(PackKey("A.1", 4, seed, 2), pack)
        os.utime(folder / PackKey("A.1", 4, seed, 2).file_name, (seed, seed))
    left = {path.name for path in files(folder)}
    assert len(left) <= 3
    assert PackKey("A.1", 4, 5, 2).file_name in left


WRITER = """
import sys
from pathlib import Path
from metaeval.cases.store import Disk, PackKey
disk, pack = Disk(Path(sys.argv[1]), lambda said: sys.exit(said)), Path(sys.argv[2]).read_bytes()
for number in range(40):
    key = PackKey("A.1", 4, number % 4, 2)
    disk.put(key, pack)
    assert disk.get(key) == pack
"""


def test_writers_do_not_disturb_each_other(folder, pack, tmp_path):
    (tmp_path / "pack").write_bytes(pack)
    command = [sys.executable, "-c", WRITER, str(folder), str(tmp_path / "pack")]
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda _: subprocess.run(command, capture_output=True, text=True), range(3)))
    assert [(one.returncode, one.stderr) for one in done] == [(0, "")] * 3
    assert not list(folder.glob(".metaeval-*"))


# --- the command
def test_the_command_shows_all_files_and_clears(folder, pack):
    assert "0 files" in run_inside("cache").out
    Disk(folder).put(KEY, pack)
    shown = run_inside("cache").out
    for part in (str(folder), "1 file,", KEY.file_name):
        assert part in shown
    (folder / "A.1-0.pack").write_bytes(b"\xff")  # one that it cannot read
    assert "A.1-0.pack" in run_inside("cache").out
    assert "2 files removed" in run_inside("cache", "clear").out
    assert list(folder.iterdir()) == []


def test_the_option_reaches_the_search(folder, forget, tmp_path):
    words = ["--examples", "5", "--exhaustive", "2", "--jobs", "1", "--quiet", "--no-proofs"]
    words += ["--condition", "B.5", "--reading", "canonical"]
    assert run_inside("check", "rnia", *words, "--no-cache").code == 1
    assert not folder.exists()
    forget()
    out = str(tmp_path / "r.json")
    assert run_inside("run", "--measure", "rnia", *words, "--out", out).code == 0
    assert len(files(folder)) == 1
    assert json.loads(Path(out).read_text())["cells"]


def test_the_clean_process_makes_what_this_one_would_read():
    sampler = Sampler(["B.5"], 5, 0, 2)
    try:
        id, made = sampler.next()
    finally:
        sampler.close()
    assert id == "B.5"
    assert made is not None
    assert CasePack(made).condition == "B.5"


# --- the packs that come with the package
@pytest.mark.parametrize(("kind", "key"), KEYS)
def test_the_files_are_those_of_this_code(kind, key):
    assert SHIPPED.get(key) is not None, "conditions or what makes their cases have changed: run `make packs`"


@pytest.mark.parametrize(("kind", "key"), KEYS)
def test_they_hold_what_is_listed_and_only_instances(kind, key):
    """Whatever the version of Hypothesis that drew the cases: which those are depends on it."""
    condition, pack = condition_of(key.condition), opened(SHIPPED.get(key))
    for name, reading in condition.readings.items():
        live = CaseSource(condition, reading, [], min(3 if kind == "usual" else 2, reading.reach))
        kept = PackedSource(reading, pack)
        for (objects, listed), (_, found) in zip(live.levels(), kept.levels(), strict=False):
            assert exact(found) == exact(listed), (name, objects)
        drawn = list(kept.drawn())
        assert len(drawn) >= pack.number_drawn(name) // 2 > 0
        assert all(map(reading.premise, drawn))


def test_no_other_settings_are_answered():
    _, key = next(SHIPPED.every_key())
    for other in (replace(key, seed=1), replace(key, examples=199), replace(key, exhaustive=4)):
        assert SHIPPED.get(other) is None


def spoilt(data: bytes, how: str) -> bytes:
    text, _, pack = lzma.decompress(data).partition(b"\n")
    return {
        "truncated": data[: len(data) // 2],
        "flipped": data[:60] + bytes([data[60] ^ 1]) + data[61:],
        "other code": lzma.compress(text.replace(b'"files": "', b'"files": "0') + b"\n" + pack),
        "other condition": lzma.compress(text + b"\n" + pack.replace(b'"A.1"', b'"A.2"', 1)),
        "nonsense": lzma.compress(text + b"\n" + json.dumps({"condition": key_of("A.1").condition}).encode()),
    }[how]


def key_of(condition):
    return next(key for _, key in SHIPPED.every_key() if key.condition == condition)


@pytest.mark.parametrize("how", ["truncated", "flipped", "other code", "other condition", "nonsense"])
def test_a_damaged_file_is_as_good_as_none(how, tmp_path, monkeypatch):
    key = key_of("A.1")
    path = SHIPPED.path(key, "usual")
    monkeypatch.setattr(Shipped, "folder", tmp_path)
    (tmp_path / path.name).write_bytes(spoilt(path.read_bytes(), how))
    assert SHIPPED.get(key) is None


def test_a_run_finds_the_same_with_the_files_and_without(tmp_path, monkeypatch):
    def cells():
        monkeypatch.setattr(Memory, "_packs", {})
        quick = {"examples": 20, "exhaustive": 3, "cache": False, "jobs": 1}
        results = metaeval.run(["rnia", "mocice"], ["B.5"], **quick)
        return [{**cell, "seconds": 0, "cases": 0} for cell in results.to_json()["cells"]]

    with_files = cells()
    monkeypatch.setattr(Shipped, "folder", tmp_path)
    assert cells() == with_files


def test_the_draws_are_those_of_the_seed():
    """With the Hypothesis that made the files these are the same; with another one, nobody can tell."""
    pack = opened(SHIPPED.get(key_of("B.5")))
    for name in find_condition("B.5").readings:
        fresh = len(sample_here(("B.5", name), 200, 0))
        assert abs(pack.number_drawn(name) - fresh) <= fresh // 2
