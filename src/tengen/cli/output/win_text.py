"""Output of forced wins, winning first moves, and defences: messages and JSON-ready data."""

from __future__ import annotations

from collections.abc import Iterator

from tengen.formats.describe import colour, row
from tengen.game.board import Board
from tengen.game.points import Colour, Point
from tengen.solver.results import Defences, Solution, WinningPoints
from tengen.words import Message


def none_key(threats: str, proven: bool) -> str:
    """Return the message key for no win by a set of threats, or for none found within the limits."""
    if proven:
        return {"fours": "solve.vcf.none", "threes": "solve.vct.none", "any": "solve.any.none"}[threats]
    return {"fours": "solve.vcf.open", "threes": "solve.vct.open", "any": "solve.any.open"}[threats]


def win_messages(
    board: Board, found: Solution, attacker: Colour, threats: str, shortest: bool, why: Message
) -> list[Message]:
    """Return the messages about a search for a win.

    Args:
        board: the position.
        found: the result.
        attacker: the attacking side.
        threats: the set of threats.
        shortest: whether the shortest win was requested.
        why: the reason for the end of a search without a complete answer.
    """
    values: dict[str, object] = {"colour": colour(attacker), "nodes": found.nodes, "why": why}
    if found.winner is None:
        drawn = {"line": row(board, found.if_fouls_lose)} if found.if_fouls_lose else None
        return [
            Message(none_key(threats, found.proven), values),
            *([Message("solve.if_fouls_lose", drawn)] if drawn else []),
        ]
    values |= {"fours": found.fours, "moves": (found.length + 1) // 2, "line": row(board, found.line)}
    if found.shortest and threats != "fours":
        return [Message("solve.vct.shortest", values)]
    key = "solve.vcf.win" if threats == "fours" else "solve.vct.win"
    longer = shortest and not found.shortest
    return [Message(key, values), *([Message("solve.vct.longer", {"why": why})] if longer else [])]


def point_messages(board: Board, found: WinningPoints, why: Message) -> Iterator[Message]:
    """Yield the messages about winning first moves; `why` is as for `win_messages`."""
    attacker = colour(found.attacker)
    if found.points:
        yield Message("solve.all.some", {"colour": attacker, "points": row(board, found.points)})
    elif found.proven:
        yield Message("solve.all.none", {"colour": attacker})
    if found.if_fouls_lose:
        yield Message("solve.all.if_fouls_lose", {"points": row(board, found.if_fouls_lose)})
    yield from _open_messages(board, found.open, why)


def defence_messages(board: Board, found: Defences, attacker: Colour, why: Message) -> Iterator[Message]:
    """Yield the messages about defences; `why` is as for `win_messages`."""
    values = {"colour": colour(attacker), "why": why}
    if found.win.winner is None:
        yield Message(f"solve.defences.{'needless' if found.win.proven else 'unknown'}", values)
    elif found.stops:
        yield Message("solve.defences.some", values | {"points": row(board, found.stops)})
    elif found.proven:
        yield Message("solve.defences.none", values)
    if found.if_fouls_lose:
        yield Message("solve.defences.if_fouls_lose", {"points": row(board, found.if_fouls_lose)})
    yield from _open_messages(board, found.open, why)


def _open_messages(board: Board, points: tuple[Point, ...], why: Message) -> Iterator[Message]:
    if points:
        values = {"count": len(points), "points": row(board, points), "why": why}
        yield Message("solve.points_open", values)
