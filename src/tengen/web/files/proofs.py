"""Verification of proofs written by `tengen prove`, and their display as games with variations."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from tengen.formats import jsonformat
from tengen.formats.common import FormatError
from tengen.formats.describe import colour
from tengen.schemas.files import ImportData
from tengen.schemas.sentence import Sentence
from tengen.solver.proofs.file import MAGIC
from tengen.solver.proofs.record import record_of
from tengen.solver.proofs.verify import Verdict, verify
from tengen.words import Message

MOST_POSITIONS = 150_000
"""The most positions that a check of a proof may reach; it runs twice, for the verdict and the tree."""

_BEGIN = MAGIC[: MAGIC.rindex(b" ")]


def is_proof(data: bytes) -> bool:
    """Return whether a file has the header of a proof, of any version."""
    return data.startswith(_BEGIN)


def opened(data: bytes, language: str) -> str:
    """Return the trees of a verified proof as JSON text in an import's format, with the ``proven`` claim.

    Args:
        data: the file.
        language: the language of comments in the trees, of which there is one per claim.

    Raises:
        ProofError: the file is damaged, or does not prove its claim.
        FormatError: the proof is too large to be verified while a page waits.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "proof"
        path.write_bytes(data)
        verdict = verify(path, _check_size)
        claims = range(verdict.claims)
        records = [record_of(path, language, on_position=_check_size, claim=claim) for claim in claims]
    trees = ImportData(
        records=tuple(jsonformat.game_data(record) for record in records),
        problems=(),
        proven=Sentence.of(_proven(verdict)),
        # The page shows this position: the proof begins after these moves.
        ply=len(verdict.board.moves),
    )
    return trees.to_json()


def _proven(verdict: Verdict) -> Message:
    """Return the proven claim as a message."""
    if len(verdict.holds) > 1:
        return Message("web.analyse.proven.draw", {"positions": verdict.positions})
    side = verdict.holds[0] if verdict.winner is None else verdict.winner
    values = {"colour": colour(side), "positions": verdict.positions}
    if verdict.winner is None:
        return Message("web.analyse.proven.holds", values)
    return Message("web.analyse.proven", {**values, "moves": (verdict.depth + 1) // 2})


def _check_size(positions: int) -> None:
    if positions > MOST_POSITIONS:
        raise FormatError("error.web.proof.large", most=MOST_POSITIONS)
