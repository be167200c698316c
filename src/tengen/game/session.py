"""A game in progress: seats, take-backs, hints, offers, clocks, events, and saving at any moment.

A session knows no user interface. Every action is a method call, which is checked here and leaves an
`Event`; a call that is refused raises and changes nothing. Sides are named by participant, `FIRST` or
`SECOND`: the one who begins with Black and the one who begins with White, until an opening rule swaps
the colours (`colour_of`). Without an opening rule they are the same numbers as the colours.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tengen.game.arguments import check_callable, check_flag, check_kind, check_seconds, wrong
from tengen.game.board import Board, Move, Outcome
from tengen.game.clock import Clock, TimeControl
from tengen.game.course import Action, Course
from tengen.game.errors import GameOver, NotAllowed
from tengen.game.opening_policy import decide
from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.player import SOONEST, Choice, Limit, Player, Score, check_search, is_player
from tengen.game.points import WHITE, opponent
from tengen.game.rules import Rules
from tengen.game.session_state import (
    HUMAN,
    Event,
    Occupant,
    PlayerMaker,
    Request,
    Seat,
    SessionState,
    TakeBackUnit,
)
from tengen.game.session_view import SessionView, check_participant

_LONGEST_AWAY = 1e10
"""The longest time since a game was saved, in seconds: some three hundred years."""


class Session(SessionView):
    """A game between two seats.

    Args:
        rules: `Rules`, or the name of a preset.
        black: the first occupant of Black's seat: ``"human"`` or a `Player`.
        white: the first occupant of White's seat.
        opening: name of an opening rule (see `tengen.game.opening_rules`), or None.
        clock: the time control (or its text, see `TimeControl.parse`), or None for no clocks. The
            first clock runs from the start.
        take_backs: the number of take-backs each side has; None is no limit.
        take_back_unit: ``"stone"`` takes one stone back, charged to the side that just moved;
            ``"round"`` takes back to the asker's last move and is charged to the asker. None means a
            round if a human plays a computer, else a stone.
        consent: True if a human opponent must agree to a take-back.
        start: the board to begin from, instead of the empty one; its rules are then the game's.
        now: a clock that returns seconds since any fixed moment.

    Raises:
        RulesError: an opening that is unknown, does not fit these rules, or comes with a `start`; a
            number of take-backs below 0; text that is no time control.
        TengenError: an argument of another type.

    Examples:
        >>> import tengen
        >>> session = tengen.Session("freestyle", "human", tengen.player("shapes"), clock="300+5")
        >>> session.play("h8")
        >>> choice = session.play_computer()
        >>> session
        <Session freestyle 15x15 'h8h7', human against shapes:o5>
        >>> session.take_back()
        >>> session.board.ply, session.seats[2].take_backs
        (1, 4)
        >>> session.resign()
        >>> session.result.reason, session.result.winner == tengen.WHITE
        ('resigned', True)
        >>> [event.kind for event in session.events]
        ['move', 'move', 'take_back', 'end']
    """

    def __init__(
        self,
        rules: Rules | str = "freestyle",
        black: Occupant = HUMAN,
        white: Occupant = HUMAN,
        opening: str | None = None,
        clock: TimeControl | str | None = None,
        take_backs: int | None = 5,
        *,
        take_back_unit: TakeBackUnit | None = "stone",
        consent: bool = False,
        start: Board | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        control = TimeControl.parse(clock) if isinstance(clock, str) else clock
        if control is not None:
            check_kind("clock", control, TimeControl, "argument.session.clock")
        if start is not None:
            check_kind("start", start, Board, "argument.board")
        check_callable("now", now)
        full = None if control is None else Clock.full(control)
        state = SessionState(
            course=Course(Board(rules) if start is None else start, opening),
            control=control,
            take_backs=take_backs,
            take_back_unit=take_back_unit,
            consent=consent,
            seats={FIRST: Seat(black, take_backs, full), SECOND: Seat(white, take_backs, full)},
        )
        super().__init__(state, now)
        self._claim_standing_foul()

    def again(self) -> Session:
        """Return a new game with the same rules, seats, opening, clocks and take-backs.

        Examples:
            >>> import tengen
            >>> session = tengen.Session("renju", take_backs=1)
            >>> session.play("h8")
            >>> session.take_back()
            >>> again = session.again()
            >>> again.rules.name, again.board.ply, again.seats[1].take_backs
            ('renju', 0, 1)
        """
        state = self._state
        first, second = (state.seats[participant].occupant for participant in (FIRST, SECOND))
        return Session(
            self.rules,
            first,
            second,
            state.course.opening_name,
            state.control,
            state.take_backs,
            take_back_unit=state.take_back_unit,
            consent=state.consent,
            start=state.course.start if state.course.opening_name is None else None,
            now=self._now,
        )

    # Playing

    def play(self, move: Move, by: int | None = None, score: Score | None = None) -> None:
        """Play a point, or offer or select one in the opening.

        Args:
            move: the point.
            by: the participant who plays, checked against whose turn it is; None trusts the caller.
            score: the player's evaluation of the position, for the record.

        Raises:
            NotationError, IllegalMove: as `Board.push`, or a point the opening does not allow.
            NotAllowed: not this participant's turn, a paused game, or the opening asks for a choice.
            TengenError: `score` is no score.

        Examples:
            >>> import tengen
            >>> session = tengen.Session()
            >>> session.play("h8", by=tengen.BLACK)
            >>> session.play("h8", by=tengen.WHITE)
            Traceback (most recent call last):
                ...
            tengen.game.errors.Occupied: h8 is occupied
            >>> session.play("i9", by=tengen.BLACK)
            Traceback (most recent call last):
                ...
            tengen.game.errors.NotAllowed: it is not your turn
            >>> session.play("i9")
            >>> session.board
            <Board freestyle 15x15 'h8i9'>
        """
        if score is not None:
            check_kind("score", score, Score, "argument.score")
        self._act(by)
        action = self._state.course.play(move, self._elapsed(), score)
        name = self._state.course.board.name(int(action.value))
        self._done(action, "move", point=name, placed=action.placed)

    def choose(self, option: str, by: int | None = None) -> None:
        """Choose one of the options that the opening rule gives.

        Raises:
            GameOver: the game is over.
            NotAllowed: there is nothing to choose, no such option, or as `play`.

        Examples:
            >>> import tengen
            >>> session = tengen.Session(opening="swap2")
            >>> for point in ("h8", "i9", "g7"):
            ...     session.play(point)
            >>> session.decision.kind, session.decision.options
            ('choice', ('black', 'white', 'place'))
            >>> session.choose("white")
            >>> session.colour_of(1) == tengen.BLACK, session.decision
            (True, None)
        """
        self._act(by)
        self._done(self._state.course.choose(option, self._elapsed()), "choice", option=option)

    def claim(self, by: int | None = None) -> None:
        """Claim Black's foul for White. A computer that plays White does so by itself.

        Raises:
            IllegalMove: there is nothing to claim; `GameOver` where the game is over.
            NotAllowed: only White may claim.

        Examples:
            >>> import tengen
            >>> rules = tengen.Rules.named("renju", fouls="claimed")
            >>> session = tengen.Session(start=tengen.Board.from_moves("f8i10g8j7h7e9h6g5", rules))
            >>> session.play("h8")
            >>> session.claim(by=tengen.BLACK)
            Traceback (most recent call last):
                ...
            tengen.game.errors.NotAllowed: only White may claim a foul
            >>> session.claim(by=tengen.WHITE)
            >>> session.result.reason, session.result.foul.kind
            ('foul', 'double-three')
        """
        _participant(by)
        self.check_time()
        if self._state.ended is not None:
            raise GameOver("error.claim.over")
        if self.paused:
            raise NotAllowed("error.session.paused")
        if by is not None and by != self.player_of(WHITE):
            raise NotAllowed("error.session.claim")
        actor, elapsed = self.actor, self._elapsed()
        action = self._state.course.claim()
        self._charge(actor, elapsed)
        self._done(action, "claim")

    def think(self, limit: Limit | None = None, stop: threading.Event | None = None) -> Choice | str:
        """Ask the computer whose turn it is for its move, without playing it.

        Works on copies, so that it may run in another thread while the session is used; play the
        answer with `apply` if the session has not moved on.

        Args:
            limit: how long it may think; if None its own default, or a share of its clock.
            stop: when set, it answers at once.

        Returns:
            The choice, or the option it chooses in the opening.

        Raises:
            GameOver: the game is over.
            NotAllowed: it is a human's turn.

        Examples:
            >>> import tengen
            >>> session = tengen.Session("tictactoe", black=tengen.player("minimax"))
            >>> choice = session.think()
            >>> session.board.ply
            0
            >>> session.apply(choice)
            >>> session.board.ply
            1
            >>> session.think()
            Traceback (most recent call last):
                ...
            tengen.game.errors.NotAllowed: a human is to move: there is no computer to ask
        """
        actor = self.actor
        if actor is None:
            raise GameOver("error.session.over")
        check_search(self._state.course.board, limit, stop)
        seat = self._state.seats[actor]
        if isinstance(seat.occupant, str):
            raise NotAllowed("error.session.human")
        if limit is None and seat.clock is not None:
            limit = Limit(seconds=max(seat.clock.share(self._elapsed()), SOONEST))
        return self._advice(seat.occupant, limit, stop)

    def apply(self, answer: Choice | str, by: int | None = None) -> None:
        """Play the answer of `think`.

        Raises:
            NotationError, IllegalMove, NotAllowed: as `play` and `choose`.
            TengenError: `answer` is neither a choice nor text.
        """
        check_kind("answer", answer, (Choice, str), "argument.answer")
        if isinstance(answer, str):
            self.choose(answer, by)
        else:
            self.play(answer.point, by, answer.score)

    def play_computer(
        self, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice | str:
        """Let the computer whose turn it is think, and play its answer; see `think`.

        Examples:
            >>> import tengen
            >>> session = tengen.Session("tictactoe", tengen.player("minimax"), tengen.player("minimax"))
            >>> while session.result is None:
            ...     choice = session.play_computer()
            >>> session.result.reason
            'full'
        """
        answer = self.think(limit, stop)
        self.apply(answer)
        return answer

    def hint(
        self,
        adviser: Player | None = None,
        limit: Limit | None = None,
        stop: threading.Event | None = None,
    ) -> Choice | str:
        """Return the move of `adviser` in this position; if None, of a computer that plays this game.

        Raises:
            GameOver: the game is over.
            NotAllowed: there is no computer to ask.
            TengenError: an argument of another type.

        Examples:
            >>> import tengen
            >>> session = tengen.Session("tictactoe")
            >>> for move in ("a1", "b1", "a2"):
            ...     session.play(move)
            >>> session.board.name(session.hint(tengen.player("lines")).point)
            'a3'
            >>> session.hint()
            Traceback (most recent call last):
                ...
            tengen.game.errors.NotAllowed: there is no computer to ask for a hint
        """
        check_search(self._state.course.board, limit, stop)
        if adviser is not None and not is_player(adviser):
            raise wrong("adviser", adviser, "argument.player")
        if self.result is not None:
            raise GameOver("error.session.over")
        players = [seat.occupant for seat in self._state.seats.values()]
        for player in (adviser, *players):
            if player is not None and not isinstance(player, str):
                return self._advice(player, limit, stop)
        raise NotAllowed("error.session.no_adviser")

    # Taking back, offers, the end

    def take_back(self, by: int | None = None) -> None:
        """Take back a stone or a round, or ask the opponent for consent.

        Args:
            by: the participant who asks. If None: with ``"stone"`` the side that just moved; with
                ``"round"`` the only human in the game, or else the side to move.

        Raises:
            NotAllowed: there is no stone (of the asker's) to take back, no take-back is left, the game
                is paused, or it ended otherwise than on the board.

        Examples:
            >>> import tengen
            >>> shapes = tengen.player("shapes")
            >>> session = tengen.Session(white=shapes, take_backs=1, take_back_unit="round")
            >>> session.play("h8")
            >>> choice = session.play_computer()
            >>> session.take_back()
            >>> session.board.ply
            0
            >>> session.play("i9")
            >>> session.take_back()
            Traceback (most recent call last):
                ...
            tengen.game.errors.NotAllowed: no take-backs are left
        """
        asker = self._take_back_asker(by)
        self._check_take_back(asker)
        if self._state.consent and self._state.seats[opponent(asker)].occupant == HUMAN:
            self._ask(Request("take_back", asker))
        else:
            self._take_back(asker)

    def offer_draw(self, by: int | None = None) -> None:
        """Offer a draw. A computer accepts if neither side can win any more, and otherwise declines.

        Args:
            by: the participant who offers; if None the only human in the game, or else the side to move.

        Raises:
            GameOver: the game is over.
            NotAllowed: a request is pending already, or an offer was declined in this position.

        Examples:
            >>> import tengen
            >>> session = tengen.Session(white=tengen.player("shapes"))
            >>> session.play("h8")
            >>> session.offer_draw()
            >>> session.result is None, session.events[-1].kind
            (True, 'decline')
            >>> session.offer_draw()
            Traceback (most recent call last):
                ...
            tengen.game.errors.NotAllowed: that offer was declined: make a move before you offer again
        """
        offerer = self._speaker(by)
        if offerer in self._state.declined:
            raise NotAllowed("error.session.declined")
        self._ask(Request("draw", offerer))
        if self._state.seats[opponent(offerer)].occupant != HUMAN:
            self.answer(self._neither_can_win(), opponent(offerer))

    def answer(self, accept: bool, by: int | None = None) -> None:
        """Answer the other side's request.

        Raises:
            NotAllowed: no request is pending, or `by` made it.
            TengenError: `accept` is neither True nor False.

        Examples:
            >>> import tengen
            >>> session = tengen.Session()
            >>> session.offer_draw(by=tengen.BLACK)
            >>> session.request
            Request(kind='draw', by=1)
            >>> session.answer(True, by=tengen.WHITE)
            >>> session.result.reason
            'agreed'
        """
        check_flag("accept", accept)
        _participant(by)
        self.check_time()
        request = self._state.request
        if request is None:
            raise NotAllowed("error.session.no_request")
        if by == request.by:
            raise NotAllowed("error.session.own_request")
        if not accept:
            self._state.request = None
            if request.kind == "draw":
                self._state.declined += (request.by,)
            self._note("decline", opponent(request.by), request=request.kind)
        elif request.kind == "draw":
            self._end(Outcome(None, "agreed"))
        else:
            self._check_take_back(request.by)
            self._take_back(request.by)

    def resign(self, by: int | None = None) -> None:
        """Resign the game.

        Args:
            by: the participant who resigns; if None the only human in the game, or else the side to move.

        Raises:
            GameOver: the game is over.

        Examples:
            >>> import tengen
            >>> session = tengen.Session()
            >>> session.resign(by=tengen.WHITE)
            >>> session.result.winner == tengen.BLACK, session.result.reason
            (True, 'resigned')
            >>> session.play("h8")
            Traceback (most recent call last):
                ...
            tengen.game.errors.GameOver: the game is over
        """
        loser = self._speaker(by)
        self._end(Outcome(opponent(self.colour_of(loser)), "resigned"))

    def abort(self, by: int | None = None) -> None:
        """End the game without a result; the caller decides whether that is fair.

        Raises:
            GameOver: the game is over.
        """
        self._speaker(by)
        self._end(Outcome(None, "aborted"))

    def end_abandoned(self, by: int | None = None) -> None:
        """End the game as a draw because the other side has left, which the caller has to establish.

        Raises:
            GameOver: the game is over.
        """
        self._speaker(by)
        self._end(Outcome(None, "abandoned"))

    def pause(self) -> None:
        """Stop the clocks and the game until `resume`.

        Raises:
            GameOver: the game is over.
            NotAllowed: it is paused already.

        Examples:
            >>> import tengen
            >>> session = tengen.Session(clock="300")
            >>> session.pause()
            >>> session.play("h8")
            Traceback (most recent call last):
                ...
            tengen.game.errors.NotAllowed: the game is paused
            >>> session.resume()
            >>> session.play("h8")
        """
        self._act(None)
        self._state.spent, self._state.paused = self._elapsed(), True
        self._note("pause")

    def resume(self) -> None:
        """Continue after `pause`.

        Raises:
            NotAllowed: the game is not paused.
        """
        if not self.paused:
            raise NotAllowed("error.session.not_paused")
        self._state.paused, self._since = False, self._now()
        self._note("resume")
        self._claim_standing_foul()

    def check_time(self) -> Outcome | None:
        """End the game if the running clock has run out; return the result, if there is one.

        Every call that plays checks the clock itself; a user interface calls this to see a flag fall.

        Examples:
            >>> import tengen
            >>> seconds = 0.0
            >>> session = tengen.Session(clock="60", now=lambda: seconds)
            >>> seconds = 61.0
            >>> session.check_time().reason, session.result.winner == tengen.WHITE
            ('time', True)
        """
        actor = self.actor
        if actor is not None and not self.paused:
            clock = self._state.seats[actor].clock
            if clock is not None and clock.flagged(self._elapsed()):
                self._end(Outcome(opponent(self.colour_of(actor)), "time"))
        return self.result

    def hand_over(self, participant: int, occupant: Occupant) -> None:
        """Change the occupant of a seat: a computer for a human, or a human for a computer.

        Raises:
            NotAllowed: no such participant.
            RulesError: neither ``"human"`` nor a player.

        Examples:
            >>> import tengen
            >>> session = tengen.Session("tictactoe")
            >>> session.play("b2")
            >>> session.hand_over(tengen.WHITE, tengen.player("minimax"))
            >>> choice = session.play_computer()
            >>> session
            <Session tictactoe 3x3 'b2a1', human against minimax>
        """
        check_participant(participant)
        seat = replace(self._state.seats[participant], occupant=occupant)
        self._state.seats[participant] = seat
        self._note("seat", participant, occupant=seat.name)
        self._claim_standing_foul()

    def swap_sides(self) -> None:
        """Exchange the occupants; stones, clocks and take-backs stay with the seats.

        Examples:
            >>> import tengen
            >>> session = tengen.Session(white=tengen.player("shapes"))
            >>> session.swap_sides()
            >>> session
            <Session freestyle 15x15 '', shapes:o5 against human>
        """
        first, second = self._state.seats[FIRST].occupant, self._state.seats[SECOND].occupant
        self.hand_over(FIRST, second)
        self.hand_over(SECOND, first)

    # Saving

    def to_json(self) -> str:
        """Return the session as JSON text; `from_json` makes an identical session of it."""
        return replace(self._state, spent=self._elapsed()).to_json()

    def moment(self) -> str:
        """Return the session as JSON text without its events, for `restore`.

        Examples:
            >>> import tengen
            >>> session = tengen.Session()
            >>> session.play("h8")
            >>> moment = session.moment()
            >>> session.play("i9")
            >>> session.restore(moment, tengen.player)
            >>> session, session.events[-1].kind
            (<Session freestyle 15x15 'h8', human against human>, 'restore')
        """
        return replace(self._state, spent=self._elapsed(), events=[]).to_json()

    def restore(self, moment: str, make_player: PlayerMaker) -> None:
        """Go back to an earlier moment of this game: its stones, seats, clocks and take-backs.

        The events since then stay, and an event reports the return.

        Args:
            moment: the text that `moment` returned.
            make_player: makes a player of its spec (`tengen.player`).

        Raises:
            NotationError: text that is no saved session; the sentence gives the reason.
        """
        earlier = SessionState.from_json(moment, make_player)
        self._state = replace(earlier, events=self._state.events)
        self._since = self._now()
        self._note("restore")

    @classmethod
    def from_json(
        cls,
        text: str,
        make_player: PlayerMaker,
        now: Callable[[], float] = time.monotonic,
        *,
        away: float = 0.0,
    ) -> Session:
        """Load a saved session; its clocks continue from their saved times.

        Args:
            text: the text that `to_json` returned.
            make_player: makes a player of its spec (`tengen.player`).
            now: a clock that returns seconds since any fixed moment.
            away: seconds since the session was saved, during which the running clock ran on.

        Raises:
            NotationError: text that is no saved session; the sentence gives the reason.
            TengenError: an argument of another type.

        Examples:
            >>> import tengen
            >>> session = tengen.Session("renju", white=tengen.player("shapes"), opening="swap2")
            >>> session.play("h8")
            >>> saved = session.to_json()
            >>> again = tengen.Session.from_json(saved, tengen.player)
            >>> again == session, again.decision.kind
            (True, 'place')
            >>> tengen.Session.from_json("{}", tengen.player)
            Traceback (most recent call last):
                ...
            tengen.game.errors.NotationError: this is not a saved game of Tengen
        """
        check_callable("make_player", make_player)
        check_callable("now", now)
        check_seconds("away", away, zero=True, most=_LONGEST_AWAY)
        state = SessionState.from_json(text, make_player)
        # Created after the players, so that making them takes nobody's time.
        session = cls(now=now)
        session._state = state
        session._since -= away
        return session

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Session):
            return NotImplemented
        return self._still() == other._still()

    __hash__ = None  # type: ignore[assignment]

    # Internals

    def _still(self) -> str:
        """Return everything but the running time, for comparison."""
        return replace(self._state, spent=0.0).to_json()

    def _act(self, by: int | None) -> int:
        """Return the participant to act now, once the action is known to be allowed."""
        _participant(by)
        self.check_time()
        actor = self.actor
        if actor is None:
            raise GameOver("error.session.over")
        if self.paused:
            raise NotAllowed("error.session.paused")
        if by is not None and by != actor:
            raise NotAllowed("error.session.turn")
        return actor

    def _speaker(self, by: int | None) -> int:
        """Return the participant who resigns or offers, if the caller names none."""
        _participant(by)
        self.check_time()
        actor = self.actor
        if actor is None:
            raise GameOver("error.session.over")
        return by or self._only_human() or actor

    def _done(self, action: Action, kind: str, **data: Any) -> None:
        """Press the clock, note the event and pass the turn after an action."""
        seat = self._state.seats[action.by]
        if seat.clock is not None:
            # A choice or an offer is part of a move, and earns no increment of its own.
            press = seat.clock.pressed if action.placed else seat.clock.after
            seat.clock = press(action.seconds)
        # A draw offer holds until the other side has moved; a request for a take-back lapses.
        if self._state.request != Request("draw", action.by) or self.result is not None:
            self._state.request = None
        self._state.declined = ()
        self._note(kind, action.by, **data)
        self._start_clock()
        if action.kind == "play" and self._program_may_claim():
            self._done(self._state.course.claim(), "claim")
        elif self.result is not None:
            self._note_end(self.result)

    def _program_may_claim(self) -> bool:
        """Return whether a program has White and can claim a foul; it claims at once, a human need not."""
        return self.occupant(WHITE) != HUMAN and self._state.course.board.claimable() is not None

    def _claim_standing_foul(self) -> None:
        """Claim a foul made before a program took White, or before the game was resumed."""
        if self.result is None and not self.paused and self._program_may_claim():
            self._done(self._state.course.claim(), "claim")

    def _start_clock(self) -> None:
        self._state.spent, self._since = 0.0, self._now()

    def _end(self, outcome: Outcome) -> None:
        """End the game otherwise than on the board."""
        self._charge(self.actor, self._elapsed())
        self._state.ended = outcome
        self._state.paused = False
        self._state.request = None
        self._start_clock()
        self._note_end(outcome)

    def _charge(self, actor: int | None, seconds: float) -> None:
        """Charge the time used since the last action to the participant who was to act."""
        if actor is not None and (clock := self._state.seats[actor].clock) is not None:
            self._state.seats[actor].clock = clock.after(seconds)

    def _note(self, kind: str, by: int | None = None, **data: Any) -> None:
        self._state.events.append(Event(len(self._state.events), kind, by, data))

    def _note_end(self, outcome: Outcome) -> None:
        self._note("end", winner=outcome.winner, reason=outcome.reason)

    def _advice(self, player: Player, limit: Limit | None, stop: threading.Event | None) -> Choice | str:
        opening = self.opening
        if opening is None:
            return player.choose(self.board, limit, stop)
        answer = decide(player, opening, limit, stop)
        return answer if isinstance(answer, str) else Choice(answer)

    def _ask(self, request: Request) -> None:
        if self._state.request is not None:
            raise NotAllowed("error.session.request")
        self._state.request = request
        self._note("request", request.by, request=request.kind)

    def _take_back_asker(self, by: int | None) -> int:
        _participant(by)
        self.check_time()
        last = self._state.course.last_play()
        if last is None:
            raise NotAllowed("error.take_back.no_stone")
        mover = self._state.course.actions[last].by
        if self._take_back_unit() == "stone":
            if by not in (None, mover):
                raise NotAllowed("error.take_back.not_yours")
            return mover
        asker = by or self._only_human() or self.actor or mover
        if self._state.course.last_play(asker) is None:
            raise NotAllowed("error.take_back.no_stone")
        return asker

    def _take_back_unit(self) -> TakeBackUnit:
        fitting: TakeBackUnit = "stone" if self._only_human() is None else "round"
        return self._state.take_back_unit or fitting

    def _check_take_back(self, asker: int) -> None:
        if self._state.ended is not None:
            raise NotAllowed("error.take_back.ended")
        if self.paused:
            raise NotAllowed("error.session.paused")
        if self._state.seats[asker].take_backs == 0:
            raise NotAllowed("error.take_back.used_up")

    def _take_back(self, asker: int) -> None:
        self._charge(self.actor, self._elapsed())
        plies = self._state.course.board.ply
        last = self._state.course.last_play(asker if self._take_back_unit() == "round" else None)
        self._state.course.rewind(last or 0)
        seat = self._state.seats[asker]
        if seat.take_backs is not None:
            seat.take_backs -= 1
        self._state.request, self._state.declined = None, ()
        self._start_clock()
        stones = plies - self._state.course.board.ply
        self._note("take_back", asker, stones=stones, left=seat.take_backs)


def _participant(by: int | None) -> None:
    """Require a participant, or None."""
    if by is not None:
        check_participant(by)
