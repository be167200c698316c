"""A puzzle in the terminal, line by line; the counterpart of `tengen.terminal.plain`."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, TextIO

from tengen.formats import describe
from tengen.game.errors import TengenError
from tengen.game.points import BLACK, Point, opponent
from tengen.game.rules import NAMES
from tengen.study.puzzle import Puzzle
from tengen.study.puzzle_attempt import PuzzleAttempt
from tengen.terminal.plain_dialogue import PlainDialogue, point_of
from tengen.words import Message


class PlainPuzzle(PlainDialogue):
    """A puzzle solved over a pair of text streams.

    Args:
        puzzle: the puzzle.
        lang: the language of the interface.
        source: the input stream.
        out: the output stream.
    """

    WORDS: ClassVar[str] = "puzzle.words"

    def __init__(self, puzzle: Puzzle, lang: str, source: TextIO, out: TextIO) -> None:
        super().__init__(lang, source, out)
        self._attempt = PuzzleAttempt(puzzle)
        self._told_moves = False

    def run(self) -> int:
        """Read moves until the puzzle is solved, given up, or the input ends.

        Returns:
            The exit status: 0 if it was solved, 1 otherwise.
        """
        self._say(facts(self._attempt.puzzle))
        self._draw()
        self._say(self._attempt.question)
        self._say("puzzle.commands", point=self._example())
        while not (self._quit or self._attempt.solved):
            line = self._read(self._prompt())
            if line is not None:
                self._one_line(line)
        return 0 if self._attempt.solved else 1

    def _draw(self) -> None:
        board = self._attempt.board
        fouls = board.fouls() if board.turn == BLACK and board.outcome() is None else {}
        self._write(f"\n{describe.drawing(board, dict.fromkeys(fouls, describe.FOUL_SIGN))}\n")
        if fouls:
            self._say("terminal.fouls", sign=describe.FOUL_SIGN)

    def _prompt(self) -> Message:
        board = self._attempt.board
        colour = describe.colour(board.turn)
        return Message("plain.prompt", {"number": board.ply + 1, "colour": colour, "clock": ""})

    def _example(self) -> str:
        board = self._attempt.board
        return board.name(board.legal_points()[0])

    def _one_line(self, line: str) -> None:
        command = self._commands.get(self._word(line))
        if command is not None:
            command(self)
            return
        try:
            self._play(line)
        except TengenError as error:
            self._refuse_move(self._attempt.board, line, error, "error.puzzle.input", self._example())

    def _play(self, line: str) -> None:
        attempt, before = self._attempt, self._attempt.board.ply
        point = point_of(attempt.board, line)
        problem = attempt.play(point)
        if problem is not None:
            self._say(problem)
            return
        self._draw()
        if attempt.solved:
            self._say_solved(point, attempt.board.moves[before:])
        else:
            answer = attempt.board.name(attempt.board.moves[-1])
            colour = describe.colour(opponent(attempt.board.turn))
            self._say("puzzle.answered", colour=colour, answer=answer)

    def _say_solved(self, point: Point, moves: tuple[Point, ...]) -> None:
        attempt = self._attempt
        if attempt.puzzle.kind == "defence":
            self._say("puzzle.stops", point=attempt.board.name(point))
        key = "puzzle.solved" if attempt.alone else "puzzle.solved_helped"
        self._say(key, line=describe.row(attempt.board, moves))

    def _help(self) -> None:
        self._say("puzzle.commands", point=self._example())

    def _leave(self) -> None:
        self._quit = True

    def _hint(self) -> None:
        """Show the number of moves needed, then, the next time, a right move."""
        attempt = self._attempt
        if attempt.puzzle.kind != "defence" and not self._told_moves:
            self._told_moves = True
            self._say("puzzle.hint.moves", moves=attempt.moves_left())
        else:
            self._say("puzzle.hint.point", point=attempt.board.name(attempt.hint()))

    def _show(self) -> None:
        """Show the solution and quit."""
        attempt = self._attempt
        self._say("puzzle.solution", line=describe.row(attempt.board, attempt.rest()))
        self._quit = True

    _commands: ClassVar[dict[str, Callable[[PlainPuzzle], None]]] = {
        "": _help,
        "?": _help,
        "h": _hint,
        "s": _show,
        "q": _leave,
    }


def facts(puzzle: Puzzle) -> Message:
    """Return a message with the name, rules and level of a puzzle."""
    rules = puzzle.rules
    values = {
        "name": puzzle.name,
        "rules": Message(f"rules.{rules.name if rules.name in NAMES else 'custom'}"),
        "size": rules.size_text,
        "level": Message(f"puzzle.level.{puzzle.level}"),
    }
    return Message("puzzle.facts", values)
