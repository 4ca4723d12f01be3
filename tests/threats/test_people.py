"""Who somebody is, and which of their words count: strangers, robots, ghosts, freed logins, second accounts, old content."""

from __future__ import annotations

import pytest

from tests.support.abuse import unchanged
from tests.support.meeting import GAME, PLAYERS, rule
from tests.support.round_table import RoundTable

HERE = f"state/{GAME}"
DAY = 86_400


@pytest.mark.threat("T-12")
@pytest.mark.parametrize("kind", ["approve", "request_changes", "comment"])
def test_a_stranger_votes_by_no_means_and_is_told(voting: RoundTable, kind: str) -> None:
    voting.say("eve", 2, "/vote for", kind)
    with unchanged(voting):
        voting.referee()
    assert "eve is no player of this game" in voting.said(2)


@pytest.mark.threat("T-12")
@pytest.mark.parametrize("who", ["voter[bot]", "github-actions[bot]", None])
def test_neither_robots_nor_ghosts_vote(voting: RoundTable, who: str | None) -> None:
    voting.say(who, 2, "", "approve")
    voting.say(who, 2, "/vote for")
    voting.say(who, 0, "/vote for proposal=301")
    with unchanged(voting):
        voting.referee()
    assert voting.ballots() == {}


@pytest.mark.threat("T-12")
def test_a_ghost_s_pull_request_is_nobody_s(table: RoundTable) -> None:
    """Of two people who deleted their accounts, neither acts for the other."""
    pull = table.propose("ann", "A dragon")
    table.github.pulls[pull]["user"] = None
    table.github.close(None, pull)
    with unchanged(table):
        table.referee()


@pytest.mark.threat("T-13")
def test_a_freed_login_gives_its_new_owner_nothing(voting: RoundTable) -> None:
    """Bob gives up a login, somebody else registers it: that one is a stranger, and bob, by another name, still bob."""
    github = voting.github
    github.accounts["robert"] = github.accounts.pop("bob")
    github.accounts["bob"] = 66_666
    voting.say("bob", 2, "", "approve")
    voting.say("bob", 0, "/give to=bob amount=0")
    with unchanged(voting):
        voting.referee()
    assert "bob (66666) is no player of this game" in voting.said(2)
    voting.say("robert", 2, "", "approve")
    voting.referee()
    assert voting.ballots() == {"bob": "for"}


@pytest.mark.threat("T-13")
@pytest.mark.parametrize(
    "name", ["Ann", "ANN", "\u0430nn", "ann\u200b", "a\u0301nn", "\uff41nn", "ann.", "ａｎｎ", "aɴn", "İnn"]
)
def test_nobody_joins_by_a_name_that_looks_like_another_s(table: RoundTable, name: str) -> None:
    table.say("eve", 0, f"/join id={name}")
    with unchanged(table):
        table.referee()
    assert "join" in table.said(0)


@pytest.mark.threat("T-13")
@pytest.mark.parametrize("name", ["Ann", "\u0410nn", "ann\u200b", "a\u0301nn", "\uff41nn", "aɴn", "B0B"])
def test_nobody_is_shown_by_a_name_that_looks_like_another_s(table: RoundTable, name: str) -> None:
    table.say("eve", 0, f"/join name={name}")
    with unchanged(table):
        table.referee()
    assert "looks like" in table.said(0)
    table.say("eve", 0, "/join name=Evelyn")
    table.referee()
    assert table.document("roster")["eve"]["name"] == "Evelyn"


@pytest.mark.threat("T-14")
def test_a_second_account_is_a_stranger_and_votes_for_nobody(voting: RoundTable) -> None:
    """A vote by review and one by comment are one vote; the same word from another account of the same person is none."""
    voting.say("bob", 2, "", "approve")
    voting.say("bob", 2, "/vote for")
    for number in range(9):
        voting.say(f"bob-{number}", 2, "", "approve")
    voting.say("eve", 2, "/vote for as=bob")
    voting.say("eve", 2, "/do vote choice=for by=bob proposal=301")
    voting.referee()
    assert voting.ballots() == {"bob": "for"}


@pytest.mark.threat("T-15")
def test_an_approval_of_other_content_is_no_vote(voting: RoundTable) -> None:
    """Before and after a force push: what was approved is what was submitted, or the review says that it is not."""
    submitted = voting.head(2)
    pushed = voting.change("ann", {f"{HERE}/rules/dragon.yaml": rule("A dictatorship")})
    voting.github.push(2, pushed, force=True)
    voting.say("bob", 2, "", "approve", pushed)
    voting.say("cid", 2, "", "approve", submitted)
    voting.referee()
    assert voting.ballots() == {"cid": "for"}
    assert "other content than what is voted on" in voting.said(2)
    voting.github.push(2, submitted, force=True)
    voting.referee()
    assert voting.ballots() == {"cid": "for"}


@pytest.mark.threat("T-16")
def test_what_counted_stays_whatever_becomes_of_it(voting: RoundTable) -> None:
    veto = voting.say("bob", 2, "No!", "request_changes")
    vote = voting.say("cid", 2, "/vote against")
    gone = voting.say("dee", 2, "/vote against")
    voting.referee()
    voting.github.dismiss("ann", int(veto[1:]))
    voting.github.edit(int(vote[1:]), "/vote for")
    voting.github.delete(int(gone[1:]))
    with unchanged(voting):
        voting.referee()
    assert voting.ballots() == {"bob": "against", "cid": "against", "dee": "against"}
    assert "what was recorded stands" in voting.said(2)


@pytest.mark.threat("T-16")
def test_a_review_that_was_dismissed_too_early_is_said_to_be_and_can_be_given_again(voting: RoundTable) -> None:
    veto = voting.say("bob", 2, "No!", "request_changes")
    voting.github.dismiss("ann", int(veto[1:]))
    voting.referee()
    assert voting.ballots() == {}
    assert "taken back by ann before it was recorded" in voting.said(2)
    voting.say("bob", 2, "/vote against")
    voting.referee()
    assert voting.ballots() == {"bob": "against"}


@pytest.mark.threat("T-19")
@pytest.mark.parametrize(
    "way", ["closed", "draft", "retargeted", "fork gone", "forced to the branch", "title", "locked"]
)
@pytest.mark.sampled(2)
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
