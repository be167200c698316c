"""Builds the documentation: ``python -m documentation [FOLDER] [--without-app]``."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from documentation.boards import Boards
from documentation.check import faults
from documentation.guides import DOCS, ROOT, guides, repository
from documentation.languages import LANGUAGES, OTHERS, SECTIONS, SiteLanguage, word
from documentation.reference import FOLDER, library_pages, references
from tengen.cli.output.progress import ProgressLine
from tengen.web.site.writer import write_site
from tengen.words import Message, TengenError, say

Navigation = list[Any]


def main() -> None:
    """Build the documentation, and check it."""
    parser = argparse.ArgumentParser(prog="python -m documentation", description="Build the documentation.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build/documentation/site")
    parser.add_argument("--without-app", action="store_true", help="leave out the app to try")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        site = Path(made, "site")
        site.mkdir()
        app = not options.without_app and _write_app(site / "try")
        for language in LANGUAGES:
            built = _build(Path(made, language.code), language, app=app)
            shutil.copytree(built, site / language.folder, dirs_exist_ok=True)
        found = list(faults(site))
        for line in found:
            print(line, file=sys.stderr)
        if found:
            sys.exit(f"{len(found)} faults")
        shutil.rmtree(options.folder, ignore_errors=True)
        shutil.copytree(site, options.folder)
    files = [file for file in options.folder.rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files)
    print(f"{options.folder}: {len(files)} files, {size / 1e6:.1f} MB")


def _write_app(folder: Path) -> bool:
    """Write the app to try; return whether all that it is made of is here."""
    step: Message
    line = ProgressLine(lambda: say(step), sys.stderr)

    def progress(next_step: Message) -> None:
        nonlocal step
        step = next_step
        line()

    try:
        write_site(folder, None, progress)
    except TengenError as error:
        print(f"without the app to try: {error}", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        return False
    finally:
        line.clear()
    return True


def _build(folder: Path, language: SiteLanguage, *, app: bool) -> Path:
    """Build the pages of a language, and return their folder."""
    pages = folder / "pages"
    shutil.copytree(DOCS, pages, ignore=shutil.ignore_patterns("*.md"))
    boards = Boards(pages, language)
    boards.write_scripts()
    texts = {f"{name}.md": text for name, text in guides(language, boards.draw)}
    navigation = _navigation(texts, language)
    texts |= references(language)
    about = word("try.there" if app else "try.missing", language).replace("{way}", language.home)
    texts["try.md"] = f"# {word('try', language)}\n\n{about}\n"
    for path, text in texts.items():
        (pages / path).parent.mkdir(parents=True, exist_ok=True)
        (pages / path).write_text(text, "utf-8")
    settings = folder / "mkdocs.yml"
    # JSON is YAML, but for the one value that is an object of Python's.
    text = json.dumps(_settings(navigation, language), ensure_ascii=False, indent=1)
    slugs = "!!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}"
    settings.write_text(text.replace('"SLUGS"', slugs), "utf-8")
    command = [
        sys.executable,
        "-m",
        "zensical",
        "build",
        "--clean",
        "--strict",
        "--config-file",
        str(settings),
    ]
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(done.stdout)
    return folder / "site"


def _navigation(texts: dict[str, str], language: SiteLanguage) -> Navigation:
    """Return the navigation: guides by section, references, the app."""
    first = ("index", "tutorial")
    listed = {f"{name}.md" for _, names in SECTIONS.values() for name in (*names, *first, "changes")}
    entries: Navigation = [{word(name, language): f"{name}.md"} for name in first]
    for section, (titles, names) in SECTIONS.items():
        paths = [f"{name}.md" for name in names if f"{name}.md" in texts]
        if section == OTHERS:
            paths += sorted(set(texts) - listed)
        entries.append({titles[language.code]: [{_title(texts[path]): path} for path in paths]})
    library = [{word("library", language): f"{FOLDER}/library.md"}, *library_pages(language)]
    entries.append(
        {
            word("reference", language): [
                {word("library", language): library},
                {word("commands", language): f"{FOLDER}/commands.md"},
                {word("http", language): f"{FOLDER}/http.md"},
                {word("schemas", language): f"{FOLDER}/schemas.md"},
                {word("changes", language): "changes.md"},
            ]
        }
    )
    return [*entries, {word("try", language): "try.md"}]


def _title(text: str) -> str:
    """Return the title of a page."""
    return text.partition("\n")[0].removeprefix("# ")


def _settings(navigation: Navigation, language: SiteLanguage) -> dict[str, Any]:
    """Return the settings of Zensical, which are those of MkDocs."""
    address = repository()
    scheme = {"primary": "teal", "accent": "teal"}
    return {
        "site_name": word("title", language),
        "docs_dir": "pages",
        "site_dir": "site",
        "use_directory_urls": False,
        **({} if address is None else {"repo_url": address}),
        "theme": {
            "name": "material",
            "variant": "classic",
            "language": language.code,
            "font": False,
            "favicon": "tengen/icon.svg",
            "logo": "tengen/icon.svg",
            "palette": [
                {"media": "(prefers-color-scheme: light)", "scheme": "default", **scheme},
                {"media": "(prefers-color-scheme: dark)", "scheme": "slate", **scheme},
            ],
            "features": ["navigation.tabs", "navigation.top", "content.code.copy", "search.highlight"],
        },
        "plugins": [
            "search",
            {
                "mkdocstrings": {
                    "handlers": {
                        "python": {
                            "paths": [str(ROOT / "src")],
                            "options": {
                                "docstring_style": "google",
                                "docstring_section_style": "list",
                                "heading_level": 2,
                                "inherited_members": True,
                                "members_order": "source",
                                "merge_init_into_class": True,
                                "separate_signature": True,
                                "show_root_heading": True,
                                "show_source": False,
                                "show_signature_annotations": True,
                                "signature_crossrefs": True,
                            },
                        }
                    }
                }
            },
        ],
        "markdown_extensions": [
            "admonition",
            "attr_list",
            "md_in_html",
            "tables",
            {"toc": {"permalink": True, "slugify": "SLUGS"}},
            "pymdownx.details",
            "pymdownx.highlight",
            "pymdownx.superfences",
        ],
        "validation": {"invalid_links": True, "invalid_link_anchors": True},
        "extra_css": [
            f"tengen/{name}.css" for name in ("board_themes", "board", "replay", "documentation")
        ],
        "extra_javascript": [{"path": "tengen/boards.js", "type": "module"}],
        "extra": {
            "generator": False,
            "alternate": [
                {"name": each.name, "link": f"{language.home}{each.folder or '.'}/", "lang": each.code}
                for each in LANGUAGES
            ],
        },
        "nav": navigation,
    }


if __name__ == "__main__":
    main()
