"""A network between two others."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from tengen.engine.network import load
from tengen.training.network_blend import blended


def same(one, other):
    return all(np.array_equal(getattr(one, f.name), getattr(other, f.name)) for f in fields(one))


@pytest.fixture(scope="module")
def networks():
    found = [load(name) for name in ("freestyle", "caro")]
    assert None not in found
    return found


def test_at_its_ends_lie_the_two(networks):
    begun, fitted = networks
    assert same(blended(begun, fitted, 1), fitted)
    assert same(blended(begun, fitted, 0), replace(begun, sizes=fitted.sizes))


def test_half_way_each_number_is_the_mean(networks):
    begun, fitted = networks
    between = blended(begun, fitted, 0.5)
    assert np.array_equal(between.sizes, fitted.sizes), "learned from what the fit was"
    for field in fields(between):
        number = getattr(between, field.name)
        assert number.dtype == getattr(fitted, field.name).dtype
        if field.name != "sizes":
            mean = (getattr(begun, field.name).astype(float) + getattr(fitted, field.name)) / 2
            assert np.abs(number - mean).max() <= (0.5 if number.dtype.kind == "i" else 1e-6)


def test_one_that_tells_the_colours_apart_stays_so(networks):
    renju = load("renju")
    assert renju is not None
    between = blended(networks[0], renju, 0.25)
    assert between.colours == 2
    wanted = 0.75 * networks[0].first_bias + 0.25 * renju.first_bias
    assert np.abs(between.first_bias - wanted).max() <= 0.5
