"""Proofs that a measure satisfies a condition for every size, in every context.

The one function to call is :func:`metaeval.proving.prover.prove`. It needs python-flint, the extra ``proofs``.
"""
