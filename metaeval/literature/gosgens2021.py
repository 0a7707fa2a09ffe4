"""Gösgens, Tikhonov & Prokhorenkova 2021: which indices of partitions have which properties."""

from metaeval.literature.source import Claim, Shortcoming, Source

_PAPER = "arXiv:1911.04773"
_WHERE = f"{_PAPER}, abstract or introduction, as versions differ"
_ONLY = f"{_WHERE}: only CC and S&S1 have all properties except being a distance"
_ANGLE = f"{_WHERE}: CD has all properties but the exact constant baseline"
_MEASURES = (
    "rand", "adjusted-rand", "jaccard", "wallace", "dice", "correlation", "sokal-sneath", "correlation-distance",
    "nmi", "nmi-max", "fnmi", "vi", "ami-geometric", "purity-f", "bcubed",
)  # fmt: skip
#: Maximal agreement, symmetry, monotonicity, constant baseline; and being a distance.
_BUT_DISTANCE = ("A.5", "S.1", "G.1", "G.4")
_DISTANCE, _BASELINE = "G.3", "G.4"
#: What the source speaks of are partitions. Whether it means trivial ones, too, is not known to us.
_READINGS = {_BASELINE: ("canonical", "non-trivial")}
_BEST = ("correlation", "sokal-sneath")


def _claim(measure: str, condition: str, says: str, place: str) -> Claim:
    return Claim(measure, condition, says, place, readings=_READINGS.get(condition, ("canonical",)))


#: What others fall short of: not what the best ones miss, too, where everything is together or alone.
_FALLEN_SHORT_OF = tuple((id, _READINGS.get(id, ("canonical",))[-1]) for id in _BUT_DISTANCE)

SOURCE = Source(
    id="gosgens2021",
    called="Gösgens et al. 2021",
    citation=f"Gösgens et al. 2021, {_PAPER}",
    introduction="Systematic Analysis of Cluster Similarity Indices: How to Validate Validation Measures, by Gösgens, "
    f"Tikhonov & Prokhorenkova, ICML 2021, {_PAPER}. Of its claims, those are here that its abstract or introduction "
    "makes in words. They are about partitions, and about more properties than are conditions here.",
    measures=_MEASURES,
    conditions=("A.5", "S.1", "G.1", "G.2", "G.3", "G.4"),
    claims=(
        *(_claim(id, condition, "satisfies", _ONLY) for id in _BEST for condition in _BUT_DISTANCE),
        *(_claim(id, _DISTANCE, "violates", _ONLY) for id in _BEST),
        *(
            _claim("correlation-distance", condition, "satisfies", _ANGLE)
            for condition in (*_BUT_DISTANCE, _DISTANCE)
            if condition != _BASELINE
        ),
        _claim("correlation-distance", _BASELINE, "violates", _ANGLE),
    ),
    shortcomings=tuple(Shortcoming(id, _FALLEN_SHORT_OF, _ONLY, others=True) for id in _MEASURES if id not in _BEST),
)
