"""The endpoints of the server itself: its health, metrics, version, addresses and their QR codes."""

from __future__ import annotations

import asyncio
import io
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Query, Request, Response
from starlette.exceptions import HTTPException

from tengen import __version__
from tengen.schemas import VERSION
from tengen.schemas.server import EngineStatus, HealthData, ServerData
from tengen.web.computing.search_pool import SearchPool
from tengen.web.database.repository import Repository
from tengen.web.transport.addresses import addresses
from tengen.web.transport.errors import WrongFields
from tengen.web.transport.http_errors import answer_of, file_responses
from tengen.web.transport.limits import costs
from tengen.web.transport.metrics import CONTENT_TYPE, Metrics
from tengen.web.transport.services import service_of
from tengen.web.transport.settings import ServerSettings, is_among
from tengen.web.transport.visitors import address_of

_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""Headers of which every proxy sets at least one."""

_PING = 2.0
"""Seconds within which the database must answer for the server to be healthy."""

router = APIRouter(tags=["server"])


@router.get("/healthz", response_model=HealthData)
async def healthz(request: Request) -> Response:
    """Report the health of the server; 503 while its database does not answer."""
    try:
        well = await asyncio.wait_for(service_of(request, Repository).ping(), _PING)
    except TimeoutError:
        well = False
    status = service_of(request, SearchPool).warmup.status
    data = HealthData(status="ok" if well else "database", version=__version__, engine=status)
    return answer_of(data, 200 if well else 503, {"Cache-Control": "no-store"})


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request) -> Response:
    """Return the metrics of this process to the addresses that the operator has listed; 404 to all others.

    Requests through a proxy are refused: their address is only what the proxy claims.
    """
    settings = service_of(request, ServerSettings)
    direct = not any(name in request.headers for name in _FORWARDED)
    if not (direct and is_among(address_of(request), settings.metrics_networks)):
        raise HTTPException(404)
    headers = {"Cache-Control": "no-store"}
    return Response(service_of(request, Metrics).text(), 200, headers, CONTENT_TYPE)


@router.get("/api/server")
async def server(request: Request) -> ServerData:
    """Return the version, the engine's status, the addresses to share, and the parts switched off."""
    settings, warmup = service_of(request, ServerSettings), service_of(request, SearchPool).warmup
    return ServerData(
        version=__version__,
        schema_version=VERSION,
        addresses=tuple(_shared(request)),
        engine=EngineStatus(status=warmup.status, done=float(warmup.ready)),
        off=settings.off,
        days_kept=settings.days_kept,
    )


@router.get(
    "/api/qr",
    response_class=Response,
    responses=file_responses("image/svg+xml"),
    dependencies=[costs("heavy")],
)
async def qr_code(request: Request, text: Annotated[str, Query(max_length=500)]) -> Response:
    """Return a QR code, as SVG, of an address of this server."""
    if not _is_ours(request, text):
        raise WrongFields("error.web.qr")
    return Response(qr_svg(text), media_type="image/svg+xml")


def qr_svg(text: str) -> bytes:
    """Return the picture of a QR code."""
    import segno

    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", scale=8, border=4, xmldecl=False, dark="#000", light="#fff"
    )
    return out.getvalue()


def _is_ours(request: Request, text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    host = parts.netloc.lower()
    known = {urlsplit(address).netloc.lower() for address in _shared(request)}
    known.add(request.headers.get("host", "").lower())
    return parts.scheme in {"http", "https"} and host in known and text.isascii() and text.isprintable()


def _shared(request: Request) -> list[str]:
    return addresses(service_of(request, ServerSettings), request.app.state.port)
