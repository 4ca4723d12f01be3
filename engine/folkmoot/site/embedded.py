"""Pages for frames on other sites: the boards that a rule shows, without navigation, under a content policy of theirs.

All other pages leave a frame as soon as scripts run; these may stay in one. Their links open apart from it.
"""

from __future__ import annotations

import re
from typing import Any

from folkmoot.site.block_shapes import MOST_BLOCKS
from folkmoot.site.page_model import told_apart
from folkmoot.wording.game_view import GameView, ShownPage
from folkmoot.wording.markup import Html, details, el, escape, join
from folkmoot.wording.page_links import Here, file_name
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import _

FRAMED = frozenset({"board", "frames"})
"""The kinds of blocks that such a page shows."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'"
)
_LEADING_AWAY = re.compile(r'<a (?=[^>]*href="[^#])')
ASSETS = "../../assets"
HEIGHT = 560


def embed_path(shown: ShownPage) -> str:
    """Return the path of the page for frames, seen from the game's folder."""
    return f"embed/{file_name(shown.name)}.html"


def framed(shown: ShownPage) -> list[tuple[int, Any]]:
    """Return the blocks of a page that stand on its page for frames, with their places among all."""
    several = enumerate(list(shown.blocks)[:MOST_BLOCKS])
    return [(place, each) for place, each in several if isinstance(each, dict) and each.get("block") in FRAMED]


def framed_page(view: GameView, shown: ShownPage, title: str, drawn: Html) -> str:
    """Return the page for frames, whose blocks are `drawn` as they are on the page of the boards."""
    here = Here(view, f"boards/{file_name(shown.name)}.md")
    head = join([
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="robots", content="noindex"),
        el("meta", name="referrer", content="no-referrer"),
        el("title", f"{title} · {view.title}"),
        el("link", rel="icon", href=f"{ASSETS}/favicon.svg"),
        *(el("link", rel="stylesheet", href=f"{ASSETS}/{name}.css") for name in ("folkmoot", "embed")),
        el("script", src=f"{ASSETS}/site.js", defer=True),
    ])  # fmt: skip
    whole = el("p", here.link(phrase(view.title), "index.md"), " · ", here.link(phrase(title), here.path))
    shell = el(
        "main",
        el("h1", phrase(title)),
        _apart(drawn),
        _apart(el("footer", whole)),
        class_="fm md-typeset",
        lang="en",
    )
    body = el("body", shell, class_="md-typeset", data_md_color_scheme="default")
    page = el("html", el("head", head), body, lang="en", class_="no-js", data_framed="yes")
    return told_apart(f"<!doctype html>\n{page}\n")


def _apart(markup: Html) -> Html:
    """Return markup whose links to other pages open apart from the frame."""
    return Html(_LEADING_AWAY.sub('<a target="_blank" ', markup))


def embedding(here: Here, shown: ShownPage, title: str) -> Html:
    """Return what puts a page's boards into another site, folded; nothing where it has none."""
    if not framed(shown):
        return Html("")
    address = here.view.site_address(embed_path(shown)) if here.view.address else here.beside(embed_path(shown))
    frame = f'<iframe src="{address}" title="{escape(title)}" width="100%" height="{HEIGHT}" loading="lazy"></iframe>'
    link = here.file(_("The boards alone"), embed_path(shown))
    return details(_("Put this on another page"), el("p", link), el("pre", frame, class_="fm-plain", tabindex="0"))
