"""A made-up game with one of everything that pages show, as plain documents and journal entries."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from folkmoot.site.publish import write_pages
from folkmoot.wording.game_view import GameView, ShownPage

START = 1767614400  # Mon 5 Jan 2026, 12:00 UTC
DAY = 86400
HOME = "https://forge.example/ann/mail-game"
PLAYERS = {
    "ann": ("Ann", "Abel"),
    "bob": ("Bob", "Baker"),
    "cid": ("Cid", "Castro"),
    "dee": ("Dee", "Dąbrowska"),
    "eve": ("Eve", "Ekström"),
    "zed": ("Zed", "Zhou"),
}
Record = dict[str, Any]

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
RULES: dict[str, tuple[str, str, str]] = {
    "101": ("immutable", "Obedience", "Everybody keeps to the rules as they stand."),
    "110": ("immutable", "Immutable rules prevail", "Where rules conflict, the immutable one takes precedence."),
    "202": ("mutable", "Points", "In a turn a player\n\n1. proposes a rule-change, and\n2. gets points for it."),
    "206": ("mutable", "Penalty for defeat", "A defeat costs 10 points, taken from the author of what was defeated."),
    "208": ("mutable", "The winner", "Whoever has 200 points before anybody else has won."),
    "303": ("mutable", "The Scribe", "There is a **Scribe**, who\n\n- counts,\n- keeps.[^1]\n\n[^1]: For three turns."),
    "304": ("mutable", "Sixty per cent", "At least 60 % adopt.\n\n| Change | Needs |\n|:--|--:|\n| enacting | 60 % |"),
    "311": ("mutable", "In the beginning", "There now exists The World. It consists of areas of land and water."),
    "312": ("mutable", "Chequers", "A board of eight by eight squares, on which men stand."),
}  # fmt: skip
SCRIPT_POEM = """def do_poem(a):
    award(a.by, "score", 5)
"""
AMENDED_206 = "A defeat costs the author of what was defeated a point for each vote against it, at most 10 points."
SCRIPT_206 = """def on_proposal_defeated(e):
    # the one who proposed it
    award(e.proposal.author, "score", -10, why = "defeat of proposal %d" % e.proposal.number)
"""
SCRIPT_304 = """def decide_adopted(p):
    voters = ask("electorate", p)
    if 5 * ballots(p, "for") >= 3 * len(voters):
        return verdict(True, "%d of %d voted for it" % (ballots(p, "for"), len(voters)))
    return verdict(False)
"""


def _rule(uid: str) -> Record:
    status, title, text = RULES[uid]
    found: Record = {"rule": uid, "uid": uid, "title": title, "labels": {"status": status}, "text": text}
    extra: dict[str, Record] = {
        "202": {"defines": {
            "currencies": {"score": {"owners": "player", "initial": 0, "summary": "Points"},
                           "zoids": {"owners": "player", "initial": 0, "summary": "Zoids"}},
            "game": {"mover": {"type": "player", "optional": True}, "circuit": {"type": "integer", "initial": 1},
                     "next_number": {"type": "integer", "initial": 301, "summary": "Number of the next proposal"}},
            "player": {"position": {"type": "string", "optional": True, "summary": "Area on the map"}}},
            "actions": {"propose": {"summary": "Propose a rule-change", "arguments": {"title": {"type": "text"},
                                    "changes": {"type": "changes"}}}},
            "timers": {"turn-lost": {"edge": "deadline", "summary": "The mover loses the turn"},
                       "sunday-gain": {"every": "week", "weekday": "sunday", "edge": "start", "summary": "A gift"}},
            "settings": {"G2-Q3": {"name": "rounding", "question": "How are halves rounded?", "default": "up",
                                   "alternatives": {"up": "away from zero", "even": "to the even neighbour"}}}},
        "206": {"script": SCRIPT_206},
        "303": {"defines": {"offices": {"scribe": {"fill": "appointed", "summary": "Counts the votes"},
                                        "judge": {"fill": "by_rule", "summary": "Settles questions"}}},
                "settings": {"G2-Q2": {"name": "adoption", "question": "Which rule says what is adopted?",
                                       "default": "304", "alternatives": {"304": "sixty per cent", "203": "all"}}}},
        "304": {"script": SCRIPT_304, "precedence": {"over": ["206"], "defers_to": ["status=immutable"]}},
        "311": {"labels": {"status": "mutable", "origin": "reconstruction"},
                "script": "def show_world():\n    return [board(WORLD, pieces = people())]\n"},
    }  # fmt: skip
    return found | extra.get(uid, {})


class _Journal:
    """Writes entries as play would and keeps the scores."""

    def __init__(self) -> None:
        self.entries: list[Record] = []
        self.held = {player: {"score": 0, "zoids": 0} for player in PLAYERS}
        self.now = START

    def add(self, do: str, by: str | None = None, after: int = 3600, **rest: Any) -> Record:
        self.now += after
        entry = {"seq": len(self.entries) + 1, "prev": "0" * 64, "at": self.now, "by": by, "do": do, **rest}
        self.entries.append({key: value for key, value in entry.items() if value not in (None, [], {})})
        return self.entries[-1]

    def award(self, to: str, amount: int, rule: str, why: str, currency: str = "score", **rest: Any) -> Record:
        before = self.held[to][currency]
        self.held[to][currency] = before + amount
        return {"effect": "award", "of": to, "name": currency, "from": before, "to": before + amount, "asked": amount,
                "applied": amount, "kind": "award", "rule": rule, "why": why, **rest}  # fmt: skip


TITLES = ["Scribe", "Sixty per cent", "Doubles", "Bonus for poems", "A quiet week", "The World", "Chequers", "Posting",
          "Numbers", "Alphabet"]  # fmt: skip


def _played(journal: _Journal) -> dict[str, Record]:
    """Play ten proposals and return them by key."""
    made: dict[str, Record] = {}
    ids = list(PLAYERS)
    for n, title in enumerate(TITLES):
        number, author = 301 + n, ids[n % len(ids)]
        made[f"proposals/300/{number}"] = _vote(journal, number, title, author, against=(n * 7 + 2) % 5)
    return made


def _vote(journal: _Journal, number: int, title: str, author: str, against: int) -> Record:
    start, identifier = journal.now, f"proposal/{number}"
    opening = [{"effect": "propose", "of": identifier, "title": title}, {"effect": "open", "of": identifier}]
    seq = journal.add("propose", author, DAY, **{"with": {"title": title}}, effects=opening)["seq"]
    ballots = {}
    for place, voter in enumerate(PLAYERS):
        choice = "against" if place < against else "for"
        reason = ["", "Long overdue.", "It is *never* that simple.", ""][(place + number) % 4]
        ballots[voter] = {"choice": choice, "reason": reason, "at": journal.now + 60, "weight": 1, "counts": True,
                          "why": "", "deemed": voter == "zed" and number % 4 == 0}  # fmt: skip
    yes = sum(ballot["choice"] == "for" for ballot in ballots.values())
    outcome = "adopted" if 5 * yes >= 3 * 6 else "defeated"
    for voter, ballot in ballots.items():
        effect = {"effect": "ballot", "of": identifier, "voter": voter, "choice": ballot["choice"], "counts": True}
        last = voter == "zed"
        results = _results(journal, (number, author, outcome, yes), ballots) if last else []
        why = [{"code": "VERDICT", "rule": "304", "args": {"why": f"{yes} of 6 voted for it"}}] if last else []
        given = {"proposal": number, "choice": ballot["choice"], "reason": ballot["reason"]}
        journal.add("vote", voter, 1800, **{"with": given}, effects=[effect, *results], reasons=why)
    verdict = {"yes": outcome == "adopted", "why": f"{yes} of 6 voted for it", "rule": "304"}
    return {"id": identifier, "kind": "proposal", "number": number, "author": author, "title": title, "state": outcome,
            "changes": _changes(number), "requests": [], "submitted_at": start + DAY, "opened_at": start + DAY,
            "closed_at": journal.now, "resolved_at": journal.now, "electorate": list(PLAYERS), "ballots": ballots,
            "frozen": "ab" * 32, "outcome": outcome, "why": verdict["why"], "verdict": verdict, "seq": seq,
            "registers": {}}  # fmt: skip


def _results(journal: _Journal, of: tuple[int, str, str, int], ballots: Record) -> list[Record]:
    number, author, outcome, yes = of
    found: list[Record] = [{"effect": "resolve", "of": f"proposal/{number}", "to": outcome, "why": f"{yes} of 6"}]
    if outcome == "adopted" and number == 306:
        found.append({"effect": "enact", "of": "311", "number": "311", "title": "In the beginning"})
    if outcome == "adopted":
        found += [journal.award(p, 10, "206", "vote against") for p, b in ballots.items() if b["choice"] == "against"]
    else:
        found.append(journal.award(author, -10, "206", f"defeat of proposal {number}"))
    found.append(journal.award(author, (number - 291) * yes // 6, "202", f"proposal {number}"))
    if number % 3 == 0:
        found.append(journal.award(author, 1, "303", "expansion", "zoids") | {"asked": 2, "credit": "ann"})
    return found


def _changes(number: int) -> list[Record]:
    if number == 302:
        return [{"kind": "amend", "rule": "304", "parts": {"text": RULES["304"][2], "script": SCRIPT_304}}]
    if number == 303:
        return [{"kind": "transmute", "rule": "101", "to": "mutable", "parts": {}}]
    if number == 305:
        return [{"kind": "repeal", "rule": "208", "parts": {}}]
    if number == 308:
        return [
            {
                "kind": "amend",
                "rule": "206",
                "parts": {
                    "text": "When a proposed rule-change is defeated, the "
                    "player who proposed it loses as many points as there were votes against it, but at most 10 points."
                },
            }
        ]
    if number == 309:
        return [{"kind": "retitle", "rule": "202", "parts": {"title": "Points and turns"}}]
    return [{"kind": "enact", "rule": None, "parts": {"title": TITLES[number - 301], "labels": {"status": "mutable"},
             "text": "Whoever posts a *poem* from A to Z receives five points.", "script": SCRIPT_POEM}}]  # fmt: skip


def _around(journal: _Journal) -> None:
    """Record what happens beside proposals: statements, draws, refusals, rulings, timers."""
    journal.add("state", "bob", **{"with": {"text": "I *protest*, and call upon the [Scribe](https://example.org/)."}},
                effects=[{"effect": "state", "of": "bob", "text": "I protest"}])  # fmt: skip
    journal.add("propose", "cid", **{"with": {"title": "Too early"}},
                reasons=[{"code": "E-ORDER", "rule": "202", "args": {"why": "it is the turn of Ann Abel"}}])  # fmt: skip
    journal.add("roll_expansions", "dee", draws=[
        {"label": f"die of odds for {name}", "spec": {"integer": [1, 6]}, "result": 1 + n, "source": "open"}
        for n, name in enumerate(PLAYERS)], effects=[journal.award("dee", 2, "303", "expansion", "zoids")])  # fmt: skip
    journal.add("judge", "eve", **{"as": "judge", "with": {"ruling": "Halves go to the even neighbour.",
                "reasons": "So the bank does it."}},
                effects=[{"effect": "setting", "name": "G2-Q3", "from": "up", "to": "even", "rule": "303"}],
                )  # fmt: skip
    journal.add("appoint", "eve", **{"with": {"office": "scribe", "player": "bob"}},
                effects=[{"effect": "put", "of": "office/scribe", "name": "holder", "from": None, "to": "bob",
                          "rule": "303"}])  # fmt: skip
    journal.add("tick", None, **{"with": {"timer": "turn-lost"}},
                effects=[{"effect": "put", "of": "game", "name": "mover", "from": "eve", "to": "ann", "rule": "202"}],
                failures=[{"rule": "312", "hook": "on_turn_lost", "error": "line 3: unknown name 'pice'"}])  # fmt: skip


def _open(journal: _Journal) -> dict[str, Record]:
    """Open one vote, and a pending proposal behind it."""
    found = {}
    for number, title, state in ((311, "Poets’ corner", "open"), (312, "Chequers for all", "pending")):
        entry = journal.add("propose", "ann", **{"with": {"title": title}},
                            effects=[{"effect": "propose", "of": f"proposal/{number}", "title": title}])  # fmt: skip
        found[f"proposals/300/{number}"] = {
            "id": f"proposal/{number}", "kind": "proposal", "number": number, "author": "ann", "title": title,
            "state": state, "changes": _changes(308 if number == 312 else 304), "requests": [], "frozen": None,
            "submitted_at": journal.now, "opened_at": journal.now if state == "open" else None, "closed_at": None,
            "resolved_at": None, "electorate": list(PLAYERS) if state == "open" else None, "ballots": {},
            "outcome": None, "why": "", "verdict": None, "seq": entry["seq"], "registers": {},
        }  # fmt: skip
    reason = "SECRET-REASON"
    ballot = {"choice": "against", "reason": reason, "at": journal.now, "weight": 1, "counts": True, "deemed": False}
    found["proposals/300/311"]["ballots"] = {"bob": ballot, "cid": {**ballot, "choice": "for", "reason": ""}}
    journal.add("vote", "bob", **{"with": {"proposal": 311, "choice": "against", "reason": reason}},
                effects=[{"effect": "ballot", "of": "proposal/311", "voter": "bob", "choice": "against"}])  # fmt: skip
    journal.add("vote", "dee", 0, **{"with": {"choice": "against", "reason": reason}})
    return found


def shown_pages() -> list[ShownPage]:
    """Return the pages that rules show: a map of the world, and boards of every shape."""
    people = {"ann": "MAW", "bob": "SOP", "cid": "BEI", "dee": "ITA", "eve": "UNI", "zed": "THU"}
    men = [{"at": s, "label": "●", "name": "man", "owner": "ann"} for s in ("a1", "c1", "e3")]
    men += [{"at": s, "label": "K", "name": "king", "owner": "zed"} for s in ("h8", "f6", "f6", "f6", "f6")]
    world = [
        {"block": "paragraph", "text": "The World, as the *Object Orienter* last saw it."},
        {"block": "board", "grid": {"areas": AREAS}, "caption": "The World",
         "pieces": [{"at": area, "owner": p, "name": p} for p, area in people.items()] +
                   [{"at": "YSE", "owner": "cid", "name": "cid"}]},
        {"block": "heading", "text": "Entitled to expand"},
        {"block": "table", "columns": ["Player", "From", "Steps"], "rows": [["ann", "MAW", 2], ["zed", "THU", 1]],
         "caption": "Expansions"},
        {"block": "chart", "series": {"land": [[1, 4], [2, 5], [3, 9]], "water": [[1, 0], [2, 1], [3, 1]]},
         "caption": "Areas held, by circuit"},
        {"block": "log", "lines": ["ann moved to MAW", "zed moved to THU"], "caption": "Moves"},
    ]  # fmt: skip
    squares = [
        {"block": "heading", "text": "Chequers"},
        {"block": "board", "grid": {"shape": "square", "columns": 8, "rows": 8, "wrap": ""}, "pieces": men,
         "zones": {"a8": "home of Zed", "b8": "home of Zed", "g1": "home of Ann", "h1": "home of Ann"},
         "caption": "Chequers"},
        {"block": "heading", "text": "A torus"},
        {"block": "board", "grid": {"shape": "square", "columns": 12, "rows": 5, "wrap": "both"}, "pieces": men[:2],
         "caption": "Starball"},
        {"block": "heading", "text": "Hexagons"},
        {"block": "board", "grid": {"shape": "hexagonal", "columns": 6, "rows": 5, "wrap": ""}, "pieces": men[:3],
         "caption": "Hive"},
        {"block": "heading", "text": "A map without places"},
        {"block": "board", "grid": {"areas": {n: {"adj": a["adj"]} for n, a in AREAS.items()}}, "caption": "Pulled"},
        {"block": "heading", "text": "Earlier positions"},
        {"block": "frames", "caption": "Move by move", "pages": [
            {"title": f"Move {n}", "blocks": [
                {"block": "board", "grid": {"shape": "square", "columns": 4, "rows": 2, "wrap": ""},
                 "pieces": [{"at": f"{'abc'[n - 1]}1", "label": "●", "name": "man", "owner": "ann"}],
                 "caption": f"After move {n}"}]} for n in (1, 2, 3)]},
    ]  # fmt: skip
    return [ShownPage(name="world", title="World", rule="311", blocks=world),
            ShownPage(name="chequers", title="Chequers", rule="312", blocks=squares)]  # fmt: skip


def _law() -> dict[str, Record]:
    metas = {
        uid: {"number": uid, "revision": 1, "at": START, "seq": 1, "cause": None, "applies_from": 0, "in_force": True,
              "suspended": None, "failures": [], "former_numbers": []}
        for uid in RULES
    }  # fmt: skip
    metas["304"] |= {"revision": 3, "at": START + 4 * DAY, "seq": 15, "cause": "proposal/302", "number": "302",
                     "former_numbers": ["304"]}  # fmt: skip
    failed = {"hook": "on_turn_lost", "error": "line 3: unknown name 'pice'", "seq": 76, "revision": 1,
              "times": 40, "last": START + 9 * DAY}  # fmt: skip
    metas["312"] |= {"failures": [failed], "suspended": "its script fails at every turn", "asleep_since": 77}
    metas["203"] = {**metas["101"], "number": "203", "revision": 1, "in_force": False, "at": START + 3 * DAY, "seq": 8,
                    "cause": "proposal/301"}  # fmt: skip
    return metas


def _history() -> dict[str, Record]:
    first = {"rule": "304", "uid": "304", "title": "Unanimity", "labels": {"status": "mutable"}, "revision": 1,
             "at": START, "seq": 1, "until": START + 2 * DAY,
             "text": "A rule-change is adopted if and only if the vote is unanimous."}  # fmt: skip
    second = {**first, "revision": 2, "at": START + 2 * DAY, "seq": 8, "title": "Sixty per cent",
              "text": "A rule-change is adopted if and only if at least 75 % of the voters vote for it.",
              "cause": "proposal/301"}  # fmt: skip
    gone = {"rule": "203", "uid": "203", "title": "Old majority", "labels": {"status": "mutable"}, "revision": 1,
            "at": START, "seq": 1, "text": "A simple majority adopts."}  # fmt: skip
    mark = {"repealed": True, "at": START + 3 * DAY, "seq": 8, "cause": "proposal/301"}
    return {"history/304": {"revisions": [first, second]}, "history/203": {"revisions": [gone, mark]}}


def game(slug: str = "demo") -> GameView:
    """Return the made-up game."""
    journal = _Journal()
    journal.add("found", None, 0, effects=[{"effect": "create", "of": p, "kind": "player"} for p in PLAYERS])
    proposals = _played(journal)
    _around(journal)
    proposals |= _open(journal)
    end = journal.now
    documents: dict[str, Record] = {
        "game": {"title": "The mail game", "ruleset": "suber-mail", "zone": "Europe/Warsaw", "administrators": ["ann"],
                 "engine": {"version": "0.1.0"}, "settings": {"G2-Q3": "even"}, "paused": None, "over": None,
                 "forge": {"kind": "github", "home": HOME}, "open": ["proposal/311", "proposal/312"],
                 "chance": {"epoch": 1, "commitment": "c0ffee" * 10, "opened": []}, "counters": {}},
        "roster": {p: {"name": n, "surname": s, "handles": {"github": {"id": p, "login": p + "-hub"}}, "since": START, "until": None}
                   for p, (n, s) in PLAYERS.items()},
        "law": {"version": 7, "rules": _law()},
        **{f"rules/{uid}": _rule(uid) for uid in RULES}, **_history(),
        "rules/304": {**_rule("304"), "rule": "302"},
        "things/game": {"game": {"mover": "ann", "circuit": 2, "next_number": 313}},
        "things/player": {p: {**journal.held[p], "position": "MAW" if p == "ann" else None} for p in PLAYERS},
        "things/office": {"scribe": {"holder": "bob", "since": end - DAY}, "judge": {"holder": None, "since": None}},
        "things/duty": {
            "a": {"player": "dee", "what": "vote on proposal 311", "by": end + DAY, "rule": "304"},
            "b": {"player": "bob", "what": "confirm the dice of the last roll", "by": None, "rule": "303"}},
        "things/timer": {
            "voting-ends": {"name": "voting-ends", "due": end + 2 * DAY, "edge": "deadline", "rule": "304",
                            "payload": {"proposal": "proposal/311"}},
            "turn-lost": {"name": "turn-lost", "due": end + 3 * DAY, "edge": "deadline", "rule": "202", "payload": {}}},
        "things/poem": {"poem-1": {"owner": "ann", "lines": 26}},
        "head": {"seq": len(journal.entries), "digest": "0" * 64, "at": end}, **proposals,
    }  # fmt: skip
    order = ["101", "110", "304", "202", "206", "208", "303", "311", "312"]
    return GameView(slug=slug, documents=documents, entries=journal.entries, order=order, shown=shown_pages())


def write(folder: Path, *views: GameView) -> None:
    """Write the site's sources with the pages of games into a new folder, and a configuration beside it."""
    root = Path(__file__).parents[2]
    for part in ("assets", "overrides"):
        shutil.copytree(root / "site_src" / part, folder / "site_src" / part)
    shutil.copy(root / "site_src" / "front.md", folder / "site_src")
    config = (root / "mkdocs.yml").read_text("utf-8").partition("hooks:")[0]
    plain = re.sub(r"^nav:\n(?:[ #].*\n)+", 'nav:\n  - "Games": "index.md"\n', config, flags=re.MULTILINE)
    (folder / "mkdocs.yml").write_text(plain, "utf-8")
    write_pages(views, folder / "site_src")
