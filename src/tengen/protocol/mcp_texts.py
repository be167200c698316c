"""The results of MCP tools as readable text."""

from __future__ import annotations

from collections.abc import Iterator

from tengen.formats import describe
from tengen.game.board import Board
from tengen.game.player import Choice
from tengen.game.points import Colour
from tengen.queries.query_queue import Query
from tengen.queries.search import QueryResult
from tengen.solver.proofs.verify import Verdict
from tengen.solver.results import Exact, Solution
from tengen.study.puzzle_attempt import PuzzleAttempt
from tengen.words import Message

_SHOWN_POLICY = 5
"""Moves whose probability is shown."""

_VALUES = {1: "mcp.exact.win", 0: "mcp.exact.draw", -1: "mcp.exact.loss"}
"""The sentences about exact values."""


def position(board: Board) -> Message:
    """Return the rules, the size and the side to move of a position."""
    rules = board.rules
    values = {"rules": rules.name, "size": rules.size_text, "colour": describe.colour(board.turn)}
    return Message("mcp.position", values)


def analysis(query: Query, found: QueryResult) -> Iterator[Message]:
    """Yield the best moves of a position, and what was asked for besides."""
    board, static = query.board, found.static
    yield position(board)
    for number, info in enumerate(found.infos, 1):
        score = info.score
        values = {
            "number": number,
            "point": board.name(info.point),
            "chance": f"{100 * score.win_rate:.1f}",
            "depth": info.depth,
            "line": describe.row(board, info.line),
            "plies": abs(score.mate or 0),
        }
        if score.mate is None:
            yield Message("mcp.move", values)
        else:
            yield Message("mcp.move.win" if score.mate > 0 else "mcp.move.loss", values)
    if static.evaluation is not None:
        yield Message("mcp.evaluation", {"chance": f"{100 * static.evaluation.win_rate:.1f}"})
    if static.policy:
        best = sorted(static.policy.items(), key=lambda item: -item[1])[:_SHOWN_POLICY]
        moves = tuple(f"{name} {100 * chance:.0f}%" for name, chance in best)
        yield Message("mcp.policy", {"moves": moves})
    for colour, threats in (static.threats or {}).items():
        for threat in threats:
            values = {"kind": threat.kind, "points": threat.points, "gains": threat.gains}
            yield Message("mcp.threat", {**values, "colour": Message(colour)})


def forced_win(board: Board, found: Solution, attacker: Colour) -> Iterator[Message]:
    """Yield the result of a search for a forced win."""
    values = {"colour": describe.colour(attacker), "nodes": found.nodes}
    if found.winner is not None:
        line = describe.row(board, found.line)
        yield Message("mcp.win.found", {**values, "plies": found.length, "line": line})
    else:
        yield Message("mcp.win.none" if found.proven else "mcp.win.open", values)


def fouls(board: Board) -> Iterator[Message]:
    """Yield the points forbidden to Black, each with its foul."""
    found = board.fouls()
    if not found:
        yield Message("mcp.fouls.none")
    for point, foul in found.items():
        yield describe.foul(board, point, foul)


def puzzle(attempt: PuzzleAttempt) -> Iterator[Message]:
    """Yield the task of a puzzle."""
    yield Message("mcp.puzzle", {"name": attempt.puzzle.name, "level": attempt.puzzle.level})
    yield position(attempt.board)
    yield attempt.question


def judgement(attempt: PuzzleAttempt, reason: Message | None) -> Iterator[Message]:
    """Yield the judgement of a player's moves."""
    if reason is not None:
        yield reason
    elif attempt.solved:
        yield Message("mcp.puzzle.solved")
    else:
        yield Message("mcp.puzzle.right")
        yield attempt.question


def exact(board: Board, found: Exact) -> Iterator[Message]:
    """Yield the exact value of a position."""
    values = {
        "colour": describe.colour(board.turn),
        "positions": found.positions,
        "plies": found.distance or 0,
        "points": tuple(map(board.name, found.best)),
    }
    if found.value is None:
        yield Message("mcp.exact.open", values)
        return
    yield Message(_VALUES[found.value], values)
    if found.best:
        yield Message("mcp.exact.best", values)


def verdict(found: Verdict) -> Iterator[Message]:
    """Yield what a proof proves."""
    yield position(found.board)
    if found.winner is not None:
        values = {"colour": describe.colour(found.winner), "plies": found.depth}
        yield Message("mcp.proof.win", values)
    for side in found.holds:
        yield Message("mcp.proof.holds", {"colour": describe.colour(side)})
    yield Message("mcp.proof.positions", {"positions": found.positions})


def played(after: Board, player: str, choice: Choice) -> Iterator[Message]:
    """Yield a move that a player has made, and the end of the game if it was the last."""
    yield Message("mcp.played", {"player": player, "point": after.name(choice.point)})
    outcome = after.outcome()
    if outcome is not None:
        yield describe.outcome(after, outcome)
