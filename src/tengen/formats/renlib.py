"""RenLib libraries, ``.lib``: one tree of moves on 15x15 with comments, marks and texts on the board.

The file is a stream of nodes, depth first: a byte for the point (column from 1, row from the *top*, 0
for a pass or the root), a byte of flags, and what the flags announce. Versions 3.0 and 3.04 begin with a
header, older files with their first move, h8. How a library maps to a `Record`:

- The comment above RenLib's board and the longer one beside it become one comment, the first on a line
  of its own.
- A *mark* on a move is a circle on the stone that it put.
- A *board text* lies on an empty point or a variation of the position before (RenLib 3.6 Users Guide,
  "Mouse Button"), so it is a label of the parent. Where no variation goes with it, the node is flagged as
  no move. The texts △, □, ○ and × are the shapes of those marks.
- The *start position*, where RenLib opens the library, is the header ``renlib:start``: its moves.
- The file names neither rules nor players. Records are read as renju in which a foul loses, since
  libraries show fouls too, and with passing where a move is passed.

Text is in whatever code page the writer's Windows had; see `read`.

After an impossible move, reading goes on as long as the rest of the library makes sense: if it does not,
bytes are missing or too many, and the data behind the fault could mean anything.

Not written: other headers, evaluations, times, and a second text or shape on the same point.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tengen.formats.common import FormatError, ReadResult, WriteError
from tengen.formats.encodings import checked_encoding, guess_problem, is_encoding
from tengen.formats.renlib_bytes import SIZE, START_HEADER, encoding_for
from tengen.formats.renlib_reader import LibraryReader, body_begins
from tengen.formats.renlib_writer import LibraryWriter, start_node, texts_of
from tengen.formats.text import check_size
from tengen.game.notation import shorten
from tengen.game.points import BLACK, WHITE
from tengen.game.record import Record
from tengen.game.rules import Rules

EXTENSIONS = (".lib",)


def read(data: bytes, *, encoding: str | None = None) -> ReadResult:
    """Read a library; it is one record.

    Args:
        data: the file.
        encoding: encoding of all text, such as ``windows-1251``; characters that are not in it become
            U+FFFD. If None it is guessed (`tengen.formats.encodings`): the file does not declare it.

    Raises:
        FormatError: no library; the sentence names the byte, counted from 0.
    """
    check_size(data)
    codec = None if encoding is None else checked_encoding(encoding)
    begin = body_begins(data)
    with _collector_resting():
        reader = LibraryReader(data)
        reader.read(begin)
        if reader.is_out_of_step:
            reader = LibraryReader(data, stops=True)
            reader.read(begin)
    lost = [problem.message for problem in reader.problems if problem.lost]
    if lost and not reader.root.children and not reader.root.comment:
        raise FormatError(lost[0].key, **lost[0].values)
    record = Record(Rules.named("renju", fouls="loses", passing=reader.passes))
    if reader.start:
        record.headers[START_HEADER] = reader.start
    record.root = reader.root
    guessed = reader.decode(record, codec)
    problems = [guess_problem(guessed)] if guessed else []
    return ReadResult([record], problems + reader.problems)


def write(records: Sequence[Record], *, encoding: str | None = None) -> bytes:
    """Write a library of version 3.04.

    Without an `encoding`, text is written in code page 1252 or in GB18030 where `read` will recognise
    it, and else in UTF-8, which RenLib itself does not show.

    Args:
        records: one record on 15x15 from the empty board, under any rules.
        encoding: encoding of all text.

    Raises:
        WriteError: several records, another board, set-up stones, or a character that is not in
            `encoding`.
    """
    if len(records) != 1:
        raise WriteError("error.renlib.games", count=len(records))
    record = records[0]
    if (record.rules.width, record.rules.height) != (SIZE, SIZE):
        raise WriteError("error.renlib.size", size=record.rules.size_text)
    setup = record.setup
    if setup.turn != BLACK or setup.stones(BLACK) or setup.stones(WHITE):
        raise WriteError("error.renlib.setup")
    if encoding is None:
        encoding = encoding_for(text for node in record.nodes() for text in texts_of(node))
    elif not is_encoding(encoding):
        raise WriteError("error.format.encoding", encoding=shorten(encoding))
    return LibraryWriter(encoding, start_node(record)).write(record.root)


@contextmanager
def _collector_resting() -> Iterator[None]:
    """Keep the garbage collector from walking a growing tree again and again: it halves the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
