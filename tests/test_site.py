"""The site: it builds without a warning, describes all there is, and no link on it leads nowhere."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import metaeval
from metaeval.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
BUILD = "docs/site/build.py"
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").glob("*.md")]
#: What a browser fetches by itself, as opposed to what a reader follows.
LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}


class Page(HTMLParser):
    """The links of a page, the files that it loads, and the places that can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.places.add(value)
            if name in ("href", "src") and value is not None:
                (self.loaded if (tag, name) in LOADED else self.links).append(value)


def complaints(site: Path) -> Iterator[str]:
    """What is wrong with the links of a site, page by page."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    for path, page in pages.items():
        for link in [*page.links, *page.loaded]:
            wrong = _wrong(link, path, pages)
            if wrong:
                yield f"{path.relative_to(site)}: {link}: {wrong}"
        for link in page.loaded:
            if urlsplit(link).netloc:
                yield f"{path.relative_to(site)}: {link}: loaded from elsewhere"


def _wrong(link: str, path: Path, pages: dict[Path, Page]) -> str | None:
    parts = urlsplit(link)
    if parts.scheme in ("http", "https"):
        return None if re.fullmatch(r"[\w.-]+\.[a-z]{2,}(:\d+)?", parts.netloc) else "no host"
    if parts.scheme:
        return None if parts.scheme in ("data", "mailto") else "no scheme for a site"
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return "no such file"
    place = unquote(parts.fragment)
    if place and target in pages and place not in pages[target].places:
        return "no such place"
    return None


def build(out: Path, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, BUILD, str(out), str(root)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of all pages, to be spoilt; the two longest are cut, so that it is built soon."""
    copy = tmp_path / "checkout"
    for folder in ("docs", "examples"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [*ROOT.glob("*.md"), ROOT / "CITATION.cff"]:
        shutil.copy(path, copy)
    for page in ("compliance.md", "site/api.md"):
        (copy / "docs" / page).write_text("# Cut\n", encoding="utf-8")
    return copy


def test_the_site_is_whole(tmp_path: Path) -> None:
    """One test, since what it looks at is built once: links, what is described, and what is published."""
    site = tmp_path / "site"
    done = build(site)
    assert (done.returncode, done.stderr) == (0, "")
    assert list(complaints(site)) == []
    places = {path.stem: Page(path.read_text(encoding="utf-8")).places for path in site.glob("*.html")}
    for name in metaeval.__all__:
        assert {f"metaeval.{name}", f"module-metaeval.{name}"} & places["api"], name
    own = [id for id, one in metaeval.measures().items() if one.function.__module__.startswith("metaeval.")]
    assert set(own) <= places["measures"]
    equations = (site / "measures.html").read_text(encoding="utf-8").count('<div class="equation ')
    assert equations == len(own), "an equation in a measure's docstring is indented"
    assert {f"condition-{id.lower().replace('.', '')}" for id in metaeval.conditions()} <= places["conditions"]
    assert {f"metaeval-{name}" for name in COMMANDS} <= places["commands"]
    assert {path.stem for path in PAGES} - {"README", "compliance"} <= {
        *places, *(stem.upper() for stem in places)
    }  # fmt: skip
    assert (site / "compliance.html").read_bytes() == (ROOT / "docs" / "compliance.html").read_bytes()


def test_a_link_to_no_file_stops_the_build(checkout: Path, tmp_path: Path) -> None:
    with (checkout / "docs" / "tutorial.md").open("a", encoding="utf-8") as page:
        page.write("\n[planted](../examples/nothing.py)\n")
    done = build(tmp_path / "site", checkout)
    assert done.returncode == 1
    assert done.stderr == (
        "site: docs/tutorial.md links to ../examples/nothing.py, and there is no file examples/nothing.py\n"
    )


def test_a_link_to_no_place_stops_the_build(checkout: Path, tmp_path: Path) -> None:
    """A heading that is not there is Sphinx's to find; what Markdown leaves alone is found in the pages."""
    with (checkout / "ARCHITECTURE.md").open("a", encoding="utf-8") as page:
        page.write('\n[planted](CONTRIBUTING.md#no-heading)\n\n<a href="nowhere.html">planted</a>\n')
    done = build(tmp_path / "site", checkout)
    assert done.returncode == 1
    assert "no-heading" in done.stderr
    assert "architecture.html: nowhere.html: no such file" in list(complaints(tmp_path / "site"))


@pytest.mark.parametrize(("markup", "complaint"), [
    ('<a href="other.html#here">', None), ('<a href="#%C3%BCber">', None),
    ('<a href="https://doi.org/10.1000/1">', None), ('<img src="data:image/png;base64,AA">', None),
    ('<a href="none.html">', "none.html: no such file"), ('<a href="sub">', "sub: no such file"),
    ('<img src="none.png">', "none.png: no such file"), ('<a href="#none">', "#none: no such place"),
    ('<a href="other.html#none">', "other.html#none: no such place"),
    ('<a href="https:///doi">', "https:///doi: no host"),
    ('<a href="htp://doi.org">', "htp://doi.org: no scheme for a site"),
    ('<script src="https://cdn.example.org/x.js"></script>', "https://cdn.example.org/x.js: loaded from elsewhere"),
])  # fmt: skip
def test_links_are_told_apart(markup: str, complaint: str | None, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "other.html").write_text('<p id="here">', encoding="utf-8")
    (tmp_path / "page.html").write_text(f'<p id="über">{markup}', encoding="utf-8")
    assert list(complaints(tmp_path)) == ([] if complaint is None else [f"page.html: {complaint}"])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_the_repository_lead_to_files(page: Path) -> None:
    """Read as on a code host, where nothing is built."""
    prose = re.sub(r"^( *)```.*?^\1```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    targets = [urlsplit(target) for target in re.findall(r"\]\(([^()\s]+)\)", prose)]
    dead = [one.path for one in targets if not one.scheme and not (page.parent / one.path).exists()]
    assert dead == []
