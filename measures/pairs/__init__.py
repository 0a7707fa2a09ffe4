"""Measures of pairs of cells, or of objects: whether both sides put the two together."""
