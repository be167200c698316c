"""What is said of a game, whichever way it is played in the terminal."""

from __future__ import annotations

import pytest

from tengen import Choice
from tengen.game.session import Session
from tengen.players.calls import seated
from tengen.terminal import sentences
from tengen.terminal.game_panel import moves_text


def session(rules="tictactoe", black="human", white="human", **more) -> Session:
    return Session(rules, seated(black), seated(white), **more)


def test_two_people_are_numbered_and_one_is_you():
    assert str(sentences.who(session(), 2)) == "Player 2"
    alone = session(white="lines:open")
    assert str(sentences.who(alone, 1)) == "You"
    assert str(sentences.who(alone, 2)) == "Lines"
    assert str(sentences.seats(alone)) == "Black (X): You, White (O): Lines"


@pytest.mark.parametrize(
    ("rules", "more", "said"),
    [
        ("freestyle", {}, []),
        ("freestyle", {"opening": "swap2"}, ["Opening rule: Swap2"]),
        ("renju", {}, []),
    ],
)
def test_terms_tell_what_is_not_usual(rules, more, said):
    assert [str(term) for term in sentences.terms(session(rules, **more))] == said


def test_a_computers_answer_is_told_before_it_is_played():
    game = session(black="random")
    assert sentences.computer_to_act(game)
    assert str(sentences.answer(game, Choice(4))) == "Black plays b2"
    assert str(sentences.hint(game, Choice(4))) == "hint: b2"


def test_answers_to_an_opening_rule():
    game = session("freestyle", opening="swap2")
    assert str(sentences.answer(game, Choice(112))) == "Player 1 places Black on h8"
    for point in ("h8", "i9", "j10"):
        game.play(point)
    assert str(sentences.answer(game, "black")) == "Player 2 chooses: play Black"


def test_what_has_been_taken_back():
    game = session()
    game.play("b2")
    game.take_back()
    assert [str(said) for said in sentences.taken_back(game, game.events)] == [
        "1 stone taken back; Black has 4 take-backs left"
    ]


def test_the_verdict_is_for_one_human_alone():
    two, one = session(), session(white="random")
    for game in (two, one):
        game.resign()
    assert sentences.verdict(two) is None
    assert str(sentences.verdict(one)) == "You lose."


def test_moves_are_numbered_in_pairs_that_stay_together():
    game = session()
    assert not moves_text(game.board)
    for point in ("b2", "a1", "c3"):
        game.play(point)
    assert moves_text(game.board) == "1.\xa0b2\xa0a1  3.\xa0c3"
