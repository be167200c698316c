"""Pages in a real browser, without a window; where there is none, tests that need it are skipped."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tengen import assets
from tengen.words import catalogue
from tengen.words.languages import language

_NAMES = (
    "chromium-headless-shell",  # has no windows to draw, and takes half the time
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
BROWSER = next((path for name in _NAMES if (path := shutil.which(name))), None)

_FIREFOX_NAMES = ("firefox-esr", "firefox")
FIREFOX = next((path for name in _FIREFOX_NAMES if (path := shutil.which(name))), None)

needs_browser = pytest.mark.skipif(BROWSER is None, reason=f"no browser found: {', '.join(_NAMES)}")

_CONSOLE = re.compile(r'CONSOLE:?\d*\)?\] "(.*)", source:')

_COLLECT = """
const answers = {};
window.answer = (name, value) => { answers[name] = value; };
window.addEventListener("error", (event) => answer("error", event.message));
window.report = () => {
  const pre = document.createElement("pre");
  pre.id = "answers";
  pre.textContent = JSON.stringify(answers);
  document.body.append(pre);
};
"""


@dataclass(frozen=True)
class Seen:
    """What a browser made of a page.

    Attributes:
        html: the document after its scripts have run.
        console: what was written to the console, errors of scripts included.
    """

    html: str
    console: list[str]

    @property
    def answers(self) -> Any:
        """What a script of `driven` has answered."""
        found = _Text("answers")
        found.feed(self.html)
        return json.loads(found.text)

    def text(self, identifier: str) -> str:
        """The text of the element of that identifier."""
        found = _Text(identifier)
        found.feed(self.html)
        return " ".join(found.text.split())


def see(page: Path, fragment: str = "", *options: str) -> Seen:
    """Open a page, and look at it when all has settled."""
    assert BROWSER is not None
    with tempfile.TemporaryDirectory() as profile:
        command = [
            BROWSER,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--enable-logging=stderr",
            "--virtual-time-budget=10000",
            f"--user-data-dir={profile}",
            *options,
            "--dump-dom",
            page.as_uri() + fragment,
        ]
        done = subprocess.run(command, capture_output=True, timeout=120, check=True)
    return Seen(done.stdout.decode(), _CONSOLE.findall(done.stderr.decode("utf-8", "replace")))


def driven(html: str, script: str) -> str:
    """A page with a script of the test's own at its end, which calls ``answer(name, value)``."""
    free = re.sub(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "", html)
    own = f"<script>{_COLLECT}</script><script type='module'>{script}\nreport();</script>"
    return free.replace("</body>", own + "</body>")


def play_with(folder: Path, script: str, *modules: str, lang: str = "en") -> Any:
    """What a script answers on an empty page with ``say``, a place ``box``, and modules as ``$board``."""
    names = dict.fromkeys(("words", *modules))
    imports = "".join(f'import * as ${name} from "{name}.js";' for name in names)
    page = f"""<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>-</title>
    <style>{assets.styles("theme", "board_themes", "board", "replay")} #box {{ width: 600px }}</style>
    <script type="importmap">{assets.import_map()}</script>
    <body><div id="box"></div></body></html>"""
    texts = json.dumps(dict(catalogue(lang))).replace("<", "\\u003c")
    say = f"$words.speaker({texts}, {language(lang).locale!r})"
    given = f"const say = {say}; const box = document.getElementById('box');"
    whole = f"{imports}\n{given}\n{script}"
    path = folder / "page.html"
    path.write_text(driven(page, whole), "utf-8")
    seen = see(path)
    assert seen.console == []
    assert "error" not in seen.answers
    return seen.answers


class _Text(HTMLParser):
    """The text of one element."""

    def __init__(self, identifier: str) -> None:
        super().__init__()
        self.identifier = identifier
        self.text = ""
        self._depth = 0
        self._name = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._depth:
            self._depth += tag == self._name
        elif ("id", self.identifier) in attrs:
            self._depth, self._name = 1, tag

    def handle_endtag(self, tag: str) -> None:
        if self._depth:
            self._depth -= tag == self._name

    def handle_data(self, data: str) -> None:
        if self._depth:
            self.text += data
