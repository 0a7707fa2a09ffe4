"""Records in words and pictures: pure functions."""
