"""Measures that misbehave, each in its own way, and what a run must say of them.

The shy ones behave on plain inputs, so that they pass the gate and misbehave in the middle of a group.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import random
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from metaeval import Biclustering, Undefined


def sound(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """What the shy ones do on plain inputs: the shared part of the covered cells."""
    found, classes = (
        {(row, col) for rows, cols in part for row in rows for col in cols} for part in (candidate, gold)
    )
    return Fraction(len(found & classes), len(found | classes)) if found | classes else Fraction(1)


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("not even this works")


class Unshowable:
    def __repr__(self) -> str:
        raise RuntimeError("not even this works")


class BlackHole(BaseException):
    """Not an Exception: what asyncio and others use for control flow."""


def raises(candidate, gold):
    raise ValueError("no idea")


def raises_without_words(candidate, gold):
    raise Unspeakable


def raises_past_exception(candidate, gold):
    raise BlackHole


def interrupts(candidate, gold):
    raise KeyboardInterrupt


def exits(candidate, gold):
    sys.exit(3)


def says_undefined(candidate, gold):
    raise Undefined("there is nothing to say")


def returns_nan(candidate, gold):
    return float("nan")


def returns_numpy_nan(candidate, gold):
    return np.float32("nan")


def returns_infinity(candidate, gold):
    return float("-inf")


def returns_none(candidate, gold):
    return None


def returns_text(candidate, gold):
    return "0.5" * 100


def returns_an_array(candidate, gold):
    return np.array([0.5, 0.5])


def returns_complex(candidate, gold):
    return 0.5 + 0j


def returns_a_bool(candidate, gold):
    return True


def returns_the_unshowable(candidate, gold):
    return Unshowable()


def returns_a_huge_integer(candidate, gold):
    return 10**400


def sleeps(candidate, gold):
    while True:
        time.sleep(60)


def spins(candidate, gold):
    while True:
        pass


def recurses(candidate, gold):
    return recurses(candidate, gold)


def allocates(candidate, gold):
    kept = []
    while True:
        kept.append(np.empty(1 << 28, np.uint8))  # not touched: it costs addresses, and no memory


def leaves(candidate, gold):
    os._exit(0)


def segfaults(candidate, gold):
    faulthandler.disable()
    return ctypes.string_at(0)


def draws_random(candidate, gold):
    return random.random()


def draws_numpy(candidate, gold):
    return float(np.random.random())


def draws_from_the_system(candidate, gold):
    return int.from_bytes(os.urandom(4), "big") / 2**32


def counts_its_calls(candidate, gold, calls=[0]):  # noqa: B006
    calls[0] += 1
    return calls[0]


def mutates(candidate, gold):
    score = sound(candidate, gold)
    object.__setattr__(candidate, "_biclusters", ())
    object.__setattr__(candidate, "_key", None)
    return score


def prints(candidate, gold):
    for stream in (sys.stdout, sys.stderr):
        print("NOISE" * 1000, file=stream, flush=True)
    os.write(1, b"NOISE")
    os.write(2, b"NOISE")
    return sound(candidate, gold)


class Animal(NamedTuple):
    """A measure, the verdict it must get, and a part of what must be said about it."""

    measure: Callable[[Any, Any], Any]
    verdict: str
    says: str


ANIMALS = [
    Animal(raises, "error", "ValueError: no idea"),
    Animal(raises_without_words, "error", "Unspeakable"),
    Animal(raises_past_exception, "error", ""),
    Animal(interrupts, "error", ""),
    Animal(exits, "error", "SystemExit"),
    Animal(says_undefined, "undefined", "there is nothing to say"),
    Animal(returns_nan, "undefined", "nan"),
    Animal(returns_numpy_nan, "undefined", "nan"),
    Animal(returns_infinity, "error", "-inf"),
    Animal(returns_none, "error", "None"),
    Animal(returns_text, "error", "str"),
    Animal(returns_an_array, "error", "ndarray"),
    Animal(returns_complex, "error", "complex"),
    Animal(returns_a_bool, "error", "bool"),
    Animal(returns_the_unshowable, "error", "Unshowable"),
    Animal(returns_a_huge_integer, "error", ""),
    Animal(sleeps, "timeout", "no answer"),
    Animal(spins, "timeout", "no answer"),
    Animal(recurses, "error", "RecursionError"),
    Animal(allocates, "error", "MemoryError"),
    Animal(leaves, "error", "exit code 0"),
    Animal(segfaults, "error", "SIGSEGV"),
    Animal(draws_random, "flaky", "different scores"),
    Animal(draws_numpy, "flaky", "different scores"),
    Animal(draws_from_the_system, "flaky", "different scores"),
    Animal(counts_its_calls, "flaky", "different scores"),
    Animal(mutates, "error", "changes its inputs"),
]


def overlaps(part: Biclustering) -> bool:
    return sum(len(rows) for rows, _ in part) > len({row for rows, _ in part for row in rows})


def shy(animal: Animal, wakes: Callable[[Biclustering, Biclustering], bool]) -> Callable[[Any, Any], Any]:
    """The same measure, sound until something wakes it."""

    def measure(candidate, gold):
        return animal.measure(candidate, gold) if wakes(candidate, gold) else sound(candidate, gold)

    measure.__name__ = f"shy-{animal.measure.__name__}"
    return measure


def is_large(candidate: Biclustering, gold: Biclustering) -> bool:
    return candidate.shape[0] >= 8


def is_entangled(candidate: Biclustering, gold: Biclustering) -> bool:
    return overlaps(candidate) or overlaps(gold)
