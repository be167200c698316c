"""What a server for strangers carries: how soon both players see a move, and what a move costs.

``python -m benchmarks hosting`` starts one server process with SQLite on this machine, and two people at
each of many games, who move in turn. With ``TENGEN_DATABASE`` set to a PostgreSQL database, which it fills
with games, it then starts four processes that share that, the two people of each game at two different
ones, as a proxy may lead them. Four processes and their clients need more processors than a desk has: there
the times say little, and what the processes carry is reckoned from the processor time that a move costs
all of them together. That of PostgreSQL, which may be another machine, is not in it.

``python -m benchmarks.hosting --games 100 --rate 50 --seconds 30`` asks for less. Linux only.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks.command_line import parser
from benchmarks.web import PATIENCE, RULES, Load, Table, connect_client, get, hear, point, resident, server

PROCESSES = 4

BUSY = 0.7
"""Of a processor's time, what a process may use before moves wait for each other."""

PACE = 10.0
"""Seconds that people take over a move, for how many games that makes."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a load.

    Attributes:
        delays: seconds from each move sent to both clients shown, in order of size.
        seconds: of processor time that all server processes used meanwhile.
        memory: bytes in use by them at the end.
        rate: moves a second that were sent.
        lost: games in which a client, or the server, has other moves than were sent.
    """

    delays: list[float]
    seconds: float
    memory: int
    rate: float
    lost: int

    @property
    def cost(self) -> float:
        """Seconds of processor time a move."""
        return self.seconds / len(self.delays)

    def at(self, share: float) -> float:
        """The delay in milliseconds that this share of the moves does not exceed."""
        return 1000 * self.delays[round(share * (len(self.delays) - 1))]


def processor_seconds(pid: int) -> float:
    """Seconds of processor time that a process has used, by itself and for its system calls."""
    # What follows the name, which may hold anything, in parentheses; see proc(5).
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measured(addresses: Sequence[str], pids: Sequence[int], load: Load) -> Measured:
    """Play, and look at what it costs.

    Args:
        addresses: of the server processes; the clients of each game are at two of them, if there are two.
        pids: their numbers; one process may be named once.
        load: how much is played.

    Raises:
        RuntimeError: a move was refused, or has not been shown in time.
    """
    asked = {"rules": RULES, "black": "human", "white": "human"}
    tables = []
    for number in range(load.games):
        made = await asyncio.to_thread(get, f"{addresses[number % len(addresses)]}/api/games", asked)
        tables.append(Table(made["id"], [made["seats"]["black"], made["seats"]["white"]]))
    async with AsyncExitStack() as stack:
        for number, table in enumerate(tables):
            for client, token in enumerate(table.tokens):
                await connect_client(addresses[(number + client) % len(addresses)], table, token)
                stack.push_async_callback(table.sockets[client].close)
        ears = [asyncio.create_task(hear(table, client)) for table in tables for client in (0, 1)]
        before, start = sum(map(processor_seconds, pids)), time.perf_counter()
        moves = round(load.rate * load.seconds)
        for number in range(moves):
            await asyncio.sleep(max(0.0, start + number / load.rate - time.perf_counter()))
            await tables[number % load.games].play()
        rate = moves / (time.perf_counter() - start)
        await _shown(tables, ears)
        used, memory = sum(map(processor_seconds, pids)) - before, sum(map(resident, pids))
    await asyncio.gather(*ears, return_exceptions=True)
    lost = 0
    for number, table in enumerate(tables):
        expected = [point(ply) for ply in range(len(table.sent))]
        address = addresses[number % len(addresses)]
        kept = (await asyncio.to_thread(get, f"{address}/api/games/{table.id}"))["moves"]
        lost += any(shown != expected for shown in (*table.seen, kept))
    delays = sorted(delay for table in tables for delay in table.delays())
    return Measured(delays, used, memory, rate, lost)


async def _shown(tables: Sequence[Table], ears: Sequence[asyncio.Task[None]]) -> None:
    """Wait until both clients of each game have been shown all of its moves."""
    deadline = time.monotonic() + PATIENCE
    while any(len(seen) < len(table.sent) for table in tables for seen in table.seen):
        for ear in ears:
            if ear.done():
                ear.result()
        if time.monotonic() > deadline:
            raise RuntimeError(f"moves were not shown within {PATIENCE:.0f} s")
        await asyncio.sleep(0.05)


def tell(found: Measured, load: Load, processes: int) -> None:
    """Print what was found, and what follows from it."""
    count = "1 process" if processes == 1 else f"{processes} processes"
    print(
        f"  {count}, {load.games} games, {2 * load.games} clients, {found.rate:.0f} moves a second,"
        f" {len(found.delays)} moves"
    )
    print(f"  games with moves lost or doubled                          {found.lost}")
    print(
        f"  from a move to both clients, ms: median {found.at(0.5):.1f}, p95 {found.at(0.95):.1f},"
        f" p99 {found.at(0.99):.1f}"
    )
    print(f"  processor time a move, ms, all processes                  {1000 * found.cost:.2f}")
    print(f"  memory of all processes, MB                               {found.memory / 1e6:.0f}")
    carried = processes * BUSY / found.cost
    print(
        f"  reckoned, {processes} x {BUSY:.0%} of a processor: moves a second        {carried:.0f}"
        f"   games with a move in {PACE:.0f} s: {carried * PACE:.0f}"
    )


def run(load: Load, processes: int, *, shared: bool) -> None:
    """Start server processes, which share the environment's database or have SQLite, and measure them."""
    options = () if shared else ("--database", "")
    with ExitStack() as stack:
        started = [stack.enter_context(server(*options)) for _ in range(processes)]
        addresses, pids = [address for address, _ in started], [pid for _, pid in started]
        tell(asyncio.run(measured(addresses, pids, load)), load, processes)


def main(words: Sequence[str] = ()) -> None:
    options = parser("benchmarks.hosting", __doc__)
    usual = Load()
    options.add_argument("--games", type=int, default=usual.games)
    options.add_argument("--rate", type=float, default=usual.rate, help="moves a second in all")
    options.add_argument("--seconds", type=float, default=usual.seconds)
    options.add_argument("--processes", type=int, default=PROCESSES, help="that share TENGEN_DATABASE")
    asked = options.parse_args(words)
    load = Load(asked.games, asked.rate, asked.seconds)
    print("SQLite")
    run(load, 1, shared=False)
    if os.environ.get("TENGEN_DATABASE"):
        print("PostgreSQL")
        run(load, 1, shared=True)
        run(load, asked.processes, shared=True)
    else:
        print("PostgreSQL: set TENGEN_DATABASE to a database that may be filled with games")


if __name__ == "__main__":
    main(sys.argv[1:])
