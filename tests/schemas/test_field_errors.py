"""A wrong field is answered with its path in what was sent, its value and what was expected."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tengen.words import Message, say
from tests.web.clients import Json
from tests.web.serving import serve

GAMES = "/api/games"
ACTIONS = "/api/games/x/actions"


@pytest.fixture(scope="module")
def browser() -> Iterator[httpx.Client]:
    with serve() as server, httpx.Client(base_url=server.url) as client:
        yield client


def sentences(data: Any) -> Any:
    """A message as the server sends it, messages among its values included."""
    if isinstance(data, dict):
        return Message(data["key"], {name: sentences(value) for name, value in data["values"].items()})
    return tuple(map(sentences, data)) if isinstance(data, list) else data


def said(answer: httpx.Response) -> str:
    body = answer.json()
    assert (answer.status_code, body.keys()) == (422, {"error", "text"})
    message = sentences(body["error"])
    assert say(message) == body["text"]
    assert "expected" not in say(message, "zh")
    return str(body["text"])


@pytest.mark.parametrize(
    ("path", "sent", "text"),
    [
        (GAMES, {"size": 1.5}, "size is 1.5: expected a whole number, or a list, or text"),
        (GAMES, {"size": [15]}, "size.1 is missing"),
        (GAMES, {"moves": ["h8", 7]}, "moves.1 is 7: expected text"),
        (GAMES, {"setup": {"turn": "red"}}, 'setup.turn is "red": expected one of black, white'),
        (GAMES, {"setup": {"black": [7]}}, "setup.black.0 is 7: expected text"),
        (GAMES, {"take_backs": -1}, "take_backs is -1: expected at least 0"),
        (GAMES, {"pace": 61}, "pace is 61: expected at most 60"),
        (GAMES, {"setup": {"red": []}}, "no field setup.red here"),
        (GAMES, [], "the request is []: expected an object"),
        (GAMES, None, "the request is null: expected an object"),
        ("/api/explain", {}, "player is missing"),
        ("/api/picture", {"heat": {"h8": "hot"}}, 'heat.h8 is "hot": expected a number'),
        ("/api/picture", {"marks": {"h" * 13: "x"}}, "names that are text of at most 12 characters"),
        ("/api/picture", {"numbers": -1}, "numbers is -1: expected true or false, or at least 0"),
        ("/api/explain", {"player": ""}, 'player is "": expected text of at least 1 character'),
        ("/api/import", {"text": "h8", "size": {}}, "size is {}: expected a whole number, or"),
        (ACTIONS, {}, "type is missing"),
        (ACTIONS, {"type": 7}, "type is 7: expected one of move, choose"),
        (
            "/api/games/x/actions",
            {"type": "move"},
            "point is missing",
        ),
        (
            "/api/games/x/actions",
            {"type": "resign", "version": "1"},
            'version is "1": expected a whole number',
        ),
    ],
)
def test_the_sentence_names_the_field_its_value_and_what_was_expected(browser, path, sent, text):
    assert text in said(browser.post(path, json=sent))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/api/games?offset=-1", 'offset is "-1": expected at least 0'),
        ("/api/games?status=lost", 'status is "lost": expected one of all, running, over'),
        ("/api/qr", "text is missing"),
    ],
)
def test_parameters_too(browser, path, text):
    assert said(browser.get(path)) == text


def test_what_is_not_sent_as_json_is_shown(browser):
    answer = browser.post(GAMES, content=b"rules=renju", headers={"Content-Type": "text/plain"})
    assert said(answer) == 'the request is "rules=renju": expected an object'


def test_long_values_are_shortened(browser):
    assert len(said(browser.post(GAMES, json={"rules": ["renju"] * 1000}))) < 200


def fitting(schema: Json) -> Any:
    """A value that a field takes."""
    first = schema.get("enum", [schema.get("const")])[0]
    return first or {"integer": 1, "boolean": True, "object": {}, "number": 0.5}.get(
        schema.get("type", ""), "x"
    )


WRONG: tuple[Any, ...] = (None, True, -1.5, "x" * 5000, [None], {"no field": 1})


def bodies(document: Json) -> Iterator[tuple[str, str, Json]]:
    """Every field of every JSON body: path of the request, name, the fields that it cannot do without."""
    for path, methods in document["paths"].items():
        for operation in methods.values():
            content = operation.get("requestBody", {}).get("content", {})
            for model in models(content.get("application/json", {}).get("schema", {}), document):
                needed = {name: fitting(model["properties"][name]) for name in model.get("required", ())}
                for name in model["properties"]:
                    yield path.replace("{game}", "x"), name, needed


def models(schema: Json, document: Json) -> Iterator[Json]:
    """The objects that a schema allows."""
    if "$ref" in schema:
        yield from models(document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], document)
    elif "properties" in schema:
        yield schema
    for member in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from models(member, document)


@pytest.mark.long
def test_every_field_of_every_body(browser):
    document = browser.get("/openapi.json").json()
    fields = list(bodies(document))
    assert len(fields) > 60
    for path, name, needed in fields:
        found = []
        for wrong in WRONG:
            answer = browser.post(path, json=needed | {name: wrong})
            assert answer.status_code in (200, 201, 401, 404, 409, 422), (path, name, wrong)
            error: Json = answer.json()["error"] if answer.status_code == 422 else {"key": ""}
            if error["key"] == "error.web.field" and error["values"]["field"] == name:
                said(answer)
                shown = json.dumps(wrong, ensure_ascii=False)
                found.append(error["values"]["value"][:20] == shown[:20] and error["values"]["expected"])
        assert found, (path, name)
        assert all(found), (path, name)
