"""All sources, and the suites of measures and conditions that are made of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from metaeval.catalogue.condition import Condition, conditions
from metaeval.catalogue.measure import Measure, is_own, measures
from metaeval.catalogue.registry import match
from metaeval.core.errors import InputError
from metaeval.literature import amigo2009, gosgens2021, horta2014, lutov2019, mocice2015, scikit_learn
from metaeval.literature.source import Claim, Source

#: The source whose study is shown where none is named.
FIRST = mocice2015.SOURCE
#: In the order in which they are asked for a claim; a new source comes last.
_MODULES = (mocice2015, horta2014, lutov2019, amigo2009, gosgens2021, scikit_learn)
SOURCES: Mapping[str, Source] = MappingProxyType({module.SOURCE.id: module.SOURCE for module in _MODULES})


def find_source(id: str) -> Source:
    """A source by its id, whatever its case."""
    found = match(str(id), SOURCES)
    if found is None:
        raise InputError(f"no source {id!r}; expected one of {', '.join(SOURCES)}")
    return SOURCES[found]


def claimant(measure: str, condition: str, reading: str) -> Source | None:
    """The first source that says something of a cell."""
    return next((one for one in SOURCES.values() if one.claim_on(measure, condition, reading)), None)


def claim_on(measure: str, condition: str, reading: str) -> Claim | None:
    """What that source says."""
    return next(filter(None, (one.claim_on(measure, condition, reading) for one in SOURCES.values())), None)


@dataclass(frozen=True)
class Suite:
    """Measures and conditions by their ids; None stands for all that are registered."""

    name: str
    measures: tuple[str, ...] | None = None
    conditions: tuple[str, ...] | None = None

    def chosen_measures(self) -> list[Measure]:
        """The suite's measures, and all that are not metaeval's own: whoever registers one wants it to be seen."""
        ids = self.measures
        return [one for id, one in measures().items() if ids is None or id in ids or not is_own(one)]

    def chosen_conditions(self) -> list[Condition]:
        ids = self.conditions
        return [one for id, one in conditions().items() if ids is None or id in ids]

    def condition_ids(self) -> list[str]:
        return [condition.id for condition in self.chosen_conditions()]


def _of(source: Source, name: str | None = None) -> Suite:
    return Suite(name or source.id, source.measures, source.conditions)


#: What is run where nothing else is asked for: the first paper's ten conditions for its twelve measures.
PAPER = _of(FIRST, "paper")
#: What anybody asks of a metric first: symmetry, range, a perfect match, and that names do not matter.
SANITY = Suite("sanity", conditions=("S.1", "S.2", "S.3", "S.4"))
#: What one measure is held against where nothing else is asked for.
CHECK = Suite("check", PAPER.measures, (*(PAPER.conditions or ()), *(SANITY.conditions or ())))

_OTHERS = (_of(source) for source in SOURCES.values() if source is not FIRST)
SUITES: Mapping[str, Suite] = MappingProxyType({suite.name: suite for suite in (PAPER, SANITY, *_OTHERS, Suite("all"))})


def find_suite(name: str) -> Suite:
    """A suite by its name, whatever its case."""
    found = match(str(name), SUITES)
    if found is None:
        raise InputError(f"no suite {name!r}; expected one of {', '.join(SUITES)}")
    return SUITES[found]
