"""Templates of a repository's own for the pages of its games, below `site_src/overrides/`.

`overrides/pages/rule.html` draws every page of the kind `rule`, `overrides/games/tea/rule.html` those of one game.
Each may extend the packaged one by `{% extends "packaged/rule.html" %}` and has the same data. They are MiniJinja,
which runs no code, reads nothing but templates, and ends with its fuel.
"""

from __future__ import annotations

from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from minijinja import Environment, TemplateError

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.packaged import SOURCES
from folkmoot.core.problems import Position, Problem
from folkmoot.site.chrome import Chrome
from folkmoot.site.page_data import PageData
from folkmoot.site.pen import packaged, template_environment, template_of
from folkmoot.wording.markup import Html

OVERRIDES, PAGES, GAMES, PACKAGED = "overrides", "pages", "games", "packaged/"
FUEL = 5_000_000
"""How many steps a template of a repository's own may take for a page: some hundred times what the packaged ones do."""


class OwnTemplates:
    """The templates below a site's sources; `problems` are those of templates that failed."""

    def __init__(self, sources: Path) -> None:
        self._files = CloneFiles.around(sources / OVERRIDES)
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

    def body(self, game: str, page: PageData, chrome: Chrome) -> Html | None:
        """Return a page as the repository's template draws it; None where there is none for it, or one that fails."""
        name = template_of(page)
        if not self._place(game, name):
            return None
        try:
            return Html(self._environment(game).render_template(name, page=page, chrome=chrome))
        except Exception as error:  # noqa: BLE001 (whatever a template does, its page is drawn by the packaged one)
            self._failed(game, page, name, error)
            return None

    def _environment(self, game: str) -> Environment:
        if game not in self._environments:
            self._environments[game] = made = template_environment(partial(self._source, game))
            made.fuel = FUEL
        return self._environments[game]

    def _place(self, game: str, name: str) -> str:
        """Return where a repository has a template of this name for a game; "" where it has none."""
        places = (f"{GAMES}/{game}/{name}", f"{PAGES}/{name}")
        return next((path for path in places if self._files.kind(path)), "")

    def _source(self, game: str, name: str) -> str | None:
        """Return the text of a template: the repository's own, else the packaged one."""
        if name.startswith(PACKAGED):
            return packaged(name.removeprefix(PACKAGED))
        path = self._place(game, name)
        return self._files.read_text(path) if path else packaged(name)

    def _failed(self, game: str, page: PageData, name: str, error: Exception) -> None:
        self.failed.add((game, page.path))
        told: Any = error if isinstance(error, TemplateError) else None
        where = (told.name if told else None) or name
        path = self._place(game, where) or self._place(game, name)
        said = " ".join(str((told.detail or told.kind) if told else error).split()) or type(error).__name__
        said = "it takes more steps than a template may" if told and told.kind == "OutOfFuel" else said
        place = Position(f"{SOURCES}/{OVERRIDES}/{path}", (told.line if told else None) or 1)
        if all(known.position != place for known in self.problems):
            message = f"the template of {page.path} fails: {said}"
            self.problems.append(Problem("E-SITE", message, place, "the page is built without it"))
