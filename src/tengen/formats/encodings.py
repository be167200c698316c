"""The encoding of text files as they are met in the wild.

A file may declare an encoding and hold another; what its bytes can be counts for more than what it says.
Libraries that guess encodings go by statistics, which a game with two names in it has not:
charset-normalizer takes GB18030 for Big5 there, and Windows-1252 too.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from itertools import islice

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
_NOT_ASCII = re.compile(r"[^\x00-\x7f]{1,100}")
_SAMPLE = 10_000
_BAD = "\ufffd"


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
