"""Proofs that a measure satisfies a condition for every size, in every context.

The one function to call is :func:`metaeval.proving.prover.prove`. It needs python-flint, the extra ``proofs``.

A measure of one's own is followed where it is a function in a file that looks at its two sides through
:func:`metaeval.kernel.overlay.overlay` and comes to its score by sums:

- *totals* of the overlay: ``candidate_covered``, ``gold_covered``, ``shared``, ``union``, ``matrix_cells``,
  ``matching``, ``disagreements``;
- *lists* ``candidate_sizes``, ``gold_sizes``, ``together``, and ``intersections`` line by line, zipped with the sizes;
- over these, loops that add to a variable or a list, comprehensions, ``sum``, ``sum_of_ratios``,
  ``harmonic_mean``; a term may depend on the sizes of its own pair, cluster or class;
- ``+ - * / **``, ``Fraction``, ``min``, ``max`` and comparisons of single numbers, where the answer is the same for all
  sizes; ``if not candidate``; functions of the same folder and lambdas.

What asks for the number of clusters, for the largest over all entries, for the biclusters themselves, or computes with
floats, is refused with a reason, and nothing is said against it. ``measures/items/bcubed.py`` is an example.
"""
