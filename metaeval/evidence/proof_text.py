"""A proof as a person would write it: the situation, the differences in closed form, why they are positive.

Titled paragraphs of plain text, the same for the terminal, documents and the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from metaeval.evidence.formulas import formula, written
from metaeval.evidence.proof_check.polynomials import Poly, Ratio, TooLarge, bounded, total
from metaeval.proof import Further, Group, Pair, Proof, ProofSide, Quotient, Step, Symbol
from metaeval.proof import Poly as Told

#: Letters for sums; C and G are classes and clusters.
_LETTERS = "ABDEFH"
_TOTALS = {
    "candidate": "|U_G|",
    "gold": "|U_C|",
    "shared": "|U_G ∩ U_C|",
    "union": "|U|",
    "matrix": "|M|",
    "matching": "D_max",
    "d_matching": "ΔD_max",
}
_NAMES: Mapping[str, str] = {
    **_TOTALS,
    **{f"S{number}": letter for number, letter in enumerate(_LETTERS, start=1)},
    **{f"d{number}": f"Δ{letter}" for number, letter in enumerate(_LETTERS, start=1)},
}

_MEANINGS = {
    "|U_G|": "are the candidate's cells",
    "|U_C|": "are the gold's cells",
    "|U_G ∩ U_C|": "are the cells of both",
    "|U|": "are the cells of either side",
    "|M|": "are the cells of the matrix",
    "D_max": "is the weight of the best matching",
}
_OVER = {
    "pairs": "the meeting pairs of a cluster of g cells and a class of c cells, with n in common",
    "clusters": "the clusters, of g cells each",
    "classes": "the classes, of c cells each",
}
_CONTEXTS = {
    "same": "Around what is named there may be any other clusters and classes, the same on both sides.",
    "grown": (
        "On the left each cluster has a ≥ 0 cells more that no class holds, and the candidate t ≥ 1 in all; what it "
        "shares with the gold is the same."
    ),
    "wider": "Both sides have the same biclusters; the matrix on the right is larger.",
    "scaled": "On the right every size is K times that on the left.",
    "copied": "On the right there are k copies of everything on the left.",
    "top": (
        "The right is the gold itself. On the left every meeting pair has n ≤ g and n ≤ c; some have g > n or c > n, "
        "or some cells are covered by one side only."
    ),
}
_CONCLUSIONS = {
    "rise": "So the right scores higher than the left, whatever the sizes and whatever surrounds them.",
    "fall": "So the score falls with cells that no class holds, whatever the sizes.",
    "equal": "So both sides score the same, whatever the sizes.",
    "top": "So only the gold itself reaches the best score, whatever the sizes.",
}
#: A denominator of more terms says nothing to a reader.
_MANY = 4
_SIGNS = {"positive": "> 0", "non-negative": "≥ 0", "zero": "= 0"}
_IDENTITIES = "Multiplied out, both sides of each step are the same polynomial."
_FORM = (
    "That the score is the quotient above, which came of following the measure's code on symbols; metaeval verify "
    "holds it against the measure on random cases."
)
_WHY = (
    "A symbol is its least value and something that is at least 0. Written so, no coefficient above is negative, and "
    "where > 0 stands some term is surely positive."
)


def proof_facts(proof: Proof) -> list[tuple[str, str]]:
    """A proof as titled paragraphs."""
    with bounded():
        return list(_paragraphs(proof))


def _paragraphs(proof: Proof) -> Iterator[tuple[str, str]]:
    yield "score", _score(proof)
    yield from _situation(proof, proof)
    for further in proof.also:
        yield "also", "The reading has further cases, for which the same is shown."
        yield from _situation(proof, further)
    yield "why", _IDENTITIES if proof.scheme == "equal" else _WHY
    yield "therefore", _CONCLUSIONS.get(proof.scheme, "So the condition is kept, whatever the sizes.")
    yield "trusted", " ".join([*proof.trusted, _FORM])


def _score(proof: Proof) -> str:
    """The measure's own code on disjoint biclusterings, as a formula."""
    score = _plainer(_ratio(proof.form.score))
    lines = [f"On disjoint biclusterings the score is {formula(score, [Poly.symbol('union') - 1], _NAMES)}."]
    for over, what in _OVER.items():
        named = [f"S{number}" for number, one in enumerate(proof.form.sums, start=1) if one.over == over]
        terms = (one.term for one in proof.form.sums if one.over == over)
        sums = [f"{_NAMES[name]} = Σ {_term(term)}" for name, term in zip(named, terms, strict=True)]
        if sums:
            lines.append(f"{' and '.join(sums)} over {what}.")
    totals = [f"{name} {_MEANINGS[name]}" for key, name in _TOTALS.items() if key in score.symbols]
    lines += [f"{', '.join(totals)}."] if totals else []
    return "\n".join([*lines, *_worlds(proof)])


def _worlds(proof: Proof) -> Iterator[str]:
    worlds = [f"{formula(_ratio(score), (), _NAMES)} ({world})" for world, score in proof.form.worlds]
    if worlds:
        yield f"Where no cell is shared it is {', '.join(worlds)}."


def _term(term: Quotient) -> str:
    n, g, c = map(Poly.symbol, "ngc")
    return formula(_ratio(term), [g + c - n, n - 1, g - 1, c - 1])


def _situation(proof: Proof, one: Proof | Further) -> Iterator[tuple[str, str]]:
    bounds = "; ".join(f"{symbol.name} ≥ {symbol.least}: {symbol.meaning}" for symbol in one.symbols)
    if bounds:
        yield "symbols", f"{bounds}."
    yield "situation", _CONTEXTS.get(one.left.context, one.left.context)
    for title, side in (("left", one.left), ("right", one.right)):
        if side.pairs or side.clusters:
            yield title, _entries(side)
    factors = [*_factors(one.symbols, (*one.left.pairs, *one.right.pairs))]
    for number, step in enumerate(one.steps, start=1):
        changed = _changed(step) if proof.scheme == "rise" else None
        parts = [] if changed is None else _by_class(proof, one, changed)
        yield f"step {number}", _step(step, changed, parts, factors)


def _entries(side: ProofSide) -> str:
    """The pairs by their sizes, those that occur many times with their number."""
    pairs = ", ".join(_times(one, f"({', '.join(map(_size, (one.n, one.g, one.c)))})") for one in side.pairs)
    clusters = ", ".join(_times(one, _size(one.size)) for one in side.clusters)
    return f"meeting pairs (n, g, c): {pairs}; clusters of {clusters} cells"


def _size(told: Told) -> str:
    """A size in cells: objects times features, where it is that."""
    size = _poly(told)
    return formula(Ratio.whole(size), [Poly.symbol(name) + 1 for name in sorted(size.symbols)])


def _times(one: Pair | Group, shown: str) -> str:
    times = _poly(one.times)
    if times == Poly.number(1):
        return shown
    number = written(times)
    return f"{number if len(times.terms) == 1 else f'({number})'} × {shown}"


def _factors(symbols: tuple[Symbol, ...], pairs: Iterable[Pair]) -> Iterator[Poly]:
    """What may divide a difference: sizes of the entries, and what makes it vanish below a symbol's least value."""
    found = set()
    for pair in pairs:
        n, g, c = _poly(pair.n), _poly(pair.g), _poly(pair.c)
        found |= {n, g, c, g + c - n}
    for one in symbols:
        found |= {Poly.symbol(one.name) + 1, Poly.symbol(one.name) - 1} if one.least > 1 else set()
    # Short ones first: they may divide the long ones.
    yield from sorted(found, key=lambda one: (len(one.terms), written(one)))


def _step(step: Step, changed: str | None, parts: Sequence[Ratio], factors: Sequence[Poly]) -> str:
    ratio = _plainer(_ratio(Quotient(step.numerator, step.denominator)))
    claim = re.sub(r"\bS[1-6]\b", lambda found: _NAMES[found[0]], step.claim).rstrip(".")
    if changed is not None:
        shown = _shorter(ratio, parts, factors)
        return f"From left to right {_NAMES[changed]} = {shown}{_sign(step) if ratio.numerator else ''}."
    if not ratio.numerator:
        return f"{claim}: the difference is 0."
    if len(ratio.denominator.terms) > _MANY and ratio.symbols & _NAMES.keys():
        above = formula(Ratio.whole(ratio.numerator), (), _NAMES)
        return f"{claim}: over a positive denominator the difference is {above}{_sign(step)}."
    return f"{claim}: {formula(ratio, [*factors, Poly.symbol('union') - 1], _NAMES)}{_sign(step)}."


def _sign(step: Step) -> str:
    return f" {_SIGNS[step.kind]}"


def _changed(step: Step) -> str | None:
    """Which difference a step is about, where it is about one: d1, d2, … or that of the matching."""
    found = re.search(r"\bthe sum S([1-6])\b|\bthe best (matching)\b", step.claim)
    if found is None:
        return None
    return f"d{found[1]}" if found[1] else "d_matching"


def _shorter(ratio: Ratio, parts: Sequence[Ratio], factors: Sequence[Poly]) -> str:
    """A quotient as a whole, or as a sum where that is a long one."""
    whole = formula(ratio, factors)
    apart = [formula(part, factors) for part in parts if part.numerator]
    clearer = len(apart) > 1 and "…" not in "".join(apart) and ("…" in whole or max(map(len, apart)) < len(whole) / 2)
    return " + ".join(apart) if clearer else whole


def _by_class(proof: Proof, one: Proof | Further, changed: str) -> list[Ratio]:
    """What each class adds to the difference of a sum over pairs."""
    number = int(changed[1:]) if changed[1:].isdigit() else 0
    if not 1 <= number <= len(proof.form.sums) or proof.form.sums[number - 1].over != "pairs":
        return []
    term = _ratio(proof.form.sums[number - 1].term)
    found: dict[Poly, list[Ratio]] = {}
    try:
        for sign, side in ((-1, one.left), (1, one.right)):
            for pair in side.pairs:
                sizes = {"n": _poly(pair.n), "g": _poly(pair.g), "c": _poly(pair.c)}
                found.setdefault(sizes["c"], []).append(term.at(sizes).times(_poly(pair.times) * sign))
        return [total(ratios) for ratios in found.values()]
    except TooLarge:
        return []


def _plainer(ratio: Ratio) -> Ratio:
    """With |U| for what the sides cover together, where nothing but that is meant."""
    whole = {"candidate": Poly.symbol("union") - Poly.symbol("gold") + Poly.symbol("shared")}
    try:
        united = ratio.at(whole)
    except TooLarge:
        return ratio
    alone = "union" in united.symbols and not united.symbols & {"candidate", "gold"}
    return united if alone else ratio


def _ratio(told: Quotient) -> Ratio:
    return Ratio(_poly(told.numerator), _poly(told.denominator))


def _poly(told: Told) -> Poly:
    return Poly({symbols: coefficient for coefficient, symbols in told})
