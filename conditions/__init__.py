"""The conditions, one file each; called, the registry of all of them.

``metaeval.conditions()`` is an ordered, read-only mapping of every condition by its id.
"""

from importlib import import_module

from metaeval.catalogue.condition import conditions
from metaeval.catalogue.registry import callable_package

#: The order of every table.
FILES = (
    "a1_homogeneity", "a2_completeness", "a3_rag_bag", "a4_size_versus_quantity", "a5_perfect_match",
    "b1_non_intersection_area", "b2_background_independence", "b3_scale_invariance", "b4_copy_invariance",
    "b5_multiple_coverage", "s1_symmetry", "s2_range", "s3_optimal_match", "s4_names_and_order",
    "g1_strict_monotonicity", "g2_weak_monotonicity", "g3_triangle", "g4_constant_baseline", "h1_spurious_size",
    "h2_coverage", "h3_non_intersecting_area", "h4_multiple_coverage", "h5_repetition", "h6_symmetry", "h7_homogeneity",
    "h8_maximum",
)  # fmt: skip

for _file in FILES:
    import_module(f"metaeval.conditions.{_file}")

callable_package(__name__, conditions)
