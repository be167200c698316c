"""Random positions of a search, sampled for training (`tengen.training`).

Only positions whose static score matters to the search are sampled. Their keys decide, not the order of the
search.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

from tengen.engine.board.records import PLIES, SAMPLES, Record
from tengen.engine.kernels.declarations import compiled, inlined

_BIT = 20
"""The bit of a key from which on its bits decide."""


@inlined
def is_sampled(scratch, key):
    """Return whether a position is to be sampled."""
    return scratch.sampling > 0 and (key >> _BIT) & (scratch.sampling - 1) == 0


@compiled
def keep_sample(state_ref, scratch_ref):
    """Store the moves that lead to the position in a ring buffer."""
    state, scratch = state_ref[0], scratch_ref[0]
    place = scratch.sampled & (SAMPLES - 1)
    for ply in range(state.ply):
        scratch.samples[place, ply & (PLIES - 1)] = state.moves[ply & (PLIES - 1)]
    scratch.sample_plies[place] = state.ply
    scratch.sampled += 1


def samples_of(scratch: Record) -> list[tuple[int, ...]]:
    """Return the sampled positions as the cells played, without duplicates."""
    record = scratch[0]
    kept = min(int(record["sampled"]), SAMPLES)
    paths = zip(record["samples"][:kept], record["sample_plies"][:kept], strict=True)
    return list(dict.fromkeys(tuple(int(cell) for cell in cells[:plies]) for cells, plies in paths))
