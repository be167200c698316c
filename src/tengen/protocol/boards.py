"""Boards from what the Gomocup protocol tells: stones as a list, moves, and moves taken back.

Nothing here changes the board it is given. Who has which colour is never said in the protocol. It follows
from the side to move: `own` stones of a list are those of the side that moves next, Black where it has at
least as many stones as the other (an equal count is a game in which both have moved alike; more is what a
set-up or a pass leaves).
"""

from __future__ import annotations

from collections.abc import Sequence

from tengen.game.board import Board
from tengen.game.errors import IllegalMove
from tengen.game.points import BLACK, WHITE, Point, opponent
from tengen.game.rules import Rules
from tengen.gomocup.reading import ProtocolError, Stones, point_text


def set_up(stones: Stones, rules: Rules) -> Board:
    """The board of a list of stones; the side whose own stones they say is to move.

    Stones in the order of a legal game become its moves. Others are set up as they stand, fouls of former
    moves included.
    """
    own = [point for point, mine in stones if mine]
    others = [point for point, mine in stones if not mine]
    turn = BLACK if len(own) >= len(others) else WHITE
    first = turn == BLACK
    in_turn = all(mine == (first == (ply % 2 == 0)) for ply, (_, mine) in enumerate(stones))
    if in_turn and (len(stones) % 2 == 0) == first:
        return in_order([point for point, _ in stones], rules)
    black, white = (own, others) if turn == BLACK else (others, own)
    return Board.from_stones(black, white, turn, rules)


def in_order(points: Sequence[Point], rules: Rules) -> Board:
    """The board after these moves; stones set up where the rules would not let them be played."""
    try:
        return Board.from_moves(points, rules)
    except IllegalMove:
        turn = BLACK if len(points) % 2 == 0 else WHITE
        return Board.from_stones(points[::2], points[1::2], turn, rules)


def under(board: Board, rules: Rules) -> Board:
    """The same stones and side to move under other rules."""
    if board.rules == rules:
        return board
    if board.setup is None:
        return in_order(board.moves, rules)
    return Board.from_stones(board.stones(BLACK), board.stones(WHITE), board.turn, rules)


def put(board: Board, point: Point) -> Board:
    """The board with a stone of the side to move.

    A foul of Black's is let stand: whoever runs the game judges it, and if he plays on, so do we.

    Raises:
        ProtocolError: the game is over, or the point is not empty.
    """
    if board.outcome() is not None:
        raise ProtocolError("error.gomocup.over")
    if board[point]:
        raise ProtocolError("error.gomocup.occupied", point=point_text(point, board.width))
    after = board.copy()
    try:
        after.push(point)
    except IllegalMove:
        black = [*board.stones(BLACK), point]
        return Board.from_stones(black, board.stones(WHITE), opponent(board.turn), board.rules)
    return after


def take_back(board: Board, point: Point, listed: int = 0) -> Board:
    """The board without its last stone; whose it was is to move.

    Args:
        board: the board.
        point: the stone.
        listed: how many of its moves came as a list. Only renju has them in order, so that any of them may
            have been the last.

    Raises:
        ProtocolError: there is no stone on the point, or a later one elsewhere.
    """
    name = point_text(point, board.width)
    colour = board[point]
    if not colour:
        raise ProtocolError("error.gomocup.take_back.none", point=name)
    if board.last == point:
        after = board.copy()
        after.pop()
        return after
    if board.ply > listed:
        assert board.last is not None
        raise ProtocolError("error.gomocup.take_back", point=name, last=point_text(board.last, board.width))
    black, white = ([p for p in board.stones(each) if p != point] for each in (BLACK, WHITE))
    return Board.from_stones(black, white, colour, board.rules)
