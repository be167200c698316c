"""A proof as a game record with variations, which any viewer of records can show.

A proof answers every reply, which would be far too much for a record. Of the replies to a move that share
one answer, the record shows only the one that holds out longest, and a comment gives their number. The
longest line comes first. Of a large tree the record holds the moves near the root, with a comment where it
is cut. Where a side holds by pairs of points, a comment names them.
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

MOST_MOVES = 2_000
"""Approximate number of moves of a record."""


def record_of(
    path: str | Path,
    language: str = "en",
    most: int = MOST_MOVES,
    on_position: Callable[[int], None] = lambda _: None,
    claim: int = 0,
) -> Record:
    """Return the record of one claim of a valid proof.

    Args:
        path: the proof.
        language: language of the comments.
        most: number of moves at which the tree is cut.
        on_position: called with the number of positions each time one is reached.
        claim: index of the claim.

    Raises:
        ProofError: the proof is damaged, or does not prove the claim.
        OSError: the proof cannot be read.
    """
    with ProofFile(path) as proof:
        board, root = proof.board.copy(), proof.roots[claim]
        record = Record.from_board(board)
        if proof.claims[claim].goal == HOLDS:
            colour = Message("black" if proof.claims[claim].side == BLACK else "white")
            record.headers["event"] = say("proof.record.holds", language, colour=colour)
        start = record.main_line()[-1] if board.moves else record.root
        checker = Checker(board, proof.claims[claim], proof.node, on_position)
        own, other = checker.fives()
        # This fills the checker's cache, so that the plies of each reply cost little below.
        checker.check(root)
        tree = _Tree(proof, board, checker, proof.claims[claim], language)
        if board.turn == proof.claims[claim].side:
            waiting: deque[_OpenPosition] = deque([(start, (root, 0), own, other)])
        else:
            waiting = deque(tree.add_replies(start, root, own, other))
        moves = len(waiting)
        while waiting and moves < most:
            position = waiting.popleft()
            children = tree.extend(*position)
            waiting.extend(children)
            moves += 1 + len(children)
        for node, *_ in waiting:
            node.comment = "\n".join(filter(None, (node.comment, say("proof.record.cut", language))))
        return record


_OpenPosition = tuple[Node, Ref, Points, Points]
"""A position with the side to move: its node in the record, that in the proof, and two sets of points.

All fives of the side's are among the first, all of the enemy's among the second; see `MoveThreats`.
"""


class _Tree:
    """The tree of a record, to which moves of a proof are added."""

    def __init__(
        self, proof: ProofFile, board: Board, checker: Checker, claim: Claim, language: str
    ) -> None:
        self._proof, self._board, self._checker = proof, board, checker
        self._language, self._root_ply = language, board.ply
        self._side, self._enemy, self._holds = claim.side, opponent(claim.side), claim.goal == HOLDS
        self._grid = axes(board.width, board.height)
        self._symmetries = symmetries(board.width, board.height)
        self._products = products(board.width, board.height)

    def add_replies(self, start: Node, root: int, own: Points, other: Points) -> list[_OpenPosition]:
        """Add the replies at the root, the other side to move; return the positions after them."""
        return self._add_below(start, (root, 0), self._checker.threats_faced(own, other))

    def extend(self, parent: Node, ref: Ref, own: Points, other: Points) -> list[_OpenPosition]:
        """Add the side's move and the replies to it; return the positions after them."""
        board = self._board
        for point in parent.path()[self._root_ply :]:
            board.push(point)
        node, symmetry = self._proof.node(ref[0]), self._symmetries[ref[1]]
        point = PASS if node.point == PASS else symmetry[node.point]
        move = parent.add(point)
        positions = self._add_below(move, ref, self._checker.play_move(point, own, other))
        while board.ply > self._root_ply:
            board.pop()
        return positions

    def _add_below(self, move: Node, ref: Ref, after: MoveThreats | None) -> list[_OpenPosition]:
        """Add the replies to a move of the side's; return the positions after them."""
        node, symmetry = self._proof.node(ref[0]), self._symmetries[ref[1]]
        pairs = [(symmetry[first], symmetry[second]) for first, second in node.pairs]
        if self._board.outcome() is None and self._checker.holds_by_pairs(pairs):
            names = (f"{self._board.name(first)}-{self._board.name(second)}" for first, second in pairs)
            key = "proof.record.pairs" if pairs else "proof.record.shut"
            values = {
                "colour": Message("black" if self._enemy == BLACK else "white"),
                "pairs": " ".join(names),
            }
            move.comment = say(key, self._language, **values)
            return []
        if after is None:
            return []
        groups = self._group_replies(ref, after)
        if not groups:
            self._add_end(move, after)
        return [
            self._add_reply(move, answer, replies, after)
            for answer, replies in sorted(groups.items(), key=lambda item: -max(item[1])[0])
        ]

    def _group_replies(self, ref: Ref, after: MoveThreats) -> dict[Ref, list[tuple[int, Point]]]:
        """Group the replies that need an answer, with the plies that each holds out, by answer."""
        node, symmetry = self._proof.node(ref[0]), self._symmetries[ref[1]]
        groups: dict[Ref, list[tuple[int, Point]]] = {}
        answers = {PASS if p == PASS else symmetry[p]: answer for p, answer in node.replies.items()}
        for reply in after.replies:
            target = answers.get(reply, node.default)
            if target is not None:
                answer = target[0], self._products[ref[1]][target[1]]
                plies = self._checker.check_reply(reply, answer, after)
                if plies > 1 and not self._fives(reply, after):  # otherwise the rules alone answer it
                    groups.setdefault(answer, []).append((plies, reply))
        return groups

    def _add_reply(
        self, move: Node, answer: Ref, replies: list[tuple[int, Point]], after: MoveThreats
    ) -> _OpenPosition:
        """Add the reply of a group that holds out longest."""
        board = self._board
        plies, reply = max(replies)
        answered = move.add(reply)
        comment = [] if self._holds else [say("proof.record.moves", self._language, moves=plies // 2)]
        if len(replies) > 1:
            comment.append(say("proof.record.alike", self._language, count=len(replies) - 1))
        answered.comment = "\n".join(comment)
        other = after.other
        if reply != PASS:
            board.push(reply)
            cells = board.position
            other = (*other, *five_points_beside(board.rules, cells, self._grid, reply, self._enemy))
            board.pop()
        return answered, answer, after.own, other

    def _add_end(self, move: Node, after: MoveThreats) -> None:
        """Add any reply, with the five that wins after it; for a side that only holds, the reply alone."""
        legal = self._board.legal_points()
        reply = next((five for five in after.fives if five in legal), legal[0])
        for five in self._fives(reply, after)[:1]:
            move.add(reply).add(five)
        if self._holds:
            move.add(reply)

    def _fives(self, reply: Point, after: MoveThreats) -> list[Point]:
        """Return the points where the side completes a five after a reply."""
        board = self._board
        board.push(reply)
        points = after.fives if board.outcome() is None else ()
        fives = five_points(board.rules, board.position, self._grid, points, self._side)
        board.pop()
        return fives
