"""The read-only side of a session: the board, the turn, clocks, events, and the record."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tengen.game.arguments import check_colour, is_whole, shown
from tengen.game.board import Board, Outcome
from tengen.game.clock import Clock, TimeControl
from tengen.game.course import Action
from tengen.game.errors import NotAllowed
from tengen.game.notation import format_moves
from tengen.game.opening_rules import FIRST, SECOND, Decision, Opening
from tengen.game.points import BLACK, WHITE, Colour
from tengen.game.record import Record
from tengen.game.rows import can_still_win
from tengen.game.rules import Rules
from tengen.game.session_state import HUMAN, Event, Occupant, Request, Seat, SessionState


class SessionView:
    """A read-only view of a session; `tengen.game.session.Session` adds the actions.

    Args:
        state: the state to show.
        now: a clock that returns seconds since any fixed moment.
    """

    def __init__(self, state: SessionState, now: Callable[[], float]) -> None:
        self._state = state
        self._now = now
        self._since = now()

    def __repr__(self) -> str:
        board = self._state.course.board
        moves = format_moves(board.moves, board.width)
        first, second = (self._state.seats[participant].name for participant in (FIRST, SECOND))
        rules = f"{self.rules.name} {self.rules.size_text}"
        return f"<{type(self).__name__} {rules} {moves!r}, {first} against {second}>"

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._state.course.start.rules

    @property
    def seats(self) -> Mapping[int, Seat]:
        """The two seats by participant, `FIRST` and `SECOND`."""
        return self._state.seats

    @property
    def control(self) -> TimeControl | None:
        """The time control, or None where there are no clocks."""
        return self._state.control

    @property
    def take_backs(self) -> int | None:
        """The number of take-backs each side began with; None is no limit."""
        return self._state.take_backs

    @property
    def board(self) -> Board:
        """A copy of the current board.

        Examples:
            >>> import tengen
            >>> session = tengen.Session()
            >>> session.play("h8")
            >>> session.board.push("i9")
            >>> session.board.ply
            1
        """
        return self._state.course.board.copy()

    @property
    def opening_name(self) -> str | None:
        """The name of the opening rule the game began with, or None."""
        return self._state.course.opening_name

    @property
    def opening(self) -> Opening | None:
        """A copy of the opening in progress, or None."""
        opening = self._state.course.opening
        return None if opening is None or self.decision is None else opening.copy()

    @property
    def decision(self) -> Decision | None:
        """The decision the opening rule asks for now; None if a plain move is due or the game is over.

        Examples:
            >>> import tengen
            >>> session = tengen.Session(opening="swap")
            >>> session.decision.kind
            'place'
            >>> for point in ("h8", "i9", "g7"):
            ...     session.play(point)
            >>> session.decision.kind, session.decision.options
            ('choice', ('black', 'white'))
        """
        return None if self.result is not None else self._state.course.decision

    @property
    def actor(self) -> int | None:
        """The participant who must act now; None once the game is over."""
        return None if self.result is not None else self._state.course.actor

    @property
    def result(self) -> Outcome | None:
        """The end of the game, or None while it goes on."""
        return self._state.ended or self._state.course.board.outcome()

    @property
    def actions(self) -> tuple[Action, ...]:
        """All moves, choices and claims, in order."""
        return tuple(self._state.course.actions)

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, in order; an event's number is its index.

        Examples:
            >>> import tengen
            >>> session = tengen.Session()
            >>> session.play("h8")
            >>> session.events
            (Event(number=0, kind='move', by=1, data={'point': 'h8', 'placed': True}),)
        """
        return tuple(self._state.events)

    @property
    def request(self) -> Request | None:
        """The request that waits for an answer, or None."""
        return self._state.request

    @property
    def paused(self) -> bool:
        """True if the game is paused."""
        return self._state.paused

    def colour_of(self, participant: int) -> Colour:
        """Return the colour that a participant plays now.

        Raises:
            NotAllowed: no such participant.

        Examples:
            >>> import tengen
            >>> session = tengen.Session(opening="swap")
            >>> for point in ("h8", "i9", "g7"):
            ...     session.play(point)
            >>> session.colour_of(1) == tengen.BLACK
            True
            >>> session.choose("black")
            >>> session.colour_of(1) == tengen.BLACK, session.player_of(tengen.BLACK)
            (False, 2)
        """
        check_participant(participant)
        return self._state.course.colour_of(participant)

    def player_of(self, colour: Colour) -> int:
        """Return the participant who plays a colour now.

        Raises:
            TengenError: no colour.
        """
        check_colour("colour", colour)
        return self._state.course.player_of(colour)

    def occupant(self, colour: Colour) -> Occupant:
        """Return the occupant who plays a colour now: ``"human"`` or a `Player`.

        Raises:
            TengenError: no colour.
        """
        return self._state.seats[self.player_of(colour)].occupant

    def clock(self, participant: int) -> Clock | None:
        """Return a participant's clock at this moment, or None in a game without clocks.

        Raises:
            NotAllowed: no such participant.

        Examples:
            >>> import tengen
            >>> session = tengen.Session(clock="300+3x30", now=lambda: 0.0)
            >>> clock = session.clock(1)
            >>> clock.main, clock.periods
            (300.0, 3)
        """
        check_participant(participant)
        clock = self._state.seats[participant].clock
        return clock.after(self._elapsed()) if clock and participant == self.actor else clock

    def time_left(self, participant: int) -> float | None:
        """Return the seconds left in a participant's main time or running period; None without clocks.

        Raises:
            NotAllowed: no such participant.

        Examples:
            >>> import tengen
            >>> seconds = 0.0
            >>> session = tengen.Session(clock="300+5", now=lambda: seconds)
            >>> seconds = 12.0
            >>> session.time_left(1), session.time_left(2)
            (288.0, 300.0)
            >>> session.play("h8")
            >>> session.time_left(1)
            293.0
        """
        check_participant(participant)
        clock = self._state.seats[participant].clock
        if clock is None:
            return None
        return clock.left(self._elapsed() if participant == self.actor else 0.0)

    @property
    def clocks(self) -> dict[Colour, Clock]:
        """Both clocks at this moment, by colour; empty in a game without clocks."""
        clocks = {colour: self.clock(self.player_of(colour)) for colour in (BLACK, WHITE)}
        return {colour: clock for colour, clock in clocks.items() if clock is not None}

    def record(self, headers: Mapping[str, str] | None = None) -> Record:
        """Return the game as a record: moves with the time used, and the players' scores.

        Raises:
            TengenError: headers that are no texts by name.

        Examples:
            >>> import tengen
            >>> session = tengen.Session("tictactoe", now=lambda: 0.0)
            >>> for move in ("a1", "b1", "a2", "b2", "a3"):
            ...     session.play(move)
            >>> record = session.record({"event": "at breakfast"})
            >>> record
            <Record tictactoe 3x3 'a1b1a2b2a3'>
            >>> record.headers["event"], record.headers["result"], record.headers["reason"]
            ('at breakfast', 'black', 'five')
        """
        start, board = self._state.course.start, self._state.course.board
        record = Record(self.rules, start.setup, headers)
        for colour, key in ((BLACK, "black"), (WHITE, "white")):
            record.headers.setdefault(key, self._state.seats[self.player_of(colour)].name)
        if self.result is not None:
            winner = {BLACK: "black", WHITE: "white", None: "draw"}[self.result.winner]
            if self.result.reason != "aborted":
                record.headers.setdefault("result", winner)
            record.headers.setdefault("reason", self.result.reason)
        node = record.root
        for point in start.moves:
            node = node.add(point)
        moves = iter(board.moves[start.ply :])
        seconds = 0.0
        for action in self._state.course.actions:
            # Choices and offers are part of the time of the move they lead to.
            seconds += action.seconds
            if action.placed:
                node = node.add(next(moves))
                node.seconds, node.score = seconds, action.score
                seconds = 0.0
        return record

    def _elapsed(self) -> float:
        """Return the seconds that the actor has used for its next action."""
        running = not self._state.paused and self.result is None
        return self._state.spent + (self._now() - self._since if running else 0.0)

    def _only_human(self) -> int | None:
        """Return the human participant in a game against a computer, else None."""
        humans = [participant for participant, seat in self._state.seats.items() if seat.occupant == HUMAN]
        return humans[0] if len(humans) == 1 else None

    def _neither_can_win(self) -> bool:
        """Return whether neither side can win any more."""
        cells = self._state.course.board.position
        return not any(can_still_win(self.rules, cells, colour) for colour in (BLACK, WHITE))


def check_participant(participant: object) -> None:
    """Require a participant.

    Raises:
        NotAllowed: `participant` is neither `FIRST` nor `SECOND`.
    """
    if not (is_whole(participant) and participant in (FIRST, SECOND)):
        raise NotAllowed("error.session.participant", value=shown(participant))
