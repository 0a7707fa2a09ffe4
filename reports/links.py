"""Citations with their links: a DOI or an arXiv number in a text is where the source can be read."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote

from markupsafe import Markup, escape

_SOURCE = re.compile(
    r"doi:(?P<doi>10\.[0-9]{4,9}/[^\s;,<>\"']*[^\s;,.<>\"'])|arXiv:(?P<arxiv>[0-9]{4}\.[0-9]{4,5})"
)


class Piece(NamedTuple):
    """A part of a text, and where it leads to, if anywhere."""

    text: str
    href: str = ""


def pieces(text: str) -> list[Piece]:
    """The text cut into plain and linked parts.

    >>> pieces("Rand 1971, doi:10.1080/01621459.1971.10482356")[1].href
    'https://doi.org/10.1080/01621459.1971.10482356'
    """
    found, end = [], 0
    for match in _SOURCE.finditer(text):
        found += [Piece(text[end : match.start()]), Piece(match[0], _address(match))]
        end = match.end()
    return [piece for piece in (*found, Piece(text[end:])) if piece.text]


def linked(text: str) -> Markup:
    """The text as HTML."""
    return Markup("").join(
        Markup('<a href="{}" rel="noopener noreferrer">{}</a>').format(piece.href, piece.text)
        if piece.href
        else escape(piece.text)
        for piece in pieces(text)
    )


def _address(match: re.Match[str]) -> str:
    # Only these two hosts, whatever a results file holds.
    if match["doi"]:
        return "https://doi.org/" + quote(match["doi"], safe="/()._-;:")
    return "https://arxiv.org/abs/" + match["arxiv"]
