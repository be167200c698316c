"""The full-screen game without a screen: keys are pressed, and what would be seen is read as text."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from typing import Any

from textual.pilot import Pilot
from textual.widgets import RichLog, Static

from tengen.game.player import Player
from tengen.game.session import Session
from tengen.terminal.game_app import GameApp
from tengen.terminal.game_panel import GamePanel

PATIENCE = 30.0
"""Seconds that something may take on a busy machine."""


class Table:
    """A running game, and whoever presses its keys."""

    def __init__(self, app: GameApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def session(self) -> Session:
        return self.app.session

    @property
    def moves(self) -> str:
        board = self.session.board
        return "".join(board.name(point) for point in board.moves)

    @property
    def board(self) -> list[str]:
        """The board with its coordinates, as it is drawn."""
        view = self.app._board
        return [view.render_line(y).text.rstrip() for y in range(view.size.height)]

    @property
    def status(self) -> str:
        return self.text("status")

    @property
    def messages(self) -> list[str]:
        log = self.app.screen_stack[0].query_one("#messages", RichLog)
        return [line.text.rstrip() for line in log.lines]

    def text(self, name: str) -> str:
        """What a part of the panel says."""
        return str(self.app.screen_stack[0].query_one(f"#{name}", Static).content)

    @property
    def panel(self) -> GamePanel:
        return self.app._panel

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def play(self, *names: str) -> None:
        """Move the cursor to points, and play them."""
        for name in names:
            board = self.session.board
            self.app._board.move_to(board.point(name))
            await self.press("enter")

    async def until(self, come: Callable[[], object]) -> None:
        """Wait for something to come about."""
        end = time.monotonic() + PATIENCE
        while not come():
            assert time.monotonic() < end, [*self.board, self.status, *self.messages]
            await self.pilot.pause(0.02)


def at_table(
    session: Session,
    acts: Callable[[Table], Awaitable[None]],
    *,
    lang: str = "en",
    size: tuple[int, int] = (80, 24),
    named: Player | None = None,
    watched: float = 0.0,
) -> GameApp:
    """Run the full-screen game while somebody acts; the app as it is left."""
    app = GameApp(session, named, lang, watched)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await acts(Table(app, pilot))

    asyncio.run(run())
    return app


def playing(
    session: Callable[[], Session], **options: Any
) -> Callable[[Callable[[Table], Awaitable[None]]], Callable[[], None]]:
    """Make a test of a function that acts in the full-screen game of a session."""

    def decorate(acts: Callable[[Table], Awaitable[None]]) -> Callable[[], None]:
        @wraps(acts)
        def test() -> None:
            at_table(session(), acts, **options)

        del test.__wrapped__  # pytest would ask for a fixture called table
        return test

    return decorate


def pressing(*keys: str | Sequence[str]) -> Callable[[Table], Awaitable[None]]:
    """Somebody who presses keys and does nothing else."""

    async def acts(table: Table) -> None:
        for key in keys:
            await table.press(*([key] if isinstance(key, str) else key))

    return acts
