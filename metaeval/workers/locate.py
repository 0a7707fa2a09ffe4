"""Lines of a user's code: the line that raised, that returned, or that is being executed.

Authors of measures can change only their own files. So the innermost frame in a user's file is named, not the line of
numpy or of the standard library that finally failed.
"""

import functools
import inspect
import linecache
import os
import sys
import sysconfig
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from traceback import walk_stack, walk_tb
from types import CodeType, FrameType, TracebackType
from typing import Any

from metaeval.catalogue.measure import behind

_STANDARD_LIBRARY = tuple({os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")})
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
#: The number of characters of a line that are shown.
_LONGEST = 100
#: The number of functions through which a returned score is followed back.
_HANDED_ON = 20


@dataclass(frozen=True)
class Place:
    """A line of code: its file, its number, its function, and its text if that can be read."""

    file: str
    number: int
    function: str
    text: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.number} in {self.function}"

    @property
    def short(self) -> str:
        """File name and number, without the folder."""
        return f"{os.path.basename(self.file)}:{self.number}"


def raising(traceback: TracebackType | None) -> Place | None:
    """The user's line that an exception came from."""
    return _innermost(walk_tb(traceback))


def under_way(frame: FrameType | None) -> Place | None:
    """The user's line that a stack of frames is executing."""
    return _innermost(reversed(list(walk_stack(frame))))


def local_of(code: CodeType, name: str, frames: Iterable[tuple[FrameType, int]]) -> Any:
    """A local variable of the first frame that executes ``code``, or None."""
    return next((frame.f_locals.get(name) for frame, _ in frames if frame.f_code is code), None)


def returning(call: Callable[[], Any]) -> Place | None:
    """The user's line that returns the value of a call; the call is made once more, with tracing.

    If a function only passes a value on, the line is the one that made the value.
    """
    #: The frame that returns, its caller, the line, and the value.
    returns: deque[tuple[FrameType, FrameType | None, int, Any]] = deque(maxlen=_HANDED_ON)

    def note(frame: FrameType, event: str, value: Any) -> None:
        if event == "return":
            returns.append((frame, frame.f_back, frame.f_lineno, value))

    _trace(call, note)
    if not returns:
        return None
    source, _, number, value = returns.pop()
    # Last return first: a function comes before the functions that it called.
    while returns and returns[-1][1] is source and returns[-1][3] is value is not None:
        source, _, number, value = returns.pop()
    return _place(source.f_code, number)


def follow_lines(call: Callable[[], Any], note: Callable[[Place], None]) -> None:
    """Make the call, and note every line of the user before it is executed: the last note is the line that killed."""

    def note_line(frame: FrameType, event: str, _: Any) -> None:
        if event == "line":
            note(_place(frame.f_code, frame.f_lineno))

    _trace(call, note_line)


def defining(function: Any) -> Place | None:
    """The line where a function is defined; also of a partial, a method or a callable object."""
    function = inspect.unwrap(behind(function))
    if not hasattr(function, "__code__"):
        function = getattr(type(function), "__call__", None)  # noqa: B004 we need its code
    code = getattr(function, "__code__", None)
    return _place(code, code.co_firstlineno) if isinstance(code, CodeType) else None


def _trace(call: Callable[[], Any], note: Callable[[FrameType, str, Any], None]) -> None:
    """Make the call, and note every event in a user's file."""

    def follow(frame: FrameType, event: str, value: Any) -> Callable[..., Any]:
        if _rank(frame) == 0:
            note(frame, event, value)
        return follow

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        call()
    except (Exception, SystemExit):
        pass  # the call may behave differently this time
    finally:
        sys.settrace(before)


def _innermost(frames: Iterable[tuple[FrameType, int]]) -> Place | None:
    """The line of the last frame with the lowest rank."""
    found = min(reversed(list(frames)), key=lambda entry: _rank(entry[0]), default=None)
    return None if found is None else _place(found[0].f_code, found[1])


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
    file = code.co_filename
    if not file.startswith("<"):  # cells of notebooks and of the interpreter have no folder
        file = os.path.abspath(file).removeprefix(os.path.join(os.getcwd(), ""))
    return Place(file, number, code.co_name, text)
