"""Rules made wrong on purpose: each side condition is taken back, one at a time, and something notices.

A wrong rule derives a false proof. Either an obligation of it then fails on an instance of the reading, as it would in
a run; or all of them hold, and only the tests of false proofs notice. The table says which.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import pytest
from strategies import SHARE
from test_false_proofs import FALSE, SHARED, Make, U, cases_of, is_proved, made_of, pack_of

import metaeval
from metaeval.equations import Equation, best, clusters, g, n
from metaeval.equations.equation import unchecked
from metaeval.equations.tree import Expression
from metaeval.proofs.algebra import Facts
from metaeval.proofs.normal_form import MEET, STRANGERS, R, meeting_sizes
from metaeval.proofs.proof import BrokenRule, Instances, derive, run_obligations
from metaeval.search.prove import instances

from metaeval.proofs import (  # isort: skip
    algebra, basis, bounds, falls, moves, normal_form, proof, shares, strictness, totality, typings,
)  # fmt: skip

Break = Callable[[pytest.MonkeyPatch], None]


def always(value: Any) -> Callable[..., Any]:
    return lambda *_: value


def put(owner: Any, name: str, value: Any) -> Break:
    return lambda patch: patch.setattr(owner, name, value)


def after(owner: Any, name: str, change: Callable[..., Any]) -> Break:
    """The function as it is, and ``change`` of its result and its arguments."""
    before = getattr(owner, name)
    return put(owner, name, lambda *args, **kwargs: change(before(*args, **kwargs), *args))


def any_pair(*facts: Facts) -> Break:
    return put(algebra.Cases, "at_least_zero", lambda _, x: all(one.at_least_zero(x) for one in facts))


def moved(move: str, without: str = "", amount: str = "") -> Break:
    """What a move does to the basis, without one of the unknowns, or with one amount for all but counts."""
    table = [
        {name: amount if amount and by != "one" else by for name, by in side.items() if name != without}
        for side in moves._BASIS_MOVES[move]
    ]
    return lambda patch: patch.setitem(moves._BASIS_MOVES, move, (table[0], table[1]))


def without_outside(change: basis.Change, *_: object) -> basis.Change:
    """The unknown stays, where the matrix less U must fall."""
    change.right.pop("outside", None)
    change.how.pop(basis.UNKNOWNS["outside"], None)
    return change


def with_two_clusters(_: None, sums: moves.MovingSums, *__: object) -> None:
    sums.low = 2


def without_features(change: algebra.Number, *_: object) -> algebra.Number:
    return change.put({"f": moves._SIZES.constant(1)})


def any_best(e: Expression) -> Expression:
    return next(x for x in e.walk() if x.op == "best").args[0]


def known(name: str) -> Make:
    (found,) = (one.make for one in FALSE if one.name == name)
    return found


def not_checked(e: Expression) -> Make:
    """An equation that has no value somewhere."""

    def make() -> Equation:
        with unchecked():
            return made_of(e)()

    return make


#: Of the cases of a move, the first one alone.
FIRST_CASE = after(moves._Moved, "worlds", lambda found, *_: found[:1])


class Wrong(NamedTuple):
    """A side condition that is taken back, a false proof that this lets through, and what notices it."""

    number: str
    condition: str
    broken: Break
    make: Make
    cell: str
    noticed: str = "instances"

    def __str__(self) -> str:
        return f"{self.number} {self.condition}"


WRONG = [
    Wrong(*one)
    for one in (
        ("1", "any pair: g = n and c = n are possible", any_pair(Facts(R, meeting_sizes(g=1, c=1)), *STRANGERS),
         known("a cluster that is its class"), "S.2 canonical"),
        ("2", "under best, a divisor is positive for strangers too",
         put(normal_form, "positive_term", MEET.more_than_zero), known("0/0 for a stranger"), "A.5 canonical"),
        ("3", "what stands over a root is not negative", put(normal_form, "is_non_negative", always(True)),
         known("a negative root"), "S.3 canonical"),
        ("3", "what stands over a root is not negative (fall)", put(normal_form, "is_non_negative", always(True)),
         known("a negative root over cells"), "H.1 literal"),
        ("4", "best has strangers among its partners", any_pair(MEET),
         known("likeness of strangers"), "S.2 canonical"),
        ("5", "a mean over mates is 1 at itself only if its term is", after(basis, "mean_is_attained", always(True)),
         known("a mean of halves"), "S.3 overlapping"),
        ("6", "0/0 of f1 is less than 1 (range)", put(shares, "is_below_one", always(True)),
         known("f1 with 7 for 0/0"), "S.2 literal"),
        ("6", "0/0 of f1 is less than 1 (top)", put(shares, "is_below_one", always(True)),
         known("f1 of likeness with 1 for 0/0"), "A.5 literal"),
        ("7", "a matching of shares is over a number of clusters or classes", put(bounds, "counts", always(1)),
         known("a matching over any number"), "S.2 canonical"),
        ("7", "strict: over both numbers", put(strictness, "counts", always(2)),
         known("a matching over one number"), "H.2 literal"),
        ("8", "without one_empty there may be no cluster", put(basis, "least_count", always(1)),
         known("no cluster and a class"), "S.2 literal"),
        ("9", "the sign under the root of a square is known", put(bounds.AtItself, "demand_sign", always(None)),
         known("the root of a square"), "S.3 canonical"),
        ("10", "totality is shown by every proof", put(totality, "total", always(None)),
         not_checked(clusters(best(n / (g - n))) / clusters(1)), "S.4 canonical"),
        ("10", "one empty side is worse than the best", put(strictness, "_demand_conventions", always(None)),
         known("a dissimilarity of −1 for one empty side"), "H.2 canonical"),
        ("10", "the best is 1", put(strictness, "_demand_conventions", always(None)),
         made_of(SHARED / U, best=Fraction(1, 2)), "H.2 canonical"),
        ("11", "one cluster on the left of a split", after(moves.MovingSums, "__init__", with_two_clusters),
         known("one cluster on the left"), "A.1 canonical"),
        ("11", "one cluster on the right of a merger", after(moves.MovingSums, "__init__", with_two_clusters),
         known("one cluster on the right"), "A.2 canonical"),
        ("12", "A.4 has fewer clusters on the right", moved(moves.EXCHANGE, without="clusters"),
         known("fewer clusters on the right"), "A.4 canonical"),
        ("13", "sizes in A.3 and A.4 have the factor f", after(moves, "gained", without_features),
         known("several features"), "A.4 canonical"),
        ("14", "Σ n log n rises by what the classes lose", moved("merge", without="logs_both"),
         known("logarithms of classes alone"), "A.2 literal"),
        ("15", "pairs and entropies move by different amounts", moved("split", amount="pairs"),
         known("pairs against entropies"), "A.1 canonical"),
        ("16", "a split has three cases (nothing is shared)", FIRST_CASE,
         known("a split where nothing is shared"), "G.2 literal"),
        ("16", "a split has three cases (one cell is shared)", FIRST_CASE,
         known("a split with one shared cell"), "G.2 literal"),
        ("17", "a divisor is positive on the right",
         put(moves, "is_divisor", lambda facts, left, _: facts.more_than_zero(left)),
         known("a divisor that is 0 on the right"), "G.2 canonical"),
        ("18", "the matrix is the same on both sides", after(falls._Fallen, "change", without_outside),
         known("the matrix stays"), "B.1 canonical"),
        ("19", "Σ best(t) or Σ size·best(t) alone (sign)", put(falls, "_best_term", any_best),
         known("best less a size"), "H.1 literal"),
        ("19", "Σ best(t) or Σ size·best(t) alone (strangers)", put(falls, "_best_term", any_best),
         known("two bests"), "H.1 literal"),
        ("20", "a sum is 0 or more only if its terms are (fall)", put(moves, "non_negative_quotient", always(True)),
         known("a negative sum"), "B.1 canonical"),
        ("20", "a sum is 0 or more only if its terms are (rise)", put(moves, "non_negative_quotient", always(True)),
         known("a negative factor"), "A.1 canonical"),
        ("T1", "rows may overlap where biclusters do not",
         put(typings, "kind_for", lambda _, situation: situation.kind),
         known("rows overlap where biclusters do not"), "S.1 literal"),
        ("T3", "the matrix is looked for at any depth", put(normal_form.Normal, "uses", always(False)),
         known("the matrix two levels down"), "B.2 canonical"),
        ("T5", "a share is less than 1 for strangers too",
         put(shares, "less_than_one", lambda t, larger: Facts(R, meeting_sizes(**{larger: 1})).more_than_zero(1 - t)),
         known("a stranger is as good as the class itself"), "A.5 literal"),
        ("T10", "a matching splits over copies if it vanishes with n", put(typings, "vanishes", always(True)),
         known("a matching across copies"), "B.4 overlapping"),
    )
]  # fmt: skip


@cache
def instances_of(cell: str) -> Instances:
    """The instances that a run takes."""
    condition, reading = cell.split()
    return instances(
        metaeval.conditions()[condition].readings[reading], pack_of(condition), proof.LEAST_INSTANCES, seed=0
    )


def noticed(equation: Equation, cell: str) -> str:
    """What notices a false proof, if it is one to the rules as they are now."""
    if not is_proved(equation, cell):
        return "the rules"
    condition, reading = cell.split()
    derivation = derive(equation, metaeval.conditions()[condition].readings[reading].situation)
    try:
        run_obligations(equation, derivation, instances_of(cell), least=0)
    except BrokenRule:
        return "instances"
    return "false proofs"


@pytest.mark.parametrize("one", WRONG, ids=str)
def test_a_rule_that_is_made_wrong_is_noticed(monkeypatch: pytest.MonkeyPatch, one: Wrong):
    equation = one.make()
    assert noticed(equation, one.cell) == "the rules"
    one.broken(monkeypatch)
    assert noticed(equation, one.cell) == one.noticed


@pytest.mark.parametrize("condition", ["A.1", "A.2", "A.3", "A.4", "A.5", "B.1", "B.5", "G.1", "H.1", "H.2"])
def test_what_a_proof_says_of_a_reading_is_so_on_its_smallest_cases(condition: str):
    """The situation of a reading describes what its premise admits: which defects there are, and what moves how."""
    run = 0
    for name, reading in metaeval.conditions()[condition].readings.items():
        proved = [one.equation for one in metaeval.measures().values() if one.equation and reading.lies_in(one.domain)]
        chosen = [one for one in proved if is_proved(one, f"{condition} {name}")][:: int(4 / SHARE)]
        cases = Instances(islice(cases_of(condition, name), int(2_000 * SHARE)))
        run += sum(run_obligations(one, derive(one, reading.situation), cases, least=1) for one in chosen)
    assert run >= 100


def test_every_corrected_side_condition_is_taken_back():
    assert {one.number for one in WRONG} >= {str(k) for k in range(1, 21)}
