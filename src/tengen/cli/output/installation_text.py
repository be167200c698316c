"""An installation on one screen: a line for each part, then what is wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from tengen.cli.output.columns import row
from tengen.plaintext.wrapping import columns, wrapped
from tengen.schemas.installation import FolderData, InstallationData, KernelsData, Part, ProgramData
from tengen.schemas.sentence import spoken
from tengen.words import Message, say

_MEGABYTE = 1_000_000
_WIDTH = 80

_PURPOSES = {"node": "doctor.node", "zig": "doctor.zig", "cc": "doctor.cc"}
"""The commands that a program serves."""

_INSTALLED = {
    "package": "doctor.installed.package",
    "editable": "doctor.installed.editable",
    "sources": "doctor.installed.sources",
}

Row = tuple[Part, str, list[Message | str]]
"""A part, the key of its label, and its text in pieces."""


def installation_text(found: InstallationData, language: str) -> str:
    """Return the text of ``tengen doctor``."""
    marks: dict[Part, str] = {}
    for problem in found.problems:
        marks[problem.part] = "X" if problem.needed else marks.get(problem.part, "!")
    separator = say("doctor.separator", language)
    rows = []
    for part, label, pieces in _rows(found):
        text = separator.join(each if isinstance(each, str) else say(each, language) for each in pieces)
        rows.append((f"{marks.get(part, ' ')} {say(label, language)}", text))
    widest = max(columns(label) for label, _ in rows)
    lines = [row(cells, (widest, 0), left=(0, 1)) for cells in rows]
    lines.append("")
    for problem in found.problems:
        sentence = spoken(problem.sentence.to_dict(), language)
        lines.append(f"{'X' if problem.needed else '!'}  {sentence}")
    lines.append(say("doctor.ok" if found.ok else "doctor.broken", language))
    return "\n".join(each for line in lines for each in wrapped(line, _WIDTH))


def _rows(found: InstallationData) -> Iterator[Row]:
    """Yield the lines in their order."""
    python, package, packages = found.python, found.package, found.packages
    interpreter = f"{python.version} ({python.implementation})"
    yield "python", "doctor.python", [interpreter, _short(python.environment or python.executable)]
    place = Message(_INSTALLED[package.installed], {"folder": _short(package.folder)})
    command = _short(package.command) if package.command else Message("doctor.command.none")
    yield "package", "doctor.package", [package.version, place, command]
    numbers = {"found": packages.needed - len(packages.lacking), "needed": packages.needed}
    yield "packages", "doctor.packages", [Message("doctor.packages.count", numbers)]
    yield "kernels", "doctor.kernels", list(_kernels(found.kernels))
    cores = Message("doctor.cores", {"cores": found.processor.cores})
    yield "python", "doctor.processor", [found.processor.target, cores]
    yield "caches", "doctor.caches", [_short(found.cache.folder), *_caches(found.caches)]
    free = Message("doctor.data.free", {"free": round(found.data.free / _MEGABYTE)})
    yield "data", "doctor.data", [_short(found.data.folder), free]
    yield "database", "doctor.database", _database(found)
    yield "port", "doctor.port", [_port(found)]
    yield "programs", "doctor.programs", [_program(each) for each in found.programs]
    there = [each.name for each in found.extras if not each.lacking]
    missing = [each.name for each in found.extras if each.lacking]
    yield "extras", "doctor.extras", [*there] or [Message("doctor.none")]
    if missing:
        install = Message("doctor.extras.install", {"extras": ",".join(missing)})
        yield "extras", "doctor.extras.missing", [install]


def _program(program: ProgramData) -> Message | str:
    if program.version is not None:
        return f"{program.name} {program.version}"
    purpose = Message(_PURPOSES[program.name])
    return Message("doctor.program.missing", {"name": program.name, "purpose": purpose})


def _kernels(kernels: KernelsData) -> Iterator[Message | str]:
    if kernels.used == "jit":
        yield Message("doctor.kernels.jit", {"version": kernels.numba})
    elif kernels.used is not None:
        yield Message("doctor.kernels.ahead", {"target": kernels.used})
    else:
        yield Message("doctor.none")
    for library in kernels.libraries:
        if library.state != "matches":
            yield Message(f"doctor.library.{library.state}", {"target": library.target})


def _caches(caches: Iterable[FolderData]) -> Iterator[Message | str]:
    """Yield the sizes of caches, of those of several versions together."""
    sizes: Counter[str] = Counter()
    for each in caches:
        sizes[re.sub(r"-[0-9a-f-]+$", "", each.name)] += each.size
    for name, size in sizes.items():
        yield Message("doctor.cache", {"name": name, "size": size / _MEGABYTE})


def _database(found: InstallationData) -> list[Message | str]:
    database = found.database
    kind = {"sqlite": "SQLite", "postgresql": "PostgreSQL", None: ""}[database.kind]
    state: Message
    if not database.reachable:
        state = Message("doctor.database.unreachable")
    elif database.version is None:
        state = Message("doctor.database.new")
    elif database.version == database.newest:
        state = Message("doctor.database.current", {"version": database.version})
    else:
        versions = {"version": database.version, "newest": database.newest}
        state = Message("doctor.database.former", versions)
    return [*filter(None, (kind, _short(database.address))), state]


def _port(found: InstallationData) -> Message:
    port = found.port
    if port.free:
        return Message("doctor.port.free", {"port": str(port.port)})
    if port.server is not None:
        return Message("doctor.port.server", {"url": port.server})
    return Message("doctor.port.taken", {"port": str(port.port), "next": str(port.next or "")})


def _short(path: str) -> str:
    """Return a path with ``~`` for the user's own folder."""
    home = str(Path.home())
    return f"~{path[len(home) :]}" if path == home or path.startswith(f"{home}/") else path
