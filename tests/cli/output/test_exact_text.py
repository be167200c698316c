"""How far an exact search is, in a line."""

from __future__ import annotations

import pytest

from tengen.cli.output.exact_text import progress
from tengen.solver.results import ExactProgress
from tengen.words import say


@pytest.mark.parametrize(
    ("now", "english", "chinese"),
    [
        (
            ExactProgress("value", 13, 0.25, 75.0, 1_234_567),
            "value, 13 plies ahead: 25%, about 1:15 left for this step; 1,234,567 positions, 0:25 "
            "(Ctrl-C stops)",
            "结果，向前 13 手：25%，这一步约需再 1:15；1,234,567 个局面，0:25（Ctrl-C 结束）",
        ),
        (
            ExactProgress("best", None, 0.0, None, 12),
            "best points, to the end of the game: 0%; 12 positions, 0:25 (Ctrl-C stops)",
            "最佳点，直到终局：0%；12 个局面，0:25（Ctrl-C 结束）",
        ),
    ],
)
def test_progress(now, english, chinese):
    sentence = progress(now)
    assert say(sentence.key, "en", **sentence.values, time="0:25") == english
    assert say(sentence.key, "zh", **sentence.values, time="0:25") == chinese
