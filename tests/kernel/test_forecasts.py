"""Finding 10 of the table: a preview foretells no adoption that the law forbids, and no fall of the dice as a fact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.game import rulesets
from folkmoot.kernel.chance import open_chance
from folkmoot.referee.comment import CommentModel, comment, forecast
from folkmoot.referee.preview import Preview, Ruling, tried_sentences
from folkmoot.scenarios.scenario import found
from folkmoot.scenarios.trial import Rehearsal, rehearse
from folkmoot.wording.game_view import GameView
from folkmoot.wording.page_links import Here
from tests.support.moot import Moot
from tests.support.table import VOTING, Record, Table, rule

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


def test_the_ballots_of_all_are_cast_through_the_law() -> None:
    watching = rule("3", """
        def on_ballot_cast(e):
            award(e.ballot.player, "mood", 1)
        def on_proposal_adopted(e):
            award(e.proposal.author, "mood", 10 * get("bob", "mood"))
    """, defines=MOOD)  # fmt: skip
    told = rehearsed(watching)
    assert told.adopted
    awards = [(each["of"], each["asked"]) for each in told.effects if each["effect"] == "award"]
    assert awards == [("cid", 1), ("ann", 10)], "the ballot that decides, and what follows"


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


def test_the_word_that_adopts_need_not_be_the_first() -> None:
    words = rule("3", """
        def decide_choices(p):
            return ["nay, never", "aye, always"]
        def on_voting_closed(e):
            resolve(e.proposal, "adopted" if ballots(e.proposal, "aye, always") else "defeated", "so they say")
    """)  # fmt: skip
    told = rehearsed(words)
    assert (told.adopted, told.choice, told.falls) == (True, "aye, always", "")
    assert [(each["to"]) for each in told.against if each["effect"] == "resolve"] == ["defeated"]


def test_who_may_not_vote_now_has_no_vote_in_the_forecast_without_a_word() -> None:
    shut = rule("4", "def forbid_vote(a):\n    return refuse('E-TIME', 'no votes on a Monday')\n")
    told = rehearsed(shut)
    assert (told.adopted, told.refused) == (True, "no votes on a Monday")
    told = rehearsed(shut, LIMIT)
    assert (told.adopted, told.falls) == (False, "defeated: no votes on a Monday")


def test_guards_that_fail_refuse_in_the_forecast_too() -> None:
    told = rehearsed(rule("3", "def forbid_vote(a):\n    return 1 // 0\n"))
    assert "rule 3 failed in its forbid_vote" in told.refused


def test_where_the_law_says_nothing_the_outcome_is_still_tried() -> None:
    table = Table(rule("1", "def do_propose(a):\n    submit(a.args.title, a.args.changes)\n",
                       actions=VOTING["actions"]))  # fmt: skip
    told = rehearse(table.kernel, [PLAIN], "Plain", "ann", table.now)
    assert (told.adopted, [each["effect"] for each in told.effects]) == (True, ["resolve", "enact"])


def test_a_change_of_what_has_changed_is_told_to_be_left_out() -> None:
    table = Table(VOTING, rule("3", text="One.\n"))
    for text in ("Two.\n", "Three.\n"):
        table.ok("ann", "propose", changes=[{"amend": "3", "text": text}])
    for player in ("ann", "bob", "cid"):
        table.ok(player, "vote", proposal=901, choice="for")
    told = rehearse(table.kernel, [], "", "ann", table.now, proposal="proposal/902")
    assert [each["effect"] for each in told.effects] == ["resolve", "omit"]


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


def test_without_dice_nothing_is_tried_twice() -> None:
    told = rehearsed(LIMIT)
    assert (told.trials, told.against_trials) == ([], [])


def said_of(**shown: Any) -> str:
    preview = Preview(changes=(object(),), **shown)  # type: ignore[arg-type]
    return "\n".join(forecast(CommentModel(game="toy", pull=1, title="t", author="ann", preview=preview)))


def test_the_comment_says_what_would_have_to_be_otherwise() -> None:
    falls = said_of(falls="defeated: one rule is enough", choice="for")
    assert "Even if everybody voted `for` now, it would be defeated: one rule is enough." in falls
    late = said_of(adopted=True, choice="for", proposing=Ruling(ok=False, code="E-ORDER", why="wait"))
    assert "As things are it cannot be proposed; this is what it would do if it could." in late
    assert "votes are refused: no votes" in said_of(adopted=True, choice="for", refused="no votes on a Monday")
    assert said_of(adopted=True, effects=("x",), proper=Ruling(ok=False, code="E-X", why="no")) == ""


def test_a_mere_file_is_no_game_that_stands_still() -> None:
    text = comment(CommentModel(game="toy", pull=0, title="Tea", author="ann", preview=Preview(changes=())))
    assert text.startswith("### **If this were proposed**")


def test_the_limit_of_mutable_rules_is_foretold() -> None:
    given = rulesets.founding("suber")
    mutable = [each for each in given["rules"] if (each.get("labels") or {}).get("status") == "mutable"]
    more = [
        {"rule": str(400 + n), "uid": str(400 + n), "title": "Filler", "text": "x", "labels": {"status": "mutable"}}
        for n in range(25 - len(mutable))
    ]
    law = {**given, "rules": [*given["rules"], *more], "settings": {"G2-Q7": "at-adoption"}}
    players = [{"id": each, "surname": each.capitalize()} for each in ("ann", "bob", "cid")]
    run = found({"ruleset": "", "players": players}, lambda _n: law, lambda _e: open_chance("", "test"))
    told = rehearse(run.kernel, [PLAIN], "Plain", "ann", run.now)
    assert (told.adopted, told.proper["ok"]) == (False, True)
    assert told.falls.startswith("defeated: E-MUTABLE-LIMIT")


def test_a_trial_says_that_dice_decided(table: Moot, tmp_path: Path) -> None:
    script = "def on_rule_enacted(e):\n      announce(str(roll(6)))\n"
    (tmp_path / "luck.yaml").write_text(f"title: Luck\ntext: There is luck.\nscript: |\n  {script}")
    said = table("try", "luck.yaml")
    assert "This hangs on dice, which may fall otherwise in play; here they gave: on_rule_enacted " in said.err
    assert [draw["label"] for draw in table("try", "luck.yaml", "--json").record["draws"]] == ["on_rule_enacted"]
