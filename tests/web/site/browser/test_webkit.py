"""The site in WebKitGTK, whose engine is that of Safari, on computers, iPhones and iPads.

Playwright drives builds of WebKit of its own only; Selenium drives that of a distribution.
"""

from __future__ import annotations

import base64
import io
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.web.browser.pages import PLACE
from tests.web.site.browser.visits import ASK, KEEPING, SEND, WON_BY_THREATS
from tests.web.site.hosting import hosted

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")

BROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"), None)
PROGRAMS = [shutil.which(name) for name in ("WebKitWebDriver", "Xvfb")]

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(BROWSER is None or None in PROGRAMS, reason="no WebKitGTK, driver of it, or Xvfb"),
    # Selenium's own call.
    pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning"),
]

_GIF = f"""async (moves) => {{{SEND}
  const body = JSON.stringify({{ moves, format: "gif" }});
  const headers = {{ "Content-Type": "application/json" }};
  const answer = await send("/api/picture", {{ method: "POST", headers, body }});
  return btoa(String.fromCharCode(...new Uint8Array(await answer.arrayBuffer())));
}}"""


class WebKitVisit:
    """Somebody who has opened the site in WebKitGTK.

    Args:
        driver: Selenium's.
        url: the address of the site.
    """

    def __init__(self, driver: Any, url: str) -> None:
        self.driver = driver
        self._url = url
        driver.set_script_timeout(KEEPING)

    def open(self, path: str) -> None:
        """Open a page by its address."""
        self.driver.get(self._url + path)

    def ask(self, function: str, *values: Any) -> Any:
        """What an asynchronous function of JavaScript returns in the page."""
        script = f"({function})(...arguments).then([...arguments].pop(), (error) => console.error(error))"
        return self.driver.execute_async_script(script, *values)

    def wait(self, what: Callable[[], Any]) -> None:
        """Wait until something is so."""
        from selenium.webdriver.support.wait import WebDriverWait

        WebDriverWait(self.driver, KEEPING).until(lambda _: what())

    def find(self, selector: str) -> list[Any]:
        """The elements that a selector of CSS finds."""
        found: list[Any] = self.driver.find_elements("css selector", selector)
        return found

    def shows(self, count: int) -> None:
        """Wait until so many moves have been played."""
        self.wait(lambda: len(self.find(".moves li")) == count)

    def play(self, name: str) -> None:
        """Click a point."""
        self.wait(lambda: self.find(".table[data-shape] .board svg"))
        x, y = self.ask(PLACE, [ord(name[0]) - ord("a"), int(name[1:]) - 1])
        actions = webdriver.ActionChains(self.driver)
        actions.w3c_actions.pointer_action.move_to_location(round(x), round(y)).click()
        actions.perform()

    def stones(self) -> set[str]:
        """The points with stones."""
        return {stone.get_attribute("data-point") for stone in self.find(".board g.stone")}

    def python_is_there(self) -> None:
        """Wait until the application answers."""
        assert self.ask(ASK, "/api/games")[0] == 200
        self.wait(lambda: not self.find(".site-loading"))


@contextmanager
def display() -> Iterator[str]:
    """A screen that nobody sees, and its name, for a `with` block."""
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1000x24", "-nolisten", "tcp"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert screen.stdout is not None
        yield f":{screen.stdout.readline().strip()}"
    finally:
        screen.terminate()
        screen.communicate()


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[Any]:
    """The browser, which has been nowhere yet."""
    from selenium.webdriver.webkitgtk.service import Service

    options = webdriver.WebKitGTKOptions()
    options.binary_location = str(BROWSER)
    options.add_argument("--automation")
    with display() as screen:
        # In a container there are no namespaces for its sandbox.
        alone = {"HOME": str(tmp_path), "DISPLAY": screen, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        service = Service(
            executable_path=PROGRAMS[0], env=os.environ | alone, log_output=subprocess.DEVNULL
        )
        running = webdriver.WebKitGTK(options=options, service=service)
        yield running
        running.quit()


def test_a_game_a_picture_and_the_next_visit(driver: Any, written: Path) -> None:
    with hosted(written, "/club", isolated=True) as url:
        me = WebKitVisit(driver, url)
        me.open("/")
        me.play("h8")
        me.shows(2)
        me.python_is_there()
        me.play(next(name for name in ("a1", "o15") if name not in me.stones()))
        me.shows(4)
        before = me.stones()
        picture = Image.open(io.BytesIO(base64.b64decode(me.ask(_GIF, "h8i9g7"))))
        assert (picture.format, getattr(picture, "n_frames", 0), picture.width) == ("GIF", 4, 480)
        me.driver.refresh()
        me.shows(4)
        assert me.stones() == before
        me.python_is_there()
        me.open(WON_BY_THREATS)
        me.wait(lambda: len(me.stones()) == 8)
        me.find("#tab-engine")[0].click()
        me.find("#panel-engine option[value=vct]")[0].click()
        next(button for button in me.find("#panel-engine button") if button.text == "For Black").click()
        me.wait(lambda: any("Black wins by threats in" in answer.text for answer in me.find(".vcf-answer")))
