from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tengen
from tengen import Board, Branch, Choice, Explanation, Heatmap, Part, Rules
from tengen.formats import explanation_text
from tengen.game.points import PASS
from tengen.schemas.explanation import ChoiceData
from tengen.schemas.sentence import spoken
from tengen.words import LANGUAGES, Message
from tests.strategies import played

BOARD = Board.from_moves("b2a1", "tictactoe")
SUMMARY = Message("explain.random", {"count": 7})
STONE = Message("explain.lines.own", {"count": 1})


def point(name: str) -> int:
    return BOARD.point(name)


def rows(weights: dict[str, float], lang: str = "en") -> list[str]:
    by_point = {point(name): weight for name, weight in weights.items()}
    return explanation_text.weights_board(BOARD, by_point, lang).splitlines()


# -- weights on the board


def test_weights_stand_where_they_belong():
    assert rows({"c3": 20, "a3": 5, "b1": 100}) == [
        "3   5   .  20",
        "2   .   X   .",
        "1   O 100   .",
        "    a   b   c",
    ]


def test_small_whole_weights_are_shown_as_they_are():
    assert rows({"c3": 2, "a3": 1}) == ["3 1 . 2", "2 . X .", "1 O . .", "  a b c"]


def test_fractions_are_percent_of_the_largest():
    assert rows({"c3": 0.5, "a3": 0.25})[0] == "3  50   . 100"
    assert rows({"c3": 0.5, "a3": 0.25})[-1] == "numbers are percentages of the largest, 0.5"
    assert rows({"c3": 0.5}, "zh")[-1] == "数字为最大值 0.5 的百分比"


def test_large_weights_are_percent_of_the_largest():
    assert rows({"c3": 50_000, "a3": 20_000})[0] == "3  40   . 100"


def test_fractions_of_some_size_are_rounded():
    assert rows({"c3": 12.6, "a3": 3.2})[0] == "3  3  . 13"


def test_zeros_show_only_beside_losses():
    assert rows({"c3": 20, "a3": 0})[0] == "3  .  . 20"
    assert rows({"c3": 0, "a3": -4})[0] == "3 -4  .  0"


def test_weights_that_are_all_zero():
    assert rows({"c3": 0, "a3": 0})[0] == "3 . . ."


@given(st.dictionaries(st.integers(0, 8), st.floats(-1e9, 1e9), min_size=1), st.sampled_from(LANGUAGES))
def test_any_weights_can_be_drawn(weights, lang):
    drawn = explanation_text.weights_board(BOARD, weights, lang).splitlines()
    assert len({len(row) for row in drawn[:4]}) == 1, "columns stay in line"


# -- the page of text


def test_a_page_says_what_is_played_and_why():
    parts = {
        point("c3"): (Part(STONE, (point("b2"),), 20.0), Part(STONE, (), 0.0)),
        point("a3"): (Part(STONE, (), 5.0),),
    }
    explanation = Explanation(
        SUMMARY,
        {point("a3"): 5.0, point("c3"): 20.0, point("b1"): 1.0, point("c1"): 0.5},
        parts,
        lines=((point("c3"), point("a3")),),
    )
    assert explanation_text.text(BOARD, Choice(point("c3")), explanation, "en").splitlines() == [
        "plays c3",
        "every legal point is equally likely, 1 in 7",
        "",
        "3  5  . 20",
        "2  .  X  .",
        "1  O  1  0",
        "   a  b  c",
        "c3 has weight 20:",
        "        20  a line with 1 own stone  (b2)",
        "a3 has weight 5:",
        "         5  a line with 1 own stone",
        "line 1: c3 a3",
    ]


def test_a_page_without_weights():
    text = explanation_text.text(BOARD, Choice(point("c3")), Explanation(SUMMARY), "zh")
    assert text.splitlines() == ["下 c3", "7 个合法点机会相同"]


def test_a_pass_can_be_explained():
    board = Board.from_moves("a1b2c3", Rules.named("freestyle", passing=True))
    assert explanation_text.text(board, Choice(PASS), Explanation(SUMMARY), "en").startswith("plays --\n")


def branch(name: str, value: float, *children: Branch, note: Message | None = None) -> Branch:
    return Branch(point(name), value, note, children)


def test_a_tree_is_indented_and_kept_short():
    deep = branch("a2", 1, branch("a3", 2, branch("b1", 3, branch("b3", 4, branch("c1", 5)))))
    many = [branch("c3", float(number), note=SUMMARY if number == 0 else None) for number in range(9)]
    tree = Branch(PASS, 0.0, None, (deep, *many))
    text = explanation_text.text(BOARD, Choice(point("a2")), Explanation(SUMMARY, tree=tree), "en")
    assert text.splitlines()[2:] == [
        "",
        "search tree:",
        "a2  1",
        "  a3  2",
        "    b1  3",
        "      b3  4",
        "c3  0  every legal point is equally likely, 1 in 7",
        "c3  1",
        "c3  2",
        "c3  3",
        "c3  4",
        "… and 4 more",
    ]


HEATMAP = Heatmap(
    "value",
    Message("explain.value.classes.title"),
    Message("explain.value.summary", {"colour": Message("black"), "chance": "60"}),
    Message("explain.value.classes.note"),
    {point("c3"): 5.0, point("a3"): -20.0, point("b1"): 0.25},
    {
        point("c3"): (Part(STONE, (), 5.0),),
        point("a3"): (Part(STONE, (), -21.0), Part(STONE, (), 1.0)),
        point("b1"): (Part(STONE, (), 0.25),),
    },
    (Part(Message("explain.value.sum"), (), -14.75), Part(Message("explain.value.threats"), (), 3.0)),
)


def test_a_heatmap_stands_below_and_begins_with_the_whole():
    explanation = Explanation(SUMMARY, heatmaps=(HEATMAP,))
    text = explanation_text.text(BOARD, Choice(point("c3")), explanation, "en").splitlines()
    assert text[2] == ""
    assert text[3] == (
        "What the sum sees: before any search its numbers give Black, to move, a winning chance of 60%"
    )
    assert text[4].startswith("Numbers are in hundredths")
    assert text[5:] == [
        "    -14.75  the classes of all empty points, added up",
        "         3  the combination of threats on the board",
        "    -11.75  total",
        "3 -20   .   5",
        "2   .   X   .",
        "1   O   .   .",
        "    a   b   c",
        "a3 has weight -20:",
        "       -21  a line with 1 own stone",
        "         1  a line with 1 own stone",
        "c3 has weight 5:",
        "         5  a line with 1 own stone",
    ]


# -- as data


def said_data(board: Board, name: str, choice: Choice, explanation: Explanation, lang: str) -> Any:
    """What ``tengen explain --json`` says."""
    return spoken(ChoiceData.of(board, name, choice, explanation).to_dict(), lang)


def test_data_is_complete_and_names_points():
    explanation = Explanation(
        SUMMARY,
        {point("c3"): 20.0},
        {point("c3"): (Part(STONE, (point("b2"),), 20.0),)},
        ((point("c3"), point("a3")),),
        Branch(PASS, 0.0, None, (branch("c3", 20.0, note=STONE),)),
    )
    data = said_data(BOARD, "somebody", Choice(point("c3")), explanation, "en")
    assert json.loads(json.dumps(data)) == {
        "player": "somebody",
        "choice": "c3",
        "summary": "every legal point is equally likely, 1 in 7",
        "weights": {"c3": 20.0},
        "parts": {"c3": [{"label": "a line with 1 own stone", "points": ["b2"], "value": 20.0}]},
        "lines": [["c3", "a3"]],
        "tree": {
            "point": "--",
            "value": 0.0,
            "note": None,
            "children": [{"point": "c3", "value": 20.0, "note": "a line with 1 own stone", "children": []}],
        },
        "heatmaps": [],
    }


def test_a_heatmap_as_data_is_complete():
    explanation = Explanation(SUMMARY, heatmaps=(HEATMAP,))
    (data,) = said_data(BOARD, "it", Choice(point("c3")), explanation, "zh")["heatmaps"]
    assert json.loads(json.dumps(data)) == data
    assert data["name"] == "value"
    assert data["title"] == "总和看到的"
    assert data["weights"] == {"c3": 5.0, "a3": -20.0, "b1": 0.25}
    assert [part["value"] for part in data["parts"]["a3"]] == [-21.0, 1.0]
    assert [part["value"] for part in data["total"]] == [-14.75, 3.0]


@pytest.mark.parametrize("spec", ["random,seed=1", "lines", "shapes:o2", "lookup:reachable"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_real_players_can_be_explained(spec, lang):
    board = Board.from_moves("b2a1", "tictactoe")
    player = tengen.player(spec)
    choice, explanation = player.choose(board), player.explain(board)
    text = explanation_text.text(board, choice, explanation, lang)
    assert board.name(choice.point) in text.splitlines()[0]
    data = json.loads(json.dumps(said_data(board, player.name, choice, explanation, lang)))
    assert data["choice"] == board.name(choice.point)
    assert data["summary"] in text
    assert set(data["weights"]) <= set(map(board.name, board.legal_points()))
    assert data["tree"] is None


@given(played(), st.sampled_from(("random,seed=1", "shapes")), st.sampled_from(LANGUAGES))
def test_every_position_that_is_not_over_has_a_page(board, spec, lang):
    if board.outcome() is None:
        player = tengen.player(spec)
        text = explanation_text.text(board, player.choose(board), player.explain(board), lang)
        assert "{" not in text
