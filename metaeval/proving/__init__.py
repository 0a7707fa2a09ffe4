"""Proofs that a measure satisfies a condition for every size, in every context."""
