"""Generate the browser's files that are made of JSON."""

from __future__ import annotations

from pathlib import Path

from tengen.assets import generated

if __name__ == "__main__":
    for name, text in generated().items():
        Path(__file__).with_name(name).write_text(text, "utf-8")
