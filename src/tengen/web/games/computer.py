"""A room's computer players: searching for their moves.

Only the process that holds the game's lease runs them. A search is cancelled as soon as the game changes
without it: a move is taken back, the seat is handed over, or the flag falls.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from tengen.engine.info import Info
from tengen.game.course import Action
from tengen.game.errors import GameOver, TengenError
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.players.levels import needs_engine
from tengen.players.names import player_name
from tengen.schemas.analysis import InfoData
from tengen.schemas.game_messages import FindingMessage, ThinkingMessage, WaitingMessage
from tengen.schemas.points import COLOURS
from tengen.schemas.sentence import Sentence
from tengen.web.computing import thinking_costs
from tengen.web.computing.engine_warmup import EngineFailed, Warmup
from tengen.web.games import game_rows
from tengen.web.games.game import Game
from tengen.web.games.move_question import MoveQuestion, PlayerAnswer
from tengen.web.games.move_search import MoveSearch
from tengen.web.games.processes import LocalProcess
from tengen.web.games.subscribers import Subscribers
from tengen.web.games.thinking_time import clock_limit
from tengen.web.transport.errors import Overloaded, Refused
from tengen.web.transport.logs import room_mark
from tengen.words import Message

_LEASE = 20.0
"""The duration of a game's lease in seconds, unless the process renews it."""

_RENEW = 7.0
"""Seconds between two renewals of the lease."""

_RETRY = 1.0
"""Seconds between two attempts to acquire a lease, to charge for thinking, or to resume after a failure."""

_CLOCKS_WAIT = "web.live.preparing"

_ATTENDED = 60.0
"""Seconds for which a game between computers continues after a client has last viewed it."""

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


class Computer:
    """The computer players of one room.

    Args:
        game: the game's id.
        process: the server process that hosts the room.
        subscribers: the game's clients.
        act: changes the game, saves it, and broadcasts its new state.
        resume: starts the computer player if it is to move.
    """

    __slots__ = (
        "_act",
        "_game",
        "_leased",
        "_preparation",
        "_process",
        "_resume",
        "_search",
        "_subscribers",
        "_task",
        "_turn",
    )

    def __init__(
        self,
        game: str,
        process: LocalProcess,
        subscribers: Subscribers,
        act: Callable[[Callable[[Game], None]], Awaitable[None]],
        resume: Callable[[], Awaitable[None]],
    ) -> None:
        self._game = game
        self._process = process
        self._subscribers = subscribers
        self._act = act
        self._resume = resume
        self._task: asyncio.Task[None] | None = None
        self._preparation: asyncio.Task[None] | None = None
        self._turn: Turn | None = None
        self._search: MoveSearch | None = None
        self._leased = False

    @property
    def busy(self) -> bool:
        """Return whether a computer is thinking or waiting to think, or the clocks wait for the engine."""
        return _is_running(self._task) or _is_running(self._preparation)

    def follow(self, game: Game) -> None:
        """Start the search for the present turn if a computer is to move; cancel any other search."""
        waits = clocks_wait(game.session, self._process.search_pool.warmup)
        if game.settings.preparing or waits:
            self.stop()
            if not _is_running(self._preparation):
                self._preparation = self._process.spawn(self._prepare())
            return
        turn = self._turn_of(game)
        if turn is not None and _is_running(self._task) and self._turn == turn:
            return
        self.stop()
        if turn is not None:
            self._turn, self._search = turn, self._search_for(turn, game)
            free = turn.awaited or game.settings.organiser is not None
            cost = 0.0 if free else thinking_costs.turn(game.session)
            self._task = self._process.spawn(self._think(turn, self._search, cost))
        elif self._leased:
            self._leased = False
            self._process.spawn(self._release())

    def stop(self) -> None:
        """Cancel the running search."""
        if self._task is not None:
            self._task.cancel()
        self._task = self._search = None

    def hurry(self) -> None:
        """Make the computer answer at once, or as soon as its search starts in this process."""
        if self._search is not None:
            self._search.hurry()

    def _turn_of(self, game: Game) -> Turn | None:
        """Return the present turn if a computer should think now; None otherwise."""
        if (turn := _turn(game)) is None:
            return None
        # A game between computers without a clock pauses while it has no viewers.
        alone = not game.humans and game.session.control is None
        return None if alone and not self._attended() else turn

    def _attended(self) -> bool:
        """Return whether a client of this process views the game, and can be charged for thinking."""
        subscribers = self._subscribers
        return bool(subscribers.clients) or time.monotonic() - subscribers.last_viewed < _ATTENDED

    def _search_for(self, turn: Turn, game: Game) -> MoveSearch:
        """Return the search for a turn's move; it can be hurried before it starts."""
        question = _question(game.session, turn)
        helps = not game.is_unaided
        return MoveSearch(
            self._process.search_pool,
            self._game if turn.awaited else None,
            question,
            lambda info: self._report(info if helps else None, question, turn.actor),
        )

    async def _think(self, turn: Turn, search: MoveSearch, cost: float) -> None:
        """Search for the turn's move and play it, once this process holds the game's lease."""
        since, lease = time.monotonic(), None
        try:
            while cost and not self._subscribers.charge(cost):
                await asyncio.sleep(_RETRY)
                await self._resume()  # cancels this task when the game has no viewers left
            while not await self._claim():
                await asyncio.sleep(_RETRY)
            lease = self._process.spawn(self._renew_lease())
            answer = await search.answer(lambda: self._report_waiting("web.live.compiling", turn.actor))
            await search.rest(since + turn.pace - time.monotonic())
            await self._act(lambda game: _play(game, answer, turn))
        except (Refused, GameOver):
            pass  # the game has changed meanwhile
        except Overloaded as error:
            _log.warning("thinking_put_off", extra={"room": room_mark(self._game), "reason": str(error)})
            self._process.spawn(self._search_again())
        except TengenError as error:
            await self._hand_over(error, turn)
        except Exception:
            _log.exception("thinking_failed", extra={"room": room_mark(self._game)})
        finally:
            if lease is not None:
                lease.cancel()

    async def _search_again(self) -> None:
        """Start the search again after a pause, because the server was overloaded."""
        await asyncio.sleep(_RETRY)
        with suppress(TengenError):
            await self._resume()

    async def _claim(self) -> bool:
        write, owner = self._process.repository.write, self._process.name
        claimed = await write(self._game, game_rows.claim, self._game, owner, time.time(), _LEASE)
        self._leased = self._leased or claimed
        return claimed

    async def _renew_lease(self) -> None:
        """Renew the lease while the computer thinks."""
        while True:
            await asyncio.sleep(_RENEW)
            with suppress(TengenError):
                await self._claim()

    async def _release(self) -> None:
        with suppress(TengenError):
            write, owner = self._process.repository.write, self._process.name
            await write(self._game, game_rows.release, self._game, owner)

    async def _hand_over(self, error: TengenError, turn: Turn) -> None:
        """Hand the seat of a failed computer to a human; in a tournament the computer resigns."""
        actor = turn.actor

        def change(game: Game) -> None:
            _check_turn(game, turn)
            session, settings = game.session, game.settings
            colour = Message(COLOURS[session.colour_of(actor)])
            values = {
                "player": player_name(session.seats[actor].name),
                "colour": colour,
                "reason": error.message,
            }
            settings.notice = Message("web.live.player_failed", values)
            if settings.organiser is not None:
                session.resign(actor)
                return
            if settings.holders[actor].visitor is None:
                others = {settings.holders[who].visitor for who in game.humans}
                owner = next(iter(others)) if len(others) == 1 else settings.creator
                tokens = next((holder.tokens for holder in settings.holders.values() if holder.tokens), [])
                game.give(actor, owner, tokens)
            session.hand_over(actor, HUMAN)
            settings.stepping = False

        _log.warning("player_failed", extra={"room": room_mark(self._game), "reason": str(error)})
        with suppress(TengenError):
            await self._act(change)

    # Reports during the search

    def _report(self, info: Info | None, question: MoveQuestion, actor: int) -> None:
        """Send clients a report that a computer is thinking; `info` is None where help is forbidden."""
        message: ThinkingMessage | FindingMessage = ThinkingMessage(by=actor)
        if info is not None:
            message = FindingMessage(by=actor, **dict(InfoData.of(question.board.rules, info)))
        self._process.spawn(self._subscribers.send_everywhere(message))

    def _report_waiting(self, key: str, actor: int | None) -> None:
        self._process.spawn(self._subscribers.send_everywhere(self._waiting(key, actor)))

    def _waiting(self, key: str, actor: int | None) -> WaitingMessage:
        return WaitingMessage(by=actor, message=Sentence.of(Message(key)))

    def waiting(self, game: Game) -> WaitingMessage | None:
        """Return the message to a new client while a computer waits for the engine; None if none does."""
        actor = game.session.actor
        if game.settings.preparing:
            return self._waiting(_CLOCKS_WAIT, actor)
        if self._search is None or not self._search.waits:
            return None
        return self._waiting("web.live.compiling", actor)

    # Clocks that wait for the engine

    async def _prepare(self) -> None:
        """Pause the clocks until the engine is ready."""

        def stop(game: Game) -> None:
            if not game.session.paused:
                game.session.pause()
                game.settings.preparing = True

        def go_on(game: Game) -> None:
            if game.settings.preparing:
                game.settings.preparing = False
                if game.session.paused and game.session.result is None:
                    game.session.resume()

        with suppress(TengenError):
            await self._act(stop)
            with suppress(EngineFailed):  # the computer's own search fails later, and hands its seat over
                await self._process.search_pool.warmup.wait(
                    lambda: self._report_waiting(_CLOCKS_WAIT, None)
                )
            await self._act(go_on)


def clocks_wait(session: Session, warmup: Warmup) -> bool:
    """Return whether a game's clocks must wait because a player needs the engine, not yet compiled."""
    if session.control is None or session.actor is None or session.paused or warmup.status != "compiling":
        return False
    return any(seat.occupant != HUMAN and needs_engine(seat.name) for seat in session.seats.values())


def _is_running(task: asyncio.Task[None] | None) -> bool:
    return task is not None and not task.done()


def _turn(game: Game) -> Turn | None:
    """Return the present turn if a computer is to move in a running game; None otherwise."""
    session, actor = game.session, game.session.actor
    if actor is None or session.paused or session.seats[actor].occupant == HUMAN:
        return None
    awaited = bool(game.humans)
    pace = 0.0 if awaited or game.settings.stepping else game.settings.pace
    return Turn(actor, session.seats[actor].name, session.actions, pace, awaited)


def _check_turn(game: Game, turn: Turn) -> None:
    """Check that a turn is still the present turn."""
    if _turn(game) != turn:
        raise Refused("error.web.late")


def _question(session: Session, turn: Turn) -> MoveQuestion:
    """Return the question to the player for a turn."""
    clock = session.clock(turn.actor)
    limit = None if clock is None else clock_limit(turn.spec, clock)
    return MoveQuestion(turn.spec, session.board, session.opening, limit)


def _play(game: Game, answer: PlayerAnswer, turn: Turn) -> None:
    """Play a computer's answer; if the game runs for a single step, pause it again."""
    _check_turn(game, turn)
    game.session.apply(answer, turn.actor)
    if game.settings.stepping:
        game.settings.stepping = False
        if game.session.result is None:
            game.session.pause()
