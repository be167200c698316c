"""Errors as answers: a status and one clear sentence, in a form that the browser says in its language.

Every error's body is ``{"error": {"key", "values"}, "text": English}``. What goes wrong unexpectedly is
logged, and answered with a sentence; nobody is shown a traceback.
"""

from __future__ import annotations

import json
import logging
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from tengen.executors import Busy, WorkersError
from tengen.game.errors import IllegalMove, NotAllowed
from tengen.web.server.field_errors import field_message
from tengen.words import Message, TengenError, say

__all__ = [
    "ERROR_RESPONSES",
    "ErrorBody",
    "ErrorMessage",
    "NeedsToken",
    "NoSuchGame",
    "NotYourSeat",
    "Overloaded",
    "Refused",
    "SwitchedOff",
    "TooLarge",
    "TooManyRequests",
    "WebError",
    "WrongFields",
    "error_answer",
    "error_body",
    "http_error",
    "install",
    "json_answer",
    "status_of",
    "unexpected",
]

_SOON = 5
"""Seconds after which to come again, where nothing says it better."""

_log = logging.getLogger("tengen.web")


class WebError(TengenError):
    """An error with a status of HTTP.

    Args:
        key: of the sentence.
        status: the status; the class's own if None.
        values: what the sentence needs.
    """

    status = 400

    def __init__(self, key: str, /, *, status: int | None = None, **values: Any) -> None:
        super().__init__(key, **values)
        if status is not None:
            self.status = status


class NeedsToken(WebError):
    """Something only a player may do, without a token that says who asks."""

    status = 401


class NotYourSeat(WebError):
    """Something that only somebody else may do."""

    status = 403


class SwitchedOff(WebError):
    """Something that this server does not do, for anybody."""

    status = 403


class NoSuchGame(WebError):
    """An address that leads nowhere."""

    status = 404


class Refused(WebError):
    """Something that cannot be done now, or that came too late."""

    status = 409


class TooLarge(WebError):
    """A message that is longer than anything sensible."""

    status = 413


class WrongFields(WebError):
    """A message whose fields are not what they should be."""

    status = 422


class TooManyRequests(WebError):
    """More than one visitor, or one address, may ask for.

    Args:
        key: of the sentence, which may say the seconds.
        seconds: after which to come again.
        values: what else the sentence needs.
    """

    status = 429

    def __init__(self, key: str, /, *, seconds: int = _SOON, **values: Any) -> None:
        super().__init__(key, seconds=seconds, **values)
        self.seconds = seconds


class Overloaded(WebError):
    """Something that cannot be done because too much else is being done."""

    status = 503


def status_of(error: TengenError) -> int:
    """The status of HTTP that fits an error."""
    if isinstance(error, WebError):
        return error.status
    if isinstance(error, (IllegalMove, NotAllowed)):
        return 409
    if isinstance(error, (Busy, WorkersError)):
        return 503
    return 422


class ErrorMessage(BaseModel):
    """A sentence: a key of the catalogue, and the values that go into it."""

    key: str
    values: dict[str, Any]


class ErrorBody(BaseModel):
    """The body of every answer that says what is wrong; `text` says it in English."""

    error: ErrorMessage
    text: str


ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": ErrorBody},
    "5XX": {"model": ErrorBody},
}
"""What may be answered instead of what was asked for, for the description of the interface."""


def error_body(error: TengenError | Message) -> dict[str, Any]:
    """The body that says what is wrong, for an answer or for a message through a WebSocket."""
    message = error.message if isinstance(error, TengenError) else error
    return {"error": message.to_dict(), "text": say(message)}


def json_answer(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer of JSON that survives any text, half a surrogate pair in a name included."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Response(text, status, headers, "application/json")


def error_answer(error: TengenError | Message, status: int | None = None) -> Response:
    """The answer that says what is wrong.

    Args:
        error: the error, or its sentence.
        status: the status; None for the one that fits the error.
    """
    if status is None:
        status = status_of(error) if isinstance(error, TengenError) else 400
    headers = {"Cache-Control": "no-store"}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if status in {429, 503}:
        headers["Retry-After"] = str(error.seconds if isinstance(error, TooManyRequests) else _SOON)
    return json_answer(error_body(error), status, headers)


_SENTENCES = {
    400: "error.web.json",
    404: "error.web.missing",
    405: "error.web.method",
    413: "error.web.large",
}


def http_error(_request: Request, error: Exception) -> Response:
    """For what FastAPI and Starlette refuse themselves."""
    assert isinstance(error, HTTPException)
    key = _SENTENCES.get(error.status_code, "error.web.refused")
    answer = error_answer(Message(key), error.status_code)
    for name, value in (error.headers or {}).items():
        answer.headers[name] = value
    return answer


def _wrong_fields(request: Request, error: Exception) -> Response:
    """For fields that are missing, or not of their type."""
    assert isinstance(error, RequestValidationError)
    problems = error.errors()
    if any(problem["type"] == "json_invalid" for problem in problems):
        return error_answer(Message("error.web.json"), 400)
    # The first step says where it was looked for: body, path, query, header.
    where = problems[0]["loc"][0]
    told = [{**one, "loc": one["loc"][1:]} for one in problems if one["loc"][0] == where]
    sent = error.body if where == "body" else {one["loc"][0]: one["input"] for one in told if one["loc"]}
    document = request.app.openapi()
    return error_answer(field_message(told, sent, _asked_for(request, where, document), document), 422)


def _asked_for(request: Request, where: str, document: dict[str, Any]) -> dict[str, Any]:
    """The schema of a request's body or parameters, by the description of the interface."""
    operation = document["paths"][request.scope["route"].path_format][request.method.lower()]
    if where == "body":
        schema: dict[str, Any] = operation["requestBody"]["content"]["application/json"]["schema"]
        return schema
    parameters = (one for one in operation["parameters"] if one["in"] == where)
    return {"properties": {one["name"]: one["schema"] for one in parameters}}


def _tengen_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, TengenError)
    return error_answer(error)


def unexpected(error: Exception) -> Response:
    """Log what nobody has thought of, and answer that it is our fault."""
    _log.error("request_failed", exc_info=error)
    return error_answer(Message("error.web.bug"), 500)


def install(app: FastAPI) -> None:
    """Have the application answer its errors in these ways; `SecurityMiddleware` catches what is left."""
    app.add_exception_handler(TengenError, _tengen_error)
    app.add_exception_handler(RequestValidationError, _wrong_fields)
    app.add_exception_handler(HTTPException, http_error)
