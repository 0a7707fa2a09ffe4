"""Strictness: which defects of a candidate keep its score from the best, and whether every case has one."""

from collections.abc import Iterable
from fractions import Fraction

from metaeval.equations.equation import Equation
from metaeval.equations.tree import (
    ONE, ZERO, Expression, best, c, cells, classes, classmates, clusters, g, in_class, in_cluster, largest, least,
    matching, mates, meetings, n, number,
)  # fmt: skip
from metaeval.proofs.algebra import Facts, Number, Refused, attempt
from metaeval.proofs.basis import SIGNS, UNKNOWNS, Bounded
from metaeval.proofs.bounds import Bounds, perfect_steps
from metaeval.proofs.normal_form import IN_PARTS, MEET, R, coefficient, larger, rational, replaced, simplify, size
from metaeval.proofs.obligation import Costs, Covers, Obligation, Positive
from metaeval.proofs.shares import (
    CLASS_DEPTH, DEPTH, counts, f1_parts, less_than_one, non_negative_term, share_of, view_product, view_shares,
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
_UNKNOWN_DEFECTS = {name: defect for defect, e in DEFECTS.items() for name, unknown in UNKNOWNS.items() if e is unknown}
#: What a cell sees that is in classes and in no cluster.
_CLASS_ONLY = {"clusters": ZERO, "in_cluster": ZERO, "mates": ZERO, "in_class": ONE, "classes": None}
_FAMILY = {"cluster is no class", "class is no cluster", "other number", "other family"}
_EXCEEDS = (("g", "cluster exceeds a class"), ("c", "class exceeds a cluster"))
_PARTS = ("n.rows", "n.cols", "g.rows", "g.cols", "c.rows", "c.cols")
#: A cluster (a class) with cells that its best partner does not have.
_PARTIAL = {"clusters": ("cluster in two classes", "candidate-only cell"),
            "classes": ("class in two clusters", "gold-only cell")}  # fmt: skip


def top(equation: Equation, situation: Situation) -> list[Obligation]:
    """The rule of the scheme *top*: no left side of a case has the best score, and the gold has it if that is asked."""
    _demand_conventions(equation)
    basis = Strictness(equation, kind_for(equation, situation))
    if not situation.left_alone:
        perfect_steps(basis)
    paid, rows = basis.paid(), sees_rows_alone(equation, situation)
    for cases in [situation.rows] if rows else [*situation.either] or [situation.cases]:
        if cases and all(paid & case for case in cases):
            return [*basis.steps, *_obligations(equation, sorted(paid & frozenset().union(*cases)))]
    raise Refused(f"Only these defects are known to cost: {', '.join(sorted(paid)) or 'none'}.")


def _demand_conventions(equation: Equation) -> None:
    """The best must be 1, or 0 where smaller is better; one empty side must score worse."""
    wanted, one = 0 if equation.smaller_is_better else 1, equation.one_empty
    if equation.best != wanted:
        raise Refused(f"Its best score is not {wanted}.")
    if one is not None and not (one > wanted if equation.smaller_is_better else one < wanted):
        raise Refused("The score where one side is empty is not worse than the best.")


def _obligations(equation: Equation, used: Iterable[str]) -> list[Obligation]:
    score, best_score = equation.expression, equation.best or Fraction(0)
    worse = -1 if equation.smaller_is_better else 1
    gap = best_score - score if worse > 0 else score - best_score if best_score else score
    found: list[Obligation] = [Costs(DEFECTS[name], gap, rule=name) for name in used]
    if equation.one_empty is not None:
        found.append(Positive(number((best_score - equation.one_empty) * worse), rule="one side is empty"))
    return [*found, Covers(tuple(DEFECTS[name] for name in used), rule="cases of the reading")]


class Strictness(Bounds):
    """The defects that keep an expression below its upper bound, or above 0."""

    def paid(self) -> set[str]:
        """All defects that are known to keep the score from the best, each by itself."""
        score = self.equation.expression
        if not self.equation.smaller_is_better:
            if self.upper_bound(score) > 1:
                raise Refused("The score may be more than 1.")
            paid = self.below(score)
        else:
            paid = log_costs(score) if self.kind == "any" and score.uses("log") else self.above_zero(score)
        if {"more clusters of a pair", "more classes of a pair"} <= paid:
            paid.add("other depth of a pair")
        # Such a class exceeds a cluster that it meets, or is exceeded by it, or has cells that no cluster has.
        if {"cluster exceeds a class", "class exceeds a cluster", "gold-only cell in company"} <= paid:
            paid.add("larger class is no cluster")
        return paid

    def below(self, e: Expression) -> set[str]:
        """Defects each of which keeps the expression below its upper bound in the basis."""
        if e.op in ("number", "exp"):
            return set()
        if parts := f1_parts(e):  # 1 only where both are 1
            self.demand_shares(*parts)
            return self.below(parts[0]) | self.below(parts[1])
        if e.op == "/" and e.args[1].op == "number" and e.args[1].value > 0:
            return self.below(e.args[0])
        if e.op in ("/", "over"):
            return self._quotient_below(e)
        if e.op == "+":
            return self._sum_below(e)
        if e.op == "*":
            return self._product_below(e)
        if e.op == "sqrt":
            self.demand_shares(e.args[0])
            return self.below(e.args[0])
        raise Refused(f"It is not known what keeps {e} below its bound.")

    def _sum_below(self, e: Expression) -> set[str]:
        found: set[str] = set()
        for factor, rest in map(coefficient, e.args):
            if rest != ONE and factor > 0:
                self.upper_bound(rest)
                found |= self.below(rest)
            elif rest != ONE and factor < 0:
                found |= self.above_zero(rest)
        return found

    def _product_below(self, e: Expression) -> set[str]:
        factor, rest = coefficient(e)
        factors = rest.args if rest.op == "*" else (rest,)
        self.demand_shares(*factors)
        # A factor of 0 would leave the product at its bound.
        if factor <= 0 or any(self.upper_bound(x) <= 0 for x in factors):
            raise Refused(f"{e} has a factor that is not positive.")
        return set().union(*(self.below(x) for x in factors))

    def _quotient_below(self, e: Expression) -> set[str]:
        """A share a/b, with its v no more than 1: below 1 where a < b. Where b is 0 so is a, and nothing is claimed."""
        a, b = e.args[:2]
        self.upper_bound(e)
        self.non_negative(b)
        if b.op != "largest":
            return self._differs(a, b)
        if a.op == "matching":
            if counts(b.args) < 2:
                raise Refused("A matching of shares is held against one of both numbers only.")
            if not (share_of(a.args[0]).attained and tells_apart(a.args[0])):
                raise Refused(f"{a.args[0]} may be 1 for different biclusters.")
            return set(_FAMILY)
        # The divisor is at least each of its parts.
        return set().union(*(attempt(self._differs, a, x) or () for x in b.args))

    def _differs(self, a: Expression, b: Expression) -> set[str]:
        """Defects that make a < b, where a ≤ b is known by signs."""
        difference = self.lifted(self.number_of(b) - self.number_of(a))
        if not SIGNS.at_least_zero(difference):
            raise Refused(f"It is not shown that {a} is at most {b}.")
        alone = _alone(difference)
        slacks = [one for one in self.bounded.values() if one.slack in alone]
        found = _defects(alone).union(*map(self._of_slack, slacks))
        # Where all three are 0, every cluster and every class lies inside its partner: the families are equal.
        matched = any(one.sum.op == "matching" and one.sum.args[0] == n for one in slacks)
        if self.kind == "any" and matched and {"depth_candidate", "depth_gold"} <= alone:
            found |= _FAMILY
        return found

    def above_zero(self, e: Expression) -> set[str]:
        """Defects each of which makes a cost, which is never negative, positive."""
        if e.op not in ("/", "over") or (e.op == "over" and e.args[2] != ZERO):
            raise Refused(f"It is not known what {e} costs.")
        if e.op == "over":  # else the divisor may be 0 where the cost is not
            self.at_most(*e.args[:2])
        cost = self.number_of(e.args[0])
        if not SIGNS.at_least_zero(cost):
            raise Refused(f"{e.args[0]} may be negative.")
        return _defects(_alone(cost))

    def _of_slack(self, one: Bounded) -> set[str]:
        """Defects that keep a bounded sum below its bound."""
        e = one.sum
        if e.op == "meetings":
            return _exceeding(size("n") - rational(e.args[0]))
        if e.op == "cells":
            return _by_views(e.args[0]) if self.kind != "any" else _by_mates(e.args[0])
        if e.op == "matching":
            both = {"cluster in two classes", "class in two clusters"}
            return both if self.kind != "any" and e.args[0] == n else set()
        t, own = next(x for x in e.walk() if x.op == "best").args[0], "g" if e.op == "clusters" else "c"
        if t != n and tells_apart(t):
            return {"cluster is no class" if own == "g" else "class is no cluster"}
        return set(_PARTIAL[e.op]) if self.kind != "any" and (t == n or own in share_of(t).strict) else set()


def _alone(x: Number) -> set[str]:
    """The unknowns that make a number with no negative coefficient positive, each by itself."""
    return {name for powers, _ in x.terms() if len(powers) == 1 for name in powers}


def _defects(unknowns: set[str]) -> set[str]:
    return {_UNKNOWN_DEFECTS[name] for name in unknowns if name in _UNKNOWN_DEFECTS}


def _exceeding(x: Number) -> set[str]:
    """The defects by which a cluster or a class makes a number of their meeting positive."""
    return {name for side, name in _EXCEEDS if larger(side).more_than_zero(x)}


def tells_apart(t: Expression) -> bool:
    """Whether a share is less than 1 for every two biclusters that differ, strangers included."""
    share = share_of(t)
    if share.strict == {"g", "c"} and not t.uses(*_PARTS):
        return True
    term = attempt(rational, t)
    return term is not None and less_than_one(term.put(IN_PARTS), "g_rows", "g_cols", "c_rows", "c_cols")


def _by_views(t: Expression) -> set[str]:
    """Without overlap, from what a cell counts in each view; a view that counts 0 is not in the bound."""
    both, found, gold = view_shares(t)
    names = _exceeding(1 - both)
    for x, side, name in ((found, "g", "candidate-only cell"), (gold, "c", "gold-only cell")):
        if not x.is_zero and MEET.more_than_zero(1 - x):
            names.add(name)
        if not x.is_zero and Facts(R, {side: R.symbol(side) + 2}).more_than_zero(1 - x):
            names.add(f"{name} in company")
    return names


def _by_mates(t: Expression) -> set[str]:
    """Under overlap, from the factors of a mean over mates. A cell is its own mate."""
    side, product = "clusters" if t.args[0].op == "mates" else "classes", view_product(t.args[0].args[0])
    deeper = product.by_clusters if side == "clusters" else product.by_classes
    names = {f"more {side} of a cell", f"more {side} of a pair"} if deeper else set()
    for whose, term in product.means:
        if tells_apart(term) and not term.uses(*_PARTS):
            name = "cluster is no class" if whose == "clusters" else "class is no cluster"
            # Mates of the other side are seen only where it has cells.
            names |= {f"meeting {name}"} | ({name} if whose == side else set())
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
        t = x.args[0]
        if not (non_negative_term(t) if x.op == "cells" else _log_sign(t, MEET, strict=False)):
            raise Refused(f"{x} may be negative.")
        if x.op == "cells":
            names |= _log_of_class(t)
        else:
            names |= {name for side, name in _EXCEEDS if _log_sign(t, larger(side), strict=True)}
    return names


def _log_sign(t: Expression, facts: Facts, strict: bool) -> bool:
    """Whether all factors of a product of sizes and logarithms are 0 or more, or more than 0."""
    t, shown = simplify(t), facts.more_than_zero if strict else facts.at_least_zero
    factors = t.args if t.op == "*" else (t,)
    return all(shown(rational(x.args[0]) - 1 if x.op == "log" else rational(x)) for x in factors)


def _log_of_class(t: Expression) -> set[str]:
    """Whether a cell in classes only counts Σ log q, with q > 1 in a class of two cells or more."""
    only = simplify(replaced(t, _CLASS_ONLY))
    if only.op != "classes" or only.args[0].op != "log":
        return set()
    excess = rational(only.args[0].args[0]) - 1
    one, two = (Facts(R, {"c": R.symbol("c") + k}) for k in (1, 2))
    shown = one.at_least_zero(excess) and two.more_than_zero(excess)
    return {"gold-only cell in company"} if shown else set()
