"""Measures of matching: each cluster beside the class that is most like it."""
