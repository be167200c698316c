"""What the engine shows of its numbers adds up, and says whether a network is among them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from tengen import BLACK, Board, Engine, GameOver
from tengen.engine.heatmaps import heatmaps
from tengen.words import LANGUAGES, say
from tests.engine.games import boards, networks_of, state_of

pytestmark = pytest.mark.usefixtures("compiled")


def maps_of(board, engine=None):
    found = (engine or Engine(nodes=500)).explain(board).heatmaps
    return {heatmap.name: heatmap for heatmap in found}


@given(boards())
def test_the_parts_of_a_point_add_up_to_its_weight(board):
    for heatmap in heatmaps(board, *state_of(board), networks_of(board.rules)):
        for point, parts in heatmap.parts.items():
            assert math.isclose(heatmap.weights[point], sum(part.value for part in parts), abs_tol=1e-9)
        assert all(board[point] == 0 for point in heatmap.weights)


@given(boards())
def test_the_classes_of_the_points_add_up_to_the_sum_exactly(board):
    value = heatmaps(board, *state_of(board), networks_of(board.rules))[0]
    classes = [
        part.value
        for parts in value.parts.values()
        for part in parts
        if part.label.key == "explain.value.class"
    ]
    assert sum(classes) == value.total[0].value
    assert value.total[0].label.key == "explain.value.sum"


@pytest.mark.long
@given(boards())
def test_every_sentence_can_be_said(board):
    for heatmap in heatmaps(board, *state_of(board), networks_of(board.rules)):
        for lang in LANGUAGES:
            for message in (heatmap.title, heatmap.summary, heatmap.note):
                assert "{" not in say(message, lang)
            for parts in heatmap.parts.values():
                assert all(say(part.label, lang) for part in parts)


@pytest.mark.parametrize(
    ("rules", "engine", "title"),
    [
        ("freestyle", Engine(nodes=500), "What the network sees"),
        ("freestyle", Engine(nodes=500, weights="classes"), "What the sum sees"),
        ("freestyle", Engine(nodes=500, strength=50), "What the network sees"),
        ("caro", Engine(nodes=500), "What the network sees"),
    ],
)
def test_only_what_plays_is_shown(rules, engine, title):
    value = maps_of(Board.from_moves("h8i9g7", rules=rules), engine)["value"]
    assert say(value.title) == title
    labels = {part.label.key for parts in value.parts.values() for part in parts}
    assert ("explain.value.share" in labels) is ("network" in title)
    assert len(value.total) == (3 if "network" in title else 2)


def test_what_is_overlooked_is_not_counted():
    """Below full strength it judges a row that it does not notice as if there were none."""
    board = Board.from_stones(black=["h8", "i9", "l4"], white=["d5", "e6", "f7"], turn=BLACK)
    for seed in range(40):
        engine = Engine(nodes=200, strength=0, seed=seed)
        why = engine.explain(board)
        if "overlooked" in why.summary.key:
            labels = [str(part.label) for parts in why.heatmaps[0].parts.values() for part in parts]
            assert not any(label.startswith("White would make: open four") for label in labels)
            assert engine.heatmaps(board) == why.heatmaps
            return
    raise AssertionError


def test_the_engine_has_them_without_a_search():
    board = Board.from_moves("h8i9g7f6h10i8")
    engine = Engine(nodes=500)
    assert engine.heatmaps(board) == engine.explain(board).heatmaps
    assert [each.name for each in engine.heatmaps(board)] == ["value", "policy"]
    for board in (Board(), Board("renju"), Board.from_moves("h8"), Board.from_moves("h8a1i8a2j8a3k8")):
        value, policy = engine.heatmaps(board)
        assert round(sum(part.value for part in value.total)) == engine.evaluate(board).value
        assert {point: weight / 100 for point, weight in policy.weights.items()} == pytest.approx(
            engine.policy(board)
        )
    assert engine.policy(Board()) == {112: 1.0}
    with pytest.raises(GameOver):
        engine.heatmaps(Board.from_moves("h8a1i8a2j8a3k8a4l8"))


def test_an_empty_board_has_a_value_and_one_move():
    maps = maps_of(Board())
    assert list(maps) == ["value", "policy"]
    assert maps["policy"].weights == {112: 100.0}


def test_a_glance_names_the_likeliest_move():
    board = Board.from_moves("h8i9g7f6h10i8")
    policy = maps_of(board)["policy"]
    best = max(policy.weights, key=lambda point: policy.weights[point])
    assert board.name(best) in say(policy.summary)
    assert math.isclose(sum(policy.weights.values()), 100)
