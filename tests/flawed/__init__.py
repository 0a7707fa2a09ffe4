"""The flaws of :mod:`flaws`, a file for each kind."""
