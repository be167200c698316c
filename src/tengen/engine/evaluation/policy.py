"""A small network that says how likely each move is the best one, and the file that it is kept in.

A *line network* (`tengen.engine.evaluation.line_network`), another than that of the value, turns each line
through a point, as the side to move sees it, into a row of 32 numbers. The rows of the four lines through a
point are added up. To them are added what stands there for the way from the last move and from the one
before (`tengen.engine.search.moves.steps_away`), and what the position as a whole says: the activated sums
of all points that could be played, in the mean, through a matrix. All that, activated, is weighed: so much
more or less likely is the move than the learned numbers say (`tengen.engine.evaluation.weights`).
Activations are leaky rectifiers.

What the position as a whole says is an idea of the "squeeze and excitation" of J. Hu, L. Shen and G. Sun
(2018), and of the global pooling of D. J. Wu, "Accelerating self-play learning in Go" (2019).

Policies of standard and renju predict as well and gained nothing in play, nor did asking one about replies
to open threes (`benchmarks/log/2026-11-27-policy.md`).

In the search it is asked where the moves of a position are put in order
(`tengen.engine.evaluation.policy_kernel`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import STEPS_AWAY, WIDTH, Record
from tengen.engine.evaluation.learned_file import COLOURS, LearnedFile, Shapes
from tengen.engine.evaluation.line_network import LINE_SHAPES, LineNetwork, fill_places, fill_rows

OUT_BITS = 10
"""What the units weigh is counted in parts of this power of two, in the unit of `Weights.orders`."""


@dataclass(frozen=True, slots=True)
class Policy(LineNetwork):
    """The numbers of a policy. Sums are counted in parts of 2**`line_network.ROW_BITS`.

    Attributes:
        steps: what is added for where a move lies from the last one, and from the one before, int16, shape
            (2, `STEPS_AWAY`, `WIDTH`).
        bias: int16, shape (colours, `WIDTH`), by side to move.
        whole: what the mean of the activated sums of all moves adds, float32, shape (`WIDTH`, `WIDTH`).
        out: what the units weigh, int16, shape (`WIDTH`,).
    """

    steps: npt.NDArray[np.int16]
    bias: npt.NDArray[np.int16]
    whole: npt.NDArray[np.float32]
    out: npt.NDArray[np.int16]


_SHAPES: Shapes = {
    **LINE_SHAPES,
    "steps": ("int16", (2, STEPS_AWAY, WIDTH)),
    "bias": ("int16", (COLOURS, WIDTH)),
    "whole": ("float32", (WIDTH, WIDTH)),
    "out": ("int16", (WIDTH,)),
}


POLICY_FILE = LearnedFile(Policy, "-policy", "error.engine.policy", _SHAPES)
load, save, file_of, digest = (
    POLICY_FILE.load_if_present,
    POLICY_FILE.save,
    POLICY_FILE.path,
    POLICY_FILE.digest,
)


def fill(tables: Record, policy: Policy, colours: int) -> None:
    """Put a policy into the tables of some rules, with a row for each of so many colours."""
    fill_rows(tables["policy_rows"], policy, f"policy-{digest(policy)}", colours)
    fill_places(tables, colours)
    tables["policy_steps"][0] = policy.steps.reshape(-1)
    tables["policy_bias"][0] = np.broadcast_to(policy.bias, (2, WIDTH)).reshape(-1)
    tables["policy_whole"][0] = policy.whole.reshape(-1)
    tables["policy_out"][0] = policy.out
    tables["policy"] = 1
