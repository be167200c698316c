"""Games in their stored form: the session and the settings as JSON, and the columns that lists show."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from tengen.game.points import BLACK
from tengen.game.session import Session
from tengen.game.session_state import PlayerMaker
from tengen.schemas.points import COLOURS
from tengen.web.games.events import Ended, SeatsChanged
from tengen.web.games.game import BOTH, Game, Holder, SeatsBefore, Settings
from tengen.web.games.stored_game import GameSummary, RatedResult, StoredGame
from tengen.words import Message


def to_stored(game: Game) -> StoredGame:
    """Return a game in its stored form: a new game, or one with the changes that its events tell."""
    ended = any(isinstance(event, Ended) for event in game.events)
    same = bool(game.events) and not any(isinstance(event, SeatsChanged) for event in game.events)
    return StoredGame(
        game.id,
        game.version,
        game.session.to_json(),
        settings_text(game.settings),
        _summary(game),
        game.created,
        game.updated,
        _rated_result(game) if ended else None,
        None if same else game.visitors,
    )


def from_stored(stored: StoredGame, make_player: PlayerMaker, away: float = 0.0) -> Game:
    """Return the game of a stored form.

    Args:
        stored: the stored form.
        make_player: makes a player of its spec.
        away: seconds since the game was stored, during which the running clock ran on.
    """
    session = Session.from_json(stored.session, make_player, away=away)
    settings = settings_from_text(stored.room)
    return Game(stored.id, session, settings, stored.version, stored.created, stored.updated)


def settings_text(settings: Settings) -> str:
    """Return settings as JSON text."""
    holders = [settings.holders[who] for who in BOTH]
    data = {
        "creator": settings.creator,
        "owners": [holder.visitor for holder in holders],
        "tokens": [holder.tokens for holder in holders],
        "open": settings.open,
        "pace": settings.pace,
        "stepping": settings.stepping,
        "again": settings.again,
        "notice": None if settings.notice is None else settings.notice.to_dict(),
        "preparing": settings.preparing,
        "names": [holder.name for holder in holders],
        "rematch": settings.rematch,
        "rated": settings.rated,
        "ratings": [holder.rating for holder in holders],
        "tournament": settings.organiser,
        "before": None if settings.before is None else asdict(settings.before),
    }
    return json.dumps(data, separators=(",", ":"))


def settings_from_text(text: str) -> Settings:
    """Return the settings that `settings_text` wrote, now or in an earlier version."""
    data: dict[str, Any] = json.loads(text)
    nobody = (None, None)
    people = zip(
        data["owners"],
        data["tokens"],
        # Games stored by earlier versions lack these fields.
        data.get("names", nobody),
        data.get("ratings", nobody),
        strict=True,
    )
    before = data.get("before")
    return Settings(
        creator=data["creator"],
        holders={who: Holder(*person) for who, person in zip(BOTH, people, strict=True)},
        open=data["open"],
        pace=data["pace"],
        stepping=data["stepping"],
        again=data["again"],
        notice=None if data["notice"] is None else _message(data["notice"]),
        preparing=data.get("preparing", False),
        rematch=data.get("rematch"),
        rated=data.get("rated"),
        organiser=data.get("tournament"),
        before=None if before is None else SeatsBefore(**before),
    )


def _message(data: Any) -> Any:
    """Return the message that `Message.to_dict` wrote, including messages nested in its values."""
    if isinstance(data, dict):
        return Message(data["key"], {name: _message(value) for name, value in data["values"].items()})
    return tuple(map(_message, data)) if isinstance(data, list) else data


def _rated_result(game: Game) -> RatedResult | None:
    """Return the result to be rated; None for a running, unrated or aborted game.

    A game counts for ratings only after both players have played a move or chosen an option.
    """
    pool, result = game.settings.rated, game.session.result
    if pool is None or result is None or result.reason == "aborted" or not game.has_begun:
        return None
    players = (game.session.player_of(colour) for colour in COLOURS)
    black, white = (game.settings.holders[who].visitor for who in players)
    if black is None or white is None or black == white:
        return None
    return RatedResult(pool, black, white, {BLACK: 1.0, None: 0.5}.get(result.winner, 0.0))


def _summary(game: Game) -> GameSummary:
    """Return the columns of a game that lists display and search."""
    session, rules, result = game.session, game.session.rules, game.session.result
    players = [session.player_of(colour) for colour in COLOURS]
    black, white = (session.seats[who].name for who in players)
    black_name, white_name = (game.name(who) or "" for who in players)
    reason = "" if result is None else result.reason
    winner = "" if result is None else "draw" if result.winner is None else COLOURS[result.winner]
    first, second = (game.settings.holders[who].visitor for who in BOTH)
    return GameSummary(
        rules.name,
        rules.size_text,
        session.opening_name or "",
        black,
        white,
        "aborted" if reason == "aborted" else winner,
        reason,
        session.board.ply,
        black_name,
        white_name,
        0 if first is not None and first == second else players[0],
    )
