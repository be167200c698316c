"""Everything that other programs and people's scripts call by name, as a list.

``python -m tests.public_surface`` writes `tests/data/public.txt` anew. A line that goes is a promise
broken; a line that comes is one more promise.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import httpx

import tengen
from tengen.cli.application import app
from tengen.cli.commands import COMMANDS
from tests.console import run
from tests.web.serving import serve

LIST = Path(__file__).parent / "data" / "public.txt"

_ANSWERS = (
    ("analyse", "h8i9", "--nodes", "500"),
    ("bench", "--rules", "caro", "--depth", "1"),
    ("explain", "lines", "h8i9"),
    ("fouls", "h8a1j8a2i9a3i10a4"),
    ("match", "random", "random", "--games", "2", "--rules", "tictactoe"),
    ("players",),
    ("review", "a1b2c3a3b1c1", "--rules", "tictactoe"),
    ("show", "h8i9"),
    ("solve", "vcf", "h8i9"),
    ("solve", "vct", "h8i9"),
    ("solve", "vct", "h8i9", "--shortest"),
    ("solve", "vct", "h8i9", "--all"),
    ("solve", "vct", "h8i9", "--defences"),
    ("solve", "exact", "a1", "--rules", "tictactoe"),
    ("warmup",),
)
"""Commands whose JSON other programs read."""

_NAMED_BY_DATA = ("faults", "fouls", "parts", "weights")
"""Fields whose value is an object of points or players, not of fields that have names of their own."""


def names() -> Iterator[str]:
    """What ``import tengen`` gives: classes with their public members, calls with their parameters."""
    for name in tengen.__all__:
        thing = getattr(tengen, name)
        yield f"name {name}"
        if inspect.isfunction(thing):
            yield from (f"name {name}({parameter})" for parameter in inspect.signature(thing).parameters)
        if not inspect.isclass(thing) or issubclass(thing, Exception) or thing.__name__ != name:
            continue  # a class is listed under its own name
        for member in dir(thing):
            if not member.startswith("_"):
                yield f"name {name}.{member}"
                yield from _parameters(f"{name}.{member}", inspect.getattr_static(thing, member))
        yield from _parameters(name, thing)


def _parameters(name: str, thing: object) -> Iterator[str]:
    call = getattr(thing, "__func__", thing)
    if inspect.isfunction(call) or inspect.isclass(call):
        try:
            parameters = inspect.signature(call).parameters
        except ValueError:  # of classes made in C
            return
        for parameter in parameters:
            if parameter not in ("self", "cls"):
                yield f"name {name}({parameter})"


def commands() -> Iterator[str]:
    """Commands, their arguments and options."""

    for words in ([], *([name] for name in COMMANDS)):
        path = " ".join(["tengen", *words])
        yield f"command {path}"
        for command in (app[words[0]] if words else app, app.meta):
            for each in command.assemble_argument_collection():
                if each.show and each.index is not None:
                    yield f"argument {path} {each.field_info.name}"
                elif each.show:
                    yield from (f"option {path} {text}" for text in each.names)


def answers() -> Iterator[str]:
    """The fields of what commands answer with ``--json``."""
    for words in _ANSWERS:
        answer = run(*words, "--json")
        assert answer.status in (0, 1), words
        command = " ".join(words[: 2 if words[0] == "solve" else 1])
        for line in answer.out.splitlines():
            yield from (f"json {command} {field}" for field in fields(json.loads(line)))


def fields(data: Any, path: str = "") -> Iterator[str]:
    """The names of the fields of JSON data."""
    if isinstance(data, dict):
        for name, value in data.items():
            here = path + (f".{name}" if path else name)
            yield here
            if name not in _NAMED_BY_DATA:
                yield from fields(value, here)
    elif isinstance(data, list):
        for value in data:
            yield from fields(value, f"{path}[]")


def routes() -> Iterator[str]:
    """HTTP routes and WebSockets, the fields that they take, and those of a game's state."""
    with serve() as server:
        seats = {"rules": "renju", "black": "human", "white": "human"}
        made = httpx.post(f"{server.url}/api/games", json=seats).json()
        yield from (f"json POST /api/games {field}" for field in fields(made))
        health = httpx.get(f"{server.url}/healthz").json()
        yield from (f"json GET /healthz {field}" for field in fields(health))
        application = server.app
    yield from (f"route {route}" for route in _routes(application.routes))
    described = application.openapi()
    for path, methods in described["paths"].items():
        for method, route in methods.items():
            where = f"{method.upper()} {path}"
            yield from (f"parameter {where} {one['name']}" for one in route.get("parameters", ()))
            for content in route.get("requestBody", {}).get("content", {}).values():
                name = content["schema"].get("$ref", "").rpartition("/")[2]
                schema = described["components"]["schemas"].get(name, {})
                yield from (f"field {where} {field}" for field in schema.get("properties", ()))


def _routes(routes: Iterable[Any]) -> Iterator[str]:
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from _routes(inner.routes)
        else:
            yield from (f"{method} {route.path}" for method in sorted(getattr(route, "methods", ["WS"])))


def surface() -> list[str]:
    """The whole list."""
    return sorted({*names(), *commands(), *answers(), *routes()})


if __name__ == "__main__":
    LIST.write_text("\n".join([*surface(), ""]), "utf-8")
