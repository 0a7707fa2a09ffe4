"""Expressions of a measure's code, on symbols."""

from __future__ import annotations

import ast
import operator
from abc import abstractmethod
from collections.abc import Callable
from types import ModuleType
from typing import Any

from metaeval.catalogue.measure import Measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel import overlay as kernel
from metaeval.proving.entries import Bag, FeatureCount, Index, Line, Mask, Opaque, SymbolicOverlay, SymbolicSide
from metaeval.proving.machine import symbolic
from metaeval.proving.natives import Natives
from metaeval.proving.refusal import Refused
from metaeval.proving.scopes import Carried, Closure, Items, LoopMark, Native, Poison, Scope, hashable, name_of
from metaeval.proving.worlds import Sym, is_number

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
}
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class Expressions(Natives):
    """The value of an expression. What is not named here is refused."""

    @abstractmethod
    def call(self, function: Any, args: list[Any], named: dict[str, Any]) -> Any:
        """Call anything that may be called."""

    def value(self, node: ast.expr, scope: Scope) -> Any:
        """The value of an expression."""
        self._step(node)
        match node:
            case ast.Constant(value=value):
                if isinstance(value, (float, complex)):
                    raise Refused(self._at(f"It computes with {value!r}, a float, which is not exact"))
                return value
            case ast.Name(id=name):
                return self._read(name, scope)
            case ast.Tuple() | ast.List():
                return self._display(node, scope)
            case ast.Set(elts=elements):
                return frozenset(hashable([self.value(one, scope) for one in elements]))
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, self.value(left, scope), self.value(right, scope))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self.truth(self.value(operand, scope))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._plain_number(self.value(operand, scope))
            case ast.BoolOp(op=op, values=values):
                return self._either(isinstance(op, ast.Or), values, scope)
            case ast.Compare():
                return self._compare(node, scope)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.value(body if self.truth(self.value(test, scope)) else orelse, scope)
            case ast.Call():
                return self._call(node, scope)
            case ast.Attribute(value=owner, attr=name):
                return self._attribute(self.value(owner, scope), name)
            case ast.Subscript(value=owner, slice=index):
                return self._item(self.value(owner, scope), self.value(index, scope))
            case ast.Lambda() if not self._loops:
                return Closure(node, scope)
            case ast.ListComp() | ast.GeneratorExp():
                return self._comprehension(node, scope)
        raise Refused(self._at(f"It has an expression that is not followed, {type(node).__name__}"))

    def _read(self, name: str, scope: Scope) -> Any:
        value = scope.find(name)
        if isinstance(value, Carried):
            raise Refused(self._at(f"It reads {name!r}, which it adds to from entry to entry, inside the loop"))
        if isinstance(value, Poison):
            raise Refused(self._poisoned(name))
        if isinstance(value, (Items, Bag)):
            if value.once and value.read:
                raise Refused(self._at(f"It goes through {name!r} twice, an iterator that is empty then"))
            value.read = True
        return value

    def _poisoned(self, name: str) -> str:
        return self._at(f"It carries {name!r} from one entry to the next, or uses the last one's after the loop")

    def _display(self, node: ast.Tuple | ast.List, scope: Scope) -> Any:
        found: Any = Items([], len(self._loops))
        for element in node.elts:
            if isinstance(element, ast.Starred):
                found = self._joined(found, self._entries(self.value(element.value, scope)))
            else:
                found = self._joined(found, [self.value(element, scope)])
        return tuple(found) if isinstance(node, ast.Tuple) and isinstance(found, Items) else found

    def _binary(self, op: ast.operator, left: Any, right: Any) -> Any:
        if isinstance(op, ast.Add) and isinstance(left, (list, tuple, Bag)):
            return self._joined(left, right)
        if type(op) not in _BINARY:
            raise Refused(self._at(f"It uses an operator that is not followed, {type(op).__name__}"))
        one, other = self._plain_number(left), self._plain_number(right)
        if isinstance(op, ast.Div):
            if isinstance(one, Sym) or isinstance(other, Sym):
                return symbolic(one, self.world).over(other)
            if isinstance(one, int) and isinstance(other, int):
                raise Refused(self._at("It divides whole numbers with /, which gives a float"))
        try:
            result = _BINARY[type(op)](one, other)
        except ZeroDivisionError:
            raise Refused(self._at("It divides by 0")) from None
        return self._plain_number(result)

    def _either(self, is_or: bool, values: list[ast.expr], scope: Scope) -> Any:
        found: Any = None
        for node in values:
            found = self.value(node, scope)
            if self.truth(found) == is_or:
                return found
        return found

    def _compare(self, node: ast.Compare, scope: Scope) -> bool:
        left = self.value(node.left, scope)
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.value(right_node, scope)
            if not self._compared(op, left, right):
                return False
            left = right
        return True

    def _compared(self, op: ast.cmpop, left: Any, right: Any) -> bool:
        if isinstance(op, (ast.Is, ast.IsNot)):
            if left is not None and right is not None:
                raise Refused(self._at("It asks with 'is' for the identity of things"))
            return (left is right) == isinstance(op, ast.Is)
        if any(isinstance(side, SymbolicSide) for side in (left, right)):
            raise Refused(self._at("It compares the biclusterings themselves"))
        if isinstance(left, FeatureCount) and right == 1 and type(op) in (ast.Eq, ast.NotEq):
            return left.is_one == isinstance(op, ast.Eq)
        if type(op) not in _COMPARED or not (is_number(left) and is_number(right)):
            raise Refused(self._at(f"It compares {name_of(left)} with {name_of(right)}"))
        return _COMPARED[type(op)](left, right)

    def _call(self, node: ast.Call, scope: Scope) -> Any:
        function = self.value(node.func, scope)
        args: list[Any] = []
        for one in node.args:
            if isinstance(one, ast.Starred):
                args += self._listed(self.value(one.value, scope))
            else:
                args.append(self.value(one, scope))
        named = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise Refused(self._at("It hands on arguments with **"))
            named[keyword.arg] = self.value(keyword.value, scope)
        try:
            return self.call(function, args, named)
        except TypeError as error:
            raise Refused(self._at(f"It calls {name_of(function)} in a way that is not followed: {error}")) from None

    def _attribute(self, owner: Any, name: str) -> Any:
        if isinstance(owner, SymbolicOverlay):
            found = owner.look(name)
            return Native(found) if callable(found) else found
        if isinstance(owner, SymbolicSide):
            return self._of_side(owner, name)
        if isinstance(owner, Mask) and name == "bit_count":
            return Native(owner.bit_count)
        if isinstance(owner, kernel.Together) and name in owner._fields:
            return getattr(owner, name)
        if isinstance(owner, Measure) and name in ("exact", "value"):
            return Native(lambda *sides: self.similarity(owner, [*sides]))
        if isinstance(owner, ModuleType) or owner is Biclustering:
            found = getattr(owner, name, None)
            if callable(found) or isinstance(found, ModuleType):
                return found
        raise Refused(self._at(f"It looks at .{name} of {name_of(owner)}"))

    def similarity(self, measure: Measure, sides: list[Any]) -> Any:
        """The score of another measure, larger for better."""
        value = self.call(measure.function, sides, {})
        return -value if measure.smaller_is_better else value

    def _of_side(self, side: SymbolicSide, name: str) -> Any:
        if name != "shape":
            raise Refused(self._at(f"It looks at {side.kind}.{name}, the biclusters themselves"))
        objects = Opaque("the number of objects")
        if side.feature is not None:
            raise Refused(self._at("It looks at the shape of a biclustering that it built itself"))
        if self.world.one_feature is None:
            return objects, Opaque("the number of features")
        return objects, FeatureCount(self.world.one_feature)

    def _item(self, owner: Any, index: Any) -> Any:
        if isinstance(index, Index):
            match owner:
                case Bag(parts=((("clusters" | "classes") as kind, (Sym() | Line()) as value),)) if kind == index.kind:
                    return value
                case Line() if index.kind == "classes" and self._loops == ["pairs"]:
                    return self.world.sym("n")
        if isinstance(owner, (tuple, list)) and type(index) is int and not isinstance(owner, Bag):
            return self._listed(owner)[index]
        raise Refused(self._at(f"It picks an item out of {name_of(owner)}"))

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp, scope: Scope) -> Any:
        parts: list[tuple[str | None, Any]] = []
        is_bag = self._generate(node, 0, Scope(scope), parts)
        once = isinstance(node, ast.GeneratorExp)
        if is_bag:
            return Bag(tuple(parts), once)
        return Items([value for _, value in parts], len(self._loops), once)

    def _generate(self, node: ast.ListComp | ast.GeneratorExp, at: int, scope: Scope, parts: list[Any]) -> bool:
        """Collect what a comprehension yields; whether it ran over entries."""
        if at == len(node.generators):
            over = self._loops[-1] if any(isinstance(one, LoopMark) for one in scope.names.values()) else None
            parts.append((over, self.value(node.elt, scope)))
            return False
        generator = node.generators[at]
        if generator.is_async:
            raise Refused(self._at("It is asynchronous"))
        entries = self._entries(self.value(generator.iter, scope))
        is_bag = isinstance(entries, Bag)
        for over, item in entries.parts if isinstance(entries, Bag) else [(None, item) for item in entries]:
            with self._inside(over, scope):
                self._bind(generator.target, item, scope)
                if all(self.truth(self.value(test, scope)) for test in generator.ifs):
                    is_bag |= self._generate(node, at + 1, scope, parts)
        return is_bag

    def _bind(self, target: ast.expr, value: Any, scope: Scope) -> None:
        match target:
            case ast.Name(id=name):
                scope.names[name] = value
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                values = self._unpacked(value)
                if len(values) != len(targets) or any(isinstance(one, ast.Starred) for one in targets):
                    raise Refused(self._at(f"It unpacks {len(values)} values into {len(targets)} names"))
                for one, part in zip(targets, values, strict=True):
                    self._bind(one, part, scope)
            case _:
                raise Refused(self._at("It changes something in place"))

    def _unpacked(self, value: Any) -> list[Any]:
        if isinstance(value, Bag):
            raise Refused(self._at("It picks single entries out of a list over all of them"))
        return self._listed(value)
