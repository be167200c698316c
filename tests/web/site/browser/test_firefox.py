"""The site in Firefox, from the first stone to a visit without a network: ``pytest --firefox``.

It is not run at every change. While WebDriver BiDi drives Firefox 153, some worker of one page in fifty
never begins, in pages that have nothing of Tengen, too; of 151 such pages that nothing drove, none stood
still.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.assets.browser import FIREFOX
from tests.web.browser.desk import stones
from tests.web.browser.pages import browsing_in_firefox, held
from tests.web.site.browser.visits import PATH, WON_BY_THREATS, SiteVisit
from tests.web.site.hosting import hosted

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def firefox(pytestconfig: pytest.Config) -> Iterator[Browser]:
    if not pytestconfig.option.firefox:
        pytest.skip("run on request: pytest --firefox")
    if FIREFOX is None:
        pytest.skip("Firefox is not installed")
    with browsing_in_firefox() as running:
        yield running


def test_first_a_game_and_then_a_visit_without_a_network(firefox: Browser, written: Path) -> None:
    with hosted(written, PATH) as url:
        me = SiteVisit(firefox, url, "/privacy/", game={"opponent": "level:4"})
        release = held(me.context, "**/python/*")
        me.open("/")
        me.play("h8")
        me.shows(2)
        me.says("Your turn")
        me.sees(".site-loading")
        release()
        me.python_is_there()
        me.play("d4")
        me.shows(4)
        before = stones(me)
        me.is_kept()
        me.will_keep_memory()
    me.page.reload()
    me.shows(4)
    assert stones(me) == before
    me.python_is_there()
    assert me.is_isolated()
    assert me.keeps_memory()
    me.play("d12")
    me.shows(6)
    me.open(WON_BY_THREATS)
    me.finds_win_by_threats()
    me.speak("zh-CN")
    me.open("/")
    me.button("同机双人").click()
    me.sees(".table.game")
    me.play("h8")
    me.says("轮到白方")
    # Not by `close`: what a page asked for when it was left is an error to Firefox.
    me.context.close()
