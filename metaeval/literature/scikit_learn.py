"""The documentation of scikit-learn: ranges, symmetry and perfect matches of its clustering metrics."""

from typing import NamedTuple

from metaeval.literature.source import DOCUMENTATION, Claim, Source

VERSION = "1.9.1"
_SYMMETRY, _RANGE, _PERFECT, _NAMES = "S.1", "S.2", "S.3", "S.4"
#: What these functions take are partitions.
_PARTITIONS = ("canonical",)


class Documented(NamedTuple):
    """What the docstring of a function says, by the condition that says the same, in its own words."""

    measure: str
    function: str
    words: dict[str, str]

    def claims(self) -> tuple[Claim, ...]:
        place = f"scikit-learn {VERSION}, {self.function}"
        return tuple(
            Claim(self.measure, condition, "satisfies", f"{place}: “{words}”", DOCUMENTATION, _PARTITIONS)
            for condition, words in self.words.items()
        )


_SYMMETRIC = "This metric is furthermore symmetric"
_LABELS = "a permutation of the class or cluster label values won't change the score value"

_UNIT = "Score between 0.0 and 1.0"
_IDENTICAL = "a value of 1 when the two partitions are identical"

DOCSTRINGS = (
    Documented("rand", "rand_score", {
        _RANGE: "Similarity score between 0.0 and 1.0, inclusive", _PERFECT: "1.0 stands for perfect match",
    }),
    Documented("adjusted-rand", "adjusted_rand_score", {
        _SYMMETRY: "ARI is a symmetric measure", _RANGE: "Similarity score between -0.5 and 1.0",
        _PERFECT: "exactly 1.0 when the clusterings are identical",
    }),
    Documented("fowlkes-mallows", "fowlkes_mallows_score", {_RANGE: "The score ranges from 0 to 1"}),
    Documented("mutual-information", "mutual_info_score", {_SYMMETRY: _SYMMETRIC, _NAMES: _LABELS}),
    Documented("v-measure", "v_measure_score", {_SYMMETRY: _SYMMETRIC, _RANGE: _UNIT, _NAMES: _LABELS}),
    Documented("nmi", "normalized_mutual_info_score", {_SYMMETRY: _SYMMETRIC, _RANGE: _UNIT, _NAMES: _LABELS}),
    Documented("ami", "adjusted_mutual_info_score", {_SYMMETRY: _SYMMETRIC, _PERFECT: _IDENTICAL, _NAMES: _LABELS}),
)  # fmt: skip

SOURCE = Source(
    id="scikit-learn",
    called="the documentation of scikit-learn",
    citation=f"scikit-learn {VERSION}, docstrings of sklearn.metrics",
    introduction=f"What the docstrings of sklearn.metrics say in version {VERSION}, held against metaeval's own "
    "measures of the same definition, on partitions.",
    measures=tuple(one.measure for one in DOCSTRINGS),
    conditions=(_SYMMETRY, _RANGE, _PERFECT, _NAMES),
    claims=tuple(claim for one in DOCSTRINGS for claim in one.claims()),
)
