"""Check the clustering metrics of installed libraries: ``python examples/public_metrics.py [--quick]``.

Covers scikit-learn, and genieclust, CluSim, torchmetrics and cdlib if they are installed; metaeval needs none of these
four. Each metric is checked against the conditions of ``metaeval check`` that label vectors can express. What its
documentation says about symmetry, range and identical partitions is compared with what is found.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import product
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

import metaeval
from metaeval.search.gate import LABELS

#: Settings for a first answer; without them the search is as thorough as `metaeval check`.
QUICK = {"examples": 20, "exhaustive": 5, "most": 4}
SYMBOLS = {"proved": "∎", "holds": "✓", "violated": "✗"}
#: All pairs of partitions with at most this many objects are scored, to compare with the documented range.
MOST = 5

SYMMETRIC, PERFECT, RANGE = "S.1", "S.3", "S.2"


NOTHING: Mapping[str, str] = MappingProxyType({})


class Metric(NamedTuple):
    """A function of (true labels, found labels), the statements of its documentation, and its best score."""

    library: str
    name: str
    function: Callable[[Any, Any], Any]
    says: Mapping[str, str] = NOTHING
    best: float | None = 1.0
    low: float | None = None
    smaller_is_better: bool = False

    @property
    def title(self) -> str:
        """The name with the name of its library."""
        return f"{self.library}.{self.name}"

    def measure(self, consecutive: bool = False) -> metaeval.Measure:
        """The metric as a measure, for any labels or only for 0, 1, …."""
        return metaeval.adapters.labels(
            self.function,
            id=self.title.lower().replace("_", "-"),
            best=self.best,
            low=self.low,
            smaller_is_better=self.smaller_is_better,
            consecutive=consecutive,
        )


# --- the libraries


def scikit_learn() -> Iterator[Metric]:
    """The statements of its docstrings are quoted from metaeval's own data on scikit-learn."""
    from metaeval.literature.scikit_learn import DOCSTRINGS

    metrics = import_module("sklearn.metrics")
    said = {one.function: one.words for one in DOCSTRINGS}
    lows = {"adjusted_rand_score": -0.5, "adjusted_mutual_info_score": None}
    for name in (
        "rand_score", "adjusted_rand_score", "mutual_info_score", "normalized_mutual_info_score",
        "adjusted_mutual_info_score", "homogeneity_score", "completeness_score", "v_measure_score",
        "fowlkes_mallows_score",
    ):  # fmt: skip
        best = None if name == "mutual_info_score" else 1.0
        yield Metric("sklearn", name, getattr(metrics, name), said.get(name, {}), best, lows.get(name, 0.0))


def genieclust() -> Iterator[Metric]:
    """ "they are symmetric", except NCA; "the value of 1.0 if two identical partitions are given", except MI."""
    compare = import_module("genieclust.compare_partitions")

    def on_labels(name: str) -> Callable[[Any, Any], float]:
        def score(true: Any, found: Any) -> float:
            try:
                return float(getattr(compare, name)(true, found))
            except RuntimeError as error:  # raised if it needs as many clusters as classes
                raise metaeval.Undefined(str(error)) from None

        return score

    for name in (
        "rand_score", "adjusted_rand_score", "fm_score", "adjusted_fm_score", "mi_score", "normalized_mi_score",
        "adjusted_mi_score", "normalized_pivoted_accuracy", "pair_sets_index", "normalized_clustering_accuracy",
    ):  # fmt: skip
        says = {} if name == "normalized_clustering_accuracy" else {SYMMETRIC: "index(x, y) == index(y, x)"}
        if name != "mi_score":
            says[PERFECT] = "the value of 1.0 if two identical partitions are given"
        yield Metric("genieclust", name, on_labels(name), says, None if name == "mi_score" else 1.0)


def clusim() -> Iterator[Metric]:
    """Its paper: every similarity lies in [0, 1] and is 1 for identical clusterings."""
    sim, clustering = import_module("clusim.sim"), import_module("clusim.clustering")

    def clustered(labels: Any) -> Any:
        new = clustering.Clustering()
        new.from_membership_list(labels.tolist())
        return new

    def on_labels(name: str) -> Callable[[Any, Any], float]:
        def score(true: Any, found: Any) -> float:
            return float(getattr(sim, name)(*map(clustered, (true, found))))

        return score

    says = {PERFECT: "1 for identical clusterings", RANGE: "in [0, 1]"}
    for name in (
        "jaccard_index", "rand_index", "adjrand_index", "fowlkes_mallows_index", "fmeasure", "purity_index",
        "czekanowski_index", "dice_index", "sorensen_index", "rogers_tanimoto_index", "southwood_index",
        "pearson_correlation", "nmi", "adj_mi", "geometric_accuracy", "onmi", "omega_index", "element_sim",
    ):  # fmt: skip
        yield Metric("clusim", name, on_labels(name), says, low=0.0)
    for name in ("classification_error", "vi"):
        yield Metric("clusim", name, on_labels(name), best=0.0, smaller_is_better=True)


def torchmetrics() -> Iterator[Metric]:
    """Functions of (preds, target), in this order."""
    clustering, torch = import_module("torchmetrics.functional.clustering"), import_module("torch")
    torch.set_default_dtype(torch.float64)  # otherwise rounding would break ties
    torch.set_num_threads(1)

    def on_labels(name: str) -> Callable[[Any, Any], float]:
        def score(true: Any, found: Any) -> float:
            return float(getattr(clustering, name)(torch.as_tensor(found), torch.as_tensor(true)))

        return score

    for name in (
        "rand_score", "adjusted_rand_score", "mutual_info_score", "normalized_mutual_info_score",
        "adjusted_mutual_info_score", "homogeneity_score", "completeness_score", "v_measure_score",
        "fowlkes_mallows_index",
    ):  # fmt: skip
        yield Metric("torchmetrics", name, on_labels(name), best=None if name == "mutual_info_score" else 1.0)


def cdlib() -> Iterator[Metric]:
    """Functions of two clusterings of the nodes of a graph; clusterings may overlap."""
    evaluation, node = import_module("cdlib.evaluation"), import_module("cdlib").NodeClustering

    def clustering(labels: Any) -> Any:
        names = np.unique(labels)
        return node([np.flatnonzero(labels == name).tolist() for name in names], graph=None, method_name="labels")

    def on_labels(name: str) -> Callable[[Any, Any], float]:
        def score(true: Any, found: Any) -> float:
            return float(getattr(evaluation, name)(clustering(true), clustering(found)).score)

        return score

    for name in (
        "normalized_mutual_information", "overlapping_normalized_mutual_information_LFK",
        "overlapping_normalized_mutual_information_MGH", "omega", "f1", "nf1", "adjusted_rand_index",
        "adjusted_mutual_information", "rand_index", "jaccard_index", "ecs",
    ):  # fmt: skip
        yield Metric("cdlib", name, on_labels(name))
    for name in ("classification_error", "variation_of_information"):
        yield Metric("cdlib", name, on_labels(name), best=0.0, smaller_is_better=True)


LIBRARIES: Mapping[str, Callable[[], Iterator[Metric]]] = {
    "scikit-learn": scikit_learn,
    "genieclust": genieclust,
    "clusim": clusim,
    "torchmetrics": torchmetrics,
    "cdlib": cdlib,
}


def installed() -> dict[str, str]:
    """The installed libraries, with their versions."""
    found = {}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found


# --- what is found


def partitions(objects: int) -> Iterator[list[int]]:
    """Every partition as labels, numbered in the order of first occurrence."""
    for labels in product(range(objects), repeat=objects):
        if all(label <= max(labels[:place], default=-1) + 1 for place, label in enumerate(labels)):
            yield list(labels)


def range_of(metric: Metric, most: int = MOST) -> tuple[float, float]:
    """The lowest and highest finite score over all pairs of partitions with at most ``most`` objects."""
    pairs = (pair for objects in range(1, most + 1) for pair in product(partitions(objects), repeat=2))
    finite = [score for pair in pairs for score in scored(metric, pair) if np.isfinite(score)]
    return min(finite), max(finite)


def scored(metric: Metric, pair: tuple[list[int], list[int]]) -> Iterator[float]:
    """The score of a pair, or nothing if the metric gives none."""
    with suppress(Exception):
        yield float(metric.function(*map(np.array, pair)))


def verdicts(metric: Metric, **settings: Any) -> dict[str, str]:
    """The verdict for each condition that applies to a metric of label vectors, and the result of the gate.

    A metric that depends on the names of clusters is checked again with only the labels 0, 1, ….
    """
    measure = metric.measure()
    results = metaeval.check(measure, **settings)
    gate = results.measures[measure.id].gate or ""
    if LABELS in gate:
        results = metaeval.check(metric.measure(consecutive=True), **settings)
    return {**{cell.condition: str(cell.verdict) for cell in results}, "gate": gate}


def remarks(metric: Metric, found: Mapping[str, str], lowest: float, highest: float) -> Iterator[str]:
    """Results of the gate, contradictions to the documentation, and scores outside the declared range."""
    if found["gate"]:
        yield found["gate"]
    for condition, words in metric.says.items():
        if found.get(condition) == "violated":
            yield f"documented: “{words}” ({condition})"
    best = np.inf if metric.best is None else metric.best
    low = -np.inf if metric.low is None else metric.low
    if lowest < low - 1e-9 or highest > best + 1e-9:
        yield f"scores from {lowest:.3g} to {highest:.3g}"


def shown(verdict: str) -> str:
    """A verdict in at most three letters."""
    return SYMBOLS.get(verdict, verdict[:3])


def table(libraries: Mapping[str, str], most: int = MOST, **settings: Any) -> Iterator[str]:
    """One line per metric as soon as it is settled, one column per condition; then the remarks."""
    metrics = [metric for library in libraries for metric in LIBRARIES[library]()]
    width = max(len(metric.title) for metric in metrics)
    conditions, notes = [], []
    for metric in metrics:
        row = verdicts(metric, **settings)
        if not conditions:
            conditions = [condition for condition in row if condition != "gate"]
            yield "  ".join([" " * width, *(condition.ljust(3) for condition in conditions)]).rstrip()
        symbols = (shown(row.get(condition, "–")).ljust(3) for condition in conditions)
        yield "  ".join([metric.title.ljust(width), *symbols]).rstrip()
        notes += [f"{metric.title}: {remark}" for remark in remarks(metric, row, *range_of(metric, most))]
    yield from ("", "✓ no counterexample found   ✗ violated   – not asked", "", *notes)


def main(arguments: list[str]) -> None:
    """Print the versions and the table."""
    warnings.simplefilter("ignore")
    found = installed()
    print(", ".join(f"{library} {number}" for library, number in found.items()), end="\n\n")
    for line in table(found, **(QUICK if "--quick" in arguments else {})):
        print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
