"""The addresses of a server for browsers."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress

from tengen.web.transport.settings import ServerSettings, is_loopback

_ANYWHERE = ("0.0.0.0", "::")


def addresses(settings: ServerSettings, port: int | None = None) -> list[str]:
    """Return the addresses to share with other people: the public one, or those in the local network.

    Args:
        settings: the settings of the server.
        port: the port it listens on; None for that of the settings.

    Returns:
        URLs without a path; none for a server that only this machine can reach.
    """
    port = settings.port if port is None else port
    if settings.origin:
        return [settings.origin]
    if settings.host in _ANYWHERE:
        return [url(host, port) for host in network_hosts()]
    return [] if settings.is_local else [url(settings.host, port)]


def url(host: str, port: int) -> str:
    """Return the address of a server for a browser on this machine."""
    if host in _ANYWHERE:
        host = "127.0.0.1"
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}" if port == 80 else f"http://{shown}:{port}"


def network_hosts() -> list[str]:
    """Return the IPv4 addresses of this machine in its networks, that of the default route first."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Connecting a datagram socket sends nothing; it only selects the route.
        probe.connect(("192.0.2.1", 9))
        found.append(str(probe.getsockname()[0]))
    with suppress(OSError):
        for *_, address in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            found.append(str(address[0]))
    return [host for host in dict.fromkeys(found) if _is_useful(host)]


def _is_useful(host: str) -> bool:
    ip = ipaddress.ip_address(host)
    return not (is_loopback(host) or ip.is_unspecified or ip.is_link_local)
