"""What a query asks for besides the best moves is what the engine, the solver and the board say."""

from __future__ import annotations

import math
import threading
from typing import Any

import pytest

from tengen import BLACK, WHITE, Board, Engine, Limit, solve_vcf
from tengen.queries.query_queue import Query
from tengen.queries.reading import Defaults, read_queries
from tengen.queries.search import answer_of, search_query, static_data
from tengen.schemas.analysis import InfoData
from tengen.schemas.queries import StaticData
from tengen.study.threats_on_board import threats

pytestmark = pytest.mark.usefixtures("compiled")

MIDGAME = "h8i9g7f6h10i8"
WIN = "h8a1i8a3j8a5"
THREATS = "h8a1i9a15i7o1h7g10"
"""Black wins by fours and threes, and not by fours alone."""

ENGINE = Engine(memory_mb=1)


def query(**fields: Any) -> Query:
    (found,) = read_queries({"id": "a", "nodes": 1000, **fields}, Defaults())
    return found


def test_nothing_is_there_that_was_not_asked_for():
    assert static_data(ENGINE, query(moves=MIDGAME)) == StaticData()
    assert search_query(ENGINE, query(moves=MIDGAME), stop=threading.Event()).win is None


def test_the_policy_is_a_distribution_over_legal_moves():
    policy = static_data(ENGINE, query(moves=MIDGAME, policy=True)).policy
    assert policy is not None
    board = Board.from_moves(MIDGAME)
    assert all(board.is_legal(name) and 0 <= chance <= 1 for name, chance in policy.items())
    assert math.isclose(sum(policy.values()), 1, abs_tol=1e-3)
    assert len(policy) > 20
    assert static_data(ENGINE, query(policy=True)).policy == {"h8": 1.0}


def test_the_heat_is_the_static_evaluation_point_by_point():
    found = static_data(ENGINE, query(moves=MIDGAME, heat=True))
    board = Board.from_moves(MIDGAME)
    value = ENGINE.heatmaps(board)[0]
    assert found.heat is not None
    assert found.evaluation is not None
    assert found.heat.keys() == {board.name(point) for point in value.weights}
    for point, share in value.weights.items():
        assert math.isclose(found.heat[board.name(point)], share, abs_tol=1e-3)
    assert found.evaluation.value == round(sum(part.value for part in value.total))
    assert (found.policy, found.threats) == (None, None)


def test_a_position_that_is_good_for_one_side_is_bad_for_the_other():
    def rate(turn: str) -> float:
        setup = {"black": ["h8", "i8", "h9"], "white": ["a1", "o15", "a15"], "turn": turn}
        evaluation = static_data(ENGINE, query(setup=setup, heat=True)).evaluation
        assert evaluation is not None
        return evaluation.win_rate

    assert rate("black") > 0.5 > rate("white")


def test_threats_of_both_colours():
    found = static_data(ENGINE, query(moves=WIN, threats=True)).threats
    assert found is not None
    board = Board.from_moves(WIN)
    expected = threats(board)
    assert [each.kind for each in found["black"]] == [each.kind for each in expected[BLACK]]
    assert found["black"][0].kind == "open-three"
    assert found["black"][0].points == ("h8", "i8", "j8")
    assert [each.kind for each in found["white"]] == [each.kind for each in expected[WHITE]] == []


def test_forced_wins_of_either_side():
    def win(**fields: Any) -> Any:
        return search_query(ENGINE, query(**fields), stop=threading.Event()).win

    found = win(moves=WIN, win="vcf")
    assert (found.winner, found.proven, found.threats) == ("black", True, "fours")
    assert list(found.line) == [Board().name(point) for point in solve_vcf(Board.from_moves(WIN)).line]
    assert win(moves=WIN, win="vcf", attacker="white").winner is None
    assert win(moves=THREATS, win="vcf").winner is None
    found = win(moves=THREATS, win="vct")
    assert (found.winner, found.attacker, found.threats) == ("black", "black", "threes")


def test_only_allowed_moves_are_searched_and_returned():
    found = search_query(ENGINE, query(moves=WIN, allow="a15b15", lines=2), stop=threading.Event())
    board = Board.from_moves(WIN)
    assert {board.name(info.point) for info in found.infos} == {"a15", "b15"}
    found = search_query(ENGINE, query(moves=WIN, avoid="g8", nodes=5000), stop=threading.Event())
    assert board.name(found.infos[0].point) == "k8"


def test_an_answer_has_its_turn_and_its_setup():
    setup = {"black": ["h8"], "white": ["i9"], "turn": "black"}
    (_, asked) = read_queries(
        {"id": 3, "setup": setup, "moves": "g7", "turns": "all", "nodes": 300}, Defaults()
    )
    found = search_query(ENGINE, asked, stop=threading.Event())
    infos = [InfoData.of(asked.board.rules, info) for info in found.infos]
    answer = answer_of(asked, infos, found.static, final=True).to_dict()
    assert (answer["id"], answer["turn"], answer["moves"]) == (3, 1, ["g7"])
    assert answer["setup"] == setup
    assert answer["best"] == answer["infos"][0]["point"]
    assert asked.limit == Limit(nodes=300)
    assert not answer.keys() & {"policy", "heat", "evaluation", "threats", "win", "limited"}
