"""The HTTP API of visitors: reading, changing and deleting a visitor's data."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from tengen.schemas.game import RatingData
from tengen.schemas.visitor import VisitorProfile, VisitorRequest
from tengen.web.database.repository import Repository
from tengen.web.games import visitor_rows
from tengen.web.games.ratings import POOLS, of_visitors
from tengen.web.games.rooms import Rooms
from tengen.web.games.senders import storer
from tengen.web.games.visitor_names import checked_name
from tengen.web.games.visitor_rows import VisitorData
from tengen.web.lobby.lobby import Lobby
from tengen.web.tournaments.tournaments import Tournaments
from tengen.web.transport.errors import SwitchedOff
from tengen.web.transport.http_errors import answer_of
from tengen.web.transport.limits import costs
from tengen.web.transport.services import service_of
from tengen.web.transport.settings import ServerSettings
from tengen.web.transport.visitors import forget_visitor, renew_visitor, visitor

router = APIRouter(prefix="/api/visitor", tags=["visitors"])


@router.get("", response_model=VisitorProfile)
async def who(request: Request, visitor_id: Annotated[str, Depends(visitor)]) -> Response:
    """Return the visitor's data, with its ratings by pool if it has turned ratings on."""
    return answer_of(await _profile(request, visitor_id))


@router.post("", response_model=VisitorProfile, dependencies=[costs("name")])
async def change(
    changes: VisitorRequest, request: Request, visitor_id: Annotated[str, Depends(renew_visitor)]
) -> Response:
    """Change the visitor's name, in its running games too; turn ratings on or off."""
    name = None if changes.name is None else checked_name(changes.name)
    if name and not service_of(request, ServerSettings).names:
        raise SwitchedOff("error.web.off.names")
    account = storer(request, visitor_id)
    if changes.rated is not None:
        await service_of(request, Repository).write(
            "", visitor_rows.change_visitor, visitor_id, time.time(), rated=changes.rated, storer=account
        )
    if name is not None:
        await service_of(request, Rooms).rename(visitor_id, name, account)
        await service_of(request, Lobby).announce()
    return answer_of(await _profile(request, visitor_id))


@router.delete("", status_code=204, dependencies=[costs("name", "heavy")])
async def forget(request: Request, visitor_id: Annotated[str, Depends(visitor)]) -> Response:
    """Delete the visitor's data: name, ratings, challenge, lists, and its links to games and tournaments.

    Games and tournaments stay for others without reference to the visitor, who withdraws from the running
    ones.
    """
    await service_of(request, Tournaments).forget_visitor(visitor_id)
    await service_of(request, Rooms).forget_visitor(visitor_id)
    await service_of(request, Lobby).announce()
    forget_visitor(request)
    return Response(status_code=204)


async def _profile(request: Request, visitor_id: str) -> VisitorProfile:
    repository = service_of(request, Repository)
    found = await repository.read(visitor_rows.visitors_data, [visitor_id], names=repository.names)
    known, shown = found.get(visitor_id, VisitorData()), {}
    if known.rated:
        rated = (await repository.read(of_visitors, [visitor_id])).get(visitor_id, {})
        shown = {pool: RatingData.of(rated[pool]) for pool in POOLS if pool in rated}
    return VisitorProfile(name=known.name, rated=known.rated, ratings=shown)


async def is_former_visitor(repository: Repository, visitor_id: str, replaced: bool) -> bool:
    """Return whether a visitor is still recognised by an old unsigned cookie.

    Args:
        repository: the storage of visitors.
        visitor_id: the visitor's id.
        replaced: whether the visitor receives a signed cookie now; see `visitor_rows.note_replaced`.

    Raises:
        StoreError: the database does not answer.
    """
    now = time.time()
    known = await repository.read(visitor_rows.is_former, visitor_id, now)
    if known and replaced:
        await repository.write("", visitor_rows.note_replaced, visitor_id, now)
    return known
