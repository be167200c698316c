"""How long a computer thinks by a clock."""

from __future__ import annotations

import pytest

from tengen.game.clock import Clock, TimeControl
from tengen.players.mcts import PLAYOUTS
from tengen.web.games.thinking_time import clock_limit

FIVE = Clock.full(TimeControl.parse("300+5"))
SHORT = Clock.full(TimeControl.parse("10"))


@pytest.mark.parametrize(
    ("spec", "most"),
    [("level:10", 5.0), ("level:10,seconds=1", 1.0), ("level:10,seconds=15", 15.0), ("engine", 5.0)],
)
def test_the_engine_takes_no_more_than_it_is_told_or_than_one_waits_for(spec: str, most: float) -> None:
    limit = clock_limit(spec, FIVE)
    assert limit.seconds is not None
    assert limit.seconds <= most
    assert limit.time is not None
    assert (limit.time.turn, limit.time.left, limit.time.increment) == (limit.seconds, 300.0, 5.0)
    # A clock that has little left bounds it more.
    short = clock_limit(spec, SHORT)
    assert short.seconds == pytest.approx(min(most, SHORT.share(0.0)))


def test_a_textbook_player_does_what_it_does_without_a_clock() -> None:
    assert clock_limit("mcts", FIVE).nodes == PLAYOUTS
    assert clock_limit("mcts,playouts=100", FIVE).nodes == 100
    assert clock_limit("threats,nodes=7", FIVE).nodes == 7
    assert clock_limit("minimax,depth=3", FIVE).depth == 3
    for spec in ("mcts", "minimax", "threats", "shapes", "level:2"):
        seconds = clock_limit(spec, SHORT).seconds
        assert seconds is not None
        assert seconds <= SHORT.share(0.0)
