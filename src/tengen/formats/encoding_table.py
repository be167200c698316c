"""The encodings of text files in practice, their names and their languages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from tengen.formats import encoding_languages as languages


@dataclass(frozen=True)
class Encoding:
    """An encoding of files.

    Attributes:
        label: its usual name.
        codec: Python's codec for it; of two that are confused in practice, the one with more characters.
        prior: its log-prior.
        languages: the languages written in it.
        aliases: other names for it in files.
        vague: True if files that hold anything else declare it too.
    """

    label: str
    codec: str
    prior: float
    languages: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    vague: bool = False


ENCODINGS = (
    Encoding("UTF-8", "utf-8", 0, languages.ALL, ("utf8",), vague=True),
    Encoding(
        "GB18030",
        "gb18030",
        0,
        ("zh-Hans",),
        (
            "gb2312",
            "gbk",
            "cp936",
            "936",
            "x-gbk",
            "euc-cn",
            "windows-936",
            "gb-2312-80",
        ),
    ),
    Encoding(
        "Big5",
        "big5hkscs",
        -1.5,
        ("zh-Hant",),
        ("big5-hkscs", "cp950", "950", "windows-950", "big-5", "x-x-big5", "big5hkscs"),
    ),
    Encoding(
        "Shift_JIS",
        "cp932",
        -1.5,
        ("ja",),
        (
            "sjis",
            "x-sjis",
            "windows-31j",
            "cp932",
            "ms932",
            "shift-jisx0213",
            "shiftjis",
            "ms-kanji",
            "932",
        ),
    ),
    Encoding("EUC-JP", "euc_jp", -3.5, ("ja",), ("x-euc-jp", "eucjp", "ujis")),
    Encoding("ISO-2022-JP", "iso2022_jp", -9, ("ja",)),
    Encoding(
        "EUC-KR",
        "cp949",
        -2,
        ("ko",),
        ("cp949", "uhc", "ks-c-5601-1987", "windows-949", "euckr", "ksc5601", "korean", "949"),
    ),
    Encoding("windows-1251", "cp1251", -1, languages.CYRILLIC, ("cp1251", "1251", "win-1251", "win1251")),
    Encoding("KOI8-R", "koi8_r", -4, languages.CYRILLIC, ("koi8", "koi8r")),
    Encoding("KOI8-U", "koi8_u", -6, languages.CYRILLIC),
    Encoding("IBM866", "cp866", -6, languages.CYRILLIC, ("cp866", "866", "dos-866")),
    Encoding("ISO-8859-5", "iso8859_5", -7, languages.CYRILLIC, ("cyrillic",)),
    Encoding("x-mac-cyrillic", "mac_cyrillic", -9, languages.CYRILLIC, ("mac-cyrillic", "x-mac-cyrillic")),
    Encoding(
        "windows-1252",
        "cp1252",
        0,
        languages.WESTERN,
        (
            "cp1252",
            "1252",
            "iso-8859-1",
            "latin-1",
            "latin1",
            "iso8859-1",
            "l1",
            "ansi",
            "us-ascii",
            "ascii",
        ),
        vague=True,
    ),
    Encoding("windows-1250", "cp1250", -1.0, languages.CENTRAL, ("cp1250", "1250", "win-1250")),
    Encoding("ISO-8859-2", "iso8859_2", -2.8, languages.CENTRAL, ("latin-2", "latin2", "iso8859-2")),
    Encoding("windows-1254", "cp1254", -2, languages.TURKISH, ("cp1254", "1254")),
    Encoding("ISO-8859-9", "iso8859_9", -6, languages.TURKISH, ("latin-5", "latin5", "iso8859-9")),
    Encoding("windows-1257", "cp1257", -2, languages.BALTIC, ("cp1257", "1257")),
    Encoding("windows-1253", "cp1253", -5, languages.GREEK, ("cp1253", "1253")),
    Encoding("ISO-8859-7", "iso8859_7", -7, languages.GREEK, ("greek", "iso8859-7")),
    Encoding("ISO-8859-15", "iso8859_15", -9, languages.WESTERN, ("latin-9", "latin9", "iso8859-15")),
    Encoding("macintosh", "mac_roman", -9, languages.WESTERN, ("mac", "mac-roman", "x-mac-roman")),
    Encoding("IBM850", "cp850", -9, languages.WESTERN, ("cp850", "850")),
    Encoding("IBM852", "cp852", -9, languages.CENTRAL, ("cp852", "852")),
    # There is no model of these languages: such encodings are read only if declared.
    Encoding("IBM437", "cp437", -30, (), ("cp437", "437")),
    Encoding("windows-1255", "cp1255", -30, (), ("cp1255", "iso-8859-8", "hebrew")),
    Encoding("windows-1256", "cp1256", -30, (), ("cp1256", "arabic")),
    Encoding("windows-1258", "cp1258", -30, (), ("cp1258",)),
    Encoding("windows-874", "cp874", -30, (), ("cp874", "tis-620", "iso-8859-11")),
    Encoding("ISO-8859-3", "iso8859_3", -30, (), ("latin-3", "latin3")),
    Encoding("ISO-8859-4", "iso8859_4", -30, (), ("latin-4", "latin4")),
    Encoding("ISO-8859-10", "iso8859_10", -30, (), ("latin-6", "latin6")),
    Encoding("ISO-8859-13", "iso8859_13", -30, (), ("latin-7", "latin7")),
    Encoding("ISO-8859-16", "iso8859_16", -30, (), ("latin-10", "latin10")),
    Encoding("Johab", "johab", -30, (), ("cp1361",)),
    Encoding("ISO-2022-KR", "iso2022_kr", -30, ()),
    Encoding("HZ", "hz", -30, (), ("hz-gb-2312",)),
    Encoding("ISO-8859-1", "latin-1", -12, (), ("bytes",)),
)
"""All encodings that a file may ask for: some of Python's codecs are no character encodings."""


@cache
def _plain_name(name: str) -> str:
    return re.sub(r"[\s_]+", "-", name.strip().lower())


_BY_NAME = {_plain_name(name): kind for kind in reversed(ENCODINGS) for name in (kind.label, *kind.aliases)}

UTF_8 = _BY_NAME["utf-8"]
ISO_2022_JP = _BY_NAME["iso-2022-jp"]


def named(name: str) -> Encoding | None:
    """Return the encoding of this name in files; None if there is none."""
    return _BY_NAME.get(_plain_name(name[:40]))
