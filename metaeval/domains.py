"""Which cells a measure is judged on: those whose cases all lie in its domain."""

from __future__ import annotations

#: For every domain the readings of A.1–A.4, of A.5 and of the other conditions that lie inside it.
_DISJOINT = frozenset({"canonical", "literal"})
_EVERY = frozenset({"canonical", "literal", "overlapping", "repeated"})
_NONE: frozenset[str] = frozenset()
_CLUSTERINGS = ("A.1", "A.2", "A.3", "A.4")


def in_domain(domain: str, condition: str, reading: str) -> bool:
    """Whether every case of the condition under the reading lies in the domain.

    ``biclusterings`` is everything; ``disjoint`` leaves out overlap; ``clusterings`` are lifted families of
    objects, covering or not, disjoint or not; ``partitions`` are lifted partitions of the same objects.
    """
    if domain == "disjoint":
        return reading in _DISJOINT
    if domain == "clusterings":
        return reading in (_EVERY if condition in _CLUSTERINGS else {"canonical"} if condition == "A.5" else _NONE)
    if domain == "partitions":
        return reading == "canonical" and condition in (*_CLUSTERINGS, "A.5")
    return True
