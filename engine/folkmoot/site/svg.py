"""Inline drawings: SVG elements that follow light and dark by their classes, with a title and a description."""

from __future__ import annotations

from folkmoot.wording.markup import Html, el, escape, join

SMALL, WIDEST, STEP = 300, 1200, 30
"""The widths in pixels below which no drawing shrinks, as the classes of the style sheet know them."""


def drawing(name: str, width: int, height: int, title: object, about: object, *children: object, kind: str) -> Html:
    """Return an SVG of a natural width and height in pixels, which shrinks with the page but not beyond legibility.

    `name` must be the drawing's own on its page. What holds links is no image: a reader goes from one to the next.
    """
    heads = [el("title", title, id=f"{name}-title"), el("desc", about, id=f"{name}-desc")]
    drawn = el(
        "svg",
        *heads,
        *children,
        viewBox=f"0 0 {width} {height}",
        width=width,
        role="group" if any("<a " in str(child) for child in children) else "img",
        aria_labelledby=f"{name}-title {name}-desc",
        class_=f"fm-svg fm-svg--{kind} {_least(width)}",
        xmlns="http://www.w3.org/2000/svg",
    )
    return el(
        "div", drawn, class_=f"fm-scroll fm-drawing fm-drawing--{kind}", tabindex="0", role="region", aria_label=title
    )


def _least(width: int) -> str:
    """Return the class that keeps a drawing legible: six tenths of its width, of a small one all of it."""
    least = min(max(SMALL, width * 6 // 10), WIDEST) // STEP * STEP
    return f"fm-least-{least}" if width > SMALL else "fm-least"


def text(x: int, y: int, words: object, class_: str = "", anchor: str = "middle") -> Html:
    """Return a line of text centred (or anchored) at a point."""
    return el("text", words, x=x, y=y, text_anchor=anchor, class_=class_ or None)


def rect(x: int, y: int, width: int, height: int, class_: str, *, rounded: int = 0, tip: object = "") -> Html:
    """Return a rectangle, with words that show when a reader points at it."""
    return el("rect", tip, x=x, y=y, width=width, height=height, rx=rounded or None, class_=class_)


def line(x1: int, y1: int, x2: int, y2: int, class_: str) -> Html:
    """Return a straight line."""
    return el("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def tooltip(words: object) -> Html:
    """Return the words that show when a reader points at an element."""
    return el("title", escape(words))


def group(*children: object, class_: str = "") -> Html:
    """Return elements that belong together."""
    return el("g", join(children), class_=class_ or None)
