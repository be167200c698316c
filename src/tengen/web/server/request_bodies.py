"""What a client sends, read: JSON made into models, and what is wrong with it said in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from tengen.game.errors import TengenError
from tengen.web.server.field_errors import field_message
from tengen.web.server.http_errors import WebError, WrongFields

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


def validated(make: Callable[[], T]) -> T:
    """What `make` returns.

    Raises:
        WrongFields: in place of any error of the game's, with its sentence.
    """
    try:
        return make()
    except WebError:
        raise
    except TengenError as error:
        raise WrongFields(error.message.key, **error.message.values) from error


def read(kind: type[M], text: str | bytes) -> M:
    """What a JSON text says, as a model.

    Raises:
        WrongFields: it is no JSON object, or a field of it is wrong; the sentence says which.
    """
    return read_data(kind, _read_json(text))


def read_object(text: str) -> dict[str, Any]:
    """The JSON object that a message is.

    Raises:
        WebError: it is none.
    """
    data = _read_json(text)
    if not isinstance(data, dict):
        raise WebError("error.web.json")
    return data


def _read_json(text: str | bytes) -> object:
    try:
        data: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WebError("error.web.json") from error
    return data


def read_data(kind: type[M], data: object) -> M:
    """What JSON data says, as a model; see `read`."""
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        raise _wrong_fields(error, data, _schema(kind)) from error


def read_message(adapter: TypeAdapter[T], data: object) -> T:
    """What JSON data says, as one of several models; see `read`."""
    try:
        return adapter.validate_python(data)
    except ValidationError as error:
        raise _wrong_fields(error, data, _schema_of_messages(adapter)) from error


def _wrong_fields(error: ValidationError, data: object, schema: Mapping[str, Any]) -> WrongFields:
    """The error that says which field of some data is wrong, its value, and what a schema expects there."""
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    message = field_message(problems, data, schema)
    return WrongFields(message.key, **message.values)


@lru_cache(maxsize=64)
def _schema(kind: type[BaseModel]) -> dict[str, Any]:
    return kind.model_json_schema()


@lru_cache(maxsize=8)
def _schema_of_messages(adapter: TypeAdapter[Any]) -> dict[str, Any]:
    return adapter.json_schema()
