"""A game of a few lines that the store's tests write and replay: players add to their scores, rules grow."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from folkmoot.core.digest import event_digest
from folkmoot.core.problems import fail
from folkmoot.journal import GameFolder, GameRecord
from folkmoot.kernel.chance import commitment, open_chance, recorded_chance, secret_chance, subkey

START = 1_767_614_400  # 2026-01-05T12:00:00Z
SECRET = b"what only the keeper knows"
TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40)
MOVES = st.one_of(
    st.tuples(st.just("score"), st.fixed_dictionaries({"amount": st.integers(-(10**12), 10**12)})),
    st.tuples(st.just("amend"), st.fixed_dictionaries({"text": TEXTS})),
    st.tuples(st.just("state"), st.fixed_dictionaries({"text": TEXTS})),
    st.tuples(st.just("propose"), st.fixed_dictionaries({"number": st.integers(300, 399), "title": TEXTS})),
    st.tuples(st.just("roll"), st.just({})),
)
"""What bob may do, with its arguments."""
Documents = dict[str, Any]
Entry = dict[str, Any]


def fold(documents: Documents, event: dict[str, Any], chance: Any = None) -> tuple[list[dict[str, Any]], set[str]]:
    """Judge one event on `documents`; return its effects and the keys of the documents it changed."""
    with_ = event.get("with") or {}
    if event["do"] == "found":
        documents |= _initial(with_)
        return [], set(documents)
    if event["do"] == "score":
        scores = documents["things/player"][event["by"]]
        before, scores["score"] = scores["score"], scores["score"] + with_["amount"]
        effect = {"effect": "award", "of": event["by"], "name": "score", "from": before, "to": scores["score"]}
        return [effect | {"asked": with_["amount"], "applied": with_["amount"]}], {"things/player"}
    if event["do"] == "roll":
        return [{"effect": "announce", "text": f"rolled {chance.integer(1, 6, 'die')}"}], set()
    if event["do"] == "amend":
        rule = documents["rules/101"]
        past = documents.setdefault("history/101", {"revisions": []})
        past["revisions"].append(dict(rule))
        rule["text"] = with_["text"]
        return [{"effect": "amend", "of": "101", "text": with_["text"]}], {"rules/101", "history/101"}
    if event["do"] == "propose":
        key = f"proposals/300/{with_['number']}"
        documents[key] = {"id": f"proposal/{with_['number']}", "state": "open", "title": with_["title"]}
        documents["game"]["open"].append(documents[key]["id"])
        return [{"effect": "propose", "of": documents[key]["id"]}], {key, "game"}
    if event["do"] == "resolve":
        key = f"proposals/300/{with_['number']}"
        documents[key] |= {"state": "adopted"}
        documents["game"]["open"].remove(documents[key]["id"])
        return [{"effect": "resolve", "of": documents[key]["id"]}], {key, "game"}
    if event["do"] == "repeal":
        documents.pop("rules/102", None)
        return [{"effect": "repeal", "of": "102"}], {"rules/102"}
    if event["do"] == "close_epoch":
        past = documents["game"]["chance"]
        past["opened"].append({"epoch": 1, "secret": SECRET.hex(), "commitment": past["commitment"]})
        return [{"effect": "epoch", "of": "1", "secret": SECRET.hex()}], {"game"}
    return [], set()  # state, redact


def _initial(given: dict[str, Any]) -> Documents:
    chance = given["chance"] | {"opened": []}
    rule = {"rule": "101", "uid": "101", "title": "Obey", "text": "All players must obey.\nAlways.\n"}
    return {
        "game": {"title": given["title"], "open": [], "chance": chance},
        "law": {"rules": {}},
        "roster": {player: {"since": START} for player in ("ann", "bob")},
        "rules/101": rule,
        "rules/102": rule | {"rule": "102", "uid": "102", "text": "No."},
        "things/player": {"ann": {"score": 0}, "bob": {"score": 0}},
    }


class Toy:
    """Plays the toy game into a folder or another record."""

    def __init__(self, place: Path | GameRecord, **options: Any) -> None:
        self.folder: Any = GameFolder(place, durable=False, **options) if isinstance(place, Path) else place
        self.documents: Documents = {}
        if self.folder.exists:
            self.documents = {key: doc for key, doc in self.folder.load().items() if key != "head"}

    def act(self, do: str, by: str | None = "ann", secret: bytes | None = SECRET, **with_: Any) -> Entry:
        entry, changed = self.judge(do, by, secret, **with_)
        self.folder.append([entry], {key: self.documents.get(key) for key in changed})
        return entry

    def judge(
        self, do: str, by: str | None = "ann", secret: bytes | None = SECRET, **with_: Any
    ) -> tuple[Entry, set[str]]:
        head = self.folder.head
        event = {
            "seq": head.seq + 1,
            "prev": head.digest,
            "at": START + 60 * head.seq,
            "by": by,
            "do": do,
            "with": with_,
        }
        digest = event_digest(event)
        chance = (
            open_chance(head.digest, digest) if secret is None else secret_chance(subkey(secret, head.digest, digest))
        )
        effects, changed = fold(self.documents, event, chance)
        return event | {"draws": chance.records, "effects": effects}, changed

    def play(self, rounds: int = 1) -> None:
        """Play a little of everything; founds the game if need be."""
        if not self.folder.exists:
            self.act("found", None, title="Toy", chance={"epoch": 1, "commitment": commitment(SECRET)})
        for n in range(rounds):
            self.act("score", "ann", amount=3)
            self.act("roll")
            self.act("roll", "bob")
            self.act("propose", number=300 + n, title=f"Title {n}: dragons & co")
            self.act("amend", text=f"Text number {n}.\nSecond line.\n")
            self.act("state", "bob", text="My number is 555-1234.")
            self.act("resolve", number=300 + n)
        self.act("propose", number=399, title="Still open")
        self.act("repeal")


def replay(entries: Iterable[Entry]) -> Documents:
    """Replay entries; raises E-REPLAY where effects differ from what is recorded."""
    documents: Documents = {}
    for entry in entries:
        chance = recorded_chance(entry.get("draws") or [])
        effects, _ = fold(documents, entry, chance)
        chance.source.finish()
        if effects != entry.get("effects", []):
            raise fail("E-REPLAY", f"entry {entry['seq']}: effects differ")
    return documents


def files(path: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder by its path."""
    return {p.relative_to(path).as_posix(): p.read_bytes() for p in sorted(path.rglob("*")) if p.is_file()}
