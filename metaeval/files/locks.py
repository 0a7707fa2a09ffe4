"""A lock on a file that is written again and again: two runs that save to one file would lose each other's cells."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator

from metaeval.core.errors import InputError
from metaeval.files.json_file import Path

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

#: What this process has locked: the system's locks are between processes, and do not keep its threads apart.
_held: set[str] = set()
_guard = threading.Lock()


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file, which need not exist; an error where another run holds it.

    The lock is on a file beside it, because the file itself is replaced whenever it is saved. Where the system
    has locks that end with their process, a run that was killed leaves the file behind but no lock.
    """
    target = os.path.realpath(path)
    if target == os.path.realpath(os.devnull):
        yield  # nothing is kept, so nothing is lost
        return
    busy = InputError(f"{os.fspath(path)} is being written by another run; wait for it, or give another file")
    with _guard:
        if target in _held:
            raise busy
        _held.add(target)
    try:
        sidecar = os.path.join(os.path.dirname(target), f".metaeval-{os.path.basename(target)[:100]}.lock")
        try:
            descriptor = _acquire(sidecar, busy)
        except OSError as error:
            raise InputError(f"{os.fspath(path)} cannot be locked: {error.strerror or error}") from None
        try:
            yield
        finally:
            _release(sidecar, descriptor)
    finally:
        _held.discard(target)


def _acquire(sidecar: str, busy: InputError) -> int:
    if fcntl is None:
        return _create(sidecar)
    while True:
        descriptor = os.open(sidecar, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            # Not flock: that lock would outlive a killed run for as long as one of the processes it has forked.
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            os.close(descriptor)
            raise busy from None
        except OSError:  # a file system without locks: no worse than no lock
            return descriptor
        if _is_at(sidecar, descriptor):
            return descriptor
        os.close(descriptor)  # whoever held it has removed it meanwhile


def _create(sidecar: str) -> int:
    """Without locks of the system: whoever can create the file has the lock."""
    try:
        return os.open(sidecar, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError:
        raise InputError(
            f"{sidecar} says that another run is writing; remove it if there is none, after a crash perhaps"
        ) from None


def _is_at(path: str, descriptor: int) -> bool:
    """Whether the open file is still the one of this name."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _release(sidecar: str, descriptor: int) -> None:
    if fcntl is None:  # Windows removes no file that is open
        os.close(descriptor)
    with contextlib.suppress(OSError):
        os.unlink(sidecar)
    if fcntl is not None:  # removed while it is locked: whoever opened it before finds out, and opens the next
        os.close(descriptor)
