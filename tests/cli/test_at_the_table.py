"""What a player who sat down at a table found unclear: things said twice, in the words of programs, or too wide."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.cli.game_status import _refused
from tests.support.gathering import TEA, Gathering
from tests.support.meeting import PLAYERS
from tests.support.moot import Moot
from tests.support.terminal import on_a_terminal

KICK = """\
title: Kick
labels: {status: mutable}
text: |
  Whoever kicks gets a point.
actions:
  kick: {summary: Kick}
script: |
  def do_kick(a):
      award(a.by, "score", 1, "a kick")
examples:
  - scenario: a kick
    steps:
      - {by: ann, do: kick}
    expect:
      - {player: ann, score: 2}
"""


def test_what_an_example_expected_is_said_as_it_is_written(gathering: Gathering) -> None:
    said = gathering.moot("ann", "check", gathering.file("kick.yaml", KICK), code=1)
    assert "a kick: expected {player: ann, score: 2}, but score is 1 [E-EXAMPLE]" in said.err


def test_the_terminal_shows_no_marks_of_comments(gathering: Gathering) -> None:
    gathering.moot("ann", "propose", "--rule", gathering.file("kick.yaml", KICK), "--anyway")
    gathering.referee()
    shown = gathering.moot("bob", "show", "1").out
    assert "score is 1; mend the rule or the example (E-EXAMPLE)" in shown
    assert "_" not in shown.split("It enacts")[0]


def test_refusals_that_are_alike_are_told_once(gathering: Gathering) -> None:
    gathering.moot("bob", "comment", "/do finalise\n" * 3, "--anyway")
    gathering.referee()
    out = gathering.moot("bob", "status").out
    assert out.count("Refused: ") == 1
    assert "(3 times, entries 2 to 4)" in out
    assert len(gathering.moot("bob", "status", "--json").record["refused"]) == 3


def test_refusals_that_differ_are_told_apart() -> None:
    acts = [{"act": act, "why": "no", "code": "E-ORDER", "at": "2026-01-05T12:00:00Z", "entry": place}
            for place, act in enumerate(["a", "b", "a"], 2)]  # fmt: skip
    assert [line for _, line in _refused(acts)] == [
        "Refused: a: no [E-ORDER] (entry 2)", "Refused: b: no [E-ORDER] (entry 3)", "Refused: a: no [E-ORDER] (entry 4)",
    ]  # fmt: skip


def test_too_many_commands_in_a_comment_are_said_before_it_is_sent(gathering: Gathering) -> None:
    said = gathering.moot("bob", "comment", "/do state text=hi\n" * 21)
    assert "Mind: a comment may hold 20 commands: the 1 after them, from line 21 on, were not read" in said.err
    assert "It asks for /do (20 times)." in said.out


def test_a_withdrawal_that_was_answered_waits_no_longer(gathering: Gathering) -> None:
    gathering.tea()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    gathering.moot("ann", "withdraw", "1")
    assert "Sent, and not looked at yet: close" in gathering.moot("ann", "status").out
    gathering.referee()
    out = gathering.moot("ann", "status").out
    assert "No effect: closing: the rules know no withdrawing" in out
    assert "Waits: " not in out


def test_what_is_not_proper_is_said_once(gathering: Gathering) -> None:
    gathering.moot("ann", "propose", "--repeal", "101", "--anyway")
    out = gathering.moot("bob", "try", "1", code=1).out
    assert out.count("rule 101 is immutable") == 1


def test_a_game_that_is_over_offers_nothing_and_owes_nothing(gathering: Gathering) -> None:
    prize = TEA + "script: |\n  def on_proposal_adopted(e):\n      win(e.proposal.author, 'tea')\n"
    gathering.moot("ann", "propose", "--rule", gathering.file("prize.yaml", prize), "--then", "finalise")
    gathering.referee()
    for person in PLAYERS:
        gathering.moot(person, "vote", "for")
    gathering.referee()
    out = gathering.moot("ann", "status").out
    assert "The game is over: ann won: “tea”." in out
    assert not [word for word in ("Actions:", "owes", "throw the die", "Later") if word in out]


def test_many_currencies_stand_in_tables_that_fit(moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    moot("new", "b", "-r", "b-nomic", "-p", "ann", "-p", "bob")
    for name in (
        "burns",
        "power_tokens",
        "length_tokens",
        "control_tokens",
        "magic_tokens",
    ):  # who has some is shown them
        assert moot("act", "correct", "--by", "ann", "of=ann", f"name={name}", "to=2", "why=luck").code == 0
    lines = moot("status").out.split("\n")
    heads = [line for line in lines if line.startswith("Player  ")]
    assert len(heads) == 2
    assert all(len(line) <= 80 for line in lines)
    assert " ".join(heads).split().count("control_tokens") == 1


def test_very_many_actions_are_not_all_named_in_status(moot: Moot) -> None:
    moot("new", "b", "-r", "b-nomic", "-p", "ann", "-p", "bob")
    out = moot("status").out
    assert "Actions: there are " in out
    assert "submit_tweak" not in out
    moot("new", "s", "-r", "suber", "-p", "ann", "-p", "bob")
    assert "Actions: propose, comment, " in moot("status", "-g", "s").out


def test_all_settings_are_listed(moot: Moot) -> None:
    moot("new", "s", "-r", "suber", "-p", "ann", "-p", "bob", "-s", "mode=mail")
    out = moot("explain", "settings").out
    (line,) = [line for line in out.split("\n") if line.startswith("mode ")]
    assert line.split()[1:3] == ["101", "mail"]
    assert moot("explain", "settings", "--json").record["settings"][0]["name"] == "mode"


def test_a_progress_bar_is_gone_when_it_is_done(moot: Moot, gathering: Gathering) -> None:
    clone = gathering.clone("ann")
    (clone / "kick.yaml").write_text(KICK, "utf-8")
    said = on_a_terminal(["-C", str(clone), "check", "kick.yaml"])
    bar, _, rest = said.rpartition(b"\r\x1b[K")
    assert b"checking" in bar
    assert b"checking" not in rest


LATER = "`moot status` says what opens the vote"


def test_what_opens_the_vote_is_said_only_where_there_may_be_one(gathering: Gathering) -> None:
    tea = gathering.file("tea.yaml")
    assert LATER not in gathering.moot("bob", "propose", "--rule", tea, "--anyway").out
    assert LATER in gathering.moot("ann", "propose", "--rule", tea, "--title", "Tea").out


def test_a_proposal_that_is_open_to_votes_at_once_says_so(gathering: Gathering) -> None:
    out = gathering.moot("ann", "propose", "--rule", gathering.file("tea.yaml"), "--then", "finalise").out
    assert "It is open to votes then: `moot vote 1 CHOICE`." in out
    assert LATER not in out


def test_counters_of_the_rules_do_not_hide_what_came_of_a_proposal(gathering: Gathering) -> None:
    out = gathering.moot("ann", "propose", "--rule", gathering.file("tea.yaml"), "--dry-run").out
    assert "ann owes: “end the debate on proposal 301" in out
    assert "Next number" not in out
    gathering.tea()
    gathering.referee()
    told = gathering.moot("bob", "log").out
    assert not [word for word in ("Next number", "Posted at", "Tried on") if word in told]


def test_content_of_a_refused_pull_request_replaces_no_other_proposal(gathering: Gathering) -> None:
    gathering.tea()
    rum = gathering.file("rum.yaml", TEA.replace("tea", "rum"))
    said = gathering.moot("ann", "propose", "--rule", rum, "--title", "Rum", "--anyway", "--then", "finalise")
    assert "no proposal of this pull request is undecided; say it on that which you mean" in said.err
    gathering.referee()
    status = gathering.moot("ann", "status").out
    assert "no proposal of this pull request is undecided" in status
    assert "tea for everybody" in gathering.moot("bob", "show", "1").out
    assert "not open yet" in status
    gathering.moot("ann", "act", "finalise", "proposal=301", "--on", "2")
    gathering.referee()
    assert "rum for everybody" in gathering.moot("bob", "show", "1").out, "whoever names it means it"


def test_the_status_of_somebody_else_says_whose_it_is(gathering: Gathering) -> None:
    gathering.moot("bob", "act", "state", "I am here.")
    gathering.referee()
    lines = gathering.moot("ann", "status", "--by", "bob").out.split("\n")
    assert lines[:2] == ["How it stands for bob.", ""]
    assert lines[2].startswith("Accepted lately")
    assert lines[3] == ""
    assert " entry 2 of " in lines[4]
