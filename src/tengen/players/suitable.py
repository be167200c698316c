"""The rules that a player plays: most play all, the engine and the player that looks up do not."""

from __future__ import annotations

from tengen.engine.board.playable import check_rules
from tengen.game.errors import RulesError
from tengen.game.player import Player, player_repr
from tengen.game.rules import Rules
from tengen.players.levels import needs_engine
from tengen.players.lookup import check_size
from tengen.players.spec import PlayerSpec


def check_suitable(player: Player | str, rules: Rules) -> None:
    """Refuse rules, or a board, that a player does not play.

    Players of others are not asked: what they play shows when they do.

    Args:
        player: a player, or its spec.
        rules: the rules.

    Raises:
        RulesError: with the condition that fails.
        SpecError: the spec is malformed.
    """
    if not isinstance(player, str):
        if type(player).__repr__ is not player_repr:
            return
        player = player.name
    parsed = PlayerSpec.parse(player)
    if parsed.name == "prover":
        # By itself it lets minimax play where the engine does not.
        if "otherwise" in parsed.settings:
            check_suitable(parsed.settings["otherwise"], rules)
    elif parsed.name == "lookup":
        check_size(rules, parsed.preset or "all")
    elif needs_engine(player):
        try:
            check_rules(rules)
        except RulesError as error:
            raise RulesError("error.player.rules", problem=error.message) from None


def is_suitable(player: Player | str, rules: Rules) -> bool:
    """Return whether a player plays some rules; see `check_suitable`."""
    try:
        check_suitable(player, rules)
    except RulesError:
        return False
    return True
