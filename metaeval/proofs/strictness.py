"""Strictness: which defects of a candidate keep its score from the best, and whether every case has one."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from metaeval.equations.equation import Equation
from metaeval.equations.tree import (
    ONE, ZERO, Expression, best, c, cells, classes, classmates, clusters, g, in_class, in_cluster, largest, least,
    matching, mates, meetings, n, number,
)  # fmt: skip
from metaeval.proofs.algebra import Facts, Number, Refused
from metaeval.proofs.basis import SIGNS, UNKNOWNS, Bounded
from metaeval.proofs.bounds import Bounds, perfect_steps
from metaeval.proofs.normal_form import (
    MEET, STRANGERS, R, coefficient, meeting_sizes, rational, simplify, size,
)  # fmt: skip
from metaeval.proofs.obligation import Costs, Covers, Obligation, Positive
from metaeval.proofs.shares import (
    CLASS_DEPTH, DEPTH, counts, f1_parts, non_negative_term, share_of, view_product, view_shares,
)  # fmt: skip
from metaeval.proofs.situation import Situation, kind_for, sees_rows_alone

_JACCARD = n / (g + c - n)
_NO_PARTNER = 1 - best(_JACCARD)
_MORE_CLUSTERS = cells(mates(largest(DEPTH - CLASS_DEPTH, 0)))
_MORE_CLASSES = cells(classmates(largest(CLASS_DEPTH - DEPTH, 0)))

#: What may be wrong with a candidate: each expression is positive just where the defect is there.
DEFECTS: dict[str, Expression] = {
    # A cell is in a cluster (a class) only; the same in a cluster (a class) of two cells or more.
    "candidate-only cell": UNKNOWNS["candidate_only"],
    "gold-only cell": UNKNOWNS["gold_only"],
    "candidate-only cell in company": cells((1 - in_class) * clusters(g - 1)),
    "gold-only cell in company": cells((1 - in_cluster) * classes(c - 1)),
    # Two cells are together on one side only.
    "candidate-only pair": UNKNOWNS["pairs_candidate"],
    "gold-only pair": UNKNOWNS["pairs_gold"],
    # A cell, or two cells, are in more clusters than classes, or in fewer.
    "more clusters of a cell": UNKNOWNS["depth_candidate"],
    "more classes of a cell": UNKNOWNS["depth_gold"],
    "more clusters of a pair": _MORE_CLUSTERS,
    "more classes of a pair": _MORE_CLASSES,
    "other depth of a pair": _MORE_CLUSTERS + _MORE_CLASSES,
    # Σ x log x over clusters (classes) exceeds that over meetings.
    "clusters lose entropy": UNKNOWNS["logs_candidate"],
    "classes lose entropy": UNKNOWNS["logs_gold"],
    # A cluster meets two classes, or a class two clusters; one is larger than what it shares with the other.
    "cluster in two classes": meetings(1) - clusters(least(1, best(n))),
    "class in two clusters": meetings(1) - classes(least(1, best(n))),
    "cluster exceeds a class": meetings(g - n),
    "class exceeds a cluster": meetings(c - n),
    # A cluster is no class, or a class no cluster; where it meets one; where it has two cells or more.
    "cluster is no class": clusters(_NO_PARTNER),
    "class is no cluster": classes(_NO_PARTNER),
    "meeting cluster is no class": clusters(_NO_PARTNER * least(1, best(n))),
    "meeting class is no cluster": classes(_NO_PARTNER * least(1, best(n))),
    "larger class is no cluster": classes(_NO_PARTNER * least(1, c - 1)),
    # There are more of the one than of the other; or the families differ in any way, repeats included.
    "other number": largest(DEPTH, CLASS_DEPTH) - least(DEPTH, CLASS_DEPTH),
    "other family": largest(DEPTH, CLASS_DEPTH) - matching(_JACCARD),
}
#: The unknowns of the basis that are defects themselves.
_UNKNOWN_DEFECTS = {
    "candidate_only": "candidate-only cell", "gold_only": "gold-only cell", "pairs_candidate": "candidate-only pair",
    "pairs_gold": "gold-only pair", "depth_candidate": "more clusters of a cell",
    "depth_gold": "more classes of a cell", "logs_candidate": "clusters lose entropy",
    "logs_gold": "classes lose entropy",
}  # fmt: skip
_FAMILY = {"cluster is no class", "class is no cluster", "other number", "other family"}
_EXCEEDS = (("g", "cluster exceeds a class"), ("c", "class exceeds a cluster"))
_PARTS = ("n.rows", "n.cols", "g.rows", "g.cols", "c.rows", "c.cols")


def top(equation: Equation, situation: Situation) -> list[Obligation]:
    """The rule of the scheme *top*: no left side of a case has the best score, and the gold has it if that is asked."""
    _demand_conventions(equation)
    kind = kind_for(equation, situation)
    basis = Bounds(equation, kind)
    if not situation.left_alone:
        perfect_steps(basis)
    paid = _paid(basis)
    if sees_rows_alone(equation, situation):
        alternatives = [situation.rows]
    else:
        alternatives = [*situation.either] or [situation.cases]
    for cases in alternatives:
        if cases and all(paid & case for case in cases):
            used = sorted(paid & frozenset().union(*cases))
            return [*basis.steps, *_obligations(equation, used)]
    raise Refused(f"Only these defects are known to cost: {', '.join(sorted(paid)) or 'none'}.")


def _demand_conventions(equation: Equation) -> None:
    """The best must be 1, or 0 where smaller is better; one empty side must score worse."""
    wanted = 0 if equation.smaller_is_better else 1
    if equation.best != wanted:
        raise Refused(f"Its best score is not {wanted}.")
    if equation.one_empty is not None:
        worse = equation.one_empty > wanted if equation.smaller_is_better else equation.one_empty < wanted
        if not worse:
            raise Refused("The score where one side is empty is not worse than the best.")


def _obligations(equation: Equation, used: Iterable[str]) -> list[Obligation]:
    score, best_score = equation.expression, equation.best or Fraction(0)
    worse = -1 if equation.smaller_is_better else 1
    gap = best_score - score if worse > 0 else score - best_score if best_score else score
    found: list[Obligation] = [Costs(DEFECTS[name], gap, rule=name) for name in used]
    if equation.one_empty is not None:
        found.append(Positive(number((best_score - equation.one_empty) * worse), rule="one side is empty"))
    return [*found, Covers(tuple(DEFECTS[name] for name in used), rule="cases of the reading")]


def _paid(basis: Bounds) -> set[str]:
    """All defects that are known to keep the score from the best, each by itself."""
    equation, strict = basis.equation, Strictness(basis)
    if not equation.smaller_is_better:
        if basis.upper_bound(equation.expression) > 1:
            raise Refused("The score may be more than 1.")
        paid = strict.below(equation.expression)
    elif basis.kind == "any" and equation.expression.uses("log"):
        paid = log_costs(equation.expression)
    else:
        paid = strict.above_zero(equation.expression)
    if {"more clusters of a pair", "more classes of a pair"} <= paid:
        paid.add("other depth of a pair")
    # Such a class exceeds a cluster that it meets, or is exceeded by it, or has cells that no cluster has.
    if {"cluster exceeds a class", "class exceeds a cluster", "gold-only cell in company"} <= paid:
        paid.add("larger class is no cluster")
    return paid


class Strictness:
    """The defects that keep an expression below its upper bound, or above 0."""

    def __init__(self, basis: Bounds) -> None:
        self.basis = basis
        self.disjoint = basis.kind != "any"

    def below(self, e: Expression) -> set[str]:
        """Defects each of which keeps the expression below its upper bound in the basis."""
        if e.op == "number" or e.op == "exp":
            return set()
        parts = f1_parts(e)
        if parts:  # 1 only where both are 1
            self.basis.demand_shares(*parts)
            return self.below(parts[0]) | self.below(parts[1])
        if e.op == "/" and e.args[1].op == "number" and e.args[1].value > 0:
            return self.below(e.args[0])
        if e.op in ("/", "over"):
            return self._quotient(e)
        if e.op == "+":
            return self._sum(e)
        if e.op == "*":
            return self._product(e)
        if e.op == "sqrt":
            self.basis.demand_shares(e.args[0])
            return self.below(e.args[0])
        raise Refused(f"It is not known what keeps {e} below its bound.")

    def _sum(self, e: Expression) -> set[str]:
        found: set[str] = set()
        for x in e.args:
            factor, rest = coefficient(x)
            if rest != ONE and factor > 0:
                self.basis.upper_bound(rest)
                found |= self.below(rest)
            elif rest != ONE and factor < 0:
                found |= self.above_zero(rest)
        return found

    def _product(self, e: Expression) -> set[str]:
        factor, rest = coefficient(e)
        factors = rest.args if rest.op == "*" else (rest,)
        self.basis.demand_shares(*factors)
        # A factor of 0 would leave the product at its bound.
        if factor <= 0 or any(self.basis.upper_bound(x) <= 0 for x in factors):
            raise Refused(f"{e} has a factor that is not positive.")
        return set().union(*(self.below(x) for x in factors))

    def _quotient(self, e: Expression) -> set[str]:
        """A share a/b, with its v no more than 1: below 1 where a < b. Where b is 0 so is a, and nothing is claimed."""
        a, b = e.args[:2]
        self.basis.upper_bound(e)
        self.basis.non_negative(b)
        if b.op != "largest":
            return self._differs(a, b)
        if a.op == "matching":
            if counts(b.args) < 2:
                raise Refused("A matching of shares is held against one of both numbers only.")
            if not (share_of(a.args[0]).attained and tells_apart(a.args[0])):
                raise Refused(f"{a.args[0]} may be 1 for different biclusters.")
            return set(_FAMILY)
        found: set[str] = set()
        for x in b.args:  # the divisor is at least each of its parts
            try:
                found |= self._differs(a, x)
            except Refused:
                continue
        return found

    def _differs(self, a: Expression, b: Expression) -> set[str]:
        """Defects that make a < b, where a ≤ b is known by signs."""
        basis = self.basis
        difference = basis.lifted(basis.number_of(b) - basis.number_of(a))
        if not SIGNS.at_least_zero(difference):
            raise Refused(f"It is not shown that {a} is at most {b}.")
        alone = _alone(difference)
        slacks = [one for one in basis.bounded.values() if one.slack in alone]
        found = {_UNKNOWN_DEFECTS[name] for name in alone if name in _UNKNOWN_DEFECTS}
        for one in slacks:
            found |= self._of_slack(one)
        # Where all three are 0, every cluster and every class lies inside its partner: the families are equal.
        matched = any(one.sum.op == "matching" and one.sum.args[0] == n for one in slacks)
        if not self.disjoint and matched and {"depth_candidate", "depth_gold"} <= alone:
            found |= _FAMILY
        return found

    def above_zero(self, e: Expression) -> set[str]:
        """Defects each of which makes a cost, which is never negative, positive."""
        if e.op not in ("/", "over") or (e.op == "over" and e.args[2] != ZERO):
            raise Refused(f"It is not known what {e} costs.")
        if e.op == "over":  # else the divisor may be 0 where the cost is not
            self.basis.at_most(*e.args[:2])
        cost = self.basis.number_of(e.args[0])
        if not SIGNS.at_least_zero(cost):
            raise Refused(f"{e.args[0]} may be negative.")
        return {_UNKNOWN_DEFECTS[name] for name in _alone(cost) if name in _UNKNOWN_DEFECTS}

    def _of_slack(self, one: Bounded) -> set[str]:
        """Defects that keep a bounded sum below its bound."""
        e = one.sum
        if e.op == "meetings":
            term = rational(e.args[0])
            return {name for side, name in _EXCEEDS if _larger(side).more_than_zero(size("n") - term)}
        if e.op == "cells":
            return _by_views(e.args[0]) if self.disjoint else _by_mates(e.args[0])
        if e.op == "matching":
            both = {"cluster in two classes", "class in two clusters"}
            return both if self.disjoint and e.args[0] == n else set()
        return self._best_partners(e)

    def _best_partners(self, e: Expression) -> set[str]:
        of_clusters = e.op == "clusters"
        t = next(x for x in e.walk() if x.op == "best").args[0]
        partial = {"cluster in two classes", "candidate-only cell"}
        if not of_clusters:
            partial = {"class in two clusters", "gold-only cell"}
        if t == n:
            return partial if self.disjoint else set()
        if tells_apart(t):
            return {"cluster is no class" if of_clusters else "class is no cluster"}
        share = share_of(t)
        return partial if self.disjoint and (share.strict_cluster if of_clusters else share.strict_class) else set()


def _alone(x: Number) -> set[str]:
    """The unknowns that make a number with no negative coefficient positive, each by itself."""
    return {name for powers, _ in x.terms() if len(powers) == 1 for name in powers}


def _larger(side: str) -> Facts:
    """A meeting where the cluster (the class) is larger than what is shared."""
    return Facts(R, meeting_sizes(**{side: 1}))


def tells_apart(t: Expression) -> bool:
    """Whether a share is less than 1 for every two biclusters that differ, strangers included."""
    share = share_of(t)
    if share.strict_cluster and share.strict_class and not t.uses(*_PARTS):
        return True
    try:
        term = rational(t)
    except Refused:
        return False
    whole = {x: size(f"{x}.rows") * size(f"{x}.cols") for x in ("n", "g", "c")}
    rest = 1 - term.put(whole)
    facts = [*map(_larger, ("g_rows", "g_cols", "c_rows", "c_cols")), *STRANGERS]
    return all(x.more_than_zero(rest) for x in facts)


def _by_views(t: Expression) -> set[str]:
    """Without overlap, from what a cell counts in each view; a view that counts 0 is not in the bound."""
    both, found, gold = view_shares(t)
    names = {name for side, name in _EXCEEDS if _larger(side).more_than_zero(1 - both)}
    for x, side, name in ((found, "g", "candidate-only cell"), (gold, "c", "gold-only cell")):
        if x.is_zero:
            continue
        if MEET.more_than_zero(1 - x):
            names.add(name)
        if Facts(R, {side: R.symbol(side) + 2}).more_than_zero(1 - x):
            names.add(f"{name} in company")
    return names


def _by_mates(t: Expression) -> set[str]:
    """Under overlap, from the factors of a mean over mates. A cell is its own mate."""
    of_clusters = t.args[0].op == "mates"
    product = view_product(t.args[0].args[0])
    names: set[str] = set()
    if of_clusters and product.by_clusters:
        names |= {"more clusters of a cell", "more clusters of a pair"}
    if not of_clusters and product.by_classes:
        names |= {"more classes of a cell", "more classes of a pair"}
    for whose, term in product.means:
        if tells_apart(term) and not term.uses(*_PARTS):
            name = "cluster is no class" if whose == "clusters" else "class is no cluster"
            own = of_clusters == (whose == "clusters")
            # Mates of the other side are seen only where it has cells.
            names |= {name if own else f"meeting {name}", f"meeting {name}"}
    return names


def log_costs(e: Expression) -> set[str]:
    """Defects that make a cost with logarithms positive under overlap; none of its parts may be negative."""
    e = simplify(e)
    if e.op != "/":
        raise Refused("A cost with logarithms must be a plain quotient.")
    names: set[str] = set()
    for part in e.args[0].args if e.args[0].op == "+" else e.args[:1]:
        factor, x = coefficient(part)
        if factor <= 0 or x.op not in ("meetings", "cells"):
            raise Refused(f"{part} may be negative.")
        if x.op == "cells":
            if not non_negative_term(x.args[0]):
                raise Refused(f"{x} may be negative.")
            names |= _log_of_class(x.args[0])
            continue
        if not _log_sign(x.args[0], MEET, strict=False):
            raise Refused(f"{x} may be negative.")
        names |= {name for side, name in _EXCEEDS if _log_sign(x.args[0], _larger(side), strict=True)}
    return names


def _log_sign(t: Expression, facts: Facts, strict: bool) -> bool:
    """Whether all factors of a product of sizes and logarithms are 0 or more, or more than 0."""
    t = simplify(t)
    for x in t.args if t.op == "*" else (t,):
        value = rational(x.args[0]) - 1 if x.op == "log" else rational(x)
        if not (facts.more_than_zero(value) if strict else facts.at_least_zero(value)):
            return False
    return True


def _log_of_class(t: Expression) -> set[str]:
    """Whether a cell in classes only counts Σ log q, with q > 1 in a class of two cells or more."""
    only = simplify(_class_only(t))
    if only.op != "classes" or only.args[0].op != "log":
        return set()
    excess = rational(only.args[0].args[0]) - 1
    one, two = (Facts(R, {"c": R.symbol("c") + k}) for k in (1, 2))
    shown = one.at_least_zero(excess) and two.more_than_zero(excess)
    return {"gold-only cell in company"} if shown else set()


def _class_only(e: Expression) -> Expression:
    """A term in the view of a cell that is in classes and in no cluster."""
    if e.op in ("clusters", "in_cluster", "mates"):
        return ZERO
    if e.op == "in_class":
        return ONE
    if e.op == "classes" or not e.args:
        return e
    return simplify(Expression(e.op, *map(_class_only, e.args), value=e.value))
