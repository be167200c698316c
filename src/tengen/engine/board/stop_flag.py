"""The stop flag of a search: a field that is set from outside to end the search at once.

Where another thread sets it, reading it is all there is. In WebAssembly nothing else may run meanwhile:
the search calls `tengen.engine.kernels.lowering.POLL` every `POLL_NODES` nodes, which may set the flag.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

from tengen.engine.kernels.declarations import inlined, intrinsic

POLL_NODES = 1024
"""Nodes between two calls in WebAssembly; a power of two."""


@intrinsic
def poll(state):
    """Call out in WebAssembly if so many nodes have been visited since; elsewhere do nothing.

    Args:
        state: a record with the fields `nodes` and `polled`, the nodes at the last call by `POLL_NODES`.
    """


@inlined
def stopped(state):
    """Return whether a search is to end, whose record has the fields `stop`, `nodes` and `polled`."""
    poll(state)
    return state.stop != 0
