"""Lutov, Khayati & Cudré-Mauroux 2019: Omega, mean F₁ and NMI on the four samples of Amigó et al."""

from collections.abc import Callable
from fractions import Fraction

from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.core.relation import ScoreValue
from metaeval.literature.amigo2009 import SAMPLES, sample
from metaeval.literature.source import SATISFIES, VIOLATES, Column, Compliance, Equation, GoldenTable, Source

_PAPER = "github.com/eXascaleInfolab/xmeasures"
_CONDITIONS = ("A.1", "A.2", "A.3", "A.4")
#: What they look at: clusterings and classes that are partitions of the same objects.
_PICTURED = ("canonical",)

TABLE_5 = Compliance(
    name="Table V",
    place=f"{_PAPER}, Table V (on the samples)",
    conditions=_CONDITIONS,
    marks={"omega": "++··", "soft-omega": "++··", "f1h": "·+·+", "f1p": "++·+", "nmi-max": "+··+"},
    meaning={"+": ((SATISFIES, _PICTURED),), "·": ((VIOLATES, _PICTURED),)},
    legend="+ the measure satisfies the condition, · it does not. The source looked at the four samples alone. It has "
    "one row for both forms of Omega, and one for GNMI, which approximates NMI.",
)

_PRINTED = {
    "Table II": {"omega": "0.247 0.282 0.244 0.311 0.4 0.4 0.804 0.804"},
    "Table III": {
        "f1a": "0.646 0.646 0.639 0.663 0.641 0.630 0.795 0.936",
        "f1h": "0.646 0.646 0.639 0.660 0.639 0.630 0.795 0.935",
        "f1p": "0.665 0.672 0.686 0.703 0.693 0.693 0.819 0.942",
    },
    "Table IV": {"nmi-max": "0.450 0.555 0.546 0.546 0.434 0.434 0.781 0.888"},
}
# One row is printed for both forms.
_PRINTED["Table II"]["soft-omega"] = _PRINTED["Table II"]["omega"]


def _samples(name: str) -> GoldenTable:
    """A table of the paper with the four samples as its columns."""
    rows = {id: scores.split() for id, scores in _PRINTED[name].items()}
    columns = (
        sample(each, {id: (scores[2 * at], scores[2 * at + 1]) for id, scores in rows.items()})
        for at, each in enumerate(SAMPLES)
    )
    note = "Each pair of scores is for low and high. *Emphasised*: not strictly rising."
    return GoldenTable(name, tuple(rows), tuple(columns), note, ("low", "high"))


def _against(found: list[set[int]]) -> Side:
    """Clusters of the four elements of Table I, counted from 1, against its categories."""
    families = ([[one - 1 for one in cluster] for cluster in family] for family in (found, _CATEGORIES))
    return Side(*map(Biclustering.lifted, families))


_CATEGORIES = [{1, 2, 3}, {2, 3, 4}, {3, 4, 1}, {4, 1, 2}]
_TABLE_1 = GoldenTable(
    name="Table I",
    rows=("omega", "soft-omega"),
    columns=(
        Column(
            "low and high",
            (_against([{1, 2}, {3, 4}]), _against([{1, 2}, {2, 3}, {3, 4}, {4, 1}])),
            {"omega": ("0", "0"), "soft-omega": ("0", "0.33")},
        ),
    ),
    note="Four overlapping categories. *Emphasised*: not strictly rising.",
    sides=("low", "high"),
    first=1,
    decimals=2,
)


def _best_matches(clusters: Biclustering, others: Biclustering) -> Fraction:
    """Eq. 7 as printed: the mean, each cluster counting once, of the F₁ of its best match."""
    best = [max(Fraction(2 * len(rows & other), len(rows) + len(other)) for other, _ in others) for rows, _ in clusters]
    return sum(best, Fraction()) / len(best)


def f1a_as_printed(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """Eq. 6 with Eq. 7: the mean of both sides' unweighted means."""
    return (_best_matches(candidate, gold) + _best_matches(gold, candidate)) / 2


def f1h_as_printed(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """Eq. 8 with Eq. 7: the harmonic mean of both sides' unweighted means."""
    precision, recall = _best_matches(candidate, gold), _best_matches(gold, candidate)
    return 2 * precision * recall / (precision + recall)


def _unweighted(measure: str, function: Callable[[Biclustering, Biclustering], ScoreValue]) -> Equation:
    says, meant = "a mean in which every cluster counts once", "a mean weighted by the size of the clusters"
    return Equation(measure, "Eq. 7", says, meant, function)


SOURCE = Source(
    id="lutov2019",
    called="Lutov et al. 2019",
    citation=f"Lutov et al. 2019, {_PAPER}",
    introduction="Accuracy Evaluation of Overlapping and Multi-resolution Clustering Algorithms on Large Datasets, "
    f"by Lutov, Khayati & Cudré-Mauroux, read at {_PAPER}, docs/xmeasures.pdf. Its categories are our classes.",
    measures=("omega", "soft-omega", "f1a", "f1h", "f1p", "nmi-max"),
    conditions=_CONDITIONS,
    claims=tuple(TABLE_5.claims()),
    compliance=TABLE_5,
    tables=(_TABLE_1, *map(_samples, _PRINTED)),
    equations=(_unweighted("f1a", f1a_as_printed), _unweighted("f1h", f1h_as_printed)),
)
