"""Places that addresses share."""

from __future__ import annotations

import pytest

from tengen.web.computing.shares import Shares


@pytest.mark.parametrize("greedy", range(1, 7))
def test_however_many_are_greedy_there_is_room_for_who_comes_next(greedy: int) -> None:
    shares = Shares()
    for number in range(greedy):
        while shares.has_room(str(number), 64):
            shares.take(str(number))
    assert shares.held("0") == 32
    assert shares.free(64) >= 1
    assert shares.has_room("somebody else", 64)


def test_what_is_given_back_is_there_for_others() -> None:
    shares = Shares()
    for who in ("a", "a", "b"):
        shares.take(who)
    assert not shares.has_room("a", 4)
    assert shares.has_room("c", 4)
    shares.give_back("a")
    assert (shares.held("a"), shares.free(4)) == (1, 2)
    assert shares.has_room("a", 4)
    for who in ("a", "b"):
        shares.give_back(who)
    assert shares.free(4) == 4
