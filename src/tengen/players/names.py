"""Names of players for people, made from their specs.

`static/shared/names.js` of the web app gives the same names in the browser.
"""

from __future__ import annotations

from tengen.players.spec import PlayerSpec, SpecError
from tengen.words import Message

_PRESETS = ("o2", "o2exact", "o4", "o5", "o5easy", "o5exact", "tuned")
_PLAYERS = frozenset(
    ["human", "random", "lookup", "lines", "shapes", "minimax", "mcts", "threats", "engine", "prover"]
)
_SPOKEN = ("depth", "nodes", "playouts", "seconds", "strength")
_SILENT = ("memory_mb", "proof", "seed", "threads")
"""Settings that are not part of a name."""


def player_name(spec: str) -> Message | str:
    """Return the name of the player that a spec describes.

    ``level:4`` is "Level 4", ``mcts,playouts=400,seed=1`` "Monte Carlo (400 playouts)", ``cmd=./pbrain-x``
    "pbrain-x" and ``py:mine:Careful`` "Careful". A name of any other kind stays as it is.
    """
    try:
        parsed = PlayerSpec.parse(spec)
    except SpecError:
        return spec
    name, preset, given = parsed.name, parsed.preset or "", parsed.settings
    if parsed.kind == "class":
        return preset.rpartition(":")[2] or spec
    if parsed.kind == "program":
        return preset.split(" ")[0].replace("\\", "/").rpartition("/")[2] or spec
    if name == "level":
        called = Message("player.name.level", {"number": preset or "1"})
        preset = ""
    elif name in _PLAYERS:
        called = Message(f"player.name.{name}")
    else:
        return spec
    details = [Message(f"player.preset.{preset}")] if preset in _PRESETS else []
    details += [Message(f"player.setting.{key}", {"value": given[key]}) for key in given if key in _SPOKEN]
    if given.keys() - {*_SPOKEN, *_SILENT}:
        details.append(Message("player.setting.own"))
    return Message("player.name.with", {"name": called, "details": tuple(details)}) if details else called
