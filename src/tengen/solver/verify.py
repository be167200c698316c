"""Checks a proof of a win, move by move, by the rules of `tengen.game` and nothing else.

The winner's move of each node is played. Then every reply that the rules allow is played, too, and answered
by what the node names for it, down to the end of the game. Three things are concluded from the rules alone:

- a reply loses if the winner can complete a five at once, which is always legal; where a five could be
  completed before, the replies that leave it as it is need not even be played;
- a reply that is a foul loses, where it may be played; where fouls are claimed, the winner claims it;
- the winner's move does not win if the loser can complete a five at once.

Stones are only added, so this ends. No trust is put in the file: what it leaves out, or answers wrongly,
fails; what it says besides is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

from tengen.game.board import Board
from tengen.game.errors import IllegalMove
from tengen.game.points import BLACK, EMPTY, PASS, WHITE, Colour, Point, axes, opponent
from tengen.game.rows import ends, five_points, five_points_beside
from tengen.game.symmetry import products, symmetries
from tengen.solver.proof_file import Node, ProofError, ProofFile, Ref, Unproven

Points: TypeAlias = "tuple[Point, ...]"

_KNOWN = 1 << 18
"""Positions that are remembered, so that they are not checked again."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What has been proven.

    Attributes:
        board: the position.
        winner: who wins it.
        depth: plies until the five at most, the five included.
        positions: how many were reached by a move of either side.
    """

    board: Board
    winner: Colour
    depth: int
    positions: int


class Attack(NamedTuple):
    """What a move of the winner's leads to."""

    fives: Points  # where the winner completes a five next
    replies: Points  # those that have to be answered
    own: Points  # among which all fives of the winner's are, until it adds a stone
    other: Points  # and the loser's


class Checker:
    """Plays through nodes on a board.

    Args:
        board: the position, the winner to move; moves are played on it and taken back, those that lead to
            a failure excepted.
        nodes: gives the node that begins at a place.
        heard: called with the number of positions each time one is reached; what it raises ends the check.
    """

    def __init__(self, board: Board, nodes: Callable[[int], Node], heard: Callable[[int], None]) -> None:
        self._board, self._nodes, self._heard = board, nodes, heard
        self._winner, self._loser = board.turn, opponent(board.turn)
        self._rules, self._begun = board.rules, board.ply
        self._grid = axes(board.width, board.height)
        # A pass, -1, is the last entry of a map and stays one.
        self._maps = [(*turn, PASS) for turn in symmetries(board.width, board.height)]
        self._products = products(board.width, board.height)
        self._known: dict[tuple[int, int, bytes], int] = {}
        self.positions = 0

    def fives(self) -> tuple[Points, ...]:
        """Where the winner completes a five, and where the loser does."""
        cells, empty, both = self._board.position, self._board.stones(EMPTY), (self._winner, self._loser)
        return tuple(tuple(five_points(self._rules, cells, self._grid, empty, colour)) for colour in both)

    def won(self, ref: Ref, own: Points, other: Points) -> int:
        """The plies to the five, at most, if the winner moves as a node says; see `Attack` for the points.

        Raises:
            Unproven: it does not win.
        """
        offset, turn = ref
        key = offset, turn, self._board.position
        if known := self._known.get(key):
            return known
        node, turned, product = self._nodes(offset), self._maps[turn], self._products[turn]
        after = self.attack(turned[node.point], own, other)
        plies = 3 if after and after.fives else 1
        if after and after.replies:
            answers = {turned[reply]: answer for reply, answer in node.replies.items()}
            for reply in after.replies:
                found = answers.get(reply, node.default)
                answer = found and (found[0], product[found[1]])
                plies = max(plies, 1 + self.refuted(reply, answer, after))
        self._board.pop()
        if node.default or node.replies:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            self._known[key] = plies
        return plies

    def attack(self, point: Point, own: Points, other: Points) -> Attack | None:
        """Play the winner's move: what that leads to; None where it has won. Or raises, as `won`."""
        board = self._board
        self._play(point)
        outcome, cells = board.outcome(), board.position
        if outcome is not None and outcome.winner == self._winner:
            return None
        # Who passes makes no progress, and so a winner never has to.
        if outcome is not None or point == PASS or (self._winner == BLACK and board.claimable()):
            raise self._failure("error.proof.ended")
        if five_points(self._rules, cells, self._grid, other, self._loser):
            raise self._failure("error.proof.five")
        own = (*own, *five_points_beside(self._rules, cells, self._grid, point, self._winner))
        fives = tuple(dict.fromkeys(five_points(self._rules, cells, self._grid, own, self._winner)))
        return Attack(fives, tuple(self._replies(fives)), own, other)

    def refuted(self, reply: Point, answer: Ref | None, after: Attack) -> int:
        """The plies to the five, at most, from a reply on, which is counted, with its answer; or raises."""
        board = self._board
        self._play(reply)
        outcome, cells, other = board.outcome(), board.position, after.other
        if (outcome and outcome.winner == self._winner) or (self._winner == WHITE and board.claimable()):
            plies = 1
        elif outcome is not None:
            raise self._failure("error.proof.ended")
        elif five_points(self._rules, cells, self._grid, after.fives, self._winner):
            plies = 2
        elif answer is None:
            raise self._failure("error.proof.unanswered")
        else:
            if reply != PASS:
                other = (*other, *five_points_beside(self._rules, cells, self._grid, reply, self._loser))
            plies = 1 + self.won(answer, after.own, other)
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
        board = self._board
        if not fives:
            return board.legal_points() + ([PASS] if board.is_legal(PASS) else [])
        return [reply for reply in set.intersection(*map(self._stopping, fives)) if board.is_legal(reply)]

    def _stopping(self, five: Point) -> set[Point]:
        """The points where a stone of the loser's may keep the winner from completing a five."""
        if self._rules.blocked_five == "wins":
            return {five}
        cells = self._board.position
        return {five, *(end for axis in self._grid[five] for end in ends(cells, axis, self._winner))}


def verify(path: str | Path, heard: Callable[[int], None] = lambda _: None) -> Verdict:
    """Check a proof.

    Args:
        path: of its file.
        heard: called with the number of positions each time one is reached.

    Raises:
        ProofError: the file is no proof, or damaged; `Unproven`, where it does not prove what it claims.
        OSError: it cannot be read.
    """
    with ProofFile(path) as proof:
        board = proof.board.copy()
        claimed = proof.winner == BLACK and board.claimable()
        if board.outcome() or board.turn != proof.winner or claimed:
            raise ProofError("error.proof.turn")
        checker = Checker(board, proof.node, heard)
        try:
            depth = checker.won((proof.root, 0), *checker.fives())
        except RecursionError as error:
            raise ProofError("error.proof.deep") from error
        return Verdict(proof.board, proof.winner, depth, checker.positions)
