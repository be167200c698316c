"""Hints: a strong player's suggestion to a person who is to move and plays alone."""

from __future__ import annotations

from tengen.game.errors import GameOver, NotAllowed
from tengen.game.player import Limit
from tengen.game.rules import Rules
from tengen.game.session_state import HUMAN
from tengen.players.suitable import is_suitable
from tengen.schemas.analysis import ScoreData
from tengen.schemas.game import HintData
from tengen.web.games.game import Game, Sender
from tengen.web.games.move_question import MoveQuestion, PlayerAnswer
from tengen.web.transport.errors import Refused

_NODES = 100_000


def question(game: Game, sender: Sender) -> MoveQuestion:
    """Return the question to the player that gives hints in a game.

    Args:
        game: the game.
        sender: the player to move.

    Raises:
        NeedsToken, NotYourSeat: the sender is not a player.
        GameOver: the game is over.
        NotAllowed: the sender is not to move.
        Refused: help is forbidden in this game, or another person plays too.
    """
    session, own = game.session, game.own_seats(sender)
    actor = session.actor
    if actor is None:
        raise GameOver("error.session.over")
    if actor not in own or session.seats[actor].occupant != HUMAN:
        raise NotAllowed("error.session.turn")
    if game.is_unaided or not game.controls(sender):
        raise Refused("error.web.no_hints")
    spec, limit = adviser(session.rules)
    return MoveQuestion(spec, session.board, session.opening, limit)


def adviser(rules: Rules) -> tuple[str, Limit | None]:
    """Return the spec and the limit of the player that gives hints under some rules."""
    if is_suitable("engine", rules):
        return "engine", Limit(nodes=_NODES)
    if is_suitable("lookup", rules):
        return "lookup", None
    return ("threats" if rules.k == 5 else "minimax"), None


def hint_data(question: MoveQuestion, answer: PlayerAnswer) -> HintData:
    """Return a player's answer as data."""
    if isinstance(answer, str):
        return HintData(point=None, score=None, option=answer)
    score = None if answer.score is None else ScoreData.of(answer.score)
    return HintData(point=question.board.name(answer.point), score=score, option=None)
