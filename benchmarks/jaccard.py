"""A measure of some microseconds, such as a user brings: almost all that `metaeval check` takes is its own."""


def jaccard(candidate, gold):
    """Covered cells that both sides share, among those of either."""
    found, true = (
        {(row, col) for rows, cols in side for row in rows for col in cols} for side in (candidate, gold)
    )
    return len(found & true) / len(found | true) if found or true else 1.0
