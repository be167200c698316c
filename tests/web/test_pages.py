"""The document, its files, the sentences and QR codes, as a browser gets them."""

from __future__ import annotations

import gzip
import io
import json
import re
import time
from pathlib import Path

import httpx
import pytest
import segno

from tengen import assets
from tengen.engine.kernels import library
from tengen.schemas import VERSION as SCHEMA_VERSION
from tengen.web import pages
from tengen.web.transport import contents
from tengen.words import LANGUAGES, catalogue
from tengen.words.languages import language
from tests.web.serving import serve
from tests.words.faces import scripts, users

NAMED = re.compile(r"[\"'`](/(?:static|assets|words)/[^\"'`${]+)[\"'`]")
VERSION = re.compile(r"/@[0-9a-f]{10}(?=/)")
PATHS = (
    "/",
    "/g/abc",
    "/watch",
    "/analyse",
    "/learn",
    "/learn/lines",
    "/puzzles",
    "/puzzles/0a1b2c3d",
    "/games",
)
IMPORT = re.compile(r'(?:\bfrom ?|\bimport ?|\bimport\()"([^"\s]+)"')
LINK = re.compile(r'(?:href|src)="(/[^"#]*)"')
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)  # types are imported in comments


@pytest.fixture(scope="module")
def server():
    with serve() as running:
        yield running


@pytest.fixture(scope="module")
def browser(server):
    with httpx.Client(base_url=server.url) as client:
        yield client


# -- the document


@pytest.mark.parametrize("path", PATHS)
def test_every_page_is_the_same_document(browser, path):
    answer = browser.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html;charset=utf-8")
    assert answer.text == browser.get("/").text
    assert browser.head(path).status_code == 200


def test_the_document_holds_no_script_and_no_style_of_its_own(browser):
    html = browser.get("/").text
    assert re.search(r"<script(?![^>]*\ssrc=)", html) is None
    assert re.search(r"<style|\sstyle=|\son\w+=", html) is None


def all_linked(browser):
    """The answer for everything that the document links, and that a module there imports or names."""
    waiting, seen = LINK.findall(browser.get("/").text), {}
    while waiting:
        path = waiting.pop()
        if path in seen or path in PATHS:
            continue
        seen[path] = answer = browser.get(path)
        if path.endswith(".js"):
            base = httpx.URL(f"http://x{path}")
            code = COMMENT.sub("", answer.text)
            waiting += [base.join(name).path for name in IMPORT.findall(code)]
            waiting += NAMED.findall(code)
    return seen


def test_all_that_the_document_needs_is_there(browser):
    """Everything linked, and every module that a module imports."""
    seen = all_linked(browser)
    for path, answer in seen.items():
        assert answer.status_code == 200, path
        if path.endswith(".js"):
            assert answer.headers["content-type"].startswith("text/javascript")
    plain = {VERSION.sub("", path) for path in seen}
    assert {"/static/shared/app.js", "/assets/board.js", "/static/vendor/lit-html/lit.js"} <= plain


def test_the_document_names_beforehand_what_the_start_page_imports(browser):
    """Else each module is asked for only when the one that imports it has come."""
    waiting, needed = ["/static/shared/app.js", "/static/play/play.js"], set()
    while waiting:
        path = waiting.pop()
        needed.add(path)
        code = COMMENT.sub("", browser.get(path).text)
        imports = re.findall(r'(?:\bfrom ?|\bimport ?)"([^"]+)"', code)
        found = {httpx.URL(f"http://x{path}").join(name).path for name in imports}
        waiting += found - needed
    named = re.findall(r'rel="modulepreload" href="([^"]+)"', browser.get("/").text)
    assert sorted(VERSION.sub("", name) for name in named) == sorted(needed)


@pytest.mark.parametrize("path", ["/nowhere", "/g/", "/learn/a/b", "/static/none.js"])
def test_a_reader_who_is_lost_gets_a_page_and_a_program_gets_json(browser, path):
    page = browser.get(path, headers={"Accept": "text/html,*/*"})
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html;charset=utf-8")
    data = browser.get(path)
    assert (data.status_code, data.json()["error"]["key"]) == (404, "error.web.missing")


def test_the_api_never_answers_with_a_page(browser):
    answer = browser.get("/api/nowhere", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/json")


# -- files


def version_in(html):
    (version,) = set(VERSION.findall(html))
    return version.removeprefix("/@")


def test_whoever_has_been_here_before_asks_for_the_document_alone(browser):
    """All addresses name one version, and what is there is kept."""
    assert browser.get("/").headers["cache-control"] == "no-cache"
    seen = all_linked(browser)
    for path, answer in seen.items():
        assert answer.headers["cache-control"] == "max-age=31536000, immutable", path
    version = version_in(browser.get("/").text)
    assert all(f"/@{version}/" in path for path in seen)
    words = browser.get(f"/words/@{version}/en/play.json")
    assert words.headers["cache-control"].endswith("immutable")
    assert words.json() == browser.get("/words/en/play.json").json()


def test_another_text_is_another_version(browser, monkeypatch, tmp_path):
    for name in ("index.html", "page.js"):
        (tmp_path / name).write_text('import "/static/other.js"; import "./own.js"; "/api/x"; /static/')
    (tmp_path / "link.js").symlink_to(tmp_path / "nowhere")
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    before = version_in(browser.get("/").text)
    assert before == version_in(browser.get("/").text)
    text = browser.get(f"/static/@{before}/page.js").text
    assert text == f'import "/static/@{before}/other.js"; import "./own.js"; "/api/x"; /static/'
    (tmp_path / "page.js").write_text('import "/static/other.js"; 1')
    deadline = time.monotonic() + 60  # files are looked at once a second
    while version_in(browser.get("/").text) == before:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    # A page that was loaded before goes on: what it has by this version is not loaded a second time.
    answer = browser.get(f"/static/@{before}/page.js")
    assert answer.text == f'import "/static/@{before}/other.js"; 1'
    assert answer.headers["cache-control"] == "no-cache"
    assert browser.get("/static/page.js").text == 'import "/static/other.js"; 1'


@pytest.mark.parametrize("path", ["/", "/static/shared/app.js", "/assets/board.css", "/words/zh/play.json"])
def test_a_browser_asks_whether_what_it_has_is_still_right(browser, path):
    first = browser.get(path)
    assert first.headers["cache-control"] == "no-cache"
    for asked in (first.headers["etag"], f'"other", W/{first.headers["etag"]}'):
        again = browser.get(path, headers={"If-None-Match": asked})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        assert "content-security-policy" in again.headers
    assert browser.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/static/shared/app.js", "/assets/board.css", "/words/zh/play.json"])
def test_files_travel_compressed(browser, path):
    packed = browser.get(path, headers={"Accept-Encoding": "br;q=1, gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    for refused in ("identity", "br", ""):
        plain = browser.get(path, headers={"Accept-Encoding": refused})
        assert "content-encoding" not in plain.headers
        assert plain.content == packed.content  # which httpx has unpacked
        assert plain.headers["etag"] != packed.headers["etag"]
        assert int(packed.headers["content-length"]) < int(plain.headers["content-length"])
    assert "Accept-Encoding" in packed.headers["vary"]


def test_a_file_that_has_changed_is_a_new_one(browser, monkeypatch, tmp_path):
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    file = tmp_path / "page.js"
    seen = []
    for text in ("one", "other"):
        file.write_text(text)
        answer = browser.get("/static/page.js")
        seen.append((answer.text, answer.headers["etag"]))
    assert [text for text, _ in seen] == ["one", "other"]
    assert seen[0][1] != seen[1][1]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/a%00b.js",
        "/static/..%5capp.py",
        "/static/",
        "/static/" + "x" * 5000 + ".js",
        "/assets/__init__.py",
        "/static/@0123456789/../../app.py",
        "/static/@0123456789//etc/passwd",
        "/static/@0123456789/@0123456789/shared/app.js",
        "/static/@012345678/shared/app.js",
        "/assets/@0123456789/__init__.py",
        "/words/@0123456789/fr.json",
        "/words/en",
        "/words/en/",
        "/words/en/.json",
        "/words/en/cli.json",
        "/words/en/play",
        "/assets/..%2fwords%2fen.json",
        "/words/fr.json",
        "/words/..%2fen.json",
    ],
)
def test_nothing_else_is_given_away(server, path):
    with httpx.Client() as client:
        url = httpx.URL(server.url).copy_with(raw_path=path.encode())
        assert client.get(url).status_code == 404


def test_a_link_out_of_the_folder_is_not_followed(browser, monkeypatch, tmp_path):
    (tmp_path / "static").mkdir()
    (tmp_path / "secret.js").write_text("secret")
    (tmp_path / "static" / "x.js").symlink_to(tmp_path / "secret.js")
    monkeypatch.setattr(pages, "STATIC", tmp_path / "static")
    assert browser.get("/static/x.js").status_code == 404


def test_all_modules_of_the_board_are_served(browser):
    for name in assets.names():
        assert browser.get(f"/assets/{name}").text == assets.read(name)


def test_what_browsers_and_search_engines_ask_for_by_themselves(browser):
    assert "Disallow: /g/" in browser.get("/robots.txt").text
    icon = browser.get("/favicon.ico")
    assert icon.status_code == 200
    assert icon.headers["content-type"].startswith("image/")


def test_the_app_can_be_installed(browser):
    (link,) = re.findall(r'rel="manifest"\s+href="([^"]+)"', browser.get("/").text)
    answer = browser.get(link)
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert manifest["start_url"].startswith("/")
    for icon in manifest["icons"]:
        assert browser.get(str(httpx.URL(f"http://x{link}").join(icon["src"]).path)).status_code == 200


# -- sentences


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sentences_of_pages_are_served_and_those_of_the_terminal_are_not(browser, lang):
    texts = browser.get(f"/words/{lang}.json").json()
    whole = catalogue(lang)
    assert texts.items() <= whole.items()
    if language(lang).draft:  # which may lack any
        return
    for key in (
        "black",
        "rules.renju",
        "error.occupied",
        "error.web.store",
        "opening.swap2",
        "web.learn.back",
    ):
        assert texts[key] == whole[key]
    left_out = whole.keys() - texts.keys()
    assert {"cli.serve.help", "error.cli.whole", "report.found", "train.games"} <= left_out
    assert not [key for key in left_out if key.startswith(("web.", "player.name"))]


def reached(*first):
    """The modules that some load, at once or later, by their path below `src/tengen`."""
    waiting, seen = list(first), set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        base = httpx.URL(f"http://x/{path.removeprefix('web/')}")
        for name in IMPORT.findall(re.sub(r"/\*.*?\*/", "", scripts()[path], flags=re.DOTALL)):
            found = str(base.join(name).path).lstrip("/")
            waiting.append(f"web/{found}" if found.startswith("static/") else found)
    return seen


@pytest.mark.long
@pytest.mark.parametrize("page", pages.WORDS)
def test_a_page_is_served_the_sentences_that_its_modules_name_and_no_others(browser, page):
    parts = {"app", page}
    served = {key for part in parts for key in browser.get(f"/words/en/{part}.json").json()}
    own = [path for path in scripts() if path.startswith(f"web/static/{page}/") and path.endswith(".js")]
    modules = reached("web/static/shared/app.js", *own)
    named_here = {key for key, names in users().items() if names & modules}
    assert named_here - served == set()
    folders = {path.split("/")[2] for path in modules if path.startswith("web/static/")}
    assert {file for file in pages.WORDS[page] if (pages.STATIC / file).is_dir()} <= folders


def test_the_start_page_loads_a_third_of_all_sentences(browser):
    """What every visitor waits for, in bytes as sent."""
    parts = [browser.get(f"/words/{lang}/{part}.json") for lang in LANGUAGES for part in ("app", "play")]
    sizes = [int(part.headers["content-length"]) for part in parts]
    assert max(sizes[0] + sizes[1], sizes[2] + sizes[3]) < 18_000


def test_every_folder_of_pages_has_its_sentences():
    """The router asks for the sentences of the folder that a page's module lies in."""
    modules = re.findall(r'module: "(\w+)/', scripts()["web/static/shared/router.js"])
    assert {*modules, "app", "site"} == pages.WORDS.keys()
    (early,) = re.findall(r"\(analyse[\w|]+\)", scripts()["web/static/shared/early.js"])
    assert set(early.strip("()").split("|")) == pages.WORDS.keys() - {"app", "play", "site"}


# -- the server


def test_every_colour_and_length_that_a_style_uses_is_set_somewhere():
    """By a style sheet, or by a script: ``style.setProperty("--bar", ...)``, ``style="--share: ..."``."""
    folders = (Path(pages.__file__).parent / "static", Path(assets.__file__).parent)
    texts = [
        file.read_text("utf-8")
        for folder in folders
        for kind in ("*.css", "*.js", "*.html")
        for file in folder.rglob(kind)
        if "vendor" not in file.parts
    ]
    used = {name for text in texts for name in re.findall(r"var\((--[a-z-]+)\)", text)}
    assert used
    assert used - {name for text in texts for name in re.findall(r"(--[a-z-]+)[\"']?[:,] ", text)} == set()


def test_what_the_server_says_of_itself(browser):
    health = browser.get("/healthz").json()
    assert health.keys() == {"status", "version", "engine"}
    status, done = ("compiling", 0.0) if library.selected() is None else ("ready", 1.0)
    assert (health["status"], health["engine"]) == ("ok", status)
    assert browser.get("/api/server").json() == {
        "version": health["version"],
        "schema_version": SCHEMA_VERSION,
        "addresses": [],
        "engine": {"status": status, "done": done},
        "off": [],
        "days_kept": 0,
    }


def test_a_server_in_the_network_says_where(tmp_path):
    with serve(tmp_path, host="0.0.0.0") as server:
        port = server.url.rpartition(":")[2]
        for address in httpx.get(f"{server.url}/api/server").json()["addresses"]:
            assert re.fullmatch(rf"http://[\d.]+:{port}", address)
            assert httpx.get(f"{address}/healthz").status_code == 200
            assert httpx.get(f"{server.url}/api/qr", params={"text": f"{address}/g/x"}).status_code == 200


def test_a_qr_code_of_an_address_of_this_server(server, browser):
    text = f"{server.url}/g/abcdefghijklmnopqrstuv"
    answer = browser.get("/api/qr", params={"text": text})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", scale=8, border=4, xmldecl=False, dark="#000", light="#fff"
    )
    assert answer.content == out.getvalue()
    assert b"<script" not in answer.content


@pytest.mark.parametrize(
    "text", ["", "hello", "https://evil.example/", "javascript:alert(1)", "http://[", "http://127.0.0.1:1/"]
)
def test_no_qr_code_of_anything_else(browser, text):
    answer = browser.get("/api/qr", params={"text": text})
    assert (answer.status_code, answer.json()["error"]["key"]) == (422, "error.web.qr")


def test_a_qr_code_that_would_be_too_large(server, browser):
    answer = browser.get("/api/qr", params={"text": f"{server.url}/{'x' * 600}"})
    assert (answer.status_code, answer.json()["error"]["key"]) == (422, "error.web.field")


def test_long_answers_travel_compressed_too(browser):
    answer = browser.get("/openapi.json")
    assert answer.headers["content-encoding"] == "gzip"
    assert json.loads(answer.content)["info"]["title"] == "Tengen"


def test_the_same_text_packs_the_same():
    one, other = (contents.content(b"x" * 1000, ".js") for _ in range(2))
    assert one == other
    packed = contents.compressed(one)
    assert packed is not None
    assert packed == contents.compressed.__wrapped__(other)
    assert gzip.decompress(packed) == one.plain
