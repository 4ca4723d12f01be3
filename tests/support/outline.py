"""What a page of a built site is made of, for those who hear it: its headings, landmarks, links and anchors."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LANDMARKS = {"main": "main", "nav": "navigation", "aside": "complementary", "form": "form", "section": "region"}
SCOPED = {"header": "banner", "footer": "contentinfo"}
ROLES = frozenset({*LANDMARKS.values(), *SCOPED.values(), "search"})
SECTIONING = frozenset({"article", "aside", "main", "nav", "section"})
VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())


@dataclass(frozen=True, slots=True)
class Landmark:
    """A part of a page that one can jump to: its role, and its name ("" if none)."""

    role: str
    name: str


@dataclass
class Outline(HTMLParser):
    """A page that was read: `levels` of its headings, its landmarks, its links, and the ids that links can lead to."""

    levels: list[int] = field(default_factory=list)
    landmarks: list[Landmark] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    words: dict[str, str] = field(default_factory=dict)
    open: list[tuple[str, str]] = field(default_factory=list)
    named_by: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Prepare the parser."""
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.ids.append(given["id"])
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.levels.append(int(tag[1]))
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        role = given.get("role") or LANDMARKS.get(tag) or self._scoped(tag)
        if role in ROLES:
            self._landmark(role, tag, given)
        if tag not in VOID:
            self.open.append((tag, given.get("id", "")))

    def _scoped(self, tag: str) -> str:
        """Return the role of a header or footer, which is one of the page only outside of its parts."""
        inside = any(around in SECTIONING for around, _ in self.open)
        return "" if inside else SCOPED.get(tag, "")

    def _landmark(self, role: str, tag: str, given: dict[str, str]) -> None:
        name = given.get("aria-label", "").strip()
        if "aria-labelledby" in given:
            self.named_by.append((role, given["aria-labelledby"]))
        elif name or role not in ("region", "form") or "role" in given:
            self.landmarks.append(Landmark(role, name))

    def handle_endtag(self, tag: str) -> None:
        """Close what is open."""
        while self.open and tag not in VOID:
            last, _ = self.open.pop()
            if last == tag:
                break

    def handle_data(self, data: str) -> None:
        """Keep the words of what has an id."""
        for _, identifier in self.open:
            if identifier:
                self.words[identifier] = self.words.get(identifier, "") + data

    def parts(self) -> list[Landmark]:
        """Return all landmarks, those with names from elsewhere too."""
        named = [Landmark(role, " ".join(self.words.get(identifier, "").split())) for role, identifier in self.named_by]
        return self.landmarks + named


def outline_of(page: Path) -> Outline:
    """Read a page."""
    found = Outline()
    found.feed(page.read_text("utf-8"))
    found.close()
    return found


def dead_links(site: Path, pages: dict[Path, Outline]) -> list[tuple[str, str]]:
    """Return the links within a site that lead to no file, or to no place in it, each with the page that has it."""
    ids = {page: {*outline.ids, "", "top"} for page, outline in pages.items()}
    return [
        (page.relative_to(site).as_posix(), link)
        for page, outline in pages.items()
        for link in outline.links
        if not _leads(site, page, link, ids)
    ]


def _leads(site: Path, page: Path, link: str, ids: dict[Path, set[str]]) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True
    path = unquote(parts.path)
    target = site / path.lstrip("/") if path.startswith("/") else (page.parent / path) if path else page
    target = target.resolve()
    target = target / "index.html" if target.is_dir() else target
    moment = target.parent.name == "law-time" and parts.fragment.startswith(
        ("at=", "since=")
    )  # the bar of time goes there
    return target.exists() and (target.suffix != ".html" or moment or unquote(parts.fragment) in ids[target])
