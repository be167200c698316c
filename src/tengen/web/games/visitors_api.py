"""The HTTP API of visitors: reading, changing and deleting a visitor's data."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictStr

from tengen.web.computing.board_json import Json
from tengen.web.games.ratings import POOLS, rating_json
from tengen.web.games.senders import storer
from tengen.web.games.visitor_names import checked_name
from tengen.web.services import services_of
from tengen.web.transport.http_errors import SwitchedOff, json_answer
from tengen.web.transport.visitors import forget_visitor, renew_visitor, visitor

router = APIRouter(prefix="/api/visitor", tags=["visitors"])


class VisitorRequest(BaseModel):
    """A change of a visitor's data; omitted fields stay unchanged.

    `name` is the name that others see, empty for none; `rated` turns ratings on or off.
    """

    model_config = ConfigDict(extra="forbid")

    name: Annotated[StrictStr, Field(max_length=200)] | None = None
    rated: StrictBool | None = None


@router.get("")
async def who(request: Request, visitor_id: Annotated[str, Depends(visitor)]) -> Response:
    """Return the visitor's data, with its ratings by pool if it has turned ratings on."""
    return json_answer(await _told(request, visitor_id))


@router.post("")
async def change(
    asked: VisitorRequest, request: Request, visitor_id: Annotated[str, Depends(renew_visitor)]
) -> Response:
    """Change the visitor's name, in its running games too; turn ratings on or off."""
    services = services_of(request)
    name = None if asked.name is None else checked_name(asked.name)
    if name and not services.settings.names:
        raise SwitchedOff("error.web.off.names")
    account = storer(request, visitor_id)
    if asked.rated is not None:
        await services.repository.change_visitor(visitor_id, rated=asked.rated, storer=account)
    if name is not None:
        await services.rooms.rename(visitor_id, name, account)
        await services.lobby.announce()
    return json_answer(await _told(request, visitor_id))


@router.delete("", status_code=204)
async def forget(request: Request, visitor_id: Annotated[str, Depends(visitor)]) -> Response:
    """Delete the visitor's data: name, ratings, challenge, lists, and its links to games and tournaments.

    Games and tournaments stay for others without reference to the visitor, who withdraws from the running
    ones.
    """
    services = services_of(request)
    await services.tournaments.forget_visitor(visitor_id)
    await services.rooms.forget_visitor(visitor_id)
    await services.lobby.announce()
    forget_visitor(request)
    return Response(status_code=204)


async def _told(request: Request, visitor_id: str) -> Json:
    repository = services_of(request).repository
    known = await repository.visitor(visitor_id)
    ratings = (await repository.ratings([visitor_id])).get(visitor_id, {}) if known.rated else {}
    shown = {pool: rating_json(ratings[pool]) for pool in POOLS if pool in ratings}
    return {"name": known.name, "rated": known.rated, "ratings": shown}
