from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tengen
from tengen.game.board import Outcome
from tengen.game.clock import Clock, TimeControl
from tengen.game.errors import RulesError, TengenError
from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.player import Limit
from tengen.game.points import BLACK, WHITE
from tengen.game.session import Session
from tests.game.scripts import (
    CLAIMED,
    DOUBLE_THREE,
    RANDOM,
    TICTACTOE,
    Watch,
    call,
    play,
    run,
    scripts,
    table,
)
from tests.game.test_session import First

ABSOLUTE = TimeControl(300)
INCREMENT = TimeControl(60, increment=5)
BYO_YOMI = TimeControl(10, periods=3, period=5)

# Sums of eighths are exact, so that what is said about them can be said with ==.
EIGHTHS = st.integers(0, 4000).map(lambda number: number / 8)
LENGTHS = st.integers(1, 400).map(lambda number: number / 8)
SECONDS = st.floats(0, 1e6)


@st.composite
def controls(draw: st.DrawFn, seconds: st.SearchStrategy[float] = EIGHTHS) -> TimeControl:
    """Time controls of the three kinds."""
    kind = draw(st.sampled_from(("absolute", "increment", "byo-yomi")))
    if kind == "byo-yomi":
        return TimeControl(draw(seconds), periods=draw(st.integers(1, 5)), period=draw(LENGTHS))
    main = draw(seconds)
    assume(main > 0)
    return TimeControl(main, draw(LENGTHS) if kind == "increment" else 0.0)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Time controls as people write them."""
    number = st.one_of(
        st.integers(1, 1_000_000).map(str),
        st.decimals("0.001", "1000000", places=3, allow_nan=False).map(str),
    )
    more = draw(st.sampled_from(("", "+{increment}", "+{periods}x{period}")))
    periods = draw(st.integers(1, 9999))
    return draw(number) + more.format(increment=draw(number), periods=periods, period=draw(number))


def total(clock: Clock, seconds: float) -> float:
    """All the time that is left after `seconds` of thinking, periods included."""
    used = clock.after(seconds)
    if used.main > 0:
        return used.main + used.periods * clock.control.period
    return clock.left(seconds) + max(used.periods - 1, 0) * clock.control.period


# What a time control says


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("300", TimeControl(300)),
        ("300+5", TimeControl(300, increment=5)),
        ("300+3x30", TimeControl(300, periods=3, period=30)),
        ("0+1x2.5", TimeControl(0, periods=1, period=2.5)),
        ("0.125", TimeControl(0.125)),
        (" 60+0.5\n", TimeControl(60, increment=0.5)),
        ("60+0", TimeControl(60)),
        ("60+0x0", TimeControl(60)),
        ("1000000+9999x1000000", TimeControl(1_000_000, periods=9999, period=1_000_000)),
    ],
)
def test_a_time_control_is_main_time_and_an_increment_or_periods(text, control):
    assert TimeControl.parse(text) == control


@pytest.mark.parametrize(
    "text",
    ["", "+", "5+", "+5", "five", "-1", "5:00", "1e3", "1.2345", ".5", "5.", "3x30", "5+3x", "5+3*30"],
)
def test_other_text_is_refused(text):
    with pytest.raises(RulesError) as caught:
        TimeControl.parse(text)
    assert str(caught.value) == (
        f"'{text}' is not a time control: expected seconds such as 300, 300+5 (increment) or "
        "300+3x30 (byo-yomi)"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0", "time control: expected main time or byo-yomi periods"),
        ("0+5", "time control: expected main time or byo-yomi periods"),
        ("60+0x30", "time control: expected both the number of periods and their length, or neither"),
        ("60+3x0", "time control: expected both the number of periods and their length, or neither"),
        ("1000001", "time control: main is 1000001.0: expected seconds from 0 to 1000000"),
        ("1+1000001", "time control: increment is 1000001.0: expected seconds from 0 to 1000000"),
        ("1+1x1000001", "time control: period is 1000001.0: expected seconds from 0 to 1000000"),
    ],
)
def test_a_time_control_that_makes_no_sense_is_refused(text, sentence):
    with pytest.raises(RulesError) as caught:
        TimeControl.parse(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("field", ["main", "increment", "period"])
@pytest.mark.parametrize("value", [-1, math.nan, math.inf, True, "5", None, 10**400])
def test_a_number_of_seconds_is_a_number_from_0_up(field, value):
    fields: dict[str, Any] = {"main": 60, "periods": 1, "period": 1, field: value}
    with pytest.raises(
        RulesError, match=f"^time control: {field} is .*: expected seconds from 0 to 1000000"
    ):
        TimeControl(**fields)


@pytest.mark.parametrize("periods", [-1, 1.0, True, "3", None])
def test_a_number_of_periods_is_a_whole_number_from_0_up(periods):
    with pytest.raises(RulesError, match="is not a number of periods: expected a whole number"):
        TimeControl(60, periods=periods, period=30)


def test_increments_and_periods_do_not_go_together():
    with pytest.raises(RulesError, match="increment or byo-yomi, not both"):
        TimeControl(60, increment=5, periods=3, period=30)


@given(st.text())
def test_any_text_is_a_time_control_or_refused(text):
    try:
        control = TimeControl.parse(text)
    except RulesError:
        return
    assert TimeControl.parse(str(control)) == control


@given(texts())
def test_a_time_control_is_read_as_it_is_written(text):
    try:
        control = TimeControl.parse(text)
    except RulesError:
        assert " is " in text or float(text.split("+")[0]) > 0
        return
    assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize("text", ["300", "300+5", "300+3x30", "0+5x10", "0.5+0.25", "1234.567", "1000000"])
def test_a_time_control_is_written_as_it_was_read(text):
    assert str(TimeControl.parse(text)) == text


# Absolute time and increment, worked by hand


def test_absolute_time_runs_down_to_the_flag():
    clock = Clock.full(ABSOLUTE)
    assert clock.left(0) == 300
    assert clock.left(100) == clock.after(100).main == 200
    assert not clock.flagged(299.875)
    assert clock.flagged(300)
    assert clock.left(301) == clock.after(301).main == 0
    assert clock.pressed(100) == Clock(ABSOLUTE, 200, 0)
    assert clock.pressed(100).pressed(200).flagged(0)


def test_an_increment_is_added_once_the_move_is_made():
    clock = Clock.full(INCREMENT)
    assert clock.after(20).main == 40
    assert clock.pressed(20).main == 45
    assert clock.pressed(2).main == 63, "it may grow beyond the time at the start"
    assert clock.pressed(60).main == 0, "too late: the time was used up before the move"


# Byo-yomi, worked by hand: 10 seconds, then three periods of 5


@pytest.mark.parametrize(
    ("seconds", "main", "periods", "left"),
    [
        (0, 10, 3, 10),
        (4, 6, 3, 6),
        (9.875, 0.125, 3, 0.125),
        (10, 0, 3, 5),  # the first period begins
        (12, 0, 3, 3),
        (14.875, 0, 3, 0.125),
        (15, 0, 2, 5),  # one period is lost, the second begins
        (20, 0, 1, 5),
        (24.5, 0, 1, 0.5),
        (25, 0, 0, 0),  # the flag
        (1000, 0, 0, 0),
    ],
)
def test_periods_follow_the_main_time(seconds, main, periods, left):
    clock = Clock.full(BYO_YOMI)
    assert clock.after(seconds) == Clock(BYO_YOMI, main, periods)
    assert clock.left(seconds) == left
    assert clock.flagged(seconds) == (left == 0)


def test_a_move_within_a_period_leaves_it_whole():
    clock = Clock.full(BYO_YOMI).pressed(12)
    assert clock == Clock(BYO_YOMI, 0, 3)
    for _ in range(100):
        clock = clock.pressed(4.875)
    assert clock.left(0) == 5
    assert clock.periods == 3
    assert clock.pressed(5).periods == 2, "overrun by nothing is overrun"
    assert clock.pressed(14).periods == 1
    assert clock.pressed(15).flagged(0)


def test_byo_yomi_alone():
    clock = Clock.full(TimeControl(0, periods=1, period=30))
    assert clock.left(0) == 30
    assert clock.pressed(29) == clock
    assert clock.flagged(30)


# What holds for every clock


@given(controls(), EIGHTHS)
def test_it_is_flagged_exactly_when_all_is_used_up(control, seconds):
    clock = Clock.full(control)
    used_up = seconds >= control.main + control.periods * control.period
    assert clock.flagged(seconds) == used_up
    assert (clock.left(seconds) == 0) == used_up


@given(controls(), EIGHTHS, EIGHTHS)
def test_waiting_takes_just_the_time_waited(control, seconds, more):
    clock = Clock.full(control)
    assert total(clock, seconds) == max(total(clock, 0) - seconds, 0)
    assert total(clock, seconds + more) <= total(clock, seconds)
    assert clock.left(seconds) <= total(clock, seconds)


@given(controls(), EIGHTHS, EIGHTHS)
def test_a_clock_looked_at_goes_on_as_it_would_have(control, seconds, more):
    clock = Clock.full(control)
    if clock.after(seconds).main > 0:
        assert clock.after(seconds).after(more) == clock.after(seconds + more)


@given(controls(SECONDS), SECONDS, SECONDS)
def test_time_never_grows_by_waiting(control, seconds, more):
    clock = Clock.full(control)
    before, after = clock.after(seconds), clock.after(seconds + more)
    assert 0 <= after.main <= before.main <= control.main
    assert 0 <= after.periods <= before.periods <= control.periods
    assert clock.flagged(seconds + more) or not clock.flagged(seconds)
    assert (clock.left(seconds) > 0) == (not clock.flagged(seconds))


@given(controls(), EIGHTHS)
def test_a_move_gives_the_increment_or_the_running_period_and_no_more(control, seconds):
    clock = Clock.full(control)
    gained = total(clock.pressed(seconds), 0) - total(clock, seconds)
    in_main_time = clock.after(seconds).main > 0
    assert 0 <= gained <= (control.increment if in_main_time else control.period)
    assert clock.pressed(seconds).flagged(0) == clock.flagged(seconds)


@given(st.floats(0, 1e6), st.floats(0, 1e6, exclude_min=True), st.integers(1, 9), st.floats(0, 1e9))
def test_no_length_of_a_period_breaks_the_clock(main, period, periods, seconds):
    clock = Clock.full(TimeControl(main, periods=periods, period=period))
    assert 0 <= clock.pressed(seconds).periods <= periods
    assert 0 <= clock.left(seconds) <= max(main, period)


def test_the_shortest_of_periods_is_a_period():
    assert Clock.full(TimeControl(1, periods=1, period=5e-324)).flagged(2)


# A player's share of the time


def test_a_share_is_a_small_part_of_what_is_left():
    assert Clock.full(ABSOLUTE).share(0) == 12
    assert Clock.full(ABSOLUTE).share(50) == 10
    assert Clock.full(INCREMENT).share(0) == 60 / 25 + 4.5
    assert Clock.full(BYO_YOMI).share(0) == 10 / 25 + 4
    assert Clock.full(BYO_YOMI).share(10) == 4
    assert Clock.full(BYO_YOMI).share(12) == pytest.approx(2.4)
    assert Clock.full(ABSOLUTE).share(300) == 0


@given(controls(), LENGTHS, EIGHTHS)
def test_whoever_thinks_for_its_share_does_not_lose_on_time(control, main, seconds):
    clock = Clock(control, min(main, control.main), control.periods)
    if not clock.flagged(seconds):
        assert clock.share(seconds) > 0
        assert not clock.flagged(seconds + clock.share(seconds))


def test_a_share_does_not_spend_the_increment_before_it_is_there():
    clock = Clock(TimeControl(60, increment=10), main=1.0, periods=0)
    assert clock.share(0) < 1


# A clock as it was


def test_a_clock_with_this_much_left():
    assert Clock.full(BYO_YOMI).with_left(4.5, 2) == Clock(BYO_YOMI, 4.5, 2)
    assert Clock.full(BYO_YOMI).with_left(0, 0).flagged(0)
    assert Clock.full(INCREMENT).with_left(600, 0).main == 600, "increments may have gathered"


@pytest.mark.parametrize(
    ("main", "periods", "sentence"),
    [
        (-1, 0, "time control: main is -1: expected seconds from 0 to 1000000"),
        (math.nan, 0, "time control: main is nan: expected seconds from 0 to 1000000"),
        (None, 0, "time control: main is None: expected seconds from 0 to 1000000"),
        (5, -1, "time control: -1 is not a number of periods: expected a whole number"),
        (5, 4, "time control: 4 is not a number of periods: expected a whole number"),
        (5, True, "time control: True is not a number of periods: expected a whole number"),
        (5, 1.0, "time control: 1.0 is not a number of periods: expected a whole number"),
    ],
)
def test_what_no_clock_can_have_left_is_refused(main, periods, sentence):
    with pytest.raises(RulesError) as caught:
        Clock.full(BYO_YOMI).with_left(main, periods)
    assert str(caught.value) == sentence


def test_without_an_increment_no_clock_has_more_than_it_began_with():
    with pytest.raises(RulesError):
        Clock.full(BYO_YOMI).with_left(10.5, 3)


@given(controls(SECONDS), st.lists(SECONDS, max_size=5))
def test_whatever_a_clock_has_left_it_can_be_given_again(control, thinking):
    clock = Clock.full(control)
    for seconds in thinking:
        clock = clock.pressed(seconds)
    assert Clock.full(control).with_left(clock.main, clock.periods) == clock


def test_however_many_increments_gather_a_clock_can_be_given_again():
    clock = Clock.full(TimeControl(1_000_000, increment=5)).pressed(1)
    assert Clock.full(clock.control).with_left(clock.main, clock.periods) == clock


# Clocks in a game, as transcripts

GAMES = """
    ## The clock of whoever is to act runs  [clock=300]
    +20                     = time 280 300
    h8 +50                  = time 280 250
    i9                      = used 20 50

    ## Clocks go with the participants, not with the colours  [opening=swap clock=60]
    +10 h8 i9 j10 black     = time 50 60; colours white black

    ## Without clocks only the time used is kept
    +100000 h8 flag         = used 100000; time None None; running None None; result none

    ## An increment comes with the move  [clock=60+5]
    +10 h8                  = time 55 60

    ## A clock that has gathered increments can be saved  [clock=1000000+5]
    h8                      = time 1e+06 1e+06

    ## A byo-yomi period is whole again after the move  [clock=10+2x30]
    +39 a1                  = time 0 10; periods 2 2
    a2 +29 a3               = periods 2 2
    a4 +31 a5               = periods 1 2
    a6 +29.5 a7             = periods 1 2
    a8 +30 flag             = result white time

    ## The time left counts the running period  [clock=10+3x30]
    +30                     = running 10 10

    ## A flag falls when somebody looks, and stays fallen  [clock=60]
    +59 flag                = result none
    +1 flag                 = result white time; time 0 60
    flag                    = events end; last end None winner=2 reason=time

    ## In the opening the clock of whoever decides runs  [opening=swap clock=60]
    +10 h8 +10 i9 +10 j10 +5 black  = time 30 55
    +30 flag                = result black time

    ## No time runs while the game is paused  [clock=60]
    +20 pause +1000 flag    = paused True; time 40 60; result none
    ! h8: the game is paused
    ! pause: the game is paused
    resume
    ! resume: the game is not paused
    +10 h8                  = used 30; events pause resume move

    ## A paused game may be given up  [clock=60]
    +20 pause resign        = paused False; time 40 60

    ## Time used stays used when the stone is taken back  [clock=60]
    +10 h8 +20 undo +5      = time 45 40

    ## Time stands still once the game is over  [clock=60]
    +10 resign +100         = time 50 60
"""


@pytest.mark.parametrize("script", scripts(GAMES))
def test_a_game_with_clocks(script):
    run(script)


def test_a_time_control_may_be_given_as_text():
    assert table(clock="60+5").control == TimeControl(60, increment=5)
    with pytest.raises(RulesError, match="'soon' is not a time control"):
        table(clock="soon")


def test_clocks_by_colour():
    session = play(table(opening="swap", clock="60"), "h8 i9 j10")
    session._now.wait(10)  # type: ignore[attr-defined]
    session.choose("black")
    assert {colour: clock.main for colour, clock in session.clocks.items()} == {BLACK: 50, WHITE: 60}
    assert table().clocks == {}


@pytest.mark.parametrize("step", ["i9", "black", "undo", "draw", "resign", "pause", "claim", "yes"])
def test_every_call_sees_a_flag_that_has_fallen(step):
    session = play(table(CLAIMED, clock="60"), DOUBLE_THREE)
    session.offer_draw(by=FIRST)
    call(session, "+60")
    with pytest.raises(TengenError):
        call(session, step)
    assert session.result == Outcome(BLACK, "time")
    assert session.events[-1].kind == "end"


def left(session: Session) -> list[float]:
    """The main time that each participant has left."""
    clocks = session.clock(FIRST), session.clock(SECOND)
    return [clock.main for clock in clocks if clock is not None]


def test_no_time_runs_while_the_game_is_saved():
    watch = Watch()
    session = table(clock=TimeControl(60), now=watch)
    watch.wait(20)
    text = session.to_json()
    watch.wait(1000)
    session = Session.from_json(text, tengen.player, now=watch)
    watch.wait(10)
    assert left(session) == [30, 60]


def test_no_time_runs_while_a_saved_game_is_loaded():
    watch = Watch()
    text = table("freestyle", RANDOM, clock=TimeControl(60), now=watch).to_json()

    def slow(spec: str) -> tengen.Player:
        watch.wait(10)
        return tengen.player(spec)

    assert left(Session.from_json(text, slow, now=watch)) == [60, 60]


def test_a_computer_is_told_its_share_of_the_clock():
    watch, computer = Watch(), First()
    session = table(TICTACTOE, computer, computer, clock=TimeControl(100), now=watch)
    watch.wait(50)
    session.play_computer()
    session.play_computer(Limit(nodes=7))
    assert [limit for limit, _ in computer.given] == [Limit(seconds=2.0), Limit(nodes=7)]
