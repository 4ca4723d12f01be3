"""What is delivered beside our comment: checks, calls, answers to issues; and what becomes of writes that are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.port import Answer, Call, Check, Issue, Snapshot
from folkmoot.forges.web.comments import call_key, call_written, defused, said, written
from tests.forges.conformance import bodies, pull, remark
from tests.forges.github.emulator import TOKEN, Fault
from tests.forges.github.github_table import GitHubTable
from tests.forges.local_table import bare

DAY = 86_400


@pytest.fixture
def table(tmp_path: Path) -> GitHubTable:
    hub = bare(tmp_path)
    return GitHubTable(tmp_path, str(hub), hub)


def once(method: str, place: str, what: Callable[..., Any], times: int = 1) -> Fault:
    """Return a fault that comes between the first few times."""
    left = [times]

    def fault(request: httpx.Request, answering: Callable[[], httpx.Response]) -> httpx.Response | None:
        if request.method != method or place not in request.url.path or not left[0]:
            return None
        left[0] -= 1
        found: httpx.Response | None = what(request, answering)
        return found

    return fault


def late(request: httpx.Request, answering: Callable[[], httpx.Response]) -> httpx.Response:
    answering()
    raise httpx.ReadTimeout("late", request=request)


def die(request: httpx.Request, answering: Callable[[], httpx.Response]) -> httpx.Response:
    answering()
    raise KeyboardInterrupt


def no(status: int) -> Callable[..., httpx.Response]:
    return lambda *_: httpx.Response(status, json={"message": "no"})


def looked(table: GitHubTable, seconds: int = 600) -> Snapshot:
    """Let time pass, and look."""
    table.github.now += seconds
    return table.forge.look(table.github.now)


def calls(table: GitHubTable) -> list[str]:
    """Return the calls that were made."""
    return [each["body"] for each in table.github.said.values() if call_key(each["body"])]


def issue(snapshot: Snapshot, number: int) -> Issue:
    (found,) = [each for each in snapshot.issues if each.number == number]
    return found


# -- checks


def a_check(table: GitHubTable, number: int, **fields: Any) -> Check:
    return Check(**{"commit": table.head(number), "state": "pending", "summary": "A vote is open.", **fields})


def test_a_check_is_shown_once(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    looked(table)
    answer = Answer(pull=number, text="Open.", check=a_check(table, number, link="https://games.example/7"))
    table.forge.answer([answer])
    (shown,) = table.github.statuses
    assert shown == {
        "commit": table.head(number),
        "state": "pending",
        "context": "folkmoot",
        "description": "A vote is open.",
        "target_url": "https://games.example/7",
    }
    looked(table)
    table.asked()
    table.forge.answer([answer])
    assert table.asked() == []
    table.forge.answer([Answer(pull=number, text="Open.", check=a_check(table, number, state="success"))])
    assert [each["state"] for each in table.github.statuses] == ["pending", "success"]


def test_a_check_leads_to_our_comment_and_is_short(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    looked(table)
    table.forge.answer([Answer(pull=number, text="Hello.", check=a_check(table, number))])
    assert table.github.statuses[0]["target_url"] == f"https://github.example/{number}"
    long = a_check(table, number, summary="One\n two " * 40)
    table.forge.answer([Answer(pull=number, text="Hello.", check=long)])
    assert table.github.statuses[1]["target_url"] == f"https://github.example/{number}#issuecomment-100"
    description = table.github.statuses[1]["description"]
    assert (len(description), description[-1]) == (140, "…")
    assert "\n" not in description
    table.forge.answer([Answer(pull=number, text="Hello.", check=a_check(table, number, link="javascript:alert(1)"))])
    assert table.github.statuses[2]["target_url"] is None


def test_a_check_whose_answer_is_lost_is_asked_for(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    looked(table)
    table.github.faults = [once("POST", "/statuses/", late)]
    table.forge.answer([Answer(pull=number, text="Open.", check=a_check(table, number))])
    assert len(table.github.statuses) == 1
    assert len(table.github.said) == 1


def test_a_check_of_a_commit_that_is_gone_is_done_with(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    looked(table)
    table.forge.answer([Answer(pull=number, text="Open.", check=a_check(table, number, commit="f" * 40))])
    assert table.github.statuses == []
    assert looked(table).said == {number: "Open."}


def test_checks_of_others_are_never_read(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    table.github.statuses.append({"commit": table.head(number), "state": "success", "context": "folkmoot"})
    table.asked()
    looked(table)
    assert not any("status" in each for each in table.asked())


# -- calls


def test_a_call_is_made_once_by_todays_names(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    bob, cid = table.id_of("bob"), table.id_of("cid")
    looked(table)
    table.github.accounts["robert"] = table.github.accounts.pop("bob")
    table.github.accounts["bob"] = 7777  # somebody else took the freed name
    call = Call(key="vote-1234", people=(bob, cid), text="the vote is open.")
    table.forge.answer([Answer(pull=number, text="Open.", calls=(call,))])
    assert calls(table) == ["<!-- folkmoot:call vote-1234 -->\n@robert @cid the vote is open."]
    for _ in range(2):
        snapshot = looked(table)
        table.asked()
        table.forge.answer([Answer(pull=number, text="Open.", calls=(call,))])
        assert table.asked() == []
    assert number not in snapshot.remarks
    other = Call(key="remind-1", people=(cid,), text="a day is left.")
    table.forge.answer([Answer(pull=number, text="Open.", calls=(call, other))])
    assert len(calls(table)) == 2


def test_who_has_gone_is_not_called(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    bob, cid = table.id_of("bob"), table.id_of("cid")
    looked(table)
    del table.github.accounts["bob"]
    some = Call(key="vote-1", people=(bob, cid, "", "x"), text="vote.")
    nobody = Call(key="vote-2", people=(bob,), text="vote.")
    table.forge.answer([Answer(pull=number, text="Open.", calls=(some, nobody))])
    assert calls(table) == ["<!-- folkmoot:call vote-1 -->\n@cid vote."]
    looked(table)
    table.asked()
    table.forge.answer([Answer(pull=number, text="Open.", calls=(some, nobody))])
    assert table.asked() == []


def test_nobody_is_asked_who_is_not_called(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    looked(table)
    table.asked()
    table.forge.answer([Answer(pull=number, text="Open.")])
    assert not any("/user" in each for each in table.asked())


@pytest.mark.parametrize("what", [late, die])
def test_a_call_by_a_run_that_lost_its_answer_or_its_life_is_found(table: GitHubTable, what: Any) -> None:
    number = table.open("ann", "A dragon")
    answer = Answer(pull=number, text="", calls=(Call(key="vote-1", people=(table.id_of("bob"),), text="vote."),))
    looked(table)
    table.github.faults = [once("POST", "/comments", what)]
    if what is die:
        with pytest.raises(KeyboardInterrupt):
            table.forge.answer([answer])
    else:
        table.forge.answer([answer])
    looked(table)
    table.forge.answer([answer])
    assert len(calls(table)) == 1


def test_a_call_that_somebody_deleted_is_not_repeated(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    answer = Answer(pull=number, text="", calls=(Call(key="vote-1", people=(table.id_of("bob"),), text="vote."),))
    looked(table)
    table.forge.answer([answer])
    table.github.delete(next(iter(table.github.said)))
    looked(table)
    table.forge.answer([answer])
    assert calls(table) == []


def test_a_stranger_who_copies_the_mark_keeps_nobody_from_being_called(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    name = table.comment("eve", number, call_written("vote-1", (), "all is well"))
    snapshot = looked(table)
    assert [each.id for each in snapshot.remarks[number]] == [name]
    table.forge.answer(
        [Answer(pull=number, text="", calls=(Call(key="vote-1", people=(table.id_of("bob"),), text="vote."),))]
    )
    assert len(calls(table)) == 2


def test_text_mentions_nobody_by_accident(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    looked(table)
    text = "Bob wrote: @everyone, /@dee @org/team `@cid` to ann@x.org\n```\n@eve\n```"
    call = Call(key="vote-1", people=(table.id_of("bob"),), text="@dee says hello")
    table.forge.answer([Answer(pull=number, text=text, calls=(call,))])
    ours = next(each["body"] for each in table.github.said.values() if said(each["body"]) is not None)
    assert "@" not in ours.replace("ann@x.org", "")
    assert calls(table)[0].count("@") == 1
    assert defused(defused(text)) == defused(text)
    assert looked(table).said == {number: text}  # and it is not sent again
    table.asked()
    table.forge.answer([Answer(pull=number, text=text, calls=(call,))])
    assert table.asked() == []


def test_a_key_that_could_end_the_mark_is_written_as_its_digest() -> None:
    body = call_written("a --> @eve", ["ann"], "x")
    assert body.count("-->") == 1
    assert call_key(body) not in (None, "a --> @eve")


def test_in_the_games_thread_too(table: GitHubTable) -> None:
    table.comment("ann", 0, "/do state text=hello")
    looked(table)
    call = Call(key="turn-1", people=(table.id_of("bob"),), text="it is your turn.")
    table.forge.answer([Answer(pull=0, text="Done.", settled=True, calls=(call,))])
    looked(table)
    table.forge.answer([Answer(pull=0, text="Done.", settled=True, calls=(call,))])
    assert [each["number"] for each in table.github.said.values() if call_key(each["body"])] == [table.thread]


# -- issues


def test_a_labelled_issue_is_a_statement(table: GitHubTable) -> None:
    other = table.github.open_issue("eve", "A bug", ("bug",), "It is broken.")
    number = table.github.open_issue("bob", "I transfer", ("game", "form"), "### Action\r\n\r\ntransfer\r\n")
    stamp = table.github.now
    comment = table.comment("cid", number, "Really?")
    snapshot = looked(table)
    assert [each.number for each in snapshot.issues] == [number]
    seen = issue(snapshot, number)
    assert (seen.title, seen.state, seen.author.id) == ("I transfer", "open", table.id_of("bob"))
    assert (seen.labels, seen.link, seen.opened_at) == (("form", "game"), f"https://github.example/{number}", stamp)
    own, talk = snapshot.remarks[number]
    assert (own.id, own.kind, own.body, own.pull) == (
        f"i{9000 + number}",
        "comment",
        "### Action\n\ntransfer\n",
        number,
    )
    assert (own.author.id, talk.id) == (table.id_of("bob"), comment)
    assert own.order < talk.order
    assert other not in snapshot.remarks


def test_the_text_of_an_issue_that_nobody_touched_is_as_old_as_the_issue(table: GitHubTable) -> None:
    number = table.github.open_issue("bob", "I transfer", ("game",), "### Action")
    opened = table.github.now
    snapshot = looked(table)
    assert snapshot.remarks[number][0].at == opened
    table.github.now += 100
    table.github.rewrite(number, "### Another")
    own = looked(table).remarks[number][0]
    assert (own.body, own.edited, own.at) == ("### Action", True, opened)


def test_a_text_changed_before_it_was_seen_is_as_old_as_the_change(table: GitHubTable) -> None:
    number = table.github.open_issue("bob", "I transfer", ("game",), "### One")
    table.github.now += 500
    table.github.rewrite(number, "### Two")
    changed = table.github.now
    own = looked(table).remarks[number][0]
    assert (own.body, own.at) == ("### Two", changed)


def test_before_the_label_it_was_no_statement(table: GitHubTable) -> None:
    number = table.github.open_issue("bob", "I transfer", (), "### One")
    table.comment("cid", number, "/do state text=early")
    looked(table)
    table.github.now += 500
    table.github.label(number, "game")
    labelled = table.github.now
    snapshot = looked(table)
    assert issue(snapshot, number).opened_at == labelled
    assert [each.at for each in snapshot.remarks[number]] == [labelled, labelled]
    table.github.label(number)
    assert looked(table).issues == ()
    table.github.label(number, "game")
    assert [each.number for each in looked(table).issues] == [number]


def test_an_issue_is_answered_called_and_closed(table: GitHubTable) -> None:
    number = table.github.open_issue("bob", "I transfer", ("game",), "### One")
    looked(table)
    call = Call(key="refused-1", people=(table.id_of("bob"),), text="it was refused.")
    answer = Answer(pull=number, text="Refused.", state="closed", settled=True, calls=(call,))
    table.github.faults = [once("PATCH", f"/issues/{number}", late)]
    table.forge.answer([answer])
    assert table.github.issues[number]["state"] == "closed"
    assert looked(table).issues == ()
    assert [said(each["body"]) for each in table.github.said.values()].count("Refused.") == 1
    table.github.reopen("bob", number)
    snapshot = looked(table)
    assert issue(snapshot, number).state == "open"
    assert snapshot.said[number] == "Refused."
    table.comment("bob", number, "But!")
    assert bodies(looked(table), number) == ["### One", "But!"]


def test_an_issue_that_was_deleted_or_moved_is_over(table: GitHubTable) -> None:
    first = table.github.open_issue("bob", "One", ("game",), "### One")
    second = table.github.open_issue("bob", "Two", ("game",), "### Two")
    looked(table)
    table.comment("cid", second, "Hm.")
    table.github.issues[second]["repository"] = "moot/elsewhere"
    snapshot = looked(table)
    assert issue(snapshot, second).state == "closed"
    assert all(each.deleted for each in snapshot.remarks[second])
    del table.github.issues[first]
    for _ in range(2):  # nothing tells of a deletion but the refusal to answer
        looked(table)
        try:
            table.forge.answer([Answer(pull=first, text="Refused.", state="closed", settled=True)])
        except ProblemError as error:
            assert f"at #{first}" in str(error)  # noqa: PT017
    assert first not in [each.number for each in looked(table).issues]


def test_an_issue_in_a_renamed_repository_is_still_ours(table: GitHubTable) -> None:
    number = table.github.open_issue("bob", "One", ("game",), "### One")
    table.github.full_name = "moot/renamed"
    snapshot = looked(table)
    table.comment("cid", number, "Hm.")
    snapshot = looked(table)
    assert issue(snapshot, number).state == "open"
    assert bodies(snapshot, number) == ["### One", "Hm."]


def test_no_form_and_no_robot_makes_the_thread(tmp_path: Path) -> None:
    hub = bare(tmp_path)
    table = GitHubTable(tmp_path, str(hub), hub)
    table.github.issues[table.thread]["labels"] = ()
    table.github.open_issue("bob", "Form", ("game",), "### Action\n\njoin")
    table.github.open_issue("welcome[bot]", "Welcome", ("game",), "Hello.")
    thread = table.github.open_issue("ann", "Talk", ("game",), "Here we talk.")
    table.github.comment("ann", thread, "Hello.")
    snapshot = looked(table)
    assert bodies(snapshot, 0) == ["Hello."]
    assert len(snapshot.issues) == 2


def test_deleted_accounts_and_empty_texts_in_issues(table: GitHubTable) -> None:
    number = table.github.open_issue(None, "Nothing", ("game",))
    snapshot = looked(table)
    assert (issue(snapshot, number).author.id, snapshot.remarks[number][0].body) == ("", "")


def test_labels_of_pull_requests(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    assert pull(looked(table), number).labels == ()
    table.github.label(number, "wip", "fun")
    assert pull(looked(table), number).labels == ("fun", "wip")
    table.github.label(number)
    assert pull(looked(table), number).labels == ()


# -- comments on lines


def test_comments_on_lines_are_talk(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    review = table.github.review("bob", number, "COMMENTED")
    name = table.github.line("bob", review, "/do state text=hello")
    snapshot = looked(table)
    (seen,) = snapshot.remarks[number]
    assert (seen.id, seen.kind, seen.body) == (f"l{name}", "comment", "/do state text=hello")
    table.comment("cid", number, "Hm.")
    table.github.lines[name]["body"] = "/do state text=bye"
    seen = remark(looked(table), number, f"l{name}")
    assert (seen.body, seen.edited) == ("/do state text=hello", True)
    del table.github.lines[name]
    table.comment("cid", number, "Hm again.")
    assert remark(looked(table), number, f"l{name}").deleted


def test_no_comments_on_lines_are_asked_for_without_reviews(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    table.comment("bob", number, "Hm.")
    table.asked()
    looked(table)
    assert f"GET /pulls/{number}/comments" not in table.asked()


# -- refusals


def test_a_locked_conversation_is_reported_once_and_left_alone(table: GitHubTable) -> None:
    locked, free = table.open("ann", "Locked"), table.open("bob", "Free")
    table.github.lock(locked)
    looked(table)
    answers = [Answer(pull=locked, text="Hello."), Answer(pull=free, text="Hello.")]
    with pytest.raises(ProblemError, match=f"may not do that on the forge, at #{locked}"):
        table.forge.answer(answers)
    assert looked(table).said == {free: "Hello."}
    table.asked()
    table.forge.answer(answers)
    assert table.asked() == []
    with pytest.raises(ProblemError, match=f"at #{locked}"):  # another answer is tried
        table.forge.answer([Answer(pull=locked, text="Hello again.")])
    table.github.lock(locked, locked=False)
    looked(table)
    table.forge.answer([Answer(pull=locked, text="Hello again.")])
    assert looked(table).said == {locked: "Hello again.", free: "Hello."}


def test_what_is_refused_is_tried_again_after_a_day(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    table.open("bob", "Another")
    looked(table)
    table.github.faults = [once("POST", f"/issues/{number}/", no(403))]
    with pytest.raises(ProblemError):
        table.forge.answer([Answer(pull=number, text="Hello.")])
    looked(table)
    table.forge.answer([Answer(pull=number, text="Hello.")])
    assert table.github.said == {}
    looked(table, DAY + 10)
    table.forge.answer([Answer(pull=number, text="Hello.")])
    assert len(table.github.said) == 1


def test_the_rest_of_an_answer_is_delivered(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    looked(table)
    table.github.faults = [once("POST", "/statuses/", no(403), 9)]
    answer = Answer(pull=number, text="No.", state="closed", settled=True, check=a_check(table, number))
    with pytest.raises(ProblemError):
        table.forge.answer([answer])
    assert table.github.pulls[number]["state"] == "closed"
    assert len(table.github.said) == 1
    assert looked(table).pulls == ()


def test_a_token_that_may_write_nothing_is_an_error_every_time(table: GitHubTable) -> None:
    numbers = [table.open("ann", f"No. {n}") for n in range(3)]
    answers = [Answer(pull=n, text="Hello.") for n in numbers]
    looked(table)
    table.github.faults = [once("POST", "/comments", no(403), 99)]
    for _ in range(2):
        with pytest.raises(ProblemError) as refused:
            table.forge.answer(answers)
        assert len(refused.value.problems) == 3
    table.github.faults = []
    table.forge.answer(answers)
    assert len(table.github.said) == 3
    table.github.faults = [once("POST", "/comments", no(401), 99)]
    for _ in range(2):
        with pytest.raises(ProblemError, match="token"):
            table.forge.answer([Answer(pull=numbers[0], text="", calls=(Call(key="a", people=(), text="b"),))])


def test_one_that_always_times_out_starves_nobody(table: GitHubTable) -> None:
    first, second = table.open("ann", "One"), table.open("bob", "Two")
    looked(table)

    def hangs(request: httpx.Request, answering: Any) -> httpx.Response:
        raise httpx.ReadTimeout("late", request=request)

    table.github.faults = [once("POST", f"/issues/{first}/", hangs, 99)]
    with pytest.raises(ProblemError, match=f"#{first}"):
        table.forge.answer([Answer(pull=first, text="Hello."), Answer(pull=second, text="Hello.")])
    assert looked(table).said == {second: "Hello."}


def test_secondary_limits_in_the_middle_are_waited_for(table: GitHubTable) -> None:
    numbers = [table.open("ann", f"No. {n}") for n in range(3)]
    looked(table)
    limit = httpx.Response(403, headers={"Retry-After": "30"}, json={"message": "secondary rate limit"})
    table.github.faults = [once("POST", f"/issues/{numbers[1]}/", lambda *_: limit)]
    table.forge.answer([Answer(pull=n, text="Hello.") for n in numbers])
    assert 30 in table.slept
    assert len(table.github.said) == 3


def test_no_secret_is_said(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    looked(table)
    table.forge.answer([Answer(pull=number, text="Open.", check=a_check(table, number))])
    told = str(table.github.said) + str(table.github.statuses) + written("Open.")
    assert TOKEN not in told


@pytest.mark.parametrize("key", ["", "vote-1"])
def test_what_two_referees_said_at_once_is_taken_back_once(table: GitHubTable, key: str) -> None:
    """One looks before the other has spoken; both speak; the younger comment goes at the next run."""
    number = table.open("ann", "One")
    looked(table)
    body = call_written(key, ("ann",), "Vote.") if key else written("Hello.")
    table.forge.answer([Answer(pull=number, text="Hello.")])
    table.github.comment(table.github.robot, number, body)
    if key:
        table.github.comment(table.github.robot, number, body)
    mine = table.github.comment("ann", number, body)  # whoever copies it has spoken for themselves
    before = len(table.github.said)
    looked(table)
    table.forge.answer([])
    assert len(table.github.said) == before - 1
    assert mine in table.github.said
    assert table.github.said[min(table.github.said)]["body"] == written("Hello.")
    table.asked()
    for _ in range(3):
        looked(table)
        table.forge.answer([])
    assert not [each for each in table.asked() if each.startswith("DELETE")]
