"""What numbers and times a page says, each with the place where it stands, whatever the page is drawn with.

A page is read as somebody reads it: headings, tables, lists, labels, links and `<time>`; no name of a class is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from posixpath import dirname, join, normpath

from msgspec import Struct, field

VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
UNSEEN = frozenset("script style template option".split())
BLOCKS = frozenset(
    "p li td th dt dd h1 h2 h3 h4 h5 h6 summary caption figcaption blockquote pre label text title desc header div".split()
)
APART = frozenset("p li td th dt dd div tr summary text blockquote pre header".split())
SCOPES = frozenset("tr li article p dl svg section aside".split())
NUMBER = re.compile(r"(?<![\w.,−-])[+−-]?\d+(?:,\d{3})*(?:\.\d+)?(?![\w])", re.ASCII)


class Node(Struct, eq=False):
    """An element with what is in it; text stands in elements named ""."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    words: str = ""
    heading: str = ""
    known_text: str | None = None

    def walk(self) -> Iterator[Node]:
        """Yield this and all that is in it, in order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def up(self) -> Iterator[Node]:
        """Yield this and what it stands in, from the inside."""
        found: Node | None = self
        while found is not None:
            yield found
            found = found.parent

    def within(self, *tags: str) -> Node | None:
        """Return the innermost element of these around this, None where there is none."""
        return next((each for each in self.up() if each.tag in tags), None)

    def text(self) -> str:
        """Return what a reader sees of it."""
        if self.known_text is None:
            said = self.words if self.tag == "" else "".join(each.raw() for each in self.children)
            self.known_text = " ".join(said.split())
        return self.known_text

    def raw(self) -> str:
        """Return its text with its blanks, apart from what stands beside it where it is a part of its own."""
        if self.tag == "":
            return self.words
        said = "".join(each.raw() for each in self.children)
        return f" {said} " if self.tag in APART else said

    def all(self, *tags: str) -> list[Node]:
        """Return the elements of these in it."""
        return [each for each in self.walk() if each.tag in tags]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("page")
        self.open = [self.root]
        self.heading = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs}, self.open[-1], heading=self.heading)
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        while len(self.open) > 1 and tag not in VOID:
            closed = self.open.pop()
            if closed.tag in ("h1", "h2", "h3") and closed.tag == tag:
                self.heading = closed.text()
            if closed.tag == tag:
                break

    def handle_data(self, data: str) -> None:
        if not any(each.tag in UNSEEN or each.attributes.get("aria-hidden") == "true" for each in self.open):
            self.open[-1].children.append(Node("", {}, self.open[-1], words=data, heading=self.heading))


def read_page(text: str) -> Node:
    """Read a page, which has its title and more for programs in front of it."""
    head, start, body = text.partition("<")
    reader = _Reader()
    reader.heading = head.strip().partition("\n")[0]
    reader.feed(start + body)
    reader.close()
    return reader.root


class Figure(Struct, eq=False):
    """A number or a time on a page: what is written, in which text node, and in which words."""

    page: str
    node: Node
    written: str
    value: int | None = None
    """None for a number that is no whole one."""
    at: str = ""
    """A time as its element says it, in UTC."""
    before: str = ""
    after: str = ""

    @property
    def block(self) -> Node:
        """The smallest part with words of its own that it stands in."""
        return self.node.within(*BLOCKS) or self.node

    @property
    def place(self) -> str:
        """Where it stands, for a report."""
        labels = " › ".join(filter(None, (self.node.heading, column(self.node), label(self.node))))
        return f"{self.page}: {labels}: “{self.block.text()[:160]}”"

    def link(self) -> str:
        """Return where the link leads that it is the name of, from the folder of the game; "" outside of links."""
        link = self.node.within("a")
        return resolved(self.page, link.attributes.get("href", "")) if link else ""


def resolved(page: str, address: str) -> str:
    """Return a link of a page from the folder of the game, its place behind a #; "" where it leads away."""
    path, _hash, anchor = address.partition("#")
    if ":" in path:
        return ""
    return f"{normpath(join(dirname(page), path)) if path else page}#{anchor}"


def links(node: Node, page: str) -> Iterator[str]:
    """Yield where the links in an element lead."""
    return (resolved(page, each.attributes.get("href", "")) for each in node.all("a"))


def column(node: Node) -> str:
    """Return the head of the column that something stands in, "" outside of tables."""
    cell = node.within("td", "th")
    table = node.within("table")
    if cell is None or table is None or cell.parent is None:
        return ""
    place = [each for each in cell.parent.children if each.tag in ("td", "th")].index(cell)
    heads = heads_of(table)
    return heads[place] if place < len(heads) and cell.within("thead") is None else ""


def heads_of(table: Node) -> list[str]:
    """Return the heads of the columns of a table."""
    first = next(iter(table.all("thead")), None)
    return [each.text() for each in (first.all("th", "td") if first else [])]


def label(node: Node) -> str:
    """Return what a value is labelled with, "" where it has no label."""
    value = node.within("dd")
    if value is None or value.parent is None:
        return ""
    known = value.parent.children
    before = [each for each in known[: known.index(value)] if each.tag == "dt"]
    return before[-1].text() if before else ""


def figures(page: str, root: Node) -> Iterator[Figure]:
    """Yield every number and time of a page in the order of reading."""
    for node in root.walk():
        if node.tag == "time":
            yield Figure(page, node, node.text(), at=node.attributes.get("datetime", ""))
        elif node.tag == "" and node.within("time") is None:
            for found in NUMBER.finditer(node.words):
                plain = found[0].replace(",", "").replace("−", "-").lstrip("+")
                value = int(plain) if re.fullmatch(r"-?\d+", plain) else None
                before, after = node.words[: found.start()].split(), node.words[found.end() :].split()
                yield Figure(page, node, found[0], value, "", " ".join(before[-1:]), " ".join(after[:1]))


def pages(texts: Mapping[str, str]) -> dict[str, Node]:
    """Read pages by their paths."""
    return {path: read_page(text) for path, text in texts.items()}
