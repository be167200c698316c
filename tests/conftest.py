"""Settings of the whole test suite.

Hypothesis runs under one of two profiles: ``default``, quick enough for every save, and ``ci``, ten times as
thorough (``pytest --hypothesis-profile=ci``). Tests marked ``slow`` are left out unless the command line
asks for them with ``-m``, as ``pytest -m slow`` does.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# Timings depend on the machine and are asserted nowhere; drawing a dense board takes a while.
settings.register_profile(
    "default", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("ci", settings.get_profile("default"), max_examples=400)
settings.load_profile("default")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes many seconds; run with pytest -m slow")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("markexpr"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
