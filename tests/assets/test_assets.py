"""What the browser draws with: the files as such, the same answers as in Python, and a real browser."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest

from tengen import assets
from tengen.arena.report import plots
from tengen.formats.pictures.svg import shows_signs
from tengen.formats.pictures.svg_coordinates import coordinate_texts
from tengen.formats.pictures.svg_layout import CELL, layout, star_points
from tengen.formats.pictures.svg_shapes import figure
from tengen.formats.pictures.svg_themes import THEMES
from tengen.game import notation
from tengen.game.points import BLACK, WHITE
from tengen.game.rules import Rules
from tengen.words import catalogue, say
from tests.assets.browser import needs_browser, play_with
from tests.assets.colours import contrast, from_hex

MODULES = [name.removesuffix(".js") for name in assets.names() if name.endswith(".js")]
SCRIPTS = Path(__file__).parent
SHEETS = [name.removesuffix(".css") for name in assets.names() if name.endswith(".css")]


# -- the files


def test_every_file_says_what_it_is_for():
    assert {"board", "replay", "words"} <= set(MODULES)
    assert {"board", "replay", "theme"} <= set(SHEETS)
    for name in assets.names():
        assert assets.read(name).startswith(("/**\n * ", "/* ")), name


def test_no_such_file():
    with pytest.raises(FileNotFoundError):
        assets.read("no_such_file.css")


@pytest.mark.parametrize("name", assets.names())
def test_no_file_asks_the_network_for_anything_or_needs_a_page_without_a_policy(name):
    text = assets.read(name).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|^@import|\burl\((?!#\$)", text, re.MULTILINE)
    assert not re.search(r"\binnerHTML|\beval\(|new Function|setAttribute\(\"style", text)


def test_a_page_from_a_file_has_every_module_by_name():
    addresses = json.loads(assets.import_map())["imports"]
    assert sorted(addresses) == [f"{module}.js" for module in MODULES]
    for module, address in addresses.items():
        text = base64.b64decode(address.partition(",")[2]).decode()
        imported = re.findall(r'^(?:import|export) .* from "([^"]+)";', text, re.MULTILINE)
        assert set(imported) <= addresses.keys(), module


@pytest.mark.parametrize(("name", "text"), assets.generated().items())
def test_what_is_made_of_json_is_up_to_date(name, text):
    assert assets.read(name) == text, "python -m tengen.assets makes it"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_sentence_the_modules_say_is_in_the_catalogue(lang):
    keys = {
        key for module in MODULES for key in re.findall(r'say\(\s*"([\w.-]+)"', assets.read(f"{module}.js"))
    }
    assert len(keys) > 20
    assert keys - catalogue(lang).keys() == set()


@pytest.mark.parametrize("sheet", SHEETS)
def test_light_and_dark_are_said_in_one_place(sheet):
    assert "prefers-color-scheme" not in assets.read(f"{sheet}.css")


def test_the_colours_of_a_board_are_said_once():
    themes = assets.board_themes()
    assert set(themes) == {
        f"{name}{dark}"
        for name in ("wood", "plain", "slate", "contrast", "print")
        for dark in ("", " dark")
    }
    for name, colours in themes.items():
        assert colours.keys() == themes["wood"].keys(), name
        lengths = {key: value for key, value in colours.items() if not value.startswith("#")}
        assert lengths == {"radius": "0" if "print" in name else "8"}
    assert (themes["plain"]["grid"], themes["plain dark"]["grid"]) == ("#958b7a", "#8f8069")
    drawn = assets.read("board.css")
    assert not re.search(r"#[0-9a-f]{3,8}\b", drawn)
    assert set(re.findall(r"var\(--board-([\w-]+)", drawn)) - {"ratio"} == themes["wood"].keys()
    explained = str(assets.board_themes.__doc__)
    assert [key for key in themes["wood"] if f"``{key.partition('-')[0]}``" not in explained] == []


EDGES = ("black-rim", "white-rim")
"""What sets stones off from the board."""

MARKS = ("ink", "here", "warn", "row", "black-sign", "white-sign")


@pytest.mark.parametrize("dark", ["", " dark"])
@pytest.mark.parametrize(
    ("name", "least", "seen"),
    [("wood", 3, ()), ("plain", 3, (*EDGES, *MARKS)), ("slate", 3, (*EDGES, *MARKS))]
    + [(name, 7, (*EDGES, *MARKS)) for name in ("contrast", "print")],
)
def test_what_is_drawn_stands_out_from_the_board(name, dark, least, seen):
    colours = assets.board_themes()[name + dark]
    for part in ("grid", "label", *seen):
        for board in ("wood-0", "wood-1"):
            assert contrast(from_hex(colours[part]), from_hex(colours[board])) >= least, (part, board)
    for part in ("text", "last"):
        assert contrast(from_hex(colours[f"black-{part}"]), from_hex(colours["black-1"])) >= least
        assert contrast(from_hex(colours[f"white-{part}"]), from_hex(colours["white-1"])) >= least


def test_pictures_have_the_colours_of_the_browser():
    themes = assets.board_themes()
    for name, theme in THEMES.items():
        colours = themes["plain dark" if name == "dark" else name]
        said = (theme.grid, theme.ink, theme.here, theme.warn, *theme.board, *theme.row)
        assert said == tuple(
            colours[key] for key in ("grid", "ink", "here", "warn", "wood-0", "wood-1", "row", "light")
        )
        for colour, key in ((BLACK, "black"), (WHITE, "white")):
            stones = theme.stones[colour]
            assert (stones.rim, stones.last) == (colours[f"{key}-rim"], colours[f"{key}-last"])
            assert [c for _, c in stones.shade] == ([colours[f"{key}-{i}"] for i in range(3)])[
                : len(stones.shade)
            ]
    assert {name for name, theme in THEMES.items() if theme.shadow} == {"wood", "dark", "slate"}


def test_the_lengths_of_a_board_are_said_once():
    lengths = assets.board_lengths()
    assert (lengths["cell"], lengths["stars"]["15x15"]["lines"]) == (CELL, [3, 7, 11])
    for module in ("board_drawing", "board_layout"):
        code = assets.read(f"{module}.js")
        assert 'import { LENGTHS } from "./board_lengths.js"' in code
        assert not re.search(r'"(?:stroke-width|stroke-opacity|font-size)": [\d.]', code)
    explained = str(assets.board_lengths.__doc__)
    assert [name for name in lengths if f"``{name}``" not in explained] == []


# -- the same as in Python


@pytest.fixture(scope="module")
def same(tmp_path_factory):
    """What the modules answer to what Python knows too."""
    script = SCRIPTS.joinpath("same.js").read_text("utf-8")
    return play_with(tmp_path_factory.mktemp("same"), script, "replay", "board_layout", "notation")


@needs_browser
def test_boards_are_measured_as_in_pictures(same):
    assert len(same["layouts"]) == 80
    for found in same["layouts"]:
        plan = layout(
            found["w"],
            found["h"],
            signs=found["signs"],
            coordinates=found["named"],
            legend=False,
            style=found["style"],
        )
        for length in ("text", "left", "top", "width", "height"):
            assert found[length] == pytest.approx(getattr(plan, length)), found
        if found["named"]:
            assert found["aside"] == pytest.approx(plan.label_aside), found


@needs_browser
def test_star_points_and_signs_are_those_of_pictures(same):
    for width, height, stars in same["stars"]:
        assert sorted(y * width + x for x, y in stars) == star_points(width, height)
    for width, height, k, signs in same["signs"]:
        assert signs == shows_signs(Rules.mnk(width, height, k))


@needs_browser
def test_figures_and_names_are_written_as_in_python(same):
    for weight, text in same["figures"]:
        assert text == figure(weight)
    for column, text in same["columns"]:
        assert text == notation.column_name(column)
    for seconds, text in same["durations"]:
        assert text == plots.duration(seconds)
    assert same["moves"] == [[[7, 7], "h8"], [[27, 11], "ab12"], [None, "--"], [[0, 0], "a1"]]


@needs_browser
def test_coordinates_are_those_of_points_or_of_chinese_diagrams(same):
    assert same["letters"] == {"columns": ["A", "B", "C"], "rows": ["1", "2"]}
    chinese = same["chinese"]
    assert same["points"] == ["h8", "8八", "1一", "15十五"]
    assert coordinate_texts(3, 2, "letters") == tuple(same["letters"].values())
    assert coordinate_texts(50, 50, "chinese") == tuple(chinese.values())
    assert chinese["columns"] == [str(number) for number in range(1, 51)]
    down = chinese["rows"][::-1]
    assert down[:15] == [*"一二三四五六七八九十", "十一", "十二", "十三", "十四", "十五"]
    assert (down[18:21], down[29:31], down[39:41]) == (
        ["十九", "二十", "廿一"],
        ["三十", "卅一"],
        ["四十", "卌一"],
    )
    assert len(set(down)) == 50
    assert max(map(len, down)) == 2


@needs_browser
def test_sentences_are_said_as_in_python(same):
    assert same["said"] == [
        "Black wins: a1 b1, c1 d1 in a row",
        say("explain.mcts.visits", visits=1),
        say("explain.mcts.visits", visits="1"),
        say("explain.mcts.visits", visits=12),
    ]
    assert "no.such.key" in same["unknown"]
    assert "point" in same["missing"]


# -- the board


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    script = SCRIPTS.joinpath("board.js").read_text("utf-8")
    return play_with(tmp_path_factory.mktemp("board"), script, "board")


@needs_browser
def test_a_board_draws_what_it_is_told(board):
    assert board["empty"] == [0, 1, 15 + 9, "application"]
    drawn = board["drawn"]
    assert (drawn["black"], drawn["white"], drawn["last"], drawn["fouls"]) == (2, 1, 1, 1)
    assert drawn["heat"] == [2, 1, 1]
    assert drawn["marks"] == [1, 1]
    assert (drawn["win"], drawn["arrows"], drawn["numbers"]) == (1, 2, 2)


@needs_browser
def test_only_what_is_new_touches_the_page(board):
    assert board["drawn"]["kept"]
    assert board["drawn"]["fresh"] == 1


@needs_browser
def test_a_position_is_written_out_for_those_who_cannot_see_it(board):
    assert board["drawn"]["description"] == (
        "The arrow keys choose a point, Enter plays there. Black: h5 j5. White: i6. Last move: j5. "
        "Winning row: h5 i5 j5. Forbidden to Black: a1."
    )


@needs_browser
def test_any_point_can_be_chosen_and_y_counts_from_the_bottom(board):
    assert board["clicked"] == [[14, 8], [0, 0], [7, 4]]


@needs_browser
def test_a_stone_follows_the_pointer_where_it_can_be_put(board):
    assert board["hover"] == [1, True, [[3, 3]]]
    assert board["hoverStone"] == [0, False]
    assert board["hoverFoul"] == 0
    assert board["left"] is None


@needs_browser
def test_a_premove_is_marked_and_chosen_again_with_one_tap(board):
    assert board["premove"] == [2, 1, "d4, empty, premove"]
    assert board["premoveTapped"] == [[3, 3]]


@needs_browser
def test_a_part_is_enlarged_within_the_frame(board):
    assert board["part"] == [{"scale": 4, "left": 0.75, "top": 0}, 4]
    assert board["half"] in (6, 7)
    assert board["whole"] == {"scale": 1, "left": 0, "top": 0}


@needs_browser
def test_the_neighbourhood_of_a_point_is_copied(board):
    assert board["around"] == [2, None, [90, 90]]


@needs_browser
def test_a_finger_on_small_cells_chooses_twice(board):
    assert board["first"] == [[], 1, 1, "c3: tap again to play there"]
    assert board["other"] == []
    assert board["second"] == [[[3, 2]], 0]
    assert board["taken"] == [[7, 4]]  # nothing is played there, so there is nothing to be sure about


@needs_browser
def test_the_first_tap_is_kept_until_the_position_changes(board):
    assert board["redrawn"] == 1
    assert board["positionChanged"] == 0


@needs_browser
def test_the_keyboard_alone_suffices(board):
    assert board["start"] == [True, "i6, white stone, move 2, last move"]
    assert board["moved"] == "h7, empty"
    assert board["entered"] == [[7, 6], [7, 6]]
    assert board["corner"] == "a1, empty, forbidden"
    assert board["edge"] == "o9, empty"
    assert board["others"] == [False, False, False]
    assert board["stone"] == "h5, black stone, move 1"
    assert board["tab"] == 0


@needs_browser
def test_lines_fall_on_the_middle_of_a_pixel_at_any_size(board):
    for cell, line, ratio in board["sizes"]:
        assert cell == pytest.approx(round(cell), abs=1e-3)
        assert line % 1 == pytest.approx(0.5, abs=1e-3)
        assert ratio == pytest.approx(board["ratio"], rel=0.02)


@needs_browser
def test_a_board_leaves_nothing_behind(board):
    assert board["destroyed"] == ["", "", None, None, []]


@needs_browser
def test_a_board_that_cannot_be_played_on_is_a_picture(board):
    assert board["picture"] == ["img", None, 1, 1, 1, "Board, 3x3"]


# -- the replay


@pytest.fixture(scope="module")
def replay(tmp_path_factory):
    return play_with(
        tmp_path_factory.mktemp("replay"),
        SCRIPTS.joinpath("replay.js").read_text("utf-8"),
        "replay",
        "notation",
    )


@needs_browser
def test_a_game_is_shown_at_its_end_with_the_row_that_won(replay):
    assert replay["end"] == [
        "Move 9 of 9: Black h11, 0.1 s, Black wins in 1 ply",
        8,
        1,
        "9 h11 0.1 s #1",
        9,
    ]
    assert replay["off"] == [True, True]
    assert replay["back"] == ["Move 8 of 9: White i7, 0.3 s, Black wins in 2 plies", 7, 0]


@needs_browser
def test_keys_and_buttons_step_and_stop_at_the_ends(replay):
    assert replay["home"] == ["Start", 0, None, True]
    assert replay["before"] == "Start"
    assert replay["given"] == "Move 2 of 9: White i9, given"
    assert replay["third"] == "Move 3 of 9: Black h7, 0.5 s, Black 60%"
    assert replay["passed"] == ["Move 4 of 9: White pass, 0.4 ms", 3]


@needs_browser
def test_stones_can_be_numbered(replay):
    assert replay["numbers"] == ["1", "2", "3"]


@needs_browser
def test_a_move_is_chosen_in_the_list_on_the_slider_in_the_graph_or_on_the_board(replay):
    assert replay["listed"] == ["Move 5 of 9: Black h9, 1.3 s, Black 80%", "5 h9 1.3 s 80%"]
    assert replay["slid"].startswith("Move 8 of 9")
    assert replay["slider"].startswith("Move 9 of 9")
    assert replay["graph"] == [2, "Move 3 of", 2]
    said, steps = replay["stone"]
    assert said == "Move 1 of"
    assert steps[-1] == 1


@needs_browser
def test_a_game_without_moves_is_a_game_too(replay):
    assert replay["nothing"] == ["Start", 0, "0"]
    assert replay["gone"] == ["", ""]
