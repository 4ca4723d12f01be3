"""What a script sees of a record does not depend on its words; and what is kept of one is which one it is."""

from __future__ import annotations

import pytest

from folkmoot.kernel.script_records import FIELDS_OF_PROPOSAL, FIELDS_OF_RULE
from tests.support.table import VOTING, Table, failed, rule

COMMENTS = ["", "# " + " ".join(sorted(FIELDS_OF_PROPOSAL | FIELDS_OF_RULE)), "# take_back(load(dir(digest(getattr("]
LOOKING = """
        def fields(record):
            return " ".join(sorted([name for name in dir(record)]))

        def do_compare(a):
            before = rule("2")
            change = {"te" + "xt": "Something else."}
            amend("2", **change)
            announce("the same" if before == rule("2") else "another")
            announce("the same" if str(before) == str(rule("2")) else "another")
            announce(str(before))

        def do_count(a):
            before = submit(title = "Tea", changes = [])
            open_voting(before)
            announce("the same" if before == proposal(before.id) else "another")
            announce("%s" % before)

        def on_proposal_submitted(e):
            announce(str(e))

        def decide_whole(p):
            return str(p)
"""


def words_of(comment: str) -> list[str]:
    """Return all that the rule says when it looks at whole records, with a comment in its script."""
    table = Table(rule("1", f"{LOOKING}\n        {comment}\n", actions={"compare": {}, "count": {}}), rule("2", ""))
    outcomes = [table.ok("ann", "compare"), table.ok("ann", "count")]
    announced = [effect["text"] for outcome in outcomes for effect in outcome.effects if effect["effect"] == "announce"]
    return [*announced, str(table.ask("whole", {"$": 1, "state": "open", "seq": 4}))]


@pytest.mark.parametrize("comment", COMMENTS[1:])
def test_a_comment_changes_nothing(comment: str) -> None:
    assert words_of(comment) == words_of("")


def test_whole_records_are_shown_and_compared() -> None:
    compared, written, as_text, *_ = said = words_of("")
    assert (compared, written) == ("another", "another")
    assert [name for name in FIELDS_OF_RULE - {"$"} if f"{name} = " not in as_text and f"{name}=" not in as_text] == []
    assert "another" in said[3:], "the vote is open now"
    proposal = next(text for text in said[3:] if "submitted_at" in text)
    assert [name for name in FIELDS_OF_PROPOSAL - {"$"} if name not in proposal] == []


# -- kept


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
