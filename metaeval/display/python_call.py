"""How Python code calls a measure: lines that work when they are pasted into Python."""

import builtins
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from keyword import iskeyword

from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.files.shown import clean
from metaeval.records.certificate import Certificate
from metaeval.records.described import Calling, DescribedMeasure

_PLAIN_ID = re.compile(r"[A-Za-z0-9._:/-]+\Z")
#: The import that arguments are made with, and their names where they are no biclusterings.
_MADE_WITH = {"biclusterings": ["from metaeval import Biclustering"], "labels": ["from numpy import array"]}
_NAMES = {"labels": ("y_pred", "y_true"), "clusters": ("candidate", "gold")}
#: Names that the lines use: a function that is called so gets another one.
_USED = {*dir(builtins), "Biclustering", "array", "metaeval", "one", "runpy", "sys", "y_pred", "y_true"}
_SIDES = re.compile(r"(candidate|gold|left|right|side)(_|\Z)")
#: A file of such a name hides a module that Python or metaeval needs, or is hidden by it.
_MODULES = {*sys.stdlib_module_names, "click", "flint", "hypothesis", "metaeval", "msgspec", "numpy", "scipy"}


@dataclass(frozen=True)
class Call:
    """How Python code calls a measure: imports, and a call with places for {candidate} and {gold}.

    ``takes`` is what these are, ``noise`` the label of objects in no cluster; ``turned`` is whether the call returns
    the score with the other sign.
    """

    imports: Sequence[str]
    template: str
    takes: str = "biclusterings"
    turned: bool = False
    noise: int | None = None

    def __call__(self, candidate: str, gold: str) -> str:
        return f"print({self.template.format(candidate=candidate, gold=gold)})"

    def mean(self, candidates: str, gold: str) -> str:
        """The mean over a list of candidates."""
        each = self.template.format(candidate="one", gold=gold)
        return f"print(sum({each} for one in {candidates}) / len({candidates}))"

    def written_out(self, side: Side) -> list[str]:
        """The arguments of a function that takes no biclusterings, in lines, and the call."""
        (found, true), (*candidates, gold) = _NAMES[self.takes], (self._argument(one, side.shape[0]) for one in side)
        given = f"[{', '.join(candidates)}]" if side.is_pool else candidates[0]
        return [f"{true} = {gold}", f"{found} = {given}", (self.mean if side.is_pool else self)(found, true)]

    def _argument(self, family: Biclustering, objects: int) -> str:
        if self.takes == "clusters":
            return f"[{', '.join('{' + str(sorted(rows))[1:-1] + '}' for rows, _ in family)}]"
        labels = {row: label for label, (rows, _) in enumerate(family) for row in rows}
        return f"array({[labels.get(row, self.noise) for row in range(objects)]})"


def call_of(certificate: Certificate, measure: DescribedMeasure | None) -> Call:
    """How Python code calls the measure of a certificate: as results describe it, or by its id."""
    said = None if measure is None else measure.calling or Calling.at(measure.target_words)
    if said is None:
        escaped = ascii(clean(certificate.measure)).replace("{", "{{").replace("}", "}}")
        name = f'"{certificate.measure}"' if _PLAIN_ID.match(certificate.measure) else escaped
        ending = ", exact=True" if all(score.exact is not None for score in certificate.scores) else ""
        imports = ["import metaeval", *_MADE_WITH["biclusterings"]]
        return Call(imports, f"metaeval.score({name}, {{candidate}}, {{gold}}{ending})")
    name = said.name if _is_name(said.name) else re.sub(r"\W", "_", f"_{said.name}").strip("_") or "measure"
    root, dot, rest = name.partition(".")
    used = "measure" if root in _USED or _SIDES.match(root) else root
    arguments = ["{gold}", "{candidate}"] if said.gold_first else ["{candidate}", "{gold}"]
    for parameter, value in said.params.items():
        arguments += [f"{parameter}={value!a}".replace("{", "{{").replace("}", "}}")] * _is_name(parameter)
    call = Call([], f"{used}{dot}{rest}({', '.join(arguments)})", said.takes, said.turned, said.noise)
    return replace(call, imports=_imports(said.place, root, used, _MADE_WITH.get(said.takes, [])))


def _imports(place: str, name: str, used: str, others: list[str]) -> list[str]:
    """The lines that import a function and ``others``, in a Python that starts in the folder where a command ran."""
    line = name if name == used else f"{name} as {used}"
    folder, _, file = place.replace("\\", "/").rpartition("/")
    module = file.removesuffix(".py")
    if place.endswith(".json"):
        read = f"{used} = metaeval.Equation.from_json(json.loads(Path({place!a}).read_text()))"
        return ["import json", "from pathlib import Path", "import metaeval", *others, read]
    if not place.endswith(".py"):
        unknown = f"# {used}: your own function"
        return [f"from {place} import {line}" if _is_name(place) else unknown, *others]
    if not module.isidentifier() or iskeyword(module) or module in _MODULES:
        # It is loaded by its path, and its folder comes last: there it hides no other module.
        last = f"sys.path.append({folder!a})"
        return ["import runpy, sys", "sys.path.pop(0)", *others, last, f"{used} = runpy.run_path({place!a})[{name!a}]"]
    if folder:
        return [*others, f"import sys; sys.path.insert(0, {folder!a})", f"from {module} import {line}"]
    return [f"from {module} import {line}  # {file}", *others]


def _is_name(text: str) -> bool:
    return all(part.isidentifier() and not iskeyword(part) for part in text.split("."))
