"""Proofs of wins as `tengen prove` writes them: checked, and shown as games with variations."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from tengen.formats import jsonformat
from tengen.formats.common import FormatError
from tengen.game.points import BLACK
from tengen.solver.proof_file import MAGIC
from tengen.solver.proof_record import record_of
from tengen.solver.verify import verify
from tengen.words import Message

MOST_POSITIONS = 150_000
"""Positions that a check may reach, which is done twice: for the verdict, and for the tree."""

_BEGIN = MAGIC[: MAGIC.rindex(b" ")]


def is_proof(data: bytes) -> bool:
    """Whether a file says that it is a proof, of whichever version."""
    return data.startswith(_BEGIN)


def opened(data: bytes, language: str) -> str:
    """The tree of a proof that holds, as JSON text like that of an import, and what is ``proven``.

    Args:
        data: the file.
        language: of the comments in the tree.

    Raises:
        ProofError: it is damaged, or does not prove what it claims.
        FormatError: it is too large to be checked while a page waits.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "proof"
        path.write_bytes(data)
        verdict = verify(path, _heard)
        record = record_of(path, language, heard=_heard)
    values = {
        "colour": Message("black" if verdict.winner == BLACK else "white"),
        "moves": (verdict.depth + 1) // 2,
        "positions": verdict.positions,
    }
    told = {
        "records": [jsonformat.game_data(record)],
        "problems": [],
        "proven": Message("web.analyse.proven", values).to_dict(),
        # The page goes there: the proof begins after these moves.
        "ply": len(verdict.board.moves),
    }
    return json.dumps(told, separators=(",", ":"))


def _heard(positions: int) -> None:
    if positions > MOST_POSITIONS:
        raise FormatError("error.web.proof.large", most=MOST_POSITIONS)
