"""Commands of clients to a game: what each needs, whether it is allowed, and its effect.

They arrive through a WebSocket or as actions of the REST interface. A late or repeated command changes
nothing: a move carries the number of stones before it, and most others carry the version of the game that
they refer to.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Literal, TypeAlias

from tengen.game.errors import GameOver, NotAllowed
from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.session_state import HUMAN
from tengen.schemas.game_messages import (
    AnswerMessage,
    ChooseMessage,
    GameMessage,
    HandOverMessage,
    MoveMessage,
    PaceMessage,
    StepMessage,
    VersionedMessage,
)
from tengen.web.computing.spec_policy import allowed_occupant, spec_player
from tengen.web.games.game import Game, SeatsBefore, Sender
from tengen.web.transport.errors import Refused

PACE = 1.0
"""Minimum seconds per move where two computers come to play each other: slow enough to be stopped."""

PATIENCE = 600.0
"""Seconds of the opponent's absence after which a player may end the game."""

_EVENTS_A_POINT, _MORE_EVENTS = 4, 1000
"""The limit on a game's events (moves, take-backs and others): a number per point, plus a constant."""


class PlayerCommand(GameMessage):
    """A command to a game.

    Attributes:
        wakes: whether it may be a computer's turn after it.
        ends: whether it ends a game or may end it, and so is allowed in a game that has become too long.
        by_hand: whether it is sent by a human who plays; after it a change of seats cannot be undone.
    """

    wakes: ClassVar[bool] = False
    ends: ClassVar[bool] = False
    by_hand: ClassVar[bool] = False

    @abstractmethod
    def apply(self, game: Game, sender: Sender) -> None:
        """Change the game.

        Raises:
            TengenError: the command is not allowed, or not allowed now.
        """

    def execute(self, game: Game, sender: Sender) -> None:
        """Apply the command, unless the game has become too long, and settle what follows from it.

        Raises:
            TengenError: the command is not allowed, or not allowed now.
        """
        most = _MORE_EVENTS + _EVENTS_A_POINT * game.session.rules.points
        if len(game.session.events) >= most and not self.ends:
            raise Refused("error.web.long_game", most=most)
        if isinstance(self, VersionedMessage | AnswerMessage) and self.version != game.version:
            raise Refused("error.web.late")
        self.apply(game, sender)
        if self.by_hand:
            game.settings.before = None
        if game.session.result is None:
            game.settings.rematch = None  # a take-back has reopened the game


# Moves


class Move(MoveMessage, PlayerCommand):
    """A point to play, offer or select; `ply` is the number of moves before it."""

    wakes, by_hand = True, True

    def apply(self, game: Game, sender: Sender) -> None:
        """Play the point; a move that was played already changes nothing."""
        seats, session = game.own_seats(sender), game.session
        board = session.board
        point = board.point(self.point)
        if self.ply != board.ply:
            if _played(game, self.ply, seats) != point:
                raise Refused("error.web.late")
            return
        opening = session.opening
        if opening is not None and point in opening.offered and opening.decision is not None:
            decision = opening.decision
            if decision.kind == "offer" and decision.player in seats:
                return
        session.play(point, game.player(sender))


def _played(game: Game, ply: int, seats: frozenset[int]) -> int | None:
    """Return the move at `ply`, if it was played in this game from one of these seats; else None."""
    board, placed = game.session.board, [action for action in game.session.actions if action.placed]
    number = ply - (board.ply - len(placed))
    if not 0 <= number < len(placed) or placed[number].by not in seats:
        return None
    return board.moves[ply]


class Choose(ChooseMessage, PlayerCommand):
    """The choice of an option of the opening rule; `ply` is the number of moves before it."""

    wakes, by_hand = True, True

    def apply(self, game: Game, sender: Sender) -> None:
        """Choose the option; a choice that was made already changes nothing."""
        seats, session = game.own_seats(sender), game.session
        if self.ply != session.board.ply:
            raise Refused("error.web.late")
        last = session.actions[-1] if session.actions else None
        if last is not None and (last.kind, last.value) == ("choose", self.option) and last.by in seats:
            return
        session.choose(self.option, game.player(sender))


# Commands that refer to a version of the game


class VersionedCommand(VersionedMessage, PlayerCommand):
    """A command without other arguments than the version that it refers to."""


class TakeBack(VersionedCommand):
    """A take-back, or the request for one."""

    by_hand = True
    type: Literal["take_back"]

    def apply(self, game: Game, sender: Sender) -> None:
        """Take back, or ask the opponent for consent."""
        game.session.take_back(game.human_seat(sender))


class Resign(VersionedCommand):
    """The resignation of a game."""

    ends, by_hand = True, True
    type: Literal["resign"]

    def apply(self, game: Game, sender: Sender) -> None:
        """Resign."""
        game.session.resign(game.human_seat(sender))


class OfferDraw(VersionedCommand):
    """The offer of a draw."""

    ends, by_hand = True, True
    type: Literal["draw"]

    def apply(self, game: Game, sender: Sender) -> None:
        """Offer a draw."""
        game.session.offer_draw(game.human_seat(sender))


class ClaimFoul(VersionedCommand):
    """The claim of Black's foul."""

    ends, by_hand = True, True
    type: Literal["claim"]

    def apply(self, game: Game, sender: Sender) -> None:
        """Claim the foul."""
        game.session.claim(game.human_seat(sender))


class Answer(AnswerMessage, PlayerCommand):
    """The answer to the opponent's request; answering no to one's own rematch offer withdraws it."""

    ends, by_hand = True, True

    def apply(self, game: Game, sender: Sender) -> None:
        """Answer the request of the session, or the offer of a rematch."""
        by = game.human_seat(sender)
        if game.session.request is not None or game.settings.rematch is None:
            game.session.answer(self.accept, by)
        elif self.accept:
            raise NotAllowed("error.web.rematch")
        else:
            game.settings.rematch = None


# Games that the opponent has not begun, or has left. A game that one side has not begun can be aborted.
# Later, if there is no clock, a player whose opponent has been away for ten minutes may end the game as a
# draw or abort it; a win on time comes only from a clock, which runs out by itself. In an organised event
# only the clock ends abandoned games.


class _EndAlone(VersionedCommand):
    ends = True

    def apply(self, game: Game, sender: Sender) -> None:
        by = game.human_seat(sender)
        if game.session.result is not None:
            raise GameOver("error.session.over")
        if by is None:
            raise Refused("error.web.left.nobody")
        if game.settings.organiser is not None:
            raise Refused("error.web.left.tournament")
        if game.session.seats[FIRST + SECOND - by].occupant != HUMAN:
            raise Refused("error.web.left.nobody")
        self.end(game, by)
        game.settings.open = None

    @abstractmethod
    def end(self, game: Game, by: int) -> None:
        """End the game on behalf of a participant whose opponent is a person."""


class Abort(_EndAlone):
    """The end of a game without a result."""

    type: Literal["abort"]

    def end(self, game: Game, by: int) -> None:
        """Abort a game that one side has not begun, or whose opponent has left."""
        if game.has_begun:
            _check_away(game, by)
        game.session.abort(by)


class ClaimDraw(_EndAlone):
    """The end of a game as a draw because the opponent has left."""

    type: Literal["claim_draw"]

    def end(self, game: Game, by: int) -> None:
        """End a game whose opponent has left as a draw."""
        _check_away(game, by)
        game.session.end_abandoned(by)


def _check_away(game: Game, by: int) -> None:
    """Check that a participant's opponent has left for good.

    Raises:
        Refused: the game has a clock, or the opponent has not been away for long enough.
    """
    away = game.presence.away.get(FIRST + SECOND - by)
    if game.session.control is not None:
        raise Refused("error.web.left.clock")
    if away is None:
        raise Refused("error.web.left.here")
    if away < PATIENCE:
        raise Refused("error.web.left.soon", minutes=round(PATIENCE / 60))


# Commands of the sender that controls the table


class Pause(VersionedCommand):
    """A pause of the game and its clocks."""

    type: Literal["pause"]

    def apply(self, game: Game, sender: Sender) -> None:
        """Pause the game."""
        game.check_controls(sender)
        game.session.pause()
        game.settings.stepping = False


class Resume(VersionedCommand):
    """The resumption of a paused game."""

    wakes = True
    type: Literal["resume"]

    def apply(self, game: Game, sender: Sender) -> None:
        """Resume the game, unless it waits for the opponent or the engine."""
        game.check_controls(sender)
        if game.settings.open is not None:
            raise NotAllowed("error.web.waiting")
        game.check_prepared()
        if not game.settings.stepping:
            game.session.resume()
        game.settings.stepping = False


class Step(StepMessage, PlayerCommand):
    """One move of a paused game between computers."""

    wakes = True

    def apply(self, game: Game, sender: Sender) -> None:
        """Let the game go on for one move."""
        game.check_controls(sender)
        if game.settings.stepping:
            return
        game.check_prepared()
        session, actor = game.session, game.session.actor
        if not session.paused or actor is None or session.seats[actor].occupant == HUMAN:
            raise NotAllowed("error.web.step")
        session.resume()
        game.settings.stepping = True


class SetPace(PaceMessage, PlayerCommand):
    """A change of the minimum number of seconds per computer move."""

    def apply(self, game: Game, sender: Sender) -> None:
        """Set the pace."""
        game.check_controls(sender)
        game.settings.pace = self.seconds


# Changes of seats. A computer moves at once, and two of them would end a game before their moves could be
# seen. Therefore two computers that come to play each other move at a minimum pace; and a change can be
# undone, together with everything since, until a human plays again.


class HandOver(HandOverMessage, PlayerCommand):
    """A new occupant for a seat: ``human``, or a player's spec."""

    wakes = True

    def apply(self, game: Game, sender: Sender) -> None:
        """Give the seat to the occupant; a human seat belongs to the sender."""
        game.check_controls(sender)
        who, session, settings = self.participant, game.session, game.settings
        occupant = allowed_occupant(self.occupant, session.rules)
        before = _before(game, swapped=False)
        own = game.seats_of(sender)
        if occupant == HUMAN and who not in own:
            hashes = next((settings.holders[seat].tokens for seat in own), [])
            game.give(who, sender.visitor, hashes)
        if settings.open == who:
            game.close_seat()
        if session.seats[who].occupant == occupant:
            return
        session.hand_over(who, occupant)
        settings.before = before
        if not game.humans:
            settings.pace = max(settings.pace, PACE)


class SwapSides(VersionedCommand):
    """The exchange of the two seats."""

    wakes = True
    type: Literal["swap_sides"]

    def apply(self, game: Game, sender: Sender) -> None:
        """Exchange the seats."""
        game.check_controls(sender)
        before = _before(game, swapped=True)
        game.session.swap_sides()
        game.swap_holders()
        game.settings.before = before


class UndoSeats(VersionedCommand):
    """The undoing of the last change of seats."""

    wakes = True
    type: Literal["undo_seats"]

    def apply(self, game: Game, sender: Sender) -> None:
        """Restore the game's state before the last change of seats."""
        game.check_controls(sender)
        settings, before = game.settings, game.settings.before
        if before is None:
            raise NotAllowed("error.web.undo")
        game.session.restore(before.session, spec_player)
        if before.swapped:
            game.swap_holders()
        settings.open, settings.pace = before.open, before.pace
        settings.stepping, settings.before = False, None
        if before.preparing and not settings.preparing:
            game.session.resume()  # the engine has become ready meanwhile


def _before(game: Game, *, swapped: bool) -> SeatsBefore:
    settings = game.settings
    return SeatsBefore(game.session.moment(), swapped, settings.open, settings.pace, settings.preparing)


GameCommand: TypeAlias = (
    Move
    | Choose
    | TakeBack
    | Resign
    | OfferDraw
    | ClaimFoul
    | Answer
    | Abort
    | ClaimDraw
    | Pause
    | Resume
    | Step
    | SetPace
    | HandOver
    | SwapSides
    | UndoSeats
)
"""Any command that changes a game."""
