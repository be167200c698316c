from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tengen
from tengen import Board, Choice, Explanation, Player, TengenError
from tengen.players import registry
from tengen.players.registry import ENTRIES, Entry, player, shorten_reason
from tengen.players.spec import SpecError
from tengen.words import LANGUAGES, Message, say
from tests.errors import complaint

# -- players that anybody might write; the registry imports them from this module


class First:
    """Plays the first legal point; `skip` points are left out."""

    def __init__(self, preset="plain", skip=0, note=None):
        if preset == "refused":
            raise ValueError("not today\nnor tomorrow")
        if preset == "mine":
            raise TengenError("error.nothing_to_pop")
        self.preset, self.skip, self.note = preset, skip, note
        self.name = f"first:{preset},skip={skip}"

    def choose(self, board, limit=None, stop=None):
        return Choice(board.legal_points()[self.skip])

    def explain(self, board):
        return Explanation(Message("explain.random", {"count": 1}))


class Silent:
    """Says nothing when it fails."""

    def __init__(self):
        raise RuntimeError


def nobody():
    """Makes something that is no player."""
    return 42


NUMBER = 42
HERE = f"py:{__name__}"


def key_of(spec):
    with pytest.raises(SpecError) as caught:
        player(spec)
    assert "\n" not in str(caught.value)
    return caught.value.message.key


def test_a_spec_makes_a_player():
    made = player("random,seed=7")
    assert isinstance(made, Player)
    assert made.name == "random,seed=7"
    assert tengen.player("random").name == "random"
    assert player(" random ").name == "random"


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=lambda entry: entry.name)
def test_every_player_has_a_name_and_a_sentence(entry):
    assert ENTRIES[entry.name] is entry
    for lang in LANGUAGES:
        assert say(entry.summary, lang)


def test_names_that_no_player_has():
    for spec in ("", "nobody", "Random", ":", "nobody:preset", "random;seed=7"):
        assert key_of(spec) == "error.spec.name"
    with pytest.raises(
        SpecError, match=r"'nobody' is not a player: expected one of random.*py:module:Class"
    ):
        player("nobody")


def test_presets_of_a_player_that_has_none():
    assert key_of("random:o5") == "error.spec.no_presets"
    assert key_of("random:") == "error.spec.no_presets"


@pytest.fixture
def first(monkeypatch):
    """A player with presets in the registry."""
    monkeypatch.setitem(ENTRIES, "first", Entry("first", f"{__name__}:First", ("plain", "refused", "mine")))


@pytest.mark.usefixtures("first")
def test_presets():
    assert player("first").name == "first:plain,skip=0"
    assert player("first:plain").name == "first:plain,skip=0"
    assert player("first:plain,skip=3").name == "first:plain,skip=3"
    assert key_of("first:other") == "error.spec.preset"
    assert key_of("first:") == "error.spec.preset"
    with pytest.raises(SpecError, match="has no preset 'other': expected one of plain, refused, mine"):
        player("first:other")


@pytest.mark.parametrize(
    "spec", ["random,", "random,seed", "random,=7", "random,7", "random,a b=1", "random,,seed=7"]
)
def test_settings_are_keys_and_values(spec):
    assert key_of(spec) == "error.spec.setting"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("-7", -7),
        ("0.5", 0.5),
        ("1e3", 1000.0),
        ("true", True),
        ("false", False),
        ("True", "True"),
        ("", ""),
        ("words and=signs", "words and=signs"),
    ],
)
def test_values_are_numbers_truths_or_text(text, value):
    made = player(f"{HERE}:First,note={text}")
    assert isinstance(made, First)
    assert made.note == value
    assert type(made.note) is type(value)


def test_blanks_around_settings_do_not_matter():
    assert player("random, seed = 7 ").name == "random,seed=7"


def test_parameters_that_a_player_does_not_have():
    assert key_of("random,depth=3") == "error.spec.key"
    with pytest.raises(
        SpecError, match=r"player 'random,depth=3' has no setting 'depth': expected one of seed$"
    ):
        player("random,depth=3")
    assert key_of(f"{HERE}:First,deep=3") == "error.spec.key"


@pytest.mark.usefixtures("first")
def test_values_that_a_player_refuses():
    with pytest.raises(SpecError, match=r"(?m)cannot be made: not today$"):
        player("first:refused")
    assert isinstance(player("first").explain(Board()), Explanation)


@pytest.mark.usefixtures("first")
def test_a_players_own_error_is_passed_on():
    with pytest.raises(TengenError) as caught:
        player("first:mine")
    assert caught.value.message.key == "error.nothing_to_pop"


def test_anybodys_own_class():
    made = player(f"{HERE}:First,skip=2")
    assert made.name == "first:plain,skip=2"
    assert made.choose(Board()).point == 2


@pytest.mark.parametrize("spec", ["py:", "py:module", "py::Class", "py:module:"])
def test_own_classes_need_a_module_and_a_name(spec):
    assert key_of(spec) == "error.spec.py"


def test_own_classes_that_there_are_not():
    assert key_of("py:no_such_module_anywhere:Class") == "error.spec.import"
    assert key_of(f"{HERE}:Missing") == "error.spec.import"
    assert key_of("py:.relative:Class") == "error.spec.import"
    assert key_of(f"{HERE}:NUMBER") == "error.spec.class"


def test_names_with_line_breaks_are_said_on_one_line():
    assert key_of("py:no\nsuch:Class") == "error.spec.import"
    assert key_of(f"{HERE}:Mis\nsing") == "error.spec.import"


def test_own_classes_that_are_no_players():
    assert key_of(f"{HERE}:nobody") == "error.spec.protocol"
    assert key_of(f"{HERE}:Silent") == "error.spec.arguments"
    with pytest.raises(SpecError, match="cannot be made: RuntimeError"):
        player(f"{HERE}:Silent")


def test_classes_without_a_signature():
    # Python cannot tell what these take; making one tells.
    assert key_of("py:builtins:dict") == "error.spec.protocol"
    assert key_of("py:builtins:range,x=1") == "error.spec.arguments"


def test_a_module_that_fails_while_it_is_imported(tmp_path, monkeypatch):
    (tmp_path / "broken_player.py").write_text("raise OSError('no such\\nluck')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises(SpecError, match=r"(?m)cannot be imported: no such$"):
        player("py:broken_player:Class")


def test_a_class_in_the_current_folder(tmp_path):
    # An installed command does not have the current folder on its path.
    (tmp_path / "my_player.py").write_text(
        "from tengen.players.random import Random\n\n\nclass Mine(Random):\n    pass\n"
    )
    code = "import sys, tengen; sys.path.remove(''); print(tengen.player('py:my_player:Mine,seed=3').name)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "random,seed=3\n"


@given(st.text() | st.text(alphabet="random:,=seed17 ").map("random".__add__))
def test_no_text_raises_anything_else(spec):
    assume(not spec.strip().startswith("py:"))
    assert "\n" not in complaint(player, spec)


@given(
    st.text().filter(lambda text: ":" not in text and "." not in text), st.text(alphabet="AB:,= \n\x00é")
)
def test_no_name_of_a_class_raises_anything_else(module, rest):
    # The names begin with a module that does not exist, so that nothing strange is imported.
    sentence = complaint(player, f"py:no_such_module_{module}:{rest}")
    assert sentence
    assert "\n" not in sentence


def test_reasons_fit_on_a_line():
    assert shorten_reason(ValueError("one\ntwo")) == "one"
    assert shorten_reason(ValueError("  \n ")) == "ValueError"
    assert len(shorten_reason(ValueError("x" * 1000))) == 200


def test_the_registry_imports_players_when_they_are_used():
    code = "import sys; import tengen.players.registry; print('tengen.players.random' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    assert all(":" in entry.target for entry in registry.ENTRIES.values())


SETTLED = [
    "shapes:o2,seed=7",
    "level:10,seconds=2",
    "engine,threads=2,strength=50",
    "cmd=./pbrain-x,settle=20",
]


@pytest.mark.parametrize("spec", [*ENTRIES, *SETTLED])
def test_a_player_is_shown_as_the_call_that_makes_it(spec):
    made = player(spec)
    again = eval(repr(made), {"tengen": tengen})
    assert type(again) is type(made)
    assert again.name == made.name
