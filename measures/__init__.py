"""The measures, one file each; called, the registry of all of them.

``metaeval.measures()`` is an ordered, read-only mapping of every measure by its id: metaeval's own in the order of the
tables, then those of plug-ins and those that the program registered.
"""

from importlib import import_module

from metaeval.measuring import measures
from metaeval.registry import callable_package

#: The order of every table.
FILES = ("ce", "ce_multiset", "rnia", "rand", "vi", "e4sc", "bcubed", "mocice", "cice")

for _file in FILES:
    import_module(f"metaeval.measures.{_file}")

callable_package(__name__, measures)
