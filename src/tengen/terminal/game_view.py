"""The view model of the full-screen game: the content of the board view, and the status text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tengen.formats import describe
from tengen.game.fouls import Foul
from tengen.game.points import BLACK, PASS, Point
from tengen.game.session_view import SessionView
from tengen.terminal import sentences
from tengen.terminal.board_drawing import BoardPicture
from tengen.words import Message, say

HINT_SIGN = "?"


@dataclass(frozen=True, slots=True)
class Looks:
    """Display options of a board.

    Attributes:
        letters: whether stones are shown as X and O.
        numbers: whether move numbers are shown.
        hint: the point of a hint.
        fouls: the points where Black may not play now.
    """

    letters: bool = False
    numbers: bool = False
    hint: Point | None = None
    fouls: Mapping[Point, Foul] = field(default_factory=dict)


def fouls_now(session: SessionView) -> dict[Point, Foul]:
    """Return the fouls that the side to move could make."""
    board = session.board
    return board.fouls() if session.result is None and board.turn == BLACK else {}


def picture(session: SessionView, looks: Looks, cursor: Point | None) -> BoardPicture:
    """Return the content of the board view, with the lines of a foul under the cursor highlighted."""
    board = session.board
    offered = () if session.opening is None else session.opening.offered
    signs = dict.fromkeys(looks.fouls, describe.FOUL_SIGN) | dict.fromkeys(offered, describe.OFFER_SIGN)
    if looks.hint is not None:
        signs[looks.hint] = HINT_SIGN
    return BoardPicture(
        width=board.width,
        position=board.position,
        turn=board.turn if human_places(session) else None,
        last=None if board.last == PASS else board.last,
        signs=signs,
        rows=frozenset(point for line in _lines(session, looks, cursor) for point in line),
        numbers={point: number for number, point in enumerate(board.moves, 1)} if looks.numbers else {},
        letters=looks.letters,
    )


def human_places(session: SessionView) -> bool:
    """Return whether a human is to place a stone."""
    choosing = session.decision is not None and session.decision.options
    return session.actor is not None and not sentences.computer_to_act(session) and not choosing


def status(session: SessionView, looks: Looks, cursor: Point, thinking: Message | None, lang: str) -> str:
    """Return the status text, in one or two sentences.

    Args:
        session: the session.
        looks: the display options, with the current fouls.
        cursor: the point under the cursor.
        thinking: the message shown while a player thinks.
        lang: the language of the text.
    """
    board = session.board
    if session.result is not None:
        verdict = sentences.verdict(session)
        outcome = say(describe.outcome(board, session.result), lang)
        return outcome if verdict is None else f"{say(verdict, lang)}\n{outcome}"
    if thinking is not None:
        return say(thinking, lang)
    asked = Message("app.turn", {"colour": describe.colour(board.turn), "number": board.ply + 1})
    if session.decision is not None and session.actor is not None:
        by_list = bool(session.decision.options)
        question = Message("app.choose") if by_list else describe.question(board, session.decision)
        asked = Message("app.asked", {"who": sentences.who(session, session.actor), "question": question})
    found = looks.fouls.get(cursor)
    here = board.name(cursor) if found is None else say(describe.foul(board, cursor, found), lang)
    return f"{say(asked, lang)}\n{here}"


def _lines(session: SessionView, looks: Looks, cursor: Point | None) -> tuple[tuple[Point, ...], ...]:
    """Return the lines to highlight: those that ended the game, or of the foul under the cursor."""
    result = session.result
    if result is not None:
        return result.lines if result.foul is None else result.foul.lines
    found = None if cursor is None else looks.fouls.get(cursor)
    return () if found is None else found.lines
