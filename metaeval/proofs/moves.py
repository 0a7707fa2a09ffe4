"""Moves: what happens to every sum from left to right, where clusters are split, merged or exchange cells.

The score is written in the basis, and every other sum is an unknown of its own. A move adds an amount to an unknown on
one side. Then right − left is a question of signs.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from metaeval.equations.equation import Equation
from metaeval.equations.tree import ZERO, Expression, best, classes, least, n, number
from metaeval.proofs.algebra import Facts, Number, Refused, attempt, ring
from metaeval.proofs.basis import BASIS_RING, UNKNOWNS, Basis, Change, constant, symbol
from metaeval.proofs.normal_form import MEET, demand_non_negative, flat, ordered, rational, simplify, size, vanishes
from metaeval.proofs.obligation import HOW, AtMost, Covers, Moves, Obligation, Positive, Same
from metaeval.proofs.shares import non_negative_quotient
from metaeval.proofs.situation import Situation, kind_for

SPLIT_APART = "split without cutting a class"
EXCHANGE = "size versus quantity"
#: What each move takes from, and gives to, the unknowns of the basis. The amounts are positive: pairs of cells, an
#: entropy, a number of clusters. Pairs and entropies are different amounts.
_SPLIT = (
    {"pairs_candidate": "pairs", "logs_candidate": "entropies"},
    {"pairs_neither": "pairs", "information": "entropies", "clusters": "one"},
)
_BASIS_MOVES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    **dict.fromkeys(("split", SPLIT_APART), _SPLIT),
    "merge": (
        {"pairs_gold": "pairs", "logs_gold": "entropies", "clusters": "one"},
        {"pairs_both": "pairs", "logs_both": "entropies"},
    ),
    EXCHANGE: ({"logs_gold": "entropies", "clusters": "clusters"}, {"logs_both": "entropies"}),
    **dict.fromkeys(("rag bag", "rag bag, stranger"), ({}, {})),
    "rag bag, kin": (
        {"pairs_gold": "pairs", "pairs_candidate": "pairs", "logs_candidate": "entropies", "logs_gold": "entropies"},
        {"pairs_both": "pairs", "pairs_neither": "pairs", "logs_both": "entropies"},
    ),
}
#: Of the exchange, with classes that need not be whole, no more is known than what it does to these.
_LOGS_AND_CELLS = {"logs_both", "logs_candidate", "logs_gold", "both", "candidate_only", "gold_only"}

#: Sizes in a move: p and q cells of two parts, r objects, f features; e, h, u, v are further cells of classes.
_SIZES = ring(("p", "q", "r", "f", "e", "h", "u", "v"))
_p, _q, _r, _f, _e, _h, _u, _v = map(_SIZES.symbol, _SIZES.names)
_SIZE_FACTS = Facts(_SIZES, {"p": _p + 1, "q": _q + 1, "r": _r + 2, "f": _f + 1})
_clean, _dirty, _two, _whole = _r * _f, (_r + 1) * _f, _f * 2, _p + _q
#: Meetings with a size of what is shared, of the cluster and of the class; and how many more the right has of them.
Meetings = tuple[tuple[Number | int, Number, Number, Number], ...]
_CLEANED: Meetings = ((1, _clean, _clean, _clean + _e), (-1, _clean, _dirty, _clean + _e))


def _noise(times: Number) -> Meetings:
    """The bag of noise objects gets larger. Each may have a class of its own size: the change is the mean over them."""
    return (times, _f, _dirty, _f + _u), (-times, _f, _clean, _f + _u)


_MEETING_MOVES: dict[str, Meetings] = {
    "split": ((1, _p, _p, _p + _e), (1, _q, _q, _q + _h), (-1, _p, _whole, _p + _e), (-1, _q, _whole, _q + _h)),
    "merge": ((1, _whole, _whole, _whole + _e), (-1, _p, _p, _whole + _e), (-1, _q, _q, _whole + _e)),
    EXCHANGE: (
        (1, _clean, _clean, _dirty), (1, _f, _f, _dirty), (_r, _two, _two, _two),
        (-1, _dirty, _dirty, _dirty), (_r * -2, _f, _f, _two),
    ),
    "rag bag": (
        (1, _clean, _clean, _clean), (_r + 1, _f, _dirty, _f),
        (-1, _clean, _dirty, _clean), (-1, _f, _dirty, _f), (-_r, _f, _clean, _f),
    ),
    "rag bag, stranger": (*_CLEANED, *_noise(_r)),
    "rag bag, kin": (
        *_CLEANED, *_noise(_r - 1),
        (1, _two, _dirty, _two + _v), (-1, _f, _dirty, _two + _v), (-1, _f, _clean, _two + _v),
    ),
}  # fmt: skip
#: What a matching gains at least in the exchange of whole classes: named clusters meet named classes only.
_MATCHED: Meetings = (
    (1, _clean, _clean, _dirty), (_r, _two, _two, _two), (-1, _dirty, _dirty, _dirty), (-_r, _f, _f, _two)
)  # fmt: skip


def gained(e: Expression, more: Meetings) -> Number:
    """Right − left of a sum of a term, where the right has more of these meetings."""
    term, found = rational(e), _SIZES.constant(0)
    for times, shared, cluster, of_class in more:
        found = found + term.put({"n": shared, "g": cluster, "c": of_class}, _SIZES) * times
    return found


def shrinking(e: Expression) -> Number:
    """How much a term of meetings gains where its cluster has one cell less, and n and c are the same."""
    found = rational(e)
    if found.names & {"g_rows", "g_cols"}:
        raise Refused(f"It is not known how the rows and columns of {e} move.")
    return found - found.put({"g": size("g") + 1})


class MovingSums(Basis):
    """A basis in which every sum that is no combination of unknowns is an unknown of its own, for it may move.

    Neither side is empty. ``sums`` has these sums, ``divisors`` the divisor of every ``over``; that of those in
    ``vanished`` is 0.
    """

    def __init__(self, equation: Equation, kind: str, move: str) -> None:
        super().__init__(equation, kind)
        self.move, self.low = move, 1
        self.sums: dict[Expression, Expression] = {}
        self.divisors: dict[Expression, Number] = {}
        self.vanished: frozenset[Expression] = frozenset()
        self.names: frozenset[str] = frozenset()

    def score(self) -> Number:
        """The score, or what rises and falls as the score does; more is better."""
        e = self.equation.expression
        if e.op == "sqrt":
            self.note(AtMost(ZERO, e.args[0], rule="a root rises with what is under it"))
            e = e.args[0]
        self.divisors = {}
        return self.number_of(-e if self.equation.smaller_is_better else e)

    def number_of(self, e: Expression) -> Number:
        """A closed expression in the unknowns, or Refused."""
        if e.op == "over":
            return self._over(e)
        if e.uses("log"):
            return super().number_of(e)
        if e.op == "meetings":
            if self.kind == "any":
                raise Refused("Under overlap, meetings share cells.")
            # A sum is an unknown of 0 or more only if its terms are.
            if not non_negative_quotient(e.args[0], MEET):
                raise Refused(f"{e} may be negative.")
            return self.sum(e)
        if e.op == "matching" or (e.op in ("clusters", "classes") and e.uses("best")):
            return self.partner_sum(e)
        if e.op == "cells":
            return self.cells_sum(e)
        return super().number_of(e)

    def sum(self, e: Expression) -> Number:
        """The unknown of a sum that is 0 or more."""
        key = ordered(e)
        self.sums.setdefault(key, e)
        self.note(AtMost(ZERO, e, rule="a sum of terms that are not negative"))
        return self.unknown("sum", key)

    def partner_sum(self, e: Expression) -> Number:
        """A sum of best partners or a matching, where it is known how it moves."""
        raise Refused(f"It is not known how {e} moves.")

    def is_positive(self, e: Expression) -> bool:
        """Whether a sum is positive where a cluster and a class share a cell."""
        raise NotImplementedError

    def positive_sums(self) -> frozenset[str]:
        """The unknowns of the sums that are."""
        return frozenset(self.unknown_name("sum", key) for key, e in self.sums.items() if self.is_positive(e))

    def direction(self, e: Expression) -> tuple[int, bool]:
        """The sign of right − left of a sum, and whether it is sure where a cluster and a class share a cell."""
        raise NotImplementedError

    def add_sums(self, change: Change, names: frozenset[str]) -> None:
        """What the move does to the sums."""
        for key, e in self.sums.items():
            name = self.unknown_name("sum", key)
            if name in names:
                sign, sure = self.direction(e)
                if sign:
                    change.add(sign > 0, name, e, self.unknown("amount", key), sure)
                else:
                    change.how[e] = "stays"

    def cells_sum(self, e: Expression) -> Number:
        """A sum over cells: in the basis, or as sums over meetings, clusters and classes."""
        with_mates = e.uses("mates", "classmates")
        if self.kind == "any":
            if with_mates:
                raise Refused(f"It is not known how {e} moves under overlap.")
            return super().number_of(e)
        found = None if with_mates else attempt(super().number_of, e)
        if found is not None:
            return found
        plain = flat(e)
        self.note(Same(e, plain, rule="cells without overlap"))
        return self.number_of(plain)

    def bounded_sum(self, e: Expression, *_: object) -> Number:
        """Refused: a bound does not say how a sum moves."""
        raise Refused(f"It is not known how {e} moves.")

    def _over(self, e: Expression) -> Number:
        key = ordered(e)
        above, below, otherwise = map(self.number_of, e.args)
        # The unknowns of all three parts move, whichever of them a case takes.
        self.names |= below.names | otherwise.names
        if key in self.vanished:
            return otherwise
        self.divisors[key] = below
        return above / below


@dataclass(frozen=True)
class World:
    """Cases that are looked at together: what moves, the least values of unknowns, and which others are positive."""

    change: Change
    low: Mapping[str, int]
    positive: frozenset[str] = frozenset()

    @property
    def facts(self) -> Facts:
        known = {name: symbol(name) + least_value for name, least_value in self.low.items()}
        return Facts(BASIS_RING, known, self.positive | self.change.positive)

    @property
    def there(self) -> Expression:
        """Positive just where the unknowns have these values or more."""
        parts = [UNKNOWNS[name] - (least_value - 1) for name, least_value in self.low.items()]
        return least(*parts) if len(parts) > 1 else parts[0]

    def ends(self, found: Number) -> tuple[Number, Number]:
        """A number on the left and on the right."""
        return found.put(self.change.left), found.put(self.change.right)


def is_divisor(facts: Facts, left: Number, right: Number) -> bool:
    """Whether this may be a divisor: it is positive on both sides."""
    return facts.more_than_zero(left) and facts.more_than_zero(right)


def demand_rise(basis: MovingSums, world: World, weak: bool) -> None:
    """Refused unless the score is more on the right than on the left; or, weakly, not less.

    A divisor is positive on both sides; or the move does not change it, and then the score must rise where it is 0,
    too, with the value that stands for that.
    """
    found, facts = basis.score(), world.facts
    for key, divisor in dict(basis.divisors).items():
        left, right = world.ends(divisor)
        if is_divisor(facts, left, right):
            continue
        if left != right:
            raise Refused(f"The divisor {key.args[1]} may be 0.")
        before, basis.vanished = basis.vanished, basis.vanished | {key}
        demand_rise(basis, world, weak)
        basis.vanished = before
    left, right = world.ends(found)
    difference = right - left
    if not (facts.at_least_zero(difference) or difference.is_zero if weak else facts.more_than_zero(difference)):
        raise Refused("The signs do not show that the score rises.")


def used_names(basis: MovingSums) -> frozenset[str]:
    """The unknowns that the score depends on, or what decides which value it takes."""
    return basis.score().names | basis.names


def note_positive(basis: MovingSums, world: World) -> None:
    """State which sums and divisors were taken as positive."""
    for key, e in basis.sums.items():
        if basis.unknown_name("sum", key) in world.positive:
            basis.note(Positive(e, rule="a positive sum"))
    basis.score()
    for key, divisor in basis.divisors.items():
        if is_divisor(world.facts, *world.ends(divisor)):
            basis.note(Positive(key.args[1], rule="a positive divisor"))


class _Moved(MovingSums):
    """The sums of the scheme *rise*."""

    def partner_sum(self, e: Expression) -> Number:
        if e.op == "matching":
            if self.move != EXCHANGE or not self.partitions:
                raise Refused(f"It is not known how {e} moves.")
            demand_non_negative(e.args[0])
            if not vanishes(e.args[0]):
                raise Refused(f"{e.args[0]} is not 0 where nothing is shared.")
        elif simplify(e.args[0]) != best(n) or self.move not in ("split", SPLIT_APART, "merge"):
            raise Refused(f"It is not known how {e} moves.")
        return self.sum(e)

    def basis_change(self, names: frozenset[str]) -> Change:
        change = Change()
        amounts = {x: self.unknown("amount", x) for x in ("pairs", "entropies", "clusters")} | {"one": constant(1)}
        for up, moved in enumerate(_BASIS_MOVES[self.move]):
            for name in sorted(names.intersection(moved)):
                change.add(bool(up), name, UNKNOWNS[name], amounts[moved[name]], sure=True)
        if self.move == EXCHANGE:
            if any(name.startswith("pairs") for name in names):
                raise Refused("Pairs of cells do not tell the two sides apart.")
            if not self.partitions and not names <= _LOGS_AND_CELLS:
                raise Refused("Where pairs may share a class, it is known of logarithms only how they move.")
        return change

    def direction(self, e: Expression) -> tuple[int, bool]:
        if e.op == "clusters":  # best(n): in a split the best of the other part comes on top; merged clusters are pure
            return int(self.move != "merge"), self.move == "split" or self.partitions
        if e.op == "classes":  # best(n): a split cuts no class
            return int(self.move == "merge"), False
        if self.move == SPLIT_APART:
            facts, change = MEET, shrinking(e.args[0])
        else:
            more = _MATCHED if e.op == "matching" else _MEETING_MOVES[self.move]
            facts, change = _SIZE_FACTS, gained(e.args[0], more)
        if change.is_zero and e.op != "matching":
            return 0, False
        if facts.at_least_zero(change):
            return 1, facts.more_than_zero(change)
        # Of a matching it is known how much it gains at least, and not how much it loses.
        if facts.at_least_zero(-change) and e.op != "matching":
            return -1, facts.more_than_zero(-change)
        raise Refused(f"{e} may rise or fall.")

    def is_positive(self, e: Expression) -> bool:
        return e.op in ("clusters", "classes") or MEET.more_than_zero(rational(e.args[0]))

    def worlds(self, several_classes: bool) -> list[World]:
        """The cases of the move. Every one has cells that are shared, but for a split on sides that are partial."""
        names = used_names(self)
        change, alone = self.basis_change(names), self.basis_change(names)
        self.add_sums(change, names)
        positive = self.positive_sums()
        if self.move == SPLIT_APART and not self.partitions:
            # The cluster has two shared cells; one, and another one; or none: then no sum over meetings changes.
            weaker = {"rises": "not falls", "falls": "not rises"}
            change.how |= {e: weaker.get(how, how) for e, how in change.how.items() if e in self.sums.values()}
            return [
                World(change, {"both": 2}, positive),
                World(change, {"both": 1, "candidate_only": 1}, positive),
                World(alone, {"candidate_only": 2}),
            ]
        # A cluster lies inside a class, and there is another class: it says something of the classes.
        informed = self.partitions and (self.move == EXCHANGE or (self.move == "merge" and several_classes))
        return [World(change, {"both": 2}, positive | ({"information"} if informed else set()))]


def rise(equation: Equation, situation: Situation) -> list[Obligation]:
    """The rule of the scheme *rise*: after each of the moves the score is higher, or not lower where it is weak."""
    kind = kind_for(equation, situation)
    if kind == "any" or not situation.moves:
        raise Refused("Where biclusters overlap, it is not known how sums move.")
    steps: dict[Obligation, None] = {}
    hows: list[dict[Expression, str]] = []
    there: list[Expression] = []
    # The readings that split a cluster between classes have two classes or more.
    apart = SPLIT_APART in situation.moves
    for move in situation.moves:
        basis = _Moved(equation, kind, move)
        worlds = basis.worlds(several_classes=apart)
        for world in worlds:
            demand_rise(basis, world, situation.weak)
        if not apart or basis.partitions:
            note_positive(basis, worlds[0])
        if move == EXCHANGE and basis.partitions and "information" in used_names(basis):
            basis.note(Positive(UNKNOWNS["information"], rule="a pure cluster beside another class"))
        steps |= basis.steps
        hows.append(worlds[0].change.complete(used_names(basis)))
        there += [world.there for world in worlds]
    steps[Covers(tuple(dict.fromkeys(there)), rule="cells of the move")] = None
    if apart:
        steps[AtMost(number(2), classes(1), rule="two classes or more")] = None
    return [*steps, *_together(hows, situation.moves)]


def _together(hows: list[dict[Expression, str]], moves: Iterable[str]) -> list[Obligation]:
    """What can be said of each sum whichever of the moves it is."""
    allowed = {e: set().union(*(HOW[how.get(e, "stays")] for how in hows)) for one in hows for e in one}
    said = [(e, name) for e, some in allowed.items() for name, signs in HOW.items() if signs == some]
    return [Moves(e, name, rule=" or ".join(moves)) for e, name in said]
