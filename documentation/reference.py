"""The references, generated from the package: its public names, commands, routes and JSON."""

from __future__ import annotations

import importlib
import inspect
import json
import os
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import tengen
import tengen.environments
import tengen.schemas
from documentation.languages import SiteLanguage, word
from tengen.schemas.base import Schema

FOLDER = "reference"

_GROUPS = {
    "game": {"en": "Game", "zh": "棋局"},
    "players": {"en": "Players", "zh": "棋手"},
    "engine": {"en": "Engine", "zh": "引擎"},
    "solver": {"en": "Solver", "zh": "求解"},
    "formats": {"en": "Files and pictures", "zh": "文件与图片"},
    "study": {"en": "Review", "zh": "复盘"},
    "arena": {"en": "Matches", "zh": "比赛"},
    "environments": {"en": "Environments", "zh": "环境"},
}
"""The titles of the rooms of the library; a room without one is named as it is."""

_MOVED = {"words": "game"}
"""The rooms whose names stand with those of others."""

Pages = dict[str, str]
"""Texts of pages, by their paths."""


def references(language: SiteLanguage) -> Pages:
    """Return all references in a language."""
    pages = dict(_library(language))
    pages[f"{FOLDER}/commands.md"] = _commands(language)
    described = _described()
    pages[f"{FOLDER}/http.md"] = _http(described, language)
    pages[f"{FOLDER}/openapi.json"] = json.dumps(described, ensure_ascii=False, indent=1)
    pages |= _schemas(language)
    return pages


# -- the library


def public_names() -> dict[str, list[str]]:
    """Return the public names, ``tengen.Board`` and the like, by the room that defines them."""
    rooms: dict[str, list[str]] = defaultdict(list)
    for name in tengen.__all__:
        module = getattr(getattr(tengen, name), "__module__", "tengen.game")
        room = module.split(".")[1] if "." in module else "players"
        rooms[_MOVED.get(room, room)].append(f"tengen.{name}")
    names = tengen.environments.__all__
    rooms["environments"] = ["tengen.arrays", *(f"tengen.environments.{name}" for name in names)]
    return rooms


def _library(language: SiteLanguage) -> Iterator[tuple[str, str]]:
    rooms = public_names()
    lines = [f"# {word('library', language)}", "", word("library.about", language), ""]
    for room, title in _titles(rooms, language):
        names = ", ".join(f"[`{name.removeprefix('tengen.')}`][{name}]" for name in rooms[room])
        lines += [f"- [{title}](library-{room}.md): {names}"]
        blocks = "\n\n".join(f"::: {name}" for name in rooms[room])
        yield f"{FOLDER}/library-{room}.md", f"# {title}\n\n{blocks}\n"
    yield f"{FOLDER}/library.md", "\n".join([*lines, ""])


def _titles(rooms: Iterable[str], language: SiteLanguage) -> list[tuple[str, str]]:
    """Return the rooms in their order, each with its title."""
    ordered = sorted(rooms, key=lambda room: ([*_GROUPS].index(room) if room in _GROUPS else 99, room))
    return [(room, _GROUPS[room][language.code] if room in _GROUPS else room) for room in ordered]


def library_pages(language: SiteLanguage) -> list[dict[str, str]]:
    """Return the entries of the navigation for the library."""
    return [{title: f"{FOLDER}/library-{room}.md"} for room, title in _titles(public_names(), language)]


# -- commands


def _commands(language: SiteLanguage) -> str:
    """Return what all commands print for ``--help``."""
    from tengen.cli.application import app
    from tengen.cli.commands import COMMANDS
    from tengen.cli.help_pages import help_page
    from tengen.cli.printing import LANGUAGE

    os.environ["COLUMNS"] = "100"
    LANGUAGE.set(language.code)
    lines = [f"# {word('commands', language)}", "", word("commands.about", language), ""]
    for words in ((), *((name,) for name in COMMANDS)):
        chain, apps, _ = app.parse_commands(list(words))
        title = " ".join(("tengen", *words))
        lines += [f"## {title}", "", "```text", help_page(chain, apps), "```", ""]
    return "\n".join(lines)


# -- HTTP


def _described() -> dict[str, Any]:
    """Return the server's description of itself, as OpenAPI."""
    import tempfile

    from tengen.web.app import create_app
    from tengen.web.transport.settings import ServerSettings

    with tempfile.TemporaryDirectory() as data:
        return create_app(ServerSettings(data=Path(data))).openapi()


def _http(described: Mapping[str, Any], language: SiteLanguage) -> str:
    lines = [f"# {word('http', language)}", "", word("http.about", language), ""]
    for path, methods in sorted(described["paths"].items()):
        for method, route in methods.items():
            lines += [f"## `{method.upper()} {path}`", ""]
            lines += [_text(route.get("description") or route.get("summary") or ""), ""]
            lines += _fields(
                [
                    (each["name"], _type(each.get("schema", {})), each.get("description", ""))
                    for each in route.get("parameters", ())
                ],
                word("parameter", language),
                language,
            )
            body = _content(route.get("requestBody", {}))
            if body:
                lines += [f"**{word('body', language)}**: {body}", ""]
            for status, answer in route.get("responses", {}).items():
                content = _content(answer)
                about = " ".join(filter(None, (_text(answer.get("description", "")), content)))
                lines += [f"**{word('answer', language)} {status}**: {about}", ""]
    return "\n".join(lines)


def _content(part: Mapping[str, Any]) -> str:
    return ", ".join(
        _type(content["schema"]) if content.get("schema") else f"`{kind}`"
        for kind, content in part.get("content", {}).items()
    )


def _text(text: str) -> str:
    """Return a docstring as Markdown: code in single backticks, angle brackets as they are."""
    return text.replace("``", "`").strip()


def _cell(text: str) -> str:
    return " ".join(_text(text).split()).replace("|", "\\|")


def _fields(rows: list[tuple[str, str, str]], title: str, language: SiteLanguage) -> list[str]:
    if not rows:
        return []
    head = f"| {title} | {word('type', language)} | {word('meaning', language)} |"
    body = [f"| `{name}` | {kind} | {_cell(meaning)} |" for name, kind, meaning in rows]
    return [head, "|---|---|---|", *body, ""]


# -- JSON


def models() -> dict[str, list[type[Schema]]]:
    """Return the models by subject."""
    found: dict[str, list[type[Schema]]] = {}
    for module_info in pkgutil.iter_modules(tengen.schemas.__path__):
        module = importlib.import_module(f"tengen.schemas.{module_info.name}")
        own = [
            thing
            for thing in vars(module).values()
            if inspect.isclass(thing) and issubclass(thing, Schema) and thing.__module__ == module.__name__
        ]
        if own and module_info.name != "base":
            found[module_info.name] = own
    return found


@cache
def _names() -> frozenset[str]:
    """Return the names of all models, each of which has a heading to link to."""
    return frozenset(model.__name__ for several in models().values() for model in several)


def _schemas(language: SiteLanguage) -> Pages:
    subjects = models()
    pages: Pages = {}
    lines = [f"# {word('schemas', language)}", "", word("schemas.about", language), ""]
    for subject, several in subjects.items():
        about = inspect.getdoc(importlib.import_module(f"tengen.schemas.{subject}")) or ""
        lines += [f"## {subject}", "", _text(about.partition("\n\n")[0]), ""]
        for model in several:
            schema = model.model_json_schema(mode="serialization")
            pages[f"{FOLDER}/schemas/{model.__name__}.json"] = json.dumps(
                schema, ensure_ascii=False, indent=1
            )
            lines += [f"### {model.__name__}", "", f"{_cell(inspect.getdoc(model) or '')}", ""]
            rows = [
                (name, _type(each), each.get("description", ""))
                for name, each in schema.get("properties", {}).items()
            ]
            lines += _fields(rows, word("field", language), language)
            lines += [f"[JSON Schema](schemas/{model.__name__}.json)", ""]
    return pages | {f"{FOLDER}/schemas.md": "\n".join(lines)}


def _type(schema: Mapping[str, Any]) -> str:
    """Return a type in JSON Schema as Markdown for a table."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        plain = re.sub(r"-(Input|Output)$", "", name)
        return f"[{plain}](schemas.md#{plain.lower()})" if plain in _names() else f"`{plain}`"
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return " \\| ".join(dict.fromkeys(_type(each) for each in schema[several]))
    if "enum" in schema:
        return " \\| ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    kind = schema.get("type", "any")
    if kind == "array":
        items = schema.get("items") or {}
        return f"array of {_type(items)}" if items else "array"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    return f"`{kind}`" if isinstance(kind, str) else " \\| ".join(f"`{each}`" for each in kind)
