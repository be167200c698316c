"""A proof as a record with variations, to be walked through wherever records are shown.

A proof answers every reply; a record that did so would have no end. Of the replies to a move that the same
node answers, in the same way, the one that holds out longest stands for all, and a comment says how many
they are. The longest line comes first. Where the tree is large, the moves near the beginning are in it, and
a comment says where it is cut.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path

from tengen.game.board import Board
from tengen.game.points import PASS, Point, axes, opponent
from tengen.game.record import Node, Record
from tengen.game.rows import five_points, five_points_beside
from tengen.game.symmetry import products, symmetries
from tengen.solver.proof_file import ProofFile, Ref
from tengen.solver.verify import Attack, Checker, Points
from tengen.words import say

MOST = 2_000
"""Moves of a record, about."""


def record_of(
    path: str | Path,
    language: str = "en",
    most: int = MOST,
    heard: Callable[[int], None] = lambda _: None,
) -> Record:
    """The record of a proof that holds.

    Args:
        path: of the proof.
        language: of the comments.
        most: moves after which nothing more is gone on from.
        heard: called with the number of positions each time one is reached.

    Raises:
        ProofError: the proof is damaged, or does not hold.
        OSError: it cannot be read.
    """
    with ProofFile(path) as proof:
        board = proof.board.copy()
        record = Record.from_board(board)
        start = record.main_line()[-1] if board.moves else record.root
        checker = Checker(board, proof.node, heard)
        own, other = checker.fives()
        # Whatever follows is known then, so that it costs little to ask how long a reply holds out.
        checker.won((proof.root, 0), own, other)
        tree = _Tree(proof, board, checker, language)
        waiting: deque[_Place] = deque([(start, (proof.root, 0), own, other)])
        moves = 0
        while waiting and moves < most:
            place = waiting.popleft()
            below = tree.grow(*place)
            waiting.extend(below)
            moves += 1 + len(below)
        for node, *_ in waiting:
            node.comment = "\n".join(filter(None, (node.comment, say("proof.record.cut", language))))
        return record


_Place = tuple[Node, Ref, Points, Points]
"""A position with the winner to move: its node in the record and in the proof; see `Attack`."""


class _Tree:
    """Adds moves to a record."""

    def __init__(self, proof: ProofFile, board: Board, checker: Checker, language: str) -> None:
        self._proof, self._board, self._checker = proof, board, checker
        self._language, self._begun = language, board.ply
        self._loser = opponent(board.turn)
        self._grid = axes(board.width, board.height)
        self._turns = symmetries(board.width, board.height)
        self._products = products(board.width, board.height)

    def grow(self, parent: Node, ref: Ref, own: Points, other: Points) -> list[_Place]:
        """Add the winner's move and the replies to it; where to go on."""
        board = self._board
        for point in parent.path()[self._begun :]:
            board.push(point)
        turn = self._turns[ref[1]]
        node = self._proof.node(ref[0])
        mine = parent.add(turn[node.point])
        after = self._checker.attack(turn[node.point], own, other)
        places = []
        if after is not None:
            groups = self._groups(ref, after)
            for answer, replies in sorted(groups.items(), key=lambda item: -max(item[1])[0]):
                places.append(self._answered(mine, answer, replies, after))
            if not groups:
                self._finish(mine, after)
        while board.ply > self._begun:
            board.pop()
        return places

    def _groups(self, ref: Ref, after: Attack) -> dict[Ref, list[tuple[int, Point]]]:
        """The replies that have to be answered, with the plies they hold out, by what answers them."""
        node, turn = self._proof.node(ref[0]), self._turns[ref[1]]
        groups: dict[Ref, list[tuple[int, Point]]] = {}
        answers = {PASS if p == PASS else turn[p]: answer for p, answer in node.replies.items()}
        for reply in after.replies:
            found = answers.get(reply, node.default)
            if found is not None:
                answer = found[0], self._products[ref[1]][found[1]]
                plies = self._checker.refuted(reply, answer, after)
                if plies > 2:  # else it loses by the rules alone
                    groups.setdefault(answer, []).append((plies, reply))
        return groups

    def _answered(self, mine: Node, answer: Ref, replies: list[tuple[int, Point]], after: Attack) -> _Place:
        """Add the reply that stands for some."""
        board = self._board
        plies, reply = max(replies)
        theirs = mine.add(reply)
        comment = [say("proof.record.moves", self._language, moves=plies // 2)]
        if len(replies) > 1:
            comment.append(say("proof.record.alike", self._language, count=len(replies) - 1))
        theirs.comment = "\n".join(comment)
        other = after.other
        if reply != PASS:
            board.push(reply)
            cells = board.position
            other = (*other, *five_points_beside(board.rules, cells, self._grid, reply, self._loser))
            board.pop()
        return theirs, answer, after.own, other

    def _finish(self, mine: Node, after: Attack) -> None:
        """Add a reply that stops nothing, and the five."""
        board = self._board
        legal = board.legal_points()
        reply = next((five for five in after.fives if five in legal), legal[0])
        board.push(reply)
        if board.outcome() is None:
            winner = opponent(self._loser)
            fives = five_points(board.rules, board.position, self._grid, after.fives, winner)
            if fives:
                mine.add(reply).add(fives[0])
