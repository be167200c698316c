"""A game in the terminal, line by line, for all terminals, pipes and screen readers."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar, TextIO

from tengen.executors.running_search import Search
from tengen.formats import describe, explanation_text
from tengen.formats.files import shown
from tengen.game.board import Outcome
from tengen.game.errors import GameOver, NotAllowed, TengenError
from tengen.game.notation import PASS_TEXT
from tengen.game.opening_rules import FIRST, option_message
from tengen.game.player import Choice, Player
from tengen.game.points import BLACK, WHITE, Colour
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.plaintext.wrapping import columns_of
from tengen.players.calls import contained, explained, guarded, make_player, seated
from tengen.players.names import player_name
from tengen.terminal import saved_games, sentences
from tengen.terminal.asking import ADVISER, adviser, answered, show_notes, to_explain, with_dots
from tengen.terminal.plain_dialogue import PlainDialogue, point_of
from tengen.words import Message, say


class PlainGame(PlainDialogue):
    """A session played over a pair of text streams until the user leaves.

    Args:
        session: the session.
        adviser: the player that gives hints; if None the computer at the table, or else `ADVISER`.
        lang: the language of the interface.
        source: the input stream.
        out: the output stream.
    """

    def __init__(
        self, session: Session, adviser: Player | None, lang: str, source: TextIO, out: TextIO
    ) -> None:
        super().__init__(lang, source, out)
        self.session = session
        self._adviser = adviser
        # A user who has seated two computers during a game is still there to answer prompts.
        self._attended = bool(sentences.humans(session))

    def run(self) -> int:
        """Play until the user quits or the input ends.

        Returns:
            The exit status: 0, or 1 if a game between computers was aborted.
        """
        self._greet()
        while not self._quit:
            self._draw()
            result = self.session.check_time()
            if result is not None:
                self._ended(result)
            elif not sentences.computer_to_act(self.session):
                self._human_acts()
            elif not self._computer_acts():
                return 1
        return 0

    # Output

    def _greet(self) -> None:
        self._say(sentences.title(self.session))
        for term in sentences.terms(self.session):
            self._say(term)
        self._say_seats()
        humans = sentences.humans(self.session)
        if humans:
            self._say("plain.help.short", **self._example())
        if len(humans) == 2:
            self._say("plain.help.seat", player=ADVISER)

    def _say_seats(self) -> None:
        self._say(sentences.seats(self.session))

    def _draw(self) -> None:
        session, board = self.session, self.session.board
        offered = () if session.opening is None else session.opening.offered
        fouls = board.fouls() if session.result is None and board.turn == BLACK else {}
        signs = dict.fromkeys(fouls, describe.FOUL_SIGN) | dict.fromkeys(offered, describe.OFFER_SIGN)
        self._write("\n" + describe.drawing(board, signs) + "\n")
        if fouls:
            self._say("terminal.fouls", sign=describe.FOUL_SIGN)
        if offered:
            self._say("terminal.offered", sign=describe.OFFER_SIGN, points=describe.row(board, offered))
        regular = sentences.regular(session)
        if regular is not None:
            self._say(regular)
        if session.decision is not None and not sentences.computer_to_act(self.session):
            self._say_options(session.decision.options)

    def _say_options(self, options: Sequence[str]) -> None:
        for option in options:
            if not option.isdigit():
                self._say("plain.option", option=option, text=option_message(option))

    def _example(self) -> dict[str, object]:
        """Return a point near the middle, as a name and as row and column, for the help texts."""
        board = self.session.board
        x, y = board.width // 2, board.height // 2
        return {
            "point": board.name(y * board.width + x),
            "row": board.height - y,
            "column": x + 1,
        }

    def _prompt(self) -> Message:
        session, actor = self.session, self.session.actor or FIRST
        if session.request is not None:
            asker = describe.colour(session.colour_of(session.request.by))
            return Message(f"plain.request.{session.request.kind}", {"colour": asker})
        clock = sentences.clock(session, actor)
        if session.decision is not None:
            asked = describe.question(session.board, session.decision)
            values = {"who": sentences.who(session, actor), "clock": clock, "question": asked}
            return Message("plain.prompt.opening", values)
        colour = describe.colour(session.board.turn)
        return Message("plain.prompt", {"number": session.board.ply + 1, "colour": colour, "clock": clock})

    # The computer

    def _computer_acts(self) -> bool:
        """Let the computer act; False if it failed and no user can continue."""
        session, actor = self.session, self.session.actor or FIRST
        try:
            answer = self._answer(session.think)
            if session.check_time() is None:
                said = sentences.answer(session, answer)
                session.apply(answer)
                self._say(said)
                self._say_swap(answer)
        except TengenError as error:
            show_notes(error)
            colour = describe.colour(session.colour_of(actor))
            self._say("terminal.player_failed", colour=colour, reason=error.message)
            if not self._attended:
                return False
            session.hand_over(actor, HUMAN)
            self._say("terminal.handed_over", colour=colour)
        return True

    def _answer(self, ask: Callable[..., Choice | str]) -> Choice | str:
        return answered(ask, self.session.decision, self._write, self._lang)

    def _say_swap(self, answer: Choice | str) -> None:
        """Show the seats after a choice of colours."""
        if answer in ("black", "white"):
            self._say_seats()

    # The human

    def _human_acts(self) -> None:
        """Read lines until one of them requires a new drawing of the board."""
        changed = False
        while not (changed or self._quit):
            line = self._read(self._prompt())
            if line is not None:
                # The time may have run out meanwhile.
                changed = self.session.check_time() is not None or self._one_line(line)

    def _one_line(self, line: str) -> bool:
        try:
            return self._obey(line)
        except TengenError as error:
            show_notes(error)
            self._refuse(line, error)
            return False

    def _confirmed(self, question: str) -> bool:
        line = self._read(Message(question))
        return line is not None and self._word(line) == "y"

    def _refuse(self, line: str, error: TengenError) -> None:
        not_a_point = error.message.key == "error.notation.point"
        if isinstance(error, GameOver) or (self.session.result is not None and not_a_point):
            self._say("plain.over")
        else:
            example = str(self._example()["point"])
            self._refuse_move(self.session.board, line, error, "error.plain.input", example)

    def _obey(self, line: str) -> bool:
        """Execute a line; True if the board should be drawn again."""
        if not line:
            self._say("plain.help.short", **self._example())
            return False
        decision = self.session.decision
        options = () if decision is None else decision.options
        if (option := self._option(line, options)) is not None:
            self.session.choose(option)
            self._say_swap(option)
            return True
        first, *rest = line.split(maxsplit=1)
        command = self._word(first)
        if not rest and command in self._commands:
            return self._commands[command](self)
        if command in self._with_argument:
            missing, act = self._with_argument[command]
            if not rest:
                raise NotAllowed(missing, command=command)
            return act(self, rest[0])
        if options:
            self.session.choose(line)
        else:
            self.session.play(point_of(self.session.board, line))
        return True

    def _option(self, line: str, options: Sequence[str]) -> str | None:
        """Return the option that a line names, in full or by a unique prefix, or a colour by its name."""
        word = unicodedata.normalize("NFKC", line).lower()
        colours = {say(name, self._lang).lower(): name for name in ("black", "white")}
        word = colours.get(word, word)
        if word in options:
            return word
        begun = [option for option in options if option.startswith(word) and not option.isdigit()]
        return begun[0] if len(begun) == 1 else None

    def _help(self) -> bool:
        example = self._example()
        cells = f"{example['row']} {example['column']}"
        padded = {"padded": f"{example['point']:<8}", "cells": f"{cells:<8}"}
        self._say("plain.help", **example, **padded)
        decision = self.session.decision
        if decision is not None:
            self._say_options(decision.options)
        return False

    def _leave(self) -> bool:
        self._quit = True
        return False

    def _take_back(self) -> bool:
        session, before = self.session, len(self.session.events)
        session.take_back()
        for sentence in sentences.taken_back(session, session.events[before:]):
            self._say(sentence)
        return True

    def _hint(self) -> bool:
        session = self.session
        who = adviser(session, self._adviser)
        answer = self._answer(partial(session.hint, who))
        self._say(sentences.hint(session, answer))
        return False

    def _board(self) -> bool:
        self._draw()
        return False

    def _why(self) -> bool:
        who, board = to_explain(self.session, self._adviser)
        search = Search.start(contained, lambda stop: explained(who, board, stop=stop))
        choice, why = with_dots(search, self._write, self._lang)
        self._say("app.why", who=player_name(who.name))
        width = columns_of(self._out)
        told = guarded(lambda: explanation_text.text(board, choice, why, self._lang, width))
        self._write(f"{told}\n")
        return False

    def _resign(self) -> bool:
        if self.session.result is None and not self._confirmed("plain.sure.resign"):
            return False
        self.session.resign()
        return True

    def _draw_offer(self) -> bool:
        session = self.session
        session.offer_draw()
        if session.result is None and session.request is None:
            self._say("terminal.declined")
        return session.result is not None

    def _claim(self) -> bool:
        humans = sentences.humans(self.session)
        self.session.claim(humans[0] if len(humans) == 1 else None)
        return True

    def _pass(self) -> bool:
        self.session.play(PASS_TEXT)
        return True

    def _yes(self) -> bool:
        self.session.answer(accept=True)
        return True

    def _no(self) -> bool:
        self.session.answer(accept=False)
        self._say("terminal.refused")
        return False

    def _new(self) -> bool:
        session = self.session
        playing = session.result is None and session.actions
        if playing and not self._confirmed("plain.sure.new"):
            return False
        self.session = session.again()
        self._greet()
        return True

    def _save(self, name: str) -> bool:
        told = saved_games.save(name, self.session)
        self._say("terminal.saved", file=shown(name))
        if told is not None:
            self._say(told)
        return False

    def _load(self, name: str) -> bool:
        self.session = saved_games.load(name, make_player)
        self._say("terminal.loaded", file=shown(name))
        self._greet()
        return True

    def _seat_black(self, spec: str) -> bool:
        return self._seat(BLACK, spec)

    def _seat_white(self, spec: str) -> bool:
        return self._seat(WHITE, spec)

    def _seat(self, colour: Colour, spec: str) -> bool:
        self.session.hand_over(self.session.player_of(colour), seated(spec))
        self._say_seats()
        return True

    _commands: ClassVar[dict[str, Callable[[PlainGame], bool]]] = {
        "?": _help,
        "q": _leave,
        "u": _take_back,
        "h": _hint,
        "why": _why,
        "board": _board,
        "r": _resign,
        "d": _draw_offer,
        "c": _claim,
        "p": _pass,
        "y": _yes,
        "n": _no,
        "new": _new,
    }
    _with_argument: ClassVar[dict[str, tuple[str, Callable[[PlainGame, str], bool]]]] = {
        "s": ("error.plain.file", _save),
        "l": ("error.plain.file", _load),
        "b": ("error.plain.seat", _seat_black),
        "w": ("error.plain.seat", _seat_white),
    }

    # The end

    def _ended(self, result: Outcome) -> None:
        session = self.session
        self._say(describe.outcome(session.board, result))
        verdict = sentences.verdict(session)
        if verdict is not None:
            self._say(verdict)
        self._quit = not self._attended
        while not self._quit and not self._after_the_end():
            pass

    def _after_the_end(self) -> bool:
        """Read a line after the end of the game; True if there is a game to show again."""
        line = self._read(Message("plain.prompt.over"))
        if not line:
            return False
        word = self._word(line)
        if word == "y":
            return self._new()
        if word == "n":
            return self._leave()
        return self._one_line(line)
