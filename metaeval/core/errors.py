"""The exceptions metaeval raises on purpose."""

from collections.abc import Iterator
from contextlib import contextmanager


class MetaevalError(Exception):
    """Base of every error that metaeval raises on purpose; its text is one sentence for a person."""


class InputError(MetaevalError, ValueError):
    """Bad input: the message names the value, what was expected and, where it helps, what to do."""


@contextmanager
def naming(place: str) -> Iterator[None]:
    """Name the place of bad input in front of its error: a file, or a part of one."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


class Undefined(MetaevalError):
    """Raised by a measure for an input on which it is not defined, with a text that says why.

    ``object`` is the number of the object that the text is about, so that it can be shown by its name.
    """

    def __init__(self, *args: str, object: int | None = None) -> None:
        super().__init__(*args)
        self.object = object
