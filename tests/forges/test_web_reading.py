"""What is read from a forge with an API, however odd, and how many requests it takes."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.cache.forge import FIRST
from folkmoot.forges.port import Answer, Check
from folkmoot.forges.web.comments import LONGEST, fitting, said, written
from tests.forges.conformance import NOW, bodies, pull, remark
from tests.forges.emulated_table import EmulatedTable
from tests.forges.local_table import git
from tests.forges.slow_git import SlowGit
from tests.forges.tables import WEB, on

FORGES = WEB
LISTS = ["GET /pulls", "GET /issues", "GET /issues/comments"]
WITH_STAMPS = ("github", "gitea", "forgejo")
"""Forges that say when content was pushed."""


# -- requests


def test_nothing_to_do_takes_three_requests(table: EmulatedTable) -> None:
    for n in range(3):
        number = table.open("ann", f"No. {n}")
        table.review("bob", number, "approve")
        table.comment("bob", number, "Hm.")
    table.wait()
    table.forge.look(NOW)
    table.wait()
    table.asked()
    refs = git(table.hub, "for-each-ref")
    for forge, seconds in ((table.forge, 500), (table.forge, 900), (table.another(), 1_500)):
        forge.look(NOW + seconds)
        assert table.asked() == LISTS
    assert git(table.hub, "for-each-ref") == refs


@pytest.mark.threat("T-31")
def test_only_what_changed_is_read(table: EmulatedTable) -> None:
    numbers = [table.open("ann", f"No. {n}") for n in range(5)]
    table.wait()
    table.forge.look(NOW)
    table.wait(600)
    table.review("bob", numbers[2], "approve")
    table.wait()
    table.asked()
    table.forge.look(NOW + 5)
    asked = [path for path in table.asked() if path not in LISTS]
    assert asked
    assert [path for path in asked if f"/{numbers[2]}/" not in path] == []


def test_a_few_requests_for_a_pull_request_that_changed_and_is_closed(table: EmulatedTable) -> None:
    """With a page of Gitea's timeline, of which it does not say how many there are; and once, which server it is."""
    numbers = [table.open("ann", f"No. {n}") for n in range(4)]
    table.wait()
    table.forge.look(NOW)
    table.wait(600)
    for number in numbers:
        table.push("ann", number)
        table.review("bob", number, "approve")
    table.wait()
    table.asked()
    table.forge.look(NOW + 5)
    checks = {n: Check(commit=table.head(n), state="failure", summary="No.") for n in numbers}
    table.forge.answer([Answer(pull=n, text="No.", state="closed", settled=True, check=checks[n]) for n in numbers])
    asked = table.asked()
    assert len(asked) <= 3 + 2 + 7 * len(numbers)
    assert sum(path.startswith(("POST", "PATCH")) for path in asked) == 3 * len(numbers)


@pytest.mark.parametrize("size", [1, 3])
def test_long_lists_are_read_to_the_end(table: EmulatedTable, size: int) -> None:
    table.web.pages = size  # whatever is asked for
    numbers = [table.open("ann", f"No. {n}") for n in range(8)]
    table.wait()
    texts = [f"Remark {n}" for n in range(10)]
    for text in texts:
        table.comment("bob", numbers[0], text)
    for n in range(7):
        table.review(f"voter-{n}", numbers[1], "approve")
    for n in range(5):
        table.comment("bob", 0, f"Word {n}")
    snapshot = table.forge.look(NOW)
    assert [each.number for each in snapshot.pulls] == numbers
    assert bodies(snapshot, numbers[0]) == texts
    assert (len(snapshot.remarks[numbers[1]]), len(snapshot.remarks[0])) == (7, 5)
    table.wait(600)
    table.asked()
    table.forge.look(NOW + 900)
    assert table.asked().count("GET /pulls") <= 3 / size + 1, "what was seen is not read to its end again"


def test_what_is_left_over_is_read_by_the_next_looks(table: EmulatedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.forges.web.reading.MOST_AT_ONCE", 2)
    numbers = [table.open("ann", f"No. {n}") for n in range(5)]
    for _ in range(3):
        table.wait(600)
        snapshot = table.forge.look(table.web.now)
    assert [each.number for each in snapshot.pulls] == numbers


# -- people


@pytest.mark.threat("T-12")
def test_deleted_accounts_are_nobody(table: EmulatedTable) -> None:
    number = table.web.open_pull(None, "Mine", "", table.commit())
    table.web.comment(None, number, "/vote for")
    table.web.review(None, number, table.states["approve"])
    if table.kind == "github":
        table.web.accounts["ghost"] = 10137
        table.web.comment("ghost", number, "/vote for")
    snapshot = table.forge.look(NOW)
    people = {pull(snapshot, number).author, *(each.author for each in snapshot.remarks[number])}
    assert {(who.id, who.handle, who.robot) for who in people} == {("", "ghost", False)}


def spoke(table: EmulatedTable, name: str, person: str | None) -> None:
    """Let the author of a comment be called otherwise from now on."""
    table.web.said[int(name[1:])]["user" if table.kind == "github" else "person"] = person


@pytest.mark.threat("T-13")
def test_a_renamed_account_stays_the_same_person(table: EmulatedTable) -> None:
    number = table.open("ann", "A dragon")
    first = table.comment("bob", number, "One.")
    table.id_of("bob")
    table.rename("bob", "robert")
    spoke(table, first, "robert")
    table.comment("robert", number, "Two.")
    assert {each.author.id for each in table.forge.look(NOW).remarks[number]} == {table.id_of("robert")}


@pytest.mark.threat("T-13")
def test_a_login_that_somebody_else_took_over_is_somebody_else(table: EmulatedTable) -> None:
    number = table.open("ann", "A dragon")
    first = table.comment("bob", number, "One.")
    table.forge.look(NOW)
    table.rename("bob", "gone")
    spoke(table, first, "gone")
    second = table.comment("bob", number, "Two.")
    authors = [remark(table.forge.look(NOW + 5), number, name).author for name in (first, second)]
    assert [who.handle for who in authors] == ["bob", "bob"]
    assert authors[0].id != authors[1].id


def test_robots_are_robots(table: EmulatedTable) -> None:
    robot = "helper[bot]" if table.kind == "github" else "forgejo-actions"
    table.web.accounts[robot] = -2
    number = table.open("ann", "Newer things")
    table.comment(robot, number, "/vote for")
    (seen,) = table.forge.look(NOW).remarks[number]
    assert seen.author.robot


# -- our comment


@pytest.mark.threat("T-34")
@pytest.mark.parametrize("may_ask", [True, False])
def test_our_comment_is_found_by_mark_and_author(table: EmulatedTable, *, may_ask: bool) -> None:
    job = "github-actions[bot]" if table.kind == "github" else "gitea-actions"
    table.web.may_ask_who = may_ask
    table.web.robot = "keeper" if may_ask else job
    table.web.accounts |= {} if job in table.web.accounts else {job: -2}
    number = table.open("ann", "A dragon")
    table.web.comment(table.web.robot, number, written("From another time."))
    table.web.comment(table.web.robot, number, "And a word of my own.")
    snapshot = table.forge.look(NOW)
    assert snapshot.said == {number: "From another time."}
    assert bodies(snapshot, number) == ["And a word of my own."]
    table.forge.answer([Answer(pull=number, text="Now.")])
    assert len(table.web.said) == 2


@pytest.mark.threat("T-22")
def test_somebody_elses_comment_with_our_mark_is_somebody_elses(table: EmulatedTable) -> None:
    number = table.open("ann", "A dragon")
    name = table.comment("bob", number, written("Adopted!"))
    snapshot = table.forge.look(NOW)
    assert snapshot.said == {}
    assert [each.id for each in snapshot.remarks[number]] == [name]
    table.forge.answer([Answer(pull=number, text="Open.")])
    assert table.forge.look(NOW + 5).said == {number: "Open."}
    assert said(table.web.said[int(name[1:])]["body"]) == "Adopted!"


def test_our_comment_is_made_again_where_somebody_deleted_it_and_put_right_where_they_edited_it(
    table: EmulatedTable,
) -> None:
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    table.forge.answer([Answer(pull=number, text="Here.")])
    table.web.delete(next(iter(table.web.said)))
    table.forge.answer([Answer(pull=number, text="Defeated.")])
    name = next(iter(table.web.said))
    table.web.edit(name, table.web.said[name]["body"].replace("Defeated", "Adopted"))
    assert table.forge.look(NOW + 5).said == {number: "Adopted."}
    table.forge.answer([Answer(pull=number, text="Defeated.")])
    assert table.forge.look(NOW + 9).said == {number: "Defeated."}
    table.web.delete(name)
    assert table.forge.look(NOW + 13).said == {number: ""}


def test_a_text_that_is_too_long_is_cut_and_not_sent_again(table: EmulatedTable) -> None:
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    text = "long " * 20_000
    table.forge.answer([Answer(pull=number, text=text)])
    (body,) = table.spoken(number)
    assert len(body) <= LONGEST
    assert said(body) == fitting(text)
    assert table.forge.look(NOW + 5).said == {number: text}
    table.asked()
    table.forge.answer([Answer(pull=number, text=text)])
    assert table.asked() == []


# -- what counts when


def test_what_happens_in_the_second_of_reading_is_not_missed(table: EmulatedTable) -> None:
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    table.wait(-1)  # the same second again
    name = table.comment("bob", number, "Quick.")
    assert remark(table.forge.look(NOW + 5), number, name).body == "Quick."


@pytest.mark.threat("T-16")
def test_a_comment_edited_before_it_was_seen_arrived_when_it_was_edited(table: EmulatedTable) -> None:
    number = table.open("ann", "A dragon")
    name = table.comment("bob", number, "Hm.")
    table.wait(100)
    table.edit("bob", number, name, "/vote for")
    assert remark(table.forge.look(NOW), number, name).at == table.web.now


def test_a_review_dismissed_before_it_was_seen(table: EmulatedTable) -> None:
    number = table.open("ann", "A dragon")
    name = table.review("bob", number, "request_changes", "no")
    table.web.dismiss(None, int(name[1:]))
    seen = remark(table.forge.look(NOW), number, name)
    assert (seen.kind, seen.dismissed_by and seen.dismissed_by.handle) == ("request_changes", "ghost")


def test_a_pending_review_a_request_and_an_empty_one_are_nothing(table: EmulatedTable) -> None:
    number = table.open("ann", "A dragon")
    given = [("PENDING", "half"), (table.states["comment"], "")]
    if table.kind == "gitea":
        table.web.is_admin = True  # who sees what is pending
        given += [("REQUEST_REVIEW", ""), ("APPROVE", "a wrong word")]
    for state, body in given:
        table.web.review("bob", number, state, body)
    assert number not in table.forge.look(NOW).remarks


@pytest.mark.threat("T-20")
def test_content_pushed_after_a_vote_came_after_it(table: EmulatedTable) -> None:
    """Though nobody looked in between: who voted had the other content before them."""
    number = table.open("ann", "A dragon")
    vote = table.comment("bob", number, "/vote for")
    second = table.push("ann", number)
    after = table.comment("cid", number, "/vote for")
    snapshot = table.forge.look(NOW)
    head = pull(snapshot, number).head
    assert head.commit == second
    assert head.at > remark(snapshot, number, vote).at
    if table.tells_who:
        assert head.at <= remark(snapshot, number, after).at


@pytest.mark.parametrize("force", [True, False])
@pytest.mark.sampled(2)
@on(*WITH_STAMPS)
def test_a_push_has_a_stamp_and_the_old_head_is_kept(table: EmulatedTable, *, force: bool) -> None:
    number = table.open("ann", "A dragon")
    first = table.head(number)
    table.forge.look(NOW)
    table.web.builds = not force  # it is not by what GitHub builds that a forced push is known
    other = table.commit() if force else table.commit(first)
    table.web.push(number, other, force=force)
    pushed = table.web.now
    table.wait(50)
    table.comment("bob", number, "Hm.")
    seen = pull(table.forge.look(NOW + 5), number)
    assert [push.commit for push in seen.pushes] == [first, other]
    assert seen.head.at == pushed
    git(table.hub, "reflog", "expire", "--expire=now", "--all")
    git(table.hub, "gc", "--quiet", "--prune=now")
    fresh = table.another()
    fresh.look(NOW + 9)
    assert first in fresh.refs.repo


def test_of_one_that_was_over_before_it_was_seen_the_head_counts_that_git_kept(table: EmulatedTable) -> None:
    """Some servers show of it where its branch went on to; of one that is open both must show the same."""
    table.forge.look(NOW)
    over, still_open = table.open("ann", "A dragon"), table.open("bob", "Two dragons")
    kept = table.head(over)
    for number in (over, still_open):
        table.web.pulls[number]["head"] = table.commit(table.head(number))
    table.web.close("ann", over)
    snapshot = table.forge.look(NOW + 5)
    assert {each.number: each.head.commit for each in snapshot.pulls} == {over: kept}
    assert set(snapshot.unread) == {still_open}


def test_a_comment_on_a_line_is_a_comment(table: EmulatedTable) -> None:
    number = table.open("ann", "A dragon")
    name = table.line("bob", number, "/vote for")
    (seen,) = table.forge.look(NOW).remarks[number]
    assert (seen.id, seen.kind, seen.author.id, seen.body) == (name, "comment", table.id_of("bob"), "/vote for")


# -- pull requests


def test_a_repository_with_a_past(table: EmulatedTable) -> None:
    old = table.open("ann", "Long ago")
    table.close("ann", old)
    table.wait(1_000)
    number = table.open("bob", "Now")
    assert [each.number for each in table.forge.look(NOW).pulls] == [number]
    table.wait(1_000)
    table.comment("ann", old, "Remember?")
    short = table.open("cid", "Opened and closed between two looks")
    table.close("cid", short)
    assert [each.number for each in table.forge.look(NOW + 5).pulls] == [number, short]


def test_drafts_titles_and_links(table: EmulatedTable) -> None:
    title = "Not yet" if table.kind == "github" else "WIP: not yet"
    number = table.web.open_pull("ann", title, "", table.commit(), draft=True)
    seen = pull(table.forge.look(NOW), number)
    assert (seen.draft, seen.body, seen.link.rpartition("/")[2]) == (True, "", str(number))
    table.web.change(number, draft=False, title="Now", body="Ready.")
    seen = pull(table.forge.look(NOW + 5), number)
    assert (seen.draft, seen.title, seen.body) == (False, "Now", "Ready.")


def test_a_retargeted_pull_request_is_none_of_the_games(table: EmulatedTable) -> None:
    number = table.open("ann", "A dragon")
    other = table.web.open_pull("bob", "Elsewhere", "", table.commit(), base="next")
    assert [each.number for each in table.forge.look(NOW).pulls] == [number]
    table.web.change(number, base="next")
    table.web.change(other, base="main")
    assert [each.number for each in table.forge.look(NOW + 5).pulls] == [other]
    table.web.change(number, base="main")
    assert [each.number for each in table.forge.look(NOW + 9).pulls] == [number, other]


@pytest.mark.threat("T-19")
def test_a_fork_that_vanished(table: EmulatedTable) -> None:
    number = table.open("ann", "A dragon")
    table.web.pulls[number]["fork"] = False
    table.comment("bob", number, "Where is it?")
    seen = pull(table.forge.look(NOW), number)
    assert seen.head.commit == table.head(number)
    assert seen.head.commit in table.forge.refs.repo


def test_a_shallow_clone_is_deepened_to_where_the_branch_was_left(table: EmulatedTable) -> None:
    old = table.commit()
    for _ in range(30):
        table.push_by_hand()
    number = table.web.open_pull("ann", "An old branch", "", old)
    path = table.folder / "shallow"
    git(table.folder, "clone", "--quiet", "--bare", "--depth=1", f"file://{table.hub}", str(path))
    table.remote = f"file://{table.hub}"
    forge: Any = table.at(path)
    snapshot = forge.look(NOW)
    assert pull(snapshot, number).head.commit == old
    assert forge.refs.repo.merge_base(snapshot.main, old) is not None


def test_a_head_that_takes_too_long_keeps_no_vote_from_being_read(
    table: EmulatedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said goes on to be read, whoever looks; the head is tried again later, another one at once."""
    number, new = table.open("ann", "A dragon"), table.open("ann", "A monster")
    first = table.head(number)
    table.forge.look(NOW)
    table.push("ann", number)
    later = table.open("ann", "A third")
    slow = SlowGit(monkeypatch, f"refs/pull/{number}/head", f"refs/pull/{later}/head")
    for seconds in (5, 35, 65):
        slow.before(forge := table.another())
        table.comment("bob", number, f"/vote for {seconds}")
        snapshot = forge.look(NOW + seconds)
    assert [each.number for each in snapshot.pulls] == [number, new]
    assert [push.commit for push in pull(snapshot, number).pushes] == [first]
    assert bodies(snapshot, number) == ["/vote for 5", "/vote for 35", "/vote for 65"]
    assert {n: (unread.commit, unread.again) for n, unread in snapshot.unread.items()} == {
        n: (table.head(n), NOW + 5 + FIRST) for n in (number, later)
    }
    forge.answer([Answer(pull=later, text="It is not here.")])
    assert any("It is not here." in body for body in table.spoken(later))
    tries = slow.waited.total()
    head = table.push("ann", number)
    forge.look(NOW + 95)
    assert slow.waited.total() == tries + 1
    slow.stuck.clear()
    assert pull(forge.look(NOW + 95 + FIRST), number).head.commit == head
    assert pull(forge.look(NOW + 95 + 3 * FIRST), later).head.commit == table.head(later)
    assert forge.look(NOW + 96 + 3 * FIRST).unread == {}


# -- statements without git


def test_a_statement_without_git_is_read_answered_and_closed(table: EmulatedTable) -> None:
    table.state("eve", "A bug", "/do pass", labelled=False)
    number = table.state("ann", "I pass", "### Game\n\n/do pass")
    table.comment("bob", number, "So do I.")
    snapshot = table.forge.look(NOW)
    (issue,) = snapshot.issues
    assert (issue.number, issue.title, issue.state, issue.labels) == (number, "I pass", "open", ("game",))
    assert issue.author.id == table.id_of("ann")
    assert bodies(snapshot, number) == ["### Game\n\n/do pass", "So do I."]
    assert [each.author.id for each in snapshot.remarks[number]] == [table.id_of("ann"), table.id_of("bob")]
    table.forge.answer([Answer(pull=number, text="Passed.", state="closed", settled=True)])
    assert len(table.spoken(number)) == 2
    assert table.forge.look(NOW + 9).issues == ()
    assert table.another().look(NOW + 12).issues == ()


def test_an_issue_becomes_a_statement_by_its_label(table: EmulatedTable) -> None:
    number = table.state("ann", "I pass", "/do pass", labelled=False)
    assert table.forge.look(NOW).issues == ()
    table.label(number)
    assert [issue.number for issue in table.forge.look(NOW + 5).issues] == [number]


def test_the_games_thread_by_number_and_none_at_all(table: EmulatedTable) -> None:
    table.web.open_issue("eve", "Talk about the game")
    table.comment("ann", 0, "Hello.")
    for thread, expected in ((table.thread, ["Hello."]), (None, [])):
        assert bodies(table.another(thread=thread).look(NOW, persist=False), 0) == expected


# -- what stops everything, and what changes nothing


@pytest.mark.threat("T-20")
def test_a_clock_that_is_off_stops_everything(table: EmulatedTable) -> None:
    forge = table.another(skew=60)
    assert forge.look(table.web.now + 50).pulls == ()
    for off in (-70, 70):
        with pytest.raises(ProblemError, match="clock is off"):
            forge.look(table.web.now + off)


@pytest.mark.threat("T-39")
def test_what_another_kind_of_forge_wrote_is_not_read_as_ours(table: EmulatedTable) -> None:
    table.repo.references.create("refs/moot/forge", table.commit())
    with pytest.raises(ProblemError, match="another kind of forge"):
        table.forge.look(NOW)


def test_peeking_writes_nothing(table: EmulatedTable) -> None:
    table.open("ann", "A dragon")
    before = git(table.hub, "for-each-ref")
    assert len(table.forge.look(NOW, persist=False).pulls) == 1
    assert git(table.hub, "for-each-ref") == before
