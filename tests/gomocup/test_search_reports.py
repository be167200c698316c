from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import Score
from tengen.game.score_units import WIN
from tengen.gomocup.search_reports import last_report, report_text


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("ev 34", Score(34)),
        ("Eval: +123", Score(123)),
        ("EVALUATION = -7", Score(-7)),
        ("score 0", Score(0)),
        ("depth 12-20 ev 34 tm 300 pv h8", Score(34)),
        ("Depth 12-20 | Eval -34 | Time 120ms", Score(-34)),
        ("ev +M5", Score.win_in(5)),
        ("eval -M6 depth 9", Score.loss_in(6)),
        ("score 999999", Score(WIN - 1)),
        ("score -999999", Score(1 - WIN)),
    ],
)
def test_scores(text, score):
    assert last_report([text]) == (score, 0)


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("n 12345", 12_345),
        ("Nodes: 12K", 12_000),
        ("node=3m", 3_000_000),
        ("nodes 1.25G", 1_250_000_000),
        ("n/ms 350 n 7", 7),
    ],
)
def test_nodes(text, nodes):
    assert last_report([text]) == (None, nodes)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I play h8",
        "seven 7, event 5, level 3, scores 9",
        "ev 0.5",
        "winrate 50 score 51%",
        "score good",
        "ev M5",
        "n/ms 350",
        "nodes none",
        "evaluation of 3 lines",
        "ev 12345678901234567890",
    ],
)
def test_what_says_nothing(text):
    assert last_report([text]) == (None, 0)


def test_the_last_word_counts():
    said = ["depth 8 ev 10 n 100", "depth 9 ev 20", "depth 10 n 300", "done"]
    assert last_report(said) == (Score(20), 300)
    assert last_report([]) == (None, 0)


SCORES = (
    st.builds(Score, st.integers(1 - WIN, WIN - 1))
    | st.integers(0, 2500).map(Score.win_in)
    | st.integers(0, 2500).map(Score.loss_in)
)


@given(
    st.integers(1, 500),
    SCORES,
    st.integers(0, 10**17),
    st.integers(0, 10**9),
    st.floats(0, 1e6),
    st.lists(st.sampled_from(["h8", "i9", "a1", "t20", "--"]), max_size=9),
    st.sampled_from(["", "(1) ", "(12) "]),
)
def test_what_is_written_is_read_exactly(depth, score, nodes, speed, seconds, line, number):
    text = number + report_text(depth, score, nodes, speed, seconds, line)
    assert last_report([text]) == (score, nodes)


def test_a_report():
    text = report_text(9, Score.win_in(5), 1200, 4000, 0.3004, ["h8", "i9"])
    assert text == "depth 9 ev +M5 n 1200 nps 4000 tm 300 pv h8 i9"


WORDS = st.sampled_from(["ev", "Score:", "n", "nodes =", "+M5", "-M", "12K", "-7", "1.5M", "9" * 20, "%"])


@given(st.lists(st.text(max_size=20) | st.lists(WORDS, max_size=6).map(" ".join), max_size=5))
def test_any_text_may_be_said(texts):
    score, nodes = last_report(texts)
    assert nodes >= 0
    assert score is None or abs(score.value) <= WIN
