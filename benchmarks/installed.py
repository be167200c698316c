"""What an installation takes: the size of all that pip installs with Tengen into an empty environment.

The files that pip records are counted, those that it compiles among them. A megabyte is a million bytes.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

from benchmarks.command_line import parser

GOAL = 250
"""Megabytes of a plain installation, at most."""

ROOT = Path(__file__).parents[1]

_SIZES = """
import json
from importlib.metadata import distributions

sizes = {
    each.name: sum(file.locate().stat().st_size for file in each.files or () if file.locate().is_file())
    for each in distributions()
}
print(json.dumps(sizes))
"""


def sizes(*options: str, extras: Sequence[str] = ()) -> dict[str, int]:
    """Install Tengen into an empty environment, and measure what is there.

    Args:
        options: options of ``pip install``.
        extras: the extras to install.

    Returns:
        The bytes of every package, the largest first.
    """
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, symlinks=sys.platform != "win32")
        python = str(Path(folder) / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))
        what = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
        pip = [sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", *options, what], check=True)
        done = subprocess.run([python, "-I", "-c", _SIZES], check=True, stdout=subprocess.PIPE)
    found: dict[str, int] = json.loads(done.stdout)
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def report(title: str, found: dict[str, int]) -> None:
    """Print the sum, and every package of a megabyte or more."""
    print(f"  {title:42} {sum(found.values()) / 1e6:6.1f} MB")
    small = [size for size in found.values() if size < 1e6]
    for name, size in found.items():
        if size >= 1e6:
            print(f"    {name:40} {size / 1e6:6.1f}")
    if small:
        print(f"    {f'{len(small)} smaller ones':40} {sum(small) / 1e6:6.1f}")


def main(extras: Sequence[str] = ()) -> None:
    if importlib.util.find_spec("pip") is None:
        print("  not measured: there is no pip here")
        return
    report("Tengen alone (--no-deps)", sizes("--no-deps"))
    plain = sizes()
    report(f"a plain installation (goal: {GOAL} MB)", plain)
    for extra in extras:
        found = sizes(extras=[extra])
        report(f"what [{extra}] adds", {name: size for name, size in found.items() if name not in plain})


if __name__ == "__main__":
    options = parser("benchmarks.installed", __doc__)
    options.add_argument("extras", nargs="*", metavar="EXTRA", help="measure what these extras add, too")
    main(options.parse_args().extras)
