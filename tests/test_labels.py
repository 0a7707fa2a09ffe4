"""Label vectors: arrays, files, chunks and Dask give what biclusterings of the same labels give."""

import doctest
import json
import pickle
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from following import ROOT
from hypothesis import given
from hypothesis import strategies as st
from tools import assert_one_sentence, run_inside

import metaeval
from metaeval import Biclustering, InputError, Undefined
from metaeval.core import label_codes
from metaeval.files import label_chunks
from metaeval.kernel.label_overlay import LabelOverlay
from metaeval.kernel.label_table import LabelTable, Tally
from metaeval.kernel.overlay import overlay

MEASURES = metaeval.measures()
vectors = st.lists(st.integers(-1, 4) | st.sampled_from([-7, 10**12]), max_size=30)


@pytest.fixture
def as_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels stay arrays however few they are."""
    monkeypatch.setattr(label_codes, "FEW", 1)
    monkeypatch.setattr(label_codes, "FEW_IN_ARRAY", 1)


def by_sets(labels: list[int], features: int = 1) -> Biclustering:
    """The same clustering, made of sets."""
    clusters: dict[int, set[int]] = {}
    for row, label in enumerate(labels):
        clusters.setdefault(label, set()).add(row)
    clusters.pop(-1, None)
    return Biclustering.lifted(clusters.values(), range(features), (len(labels), features))


def arrays(rng: Any, objects: int, clusters: int) -> tuple[Any, Any]:
    """A candidate and a gold standard that are alike; some objects have no label."""
    gold = rng.integers(0, clusters, objects)
    found = np.where(rng.random(objects) < 0.7, gold, rng.integers(0, clusters, objects))
    gold[rng.random(objects) < 0.1] = -1
    return found, gold


# --- a biclustering of an array
@pytest.mark.usefixtures("as_arrays")
@given(vectors, st.integers(1, 3), st.sampled_from([list, tuple, np.array, "int16", "uint8"]))
def test_it_is_the_biclustering_of_the_same_sets(labels: list[int], features: int, kind: Any) -> None:
    if isinstance(kind, str):
        labels = [label % 5 for label in labels]
    given = np.array(labels, dtype=kind) if isinstance(kind, str) else kind(labels)
    known = by_sets(labels, features)
    for look in (len, bool, hash, repr, list, Biclustering.to_json, lambda one: one.shape, lambda one: one.biclusters):
        assert look(Biclustering.from_labels(given, features)) == look(known)  # each looks at a new one
    one = Biclustering.from_labels(given, features)
    assert one == known == one
    assert pickle.loads(pickle.dumps(one)) == known
    assert one.on((len(labels) + 1, features)) == known.on((len(labels) + 1, features))
    assert one != by_sets([*labels, 0], features)
    if labels:
        assert one.codes is not None
        with pytest.raises(ValueError, match=r"read-only|WRITEABLE"):
            one.codes.flags.writeable = True  # type: ignore[union-attr]


@pytest.mark.parametrize("wrong", [
    [0, True], [0, 1.0], [0, None], [0, float("nan")], [[0, 1], [1, 1]], [0, "a", 2.5],
    np.array([0.5, 1]), np.array([True, False]), np.array([[0, 1], [1, 0]]), 7, {1: 2}, "ab", b"ab",
], ids=repr)  # fmt: skip
def test_what_is_wrong_is_refused_in_the_same_words(wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def said() -> str:
        try:
            return repr(Biclustering.from_labels(wrong))
        except InputError as error:
            return str(error)

    one_by_one = said()
    monkeypatch.setattr(label_codes, "FEW", 1)
    monkeypatch.setattr(label_codes, "FEW_IN_ARRAY", 1)
    assert said() == one_by_one


@pytest.mark.usefixtures("as_arrays")
def test_large_integers_are_names_like_others() -> None:
    for labels in ([2**70, 0, 2**70, -1], [2**63, 5, 5, -1], [-(2**63), 2**63 - 1, -1, 0]):
        assert Biclustering.from_labels(labels) == by_sets(labels)
    labels = np.array([2**63, 5, 5, 2**63], dtype=np.uint64)
    assert Biclustering.from_labels(labels) == by_sets([2**63, 5, 5, 2**63])


# --- every measure
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.usefixtures("as_arrays")
def test_every_measure_scores_label_vectors_as_sets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    features, objects = 1 + seed % 2, int(rng.integers(1, 50))
    found, gold = arrays(rng, objects, int(rng.integers(1, 9)))
    if seed % 3 == 0:
        found, gold = abs(found), abs(gold)  # partitions
    if seed % 4 == 1:
        found = found[: max(1, objects - 3)]
    sets = by_sets(found.tolist(), features), by_sets(gold.tolist(), features)
    labels = Biclustering.from_labels(found, features), Biclustering.from_labels(gold, features)
    assert isinstance(overlay(*labels), LabelOverlay)
    for measure in MEASURES.values():
        try:
            known = measure.value(*sets)
        except Undefined as error:
            with pytest.raises(Undefined, match=str(error)[:30].replace("(", r"\(")):
                measure.value(*labels)
            continue
        score = measure.value(*labels)
        assert (score, type(score)) == (known, type(known)), measure.id
        if measure.is_equation:
            fast = measure.equation.fast(*labels)
            fast = -fast if measure.smaller_is_better else fast
            assert fast == pytest.approx(float(known), rel=1e-11, abs=1e-11), measure.id


def test_a_side_of_sets_meets_a_side_of_labels() -> None:
    rng = np.random.default_rng(5)
    found, gold = arrays(rng, 3_000, 4)
    sides = Biclustering.from_labels(found), by_sets(gold.tolist())
    expected = metaeval.score("bcubed", by_sets(found.tolist()), sides[1], exact=True)
    assert metaeval.score("bcubed", *sides, exact=True) == expected
    wide = Biclustering.from_labels(found, 2)
    assert metaeval.score("rnia", wide, Biclustering.from_labels(gold)) == metaeval.score("rnia", wide, sides[1])


# --- exact, and no overflow
def pairs_of(counts: Any) -> int:
    return sum(n * (n - 1) // 2 for n in counts)


def test_exact_scores_of_many_labels_are_those_of_their_definitions() -> None:
    rng = np.random.default_rng(6)
    gold = rng.integers(0, 300, 100_000)
    found = np.where(rng.random(100_000) < 0.8, gold, rng.integers(0, 300, 100_000))
    sides = Biclustering.from_labels(found), Biclustering.from_labels(gold)
    both = Counter(zip(found.tolist(), gold.tolist(), strict=True))
    clusters, classes, pairs = Counter(found.tolist()), Counter(gold.tolist()), pairs_of([100_000])
    apart = pairs_of(clusters.values()) + pairs_of(classes.values()) - 2 * pairs_of(both.values())
    assert metaeval.score("rand", *sides, exact=True) == 1 - Fraction(apart, pairs)
    precision = sum(Fraction(n * n, clusters[i]) for (i, _), n in both.items()) / 100_000
    recall = sum(Fraction(n * n, classes[j]) for (_, j), n in both.items()) / 100_000
    assert metaeval.score("bcubed", *sides, exact=True) == 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize("most", [10**9, 2**31, 2**33, 10**15])
def test_no_sum_overflows(most: int) -> None:
    """Counts of this size, as a table of chunks would hold them; their squares exceed 64 bits."""
    table = LabelTable()
    counts = {(0, 0): most, (0, 1): most - 1, (1, 1): 3}
    table._parts = [Tally(*(np.array(column) for column in zip(*((*k, n) for k, n in counts.items()), strict=True)))]
    table.objects = sum(counts.values())
    sides = table.sides()
    clusters, classes = [2 * most - 1, 3], [most, most + 2]
    apart = pairs_of(clusters) + pairs_of(classes) - 2 * pairs_of(counts.values())
    rand = 1 - Fraction(apart, pairs_of([table.objects]))
    assert metaeval.score("rand", *sides, exact=True) == rand
    assert metaeval.score("rand", *sides) == pytest.approx(float(rand), rel=1e-12)
    fast = MEASURES["rand"].equation.fast(*sides)
    assert fast == pytest.approx(float(rand), rel=1e-12)
    shares = [
        sum(Fraction(n * n, sizes[pair[side]]) for pair, n in counts.items()) / table.objects
        for side, sizes in enumerate((clusters, classes))
    ]
    assert metaeval.score("bcubed", *sides, exact=True) == 2 * shares[0] * shares[1] / sum(shares)
    assert MEASURES["bcubed"].equation.fast(*sides) == pytest.approx(float(2 * shares[0] * shares[1] / sum(shares)))


# --- chunks, files, Dask
ROWS = 1_000_000


@pytest.fixture(scope="module")
def labels() -> tuple[Any, Any]:
    return arrays(np.random.default_rng(7), ROWS, 200)


@pytest.fixture(scope="module")
def scores(labels: tuple[Any, Any]) -> dict[str, Any]:
    sides = [Biclustering.from_labels(one) for one in labels]
    return {id: metaeval.score(id, *sides, exact=id != "vi") for id in ("bcubed", "rand", "mocice", "vi")}


def same(scores: dict[str, Any], make: Any) -> None:
    for id, known in scores.items():
        assert metaeval.score(id, *make()) == pytest.approx(float(known), rel=1e-12)
        if id != "vi":
            assert metaeval.score(id, *make(), exact=True) == known


@pytest.mark.parametrize("size", [1, 70_001, ROWS, 10 * ROWS])
def test_chunks_add_up(size: int, labels: tuple[Any, Any], scores: dict[str, Any], monkeypatch: Any) -> None:
    found, gold = (one[:2_000] for one in labels) if size == 1 else labels
    if size == 1:
        sides = [Biclustering.from_labels(one) for one in (found, gold)]
        scores = {"bcubed": metaeval.score("bcubed", *sides, exact=True)}
        monkeypatch.setattr("metaeval.kernel.label_table._MOST_WAITING", 100)  # pairs are added up again and again

    def make() -> tuple[Iterator[tuple[Any, Any]]]:
        return (((found[at : at + size], gold[at : at + size]) for at in range(0, len(gold), size)),)

    same(scores, make)


def test_arrays_lists_and_memory_maps_are_sides(labels, scores, tmp_path, monkeypatch):
    monkeypatch.setattr(label_chunks, "ROWS", 77_777)
    for name, one in zip(("found", "gold"), labels, strict=True):
        np.save(tmp_path / f"{name}.npy", one)
    files = [str(tmp_path / "found.npy"), tmp_path / "gold.npy"]
    same(scores, lambda: labels)
    same({"bcubed": scores["bcubed"]}, lambda: [one.tolist() for one in labels])
    same(scores, lambda: files)
    same(scores, lambda: [np.load(file, mmap_mode="r") for file in files])
    far = [np.where(one == -1, -1, one * 10**14 - 3) for one in labels]  # too far apart for a table
    same(scores, lambda: far)


def test_parquet_is_read_by_column(labels, scores, tmp_path, monkeypatch):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(label_chunks, "ROWS", 77_777)
    found, gold = labels
    columns = {"found": found, "gold": pyarrow.array(gold, mask=gold == -1)}
    parquet.write_table(pyarrow.table(columns), tmp_path / "both.parquet", row_group_size=50_001)
    parquet.write_table(pyarrow.table({"gold": gold}), tmp_path / "gold.parquet")
    same(scores, lambda: (f"{tmp_path}/both.parquet:found", f"{tmp_path}/both.parquet:gold"))
    same(scores, lambda: (f"{tmp_path}/both.parquet:found", tmp_path / "gold.parquet"))
    with pytest.raises(InputError, match=r"both\.parquet names 'no column'; expected one of .*:found, .*:gold"):
        metaeval.score("rand", f"{tmp_path}/both.parquet", gold)
    words = ("score", "--gold", f"{tmp_path}/gold.parquet", "--candidate", f"{tmp_path}/both.parquet:found")
    told = json.loads(run_inside(*words, "--measure", "bcubed", "--measure", "rand", "--exact", "--json").out)
    assert {id: told[id]["exact"] for id in told} == {id: str(scores[id]) for id in ("bcubed", "rand")}
    (tmp_path / "no.parquet").write_text("labels")
    assert_one_sentence(run_inside(*words[:3], *words[3:4], f"{tmp_path}/no.parquet"), "no.parquet is no Parquet file")


def test_the_command_line_reads_long_vectors_in_chunks(labels, scores, tmp_path, monkeypatch):
    monkeypatch.setattr(label_chunks, "ROWS", 77_777)
    for name, one in zip(("found", "gold"), labels, strict=True):
        np.save(tmp_path / f"{name}.npy", one)
    assert label_chunks.is_chunked(str(tmp_path / "gold.npy"))
    words = ("score", "--gold", str(tmp_path / "gold.npy"), "--candidate", str(tmp_path / "found.npy"))
    told = json.loads(run_inside(*words, "--measure", "mocice", "--exact", "--json").out)
    assert told["mocice"]["exact"] == str(scores["mocice"])
    np.save(tmp_path / "short.npy", labels[0][:-5])
    done = run_inside(*words[:3], "--candidate", str(tmp_path / "short.npy"))
    assert_one_sentence(done, "rows 999,995 to 999,999: 0 labels of the candidate and 5 of the gold standard")


def test_dask_counts_where_the_chunks_are(labels, scores):
    array, pandas = pytest.importorskip("dask.array"), pytest.importorskip("pandas")
    frames, distributed = pytest.importorskip("dask.dataframe"), pytest.importorskip("distributed")
    found, gold = (one.astype(np.int16) for one in labels)
    sides = array.from_array(found, chunks=43_210), array.from_array(gold, chunks=90_000)
    same(scores, lambda: sides)
    same(scores, lambda: [frames.from_pandas(pandas.Series(one), npartitions=3) for one in labels])
    with distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=":0") as cluster, cluster.get_client():
        same({"bcubed": scores["bcubed"]}, lambda: sides)

        def halved(block: Any, block_info: Any = None) -> Any:
            return block * (0.5 if block_info[0]["chunk-location"] == (2,) else 1)

        wrong = sides[0].rechunk(300_000).map_blocks(halved, dtype=int)
        with pytest.raises(InputError, match="rows 600,000 to 899,999: the candidate has labels of the type float64"):
            metaeval.score("rand", wrong, sides[1])
    with pytest.raises(InputError, match=r"the candidate has the shape \(999995,\), the gold standard \(1000000,\)"):
        metaeval.score("rand", sides[0][:-5], sides[1])


def failing() -> Iterator[Any]:
    yield [0, 1], [0, 1]
    raise OSError("the disk is gone")


@pytest.mark.parametrize(("sides", "said"), [
    (([([0, 1], [0, 1]), ([0], [0, 1])],), "rows 2 to 3: 1 labels of the candidate and 2 of the gold standard"),
    (([([0, 1], [0, 1]), ([0.5], [0])],), "rows 2 to 2: the candidate has labels of the type float64"),
    ((failing(),), "the chunk from row 2 on: OSError: the disk is gone"),
    (([1, 2],), "the chunk from row 0 on: TypeError"),
    (("nowhere.npy", [0]), "nowhere.npy is no vector in an .npy file"),
    ((7, [0]), "a side is a int; expected a metaeval.Biclustering"),
    ((Biclustering(), [0]), "the gold is a list; expected a metaeval.Biclustering, as beside it"),
])  # fmt: skip
def test_a_chunk_that_fails_is_named_by_its_rows(sides: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        metaeval.score("rand", *sides)
    assert str(caught.value).startswith(said)


def test_nothing_at_all_is_empty_on_both_sides() -> None:
    assert metaeval.score("bcubed", []) == metaeval.score("bcubed", [([], []), ([-1], [-1])]) == 1


def test_what_was_counted_has_no_biclusters() -> None:
    table = LabelTable().add([0, 0, 1], [0, 1, -1])
    found, gold = pickle.loads(pickle.dumps(table.sides()))
    assert (len(found), len(gold), found.shape, bool(gold)) == (2, 2, (3, 1), True)
    assert metaeval.score("bcubed", *table.sides(), exact=True) == metaeval.score(
        "bcubed", by_sets([0, 0, 1]), by_sets([0, 1, -1]), exact=True
    )
    with pytest.raises(InputError, match="counted, not kept"):
        list(found)
    with pytest.raises(InputError, match="counted, not kept"):
        metaeval.score("bcubed", found, by_sets([0, 1, -1]))


def test_the_example_of_the_page_is_so() -> None:
    page = (ROOT / "docs" / "inputs.md").read_text(encoding="utf-8")
    section = page.partition("## Millions of labels")[2].partition("\n## ")[0]
    example = doctest.DocTestParser().get_doctest(section, {"metaeval": metaeval}, "inputs.md", None, 0)
    assert len(example.examples) == 4
    assert doctest.DocTestRunner(verbose=False).run(example).failed == 0
