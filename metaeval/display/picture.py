"""Cases drawn in plain text, for a terminal or a failing test.

A letter stands for a bicluster, several letters for an overlap, ``·`` for a cell that no bicluster covers. Classes
have capitals. A cluster has the same letter on the left and on the right, so that only changes differ.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from metaeval.core.biclustering import Biclustering, Shape
from metaeval.core.case import Case, side_names
from metaeval.display.condense import Ground, grounds, is_large, legend, on_all_features
from metaeval.display.labels import MOST_OF_A_POOL, Family, Labelled, is_pair, label_case
from metaeval.display.layout import bands, joined, named_bands, plural, side_by_side, wrapped

#: The meaning of the signs, for a caller to print once; it fits on a line of 80 columns.
KEY = "A, B, …: classes; a, b, …: clusters; ·: covered by none; !: changed"

#: The most objects or features that are drawn; of a larger matrix, the first ones that are in a bicluster.
MOST = 40

_UNCOVERED = "·"
#: Where more biclusters overlap, a plus stands for the rest.
_MOST_LETTERS = 5
_NO_LETTER = "#"
_MARK = "!"

#: The most groups of like objects that are drawn of a large case; a certificate has all objects.
MOST_IN_LINES = 400
MOST_IN_MATRICES = 60
#: A cell of a large case with more letters is cut, so that a line has room for it.
_WIDEST = 24


class _Picture(NamedTuple):
    """A family to draw, and the objects to mark in it."""

    family: Family
    marked: frozenset[int]

    @property
    def shape(self) -> Shape:
        return self.family.biclustering.shape

    def cell(self, row: int, col: int) -> str:
        """The letters of the biclusters that cover a cell."""
        held = (_sign(member) for member in self.family.members if row in member.rows and col in member.cols)
        text = "".join(sorted(held))
        if len(text) > _MOST_LETTERS:
            return text[: _MOST_LETTERS - 1] + "+"
        objects, features = self.shape
        return text or (_UNCOVERED if row < objects and col < features else "")


def _sign(member: Labelled) -> str:
    """The letter without a prime: a cell has room for one sign, and changes are marked beside the picture."""
    return member.letter if len(member.letter) == 1 else _NO_LETTER


def draw_case(case: Case, width: int = 80, *, brief: bool = False) -> str:
    """A case: the gold standard, the left and the right candidate, and what changed between them. Of a case that is
    no pair, the biclusterings are drawn one below the other.

    The ``brief`` form does not list the objects that changed, which are marked. A large case is drawn by groups of like
    objects.

    >>> from metaeval.core.case import Side
    >>> gold = Biclustering.from_labels([0, 0, 1, 1])
    >>> mixed, split = Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 2, 1])
    >>> print(draw_case(Case(Side(mixed, gold), Side(split, gold))))
    object  0 1 2 3
    gold    A A B B
    left    a a a b
    right   a a c b
                !
    changed: object 2
    """
    if is_large(case):
        return "\n".join([*_draw_large(case, width, brief), *_changes(case, [], width)])
    families = label_case(case)
    # Where the matrices differ, names may differ, too.
    changed = [] if len({one.shape for one in case.families}) > 1 else sorted(_changed_rows(families))
    # A gold standard that both sides share does not change.
    pictures = [_Picture(family, frozenset(changed if family.title != "gold" else ())) for family in families]
    notes = _changes(case, [] if brief else changed, width)
    if left_out := left_out_of_pools(case):
        notes += wrapped(f"not drawn: {left_out}", width)
    return "\n".join([_draw(pictures, width), *notes])


def left_out_of_pools(case: Case) -> str:
    """The number of candidates that a drawing of pools leaves out; empty where it has all."""
    return " and ".join(
        f"{len(side.candidates) - MOST_OF_A_POOL} of {len(side.candidates)} candidates on the {name}"
        for name, side in zip(side_names(len(case)), case, strict=True)
        if len(side.candidates) > MOST_OF_A_POOL
    )


def _changed_rows(families: Iterable[Family]) -> frozenset[int]:
    """The objects, or groups of them, with a cell whose letters differ."""
    changed = (member.changed_objects for family in families for member in family.members if member.changed)
    return frozenset().union(*changed)


def _draw(pictures: list[_Picture], width: int) -> str:
    families = [picture.family.biclustering for picture in pictures]
    sizes = (max(family.shape[axis] for family in families) for axis in (0, 1))
    rows, cols = (shown_indices(families, axis, size) for axis, size in enumerate(sizes))
    if _is_lifted(families):
        # One line per clustering, objects from left to right, in as many bands as the width needs.
        marked = frozenset().union(*(picture.marked for picture in pictures))
        columns = [[str(row), *(picture.cell(row, 0) for picture in pictures), _MARK * (row in marked)] for row in rows]
        lines = named_bands(["object", *(picture.family.title for picture in pictures), ""], columns, width)
        lines = lines or [f"{picture.family.title}: no objects" for picture in pictures]
        notes = _notes(families, rows, None, width)
    else:
        # The first features, as many as every matrix has room for.
        while len(cols) > 1 and any(max(map(len, _matrix(picture, rows, cols))) > width for picture in pictures):
            cols = cols[:-1]
        lines = side_by_side([_matrix(picture, rows, cols) for picture in pictures], width)
        notes = _notes(families, rows, cols, width)
    if any(_sign(member) == _NO_LETTER for picture in pictures for member in picture.family.members):
        notes += wrapped(f"{_NO_LETTER} stands for every further bicluster, for want of letters", width)
    return "\n".join([*(line.rstrip() for line in lines), *notes])


def shown_indices(families: Iterable[Biclustering], axis: int, size: int, most: int = MOST) -> list[int]:
    """The objects or features to draw: all of a small matrix, else the first ones that are in a bicluster."""
    if size <= most:
        return list(range(size))
    touched = {index for family in families for bicluster in family for index in bicluster[axis]}
    return [index for index in sorted(touched) if index < size][:most]


def _is_lifted(families: Sequence[Biclustering]) -> bool:
    """Whether all are clusterings of objects on the same features, so that a line says as much as a matrix."""
    width = families[0].shape[1]
    alike = width > 0 and all(family.shape[1] == width for family in families)
    return alike and all(len(cols) == width for family in families for _, cols in family)


def _matrix(picture: _Picture, rows: list[int], cols: list[int]) -> list[str]:
    title, (height, breadth) = picture.family.title, picture.shape
    if not height or not breadth:
        return [title, f"no cells, {_shape(picture.family.biclustering)}"]
    rows, cols = [row for row in rows if row < height], [col for col in cols if col < breadth]
    labels = ["", *map(str, rows)]
    if picture.marked:
        labels = ["", *(f"{_MARK if row in picture.marked else ' '} {row}" for row in rows)]
    indent = max(map(len, labels)) + 2
    lines = joined([[str(col), *(picture.cell(row, col) for row in rows)] for col in cols])
    return [title, *((label.ljust(indent) + line).rstrip() for label, line in zip(labels, lines, strict=True))]


def _changes(case: Case, changed: list[int], width: int) -> list[str]:
    """What differs between the sides, in words."""
    lines: list[str] = []
    if is_pair(case) and case.left.candidate.shape != case.right.candidate.shape:
        left, right = (_shape(side.candidate) for side in case)
        lines += wrapped(f"changed: the matrix, left {left}, right {right}", width)
    if changed:
        noun = "object" if len(changed) == 1 else "objects"
        more = f" and {len(changed) - MOST} more" if len(changed) > MOST else ""
        lines += wrapped(f"changed: {noun} {', '.join(map(str, changed[:MOST]))}{more}", width)
    return lines


def _shape(family: Biclustering) -> str:
    return f"{family.shape[0]} × {family.shape[1]}"


def _notes(families: Sequence[Biclustering], rows: list[int], cols: list[int] | None, width: int) -> list[str]:
    """What the drawing leaves out; ``cols`` is None where it has lines instead of matrices."""
    objects, features = (max(family.shape[axis] for family in families) for axis in (0, 1))
    notes: list[str] = []
    if cols is None and features > 1:
        notes.append(f"every bicluster has all {features} features")
    if len(rows) < objects:
        notes.append(f"drawn: {len(rows)} of {objects} objects")
    if cols is not None and len(cols) < features:
        notes.append(f"drawn: {len(cols)} of {features} features")
    return [line for note in notes for line in wrapped(note, width)]


# --- large cases: one column per group of like objects, headed by their number


def _draw_large(case: Case, width: int, brief: bool) -> Iterator[str]:
    """The lines of a drawing; the ``brief`` form does not say how many objects changed."""
    drawn = grounds(case)
    for number, ground in enumerate(drawn):
        marked = _changed_rows(ground.families)
        if ground.is_lifted:
            columns = [
                [ground.label(0, row), *(_letters(one, row, 0) for one in ground.families), _MARK * (row in marked)]
                for row in range(len(ground.matrix.rows))[:MOST_IN_LINES]
            ]
            lines = named_bands(["objects", *(family.title for family in ground.families), ""], columns, width)
        else:
            blocks = [[family.title, *_large_matrix(ground, family, marked, width)] for family in ground.families]
            lines = side_by_side(blocks, width)
        yield from ([""] if number else [])
        yield from (line.rstrip() for line in lines)
    for note in _large_notes(drawn, brief):
        yield from wrapped(note, width)


def _large_matrix(ground: Ground, family: Family, marked: frozenset[int], width: int) -> list[str]:
    rows, cols = range(len(ground.matrix.rows))[:MOST_IN_MATRICES], range(len(ground.matrix.cols))
    if not rows or not cols:
        return ["no cells"]
    labels = [ground.label(0, row) for row in rows]
    # A gold standard that both sides share does not change.
    if marked and family.title != "gold":
        labels = [f"{_MARK if row in marked else ' '} {label}" for row, label in zip(rows, labels, strict=True)]
    labels = ["", *labels]
    margin = max(map(len, labels)) + 2
    columns = [[ground.label(1, col), *(_letters(family, row, col) for row in rows)] for col in cols]
    return [
        label.ljust(margin) + line
        for band in bands(columns, width - margin)
        for label, line in zip(labels, joined(band), strict=True)
    ]


def _letters(family: Family, row: int, col: int) -> str:
    """The letters of the biclusters on a group of objects and a group of features."""
    text = "".join(sorted(member.starred for member in family.members if row in member.rows and col in member.cols))
    return text[: _WIDEST - 1] + "+" if len(text) > _WIDEST else text or _UNCOVERED


def _large_notes(drawn: tuple[Ground, ...], brief: bool) -> Iterator[str]:
    yield legend(drawn)
    for ground in drawn:
        yield from ground.repeats()
        groups, most = len(ground.matrix.rows), MOST_IN_LINES if ground.is_lifted else MOST_IN_MATRICES
        if groups > most:
            yield f"drawn: {most} of {groups} groups of like objects"
    yield from on_all_features(drawn)
    for matrix, families in drawn:
        rows = _changed_rows(families)
        if rows and not brief:
            amount = sum(matrix.amount(matrix.rows[row]) for row in rows)
            yield f"changed: {amount} of {plural(matrix.shape[0], 'object')}"
