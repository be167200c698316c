"""Text that comes through a pipe, in whatever encoding and with whatever line breaks, as it comes.

A mark at the beginning decides (UTF-8, UTF-16), and so do zero bytes at every other place, as some shells
of Windows write them. Anything else is UTF-8; bytes that cannot be are taken for the system's code page,
for GB18030 or for Windows-1252, whichever they fit.
"""

from __future__ import annotations

import codecs
import io
import locale
import re
from collections import deque
from collections.abc import Callable
from typing import Any

from tengen.plaintext.characters import clean

CHUNK = 1 << 16
"""Bytes that are read at once, at most."""

_BREAK = re.compile(r"\r\n|\r|\n")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_HIGH = re.compile(rb"[\x80-\xff]+(?:(?<=[\x81-\xfe])[\x40-\x7e])?|[\x80-\xff]+")
_LEGACY = "tengen.legacy"
_HEAD = 4
"""Bytes that tell UTF-16 from other text."""


def _legacy(error: UnicodeError) -> tuple[str, int]:
    """Decode bytes that are no UTF-8, up to the next that is ASCII."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    run = _HIGH.match(error.object, error.start)
    data = error.object[error.start : error.end] if run is None else run.group()
    for part in (data, data.rstrip(bytes(range(0x80)))):
        for codec in (locale.getpreferredencoding(False), "gb18030", "cp1252"):
            try:
                text = part.decode(codec)
            except (UnicodeDecodeError, LookupError):
                continue
            return text, error.start + len(part)
    return data.decode("latin-1"), error.start + len(data)


codecs.register_error(_LEGACY, _legacy)


class TextDecoder:
    """Turns bytes into text as they come; what is only begun waits for the rest."""

    def __init__(self) -> None:
        self._begun = b""
        self._decoder: codecs.IncrementalDecoder | None = None

    def decode(self, data: bytes, *, final: bool = False) -> str:
        """Return the text of the next bytes.

        Args:
            data: the bytes.
            final: whether there are no more.
        """
        if self._decoder is None:
            data = self._begun + data
            if len(data) < _HEAD and not final and (not data or data[0] >= 0x80 or 0 in data):
                self._begun = data
                return ""
            self._decoder, mark = _decoder(data)
            data = data[mark:]
        return self._decoder.decode(data, final)


def _decoder(data: bytes) -> tuple[codecs.IncrementalDecoder, int]:
    """The decoder of a text that begins with these bytes, and the length of its mark."""
    for mark, codec in _MARKS:
        # Lines of UTF-16 have zero bytes, if only in their ends.
        if data.startswith(mark) and (len(mark) > 2 or len(data) <= _HEAD or 0 in data):
            return codecs.getincrementaldecoder(codec)("replace"), len(mark)
    head = data[:_HEAD]
    if len(head) > 1 and all(head[0::2]) and not any(head[1::2]):
        return codecs.getincrementaldecoder("utf-16-le")("replace"), 0
    if len(head) > 1 and all(head[1::2]) and not any(head[0::2]):
        return codecs.getincrementaldecoder("utf-16-be")("replace"), 0
    return codecs.getincrementaldecoder("utf-8")(_LEGACY), 0


def as_utf8(read: Callable[[], bytes]) -> Callable[[], bytes]:
    """What reads the same text as UTF-8, without a mark.

    Args:
        read: gives the next bytes, none at the end.
    """
    decoder = TextDecoder()

    def read_on() -> bytes:
        while chunk := read():
            text = decoder.decode(chunk)
            if text:
                return text.encode("utf-8", "replace")
        return decoder.decode(b"", final=True).encode("utf-8", "replace")

    return read_on


class LineReader(io.TextIOBase):
    """The lines of a byte stream, each as soon as it is complete, and clean.

    Args:
        read: gives the next bytes, none at the end.
    """

    def __init__(self, read: Callable[[], bytes]) -> None:
        super().__init__()
        self._read = read
        self._decoder = TextDecoder()
        self._lines: deque[str] = deque()
        self._rest = ""
        self._after_return = False
        self._ended = False

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        """Return the next line with its end; the last one may have none, and after it all are empty."""
        while not self._lines and not self._ended:
            self._more()
        return self._lines.popleft() if self._lines else ""

    def _more(self) -> None:
        try:
            data = self._read()
        except (OSError, ValueError):
            data = b""
        text = self._decoder.decode(data, final=not data)
        if self._after_return and text:
            text = text.removeprefix("\n")
            self._after_return = False
        self._after_return = text.endswith("\r") or (self._after_return and not text)
        *whole, self._rest = _BREAK.split(self._rest + text)
        self._lines.extend(part + "\n" for line in whole for part in clean(line).split("\n"))
        self._ended = not data
        if self._ended and (rest := clean(self._rest)):
            self._lines.extend(part + "\n" for part in rest.split("\n"))


def piped_lines(stream: Any) -> Any:
    """The lines of a text stream; those of a terminal, and of a stream without bytes, as they are."""
    if not hasattr(stream, "buffer") or stream.isatty():
        return stream
    return LineReader(lambda: stream.buffer.read1(CHUNK))
