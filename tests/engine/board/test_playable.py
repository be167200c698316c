"""Which rules the engine plays, and on which boards."""

from __future__ import annotations

import pytest

from tengen import BLACK, Board, Engine, Limit, Rules, RulesError, solve_vcf
from tengen.engine.board.playable import LARGEST, SMALLEST, check_rules, plays

ROW, CORNERS = ("d8", "f8", "g8", "i8"), ("a1", "a15", "o1", "o15")


@pytest.mark.parametrize("name", ["freestyle", "standard", "renju", "caro"])
def test_the_rules_with_names(name):
    for size in range(1, 30):
        assert plays(Rules.named(name, size)) == (SMALLEST <= size <= LARGEST)


@pytest.mark.parametrize(
    "rules",
    [
        Rules.named("tictactoe"),
        Rules.mnk(15, 15, 4),
        Rules.named("freestyle", (15, 14)),
        Rules.named("freestyle", passing=True),
        Rules(double_four=True),
        Rules(double_three=True),
    ],
)
def test_what_it_does_not_play_is_refused(rules):
    assert not plays(rules)
    with pytest.raises(RulesError, match="the engine does not play these rules on"):
        check_rules(rules)


def test_no_win_is_proven_by_a_foul():
    """A row with a gap makes two fours by rules under which six win, and one by the engine's patterns."""
    board = Board.from_stones(ROW, CORNERS, BLACK, Rules(double_four=True))
    assert {board.name(point) for point in board.fouls()} == {"e8", "h8"}
    with pytest.raises(RulesError):
        solve_vcf(board)
    with pytest.raises(RulesError):
        Engine().choose(board, Limit(nodes=100))


@pytest.mark.parametrize("overline", ["no_win", "foul"])
def test_the_same_fouls_are_played_where_six_do_not_win(overline):
    rules = Rules(overline=overline, double_four=True, double_three=True)
    assert plays(rules)
    board = Board.from_stones(ROW, CORNERS, BLACK, rules)
    assert Engine().choose(board, Limit(nodes=100)).point in board.legal_points()
