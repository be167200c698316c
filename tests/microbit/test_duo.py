"""Two micro:bits by radio: packets that are lost, doubled, late and out of order, and neighbours."""

from __future__ import annotations

import random

import pytest

from tests.microbit.fake import LETTERS, Air, Device
from tests.microbit.scenes import A_WINS, WORKED, Pair, by_radio

BAD = {"lost": 40, "doubled": 30, "delayed": 40, "longest": 600}


def paired(air=None, ways=("R3", "R3"), seed=1):
    pair = Pair(air, ways, seed)
    assert pair.go(20000, pair.met)
    pair.go(1500)
    return pair


def test_the_worked_example_by_radio():
    pair = by_radio()
    assert [device.frames[-1] for device in pair.devices] == ["'B Win'"] * 2
    assert pair.matches[0].moves == bytes(WORKED)
    for device, other in (pair.devices, pair.devices[::-1]):
        assert "90903 00000 00909 00000 30303" in device.frames
        assert device.frames != other.frames


def test_one_is_a_the_other_b_and_each_is_told():
    pair = Pair()
    pair.go(10000, pair.met)
    pair.go(100)
    signs = {device.display.seen for device in pair.devices}
    assert signs == {LETTERS["A"], LETTERS["B"]}
    assert sorted(match.mine for match in pair.matches) == [(0,), (1,)]
    pair.go(1500)
    first = pair.turn()
    assert pair.devices[1 - first].display.seen == "00000 00000 00000 00000 00000"


def test_only_the_one_to_move_can_drop():
    pair = paired()
    waiting = 1 - pair.turn()
    pair.tap(waiting, "A B A B")
    assert [match.moves for match in pair.matches] == [b"", b""]
    assert pair.matches[waiting].cursor == 0


@pytest.mark.parametrize("seed", range(25))
def test_whatever_the_air_does_both_know_the_same_game(seed):
    """Random games; at any time one knows as much as the other or one stone less."""
    air = Air(**BAD, seed=seed)
    pair = paired(air, seed=seed)
    chance = random.Random(seed)
    for _ in range(2):
        while not pair.matches[0].result:
            free = [cell for cell in range(9) if cell not in pair.matches[0].moves]
            number = pair.turn()
            match = pair.matches[number]
            target = chance.choice(free)
            while match.cursor != target:
                pair.tap(number, "A")
            before = match.moves
            pair.tap(number, "B")
            assert match.moves[: len(before) + 1] == before + bytes([target])
            for _ in range(500):
                if pair.agree():
                    break
                assert {len(other.moves) - len(before) for other in pair.matches} == {0, 1}
                pair.go(20)
            assert pair.agree()
        assert pair.matches[0].result == pair.matches[1].result
        roles = [match.mine for match in pair.matches]
        pair.tap(chance.randrange(2), "A+B")
        assert pair.go(10000, lambda: pair.agree() and not pair.matches[0].moves)
        assert [match.mine for match in pair.matches] == roles[::-1]
    assert air.sent > 100


def test_late_packets_of_an_old_game_change_nothing():
    pair = paired()
    pair.play(*WORKED[:3])
    number = pair.turn()
    match, mate = pair.matches[number], pair.matches[1 - number]
    old = b"T5" + mate.link.me + match.link.me + bytes([mate.link.number]) + mate.moves
    pair.tap(0, "A+B")
    pair.go(1000)
    assert pair.agree()
    assert match.moves == b""
    for _ in range(3):
        pair.devices[number].radio.coming.append((0, old))
        pair.go(20)
    assert match.moves == b""
    assert match.link.number == mate.link.number == 1


def test_both_may_restart_at_once():
    pair = paired()
    pair.play(4)
    for device in pair.devices:
        device.planned = device.now
        device.tap("A+B")
    pair.go(1000)
    assert pair.agree()
    assert [match.link.number for match in pair.matches] == [1, 1]
    assert pair.matches[0].moves == b""


def test_a_stone_and_a_restart_that_cross_each_other():
    pair = paired()
    number = pair.turn()
    devices = pair.devices
    for device in devices:
        device.planned = device.now
    devices[number].tap("B")
    devices[1 - number].tap("A+B")
    pair.go(1500)
    assert pair.agree()
    assert pair.matches[0].moves == b""
    assert pair.matches[0].link.number == 1


def test_game_numbers_go_round():
    pair = paired()
    for number in range(1, 260):
        pair.matches[number % 2].begin()
        assert pair.go(5000, pair.agree)
    assert pair.matches[0].link.number == 259 % 256


def test_a_third_micro_bit_does_not_disturb():
    pair = paired()
    pair.play(*WORKED[:2])
    third = Pair(pair.air, ("R3",), seed=77)
    other = Device(pair.air, b"\xff\xff\xff\xff0000", 5)
    third.devices.append(other)
    third.matches.append(other.seat("R4"))
    for _ in range(300):
        pair.go(20)
        third.go(20)
    assert not any(match.link.met for match in third.matches)
    pair.play(*WORKED[2:])
    assert pair.matches[1].result == "B Win"


@pytest.mark.parametrize("seed", range(30))
def test_of_three_that_look_for_a_mate_two_find_each_other(seed):
    pair = Pair(Air(lost=30, doubled=30, seed=seed), ("R1", "R1", "R1"), seed)
    assert pair.go(60000, lambda: sum(match.link.met for match in pair.matches) >= 2)
    pair.go(5000)
    met = [match for match in pair.matches if match.link.met]
    assert len(met) == 2
    assert met[0].link.mate == met[1].link.me
    assert met[1].link.mate == met[0].link.me


def test_two_pairs_in_a_room_on_one_channel():
    pairs = [Pair(None, ("R1", "R1"), 3)]
    pairs[0].go(10000, pairs[0].met)
    pairs.append(Pair(pairs[0].air, ("R1", "R1"), 4))
    for _ in range(500):
        for pair in pairs:
            pair.go(20)
    for pair in pairs:
        assert pair.met()
    pairs[0].play(0, 1)
    pairs[1].play(4)
    assert [pair.matches[0].moves for pair in pairs] == [b"\0\1", b"\4"]


def test_what_other_programs_send_is_not_heard():
    pair = Pair()
    chance = random.Random(7)
    noise = [b"T5", b"T5" + bytes(8), b"", b"\1\0\1hello", bytes(32), b"T4" + bytes(20)]
    noise += [chance.randbytes(chance.randrange(1, 32)) for _ in range(200)]
    for number, packet in enumerate(noise):
        pair.devices[number % 2].radio.coming.append((pair.devices[number % 2].now, packet))
        pair.go(20)
    assert pair.go(5000, pair.met)
    pair.go(1500)
    pair.play(*A_WINS)
    assert pair.matches[0].result == "A Win"


def test_a_mate_that_is_gone_and_comes_back():
    pair = paired()
    pair.play(4)
    number = pair.turn()
    device, match = pair.devices[number], pair.matches[number]
    for _ in range(200):
        device.step(match)
    assert device.display.seen == LETTERS["?"]
    device.planned = device.now
    device.tap("A B")
    for _ in range(30):
        device.step(match)
    assert match.moves == b"\4"
    pair.go(600)
    assert "9" in device.display.seen[14]
    pair.play(0)
    assert pair.agree()


def test_a_micro_bit_that_is_reset_finds_its_game_again():
    pair = paired()
    pair.tap(0, "A+B")
    pair.go(2000)
    pair.play(*WORKED[:5])
    gone = pair.devices[0]
    pair.air.radios.remove(gone.radio)
    again = Device(pair.air, gone.modules["machine"].unique_id(), 9)
    pair.devices[0], pair.matches[0] = again, again.seat("R3")
    assert pair.go(5000, pair.met)
    assert pair.go(5000, pair.agree)
    pair.go(1500)
    pair.play(*WORKED[5:])
    assert [match.result for match in pair.matches] == ["B Win"] * 2


def test_the_result_stays_until_somebody_restarts():
    pair = by_radio(Air(**BAD, seed=3))
    assert pair.go(5000, lambda: {device.display.seen for device in pair.devices} == {"'B Win'"})
    pair.tap(1, "A+B")
    pair.go(3000)
    assert not any(device.display.seen.startswith("'") for device in pair.devices)


def test_a_packet_fits_what_the_radio_carries():
    pair = by_radio()
    match = pair.matches[0]
    assert len(b"T5" + match.link.me + match.link.mate + bytes([match.link.number])) + 9 <= 32
