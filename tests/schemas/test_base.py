from __future__ import annotations

import json
import math
from typing import Any

import pytest
from pydantic import Field, ValidationError

from tengen.schemas.base import Schema, joined_json
from tests.schemas.declarations import models


class Note(Schema):
    """A model for the tests."""

    text: str
    number: float = 1.0
    more: dict[str, Any] = Field(default={})


def test_text_is_ascii_and_compact():
    note = Note(text="天元", more={"a": [1, None]})
    assert note.to_json() == '{"text":"\\u5929\\u5143","number":1.0,"more":{"a":[1,null]}}'
    assert json.loads(note.to_json()) == note.to_dict()


def test_text_carries_half_a_surrogate_pair():
    note = Note(text="\ud800", more={"a": "\udfff"})
    assert json.loads(note.to_json()) == {"text": "\ud800", "number": 1.0, "more": {"a": "\udfff"}}


def test_several_models_are_joined_in_one_object():
    one, other = Note(text="a"), Note(text="b", number=2.5)
    assert json.loads(joined_json(one)) == one.to_dict()
    assert json.loads(joined_json(one, other)) == other.to_dict()


def test_an_unknown_field_and_a_number_that_json_lacks_are_refused():
    with pytest.raises(ValidationError, match="extra_forbidden"):
        Note.model_validate({"text": "a", "other": 1})
    for number in (math.nan, math.inf):
        with pytest.raises(ValidationError, match="finite_number"):
            Note(text="a", number=number)


def test_a_model_does_not_change():
    note = Note(text="a")
    with pytest.raises(ValidationError, match="frozen"):
        note.text = "b"


def test_an_answer_has_all_of_its_fields():
    assert Note.model_json_schema(mode="serialization")["required"] == ["text", "number", "more"]


@pytest.mark.parametrize("model", models(), ids=lambda model: model.__name__)
def test_every_model_can_be_described(model):
    described = model.model_json_schema(mode="serialization")
    assert described.get("type") == "object" or model.__name__ in described["$defs"]
    assert model.__doc__
