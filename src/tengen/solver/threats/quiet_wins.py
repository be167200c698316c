"""Wins that begin with quiet moves: proof-number search, with wins by threats at its leaves.

A position with the winner to move is won if it wins by fours and threes (`tengen.solver.threats.vct`), or
if it has a move after which every reply leaves a position that is won. All legal replies count. Of the
winner's moves only the engine's best few are tried, and of these only such as would win by threats if the
loser passed. Where they fail, or there are none, as in an opening, moves that threaten nothing are tried if
that is asked for, the best one first, and the next where those before it have failed. What is found is a
win none the less, and what is not found may be there.

Proof-number search goes on where a win seems to take the fewest more positions (L. V. Allis, M. van der
Meulen and H. J. van den Herik, "Proof-number search", Artificial Intelligence 66, 1994). That the loser's
pass is asked first is T. Thomsen's, "Lambda-search in game trees - with application to Go", ICGA Journal
23(4), 2000. L. V. Allis proved in this way that Black wins freestyle gomoku on 15x15 ("Searching for
solutions in games and artificial intelligence", 1994).

A *step* is what has been found out about one of the winner's moves: the replies that are not known to lose.
Steps are worked out in tasks, which may run anywhere, and are kept in a file to go on from.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tengen.executors import submit_ahead
from tengen.formats.files import FileError, reason, shown
from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.points import EMPTY, Point
from tengen.game.rules import Rules
from tengen.game.symmetry import Symmetry, canonical, inverse
from tengen.solver.limits import NEVER

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from tengen.engine.board.records import Record
    from tengen.engine.engine import Engine
    from tengen.executors import Caller

FORMAT = "tengen quiet wins"
VERSION = 2

_MEMORY = 32
"""Megabytes that a process remembers of wins by threats."""

_AT_LENGTH = 50
"""By how much more is spent on a win by threats before other moves are tried."""

_LATE = 30
"""Replies that a move tried after others have failed is thought to leave, at least."""

_TICK = 0.2
"""Seconds after which it is looked again whether to stop."""


@dataclass(frozen=True, slots=True)
class CandidateSettings:
    """What is tried in a position.

    Attributes:
        candidates: how many of the engine's moves.
        engine_nodes: nodes that it chooses them with.
        threat_nodes: nodes spent on a win by threats after each reply.
        most_open: a move that leaves so many replies open is given up.
        unthreatening: how many of the best of those moves are tried whatever they leave open, and even if
            they would not win by threats after a pass; one at a time, and after such as would.
    """

    candidates: int = 8
    engine_nodes: int = 50_000
    threat_nodes: int = 2_000
    most_open: int = 30
    unthreatening: int = 0


class Step(NamedTuple):
    """A move of the winner's, and the replies that do not lose as far as is known."""

    point: Point
    replies: tuple[Point, ...]

    def turned(self, symmetry: Symmetry) -> Step:
        """The same where a symmetry maps it."""
        return Step(symmetry[self.point], tuple(symmetry[reply] for reply in self.replies))


class Steps(NamedTuple):
    """What a task has found out.

    Attributes:
        steps: the moves worth going on with.
        more: whether another one may be tried where all of them fail.
        nodes: that took.
    """

    steps: tuple[Step, ...]
    more: bool
    nodes: int

    def turned(self, symmetry: Symmetry) -> Steps:
        """The same where a symmetry maps it."""
        return self._replace(steps=tuple(step.turned(symmetry) for step in self.steps))


# -- the task


def find_steps(board: Board, asked: CandidateSettings, tried: Iterable[Point] = ()) -> Steps:
    """Try the engine's moves in a position with the winner to move, until one of them leaves no reply.

    Before that, more nodes than after a reply are spent on a win by threats from the position itself.

    Args:
        board: the position.
        asked: what is tried.
        tried: moves that have failed. Where there are some, one more is tried, be it without a threat.
    """
    from tengen.executors import stop_signal

    stop, without = stop_signal(), frozenset(tried)
    nodes = 0
    if not without:
        threat, nodes = _threat(board, asked.threat_nodes * _AT_LENGTH)
        if threat is not None:
            return Steps((Step(threat, ()),), False, nodes)
    limit = Limit(nodes=asked.engine_nodes)
    infos = _engine().analyse(board, limit, lines=asked.candidates, stop=stop)
    moves = [info.point for info in infos]
    nodes += asked.engine_nodes
    steps: list[Step] = []
    for point in () if without else moves:
        if stop.is_set():
            break
        left, spent = _open_replies(board, point, asked, threatening=True)
        nodes += spent
        if left is not None:
            steps.append(Step(point, left))
            if not left:
                break
    others = [point for point in moves[: asked.unthreatening] if point not in without]
    while not steps and others and not stop.is_set():
        point = others.pop(0)
        left, spent = _open_replies(board, point, asked, threatening=False)
        nodes += spent
        if left is not None:
            steps.append(Step(point, left))
    more = any(point not in {step.point for step in steps} for point in others)
    return Steps(tuple(steps), more, nodes)


def _threat(board: Board, nodes: int) -> tuple[Point | None, int]:
    """How the side to move begins to win by threats, None where that is not found; and the nodes spent."""
    from tengen.engine.board.conversion import point_of, position_of
    from tengen.engine.threats.pn_search import PnSearch

    state, tables = position_of(board)
    state[0]["most_nodes"] = nodes
    proof = PnSearch(state, tables, _table(board.rules))
    line = proof.attack(nodes) if proof.search() else ()
    return (point_of(board, line[0]) if line else None), int(state[0]["nodes"])


def _open_replies(
    board: Board, point: Point, asked: CandidateSettings, *, threatening: bool
) -> tuple[tuple[Point, ...] | None, int]:
    """The replies to a move that are not known to lose, None where it is not worth going on; and nodes.

    Args:
        board: the position before it.
        point: the move.
        asked: what is tried.
        threatening: whether it is not worth going on where the move would not win if the loser passed, or
            where it leaves many replies open.
    """
    from tengen.engine.board.conversion import cell, position_of
    from tengen.engine.board.position import make, unmake
    from tengen.engine.board.records import Kind

    winner = board.turn
    after = board.copy()
    after.push(point)
    if (outcome := after.outcome()) is not None:
        return (() if outcome.winner == winner else None), 0
    state, tables = position_of(after)
    loser = int(state[0]["turn"])
    if state[0]["counts"][loser, Kind.FIVE]:
        return None, 0

    if threatening and not _wins_after_a_pass(state, tables, board.rules, asked.threat_nodes):
        return None, int(state[0]["nodes"])
    replies: list[Point] = []
    for reply in after.legal_points():
        after.push(reply)
        outcome = after.outcome()
        after.pop()
        if outcome is not None:
            if outcome.winner == winner:
                continue
            return None, int(state[0]["nodes"])
        make(state, tables, cell(after, reply))
        if not _wins(state, tables, board.rules, asked.threat_nodes):
            replies.append(reply)
        unmake(state, tables)
        if threatening and len(replies) >= asked.most_open:
            return None, int(state[0]["nodes"])
    return tuple(replies), int(state[0]["nodes"])


def _wins(state: Record, tables: Record, rules: Rules, nodes: int) -> bool:
    """Whether the side to move wins by threats, as far as so many nodes show."""
    from tengen.engine.threats.pn_search import PnSearch

    state[0]["most_nodes"] = int(state[0]["nodes"]) + nodes
    return PnSearch(state, tables, _table(rules)).search() is True


def _wins_after_a_pass(state: Record, tables: Record, rules: Rules, nodes: int) -> bool:
    """Whether the side that is not to move would win by threats if the other one passed."""
    loser = int(state[0]["turn"])
    state[0]["turn"] = 1 - loser
    wins = _wins(state, tables, rules, nodes)
    state[0]["turn"] = loser
    return wins


@lru_cache(maxsize=1)
def _engine() -> Engine:
    from tengen.engine.engine import Engine

    return Engine()


_tables: dict[Rules, npt.NDArray[np.int64]] = {}


def _table(rules: Rules) -> npt.NDArray[np.int64]:
    """What this process knows of wins by threats; it forgets that when other rules come."""
    if rules not in _tables:
        from tengen.engine.threats.pn_table import new_pn_table

        _tables.clear()
        _tables[rules] = new_pn_table(_MEMORY)
    return _tables[rules]


# -- the tree


@dataclass(slots=True, eq=False)
class _Move:
    """A step in the tree; its numbers are those of a position with the loser to move."""

    step: Step
    parent: _OpenPosition
    replies: list[_OpenPosition] = field(default_factory=list)
    proof: int = 1
    disproof: int = 1

    def reckon(self) -> None:
        """Work out both numbers from the positions after the replies."""
        self.proof = min(sum(position.proof for position in self.replies), NEVER)
        self.disproof = min((position.disproof for position in self.replies), default=NEVER)


@dataclass(slots=True, eq=False)
class _OpenPosition:
    """A position with the winner to move that is not known to be won by threats.

    Attributes:
        moves: that lead to it from the first one.
        key: the same for symmetric positions; see `canonical`.
        symmetry: that leads to the position of the key.
        parents: the steps that lead to it.
        steps: from here, as far as they have been worked out.
        more: whether another one may be tried where all of them fail, or where there are none yet.
        asked: whether they, or another one, are being worked out.
    """

    moves: tuple[Point, ...]
    key: bytes
    symmetry: Symmetry
    parents: list[_Move] = field(default_factory=list)
    steps: list[_Move] = field(default_factory=list)
    more: bool = True
    asked: bool = False
    proof: int = 1
    disproof: int = 1

    @property
    def leaf(self) -> bool:
        """Whether steps have to be worked out, or another one."""
        return self.more and all(step.proof >= NEVER for step in self.steps)

    def reckon(self) -> bool:
        """Work out both numbers; whether one has changed."""
        before = self.proof, self.disproof
        if self.leaf:
            # Nothing is to be gained by choosing it again while it is being worked out.
            self.proof, self.disproof = _LATE if self.steps else 1, NEVER if self.asked else 1
        else:
            self.proof = min((step.proof for step in self.steps), default=NEVER)
            self.disproof = _sum_of([step.disproof for step in self.steps]) if self.proof else NEVER
        return before != (self.proof, self.disproof)


def _sum_of(numbers: Sequence[int]) -> int:
    """The sum of disproof numbers, of those that can be gone on with if there are any."""
    some = [number for number in numbers if number < NEVER]
    return min(sum(some), NEVER - 1) if some or not numbers else NEVER


class QuietWins:
    """The search for one win.

    Args:
        board: the position, the winner to move.
        asked: what is tried in a position.
        file: where steps are kept, to go on from; None for nowhere.

    Attributes:
        expanded: positions whose steps have been worked out, those from the file included.
        nodes: stones that the tasks put down.

    Raises:
        FileError: the file cannot be read or written, or is of another search.
    """

    def __init__(self, board: Board, asked: CandidateSettings, file: Path | None = None) -> None:
        self._board, self._asked, self._file = board.copy(), asked, file
        self._positions: dict[bytes, _OpenPosition] = {}
        self._root = self._position(())
        self._kept = {} if file is None else _read(file, board, asked)
        self.expanded = self.nodes = 0

    @property
    def open(self) -> int:
        """About how many positions have to be won yet; 0 where all are, `NEVER` where they cannot be."""
        return self._root.proof

    @property
    def _over(self) -> bool:
        return not 0 < self._root.proof < NEVER

    def search(
        self,
        caller: Caller,
        slots: int,
        stop: threading.Event,
        most_nodes: int | None,
        heard: Callable[[], None],
    ) -> bool | None:
        """Search until there is a win.

        Args:
            caller: runs the tasks.
            slots: how many at once.
            stop: when set, ends it.
            most_nodes: stones that may be put down; None for any number.
            heard: called several times a second.

        Returns:
            Whether there is a win; None where that was not found out. False says no more than that none
            begins with these moves.

        Raises:
            FileError: what is found cannot be written.
        """

        def next_position() -> _OpenPosition | None:
            while (position := self._next()) is not None:
                kept = self._kept.get(position.key)
                if not kept:
                    return position
                self._grow(position, kept.pop(0).turned(inverse(position.symmetry)))
            return None

        def submit(position: _OpenPosition) -> Future[Steps]:
            position.asked = True
            self._tell(position)
            tried = [move.step.point for move in position.steps]
            return caller.submit(find_steps, self._after(position.moves), self._asked, tried)

        def over() -> bool:
            return self._over or stop.is_set() or (most_nodes is not None and self.nodes >= most_nodes)

        try:
            finished = submit_ahead(
                next_position, submit, lambda: slots, over=over, tick=heard, pause=_TICK
            )
            with closing(finished):
                for position, future in finished:
                    found = future.result()
                    self.nodes += found.nodes
                    self._keep(position, found)
                    self._grow(position, found)
        finally:
            heard()
        return self._root.proof == 0 if self._over else None

    def steps(self) -> dict[bytes, Step]:
        """The steps of the win: by `canonical` key of the position, as its symmetry maps them."""
        found: dict[bytes, Step] = {}
        waiting = [self._root]
        while waiting:
            position = waiting.pop()
            if position.key not in found:
                move = next(move for move in position.steps if move.proof == 0)
                found[position.key] = move.step.turned(position.symmetry)
                waiting += move.replies
        return found

    def _next(self) -> _OpenPosition | None:
        """The position to go on with; None where all of them are being worked out, or it is over."""
        if self._over:
            return None
        position = self._root
        while not position.leaf:
            open_steps = [step for step in position.steps if step.disproof < NEVER and step.proof < NEVER]
            if not open_steps:
                return None
            step = min(open_steps, key=lambda step: step.proof)
            position = min(step.replies, key=lambda reply: reply.disproof)
        return None if position.asked else position

    def _grow(self, position: _OpenPosition, found: Steps) -> None:
        """Add what was found out about a position."""
        self.expanded += not position.steps
        position.asked, position.more = False, found.more
        for step in found.steps:
            move = _Move(step, position)
            for reply in step.replies:
                child = self._position((*position.moves, step.point, reply))
                if (
                    child not in move.replies
                ):  # of replies that are symmetric to each other one stands for all
                    child.parents.append(move)
                    move.replies.append(child)
            move.reckon()
            position.steps.append(move)
        self._tell(position)

    def _tell(self, position: _OpenPosition) -> None:
        """Have everything above a position know its numbers."""
        waiting = [position]
        while waiting:
            position = waiting.pop()
            if position.reckon():
                for move in position.parents:
                    move.reckon()
                    waiting.append(move.parent)

    def _after(self, moves: Iterable[Point]) -> Board:
        board = self._board.copy()
        for point in moves:
            board.push(point)
        return board

    def _position(self, moves: tuple[Point, ...]) -> _OpenPosition:
        """The position after some moves; one that is symmetric to it if there is such a one already."""
        key, symmetry = canonical(self._after(moves))
        return self._positions.setdefault(key, _OpenPosition(moves, key, symmetry))

    # -- what is kept

    def _keep(self, position: _OpenPosition, found: Steps) -> None:
        """Add what was found out to the file, as the position's symmetry maps it."""
        if self._file is None:
            return
        rows = [[step.point, *step.replies] for step in found.turned(position.symmetry).steps]
        line = {"position": position.key.hex(), "steps": rows, "more": found.more}
        try:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        except OSError as error:
            raise FileError("error.file.write", file=shown(self._file), reason=reason(error)) from error


def _head(board: Board, asked: CandidateSettings) -> dict[str, Any]:
    """What the first line of a file says."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": board.rules.to_dict(),
        "candidates": asked.candidates,
        "engine_nodes": asked.engine_nodes,
        "threat_nodes": asked.threat_nodes,
        "most_open": asked.most_open,
        "unthreatening": asked.unthreatening,
    }


def _read(path: Path, board: Board, asked: CandidateSettings) -> dict[bytes, list[Steps]]:
    """What is in a file by position, as it was found out; the file is begun if need be."""
    head = json.dumps(_head(board, asked))
    try:
        if not path.exists() or path.stat().st_size == 0:
            path.write_text(head + "\n", encoding="utf-8")
            return {}
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        if not lines[-1].endswith("\n"):  # the run ended while it was written
            with path.open("r+", encoding="utf-8") as file:
                file.truncate(sum(len(line.encode()) for line in lines[:-1]))
            lines.pop()
    except OSError as error:
        raise FileError("error.file.read", file=shown(path), reason=reason(error)) from error
    except UnicodeDecodeError as error:
        raise FileError("error.prove.resume", file=shown(path), line=1) from error
    if not lines or lines[0].strip() != head:
        raise FileError("error.prove.resume_other", file=shown(path))
    kept: dict[bytes, list[Steps]] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            row = json.loads(line)
            key = bytes.fromhex(row["position"])
            cells = key[-board.rules.points :]
            steps = (
                Step(_point(step[0], cells), tuple(_point(reply, cells) for reply in step[1:]))
                for step in row["steps"]
            )
            found = Steps(tuple(steps), bool(row["more"]), 0)
            kept.setdefault(key, []).append(found)
        except (ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
            raise FileError("error.prove.resume", file=shown(path), line=number) from error
    return kept


def _point(value: object, cells: bytes) -> Point:
    """`value`, if it is a free point of a position."""
    if not isinstance(value, int) or not 0 <= value < len(cells) or cells[value] != EMPTY:
        raise ValueError(value)
    return value
