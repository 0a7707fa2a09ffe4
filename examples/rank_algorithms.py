"""Rank two biclustering algorithms with seven measures that disagree: ``python examples/rank_algorithms.py``.

The data hold three biclusters on a background. ``SpectralCoclustering``, set to two biclusters, finds one and merges
the other two. ``SpectralBiclustering``, set to a checkerboard of three by three, finds the three exactly and reports
the background as six more. The measures disagree on which result is better. The conditions show
which measures to trust.
"""

from __future__ import annotations

from pathlib import Path

from sklearn.cluster import SpectralBiclustering, SpectralCoclustering
from sklearn.datasets import make_biclusters

import metaeval

MEASURES = ["ce", "rnia", "e4sc", "rand", "vi", "bcubed", "mocice"]
RESULTS = Path(__file__).resolve().parent.parent / "docs" / "results.json"


def data() -> tuple[metaeval.Biclustering, dict[str, metaeval.Biclustering]]:
    """The gold standard, and the result of each algorithm."""
    matrix, rows, columns = make_biclusters((30, 20), n_clusters=3, noise=5, random_state=1)
    models = {
        "coclustering": SpectralCoclustering(n_clusters=2, random_state=0),
        "checkerboard": SpectralBiclustering(n_clusters=(3, 3), random_state=0),
    }
    found = {}
    for name, model in models.items():
        model.fit(matrix)
        found[name] = metaeval.Biclustering.from_indicators(model.rows_, model.columns_)
    return metaeval.Biclustering.from_indicators(rows, columns), found


def scores() -> dict[str, dict[str, float]]:
    """For each measure, the score of each algorithm."""
    gold, found = data()
    return {id: {name: metaeval.score(id, part, gold) for name, part in found.items()} for id in MEASURES}


def winner(by_algorithm: dict[str, float]) -> str:
    """The algorithm with the larger score."""
    return max(by_algorithm, key=lambda name: by_algorithm[name])


def violated() -> dict[str, list[str]]:
    """For each measure, the conditions it violates under the canonical reading."""
    if RESULTS.exists():
        results = metaeval.Results.load(RESULTS)
    else:
        results = metaeval.run(MEASURES, readings=["canonical"], examples=50, exhaustive=5)
    found: dict[str, list[str]] = {id: [] for id in MEASURES}
    for cell in results:
        if cell.measure in found and cell.reading == "canonical" and cell.verdict == "violated":
            found[cell.measure].append(cell.condition)
    return found


def report() -> str:
    """The table and its conclusion."""
    table, broken = scores(), violated()
    lines = ["measure  coclustering  checkerboard  prefers       violates (canonical)"]
    for id, row in table.items():
        numbers = "  ".join(f"{row[name]:12.3f}" for name in ("coclustering", "checkerboard"))
        lines.append(f"{id:7}  {numbers}  {winner(row):12}  {' '.join(broken[id]) or '-'}")
    sound = [id for id in table if not broken[id]]
    chosen = {winner(table[id]) for id in sound}
    verdict = f"they prefer the {chosen.pop()}" if len(chosen) == 1 else "they disagree"
    return "\n".join([*lines, "", f"Measures that violate nothing here: {', '.join(sound) or 'none'}; {verdict}."])


if __name__ == "__main__":
    print(report())
