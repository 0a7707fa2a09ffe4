"""Runs a measure's own code on symbols, one entry standing for all.

The code is not changed and not called: its syntax tree is walked. That is slower, but nothing escapes. A list over all
pairs is a :class:`~metaeval.proving.worlds.Bag`, so whoever counts its entries, picks one or compares them is seen, and
refused. What the body of a loop adds to a variable becomes a sum; a variable that carries anything else from one
entry to the next is refused as well. Only what is named here is understood; everything else is refused.
"""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable, Iterator
from fractions import Fraction
from inspect import signature
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from metaeval import kernel
from metaeval.measuring import Measure
from metaeval.model import Biclustering
from metaeval.proving.refusal import Refused
from metaeval.proving.sources import Definition, definition_of
from metaeval.proving.worlds import (
    ALONG,
    MISSING,
    Bag,
    FeatureCount,
    Index,
    Line,
    Mask,
    Opaque,
    Sym,
    SymbolicOverlay,
    SymbolicSide,
    World,
    is_number,
)

_KERNEL = Path(kernel.__file__).resolve()
_REMEMBERED = kernel.remembered(lambda cells: None).__code__

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
_MOST_STEPS = 100_000
_DEEPEST = 50


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
        return function.__globals__[name]
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


class Interpreter:
    """Runs functions of these files, and of the kernel, in a world of symbols."""

    def __init__(self, world: World, files: frozenset[Path]) -> None:
        self.world = world
        self.files = files | {_KERNEL}
        #: What the loops over entries run over, the innermost last.
        self._loops: list[str] = []
        #: The features that biclusterings were replaced by before they were laid over each other.
        self._features: set[int | None] = set()
        self._steps = 0
        self._calls = 0
        self._line = 0

    def run(self, function: Any) -> Any:
        """The score of a candidate against a gold standard."""
        sides = [SymbolicSide(kind) for kind in ("candidate", "gold")]
        try:
            return self.call(function, sides, {})
        except RecursionError:
            raise Refused("It calls itself again and again.") from None

    # --- calls ----------------------------------------------------------------------------------------

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
        raise Refused(f"It calls {_name_of(function)}, which is not followed.")

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
        bound.apply_defaults()
        scope = Scope(None, function)
        scope.names.update(bound.arguments)
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

    def _known(self, function: Any) -> Callable[..., Any] | None:
        """What stands for a function of the kernel or of Python."""
        by_function: list[tuple[Any, Callable[..., Any]]] = [
            (kernel.overlay, self._overlay),
            (kernel.sum_of_ratios, self._sum_of_ratios),
            (kernel.harmonic_mean, self._harmonic_mean),
            (kernel.members, self._members),
            (kernel.largest, self._largest),
            (Biclustering.trusted, self._trusted),
            (builtins.sum, self._sum),
            (builtins.zip, self._zip),
            (builtins.min, lambda *values: self._extreme(min, values)),
            (builtins.max, lambda *values: self._extreme(max, values)),
            (builtins.abs, lambda value: abs(self._plain_number(value))),
            (builtins.bool, self.truth),
            (builtins.list, self._listed),
            (builtins.tuple, lambda values=(): tuple(self._listed(values))),
            (builtins.frozenset, lambda values=(): frozenset(_hashable(self._listed(values)))),
            (builtins.len, self._length),
            (Fraction, self._fraction),
        ]
        return next((native for one, native in by_function if one is function or one == function), None)

    def _overlay(self, candidate: Any, gold: Any) -> SymbolicOverlay:
        sides = (candidate, gold)
        if not all(isinstance(side, SymbolicSide) for side in sides):
            raise Refused("It lays something over something that is neither the candidate nor the gold.")
        if (candidate.kind, gold.kind) != ("candidate", "gold") or candidate.feature != gold.feature:
            raise Refused("It lays other biclusterings over each other than the candidate over the gold.")
        self._features.add(candidate.feature)
        if len(self._features) > 1:
            raise Refused("It looks at cells and at objects alone, which are counted differently.")
        return SymbolicOverlay(self.world, on_objects=candidate.feature is not None)

    def _total(self, values: Any) -> Any:
        """The sum of a list."""
        if isinstance(values, Line):
            raise Refused("It sums over all entries inside a loop over entries.")
        if not isinstance(values, Bag):
            total: Any = 0
            for value in self._listed(values):
                total = total + self._plain_number(value)
            return total
        if any(over is not None and (self._loops or over in ALONG) for over, _ in values.parts):
            raise Refused("It sums over all entries inside a loop over entries.")
        total = 0
        for over, value in values.parts:
            total = total + (self._plain_number(value) if over is None else self.world.sum_of(over, value))
        return total

    def _sum(self, values: Any, start: Any = 0) -> Any:
        return self._plain_number(start) + self._total(values)

    def _sum_of_ratios(self, ratios: Any, over: Any = 1) -> Any:
        if isinstance(ratios, Bag):
            divided: Any = Bag(tuple((kind, self._ratio(value)) for kind, value in ratios.parts))
        else:
            divided = Items([self._ratio(value) for value in self._listed(ratios)], len(self._loops))
        return self._fraction(self._total(divided), over)

    def _ratio(self, pair: Any) -> Any:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise Refused("It sums ratios that are no pairs (n, d).")
        return self._fraction(*pair)

    def _harmonic_mean(self, precision: Any, recall: Any) -> Any:
        one, other = self._plain_number(precision), self._plain_number(recall)
        if not self.truth(one) and not self.truth(other):
            return Fraction(0)
        return self._fraction(2 * one * other, one + other)

    def _largest(self, ratios: Any) -> tuple[Any, Any]:
        if isinstance(ratios, (Bag, Line)):
            raise Refused("It asks for the largest over all entries, which is no sum.")
        best, *others = self._listed(ratios)
        for ratio in others:
            if ratio[0] * best[1] > best[0] * ratio[1]:
                best = ratio
        return best  # type: ignore[no-any-return]

    def _members(self, mask: Any) -> tuple[Index, ...]:
        if not isinstance(mask, Mask):
            raise Refused("It asks for the members of a mask that is not a pair's.")
        return (Index(mask.kind),)

    def _trusted(self, biclusters: Any, shape: Any) -> SymbolicSide:
        """A side with every bicluster's columns replaced by one: known where all columns were the same before."""
        match biclusters:
            case Bag(parts=((_, (Rows(side=side), frozenset() as columns)),)) if len(columns) == 1:
                if self.world.one_feature is not None:
                    return SymbolicSide(side.kind, *columns)
        raise Refused("It builds biclusterings of its own.")

    def _zip(self, *lists: Any, strict: bool = False) -> Any:
        if any(isinstance(one, Line) for one in lists):
            lists = tuple(self._entries(one) if isinstance(one, Line) else self._beside_line(one) for one in lists)
        bags = [one for one in lists if isinstance(one, Bag)]
        if not bags:
            return Items(zip(*(self._listed(one) for one in lists), strict=strict), len(self._loops), once=True)
        kinds = {tuple(over for over, _ in bag.parts) for bag in bags}
        lone = len(bags[0].parts) <= 1 or {over for over, _ in bags[0].parts} == {*ALONG}
        if len(bags) < len(lists) or len(kinds) != 1 or not lone or (None,) in kinds:
            raise Refused("It zips lists that do not have an item for each of the same entries.")
        zipped = zip(*(bag.parts for bag in bags), strict=True)
        return Bag(
            tuple((together[0][0], tuple(value for _, value in together)) for together in zipped), once=True
        )

    def _beside_line(self, other: Any) -> Bag:
        """The classes, in the order of a line of intersections."""
        match other:
            case Bag(parts=(("classes", value),)):
                return Bag((("gap", value), ("line", value)))
        raise Refused("It zips a line of intersections with something other than the gold's sizes.")

    def _extreme(self, choose: Callable[..., Any], values: tuple[Any, ...]) -> Any:
        if len(values) == 1:
            if isinstance(values[0], (Bag, Line)):
                raise Refused("It asks for the largest or smallest over all entries, which is no sum.")
            values = tuple(self._listed(values[0]))
        return choose([self._plain_number(value) for value in values])

    def _length(self, values: Any) -> int:
        if isinstance(values, SymbolicSide):
            raise Refused(
                f"It looks at len({values.kind}), the number of biclusters, which depends on the context."
            )
        if isinstance(values, (Bag, Line)):
            raise Refused("It asks with len() for the number of entries, which depends on the context.")
        return len(self._listed(values))

    def _fraction(self, top: Any = 0, below: Any = 1) -> Any:
        one, other = self._plain_number(top), self._plain_number(below)
        if isinstance(one, Sym) or isinstance(other, Sym):
            return _symbolic(one, self.world).over(other)
        if other == 0:
            raise Refused("It divides by 0.")
        return Fraction(one, other)

    def _plain_number(self, value: Any) -> Any:
        if isinstance(value, float):
            raise Refused("It computes with floats, which are not exact.")
        if not is_number(value):
            raise Refused(f"It computes with {_name_of(value)}.")
        return value

    def _listed(self, values: Any = ()) -> list[Any]:
        """A plain list, whose length is the same in every context."""
        if isinstance(values, (tuple, list)):
            return list(values)
        if isinstance(values, (set, frozenset)):
            return sorted(values)
        raise Refused(f"It takes {_name_of(values)} for a list of known length.")

    def truth(self, value: Any) -> bool:
        """Whether a value counts as true, for all sizes."""
        if isinstance(value, SymbolicSide):
            return self.world.has[value.kind]
        if isinstance(value, (Bag, Items)) and value.once:
            raise Refused("It asks whether an iterator is true.")
        if isinstance(value, Bag):
            if any(over == MISSING or over in ALONG for over, _ in value.parts):
                raise Refused("It asks whether there are entries, which depends on the context.")
            return bool(value.parts)
        if value is None or isinstance(value, (bool, int, Fraction, Sym, tuple, list, frozenset, str)):
            return bool(value)
        raise Refused(f"It branches on {_name_of(value)}.")

    # --- statements -----------------------------------------------------------------------------------

    def _block(self, statements: list[ast.stmt], scope: Scope) -> None:
        for statement in statements:
            self._step(statement)
            self._statement(statement, scope)

    def _step(self, node: ast.AST) -> None:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise Refused("It does not come to an end in reasonable time.")
        self._line = getattr(node, "lineno", self._line)

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

    def _at(self, what: str) -> str:
        return f"{what} (line {self._line})."

    def _loops_here(self, scope: Scope) -> bool:
        """Whether a loop over entries is under way in this very function."""
        return any(isinstance(value, _LoopMark) for value in scope.names.values())

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
                raise Refused(self._at(f"It adds {_name_of(value)} to the list {name!r}"))
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

    def _joined(self, one: Any, other: Any) -> Any:
        """Two lists as one, which is a new one: whoever adds to a list that has another name is refused before."""
        if not isinstance(other, (list, tuple, Bag)):
            raise Refused(self._at(f"It joins a list and {_name_of(other)}"))
        if isinstance(one, Bag) or isinstance(other, Bag):
            return Bag((*_parts(one), *_parts(other)))
        return Items([*one, *other], len(self._loops))

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
            name: value if isinstance(value, (Carried, Poison)) else Carried(value)
            for name, value in before.items()
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
                scope.names[name] = Bag((*_parts(sums.value), *sums.added))
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

    def _inside(self, over: str | None, scope: Scope) -> _Inside:
        if over is not None and self._loops != (["clusters"] if over in ALONG else []):
            raise Refused(self._at("It has a loop over all entries inside a loop over entries"))
        return _Inside(self._loops, None if over is None else ALONG.get(over, over), scope)

    def _entries(self, values: Any) -> Any:
        """What a loop runs over: a bag, or a list of known length."""
        if isinstance(values, Bag):
            return values
        if isinstance(values, Line):
            if self._loops != ["clusters"]:
                raise Refused(self._at("It looks at a line of intersections outside a loop over the clusters"))
            return Bag((("gap", 0), ("line", self.world.sym("n"))))
        if isinstance(values, SymbolicSide):
            if not self.world.has[values.kind]:
                return Bag(())
            over = "clusters" if values.kind == "candidate" else "classes"
            return Bag(((over, (Rows(values), Opaque("the features of a bicluster"))),))
        return self._listed(values)

    # --- expressions ----------------------------------------------------------------------------------

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
                return frozenset(_hashable([self.value(one, scope) for one in elements]))
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
                return _symbolic(one, self.world).over(other)
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
            raise Refused(self._at(f"It compares {_name_of(left)} with {_name_of(right)}"))
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
            raise Refused(
                self._at(f"It calls {_name_of(function)} in a way that is not followed: {error}")
            ) from None

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
        raise Refused(self._at(f"It looks at .{name} of {_name_of(owner)}"))

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
                case Bag(parts=((("clusters" | "classes") as kind, (Sym() | Line()) as value),)) if (
                    kind == index.kind
                ):
                    return value
                case Line() if index.kind == "classes" and self._loops == ["pairs"]:
                    return self.world.sym("n")
        if isinstance(owner, (tuple, list)) and type(index) is int and not isinstance(owner, Bag):
            return self._listed(owner)[index]
        raise Refused(self._at(f"It picks an item out of {_name_of(owner)}"))

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
            over = self._loops[-1] if any(isinstance(one, _LoopMark) for one in scope.names.values()) else None
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


class _LoopMark:
    """Kept among a scope's variables while a loop over entries is under way there."""


class _Inside:
    """The body of a loop over entries; of a single item where it runs over none."""

    def __init__(self, loops: list[str], over: str | None, scope: Scope) -> None:
        self.loops, self.over, self.scope = loops, over, scope
        self.mark = f"<loop {len(loops)}>"

    def __enter__(self) -> None:
        if self.over is not None:
            self.loops.append(self.over)
            self.scope.names[self.mark] = _LoopMark()

    def __exit__(self, *_: object) -> None:
        if self.over is not None:
            self.loops.pop()
            self.scope.names.pop(self.mark, None)


def _parts(values: Any) -> Iterator[tuple[str | None, Any]]:
    return iter(values.parts) if isinstance(values, Bag) else ((None, value) for value in values)


def _symbolic(value: Any, world: World) -> Sym:
    if isinstance(value, Sym):
        return value
    return world.sym("n") * 0 + Fraction(value)


def _hashable(values: list[Any]) -> list[Any]:
    if not all(type(value) in (int, str, bool) for value in values):
        raise Refused("It puts sizes into a set.")
    return values


def _name_of(value: Any) -> str:
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
