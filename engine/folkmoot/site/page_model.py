"""A page of a game: what it is made of, and how a template draws it, a packaged one or one of the repository's own.

What a settled page is made of is its own part of the record, what is named in that, and what stands around all pages.
Names are found by the words of the record: whatever a page may link stands in its part of the record by a word of its
name, so that a new rule or proposal concerns no page on which nothing names it.

Templates of a repository's own lie below `site_src/overrides/`: `overrides/pages/rule.html` draws every page of the
kind `rule`, `overrides/games/tea/rule.html` those of one game. Each may extend the packaged one by
`{% extends "packaged/rule.html" %}` and has the same data. They are MiniJinja, which runs no code, reads nothing but
templates, and ends with its fuel.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path

import msgspec
from minijinja import Environment, TemplateError
from msgspec import Struct

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.packaged import SOURCES
from folkmoot.core.problems import Position, Problem
from folkmoot.site.chrome import Chrome, Crest, Entry, chrome, crest, second_rows
from folkmoot.site.output import digest_of, encoded
from folkmoot.site.page_data import PageData, colours
from folkmoot.site.pen import drawn, packaged, shown, template_environment, template_of
from folkmoot.wording.game_view import KERNEL_KINDS, GameView, lists_by_key
from folkmoot.wording.markup import Html
from folkmoot.wording.sentences import told_actions


class Sheet(Struct, frozen=True):
    """A page that is not made yet: its path, and what makes its data of a game.

    Where that is dear and seldom comes out differently, `of` returns the part of the record that it is made of: while
    that and its `PageContext` are what they were, the page is. It returns None as long as too much goes into the page.
    """

    path: str
    make: Callable[[GameView], PageData]
    of: Callable[[GameView], object] | None = None


class Page(Struct, frozen=True):
    """A page as it was drawn: what it is made of, and the HTML of its game's navigation and of what it says.

    `title` is what it is called where its game is not plain: in a window's title, in search, behind a link. `colour`
    is that of its game.
    """

    data: PageData
    game: str
    title: str
    colour: int
    navigation: Html
    body: Html

    @property
    def path(self) -> str:
        """Return the path of the page below the folder of its game."""
        return self.data.path


class Broken(PageData, frozen=True, kw_only=True, tag="broken"):
    """A page that could not be made, and the kind of error."""

    error: str


def made(view: GameView, sheet: Sheet, own: OwnTemplates | None = None) -> Page:
    """Return a page of a game, drawn by the template of its kind: the repository's `own`, else the packaged one."""
    return drawn_page(view, sheet.make(view), own)


def drawn_page(view: GameView, data: PageData, own: OwnTemplates | None = None) -> Page:
    """Return a page as the template of its kind draws it."""
    around = chrome(view, data)
    return Page(
        data=data,
        game=view.slug,
        title=f"{data.title} · {view.title}" if data.path != "index.md" else view.title,
        colour=around.crest.colour,
        navigation=_navigation(around.title, around.crest, around.parts),
        body=(own and own.body(view.slug, data, around)) or drawn(template_of(data), page=data, chrome=around),
    )


@lru_cache(maxsize=100)
def _navigation(title: str, crest: Crest, parts: tuple[Entry, ...]) -> Html:
    """Return the navigation of a game, which is the same on all pages of a folder and a part."""
    return drawn("navigation.html", title=title, crest_of=crest, parts=parts)


# -- what a settled page is made of

NAMED = ("head", "law", "rules/", "history/", "proposals/", "things/", "sealed/")
"""How documents begin of which a settled page shows its own part, and names."""
OF_TODAY = ("chance", "counters", "engine", "open", "settings")
"""What is known of a game that no settled page shows."""
_ESCAPED = re.compile(rb"\\(?:u00..|.)")
_BETWEEN = bytes(each if (chr(each).isalnum() and each < 128) or each == ord("_") else ord(" ") for each in range(256))
"""By which all but letters and digits of ASCII turns into blanks."""


class PageContext:
    """What is shown of a game wherever it is named; see `digest`."""

    def __init__(self, view: GameView) -> None:
        documents = {key: view.documents[key] for key in sorted(view.documents) if not key.startswith(NAMED)}
        documents["game"] = {key: each for key, each in view.document("game").items() if key not in OF_TODAY}
        defines = [(uid, found) for uid in view.ranked if (found := view.rule(uid).get("defines"))]
        around = [view.slug, view.title, view.branch, view.alone, view.address, view.year, crest(view)]
        made_of = [documents, defines, told_actions(view), around, second_rows(view), colours(view)]
        self._around = digest_of(made_of).encode()
        self._names = {word: encoded(known) for word, known in _names(view).items()}

    def digest(self, made_of: object) -> str:
        """Return a digest of a part of the record, of all that is named in it, and of what stands around it."""
        try:
            record = msgspec.json.encode(made_of, enc_hook=str)
        except Exception:  # noqa: BLE001 (what it has not: half characters)
            record = repr(made_of).encode("utf-8", "backslashreplace")
        named = sorted(self._names.keys() & {b"", *_words(record)})
        return digest_of(b"".join([self._around, *map(self._names.__getitem__, named), record]))


def _words(record: bytes) -> list[bytes]:
    return (_ESCAPED.sub(b" ", record) if b"\\" in record else record).translate(_BETWEEN).split()


def _names(view: GameView) -> dict[bytes, list[object]]:
    """Return what pages say of what they name, by the last word of each of its names."""
    in_force = {*view.ranked}
    found: list[tuple[object, object]] = []
    for uid in view.law:
        known = (uid, view.number(uid), view.rule_title(uid), uid in in_force)
        found += [(name, known) for name in {uid, known[1], *view.former_numbers(uid)}]
    for name, each in view.proposals.items():
        known = (name, str(each.get("kind")), str(each.get("number")), view.displays(name))
        found += [(word, known) for word in {name, known[2]}]
    for key, document in view.documents.items():
        if key.startswith("sealed/"):
            found += document.items()
        elif key.startswith("things/") and key.removeprefix("things/") not in KERNEL_KINDS:
            found += [(name, (key, name)) for name in document]
    last = ((_words(str(name).encode("utf-8", "replace"))[-1:], known) for name, known in found)
    return lists_by_key((words[0] if words else b"", known) for words, known in last)


# -- templates of a repository's own

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
            return shown(self._environments[game].render_template(name, page=page, chrome=chrome))
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
