"""Which claims together prove a condition, scheme by scheme: the checker's own list.

Everywhere a score is R(S, T), a quotient of polynomials in sums S over meeting pairs, clusters and classes and in
totals T. A sum is what the entries named contribute, and what the context does; the context's part is only known to be
at least 0, because no term is negative.

*rise*. The context is the same on both sides and so are the totals, so that the sums differ by what the named entries
contribute, d. If no d is negative and R(S + d) − R(S) has no negative coefficient, the score does not fall; if it
has a term made of a positive d, of sums that are positive because the left has entries with positive terms, and of
totals, then it rises. Where this does not decide, R(right) − R(left) is taken as a whole. Where there are m classes of
different sizes, the sums' difference is the mean, over these sizes, of what it would be if all had that size.

*fall*. The left has larger clusters that share what they shared. If no term of a pair grows when its cluster does, the
right has sums S + d, d ≥ 0, and t ≥ 1 cells less; R(S + d, candidate) − R(S, candidate + t) must be positive.

*equal*. Each side's sums and totals are known multiples of the other's. R must be the same as a polynomial identity,
in worlds without a meeting pair too.

*top*. Terms of pairs are at most n, and n where n = g = c. So the sums are at most the shared cells, s. R rises from
R(S) to R(s, …, s), and that is at most the best score, which is reached where nothing is uncovered. Some step is
strict: a candidate that is not the gold has a pair with g > n or c > n, or a cell that one side alone covers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from metaeval.evidence.proof_check.claims import Claim
from metaeval.evidence.proof_check.polynomials import Poly, Ratio, total
from metaeval.evidence.proof_check.refusals import RefusedProof
from metaeval.evidence.proof_check.stated import Entry, Form, Layout, Part, Sum
from metaeval.evidence.proof_check.statements import Statement

#: The kinds that a proof's steps claim, by what they are about.
Kinds = Mapping[str, str]

#: That a score rises with its sums, as a step of the proof.
RISES = "rises"
LEMMAS = (RISES,)

ZERO = Poly.number(0)


def symbol(name: str) -> Poly:
    return Poly.symbol(name)


@dataclass(frozen=True)
class Plan:
    """The claims of a scheme, and the last word: with these kinds, do they suffice? A reason where not."""

    claims: tuple[Claim, ...]
    fault: Callable[[Kinds], str | None] = lambda kinds: None


#: A meeting pair has 1 ≤ n ≤ g, c; a cluster and a class have a cell.
_PAIR = {"n": symbol("n") + 1, "g": symbol("n") + symbol("g") + 1, "c": symbol("n") + symbol("c") + 1}
_ALONE = {"g": symbol("g") + 1, "c": symbol("c") + 1}


def _sizes(one: Sum) -> Mapping[str, Poly]:
    return _PAIR if one.over == "pairs" else _ALONE


def term_claims(form: Form) -> list[Claim]:
    """No term is negative; without this the context could count against the condition."""
    return [
        Claim(f"the term of {name}", one.term, shift=_sizes(one), needed=False)
        for name, one in zip(form.names, form.sums, strict=True)
    ]


def _positive_terms(form: Form) -> frozenset[str]:
    """The sums whose every term is positive."""
    return frozenset(claim.about.split()[-1] for claim in term_claims(form) if claim.fault("positive") is None)


def _totals(shared: Poly) -> dict[str, Poly]:
    """The totals by what each has beyond the one before: shared ≤ candidate, gold; the matrix holds all of them."""
    candidate, gold = shared + symbol("candidate"), shared + symbol("gold")
    return {
        "shared": shared,
        "candidate": candidate,
        "gold": gold,
        "matrix": candidate + gold - shared + symbol("matrix"),
        # Some pair meets, and a matching may take it.
        "matching": symbol("matching") + 1,
    }


# --- rise


def rise(form: Form, part: Part, statement: Statement) -> Plan:
    """The score must be lower on the left; the context is the same."""
    shift = {name: symbol(name) + least for name, least in statement.symbols.items()}
    own = total(_part(entry, "n") for entry in statement.left.pairs).numerator.at(shift)
    shift |= _totals(own + symbol("shared"))
    if "matching" in form.score.symbols and statement.matching is None:
        raise RefusedProof("the score depends on the best matching, of which this situation says nothing")
    left, right = _contributions(form, statement.left), _contributions(form, statement.right)
    if statement.matching is not None:
        left["matching"], right["matching"] = map(Ratio.whole, statement.matching)
    if RISES not in part.lemmas:
        if statement.each:
            raise RefusedProof("classes of different sizes can be taken for ones of the same size in the sums only")
        return Plan((*term_claims(form), _whole_difference(form, left, right, shift)))
    return _by_differences(form, left, right, shift)


def _part(entry: Entry, key: str) -> Ratio:
    sizes = dict(entry)
    return Ratio.whole(sizes[key] * sizes["times"])


def _contributions(form: Form, side: Layout) -> dict[str, Ratio]:
    """What the named entries add to each sum: the term of an entry, as often as there are such entries."""
    found = {}
    for name, one in zip(form.names, form.sums, strict=True):
        entries: tuple[Entry, ...] = getattr(side, one.over)
        found[name] = total(one.term.at(dict(entry)).times(dict(entry)["times"]) for entry in entries)
    return found


def _whole_difference(
    form: Form, left: Mapping[str, Ratio], right: Mapping[str, Ratio], shift: Mapping[str, Poly]
) -> Claim:
    def score(named: Mapping[str, Ratio]) -> Ratio:
        return form.score.put({name: Ratio.whole(symbol(name)) + one for name, one in named.items()})

    # The matching is what the context adds to the named entries' here, and may be nothing.
    plain = {name: one for name, one in shift.items() if name != "matching"}
    return Claim("the rise of the score", score(right) - score(left), "positive", plain)


def _by_differences(
    form: Form, left: Mapping[str, Ratio], right: Mapping[str, Ratio], shift: Mapping[str, Poly]
) -> Plan:
    used = [name for name in left if name in form.score.symbols]
    changes = {name: Claim(f"the change of {name}", right[name] - left[name], shift=shift) for name in used}
    held = [Claim(f"{name} on the left", left[name], shift=shift, needed=False) for name in used]
    positive = frozenset(claim.about.split()[0] for claim in held if claim.fault("positive") is None)
    rises = _rises(form, used, shift, positive)

    def fault(kinds: Kinds) -> str | None:
        grown = {_difference(name) for name, claim in changes.items() if kinds[claim.about] == "positive"}
        if not grown:
            return "no step shows that a sum grows"
        if not rises.strictly(frozenset(grown)):
            return "the score is not shown to rise strictly with the sums that grow"
        return None

    return Plan((*term_claims(form), *held, *changes.values(), rises), fault)


def _rises(form: Form, used: Iterable[str], shift: Mapping[str, Poly], positive: frozenset[str]) -> Claim:
    more = {name: symbol(name) + symbol(_difference(name)) for name in used}
    return Claim(
        "the rise of the score with its sums", form.score.at(more) - form.score, shift=shift, positive=positive
    )


def _difference(name: str) -> str:
    """d1 for S1."""
    return name.replace("S", "d") if name.startswith("S") else f"d_{name}"


# --- fall


def fall(form: Form) -> Plan:
    """The score must be lower on the left, where clusters have gained cells that no class holds."""
    moving = {}
    claims = term_claims(form)
    for name, one in zip(form.names, form.sums, strict=True):
        if one.over == "clusters" and name in form.score.symbols:
            raise RefusedProof(f"{name} goes over clusters, and new clusters may be added")
        if one.over == "pairs":
            moving[name] = symbol(name) + symbol(_difference(name))
            less = one.term - one.term.at({"g": symbol("g") + symbol("a")})
            claims.append(Claim(f"the fall of the terms of {name}", less, shift=_PAIR))
    grown = form.score.at({"candidate": symbol("candidate") + symbol("t")})
    drop = Claim(
        "the fall of the score",
        form.score.at(moving) - grown,
        "positive",
        {**_totals(symbol("shared") + 1), "t": symbol("t") + 1},
        _positive_terms(form),
    )
    return Plan((*claims, drop))


# --- equal


def equal(form: Form, statement: Statement) -> Plan:
    """Both sides must score the same."""
    multiply = {"wider": _wider, "scaled": _scaled, "copied": _copied}[statement.left.context]
    factors, claims = multiply(form)
    claims = [*term_claims(form), *claims]
    for world, score in {"": form.score, **form.worlds}.items():
        where = f" in the world {world!r}" if world else ""
        claims.append(
            Claim(
                f"the difference of the scores{where}", score - score.at(factors), "zero",
                _present(form, world), _positive_in(form, world),
            )
        )  # fmt: skip
    return Plan(tuple(claims))


def _wider(form: Form) -> tuple[dict[str, Poly], list[Claim]]:
    return {"matrix": symbol("matrix") + symbol("w")}, []


def _scaled(form: Form) -> tuple[dict[str, Poly], list[Claim]]:
    """Every size times K; a term is then its value times a power of K."""
    K = symbol("K")
    factors = {name: K * symbol(name) for name in _totals(ZERO)}
    claims = []
    for name, one in zip(form.names, form.sums, strict=True):
        power = max(_degree(one.term.numerator) - _degree(one.term.denominator), 0)
        larger = one.term.at({size: K * symbol(size) for size in ("n", "g", "c")})
        shift = {**_sizes(one), "K": K + 1}
        claims.append(Claim(f"the scaling of {name}", larger - one.term.times(K**power), "zero", shift))
        factors[name] = K**power * symbol(name)
    return factors, claims


def _degree(poly: Poly) -> int:
    return max((sum(power for _, power in monomial) for monomial in poly.terms), default=0)


def _copied(form: Form) -> tuple[dict[str, Poly], list[Claim]]:
    """Every sum and total times k; but copies on features of their own widen the matrix further."""
    k = symbol("k")
    factors = {name: k * symbol(name) for name in (*_totals(ZERO), *form.names)}
    return {**factors, "matrix": symbol("matrix") + symbol("w")}, []


def _present(form: Form, world: str) -> dict[str, Poly]:
    """What is there in a world: with a meeting pair, or without one and so without any sum over pairs."""
    factor = {"K": symbol("K") + 1, "k": symbol("k") + 1}
    if not world:
        return {**_totals(symbol("shared") + 1), **factor}
    candidate = world in ("apart", "no gold")
    gold = world in ("apart", "no candidate")
    gone = {"pairs", *(() if candidate else ("clusters",)), *(() if gold else ("classes",))}
    nothing = {name: ZERO for name, one in zip(form.names, form.sums, strict=True) if one.over in gone}
    cells = {
        "shared": ZERO,
        "matching": ZERO,
        "candidate": symbol("candidate") + 1 if candidate else ZERO,
        "gold": symbol("gold") + 1 if gold else ZERO,
    }
    return {**nothing, **cells, "matrix": cells["candidate"] + cells["gold"] + symbol("matrix"), **factor}


def _positive_in(form: Form, world: str) -> frozenset[str]:
    """The sums that are surely positive: they have terms in this world, all positive."""
    return frozenset(name for name in _positive_terms(form) if _present(form, world).get(name) is None)


# --- top


def top(form: Form, statement: Statement, best: Fraction | None) -> Plan:
    """Only the gold itself may reach the best score."""
    if best is None:
        raise RefusedProof("the measure has no constant best score, of which there is nothing to prove")
    for name, one in zip(form.names, form.sums, strict=True):
        if one.over != "pairs" and name in form.score.symbols:
            raise RefusedProof(f"{name} goes over {one.over}, of which nothing bounds the terms")
    used = [name for name in (*form.names, "matching") if name in form.score.symbols]
    cells = _uncovered(statement)
    rises = _rises(form, used, {**cells, "matching": symbol("matching") + 1}, _positive_terms(form))
    bounded = form.score.at(dict.fromkeys(used, symbol("shared")))
    goal = Ratio(Poly.number(best.numerator), Poly.number(best.denominator))
    short = Claim("what the bound of the score leaves to the best", goal - bounded, shift=cells)
    reached = Claim("the distance of the gold's own score from the best", goal - bounded.at(_COVERED), "zero", _SHARED)
    claims = [*term_claims(form), *_at_most_n(form), rises, short, reached, *_short_worlds(form, goal)]
    return Plan(tuple(claims), lambda kinds: _strictness(form, statement, rises, short))


_SHARED = {"shared": symbol("shared") + 1}
_COVERED = {"candidate": symbol("shared"), "gold": symbol("shared")}


def _uncovered(statement: Statement) -> dict[str, Poly]:
    """The totals of a left side, by what each side covers alone."""
    found = _totals(symbol("shared") + 1)
    if statement.covering:
        found |= {"candidate": found["shared"], "gold": found["shared"]}
    elif statement.larger:
        found["gold"] = found["shared"]
    return found


def _at_most_n(form: Form) -> list[Claim]:
    """No term exceeds n, and where cluster and class are the same it is n."""
    claims = []
    for name, one in zip(form.names, form.sums, strict=True):
        left_over = Ratio.whole(symbol("n")) - one.term
        same = {"g": symbol("n"), "c": symbol("n")}
        claims.append(Claim(f"what the terms of {name} leave of n", left_over, shift=_PAIR))
        claims.append(Claim(f"what they leave where n = g = c, in {name}", left_over.at(same), "zero", _PAIR))
    return claims


def _short_worlds(form: Form, goal: Ratio) -> list[Claim]:
    """Without a meeting pair the best is for two empty sides alone."""
    return [
        Claim(
            f"what the score in the world {world!r} leaves to the best", goal - score,
            "zero" if world == "empty" else "positive", _present(form, world), _positive_in(form, world),
        )
        for world, score in form.worlds.items()
    ]  # fmt: skip


def _strictness(form: Form, statement: Statement, rises: Claim, short: Claim) -> str | None:
    """Every way to differ from the gold costs something."""
    ways = {"cluster": "g"} if statement.larger else {"cluster": "g", "class": "c"}
    for what, size in ways.items():
        strict = {_difference(name) for name in _strictly_less(form, size)}
        # A cluster of cells of two classes, or a class in two clusters, can be matched with one of them only.
        if not any(rises.strictly(frozenset({one})) for one in (*strict, _difference("matching"))):
            return f"nothing shows that a {what} larger than what it shares costs anything"
    if statement.covering or statement.larger:
        return None
    for side in ("candidate", "gold"):
        alone = {**short.shift, side: short.shift[side] + 1}
        if replace(short, shift=alone).fault("positive") is not None:
            return f"nothing shows that a cell which the {side} alone covers costs anything"
    return None


def _strictly_less(form: Form, size: str) -> list[str]:
    """The sums of which a term is less than n where the cluster, or the class, is larger than n."""
    larger = {**_PAIR, size: _PAIR[size] + 1}
    return [
        name
        for name, one in zip(form.names, form.sums, strict=True)
        if Claim("", Ratio.whole(symbol("n")) - one.term, shift=larger).fault("positive") is None
    ]


def plan(form: Form, part: Part, statement: Statement, best: Fraction | None) -> Plan:
    """What must be shown for this statement."""
    if statement.scheme == "rise":
        return rise(form, part, statement)
    if statement.scheme == "fall":
        return fall(form)
    return equal(form, statement) if statement.scheme == "equal" else top(form, statement, best)
