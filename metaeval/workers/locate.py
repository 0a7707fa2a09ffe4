"""Places in a user's code: the line that raised, that returned, or that was under way.

What a measure's author can change is their own file. So of the frames of a call the innermost one of theirs is named,
not the line of numpy or of the standard library that finally gave up.
"""

from __future__ import annotations

import functools
import inspect
import linecache
import os
import sys
import sysconfig
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from traceback import walk_stack, walk_tb
from types import CodeType, FrameType, TracebackType
from typing import Any, NamedTuple

_STANDARD_LIBRARY = tuple({os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")})
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
#: A line of code is shown up to here.
_LONGEST = 100
#: A score that is handed on through more functions is not followed further.
_HANDED_ON = 20


@dataclass(frozen=True)
class Place:
    """A line of code: its file, its number, the function it stands in, and its text where that can be read."""

    file: str
    number: int
    function: str
    text: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.number} in {self.function}"

    @property
    def short(self) -> str:
        """Without the folder: what fits into a sentence."""
        return f"{os.path.basename(self.file)}:{self.number}"


def raising(traceback: TracebackType | None) -> Place | None:
    """The user's line that an exception came from."""
    return _innermost(walk_tb(traceback))


def under_way(frame: FrameType | None) -> Place | None:
    """The user's line that is being executed in a stack of frames."""
    return _innermost(reversed(list(walk_stack(frame))))


def local_of(code: CodeType, name: str, frames: Iterable[tuple[FrameType, int]]) -> Any:
    """A local variable of the first of the frames that executes ``code``, or None."""
    return next((frame.f_locals.get(name) for frame, _ in frames if frame.f_code is code), None)


def returning(call: Callable[[], Any]) -> Place | None:
    """The user's line from which a call returns, found by calling once more and following it.

    What a function only hands on comes from the line that made it.
    """
    returns: deque[_Return] = deque(maxlen=_HANDED_ON)

    def follow(frame: FrameType, event: str, value: Any) -> Callable[..., Any]:
        if event == "return" and _rank(frame) == 0:
            returns.append(_Return(frame, frame.f_back, frame.f_lineno, value))
        return follow

    with _tracing(follow):
        call()
    if not returns:
        return None
    source = returns.pop()
    # The other way round than they came, so that those that a function called come after it.
    while returns and returns[-1].caller is source.frame and returns[-1].value is source.value is not None:
        source = returns.pop()
    return _place(source.frame.f_code, source.number)


class _Return(NamedTuple):
    frame: FrameType
    caller: FrameType | None
    number: int
    value: Any


def follow_lines(call: Callable[[], Any], note: Callable[[Place], None]) -> None:
    """Call, and note every line of the user's before it is executed: the last one noted ends the process."""

    def follow(frame: FrameType, event: str, _: Any) -> Callable[..., Any]:
        if event == "line" and _rank(frame) == 0:
            note(_place(frame.f_code, frame.f_lineno))
        return follow

    with _tracing(follow):
        call()


def defining(function: Any) -> Place | None:
    """Where a function is defined; also that of a partial, a method and an object that can be called."""
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    if not hasattr(function, "__code__"):
        function = getattr(type(function), "__call__", None)  # noqa: B004 its code is wanted
    code = getattr(function, "__code__", None)
    return _place(code, code.co_firstlineno) if isinstance(code, CodeType) else None


@contextmanager
def _tracing(follow: Callable[..., Any]) -> Iterator[None]:
    before = sys.gettrace()
    sys.settrace(follow)
    try:
        yield
    except (Exception, SystemExit):
        pass  # it did something else this time
    finally:
        sys.settrace(before)


def _innermost(frames: Iterable[tuple[FrameType, int]]) -> Place | None:
    """The last frame among those that are most the user's."""
    found: tuple[int, FrameType, int] | None = None
    for frame, number in frames:
        rank = _rank(frame)
        if found is None or rank <= found[0]:
            found = rank, frame, number
    return None if found is None else _place(found[1].f_code, found[2])


def _rank(frame: FrameType) -> int:
    """0 for a user's own file, 1 for an installed package, 2 for the standard library, 3 for metaeval."""
    if str(frame.f_globals.get("__name__", "")).partition(".")[0] == "metaeval":
        return 3
    return _rank_of_file(frame.f_code.co_filename)


@functools.cache
def _rank_of_file(file: str) -> int:
    path = os.path.realpath(file)
    if any(folder in path for folder in _INSTALLED):
        return 1
    frozen = file.startswith("<frozen")
    return 2 if frozen or any(path.startswith(folder + os.sep) for folder in _STANDARD_LIBRARY) else 0


def _place(code: CodeType, number: int) -> Place:
    text = " ".join(linecache.getline(code.co_filename, number).split())
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return Place(_shown(code.co_filename), number, code.co_name, text)


def _shown(file: str) -> str:
    """Relative where that is shorter to say; files of notebooks and of the interpreter have no folder."""
    if file.startswith("<"):
        return file
    here = os.path.join(os.getcwd(), "")
    path = os.path.abspath(file)
    return path[len(here) :] if path.startswith(here) else path
