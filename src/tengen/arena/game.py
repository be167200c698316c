"""One game between two players: clocks, faults and adjudication.

`play` is the unit of work that the arena spreads over its workers: all it needs is in a `GameTask`, all
that comes of it in a `PlayedGame`, and both can be sent to another machine. On the way it reports whom it
is about to ask, in case that this ends the process.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event
from typing import NamedTuple

from tengen import executors
from tengen.arena.adjudication import NEVER, Adjudication
from tengen.arena.contestants import Contestant
from tengen.arena.results import FAULTS, End, Fault, PlayedGame, PlayedMove
from tengen.game.board import Board
from tengen.game.clock import Clock
from tengen.game.errors import Forbidden, IllegalMove, RulesError, TengenError
from tengen.game.notation import shorten
from tengen.game.player import Choice, Player, Score
from tengen.game.points import BLACK, WHITE, Colour, Point, opponent
from tengen.game.rules import Rules
from tengen.game.tracebacks import own_traceback
from tengen.words import Message


class Cancelled(Exception):
    """The game was called off; there is no result."""


@dataclass(frozen=True, slots=True)
class GameTask:
    """A game to be played.

    Attributes:
        number: its place in the match or tournament, from 0.
        rules: the rules.
        opening: moves that are given; Black or White moves first after them, as it comes.
        black: the player of Black.
        white: the player of White.
        adjudication: its early end.
        margin: seconds of overtime that are tolerated.
        log: keep the lines to and from external programs.
    """

    number: int
    rules: Rules
    opening: tuple[Point, ...]
    black: Contestant
    white: Contestant
    adjudication: Adjudication = NEVER
    margin: float = 0.1
    log: bool = False

    def played(
        self,
        moves: Iterable[PlayedMove],
        winner: Colour | None,
        end: End,
        detail: str,
        log: Iterable[str] = (),
        trace: str = "",
    ) -> PlayedGame:
        """The game as it was played; see `PlayedGame`."""
        return PlayedGame(
            self.number,
            self.rules,
            self.black.label,
            self.white.label,
            self.opening,
            tuple(moves),
            winner,
            end,
            detail,
            tuple(log),
            trace,
        )


@dataclass(slots=True)
class _Side:
    """A player and its clock while the game goes on."""

    contestant: Contestant
    player: Player
    clock: Clock | None

    def prepare(self, board: Board, stop: Event) -> None:
        """Start what has to be started before the clock runs, where the player has such a thing.

        Raises:
            _Fault: its program fails.
            TengenError: it cannot be started, or cannot play this game at all.
        """
        prepare = getattr(self.player, "prepare", None)
        if not callable(prepare):
            return
        try:
            executors.without_reports(prepare, board, self.contestant.limit(self.clock), stop)
        except TengenError as error:
            fault = _kind(error)
            if fault is None:
                raise
            raise _Fault(fault, str(error)) from error
        except (Exception, SystemExit) as error:
            raise _crash(error) from error

    def ask(self, board: Board, stop: Event) -> Choice:
        """The player's choice.

        Raises:
            _Fault: it has none.
            RulesError: it cannot play this game at all.
        """
        try:
            limit = self.contestant.limit(self.clock)
            choice = executors.without_reports(self.player.choose, board, limit, stop)
            # A class of others may return anything; it is checked here, once.
            return Choice(choice.point, _score(choice.score), seconds=choice.seconds)
        except RulesError:
            raise
        except TengenError as error:
            raise _Fault(_kind(error) or "crash", str(error), own_traceback(error)) from error
        except (Exception, SystemExit) as error:
            raise _crash(error) from error

    def press(self, seconds: float, margin: float) -> None:
        """Take time off the clock.

        Raises:
            _Fault: there was not so much.
        """
        most = self.contestant.seconds
        if most is not None and seconds > most + margin:
            raise _Fault("time", _late(seconds, most))
        if self.clock is not None:
            if seconds > self.clock.main + margin:
                raise _Fault("time", _late(seconds, self.clock.main))
            self.clock = self.clock.pressed(min(seconds, self.clock.main * (1 - 1e-9)))


class MoveAsked(NamedTuple):
    """A report of a game before it asks a player for a move.

    Attributes:
        mover: the side to move.
        before: the move that has just been played; None for the first that is asked for.
    """

    mover: Colour
    before: PlayedMove | None


class _Fault(Exception):
    """A player has lost by other than play."""

    def __init__(self, end: End, detail: str, trace: str = "") -> None:
        super().__init__(end, detail)
        self.end: End = end
        self.detail = detail
        self.trace = trace


def _crash(error: BaseException) -> _Fault:
    return _Fault("crash", shorten(f"{type(error).__name__}: {error}", 200), own_traceback(error))


def play(task: GameTask) -> PlayedGame:
    """Play one game. It reports None when it begins, and a `MoveAsked` before each move.

    Returns:
        The game; a player that crashes, hangs, is late or answers nonsense has lost it.

    Raises:
        SpecError: a spec names no player.
        TengenError: a player cannot be started, or cannot play these rules at all.
        IllegalMove: the opening cannot be played.
        Cancelled: the executor has called the task off.
    """
    executors.report(None)
    stop = executors.stop_signal()
    board = Board.from_moves(task.opening, task.rules)
    log: list[str] = []
    with _sides(task, log) as sides:
        moves, winner, end, detail, trace = _play(task, board, sides, stop)
    return task.played(moves, winner, end, detail, log, trace)


def _play(
    task: GameTask, board: Board, sides: dict[Colour, _Side], stop: Event
) -> tuple[list[PlayedMove], Colour | None, End, str, str]:
    moves: list[PlayedMove] = []
    scores: dict[Colour, list[Score | None]] = {BLACK: [], WHITE: []}
    while (outcome := board.outcome()) is None:
        verdict = task.adjudication.verdict(board.ply, scores)
        if verdict is not None:
            return moves, verdict[1], verdict[0], "", ""
        mover = board.turn
        side = sides[mover]
        executors.report(MoveAsked(mover, moves[-1] if moves else None))
        try:
            shown = board.copy()
            side.prepare(shown, stop)
            asked = time.perf_counter()
            choice = side.ask(shown, stop)
            seconds = time.perf_counter() - asked
            if stop.is_set():
                raise Cancelled
            side.press(seconds, task.margin)
            point = _pushed(board, choice.point)
        except _Fault as fault:
            if stop.is_set():
                raise Cancelled from fault
            return moves, opponent(mover), fault.end, fault.detail, fault.trace
        moves.append(PlayedMove(point, seconds, choice.score))
        scores[mover].append(choice.score)
    return moves, outcome.winner, outcome.reason, "", ""


def _pushed(board: Board, point: Point) -> Point:
    """Play the move, if it can be played. A foul that can be claimed is, as by any program that has White.

    Returns:
        It as a point: a stranger's class may answer with a name, or with some other kind of number.
    """
    try:
        board.push(point)
        if board.claimable() is not None:
            board.claim()
        return board.moves[-1]
    except Forbidden as error:
        raise _Fault("foul", str(error)) from error
    except IllegalMove as error:
        raise _Fault("illegal", str(error)) from error
    except (TypeError, ValueError) as error:
        raise _Fault("protocol", shorten(f"{type(error).__name__}: {error}", 200)) from error


@contextmanager
def _sides(task: GameTask, log: list[str]) -> Iterator[dict[Colour, _Side]]:
    """Both players at the board, each with a full clock."""
    began = time.perf_counter()

    def listener(colour: str) -> object:
        return lambda way, line: log.append(
            f"{time.perf_counter() - began:9.3f} game {task.number + 1} {colour} {way} {line}"
        )

    contestants = {BLACK: task.black, WHITE: task.white}
    with task.black.borrowed() as black, task.white.borrowed() as white:
        players = {BLACK: black, WHITE: white}
        for colour, player in players.items():
            if hasattr(player, "traffic"):
                player.traffic = listener("black" if colour == BLACK else "white") if task.log else None
        yield {
            colour: _Side(one, players[colour], None if one.time is None else Clock.full(one.time))
            for colour, one in contestants.items()
        }


def _kind(error: TengenError) -> Fault | None:
    """The kind of program fault that an error stands for; None for other errors."""
    kind = getattr(error, "kind", None)
    return next((fault for fault in FAULTS if fault == kind), None)


def _score(score: object) -> Score | None:
    if score is not None and not isinstance(score, Score):
        raise TypeError(score)
    return score


def _late(seconds: float, most: float) -> str:
    return str(Message("arena.late", {"seconds": f"{seconds:.3f}", "most": f"{most:.3f}"}))
