"""What holds for the whole test suite: Hypothesis profiles, what is run, limits of time, signals, coverage.

``default`` draws new examples each time, few enough for every save. ``ci`` draws the same ones always, so
that a change is judged by what it changes; ``smoke`` draws few of them. ``thorough`` draws a great
many (``pytest --long --hypothesis-profile=thorough``): run it after changing the rules.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import signal
import sys
import threading
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

COVERED = Path(__file__).parent / "game"
"""The tests that coverage is measured with, unless they are marked ``uncovered``; it costs much time."""

SLOW_TIMEOUT = 1800
"""Seconds until a test is ended that is slow or draws many examples; for others see pyproject.toml."""

# Timings depend on the machine and are asserted nowhere; drawing a dense board takes a while, and so does
# finding positions in which something is won.
settings.register_profile(
    "default",
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.register_profile("smoke", settings.get_profile("ci"), max_examples=10)
settings.register_profile("thorough", settings.get_profile("default"), max_examples=1000)
settings.load_profile("default")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Say what asks for the tests marked ``long``, for one kind of kernels, and for Firefox."""
    parser.addoption(
        "--long",
        action="store_true",
        help="run the tests marked long too; where tests are named, that goes without saying",
    )
    parser.addoption(
        "--kernels",
        choices=["aot", "jit", "wasm"],
        help="run with kernels compiled ahead of time, just in time, or to WebAssembly (in this process)",
    )
    parser.addoption(
        "--firefox",
        action="store_true",
        help="run the test of the site in Firefox (153, with Playwright 1.58 to 1.64)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Run long tests where tests are named; keep what JAX compiles; let Ctrl-C reach what tests start.

    Tests of training compile the same functions many times over, which is most of what they take. What a
    script starts in the background ignores SIGINT, and so does every process started by it.
    """
    if config.args_source is pytest.Config.ArgsSource.ARGS:
        config.option.long = True
    if config.option.kernels == "wasm":
        from tests.engine.kernels.on_webassembly import use

        assert config.cache is not None
        use(config.cache.mkdir("webassembly"))
    elif config.option.kernels:
        os.environ["TENGEN_KERNELS"] = config.option.kernels
    if config.pluginmanager.has_plugin("cacheprovider") and config.cache is not None:
        # JAX reads this when it is imported, here and in the processes of tests.
        os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(config.cache.mkdir("jax")))
        os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
        os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than processors: tests wait for servers, browsers and programs."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave long tests out unless they are asked for, and give slow ones more time."""
    if not config.option.long:
        left_out = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("long")]
    thorough = settings().max_examples > settings.get_profile("default").max_examples
    for item in items:
        slow = thorough or item.get_closest_marker("slow")
        if slow and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOW_TIMEOUT))


def pytest_collection_finish() -> None:
    """Keep the tests and the libraries, which stay until the end, out of every collection of garbage."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    fixtures = (name for name in inspect.signature(pyfuncitem.obj).parameters)
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in fixtures}))
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Measure coverage by some tests only.

    The marker ``no_cover`` of pytest-cov does nothing in the processes of pytest-xdist, where coverage is
    started twice and stopped once.
    """
    if COVERED in item.path.parents and not item.get_closest_marker("uncovered"):
        return (yield)
    here, threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        return (yield)
    finally:
        threading.settrace(threads)
        sys.settrace(here)


@pytest.fixture(scope="session")
def compiled() -> None:
    """The engine and the exact solver, compiled: no command has to say that it is compiling."""
    from tengen.solver.warmup import warm_up

    warm_up(everything=True)
