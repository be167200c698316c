"""The metrics of a server process for the operator's Prometheus: text at ``/metrics``.

The parts of a server report their events here and register gauges, which are read on request; this module
imports none of these parts. Where the metrics are switched off, `Metrics` counts nothing.

Names follow https://prometheus.io/docs/practices/naming/. Memory and processor time of the process are
those of prometheus-client's `ProcessCollector`, on Linux. The descriptions of metrics are in English only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeAlias

from tengen.web.transport.settings import ServerSettings
from tengen.words import say

if TYPE_CHECKING:
    from prometheus_client import Gauge

SearchKind: TypeAlias = Literal["move", "hint", "page", "analysis"]
"""The purpose of a search: ``move``, a computer's move in a game; ``hint``, a hint for a player; ``page``,
an explanation, a file or a picture for a page; ``analysis``, a slice of an analysis."""

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_REQUEST_SECONDS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
_SEARCH_SECONDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
_OTHER = "other"
"""The label for all addresses without a route, because there is no end of them."""


class Metrics:
    """Metrics that count nothing, for servers where they are switched off."""

    def request(self, route: str | None, method: str, status: int, seconds: float) -> None:
        """Count a request that has been answered.

        Args:
            route: the path of its route, with the names of its parameters; None for no route.
            method: the HTTP method, such as ``"GET"``.
            status: the HTTP status of the response.
            seconds: the duration of the request.
        """

    def socket(self, route: str, change: int) -> None:
        """Count a WebSocket that has been opened, 1, or closed, -1."""

    def refusal(self, kind: str) -> None:
        """Count a refusal by the limit on a kind of cost; see `tengen.web.transport.limits`."""

    def search(self, kind: SearchKind, seconds: float) -> None:
        """Count a finished search and its duration in seconds, the wait for a worker included."""

    def gauge(self, name: str, read: Callable[[], float], workers: str = "") -> None:
        """Register a gauge, which is read when a client requests the metrics.

        Args:
            name: its name after ``tengen_``, and its key in the catalogue after ``metrics.``.
            read: returns its value; called in the event loop.
            workers: the workers that it measures, for a gauge with several; empty for a gauge with one
                value.
        """

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return b""


class PrometheusMetrics(Metrics):
    """Metrics that are counted for Prometheus."""

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
    """Return the metrics of a server with these settings."""
    return PrometheusMetrics() if settings.metrics else Metrics()
