"""Real forges, the table: emulators answer as servers do, with no field that the vendors' models lack or demand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pygit2
import pytest

from tests.forges.gitea import judge as gitea_judge
from tests.forges.gitea.emulator import (
    API,
    FORGEJO,
    FORGEJO_1_21,
    GITEA,
    GITEA_1_15,
    GITEA_1_22,
    PLACE,
    TOKEN,
    Generation,
)
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.gitea.settings import SettledGitea
from tests.forges.github import judge as github_judge
from tests.forges.github.github_meeting import GitHubMeeting
from tests.support.gitea_settings import NOW

ALL = {
    "gitea": GITEA,
    "gitea-1.22": GITEA_1_22,
    "gitea-1.15": GITEA_1_15,
    "forgejo": FORGEJO,
    "forgejo-1.21": FORGEJO_1_21,
}


def served(folder: Path, generation: Generation) -> SettledGitea:
    pygit2.init_repository(str(folder / "hub.git"), bare=True, initial_head="main")
    return SettledGitea(folder / "hub.git", NOW, generation)


def ask(server: Any, method: str, path: str, body: Any = None, **query: Any) -> httpx.Response:
    headers = {"Authorization": f"token {TOKEN}"}
    answer: httpx.Response = server.handle(
        httpx.Request(method, f"{API}{path}", headers=headers, params=query, **({"json": body} if body else {}))
    )
    return answer


@pytest.fixture(params=sorted(ALL))
def server(tmp_path: Path, request: pytest.FixtureRequest) -> SettledGitea:
    made = served(tmp_path, ALL[request.param])
    who = pygit2.Signature("Ann", "ann@example.org", NOW, 0)
    made.repo.create_commit("refs/heads/main", who, who, "Found", made.repo.TreeBuilder().write(), [])
    return made


def pull(server: SettledGitea, author: str) -> int:
    return server.open_pull(author, "Tea", "", str(server.repo.references["refs/heads/main"].target))


def test_a_repository_tells_of_merges_on_the_newest_server_alone(server: SettledGitea) -> None:
    known = ask(server, "GET", PLACE).json()
    assert ("allow_manual_merge" in known) == ("autodetect_manual_merge" in known) == server.generation.tells


def test_a_review_by_a_wrong_word_is_pending_and_ones_own_is_refused(server: SettledGitea) -> None:
    theirs, own = pull(server, "bob"), pull(server, server.robot)
    said = ask(server, "POST", f"{PLACE}/pulls/{theirs}/reviews", {"event": "APPROVE"})
    assert (said.status_code, said.json()["state"]) == (200, "PENDING")
    said = ask(server, "POST", f"{PLACE}/pulls/{theirs}/reviews", {"event": "APPROVED"})
    assert said.json()["state"] == "APPROVED"
    assert ask(server, "POST", f"{PLACE}/pulls/{own}/reviews", {"event": "APPROVED"}).status_code == 422


def test_the_total_of_a_timeline_is_that_of_the_page(server: SettledGitea) -> None:
    number = pull(server, "bob")
    for each in range(7):
        server.comment("bob", number, f"{each}")
    said = ask(server, "GET", f"{PLACE}/issues/{number}/timeline", limit=5, page=1)
    assert said.status_code == (200 if server.generation.new else 404)
    if server.generation.new:
        assert said.headers["X-Total-Count"] == "5"


def test_drafts_and_jobs_are_unknown_to_older_servers(server: SettledGitea) -> None:
    number = pull(server, "bob")
    assert ("draft" in ask(server, "GET", f"{PLACE}/pulls/{number}").json()) == server.generation.drafts
    for path in ("secrets", "tasks"):
        assert ask(server, "GET", f"{PLACE}/actions/{path}").status_code == (200 if server.generation.jobs else 404)


# -- the vendors' models, in both directions


def planted(value: Any, path: tuple[str | int, ...]) -> Any:
    """Return an answer with a field that no model has, in the object at a path."""
    if not path:
        return {**value, "planted": 1}
    if isinstance(value, list):
        return [planted(each, path[1:]) if place == path[0] else each for place, each in enumerate(value)]
    return {name: planted(each, path[1:]) if name == path[0] else each for name, each in value.items()}


def objects(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return where objects stand in an answer."""
    below = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    own = [path] if isinstance(value, dict) else []
    return own + [found for name, each in below for found in objects(each, (*path, name))]


OPEN = {"permissions", "_links"}
"""Objects whose fields are words of the server's own choice, in some descriptions."""


@pytest.mark.parametrize("generation", [GITEA, FORGEJO], ids=["gitea", "forgejo"])
def test_a_field_that_gitea_does_not_describe_is_found_wherever_it_is(tmp_path: Path, generation: Generation) -> None:
    meeting = GiteaMeeting(tmp_path, generation=generation)
    number = meeting.propose("ann", "A dragon")
    meeting.say("bob", number, "yes", "approve")
    meeting.say("bob", number, "hello")
    tried = 0
    for path in ("", f"/pulls/{number}", f"/pulls/{number}/reviews", f"/issues/{number}/comments",
                 f"/issues/{number}", f"/issues/{number}/timeline"):  # fmt: skip
        data = gitea_judge.without(ask(meeting.gitea, "GET", PLACE + path).json(), "username")
        gitea_judge.check_answer(generation.described, "GET", PLACE + path, 200, data)
        for where in objects(data):
            if where and where[-1] in OPEN:
                continue
            tried += 1
            with pytest.raises(gitea_judge.MisfitError):
                gitea_judge.check_answer(generation.described, "GET", PLACE + path, 200, planted(data, where))
    assert tried > 20


def test_a_field_that_github_does_not_describe_or_demands_is_found_wherever_it_is(tmp_path: Path) -> None:
    meeting = GitHubMeeting(tmp_path)
    number = meeting.propose("ann", "A dragon")
    meeting.say("bob", number, "yes", "approve")
    meeting.say("bob", number, "hello")
    meeting.referee()
    answers = 0
    for request in list(meeting.github.requests):
        if request.method != "GET":
            continue
        path = request.url.path
        data = meeting.github.handle(request)
        if data.status_code != 200 or not data.content:
            continue
        value = data.json()
        github_judge.check_answer("GET", path, 200, value)
        for where in objects(value)[:3]:
            answers += 1
            with pytest.raises(github_judge.MisfitError):
                github_judge.check_answer("GET", path, 200, planted(value, where))
        required = next(iter(github_judge.operation("GET", path)["answers"]["200"].get("required", ())), None)
        if isinstance(value, dict) and required:
            with pytest.raises(github_judge.MisfitError):
                github_judge.check_answer("GET", path, 200, {k: v for k, v in value.items() if k != required})
    assert answers > 5


def test_every_schema_that_is_judged_by_says_something() -> None:
    for forge, document in gitea_judge.DOCUMENT.items():
        for name, schema in document["$defs"].items():
            assert schema.get("$ref") != f"#/$defs/{name}", f"{name} of {forge} refers to itself, and allows anything"
