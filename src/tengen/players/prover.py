"""A player that plays from a proof, of a win or that a side does not lose, as ``tengen prove`` writes them.

The idea. A proof says where its side moves and what answers each reply, whatever it is. To play from it is
to look that up: nothing is searched, and nothing can go wrong. Where the side does not lose because it gets
one point of each of some pairs, it takes the other of a pair, or any point.

Where the proof says nothing, another player chooses, the engine by default, or minimax where
the engine does not play the rules: before the position
of the proof is reached, for a side that it says nothing about, and where the side has left the proof.
`Prover.explain` says so.

The position on the board need not have been reached as the proof has it: the stones count, and the position
may be turned or mirrored.

Cost: one access to a file.

Blind to: errors in the file. Its digest is checked, and what follows is played through where
that is soon done; `tengen.solver.proofs.verify` checks it whole.

From: winning strategies as graphs of positions: any AND/OR tree that has been solved is one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from tengen.engine.board.playable import plays
from tengen.game.board import Board
from tengen.game.errors import GameOver, TengenError
from tengen.game.fives import fives
from tengen.game.player import Choice, Explanation, Limit, Score, explanation, player_repr
from tengen.game.points import EMPTY, Point
from tengen.game.symmetry import Symmetry, products, symmetries, transform_position
from tengen.players.registry import player
from tengen.solver.proofs.checker import Checker
from tengen.solver.proofs.file import HOLDS, Claim, ProofFile, ProofNode, Ref, Unproven
from tengen.words import Message

_MOST_STEPS = 100_000
"""The most nodes that are visited for a position."""

_MOST_POSITIONS = 5_000
"""The most positions that are visited for the length of a win."""


_Found: TypeAlias = "tuple[Point, int | None]"
"""A move, and the plies to the win at most; None where the proof says only that the side does not lose."""


class _Enough(Exception):
    """Raised when a check would take too long."""


class Prover:
    """A player that plays from a proof.

    Args:
        file: the proof.
        otherwise: the spec of the player for positions that the proof says nothing about; minimax takes
            the engine's place under rules that it does not play.

    Attributes:
        name: the spec.

    Raises:
        ProofError: the file is no proof, or damaged.
        TengenError: it cannot be read.
    """

    def __init__(self, file: str, otherwise: str = "engine") -> None:
        from tengen.formats import files

        self._file, self._otherwise = str(file), str(otherwise)
        try:
            self._proof = ProofFile(Path(self._file).expanduser())
        except (OSError, RuntimeError) as error:
            raise TengenError(
                "error.prover.file", file=files.shown(self._file), reason=files.reason(error)
            ) from error
        self._other = player(self._otherwise)
        if self._otherwise == "engine" and not plays(self._proof.board.rules):
            self._other = player("minimax")
        more = "" if otherwise == "engine" else f",otherwise={self._other.name}"
        self.name = f"prover:file={self._file}{more}"

    def __reduce__(self) -> tuple[type[Prover], tuple[str, str]]:
        return Prover, (self._file, self._otherwise)

    __repr__ = player_repr

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """The move of the proof, with the plies to a win at most; the other player's outside of it.

        Raises:
            GameOver: the game is over.
        """
        began = time.perf_counter()
        if board.outcome() is not None:
            raise GameOver("error.game_over.choose")
        found = self._looked_up(board)
        if found is None:
            return self._other.choose(board, limit, stop)
        point, plies = found
        score = Score(0) if plies is None else Score.win_in(plies)
        return Choice(point, score, (point,), 0, time.perf_counter() - began)

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        """Explain the move of the proof; or that it has none, with the explanation of the other player."""
        found = None if board.outcome() is not None else self._looked_up(board)
        if found is not None:
            point, plies = found
            values: dict[str, object] = {"point": board.name(point)}
            if plies is None:
                key = "explain.prover.holds"
            elif plies < len(board.stones(EMPTY)):
                key, values["moves"] = "explain.prover", (plies + 1) // 2
            else:
                key = "explain.prover.long"
            return Explanation(Message(key, values), {point: 1.0})
        why = explanation(self._other, board, limit, stop)
        summary = Message("explain.prover.outside", {"player": self._other.name, "why": why.summary})
        return Explanation(summary, why.weights, why.parts, why.lines, why.tree, why.heatmaps)

    def _looked_up(self, board: Board) -> _Found | None:
        """The move of the proof; None outside of it."""
        proof = self._proof
        if board.rules != proof.board.rules:
            return None
        for claim, root in zip(proof.claims, proof.roots, strict=True):
            if claim.side == board.turn:
                steps = iter(range(_MOST_STEPS))
                try:
                    for turn, own, replies in self._beginnings(board):
                        found = self._node((root, turn), own, replies, board, claim, steps)
                        if found is not None:
                            return found
                except _Enough:
                    pass
        return None

    def _beginnings(self, board: Board) -> Iterator[tuple[int, frozenset[Point], tuple[Point, ...]]]:
        """The symmetries by which the proof's position is part of the board, and what was played since.

        The stones of the other side come in the order in which they were played, as far as that is known.
        """
        start, position = self._proof.board.position, board.position
        first = int(board.turn != self._proof.board.turn)
        order = {point: number for number, point in enumerate(board.moves)}
        for number, turn in enumerate(symmetries(board.width, board.height)):
            image = transform_position(start, turn)
            if any(was not in (EMPTY, now) for was, now in zip(image, position, strict=True)):
                continue
            new = [point for point, was in enumerate(image) if was == EMPTY != position[point]]
            own = frozenset(point for point in new if position[point] == board.turn)
            replies = sorted((point for point in new if point not in own), key=lambda p: order.get(p, -1))
            if len(own) + first == len(replies):
                yield number, own, tuple(replies)

    def _node(
        self,
        ref: Ref,
        own: frozenset[Point],
        replies: tuple[Point, ...],
        board: Board,
        claim: Claim,
        steps: Iterator[int],
    ) -> _Found | None:
        """The move after stones that were played from a node's position on; None if it has no such line.

        Raises:
            _Enough: too many nodes have been visited.
        """
        turns = symmetries(board.width, board.height)
        numbers = products(board.width, board.height)
        waiting = [(ref, own, replies)]
        seen = set()
        while waiting:
            (offset, turn), own, replies = entry = waiting.pop()
            if entry in seen:
                continue
            seen.add(entry)
            if next(steps, None) is None:
                raise _Enough
            node, map_ = self._proof.node(offset), turns[turn]
            if len(replies) == len(own) == 0:
                if (found := self._moved(map_[node.point], (offset, turn), board, claim)) is not None:
                    return found
                continue
            left = own
            if len(replies) == len(own):  # else the other side has begun, at the root
                if map_[node.point] not in own:
                    continue
                left = own - {map_[node.point]}
            pairs = [(map_[first], map_[second]) for first, second in node.pairs]
            if (found := self._by_rules(pairs, left, board, claim)) is not None:
                return found
            waiting += (
                ((answer[0], numbers[turn][answer[1]]), left, rest)
                for answer, rest in _answered(node, map_, replies)
            )
        return None

    def _moved(self, point: Point, ref: Ref, board: Board, claim: Claim) -> _Found | None:
        """The move of a node in the position on the board; None where it turns out to be no good."""
        if (five := _five(board)) is not None:
            return five, 1
        if not board.is_legal(point):
            return None
        long = None if claim.goal == HOLDS else len(board.stones(EMPTY))

        def on_progress(positions: int) -> None:
            if positions > _MOST_POSITIONS:
                raise _Enough

        checker = Checker(board.copy(), claim, self._proof.node, on_progress)
        try:
            plies = checker.check_node(ref, *checker.fives())
        except Unproven:
            return None
        except _Enough:
            return point, long
        return point, None if long is None else plies

    def _by_rules(
        self, pairs: list[tuple[Point, Point]], left: frozenset[Point], board: Board, claim: Claim
    ) -> _Found | None:
        """The move where the proof leaves it to the rules what follows on a node's; None where it does not.

        Args:
            pairs: the node's, if it has any.
            left: stones of the side's that were played since.
            board: the position on the board.
            claim: the proven claim.
        """
        holds = claim.goal == HOLDS
        if (holds or not left) and (five := _five(board)) is not None:
            return five, 1
        if not holds:
            return None
        after = board.copy()
        checker = Checker(after, claim, self._proof.node, lambda _: None)
        paired = {point for pair in pairs for point in pair}
        # The other point of a pair that was touched is the only one that will do; else any outside of them.
        for point in sorted(board.legal_points(), key=lambda point: point in paired):
            after.push(point)
            if checker.holds_by_pairs(pairs):
                return point, None
            after.pop()
        return None


def _answered(
    node: ProofNode, map_: Symmetry, replies: tuple[Point, ...]
) -> Iterator[tuple[Ref, tuple[Point, ...]]]:
    """The answers to some replies, the last first, and the replies that are left then."""
    answers = {map_[reply]: answer for reply, answer in node.replies.items()}
    for number in reversed(range(len(replies))):
        answer = answers.get(replies[number], node.default)
        if answer is not None:
            yield answer, replies[:number] + replies[number + 1 :]


def _five(board: Board) -> Point | None:
    """The point where the side to move completes a five; None if there is none."""
    return next(iter(fives(board, board.turn)), None)
