"""How a condition is proved of a local form, scheme by scheme: by nothing but the signs of coefficients.

A form is R(S, T): a quotient in sums S, whose terms are never negative, and in totals T.

*rise*: all that is not named is the same left and right, and so are the totals. Each sum changes by what the named
entries contribute. If no sum falls and R(S + d) − R(S) has no negative coefficient, the score does not fall; it rises
if a term of that difference is made of what is surely positive. Where this does not decide, R(right) − R(left) is
looked at as a whole.

*fall*: left, clusters have grown by cells that no class has. If no term grows with its cluster, the right has the sums
S + d with d ≥ 0 and t ≥ 1 covered cells less; R(S + d, candidate) − R(S, candidate + t) must be positive.

*equal*: sums and totals of the right are multiples of the left's, and R is the same: identities.

*top*: terms are at most n, and n where n = g = c. So the sums are at most the shared cells, and so is the matching; R
rises from its sums to that bound, and the bound is at most the best score. Some step is strict, whatever the way in
which a candidate differs from the gold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from metaeval.proof import Group, Pair, Poly, ProofSide, Step
from metaeval.proving.forms import LocalForm
from metaeval.proving.refusal import Refused
from metaeval.proving.symbols import Facts, Number, Ring, as_data, ring
from metaeval.proving.worlds import FORM_RING, MEETING, SUMS, TOTALS, known_totals
from metaeval.situation import Named, Situation

#: The lemma that a score rises with its sums.
RISES = "rises"


@dataclass
class Argument:
    """What was shown, step by step."""

    steps: list[Step] = field(default_factory=list)
    lemmas: list[str] = field(default_factory=list)

    def show(self, claim: str, kind: str, number: Number, facts: Facts) -> None:
        """Add a step, or refuse where the signs do not show it."""
        if not holds(kind, number, facts):
            raise Refused(f"Signs do not show this: {claim} {_why_not(kind, number, facts)}")
        top, bottom = number.top, number.bottom
        if not facts.more_than_zero(Number(number.ring, bottom)):
            top, bottom = -top, -bottom
        self.steps.append(Step(claim, kind, as_data(number.ring, top), as_data(number.ring, bottom)))

    def show_best(self, claim: str, number: Number, facts: Facts) -> str:
        """Add the strongest step that signs show of a number that must not be negative; the kind of it."""
        kind = next((one for one in ("zero", "positive") if holds(one, number, facts)), "non-negative")
        self.show(claim, kind, number, facts)
        return kind


def holds(kind: str, number: Number, facts: Facts) -> bool:
    """Whether signs show this kind of a number."""
    if kind == "zero":
        return number.is_zero
    return facts.more_than_zero(number) if kind == "positive" else facts.at_least_zero(number)


def _why_not(kind: str, number: Number, facts: Facts) -> str:
    if kind == "zero":
        return f"The difference is {number.short}, and not 0."
    product = facts.obstacle(number)
    if product is None:
        return f"The difference, {number.short}, may be 0."
    return f"In {number.short} the coefficient of {product} is negative."


def ring_of(form: LocalForm, situation: Situation) -> Ring:
    """All symbols that a proof may need."""
    differences = [difference(name) for name in (*SUMS, "matching")]
    named = [symbol.name for symbol in situation.symbols]
    taken = {*FORM_RING.names, *differences, *_MOVES}
    if taken & {*named}:
        raise ValueError(f"a situation may not call its symbols {', '.join(sorted(taken & {*named}))}")
    return ring((*named, *FORM_RING.names, *differences, *_MOVES))


#: a: cells that a cluster gains; t: cells that the candidate gains; w: those of the matrix; K, k: factors.
_MOVES = ("a", "t", "w", "K", "k")


def difference(name: str) -> str:
    """d1 for S1."""
    return name.replace("S", "d") if name.startswith("S") else f"d_{name}"


class Setting:
    """A form and a situation in one ring."""

    def __init__(self, form: LocalForm, situation: Situation, best: Fraction | None) -> None:
        self.form = form
        self.situation = situation
        self.best = best
        self.ring = ring_of(form, situation)
        self.score = form.score.put({}, self.ring)
        self.terms = {
            name: (over, term.put({}, self.ring)) for name, (over, term) in zip(SUMS, form.sums, strict=False)
        }
        #: The sums, and the matching, that the score depends on.
        self.used = [name for name in (*self.terms, "matching") if name in self.score.names]

    def symbol(self, name: str) -> Number:
        """A symbol of the ring."""
        return self.ring.symbol(name)

    def totals(self, world: str = MEETING, least: int = 1) -> dict[str, Number]:
        """What is known of the totals."""
        return {name: known.put({}, self.ring) for name, known in known_totals(world, least).items()}

    def entry(self) -> dict[str, Number]:
        """What is known of a pair that meets."""
        n = self.symbol("n") + 1
        return {"n": n, "g": n + self.symbol("g"), "c": n + self.symbol("c")}

    def positive(self, world: str = MEETING) -> frozenset[str]:
        """The sums that are surely positive: all terms are, and there is one."""
        there = {
            MEETING: ("pairs", "clusters", "classes"),
            "apart": ("clusters", "classes"),
            "no gold": ("clusters",),
            "no candidate": ("classes",),
            "empty": (),
        }[world]
        return frozenset(name for name, (over, _) in self.terms.items() if over in there) & self.form.positive

    def rises(self) -> Number:
        """R(S + d) − R(S)."""
        more = {name: self.symbol(name) + self.symbol(difference(name)) for name in self.used}
        return self.score.put(more) - self.score


# --- rise ----------------------------------------------------------------------------------------------


def least_shared(situation: Situation) -> int:
    """How many cells the named pairs surely share."""
    at_least = {symbol.name: Fraction(symbol.least) for symbol in situation.symbols}
    numbers = ring(tuple(at_least) or ("none",))
    found = [
        [(numbers.parse(pair.n) * numbers.parse(pair.times)).at(at_least) for pair in side.pairs]
        for side in (situation.left, situation.right)
    ]
    return max(1, int(min(sum(one, Fraction(0)) for one in found)))


def rise(setting: Setting) -> Argument:
    """The left is worse; all that is not named is the same."""
    situation = setting.situation
    symbols = {symbol.name: setting.symbol(symbol.name) + symbol.least for symbol in situation.symbols}
    known = {**symbols, **setting.totals(least=least_shared(situation))}
    left, right = (_contributions(setting, side) for side in (situation.left, situation.right))
    try:
        return _by_differences(setting, left, right, known)
    except Refused as refused:
        if situation.own:
            raise
        try:
            return _as_a_whole(setting, left, right, known)
        except Refused:
            raise refused from None


def _contributions(setting: Setting, side: Named) -> dict[str, Number]:
    """What the named entries add to each sum: the term of an entry, as often as there are such entries."""
    parse = setting.ring.parse
    found = {}
    for name in setting.used:
        total = setting.ring.constant(0)
        if name == "matching":
            if side.matching is None:
                raise Refused("It depends on the best matching, and here that depends on the context.")
            found[name] = parse(side.matching)
            continue
        over, term = setting.terms[name]
        for sizes, times in _entries(side, over):
            total = total + term.put({key: parse(size) for key, size in sizes.items()}) * parse(times)
        found[name] = total
    return found


def _entries(side: Named, over: str) -> list[tuple[dict[str, str], str]]:
    if over == "pairs":
        return [({"n": pair.n, "g": pair.g, "c": pair.c}, pair.times) for pair in side.pairs]
    # The gold is the same on both sides, and so are all its classes.
    return [({"g": one.g}, one.times) for one in side.clusters] if over == "clusters" else []


def _by_differences(
    setting: Setting, left: Mapping[str, Number], right: Mapping[str, Number], known: Mapping[str, Number]
) -> Argument:
    argument = Argument(lemmas=[RISES])
    facts = Facts(setting.ring, known)
    grown = []
    for name in setting.used:
        what = "the best matching" if name == "matching" else f"the sum {name}"
        kind = argument.show_best(f"From left to right, {what} does not fall.", right[name] - left[name], facts)
        grown += [difference(name)] if kind == "positive" else []
    if not grown:
        raise Refused("No sum of it changes from left to right, so that the score stays the same.")
    # What the left has of a sum is positive where a named entry's is, whatever the context.
    held = {name for name in setting.used if facts.more_than_zero(left[name])}
    rises = Facts(setting.ring, known, held)
    argument.show("The score does not fall where no sum does.", "non-negative", setting.rises(), rises)
    if not rises.with_positive(*grown).more_than_zero(setting.rises()):
        raise Refused("Signs do not show that the score rises with the sums that grow.")
    return argument


def _as_a_whole(
    setting: Setting, left: Mapping[str, Number], right: Mapping[str, Number], known: Mapping[str, Number]
) -> Argument:
    def score(named: Mapping[str, Number]) -> Number:
        return setting.score.put({name: setting.symbol(name) + one for name, one in named.items()})

    argument = Argument()
    # A sum is here what the context adds to the named entries', and may be nothing; so with the matching.
    facts = Facts(setting.ring, {name: one for name, one in known.items() if name != "matching"})
    argument.show("From left to right the score rises.", "positive", score(right) - score(left), facts)
    return argument


# --- fall ----------------------------------------------------------------------------------------------


def fall(setting: Setting) -> Argument:
    """The left is worse; its clusters have cells more that no class has."""
    argument = Argument(lemmas=[RISES])
    moving = {}
    for name, (over, term) in setting.terms.items():
        if over == "clusters":
            raise Refused("It sums over clusters, and there may be any number of new ones.")
        if over == "pairs":
            less = term - term.put({"g": setting.symbol("g") + setting.symbol("a")})
            facts = Facts(setting.ring, setting.entry())
            argument.show_best(f"No term of {name} grows with its cluster.", less, facts)
            moving[name] = setting.symbol(name) + setting.symbol(difference(name))
    grown = setting.score.put({"candidate": setting.symbol("candidate") + setting.symbol("t")})
    known = {**setting.totals(), "t": setting.symbol("t") + 1}
    facts = Facts(setting.ring, known, setting.positive())
    claim = "With cells more and no sum larger, the score falls."
    argument.show(claim, "positive", setting.score.put(moving) - grown, facts)
    return argument


# --- equal ---------------------------------------------------------------------------------------------


def equal(setting: Setting) -> Argument:
    """Left and right are the same."""
    argument = Argument()
    factors = {"wider": _wider, "scaled": _scaled, "copied": _copied}[setting.situation.context](setting, argument)
    for world, score in setting.form.scores.items():
        here = score.put({}, setting.ring)
        where = "" if world == MEETING else f", in the world {world!r}"
        facts = Facts(setting.ring, setting.totals(world), setting.positive(world))
        argument.show(f"Both sides score the same{where}.", "zero", here - here.put(factors), facts)
    return argument


def _wider(setting: Setting, _: Argument) -> dict[str, Number]:
    return {"matrix": setting.symbol("matrix") + setting.symbol("w")}


def _scaled(setting: Setting, argument: Argument) -> dict[str, Number]:
    """Every size times K; a term is then its value times a power of K."""
    factor = setting.symbol("K")
    factors = {name: factor * setting.symbol(name) for name in TOTALS}
    known = Facts(setting.ring, {**setting.entry(), "K": factor + 1})
    for name, (_, term) in setting.terms.items():
        larger = term.put({size: factor * setting.symbol(size) for size in ("n", "g", "c")})
        power = max(int(term.top.total_degree()) - int(term.bottom.total_degree()), 0)
        argument.show(f"A term of {name} scales with K.", "zero", larger - term * factor**power, known)
        factors[name] = factor**power * setting.symbol(name)
    return factors


def _copied(setting: Setting, _: Argument) -> dict[str, Number]:
    """Every sum and total times k; copies on features of their own widen the matrix by more."""
    factor = setting.symbol("k")
    factors = {name: factor * setting.symbol(name) for name in (*TOTALS, *setting.terms)}
    return {**factors, "matrix": setting.symbol("matrix") + setting.symbol("w")}


# --- top -----------------------------------------------------------------------------------------------


def top(setting: Setting) -> Argument:
    """Only the gold itself reaches the best score."""
    if setting.best is None:
        raise Refused("It has no constant best score, of which there is nothing to show.")
    argument = Argument(lemmas=[RISES])
    for name, (over, term) in setting.terms.items():
        if over != "pairs":
            raise Refused(f"It sums over {over}, of which nothing says how large they are beside the pairs.")
        _show_at_most_n(setting, argument, name, term)
    cells = _uncovered(setting)
    rises = Facts(setting.ring, cells, setting.positive())
    argument.show("The score does not fall where no sum does.", "non-negative", setting.rises(), rises)
    bound = setting.score.put(dict.fromkeys(setting.used, setting.symbol("shared")))
    goal = setting.ring.constant(setting.best)
    facts = Facts(setting.ring, cells)
    argument.show("With all sums at their largest it is at most the best score.", "non-negative", goal - bound, facts)
    covered = bound.put({"candidate": setting.symbol("shared"), "gold": setting.symbol("shared")})
    argument.show("The gold itself reaches the best score.", "zero", goal - covered, facts)
    _show_worlds(setting, argument, goal)
    _demand_strictness(setting, rises, goal - bound)
    return argument


def _show_at_most_n(setting: Setting, argument: Argument, name: str, term: Number) -> None:
    facts = Facts(setting.ring, setting.entry())
    left_over = setting.symbol("n") - term
    argument.show(f"No term of {name} is more than the cells shared.", "non-negative", left_over, facts)
    same = {"g": setting.symbol("n"), "c": setting.symbol("n")}
    argument.show(f"A term of {name} is that where cluster and class are the same.", "zero", left_over.put(same), facts)


def _uncovered(setting: Setting) -> dict[str, Number]:
    """The totals of the left."""
    found = setting.totals()
    if setting.situation.covering:
        found |= {"candidate": found["shared"], "gold": found["shared"]}
    elif setting.situation.larger:
        found["gold"] = found["shared"]
    found["matrix"] = found["candidate"] + found["gold"] - found["shared"] + setting.symbol("matrix")
    return found


def _show_worlds(setting: Setting, argument: Argument, goal: Number) -> None:
    """Where nothing meets, the best score is for two empty sides alone."""
    for world, score in setting.form.scores.items():
        if world != MEETING:
            facts = Facts(setting.ring, setting.totals(world), setting.positive(world))
            claim = f"In the world {world!r} the best score is {'' if world == 'empty' else 'not '}reached."
            kind = "zero" if world == "empty" else "positive"
            argument.show(claim, kind, goal - score.put({}, setting.ring), facts)


def _demand_strictness(setting: Setting, rises: Facts, short: Number) -> None:
    """Refuse unless every way to differ from the gold costs something."""
    for size, what in (("g", "cluster"), ("c", "class")):
        if size == "c" and setting.situation.larger:
            continue  # every pair of such a left has a larger cluster
        less = [difference(name) for name in _strictly_less(setting, size)]
        # A cluster with cells of two classes, or a class in two clusters, is matched with one of them only.
        less += [difference("matching")] if "matching" in setting.used else []
        if not any(rises.with_positive(one).more_than_zero(setting.rises()) for one in less):
            raise Refused(f"Signs do not show that a {what} which is larger than what it shares costs anything.")
    if setting.situation.covering or setting.situation.larger:
        return
    for side in ("candidate", "gold"):
        cells = _uncovered(setting)
        cells[side] = cells[side] + 1
        if not Facts(setting.ring, cells).more_than_zero(short):
            raise Refused(f"Signs do not show that a cell which the {side} alone covers costs anything.")


def _strictly_less(setting: Setting, size: str) -> Iterable[str]:
    """The sums of which a term is less than n where the cluster, or the class, is larger than n."""
    entry = setting.entry()
    facts = Facts(setting.ring, {**entry, size: entry[size] + 1})
    return [name for name, (_, term) in setting.terms.items() if facts.more_than_zero(setting.symbol("n") - term)]


SCHEMES = {"rise": rise, "fall": fall, "equal": equal, "top": top}


# --- the sides as data ---------------------------------------------------------------------------------


def side_data(setting: Setting, side: Named) -> ProofSide:
    """A side of a situation as data."""

    def poly(text: str) -> Poly:
        return as_data(setting.ring, setting.ring.parse(text).top)

    return ProofSide(
        tuple(Pair(*(poly(size) for size in (pair.n, pair.g, pair.c, pair.times))) for pair in side.pairs),
        tuple(Group(poly(one.g), poly(one.times)) for one in side.clusters),
        (),
        setting.situation.context,
    )
