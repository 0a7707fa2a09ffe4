"""H.6 Symmetry: which of two biclusterings is called the reference must not matter.

S.1 says the same. Here its cases are told apart by whether biclusters overlap, and whether some are degenerate.
"""

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._premise import fits_reading, has_repeats
from metaeval.conditions.s1_symmetry import LISTED, drawn_pairs, enumerate_pairs, from_left, have_changed_places
from metaeval.core.case import Case
from metaeval.core.relation import EQUAL
from metaeval.proofs.situation import of_biclusterings


def premise(case: Case, reading: str) -> bool:
    """Right, candidate and gold have changed places."""
    return have_changed_places(case) and not has_repeats(case) and fits_reading(case, reading)


def strategy(disjoint: bool, proper: bool) -> st.SearchStrategy[Case]:
    """Any pair whose sides differ, exchanged."""
    return drawn_pairs(disjoint).map(_strategy.stretched) if proper else drawn_pairs(disjoint)


condition(
    "H.6", name="Symmetry", statement="The score must be the same when found and reference biclusters change places.",
    citation=_readings.HORTA, relation=EQUAL, step="with found and reference exchanged", premise=premise,
    situations=of_biclusterings("swap", *LISTED), from_left=from_left,
    readings=_readings.fourfold(strategy, enumerate_pairs, LISTED),
)  # fmt: skip
