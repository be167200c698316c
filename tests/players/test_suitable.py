"""The rules that players play, known before they are asked for a move."""

from __future__ import annotations

import pytest

from tengen import Board, Limit, Rules, RulesError, player
from tengen.players.random import Random
from tengen.players.registry import ENTRIES
from tengen.players.suitable import check_suitable, is_suitable

RULES = (
    Rules.named("tictactoe"),
    Rules.named("freestyle", 9),
    Rules.mnk(5, 5, 4),
    Rules.mnk(7, 6, 5),
    Rules.named("tictactoe", passing=True),
    Rules.named("renju", 9, fouls="claimed"),
)
SPECS = (*ENTRIES, "level:4", "level:10", "lookup:reachable", "engine,nodes=50", "level:3,seed=7")


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(
    "rules", RULES, ids=lambda rules: f"{rules.name}-{rules.size_text}-{rules.passing}"
)
def test_who_is_suitable_moves_and_who_is_not_does_not(spec, rules):
    made = player(spec)
    assert is_suitable(spec, rules) == is_suitable(made, rules)
    if is_suitable(spec, rules):
        made.choose(Board(rules), Limit(nodes=50))
        return
    with pytest.raises(RulesError) as refused:
        check_suitable(spec, rules)
    with pytest.raises(RulesError) as late:
        made.choose(Board(rules), Limit(nodes=50))
    assert str(refused.value).startswith(str(late.value))
    if not spec.startswith("lookup"):  # whoever chooses a player is told who plays any rules
        assert str(refused.value) == f"{late.value}; shapes, minimax and mcts play any"


def test_players_of_others_are_not_asked():
    class Engine(Random):
        """Called like the engine."""

        name = "engine"
        __repr__ = object.__repr__

    made = Engine()
    made.name = "engine"
    assert is_suitable(made, Rules.mnk(5, 5, 4))
    assert is_suitable("cmd=./engine", Rules.mnk(5, 5, 4))


def test_a_player_of_proofs_is_as_suitable_as_the_other_one():
    assert is_suitable("prover:file=x", Rules.mnk(5, 5, 4))
    assert is_suitable("prover:file=x,otherwise=lines", Rules.mnk(5, 5, 4))
    assert not is_suitable("prover:file=x,otherwise=engine", Rules.mnk(5, 5, 4))
