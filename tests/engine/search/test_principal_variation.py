"""The line of a result is the table's, and shows a win to its end whatever the table has lost."""

from __future__ import annotations

import pytest

from tengen import BLACK, Board
from tengen.engine.board.conversion import cell
from tengen.engine.board.scores import WIN
from tengen.engine.search import principal_variation
from tests.engine.games import NAMES, after, winner_of
from tests.engine.helpers import called
from tests.engine.search.test_deepening_kernel import MIDGAME, Deepening

write_line = called(principal_variation.write_line)


def line(search, move, score=0):
    """The line that follows from a move and its score."""
    record = search.record[0]
    record["cell"], record["score"] = cell(search.board, search.board.point(move)), score
    write_line(search.state, search.tables, search.networks, search.table, search.record)
    return search.line


@pytest.mark.long
def test_it_follows_the_table_as_far_as_that_goes():
    search = Deepening.of(Board.from_moves(MIDGAME), most_depth=6)
    search.rest()
    board, found = search.board, search.line
    assert len(found) >= 4
    assert line(search, board.name(found[0])) == found
    search.table[:] = 0
    assert line(search, board.name(found[0])) == found[:1]


@pytest.mark.parametrize("name", NAMES)
def test_a_win_is_shown_to_its_end_with_an_empty_table(name):
    board = Board.from_moves("h8a1i8a3j8a5", name)
    for stop in (0, 1):
        search = Deepening.of(board)
        search.state[0]["stop"] = stop
        found = line(search, "k8", WIN - 3)
        # What to answer is searched, unless the search has been stopped; fours are not.
        assert (winner_of(after(board, found)) == BLACK) == (name != "caro" or not stop)
        assert search.state[0]["nodes"] == 0


def test_a_loss_is_shown_to_its_end():
    """White's answers to an open three are searched, and the fours after them."""
    board = Board.from_stones(
        black=["h8", "i8", "j8", "d3", "d4", "d5"], white=["a1", "o1", "o15", "a15", "l12"], turn=2
    )
    search = Deepening.of(board)
    assert winner_of(after(board, line(search, "g8", 4 - WIN))) == BLACK


def test_it_ends_before_a_foul():
    board = Board.from_moves("d8a1e8a3f8a5h8c1i8c3", "renju")
    assert board.foul("g8") is not None
    assert line(Deepening.of(board), "g8") == []
