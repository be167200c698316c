"""The whole API under random requests, as its own description says they look, and as it does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tests.web.serving import serve

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    unsupported_method,
]


@pytest.fixture(scope="module")
def operations() -> Iterator[dict[str, Any]]:
    """What the API offers, by method and path."""
    with serve() as server:
        schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
        found: list[Any] = list(schema.get_all_operations())
        operations = [result.ok() for result in found]
        yield {f"{operation.method.upper()} {operation.path}": operation for operation in operations}


@pytest.mark.long
def test_every_answer_is_one_that_the_description_promises(operations: dict[str, Any]) -> None:
    assert len(operations) > 10
    for operation in operations.values():

        @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def answers(case: Any) -> None:
            case.call_and_validate(checks=CHECKS)

        answers()
