"""Liu and Wang's match score: rows and columns shared, counted together."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.best_match import rows_and_columns, shared_lines
from metaeval.kernel.overlay import largest, sum_of_ratios


@measure("liu-wang", name="Liu & Wang", low=0, citation="Liu & Wang 2007, doi:10.1093/bioinformatics/btl560")
def liu_wang(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """How many rows and columns each bicluster shares with its best counterpart, of those that either has.

        L&W = mean over G of max over C of (|R ∩ R′| + |S ∩ S′|) / (|R ∪ R′| + |S ∪ S′|)

    with R and S the rows and columns of G, and R′ and S′ those of C.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> liu_wang(Biclustering([({0, 1}, {0})]), Biclustering([({1, 2}, {0})]))
    Fraction(1, 2)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    rows, cols = map(shared_lines, rows_and_columns(candidate), rows_and_columns(gold))
    sizes = [len(R) + len(S) for R, S in gold]
    best = [
        largest([(0, 1), *((n, len(R) + len(S) + sizes[j] - n) for j, n in (rows[R] + cols[S]).items())])
        for R, S in candidate
    ]
    return sum_of_ratios(best, over=len(candidate))
