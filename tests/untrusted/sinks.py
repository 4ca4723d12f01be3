"""A game in which every payload of the corpus stands in every place that players can write to."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from msgspec.structs import replace

from folkmoot.core.values import flaw_of
from folkmoot.kernel.rule_changes import check_parts
from folkmoot.wording.game_view import GameView
from tests.support.site_game import DAY, HOME, view
from tests.support.table import START, Table, rule

HERE = Path(__file__).parent
LONGEST_KEY, LONGEST_NAME = 300, 1500
Record = dict[str, Any]


def payloads() -> dict[str, str]:
    """Return every payload by its name."""
    found: dict[str, str] = {}
    for file in sorted(HERE.glob("*.yaml")):
        for number, each in enumerate(_load(file)):
            name = f"{file.stem}-{number:02}"
            found[name] = each["payload"].replace("@@", name) * each.get("times", 1)
    return found


def techniques() -> list[str]:
    """Return what the corpus says its payloads try."""
    return [each["technique"] for file in sorted(HERE.glob("*.yaml")) for each in _load(file)]


def _load(file: Path) -> list[Record]:
    """Read a corpus file; escapes that YAML readers refuse (halves of pairs, noncharacters) are put in afterwards."""
    text = file.read_text("utf-8").replace("\\ud800", "@D800@").replace("\\udfff", "@DFFF@")
    text = text.replace("\\ufffe", "@FFFE@").replace("\\uffff", "@FFFF@")
    return [
        {**each, "payload": re.sub("@([0-9A-F]{4})@", lambda m: chr(int(m[1], 16)), each["payload"])}
        for each in yaml.safe_load(text)
    ]


LAW = rule("1", """
    def decide_electorate(p):
        return [p.author]

    def decide_number(p):
        return get("game", "next_number")

    def decide_rule_number(p, c):
        return get("game", "called")

    def on_proposal_submitted(e):
        add("game", "next_number", 1)

    def decide_closed(p):
        return len(p.ballots) == 1

    def decide_adopted(p):
        return verdict(True, p.title)

    def decide_ballot_counts(p, b):
        return True if p.number % 2 else b.reason

    def do_propose(a):
        put("game", "called", a.args.called)
        p = submit(a.args.title, a.args.changes, a.requests, said = a.args.title)
        freeze(p)
        open_voting(p)

    def do_travel(a):
        pass

    def do_say(a):
        text = a.args.text
        put("game", "said", text)
        append("game", "texts", text)
        put(a.by, "position", text)
        put(office("teller"), "holder", a.by)
        announce(text)
        award(a.by, "score", 1, text, credit = text)
        owe(a.by, text, by = now() + DAY, key = a.by)
        create("poem", owner = a.by, text = text)
        roll(6, text)
        win(a.by, text, play_on = True)

    def do_note(a):
        put("game", "map", {a.args.key: [a.args.key]})
        owe(a.by, a.args.key, key = a.args.key)
        after(DAY, "bell", key = a.args.key, text = a.args.key)
        emit("noted", text = a.args.key)

    def on_noted(e):
        return {}[e.text]

    def do_fail(a):
        require(False, "E-ORDER", a.args.text)

    def said():
        return [[text, text[:300] or "-"] for text in get("game", "texts")]

    def show_hostile():
        texts = get("game", "texts")
        lines = {key: [[1, 1], [2, len(key)]] for _, key in said()}
        return [paragraph(text) for text in texts] + [heading(text, level = 3) for text in texts] + [
            table(texts[:100], [texts, [[text] for text in texts]], texts[0]),
            log(texts, texts[0]),
            chart(lines, texts[0]),
            {"block": texts[0], "text": texts[0]},
        ] + texts

    def show_square_boards():
        grids = [[{"shape": "square", "columns": 2, "rows": 2, "wrap": text}, text, key] for text, key in said()]
        man = lambda text: {"at": "a1", "label": text, "name": text, "mark": text, "owner": "ann"}
        return [board(grid, [man(text)], {"a1": text, key: text}, text) for grid, text, key in grids]

    def show_map_boards():
        around = lambda text, key: {key: {"name": text, "type": text, "adj": ["B"]}, "B": {"name": text, "adj": [key]}}
        man = lambda text, key: {"at": key, "label": text, "owner": text}
        return [board({"areas": around(*each)}, [man(*each)], {each[1]: each[0]}, each[0]) for each in said()]

    def show_failure():
        return {}[get("game", "said")]
    """, title="Everything", text="Whatever is said stands.",
    defines={
        "currencies": {"score": {}},
        "game": {"next_number": {"type": "integer", "initial": 901}, "called": {"type": "string", "initial": "x"},
                 "said": {"type": "text", "initial": ""}, "map": {"type": "map"}, "texts": {"type": "list"}},
        "player": {"position": {"type": "text", "optional": True}},
        "proposal": {"said": {"type": "text", "optional": True}},
        "offices": {"teller": {}},
        "kinds": {"poem": {"registers": {"owner": {"type": "player"}, "text": {"type": "text"}}}},
    },
    timers={"bell": {"edge": "deadline"}},
    actions={
        "propose": {"arguments": {"title": {"type": "text"}, "called": {"type": "string"}, "changes": {"type": "changes"}}},
        "travel": {"travels": "with_proposal", "arguments": {"x": {"type": "text"}}},
        "say": {"arguments": {"text": {"type": "text"}}},
        "note": {"arguments": {"key": {"type": "text"}}},
        "fail": {"arguments": {"text": {"type": "text"}}},
    })  # fmt: skip


def parts_of(name: str, text: str, whole: str) -> Record:
    """Return the parts of a rule with a payload everywhere, as far as a rule can have it there."""
    given: Record = {
        "title": text, "text": whole, "script": whole, "labels": {"status": text},
        "defines": {"offices": {name: {"summary": text}}, "kinds": {name: {"summary": text}},
                    "game": {name: {"type": "text", "summary": text, "initial": text}}},
        "actions": {name: {"summary": text, "arguments": {name: {"type": "text", "summary": text}}}},
        "timers": {name: {"every": "day", "summary": text}},
        "settings": {name: {"name": name, "question": text, "default": name, "alternatives": {name: text}}},
    }  # fmt: skip
    return {part: value for part, value in given.items() if not check_parts({part: value})}


def recordable() -> dict[str, str]:
    """Return the payloads that a record can hold; an act with another is refused before anything looks at it."""
    return {name: text for name, text in payloads().items() if not flaw_of(text)}


def _some(given: dict[str, str], every: int) -> dict[str, str]:
    """Return each n-th payload of every file of the corpus, the first among them."""
    return {name: text for name, text in given.items() if int(name.rpartition("-")[2]) % every == 0}


@cache
def played(every: int = 1) -> Table:
    """Return a game in which everybody wrote a payload into everything that is accepted from them: each n-th one."""
    given = _some(recordable(), every)
    table = Table(LAW, players=("ann",), administrators=["ann"], title=next(iter(given.values())),
                  forge={"kind": "github", "home": HOME})  # fmt: skip
    before: list[Record] = []
    for number, (name, whole) in enumerate(given.items()):
        _play(table, f"p{number}", name, whole, before)
        before = [{"amend": f"rule-{name}", "text": f"before {whole} after"}]
    return table


def _play(table: Table, who: str, name: str, whole: str, changes: list[Record]) -> None:
    text = whole[:LONGEST_NAME]
    if not table.act(who, "join", name=text, attributes={"surname": text}).accepted:
        table.ok(who, "join")
    for do, given in (
        ("state", {"text": whole}), ("say", {"text": text}), ("note", {"key": text[:LONGEST_KEY] or "-"}),
        ("fail", {"text": text}), (text or "-", {"title": text, "words": text}),
    ):  # fmt: skip
        table.act(who, do, **given)
    new = parts_of(name.replace("-", "_"), text, whole)
    asked = {"called": f"rule-{name}", "changes": [{"enact": new}, *changes], "requests": [{"travel": {"x": text}}]}
    table.ok(who, "propose", title=text, **asked)
    table.ok(who, "vote", choice="for", reason=whole)


def hostile(slug: str = "hostile", every: int = 1) -> GameView:
    """Return the game whose players wrote each n-th payload into everything, and what only others' records hold."""
    seen = view(played(every), slug)
    documents, entries = dict(seen.documents), list(seen.entries)
    for number, (name, whole) in enumerate(_some(payloads(), every).items()):
        _unheard_of(documents, number, name, whole[:LONGEST_NAME])
        entries.append(_entry(len(entries) + 1, number, whole[:LONGEST_NAME]))
    return replace(seen, documents=documents, entries=entries)


def _unheard_of(documents: Record, number: int, name: str, text: str) -> None:
    """Put a payload where names and codes stand, which nobody can write here; an older or foreign record may have it."""
    key = text[:LONGEST_KEY] or "-"
    uid = f"rules/rule-{name}"
    blocks = {
        "labels": {"status": text, key: text},
        "defines": {"offices": {key: {"summary": text}}, "kinds": {key: {"summary": text}},
                    "game": {key: {"type": "string", "summary": text, "initial": text}}},
        "actions": {key: {"summary": text, "who": text, "arguments": {key: {"type": "text"}}}},
        "timers": {key: {"every": text, "weekday": text, "time": text, "summary": text}},
        "settings": {key: {"name": text, "question": text, "default": text, "alternatives": {key: text}}},
        "precedence": {"over": [text], "defers_to": [text]},
    }  # fmt: skip
    if uid in documents:
        documents[uid] = {**documents[uid], **blocks}
    documents["game"] = {**documents["game"], "settings": {**documents["game"]["settings"], f"free-{number}": text}}
    until = START + DAY if number % 2 else None
    person = {"name": text, "surname": text, "handles": {"forge": text}, "email": text, "since": START, "until": until}
    documents["roster"] = {**documents["roster"], f"p{number}": person}


def _entry(seq: int, number: int, text: str) -> Record:
    """Return an entry with codes, effects and words that nothing here writes."""
    effects = [{"effect": text, "of": text, "to": text}, {"effect": "resolve", "of": text, "to": text, "why": text},
               {"effect": "setting", "name": text, "from": text, "to": text, "rule": "1"},
               {"effect": "put", "of": "game", "name": text, "from": text, "to": {text[:LONGEST_KEY]: [text]}},
               {"effect": "award", "of": f"p{number}", "name": "score", "from": 1, "to": 2, "asked": 1, "applied": 1,
                "why": text, "kind": text, "credit": text, "rule": "1"}]  # fmt: skip
    return {
        "seq": seq, "at": START + seq, "by": f"p{number}", "do": text or "-", "as": text, "via": {"forge": text},
        "with": {"title": text, "words": text}, "effects": effects,
        "reasons": [{"code": text, "args": {"why": text, text[:LONGEST_KEY]: text}}],
        "draws": [{"label": text, "spec": {"of": text}, "result": text, "source": "open"}],
        "failures": [{"rule": "1", "hook": text, "error": text}],
    }  # fmt: skip
