"""Measures that misbehave, each in its own way, and what a run must say of them.

The shy ones behave on plain inputs, so that they pass the gate and misbehave in the middle of a group.
"""

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
    found, classes = ({(row, col) for rows, cols in part for row in rows for col in cols} for part in (candidate, gold))
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
    """A measure, the verdict it must get, and parts of what must be said about it.

    ``line`` is the line of its code that must be shown, ``hint`` what to do.
    """

    measure: Callable[[Any, Any], Any]
    verdict: str
    says: str
    line: str
    hint: str


#: Where nothing but a guard helps, the hint names the exception to raise as well.
GUARD = "metaeval.Undefined"
PERFECT = "a perfect match must reach the best score"
BY_HAND = "call it on this input by hand"
SEED = "a random generator with a fixed seed"

ANIMALS = [
    Animal(raises, "error", "ValueError: no idea", 'raise ValueError("no idea")', GUARD),
    Animal(raises_without_words, "error", "Unspeakable", "raise Unspeakable", GUARD),
    Animal(raises_past_exception, "error", "BlackHole", "raise BlackHole", BY_HAND),
    Animal(interrupts, "error", "KeyboardInterrupt", "raise KeyboardInterrupt", BY_HAND),
    Animal(exits, "error", "SystemExit", "sys.exit(3)", GUARD),
    Animal(says_undefined, "undefined", "there is nothing to say", "raise Undefined(", PERFECT),
    Animal(returns_nan, "undefined", "nan", 'return float("nan")', PERFECT),
    Animal(returns_numpy_nan, "undefined", "nan", 'return np.float32("nan")', PERFECT),
    Animal(returns_infinity, "error", "-inf", 'return float("-inf")', GUARD),
    Animal(returns_none, "error", "None", "return None", GUARD),
    Animal(returns_text, "error", "str", 'return "0.5" * 100', GUARD),
    Animal(returns_an_array, "error", "ndarray", "return np.array(", GUARD),
    Animal(returns_complex, "error", "complex", "return 0.5 + 0j", GUARD),
    Animal(returns_a_bool, "error", "bool", "return True", GUARD),
    Animal(returns_the_unshowable, "error", "Unshowable", "return Unshowable()", GUARD),
    Animal(returns_a_huge_integer, "error", "too large", "return 10**400", GUARD),
    Animal(sleeps, "timeout", "no answer", "time.sleep(60)", BY_HAND),
    Animal(spins, "timeout", "no answer", "while True:", BY_HAND),
    Animal(recurses, "error", "RecursionError", "return recurses(candidate, gold)", GUARD),
    Animal(allocates, "error", "MemoryError", "kept.append(np.empty(", GUARD),
    Animal(leaves, "error", "exit code 0", "os._exit(0)", BY_HAND),
    Animal(segfaults, "error", "SIGSEGV", "return ctypes.string_at(0)", BY_HAND),
    Animal(draws_random, "flaky", "different scores", "return random.random()", SEED),
    Animal(draws_numpy, "flaky", "different scores", "return float(np.random.random())", SEED),
    Animal(draws_from_the_system, "flaky", "different scores", "return int.from_bytes(", SEED),
    Animal(counts_its_calls, "flaky", "different scores", "return calls[0]", SEED),
    Animal(mutates, "error", "changes its inputs", "def mutates(candidate, gold):", "work on copies"),
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
