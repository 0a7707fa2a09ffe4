"""An answer in words: a chain of cases that a person can follow, or how far everything goes together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metaeval.cases import Side
from metaeval.condition import find_condition
from metaeval.consistency.answers import Answer, CircleLink
from metaeval.consistency.scope import Listed
from metaeval.evidence.text_layout import wrapped
from metaeval.evidence.wording import indices, plural
from metaeval.model import Biclustering

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_INDENT = "  "


def told(answer: Answer, width: int = 80) -> str:
    """The answer in words."""
    lines = _circle_lines(answer, answer.circle, width) if answer.circle else _order_lines(answer, width)
    return "\n".join([*lines, "", *_listed_lines(answer, width)])


def headline(answer: Answer) -> str:
    """The answer in a sentence."""
    if answer.minimal is None:
        return f"Consistent up to {plural(answer.objects, 'object')}: {_places(answer, answer.conditions)}."
    those = _places(answer, answer.minimal)
    together = " together" if len(answer.minimal) > 1 else ""
    return f"Impossible: no measure that is blind to names satisfies {those}{together}."


def _places(answer: Answer, conditions: Sequence[str]) -> str:
    """Conditions with their readings; the reading once where all share it."""
    readings = {answer.readings[id] for id in conditions}
    if len(readings) == 1:
        return f"{_listed(conditions)} ({readings.pop()})"
    return _listed([f"{id} {answer.readings[id]}" for id in conditions])


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


# --- circles


def _circle_lines(answer: Answer, circle: Sequence[CircleLink], width: int) -> Iterator[str]:
    yield from wrapped(headline(answer), width)
    yield ""
    names = _names(circle)
    for number, (link, name) in enumerate(zip(circle, names, strict=True), start=1):
        upper = names[number % len(names)]
        yield from wrapped(f"{number}. {link_words(link, name, upper)}", width)
        yield from _end_lines(link, name, upper, width)
    yield ""
    yield from wrapped(f"So {_chain(circle, names)}: the same score on both ends, which cannot be.", width)


def _names(circle: Sequence[CircleLink]) -> list[str]:
    """A name for what stands at the lower end of each link: s₁, s₂ … or the optimum."""
    names: list[str] = []
    for link in circle:
        number = str(1 + sum(name != "the optimum" for name in names)).translate(_SUBSCRIPTS)
        names.append("the optimum" if link.lower is None else f"s{number}")
    return names


def link_words(link: CircleLink, lower: str, upper: str) -> str:
    """What a link says, in a sentence."""
    condition = find_condition(link.condition)
    return f"{condition.id} {condition.name}, {link.reading}: {lower} {_sign(link)} {upper}"


def _sign(link: CircleLink) -> str:
    if link.arrow.strict:
        return "<"
    return "=" if _is_equality(link) else "≤"


def _is_equality(link: CircleLink) -> bool:
    """Whether the condition demands the arrow the other way too."""
    from metaeval.consistency.demands import Arrow, arrows

    turned = Arrow(link.arrow.upper, link.arrow.lower, strict=False)
    return turned in arrows(find_condition(link.condition).relation)


def _end_lines(link: CircleLink, lower: str, upper: str, width: int) -> Iterator[str]:
    """What the names of the scores stand for, in this link's names, and what the next one calls its objects."""
    for side, name in ((link.lower, lower), (link.upper, upper)):
        if side is not None:
            yield from _indented(f"{name}: {side_words(side)}", width)
    names = link.renaming
    renamed = [] if names is None else [f"{at} → {to}" for at, to in enumerate(names.objects) if at != to]
    if renamed:
        yield from _indented(f"the next line renames objects: {', '.join(renamed)}", width)


def _indented(text: str, width: int) -> list[str]:
    return [f"   {line}" for line in wrapped(text, width - 3)]


def _chain(circle: Sequence[CircleLink], names: Sequence[str]) -> str:
    signs = "".join(f" {_sign(link)} {name}" for link, name in zip(circle, [*names[1:], names[0]], strict=True))
    return names[0] + signs


def side_words(side: Side) -> str:
    """A candidate against its gold standard, written out.

    >>> side_words(Side(Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 0, 0])))
    '{0, 1} {2} against {0, 1, 2}'
    """
    lifted = len({cols for family in side for _, cols in family}) <= 1
    candidate, gold = (_family_words(family, lifted) for family in side)
    objects, features = side.gold.shape
    used = {row for family in side for rows, _ in family for row in rows}
    idle = f", of {plural(objects, 'object')}" if len(used) < objects else ""
    if lifted and features > 1:
        idle += f", on {plural(features, 'feature')}"
    return f"{candidate} against {gold}{idle}"


def _family_words(family: Biclustering, lifted: bool) -> str:
    members = (indices(rows) if lifted else f"{indices(rows)}×{indices(cols)}" for rows, cols in family)
    return " ".join(members) or "nothing"


# --- orders


def _order_lines(answer: Answer, width: int) -> Iterator[str]:
    yield from wrapped(headline(answer), width)
    assert answer.order is not None
    ranks = len(set(answer.order.ranks))
    yield from wrapped(
        f"{plural(answer.sides, 'side')} that differ by more than names can be put in {plural(ranks, 'rank')} so that "
        "every case is kept. The order is a measure, on these sides: `--out` saves it.",
        width,
    )


def _listed_lines(answer: Answer, width: int) -> Iterator[str]:
    yield "Looked at:"
    for one in answer.listed:
        yield from (_INDENT + line for line in wrapped(_extent(one), width - len(_INDENT)))


def _extent(one: Listed) -> str:
    cases = f"{'all ' * (one.whole and one.cases > 1)}{plural(one.cases, 'case')}" if one.cases else "no case"
    return f"{one.condition} {one.reading}: {cases} up to {plural(one.objects, 'object')} ({one.words})"
