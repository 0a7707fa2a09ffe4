"""Build the site: ``python docs/site/build.py [FOLDER]``; ``make site`` does.

Sphinx imports what it describes, so that it sees the package as it is installed, mapped folders included; tools that
read source files, as mkdocstrings does, would not, and Material for MkDocs is no longer developed. Whatever Sphinx
warns of fails the build: a link that leads nowhere, a name that nothing describes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pages import HOME, ROOT, DeadLink, Stage, name_of
from reference import PAGES

HERE = Path(__file__).resolve().parent
OPTIONS = ["--quiet", "--fail-on-warning", "--keep-going", "--nitpicky", "--fresh-env"]


def build(out: Path, root: Path = ROOT) -> int:
    """Build the site of a checkout into a folder; the exit code of Sphinx."""
    with tempfile.TemporaryDirectory(prefix="metaeval-site-") as place:
        stage = write_pages(Path(place), root)
        shutil.rmtree(out, ignore_errors=True)
        # The cache of Sphinx stays out of what is published.
        command = ["-m", "sphinx", *OPTIONS, "-c", str(HERE), "-d", f"{place}/.doctrees", place, str(out)]
        code = subprocess.run([sys.executable, *command]).returncode
        publish(stage, out)
    return code


def write_pages(place: Path, root: Path) -> Stage:
    """Write every page where Sphinx reads it."""
    stage = Stage(root)
    for source in stage.sources:
        text = stage.page(source) + (stage.contents() if source == HOME else "")
        (place / f"{name_of(source)}.md").write_text(text, encoding="utf-8")
    for name, generate in PAGES.items():
        (place / f"{name}.md").write_text(generate(), encoding="utf-8")
    publish(stage, place)
    return stage


def publish(stage: Stage, place: Path) -> None:
    """Copy the files that pages link to."""
    for source, published in stage.files.items():
        (place / published).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(stage.root / source, place / published)


def main(out: str = str(ROOT / "build" / "site"), root: str = str(ROOT)) -> None:
    """Build, and say where the site begins."""
    try:
        code = build(Path(out).resolve(), Path(root).resolve())
    except DeadLink as dead:
        sys.exit(f"site: {dead}")
    if code:
        sys.exit(code)
    print(Path(out) / "index.html")


if __name__ == "__main__":
    main(*sys.argv[1:])
