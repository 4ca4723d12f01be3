"""Games of sealed notes, one of which refuses them in secret, and records that somebody mangled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from folkmoot.game.session import Done, Session
from folkmoot.player.hand import detail_of, hand_of
from tests.support.keeper import KEY, OWN, Cards
from tests.support.table import VOTING, rule

NOTES = rule(
    "1",
    """
    def same(x):
        return x

    def do_glance(a):
        drawn = pick_sealed(["heartsease", "heartsease"])
        put("ann", "note", drawn)
        reveal(drawn)
        if a.args.deeply:
            reveal(sealed("same", drawn))
        return refuse("E-NO", "it is taken back")

    def do_try(a):
        for n in range(a.args.times):
            try_act("glance", a.by, {"deeply": a.args.deeply})
        if a.args.draws:
            put("ann", "note", pick_sealed(["foxglove"]))
            put("ann", "copy", sealed("same", get("ann", "note")))

    def do_show(a):
        reveal([get("ann", "copy"), get("ann", "note")])

    def do_pair(a):
        put(a.by, "note", a.args.one)
        put(a.by, "copy", a.args.other)
    """,
    sealed={"same": "What it is given"},
    defines={
        "player": {
            "note": {"type": "any", "sealed": "owner", "optional": True},
            "copy": {"type": "any", "sealed": "owner", "optional": True},
        }
    },
    actions={
        "glance": {"arguments": {"deeply": {"type": "boolean"}}},
        "try": {
            "arguments": {"times": {"type": "integer"}, "deeply": {"type": "boolean"}, "draws": {"type": "boolean"}}
        },
        "show": {},
        "pair": {"arguments": {name: {"type": "any", "sealed": "owner"} for name in ("one", "other")}},
    },
)


class Notes(Cards):
    """A game of sealed notes."""

    law, others = NOTES, [VOTING]

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.keep_key(KEY)
        assert self.open_sealing().accepted

    def wrong(self) -> dict[str, list[str]]:
        """Return what is wrong with the record, proved with and without the keeper's key."""
        with_key = [problem.message for problem in self.problems()]
        self.keep_key()
        without = [problem.message for problem in self.problems()]
        self.keep_key(KEY)
        return {name: found for name, found in (("with the key", with_key), ("without", without)) if found}


def mangled(value: Any) -> Iterator[Any]:
    """Yield a value with each of its parts left out, or of another form."""
    yield from (None, 7, "z" * 64, "é", "", [], {}, [value], {"opened": value})
    if isinstance(value, dict):
        for name in value:
            yield {key: item for key, item in value.items() if key != name}
            yield from ({**value, name: other} for other in mangled(value[name]) if other != value[name])
    if isinstance(value, list):
        yield [*value, *value]
        for place, item in enumerate(value):
            yield [*value[:place], *value[place + 1 :]]
            yield from ([*value[:place], other, *value[place + 1 :]] for other in mangled(item) if other != item)


CANARY = "heartsease5f3a"
LAW = rule(
    "1",
    f"""
    def broken(x):
        return x[0]["{CANARY}"]

    def same(x):
        return x

    def low(x, y):
        return x < y

    def do_note(a):
        put(a.by, "note", a.args.note)

    def do_break(a):
        found = sealed("broken", get(a.args.whose, "note"))
        require(declassify(sealed("same", found), "whether it fits"), "E-NO", "it does not fit")

    def do_beat(a):
        found = sealed("low", get("ann", "note"), get("bob", "note"))
        require(False, "E-NO", "it is refused whatever is found")

    def do_peep(a):
        disclose(get("ann", "note"), a.by)
        sealed("broken", get("ann", "note"))
        require(False, "E-NO", "it is refused")

    def do_hide(a):
        sealed("same", pick_sealed(["{CANARY}"]))
        require(False, "E-NO", "it is refused")

    def do_scribe(a):
        put(office("scribe"), "holder", a.by)
        sealed("broken", get("game", "book"))
        require(False, "E-NO", "it is refused")

    def do_book(a):
        put("game", "book", a.args.note)

    def do_plain(a):
        require(False, "E-NO", "it is refused")
    """,
    sealed=dict.fromkeys(("broken", "same", "low"), "What it tells"),
    defines={
        "player": {"note": {"type": "any", "sealed": "owner", "optional": True}},
        "game": {"book": {"type": "any", "sealed": ["office/scribe"], "optional": True}},
        "offices": {"scribe": {}},
    },
    actions={
        "note": {"arguments": {"note": {"type": "string", "sealed": "owner"}}},
        "break": {"arguments": {"whose": {"type": "player"}}},
        "beat": {},
        "peep": {},
        "hide": {},
        "scribe": {},
        "book": {"arguments": {"note": {"type": "string", "sealed": "nobody"}}},
        "plain": {},
    },
)


class Table(Notes):
    """A game of notes in which ann and bob have keys, and cid none."""

    law = LAW

    def told(self, done: Done, player: str | None = None) -> str:
        """Return what a player was told in secret of an act."""
        return detail_of(done.entry, player or done.entry["by"], OWN.values())

    def all_told(self, player: str) -> dict[int, str]:
        """Return what a player was told in secret in the whole game, by entry."""
        with Session.open(self.path) as session:
            return hand_of(session, player, [OWN[player]]).details

    def name_key(self, player: str) -> Done:
        return self.act(player, "use_sealing_key", key=OWN[player].recipient.text)
