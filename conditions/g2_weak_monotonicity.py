"""G.2 Weak monotonicity: perfect mergers and perfect splits must not lower the score."""

from metaeval.catalogue.condition import condition
from metaeval.conditions import _readings
from metaeval.conditions.g1_strict_monotonicity import MOVES, READINGS, premise
from metaeval.core.relation import NOT_BETTER
from metaeval.proofs.situation import of_clusterings

condition(
    "G.2",
    name="Weak monotonicity",
    statement=(
        "If two clusters inside one class are merged, or a cluster is split in two so that no class is cut, the score "
        "must not fall."
    ),
    citation=_readings.GOSGENS,
    relation=NOT_BETTER,
    step="after the perfect merger or split",
    premise=premise,
    situations=of_clusterings("rise", moves=MOVES, weak=True),
    readings=READINGS,
)
