"""Worlds of symbols: pairs of disjoint biclusterings of which only bounds are known.

Every number that a measure's code sees is a :class:`Sym`. It can be added, multiplied and divided; a comparison is
answered where the signs of coefficients decide it for all sizes, and refused elsewhere.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from metaeval.proving.refusal import Refused
from metaeval.proving.symbols import Facts, Number, is_whole_multiple, ring

#: The sums that a form may have.
_MOST_SUMS = 16
SUMS = tuple(f"S{k}" for k in range(1, _MOST_SUMS + 1))
TOTALS = ("candidate", "gold", "shared", "matrix", "matching")
FORM_RING = ring(("g", "c", "n", *SUMS, *TOTALS))

#: The symbols that an entry of each kind has.
ENTRY = {"pairs": {"n", "g", "c"}, "clusters": {"g"}, "classes": {"c"}}
#: A cluster and a class that share no cell; what they add to a sum must be nothing.
MISSING = "missing"
#: The classes along a line of intersections, inside a loop over the clusters: what they are beside all clusters.
ALONG = {"line": "pairs", "gap": MISSING}
#: Where some pair meets; the other worlds are those of :data:`metaeval.proof.WORLDS`.
MEETING = "meeting"


class Sums:
    """The sums that a measure's code asked for, each once. Their terms are never negative."""

    def __init__(self) -> None:
        self.terms: list[tuple[str, Number]] = []
        self.positive: set[str] = set()

    def name(self, over: str, term: Number, facts: Facts) -> str:
        """What the sum of a term that is at least 0 is called."""
        if (over, term) not in self.terms:
            if len(self.terms) == _MOST_SUMS:
                raise Refused(f"It has more than {_MOST_SUMS} different sums.")
            self.terms.append((over, term))
        name = SUMS[self.terms.index((over, term))]
        if facts.more_than_zero(term):
            self.positive.add(name)
        return name


class World:
    """What is there: whether some pair meets and whether each side has biclusters, and at least how many cells."""

    def __init__(self, name: str, sums: Sums, least: int = 1, one_feature: bool | None = None) -> None:
        self.name = name
        self.sums = sums
        #: Whether lifted clusterings have one feature or several; None where biclusters are any.
        self.one_feature = one_feature
        self.has_pairs = name == MEETING
        self.has = {
            "candidate": name in (MEETING, "apart", "no gold"),
            "gold": name in (MEETING, "apart", "no candidate"),
        }
        self._least = least

    @property
    def facts(self) -> Facts:
        """What is known of the symbols here."""
        known, positive = known_totals(self.name, self._least), self.sums.positive
        n = FORM_RING.symbol("n") + 1
        known |= {"n": n, "g": n + FORM_RING.symbol("g"), "c": n + FORM_RING.symbol("c")}
        there = {SUMS[k] for k, (over, _) in enumerate(self.sums.terms) if self.has_entries(over)}
        return Facts(FORM_RING, known, positive & there)

    def has_entries(self, over: str) -> bool:
        """Whether there is a pair that meets, a cluster, a class."""
        return self.has_pairs if over == "pairs" else self.has["candidate" if over == "clusters" else "gold"]

    def total(self, name: str) -> Sym | int:
        """A total: a symbol, or 0 where nothing is there."""
        if name in self.has and not self.has[name]:
            return 0
        if name in ("shared", "matching") and not self.has_pairs:
            return 0
        return self.sym(name)

    def sym(self, name: str) -> Sym:
        """A symbol as a value."""
        return Sym(FORM_RING.symbol(name), self)

    def sum_of(self, over: str, term: Any) -> Any:
        """The sum of a term over all entries of a kind."""
        if over == MISSING:
            if is_number(term) and is_zero(term):
                return 0
            raise Refused("It counts clusters and classes that share no cell; use only pairs that meet.")
        number = _as_number(term)
        if number.is_zero:
            return 0
        inner, outer = _divided(number, ENTRY[over])
        if not inner.names:
            raise Refused(f"It asks for the number of {over}, which depends on the context.")
        return Sym(outer, self) * self._opaque(over, inner)

    def _opaque(self, over: str, term: Number) -> Any:
        size, whole = {"pairs": ("n", "shared"), "clusters": ("g", "candidate"), "classes": ("c", "gold")}[over]
        if not self.has_entries(over):
            return 0
        share = term / FORM_RING.symbol(size)
        if not share.names:
            return Sym(share, self) * self.total(whole)
        if self.facts.at_least_zero(term):
            return Sym(FORM_RING.symbol(self.sums.name(over, term, self.facts)), self)
        if self.facts.at_least_zero(-term):
            return -Sym(FORM_RING.symbol(self.sums.name(over, -term, self.facts)), self)
        raise Refused(f"The term {term.short} of a sum over the {over} may be negative or not, depending on the sizes.")


def known_totals(world: str, least: int) -> dict[str, Number]:
    """The totals of a world, each with the others in it: every symbol in there stands for what is left over."""
    symbol = FORM_RING.symbol
    none = FORM_RING.constant(0)
    shared = symbol("shared") + least if world == MEETING else none
    has_candidate, has_gold = world in ("apart", "no gold"), world in ("apart", "no candidate")
    candidate = shared + symbol("candidate") if world == MEETING else symbol("candidate") + 1 if has_candidate else none
    gold = shared + symbol("gold") if world == MEETING else symbol("gold") + 1 if has_gold else none
    return {
        "shared": shared,
        "candidate": candidate,
        "gold": gold,
        "matrix": candidate + gold - shared + symbol("matrix"),
        "matching": symbol("matching") + 1 if world == MEETING else none,
    }


def _divided(term: Number, own: set[str]) -> tuple[Number, Number]:
    """A term as (what depends on the entry) · (what does not), where the latter is a plain product."""
    inner, outer = term, FORM_RING.constant(1)
    for name in sorted(term.names - own):
        if name in ENTRY["pairs"]:
            raise Refused("It mixes the sizes of different entries in one term.")
        symbol = FORM_RING.symbol(name)
        top, bottom = (part.degrees()[FORM_RING.names.index(name)] for part in (inner.top, inner.bottom))
        power = int(top) - int(bottom)
        factor = symbol**power if power >= 0 else FORM_RING.constant(1) / symbol ** (-power)
        if name in (inner / factor).names:
            raise Refused(f"The total {name!r} stands inside a sum where it cannot be taken out.")
        inner, outer = inner / factor, outer * factor
    return inner, outer


def is_number(value: object) -> bool:
    """Whether this is an exact number, plain or with symbols."""
    return isinstance(value, (Sym, int, Fraction))


def is_zero(value: Any) -> bool:
    """Whether a number is 0 whatever the symbols are."""
    return value.number.is_zero if isinstance(value, Sym) else value == 0


def _as_number(value: Any) -> Number:
    if isinstance(value, Sym):
        return value.number
    if isinstance(value, (int, Fraction)):
        return FORM_RING.constant(value)
    raise Refused(f"It sums {type(value).__name__} values; whole numbers and Fractions are exact.")


class Sym:
    """A number with symbols, in a world that knows their bounds."""

    __slots__ = ("number", "world")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, number: Number, world: World) -> None:
        self.number = number
        self.world = world

    def _made(self, number: Number) -> Sym:
        return Sym(number, self.world)

    def __add__(self, other: object) -> Sym:
        return self._made(self.number + _as_number(other))

    __radd__ = __add__

    def __sub__(self, other: object) -> Sym:
        return self._made(self.number - _as_number(other))

    def __rsub__(self, other: object) -> Sym:
        return self._made(_as_number(other) - self.number)

    def __mul__(self, other: object) -> Sym:
        return self._made(self.number * _as_number(other))

    __rmul__ = __mul__

    def __neg__(self) -> Sym:
        return self._made(-self.number)

    def __pos__(self) -> Sym:
        return self

    def __abs__(self) -> Sym:
        return self if self >= 0 else -self

    def __pow__(self, exponent: object) -> Sym:
        if type(exponent) is not int or not 0 <= exponent <= 12:
            raise Refused(f"It raises a size to the power {exponent!r}; whole powers up to 12 are followed.")
        return self._made(self.number**exponent)

    def __truediv__(self, other: object) -> Sym:
        return self.over(other)

    def __rtruediv__(self, other: object) -> Sym:
        return self._made(_as_number(other)).over(self)

    def over(self, other: object) -> Sym:
        """The quotient, where the other is surely not 0."""
        below = self._made(_as_number(other))
        if not below.decided(below.sign(), "divides by"):
            raise Refused("It divides by 0.")
        return self._made(self.number / below.number)

    def __floordiv__(self, other: object) -> Sym:
        if type(other) is not int or other < 1 or not self.number.names <= {*TOTALS}:
            raise Refused("It divides sizes with //, which rounds.")
        if not is_whole_multiple(self.number, other):
            raise Refused(f"It divides {self.number.short} by {other} with //, which rounds.")
        return self.over(other)

    def sign(self) -> int | None:
        """1, 0 or -1 for all sizes, or None where that depends."""
        if self.number.is_zero:
            return 0
        facts = self.world.facts
        if facts.more_than_zero(self.number):
            return 1
        return -1 if facts.more_than_zero(-self.number) else None

    def decided(self, sign: int | None, does: str = "branches on") -> int:
        """The sign, where it is the same for all sizes."""
        if sign is None:
            raise Refused(f"It {does} {self.number.short}, which may be 0 or not, depending on the sizes.")
        return sign

    def __bool__(self) -> bool:
        return self.decided(self.sign()) != 0

    def _compared(self, other: object, at_least: bool) -> bool:
        """Whether it is larger than the other, or at least as large."""
        gap = self - other
        facts = self.world.facts
        if at_least:
            yes, no = facts.at_least_zero(gap.number), facts.more_than_zero(-gap.number)
        else:
            yes, no = facts.more_than_zero(gap.number), facts.at_least_zero(-gap.number)
        if not (yes or no):
            raise Refused(
                f"It compares {self.number.short} with {_as_number(other).short}, which depends on the sizes."
            )
        return yes

    def __gt__(self, other: object) -> bool:
        return self._compared(other, at_least=False)

    def __ge__(self, other: object) -> bool:
        return self._compared(other, at_least=True)

    def __lt__(self, other: object) -> bool:
        return not self._compared(other, at_least=True)

    def __le__(self, other: object) -> bool:
        return not self._compared(other, at_least=False)

    def __eq__(self, other: object) -> bool:
        if not is_number(other):
            raise Refused(f"It compares a size with {type(other).__name__}.")
        gap = self - other
        return gap.decided(gap.sign()) == 0
