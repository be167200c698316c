"""A game in the terminal, line by line: what works in every terminal, in a pipe and for a screen reader."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, TextIO

from tengen.game.board import Board
from tengen.game.errors import Forbidden, NotAllowed, TengenError
from tengen.game.notation import PASS_TEXT, from_row_column, shorten
from tengen.game.openings import option_message
from tengen.game.player import Choice, Player
from tengen.game.points import BLACK, WHITE, Colour
from tengen.game.rules import NAMES
from tengen.game.session import Session
from tengen.game.state import HUMAN, Occupant
from tengen.terminal import describe
from tengen.words import Message, say

_ROW_COLUMN = re.compile(r"([0-9]{1,9})[\s,]+([0-9]{1,9})")
_PATIENCE = 1.0
"""Seconds of thinking before a dot is shown, and between dots."""


class PlayerFailed(TengenError):
    """A player raised something that is no `TengenError`."""


class PlainGame:
    """Plays a session over a pair of text streams until the user leaves.

    Args:
        session: the game.
        make_player: makes a player of its spec.
        adviser: who gives hints; if None, the computer at the table.
        again: makes a new session for another game.
        lang: the language to speak.
        source: where lines come from.
        out: where text goes.
    """

    def __init__(
        self,
        session: Session,
        make_player: Callable[[str], Player],
        adviser: Player | None,
        again: Callable[[], Session],
        lang: str,
        source: TextIO,
        out: TextIO,
    ) -> None:
        self.session = session
        self._make_player = make_player
        self._adviser = adviser
        self._again = again
        self._lang = lang
        self._source = source
        self._out = out
        self._seen = 0
        self._quit = False

    def run(self) -> int:
        """Play until the user quits or the input ends.

        Returns:
            The exit status: 0, or 1 where a game between computers broke off.
        """
        self._greet()
        while not self._quit:
            self._draw()
            if self.session.check_time() is not None:
                self._ended()
            elif self._computer_to_act():
                if not self._computer_acts():
                    return 1
            else:
                self._human_acts()
        return 0

    # What is shown

    def _say(self, message: Message | str, **values: object) -> None:
        if isinstance(message, str):
            message = Message(message, values)
        self._write(say(message, self._lang) + "\n")

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()

    def _greet(self) -> None:
        rules = self.session.rules
        name = Message(f"rules.{rules.name}" if rules.name in NAMES else "rules.custom")
        self._say("plain.greeting", rules=name, size=rules.size_text, k=rules.k)
        for colour in (BLACK, WHITE):
            occupant = self.session.occupant(colour)
            who = Message("plain.human") if isinstance(occupant, str) else occupant.name
            self._say("plain.seat", colour=describe.colour(colour), sign=" XO"[colour], who=who)
        self._say("plain.help.short")

    def _draw(self) -> None:
        board, opening = self.session.board, self.session.opening
        fouls = board.fouls() if self.session.result is None and board.turn == BLACK else {}
        signs = dict.fromkeys(fouls, describe.FOUL_SIGN)
        if opening is not None:
            signs |= dict.fromkeys(opening.offered, describe.OFFER_SIGN)
        self._write("\n" + describe.drawing(board, signs) + "\n")
        if fouls:
            self._say("plain.fouls", sign=describe.FOUL_SIGN)

    def _prompt(self) -> Message:
        session = self.session
        actor = session.actor
        if session.request is not None:
            key = f"plain.request.{session.request.kind}"
            return Message(key, {"colour": describe.colour(session.colour_of(session.request.by))})
        if actor is None:
            return Message("plain.prompt.over")
        decision = session.decision
        values: dict[str, object] = {"colour": describe.colour(session.colour_of(actor))}
        if decision is not None:
            return Message("plain.prompt.opening", values | {"question": decision.message})
        values["clock"] = ""
        clock = session.clock(actor)
        if clock is not None:
            seconds = round(clock.left(0.0))
            values["clock"] = Message("plain.clock", {"left": f"{seconds // 60}:{seconds % 60:02}"})
        return Message("plain.prompt", values | {"number": session.board.ply + 1})

    # The computer

    def _computer_to_act(self) -> bool:
        actor = self.session.actor
        return actor is not None and self.session.seats[actor].occupant != HUMAN and not self.session.paused

    def _computer_acts(self) -> bool:
        """Let the computer act; False where nobody is left to go on after it failed."""
        session = self.session
        actor = session.actor or 1
        colour = describe.colour(session.colour_of(actor))
        try:
            answer = self._patiently(lambda stop: session.think(stop=stop))
            session.apply(answer)
        except TengenError as error:
            self._say("plain.player_failed", colour=colour, reason=error.message)
            if all(seat.occupant != HUMAN for seat in session.seats.values()):
                return False
            session.hand_over(actor, HUMAN)
            self._say("plain.handed_over", colour=colour)
            return True
        if isinstance(answer, str):
            self._say("plain.chose", colour=colour, option=option_message(answer))
        else:
            self._say("plain.played", colour=colour, point=session.board.name(answer.point))
        return True

    def _patiently(self, task: Callable[[threading.Event], Choice | str]) -> Choice | str:
        """Run a player's thinking beside the terminal: dots while it lasts, Ctrl-C for an answer now."""
        stop = threading.Event()
        result: list[Choice | str] = []
        failure: list[TengenError] = []

        def work() -> None:
            try:
                result.append(task(stop))
            except TengenError as error:
                failure.append(error)
            except Exception as error:  # a player may be anybody's class
                reason = shorten(f"{type(error).__name__}: {error}")
                failure.append(PlayerFailed("error.player", reason=reason))

        worker = threading.Thread(target=work, daemon=True)
        worker.start()
        dots = False
        while worker.is_alive():
            try:
                worker.join(_PATIENCE)
                if worker.is_alive():
                    self._write("." if dots else say("plain.thinking", self._lang))
                    dots = True
            except KeyboardInterrupt:
                if stop.is_set():
                    raise
                stop.set()
        if dots:
            self._write("\n")
        if failure:
            raise failure[0]
        return result[0]

    # The human

    def _human_acts(self) -> None:
        """Read lines until one of them has changed something worth drawing."""
        changed = False
        while not (changed or self._quit):
            changed = self._one_line()

    def _one_line(self) -> bool:
        line = self._read(self._prompt())
        if line is None:
            return False
        if self.session.check_time() is not None:
            return True
        try:
            return self._obey(line)
        except TengenError as error:
            self._refuse(line, error)
            return False

    def _read(self, prompt: Message) -> str | None:
        """The next line, or None at the end of input, which quits."""
        self._write(say(prompt, self._lang) + " ")
        try:
            line = self._source.readline()
        except KeyboardInterrupt:
            line = ""
        if not line:
            self._write("\n")
            self._quit = True
            return None
        return unicodedata.normalize("NFKC", line).strip()

    def _refuse(self, line: str, error: TengenError) -> None:
        self._say(error.message)
        if isinstance(error, Forbidden):
            board = self.session.board
            point = self._point(board, line)
            found = board.foul(point)
            if found is not None:
                self._say(describe.foul(board, point, found))

    def _point(self, board: Board, line: str) -> int:
        match = _ROW_COLUMN.fullmatch(line)
        if match is None:
            return board.point(line)
        row, column = (int(number) for number in match.groups())
        return from_row_column(row, column, board.width, board.height)

    def _obey(self, line: str) -> bool:
        """Carry out one line; True if the board should be drawn again."""
        word, _, rest = line.partition(" ")
        word, rest = word.lower(), rest.strip()
        if not line:
            self._say("plain.help.short")
            return False
        if rest and word in self._with_argument:
            return self._with_argument[word](self, rest)
        if not rest and word in self._commands:
            return self._commands[word](self)
        if word in ("s", "l"):
            raise NotAllowed("error.plain.file", command=word)
        decision = self.session.decision
        if decision is not None and decision.options:
            self.session.choose(word)
        else:
            self.session.play(self._point(self.session.board, line))
        return True

    def _help(self) -> bool:
        self._say("plain.help")
        decision = self.session.decision
        if decision is not None:
            for option in decision.options:
                self._say("plain.option", option=option, text=option_message(option))
        return False

    def _leave(self) -> bool:
        self._quit = True
        return False

    def _take_back(self) -> bool:
        session = self.session
        session.take_back()
        if session.request is None:
            event = session.events[-1]
            left = event.data["left"]
            colour = describe.colour(session.colour_of(event.by or 1))
            if left is None:
                self._say("plain.taken_back.unlimited", stones=event.data["stones"])
            else:
                self._say("plain.taken_back", stones=event.data["stones"], colour=colour, left=left)
        return True

    def _hint(self) -> bool:
        session = self.session
        answer = self._patiently(lambda stop: session.hint(self._adviser, stop=stop))
        if isinstance(answer, str):
            self._say("plain.hint.option", option=answer)
        else:
            self._say("plain.hint", point=session.board.name(answer.point))
        return False

    def _resign(self) -> bool:
        self.session.resign()
        return True

    def _draw_offer(self) -> bool:
        session = self.session
        session.offer_draw()
        if session.request is None and session.result is None:
            self._say("plain.declined")
            return False
        return True

    def _claim(self) -> bool:
        self.session.claim()
        return True

    def _pass(self) -> bool:
        self.session.play(PASS_TEXT)
        return True

    def _yes(self) -> bool:
        self.session.answer(accept=True)
        return True

    def _no(self) -> bool:
        self.session.answer(accept=False)
        return True

    def _new(self) -> bool:
        self.session = self._again()
        self._greet()
        return True

    def _save(self, name: str) -> bool:
        path = Path(name).expanduser()
        beside = path.with_name(path.name + ".part")
        try:
            # A whole file or the old one: never half a game.
            beside.write_text(self.session.to_json() + "\n", "utf-8")
            beside.replace(path)
        except (OSError, ValueError) as error:
            raise NotAllowed("error.file.write", file=shorten(name), reason=_why(error)) from error
        self._say("plain.saved", file=name)
        return False

    def _load(self, name: str) -> bool:
        self.session = load(name, self._make_player)
        self._say("plain.loaded", file=name)
        return True

    def _seat_black(self, spec: str) -> bool:
        return self._seat(BLACK, spec)

    def _seat_white(self, spec: str) -> bool:
        return self._seat(WHITE, spec)

    def _seat(self, colour: Colour, spec: str) -> bool:
        session = self.session
        occupant: Occupant = HUMAN if spec == HUMAN else self._make_player(spec)
        session.hand_over(session.player_of(colour), occupant)
        return True

    _commands: ClassVar[dict[str, Callable[[PlainGame], bool]]] = {
        "?": _help,
        "q": _leave,
        "u": _take_back,
        "h": _hint,
        "r": _resign,
        "d": _draw_offer,
        "c": _claim,
        "p": _pass,
        "y": _yes,
        "n": _no,
        "new": _new,
    }
    _with_argument: ClassVar[dict[str, Callable[[PlainGame, str], bool]]] = {
        "s": _save,
        "l": _load,
        "b": _seat_black,
        "w": _seat_white,
    }

    # The end

    def _ended(self) -> None:
        session = self.session
        result = session.result
        if result is None:
            return
        self._say(describe.outcome(session.board, result))
        humans = [who for who, seat in session.seats.items() if seat.occupant == HUMAN]
        if not humans:
            self._quit = True
            return
        if len(humans) == 1 and result.winner is not None:
            won = session.colour_of(humans[0]) == result.winner
            self._say("plain.you_win" if won else "plain.you_lose")
        asking = True
        while asking and not self._quit:
            asking = not self._after_the_end()

    def _after_the_end(self) -> bool:
        """Read one line after the end; True if the game has changed."""
        line = self._read(Message("plain.prompt.over"))
        if line is None:
            return False
        if line.lower() in ("y", "yes", "\u662f"):
            return self._new()
        if line.lower() in ("n", "no", "\u5426"):
            return self._leave()
        try:
            return self._obey(line)
        except TengenError as error:
            self._refuse(line, error)
            return False


def load(name: str, make_player: Callable[[str], Player]) -> Session:
    """The session saved in a file.

    Raises:
        NotAllowed: the file cannot be read.
        NotationError: it holds no saved session.
    """
    try:
        text = Path(name).expanduser().read_text("utf-8")
    except (OSError, ValueError) as error:
        raise NotAllowed("error.file.read", file=shorten(name), reason=_why(error)) from error
    return Session.from_json(text, make_player)


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
