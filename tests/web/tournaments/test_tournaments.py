"""Tournaments on a server: real games, computers, clocks, withdrawals, restarts, several processes."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from tengen.game.board import Board
from tengen.game.errors import NotAllowed, RulesError
from tengen.schemas.base import Json
from tengen.web.database import tables
from tengen.web.games import game_lists, visitor_rows
from tengen.web.games.commands import HandOver, Pause, SwapSides
from tengen.web.games.game import Sender
from tengen.web.games.rooms import Rooms
from tengen.web.games.terms import GameTerms
from tengen.web.games.visitor_rows import VisitorData
from tengen.web.tournaments import tournament_rows
from tengen.web.tournaments.online_tournament import Meeting, OnlineTournament, TournamentOptions
from tengen.web.tournaments.tournaments import Tournaments
from tengen.web.transport.channel import Channel
from tengen.web.transport.errors import NoSuchGame, NotYourSeat, Refused, WrongFields
from tengen.web.transport.settings import ServerSettings
from tests.web.postgres import Cluster
from tests.web.world import FRIEND, ME, World, gate_before, in_world, play, process_of, state, until

OTHER = "o" * 22
PATIENCE = 60.0
NAMES = {ME: "Mia", FRIEND: "Finn", OTHER: "Olga"}
OPTIONS = TournamentOptions("Cup", "round-robin", 1, GameTerms(Board("tictactoe"), None, "300", 0))


@dataclass(eq=False)
class Looker(Channel):
    """Somebody who looks at a tournament.

    Attributes:
        visitor: who.
        shown: the tournament as it was told last.
    """

    visitor: str | None = None
    shown: Json = field(default_factory=dict)

    def send(self, text: str, about: Hashable = None) -> None:
        self.shown = json.loads(text)["tournament"]


@asynccontextmanager
async def tournaments_of(rooms: Rooms, **given: Any) -> AsyncIterator[Tournaments]:
    tournaments = Tournaments(rooms.repository, rooms.process.bus, rooms, **given)
    await tournaments.start()
    try:
        yield tournaments
    finally:
        await tournaments.close()


@asynccontextmanager
async def server(world: World, **given: Any) -> AsyncIterator[tuple[Rooms, Tournaments]]:
    async with world.process() as rooms, tournaments_of(rooms, **given) as tournaments:
        yield rooms, tournaments


async def data_of(rooms: Rooms, visitor: str) -> VisitorData:
    """What is stored of a visitor."""
    return (await rooms.repository.read(visitor_rows.visitors_data, [visitor])).get(visitor, VisitorData())


async def entered(tournaments: Tournaments, *visitors: str, **changed: Any) -> str:
    """A tournament that these visitors have entered; its id."""
    clock = changed.pop("clock", "300")
    terms = replace(OPTIONS.terms, clock=clock)
    made = await tournaments.create(ME, replace(OPTIONS, terms=terms, **changed))
    for visitor in visitors:
        await tournaments.enter(made.id, visitor, NAMES[visitor])
    return made.id


async def when(
    tournaments: Tournaments, which: str, true: Callable[[OnlineTournament], bool]
) -> OnlineTournament:
    """A tournament once it is so."""
    async with asyncio.timeout(PATIENCE):
        while not true(found := await tournaments.find(which)):
            await asyncio.sleep(0.01)
    return found


def over(tournament: OnlineTournament) -> bool:
    return tournament.status == "over"


def owner(tournament: OnlineTournament, number: int) -> str:
    visitor = tournament.entrant(number).visitor
    assert visitor is not None
    return visitor


async def resign(rooms: Rooms, game: str | None, visitor: str) -> None:
    assert game is not None
    with rooms.room(game) as room:
        # A computer may move meanwhile, so that no version can be named.
        await room.act(lambda game: game.session.resign(min(game.seats_of(Sender(visitor)))))


async def give_up(rooms: Rooms, tournament: OnlineTournament, meeting: Meeting) -> None:
    """Have the second one of a meeting resign."""
    await resign(rooms, meeting.game, owner(tournament, meeting.second))


def points(tournament: OnlineTournament) -> dict[str, float]:
    return {
        one.name or str(one.player): row.standing.points
        for row in tournament.table()
        for one in (tournament.entrant(row.entrant),)
    }


@in_world
async def test_two_friends_play_a_double_round_robin(world: World) -> None:
    async with server(world) as (rooms, tournaments):
        which = await entered(tournaments, ME, FRIEND, rounds=2)
        looker = Looker(FRIEND)
        await tournaments.attach(which, looker)
        assert (looker.shown["status"], looker.shown["made"], looker.shown["you"]) == ("open", False, 2)
        assert ME not in str(looker.shown)
        assert FRIEND not in str(looker.shown), "whose cookie it is, is nobody's business"
        begun = await tournaments.begin(which, ME)
        await until(lambda: looker.shown["status"] == "running")
        (meeting,) = begun.rounds[0].meetings
        first, second = owner(begun, meeting.first), owner(begun, meeting.second)
        assert meeting.game is not None
        now = await state(rooms, meeting.game)
        assert [seat["name"] for seat in now["seats"]] == [NAMES[first], NAMES[second]]
        assert (now["tournament"], now["control"]) == (which, "300")
        for ply, point in enumerate(("a1", "a3", "b1", "b3", "c1")):
            await play(rooms, meeting.game, point, ply, (first, second)[ply % 2])
        await until(lambda: len(looker.shown["played"]) == 2)
        told = looker.shown["played"][0]["meetings"][0]
        assert (told["points"], told["reason"]) == (1, "five")
        following = await tournaments.find(which)
        (meeting,) = following.rounds[1].meetings
        assert owner(following, meeting.first) == second, "the colours are exchanged"
        await resign(rooms, meeting.game, first)
        await until(lambda: looker.shown["status"] == "over")
        assert [row["points"] for row in looker.shown["table"]] == [1, 1]
        assert [row["place"] for row in looker.shown["table"]] == [1, 1]
        for visitor in (ME, FRIEND):
            assert (await rooms.repository.read(game_lists.games_of, visitor))[1] == 2
            assert [one.id for one in await tournaments.of_visitor(visitor)] == [which]
        assert await tournaments.of_visitor(OTHER) == []


@in_world
async def test_computers_play_a_whole_swiss_tournament(world: World) -> None:
    async with server(world) as (_, tournaments):
        which = await entered(tournaments, kind="swiss", rounds=3)
        for player in ("random", "lines", "lookup"):
            await tournaments.add_computer(which, ME, player)
        with pytest.raises(WrongFields):
            await tournaments.add_computer(which, ME, "level:10")
        await tournaments.begin(which, ME)
        ended = await when(tournaments, which, over)
        assert sorted(one.bye or 0 for one in ended.rounds) == [1, 2, 3]
        assert sum(points(ended).values()) == 6
        assert all(meeting.reason in ("five", "full") for one in ended.rounds for meeting in one.meetings)


@in_world
async def test_who_comes_late_plays_in_the_next_round(world: World) -> None:
    async with server(world) as (rooms, tournaments):
        which = await entered(tournaments, ME, FRIEND, kind="swiss", rounds=2)
        begun = await tournaments.begin(which, ME)
        looker = Looker(OTHER)
        await tournaments.attach(which, looker)
        assert (looker.shown["last_entry"], looker.shown["you"]) == (1, None)
        late = await tournaments.enter(which, OTHER, NAMES[OTHER])
        assert [meeting.game for meeting in late.rounds[0].meetings] == [begun.rounds[0].meetings[0].game]
        await until(lambda: looker.shown["you"] == 3)
        await give_up(rooms, begun, begun.rounds[0].meetings[0])
        following = await when(tournaments, which, lambda one: len(one.rounds) == 2)
        (meeting,) = following.rounds[1].meetings
        assert 3 in (meeting.first, meeting.second)
        assert meeting.game is not None
        assert (await rooms.repository.read(game_lists.games_of, OTHER))[1] == 1
        assert [one.id for one in await tournaments.of_visitor(OTHER)] == [which]


@in_world
async def test_people_and_computers(world: World) -> None:
    async with server(world) as (rooms, tournaments):
        which = await entered(tournaments, ME, FRIEND)
        await tournaments.add_computer(which, ME, "random")
        await tournaments.begin(which, ME)
        for turn in range(3):
            found = await when(tournaments, which, lambda one, turn=turn: len(one.rounds) == turn + 1)  # type: ignore[misc]
            (meeting,) = found.rounds[-1].meetings
            people = [
                one for one in (meeting.first, meeting.second) if found.entrant(one).visitor is not None
            ]
            await resign(rooms, meeting.game, owner(found, people[-1]))
        ended = await when(tournaments, which, over)
        assert points(ended)["random"] == 2


@in_world
async def test_nobody_helps_in_a_game_of_a_tournament(world: World) -> None:
    async with server(world) as (rooms, tournaments):
        which = await entered(tournaments, ME)
        await tournaments.add_computer(which, ME, "mcts,playouts=200000")
        begun = await tournaments.begin(which, ME)
        game = begun.rounds[0].meetings[0].game
        assert game is not None
        with rooms.room(game) as room:
            version = (await room.state()).version
            mine = await room.read(lambda game: min(game.seats_of(Sender(ME))))
            for message in (
                HandOver(type="hand_over", participant=1 if mine == 1 else 2, occupant="random"),
                Pause(type="pause", version=version),
                SwapSides(type="swap_sides", version=version),
            ):
                with pytest.raises(Refused, match="not possible in a tournament game"):
                    await room.apply(message, Sender(ME))
            with pytest.raises((Refused, NotAllowed)):
                await room.hint(Sender(ME))
            with pytest.raises(Refused, match="not possible in a tournament game"):
                await room.hurry(Sender(ME))
            with pytest.raises(Refused):
                await room.send_phrase("hello", Sender(ME))
        await resign(rooms, game, ME)
        with pytest.raises(Refused, match="not possible in a tournament game"):
            await rooms.again(game, Sender(ME), swap=False)


class _Broken:
    """A seat whose player cannot be made."""

    name = "shapes:nonsense"

    def choose(self, *_: Any) -> Any:
        raise NotImplementedError

    def explain(self, *_: Any) -> Any:
        raise NotImplementedError


@in_world
async def test_a_computer_that_fails_resigns(world: World) -> None:
    async with server(world) as (rooms, tournaments):
        which = await entered(tournaments, ME)
        await tournaments.add_computer(which, ME, "mcts,playouts=200000")
        begun = await tournaments.begin(which, ME)
        (meeting,) = begun.rounds[0].meetings
        computer = 1 if meeting.first == 2 else 2
        assert meeting.game is not None
        with rooms.room(meeting.game) as room:
            await room.act(lambda game: game.session.hand_over(computer, _Broken()))
            if computer == 2:
                await play(rooms, meeting.game, "b2", 0)
        (ended,) = (await when(tournaments, which, over)).rounds[0].meetings
        assert (ended.points, ended.reason) == (float(computer == 2), "resigned")
        now = await state(rooms, meeting.game)
        assert now["notice"]["key"] == "web.live.player_failed"
        assert now["seats"][computer - 1]["occupant"] == "shapes:nonsense"


@in_world
async def test_what_nobody_has_changed_for_long_is_deleted(world: World) -> None:
    async with server(world) as (rooms, tournaments):
        which = await entered(tournaments, ME, FRIEND)
        await rooms.repository.write("", tournament_rows.delete_unused, 0.0)
        assert (await tournaments.find(which)).id == which
        await rooms.repository.write("", tournament_rows.delete_unused, time.time() + 60)
        with pytest.raises(NoSuchGame):
            await tournaments.find(which)
        assert await tournaments.of_visitor(FRIEND) == []


@in_world
async def test_a_game_that_was_deleted_counts_for_nobody(world: World) -> None:
    async with server(world, beat=0.05) as (rooms, tournaments):
        which = await entered(tournaments, ME, FRIEND)
        (meeting,) = (await tournaments.begin(which, ME)).rounds[0].meetings
        statement = tables.games.delete().where(tables.games.c.id == meeting.game)
        await rooms.repository.write("", lambda connection: connection.execute(statement))
        for room in tuple(rooms._rooms.values()):
            await room.close()
        (ended,) = (await when(tournaments, which, over)).rounds[0].meetings
        assert (ended.points, ended.reason) == (None, "void")


@in_world
async def test_who_does_not_come_loses_by_the_clock(world: World) -> None:
    async with server(world) as (_, tournaments):
        which = await entered(tournaments, ME, FRIEND, clock="0.2")
        await tournaments.begin(which, ME)
        ended = await when(tournaments, which, over)
        (meeting,) = ended.rounds[0].meetings
        assert (meeting.points, meeting.reason) == (0, "time")


@in_world
async def test_who_withdraws_gives_the_game_up(world: World) -> None:
    async with server(world) as (rooms, tournaments):
        which = await entered(tournaments, ME, FRIEND, OTHER)
        begun = await tournaments.begin(which, ME)
        with pytest.raises(NotYourSeat):
            await tournaments.withdraw(which, FRIEND, 1)
        (meeting,) = begun.rounds[0].meetings
        gone = meeting.first
        await tournaments.withdraw(which, owner(begun, gone), None)
        found = await when(tournaments, which, lambda one: len(one.rounds) > 1)
        assert (found.rounds[0].meetings[0].points, found.rounds[0].meetings[0].reason) == (0, "resigned")
        found = await when(tournaments, which, lambda one: any(one.going_on()) or over(one))
        for one in found.going_on():
            await give_up(rooms, found, one)
        ended = await when(tournaments, which, over)
        reasons = [meeting.reason for one in ended.rounds for meeting in one.meetings]
        assert sorted(reasons) == ["resigned", "resigned", "walkover"]
        assert ended.table()[-1].entrant == gone


@in_world
async def test_it_goes_on_after_the_server_was_killed(world: World) -> None:
    async with AsyncExitStack() as killed:
        rooms, tournaments = await killed.enter_async_context(server(world))
        which = await entered(tournaments, ME, FRIEND, OTHER)
        begun = await tournaments.begin(which, ME)
        (meeting,) = begun.rounds[0].meetings
        # The server goes between the end of a game and what follows from it.
        tournaments._unsubscribe()
        await give_up(rooms, begun, meeting)
        for task in tournaments._tasks:
            task.cancel()
        assert len((await tournaments.find(which)).rounds) == 1
        async with server(world) as (there, after):
            for turn in (2, 3):
                found = await when(after, which, lambda one, turn=turn: len(one.rounds) == turn)  # type: ignore[misc]
                await give_up(there, found, found.rounds[-1].meetings[0])
            assert sum(points(await when(after, which, over)).values()) == 3


@in_world
@pytest.mark.long
async def test_clocks_run_on_after_a_restart_without_anybody(world: World) -> None:
    async with server(world) as (_, tournaments):
        which = await entered(tournaments, ME, FRIEND, clock="2")
        await tournaments.begin(which, ME)
    async with server(world) as (_, tournaments):
        assert (await when(tournaments, which, over)).rounds[0].meetings[0].reason == "time"


@in_world
async def test_what_is_kept_is_shown_and_a_failed_round_begins_again(world: World) -> None:
    async with server(world, beat=0.05) as (rooms, tournaments):
        which = await entered(tournaments, ME, FRIEND, rounds=2)
        begun = await tournaments.begin(which, ME)
        with gate_before(rooms.repository, tournament_rows.save) as gate:
            await give_up(rooms, begun, begun.rounds[0].meetings[0])
            await gate.reached.wait()
            assert len((await tournaments.find(which)).rounds) == 1
        found = await when(tournaments, which, lambda one: len(one.rounds) == 2)
        assert (await rooms.repository.read(game_lists.games_of, ME))[1] == 2, (
            "and only one of those who look begins it"
        )
        assert found.version > begun.version


@in_world
async def test_of_two_changes_at_the_same_time_both_are_made(world: World) -> None:
    async with server(world) as (_, first), server(world) as (_, second):
        which = await entered(first)
        visitors = [f"{number:022}" for number in range(6)]
        await asyncio.gather(
            *(
                (first, second)[number % 2].enter(which, visitor, f"name {number}")
                for number, visitor in enumerate(visitors)
            )
        )
        found = await first.find(which)
        assert sorted(one.name for one in found.entrants) == [f"name {number}" for number in range(6)]
        assert sorted(one.id for one in found.entrants) == [1, 2, 3, 4, 5, 6]


@in_world
async def test_what_cannot_be_is_refused(world: World) -> None:
    async with server(world) as (_, tournaments):
        for terms in (
            replace(OPTIONS.terms, opening="soosyrv-9"),
            replace(OPTIONS.terms, clock="soon"),
        ):
            with pytest.raises(RulesError):
                await tournaments.create(ME, replace(OPTIONS, terms=terms))
        for unknown in ("none", "\0", "天"):
            with pytest.raises(NoSuchGame):
                await tournaments.enter(unknown, ME, "Mia")
            with pytest.raises(NoSuchGame):
                await tournaments.attach(unknown, Looker())
        which = await entered(tournaments, ME)
        with pytest.raises(Refused, match="not playing"):
            await tournaments.withdraw(which, FRIEND, None)
        await tournaments.withdraw(which, ME, None)
        assert (await tournaments.find(which)).entrants == []


@in_world
async def test_who_enters_is_called_so_elsewhere_too(world: World) -> None:
    async with server(world) as (rooms, tournaments):
        which = await entered(tournaments, ME)
        assert (await data_of(rooms, ME)).name == "Mia"
        with pytest.raises(Refused):
            await tournaments.enter(which, FRIEND, "mia")
        assert (await data_of(rooms, FRIEND)).name == ""


@pytest.mark.long
async def test_several_processes_with_postgresql_play_one_tournament(
    postgres: Cluster, tmp_path: Path
) -> None:
    settings = ServerSettings(data=tmp_path, database=postgres.new_database())
    async with (
        process_of(settings) as here,
        process_of(settings) as there,
        tournaments_of(here) as first,
        tournaments_of(there) as second,
    ):
        which = await entered(first, ME)
        looker = Looker(FRIEND)
        await second.attach(which, looker)
        await second.enter(which, FRIEND, "Finn")
        await second.add_computer(which, ME, "random")
        await until(lambda: len(looker.shown["entrants"]) == 3)
        await first.begin(which, ME)
        await until(lambda: looker.shown["status"] == "running")
        for turn in range(3):
            await until(lambda turn=turn: len(looker.shown["played"]) == turn + 1)  # type: ignore[misc]
            found = await second.find(which)
            (one,) = found.rounds[-1].meetings
            people = [who for who in (one.first, one.second) if found.entrant(who).visitor]
            # Whoever plays is connected to either process.
            await resign((here, there)[turn % 2], one.game, owner(found, people[0]))
        await until(lambda: looker.shown["status"] == "over")
        assert sum(row["points"] for row in looker.shown["table"]) == 3
        assert (await here.repository.read(game_lists.games_of, ME))[1] == 2
