"""The engine as others use it: limits, lines, threads, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
import threading

import pytest

from tengen import (
    BLACK,
    PASS,
    WHITE,
    Board,
    Engine,
    GameOver,
    Limit,
    Player,
    Rules,
    RulesError,
    TengenError,
    player,
)
from tengen.engine.board.techniques import Technique
from tengen.engine.evaluation.weights import file_of
from tengen.game.arguments import MOST_NODES, MOST_SECONDS
from tengen.game.player import SOONEST, GameTime
from tengen.game.points import distance
from tengen.words import LANGUAGES, say
from tests.console import environment
from tests.engine.games import NAMES, after, played_out, scattered, winner_of
from tests.errors import key_of
from tests.solver.wins import proven_win

MIDGAME = "h8i9g7f6h10i8"
WON = "h8a1i8a3j8a5"
LOST = "h8a1i8a2j8a3k8"
ENGINE = Engine(nodes=2000)

QUICK = Limit(nodes=500)


def middle(rules="freestyle", moves=MIDGAME):
    return Board.from_moves(moves, rules)


def reproducible(infos):
    """Return the fields that do not depend on the clock."""
    return [(info.number, info.point, info.score, info.depth, info.nodes, info.line) for info in infos]


# -- a player


def test_it_is_a_player_and_leaves_the_board_alone():
    board = middle()
    before = board.copy()
    choice = ENGINE.choose(board)
    assert isinstance(ENGINE, Player)
    assert board == before
    assert board.moves == before.moves
    assert choice.point in board.legal_points()
    assert choice.line[0] == choice.point
    assert 0 < choice.nodes <= 2000
    assert choice.score is not None


@pytest.mark.parametrize(
    "made",
    [
        Engine(),
        Engine(threads=2),
        Engine(nodes=300, memory_mb=1),
        Engine(without="lmr+lmp"),
        Engine(threads=3, memory_mb=128, nodes=5, without="vcf"),
    ],
    ids=lambda made: made.name,
)
def test_its_name_makes_it_again(made):
    again = player(made.name)
    assert again.name == made.name
    board = middle()
    if "threads" not in made.name:
        assert again.choose(board, QUICK).line == made.choose(board, QUICK).line


def test_its_name_says_what_was_asked_for():
    assert Engine().name == "engine"
    assert Engine(nodes=7, threads=2).name == "engine,threads=2,nodes=7"


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"threads": 0}, "error.parameter.whole"),
        ({"threads": -1}, "error.parameter.whole"),
        ({"threads": 1.5}, "error.parameter.whole"),
        ({"threads": True}, "error.parameter.whole"),
        ({"threads": "two"}, "error.parameter.whole"),
        ({"threads": 10_000}, "error.engine.most"),
        ({"memory_mb": 0}, "error.parameter.whole"),
        ({"memory_mb": 10**9}, "error.engine.most"),
        ({"nodes": 0}, "error.parameter.whole"),
        ({"without": "magic"}, "error.engine.technique"),
        ({"without": "lmr+"}, "error.engine.technique"),
        ({"without": "none"}, "error.engine.technique"),
    ],
)
def test_parameters_it_refuses(settings, key):
    assert key_of(Engine, **settings) == key
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        Engine(**settings)
    spec = ",".join(["engine", *(f"{name}={value}" for name, value in settings.items())])
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        player(spec)


@pytest.mark.parametrize("seed", [1.5, "x", True, None])
def test_a_seed_is_a_whole_number(seed):
    assert key_of(Engine, seed=seed) == "error.spec.seed"


@pytest.mark.parametrize("lines", [0, -1, 1.5, "2", True])
def test_so_many_lines_are_none(lines):
    assert key_of(ENGINE.analyse, middle(), QUICK, lines) == "error.engine.lines"
    assert key_of(ENGINE.analysis, middle(), QUICK, lines) == "error.engine.lines"


def test_an_unknown_technique_is_told_the_known_ones():
    with pytest.raises(ValueError, match="magic") as caught:
        Engine(without="lmr+magic")
    for technique in Technique:
        assert str(technique.name).lower() in str(caught.value)


def test_the_explanation():
    board = middle()
    explanation = ENGINE.explain(board)
    choice = ENGINE.choose(board)
    assert len(explanation.weights) == 5
    assert set(explanation.weights) <= set(board.legal_points())
    assert all(0 <= weight <= 100 for weight in explanation.weights.values())
    assert explanation.weights[choice.point] == max(explanation.weights.values())
    assert explanation.lines == (choice.line,)
    assert [heatmap.name for heatmap in explanation.heatmaps] == ["value", "policy"]
    for lang in LANGUAGES:
        assert board.name(choice.point) in say(explanation.summary, lang)


def test_there_is_nothing_to_explain_when_the_game_is_over():
    board = middle(moves="h8a1i8a2j8a3k8a4l8")
    explanation = ENGINE.explain(board)
    assert (dict(explanation.weights), explanation.lines, explanation.heatmaps) == ({}, (), ())
    assert explanation.summary.key == "explain.nothing"


def test_a_game_that_is_over():
    board = middle(moves="h8a1i8a2j8a3k8a4l8")
    for call in (ENGINE.choose, ENGINE.analyse, ENGINE.analysis, lambda over: list(ENGINE.infos(over))):
        with pytest.raises(GameOver):
            call(board)


# -- what it plays on


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (Rules.named("tictactoe"), "plays on boards from 5x5 to 22x22, not 3x3"),
        (Rules.mnk(15, 14, 5), "square boards only, and 15x14 is not square"),
        (Rules.mnk(15, 15, 6), "five in a row only, not 6 in a row"),
        (Rules.mnk(4, 4, 5), "from 5x5 to 22x22, not 4x4"),
        (Rules.mnk(23, 23, 5), "from 5x5 to 22x22, not 23x23"),
        (Rules.named("renju", passing=True), "does not play where a move may be passed"),
        (Rules.named("renju", overline="wins"), "only where an overline does not win"),
    ],
    ids=str,
)
def test_other_rules_are_refused_with_the_condition_that_fails(rules, reason):
    board = Board(rules)
    for call in (ENGINE.choose, ENGINE.explain, ENGINE.analyse, ENGINE.analysis):
        with pytest.raises(RulesError) as caught:
            call(board)
        sentence = str(caught.value)
        assert reason in sentence
        assert "shapes" not in sentence  # whoever calls the engine cannot choose another player there
    for name in ("shapes", "minimax,depth=1", "mcts,playouts=10"):
        assert player(name).choose(board).point in board.legal_points()


@pytest.mark.parametrize("size", range(5, 23))
def test_every_size(size):
    for seed, name in enumerate(NAMES):
        empty = Board(Rules.named(name, size))
        first = ENGINE.choose(empty)
        centre = {(size - 1) // 2 * (size + 1), size // 2 * (size + 1)}
        assert min(distance(first.point, point, size) for point in centre) <= 1
        board = scattered(empty.rules, size + seed, 6, away=2)
        assert board.outcome() is None
        choice = ENGINE.choose(board, Limit(nodes=100))
        assert choice.point in board.legal_points()
        after(board, choice.line)


@pytest.mark.parametrize("name", NAMES)
def test_a_stone_in_the_corner(name):
    """Most of the board is far from any stone."""
    board = Board.from_moves("a1", Rules.named(name, 22))
    assert ENGINE.choose(board, QUICK).point in board.legal_points()


@pytest.mark.parametrize("fouls", ["loses", "claimed"])
def test_fouls_that_are_legal_are_not_played_either(fouls):
    board = Board.from_moves("h8a1i8a3h9o1i9o3", Rules.named("renju", fouls=fouls))
    for _ in range(6):
        choice = ENGINE.choose(board, QUICK)
        assert board.turn == WHITE or board.foul(choice.point) is None
        board.push(choice.point)
        if board.outcome() is not None:
            break


@pytest.mark.parametrize("turn", [BLACK, WHITE])
@pytest.mark.parametrize("name", NAMES)
def test_positions_set_up_with_any_number_of_stones(name, turn):
    for black, white in (
        (["h8", "i9", "c3"], []),
        ([], ["h8"]),
        (["h8", "h9", "h10", "a1", "a2", "c7"], ["o15"]),
        (["o1"], ["h8", "i8", "j8", "g7"]),
    ):
        board = Board.from_stones(black, white, turn, name)
        choice = ENGINE.choose(board, QUICK)
        assert choice.point in board.legal_points()
        board.push(choice.point)
        if board.outcome() is None:
            assert ENGINE.choose(board, QUICK).point in board.legal_points()


def test_a_position_set_up_is_the_position_played():
    """The same stones and the same side to move: the same best move, however they came there.

    What was played last is looked at first; so the searches differ a little, and their scores may.
    """
    played = middle()
    placed = Board.from_stones(played.stones(BLACK), played.stones(WHITE), played.turn, played.rules)
    one, other = ENGINE.analyse(played, QUICK), ENGINE.analyse(placed, QUICK)
    assert one[0].point == other[0].point
    assert one[0].score.value == pytest.approx(other[0].score.value, abs=20)


def test_other_rules_of_five_in_a_row():
    """Fouls and overlines, but for such fouls where an overline wins."""
    for fields in (
        {"double_three": True, "overline": "no_win"},
        {"double_four": True, "overline": "foul"},
        {"overline": "foul", "blocked_five": "no_win"},
    ):
        board = Board.from_moves(MIDGAME, Rules(**fields))
        choice = ENGINE.choose(board, QUICK)
        assert choice.point in board.legal_points()
        after(board, choice.line)


# -- the same again


def test_the_same_position_gives_the_same_answer():
    """Twice, in a new engine, and whatever was searched before."""
    for limit in (Limit(nodes=1500), Limit(depth=4), None):
        for name in NAMES:
            board = middle(name)
            first = reproducible(ENGINE.infos(board, limit))
            assert reproducible(ENGINE.infos(board, limit)) == first
            ENGINE.choose(scattered(board.rules, 7, 20), Limit(seconds=0.01))
            ENGINE.analyse(middle(name, WON), Limit(nodes=700), lines=2)
            assert reproducible(ENGINE.infos(board, limit)) == first
            assert reproducible(Engine(nodes=2000).infos(board, limit)) == first


SCRIPT = """
import json
import sys

from tengen import Board, Engine, Limit

for name in sys.argv[1:]:
    board = Board.from_moves("h8i9g7f6h10i8", name)
    (info,) = Engine().analyse(board, Limit(nodes=1500))
    print(json.dumps([info.point, info.score.value, info.depth, info.nodes, info.line]))
"""


def in_a_fresh_process(**changes):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *NAMES],
        env=environment(**changes),
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def here():
    infos = [Engine().analyse(middle(name), Limit(nodes=1500))[0] for name in NAMES]
    return [[info.point, info.score.value, info.depth, info.nodes, list(info.line)] for info in infos]


@pytest.mark.long
def test_a_fresh_process_gives_the_same_answer():
    assert in_a_fresh_process() == here()


@pytest.mark.slow
def test_compiled_anew_and_from_the_cache_the_answer_is_the_same(tmp_path):
    cold = in_a_fresh_process(TENGEN_KERNELS="jit", TENGEN_CACHE=str(tmp_path))
    kept = set(tmp_path.rglob("*.nbc"))
    assert kept
    warm = in_a_fresh_process(TENGEN_KERNELS="jit", TENGEN_CACHE=str(tmp_path))
    assert set(tmp_path.rglob("*.nbc")) == kept
    assert cold == warm == here()


# -- limits


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_no_more_nodes_than_allowed(name, threads):
    engine = Engine(threads=threads)
    for seed in range(12):
        board = scattered(Rules.named(name), seed, 10 + seed)
        if board.outcome() is not None:
            continue
        for nodes in (1, 2, 3, 17, 100, 999, 5000):
            for info in engine.infos(board, Limit(nodes=nodes), lines=1 + seed % 3):
                assert info.nodes <= nodes


def test_the_most_nodes_that_there_can_be():
    assert ENGINE.analyse(middle(), Limit(nodes=MOST_NODES, depth=2))[0].depth == 2


def test_a_limit_of_depth():
    infos = list(ENGINE.infos(middle(), Limit(depth=4)))
    assert [info.depth for info in infos] == [1, 2, 3, 4]
    assert [info.nodes for info in infos] == sorted(info.nodes for info in infos)


def test_whichever_limit_comes_first():
    assert ENGINE.analyse(middle(), Limit(nodes=10**9, depth=2))[0].depth == 2
    assert ENGINE.analyse(middle(), Limit(nodes=50, depth=90))[0].nodes <= 50
    assert ENGINE.analyse(middle(), Limit(seconds=1000, depth=2))[0].depth == 2
    assert ENGINE.analyse(middle(), Limit(seconds=0.02, nodes=10**12, depth=99))


@pytest.mark.parametrize(
    "limit",
    [
        Limit(seconds=SOONEST),
        Limit(seconds=0.01),
        Limit(seconds=0.05, nodes=10**9),
        Limit(time=GameTime(game=5, left=0.5)),
        Limit(time=GameTime(game=5, left=0.0, increment=0.1)),
        Limit(time=GameTime(turn=0.05)),
        Limit(seconds=0.05, time=GameTime(turn=0.05)),
        Limit(time=GameTime()),
    ],
    ids=str,
)
def test_limits_of_time(limit):
    """Each of them ends; how soon is measured in `benchmarks`."""
    for moves in (MIDGAME, LOST, WON, ""):
        board = middle(moves=moves)
        choice = ENGINE.choose(board, limit)
        assert choice.point in board.legal_points()
        assert ENGINE.analyse(board, limit, lines=2)


def test_what_is_remembered_of_a_limit_of_time_can_be_forgotten():
    engine = Engine(memory_mb=1)
    board = middle()
    engine.choose(board, Limit(seconds=0.05))
    engine.clear()
    assert engine.choose(board, Limit(seconds=0.05)).point in board.legal_points()
    other = middle("renju")
    assert engine.choose(other, Limit(seconds=0.02)).point in other.legal_points()


# -- stopping


def test_stopped_before_it_begins():
    stop = threading.Event()
    stop.set()
    for moves in (MIDGAME, LOST, WON, "", "h8"):
        board = middle(moves=moves)
        for limit in (None, Limit(depth=60), Limit(seconds=1000)):
            assert ENGINE.choose(board, limit, stop).point in board.legal_points()


def test_even_then_it_makes_a_five_and_stops_one():
    stop = threading.Event()
    stop.set()
    five = middle(moves="h8a1i8a2j8a3k8a4")
    assert five.name(ENGINE.choose(five, Limit(seconds=1000), stop).point) in {"g8", "l8"}
    four = middle(moves="h8g8i8a2j8a3k8")
    assert four.name(ENGINE.choose(four, Limit(seconds=1000), stop).point) == "l8"


@pytest.mark.parametrize("threads", [1, 2])
def test_stopped_while_it_thinks(threads):
    stop, board = threading.Event(), middle(moves="h8i9h10")  # nobody finds a win here so soon
    seen = []
    for info in Engine(threads=threads).infos(board, Limit(seconds=1000), stop=stop):
        seen.append(info)
        if info.depth >= 3:
            stop.set()
    assert seen[-1].depth >= 3
    assert seen[-1].point in board.legal_points()
    after(board, seen[-1].line)


def test_stopped_from_another_thread():
    stop, board, answers = threading.Event(), middle(), []
    thinking = threading.Thread(
        target=lambda: answers.append(ENGINE.choose(board, Limit(seconds=1000), stop))
    )
    thinking.start()
    stop.wait(0.05)
    stop.set()
    thinking.join(60)
    assert answers[0].point in board.legal_points()


def test_a_caller_that_looks_no_further():
    """The search ends with the loop, and the engine is free again."""
    board = middle()
    for info in ENGINE.infos(board, Limit(seconds=1000)):
        assert info.point in board.legal_points()
        break
    assert ENGINE.choose(board, QUICK).point in board.legal_points()


# -- an analysis beside other work


def test_an_analysis_tells_of_each_depth():
    board = middle()
    with ENGINE.analysis(board, Limit(depth=4)) as analysis:
        infos = list(analysis)
        assert list(analysis) == [], "it has all been told"
    assert reproducible(infos) == reproducible(ENGINE.infos(board, Limit(depth=4)))


def test_an_analysis_without_end_is_stopped_by_leaving_it():
    board = middle()
    with ENGINE.analysis(board) as analysis:
        for info in analysis:
            if info.depth >= 3:
                break
    assert ENGINE.choose(board, QUICK).point in board.legal_points()


def test_an_analysis_nobody_looks_at():
    with ENGINE.analysis(middle()):
        pass
    assert ENGINE.choose(middle(), QUICK).nodes <= 500


def test_an_analysis_is_stopped_from_another_thread():
    board = middle()
    with ENGINE.analysis(board, lines=2) as analysis:
        reproducible = iter(analysis)
        first = next(reproducible)
        stopper = threading.Thread(target=analysis.stop)
        stopper.start()
        rest = list(reproducible)
        stopper.join()
    for info in (first, *rest):
        after(board, info.line)


def test_the_board_may_be_played_on_meanwhile():
    board = middle()
    before = board.copy()
    with ENGINE.analysis(board, Limit(depth=5)) as analysis:
        board.push(board.legal_points()[0])
        for info in analysis:
            assert info.point in before.legal_points()
            after(before, info.line)


def test_what_goes_wrong_inside_an_analysis_comes_out_of_it(tmp_path):
    """Numbers to evaluate by that have gone since the player was made."""
    numbers = tmp_path / "freestyle.npz"
    numbers.write_bytes(file_of("freestyle").read_bytes())
    engine = Engine(weights=str(tmp_path))
    numbers.unlink()
    with pytest.raises(TengenError, match=r"freestyle\.npz"), engine.analysis(middle()) as analysis:
        list(analysis)


# -- several lines, several threads


@pytest.mark.parametrize("name", NAMES)
def test_three_moves_in_the_order_of_their_scores(name):
    board = middle(name)
    infos = ENGINE.analyse(board, Limit(depth=4), lines=3)
    assert len({info.point for info in infos}) == 3
    values = [info.score.value for info in infos]
    assert values == sorted(values, reverse=True)
    for info in infos:
        assert info.line[0] == info.point
        after(board, info.line)


def test_a_win_stands_before_the_other_moves():
    board = middle(moves=WON)
    infos = ENGINE.analyse(board, Limit(nodes=20_000), lines=4)
    mates = [info.score.mate for info in infos]
    assert mates[0] == 3
    assert len({info.point for info in infos}) == len(infos) == 4
    assert winner_of(after(board, infos[0].line)) == BLACK
    proven_win(after(board, [infos[0].point]), BLACK)


@pytest.mark.parametrize(("moves", "mate"), [("h8a1i8a2j8a3k8a4", 1), ("h8g8i8a2j8a3k8", None), (LOST, -2)])
def test_no_move_stands_twice_where_few_are_worth_a_look(moves, mate):
    board = middle(moves=moves)
    infos = ENGINE.analyse(board, QUICK, lines=5)
    assert len({info.point for info in infos}) == len(infos) >= 1
    assert infos[0].score.mate == mate


def test_more_lines_than_points():
    board = Board.from_moves("a1b1c1d1e1a2b2c2d2e2b3a3d3c3a4e3c4b4e4d4", Rules.named("freestyle", 5))
    assert len(board.legal_points()) == 5
    infos = ENGINE.analyse(board, Limit(depth=3), lines=99)
    assert {info.point for info in infos} == set(board.legal_points())


@pytest.mark.parametrize("name", NAMES)
def test_two_threads(name):
    """They answer what has to be answered, and stay within the nodes they have."""
    engine = Engine(threads=2)
    four = middle(name, "h8g8i8a2j8a3k8")
    # Under caro a five with the enemy at both ends does not win.
    answers = {"l8", "m8"} if name == "caro" else {"l8"}
    assert four.name(engine.choose(four, QUICK).point) in answers
    won = middle(name, WON)
    info = engine.analyse(won, Limit(nodes=20_000))[0]
    assert info.score.mate == 3
    assert winner_of(after(won, info.line)) == BLACK
    proven_win(after(won, [info.point]), BLACK)
    board = middle(name)
    choice = engine.choose(board, Limit(seconds=0.1))
    assert choice.point in board.legal_points()
    assert min(distance(choice.point, stone, 15) for stone in board.moves) <= 2


def test_two_engines_at_once():
    """Each has its own table: they do not disturb each other."""
    board, found = middle(), []
    expected = reproducible(ENGINE.infos(board, Limit(nodes=1500)))

    def think():
        found.append(reproducible(Engine().infos(board, Limit(nodes=1500))))

    threads = [threading.Thread(target=think) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 3


def test_one_engine_asked_by_several_at_once():
    board, found = middle(), []
    expected = ENGINE.choose(board, QUICK).line
    threads = [
        threading.Thread(target=lambda: found.append(ENGINE.choose(board, QUICK).line)) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 3


@pytest.mark.timeout(60)
def test_one_engine_asked_again_while_a_search_of_its_own_goes_on():
    """Nobody waits for the other: it may be the same thread, or the other may have no end."""
    board = middle()
    engine = Engine(memory_mb=1)
    for info in engine.infos(board, Limit(seconds=1000)):
        engine.clear()
        assert engine.choose(board, Limit(seconds=0.05)).point in board.legal_points()
        if info.depth >= 2:
            break
    with engine.analysis(board) as analysis:
        assert engine.choose(board, Limit(nodes=500)).nodes <= 500
        assert engine.choose(board, Limit(seconds=0.05)).point in board.legal_points()
        assert not analysis.done


def test_a_search_beside_another_leaves_alone_what_is_remembered():
    board, limit = middle(), Limit(seconds=1000, nodes=3000)
    first = ENGINE.infos(board, limit)
    next(first)
    remembered = ENGINE._tables[0].copy()
    reproducible(ENGINE.infos(board, limit))
    assert (ENGINE._tables[0] == remembered).all()
    del first
    reproducible(ENGINE.infos(board, limit))
    assert (ENGINE._tables[0] != remembered).any()


def test_the_longest_limit_of_time():
    """No watcher breaks over it."""
    board = middle()
    best = ENGINE.analyse(board, Limit(seconds=MOST_SECONDS, nodes=500))
    assert best[0].nodes <= 500
    stop = threading.Event()
    timer = threading.Timer(0.2, stop.set)
    timer.start()
    assert ENGINE.choose(board, Limit(seconds=MOST_SECONDS), stop).point in board.legal_points()
    timer.join()


@pytest.mark.parametrize("technique", [t.name.lower() for t in Technique if t.name])
def test_without_a_technique_it_still_plays(technique):
    engine = Engine(without=technique)
    for name in ("freestyle", "renju"):
        board = middle(name)
        for _ in range(4):
            choice = engine.choose(board, Limit(nodes=400))
            after(board, choice.line)
            board.push(choice.point)
            if board.outcome() is not None:
                break
        four = middle(name, "h8g8i8a2j8a3k8")
        assert four.name(engine.choose(four, Limit(nodes=400)).point) == "l8"


# -- games against itself


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.long
def test_games_against_itself(name):
    for seed, size in enumerate((6, 8, 9, 11, 13, 15, 15, 15, 19, 20)):
        board = played_out(ENGINE, Rules.named(name, size), seed)
        outcome = board.outcome()
        assert outcome is not None
        assert outcome.reason in {"five", "full"}
        assert PASS not in board.moves


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_thousand_games_against_itself(name):
    for seed in range(1000):
        board = played_out(ENGINE, Rules.named(name, 7 + seed % 9), seed)
        outcome = board.outcome()
        assert outcome is not None
        assert outcome.reason in {"five", "full"}


# -- without a search


@pytest.mark.parametrize("rules", NAMES)
def test_the_static_evaluation_is_that_of_the_heatmap(rules):
    board = middle(rules)
    value, policy = ENGINE.explain(board, QUICK).heatmaps
    total = sum(part.value for part in value.total)
    assert ENGINE.evaluate(board).value == round(total)
    assert ENGINE.evaluate(board).mate is None
    probabilities = {point: weight / 100 for point, weight in policy.weights.items()}
    assert ENGINE.policy(board) == pytest.approx(probabilities)


@pytest.mark.parametrize("rules", NAMES)
def test_the_probabilities_of_moves_add_up_to_one_and_are_legal(rules):
    for board in (Board(rules=rules), middle(rules), Board.from_moves(WON + "k8", rules=rules)):
        policy = ENGINE.policy(board)
        assert sum(policy.values()) == pytest.approx(1)
        assert all(board.is_legal(point) for point in policy)
    assert {board.name(point) for point in policy} == {"g8", "l8"}
    assert ENGINE.policy(Board(rules=rules)) == {112: 1.0}


def test_neither_changes_the_board_nor_a_search():
    board = middle()
    engine, other = Engine(nodes=500), Engine(nodes=500)
    engine.evaluate(board)
    engine.policy(board)
    assert board == middle()
    assert reproducible(engine.analyse(board)) == reproducible(other.analyse(board))


@pytest.mark.parametrize("name", ["evaluate", "policy"])
def test_what_cannot_be_evaluated(name):
    call = getattr(ENGINE, name)
    assert key_of(call, Board.from_moves("h8a1i8a3j8a5k8a7l8")) == "error.game_over.choose"
    with pytest.raises(RulesError):
        call(Board("tictactoe"))
    assert key_of(call, "h8") == "error.argument"
