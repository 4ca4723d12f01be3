"""What becomes of GitHub's oddities, and how many requests it takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from folkmoot.forges.port import Answer
from folkmoot.forges.web.comments import said, written
from tests.forges.conformance import NOW, bodies, pull, remark
from tests.forges.github.github_table import GitHubTable
from tests.forges.github.judge import MisfitError, check_answer, check_request
from tests.forges.local_table import bare, git
from tests.forges.slow_git import SlowGit
from tests.forges.web_reading import WebReading, settle

PLACE = "/repos/moot/game"
LISTS = ["GET /pulls", "GET /issues", "GET /issues/comments"]


@pytest.fixture
def table(tmp_path: Path) -> GitHubTable:
    hub = bare(tmp_path)
    return GitHubTable(tmp_path, str(hub), hub)


class TestReadingOfGitHub(WebReading):
    """What is read alike everywhere."""


# -- the judge


def test_the_judge_knows_what_github_does_not_take() -> None:
    with pytest.raises(MisfitError, match="no DELETE"):
        check_request("DELETE", f"{PLACE}/pulls/1", {}, None)
    with pytest.raises(MisfitError, match="takes no limit"):
        check_request("GET", f"{PLACE}/pulls", {"limit": "5"}, None)
    with pytest.raises(MisfitError, match="merged"):
        check_request("PATCH", f"{PLACE}/pulls/1", {}, {"state": "merged"})
    with pytest.raises(MisfitError, match="required"):
        check_request("POST", f"{PLACE}/issues/1/comments", {}, {"text": "hello"})
    with pytest.raises(MisfitError, match="does not answer 204"):
        check_answer("GET", f"{PLACE}/pulls", 204, [])
    with pytest.raises(MisfitError):
        check_answer("GET", f"{PLACE}/pulls", 200, [{"number": 1}])


# -- requests


def test_nothing_to_do_takes_three_requests(table: GitHubTable) -> None:
    for n in range(3):
        table.review("bob", table.open("ann", f"No. {n}"), "approve")
    settle(table)
    table.forge.look(NOW)
    table.asked()
    refs = git(table.hub, "for-each-ref")
    table.forge.look(NOW + 500)
    assert table.asked() == LISTS
    table.forge.look(NOW + 900)
    assert table.forge.client.unchanged == 3
    table.another().look(NOW + 1_500)
    assert len(table.asked()) == 3 + 3
    assert git(table.hub, "for-each-ref") == refs


@pytest.mark.threat("T-31")
def test_only_what_changed_is_read(table: GitHubTable) -> None:
    numbers = [table.open("ann", f"No. {n}") for n in range(5)]
    settle(table)
    table.forge.look(NOW)
    settle(table, 600)
    table.review("bob", numbers[2], "approve")
    settle(table)
    table.asked()
    table.forge.look(NOW + 5)
    three = [f"/pulls/{numbers[2]}/reviews", f"/issues/{numbers[2]}/comments", f"/pulls/{numbers[2]}/comments"]
    assert table.asked() == [*LISTS, *(f"GET {path}" for path in three)]


def test_four_requests_for_a_pull_request_that_changed_and_is_closed(table: GitHubTable) -> None:
    numbers = [table.open("ann", f"No. {n}") for n in range(4)]
    settle(table)
    table.forge.look(NOW)
    settle(table, 600)
    for number in numbers:
        table.push("ann", number)
    settle(table)
    table.asked()
    table.forge.look(NOW + 5)
    table.forge.answer([Answer(pull=n, text="No.", state="closed", settled=True) for n in numbers])
    asked = table.asked()
    assert len(asked) == 3 + 4 * len(numbers)
    assert sum(each.startswith(("POST", "PATCH")) for each in asked) == 2 * len(numbers)


def test_long_lists_are_read_to_the_end(table: GitHubTable) -> None:
    table.github.pages = 3
    numbers = [table.open("ann", f"No. {n}") for n in range(8)]
    texts = [f"Remark {n}" for n in range(10)]
    for text in texts:
        table.comment("bob", numbers[0], text)
    snapshot = table.forge.look(NOW)
    assert [each.number for each in snapshot.pulls] == numbers
    assert bodies(snapshot, numbers[0]) == texts


def test_opened_and_closed_between_two_looks(table: GitHubTable) -> None:
    table.forge.look(NOW)
    number = table.open("ann", "A dragon")
    table.close("ann", number)
    assert pull(table.forge.look(NOW + 5), number).state == "closed"


# -- people


@pytest.mark.threat("T-12")
def test_deleted_accounts_are_nobody(table: GitHubTable) -> None:
    number = table.github.open_pull(None, "Mine", "", table.commit())  # type: ignore[arg-type]
    table.github.comment(None, number, "/vote for")
    table.github.review(None, number, "APPROVED")
    table.github.accounts["ghost"] = 10137
    table.github.comment("ghost", number, "/vote for")
    snapshot = table.forge.look(NOW)
    people = {pull(snapshot, number).author, *(each.author for each in snapshot.remarks[number])}
    assert {(who.id, who.handle, who.robot) for who in people} == {("", "ghost", False)}


def test_an_account_that_is_deleted_later_stays_who_it_was(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    name = table.comment("bob", number, "/vote for")
    table.forge.look(NOW)
    table.github.said[int(name[1:])]["user"] = None
    table.comment("cid", number, "Hm.")
    seen = remark(table.forge.look(NOW + 5), number, name)
    assert seen.author.id == table.id_of("bob")


@pytest.mark.threat("T-13")
def test_a_renamed_account_stays_the_same_person(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    table.comment("bob", number, "One.")
    table.github.accounts["robert"] = table.github.accounts.pop("bob")
    for each in table.github.said.values():
        each["user"] = "robert"
    table.comment("robert", number, "Two.")
    ids = {each.author.id for each in table.forge.look(NOW).remarks[number]}
    assert ids == {table.id_of("robert")}


def test_robots_are_robots(table: GitHubTable) -> None:
    number = table.open("dependabot[bot]", "Newer things")
    table.comment("helper[bot]", number, "/vote for")
    snapshot = table.forge.look(NOW)
    assert pull(snapshot, number).author.robot
    assert snapshot.remarks[number][0].author.robot


# -- our comment


@pytest.mark.threat("T-34")
@pytest.mark.parametrize("may_ask", [True, False])
def test_our_comment_is_found_by_mark_and_author(table: GitHubTable, *, may_ask: bool) -> None:
    table.github.may_ask_who = may_ask
    table.github.robot = "keeper" if may_ask else "github-actions[bot]"
    number = table.open("ann", "A dragon")
    table.github.comment(table.github.robot, number, written("From another time."))
    table.github.comment(table.github.robot, number, "And a word of my own.")
    snapshot = table.forge.look(NOW)
    assert snapshot.said == {number: "From another time."}
    assert bodies(snapshot, number) == ["And a word of my own."]
    table.forge.answer([Answer(pull=number, text="Now.")])
    assert len(table.github.said) == 2


def test_a_comment_with_other_line_ends_is_the_same(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    name = table.comment("bob", number, "one\r\ntwo")
    table.forge.look(NOW)
    table.github.edit(int(name[1:]), "one\ntwo")
    seen = remark(table.forge.look(NOW + 5), number, name)
    assert (seen.body, seen.edited) == ("one\ntwo", False)


# -- what counts when


def test_a_pending_review_and_an_empty_one_are_nothing(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    for state, body in (("PENDING", "half"), ("COMMENTED", "")):
        table.github.review("bob", number, state, body)
    assert number not in table.forge.look(NOW).remarks


@pytest.mark.threat("T-20")
def test_content_pushed_after_a_vote_came_after_it(table: GitHubTable) -> None:
    """Though nobody looked in between: who voted had the other content before them."""
    number = table.open("ann", "A dragon")
    vote = table.comment("bob", number, "/vote for")
    second = table.push("ann", number)
    table.comment("cid", number, "Hm.")
    snapshot = table.forge.look(NOW)
    assert pull(snapshot, number).head.commit == second
    assert pull(snapshot, number).head.at > remark(snapshot, number, vote).at


def test_without_builds_content_came_after_all_that_was_said(table: GitHubTable) -> None:
    """The timeline shows commits in an order that their authors choose, so that it proves nothing."""
    table.github.builds = False
    number = table.open("ann", "A dragon")
    vote = table.comment("bob", number, "/vote for")
    table.push("ann", number)
    snapshot = table.forge.look(NOW)
    assert pull(snapshot, number).head.at > remark(snapshot, number, vote).at
    other = table.open("ann", "Another")
    opened = table.github.now
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
    table.github.open_pull("eve", "Hidden", "", hidden)
    number = table.open("eve", "Harmless")
    vote = table.comment("bob", number, "/vote for")
    table.github.push(number, hidden, force=True)
    snapshot = table.forge.look(NOW)
    assert pull(snapshot, number).head.commit == hidden
    assert pull(snapshot, number).head.at > remark(snapshot, number, vote).at


def test_a_forced_push_has_githubs_stamp_and_the_old_head_is_kept(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    first = table.head(number)
    table.forge.look(NOW)
    other = table.commit()
    table.github.push(number, other, force=True)
    pushed = table.github.now
    table.github.now += 50
    table.comment("bob", number, "Hm.")
    seen = pull(table.forge.look(NOW + 5), number)
    assert [(push.commit) for push in seen.pushes] == [first, other]
    assert seen.head.at == pushed
    git(table.hub, "reflog", "expire", "--expire=now", "--all")
    git(table.hub, "gc", "--quiet", "--prune=now")
    fresh = table.another()
    fresh.look(NOW + 9)
    assert first in fresh.refs.repo


# -- what becomes of pull requests


def test_drafts_titles_and_links(table: GitHubTable) -> None:
    number = table.github.open_pull("ann", "Not yet", "", table.commit(), draft=True)
    seen = pull(table.forge.look(NOW), number)
    assert (seen.draft, seen.body, seen.link) == (True, "", f"https://github.example/{number}")
    table.github.change(number, draft=False, title="Now", body="Ready.")
    seen = pull(table.forge.look(NOW + 5), number)
    assert (seen.draft, seen.title, seen.body) == (False, "Now", "Ready.")


def test_where_github_does_not_follow_it_is_closed_and_says_why(table: GitHubTable) -> None:
    table.github.follows = False
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    before, after = table.played((table.head(number),))
    assert table.forge.publish(before, after)
    answer = Answer(pull=number, text="Adopted.", state="merged", commit=after, settled=True)
    table.forge.answer([answer])
    assert table.slept[:4] == [0.5, 1.0, 2.0, 4.0]
    assert table.github.pulls[number]["state"] == "closed"
    (body,) = [each["body"] for each in table.github.said.values()]
    assert said(body) == "Adopted."
    assert after in body
    snapshot = table.forge.look(NOW + 5)
    assert snapshot.pulls == ()
    table.asked()
    table.forge.answer([answer])
    assert table.asked() == []
    later = replace(answer, text="Adopted, and somebody took back their vote.")
    for forge in (table.another(), table.forge):  # whoever edits it, the link stays
        forge.answer([later])
        (body,) = [each["body"] for each in table.github.said.values()]
        assert said(body) == later.text
        assert after in body


@pytest.mark.threat("T-27")
def test_reviews_of_what_takes_too_long_cost_a_look_a_few_tries(
    table: GitHubTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heads that were replaced and that nobody can fetch: each is tried once ever, and three a look at most."""
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    replaced = [table.commit() for _ in range(5)]
    for commit in (*replaced, table.commit()):
        table.github.push(number, commit, force=True)
        table.review("bob", number, "approve", "It is large.")
    slow, waited = SlowGit(monkeypatch, *replaced), []
    for seconds in (5, 35, 65, 95):
        slow.before(forge := table.another())
        slow.times = 0
        snapshot = forge.look(NOW + seconds)
        waited.append(slow.times)
        table.comment("eve", number, "Hm.")
    assert waited == [3, 2, 0, 0]
    assert len(snapshot.remarks[number]) == 6 + 3
