"""Large cases are drawn by kinds of objects and parts that repeat, and a reader can rebuild them from that."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain

import pytest
from brute_force import copied, scaled
from hypothesis import given
from hypothesis import strategies as st
from strategies import families as families_on
from strategies import thorough

import metaeval
from metaeval import Biclustering, Case, Side
from metaeval.display.condense import MOST_OBJECTS, Condensed, LikeGroup, condensed, grounds, is_large
from metaeval.display.picture import draw_case
from metaeval.reports.page_pictures import pictures

CAPTIONS = {title: title for title in ("gold", "left", "right", "left gold", "right gold")}


def labelled(gold: Iterable[object], left: Iterable[object], right: Iterable[object], features: int = 1) -> Case:
    """Clusterings given by a label an object."""
    families = [Biclustering.from_labels(list(map(str, labels)), features) for labels in (left, gold, right, gold)]
    return Case(Side(*families[:2]), Side(*families[2:]))


def split(features: int = 1) -> Case:
    """One object of B leaves the cluster of A, beside 37 clusters of one object in C."""
    alone = [f"alone {number}" for number in range(37)]
    return labelled(
        ["A"] * 40 + ["B"] * 60 + ["C"] * 37,
        ["a"] * 41 + ["b"] * 59 + alone,
        ["a"] * 40 + ["d"] + ["b"] * 59 + alone,
        features,
    )


def pairs(count: int, features: int = 1) -> Case:
    """Size versus quantity: so many pairs, and a large class of one object more."""
    ones = [f"one {number}" for number in range(2 * count)]
    twos = [f"two {number // 2}" for number in range(2 * count)]
    large = ["large"] * count
    return labelled(
        [*large, "large", *twos], [*large, "large", *ones], [*large, "single", *twos], features
    )  # fmt: skip


def alike() -> Case:
    """Every candidate of one object, in two classes, and on the right in pairs."""
    return labelled([n // 200 for n in range(400)], range(400), [n // 2 for n in range(400)])


def swapped() -> Case:
    """Fourteen pairs are broken on the left, and six on the right."""
    pairs, ones = [n // 2 for n in range(40)], [100 + n for n in range(40)]
    return labelled(pairs, ones[:28] + pairs[28:], pairs[:28] + ones[28:])


_GOLD = Biclustering([({0, 1}, {0, 1}), ({2, 3}, {2})], shape=(5, 4))
_FOUND = Biclustering([({0, 1, 2}, {0, 1}), ({3}, {2, 3})], shape=(5, 4))


def grown() -> Case:
    """The same on a larger matrix."""
    return Case(Side(_FOUND, _GOLD), Side(_FOUND.on((300, 40)), _GOLD.on((300, 40))))


def larger(change: Callable[[Biclustering, int], Biclustering]) -> Case:
    """Every object and every feature thirty times, or so many copies on fresh ones."""
    return Case(Side(_FOUND, _GOLD), Side(change(_FOUND, 30), change(_GOLD, 30)))


def repeated() -> Case:
    """Every bicluster twenty times on the same cells."""
    found, gold = (Biclustering(list(family) * 20, family.shape) for family in (_FOUND, _GOLD))
    return Case(Side(_FOUND, _GOLD), Side(found, gold))


def several_features() -> Case:
    """Classes on features of their own, and 25 of one object each on the first and the last."""
    single = [({80 + number}, {0, 3}) for number in range(25)]
    gold = [(range(40), range(3)), (range(40, 80), {2, 3}), *single]
    left = [(range(41), range(3)), (range(41, 80), {2, 3}), *single]
    right = [(range(40), range(3)), ({40}, range(3)), (range(41, 80), {2, 3}), *single]
    families = [Biclustering(family, (120, 4)) for family in (left, gold, right, gold)]
    return Case(Side(*families[:2]), Side(*families[2:]))


IN_LINES = {
    "split": split(), "split on three features": split(3), "pairs": pairs(100), "pairs on two features": pairs(20, 2),
    "alike": alike(), "swapped": swapped(),
}  # fmt: skip
CASES = {
    **IN_LINES, "grown": grown(), "scaled": larger(scaled), "copied": larger(copied), "repeated": repeated(),
    "several features": several_features(),
}  # fmt: skip


# --- the same up to names
def fingerprint(families: Sequence[Biclustering]) -> Counter[int]:
    """What families look like whatever objects and features are called: colours, refined by their neighbours."""
    members = [(at, rows, cols) for at, family in enumerate(families) for rows, cols in family]
    shape = families[0].shape
    colours: list[dict[int, int]] = [dict.fromkeys(range(size), 0) for size in shape]
    own: list[int] = []
    for _ in range(4):
        own = [
            hash((at, *(tuple(sorted(map(colours[axis].__getitem__, held))) for axis, held in enumerate(sets))))
            for at, *sets in members
        ]
        for axis, colour in enumerate(colours):
            seen: dict[int, list[int]] = {index: [] for index in colour}
            for one, (_, *sets) in zip(own, members, strict=True):
                for index in sets[axis]:
                    seen[index].append(one)
            colours[axis] = {index: hash((colour[index], tuple(sorted(some)))) for index, some in seen.items()}
    return Counter(chain(own, *(colour.values() for colour in colours)))


def written_out(matrix: Condensed) -> tuple[Biclustering, ...]:
    """The families of a condensed matrix, with names of their own for objects and features."""

    def indices(kinds: Sequence[LikeGroup], at: Iterable[int], part: int, turn: int) -> set[int]:
        """Those of some kinds; of the part itself, those of this turn."""
        first = list(accumulate(map(matrix.amount, kinds), initial=0))
        found: set[int] = set()
        for place in at:
            own = part and kinds[place].part == part
            start = first[place] + (turn * kinds[place].number if own else 0)
            found.update(range(start, start + (kinds[place].number if own else matrix.amount(kinds[place]))))
        return found

    families = (
        [
            (indices(matrix.rows, one.rows, one.part, turn), indices(matrix.cols, one.cols, one.part, turn))
            for one in family
            for turn in range(matrix.times[one.part])
            for _ in range(one.equal)
        ]
        for family in matrix.families
    )
    return tuple(Biclustering(members, matrix.shape) for members in families)


def restored(case: Case) -> Case:
    """The case as its condensed form tells it."""
    drawn = grounds(case)
    families = list(chain.from_iterable(written_out(ground.matrix) for ground in drawn))
    return Case(Side(*families[:2]), Side(*families[2:]))


def assert_same(one: Case, other: Case) -> None:
    """The same shapes, the same look, and the same exact scores by measures that look in different ways."""
    assert [family.shape for side in one for family in side] == [f.shape for side in other for f in side]
    together = one.left.gold.shape == one.right.gold.shape
    for a, b in [(sum(one, ()), sum(other, ()))] if together else zip(one, other, strict=True):
        assert fingerprint(a) == fingerprint(b)
    for a, b in zip(one, other, strict=True):
        for measure in ("mocice", "ce-multiset", "rand-background"):
            assert metaeval.score(measure, *a, exact=True) == metaeval.score(measure, *b, exact=True)


@pytest.mark.parametrize("name", CASES)
def test_the_condensed_form_is_the_case_up_to_names(name: str) -> None:
    assert_same(restored(CASES[name]), CASES[name])


def test_the_comparison_can_fail() -> None:
    """One object fewer in a pair, and one more elsewhere: the sizes of families and matrices stay."""
    other = labelled("A" * 30 + "B" * 30, "a" * 31 + "b" * 29, "a" * 30 + "c" + "b" * 29)
    almost = labelled("A" * 30 + "B" * 30, "a" * 31 + "b" * 29, "a" * 29 + "c" + "a" + "b" * 29)
    with pytest.raises(AssertionError):
        assert_same(other, almost)


@st.composite
def large_cases(draw: st.DrawFn) -> Case:
    """Small families that stand several times; the copies differ in how often objects and biclusters count, or not."""
    shape = draw(st.tuples(st.integers(1, 4), st.integers(1, 3)))
    families = [draw(families_on(shape, overlapping=True)) for _ in range(3)]
    weighted = st.tuples(*[st.integers(1, 3)] * shape[0])
    numbers = st.sampled_from(draw(st.lists(weighted, min_size=1, max_size=2)))
    copies = draw(st.lists(st.tuples(numbers, st.sampled_from([1, 1, 2])), min_size=1, max_size=4))
    fresh = draw(st.booleans())
    starts = list(accumulate((number for weights, _ in copies for number in weights), initial=0))

    def written(family: list[tuple[frozenset[int], frozenset[int]]]) -> Biclustering:
        members = []
        for at, (_, equal) in enumerate(copies):
            for rows, cols in family:
                places = (at * shape[0] + row for row in rows)
                objects = [index for place in places for index in range(starts[place], starts[place + 1])]
                members += [(objects, [at * shape[1] * fresh + col for col in cols])] * equal
        return Biclustering(members, (starts[-1], shape[1] * (len(copies) if fresh else 1)))

    left, gold, right = map(written, families)
    return Case(Side(left, gold), Side(right, gold))


@thorough
@given(large_cases())
def test_every_case_is_restored(case: Case) -> None:
    matrix = condensed([family for side in case for family in side])
    families = written_out(matrix)
    assert_same(Case(Side(*families[:2]), Side(*families[2:])), case)
    assert len(matrix.rows) <= case.objects


@thorough
@given(large_cases(), st.integers(50, 100))
def test_large_drawings_keep_the_width_and_cut_nothing(case: Case, width: int) -> None:
    wide = Case(*(Side(*(family.on((500, family.shape[1])) for family in side)) for side in case))
    lines = draw_case(wide, width).splitlines()
    assert max(map(len, lines)) <= width
    assert not any(line.startswith("drawn:") for line in lines)


# --- read back from the text
def read_back(text: str) -> dict[str, Biclustering]:
    """The families that a drawing in lines tells, as its reader would rebuild them."""
    heads, cells = _columns(text)
    parts = _parts(heads, cells)
    features = int(match[1]) if (match := re.search(r"all (\d+) features", text)) else 1
    starts, total = [], 0
    for times, number in heads:
        starts.append(total)
        total += times * number
    equal = {(title, letter): int(times) for title, letter, times in re.findall(r"(\w+) (\S+): (\d+) equal", text)}

    def indices(columns: Sequence[int], turn: int | None) -> list[int]:
        found: list[int] = []
        for column in columns:
            times, number = heads[column]
            turns = range(times) if turn is None else [turn]
            found += (starts[column] + one * number + index for one in turns for index in range(number))
        return found

    families = {}
    for title, held in cells.items():
        letters = sorted({letter for cell in held for letter in cell})
        members = []
        for letter in letters:
            columns = [at for at, cell in enumerate(held) if letter in cell]
            turns = range(heads[columns[0]][0]) if letter.endswith("*") else [None]
            assert len({parts[column] for column in columns}) == 1 or not letter.endswith("*")
            for turn in turns:
                members += [(indices(columns, turn), range(features))] * equal.get((title, letter), 1)
        families[title] = Biclustering(members, (total, features))
    return families


def _columns(text: str) -> tuple[list[tuple[int, int]], dict[str, list[list[str]]]]:
    heads: list[tuple[int, int]] = []
    cells: dict[str, list[list[str]]] = {"gold": [], "left": [], "right": []}
    for line in text.splitlines():
        title, *words = line.split()
        if title == "objects":
            heads += [(int(times or 1), int(number)) for times, number in re.findall(r"(?:(\d+)×)?(\d+)", line)]
        elif title in cells:
            cells[title] += [re.findall(r"[^\W\d]\d*\*?", word) for word in words]
    assert all(len(held) == len(heads) for held in cells.values())
    return heads, cells


def _parts(heads: Sequence[tuple[int, int]], cells: dict[str, list[list[str]]]) -> list[int]:
    """Columns that share a starred letter belong together."""
    part = list(range(len(heads)))
    for held in cells.values():
        for letter in {letter for cell in held for letter in cell if letter.endswith("*")}:
            joined = {part[at] for at, cell in enumerate(held) if letter in cell}
            part = [min(joined) if one in joined else one for one in part]
    return part


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("name", IN_LINES)
def test_a_reader_rebuilds_the_case_from_the_drawing(name: str, width: int) -> None:
    case = IN_LINES[name]
    text = draw_case(case, width)
    families = read_back("\n".join(filter(None, text.splitlines())))
    assert max(map(len, text.splitlines())) <= width
    left, gold, right = (families[title] for title in ("left", "gold", "right"))
    assert_same(Case(Side(left, gold), Side(right, gold)), case)


# --- how it looks
def test_a_large_case_in_lines() -> None:
    assert draw_case(split(3)).splitlines() == [
        "objects  40 1 59 37×1",
        "gold     A  B B  C",
        "left     a  a b  c*",
        "right    a  d b  c*",
        "            !",
        "40: number of like objects; 37×1: 37 times 1; c*: one each time",
        "every bicluster has all 3 features",
        "changed: 1 of 137 objects",
    ]
    lines = ["objects    40 1 59 37×1", "gold       A  B B  C", "candidate  a  a b  c*"]
    assert draw_case(Case(split().left)).splitlines()[:3] == lines
    assert "right a: 20 equal biclusters" in draw_case(repeated())


def test_a_large_case_in_matrices_has_a_ground_for_each_shape() -> None:
    assert draw_case(larger(copied), 80).splitlines() == [
        "left gold   left",
        "   2 1 1       2 1 1",
        "2  A · ·    2  a · ·",
        "1  · B ·    1  a · ·",
        "1  · B ·    1  · b b",
        "1  · · ·    1  · · ·",
        "",
        "right gold             right",
        "      30×2 30×1 30×1         30×2 30×1 30×1",
        "30×2  A*   ·    ·      30×2  a*   ·    ·",
        "30×1  ·    B*   ·      30×1  a*   ·    ·",
        "30×1  ·    B*   ·      30×1  ·    b*   b*",
        "30    ·    ·    ·      30    ·    ·    ·",
        "2: number of like objects (rows) or features (columns); 30×2: 30 times 2; A*:",
        "  one each time; groups that share a starred letter are together each time",
        "changed: the matrix, left 5 × 4, right 150 × 120",
    ]


def test_a_case_is_large_from_a_stated_size_on() -> None:
    most, more = (labelled("A" * n, "a" * n, "b" * n) for n in (MOST_OBJECTS, MOST_OBJECTS + 1))
    assert not is_large(most)
    assert is_large(more)
    assert draw_case(most).startswith("object ")
    assert draw_case(more).startswith("objects ")
    # A side on two matrices is drawn as it is.
    small, large = Biclustering([({0}, {0})], (2, 1)), Biclustering([({0}, {0})], (90, 1))
    case = Case(Side(small, large), Side(small, large))
    assert not is_large(case)
    assert draw_case(case)


@pytest.mark.parametrize("name", CASES)
def test_the_page_draws_few_columns_and_names_each_by_its_number(name: str) -> None:
    case = CASES[name]
    drawn = pictures(case, CAPTIONS)
    assert drawn["condensed"] == is_large(case)
    shapes = {side.gold.shape[:1] if drawn["strip"] else side.gold.shape for side in case}
    found = set()
    for picture in drawn["pictures"]:
        down = [label for kind, *_, label in picture["axis"] if drawn["strip"] or "end" in kind]
        across = [label for kind, *_, label in picture["axis"] if not drawn["strip"] and "end" not in kind]
        assert max(len(down), len(across)) <= 12
        found.add(tuple(sum(map(_amount, labels)) for labels in (down, across) if labels))
    assert found == shapes


def _amount(label: str) -> int:
    times, _, number = label.rpartition("×")
    return int(times or 1) * int(number)
