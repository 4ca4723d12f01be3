"""Markdown to harmless HTML: CommonMark with tables, strikethrough, task lists and footnotes, then a sanitiser.

Raw HTML is shown as it was written, so that no part of a law's text can be hidden in a tag or a comment.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping, Sequence
from functools import cache
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from folkmoot.wording.markup import el

_TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "del", "code", "pre", "blockquote", "ul", "ol", "li", "a", "sup"),
    *("section", "table", "thead", "tbody", "tr", "th", "td", "span", "h4", "h5", "h6"),
}
_ATTRIBUTES = {"a": {"href", "title", "id"}, "li": {"id"}, "ol": {"start"}, "h4": set[str](), "sup": set[str]()}
_CLASSES = {
    "td": {"fm-right", "fm-centre"},
    "th": {"fm-right", "fm-centre"},
    "a": {"footnote-backref"},
    "span": {"fm-task", "fm-image"},
    "section": {"footnotes"},
    "li": {"footnote-item", "task-list-item"},
    "sup": {"footnote-ref"},
}
_ALIGNMENTS = {"text-align:right": "fm-right", "text-align:center": "fm-centre"}


def fragment(text: str, name: str) -> str:
    """Return the HTML of a text; its footnotes are numbered under `name`, which is its own on its page."""
    return _cleaner().clean(_markdown().render(text, {"docId": re.sub(r"\W", "-", name)}))


def marked_line(line: str) -> str:
    """Return the HTML of one line: emphasis, code and links."""
    return _cleaner().clean(_inline().renderInline(line, {}))


@cache
def _cleaner() -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=_TAGS,
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        allowed_classes=_CLASSES,
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow ugc noopener",
        strip_comments=True,
    )


@cache
def _inline() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("strikethrough")
    parser.add_render_rule("image", _image_as_link)
    return parser


@cache
def _markdown() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.use(footnote_plugin).use(tasklists_plugin)
    parser.core.ruler.push("folkmoot", _tame)
    parser.add_render_rule("image", _image_as_link)
    return parser


def _tame(state: Any) -> None:
    """Lower headings below those of the page, and write alignments and task boxes without style or input."""
    for token in state.tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = {"h1": "h4", "h2": "h5"}.get(token.tag, "h6")
        elif token.type in {"th_open", "td_open"} and "style" in token.attrs:
            token.attrSet("class", _ALIGNMENTS.get(str(token.attrs.pop("style")), ""))
        for child in token.children or ():
            if child.type == "html_inline" and "checkbox" in child.content:
                child.content = f'<span class="fm-task">{"☑" if "checked" in child.content else "☐"}</span> '


def _image_as_link(
    self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: MutableMapping[str, Any]
) -> str:
    """Return a link in place of a picture, which would be loaded from elsewhere and tell who reads the page."""
    token = tokens[index]
    words = self.renderInlineAsText(token.children or [], options, env) or "picture"
    link = el("a", words, href=str(token.attrs.get("src", "")))
    return el("span", "picture: ", link, class_="fm-image")
