"""Which of the other server processes are alive, by what is heard of them."""

from __future__ import annotations

from tengen.web.games.processes import OtherProcesses


def test_a_process_is_dead_that_is_not_heard_of_and_alive_again_that_is():
    now = 0.0
    others = OtherProcesses(3.0, lambda: now)
    assert not others.record("a")
    assert not others.record("b")
    for now in (1.0, 2.0, 3.0, 4.0):
        others.record("a")
        assert others.expired() == (["b"] if now == 4.0 else [])
    assert others.expired() == [], "told once"
    assert others.record("b"), "it was only slow"
    assert not others.record("b")
    now = 100.0
    assert sorted(others.expired()) == ["a", "b"]
    now = 1000.0
    assert others.expired() == []
    assert not others.record("a"), "so long after, it is another one"
