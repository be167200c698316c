"""Output of ``tengen prove`` and ``tengen verify``: messages and JSON-ready data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tengen.formats import describe
from tengen.formats.rules_text import name_of_rules
from tengen.game.notation import format_moves
from tengen.game.points import BLACK, WHITE, Colour
from tengen.schemas.points import COLOURS
from tengen.words import Message

if TYPE_CHECKING:
    from tengen.game.board import Board
    from tengen.solver.proofs.prove import ProofResult
    from tengen.solver.proofs.verify import Verdict


def written_message(verdict: Verdict, file: str, size: int) -> Message:
    """Return the message about a written proof."""
    values = {"file": file, "size": size, **_values(verdict)}
    return Message(f"prove.written{_kind(verdict)}", values)


def unwritten_message(done: ProofResult, claim: str, side: Colour, why: Message) -> Message:
    """Return the reason why nothing was written, if the exact value was requested.

    Args:
        done: the results.
        claim: ``"win"``, ``"hold"`` or ``"draw"``.
        side: the side of the claim; ignored for a draw.
        why: the reason for the end of the search.
    """
    colour = describe.colour(side)
    if claim == "win" and done.winner == side:
        return Message("prove.unwritten", {"colour": colour, "why": why})
    if done.winner is not None:
        return Message(
            "prove.exact.wins", {"colour": describe.colour(done.winner), "name": COLOURS[done.winner]}
        )
    if not done.proven:
        return Message("prove.exact.open", {"why": why})
    if claim == "win":
        return Message("prove.exact.none", {"colour": colour})
    kind = "draw" if claim == "draw" else "holds"
    return Message(f"prove.unwritten.{kind}", {"colour": colour, "why": why})


def verdict_messages(verdict: Verdict) -> list[Message]:
    """Return what a file proves as messages."""
    board, kind = verdict.board, _kind(verdict)
    if kind != ".draw" and _side(verdict) != board.turn:
        kind += ".waiting"
    lines = [
        Message(f"verify.proven{kind}", _values(verdict)),
        Message("verify.rules", {"rules": name_of_rules(board.rules)}),
    ]
    setup = board.setup
    if setup is not None and (setup.stones(BLACK) or setup.stones(WHITE)):
        stones: dict[str, str] = {
            name: " ".join(_points(setup, colour)) for colour, name in COLOURS.items()
        }
        lines.append(Message("verify.setup", stones))
    if board.moves or setup is None:
        lines.append(Message("verify.moves", {"moves": format_moves(board.moves, board.width)}))
    return [*lines, Message("verify.positions", {"positions": verdict.positions})]


def _kind(verdict: Verdict) -> str:
    """Return the suffix of message keys for this kind of proof."""
    return "" if verdict.winner is not None else ".draw" if len(verdict.holds) > 1 else ".holds"


def _side(verdict: Verdict) -> Colour:
    """Return the side that a proof is about, unless it proves a draw."""
    return verdict.holds[0] if verdict.winner is None else verdict.winner


def _values(verdict: Verdict) -> dict[str, object]:
    """Return the values for messages about a verdict."""
    values: dict[str, object] = {"positions": verdict.positions}
    if len(verdict.holds) < 2:
        values["colour"] = describe.colour(_side(verdict))
    if verdict.winner is not None:
        values["moves"] = (verdict.depth + 1) // 2
    return values


def _points(board: Board, colour: Colour) -> list[str]:
    return [board.name(point) for point in board.stones(colour)]
