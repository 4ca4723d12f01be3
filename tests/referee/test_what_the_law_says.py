"""What the law makes of pull requests, pushes and reviews: as what they are taken, never what only a person may do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.kernel.act_declarations import ADMINISTRATIVE, KERNEL_DECLARATIONS
from tests.support.meeting import GAME, PLAYERS, git, rule
from tests.support.quick import SMALL, VOTES, QuickMeeting, imperial
from tests.support.seats import Sit
from tests.support.table import VOTING, Table, failed, reasons
from tests.support.table import rule as law_rule

TITLED = {"title": {"type": "text", "optional": True}, "changes": {"type": "changes"}}
SOWN: dict[str, Any] = VOTES | {
    "script": VOTES["script"].replace("do_propose", "do_sow").replace("do_withdraw", "do_uproot"),
    "actions": {"sow": {"arguments": TITLED}, "uproot": {}},
}
TAKES = SOWN | {"actions": {**SOWN["actions"], "sow": {**SOWN["actions"]["sow"], "takes": "pull_requests"}}}
TWEAKED = {
    "wording": TITLED["changes"],
    "title": {"type": "text", "default": "nothing"},
    "power": {"type": "integer", "default": 1},
}
TWEAKS = law_rule(
    "5",
    """
    def do_submit_tweak(a):
        open_voting(submit("Tweak %d of %s" % (a.args.power, a.args.title), a.args.wording))
    """,
    actions={"submit_tweak": {"arguments": TWEAKED}},
)
BY_TITLE = law_rule(
    "6",
    """
    def decide_taken_as(pull):
        if pull.title.startswith("tweak"):
            return "submit_tweak"
        if "broken" in pull.title:
            return pull.nothing
        if "odd" in pull.title:
            return ["sow"]
        if "strange" in pull.title:
            return "give"
    """,
)
DRAGON = {"rules/dragon.yaml": rule("A dragon")}


def law(*first: dict[str, Any]) -> dict[str, Any]:
    """Return the small law with other rules in the place of its first."""
    return {**SMALL, "rules": [*first, *SMALL["rules"][1:]]}


def taken(meeting: QuickMeeting) -> list[tuple[str, bool]]:
    """Return what was done and whether it was accepted, beside the founding and time."""
    return [(e["do"], "code" not in e) for e in meeting.journal() if e["do"] not in ("found", "tick", "clock")]


def test_without_a_word_of_the_law_the_only_action_is_meant_and_of_two_none(tmp_path: Path) -> None:
    meeting = QuickMeeting(tmp_path / "one", law=law(SOWN))
    meeting.open("ann", DRAGON, "A dragon for us")
    meeting.referee(60)
    assert taken(meeting) == [("sow", True)]
    assert meeting.proposal(301)["title"] == "A dragon for us"
    meeting = QuickMeeting(tmp_path / "two", law=law(SOWN, TWEAKS))
    pull = meeting.open("ann", DRAGON)
    meeting.referee(60)
    assert taken(meeting) == []
    assert "does not say as which of sow, submit_tweak it is taken" in meeting.said(pull).replace("\\", "")
    meeting.say("ann", pull, "/do sow")
    meeting.referee(60)
    assert taken(meeting) == [("sow", True)]


@pytest.mark.parametrize(
    ("message", "done", "title", "why"),
    [
        ("Tea", "sow", "Tea", ""),  # as it declares
        ("Tea\n\n/do submit_tweak power=2\n/vote for\n", "submit_tweak", "Tweak 2 of Tea", "a description commands nothing"),
        ("Tea\n\n/do submit_tweak\n/do sow", "", "", "it names 2 acts that would take it in, submit_tweak and sow; keep one"),
        ("Tea\n\n/do submit_tweak 7", "", "", "means nothing here"),
        ("tweak tea", "submit_tweak", "Tweak 1 of tweak tea", ""),  # as the law answers
        ("broken tea", "", "", "the rule that says as what it is taken failed"),
        ("odd tea", "", "", "which is no action for rule-changes"),
        ("strange tea", "", "", "the law takes it as "),
    ],
)  # fmt: skip
def test_the_pull_request_says_it_else_the_law(tmp_path: Path, message: str, done: str, title: str, why: str) -> None:
    meeting = QuickMeeting(tmp_path, law=law(TAKES, TWEAKS, BY_TITLE))
    pull = meeting.open("ann", DRAGON, message)
    meeting.referee(60)
    assert taken(meeting) == ([(done, True)] if done else [])
    assert meeting.proposal(301).get("title", "") == title
    assert why in meeting.said(pull).replace("\\", "")


def test_moot_propose_names_it_and_preview_tries_that(seats: Sit, tmp_path: Path) -> None:
    table = seats(law(TAKES, TWEAKS))
    file = tmp_path / "dragon.yaml"
    file.write_bytes(DRAGON["rules/dragon.yaml"])
    table.moot("ann", "propose", "-r", str(file), "-t", "Tea", "--do", "submit_tweak power=5")
    table.referee(60)
    assert table.proposal(301)["title"] == "Tweak 5 of Tea"


# -- what is pushed to a pull request whose proposal is recorded


NEW = {"enact": {"title": "New", "text": "x"}}
TAKING = {"arguments": {"proposal": {"type": "proposal"}, "changes": {"type": "changes"}}}
REWORD = "def do_reword(a):\n    revise(proposal(a.args.proposal), changes = a.args.changes)\n"
ANEW = (
    "def do_anew(a):\n    resolve(proposal(a.args.proposal), 'withdrawn')\n"
    "    open_voting(submit(a.args.title, a.args.changes))\n"
)
TAKEN = "def decide_taken_as(pull):\n    return 'propose'\n"
TITLED = {"arguments": {**TAKING["arguments"], "title": {"type": "text"}}}


def push_law(answer: str) -> dict[str, Any]:
    """Return the small game with a rule that answers what becomes of a push."""
    script = f"{REWORD}{ANEW}{TAKEN}def decide_push(p, changes):\n    return {answer}\n"
    made = law_rule("50", script, actions={"reword": TAKING, "anew": TITLED})
    return {**SMALL, "rules": [*SMALL["rules"], made]}


def pushed(folder: Path, answer: str, text: str = "There is a toll.") -> tuple[QuickMeeting, int]:
    """Let ann propose, bob approve and ann push other content; return the meeting and the pull request."""
    meeting = QuickMeeting(folder, law=push_law(answer))
    pull = meeting.propose("ann", "A bridge")
    meeting.referee(60)
    meeting.approve("bob", pull)
    meeting.referee(60)
    files = {f"state/{GAME}/rules/dragon.yaml": rule("A bridge", text)}
    meeting.put(f"refs/pull/{pull}/head", meeting.change("ann", files))
    meeting.referee(60)
    return meeting, pull


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("None", "this newer content is not"),
        ('refuse("E-TIME", "the vote has begun")', "the vote has begun"),
        ('{"do": "fly"}', "new content"),
    ],
)
def test_what_is_no_revision_leaves_everything_as_it_was_and_is_told(tmp_path: Path, answer: str, why: str) -> None:
    meeting, pull = pushed(tmp_path, answer)
    assert "toll" not in str(meeting.proposal(301)["changes"])
    assert meeting.ballots() == {"bob": "for"}
    assert why in meeting.said(pull)


def test_a_push_may_be_a_revision(tmp_path: Path) -> None:
    meeting, pull = pushed(tmp_path, '{"do": "reword"}')
    proposal = meeting.proposal(301)
    assert "toll" in str(proposal["changes"])
    assert (proposal["via"]["head"], proposal["ballots"]) == (meeting.head(pull), {})
    assert meeting.journal()[-1]["via"]["review"] == {"rule": "50"}
    for who in PLAYERS:
        meeting.approve(who, pull)
    report = meeting.referee(60)
    assert meeting.proposal(301)["outcome"] == "adopted"
    assert str(meeting.repo[report.after].parent_ids[1]) == meeting.head(pull)
    count = len(meeting.journal())
    meeting.referee(60)
    assert len(meeting.journal()) == count
    assert meeting.sound()


def test_a_push_may_be_a_proposal_anew_or_an_act_that_takes_no_content(tmp_path: Path) -> None:
    meeting, _ = pushed(tmp_path / "withdraw", '{"do": "withdraw"}')
    assert meeting.proposal(301)["outcome"] == "withdrawn"
    meeting, pull = pushed(tmp_path / "anew", '{"do": "anew"}')
    assert meeting.proposal(301)["outcome"] == "withdrawn"
    assert "toll" in str(meeting.proposal(302)["changes"])
    meeting.approve("bob", pull)
    meeting.referee(60)
    assert meeting.ballots(302) == {"bob": "for"}


def test_only_the_newest_push_revises(tmp_path: Path) -> None:
    """A push that was refused is not taken when a later one was."""
    answer = '{"do": "reword"} if "ferry" in changes[0].text else refuse("E-TIME", "no")'
    meeting, pull = pushed(tmp_path, answer)
    files = {f"state/{GAME}/rules/dragon.yaml": rule("A bridge", "There is a ferry.")}
    meeting.put(f"refs/pull/{pull}/head", meeting.change("ann", files))
    meeting.referee(60)
    assert "ferry" in str(meeting.proposal(301)["changes"])
    count = len(meeting.journal())
    meeting.referee(60)
    assert len(meeting.journal()) == count


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("'reword'", "it must be a map with `do`"),
        ("{'do': 'vote'}", "vote is for people to do in person"),
        ("{'do': 'pause'}", "pause is for administrators to do"),
        ("{'do': 'fly'}", "no rule in force knows an action"),
        ("{'do': 'propose', 'args': 7}", "`args` must be a map"),
        ("1 // 0", None),
    ],
)
def test_nonsense_is_no_act(answer: str, why: str | None) -> None:
    table = Table(VOTING, law_rule("5", f"def decide_push(p, changes):\n    return {answer}"))
    table.ok("ann", "propose", changes=[NEW])
    if "'propose'" in answer:
        assert table.kernel.read_push("proposal/901", [{"amend": "77"}], table.now)["code"] == "E-NO-SUCH"
    found = table.kernel.read_push("proposal/901", [NEW], table.now)
    assert found is None if why is None else (found["rule"] == "5" and why in found["why"] and "do" not in found)


CHANGING = law_rule(
    "1",
    "def do_change(a):\n    revise(proposal(901), title = 'y', keep_ballots = a.args.keep)\n"
    "def on_proposal_revised(e):\n    announce(e.proposal.title)\n",
    actions={"change": {"arguments": {"keep": {"type": "boolean"}}}},
)


@pytest.mark.parametrize(("keep", "left"), [(False, []), (True, ["bob"])])
def test_an_open_proposal_is_revised_and_the_law_says_what_its_ballots_are(keep: bool, left: list[str]) -> None:
    table = Table(VOTING, CHANGING)
    frozen = Table(VOTING, CHANGING, law_rule("2", "def on_voting_opened(e):\n    freeze(e.proposal)"))
    frozen.ok("ann", "propose", changes=[NEW])
    assert frozen.refused("ann", "change", keep=keep) == "E-ORDER"
    table.ok("ann", "propose", changes=[NEW])
    table.ok("bob", "vote", proposal=901, choice="for")
    outcome = table.ok("ann", "change", keep=keep)
    assert (table.proposal(901)["title"], list(table.proposal(901)["ballots"])) == ("y", left)
    assert [e.get("players") for e in outcome.effects if e["effect"] == "revise"] == [None if keep else ["bob"]]
    assert failed(outcome) == [] == reasons(outcome, "E-ORDER")
    for player in ("ann", "bob", "cid"):
        table.ok(player, "vote", proposal=901, choice="for")
    assert table.proposal(901)["outcome"] == "adopted"
    assert table.refused("ann", "change", keep=keep) == "E-ORDER"


WISHES = law_rule(
    "60",
    "def do_again(a):\n    revise(proposal(901), requests = a.requests if a.args.all else None)\n"
    "def do_oddly(a):\n    revise(proposal(901), requests = a.args.given)\n"
    "def do_newly(a):\n    submit('x', [], a.args.given, number = 7)\n",
    actions={
        "wish": {"travels": "with_proposal", "arguments": {"for": {"type": "text"}}},
        "again": {"arguments": {"all": {"type": "boolean"}}},
        "oddly": {"arguments": {"given": {"type": "any"}}},
        "newly": {"arguments": {"given": {"type": "any"}}},
    },
)


def test_what_travels_with_a_proposal_is_revised_with_it() -> None:
    table = Table(VOTING, WISHES)
    table.ok("ann", "propose", changes=[NEW])
    table.ok("ann", "again", all=True, requests=[{"wish": {"for": "rain"}}])
    assert table.proposal(901)["requests"] == [{"name": "wish", "args": {"for": "rain"}}]
    table.ok("ann", "again", all=False)
    assert table.proposal(901)["requests"][0]["name"] == "wish"
    table.ok("ann", "again", all=True)
    assert table.proposal(901)["requests"] == []
    table.replay_all()


@pytest.mark.parametrize("given", [7, "rain", [7], [{"name": "wish"}], {"wish": {}}])
def test_what_is_no_request_is_refused_and_changes_nothing(given: Any) -> None:
    table = Table(VOTING, WISHES)
    table.ok("ann", "propose", changes=[NEW])
    for do in ("oddly", "newly"):
        outcome = table.act("ann", do, given=given)
        assert (outcome.accepted, [failure["code"] for failure in outcome.failures]) == (False, ["E-ARGS"])
        assert table.proposal(901)["requests"] == []


# -- reviews


DANCING = law_rule(
    "10",
    "def do_dance(a):\n    announce(a.by + ' dances')\ndef do_grant(a):\n    cast(proposal(901), a.by, 'against', '')",
    actions={"dance": {"arguments": {}}, "grant": {"arguments": {}}},
)
BY_RULE = {"forge": "local", "pull": 7, "review": {"rule": "20"}}


def reading(answer: str) -> tuple[Table, Any]:
    table = Table(
        VOTING, DANCING, law_rule("20", f"def decide_review(p, player, verdict, reason):\n    return {answer}")
    )
    table.propose("ann")
    return table, table.kernel.read_review("proposal/901", ["ann", "approve", ""], table.now)


def test_no_act_of_the_kernel_but_a_ballot() -> None:
    for do in sorted(set(KERNEL_DECLARATIONS) - {"vote"}):
        table, read = reading(f"{{'do': {do!r}, 'args': {{}}}}")
        assert (read["rule"], do in read["why"]) == ("20", True)
        refused = table.judge(do, "root" if do in ADMINISTRATIVE else "ann", {}, via=BY_RULE)
        assert refused.code == ("E-NOT-ADMINISTRATOR" if do in ADMINISTRATIVE else "E-PERSONAL")
        assert refused.reasons[-1]["rule"] == "20"


@pytest.mark.parametrize(
    "answer",
    [
        "{'do': 'state', 'args': [1, 2]}",
        "{'do': 'dance', 'args': [1, 2]}",
        "{'do': 'dance', 'as': 3}",
        "{'do': 7}",
        "{'do': 'fly'}",
        "{}",
        "[]",
        "'dance'",
        "7",
        "True",
        "{'do': 'vote', 'args': {'proposal': 3, 'choice': 'for'}}",
    ],
)
def test_whatever_is_no_act_is_a_failure_that_names_the_rule(answer: str) -> None:
    table, read = reading(answer)
    assert set(read) == {"rule", "why"}
    outcome = table.judge("vote", "ann", {"choice": "for", "proposal": 901}, via={**BY_RULE, "review": read})
    assert outcome.accepted
    assert [(failure["rule"], failure["hook"]) for failure in outcome.failures] == [("20", "decide_review")]
    assert table.proposal(901)["ballots"]["ann"]["deemed"] is False


def test_what_a_rule_makes_of_a_review_is_nobodys_own() -> None:
    table, read = reading("{'do': 'dance'}")
    assert read == {"rule": "20", "do": "dance", "args": {}, "as": None}
    assert table.judge("dance", "ann", {}, via=BY_RULE).accepted
    assert table.judge("vote", "ann", {"choice": "for", "proposal": 901}, via=BY_RULE).accepted
    assert table.proposal(901)["ballots"]["ann"]["deemed"] is True
    assert table.judge("grant", "bob", {}, via=BY_RULE).accepted
    assert table.proposal(901)["ballots"]["bob"]["deemed"] is True
    table.replay_all()


def test_a_review_on_a_forge_becomes_no_act_of_the_kernel(tmp_path: Path) -> None:
    thief = "def decide_review(p, player, verdict, reason):\n    return {'do': 'state', 'args': {'text': 'I resign'}}"
    meeting = QuickMeeting(tmp_path, law={"title": "x", "zone": "UTC", "rules": [VOTING, law_rule("20", thief)]})
    pull = meeting.propose("cid", "A dragon")
    meeting.approve("ann", pull, "Fine.")
    meeting.referee(60)
    entries = [entry for entry in meeting.journal() if entry.get("by") == "ann"]
    assert [(entry["do"], entry["via"]["review"]["rule"]) for entry in entries] == [("vote", "20")]
    assert "state is for people" in entries[0]["via"]["review"]["why"]


# -- without votes


def judged(court: QuickMeeting, pull: int) -> dict[str, Any]:
    number = int(court.document(f"pulls/local/000/{pull}")["proposals"][0].partition("/")[2])
    return court.document(f"proposals/{number // 100 * 100:03d}/{number}")


def test_requests_travel_with_a_proposal_and_are_shown_before(tmp_path: Path) -> None:
    court = QuickMeeting(tmp_path, law=imperial())
    retool = b"do: retool\nargs: {section: 1, to: depressed}\n"
    pull = court.open("cid", {"rules/dragon.yaml": rule("A dragon"), "inbox/retool.yaml": retool}, "A dragon")
    wrong = b"do: retool\nargs: {sector: 1}\n"
    flawed = court.open("dee", {"rules/bog.yaml": rule("A bog"), "inbox/retool.yaml": wrong}, "A bog")
    court.referee(60)
    assert "takes no argument sector" in court.said(flawed), "before it counts"
    assert judged(court, pull)["requests"] == [{"name": "retool", "args": {"section": 1, "to": "depressed"}}]
    acceptance = court.said(pull).partition("What acceptance would do")[2].partition("What rejection would do")[0]
    assert "woodchip for “retooling” by rule 14" in acceptance
    assert "Feel the Heat" in acceptance
    court.approve("ann", pull)
    court.referee(60)
    assert judged(court, pull)["outcome"] == "accepted"
    assert court.head(pull) in git(court.bare, "log", "--format=%P", "main")
