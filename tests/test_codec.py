"""Records of JSON files: what is wrong with a file is said in one sentence, with place and value."""

import json
from typing import Any, ClassVar, Literal

import pytest
from msgspec import field
from tools import run_process

from metaeval.core.errors import InputError
from metaeval.core.verdict import Verdict
from metaeval.files.codec import MOST_CHARACTERS, Count, Line, Lines, Record, decode
from metaeval.records.results import Results


class Size(Record, frozen=True):
    objects: Count
    least: int = 0

    def __post_init__(self) -> None:
        if self.least > self.objects:
            raise ValueError(f"has {self.objects} objects; expected at least {self.least}")


class Sample(Record, frozen=True, tag_field="schema", tag="sample/1"):
    OPTIONAL: ClassVar[frozenset[str]] = frozenset({"remark", "printed", "stopped"})

    name: Line
    verdict: Verdict = Verdict.HOLDS
    sizes: tuple[Size, ...] = ()
    by_name: dict[str, Size] = field(default_factory=dict)
    claim: Literal["satisfies", "violates"] | None = None
    share: float | None = None
    remark: Line | None = None
    printed: Lines | None = None
    stopped: bool = False


WHOLE = {"schema": "sample/1", "name": "x"}


@pytest.mark.parametrize(("changed", "sentence"), [
    ({"name": 5}, '"name" of cell 3 must be a string, not 5'),
    ({"name": None}, '"name" of cell 3 must be a string, not None'),
    ({"name": "x" * 10_001}, '"name" of cell 3 has 10001 characters; at most 10000 are accepted'),
    ({"verdict": "fine"}, "\"verdict\" of cell 3 is 'fine'; expected one of proved, holds, violated, "),
    ({"verdict": 1}, '"verdict" of cell 3 must be a string, not 1'),
    ({"claim": "x\x1b"}, "\"claim\" of cell 3 is 'x\\x1b'; expected one of satisfies, violates, null"),
    ({"share": "much"}, "\"share\" of cell 3 must be a number or null, not 'much'"),
    ({"share": True}, '"share" of cell 3 must be a number or null, not True'),
    ({"stopped": 1}, '"stopped" of cell 3 must be true or false, not 1'),
    ({"sizes": 3}, '"sizes" of cell 3 must be a list, not 3'),
    ({"sizes": [{"objects": 1}, 4]}, 'item 2 of "sizes" of cell 3 must be a JSON object, not 4'),
    ({"sizes": [{}]}, 'item 1 of "sizes" of cell 3 has no "objects"'),
    ({"sizes": [{"objects": -1}]}, '"objects" of item 1 of "sizes" of cell 3 must be a whole number from 0 up, not -1'),
    ({"sizes": [{"objects": True}]}, '"objects" of item 1 of "sizes" of cell 3 must be a whole number, not True'),
    (
        {"sizes": [{"objects": -(10**39)}]},
        '"objects" of item 1 of "sizes" of cell 3 must be a whole number from 0 up, not -1000',
    ),
    ({"sizes": [{"objects": 1, "colour\x1b": 2}]}, "item 1 of \"sizes\" of cell 3 has an unknown key 'colour\\x1b'"),
    ({"sizes": [{"objects": 1, "least": 2}]}, 'item 1 of "sizes" of cell 3 has 1 objects; expected at least 2'),
    ({"by_name": {"a": {"objects": "x"}}}, '"objects" of an entry of "by_name" of cell 3 must be a whole number'),
    ({"colour - at `$.sizes[9]`": 1}, "cell 3 has an unknown key 'colour - at `$.sizes[9]`'"),
    ({"schema": "sample/2"}, "the schema of cell 3 is 'sample/2'; expected 'sample/1'"),
    ({"schema": None}, "the schema of cell 3 is None; expected 'sample/1'"),
], ids=lambda value: str(value)[:30])  # fmt: skip
def test_an_error_names_the_place_the_value_and_what_was_expected(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as error:
        decode(Sample, {**WHOLE, **changed}, "cell 3")
    assert str(error.value).startswith(sentence)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("data", [None, 5, "x", [], [WHOLE]], ids=str)
def test_a_record_is_a_json_object(data: Any) -> None:
    for kind in (Sample, Size):
        with pytest.raises(InputError, match="the file must be a JSON object, not "):
            decode(kind, data, "the file")


def test_a_record_is_written_in_the_order_of_its_fields_without_what_is_absent() -> None:
    data = {**WHOLE, "verdict": "proved", "sizes": [{"objects": 1, "least": 0}], "by_name": {}, "claim": None}
    data |= {"share": 0.0, "printed": "a\nb", "stopped": True}
    sample = decode(Sample, data, "it")
    assert sample.sizes == (Size(1),)
    assert sample.printed == "a\nb"
    assert json.dumps(sample.to_json()) == json.dumps(data)
    assert [*Sample("x").to_json()] == ["schema", "name", "verdict", "sizes", "by_name", "claim", "share"]


def test_text_is_made_safe_to_show() -> None:
    sample = decode(Sample, {**WHOLE, "name": "a\n\x1bb", "printed": "a\n\x1bb\tc"}, "it")
    assert (sample.name, sample.printed) == ("a �b", "a\n�b      c")
    assert len(decode(Sample, {**WHOLE, "name": "x" * MOST_CHARACTERS}, "it").name) == MOST_CHARACTERS


def test_half_a_surrogate_pair_costs_one_sentence() -> None:
    results = {"schema": "metaeval.results/1", "provenance": "\ud800", "measures": {}, "conditions": {}, "cells": []}
    with pytest.raises(InputError, match="half of a surrogate pair"):
        Results.from_json(results)


@pytest.mark.parametrize("code", [
    "import metaeval", "import metaeval.pytest_plugin", "import metaeval.cli.commands.score",
    "import metaeval; metaeval.score('rnia', *[metaeval.Biclustering([({0}, {0})])] * 2)",
])  # fmt: skip
def test_what_reads_no_records_does_not_load_msgspec(code: str) -> None:
    done = run_process(code=f"{code}; import sys; sys.exit('msgspec' in sys.modules)")
    assert done.code == 0
