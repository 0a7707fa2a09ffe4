"""Amigó, Gonzalo, Artiles & Verdejo 2009: the source of A.1 to A.4, with thirteen measures for clusterings."""

from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.literature.source import SECOND_HAND, Claim, Column, GoldenTable, Shortcoming, Source

_PAPER = "doi:10.1007/s10791-008-9066-8"
_CONSTRAINTS = ("A.1", "A.2", "A.3", "A.4")
#: What the paper pictures: clusterings and classes that are partitions of the same objects.
_PICTURED = ("canonical",)
_ABSTRACT = f"{_PAPER}, abstract: only BCubed satisfies all formal constraints"
_QUOTED = f"{_PAPER}, as arXiv:1512.00228 quotes it in section 2"
_MEASURES = (
    "purity", "inverse-purity", "f-measure", "rand", "jaccard", "fowlkes-mallows", "entropy", "class-entropy",
    "mutual-information", "vi", "v-measure", "edit-distance", "bcubed",
)  # fmt: skip

#: The four samples: items written as their class, clusters divided by a stroke; the worse clustering first.
SAMPLES = {
    "Homogeneity": ("A.1", "aaaa/agg/hbdgggg", "aaaa/a/gg/hbdgggg"),
    "Completeness": ("A.2", "aaaa/a/aa/hbdgggg", "aaaa/aaa/hbdgggg"),
    "Rag bag": ("A.3", "pqrs/aaaaz", "pqrsz/aaaa"),
    "Size vs quantity": ("A.4", "aaaaa/b/b/c/c/d/d/e/e", "aaaa/a/bb/cc/dd/ee"),
}


def sample(name: str, printed: dict[str, tuple[str, ...]]) -> Column:
    """A sample with the scores that somebody prints for its two clusterings."""
    condition, low, high = SAMPLES[name]
    return Column(name, (_side(low, low), _side(high, low)), printed, condition)


def _side(written: str, order: str) -> Side:
    """A clustering against its classes; the items of a class are told apart by the order they come in."""
    numbers = {item: number for number, item in enumerate(_items(order))}
    names = iter(_items(written))
    clusters = [[numbers[next(names)] for _ in cluster] for cluster in written.split("/")]
    classes: dict[str, list[int]] = {}
    for (name, _), number in numbers.items():
        classes.setdefault(name, []).append(number)
    return Side(Biclustering.lifted(clusters), Biclustering.lifted(classes.values()))


def _items(written: str) -> list[tuple[str, int]]:
    """Every item as its class and its number within it."""
    names = written.replace("/", "")
    return [(name, names[:at].count(name)) for at, name in enumerate(names)]


_BCUBED = {
    "Homogeneity": ("0.6433", "0.6946"),
    "Completeness": ("0.7039", "0.7232"),
    "Rag bag": ("0.6567", "0.7143"),
    "Size vs quantity": ("0.8182", "0.9344"),
}

SOURCE = Source(
    id="amigo2009",
    called="Amigó et al. 2009",
    citation=f"Amigó et al. 2009, {_PAPER}",
    introduction="A comparison of extrinsic clustering evaluation metrics based on formal constraints, Information "
    f"Retrieval 12, {_PAPER}. Its table of measures and constraints could not be read, so nothing is claimed of a "
    "measure and a constraint but what the abstract and others say; the verdicts are there all the same.",
    measures=_MEASURES,
    conditions=_CONSTRAINTS,
    claims=(
        *(Claim("bcubed", id, "satisfies", _ABSTRACT, readings=_PICTURED) for id in _CONSTRAINTS),
        Claim("rand", "A.3", "violates", _QUOTED, SECOND_HAND, _PICTURED),
        Claim("rand", "A.4", "violates", _QUOTED, SECOND_HAND, _PICTURED),
        Claim("vi", "A.3", "violates", _QUOTED, SECOND_HAND, _PICTURED),
    ),
    shortcomings=tuple(
        Shortcoming(id, tuple((each, *_PICTURED) for each in _CONSTRAINTS), _ABSTRACT)
        for id in _MEASURES
        if id != "bcubed"
    ),
    tables=(
        GoldenTable(
            name="BCubed on the four samples",
            rows=("bcubed",),
            columns=tuple(sample(name, {"bcubed": scores}) for name, scores in _BCUBED.items()),
            note="The samples are the paper's; their scores are handed down, and were not seen in the paper itself.",
            sides=("low", "high"),
            decimals=4,
            status=SECOND_HAND,
        ),
    ),
)
