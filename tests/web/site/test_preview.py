"""A site as the preview serves it."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from tengen.web.site.errors import SiteError
from tengen.web.site.preview import preview, preview_app


def answers(app, *paths):
    """What an application answers to requests."""

    async def ask():
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return [await client.get(path) for path in paths]

    return asyncio.run(ask())


@pytest.mark.long
def test_a_site_is_served_as_by_a_plain_host(site):
    app = preview_app(site, isolated=False, path="/five")
    names = (
        "learn/lines/",
        "learn/lines",
        "python/pyodide.asm.wasm",
        "python/pyodide.mjs",
        "nowhere/at/all",
    )
    page, folder, kernels, module, lost = answers(app, *(f"/five/{name}" for name in names))
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert folder.headers["location"].endswith("/five/learn/lines/")
    assert kernels.headers["content-type"] == "application/wasm"
    assert module.headers["content-type"].startswith("text/javascript")
    assert lost.status_code == 404
    assert "There is no such page" in lost.text
    assert "cross-origin-embedder-policy" not in page.headers


@pytest.mark.long
def test_pages_are_isolated_when_asked_for(site):
    (page,) = answers(preview_app(site, isolated=True), "/")
    assert page.headers["cross-origin-opener-policy"] == "same-origin"
    assert page.headers["cross-origin-embedder-policy"] == "require-corp"


def test_another_folder_is_not_served(tmp_path):
    with pytest.raises(SiteError, match="is not a site"):
        preview(tmp_path, 0, isolated=False, print_out=lambda _: None)
