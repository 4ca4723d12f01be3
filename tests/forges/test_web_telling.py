"""What is delivered beside our comment, checks and calls and merges; and what becomes of writes that are refused."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.core.problems import ProblemError
from folkmoot.forges.port import Answer, Call, Check, Snapshot
from folkmoot.forges.web.comments import call_key, call_written, defused, said, written
from tests.forges.emulated_table import EmulatedTable
from tests.forges.tables import WEB, on
from tests.forges.web_faults import died, late, lost, once, refused

FORGES = WEB
DAY = 86_400


def looked(table: EmulatedTable, seconds: int = 600) -> Snapshot:
    table.wait(seconds)
    return table.forge.look(table.web.now)


def seen_open(table: EmulatedTable, *titles: str) -> list[int]:
    """Open pull requests, one if no titles are given, and look; return their numbers."""
    numbers = [table.open("ann", title) for title in titles or ("A dragon",)]
    looked(table)
    return numbers


def calls(table: EmulatedTable) -> list[str]:
    return [each["body"] for each in table.web.said.values() if call_key(each["body"])]


def says_nothing_again(table: EmulatedTable, answer: Answer) -> bool:
    """Say whether an answer that was given before costs no request."""
    table.asked()
    table.forge.answer([answer])
    return table.asked() == []


def check_of(table: EmulatedTable, number: int, **fields: Any) -> Check:
    return Check(**{"commit": table.head(number), "state": "pending", "summary": "A vote is open.", **fields})


# -- checks


def test_a_check_is_shown_and_replaced(table: EmulatedTable) -> None:
    (number,) = seen_open(table)
    link = "https://games.example/7"
    answer = Answer(pull=number, text="Open.", check=check_of(table, number, link=link))
    table.forge.answer([answer])
    assert table.checks(table.head(number)) == [("folkmoot", "pending", "A vote is open.")]
    assert table.web.statuses[0]["target_url"] == link
    looked(table)
    assert says_nothing_again(table, answer)
    table.forge.answer([replace(answer, check=check_of(table, number, state="success"))])
    assert [each["state"] for each in table.web.statuses] == ["pending", "success"]


def test_a_check_leads_to_our_comment_and_is_short(table: EmulatedTable) -> None:
    (number,) = seen_open(table)
    answer = Answer(pull=number, text="Hello.", check=check_of(table, number))
    for check in (
        check_of(table, number),
        check_of(table, number, summary="One\n two " * 40),
        check_of(table, number, link="javascript:alert(1)"),
    ):
        table.forge.answer([replace(answer, check=check)])
    first, long, odd = table.web.statuses
    assert first["target_url"].endswith(f"/{number}")
    assert f"/{number}#issuecomment-{next(iter(table.web.said))}" in long["target_url"]
    assert (len(long["description"]), long["description"][-1], "\n" in long["description"]) == (140, "…", False)
    assert not odd.get("target_url")


@on("github")
def test_a_check_of_a_commit_that_is_gone_is_done_with(table: EmulatedTable) -> None:
    (number,) = seen_open(table)
    table.forge.answer([Answer(pull=number, text="Open.", check=check_of(table, number, commit="f" * 40))])
    assert table.web.statuses == []
    assert looked(table).said == {number: "Open."}


def test_neither_checks_of_others_are_read_nor_is_anybody_asked_for_who_is_not_called(table: EmulatedTable) -> None:
    (number,) = seen_open(table)
    table.web.statuses.append({"commit": table.head(number), "state": "success", "context": "folkmoot"})
    table.asked()
    looked(table)
    table.forge.answer([Answer(pull=number, text="Open.")])
    assert [each for each in table.asked() if "status" in each or "/users" in each] == []


# -- calls


def test_a_call_is_said_once_to_people_as_they_are_called_today(table: EmulatedTable) -> None:
    bob, cid = table.id_of("bob"), table.id_of("cid")
    (number,) = seen_open(table)
    table.rename("bob", "robert")
    table.web.accounts["bob"] = 7777  # somebody else took the freed name
    call = Call(key="vote-1234", people=(bob, cid, "424242", "", "x"), text="the vote is open.")
    nobody = Call(key="vote-2", people=("424242",), text="the vote is open.")
    answer = Answer(pull=number, text="Open.", calls=(call, nobody))
    for forge in (table.forge, table.another()):
        forge.look(table.web.now)
        forge.answer([answer])
    assert calls(table) == ["<!-- folkmoot:call vote-1234 -->\n@robert @cid the vote is open."]
    assert number not in looked(table).remarks
    assert says_nothing_again(table, answer)
    other = Call(key="remind-1", people=(cid,), text="a day is left.")
    table.forge.answer([replace(answer, calls=(call, other))])
    assert len(calls(table)) == 2


@pytest.mark.parametrize("what", [late, died])
def test_a_call_by_a_run_that_lost_its_answer_or_its_life_is_found(table: EmulatedTable, what: Any) -> None:
    (number,) = seen_open(table)
    answer = Answer(pull=number, text="", calls=(Call(key="vote-1", people=(table.id_of("bob"),), text="vote."),))
    table.web.faults = [once("POST", what, "/comments")]
    if what is died:
        with pytest.raises(KeyboardInterrupt):
            table.forge.answer([answer])
    else:
        table.forge.answer([answer])
    looked(table)
    table.forge.answer([answer])
    assert len(calls(table)) == 1


def test_a_call_that_somebody_deleted_is_not_repeated(table: EmulatedTable) -> None:
    (number,) = seen_open(table)
    answer = Answer(pull=number, text="", calls=(Call(key="vote-1", people=(table.id_of("bob"),), text="vote."),))
    table.forge.answer([answer])
    table.web.delete(next(iter(table.web.said)))
    looked(table)
    table.forge.answer([answer])
    assert calls(table) == []


def test_a_stranger_who_copies_the_mark_keeps_nobody_from_being_called(table: EmulatedTable) -> None:
    number = table.open("ann", "A dragon")
    name = table.comment("eve", number, call_written("vote-1", (), "all is well"))
    assert [each.id for each in looked(table).remarks[number]] == [name]
    answer = Answer(pull=number, text="", calls=(Call(key="vote-1", people=(table.id_of("bob"),), text="vote."),))
    table.web.faults = [once("POST", lost, "/comments")]
    with pytest.raises(ProblemError):  # nor is it taken for ours where nobody says whether ours was made
        table.forge.answer([answer])
    table.forge.answer([answer])
    assert len(calls(table)) == 2


def test_text_mentions_nobody_by_accident(table: EmulatedTable) -> None:
    (number,) = seen_open(table)
    text = "Bob wrote: @everyone, /@dee @org/team `@cid` to ann@x.org\n```\n@eve\n```"
    call = Call(key="vote-1", people=(table.id_of("bob"),), text="@dee says hello")
    answer = Answer(pull=number, text=text, calls=(call,))
    table.forge.answer([answer])
    ours = next(each["body"] for each in table.web.said.values() if said(each["body"]) is not None)
    assert "@" not in ours.replace("ann@x.org", "")
    assert calls(table)[0].count("@") == 1
    assert defused(defused(text)) == defused(text)
    assert looked(table).said == {number: text}
    assert says_nothing_again(table, answer)


def test_a_key_that_could_end_the_mark_is_written_as_its_digest() -> None:
    body = call_written("a --> @eve", ["ann"], "x")
    assert body.count("-->") == 1
    assert call_key(body) not in (None, "a --> @eve")


def test_in_the_games_thread_people_are_called_too(table: EmulatedTable) -> None:
    table.comment("ann", 0, "/do state text=hello")
    call = Call(key="turn-1", people=(table.id_of("bob"),), text="it is your turn.")
    for _ in range(2):
        looked(table)
        table.forge.answer([Answer(pull=0, text="Done.", settled=True, calls=(call,))])
    assert [each["number"] for each in table.web.said.values() if call_key(each["body"])] == [table.thread]


# -- issues


def test_an_issue_is_answered_called_and_closed_though_the_answer_is_lost(table: EmulatedTable) -> None:
    number = table.state("bob", "I transfer", "### One")
    looked(table)
    call = Call(key="refused-1", people=(table.id_of("bob"),), text="it was refused.")
    table.web.faults = [once("PATCH", late, f"/issues/{number}")]
    table.forge.answer([Answer(pull=number, text="Refused.", state="closed", settled=True, calls=(call,))])
    assert table.web.issues[number]["state"] == "closed"
    assert looked(table).issues == ()
    assert [said(body) for body in table.spoken(number)].count("Refused.") == 1
    table.reopen("bob", number)
    snapshot = looked(table)
    assert [(each.number, each.state) for each in snapshot.issues] == [(number, "open")]
    assert snapshot.said[number] == "Refused."


# -- merges


def adopted(table: EmulatedTable) -> tuple[int, Answer]:
    """Have a pull request merged by a push; return its number, and the answer that says so."""
    (number,) = seen_open(table)
    head = table.head(number)
    before, after = table.played((head,))
    assert table.forge.publish(before, after)
    return number, Answer(pull=number, text="Adopted.", state="merged", commit=after, head=head, settled=True)


def test_where_the_server_does_not_follow_it_is_closed_and_says_why(table: EmulatedTable) -> None:
    if table.kind == "github":
        table.web.follows = False
    else:
        table.web.settings |= {"autodetect_manual_merge": False, "allow_manual_merge": False}
    number, answer = adopted(table)
    table.forge.answer([answer])
    tells = table.kind == "gitea" and table.web.generation.tells  # the only one that tells its settings
    assert table.slept[:4] == ([] if tells else [0.5, 1.0, 2.0, 4.0])
    assert table.web.pulls[number]["state"] == "closed"
    assert not table.web.pulls[number]["merged_at"]
    assert looked(table).pulls == ()
    assert says_nothing_again(table, answer)
    later = replace(answer, text="Adopted, and somebody took back their vote.")
    for forge, given in ((table.forge, answer), (table.another(), later), (table.forge, later)):
        forge.answer([given])
        (body,) = table.spoken(number)
        assert said(body) == given.text
        assert answer.commit in body, "whoever edits it, the link stays"


@on("gitea", "forgejo", "gitea-1.15")
def test_a_pushed_merge_is_shown_as_one_after_a_while(table: EmulatedTable) -> None:
    table.web.lag = 3
    number, answer = adopted(table)
    table.forge.answer([answer])
    assert table.web.pulls[number]["merged_at"]
    assert table.slept
    assert looked(table).pulls == ()


@on("gitea", "forgejo", "gitea-1.15")
def test_where_the_server_does_not_notice_a_merge_it_is_told(table: EmulatedTable) -> None:
    """As where its database was busy when the branch was pushed: it was shown as closed, though it was adopted."""
    table.web.settings["autodetect_manual_merge"] = False
    number, answer = adopted(table)
    table.forge.answer([answer])
    pull = table.web.pulls[number]
    assert (bool(pull["merged_at"]), pull["merge_commit_sha"]) == (True, answer.commit)
    (body,) = table.spoken(number)
    assert said(body) == "Adopted."
    assert "Merged by" not in body
    assert says_nothing_again(table, answer)
    assert looked(table).pulls == ()


@on("gitea", "forgejo", "gitea-1.15")
def test_one_that_is_merged_while_we_close_it(table: EmulatedTable) -> None:
    """The server refuses to close it, and it is closed: nothing is wrong."""
    (number,) = seen_open(table)
    table.web.pulls[number] |= {"state": "closed", "merged_at": table.web.now}
    table.forge.answer([Answer(pull=number, text="No.", state="closed", settled=True)])


# -- refusals


@on("github")
def test_a_locked_conversation_is_reported_once_and_left_alone(table: EmulatedTable) -> None:
    locked, free = table.open("ann", "Locked"), table.open("bob", "Free")
    table.web.lock(locked)
    looked(table)
    answers = [Answer(pull=locked, text="Hello."), Answer(pull=free, text="Hello.")]
    with pytest.raises(ProblemError, match=f"may not do that on the forge, at #{locked}"):
        table.forge.answer(answers)
    assert looked(table).said == {free: "Hello."}
    assert says_nothing_again(table, answers[0])
    again = replace(answers[0], text="Hello again.")
    with pytest.raises(ProblemError, match=f"at #{locked}"):  # another answer is tried
        table.forge.answer([again])
    table.web.lock(locked, locked=False)
    looked(table)
    table.forge.answer([again])
    assert looked(table).said == {locked: "Hello again.", free: "Hello."}


def test_what_is_refused_is_tried_again_after_a_day(table: EmulatedTable) -> None:
    number, _ = seen_open(table, "A dragon", "Another")
    answer = Answer(pull=number, text="Hello.")
    table.web.faults = [once("POST", refused(403), f"/issues/{number}/")]
    with pytest.raises(ProblemError):
        table.forge.answer([answer])
    for seconds, many in ((600, 0), (DAY + 10, 1)):
        looked(table, seconds)
        table.forge.answer([answer])
        assert len(table.web.said) == many


def test_the_rest_of_an_answer_is_delivered(table: EmulatedTable) -> None:
    (number,) = seen_open(table)
    table.web.faults = [once("POST", refused(403), "/statuses/", 9)]
    with pytest.raises(ProblemError):
        table.forge.answer([
            Answer(pull=number, text="No.", state="closed", settled=True, check=check_of(table, number))
        ])  # fmt: skip
    assert table.web.pulls[number]["state"] == "closed"
    assert len(table.web.said) == 1
    assert looked(table).pulls == ()


def test_a_token_that_may_write_nothing_is_an_error_every_time(table: EmulatedTable) -> None:
    numbers = seen_open(table, "One", "Two", "Three")
    answers = [Answer(pull=n, text="Hello.") for n in numbers]
    table.web.faults = [once("POST", refused(403), "/comments", 99)]
    for _ in range(2):
        with pytest.raises(ProblemError) as wrong:
            table.forge.answer(answers)
        assert len(wrong.value.problems) == 3
    table.web.faults = []
    table.forge.answer(answers)
    assert len(table.web.said) == 3
    table.web.faults = [once("POST", refused(401), "/comments", 99)]
    call = Call(key="a", people=(table.id_of("bob"),), text="b")
    for _ in range(2):
        with pytest.raises(ProblemError, match="token"):
            table.forge.answer([Answer(pull=numbers[0], text="", calls=(call,))])


@pytest.mark.parametrize("key", ["", "vote-1"])
def test_what_two_referees_said_at_once_is_taken_back_once(table: EmulatedTable, key: str) -> None:
    """One looks before the other has spoken; both speak; the younger comment goes at the next look."""
    (number,) = seen_open(table)
    body = call_written(key, ("ann",), "Vote.") if key else written("Hello.")
    table.forge.answer([Answer(pull=number, text="Hello.")])
    for _ in range(2 if key else 1):
        table.web.comment(table.web.robot, number, body)
    mine = table.web.comment("ann", number, body)  # whoever copies it has spoken for themselves
    before = len(table.web.said)
    looked(table)
    assert len(table.web.said) == before - 1
    assert mine in table.web.said
    assert table.web.said[min(table.web.said)]["body"] == written("Hello.")
    table.asked()
    for _ in range(3):
        looked(table)
    assert [each for each in table.asked() if each.startswith("DELETE")] == []
