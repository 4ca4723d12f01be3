"""A pull request that is closed while the vote on its proposal goes on says so, and how one votes then."""

from __future__ import annotations

from pathlib import Path

from folkmoot.forges.local.letters import Letter
from tests.support.quick import SMALL, VOTES, QuickMeeting


def test_the_comment_says_where_to_vote(tmp_path: Path) -> None:
    votes = {**VOTES, "actions": {"propose": VOTES["actions"]["propose"]}}
    quick = QuickMeeting(tmp_path, law={**SMALL, "rules": [votes, *SMALL["rules"][1:]]})
    pull = quick.propose("ann", "A dragon")
    quick.referee()
    quick.send("ann", Letter(pull=pull, kind="close"))
    quick.referee(60)
    said = quick.said(pull)
    assert "although this pull request is closed" in said
    assert "the rules know no withdrawing" in said
    assert "moot vote --proposal 301 for" in said
    quick.say("bob", 0, "/vote for proposal=301")
    quick.referee(60)
    assert quick.proposal(301)["ballots"]["bob"]["choice"] == "for"
