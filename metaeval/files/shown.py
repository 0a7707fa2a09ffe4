"""Text from files, cleaned before it is shown."""

import unicodedata
from reprlib import Repr

#: Control characters, lone surrogates and invisible formatting can drive a terminal or reverse a line.
_UNPRINTABLE = ("Cc", "Cf", "Cs", "Zl", "Zp")

_LONGEST_SHOWN = 60
#: Looks into a value only as far as it is shown: values of files can be huge and deeply nested.
_BRIEFLY = Repr()
_BRIEFLY.maxlevel = 4
_BRIEFLY.maxstring = _BRIEFLY.maxother = _BRIEFLY.maxlong = 2 * _LONGEST_SHOWN
_BRIEFLY.maxlist = _BRIEFLY.maxtuple = _BRIEFLY.maxdict = _BRIEFLY.maxset = _LONGEST_SHOWN // 2


def clean(text: str) -> str:
    """``text`` on one line; characters that do not print are replaced."""
    one_line = " ".join(text.split())
    return one_line if one_line.isprintable() else _replaced(one_line)


def printable(text: str) -> str:
    """``text`` with its lines kept; characters that do not print are replaced."""
    return "\n".join(_replaced(line.expandtabs()) for line in text.splitlines())


def _replaced(line: str) -> str:
    return "".join("�" if unicodedata.category(char) in _UNPRINTABLE else char for char in line)


def show(value: object) -> str:
    """A value for an error message, cut to a readable length."""
    written = clean(_BRIEFLY.repr(value))
    return written if len(written) <= _LONGEST_SHOWN else written[: _LONGEST_SHOWN - 3] + "..."
