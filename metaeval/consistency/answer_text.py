"""Answers and surveys as text, for terminal and reports."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count

from metaeval.catalogue.condition import find_condition
from metaeval.consistency.answer import Answer, CircleLink
from metaeval.consistency.graph import Arrow, Listed, arrows
from metaeval.consistency.survey import Problem, Surveyed
from metaeval.core.relation import MEAN_EQUAL
from metaeval.core.renaming import SideForm, form
from metaeval.display.labels import side_words
from metaeval.display.layout import by_reading, listed, plural, table, wrapped

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
#: The number of shares shown per open problem, and of measures shown per share.
_SHARES, _NAMED = 3, 3
#: The note below a table of cases.
_SCOPE = "`metaeval explain` says which cases of a condition are listed, up to names; so does --json."


def told(answer: Answer, width: int = 80) -> str:
    first = contradiction_told(answer, width) if answer.impossible else _evidence_told(answer, width)
    rows = [
        (one.condition, one.reading, f"{one.cases:,}", f"up to {one.objects}" + ("" if one.whole else ", not all"))
        for one in answer.listed
    ]
    cases = table(("condition", "reading", "cases", "objects"), rows, right=["cases"])
    return "\n\n".join([first, cases, "\n".join(wrapped(_SCOPE, width))])


def headline(answer: Answer) -> str:
    """The answer in one sentence."""
    if answer.witness is not None:
        return f"Possible: {answer.witness} is proved to satisfy {places(answer.readings)}."
    if answer.minimal is None:
        least, most = reach(answer)
        more = f", and up to {most} where more is listed" if most > least else ""
        return f"Open up to {plural(least, 'object')}{more}: {places(answer.readings)}."
    those = places(answer.readings, answer.minimal)
    together = " together" if len(answer.minimal) > 1 else ""
    return f"Impossible: no measure that is blind to names satisfies {those}{together}."


def places(readings: Mapping[str, str], conditions: Sequence[str] | None = None) -> str:
    """Conditions with their readings, grouped by reading."""
    return by_reading(f"{id}/{readings[id]}" for id in (readings if conditions is None else conditions))


def reach(answer: Answer) -> tuple[int, int]:
    """The largest number of objects up to which every condition was listed, and that up to which any was."""
    reached = [one.objects for one in answer.listed] or [answer.objects]
    return min(reached), max(reached)


# --- contradictions


def contradiction_told(answer: Answer, width: int = 80) -> str:
    """The certificate of an impossible answer, to be followed by hand."""
    return circle_told(answer, width) if answer.circle else _multiples_told(answer, width)


def _multiples_told(answer: Answer, width: int) -> str:
    """Multiples of demands that add up to 0 > 0."""
    lines = [*wrapped(headline(answer), width), ""]
    names: dict[SideForm | None, str] = {None: "the optimum"}
    for one in answer.farkas or ():
        condition = find_condition(one.condition)
        terms: dict[str, Fraction] = {}
        new: list[str] = []
        for side, part in one.terms(condition.relation).items():
            key = None if side is None else form(side)
            if side is not None and key not in names:
                names[key] = f"s{len(names)}".translate(_SUBSCRIPTS)
                new.append(f"{names[key]}: {side_words(side)}")
            terms[names[key]] = terms.get(names[key], Fraction(0)) + part
        sign = ">" if one.arrow and one.arrow.strict else "=" if condition.relation is MEAN_EQUAL else "≥"
        times = f"{'−' * (one.times < 0)}{abs(one.times)}"
        said = f"{times} × ({_sum_words(terms)} {sign} 0): {condition.id} {condition.name}, {one.reading}"
        for start, text in (("", said), *(("   ", side) for side in new)):
            lines += [f"{start}{line}" for line in wrapped(text, width - len(start))]
    lines += ["", *wrapped("Added up, all scores cancel out, and 0 > 0 remains: a contradiction.", width)]
    return "\n".join(lines)


def _sum_words(terms: Mapping[str, Fraction]) -> str:
    """A sum of multiples of scores.

    >>> _sum_words({"s₁": Fraction(2, 3), "s₂": Fraction(-1)})
    '2/3 s₁ − s₂'
    """
    words = ""
    for name, times in terms.items():
        if times:
            size = "" if abs(times) == 1 else f"{abs(times)} "
            sign = "−" if times < 0 else "+"
            words += f" {sign} {size}{name}" if words else f"{'−' if times < 0 else ''}{size}{name}"
    return words


def circle_told(answer: Answer, width: int = 80) -> str:
    """The circle of an answer as a chain of cases."""
    circle = answer.circle or ()
    lines = [*wrapped(headline(answer), width), ""]
    numbers = (str(number).translate(_SUBSCRIPTS) for number in count(1))
    # A name for the lower end of each: s₁, s₂ … or the optimum.
    names = ["the optimum" if link.lower is None else f"s{next(numbers)}" for link in circle]
    chain = names[0]
    for place, (link, lower) in enumerate(zip(circle, names, strict=True), start=1):
        upper = names[place % len(names)]
        chain += f" {_sign(link)} {upper}"
        condition = find_condition(link.condition)
        said = f"{condition.id} {condition.name}, {link.reading}: {lower} {_sign(link)} {upper}"
        ends = [f"{name}: {side_words(side)}" for side, name in ((link.lower, lower), (link.upper, upper)) if side]
        lines += wrapped(f"{place}. {said}", width)
        for text in (*ends, *_renamed(link, place, len(circle))):
            lines += [f"   {line}" for line in wrapped(text, width - 3)]
    lines += ["", *wrapped(f"So {chain}: the same score on both ends, a contradiction.", width)]
    return "\n".join(lines)


def _sign(link: CircleLink) -> str:
    """How the scores at the two ends compare; equal if the condition demands the arrow the other way, too."""
    if link.arrow.strict:
        return "<"
    turned = Arrow(link.arrow.upper, link.arrow.lower, strict=False)
    return "=" if turned in arrows(find_condition(link.condition).relation) else "≤"


def _renamed(link: CircleLink, number: int, links: int) -> Iterator[str]:
    """What the next link calls the objects and features of this one's upper end."""
    moved = []
    for what, names in link.renaming._asdict().items() if link.renaming else ():
        moves = ", ".join(f"{at} → {to}" for at, to in enumerate(names) if at != to)
        moved += [f"{what} {moves}"] if moves else []
    if moved and links == 1:
        yield f"the same but for names: rename {' and '.join(moved)}"
    elif moved:
        yield f"{'the next line' if number < links else 'line 1'} renames {' and '.join(moved)}"


# --- measures and orders


def _evidence_told(answer: Answer, width: int) -> str:
    """What shows that an answer is possible, or what an open one rests on."""
    said = ["The proofs were derived and tested for this answer; `metaeval verify` does so again."]
    if answer.witness is None:
        said = ["No contradiction was found, and no registered measure is proved to satisfy all of these."]
        said += [f"Complete: {one}." for one in answer.complete]
    if answer.order is not None:
        ranks = plural(len(set(answer.order.ranks)), "rank")
        said.append(
            f"An order of all {plural(answer.sides, 'side')} that are listed, up to names and in {ranks}, keeps every "
            "listed case. The order is a measure on these sides; `--out` saves it."
        )
    return "\n".join(line for text in (headline(answer), *said) for line in wrapped(text, width))


# --- open problems


def closest(problem: Problem) -> str:
    """The measures that keep the largest shares of the demands of a problem, with the shares."""
    by_share: dict[str, list[str]] = {}
    for id, share in problem.closest:
        # Cut, not rounded: a share that is not whole must not look whole.
        by_share.setdefault(f"{int(share * 1000) / 10:.1f}%", []).append(id)
    said = [f"{shown} {listed(ids, _NAMED)}" for shown, ids in list(by_share.items())[:_SHARES]]
    if problem.without_cases:
        said.append(f"no case of {listed(problem.without_cases)} with at most this number of objects")
    return "; ".join(said)


#: The columns of :func:`answer_rows`.
ANSWERS = ("readings", "together", "objects", "cases", "sides")
#: The columns that hold numbers.
NUMBERS = ("cases", "sides")
#: Marks a number of cases that are not all.
_NOT_ALL = "*"


def answer_rows(found: Iterable[Surveyed]) -> list[tuple[str, ...]]:
    """Per table: the answer for all its conditions together, and the numbers of cases and of sides up to names."""
    rows: list[tuple[str, ...]] = []
    for name, answer in ((one.name, one.answer) for one in found):
        least, most = reach(answer)
        span = f"up to {least}" if least == most else f"up to {least}–{most}"
        cases = sum(each.cases for each in answer.listed)
        rows.append((name, answer.answer, span, f"{cases:,}", f"{answer.sides:,}"))
    return rows


def remarks(found: Iterable[Surveyed]) -> list[tuple[str, str]]:
    """Remarks on tables: the readings if there are several, small sets, and which of these contradict each other."""
    said = []
    for one in found:
        words = [places(one.answer.readings)] if len({*one.answer.readings.values()}) > 1 else []
        if one.answer.witness:
            words.append(f"Proved to satisfy all: {one.answer.witness}")
        words.append(
            f"Of the sets of up to {one.sets.most} conditions, {one.sets.possible:,} are possible, "
            f"{one.sets.impossible:,} impossible and {one.sets.open:,} open"
        )
        if one.contradictions:
            smallest = "; ".join(places(answer.readings, answer.minimal) for answer in one.contradictions)
            words.append(f"The smallest contradictory sets: {smallest}")
        said.append((one.name, ". ".join(words)))
    return said


def verdict(found: Sequence[Surveyed]) -> str:
    """The conclusion in one or two sentences."""
    if contradictions(found):
        return "There are contradictions, written out below: no measure satisfies these conditions together."
    known = [one.name for one in found if one.answer.witness]
    some = f" A measure is proved to satisfy all conditions together: {listed(known)}." if known else ""
    others = [one.name for one in found if not one.answer.witness]
    return f"No contradiction was found.{some}" + (f" Open: {listed(others)}." if others else "")


# --- cases


def case_table(found: Iterable[Surveyed]) -> list[tuple[str, ...]]:
    """Headers and rows: the number of cases per condition and reading, and up to how many objects."""
    listed: dict[tuple[str, str], Listed] = {}
    for one in (one for surveyed in found for one in surveyed.answer.listed):
        place = one.condition, one.reading
        # The listing of an impossible table stops at the contradiction.
        listed[place] = max(listed.get(place, one), one, key=lambda some: some.objects)
    readings = [*dict.fromkeys(reading for _, reading in listed)]
    conditions = dict.fromkeys(condition for condition, _ in listed)
    counts = {place: f"{one.cases:,}{'' if one.whole else _NOT_ALL} ({one.objects})" for place, one in listed.items()}
    rows = [(id, *(counts.get((id, reading), "–") for reading in readings)) for id in conditions]
    return [("condition", *readings), *rows]


def case_note(found: Iterable[Surveyed]) -> str:
    """The note on the table of cases."""
    some = any(not one.whole for surveyed in found for one in surveyed.answer.listed)
    note = "Cases looked at, of those that each reading lists, and in brackets up to how many objects"
    return f"{note}; {_NOT_ALL} not all cases with this number of objects." if some else f"{note}."


# --- columns that contradict each other


def contradictions(found: Iterable[Surveyed]) -> list[Answer]:
    """The impossible answers, one per set of conditions and readings."""
    answers = (answer for one in found for answer in (one.answer, *one.contradictions) if answer.impossible)
    by_places = {frozenset((id, answer.readings[id]) for id in answer.minimal or ()): answer for answer in answers}
    return [*by_places.values()]


def impossible_with(found: Iterable[Surveyed]) -> dict[tuple[str, str], list[dict[str, str]]]:
    """For each condition and reading that contradicts others: which ones; an empty set if it is impossible alone."""
    others: dict[tuple[str, str], list[dict[str, str]]] = {}
    for answer in contradictions(found):
        minimal = {id: answer.readings[id] for id in answer.minimal or ()}
        for id, reading in minimal.items():
            others.setdefault((id, reading), []).append({other: minimal[other] for other in minimal if other != id})
    return others
