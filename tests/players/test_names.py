"""Names of players as people say them."""

import pytest

from tengen.players.names import player_name
from tengen.players.registry import ENTRIES
from tengen.words import LANGUAGES, Message, say


def spoken(spec: str, lang: str = "en") -> str:
    name = player_name(spec)
    return say(name, lang) if isinstance(name, Message) else name


@pytest.mark.parametrize(
    ("spec", "english", "chinese"),
    [
        ("human", "Human", "人"),
        ("level:2,seed=5", "Level 2", "第 2 级"),
        ("level", "Level 1", "第 1 级"),
        ("level:10,seconds=5", "Level 10 (5 s)", "第 10 级（5 秒）"),
        ("shapes:o2", "Shapes (O2)", "棋形（O2）"),
        ("lookup:all", "Lookup table", "查表"),
        ("mcts,playouts=400,seed=1", "Monte Carlo (400 playouts)", "蒙特卡洛（400 次模拟）"),
        ("minimax,depth=3", "Minimax (depth 3)", "极小极大（深度 3）"),
        ("engine,threads=2,nodes=1", "Engine (1 position)", "引擎（1 个局面）"),
        ("lines:tuned,own=7,enemy=3", "Lines (tuned, own settings)", "连线计数（调优、自定参数）"),
        ("py:my.players:Careful,depth=3", "Careful", "Careful"),
        ("cmd=./engines/pbrain-x --fast,settle=20", "pbrain-x", "pbrain-x"),
        ("Ann (2 dan)", "Ann (2 dan)", "Ann (2 dan)"),
    ],
)
def test_settings_that_say_nothing_to_people_are_left_out(spec: str, english: str, chinese: str) -> None:
    assert (spoken(spec), spoken(spec, "zh")) == (english, chinese)


@pytest.mark.parametrize("name", ENTRIES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_player_has_a_name(name: str, lang: str) -> None:
    assert spoken(name, lang) != name
