"""Language models of single characters, for texts of a few characters.

Every reading of the same bytes explains all of them, so that the likelihoods of readings in different
encodings can be compared. A text is given as its segments: the words that have characters beyond ASCII.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tengen.formats import encoding_characters as characters

INVALID = -18.0
"""The log-likelihood of bytes that are no character of an encoding."""

_FOREIGN = -15.0
_SYMBOL = -11.0
_CONTROL = -20.0
_PUNCTUATION = -6.0
_CASE = -6.0
_MIXED = -6.0
_BEHIND_A_WORD = -5.0

_EAST_ASIAN_SIGNS = (
    "，。、：；？！（）「」『』《》〈〉【】“”‘’…—・ー～·　％＋－＝／０１２３４５６７８９々〇"
    "△▲▽▼□■○●◎◇◆×☆★→←↑↓①②③④⑤⑥⑦⑧⑨⑩ＡＢＣＤＥＦＧＨ"
)
_WESTERN_SIGNS = "«»„“”‚‘’–—…№°·•½¿¡©®×§´\xa0"
_KEPT_UPPER = -1.0
_REPLACED = "\ufffd"


@dataclass(frozen=True)
class Language:
    """A language that segments may be in.

    Attributes:
        name: its code.
        alphabetic: True if it has upper and lower case.
        likelihoods: log-frequency of characters.
        first: log-frequency of the first character of a segment, for characters where it differs.
        mixed: True if its letters occur beside those of ASCII in the same word.
        rarity: log-prior of the language among those of its encodings.
    """

    name: str
    alphabetic: bool
    likelihoods: Mapping[str, float]
    first: Mapping[str, float]
    mixed: bool
    rarity: float = 0.0

    def score(self, segment: str) -> float:
        """Return the log-likelihood of a segment's characters beyond ASCII."""
        return self._word(segment) if self.alphabetic else self._characters(segment)

    def _characters(self, segment: str) -> float:
        total = 0.0
        begins = True
        before = ""
        for character in segment:
            ascii_before, before = before.isascii() and before.islower(), character
            if character.isascii():
                continue
            if ascii_before and begins:
                total += _BEHIND_A_WORD
            known = self.first.get(character) if begins else None
            if known is None:
                known = self.likelihoods.get(character)
            total += _other(character) if known is None else known
            begins = False
        return total

    def _word(self, segment: str) -> float:
        total = 0.0
        before = ""
        for character in segment:
            if not character.isascii():
                lower = character.lower()
                known = self.likelihoods.get(lower)
                if known is None:
                    total += _other(character)
                else:
                    total += known
                    if character != lower:
                        total += _KEPT_UPPER if not before.isalpha() or before.isupper() else _CASE
                    elif before.isupper() and len(segment) > 2 and _is_upper_before(segment, before):
                        total += _CASE / 2
                    if not self.mixed and before.isascii() and before.isalpha():
                        total += _MIXED
            elif not self.mixed and character.isalpha() and before and not before.isascii():
                total += _MIXED
            before = character
        return total


def _is_upper_before(segment: str, before: str) -> bool:
    """Return whether a small letter follows capitals that do not begin the segment."""
    place = segment.find(before)
    return place > 0 and segment[place - 1].isalpha()


@cache
def _other(character: str) -> float:
    """The log-likelihood of a character that a language does not have."""
    if character == _REPLACED:
        return INVALID
    category = unicodedata.category(character)
    if category in ("Cc", "Cn", "Co", "Cs"):
        return _CONTROL
    if character in _EAST_ASIAN_SIGNS or character in _WESTERN_SIGNS:
        return _PUNCTUATION - 2
    return _FOREIGN if category.startswith("L") else _SYMBOL


# Alphabets: letters beyond ASCII, and how many of a thousand letters each is.

_WESTERN = {
    "de": "ä5 ö3 ü6 ß3",
    "fr": "é20 è6 à5 ê3 ç2 ô2 î2 û1 â1 ï0.3 ë0.3 ù0.6 œ0.3 ü0.1",
    "es": "á5 é4 í7 ó8 ú2 ñ3 ü0.2",
    "pt": "ã8 á5 é4 ç5 í4 ó3 ê4 õ2 â2 ú2 à1 ô1",
    "it": "à6 è4 ò2 ù2 é1 ì1",
    "sv": "ä18 å13 ö13 é1",
    "fi": "ä35 ö5 å0.5",
    "no": "å12 ø9 æ3 é0.5 ö0.2",
    "da": "å10 ø9 æ8 é0.5",
    "is": "á18 ð40 í15 æ8 ó9 ö7 þ14 ú6 é6 ý2",
    "et": "ä17 õ16 ü8 ö4 š0.5 ž0.3",
    "nl": "ë2 é2 ï1 ö0.2 ü0.2",
}
_CENTRAL = {
    "cs": "á22 í30 é11 ě16 ý9 ř12 č10 š9 ž11 ů6 ú3 ó0.5 ť0.5 ň0.5 ď0.3",
    "sk": "á19 í10 é9 ý11 č11 š9 ž10 ú9 ó1 ľ4 ť5 ô2 ň2 ď1 ä1 ĺ0.1 ŕ0.1",
    "pl": "ą10 ę11 ó8 ł18 ś7 ć4 ń2 ż8 ź1",
    "hu": "á36 é32 ö11 ó10 ő9 í6 ü6 ú3 ű2",
    "hr": "č9 š8 ž5 ć6 đ2",
    "ro": "ă23 â7 î6 ş13 ţ11 ș13 ț11",
}
_TURKISH = {"tr": "ı51 ü19 ş18 ğ11 ç12 ö8 İ2 â0.5"}
_BALTIC = {
    "et": _WESTERN["et"],
    "lv": "ā40 ī18 ē16 š11 ū7 ņ5 ļ4 ž3 č2 ģ2 ķ2",
    "lt": "ė20 š12 ž9 ų12 ū8 į6 č5 ę3 ą7",
}
_RARE = {"is": -4.0, "nl": -1.0, "no": -1.0, "da": -1.0, "sk": -2.0, "ro": -1.5, "it": -0.5, "pt": -0.5}
_CYRILLIC = {
    "ru": (
        "о110 е85 а80 и73 н67 т63 с55 р47 в45 л44 к35 м32 д30 п28 у26 я20 ы19 ь17 г17 з16 б16 ч14 й12 х10 "
        "ж9 ш7 ю6 ц5 щ4 э3 ф3 ъ0.4 ё0.5"
    ),
    "uk": (
        "о94 а72 н65 и61 і57 в52 т55 е46 р47 с40 к35 у34 л36 д32 м31 п29 я22 з22 б18 ь18 г16 ч14 й14 х12 "
        "ц8 ж9 ш8 ю9 ї6 є5 щ6 ф3 ґ0.1"
    ),
}
_GREEK = {
    "el": (
        "α90 ο90 ι75 ε75 τ75 σ50 ν60 η45 υ40 ρ40 π40 κ40 μ33 λ30 ς38 δ17 γ18 ω17 χ12 θ12 φ9 β7 ξ4 ζ4 ψ2 "
        "ά20 ό18 έ15 ί18 ή13 ύ10 ώ9"
    ),
}


def _alphabetic(name: str, letters: str, mixed: bool) -> Language:
    likelihoods = {part[0]: math.log(float(part[1:]) / 1000) for part in letters.split()}
    signs = dict.fromkeys(_WESTERN_SIGNS, _PUNCTUATION)
    return Language(name, True, signs | likelihoods, {}, mixed, _RARE.get(name, 0.0))


def _ranked(listed: str, share: float, head: int = 20) -> dict[str, float]:
    """Probabilities of characters given in order of frequency, which add up to `share`."""
    weights = [1 / (rank + head) for rank in range(len(listed))]
    total = sum(weights)
    return {sign: share * weight / total for sign, weight in zip(listed, weights, strict=True)}


def _decodable(codec: str, leads: range, trails: range) -> str:
    """The characters of a block of a two-byte encoding."""
    pairs = (bytes((lead, trail)) for lead in leads for trail in trails)
    return "".join(pair.decode(codec, "ignore") for pair in pairs)


def _spread(signs: str, share: float) -> dict[str, float]:
    return dict.fromkeys(signs, share / len(signs))


def _logarithms(*parts: Mapping[str, float]) -> dict[str, float]:
    total: dict[str, float] = {}
    for part in parts:
        for sign, probability in part.items():
            total[sign] = total.get(sign, 0.0) + probability
    return {sign: math.log(probability) for sign, probability in total.items()}


def _ideographic(name: str, parts: tuple[Mapping[str, float], ...], surnames: str) -> Language:
    parts = (*parts, _spread(_EAST_ASIAN_SIGNS, 0.08))
    half = tuple({sign: probability / 2 for sign, probability in part.items()} for part in parts)
    first = _logarithms(_ranked(surnames, 0.5, 8), *half)
    return Language(name, False, _logarithms(*parts), first, mixed=True)


_HIGH = range(0xA1, 0xFF)


def _simplified() -> Language:
    parts = (
        _ranked(characters.SIMPLIFIED, 0.84),
        _spread(_decodable("gb2312", range(0xB0, 0xD8), _HIGH), 0.06),
        _spread(_decodable("gb2312", range(0xD8, 0xF8), _HIGH), 0.015),
    )
    return _ideographic("zh-Hans", parts, characters.CHINESE_SURNAMES)


def _traditional() -> Language:
    trails = range(0x40, 0xFF)
    parts = (
        _ranked(characters.TRADITIONAL, 0.84),
        _spread(_decodable("big5", range(0xA4, 0xC7), trails), 0.06),
        _spread(_decodable("big5", range(0xC9, 0xFA), trails), 0.01),
    )
    return _ideographic("zh-Hant", parts, characters.TRADITIONAL_SURNAMES)


def _japanese() -> Language:
    hiragana = "".join(map(chr, range(0x3041, 0x3094)))
    katakana = "".join(map(chr, range(0x30A1, 0x30F7)))
    half_width = "".join(map(chr, range(0xFF66, 0xFFA0)))
    parts = (
        _spread(hiragana, 0.3),
        _spread(katakana, 0.12),
        _spread(half_width, 0.05),
        _spread("｡｢｣､･", 0.001),
        _ranked(characters.KANJI, 0.38),
        _spread(_decodable("euc_jp", range(0xB0, 0xD0), _HIGH), 0.05),
        _spread(_decodable("euc_jp", range(0xD0, 0xF5), _HIGH), 0.008),
    )
    return _ideographic("ja", parts, characters.JAPANESE_SURNAMES)


def _korean() -> Language:
    parts = (
        _ranked(characters.HANGUL, 0.72),
        _spread(_decodable("euc_kr", range(0xB0, 0xC9), _HIGH), 0.18),
        _spread(_decodable("euc_kr", range(0xCA, 0xFE), _HIGH), 0.01),
    )
    return _ideographic("ko", parts, characters.KOREAN_SURNAMES)


_IDEOGRAPHIC = {"zh-Hans": _simplified, "zh-Hant": _traditional, "ja": _japanese, "ko": _korean}
_ALPHABETIC = _WESTERN | _CENTRAL | _TURKISH | _BALTIC | _CYRILLIC | _GREEK

WESTERN = tuple(_WESTERN)
CENTRAL = tuple(_CENTRAL)
TURKISH = tuple(_TURKISH)
BALTIC = tuple(_BALTIC)
CYRILLIC = tuple(_CYRILLIC)
GREEK = tuple(_GREEK)
ALL = (*_IDEOGRAPHIC, *_ALPHABETIC)
"""The languages, by alphabet."""


@cache
def language(name: str) -> Language:
    """Return the model of a language."""
    if name in _IDEOGRAPHIC:
        return _IDEOGRAPHIC[name]()
    return _alphabetic(name, _ALPHABETIC[name], mixed=name not in (*CYRILLIC, *GREEK))
