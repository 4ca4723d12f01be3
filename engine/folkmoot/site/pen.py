"""The pen: templates of pages, one file a kind, drawn by MiniJinja, and the few functions that they call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from minijinja import Environment
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from folkmoot.language.tree import MAX_BYTES
from folkmoot.site.page_data import PageData
from folkmoot.wording.catalogue import signed
from folkmoot.wording.markup import Html, counted, escape, visible
from folkmoot.wording.prose import phrase, prose, remark
from folkmoot.wording.redline import redline, script_redline

_COLOURS = HtmlFormatter(nowrap=True)
TEMPLATES = Path(__file__).with_name("templates")


@lru_cache(128)
def coloured(source: str) -> Html:
    """Return a script with its syntax highlighted; one that is too long to run is shown plainly."""
    text = visible(source)
    if len(text) > MAX_BYTES:
        return escape(text)
    return Html(highlight(text, PythonLexer(stripnl=False), _COLOURS).rstrip("\n"))


FUNCTIONS: dict[str, Any] = {
    "coloured": coloured,
    "counted": counted,
    "number": "{:,}".format,
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
    )


def packaged(name: str, folder: Path = TEMPLATES) -> str | None:
    """Return the text of a packaged template, None where there is none of this name; no path leads elsewhere."""
    return next((file.read_text("utf-8") for file in folder.iterdir() if file.name == name), None)


def bit(macro: str, what: Any, file: str = "bits.html") -> Html:
    """Return what a macro of a file of templates draws of something."""
    given = '{% from "' + file + '" import ' + macro + " %}{{ " + macro + "(what) }}"
    return shown(environment().render_str(given, "bit.html", what=what).replace("\n", ""))


def template_of(page: PageData) -> str:
    """Return the name of the template that draws a page."""
    return f"{type(page).__struct_config__.tag}.html"


def drawn(template: str, **given: object) -> Html:
    """Return what a template makes of what it is given: a piece of a page."""
    return shown(environment().render_template(template, **given))


def shown(markup: str) -> Html:
    """Return what a template made, with its invisible characters visible, and its slashes as all others are.

    >>> shown("here&#x2f;" + chr(0x202E))
    'here/⟦U+202E⟧'
    """
    return Html(visible(markup.replace("&#x2f;", "/")))
