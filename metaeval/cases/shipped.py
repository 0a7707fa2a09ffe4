"""The stocks that come with the package: the cases of the usual settings, so that nobody's first run has to make them.

A file is used where it was made for the same condition and settings by the same code; then the cases do not even
depend on the version of Hypothesis. Where the code has changed since, the stock is made anew as for any other
settings. ``make stocks`` writes the files.
"""

from __future__ import annotations

import lzma
import sys
from collections.abc import Iterator
from pathlib import Path

from metaeval.cases.cache_folder import StockKey
from metaeval.cases.pack import Malformed, opened
from metaeval.cases.sampling import Sampler, Sampling
from metaeval.core.settings import EXAMPLES, QUICK, SEED
from metaeval.literature.shelf import CHECK

FOLDER = Path(__file__).with_name("packs")
#: Examples, seed and exhaustive, as the files' names have them: by default, and with --quick.
USUAL = {"usual": (EXAMPLES, SEED, None), "quick": (QUICK["examples"], SEED, QUICK["exhaustive"])}


def shipped(key: StockKey) -> bytes | None:
    """The stock that came with the package, or None where there is none for this key, or none that is whole."""
    kind = next((kind for kind, asked in USUAL.items() if asked == key.asked), None)
    if kind is None:
        return None
    try:
        text, _, stock = lzma.decompress(_path(key, kind).read_bytes()).partition(b"\n")
        return stock if text == key.lasting.encode() and opened(stock).condition == key.condition else None
    except (OSError, lzma.LZMAError, Malformed):
        return None


def every_key() -> Iterator[tuple[str, StockKey]]:
    """What is shipped: the kind and the key of every file, for the conditions that are asked where nothing is named."""
    for kind, asked in USUAL.items():
        for id in CHECK.condition_ids():
            yield kind, StockKey(id, *asked)


def write() -> None:
    """Make every stock that is shipped, and write it beside this module."""
    FOLDER.mkdir(exist_ok=True)
    for kind, key in every_key():
        sampler = Sampler(Sampling((key.condition,), *key.asked))
        try:
            stock = sampler.next()[1]
        finally:
            sampler.close()
        if stock is None:
            sys.exit(f"the stock of {key.condition} could not be made")
        _path(key, kind).write_bytes(lzma.compress(key.lasting.encode() + b"\n" + stock))


def _path(key: StockKey, kind: str) -> Path:
    return FOLDER / f"{key.condition}-{kind}.stock.xz"


if __name__ == "__main__":
    write()
