"""Proof-number search for wins that begin with quiet moves, with wins by threats at its leaves.

A position with the attacker to move (an OR node) is won if it wins by fours and threes
(`tengen.solver.threats.vct`), or if it has a move after which every reply leaves a won position (an AND
node). All legal replies count. Of the attacker's moves only the engine's best few are candidates, and of
these only such as would win by threats if the defender passed. Where those fail, or there are none, as in
an opening, the settings may allow moves that threaten nothing: the best first, and the next once it has
failed. A win found is real; where none is found, there may still be one.

The search expands the node from which a win seems to need the fewest more (L. V. Allis, M. van der Meulen
and H. J. van den Herik, "Proof-number search", Artificial Intelligence 66, 1994). L. V. Allis proved in
this way that Black wins freestyle gomoku on 15x15 ("Searching for solutions in games and artificial
intelligence", 1994). Nodes are expanded in tasks (`tengen.solver.threats.quiet_moves`), several at a time,
and the expansions are kept in a file (`tengen.solver.threats.quiet_file`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from tengen.executors import Caller, submit_ahead
from tengen.game.board import Board
from tengen.game.points import Point
from tengen.game.symmetry import Symmetry, canonical, inverse
from tengen.solver.limits import NEVER
from tengen.solver.threats.quiet_file import append_expansion, read_expansions
from tengen.solver.threats.quiet_moves import CandidateSettings, Expansion, QuietMove, expand

_LATE_PROOF = 30
"""Proof number of a leaf whose candidates have failed so far: a further candidate is a poor prospect."""

_POLL_SECONDS = 0.2
"""Seconds between two checks of the stop event."""


@dataclass(slots=True, eq=False)
class _AndNode:
    """A position with the defender to move, after a candidate.

    Attributes:
        move: the candidate, with its open replies.
        parent: the position before it.
        replies: the positions after the open replies.
        proof: proof number.
        disproof: disproof number.
    """

    move: QuietMove
    parent: _OrNode
    replies: list[_OrNode] = field(default_factory=list)
    proof: int = 1
    disproof: int = 1

    def update(self) -> None:
        """Compute both numbers from the children."""
        self.proof = min(sum(child.proof for child in self.replies), NEVER)
        self.disproof = min((child.disproof for child in self.replies), default=NEVER)


@dataclass(slots=True, eq=False)
class _OrNode:
    """A position with the attacker to move that is not known to be won by threats.

    Attributes:
        moves: the moves from the root.
        key: the `canonical` key, equal for symmetric positions.
        symmetry: the symmetry that maps the position to that of the key.
        parents: the nodes before it; the graph has transpositions.
        candidates: the children, as far as it has been expanded.
        more: whether it may be expanded (again) if all candidates fail.
        pending: whether it is being expanded.
        proof: proof number.
        disproof: disproof number.
    """

    moves: tuple[Point, ...]
    key: bytes
    symmetry: Symmetry
    parents: list[_AndNode] = field(default_factory=list)
    candidates: list[_AndNode] = field(default_factory=list)
    more: bool = True
    pending: bool = False
    proof: int = 1
    disproof: int = 1

    @property
    def leaf(self) -> bool:
        """True if it has to be expanded, be it for another candidate."""
        return self.more and all(child.proof >= NEVER for child in self.candidates)

    def update(self) -> bool:
        """Compute both numbers from the children; return whether one has changed."""
        before = self.proof, self.disproof
        if self.leaf:
            # A pending leaf must not be selected again.
            self.proof, self.disproof = _LATE_PROOF if self.candidates else 1, NEVER if self.pending else 1
        else:
            self.proof = min((child.proof for child in self.candidates), default=NEVER)
            disproofs = [child.disproof for child in self.candidates]
            self.disproof = _sum_of_disproofs(disproofs) if self.proof else NEVER
        return before != (self.proof, self.disproof)


def _sum_of_disproofs(numbers: Sequence[int]) -> int:
    """Sum the disproof numbers, the infinite ones left out unless all are."""
    finite = [number for number in numbers if number < NEVER]
    return min(sum(finite), NEVER - 1) if finite or not numbers else NEVER


class QuietWinSearch:
    """The search for one win.

    Args:
        board: the position, the attacker to move.
        settings: the candidates of each position.
        file: where expansions are kept, to continue from; None for nowhere.

    Attributes:
        expanded: positions expanded, those read from the file included.
        nodes: nodes spent by the tasks.

    Raises:
        FileError: the file cannot be read or written, or belongs to another search.
    """

    def __init__(self, board: Board, settings: CandidateSettings, file: Path | None = None) -> None:
        self._board, self._settings, self._file = board.copy(), settings, file
        self._nodes_by_key: dict[bytes, _OrNode] = {}
        self._root = self._node(())
        self._kept = {} if file is None else read_expansions(file, board, settings)
        self.expanded = self.nodes = 0

    @property
    def open(self) -> int:
        """The root's proof number: 0 for a win, `NEVER` if the candidates cannot win."""
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
        on_progress: Callable[[], None],
    ) -> bool | None:
        """Search until the root is proven or disproven.

        Args:
            caller: runs the tasks.
            slots: number of tasks at a time.
            stop: ends the search when set.
            most_nodes: nodes that the tasks may spend; None for any number.
            on_progress: called several times a second.

        Returns:
            Whether there is a win; None if undecided. False says only that the candidates do not win.

        Raises:
            FileError: an expansion cannot be written.
        """

        def next_leaf() -> _OrNode | None:
            while (node := self._most_proving()) is not None:
                kept = self._kept.get(node.key)
                if not kept:
                    return node
                self._add(node, kept.pop(0).mapped(inverse(node.symmetry)))
            return None

        def submit(node: _OrNode) -> Future[Expansion]:
            node.pending = True
            self._update_ancestors(node)
            failed = [child.move.point for child in node.candidates]
            return caller.submit(expand, self._after(node.moves), self._settings, failed)

        def over() -> bool:
            return self._over or stop.is_set() or (most_nodes is not None and self.nodes >= most_nodes)

        try:
            finished = submit_ahead(
                next_leaf, submit, lambda: slots, over=over, tick=on_progress, pause=_POLL_SECONDS
            )
            with closing(finished):
                for node, future in finished:
                    expansion = future.result()
                    self.nodes += expansion.nodes
                    if self._file is not None:
                        append_expansion(self._file, node.key, expansion.mapped(node.symmetry))
                    self._add(node, expansion)
        finally:
            on_progress()
        return self._root.proof == 0 if self._over else None

    def winning_moves(self) -> dict[bytes, QuietMove]:
        """Return the moves of the win by `canonical` key of the position, as its symmetry maps them."""
        moves: dict[bytes, QuietMove] = {}
        waiting = [self._root]
        while waiting:
            node = waiting.pop()
            if node.key not in moves:
                winner = next(child for child in node.candidates if child.proof == 0)
                moves[node.key] = winner.move.mapped(node.symmetry)
                waiting += winner.replies
        return moves

    def _most_proving(self) -> _OrNode | None:
        """Return the most-proving leaf; None if every one is pending, or the search is over."""
        if self._over:
            return None
        node = self._root
        while not node.leaf:
            undecided = [
                child for child in node.candidates if child.disproof < NEVER and child.proof < NEVER
            ]
            if not undecided:
                return None
            child = min(undecided, key=lambda child: child.proof)
            node = min(child.replies, key=lambda reply: reply.disproof)
        return None if node.pending else node

    def _add(self, node: _OrNode, expansion: Expansion) -> None:
        """Add the children of an expansion to a node."""
        self.expanded += not node.candidates
        node.pending, node.more = False, expansion.more
        for move in expansion.moves:
            child = _AndNode(move, node)
            for reply in move.replies:
                grandchild = self._node((*node.moves, move.point, reply))
                if grandchild not in child.replies:  # symmetric replies share a node
                    grandchild.parents.append(child)
                    child.replies.append(grandchild)
            child.update()
            node.candidates.append(child)
        self._update_ancestors(node)

    def _update_ancestors(self, node: _OrNode) -> None:
        """Update a node, and all nodes above it as far as a number changes."""
        waiting = [node]
        while waiting:
            node = waiting.pop()
            if node.update():
                for parent in node.parents:
                    parent.update()
                    waiting.append(parent.parent)

    def _after(self, moves: Iterable[Point]) -> Board:
        board = self._board.copy()
        for point in moves:
            board.push(point)
        return board

    def _node(self, moves: tuple[Point, ...]) -> _OrNode:
        """Return the node of the position after some moves; symmetric positions share one."""
        key, symmetry = canonical(self._after(moves))
        return self._nodes_by_key.setdefault(key, _OrNode(moves, key, symmetry))
