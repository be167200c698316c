"""The description of the API is complete: it says what every request is answered with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tengen.web.app import create_app
from tengen.web.transport.settings import ServerSettings
from tests.schemas.declarations import models


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder: Path = tmp_path_factory.mktemp("openapi")
    return create_app(ServerSettings(data=folder)).openapi()


def successes(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every answer that is no error: its operation, its status and its description."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            for status, answer in operation["responses"].items():
                if status.startswith("2"):
                    yield f"{method.upper()} {path}", status, answer


def test_every_success_has_a_described_body(document):
    found = list(successes(document))
    assert len(found) > 30
    for operation, status, answer in found:
        if status == "204":
            assert "content" not in answer, operation
            continue
        assert answer.get("content"), (operation, status)
        for media, content in answer["content"].items():
            schema = content.get("schema", {})
            described = "$ref" in schema or "anyOf" in schema or schema.get("format") == "binary"
            assert described, (operation, status, media)


def test_every_error_has_the_same_body(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            for status in ("4XX", "5XX"):
                content = operation["responses"][status]["content"]["application/json"]
                assert content["schema"]["$ref"].endswith("/ErrorBody"), (method, path)


def test_every_answer_is_one_of_the_schemas(document):
    known = {model.__name__ for model in models()}
    for operation, _, answer in successes(document):
        for content in answer.get("content", {}).values():
            schema = content["schema"]
            names = [
                one["$ref"].rpartition("/")[2] for one in schema.get("anyOf", [schema]) if "$ref" in one
            ]
            assert set(names) <= known, operation
