"""The judgement of openings: quiet positions in which neither side is ahead.

*Quiet* is a position in which neither side, were it to move, has a win by continuous fours
(`tengen.players.threats`). So there is no open three or four in it that only has to be played. Whether
it is *balanced*, a judge decides in one of two ways:

- *The engine* searches it with a fixed number of nodes. The opening is kept if the score is no further from
  0 than a bound, 40 centi-units by default, which are odds of 11 to 9. A search of few nodes comes first,
  which rejects what is far from balanced.
- *Any other player* plays it out against itself, in some games with different seeds, which alternate
  colours. The opening is kept if Black scores exactly half. That alone proves little: if Black wins three
  games of four, the probability of a level score is 38 % in 2 games and 9 % in 8; from a truly balanced
  position it is 50 % and 27 %. So more playouts make better openings, of more shapes.

A verdict depends on the opening and the judge alone, and, where games are played, on a seed.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from threading import Event

from tengen.arena.player_pool import close_player
from tengen.engine.board.playable import plays
from tengen.executors import stop_signal
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.player import Limit, Player
from tengen.game.points import BLACK, Point, opponent
from tengen.game.rules import Rules
from tengen.players.registry import player, shorten_reason
from tengen.players.spec import PlayerSpec
from tengen.players.suitable import check_suitable
from tengen.players.threats import find_vcf

ENGINE = "engine,nodes=100000"
"""The default judge where the engine plays the rules ..."""

LEVEL = "level:3"
"""... and where it does not."""

BOUND = 40
"""The default bound: the largest score, either way, of a balanced opening, in centi-units."""

PLAYOUTS = 8
"""The default number of games in which another judge has to find an opening balanced."""

_FIRST_NODES = 5_000
"""Nodes of the engine's first search, a twentieth of those of its verdict."""

_FIRST_MARGIN = 60
"""Centi-units beyond the bound up to which a first search leads to a deeper one."""

_VCF_NODES = 5_000
"""Nodes of the search for wins; an opening that needs more is not kept."""

_SHALLOW = 2
"""The least depth at which a score of the engine counts."""


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge of openings, and its bounds; made by `appoint` or `proposed`.

    Attributes:
        spec: of the player.
        bound: the largest score of a balanced opening, either way, in centi-units; for the engine.
        playouts: the number of games that are played, even; for any other player.
    """

    spec: str
    bound: int = BOUND
    playouts: int = PLAYOUTS

    @property
    def scores(self) -> bool:
        """True for the engine, which evaluates a position and does not play it out."""
        return PlayerSpec.parse(self.spec).name == "engine"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An opening to be judged; it can be sent to another process or machine.

    Attributes:
        rules: the rules.
        opening: its moves in order, Black's first.
        judge: its judge.
        seed: of the players where it is played out.
    """

    rules: Rules
    opening: tuple[Point, ...]
    judge: Judge
    seed: int = 0


def default_judge(rules: Rules) -> str:
    """Return the spec of the default judge: the engine where it plays these rules."""
    return ENGINE if plays(rules) else LEVEL


def proposed(
    rules: Rules, spec: str | None = None, bound: int | None = None, playouts: int | None = None
) -> Judge:
    """Return a judge with valid numbers; whether its player exists is not checked, see `appoint`.

    Args:
        rules: the rules.
        spec: a player, which plays without a limit; `default_judge` if None.
        bound: for the engine; `BOUND` if None.
        playouts: for any other player; `PLAYOUTS` if None.

    Raises:
        TengenError: an invalid number, or one that this judge does not use.
    """
    judge = Judge(
        default_judge(rules) if spec is None else spec,
        BOUND if bound is None else bound,
        PLAYOUTS if playouts is None else playouts,
    )
    if judge.scores and playouts is not None:
        raise TengenError("error.arena.openings.scores", judge=judge.spec)
    if not judge.scores and bound is not None:
        raise TengenError("error.arena.openings.plays", judge=judge.spec)
    if judge.bound < 1:
        raise TengenError("error.arena.openings.bound", bound=judge.bound)
    if judge.playouts < 2 or judge.playouts % 2:
        raise TengenError("error.arena.openings.playouts", playouts=judge.playouts)
    return judge


def appoint(
    rules: Rules, spec: str | None = None, bound: int | None = None, playouts: int | None = None
) -> Judge:
    """Return a valid judge for these rules; the engine, if it is the judge, is compiled if it has not been.

    The arguments are those of `proposed`.

    Raises:
        SpecError: the spec names no player.
        RulesError: rules that the engine, as the judge, does not play.
        TengenError: a player that takes no seed, an engine of more than one thread, an invalid number, or
            one that this judge does not use.
    """
    judge = proposed(rules, spec, bound, playouts)
    if judge.scores:
        _check_engine(rules, judge.spec)
    else:
        _check_player(judge.spec)
    return judge


def judged(candidate: Candidate, stop: Event | None = None) -> int | None:
    """Return Black's lead in an opening that is quiet and balanced, in centi-units; None for any other.

    Where the opening has been played out, that is 0.

    Args:
        candidate: the opening and its judge.
        stop: when set, it returns at once, with no meaningful result; the executor's own signal if None.

    Raises:
        TengenError: an invalid judge, or one that fails.
    """
    stop = stop or stop_signal()
    board = Board.from_moves(candidate.opening, candidate.rules)
    if candidate.judge.scores:
        return _score(board, candidate.judge, stop)
    return 0 if is_quiet(board) and _is_balanced(board, candidate, stop) else None


def is_quiet(board: Board) -> bool:
    """Return whether the game goes on and neither side would win by continuous fours if it were to move."""
    if board.outcome() is not None:
        return False
    limit = Limit(nodes=_VCF_NODES)
    wins = (find_vcf(board, limit, colour=colour) for colour in (board.turn, opponent(board.turn)))
    return all(win.proven and not win.line for win in wins)


# -- the engine


def _score(board: Board, judge: Judge, stop: Event) -> int | None:
    """Black's lead in a quiet and balanced position; the cheapest test comes first."""
    if board.outcome() is not None:
        return None
    first = _lead(board, judge.spec, Limit(nodes=_FIRST_NODES), stop)
    if first is None or abs(first) > judge.bound + _FIRST_MARGIN or not is_quiet(board):
        return None
    ahead = _lead(board, judge.spec, None, stop)
    return None if ahead is None or abs(ahead) > judge.bound else ahead


def _lead(board: Board, spec: str, limit: Limit | None, stop: Event) -> int | None:
    """Black's lead as the engine evaluates it; None if either side wins, or the search was too shallow.

    Raises:
        TengenError: it fails, which ends the generation of openings.
    """
    from tengen.engine.engine import Engine

    engine = player(spec)
    assert isinstance(engine, Engine)  # as `Judge.scores` has it
    try:
        if not board.ply:
            # The engine places a first stone without a search.
            board = board.copy()
            board.push(engine.choose(board).point)
        info = engine.analyse(board, limit, stop=stop)[0]
    except Exception as error:
        raise _failed(engine, error) from error
    if info.score.mate is not None or info.depth < _SHALLOW:
        return None
    return info.score.value if board.turn == BLACK else -info.score.value


def _check_engine(rules: Rules, spec: str) -> None:
    """Refuse rules that the engine does not play, and threads, which search differently each time.

    Raises:
        SpecError: not a spec of the engine's.
        TengenError: it is one of those.
    """
    check_suitable(spec, rules)
    if "threads" in PlayerSpec.parse(player(spec).name).settings:
        raise TengenError("error.arena.openings.threads", judge=spec)


# -- any other player


def _is_balanced(board: Board, candidate: Candidate, stop: Event) -> bool:
    """Return whether Black scores half in all playouts; it ends as soon as that is impossible."""
    judge = candidate.judge
    half = judge.playouts / 2
    points = 0.0
    for number in range(judge.playouts):
        # Two players of the judge's kind, which then swap colours.
        seeds = [candidate.seed + number // 2 * 2 + side for side in (0, 1)]
        specs = [_seeded(judge.spec, seed) for seed in (seeds[::-1] if number % 2 else seeds)]
        result = _played_out(board.copy(), specs, stop)
        if result is None:
            return False
        points += result
        if points > half or number + 1 - points > half:
            return False
    return points == half


def _played_out(board: Board, specs: list[str], stop: Event) -> float | None:
    """Return Black's points when these two play on; None when stopped."""
    with ExitStack() as stack:
        players = []
        for spec in specs:
            players.append(made := player(spec))
            stack.callback(close_player, made)
        while (outcome := board.outcome()) is None:
            if stop.is_set():
                return None
            _move(board, players[board.turn - 1], stop)
    return 0.5 if outcome.winner is None else float(outcome.winner == BLACK)


def _move(board: Board, judge: Player, stop: Event) -> None:
    """Play the judge's next move.

    Raises:
        TengenError: it has none, which ends the generation of openings.
    """
    try:
        board.push(judge.choose(board, stop=stop).point)
    except Exception as error:  # a judge may be a class of others
        raise _failed(judge, error) from error


def _failed(judge: Player, error: Exception) -> TengenError:
    why = error.message if isinstance(error, TengenError) else shorten_reason(error)
    return TengenError("error.arena.openings.failed", judge=judge.name, reason=why)


def _seeded(judge: str, seed: int) -> str:
    return f"{judge},seed={seed}"


def _check_player(spec: str) -> None:
    """Refuse a player whose games would all be identical.

    Raises:
        TengenError: it is one, or no player at all.
    """
    player(spec)
    try:
        player(_seeded(spec, 0))
    except TengenError as error:
        if error.message.key == "error.spec.twice":
            raise
        raise TengenError("error.arena.openings.judge", judge=spec) from error
