"""Every sentence a user of Tengen reads, in English and Simplified Chinese.

One catalogue serves all faces. A language is a folder beside this file, and each file there holds the
texts of one face or page (`cli`, `terminal`, `play` ...), of several pages (`web`), or of several faces
(`shared`); a browser loads the files of its page. Code below the faces never formats a sentence: it carries
a `Message`, a key with its values, and the face that knows the reader's language turns it into text with
`say`.

A catalogue text may hold

- ``{name}``: the value of that name; a value that is itself a `Message` is said in the same language,
  and a tuple or list is joined with the language's comma;
- ``{name|one|many}``: ``one`` where the value is 1, a number or a text, ``many`` otherwise.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

LANGUAGES = ("en", "zh")

_E = TypeVar("_E", bound="TengenError")

_PLACEHOLDER = re.compile(r"\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}")


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


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(lang: str) -> Mapping[str, str]:
    """All texts of one language, by key.

    Raises:
        KeyError: `lang` is none of `LANGUAGES`.
    """
    if lang not in LANGUAGES:
        raise KeyError(lang)
    texts: dict[str, str] = {}
    for path in sorted(Path(__file__).with_name(lang).glob("*.json")):
        texts |= texts_of(lang, path.stem)
    return texts


def texts_of(lang: str, file: str) -> dict[str, str]:
    """The texts of one file of a language, such as ``"play"``, by key."""
    path = Path(__file__).parent / lang / f"{file}.json"
    texts: dict[str, str] = json.loads(path.read_text("utf-8"))
    return texts


def say(message: Message | str, lang: str = "en", **values: Any) -> str:
    """Say `message` (or the text of a key, with `values`) in `lang`.

    Raises:
        KeyError: no such key, no such language, or a value that the text needs is missing.
    """
    if isinstance(message, str):
        message = Message(message, values)
    texts = catalogue(lang)

    def fill(match: re.Match[str]) -> str:
        name, one, many = match.groups()
        value = message.values[name]
        if one is not None:
            return one if value in (1, "1") else many
        return _said(value, lang)

    return _PLACEHOLDER.sub(fill, texts[message.key])


@lru_cache(maxsize=1024)
def placeholders(text: str) -> frozenset[str]:
    """The names of the values that a catalogue text needs."""
    return frozenset(match.group(1) for match in _PLACEHOLDER.finditer(text))


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
        return Message("free_text", {"text": _PLACEHOLDER.sub(partial(_own, said.values), said.key)})
    for name in placeholders(text):
        said.values[name]  # raises KeyError
    values = {name: _known(value) for name, value in said.values.items()}
    return said if values == said.values else Message(said.key, values)


def _own(values: Mapping[str, Any], match: re.Match[str]) -> str:
    """What stands for a placeholder of somebody's own text: itself where it has no value."""
    name, one, many = match.groups()
    if name not in values:
        return match[0]
    if one is not None:
        return one if values[name] in (1, "1") else many
    return _said(_known(values[name]), "en")


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
