"""The parsing of client data: JSON into models, with one sentence for each error."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from tengen.game.errors import TengenError
from tengen.schemas.field_errors import field_message
from tengen.web.transport.errors import WebError, WrongFields

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


def validated(make: Callable[[], T]) -> T:
    """Return the result of `make`, with any error of the game raised as `WrongFields`.

    Raises:
        WrongFields: `make` raised a `TengenError`, whose sentence is kept.
        WebError: `make` raised it.
    """
    try:
        return make()
    except WebError:
        raise
    except TengenError as error:
        raise WrongFields(error.message.key, **error.message.values) from error


def read(kind: type[M], text: str | bytes) -> M:
    """Parse a JSON text into a model.

    Raises:
        WebError: the text is not JSON.
        WrongFields: the data are not an object, or a field is wrong; the sentence names it.
    """
    return _validated(kind.model_validate, _read_json(text))


def read_object(text: str) -> dict[str, Any]:
    """Parse a message that must be a JSON object.

    Raises:
        WebError: it is not a JSON object.
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


def read_message(adapter: TypeAdapter[T], data: object) -> T:
    """Validate JSON data as one of several models.

    Raises:
        WrongFields: the data are not an object, or a field is wrong; the sentence names it.
    """
    return _validated(adapter.validate_python, data)


def _validated(validate: Callable[[object], T], data: object) -> T:
    """Return the result of `validate`; its error names the wrong field and what was expected there."""
    try:
        return validate(data)
    except ValidationError as error:
        message = field_message(error.errors(include_url=False), data)
        raise WrongFields(message.key, **message.values) from error
