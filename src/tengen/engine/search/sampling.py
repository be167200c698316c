"""Positions of a search, drawn at random, to learn from (`tengen.training`).

Those are kept whose static score matters to the search. Which of them does not depend on the order in which
it comes to them, but on their keys.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

from tengen.engine.board.records import PLIES, SAMPLES, Record
from tengen.engine.kernels.jit import compiled, inlined

_BIT = 20
"""Where in a key the bits begin that decide."""


@inlined
def is_sampled(scratch, key):
    """Whether a position is one of those to be kept."""
    return scratch.sampling > 0 and (key >> _BIT) & (scratch.sampling - 1) == 0


@compiled
def keep_sample(state_ref, scratch_ref):
    """Keep the moves that lead to the position; those kept longest give way."""
    state, scratch = state_ref[0], scratch_ref[0]
    place = scratch.sampled & (SAMPLES - 1)
    for ply in range(state.ply):
        scratch.samples[place, ply & (PLIES - 1)] = state.moves[ply & (PLIES - 1)]
    scratch.sample_plies[place] = state.ply
    scratch.sampled += 1


def samples_of(scratch: Record) -> list[tuple[int, ...]]:
    """The positions that have been kept, as the cells played, each once."""
    record = scratch[0]
    kept = min(int(record["sampled"]), SAMPLES)
    paths = zip(record["samples"][:kept], record["sample_plies"][:kept], strict=True)
    return list(dict.fromkeys(tuple(int(cell) for cell in cells[:plies]) for cells, plies in paths))
