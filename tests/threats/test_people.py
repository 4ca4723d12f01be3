"""Who somebody is on a real forge, and which of their words count: strangers, robots, ghosts, freed logins, old content."""

from __future__ import annotations

import json

import pygit2
import pytest

from folkmoot.journal.git_objects import make_commit, write_tree
from tests.support.meeting import GAME, PLAYERS, rule
from tests.support.quick import FORGE, QuickMeeting, unchanged
from tests.support.round_table import RoundTable

HERE = f"state/{GAME}"
DAY = 86_400


@pytest.mark.threat("T-12", "T-14")
def test_strangers_robots_ghosts_and_second_accounts_vote_by_no_means(voting: RoundTable) -> None:
    """A vote by review and one by comment are one vote; the same word from another account of the same person is none."""
    for kind in ("approve", "request_changes", "comment"):
        voting.say("eve", 2, "/vote for", kind)
    for who in ("voter[bot]", "github-actions[bot]", None):
        voting.say(who, 2, "", "approve")
        voting.say(who, 2, "/vote for")
        voting.say(who, 0, "/vote for proposal=301")
    for number in range(3):
        voting.say(f"bob-{number}", 2, "", "approve")
    voting.say("eve", 2, "/vote for as=bob")
    voting.say("eve", 2, "/do vote choice=for by=bob proposal=301")
    with unchanged(voting):
        voting.referee()
    assert "eve is no player of this game" in voting.said(2)
    voting.say("bob", 2, "", "approve")
    voting.say("bob", 2, "/vote for")
    voting.referee()
    assert voting.ballots() == {"bob": "for"}


@pytest.mark.threat("T-12")
def test_a_ghost_s_pull_request_is_nobody_s(table: RoundTable) -> None:
    """Of two people who deleted their accounts, neither acts for the other."""
    pull = table.propose("ann", "A dragon")
    table.github.pulls[pull]["user"] = None
    table.github.close(None, pull)
    with unchanged(table):
        table.referee()


@pytest.mark.threat("T-19")
@pytest.mark.parametrize(
    "way", ["closed", "draft", "retargeted", "fork gone", "forced to the branch", "title", "locked"]
)
@pytest.mark.sampled(3)
def test_an_author_cannot_shut_the_ballot_box(voting: RoundTable, way: str) -> None:
    """Whatever ann does with her pull request while it is voted on, the others' votes are counted in time."""
    voting.say("cid", 2, "/vote for")
    voting.say("dee", 2, "/vote for")
    voting.referee()
    github = voting.github
    if way == "closed":
        github.close("somebody-who-keeps-the-repository", 2)
    elif way == "forced to the branch":
        github.push(2, voting.tip(), force=True)
    elif way == "locked":
        github.touch(2)
    else:
        fields = {"draft": {"draft": True}, "retargeted": {"base": "gh-pages"}, "fork gone": {"fork": False}}
        github.change(2, **fields.get(way, {"title": "Nothing to see here"}))
    voting.referee()
    voting.say("ann", 2, "/vote against")
    voting.say("bob", 2, "", "request_changes", voting.repo[voting.proposal(301)["via"]["head"]].id.__str__())
    voting.referee()
    assert voting.ballots() == dict(zip(PLAYERS, ("against", "against", "for", "for"), strict=True))
    voting.referee(8 * DAY)
    assert voting.proposal(301)["outcome"] == "defeated"


# -- the referee and its own words

HOW = {
    "quoted": lambda body: "\n".join(f"> {line}" for line in body.splitlines()),
    "word for word": lambda body: body,
    "without the mark": lambda body: "\n".join(body.splitlines()[2:]),
}


@pytest.mark.threat("T-33")
@pytest.mark.parametrize(
    ("who", "how"), [("dee", "word for word"), ("mirror[bot]", "quoted"), (None, "without the mark")]
)
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


@pytest.mark.threat("T-39")
def test_what_was_seen_may_be_forged_but_the_journal_may_not(quick: QuickMeeting) -> None:
    """On plain git without a hook, eve writes to the referee's own refs: no entry of the game changes by it."""
    pull = quick.propose("ann", "A dragon")
    quick.referee()
    with unchanged(quick):
        repo, tip = quick.repo, quick.tip(FORGE)
        who = quick.signature("eve")
        seen = repo[tip].peel(pygit2.Tree)
        hers = quick.change("eve", {f"state/{GAME}/rules/1.yaml": rule("Eve rules")})
        standing = json.dumps(json.loads(seen["standing.json"].data) | {"known": hers}).encode()
        files = {"said/000/1.md": b"It was **adopted**.\n", "standing.json": standing}
        quick.put(FORGE, make_commit(repo, write_tree(repo, seen.id, files), [tip], "Observe", who, who))
        quick.referee(60)
    quick.put(FORGE, "")
    quick.referee(60)
    assert "is **open**" in quick.said(pull)
    assert quick.sound()
