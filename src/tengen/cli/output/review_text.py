"""The output of ``tengen review``: a row for each mistake, and the summary of both sides."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tengen.cli.output.columns import table
from tengen.formats.files import shown
from tengen.game.board import Board
from tengen.study.annotation import SIGNS, judged, totals
from tengen.study.review import Review
from tengen.words import say


def text(board: Board, review: Review, files: Iterable[Path], lang: str) -> str:
    """Return a review as text.

    Args:
        board: the final position of the game, with its moves.
        review: its review.
        files: the files that were written.
        lang: the language of the text.
    """
    rows = [
        (
            str(mistake.ply),
            board.name(mistake.point),
            SIGNS[mistake.judgement],
            judged(board, mistake, lang),
        )
        for mistake in review.mistakes
    ]
    lines = [table(rows, left=(1, 2, 3))] if rows else []
    lines += [say(message, lang) for message in totals(review)]
    if not board.moves:
        lines.append(say("review.empty", lang))
    if names := tuple(map(shown, files)):
        lines.append(say("cli.show.written", lang, files=names))
    return "\n".join(lines)
