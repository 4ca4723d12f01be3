"""What the comment says in each state: what the change is, who is awaited, what counts and why not, what happened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.forges.cache.forge import UNLIKE
from folkmoot.forges.port import Unread
from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session
from folkmoot.game.status import status_of
from folkmoot.referee.comment_building import Site, site_of
from folkmoot.referee.outbox import comment_on_unread
from tests.support.meeting import PLAYERS, rule
from tests.support.quick import SMALL
from tests.support.town import Town

SITE = b'site_name: X\nsite_url: "https://ann.example/games/"\nuse_directory_urls: false\n'
HOME = "https://ann.example/games/moor"


@pytest.fixture
def town(tmp_path: Path) -> Town:
    return Town(tmp_path)


def with_site(town: Town, config: bytes = SITE) -> None:
    town.put("refs/heads/main", town.change("root", {"mkdocs.yml": config}))


def test_before_while_and_after_a_vote(town: Town) -> None:
    with_site(town)
    pull = town.propose("ann", "A dragon")
    town.approve("zed", pull)
    town.referee()
    said = town.said(pull)
    for part in (
        "The vote is **open** until 2026-01-12 12:00 UTC.",
        "+ A dragon",
        "It is proper, as the law stands.",
        "What adoption would do (if everybody voted `for`)",
        "ann +1 score",
        "Nobody has voted yet.",
        "Awaited until 2026-01-12 12:00 UTC: ann, bob, cid, dee.",
        "Zed is no player of this game",
        f"[Read it on the site]({HOME}/proposals/301.html)",
        "`/vote for`",
    ):
        assert part in said, part
    town.approve("bob", pull, "I like it.")
    for voter in ("ann", "cid", "dee"):
        town.say(voter, pull, "/vote for")
    town.referee(60)
    said = town.said(pull)
    for part in (
        "It was **adopted**, by rule 1: “4 of 4 for”.",
        "#### What it proposed",
        "+ A dragon",
        "| bob | **for** | I like it. |",
        "Enacted rule 301",
        f"]({HOME}/journal/0001.html#e",
        f"[Read it on the site]({HOME}/proposals/301.html)",
    ):
        assert part in said, part
    assert "Awaited" not in said
    (call,) = town.board.words(pull, "decided")
    assert f"({HOME}/proposals/301.html)" in call.text
    assert town.board.checks[town.head(pull)].link == f"{HOME}/proposals/301.html"


def test_an_amendment_and_a_repeal_show_what_they_struck_afterwards_too(town: Town) -> None:
    first = town.propose("ann", "A dragon")
    for voter in PLAYERS:
        town.say(voter, first, "/vote for")
    town.referee()
    amended = rule("A dragon", "Let it be otherwise.").replace(b"title", b'rule: "301"\nuid: "301"\ntitle', 1)
    second = town.propose("bob", "Another dragon", r301=amended)
    town.referee(60)
    assert "- Let it be [-so-]." in town.said(second)
    for voter in PLAYERS:
        town.say(voter, second, "/vote for")
    town.referee(60)
    assert "- Let it be [-so-]." in town.said(second)
    assert "+ Let it be {+otherwise+}." in town.said(second)
    third = town.propose("cid", "No dragon", r301=None)
    for voter in PLAYERS:
        town.say(voter, third, "/vote against")
    town.referee(60)
    assert "**It repeals rule 301** · A dragon" in town.said(third)
    assert "- Let it be otherwise." in town.said(third)


def test_without_a_site_there_are_no_links(town: Town) -> None:
    pull = town.propose("ann", "A dragon")
    town.referee()
    assert "](" not in town.said(pull)
    assert town.board.checks[town.head(pull)].link == ""


def test_a_game_without_votes_says_whose_decision_is_awaited_and_what_came_of_it(tmp_path: Path) -> None:
    law: dict[str, Any] = {
        **founding("imperial"),
        "settings": {},
        "opening": [],
        "offices": {"tie": "ann", "ths": "bob"},
    }
    town = Town(tmp_path, law={**law, "players": [{"id": who, "email": f"{who}@x.org"} for who in PLAYERS]})
    pull = town.propose("cid", "A dragon")
    town.say("dee", pull, "Too long.", "request_changes")
    town.referee()
    for part in (
        "The decision of ann (tie) is **awaited**.",
        "What acceptance would do",
        "What rejection would do",
        ": “advised on proposal 1: would reject it",
    ):
        assert part in town.said(pull), part
    assert "**proposal 1**, “A dragon”, awaits the decision of ann (tie)." in town.said(0)
    with Session.on(town.game()) as session:
        (open_,) = status_of(session)["open"]
        assert open_["decider"] == {"player": "ann", "as": "tie", "do": "decide"}
        assert [len(status_of(session, who)["open"]) for who in ("ann", "cid")] == [1, 0]
    town.say("ann", pull, "No.", "request_changes")
    town.referee(60)
    for part in ("It was **rejected**", "#### What it proposed", "+ A dragon", ": “judged proposal 1"):
        assert part in town.said(pull), part
    assert town.check(pull)[0] == "failure"


def test_a_deadline_that_moved_is_told_anew(town: Town) -> None:
    pull = town.propose("ann", "A dragon")
    town.referee()
    town.say("ann", 0, "/do pause")
    town.referee(60)
    town.say("ann", 0, "/do resume")
    town.referee(86_400)
    assert "until 2026-01-13 12:00 UTC" in town.said(pull)
    assert town.check(pull)[1].startswith("The vote is open until 2026-01-13 12:00 UTC")


def test_files_that_act_say_what_they_ask_for(town: Town) -> None:
    files = {"rules/x.yaml": rule("X"), "inbox/x.yaml": b"do: state\nargs: {text: '@bob look'}\n"}
    pull = town.open("ann", files)
    town.referee()
    assert "Apart from that it acts:\n- state text: ＠bob look" in town.said(pull)


@pytest.mark.parametrize(
    ("config", "address"),
    [
        (SITE, f"{HOME}/proposals/7.html"),
        (b"site_url: https://ann.example/games\n", f"{HOME}/proposals/7/"),
        (b"site_url: ''\n", ""),
        (b"site_url: !ENV [URL, 'x']\n", ""),
        (b"site_url: javascript:alert(1)\n", ""),
        (b"site_url: https://x.example/)](evil\n", "https://x.example/moor/proposals/7/"),
        (b"\xff\xfe", ""),
        (None, ""),
    ],
)
def test_where_the_site_is_stands_in_its_configuration(town: Town, config: bytes | None, address: str) -> None:
    if config is not None:
        with_site(town, config)
    site = site_of(town.repo, town.tip())
    assert site.proposal("moor", {"kind": "proposal", "id": "proposal/7", "number": 7}) == address


def test_a_game_may_say_itself_where_its_pages_are(town: Town) -> None:
    assert site_of(town.repo, town.tip(), "https://b.example") == Site("https://b.example", folders=True)
    assert site_of(town.repo, town.tip(), "b.example").address == ""
    assert SMALL["title"] == "Small"


def test_a_push_by_somebody_else_is_not_put_down_to_the_author() -> None:
    unread = Unread(commit="3109e4ad1369" + "0" * 28, why=f"{UNLIKE} e3c073de1e4f instead", again=0)
    text = comment_on_unread(unread)
    assert "Somebody else has pushed here" in text
    assert "its author has done nothing wrong" in text
    assert "make it smaller" not in text
    assert "could not be fetched" not in text
