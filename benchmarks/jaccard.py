"""A fast user-defined measure of some microseconds: almost all of the time of `metaeval check` is its own overhead."""


def jaccard(candidate, gold):
    """The share of the cells covered by either side that both sides cover."""
    found, true = ({(row, col) for rows, cols in side for row in rows for col in cols} for side in (candidate, gold))
    return len(found & true) / len(found | true) if found or true else 1.0
