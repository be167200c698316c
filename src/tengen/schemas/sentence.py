"""Sentences for people, and errors, which are sentences with a status."""

from __future__ import annotations

from typing import Any

from tengen.schemas.base import Schema
from tengen.words import Message, TengenError, say


class Sentence(Schema):
    """A sentence of the catalogue, which the client formats in its reader's language."""

    key: str
    """The key of the catalogue."""
    values: dict[str, Any]
    """The values in it by name: texts, numbers, sentences, and lists of them."""

    @classmethod
    def of(cls, message: Message) -> Sentence:
        """Return a message as data."""
        return cls(**message.to_dict())


class ErrorBody(Schema):
    """An error: the body of every response with a status from 400 on, and part of a socket's message."""

    error: Sentence
    text: str
    """The sentence in English."""

    @classmethod
    def of(cls, error: TengenError | Message) -> ErrorBody:
        """Return an error as data."""
        message = error.message if isinstance(error, TengenError) else error
        return cls(error=Sentence.of(message), text=say(message))


def spoken(data: Any, language: str) -> Any:
    """Return JSON-ready data with the text of each sentence, in a language, in its place."""
    if isinstance(data, dict):
        fields = {name: spoken(value, language) for name, value in data.items()}
        is_sentence = fields.keys() == _SENTENCE
        return say(Message(fields["key"], fields["values"]), language) if is_sentence else fields
    return [spoken(item, language) for item in data] if isinstance(data, list) else data


_SENTENCE = Sentence.model_fields.keys()
