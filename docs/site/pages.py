"""Which pages the site has, where they come from, and where a link between them leads.

The pages stay where readers of the repository look for them. For the site they are copied into one folder, and their
links turned: to a page, to a picture, or to a file that is published as it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

HOME = "README.md"
#: The pages in the order of the table of contents; those without an ending are generated. A page in docs/ that is not
#: named here ends the guide.
CHAPTERS = {
    "First steps": [
        "docs/for-overlapping-clusterings.md",
        "docs/for-a-metrics-library.md",
        "docs/for-a-reviewer.md",
    ],
    "Guide": [
        "docs/tutorial.md",
        "docs/equations.md",
        "docs/inputs.md",
        "docs/which-conditions.md",
        "docs/verdicts.md",
        "docs/proofs.md",
        "docs/files.md",
        "docs/check-a-scikit-learn-metric.md",
        "examples/README.md",
        "docs/platforms.md",
    ],
    "What was found": [
        "docs/what-was-found.md",
        "docs/can-any-measure.md",
        "docs/the-atlas.md",
        "docs/compliance.md",
        "docs/paper.txt",
        "docs/real-bugs.md",
    ],
    "Reference": ["docs/site/api.md", "docs/site/measures", "docs/site/conditions", "docs/site/commands"],
    "Project": ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/performance.md", "CHANGELOG.md"],
}
#: Pages whose file is called otherwise. The matrix makes way for compliance.html, which is published as it is.
NAMES = {HOME: "index", "examples/README.md": "examples", "docs/compliance.md": "matrix"}

#: What the site says above a page's own text.
ABOVE = {
    "docs/compliance.md": "[The compliance page](compliance.html) shows the same as a matrix whose cells open: the "
    "counterexample drawn, both scores as fractions, and the command that re-checks it."
}

_FENCE = re.compile(r"^( *)```.*?^\1```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?P<target>[^()\s]+)\)")
_MARK = re.compile(r'<a id="([^"]+)">')
_OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_PICTURES = {".png", ".svg"}
#: MyST takes a link with this mark as it stands; the others it resolves, and complains where it cannot.
_AS_IT_STANDS = "{.external}"


class DeadLink(Exception):
    """A link to what is not there."""


def name_of(source: str) -> str:
    """What the page of a file is called."""
    return NAMES.get(source) or Path(source).stem.lower()


@dataclass
class Stage:
    """The pages of a repository on their way into a site, and the files that they link to."""

    root: Path
    files: dict[str, str] = field(default_factory=dict)

    @property
    def chapters(self) -> dict[str, list[str]]:
        """The sources of each chapter's pages: those that the repository has, and those that are generated."""
        named = {source for sources in CHAPTERS.values() for source in sources}
        found = {f"docs/{path.name}" for path in (self.root / "docs").glob("*.md")}
        chapters = {
            caption: [source for source in sources if not Path(source).suffix or (self.root / source).is_file()]
            for caption, sources in CHAPTERS.items()
        }
        chapters["Guide"] += sorted(found - named)
        return chapters

    @property
    def sources(self) -> list[str]:
        """Every file that becomes a page."""
        pages = [source for sources in self.chapters.values() for source in sources if Path(source).suffix]
        return [HOME, *pages]

    def page(self, source: str) -> str:
        """The text of a page, in MyST's Markdown."""
        text = (self.root / source).read_text(encoding="utf-8")
        if source.endswith(".txt"):
            return f"# The paper's table and claims, recomputed\n\n```text\n{text}```\n"
        if source in ABOVE:
            title, _, rest = text.partition("\n")
            text = f"{title}\n\n{ABOVE[source]}\n{rest}"
        marked = set(_MARK.findall(text))
        return _outside_fences(
            text, lambda prose: _LINK.sub(lambda link: f"]({self._target(link['target'], source, marked)}", prose)
        )

    def contents(self) -> str:
        """The table of contents, to stand at the end of the home page."""
        return "\n".join(self._contents())

    def _contents(self) -> Iterator[str]:
        for caption, sources in self.chapters.items():
            yield f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n"
            yield from map(name_of, sources)
            yield "```"

    def _target(self, target: str, source: str, marked: set[str]) -> str:
        """What follows the opening parenthesis of a link on a page of the site.

        ``marked`` are the places of the page that carry a mark of their own, besides its headings.
        """
        path, _, anchor = target.partition("#")
        if _OUTSIDE.match(target):
            return f"{target})"
        if not path:
            return f"{target}){_AS_IT_STANDS}" if anchor in marked else f"{target})"
        place = os.path.normpath(Path(source).parent / path)
        after = f"#{anchor}" if anchor else ""
        if place in self.sources or place.removesuffix(".md") in CHAPTERS["Reference"]:
            return f"{name_of(place)}.md{after})"
        if not (self.root / place).is_file():
            raise DeadLink(f"{source} links to {target}, and there is no file {place}")
        published = place.removeprefix("docs/")
        self.files[place] = published
        return f"{published})" if Path(place).suffix in _PICTURES else f"{published}{after}){_AS_IT_STANDS}"


def _outside_fences(text: str, change: Callable[[str], str]) -> str:
    """A text with its prose changed, and its code as it is."""
    changed, end = "", 0
    for fence in _FENCE.finditer(text):
        changed += change(text[end : fence.start()]) + fence[0]
        end = fence.end()
    return changed + change(text[end:])
