"""The client of a Gomocup program: the state that it has been sent, requests and answers.

The protocol is the one of the Gomocup tournaments (P. Lastovicka, *Gomocup protocol*, version of 2023): one
command a line, answered by ``OK``, by a move ``x,y``, or not at all. What it leaves open, or
programs do against it, is handled like this:

- Complaints (``UNKNOWN``, ``ERROR``) about an INFO look like complaints about the command after it. At
  START and RESTART the program is then sent ABOUT: if it answers that before any OK, the complaint was
  about the command. At a move the complaint is taken to be about INFO if the program has complained about
  an INFO before, and else about the move.
- ``RESTART`` may be unknown: START is sent then, now and ever after.
- An unexpected line (a move printed twice) is discarded before the next command; so is whatever comes
  before the first OK (a banner), and a second OK.
- A program that compiles or loads something before its first OK writes MESSAGE lines, or to stderr. Any
  line is a sign of life and restarts the wait, up to a generous bound; so it does at a move without a limit
  of time.
- A bound on nodes or depth cannot be lifted; a program that has one is restarted for that.
"""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass, replace
from threading import Event

from tengen.game import notation
from tengen.game.board import Board
from tengen.game.errors import OffBoard, TengenError
from tengen.game.notation import shorten
from tengen.game.points import Point
from tengen.gomocup.answers import parse_answer
from tengen.gomocup.command_names import CommandName
from tengen.gomocup.coordinates import coordinates
from tengen.gomocup.info_values import info_line
from tengen.gomocup.protocol_lines import LONGEST, ProtocolLine
from tengen.players.external.gomocup_game import (
    GomocupGame,
    MoveTime,
    ProgramError,
    ProgramSettings,
    position_lines,
)
from tengen.players.external.program import LINES, Program, ProgramEnded, TooMuchOutput
from tengen.words import Message

STOPPED = 1.0
"""Seconds that a program has to answer after it was sent a stop."""

LONGEST_WAIT = 600.0
"""Seconds after which a program that gives signs of life, but no answer, is given up."""

_PAUSE = 0.02
"""Seconds between two checks of a stop signal."""

_ANSWERS = ("ok", "complaint", "about")
"""Kinds of lines that are no moves and that the protocol allows."""


class StopIgnored(Exception):
    """A program that has not answered after a stop."""


@dataclass(frozen=True, slots=True)
class ProgramMove:
    """A program's move, and the seconds from the command to it."""

    point: Point
    seconds: float


class GomocupClient:
    """The manager's side of the conversation with a program that has been started.

    Args:
        program: the program, just started.
        settings: of the program.
        label: its name in errors.

    Attributes:
        program: the program.
        game: the game that it is in; None before START.
        line: the moves on its board, its own last one included; empty until it has moved.
        noise: lines that it has written without being asked.
    """

    def __init__(self, program: Program, settings: ProgramSettings, label: str) -> None:
        self.program = program
        self.game: GomocupGame | None = None
        self.line: tuple[Point, ...] = ()
        self.noise = 0
        self._settings = settings
        self._label = label
        self._sent: dict[str, int | str] = {}
        self._complains = False
        self._restarts = True
        self._over = False
        self._free = time.perf_counter() + settings.start / 1000

    def knows(self, game: GomocupGame, moves: tuple[Point, ...]) -> bool:
        """Return whether these moves continue the game that the program is in."""
        return not self._over and self.game == game and moves[: len(self.line)] == self.line

    def forget(self) -> None:
        """End the game: the next position needs a new one."""
        self._over = True

    def expects(self, game: GomocupGame, moves: tuple[Point, ...]) -> bool:
        """Return whether they can be sent now: one move follows the program's own, or its board is empty.

        The protocol wants RESTART before BOARD where stones stand.
        """
        return self.knows(game, moves) and (not self.line or len(moves) == len(self.line) + 1)

    def fits(self, move_time: MoveTime) -> bool:
        """Return whether the program has no bound that the new limits lack."""
        bounds = {"max_depth": move_time.info.max_depth, "max_node": move_time.info.max_node}
        return all(bound for key, bound in bounds.items() if key in self._sent)

    def discard_unexpected(self) -> None:
        """Discard the lines that the program has sent unasked.

        Raises:
            ProgramError: it has ended, or sends too much.
        """
        while (line := self._receive(0.0)) is not None:
            self._ignore(line)

    def begin(self, game: GomocupGame, move_time: MoveTime, stop: Event | None) -> None:
        """Begin a game: RESTART, or START where the board has another size or the program no RESTART.

        Raises:
            TengenError: the program refuses.
            ProgramError: it ends, hangs, or does not keep to the protocol.
            StopIgnored: there was no answer when `stop` was set.
        """
        self._settle(stop)
        same = self.game is not None and self.game.start == game.start
        if not (same and self._restarts and self._restart(game, move_time, stop)):
            self._start(game, move_time, stop)
        self.game, self.line, self._over = game, (), False
        self.program.messages.clear()

    def move(self, board: Board, move_time: MoveTime, stop: Event | None) -> ProgramMove:
        """Ask for a move in the game that was begun.

        Raises:
            ProgramError: the program ends, hangs, answers with no move or with an impossible one.
            StopIgnored: there was no answer when `stop` was set.
        """
        assert self.game is not None
        commands = position_lines(board, self.line)
        self._settle(stop)
        self.discard_unexpected()
        if stop is not None and stop.is_set():
            move_time = move_time.at_once()
        self.program.messages.clear()
        tolerated = self._send(self.game, move_time, *commands)
        began = time.perf_counter()
        wait = _Wait(move_time.seconds + self._settings.tolerance, stop, renewed=not move_time.timed)
        line = self._answer(wait, began, commands[0], tolerated)
        point = self._point(board, line.text)
        self.line = (*board.moves, point)
        self._free = line.at + self._settings.settle / 1000
        return ProgramMove(point, max(line.at - began, 0.0))

    def _restart(self, game: GomocupGame, move_time: MoveTime, stop: Event | None) -> bool:
        """Send RESTART; return whether the program has it."""
        self._restarts = self._refusal(game, move_time, CommandName.RESTART, stop) is None
        return self._restarts

    def _start(self, game: GomocupGame, move_time: MoveTime, stop: Event | None) -> None:
        """Send START."""
        refusal = self._refusal(game, move_time, game.start, stop)
        if refusal is None:
            return
        complaint, other = refusal
        if complaint:
            raise self._refused(game, complaint)
        if other:
            raise self._unexpected("error.program.protocol.start", game.start, other)
        raise self._silent("error.program.hang.start", game.start, self._settings.ready)

    def _refusal(
        self, game: GomocupGame, move_time: MoveTime, command: str, stop: Event | None
    ) -> tuple[str, str] | None:
        """Send START or RESTART; return None after an OK, else the last complaint and last other line."""
        tolerated = self._send(game, move_time, command)
        wait = _Wait(self._settings.ready, stop, renewed=True)
        complaint, other = "", ""
        while (line := self._next(wait)) is not None:
            kind = parse_answer(line.text).kind
            if kind == "ok":
                return None
            if kind == "complaint":
                tolerated -= 1
                if tolerated >= 0 and not complaint:
                    self.program.send(CommandName.ABOUT)
                complaint = line.text
                if tolerated < 0:
                    break
                self._complains = True
            elif complaint and kind == "about":
                break
            else:
                other = line.text
                self._ignore(line)
        return complaint, other

    def _answer(self, wait: _Wait, began: float, command: str, tolerated: int) -> ProtocolLine:
        """Return the line with the move."""
        complaint = ""
        while (line := self._next(wait)) is not None:
            answer = parse_answer(line.text)
            if answer.kind == "move":
                return line
            if answer.kind == "suggestion":
                self.program.send(f"{CommandName.PLAY} {answer.text}")
            elif answer.kind == "complaint" and (tolerated > 0 or wait.stopped):
                complaint = line.text
                tolerated -= 1
            elif answer.kind in ("ok", "about"):
                self._ignore(line)
            else:
                raise self._unexpected("error.program.protocol", command, line.text)
        if complaint:
            raise self._unexpected("error.program.protocol", command, complaint)
        raise self._silent("error.program.hang", command, wait.deadline - began)

    def _next(self, wait: _Wait) -> ProtocolLine | None:
        """Return the next line; None when the time is over.

        Raises:
            StopIgnored: the time was over because of the stop signal.
        """
        while True:
            now = time.perf_counter()
            if wait.signalled(now):
                self._hurry()
            wait.renew(self.program.last_line)
            seconds = wait.deadline - now
            line = self._receive(min(seconds, wait.pause))
            if line is not None:
                return line
            if seconds <= 0:
                if wait.stopped:
                    raise StopIgnored
                return None

    def _receive(self, seconds: float) -> ProtocolLine | None:
        try:
            return self.program.receive(seconds)
        except ProgramEnded:
            raise self._gone() from None
        except TooMuchOutput:
            raise ProgramError(
                "error.program.protocol.flood", program=self._label, bytes=LONGEST, lines=LINES
            ) from None

    def _hurry(self) -> None:
        """Send the program that its time is up; if it reads while it thinks, it answers then."""
        self.program.send(info_line("timeout_turn", 0), info_line("time_left", 0))
        self._sent["timeout_turn"] = 0

    def _settle(self, stop: Event | None) -> None:
        """Wait until the program reads again."""
        seconds = self._free - time.perf_counter()
        if seconds > 0:
            (Event() if stop is None else stop).wait(seconds)

    def _send(self, game: GomocupGame, move_time: MoveTime, *commands: str) -> int:
        """Send commands, and before them `time_left` and the other values of INFO that are new.

        Returns:
            The number of complaints that may be about INFO.
        """
        new = replace(move_time.info, rule=game.rule).unsent(self._sent)
        self.program.send(*(info_line(key, value) for key, value in new.items()), *commands)
        tolerated = len(new) if self._complains or not new.keys() <= self._sent.keys() else 0
        self._sent.update(new)
        return tolerated

    def _point(self, board: Board, text: str) -> Point:
        """The point of an answer, if a stone can stand there."""
        found = coordinates(text)
        assert found is not None
        x, y = found
        try:
            point = notation.from_gomocup(x, y, board.width, board.height)
        except OffBoard:
            raise ProgramError(
                "error.program.illegal.outside",
                program=self._label,
                move=f"{x},{y}",
                size=board.rules.size_text,
            ) from None
        if board[point]:
            raise ProgramError("error.program.illegal", program=self._label, point=board.name(point))
        return point

    def _ignore(self, line: ProtocolLine) -> None:
        self.noise += parse_answer(line.text).kind not in _ANSWERS

    def _gone(self) -> ProgramError:
        """The error for a program whose output has ended."""
        status = self.program.wait(STOPPED)
        self.program.end(0)
        if status is None:
            return ProgramError("error.program.crash.closed", program=self._label)
        how = Message("error.program.status", {"status": status})
        if status < 0:
            how = Message("error.program.signal", {"name": _signal_name(-status)})
        last = list(self.program.stderr)[-1:]
        said = shorten(last[0], 100) if last else Message("error.program.nothing")
        return ProgramError("error.program.crash", program=self._label, how=how, said=said)

    def _silent(self, key: str, command: str, seconds: float) -> ProgramError:
        return ProgramError(key, program=self._label, command=command, seconds=f"{seconds:.4g}")

    def _unexpected(self, key: str, command: str, line: str) -> ProgramError:
        return ProgramError(key, program=self._label, command=command, line=shorten(line, 60))

    def _refused(self, game: GomocupGame, line: str) -> TengenError:
        return TengenError(
            "error.program.refused",
            program=self._label,
            rules=game.rules,
            size=f"{game.width}x{game.height}",
            line=shorten(line, 60),
        )


class _Wait:
    """The wait for an answer.

    Args:
        seconds: its length, from now.
        stop: ends it soon when set.
        renewed: restart with every sign of life, for `LONGEST_WAIT` in all.

    Attributes:
        deadline: its end, by `time.perf_counter`.
        stopped: true when the stop signal has been noticed.
    """

    def __init__(self, seconds: float, stop: Event | None, *, renewed: bool) -> None:
        now = time.perf_counter()
        self.deadline = now + seconds
        self.stopped = False
        self._stop = stop
        self._seconds = seconds
        self._last = now + max(seconds, LONGEST_WAIT) if renewed else self.deadline

    def renew(self, last_line: float) -> None:
        """Restart after the last sign of life, which came at `last_line`."""
        if not self.stopped:
            self.deadline = max(self.deadline, min(last_line + self._seconds, self._last))

    @property
    def pause(self) -> float:
        """Seconds after which the stop signal has to be checked."""
        return 3600.0 if self._stop is None or self.stopped else _PAUSE

    def signalled(self, now: float) -> bool:
        """Return true once, when the stop signal is set; little time is left from then on."""
        if self._stop is None or self.stopped or not self._stop.is_set():
            return False
        self.stopped = True
        self.deadline = min(self.deadline, now + STOPPED)
        return True


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
