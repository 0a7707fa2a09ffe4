"""Polynomials and quotients as a person writes them: 2pq/(p + q), with factors pulled out and common ones cancelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import gcd

from metaeval.evidence.proof_check.polynomials import Monomial, Poly, Ratio, TooLarge

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
#: A factor with more terms is counted, not written.
_MOST_TERMS = 12
#: In a polynomial with more terms no factors are looked for.
_MOST_FACTORED = 500

Names = Mapping[str, str]


def formula(ratio: Ratio, factors: Iterable[Poly] = (), names: Names | None = None) -> str:
    """A quotient on one line; ``factors`` are looked for in it, ``names`` written for its symbols.

    >>> p, q = Poly.symbol("p"), Poly.symbol("q")
    >>> formula(Ratio(2 * p * p * q + 2 * p * q * q, (p + q) * (p + q)), [p + q])
    '2pq/(p + q)'
    >>> formula(Ratio(p * p - 1, p), [p - 1])
    '(p − 1)(p + 1)/p'

    What would cost too much to be written so is only counted: the polynomials may come from anyone's file.
    """
    if not ratio.denominator:
        return "a quotient over 0"  # which everything divides, again and again; no proof of ours has one
    if not ratio.numerator:
        return "0"
    try:
        return _formula(ratio, list(factors), names or {})
    except TooLarge:
        return f"a quotient of {len(ratio.numerator.terms)} terms over {len(ratio.denominator.terms)}"


def _formula(ratio: Ratio, factors: Sequence[Poly], names: Names) -> str:
    if max(len(ratio.numerator.terms), len(ratio.denominator.terms)) > _MOST_FACTORED:
        raise TooLarge
    above, below = _factored(ratio.numerator, factors), _factored(ratio.denominator, factors)
    common = above & below
    above, below = above - common, below - common
    return _quotient(above, below, names)


def _factored(poly: Poly, factors: Sequence[Poly]) -> Counter[Poly]:
    """The polynomial as a product: of symbols, of those factors that divide it, of a number, and of what remains."""
    parts: Counter[Poly] = Counter()
    tried = [*map(Poly.symbol, sorted(poly.symbols)), *(one for one in factors if len(one.terms) > 1)]
    for factor in tried:
        while (rest := divided(poly, factor)) is not None:
            parts[factor] += 1
            poly = rest
    content = gcd(*poly.terms.values())
    for prime in _primes(content):
        parts[Poly.number(prime)] += 1
    rest = Poly({monomial: coefficient // content for monomial, coefficient in poly.terms.items()})
    if rest != Poly.number(1):
        parts[rest] += 1
    return parts


def _primes(number: int) -> list[int]:
    """A number as a product; large factors stay as they are, for they are only written."""
    found = []
    for prime in (2, 3, 5, 7):
        while number % prime == 0:
            found.append(prime)
            number //= prime
    return [*found, number] if number > 1 else found


def divided(poly: Poly, factor: Poly) -> Poly | None:
    """The quotient where the division leaves nothing, else None."""
    lead, by = _leading(factor)
    quotient: dict[Monomial, int] = {}
    while poly:
        first, coefficient = _leading(poly)
        power = _without(first, lead)
        if power is None or coefficient % by:
            return None
        quotient[power] = coefficient // by
        poly = poly - factor * Poly({power: coefficient // by})
    return Poly(quotient) if quotient else None


def _leading(poly: Poly) -> tuple[Monomial, int]:
    """The first term in the order of a dictionary: more of an earlier symbol comes first."""
    names = sorted(poly.symbols)
    monomial = max(poly.terms, key=lambda one: [dict(one).get(name, 0) for name in names])
    return monomial, poly.terms[monomial]


def _without(monomial: Monomial, other: Monomial) -> Monomial | None:
    powers = dict(monomial)
    for name, power in other:
        powers[name] = powers.get(name, 0) - power
        if powers[name] < 0:
            return None
    return tuple(sorted((name, power) for name, power in powers.items() if power))


# --- writing


def _quotient(above: Counter[Poly], below: Counter[Poly], names: Names) -> str:
    top, bottom = _product(above, names), _product(below, names)
    if bottom == "1":
        # Nothing stands beside it that parentheses would keep it from.
        return written(next(iter(above)), names) if sum(above.values()) == 1 else top
    single = len(below) == 1
    plain = single and (len(next(iter(below)).terms) == 1 or bottom.startswith("("))
    return f"{top}/{bottom}" if plain else f"{top}/({bottom})"


def _product(factors: Counter[Poly], names: Names) -> str:
    number = 1
    plain, sums = [], []
    for factor, power in factors.items():
        if not factor.symbols:
            number *= next(iter(factor.terms.values())) ** power
        elif len(factor.terms) == 1 and next(iter(factor.terms.values())) == 1:
            plain.append(_powered(written(factor, names), power))
        else:
            sums.append(_powered(f"({written(factor, names)})", power))
    symbols = _joined(sorted(plain))
    if not plain and not sums:
        return str(number)
    sign = "" if number == 1 else "−" if number == -1 else str(number).replace("-", "−")
    body = "".join([*symbols, *sums])
    return f"{sign}{'·' if sign.isdigit() and body[:1] in '|Σ0123456789' else ''}{body}"


def _joined(symbols: Sequence[str]) -> list[str]:
    """Symbols of one letter stand side by side, longer ones are told apart by a dot."""
    return ["".join(symbols) if all(len(one.rstrip("⁰¹²³⁴⁵⁶⁷⁸⁹")) == 1 for one in symbols) else "·".join(symbols)]


def _powered(base: str, power: int) -> str:
    return base if power == 1 else base + str(power).translate(_SUPERSCRIPTS)


def written(poly: Poly, names: Names | None = None) -> str:
    """A polynomial written out, the highest degree first; a long one is only counted.

    >>> written(Poly.symbol("n") * 3 - 1)
    '3n − 1'
    """
    if len(poly.terms) > _MOST_TERMS:
        signs = "all positive" if poly.never_negative else "of both signs"
        return f"… {len(poly.terms)} terms, {signs} …"
    ordered = sorted(poly.terms, key=lambda one: (-sum(power for _, power in one), poly.terms[one] < 0, one))
    text = ""
    for monomial in ordered:
        coefficient = poly.terms[monomial]
        symbols = _joined([_powered((names or {}).get(name, name), power) for name, power in monomial])[0]
        size = str(abs(coefficient)) if abs(coefficient) != 1 or not symbols else ""
        dot = "·" if size and symbols[:1] in ("|", "Σ") else ""
        sign = (" − " if coefficient < 0 else " + ") if text else ("−" if coefficient < 0 else "")
        text += f"{sign}{size}{dot}{symbols}"
    return text or "0"
