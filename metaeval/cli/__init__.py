"""The command line: ``metaeval``."""

from metaeval.cli.dispatch import COMMANDS, main

__all__ = ["COMMANDS", "main"]
