"""Settings as they are stored: files of earlier versions, and damaged ones."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tengen.arena import journal
from tengen.arena.arena_error import ArenaError
from tengen.arena.match import Match
from tengen.arena.tournament import Tournament
from tengen.arena.tournament_store import TournamentStore
from tengen.arena.tuning import TuningState
from tengen.game.errors import RulesError
from tests.errors import key_of
from tests.positions import DATA

EARLIER = DATA / "arena"


@pytest.fixture
def settings() -> dict[str, Any]:
    return journal.read(EARLIER / "match.jsonl")[0]


def test_an_earlier_match(settings: dict[str, Any]) -> None:
    match = Match.from_dict(settings)
    assert match.names == ("random", "random (2)")
    assert [str(player.time) for player in match.players] == ["10+0.5", "10+0.5"]
    assert (match.seed, match.games, match.openings) == (5, 4, ((), (0,)))
    assert match.adjudication.resign_score == 900
    assert str(match.sprt) == "elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalized"
    assert match.to_dict() == settings


def test_an_earlier_tournament(tmp_path: Path) -> None:
    shutil.copy(EARLIER / "tournament.db", tmp_path)
    with TournamentStore(tmp_path / "tournament.db") as store:
        settings, games = store.settings(), store.games()
    tournament = Tournament.from_dict(settings)
    assert tournament.names == ("random", "random (2)", "lines", "shapes:o2,w_11=4")
    assert [game.number for game in games] == list(range(tournament.total))
    assert tournament.to_dict() == settings


def test_an_earlier_tuning(tmp_path: Path) -> None:
    state = TuningState.load(EARLIER / "tuning.json")
    assert state.spec == "lines,own=1.31,growth=4.88"
    assert len(state.confirmation) == state.tuning.confirm == 2
    state.save(tmp_path / "again.json")
    again, earlier = (
        json.loads(path.read_bytes()) for path in (tmp_path / "again.json", EARLIER / "tuning.json")
    )
    assert again == earlier


def test_names_that_are_alike_are_numbered_in_the_stored_form() -> None:
    match = Match.from_dict(Match.from_dict(journal.read(EARLIER / "match.jsonl")[0]).to_dict())
    assert [player["spec"] for player in match.to_dict()["players"]] == ["random", "random"]
    assert [player.get("name") for player in match.to_dict()["players"]] == [None, "random (2)"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rules", None),
        ("rules", {"side": 3}),
        ("openings", "a1"),
        ("openings", [5]),
        ("openings", ["z99"]),
        ("seed", "many"),
        ("margin", None),
        ("adjudication", {"resign_moves": "never"}),
        ("players", []),
        ("players", [{"spec": "random"}]),
        ("players", [{"spec": "random"}, {"spec": 7}]),
        ("players", [{"spec": "random"}, {"spec": "random", "time": "soon"}]),
        ("players", [{"spec": "random"}, {"spec": "nobody"}]),
        ("games", 0),
        ("sprt", "elo0=5"),
        ("sprt", 5),
    ],
)
def test_damaged_fields_are_refused_in_a_sentence(settings: dict[str, Any], key: str, value: Any) -> None:
    assert key_of(Match.from_dict, {**settings, key: value}).startswith("error.")


def test_the_reason_of_the_rules_themselves_is_kept(settings: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        Match.from_dict({**settings, "rules": {"width": 0}})


def test_every_field_has_to_be_there(settings: dict[str, Any]) -> None:
    for key in settings:
        with pytest.raises(ArenaError):
            Match.from_dict({name: value for name, value in settings.items() if name != key})
