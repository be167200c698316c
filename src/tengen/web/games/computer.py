"""A room's computer players: searching for their moves, and giving hints.

Only the process that holds the game's lease runs them. A search is cancelled as soon as the game changes
without it: a move is taken back, the seat is handed over, or the flag falls.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from tengen.engine.info import Info, info_json, score_json
from tengen.game.course import Action
from tengen.game.errors import GameOver, NotAllowed, TengenError
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.players.levels import needs_engine
from tengen.players.names import player_name
from tengen.web.computing import thinking_costs
from tengen.web.computing.board_json import COLOURS, Json
from tengen.web.computing.engine_warmup import EngineFailed, Warmup
from tengen.web.computing.search_pool import SearchPool
from tengen.web.games.client_messages import Sender
from tengen.web.games.move_search import MoveQuestion, MoveSearch, PlayerAnswer, adviser
from tengen.web.games.repository import GameRepository
from tengen.web.games.room_state import BOTH, RoomState, humans, is_unaided
from tengen.web.games.snapshot import Snapshot
from tengen.web.games.subscribers import Subscribers
from tengen.web.games.thinking_time import clock_limit
from tengen.web.transport.http_errors import Overloaded, Refused
from tengen.web.transport.logs import room_mark
from tengen.words import Message

_LEASE = 20.0
"""The duration of a game's lease in seconds, unless the process renews it."""

_RENEW = 7.0
"""Seconds between two renewals of the lease."""

_ASK_AGAIN = 1.0
"""Seconds between two attempts to acquire a lease, to charge for thinking, or to resume after a failure."""

_CLOCKS_WAIT = "web.live.preparing"

_ATTENDED = 60.0
"""Seconds for which a game between computers continues after a client has last viewed it."""

T = TypeVar("T")

_log = logging.getLogger("tengen.web")


@dataclass(frozen=True, slots=True)
class Turn:
    """A computer's turn. Its search continues through other changes of the game while the turn stays equal.

    Attributes:
        actor: the participant to move.
        spec: the player's spec.
        actions: the moves and choices so far.
        pace: the minimum duration of the turn in seconds.
        awaited: whether humans play in this game.
    """

    actor: int
    spec: str
    actions: tuple[Action, ...]
    pace: float
    awaited: bool


class ComputerHost(Protocol):
    """The room's services for its computer players; implemented by `tengen.web.games.room.Room`."""

    id: str
    subscribers: Subscribers

    @property
    def repository(self) -> GameRepository:
        """The storage of games."""

    @property
    def search_pool(self) -> SearchPool:
        """The pool in which computer players think."""

    @property
    def process(self) -> str:
        """The name of this server process."""

    @property
    def version(self) -> int:
        """The version of the game in memory."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine as a background task."""

    async def look(self, see: Callable[[Session, RoomState], T]) -> T:
        """Return the result of `see`, which must not change the game."""

    async def act(self, change: Callable[[Session, RoomState], T]) -> T:
        """Change the game, save it, and broadcast its new state."""

    async def resume(self) -> None:
        """Start the computer player if it is to move."""


class Computer:
    """The computer players of one room.

    Args:
        room: the room.
    """

    __slots__ = ("_leased", "_preparation", "_room", "_search", "_task", "_turn")

    def __init__(self, room: ComputerHost) -> None:
        self._room = room
        self._task: asyncio.Task[None] | None = None
        self._preparation: asyncio.Task[None] | None = None
        self._turn: Turn | None = None
        self._search: MoveSearch | None = None
        self._leased = False

    @property
    def busy(self) -> bool:
        """Whether a computer is thinking or waiting to think, or the clocks wait for the engine."""
        return _runs(self._task) or _runs(self._preparation)

    def follow(self, snapshot: Snapshot) -> None:
        """Start the search for the present turn if a computer is to move; cancel any other search."""
        waits = clocks_wait(snapshot.session, self._room.search_pool.warmup)
        if snapshot.room_state.preparing or waits:
            self.stop()
            if not _runs(self._preparation):
                self._preparation = self._room.spawn(self._prepare())
            return
        turn = self._turn_of(snapshot)
        if turn is not None and _runs(self._task) and self._turn == turn:
            return
        self.stop()
        if turn is not None:
            self._turn, self._search = turn, self._search_for(turn, snapshot)
            free = turn.awaited or snapshot.room_state.tournament is not None
            cost = 0.0 if free else thinking_costs.turn(snapshot.session)
            self._task = self._room.spawn(self._think(turn, self._search, cost))
        elif self._leased:
            self._leased = False
            self._room.spawn(self._release())

    def stop(self) -> None:
        """Cancel the running search."""
        if self._task is not None:
            self._task.cancel()
        self._task = self._search = None

    def hurry(self) -> None:
        """Make the computer answer at once, or as soon as its search starts in this process."""
        if self._search is not None:
            self._search.hurry()

    def _turn_of(self, snapshot: Snapshot) -> Turn | None:
        """Return the present turn if a computer should think now; None otherwise."""
        session, room_state = snapshot.session, snapshot.room_state
        if (turn := _turn(session, room_state)) is None:
            return None
        # A game between computers without a clock pauses while it has no viewers.
        alone = not humans(session) and session.control is None
        return None if alone and not self._attended() else turn

    def _attended(self) -> bool:
        """Return whether a client of this process views the game, and can be charged for thinking."""
        subscribers = self._room.subscribers
        return bool(subscribers.clients) or time.monotonic() - subscribers.seen < _ATTENDED

    def _search_for(self, turn: Turn, snapshot: Snapshot) -> MoveSearch:
        """Return the search for a turn's move; it can be hurried before it starts."""
        question = _question(snapshot.session, turn)
        helps = not is_unaided(snapshot.session, snapshot.room_state)
        return MoveSearch(
            self._room.search_pool,
            self._room.id if turn.awaited else None,
            question,
            lambda info: self._report(info if helps else None, question, turn.actor),
        )

    async def _think(self, turn: Turn, search: MoveSearch, cost: float) -> None:
        """Search for the turn's move and play it, once this process holds the game's lease."""
        since, lease = time.monotonic(), None
        try:
            while cost and not self._room.subscribers.pay(cost):
                await asyncio.sleep(_ASK_AGAIN)
                await self._room.resume()  # cancels this task when the game has no viewers left
            while not await self._claim():
                await asyncio.sleep(_ASK_AGAIN)
            lease = self._room.spawn(self._hold())
            answer = await search.answer(lambda: self._report_waiting("web.live.compiling", turn.actor))
            await search.rest(since + turn.pace - time.monotonic())
            await self._room.act(lambda session, room_state: _play(session, room_state, answer, turn))
        except (Refused, GameOver):
            pass  # the game has changed meanwhile
        except Overloaded as error:
            _log.warning("thinking_put_off", extra={"room": room_mark(self._room.id), "reason": str(error)})
            self._room.spawn(self._begin_again())
        except TengenError as error:
            await self._leave(error, turn)
        except Exception:
            _log.exception("thinking_failed", extra={"room": room_mark(self._room.id)})
        finally:
            if lease is not None:
                lease.cancel()

    async def _begin_again(self) -> None:
        """Start the search again after a pause, because the server was overloaded."""
        await asyncio.sleep(_ASK_AGAIN)
        with suppress(TengenError):
            await self._room.resume()

    async def _claim(self) -> bool:
        claimed = await self._room.repository.claim(self._room.id, self._room.process, _LEASE)
        self._leased = self._leased or claimed
        return claimed

    async def _hold(self) -> None:
        """Renew the lease while the computer thinks."""
        while True:
            await asyncio.sleep(_RENEW)
            with suppress(TengenError):
                await self._claim()

    async def _release(self) -> None:
        with suppress(TengenError):
            await self._room.repository.release(self._room.id, self._room.process)

    async def _leave(self, error: TengenError, turn: Turn) -> None:
        """Hand the seat of a failed computer to a human; in a tournament the computer resigns."""
        actor = turn.actor

        def change(session: Session, room_state: RoomState) -> None:
            _check_turn(session, room_state, turn)
            colour = Message(COLOURS[session.colour_of(actor)])
            values = {
                "player": player_name(session.seats[actor].name),
                "colour": colour,
                "reason": error.message,
            }
            room_state.notice = Message("web.live.player_failed", values)
            if room_state.tournament is not None:
                session.resign(actor)
                return
            if room_state.owners[actor] is None:
                others = {room_state.owners[who] for who in humans(session)}
                owner = next(iter(others)) if len(others) == 1 else room_state.creator
                tokens = next((room_state.tokens[who] for who in BOTH if room_state.tokens[who]), [])
                room_state.give(actor, owner, tokens)
            session.hand_over(actor, HUMAN)
            room_state.stepping = False

        _log.warning("player_failed", extra={"room": room_mark(self._room.id), "reason": str(error)})
        with suppress(TengenError):
            await self._room.act(change)

    # Reports during the search

    def _report(self, info: Info | None, question: MoveQuestion, actor: int) -> None:
        """Send clients a report that a computer is thinking; `info` is None where help is forbidden."""
        found = {} if info is None else info_json(question.board, info)
        said = {"type": "thinking", "by": actor, **found}
        self._room.spawn(self._room.subscribers.send_everywhere(said))

    def _report_waiting(self, key: str, actor: int | None) -> None:
        self._room.spawn(self._room.subscribers.send_everywhere(self._waiting(key, actor)))

    def _waiting(self, key: str, actor: int | None) -> Json:
        percent = round(100 * self._room.search_pool.warmup.done)
        return {"type": "thinking", "by": actor, "message": Message(key, {"percent": percent}).to_dict()}

    def waiting(self, snapshot: Snapshot) -> Json | None:
        """Return the message to a new client while a computer waits for the engine; None if none does."""
        actor = snapshot.session.actor
        if snapshot.room_state.preparing:
            return self._waiting(_CLOCKS_WAIT, actor)
        if self._search is None or not self._search.waits:
            return None
        return self._waiting("web.live.compiling", actor)

    # Clocks that wait for the engine

    async def _prepare(self) -> None:
        """Pause the clocks until the engine is ready."""

        def stop(session: Session, room_state: RoomState) -> None:
            if not session.paused:
                session.pause()
                room_state.preparing = True

        def go_on(session: Session, room_state: RoomState) -> None:
            if room_state.preparing:
                room_state.preparing = False
                if session.paused and session.result is None:
                    session.resume()

        with suppress(TengenError):
            await self._room.act(stop)
            with suppress(EngineFailed):  # the computer's own search fails later, and hands its seat over
                await self._room.search_pool.warmup.wait(lambda: self._report_waiting(_CLOCKS_WAIT, None))
            await self._room.act(go_on)

    # Hints

    async def hint(self, sender: Sender, hold: Callable[[MoveSearch], object] = lambda _: None) -> Json:
        """Return a strong player's suggestion for the present turn.

        Args:
            sender: the player to move.
            hold: receives the search, which can be hurried.

        Raises:
            NeedsToken, NotYourSeat: the sender is not a player.
            GameOver: the game is over.
            NotAllowed: the sender is not to move.
            Refused: help is forbidden in this game, another person plays too, or the game has changed
                meanwhile.
            TooManyRequests: the sender has exceeded its quota of hints.
        """
        pool = self._room.search_pool

        def see(session: Session, room_state: RoomState) -> tuple[MoveQuestion, int]:
            actor, own = session.actor, sender.own(room_state)
            if actor is None:
                raise GameOver("error.session.over")
            if actor not in own or session.seats[actor].occupant != HUMAN:
                raise NotAllowed("error.session.turn")
            if is_unaided(session, room_state) or not sender.controls(session, room_state):
                raise Refused("error.web.no_hints")
            spec, limit = adviser(session.rules, pool.warmup.ready)
            return MoveQuestion(spec, session.board, session.opening, limit), self._room.version

        question, version = await self._room.look(see)
        sender.pay(thinking_costs.HINT)
        search = MoveSearch(pool, f"hint {self._room.id}", question, kind="hint")
        hold(search)
        answer = await search.answer()
        if await self._room.look(lambda *_: self._room.version) != version:
            raise Refused("error.web.late")
        if isinstance(answer, str):
            return {"point": None, "score": None, "option": answer}
        score = None if answer.score is None else score_json(answer.score)
        return {"point": question.board.name(answer.point), "score": score, "option": None}


def clocks_wait(session: Session, warmup: Warmup) -> bool:
    """Return whether a game's clocks must wait because a player needs the engine, not yet compiled."""
    if session.control is None or session.actor is None or session.paused or warmup.status != "compiling":
        return False
    return any(seat.occupant != HUMAN and needs_engine(seat.name) for seat in session.seats.values())


def _runs(task: asyncio.Task[None] | None) -> bool:
    return task is not None and not task.done()


def _turn(session: Session, room_state: RoomState) -> Turn | None:
    """Return the present turn if a computer is to move in a running game; None otherwise."""
    actor = session.actor
    if actor is None or session.paused or session.seats[actor].occupant == HUMAN:
        return None
    awaited = bool(humans(session))
    pace = 0.0 if awaited or room_state.stepping else room_state.pace
    return Turn(actor, session.seats[actor].name, session.actions, pace, awaited)


def _check_turn(session: Session, room_state: RoomState, turn: Turn) -> None:
    """Check that a turn is still the present one."""
    if _turn(session, room_state) != turn:
        raise Refused("error.web.late")


def _question(session: Session, turn: Turn) -> MoveQuestion:
    """Return the question to the player for a turn."""
    clock = session.clock(turn.actor)
    limit = None if clock is None else clock_limit(turn.spec, clock)
    return MoveQuestion(turn.spec, session.board, session.opening, limit)


def _play(session: Session, room_state: RoomState, answer: PlayerAnswer, turn: Turn) -> None:
    """Play a computer's answer; if the game runs for a single step, pause it again."""
    _check_turn(session, room_state, turn)
    session.apply(answer, turn.actor)
    if room_state.stepping:
        room_state.stepping = False
        if session.result is None:
            session.pause()
