"""The log's lines: JSON for programs, text for people."""

from __future__ import annotations

import json
import logging

import pytest

from tengen.web.transport import logs


@pytest.fixture(autouse=True)
def _as_before():
    names = ("tengen", "uvicorn", "uvicorn.access", "uvicorn.error")
    before = [(logger := logging.getLogger(name), logger.__dict__.copy()) for name in names]
    yield
    for logger, state in before:
        logger.__dict__.update(state)
        logger.manager._clear_cache()  # type: ignore[attr-defined]


def said(capsys, form, level="info"):
    """What the log says of three events."""
    logs.configure(form, level)
    log = logging.getLogger("tengen.web.test")
    log.debug("too_small")
    log.info("request", extra={"path": "/a\nb", "ms": 1.5, "what": object})
    try:
        int("棋")
    except ValueError:
        log.exception("failed")
    return capsys.readouterr().err


def test_lines_of_json(capsys):
    first, second = map(json.loads, said(capsys, "json").splitlines())
    assert first.pop("time").endswith("Z")
    assert first == {
        "level": "info",
        "logger": "tengen.web.test",
        "event": "request",
        "path": "/a\nb",
        "ms": 1.5,
        "what": str(object),
    }
    assert (second["level"], second["event"]) == ("error", "failed")
    assert second["traceback"].splitlines()[-1].startswith("ValueError: ")


def test_lines_for_people(capsys):
    first, second, *trace = said(capsys, "plain").splitlines()
    assert first[8:] == f" info    request path=/a\\nb ms=1.5 what={object}"
    assert second.endswith("error   failed")
    assert trace[-1].startswith("ValueError: ")


def test_less_is_said_where_less_is_asked_for(capsys):
    assert "request" not in said(capsys, "plain", "warning")


def test_uvicorn_speaks_in_the_same_way_but_not_of_addresses(capsys):
    logs.configure("json", "info")
    logging.getLogger("uvicorn.error").warning("Cannot bind to port %d", 7)
    logging.getLogger("uvicorn.error").info("WebSocket /api/games/secret/live")
    logging.getLogger("uvicorn.access").info("GET /g/secret")
    (line,) = capsys.readouterr().err.splitlines()
    assert json.loads(line)["event"] == "Cannot bind to port 7"
