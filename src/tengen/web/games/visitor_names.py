"""Validation of visitors' names: short, readable, and unlike the names of computer players.

A name is not an account: two visitors may have the same name. Names that look like a reserved name are
found by comparing skeletons, after Unicode Technical Standard 39, *Unicode Security Mechanisms*; of its
table, the Cyrillic and Greek letters that look Latin are enough here.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from tengen.players.levels import LEVELS
from tengen.players.registry import ENTRIES
from tengen.web.transport.errors import WrongFields
from tengen.words import LANGUAGES, catalogue, say

LONGEST = 20
"""The most characters in a name."""

_MARKS = 2
"""The most consecutive combining marks."""

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""The Unicode categories of characters that are invisible or change the direction of text."""

_BLANK = frozenset(map(chr, (0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0)))
"""Characters of visible categories that show nothing: Hangul fillers and Braille's blank pattern."""

_OURS = ("black", "white", "web.play.you", "web.play.friend", "web.lobby.anonymous")

# Lower-case look-alikes and their Latin letters; i, l and 1 are merged, since many fonts show them alike.
_LOOKALIKES = str.maketrans("авекмнорстухіѕјԁӏαβεικνορτυχ01i|ı", "abekmhopctyxlsjdlabelkvoptuxollll")


def checked_name(text: str) -> str:
    """Validate and normalise a name, as `composed` does; an empty result stands for no name.

    Args:
        text: the name as it was entered.

    Raises:
        WrongFields: the name is too long, has invisible characters, has neither a letter nor a digit, or
            looks like the name of a computer player.
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
    """Normalise a text: compose it (NFC), collapse its white space, and strip it."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def is_readable(text: str) -> bool:
    """Return whether a text has no invisible characters and no piles of marks that cover adjacent lines."""
    return not any(map(_is_invisible, text)) and not _is_piled_up(text)


def _is_invisible(character: str) -> bool:
    return character in _BLANK or unicodedata.category(character) in _INVISIBLE


def _is_piled_up(name: str) -> bool:
    """Return whether a letter has so many combining marks that they cover adjacent lines."""
    marks = "".join("m" if unicodedata.category(character).startswith("M") else "-" for character in name)
    return "m" * (_MARKS + 1) in marks


def _skeleton(text: str) -> str:
    """Return a text's skeleton, which texts that look alike share."""
    plain = unicodedata.normalize("NFKD", text).casefold().translate(_LOOKALIKES)
    return "".join(character for character in plain if character.isalnum())


def _is_ours(skeleton: str) -> bool:
    names, levels = _reserved()
    return skeleton in names or levels.fullmatch(skeleton) is not None


@lru_cache(maxsize=1)
def _reserved() -> tuple[frozenset[str], re.Pattern[str]]:
    """Return the skeletons of reserved names, and a pattern of the skeletons of numbered levels."""
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
