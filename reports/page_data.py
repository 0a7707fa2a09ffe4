"""The data of the page: rows, columns and cells as JSON; sentences with links."""

import json
import re
import shlex
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from markupsafe import Markup, escape

from metaeval.core.case import Case
from metaeval.core.relation import WORSE, Bounds
from metaeval.display.cell_facts import evidence
from metaeval.display.condense import grounds, is_large
from metaeval.display.counterexample import Counterexample, in_a_sentence, margin_of
from metaeval.display.labels import is_pair, titles_of, written
from metaeval.display.layout import plural
from metaeval.display.python_call import call_of
from metaeval.files.codec import encode
from metaeval.literature.shelf import claim_on
from metaeval.literature.source import FATES
from metaeval.proofs.proof import Proof
from metaeval.proofs.proof_text import proof_facts
from metaeval.records.cell import Pass
from metaeval.records.certificate import Certificate
from metaeval.records.described import DescribedCondition, DescribedMeasure, verify_command
from metaeval.records.score import Score, digits_apart
from metaeval.reports.document import intersections, sentence
from metaeval.reports.page_pictures import pictures
from metaeval.reports.view import LEGEND, SATISFIED, Entry, Report

_SOURCE = re.compile(r"doi:(?P<doi>10\.[0-9]{4,9}/[^\s;,<>\"']*[^\s;,.<>\"'])|arXiv:(?P<arxiv>[0-9]{4}\.[0-9]{4,5})")


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
        # Only these two hosts, whatever a results file holds.
        arxiv = f"https://arxiv.org/abs/{match['arxiv']}"
        address = "https://doi.org/" + quote(match["doi"], safe="/()._-;:") if match["doi"] else arxiv
        found += [LinkedText(text[end : match.start()]), LinkedText(match[0], address)]
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


_MOST_BICLUSTERS = 16
_CODE = 76
#: With more cells than these, narrowest passes are not drawn: the page would load slowly.
_MOST_PASSES = 1000


def page_data(report: Report) -> dict[str, Any]:
    """All data of a report."""
    measures = {row.id: row.described for row in report.measures}
    drawn = len(report.ordered) <= _MOST_PASSES
    return {
        "verdicts": {name: legend._asdict() for name, legend in LEGEND.items()},
        "satisfied": SATISFIED,
        "fates": FATES,
        "first": report.first_reading,
        "measures": {id: {"name": described.name, "gate": described.gate} for id, described in measures.items()},
        "conditions": {column.id: _condition(column.described) for column in report.conditions},
        "cells": {
            entry.link: _entry(entry, measures[entry.measure], report.words[entry.measure], drawn)
            for entry in report.ordered
        },
    }


def _condition(described: DescribedCondition) -> dict[str, Any]:
    return {
        "name": described.name,
        "statement": described.statement,
        "citation": linked_parts(described.citation),
        "readings": encode(described.readings),
        "example": None if described.example is None else drawn(described.example, described),
    }


def _entry(entry: Entry, measure: DescribedMeasure, options: Sequence[str], drawn: bool) -> dict[str, Any]:
    """A cell with its evidence, and with its narrowest pass where passes are ``drawn``."""
    claim = claim_on(*entry.key) if entry.claim else None
    remark = f"{entry.mark} {sentence(f'But {entry.impossible}')}" if entry.impossible else ""
    subject, *declared = measure.target_words or [entry.measure]
    asked = ["--condition", entry.condition, "--reading", entry.reading, *options, *declared]
    return {
        "measure": entry.measure,
        "condition": entry.condition,
        "reading": entry.reading,
        "verdict": entry.verdict,
        "before": entry.before,
        "name": entry.name,
        "claim": entry.claim,
        "place": linked_parts(claim.place) if claim else [],
        "fate": entry.fate,
        "message": " ".join(filter(None, (remark, entry.message))),
        "change": "" if entry.change is None else f"{entry.change.kind}: {entry.change.summary}",
        "evidence": "" if entry.cell is None else f"{evidence(entry.cell)}.",
        "check": shlex.join(["metaeval", "check", subject, *asked]),
        "witness": None if entry.counterexample is None else _witness(entry.counterexample, entry, measure),
        "pass": _pass(entry, measure) if drawn else None,
        "proof": None if entry.proof is None else _proof(entry.proof, entry, measure),
        "unproved": entry.unproved,
    }


def _verify(entry: Entry, measure: DescribedMeasure) -> dict[str, str]:
    """The file for a certificate or a proof, and the command that re-checks it."""
    file = re.sub(r"[^A-Za-z0-9._-]+", "_", entry.name) + ".json"
    return {"file": file, "command": verify_command(file, [measure])}


def _proof(proof: Proof, entry: Entry, measure: DescribedMeasure) -> dict[str, Any]:
    paragraphs: dict[str, str] = {}
    for title, text in proof_facts(proof):
        if title.startswith("("):  # the numbered statements, in lines of one paragraph
            title, text = "shown", f"{paragraphs.get('shown', '')}\n{title} {text}".strip()
        paragraphs[title] = text
    return {
        "paragraphs": [{"title": title, "text": text} for title, text in paragraphs.items()],
        "certificate": json.dumps(proof.to_json(), ensure_ascii=True),
        "verify": _verify(entry, measure),
    }


# --- scored cases


def _witness(counterexample: Counterexample, entry: Entry, measure: DescribedMeasure) -> dict[str, Any]:
    certificate = counterexample.certificate
    large = is_large(certificate.case)
    low = measure.low if certificate.low is None else certificate.low
    best = measure.best if certificate.optimum is None else certificate.optimum
    # Of a large case, sets are told by their numbers of objects and features.
    families = [(family, written) for family in counterexample.families] if not large else []
    for ground in grounds(certificate.case) if large else ():
        families += [(family, ground.written) for family in ground.families]
    return {
        **_scored(certificate, entry, Bounds(low, best)),
        "demanded": counterexample.demanded,
        "found": counterexample.found,
        "size": counterexample.size(entry.reading),
        "families": [
            {"title": one.title, "sets": [shown(member) for member in one.members]} for one, shown in families
        ],
        "shared": [
            {"side": side.capitalize(), "table": intersections(candidate, gold)}
            for side, candidate, gold in counterexample.sides
            if not large and all(0 < len(family.members) <= _MOST_BICLUSTERS for family in (candidate, gold))
        ],
        "python": counterexample.python(_CODE, call_of(certificate, measure)),
        "certificate": json.dumps(certificate.to_json(), ensure_ascii=True),
        "verify": _verify(entry, measure),
    }


def _pass(entry: Entry, measure: DescribedMeasure) -> dict[str, Any] | None:
    passed = entry.cell and entry.cell.narrowest
    if not passed or entry.counterexample:
        return None
    bound = entry.cell and entry.cell.exhaustive
    # A relation without a margin, such as an equality, has no narrowest pass.
    relation = entry.condition_described.known_relation
    narrowest = relation is None or relation.margin is not None
    return {
        **_scored(passed, entry, measure.bounds),
        "title": "The narrowest pass" if narrowest else "An example",
        "scope": f"Of all cases up to {plural(bound.objects, 'object')}, none is passed by less."
        if narrowest and bound
        else "",
    }


def _scored(scored: Certificate | Pass, entry: Entry, bounds: Bounds) -> dict[str, Any]:
    digits = digits_apart(*scored.scores)
    described = entry.condition_described
    if isinstance(scored, Certificate):
        name, margin = Counterexample(scored, described).margin
    else:  # of a pass with two scores, their difference
        relation = None if len(scored.scores) == 2 else described.known_relation
        name, margin = margin_of(relation, scored.scores, bounds)
    captions, paired = _captions(described), is_pair(scored.case)
    scores = []
    for side, score in zip(titles_of(scored.case).sides, scored.scores, strict=True):
        title = f"{captions[side.candidate]} ({side.name})" if paired else side.name.capitalize()
        scores.append({"title": title, **_score(score, digits)})
    return {
        "sentence": in_a_sentence(described, scored.scores, bounds),
        "scores": scores,
        "margin": {"name": name, **_score(margin, digits)},
        "pictures": drawn(scored.case, described, scored.scores, "/".join(entry.key)),
    }


def drawn(case: Case, condition: DescribedCondition, scores: Sequence[Score] = (), title: str = "") -> dict[str, Any]:
    """A case as the page draws it; each score of a pair or of a single side stands beside its candidate."""
    titles, pair = titles_of(case), is_pair(case)
    # Cases that are no pairs have their titles as captions.
    others = {} if pair else {title: title.capitalize() for title in titles.places}
    scored = zip(titles.sides, scores, strict=True) if scores and (pair or len(case) == 1) else ()
    digits = digits_apart(*scores) if scores else 0
    beside = {side.candidate: _minus(score.rounded(digits)) for side, score in scored}
    return pictures(case, _captions(condition) | others, beside, title)


def _captions(condition: DescribedCondition) -> dict[str, str]:
    left, right = (condition.known_relation or WORSE).captions
    golds = {"gold": "Gold", "left gold": f"Gold {left.lower()}", "right gold": f"Gold {right.lower()}"}
    return {"left": left, "right": right, **golds}


def _score(score: Score, digits: int) -> dict[str, str]:
    return {"fraction": _minus(score.fraction), "decimal": _minus(score.rounded(digits))}


def _minus(number: str) -> str:
    return "−" + number[1:] if number.startswith("-") else number
