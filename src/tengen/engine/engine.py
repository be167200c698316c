"""The engine as a player and as an analyser: boards in, moves and scores out, within a limit."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tengen.engine.board.conversion import cell, point_of
from tengen.engine.board.playable import check_rules
from tengen.engine.board.position import look_up, make, new_position
from tengen.engine.board.records import Record, cell_of, copy_of
from tengen.engine.board.scores import score_of
from tengen.engine.board.techniques import Technique, named
from tengen.engine.evaluation.network import Network, fits
from tengen.engine.evaluation.network import file_of as network_file
from tengen.engine.evaluation.network import fill as fill_network
from tengen.engine.evaluation.network import load as load_network
from tengen.engine.evaluation.policy import Policy
from tengen.engine.evaluation.policy import file_of as policy_file
from tengen.engine.evaluation.policy import fill as fill_policy
from tengen.engine.evaluation.policy import load as load_policy
from tengen.engine.evaluation.weights import FAMILIES, FOLDER, Weights, family, file_of, fill, load, version
from tengen.engine.handicap import FULL, handicap, overlook, tasted
from tengen.engine.heatmaps import heatmaps
from tengen.engine.info import Info, Ranking
from tengen.engine.kernels.jit import build
from tengen.engine.search.deepening import DepthResult, SearchTask, run
from tengen.engine.search.forced_moves import urgent
from tengen.engine.search.table import new_table
from tengen.engine.search.timing import time_budget
from tengen.engine.threats.pn_kernel import df_pn, list_answers_to_threat
from tengen.engine.threats.pn_table import new_pn_table
from tengen.executors import ended_in_time, report
from tengen.executors.running_search import Search
from tengen.game.arguments import (
    MOST_NODES,
    MOST_SECONDS,
    check_flag,
    check_kind,
    check_text,
    is_whole,
    shown,
    wrong,
)
from tengen.game.board import Board
from tengen.game.errors import GameOver, TengenError
from tengen.game.last_reply import with_block
from tengen.game.player import Choice, Explanation, Limit, Score, check_search
from tengen.game.points import BLACK, PASS, WHITE, Point
from tengen.game.rules import Rules
from tengen.words import Message

NODES = 200_000
"""What a move is thought over where there is no limit: the same everywhere, so that games repeat."""

MEMORY = 64
"""Megabytes of the table unless told otherwise."""

CLASSES_ALONE = "classes"
"""Instead of a folder: the numbers that come with Tengen, without the network."""

_EXPLAINED = 5
"""Moves that an explanation weighs."""

_ROWS = 3
"""Overlooked rows that it names."""

_THREAT_NODES = 100_000
_MOST_THREADS = 64
_MOST_MEMORY = 1 << 17

_Tables = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""Of positions, and of wins by threats."""


class Engine:
    """Plays and analyses five in a row on square boards from 5 to 22, whatever the fouls and overlines.

    Args:
        threads: how many threads search together.
        memory_mb: megabytes for the table of positions; wins by threats take an eighth of that besides.
        nodes: stones put down for a move where there is no limit.
        without: techniques to leave out, joined by ``+``; see `tengen.engine.board.techniques`.
        weights: the folder of the numbers to evaluate by; empty for those that come with Tengen, and
            ``classes`` for those without the network.
        strength: from 0 to 100, full strength; see `tengen.engine.handicap`.
        seed: of what it overlooks below full strength, and of its taste; any whole number.

    Attributes:
        name: the spec.

    Within a limit of nodes or depth, and one thread, the same position gives the same answer. Within a
    limit of time it uses what it remembers of the moves before. Below full strength it remembers nothing,
    one thread is enough, and a limit can shorten its thoughts, not lengthen them.

    It can be asked by several threads at once, or again while somebody iterates over what it finds: of
    searches within a limit of time the first to begin uses what is remembered, any other beside it a table
    of its own.
    """

    def __init__(
        self,
        threads: int = 1,
        memory_mb: int = MEMORY,
        nodes: int = NODES,
        without: str = "",
        weights: str = "",
        strength: int = FULL,
        seed: int = 0,
    ) -> None:
        for key, value, least, most in (
            ("threads", threads, 1, _MOST_THREADS),
            ("memory_mb", memory_mb, 1, _MOST_MEMORY),
            ("nodes", nodes, 1, MOST_NODES),
            ("strength", strength, 0, FULL),
        ):
            if not (isinstance(value, int) and is_whole(value) and value >= least):
                raise TengenError("error.parameter.whole", name=key, value=shown(value), least=least)
            if value > most:
                raise TengenError("error.engine.most", name=key, value=shown(value), most=most)
        if not (isinstance(seed, int) and is_whole(seed)):
            raise TengenError("error.spec.seed", value=shown(seed))
        check_text("without", without)
        check_kind("weights", weights, (str, Path), "argument.text")
        if "\0" in str(weights):  # no folder can be called so
            raise wrong("weights", weights, "argument.text")
        self._threads = threads
        self._memory = memory_mb
        self._nodes = nodes
        self._without = named(without)
        self._weights = str(weights)
        self._handicap = handicap(strength)
        self._seed = seed
        self._tables = _new_tables(1)
        self._tables_of: tuple[Rules, tuple[int, ...]] | None = None
        self._remembering = threading.Lock()
        settings = {
            "threads": (threads, 1),
            "memory_mb": (memory_mb, MEMORY),
            "nodes": (nodes, NODES),
            "without": (without, ""),
            "weights": (weights, ""),
            "strength": (strength, FULL),
            "seed": (seed, 0),
        }
        self._settings = tuple(value for value, _ in settings.values())
        _look_at(self._weights)
        changed = [f"{key}={value}" for key, (value, default) in settings.items() if value != default]
        self.name = ",".join(["engine", *changed])

    def __reduce__(self) -> tuple[type[Engine], tuple[object, ...]]:
        """To another process it goes with its settings, and remembers nothing there."""
        return Engine, self._settings

    def prepare(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> None:
        """Compile what was never compiled, and make the tables of a game's rules, before any clock runs.

        Raises:
            RulesError: rules or a board that the engine does not play.
            TengenError: its folder has no numbers for these rules, or a file there is damaged.
        """
        check_search(board, limit, stop)
        check_rules(board.rules)
        load_kernels()
        self._prepared(board.rules)

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """The best move found within the limit.

        Raises:
            GameOver: the game is over.
            RulesError: rules or a board that the engine does not play.
            TengenError: an argument of another kind.
        """
        best = self.analyse(board, limit, stop=stop, playing=True)[0]
        return Choice(best.point, best.score, best.line, best.nodes, best.seconds)

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        """The moves it likes best, with their chances, the line it expects, and what it sees at a glance.

        It searches twice: for its move, within the limit of `choose`, and for the moves beside it. The two
        share the time of a limit; each has the nodes.
        """
        check_search(board, limit, stop)
        if board.outcome() is not None or not board.legal_points():
            return Explanation(Message("explain.nothing"))
        if limit is not None and limit.seconds is not None:
            limit = replace(limit, seconds=limit.seconds / 2)
        best = self.analyse(board, limit, stop=stop)[0]
        why = _summary(board, best)
        state, tables, rows = self._seen(board)
        if rows:
            stones = tuple(" ".join(map(board.name, row)) for row in rows[:_ROWS])
            why = Message("explain.engine.overlooked", {"why": why, "rows": stones})
        # A search for several moves has fewer nodes for each: it weighs the others, and chooses nothing.
        most = best.score.win_rate
        others = self.analyse(board, limit, _EXPLAINED, stop)
        weights = {info.point: 100 * min(info.score.win_rate, most) for info in others}
        weights[best.point] = 100 * most
        return Explanation(why, weights, lines=(best.line,), heatmaps=heatmaps(board, state, tables))

    def analyse(
        self,
        board: Board,
        limit: Limit | None = None,
        lines: int = 1,
        stop: threading.Event | None = None,
        *,
        playing: bool = False,
    ) -> list[Info]:
        """The best moves, the best first.

        In a task (`tengen.executors`) it reports each `Info` as it is found; see
        `tengen.executors.running_search.Search`.

        Args:
            board: a game that is not over.
            limit: how long to think; the engine's own number of nodes if None.
            lines: how many moves are wanted.
            stop: when set, answer at once.
            playing: whether a move is to be made, so that time may be saved where nothing is to be decided.

        Raises:
            GameOver: the game is over.
            RulesError: rules or a board that the engine does not play.
            TengenError: no number of lines, or an argument of another kind.
        """
        ranking = Ranking(lines)
        for info in self.infos(board, limit, lines, stop, playing=playing):
            ranking.add(info)
            report(info)
        return ranking.infos

    def analysis(self, board: Board, limit: Limit | None = None, lines: int = 1) -> Search[list[Info]]:
        """Search beside whatever else is done; a context manager that gives each `Info` as it comes.

        The search begins at once, and ends where the context does.

        Args:
            board: a game that is not over; it may be changed meanwhile.
            limit: how long to think; None is until it is stopped.
            lines: how many moves are wanted.

        Raises:
            GameOver: the game is over.
            RulesError: rules or a board that the engine does not play.
            TengenError: no number of lines, or an argument of another kind.
        """
        _check(board, limit, lines, None)
        return Search.start(self.analyse, board.copy(), limit or Limit(seconds=MOST_SECONDS), lines)

    def clear(self) -> None:
        """Forget what is remembered of former moves."""
        self._tables_of = None

    def infos(
        self,
        board: Board,
        limit: Limit | None = None,
        lines: int = 1,
        stop: threading.Event | None = None,
        *,
        playing: bool = False,
    ) -> Iterator[Info]:
        """What each depth finds, as it is found; see `analyse`."""
        _check(board, limit, lines, stop)
        check_flag("playing", playing)
        return self._depths(board, limit, lines, stop, playing=playing)

    def _depths(
        self, board: Board, limit: Limit | None, lines: int, stop: threading.Event | None, *, playing: bool
    ) -> Iterator[Info]:
        """The same, once what is asked is known to be sound."""
        limit = Limit() if limit is None else limit
        endless = time_budget(limit, board, playing=playing).hard is None
        if endless and limit.nodes is None and limit.depth is None:
            limit = Limit(nodes=self._nodes)
        if self._handicap is not None:
            limit = self._handicap.limited(limit)
        legal = board.legal_points()
        if not board.stones(BLACK) and not board.stones(WHITE):
            centre = _nearest_to_centre(board, legal)
            yield Info(centre, Score(0), 1, 0, 0, 0.0, (centre,))
            return
        with self._tables_for(board.rules, limit) as searched:
            yield from self._infos(board, limit, min(lines, len(legal)), stop, searched, playing=playing)

    def _infos(
        self,
        board: Board,
        limit: Limit,
        lines: int,
        stop: threading.Event | None,
        searched: _Tables,
        *,
        playing: bool,
    ) -> Iterator[Info]:
        state, tables = self._set_up(board)
        must = urgent(state, tables)
        seen, threads = state, self._threads
        if self._handicap is not None:
            threads, seen = 1, copy_of(state)
            overlook(seen, tables, board, self._handicap.oversight, self._seed)
        time = time_budget(limit, board, playing=playing)
        table, proofs = searched
        task = SearchTask(
            seen,
            tables,
            table,
            threads,
            lines,
            limit.nodes,
            limit.depth,
            _threat_nodes(time.hard),
            time.soft,
            proofs,
        )
        heard = False
        with ended_in_time(task.stop, time.hard, stop):
            for found in run(task):
                heard = True
                info = _info(board, found)
                yield _checked(board, info, must) if must or seen is not state else info
        if not heard:
            # Stopped before the first depth, or nowhere near a stone.
            point = point_of(board, must[0]) if must else _nearest_to_centre(board, _playable(board))
            yield Info(point, Score(0), 0, task.nodes, 0, task.seconds, (point,))

    @contextmanager
    def _tables_for(self, rules: Rules, limit: Limit) -> Iterator[_Tables]:
        """The tables to search with: what is remembered, or empty ones where answers have to repeat.

        Empty ones, too, where another search is using what is remembered. To wait for its end could take
        for ever: the thread that waits may be the one that iterates over what the other search finds.
        """
        if self._handicap is not None or (limit.seconds is None and limit.time is None):
            needed = self._memory if limit.nodes is None else max(limit.nodes * 2 * 16 >> 20, 1)
            yield _new_tables(min(needed, self._memory))
        elif not self._remembering.acquire(blocking=False):
            yield _new_tables(self._memory)
        else:
            try:
                wanted = rules, _version(rules, self._weights)
                if self._tables_of != wanted:
                    self._tables = _new_tables(self._memory)
                    self._tables_of = wanted
                yield self._tables
            finally:
                self._remembering.release()

    def _seen(self, board: Board) -> tuple[Record, Record, tuple[tuple[Point, ...], ...]]:
        """The state and the tables that it judges by, and the enemy's rows that it does not notice."""
        state, tables = self._set_up(board)
        if self._handicap is None:
            return state, tables, ()
        rows = overlook(state, tables, board, self._handicap.oversight, self._seed)
        return state, tables, rows

    def _set_up(self, board: Board) -> tuple[Record, Record]:
        """A state with the stones of a board in the order in which they were played, and its tables."""
        load_kernels()
        empty, tables = self._prepared(board.rules)
        state = copy_of(empty)
        setup = board.setup
        if setup is not None:
            for colour in (BLACK, WHITE):
                for point in setup.stones(colour):
                    state[0]["turn"] = colour - 1
                    make(state, tables, cell(board, point))
            state[0]["turn"] = setup.turn - 1
        for point in board.moves:
            if point == PASS:
                state[0]["turn"] ^= 1
            else:
                make(state, tables, cell(board, point))
        state[0]["changed"] = 0
        return state, tables

    def _prepared(self, rules: Rules) -> tuple[Record, Record]:
        """An empty board and its tables, as they please this player."""
        without, taste = self._without, 0.0
        if self._handicap is not None:
            without, taste = without | self._handicap.without, self._handicap.taste
        return prepared(rules, without, self._weights, taste, self._seed if taste else 0)


def _summary(board: Board, best: Info) -> Message:
    """Return what a search found: its move and what that promises the side to move."""
    values = {
        "point": board.name(best.point),
        "colour": Message("black" if board.turn == BLACK else "white"),
        "depth": best.depth,
        "nodes": best.nodes,
    }
    mate = best.score.mate
    if mate is None:
        return Message("explain.engine", {**values, "chance": f"{100 * best.score.win_rate:.0f}"})
    key = "explain.engine.win" if mate > 0 else "explain.engine.loss"
    return Message(key, {**values, "moves": (abs(mate) + 1) // 2})


def _new_tables(megabytes: int) -> _Tables:
    """Empty ones: of so many megabytes for positions, and of an eighth for wins by threats."""
    return new_table(megabytes), new_pn_table(max(megabytes // 8, 1))


def _threat_nodes(seconds: float | None) -> int:
    """Nodes for a win by threats: some eighth of what such a time is enough for."""
    return _THREAT_NODES if seconds is None else int(_THREAT_NODES * min(seconds, 3.0))


@lru_cache(maxsize=1)
def load_kernels() -> None:
    """Have all compiled functions at hand, compiled now if need be, before anybody's clock runs."""
    build(df_pn, list_answers_to_threat)  # which a short search may not ask
    state, tables = prepared(Rules.named("freestyle"))
    state = copy_of(state)
    for x, y in ((7, 7), (0, 0), (8, 7), (0, 2), (9, 7)):
        make(state, tables, cell_of(x, y))
    for _ in run(SearchTask(state, tables, new_table(1), most_depth=3)):
        pass


def _check(board: Board, limit: Limit | None, lines: int, stop: threading.Event | None) -> None:
    check_search(board, limit, stop)
    if board.outcome() is not None:
        raise GameOver("error.game_over.choose")
    check_rules(board.rules)
    if not (isinstance(lines, int) and is_whole(lines) and lines >= 1):
        raise TengenError("error.engine.lines", lines=shown(lines))


def prepared(
    rules: Rules,
    without: Technique = Technique.NONE,
    weights: str = "",
    taste: float = 0.0,
    seed: int = 0,
) -> tuple[Record, Record]:
    """An empty board, and tables that hold the numbers to evaluate by, as they please a player.

    A network is among them where there is one for these rules and this size, and with it a policy.

    Both are shared, and not to be changed. Numbers that have been written anew are read again.
    """
    return _prepared(rules, without, weights, _version(rules, weights), taste, seed)


@lru_cache(maxsize=8)
def _prepared(
    rules: Rules, without: Technique, weights: str, version: tuple[int, ...], taste: float, seed: int
) -> tuple[Record, Record]:
    numbers, network, policy = _learned(family(rules), weights, version)
    state, tables = new_position(rules)
    tables = copy_of(tables)
    fill(tables, tasted(numbers, taste, seed))
    if network is not None and fits(network, rules.width):
        colours = max(network.colours, 1 if policy is None else policy.colours)
        fill_network(tables, network, rules.width, colours)
        if policy is not None:
            fill_policy(tables, policy, colours)
    tables[0]["without"] = int(without)
    look_up(state, tables)
    return state, tables


def network_of(rules: Rules, weights: str = "") -> Network | None:
    """The network that the engine plays some rules by on a board of this size; None for none.

    Raises:
        TengenError: there are no numbers for these rules, or a file is damaged.
    """
    _, network, _ = _learned(family(rules), weights, _version(rules, weights))
    return network if network is not None and fits(network, rules.width) else None


@lru_cache(maxsize=16)
def _learned(
    name: str,
    folder: str,
    version: tuple[int, ...],  # noqa: ARG001 - of the cache
) -> tuple[Weights, Network | None, Policy | None]:
    """The numbers of a family of rules, its network where there is one, and its policy likewise."""
    where = _folder(folder)
    if folder == CLASSES_ALONE:
        return load(name, where), None, None
    return load(name, where), load_network(name, where), load_policy(name, where)


def _look_at(folder: str) -> None:
    """Read whatever is in a folder, so that nothing damaged is found out in the middle of a game.

    Raises:
        FileError: there are no numbers, or they cannot be read.
        TengenError: a file is damaged.
    """
    if folder in ("", CLASSES_ALONE):
        return  # those that come with Tengen are read when they are used
    where = _folder(folder)
    there = [name for name in FAMILIES if any(map(_exists, _files(name, where)))]
    for name in there or FAMILIES[:1]:
        _learned(name, folder, _version_of(name, where))


def _exists(file: Path) -> bool:
    try:
        return file.exists()
    except OSError:  # a name that no file can have
        return False


def _version(rules: Rules, folder: str) -> tuple[int, ...]:
    return _version_of(family(rules), _folder(folder))


def _version_of(name: str, where: Path) -> tuple[int, ...]:
    # A file that is not there counts as such: one of another kind may be written instead.
    return tuple(part for file in _files(name, where) for part in (version(file) or (0,)))


def _files(name: str, where: Path) -> tuple[Path, Path, Path]:
    """Where what is learned about a family of rules is kept, whether it is there or not."""
    return file_of(name, where), network_file(name, where), policy_file(name, where)


def _folder(folder: str) -> Path:
    return Path(folder) if folder and folder != CLASSES_ALONE else FOLDER


def _info(board: Board, found: DepthResult) -> Info:
    line = with_block(board, [point_of(board, cell) for cell in found.line], board.turn)
    speed = int(found.nodes / found.seconds) if found.seconds > 0 else 0
    score = score_of(found.score)
    return Info(line[0], score, found.depth, found.nodes, speed, found.seconds, line, found.number)


def _checked(board: Board, info: Info, must: tuple[int, ...]) -> Info:
    """What was found, unless something else is urgent; its line ends where it cannot go on."""
    points = [point_of(board, cell) for cell in must]
    if info.number == 0 and points and info.point not in points:
        # The search knows one answer to a five; under caro it may be another that stops it.
        return replace(info, point=points[0], score=Score(0), line=(points[0],))
    after = board.copy()
    line = []
    for point in info.line:
        if after.outcome() is not None or not after.is_legal(point):
            break
        after.push(point)
        line.append(point)
    return replace(info, line=tuple(line))


def _playable(board: Board) -> list[Point]:
    """The legal points, without fouls unless nothing else is left."""
    points = board.legal_points()
    fouls = board.fouls() if board.turn == BLACK else {}
    return [point for point in points if point not in fouls] or points


def _nearest_to_centre(board: Board, points: list[Point]) -> Point:
    size = board.width

    def away(point: Point) -> tuple[int, int]:
        return max(abs(2 * (point % size) - size + 1), abs(2 * (point // size) - size + 1)), point

    return min(points, key=away)
