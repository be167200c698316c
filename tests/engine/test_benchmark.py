"""The signature of the engine: it says whether a change has changed how the engine plays."""

from __future__ import annotations

import pytest

from tengen.engine.benchmark import boards, measure, signature
from tengen.engine.tables import CLASSES_ALONE
from tengen.game.player import Limit

pytestmark = pytest.mark.usefixtures("compiled")

SIGNATURES = {"": "ae23a9f6ae4c", CLASSES_ALONE: "c5fd93716af6"}
"""Of the engine as it plays now, with the network where there is one and without.

A new word belongs into the commit message, with the match behind it.
"""


@pytest.mark.long
@pytest.mark.parametrize("weights", SIGNATURES, ids=["network", "classes"])
def test_the_engine_plays_as_it_did(weights):
    assert signature(measure(boards(), weights=weights)) == SIGNATURES[weights]


@pytest.mark.parametrize("rules", ["freestyle", "standard", "renju", "caro"])
def test_the_signature_tells_searches_apart(rules):
    positions = boards(rules)
    known = {signature(measure(positions, [Limit(nodes=nodes)])) for nodes in (300, 301)}
    assert len(known) == 2
    assert signature(measure(positions, [Limit(nodes=300)])) in known
    assert signature(measure(positions[:1], [Limit(nodes=300)])) not in known
