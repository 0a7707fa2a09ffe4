"""The first paper, Rosales-Méndez & Ramírez-Cruz 2015: MOCICE-BCubed F₁ and ten conditions."""

from collections.abc import Sequence

from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.literature.source import SECOND_HAND, Claim, Column, GoldenTable, Slip, Source

_PAPER = "arXiv:1512.00228"
_VIA_CICE = "section 3, after Theorem 1: CICE-BCubed F₁ satisfies A.1 to A.5 and Theorem 1 carries that over"
_TABLE = "section 2, Table 1"
_QUOTED = "section 2, quoting Amigó et al. 2009"

_CLAIMS = (
    *(Claim("mocice", f"A.{number}", "satisfies", f"{_PAPER}, {_VIA_CICE}") for number in range(1, 6)),
    *(Claim("mocice", f"B.{i}", "satisfies", f"{_PAPER}, section 3, Theorem {i + 1}") for i in range(1, 6)),
    *(Claim(id, condition, "violates", f"{_PAPER}, {_TABLE}") for id in ("ce", "rnia") for condition in ("A.1", "A.3")),
    Claim("e4sc", "A.1", "satisfies", f"{_PAPER}, {_TABLE} (on the example)"),
    Claim("e4sc", "A.3", "violates", f"{_PAPER}, {_TABLE}"),
    Claim("rand", "A.3", "violates", f"{_PAPER}, {_QUOTED}", SECOND_HAND),
    Claim("rand", "A.4", "violates", f"{_PAPER}, {_QUOTED}", SECOND_HAND),
    Claim("vi", "A.3", "violates", f"{_PAPER}, {_QUOTED}", SECOND_HAND),
)

_FEATURES = range(3)
_OBJECTS = 9
Clusters = Sequence[Sequence[int]]


def _lifted(clusters: Clusters) -> Biclustering:
    """Clusters of objects, which the paper counts from 1, on its features."""
    counted = [[one - 1 for one in cluster] for cluster in clusters]
    return Biclustering.lifted(counted, _FEATURES, (_OBJECTS, len(_FEATURES)))


def _sides(left: Clusters, right: Clusters, gold: Clusters) -> tuple[Side, Side]:
    return Side(_lifted(left), _lifted(gold)), Side(_lifted(right), _lifted(gold))


_TABLE_1 = GoldenTable(
    name="Table 1",
    # The paper's own measure is not in its table.
    rows=("ce", "rnia", "e4sc", "mocice"),
    columns=(
        Column(
            name="Homogeneity",
            filed_under="A.1",
            sides=_sides(
                left=[[1], [2], [3, 4, 5], [7, 8, 9], [6]],
                right=[[1, 2], [3, 4, 5], [7, 8, 9], [6]],
                gold=[range(1, 7), [7, 8], [9]],
            ),
            printed={"ce": ("0.556", "0.556"), "rnia": ("1.000", "1.000"), "e4sc": ("0.544", "0.606")},
        ),
        Column(
            name="Rag Bag",
            filed_under="A.3",
            sides=_sides(
                left=[range(1, 5), range(5, 10)],
                right=[range(1, 6), range(6, 10)],
                gold=[[1], [2], [3], [4], [5], range(6, 10)],
            ),
            printed={"ce": ("0.556", "0.556"), "rnia": ("1.000", "1.000"), "e4sc": ("0.543", "0.533")},
        ),
    ),
    note="Each pair of scores is for Ĝ₁ and Ĝ₂, with X = {1′, 2′, 3′}. *Emphasised*: not strictly rising, so the "
    "condition fails. The last row is not in the paper's table.",
    sides=("Ĝ₁", "Ĝ₂"),
    first=1,
)

SOURCE = Source(
    id="mocice2015",
    called=_PAPER,
    citation=f"Rosales-Méndez & Ramírez-Cruz 2015, {_PAPER}",
    measures=(
        "ce", "ce-multiset", "rnia", "rand", "rand-background", "vi", "e4sc", "bcubed", "mocice", "mocice-precision",
        "mocice-recall", "cice",
    ),
    conditions=("A.1", "A.2", "A.3", "A.4", "A.5", "B.1", "B.2", "B.3", "B.4", "B.5"),
    claims=_CLAIMS,
    tables=(_TABLE_1,),
    slips=(
        Slip("section 2, under the equation of Rand's index", computed=False,
             text="N₀₁ is explained where the equation has N₁₁."),
        Slip("Theorem 5, proof", computed=False,
             text="The proof has k copies over the same micro-objects, the condition k copies on fresh ones; the "
             "reading called repeated is the proof's."),
    ),
)  # fmt: skip
