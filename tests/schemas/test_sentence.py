from __future__ import annotations

from tengen.game.errors import OffBoard
from tengen.schemas.sentence import ErrorBody, Sentence, spoken
from tengen.words import Message, say


def test_a_sentence_has_sentences_in_it():
    inner = Message("black")
    told = Sentence.of(Message("solve.all.none", {"colour": inner, "points": ("h8", inner), "count": 3}))
    black = {"key": "black", "values": {}}
    assert told.to_dict() == {
        "key": "solve.all.none",
        "values": {"colour": black, "points": ["h8", black], "count": 3},
    }


def test_an_error_has_its_sentence_in_english_too():
    error = OffBoard("error.game_over.choose")
    told = ErrorBody.of(error)
    assert told == ErrorBody.of(error.message)
    assert told.to_dict() == {"error": {"key": "error.game_over.choose", "values": {}}, "text": str(error)}


def test_sentences_are_said_wherever_they_stand():
    told = Message("solve.all.none", {"colour": Message("white")})
    data = {"key": 1, "list": [Sentence.of(told).to_dict(), "h8"], "values": {"h8": 0.5}}
    for language in ("en", "zh"):
        assert spoken(data, language) == {**data, "list": [say(told, language), "h8"]}
