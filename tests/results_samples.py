"""Results files for the tests of the reports: small, made by hand, scored by the real measures."""

import copy
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from brute_force import copied

import metaeval
from metaeval import Biclustering
from metaeval.catalogue.condition import find_condition
from metaeval.catalogue.measure import find_measure
from metaeval.core.relation import ScoreValue
from metaeval.proofs.proof import Proof, derive
from metaeval.records.score import Score

MARKUP = "<img src=x onerror=\"document.title='owned'\"> & </script><!-- ${7*7} {{7*7}} | *b* _i_ `c` \\end{document} %"
READINGS = ("canonical", "literal", "overlapping", "repeated")
PAPER_MEASURES = ("ce", "ce-multiset", "rnia", "rand", "rand-background", "vi", "e4sc", "bcubed", "cice", "mocice")
VERDICTS = ("holds", "violated", "undefined", "error", "flaky", "vacuous", "timeout", "proved")

Pair = tuple[Biclustering, Biclustering]


def fresh(sample: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """A sample that is made once, and handed out as a copy, as tests change theirs."""
    made = cache(sample)
    return lambda *arguments: copy.deepcopy(made(*arguments))


_STATEMENTS = {
    "A.1": ("Homogeneity", "worse", "clo", "A cluster that mixes two classes scores worse than its two pure parts."),
    "A.2": ("Completeness", "worse", "clo", "Two clusters inside one class score worse than their union."),
    "A.3": ("Rag bag", "worse", "clo", "One foreign object does more harm in a clean cluster than in noise."),
    "A.4": ("Clusters size versus quantity", "worse", "clo", "A small error in a large cluster beats many small ones."),
    "A.5": ("Perfect match", "not-optimal", "clor", "The optimum is reached by the gold standard itself alone."),
    "B.1": ("Penalty for non-intersection area", "worse", "clo", "Adding objects of neither side makes it worse."),
    "B.2": ("Background independence", "equal", "co", "The score does not depend on unclustered objects."),
    "B.3": ("Scale invariance", "equal", "co", "Copying every object and feature k times changes nothing."),
    "B.4": ("Copy invariance", "equal", "cor", "k disjoint copies of both sides score as one."),
    "B.5": ("Multiple cluster coverage penalty", "not-optimal", "clo", "One cluster over several classes falls short."),
}


def _lifted(*clusters: Iterable[int], features: Iterable[int] = (0,), shape: Sequence[int] | None = None) -> Any:
    return Biclustering.lifted(clusters, features, shape)


def _cases() -> dict[str, list[tuple[str, Pair, Pair]]]:
    """For every condition some cases: the reading's letter, left (candidate, gold), right (candidate, gold)."""
    x = (0, 1, 2)
    homogeneity = _lifted({0, 1, 2}, {3, 4}, features=x)
    rag_gold = _lifted({0}, {1}, {2}, {3}, {4}, {5, 6, 7, 8}, features=x)
    sizes = _lifted({0, 1, 2}, {3, 4}, {5, 6})
    small = Biclustering([({0, 1}, {0, 1}), ({2, 3}, {1, 2})], (5, 3))
    part = Biclustering([({0, 1, 2}, {0, 1}), ({3}, {1, 2})], (5, 3))
    overlapping = Biclustering([({0, 1}, {0, 1}), ({1, 2}, {1, 2})], (4, 3))
    halves = Biclustering([({0, 1}, {0, 1}), ({2, 3}, {0, 1})], (4, 2))
    return {
        "A.1": [
            ("c", (_lifted({0, 1, 3}, {2}, {4}, features=x), homogeneity),
             (_lifted({0, 1}, {3}, {2}, {4}, features=x), homogeneity)),
            ("l", (_lifted({0, 1}, shape=(3, 1)), _lifted({0, 2}, {1})),
             (_lifted({0}, {1}, shape=(3, 1)), _lifted({0, 2}, {1}))),
        ],
        "A.2": [
            ("c", (_lifted({0}, {1}, {2, 3, 4}, features=x), homogeneity),
             (_lifted({0, 1}, {2, 3, 4}, features=x), homogeneity)),
        ],
        "A.3": [
            ("c", (_lifted({0, 1, 2, 3}, {4, 5, 6, 7, 8}, features=x), rag_gold),
             (_lifted({0, 1, 2, 3, 4}, {5, 6, 7, 8}, features=x), rag_gold)),
        ],
        "A.4": [
            ("c", (_lifted({0, 1, 2}, {3}, {4}, {5}, {6}), sizes), (_lifted({0, 1}, {2}, {3, 4}, {5, 6}), sizes)),
        ],
        "A.5": [
            ("c", (_lifted({0, 1}, {2, 3}), _lifted({0, 1, 2}, {3})),
             (_lifted({0, 1, 2}, {3}), _lifted({0, 1, 2}, {3}))),
            ("r", (Biclustering([*small, small.biclusters[0]], small.shape), small), (small, small)),
        ],
        "B.1": [
            ("c", (Biclustering([({0, 1, 4}, {0, 1}), ({2, 3}, {1, 2})], (5, 3)), small), (small, small)),
            ("l", (Biclustering([({4}, {0}), ({3}, {0})], (5, 3)), small.on((5, 3))),
             (Biclustering([({3}, {0})], (5, 3)), small)),
        ],
        "B.2": [("c", (part, small), (part.on((8, 4)), small.on((8, 4))))],
        "B.3": [("c", (scaled(part), scaled(small)), (part, small)),
                ("o", (scaled(overlapping), scaled(halves)), (overlapping, halves))],
        "B.4": [("c", (copied(part, 2, shared=True), copied(small, 2, shared=True)), (part, small)),
                ("r", (Biclustering([*part, *part], part.shape), Biclustering([*small, *small], small.shape)),
                 (part, small))],
        "B.5": [
            ("c", (Biclustering([({0, 1, 2, 3}, {0, 1})], (4, 2)), halves), (halves, halves)),
            ("o", (Biclustering([({0, 1, 2}, {0, 1, 2})], (4, 3)), overlapping), (overlapping, overlapping)),
        ],
    }  # fmt: skip


def scaled(family: Biclustering) -> Biclustering:
    """Twice, by names that do not depend on the shape."""

    def spread(members: frozenset[int]) -> set[int]:
        return {2 * index + copy for index in members for copy in range(2)}

    return Biclustering([(spread(rows), spread(cols)) for rows, cols in family], [2 * size for size in family.shape])


def score(measure: str, pair: Pair) -> dict[str, Any]:
    """Both forms of a score, as a certificate holds them."""
    try:
        return Score.of(metaeval.score(measure, *pair, exact=True)).to_json()
    except metaeval.InputError:
        return Score.of(metaeval.score(measure, *pair)).to_json()


def certificate(measure: str, condition: str, reading: str, left: Pair, right: Pair) -> dict[str, Any]:
    """A certificate with the scores the measure gives."""

    def side(pair: Pair) -> dict[str, Any]:
        return {"candidate": pair[0].to_json(), "gold": pair[1].to_json()}

    scores = {"left": score(measure, left), "right": score(measure, right)}
    return {
        "schema": "metaeval.certificate/1", "measure": measure, "condition": condition, "reading": reading,
        "relation": _STATEMENTS[condition][1], "left": side(left), "right": side(right),
        "scores": {**scores, "optimum": metaeval.measures()[measure].optimum},
        "minimal": {"objects": max(left[1].shape[0], right[1].shape[0]), "certified": condition != "A.3"},
    }  # fmt: skip


@cache
def _proof() -> Proof:
    equation = find_measure("bcubed").equation
    assert equation is not None
    found = derive(equation, find_condition("A.2").reading("canonical").situation)
    return Proof("bcubed", equation, "A.2", "canonical", found.scheme, found.statements, 100)


def proof(measure: str = "bcubed", condition: str = "A.2", reading: str = "canonical") -> dict[str, Any]:
    """The proof that BCubed rises when two clusters inside one class are joined, filed under any cell."""
    return {**_proof().to_json(), "measure": measure, "condition": condition, "reading": reading}


def with_proofs() -> dict[str, Any]:
    """Cells that are proved, one that holds without, and the claims that become of them."""
    results = frame(("bcubed", "mocice"), ("A.1", "A.2"))
    for measure in results["measures"]:
        for condition in results["conditions"]:
            more = {"claim": claim(measure, condition)}
            proved = {**more, "proof": proof(measure, condition, "canonical")}
            results["cells"].append(cell(measure, condition, "canonical", "proved", **proved))
            unproved = {**more, "unproved": "The signs do not show that the score rises."}
            results["cells"].append(cell(measure, condition, "literal", **unproved))
    return results


def broken(found: dict[str, Any]) -> bool:
    """Do the scores of a certificate break its relation?"""
    left, right = (_value(found["scores"][side]) for side in ("left", "right"))
    match found["relation"]:
        case "worse":
            return left >= right - (1e-9 if isinstance(left, float) else 0)
        case "equal":
            return abs(left - right) > (1e-9 if isinstance(left, float) else 0)
        case _:
            return left >= found["scores"]["optimum"]


def _value(data: dict[str, Any]) -> ScoreValue:
    return Score.from_json(data, "a sample").number


def cell(measure: str, condition: str, reading: str, verdict: str = "holds", **more: Any) -> dict[str, Any]:
    """A cell, with counts that differ from one another."""
    return {
        "measure": measure, "condition": condition, "reading": reading, "verdict": verdict, "cases": 1432,
        "violations": 57 if verdict == "violated" else 0, "exhaustive": {"objects": 5, "cases": 1232}, "claim": None,
        "certificate": None, "message": None, "seconds": 0.25, **more,
    }  # fmt: skip


def claim(measure: str, condition: str) -> str | None:
    """What the paper says."""
    if measure == "mocice":
        return "satisfies"
    violated = {"ce": "A.1 A.3", "rnia": "A.1 A.3", "e4sc": "A.3", "rand": "A.3 A.4", "vi": "A.3"}
    if condition in violated.get(measure, "").split():
        return "violates"
    return "satisfies" if (measure, condition) == ("e4sc", "A.1") else None


def frame(measures: Iterable[str] = PAPER_MEASURES, conditions: Iterable[str] = tuple(_STATEMENTS)) -> dict[str, Any]:
    """A results file without cells."""
    registry = metaeval.measures()
    described = {}
    for id in measures:
        known = registry[id]
        described[id] = {"name": known.name, "citation": known.citation, "best": known.optimum,
                         "summary": known.summary, "gate": None}  # fmt: skip
    return {
        "schema": "metaeval.results/1",
        "provenance": {"version": "0.1.0", "python": "3.11.2", "hypothesis": "6.170.15", "numpy": "2.4.6",
                       "seed": 0, "examples": 200, "exhaustive": 5},
        "measures": described,
        "conditions": {id: _condition(id) for id in conditions},
        "cells": [],
    }  # fmt: skip


def _condition(id: str) -> dict[str, Any]:
    name, relation, letters, statement = _STATEMENTS[id]
    adds = {
        "canonical": "Gold and candidates are partitions of the same objects.",
        "literal": "Coverage may be partial on either side; classes may extend beyond the clusters named.",
        "overlapping": "Clusters and classes are free to overlap.",
        "repeated": "A bicluster may occur more than once.",
    }
    return {
        "name": name,
        "statement": statement,
        "citation": "Amigó et al. 2009, doi:10.1007/s10791-008-9066-8" if id < "A.5" else "Patrikainen & Meilă 2006",
        "relation": relation,
        "readings": {
            reading: {"adds": adds[reading], "scope": f"every pair of families on one feature, {reading}"}
            for reading in READINGS
            if reading[0] in letters
        },
    }


@fresh
def paper_sized(measures: Iterable[str] = PAPER_MEASURES) -> dict[str, Any]:
    """The paper's measures against the paper's conditions: violated where a case at hand breaks the relation."""
    results = frame(measures)
    for measure in results["measures"]:
        for condition, cases in _cases().items():
            for reading in results["conditions"][condition]["readings"]:
                results["cells"].append(_decided(measure, condition, reading, cases))
    return results


def _decided(measure: str, condition: str, reading: str, cases: list[tuple[str, Pair, Pair]]) -> dict[str, Any]:
    wider = {"c": "c", "l": "cl", "o": "clo", "r": "r"}[reading[0]]
    for letter, left, right in cases:
        if letter in wider:
            found = certificate(measure, condition, reading, left, right)
            if broken(found):
                more = {"certificate": found, "claim": claim(measure, condition)}
                return cell(measure, condition, reading, "violated", **more)
    return cell(measure, condition, reading, claim=claim(measure, condition))


@fresh
def every_verdict() -> dict[str, Any]:
    """One measure and condition for every verdict, with claims of each kind and a measure that failed its gate."""
    results = frame(("ce", "rnia", "vi", "mocice"), ("A.1", "A.5", "B.2"))
    places = [(m, c, r) for m in results["measures"] for c, d in results["conditions"].items() for r in d["readings"]]
    for at, (measure, condition, reading) in enumerate(places[:-2]):
        verdict = VERDICTS[at % len(VERDICTS)]
        more: dict[str, Any] = {"claim": (None, "satisfies", "violates")[at % 3]}
        if verdict == "violated":
            more["certificate"] = certificate(measure, condition, reading, *_cases()[condition][0][1:])
        if verdict in ("undefined", "error", "flaky", "timeout"):
            more["message"] = f"what the measure said of it, {verdict}"
        if verdict == "proved":
            more["proof"] = proof(measure, condition, reading)
        if verdict == "vacuous":
            more |= {"cases": 0, "violations": None, "exhaustive": None}
        results["cells"].append(cell(measure, condition, reading, verdict, **more))
    results["measures"]["vi"]["gate"] = "a perfect match scored 0.3, expected the best score, 0"
    return results


def with_passes() -> dict[str, Any]:
    """Cells that hold, with the case they passed by the least, and conditions with an example to draw."""
    results = frame(("mocice",), ("A.3", "B.2"))
    for condition, step in (("A.3", "after the move"), ("B.2", "in the larger matrix")):
        _, left, right = _cases()[condition][0]
        found = certificate("mocice", condition, "canonical", left, right)
        case = {side: found[side] for side in ("left", "right")}
        scores = {side: found["scores"][side] for side in ("left", "right")}
        results["conditions"][condition] |= {"step": step, "example": case}
        results["cells"].append(cell("mocice", condition, "canonical", narrowest={**case, "scores": scores}))
    return results


def no_violations() -> dict[str, Any]:
    """Every cell holds."""
    results = frame(("mocice", "ce"), ("A.1", "B.4"))
    results["cells"] = [
        cell(m, c, r) for m in results["measures"] for c, d in results["conditions"].items() for r in d["readings"]
    ]
    return results


def only_violations() -> dict[str, Any]:
    """Every cell is violated and has a certificate."""
    results = paper_sized()
    results["cells"] = [each for each in results["cells"] if each["verdict"] == "violated"]
    return results


@fresh
def hostile() -> dict[str, Any]:
    """Markup in every text, an id included, and names far too long for any column."""
    results = copy.deepcopy(every_verdict())
    results["measures"]["ce"]["name"] = MARKUP
    results["measures"]["rnia"]["name"] = "A measure whose name goes on and on " * 8
    results["measures"]["vi"] |= {"citation": MARKUP, "summary": MARKUP, "gate": MARKUP}
    for condition in results["conditions"].values():
        condition |= {"name": MARKUP, "statement": MARKUP, "citation": MARKUP}
        for reading in condition["readings"].values():
            reading |= {"adds": MARKUP, "scope": MARKUP}
    for each in results["cells"]:
        if each["message"]:
            each["message"] = MARKUP + " \x1b[31mred \u202eback 漢字 \ud800"
        if each["verdict"] == "holds":
            each["unproved"] = MARKUP
        if "proof" in each:
            each["proof"] |= {"scheme": MARKUP, "obligations": [{"rule": MARKUP, "statement": MARKUP}] * 60}
    results["provenance"]["version"] = MARKUP
    return _renamed(results, "mocice", MARKUP)


def _renamed(results: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    results["measures"] = {new if id == old else id: entry for id, entry in results["measures"].items()}
    for each in results["cells"]:
        for data in (each, each["certificate"] or {}, each.get("proof") or {}):
            if data.get("measure") == old:
                data["measure"] = new
    return results


@fresh
def huge() -> dict[str, Any]:
    """A certificate on a matrix of 10^9 objects, with more touched rows than a picture shows."""
    shape = (10**9, 10**9)
    gold = Biclustering([(range(0, 10**6, 10**4), {0, 10**8}), ({10**9 - 1}, range(80))], shape)
    rows = range(0, 10**6, 10**4)
    left = Biclustering([(rows, {0}), (rows, {10**8}), ({10**9 - 1}, range(80))], shape)
    results = frame(("rnia",), ("A.5",))
    found = certificate("rnia", "A.5", "literal", (left, gold), (gold, gold))
    results["cells"] = [cell("rnia", "A.5", "literal", "violated", certificate=found)]
    return results


@fresh
def large() -> dict[str, Any]:
    """A certificate on 137 objects: a split beside 37 clusters of one object each."""
    gold = Biclustering.from_labels(["A"] * 40 + ["B"] * 60 + ["C"] * 37)
    alone = [str(number) for number in range(37)]
    left = Biclustering.from_labels(["a"] * 41 + ["b"] * 59 + alone)
    right = Biclustering.from_labels(["a"] * 40 + ["d"] + ["b"] * 59 + alone)
    results = frame(("ce",), ("A.1",))
    found = certificate("ce", "A.1", "canonical", (left, gold), (right, gold))
    results["cells"] = [cell("ce", "A.1", "canonical", "violated", certificate=found)]
    return results


def changed(results: dict[str, Any]) -> dict[str, Any]:
    """The same results before three cells changed their verdict: one flipped, one was not run, one is gone."""
    old = copy.deepcopy(results)
    first = next(each for each in old["cells"] if each["verdict"] == "violated")
    first |= {"verdict": "holds", "violations": 0, "certificate": None}
    old["cells"].pop()
    gone = old["cells"][1]
    results["cells"] = [each for each in results["cells"] if _at(each) != _at(gone)]
    return old


def _at(each: dict[str, Any]) -> tuple[str, str, str]:
    return each["measure"], each["condition"], each["reading"]
