"""Real forges, 9: what was adopted showed as merged by the owner, as the author of our merges was nobody's account.

Gitea and Forgejo put a merge that was pushed down to whoever the address of the commit's author belongs to.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygit2
import pytest

from folkmoot.referee.recorder import COMMITTER
from tests.forges.gitea.emulator import GENERATIONS, GITEA, GITEA_1_22, Generation, address_of
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.github.github_meeting import GitHubMeeting
from tests.forges.web_meeting import WebMeeting

pytestmark = pytest.mark.sampled(2)  # on one of the forges


def adopted(meeting: WebMeeting) -> tuple[int, pygit2.Commit]:
    """Have a proposal adopted; return its pull request, and the commit that merged it."""
    number = meeting.propose("ann", "A dragon")
    meeting.referee()
    meeting.say("ann", number, "/finalise")
    meeting.referee()
    for who in ("ann", "bob", "cid", "dee"):
        meeting.say(who, number, "/vote for")
    assert meeting.referee().entries
    repo = meeting.repo
    walk = repo.walk(meeting.game().commit_id)
    merge = next(commit for commit in walk if len(commit.parents) == 2)
    assert str(merge.parent_ids[1]) == meeting.head(number)
    return number, merge


def on_gitea(folder: Path, generation: Generation = GITEA) -> GiteaMeeting:
    made = GiteaMeeting(folder, generation=generation)
    made.gitea.robot = "referee"
    return made


@pytest.mark.parametrize("generation", [*GENERATIONS.values(), GITEA_1_22], ids=[*GENERATIONS, "gitea-1.22"])
def test_the_referees_account_has_merged(generation: Generation, tmp_path: Path) -> None:
    meeting = on_gitea(tmp_path, generation)
    number, merge = adopted(meeting)
    assert meeting.gitea.pulls[number]["merged_by"] == "referee"
    assert merge.author.name == merge.committer.name == "Folkmoot"  # jobs that wake look at that name
    assert f"{merge.committer.name} <{merge.committer.email}>" == COMMITTER


def test_only_what_merges_names_it(tmp_path: Path) -> None:
    meeting = on_gitea(tmp_path)
    meeting.say("ann", 0, "/do state text=hello")
    meeting.referee()
    tip = meeting.repo[meeting.game().commit_id].peel(pygit2.Commit)
    assert tip.author.email == tip.committer.email
    asked = sum(request.url.path.endswith("/user") for request in meeting.gitea.requests)
    adopted(meeting)
    assert sum(request.url.path.endswith("/user") for request in meeting.gitea.requests) <= asked + 1


@pytest.mark.parametrize("address", ["", "no address", "a@b\n<c@d>", "a@b> 0 +0000\nparent x", None, "ä@x.org", "a@\0"])
def test_an_address_that_is_none_is_not_taken(address: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forge = on_gitea(tmp_path).forge
    assert forge.author() == f"Folkmoot <{address_of('referee')}>"
    monkeypatch.setattr("tests.forges.gitea.emulator.address_of", lambda person: address)
    assert forge.author() == ""


def test_a_token_that_may_not_ask_who_it_is_merges_too(tmp_path: Path) -> None:
    meeting = on_gitea(tmp_path)
    meeting.gitea.may_ask_who = False
    number, merge = adopted(meeting)
    assert f"{merge.author.name} <{merge.author.email}>" == COMMITTER
    assert meeting.gitea.pulls[number]["merged_by"] == "moot", "the owner, for want of a better one"


def test_the_record_is_the_same_whoever_merged(tmp_path: Path) -> None:
    meetings = [GiteaMeeting(tmp_path / name) for name in ("referee", "another")]
    for meeting, name in zip(meetings, ("referee", "another"), strict=True):
        meeting.gitea.robot = name
        _, merge = adopted(meeting)
        assert merge.author.email == address_of(name)
    assert len({meeting.game().tree_id for meeting in meetings}) == 1


def test_on_github_it_is_who_pushed(tmp_path: Path) -> None:
    _, merge = adopted(GitHubMeeting(tmp_path))
    assert f"{merge.author.name} <{merge.author.email}>" == COMMITTER
