"""The names that visitors give themselves: anything short that can be read, but no name of the computer's.

A name is no account: two visitors may have the same one. Names that look like one of ours are found by
comparing skeletons, after the idea of Unicode Technical Standard 39, *Unicode Security Mechanisms*, of
whose table the letters of Cyrillic and Greek that look Latin are enough here.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from tengen.players.levels import LEVELS
from tengen.players.registry import ENTRIES
from tengen.web.server.http_errors import WrongFields
from tengen.words import LANGUAGES, catalogue, say

LONGEST = 20
"""The most characters of a name."""

_MARKS = 2
"""The most marks in a row above and below a letter."""

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode's categories of what cannot be seen, or turns the text around it."""

_BLANK = frozenset(map(chr, (0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0)))
"""What counts as a letter or a sign, and shows nothing: the fillers of Hangul, Braille's empty cell."""

_OURS = ("black", "white", "web.play.you", "web.play.friend", "web.lobby.anonymous")

# Pairs of letters that look alike, as small ones; i, l and 1 become one, for so they do in many fonts.
_LOOKALIKES = str.maketrans("авекмнорстухіѕјԁӏαβεικνορτυχ01i|ı", "abekmhopctyxlsjdlabelkvoptuxollll")


def checked_name(text: str) -> str:
    """A name as it is kept: composed (NFC), with single spaces, none of them around it; empty for none.

    Args:
        text: as it was written.

    Raises:
        WrongFields: it is too long, holds what cannot be seen, no letter and no digit, or looks like a
            name of the computer's.
    """
    name = composed(text)
    if not name:
        return ""
    if not is_readable(name):
        raise WrongFields("error.web.name.characters")
    if len(name) > LONGEST:
        raise WrongFields("error.web.name.long", count=len(name), most=LONGEST)
    if not any(character.isalnum() for character in name):
        raise WrongFields("error.web.name.letters")
    if _is_ours(_skeleton(name)):
        raise WrongFields("error.web.name.computer", name=name)
    return name


def composed(text: str) -> str:
    """A text as it is kept: composed (NFC), with single spaces, none of them around it."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def is_readable(text: str) -> bool:
    """Whether all of a text can be seen, and nothing of it covers the lines around it."""
    return not any(map(_is_invisible, text)) and not _is_piled_up(text)


def _is_invisible(character: str) -> bool:
    return character in _BLANK or unicodedata.category(character) in _INVISIBLE


def _is_piled_up(name: str) -> bool:
    """Whether so many marks stand on a letter that they cover the lines around it."""
    marks = "".join("m" if unicodedata.category(one).startswith("M") else "-" for one in name)
    return "m" * (_MARKS + 1) in marks


def _skeleton(text: str) -> str:
    """A text without what tells it from others that look like it."""
    plain = unicodedata.normalize("NFKD", text).casefold().translate(_LOOKALIKES)
    return "".join(character for character in plain if character.isalnum())


def _is_ours(skeleton: str) -> bool:
    names, levels = _reserved()
    return skeleton in names or levels.fullmatch(skeleton) is not None


@lru_cache(maxsize=1)
def _reserved() -> tuple[frozenset[str], re.Pattern[str]]:
    """Skeletons of the names that pages give to players, and of levels with any number."""
    texts = ["tengen", *ENTRIES]
    for lang in LANGUAGES:
        sentences = catalogue(lang)
        texts += [sentences[key] for key in _OURS]
        texts += [
            text for key, text in sentences.items() if key.startswith("player.name.") and "{" not in text
        ]
        texts += [say(f"level.{level}", lang) for level in LEVELS]
    levels = [catalogue(lang)["player.name.level"].split("{number}") for lang in LANGUAGES]
    numbered = re.compile("|".join("[0-9lo]*".join(map(_skeleton, around)) for around in levels))
    return frozenset(map(_skeleton, texts)), numbered
