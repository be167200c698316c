"""Text files as they are met in the wild: their encoding, and places in them.

A file may declare an encoding and hold another; what its bytes can be counts for more than what it says.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from itertools import islice

from tengen.formats.common import MAX_BYTES, MAX_NODES, FileProblem, FormatError, ReadResult
from tengen.words import Message

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Only these are looked up, so that a file cannot ask for a codec that is no character encoding. Where
# two names are mixed up in practice the larger character set stands for both.
_CODECS = {
    "gb18030": ("gb18030", "gb2312", "gbk", "cp936", "936", "x-gbk", "euc-cn", "windows-936"),
    "big5hkscs": ("big5", "big5-hkscs", "cp950", "950", "windows-950"),
    "cp932": ("shift-jis", "sjis", "x-sjis", "windows-31j", "cp932", "ms932", "shift-jisx0213"),
    "euc_jp": ("euc-jp", "x-euc-jp", "eucjp"),
    "iso2022_jp": ("iso-2022-jp",),
    "cp949": ("euc-kr", "cp949", "uhc", "ks-c-5601-1987", "windows-949"),
    "cp1250": ("windows-1250", "cp1250"),
    "cp1251": ("windows-1251", "cp1251"),
    "cp1252": ("windows-1252", "cp1252", "iso-8859-1", "latin-1", "latin1", "iso8859-1"),
    "iso8859_2": ("iso-8859-2", "latin-2", "latin2"),
    "iso8859_5": ("iso-8859-5",),
    "iso8859_15": ("iso-8859-15", "latin-9", "latin9"),
    "koi8_r": ("koi8-r",),
}
_BY_NAME = {name: codec for codec, names in _CODECS.items() for name in names}
_EAST_ASIAN = frozenset(("gb18030", "big5hkscs", "cp932", "euc_jp", "cp949"))

_THREE_BYTES = re.compile(rb"[\xe0-\xef][\x80-\xbf]{2}")
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
MAX_GAMES = 500_000
"""The most games that one file of text may hold."""

MAX_PROBLEMS = 10_000
"""After so many games that cannot be read a reader gives up on the rest of the file."""

_NOT_ASCII = re.compile(r"[^\x00-\x7f]{1,100}")
_SAMPLE = 10_000
_BAD = "\ufffd"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of a file; never fails.

    A byte order mark decides. Otherwise bytes that are valid UTF-8 are UTF-8 whatever is declared
    (a legacy East Asian encoding is believed where only two-byte sequences speak for UTF-8, which
    short texts of its own may look like). Then come the declared encoding, UTF-8 with a few damaged
    places, GB18030 and Shift-JIS where the text then looks like Chinese or Japanese, and
    Windows-1252, in which any bytes are some text.

    Args:
        data: the whole file.
        declared: the name of the encoding that the file says it has.
    """
    for bom, codec in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(codec, "replace")
    stated = _BY_NAME.get((declared or "").strip().lower().replace("_", "-"))
    if data.isascii():
        return data.decode(stated if stated == "iso2022_jp" else "ascii", "replace")
    text = _strictly(data, "utf-8")
    if text is not None and not (stated in _EAST_ASIAN and _THREE_BYTES.search(data) is None):
        return text
    if stated is not None:
        text = _strictly(data, stated)
        if text is not None:
            return text
    text = data.decode("utf-8", "replace")
    if _damaged_a_little(text):
        return text
    for codec, looks_right in (("gb18030", _looks_chinese), ("cp932", _looks_japanese)):
        text = data.decode(codec, "replace")
        if _damaged_a_little(text) and looks_right(text):
            return text
    text = _strictly(data, "cp1252")
    return data.decode("latin-1") if text is None else text


def _strictly(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return None


def _damaged_a_little(text: str) -> bool:
    """Whether most of what is not ASCII could be decoded; one damaged character may count three times."""
    other = _not_ascii(text)
    return other.count(_BAD) * 3 <= len(other)


def _looks_chinese(text: str) -> bool:
    """Whether most characters are among the common ones, those of GB 2312."""
    count = Counter(_not_ascii(text))
    common = sum(times for character, times in count.items() if _is_common(character))
    return common * 5 >= count.total() * 4


def _is_common(character: str) -> bool:
    code = character.encode("gb18030", "replace")
    return len(code) == 2 and 0xA1 <= code[0] <= 0xF7 and code[1] >= 0xA1


def _looks_japanese(text: str) -> bool:
    return _KANA.search(text) is not None


def _not_ascii(text: str) -> str:
    """All characters that are not ASCII, or the first of very many."""
    return "".join(found.group() for found in islice(_NOT_ASCII.finditer(text), _SAMPLE))


class TextPositions:
    """Lines and columns of a text, quick to find as long as they are asked for in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offset = 0
        self._line = 1
        self._break = -1

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of the character at `offset`."""
        if offset < self._offset:
            self._offset, self._line, self._break = 0, 1, -1
        self._line += self._text.count("\n", self._offset, offset)
        self._break = max(self._break, self._text.rfind("\n", self._offset, offset))
        self._offset = offset
        return self._line, offset - self._break

    def message(self, offset: int, reason: Message) -> Message:
        """That something is wrong with the character at `offset`."""
        line, column = self.at(offset)
        return Message("error.format.place", {"line": line, "column": column, "reason": reason})


def at_line(line: int, reason: Message) -> FormatError:
    """The error that something is wrong in that line, counted from 1."""
    return FormatError("error.format.line", line=line, reason=reason)


class FileLimits:
    """What may come of a file, in all its games together.

    A few characters can ask for a large board, for a rectangle full of stones, or for one game more; what
    a file as large as this can sensibly mean is enough.

    Args:
        size: of the file, in bytes or characters.
        points: how many points of a board a character may be worth.
    """

    def __init__(self, size: int, points: int = 16) -> None:
        self._nodes = MAX_NODES
        self._games = MAX_GAMES
        self._points = 1_000_000 + points * size
        self._expanded = 10_000 + size // 8

    def nodes(self, count: int = 1) -> None:
        """Take up moves.

        Raises:
            FormatError: there were too many.
        """
        self._nodes -= count
        if self._nodes < 0:
            raise FormatError("error.format.nodes", most=MAX_NODES)

    def game(self, points: int) -> None:
        """Take up another game, on a board of so many points.

        Raises:
            FormatError: there were too many.
        """
        self._games -= 1
        self._points -= points
        if self._games < 0:
            raise FormatError("error.format.games", most=MAX_GAMES)
        if self._points < 0:
            raise FormatError("error.format.greedy")

    def expanded(self, points: int) -> None:
        """Take up points besides those that the file names one by one.

        Raises:
            FormatError: there were too many.
        """
        self._expanded -= points
        if self._expanded < 0:
            raise FormatError("error.format.greedy")


def check_size(data: bytes) -> None:
    """Refuse a file larger than any that is read.

    Raises:
        FormatError: it is.
    """
    if len(data) > MAX_BYTES:
        raise FormatError("error.format.bytes", size=len(data), most=MAX_BYTES)


def well_formed(text: str) -> str:
    """`text` without halves of surrogate pairs, which no encoding can write."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def for_xml(text: str) -> str:
    """`text` with U+FFFD for characters that XML cannot hold."""
    return _NOT_XML.sub(_BAD, text)


def list_problem(games: ReadResult, message: Message, number: int | None = None) -> bool:
    """Add a game that cannot be read to what a file held.

    Args:
        games: what has been read so far.
        message: what is wrong.
        number: the game's number in the file, from 1; the next one if None.

    Returns:
        Whether to read on; after very many problems it is not worth it.
    """
    number = len(games.records) + len(games.lost) + 1 if number is None else number
    games.problems.append(FileProblem(number, message))
    if len(games.problems) < MAX_PROBLEMS:
        return True
    games.problems.append(FileProblem(number + 1, Message("error.format.problems", {"most": MAX_PROBLEMS})))
    return False


def found(games: ReadResult) -> ReadResult:
    """`games`, if there are any.

    Raises:
        FormatError: a file with no game that could be read.
    """
    if games.records:
        return games
    lost = games.lost
    if not lost:
        raise FormatError("error.format.empty")
    first = lost[0].message
    if len(lost) == 1:
        raise FormatError(first.key, **first.values)
    raise FormatError("error.format.none", count=len(lost), reason=first)
