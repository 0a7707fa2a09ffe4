"""Show tools that read source files the package as it is installed, without building it.

``python tests/packaging/assembled.py imports`` runs import-linter, ``… types`` runs mypy. In an editable install an
import hook turns the folders conditions/, measures/ and reports/ into subpackages, and these tools do not ask it.
Links in a temporary folder give them the tree that a wheel has.
"""

import argparse
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATION = ROOT / "pyproject.toml"
#: mypy's cache stays between runs: an unchanged tree then takes seconds.
COMMANDS = {
    "imports": ["-c", "from importlinter.cli import lint_imports_command as lint; lint()", "--no-cache", "--config"],
    "types": ["-m", "mypy", "-p", "metaeval", "--cache-dir", str(ROOT / ".mypy_cache"), "--config-file"],
}


def folders() -> dict[str, str]:
    """The folders of the checkout, the package's own first, and where each lies in the wheel."""
    mapping = tomllib.loads(CONFIGURATION.read_text(encoding="utf-8"))["tool"]["setuptools"]["package-dir"]
    return {folder: package.replace(".", "/") for package, folder in sorted(mapping.items())}


def assemble(place: Path) -> None:
    """Link every part of the package into a folder."""
    package, *parts = folders().items()
    home = place / package[1]
    home.mkdir()
    for path in (ROOT / package[0]).iterdir():
        (home / path.name).symlink_to(path)
    for folder, name in parts:
        (place / name).symlink_to(ROOT / folder)


def main(kind: str) -> None:
    with tempfile.TemporaryDirectory(prefix="metaeval-assembled-") as place:
        assemble(Path(place))
        # Python puts the current folder first on its path, so that the links come before what is installed.
        done = subprocess.run(
            [sys.executable, *COMMANDS[kind], str(CONFIGURATION)], cwd=place, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, encoding="utf-8",
        )  # fmt: skip
    if done.returncode:
        sys.exit(as_in_checkout(done.stdout))
    print(f"{kind}: nothing to say")


def as_in_checkout(text: str) -> str:
    """The same text, with files named as they lie in the checkout."""
    for folder, name in folders().items():
        text = text.replace(f"{name}/", f"{folder}/")
    return text


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Check the package as it is installed, without building it.")
    parser.add_argument("kind", choices=COMMANDS)
    main(parser.parse_args().kind)
