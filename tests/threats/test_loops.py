"""The referee and its own words: nobody makes it answer itself, and nobody silences it by its own marks."""

from __future__ import annotations

import pygit2
import pytest

from folkmoot.forges.web import comments as ours
from folkmoot.journal.git_objects import make_commit, write_tree
from tests.support.abuse import unchanged
from tests.support.meeting import GAME, rule
from tests.support.quick import FORGE, QuickMeeting
from tests.support.round_table import MARK, RoundTable

HOW = {
    "quoted": lambda body: "\n".join(f"> {line}" for line in body.splitlines()),
    "word for word": lambda body: body,
    "without the mark": lambda body: "\n".join(body.splitlines()[2:]),
    "as code": lambda body: f"````\n{body}\n````",
}


@pytest.mark.threat("T-33")
@pytest.mark.parametrize("who", ["eve", "dee", "mirror[bot]", None])
@pytest.mark.parametrize("how", HOW)
@pytest.mark.sampled(3)
def test_an_account_that_quotes_everything_makes_no_loop(voting: RoundTable, who: str | None, how: str) -> None:
    """Whatever the referee writes is written again below it, at once; it writes nothing any more after two rounds."""
    github, echoed = voting.github, set[str]()
    voting.say("bob", 2, "/vote for")
    voting.say("cid", 2, "/dance")
    writes = []
    for _ in range(5):
        before = len(github.requests)
        voting.referee()
        writes.append([each for each in github.requests[before:] if each.method != "GET"])
        for said in [said for said in github.said.values() if said["user"] == github.robot]:
            if said["body"] not in echoed:
                echoed.add(said["body"])
                github.comment(who, said["number"], HOW[how](said["body"]))
    assert writes[0]
    assert not writes[-1]
    assert not writes[-2]
    assert set(voting.ballots()) == {"bob"}


@pytest.mark.threat("T-34")
def test_a_call_s_mark_that_somebody_else_wrote_silences_nobody(table: RoundTable) -> None:
    """Eve writes the marks of all calls and of our comment before we do: everybody is called and answered all the same."""
    pull = table.propose("ann", "A dragon")
    table.referee()
    calls = [body for body in table.bodies(pull) if ours.call_key(body)]
    assert calls, "nobody was called"
    other = table.propose("bob", "A bog")
    for body in (*calls, table.said(pull), f"{MARK}\nAdopted.\n<!-- folkmoot:end -->"):
        table.say("eve", other, body)
        table.say("eve", 0, body)
    table.referee()
    assert [body for body in table.bodies(other) if ours.call_key(body)]
    assert "is **open**" in table.said(other)


@pytest.mark.threat("T-39")
def test_what_was_seen_may_be_forged_but_the_journal_may_not(quick: QuickMeeting) -> None:
    """On plain git without a hook, eve writes to the referee's own refs: no entry of the game changes by it."""
    pull = quick.propose("ann", "A dragon")
    quick.referee()
    with unchanged(quick):
        repo, tip = quick.repo, quick.tip(FORGE)
        who = quick.signature("eve")
        forged = write_tree(repo, repo[tip].peel(pygit2.Tree).id, {"said/000/1.md": b"It was **adopted**.\n"})
        quick.put(FORGE, make_commit(repo, forged, [tip], "Observe", who, who))
        quick.put("refs/moot/refereed", quick.change("eve", {f"state/{GAME}/rules/1.yaml": rule("Eve rules")}))
        quick.referee(60)
    quick.put(FORGE, "")
    quick.referee(60)
    assert "is **open**" in quick.said(pull)
    assert quick.sound()
