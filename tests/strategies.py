"""Hypothesis strategies and settings that the tests of the foundation share."""

import os

from hypothesis import settings
from hypothesis import strategies as st

from metaeval import Biclustering

#: The same cases on every machine: a test that fails here fails for everyone.
#: `make long` draws all of these, `make test` half of them.
SHARE = 1.0 if os.environ.get("METAEVAL_LONG") else 0.5

thorough = settings(deadline=None, database=None, derandomize=True, max_examples=int(100 * SHARE))
hundreds = settings(thorough, max_examples=int(400 * SHARE))
quick = settings(thorough, max_examples=int(40 * SHARE))

MAX_OBJECTS, MAX_FEATURES = 5, 3

shapes = st.tuples(st.integers(1, MAX_OBJECTS), st.integers(1, MAX_FEATURES))


def index_sets(size: int) -> st.SearchStrategy[frozenset[int]]:
    """The non-empty subsets of range(size), each as likely as the next."""
    return st.integers(1, 2**size - 1).map(lambda mask: frozenset(i for i in range(size) if mask >> i & 1))


def biclusters(shape: tuple[int, int]) -> st.SearchStrategy[tuple[frozenset[int], frozenset[int]]]:
    return st.tuples(index_sets(shape[0]), index_sets(shape[1]))


@st.composite
def families(draw, shape, *, overlapping, max_size=4):
    """Biclusters on a matrix; where they may overlap, some are repeated."""
    drawn = draw(st.lists(biclusters(shape), max_size=max_size))
    if overlapping:
        return drawn + (draw(st.lists(st.sampled_from(drawn), max_size=2)) if drawn else [])
    kept = []
    for rows, cols in drawn:
        if not any(rows & other_rows and cols & other_cols for other_rows, other_cols in kept):
            kept.append((rows, cols))
    return kept


@st.composite
def biclusterings(draw):
    """Any biclustering, on a matrix of drawn shape."""
    shape = draw(shapes)
    return Biclustering(draw(families(shape, overlapping=True)), shape)


@st.composite
def pairs(draw, *, overlapping):
    """A candidate and a gold standard on one matrix; either may be empty."""
    shape = draw(shapes)
    side = families(shape, overlapping=overlapping).map(lambda family: Biclustering(family, shape))
    return draw(side), draw(side)


disjoint_pairs = pairs(overlapping=False)
overlapping_pairs = pairs(overlapping=True)
any_pairs = st.one_of(disjoint_pairs, overlapping_pairs)


@st.composite
def label_pairs(draw, *, least=0):
    """Two labellings of the same objects; with least=0 both are partitions, with -1 coverage may be partial."""
    n = draw(st.integers(1, 7))
    labels = st.lists(st.integers(least, 3), min_size=n, max_size=n)
    return draw(labels), draw(labels)


@st.composite
def clustering_pairs(draw):
    """Two families of non-empty sets of the same objects, free to overlap and to leave objects out."""
    n = draw(st.integers(1, MAX_OBJECTS))
    clusters = st.lists(index_sets(n), max_size=4)
    return draw(clusters), draw(clusters)
