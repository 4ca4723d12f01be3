"""Games on forges on the web: a form says there what the command says, by the player's token, or tells how one does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from folkmoot.cli.play import web
from folkmoot.cli.play.seat import Seat
from folkmoot.cli.play.web import Play
from folkmoot.cli.site import running, site_app
from folkmoot.core.keys import proposal_key
from folkmoot.forges.web.credentials import variable_of
from folkmoot.game.rulesets import founding
from folkmoot.game.secret_store import TOKENS
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.gitea.over_http import serving_gitea
from tests.forges.github.github_meeting import GitHubMeeting
from tests.forges.github.over_http import serving_github
from tests.forges.web_meeting import WebMeeting
from tests.play.conftest import KEY, PAGE, PLACE, Browser
from tests.support.meeting import GAME, git

pytestmark = pytest.mark.sampled(2)  # on one of the forges


PROPOSAL = f"/{GAME}/proposals/1.html"
MEETINGS: dict[str, type[WebMeeting]] = {"github": GitHubMeeting, "gitea": GiteaMeeting}


@pytest.fixture(params=MEETINGS)
def at(request: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[WebMeeting, str, Browser]]:
    """Yield a meeting with a proposal that is voted on, its home, and bob's browser at a clone of it."""
    for name in TOKENS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(web, "ANSWERED", 60)
    meeting = MEETINGS[request.param](tmp_path, law={**founding("lanterns"), "settings": {}, "ruleset": "lanterns"})
    meeting.propose("ann", "A dragon")
    meeting.referee()
    (tmp_path / "moot").mkdir()
    (tmp_path / "moot" / "game.git").symlink_to(meeting.bare)
    with ExitStack() as stack:
        if request.param == "github":
            home = stack.enter_context(serving_github(tmp_path, meeting.web, "")).address
        else:
            home = stack.enter_context(serving_gitea(tmp_path, meeting.web, "")).home
        clone, site = tmp_path / "clone", tmp_path / "site"
        git(tmp_path, "clone", "--quiet", f"{home}/moot/game.git", str(clone))
        git(clone, "config", "user.name", "Bob")
        git(clone, "config", "user.email", "bob@x.org")
        monkeypatch.setattr("folkmoot.player.present_time.present", lambda: meeting.now)
        for page in ("index.html", "act.html", "proposals/1.html"):
            (site / GAME / page).parent.mkdir(parents=True, exist_ok=True)
            (site / GAME / page).write_text(PAGE.format(title=page, game=GAME), "utf-8")
        seat = Seat(clone)
        play = Play(seat, site, lambda: None)
        app = site_app(site, play.routes(), play.dress, KEY, PLACE)
        address, _ = stack.enter_context(running(app, None))
        meeting.web.robot = "bob"  # whose token it is
        yield meeting, home, Browser(address, seat)


def test_without_a_token_that_is_taken_it_is_told_how_one_says_it_there(
    at: tuple[WebMeeting, str, Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    meeting, home, bob = at
    said = len(meeting.web.said)
    vote = bob.fields(PROPOSAL, "vote") | {"choice": "for", "reason": "I like dragons."}
    answer = bob.post("vote", vote)
    assert answer.status == 422
    assert "where you say it yourself" in answer.body
    assert variable_of(home) in answer.body
    monkeypatch.setenv(variable_of(home), "of-yesterday")
    page = bob.get(bob.post("vote", vote).headers["location"]).body
    assert "It waits on this machine" in page
    assert "I like dragons." in page
    assert "of-yesterday" not in page
    assert len(meeting.web.said) == said


def test_a_form_says_it_there_by_the_players_token(
    at: tuple[WebMeeting, str, Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    meeting, home, bob = at
    monkeypatch.setenv(variable_of(home), meeting.token)
    sent = bob.post("vote", bob.fields(PROPOSAL, "vote") | {"choice": "for", "reason": "I like dragons."})
    assert sent.status == 303, sent.body
    assert "data-done" not in bob.get(sent.headers["location"], Accept="text/html; part=1").body
    assert bob.post("say", bob.fields(PROPOSAL, "say") | {"text": "/vote against", "pull": "0"}).status == 303
    assert bob.post("say", bob.fields(PROPOSAL, "say") | {"text": "Is it large?"}).status == 303
    bodies = [said["body"] for said in meeting.web.said.values()][-3:]
    assert bodies == ["/vote for because I like dragons.", "\\/vote against", "Is it large?"]
    meeting.referee(seconds=600)
    bob.post("look", bob.fields(f"/{GAME}/index.html", "look"))
    assert "Recorded." in bob.get(sent.headers["location"]).body
    assert meeting.document(proposal_key("proposal/1"))["ballots"]["bob"]["choice"] == "for"
    assert not any(meeting.token in bob.get(page).body for page in (PROPOSAL, f"/{GAME}/index.html"))
