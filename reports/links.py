"""Citations with links: a DOI or an arXiv number in a text becomes one."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote

from markupsafe import Markup, escape

_SOURCE = re.compile(
    r"doi:(?P<doi>10\.[0-9]{4,9}/[^\s;,<>\"']*[^\s;,.<>\"'])|arXiv:(?P<arxiv>[0-9]{4}\.[0-9]{4,5})"
)


class LinkedText(NamedTuple):
    """A part of a text, and the address of its link, if it has one."""

    text: str
    href: str = ""


def linked_parts(text: str) -> list[LinkedText]:
    """The text cut into plain and linked parts.

    >>> linked_parts("Rand 1971, doi:10.1080/01621459.1971.10482356")[1].href
    'https://doi.org/10.1080/01621459.1971.10482356'
    """
    found, end = [], 0
    for match in _SOURCE.finditer(text):
        found += [LinkedText(text[end : match.start()]), LinkedText(match[0], _address(match))]
        end = match.end()
    return [part for part in (*found, LinkedText(text[end:])) if part.text]


def linked(text: str) -> Markup:
    """The text as HTML."""
    return Markup("").join(
        Markup('<a href="{}" rel="noopener noreferrer">{}</a>').format(part.href, part.text)
        if part.href
        else escape(part.text)
        for part in linked_parts(text)
    )


def _address(match: re.Match[str]) -> str:
    # Only these two hosts, whatever a results file holds.
    if match["doi"]:
        return "https://doi.org/" + quote(match["doi"], safe="/()._-;:")
    return "https://arxiv.org/abs/" + match["arxiv"]
