"""Other names of measures, as papers and libraries use them. A name with several measures is ambiguous."""

import re
from collections.abc import Iterable

from metaeval.catalogue.registry import match
from metaeval.core.errors import InputError

#: Other names by id. The kind of hyphens, and "index" or "score" at the end, make no difference.
OTHER_NAMES = {
    "rand": "ri", "adjusted-rand": "ari", "fowlkes-mallows": "fm fmi folkes-mallows", "wallace": "pairwise-recall",
    "dice": "f1 pairwise-f1 pair-f1", "correlation": "cc", "correlation-distance": "cd", "sokal-sneath": "ss1",
    "entropy": "conditional-entropy", "class-entropy": "conditional-entropy", "v-measure": "v vmeasure",
    "vi": "voi variation-of-information", "mutual-information": "mi mutual-info", "fnmi": "fair-nmi",
    "nmi": "nmi-arithmetic normalized-mutual-info normalized-mutual-information normalised-mutual-information",
    "nmi-max": "nmi-maximum normalized-mutual-info normalized-mutual-information normalised-mutual-information",
    "ami": "ami-arithmetic adjusted-mutual-info adjusted-mutual-information",
    "ami-geometric": "adjusted-mutual-info adjusted-mutual-information", "inverse-purity": "inv-purity",
    "purity-f": "f f1 f1-measure purity-f1", "f-measure": "f f1 f1-measure fmeasure", "f1a": "f1 average-f1 mean-f1",
    "f1h": "f1 average-f1 mean-f1", "bcubed": "b3 b-cubed bcubed-f1 extended-bcubed", "ebc": "extended-bcubed",
    "ce": "clustering-error", "ce-multiset": "clustering-error", "mocice": "mocice-bcubed", "cice": "cice-bcubed",
}  # fmt: skip


def resolved(text: str, ids: Iterable[str]) -> str:
    """The id that a name means; the name itself where it means none, and an error where it can mean several."""
    ids, name = list(ids), re.sub(r"[\s_-]+", "-", text.casefold()).removesuffix("-score").removesuffix("-index")
    if (found := match(text, ids) or match(name, ids)) is not None:
        return found
    meant = [id for id in ids if name in OTHER_NAMES.get(id, "").split()] or [text]
    if len(meant) > 1:
        raise InputError(f"{text!r} can mean {', '.join(meant[:-1])} or {meant[-1]}; name one of these ids")
    return meant[0]
