"""The services of a running server, by class: transport carries them to requests and knows none of them."""

from __future__ import annotations

from typing import TypeVar, cast

from starlette.requests import HTTPConnection
from starlette.types import Scope

T = TypeVar("T")


class Services:
    """The one object of each class that the parts of a server share; `tengen.web.app` opens them."""

    def __init__(self) -> None:
        self._by_class: dict[type, object] = {}

    def __setitem__(self, kind: type[T], service: T) -> None:
        self._by_class[kind] = service

    def __getitem__(self, kind: type[T]) -> T:
        return cast("T", self._by_class[kind])


def service_of(connection: HTTPConnection, kind: type[T]) -> T:
    """Return the service of a class for a request or a WebSocket."""
    return service_in(connection.scope, kind)


def service_in(scope: Scope, kind: type[T]) -> T:
    """Return the service of a class for an ASGI scope."""
    services: Services = scope["app"].state.services
    return services[kind]
