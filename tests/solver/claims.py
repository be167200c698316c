"""Proofs to check and to spoil: written, taken apart, and sealed again."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, Limit
from tengen.solver.proofs.builder import ProofProgress
from tengen.solver.proofs.file import HOLDS, MAGIC, Claim, ProofFile, ProofNode, ProofWriter, Ref
from tengen.solver.proofs.prove import ProofResult, prove
from tengen.solver.proofs.prove_exact import prove_exact
from tengen.solver.proofs.verify import Verdict

DRAW = Claim(BLACK, HOLDS), Claim(WHITE, HOLDS)
"""What is claimed of a draw."""


def proven(board: Board, path: Path, limit: Limit | None = None, **settings: Any) -> ProofResult:
    """A proof that has to be written."""
    made = prove(board, path, limit, **settings)
    assert made.winner == board.turn
    assert made.proven
    assert made.verdict is not None
    assert made.size == path.stat().st_size
    return made


def claimed(board: Board, path: Path, *claims: Claim, limit: Limit | None = None) -> ProofResult:
    """A proof of claims about a small game that has to be written."""
    made = prove_exact(board, path, limit, claims=claims)
    assert made.proven
    assert made.verdict is not None
    assert made.size == path.stat().st_size
    return made


def verdict_of(made: ProofResult) -> Verdict:
    """What a proof proves that has been written."""
    assert made.verdict is not None
    return made.verdict


def stopping_at(stage: str, stop: threading.Event) -> ProofProgress:
    """ProofProgress that sets `stop` once a hundred positions of a stage have been told."""

    class Watched(ProofProgress):
        def __setattr__(self, name: str, value: object) -> None:
            object.__setattr__(self, name, value)
            if name == "positions" and self.stage == stage and self.positions > 100:
                stop.set()
                time.sleep(0.001)

    return Watched()


def sealed(path: Path, data: bytes) -> Path:
    """A file whose digest is right, whatever else it says; `data` is all before the digest."""
    path.write_bytes(data + hashlib.sha256(data).digest())
    return path


def with_header(path: Path, out: Path, **changes: Any) -> Path:
    """A proof with another header; a value that is a function is called with the former one."""
    data = path.read_bytes()
    end = data.index(b"\n", len(MAGIC)) + 1
    header = json.loads(data[len(MAGIC) : end])
    for name, value in changes.items():
        header[name] = value(header[name]) if callable(value) else value
    start = data[: len(MAGIC)] + json.dumps(header).encode() + b"\n"
    with ProofFile(path) as proof:
        roots = [root + len(start) - end for root in proof.roots]
    nodes = data[end : -32 - 8 * len(roots)]
    return sealed(out, start + nodes + b"".join(root.to_bytes(8, "big") for root in roots))


def rewritten(path: Path, out: Path, change: Callable[[ProofNode], ProofNode], at: int = 0) -> Path:
    """A proof with one node changed: the root, or the one so many steps of defaults and replies below."""
    with ProofFile(path) as proof, out.open("w+b") as file:
        writer = ProofWriter(file, proof.board, proof.claims)
        known: dict[int, int] = {}

        def copied(offset: int, depth: int) -> int:
            if offset in known and depth != at:
                return known[offset]
            node = proof.node(offset)

            def moved(ref: Ref) -> Ref:
                return copied(ref[0], depth + 1), ref[1]

            replies = {reply: moved(ref) for reply, ref in node.replies.items()}
            new = ProofNode(node.point, node.default and moved(node.default), replies, node.pairs)
            known[offset] = writer.add(change(new) if depth == at else new)
            return known[offset]

        writer.finish(*[copied(root, 0) for root in proof.roots])
    return out


OTHER_RULES: dict[str, st.SearchStrategy[Any]] = {
    "overline": st.sampled_from(("wins", "no_win", "foul")),
    "double_three": st.booleans(),
    "double_four": st.booleans(),
    "blocked_five": st.sampled_from(("wins", "no_win")),
    "fouls": st.sampled_from(("forbidden", "loses", "claimed")),
    "passing": st.booleans(),
}
"""Values of the fields of rules that a proof may claim to be of."""


@st.composite
def spoiled(draw: st.DrawFn, files: Sequence[Path]) -> bytes:
    """A proof without its digest, in which up to three bytes after the header are changed."""
    data = draw(st.sampled_from(files)).read_bytes()[:-32]
    start = data.index(b"\n", len(MAGIC)) + 1
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(start, len(data) - 1))
        data = data[:place] + bytes([draw(st.integers(0, 255))]) + data[place + 1 :]
    return data
