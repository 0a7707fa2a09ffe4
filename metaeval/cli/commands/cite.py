"""``metaeval cite``: BibTeX for metaeval, and for what its measures, conditions and sources cite."""

import re
import unicodedata
from importlib.metadata import metadata

import click

from metaeval.catalogue.condition import conditions
from metaeval.catalogue.measure import measures
from metaeval.catalogue.registry import match
from metaeval.core.errors import InputError
from metaeval.literature.shelf import SOURCES
from metaeval.reports.latex import escape
from metaeval.reports.page_data import linked_parts

#: The year of this version, and the paper whose conditions and measures it tests, as CITATION.cff has them.
YEAR = "2026"
PAPER = {
    "author": r"Rosales-M{\'e}ndez, Henry and Ram{\'i}rez-Cruz, Yunior",
    "title": "{MOCICE-BCubed} {F}1: A New Evaluation Measure for Biclustering Algorithms",
    "year": "2015",
    "url": "https://arxiv.org/abs/1512.00228",
}


@click.command(epilog="\b\nExamples:\n  metaeval cite\n  metaeval cite bcubed A.3 horta2014")
@click.argument("ids", metavar="[ID]…", nargs=-1)
def command(ids: tuple[str, ...]) -> None:
    """Print BibTeX for metaeval and the paper that it tests, and for the works that IDs cite.

    An ID is that of a measure, a condition or a source. Authors, year and address of their works are known; add titles.
    """
    about, works = metadata("metaeval"), dict[str, dict[str, str]]()
    known = {id: one.citation for some in (measures(), conditions(), SOURCES) for id, one in some.items()}
    for id in ids:
        found = match(id, known)
        if found is None or not _works(known[found]):
            raise InputError(f"{id!r} cites no work that is known; expected a measure, a condition or a source")
        works |= _works(known[found])
    own = {"author": f"{{{about['Author']}}}", "title": "metaeval", "year": YEAR, "version": about["Version"],
           "license": about["License-Expression"]}  # fmt: skip
    for key, fields in {"metaeval": own, **works, "rosales-mendez2015": PAPER}.items():
        lines = (f"  {name} = {{{text}}}," for name, text in fields.items())
        click.echo("\n".join([f"@{'software' if fields is own else 'misc'}{{{key},", *lines, "}\n"]))


def _works(citation: str) -> dict[str, dict[str, str]]:
    """The fields of every work that a citation names by authors and year, by a key made of these."""
    found = {}
    for part in citation.split(";"):
        if named := re.search(r"((?:[^\W\d_a-z][\w-]*(?:, | & | et al\.)?)+) (\d{4})\b", part):
            names = re.split(", | & ", named[1].replace(" et al.", " & others"))
            key = unicodedata.normalize("NFD", names[0]).encode("ascii", "ignore").decode().lower() + named[2]
            author = escape(" and ".join(names)).replace("{-}", "-")
            links = (("url", link.href) for link in linked_parts(part) if link.href)
            found[key] = {"author": author, "year": named[2], **dict(links)}
    return found
