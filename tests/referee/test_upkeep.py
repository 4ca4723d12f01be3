"""Pull requests that touch no game: nothing of them is run, and a maintainer approves their present head."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.forges.local.letters import Letter
from tests.support.meeting import GAME
from tests.support.quick import SMALL
from tests.support.town import Town

ENGINE: dict[str, bytes | None] = {"engine/x.py": b"import os\nos.system('touch /tmp/pwned')\n"}
WORKFLOW: dict[str, bytes | None] = {".github/workflows/referee.yml": b"on: push\n"}


@pytest.fixture
def town(tmp_path: Path) -> Town:
    return Town(tmp_path, maintainers=["ann", "bob", "town:eve@x.org"])


def opened(town: Town, person: str = "dee", files: dict[str, bytes | None] | None = None) -> int:
    return town.pull(town.change(person, files or ENGINE, "Mend the engine"))


def test_it_waits_for_a_maintainer_and_says_who_could_approve(town: Town) -> None:
    pull = opened(town, files=WORKFLOW)
    town.referee()
    assert town.check(pull) == (
        "pending",
        "Of no game; it needs the approval of a maintainer: ann, bob, town:eve@x.org",
    )
    assert "nothing in it is run by the referee" in town.said(pull)
    town.approve("cid", pull)
    town.referee(60)
    assert town.check(pull)[0] == "pending"
    assert "no maintainer or the author: the review of cid" in town.said(pull)
    town.approve("bob", pull)
    town.referee(60)
    assert town.check(pull) == ("success", "Of no game; approved by bob, a maintainer")
    assert not town.document("game")["open"]
    assert town.journal()[-1]["do"] == "identify"


def test_who_is_no_player_may_be_a_maintainer_by_account(town: Town) -> None:
    pull = opened(town)
    town.approve("eve", pull)
    town.referee()
    assert town.check(pull)[0] == "success"


def test_an_approval_counts_for_the_head_that_it_was_made_on(town: Town) -> None:
    pull = opened(town)
    town.approve("ann", pull)
    town.referee()
    assert town.check(pull)[0] == "success"
    town.put(f"refs/pull/{pull}/head", town.change("dee", {"engine/x.py": b"worse\n"}))
    town.referee(60)
    assert town.check(pull)[0] == "pending"
    assert "ann approved older content" in town.check(pull)[1]
    town.approve("ann", pull)
    town.referee(60)
    assert town.check(pull)[0] == "success"


def test_one_who_requests_changes_stands_in_the_way_until_e_approves(town: Town) -> None:
    pull = opened(town)
    town.approve("ann", pull)
    town.say("bob", pull, "no", "request_changes")
    town.referee()
    assert town.check(pull) == ("pending", "Of no game; bob requests changes")
    town.approve("bob", pull)
    town.referee(60)
    assert town.check(pull)[0] == "success"


def test_what_is_taken_back_revives_nothing_older(town: Town) -> None:
    pull = opened(town)
    town.approve("ann", pull)
    against = town.say("ann", pull, "no", "request_changes")
    town.referee()
    town.send("cid", Letter(pull=pull, kind="dismiss", of=against))
    town.referee(60)
    assert town.check(pull)[0] == "pending"
    approval = town.approve("bob", pull)
    town.referee(60)
    assert town.check(pull)[0] == "success"
    town.send("bob", Letter(pull=pull, kind="dismiss", of=approval))
    town.referee(60)
    assert town.check(pull)[0] == "pending"


@pytest.mark.threat("T-06")
def test_nobody_approves_eir_own(tmp_path: Path) -> None:
    town = Town(tmp_path)  # ann alone administers, and so maintains
    pull = opened(town, "ann")
    town.approve("ann", pull)
    town.referee()
    assert town.check(pull)[0] == "pending"
    assert "none but its author is known" in town.check(pull)[1]
    town.order("maintain", maintainers="ann,cid")
    town.approve("cid", pull)
    town.referee(60)
    assert town.check(pull)[0] == "success"


@pytest.mark.threat("T-06")
def test_robots_and_comments_approve_nothing(town: Town) -> None:
    pull = opened(town)
    town.board.robots = {"ann@x.org"}
    town.approve("ann", pull)
    town.say("bob", pull, "LGTM\n\n/vote for\n\n/approve")
    town.referee()
    assert town.check(pull)[0] == "pending"
    sent = len(town.board.sent)
    town.say("ann", pull, "I am a robot")
    town.referee(60)
    assert len(town.board.sent) == sent


def test_a_draft_is_not_done(town: Town) -> None:
    pull = opened(town)
    town.board.drafts = {pull}
    town.approve("bob", pull)
    town.referee()
    assert town.check(pull)[0] == "pending"
    assert "draft" in town.check(pull)[1]
    town.board.drafts = set()
    town.referee(60)
    assert town.check(pull)[0] == "success"


def test_one_that_is_closed_is_left_alone_and_forgotten(town: Town) -> None:
    pull = opened(town)
    town.referee()
    town.send("dee", Letter(pull=pull, kind="close"))
    town.referee(60)
    assert pull not in [each.number for each in town.forge.look(town.now).pulls]
    sent = len(town.board.sent)
    town.referee(60)
    assert len(town.board.sent) == sent


@pytest.mark.threat("T-05")
def test_a_mixture_is_refused_whoever_approves(town: Town) -> None:
    mixed = {**ENGINE, f"state/{GAME}/rules/x.yaml": b"title: X\ntext: X.\n"}
    pull = opened(town, files=mixed)
    for maintainer in ("ann", "bob", "eve"):
        town.approve(maintainer, pull)
    town.referee()
    assert town.check(pull)[0] == "failure"


def test_the_maintainers_of_all_games_count(tmp_path: Path) -> None:
    town = Town(tmp_path, games=("moor", "fen"))
    town.order("maintain", "fen", maintainers=["cid"])
    pull = opened(town)
    town.referee()
    assert town.check(pull)[1].endswith(": cid, ann")
    town.approve("cid", pull)
    town.referee(60)
    assert town.check(pull)[0] == "success"


@pytest.mark.parametrize(
    ("given", "code"),
    [("zed", "E-NO-SUCH"), (["ann", "zed"], "E-NO-SUCH"), ([1], "E-ARGS"), ({"a": 1}, "E-ARGS"), (["a:"], "E-NO-SUCH")],
)
def test_maintainers_are_people_of_the_game_or_accounts(town: Town, given: Any, code: str) -> None:
    with pytest.raises(AssertionError, match=code):
        town.order("maintain", maintainers=given)


@pytest.mark.threat("T-06")
def test_only_administrators_name_them(town: Town) -> None:
    with pytest.raises(AssertionError, match="E-NOT-ADMINISTRATOR"):
        town.order("maintain", by="bob", maintainers=["bob"])
    with pytest.raises(AssertionError, match="E-NOT-ADMINISTRATOR"):
        town.order("remind", by="bob", hours=1)
    town.order("maintain")
    assert town.document("game")["maintainers"] is None


# -- strangers who join and play in one go

PLAYS: dict[str, Any] = SMALL


def test_a_stranger_joins_and_proposes_in_one_pull_request(tmp_path: Path) -> None:
    town = Town(tmp_path)
    files = {"inbox/zed.yaml": b"do: join\nargs: {id: zed, name: Zed Z.}\n", "rules/x.yaml": b"title: X\ntext: X.\n"}
    pull = town.open("zed", files)
    town.referee()
    assert town.document("roster")["zed"]["handles"][town.forge.name]["id"] == "zed@x.org"
    proposal = town.proposal(301)
    assert (proposal["author"], proposal["state"]) == ("zed", "open")
    assert "zed" in proposal["electorate"]
    assert "join id: zed" in town.said(pull)
    for voter in ("ann", "bob", "cid", "dee", "zed"):
        town.say(voter, pull, "/vote for")
    town.referee(60)
    assert town.check(pull)[0] == "success"
    assert town.document("rules/301")["title"] == "X"
    assert "zed" in town.said(pull)


@pytest.mark.parametrize("move", ["a-move", "zz-move"])
def test_a_stranger_joins_and_moves_in_one_pull_request(tmp_path: Path, move: str) -> None:
    town = Town(tmp_path)
    pull = town.open("zed", {f"inbox/{move}.yaml": b"do: roll\n", "inbox/m.yaml": b"do: join\nargs: {id: zed}\n"})
    town.referee()
    assert [entry["do"] for entry in town.journal()][-2:] == ["join", "roll"]
    assert town.check(pull)[0] == "success"


def test_where_the_rules_let_nobody_in_it_is_said(tmp_path: Path) -> None:
    town = Town(tmp_path, joining="closed")
    files = {"inbox/zed.yaml": b"do: join\nargs: {id: zed}\n", "rules/x.yaml": b"title: X\ntext: X.\n"}
    pull = town.open("zed", files)
    town.referee()
    assert "zed" not in town.document("roster")
    assert "closed to newcomers" in town.said(pull)
    assert town.check(pull)[0] == "pending"
