"""The HTTP API of files: importing and exporting games in all formats, and pictures."""

from __future__ import annotations

from functools import partial
from typing import get_args

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from tengen.game.notation import shorten
from tengen.schemas.files import (
    AnimationData,
    AnimationRequest,
    ExportRequest,
    ImportData,
    ImportRequest,
    Picture,
    PictureRequest,
)
from tengen.schemas.position import read_rules
from tengen.web.computing import thinking_costs
from tengen.web.computing.job_queue import JobQueues
from tengen.web.files.conversions import (
    MEDIA,
    animated,
    exported,
    format_named,
    imported,
    media_type,
    pictured,
)
from tengen.web.files.proofs import is_proof, opened
from tengen.web.transport.errors import WrongFields
from tengen.web.transport.http_errors import file_responses
from tengen.web.transport.limits import costs, spend
from tengen.web.transport.request_bodies import read, validated
from tengen.web.transport.services import service_of
from tengen.words import LANGUAGES

router = APIRouter(prefix="/api", tags=["files"])


@router.post(
    "/import",
    response_model=ImportData,
    dependencies=[costs("heavy")],
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "multipart/form-data": {
                    "schema": {
                        "type": "object",
                        "properties": {
                            "file": {"type": "string", "format": "binary"},
                            "lang": {"type": "string", "enum": list(LANGUAGES)},
                        },
                        "required": ["file"],
                    }
                },
                "application/json": {"schema": ImportRequest.model_json_schema()},
            },
        }
    },
)
async def post_import(request: Request) -> Response:
    """Return the games of an uploaded file or a pasted text, in any format that Tengen reads.

    A proof written by `tengen prove` is verified and returned as games with variations, one for each side
    that it makes a claim for, together with the ``proven`` claim.
    """
    if request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        data, name, lang = await _upload(request)
        rules = None
        if is_proof(data):
            spend(request, "think", thinking_costs.PROOF)
            text = await service_of(request, JobQueues).players.do(request, opened, data, lang)
            return Response(text, media_type="application/json")
    else:
        pasted = read(ImportRequest, await request.body())
        data, name = pasted.text.encode("utf-8", "replace"), ""
        rules = None
        if pasted.rules is not None:
            given = pasted.rules
            rules = validated(lambda: read_rules(given, pasted.size))
    text = await service_of(request, JobQueues).players.do(request, imported, data, name, rules)
    return Response(text, media_type="application/json")


async def _upload(request: Request) -> tuple[bytes, str, str]:
    """Return the uploaded file, its name, and the language for generated comments."""
    async with request.form(max_files=1, max_fields=8) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise WrongFields("error.web.field_missing", field="file")
        lang = form.get("lang")
        language = lang if isinstance(lang, str) and lang in LANGUAGES else "en"
        return await file.read(), shorten(file.filename or "", 200), language


@router.post(
    "/export",
    response_class=Response,
    responses=file_responses("application/octet-stream"),
    dependencies=[costs("heavy")],
)
async def post_export(export: ExportRequest, request: Request) -> Response:
    """Return a game as a file of any format that Tengen writes."""
    extension = export.format.lower().removeprefix(".")
    validated(lambda: format_named(extension))
    jobs = service_of(request, JobQueues).players
    data, headers = await jobs.do(request, exported, export.record, extension)
    answer = file_answer(data, extension)
    answer.headers.update(headers)
    return answer


@router.post(
    "/picture",
    response_class=Response,
    responses=file_responses(*(MEDIA[kind] for kind in get_args(Picture))),
    dependencies=[costs("heavy")],
)
async def post_picture(picture: PictureRequest, request: Request) -> Response:
    """Return a picture of a position as SVG or PNG, or of the whole game as an animated GIF."""
    make = partial(
        pictured,
        await run_in_threadpool(validated, picture.board),
        picture.format,
        numbers=picture.numbers,
        theme=picture.theme,
        marks=picture.marks,
        heat=picture.heat,
        coordinates=picture.coordinates,
        coordinate_style=picture.coordinate_style,
        lang=picture.lang,
    )
    return file_answer(await service_of(request, JobQueues).players.do(request, make), picture.format)


@router.post("/animation", response_model=AnimationData, dependencies=[costs("heavy")])
async def post_animation(wanted: AnimationRequest, request: Request) -> Response:
    """Return a game as an animation whose frames a client draws itself, as a page without a server does."""
    make = partial(
        animated,
        await run_in_threadpool(validated, wanted.board),
        numbers=wanted.numbers,
        theme=wanted.theme,
        coordinates=wanted.coordinates,
        coordinate_style=wanted.coordinate_style,
    )
    animation = await service_of(request, JobQueues).players.do(request, make)
    return Response(AnimationData.of(animation).to_json(), media_type="application/json")


def file_answer(data: bytes, extension: str) -> Response:
    """Return a response that the browser saves as a file; the extension determines its media type."""
    headers = {"Content-Disposition": f'attachment; filename="tengen.{extension}"'}
    return Response(data, media_type=media_type(extension), headers=headers)
