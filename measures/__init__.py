"""The measures: one file each. Called, this package is the registry: ``metaeval.measures()``."""

from importlib import import_module

from metaeval.measuring import measures
from metaeval.registry import callable_package

#: The order of every table.
FILES = ("ce", "ce_multiset", "rnia", "rand", "vi", "e4sc", "bcubed", "mocice", "cice")

for _file in FILES:
    import_module(f"metaeval.measures.{_file}")

callable_package(__name__, measures)
