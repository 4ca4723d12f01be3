"""A game in which every payload of the corpus stands in every place that players can write to."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from folkmoot.wording.game_view import GameView, ShownPage
from tests.kernel.table import START
from tests.site.game import DAY, game

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


def hostile(slug: str = "hostile") -> GameView:
    """Return a game whose players wrote the whole corpus into everything."""
    given = payloads()
    base = game(slug)
    documents: Record = json.loads(
        json.dumps({k: v for k, v in base.documents.items() if not k.startswith("proposals/")})
    )
    entries: list[Record] = []
    for number, (name, text) in enumerate(given.items()):
        _law(documents, number, name, text)
        _people(documents, number, text[:LONGEST_NAME])
        documents[f"proposals/900/{901 + number}"] = _proposal(number, name, text)
        entries += _entries(len(entries), number, text)
    first = next(iter(given.values()))
    documents["game"] |= {"title": first, "over": None, "open": []}
    documents["game"]["settings"] |= {f"free-{n}": text for n, text in enumerate(given.values())}
    documents["head"] = {"seq": len(entries), "at": START + DAY}
    order = [*base.order, *(f"rule-{name}" for name in given)]
    shown = [*base.shown, _shown(given), _board("square", given), _board("map", given)]
    return replace(base, documents=documents, entries=entries, order=order, shown=shown)


def _law(documents: Record, number: int, name: str, whole: str) -> None:
    text = whole[:LONGEST_NAME]
    uid, key = f"rule-{name}", text[:LONGEST_KEY] or "-"
    rule = {
        "rule": f"{400 + number}", "uid": uid, "title": text, "text": whole, "script": whole,
        "labels": {"status": text, key: text},
        "defines": {"offices": {key: {"summary": text}}, "currencies": {}, "kinds": {key: {"summary": text}},
                    "game": {key: {"type": "string", "summary": text, "initial": text}}},
        "actions": {key: {"summary": text, "who": text, "arguments": {key: {"type": "text"}}}},
        "timers": {key: {"every": text, "weekday": text, "time": text, "summary": text}},
        "settings": {key: {"name": text, "question": text, "default": text, "alternatives": {key: text}}},
        "precedence": {"over": [text], "defers_to": [text]},
    }  # fmt: skip
    old = {
        **rule,
        "revision": 1,
        "at": START,
        "seq": 1,
        "until": START,
        "title": "before",
        "text": f"before {text} after",
    }
    documents[f"rules/{uid}"] = rule
    documents[f"history/{uid}"] = {"revisions": [{**old, "script": "x = 1"}]}
    documents["law"]["rules"][uid] = {
        "number": rule["rule"], "revision": 2, "at": START, "seq": 2, "cause": text, "in_force": True,
        "suspended": text, "failures": [{"hook": text, "error": text, "seq": 1, "revision": 1}],
        "former_numbers": [text[:200]],
    }  # fmt: skip


def _people(documents: Record, number: int, text: str) -> None:
    player = f"p{number}"
    until = START + DAY if number % 2 else None
    documents["roster"][player] = {"name": text, "surname": text, "handles": {"forge": text}, "email": text,
                                   "since": START, "until": until}  # fmt: skip
    documents["things/player"][player] = {"score": number, "zoids": 0, "position": text}
    documents["things/office"][f"office-{number}"] = {"holder": player, "since": START}
    documents["things/duty"][f"d{number}"] = {"player": player, "what": text, "by": START + number, "rule": "202"}
    documents["things/timer"][text[:LONGEST_KEY] or "-"] = {"name": text, "due": START, "rule": "202", "payload": {}}
    documents["things/poem"][f"poem-{number}"] = {"owner": player, "text": text}
    documents["things/game"]["game"][text[:LONGEST_KEY] or "-"] = text


def _proposal(number: int, name: str, whole: str) -> Record:
    text = whole[:LONGEST_NAME]
    ballot = {"choice": text, "reason": whole, "at": START, "weight": 1, "counts": not number % 2, "why": text}
    parts = {"title": text, "text": whole, "script": text, "labels": {text[:LONGEST_KEY] or "-": text}}
    return {
        "id": f"proposal/{901 + number}", "kind": "proposal", "number": 901 + number, "author": f"p{number}",
        "title": text, "state": "adopted", "outcome": "adopted", "why": text, "frozen": text, "seq": 1,
        "changes": [{"kind": "enact", "rule": None, "parts": parts},
                    {"kind": "amend", "rule": f"rule-{name}", "parts": {**parts, "text": f"{whole} more"}},
                    {"kind": "transmute", "rule": f"rule-{name}", "to": text}],
        "requests": [{"name": text, "args": {"x": text}}], "submitted_at": START, "opened_at": START,
        "closed_at": START, "resolved_at": START, "electorate": ["ann", "bob"],
        "ballots": {"ann": ballot, f"p{number}": ballot}, "verdict": {"yes": True, "why": text, "rule": "304"},
        "registers": {text[:LONGEST_KEY] or "-": text},
    }  # fmt: skip


def _entries(seq: int, number: int, whole: str) -> list[Record]:
    by, text = f"p{number}", whole[:LONGEST_NAME]
    award = {"effect": "award", "of": by, "name": "score", "from": 0, "to": 1, "asked": 1, "applied": 1, "why": text,
             "kind": text, "credit": text, "rule": "202"}  # fmt: skip
    more = [{"effect": "announce", "why": text}, {"effect": text, "of": text, "to": text},
            {"effect": "win", "players": [by], "why": text}, {"effect": "owe", "of": by, "what": text},
            {"effect": "resolve", "of": f"proposal/{901 + number}", "to": text, "why": text},
            {"effect": "setting", "name": text, "from": text, "to": text, "rule": "202"},
            {"effect": "put", "of": "game", "name": text, "from": text, "to": {text[:LONGEST_KEY]: [text]}},
            ]  # fmt: skip
    reasons = [{"code": text, "args": {"why": text}, "rule": "202"}]
    draws = [{"label": text, "spec": {"of": text}, "result": text, "source": "open"}]
    failures = [{"rule": "202", "hook": text, "error": text}]
    common = {
        "at": START + seq,
        "by": by,
        "reasons": reasons,
        "draws": draws,
        "failures": failures,
        "via": {"forge": text},
    }
    vote = {"proposal": 901 + number, "choice": text, "reason": whole}
    return [
        {**common, "seq": seq + 1, "do": "state", "with": {"text": whole}, "effects": [award, *more]},
        {**common, "seq": seq + 2, "do": "vote", "with": vote, "effects": []},
        {
            **common,
            "seq": seq + 3,
            "do": text or "-",
            "as": text,
            "with": {"title": text, "words": text},
            "effects": more,
        },
    ]


def _shown(given: dict[str, str]) -> ShownPage:
    blocks: list[Record] = [{"block": "paragraph", "text": text} for text in given.values()]
    texts = [text[:LONGEST_NAME] for text in given.values()]
    blocks += [{"block": "heading", "text": text, "level": 3} for text in texts]
    lines = {text[:LONGEST_KEY]: [[1, 1], [2, n]] for n, text in enumerate(texts)}
    blocks += [
        {"block": "table", "columns": texts, "rows": [texts, [[text] for text in texts]], "caption": texts[0]},
        {"block": "log", "lines": texts, "caption": texts[0]},
        {"block": "chart", "series": lines, "caption": texts[0]},
        {"block": texts[0], "text": texts[0]},
    ]  # fmt: skip
    return ShownPage(name="hostile", title=texts[0], rule="202", blocks=[*blocks, *texts], failure=texts[0])


def _board(shape: str, given: dict[str, str]) -> ShownPage:
    blocks: list[Record] = []
    for whole in given.values():
        text, key = whole[:LONGEST_NAME], whole[:LONGEST_KEY] or "-"
        pieces = [{"at": "a1", "label": text, "name": text, "mark": text, "owner": "ann"}]
        grid: Record = {"shape": "square", "columns": 2, "rows": 2, "wrap": text}
        if shape == "map":
            pieces = [{"at": key, "label": text, "owner": text}]
            grid = {"areas": {key: {"name": text, "type": text, "adj": ["B"]}, "B": {"name": text, "adj": [key]}}}
        blocks.append(
            {"block": "board", "grid": grid, "pieces": pieces, "zones": {"a1": text, key: text}, "caption": text}
        )
    return ShownPage(name=f"{shape}-boards", title=shape, rule="202", blocks=blocks)
