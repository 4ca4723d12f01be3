"""What a script keeps of a whole record is which one it is."""

from __future__ import annotations

from tests.support.table import VOTING, Table, failed, rule

REGISTERS = {name: {"type": "any"} for name in ("m", "p", "r", "z", "t", "y")}
KEEPING = rule(
    "5",
    """
    def do_keep(a):
        p = proposal(901)
        put("game", "p", p)
        put("game", "m", {"p": p, "a": a, "mine": {"uid": "x", "number": 1}})
        put("game", "r", [rule("5"), rules(), p.changes])
        append("game", "notes", [p, p.id])
        put_in("game", "by", "k", [p])
        create("chest", v = p)
        try_act("take", a.by, {"v": {"p": p, "r": rule("5")}})
        emit("sung", p = p, a = a)

    def do_take(a):
        put("game", "t", a.args)

    def on_sung(e):
        put("game", "y", e)

    def on_ballot_cast(e):
        put("game", "z", e)
    """,
    actions={"keep": {}, "take": {"arguments": {"v": {"type": "any"}}}},
    defines={
        "game": {**REGISTERS, "notes": {"type": "list", "initial": []}, "by": {"type": "map", "initial": {}}},
        "kinds": {"chest": {"registers": {"v": {"type": "any"}}}},
    },
)
KEPT = {"id": "proposal/901", "number": 901}


def test_what_is_kept_of_a_proposal_or_rule_is_which_one_it_is() -> None:
    """Another engine shows scripts more of a proposal or less: neither is on record, so that both replay the same."""
    table = Table(VOTING, KEEPING)
    table.propose("ann", {"enact": {"title": "New", "text": "abc"}})
    table.ok("bob", "vote", proposal=901, choice="for")
    assert failed(table.ok("ann", "keep")) == []
    assert table.get("game", "p") == KEPT
    assert table.get("game", "m")["p"] == KEPT
    assert table.get("game", "m")["mine"] == {"uid": "x", "number": 1}
    assert table.get("game", "m")["a"]["by"] == "ann"
    assert table.get("game", "r")[0] == {"uid": "5", "number": "5"}
    assert table.get("game", "notes") == [[KEPT, "proposal/901"]]
    assert table.get("game", "by") == {"k": [KEPT]}
    assert table.get("game", "t") == {"v": {"p": KEPT, "r": {"uid": "5", "number": "5"}}}
    assert table.get("game", "y")["p"] == KEPT
    assert (table.get("game", "z")["proposal"], table.get("game", "z")["ballot"]["choice"]) == (KEPT, "for")
    table.replay_all()
