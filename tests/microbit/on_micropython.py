"""What `test_micropython` runs on MicroPython: it prints what is to be compared with CPython."""

import json
import sys

from .fake import Air, Device
from .scenes import A_WINS, DRAWN, WORKED, Pair, against, by_radio, two_people


def every_game(own):
    """The replies in every game against the micro:bit, which plays this colour, and how the games end."""
    device = Device()
    reply = device.load("player").reply
    result = device.load("game").result
    ends = {"A Win": 0, "B Win": 0, "Draw Game": 0}
    replies = []

    def walk(moves):
        text = result(moves)
        if text:
            ends[text] += 1
        elif len(moves) % 2 == own:
            cell = reply(moves, len(moves) % 4)
            replies.append(cell)
            walk(moves + bytes([cell]))
        else:
            for cell in range(9):
                if cell not in moves:
                    walk(moves + bytes([cell]))

    walk(b"")
    return [sorted(ends.items()), replies]


def report():
    """What was seen, and who played what."""
    radio = by_radio(Air(30, 20, 20, 300, 5))
    three = Pair(Air(30), ("R1", "R1", "R1"))
    three.go(20000)
    return {
        "worked": two_people(WORKED).frames,
        "times": two_people(WORKED).times,
        "occupied": two_people([0, 0], "A B").frames,
        "restarted": two_people(A_WINS, "- - - - - - - - - A+B A B").frames,
        "drawn": two_people(DRAWN).frames,
        "against": [against(way, [0, 1, 5]).frames for way in "AB"],
        "every game": [every_game(own) for own in (0, 1)],
        "radio": [device.frames for device in radio.devices],
        "three": sorted(match.link.met for match in three.matches),
    }


if sys.implementation.name == "micropython":
    print(json.dumps(report()))
