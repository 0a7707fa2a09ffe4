"""Cases drawn as shapes in fixed places, which the page and SVG files show alike."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Any, NamedTuple

from metaeval.core.case import Case
from metaeval.display.condense import Ground, grounds, is_large, legend, on_all_features
from metaeval.display.labels import Family, Labelled, label_case, shape_words, written
from metaeval.display.layout import indices, paragraph, plural, runs
from metaeval.display.picture import left_out_of_pools, shown_indices

#: The most rows or columns of a picture, and the most groups of like objects in a strip.
MOST = 60
MOST_KINDS = 400


class Plate(NamedTuple):
    """A gold standard and the candidates that are drawn on it; ``ground`` where they are condensed."""

    families: Sequence[Family]
    ground: Ground | None = None

    @property
    def is_strip(self) -> bool:
        """Whether a line of objects says as much as a matrix."""
        if self.ground is not None:
            return self.ground.is_lifted
        return all(family.biclustering.shape[1] == 1 for family in self.families)

    @property
    def most(self) -> int:
        """The most rows or columns that are drawn; a condensed strip can be scrolled."""
        return MOST_KINDS if self.ground is not None and self.is_strip else MOST

    @property
    def nouns(self) -> tuple[str, str]:
        return ("object", "feature") if self.ground is None else ("row", "column")

    def name(self, axis: int, index: int) -> str:
        return str(index) if self.ground is None else self.ground.label(axis, index)

    def written(self, member: Labelled) -> str:
        return written(member) if self.ground is None else self.ground.written(member)

    def shape(self, family: Family) -> str:
        return shape_words(family.biclustering.shape if self.ground is None else self.ground.matrix.shape)


def plain_plates(families: Sequence[Family]) -> list[Plate]:
    """One plate per gold standard, with the candidates that follow it."""
    starts = [at for at, family in enumerate(families) if at == 0 or family.title.endswith("gold")]
    return [Plate(families[start:stop]) for start, stop in pairwise([*starts, len(families)])]


def legend_of(plates: Sequence[Plate]) -> str:
    """The meaning of the numbers of condensed plates; empty for others."""
    condensed = [plate.ground for plate in plates if plate.ground is not None]
    if not condensed:
        return ""
    repeats = (note for ground in condensed for note in ground.repeats())
    sentences = [legend(condensed), *repeats, *on_all_features(condensed)]
    return " ".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in sentences)


#: The most classes with a colour of their own; more colours could not be told apart.
HUES = 7
#: More biclusters of one object than these are outlined without letters.
MOST_SINGLE = 4
_MOST_LETTERS = 240
#: How far an outline lies inside one that it crosses, and the height of a strip, or of each of its lanes.
_INSET, _STRIP, _LANE = 3.5, 32, 22
#: More clusters than these share lanes where they do not overlap.
_MOST_LANES = 8
#: Room for the numbers above a picture, and for its caption on a sheet.
_TOP, _CAPTION = 19, 20

#: What is drawn: a class, and the outline of a path, a text with its place, or the place and the size of a rectangle.
Shape = list[Any]


def _whole(shapes: Iterable[Shape]) -> list[Shape]:
    """Numbers without needless digits."""
    return [[round(one, 2 if one % 1 else None) if isinstance(one, float) else one for one in some] for some in shapes]


class Picture(NamedTuple):
    """A family on its plate. A strip has objects across and clusters in ``lanes``, a matrix has objects down."""

    plate: Plate
    family: Family
    strip: bool
    rows: list[int]
    cols: list[int]
    wide: float
    lanes: list[int]

    @property
    def high(self) -> float:
        """The height of a lane of a strip, or of a row of a matrix."""
        return self.wide if not self.strip else _LANE if any(self.lanes) else _STRIP

    def box(self, top: int, left: int, bottom: int, right: int, lane: int | None = None) -> tuple[float, ...]:
        """Place and size of a rectangle of cells; on a strip of one lane, or of all."""
        if not self.strip:
            return left * self.wide, top * self.high, (right - left + 1) * self.wide, (bottom - top + 1) * self.high
        lanes = max(self.lanes, default=0) + 1 if lane is None else 1
        return top * self.wide, (lane or 0) * self.high, (bottom - top + 1) * self.wide, lanes * self.high

    def ground(self, hues: Mapping[int, int]) -> list[Shape]:
        """The cells in the colours of their classes: of several side by side, but of a gold standard lane by lane."""
        gold, paths = self.plate.families[0], dict.fromkeys(["bare"], "")
        for (at, row), (across, col) in product(enumerate(self.rows), enumerate(self.cols)):
            held = [place for place, one in enumerate(gold.members) if row in one.rows and col in one.cols]
            parts = [("bare", 0, 1, None)]
            for place, one in enumerate(held):
                hue, own = hues.get(gold.members[one].number, -1), self.strip and self.family is gold
                where = (0, 1, self.lanes[one]) if own else (place, len(held), None)
                parts.append((f"hue hue-{hue}" if hue >= 0 else "no-hue", *where))
            for kind, place, count, lane in parts:
                x, y, wide, tall = self.box(at, across, at, across, lane)
                part = (wide - 1) / count
                path = f"M{x + 0.5 + place * part:g} {y + 0.5:g}h{part:g}v{tall - 1:g}h-{part:g}z"
                paths[kind] = paths.get(kind, "") + path
        return [[kind, path] for kind, path in paths.items()]

    def axis(self, moved: Collection[int]) -> Iterator[Shape]:
        """The numbers of objects and features; those of objects that change hands stand out."""
        every = 1 if self.plate.ground is not None or self.wide >= 13 else 4 if self.wide < 8 else 2
        for at, row in enumerate(self.rows):
            if at % every == 0 or at in moved:
                place = ((at + 0.5) * self.wide, -5.5) if self.strip else (-6, (at + 0.5) * self.high + 3.5)
                yield ["end " * (not self.strip) + "moves" * (at in moved), *place, self.plate.name(0, row)]
        for at, col in enumerate(self.cols):
            if at % every == 0 and not self.strip:
                yield ["", (at + 0.5) * self.wide, -5.5, self.plate.name(1, col)]

    def marks(self, quiet: Collection[Labelled]) -> Iterator[Shape]:
        """The biclusters as outlines with letters: in the lanes of a strip, one inside the other in a matrix."""
        for member, lane in zip(self.family.members, self.lanes, strict=True):
            kind, inset = " changed" * member.changed, 1.3 + lane * _INSET * (not self.strip)
            for top, left, bottom, right, spot in _blocks(member, self.rows, self.cols, self.family.members):
                x, y, wide, tall = self.box(top, left, bottom, right, lane)
                yield [f"outline{kind}", x + inset, y + inset, wide - 2 * inset, tall - 2 * inset]
                crossed = spot and not self.strip
                if crossed:
                    at, across = spot
                    x, y, wide, tall = self.box(at, across, at, across)
                    x += (lane - max(self.lanes) / 2) * 10
                if member not in quiet and self.wide >= 12:
                    # Side by side, letters leave no room for a prime; the heavy outline says as much.
                    label = member.label.replace("′", "") if crossed else member.label
                    yield [f"letter{' close' * bool(crossed)}{kind}", x + wide / 2, y + tall / 2 + 4.5, label]

    def data(self, caption: str, score: str, note: str, ground: int) -> dict[str, Any]:
        """The picture as data; the ``frame`` is the room to the left, the width and the height of everything."""
        members, plate = self.family.members, self.plate
        single = [] if plate.ground else [member for member in members if len(member.rows) == 1]
        quiet = single if len(single) > MOST_SINGLE else []
        objects = frozenset(row for member in single for row in member.rows)
        alone = f"{len(single)} of one object each, {_short(indices(objects))}" if quiet else ""
        said = [*(_short(plate.written(member)) for member in members if member not in quiet), *[alone] * bool(alone)]
        moves = {
            at
            for (at, row), col in product(enumerate(self.rows), self.cols)
            for member in members
            if row in member.rows and col in member.cols and member.moved(row, col)
        }
        left = 1 if self.strip else 8 + 7 * max((len(plate.name(0, row)) for row in self.rows), default=1)
        *_, wide, tall = self.box(0, 0, len(self.rows) - 1, len(self.cols) - 1)
        return {
            "title": caption,
            "score": score,
            "said": f"{caption}, {plate.shape(self.family)}: {'; '.join(said) or 'no bicluster'}",
            "ground": ground,
            "frame": _whole([[left, wide + left + 1, tall + _TOP + 1]])[0] if self.rows and self.cols else None,
            "axis": _whole(self.axis(moves)),
            "marks": _whole(self.marks(quiet)),
            "moves": bool(moves),
            "notes": [one for one in ("" if members else "No bicluster.", alone and f"{alone}.", note) if one],
        }


def pictures(
    case: Case, captions: Mapping[str, str], scores: Mapping[str, str] | None = None, title: str = ""
) -> dict[str, Any]:
    """What to draw: grounds, the pictures on them, with scores by title, and how all stand on a sheet of that title."""
    condensed = is_large(case)
    plates = plain_plates(label_case(case)) if not condensed else []
    for ground in grounds(case) if condensed else ():
        plates += [Plate(plate.families, ground) for plate in plain_plates(ground.families)]
    golds, strip = [plate.families[0] for plate in plates], all(plate.is_strip for plate in plates)
    hues, classes = _hues(golds), len({member.number for gold in golds for member in gold.members})
    left_out = f"Not drawn: {pools}." if (pools := left_out_of_pools(case)) else ""
    grey = (
        f"{classes - len(hues)} of {classes} classes are grey, since only {HUES} colours can be told apart; "
        "their outlines in the gold standard tell them apart."
    )
    laned = [[_laned(family.members, strip) for family in plate.families] for plate in plates]
    number, deepest = sum(map(len, laned)), max(max(lanes, default=0) for some in laned for lanes in some)
    known: list[list[Shape]] = []
    drawn = []
    for plate, some in zip(plates, laned, strict=True):
        rows, cols, note = _shown(plate)
        wide = _width(plate, strip, rows, cols, number, deepest)
        for family, lanes in zip(plate.families, some, strict=True):
            picture = Picture(plate, family, strip, rows, cols, wide, lanes)
            if (below := picture.ground(hues)) not in known:
                known.append(below)
            score = (scores or {}).get(family.title, "")
            drawn.append(picture.data(captions[family.title], score, note, known.index(below)))
    note = " ".join(filter(None, (legend_of(plates), grey if classes > len(hues) else "", left_out)))
    return {
        "strip": strip,
        "condensed": condensed,
        "grounds": known,
        "pictures": drawn,
        "coloured": "gold class" if golds[0].title.endswith("gold") else f"cluster of the {golds[0].title}",
        "note": note,
        "sheet": _sheet(drawn, strip, title, note),
    }


def _width(plate: Plate, strip: bool, rows: list[int], cols: list[int], number: int, deepest: int) -> float:
    """The width of a cell: where outlines cross, each letter has a place of its own, and names must be read."""
    roomy: float = 12 if strip or not deepest else 10 * deepest + 18
    if plate.ground is not None:
        names = (plate.name(not strip, at) for at in (rows if strip else cols))
        roomy = max(roomy, 6.6 * max([2.5, *map(len, names)]) + 8)
    down, across = max(len(rows), 1), max(len(cols), 1)
    return max(roomy, min(36, 430 // down) if strip else min(32, 430 // (number * across), 620 // down))


def _shown(plate: Plate) -> tuple[list[int], list[int], str]:
    """The rows and columns that are drawn, and what is not. In a class, the objects of a cluster are neighbours."""
    gold, *candidates = plate.families
    drawn_on, shape = [one.biclustering for one in plate.families], gold.biclustering.shape
    shown, cols = (shown_indices(drawn_on, axis, size, plate.most) for axis, size in enumerate(shape))
    rows = sorted(shown, key=lambda row: (*_place(gold, candidates, row), row))
    missing = [
        plural(total - len(some), noun)
        for total, some, noun in zip(shape, (rows, cols), plate.nouns, strict=True)
        if total > len(some)
    ]
    return rows, cols, f"Not drawn: {' and '.join(missing)}." if missing else ""


def _sheet(drawn: Sequence[dict[str, Any]], strip: bool, title: str, note: str) -> dict[str, Any]:
    """How the pictures stand on a sheet: strips below each other, matrices side by side, notes at the foot."""
    texts: list[Shape] = []
    x, y, width, foot = 0.0, 0.0, 0.0, 0.0
    for number, picture in enumerate(drawn):
        if strip or (number % 2 == 0 and len(drawn) > 3):
            x, y = 0.0, foot
        left, wide, tall = picture["frame"] or (0, 0, 0)
        caption = ": ".join(filter(None, (picture["title"], picture["score"])))
        texts.append(["", x, y + 13, caption])
        [picture["place"]] = _whole([[x + left, y + _CAPTION + _TOP]])
        x += max(wide, 7.4 * len(caption)) + 16
        width, foot = max(width, x - 15), max(foot, y + tall + _CAPTION + 10)
    said = [note, *(f"{picture['title']}: {one}" for picture in drawn for one in picture["notes"])]
    for line in (line for one in said for line in paragraph(one, max(40, int(width / 5.6)))):
        foot += 15
        texts.append(["note", 0, foot - 6, line])
        width = max(width, 5.9 * len(line))
    return {"title": title, "size": [round(width), round(foot)], "texts": _whole(texts)}


def _hues(golds: Iterable[Family]) -> dict[int, int]:
    """The colour of each class; where there are too many, classes of one object have none."""
    members = [member for gold in golds for member in gold.members]
    numbers, large = ({member.number for member in members if len(member.rows) >= least} for least in (1, 2))
    coloured = sorted(numbers, key=lambda number: (len(numbers) > HUES and number not in large, number))[:HUES]
    return {number: hue for hue, number in enumerate(sorted(coloured))}


def _place(gold: Family, candidates: Sequence[Family], row: int) -> Iterator[int]:
    """A class's objects that share a cluster with an earlier class come first, those with a later one last."""
    own = _first_with(gold, row)
    yield own
    for family in candidates:
        cluster = _first_with(family, row)
        mates = family.members[cluster].rows if cluster < len(family.members) else frozenset()
        classes = {_first_with(gold, mate) for mate in mates}
        yield -1 if classes and min(classes) < own else int(bool(classes) and max(classes) > own)
        yield cluster


def _first_with(family: Family, row: int) -> int:
    held = (at for at, member in enumerate(family.members) if row in member.rows)
    return next(held, len(family.members))


def _laned(members: Sequence[Labelled], strip: bool) -> list[int]:
    """The lane of every bicluster: on a strip, one each where some overlap; else the first that is free where it is."""
    lanes: list[int] = []
    for at, member in enumerate(members):
        taken = {lane for other, lane in zip(members[:at], lanes, strict=True) if member.shared(other)}
        lanes.append(next(lane for lane in range(len(members)) if lane not in taken))
    return list(range(len(members))) if strip and any(lanes) and len(members) <= _MOST_LANES else lanes


def _blocks(member: Labelled, rows: list[int], cols: list[int], others: Sequence[Labelled]) -> Iterator[list[Any]]:
    """[top, left, bottom, right, where its letter goes] for every rectangle; null where that is the middle."""
    tall = runs([at for at, row in enumerate(rows) if row in member.rows])
    wide = runs([at for at, col in enumerate(cols) if col in member.cols])
    for down, along in product(tall, wide):
        cover = {
            (at, across): sum(rows[at] in other.rows and cols[across] in other.cols for other in others)
            for at, across in product(down, along)
        }
        _, freest = min((times, cell) for cell, times in cover.items())
        middle = max(cover.values()) == 1
        yield [down[0], along[0], down[-1], along[-1], None if middle else list(freest)]


def _short(members: str) -> str:
    """Sets cut to the length of a caption; the code and the certificate have all of them."""
    return members if len(members) <= _MOST_LETTERS else members[:_MOST_LETTERS].rpartition(",")[0] + ", …"
