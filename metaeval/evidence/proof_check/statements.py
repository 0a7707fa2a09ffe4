"""What each condition is about, with symbols in place of sizes: the checker's own statement, written by hand.

Nothing here is taken from the conditions' situations: the two are held against each other whenever a proof is checked.
All sizes are in cells. ``f`` is the number of features of lifted clusterings; a condition that counts no objects does
without it, for its sizes may be any numbers of cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from metaeval.evidence.proof_check.polynomials import Poly
from metaeval.evidence.proof_check.stated import WORLDS, Entry, Layout


@dataclass(frozen=True)
class Statement:
    """The situation of a condition under a reading.

    ``scheme`` is how it is proved; ``symbols`` have their least values; ``left`` and ``right`` name what differs.
    ``matching`` is what the best matching of the named clusters weighs, left and right, where it is found apart from
    the context's. ``worlds`` are those without a meeting pair that the reading admits. Where ``covering``, both sides
    cover the same cells. ``larger`` where in every meeting pair the cluster is larger than what it shares.
    ``each`` where a symbol stands for a size that every entry of a family has of its own.
    """

    scheme: str
    symbols: Mapping[str, int]
    left: Layout
    right: Layout
    matching: tuple[Poly, Poly] | None = None
    worlds: tuple[str, ...] = ()
    covering: bool = False
    larger: bool = False
    each: bool = False


ONE = Poly.number(1)


def _pair(n: Poly, g: Poly, c: Poly, times: Poly = ONE) -> Entry:
    return (("n", n), ("g", g), ("c", c), ("times", times))


def _cluster(g: Poly, times: Poly = ONE) -> Entry:
    return (("g", g), ("times", times))


def _same(pairs: list[Entry], clusters: list[Entry]) -> Layout:
    return Layout(tuple(pairs), tuple(clusters), (), "same")


def _split() -> Statement:
    """A cluster of p cells of one class and q of another, and its two parts; the classes have e and h cells more.

    Those further cells lie in other clusters, or in none: context.
    """
    p, q, e, h = map(Poly.symbol, ("p", "q", "e", "h"))
    return Statement(
        scheme="rise",
        symbols={"p": 1, "q": 1, "e": 0, "h": 0},
        left=_same([_pair(p, p + q, p + e), _pair(q, p + q, q + h)], [_cluster(p + q)]),
        right=_same([_pair(p, p, p + e), _pair(q, q, q + h)], [_cluster(p), _cluster(q)]),
    )


def _join() -> Statement:
    """Two clusters of p and q cells of one class, and their union; the class has e cells more."""
    p, q, e = map(Poly.symbol, ("p", "q", "e"))
    c = p + q + e
    return Statement(
        scheme="rise",
        symbols={"p": 1, "q": 1, "e": 0},
        left=_same([_pair(p, p, c), _pair(q, q, c)], [_cluster(p), _cluster(q)]),
        right=_same([_pair(p + q, p + q, c)], [_cluster(p + q)]),
    )


def _move() -> Statement:
    """One object leaves a whole class of n for a bag of n; it and each object of the bag is a class alone."""
    n, f = map(Poly.symbol, ("n", "f"))
    whole, larger = n * f, (n + 1) * f
    return Statement(
        scheme="rise",
        symbols={"n": 2, "f": 1},
        left=_same(
            [_pair(whole, larger, whole), _pair(f, larger, f), _pair(f, whole, f, n)],
            [_cluster(larger), _cluster(whole)],
        ),
        right=_same(
            [_pair(whole, whole, whole), _pair(f, larger, f, n + 1)],
            [_cluster(whole), _cluster(larger)],
        ),
        # The classes lie inside these clusters, which therefore are matched with them and with no others.
        matching=((n + 1) * f, (n + 1) * f),
    )


def _move_apart() -> Statement:
    """The same with classes of any size: the clean one has e cells more, the stray's v, and a noise object's u."""
    n, f, e, u, v = map(Poly.symbol, ("n", "f", "e", "u", "v"))
    whole, larger = n * f, (n + 1) * f
    stray = _pair(f, larger, f + v)
    return Statement(
        scheme="rise",
        symbols={"n": 2, "f": 1, "e": 0, "u": 0, "v": 0},
        left=_same(
            [_pair(whole, larger, whole + e), stray, _pair(f, whole, f + u, n)],
            [_cluster(larger), _cluster(whole)],
        ),
        right=_same(
            [_pair(whole, whole, whole + e), stray, _pair(f, larger, f + u, n)],
            [_cluster(whole), _cluster(larger)],
        ),
        each=True,
    )


def _move_to_its_like() -> Statement:
    """The stray is of the class of one noise object, so that the bag has two of that class in the end."""
    n, f, e, u, v = map(Poly.symbol, ("n", "f", "e", "u", "v"))
    whole, larger, its_class = n * f, (n + 1) * f, 2 * f + v
    return Statement(
        scheme="rise",
        symbols={"n": 2, "f": 1, "e": 0, "u": 0, "v": 0},
        left=_same(
            [
                _pair(whole, larger, whole + e),
                _pair(f, larger, its_class),
                _pair(f, whole, its_class),
                _pair(f, whole, f + u, n - 1),
            ],
            [_cluster(larger), _cluster(whole)],
        ),
        right=_same(
            [_pair(whole, whole, whole + e), _pair(2 * f, larger, its_class), _pair(f, larger, f + u, n - 1)],
            [_cluster(whole), _cluster(larger)],
        ),
        each=True,
    )


def _exchange() -> Statement:
    """A whole class of r + 1 kept and r pairs, each a class, in 2r singletons; the pairs kept and the class broken."""
    r, f = map(Poly.symbol, ("r", "f"))
    whole, kept = (r + 1) * f, r * f
    return Statement(
        scheme="rise",
        symbols={"r": 2, "f": 1},
        left=_same([_pair(whole, whole, whole), _pair(f, f, 2 * f, 2 * r)], [_cluster(whole), _cluster(f, 2 * r)]),
        right=_same(
            [_pair(kept, kept, whole), _pair(f, f, whole), _pair(2 * f, 2 * f, 2 * f, r)],
            [_cluster(kept), _cluster(f), _cluster(2 * f, r)],
        ),
        matching=((r + 1) * f + r * f, r * f + 2 * r * f),
    )


def _about(scheme: str, context: str, **more: object) -> Statement:
    """A situation that names no entry: what is said of one holds of all."""
    nothing = Layout((), (), (), context)
    return Statement(scheme, {}, nothing, nothing, **more)  # type: ignore[arg-type]


#: By condition and reading: the situations that its cases are shared out among.
STATEMENTS: Mapping[tuple[str, str], tuple[Statement, ...]] = {
    ("A.1", "canonical"): (_split(),),
    ("A.1", "literal"): (_split(),),
    ("A.2", "canonical"): (_join(),),
    ("A.2", "literal"): (_join(),),
    ("A.3", "canonical"): (_move(),),
    ("A.3", "literal"): (_move_apart(), _move_to_its_like()),
    ("A.4", "canonical"): (_exchange(),),
    ("A.5", "canonical"): (_about("top", "top", covering=True),),
    ("A.5", "literal"): (_about("top", "top", worlds=WORLDS),),
    ("B.1", "canonical"): (_about("fall", "grown"),),
    ("B.2", "canonical"): (_about("equal", "wider", worlds=WORLDS),),
    ("B.3", "canonical"): (_about("equal", "scaled", worlds=WORLDS),),
    ("B.4", "canonical"): (_about("equal", "copied", worlds=WORLDS),),
    ("B.5", "canonical"): (_about("top", "top", larger=True),),
    ("B.5", "literal"): (_about("top", "top", larger=True),),
}
