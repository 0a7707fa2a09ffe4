"""Compare two results files: is everything equal except words, seconds and the source hashes of proofs?

    python tests/packaging/same_results.py OLD NEW

Words are messages, hints, statements and other sentences. Everything else must be the same: cells and their order,
verdicts, counts, certificates, narrowest passes, reach, proofs, effort levels. It prints what differs, and ends with 1
if anything does.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: Fields that may differ wherever they stand.
WORDS = {
    "seconds", "source", "message", "unproved", "hint", "statement", "citation", "demand", "adds", "scope", "step",
    "summary", "remark", "gate", "relation_key", "words", "trusted", "version", "where", "code",
}  # fmt: skip


def differences(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """The places at which two values differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in {**old, **new}:
            if key not in WORDS:
                yield from differences(old.get(key), new.get(key), f"{place}.{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, pair in enumerate(zip(old, new, strict=True)):
            yield from differences(*pair, f"{place}[{number}]")
    elif old != new:
        yield f"{place}: {json.dumps(old)[:80]} → {json.dumps(new)[:80]}"


def main() -> int:
    """Print the differences of the two files on the command line."""
    old, new = (json.loads(Path(file).read_text(encoding="utf-8")) for file in sys.argv[1:])
    found = list(differences(old, new))
    print(*found[:40], f"{len(found)} differences in {len(old['cells'])} cells", sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
