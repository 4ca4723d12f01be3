"""Statements made without git, as issues of a forge: what is recorded of them, what is answered, when they are over."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.issue_table import Table, act, form
from tests.support.issues import WithIssues
from tests.support.meeting import Meeting
from tests.support.quick import suber


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def change(kind: str, rule: str = "", title: str = "", text: str = "", script: str = "") -> str:
    """Return a rule-change as a forge hands it on."""
    fenced = [f"```{kind_}\n{value}\n```" if value else "" for kind_, value in (("markdown", text), ("python", script))]
    values = {"Rule-change": kind, "Rule": rule, "Status": "", "Title of the rule": title}
    return form(**values, Text=fenced[0], Script=fenced[1], Requests="")


def test_plain_words_are_a_statement_and_the_issue_is_over(table: Table) -> None:
    number = table.state("bob", "Tea is a drink.", "About tea")
    last = table.last()
    assert (last["by"], last["do"], last["with"]) == ("bob", "state", {"text": "About tea\n\nTea is a drink."})
    assert last["via"] == {"forge": "local", "issue": number, "fact": f"i{number}", "arrived": last["via"]["arrived"]}
    assert not table.is_open(number)
    assert "settled" in table.told(number)
    assert table.referee(60).entries == 0
    assert table.sound()


def test_what_is_recorded_of_an_issue_is_kept_with_the_game(table: Table) -> None:
    number = table.state("bob", "Tea is a drink.")
    document = table.document(f"issues/local/500/{number}")
    assert document == {"facts": {f"i{number}": 2}}


@pytest.mark.parametrize(
    "text",
    ["a\tb", "nul \x00 and \x1b[31m", "feed \x0c and \x85 and \u2028 and \x1c end", "\ufeff\u202e\u200b\u2066", "a\rb",
     "\U0001f409 \ufdd0 \uffff", "---\n- yaml: &a *a\n...", "x" * 59_000, "'\"\\ : #", "\ud83d lone"],
)  # fmt: skip
def test_any_words_are_recorded_as_they_are(table: Table, text: str) -> None:
    number = table.state("bob", text, "Odd words")
    assert table.last()["with"]["text"] == f"Odd words\n\n{text}".strip().replace("\ud83d", "?")
    assert not table.is_open(number)
    assert table.sound()


def test_a_question_stays_open_for_answers(table: Table) -> None:
    number = table.state("bob", "Is coffee tea?")
    assert table.last()["do"] == "state"
    assert table.is_open(number)
    assert "stays open" in table.told(number)
    said = table.told(number).partition("\n")[2]
    table.below("cid", number, "I think not.")
    assert table.last()["do"] == "state", "talk below it is not recorded"
    assert table.is_open(number)
    assert table.told(number).partition("\n")[2] == said
    table.issues.close_by_hand(number)
    table.referee(60)
    assert not table.is_open(number)


def test_commands_are_acts(table: Table) -> None:
    table.document("things/player")
    number = table.state("bob", "Please:\n\n/do state text=hello\n/do mvoe to=c4")
    assert [entry["do"] for entry in table.journal()[1:]] == ["state"]
    assert table.last()["via"]["fact"] == f"i{number}/3"
    assert "there is no action mvoe" in table.told(number)
    assert not table.is_open(number)


def test_a_refusal_is_shown_and_settles(table: Table) -> None:
    number = table.state("bob", act("give", "to: cid\namount: 5"))
    assert table.last()["code"] == "E-FUNDS"
    assert "E-FUNDS" in table.told(number)
    assert not table.is_open(number)


def test_what_a_form_cannot_mean_is_answered_and_not_recorded(table: Table) -> None:
    number = table.state("bob", act("giev", "to: cid"))
    assert len(table.journal()) == 1
    assert "did you mean give?" in table.told(number)
    assert table.is_open(number)
    table.below("bob", number, "/do give to=cid amount=0")
    assert table.last()["do"] == "give"
    assert not table.is_open(number)


def test_nothing_in_a_form_is_a_command(table: Table) -> None:
    table.state("bob", form(What_this_is="A statement, for the record", Text="I said\n\n/do leave\n\n### Text\n\nx"))
    assert table.last()["with"] == {"text": "I said\n\n/do leave\n\n### Text\n\nx"}
    assert "bob" in table.document("roster")


def test_a_form_asks_a_question(table: Table) -> None:
    number = table.state("bob", form(What_this_is="A question, left open for answers", Text="Whose turn is it"))
    assert table.last()["with"] == {"text": "Whose turn is it"}
    assert table.is_open(number)


def test_a_proposal_by_form_is_voted_on_in_its_issue(table: Table) -> None:
    number = table.state("ann", change("Enact a new rule", title="Dragon", text="There is a dragon."), "A dragon")
    proposal = table.proposal(301)
    assert (proposal["title"], proposal["author"], proposal["state"]) == ("A dragon", "ann", "open")
    assert proposal["changes"][0]["parts"] == {"title": "Dragon", "text": "There is a dragon.\n"}
    assert table.is_open(number)
    assert "There is a dragon." in table.told(number)
    table.below("bob", number, "/vote for because I like dragons")
    table.below("cid", number, "/vote for")
    table.below("dee", number, "/vote against")
    assert table.ballots() == {"bob": "for", "cid": "for", "dee": "against"}
    assert table.is_open(number)
    table.below("ann", number, "I agree.\n\n/vote for")
    assert table.proposal(301)["outcome"] == "adopted"
    assert not table.is_open(number)
    assert "adopted" in table.told(number)
    assert table.document("rules/301")["text"] == "There is a dragon.\n"
    assert table.sound()


def test_a_vote_in_an_issue_means_the_proposal_that_it_made(table: Table) -> None:
    first = table.state("ann", change("Enact a new rule", title="One", text="One."))
    second = table.state("bob", change("Enact a new rule", title="Two", text="Two."))
    table.below("cid", second, "/vote for")
    table.below("dee", second, "/vote against proposal=301")
    assert table.ballots(302) == {"cid": "for"}
    assert table.ballots(301) == {"dee": "against"}
    assert table.is_open(first)


def test_a_vote_below_an_issue_that_proposed_nothing_is_nobodys(table: Table) -> None:
    table.propose("ann")
    table.referee()
    number = table.state("ann", change("Repeal a rule", rule="999"))
    assert table.last()["code"] == "E-NO-SUCH"
    table.below("bob", number, "/vote for")
    assert table.ballots() == {}
    assert "name the one that is meant" in table.told(number)


def test_a_vote_may_be_an_issue(table: Table) -> None:
    table.propose("ann")
    table.referee()
    number = table.state("bob", "/vote for", "My vote")
    assert table.ballots() == {"bob": "for"}
    assert not table.is_open(number)
    table.state("cid", act("vote", "choice: against\nproposal: 301"))
    assert table.ballots() == {"bob": "for", "cid": "against"}


def test_amending_and_repealing_by_form(table: Table) -> None:
    table.state("ann", change("Amend a rule", rule="rule 2", text="Points.", title=""))
    table.state("ann", change("Repeal a rule", rule="3"))
    amended, repealed = table.proposal(301)["changes"], table.proposal(302)["changes"]
    assert (amended[0]["kind"], amended[0]["rule"], amended[0]["parts"]) == ("amend", "2", {"text": "Points.\n"})
    assert (repealed[0]["kind"], repealed[0]["rule"]) == ("repeal", "3")


def test_a_stranger_joins_by_form(table: Table) -> None:
    table.state("zed", form(Short_name="zed", Full_name="Zed Zhou", More_about_you=""))
    assert table.last()["do"] == "join"
    assert table.document("roster")["zed"]["handles"]["local"]["id"] == "zed@x.org"


@pytest.mark.threat("T-40")
def test_a_stranger_is_answered(table: Table) -> None:
    number = table.state("zed", "I state that I am nobody.")
    assert len(table.journal()) == 1
    assert "no player of this game" in table.told(number)
    assert table.is_open(number)


def test_robots_are_not_heard(table: Table) -> None:
    number = table.state("bob", "/do state text=x", robot=True)
    assert len(table.journal()) == 1
    assert table.told(number) == ""


def test_a_rule_is_shown_and_nothing_recorded(table: Table) -> None:
    number = table.state("bob", "Hm?")
    entries = len(table.journal())
    table.below("zed", number, "/rule 1")
    assert len(table.journal()) == entries
    assert "**rule 1**" in table.told(number)


def test_several_games_are_told_apart(tmp_path: Path) -> None:
    table = Table(tmp_path, games=("moor", "fen"))
    stray = table.state("bob", "Hello.")
    assert "`fen`, `moor`" in table.told(stray)
    assert [len(table.journal(name)) for name in ("moor", "fen")] == [1, 1]
    table.below("dee", stray, "/game fen")
    assert len(table.journal("fen")) == 1, "nobody leads what others say to a game"
    table.below("bob", stray, "/game fne")
    assert "Did you mean `fen`?" in table.told(stray)
    table.below("bob", stray, "/game fen")
    assert [len(table.journal(name)) for name in ("moor", "fen")] == [1, 2]
    assert table.journal("fen")[-1]["with"] == {"text": "Hello."}
    table.state("cid", "/game moor\n/do state text=hi")
    table.state("dee", form(Game="moor", What_this_is="A statement, for the record", Text="Ho."))
    assert [entry["by"] for entry in table.journal("moor")[1:]] == ["cid", "dee"]
    assert table.referee(60).entries == 0


def test_a_killed_run_records_nothing_twice(table: Table) -> None:
    number = table.issues.open("bob", "Tea is a drink.", table.now)
    kept = table.issues.kept[number]
    table.referee(60)
    kept.said, kept.acknowledged = "", 0
    table.issues.close_by_hand(number, "open")
    assert table.referee(60).entries == 0
    assert not table.is_open(number)
    assert "settled" in table.told(number)


def test_issues_in_subers_game(tmp_path: Path) -> None:
    table = Table(tmp_path, law=suber())
    number = table.state("ann", change("Enact a new rule", title="Tea", text="There is tea."), "Tea for all")
    assert table.proposal(301)["state"] == "pending"
    table.below("bob", number, "/vote for")
    assert "Waits" in table.told(number)
    table.state("ann", act("finalise"))
    assert table.ballots() == {"bob": "for"}
    for person in ("ann", "cid", "dee"):
        table.below(person, number, "/vote for")
    assert table.proposal(301)["outcome"] == "adopted"
    assert not table.is_open(number)
    ruling = "invoke_judgment: Insist on a disagreement, so that the Judge must settle it"
    table.state("bob", form(What_this_is=ruling, Text="Is tea a rule?"))
    assert (table.last()["do"], table.last()["with"]) == ("invoke_judgment", {"question": "Is tea a rule?"})
    assert table.sound()


def test_an_issue_is_judged_behind_walls_as_well(meeting: Meeting) -> None:
    forge = WithIssues(meeting.forge)
    body = change("Enact a new rule", title="Tea", text="### Text\n\nThere is tea.")
    number = forge.open("ann", body, meeting.now, "Tea for all")
    meeting.referee(60, forge=forge)
    proposal = meeting.document("proposals/300/301")
    assert proposal["via"]["issue"] == number
    assert proposal["changes"][0]["parts"]["text"] == "### Text\n\nThere is tea.\n"
    forge.comment("ann", number, "/do finalise", meeting.now)
    forge.comment("bob", number, "/vote for", meeting.now)
    meeting.referee(60, forge=forge)
    assert meeting.document("proposals/300/301")["state"] == "open"
    assert "There is tea." in forge.kept[number].said
    assert meeting.referee(60, forge=forge).entries == 0
