"""What a server process counts, for the operator's Prometheus: text at ``/metrics``.

The parts of a server say here what they do, and what is to be read off them when somebody asks; nothing is
imported from them. Where nobody is to read it, `Metrics` counts nothing.

Names follow https://prometheus.io/docs/practices/naming/. Memory and processor time of the process are
those of prometheus-client's `ProcessCollector`, on Linux. What the numbers mean is said in English only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeAlias

from tengen.web.server.settings import ServerSettings
from tengen.words import say

if TYPE_CHECKING:
    from prometheus_client import Gauge

SearchKind: TypeAlias = Literal["move", "hint", "page", "analysis"]
"""Who waits for a search: a game for a computer's move, a player for a hint, a page for an explanation, a
file or a picture, or somebody who looks at an analysis. Of an analysis each of its slices is one."""

CONTENT_TYPE = "; ".join(("text/plain", "version=0.0.4", "charset=utf-8"))

_REQUEST_SECONDS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
_SEARCH_SECONDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
_OTHER = "other"
"""Instead of an address that leads nowhere; there is no end of them."""


class Metrics:
    """What is counted where nobody is to read it: nothing."""

    def request(self, route: str | None, method: str, status: int, seconds: float) -> None:
        """A request has been answered.

        Args:
            route: its path, as `tengen.web.server.request_costs` has it; None for one that leads nowhere.
            method: such as ``"GET"``.
            status: of the answer.
            seconds: that it took.
        """

    def socket(self, route: str, change: int) -> None:
        """A WebSocket has been opened, 1, or closed, -1."""

    def refusal(self, kind: str) -> None:
        """Somebody has asked for too much of a kind; see `tengen.web.server.limits`."""

    def search(self, kind: SearchKind, seconds: float) -> None:
        """A search is over, so many seconds after it was asked for; the wait for a worker is in them."""

    def gauge(self, name: str, read: Callable[[], float], workers: str = "") -> None:
        """Something to be read off whenever somebody asks.

        Args:
            name: after ``tengen_``, and after ``metrics.`` in the catalogue.
            read: called in the event loop.
            workers: which ones it is of, where there are several.
        """

    def text(self) -> bytes:
        """All of it as Prometheus reads it."""
        return b""


class PrometheusMetrics(Metrics):
    """What is counted where somebody reads it."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._gauges: dict[str, Gauge] = {}
        self._requests = Counter(
            "tengen_requests", say("metrics.requests"), ("route", "method", "status"), registry=registry
        )
        self._request_seconds = Histogram(
            "tengen_request_seconds",
            say("metrics.request_seconds"),
            ("route", "method"),
            buckets=_REQUEST_SECONDS,
            registry=registry,
        )
        self._sockets = Gauge("tengen_clients", say("metrics.clients"), ("route",), registry=registry)
        self._refusals = Counter("tengen_refusals", say("metrics.refusals"), ("kind",), registry=registry)
        self._search_seconds = Histogram(
            "tengen_search_seconds",
            say("metrics.search_seconds"),
            ("kind",),
            buckets=_SEARCH_SECONDS,
            registry=registry,
        )

    def request(self, route: str | None, method: str, status: int, seconds: float) -> None:
        """See `Metrics.request`."""
        labels = (route or _OTHER, method if route else _OTHER)
        self._requests.labels(*labels, status).inc()
        self._request_seconds.labels(*labels).observe(seconds)

    def socket(self, route: str, change: int) -> None:
        """See `Metrics.socket`."""
        self._sockets.labels(route).inc(change)

    def refusal(self, kind: str) -> None:
        """See `Metrics.refusal`."""
        self._refusals.labels(kind).inc()

    def search(self, kind: SearchKind, seconds: float) -> None:
        """See `Metrics.search`."""
        self._search_seconds.labels(kind).observe(seconds)

    def gauge(self, name: str, read: Callable[[], float], workers: str = "") -> None:
        """See `Metrics.gauge`."""
        from prometheus_client import Gauge

        labels = ("workers",) if workers else ()
        known = self._gauges.get(name)
        if known is None:
            about = say(f"metrics.{name}")
            known = self._gauges[name] = Gauge(f"tengen_{name}", about, labels, registry=self._registry)
        (known.labels(workers) if workers else known).set_function(read)

    def text(self) -> bytes:
        """See `Metrics.text`."""
        from prometheus_client import generate_latest

        return generate_latest(self._registry)


def open_metrics(settings: ServerSettings) -> Metrics:
    """What a server counts by."""
    return PrometheusMetrics() if settings.metrics else Metrics()
