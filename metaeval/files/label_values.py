"""Clusterings given by a label an object, and by a table of who belongs where."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan

from metaeval.core.biclustering import Biclustering
from metaeval.files.match_names import Named, Names

#: Labels of objects that are in no cluster, beside the number -1 and not-a-number however they are written.
UNCLUSTERED = ("", "NA")


def from_labels(
    labels: Iterable[str], source: str, objects: Names | None = None, told: str | None = None
) -> Named:
    """The clustering of one label an object."""
    clusters: dict[str, list[int]] = {}
    count = 0
    for label in labels:
        clusters.setdefault(label, []).append(count)
        count += 1
    kept = [rows for label, rows in clusters.items() if not is_unclustered(label)]
    return clustering(kept, count, source, objects, told)


def clustering(
    clusters: Iterable[Iterable[int]], objects: int, source: str, names: Names | None, told: str | None
) -> Named:
    """A clustering of so many objects; those numbered by their names are put in that order."""
    if names is not None and set(names) == set(map(str, range(objects))):
        # Numbers of objects, in any order: another file without names means these.
        place = [int(name) for name in names]
        clusters = [[place[row] for row in rows] for rows in clusters]
        names = tuple(map(str, range(objects)))
    family = Biclustering.lifted(clusters, shape=(objects, 1))
    return Named(family, source, (names, None), clustering=True, counted=True, told=told)


def is_unclustered(label: str) -> bool:
    """Whether a label says that its object is in no cluster."""
    number = as_number(label)
    return label in UNCLUSTERED or (number is not None and (number == -1 or isnan(number)))


def as_number(text: str) -> float | None:
    """The number that a text is, or None."""
    try:
        return float(text)
    except ValueError:
        return None
