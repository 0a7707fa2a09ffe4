"""The command line: ``metaeval``."""

from metaeval.cli.dispatch import main

__all__ = ["main"]
