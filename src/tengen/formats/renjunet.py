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
Where the XML is damaged, reading goes on with the next game or row.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Generator, Iterator, Sequence
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
    Missing,
    ReadResult,
)
from tengen.formats.encoding_table import named
from tengen.formats.encodings import checked_encoding, guess_problem, likeliest
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
from tengen.formats.text import at_line, check_size, for_xml, list_problem, require_games
from tengen.game.errors import Occupied, TengenError
from tengen.game.notation import shorten
from tengen.game.record import Record
from tengen.words import Message

EXTENSIONS = (".rif", ".xml")

_CHUNK = 1 << 16
_HEAD = 1 << 19
_MAX_TAG = 1 << 20
_MAX_DEPTH = 16
_MAX_NAMES = 1000
_MAX_ROWS = 500_000
_MAX_GAMES = 500_000
_MAX_MOVES_TEXT = 10 * SIZE * SIZE

_DECLARED = re.compile(rb"\s*<\?xml[^>]{1,200}?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
_BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}

_GAME_TAG = b"<game"
_AGAIN = re.compile(rb"<(?:game|%s)[\s/>]" % b"|".join(name.encode() for name in TABLES))
_CONTAINER_END = re.compile(rb"</\s*[A-Za-z]+\s*>")
_OVERLAP = 16


def games(
    stream: BinaryIO, *, player: str | None = None, opening: str | None = None
) -> Iterator[Record | FileProblem]:
    """Iterate over the games of a database while it is read.

    A table counts from its place in the file on: a game before the row it refers to has the id as a header
    instead, and matches no player or opening. In the databases published by RenjuNet, tables come first.

    Args:
        stream: a file opened for reading bytes.
        player: only games with a player whose name holds this text, in either case, given name and
            surname in either order.
        opening: only games with this opening: its abbreviation, its name or a word of it, in either case.

    Yields:
        A record, or a problem of the game before or after it, or of the file.

    Raises:
        FormatError: no database, or no game in it can be read for its damage.
    """
    return _games(stream, None, Tables(), _Wanted(player, opening))


def read(data: bytes, *, encoding: str | None = None) -> ReadResult:
    """Read all games of a database, wherever in the file its tables are.

    Args:
        data: the file.
        encoding: encoding of the text, whatever the file declares; if None the declared one, unless it
            cannot be right.

    Raises:
        FormatError: no game can be read.
    """
    check_size(data)
    tables = Tables()
    codec, problems = _encoding(data, encoding)
    result = _all(data, codec, tables)
    if tables.late:
        result = _all(data, codec, tables)
    result.problems[:0] = problems
    return require_games(result)


def write(records: Sequence[Record]) -> bytes:
    """Write a database of games under renju, standard, freestyle or caro rules on 15x15.

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
    """A filter of games by player and opening; answers are cached by id."""

    def __init__(self, player: str | None, opening: str | None) -> None:
        self._player = (player or "").casefold()
        self._opening = (opening or "").casefold().strip()
        self._answers: dict[tuple[str, str], bool] = {}

    def __call__(self, game: _GameElement, tables: Tables) -> bool:
        given = game.attributes
        return (
            not self._player or any(self._is("player", given.get(colour, ""), tables) for colour in SIDES)
        ) and (not self._opening or self._is("opening", given.get("opening", ""), tables))

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


def _games(
    stream: BinaryIO, codec: str | None, tables: Tables, wanted: _Wanted
) -> Iterator[Record | FileProblem]:
    parser = _Parser(tables, wanted)
    chunks = _chunks(stream, codec)
    first: FormatError | None = None
    while (broken := (yield from _until_damage(parser, chunks))) is not None:
        first = first or broken
        if not parser.is_damaged:  # a limit, or something that no database has
            if not parser.done:
                raise broken
            yield FileProblem(parser.done + 1, broken.message)
            return
        again, rest = _next_element(parser.rest, chunks, games=parser.ended)
        if not rest and not parser.done:
            raise first
        if parser.ended and not rest:
            yield FileProblem(max(parser.done, 1), broken.message, "nothing")
        elif not parser.is_between_lists:
            yield FileProblem(parser.done + 1, broken.message, "game" if parser.in_game else "detail")
        if not rest:
            return
        parser = parser.resumed(again)
        chunks = chain([b"<database>" + rest], chunks)


def _until_damage(
    parser: _Parser, chunks: Iterator[bytes]
) -> Generator[Record | FileProblem, None, FormatError | None]:
    """Yield the games up to the end of the file or to damage; return the error there."""
    broken = None
    for chunk in chunks:
        try:
            parser.feed(chunk)
        except FormatError as error:
            broken = error
        for game in parser.take():
            yield from _read_game(game)
        if broken is not None:
            break
    return broken


def _next_element(rest: bytes, chunks: Iterator[bytes], *, games: bool) -> tuple[int, bytes]:
    """Find the next game or row: the number of lines before it, and the data from there; none if empty."""
    lines = 0
    rest = rest[1:]
    while True:
        tag = _AGAIN.search(rest)
        if tag is not None and (not games or tag.group().startswith(_GAME_TAG)):
            return lines + rest.count(b"\n", 0, tag.start()), rest[tag.start() :]
        kept = rest[tag.end() if tag is not None else max(0, len(rest) - _OVERLAP) :]
        lines += rest.count(b"\n", 0, len(rest) - len(kept))
        more = b"" if tag is not None else next(chunks, b"")
        if not more and tag is None:
            return lines, b""
        rest = kept + more


def _all(data: bytes, codec: str, tables: Tables) -> ReadResult:
    result = ReadResult()
    moves = 0
    for game in _games(io.BytesIO(data), codec, tables, _Wanted(None, None)):
        if isinstance(game, FileProblem):
            if not list_problem(result, game.message, game.game, game.missing):
                break
            continue
        moves += len(game.main_line())
        if moves > MAX_NODES or len(result.records) == _MAX_GAMES:
            limits = {"games": _MAX_GAMES, "moves": MAX_NODES}
            number = len(result.records) + len(result.unread) + 1
            list_problem(result, Message("error.renjunet.most", limits), number)
            break
        result.records.append(game)
    return result


def _chunks(stream: BinaryIO, codec: str | None) -> Iterator[bytes]:
    """Yield the file as UTF-8 that XML may hold, whatever it declares; an empty chunk ends it.

    Without a codec, the first chunk decides the encoding.
    """
    chunk = stream.read(_CHUNK)
    if codec is None:
        # A character may be cut in two at its end.
        codec, _ = _encoding(chunk[: chunk.rfind(b">") + 1] or chunk, None)
    decoder = codecs.getincrementaldecoder(codec)("replace")
    while chunk:
        if text := decoder.decode(chunk):
            yield for_xml(text).encode()
        chunk = stream.read(_CHUNK)
    if text := decoder.decode(b"", final=True):
        yield text.encode()
    yield b""


def _encoding(head: bytes, encoding: str | None) -> tuple[str, list[FileProblem]]:
    """Return the codec of a file, and problems to report about it."""
    if encoding is not None:
        return checked_encoding(encoding), []
    for bom, codec in _BOMS.items():
        if head.startswith(bom):
            return codec, []
    match = _DECLARED.match(head)
    declared = match.group(1).decode("ascii") if match else None
    stated = named(declared or "")
    if head.isascii() and stated is not None:
        return stated.codec, []
    kind, guessed = likeliest([head[:_HEAD]], declared, whole=head)
    if not guessed:
        return kind.codec, []
    return kind.codec, [guess_problem(kind.label, (declared or "") if stated is not kind else "")]


class _NestedGame(Exception):
    """A game that begins within another one, which was not closed: its byte and line."""

    def __init__(self, index: int, line: int) -> None:
        self.index, self.line = index, line


class _Parser:
    """Expat with handlers for the elements of a database, and limits.

    Attributes:
        done: the number of games read to their end, filtered ones included.
        ended: True once the database itself has been read to its end.
        rest: after an error, the chunk from the place of the error on.
        is_damaged: True if that error is in the XML.
        is_between_lists: True if it is merely the end of a list whose beginning was left out.
    """

    def __init__(self, tables: Tables, wanted: _Wanted, done: int = 0, line: int = 0) -> None:
        self.done = done
        self.is_damaged = self.is_between_lists = False
        self._line = line  # lines before the parsed part
        self._is_resumed = line > 0 or done > 0
        self.ended = False
        self.rest = b""
        self._wanted = wanted
        self._tables = tables
        self._games: list[_GameElement] = []
        self._game: _GameElement | None = None
        self._depth = self._game_depth = 0
        self._text: str | None = None
        self._fed = 0
        self._error_line = line + 1
        self._before = b""
        self._in_tag = False
        self._expat = expat.ParserCreate("utf-8")
        self._expat.buffer_text = True
        self._expat.StartDoctypeDeclHandler = self._doctype
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._data

    @property
    def in_game(self) -> bool:
        """True within a game or its tag."""
        return self._game is not None or self._in_tag

    def resumed(self, lines: int) -> _Parser:
        """Return a parser that goes on so many lines behind an error, with the same tables."""
        done = self.done + self.in_game
        parser = _Parser(self._tables, self._wanted, done, self._error_line + lines - 1)
        parser._is_resumed = True
        return parser

    def feed(self, chunk: bytes) -> None:
        """Parse the next chunk; an empty one is the end of the file.

        Raises:
            FormatError: the file is damaged, or goes beyond a limit.
        """
        self._fed += len(chunk)
        if self._fed > MAX_BYTES:
            raise FormatError("error.format.bytes", size=self._fed, most=MAX_BYTES)
        try:
            self._expat.Parse(chunk, not chunk)
        except expat.ExpatError as error:
            self._damaged(chunk, self._expat.ErrorByteIndex, error.lineno)
            place = {"line": self._error_line, "column": error.offset + 1}
            reason = Message("error.renjunet.trailing" if self.ended else "error.renjunet.xml")
            raise FormatError("error.format.place", **place, reason=reason) from error
        except _NestedGame as error:
            self._damaged(chunk, error.index, error.line)
            raise at_line(self._error_line, Message("error.renjunet.nested")) from error
        self._before = chunk
        # Expat rereads an incomplete tag from its beginning with every chunk.
        if self._fed - self._expat.CurrentByteIndex > _MAX_TAG:
            raise self._error("error.renjunet.long", most=_MAX_TAG)
        # It keeps every name for good.
        if len(self._expat.intern) > _MAX_NAMES:
            raise self._error("error.renjunet.names", most=_MAX_NAMES)

    def _damaged(self, chunk: bytes, index: int, line: int) -> None:
        """Note the place of damage: the byte, counted over all that was parsed, and the line."""
        self.is_damaged = True
        self._error_line = self._line + line
        known = self._before + chunk
        place = max(index - self._fed + len(known), 1)
        self.rest = known[place - 1 :]
        tag = known.rfind(b"<", 0, place)
        self._in_tag = known.startswith(_GAME_TAG, tag) and b">" not in known[tag:place]
        closes = _CONTAINER_END.match(known, known.rfind(b"<", 0, place + 1))
        self.is_between_lists = self._is_resumed and self._depth <= 1 and closes is not None

    def take(self) -> list[_GameElement]:
        """Return the matching games completed since the last call."""
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
            if name == "game":
                raise _NestedGame(self._expat.CurrentByteIndex, self._expat.CurrentLineNumber)
            if self._depth == self._game_depth + 1 and name in self._game.lengths:
                self._text = name
                self._data(" ")  # separates it from the text of an element before
        elif name == "game":
            self._game_depth = self._depth
            self._game = _GameElement(self.done + 1, self._line + self._expat.CurrentLineNumber, attributes)
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
                # Now, so that the rows known to a game do not depend on the size of chunks.
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
        # A longer text is a problem in any case: enough is kept to detect that.
        if self._game.lengths[self._text] <= MAX_TEXT:
            getattr(self._game, self._text).append(text)
            self._game.lengths[self._text] += len(text)

    def _error(self, key: str, **values: object) -> FormatError:
        return at_line(self._line + self._expat.CurrentLineNumber, Message(key, values))


def _read_game(game: _GameElement) -> Iterator[Record | FileProblem]:
    """Yield a game as far as it can be read, and its problems."""
    problems: list[FileProblem] = []

    def report(error: TengenError, missing: Missing) -> None:
        problems.append(FileProblem(game.number, at_line(game.line, error.message).message, missing))

    headers = game.headers
    if game.lengths["info"] > MAX_TEXT:
        headers = {name: value for name, value in headers.items() if name != "comment"}
        report(FormatError("error.format.text", most=MAX_TEXT), "detail")
    builder = RecordBuilder(rules_of(headers.get(RULE, "")))
    try:
        _play(builder, game)
    except FormatError as error:
        report(error, "moves")
    yield builder.record(headers)
    yield from problems


def _play(builder: RecordBuilder, game: _GameElement) -> None:
    for number, text in enumerate("".join(game.move)[:_MAX_MOVES_TEXT].split(), 1):
        point = POINTS.get(text.lower())
        if point is None:
            raise FormatError("error.renjunet.move", number=number, text=shorten(text))
        try:
            builder.play(point)
        except Occupied as error:
            raise FormatError("error.renjunet.occupied", number=number, point=NAMES[point]) from error
    if game.lengths["move"] > _MAX_MOVES_TEXT:
        raise FormatError("error.renjunet.moves")
