"""Biclusterings with names from files; two of them on the same objects and features."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from metaeval.core.biclustering import Biclustering
from metaeval.core.errors import InputError
from metaeval.files.shown import clean

Names = tuple[str, ...]

#: A name that can be the number of an object.
_NUMBER = re.compile(r"(0|[1-9][0-9]{0,14})\Z")
#: The number of names shown of a longer list.
_SHOWN = 5
_KINDS = ("object", "feature")
#: Each cluster of a clustering gets all features of the other file; more would fill the memory.
_MOST_FEATURES = 1_000_000


@dataclass(frozen=True)
class Named:
    """A biclustering, its file, and the ``names`` of its objects and features, if it has any.

    ``partial`` names are only those in a bicluster, in no order. A ``clustering`` has no features. A ``counted`` one
    lists every object, as label files do, so a different number of objects is an error. ``told`` says how a text was
    understood.
    """

    biclustering: Biclustering
    source: str
    names: tuple[Names | None, Names | None] = (None, None)
    partial: tuple[bool, bool] = (False, False)
    clustering: bool = False
    counted: bool = False
    told: str | None = None


class Match(NamedTuple):
    """Candidate and gold on one matrix, its names, and notes on names that only one file has."""

    candidate: Biclustering
    gold: Biclustering
    names: tuple[Names | None, Names | None]
    notes: list[str]


class _Axis(NamedTuple):
    """The objects or the features of both files together; ``places`` maps those of each file to them."""

    size: int
    names: Names | None
    places: tuple[Sequence[int], Sequence[int]]
    notes: list[str]


def match(candidate: Named, gold: Named) -> Match:
    """Both on the same objects and features: by name if both have names, else by position.

    Objects that only one file names are unclustered in the other.
    """
    candidate, gold = _by_number(candidate, gold), _by_number(gold, candidate)
    objects = _axis(candidate, gold, 0)
    features = _features(candidate, gold)
    shape = objects.size, features.size
    found = _placed(candidate, shape, objects.places[0], features.places[0])
    classes = _placed(gold, shape, objects.places[1], features.places[1])
    return Match(found, classes, (objects.names, features.names), objects.notes + features.notes)


def _by_number(one: Named, other: Named) -> Named:
    """The clustering by numbers of objects, where its names are numbers and the other file has no such names."""
    names, others = one.names[0] or (), other.names[0] or ()
    numbers = one.clustering and one.partial[0] and names and all(map(_NUMBER.match, names))
    if not numbers or any(map(_NUMBER.match, others)):
        return one
    clusters = [[int(names[row]) for row in rows] for rows, _ in one.biclustering]
    return replace(one, biclustering=Biclustering.lifted(clusters), names=(None, None), partial=(False, False))


def _features(candidate: Named, gold: Named) -> _Axis:
    """The features; a clustering is on all features of the other file."""
    if not candidate.clustering and not gold.clustering:
        return _axis(candidate, gold, 1)
    other = gold if candidate.clustering else candidate
    size = max(other.biclustering.shape[1], 1)
    if size > _MOST_FEATURES:
        raise InputError(
            f"{other.source} has {size} features, and a clustering is compared with it on all of them; "
            f"expected at most {_MOST_FEATURES}"
        )
    return _Axis(size, other.names[1], (range(size), range(size)), [])


def _placed(one: Named, shape: tuple[int, int], rows: Sequence[int], cols: Sequence[int]) -> Biclustering:
    family = one.biclustering
    every = range(shape[1])
    if rows == range(shape[0]) and cols == every and family.shape == shape:
        return family
    if one.clustering:
        return Biclustering.lifted((map(rows.__getitem__, old) for old, _ in family), every, shape)
    return Biclustering(((map(rows.__getitem__, old), map(cols.__getitem__, on)) for old, on in family), shape)


def _axis(candidate: Named, gold: Named, axis: int) -> _Axis:
    theirs, ours = names = candidate.names[axis], gold.names[axis]
    if theirs is not None and ours is not None:
        return _by_name(candidate, gold, axis)
    kind = _KINDS[axis]
    for one, other in ((candidate, gold), (gold, candidate)):
        if one.partial[axis]:
            raise InputError(f"{one.source} names its {kind}s and {other.source} does not; name them in both")
    sizes = candidate.biclustering.shape[axis], gold.biclustering.shape[axis]
    size = max(sizes)
    # Without names, no file can have objects beyond those of a file that lists every object.
    definite = [one.counted or known is not None for one, known in zip((candidate, gold), names, strict=True)]
    if any(known and own < size for known, own in zip(definite, sizes, strict=True)):
        raise InputError(
            f"{candidate.source} has {sizes[0]} {kind}s and {gold.source} {sizes[1]}; without names in both files "
            f"{kind}s are matched by position, and their numbers must agree"
        )
    return _Axis(size, ours or theirs, (range(size), range(size)), [])


def _by_name(candidate: Named, gold: Named, axis: int) -> _Axis:
    theirs, ours, kind = candidate.names[axis] or (), gold.names[axis] or (), _KINDS[axis]
    place = {name: at for at, name in enumerate(dict.fromkeys((*ours, *theirs)))}
    partial = (candidate.partial[axis] or gold.partial[axis]) and not (candidate.clustering or gold.clustering)
    if theirs and ours and not partial and len(place) == len(theirs) + len(ours):
        raise InputError(
            f"{candidate.source} and {gold.source} have no {kind} in common: {listed(theirs)} there, "
            f"{listed(ours)} here; expected the same names in both"
        )
    notes = []
    for one, names, other in ((candidate, theirs, gold), (gold, ours, candidate)):
        others = set(other.names[axis] or ())
        alone = [name for name in names if name not in others]
        if alone and (other.clustering or not other.partial[axis]):
            amount = f"1 {kind} is" if len(alone) == 1 else f"{len(alone)} {kind}s are"
            notes.append(f"{amount} in {one.source} only, and unclustered in the other file: {listed(alone)}")
    return _Axis(len(place), tuple(place), ([place[name] for name in theirs], range(len(ours))), notes)


def listed(names: Sequence[str]) -> str:
    """Names for a sentence; only the first if there are many."""
    shown = ", ".join(clean(name) for name in names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"


def distinct(names: Iterable[str], what: str) -> Names:
    """Names as a tuple without repeats; ``what`` names the list in an error."""
    found = tuple(names)
    if len(set(found)) < len(found):
        ((twice, _),) = Counter(found).most_common(1)
        raise InputError(f"{what} has the name {clean(twice)!r} twice; expected each once")
    return found
