"""Other names of measures, as papers and libraries use them. A name with several measures is ambiguous."""

import re
from collections.abc import Iterable

from metaeval.catalogue.registry import match
from metaeval.core.errors import InputError

#: Other names by id. The kind of hyphens, and "index" or "score" at the end, make no difference.
OTHER_NAMES = {
    "ce": "clustering-error", "ce-multiset": "clustering-error", "rand": "ri", "adjusted-rand": "ari",
    "dice": "f1 pairwise-f1 pair-f1 pairwise-f-measure", "wallace": "pairwise-recall pair-recall",
    "fowlkes-mallows": "fm fmi folkes-mallows", "correlation": "cc", "correlation-distance": "cd",
    "sokal-sneath": "ss1 sokal-sneath-1", "vi": "voi variation-of-information", "v-measure": "v vmeasure",
    "entropy": "conditional-entropy", "class-entropy": "conditional-entropy", "mutual-information": "mi mutual-info",
    "nmi": "nmi-arithmetic normalized-mutual-info normalized-mutual-information normalised-mutual-information",
    "nmi-max": "nmi-maximum normalized-mutual-info normalized-mutual-information normalised-mutual-information",
    "ami": "ami-arithmetic adjusted-mutual-info adjusted-mutual-information", "fnmi": "fair-nmi",
    "ami-geometric": "adjusted-mutual-info adjusted-mutual-information", "inverse-purity": "inv-purity",
    "purity-f": "f f1 f1-measure purity-f1", "f-measure": "f f1 f1-measure fmeasure",
    "f1a": "f1 average-f1 mean-f1", "f1h": "f1 average-f1 mean-f1", "ebc": "extended-bcubed extended-b-cubed",
    "bcubed": "b3 b-cubed bcubed-f1 b-cubed-f1 extended-bcubed extended-b-cubed",
    "mocice": "mocice-bcubed mocice-f1", "cice": "cice-bcubed",
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
