"""A checker of proofs, which plays them through by the rules of `tengen.game` and nothing else.

The move of each node is played. Then every legal reply is played, and answered by the node that is named
for it, down to the end of the game. The rules alone decide some cases:

- a reply loses if the side can complete a five at once, which is always legal; where a five could be
  completed before, replies that leave it possible are not even played;
- a reply that is a foul loses, if it may be played; where fouls have to be claimed, the side claims it;
- a move of the side's fails if the enemy can complete a five at once;
- a side that is only to hold does so if each k points in a row without a stone of its own have two free
  points that are a pair of the node's, no point being in two pairs: when the enemy takes one of them, the
  side takes the other (A. W. Hales and R. I. Jewett 1963). This does not apply to Black where there are
  fouls: it might have to make one.

The check terminates because stones are only added, and two passes end a game. The file is not trusted: a
missing or wrong answer fails, and superfluous ones are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from tengen.game.board import Board
from tengen.game.errors import IllegalMove
from tengen.game.fives import fives
from tengen.game.points import BLACK, EMPTY, PASS, WHITE, Point, axes, opponent
from tengen.game.rows import ends, five_points, five_points_beside, windows
from tengen.game.symmetry import products, symmetries
from tengen.solver.proofs.file import HOLDS, Claim, ProofNode, Ref, Unproven

Points: TypeAlias = "tuple[Point, ...]"

_MOST_CACHED = 1 << 18
"""Positions that are cached, so that they are not checked again."""


class MoveThreats(NamedTuple):
    """The threats after a move of the proving side.

    Attributes:
        fives: points where the side completes a five next.
        replies: the enemy's replies that have to be answered.
        own: points among which all fives of the side's are, until it adds a stone.
        other: points among which all fives of the enemy's are, until it adds a stone.
    """

    fives: Points
    replies: Points
    own: Points
    other: Points


class Checker:
    """A check of one claim, which plays its nodes on a board.

    Args:
        board: the position; moves are played on it and taken back, except those that lead to a failure.
        claim: the claim; see `tengen.solver.proofs.verify.claimable`.
        nodes: returns the node at an offset.
        on_position: called with the number of positions each time one is reached; may raise to end the
            check.

    Attributes:
        positions: positions reached.
    """

    def __init__(
        self,
        board: Board,
        claim: Claim,
        nodes: Callable[[int], ProofNode],
        on_position: Callable[[int], None],
    ) -> None:
        self._board, self._nodes, self._on_position = board, nodes, on_position
        self._side, self._enemy, self._holds = claim.side, opponent(claim.side), claim.goal == HOLDS
        self._ended = "error.proof.lost" if self._holds else "error.proof.ended"
        self._rules, self._root_ply, size = board.rules, board.ply, (board.width, board.height)
        self._grid, stones = axes(*size), set(board.stones(claim.side))
        self._rows = [frozenset(row) for row in windows(*size, board.rules.k) if stones.isdisjoint(row)]
        # A pass, -1, is the last entry of a map, which maps it to itself.
        self._maps = [(*symmetry, PASS) for symmetry in symmetries(*size)]
        self._products = products(*size)
        self._cached: dict[tuple[int, int, bytes, bool], int] = {}
        self.positions = 0

    def check(self, root: int) -> int:
        """Check the claim, and return the most plies until it is decided.

        Args:
            root: offset of the root node.

        Raises:
            Unproven: the claim is not proven.
        """
        own, other = self.fives()
        if self._board.turn == self._side:
            return self.check_node((root, 0), own, other)
        node = self._nodes(root)
        after = None if self.holds_by_pairs(node.pairs) else self.threats_faced(own, other)
        return self._check_answers(node, 0, after) - 1

    def fives(self) -> tuple[Points, Points]:
        """Return the points where the side completes a five, and those where the enemy does."""
        return fives(self._board, self._side), fives(self._board, self._enemy)

    def check_node(self, ref: Ref, own: Points, other: Points) -> int:
        """Check a node with the side to move, and return the most plies until the claim is decided.

        Args:
            ref: the node.
            own: points among which all fives of the side's are.
            other: points among which all fives of the enemy's are.

        Raises:
            Unproven: the claim is not proven.
        """
        offset, symmetry = ref
        key = offset, symmetry, self._board.position, self._board.last == PASS
        if known := self._cached.get(key):
            return known
        node, map_ = self._nodes(offset), self._maps[symmetry]
        after = self.play_move(map_[node.point], own, other)
        if after and node.pairs and self.holds_by_pairs([(map_[a], map_[b]) for a, b in node.pairs]):
            after = None
        plies = self._check_answers(node, symmetry, after)
        self._board.pop()
        if node.default or node.replies:
            if len(self._cached) >= _MOST_CACHED:
                self._cached.clear()
            self._cached[key] = plies
        return plies

    def _check_answers(self, node: ProofNode, symmetry: int, after: MoveThreats | None) -> int:
        """Check a node's answers to the replies, and return the most plies, the side's move included."""
        plies = 3 if after and after.fives else 1
        if after and after.replies:
            map_, product = self._maps[symmetry], self._products[symmetry]
            answers = {map_[reply]: answer for reply, answer in node.replies.items()}
            for reply in after.replies:
                ref = answers.get(reply, node.default)
                answer = ref and (ref[0], product[ref[1]])
                plies = max(plies, 1 + self.check_reply(reply, answer, after))
        return plies

    def play_move(self, point: Point, own: Points, other: Points) -> MoveThreats | None:
        """Play the side's move, and leave it on the board.

        Args:
            point: the move.
            own: points among which all fives of the side's are, before the move.
            other: points among which all fives of the enemy's are.

        Returns:
            The threats after it; None if the move decides the claim.

        Raises:
            Unproven: the move fails.
        """
        board = self._board
        self._play(point)
        outcome = board.outcome()
        if outcome is not None and outcome.winner == self._side:
            return None
        held = self._holds and (outcome.winner is None if outcome else self.holds_by_pairs(()))
        # A pass makes no progress, so a winner never needs one.
        over = outcome is not None or (point == PASS and not self._holds)
        if (over and not held) or (self._side == BLACK and board.claimable()):
            raise self._failure(self._ended)
        if held:
            return None
        if point != PASS:
            own = *own, *five_points_beside(self._rules, board.position, self._grid, point, self._side)
        return self.threats_faced(own, other)

    def threats_faced(self, own: Points, other: Points) -> MoveThreats:
        """Return the threats that the enemy, to move, faces; for the points see `MoveThreats`.

        Raises:
            Unproven: the enemy completes a five.
        """
        cells = self._board.position
        if five_points(self._rules, cells, self._grid, other, self._enemy):
            raise self._failure("error.proof.row" if self._holds else "error.proof.five")
        fives = tuple(dict.fromkeys(five_points(self._rules, cells, self._grid, own, self._side)))
        return MoveThreats(fives, tuple(self._replies(fives)), own, other)

    def holds_by_pairs(self, pairs: Iterable[tuple[Point, Point]]) -> bool:
        """Return whether the side holds by pairs of points, the enemy to move."""
        if not self._holds or (self._side == BLACK and self._rules.has_fouls):
            return False
        cells, stones = self._board.position, set(self._board.stones(self._side))
        free = [{*pair} for pair in pairs if all(cells[point] == EMPTY for point in pair)]
        if len(set().union(*free)) < 2 * len(free):
            return False
        return all(not row.isdisjoint(stones) or any(pair <= row for pair in free) for row in self._rows)

    def check_reply(self, reply: Point, answer: Ref | None, after: MoveThreats) -> int:
        """Check the answer to a reply, and return the most plies until the claim is decided.

        Args:
            reply: the reply, which counts as a ply.
            answer: the node that answers it; None if the rules alone do.
            after: the threats before the reply.

        Raises:
            Unproven: the answer fails, or there is none.
        """
        board = self._board
        self._play(reply)
        outcome, cells, other = board.outcome(), board.position, after.other
        accepted = self._side, None if self._holds else self._side
        if (outcome and outcome.winner in accepted) or (self._side == WHITE and board.claimable()):
            plies = 1
        elif outcome is not None:
            raise self._failure(self._ended)
        elif five_points(self._rules, cells, self._grid, after.fives, self._side):
            plies = 2
        elif answer is None:
            raise self._failure("error.proof.unanswered")
        else:
            if reply != PASS:
                other = (*other, *five_points_beside(self._rules, cells, self._grid, reply, self._enemy))
            plies = 1 + self.check_node(answer, after.own, other)
        board.pop()
        return plies

    def _play(self, point: Point) -> None:
        self.positions += 1
        self._on_position(self.positions)
        try:
            self._board.push(point)
        except IllegalMove as error:
            raise self._failure("error.proof.illegal", self._board.name(point)) from error

    def _failure(self, reason: str, *more: str) -> Unproven:
        return Unproven(
            reason, " ".join([*map(self._board.name, self._board.moves[self._root_ply :]), *more])
        )

    def _replies(self, fives: Points) -> list[Point]:
        """Return the legal replies, without those that leave a five possible."""
        legal = self._board.is_legal
        if not fives:
            return self._board.legal_points() + ([PASS] if legal(PASS) else [])
        return [reply for reply in set.intersection(*map(self._stopping, fives)) if legal(reply)]

    def _stopping(self, five: Point) -> set[Point]:
        """Return the points where an enemy stone may keep the side from completing a five."""
        if self._rules.blocked_five == "wins":
            return {five}
        cells = self._board.position
        return {five, *(end for axis in self._grid[five] for end in ends(cells, axis, self._side))}
