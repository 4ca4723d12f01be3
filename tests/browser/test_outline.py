"""What holds of every page of a site, whatever it is a page of: its outline, its links, its names, and its content policy."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from selenium import webdriver

from tests.support.chromium import served
from tests.support.looks import PAGES

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


SOURCES = Path(__file__).parents[2] / "site_src"
SLIPPED_IN = (
    '<script>document.title = "ran"</script><img src="x" onerror="document.title = \'ran\'">'
    '<style>h1 { position: fixed }</style><p id="sly" style="position:fixed">'
)


@pytest.fixture(scope="module")
def texts(plain: Path) -> dict[str, str]:
    found = {page.relative_to(plain).as_posix(): page.read_text("utf-8") for page in plain.rglob("*.html")}
    assert len(found) > 60
    return found


@pytest.fixture(scope="module")
def pages(plain: Path, texts: dict[str, str]) -> dict[Path, Outline]:
    return {plain.resolve() / path: outline_of(plain / path) for path in texts}


def skips(levels: list[int]) -> bool:
    """Say whether headings are no outline: one title first, and no level left out on the way down."""
    return levels[:1] != [1] or levels.count(1) != 1 or any(below > above + 1 for above, below in pairwise(levels))


def test_headings_never_skip_a_level(pages: dict[Path, Outline]) -> None:
    assert skips([1, 3])
    assert skips([2])
    assert {str(page): outline.levels for page, outline in pages.items() if skips(outline.levels)} == {}
    for guide in SOURCES.rglob("*.md"):  # whose title may be made of its first heading
        text = re.sub(r"^```.*?^```", "", guide.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        levels = [len(marks) for marks in re.findall(r"^(#{1,6}) ", text, re.MULTILINE)]
        if "overrides" not in guide.parts and not (guide.parent / ".gitignore").exists() and levels:
            assert not skips(levels), (guide, levels)


def test_no_two_landmarks_of_a_page_sound_alike(pages: dict[Path, Outline]) -> None:
    for page, outline in pages.items():
        parts = outline.parts()
        assert [part for part, number in Counter(parts).items() if number > 1] == [], page
        roles = Counter(part.role for part in parts)
        nameless = [part.role for part in parts if not part.name and (roles[part.role] > 1 or part.role == "region")]
        assert nameless == [], page


def test_every_link_leads_somewhere_and_no_anchor_is_there_twice(plain: Path, pages: dict[Path, Outline]) -> None:
    dead = [link for _, link in dead_links(plain.resolve(), pages)]  # this site has no guides
    assert [link for link in dead if not (SOURCES / link).with_suffix(".md").is_file()] == []
    doubled = {str(page): Counter(outline.ids).most_common(1)[0] for page, outline in pages.items() if outline.ids}
    assert {page: found for page, found in doubled.items() if found[1] > 1} == {}
    assert sum(len(outline.links) for outline in pages.values()) > 2000


def kind(page: str) -> str:
    """Return of which kind a page is: one of many numbered or named ones, or one by itself."""
    return re.sub(r"(law|proposals|players|journal|boards|chance|scores|embed)/(?!index)[^/]+$", r"\1/*", page)


def test_what_a_browser_looks_at_has_a_page_of_every_kind(texts: dict[str, str]) -> None:
    """So that no kind of page is left out where overflow and contrast are measured."""
    written = {path.with_suffix(".html").name for path in SOURCES.glob("*.md")} | {"guide.html"}
    every = {kind(page) for page in {*texts} - written if not page.startswith("second/")}
    assert every - {kind(page) for page in [*PAGES, "404.html"]} == set()


def test_dialogs_have_names_code_is_reached_by_keys_and_skipping_leads_to_the_title(texts: dict[str, str]) -> None:
    for page, text in texts.items():
        assert all('aria-label="Search"' in each for each in re.findall(r'<[^>]*role="dialog"[^>]*>', text)), page
        assert all('tabindex="0"' in each for each in re.findall(r"<pre\b[^>]*>", text)), page
        assert not re.search(r"<th\b[^>]*>\s*</th>", text), page
        if "embed/" not in page:  # for frames: the title comes first
            link = re.search(r'<a (?:class="skip" )?href="#([^"]*)"(?: class="md-skip")?>', text)
            assert link, page
            target = re.search(rf'<(main|h1) id="{link[1]}"', text)
            assert target, page
            assert re.findall(r"<h\d", text[target.start() :])[0] == "<h1", page


@pytest.mark.parametrize("page", ["index.html", "404.html", "guide.html", "demo/index.html", "demo/law/304.html"])
def test_no_page_allows_inline_scripts(page: str, texts: dict[str, str]) -> None:
    text = texts[page]
    scripts, styles = (text.partition(f"{of}-src ")[2].partition(";")[0].split() for of in ("script", "style"))
    others = {word for word in scripts if not word.startswith("'sha256-")}
    assert others == {"'self'", "'wasm-unsafe-eval'"}, "the search is WebAssembly of the site's own; eval stays refused"
    inline = set(re.findall(r"<script>(.*?)</script>", text, re.DOTALL))
    assert len(scripts) == 2 + len(inline)
    assert bool(inline) == (page in ("404.html", "guide.html")), "the theme's, and what finds the way back"
    assert {word for word in styles if not word.startswith("'sha256-")} == {"'self'"}
    assert ' style="' not in text, "browsers ignore what the policy does not allow"


def test_what_a_player_slips_in_does_not_run(driver: webdriver.Chrome, plain: Path, tmp_path: Path) -> None:
    text = (plain / "demo/offices.html").read_text("utf-8")
    (tmp_path / "slipped-in.html").write_text(text.replace("</main>", f"{SLIPPED_IN}</main>"), "utf-8")
    with served(tmp_path) as address:
        driver.get(f"{address}/slipped-in.html")
        assert driver.title != "ran"
        refused = [
            line["message"] for line in driver.get_log("browser") if "Content Security Policy" in line["message"]
        ]
        assert len([each for each in refused if "nline" in each]) == 4, refused
        assert driver.execute_script("return getComputedStyle(sly).position") == "static"
