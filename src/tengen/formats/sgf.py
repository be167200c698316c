"""SGF, FF[4] and older: games, collections of games, variations, comments and marks.

The reader accepts files as they are in practice: any encoding (`tengen.formats.encodings`), games that
claim to be Go, text before and between games, a root or a variation that begins with an empty node, the
colours of ``B[]`` and ``W[]`` in any order, long property names of old files. Points are two letters, y
from the *top*; `tengen.formats.sgf_properties` has the meaning of the other properties.

If the same colour moves twice in a row, a pass is inserted. Stones set up before the first move are the
record's set-up position. A single stone set up later is a move; several begin a game of their own, which
follows the game that contains them. Comments of nodes without a move belong to the move
before. Other annotations than comments, marks and values are left out.

After nonsense, reading resumes at the next sensible token. An unclosed value, and a closing bracket within
a text, are recognised by the text after them; a node that cannot be read is left out, and with it the rest
of its line if it held a move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from tengen.formats import sgf_properties as sgf
from tengen.formats.common import FileProblem, FormatError, Missing, ReadResult
from tengen.formats.encodings import decode_text
from tengen.formats.sgf_syntax import LIKELY_START, START, structure_faults
from tengen.formats.sgf_tree import STONES, TreeReader
from tengen.formats.text import FileLimits, TextPositions, check_size, list_problem, require_games
from tengen.game.notation import shorten
from tengen.game.points import BLACK, PASS, Colour, opponent
from tengen.game.record import Node, Record
from tengen.game.rules import Rules
from tengen.words import Message

EXTENSIONS = (".sgf",)

_CHARSET = re.compile(rb"CA\s*\[([^\]\\]{1,40})\]")
_HEAD_BYTES = 100_000
_NODES_A_LINE = 10
_MOST_GUESSES = 100
"""The most unknown names of rules to report."""


def read(data: bytes, *, encoding: str | None = None) -> ReadResult:
    """Read the games of a file.

    One fault loses one thing, see `tengen.formats.common`. Unknown rules are reported once a file; their
    games are read, see `tengen.formats.sgf_properties.rules_of`.

    Args:
        data: the file.
        encoding: encoding of the text, whatever the file declares; detected if None.

    Raises:
        FormatError: no game can be read; the sentence names line and column.
    """
    check_size(data)
    declared = _CHARSET.search(data[:_HEAD_BYTES])
    decoded = decode_text(
        data, declared and declared.group(1).decode("latin-1"), encoding, faults=structure_faults
    )
    text = decoded.text
    games = ReadResult(problems=decoded.problems)
    places, limits = TextPositions(text), FileLimits(len(text))
    start = START.search(text)
    if start is None:
        raise FormatError("error.format.sgf.start")
    number = 0
    guessed: set[str] = set()
    while start is not None:
        number += 1
        reader = TreeReader(text, start.start(), limits)
        error = reader.run()
        records = reader.records() if error is None or reader.broken_off else []
        if error is None and reader.faults and all(map(_is_empty, records)):
            # Nothing of it could be read.
            records, error = [], FormatError(reader.faults[0].reason.key, **reader.faults[0].reason.values)
            reader.place = reader.faults[0].place
        if records:
            games.records += records
            games.problems += _guesses(reader, number, places, guessed)
        for fault in reader.faults if records else ():
            if not list_problem(games, places.message(fault.place, fault.reason), number, fault.missing):
                return require_games(games)
        if error is not None:
            message = places.message(reader.place, error.message)
            missing: Missing = "moves" if records else "game"
            if not list_problem(games, message, number, missing) or reader.broken_off:
                break
        again = START if error is None or reader.closed else LIKELY_START
        start = again.search(text, max(reader.end, start.start() + 1))
    return require_games(games)


def _is_empty(record: Record) -> bool:
    """Return whether a game is empty: no move, no stone, no text."""
    node = record.root
    stones = any(record.setup.position)
    return not (node.children or stones or node.comment or node.marks or record.headers)


def _guesses(
    reader: TreeReader, number: int, places: TextPositions, reported: set[str]
) -> Iterator[FileProblem]:
    """Yield the guesses about a game, except those reported for the file before."""
    for key, text, place in reader.guesses:
        if f"{key} {text}" not in reported and len(reported) < _MOST_GUESSES:
            reported.add(f"{key} {text}")
            values = {
                "text": shorten(text),
                "rules": Message(f"rules.{reader.rules.name}"),
                "size": reader.rules.size_text,
            }
            yield FileProblem(number, places.message(place, Message(key, values)), "nothing")


def write(records: Sequence[Record]) -> bytes:
    """Write the games as one FF[4] collection in UTF-8."""
    return "".join(chain.from_iterable(map(_written, records))).encode("utf-8", "replace")


# Writing


def _written(record: Record) -> Iterator[str]:
    """Yield the text of a game in pieces."""
    setup = record.setup
    rules = record.rules
    size = str(rules.width) if rules.width == rules.height else f"{rules.width}:{rules.height}"
    yield f"(;FF[4]GM[4]CA[UTF-8]AP[Tengen]SZ[{size}]"
    for name, values in sgf.header_values(record.headers, rules):
        yield f"\n{name}[{']['.join(values)}]"
    if setup.turn != BLACK or any(setup.position):
        yield "\n"
        for name, colour in STONES[:2]:
            stones = setup.stones(colour)
            if stones:
                points = (sgf.point_text(point, rules.width, rules.height) for point in stones)
                yield f"{name}[{']['.join(points)}]"
        yield f"PL[{'B' if setup.turn == BLACK else 'W'}]"
    yield from _annotations(record.root, rules)
    # A stack of nodes, each with the side that makes its move, and ends of branches (None).
    waiting: list[tuple[Node, Colour] | None] = []
    _branch(waiting, record.root, setup.turn)
    on_line = 0
    while waiting:
        step = waiting.pop()
        if step is None:
            yield ")"
            continue
        node, colour = step
        siblings = node.parent.children if node.parent is not None else []
        if len(siblings) > 1:
            yield "\n("
            on_line = 0
        elif on_line == _NODES_A_LINE:
            yield "\n"
            on_line = 0
        on_line += 1
        point = PASS if node.point is None else node.point
        yield f";{'B' if colour == BLACK else 'W'}[{sgf.point_text(point, rules.width, rules.height)}]"
        yield from _annotations(node, rules)
        _branch(waiting, node, opponent(colour))
    yield ")\n"


def _branch(waiting: list[tuple[Node, Colour] | None], node: Node, colour: Colour) -> None:
    """Push the continuations of a node, made by `colour`, on the stack."""
    for child in reversed(node.children):
        if len(node.children) > 1:
            waiting.append(None)
        waiting.append((child, colour))


def _annotations(node: Node, rules: Rules) -> Iterator[str]:
    """Yield all properties of a node but its move."""
    if node.comment:
        yield f"C[{sgf.escaped(node.comment)}]"
    for name, values in sgf.mark_values(node.marks, rules.width, rules.height).items():
        yield f"{name}[{']['.join(values)}]"
    if node.score is not None:
        yield f"TGS[{sgf.score_text(node.score)}]"
    if node.seconds is not None:
        yield f"TGT[{node.seconds!r}]"
