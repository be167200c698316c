"""Sentences about wrong fields in client data: the field, its value, and what was expected.

They are made from Pydantic's errors, each with a ``type`` and the values that belong to it (``ctx``). A
union has an error for each of its members, whose names stand in the errors' paths between those of fields;
a path is followed through the data that were sent, which leaves the fields as the client knows them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, TypeAlias

from tengen.game.notation import shorten
from tengen.words import Message

Path: TypeAlias = tuple[str | int, ...]
Problem: TypeAlias = Mapping[str, Any]

_LONGEST_PATH, _LONGEST_VALUE = 100, 60

_NAME = "[key]"
"""The last step of Pydantic's path if the key of an entry is wrong, not its value."""

_EXPECTED: Mapping[str, Message] = {
    **dict.fromkeys(("bool_type", "bool_parsing"), Message("expected.boolean")),
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), Message("expected.integer")),
    **dict.fromkeys(("float_type", "float_parsing", "finite_number"), Message("expected.number")),
    **dict.fromkeys(("list_type", "tuple_type"), Message("expected.list")),
    **dict.fromkeys(
        ("dict_type", "model_type", "model_attributes_type", "missing"), Message("expected.object")
    ),
    "string_type": Message("expected.text"),
}
"""The descriptions of what is expected, by the types of errors without values."""


def field_message(problems: Sequence[Problem], sent: object) -> Message:
    """Return the sentence about the first field that is wrong.

    Args:
        problems: the errors that Pydantic reports, at least one, with their paths relative to `sent`.
        sent: the data.
    """
    found = [(_path(problem, sent), problem) for problem in problems]
    # Of the members of a union, the one with the longest path is most likely the intended one.
    path = max((path for path, _ in found if path[:1] == found[0][0][:1]), key=len)
    matching = [problem for other, problem in found if other == path]
    problem, value = matching[0], matching[0]["input"]
    kind = problem["type"]
    if kind.startswith("union_tag"):
        field = problem["ctx"]["discriminator"].strip("'")
        path, value = (*path, field), value.get(field)
    name = shorten(".".join(map(str, path)), _LONGEST_PATH)
    if kind == "extra_forbidden":
        return Message("error.web.field_unknown", {"field": name})
    if kind in {"missing", "union_tag_not_found"} and name:
        return Message("error.web.field_missing", {"field": name})
    several = [_expected(problem) for problem in matching]
    different = [message for number, message in enumerate(several) if message not in several[:number]]
    expected = reduce(lambda left, right: Message("expected.or", {"one": left, "other": right}), different)
    text = shorten(json.dumps(value, ensure_ascii=False, default=_text), _LONGEST_VALUE)
    if not name:
        return Message("error.web.body", {"value": text, "expected": expected})
    return Message("error.web.field", {"field": name, "value": text, "expected": expected})


def _text(value: object) -> str:
    """Return a value that is not JSON, such as a body of another type, as text."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _path(problem: Problem, sent: Any) -> Path:
    """Return the steps of a problem's path that lead through the data; the others are names of types."""
    path: list[str | int] = []
    steps = [step for step in problem["loc"] if step != _NAME]
    for number, step in enumerate(steps, 1):
        places = range(len(sent)) if isinstance(sent, list) else sent if isinstance(sent, dict) else ()
        leads = step in places
        if leads or (problem["type"] == "missing" and number == len(steps)):
            path.append(step)
        if leads:
            sent = sent[step]
    return tuple(path)


def _expected(problem: Problem) -> Message:
    """Return the description of what was expected, for one error."""
    of_value = _expected_value(problem["type"], problem.get("ctx", {}))
    return Message("expected.names", {"names": of_value}) if problem["loc"][-1:] == (_NAME,) else of_value


def _expected_value(kind: str, ctx: Mapping[str, Any]) -> Message:
    match kind:
        case "greater_than_equal":
            return Message("expected.least", {"least": _plain(ctx["ge"])})
        case "greater_than":
            return Message("expected.above", {"above": _plain(ctx["gt"])})
        case "less_than_equal":
            return Message("expected.most", {"most": _plain(ctx["le"])})
        case "string_too_short":
            return Message("expected.text.least", {"least": ctx["min_length"]})
        case "string_too_long":
            return Message("expected.text.most", {"most": ctx["max_length"]})
        case "too_long" if ctx["field_type"] == "Dictionary":
            return Message("expected.object.most", {"most": ctx["max_length"]})
        case "too_long":
            return Message("expected.list.most", {"most": ctx["max_length"]})
        case "literal_error" | "union_tag_invalid":
            choices = tuple(re.findall("'([^']*)'", ctx.get("expected_tags") or ctx["expected"]))
            if len(choices) == 1:
                return Message("expected.only", {"text": choices[0]})
            return Message("expected.choice", {"choices": choices})
    return _EXPECTED.get(kind, Message("expected.other"))


def _plain(number: float) -> float:
    """Return a number without a fraction as an integer: 60 for 60.0."""
    return int(number) if number == int(number) else number
