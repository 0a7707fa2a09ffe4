"""One digest of source files. Case packs and Dask workers are compared by it.

``code`` leaves out what cannot change a case: comments on lines of their own, docstrings, import lines and blank lines.
So a reworded comment or a moved module does not void the cases that come with the package. Imports inside a folder are
followed instead: the files that they name are part of the digest.
"""

import ast
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path


def text(file: Path) -> str:
    """The whole text of a file, with line ends as on this system."""
    return file.read_text(encoding="utf-8")


def code(file: Path) -> str:
    """The lines of a Python file that are neither blank nor comment, docstring or import."""
    return _code(file, file.stat().st_mtime_ns)


@cache  # the digests of all conditions have files in common
def _code(file: Path, _: int) -> str:
    source = text(file)
    left_out: set[int] = set()
    strings: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            left_out.update(_lines(node))
        elif isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            left_out.update(_lines(node.body[0]))
        elif isinstance(node, (ast.Constant, ast.JoinedStr)):
            strings.update(_lines(node))
    lines = [(number, line) for number, line in enumerate(source.splitlines(), start=1) if number not in left_out]
    return "\n".join(line for number, line in lines if number in strings or line.lstrip()[:1] not in ("", "#"))


def _lines(node: ast.stmt | ast.expr) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


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
        file = waiting.pop()
        for name in _imported(file, file.stat().st_mtime_ns, package):
            other = start.with_name(f"{name}.py")
            if other.is_file() and other not in found:
                found.add(other)
                waiting.append(other)
    return sorted(found)


@cache
def _imported(file: Path, _: int, package: str) -> frozenset[str]:
    """The names right below ``package`` that a module imports, wherever the import stands."""
    full: list[str] = []
    for node in ast.walk(ast.parse(text(file))):
        if isinstance(node, ast.Import):
            full += [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            full += [f"{node.module}.{one.name}" for one in node.names]
    start = f"{package}."
    return frozenset(name[len(start) :].partition(".")[0] for name in full if name.startswith(start))
