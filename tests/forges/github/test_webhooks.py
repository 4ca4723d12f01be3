"""GitHub's published examples are read: the objects in them have the shapes of the API's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from folkmoot.forges.github import person
from folkmoot.forges.web.client import seconds_of
from folkmoot.forges.web.reading import Comment, Issue, LineComment, PullRequest, Review, User, labels_of, read

EXAMPLES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("webhooks.json").read_text("utf-8"))
KINDS: dict[str, Any] = {"pull_request": PullRequest, "issue": Issue, "review": Review}
OBJECTS = [
    (each["event"], each["action"], part, each[part])
    for each in EXAMPLES
    for part in ("pull_request", "issue", "review", "comment")
    if part in each and not (part == "issue" and "state" not in each[part])  # two are older than the API's shape
]


def kind_of(event: str, part: str) -> Any:
    return KINDS.get(part) or (LineComment if event == "pull_request_review_comment" else Comment)


def test_there_are_examples_of_everything() -> None:
    assert {event for event, *_ in OBJECTS} == {
        "pull_request",
        "pull_request_review",
        "pull_request_review_comment",
        "issue_comment",
        "issues",
    }
    assert len(OBJECTS) > 40


@pytest.mark.parametrize("number", range(len(OBJECTS)))
def test_an_example_is_read(number: int) -> None:
    event, _, part, given = OBJECTS[number]
    found = read(given, kind_of(event, part))
    assert person(found.user).id == str(given["user"]["id"])
    assert person(found.user).handle == given["user"]["login"]
    assert person(found.user).robot == (given["user"]["type"] != "User")
    for name in ("created_at", "updated_at", "closed_at", "merged_at", "submitted_at"):
        if given.get(name) and hasattr(found, name):
            assert seconds_of(getattr(found, name)) > 1_400_000_000
    if part in ("pull_request", "issue"):
        assert labels_of(found) == sorted(label["name"] for label in given.get("labels", ()))


@pytest.mark.parametrize("number", range(len(OBJECTS)))
def test_accounts_that_are_gone_and_empty_texts_are_read(number: int) -> None:
    event, _, part, given = OBJECTS[number]
    found = read({**given, "user": None, "body": None}, kind_of(event, part))
    assert (person(found.user).id, found.body) == ("", None)


def test_robots_and_apps_are_robots() -> None:
    assert person(User(id=1, login="dependabot[bot]", type="Bot")).robot
    assert person(User(id=2, login="an-organisation", type="Organization")).robot
    assert not person(User(id=3, login="ann")).robot
