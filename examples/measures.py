"""Two measures to check: an equation that keeps every condition in its canonical reading, and a flawed function."""

from metaeval.equations import Equation, c, cells, g, meetings, n

#: For a cluster and a class that share n of their g and c cells: n times their Jaccard index, over all covered cells.
mine = Equation(meetings(n**2 / (g + c - n)) / cells(1), empty=1, domain="disjoint")


def flawed(candidate, gold):
    """The share of the gold standard's cells that the candidate covers: it cannot see which cluster covers a cell."""
    found, wanted = ({(row, col) for rows, cols in side for row in rows for col in cols} for side in (candidate, gold))
    return len(found & wanted) / len(wanted) if wanted else float(not found)
