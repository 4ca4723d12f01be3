"""What a script sees of a record does not depend on which words stand in the script, in comments least of all."""

from __future__ import annotations

import pytest

from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.kernel.script_records import FIELDS_OF_PROPOSAL, FIELDS_OF_RULE
from folkmoot.language.tree import takes_back
from tests.support.table import Table, rule, said

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


def test_a_change_has_every_field_whatever_it_changes() -> None:
    shown = """
        def on_proposal_submitted(e):
            announce(" ".join([name for name in dir(e.proposal.changes[0]) if e.proposal.changes[0].kind == "repeal"]))
        """
    propose = {"propose": {"arguments": {"title": {"type": "text"}, "changes": {"type": "changes"}}}}
    submit = "\n        def do_propose(a):\n            submit(a.args.title, a.args.changes)\n"
    table = Table(rule("1", shown + submit, actions=propose), rule("2", ""))
    outcome = table.ok("ann", "propose", title="Less", changes=[{"repeal": "2"}])
    known = ["kind", "rule", "uid_", "revision", "to", "name", "proposal", *RULE_PARTS, "once"]
    assert said(outcome) == [" ".join(sorted(known))]


def test_only_a_call_takes_acts_back() -> None:
    assert takes_back("def do_x(a):\n    take_back(a.args.act)\n")
    assert not any(
        map(takes_back, ("# take_back(1)", 'x = "take_back"', "take_backs = 1", "def do_take_back(a):\n    pass"))
    )
