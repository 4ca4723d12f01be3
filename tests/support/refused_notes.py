"""A law whose refusals carry sealed words, and a table that plays it."""

from __future__ import annotations

from folkmoot.game.session import Done, Session
from folkmoot.player.hand import detail_of, hand_of
from tests.support.keeper import OWN
from tests.support.notes import Notes
from tests.support.table import rule

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
