"""The site is built, without a warning; its check is a test of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from documentation.reference import models, public_names
from playwright.sync_api import expect

import tengen
from tengen.cli.commands import COMMANDS
from tests.console import ROOT, environment
from tests.web.browser.pages import browsing

pytest.importorskip("zensical", reason="the extra docs is not installed")
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder: Path = tmp_path_factory.mktemp("documentation") / "site"
    command = [sys.executable, "-m", "documentation", str(folder), "--without-app"]
    changes = {"PYTHONPATH": "src", "PYTHONWARNINGS": ""}
    done = subprocess.run(
        command, cwd=ROOT, env=environment(**changes), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def read(site: Path, name: str) -> str:
    return (site / name).read_text("utf-8")


def test_every_public_name_has_its_place(site):
    names = {name for several in public_names().values() for name in several}
    assert names >= {f"tengen.{name}" for name in tengen.__all__}
    pages = "".join(file.read_text("utf-8") for file in (site / "reference").glob("library-*.html"))
    assert [name for name in names if f'id="{name}"' not in pages] == []
    assert 'id="tengen.Session.board"' in pages, "of the class that it extends"


@pytest.mark.parametrize(("folder", "usage"), [("", "Usage:"), ("zh/", "用法")])
def test_every_command_is_shown_in_the_language_of_the_page(folder, usage, site):
    page = read(site, f"{folder}reference/commands.html")
    assert [name for name in COMMANDS if f'id="tengen-{name}"' not in page] == []
    assert page.count(usage) >= len(COMMANDS)


def test_routes_and_models_are_described(site):
    described = json.loads(read(site, "reference/openapi.json"))
    page = read(site, "reference/http.html")
    assert [path for path in described["paths"] if path not in page] == []
    page = read(site, "reference/schemas.html")
    for several in models().values():
        for model in several:
            assert f'id="{model.__name__.lower()}"' in page
            schema = json.loads(read(site, f"reference/schemas/{model.__name__}.json"))
            assert schema.get("title", model.__name__) == model.__name__, (
                "of a model of itself it is a reference"
            )


def test_pages_lead_to_the_other_language(site):
    assert 'href="./zh/"' in read(site, "index.html") or 'href="zh/"' in read(site, "index.html")
    assert 'lang="zh"' in read(site, "zh/index.html")


def test_boards_are_pictures_until_they_are_boards(site):
    page = read(site, "tutorial.html")
    assert page.count('class="tengen-board"') == 2
    assert len(list((site / "boards").glob("*.svg"))) >= 2
    assert (site / "tengen" / "boards.js").exists()
    assert "replay.first" in read(site, "tengen/texts.js")


def test_without_the_app_the_page_says_so(site):
    assert "try/index.html" not in read(site, "try.html")
    assert "built without the app" in read(site, "try.html")


@pytest.fixture
def address(site) -> Iterator[str]:
    """The address of the site on this machine."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("folder", "said"), [("", "Move 8 of 9: White j9"), ("zh/", "第 8 手（共 9 手）：白 j9")]
)
def test_a_game_is_stepped_through_and_nothing_comes_from_elsewhere(folder, said, address):
    requests: list[str] = []
    with browsing() as browser:
        page = browser.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.goto(f"{address}/{folder}tutorial.html")
        board = page.locator(".tengen-board").first
        expect(board.locator(".replay-moves li")).to_have_count(9)
        board.locator("button").nth(1).click()
        expect(board.locator(".replay-status")).to_have_text(said)
    assert len(requests) > 10
    assert [url for url in requests if not url.startswith((address, "data:"))] == []
