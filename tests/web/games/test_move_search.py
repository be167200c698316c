from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest

from tengen.engine.info import Info
from tengen.executors import Workers, open_workers
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.opening_rules import Opening
from tengen.game.player import Choice, Limit
from tengen.game.rules import Rules
from tengen.players.levels import Level
from tengen.players.registry import player
from tengen.web.computing.engine_warmup import EngineFailed, Warmup
from tengen.web.computing.search_pool import PATIENCE, SearchPool
from tengen.web.games.hints import adviser
from tengen.web.games.move_question import MoveQuestion, NoAnswer
from tengen.web.games.move_search import MoveSearch
from tests.web.world import compile_engine

BOARD = Board.from_moves("h8i9")
LONG = "mcts,playouts=200000"


def pool_of(threads: Workers, processes: Workers, warmup: Warmup, patience: float = PATIENCE) -> SearchPool:
    """A pool whose analysis shares the engine's threads."""
    return SearchPool(threads, processes, threads, warmup, patience)


@pytest.fixture(scope="module")
def threads() -> Iterator[Workers]:
    with open_workers("threads", 1) as workers:
        yield workers


@pytest.fixture(scope="module")
def processes() -> Iterator[Workers]:
    with open_workers("processes", 1) as workers:
        yield workers


async def test_a_player_answers_from_its_process_as_it_would_here(
    threads: Workers, processes: Workers
) -> None:
    pool = pool_of(threads, processes, Warmup())
    for spec in ("shapes", "level:2", "minimax,depth=2"):
        answer = await MoveSearch(pool, "game", MoveQuestion(spec, BOARD)).answer()
        assert isinstance(answer, Choice)
        assert answer.point == player(spec).choose(BOARD).point


async def test_a_player_decides_in_an_opening(threads: Workers, processes: Workers) -> None:
    pool = pool_of(threads, processes, Warmup())
    opening = Opening.replay("swap2", "freestyle", ["h8", "i9", "j10"])
    said = await MoveSearch(pool, "game", MoveQuestion("shapes", opening.board.copy(), opening)).answer()
    assert said in ("black", "white")
    opening = Opening.replay("swap2", "freestyle", ["h8", "i9"])
    placed = await MoveSearch(pool, "game", MoveQuestion("shapes", opening.board.copy(), opening)).answer()
    assert isinstance(placed, Choice)
    opening.answer(placed.point)


async def test_hurry_brings_the_best_so_far(threads: Workers, processes: Workers) -> None:
    pool = pool_of(threads, processes, Warmup())
    await MoveSearch(pool, "game", MoveQuestion("random", BOARD)).answer()  # its process is there
    asked = MoveSearch(pool, "game", MoveQuestion(LONG, BOARD))
    thinking = asyncio.create_task(asked.answer())
    await asyncio.sleep(0.5)
    assert not thinking.done()
    asked.hurry()
    answer = await thinking
    assert isinstance(answer, Choice)
    assert 0 < answer.nodes < 200_000
    # Whoever is in a hurry before it has begun is answered at once too.
    asked = MoveSearch(pool, "game", MoveQuestion(LONG, BOARD))
    asked.hurry()
    answer = await asked.answer()
    assert isinstance(answer, Choice)
    assert answer.nodes < 200_000


@pytest.mark.long
async def test_a_question_that_is_called_off_makes_room_for_the_next(
    threads: Workers, processes: Workers
) -> None:
    pool = pool_of(threads, processes, Warmup())
    thinking = asyncio.create_task(MoveSearch(pool, "game", MoveQuestion(Patient.name, BOARD)).answer())
    await asyncio.sleep(0.3)
    thinking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await thinking
    async with asyncio.timeout(60):
        await MoveSearch(pool, "game", MoveQuestion("random,seed=1", BOARD)).answer()


@pytest.mark.long
async def test_who_takes_too_long_is_hurried(threads: Workers, processes: Workers) -> None:
    pool = pool_of(threads, processes, Warmup(), patience=0.3)
    answer = await MoveSearch(pool, "game", MoveQuestion(LONG, BOARD)).answer()
    assert isinstance(answer, Choice)


class Stubborn:
    """A player that does not look at its stop signal, as `py:` classes of careless people."""

    name = "py:tests.web.games.test_move_search:Stubborn"

    def choose(self, board, limit=None, stop=None):
        """Think for an hour."""
        time.sleep(3600)
        return Choice(0)

    def explain(self, board: Board) -> None:
        """Nothing."""


class Patient(Stubborn):
    """A player that thinks until it is told to stop."""

    name = "py:tests.web.games.test_move_search:Patient"

    def choose(self, board, limit=None, stop=None):
        """Wait for the signal."""
        assert stop is not None
        stop.wait()
        return Choice(0)


class Quick(Stubborn):
    """A player that answers."""

    name = "py:tests.web.games.test_move_search:Quick"

    def choose(self, board, limit=None, stop=None):
        """Take any point."""
        return Choice(0)


class Careless(Stubborn):
    """A player whose code breaks."""

    name = "py:tests.web.games.test_move_search:Careless"

    def choose(self, board, limit=None, stop=None):
        """Break."""
        raise ZeroDivisionError("by nothing")


class Mute(Stubborn):
    """A player whose answer is none."""

    name = "py:tests.web.games.test_move_search:Mute"

    def choose(self, board, limit=None, stop=None):
        """Say nothing."""
        return


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "said", "patience"),
    [
        (Careless, "ZeroDivisionError", PATIENCE),
        (Mute, "None", PATIENCE),
        (Stubborn, "did not answer in time", 0.2),
    ],
)
async def test_what_goes_wrong_in_a_player_is_said(
    threads: Workers,
    processes: Workers,
    kind: type[Stubborn],
    said: str,
    patience: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tengen.web.games.move_search._LAST", 0.3)
    others = pool_of(threads, processes, Warmup())
    await MoveSearch(others, "game", MoveQuestion(Quick.name, BOARD)).answer()  # this module is imported
    pool = pool_of(threads, processes, Warmup(), patience)
    with pytest.raises(NoAnswer, match=said):
        await MoveSearch(pool, "game", MoveQuestion(kind.name, BOARD)).answer()
    assert isinstance(await MoveSearch(others, "game", MoveQuestion("random", BOARD)).answer(), Choice)


async def test_the_engine_says_what_it_finds_and_its_levels_play_as_they_do(
    threads: Workers, processes: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_engine(monkeypatch).set()
    warmup = Warmup()
    pool = pool_of(threads, processes, warmup)
    heard: list[Info] = []
    waited: list[str] = []
    first = MoveSearch(pool, "game", MoveQuestion("level:4", BOARD), heard.append)
    answer = await first.answer(lambda: waited.append("waits"))
    assert (set(waited), warmup.ready, warmup.status) == ({"waits"}, True, "ready")
    assert isinstance(answer, Choice)
    assert answer.point == Level("4").choose(BOARD).point
    await asyncio.sleep(0)
    assert heard[0].depth >= 1
    # With five million nodes to look at it goes on until it is hurried.
    heard.clear()
    asked = MoveSearch(pool, "game", MoveQuestion("engine,nodes=5000000", BOARD), heard.append)
    thinking = asyncio.create_task(asked.answer())
    while len(heard) < 2:
        await asyncio.sleep(0.01)
    asked.hurry()
    answer = await thinking
    assert isinstance(answer, Choice)
    assert answer.nodes < 5_000_000
    assert heard[-1].nodes > heard[0].nodes


async def test_an_engine_that_cannot_be_made_ready_is_a_sentence(
    threads: Workers, processes: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise OSError("no memory left")

    compile_engine(monkeypatch)
    monkeypatch.setattr("tengen.web.computing.engine_warmup._load", broken)
    warmup = Warmup()
    pool = pool_of(threads, processes, warmup)
    with pytest.raises(EngineFailed, match="could not be started"):
        await MoveSearch(pool, "game", MoveQuestion("engine", BOARD)).answer()
    assert warmup.status == "failed"
    # Everybody else plays all the same.
    assert isinstance(await MoveSearch(pool, "game", MoveQuestion("level:1", BOARD)).answer(), Choice)


async def test_what_a_player_refuses_is_its_own_sentence(threads: Workers, processes: Workers) -> None:
    pool = pool_of(threads, processes, Warmup())
    with pytest.raises(TengenError, match="lookup"):
        await MoveSearch(pool, "game", MoveQuestion("lookup:nonsense", BOARD)).answer()


def test_who_gives_hints() -> None:
    assert adviser(Rules.named("tictactoe"))[0] == "lookup"
    assert adviser(Rules.named("renju")) == ("engine", Limit(nodes=100_000))
    assert adviser(Rules.named("renju", 31))[0] == "threats"
    assert adviser(Rules.mnk(7, 6, 4))[0] == "minimax"
