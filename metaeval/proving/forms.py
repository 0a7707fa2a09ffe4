"""The local form of a measure: what it is on disjoint biclusterings, as sums and totals."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from metaeval.catalogue.measure import Measure
from metaeval.catalogue.source_files import source_files
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.overlay import overlay
from metaeval.proof import Form, Sum
from metaeval.proving.interpreter import Interpreter
from metaeval.proving.refusal import Refused
from metaeval.proving.symbols import Number
from metaeval.proving.worlds import FORM_RING, MEETING, SUMS, TOTALS, Sums, Sym, World

#: How many pairs of biclusterings a form is held against.
_SAMPLES = 40


@dataclass(frozen=True)
class LocalForm:
    """The sums, and the score in each world, as a similarity."""

    sums: tuple[tuple[str, Number], ...]
    #: The sums that are more than 0 where they have a term.
    positive: frozenset[str]
    scores: dict[str, Number]

    @property
    def score(self) -> Number:
        """The score where some pair meets."""
        return self.scores[MEETING]

    def data(self) -> Form:
        """As data, for a proof."""
        worlds = [(world, score.quotient()) for world, score in self.scores.items() if world != MEETING]
        return Form(tuple(Sum(over, term.quotient()) for over, term in self.sums), self.score.quotient(), tuple(worlds))


def local_form(measure: Measure, worlds: tuple[str, ...], least: int, lifted: bool) -> LocalForm:
    """The form of a measure where some pair meets, and in further worlds.

    ``least`` is the number of cells that both sides surely share where some pair meets. ``lifted`` where all biclusters
    have the same columns.
    """
    files = frozenset(source_files(measure))
    if not files:
        raise Refused("Its source is in no file, so that a proof could not say what it is about.")
    sums = Sums()
    scores = {}
    for world in (MEETING, *worlds):
        found = {
            _score(measure, World(world, sums, least, one_feature), files)
            for one_feature in ((True, False) if lifted else (None,))
        }
        if len(found) > 1:
            raise Refused("It is another measure on one feature than on several.")
        scores[world] = found.pop()
    form = LocalForm(tuple(sums.terms), frozenset(sums.positive), scores)
    _hold_against(form, measure, lifted)
    return form


def _score(measure: Measure, world: World, files: frozenset[Path]) -> Number:
    value = Interpreter(world, files).run(measure.function)
    if isinstance(value, bool) or not isinstance(value, (Sym, int, Fraction)):
        raise Refused(f"It returns a value of type {type(value).__name__}; whole numbers and Fractions are exact.")
    number = value.number if isinstance(value, Sym) else FORM_RING.constant(value)
    if number.names - {*SUMS, *TOTALS}:
        raise Refused("The sizes of single entries get into the score outside a sum.")
    return -number if measure.smaller_is_better else number


# --- held against the measure itself -------------------------------------------------------------------


def _hold_against(form: LocalForm, measure: Measure, lifted: bool) -> None:
    """Refuse where the form and the measure differ on some pair: then something was not understood."""
    for candidate, gold in samples(lifted):
        found = value(form, candidate, gold)
        if found is None:
            continue
        pair = f"{candidate!r} against {gold!r}"
        try:
            score = measure.exact(candidate, gold)
        except Exception as error:
            raise Refused(f"It has no exact score for {pair}: {error}.") from None
        if found != score:
            raise Refused(f"Its code was not understood: for {pair} it gives {score}, not {found}.")


def world_of(candidate: Biclustering, gold: Biclustering) -> str:
    """Which world two disjoint biclusterings are of."""
    return _world(candidate, gold, meets=bool(pairs_of(candidate, gold)))


def _world(candidate: Biclustering, gold: Biclustering, meets: bool) -> str:
    if not candidate or not gold:
        return "empty" if not candidate and not gold else "no gold" if candidate else "no candidate"
    return MEETING if meets else "apart"


def pairs_of(candidate: Biclustering, gold: Biclustering) -> list[tuple[int, int, int]]:
    """(n, g, c) of each pair that meets, without the kernel."""
    return [
        (len(rows & others) * len(cols & columns), len(rows) * len(cols), len(others) * len(columns))
        for rows, cols in candidate
        for others, columns in gold
        if rows & others and cols & columns
    ]


def value(form: LocalForm, candidate: Biclustering, gold: Biclustering) -> Fraction | None:
    """What the form says of two disjoint biclusterings; None of another world, or where they have too few cells."""
    pairs = pairs_of(candidate, gold)
    score = form.scores.get(_world(candidate, gold, meets=bool(pairs)))
    if score is None:
        return None
    sizes = [[len(rows) * len(cols) for rows, cols in side] for side in (candidate, gold)]
    shape = [max(candidate.shape[axis], gold.shape[axis]) for axis in (0, 1)]
    entries: dict[str, list[dict[str, Fraction]]] = {
        "pairs": [{"n": Fraction(n), "g": Fraction(g), "c": Fraction(c)} for n, g, c in pairs],
        "clusters": [{"g": Fraction(g)} for g in sizes[0]],
        "classes": [{"c": Fraction(c)} for c in sizes[1]],
    }
    values = {
        "candidate": Fraction(sum(sizes[0])),
        "gold": Fraction(sum(sizes[1])),
        "shared": Fraction(sum(n for n, _, _ in pairs)),
        "matrix": Fraction(shape[0] * shape[1]),
    }
    if "matching" in score.names:
        values["matching"] = Fraction(overlay(candidate, gold).matching)
    for name, (over, term) in zip(SUMS, form.sums, strict=False):
        values[name] = sum((term.at(entry) for entry in entries[over]), Fraction(0))
    try:
        return score.at(values)
    except ZeroDivisionError:
        return None


@cache
def samples(lifted: bool) -> tuple[tuple[Biclustering, Biclustering], ...]:
    """Pairs of disjoint biclusterings, always the same: small and large ones, and those where little meets."""
    return tuple(_samples(lifted))


def _samples(lifted: bool) -> Iterator[tuple[Biclustering, Biclustering]]:
    draw = random.Random(1)
    empty = Biclustering((), shape=(3, 2))
    for number in range(_SAMPLES):
        most = (3, 8, 30, 2_000)[number % 4]
        features = draw.randint(1, 4)
        gold, candidate = (_drawn(draw, most, features, lifted) for _ in range(2))
        yield candidate, gold
    for side in (gold, candidate):
        yield side, empty
        yield empty, side
        yield side, side
    yield empty, empty
    yield Biclustering.lifted([{0, 1}], shape=(5, 1)), Biclustering.lifted([{2, 3, 4}], shape=(5, 1))


def _drawn(draw: random.Random, most: int, features: int, lifted: bool) -> Biclustering:
    """Runs of objects, each in one of a few clusters or in none; not lifted, each cluster has its own features."""
    members: dict[int, set[int]] = {}
    start = 0
    for _ in range(draw.randint(1, 8)):
        stop = start + draw.randint(1, most)
        label = draw.randint(0, 4)
        if label:
            members.setdefault(label, set()).update(range(start, stop))
        start = stop
    every = range(features)
    columns = (every if lifted else draw.sample(every, draw.randint(1, features)) for _ in members)
    family = [(frozenset(rows), frozenset(cols)) for rows, cols in zip(members.values(), columns, strict=True)]
    return Biclustering.trusted(family, (8 * most, features))
