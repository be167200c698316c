"""Queries are read whole: set-up stones, turns, moves allowed and avoided; and mistakes are named."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tengen import BLACK, WHITE, Board, Limit
from tengen.queries.query_queue import Query
from tengen.queries.reading import (
    LONGEST,
    Defaults,
    QueryError,
    is_terminated,
    query_id,
    read_action,
    read_object,
    read_queries,
)
from tengen.words import TengenError

GAME = "h8i9g7f6h10i8"


def read(defaults: Defaults | None = None, **fields: Any) -> list[Query]:
    return read_queries({"id": "a", **fields}, defaults or Defaults())


def refusal(defaults: Defaults | None = None, **fields: Any) -> str:
    with pytest.raises(TengenError) as caught:
        read(defaults, **fields)
    return str(caught.value)


def test_a_query_without_anything_is_the_empty_board():
    (query,) = read()
    assert (query.id, query.turn, query.board, query.lines) == ("a", None, Board(), 1)
    assert query.limit == Limit(seconds=1.0)
    assert (query.allow, query.avoid, query.win, query.attacker) == (None, [], None, BLACK)
    assert not any((query.report, query.policy, query.heat, query.threats))


def test_stones_are_set_up_and_moves_follow_them():
    setup = {"black": ["h8", "g8"], "white": ["i9"], "turn": "white"}
    (query,) = read(setup=setup, moves="g7", rules="renju")
    board = Board.from_stones(["h8", "g8"], ["i9"], WHITE, "renju")
    board.push("g7")
    assert query.board == board
    assert query.attacker == BLACK
    (query,) = read(setup={"black": ["h8"], "white": []}, attacker="black")
    assert (query.board.turn, query.attacker) == (WHITE, BLACK)


def test_every_turn_has_its_position():
    found = read(moves=GAME, turns="all", lines=3, priority=4)
    assert [query.turn for query in found] == [0, 1, 2, 3, 4, 5, 6]
    for query in found:
        assert query.turn is not None
        assert query.board == Board.from_moves(Board.from_moves(GAME).moves[: query.turn])
        assert (query.id, query.priority, query.lines) == ("a", 4, 3)


def test_some_turns_with_priorities_of_their_own():
    found = read(moves=GAME, turns=[5, 0], priorities=[-1, 7], setup={"black": [], "white": []})
    assert [(query.turn, query.priority, query.board.ply) for query in found] == [(5, -1, 5), (0, 7, 0)]


def test_the_last_turn_of_a_game_that_is_over_is_left_out_of_all():
    won = "h8a1i8a2j8a3k8a4l8"
    assert [query.turn for query in read(moves=won, turns="all")] == list(range(9))
    assert refusal(moves=won, turns=[9]) == "turn 9: the game is over: there is nothing to choose"


def test_lines_are_no_more_than_the_moves_that_are_left():
    (query,) = read(moves=GAME, lines=5, allow="a1b2")
    assert (query.lines, query.allow) == (2, [Board().point("a1"), Board().point("b2")])
    (query,) = read(moves=GAME, lines=500, avoid=["a1", "h8"])
    assert query.lines == 225 - 6 - 1


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"setup": 5}, "setup is 5: expected stones such as"),
    ({"setup": {"black": "h8"}}, "setup is"),
    ({"setup": {"black": ["h8"], "green": []}}, "setup is"),
    ({"setup": {"black": ["h8"], "turn": "green"}}, "setup is"),
    ({"setup": {"black": ["h8"], "white": ["h8"]}}, "h8"),
    ({"turns": "some"}, 'turns is "some": expected a list of whole numbers of at least 0, or "all"'),
    ({"turns": [-1]}, "turns is [-1]"),
    ({"turns": [0.5]}, "turns is [0.5]"),
    ({"turns": [0, 1]}, "turns is 1: expected turns from 0 to 0"),
    ({"turns": [0], "priorities": [1, 2]}, "priorities is [1, 2]: expected as many whole numbers"),
    ({"priorities": [1]}, "priorities is [1]"),
    ({"turns": [0], "priorities": ["1"]}, "priorities is"),
    ({"allow": 5}, "allow is 5: expected moves such as"),
    ({"allow": ["zz"]}, "zz"),
    ({"avoid": "p16"}, "p16"),
    ({"avoid": None}, "avoid is null"),
    ({"moves": "h8", "allow": "h8"}, "no move is left to consider"),
    ({"moves": "h8", "turns": [1], "allow": "h8"}, "turn 1: no move is left to consider"),
    ({"nodes": 10**23}, "expected a whole number of at least 1, and at most 4611686018427387903"),
    ({"depth": 10**23}, "and at most 999999999"),
    ({"lines": 10**23}, "of at least 1, and at most 10"),
    ({"lines": 0}, "lines is 0: expected a whole number of at least 1"),
    ({"seconds": 10**7}, "seconds is 10000000: expected a time in seconds above 0, and at most 60"),
    ({"report_every": 10**7}, "expected a time in seconds above 0, and at most 1000000"),
    ({"report_first": -1}, "report_first is -1: expected a time in seconds above 0"),
    ({"report_every": 0}, "report_every is 0: expected a time in seconds above 0"),
    ({"report_first": "1"}, 'report_first is "1"'),
    ({"policy": 1}, "policy is 1: expected true or false"),
    ({"heat": "yes"}, 'heat is "yes"'),
    ({"threats": None}, "threats is null"),
    ({"win": "any"}, 'win is "any": expected "vcf" or "vct"'),
    ({"attacker": "red"}, 'attacker is "red": expected "black" or "white"'),
    ({"lines": 11}, "lines is 11: expected at most 10"),
    ({"seconds": 60.5}, "seconds is 60.5: expected at most 60"),
    ({"moves": GAME, "turns": "all"}, "turns is 7: expected at most 5"),
]


@pytest.mark.parametrize(("fields", "said"), MISTAKES, ids=str)
def test_a_mistake_is_named_with_what_was_expected(fields, said):
    text = refusal(Defaults(most={"lines": 10, "seconds": 60, "turns": 5}), **fields)
    assert said in text
    assert "\n" not in text


def test_bounds_let_pass_what_is_within_them():
    bounds = Defaults(most={"lines": 10, "seconds": 60, "turns": 7, "nodes": 100})
    assert len(read(bounds, moves=GAME, turns="all", lines=10, seconds=60, nodes=100)) == 7


def test_every_field_has_its_sentence():
    from tengen.queries import reading
    from tengen.schemas.queries import AnalysisQuery

    assert reading._EXPECTED.keys() == AnalysisQuery.model_fields.keys()


def test_ids_and_actions():
    assert query_id({"id": 7}) == 7
    assert read_action({"id": 7, "action": "query_running"}) == "query_running"
    for wrong in ({"action": "terminate"}, {"action": "terminate", "terminateId": 1, "turns": "all"}):
        with pytest.raises(QueryError):
            read_action(wrong)


def test_what_a_termination_names():
    first, second = read(moves="h8", turns="all")
    assert is_terminated(first, {"action": "terminate_all"})
    assert is_terminated(first, {"action": "terminate", "terminateId": "a"})
    assert not is_terminated(first, {"action": "terminate", "terminateId": "b"})
    some = {"action": "terminate", "terminateId": "a", "turns": [1]}
    assert (is_terminated(first, some), is_terminated(second, some)) == (False, True)


def test_the_bounds_of_a_server_are_named_too():
    server = Defaults(most={"nodes": 1000, "seconds": 60})
    assert refusal(server, nodes=10**30).endswith("of at least 1, and at most 1000")
    assert refusal(server, nodes=1001).endswith(": expected at most 1000")
    assert refusal(server, seconds=10**30).endswith("above 0, and at most 60")


@pytest.mark.parametrize("text", [" " * LONGEST, "天" * (LONGEST // 3)])
def test_the_greatest_length_is_named(text):
    line = json.dumps({"id": "a", "moves": text}, ensure_ascii=False)
    with pytest.raises(QueryError, match=r"at most 1,048,576 bytes"):
        read_object(line)
    assert read_object(line.replace(text, text[: LONGEST // 3 - 100]))["id"] == "a"


def test_what_is_no_action_is_quoted_once():
    with pytest.raises(QueryError) as refused:
        read_action({"id": "a", "action": "foo"})
    assert str(refused.value).startswith('"foo" is not an action: expected one of query_version, ')
