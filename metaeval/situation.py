"""Situations: what a condition is about, with symbols in place of sizes."""
