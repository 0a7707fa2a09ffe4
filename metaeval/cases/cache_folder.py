"""Stocks on disk, in the user's cache folder: made once, read in a fraction of the time.

A file is believed only where it is whole and was written with the secret of the folder, for the same condition
and settings, by the same code. So one that was cut short, changed, or put there by somebody else is as good as
none: the stock is made anew. Files are replaced whole, so that several writers do not disturb each other.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import platform
import secrets
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from metaeval.cases.pack import Malformed, opened
from metaeval.core.digest import code, digest_of, imported_within

#: Names the folder, for tests and for machines whose usual one will not do.
FOLDER = "METAEVAL_CACHE_DIR"
_MAGIC = b"metaeval.stock/1\n"
_DIGEST = hashlib.sha256().digest_size
_SECRET, _SECRET_SIZE = "secret", 32
_SUFFIX = ".stock"
_CONDITIONS = "metaeval.conditions"
#: The files that were not used for longest are removed beyond this many bytes. A full run needs about four million.
MOST_BYTES = 64 * 1024**2

#: More than the key of a file takes.
_MOST_KEY = 4096

#: The files that decide which cases there are, as paths inside the package.
_DECIDING = (
    "core/case.py", "core/relation.py", "catalogue/condition.py", "core/biclustering.py", "strategies.py",
    "core/grouping.py", "core/renaming.py",
    "cases/order.py", "cases/enlarge.py", "cases/sampling.py",
    "cases/pack.py",
)  # fmt: skip


@dataclass(frozen=True)
class StockKey:
    """What a stock is of, beside the code that makes it."""

    condition: str
    examples: int
    seed: int
    exhaustive: int | None

    @property
    def asked(self) -> tuple[int, int, int | None]:
        """The settings that it was made with."""
        return self.examples, self.seed, self.exhaustive

    @property
    def text(self) -> str:
        """The key and all code, as one line; a file holds it."""
        return json.dumps(
            {**asdict(self), "files": digest_of_condition(self.condition), **_versions()}, sort_keys=True
        )

    @property
    def lasting(self) -> str:
        """The key and our own code alone, as one line."""
        return json.dumps({**asdict(self), "files": digest_of_condition(self.condition)}, sort_keys=True)

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.condition}-{hashlib.sha256(self.text.encode()).hexdigest()[:20]}{_SUFFIX}"


@dataclass(frozen=True)
class Kept:
    """A file of the cache."""

    path: Path
    size: int
    used: float

    def key(self) -> dict[str, Any]:
        """What the file says it is of; nothing where it cannot be told. This is not checked."""
        try:
            with open(self.path, "rb") as file:
                line = file.read(_MOST_KEY)[len(_MAGIC) + _DIGEST :].partition(b"\n")[0]
            key = json.loads(line)
        except (OSError, ValueError):
            return {}
        return key if isinstance(key, dict) else {}


class Cache:
    """The files of a folder, which need not exist."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def of_user(cls) -> Cache:
        """The user's cache."""
        if os.environ.get(FOLDER):
            return cls(Path(os.environ[FOLDER]))
        from platformdirs import user_cache_dir  # loaded where it is needed: a fast start for all else

        return cls(Path(user_cache_dir("metaeval", appauthor=False)))

    def load(self, key: StockKey, complain: Callable[[str], None] = lambda sentence: None) -> bytes | None:
        """The stock, or None where there is none to be believed; ``complain`` is told where a file was amiss."""
        path = self.folder / key.name
        try:
            data, secret = path.read_bytes(), self._secret()
        except FileNotFoundError:
            return None
        except OSError as error:
            complain(f"{path} cannot be read ({error.strerror}); its cases are made anew")
            return None
        stock = _believed(data, key, secret)
        if stock is None:
            complain(f"{path} is damaged or not of this user's making; its cases are made anew")
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return stock

    def store(self, key: StockKey, stock: bytes) -> None:
        """Keep a stock where that can be done; without a cache everything works, only slower."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            secret = self._secret() or self._new_secret()
            signed = key.text.encode() + b"\n" + stock
            _replace(self.folder / key.name, _MAGIC + _signature(secret, signed) + signed)
            self._make_room()

    def files(self) -> list[Kept]:
        """What is kept, what was used last first."""
        kept = list(self._files())
        return sorted(kept, key=lambda one: (-one.used, one.path))

    def clear(self) -> int:
        """Remove every file of the cache, and tell how many stocks there were."""
        kept = self.files()
        for one in kept:
            one.path.unlink(missing_ok=True)
        for left in (*self.folder.glob(".metaeval-*.tmp"), self.folder / _SECRET):
            left.unlink(missing_ok=True)
        return len(kept)

    def _files(self) -> Iterator[Kept]:
        for path in self.folder.glob(f"*{_SUFFIX}"):
            # Another process may have removed it just now.
            with contextlib.suppress(FileNotFoundError):
                status = path.stat()
                yield Kept(path, status.st_size, status.st_mtime)

    def _make_room(self) -> None:
        total = 0
        for one in self.files():
            total += one.size
            if total > MOST_BYTES:
                one.path.unlink(missing_ok=True)

    def _secret(self) -> bytes | None:
        """The folder's secret; None where there is none, or one that others may have written."""
        path = self.folder / _SECRET
        try:
            status, secret = path.stat(), path.read_bytes()
        except FileNotFoundError:
            return None
        foreign = hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o077)
        return None if foreign or len(secret) != _SECRET_SIZE else secret

    def _new_secret(self) -> bytes:
        """A secret for the folder; of two processes that make one at once, both take the first."""
        path, temporary = self.folder / _SECRET, self.folder / f".metaeval-{secrets.token_hex(8)}.tmp"
        _write(temporary, secrets.token_bytes(_SECRET_SIZE), 0o600)
        try:
            os.link(temporary, path)
            temporary.unlink()
        except OSError:
            # There is one by now, or one that will not do, or the disk knows no links.
            if self._secret() is None:
                os.replace(temporary, path)
            temporary.unlink(missing_ok=True)
        return path.read_bytes()


def _believed(data: bytes, key: StockKey, secret: bytes | None) -> bytes | None:
    """The stock in a file's bytes, where they are signed, of this key, and well formed."""
    head = len(_MAGIC) + _DIGEST
    signed = data[head:]
    if secret is None or not data.startswith(_MAGIC):
        return None
    if not hmac.compare_digest(data[len(_MAGIC) : head], _signature(secret, signed)):
        return None
    text, _, stock = signed.partition(b"\n")
    try:
        matches = text == key.text.encode() and opened(stock).condition == key.condition
    except Malformed:
        return None
    return stock if matches else None


def _signature(secret: bytes, signed: bytes) -> bytes:
    return hmac.digest(secret, signed, "sha256")


def _replace(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    temporary = path.parent / f".metaeval-{secrets.token_hex(8)}.tmp"
    _write(temporary, data, 0o600)
    os.replace(temporary, path)


def _write(path: Path, data: bytes, mode: int) -> None:
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(data)
    except BaseException:
        with contextlib.suppress(OSError):
            path.unlink()
        raise


@cache
def _versions() -> dict[str, str]:
    """The versions of what runs the code that makes a stock."""
    return {
        "metaeval": version("metaeval"),
        "python": f"{platform.python_implementation()} {sys.version}",
        "hypothesis": version("hypothesis"),
    }


@cache
def digest_of_condition(condition: str) -> str:
    """Of the code that makes a stock: what is common to all conditions, the condition's file, and what that imports."""
    core = Path(__file__).resolve().parents[1]
    folder = Path(import_module(_CONDITIONS).__path__[0])
    (own,) = folder.glob(f"{condition.lower().replace('.', '')}_*.py")
    return digest_of([*(core / name for name in _DECIDING), *imported_within(own, _CONDITIONS)], code)
