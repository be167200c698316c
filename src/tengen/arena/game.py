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
from tengen.arena.player_pool import lent
from tengen.arena.results import FAULTS, End, Fault, PlayedGame, PlayedMove
from tengen.game.arguments import check_kind
from tengen.game.board import Board
from tengen.game.clock import Clock, TimeControl
from tengen.game.errors import Forbidden, IllegalMove, RulesError, TengenError
from tengen.game.notation import shorten
from tengen.game.player import SOONEST, WIN, Choice, GameTime, Limit, Player, Score
from tengen.game.points import BLACK, WHITE, Colour, Point, opponent
from tengen.game.rules import Rules
from tengen.game.tracebacks import own_traceback
from tengen.words import Message


class Cancelled(Exception):
    """The game was called off; there is no result."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """Who plays, and how long it may think.

    Games may be played in other processes, so that a player is named by its spec and made there. A player
    of Tengen's own may be given as it is: its name is its spec.

    Attributes:
        spec: the player's spec.
        name: what results call it; the spec if empty.
        time: time for the game, with an increment or without; no byo-yomi.
        seconds: the most for one move.
        nodes: the most nodes for one move.
        depth: the greatest depth.
    """

    spec: str
    name: str = ""
    time: TimeControl | None = None
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "spec", _spec_of(self.spec))
        Limit(self.seconds, self.nodes, self.depth)  # which refuses what is none
        if self.time is not None:
            check_kind("time", self.time, TimeControl, "argument.session.clock")
        if self.time is not None and self.time.periods:
            raise RulesError("error.arena.byoyomi", time=str(self.time))

    @property
    def label(self) -> str:
        """What results call it."""
        return self.name or self.spec

    @property
    def limits(self) -> str:
        """How long it may think, in the words of the command line; empty without a limit."""
        given = {"tc": self.time, "st": self.seconds, "nodes": self.nodes, "depth": self.depth}
        return " ".join(f"{name}={value}" for name, value in given.items() if value is not None)

    def limit(self, clock: Clock | None) -> Limit:
        """How long the next move may take, by what is left on the clock."""
        if clock is None:
            game_time = None if self.seconds is None else GameTime(turn=self.seconds)
            return Limit(self.seconds, self.nodes, self.depth, game_time)
        share = max(clock.share(0.0), SOONEST)
        seconds = share if self.seconds is None else min(share, self.seconds)
        control = clock.control
        game_time = GameTime(control.main, clock.main, control.increment, self.seconds)
        return Limit(seconds, self.nodes, self.depth, game_time)


@dataclass(frozen=True, slots=True)
class Adjudication:
    """When a game is ended before the board says so. Scores are what the players themselves say.

    Attributes:
        resign_moves: so many moves of its own in a row at -`resign_score` or less lose the game; 0 never.
        resign_score: in centi-units.
        resign_both: the other side has to agree, with as high a score as long.
        draw_moves: so many moves of each side in a row at `draw_score` or less, either way, draw the game;
            0 never.
        draw_score: in centi-units.
        draw_after: not before so many moves are on the board.
        most_moves: a game of so many moves is drawn; None never.
    """

    resign_moves: int = 0
    resign_score: int = 1000
    resign_both: bool = False
    draw_moves: int = 0
    draw_score: int = 10
    draw_after: int = 40
    most_moves: int | None = None

    def verdict(
        self, ply: int, scores: dict[Colour, list[Score | None]]
    ) -> tuple[End, Colour | None] | None:
        """How the game is to be ended now, if it is: the end and the winner.

        Args:
            ply: moves on the board.
            scores: what each side has said of its position, move by move.
        """
        for loser in (BLACK, WHITE):
            lost = self._lost(scores[loser], -1)
            if lost and (not self.resign_both or self._lost(scores[opponent(loser)], 1)):
                return "resigned", opponent(loser)
        if self.draw_moves and ply >= self.draw_after and all(map(self._even, scores.values())):
            return "agreed", None
        if self.most_moves is not None and ply >= self.most_moves:
            return "agreed", None
        return None

    def _lost(self, said: list[Score | None], sign: int) -> bool:
        """Whether one side's latest scores are all low enough to resign, or (`sign` 1) high enough."""
        latest = said[-self.resign_moves :] if self.resign_moves else []
        return len(latest) == self.resign_moves > 0 and all(
            score is not None and sign * _value(score) >= self.resign_score for score in latest
        )

    def _even(self, said: list[Score | None]) -> bool:
        latest = said[-self.draw_moves :]
        return len(latest) == self.draw_moves and all(
            score is not None and abs(_value(score)) <= self.draw_score for score in latest
        )


NEVER = Adjudication()
"""Every game is played to its end."""


@dataclass(frozen=True, slots=True)
class GameTask:
    """A game to be played.

    Attributes:
        number: its place in the match or tournament, from 0.
        rules: the rules.
        opening: moves that are given; Black or White moves first after them, as it comes.
        black: who has Black.
        white: who has White.
        adjudication: when to end it early.
        margin: seconds beyond its time that a player is forgiven.
        log: keep what is said to and by external programs.
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
            executors.unheard(prepare, board, self.contestant.limit(self.clock), stop)
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
            choice = executors.unheard(self.player.choose, board, limit, stop)
            # Whatever a stranger's class returns is looked at here, once.
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
    """What a game reports before it asks a player.

    Attributes:
        mover: who is to move.
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


def _spec_of(player: object) -> str:
    """The spec of a player that is named by it, or is one of Tengen's own.

    Raises:
        TengenError: an object of anybody's own class: how it was made is not known.
    """
    if isinstance(player, str):
        return player
    if isinstance(player, Player) and type(player).__module__.startswith("tengen."):
        return player.name
    kind = player if isinstance(player, type) else type(player)
    spec = f"py:{kind.__module__}:{kind.__qualname__}"
    raise TengenError("error.arena.contestant", value=shorten(repr(player)), spec=spec)


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
    with lent(task.black.spec) as black, lent(task.white.spec) as white:
        players = {BLACK: black, WHITE: white}
        for colour, player in players.items():
            if hasattr(player, "traffic"):
                player.traffic = listener("black" if colour == BLACK else "white") if task.log else None
        yield {
            colour: _Side(one, players[colour], None if one.time is None else Clock.full(one.time))
            for colour, one in contestants.items()
        }


def _kind(error: TengenError) -> Fault | None:
    """What kind of fault of a program an error stands for, if it is one."""
    kind = getattr(error, "kind", None)
    return next((fault for fault in FAULTS if fault == kind), None)


def _score(score: object) -> Score | None:
    if score is not None and not isinstance(score, Score):
        raise TypeError(score)
    return score


def _value(score: Score) -> int:
    """A score on one scale, known ends included."""
    if score.mate is None:
        return score.value
    return WIN - score.mate if score.mate > 0 else -WIN - score.mate


def _late(seconds: float, most: float) -> str:
    return str(Message("arena.late", {"seconds": f"{seconds:.3f}", "most": f"{most:.3f}"}))
