"""The checker of proofs: it shares no code with the prover, and derives everything anew."""
