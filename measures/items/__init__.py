"""Measures item by item: how pure and how complete each cell finds the clusters that hold it."""
