"""Moves that need no search: one's own five, and the answers to the enemy's."""

from __future__ import annotations

from tengen.engine.board.fouls import is_forbidden
from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import FRAME, STEPS, Kind, Record, cell_of


def forced_moves(state: Record, tables: Record) -> tuple[int, ...]:
    """Return the cells one of which has to be played; empty if there is no five to make or to stop.

    They are the cells that make a five, else those that stop every five of the enemy's, else those that
    stop one. Fouls are left out.
    """
    record = state[0]
    side = int(record["turn"])
    fives = fives_of(state, side)
    if fives:
        return fives
    threats = fives_of(state, 1 - side)
    points = set(threats)
    if threats and tables[0]["closed"]:
        # A stone at the end of the row takes a five away as well.
        points.update(
            near
            for cell in threats
            for step in STEPS
            for offset in range(-FRAME, FRAME + 1)
            if record["cells"][near := cell + offset * step] == 0
        )
    answers = sorted(cell for cell in points if side == 1 or not is_forbidden(state, tables, cell))
    return tuple(cell for cell in answers if _stops_all(state, tables, cell)) or tuple(
        cell for cell in answers if cell in threats
    )


def fives_of(state: Record, side: int) -> tuple[int, ...]:
    """Return the cells where a side makes a five."""
    record = state[0]
    if not record["counts"][side, Kind.FIVE]:
        return ()
    size = int(record["size"])
    cells = (cell_of(x, y) for y in range(size) for x in range(size))
    return tuple(
        cell for cell in cells if record["cells"][cell] == 0 and record["kinds"][side, cell] == Kind.FIVE
    )


def _stops_all(state: Record, tables: Record, cell: int) -> bool:
    enemy = 1 - int(state[0]["turn"])
    make(state, tables, cell)
    stopped = state[0]["counts"][enemy, Kind.FIVE] == 0
    unmake(state, tables)
    return bool(stopped)
