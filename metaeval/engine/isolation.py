"""Running untrusted code in processes of its own: one that hangs, crashes or dies harms nobody else.

A child is forked, so that it has every registered measure, a notebook's included. It writes which
measure it is about to call, and when, into shared memory; when the call takes too long or the child dies,
the parent knows whose fault that was. A function that is a generator tells what it has found on the way,
and what was told is safe. Where the system cannot fork, functions run in this process, unprotected.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import connection
from typing import Any

from metaeval.engine.metering import is_spent, now, processor_time_of

#: A child may take this much memory more than the program has when it starts.
MEMORY = 2 * 1024**3

#: Seconds after which children are looked at even if none has anything to say.
TICK = 0.05

_CAN_FORK = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "win32"
_PR_SET_PDEATHSIG = 1
_FORKING = threading.Lock()


#: Told before a measure is called, with its position among the measures, and with None after it answered.
Notice = Callable[[int | None], None]


class Watch:
    """Shared memory that says which position is under way, and since when."""

    def __init__(self) -> None:
        #: The position counted from 1, or 0; processor time and wall time when its call began.
        self._array = multiprocessing.RawArray(ctypes.c_double, 3)

    def notice(self, position: int | None) -> None:
        """Called in the child before a measure is called, with its position, and after, with None."""
        if position is None:
            self._array[0] = 0
        else:
            self._array[1], self._array[2] = now()
            self._array[0] = position + 1

    @property
    def position(self) -> int | None:
        """The position under way."""
        current = int(self._array[0])
        return current - 1 if current else None

    def hung(self, pid: int, budget: float) -> int | None:
        """The position under way in the child where its call has outlasted the budget, else None."""
        # In this order: a call writes when it began before it writes whose it is.
        position = self.position
        processor_start, wall_start = self._array[1], self._array[2]
        wall = time.monotonic() - wall_start
        if position is None or wall <= budget:
            return None
        processor_now = processor_time_of(pid)
        # Where the system does not tell the processor time, wall time must do.
        processor = wall if processor_now is None else processor_now - processor_start
        return position if is_spent(budget, processor, wall) else None


@dataclass(frozen=True)
class Told:
    """The function has yielded a value, so many after the first, and goes on."""

    number: int
    value: Any


@dataclass(frozen=True)
class Finished:
    """The function returned."""

    value: Any


@dataclass(frozen=True)
class Hung:
    """A call took more than its budget; the process was killed, after it had told so many values."""

    position: int
    told: int = 0


@dataclass(frozen=True)
class Died:
    """The process ended without an answer, after it had told so many values."""

    position: int | None
    how: str
    told: int = 0


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
            self._messages.extend(_messages(function(self._watch.notice, *args)))
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
        self.stop()
        return Hung(position, self._told)

    def _answered(self) -> News:
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            return self._died()
        return self._heard(*message)

    def _heard(self, kind: str, value: Any) -> Told | Finished:
        if kind == "told":
            self._told += 1
            return Told(self._told - 1, value)
        self.stop()
        if kind == "raised":
            raise value
        return Finished(value)

    def _died(self) -> Died:
        self._process.join()
        code = self._process.exitcode
        if code is not None and code < 0:
            with contextlib.suppress(ValueError):
                how = f"was killed by {signal.Signals(-code).name}"
                return Died(self._watch.position, how, self._told)
        return Died(self._watch.position, f"ended with exit code {code}", self._told)

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self.connection.close()


def supervise(
    budget: float | None,
    function: Callable[..., Any],
    *args: Any,
    unwanted: Callable[[], bool] = lambda: False,
) -> Ending:
    """Run a function in a child and wait for how that ends; as soon as it is ``unwanted`` the child is stopped.

    What it tells on the way is not kept.
    """
    # Were two threads to fork at once, each child would hold the other's pipe open, and hide that the other died.
    with _FORKING:
        child = Child(function, *args)
    try:
        while True:
            news = child.news(budget)
            if isinstance(news, Ending):
                return news
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
    _settle(parent)
    try:
        for message in _messages(function(watch.notice, *args)):
            pipe.send(message)
    except Exception as error:  # a fault of ours, not of a measure: let the parent raise it
        pipe.send(("raised", error))
    pipe.close()


def _messages(answer: Any) -> Iterator[tuple[str, Any]]:
    """What there is to say of a function's answer: all that a generator yields, and what is returned."""
    if isinstance(answer, Generator):
        while True:
            try:
                yield "told", next(answer)
            except StopIteration as stop:
                answer = stop.value
                break
    yield "finished", answer


def _settle(parent: int) -> None:
    """Make the child quiet, bounded, and mortal."""
    gc.freeze()  # what the parent has will not become garbage here, and need not be looked through for it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    silence = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(silence, descriptor)
    # Under pytest and in notebooks these write elsewhere than to the descriptors.
    sys.stdout = sys.stderr = open(silence, "w", closefd=False)  # noqa: SIM115
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (_memory_now() + MEMORY,) * 2)


def _memory_now() -> int:
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
