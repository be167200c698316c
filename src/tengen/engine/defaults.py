"""The engine's settings where nothing else is asked for; they can be read without importing the engine."""

from __future__ import annotations

THREADS = 1
"""Threads that search. With one, searches within a limit of nodes or depth repeat."""

MEMORY = 64
"""Megabytes of the transposition table."""

MOST_THREADS, MOST_MEMORY = 64, 1 << 17
"""The most threads, and the most megabytes of the table."""

NODES = 200_000
"""Nodes of a move without a limit: a fixed number, so that games repeat on every machine."""

FULL = 100
"""Full strength: no handicap."""

SEED = 0
"""The seed of the errors of a handicap."""
