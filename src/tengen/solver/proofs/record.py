"""A proof as a record with variations, to be walked through wherever records are shown.

A proof answers every reply; a record that did so would have no end. Of the replies to a move that the same
node answers, in the same way, the one that holds out longest stands for all, and a comment says how many
they are. The longest line comes first. Where the tree is large, the moves near the beginning are in it, and
a comment says where it is cut. Where a side does not lose by pairs of points, a comment names them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path

from tengen.game.board import Board
from tengen.game.points import BLACK, PASS, Point, axes, opponent
from tengen.game.record import Node, Record
from tengen.game.rows import five_points, five_points_beside
from tengen.game.symmetry import products, symmetries
from tengen.solver.proofs.checker import Checker, MoveThreats, Points
from tengen.solver.proofs.file import HOLDS, Claim, ProofFile, Ref
from tengen.words import Message, say

MOST = 2_000
"""Moves of a record, about."""


def record_of(
    path: str | Path,
    language: str = "en",
    most: int = MOST,
    heard: Callable[[int], None] = lambda _: None,
    claim: int = 0,
) -> Record:
    """The record of a proof that holds, for one of its claims.

    Args:
        path: of the proof.
        language: of the comments.
        most: moves after which nothing more is gone on from.
        heard: called with the number of positions each time one is reached.
        claim: its number in the proof.

    Raises:
        ProofError: the proof is damaged, or does not hold.
        OSError: it cannot be read.
    """
    with ProofFile(path) as proof:
        board, root = proof.board.copy(), proof.roots[claim]
        record = Record.from_board(board)
        if proof.claims[claim].goal == HOLDS:
            colour = Message("black" if proof.claims[claim].side == BLACK else "white")
            record.headers["event"] = say("proof.record.holds", language, colour=colour)
        start = record.main_line()[-1] if board.moves else record.root
        checker = Checker(board, proof.claims[claim], proof.node, heard)
        own, other = checker.fives()
        # Whatever follows is known then, so that it costs little to ask how long a reply holds out.
        checker.proven(root)
        tree = _Tree(proof, board, checker, proof.claims[claim], language)
        if board.turn == proof.claims[claim].side:
            waiting: deque[_Place] = deque([(start, (root, 0), own, other)])
        else:
            waiting = deque(tree.begin(start, root, own, other))
        moves = len(waiting)
        while waiting and moves < most:
            place = waiting.popleft()
            below = tree.grow(*place)
            waiting.extend(below)
            moves += 1 + len(below)
        for node, *_ in waiting:
            node.comment = "\n".join(filter(None, (node.comment, say("proof.record.cut", language))))
        return record


_Place = tuple[Node, Ref, Points, Points]
"""A position with the side to move: its node in the record and in the proof; see `MoveThreats`."""


class _Tree:
    """Adds moves to a record."""

    def __init__(
        self, proof: ProofFile, board: Board, checker: Checker, claim: Claim, language: str
    ) -> None:
        self._proof, self._board, self._checker = proof, board, checker
        self._language, self._begun = language, board.ply
        self._side, self._enemy, self._holds = claim.side, opponent(claim.side), claim.goal == HOLDS
        self._grid = axes(board.width, board.height)
        self._turns = symmetries(board.width, board.height)
        self._products = products(board.width, board.height)

    def begin(self, start: Node, root: int, own: Points, other: Points) -> list[_Place]:
        """Add the replies where the other side begins; where to go on."""
        return self._below(start, (root, 0), self._checker.faced(own, other))

    def grow(self, parent: Node, ref: Ref, own: Points, other: Points) -> list[_Place]:
        """Add the side's move and the replies to it; where to go on."""
        board = self._board
        for point in parent.path()[self._begun :]:
            board.push(point)
        node, turn = self._proof.node(ref[0]), self._turns[ref[1]]
        point = PASS if node.point == PASS else turn[node.point]
        mine = parent.add(point)
        places = self._below(mine, ref, self._checker.attack(point, own, other))
        while board.ply > self._begun:
            board.pop()
        return places

    def _below(self, mine: Node, ref: Ref, after: MoveThreats | None) -> list[_Place]:
        """Add the replies to a move of the side's; where to go on."""
        node, turn = self._proof.node(ref[0]), self._turns[ref[1]]
        pairs = [(turn[first], turn[second]) for first, second in node.pairs]
        if self._board.outcome() is None and self._checker.paired(pairs):
            names = (f"{self._board.name(first)}-{self._board.name(second)}" for first, second in pairs)
            key = "proof.record.pairs" if pairs else "proof.record.shut"
            values = {
                "colour": Message("black" if self._enemy == BLACK else "white"),
                "pairs": " ".join(names),
            }
            mine.comment = say(key, self._language, **values)
            return []
        if after is None:
            return []
        groups = self._groups(ref, after)
        if not groups:
            self._finish(mine, after)
        return [
            self._answered(mine, answer, replies, after)
            for answer, replies in sorted(groups.items(), key=lambda item: -max(item[1])[0])
        ]

    def _groups(self, ref: Ref, after: MoveThreats) -> dict[Ref, list[tuple[int, Point]]]:
        """The replies that have to be answered, with the plies they hold out, by what answers them."""
        node, turn = self._proof.node(ref[0]), self._turns[ref[1]]
        groups: dict[Ref, list[tuple[int, Point]]] = {}
        answers = {PASS if p == PASS else turn[p]: answer for p, answer in node.replies.items()}
        for reply in after.replies:
            found = answers.get(reply, node.default)
            if found is not None:
                answer = found[0], self._products[ref[1]][found[1]]
                plies = self._checker.refuted(reply, answer, after)
                if plies > 1 and not self._fives(reply, after):  # else it is answered by the rules alone
                    groups.setdefault(answer, []).append((plies, reply))
        return groups

    def _answered(
        self, mine: Node, answer: Ref, replies: list[tuple[int, Point]], after: MoveThreats
    ) -> _Place:
        """Add the reply that stands for some."""
        board = self._board
        plies, reply = max(replies)
        theirs = mine.add(reply)
        comment = [] if self._holds else [say("proof.record.moves", self._language, moves=plies // 2)]
        if len(replies) > 1:
            comment.append(say("proof.record.alike", self._language, count=len(replies) - 1))
        theirs.comment = "\n".join(comment)
        other = after.other
        if reply != PASS:
            board.push(reply)
            cells = board.position
            other = (*other, *five_points_beside(board.rules, cells, self._grid, reply, self._enemy))
            board.pop()
        return theirs, answer, after.own, other

    def _finish(self, mine: Node, after: MoveThreats) -> None:
        """Add a reply that stops nothing, and the five; or the one that ends the game."""
        legal = self._board.legal_points()
        reply = next((five for five in after.fives if five in legal), legal[0])
        for five in self._fives(reply, after)[:1]:
            mine.add(reply).add(five)
        if self._holds:
            mine.add(reply)

    def _fives(self, reply: Point, after: MoveThreats) -> list[Point]:
        """Where the side completes a five after a reply."""
        board = self._board
        board.push(reply)
        points = after.fives if board.outcome() is None else ()
        fives = five_points(board.rules, board.position, self._grid, points, self._side)
        board.pop()
        return fives
