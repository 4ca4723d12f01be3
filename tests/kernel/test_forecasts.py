"""A preview foretells no adoption that the law forbids, and no fall of the dice as a fact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.referee.comment import CommentModel, comment
from folkmoot.referee.preview import Preview, Redline, Ruling, tried_sentences
from folkmoot.scenarios.trial import Rehearsal, rehearse
from folkmoot.wording.game_view import GameView
from folkmoot.wording.page_links import Here
from tests.support.moot import Moot
from tests.support.table import START, VOTING, Record, Table, rule

PLAIN = {"enact": {"title": "Plain", "text": "x"}}
MOOD = {"currencies": {"mood": {"minimum": -100}}}


def rehearsed(*laws: Record, votes: dict[str, str] | None = None, open_one: bool = True) -> Rehearsal:
    """Return what is foretold of a proposal of ann's, on which some have voted."""
    table = Table(VOTING, *laws)
    if not open_one:
        return rehearse(table.kernel, [PLAIN], "Plain", "ann", table.now)
    table.ok("ann", "propose", changes=[PLAIN])
    for player, choice in (votes or {}).items():
        table.ok(player, "vote", proposal=901, choice=choice)
    return rehearse(table.kernel, [], "", "ann", table.now, proposal="proposal/901")


LIMIT = rule("3", """
    def on_voting_closed(e):
        if len(rules()) > 1:
            resolve(e.proposal, "defeated", "one rule is enough")
""")  # fmt: skip


@pytest.mark.parametrize("open_one", [True, False])
def test_what_falls_at_the_count_is_foretold_to_fall(open_one: bool) -> None:
    told = rehearsed(LIMIT, open_one=open_one)
    assert (told.adopted, told.falls, told.effects) == (False, "defeated: one rule is enough", [])
    assert [each["effect"] for each in told.against] == ["resolve"]


@pytest.mark.parametrize("votes", [{}, {"ann": "against"}, {"ann": "for", "bob": "against"}])
def test_it_tells_the_same_however_anybody_has_voted(votes: dict[str, str]) -> None:
    paying = rule("3", """
        def on_proposal_adopted(e):
            for b in e.proposal.ballots:
                award(b.player, "mood", 5 if b.choice == "against" else 1)
    """, defines=MOOD)  # fmt: skip
    told = rehearsed(paying, votes=votes)
    assert {each["asked"] for each in told.effects if each["effect"] == "award"} == {1}
    assert told == rehearsed(paying)


def test_who_may_not_vote_now_has_no_vote_in_the_forecast_without_a_word() -> None:
    shut = rule("4", "def forbid_vote(a):\n    return refuse('E-TIME', 'no votes on a Monday')\n")
    told = rehearsed(shut)
    assert (told.adopted, told.refused) == (True, "no votes on a Monday")
    told = rehearsed(shut, LIMIT)
    assert (told.adopted, told.falls) == (False, "defeated: no votes on a Monday")


ROLLING = rule("3", """
    def on_proposal_adopted(e):
        award(e.proposal.author, "mood", 2)
        award("bob", "mood", roll(1000))
    def on_proposal_defeated(e):
        award("cid", "mood", roll(1000))
""", defines=MOOD)  # fmt: skip


def test_what_hangs_on_dice_is_said_to() -> None:
    table = Table(VOTING, ROLLING)
    table.ok("ann", "propose", changes=[PLAIN])
    told = rehearse(table.kernel, [], "", "ann", table.now, proposal="proposal/901")
    here = Here(GameView(slug="toy", documents=dict(table.kernel.documents.everything())), "index.md")
    said = tried_sentences(here, told.effects, told.trials)
    assert "ann +2 mood by rule 3" in said
    assert sum("depends on dice: in 1 of 5 tries" in line for line in said if line.startswith("bob +")) == 5
    assert all("depends on dice" in line for line in said if line.startswith("bob +"))
    assert all("depends on dice" in line for line in tried_sentences(here, told.against, told.against_trials))


def said_of(**shown: Any) -> str:
    preview = Preview(changes=(Redline(kind="repeal", number="1", title="", file="", parts=()),), **shown)
    return comment(CommentModel(game="toy", pull=1, title="t", author="ann", preview=preview))


def test_the_comment_says_what_would_have_to_be_otherwise() -> None:
    falls = said_of(falls="defeated: one rule is enough", choice="for")
    assert "Even if everybody voted `for` now, it would be defeated: one rule is enough." in falls
    late = said_of(adopted=True, choice="for", proposing=Ruling(ok=False, code="E-ORDER", why="wait"))
    assert "As things are it cannot be proposed; this is what it would do if it could." in late
    assert "votes are refused: no votes" in said_of(adopted=True, choice="for", refused="no votes on a Monday")
    assert "would do" not in said_of(adopted=True, effects=("x",), proper=Ruling(ok=False, code="E-X", why="no"))


def test_a_trial_says_that_dice_decided(table: Moot, tmp_path: Path) -> None:
    script = "def on_rule_enacted(e):\n      announce(str(roll(6)))\n"
    (tmp_path / "luck.yaml").write_text(f"title: Luck\ntext: There is luck.\nscript: |\n  {script}")
    said = table("try", "luck.yaml")
    assert "This hangs on dice, which may fall otherwise in play; here they gave: on_rule_enacted " in said.err
    assert [draw["label"] for draw in table("try", "luck.yaml", "--json").record["draws"]] == ["on_rule_enacted"]


def test_where_the_law_says_nothing_the_outcome_is_still_tried_and_what_is_stale_left_out() -> None:
    submitting = rule("1", "def do_propose(a):\n    submit(a.args.title, a.args.changes)\n", actions=VOTING["actions"])
    told = rehearse(Table(submitting).kernel, [PLAIN], "Plain", "ann", START)
    assert (told.adopted, [each["effect"] for each in told.effects]) == (True, ["resolve", "enact"])
    table = Table(VOTING, rule("3", text="One.\n"))
    table.ok("ann", "propose", changes=[{"amend": "3", "text": "Two.\n"}])
    table.adopt({"amend": "3", "text": "Three.\n"})
    told = rehearse(table.kernel, [], "", "ann", table.now, proposal="proposal/901")
    assert [each["effect"] for each in told.effects] == ["resolve", "omit"]
