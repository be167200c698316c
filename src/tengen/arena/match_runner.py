"""A match of two players in one call: `tengen.match`.

The command ``tengen match`` plays and counts by the same code, `tengen.arena.match` and
`tengen.arena.contest_run`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from tengen.arena.adjudication import NEVER, Adjudication
from tengen.arena.contest_run import run_contest
from tengen.arena.contestants import Contestant, LentPlayer
from tengen.arena.match import Match, MatchState
from tengen.arena.opening_sets import openings_for
from tengen.arena.results import PlayedGame
from tengen.arena.sprt import Hypothesis, Sprt
from tengen.arena.statistics import Pairs, Tally
from tengen.executors import most_workers, open_workers
from tengen.executors.ctrl_c import ctrl_c_at
from tengen.game.arguments import (
    check_callable,
    check_flag,
    check_kind,
    check_seconds,
    check_whole,
    is_finite,
    is_whole,
    shown,
    wrong,
)
from tengen.game.board import Board, Move
from tengen.game.clock import TimeControl
from tengen.game.errors import TengenError
from tengen.game.player import Limit, Player, check_search, is_player
from tengen.game.points import Point
from tengen.game.record import Record
from tengen.game.rules import Rules
from tengen.words import say

Openings: TypeAlias = "str | os.PathLike[str] | Iterable[str | Iterable[Move]]"
"""The name of a file of openings, or openings as move texts or points."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The games of a match, and its figures for the first player.

    Attributes:
        players: the names of both players.
        tally: the results; see `tengen.arena.statistics.Tally`.
        llr: the log-likelihood ratio of the sequential test; None without one.
        bounds: the test accepts H0 at the first or below, H1 at the second or above; None without a test.
        decision: the hypothesis that the test accepts, ``"H0"`` or ``"H1"``; None if undecided.
        faults: the losses of each player by each fault, such as a crash.
        games: the games that count, in order, with the time and the score of each move.
        complete: True if the match has been played to its end, or the test has decided.

    Examples:
        >>> import tengen
        >>> result = tengen.match("lines", "random", games=4, rules=tengen.Rules.named("freestyle", 7))
        >>> print(result)
        lines – random: +4 =0 -0, Elo +∞
        >>> (result.wins, result.draws, result.losses), result.score, result.complete
        ((4, 0, 0), 1.0, True)
        >>> result.records[0].headers["result"], result.games[0].end
        ('black', 'five')
        >>> result.elo, result.elo_error, result.los > 0.9
        (inf, None, True)
    """

    players: tuple[str, str]
    tally: Tally
    llr: float | None
    bounds: tuple[float, float] | None
    decision: Hypothesis | None
    faults: dict[str, dict[str, int]]
    games: tuple[PlayedGame, ...] = field(repr=False)
    complete: bool

    @property
    def wins(self) -> int:
        """The games won by the first player."""
        return self.tally.wins

    @property
    def draws(self) -> int:
        """The games drawn."""
        return self.tally.draws

    @property
    def losses(self) -> int:
        """The games lost by the first player."""
        return self.tally.losses

    @property
    def pairs(self) -> Pairs:
        """The colour-swapped pairs in which the first player made 0, 1/2, 1, 3/2 and 2 points."""
        return self.tally.pairs

    @property
    def score(self) -> float:
        """The first player's points by games, from 0 to 1; 1/2 before the first game."""
        return self.tally.score

    @property
    def elo(self) -> float:
        """The Elo difference; infinite if one player has all the points."""
        return self.tally.elo

    @property
    def elo_error(self) -> float | None:
        """Half the width of the 95 % interval of `elo`; None if the games set no such bound."""
        return self.tally.elo_error

    @property
    def los(self) -> float:
        """The likelihood that the first player is stronger, from 0 to 1."""
        return self.tally.los

    @property
    def records(self) -> list[Record]:
        """The games as records, which `tengen.write` writes to a file."""
        return [game.record() for game in self.games]

    def __str__(self) -> str:
        one, other = self.players
        elo = f"{self.elo:+.1f}".replace("inf", "∞")
        values: dict[str, Any] = {
            "one": one,
            "other": other,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "elo": elo if self.elo_error is None else f"{elo} ± {self.elo_error:.1f}",
        }
        return say("match.result", **values)


def match(
    a: Player | str,
    b: Player | str,
    games: int = 100,
    rules: Rules | str = "freestyle",
    *,
    sprt: Sprt | str | tuple[float, float] | None = None,
    limit: Limit | tuple[Limit, Limit] | None = None,
    clock: TimeControl | str | tuple[TimeControl | str, TimeControl | str] | None = None,
    openings: Openings | None = None,
    repeat: bool = True,
    seed: int = 1,
    adjudication: Adjudication = NEVER,
    margin: float = 0.1,
    recover: bool = True,
    concurrency: int = 1,
    progress: Callable[[MatchResult], object] | None = None,
    stop: threading.Event | None = None,
) -> MatchResult:
    """Play a match between two players, in colour-swapped pairs of games.

    A player is an object, of any class with a `name` and a method `choose`, or a spec. Games are played in
    this process, one at a time; with `concurrency`, several at a time in processes of their own, which
    make the players from their specs (in a script, below ``if __name__ == "__main__":``). A player that
    raises an exception, is late or plays an illegal move loses the game.

    Args:
        a: the first player, whose figures the result has.
        b: the second player.
        games: the number of games; with `sprt` the most.
        rules: the rules, or the name of a preset.
        sprt: a sequential test that may end the match: an `Sprt`, text such as ``"elo0=0,elo1=10"``, or two
            Elo differences.
        limit: the limit for each move, or one for each player.
        clock: the time for a game, such as ``"60+0.5"``, or one for each player.
        openings: a file of openings, or openings; by default those that come with Tengen, or generated.
        repeat: play each opening twice, colours swapped; False plays each once, colours in turn.
        seed: of the order of openings and of players that take a seed in their spec.
        adjudication: the early end of games, by the players' scores or after a number of moves.
        margin: the seconds of overtime that are tolerated.
        recover: go on after a player has crashed or hung.
        concurrency: the number of games at a time, up to 64 or the number of processors.
        progress: called with the result so far after each game.
        stop: when set, the match ends, without the games that are being played.

    Returns:
        The result; `complete` is False if `stop` ended the match.

    Raises:
        SpecError: a spec names no player.
        ContestStopped: a player has crashed or hung, and `recover` is False.
        TengenError: an opening or the rules cannot be played, or an argument has the wrong type or value.

    Examples:
        >>> import tengen
        >>> result = tengen.match("minimax", "minimax", games=2, rules="tictactoe", openings=["b2", "a1"])
        >>> print(result)
        minimax – minimax (2): +0 =2 -0, Elo +0.0

        A sequential test ends a match as soon as it can tell:

        >>> small = tengen.Rules.named("freestyle", 7)
        >>> result = tengen.match("lines", "random", 400, small, sprt=(0, 400))
        >>> result.decision, len(result.games) < 400
        ('H1', True)

        A limit for each player:

        >>> limits = tengen.Limit(depth=1), tengen.Limit(depth=2)
        >>> tengen.match("minimax", "minimax", 2, "tictactoe", limit=limits).complete
        True
    """
    for name, flag in (("repeat", repeat), ("recover", recover)):
        check_flag(name, flag)
    check_whole("games", games)
    check_whole("concurrency", concurrency, most=most_workers())
    if not (isinstance(seed, int) and is_whole(seed)):
        raise TengenError("error.spec.seed", value=shown(seed))
    check_seconds("margin", margin, zero=True)
    check_kind("adjudication", adjudication, Adjudication, "argument.adjudication")
    check_search(Board(), None, stop)
    if progress is not None:
        check_callable("progress", progress)
    limits, clocks = _each("limit", limit), _each("clock", clock)
    players = (
        _contestant("a", a, limits[0], clocks[0]),
        _contestant("b", b, limits[1], clocks[1]),
    )
    if concurrency > 1 and any(isinstance(player, LentPlayer) for player in players):
        raise TengenError("error.match.objects", concurrency=concurrency)
    board = Board(rules)
    state = MatchState(
        Match(
            players,
            rules=board.rules,
            games=games,
            repeat=repeat,
            sprt=_test(sprt),
            openings=_openings(openings, board, -(-games // 2) if repeat else games, seed),
            seed=seed,
            adjudication=adjudication,
            margin=margin,
            recover=recover,
        )
    )
    _play(state, concurrency, progress, stop)
    return result_of(state)


def result_of(state: MatchState) -> MatchResult:
    """Return the result of a match so far."""
    sprt, (one, other) = state.match.sprt, state.match.names
    return MatchResult(
        (one, other),
        state.tally,
        state.llr(),
        None if sprt is None else sprt.bounds,
        state.decision(),
        state.faults(),
        tuple(state.counted()),
        state.over,
    )


class _MatchStopped(Exception):
    """Raised at a tick when the match is to end."""


def _play(
    state: MatchState,
    concurrency: int,
    progress: Callable[[MatchResult], object] | None,
    stop: threading.Event | None,
) -> None:
    """Play the games of a match until it is over or stopped."""

    def on_game(_: PlayedGame) -> None:
        if progress is not None:
            progress(result_of(state))

    def check() -> None:
        if stop is not None and stop.is_set():
            raise _MatchStopped

    address = "processes" if concurrency > 1 else "threads"
    count = min(concurrency, state.match.games)
    with open_workers(address, count) as workers, ctrl_c_at(check) as tick, suppress(_MatchStopped):
        run_contest(state, workers, on_game, tick)


def _contestant(
    name: str, player: Player | str, limit: Limit | None, clock: TimeControl | str | None
) -> Contestant:
    """Return a player of the match with its limits."""
    given = Limit() if limit is None else limit
    check_kind("limit", given, Limit, "argument.limit")
    if isinstance(clock, str):
        clock = TimeControl.parse(clock)
    if clock is not None:
        check_kind("clock", clock, TimeControl, "argument.session.clock")
    settings: dict[str, Any] = {
        "time": clock,
        "seconds": given.seconds,
        "nodes": given.nodes,
        "depth": given.depth,
    }
    if isinstance(player, str):
        return Contestant(player, **settings)
    if not is_player(player):
        raise wrong(name, player, "argument.player_or_spec")
    label = getattr(player, "label", player.name) or type(player).__name__
    return LentPlayer(player.name, label, **settings, player=player)


def _each(name: str, given: Any) -> tuple[Any, Any]:
    """Return a setting of both players, which is given once or for each."""
    if not isinstance(given, tuple):
        return given, given
    if len(given) != 2:
        raise wrong(name, given, "argument.pair")
    return given


def _test(sprt: Sprt | str | tuple[float, float] | None) -> Sprt | None:
    if sprt is None or isinstance(sprt, Sprt):
        return sprt
    if isinstance(sprt, str):
        return Sprt.parse(sprt)
    if isinstance(sprt, tuple) and len(sprt) == 2 and all(map(is_finite, sprt)):
        return Sprt(*sprt)
    raise wrong("sprt", sprt, "argument.sprt")


def _openings(given: Openings | None, board: Board, count: int, seed: int) -> tuple[tuple[Point, ...], ...]:
    """Return the openings in the order of use."""
    if given is None or isinstance(given, (str, os.PathLike)):
        file = None if given is None else Path(given)
        return tuple(openings_for(board.rules, count, seed, file=file))
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise wrong("openings", given, "argument.openings")
    return tuple(Board.from_moves(opening, board.rules).moves for opening in given)
