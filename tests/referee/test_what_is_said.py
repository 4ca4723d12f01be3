"""What the comment and the check say in each state: what the change is, who is awaited, what counts and why not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from folkmoot.forges.cache.forge import UNLIKE
from folkmoot.forges.port import Unread
from folkmoot.game.session import Session
from folkmoot.game.status import status_of
from folkmoot.referee.comment import page_of, site_of
from folkmoot.referee.outbox import comment_on_unread
from tests.support.meeting import GAME, rule
from tests.support.quick import SMALL, QuickMeeting, imperial, suber
from tests.support.town import Town

SITE = b'site_name: X\nsite_url: "https://ann.example/games/"\nuse_directory_urls: false\n'
HOME = "https://ann.example/games/moor"
CHANGED = (
    "Nothing is judged at present: state/moor/game.yaml: the file was changed, but nothing that was recorded does so"
)
DRAFT = "It is a draft: nothing in it is judged or proposed until it is ready for review; comments count"


@pytest.fixture
def town(tmp_path: Path) -> Town:
    return Town(tmp_path)


def with_site(town: Town, config: bytes = SITE) -> None:
    town.put("refs/heads/main", town.change("root", {"mkdocs.yml": config}))


# -- a vote


def says(town: QuickMeeting, pull: int, *parts: str) -> None:
    for part in parts:
        assert part in town.said(pull), part


def test_before_while_and_after_a_vote(town: Town) -> None:
    with_site(town)
    pull = town.propose("ann", "A dragon")
    town.approve("zed", pull)
    town.referee()
    on_the_site = f"[Read it on the site]({HOME}/proposals/301.html)"
    says(
        town, pull, "The vote is **open** until 2026-01-12 12:00 UTC.", "+ A dragon", "It is proper, as the law stands.",
        "What adoption would do (if everybody voted `for`)", "ann +1 score", "Nobody has voted yet.", on_the_site,
        "Awaited until 2026-01-12 12:00 UTC: ann, bob, cid, dee.", "Zed is no player of this game", "`/vote for`",
    )  # fmt: skip
    assert town.check(pull) == ("pending", "The vote is open until 2026-01-12 12:00 UTC")
    town.approve("bob", pull, "I like it.")
    town.referee(60)
    for voter in ("ann", "cid", "dee"):
        town.say(voter, pull, "/vote for")
    town.referee(60)
    says(
        town, pull, "It was **adopted**, by rule 1: “4 of 4 for”.", "#### What it proposed", "+ A dragon", on_the_site,
        "| bob | **for** | I like it. |", "Enacted rule 301", f"]({HOME}/journal/0001.html#e",
    )  # fmt: skip
    assert "Awaited" not in town.said(pull)
    assert town.check(pull) == ("success", "It was adopted, by rule 1: “4 of 4 for”")
    (call,) = town.board.words(pull, "decided")
    assert f"({HOME}/proposals/301.html)" in call.text
    assert town.board.checks[town.head(pull)].link == f"{HOME}/proposals/301.html"


def test_an_amendment_and_a_repeal_show_what_they_struck_afterwards_too(town: Town) -> None:
    town.all_vote(town.propose("ann", "A dragon"))
    amended = rule("A dragon", "Let it be otherwise.").replace(b"title", b'rule: "301"\nuid: "301"\ntitle', 1)
    second = town.propose("bob", "Another dragon", r301=amended)
    town.referee(60)
    assert "- Let it be [-so-]." in town.said(second)
    assert "](" not in town.said(second), "there is no site"
    assert town.board.checks[town.head(second)].link == ""
    town.all_vote(second)
    assert "- Let it be [-so-]." in town.said(second)
    assert "+ Let it be {+otherwise+}." in town.said(second)
    third = town.propose("cid", "No dragon", r301=None)
    town.all_vote(third, "against")
    assert town.check(third) == ("failure", "It was defeated, by rule 1: “0 of 4 for”")
    assert "**It repeals rule 301** · A dragon" in town.said(third)
    assert "- Let it be otherwise." in town.said(third)


def test_a_game_without_votes_says_whose_decision_is_awaited_and_what_came_of_it(tmp_path: Path) -> None:
    town = Town(tmp_path, law=imperial())
    pull = town.propose("cid", "A dragon")
    town.say("dee", pull, "Too long.", "request_changes")
    town.referee()
    says(
        town, pull, "The decision of ann (tie) is **awaited**.", "What acceptance would do", "What rejection would do",
        ": “advised on proposal 1: would reject it",
    )  # fmt: skip
    assert "**proposal 1**, “A dragon”, awaits the decision of ann (tie)." in town.said(0)
    with Session.on(town.game()) as session:
        (open_,) = status_of(session)["open"]
        assert open_["decider"] == {"player": "ann", "as": "tie", "do": "decide"}

    town.say("ann", pull, "No.", "request_changes")
    town.referee(60)
    says(town, pull, "It was **rejected**", "#### What it proposed", "+ A dragon", ": “judged proposal 1")
    assert town.check(pull)[0] == "failure"


# -- what is not voted on


def test_malformed_content_failed_and_a_better_head_has_its_own_check(town: Town) -> None:
    pull = town.open("ann", {"rules/x.yaml": b"titel: X\n"})
    town.referee()
    state, words = town.check(pull)
    assert (state, words.startswith("This cannot be taken: state/moor/rules/x.yaml:1:1:")) == ("failure", True)
    first = town.head(pull)
    town.put(f"refs/pull/{pull}/head", town.change("ann", {f"state/{GAME}/rules/x.yaml": rule("X")}))
    town.referee(60)
    assert town.check(pull)[0] == "pending"
    assert town.board.checks[first].state == "failure"


def test_acts_are_recorded_or_refused(town: Town) -> None:
    good = town.open("cid", {"inbox/x.yaml": b"do: state\nargs: {text: hello}\n"})
    bad = town.open("dee", {"inbox/x.yaml": b"do: give\nargs: {to: ann, amount: 5}\n"})
    town.referee()
    state, words = town.check(good)
    assert (state, words) == ("success", "What it asks for is recorded")
    assert town.check(bad) == ("failure", "What it asks for was refused, by rule 2: “dee has 0 score, not 5”")
    assert "What it asks for was **refused**." in town.said(bad)


def test_no_rule_is_said_to_fail_over_who_is_no_player_yet(tmp_path: Path) -> None:
    script = 'def on_proposal_adopted(e):\n    award(e.proposal.author, "score", 1)'
    prize = {"rule": "9", "title": "Prize", "text": "A prize.", "script": script}
    town = Town(tmp_path, law={**SMALL, "rules": [*SMALL["rules"], prize]})
    good = town.propose("zed", "A dragon", x=rule("A dragon"))
    bad = town.propose("zed", "A bog", x=rule("A bog", script='def on_proposal_adopted(e):\n    fail("mud")'))
    town.referee()
    assert "no player of this game" in town.said(good)
    assert "Scripts that would fail" not in town.said(good)
    failing = re.findall("^- (rule [0-9]+): .* failed at ", town.said(bad), re.MULTILINE)
    assert failing == ["rule 301"], "the one that is proposed"


def test_what_cannot_be_proposed_now_is_not_proper_or_not_open_yet_says_so(tmp_path: Path) -> None:
    town = Town(tmp_path, law=suber())
    early, wrong = town.propose("bob", "Too early"), town.propose("ann", "Away with it", r101=None)
    good = town.propose("ann", "A dragon")
    town.referee()
    assert town.check(early) == ("pending", "It is no proposal yet, by rule 201: “it is the turn of ann”")
    assert "it is the turn of ann" in town.said(early)
    assert (town.check(wrong)[0], town.check(wrong)[1].startswith("It is no proposal yet, by rule ")) == (
        "failure",
        True,
    )
    assert town.check(good) == ("pending", "The vote is not open yet")


def test_a_paused_game_says_so(town: Town) -> None:
    before = town.propose("ann", "A dragon")
    town.referee()
    town.say("ann", 0, "/do pause")
    town.referee(60)
    after = town.propose("bob", "A bog", x=rule("A bog"))
    town.referee(60)
    assert "paused" in town.check(after)[1]
    assert "paused" in town.said(before)


def test_a_game_changed_by_hand_failed(town: Town) -> None:
    pull = town.propose("ann")
    town.referee()
    broken = town.change("eve", {f"state/{GAME}/game.yaml": b"title: Mine\n"})
    town.put("refs/heads/main", broken)
    town.referee(60)
    assert town.check(pull) == ("failure", CHANGED)
    sent = len(town.board.sent)
    town.referee(60)
    assert len(town.board.sent) == sent


def test_what_players_write_stays_one_line_of_plain_text(town: Town) -> None:
    pull = town.open("ann", {"rules/x.yaml": 'title: "a\\u202eb\\n@bob"\nxx\u200b: 1\n'.encode()})
    town.referee()
    words = town.check(pull)[1]
    assert len(words) <= 140
    assert words.isprintable()
    assert "\u202e" not in words


def test_a_draft_is_neither_judged_nor_proposed_until_it_is_ready(town: Town) -> None:
    pull = town.propose("ann", "A dragon")
    town.board.drafts = {pull}
    town.say("ann", pull, "/propose")
    town.say("bob", pull, "/do state text=hello")
    town.approve("cid", pull)
    town.referee()
    assert town.check(pull) == ("pending", DRAFT)
    assert "It is a **draft**" in town.said(pull)
    assert "say that it is ready for review" in town.said(pull)
    assert town.document("game")["open"] == []
    assert "state" in [entry["do"] for entry in town.journal()]
    town.board.drafts = set()
    town.referee(60)
    assert town.ballots() == {"cid": "for"}
    town.board.drafts = {pull}
    town.referee(60)
    assert "The vote is **open**" in town.said(pull)


# -- where the site is


def test_where_the_site_is_stands_in_its_configuration(town: Town) -> None:
    assert page_of(site_of(town.repo, town.tip()), "moor", "proposals/7.md") == ""
    for config, address in (
        (SITE, f"{HOME}/proposals/7.html"),
        (b"site_url: https://ann.example/games\n", f"{HOME}/proposals/7/"),
        (b"site_url: ''\n", ""),
        (b"site_url: !ENV [URL, 'x']\n", ""),
        (b"site_url: javascript:alert(1)\n", ""),
        (b"site_url: https://x.example/)](evil\n", "https://x.example/moor/proposals/7/"),
        (b"\xff\xfe", ""),
    ):
        with_site(town, config)
        assert page_of(site_of(town.repo, town.tip()), "moor", "proposals/7.md") == address, config


def test_a_push_by_somebody_else_is_not_put_down_to_the_author() -> None:
    unread = Unread(commit="3109e4ad1369" + "0" * 28, why=f"{UNLIKE} e3c073de1e4f instead", again=0)
    text = comment_on_unread(unread)
    assert "Somebody else has pushed here" in text
    assert "its author has done nothing wrong" in text
    assert "make it smaller" not in text
    assert "could not be fetched" not in text
    late = Unread(commit="1" * 40, why="to fetch it takes longer than 120 seconds", again=0)
    assert "could not be fetched: to fetch it takes longer than 120 seconds" in comment_on_unread(late)
