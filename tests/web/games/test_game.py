"""A game without a server: what its commands change, what leaves it as events, and who may do what."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from tengen.game.board import Board
from tengen.game.errors import GameOver, NotAllowed
from tengen.game.session import Session
from tengen.schemas.game_messages import ChangeMessage, MovesChange
from tengen.web.computing.spec_policy import spec_player
from tengen.web.games.client_messages import read_client_message
from tengen.web.games.commands import PlayerCommand
from tengen.web.games.events import Ended, MovePlayed, SeatsChanged, TableChanged
from tengen.web.games.game import Game, Sender, Settings
from tengen.web.games.game_state import changed_fields, changed_moves, game_state
from tengen.web.games.game_storage import from_stored, to_stored
from tengen.web.games.terms import GameTerms
from tengen.web.transport.errors import NeedsToken, NotYourSeat, Refused

ME, FRIEND = Sender("m" * 22), Sender("f" * 22)

FRAMEWORKS = ("fastapi", "starlette", "sqlalchemy", "uvicorn", "websockets", "asyncio")


def game_of(terms: GameTerms | None = None, **settings: Any) -> Game:
    """A game between me and a friend."""
    session = (terms or GameTerms(Board("tictactoe"))).session()
    game = Game("game", session, Settings(creator=ME.visitor, **settings))
    game.give(1, ME.visitor)
    game.give(2, FRIEND.visitor)
    return game


def send(game: Game, sender: Sender, **message: Any) -> list[Any]:
    """Do what a client sends, and return what has happened."""
    command = read_client_message({"version": game.version, **message})
    assert isinstance(command, PlayerCommand)
    try:
        game.change(lambda one: command.execute(one, sender))
    finally:
        events, game.events = game.events, []
    return events


def test_a_game_is_played_without_anything_of_a_server() -> None:
    blocked = f"""
import sys

class Blocked:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in {FRAMEWORKS}:
            raise ImportError(name)

sys.meta_path.insert(0, Blocked())
from tengen.game.board import Board
from tengen.web.games.commands import Move, Resign
from tengen.web.games.game import Game, Sender
from tengen.web.games.game_state import game_state
from tengen.web.games.game_storage import to_stored
from tengen.web.games.terms import GameTerms

me = Sender("me")
game = Game("game", GameTerms(Board()).session())
game.give(1, "me")
game.give(2, "me")
game.change(lambda one: Move(type="move", point="h8", ply=0).execute(one, me))
game.change(lambda one: Resign(type="resign", version=1).execute(one, me))
print(game_state(game).outcome.reason, to_stored(game).summary.plies)
"""
    done = subprocess.run([sys.executable, "-c", blocked], capture_output=True, text=True, check=False)
    assert done.stdout == "resigned 1\n", done.stderr


def test_what_happens_leaves_as_events() -> None:
    game = game_of()
    assert send(game, ME, type="move", point="b2", ply=0) == [MovePlayed(1)]
    assert send(game, ME, type="move", point="b2", ply=0) == [], "a doubled message changes nothing"
    assert send(game, FRIEND, type="move", point="a1", ply=1) == [MovePlayed(2)]
    assert send(game, ME, type="draw") == [TableChanged()]
    declined = send(game, FRIEND, type="answer", accept=False)
    assert declined == [TableChanged()]
    (ended,) = send(game, FRIEND, type="resign")
    assert isinstance(ended, Ended)
    assert (ended.outcome.winner, ended.outcome.reason) == (1, "resigned")
    game.change(lambda one: one.rename(ME.visitor or "", "Anna"))
    assert game.events == [], "a game that is over keeps its names"


def test_seats_that_change_hands_are_told() -> None:
    game = Game("game", Session("tictactoe"), Settings(creator=ME.visitor, open=2))
    game.give(1, ME.visitor)
    who, token = game.change(lambda one: one.take_open_seat(FRIEND, "Ben"))
    assert game.events == [SeatsChanged()]
    assert (who, game.name(2), game.settings.open) == (2, "Ben", None)
    assert game.seats_of(Sender(hashes=())) == frozenset()
    again, other = game.change(lambda one: one.take_open_seat(FRIEND, None))
    assert (again, other == token) == (2, False)
    with pytest.raises(Refused, match="seat"):
        game.change(lambda one: one.take_open_seat(Sender("s" * 22), None))


def test_a_refused_change_leaves_no_trace_but_a_fallen_flag() -> None:
    game = game_of()

    def half_done(one: Game) -> None:
        one.settings.pace = 5.0
        one.give(1, "somebody")
        raise NotAllowed("error.web.step")

    before = game.settings.copy()
    with pytest.raises(NotAllowed):
        game.change(half_done)
    assert (game.settings, game.events) == (before, [])
    seconds = [0.0]
    timed = Game("game", Session("freestyle", clock="60", now=lambda: seconds[0]))
    seconds[0] = 61.0
    with pytest.raises(GameOver):
        timed.change(lambda one: one.session.play("h8"))
    (ended,) = timed.events
    assert isinstance(ended, Ended)
    assert ended.outcome.reason == "time"


def test_who_may_do_what() -> None:
    game = game_of()
    with pytest.raises(NeedsToken):
        send(game, Sender("s" * 22), type="resign")
    with pytest.raises(NotYourSeat):
        send(game, Sender(hashes=("guessed",)), type="resign")
    for sender in (ME, FRIEND):
        with pytest.raises(Refused, match="person"):
            send(game, sender, type="pause")
    alone = game_of()
    alone.give(2, ME.visitor)
    assert send(alone, ME, type="pause") == [TableChanged()]
    event = game_of(organiser="cup")
    event.give(2, ME.visitor)
    for message in ({"type": "pause"}, {"type": "hand_over", "participant": 2, "occupant": "random"}):
        with pytest.raises(Refused, match="tournament"):
            send(event, ME, **message)
    assert (alone.is_unaided, game.is_unaided, event.is_unaided) == (False, True, True)


def test_the_next_game_exchanges_the_seats_of_two_people() -> None:
    game = game_of()
    game.settings.notice = None
    with pytest.raises(Refused):
        game.change(lambda one: one.offer_rematch(ME))
    send(game, ME, type="resign")
    assert game.change(lambda one: one.offer_rematch(ME)) is False
    assert game.settings.rematch == 1
    assert game.change(lambda one: one.offer_rematch(FRIEND)) is True
    following = game.following("next", FRIEND, swap=False)
    assert [following.settings.holders[who].visitor for who in (1, 2)] == [FRIEND.visitor, ME.visitor]
    assert (following.settings.rematch, following.session.result, following.version) == (None, None, 1)
    assert game.set_following("next") == "next"
    assert game.set_following("other") == "next"


def test_a_stored_game_tells_only_what_has_changed() -> None:
    game = game_of(rated="renju")
    visitors = to_stored(game).visitors
    assert visitors is not None
    assert set(visitors) == {ME.visitor, FRIEND.visitor}
    game.change(lambda one: one.session.play("b2"))
    assert to_stored(game).visitors is None
    game.change(lambda one: one.session.play("a1"))
    game.change(lambda one: one.session.resign(2))
    stored = to_stored(game)
    assert stored.rated is not None
    assert (stored.rated.black, stored.rated.score) == (ME.visitor, 1.0)
    game.events = []
    assert to_stored(game).rated is None, "an end is rated when it happens"
    loaded = from_stored(stored, spec_player)
    assert (loaded.settings, loaded.session) == (game.settings, game.session)


def test_a_move_tells_little() -> None:
    game = game_of(GameTerms(Board()))
    for number in range(60):
        game.session.play(f"{'abcdefghijklmno'[number % 15]}{1 + 2 * (number // 15) + number % 2}")
    before = game_state(game)
    game.session.play("o15")
    game.version += 1
    after = game_state(game)
    moves, fields = changed_moves(before, after), changed_fields(before, after)
    assert moves == MovesChange(keep=60, add=("o15",))
    assert {"version", "ply", "last", "turn", "actor"} <= fields.keys() < set(type(after).model_fields)
    assert (
        len(ChangeMessage(since=1, moves=moves, state=fields).to_json()) < 200 < len(after.to_json()) / 10
    )
    assert changed_moves(after, before) == MovesChange(keep=60, add=())
    assert changed_moves(after, after) is None
