"""Running untrusted code in processes of its own: one that hangs, crashes or dies harms nobody else.

A child is forked, so that it has every registered measure, a notebook's included. It writes which
measure it is about to call, and when, into shared memory; when the call takes too long or the child dies,
the parent knows whose fault that was. A child that takes too long is asked what it is doing before it is killed; one
that may die writes its inputs down beforehand. A function that is a generator tells what it has found on the way, and
what was told is safe. Where the system cannot fork, functions run in this process, unprotected.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from multiprocessing import connection
from traceback import format_exc, walk_stack, walk_tb
from types import FrameType
from typing import Any

from metaeval.core.case import Side
from metaeval.workers.budget import is_spent, now, processor_time_of, wall_clock
from metaeval.workers.call import described, evaluate
from metaeval.workers.locate import Place, local_of, raising, under_way
from metaeval.workers.printing import KeepingStream, Printed, show_warning

#: A child may take this much memory more than the program has when it starts.
MEMORY = 2 * 1024**3

#: New objects after which a child looks for unreachable ones: seldom, since nearly all that is made there is kept.
COLLECT_AFTER = 200_000

#: Seconds after which children are looked at even if none has anything to say.
TICK = 0.05

#: Seconds that a child has to say what it is doing before it is killed.
LAST_WORDS = 2.0

#: Bytes of shared memory for what a child writes down; a larger input stays unsaid.
_NOTE = 1 << 16

_CAN_FORK = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "win32"
_PR_SET_PDEATHSIG = 1
_FORKING = threading.Lock()


def missing_protection() -> str | None:
    """What this system cannot protect a run from, in a sentence; None where a measure has a process of its own."""
    if _CAN_FORK:
        return None
    return (
        "this system cannot fork, so measures run in this process: one that hangs, crashes or eats memory takes the "
        "run down with it, and no budget stops a call; see docs/platforms.md"
    )


class Watch:
    """Shared memory that says which position is under way, and since when."""

    def __init__(self) -> None:
        #: The position counted from 1, or 0; processor time and wall time when its call began; a lower budget, or 0;
        #: the number of the case.
        self._array = multiprocessing.RawArray(ctypes.c_double, 5)
        self._note = multiprocessing.RawArray(ctypes.c_char, _NOTE)
        #: How often something was printed, in the child.
        self.writes: Callable[[], int] = lambda: 0

    def notice(self, position: int | None, since: tuple[float, float] | None = None, case: int = 0, /) -> None:
        """Called in the child before a measure is called, with its position, and after, with None."""
        if position is None:
            self._array[0] = 0
        else:
            self._array[1], self._array[2] = since or now()
            self._array[4] = case
            self._array[0] = position + 1

    __call__ = notice

    def limit(self, budget: float | None) -> None:
        """Called in the child for calls that have a lower budget than others; None where they have no longer."""
        self._array[3] = budget or 0

    def note(self, what: Any) -> None:
        """Write something down that is to outlive the child."""
        data = b""
        with contextlib.suppress(Exception):  # a measure may have made of its inputs what it liked
            data = pickle.dumps(what)
        if not 0 < len(data) <= _NOTE:
            data = pickle.dumps(None)
        ctypes.memmove(self._note, data, len(data))

    @property
    def noted(self) -> Any:
        """What was last written down, or None."""
        try:
            return pickle.loads(self._note.raw)
        except Exception:  # the child died while it wrote
            return None

    @property
    def position(self) -> int | None:
        """The position under way."""
        current = int(self._array[0])
        return current - 1 if current else None

    @property
    def case(self) -> int:
        """The number of the case under way."""
        return int(self._array[4])

    def hung(self, pid: int, budget: float) -> int | None:
        """The position under way in the child where its call has outlasted the budget, else None."""
        budget = min(budget, self._array[3] or budget)
        # In this order: a call writes when it began before it writes whose it is.
        position = self.position
        processor_start, wall_start = self._array[1], self._array[2]
        wall = wall_clock() - wall_start
        if position is None or wall <= budget:
            return None
        processor_now = processor_time_of(pid)
        # Where the system does not tell the processor time, wall time must do.
        processor = wall if processor_now is None else processor_now - processor_start
        return position if is_spent(budget, processor, wall) else None


@dataclass(frozen=True)
class Told:
    """The function has yielded a value, so many after the first, and goes on; what was ``printed`` is up to now."""

    number: int
    value: Any
    printed: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Finished:
    """The function returned; ``printed`` is what was printed meanwhile, by the positions of the measures."""

    value: Any
    printed: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Hung:
    """A call took more than its budget; the process was killed, after it had ``told`` so many values.

    Where it can be said: on what, in which line, and in which ``case`` of the search.
    """

    position: int
    side: Side | None = None
    place: Place | None = None
    printed: str | None = None
    told: int = 0
    case: int = 0


@dataclass(frozen=True)
class Died:
    """The process ended without an answer, after it had ``told`` so many values.

    Where it can be said: on what, and in which line. ``trace`` is Python's traceback where code of metaeval's failed.
    """

    position: int | None
    how: str
    side: Side | None = None
    place: Place | None = None
    told: int = 0
    trace: str | None = None


Ending = Finished | Hung | Died
News = Told | Ending


class Child:
    """A function under way in a forked process."""

    def __init__(self, function: Callable[..., Any], *args: Any) -> None:
        self._watch = Watch()
        self._told = 0
        #: What a function said that ran in this process.
        self._messages: deque[tuple[str, Any]] = deque()
        self._process: Any = None
        if not _CAN_FORK:
            self._messages.extend(_messages(self._watch, function, args, dict))
            return
        context = multiprocessing.get_context("fork")
        self.connection, theirs = context.Pipe(duplex=False)
        arguments = (os.getpid(), theirs, self._watch, function, args)
        self._process = context.Process(target=_work, args=arguments, daemon=True)
        try:
            self._start()
        finally:
            theirs.close()

    def _start(self) -> None:
        try:
            with warnings.catch_warnings(), _interrupt_later():
                # Newer Pythons warn of threads; the child runs plain Python code and takes no lock of theirs.
                warnings.simplefilter("ignore", DeprecationWarning)
                self._process.start()
        except KeyboardInterrupt:
            self.stop()
            raise

    def news(self, budget: float | None) -> News | None:
        """What it has told, or how it ended; None while it is under way."""
        if self._process is None:
            return self._heard(*self._messages.popleft())
        if self.connection.poll():
            return self._answered()
        position = None if budget is None else self._watch.hung(self._process.pid, budget)
        if position is None:
            return None
        hung = self._asked(position)
        self.stop()
        return hung

    def _asked(self, position: int) -> Hung:
        """What a child that takes too long says of what it is doing, if it still can."""
        with contextlib.suppress(OSError, EOFError):
            os.kill(self._process.pid, signal.SIGUSR1)
            if self.connection.poll(LAST_WORDS):
                kind, value = self.connection.recv()
                if kind == "busy":
                    side, place, printed = value
                    return Hung(position, side, place, printed.get(position), self._told, self._watch.case)
        noted = self._watch.noted
        return Hung(position, noted if isinstance(noted, Side) else None, told=self._told, case=self._watch.case)

    def _answered(self) -> News:
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            return self._died()
        return self._heard(*message)

    def _heard(self, kind: str, value: Any) -> News:
        if kind == "told":
            self._told += 1
            return Told(self._told - 1, *value)
        self.stop()
        if kind == "failed":
            how, side, place, trace = value
            return Died(self._watch.position, how, side, place, self._told, trace)
        return Finished(*value)

    def _died(self) -> Died:
        self._process.join()
        noted = self._watch.noted
        side = noted if isinstance(noted, Side) else None
        place = noted if isinstance(noted, Place) else None
        return Died(self._watch.position, _how_it_ended(self._process.exitcode), side, place, self._told)

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self.connection.close()


def _how_it_ended(code: int | None) -> str:
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return f"was killed by {signal.Signals(-code).name}"
    return f"ended with exit code {code}"


def supervise(
    budget: float | None,
    function: Callable[..., Any],
    *args: Any,
    unwanted: Callable[[], bool] = lambda: False,
    hear: Callable[[Told], None] = lambda told: None,
) -> Ending:
    """Run a function in a child and wait for its end; as soon as it is ``unwanted`` the child is stopped.

    ``hear`` gets what it tells on the way.
    """
    # Were two threads to fork at once, each child would hold the other's pipe open, and hide that the other died.
    with _FORKING:
        child = Child(function, *args)
    try:
        while True:
            news = child.news(budget)
            if isinstance(news, Ending):
                return news
            if news is not None:
                hear(news)
            if unwanted():
                return Died(None, "was stopped")
            wait([child], [], TICK)
    finally:
        child.stop()


@contextlib.contextmanager
def _interrupt_later() -> Iterator[None]:
    """Hold Ctrl-C back: during a fork it would be raised in a hook of Python's own, where it is lost."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    held: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: held.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if held:
        handler(held[0], None)


def wait(children: Iterable[Child], others: Iterable[Any], seconds: float) -> None:
    """Wait until something is to be read from a child or from another source, or the time is up."""
    sources = [child.connection for child in children if child._process is not None]
    connection.wait([*sources, *others], timeout=0 if len(sources) < len(list(children)) else seconds)


def _work(parent: int, pipe: Any, watch: Watch, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    printed = Printed(lambda: watch.position)
    watch.writes = lambda: printed.writes
    _settle(parent, printed)

    def say_what_is_under_way(_: int, frame: FrameType | None) -> None:
        side = local_of(evaluate.__code__, "side", walk_stack(frame))
        pipe.send(("busy", (side, under_way(frame), printed.texts())))

    signal.signal(signal.SIGUSR1, say_what_is_under_way)
    try:
        for message in _messages(watch, function, args, printed.taken):
            pipe.send(message)
    except Exception as error:  # what was found cannot be sent
        pipe.send(
            ("failed", (f"failed in metaeval itself: {described(error)}", None, None, format_exc().rstrip()))
        )
    except BaseException as error:  # a measure's: those of Python that mean it end the process without a word
        side = local_of(evaluate.__code__, "side", walk_tb(error.__traceback__))
        pipe.send(("failed", (f"was ended by {described(error)}", side, raising(error.__traceback__), None)))
    pipe.close()


def _messages(
    watch: Watch, function: Callable[..., Any], args: tuple[Any, ...], printed: Callable[[], dict[int, str]]
) -> Iterator[tuple[str, Any]]:
    """What there is to say of a function: all that a generator yields, and what is returned, or that it failed."""
    try:
        answer = function(watch, *args)
        if isinstance(answer, Generator):
            while True:
                try:
                    yield "told", (next(answer), printed())
                except StopIteration as stop:
                    answer = stop.value
                    break
        yield "finished", (answer, printed())
    except Exception as error:  # a fault of ours, for those of a measure are caught where it is called
        yield "failed", (f"failed in metaeval itself: {described(error)}", None, None, format_exc().rstrip())


def _settle(parent: int, printed: Printed) -> None:
    """Make the child quiet, bounded, and mortal."""
    gc.freeze()  # what the parent has will not become garbage here, and need not be looked through for it
    gc.set_threshold(COLLECT_AFTER)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    silence = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(silence, descriptor)
    # Under pytest and in notebooks these write elsewhere than to the descriptors.
    sys.stdout = sys.stderr = KeepingStream(silence, printed)
    warnings.showwarning = show_warning
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (_memory_now() + MEMORY,) * 2)


def _memory_now() -> int:
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
