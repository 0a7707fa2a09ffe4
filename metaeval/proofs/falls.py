"""Falls: the left has cells more than the right, which no class has, in clusters that both have or in new ones.

Found and reference share a cell on both sides. What the classes have of any cluster is the same left and right.
"""

from metaeval.equations.equation import Equation
from metaeval.equations.tree import ZERO, Expression, c, g, in_class, in_cluster, n
from metaeval.proofs.algebra import Number, Refused
from metaeval.proofs.basis import UNKNOWNS, Change
from metaeval.proofs.moves import MovingSums, World, demand_rise, note_positive, shrinking, used_names
from metaeval.proofs.normal_form import MEET, rational, simplify, size, squared, vanishes
from metaeval.proofs.obligation import Moves, Obligation, Positive
from metaeval.proofs.shares import is_mean, view_product
from metaeval.proofs.situation import Situation, kind_for, sees_rows_alone

ADDED, SPURIOUS, GROWN = "added objects", "spurious cells", "grown clusters"
#: The unknowns of the basis of which it is known what the new cells do to them. Pairs and counts are not among them.
_FOLLOWED = {
    "both", "candidate_only", "gold_only", "outside", "classes", "depth_both", "depth_candidate", "depth_gold",
}  # fmt: skip


class _Fallen(MovingSums):
    """The sums of the scheme *fall*."""

    def number_of(self, e: Expression) -> Number:
        if e.op == "log" or (e.op in ("meetings", "clusters", "classes", "cells") and e.uses("log")):
            raise Refused("It is not known how logarithms move.")
        return super().number_of(e)

    def partner_sum(self, e: Expression) -> Number:
        stays = e.args[0] == n if e.op == "matching" else self.move == SPURIOUS and _best_term(e) is not None
        if not stays:
            raise Refused(f"{e} may move.")
        return self.sum(e)

    def cells_sum(self, e: Expression) -> Number:
        if self.kind == "any" and self.move == ADDED and e.uses("mates", "classmates"):
            _mean_that_falls(e.args[0])
            return self.sum(e)
        return super().cells_sum(e)

    def change(self, names: frozenset[str]) -> Change:
        if not {name for name in names if name in UNKNOWNS} <= _FOLLOWED:
            raise Refused("It has pairs of cells or a number of clusters.")
        change, cells_more = Change(), self.unknown("amount", "cells")
        # Under overlap a cluster may grow over cells of other clusters: only new objects are sure to be new cells.
        sure = self.move == ADDED or self.kind != "any"
        covered = cells_more if sure else self.unknown("amount", "covered cells")
        for name, amount, is_sure in (("depth_candidate", cells_more, True), ("candidate_only", covered, sure)):
            if name in names:
                change.add(False, name, UNKNOWNS[name], amount, is_sure)
        if "outside" in names:  # the matrix is the same on both sides
            change.add(True, "outside", UNKNOWNS["outside"], covered, sure)
        self.add_sums(change, names)
        return change

    def direction(self, e: Expression) -> tuple[int, bool]:
        if e.op == "cells":
            return 1, False
        if e.op != "meetings" or self.move == SPURIOUS:
            return 0, False
        change = shrinking(e.args[0])
        if not MEET.at_least_zero(change):
            raise Refused(f"{e} may be larger where its clusters are larger.")
        return int(not change.is_zero), False

    def is_positive(self, e: Expression) -> bool:
        if e.op == "cells":
            return _mean_that_falls(e.args[0])
        if e.op in ("meetings", "matching"):
            return MEET.more_than_zero(rational(e.args[0]))
        term = _best_term(e)
        return term is not None and MEET.more_than_zero(squared(term))


def _best_term(e: Expression) -> Expression | None:
    """The t of Σ best(t) or Σ size · best(t), if t is 0 where nothing is shared; None of any other sum.

    A cluster that meets no class then counts 0, however large it is, and is nobody's best partner.
    """
    t, own = simplify(e.args[0]), g if e.op == "clusters" else c
    if t.op == "*" and len(t.args) == 2 and own in t.args:
        t = next((x for x in t.args if x != own), t)
    return t.args[0] if t.op == "best" and vanishes(t.args[0]) else None


def _mean_that_falls(t: Expression) -> bool:
    """Refused unless new objects do not raise this mean over mates, or over classmates, of any cell.

    New objects lie in one cluster each and in no class. So what is in view of old cells stays as it is, and clusters
    only grow. True if the mean is positive for a cell that both sides have.
    """
    if not is_mean(t, "mates", "classmates"):
        raise Refused(f"{t} is no mean over mates.")
    mates, product = t.args[0].op == "mates", view_product(t.args[0].args[0])
    if not all(x in (in_cluster, in_class) or (x.op == "number" and x.value >= 0) for x in product.rest):
        raise Refused(f"{t} has a factor of which it is not known how it moves.")
    # New mates must count 0, as they are in no class.
    if mates and not (product.by_clusters or product.by_classes or product.means or in_class in product.rest):
        raise Refused(f"{t} counts mates that are in no class.")
    own, other = (product.by_clusters, product.by_classes) if mates else (product.by_classes, product.by_clusters)
    if other and not own:
        raise Refused(f"A divisor of {t} may be 0.")
    positive = ZERO not in product.rest
    for _, term in product.means:
        if any("." in x.op for x in term.walk()):
            raise Refused(f"It is not known how the rows and columns of {term} move.")
        found = squared(term)
        if not (MEET.at_least_zero(found) and MEET.at_least_zero(found - found.put({"g": size("g") + 1}))):
            raise Refused(f"{term} may rise with its cluster.")
        positive = positive and MEET.more_than_zero(found)
    return positive


def fall(equation: Equation, situation: Situation) -> list[Obligation]:
    """The rule of the scheme *fall*: the left, with cells more that no class has, scores less than the right."""
    (move,) = situation.moves
    if move not in (ADDED, SPURIOUS, GROWN):
        raise Refused("No rule is known for this move.")
    if move != ADDED and sees_rows_alone(equation, situation):
        raise Refused("Rows alone do not show new columns.")
    basis = _Fallen(equation, kind_for(equation, situation), move)
    basis.note(Positive(UNKNOWNS["both"], rule="a cell is shared"))
    change = basis.change(used_names(basis))
    # The amount of new cells is positive, whether or not the score sees all of it.
    cells_more = basis.unknown_name("amount", "cells")
    world = World(change, {"both": 1, "depth_both": 1}, basis.positive_sums() | {cells_more})
    demand_rise(basis, world, situation.weak)
    note_positive(basis, world)
    basis.note(*(Moves(e, how, rule=move) for e, how in change.complete(used_names(basis)).items()))
    return [*basis.steps]
