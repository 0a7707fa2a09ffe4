"""The data model: biclusterings and how they are built, compared, printed and stored."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any, ClassVar

from metaeval.core.errors import InputError
from metaeval.core.label_codes import Counted, clusters_in, codes_of, rows_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

Bicluster = tuple[frozenset[int], frozenset[int]]
Shape = tuple[int, int]

#: Contiguous index sets of at least this length print as a range.
_RANGE_FROM = 5


class Unchangeable:
    """An object that nobody can change; ``_refusal`` is what whoever tries is told."""

    __slots__ = ()

    _refusal: ClassVar[str]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(self._refusal)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(self._refusal)


class Biclustering(Unchangeable):
    """An immutable family of biclusters on a matrix of ``shape`` (objects, features).

    A family is a multiset: repeats count, order does not. It need not cover the matrix and may overlap.
    Two biclusterings are equal when their families and their shapes are.

    >>> gold = Biclustering([({0, 1, 2}, {0, 1}), ({3, 4}, {1, 2})], shape=(6, 3))
    >>> len(gold), gold.shape
    (2, (6, 3))
    >>> gold == Biclustering([([4, 3], [2, 1]), (range(3), (0, 1))], shape=(6, 3))
    True

    Without a shape the smallest matrix that holds every bicluster is taken.

    >>> Biclustering([({0, 4}, {1})]).shape
    (5, 2)
    """

    # A clustering that is made of an array of labels has no ``_biclusters`` until somebody asks for them.
    __slots__ = ("_biclusters", "_codes", "_hash", "_key", "_shape")

    _refusal = "a Biclustering cannot be changed; build a new one"
    _biclusters: tuple[Bicluster, ...]
    _codes: NDArray[Any] | Counted | None
    _shape: Shape
    _key: frozenset[tuple[Bicluster, int]] | None
    _hash: int | None

    def __init__(
        self, biclusters: Iterable[tuple[Iterable[int], Iterable[int]]] = (), shape: Sequence[int] | None = None
    ) -> None:
        numbered = enumerate(_iterate(biclusters, "biclusters"), start=1)
        family = tuple(_bicluster(number, pair) for number, pair in numbered)
        height, width = (max((max(one[axis]) + 1 for one in family), default=0) for axis in (0, 1))
        self._fill(family, (height, width) if shape is None else _checked_shape(shape, (height, width)))

    def _fill(self, family: tuple[Bicluster, ...], shape: Shape) -> None:
        object.__setattr__(self, "_biclusters", family)
        object.__setattr__(self, "_codes", None)
        object.__setattr__(self, "_shape", shape)
        object.__setattr__(self, "_key", None)
        object.__setattr__(self, "_hash", None)

    def __getattr__(self, name: str) -> Any:
        if name != "_biclusters":
            raise AttributeError(f"'Biclustering' object has no attribute {name!r}")
        assert self._codes is not None
        columns = frozenset(range(self._shape[1]))
        family = tuple((frozenset(rows), columns) for rows in rows_of(self._codes))
        object.__setattr__(self, "_biclusters", family)
        return family

    @classmethod
    def trusted(cls, biclusters: Iterable[Bicluster], shape: Shape) -> Biclustering:
        """Build without checks, from frozensets known to be sound: for generators in a hot loop."""
        new = object.__new__(cls)
        new._fill(tuple(biclusters), shape)
        return new

    @classmethod
    def of_codes(cls, codes: NDArray[Any] | Counted, n_features: int = 1) -> Biclustering:
        """A clustering by the number of each object's cluster, from 0 without a gap, −1 for none; not checked.

        Or one side of two whose pairs of labels were counted: it can be scored against the other, and nothing else.
        """
        if not isinstance(codes, Counted):
            import numpy as np  # loaded already: the codes are an array

            codes = np.frombuffer(codes.tobytes(), codes.dtype)  # memory that nobody can change
        new = cls.trusted((), (len(codes), n_features))
        object.__delattr__(new, "_biclusters")
        object.__setattr__(new, "_codes", codes)
        return new

    @classmethod
    def lifted(
        cls, clusters: Iterable[Iterable[int]], features: Iterable[int] = (0,), shape: Sequence[int] | None = None
    ) -> Biclustering:
        """A traditional clustering as a biclustering: every cluster on the same features.

        >>> Biclustering.lifted([{0, 1}, {2}], features=range(2))
        Biclustering([({0, 1}, {0, 1}), ({2}, {0, 1})], shape=(3, 2))
        """
        columns = tuple(_iterate(features, "features"))
        return cls([(cluster, columns) for cluster in _iterate(clusters, "clusters")], shape)

    @classmethod
    def from_labels(cls, labels: Iterable[int | str], n_features: int = 1) -> Biclustering:
        """A clustering given by one label per object, on all of ``n_features``; -1 means unclustered.

        >>> Biclustering.from_labels([0, 0, 1, 1, -1])
        Biclustering([({0, 1}, {0}), ({2, 3}, {0})], shape=(5, 1))
        """
        width = _integer(n_features, "n_features", least=1)
        if (codes := codes_of(labels)) is not None:
            return cls.of_codes(codes, width)
        clusters: dict[int | str, list[int]] = {}
        count = 0
        for row, given in enumerate(_iterate(labels, "labels")):
            label = given if isinstance(given, str) else _integer(given, f"the label of object {row}", least=None)
            if label != -1:
                clusters.setdefault(label, []).append(row)
            count += 1
        return cls.lifted(clusters.values(), range(width), (count, width))

    @classmethod
    def from_indicators(cls, rows: Any, columns: Any) -> Biclustering:
        """Biclusters given by two boolean tables, as scikit-learn's ``rows_`` and ``columns_``.

        >>> Biclustering.from_indicators([[True, True, False]], [[False, True]])
        Biclustering([({0, 1}, {1})], shape=(3, 2))
        """
        row_sets, n_objects = _indicator_table(rows, "rows")
        column_sets, n_features = _indicator_table(columns, "columns")
        if len(row_sets) != len(column_sets):
            raise InputError(
                f"the indicators describe {len(row_sets)} row sets and {len(column_sets)} column sets; "
                "one of each is expected for every bicluster"
            )
        return cls(zip(row_sets, column_sets, strict=True), (n_objects, n_features))

    @classmethod
    def from_json(cls, data: Any) -> Biclustering:
        """The biclustering in parsed JSON: ``{"shape": [n, m], "biclusters": [{"rows": …, "cols": …}]}``."""
        if not isinstance(data, Mapping):
            raise InputError(f'a biclustering is a JSON object with "shape" and "biclusters", not {_show(data)}')
        unknown = sorted(set(data) - {"shape", "biclusters"}, key=str)
        if unknown:
            raise InputError(f'unknown key {_show(unknown[0])} in a biclustering; expected "shape" and "biclusters"')
        entries = data.get("biclusters")
        if not isinstance(entries, list):
            raise InputError(f'"biclusters" must be a list of {{"rows": …, "cols": …}}, not {_show(entries)}')
        shape = data.get("shape")
        if shape is not None and not isinstance(shape, list):
            raise InputError(f'"shape" must be a list of two integers, not {_show(shape)}')
        return cls((_json_bicluster(number, entry) for number, entry in enumerate(entries, start=1)), shape)

    def to_json(self) -> dict[str, Any]:
        """The biclustering as data for ``json.dump``; :meth:`from_json` reads it back."""
        biclusters = [{"rows": sorted(rows), "cols": sorted(cols)} for rows, cols in self._biclusters]
        return {"shape": list(self._shape), "biclusters": biclusters}

    # Asked for more often than anything else, so it is read without a call of Python.
    shape: Shape = property(operator.attrgetter("_shape"), doc="(number of objects, number of features) of the matrix.")  # type: ignore[assignment]

    @property
    def codes(self) -> NDArray[Any] | Counted | None:
        """The number of each object's cluster, −1 for none, where that is what the clustering is made of."""
        return self._codes

    @property
    def biclusters(self) -> tuple[Bicluster, ...]:
        """The biclusters as (rows, columns) frozensets, in the order they were given."""
        return self._biclusters

    def on(self, shape: Sequence[int]) -> Biclustering:
        """The same biclusters on a matrix of another shape."""
        return Biclustering(self._biclusters, shape)

    def on_one_feature(self) -> Biclustering:
        """The same with every bicluster's columns replaced by one common feature."""
        if self._codes is not None:
            return Biclustering.of_codes(self._codes)
        feature = frozenset({0})
        return Biclustering.trusted(((rows, feature) for rows, _ in self._biclusters), (self._shape[0], 1))

    def placed(self, rows: Sequence[int], shape: Shape) -> Biclustering:
        """A clustering of codes with its objects in these rows of a matrix, on all features of it."""
        import numpy as np  # loaded already: the codes are an array

        own: Any = self._codes
        codes = np.full(shape[0], -1, dtype=own.dtype)
        codes[np.asarray(rows, dtype=np.intp)] = own
        return Biclustering.of_codes(codes, shape[1])

    def renamed(self, row: Callable[[int], int], col: Callable[[int], int]) -> Biclustering:
        """The same structure with every object and feature renamed, on the same matrix."""
        return Biclustering(((map(row, rows), map(col, cols)) for rows, cols in self._biclusters), shape=self._shape)

    def __iter__(self) -> Iterator[Bicluster]:
        return iter(self._biclusters)

    def __len__(self) -> int:
        return len(self._biclusters) if self._codes is None else clusters_in(self._codes)

    def __bool__(self) -> bool:
        return len(self) > 0

    @property
    def family(self) -> frozenset[tuple[Bicluster, int]]:
        """The biclusters as a multiset, each with how often it occurs."""
        if self._key is None:
            once = frozenset(zip(self._biclusters, repeat(1)))
            repeats = len(once) < len(self._biclusters)
            object.__setattr__(self, "_key", frozenset(Counter(self._biclusters).items()) if repeats else once)
        assert self._key is not None
        return self._key

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Biclustering):
            return NotImplemented
        return self._shape == other._shape and self.family == other.family

    def __hash__(self) -> int:
        if self._hash is None:
            object.__setattr__(self, "_hash", hash((self._shape, self.family)))
        assert self._hash is not None
        return self._hash

    def __reduce__(self) -> tuple[Callable[..., Biclustering], tuple[Any, ...]]:
        if self._codes is not None:
            return Biclustering.of_codes, (self._codes, self._shape[1])
        return Biclustering.trusted, (self._biclusters, self._shape)

    def __repr__(self) -> str:
        family = ", ".join(f"({_indices(rows)}, {_indices(cols)})" for rows, cols in self._biclusters)
        return f"Biclustering([{family}], shape={self._shape})"


def _indices(indices: frozenset[int]) -> str:
    """A set of indices as short Python: a range where it is one, else a set display."""
    low, high = min(indices), max(indices) + 1
    if len(indices) >= _RANGE_FROM and high - low == len(indices):
        return f"range({high})" if low == 0 else f"range({low}, {high})"
    return "{" + ", ".join(map(str, sorted(indices))) + "}"


def _show(value: object) -> str:
    """A value for an error message, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _iterate(values: Any, what: str) -> Iterator[Any]:
    try:
        if not isinstance(values, (str, bytes, Mapping)):
            return iter(values)
    except TypeError:
        pass
    raise InputError(f"{what} must be a list or another iterable, not {_show(values)}") from None


def _integer(value: Any, what: str, least: int | None = 0) -> int:
    """``value`` as a plain int; bools and floats are refused even where they equal one."""
    if type(value) is not int:
        try:
            if type(value).__name__ in ("bool", "bool_"):
                raise TypeError
            value = operator.index(value)
        except TypeError:
            raise InputError(f"{what} is {_show(value)}; expected an integer") from None
    if least is not None and value < least:
        raise InputError(f"{what} is {value}; expected an integer from {least} up")
    return int(value)


def _bicluster(number: int, pair: Any) -> Bicluster:
    name = f"bicluster {number}"
    parts = tuple(_iterate(pair, name))
    if len(parts) != 2:
        raise InputError(f"{name} has {len(parts)} parts; expected a pair (rows, columns)")
    return _side(parts[0], name, "row"), _side(parts[1], name, "column")


def _side(indices: Any, name: str, kind: str) -> frozenset[int]:
    side = frozenset(_integer(index, f"a {kind} of {name}") for index in _iterate(indices, f"the {kind}s of {name}"))
    if not side:
        raise InputError(f"{name} has no {kind}s; a bicluster needs at least one")
    return side


def _checked_shape(shape: Any, least: Shape) -> Shape:
    parts = tuple(_iterate(shape, "shape"))
    if len(parts) != 2:
        raise InputError(f"shape is {_show(shape)}; expected two integers (objects, features)")
    sizes = tuple(_integer(part, "a number in shape") for part in parts)
    for size, needed, kind in zip(sizes, least, ("row", "column"), strict=True):
        if needed > size:
            there = f"; {kind}s go from 0 to {size - 1}" if size else f", which has no {kind}s"
            raise InputError(f"{kind} {needed - 1} lies outside the shape {(sizes[0], sizes[1])}{there}")
    return sizes[0], sizes[1]


def _indicator_table(table: Any, what: str) -> tuple[list[list[int]], int]:
    """The index sets that a boolean table marks, and its width."""
    kind, dimensions = getattr(getattr(table, "dtype", None), "kind", None), getattr(table, "ndim", None)
    if dimensions == 2 and (kind == "b" or (kind in ("i", "u") and ((table == 0) | (table == 1)).all())):
        # An array of numpy: looked through by line, not by cell.
        return [line.nonzero()[0].tolist() for line in table], int(table.shape[1])
    if hasattr(table, "tolist"):
        table = table.tolist()
    lines = [
        list(_iterate(line, f"line {number} of the {what} indicators"))
        for number, line in enumerate(_iterate(table, f"the {what} indicators"))
    ]
    widths = {len(line) for line in lines}
    if len(widths) > 1:
        raise InputError(f"the {what} indicators are ragged: lines of length {min(widths)} and {max(widths)}")
    for line in lines:
        for mark in line:
            if type(mark).__name__ not in ("bool_", "bool") and not (isinstance(mark, int) and mark in (0, 1)):
                raise InputError(f"the {what} indicators hold {_show(mark)}; expected True or False")
    return [[index for index, mark in enumerate(line) if mark] for line in lines], max(widths, default=0)


def _json_bicluster(number: int, entry: Any) -> tuple[Any, Any]:
    if not isinstance(entry, Mapping) or set(entry) != {"rows", "cols"}:
        raise InputError(f'bicluster {number} must be an object with "rows" and "cols", not {_show(entry)}')
    for key in ("rows", "cols"):
        if not isinstance(entry[key], list):
            raise InputError(f'"{key}" of bicluster {number} must be a list of integers, not {_show(entry[key])}')
    return entry["rows"], entry["cols"]
