"""Where climbs begin: the cases that a measure passed by the least."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf

from metaeval.cases import Case

#: From how many of the narrowest cases the search climbs: by the margin itself, and by that times the objects.
STARTS = {False: 1, True: 2}


@dataclass
class Start:
    """The narrowest cases; ``diluted`` where the margin is taken times the number of objects."""

    diluted: bool
    kept: list[tuple[float, Case]] = field(default_factory=list)
    #: A case must be narrower than this to be kept.
    width: float = inf

    def note(self, width: float, case: Case) -> None:
        """Keep the case."""
        most = STARTS[self.diluted]
        self.kept.append((width, case))
        self.kept.sort(key=lambda entry: entry[0])
        del self.kept[most:]
        if len(self.kept) == most:
            self.width = self.kept[-1][0]


class Starts:
    """All starting points of one measure."""

    def __init__(self) -> None:
        self._starts = [Start(diluted=True), Start(diluted=False)]

    def __iter__(self) -> Iterator[Start]:
        return iter(self._starts)

    def note(self, margin: float, case: Case) -> None:
        """The measure passed a case by this margin; most are wider than what is kept, which is quickly seen."""
        diluted = margin * max(1, case.objects)
        for start in self._starts:
            width = diluted if start.diluted else margin
            if width < start.width:
                start.note(width, case)
