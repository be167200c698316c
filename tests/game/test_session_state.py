from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import tengen
from tengen.game.board import Board
from tengen.game.clock import TimeControl
from tengen.game.errors import NotationError, RulesError, TengenError
from tengen.game.opening_rules import FIRST, SECOND, Opening
from tengen.game.player import Score
from tengen.game.points import BLACK, PASS, distance
from tengen.game.rules import Rules
from tengen.game.session import Session
from tengen.game.session_state import HUMAN, Request, SessionState
from tests.game.scripts import CLAIMED, DOUBLE_THREE, RANDOM, TICTACTOE, Watch, play, table

RENJU = Rules.named("renju", size=9, fouls="claimed")
PARTICIPANTS = st.sampled_from((FIRST, SECOND))
ANYBODY = st.sampled_from((None, FIRST, SECOND))


def restored(session: Session, watch: Watch | None = None) -> Session:
    return loaded(session.to_json(), watch)


def loaded(text: str, watch: Watch | None = None) -> Session:
    return Session.from_json(text, tengen.player, now=watch or Watch())


def with_flag(text: str) -> str:
    """The saved game, ended if a flag has fallen in it."""
    session = loaded(text)
    session.check_time()
    return session.to_json()


# Saved and loaded at any moment: random games, each with a twin that was saved and loaded on the way


def crossroads() -> Board:
    """A board where Black makes two threes on e5, and soon on many other points."""
    black, white = ["d5", "f5", "e4", "e6"], ["a1", "a9", "i1", "i9"]
    return Board.from_stones(black, white, BLACK, RENJU)


GAMES: dict[str, dict[str, Any]] = {
    "tictactoe": {"rules": TICTACTOE},
    "passing": {"rules": Rules(width=4, height=3, k=4, passing=True)},
    "fouls lose": {"rules": Rules.named("renju", size=(7, 6), fouls="loses")},
    "fouls are claimed": {"start": crossroads()},
    "swap": {"rules": Rules.named("caro", size=(6, 5)), "opening": "swap"},
    "swap2": {"rules": Rules.named("freestyle", size=5), "opening": "swap2"},
    "pro": {"rules": Rules.named("standard", size=9), "opening": "pro"},
    "rif": {"rules": RENJU, "opening": "rif"},
    "yamaguchi": {"rules": Rules.named("renju", size=9), "opening": "yamaguchi"},
    "taraguchi-10": {"rules": Rules.named("renju", size=9), "opening": "taraguchi-10"},
    "soosyrv-8": {"rules": RENJU, "opening": "soosyrv-8"},
}
CONTROLS = (None, TimeControl(20), TimeControl(5, increment=2), TimeControl(4, periods=2, period=3))


class Game(RuleBasedStateMachine):
    """Legal and illegal calls in any order, made on a session and on its twin alike."""

    @initialize(
        game=st.sampled_from((*GAMES, "fouls are claimed", "tictactoe", "tictactoe")),
        black=st.sampled_from((HUMAN, HUMAN, RANDOM)),
        white=st.sampled_from((HUMAN, HUMAN, RANDOM)),
        clock=st.sampled_from(CONTROLS),
        take_backs=st.sampled_from((5, 1, 0, None)),
        unit=st.sampled_from(("stone", "round")),
        consent=st.booleans(),
        count=st.integers(0, 12),
        seed=st.integers(0, 999),
    )
    def sit_down(self, game, black, white, clock, take_backs, unit, consent, count, seed):
        self.game, self.watch = GAMES[game], Watch()
        self.session = Session(
            black=black,
            white=white,
            clock=clock,
            take_backs=take_backs,
            take_back_unit=unit,
            consent=consent,
            now=self.watch,
            **self.game,
        )
        self.twin = restored(self.session, self.watch)
        self.play_on(count, seed)

    def call(self, name: str, *arguments: Any, **more: Any) -> None:
        """Make a call: it does the same to both, and if it is refused, nothing at all.

        A flag that has fallen by then ends the game, whatever else becomes of the call.
        """
        before, events = self.session.to_json(), self.session.events
        answers = []
        for session in (self.session, self.twin):
            try:
                answers.append(getattr(session, name)(*arguments, **more))
            except TengenError as error:
                answers.append((type(error), str(error)))
                assert (after := session.to_json()) == before or after == with_flag(before)
        if name != "play_computer":  # its answer tells how long it really took
            assert answers[0] == answers[1]
        assert self.session.events[: len(events)] == events

    @rule(count=st.integers(1, 9), seed=st.integers(0, 999))
    def play_on(self, count, seed):
        draw = random.Random(seed)
        for _ in range(count):
            decision, board = self.session.decision, self.session.board
            if board.claimable() and draw.random() < 0.5:
                self.call("claim")
            if decision is not None and decision.options:
                self.call("choose", draw.choice(decision.options))
                continue
            points = decision.points if decision is not None else board.legal_points()
            centre = board.rules.points // 2
            near = sorted(points, key=lambda point: distance(point, centre, board.width)) or [0]
            self.call("play", draw.choice(near[:9]), score=Score(count))

    @rule(move=st.integers(PASS - 1, 82) | st.sampled_from(("e5", "a1", "--", "z99", "??", "")), by=ANYBODY)
    def play_anything(self, move, by):
        self.call("play", move, by=by)

    @rule(option=st.sampled_from(("black", "white", "place", "offer", "2", "red")), by=ANYBODY)
    def choose_anything(self, option, by):
        self.call("choose", option, by=by)

    @rule()
    def let_the_computer_play(self):
        self.call("play_computer")

    @rule(by=ANYBODY)
    def take_back(self, by):
        self.call("take_back", by=by)

    @rule(by=ANYBODY)
    def offer_draw(self, by):
        self.call("offer_draw", by=by)

    @rule(accept=st.booleans(), by=ANYBODY)
    def answer(self, accept, by):
        self.call("answer", accept, by=by)

    @rule(by=ANYBODY)
    def claim(self, by):
        self.call("claim", by=by)

    @rule(name=st.sampled_from(("pause", "resume", "resume", "check_time")))
    def stop_or_go(self, name):
        self.call(name)

    @rule(by=ANYBODY, mood=st.integers(0, 9))
    def resign(self, by, mood):
        if mood == 9:  # seldom, or no game would last
            self.call("resign", by=by)

    @rule(seconds=st.sampled_from((0.125, 1.5, 4.0, 7.0)))
    def wait(self, seconds):
        self.watch.wait(seconds)

    @rule(participant=PARTICIPANTS, occupant=st.sampled_from((HUMAN, RANDOM, None)))
    def change_seats(self, participant, occupant):
        if occupant is None:
            self.call("swap_sides")
        else:
            self.call("hand_over", participant, occupant)

    @rule()
    def save_and_load(self):
        self.twin = restored(self.session, self.watch)

    @invariant()
    def the_twin_is_equal(self):
        text = self.session.to_json()
        assert self.twin.to_json() == text
        assert loaded(text, self.watch) == self.session

    @invariant()
    def the_board_is_what_the_actions_make(self):
        opening, board = None, Board(self.session.rules)
        if "start" in self.game:
            board = self.game["start"].copy()
        elif "opening" in self.game:
            opening = Opening(self.game["opening"], self.session.rules)
            board = opening.board
        for action in self.session.actions:
            if action.kind == "claim":
                board.claim()
            elif opening is not None and opening.decision is not None:
                opening.answer(action.value)
            else:
                board.push(action.value)
        assert (board, board.moves) == (self.session.board, self.session.board.moves)
        if opening is not None:
            for participant in (FIRST, SECOND):
                assert self.session.colour_of(participant) == opening.colour_of(participant)

    @invariant()
    def all_can_be_asked(self):
        assert [event.number for event in self.session.events] == list(range(len(self.session.events)))
        for participant in (FIRST, SECOND):
            assert self.session.player_of(self.session.colour_of(participant)) == participant
            clock = self.session.clock(participant)
            assert clock is None or (clock.main >= 0 and clock.periods >= 0)
        if self.session.result is not None:
            assert (self.session.actor, self.session.decision) == (None, None)
            assert self.session.request is None or self.session.request.kind == "take_back"
            assert not self.session.paused
        assert self.session.record().main_line() or self.session.board.ply == 0


TestGame = pytest.mark.uncovered(Game.TestCase)
TestGame.settings = settings(stateful_step_count=25)


# Saved and loaded: single cases


def test_what_is_saved_is_json_that_names_its_format():
    data = json.loads(table(TICTACTOE, RANDOM, HUMAN, take_backs=None).to_json())
    assert (data["format"], data["version"]) == ("tengen session", 1)
    assert data["seats"] == [
        {"occupant": "random,seed=1", "take_backs": None},
        {"occupant": "human", "take_backs": None},
    ]


def test_a_saved_game_of_a_computer_goes_on_with_the_same_moves():
    session = table(TICTACTOE, RANDOM, tengen.player("random,seed=2"))
    session.play_computer()
    twin = restored(session)
    while session.result is None:
        session.play_computer()
        twin.play_computer()
    assert twin == session
    assert [twin.seats[participant].name for participant in (FIRST, SECOND)] == [
        "random,seed=1",
        "random,seed=2",
    ]


def test_the_foul_claimed_before_the_session_began_is_saved():
    start = Board.from_moves(DOUBLE_THREE.split(), CLAIMED)
    start.claim()
    session = table(start=start)
    assert restored(session).result == session.result


def test_a_game_left_open_for_a_month_can_be_saved_and_loaded():
    watch = Watch()
    session = table(now=watch)
    watch.wait(30 * 24 * 3600)
    assert restored(session, watch) == session


def test_a_clock_runs_on_while_a_game_is_away_unless_it_is_paused():
    watch = Watch()
    session = table(clock="300", now=watch)
    watch.wait(10)
    twin = Session.from_json(session.to_json(), tengen.player, watch, away=5)
    assert (session.time_left(FIRST), twin.time_left(FIRST)) == (290, 285)
    session.pause()
    twin = Session.from_json(session.to_json(), tengen.player, watch, away=5)
    twin.resume()
    assert twin.time_left(FIRST) == 290


def test_the_name_of_the_opening_is_known_after_it_is_over():
    session = play(table("freestyle", opening="swap"), "h8 i9 j10")
    session.choose("white")
    assert (session.opening, session.opening_name) == (None, "swap")
    assert restored(session).opening_name == "swap"
    assert table().opening_name is None


def test_sessions_that_differ_are_not_equal():
    session, other = table(TICTACTOE), table(TICTACTOE)
    assert session == other
    other.play("b2")
    assert session != other
    assert session != "session"


def test_a_session_is_no_key():
    with pytest.raises(TypeError):
        hash(table())


# Text that is no saved game


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the saved game is damaged at line 1, column 1"),
        ('{"format":\n "tengen session",', "the saved game is damaged at line 2, column 19"),
        ("null", "this is not a saved game of Tengen"),
        ("[]", "this is not a saved game of Tengen"),
        ('{"format": "tengen record"}', "this is not a saved game of Tengen"),
        ('{"format": "tengen session"}', "the saved game is damaged: version is missing"),
        (
            '{"format": "tengen session", "version": 2}',
            "the game was saved in version 2 of the format: expected version 1",
        ),
        ('{"format": "tengen session", "version": 1}', "the saved game is damaged: control is missing"),
    ],
)
def test_text_that_is_no_saved_game(text, sentence):
    with pytest.raises(NotationError) as caught:
        loaded(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("course actions 0 value", "z9", "the saved game cannot be continued: z9 is off the 5x4 board"),
        ("course actions 0 value", "9", "'9' is not a point: expected a letter and a number, such as h8"),
        ("course actions 1 value", "a1", "the saved game cannot be continued: a1 is occupied"),
        ("course actions 0 value", 0, "step 1 is damaged"),
        ("course actions 1 kind", "dance", "step 2 is damaged"),
        ("course actions 1 kind", "claim", "the saved game cannot be continued: "),
        (
            "course actions 1 kind",
            "choose",
            "the saved game cannot be continued: there is nothing to choose",
        ),
        ("course actions 1 seconds", -1, "step 2 is damaged"),
        ("course actions 1 seconds", math.nan, "the saved game is damaged: a value has the wrong type"),
        ("course actions 1 seconds", True, "step 2 is damaged"),
        ("course actions 1 score", [0.5, None], "the saved game is damaged: a value has the wrong type"),
        ("course actions 1 score", [True, None], "the saved game is damaged: a value has the wrong type"),
        ("course rules k", 0, "the saved game cannot be continued: "),
        ("course rules sides", 2, "the saved game cannot be continued: "),
        ("course opening", "gambit", "the saved game cannot be continued: 'gambit' is not an opening rule"),
        ("seats 0 occupant", "nobody", "the saved game cannot be continued: "),
        ("seats 0 occupant", 3, "the saved game is damaged: a value has the wrong type"),
        ("seats 0 take_backs", -1, "the saved game cannot be continued: take-backs: -1 is out of range"),
        ("seats 0 take_backs", 1.5, "the saved game cannot be continued: take-backs: 1.5 is out of range"),
        ("seats 1 periods", 9, "the saved game cannot be continued: "),
        ("seats", [], "the saved game is damaged: a value has the wrong type"),
        ("take_back_unit", "move", "the saved game cannot be continued: take-backs: 'move' is not a unit"),
        ("consent", 1, "the saved game is damaged: a value has the wrong type"),
        ("ended", [1, "five"], "the saved game is damaged: a value has the wrong type"),
        ("ended", [3, "time"], "the saved game is damaged: a value has the wrong type"),
        ("request", {"kind": "tea", "by": 1}, "the saved game is damaged: a value has the wrong type"),
        ("request", {"kind": "draw", "by": 3}, "the saved game is damaged: a value has the wrong type"),
        ("declined", [1, "x"], "the saved game is damaged: a value has the wrong type"),
        ("declined", 1, "the saved game is damaged: a value has the wrong type"),
        ("events 0 kind", 7, "the saved game is damaged: a value has the wrong type"),
        ("events 0 data", [], "the saved game is damaged: a value has the wrong type"),
        ("spent", -1, "the saved game "),
        ("spent", "1", "the saved game is damaged: a value has the wrong type"),
        ("paused", None, "the saved game is damaged: a value has the wrong type"),
    ],
)
def test_a_damaged_game_is_refused_with_a_sentence(path, value, sentence):
    data = json.loads(SAVED["increment"])
    put(data, path.split(), value)
    with pytest.raises(NotationError) as caught:
        loaded(json.dumps(data))
    assert str(caught.value).startswith(sentence)


def test_a_state_is_checked_however_it_is_made():
    with pytest.raises(RulesError, match="is not a unit"):
        Session(take_back_unit="both")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="tea"):
        Request("tea", FIRST)  # type: ignore[arg-type]


# Damaged in every way: a game that can be played comes out, or NotationError


def rif_game() -> Session:
    """Fifth moves are being offered; byo-yomi, a computer, scores, a declined draw, a draw offered."""
    watch = Watch()
    session = table(
        Rules.named("renju", size=9),
        RANDOM,
        opening="rif",
        clock=TimeControl(30, periods=3, period=8),
        consent=True,
        now=watch,
    )
    play(session, "e5 e6 e7")
    watch.wait(2.5)
    session.choose("black")
    session.play("d3", score=Score.win_in(5))
    session.offer_draw(by=FIRST)
    session.answer(accept=False)
    session.play("a1", score=Score(-20))
    session.offer_draw(by=SECOND)
    watch.wait(31)
    return session


def claimed_game() -> Session:
    """A foul claimed, after a set-up position and moves."""
    start = crossroads()
    for move in ("b2", "b8"):
        start.push(move)
    session = table(start=start, take_backs=None)
    play(session, "h2 h8 e5")
    session.claim()
    return session


def increment_game() -> Session:
    """Paused, with an increment, and a take-back that has been asked for."""
    session = table(
        Rules.mnk(5, 4, 4), clock=TimeControl(10, increment=2), take_back_unit="round", consent=True
    )
    play(session, "a1 b2")
    session.take_back(by=FIRST)
    session.pause()
    return session


def resigned_game() -> Session:
    """Given up, under rules with passing."""
    session = play(table(Rules.named("tictactoe", passing=True)), "a1 b1 c2 --")
    session.resign()
    return session


SAVED = {
    "new": table(TICTACTOE, clock=TimeControl(0, periods=1, period=8)).to_json(),
    "rif": rif_game().to_json(),
    "claimed": claimed_game().to_json(),
    "increment": increment_game().to_json(),
    "resigned": resigned_game().to_json(),
}

SCALARS = (None, True, False, 0, 1, 2, -1, 2.0, 0.5, 5e-324, 10**30, -(10**30), math.inf, math.nan)
OTHERS: tuple[Any, ...] = ("", "x", "a1", "--", "human", "\ud800", "五", [], {}, [None], [[1]], {"a": 1})


def paths(data: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value in JSON data, containers included."""
    keys = range(len(data)) if isinstance(data, list) else list(data) if isinstance(data, dict) else ()
    for key in keys:
        yield (*above, key)
        yield from paths(data[key], (*above, key))


def put(data: Any, path: Any, value: Any) -> None:
    *above, last = (int(key) if str(key).isdigit() else key for key in path)
    for key in above:
        data = data[key]
    data[last] = value


def remove(data: Any, path: Any) -> None:
    *above, last = path
    for key in above:
        data = data[key]
    del data[last]


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


def ask_everything(session: Session) -> None:
    """Whatever a face may ask of a session has an answer."""
    text = session.to_json()
    assert json.loads(text.encode(), parse_constant=refuse)["format"] == "tengen session"
    assert loaded(text) == session
    assert session.rules == session.board.rules
    assert repr(session.board)
    for action in session.actions:
        assert action.score is None or 0 <= action.score.win_rate <= 1
    assert len(session.record().main_line()) == session.board.ply
    assert session.result is None or session.actor is None
    assert session.opening is None or session.opening.decision == session.decision
    for participant in (FIRST, SECOND):
        assert session.occupant(session.colour_of(participant)) == session.seats[participant].occupant
        clock = session.clock(participant)
        assert clock is None or min(clock.left(0), clock.share(0)) >= 0


def make_every_call(session: Session, watch: Watch) -> None:
    """Every call is carried out or refused, and leaves a session that can be saved."""

    def act() -> None:
        decision = session.decision
        if decision is not None and decision.options:
            session.choose(decision.options[0])
        else:
            session.play((decision.points if decision is not None else session.board.legal_points())[0])

    for call in (
        lambda: session.answer(accept=False),
        session.resume,
        session.pause,
        session.resume,
        session.take_back,
        lambda: act() if session.actor else None,
        session.claim,
        lambda: watch.wait(20),
        lambda: session.hint(RANDOM),
        lambda: act() if session.actor else None,
        session.offer_draw,
        lambda: session.answer(accept=True),
        session.swap_sides,
        session.check_time,
        session.resign,
    ):
        with suppress(TengenError):
            call()
    assert loaded(session.to_json()) == session


def load_or_refuse(text: str) -> None:
    watch = Watch()
    try:
        session = loaded(text, watch)
    except NotationError:
        return
    ask_everything(session)
    make_every_call(session, watch)


@pytest.mark.parametrize("name", SAVED)
def test_an_undamaged_game_can_be_asked_everything(name):
    session = loaded(SAVED[name])
    assert session.to_json() == SAVED[name]
    load_or_refuse(SAVED[name])


@pytest.mark.long
@pytest.mark.uncovered
@pytest.mark.parametrize("name", SAVED)
def test_with_any_value_replaced_by_another_kind(name):
    for path in paths(json.loads(SAVED[name])):
        for value in (*SCALARS, *OTHERS):
            data = json.loads(SAVED[name])
            put(data, path, value)
            load_or_refuse(json.dumps(data))


@pytest.mark.parametrize("name", SAVED)
def test_with_any_value_left_out_or_too_much(name):
    for path in paths(json.loads(SAVED[name])):
        data = json.loads(SAVED[name])
        remove(data, path)
        load_or_refuse(json.dumps(data))
        put(data, (*path[:-1], "more") if isinstance(path[-1], str) else path[:-1], 1)
        load_or_refuse(json.dumps(data))


def test_a_game_cannot_have_ended_twice_nor_be_paused_once_it_is_over():
    over = json.loads(play(table(TICTACTOE), "a1 a2 b1 b2 c1").to_json())
    resigned = json.loads(SAVED["resigned"])
    for data in (
        {**over, "ended": resigned["ended"]},
        {**over, "paused": True},
        {**resigned, "paused": True},
    ):
        with pytest.raises(NotationError):
            loaded(json.dumps(data))


@pytest.mark.parametrize("name", SAVED)
def test_cut_off_anywhere(name):
    for length in range(len(SAVED[name])):
        with pytest.raises(NotationError):
            loaded(SAVED[name][:length])


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
JSON = st.recursive(
    LEAVES | st.sampled_from(("a1", "black", 1, 2, 30)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(list(SAVED)), st.data())
def test_with_several_values_replaced(name, drawn):
    data = json.loads(SAVED[name])
    for _ in range(drawn.draw(st.integers(1, 4))):
        places = list(paths(data))
        if places:
            put(data, drawn.draw(st.sampled_from(places)), drawn.draw(JSON))
    load_or_refuse(json.dumps(data))


@given(st.sampled_from(list(SAVED)), st.data())
def test_with_parts_of_another_game(name, drawn):
    data, other = json.loads(SAVED[name]), json.loads(drawn.draw(st.sampled_from(list(SAVED.values()))))
    for key in drawn.draw(st.sets(st.sampled_from(list(data)))):
        data[key] = other[key]
    load_or_refuse(json.dumps(data))


@given(st.sampled_from(list(SAVED)), st.integers(0), st.text(max_size=4), st.integers(0, 3))
def test_with_text_overwritten(name, place, text, length):
    saved = SAVED[name]
    place %= len(saved)
    load_or_refuse(saved[:place] + text + saved[place + length :])


@given(st.text() | JSON.map(json.dumps))
def test_any_text(text):
    load_or_refuse(text)


@pytest.mark.parametrize("depth", [10, 200, 400, 480, 490, 500, 700, 900, 980, 100_000])
@pytest.mark.parametrize(("left", "right"), ["[]", ('{"a": ', "}")])
def test_nested_deeply(depth, left, right):
    nested = left * depth + "1" + right * depth
    load_or_refuse(nested)
    saved = SAVED["increment"]
    for place in ('"a1"', '"placed": true', "null", '"play"'):
        assert place in saved
        value = f'"placed": {nested}' if place.startswith('"placed') else nested
        load_or_refuse(saved.replace(place, value, 1))


def test_any_bytes_of_a_file_read_as_text():
    with pytest.raises(NotationError):
        SessionState.from_json("\ufeff" + SAVED["new"], tengen.player)
    with pytest.raises(NotationError):
        SessionState.from_json("\0", tengen.player)


# A player that cannot be made, and parts that cannot stand together


@pytest.mark.parametrize("error", [RuntimeError("out of order"), KeyError("spec"), SystemExit(3)])
def test_a_player_whose_code_fails_is_named(error):
    def broken(_: str) -> Any:
        raise error

    saved = Session("tictactoe", RANDOM).to_json()
    with pytest.raises(NotationError, match=r"the player random,seed=1 cannot be made"):
        Session.from_json(saved, broken)


def test_a_side_without_a_stone_cannot_have_asked_for_one_back():
    data = json.loads(Session("tictactoe", consent=True).to_json())
    data["request"] = {"kind": "take_back", "by": 1}
    with pytest.raises(NotationError, match="damaged"):
        Session.from_json(json.dumps(data), tengen.player)
