"""Statements made without git, as issues of a forge: what is recorded of them, what is answered, when they are over."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.port import Person, Remark
from folkmoot.referee.markdown import written
from folkmoot.referee.outbox import astray_of, which_game
from tests.support.issues import Table, act, form
from tests.support.quick import FORGE, QuickMeeting


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


def test_any_words_are_recorded_as_they_are(table: Table) -> None:
    for text in ("a\tb", "nul \x00 and \x1b[31m", "feed \x0c and \x85 and \u2028 and \x1c end", "\ufeff\u202e\u200b\u2066", "a\rb",
                 "\U0001f409 \ufdd0 \uffff", "---\n- yaml: &a *a\n...", "x" * 59_000, "'\"\\ : #", "\ud83d lone"):  # fmt: skip
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


def test_commands_and_forms_are_acts_whose_refusal_is_shown(table: Table) -> None:
    number = table.state("bob", "Please:\n\n/do state text=hello\n/do mvoe to=c4")
    assert [entry["do"] for entry in table.journal()[1:]] == ["state"]
    assert table.last()["via"]["fact"] == f"i{number}/3"
    assert "there is no action mvoe" in table.told(number)
    assert not table.is_open(number)
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


def test_a_form_states_or_asks_and_nothing_in_it_is_a_command(table: Table) -> None:
    table.state("bob", form(What_this_is="A statement, for the record", Text="I said\n\n/do leave\n\n### More\n\nx"))
    assert table.last()["with"] == {"text": "I said\n\n/do leave\n\n### More\n\nx"}
    assert "bob" in table.document("roster")
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
    assert not table.is_open(table.state("bob", "/vote for", "My vote"))
    table.state("cid", act("vote", "choice: against\nproposal: 301"))
    assert table.ballots() == {"bob": "for", "cid": "against"}


def test_strangers_are_answered_and_join_by_form_and_robots_are_not_heard(table: Table) -> None:
    silent = table.state("bob", "/do state text=x", robot=True)
    number = table.state("zed", "I state that I am nobody.")
    assert len(table.journal()) == 1
    assert table.told(silent) == ""
    assert "no player of this game" in table.told(number)
    assert table.is_open(number)
    table.below("zed", number, "/rule 1")
    assert len(table.journal()) == 1
    assert "**rule 1**" in table.told(number)
    table.state("zed", form(Short_name="zed", Full_name="Zed Zhou", More_about_you=""))
    assert table.last()["do"] == "join"
    assert table.document("roster")["zed"]["handles"]["local"]["id"] == "zed@x.org"


def test_several_games_are_told_apart(tmp_path: Path) -> None:
    table = Table(tmp_path, games=("moor", "fen"))
    stray = table.state("bob", "Hello.")
    assert "`fen`, `moor`" in table.told(stray)
    assert [len(table.journal(name)) for name in ("moor", "fen")] == [1, 1]
    table.below("dee", stray, "/game fen")
    assert len(table.journal("fen")) == 1, "nobody leads what others say to a game"
    table.below("bob", stray, "/game fne")
    assert "There is no game `fne` here" in table.told(stray)
    table.below("bob", stray, "/game fen")
    assert [len(table.journal(name)) for name in ("moor", "fen")] == [1, 2]
    assert table.journal("fen")[-1]["with"] == {"text": "Hello."}
    table.state("cid", "/game moor\n/do state text=hi")
    table.state("dee", form(Game="moor", What_this_is="A statement, for the record", Text="Ho."))
    assert [entry["by"] for entry in table.journal("moor")[1:]] == ["cid", "dee"]
    assert table.referee(60).entries == 0


# -- where no game is meant


WHICH = "say in the games' own thread to which game, by a line such as /game fen; played are fen, moor"


@pytest.fixture
def two(tmp_path: Path) -> QuickMeeting:
    return QuickMeeting(tmp_path, games=("fen", "moor"))


def test_on_a_pull_request_of_no_game(two: QuickMeeting) -> None:
    """Open, of other files; then closed, and said anew; each person once, however much they say."""
    pull = two.pull(two.change("cid", {"engine/x.py": b"x"}))
    two.say("ann", pull, "Nice.")
    two.say("bob", pull, "/vote for\n/state x")
    two.say("bob", pull, "/vote against")
    two.say("eve", pull, "/help")
    two.referee(60)
    said = two.said(pull).replace("\\", "")
    assert WHICH in said
    assert "from bob (`/vote and 2 more`), Eve (`/help`): this pull request is of no game" in said
    assert "ann (`" not in said
    assert "This changes no game" in said
    (kept,) = ForgeCache(two.repo, two.tip(FORGE)).answers("bob@x.org")
    why = f"this pull request is of no game; {WHICH}"
    assert (kept.place, kept.what, kept.why) == (f"pull {pull}", "/vote and 2 more", why)
    assert two.referee(0).answers == 0
    two.say("cid", pull, "", "close")
    two.referee(60)
    two.say("dee", pull, "/propose")
    two.referee(60)
    assert "dee (`/propose`)" in two.said(pull)
    assert two.said(pull).count("What is said here to a game") == 1
    assert two.referee(0).answers == 0
    assert len(two.journal("fen")) == len(two.journal("moor")) == 1


def test_on_one_that_cannot_be_read_or_is_closed_at_once(two: QuickMeeting) -> None:
    broken = two.pull(two.change("cid", {"state/fen/rules/x.yaml": b"title: [\n"}))
    closed = two.pull(two.change("cid", {"engine/x.py": b"x"}))
    for pull in (broken, closed):
        two.referee(0)
        two.say("bob", pull, "/vote for")
    two.say("cid", closed, "", "close")
    two.referee(60)
    assert "bob (`/vote`): nothing here is judged while its files cannot be taken" in two.said(broken)
    assert "What is wrong with it" in two.said(broken)
    assert "bob (`/vote`)" in two.said(closed)


def test_in_the_thread(two: QuickMeeting) -> None:
    for body in ("/vote for", "/state x", "/game bog\n/state y"):
        two.say("bob", 0, body)
    two.say("ann", 0, "Good morning.")
    two.referee(60)
    said = two.said(0).replace("\\", "")
    assert f"bob, /state and 2 more: {WHICH}" in said
    assert said.count("bob") == 1
    assert "ann, " not in said


def test_below_what_a_robot_opened(tmp_path: Path) -> None:
    """What people say there is answered, and not passed over with what the robot says."""
    table = Table(tmp_path, games=("fen", "moor"))
    silent, talked = (table.state("bot", body, robot=True) for body in ("/vote for", "Weekly report"))
    table.below("bob", talked, "/vote for")
    assert "Which game?" in table.told(talked)
    assert not table.told(silent)


def test_it_is_bounded() -> None:
    def remark(number: int, *, robot: bool = False) -> Remark:
        who = Person(id=f"{number % 50}", handle=f"p{number % 50}", robot=robot)
        return Remark(id=f"{number}", pull=1, kind="comment", author=who, at=number, body="/x\n" * 9)

    crowd = [remark(number) for number in range(500)]
    found = astray_of(crowd, which_game([f"game{n}" for n in range(40)]))
    assert len(found) == 50
    text = written("strays.md", found=found)
    assert f"and {50 - 20} more people" in text
    assert "and 30 more" in text
    assert len(text) < 2_000
    assert astray_of([remark(1, robot=True)], "why") == []
