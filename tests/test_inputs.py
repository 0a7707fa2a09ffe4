"""Files that people have: each is read as the same biclustering made in Python, and what is wrong is named."""

import contextlib
import csv
import io
import json
import pickle
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_cli import Outcome, assert_one_sentence, modules_after, run_inside

import metaeval
from metaeval import Biclustering, InputError
from metaeval.files import array_input as arrays
from metaeval.files.match_names import Named, match
from metaeval.files.text_input import FORMATS, parse
from metaeval.files.user_file import named_from_json, read

Write = Callable[[str, Any], str]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes files into an empty current directory."""
    monkeypatch.chdir(tmp_path)

    def write(name: str, content: Any) -> str:
        if isinstance(content, np.ndarray):
            np.save(name, content)
        elif isinstance(content, dict):
            np.savez(name, **content)
        else:
            Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return write


TWO = Biclustering.from_labels([0, 0, 1, -1])
OVERLAP = Biclustering.lifted([[0, 1], [1, 2]])
ABCD = ("a", "b", "c", "d")
ROWS, COLUMNS = np.array([[1, 1, 0], [0, 1, 1]], bool), np.array([[1, 0], [1, 1]], bool)
PAIR = Biclustering([({0, 1}, {0}), ({1, 2}, {0, 1})], shape=(3, 2))

#: A file's name and content -> the biclustering, and the names of its objects.
GOOD: list[tuple[str, Any, Biclustering, tuple[str, ...] | None]] = [
    # labels, one a line
    ("found.txt", "0\n0\n1\n-1\n", TWO, None),
    ("found.txt", "0\r\n0\r\n1\r\n-1\r\n\r\n", TWO, None),
    ("found.labels", "red\nred\nblue\nNA", TWO, None),
    ("found.csv", "cluster\n7\n7\n3\n-1\n", TWO, None),
    ("found.csv", '"x"\n7\n7\n3\nNA\n', TWO, None),
    ("blank.txt", "5\n5\n6\n\n7\n", Biclustering.lifted([[0, 1], [2], [4]], shape=(5, 1)), None),
    ("savetxt.txt", "0.0e+00\n0.0e+00\n1.0e+00\n-1.0e+00\n", TWO, None),
    # objects and labels
    ("found.csv", "a,0\nb,0\nc,1\nd,-1\n", TWO, ABCD),
    ("found.csv", "gene,cluster\na,0\n\nb,0\nc,1\nd,\n", TWO, ABCD),
    ("found.tsv", "a\tx\nb\tx\nc\ty\nd\tNA\n", TWO, ABCD),
    ("found", "a;x\nb;x\nc;y\nd;NaN\n", TWO, ABCD),
    ("found.csv", ",label\n0,5\n1,5\n2,6\n3,-1\n", TWO, ("0", "1", "2", "3")),
    ("found.csv", "3,-1\n2,6\n0,5\n1,5\n", TWO, ("0", "1", "2", "3")),
    ("found.csv", '"a, b",1\n"c ""d""",2\n', Biclustering.from_labels([0, 1]), ("a, b", 'c "d"')),
    ("r.tsv", '"x"\n"a"\t1\n"b"\t1\n"c"\t2\n"d"\tNA\n', TWO, ABCD),
    # memberships
    ("found.csv", "1,0,0\n1,0,0\n0,1,0\n0,0,0\n", TWO, None),
    ("found.csv", "1,0\n1,0\n0,1\n0,0\n", TWO, None),
    ("found.csv", "p,q\n1,0\n1,0\n0,1\n0,0\n", TWO, None),
    ("found.csv", ",p,q\na,1,0\nb,1,0\nc,0,1\nd,0,0\n", TWO, ABCD),
    ("found.tsv", "gene\t1\t2\na\tTrue\tFalse\nb\tTRUE\tfalse\nc\t0.0\t1.0\nd\t0\t0\n", TWO, ABCD),
    ("found.csv", "x,1,2,3\na,1,0,0\nb,1,0,0\nc,0,1,0\nd,0,0,0\n", TWO, ABCD),
    ("found.csv", "a,1,0\nb,1,0\nc,0,1\nd,0,0\n", TWO, ABCD),
    ("r.tsv", "p\tq\na\t1\t0\nb\t1\t0\nc\t0\t1\nd\t0\t0\n", TWO, ABCD),
    ("both.csv", "1,1,0\n0,1,0\n0,0,0\n", Biclustering.lifted([[0], [0, 1]], shape=(3, 1)), None),
    # arrays
    ("found.npy", np.array([0, 0, 1, -1]), TWO, None),
    ("found.npy", np.array([4.0, 4.0, 5.0, np.nan]), TWO, None),
    ("found.npy", np.array(["x", "x", "y", "NA"]), TWO, None),
    ("found.npy", np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]]), TWO, None),
    ("found.npz", {"labels": np.array([0, 0, 1, -1]), "objects": np.array(ABCD)}, TWO, ABCD),
    ("found.npz", {"arr_0": np.array([0, 0, 1, -1])}, TWO, None),
    ("found.npz", {"membership": np.array([[1, 0], [1, 0], [0, 1], [0, 0.0]])}, TWO, None),
    ("found.npz", {"rows": ROWS, "columns": COLUMNS}, PAIR, None),
    ("found.npz", {"rows_": ROWS.astype(int), "columns_": COLUMNS}, PAIR, None),
    ("found.npz", {"rows": ROWS, "columns": COLUMNS, "objects": np.array(ABCD[:3])}, PAIR, ABCD[:3]),
    # JSON
    ("found.txt", json.dumps(PAIR.to_json()), PAIR, None),
    ("found.json", '[5, 5, "x", null]', TWO, None),
    ("found.json", '["x", "x", "y", "NA"]', TWO, None),
    ("found.json", '{"a": 0, "b": 0, "c": 7, "d": null}', TWO, ABCD),
    ("found.json", '[["a", "b"], ["b", "c"], []]', OVERLAP, ABCD[:3]),
    ("found.json", '{"m1": ["a", "b"], "m2": ["b", "c"]}', OVERLAP, ABCD[:3]),
    ("found.txt", "[[0, 1], [1, 2, 0]]", Biclustering.lifted([[0, 1], [0, 1, 2]]), ("0", "1", "2")),
    ("found.json", "[[0], [1]]", Biclustering.lifted([[0], [1]]), ("0", "1")),
    # clusters, one per line
    ("mcl.tsv", "a\tb\nc\n", Biclustering.lifted([[0, 1], [2]]), ABCD[:3]),
    ("numbers.txt", "1 2 3\n4 5\n", Biclustering.lifted([[0, 1, 2], [3, 4]]), ("1", "2", "3", "4", "5")),
    ("found.cover", "# 2 clusters, of 3\na b\n\nb c\n", OVERLAP, ABCD[:3]),
    ("found.CNL", "a;b\nb;c", OVERLAP, ABCD[:3]),
    ("sets.gmt", "m1\ta, first\ta\tb\nm2\t\tb\tc\nm3\tnone\n", OVERLAP, ABCD[:3]),
    # pairs
    ("pairs.csv", "gene,module\na,p\nb,p\nb,q\n\nc,q\n", OVERLAP, ABCD[:3]),
    # numbers between blanks
    ("two.txt", "0 5\n1 5\n2 6\n3 -1\n", TWO, ("0", "1", "2", "3")),
    ("matrix.txt", "1 0\n1 0\n0 1\n0 0\n", TWO, None),
    (
        "found.json",
        '{"objects": ["a", "b", "c"], "features": ["t", "u"],'
        ' "biclusters": [{"rows": ["a", 1], "cols": ["t"]}, {"rows": ["b", "c"], "cols": [0, 1]}]}',
        PAIR,
        ABCD[:3],
    ),
    (
        "found.json",
        '{"biclusters": [{"rows": ["a", "b"], "cols": [0]}, {"rows": ["b", "c"], "cols": [0, 1]}]}',
        PAIR,
        ABCD[:3],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "expected", "objects"), GOOD)
def test_a_file_is_read(name: str, content: Any, expected: Biclustering, objects: Any, write: Write) -> None:
    found = read(write(name, content))
    assert found.biclustering == expected
    assert found.names[0] == objects


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (b"0\n0\n1\n-1\n", b"a,0\nb,0\nc,1\nd,-1\n"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert read("-").biclustering == TWO


def test_format_decides_what_can_be_either() -> None:
    text = "0,1\n1,0\n"
    with pytest.raises(InputError, match="--format labels or --format membership"):
        parse(text, "x.csv")
    assert parse(text, "x.csv", "labels").biclustering == Biclustering.from_labels([1, 0])
    assert parse(text, "x.csv", "membership").biclustering == Biclustering.lifted([[1], [0]])
    assert parse("a,1\nb,0\n", "x.csv", "membership").biclustering == Biclustering.lifted([[0]], shape=(2, 1))


@pytest.mark.parametrize(("format", "text", "clusters"), [
    ("clusters", "a b c\nd c\n", ["abc", "dc"]), ("clusters", "a,b,\nc,,\n", ["ab", "c"]),
    ("clusters", "a b\nc d\n", ["ab", "cd"]), ("clusters", "a\tb\tc\nc\td\te\n", ["abc", "cde"]),
    ("clusters", "1 2 3\n3 4\n", ["123", "34"]), ("clusters", "# a comment; b\n1;2\n", ["12"]),
    ("pairs", "a 1\nb 1\na 2\n", ["ab", "a"]), ("pairs", "1\t3 5\n2\t3\n3\t5 \n", ["12", "13"]),
    ("pairs", "gene;cluster\na;NA\nb;x\n", ["b"]), ("pairs", "0,0\n1,0\n1,1\n", ["01", "1"]),
])  # fmt: skip
def test_a_format_that_is_named_is_read(format: str, text: str, clusters: list[str]) -> None:
    found = parse(text, "x.txt", format)
    assert found.names[0] is not None
    named = ["".join(sorted(found.names[0][row] for row in rows)) for rows, _ in found.biclustering]
    assert sorted(named) == sorted("".join(sorted(cluster)) for cluster in clusters)


#: What can be read in several ways -> what the sentence must name.
EITHER = {
    "a b c\nd e\n": ["--format labels or --format clusters"],  # labels with blanks
    "1 2\n3 4\n": ["--format labels or --format clusters"],
    "0 0 1 1\n": ["--format labels or --format clusters"],  # labels, a cluster or an object's memberships
    "1\t3 5\n2\t3\n3\t5\n": ["line 2", "--format clusters", "--format pairs"],  # nodes and their communities
    "a,b,c\nb,d\n": ["line 2", "--format clusters", "--format pairs"],
    "a,b,c\nd,e,f\n": ["--format clusters", "--format pairs"],
    "gene,c1,c2\nx,y\n": ["line 2", "--format clusters"],
    "m1,a\nm1,b\nm2,b\nm2,c\n": ["line 2", "'m1'", "--format pairs"],  # clusters come first
}


@pytest.mark.parametrize("text", EITHER)
def test_what_can_be_read_in_two_ways_is_refused_and_the_formats_are_named(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text, "x.txt")
    for part in ("x.txt", *EITHER[text]):
        assert part in str(caught.value)


# --- what is wrong
def of_objects() -> bytes:
    file = io.BytesIO()
    np.save(file, np.array([{}, []], dtype=object), allow_pickle=True)
    return file.getvalue()


def of_sheets() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/sheet.xml", "<sheet/>")
    return file.getvalue()


#: What is wrong -> the file's name and content, and what the sentence must name.
BAD: dict[str, tuple[str, Any, list[str]]] = {
    "empty": ("bad.txt", "", ["bad.txt is empty", "one label per line"]),
    "blank": ("bad.csv", "\n\n", ["bad.csv is empty"]),
    "ragged labels": ("bad.csv", "a,1\nb,1\nc,3,4\n", ["bad.csv, line 3: 3 columns; expected 2", "--format pairs"]),
    "ragged memberships": ("bad.csv", "a,1,0\nb,0\n", ["bad.csv, line 2: 2 columns; expected 3"]),
    "a short first line": ("bad.csv", "1,0\na,0,1\n", ["bad.csv, line 1: 2 columns; expected 3"]),
    "a label too many": ("bad.txt", "1\n1\n3,4\n", ["bad.txt, line 3: 2 columns; expected 1"]),
    "object twice": ("bad.csv", "a,1\n\nb,1\na,2\n", ["bad.csv, line 4", "'a'", "line 1", "membership matrix"]),
    "no object": ("bad.csv", "a,1\n,1\n", ["bad.csv, line 2", "no name"]),
    "fuzzy": ("bad.csv", "gene,p,q\na,1,0\nb,0.5,0\n", ["bad.csv, line 3", "cluster p is '0.5'", "0 or 1"]),
    "fuzzy first line": ("bad.csv", "a,1,0.5\nb,0,1\n", ["bad.csv, line 1", "cluster 2 is '0.5'", "0 or 1"]),
    "no membership": ("bad.csv", "a,1,\nb,0,1\n", ["bad.csv, line 1", "cluster 2 is ''"]),
    "quotation": ("bad.csv", 'a,1\n"b,2\nc,3\n', ["bad.csv, line 3", "a quotation mark is opened and not closed"]),
    "endless field": ("bad.csv", "a," + "x" * 200_000, ["bad.csv, line 1", "field larger"]),
    "either": ("bad.csv", "0,1\n1,0\n", ["bad.csv", "--format"]),
    "binary": ("bad.csv", b"\x89PNG", ["bad.csv is not UTF-8 text", "0x89"]),
    "pickle by name": ("bad.pkl", "0\n", ["bad.pkl is a pickle", "numpy.savez"]),
    "pickle by content": ("bad.txt", pickle.dumps([0, 1]), ["bad.txt is a pickle"]),
    "pickle as text": ("bad.txt", pickle.dumps([0, 1], 0), ["bad.txt is a pickle", "any code"]),
    "pickled names as text": ("bad.csv", pickle.dumps({"a": "x", "b": "y"}, 0), ["bad.csv is a pickle"]),
    "pickled array as text": ("bad.txt", pickle.dumps(np.array([0, 1, 1]), 0), ["bad.txt is a pickle"]),
    "pickle of protocol 1": ("bad.txt", pickle.dumps([0, 1], 1), ["bad.txt is a pickle"]),
    "a header alone": ("bad.csv", "object,label\n", ["bad.csv, line 1: a header, and nothing below it"]),
    "a word alone": ("bad.txt", "cluster\n", ["bad.txt, line 1: a header", "one line per object"]),
    "clusters alone": ("bad.csv", "gene,c1,c2\n\n", ["bad.csv, line 1: a header, and nothing below it"]),
    "pickle in an array": ("bad.npy", of_objects(), ["bad.npy holds Python objects", "any code"]),
    "no array": ("bad.npy", "0\n1\n", ["bad.npy is no NumPy file", "numpy.save"]),
    "a spreadsheet": ("bad.xlsx", of_sheets(), ["bad.xlsx", "'xl/sheet.xml'", "no array"]),
    "half an array": ("bad.npy", b"\x93NUMPY\x01\x00", ["bad.npy is no whole NumPy file"]),
    "half an archive": ("bad.npz", b"PK\x03\x04", ["bad.npz is no whole NumPy file"]),
    "truth values as labels": ("bad.npy", np.array([True, False]), ["bad.npy", "bool", "whole numbers or text"]),
    "fractions as labels": ("bad.npy", np.array([0.5, 1.0]), ["float64", "whole numbers"]),
    "complex memberships": ("bad.npy", np.array([[1j]]), ["complex128", "0 and 1"]),
    "cube": ("bad.npy", np.zeros((2, 2, 2)), ["(2, 2, 2)", "a table of objects and clusters"]),
    "fuzzy array": ("bad.npy", np.array([[0.5, 1]]), ["holds 0.5", "0 and 1"]),
    "rows alone": ("bad.npz", {"rows": ROWS}, ["it holds `rows`", "expected `rows` and `columns`"]),
    "unknown array": ("bad.npz", {"cluster": ROWS}, ["`cluster`", "`membership`"]),
    "rows of one dimension": ("bad.npz", {"rows": ROWS[0], "columns": COLUMNS}, ["`rows`", "(3,)"]),
    "labels of two dimensions": ("bad.npz", {"labels": ROWS}, ["`labels`", "(2, 3)", "1 dimension"]),
    "another number of sets": ("bad.npz", {"rows": ROWS, "columns": COLUMNS[:1]}, ["2 row sets", "1 column sets"]),
    "an empty bicluster": ("bad.npz", {"rows": ROWS * False, "columns": COLUMNS}, ["bicluster 1 has no rows"]),
    "names of another number": ("bad.npz", {"labels": np.array([1, 1]), "objects": np.array(["a"])}, [
        "1 names", "2 objects",
    ]),
    "names that are numbers": ("bad.npz", {"labels": np.array([1, 1]), "objects": np.array([1, 2])}, [
        "`objects`", "expected names",
    ]),
    "name twice": ("bad.npz", {"labels": np.array([1, 1]), "objects": np.array(["a", "a"])}, ["'a' twice"]),
    "names of indicators": ("bad.npz", {"rows": ROWS, "columns": COLUMNS, "features": np.array(["a"])}, [
        "`features` has 1 names", "2",
    ]),
    "a member twice": ("bad.cover", "a b\nc d c\n", ["bad.cover: line 2 has the name 'c' twice"]),
    "a pair twice": ("bad.csv", "a,x\nb,x\nc,x\na,x\n", ["bad.csv: cluster 'x' has the name 'a' twice"]),
    "a member that is none": ("bad.cover", "1 2\n3 -1\n", ["bad.cover: line 2 has the member '-1'"]),
    "a long name of a cluster": ("bad.json", json.dumps({"x" * 9000: ["a", "a"]}), ["'a' twice"]),
    "JSON: mixed members": ("bad.json", '[["a", 1], ["b"]]', ["bad.json: it holds 1; expected names alone"]),
    "JSON: a cluster and a label": ("bad.json", '[["a"], 1]', ["it holds 1; expected lists of members alone"]),
    "JSON: truth": ("bad.json", "[true, 1]", ["it holds True; expected labels", "null"]),
    "JSON: a fraction": ("bad.json", "[[0.5]]", ["it holds 0.5; expected", "numbers alone"]),
    "JSON: a matrix": ("bad.json", "[[1, 0], [0, 1], [1, 1]]", ["matrix of memberships", "CSV"]),
    "JSON: keys of other files": ("bad.json", '{"labels": [0, 1]}', ["bad.json", "'labels'", '"biclusters"']),
    "JSON: no names": ("bad.json", '{"objects": 3, "biclusters": []}', ['"objects" must be a list of names', "3"]),
    "JSON: a number as name": ("bad.json", '{"objects": [3], "biclusters": []}', ['"objects" holds 3']),
    "JSON: name twice": ("bad.json", '{"objects": ["a", "a"], "biclusters": []}', ['"objects"', "'a' twice"]),
    "JSON: unknown name": ("bad.json", '{"objects": ["TP53"], "biclusters": [{"rows": ["TP35"], "cols": [0]}]}', [
        "\"rows\" of bicluster 1 has 'TP35', which is not in \"objects\"; did you mean 'TP53'?",
    ]),
    "JSON: names and numbers": ("bad.json", '{"biclusters": [{"rows": ["a", 1], "cols": [0]}]}', [
        '"rows" of bicluster 1 has 1 among names', '"objects"',
    ]),
    "JSON: names and a shape": ("bad.json", '{"shape": [5, 1], "biclusters": [{"rows": ["a"], "cols": [0]}]}', [
        '"shape" is [5, 1]', '1 "rows" are named, such as', 'list every name in "objects"',
    ]),
    "JSON: names and outside": ("bad.json", '{"objects": ["a"], "biclusters": [{"rows": [1], "cols": [0]}]}', [
        "row 1 lies outside",
    ]),
}  # fmt: skip


@pytest.mark.parametrize("wrong", BAD)
def test_what_is_wrong_costs_one_sentence(wrong: str, write: Write) -> None:
    name, content, parts = BAD[wrong]
    write(name, content)
    write("good.txt", "0\n1\n")
    assert_one_sentence(run_inside("score", "--gold", "good.txt", "--candidate", name), *parts)
    assert_one_sentence(run_inside("score", "--gold", name, "--candidate", "good.txt"), *parts)


# --- two files
def scored(gold: str, candidate: str, *options: str) -> Outcome:
    return run_inside("score", "--gold", gold, "--candidate", candidate, "--measure", "mocice", *options)


def test_objects_are_matched_by_name_whatever_their_order(write: Write) -> None:
    write("gold.csv", "gene,cluster\nBRCA1,1\nTP53,1\nMYC,2\nKRAS,2\n")
    write("found.csv", "KRAS,x\nTP53,y\nBRCA1,y\nMYC,x\n")
    done = scored("gold.csv", "found.csv", "--exact")
    assert done.out.splitlines()[2].split()[-1] == "1"
    assert done.err.splitlines() == [
        "metaeval: gold.csv: labels of 4 objects in 2 clusters; its first line is taken as a header",
        "metaeval: found.csv: labels of 4 objects in 2 clusters",
    ]


def test_objects_of_one_file_are_unclustered_in_the_other_and_named(write: Write) -> None:
    gold = write("gold.csv", "BRCA1,1\nTP53,1\nMYC,2\n")
    found = write("found.csv", "TP53,1\nBRCA1,1\nEGFR,2\n")
    expected = metaeval.score(
        "mocice", Biclustering.lifted([[0, 1], [3]]), Biclustering.lifted([[0, 1], [2]]), exact=True
    )
    done = scored(gold, found, "--json")
    assert json.loads(done.out)["mocice"]["exact"] == str(expected)
    assert "1 object is in found.csv only, and unclustered in the other file: EGFR" in done.err
    assert "1 object is in gold.csv only, and unclustered in the other file: MYC" in done.err


#: The gold's file, the candidate's, and what the sentence must name.
APART: dict[str, tuple[tuple[str, Any], tuple[str, Any], list[str]]] = {
    "lengths": (("g.txt", "0\n1\n"), ("c.txt", "0\n1\n1\n"), ["c.txt has 3 objects and g.txt 2", "by position"]),
    "names in one": (("g.csv", "a,0\nb,1\n"), ("c.txt", "0\n1\n1\n"), ["c.txt has 3 objects and g.csv 2"]),
    "no name in common": (("g.csv", "a,0\nb,1\n"), ("c.csv", "A,0\nB,1\n"), ["no object in common", "A, B", "a, b"]),
    "clusters without a common name": (("g.cover", "a b\n"), ("c.json", '[["A"], ["B"]]'), ["no object in common"]),
    "numbers without a common one": (("g.cover", "1 2\n"), ("c.json", "[[3], [4]]"), ["no object in common"]),
    "numbers from 1": (("g.txt", "x\nx\ny\n"), ("c.cover", "1 2\n3\n"), ["c.cover has 4 objects and g.txt 3"]),
    "names and positions": (("g.cover", "a b\n"), ("c.json", "[[0], [1]]"), ["g.cover names its objects"]),
    "biclusters": (
        ("g.npz", {"rows": ROWS, "columns": COLUMNS}),
        ("c.npz", {"rows": ROWS, "columns": COLUMNS[:, :1]}),
        ["c.npz has 1 features and g.npz 2"],
    ),
    "names in rows": (("g.json", '{"biclusters": [{"rows": ["a"], "cols": [0]}]}'), ("c.txt", "0\n"), [
        "g.json names its objects and c.txt does not",
    ]),
    "indices beyond the names": (("g.csv", "a,0\nb,1\n"), ("c.json", '{"biclusters": [{"rows": [2], "cols": [0]}]}'), [
        "c.json has 3 objects and g.csv 2",
    ]),
}  # fmt: skip


@pytest.mark.parametrize("why", APART)
def test_files_that_do_not_fit_cost_one_sentence(why: str, write: Write) -> None:
    gold, candidate, parts = APART[why]
    assert_one_sentence(scored(write(*gold), write(*candidate)), *parts)


def test_a_clustering_has_all_the_features_of_the_other_file(write: Write) -> None:
    family = Biclustering([({0, 1}, {0, 1, 2}), ({2}, {0, 1, 2})])
    gold, found = write("gold.json", json.dumps(family.to_json())), write("found.txt", "7\n7\n8\n")
    assert match(read(found), read(gold))[:2] == (family, family)
    assert match(read(gold), read(found))[:2] == (family, family)


def test_biclusters_found_elsewhere_need_no_name_in_common(write: Write) -> None:
    gold = write("g.json", '{"biclusters": [{"rows": ["a", "b"], "cols": ["t"]}]}')
    found = write("c.json", '{"biclusters": [{"rows": ["c"], "cols": ["u"]}]}')
    done = scored(gold, found, "--json")
    assert json.loads(done.out)["mocice"]["float"] == 0.0
    assert done.err == ""


def test_clusters_are_matched_by_name_and_the_universe_is_the_union(write: Write) -> None:
    write("gold.cover", "BRCA1 TP53\nTP53 MYC\n")
    write("found.csv", "TP53,1\nBRCA1,1\nMYC,NA\nKRAS,2\n")
    expected = metaeval.score("bcubed", Biclustering.lifted([[0, 1], [3]]), Biclustering.lifted([[0, 1], [1, 2]]))
    done = run_inside("score", "--gold", "gold.cover", "--candidate", "found.csv", "--measure", "bcubed", "--json")
    assert json.loads(done.out)["bcubed"]["float"] == expected
    assert done.err.splitlines() == [
        "metaeval: gold.cover: one cluster per line: 3 objects in 2 clusters; 1 of 3 objects is in several clusters",
        "metaeval: found.csv: labels of 4 objects in 2 clusters, 1 unclustered",
        "metaeval: 1 object is in found.csv only, and unclustered in the other file: KRAS",
    ]
    assert match(read("found.csv"), read("gold.cover")).gold.shape == (4, 1)


def test_each_file_can_have_a_format_of_its_own(write: Write) -> None:
    write("gold.csv", "a,x\nb,x\nc,y\nd,y\ne,x\ne,y\n")
    write("found.txt", "a b e\nc d e\n")
    done = scored("gold.csv", "found.txt", "--format", "candidate=clusters", "--json")
    assert json.loads(done.out)["mocice"]["float"] == 1.0
    told = ("pairs of object and cluster: 5 objects", "one cluster per line: 5 objects", "1 of 5 objects is in several")
    assert all(part in done.err for part in told)
    assert_one_sentence(scored("gold.csv", "found.txt", "--format", "found=clusters"), "found=clusters")
    for options in (["--format", "labels"], ["--format", "clusters", "--format", "gold=labels"]):
        assert_one_sentence(scored("gold.csv", "found.txt", *options), "line 6", "'e'")


@pytest.mark.parametrize(
    "other",
    [
        "0\n0\n1\n-1\n",
        "a,0\nb,0\nc,1\nd,-1\n",
        '{"biclusters": [{"rows": [0, 1], "cols": [0]}, {"rows": [2], "cols": [0]}]}',
    ],
)
@pytest.mark.parametrize("clusters", ["1 0\n2\n", "[[2], [0, 1]]"])
def test_numbers_from_0_are_the_numbers_of_the_objects(other: str, clusters: str, write: Write) -> None:
    gold, found = read(write("gold", other)), read(write("found", clusters))
    for matched in (match(found, gold), match(gold, found)):
        assert matched.candidate == matched.gold


def test_numbers_are_names_where_the_other_file_has_them(write: Write) -> None:
    """As in networks that count from 1."""
    gold, found = read(write("gold.csv", "3,y\n1,x\n2,x\n")), read(write("found.cover", "1 2\n3\n"))
    matched = match(found, gold)
    assert matched.candidate == matched.gold
    assert matched.names[0] == ("3", "1", "2")


def test_names_are_shown_where_a_measure_speaks_of_objects(write: Write) -> None:
    gold = write("gold.csv", "gene,p,q\nBRCA1,1,0\nTP53,1,1\n")
    found = write("found.csv", "BRCA1,1\nTP53,2\n")
    write("m.py", "import metaeval\nmine = metaeval.adapters.labels(lambda true, predicted: 1.0, id='mine')\n")
    done = run_inside("score", "--gold", gold, "--candidate", found, "--measure", "m.py:mine", "--json")
    assert json.loads(done.out)["mine"]["error"].startswith("undefined: object TP53 is in two clusters of the gold")
    partial = write("partial.csv", "BRCA1,1\nTP53,NA\n")
    done = run_inside("score", "--gold", partial, "--candidate", partial, "--measure", "m.py:mine")
    assert "object TP53 is in no cluster" in done.out


# --- round trips
words = st.text(st.characters(categories=["L", "N", "P", "Zs"]), min_size=1).map(str.strip).filter(bool)
labellings = st.lists(st.integers(-1, 4), min_size=2, max_size=12)
names = st.lists(words.map("n{}".format), min_size=12, max_size=12, unique=True)


def csv_of(rows: list[list[str]]) -> str:
    file = io.StringIO()
    csv.writer(file).writerows(rows)
    return file.getvalue()


@given(labellings, names, st.randoms(use_true_random=False))
def test_named_labels_say_the_same_in_any_order(labels: list[int], names: list[str], random: Any) -> None:
    rows = [[name, str(label)] for name, label in zip(names, labels, strict=False)]
    shuffled = random.sample(rows, len(rows))
    one, other = (parse(csv_of([["object", "label"], *table]), "x") for table in (rows, shuffled))
    matched = match(other, one)
    assert matched.candidate == matched.gold == Biclustering.from_labels(labels)
    assert matched.names[0] == tuple(names[: len(labels)])
    assert not matched.notes


tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=3, max_size=8)
)


@given(tables, names)
def test_memberships_say_what_the_table_says(table: list[list[bool]], names: list[str]) -> None:
    columns = [[at for at, row in enumerate(table) if row[column]] for column in range(len(table[0]))]
    expected = Biclustering.lifted([rows for rows in columns if rows], shape=(len(table), 1))
    header = ["object", *(f"c{column}" for column in range(len(table[0])))]
    body = [[name, *map(str, map(int, row))] for name, row in zip(names, table, strict=False)]
    assert parse(csv_of([header, *body]), "x", "membership").biclustering == expected
    assert parse(csv_of([header[1:], *(row[1:] for row in body)]), "x", "membership").biclustering == expected


@given(labellings, names)
def test_json_with_names_is_json_with_numbers(labels: list[int], names: list[str]) -> None:
    family = Biclustering.from_labels(labels, n_features=2)
    data = family.to_json()
    objects = names[: len(labels)]
    for bicluster in data["biclusters"]:
        bicluster["rows"] = [objects[row] for row in bicluster["rows"]]
    found = named_from_json({**data, "objects": objects}, "x")
    assert found == Named(family, "x", (tuple(objects), None))


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 3) | st.floats() | st.sampled_from(["a", "b", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["rows", "cols", "objects", "biclusters", "shape", "m"]), inner, max_size=3)
    ),
)
tables_of_json = st.fixed_dictionaries(
    {"biclusters": st.lists(st.fixed_dictionaries({"rows": anything, "cols": anything}), max_size=2)},
    optional={"objects": anything, "features": anything, "shape": anything},
)


texts = st.text('01ab,;\t\n\r" -.#', max_size=30)


@given(texts, st.sampled_from([None, *FORMATS]), st.sampled_from(["x", "x.cover", "x.gmt"]))
def test_any_text_is_read_or_refused(text: str, format: str | None, source: str) -> None:
    with contextlib.suppress(InputError):
        found = parse(text, source, format)
        assert found.names[0] is None or len(found.names[0]) == found.biclustering.shape[0]
        assert found.told


@given(texts, texts, st.sampled_from([None, *FORMATS]))
def test_any_two_texts_are_matched_or_refused(text: str, other: str, format: str | None) -> None:
    with contextlib.suppress(InputError):
        matched = match(parse(text, "x", format), parse(other, "y.cover"))
        assert matched.candidate.shape == matched.gold.shape


clusterings = st.lists(st.sets(st.integers(0, 9), min_size=1), min_size=1, max_size=6)


@given(clusterings, names, st.randoms(use_true_random=False))
def test_clusters_say_the_same_in_every_format(clusters: list[set[int]], names: list[str], random: Any) -> None:
    # Where there is no comma, semicolons or blanks divide names.
    plain = [re.sub(r"[#;\s]", "", name) for name in names]
    sets = [list(dict.fromkeys(f"n{plain[at]}" for at in cluster if plain[at])) for cluster in clusters]
    lines = csv_of([random.sample(one, len(one)) for one in sets])
    pairs = csv_of([[name, f"c{at}"] for at, one in enumerate(sets) for name in one])
    read_as = [parse(lines, "x", "clusters"), parse(pairs, "x", "pairs"), named_from_json(sets, "x")]
    read_as.append(named_from_json({f"c{at}": one for at, one in enumerate(sets)}, "x"))
    for found in read_as:
        assert found.names[0] is not None
        known = found.names[0]
        assert Counter(frozenset(known[row] for row in rows) for rows, _ in found.biclustering) == Counter(
            map(frozenset, sets)
        )


@given(anything | tables_of_json)
def test_any_json_is_read_or_refused(data: Any) -> None:
    with contextlib.suppress(InputError):
        found = named_from_json(data, "x")
        for known, size in zip(found.names, found.biclustering.shape, strict=True):
            assert known is None or len(known) == size


ARRAYS = {"labels": np.array([0, 1]), "membership": np.eye(2), "rows": np.eye(2), "objects": np.array(["a", "b"])}


@given(st.sampled_from(sorted(ARRAYS)), st.data())
def test_any_damaged_array_is_read_or_refused(kind: str, data: st.DataObject) -> None:
    file = io.BytesIO()
    np.savez(file, **{kind: ARRAYS[kind], "objects": ARRAYS["objects"]})
    damaged = bytearray(file.getvalue())
    for at in data.draw(st.lists(st.integers(4, len(damaged) - 1), min_size=1, max_size=5)):
        damaged[at] = data.draw(st.integers(0, 255))
    with contextlib.suppress(InputError):
        arrays.parse(bytes(damaged), "x")


def test_small_files_load_little(write: Write) -> None:
    path = write("small.csv", "gene,p,q\na,0,1\nb,1,0\n")
    loaded = modules_after("score", "--gold", path, "--candidate", path, "--measure", "rnia")
    assert "metaeval.files.text_input" in loaded
    assert not loaded & {"hypothesis", "pytest", "pandas", "jinja2", "multiprocessing", "metaeval.search.search"}


# --- files that are small and would fill the memory, or take for ever
def test_an_archive_that_grows_beyond_all_memory_is_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    np.savez_compressed("labels.npz", labels=np.zeros(10**6, np.int64))
    assert read("labels.npz").biclustering.shape == (10**6, 1)
    monkeypatch.setattr(arrays, "MOST_BYTES", 7 * 1024**2)
    assert Path("labels.npz").stat().st_size < 10**5
    with pytest.raises(InputError, match=r"labels\.npz holds 7 MiB; expected at most 7 MiB"):
        read("labels.npz")


def test_a_clustering_is_not_laid_over_features_without_end(write: Write) -> None:
    gold = write("gold.json", json.dumps({"shape": [2, 10**12], "biclusters": [{"rows": [0], "cols": [0]}]}))
    found = write("found.txt", "0\n0\n")
    outcome = run_inside("score", "--gold", gold, "--candidate", found)
    assert_one_sentence(outcome, "gold.json has 1000000000000 features", "expected at most 1000000")


@pytest.mark.parametrize("text", ["a\nb\n.", "N.\n.", ".", "I1\nI2\n.", "ab.", "(lp0\nb."])
def test_labels_that_end_as_pickles_do_are_labels(text: str, write: Write) -> None:
    assert read(write("labels.txt", text)).biclustering.shape == (len(text.splitlines()), 1)
