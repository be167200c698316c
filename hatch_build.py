"""What a package needs and the sources do not say: compiled kernels, an address, a README whose links work.

**Kernels.** A wheel for this machine's kind of system brings the engine's kernels, compiled ahead of time
(`tengen.engine.kernels.ahead`), and does not need Numba. An editable installation gets them into the source
tree, for this machine's processor. Where they cannot be built, and on systems where nobody has tried them
yet, the package depends on Numba, which compiles them just in time, and the build says so.

- ``TENGEN_TARGETS`` names other targets, separated by commas, or ``none``. A wheel with libraries of other
  systems depends on Numba still.

**Metadata.** The address is that of the clone's remote ``origin``, or ``TENGEN_REPOSITORY``, or what a
source package has kept of them. Where there is none, as in a folder that was never a clone, the README's
links into the repository become plain text: a link that leads nowhere is worse than none.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#|mailto:)([^)\s]+)\)")
_REMOTE = re.compile(r"(?:https?://(?:[^@/]+@)?|ssh://(?:[^@/]+@)?|[^@/]+@)([^/:]+)[/:](.+?)(?:\.git)?/?")
_KEPT = re.compile(r"^Project-URL: Repository, (\S+)$", re.MULTILINE)


_NUMBA = "numba==0.68.1"
"""The compiler of the kernels; builds with the same one are the same."""

_JIT = "jit"
"""The extra with what compiles kernels just in time, where a package has none."""

_LIBRARIES = "tengen/engine/kernels/libraries"
"""The folder of the libraries in the package."""

_LEVELS = ("linux-x86-64", "linux-x86-64-v2", "linux-x86-64-v3")
"""The targets of a wheel for Linux."""

_ANY_LINUX = "manylinux_2_17_x86_64.musllinux_1_1_x86_64"
"""The platforms of such a wheel: its libraries use no other ones."""


class CompiledKernels(BuildHookInterface):  # type: ignore[misc]
    """Compiles the engine's kernels ahead of time."""

    def dependencies(self) -> list[str]:
        """Return what the build needs."""
        targets = _targets()
        if not targets:
            return []
        # A C compiler links for its own system only.
        linked = set(targets) <= set(_LEVELS) and any(map(shutil.which, ("cc", "gcc", "clang")))
        linker = [] if linked else ["ziglang>=0.13"]
        return [_NUMBA, "numpy>=1.26", "platformdirs>=4.14", *linker]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the kernels, and add them to what is built."""
        targets = _targets()
        if version == "editable":
            folder = Path(self.root, "src", _LIBRARIES)
            built = _is_current(self.root) or self._build(folder, targets and ["host"])
        else:
            self._folder = tempfile.TemporaryDirectory()
            folder = Path(self._folder.name)
            # A wheel for any system has to do without the libraries of one.
            built = self._build(folder, targets) and set(targets) <= set(_LEVELS)
            for file in folder.iterdir():
                build_data["force_include"][str(file)] = f"{_LIBRARIES}/{file.name}"
            if built:
                build_data["pure_python"] = False
                build_data["tag"] = f"py3-none-{_ANY_LINUX}"
        if not built:
            build_data["dependencies"].extend(self.metadata.core.optional_dependencies[_JIT])

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what has been packed."""
        if version != "editable":
            self._folder.cleanup()

    def _build(self, folder: Path, targets: list[str]) -> bool:
        """Build libraries in a folder; return whether they are there."""
        if not targets:
            self.app.display_info("The engine's kernels are not compiled ahead of time: numba is required.")
            return False
        self.app.display_info(f"Compiling the engine's kernels for {', '.join(targets)}...")
        program = "import runpy; runpy.run_module('tengen.solver.build_kernels', run_name='__main__')"
        done = _run_here(self.root, program, str(folder), *targets)
        if done.returncode:
            reason = done.stderr.strip().rpartition("\n")[2]
            self.app.display_warning(f"The engine's kernels could not be compiled ahead of time: {reason}")
        return done.returncode == 0


def _targets() -> list[str]:
    """Return the names of the targets to compile for."""
    asked = os.environ.get("TENGEN_TARGETS")
    if asked is not None:
        return [name for name in asked.replace(" ", "").split(",") if name not in ("", "none")]
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return []
    return list(_LEVELS)


def _is_current(root: str) -> bool:
    """Return whether the source tree has a library for this machine that matches it."""
    test = "from tengen.engine.kernels.library import matching; raise SystemExit(matching() is None)"
    return _run_here(root, test).returncode == 0


def _run_here(root: str, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program in Python on the sources, with the packages of the build."""
    # Not by PYTHONPATH: pip removes from it what the environment has installed, editable sources among it.
    sources = f"import sys; sys.path.insert(0, {str(Path(root, 'src'))!r}); "
    return subprocess.run(
        [sys.executable, "-c", sources + program, *arguments],
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )


class ProjectMetadata(MetadataHookInterface):  # type: ignore[misc]
    """Adds the README and the addresses to the project's metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in what pyproject.toml calls dynamic."""
        root = Path(self.root)
        address = repository(root)
        text = readme((root / "README.md").read_text("utf-8"), address)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = urls(address)


def repository(root: Path) -> str | None:
    """The address of the repository, as browsers open it; None where nothing tells it."""
    given = os.environ.get("TENGEN_REPOSITORY") or _origin(root)
    if given:
        match = _REMOTE.fullmatch(given.strip())
        return f"https://{match.group(1)}/{match.group(2)}" if match else None
    kept = root / "PKG-INFO"
    found = _KEPT.search(kept.read_text("utf-8")) if kept.exists() else None
    return found.group(1) if found else None


def _origin(root: Path) -> str | None:
    if not (root / ".git").exists():  # a folder inside somebody else's clone
        return None
    command = ["git", "-C", str(root), "remote", "get-url", "origin"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:  # there is no git
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def urls(address: str | None) -> dict[str, str]:
    """The links that an index shows beside the project."""
    if address is None:
        return {}
    return {
        "Repository": address,
        "Documentation": f"{address}/tree/HEAD/docs",
        "Changelog": f"{address}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }


def readme(text: str, address: str | None) -> str:
    """The README with links and pictures that work away from the repository."""

    def absolute(match: re.Match[str]) -> str:
        picture, name, target = match.groups()
        if address is None:
            return "" if picture else name
        way = "raw" if picture else "blob"
        return f"{picture}[{name}]({address}/{way}/HEAD/{target})"

    return _LINK.sub(absolute, text)
