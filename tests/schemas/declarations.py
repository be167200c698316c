"""The types of what the server sends and accepts, declared for the page's JavaScript.

``python -m tests.schemas.declarations`` (``make types``) writes them anew, from the models. A type has the
name of its model, without ``Data`` at the end: only in Python there are classes of the names without it.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import WithJsonSchema

import tengen.schemas
from tengen.schemas.base import Schema
from tengen.schemas.game_messages import GameMessage, HelloMessage

FILE = Path(tengen.__file__).parent / "web/static/shared/schemas.d.ts"

COMMANDS = {"arena", "benchmark", "game_review", "installation", "proof", "shown", "tools", "training"}
"""The subjects that only commands answer by."""

_ASKED = ("Request", "Query")
"""The ends of names of what clients send besides messages of games."""

_PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
    "object": "Record<string, any>",
}


def modules() -> list[Any]:
    """The modules of all subjects."""
    names = [found.name for found in pkgutil.iter_modules(tengen.schemas.__path__)]
    return [importlib.import_module(f"tengen.schemas.{name}") for name in names]


def models() -> list[type[Schema]]:
    """Every model, by name."""
    found = {
        thing
        for module in modules()
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Schema) and thing is not Schema
    }
    return sorted(found, key=lambda model: model.__name__)


def literals() -> dict[tuple[Any, ...], str]:
    """The names of unions of texts or numbers, by their members."""
    found = {}
    for module in modules():
        for name, thing in vars(module).items():
            if get_origin(thing) is Literal and not name.startswith("_"):
                found[get_args(thing)] = name
            elif get_origin(thing) is Annotated and isinstance(thing.__metadata__[0], WithJsonSchema):
                schema = thing.__metadata__[0].json_schema or {}
                found[tuple(schema.get("enum", ()))] = name
    return found


def is_asked(model: type[Schema]) -> bool:
    """Whether clients send it; fields that have a default may then be left out."""
    return model.__name__.endswith(_ASKED) or issubclass(model, (GameMessage, HelloMessage))


class Declarations:
    """The declarations of all models."""

    def __init__(self) -> None:
        self._literals = literals()
        self._used: set[tuple[Any, ...]] = set()

    def text(self) -> str:
        """The whole file."""
        subjects = [model for model in models() if model.__module__.rpartition(".")[2] not in COMMANDS]
        declared = [self._interface(model) for model in subjects]
        unions = sorted((self._literals[members], members) for members in self._used)
        named = [f"export type {name} = {_union(map(json.dumps, members))};" for name, members in unions]
        head = (
            f"// What the server sends and accepts: version {tengen.schemas.VERSION} of tengen.schemas."
            "\n// Made by `make types`; not to be edited."
        )
        return "\n\n".join([head, *named, *declared]) + "\n"

    def _interface(self, model: type[Schema]) -> str:
        mode: Literal["validation", "serialization"] = "validation" if is_asked(model) else "serialization"
        whole = model.model_json_schema(mode=mode, ref_template="{model}")
        # A model that contains itself is a definition of its own.
        schema = whole["$defs"][whole["$ref"]] if "$ref" in whole else whole
        bases = [base for base in model.__bases__ if issubclass(base, Schema) and base is not Schema]
        inherited = {name: field.annotation for base in bases for name, field in base.model_fields.items()}
        extends = f" extends {', '.join(map(_name, bases))}" if bases else ""
        fields = [
            line
            for name, field in schema.get("properties", {}).items()
            if inherited.get(name) != model.model_fields[name].annotation
            for line in self._field(name, field, name in schema.get("required", ()), model)
        ]
        about = _comment((model.__doc__ or "").strip().partition("\n\n")[0])
        return "\n".join([*about, f"export interface {_name(model)}{extends} {{", *fields, "}"])

    def _field(
        self, name: str, schema: Mapping[str, Any], required: bool, model: type[Schema]
    ) -> Iterator[str]:
        yield from (f"  {line}" for line in _comment(schema.get("description", "")))
        written = self._type(schema)
        if model.model_fields[name].exclude_if is not None:  # left out rather than null
            written = written.removesuffix(" | null")
            required = False  # pydantic before 2.13 calls it required
        yield f"  {name}{'' if required else '?'}: {written};"

    def _type(self, schema: Mapping[str, Any]) -> str:
        if "$ref" in schema:
            return _short(schema["$ref"])
        if "const" in schema:
            return json.dumps(schema["const"])
        if "enum" in schema:
            members = tuple(schema["enum"])
            if members in self._literals:
                self._used.add(members)
                return self._literals[members]
            return _union(map(json.dumps, members))
        for several in ("anyOf", "oneOf"):
            if several in schema:
                return _union(map(self._type, schema[several]))
        if schema.get("type") == "array":
            return self._array(schema)
        if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), Mapping):
            key = self._type(schema.get("propertyNames", {"type": "string"}))
            return f"Record<{key}, {self._type(schema['additionalProperties'])}>"
        return _PLAIN.get(schema.get("type", ""), "any")

    def _array(self, schema: Mapping[str, Any]) -> str:
        if "prefixItems" in schema:
            return f"[{', '.join(map(self._type, schema['prefixItems']))}]"
        item = self._type(schema.get("items", {}))
        return f"({item})[]" if " | " in item else f"{item}[]"


def _union(types: Iterator[str]) -> str:
    return " | ".join(dict.fromkeys(types))


def _name(model: type[Schema]) -> str:
    return _short(model.__name__)


def _short(name: str) -> str:
    return name.removesuffix("Data")


def _comment(text: str) -> list[str]:
    return [f"/** {' '.join(text.split())} */"] if text else []


if __name__ == "__main__":
    FILE.write_text(Declarations().text(), "utf-8")
