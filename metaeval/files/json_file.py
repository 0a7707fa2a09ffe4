"""JSON files: read within limits, written atomically, locked while a run writes them."""

import contextlib
import errno
import json
import os
import secrets
import stat
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from glob import escape, iglob
from math import isinf
from typing import Any

from metaeval.core.errors import InputError
from metaeval.files.shown import show

Path = str | os.PathLike[str]

#: No index, count or seed needs more digits; 128 bits have 39.
_MOST_DIGITS = 40
#: A float has 17 digits; no decimal written by hand is longer than this.
_LONGEST_DECIMAL = 400
#: Larger files are refused, such as /dev/zero. Parsed JSON takes ten times its size in memory.
MOST_BYTES = 2 * 1024**3
MOST_JSON = 256 * 1024**2
_PIECE = 1024**2
_KINDS = ((stat.S_ISDIR, "a directory"), (stat.S_ISFIFO, "a named pipe"), (stat.S_ISSOCK, "a socket"))
#: The suffix of temporary files.
_TEMPORARY = ".tmp"


def read_json(path: Path) -> Any:
    """The data in a JSON file; ``-`` is standard input."""
    name = shown_name(path)
    return parse_json(decoded(read_bytes(path, MOST_JSON), name), name)


def demand_small(path: Path, most: int) -> None:
    """Refuse a file of one equation or proof that is larger than any."""
    if path != "-" and os.path.isfile(path) and os.path.getsize(path) > most:
        raise InputError(f"{shown_name(path)} has more than {most:,} bytes, which no equation and no proof needs")


def parse_json(text: str, name: str) -> Any:
    """The data in JSON text; ``name`` names its file in an error."""
    try:
        return json.loads(
            text, parse_int=_parse_int, parse_float=_parse_float, parse_constant=_refuse_constant,
            object_pairs_hook=_parse_object,
        )  # fmt: skip
    except json.JSONDecodeError as error:
        raise InputError(f"{name} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise InputError(f"{name} is nested too deeply to be read") from None
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def write_atomically(path: Path, text: str) -> None:
    """Write a file atomically: after a crash it holds the old text or the new one."""
    try:
        # Replace the file that a link points to, not the link.
        target = os.path.realpath(path)
        if os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
            # /dev/stdout, a named pipe: nothing to replace
            with open(target, "w", encoding="utf-8", opener=_open_now) as file:
                file.write(text)
        else:
            _replace(target, text)
    except OSError as error:
        raise InputError(f"{shown_name(path)} cannot be written: {error.strerror or error}") from error


def kind_if_not_regular(path: Path) -> str | None:
    """What is in the place of a file, such as "a named pipe"; None if it is a file, nothing, or the null device."""
    if not os.path.exists(path) or os.path.realpath(path) == os.path.realpath(os.devnull):
        return None
    mode = os.stat(path).st_mode
    return None if stat.S_ISREG(mode) else next((name for is_kind, name in _KINDS if is_kind(mode)), "a device")


def shown_name(path: Path) -> str:
    """The name of a file in an error."""
    return "standard input" if path == "-" else os.fspath(path)


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file, up to a limit; ``-`` is standard input."""
    name, data = shown_name(path), bytearray()
    try:
        if path == "-" and sys.stdin is None:
            raise InputError("standard input is closed")
        with contextlib.nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
            # One piece after the other: read(most) would allocate the limit at once.
            while len(data) <= most and (piece := file.read(_PIECE)):
                data += piece
    except FileNotFoundError:
        raise InputError(f"{name} does not exist") from None
    except IsADirectoryError:
        raise InputError(f"{name} is a directory; expected a file") from None
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror or error}") from None
    if len(data) > most:
        raise InputError(f"{name} is larger than {most // 1024**2} MiB, the limit for files of its kind")
    return bytes(data)


def decoded(data: bytes, name: str) -> str:
    """Bytes as text; ``name`` names their file in an error."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise InputError(f"{name} is not UTF-8 text: byte 0x{byte:02x} at position {error.start}") from None


def _parse_int(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise InputError(f"the integer {text[:20]}… of {len(text)} digits is too large")
    return int(text)


def _parse_float(text: str) -> float:
    if len(text) > _LONGEST_DECIMAL:
        raise InputError(f"the number {text[:20]}… of {len(text)} characters is too long")
    value = float(text)
    if isinf(value):
        raise InputError(f"the number {text[:40]} is too large")
    return value


def _refuse_constant(text: str) -> None:
    raise InputError(f'{text} is not JSON; a non-finite number is written as a string, "{text}"')


def _parse_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise InputError(f"the key {show(twice)} occurs twice in one object")
    return found


def _open_now(target: str, flags: int) -> int:
    """Open without waiting: a named pipe would wait for a reader."""
    try:
        descriptor = os.open(target, flags | getattr(os, "O_NONBLOCK", 0), 0o666)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, "nobody reads from it, so writing would wait") from None
        raise
    if hasattr(os, "O_NONBLOCK"):  # only opening must not wait
        os.set_blocking(descriptor, True)
    return descriptor


def _replace(target: str, text: str) -> None:
    temporary = _beside(target, f"-{secrets.token_hex(8)}{_TEMPORARY}")
    try:
        # os.open rather than tempfile, whose files only their owner may read.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with open(descriptor, "w", encoding="utf-8") as file:
            if os.path.exists(target):
                os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    # Make the new name survive a power cut, if the system can.
    with contextlib.suppress(OSError):
        descriptor = os.open(os.path.dirname(target), os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove_leftovers(path: Path) -> None:
    """Remove temporary files that a killed process left beside this file."""
    with contextlib.suppress(OSError):
        for leftover in iglob(escape(_beside(os.path.realpath(path), "-")) + "*" + _TEMPORARY):
            os.unlink(leftover)


def _beside(target: str, ending: str) -> str:
    """The path of a file of metaeval's own beside this one."""
    folder, name = os.path.split(target)
    return os.path.join(folder, f".metaeval-{name[:100]}{ending}")  # the name can have the maximal length already


try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

#: Files locked by this process: system locks do not separate its threads.
_held: set[str] = set()
_guard = threading.Lock()


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file, which need not exist; an error if another run holds it.

    The lock is on a file beside it, because the file itself is replaced whenever it is saved. If system locks end with
    their process, a killed run leaves that file behind but no lock.
    """
    target = os.path.realpath(path)
    if target == os.path.realpath(os.devnull):
        yield  # nothing is saved
        return
    busy = InputError(f"{os.fspath(path)} is being written by another run; wait for it, or give another file")
    with _guard:
        if target in _held:
            raise busy
        _held.add(target)
    try:
        sidecar = _beside(target, ".lock")
        try:
            descriptor = _acquire(sidecar, busy)
        except OSError as error:
            raise InputError(f"{os.fspath(path)} cannot be locked: {error.strerror or error}") from None
        try:
            yield
        finally:
            if fcntl is None:  # Windows removes no file that is open
                os.close(descriptor)
            with contextlib.suppress(OSError):
                os.unlink(sidecar)
            if fcntl is not None:  # unlock after removing: a waiting process notices and opens a new one
                os.close(descriptor)
    finally:
        _held.discard(target)


def _acquire(sidecar: str, busy: InputError) -> int:
    if fcntl is None:
        # Without system locks whoever creates the file has the lock.
        try:
            return os.open(sidecar, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            raise InputError(f"{sidecar} says that another run is writing; remove it if there is none") from None
    while True:
        descriptor = os.open(sidecar, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            # Not flock: its lock would outlive a killed run while a forked worker lives.
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            os.close(descriptor)
            raise busy from None
        except OSError:  # a file system without locks
            return descriptor
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.stat(sidecar), os.fstat(descriptor)):
                return descriptor
        os.close(descriptor)  # the previous holder has removed it meanwhile
