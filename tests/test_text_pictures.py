"""Text pictures: what they show, that they fit, and that nothing breaks them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import biclusterings

import metaeval
from metaeval import Biclustering, Case, Side
from metaeval.display.labels import is_pair
from metaeval.display.picture import MOST, draw_case


def lifted(gold: str, left: str, right: str) -> Case:
    """Clusterings as words: a letter an object, a dot for none."""
    families = [
        Biclustering.from_labels([-1 if letter == "." else letter for letter in word])
        for word in (left, gold, right, gold)
    ]
    return Case(Side(*families[:2]), Side(*families[2:]))


def test_a_lifted_case_takes_a_line_a_clustering() -> None:
    assert draw_case(lifted("xxy.", "kkk.", "kkl.")).splitlines() == [
        "object  0 1 2 3",
        "gold    A A B ·",
        "left    a a a ·",
        "right   a a b ·",
        "            !",
        "changed: object 2",
    ]


def drawn(*families: Biclustering) -> str:
    """A case of left, gold and right, on one gold."""
    left, gold, right = families
    return draw_case(Case(Side(left, gold), Side(right, gold)))


def test_what_is_said_beside_a_drawing() -> None:
    # Only what moved is marked, also where a feature changes.
    assert draw_case(lifted("xxyzw", "kkkll", "kklll")).endswith("changed: object 2")
    gold, left = Biclustering([({0}, {0, 1})], shape=(2, 2)), Biclustering([({0}, {0})], shape=(2, 2))
    assert drawn(left, gold, gold).endswith("changed: object 0")
    apart, together = (Biclustering.from_labels(labels, n_features=3) for labels in ([0, 1], [0, 0]))
    assert "every bicluster has all 3 features" in drawn(together, apart, apart)
    # Overlaps and repeats have several letters, and of letters there is an end.
    family = Biclustering([({0}, {0})] * 2 + [({0, 1}, {0, 1})], shape=(2, 2))
    assert draw_case(Case(Side(family, family))).splitlines()[2:] == ["0  ABC C   0  abc c", "1  C   C   1  c   c"]
    small = Biclustering([], shape=(1, 1))
    many = Biclustering([({row}, {0}) for row in range(60)])
    assert "# stands for every further bicluster" in draw_case(Case(Side(many, small)))
    # An enormous matrix costs nothing, and neither does an empty one.
    vast = Biclustering([({0, 10**30}, {0, 10**30})], shape=(10**31, 10**31))
    assert str(10**30) in draw_case(Case(Side(vast, small)))
    assert str(10**31 - 2) in drawn(vast, vast, vast)
    for shape in ((0, 0), (0, 3), (3, 0), (1, 1)):
        empty = Biclustering([], shape=shape)
        assert draw_case(Case(Side(empty, empty)))
        assert drawn(empty, empty, empty)


def test_matrices_stand_side_by_side_and_below_each_other_where_it_is_narrow() -> None:
    gold = Biclustering([({0}, {0, 1}), ({1, 2}, {1})], shape=(3, 2))
    left = Biclustering([({0, 1}, {0, 1})], shape=(3, 2))
    right = Biclustering([({0}, {0, 1})], shape=(3, 2))
    case = Case(Side(left, gold), Side(right, gold))
    assert draw_case(case).splitlines() == [
        "gold     left       right",
        "   0 1        0 1        0 1",
        "0  A A     0  a a     0  a a",
        "1  · B   ! 1  a a   ! 1  · ·",
        "2  · B     2  · ·     2  · ·",
        "changed: object 1",
    ]
    stacked = draw_case(case, width=20).splitlines()
    assert [line for line in stacked if line in ("gold", "left", "right")] == ["gold", "left", "right"]


def test_a_larger_matrix_is_said_in_words() -> None:
    small, large = Biclustering([({0}, {0})], shape=(1, 1)), Biclustering([({0}, {0})], shape=(2, 1))
    assert draw_case(Case(Side(small, small), Side(large, large))).splitlines() == [
        "object      0 1",
        "left gold   A",
        "left        a",
        "right gold  A ·",
        "right       a ·",
        "changed: the matrix, left 1 × 1, right 2 × 1",
    ]


def test_a_large_matrix_is_cut_and_the_cut_is_told() -> None:
    wide = Biclustering([(range(0, 900, 3), range(500))], shape=(1000, 500))
    lines = draw_case(Case(Side(wide, Biclustering([], shape=(1, 1))))).splitlines()
    assert f"drawn: {MOST} of 1000 objects" in lines
    assert any(line.endswith("of 500 features") for line in lines)
    assert len(lines) < MOST + 10
    assert max(map(len, lines)) <= 80


@given(st.lists(biclusterings(), min_size=4, max_size=4), st.integers(50, 120))
def test_every_case_is_drawn_within_the_width(families: list[Biclustering], width: int) -> None:
    case = Case(Side(*families[:2]), Side(*families[2:]))
    assert max(map(len, draw_case(case, width).splitlines())) <= width


@pytest.mark.parametrize("id", metaeval.conditions())
def test_the_smallest_cases_of_every_condition_are_drawn(id: str) -> None:
    for reading in metaeval.conditions()[id].readings.values():
        smallest = next(case for objects in range(1, 10) for case in reading.enumerate_(objects))
        assert draw_case(smallest) == draw_case(smallest, 80)
        assert ("changed:" in draw_case(smallest)) == (is_pair(smallest) and smallest.left != smallest.right)
