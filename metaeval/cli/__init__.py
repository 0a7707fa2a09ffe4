"""The command line: ``metaeval``."""

from metaeval.cli.main import COMMANDS, main

__all__ = ["COMMANDS", "main"]
