"""Proofs as `tengen prove` writes them: checked, and shown as games with variations."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from tengen.formats import jsonformat
from tengen.formats.common import FormatError
from tengen.game.points import BLACK
from tengen.solver.proofs.file import MAGIC
from tengen.solver.proofs.record import record_of
from tengen.solver.proofs.verify import Verdict, verify
from tengen.words import Message

MOST_POSITIONS = 150_000
"""Positions that a check may reach, which is done twice: for the verdict, and for the tree."""

_BEGIN = MAGIC[: MAGIC.rindex(b" ")]


def is_proof(data: bytes) -> bool:
    """Whether a file says that it is a proof, of whichever version."""
    return data.startswith(_BEGIN)


def opened(data: bytes, language: str) -> str:
    """The trees of a proof that holds, as JSON text like that of an import, and what is ``proven``.

    Args:
        data: the file.
        language: of the comments in the trees; there is one for each claim.

    Raises:
        ProofError: it is damaged, or does not prove what it claims.
        FormatError: it is too large to be checked while a page waits.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "proof"
        path.write_bytes(data)
        verdict = verify(path, _check_size)
        claims = range(verdict.claims)
        records = [record_of(path, language, on_position=_check_size, claim=claim) for claim in claims]
    told = {
        "records": [jsonformat.game_data(record) for record in records],
        "problems": [],
        "proven": _proven(verdict).to_dict(),
        # The page goes there: the proof begins after these moves.
        "ply": len(verdict.board.moves),
    }
    return json.dumps(told, separators=(",", ":"))


def _proven(verdict: Verdict) -> Message:
    """What is proven."""
    if len(verdict.holds) > 1:
        return Message("web.analyse.proven.draw", {"positions": verdict.positions})
    side = verdict.holds[0] if verdict.winner is None else verdict.winner
    values = {"colour": Message("black" if side == BLACK else "white"), "positions": verdict.positions}
    if verdict.winner is None:
        return Message("web.analyse.proven.holds", values)
    return Message("web.analyse.proven", {**values, "moves": (verdict.depth + 1) // 2})


def _check_size(positions: int) -> None:
    if positions > MOST_POSITIONS:
        raise FormatError("error.web.proof.large", most=MOST_POSITIONS)
