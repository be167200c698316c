"""Every sentence a user of Tengen reads, in the languages of `tengen.words.languages`.

One catalogue serves all faces. A language is a folder beside this file, and each file there holds the
texts of one face or page (`cli`, `terminal`, `play` ...), of several pages (`web`), or of several faces
(`shared`); a browser loads the files of its page. Code below the faces never formats a sentence: it carries
a `Message`, a key with its values, and the face that knows the reader's language turns it into text with
`say`. What a draft of a language lacks is said in English.

A text of the catalogue is written in a part of ICU's MessageFormat. It may hold

- ``{name}``: the value of that name; a value that is itself a `Message` is said in the same language,
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
    """A sentence not yet said: a catalogue key and the values that go into it."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return say(self)

    def to_dict(self) -> dict[str, Any]:
        """The message as JSON-ready data, for a face that says it elsewhere (the browser)."""
        return {"key": self.key, "values": {name: _plain(v) for name, v in self.values.items()}}


class TengenError(ValueError):
    """Any error that a user of Tengen can cause and mend; ``str(error)`` is its sentence in English.

    Args:
        key: catalogue key of the sentence that says what is wrong, or the sentence itself.
        values: what the sentence needs.

    Attributes:
        message: the sentence, for a face that knows the reader's language.
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
    """All texts of one language, by key; in English what a draft lacks.

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
    """The texts of one file of a language, such as ``"play"``, by key."""
    path = Path(__file__).parent / lang / f"{file}.json"
    texts: dict[str, str] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return texts


def say(message: Message | str, lang: str = "en", **values: Any) -> str:
    """Say `message` (or the text of a key, with `values`) in `lang`.

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
        return _said(value, lang)

    return _PLACEHOLDER.sub(fill, text)


@lru_cache(maxsize=2048)
def placeholders(text: str) -> frozenset[str]:
    """The names of the values that a catalogue text needs."""
    found: set[str] = set()
    for name, _, _, forms in _PLACEHOLDER.findall(text):
        found |= {name} if name else set()
        for _, form in _FORM.findall(forms):
            found |= placeholders(form)
    return frozenset(found)


def as_message(said: Message | str) -> Message:
    """A message that every face can say, of whatever anybody's own code says.

    A text is free text. So is a message whose key is none of the catalogue: the key is the text, and
    values that it names in braces go into it.

    Raises:
        KeyError: a value is missing that the text of the catalogue needs.
    """
    if isinstance(said, str):
        return Message("free_text", {"text": said})
    text = catalogue("en").get(said.key)
    if text is None:
        known = {name: _known(value) for name, value in said.values.items()}
        # Braces that name no value are somebody's own.
        own = {name: known.get(name, f"{{{name}}}") for name in placeholders(said.key)}
        return Message("free_text", {"text": _filled(said.key, own, "en")})
    for name in placeholders(text):
        said.values[name]  # raises KeyError
    values = {name: _known(value) for name, value in said.values.items()}
    return said if values == said.values else Message(said.key, values)


def _known(value: Any) -> Any:
    """A value of a message; messages inside it are such as every face can say."""
    if isinstance(value, Message):
        return as_message(value)
    if isinstance(value, (tuple, list)):
        return tuple(map(_known, value))
    return value


def _said(value: Any, lang: str) -> str:
    if isinstance(value, Message):
        return say(value, lang)
    if isinstance(value, (tuple, list)):
        return catalogue(lang)["comma"].join(_said(item, lang) for item in value)
    return str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return value.to_dict()
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value if isinstance(value, (int, float)) else str(value)
