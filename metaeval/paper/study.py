"""The paper's Table 1 and its claims, recomputed: arXiv:1512.00228.

Typed in here is only what the paper prints: its two pairs of biclusterings, its scores, its claims. What
becomes of them is computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from metaeval.cases import WORSE, Case, ScoreValue, Side, broken
from metaeval.condition import conditions, find_condition
from metaeval.engine.evaluation import evaluate
from metaeval.evidence.certificates import score_to_json, side_to_json
from metaeval.evidence.classification import classify
from metaeval.evidence.results import Results
from metaeval.measuring import find_measure
from metaeval.model import Biclustering
from metaeval.paper.claims import CLAIMS, fate
from metaeval.session import run

_FEATURES = range(3)
_OBJECTS = 9


class PrintedPair(NamedTuple):
    """A column of Table 1: the pair, the condition it is filed under, and the scores as printed."""

    name: str
    filed_under: str
    left: Sequence[Sequence[int]]
    right: Sequence[Sequence[int]]
    gold: Sequence[Sequence[int]]
    printed: dict[str, tuple[str, str]]

    @property
    def case(self) -> Case:
        """The pair as a case; the paper counts objects from 1."""

        def lifted(clusters: Sequence[Sequence[int]]) -> Biclustering:
            return Biclustering.lifted(
                [[one - 1 for one in cluster] for cluster in clusters], _FEATURES, (_OBJECTS, len(_FEATURES))
            )

        gold = lifted(self.gold)
        return Case(Side(lifted(self.left), gold), Side(lifted(self.right), gold))


TABLE_1 = (
    PrintedPair(
        name="Homogeneity",
        filed_under="A.1",
        left=[[1], [2], [3, 4, 5], [7, 8, 9], [6]],
        right=[[1, 2], [3, 4, 5], [7, 8, 9], [6]],
        gold=[range(1, 7), [7, 8], [9]],
        printed={"ce": ("0.556", "0.556"), "rnia": ("1.000", "1.000"), "e4sc": ("0.544", "0.606")},
    ),
    PrintedPair(
        name="Rag Bag",
        filed_under="A.3",
        left=[range(1, 5), range(5, 10)],
        right=[range(1, 6), range(6, 10)],
        gold=[[1], [2], [3], [4], [5], range(6, 10)],
        printed={"ce": ("0.556", "0.556"), "rnia": ("1.000", "1.000"), "e4sc": ("0.543", "0.533")},
    ),
)
#: The measures of Table 1, and the paper's own, which its table leaves out.
ROWS = ("ce", "rnia", "e4sc", "mocice")


def paper(results: Results) -> dict[str, Any]:
    """Everything the paper says that can be checked, beside what was found, as data."""
    return {
        "schema": "metaeval.paper/1",
        "source": "arXiv:1512.00228",
        "table": [_row(id) for id in ROWS],
        "pairs": [_pair(pair) for pair in TABLE_1],
        "claims": [_claim(claim._asdict(), results) for claim in CLAIMS],
        "theorem_1": theorem_1(),
        "slips": [*_filed_elsewhere(), *_misprints(), *proof_of_b1(), *_typed_slips()],
        "results": results.to_json(),
    }


def claimed_results(**options: Any) -> Results:
    """Results on what is claimed and nothing else, found anew; options as for :func:`metaeval.run`."""
    wanted: dict[tuple[str, ...], list[str]] = {}
    for measure in dict.fromkeys(claim.measure for claim in CLAIMS):
        claimed = tuple(claim.condition for claim in CLAIMS if claim.measure == measure)
        wanted.setdefault(claimed, []).append(measure)
    found = [run(measures, ids, **options) for ids, measures in wanted.items()]
    merged = Results(found[0].provenance)
    for results in found:
        merged.measures.update(results.measures)
        merged.conditions.update(results.conditions)
    order = list(conditions())
    merged.conditions = dict(sorted(merged.conditions.items(), key=lambda item: order.index(item[0])))
    for results in found:
        for cell in results:
            merged.add(cell)
    return merged


def _row(id: str) -> dict[str, Any]:
    measure = find_measure(id)
    columns = []
    for pair in TABLE_1:
        scores = [evaluate(measure, side) for side in pair.case]
        fails = broken(WORSE, scores[0], scores[1], measure.optimum) is not None
        printed = pair.printed.get(id)
        columns.append(
            {
                "pair": pair.name,
                "scores": [score_to_json(score) for score in scores],
                "rounded": [rounded(score) for score in scores],
                "fails": fails,
                "printed": printed and list(printed),
                "differs": printed is not None and [rounded(score) for score in scores] != list(printed),
            }
        )
    return {"measure": id, "name": measure.name, "columns": columns}


def rounded(score: ScoreValue) -> str:
    """Three decimals, rounded from the exact value."""
    return f"{float(round(Fraction(score), 3)):.3f}"


def _pair(pair: PrintedPair) -> dict[str, Any]:
    return {
        "name": pair.name,
        "filed_under": pair.filed_under,
        "instance_of": [[condition, reading] for condition, reading in classify(pair.case)],
        "left": side_to_json(pair.case.left),
        "right": side_to_json(pair.case.right),
    }


def _claim(claim: dict[str, str], results: Results) -> dict[str, Any]:
    readings = {}
    for name in find_condition(claim["condition"]).readings:
        key = (claim["measure"], claim["condition"], name)
        if key in results:
            verdict = str(results.cell(*key).verdict)
            readings[name] = {"verdict": verdict, "fate": fate(claim["says"], verdict)}
    fates = {reading["fate"] for reading in readings.values()}
    return {**claim, "readings": readings, "fate": _overall(claim["says"], fates)}


def _overall(says: str, fates: set[str]) -> str:
    """One word for all readings: a counterexample under any reading settles the claim."""
    if says == "violates":
        return "confirmed" if "confirmed" in fates else "unconfirmed"
    if "refuted" in fates:
        return "refuted" if fates == {"refuted"} else "refuted in part"
    return "confirmed" if fates == {"confirmed"} else "unconfirmed"


# --- Theorem 1 --------------------------------------------------------------------------------------


def theorem_1(objects: int = 3, features: int = 2) -> dict[str, Any]:
    """MOCICE of clusterings lifted to some features against CICE of them, on all small cases of A.5."""
    mocice, cice = find_measure("mocice"), find_measure("cice")
    pairs = differences = 0
    for reading in ("canonical", "overlapping"):
        for count in range(1, objects + 1):
            for case in find_condition("A.5").reading(reading).enumerate_(count):
                clusterings = [[rows for rows, _ in part] for part in case.left]
                if any(len(cols) > 1 or 0 not in cols for part in case.left for _, cols in part):
                    continue
                pairs += 1
                lifted = [Biclustering.lifted(family, range(features)) for family in clusterings]
                differences += mocice.exact(*lifted) != cice.exact(*case.left)
    return {"pairs": pairs, "objects": objects, "features": features, "differences": differences}


# --- slips ------------------------------------------------------------------------------------------


def _filed_elsewhere() -> list[dict[str, Any]]:
    """Pairs that are no instance of the condition they are filed under."""
    slips = []
    for pair in TABLE_1:
        instances = classify(pair.case)
        if pair.filed_under not in {condition for condition, _ in instances}:
            others = " and ".join(dict.fromkeys(f"{id} {find_condition(id).name}" for id, _ in instances))
            slips.append(
                {
                    "place": f"Table 1, column {pair.name}",
                    "computed": True,
                    "text": f"The pair filed under {pair.filed_under} {find_condition(pair.filed_under).name} is an "
                    f"instance of {others}, and not of {pair.filed_under}: {_difference(pair)}.",
                }
            )
    return slips


def _difference(pair: PrintedPair) -> str:
    """What the right candidate has in place of what, in the paper's numbers."""
    left, right = ({frozenset(cluster) for cluster in side} for side in (pair.left, pair.right))

    def written(clusters: set[frozenset[int]]) -> str:
        return " and ".join("{" + ", ".join(map(str, sorted(one))) + "}" for one in sorted(clusters, key=sorted))

    return f"Ĝ₂ has {written(right - left)} in place of {written(left - right)}"


def _misprints() -> list[dict[str, Any]]:
    """Printed scores that are not the computed ones rounded."""
    slips = []
    for pair in TABLE_1:
        for id, printed in pair.printed.items():
            for side, text in zip(pair.case, printed, strict=True):
                score = Fraction(evaluate(find_measure(id), side))
                if rounded(score) != text:
                    cut = f"{int(score * 1000) / 1000:.3f}"
                    how = "cut, not rounded" if cut == text else "not what the definition gives"
                    slips.append(
                        {
                            "place": f"Table 1, {find_measure(id).name} under {pair.name}",
                            "computed": True,
                            "text": f"{text} is printed for {score} = {float(score):.4f}…: {how} "
                            f"(rounded it is {rounded(score)}).",
                        }
                    )
    return slips


def proof_of_b1(objects: int = 4) -> list[dict[str, Any]]:
    """What the proof of Theorem 2 says of precision and recall, on all small cases of B.1 canonical."""
    precision, recall = find_measure("mocice-precision"), find_measure("mocice-recall")
    cases = lower = 0
    changed: list[Case] = []
    for count in range(1, objects + 1):
        for case in find_condition("B.1").reading("canonical").enumerate_(count):
            cases += 1
            lower += precision.exact(*case.left) < precision.exact(*case.right)
            if recall.exact(*case.left) != recall.exact(*case.right):
                changed.append(case)
    slips = []
    if lower == cases:
        text = (
            f"The proof has precision rise when objects are added; on all {cases} cases of B.1 canonical with up to "
            f"{objects} objects it falls. The inequalities are reversed; the theorem's statement is as intended."
        )
        slips.append({"place": "Theorem 2, proof", "computed": True, "text": text})
    if changed:
        first = min(changed, key=lambda case: case.size)
        left, right = recall.exact(*first.left), recall.exact(*first.right)
        text = (
            f"The proof has recall stay equal; it changes in {len(changed)} of these {cases} cases. The smallest: "
            f"against the gold {_written(first.left.gold)} the candidate {_written(first.right.candidate)} has recall "
            f"{right}, and {_written(first.left.candidate)}, with the object added, has {left}."
        )
        slips.append({"place": "Theorem 2, proof", "computed": True, "text": text})
    return slips


def _written(part: Biclustering) -> str:
    """A family as a reader writes it: rows × columns."""
    return " and ".join(f"{sorted(rows)} × {sorted(cols)}" for rows, cols in part).translate(
        str.maketrans("[]", "{}")
    )


def _typed_slips() -> list[dict[str, Any]]:
    """Slips of wording that no computation finds."""
    return [
        {
            "place": "section 2, under the equation of Rand's index",
            "computed": False,
            "text": "N₀₁ is explained where the equation has N₁₁.",
        },
        {
            "place": "Theorem 5, proof",
            "computed": False,
            "text": "The proof has k copies over the same micro-objects, the condition k copies on fresh ones; the "
            "reading called repeated is the proof's.",
        },
    ]
