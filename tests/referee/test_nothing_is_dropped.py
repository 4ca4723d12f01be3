"""Whatever somebody says that cannot count, or brings that is not judged, its author reads why: where it was said, or in status."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.forges.cache.refs import LETTERS, pull_ref
from folkmoot.referee.comment import CommentModel, comment
from folkmoot.referee.intake import _too_late_to_wait
from folkmoot.referee.markdown import written
from tests.support.issues import WithIssues
from tests.support.meeting import rule
from tests.support.quick import GAME, POINTS, SMALL, QuickMeeting
from tests.support.seats import Seats, Sit


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats()


def test_what_is_said_on_a_pull_request(table: Seats) -> None:
    """One pull request is proposed, pushed to, voted on and decided; each person says what cannot count."""
    pull = table.open("ann", {"rules/x.yaml": rule("X")}, "A rule\n\n/vote for")
    table.referee(60)
    first = table.head(pull)
    table.say("ann", pull, "/propose")
    table.say("bob", pull, "/ignore this")
    table.say("ann", pull, "/propose it now")
    table.say("cid", pull, "/state " + "x" * 10_000)
    table.say("cid", pull, "/rule 1\n/rule 2\n/rule 3\n/help\n/help vote\n/help give")
    table.referee(60)
    assert "it is proposed already, as " in table.said(pull)
    assert "No effect: /propose: it is proposed already, as proposal 301" in table.status("ann")
    typo = table.say("dee", pull, "/vot for")
    table.put(pull_ref(pull), table.change("ann", {f"state/{GAME}/rules/x.yaml": rule("Y")}))
    taken = table.say("dee", pull, "", "approve", head=first)
    table.approve("cid", pull)
    table.forge.look(table.now + 1)
    table.changed_later(pull, typo, edited=True)
    table.changed_later(pull, taken, deleted=True)
    table.referee(60)
    said = table.said(pull)
    for sentence in (
        "a description commands nothing",
        "there is nothing to be ignored here",
        "on a pull request /propose stands alone",
        "characters and was not read; say it in fewer words",
        "questions are answered here; ask the others again",
        "only what it said at first was read",
        "is voted on as it was submitted; this newer content is not",
        "before it was recorded; review again",
        "it was made on other content than what is voted on",
        "Has no effect",
    ):
        assert sentence in said, sentence
    table.all_vote(pull)
    assert table.proposal(301)["outcome"] == "adopted"
    table.say("bob", pull, "One more word.")
    table.referee(60)
    assert ", which is decided" in table.said(pull)


def test_what_content_is_not_judged(table: Seats) -> None:
    """Of another game, of none any more, pushed by somebody else, closed before it was proposed, or without a change."""
    gone, foreign = table.open("ann", {"rules/x.yaml": rule("X")}), table.open("bob", {"rules/y.yaml": rule("Y")})
    empty = table.open("ann", {"inbox/say.yaml": b"do: state\nargs: {text: Hello}\n"})
    mine = table.open("ann", {"rules/x.yaml": b"title: [\n"})
    table.referee(60)
    table.put(pull_ref(gone), table.change("ann", {"README.md": b"x"}))
    table.put(pull_ref(foreign), table.change("eve", {f"state/{GAME}/rules/y.yaml": rule("Z")}))
    table.put(pull_ref(mine), table.change("ann", {f"state/{GAME}/rules/x.yaml": rule("X")}))
    table.say("ann", empty, "/propose")
    table.say("bob", mine, "/propose")
    closed = table.open("cid", {"rules/z.yaml": rule("Z")})
    table.say("cid", closed, "", "close")
    table.say("bob", closed, "/vote for")
    other = table.pull(table.change("cid", {"state/other/rules/1.yaml": rule("Z")}))
    table.put(pull_ref(other + 90_000), table.change("cid", {"README.md": b"y"}))
    table.referee(60)
    for pull, sentence in (
        (gone, "it changes nothing of this game any more"),
        (foreign, "it was pushed by "),
        (empty, "this pull request changes no rule"),
        (mine, "only the author of a pull request proposes it"),
        (closed, "so nothing in it is proposed"),
        (closed, "nothing was proposed here, and this is closed"),
        (other, "there is no game `other` here"),
    ):
        assert sentence in table.said(pull), sentence
    assert "pull requests are numbered one after the other" in table.status("cid")
    assert "No effect: a ballot: nothing was proposed here, and this is closed" in table.status("bob")


def test_what_no_rule_takes_and_what_is_no_letter(seats: Sit) -> None:
    lawless = seats({**SMALL, "rules": [POINTS]})
    lawless.forge = forge = WithIssues(lawless.bare)  # type: ignore[assignment]
    pull = lawless.open("ann", {"rules/x.yaml": rule("X")})
    issue = forge.open("ann", "Good morning, all.", lawless.now)
    forge.comment("bob", issue, "/vote for", lawless.now)
    lawless.put(LETTERS + "bob@x-org", lawless.change("bob", {"README.md": b"x"}))
    lawless.referee(60, forge=forge)
    assert "no rule in force takes in rule-changes" in lawless.said(pull)
    assert "this issue made no proposal: name the one that is meant" in forge.kept[issue].said
    assert "it must hold the file" in lawless.status("bob")


def test_content_and_letters_of_another_game(tmp_path: Path) -> None:
    two = QuickMeeting(tmp_path, games=("fen", "moor"))
    pull = two.pull(two.change("ann", {f"state/{game}/rules/x.yaml": rule("X") for game in two.games}))
    two.referee(60)
    assert "open another pull request for that" in two.said(pull)
    assert len(two.journal("fen")) != len(two.journal("moor"))


def test_sentences_of_rare_cases() -> None:
    assert "once it is open, vote in the game's thread" in _too_late_to_wait({"kind": "proposal", "number": 301})
    sheet = CommentModel(game="g", pull=1, title="", author="", state="open", proposal="proposal 301", ended="closed")
    assert "although this pull request is closed: no rule took the proposal back" in comment(sheet)
    assert "not played by pull requests here" in written("kept.md", games=["chess"])
