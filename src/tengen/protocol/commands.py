"""The commands of the Gomocup protocol, one method each, and the position that they apply to.

Behaviour that the protocol leaves open:

- Only the side to move counts, not which side the engine has played: ``TURN`` places a stone for the side
  to move, and Tengen moves for the other. So stones may be taken back, and sides changed, at any time. For
  lists of stones see `tengen.gomocup.stones`.
- A foul that the other side plays in renju is accepted. The manager has to judge it.
- A ``TURN`` that ends the game is an error, as there is no move to answer with, but its stone stays on the
  board and may be taken back.
- A known command within a list of stones aborts the list with an error; the command is executed, and the
  remaining lines of the list are ignored. ``INFO`` and ``STOP`` do not abort a list.
- ``INFO`` never causes an error. An invalid value leaves the setting unchanged, and for unsupported rules
  Tengen plays the closest rules that it supports. The next command about the position reports this first,
  in a MESSAGE.
- Numbers may be followed by a unit, a remark, or other words without digits, and spaces may replace commas.
- ``YXBOARD`` has no answer; the answer to ``YXNBEST n`` is the best move, which is not played.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from tengen.engine.board.playable import LARGEST, SMALLEST
from tengen.game.board import Board
from tengen.game.notation import shorten
from tengen.game.points import Point
from tengen.game.rules import Rules
from tengen.gomocup.answers import OK, SWAP, about_line, forbid_line, moves_line
from tengen.gomocup.command_names import CommandName, start_size
from tengen.gomocup.coordinates import parse_point, point_text
from tengen.gomocup.info_values import TIMES, negative_remark, parse_info
from tengen.gomocup.protocol_lines import ProtocolError, ProtocolLine, whole_number
from tengen.gomocup.stones import StoneList, board_after, board_of, like_a_stone
from tengen.protocol import boards
from tengen.protocol.output import Output
from tengen.protocol.thinking import Thinking
from tengen.words import Message, say

if TYPE_CHECKING:
    from tengen.engine.info import Info

STOPS = (CommandName.STOP, CommandName.YXSTOP)
"""The commands that stop a search."""

_MOST_LINES = 50
"""The most lines of YXNBEST."""


class Commands:
    """The state of the game, and the execution of commands.

    Args:
        out: the output for answers.
        thinking: runs the slow answers; until one is finished, only prompt commands may be executed.
        lang: the language of messages.
    """

    def __init__(self, out: Output, thinking: Thinking, lang: str) -> None:
        self._out = out
        self._thinking = thinking
        self._lang = lang
        self._board: Board | None = None
        self._listed = 0
        self._list: StoneList | None = None
        self._broken = False
        self._complaints: dict[str, Message] = {}
        self._rule_told = 0

    @staticmethod
    def is_prompt(line: ProtocolLine) -> bool:
        """Return whether a command may be executed while another is in progress."""
        return line.word == CommandName.INFO or line.word in STOPS

    def obey(self, line: ProtocolLine) -> None:
        """Execute a command, or read a line of a list.

        Raises:
            TengenError: the command failed, and nothing has changed.
        """
        word = line.word
        if self._list is not None:
            stones, self._list = self._list, None
            if word == CommandName.DONE:
                self._LISTS[stones.command](self, stones, line)
                return
            if word not in self._COMMANDS or self.is_prompt(line):
                self._list = stones
                if self.is_prompt(line):
                    self._COMMANDS[word](self, line)
                else:
                    stones.lines.append(line.text)
                return
            self._broken = True
            broken = {"command": stones.command, "other": word}
            self._out.error(Message("error.gomocup.broken", broken))
        elif self._broken:
            self._broken = like_a_stone(line.text)
            if self._broken or word == CommandName.DONE:
                return
        command = self._COMMANDS.get(word)
        if command is None:
            self._out.unknown(line.text)
        else:
            command(self, line)

    # -- the position

    def _rules(self, size: int) -> Rules:
        """Return the rules to play, the closest supported ones.

        INFO lines that could not be applied are reported.
        """
        settings = self._thinking.settings
        remark = None if settings.rule == self._rule_told else settings.rule_remark()
        for message in (*self._complaints.values(), *([] if remark is None else [remark])):
            self._out.note(message)
        self._complaints.clear()
        self._rule_told = settings.rule
        return settings.rules(size)

    def _game(self) -> Board:
        """Return the board, under the rules to play.

        Raises:
            ProtocolError: there is no board.
        """
        if self._board is None:
            raise ProtocolError("error.gomocup.no_board")
        self._board = boards.under(self._board, self._rules(self._board.width))
        return self._board

    def _move(self, board: Board, asked: float, listed: int) -> None:
        """Search for a move on a board, and play it; the board becomes the position.

        Raises:
            ProtocolError: the game is over.
        """
        _check_open(board)
        self._thinking.search(board, lambda infos: self._moved(board, infos[0].point, asked, listed), asked)

    def _moved(self, board: Board, point: Point, asked: float, listed: int) -> None:
        """Play Tengen's own move and send it."""
        self._board, self._listed = boards.put(board, point), listed
        self._thinking.moved(asked)
        self._out.answer(point_text(point, board.width, board.height))
        self._thinking.ponder(self._board)

    def _new_game(self, rules: Rules) -> None:
        self._board, self._listed = Board(rules), 0
        self._thinking.new_game()
        self._out.answer(OK)

    # -- games

    def _start(self, line: ProtocolLine) -> None:
        """Execute START or RECTSTART."""
        size = start_size(line)
        width, height = size or (0, 0)
        if width != height or (size is None and line.word == CommandName.RECTSTART):
            raise ProtocolError("error.gomocup.rectangle", text=shorten(line.rest))
        if not SMALLEST <= width <= LARGEST:
            text = shorten(line.rest) if size is None else str(width)
            raise ProtocolError("error.gomocup.start", text=text, least=SMALLEST, most=LARGEST)
        rules = self._rules(width)
        if self._thinking.loader.compiling:
            self._out.note(self._thinking.loader.compiling)

        def ready() -> None:
            self._new_game(rules)
            self._get_ready(line)  # INFO may have arrived meanwhile

        self._thinking.prepare(rules, line.at, ready)

    def _restart(self, _: ProtocolLine) -> None:
        self._new_game(self._game().rules)

    # -- moves

    def _begin(self, line: ProtocolLine) -> None:
        board = self._game()
        if any(board.position):
            raise ProtocolError("error.gomocup.begun")
        self._move(Board(board.rules), line.at, 0)

    def _turn(self, line: ProtocolLine) -> None:
        board = self._game()
        after = boards.put(board, parse_point(line.rest, board.width, board.height))
        if after.outcome() is not None:
            self._board = after
        self._move(after, line.at, self._listed)

    def _play(self, line: ProtocolLine) -> None:
        board = self._game()
        point = parse_point(line.rest, board.width, board.height)
        self._board = boards.put(board, point)
        self._out.answer(point_text(point, board.width, board.height))

    def _take_back(self, line: ProtocolLine) -> None:
        board = self._game()
        point = parse_point(line.rest, board.width, board.height)
        self._board = boards.take_back(board, point, self._listed)
        self._out.answer(OK)

    # -- lists of stones

    def _list_begins(self, line: ProtocolLine) -> None:
        self._list = StoneList(line.word)

    def _list_ends(self, _: ProtocolLine) -> None:
        raise ProtocolError("error.gomocup.done")

    def _listed_board(self, stones: StoneList) -> Board:
        rules = self._game().rules
        return board_of(stones.stones(rules.width, rules.height), rules)

    def _move_on(self, stones: StoneList, line: ProtocolLine) -> None:
        """Execute BOARD at the end of its list."""
        board = self._listed_board(stones)
        self._move(board, line.at, board.ply)

    def _show(self, stones: StoneList, _: ProtocolLine) -> None:
        """Execute YXBOARD at the end of its list."""
        self._board = self._listed_board(stones)
        self._listed = self._board.ply

    def _swap2(self, stones: StoneList, line: ProtocolLine) -> None:
        """Execute SWAP2BOARD at the end of its list."""
        rules = self._game().rules
        points = [point for point, _ in stones.stones(rules.width, rules.height)]
        from tengen.protocol import swap2

        if len(points) not in (0, swap2.STONES, swap2.STONES + 2):
            raise ProtocolError("error.gomocup.swap2", count=len(points))
        board = board_after(points, rules)
        _check_open(board)

        def opened(points: tuple[Point, ...]) -> None:
            self._board, self._listed = board_after(points, rules), 0
            self._out.answer(moves_line(points, rules.width, rules.height))

        def answered(infos: list[Info]) -> None:
            if swap2.wants_black(infos[0]):
                self._board, self._listed = board, 0
                self._out.answer(SWAP)
            else:
                self._moved(board, infos[0].point, line.at, 0)

        if points:
            self._thinking.search(board, answered, line.at)
        else:
            self._thinking.open_swap2(rules, line.at, opened)

    # -- other commands

    def _about(self, _: ProtocolLine) -> None:
        self._out.answer(about_text(self._lang))

    def _info(self, line: ProtocolLine) -> None:
        key, _ = parse_info(line.rest)
        thinking = self._thinking
        before = thinking.settings
        try:
            thinking.settings = before.updated(line.rest)
        except ProtocolError as error:
            self._complaints[key] = error.message
            return
        self._complaints.pop(key, None)
        if (remark := negative_remark(line.rest)) is not None:
            self._complaints[key] = remark
        if key == "time_left":
            thinking.left_told()
        if key in TIMES and thinking.settings != before:
            thinking.relimit()
        if thinking.settings.rule != before.rule and thinking.job is None and thinking.loader.loaded:
            self._get_ready(line)

    def _get_ready(self, line: ProtocolLine) -> None:
        """Prepare the tables of changed rules before a move's clock runs."""
        rules = self._thinking.settings.rules(SMALLEST if self._board is None else self._board.width)
        if self._board is None or self._board.rules != rules:
            self._thinking.prepare(rules, line.at, lambda: None)

    def _fouls(self, _: ProtocolLine) -> None:
        board = self._game()
        self._out.answer(forbid_line(board.fouls(), board.width, board.height))

    def _best_lines(self, line: ProtocolLine) -> None:
        board = self._game()
        count = whole_number(line.rest)
        if count is None or not 1 <= count <= _MOST_LINES:
            raise ProtocolError("error.gomocup.lines", text=shorten(line.rest), most=_MOST_LINES)
        _check_open(board)

        def answered(infos: list[Info]) -> None:
            self._out.answer(point_text(infos[0].point, board.width, board.height))

        self._thinking.search(board, answered, line.at, count, playing=False)

    def _forget(self, _: ProtocolLine) -> None:
        self._thinking.loader.forget()

    def _stop(self, _: ProtocolLine) -> None:
        self._thinking.stop()

    _COMMANDS: ClassVar[dict[str, Callable[[Commands, ProtocolLine], None]]] = {
        CommandName.ABOUT: _about,
        CommandName.BEGIN: _begin,
        CommandName.BOARD: _list_begins,
        CommandName.DONE: _list_ends,
        CommandName.INFO: _info,
        CommandName.PLAY: _play,
        CommandName.RECTSTART: _start,
        CommandName.RESTART: _restart,
        CommandName.START: _start,
        CommandName.STOP: _stop,
        CommandName.SWAP2BOARD: _list_begins,
        CommandName.TAKEBACK: _take_back,
        CommandName.TURN: _turn,
        CommandName.YXBOARD: _list_begins,
        CommandName.YXHASHCLEAR: _forget,
        CommandName.YXNBEST: _best_lines,
        CommandName.YXSHOWFORBID: _fouls,
        CommandName.YXSTOP: _stop,
    }
    _LISTS: ClassVar[dict[str, Callable[[Commands, StoneList, ProtocolLine], None]]] = {
        CommandName.BOARD: _move_on,
        CommandName.SWAP2BOARD: _swap2,
        CommandName.YXBOARD: _show,
    }


def about_text(lang: str) -> str:
    """Return the answer to ABOUT."""
    from tengen import __version__

    about = {
        "name": "Tengen",
        "version": __version__,
        "author": say("gomocup.author", lang),
        "country": "-",
        "www": "-",
        "email": "-",
    }
    return about_line(about)


def _check_open(board: Board) -> None:
    """Check that the game is not over.

    Raises:
        ProtocolError: the game is over.
    """
    if board.outcome() is not None:
        raise ProtocolError("error.gomocup.over")
