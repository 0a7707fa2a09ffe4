"""Regression tests of the measures; ``metaeval check measures.py:mine --save baselines.json`` makes the baseline."""

from pathlib import Path

import pytest

import measures
import metaeval

mine = metaeval.measure("mine", equation=measures.mine)


@metaeval.parametrize_with_conditions([mine], readings=["canonical"])
def test_conditions(cell):
    cell.check()


def test_the_flaw_is_found():
    with pytest.raises(AssertionError, match=r"violates A\.1 Homogeneity"):
        metaeval.assert_conditions(measures.flawed, ["A.1"], ["canonical"])


if Path("baselines.json").exists():

    @metaeval.parametrize_with_baseline([mine], "baselines.json")
    def test_baseline(stored):
        stored.check()
