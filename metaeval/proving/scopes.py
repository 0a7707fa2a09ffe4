"""What the interpreter keeps of a measure's variables: lists, and what loops over entries do to them."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any

from metaeval.proving.entries import Bag, Line, Opaque, SymbolicOverlay, SymbolicSide
from metaeval.proving.refusal import Refused
from metaeval.proving.sources import is_assigned_beside


class Items(list[Any]):
    """A list that the code made: inside how many loops over entries, and as for a bag, whether it was looked at."""

    def __init__(self, values: Any, depth: int, once: bool = False) -> None:
        super().__init__(values)
        self.depth = depth
        self.once = once
        self.read = False


class Carried:
    """A variable that a loop over entries adds to."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.added: list[tuple[str, Any]] = []


class Poison:
    """A variable of which a loop over entries leaves the last entry's value."""


class Closure:
    """A function that the code itself made."""

    def __init__(self, node: ast.Lambda, scope: Scope) -> None:
        self.node = node
        self.scope = scope


class Native:
    """A method of a symbolic thing."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self.call = call


class Rows(Opaque):
    """The objects of every bicluster of a side."""

    def __init__(self, side: SymbolicSide) -> None:
        super().__init__("the objects of a bicluster")
        self.side = side


class Returned(Exception):
    """Leaves a function."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Scope:
    """Variables: of a function, a comprehension or a lambda, and of what is around it."""

    def __init__(self, around: Scope | None, function: FunctionType | None = None) -> None:
        self.names: dict[str, Any] = {}
        self.around = around
        self.function = function

    def find(self, name: str) -> Any:
        """The value of a variable as it is kept, carried or not."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            if scope.function is not None:
                return _outside(scope.function, name)
            scope = scope.around
        raise Refused(f"It uses {name!r}, which is not defined.")


def _outside(function: FunctionType, name: str) -> Any:
    if name in function.__globals__:
        value = function.__globals__[name]
        if not (callable(value) or isinstance(value, ModuleType) or is_assigned_beside(name, function)):
            raise Refused(f"It uses {name!r}, whose value is set in another file than the code that uses it.")
        return value
    if hasattr(builtins, name):
        return getattr(builtins, name)
    raise Refused(f"It uses {name!r}, which is not defined.")


def stored_in(body: list[ast.stmt]) -> set[str]:
    """The variables that statements bind or add to."""
    names = set()
    for node in (inner for statement in body for inner in ast.walk(statement)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend")):
                names.add(name)
    return names


class LoopMark:
    """Kept among a scope's variables while a loop over entries is under way there."""


class Inside:
    """The body of a loop over entries; of a single item where it runs over none."""

    def __init__(self, loops: list[str], over: str | None, scope: Scope) -> None:
        self.loops, self.over, self.scope = loops, over, scope
        self.mark = f"<loop {len(loops)}>"

    def __enter__(self) -> None:
        if self.over is not None:
            self.loops.append(self.over)
            self.scope.names[self.mark] = LoopMark()

    def __exit__(self, *_: object) -> None:
        if self.over is not None:
            self.loops.pop()
            self.scope.names.pop(self.mark, None)


def parts_of(values: Any) -> Iterator[tuple[str | None, Any]]:
    return iter(values.parts) if isinstance(values, Bag) else ((None, value) for value in values)


def hashable(values: list[Any]) -> list[Any]:
    if not all(type(value) in (int, str, bool) for value in values):
        raise Refused("It puts sizes into a set.")
    return values


def name_of(value: Any) -> str:
    if isinstance(value, Opaque):
        return value.what
    if isinstance(value, SymbolicSide):
        return f"the {value.kind} itself"
    if isinstance(value, (Bag, Line)):
        return "a list over all entries"
    if isinstance(value, SymbolicOverlay):
        return "the overlay"
    name = getattr(value, "__name__", None)
    return f"{name}()" if isinstance(name, str) and callable(value) else f"a value of type {type(value).__name__}"
