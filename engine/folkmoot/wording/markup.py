"""Finished HTML as a value: what is not `Html` is escaped, and every piece is one line, so nothing re-reads it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from folkmoot.wording.invisible import visible

_PLAIN = re.compile(r"[ !#-%(-;=?-~]*")  # printable ASCII that means nothing in HTML
PLAIN = frozenset({"No.", "Title", "Entry", "When", "Who", "Player", "Author", "Vote", "State", "Reason", "Rule"})
UNSOUGHT = {"data_pagefind_ignore": "index"}  # what would crowd out of a search result what the page says
_VOID = frozenset({"br", "hr", "img", "input", "wbr"})


class Html(str):
    """HTML that may be put on a page as it is; it holds no line break."""

    __slots__ = ()


def escape(value: object) -> Html:
    """Return any value as text of a page: invisible characters shown, markup and line breaks as entities."""
    if isinstance(value, Html):
        return value
    if value is None:
        return Html("")
    text = str(value)
    return Html(text) if _PLAIN.fullmatch(text) else one_line(html.escape(visible(text), quote=True))


def one_line(markup: str) -> Html:
    """Return markup with its line breaks and tabs as entities, which leaves its meaning as it was."""
    return Html(markup.replace("\r", "").replace("\n", "&#10;").replace("\t", "&#9;"))


def join(parts: Iterable[object], between: str = "") -> Html:
    """Return the parts one after the other, with plain text between them."""
    return Html(escape(between).join(escape(part) for part in parts))


def el(tag: str, *children: object, **attributes: object) -> Html:
    """Return an element; `class_` and `data_x` become `class` and `data-x`, None and False are left out.

    >>> el("a", "5 < 6", href="x.html", class_="fm-link")
    '<a href="x.html" class="fm-link">5 &lt; 6</a>'
    """
    opening = "<" + tag + "".join(_attribute(name, value) for name, value in attributes.items()) + ">"
    return Html(opening if tag in _VOID else f"{opening}{join(children)}</{tag}>")


def _attribute(name: str, value: object) -> str:
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(value)}"'


def heading_text(text: str) -> str:
    """Return text for a Markdown heading or a YAML title: all but letters, digits and spaces as numeric entities."""
    return "".join(c if c == " " or c.isalnum() else f"&#{ord(c)};" for c in shortened(text)) or "untitled"


def shortened(text: str, most: int = 160) -> str:
    """Return text on one line, invisible characters shown, cut where it is too long for a title."""
    line = " ".join(visible(text[: 4 * most]).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def table(
    columns: Iterable[object],
    rows: Iterable[Iterable[object]],
    caption: object = "",
    numeric: int = 0,
    stacked: bool = False,
    plain: frozenset[str] = PLAIN,
) -> Html:
    """Return a table that scrolls inside itself where the page is too narrow; a wide one becomes cards on a phone.

    `numeric` is a bit set: bit n says that column n holds numbers. `stacked` makes cards of a narrower one too.
    `plain` are the columns whose cells need no label on such a card.
    """
    heads = list(columns)
    kinds = ["fm-number" if numeric >> n & 1 else None for n in range(len(heads))]
    titles = join(_head(head, kind) for head, kind in zip(heads, kinds, strict=True))
    labels = [strip(head) for head in heads]
    shown = ["" if label in plain else label for label in labels]
    body = join(_row(row, kinds, shown) for row in rows)
    title = el("caption", caption) if caption else ""
    inner = el(
        "table", title, el("thead", el("tr", titles)) if any(labels) else "", el("tbody", body), class_="fm-table"
    )
    wide = " fm-stack" if stacked or len(heads) > 5 else ""
    name = strip(caption) or ", ".join(label for label in labels if label)
    return el("div", inner, class_=f"fm-scroll{wide}", tabindex="0", role="region", aria_label=name)


def _head(head: object, kind: str | None) -> Html:
    """Return the head of a column; one that says nothing is no heading of anything."""
    return el("th", head, scope="col", class_=kind) if strip(head) else el("td", head)


def _row(cells: Iterable[object], kinds: list[str | None], labels: list[str]) -> Html:
    """Return a row; cells beyond the columns are dropped, missing ones are empty."""
    padded = [*cells, *[""] * len(kinds)][: len(kinds)]
    known = zip(padded, kinds, labels, strict=True)
    return el("tr", join(el("td", cell, class_=kind, data_label=label or None) for cell, kind, label in known))


def items(lines: Iterable[object], **attributes: object) -> Html:
    """Return an unordered list."""
    return el("ul", join(el("li", line) for line in lines), **attributes)


def facts(pairs: Iterable[tuple[object, object]]) -> Html:
    """Return a list of names with their values; pairs without a value are left out, and what says nothing is empty."""
    shown = [(name, value) for name, value in pairs if value not in (None, "")]
    if not shown:
        return Html("")
    return el(
        "dl", join(el("div", el("dt", name), _said(value)) for name, value in shown), class_="fm-facts", **UNSOUGHT
    )


def _said(value: object) -> Html:
    """Return a value of a fact; one without a word or a drawing is said to be empty."""
    markup = str(escape(value))
    return el("dd", value if strip(value) or "<svg" in markup else el("span", "empty", class_="fm-none"))


def details(summary: object, *children: object, open_: bool = False) -> Html:
    """Return what opens on demand, without any script."""
    return el("details", el("summary", summary), *children, class_="fm-details", open=open_, **UNSOUGHT)


def chip(text: object, kind: str = "") -> Html:
    """Return a small label."""
    return el("span", text, class_=f"fm-chip fm-chip--{kind}" if kind else "fm-chip")


def strip(markup: object) -> str:
    """Return the text of a piece of our own markup."""
    if not isinstance(markup, Html):
        return "" if markup is None else str(markup)
    out, depth = [], 0
    for character in markup:
        depth += character == "<"
        if not depth:
            out.append(character)
        depth -= character == ">" and depth > 0
    return html.unescape("".join(out))
