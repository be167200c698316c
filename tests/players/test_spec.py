"""Player specs as text: parsed, changed and written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.players.spec import PlayerSpec, spec_text
from tests.errors import key_of

NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
TEXTS = st.text(
    st.characters(exclude_characters=",", codec="ascii", categories=("L", "N", "P")), max_size=9
)


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("random", PlayerSpec("random")),
        (" shapes:o2 ", PlayerSpec("shapes", "o2")),
        ("shapes:", PlayerSpec("shapes", "")),
        ("mcts, playouts = 400", PlayerSpec("mcts", settings={"playouts": "400"})),
        ("py:mine:Careful,depth=3", PlayerSpec("py", "mine:Careful", {"depth": "3"}, "class")),
        ("cmd=./a b --c=d,settle=5", PlayerSpec("cmd", "./a b --c=d", {"settle": "5"}, "program")),
        ("cmd:x", PlayerSpec("cmd", "x")),
        (
            "prover:file=a.proof,otherwise=lines",
            PlayerSpec("prover", None, {"file": "a.proof", "otherwise": "lines"}),
        ),
        ("", PlayerSpec("")),
    ],
)
def test_a_spec_has_a_name_a_preset_and_settings(text: str, parsed: PlayerSpec) -> None:
    assert PlayerSpec.parse(text) == parsed
    assert PlayerSpec.parse(str(parsed)) == parsed


@given(NAMES, st.none() | TEXTS.map(str.strip), st.dictionaries(NAMES, TEXTS.map(str.strip), max_size=4))
def test_what_is_written_is_parsed_again(name: str, preset: str | None, settings: dict[str, str]) -> None:
    settings.pop("seed", None)
    spec = PlayerSpec(f"x{name}", preset, settings)
    assert PlayerSpec.parse(str(spec)) == spec


def test_values_have_types() -> None:
    values = PlayerSpec.parse("x,a=1,b=2.5,c=true,d=false,e=o2,f=,g=nan,h=01").values
    assert str(values.pop("g")) == "nan"
    assert values == {"a": 1, "b": 2.5, "c": True, "d": False, "e": "o2", "f": "", "h": 1}
    assert list(map(type, values.values())) == [int, float, bool, bool, str, str, int]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (None, "error.spec.type"),
        ("lines,own", "error.spec.setting"),
        ("lines,", "error.spec.setting"),
        ("lines,1=2", "error.spec.setting"),
        ("lines,own=1,own=2", "error.spec.twice"),
        ("random,seed=1.5", "error.spec.seed"),
        ("random,seed=", "error.spec.seed"),
        ("prover:", "error.spec.setting"),
    ],
)
def test_malformed_specs(text: object, key: str) -> None:
    assert key_of(PlayerSpec.parse, text) == key


def test_settings_are_replaced() -> None:
    spec = PlayerSpec.parse("lines:o4,own=1,seed=2")
    assert str(spec.with_settings({"own": "3", "win": "9"})) == "lines:o4,seed=2,own=3,win=9"
    assert str(spec) == "lines:o4,own=1,seed=2"


def test_a_player_writes_what_differs_from_its_defaults() -> None:
    defaults = {"own": 1.0, "enemy": 2.0}
    assert spec_text("lines:o4", defaults, {"own": 1.0, "enemy": 2.5}, None) == "lines:o4,enemy=2.5"
    assert spec_text("lines", defaults, defaults, 0) == "lines,seed=0"
