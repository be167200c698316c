"""Game records as files in responses, with a header that lists the data their format cannot hold."""

from __future__ import annotations

import json

from tengen.formats.files import FORMATS
from tengen.formats.not_kept import not_kept
from tengen.game.record import Record

NOT_KEPT = "Tengen-Not-Kept"
"""The header with the data that the file lacks, a `tengen.words.Message` as JSON; absent if the file has
everything."""


def record_file(record: Record, extension: str) -> tuple[bytes, dict[str, str]]:
    """Write a game as a file.

    Args:
        record: the game.
        extension: the format, one of `FORMATS`.

    Returns:
        The file, and headers for the response.

    Raises:
        TengenError: the format cannot hold the game.
    """
    data = FORMATS[extension].write([record])
    lost = not_kept([record], extension)
    return data, {} if lost is None else {NOT_KEPT: json.dumps(lost.to_dict(), separators=(",", ":"))}
