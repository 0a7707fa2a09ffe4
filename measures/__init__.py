"""The measures, one file each, in a folder a family; called, the registry of all of them.

``metaeval.measures()`` is an ordered, read-only mapping of every measure by its id: metaeval's own in the order of the
tables, then those of plug-ins and those that the program registered.
"""

from importlib import import_module

from metaeval.catalogue.measure import measures
from metaeval.catalogue.registry import callable_package

#: The order of every table.
FILES = (
    "cells.ce",
    "cells.ce_multiset",
    "cells.rnia",
    "pairs.rand",
    "information.vi",
    "matching.e4sc",
    "items.bcubed",
    "items.mocice",
    "items.cice",
    "matching.prelic",
    "cells.rnia_multiset",
    "matching.liu_wang",
    "matching.santamaria",
    "matching.weighted",
    "matching.consensus",
    "cells.bozdag",
    "matching.ayadi",
    "matching.eren",
    "pairs.csi",
    "items.ebc",
    "matching.purity",
    "matching.f_measure",
    "matching.edit_distance",
    "information.entropy",
    "information.mutual_information",
    "information.v_measure",
    "information.nmi",
    "information.ami",
    "pairs.jaccard",
    "pairs.dice",
    "pairs.wallace",
    "pairs.fowlkes_mallows",
    "pairs.correlation",
    "pairs.sokal_sneath",
    "pairs.adjusted_rand",
    "pairs.omega",
    "matching.mean_f1",
)

for _file in FILES:
    import_module(f"metaeval.measures.{_file}")

callable_package(__name__, measures)
