"""Hypothesis profiles of the whole test suite.

``default`` draws new examples each time, few enough for every save. ``ci`` draws the same ones always, so
that a change is judged by what it changes. ``thorough`` draws ten times as many
(``pytest --hypothesis-profile=thorough``): run it after changing the rules.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# Timings depend on the machine and are asserted nowhere; drawing a dense board takes a while.
settings.register_profile(
    "default", max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.register_profile("thorough", settings.get_profile("default"), max_examples=1000)
settings.load_profile("default")


@pytest.fixture(scope="session")
def compiled() -> None:
    """The engine, compiled: no command has to say that it is compiling."""
    from tengen.engine.warmup import warm_up

    warm_up()
