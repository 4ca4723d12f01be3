"""Templates of a repository's own for the pages of its games, below `site_src/overrides/`.

`overrides/pages/rule.html` draws every page of the kind `rule`, `overrides/games/tea/rule.html` those of one game.
Each may extend the packaged one by `{% extends "packaged/rule.html" %}` and has the same data. They are MiniJinja,
which runs no code, reads nothing but templates, and ends with its fuel.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

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
        files = CloneFiles.around(sources / OVERRIDES)
        paths = (path for folder in (PAGES, GAMES) for path in files.walk(folder))
        self.texts = {path: files.read_text(path, errors="replace") or "" for path in paths}
        self.problems: list[Problem] = []
        self.failed: set[tuple[str, str]] = set()
        """The pages, as game and path, whose template failed."""
        self._environments: dict[str, Environment] = {}

    def body(self, game: str, page: PageData, chrome: Chrome) -> Html | None:
        """Return a page as the repository's template draws it; None where there is none for it, or one that fails."""
        name = template_of(page)
        if not self._place(game, name):
            return None
        if game not in self._environments:
            self._environments[game] = template_environment(partial(self._source, game))
            self._environments[game].fuel = FUEL
        try:
            return Html(self._environments[game].render_template(name, page=page, chrome=chrome))
        except Exception as error:  # noqa: BLE001 (whatever a template does, its page is drawn by the packaged one)
            self._note(game, page, name, error)
            return None

    def _place(self, game: str, name: str) -> str:
        """Return where a repository has a template of this name for a game; "" where it has none."""
        return next((path for path in (f"{GAMES}/{game}/{name}", f"{PAGES}/{name}") if path in self.texts), "")

    def _source(self, game: str, name: str) -> str | None:
        """Return the text of a template: the repository's own, else the packaged one."""
        path = "" if name.startswith(PACKAGED) else self._place(game, name)
        return self.texts[path] if path else packaged(name.removeprefix(PACKAGED))

    def _note(self, game: str, page: PageData, name: str, error: Exception) -> None:
        """Note that a template failed, once for each place in it."""
        self.failed.add((game, page.path))
        words, line, where = str(error), 1, name
        if isinstance(error, TemplateError):
            is_endless = error.kind == "OutOfFuel"
            words = "it takes more steps than a template may" if is_endless else error.detail or error.kind
            line, where = error.line or 1, error.name or name
        place = Position(f"{SOURCES}/{OVERRIDES}/{self._place(game, where) or self._place(game, name)}", line)
        if all(known.position != place for known in self.problems):
            message = f"the template of {page.path} fails: {' '.join(words.split()) or type(error).__name__}"
            self.problems.append(Problem("E-SITE", message, place, "the page is built without it"))
