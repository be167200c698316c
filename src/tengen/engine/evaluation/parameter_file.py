"""Files of parameters: all that a caller without Python needs in order to fill the records of a search.

A file is one record of the type `PARAMETERS`, byte for byte: the numbers of the rules, then the learned
parameters of their family, little-endian, each array in C's order. Fields are aligned as
`tengen.engine.board.records.aligned` does it: to the length of their numbers, arrays of 64 bytes and more
to 64. The records inside hold the arrays of `Weights`, `Network` and `Policy` under the same names; where a
network does not distinguish the colours, arrays by colour hold the same twice. What a family does not have
is zero.

The kernel `set_up` fills everything from it; the rows of the networks, thirty megabytes, are computed.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.position import empty_board
from tengen.engine.board.records import NETWORKS_REF, STATE_REF, TABLES_REF, Record, aligned, new_record
from tengen.engine.board.rule_tables import RULE_NUMBERS, fill_tables
from tengen.engine.evaluation.learned_file import record_of
from tengen.engine.evaluation.network import NETWORK_RECORD, Network
from tengen.engine.evaluation.parameters import (
    LINE_SCRATCH_REF,
    network_into,
    policy_into,
    weights_into,
)
from tengen.engine.evaluation.policy import POLICY_RECORD, Policy
from tengen.engine.evaluation.weights import WEIGHTS_RECORD, Weights
from tengen.engine.kernels.declarations import kernel
from tengen.engine.kernels.signatures import BOOL, INT64, Ref, signature

FORMAT = int.from_bytes(b"TENGEN\x00\x01", "little")
"""The first eight bytes of a file; the last of them is the version of its layout."""

PARAMETERS = aligned(
    [
        ("format", np.int64),  # `FORMAT`
        *((name, np.int64) for name in RULE_NUMBERS),  # as in `TABLES`
        ("has_network", np.int64),  # 1 or 0
        ("has_policy", np.int64),
        ("colours", np.int64),  # 2 where the networks distinguish the colours, else 1
        ("weights", WEIGHTS_RECORD),
        ("network", NETWORK_RECORD),
        ("policy", POLICY_RECORD),
    ]
)
"""The content of a file."""


def parameters_of(weights: Weights, network: Network | None, policy: Policy | None) -> Record:
    """Return the content of a file but for the numbers of the rules: an array of one `PARAMETERS`."""
    parameters = new_record(PARAMETERS)
    record = parameters[0]
    record["format"] = FORMAT
    record["colours"] = max((each.colours for each in (network, policy) if each is not None), default=1)
    record["weights"] = record_of(weights, WEIGHTS_RECORD)[0]
    if network is not None:
        record["has_network"], record["network"] = 1, record_of(network, NETWORK_RECORD)[0]
    if policy is not None:
        record["has_policy"], record["policy"] = 1, record_of(policy, POLICY_RECORD)[0]
    return parameters


@kernel(signature(BOOL, Ref(PARAMETERS), INT64, STATE_REF, TABLES_REF, NETWORKS_REF, LINE_SCRATCH_REF))
def set_up(parameters_ref, size, state_ref, tables_ref, networks_ref, scratch_ref):
    """Fill the records of a search, all zeros, from the content of a file: an empty board of a size.

    A value network that was not trained for so small a board is left out, and the policy with it.

    Returns:
        Whether it was the content of a file.
    """
    parameters, tables = parameters_ref[0], tables_ref[0]
    if parameters.format != FORMAT:
        return False
    tables.overline_wins = parameters.overline_wins
    tables.overlines = parameters.overlines
    tables.double_fours = parameters.double_fours
    tables.double_threes = parameters.double_threes
    tables.closed = parameters.closed
    tables.barred = parameters.barred
    fill_tables(tables_ref)
    weights_into(parameters.weights, tables)
    if parameters.has_network and size >= parameters.network.sizes[0]:
        colours, scratch, networks = parameters.colours, scratch_ref[0], networks_ref[0]
        network_into(parameters.network, size, colours, scratch, networks)
        if parameters.has_policy:
            policy_into(parameters.policy, colours, scratch, networks)
    empty_board(state_ref, tables_ref, size)
    return True
