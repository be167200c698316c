"""What a game leaves behind, and its record."""

from __future__ import annotations

import pytest

from tengen import BLACK, WHITE, Record, Score, TengenError
from tengen.arena.results import FAULTS, PlayedGame, PlayedMove
from tests.arena.games import WON, played


def test_who_won_what():
    game = played(points=1.0)
    assert (game.winner, game.points, game.loser) == (BLACK, 1, "b")
    game = played(points=0.0)
    assert (game.winner, game.points, game.loser) == (WHITE, 0, "a")
    game = played(points=0.5)
    assert (game.winner, game.points, game.loser) == (None, 0.5, None)


def test_the_record_has_every_move_with_time_and_score():
    game = played()
    moves = (PlayedMove(game.moves[0].point, 1.5, Score(30)), *game.moves[1:])
    record = PlayedGame(0, game.rules, "a", "b", game.opening, moves, BLACK, "five").record()
    line = record.main_line()
    assert [node.seconds for node in line[:3]] == [None, None, 1.5]
    assert line[2].score == Score(30)
    outcome = record.board().outcome()
    assert outcome is not None
    assert outcome.winner == BLACK
    assert record.headers["result"] == "black"
    assert record.headers["round"] == "1"


@pytest.mark.parametrize("end", ["five", "full", "agreed", *FAULTS])
@pytest.mark.parametrize("points", [0.0, 0.5, 1.0])
def test_a_game_comes_back_from_its_record(end, points):
    game = played(number=7, points=points, end=end, detail="too late, by far")
    assert PlayedGame.from_record(game.record()) == game


def test_other_records_are_no_games_of_the_arena():
    for change in ({"result": ""}, {"reason": "boredom"}, {"round": "x"}, {"opening": "a1"}):
        record = played().record()
        record.headers.update(change)
        with pytest.raises(TengenError, match="not a game of the arena"):
            PlayedGame.from_record(record)
    with pytest.raises(TengenError):
        PlayedGame.from_record(Record())


def test_the_board_at_the_end():
    assert played().board().ply == played().length == len(WON) // 2
