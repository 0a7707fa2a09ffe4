"""The stocks that come with the package: current, the same as those made anew, and never believed when damaged."""

from __future__ import annotations

import json
import lzma
from dataclasses import replace

import pytest

import metaeval
from metaeval.cases import shipped
from metaeval.cases import store as draws
from metaeval.cases.order import CaseSource
from metaeval.cases.pack import StockedSource, opened
from metaeval.cases.sampling import sample_here
from metaeval.catalogue.condition import find_condition

KEYS = [pytest.param(kind, key, id=f"{key.condition}-{kind}") for kind, key in shipped.every_key()]


@pytest.mark.parametrize(("kind", "key"), KEYS)
def test_the_files_are_those_of_this_code(kind, key):
    assert shipped.shipped(key) is not None, "conditions or what makes their cases have changed: run `make stocks`"


@pytest.mark.parametrize(("kind", "key"), KEYS)
def test_they_hold_what_is_listed_and_only_instances(kind, key):
    """Whatever the version of Hypothesis that drew the cases: which those are depends on it."""
    condition, stock = find_condition(key.condition), opened(shipped.shipped(key))
    for name, reading in condition.readings.items():
        live = CaseSource(condition, reading, [], min(3 if kind == "usual" else 2, reading.reach))
        kept = StockedSource(reading, stock)
        for (objects, listed), (_, found) in zip(live.levels(), kept.levels(), strict=False):
            assert exact(found) == exact(listed), (name, objects)
        drawn = list(kept.drawn())
        assert len(drawn) >= stock.number_drawn(name) // 2 > 0
        assert all(map(reading.premise, drawn))


def exact(cases):
    return [[(part.biclusters, part.shape) for side in case for part in side] for case in cases]


def test_no_other_settings_are_answered():
    _, key = next(shipped.every_key())
    for other in (replace(key, seed=1), replace(key, examples=199), replace(key, exhaustive=4)):
        assert shipped.shipped(other) is None


def spoilt(data: bytes, how: str) -> bytes:
    text, _, stock = lzma.decompress(data).partition(b"\n")
    return {
        "truncated": data[: len(data) // 2],
        "flipped": data[:60] + bytes([data[60] ^ 1]) + data[61:],
        "other code": lzma.compress(text.replace(b'"files": "', b'"files": "0') + b"\n" + stock),
        "other condition": lzma.compress(text + b"\n" + stock.replace(b'"A.1"', b'"A.2"', 1)),
        "nonsense": lzma.compress(text + b"\n" + json.dumps({"condition": key_of("A.1").condition}).encode()),
    }[how]


def key_of(condition):
    return next(key for _, key in shipped.every_key() if key.condition == condition)


@pytest.mark.parametrize("how", ["truncated", "flipped", "other code", "other condition", "nonsense"])
def test_a_damaged_file_is_as_good_as_none(how, tmp_path, monkeypatch):
    key = key_of("A.1")
    path = shipped._path(key, "usual")
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    (tmp_path / path.name).write_bytes(spoilt(path.read_bytes(), how))
    assert shipped.shipped(key) is None


def test_a_run_finds_the_same_with_the_files_and_without(tmp_path, monkeypatch):
    def cells():
        monkeypatch.setattr(draws, "_REMEMBERED", {})
        quick = {"examples": 20, "exhaustive": 3, "cache": False, "jobs": 1}
        results = metaeval.run(["rnia", "mocice"], ["B.5"], **quick)
        return [{**cell, "seconds": 0, "cases": 0} for cell in results.to_json()["cells"]]

    with_files = cells()
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    assert cells() == with_files


def test_the_draws_are_those_of_the_seed():
    """With the Hypothesis that made the files these are the same; with another one, nobody can tell."""
    stock = opened(shipped.shipped(key_of("B.5")))
    for name in find_condition("B.5").readings:
        fresh = len(sample_here(("B.5", name), 200, 0))
        assert abs(stock.number_drawn(name) - fresh) <= fresh // 2
