"""Board updates by a Gomocup manager: moves, moves taken back, and changes of rules.

No function modifies its argument. Lists of stones are in `tengen.gomocup.stones`.
"""

from __future__ import annotations

from tengen.game.board import Board
from tengen.game.errors import IllegalMove
from tengen.game.points import BLACK, WHITE, Point, opponent
from tengen.game.rules import Rules
from tengen.gomocup.coordinates import point_text
from tengen.gomocup.protocol_lines import ProtocolError
from tengen.gomocup.stones import board_after


def under(board: Board, rules: Rules) -> Board:
    """Return a board with the same stones and side to move under other rules."""
    if board.rules == rules:
        return board
    if board.setup is None:
        return board_after(board.moves, rules)
    return Board.from_stones(board.stones(BLACK), board.stones(WHITE), board.turn, rules)


def put(board: Board, point: Point) -> Board:
    """Return the board after a stone of the side to move.

    A foul by Black is accepted: the manager has to judge it, and if the game continues, so does the engine.

    Raises:
        ProtocolError: the game is over, or the point is occupied.
    """
    if board.outcome() is not None:
        raise ProtocolError("error.gomocup.over")
    if board[point]:
        raise ProtocolError("error.gomocup.occupied", point=point_text(point, board.width, board.height))
    after = board.copy()
    try:
        after.push(point)
    except IllegalMove:
        black = [*board.stones(BLACK), point]
        return Board.from_stones(black, board.stones(WHITE), opponent(board.turn), board.rules)
    return after


def take_back(board: Board, point: Point, listed: int = 0) -> Board:
    """Return the board without its last stone; the owner of the stone is to move.

    Args:
        board: the board.
        point: the point of the stone.
        listed: the number of its moves that came as a list. Only renju lists moves in order, so under other
            rules any of them may have been the last.

    Raises:
        ProtocolError: the point is empty, or a later stone lies elsewhere.
    """
    name = point_text(point, board.width, board.height)
    colour = board[point]
    if not colour:
        raise ProtocolError("error.gomocup.take_back.none", point=name)
    if board.last == point:
        after = board.copy()
        after.pop()
        return after
    if board.ply > listed:
        assert board.last is not None
        last = point_text(board.last, board.width, board.height)
        raise ProtocolError("error.gomocup.take_back", point=name, last=last)
    black, white = ([p for p in board.stones(each) if p != point] for each in (BLACK, WHITE))
    return Board.from_stones(black, white, colour, board.rules)
