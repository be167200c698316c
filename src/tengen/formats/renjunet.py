"""The RenjuNet database, ``.rif`` or ``.xml``: games that refer to tables of players, tournaments and more.

An XML element ``database`` holds lists of ``country``, ``city``, ``month``, ``rule``, ``opening``,
``player`` and ``tournament`` rows with an ``id`` each, and then ``game`` elements whose attributes name
ids, with the moves (``h8 i9 ...``, rows from the bottom) in ``move`` and a comment in ``info``. Games are
read one at a time, so that a database of any number needs the memory of its tables.

Headers are those of `tengen.formats.common`: ``event``, ``site`` and ``date`` are the tournament's,
``comment`` is the info. Besides, under ``renjunet:``, ``rule`` and ``abbr`` (of the opening) by name,
``black-country``, ``black-city`` and White's likewise, the tournament's ``rated``, ``end`` and a
``start`` that is no date, and the game's other attributes as they stand: ``id``, ``publisher``,
``btime``, ``wtime``, ``swap``, and ``alt``, the fifth moves that were offered and refused. An id without
a row is kept in the same way, ``renjunet:black``.

Rules are renju unless the rule's name says gomoku, which is standard there (RIF's gomoku: exactly five).
A game with a foul is read so that it can be replayed, see `tengen.formats.record_builder`.

XML is a way to attack its reader. Here a document type, so every entity of a file's own, is refused, and
nothing outside the file is ever loaded; tags, kinds of names, depth, rows and texts are limited, and
names of rows are cut after 200 characters. Bytes that are not in the encoding of the file become U+FFFD.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import BinaryIO
from xml.parsers import expat

from tengen.formats.common import (
    MAX_BYTES,
    MAX_NODES,
    MAX_TEXT,
    FileProblem,
    FormatError,
    ReadResult,
)
from tengen.formats.record_builder import RecordBuilder
from tengen.formats.renjunet_tables import (
    NAMES,
    POINTS,
    RULE,
    SIDES,
    SIZE,
    TABLES,
    Row,
    Tables,
    rules_of,
)
from tengen.formats.renjunet_writer import DatabaseWriter
from tengen.formats.text import at_line, check_size, for_xml, found, list_problem
from tengen.game.errors import Occupied
from tengen.game.notation import shorten
from tengen.game.record import Record
from tengen.words import Message

EXTENSIONS = (".rif", ".xml")

_CHUNK = 1 << 16
_MAX_TAG = 1 << 20
_MAX_DEPTH = 16
_MAX_NAMES = 1000
_MAX_ROWS = 500_000
_MAX_GAMES = 500_000
_MAX_MOVES_TEXT = 10 * SIZE * SIZE

_DECLARED = re.compile(rb"\s*<\?xml[^>]{1,200}?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
_ENCODINGS = {
    "iso-8859-1": "cp1252",
    **{f"windows-125{number}": f"cp125{number}" for number in range(9)},
    "koi8-r": "koi8_r",
    **dict.fromkeys(("gb2312", "gbk", "gb18030"), "gb18030"),
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc-jp": "euc_jp",
    "euc-kr": "cp949",
}
_BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}

_GAME_TAG = b"<game"


def games(
    stream: BinaryIO, *, player: str | None = None, opening: str | None = None
) -> Iterator[Record | FileProblem]:
    """The games of a database, one after the other as they are read.

    Tables count from where they stand on: a game that comes before the row it refers to has the id as
    a header instead, and is of no player or opening. In the databases that RenjuNet gives out, tables
    come first.

    Args:
        stream: a file opened for reading bytes.
        player: only games with a player whose name holds this text, in either case, given name and
            surname in either order.
        opening: only games with this opening: its abbreviation, its name or a word of it, in either case.

    Yields:
        A record, or what is wrong with a game; the last may be that the file is damaged from there on, or
        that there is text after the end of the database, where no game is missing.

    Raises:
        FormatError: no database, or it is damaged before the end of its first game.
    """
    return _games(stream, Tables(), _Wanted(player, opening))


def read(data: bytes) -> ReadResult:
    """All games of a database, wherever in the file its tables are.

    Raises:
        FormatError: no game can be read.
    """
    check_size(data)
    tables = Tables()
    result = _all(data, tables)
    if tables.late:
        result = _all(data, tables)
    return found(result)


def write(records: Sequence[Record]) -> bytes:
    """A database of games under renju, standard, freestyle or caro rules on 15x15.

    Rows and games are numbered from 1. Main lines are written; variations, comments on moves, marks,
    evaluations, times of moves and the headers ``reason``, ``time``, ``annotator``, ``source`` and
    ``name`` have no place. Characters that XML cannot hold become U+FFFD.

    Raises:
        WriteError: other rules or another board, set-up stones, or a pass.
    """
    return DatabaseWriter(records).write()


# -- reading


@dataclass(slots=True)
class _GameElement:
    """A game as it stands in the file."""

    number: int
    line: int
    attributes: Row
    move: list[str] = field(default_factory=list)
    info: list[str] = field(default_factory=list)
    lengths: dict[str, int] = field(default_factory=lambda: {"move": 0, "info": 0})
    headers: dict[str, str] = field(default_factory=dict)


class _Wanted:
    """Whether a game is one of those asked for; answers are kept, by id."""

    def __init__(self, player: str | None, opening: str | None) -> None:
        self._player = (player or "").casefold()
        self._opening = (opening or "").casefold().strip()
        self._answers: dict[tuple[str, str], bool] = {}

    def __call__(self, game: _GameElement, tables: Tables) -> bool:
        said = game.attributes
        return (
            not self._player or any(self._is("player", said.get(colour, ""), tables) for colour in SIDES)
        ) and (not self._opening or self._is("opening", said.get("opening", ""), tables))

    def _is(self, table: str, key: str, tables: Tables) -> bool:
        key = key.strip()
        if not tables.row(table, key):
            return False
        answer = self._answers.get((table, key))
        if answer is None:
            answer = self._is_player(key, tables) if table == "player" else self._is_opening(key, tables)
            self._answers[table, key] = answer
        return answer

    def _is_player(self, key: str, tables: Tables) -> bool:
        first, last = tables.names(key)
        return any(self._player in name.casefold() for name in (f"{first} {last}", f"{last} {first}"))

    def _is_opening(self, key: str, tables: Tables) -> bool:
        row = tables.row("opening", key)
        name = row.get("name", "").casefold()
        return self._opening in (name, row.get("abbr", "").casefold(), *name.split())


def _games(stream: BinaryIO, tables: Tables, wanted: _Wanted) -> Iterator[Record | FileProblem]:
    parser = _Parser(tables, wanted)
    broken = None
    chunks = _chunks(stream)
    for chunk in chunks:
        try:
            parser.feed(chunk)
        except FormatError as error:
            broken = error
        for game in parser.take():
            yield _read_game(game)
        if broken is not None:
            break
    if broken is None:
        return
    if parser.ended and not any(_GAME_TAG in piece for piece in chain([parser.rest], chunks)):
        yield FileProblem(max(parser.done, 1), broken.message, "nothing")
    elif parser.done:
        yield FileProblem(parser.done + 1, broken.message)
    else:
        raise broken


def _all(data: bytes, tables: Tables) -> ReadResult:
    result = ReadResult()
    moves = 0
    for game in _games(io.BytesIO(data), tables, _Wanted(None, None)):
        if isinstance(game, FileProblem):
            if not game.lost:
                result.problems.append(game)
            elif not list_problem(result, game.message, game.game):
                break
            continue
        moves += len(game.main_line())
        if moves > MAX_NODES or len(result.records) == _MAX_GAMES:
            limits = {"games": _MAX_GAMES, "moves": MAX_NODES}
            list_problem(result, Message("error.renjunet.most", limits))
            break
        result.records.append(game)
    return result


def _chunks(stream: BinaryIO) -> Iterator[bytes]:
    """The file as UTF-8 that XML may hold, whatever it says it is; an empty chunk ends it."""
    chunk = stream.read(_CHUNK)
    decoder = codecs.getincrementaldecoder(_encoding(chunk))("replace")
    while chunk:
        if text := decoder.decode(chunk):
            yield for_xml(text).encode()
        chunk = stream.read(_CHUNK)
    if text := decoder.decode(b"", final=True):
        yield text.encode()
    yield b""


def _encoding(head: bytes) -> str:
    for bom, codec in _BOMS.items():
        if head.startswith(bom):
            return codec
    declared = _DECLARED.match(head)
    return _ENCODINGS.get(declared.group(1).decode("ascii").lower(), "utf-8") if declared else "utf-8"


class _Parser:
    """Expat with handlers for what a database holds, and limits for what it may not.

    Attributes:
        done: how many games have been read to their end, those not wanted included.
        ended: whether the database itself has been read to its end.
        rest: after an error, the chunk from the place on that it is about.
    """

    def __init__(self, tables: Tables, wanted: _Wanted) -> None:
        self.done = 0
        self.ended = False
        self.rest = b""
        self._wanted = wanted
        self._tables = tables
        self._games: list[_GameElement] = []
        self._game: _GameElement | None = None
        self._depth = self._game_depth = 0
        self._text: str | None = None
        self._fed = 0
        self._expat = expat.ParserCreate("utf-8")
        self._expat.buffer_text = True
        self._expat.StartDoctypeDeclHandler = self._doctype
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._data

    def feed(self, chunk: bytes) -> None:
        """Read on; an empty chunk is the end of the file.

        Raises:
            FormatError: the file is damaged, or goes beyond a limit.
        """
        self._fed += len(chunk)
        if self._fed > MAX_BYTES:
            raise FormatError("error.format.bytes", size=self._fed, most=MAX_BYTES)
        try:
            self._expat.Parse(chunk, not chunk)
        except expat.ExpatError as error:
            place = {"line": error.lineno, "column": error.offset + 1}
            self.rest = chunk[self._expat.ErrorByteIndex - self._fed :]
            reason = Message("error.renjunet.trailing" if self.ended else "error.renjunet.xml")
            raise FormatError("error.format.place", **place, reason=reason) from error
        # Expat reads a tag again from its beginning with every chunk until it is whole.
        if self._fed - self._expat.CurrentByteIndex > _MAX_TAG:
            raise self._error("error.renjunet.long", most=_MAX_TAG)
        # It keeps every name for good.
        if len(self._expat.intern) > _MAX_NAMES:
            raise self._error("error.renjunet.names", most=_MAX_NAMES)

    def take(self) -> list[_GameElement]:
        """The wanted games that have been read to their end since the last time."""
        games, self._games = self._games, []
        return games

    def _doctype(self, *_: object) -> None:
        raise self._error("error.renjunet.doctype")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == 1 and name != "database":
            raise self._error("error.renjunet.root", name=shorten(name))
        if self._depth > _MAX_DEPTH:
            raise self._error("error.renjunet.deep")
        if self._game is not None:
            if self._depth == self._game_depth + 1 and name in self._game.lengths:
                self._text = name
                self._data(" ")  # keeps it from what an element before said
        elif name == "game":
            self._game_depth = self._depth
            self._game = _GameElement(self.done + 1, self._expat.CurrentLineNumber, attributes)
        elif name in TABLES:
            self._tables.add(name, attributes)
            self._tables.late = self._tables.late or self.done > 0
            if self._tables.count > _MAX_ROWS:
                raise self._error("error.renjunet.rows", most=_MAX_ROWS)

    def _end(self, _: str) -> None:
        if self._game is not None and self._depth == self._game_depth + 1:
            self._text = None
        elif self._game is not None and self._depth == self._game_depth:
            if self._wanted(self._game, self._tables):
                # Now, so that it does not depend on the size of chunks which rows come too late.
                info = "".join(self._game.info)
                self._game.headers = self._tables.headers(self._game.attributes, info)
                self._games.append(self._game)
            self._game = None
            self.done += 1
        self._depth -= 1
        self.ended = self._depth == 0

    def _data(self, text: str) -> None:
        if self._game is None or self._text is None:
            return
        # What is longer is a problem in any case: enough is kept to see that.
        if self._game.lengths[self._text] <= MAX_TEXT:
            getattr(self._game, self._text).append(text)
            self._game.lengths[self._text] += len(text)

    def _error(self, key: str, **values: object) -> FormatError:
        return at_line(self._expat.CurrentLineNumber, Message(key, values))


def _read_game(game: _GameElement) -> Record | FileProblem:
    builder = RecordBuilder(rules_of(game.headers.get(RULE, "")))
    try:
        _play(builder, game)
    except FormatError as error:
        return FileProblem(game.number, at_line(game.line, error.message).message)
    return builder.record(game.headers)


def _play(builder: RecordBuilder, game: _GameElement) -> None:
    if game.lengths["info"] > MAX_TEXT:
        raise FormatError("error.format.text", most=MAX_TEXT)
    if game.lengths["move"] > _MAX_MOVES_TEXT:
        raise FormatError("error.renjunet.moves")
    for number, text in enumerate("".join(game.move).split(), 1):
        point = POINTS.get(text.lower())
        if point is None:
            raise FormatError("error.renjunet.move", number=number, text=shorten(text))
        try:
            builder.play(point)
        except Occupied as error:
            raise FormatError("error.renjunet.occupied", number=number, point=NAMES[point]) from error
