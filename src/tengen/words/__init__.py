"""Every sentence a user of Tengen reads, in the languages of `tengen.words.languages`.

One catalogue serves all faces. A language is a folder beside this file, and each file there holds the
texts of one face or page (`cli`, `terminal`, `play` ...), of several pages (`web`), or of several faces
(`shared`); a browser loads the files of its page. Code below the faces never formats a sentence: it carries
a `Message`, a key with its values, and the face that knows the reader's language turns it into text with
`say`. Texts that a draft of a language lacks are taken from English.

A text of the catalogue is written in a part of ICU's MessageFormat. It may hold

- ``{name}``: the value of that name; a value that is itself a `Message` is formatted in the same language,
  and a tuple or list is joined with the language's comma;
- ``{name, number}``: a number as the language writes it, and ``{name, number, ::.00}``: with two digits
  after the decimal sign;
- ``{name, plural, one {# game} other {# games}}``: the form for the number's plural category, with the
  number in place of ``#``; a form may hold placeholders of the two kinds above.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from tengen.words.languages import LANGUAGES as LANGUAGES
from tengen.words.numbers import format_number, plural_category

_E = TypeVar("_E", bound="TengenError")

_FORM_TEXT = r"(?:[^{}]|\{[^{}]*\})*"
_FORM = re.compile(rf" (\w+) \{{({_FORM_TEXT})\}}")
_PLACEHOLDER = re.compile(
    rf"\{{(\w+)(?:, (number)(?:, ::\.(0+))?|, plural,((?: \w+ \{{{_FORM_TEXT}\}})+))?\}}|#"
)


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence that no language has been chosen for yet: a catalogue key and its values."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return say(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the message as JSON-ready data, for a browser that formats it."""
        return {"key": self.key, "values": {name: _plain(v) for name, v in self.values.items()}}


class TengenError(ValueError):
    """An error that a user of Tengen can cause and mend; ``str(error)`` is its sentence in English.

    Args:
        key: the catalogue key of the sentence, or the sentence itself.
        values: the values in the sentence.

    Attributes:
        message: the sentence, for a face that knows the reader's language.

    Examples:
        >>> import tengen
        >>> try:
        ...     tengen.Board.from_moves("h8h8")
        ... except tengen.TengenError as error:
        ...     print(error)
        h8 is occupied
        >>> issubclass(tengen.TengenError, ValueError)
        True

        In the languages that there are:

        >>> from tengen.words import LANGUAGES, say
        >>> try:
        ...     tengen.Board.from_moves("h8h8")
        ... except tengen.TengenError as error:
        ...     for language in LANGUAGES:
        ...         print(language, say(error.message, language))
        en h8 is occupied
        zh h8 已有棋子
        vi h8 đã có quân
    """

    def __init__(self, key: str, /, **values: Any) -> None:
        self.message = as_message(Message(key, values))
        super().__init__(say(self.message))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.message.key, dict(self.message.values))


def _rebuild(kind: type[_E], key: str, values: dict[str, Any]) -> _E:
    return kind(key, **values)


@cache
def catalogue(lang: str) -> Mapping[str, str]:
    """Return all texts of a language by key; those that a draft lacks are in English.

    Raises:
        KeyError: `lang` is none of `LANGUAGES`.
    """
    return {**_own_texts("en"), **_own_texts(lang)}


@cache
def _own_texts(lang: str) -> Mapping[str, str]:
    if lang not in LANGUAGES:
        raise KeyError(lang)
    texts: dict[str, str] = {}
    for path in sorted(Path(__file__).with_name(lang).glob("*.json")):
        texts |= texts_of(lang, path.stem)
    return texts


def texts_of(lang: str, file: str) -> dict[str, str]:
    """Return the texts of one file of a language, such as ``"play"``, by key."""
    path = Path(__file__).parent / lang / f"{file}.json"
    texts: dict[str, str] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return texts


def say(message: Message | str, lang: str = "en", **values: Any) -> str:
    """Return a message, or the text of a key with `values`, as a sentence in a language.

    Raises:
        KeyError: no such key, no such language, or a value that the text needs is missing.
    """
    if isinstance(message, str):
        message = Message(message, values)
    text = _own_texts(lang).get(message.key)
    if text is None:
        text, lang = _own_texts("en")[message.key], "en"
    return _filled(text, message.values, lang)


def _filled(text: str, values: Mapping[str, Any], lang: str, count: str = "#") -> str:
    """Return a text of the catalogue, or one of its plural forms, with its values.

    Raises:
        KeyError: a value is missing.
    """

    def fill(match: re.Match[str]) -> str:
        name, number, digits, forms = match.groups()
        if name is None:
            return count
        value = values[name]
        if number:
            return format_number(value, lang, len(digits) if digits else None)
        if forms:
            texts: dict[str, str] = dict(_FORM.findall(forms))
            category = plural_category(value, lang)
            form = texts[category if category in texts else "other"]
            return _filled(form, values, lang, format_number(value, lang))
        return _formatted(value, lang)

    return _PLACEHOLDER.sub(fill, text)


@lru_cache(maxsize=2048)
def placeholders(text: str) -> frozenset[str]:
    """Return the names of the values that a catalogue text needs."""
    found: set[str] = set()
    for name, _, _, forms in _PLACEHOLDER.findall(text):
        found |= {name} if name else set()
        for _, form in _FORM.findall(forms):
            found |= placeholders(form)
    return frozenset(found)


def as_message(sentence: Message | str) -> Message:
    """Return the message for a sentence of third-party code, such that every face can format it.

    A text becomes free text. So does a message whose key is not in the catalogue: its key is the text, in
    which names in braces are replaced by its values.

    Raises:
        KeyError: a value is missing that the text of the catalogue needs.
    """
    if isinstance(sentence, str):
        return Message("free_text", {"text": sentence})
    text = catalogue("en").get(sentence.key)
    if text is None:
        converted = {name: _converted(value) for name, value in sentence.values.items()}
        # Braces that name no value are somebody's own.
        own = {name: converted.get(name, f"{{{name}}}") for name in placeholders(sentence.key)}
        return Message("free_text", {"text": _filled(sentence.key, own, "en")})
    for name in placeholders(text):
        sentence.values[name]  # raises KeyError
    values = {name: _converted(value) for name, value in sentence.values.items()}
    return sentence if values == sentence.values else Message(sentence.key, values)


def _converted(value: Any) -> Any:
    """Return a value of a message, with the messages in it converted by `as_message`."""
    if isinstance(value, Message):
        return as_message(value)
    if isinstance(value, (tuple, list)):
        return tuple(map(_converted, value))
    return value


def _formatted(value: Any, lang: str) -> str:
    if isinstance(value, Message):
        return say(value, lang)
    if isinstance(value, (tuple, list)):
        return catalogue(lang)["comma"].join(_formatted(item, lang) for item in value)
    return str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return value.to_dict()
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value if isinstance(value, (int, float)) else str(value)
