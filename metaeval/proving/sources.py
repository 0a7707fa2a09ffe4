"""The syntax tree of a function, from a file whose text is what runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType

from metaeval.proving.refusal import Refused

Definition = ast.FunctionDef | ast.Lambda


def is_assigned_beside(name: str, function: FunctionType) -> bool:
    """Whether the file of a function gives this name its value, so that the file says what it is."""
    file = Path(function.__code__.co_filename).resolve()
    return name in _assigned(file.read_text(encoding="utf-8"))


@lru_cache(maxsize=64)
def _assigned(text: str) -> frozenset[str]:
    found = set()
    for node in ast.parse(text).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        found |= {inner.id for one in targets if one for inner in ast.walk(one) if isinstance(inner, ast.Name)}
    return frozenset(found)


def definition_of(function: FunctionType, files: frozenset[Path]) -> Definition:
    """The definition of a function that one of these files holds."""
    file = Path(function.__code__.co_filename).resolve()
    name = function.__code__.co_name
    if file not in files:
        raise Refused(f"It calls {name}(), which is defined outside the measure's folder and the kernel.")
    definitions, codes = _parsed(file, file.read_text(encoding="utf-8"))
    if function.__code__ not in codes:
        raise Refused(f"The file {file.name} is no longer the one that {name}() was loaded from.")
    found = [node for node in definitions if _is_at(node, name, function.__code__.co_firstlineno)]
    if len(found) != 1 or not isinstance(found[0], Definition):
        raise Refused(f"{name}() is not a plain function with a line of its own.")
    return found[0]


@lru_cache(maxsize=64)
def _parsed(file: Path, text: str) -> tuple[list[ast.AST], frozenset[CodeType]]:
    """The definitions in a file, and the code that Python makes of them."""
    compiled = compile(text, str(file), "exec", dont_inherit=True)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)], frozenset(_within(compiled))


def _within(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _within(constant)


def _is_at(node: ast.AST, name: str, line: int) -> bool:
    if isinstance(node, ast.Lambda):
        return name == "<lambda>" and node.lineno == line
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        return name == node.name and first == line
    return False
