"""A game with one of everything that pages show: its law, how it is played, once in a process, and as the site sees it."""

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
from folkmoot.site.game_views import view_of
from folkmoot.site.page_model import OwnTemplates, Page, made
from folkmoot.site.pages.proposal import proposal_sheets
from folkmoot.site.pen import bit
from folkmoot.site.publish import Publisher, Report, fill
from folkmoot.site.render import BUNDLES, sheets
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, escape, strip
from folkmoot.wording.page_links import Here
from tests.support.table import Table, rule, script

WORLD: dict[str, tuple[str, str, int, int, str]] = {
    "ALA": ("land", "Alaska", 8, 14, "ARO CAN NPO SIB"),
    "CAN": ("land", "Canada", 20, 18, "ALA ARO NAO NPO THU UNI"),
    "THU": ("land", "Thule (Greenland)", 35, 9, "ARO CAN NAO"),
    "UNI": ("land", "United States", 20, 31, "CAN CAR MEX NAO NPO"),
    "MEX": ("land", "Mexico", 18, 43, "CAR NPO SPO UNI VEN"),
    "CAR": ("water", "Caribbean", 28, 43, "MEX NAO UNI VEN"),
    "VEN": ("land", "Venezuela", 29, 54, "BRA CAR MEX NAO PER SPO"),
    "PER": ("land", "Peru", 26, 66, "ARG BRA SPO VEN"),
    "BRA": ("land", "Brazil", 36, 63, "ARG NAO PER SAO VEN"),
    "ARG": ("land", "Argentina", 30, 80, "BRA PER SAO SOO SPO"),
    "NAO": ("water", "North Atlantic", 38, 34, "BRA CAN CAR FRA GBR SAO THU UNI VEN"),
    "SAO": ("water", "South Atlantic", 46, 75, "ARG BRA NAO SAF SOO"),
    "GBR": ("land", "Britain", 47, 19, "NAO"),
    "FRA": ("land", "France", 50, 31, "ITA NAO"),
    "ITA": ("land", "Italy", 57, 36, "FRA"),
    "SAF": ("land", "South Africa", 58, 77, "INO SAO SOO"),
    "SIB": ("land", "Siberia", 80, 13, "ALA ARO BEI NPO"),
    "BEI": ("land", "Beijing", 84, 33, "SIB YSE"),
    "YSE": ("water", "Yellow Sea", 94, 40, "BEI NPO"),
    "INO": ("water", "Indian Ocean", 72, 66, "AUS SAF SOO"),
    "AUS": ("land", "Australia", 90, 74, "INO SOO SPO"),
    "MAW": ("land", "Mawson", 76, 94, "SOO SOP"),
    "SOP": ("land", "South Pole", 50, 98, "MAW"),
    "ARO": ("water", "Arctic Ocean", 50, 2, "ALA CAN SIB THU"),
    "NPO": ("water", "North Pacific", 4, 32, "ALA CAN MEX SIB SPO UNI YSE"),
    "SPO": ("water", "South Pacific", 8, 66, "ARG AUS MEX NPO PER SOO VEN"),
    "SOO": ("water", "Southern Ocean", 42, 90, "ARG AUS INO MAW SAF SAO SPO"),
}
AREAS = {c: {"type": t, "name": n, "x": 10 * x, "y": 6 * y, "adj": a.split()} for c, (t, n, x, y, a) in WORLD.items()}


def majority(share: str) -> str:
    """Return the script of a rule that adopts what a share of all voters is for, for instance `4 * yes >= 3 * all`."""
    return script(f"""
        def decide_adopted(p):
            yes, all = ballots(p, "for"), len(p.electorate)
            return verdict({share}, "%d of %d voted for it" % (yes, all))
        """)


PROPOSING = """
    TURN = 10 * DAY

    def decide_mover():
        return get("game", "mover")

    def begin_turn(player):
        put("game", "mover", player)
        cancel("turn-lost")
        after(TURN, "turn-lost", key = "turn-lost")

    def end_turn():
        players = things("player")
        place = players.index(get("game", "mover")) + 1
        if place == len(players):
            add("game", "circuit", 1)
        begin_turn(players[place % len(players)])

    def on_founded(e):
        begin_turn(things("player")[0])

    def on_turn_lost(e):
        announce("%s lost the turn." % get("game", "mover"))
        end_turn()

    def forbid_propose(a):
        if a.by != get("game", "mover"):
            return refuse("E-ORDER", "it is the turn of %s" % get(get("game", "mover"), "name"))

    def do_propose(a):
        p = submit(a.args.title, a.args.changes, a.requests)
        if not proposals("open"):
            freeze(p)
            open_voting(p)

    def decide_number(p):
        return get("game", "next_number")

    def on_proposal_submitted(e):
        add("game", "next_number", 1)

    def on_voting_opened(e):
        number, ends = e.proposal.number, now() + 3 * DAY
        at(ends, "voting-ends", key = "voting-ends", number = number)
        for p in things("player"):
            owe(p, "vote on proposal %d" % number, by = ends, key = "vote/" + p, do = "vote", of = e.proposal)

    def on_ballot_cast(e):
        settle("vote/" + e.ballot.player)

    def on_voting_ends(e):
        p = proposal(e.number)
        for player in p.electorate:
            if ballot_of(p, player) == None:
                cast(p, player, "abstain", reason = "Nothing came.", deemed = True)

    def decide_closed(p):
        return len(p.ballots) == len(p.electorate)

    def on_proposal_adopted(e):
        for r in e.proposal.requests:
            if r.name == "new_number":
                renumber(rule(r.args.rule), r.args.number)
            if r.name == "section":
                label(rule(r.args.rule), section = r.args.section)

    def on_proposal_resolved(e):
        p = e.proposal
        cancel("voting-ends")
        award(p.author, "score", (p.number - 291) * ballots(p, "for") // 6, "proposal %d" % p.number)
        if p.number % 3 == 0:
            award(p.author, "zoids", 2, "expansion", credit = "ann")
        end_turn()

    def on_sunday_gain(e):
        award_all([(p, 1) for p in things("player")], "score", "Sunday")
"""
OFFICES = """
    def adjust_zoids(a):
        if a.kind == "award":
            return min(a.amount, 1)

    def decide_ballot_counts(p, b):
        if b.deemed:
            return "nothing was said"
        return True

    def do_appoint(a):
        put(office("scribe"), "holder", a.args.player)

    def do_resign(a):
        require(holds(a.by, a.args.office), "E-NOT-OFFICE", "you do not hold it")
        put(office(a.args.office), "holder", None)

    def do_judge(a):
        for name, value in (a.args.switch or {}).items():
            put("settings", name, value)

    def do_roll_expansions(a):
        for p in things("player"):
            roll(6, "die of odds for %s" % p)
        award(a.by, "zoids", 2, "expansion")
        owe(holder("scribe") or a.by, "confirm the dice of the last roll", key = "dice")
"""
MAPPED = f"""
    AREAS = {AREAS!r}

    def show_world():
        people = [{{"at": get(p, "position"), "owner": p, "name": p}} for p in things("player")]
        return [
            paragraph("The World, as the *Object Orienter* last saw it."),
            board({{"areas": AREAS}}, people + [{{"at": "YSE", "owner": "cid", "name": "cid"}}], caption = "The World"),
            heading("Entitled to expand"),
            table(["Player", "From", "Steps"], [["ann", "MAW", 2], ["zed", "THU", 1]], caption = "Expansions"),
            chart({{"land": [[1, 4], [2, 5], [3, 9]], "water": [[1, 0], [2, 1], [3, 1]]}}, "Areas held, by circuit"),
            history("ann", "score", "The points of Ann"),
            log(["ann moved to MAW", "zed moved to THU"], caption = "Moves"),
        ]
"""
BOARDS = f"""
    load("grid", "hexagonal", "map_of", "square", "torus")

    NEAR = { ({name: area["adj"] for name, area in AREAS.items()})!r}
    HOMES = {{"a8": "home of Zed", "b8": "home of Zed", "g1": "home of Ann", "h1": "home of Ann"}}

    def man(at):
        return {{"at": at, "label": "●", "name": "man", "owner": "ann"}}

    def king(at):
        return {{"at": at, "label": "K", "name": "king", "owner": "zed"}}

    def after_move(number):
        moved = board(square(4, 2), [man("abc"[number - 1] + "1")], caption = "After move %d" % number)
        return struct(title = "Move %d" % number, blocks = [moved])

    def show_chequers():
        men = [man(at) for at in ["a1", "c1", "e3"]]
        return [
            heading("Chequers"),
            board(square(8, 8), men + [king(at) for at in ["h8", "f6", "f6", "f6", "f6"]], HOMES, "Chequers"),
            heading("A torus"),
            board(torus(12, 5), men[:2], caption = "Starball"),
            heading("Hexagons"),
            board(hexagonal(6, 5), men, caption = "Hive"),
            heading("A map without places"),
            board(map_of(NEAR), caption = "Pulled"),
            heading("Earlier positions"),
            frames([after_move(n) for n in [1, 2, 3]], caption = "Move by move"),
        ]

    def show_ruins():
        return [paragraph(["A wall", "A gate"][2])]
"""
BELL = """
    def on_turn_lost(e):
        award(e.rung_by, "score", 1)
"""
FOUNDING: list[Record] = [
    rule("101", title="Obedience", labels={"status": "immutable"}, text="Everybody keeps to the rules as they stand, to rule 110 first."),
    rule("110", title="Immutable rules prevail", labels={"status": "immutable"},
         text="Where rules conflict, the immutable one takes precedence."),
    rule("304", majority("yes == all"), title="Unanimity",
         text="A rule-change that anybody is against becomes no law.",
         precedence={"over": ["206"], "defers_to": ["status=immutable"]}),
    rule("202", PROPOSING, title="Points",
         text="In a turn a player\n\n1. proposes a rule-change, and\n2. gets points for it.",
         defines={
             "currencies": {"score": {"summary": "Points"}, "zoids": {"summary": "Zoids"}},
             "game": {"mover": {"type": "player", "optional": True}, "circuit": {"type": "integer", "initial": 1},
                      "next_number": {"type": "integer", "initial": 301, "summary": "Number of the next proposal"}}},
         actions={
             "propose": {"summary": "Propose a rule-change",
                         "arguments": {"title": {"type": "text"}, "changes": {"type": "changes"}}},
             "new_number": {"summary": "Give a rule a number", "travels": "with_proposal",
                            "arguments": {"rule": {"type": "string"}, "number": {"type": "string"}}},
             "section": {"summary": "Put a rule into a section", "travels": "with_proposal",
                         "arguments": {"rule": {"type": "string"}, "section": {"type": "string"}}}},
         timers={"turn-lost": {"edge": "deadline", "summary": "The mover loses the turn"},
                 "voting-ends": {"edge": "deadline", "summary": "Whoever has not voted abstains"},
                 "sunday-gain": {"every": "week", "weekday": "sunday", "edge": "start", "summary": "A gift"}},
         settings={"G2-Q3": {"name": "rounding", "question": "How are halves rounded?", "default": "up",
                             "alternatives": {"up": "away from zero", "even": "to the even neighbour"}}}),
    rule("203", title="Old majority", text="A simple majority adopts."),
    rule("206", """
         def on_proposal_defeated(e):
             # the one who proposed it
             award(e.proposal.author, "score", -10, why = "defeat of proposal %d" % e.proposal.number)
         """, title="Penalty for defeat",
         text="A defeat costs 10 points, taken from the author of what was defeated."),
    rule("208", title="The winner", text="Whoever has 200 points before anybody else has won."),
    rule("303", OFFICES, title="The Scribe",
         text="There is a **Scribe**, who\n\n- counts,\n- keeps.[^1]\n\n[^1]: For three turns.",
         defines={"offices": {"scribe": {"fill": "appointed", "summary": "Counts the votes"},
                              "judge": {"summary": "Settles questions"}}},
         actions={
             "appoint": {"summary": "Name the Scribe", "arguments": {"player": {"type": "player"}}},
             "resign": {"summary": "Give up an office", "arguments": {"office": {"type": "office"}}},
             "judge": {"summary": "Settle a question", "as": "judge",
                       "arguments": {"ruling": {"type": "text"}, "reasons": {"type": "text"},
                                     "switch": {"type": "settings", "optional": True}}},
             "roll_expansions": {"summary": "Roll for everybody"}},
         settings={"G2-Q2": {"name": "adoption", "question": "Which rule says what is adopted?", "default": "304",
                             "alternatives": {"304": "sixty per cent", "203": "all"}}}),
    rule("311", MAPPED, title="In the beginning", labels={"status": "mutable", "origin": "reconstruction"},
         text="There now exists The World. It consists of areas of land and water.",
         defines={"player": {"position": {"type": "string", "optional": True, "summary": "Area on the map"}}}),
    rule("312", BOARDS, title="Chequers", text="A board of eight by eight squares, on which men stand."),
    rule("313", BELL, title="The bell", text="Whoever rings the bell for a turn lost under rule 202 gets a point from the Scribe."),
]  # fmt: skip
for _each in FOUNDING:
    _each.setdefault("labels", {"status": "mutable"})
RULES = [str(each["rule"]) for each in FOUNDING]
SCRIPT_POEM = script("""
    def do_post(a):
        create("poem", owner = a.by, lines = a.args.lines)
        award(a.by, "score", 5)
    """)
SCRIPT_206 = script("""
    def on_proposal_defeated(e):
        # the one who proposed it, for each vote against it
        award(e.proposal.author, "score", -min(10, ballots(e.proposal, "against")))
    """)
POEM: Record = {
    "title": "Alphabet",
    "labels": {"status": "mutable"},
    "text": "Whoever posts a *poem* from A to Z receives five points.",
    "script": SCRIPT_POEM,
    "defines": {"kinds": {"poem": {"summary": "A poem", "registers": {
        "owner": {"type": "player"}, "lines": {"type": "integer"}}}}},
    "actions": {"post": {"summary": "Post a poem", "arguments": {"lines": {"type": "integer"}}}},
}  # fmt: skip


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
    Publisher(folder).publish_games(views, folder / "site")
    return folder / "site"


PLAIN = Frame(("", "title", "\n", "summary", "\n", "navigation", "\n", "body", "\n"))
"""A page without a theme around it."""


def write_pages(
    views: list[GameView], folder: Path, failed: dict[str, Problem] | None = None, sources: Path | None = None
) -> Report:
    """Write the pages of games into a folder as publishing does, without a theme around them."""
    base = Base(folder.with_name("no base"), "00", dict.fromkeys(DEPTHS, PLAIN), "cards", "cards", "", "")
    return fill(folder, base, views, failed or {}, OwnTemplates(sources or folder))


def proposal_text(view: GameView, name: str = "proposal/311") -> str:
    """Return the page of a proposal below its game's navigation."""
    return str(made(view, view.index(proposal_sheets)[f"proposals/{name.partition('/')[2]}.md"]).body)


# -- what is published of a game, all at once


def data_files(view: GameView) -> dict[str, str]:
    """Return the files of a game that are no pages by their paths."""
    return {path: text for make in BUNDLES.values() for path, text in make(view).items()}


def published(view: GameView, restyling: OwnTemplates | None = None) -> list[Page]:
    """Return every page of a game, drawn by the site's own templates where it has some."""
    return [made(view, sheet, restyling) for sheet in sheets(view)]


def block(here: Here, given: Any, name: str = "b0") -> Html:
    """Return a block of a page that a rule shows as it is drawn."""
    return bit("block", block_of(here, given, name), "blocks.html")


def words_of(markup: str) -> str:
    """Return text with a blank for every tag."""
    return " ".join(strip(Html(markup.replace("<", " <"))).split())


def render(page: Page) -> str:
    """Return what a page says: what it is called and about, its game's navigation, then all below that."""
    sought = "" if page.data.searchable else "search: {exclude: true}"
    return f"{escape(page.title)}\n{escape(page.data.summary)}\n{sought}\n{page.navigation}\n{page.body}"


def render_game(view: GameView, restyling: OwnTemplates | None = None) -> dict[str, str]:
    return {page.path: render(page) for page in published(view, restyling)}


@cache
def rendered() -> dict[str, str]:
    return render_game(game())
