"""What a package index needs of the project and a clone knows: its address, and a README whose links work.

The address is that of the clone's remote ``origin``, or ``TENGEN_REPOSITORY``, or what a source package has
kept of them. Where there is none, as in a folder that was never a clone, the README's links into the
repository become plain text: a link that leads nowhere is worse than none.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#|mailto:)([^)\s]+)\)")
_REMOTE = re.compile(r"(?:https?://(?:[^@/]+@)?|ssh://(?:[^@/]+@)?|[^@/]+@)([^/:]+)[/:](.+?)(?:\.git)?/?")
_KEPT = re.compile(r"^Project-URL: Repository, (\S+)$", re.MULTILINE)


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
