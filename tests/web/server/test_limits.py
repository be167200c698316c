"""How much one visitor and one address may ask for."""

from __future__ import annotations

import pytest

from tengen.web.server.http_errors import TooManyRequests
from tengen.web.server.limits import Limits, Quota, Rate


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
    monkeypatch.setattr("tengen.web.server.limits._MOST", 10)
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
