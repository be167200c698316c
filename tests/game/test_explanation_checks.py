"""Explanations as anybody's code may build them: free text, lists, NumPy's numbers; and wrong ones."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

from tengen import Branch, Explanation, Heatmap, Part, TengenError
from tengen.game.player import Score, explanation
from tengen.words import LANGUAGES, Message, say
from tests.errors import key_of

NUMPY: Any = np
"""Its numbers are no `int` and no `float` for a type checker."""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("summary", "said"),
    [
        ("I like it", "I like it"),
        ("{all} of 天元", "{all} of 天元"),
        ("", ""),
        ("black", "black"),
        (
            Message("I like {point}, {n, plural, one {# time} other {# times}}", {"point": "h8", "n": 2}),
            "I like h8, 2 times",
        ),
        (Message("my.own.key"), "my.own.key"),
        (Message("set {a, b}", {}), "set {a, b}"),
        (Message("{missing}"), "{missing}"),
        (Message("like {points}", {"points": ["h8", "i9"]}), "like h8, i9"),
        (Message("as {why}", {"why": Message("I say {x}", {"x": 1})}), "as I say 1"),
    ],
)
def test_free_text_in_every_language(lang, summary, said):
    assert say(Explanation(summary).summary, lang) == said
    assert say(Part(summary, (), 1).label, lang) == said
    note = Branch(0, 1, summary).note
    assert note is not None
    assert say(note, lang) == said
    heatmap = Heatmap("mine", summary, summary, summary, {})
    assert [say(text, lang) for text in (heatmap.title, heatmap.summary, heatmap.note)] == [said] * 3


def test_messages_of_the_catalogue_stay_what_they_are():
    message = Message("explain.choice", {"point": "h8"})
    assert Explanation(message).summary is message
    outer = Message("explain.level", {"level": Message("level.1"), "why": Message("mine")})
    assert say(Explanation(outer).summary, "zh").endswith("mine")


def test_lists_and_numbers_of_numpy():
    given: Any = Explanation(
        "why",
        {NUMPY.int64(112): NUMPY.float32(2.5), 3: NUMPY.int16(4)},
        {NUMPY.int64(112): [Part("seen", [NUMPY.int8(1)], NUMPY.float64(2.5))]},
        [[112, NUMPY.int64(113)], (1, 2)],
        Branch(-1, NUMPY.float64(1.5), children=[Branch(NUMPY.int64(3), 2)]),
        [Heatmap("mine", "a", "b", "c", {1: 2}, total=[Part("all", (), 2)])],
    )
    assert given.weights == {112: 2.5, 3: 4}
    assert {type(value) for value in (*given.weights, *given.weights.values())} == {int, float}
    assert given.lines == ((112, 113), (1, 2))
    assert given.parts[112][0].points == (1,)
    assert given.tree is not None
    assert given.tree.children == (Branch(3, 2),)
    assert pickle.loads(pickle.dumps(given)) == given
    assert dataclasses.replace(given, summary="other").weights == given.weights


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"summary": 42}, "Explanation.summary is 42: expected a text or a Message"),
    ({"summary": None}, "Explanation.summary is None: expected a text or a Message"),
    ({"summary": Message(3)}, "expected a text or a Message"),  # type: ignore[arg-type]
    ({"weights": [1, 2]}, "Explanation.weights is [1, 2]: expected a dict with a number for each point"),
    ({"weights": {"h8": 1}}, "Explanation.weights is 'h8': expected a point as a number"),
    ({"weights": {1: "much"}}, "Explanation.weights[1] is 'much': expected a finite number"),
    ({"weights": {1: float("-inf")}}, "Explanation.weights[1] is -inf: expected a finite number"),
    ({"weights": {1: None}}, "Explanation.weights[1] is None: expected a finite number"),
    ({"parts": {1: "seen"}}, "Explanation.parts[1] is 'seen': expected a sequence of Part objects"),
    ({"parts": {1: [2]}}, "Explanation.parts[1] is 2: expected an object of the class Part"),
    ({"parts": [Part("a", (), 1)]}, "expected some Part objects for each point"),
    ({"lines": (1, 2)}, "Explanation.lines is 1: expected a sequence of points"),
    ({"lines": "h8i9"}, "Explanation.lines is 'h8i9': expected sequences of points"),
    ({"lines": [["h8"]]}, "Explanation.lines is 'h8': expected a point as a number"),
    ({"tree": [1]}, "Explanation.tree is [1]: expected an object of the class Branch"),
    ({"heatmaps": {1: 2}}, "Explanation.heatmaps is {1: 2}: expected a sequence of Heatmap objects"),
]


@pytest.mark.parametrize(("wrong", "said"), WRONG)
def test_what_is_built_wrongly_says_so(wrong, said):
    with pytest.raises(TengenError) as caught:
        Explanation(**{"summary": "why", **wrong})
    assert said in str(caught.value)
    assert say(caught.value.message, "zh")


def test_a_value_that_a_message_needs():
    assert key_of(Explanation, Message("explain.choice")) == "error.explanation.value"


class Own:
    """A player of somebody's own that says one thing."""

    name = "own"

    def __init__(self, said: object) -> None:
        self.said = said

    def explain(self, _board: object) -> object:
        return self.said


def test_a_text_is_an_explanation():
    for said in ("I like it", Message("I like it"), Explanation("I like it")):
        assert explanation(Own(said), None) == Explanation("I like it")  # type: ignore[arg-type]


@pytest.mark.parametrize("said", [None, 42, {}, ("I", "like", "it")])
def test_what_is_no_explanation(said):
    assert key_of(explanation, Own(said), None) == "error.explanation"


def test_an_error_in_own_words():
    error = TengenError("no idea about {what}", what="this")
    assert str(error) == say(error.message, "zh") == "no idea about this"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_score_that_is_no_whole_number_says_so():
    with pytest.raises(TypeError, match=r"value is 1\.5: expected an int"):
        Score(1.5)  # type: ignore[arg-type]
