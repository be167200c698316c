"""Errors as HTTP responses: a status and one sentence, which the browser shows in its own language.

The body of every error is ``{"error": {"key", "values"}, "text": English}``. An unexpected exception is
logged and answered with a general sentence; a traceback is never sent.
"""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from tengen.executors import Busy, WorkersError
from tengen.game.errors import IllegalMove, NotAllowed
from tengen.schemas.base import Schema
from tengen.schemas.field_errors import field_message
from tengen.schemas.sentence import ErrorBody
from tengen.web.transport.errors import SOON, TooManyRequests, WebError
from tengen.words import Message, TengenError

__all__ = [
    "ERROR_RESPONSES",
    "answer_of",
    "error_answer",
    "file_responses",
    "http_error",
    "install",
    "refuse",
    "status_of",
    "unexpected",
]

_log = logging.getLogger("tengen.web")
_requests = logging.getLogger("tengen.web.requests")


def status_of(error: TengenError) -> int:
    """Return the HTTP status of an error."""
    if isinstance(error, WebError):
        return error.status
    if isinstance(error, (IllegalMove, NotAllowed)):
        return 409
    if isinstance(error, (Busy, WorkersError)):
        return 503
    return 422


ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": ErrorBody},
    "5XX": {"model": ErrorBody},
}
"""The error responses of all routes, for the OpenAPI document."""


def answer_of(data: Schema, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return the response with a model."""
    return Response(data.to_json(), status, headers, "application/json")


def file_responses(*media: str) -> dict[int | str, dict[str, Any]]:
    """Return the description of responses that are files of these media types, for the OpenAPI document."""
    file = {"schema": {"type": "string", "format": "binary"}}
    return {200: {"content": dict.fromkeys(media, file)}}


def error_answer(error: TengenError | Message, status: int | None = None) -> Response:
    """Return the response for an error.

    Args:
        error: the error, or its sentence.
        status: the HTTP status; None for that of the error.
    """
    if status is None:
        status = status_of(error) if isinstance(error, TengenError) else 400
    headers = {"Cache-Control": "no-store"}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if status in {429, 503}:
        headers["Retry-After"] = str(error.seconds if isinstance(error, TooManyRequests) else SOON)
    return answer_of(ErrorBody.of(error), status, headers)


_SENTENCES = {
    400: "error.web.json",
    404: "error.web.missing",
    405: "error.web.method",
    413: "error.web.large",
}


async def http_error(_request: Request, error: Exception) -> Response:
    """Return the response for an `HTTPException` of FastAPI or Starlette."""
    assert isinstance(error, HTTPException)
    key = _SENTENCES.get(error.status_code, "error.web.refused")
    answer = error_answer(Message(key), error.status_code)
    for name, value in (error.headers or {}).items():
        answer.headers[name] = value
    return answer


async def _wrong_fields(_request: Request, error: Exception) -> Response:
    """Return the response for fields that are missing or of the wrong type."""
    assert isinstance(error, RequestValidationError)
    problems = error.errors()
    if any(problem["type"] == "json_invalid" for problem in problems):
        return error_answer(Message("error.web.json"), 400)
    # The first step of a path is the part of the request: body, path, query or header.
    where = problems[0]["loc"][0]
    wrong = [{**each, "loc": each["loc"][1:]} for each in problems if each["loc"][0] == where]
    fields = {each["loc"][0]: each["input"] for each in wrong if each["loc"]}
    sent = error.body if where == "body" else fields
    return error_answer(field_message(wrong, sent), 422)


async def _tengen_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, TengenError)
    return error_answer(error)


def unexpected(error: Exception) -> Response:
    """Log an unexpected exception, and return the response for it: a bug of the server, status 500."""
    _log.error("request_failed", exc_info=error)
    return error_answer(Message("error.web.bug"), 500)


async def refuse(error: WebError, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request or a WebSocket that a middleware does not pass on."""
    if scope["type"] == "websocket":
        _requests.info("socket_refused", extra={"reason": error.message.key})
        await receive()  # the request to connect
    await error_answer(error)(scope, receive, send)


def install(app: FastAPI) -> None:
    """Register these handlers with the application; `MonitoringMiddleware` catches all other exceptions."""
    app.add_exception_handler(TengenError, _tengen_error)
    app.add_exception_handler(RequestValidationError, _wrong_fields)
    app.add_exception_handler(HTTPException, http_error)
