"""Biclusterings and cases drawn in plain text, for a terminal or a failing test.

A letter stands for a bicluster, several letters for an overlap, ``·`` for a cell that none covers. Classes
have capitals. A cluster keeps its letter from the left to the right, so that only what changed differs.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

from metaeval.cases import Case
from metaeval.model import Bicluster, Biclustering

#: What the drawings' signs mean, for a caller to print once.
KEY = "A, B, …: classes; a, b, …: clusters; ·: covered by none; !: changed from left to right"

#: So many objects and features are drawn; of a larger matrix, the first ones that a bicluster touches.
MOST = 40

_UNCOVERED = "·"
#: Where more biclusters than this overlap, a plus stands for the rest.
_MOST_LETTERS = 5
_NO_LETTER = "#"
_GREEK_SMALL = "αβγδεζηθικλμνξοπρστυφχψω"
_SMALL = ascii_lowercase + _GREEK_SMALL
_CAPITALS = ascii_uppercase + _GREEK_SMALL.upper()
_GAP = "   "
_MARK = "!"


class _Part(NamedTuple):
    """A biclustering to draw: its caption, a letter for each bicluster, the objects to mark."""

    caption: str
    family: Biclustering
    letters: str
    marked: frozenset[int] = frozenset()

    def cell(self, row: int, col: int) -> str:
        """The letters of the biclusters that cover a cell."""
        held = (
            letter
            for letter, (rows, cols) in zip(self.letters, self.family, strict=True)
            if row in rows and col in cols
        )
        text = "".join(sorted(held))
        if len(text) > _MOST_LETTERS:
            return text[: _MOST_LETTERS - 1] + "+"
        return text or (_UNCOVERED if self.holds(row, col) else "")

    def holds(self, row: int, col: int) -> bool:
        """Whether the matrix has this cell."""
        return row < self.family.shape[0] and col < self.family.shape[1]


def draw_biclustering(family: Biclustering, width: int = 80) -> str:
    """A biclustering as a matrix: rows are objects, columns features.

    >>> print(draw_biclustering(Biclustering([({0, 1}, {0, 1}), ({1, 2}, {1})], shape=(4, 2))))
       0 1
    0  A A
    1  A AB
    2  · B
    3  · ·
    """
    return _draw([_Part("", family, _letters(len(family), _CAPITALS))], width)


def draw_case(case: Case, width: int = 80) -> str:
    """A case: the gold standard, the left and the right candidate, and what changed between these.

    >>> from metaeval.cases import Side
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
    return "\n".join([_draw(_parts(case), width), *_changes(case, width)])


def _draw(parts: list[_Part], width: int) -> str:
    families = [part.family for part in parts]
    rows, cols = (_shown(families, axis) for axis in (0, 1))
    if _is_lifted(families):
        lines = _in_lines(parts, rows, width)
        notes = _notes(families, rows, None, width)
    else:
        cols = _fitting(parts, rows, cols, width)
        lines = _in_matrices(parts, rows, cols, width)
        notes = _notes(families, rows, cols, width)
    if any(_NO_LETTER in part.letters for part in parts):
        notes += _wrapped(f"{_NO_LETTER} stands for every further bicluster: there are more than letters", width)
    return "\n".join([*(line.rstrip() for line in lines), *notes])


# --- what is drawn ----------------------------------------------------------------------------------


def _parts(case: Case) -> list[_Part]:
    (left, left_gold), (right, right_gold) = case
    letters = _paired_letters(left, right, _SMALL)
    capitals = _paired_letters(left_gold, right_gold, _CAPITALS)
    marked = frozenset(_changed(case))
    if left_gold == right_gold:
        return [
            _Part("gold", left_gold, capitals[0]),
            _Part("left", left, letters[0], marked),
            _Part("right", right, letters[1], marked),
        ]
    return [
        _Part("left gold", left_gold, capitals[0], marked),
        _Part("left", left, letters[0], marked),
        _Part("right gold", right_gold, capitals[1], marked),
        _Part("right", right, letters[1], marked),
    ]


def _letters(amount: int, alphabet: str) -> str:
    return alphabet[:amount].ljust(amount, _NO_LETTER)


def _paired_letters(left: Biclustering, right: Biclustering, alphabet: str) -> tuple[str, str]:
    """Letters for both sides: a bicluster of the right has the letter of the one it came from.

    In another matrix an object's number may mean another object, so there the letters go by order alone.
    """
    if left.shape != right.shape:
        return _letters(len(left), alphabet), _letters(len(right), alphabet)
    origins = _origins(left.biclusters, right.biclusters)
    fresh = iter(range(len(left), len(left) + len(right)))
    places = [next(fresh) if origin is None else origin for origin in origins]
    letters = _letters(len(left) + len(right), alphabet)
    return letters[: len(left)], "".join(letters[place] for place in places)


def _origins(left: Sequence[Bicluster], right: Sequence[Bicluster]) -> list[int | None]:
    """For every bicluster of the right the one of the left it came from: an equal one, or the most alike."""
    ranked = sorted(
        (one != other, -len(one[0] & other[0]) * len(one[1] & other[1]), i, j)
        for i, one in enumerate(left)
        for j, other in enumerate(right)
        if one[0] & other[0] and one[1] & other[1]
    )
    found: dict[int, int] = {}
    used: set[int] = set()
    for _, _, i, j in ranked:
        if i not in used and j not in found:
            found[j] = i
            used.add(i)
    return [found.get(j) for j in range(len(right))]


def _changed(case: Case) -> list[int]:
    """The objects with a cell whose letters differ; none where the matrices do, since names may differ too."""
    if len({part.shape for side in case for part in side}) > 1:
        return []
    changed: set[int] = set()
    for one, other in zip(*case, strict=True):
        origins = _origins(one.biclusters, other.biclusters)
        for j, origin in enumerate(origins):
            if origin is None:
                changed |= other.biclusters[j][0]
            else:
                changed |= _moved(one.biclusters[origin], other.biclusters[j])
        for i in set(range(len(one))) - set(origins):
            changed |= one.biclusters[i][0]
    return sorted(changed)


def _moved(one: Bicluster, other: Bicluster) -> frozenset[int]:
    """The objects of whose cells one bicluster holds others than the other."""
    return one[0] ^ other[0] if one[1] == other[1] else one[0] | other[0]


def _shown(families: Iterable[Biclustering], axis: int) -> list[int]:
    """The objects or features to draw: all of a small matrix, else the first ones that are touched."""
    size = max(family.shape[axis] for family in families)
    if size <= MOST:
        return list(range(size))
    return sorted({index for family in families for bicluster in family for index in bicluster[axis]})[:MOST]


def _is_lifted(families: Sequence[Biclustering]) -> bool:
    """Whether all are clusterings of objects on the same features: a line then says as much as a matrix."""
    width = families[0].shape[1]
    return (
        len(families) > 1  # a biclustering by itself is a matrix, as its reader expects
        and width > 0
        and all(family.shape[1] == width for family in families)
        and all(len(cols) == width for family in families for _, cols in family)
    )


# --- lines and matrices -----------------------------------------------------------------------------


def _in_lines(parts: list[_Part], rows: list[int], width: int) -> list[str]:
    """One line a clustering, objects from left to right, in as many bands as the width asks for."""
    names = ["object", *(part.caption for part in parts), ""]
    margin = max(map(len, names)) + 2
    columns = [[str(row), *(part.cell(row, 0) for part in parts), _marks(parts, row)] for row in rows]
    lines: list[str] = []
    for band in _bands(columns, width - margin):
        lines += [""] if lines else []
        band_lines = [name.ljust(margin) + line for name, line in zip(names, _joined(band), strict=True)]
        lines += [line for line in band_lines if line.strip()]
    return lines or [f"{part.caption}: no objects" for part in parts]


def _marks(parts: list[_Part], row: int) -> str:
    return _MARK if any(row in part.marked for part in parts) else ""


def _bands(columns: list[list[str]], room: int) -> list[list[list[str]]]:
    """The columns in groups, none wider than there is room for."""
    bands: list[list[list[str]]] = []
    left = 0
    for column in columns:
        needed = max(map(len, column)) + 1
        if not bands or needed > left:
            bands.append([])
            left = room + 1
        bands[-1].append(column)
        left -= needed
    return bands


def _joined(columns: list[list[str]]) -> list[str]:
    """Columns of text side by side, each as wide as its widest entry."""
    widths = [max(map(len, column)) for column in columns]
    return [
        " ".join(entry.ljust(width) for entry, width in zip(line, widths, strict=True))
        for line in zip(*columns, strict=True)
    ]


def _in_matrices(parts: list[_Part], rows: list[int], cols: list[int], width: int) -> list[str]:
    """Matrices side by side where they fit, else one below the other."""
    blocks = [_matrix(part, rows, cols) for part in parts]
    widths = [max(map(len, block)) for block in blocks]
    if sum(widths) + len(_GAP) * (len(blocks) - 1) > width:
        return [line for at, block in enumerate(blocks) for line in ([""] if at else []) + block]
    lines = zip_longest(*blocks, fillvalue="")
    return [_GAP.join(piece.ljust(size) for piece, size in zip(line, widths, strict=True)) for line in lines]


def _fitting(parts: list[_Part], rows: list[int], cols: list[int], width: int) -> list[int]:
    """As many of the features as every matrix has room for."""
    while len(cols) > 1 and any(max(map(len, _matrix(part, rows, cols))) > width for part in parts):
        cols = cols[:-1]
    return cols


def _matrix(part: _Part, rows: list[int], cols: list[int]) -> list[str]:
    caption = [part.caption] if part.caption else []
    height, breadth = part.family.shape
    if not height or not breadth:
        return [*caption, f"no cells, {_shape(part.family)}"]
    rows, cols = [row for row in rows if row < height], [col for col in cols if col < breadth]
    labels = ["", *(_row_label(part, row) for row in rows)]
    indent = max(map(len, labels)) + 2
    lines = _joined([[str(col), *(part.cell(row, col) for row in rows)] for col in cols])
    return [*caption, *((label.ljust(indent) + line).rstrip() for label, line in zip(labels, lines, strict=True))]


def _row_label(part: _Part, row: int) -> str:
    if not part.marked:
        return str(row)
    return f"{_MARK if row in part.marked else ' '} {row}"


# --- words ------------------------------------------------------------------------------------------


def _changes(case: Case, width: int) -> list[str]:
    """What differs between the sides, in words."""
    left, right = (_shape(side.candidate) for side in case)
    lines: list[str] = []
    if left != right:
        lines += _wrapped(f"changed: the matrix, left {left}, right {right}", width)
    changed = _changed(case)
    if changed:
        noun = "object" if len(changed) == 1 else "objects"
        more = f" and {len(changed) - MOST} more" if len(changed) > MOST else ""
        lines += _wrapped(f"changed: {noun} {', '.join(map(str, changed[:MOST]))}{more}", width)
    return lines


def _shape(family: Biclustering) -> str:
    return f"{family.shape[0]} × {family.shape[1]}"


def _notes(families: Sequence[Biclustering], rows: list[int], cols: list[int] | None, width: int) -> list[str]:
    """What the drawing leaves out; ``cols`` is None where it has lines for matrices."""
    objects, features = (max(family.shape[axis] for family in families) for axis in (0, 1))
    notes: list[str] = []
    if cols is None and features > 1:
        notes.append(f"every bicluster has all {features} features")
    if len(rows) < objects:
        notes.append(f"drawn: {len(rows)} of {objects} objects")
    if cols is not None and len(cols) < features:
        notes.append(f"drawn: {len(cols)} of {features} features")
    return [line for note in notes for line in _wrapped(note, width)]


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, max(width, 20), subsequent_indent="  ")
