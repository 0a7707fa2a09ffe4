"""Runs a measure's own code on symbols, one entry standing for all.

The code is not changed and not called: its syntax tree is walked. That is slower, but nothing escapes. A list over all
pairs is a :class:`~metaeval.proving.worlds.Bag`, so whoever counts its entries, picks one or compares them is seen, and
refused. What the body of a loop adds to a variable becomes a sum; a variable that carries anything else from one
entry to the next is refused as well. Only what is named here is understood; everything else is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from inspect import signature
from pathlib import Path
from types import FunctionType
from typing import Any

from metaeval.catalogue.measure import Measure
from metaeval.kernel import overlay as kernel
from metaeval.proving.entries import Bag, SymbolicSide
from metaeval.proving.expressions import Expressions
from metaeval.proving.refusal import Refused
from metaeval.proving.scopes import (
    Carried,
    Closure,
    Items,
    LoopMark,
    Native,
    Poison,
    Returned,
    Scope,
    name_of,
    parts_of,
    stored_in,
)
from metaeval.proving.sources import Definition, definition_of
from metaeval.proving.worlds import World

_KERNEL = Path(kernel.__file__).resolve()
_REMEMBERED = kernel.remembered(lambda cells: None).__code__
_DEEPEST = 50


class Interpreter(Expressions):
    """Runs functions of these files, and of the kernel, in a world of symbols."""

    def __init__(self, world: World, files: frozenset[Path]) -> None:
        super().__init__(world)
        self.files = files | {_KERNEL}
        self._calls = 0

    def run(self, function: Any) -> Any:
        """The score of a candidate against a gold standard."""
        sides = [SymbolicSide(kind) for kind in ("candidate", "gold")]
        try:
            return self.call(function, sides, {})
        except RecursionError:
            raise Refused("It calls itself again and again.") from None

    def call(self, function: Any, args: list[Any], named: dict[str, Any]) -> Any:
        """Call anything that may be called."""
        if isinstance(function, Measure):
            return self.call(function.function, args, named)
        if isinstance(function, Native):
            return function.call(*args, **named)
        if isinstance(function, Closure):
            return self._call_closure(function, args, named)
        known = self._known(function)
        if known is not None:
            return known(*args, **named)
        if isinstance(function, FunctionType):
            if function.__code__ == _REMEMBERED:
                return self.call(function.__wrapped__, args, named)  # type: ignore[attr-defined]
            return self._call_function(function, args, named)
        raise Refused(f"It calls {name_of(function)}, which is not followed.")

    def _call_function(self, function: FunctionType, args: list[Any], named: dict[str, Any]) -> Any:
        node = definition_of(function, self.files)
        if function.__closure__:
            raise Refused(
                f"{function.__name__}() is made by a function around it, whose values the source does not say."
            )
        try:
            bound = signature(function).bind(*args, **named)
        except TypeError as error:
            raise Refused(f"It calls {function.__name__}() wrongly: {error}.") from None
        scope = Scope(None, function)
        # Defaults are taken from the source, which says what they are, and not from the function, which may not.
        defaults = {name: self.value(default, scope) for name, default in _defaults(node.args)}
        for value in defaults.values():
            if isinstance(value, Items):
                value.read = True  # every call has the same list: whoever adds to it is refused
        empty: dict[str, Any] = {node.args.vararg.arg: ()} if node.args.vararg else {}
        scope.names.update({**empty, **defaults, **bound.arguments})
        return self._run_body(node, scope)

    def _call_closure(self, function: Closure, args: list[Any], named: dict[str, Any]) -> Any:
        parameters = function.node.args
        names = [one.arg for one in parameters.args]
        plain = not (parameters.vararg or parameters.kwarg or parameters.kwonlyargs or parameters.defaults)
        if named or not plain or len(names) != len(args) or parameters.posonlyargs:
            if not (parameters.vararg and not names and not named):
                raise Refused("It has a lambda with other than plain arguments.")
            names, args = [parameters.vararg.arg], [tuple(args)]
        scope = Scope(function.scope)
        scope.names.update(zip(names, args, strict=True))
        return self._run_body(function.node, scope)

    def _run_body(self, node: Definition, scope: Scope) -> Any:
        self._calls += 1
        if self._calls > _DEEPEST:
            raise Refused("Its functions call each other more than fifty deep.")
        try:
            if isinstance(node, ast.Lambda):
                return self.value(node.body, scope)
            if any(isinstance(inner, (ast.Yield, ast.YieldFrom)) for inner in ast.walk(node)):
                raise Refused(f"{node.name}() is a generator, which is not followed.")
            # What a called function returns, it returns for each entry: its loops are its own.
            outer, self._line = self._line, node.lineno
            self._block(node.body, scope)
            self._line = outer
            return None
        except Returned as returned:
            return returned.value
        finally:
            self._calls -= 1

    def _block(self, statements: list[ast.stmt], scope: Scope) -> None:
        for statement in statements:
            self._step(statement)
            self._statement(statement, scope)

    def _statement(self, node: ast.stmt, scope: Scope) -> None:
        match node:
            case ast.Return():
                if self._loops_here(scope):
                    raise Refused(self._at("It leaves a loop over entries with a value of one of them"))
                raise Returned(None if node.value is None else self.value(node.value, scope))
            case ast.Assign():
                value = self.value(node.value, scope)
                if len(node.targets) > 1 and isinstance(value, (Items, Bag)):
                    value.read = True  # it has two names: whoever adds to it under one is refused
                for target in node.targets:
                    self._bind(target, value, scope)
            case ast.AnnAssign(value=ast.expr() as told):
                self._bind(node.target, self.value(told, scope), scope)
            case ast.AnnAssign() | ast.Pass():
                pass
            case ast.AugAssign(target=ast.Name()):
                self._add_to(node, scope)
            case ast.Expr(value=ast.Constant()):
                pass  # a docstring
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append" | "extend")) as call):
                self._append(call, scope)
            case ast.If():
                self._block(node.body if self.truth(self.value(node.test, scope)) else node.orelse, scope)
            case ast.For(orelse=[]):
                self._loop(node, scope)
            case ast.Expr():
                raise Refused(self._at("It calls something for its effect, which is not followed"))
            case _:
                raise Refused(self._at(f"It has a statement that is not followed, {type(node).__name__.lower()}"))

    def _loops_here(self, scope: Scope) -> bool:
        """Whether a loop over entries is under way in this very function."""
        return any(isinstance(value, LoopMark) for value in scope.names.values())

    def _add_to(self, node: ast.AugAssign, scope: Scope) -> None:
        assert isinstance(node.target, ast.Name)
        name = node.target.id
        old = scope.names[name] if name in scope.names else scope.find(name)
        value = self.value(node.value, scope)
        if isinstance(old, Carried):
            if not isinstance(node.op, (ast.Add, ast.Sub)):
                raise Refused(self._at(f"It carries {name!r} from entry to entry by other than adding"))
            self._carry(old, value, name, minus=isinstance(node.op, ast.Sub))
        elif isinstance(old, Poison):
            raise Refused(self._poisoned(name))
        elif isinstance(old, (list, Bag)):
            self._forbid_known({name}, scope)
            scope.names[name] = self._joined(old, value)
        else:
            scope.names[name] = self._binary(node.op, old, value)

    def _carry(self, carried: Carried, value: Any, name: str, minus: bool) -> None:
        over = self._loops[-1]
        if isinstance(carried.value, (list, Bag)):
            if minus or not isinstance(value, (list, tuple)):
                raise Refused(self._at(f"It adds {name_of(value)} to the list {name!r}"))
            carried.added += [(over, item) for item in value]
        else:
            carried.added.append((over, -self._plain_number(value) if minus else self._plain_number(value)))

    def _append(self, call: ast.Call, scope: Scope) -> None:
        assert isinstance(call.func, ast.Attribute)
        if not isinstance(call.func.value, ast.Name) or len(call.args) != 1 or call.keywords:
            raise Refused(self._at("It appends to something that is no variable"))
        name = call.func.value.id
        old = scope.find(name)
        value = self.value(call.args[0], scope)
        added = [value] if call.func.attr == "append" else value
        if isinstance(old, Carried) and isinstance(old.value, (list, Bag)):
            self._carry(old, added, name, minus=False)
        elif isinstance(old, (Items, Bag)) and name in scope.names:
            self._forbid_known({name}, scope)
            scope.names[name] = self._joined(old, added)
        else:
            raise Refused(self._at(f"It appends to {name!r}, which is not a list that was made in this place"))

    def _loop(self, node: ast.For, scope: Scope) -> None:
        entries = self._entries(self.value(node.iter, scope))
        if not isinstance(entries, Bag):
            for item in entries:
                self._bind(node.target, item, scope)
                self._block(node.body, scope)
            return
        stored = stored_in([*node.body, ast.Expr(value=node.target)])
        self._forbid_known(stored, scope)
        before = {name: scope.names[name] for name in stored if name in scope.names}
        carried: dict[str, Any] = {
            name: value if isinstance(value, (Carried, Poison)) else Carried(value) for name, value in before.items()
        }
        for over, item in entries.parts:
            for name in stored:
                scope.names.pop(name, None)
            scope.names.update(carried)
            with self._inside(over, scope):
                self._bind(node.target, item, scope)
                self._block(node.body, scope)
            for name, kept in carried.items():
                if scope.names.get(name) is not kept:
                    carried[name] = Poison()
        if entries.parts:
            self._after(stored, before, carried, scope)

    def _after(self, stored: set[str], before: dict[str, Any], carried: dict[str, Any], scope: Scope) -> None:
        """What the variables are when a loop over entries has ended."""
        for name in stored:
            sums = carried.get(name)
            if not isinstance(sums, Carried):
                scope.names[name] = Poison()
            elif sums is before[name]:
                scope.names[name] = sums  # a loop further out has not ended
            elif isinstance(sums.value, (list, Bag)):
                scope.names[name] = Bag((*parts_of(sums.value), *sums.added))
            else:
                scope.names[name] = self._sum(Bag(tuple(sums.added)), sums.value)

    def _forbid_known(self, stored: set[str], scope: Scope) -> None:
        """Refuse to add to a list that may be known under another name, or was made outside a loop under way."""
        for name in stored:
            value = scope.names.get(name)
            if isinstance(value, list) and (not isinstance(value, Items) or value.depth != len(self._loops)):
                raise Refused(self._at(f"It adds to {name!r}, a list that was not made in this place"))
            if isinstance(value, (Items, Bag)) and (value.read or value.once):
                raise Refused(self._at(f"It adds to the list {name!r} after using it"))


def _defaults(parameters: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    """The parameters that have a default, with it."""
    positional = [one.arg for one in (*parameters.posonlyargs, *parameters.args)]
    if parameters.defaults:
        yield from zip(positional[-len(parameters.defaults) :], parameters.defaults, strict=True)
    for one, default in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True):
        if default is not None:
            yield one.arg, default
