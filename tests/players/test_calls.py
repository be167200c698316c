from __future__ import annotations

import signal

import pytest

from tengen.players.calls import PlayerFailed, guarded, make_player
from tengen.players.spec import SpecError
from tests.errors import key_of


def test_guarded_lets_results_and_a_user_through():
    assert guarded(lambda: 42) == 42
    with pytest.raises(KeyboardInterrupt):
        guarded(lambda: signal.raise_signal(signal.SIGINT))
    with pytest.raises(PlayerFailed):
        guarded(lambda: 1 // 0)


def test_players_are_made(tmp_path, monkeypatch):
    assert make_player("random,seed=3").name == "random,seed=3"
    assert key_of(make_player, "nobody") == "error.spec.name"
    (tmp_path / "leaves_at_once.py").write_text("import sys\nsys.exit(4)\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises((PlayerFailed, SpecError)):
        make_player("py:leaves_at_once:Player")
