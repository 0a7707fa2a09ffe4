"""How Python code calls a measure: lines that work when they are pasted into Python."""

import builtins
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from keyword import iskeyword

from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.files.shown import clean
from metaeval.records.certificate import Certificate
from metaeval.records.described import Calling, DescribedMeasure

_PLAIN_ID = re.compile(r"[A-Za-z0-9._:/-]+\Z")
#: The import of what the arguments of a call are made of.
_MADE_OF = {"biclusterings": ["from metaeval import Biclustering"], "labels": ["from numpy import array"]}
#: Names that the lines use; a function of such a name gets another one.
_USED = {*dir(builtins), "Biclustering", "array", "metaeval", "one", "runpy", "sys"}
_SIDES = re.compile(r"(candidate|gold|left|right|first|second|third)(_|\Z)")
#: A file of such a name hides a module that metaeval or Python needs, or is hidden by it.
_MODULES = {*sys.stdlib_module_names, "metaeval", "click", "flint", "hypothesis", "msgspec", "numpy", "scipy"}


@dataclass(frozen=True)
class Call:
    """How Python code calls a measure: imports, and a call with places for {candidate} and {gold}.

    ``takes`` is what these are, ``turned`` whether what is returned is the score with the other sign.
    """

    imports: Sequence[str]
    template: str
    takes: str = "biclusterings"
    turned: bool = False

    def __call__(self, candidate: str, gold: str) -> str:
        return f"print({self.template.format(candidate=candidate, gold=gold)})"

    def mean(self, candidates: str, count: str, gold: str) -> str:
        """The mean over a list of candidates."""
        each = self.template.format(candidate="one", gold=gold)
        return f"print(sum({each} for one in {candidates}) / {count})"

    def written_out(self, side: Side) -> str:
        """The call with the arguments in it, for a function that does not take biclusterings."""
        *candidates, gold = (_argument(family, side.shape[0], self.takes) for family in side)
        if side.is_pool:
            return self.mean(f"[{', '.join(candidates)}]", str(len(candidates)), gold)
        return self(candidates[0], gold)


def _argument(family: Biclustering, objects: int, takes: str) -> str:
    """A clustering as label vectors have it, or as a list of sets."""
    if takes == "clusters":
        sets = (", ".join(map(str, sorted(rows))) for rows, _ in family)
        return f"[{', '.join(f'{{{members}}}' for members in sets)}]"
    vector = [-1] * objects
    for label, (rows, _) in enumerate(family):
        for row in rows:
            vector[row] = label
    return f"array({vector})"


def call_of(certificate: Certificate, measure: DescribedMeasure | None) -> Call:
    """How Python code calls the measure of a certificate: by its id, or as a file describes it."""
    said = None if measure is None else measure.calling or Calling.at(measure.target_words)
    if said is not None:
        return _by_name(said)
    escaped = ascii(clean(certificate.measure)).replace("{", "{{").replace("}", "}}")
    name = f'"{certificate.measure}"' if _PLAIN_ID.match(certificate.measure) else escaped
    exact = all(score.exact is not None for score in certificate.scores)
    ending = ", exact=True" if exact else ""
    imports = ["import metaeval", *_MADE_OF["biclusterings"]]
    return Call(imports, f"metaeval.score({name}, {{candidate}}, {{gold}}{ending})")


def _by_name(said: Calling) -> Call:
    """How a function is called that has no id."""
    name = said.name if _is_dotted(said.name) else re.sub(r"\W+", "_", f"_{said.name}").strip("_") or "measure"
    root, dot, rest = name.partition(".")
    used = "measure" if root in _USED or _SIDES.match(root) else root
    arguments = ["{gold}", "{candidate}"] if said.gold_first else ["{candidate}", "{gold}"]
    roles = said.names or (["y_true", "y_pred"] if said.takes == "labels" else [one[1:-1] for one in arguments])
    # Biclusterings are variables, whose names say enough.
    if said.takes != "biclusterings" and said.names and all(map(_is_dotted, said.names)):
        arguments = [f"{role}={argument}" for role, argument in zip(said.names, arguments, strict=True)]
    for parameter, value in (said.params or {}).items():
        arguments += [f"{parameter}={value!a}".replace("{", "{{").replace("}", "}}")] * _is_dotted(parameter)
    imports = _imports(said.place, root, used, _MADE_OF.get(said.takes, []))
    unknown = [f"# {used}: your function of ({', '.join(map(clean, roles))})", *_MADE_OF.get(said.takes, [])]
    return Call(imports or unknown, f"{used}{dot}{rest}({', '.join(arguments)})", said.takes, said.turned)


def _imports(place: str, name: str, used: str, others: list[str]) -> list[str]:
    """The lines that import a function and ``others``; none where a place can hold no function.

    They work in a Python that was started in the folder from which the place is named.
    """
    if place.endswith(".json"):
        read = f"{used} = metaeval.Equation.from_json(json.loads(Path({place!a}).read_text()))"
        return ["import json", "from pathlib import Path", "import metaeval", *others, read]
    line = name if name == used else f"{name} as {used}"
    if not place.endswith(".py"):
        return [f"from {place} import {line}", *others] if _is_dotted(place) else []
    folder, _, file = place.replace("\\", "/").rpartition("/")
    module = file.removesuffix(".py")
    if not _is_dotted(module) or "." in module or module in _MODULES:
        # Loaded by its path; its folder comes last, so that it hides no other module.
        moved = f"sys.path += [sys.path.pop(0){f', {folder!a}' if folder else ''}]"
        return ["import runpy, sys", moved, *others, f"{used} = runpy.run_path({place!a})[{name!a}]"]
    if folder:
        return [*others, f"import sys; sys.path.insert(0, {folder!a})", f"from {module} import {line}"]
    return [f"from {module} import {line}  # {file}", *others]


def _is_dotted(name: str) -> bool:
    """Whether a text is a name in Python, or several with dots."""
    return all(part.isidentifier() and not iskeyword(part) for part in name.split("."))
