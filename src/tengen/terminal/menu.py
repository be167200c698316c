"""The menu shown at the start: the choice of an opponent."""

from __future__ import annotations

from typing import TextIO

from tengen.game.rules import Rules
from tengen.game.session_state import HUMAN
from tengen.players.levels import levels_for
from tengen.players.spec import PlayerSpec
from tengen.words import say

FRIENDLY = "level:2"
"""The default opponent, chosen by Enter."""


def ask_opponent(lang: str, source: TextIO, out: TextIO, rules: Rules) -> str | None:
    """Ask who plays White until a valid answer is given.

    Args:
        lang: the language of the menu.
        source: the stream of answers.
        out: the stream of questions.
        rules: the rules of the game; only levels that support them are offered.

    Returns:
        ``"human"``, or the spec of a level; None at the end of input.
    """
    levels = levels_for(rules)
    choices = {"0": HUMAN, **{level: f"level:{level}" for level in levels}}
    out.write(say("menu.opponent", lang) + "\n")
    width = max(map(len, choices))
    out.write(f"  {0:>{width}}  {say('menu.friend', lang)}\n")
    for level in levels:
        out.write(f"  {level:>{width}}  {say(f'level.{level}', lang)}\n")
    while True:
        out.write(say("menu.prompt", lang, default=PlayerSpec.parse(FRIENDLY).preset) + " ")
        out.flush()
        line = source.readline()
        if not line:
            out.write("\n")
            return None
        answer = line.strip()
        if not answer:
            return FRIENDLY
        if answer in choices:
            return choices[answer]
        out.write(say("menu.again", lang, answers=tuple(choices)) + "\n")
