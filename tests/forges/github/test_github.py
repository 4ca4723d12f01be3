"""What GitHub does as no other forge does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from folkmoot.core.problems import ProblemError
from folkmoot.forges import port
from folkmoot.forges.github import GitHubWriter
from folkmoot.forges.port import Answer, Snapshot
from folkmoot.forges.web.client import seconds_of
from folkmoot.forges.web.reading import Comment, Issue, PullRequest, Review, User, labels_of, read
from tests.forges.conformance import NOW, bodies, pull, remark
from tests.forges.emulated_table import GitHubTable

EXAMPLES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("webhooks.json").read_text("utf-8"))
KINDS: dict[str, Any] = {"pull_request": PullRequest, "issue": Issue, "review": Review}
OBJECTS = [
    (KINDS.get(part, Comment), each[part])
    for each in EXAMPLES
    for part in ("pull_request", "issue", "review", "comment")
    if part in each and not (part == "issue" and "state" not in each[part])  # two are older than the API's shape
]


FORGES = ("github",)


def looked(table: GitHubTable) -> Snapshot:
    table.wait(600)
    return table.forge.look(table.web.now)


def issue(snapshot: Snapshot, number: int) -> port.Issue:
    (found,) = [each for each in snapshot.issues if each.number == number]
    return found


# -- what counts when


def test_without_builds_content_came_after_all_that_was_said(table: GitHubTable) -> None:
    """The timeline shows commits in an order that their authors choose, so that it proves nothing."""
    table.web.builds = False
    number = table.open("ann", "A dragon")
    vote = table.comment("bob", number, "/vote for")
    table.push("ann", number)
    snapshot = table.forge.look(NOW)
    assert pull(snapshot, number).head.at > remark(snapshot, number, vote).at
    other = table.open("ann", "Another")
    opened = table.web.now
    assert pull(table.forge.look(NOW), other).head.at == opened
    third = table.open("ann", "A third")
    asked = table.comment("ann", third, "/finalise")
    snapshot = table.forge.look(NOW)
    assert pull(snapshot, third).head.at > remark(snapshot, third, asked).at
    reviewed = table.open("ann", "A fourth")
    review = table.review("bob", reviewed, "approve")
    snapshot = table.forge.look(NOW)
    assert pull(snapshot, reviewed).head.at == remark(snapshot, reviewed, review).at


def test_what_was_built_before_for_another_does_not_make_it_earlier(table: GitHubTable) -> None:
    """Content that was shown elsewhere first must not take votes that were given before it was shown here."""
    hidden = table.commit()
    table.web.open_pull("eve", "Hidden", "", hidden)
    number = table.open("eve", "Harmless")
    vote = table.comment("bob", number, "/vote for")
    table.web.push(number, hidden)
    snapshot = table.forge.look(NOW)
    assert pull(snapshot, number).head.commit == hidden
    assert pull(snapshot, number).head.at > remark(snapshot, number, vote).at


def test_a_comment_with_other_line_ends_is_the_same(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    name = table.comment("bob", number, "one\r\ntwo")
    table.forge.look(NOW)
    table.web.edit(int(name[1:]), "one\ntwo")
    seen = remark(table.forge.look(NOW + 5), number, name)
    assert (seen.body, seen.edited) == ("one\ntwo", False)


# -- lines


def test_comments_on_lines_are_talk(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    table.comment("bob", number, "Hm.")
    looked(table)
    assert f"GET /pulls/{number}/comments" not in table.asked(), "there is no review"
    name = table.line("bob", number, "/do state text=hello")
    assert bodies(looked(table), number) == ["Hm.", "/do state text=hello"]
    table.comment("cid", number, "Hm.")
    table.web.lines[int(name[1:])]["body"] = "/do state text=bye"
    seen = remark(looked(table), number, name)
    assert (seen.body, seen.edited) == ("/do state text=hello", True)
    del table.web.lines[int(name[1:])]
    table.comment("cid", number, "Hm again.")
    assert remark(looked(table), number, name).deleted


# -- issues


def test_the_text_of_an_issue_is_as_old_as_its_last_change_before_it_was_seen(table: GitHubTable) -> None:
    number = table.web.open_issue("bob", "I transfer", ("game",), "### One")
    table.wait(500)
    table.web.rewrite(number, "### Two")
    changed = table.web.now
    own = looked(table).remarks[number][0]
    assert (own.body, own.at, own.edited) == ("### Two", changed, False)
    table.web.rewrite(number, "### Three")
    own = looked(table).remarks[number][0]
    assert (own.body, own.at, own.edited) == ("### Two", changed, True)


def test_before_the_label_it_was_no_statement(table: GitHubTable) -> None:
    number = table.web.open_issue("bob", "I transfer", (), "### One")
    table.comment("cid", number, "/do state text=early")
    looked(table)
    table.wait(500)
    table.label(number)
    labelled = table.web.now
    snapshot = looked(table)
    assert issue(snapshot, number).opened_at == labelled
    assert [each.at for each in snapshot.remarks[number]] == [labelled, labelled]
    table.web.label(number)
    assert looked(table).issues == ()
    table.label(number)
    assert [each.number for each in looked(table).issues] == [number]


def test_an_issue_that_was_deleted_or_moved_is_over(table: GitHubTable) -> None:
    first, second = table.state("bob", "One", "### One"), table.state("bob", "Two", "### Two")
    looked(table)
    table.comment("cid", second, "Hm.")
    table.web.issues[second]["repository"] = "moot/elsewhere"
    snapshot = looked(table)
    assert issue(snapshot, second).state == "closed"
    assert all(each.deleted for each in snapshot.remarks[second])
    del table.web.issues[first]
    for _ in range(2):  # nothing tells of a deletion but the refusal to answer
        looked(table)
        try:
            table.forge.answer([Answer(pull=first, text="Refused.", state="closed", settled=True)])
        except ProblemError as error:
            assert f"at #{first}" in str(error)  # noqa: PT017
    assert first not in [each.number for each in looked(table).issues]


def test_an_issue_in_a_renamed_repository_is_still_ours(table: GitHubTable) -> None:
    number = table.state("bob", "One", "### One")
    table.web.full_name = "moot/renamed"
    looked(table)
    table.comment("cid", number, "Hm.")
    snapshot = looked(table)
    assert issue(snapshot, number).state == "open"
    assert bodies(snapshot, number) == ["### One", "Hm."]


def test_no_form_and_no_robot_makes_the_thread(table: GitHubTable) -> None:
    table.web.issues[table.thread]["labels"] = ()
    table.web.open_issue("bob", "Form", ("game",), "### Action\n\njoin")
    table.web.open_issue("welcome[bot]", "Welcome", ("game",), "Hello.")
    thread = table.web.open_issue("ann", "Talk", ("game",), "Here we talk.")
    table.web.comment("ann", thread, "Hello.")
    snapshot = looked(table)
    assert bodies(snapshot, 0) == ["Hello."]
    assert len(snapshot.issues) == 2


# -- GitHub's published examples: the objects in them have the shapes of the API's


def test_examples_are_read() -> None:
    assert {kind for kind, _ in OBJECTS} == {PullRequest, Issue, Review, Comment}
    assert len(OBJECTS) > 40
    for kind, given in OBJECTS:
        found = read(given, kind)
        who = GitHubWriter.person(found.user)
        assert (who.id, who.handle) == (str(given["user"]["id"]), given["user"]["login"])
        assert who.robot == (given["user"]["type"] != "User")
        for name in ("created_at", "updated_at", "closed_at", "merged_at", "submitted_at"):
            if given.get(name) and hasattr(found, name):
                assert seconds_of(getattr(found, name)) > 1_400_000_000
        if kind in (PullRequest, Issue):
            assert labels_of(found) == sorted(label["name"] for label in given.get("labels", ()))
        nobodys = read({**given, "user": None, "body": None}, kind)
        assert (GitHubWriter.person(nobodys.user).id, nobodys.body) == ("", None)


def test_robots_and_apps_are_robots() -> None:
    assert GitHubWriter.person(User(id=1, login="dependabot[bot]", type="Bot")).robot
    assert GitHubWriter.person(User(id=2, login="an-organisation", type="Organization")).robot
    assert not GitHubWriter.person(User(id=3, login="ann")).robot
