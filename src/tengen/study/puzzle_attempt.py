"""An attempt to solve a puzzle: each move is judged at once, and wrong moves are not played."""

from __future__ import annotations

from tengen.game.board import Move
from tengen.game.fives import fives
from tengen.game.points import BLACK, Colour, Point, opponent
from tengen.study.puzzle import Puzzle, PuzzleTurn, moves_needed, shortest_line
from tengen.words import Message


class PuzzleAttempt:
    """An attempt to solve a puzzle.

    Args:
        puzzle: the puzzle.

    Attributes:
        puzzle: the puzzle.
        board: the position after the right moves so far and the answers to them.
        alone: whether there has been no wrong move and no help so far.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.board = puzzle.board()
        self.alone = True
        self._solver = self.board.turn
        self._turn: PuzzleTurn | None = puzzle.turn

    @property
    def solved(self) -> bool:
        """Return whether the puzzle is solved."""
        return self._turn is None

    @property
    def question(self) -> Message:
        """The task of the puzzle, as a sentence."""
        return Message(f"puzzle.ask.{self.puzzle.kind}", {"colour": _name(self._solver)})

    def play(self, move: Move) -> Message | None:
        """Play a move; the puzzle must not be solved yet.

        A right move is answered; after the last right move the line is played out up to the five. A wrong
        move is not played.

        Returns:
            The reason why the move is wrong; None if it is right.

        Raises:
            NotationError: the text is not a move.
            IllegalMove: the move is illegal.
        """
        turn = self._asked
        point = self.board.point(move)
        self.board.push(point)
        reply = turn.right.get(point)
        if reply is None:
            five = next(iter(fives(self.board, opponent(self._solver))), None)
            self.board.pop()
            self.alone = False
            return self._wrong(point, turn, five)
        for answer in reply.moves:
            self.board.push(answer)
        self._turn = reply.turn
        return None

    def moves_left(self) -> int:
        """Return the least number of moves to a solution; counts as help."""
        self.alone = False
        return moves_needed(self._asked)

    def hint(self) -> Point:
        """Return a right move; counts as help."""
        return self.rest()[0]

    def rest(self) -> tuple[Point, ...]:
        """Return a shortest line to the five, the moves of both sides in turn; counts as help."""
        self.alone = False
        return shortest_line(self._asked)

    @property
    def _asked(self) -> PuzzleTurn:
        assert self._turn is not None  # a precondition
        return self._turn

    def _wrong(self, point: Point, turn: PuzzleTurn, five: Point | None) -> Message:
        """Return why a move is wrong; `five` is a point where the other side can make a five, or None."""
        key = self._problem(point, turn, five)
        values = {"point": self.board.name(point), "colour": _name(opponent(self._solver))}
        return Message(key, values if five is None else {**values, "five": self.board.name(five)})

    def _problem(self, point: Point, turn: PuzzleTurn, five: Point | None) -> str:
        kind = self.puzzle.kind
        if kind == "defence":
            return "puzzle.still_wins"
        if point in turn.wrong:
            return "puzzle.four_fails" if kind == "vcf" else "puzzle.threat_fails"
        if five is not None:
            return "puzzle.five_first"
        return "puzzle.no_four" if kind == "vcf" else "puzzle.no_threat"


def _name(colour: Colour) -> Message:
    return Message("black" if colour == BLACK else "white")
