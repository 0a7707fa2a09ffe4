"""Make case packs in a clean process.

Hypothesis takes constants from the modules of the program it runs in, so the same seed would draw other cases in a
notebook, in a test suite and on the command line. A clean process, which has loaded nothing but metaeval, draws the
same cases for all of them. A case drawn once serves every measure.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import select
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from metaeval.cases.pack import packed
from metaeval.catalogue.condition import Condition, GroupId, condition_of, conditions
from metaeval.core.case import Case

if TYPE_CHECKING:
    from hypothesis import settings

#: New objects between two garbage collections: many, because nearly everything made here is kept.
_COLLECT_AFTER = 3_000_000


def cell_settings(examples: int) -> settings:
    """Every setting is given, so that neither a profile nor the variable CI changes a verdict."""
    from hypothesis import HealthCheck, Phase, settings  # loaded here: `metaeval cache` draws nothing

    return settings(
        max_examples=examples,
        database=None,  # tests made by one factory would share a key; certificates are stored instead
        deadline=None,  # a slow machine is not an error
        derandomize=False,  # each cell has its seed
        phases=[Phase.generate],  # every measure is tried later; counterexamples are shrunk by `search.shrink`
        suppress_health_check=list(HealthCheck),  # a strategy that yields too little shows as vacuous
        print_blob=False,
        report_multiple_bugs=False,
    )


def sample_here(group_id: GroupId, examples: int, run_seed: int) -> list[Case]:
    """The cases of a group, named by its key, drawn in this process."""
    from hypothesis import given, seed
    from hypothesis.errors import Unsatisfiable

    condition, reading = group_id
    cases: list[Case] = []
    if examples <= 0:
        return cases

    def collect(case: Case) -> None:
        cases.append(case)

    strategy = condition_of(condition).reading(reading).strategy()
    test = seed(f"{condition}:{reading}:{run_seed}")(cell_settings(examples)(given(strategy)(collect)))
    with contextlib.suppress(Unsatisfiable):
        test()
    return list(dict.fromkeys(cases))


def pack_here(condition: Condition, examples: int, run_seed: int, exhaustive: int | None) -> bytes:
    """The pack of a condition, made in this process. Without examples it holds the lists alone."""
    drawn = {name: sample_here((condition.key, name), examples, run_seed) for name in condition.readings}
    return packed(condition, drawn, exhaustive, run_seed, examples)


class Sampler:
    """A clean process that makes the packs of several conditions."""

    def __init__(self, condition_ids: Iterable[str], examples: int, run_seed: int, exhaustive: int | None) -> None:
        self._rest = list(condition_ids)
        # Hypothesis makes a folder, which must not appear in the user's folder.
        self._storage = tempfile.TemporaryDirectory(prefix="metaeval-")
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", f"from {__name__} import main; main()"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=_environment(self._storage.name), start_new_session=True,  # the runner handles Ctrl-C
        )  # fmt: skip
        assert self._process.stdin is not None
        self._process.stdin.write(pickle.dumps((self._rest, examples, run_seed, exhaustive)))
        self._process.stdin.close()

    def fileno(self) -> int:
        """The file descriptor on which to wait."""
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    def is_ready(self) -> bool:
        """Whether the next pack can be read now."""
        return bool(select.select([self], [], [], 0)[0])

    def next(self) -> tuple[str, bytes | None]:
        """The next condition and its pack; the pack is None if the clean process could not make it."""
        id = self._rest.pop(0)
        try:
            assert self._process.stdout is not None
            made_id, pack = pickle.load(self._process.stdout)  # trusted: our own process wrote it
            return id, pack if made_id == id else None
        except (EOFError, pickle.UnpicklingError):
            return id, None

    @property
    def done(self) -> bool:
        """Whether every condition has been returned."""
        return not self._rest

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process.wait()
        self._storage.cleanup()


def _environment(storage: str) -> dict[str, str]:
    # The folder of this metaeval: site-packages, or a checkout. In a checkout the conditions are found otherwise.
    home = Path(__file__).resolve().parents[2]
    installed = (home / "metaeval" / "conditions").is_dir()
    paths = [str(home) if installed else None, os.environ.get("PYTHONPATH")]
    path = os.pathsep.join(filter(None, paths))
    return {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0", "HYPOTHESIS_STORAGE_DIRECTORY": storage}


def _hide_sources() -> None:
    """Let the same seed draw the same cases in a checkout and in an installed wheel.

    Hypothesis tries constants from the program's own files. These include a checkout, but not an installed package.
    Hypothesis skips modules without a file name.
    """
    paths = sysconfig.get_paths()
    installed = tuple(paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib"))
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if file is not None and not file.startswith(installed):
            module.__file__ = None


def main() -> None:
    """Read what a :class:`Sampler` asks for from standard input, write each pack to standard output."""
    condition_ids, *asked = pickle.load(sys.stdin.buffer)
    conditions()
    _hide_sources()
    gc.freeze()
    gc.set_threshold(_COLLECT_AFTER)
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    for id in condition_ids:
        pickle.dump((id, pack_here(condition_of(id), *asked)), output)
        output.flush()
