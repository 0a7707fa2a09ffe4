"""A proof as a person would write it: the formula, what is shown of its parts, and why that is enough.

Titled paragraphs of plain text, the same for the terminal, documents and the page.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from metaeval.equations.equation import Equation
from metaeval.equations.equation_text import unicode_text
from metaeval.equations.tree import SUMS
from metaeval.proofs.proof import Proof

_POWERS = "each sum is a fixed power of k times as large. These powers cancel in the score."
_SIGNS = "The sums move as stated. Put into the score, right − left has no negative coefficient, and one is sure."
#: What each scheme concludes from its obligations, and why.
_WHY = {
    "free": "No part of the equation sees the size of the matrix.",
    "scale": f"With k copies of every object and every feature, {_POWERS}",
    "copy": f"With k copies of both sides, {_POWERS}",
    "repeat": f"With every bicluster k times over the same cells, {_POWERS}",
    "swap": "The equation with candidate and gold exchanged is the same equation, up to the order of its parts.",
    "names": "The equation sees counts and sizes only: no name of an object or a feature, and no order.",
    "range": "Each sum lies between 0 and its bound, so the score lies in its range.",
    "itself": "For the gold against itself every sum is at its bound, so the score is the best one.",
    "top": (
        "The score is the best one only where no sum falls short of its bound. Each case has a defect that makes one "
        "fall short."
    ),
    "rise": _SIGNS,
    "fall": f"The cells that the left adds lie in no class. {_SIGNS}",
}
_TRUSTED = (
    "The rules that derived these statements. Each statement was also computed on concrete cases, exactly and without "
    "the rules: on {instances} instances of the reading or more. metaeval verify does all of it again."
)
#: More statements, or longer ones, say nothing to a reader; the file has all of them.
_MOST, _LONGEST = 40, 600
#: Letters are looked for in no more text than this, and for no shorter and no longer parts.
_MOST_TEXT, _PART = 60_000, range(13, 600)
_LETTERS = "ABCDEFGHKLMNPQRSTVWXYZ"
_OPENING = re.compile(r"(\w*)\(|\)")
#: While letters are chosen, a part is one character that no text has.
_MARKS = [chr(0xE000 + k) for k in range(len(_LETTERS))]
#: What may stand around the whole score, a sum or a product, so that it is no part of something else.
_SUM = re.compile(" [+−] ")
_AROUND_SUM = r"(^|[=≤<>:;,] )", r"(?=$| [=≤<>]|[;,)]| (?:stays|rises|falls|does|is)\b)"
_AROUND_PRODUCT = r"(^|[ (])", r"(?![\w·/²³¹⁰⁴-⁹])"


def header_text(equation: Equation) -> str:
    """The conventions of an equation, as one sentence."""
    said = [f"{equation.empty} where both sides are empty"]
    if equation.one_empty is not None:
        said.append(f"{equation.one_empty} where one is")
    if equation.unit == "objects":
        said.append("sizes count objects, and columns are not seen")
    return "; ".join(said)


def proof_facts(proof: Proof) -> list[tuple[str, str]]:
    """A proof as titled paragraphs."""
    whole = unicode_text(proof.equation.expression)
    outside = whole
    while outside != (outside := re.sub(r"\([^()]*\)", "", outside)):
        pass
    before, after = _AROUND_SUM if _SUM.search(outside) else _AROUND_PRODUCT
    score = re.compile(f"{before}{re.escape(whole)}{after}")
    rules: dict[str, list[str]] = {}
    for one in proof.obligations[:_MOST]:
        a, equals, b = one.statement.partition(" = ")
        if equals and a == b:
            continue  # what the rules call two things, a reader calls one
        rules.setdefault(one.rule, []).append(score.sub(r"\1the score", one.statement))
    (formula, *said), parts = _with_letters([whole, *map(_joined, rules.values())])
    sign = "minus " if proof.equation.smaller_is_better else ""
    found = [("score", f"{sign}{formula} ({header_text(proof.equation)})")]
    if parts:
        found.append(("where", "\n".join(f"{letter} = {part}" for letter, part in parts.items())))
    for number, (rule, text) in enumerate(zip(rules, said, strict=True), start=1):
        shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} … (the file has all of it)"
        found.append((f"({number})", f"{rule}: {shown}" if rule else shown))
    if len(proof.obligations) > _MOST:
        found.append(("and", f"{len(proof.obligations) - _MOST} further statements, which the file lists"))
    why = _WHY.get(proof.scheme, "So the condition is kept, whatever the sizes.")
    return [*found, ("therefore", why), ("trusted", _TRUSTED.format(instances=proof.instances))]


def _joined(statements: Sequence[str]) -> str:
    """The statements of one rule; what all of them begin with is said once."""
    first, comma, _ = statements[0].partition(", ")
    opening = first + comma
    if not comma or "(" in opening or not all(one.startswith(opening) for one in statements):
        opening = ""
    return opening + "; ".join(one.removeprefix(opening) for one in statements)


def _with_letters(texts: list[str]) -> tuple[list[str], dict[str, str]]:
    """The texts with letters for the parts that recur, and what the letters stand for, in the order of reading."""
    parts: dict[str, str] = {}
    texts = [re.sub("[\ue000-\uf8ff]", "\ufffd", text) for text in texts]  # no file writes the marks
    for mark in _MARKS if sum(map(len, texts)) <= _MOST_TEXT else ():
        often = Counter(text[start:end] for text in [*texts, *parts.values()] for start, end in _closed(text))
        part, times = max(often.items(), key=lambda item: (item[1] - 1) * len(item[0]), default=("", 0))
        if times < 2:
            break
        texts = [_marked(text, part, mark) for text in texts]
        parts = {other: _marked(text, part, mark) for other, text in parts.items()}
        parts[mark] = part[1:-1] if part.startswith("(") else part
    met = list(dict.fromkeys(mark for text in texts for mark in text if mark in parts))
    for mark in met:  # while it grows: the parts of parts come after them
        met += [inner for inner in parts[mark] if inner in parts and inner not in met]
    letters = str.maketrans(dict(zip(met, _LETTERS, strict=False)))
    meaning = {mark.translate(letters): parts[mark].translate(letters) for mark in met}
    return [text.translate(letters) for text in texts], meaning


def _marked(text: str, part: str, mark: str) -> str:
    """The text with a mark for a part, where that is closed: inside a sum the same words may mean something else."""
    for start, end in reversed([span for span in _closed(text) if text[slice(*span)] == part]):
        text = text[:start] + mark + text[end:]
    return text


def _closed(text: str) -> Iterator[tuple[int, int]]:
    """Where the calls and brackets of a formula stand that are outside of any sum."""
    opened: list[tuple[int, bool]] = []  # where each opens, and whether it or one around it is a sum
    for found in _OPENING.finditer(text):
        if found[0] != ")":
            opened.append((found.start(), found[1] in SUMS or bool(opened and opened[-1][1])))
        elif opened:
            start, _ = opened.pop()
            if not (opened and opened[-1][1]) and found.end() - start in _PART:
                yield start, found.end()
