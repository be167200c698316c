"""A tournament without a server: entries, rounds, byes, withdrawals, the table."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.game.board import Board
from tengen.web.games.terms import GameTerms
from tengen.web.tournaments.online_tournament import (
    MOST_COMPUTERS,
    MOST_ENTRANTS,
    OnlineTournament,
    TournamentOptions,
)
from tengen.web.transport.errors import NotYourSeat, Refused

MAKER = "m" * 22


def tournament(kind="round-robin", rounds=1):
    terms = GameTerms(Board("freestyle"), None, "300", 0)
    return OnlineTournament("t", MAKER, TournamentOptions("Cup", kind, rounds, terms), 0.0)


def entered(count, kind="round-robin", rounds=1):
    made = tournament(kind, rounds)
    for number in range(1, count + 1):
        made.enter(f"v{number}", f"name {number}")
    return made


def play_round(made, result):
    """Have all games of a round end, with `result(first, second)` points for the first one."""
    games = {}
    for number, meeting in enumerate(made.going_on()):
        meeting.game = f"{len(made.rounds)}/{number}"
        games[meeting.game] = (result(meeting.first, meeting.second), "five")
    made.settle(games)
    made.advance()


def lower_wins(first, second):
    return float(first < second)


def test_entries():
    made = tournament()
    made.enter("a", "Anna")
    made.enter("b", "Bo")
    made.enter("a", "Ann")
    assert [(one.id, one.name) for one in made.entrants] == [(1, "Ann"), (2, "Bo")]
    with pytest.raises(Refused, match="called ANN"):
        made.enter("c", "ANN")
    made.enter("a", "ann")
    made.add_computer(MAKER, "level:3")
    with pytest.raises(Refused):
        made.add_computer(MAKER, "level:3")
    with pytest.raises(NotYourSeat):
        made.add_computer("a", "level:4")
    made.withdraw("b", 2)
    made.withdraw(MAKER, 3)
    assert [one.id for one in made.entrants] == [1]
    with pytest.raises(Refused):
        made.withdraw(MAKER, 3)
    made.enter("d", "Bo")
    with pytest.raises(NotYourSeat):
        made.withdraw("d", 1)


def test_there_is_room_for_so_many():
    made = tournament()
    for number in range(MOST_COMPUTERS):
        made.add_computer(MAKER, f"level:{number}")
    with pytest.raises(Refused, match="computers"):
        made.add_computer(MAKER, "shapes")
    for number in range(MOST_ENTRANTS - MOST_COMPUTERS):
        made.enter(f"v{number}", str(number))
    with pytest.raises(Refused, match="full"):
        made.enter("one more", "one more")


def test_the_maker_begins_and_then_nobody_comes():
    made = entered(1)
    with pytest.raises(Refused):
        made.start(MAKER)
    made.enter("b", "Bo")
    with pytest.raises(NotYourSeat):
        made.start("b")
    made.start(MAKER)
    assert made.status == "running"
    for late in (lambda: made.enter("c", "C"), lambda: made.start(MAKER)):
        with pytest.raises(Refused):
            late()


def test_a_swiss_tournament_is_entered_until_half_of_its_rounds_are_played():
    made = entered(3, "swiss", 5)
    assert made.last_entry == 2
    made.start(MAKER)
    play_round(made, lower_wins)
    made.enter("late", "Late")
    assert made.entrant(4).missed == 2
    for refused in (
        lambda: made.enter("late", "Other"),
        lambda: made.enter("other", "late"),
        lambda: made.add_computer(MAKER, "level:1"),
    ):
        with pytest.raises(Refused):
            refused()
    assert made.entrant(4).name == "Late"
    assert all(4 not in (meeting.first, meeting.second) for meeting in made.rounds[1].meetings)
    assert made.table()[-1].standing.points == 0.0
    made.withdraw("v1", 1)
    play_round(made, lower_wins)
    last = made.rounds[2]
    assert last.bye not in (None, 4), "who has just come does not sit out"
    assert any(4 in (meeting.first, meeting.second) for meeting in last.meetings)
    with pytest.raises(Refused, match="has begun"):
        made.enter("too late", "Too late")
    while made.status == "running":
        play_round(made, lower_wins)
    with pytest.raises(Refused):
        made.enter("too late", "Too late")
    assert OnlineTournament.from_json(made.to_json()) == made


@given(st.integers(2, 6), st.integers(2, 6), st.lists(st.integers(0, 5), max_size=4))
def test_whoever_comes_in_time_is_paired_from_the_next_round_on(count, rounds, arrivals):
    made = entered(count, "swiss", rounds)
    made.start(MAKER)
    while made.status == "running":
        for place, when in enumerate(arrivals):
            if when == len(made.rounds) and when <= made.last_entry:
                made.enter(f"late{place}", f"late {place}")
        play_round(made, lower_wins)
    assert len(made.rounds) == rounds
    for number, one in enumerate(made.rounds):
        there = [entrant.id for entrant in made.entrants if entrant.missed <= number]
        playing = [who for meeting in one.meetings for who in (meeting.first, meeting.second)]
        assert sorted([*playing, *({one.bye} - {None})]) == there


def test_a_round_robin_is_entered_before_it_begins_only():
    assert (tournament().last_entry, tournament("swiss", 1).last_entry) == (0, 0)


@given(st.integers(2, 9), st.integers(1, 2))
def test_in_a_round_robin_everybody_meets_everybody(count, rounds):
    made = entered(count, rounds=rounds)
    made.start(MAKER)
    while made.status == "running":
        sitting = {made.rounds[-1].bye} - {None}
        playing = [who for meeting in made.rounds[-1].meetings for who in (meeting.first, meeting.second)]
        assert sorted([*playing, *sitting]) == list(range(1, count + 1))
        play_round(made, lower_wins)
    met = Counter((meeting.first, meeting.second) for one in made.rounds for meeting in one.meetings)
    pairs = list(combinations(range(1, count + 1), 2))
    assert all(met[pair] + met[pair[::-1]] == rounds for pair in pairs)
    if rounds == 2:
        assert all(met[pair] == 1 for pair in pairs)
    assert [(row.entrant, row.place) for row in made.table()] == [(one, one) for one in range(1, count + 1)]
    assert [row.standing.points for row in made.table()] == [
        float(rounds * (count - one)) for one in range(1, count + 1)
    ]


@given(st.integers(2, 9), st.integers(1, 5), st.randoms(use_true_random=False))
def test_a_swiss_tournament_comes_to_its_end(count, rounds, draws):
    made = entered(count, "swiss", rounds)
    made.start(MAKER)
    while made.status == "running":
        play_round(made, lambda *_: draws.choice((0.0, 0.5, 1.0)))
    assert len(made.rounds) == rounds
    byes = Counter(one.bye for one in made.rounds if one.bye is not None)
    assert sum(byes.values()) == rounds * (count % 2)
    assert max(byes.values(), default=0) <= -(-rounds // count)
    total = sum(row.standing.points for row in made.table())
    assert total == rounds * ((count + 1) // 2), "who has a bye gets a point"
    meetings = [{meeting.first, meeting.second} for one in made.rounds for meeting in one.meetings]
    if rounds <= count // 2:
        assert len(meetings) == len({frozenset(pair) for pair in meetings}), "nobody meets twice"


def test_the_best_of_a_swiss_tournament_meet():
    made = entered(8, "swiss", 3)
    made.start(MAKER)
    for _ in range(3):
        play_round(made, lower_wins)
    assert made.status == "over"
    assert made.table()[0].entrant == 1
    assert made.table()[0].standing.points == 3


def test_who_withdraws_loses_what_is_left_of_a_round_robin():
    made = entered(4)
    made.start(MAKER)
    play_round(made, lower_wins)
    made.withdraw("v1", 1)
    play_round(made, lower_wins)  # the game of 1 has been given up by now, whatever came of it
    last = made.rounds[-1].meetings
    (given,) = [one for one in last if 1 in (one.first, one.second)]
    assert (given.game, given.reason) == (None, "walkover")
    assert given.points == (0.0 if given.first == 1 else 1.0)
    made.withdraw(MAKER, given.second if given.first == 1 else given.first)
    play_round(made, lower_wins)
    assert made.status == "over"
    with pytest.raises(Refused, match="over"):
        made.withdraw("v2", 2)


def test_where_all_withdraw_the_rest_is_void():
    made = entered(5)
    made.start(MAKER)
    for number in range(1, 6):
        made.withdraw(MAKER, number)
    play_round(made, lower_wins)
    assert made.status == "over"
    assert {meeting.reason for one in made.rounds[1:] for meeting in one.meetings} == {"void"}
    assert sum(row.standing.points for row in made.table()) == 2


def test_who_withdraws_is_not_paired_in_a_swiss_tournament():
    made = entered(4, "swiss", 9)
    made.start(MAKER)
    play_round(made, lower_wins)
    made.withdraw("v4", 4)
    for _ in range(2):
        play_round(made, lower_wins)
    assert all(4 not in (one.first, one.second) for one in made.rounds[-1].meetings)
    assert made.rounds[-1].bye in (1, 2, 3)
    made.withdraw("v3", 3)
    made.withdraw("v2", 2)
    play_round(made, lower_wins)
    assert made.status == "over", "nobody is left to meet"
    assert len(made.rounds) == 4
    assert len(made.table()) == 4


def test_equal_merits_share_a_place():
    made = entered(4)
    made.start(MAKER)
    while made.status == "running":
        play_round(made, lambda *_: 0.5)
    assert [row.place for row in made.table()] == [1, 1, 1, 1]


def test_who_is_forgotten_takes_no_part_and_has_no_name():
    made = entered(3)
    gone = [one.visitor for one in made.entrants]
    made.forget(gone[0])
    assert [one.id for one in made.entrants] == [2, 3]
    made.start(made.creator)
    made.forget(gone[1])
    found = made.entrant(2)
    assert (found.name, found.visitor, found.withdrawn) == ("", None, True)
    made.forget(made.creator)
    assert made.creator is None
    assert OnlineTournament.from_json(made.to_json()) == made


def test_in_a_tournament_that_is_over_who_is_forgotten_has_not_withdrawn():
    made = entered(2)
    made.start(made.creator)
    play_round(made, lower_wins)
    before = [row.standing for row in made.table()]
    made.forget(made.entrant(1).visitor)
    assert (made.entrant(1).name, made.entrant(1).withdrawn) == ("", False)
    assert [row.standing for row in made.table()] == before


def test_it_is_kept_as_json():
    made = entered(3, "swiss", 2)
    made.add_computer(MAKER, "level:2")
    made.start(MAKER)
    play_round(made, lower_wins)
    again = OnlineTournament.from_json(made.to_json())
    assert again == made
    play_round(again, lower_wins)
    assert again.status == "over"
