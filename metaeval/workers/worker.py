"""Workers: a function runs in a forked process, so a measure that hangs, crashes or dies harms nothing else.

A forked worker has every registered measure, also those of a notebook. Before each call it writes the measure's
position and the time into shared memory. So the parent knows which measure hung, or killed the worker. A worker that
takes too long is asked what it is doing, and then killed. A worker that may die notes its inputs beforehand. The values
of a generator are sent as partial results; they survive the worker. On systems that cannot fork, functions run
unprotected in this process.
"""

import contextlib
import ctypes
import gc
import io
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
from typing import Any, TextIO

from metaeval.core.case import Side
from metaeval.files.shown import printable
from metaeval.workers.budget import is_spent, now, processor_time_of, wall_clock
from metaeval.workers.call import described, evaluate
from metaeval.workers.locate import Place, local_of, raising, under_way

#: The number of characters that are kept per measure.
MOST = 2000
CUT = f"… (cut: only the first {MOST:,} characters are kept)"


class Printed:
    """The output, by the position of the measure that was being called."""

    def __init__(self, position: Callable[[], int | None]) -> None:
        self._position = position
        self.writes = 0
        self._kept: dict[int, str] = {}

    def note(self, text: str) -> None:
        """Keep a text up to the limit."""
        self.writes += 1
        position = self._position()
        if position is not None:
            # One character beyond the limit tells that there were more.
            self._kept[position] = (self._kept.get(position, "") + text[: MOST + 1])[: MOST + 1]

    def texts(self) -> dict[int, str]:
        """The kept output of every measure that printed anything."""
        texts = {position: printable(kept[:MOST]).rstrip() for position, kept in self._kept.items()}
        return {position: text + CUT * (len(self._kept[position]) > MOST) for position, text in texts.items()}

    def taken(self) -> dict[int, str]:
        """The kept output, which is then cleared."""
        texts, self._kept = self.texts(), {}
        return texts


class KeepingStream(io.TextIOWrapper):
    """Replaces ``sys.stdout`` and keeps what is written."""

    def __init__(self, descriptor: int, printed: Printed) -> None:
        super().__init__(open(descriptor, "wb", closefd=False), write_through=True)  # noqa: SIM115
        self._printed = printed

    def write(self, text: str) -> int:
        """Keep the text, and write nothing."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._printed.note(text)
        return len(text)


def show_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, file: TextIO | None = None,
    line: str | None = None,
) -> None:  # fmt: skip
    """Show a warning as Python does, with its line; the command line shows metaeval's own warnings shorter."""
    (file or sys.stderr).write(warnings.formatwarning(message, category, filename, lineno, line))


#: Bytes of memory that a worker may take beyond those of the program at the fork.
MEMORY = 2 * 1024**3

#: New objects between two garbage collections of a worker: many, because it keeps nearly everything it makes.
COLLECT_AFTER = 200_000

#: Seconds between two looks at the workers when none sends a message.
TICK = 0.05

#: Seconds for a worker to report what it is doing before it is killed.
LAST_WORDS = 2.0

#: Bytes of shared memory for a worker's note; a larger input is not noted.
_NOTE = 1 << 16

_CAN_FORK = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "win32"
_PR_SET_PDEATHSIG = 1
_FORKING = threading.Lock()


def missing_protection() -> str | None:
    """A sentence on what this system cannot protect a run from; None if measures run in workers."""
    if _CAN_FORK:
        return None
    return (
        "this system cannot fork, so measures run in this process: one that hangs, crashes or eats memory takes the "
        "run down with it, and no budget stops a call; see docs/platforms.md"
    )


class Watch:
    """Shared memory in which a worker notes the position of the measure that it calls, and the time."""

    def __init__(self) -> None:
        #: The position from 1, or 0 outside calls; processor time and wall time at the start of the call; a lower
        #: budget, or 0; the number of the case.
        self._array = multiprocessing.RawArray(ctypes.c_double, 5)
        self._note = multiprocessing.RawArray(ctypes.c_char, _NOTE)
        #: The number of writes to standard output and standard error, set in the worker.
        self.writes: Callable[[], int] = lambda: 0

    def __call__(self, position: int | None, since: tuple[float, float] | None = None, case: int = 0, /) -> None:
        """The worker says this before it calls a measure, with its position, and after the call, with None."""
        if position is None:
            self._array[0] = 0
        else:
            self._array[1], self._array[2] = since or now()
            self._array[4] = case
            self._array[0] = position + 1

    def limit(self, budget: float | None) -> None:
        """Set a lower budget for the calls that follow; None for the usual budget."""
        self._array[3] = budget or 0

    def note(self, what: Any) -> None:
        """Keep a value that outlives the worker."""
        data = b""
        with contextlib.suppress(Exception):  # a measure may have changed its inputs into anything
            data = pickle.dumps(what)
        if not 0 < len(data) <= _NOTE:
            data = pickle.dumps(None)
        ctypes.memmove(self._note, data, len(data))

    @property
    def noted(self) -> Any:
        """The last note, or None."""
        try:
            return pickle.loads(self._note.raw)
        except Exception:  # the worker died while it wrote
            return None

    @property
    def position(self) -> int | None:
        """The position of the measure that is being called, or None."""
        current = int(self._array[0])
        return current - 1 if current else None

    @property
    def case(self) -> int:
        """The number of the case that is being tried."""
        return int(self._array[4])

    def hung(self, pid: int, budget: float) -> int | None:
        """The position of the measure that is being called if the call has exceeded the budget, else None."""
        budget = min(budget, self._array[3] or budget)
        # Read the position first: a worker writes the start of a call before its position.
        position = self.position
        processor_start, wall_start = self._array[1], self._array[2]
        wall = wall_clock() - wall_start
        if position is None or wall <= budget:
            return None
        processor_now = processor_time_of(pid)
        # Systems that do not report the processor time are judged by wall time.
        processor = wall if processor_now is None else processor_now - processor_start
        return position if is_spent(budget, processor, wall) else None


@dataclass(frozen=True)
class PartialResult:
    """A value from the worker. ``number`` counts from 0; ``printed`` is the output since the last message."""

    number: int
    value: Any
    printed: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Finished:
    """The function returned; ``printed`` is the output since the last message, by the position of the measure."""

    value: Any
    printed: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Hung:
    """A call exceeded its budget and the worker was killed; ``told`` counts the partial results before that.

    If known: the side that was scored, the line that was executed, and the number of the ``case``.
    """

    position: int
    side: Side | None = None
    place: Place | None = None
    printed: str | None = None
    told: int = 0
    case: int = 0


@dataclass(frozen=True)
class Died:
    """The worker ended without a result; ``told`` counts the partial results before that.

    If known: the side that was scored, and the line that was executed. ``trace`` is the traceback if metaeval failed.
    """

    position: int | None
    how: str
    side: Side | None = None
    place: Place | None = None
    told: int = 0
    trace: str | None = None


Ending = Finished | Hung | Died
Message = PartialResult | Ending


class Worker:
    """A function that runs in a forked process."""

    def __init__(self, function: Callable[..., Any], *args: Any) -> None:
        self._watch = Watch()
        self._told = 0
        #: All messages of a function that ran in this process.
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
            with warnings.catch_warnings(), _interrupt_later():
                # Newer Pythons warn about threads; a worker runs plain Python code and takes none of their locks.
                warnings.simplefilter("ignore", DeprecationWarning)
                self._process.start()
        except KeyboardInterrupt:
            self.stop()
            raise
        finally:
            theirs.close()

    def next_message(self, budget: float | None) -> Message | None:
        """The next partial result or the ending, if there is one. A worker whose call exceeds the budget is killed."""
        if self._process is None:
            return self._message(*self._messages.popleft())
        if self.connection.poll():
            try:
                received = self.connection.recv()
            except (EOFError, OSError):
                return self._died()
            return self._message(*received)
        position = None if budget is None else self._watch.hung(self._process.pid, budget)
        if position is None:
            return None
        hung = self._hung(position)
        self.stop()
        return hung

    def _hung(self, position: int) -> Hung:
        """Ask a worker that takes too long what it is doing; if it does not answer, use its last note."""
        noted = self._watch.noted
        side, place, printed = noted if isinstance(noted, Side) else None, None, {}
        with contextlib.suppress(OSError, EOFError):
            os.kill(self._process.pid, signal.SIGUSR1)
            if self.connection.poll(LAST_WORDS):
                kind, value = self.connection.recv()
                if kind == "busy":
                    side, place, printed = value
        return Hung(position, side, place, printed.get(position), self._told, self._watch.case)

    def _message(self, kind: str, value: Any) -> Message:
        if kind == "partial":
            self._told += 1
            return PartialResult(self._told - 1, *value)
        self.stop()
        if kind == "failed":
            how, side, place, trace = value
            return Died(self._watch.position, how, side, place, self._told, trace)
        return Finished(*value)

    def _died(self) -> Died:
        self._process.join()
        code = self._process.exitcode
        how = f"ended with exit code {code}"
        if code is not None and code < 0:
            with contextlib.suppress(ValueError):
                how = f"was killed by {signal.Signals(-code).name}"
        noted = self._watch.noted
        side = noted if isinstance(noted, Side) else None
        return Died(self._watch.position, how, side, noted if isinstance(noted, Place) else None, self._told)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self.connection.close()


def supervise(
    budget: float | None, function: Callable[..., Any], *args: Any, unwanted: Callable[[], bool] = lambda: False,
    receive: Callable[[PartialResult], None] = lambda result: None,
) -> Ending:  # fmt: skip
    """Run a function in a worker until it ends, or is ``unwanted``; ``receive`` gets the partial results."""
    # If two threads forked at once, each worker would hold the other's pipe open and hide that the other died.
    with _FORKING:
        worker = Worker(function, *args)
    try:
        while True:
            message = worker.next_message(budget)
            if isinstance(message, Ending):
                return message
            if message is not None:
                receive(message)
            if unwanted():
                return Died(None, "was stopped")
            wait([worker], [], TICK)
    finally:
        worker.stop()


@contextlib.contextmanager
def _interrupt_later() -> Iterator[None]:
    """Delay Ctrl-C: during a fork it would be raised in one of Python's own hooks, and be lost."""
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


def wait(workers: Iterable[Worker], others: Iterable[Any], seconds: float) -> None:
    """Wait until a worker or another source has something to read, or the time is up."""
    sources = [worker.connection for worker in workers if worker._process is not None]
    connection.wait([*sources, *others], timeout=0 if len(sources) < len(list(workers)) else seconds)


def _work(parent: int, pipe: Any, watch: Watch, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    printed = Printed(lambda: watch.position)
    watch.writes = lambda: printed.writes
    _settle(parent, printed)

    def report_call(_: int, frame: FrameType | None) -> None:
        side = local_of(evaluate.__code__, "side", walk_stack(frame))
        pipe.send(("busy", (side, under_way(frame), printed.texts())))

    signal.signal(signal.SIGUSR1, report_call)
    try:
        for message in _messages(watch, function, args, printed.taken):
            pipe.send(message)
    except Exception as error:  # the message cannot be pickled
        pipe.send(_own_failure(error))
    except BaseException as error:  # raised by a measure: Python's own end the process without a message
        side = local_of(evaluate.__code__, "side", walk_tb(error.__traceback__))
        pipe.send(("failed", (f"was ended by {described(error)}", side, raising(error.__traceback__), None)))
    pipe.close()


def _messages(
    watch: Watch, function: Callable[..., Any], args: tuple[Any, ...], printed: Callable[[], dict[int, str]]
) -> Iterator[tuple[str, Any]]:
    """The messages of a function: every value that a generator yields, then what is returned, or the failure."""
    try:
        result = function(watch, *args)
        if isinstance(result, Generator):
            while True:
                try:
                    yield "partial", (next(result), printed())
                except StopIteration as stop:
                    result = stop.value
                    break
        yield "finished", (result, printed())
    except Exception as error:  # metaeval's own mistake: exceptions of a measure are caught where it is called
        yield _own_failure(error)


def _own_failure(error: Exception) -> tuple[str, Any]:
    """The message that metaeval failed; to be called while the exception is handled."""
    return "failed", (f"failed in metaeval itself: {described(error)}", None, None, format_exc().rstrip())


def _settle(parent: int, printed: Printed) -> None:
    """Silence the worker, limit its memory, and let it die with its parent."""
    gc.freeze()  # objects of the parent never become garbage here, so do not search them
    gc.set_threshold(COLLECT_AFTER)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    silence = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(silence, descriptor)
    # Under pytest and in notebooks these do not write to the descriptors.
    sys.stdout = sys.stderr = KeepingStream(silence, printed)
    warnings.showwarning = show_warning
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with open("/proc/self/statm") as statm:
            memory_now = int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (memory_now + MEMORY,) * 2)
