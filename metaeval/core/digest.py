"""One digest of source files. Case packs and Dask workers are compared by it.

``code`` leaves out what cannot change a case: comments on lines of their own, docstrings, import lines and blank lines.
So a reworded comment or a moved module does not void the cases that come with the package. Imports inside a folder are
followed instead: the files that they name are part of the digest.
"""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from io import StringIO
from pathlib import Path


def text(file: Path) -> str:
    """The whole text of a file, with line ends as on this system."""
    return file.read_text(encoding="utf-8")


def code(file: Path) -> str:
    """The lines of a Python file that are neither blank nor comment, docstring or import."""
    source = text(file)
    left_out = {
        number for node in _words(ast.parse(source)) for number in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type in (tokenize.COMMENT, tokenize.NL) and token.line.lstrip()[:1] in ("", "#"):
            left_out.add(token.start[0])
    return "\n".join(line for number, line in enumerate(source.splitlines(), start=1) if number not in left_out)


def _words(tree: ast.Module) -> Iterator[ast.stmt]:
    """The import statements and docstrings of a module."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            yield node.body[0]


def digest_of(files: Iterable[Path], content: Callable[[Path], str] = text) -> str:
    """SHA-256 over the contents of the files, in this order. Their names do not count."""
    digest = sha256()
    for file in files:
        data = content(file).encode()
        digest.update(b"%d\n" % len(data) + data)
    return digest.hexdigest()


def imported_within(start: Path, package: str) -> list[Path]:
    """A module of a package, and the modules in its folder that it imports, directly or not; sorted by name."""
    found, waiting = {start}, [start]
    while waiting:
        tree = ast.parse(text(waiting.pop()))
        for name in _imported(tree, package):
            file = start.with_name(f"{name}.py")
            if file.is_file() and file not in found:
                found.add(file)
                waiting.append(file)
    return sorted(found)


def _imported(tree: ast.Module, package: str) -> Iterator[str]:
    """The names right below ``package`` that a module imports, wherever the import stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            full = [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            full = [f"{node.module}.{one.name}" for one in node.names]
        else:
            continue
        for name in full:
            if name.startswith(f"{package}."):
                yield name[len(package) + 1 :].partition(".")[0]
