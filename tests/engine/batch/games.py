"""Random games on a batch of boards, each checked against `tengen.Board` at every move."""

from __future__ import annotations

import numpy as np

from tengen import Board, Rules, arrays
from tengen.engine.batch.board_batch import BoardBatch


def check_games(rules: Rules, games: int, seed: int, boards: int = 16, actions: int | None = None) -> int:
    """Play random games under some rules until some have ended, and compare all there is.

    Args:
        rules: the rules.
        games: how many games have to end.
        seed: of the actions.
        boards: boards that are played on at once.
        actions: where to stop all the same, in actions on each board; None plays on.

    Returns:
        The number of games that ended.
    """
    batch = BoardBatch(rules, boards)
    batch.seed(np.random.default_rng(seed).integers(1 << 64, size=boards, dtype=np.uint64))
    models = [Board(rules) for _ in range(boards)]
    chosen = np.zeros(boards, np.int64)
    ended = steps = 0
    while ended < games and steps != actions:
        steps += 1
        batch.random_actions(chosen, 0, boards)
        for number, model in enumerate(models):
            mask = arrays.legal_mask(model)
            found = batch.legal[number]
            assert np.array_equal(found, mask), f"{model!r}: {np.flatnonzero(found != mask)}"
            assert np.array_equal(batch.planes[number], arrays.planes(model)), repr(model)
            assert mask[chosen[number]], repr(model)
        movers = [model.turn for model in models]
        for model, action in zip(models, chosen, strict=True):
            arrays.play(model, int(action))
        batch.step(chosen, True, 0, boards)
        for number, (model, mover) in enumerate(zip(models, movers, strict=True)):
            outcome = model.outcome()
            assert batch.ended[number] == (outcome is not None), repr(model)
            winner = None if outcome is None else outcome.winner
            assert batch.winners[number] == (winner or 0), repr(model)
            assert batch.rewards[number] == (0 if winner is None else 1 if winner == mover else -1)
            if outcome is not None:
                models[number] = Board(rules)
                ended += 1
        if steps % 50 == 0:
            assert [batch.board(number) for number in range(boards)] == models
    return ended


def variants(name: str) -> list[Rules]:
    """A preset's rules as they come, and where it has fouls with every enforcement, with passing too."""
    rules = [Rules.named(name)]
    if rules[0].has_fouls:
        rules += [Rules.named(name, 9, fouls=fouls, passing=True) for fouls in ("loses", "claimed")]
        rules.append(Rules.named(name, 7, passing=True))
    return rules
