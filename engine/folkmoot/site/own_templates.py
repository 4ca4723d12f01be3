"""Templates of a repository's own for the pages of its games: Jinja2 with autoescape, below `site_src/overrides/`.

A template stands where its page does: `overrides/games/tea/law/203.html` is that of one page of one game,
`overrides/pages/law/_each.html` that of every page below `law/` of every game, `overrides/pages/_each.html` that of all
others. It says in which order a page's parts stand and what stands between them; without one a page stays as it is.
What it makes is a page of parts again, so that both ways of building a site draw it alike.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template, TemplateNotFound
from jinja2.exceptions import TemplateSyntaxError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from msgspec.structs import replace

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.packaged import SOURCES
from folkmoot.core.problems import Position, Problem
from folkmoot.site.page_model import Page, Section
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, escape, join, one_line
from folkmoot.wording.page_links import Here
from folkmoot.wording.translation import _

OVERRIDES, PAGES, GAMES = "overrides", "pages", "games"
EACH = "_each.html"
_TOKEN = re.compile("\ue000(\\d+)\ue001")
"""What stands for a part while a template is filled; no text of a page has these characters, which are made visible."""


class Part:
    """A part of a page as templates see it: `heading`, `anchor` and `body`; written out, it is the whole part."""

    def __init__(self, number: int, section: Section) -> None:
        self.section, self.heading, self.anchor = section, section.heading, section.anchor
        self.body = join(section.parts)
        self._token = Html(f"\ue000{number}\ue001")

    def __html__(self) -> str:
        """Return what stands for the part until the page is put together."""
        return self._token

    __str__ = __html__


class OwnTemplates:
    """The templates below a site's sources, filled page by page; `problems` are those of templates that failed."""

    def __init__(self, sources: Path) -> None:
        self.folder = sources / OVERRIDES
        self._files = CloneFiles.around(self.folder)
        self.problems: list[Problem] = []
        self.failed: set[tuple[str, str]] = set()
        """The pages, as game and path, whose template failed."""
        self._environments: dict[str, Environment] = {}
        self._any = any(self._files.kind(name) == "folder" for name in (PAGES, GAMES))

    def __bool__(self) -> bool:
        """Say whether there was any template."""
        return self._any

    def digest(self) -> bytes:
        """Return a digest of all templates."""
        said = blake2b(digest_size=16)
        for path in (path for part in (GAMES, PAGES) for path in self._files.walk(part)):
            name, data = path.encode("utf-8", "surrogateescape"), self._files.read(path) or b""
            said.update(b"%d %d " % (len(name), len(data)) + name + data)
        return said.digest()

    def restyled(self, view: GameView, page: Page) -> Page:
        """Return a page as its template has it; as it was where it has none, or one that fails."""
        environment = self._environment(view.slug)
        for name in _names(page.path):
            try:
                return _filled(environment.get_template(name), view, page)
            except TemplateNotFound as error:
                if error.name != name:
                    return self._failed(view, page, name, error)
            except Exception as error:  # noqa: BLE001 (a template may call anything; its page is built without it)
                return self._failed(view, page, name, error)
        return page

    def _environment(self, game: str) -> Environment:
        if game not in self._environments:
            loader = FunctionLoader(partial(self._source, game))
            made = ImmutableSandboxedEnvironment(
                autoescape=True, undefined=StrictUndefined, loader=loader, finalize=_written
            )
            made.globals["_"] = _
            self._environments[game] = made
        return self._environments[game]

    def _source(self, game: str, name: str) -> tuple[str, str, None] | None:
        """Return the text of a template and its file, None where there is none."""
        for path in (f"{GAMES}/{game}/{name}", f"{PAGES}/{name}"):
            if (text := self._files.read_text(path)) is not None:
                return text, str(self.folder / path), None
        return None

    def _failed(self, view: GameView, page: Page, name: str, error: Exception) -> Page:
        self.failed.add((view.slug, page.path))
        file, line = self._place(view.slug, name, error)
        said = " ".join(str(getattr(error, "message", None) or error).split()) or type(error).__name__
        problem = Problem("E-SITE", f"the template of {page.path} fails: {said}", Position(file, line),
                          "the page is built without it")  # fmt: skip
        if all(known.position != problem.position for known in self.problems):
            self.problems.append(problem)
        return page

    def _place(self, game: str, name: str, error: Exception) -> tuple[str, int]:
        """Return in which template and line something failed."""
        line, traced = 1, error.__traceback__
        if isinstance(error, TemplateSyntaxError):
            name, line = error.name or name, error.lineno
        while traced is not None and not isinstance(error, TemplateSyntaxError):
            filename = Path(traced.tb_frame.f_code.co_filename)
            if filename.is_relative_to(self.folder):
                return f"{SOURCES}/{OVERRIDES}/{filename.relative_to(self.folder).as_posix()}", traced.tb_lineno
            traced = traced.tb_next
        kind = f"{GAMES}/{game}" if self._files.kind(f"{GAMES}/{game}/{name}") else PAGES
        return f"{SOURCES}/{OVERRIDES}/{kind}/{name}", line


def _names(path: str) -> Iterator[str]:
    """Yield the names of templates that a page may have, that of its own first.

    >>> list(_names("law/203.md"))
    ['law/203.html', 'law/_each.html', '_each.html']
    """
    yield f"{path.removesuffix('.md')}.html"
    folder = posixpath.dirname(path)
    while folder:
        yield f"{folder}/{EACH}"
        folder = posixpath.dirname(folder)
    yield EACH


def _filled(template: Template, view: GameView, page: Page) -> Page:
    made = [Part(number, section) for number, section in enumerate(page.sections)]
    named = {part.anchor: part for part in made if part.anchor}

    def section(heading: str, body: object = "", anchor: str = "", level: int = 2) -> Part:
        """Return a part of the template's own."""
        made.append(Part(len(made), Section([_html(_written(body))], str(heading), str(anchor), int(level))))
        return made[-1]

    given: Mapping[str, Any] = {
        "page": page, "parts": tuple(made), "part": named, "section": section, "game": view,
        "here": Here(view, page.path),
    }  # fmt: skip
    text = template.render(given)
    return replace(page, sections=list(_sections(text, made)))


def _written(value: Any) -> Any:
    """Return a value as templates write it out: markup as it is, all else escaped as on every page."""
    return value if hasattr(value, "__html__") else escape(value)


def _sections(text: str, made: list[Part]) -> Iterator[Section]:
    """Yield the parts that a filled template names, and what it says between them as parts without a heading."""
    for place, piece in enumerate(_TOKEN.split(text)):
        if place % 2:
            yield made[int(piece)].section
        elif piece.strip():
            yield Section([_html(piece.strip())])


def _html(markup: object) -> Html:
    return one_line(_TOKEN.sub("", str(markup)))
