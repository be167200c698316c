"""Hypothesis profiles of the whole test suite.

``default`` is quick enough for every save; ``ci``, ten times as thorough, is asked for with
``pytest --hypothesis-profile=ci``.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Timings depend on the machine and are asserted nowhere; drawing a dense board takes a while.
settings.register_profile(
    "default", max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("ci", settings.get_profile("default"), max_examples=1000)
settings.load_profile("default")
