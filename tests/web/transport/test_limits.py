"""How much one visitor and one address may ask for."""

from __future__ import annotations

import pytest

from tengen.web.transport.errors import SwitchedOff, TooManyRequests
from tengen.web.transport.limits import Limits, Quota, Rate


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_a_bucket_empties_and_fills_again():
    clock = Clock()
    limits = Limits({"request": Quota(Rate(3, 0.5))}, clock=clock)
    for _ in range(3):
        limits.spend("request", "1.2.3.4")
    with pytest.raises(TooManyRequests):
        limits.spend("request", "1.2.3.4")
    limits.spend("request", "1.2.3.5")
    limits.spend("message", "1.2.3.4")  # no rate, no limit
    clock.now = 2.0
    limits.spend("request", "1.2.3.4")
    with pytest.raises(TooManyRequests):
        limits.spend("request", "1.2.3.4")
    clock.now = 1000.0
    with pytest.raises(TooManyRequests):
        limits.spend("request", "1.2.3.4", cost=4)
    limits.spend("request", "1.2.3.4", cost=3)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:1.2.3.4", "1.2.3.4", True),
        ("", "unix", False),
    ],
)
def test_addresses_that_count_together(one, other, same):
    limits = Limits({"request": Quota(Rate(1, 0))})
    limits.spend("request", one)
    if same:
        with pytest.raises(TooManyRequests):
            limits.spend("request", other)
    else:
        limits.spend("request", other)


def test_buckets_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr("tengen.web.transport.limits._MOST", 10)
    limits = Limits({"request": Quota(Rate(1, 0))})
    for number in range(100):
        limits.spend("request", f"10.0.0.{number}")
    assert len(limits._buckets) == 10


def test_a_visitor_is_counted_from_every_address_and_an_address_with_all_its_visitors():
    limits = Limits({"think": Quota(Rate(4, 0), Rate(3, 0))})
    limits.spend("think", "1.2.3.4", "anna", cost=2)
    with pytest.raises(TooManyRequests):  # she has one left, wherever she comes from
        limits.spend("think", "5.6.7.8", "anna", cost=2)
    limits.spend("think", "5.6.7.8", "ben", cost=3)  # what was refused has taken nothing
    limits.spend("think", "1.2.3.4", "carl", cost=2)
    with pytest.raises(TooManyRequests):  # the address has none left
        limits.spend("think", "1.2.3.4", "dora")
    with pytest.raises(TooManyRequests):  # nor has it for somebody who has thrown the cookie away
        limits.spend("think", "1.2.3.4")


def test_websockets_of_an_address_are_counted():
    limits = Limits({"page": Quota(Rate(1, 1))}, sockets=2)
    limits.open_socket("a")
    limits.open_socket("a")
    with pytest.raises(TooManyRequests):
        limits.open_socket("a")
    limits.open_socket("b")
    limits.close_socket("a")
    limits.open_socket("a")
    for address in "aab":
        limits.close_socket(address)
    assert limits._open == {}


@pytest.mark.parametrize(
    ("left", "cost", "seconds"), [(0.0, 1.0, 4), (0.5, 1.0, 2), (0.9, 1.0, 1), (1.0, 1.5, 2)]
)
def test_whoever_is_refused_is_told_when_to_come_again(left, cost, seconds):
    """By the slower of the two buckets: that of the visitor, who has a token every four seconds."""
    clock = Clock()
    limits = Limits({"think": Quota(Rate(2, 100), Rate(2, 0.25))}, clock=clock)
    limits.spend("think", "1.2.3.4", "anna", cost=2 - left)
    with pytest.raises(TooManyRequests) as refused:
        limits.spend("think", "1.2.3.4", "anna", cost=cost)
    assert refused.value.seconds == seconds == refused.value.message.values["seconds"]
    clock.now = seconds
    limits.spend("think", "1.2.3.4", "anna", cost=cost)


def test_what_never_comes_back_has_an_end_too():
    limits = Limits({"request": Quota(Rate(1, 0))})
    limits.spend("request", "a")
    with pytest.raises(TooManyRequests, match="3,600 seconds"):
        limits.spend("request", "a")


def test_what_is_switched_off_is_so_for_everybody_and_without_quotas():
    limits = Limits(off=frozenset({"create"}))
    limits.spend("request", "a")
    with pytest.raises(SwitchedOff, match="not starting new games"):
        limits.spend("create", "a", "anna")


def test_refusals_are_told_by_what_was_short():
    told: list[str] = []
    limits = Limits({"request": Quota(Rate(1, 1))}, sockets=0, on_refusal=told.append)
    limits.spend("request", "a")
    with pytest.raises(TooManyRequests):
        limits.spend("request", "a")
    with pytest.raises(TooManyRequests, match="close a page"):
        limits.open_socket("a")
    assert told == ["request", "socket"]
