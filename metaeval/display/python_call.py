"""How Python code calls a measure: lines that work when they are pasted into Python."""

import builtins
import re
import sys
from collections.abc import Sequence
from keyword import iskeyword
from pathlib import Path
from typing import NamedTuple

from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.files.shown import clean
from metaeval.records.certificate import Certificate
from metaeval.records.described import Calling, DescribedMeasure

_PLAIN_ID = re.compile(r"[A-Za-z0-9._:/-]+\Z")
#: By what a function takes: the names of its arguments in the lines, and the import that makes them.
_MADE = {
    "biclusterings": ("candidates", "gold", ["from metaeval import Biclustering"]),
    "labels": ("y_pred", "y_true", ["from numpy import array"]),
    "clusters": ("candidate", "gold", []),
}
#: Names that the lines use: a function that is called so gets another one.
_USED = {*dir(builtins), "Biclustering", "array", "metaeval", "one", "runpy", "sys", "y_pred", "y_true"}
_USED |= {"candidate", "candidates", "gold", "left", "left_gold", "right", "right_gold"}
#: A file of such a name hides a module that Python or metaeval needs, or is hidden by it.
_MODULES = {*sys.stdlib_module_names, "click", "flint", "hypothesis", "metaeval", "msgspec", "numpy", "scipy"}


class Call(NamedTuple):
    """How Python code calls a measure: imports, a call with places for {candidate} and {gold}, and what these are."""

    imports: Sequence[str]
    template: str
    said: Calling

    def __call__(self, candidate: str, gold: str) -> str:
        return f"print({self.template.format(candidate=candidate, gold=gold)})"

    def written_out(self, side: Side) -> list[str]:
        """The arguments, in lines, and the call; of a pool, the mean over its candidates."""
        found, true, _ = _MADE[self.said.takes]
        if not side.is_pool:
            return [*arguments(side, self.said), self(found, true)]
        each = self.template.format(candidate="one", gold=true)
        return [*arguments(side, self.said), f"print(sum({each} for one in {found}) / len({found}))"]


def arguments(side: Side, said: Calling) -> list[str]:
    """The gold standard and the candidate, or a pool of them, as a function takes them: a line each."""
    found, true, _ = _MADE[said.takes]
    *candidates, gold = (_argument(family, side.shape[0], said) for family in side)
    return [f"{true} = {gold}", f"{found} = " + (f"[{', '.join(candidates)}]" if side.is_pool else candidates[0])]


def _argument(family: Biclustering, objects: int, said: Calling) -> str:
    if said.takes == "biclusterings":
        return repr(family)
    if said.takes == "clusters":
        return f"[{', '.join('{' + str(sorted(rows))[1:-1] + '}' for rows, _ in family)}]"
    labels = {row: label for label, (rows, _) in enumerate(family) for row in rows}
    return f"array({[labels.get(row, said.noise) for row in range(objects)]})"


def call_of(certificate: Certificate, measure: DescribedMeasure) -> Call:
    """How Python code calls the measure of a certificate: as results describe it, or by its id."""
    said = measure.calling or Calling.at(measure.target_words)
    if said is None:
        id = certificate.measure
        name = f'"{id}"' if _PLAIN_ID.match(id) else ascii(clean(id)).replace("{", "{{").replace("}", "}}")
        ending = ", exact=True" if all(score.exact is not None for score in certificate.scores) else ""
        imports = ["import metaeval", "from metaeval import Biclustering"]
        return Call(imports, f"metaeval.score({name}, {{candidate}}, {{gold}}{ending})", Calling(id))
    name = said.name if _is_name(said.name) else re.sub(r"\W", "_", f"_{said.name}").strip("_") or "measure"
    root, dot, rest = name.partition(".")
    used = "measure" if root in _USED else root
    arguments = ["{gold}", "{candidate}"] if said.gold_first else ["{candidate}", "{gold}"]
    for parameter, value in said.params.items():
        arguments += [f"{parameter}={value!a}".replace("{", "{{").replace("}", "}}")] * _is_name(parameter)
    imports = _imports(said.place, root, used, _MADE[said.takes][2])
    return Call(imports, f"{used}{dot}{rest}({', '.join(arguments)})", said)


def _imports(place: str, name: str, used: str, others: list[str]) -> list[str]:
    """The lines that import a function and ``others``, in a Python that starts in the folder where a command ran."""
    line = name if name == used else f"{name} as {used}"
    if place.endswith(".json"):
        read = f"{used} = metaeval.Equation.from_json(json.loads(Path({place!a}).read_text()))"
        return ["import json", "from pathlib import Path", "import metaeval", *others, read]
    if not place.endswith(".py"):
        return [f"from {place} import {line}" if _is_name(place) else f"# {used}: your own function", *others]
    module, hides = place.removesuffix(".py"), Path(place).stem in _MODULES
    if _is_name(module) and not hides and "." not in module:
        return [f"from {module} import {line}  # {place}", *others]
    others = [*["sys.path.pop(0)"] * hides, *others, f"sys.path.insert(0, {str(Path(place).parent)!a})"]
    return ["import runpy, sys", *others, f"{used} = runpy.run_path({place!a})[{name!a}]"]


def _is_name(text: str) -> bool:
    return all(part.isidentifier() and not iskeyword(part) for part in text.split("."))
