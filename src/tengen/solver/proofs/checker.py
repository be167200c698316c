"""Plays through a proof, move by move, by the rules of `tengen.game` and nothing else.

The move of each node is played. Then every reply that the rules allow is played, too, and answered by what
the node names for it, down to the end of the game. Some things are concluded from the rules alone:

- a reply loses if the side can complete a five at once, which is always legal; where a five could be
  completed before, the replies that leave it as it is need not even be played;
- a reply that is a foul loses, where it may be played; where fouls are claimed, the side claims it;
- a move of the side's is no good if the enemy can complete a five at once;
- who is only to hold does so where each k points in a row without a stone of his have two free points that
  are a pair of the node's, no point being in two pairs: when the enemy takes one, he takes the other (A. W.
  Hales and R. I. Jewett 1963). Not so for Black where there are fouls: he might have to make one.

Stones are only added, and two passes end a game, so this ends. No trust is put in the file: what it leaves
out, or answers wrongly, fails; what it says besides is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from tengen.game.board import Board
from tengen.game.errors import IllegalMove
from tengen.game.points import BLACK, EMPTY, PASS, WHITE, Point, axes, opponent
from tengen.game.rows import ends, five_points, five_points_beside, windows
from tengen.game.symmetry import products, symmetries
from tengen.solver.proofs.file import HOLDS, Claim, ProofNode, Ref, Unproven

Points: TypeAlias = "tuple[Point, ...]"

_KNOWN = 1 << 18
"""Positions that are remembered, so that they are not checked again."""


class MoveThreats(NamedTuple):
    """What a move of the side's leads to."""

    fives: Points  # where the side completes a five next
    replies: Points  # those that have to be answered
    own: Points  # among which all fives of the side's are, until it adds a stone
    other: Points  # and the enemy's


class Checker:
    """Plays through nodes on a board.

    Args:
        board: the position; moves are played on it and taken back, those that lead to a failure excepted.
        claim: what is to be proven; `tengen.solver.proofs.verify.claimable`.
        nodes: gives the node that begins at a place.
        heard: called with the number of positions each time one is reached; what it raises ends the check.
    """

    def __init__(
        self, board: Board, claim: Claim, nodes: Callable[[int], ProofNode], heard: Callable[[int], None]
    ) -> None:
        self._board, self._nodes, self._heard = board, nodes, heard
        self._side, self._enemy, self._holds = claim.side, opponent(claim.side), claim.goal == HOLDS
        self._ended = "error.proof.lost" if self._holds else "error.proof.ended"
        self._rules, self._begun, size = board.rules, board.ply, (board.width, board.height)
        self._grid, mine = axes(*size), set(board.stones(claim.side))
        self._rows = [frozenset(row) for row in windows(*size, board.rules.k) if mine.isdisjoint(row)]
        # A pass, -1, is the last entry of a map and stays one.
        self._maps = [(*turn, PASS) for turn in symmetries(*size)]
        self._products = products(*size)
        self._known: dict[tuple[int, int, bytes, bool], int] = {}
        self.positions = 0

    def proven(self, root: int) -> int:
        """The plies until the claim is settled, at most, from the board as it is; see `settled`."""
        own, other = self.fives()
        if self._board.turn == self._side:
            return self.settled((root, 0), own, other)
        node = self._nodes(root)
        after = None if self.paired(node.pairs) else self.faced(own, other)
        return self._answered(node, 0, after) - 1

    def fives(self) -> tuple[Points, ...]:
        """Where the side completes a five, and where the enemy does."""
        cells, empty, both = self._board.position, self._board.stones(EMPTY), (self._side, self._enemy)
        return tuple(tuple(five_points(self._rules, cells, self._grid, empty, colour)) for colour in both)

    def settled(self, ref: Ref, own: Points, other: Points) -> int:
        """The plies until the claim is settled, at most, if the side moves as a node says.

        The points are as in `MoveThreats`.

        Raises:
            Unproven: it is not.
        """
        offset, turn = ref
        key = offset, turn, self._board.position, self._board.last == PASS
        if known := self._known.get(key):
            return known
        node, map_ = self._nodes(offset), self._maps[turn]
        after = self.attack(map_[node.point], own, other)
        if after and node.pairs and self.paired([(map_[a], map_[b]) for a, b in node.pairs]):
            after = None
        plies = self._answered(node, turn, after)
        self._board.pop()
        if node.default or node.replies:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            self._known[key] = plies
        return plies

    def _answered(self, node: ProofNode, turn: int, after: MoveThreats | None) -> int:
        """The plies from the side's move on, which is counted, with a node's answers to the replies."""
        plies = 3 if after and after.fives else 1
        if after and after.replies:
            map_, product = self._maps[turn], self._products[turn]
            answers = {map_[reply]: answer for reply, answer in node.replies.items()}
            for reply in after.replies:
                found = answers.get(reply, node.default)
                answer = found and (found[0], product[found[1]])
                plies = max(plies, 1 + self.refuted(reply, answer, after))
        return plies

    def attack(self, point: Point, own: Points, other: Points) -> MoveThreats | None:
        """Play the side's move: what it leads to; None where that settles it. Or raises, as `settled`."""
        board = self._board
        self._play(point)
        outcome = board.outcome()
        if outcome is not None and outcome.winner == self._side:
            return None
        held = self._holds and (outcome.winner is None if outcome else self.paired(()))
        # Who passes makes no progress, and so a winner never has to.
        over = outcome is not None or (point == PASS and not self._holds)
        if (over and not held) or (self._side == BLACK and board.claimable()):
            raise self._failure(self._ended)
        if held:
            return None
        if point != PASS:
            own = *own, *five_points_beside(self._rules, board.position, self._grid, point, self._side)
        return self.faced(own, other)

    def faced(self, own: Points, other: Points) -> MoveThreats:
        """What the enemy, to move, can do; see `MoveThreats`. Or raises, as `settled`."""
        cells = self._board.position
        if five_points(self._rules, cells, self._grid, other, self._enemy):
            raise self._failure("error.proof.row" if self._holds else "error.proof.five")
        fives = tuple(dict.fromkeys(five_points(self._rules, cells, self._grid, own, self._side)))
        return MoveThreats(fives, tuple(self._replies(fives)), own, other)

    def paired(self, pairs: Iterable[tuple[Point, Point]]) -> bool:
        """Whether pairs of free points show that the side holds, the enemy to move; see above."""
        if not self._holds or (self._side == BLACK and self._rules.has_fouls):
            return False
        cells, mine = self._board.position, set(self._board.stones(self._side))
        free = [{*pair} for pair in pairs if all(cells[point] == EMPTY for point in pair)]
        if len(set().union(*free)) < 2 * len(free):
            return False
        return all(not row.isdisjoint(mine) or any(pair <= row for pair in free) for row in self._rows)

    def refuted(self, reply: Point, answer: Ref | None, after: MoveThreats) -> int:
        """The plies until the claim is settled, at most, from a reply on, which is counted; or raises."""
        board = self._board
        self._play(reply)
        outcome, cells, other = board.outcome(), board.position, after.other
        good = self._side, None if self._holds else self._side
        if (outcome and outcome.winner in good) or (self._side == WHITE and board.claimable()):
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
            plies = 1 + self.settled(answer, after.own, other)
        board.pop()
        return plies

    def _play(self, point: Point) -> None:
        self.positions += 1
        self._heard(self.positions)
        try:
            self._board.push(point)
        except IllegalMove as error:
            raise self._failure("error.proof.illegal", self._board.name(point)) from error

    def _failure(self, reason: str, *more: str) -> Unproven:
        return Unproven(reason, " ".join([*map(self._board.name, self._board.moves[self._begun :]), *more]))

    def _replies(self, fives: Points) -> list[Point]:
        """The legal replies, but for those that leave a five as it is."""
        legal = self._board.is_legal
        if not fives:
            return self._board.legal_points() + ([PASS] if legal(PASS) else [])
        return [reply for reply in set.intersection(*map(self._stopping, fives)) if legal(reply)]

    def _stopping(self, five: Point) -> set[Point]:
        """The points where a stone of the enemy's may keep the side from completing a five."""
        if self._rules.blocked_five == "wins":
            return {five}
        cells = self._board.position
        return {five, *(end for axis in self._grid[five] for end in ends(cells, axis, self._side))}
