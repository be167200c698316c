"""The registry of players, which makes them from their specs (`tengen.players.spec`)."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen.extras import importing
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.player import Player
from tengen.game.tracebacks import add_own_traceback
from tengen.players.spec import PlayerSpec, SpecError
from tengen.words import Message


@dataclass(frozen=True, slots=True)
class Entry:
    """One player the registry knows.

    Attributes:
        name: the first word of its specs.
        target: the class or function that makes it, ``module:attribute``, imported when used. A
            preset is handed to it as its first argument.
        presets: the presets it has; the first is the default. Empty where it has none.
    """

    name: str
    target: str
    presets: tuple[str, ...] = ()

    @property
    def default_preset(self) -> str:
        """The preset of a spec that names none; empty if the player has no presets."""
        return self.presets[0] if self.presets else ""

    @property
    def summary(self) -> Message:
        """One sentence about the player."""
        return Message(f"player.{self.name}")


ENTRIES = {
    entry.name: entry
    for entry in (
        Entry("random", "tengen.players.random:Random"),
        Entry("lookup", "tengen.players.lookup:Lookup", ("all", "reachable")),
        Entry("lines", "tengen.players.lines:Lines", ("open", "tuned", "o4")),
        Entry(
            "shapes", "tengen.players.shapes:Shapes", ("o5", "o2", "tuned", "o5easy", "o2exact", "o5exact")
        ),
        Entry("minimax", "tengen.players.minimax:Minimax"),
        Entry("mcts", "tengen.players.mcts:Mcts"),
        Entry("threats", "tengen.players.threats:Threats"),
        Entry("level", "tengen.players.levels:Level", tuple(map(str, range(1, 11)))),
        Entry("engine", "tengen.engine.engine:Engine"),
    )
}
"""The players by name, in the order in which a reader should meet them."""

_PROVER = "tengen.players.prover:Prover"
"""The player of proofs; it reads a file, so it is not in `ENTRIES`, which strangers may use."""

_PROGRAM = "tengen.players.external.external_player:External"
"""The player of the program of a ``cmd=`` spec."""


def player(spec: str) -> Player:
    """The player that a spec describes.

    Raises:
        SpecError: the spec names no player, no preset or no parameter of it, or a value it refuses. An
            error in code of others has its traceback as a note (`tengen.game.tracebacks`).
    """
    return _make(spec, *maker(spec))


def maker(spec: str) -> tuple[Callable[..., Any], tuple[str, ...], dict[str, Any]]:
    """Return the class or function that makes the player of a spec, its preset if any, and its settings.

    Raises:
        SpecError: the spec names no player, or no preset of it.
    """
    parsed = PlayerSpec.parse(spec)
    values = parsed.values
    if parsed.kind == "class":
        return _own_class(spec, parsed.preset or ""), (), values
    if parsed.kind == "program":
        return _imported(_PROGRAM), (parsed.preset or "",), values
    name, preset = parsed.name, parsed.preset
    if name == "prover" and preset is None:
        return _imported(_PROVER), (), values
    entry = ENTRIES.get(name)
    if entry is None:
        names = (*ENTRIES, "py:module:Class", "cmd=./program", "prover:file=FILE")
        raise SpecError("error.spec.name", name=shorten(name), names=names)
    if preset is not None and preset not in entry.presets:
        if not entry.presets:
            raise SpecError("error.spec.no_presets", name=name, preset=shorten(preset))
        raise SpecError("error.spec.preset", name=name, preset=shorten(preset), presets=entry.presets)
    return _imported(entry.target), () if preset is None else (preset,), values


def _imported(target: str) -> Callable[..., Any]:
    """Import ``module:attribute``; only now, for some players import the registry."""
    module, _, attribute = target.partition(":")
    with importing():
        made: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
    return made


def _own_class(spec: str, path: str) -> Callable[..., Any]:
    module, colon, attribute = path.partition(":")
    if not (module and colon and attribute):
        raise SpecError("error.spec.py", spec=shorten(spec))
    # A script's own folder is on the path, an installed command's current folder is not.
    try:
        here = str(Path.cwd())
        if here not in sys.path and "" not in sys.path:
            sys.path.insert(0, here)
        found = getattr(importlib.import_module(module), attribute)
    except (Exception, SystemExit) as error:  # anything may happen while a stranger's module runs
        reason = _import_reason(error, module, attribute)
        failed = SpecError("error.spec.import", path=shorten(path, 80), reason=reason)
        raise add_own_traceback(failed, error) from error
    if not callable(found):
        raise SpecError("error.spec.class", path=shorten(path, 80))
    made: Callable[..., Any] = found
    return made


def _make(
    spec: str, make: Callable[..., Any], presets: tuple[str, ...], arguments: dict[str, Any]
) -> Player:
    try:
        signature = inspect.signature(make)
    except ValueError:
        pass  # some classes have no signature to check; the call itself will fail
    else:
        _check_settings(spec, signature, presets, arguments)
    try:
        made = make(*presets, **arguments)
    except TengenError as error:
        add_own_traceback(error)
        raise
    except (Exception, SystemExit) as error:
        reason = shorten_reason(error)
        failed = SpecError("error.spec.arguments", spec=shorten(spec), reason=reason)
        raise add_own_traceback(failed, error) from error
    if not isinstance(made, Player):
        raise SpecError("error.spec.protocol", spec=shorten(spec))
    return made


def _check_settings(
    spec: str, signature: inspect.Signature, presets: tuple[str, ...], arguments: Mapping[str, Any]
) -> None:
    """Refuse settings that a player does not have.

    Args:
        spec: of the player.
        signature: of what makes it.
        presets: the values of its first parameters.
        arguments: the settings.

    Raises:
        SpecError: there is no such setting, or one is missing that has to be given.
    """
    parameters = list(signature.parameters.values())[len(presets) :]
    if not any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters):
        named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        names = tuple(one.name for one in parameters if one.kind in named)
        for key in arguments:
            if names and key not in names:
                raise SpecError("error.spec.key", spec=shorten(spec), key=shorten(key), names=names)
    try:
        signature.bind(*presets, **arguments)
    except TypeError as error:
        reason = shorten_reason(error)
        raise SpecError("error.spec.arguments", spec=shorten(spec), reason=reason) from error


def _import_reason(error: BaseException, module: str, attribute: str) -> Message | str:
    """Return why something could not be imported, in the user's words if it is not there."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        return Message("reason.module", {"name": shorten(error.name, 80)})
    if isinstance(error, AttributeError) and module in sys.modules and error.obj is sys.modules[module]:
        return Message("reason.attribute", {"module": shorten(module, 80), "name": shorten(attribute, 80)})
    return shorten_reason(error)


def shorten_reason(error: BaseException) -> str:
    """An exception's own words, on one line."""
    first = str(error).strip().splitlines() or [type(error).__name__]
    return first[0][:200]
