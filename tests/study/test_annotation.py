"""A review written into its game."""

from __future__ import annotations

import pytest

import tengen
from tengen import BLACK, WHITE, Board, Record, Review, ReviewedPosition, Score, annotate
from tengen.game.record import Mark
from tengen.study.review import Mistake
from tests.errors import key_of

MOVES = "h8i9g7j10"


def game(moves: str = MOVES) -> Record:
    return Record.from_board(Board.from_moves(moves), {"black": "Ann"})


def reviewed(board: Board | None = None) -> Review:
    """A review in which White's first move is a blunder, and its second has hastened a proven loss."""
    board = board or game().board()
    point = board.point
    rates = (0.5, 0.5, 0.9, 0.0, 1.0)
    mates = (None, None, None, -6, 4)
    positions = tuple(
        ReviewedPosition(ply, rate, mate, 0, (0,))
        for ply, (rate, mate) in enumerate(zip(rates, mates, strict=True))
    )
    better = (point("g9"), point("f6"))
    mistakes = (
        Mistake(2, WHITE, point("i9"), "blunder", "win_rate", 0.4, better),
        Mistake(4, WHITE, point("j10"), "inaccuracy", "faster_loss", 0.0, (point("a1"),)),
    )
    return Review(positions, mistakes, {BLACK: 100.0, WHITE: 61.5}, 3, (0.5, 0.5, 0.9, 1.0, 1.0))


def test_comments_marks_and_better_lines():
    record = game()
    annotated = annotate(record, reviewed())
    assert record == game()
    first, second, third, fourth = annotated.main_line()
    assert (first.comment, third.comment) == ("", "")
    assert second.comment == "?? i9: blunder\nIt lowers the chance of winning by 40%. Better: g9 f6"
    assert fourth.comment == "?! j10: inaccuracy\nWhite was losing, but not so soon. Better: a1"
    point = record.setup.point
    assert second.marks == (Mark(point("g9"), "triangle"), Mark(point("i9"), "label", "??"))
    (variation,) = (node for node in first.children if node is not second)
    assert [annotated.board(variation).name(variation.point or 0), len(variation.children)] == ["g9", 1]
    assert annotated.root.comment == (
        "Black: 0 inaccuracies, 0 mistakes, 0 blunders. Accuracy 100%.\n"
        "White: 1 inaccuracy, 0 mistakes, 1 blunder. Accuracy 62%.\n"
        "Turning point: move 3"
    )


def test_every_move_gets_an_evaluation_for_the_side_that_made_it():
    line = annotate(game(), reviewed()).main_line()
    scores = [node.score for node in line]
    assert [round(score.win_rate, 2) for score in scores if score] == [0.5, 0.1, 1.0, 0.0]
    assert scores[2:] == [Score.win_in(7), Score.loss_in(5)]


def test_what_the_game_had_stays():
    record = game()
    second = record.main_line()[1]
    second.comment, second.marks, second.score = "mine", (Mark(0, "circle"),), Score(7)
    record.add("g9f6", record.main_line()[0]).comment = "known"
    annotated = annotate(record, reviewed())
    node = annotated.main_line()[1]
    assert node.comment.startswith("mine\n?? i9")
    assert (node.marks[0], node.score) == (Mark(0, "circle"), Score(7))
    assert len(list(annotated.nodes())) == len(list(record.nodes())) + 1  # of a1
    assert annotated.headers == record.headers


def test_in_chinese():
    node = annotate(game(), reviewed(), "zh").main_line()[1]
    assert node.comment.startswith("?? i9：大失误\n胜率下降 40%。")


def test_a_review_of_another_game():
    for moves in ("h8i9g7", "h8i9g7j10a1", "h8i10g7j10"):
        assert key_of(annotate, game(moves), reviewed()) == "error.review.record"
    assert key_of(annotate, game(), reviewed(), "tlh") == "error.picture.lang"


def test_a_real_review_of_a_real_game():
    record = Record.from_board(Board.from_moves("a1b2c3a3b1c1", "tictactoe"))
    annotated = annotate(record, tengen.review(record))
    (back,) = tengen.read(tengen.to_text(annotated))
    assert back == annotated
    assert "??" in back.main_line()[3].comment


def test_an_interrupted_review():
    review = reviewed()
    part = Review(review.positions[3:], review.mistakes[1:], {WHITE: 90.0}, 3, (1.0, 1.0))
    line = annotate(game(), part).main_line()
    assert [node.score is None for node in line] == [True, True, False, False]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_review_draws_its_graph(lang):
    graph = reviewed().draw(lang)
    assert (graph.rates, graph.marks) == (reviewed().graph, {2: "blunder", 4: "inaccuracy"})
    assert (graph.turning_point, graph.lang) == (3, lang)
    assert reviewed()._repr_svg_() == reviewed().draw().svg
