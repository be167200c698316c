"""Networks as dataclasses, put into the records of a search."""

from __future__ import annotations

from tengen.engine.board.records import Record, new_record
from tengen.engine.evaluation.learned_file import record_of
from tengen.engine.evaluation.line_network_kernel import LINE_SCRATCH
from tengen.engine.evaluation.network import NETWORK_RECORD, Network
from tengen.engine.evaluation.parameters import put_network, put_policy
from tengen.engine.evaluation.policy import POLICY_RECORD, Policy


def fill_with_network(networks: Record, network: Network, size: int, colours: int) -> None:
    """Put a value network into a record, for boards of a size, with rows for 1 or 2 colours."""
    put_network(record_of(network, NETWORK_RECORD), size, colours, new_record(LINE_SCRATCH), networks)


def fill_with_policy(networks: Record, policy: Policy, colours: int) -> None:
    """Put a policy into a record, with rows for 1 or 2 colours."""
    put_policy(record_of(policy, POLICY_RECORD), colours, new_record(LINE_SCRATCH), networks)
