"""A game with one of everything that pages show: it is played, once in a process, and seen as the site sees games."""

from __future__ import annotations

import copy
import re
import shutil
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from folkmoot.core.problems import Problem
from folkmoot.game.session import Session
from folkmoot.journal import Head
from folkmoot.kernel.documents import is_archived
from folkmoot.site.base_site import DEPTHS, Base, Frame
from folkmoot.site.blocks import block_of
from folkmoot.site.cards import png_of
from folkmoot.site.game_views import view_of
from folkmoot.site.page_json import encoded, path_of
from folkmoot.site.page_model import OwnTemplates, Page, made
from folkmoot.site.pages.now import cards, example, front_of
from folkmoot.site.pen import bit
from folkmoot.site.publish import Publisher, Report, fill
from folkmoot.site.render import cards_of, data_files, sheets, with_marks
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, escape
from folkmoot.wording.page_links import Here
from tests.support.site_law import FOUNDING, POEM, SCRIPT_206, majority
from tests.support.table import Table

DAY = 86400
HOME = "https://forge.example/ann/mail-game"
PLAYERS = {
    "ann": ("Ann", "Abel", "MAW"),
    "bob": ("Bob", "Baker", "SOP"),
    "cid": ("Cid", "Castro", "BEI"),
    "dee": ("Dee", "Dąbrowska", "ITA"),
    "eve": ("Eve", "Ekström", "UNI"),
    "zed": ("Zed", "Zhou", "THU"),
}
SECRET = "SECRET-REASON"
Record = dict[str, Any]


def _enact(title: str, **parts: Any) -> Record:
    text = "Whoever posts a *poem* from A to Z receives five points."
    return {"enact": {"title": title, "labels": {"status": "mutable"}, "text": text, **parts}}


SIXTY = "At least 60 % adopt.\n\n| Change | Needs |\n|:--|--:|\n| enacting | 60 % |"
AMENDED_206 = "A defeat costs the author of what was defeated a point for each vote against it, at most 10 points."
PROPOSED: list[tuple[str, list[Record], int]] = [
    ("Three quarters", [
        {"amend": "304", "title": "Three quarters", "script": majority("4 * yes >= 3 * all"),
         "text": "A rule-change is adopted if and only if at least 75 % of the voters vote for it."},
        {"repeal": "203"}], 0),
    ("Sixty per cent", [{"amend": "304", "title": "Sixty per cent", "text": SIXTY,
                         "script": majority("5 * yes >= 3 * all")}], 1),
    ("Doubles", [{"transmute": "101", "to": "mutable"}], 1),
    ("Bonus for poems", [_enact("Bonus for poems")], 4),
    ("A quiet week", [{"repeal": "208"}], 0),
    ("The World", [_enact("The World", text="The World is round.")], 2),
    ("Chequers", [_enact("Chequers", text="Kings may move backwards.")], 4),
    ("Posting", [{"amend": "206", "text": AMENDED_206, "script": SCRIPT_206}], 1),
    ("Numbers", [{"retitle": "202", "to": "Points and turns"}], 2),
    ("Alphabet", [{"enact": POEM}], 0),
]  # fmt: skip
"""Title, changes and how many vote against it, of the proposals from 301 on."""
REQUESTS = {
    302: [{"new_number": {"rule": "304", "number": "302"}}],
    309: [{"section": {"rule": "202", "section": "Turns"}}],
}


def _vote(table: Table, number: int, against: int) -> None:
    """Let everybody vote on a proposal; zed lets the time of every fourth pass."""
    for place, voter in enumerate(PLAYERS):
        table.pass_time(1800)
        reason = ["", "Long overdue.", "It is *never* that simple.", ""][(place + number) % 4]
        if voter == "zed" and number % 4 == 0:
            table.pass_time(3 * DAY)
        else:
            choice = "against" if place < against else "for"
            table.ok(voter, "vote", proposal=number, choice=choice, reason=reason)


def _around(table: Table) -> None:
    """Do what there is beside proposals: speak, roll, judge, fill and leave an office, fail, be refused."""
    table.ok("bob", "state", text="I *protest*, and call upon the [Scribe](https://example.org/).")
    table.ok("eve", "appoint", player="bob")
    table.ok("dee", "roll_expansions", dice=[1, 2, 3, 4, 5, 6])
    halves = "Halves go to the even neighbour."
    table.ok(
        "eve",
        "judge",
        "judge",
        ruling=halves,
        reasons="So the bank does it, and rule 202 does not say.",
        switch={"G2-Q3": "even"},
    )
    table.ok("eve", "resign", office="judge")
    table.ok("ann", "post", lines=26)
    table.ok("ann", "correct", of="cid", name="score", to=30, why="miscounted")
    table.pass_time(21 * DAY)  # eve and zed lose their turns, and the bell fails
    table.ok("ann", "suspend", rule="313", why="its script fails at every turn")
    table.refused("cid", "propose", title="Too early", changes=[])


@cache
def played() -> Table:
    """Return the game, played to where one vote is open and a proposal waits behind it."""
    people = tuple({"id": who, "name": name, "surname": surname} for who, (name, surname, _) in PLAYERS.items())
    table = Table(
        *FOUNDING, players=people, title="The mail game", ruleset="suber-mail", zone="Europe/Warsaw",
        administrators=["ann"], forge={"kind": "github", "home": HOME}, engine={"version": "0.1.0"},
        chance={"epoch": 1, "commitment": "c0ffee" * 10}, offices={"judge": "eve"},
        opening=[{"player": who, "position": place} for who, (_, _, place) in PLAYERS.items()],
    )  # fmt: skip
    for number, who in enumerate(PLAYERS, 1001):
        table.ok("ann", "identify", player=who, forge="github", id=str(number), login=f"{who}-hub")
    for number, (title, changes, against) in enumerate(PROPOSED, 301):
        table.pass_time(DAY)
        asked = {"title": title, "changes": changes, "requests": REQUESTS.get(number, [])}
        table.ok(table.ask("mover"), "propose", **asked)
        _vote(table, number, against)
    _around(table)
    table.ok("ann", "propose", title="Poets’ corner", changes=[_enact("Poets’ corner")])
    table.pass_time(3600)
    table.ok("bob", "vote", proposal=311, choice="against", reason=SECRET)
    table.ok("dee", "vote", choice="against", reason=SECRET)
    table.ok("ann", "propose", title="Chequers for all", changes=[{"amend": "312", "text": "Everybody plays."}])
    return table


class _Record:
    """What was recorded of a game on a table."""

    def __init__(self, table: Table, name: str) -> None:
        self.name = name
        self.entries = lambda first, last=None: table.entries[first - 1 : last]
        self.head = Head(len(table.entries), table.prev(), table.now)
        everything = table.kernel.documents.everything()
        head = {"seq": self.head.seq, "digest": self.head.digest, "at": table.now}
        self.past = {key: found for key, found in everything.items() if is_archived(key, found)}
        self.present = {key: found for key, found in everything.items() if key not in self.past} | {"head": head}
        self.archived_keys, self.archive, self.reading = self.past.keys, self.past.get, nullcontext


def view(table: Table, slug: str) -> GameView:
    """Return the game that was played on a table as its pages see it."""
    record = _Record(table, slug)
    session = SimpleNamespace(record=record, documents=record.present, sandbox=table.kernel)
    return view_of(cast(Session, session))


@cache
def _view(slug: str) -> GameView:
    return view(played(), slug)


def game(slug: str = "demo") -> GameView:
    """Return the game as its pages see it, a copy that may be changed."""
    return copy.deepcopy(_view(slug))


def write(folder: Path) -> None:
    """Write the site's sources into a new folder, and a configuration beside them."""
    root = Path(__file__).parents[2]
    for part in ("assets", "overrides"):
        shutil.copytree(root / "site_src" / part, folder / "site_src" / part)
    shutil.copy(root / "site_src" / "front.md", folder / "site_src")
    for guide in ("nomic", "getting"):  # the front page leads to them; as they are they would lead to all the others
        (folder / "site_src" / f"{guide}.md").write_text(f"# About {guide}\n", "utf-8")
    config = (root / "mkdocs.yml").read_text("utf-8").partition("hooks:")[0]
    plain = re.sub(r"^nav:\n(?:[ #].*\n)+", 'nav:\n  - "Games": "index.md"\n', config, flags=re.MULTILINE)
    (folder / "mkdocs.yml").write_text(plain, "utf-8")


def build(folder: Path, *views: GameView) -> Path:
    """Build the site of a folder with sources and return where it lies."""
    Publisher(folder).publish_games(views, folder / "site")
    return folder / "site"


PLAIN = Frame(("", "title", "\n", "summary", "\n", "navigation", "\n", "body", "\n"))
"""A page without a theme around it."""


def write_pages(
    views: list[GameView],
    folder: Path,
    failed: dict[str, Problem] | None = None,
    sources: Path | None = None,
) -> Report:
    """Write the pages of games into a folder as publishing does, without a theme around them."""
    base = Base(folder.with_name("no base"), "00", dict.fromkeys(DEPTHS, PLAIN), "cards", "cards", "", "")
    return fill(folder, base, views, failed or {}, OwnTemplates(sources or folder))


def plain_files(view: GameView) -> dict[str, bytes]:
    """Return every file of a game as `write_pages` writes it, by its path."""
    known = published(view)
    pages = {page.path.replace(".md", ".html"): PLAIN.filled(page, "") for page in known}
    data = {path_of(page.path): encoded(page.data) for page in known}
    drawings = {path: png_of(card) for path, card in cards_of(view).items()}
    return {path: text.encode() for path, text in (pages | data_files(view)).items()} | data | drawings


# -- what is published of a game, all at once


def published(view: GameView, restyling: OwnTemplates | None = None) -> list[Page]:
    """Return every page of a game, drawn by the site's own templates where it has some."""
    return [made(view, sheet, restyling) for sheet in sheets(view)]


def block(here: Here, given: Any, name: str = "b0") -> Html:
    """Return a block of a page that a rule shows as it is drawn."""
    return bit("block", block_of(here, given, name), "blocks.html")


def render(page: Page) -> str:
    """Return what a page says: what it is called and about, its game's navigation, then all below that."""
    sought = "" if page.data.searchable else "search: {exclude: true}"
    return f"{escape(page.title)}\n{escape(page.data.summary)}\n{sought}\n{page.navigation}\n{page.body}"


def render_game(view: GameView, restyling: OwnTemplates | None = None) -> dict[str, str]:
    """Return the text of every page of a game by its path below the game's folder."""
    return {page.path: render(page) for page in published(view, restyling)}


@cache
def rendered() -> dict[str, str]:
    """Return the text of every page of the game as it is."""
    return render_game(game())


def render_front(views: list[GameView], words: str) -> str:
    """Return the page in front of all games: hand-written `words` with the games in their place."""
    fronts = [front_of(view) for view in views]
    return with_marks(words, cards(fronts), example(fronts))
