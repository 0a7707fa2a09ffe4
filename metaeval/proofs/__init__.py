"""Proofs: rules that derive, from an equation and a situation, obligations that can be run."""
