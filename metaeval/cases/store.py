"""The store of case packs: in memory, shipped with the package, on disk; a pack that is in none of these is made.

A pack is used only if it was made for the same condition and settings by the same code. A file in the user's cache
folder must also belong to the user and match its checksum. Any other file counts as missing: its pack is made anew.
``make packs`` writes the packs that are shipped.
"""

import contextlib
import hashlib
import json
import lzma
import os
import platform
import secrets
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from metaeval.cases.pack import CasePack, Malformed, opened
from metaeval.cases.sampling import Sampler, pack_here
from metaeval.catalogue.condition import Condition, GroupId, condition_of, every_form
from metaeval.catalogue.measure import behind
from metaeval.core.digest import code, digest_of, imported_within
from metaeval.core.settings import EXAMPLES, QUICK, SEED, Settings
from metaeval.literature.shelf import CHECK

#: The environment variable that names the cache folder.
FOLDER = "METAEVAL_CACHE_DIR"
#: Beyond this many bytes the files that were unused for longest are removed. A full run needs about four million.
MOST_BYTES = 64 * 1024**2

_MAGIC = b"metaeval.pack/1\n"
_CHECKSUM = hashlib.sha256().digest_size
_SUFFIX = ".pack"
#: More bytes than the key of a file takes.
_MOST_KEY = 4096
_CONDITIONS = "metaeval.conditions"
#: The files that decide which cases there are, as paths inside the package.
_DECIDING = (
    "core/biclustering.py", "core/case.py", "core/grouping.py", "core/relation.py", "core/renaming.py",
    "catalogue/condition.py", "strategies.py",
    "cases/order.py", "cases/enlarge.py", "cases/sampling.py", "cases/pack.py",
)  # fmt: skip


@dataclass(frozen=True)
class PackKey:
    """Everything that decides the content of a pack, except the code that makes it."""

    condition: str
    examples: int
    seed: int
    exhaustive: int | None

    @classmethod
    def of(cls, condition: str, settings: Settings) -> Self:
        """The key of a condition's pack in a run with these settings."""
        return cls(condition, settings.examples, settings.seed, settings.exhaustive)

    @property
    def lasting(self) -> str:
        """The key and the digest of metaeval's code, as one line."""
        return json.dumps({**asdict(self), "files": digest_of_condition(self.condition)}, sort_keys=True)

    @property
    def text(self) -> str:
        """The same with the versions of metaeval, Python and Hypothesis, as one line."""
        return json.dumps({**json.loads(self.lasting), **_versions()}, sort_keys=True)

    @property
    def file_name(self) -> str:
        """The name of its file in the cache folder."""
        return f"{self.condition}-{hashlib.sha256(self.text.encode()).hexdigest()[:20]}{_SUFFIX}"


@cache
def digest_of_condition(condition: str) -> str:
    """The digest of the code that makes a pack: common modules, the condition's file, and its imports."""
    core = Path(__file__).resolve().parents[1]
    folder = Path(import_module(_CONDITIONS).__path__[0])
    (own,) = folder.glob(f"{condition_of(condition).id.lower().replace('.', '')}_*.py")
    return digest_of([*(core / name for name in _DECIDING), *imported_within(own, _CONDITIONS)], code)


@cache
def _versions() -> dict[str, str]:
    python = f"{platform.python_implementation()} {sys.version}"
    return {"metaeval": version("metaeval"), "python": python, "hypothesis": version("hypothesis")}


class Memory:
    """The packs that this process has used: a test suite uses the same cases many times."""

    _packs: dict[PackKey, bytes] = {}  # noqa: RUF012 - shared by all runs of the process

    def get(self, key: PackKey) -> bytes | None:
        """The pack, or None if there is none that can be used."""
        return self._packs.get(key)

    def put(self, key: PackKey, pack: bytes) -> None:
        """Keep a pack."""
        self._packs[key] = pack


class Shipped:
    """The packs of the default settings and of --quick, which come with the package.

    They are valid for every version of Hypothesis. A change of the code that makes cases makes them invalid, until
    ``make packs`` writes them anew.
    """

    folder = Path(__file__).with_name("packs")
    #: Examples, seed and exhaustive, as the names of the files have them.
    usual = MappingProxyType({"usual": (EXAMPLES, SEED, None), "quick": (QUICK["examples"], SEED, QUICK["exhaustive"])})

    def get(self, key: PackKey) -> bytes | None:
        for kind, asked in self.usual.items():
            if asked == (key.examples, key.seed, key.exhaustive):
                with contextlib.suppress(OSError, lzma.LZMAError):
                    text, _, pack = lzma.decompress(self.path(key, kind).read_bytes()).partition(b"\n")
                    return pack if text == key.lasting.encode() and _is_of(pack, key) else None
        return None

    def put(self, key: PackKey, pack: bytes) -> None:
        """Does nothing: only ``make packs`` writes shipped packs."""

    def path(self, key: PackKey, kind: str) -> Path:
        """The file of a pack."""
        return self.folder / f"{key.condition}-{kind}.pack.xz"

    def every_key(self) -> Iterator[tuple[str, PackKey]]:
        """The kind and key of every shipped pack: those of the default conditions of ``check``."""
        for kind, asked in self.usual.items():
            for one in every_form():
                if one.id in CHECK.condition_ids():
                    yield kind, PackKey(one.key, *asked)

    def write(self) -> None:
        """Make every pack that is shipped."""
        self.folder.mkdir(exist_ok=True)
        for kind, key in self.every_key():
            self.path(key, kind).write_bytes(lzma.compress(key.lasting.encode() + b"\n" + made(key)))


@dataclass(frozen=True)
class KeptFile:
    """A file of the cache folder."""

    path: Path
    size: int
    used: float

    def key(self) -> dict[str, Any]:
        """The key in the file, unchecked; empty if it cannot be read."""
        try:
            with open(self.path, "rb") as file:
                line = file.read(_MOST_KEY)[len(_MAGIC) + _CHECKSUM :].partition(b"\n")[0]
            key = json.loads(line)
        except (OSError, ValueError):
            return {}
        return key if isinstance(key, dict) else {}


class Disk:
    """The packs in a folder, which need not exist. Files are replaced as a whole, so writers do not disturb readers."""

    def __init__(self, folder: Path | None = None, complain: Callable[[str], None] = lambda sentence: None) -> None:
        """By default the user's cache folder. ``complain`` gets a sentence per file that cannot be used."""
        self.folder = _user_folder() if folder is None else folder
        self._complain = complain

    def get(self, key: PackKey) -> bytes | None:
        path = self.folder / key.file_name
        try:
            with open(path, "rb") as file:
                status, others = os.fstat(file.fileno()), stat.S_IWGRP | stat.S_IWOTH
                # Another user may have written it. On systems without owners only the checksum is tested.
                foreign = hasattr(os, "getuid") and (status.st_uid != os.getuid() or bool(status.st_mode & others))
                pack = None if foreign else _content(file.read(), key)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._complain(f"{path} cannot be read ({error.strerror}); its cases are made anew")
            return None
        if pack is None:
            why = "belongs to another user, or others may write to it" if foreign else "is damaged"
            self._complain(f"{path} {why}; its cases are made anew")
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return pack

    def put(self, key: PackKey, pack: bytes) -> None:
        # Without a cache folder everything works, only slower.
        with contextlib.suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            content = key.text.encode() + b"\n" + pack
            _replace(self.folder / key.file_name, _MAGIC + hashlib.sha256(content).digest() + content)
            total = 0
            for one in self.files():
                total += one.size
                if total > MOST_BYTES:
                    one.path.unlink(missing_ok=True)

    def files(self) -> list[KeptFile]:
        """The packs in the folder, most recently used first."""
        kept = []
        for path in self.folder.glob(f"*{_SUFFIX}"):
            with contextlib.suppress(FileNotFoundError):  # another process may have removed it just now
                status = path.stat()
                kept.append(KeptFile(path, status.st_size, status.st_mtime))
        return sorted(kept, key=lambda one: (-one.used, one.path))

    def clear(self) -> int:
        """Remove every pack, and the files of older versions and killed runs; the number of packs."""
        kept = self.files()
        for pattern in (f"*{_SUFFIX}", "*.stock", "secret", ".metaeval-*.tmp"):
            for path in self.folder.glob(pattern):
                path.unlink(missing_ok=True)
        return len(kept)


def _user_folder() -> Path:
    if os.environ.get(FOLDER):
        return Path(os.environ[FOLDER])
    from platformdirs import user_cache_dir  # loaded here: most commands do not need it

    return Path(user_cache_dir("metaeval", appauthor=False))


def _content(data: bytes, key: PackKey) -> bytes | None:
    """The pack in a file's bytes, if the checksum and the key are right."""
    content = data[len(_MAGIC) + _CHECKSUM :]
    text, _, pack = content.partition(b"\n")
    is_whole = data == _MAGIC + hashlib.sha256(content).digest() + content
    return pack if is_whole and text == key.text.encode() and _is_of(pack, key) else None


def _is_of(pack: bytes, key: PackKey) -> bool:
    try:
        return opened(pack).condition == key.condition
    except Malformed:
        return False


def _replace(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    temporary = path.parent / f".metaeval-{secrets.token_hex(8)}.tmp"
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def made(key: PackKey) -> bytes:
    """Make a pack in a clean process or, if that fails, in this process."""
    with contextlib.closing(_sampler([key])) as sampler:
        return sampler.next()[1] or _made_here(key)


@cache
def default_pack(condition: str) -> CasePack:
    """The pack of a registered condition at the default settings."""
    key = PackKey.of(condition, Settings())
    return opened(Shipped().get(key) or made(key))


def _sampler(keys: Sequence[PackKey]) -> Sampler:
    """A clean process that makes the packs of several conditions with the same settings."""
    first = keys[0]
    return Sampler([key.condition for key in keys], first.examples, first.seed, first.exhaustive)


def _made_here(key: PackKey) -> bytes:
    return pack_here(condition_of(key.condition), key.examples, key.seed, key.exhaustive)


class Store:
    """The packs of several conditions: those in the layers are there at once, the others when they are made."""

    def __init__(self, condition_keys: Sequence[str], settings: Settings) -> None:
        self._processes = settings.processes
        self._keys = {id: PackKey.of(id, settings) for id in condition_keys}
        #: The packs that are there, by the id of the condition.
        self.packs: dict[str, bytes] = {}
        self._samplers: list[Sampler] = []
        #: What was wrong with files of the cache folder, one sentence each.
        self.complaints: list[str] = []
        self._layers: list[Memory | Shipped | Disk] = [Memory(), Shipped()]
        if settings.cache:
            self._layers.append(Disk(complain=self.complaints.append))

    def start(self) -> Iterator[GroupId]:
        """Take the packs that are there, and start to make the others."""
        for id, key in self._keys.items():
            # A user's condition is made here and not kept: a clean process does not know it, and no digest covers it.
            if not _is_own(condition_of(id)):
                yield from self._arrived(id, _made_here(key))
            elif pack := next(filter(None, (layer.get(key) for layer in self._layers)), None):
                Memory().put(key, pack)
                yield from self._arrived(id, pack)
        rest = [key for id, key in self._keys.items() if id not in self.packs]
        # Dealt out in turns: a pack does not depend on the process that makes it.
        for first in range(min(self._processes, len(rest))):
            self._samplers.append(_sampler(rest[first :: self._processes]))

    @property
    def under_way(self) -> list[Sampler]:
        """The processes that are still making packs."""
        return [sampler for sampler in self._samplers if not sampler.done]

    def arrivals(self) -> Iterator[GroupId]:
        """The groups whose packs were made since the last call, at most one condition per process."""
        for sampler in self.under_way:
            if sampler.is_ready():
                id, pack = sampler.next()
                key = self._keys[id]
                pack = pack or _made_here(key)
                for layer in self._layers:
                    layer.put(key, pack)
                yield from self._arrived(id, pack)

    def close(self) -> None:
        """End the processes."""
        for sampler in self._samplers:
            sampler.close()

    def _arrived(self, id: str, pack: bytes) -> Iterator[GroupId]:
        self.packs[id] = pack
        yield from ((id, name) for name in opened(pack).readings)


def _is_own(condition: Condition) -> bool:
    """Whether the condition is one of metaeval, so that a clean process has the same one."""
    parts = [behind(part) for one in condition.readings.values() for part in (one.enumerate_, one.premise)]
    return all(str(getattr(part, "__module__", "")).startswith(f"{_CONDITIONS}.") for part in parts)


if __name__ == "__main__":
    Shipped().write()
