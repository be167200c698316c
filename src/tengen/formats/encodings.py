"""Detection of the encoding of text files.

A file may declare an encoding and hold another, or declare none. A byte order mark decides; bytes that are
valid UTF-8 are UTF-8. Otherwise all encodings in use are tried, and the one wins in which the text is the
likeliest in one of its languages (`tengen.formats.encoding_languages`) and, if the format has a syntax, in
which the syntax is intact: the second byte of a character may be that of a bracket. A declaration counts
for much, but does not decide.

Libraries that guess encodings are made for pages of text; `benchmarks/encodings.py` measures how many names
and short comments are recognised.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from tengen.formats import encoding_languages as languages
from tengen.formats.common import FileProblem, FormatError
from tengen.formats.encoding_table import ENCODINGS, ISO_2022_JP, UTF_8, Encoding, named
from tengen.game.notation import shorten
from tengen.words import Message

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


_EAST_ASIAN = frozenset(("gb18030", "big5hkscs", "cp932", "euc_jp", "cp949"))
_SEVEN_BITS = frozenset(("iso2022_jp", "iso2022_kr", "hz"))

_DECLARED, _DECLARED_VAGUELY = 9.0, 2.0
_FAULT = -12.0
_MOST_FAULTS = 5
_EATEN = 3.0
"""Log-likelihood of an ASCII byte within a character: it needs no explanation of its own."""

_ANOTHER_LANGUAGE = -4.0
_UTF_8_BY_CHANCE = 14.0
_FEW = 6
_UNKNOWN_LETTER, _UNKNOWN_SIGN = -7.0, -13.0

_SEGMENT = re.compile(r"[A-Za-z]*[^\x00-\x7f][^\x00-@\[-`{-\x7f]*")
_THREE_BYTES = re.compile(rb"[\xe0-\xf4][\x80-\xbf]{2}")
_TWO_BYTES = re.compile(rb"[\xc2-\xdf][\x80-\xbf]")
_ESCAPES = (b"\x1b$", b"\x1b(")
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_BAD = "\ufffd"
_SAMPLE = 60_000
_BEFORE = 4_000
_MOST_SEGMENTS = 300
_LONGEST_SEGMENT = 60


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A decoded text.

    Attributes:
        text: the text.
        encoding: the name of its encoding.
        guessed: True if neither the bytes nor a declaration prove the encoding.
        declared: a false declaration of the file; empty otherwise.
        damaged: True if some bytes are no characters of the encoding.
    """

    text: str
    encoding: str
    guessed: bool = False
    declared: str = ""
    damaged: bool = False

    @property
    def problems(self) -> list[FileProblem]:
        """Problems to report: a guessed encoding, and missing characters."""
        problems = [guess_problem(self.encoding, self.declared)] if self.guessed else []
        if self.damaged:
            line = self.text.count("\n", 0, max(0, self.text.find(_BAD))) + 1
            message = Message("error.format.encoding.damaged", {"line": line, "encoding": self.encoding})
            problems.append(FileProblem(0, message, "detail"))
        return problems


def guess_problem(encoding: str, declared: str = "") -> FileProblem:
    """Return the report of a guessed encoding, or of one that the file declares falsely."""
    key = "error.format.encoding.wrong" if declared else "error.format.encoding.guess"
    values = {"encoding": encoding, "declared": shorten(declared)} if declared else {"encoding": encoding}
    return FileProblem(0, Message(key, values), "nothing")


def decode(data: bytes, declared: str | None = None) -> str:
    """Return the text of a file; never fails.

    Args:
        data: the whole file.
        declared: the name of the encoding that the file says it has.
    """
    return decode_text(data, declared).text


def decode_text(
    data: bytes,
    declared: str | None = None,
    encoding: str | None = None,
    faults: Callable[[str], int] | None = None,
) -> DecodedText:
    """Return the text of a file and its encoding.

    Args:
        data: the whole file.
        declared: the name of the encoding that the file says it has.
        encoding: the encoding, if the caller knows it; characters that are not in it become U+FFFD.
        faults: counts the faults in the syntax of a text, up to a few.

    Raises:
        FormatError: there is no such `encoding`.
    """
    if encoding is not None:
        return _decoded_as(data, encoding)
    for bom, codec in _BOMS:
        if data.startswith(bom):
            return _decoded(data[len(bom) :], codec, codec.upper())
    wide = _wide(data)
    if wide:
        return _decoded(data, wide, wide.upper())
    kind, guessed = likeliest([_sample(data)], declared, faults, whole=data)
    stated = (declared or "").strip()
    decoded = _decoded(data, kind.codec, kind.label)
    return replace(decoded, guessed=guessed, declared=stated if named(stated) is not kind else "")


def is_encoding(name: str) -> bool:
    """Return whether there is an encoding of text of this name."""
    try:
        "a".encode(name)
    except (LookupError, ValueError):
        return False
    return True


def checked_encoding(name: str) -> str:
    """Return the codec of a named encoding.

    Raises:
        FormatError: there is none.
    """
    known = named(name)
    if known is not None:
        return known.codec
    if not is_encoding(name):
        raise FormatError("error.format.encoding", encoding=shorten(name))
    return name


def decode_pieces(pieces: Sequence[bytes]) -> tuple[list[str], str]:
    """Return the texts of pieces that are in the same, unknown encoding, and its name.

    The name is empty if there is no doubt about it.
    """
    sample: list[bytes] = []
    size = 0
    for piece in pieces:
        if not piece.isascii() and size < _SAMPLE:
            sample.append(piece)
            size += len(piece)
    kind, guessed = likeliest(sample, whole=b"\n".join(pieces))
    return [piece.decode(kind.codec, "replace") for piece in pieces], kind.label if guessed else ""


def likeliest(
    pieces: Sequence[bytes],
    declared: str | None = None,
    faults: Callable[[str], int] | None = None,
    whole: bytes | None = None,
) -> tuple[Encoding, bool]:
    """Return the likeliest encoding of some bytes without a byte order mark, and whether it is a guess.

    Args:
        pieces: a sample; each begins and ends between characters.
        declared: the encoding that the file says it has.
        faults: counts the faults in the syntax of a text, up to a few.
        whole: all bytes that the encoding is for; the sample if None.
    """
    data = b"\n".join(pieces) if whole is None else whole
    stated = named(declared or "")
    if data.isascii():
        if stated is not None and stated.codec in _SEVEN_BITS:
            return stated, False
        escaped = any(escape in data for escape in _ESCAPES)
        return (ISO_2022_JP, True) if escaped else (UTF_8, False)
    utf_8 = _decodes(data, "utf-8")
    if utf_8:
        # Two-byte sequences alone may be characters of a legacy East Asian encoding.
        legacy = stated is not None and stated.codec in _EAST_ASIAN
        many = not legacy and len(_TWO_BYTES.findall(data[:_SAMPLE])) > _FEW
        if many or _THREE_BYTES.search(data):
            return UTF_8, False
    best = max(ENCODINGS, key=lambda kind: _likelihood(kind, pieces, stated, faults, utf_8))
    return best, best is not stated and best is not UTF_8


def _likelihood(
    kind: Encoding,
    pieces: Sequence[bytes],
    stated: Encoding | None,
    faults: Callable[[str], int] | None,
    utf_8: bool,
) -> float:
    """The log-likelihood that bytes are in an encoding."""
    total = kind.prior
    if kind is stated:
        total += _DECLARED_VAGUELY if kind.vague else _DECLARED - min(0, kind.prior)
    elif kind.prior <= -30:
        return total * 1000
    if kind.codec in _SEVEN_BITS:
        return total - 1000
    texts = [piece.decode(kind.codec, "replace") for piece in pieces]
    total += _text_likelihood(kind, texts)
    if kind.codec == "utf-8" and utf_8 and (stated is None or stated.codec not in _EAST_ASIAN):
        total += _UTF_8_BY_CHANCE
    if faults is not None:
        total += _FAULT * min(_MOST_FAULTS, sum(map(faults, texts)))
    return total


def _text_likelihood(kind: Encoding, texts: Iterable[str]) -> float:
    segments: dict[str, None] = {}
    for text in texts:
        for match in _SEGMENT.finditer(text):
            segments[match.group()[:_LONGEST_SEGMENT]] = None
            if len(segments) == _MOST_SEGMENTS:
                break
    total = 0.0
    rows: list[list[float]] = []
    for segment in segments:
        if kind.codec in _EAST_ASIAN:
            raw = segment.encode(kind.codec, "ignore")
            total += _EATEN * (sum(byte < 0x80 for byte in raw) - sum(map(str.isascii, segment)))
        row = [languages.language(name).score(segment) for name in kind.languages]
        rows.append([*row, _unknown(segment, kind)])
    if not rows:
        return total
    best_of_rows = [max(row) for row in rows]
    rarities = [*(languages.language(name).rarity for name in kind.languages), 0.0]
    return total + max(
        rarity
        + sum(
            max(row[column], best + _ANOTHER_LANGUAGE) for row, best in zip(rows, best_of_rows, strict=True)
        )
        for column, rarity in enumerate(rarities)
    )


def _unknown(segment: str, kind: Encoding) -> float:
    """The log-likelihood of a segment in a language without a model."""
    if kind.codec != "utf-8" and kind.languages:
        return -1e6
    signs = [sign for sign in segment if not sign.isascii()]
    if _BAD in signs:
        return languages.INVALID * len(signs)
    return sum(_UNKNOWN_LETTER if sign.isalpha() else _UNKNOWN_SIGN for sign in signs)


def _decoded_as(data: bytes, encoding: str) -> DecodedText:
    codec = checked_encoding(encoding)
    for bom, marked in _BOMS:
        # A byte order mark of the named encoding (utf-16 for either order) is no part of the text.
        if data.startswith(bom) and marked.startswith(codec.lower().replace("_", "-").removesuffix("-sig")):
            return _decoded(data[len(bom) :], marked, encoding)
    return _decoded(data, codec, encoding)


def _decoded(data: bytes, codec: str, label: str) -> DecodedText:
    if _decodes(data, codec):
        return DecodedText(data.decode(codec), label)
    return DecodedText(decode_as(data, codec), label, damaged=True)


def decode_as(data: bytes, codec: str) -> str:
    """Return the text of bytes, with U+FFFD for what is not in the encoding."""
    try:
        return data.decode(codec, "replace")
    except UnicodeError:  # some codecs know no replacement
        return data.decode("latin-1")


def _wide(data: bytes) -> str:
    """Return the codec of UTF-16 that begins in ASCII without a byte order mark; empty if it is none."""
    head = data[:400]
    zeros = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if half < 2 or max(zeros) * 2 < half or min(zeros) * 20 > half:
        return ""
    high = 0 if zeros[0] > zeros[1] else 1
    if head[high] or not 0 < head[1 - high] < 0x80:
        return ""
    return "utf-16-le" if high else "utf-16-be"


def _sample(data: bytes) -> bytes:
    """A part of a file with characters beyond ASCII, which begins at its beginning or with a line."""
    if len(data) <= _SAMPLE:
        return data
    match = _NOT_ASCII.search(data)
    start = max(0, (match.start() if match else 0) - _BEFORE)
    if start:
        start = data.find(b"\n", start, start + _BEFORE) + 1 or data.find(b";", start, start + _BEFORE)
    end = data.rfind(b"\n", 0, max(start, 0) + _SAMPLE)
    return data[max(start, 0) : end if end > start else max(start, 0) + _SAMPLE]


def _decodes(data: bytes, codec: str) -> bool:
    try:
        data.decode(codec)
    except UnicodeError:
        return False
    return True
