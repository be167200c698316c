"""Characters that mean the same, made the same, and those that nobody sees, taken out."""

from __future__ import annotations

import re
import unicodedata

_BREAK = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_BLANK = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]")
_DASH = re.compile("[\u2010-\u2013\u2212\ufe58\ufe63\uff0d]")


_ASCII = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2018\u2019", "'"),
        **dict.fromkeys("\xa0\u2009\u202f", " "),
        "\u2026": "...",
        "\u2192": "->",
        "\u221e": "inf",
        "\u2264": "<=",
        "\u2265": ">=",
        "\xb1": "+-",
        "\xb7": "*",
        "\xd7": "x",
    }
)
"""Signs by what stands for them where there is only ASCII."""


def in_plain_signs(error: UnicodeError) -> tuple[str, int]:
    """Handle signs that an output encoding has not: dashes, quotes and others become ASCII, the rest ``?``.

    It is an error handler of `codecs`.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end].translate(_ASCII)
    return "".join(sign if sign.isascii() else "?" for sign in signs), error.end


def clean(text: str) -> str:
    """Return a text with LF for every kind of line break and a space for every kind of blank.

    Byte order marks, zero-width and control characters, soft hyphens, marks of writing direction and
    variation selectors are taken out. Tabs stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return _BLANK.sub(" ", _UNSEEN.sub("", _BREAK.sub("\n", text)))


def plain(text: str) -> str:
    """Return a `clean` text with full-width letters, digits and signs, and all short dashes, made plain."""
    if text.isascii():
        return clean(text)
    return unicodedata.normalize("NFKC", _DASH.sub("-", clean(text)))
