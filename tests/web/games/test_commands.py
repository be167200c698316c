"""A seat changes hands in a game, and that is taken back: in every opening rule, at every step."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tengen.game.course import Action
from tengen.game.errors import NotAllowed
from tengen.game.opening_rules import FIRST, SECOND, available
from tengen.game.rules import Rules
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.web.computing.spec_policy import spec_player
from tengen.web.games import commands
from tengen.web.games.client_messages import read_client_message
from tengen.web.games.commands import PlayerCommand
from tengen.web.games.game import BOTH, Game, Sender, Settings
from tengen.web.games.game_storage import settings_from_text, settings_text
from tengen.web.transport.errors import NeedsToken, Refused

ME = "m" * 22
COMPUTER = "random,seed=1"
RULES = ("freestyle", "standard", "renju", "caro")
OPENINGS = [
    (rules, name) for rules in RULES for name in available(Rules.named(rules, 15)) if name != "free"
]


@dataclass
class Clock:
    """A time that goes on when told to."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def message(game: Game, visitor: str = ME, **data: Any) -> None:
    """Do what a page sends."""
    command = read_client_message({"version": 1, **data})
    assert isinstance(command, PlayerCommand)
    game.change(lambda one: command.execute(one, Sender(visitor)))


def owned(session: Session, first: str | None = ME, second: str | None = ME, **settings: Any) -> Game:
    """A game whose seats belong to somebody."""
    game = Game("game", session, Settings(**settings))
    game.give(FIRST, first)
    game.give(SECOND, second)
    return game


def step(session: Session, chance: random.Random) -> bool:
    """Play or choose something for whoever is to; whether that was possible."""
    decision = session.decision
    if session.result is not None:
        return False
    if decision is not None and decision.options:
        session.choose(chance.choice(decision.options))
    elif decision is not None:
        session.play(chance.choice(decision.points))
    else:
        session.play(chance.choice(session.board.legal_points()))
    return True


def moments(rules: str, opening: str, black: str, white: str) -> Iterator[Session]:
    """A game at every step of its opening, and a little beyond."""
    chance = random.Random(f"{rules} {opening}")
    session = Session(
        Rules.named(rules, 15), HUMAN, HUMAN, opening, "300+5", take_back_unit=None, now=Clock()
    )
    beyond = 0
    while beyond < 3:
        made = Session.from_json(session.to_json(), spec_player, Clock())
        for who, spec in ((FIRST, black), (SECOND, white)):
            if spec != HUMAN:
                made.hand_over(who, spec_player(spec))
        yield made
        beyond += session.decision is None
        assert step(session, chance)


def changes(session: Session) -> list[dict[str, Any]]:
    """Every change of seats that the menu of a game offers."""
    computers = [who for who in BOTH if session.seats[who].occupant != HUMAN]
    found: list[dict[str, Any]] = [
        {"type": "hand_over", "participant": who, "occupant": HUMAN if who in computers else COMPUTER}
        for who in BOTH
    ]
    return [*found, {"type": "swap_sides"}] if len(computers) == 1 else found


@pytest.mark.parametrize(("rules", "opening"), OPENINGS)
@pytest.mark.parametrize(("black", "white"), [(HUMAN, HUMAN), (HUMAN, COMPUTER), (COMPUTER, HUMAN)])
def test_a_change_of_seats_in_an_opening_is_taken_back_exactly(
    rules: str, opening: str, black: str, white: str
) -> None:
    for moment in moments(rules, opening, black, white):
        for change in changes(moment):
            game = owned(Session.from_json(moment.to_json(), spec_player, Clock()), creator=ME)
            session = game.session
            before, holders = session.moment(), dict(game.settings.holders)
            actions = session.actions
            message(game, **change)
            assert session.actions == actions, "nothing is played by the change itself"
            chance = random.Random(1)
            for _ in range(4):
                if session.actor is not None and session.seats[session.actor].occupant != HUMAN:
                    step(session, chance)
            message(game, type="undo_seats")
            assert session.moment() == before
            assert game.settings.holders == holders
            assert game.settings.before is None
            assert session.events[-1].kind == "restore"


@pytest.mark.parametrize("pace", [0.0, 3.0])
def test_computers_that_come_to_play_each_other_take_their_time(pace: float) -> None:
    game = owned(Session("freestyle", HUMAN, spec_player(COMPUTER)), creator=ME)
    game.settings.pace = pace
    message(game, type="hand_over", participant=FIRST, occupant=COMPUTER)
    assert game.settings.pace == max(pace, commands.PACE)
    message(game, type="undo_seats")
    assert game.settings.pace == pace
    message(game, type="swap_sides")
    assert game.settings.pace == pace, "somebody plays here"


def test_an_end_that_computers_brought_about_is_taken_back() -> None:
    game = owned(Session("tictactoe", HUMAN, spec_player(COMPUTER), now=Clock()), creator=ME)
    session = game.session
    session.play("b2")
    before = session.moment()
    message(game, type="hand_over", participant=FIRST, occupant=COMPUTER)
    while step(session, random.Random(1)):
        pass
    assert session.result is not None
    message(game, type="undo_seats")
    assert session.moment() == before


def test_clocks_go_back_and_a_flag_that_fell_is_up_again() -> None:
    clock = Clock()
    session = Session("freestyle", HUMAN, spec_player(COMPUTER), clock="60", now=clock)
    game = owned(session, creator=ME)
    clock.now = 10
    message(game, type="hand_over", participant=FIRST, occupant=COMPUTER)
    clock.now = 100
    result = session.check_time()
    assert result is not None
    assert result.reason == "time"
    message(game, type="undo_seats")
    assert session.result is None
    assert session.time_left(FIRST) == pytest.approx(50)
    clock.now = 105
    assert session.time_left(FIRST) == pytest.approx(45)


@pytest.mark.parametrize(
    "by_hand", [{"type": "move", "point": "h8", "ply": 0}, {"type": "resign"}, {"type": "draw"}]
)
def test_who_plays_by_hand_has_accepted_the_change(by_hand: dict[str, Any]) -> None:
    game = owned(Session("freestyle", HUMAN, HUMAN), creator=ME)
    message(game, type="hand_over", participant=SECOND, occupant=COMPUTER)
    message(game, **by_hand)
    with pytest.raises(NotAllowed) as caught:
        message(game, type="undo_seats")
    assert caught.value.message.key == "error.web.undo"


def test_a_pause_and_a_resumption_leave_the_way_back_open() -> None:
    game = owned(Session("freestyle", HUMAN, spec_player(COMPUTER)), creator=ME)
    session = game.session
    message(game, type="hand_over", participant=FIRST, occupant=COMPUTER)
    message(game, type="pause")
    message(game, type="undo_seats")
    assert not session.paused
    assert session.seats[FIRST].occupant == HUMAN


def test_it_outlives_the_process_and_only_who_decides_may() -> None:
    game = owned(Session("freestyle", HUMAN, spec_player(COMPUTER)), creator=ME)
    session = game.session
    message(game, type="hand_over", participant=FIRST, occupant=COMPUTER)
    kept = settings_from_text(settings_text(game.settings))
    assert kept == game.settings
    assert kept.before is not None
    with pytest.raises(NeedsToken):
        message(game, "s" * 22, type="undo_seats")
    message(game, type="undo_seats")
    assert session.seats[FIRST].occupant == HUMAN


def test_a_seat_that_waited_for_a_friend_waits_again() -> None:
    session = Session("freestyle", HUMAN, HUMAN, clock="60", consent=True)
    session.pause()
    game = owned(session, ME, None, creator=ME, open=SECOND)
    message(game, type="hand_over", participant=SECOND, occupant=COMPUTER)
    assert (game.settings.open, session.paused) == (None, False)
    message(game, type="undo_seats")
    assert (game.settings.open, session.paused) == (SECOND, True)


def test_between_two_people_nobody_changes_seats() -> None:
    session = Session("freestyle", HUMAN, HUMAN, "swap2", consent=True)
    game = owned(session, ME, "f" * 22)
    for change in ({"type": "hand_over", "participant": 1, "occupant": COMPUTER}, {"type": "undo_seats"}):
        with pytest.raises(Refused):
            message(game, **change)


def test_no_action_is_lost_where_a_change_is_refused() -> None:
    game = owned(Session("freestyle", HUMAN, spec_player(COMPUTER)), creator=ME)
    session = game.session
    session.play("h8")
    placed: tuple[Action, ...] = session.actions
    with pytest.raises(NotAllowed):
        message(game, type="undo_seats")
    assert session.actions == placed
