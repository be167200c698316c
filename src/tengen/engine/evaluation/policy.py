"""The policy, a small network whose output corrects the learned probabilities of moves.

A *line network* (`tengen.engine.evaluation.line_network`) of its own maps each line through a point, from
the view of the side to move, to a row of 32 numbers. The rows of the four lines through a point are added
up. To the sum are added learned rows for the relative positions of the last move and of the one before, and
a global term: the mean of the activated sums of all moves, times a matrix. The dot product of the activated
result with a vector corrects the logarithm of the move's probability (`tengen.engine.evaluation.weights`).
Activations are leaky rectifiers.

The global term follows the "squeeze and excitation" of J. Hu, L. Shen and G. Sun (2018), and the global
pooling of D. J. Wu, "Accelerating self-play learning in Go" (2019).

Policies of standard and renju predict as well and gained nothing in play, nor did evaluating one for
replies to open threes (`benchmarks/log/2026-11-27-policy.md`).

The search evaluates it to order the moves of a position (`tengen.engine.evaluation.policy_kernel`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import STEPS_AWAY, WIDTH
from tengen.engine.evaluation.learned_file import COLOURS, LearnedFile, Shapes, record_type
from tengen.engine.evaluation.line_network import LINE_SHAPES, LineNetwork

OUT_BITS = 10
"""Fractional bits of the output vector, in the unit of `Weights.orders`."""


@dataclass(frozen=True, slots=True)
class Policy(LineNetwork):
    """The parameters of a policy. Sums have `line_network.ROW_BITS` fractional bits.

    Attributes:
        steps: rows for the relative position of the last move, and of the one before, int16, shape
            (2, `STEPS_AWAY`, `WIDTH`).
        bias: int16, shape (colours, `WIDTH`), by side to move.
        whole: the matrix of the global term, float32, shape (`WIDTH`, `WIDTH`).
        out: the vector of the dot product, int16, shape (`WIDTH`,).
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

POLICY_RECORD = record_type(_SHAPES)
"""A policy as a record for kernels."""

POLICY_FILE = LearnedFile(Policy, "-policy", "error.engine.policy", _SHAPES)
load, save, file_of, digest = (
    POLICY_FILE.load_if_present,
    POLICY_FILE.save,
    POLICY_FILE.path,
    POLICY_FILE.digest,
)
