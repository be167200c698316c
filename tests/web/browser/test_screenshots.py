"""The command that makes screenshots reaches every view that it names."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.assets.browser import needs_browser
from tests.web.browser.screenshots import VIEWS, View, taken
from tests.web.serving import Server

pytestmark = needs_browser


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_each_view_can_be_taken(server: Server, browser: Browser, view: View, tmp_path: Path) -> None:
    picture = taken(browser, server, view, "390", "dark", "zh", tmp_path)
    assert picture.read_bytes().startswith(b"\x89PNG")
