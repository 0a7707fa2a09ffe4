"""The mutants of the tests as equations, as far as the language can express them."""

from collections.abc import Callable
from typing import Any

from metaeval.equations.tree import Expression

from metaeval.equations import (  # isort: skip
    Equation, best, c, cells, classes, classmates, clusters, f1, g, in_class, in_cluster, largest, least, log, matching,
    mates, matrix, meetings, n, over, pairs, share, swapped,
)  # fmt: skip

SHARED, UNION, FOUND, GOLD = cells(in_cluster * in_class), cells(1), cells(in_cluster), cells(in_class)
JACCARD, DICE = n / (g + c - n), 2 * n / (g + c)
DEPTH, CLASS_DEPTH = clusters(1), classes(1)
COMMON = least(DEPTH, CLASS_DEPTH)
IDENTITY = over(clusters(best(JACCARD)), DEPTH, 0)
APART = pairs(in_cluster + in_class - 2 * in_cluster * in_class)
ALONE = cells(clusters(log(g)) * (1 - in_class)) + cells(classes(log(c)) * (1 - in_cluster))
LOST = meetings(n * log(g * c / n**2))


def mocice(
    phi: Any = IDENTITY, precise: Any = COMMON / DEPTH, recalled: Any = COMMON / CLASS_DEPTH,
    universes: tuple[Expression, Expression] = (FOUND, GOLD), join: Callable[..., Any] = f1,
) -> Equation:  # fmt: skip
    """MOCICE with every part open to a slip."""
    precision = cells(over(mates(precise * phi), mates(1), 0)) / universes[0]
    recall = cells(over(classmates(recalled * phi), classmates(1), 0)) / universes[1]
    return Equation(join(precision, recall), empty=1, one_empty=0)


def worst(share: Expression) -> Expression:
    """The smallest of a share over all partners; that it is 0 or more must be said."""
    return largest(0, 1 - best(1 - share))


def e4sc(term: Expression = DICE, join: Callable[..., Any] = f1, choose: Any = best, **header: Any) -> Equation:
    """E4SC with another likeness, another partner, or another mean of both directions."""
    sides = clusters(choose(term)) / DEPTH, classes(choose(term)) / CLASS_DEPTH
    return Equation(join(*sides), empty=1, one_empty=0, **header)


def vi(cost: Expression, **header: Any) -> Equation:
    """A cost of logarithms."""
    return Equation(cost, empty=0, **{"best": 0, "smaller_is_better": True, **header})


def mean(p: Expression, r: Expression) -> Expression:
    """In place of F₁."""
    return (p + r) / 2


_D = matching(n)
_MEAN = meetings(DICE) / (DEPTH * CLASS_DEPTH)
_REACH = cells(mates(COMMON / DEPTH * IDENTITY)) / (UNION * FOUND)
_RECALL_REACH = cells(classmates(COMMON / CLASS_DEPTH * IDENTITY)) / (UNION * GOLD)
_OTHERS = cells(largest(0, mates(COMMON / DEPTH) - over(COMMON, DEPTH, 0)) / largest(1, mates(1) - 1)) / FOUND
EQUATIONS: dict[str, Equation] = {
    "ce-many-to-one": Equation(clusters(best(n)) / UNION, empty=1),
    "ce-over-gold": Equation(_D / GOLD, empty=1, one_empty=0),
    "ce-sum-for-union": Equation(_D / (FOUND + GOLD), empty=1), "ce-over-matrix": Equation(_D / matrix, empty=0),
    "ce-multiset-min": Equation(over(_D, cells(COMMON), 0), empty=1),
    "ce-multiset-sum": Equation(_D / (clusters(g) + classes(c)), empty=1),
    "rnia-sum-for-union": Equation(SHARED / (FOUND + GOLD), empty=1),
    "rnia-over-gold": Equation(SHARED / GOLD, empty=1, one_empty=0),
    "rnia-over-matrix": Equation(1 - (UNION - SHARED) / matrix, empty=1),
    "rnia-dice": Equation(2 * SHARED / (FOUND + GOLD), empty=1),
    "rnia-off-by-one": Equation(least(1, (SHARED + 1) / UNION), empty=1),
    "rand-self-pairs": Equation(1 - APART / (UNION * (UNION + 1) / 2), empty=1),
    "rand-together-only": Equation(share(pairs(in_cluster * in_class), pairs(1)), empty=1),
    "rand-background-covered": Equation(1 - over(APART, pairs(1), 0), empty=1), "vi-unpadded": vi(LOST / UNION),
    "vi-total": vi(LOST + ALONE), "vi-one-sided": vi((meetings(n * log(g / n)) + ALONE) / UNION),
    "vi-turned": vi((LOST + ALONE) / UNION, smaller_is_better=False),
    "e4sc-mean-for-max": Equation(f1(_MEAN, _MEAN), empty=1, one_empty=0), "e4sc-min-for-max": e4sc(choose=worst),
    "e4sc-arithmetic": e4sc(join=mean), "e4sc-one-direction": e4sc(join=lambda p, r: p),
    "e4sc-other-direction": e4sc(join=lambda p, r: r), "e4sc-jaccard": e4sc(JACCARD), "e4sc-recall": e4sc(n / c),
    "e4sc-rows": e4sc(unit="objects"), "mocice-no-phi": mocice(phi=1),
    "mocice-phi-min": mocice(phi=over(clusters(worst(JACCARD)), DEPTH, 0)),
    "mocice-phi-sum": mocice(phi=clusters(best(JACCARD))),
    "mocice-phi-dice": mocice(phi=over(clusters(best(DICE)), DEPTH, 0)),
    "mocice-max-for-min": mocice(
        precise=in_class * largest(DEPTH, CLASS_DEPTH) / DEPTH,
        recalled=in_cluster * largest(DEPTH, CLASS_DEPTH) / CLASS_DEPTH,
    ),
    "mocice-swapped": mocice(precise=over(COMMON, CLASS_DEPTH, 0), recalled=over(COMMON, DEPTH, 0)),
    "mocice-together-or-not": mocice(precise=in_class, recalled=in_cluster), "mocice-arithmetic": mocice(join=mean),
    "mocice-shared-only": mocice(universes=(largest(1, SHARED), largest(1, SHARED))),
    "mocice-wrong-universe": mocice(universes=(GOLD, FOUND)), "mocice-over-union": mocice(universes=(UNION, UNION)),
    "mocice-reach": Equation(f1(_REACH, _RECALL_REACH), empty=1, one_empty=0),
    "mocice-recall-only": mocice(join=lambda p, r: r), "bcubed-precision-only": mocice(phi=1, join=lambda p, r: p),
    "bcubed-no-self-pairs": Equation(f1(_OTHERS, swapped(_OTHERS)), empty=1, one_empty=0),
    "cice-keeps-features": mocice(),
}  # fmt: skip
#: Why the language has no equation for the others.
INEXPRESSIBLE = {
    "ce-greedy": "a greedy matching", "ce-by-position": "the order of clusters",
    "ce-multiset-collapsed": "repeated biclusters as one",
    "rand-off-by-one": "the divisor is 0 where the dividend is not, on two cells",
    "rand-unpadded": "a pair does not see whether its cells are covered one by one",
    "vi-bits": "a logarithm as a divisor is not known to be positive",
    "mocice-phi-mean": "a mean over the partners in view", "mocice-phi-max": "the largest over the clusters in view",
    "mocice-collapsed": "repeated biclusters as one", "mocice-first-feature": "a feature by its number",
}  # fmt: skip
