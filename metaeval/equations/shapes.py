"""What the shape of a term tells: which pairs count, whether numbers in view suffice, which sums are known."""

from __future__ import annotations

from itertools import permutations

from metaeval.equations.tree import (
    CLOSED,
    ONE,
    ZERO,
    Expression,
    best,
    c,
    cells,
    classes,
    classmates,
    clusters,
    g,
    in_class,
    in_cluster,
    largest,
    least,
    matching,
    mates,
    n,
    over,
    pairs,
    rebuilt,
)  # fmt: skip

#: Sums that an overlay knows.
TOTALS = {
    Expression("matrix"): "o.matrix_cells",
    cells(1): "o.union",
    cells(in_cluster): "o.candidate_covered",
    cells(in_class): "o.gold_covered",
    cells(in_cluster * in_class): "o.shared",
    cells(largest(clusters(1), classes(1))): "o.multiset_union",
    cells(least(clusters(1), classes(1))): "(sum(o.candidate_sizes) + sum(o.gold_sizes) - o.multiset_union)",
    clusters(1): "len(o.candidate_sizes)",
    classes(1): "len(o.gold_sizes)",
    clusters(g): "sum(o.candidate_sizes)",
    classes(c): "sum(o.gold_sizes)",
    matching(n): "o.matching",
    pairs(1): "(o.union * (o.union - 1) // 2)",
}
#: Φ, the mean likeness of the clusters in view to their best classes in view.
IDENTITY = over(clusters(best(n / (g + c - n))), clusters(1), 0)
#: Means over mates that arrays know when clusters are tangled: the side, and whether the term has the factor Φ.
KNOWN_MEANS = {
    mean(agreed * IDENTITY / own if identity else agreed / own): (side, identity)
    for agreed in (least(*both) for both in permutations((clusters(1), classes(1))))
    for side, (mean, own) in enumerate(((mates, clusters(1)), (classmates, classes(1))))
    for identity in (False, True)
}


def mean_over_mates(e: Expression) -> Expression | None:
    """The sum over mates of which an expression is the mean; None where it is none."""
    if e.op == "over" and e.args[0].op in ("mates", "classmates") and e.args[2] == ZERO:
        return e.args[0] if e.args[1] == Expression(e.args[0].op, ONE) else None
    return None


def vanishes(e: Expression, *names: str) -> bool:
    """Whether an expression is plainly 0 where these parts are."""
    if e.op in names or e == ZERO:
        return True
    if e.op in ("*", "^", "/"):
        return any(vanishes(x, *names) for x in (e.args if e.op == "*" else e.args[:1]))
    if e.op in ("+", "least", "largest"):
        return all(vanishes(x, *names) for x in e.args)
    return e.op == "sqrt" and vanishes(e.args[0], *names)


def bests_of(term: Expression) -> list[Expression]:
    """The ``best`` nodes of a sum over clusters or classes, each once."""
    if term.op == "best":
        return [term]
    if term.op in ("clusters", "classes", *CLOSED):
        return []
    return list(dict.fromkeys(b for x in term.args for b in bests_of(x)))


def uses_lines(term: Expression) -> bool:
    """Whether rows or columns count by themselves, outside of sums over everything."""
    if term.op in CLOSED:
        return False
    return "." in term.op or any(map(uses_lines, term.args))


def by_depth(term: Expression) -> bool:
    """Whether only the numbers of clusters and classes in view count."""
    if term.op in ("mates", "classmates") or (term.op in ("clusters", "classes") and term.args[0] != ONE):
        return False
    return all(map(by_depth, term.args))


def needs_other_side(term: Expression, side: int) -> bool:
    """Whether a term is plainly 0 where no class (side 1), or cluster, is in view."""
    names = ("in_cluster", "clusters") if side == 0 else ("in_class", "classes")
    if term.op == "least":
        counts = all(x in (clusters(1), classes(1), in_cluster, in_class) or x.op == "number" for x in term.args)
        return counts and any(x.op in names for x in term.args)
    if term.op in ("*", "/", "^"):
        return any(needs_other_side(x, side) for x in (term.args if term.op == "*" else term.args[:1]))
    return term.op in names


def indicators(e: Expression) -> tuple[dict[Expression, bool], Expression]:
    """Factors that are 0 or 1, as conditions that must be true or false, and the term without them."""
    if e in (in_cluster, in_class):
        return {e: True}, ONE
    if e in _OUTSIDE:
        return {_OUTSIDE[e]: False}, ONE
    if e.op == "over" and e.args[2] == ZERO:
        found, rest = indicators(e.args[0])
        return found, over(rest, *e.args[1:])
    if e.op != "*":
        return {}, e
    parts = [indicators(x) for x in e.args]
    found = {condition: truth for conditions, _ in parts for condition, truth in conditions.items()}
    if any(found[condition] != truth for conditions, _ in parts for condition, truth in conditions.items()):
        return {}, e
    return found, rebuilt(e, [rest for _, rest in parts])


_OUTSIDE = {1 - in_cluster: in_cluster, 1 - in_class: in_class}
