"""The file in which a search for quiet wins keeps its expansions, to continue from them.

The first line is JSON that names the rules and the settings. Each further line is JSON of one expansion:
the `canonical` key of the position, the moves as that key's symmetry maps them, and whether another
candidate may be tried. The lines are in the order in which the expansions were made.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tengen.formats.files import FileError, read_error, shown, write_error
from tengen.game.board import Board
from tengen.game.points import EMPTY, Point
from tengen.solver.threats.quiet_moves import CandidateSettings, Expansion, QuietMove

FORMAT = "tengen quiet wins"
VERSION = 2


def read_expansions(path: Path, board: Board, settings: CandidateSettings) -> dict[bytes, list[Expansion]]:
    """Read the expansions of each position, by key; begin the file if there is none.

    Raises:
        FileError: the file cannot be read or written, or belongs to another search.
    """
    header = json.dumps(_header(board, settings))
    try:
        if not path.exists() or path.stat().st_size == 0:
            path.write_text(header + "\n", encoding="utf-8")
            return {}
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        if lines[0] != header + "\n":
            raise FileError("error.prove.resume_other", file=shown(path))
        if not lines[-1].endswith("\n"):  # the program ended while it was written
            with path.open("r+", encoding="utf-8") as file:
                file.truncate(sum(len(line.encode()) for line in lines[:-1]))
            lines.pop()
    except OSError as error:
        raise read_error(path, error) from error
    except UnicodeDecodeError as error:
        raise FileError("error.prove.resume", file=shown(path), line=1) from error
    expansions: dict[bytes, list[Expansion]] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            row = json.loads(line)
            key = bytes.fromhex(row["position"])
            cells = key[-board.rules.points :]
            moves = (
                QuietMove(_point(points[0], cells), tuple(_point(reply, cells) for reply in points[1:]))
                for points in row["steps"]
            )
            expansions.setdefault(key, []).append(Expansion(tuple(moves), bool(row["more"]), 0))
        except (ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
            raise FileError("error.prove.resume", file=shown(path), line=number) from error
    return expansions


def append_expansion(path: Path, key: bytes, expansion: Expansion) -> None:
    """Add an expansion, as the key's symmetry maps it.

    Raises:
        FileError: the file cannot be written.
    """
    rows = [[move.point, *move.replies] for move in expansion.moves]
    line = {"position": key.hex(), "steps": rows, "more": expansion.more}
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
    except OSError as error:
        raise write_error(path, error) from error


def _header(board: Board, settings: CandidateSettings) -> dict[str, Any]:
    """Return the contents of the first line."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": board.rules.to_dict(),
        "candidates": settings.candidates,
        "engine_nodes": settings.engine_nodes,
        "threat_nodes": settings.threat_nodes,
        "most_open": settings.most_open,
        "unthreatening": settings.unthreatening,
    }


def _point(value: object, cells: bytes) -> Point:
    """Return `value` if it is a free point of a position; otherwise raise ValueError."""
    if not isinstance(value, int) or not 0 <= value < len(cells) or cells[value] != EMPTY:
        raise ValueError(value)
    return value
