"""Counts of a (candidate, gold) pair: what measures are computed from."""
