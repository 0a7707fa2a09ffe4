"""What two large partitions tell about each other, in floats: entropies, mutual information, and its expected value."""

import numpy as np
from scipy.special import kl_div

from metaeval.kernel.large_overlay import Array
from metaeval.kernel.overlay import Overlay

#: Tables of chances have at most so many entries, or one line; such fit into a processor's cache.
_ENTRIES = 1 << 16
#: Left out is what has a chance below 2·e^−50, about 4·10⁻²².
_RARE = 50


def information(cells: Overlay) -> tuple[float, float, float, float]:
    """H of the clusters and of the classes, I, and the mean of I over all partitions with the same sizes."""
    total, (i, j, n), sizes = cells.union, cells.met, [cells.sizes(side).astype(float) for side in (0, 1)]
    # Equal sizes do the same to a mean, and large clusterings have few different ones.
    different = [np.unique(one, return_counts=True) for one in sizes]
    candidate, gold = (float(-(many * a * np.log(a / total)).sum() / total) for a, many in different)
    if len(n) == len(sizes[0]) == len(sizes[1]):
        # The same partition scores 1 whatever the mean, which for singletons is the entropy but for rounding.
        return candidate, gold, candidate, 0.0
    mutual = (n * np.log(n / _mean_met(sizes[0][i], sizes[1][j], total))).sum()
    (clusters, often), classes = different
    expected = sum(many * _expected(a, *classes, total) for a, many in zip(clusters, often.tolist(), strict=True))
    return candidate, gold, float(mutual / total), expected / total


def _mean_met(a: Array, b: Array, total: int) -> Array:
    """ab/N; exactly b where a is N, and the other way round, for one cluster tells nothing."""
    return np.maximum(a, b) / total * np.minimum(a, b)


def _expected(a: Array, classes: Array, often: Array, total: int) -> float:
    """The mean of Σ n·log(n/m) over the classes, n what a cluster of a objects shares with a class, m the mean of n.

    Drawing without replacement strays no further than drawing with it (Hoeffding 1963), and for that Bernstein's
    inequality bounds the chance of n further than t from its mean by 2·exp(−t²/2(v + t/3)), v the variance.
    """
    mean = _mean_met(a, classes, total)
    far = _RARE / 3 + np.sqrt(_RARE**2 / 9 + 2 * _RARE * mean * (1 - np.maximum(a, classes) / total))
    least = np.maximum(np.maximum(0, a + classes - total), np.floor(mean - far))
    most = np.minimum(np.minimum(a, classes), np.ceil(mean + far))
    lines = max(1, _ENTRIES // int((most - least).max() + 1))
    # Sizes are in order, so that the lines of a table are about equally long.
    tables = [slice(start, start + lines) for start in range(0, len(classes), lines)]
    return sum(float(often[some] @ _terms(a, classes[some], least[some], most[some], total)) for some in tables)


def _terms(a: Array, b: Array, least: Array, most: Array, total: int) -> Array:
    """The same for each class: as the mean of n − m is 0, it is taken away, which leaves no negative term."""
    mode = np.clip(np.floor((a + 1) * (b + 1) / (total + 2)), least, most)
    below, above = (np.arange(1, 1 + int(steps.max())) for steps in (mode - least, most - mode))
    # To have less in common with a class is to have more in common with the rest.
    chances = _chances(a, total - b, a - mode, below, total), _chances(a, b, mode, above, total)
    chance = np.concatenate([np.ones((len(b), 1)), *chances], axis=1)
    n = np.maximum(mode[:, None] + np.concatenate([[0], -below, above]), 0)
    terms = chance * kl_div(n, _mean_met(a, b, total)[:, None])
    return np.asarray(terms.sum(axis=1) / chance.sum(axis=1))


def _chances(a: Array, b: Array, first: Array, steps: Array, total: int) -> Array:
    """How likely the next numbers in common are, if the first is 1; 0 beyond what is possible."""
    b, n = b[:, None], first[:, None] + steps
    return np.cumprod((a - n + 1) * (b - n + 1) / (n * (total - a - b + n)), axis=1)
