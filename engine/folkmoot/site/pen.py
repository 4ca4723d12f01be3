"""The pen: templates of pages, one file a kind, drawn by MiniJinja, and the few functions that they call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from minijinja import Environment
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from folkmoot.language.tree import MAX_BYTES
from folkmoot.site.chrome import Chrome, chrome
from folkmoot.site.page_data import PageData
from folkmoot.wording.catalogue import signed
from folkmoot.wording.game_view import GameView
from folkmoot.wording.invisible import visible
from folkmoot.wording.markup import Html, Late, escape
from folkmoot.wording.prose import phrase, prose, remark
from folkmoot.wording.redline import redline, script_redline
from folkmoot.wording.translation import _, number, plural

_COLOURS = HtmlFormatter(nowrap=True)
TEMPLATES = Path(__file__).with_name("templates")


def counted(count: int, one: str, many: str) -> str:
    """Return the text for a count, which its field {count} names."""
    return plural(count, one, many).format(count=number(count))


def coloured(source: str) -> Html:
    """Return a script with its syntax highlighted; one that is too long to run is shown plainly."""
    text = visible(source)
    if len(text) > MAX_BYTES:
        return escape(text)
    return Html(highlight(text, PythonLexer(stripnl=False), _COLOURS).rstrip("\n"))


FUNCTIONS: dict[str, Any] = {
    "_": _,
    "coloured": coloured,
    "counted": counted,
    "number": number,
    "phrase": phrase,
    "prose": prose,
    "redline": redline,
    "remark": remark,
    "script_redline": script_redline,
    "signed": signed,
}
"""What templates call, by the names that they have there."""


@cache
def environment() -> Environment:
    """Return what draws the packaged templates."""
    return template_environment(packaged)


def template_environment(source: Callable[[str], str | None]) -> Environment:
    """Return what draws templates whose texts `source` knows by their names."""
    return Environment(
        loader=source,
        globals=FUNCTIONS,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined_behavior="strict",
        auto_escape_callback=lambda _name: "html",
        finalizer=_shown,
    )


def _shown(value: object) -> object:
    """Return a value as a page shows it: text with its invisible characters visible, nothing for None."""
    if value is None:
        return Html("")
    if isinstance(value, Late):
        return value.__html__()
    return escape(value) if isinstance(value, str) and not hasattr(value, "__html__") else NotImplemented


def packaged(name: str) -> str | None:
    """Return the text of a packaged template, None where there is none of this name."""
    file = TEMPLATES / name
    return file.read_text("utf-8") if file.is_file() else None


def bit(macro: str, what: Any, file: str = "bits.html") -> Html:
    """Return what a macro of a file of templates draws of something."""
    given = '{% from "' + file + '" import ' + macro + " %}{{ " + macro + "(what) }}"
    return Html(environment().render_str(given, "bit.html", what=what).replace("\n", ""))


def template_of(page: PageData) -> str:
    """Return the name of the template that draws a page."""
    return f"{type(page).__struct_config__.tag}.html"


def around(view: GameView, page: PageData) -> Chrome:
    """Return what stands around a page of a game."""
    return chrome(view, page.path, page.part, page.at)


def navigation(chrome: Chrome) -> Html:
    """Return the name of a game and its navigation as they stand in the head of a page."""
    return drawn("navigation.html", chrome=chrome)


def body(page: PageData, chrome: Chrome) -> Html:
    """Return what a page says, from the second row of the navigation to its foot."""
    return drawn(template_of(page), page=page, chrome=chrome)


def drawn(template: str, **given: object) -> Html:
    """Return what a template makes of what it is given: a piece of a page."""
    return Html(environment().render_template(template, **given))
