"""Sentences about wrong fields in client data: the field, its value, and the expected values.

Pydantic reports paths in its own terms: names of types stand between those of fields, and a union reports
an error for each of its members. So a path is followed through the data that were sent, which leaves the
fields as the client knows them, and the JSON Schema at that place gives the expected values.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, TypeAlias

from tengen.game.notation import shorten
from tengen.words import Message

Schema: TypeAlias = Mapping[str, Any]
Path: TypeAlias = tuple[str | int, ...]

_LONGEST_PATH, _LONGEST_VALUE = 100, 60

_NAME = "[key]"
"""The last step of Pydantic's path if the key of an entry is wrong, not its value."""


def field_message(
    problems: Sequence[Mapping[str, Any]], sent: object, schema: Schema, root: Schema | None = None
) -> Message:
    """Return the sentence about the first field that is wrong.

    Args:
        problems: the errors that Pydantic reports, at least one, each with ``loc`` (relative to `sent`) and
            ``type``.
        sent: the data.
        schema: the JSON Schema of the data.
        root: the schema in which references are resolved; None for `schema`.
    """
    root = schema if root is None else root
    found = [(_path(problem, sent), problem) for problem in problems]
    # Of the members of a union, the one with the longest path is most likely the intended one.
    path, problem = max(
        (one for one in found if one[0][:1] == found[0][0][:1]), key=lambda one: len(one[0])
    )
    kind, schema = problem["type"], _narrowed(schema, sent, root)
    if kind in {"union_tag_not_found", "union_tag_invalid"}:
        path = (*path, _discriminator(schema))
        kind = "missing" if kind == "union_tag_not_found" else kind
    name = shorten(".".join(map(str, path)), _LONGEST_PATH)
    if kind == "extra_forbidden":
        return Message("error.web.field_unknown", {"field": name, "fields": _fields(path, schema, root)})
    value, wanted = reduce(_step, path, sent), _at(schema, path, root)
    if problem["loc"][-1:] == (_NAME,):
        return _said(".".join(map(str, path[:-1])), path[-1], _names(_at(schema, path[:-1], root), root))
    if kind == "missing" and path:
        return Message("error.web.field_missing", {"field": name, "expected": _expected(wanted, root)})
    return _said(name, value, _expected(wanted, root))


def _said(name: str, value: object, expected: Message) -> Message:
    text = shorten(json.dumps(value, ensure_ascii=False, default=_text), _LONGEST_VALUE)
    if not name:
        return Message("error.web.body", {"value": text, "expected": expected})
    return Message("error.web.field", {"field": name, "value": text, "expected": expected})


def _text(value: object) -> str:
    """Return a value that is not JSON, such as a body of another type, as text."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


# -- paths


def _path(problem: Mapping[str, Any], sent: object) -> Path:
    """Return the steps of a problem's path that lead through the data; the others are names of types."""
    path: list[str | int] = []
    steps = [step for step in problem["loc"] if step != _NAME]
    for left, step in zip(reversed(range(len(steps))), steps, strict=True):
        if _leads(sent, step) or (problem["type"] == "missing" and left == 0):
            path.append(step)
            sent = _step(sent, step)
    return tuple(path)


def _leads(sent: object, step: object) -> bool:
    if isinstance(sent, dict):
        return step in sent
    return isinstance(sent, list) and isinstance(step, int) and step < len(sent)


def _step(sent: Any, step: Any) -> Any:
    return sent[step] if _leads(sent, step) else None


# -- expected values


def _resolved(schema: Schema, root: Schema) -> Schema:
    """Return a schema, or the one that it refers to."""
    while "$ref" in schema:
        schema = reduce(lambda found, step: found[step], schema["$ref"].split("/")[1:], root)
    return schema


def _members(schema: Schema, root: Schema) -> list[Schema]:
    """Return the members of a union; of any other schema only itself."""
    schema = _resolved(schema, root)
    members = schema.get("anyOf") or schema.get("oneOf") or ()
    return [inner for member in members for inner in _members(member, root)] or [schema]


def _discriminator(schema: Schema) -> str:
    """Return the name of the field that selects the member of a union."""
    return str(schema["discriminator"]["propertyName"])


def _narrowed(schema: Schema, sent: object, root: Schema) -> Schema:
    """Return the member of a union that the data select, or the schema unchanged."""
    schema = _resolved(schema, root)
    if "discriminator" not in schema or not isinstance(sent, dict):
        return schema
    tag = sent.get(_discriminator(schema))
    found = schema["discriminator"]["mapping"].get(tag) if isinstance(tag, str) else None
    return schema if found is None else {"$ref": found}


def _at(schema: Schema, path: Path, root: Schema) -> Schema:
    """Return the schema of the value at a path; an empty schema if there is none."""
    if not path:
        return schema
    step, rest = path[0], path[1:]
    found = [_at(inner, rest, root) for member in _members(schema, root) for inner in _inner(member, step)]
    return {"anyOf": found} if found else {}


def _inner(schema: Schema, step: str | int) -> list[Schema]:
    """Return the schemas of one field or item, for a schema that is not a union: one or none."""
    if isinstance(step, str):
        inner = schema.get("properties", {}).get(step, schema.get("additionalProperties"))
    else:
        first = schema.get("prefixItems", ())
        inner = first[step] if step < len(first) else schema.get("items")
    return [inner] if isinstance(inner, Mapping) else []


def _fields(path: Path, schema: Schema, root: Schema) -> tuple[str, ...]:
    """Return the known fields of the object that has an unknown field at the end of a path."""
    members = _members(_at(schema, path[:-1], root), root)
    return tuple(dict.fromkeys(name for member in members for name in member.get("properties", ())))


def _names(schema: Schema, root: Schema) -> Message:
    """Return the description of the keys that an object may have."""
    members = [one["propertyNames"] for one in _members(schema, root) if "propertyNames" in one]
    texts = {"anyOf": [{"type": "string", **one} for one in members]}
    return Message("expected.names", {"names": _expected(texts, root)})


def _expected(schema: Schema, root: Schema) -> Message:
    """Return the description of the values that a schema allows."""
    members = _members(schema, root)
    given = [str(one) for member in members for one in member.get("enum", [member.get("const")]) if one]
    choices = tuple(dict.fromkeys(given))
    said = [Message("expected.choice", {"choices": choices})] if choices[1:] else []
    said += [Message("expected.only", {"text": text}) for text in choices if len(choices) == 1]
    said += [_kind(member) for member in members if "enum" not in member and "const" not in member]
    several = [message for number, message in enumerate(said) if message not in said[:number]]
    return reduce(lambda one, other: Message("expected.or", {"one": one, "other": other}), several)


def _kind(schema: Schema) -> Message:
    kind = schema.get("type")
    if kind in {"integer", "number"}:
        bounds = {"least": "minimum", "above": "exclusiveMinimum", "most": "maximum"}
        values = {name: _plain(schema[bound]) for name, bound in bounds.items() if bound in schema}
        return Message(".".join((f"expected.{kind}", *values)), values)
    if kind in {"string", "array"}:
        length = "Length" if kind == "string" else "Items"
        key = "expected.text" if kind == "string" else "expected.list"
        return _sized(key, schema.get(f"min{length}", 0), schema.get(f"max{length}"))
    if kind == "object" and "maxProperties" in schema:
        return _sized("expected.object", 0, schema["maxProperties"])
    return Message(f"expected.{kind}" if kind in {"boolean", "null", "object"} else "expected.other")


def _plain(number: float) -> float:
    """Return a number without a fraction as an integer: 60 for 60.0."""
    return int(number) if number == int(number) else number


def _sized(key: str, least: int, most: int | None) -> Message:
    if most is None:
        return Message(key)
    if least == most:
        return Message(f"{key}.exactly", {"count": most})
    if least:
        return Message(f"{key}.least.most", {"least": least, "most": most})
    return Message(f"{key}.most", {"most": most})
