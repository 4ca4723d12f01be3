"""Every way in which games of this kind were broken, tried through the whole referee: each fails, and says why."""

from __future__ import annotations

import pytest

from folkmoot.core.digest import event_digest
from folkmoot.core.fault_points import fault_hook
from folkmoot.journal.git_objects import make_commit, write_tree
from folkmoot.kernel.chance import commitment, open_chance, secret_chance, subkey
from folkmoot.referee.run import Referee
from tests.support.meeting import GAME, PLAYERS, START, rule
from tests.support.quick import DAY, HERE, QuickMeeting, adopted, quick, unchanged

__all__ = ["quick"]


@pytest.mark.threat("T-23")
def test_dice_cannot_be_ground_out_by_commits(quick: QuickMeeting) -> None:
    """Whoever makes commits until the dice would fall well makes them for nothing: the keeper's secret decides."""
    secret = bytes(range(32))
    (quick.bare / "folkmoot").mkdir()
    (quick.bare / "folkmoot" / f"{GAME}.secret").write_text(secret.hex())
    quick.say("ann", 0, f"/do open_epoch commitment={commitment(secret)}")
    quick.referee()
    quick.say("bob", 0, "/do roll")
    quick.referee(60)
    entry = quick.journal()[-1]
    (drawn,) = entry["draws"]
    digest, label = event_digest(entry), drawn.get("label", "")
    foreseen = open_chance(entry["prev"], digest).integer(1, 1_000_000, label)
    assert drawn["result"] != foreseen
    assert drawn["result"] == secret_chance(subkey(secret, entry["prev"], digest), 1).integer(1, 1_000_000, label)
    quick.say("ann", 0, f"/do close_epoch secret={secret.hex()}")
    quick.referee(60)
    assert quick.sound()


@pytest.mark.threat("T-07")
def test_a_push_between_the_last_look_and_the_merge(quick: QuickMeeting) -> None:
    """It arrives while the referee is at work: what was voted on is taken in, and the push waits for its turn."""
    pull = quick.propose("ann", "A dragon")
    quick.referee()
    for voter in PLAYERS:
        quick.say(voter, pull, "/vote for")
    pushed = quick.change("ann", {f"{HERE}/rules/dragon.yaml": rule("A dictatorship")})
    meddled: list[str] = []

    def meddle(point: str) -> None:
        if (
            point == "before-push"
            and quick.head(pull) != pushed
            and meddled.append(point) is None
            and len(meddled) == 2
        ):
            quick.put(f"refs/pull/{pull}/head", pushed)

    with fault_hook(meddle):
        quick.referee(60)
    assert quick.head(pull) == pushed
    assert quick.document("rules/301")["title"] == "A dragon"
    quick.referee(60)
    assert "A dictatorship" not in str(quick.document("law"))


@pytest.mark.threat("T-21")
def test_neither_a_harmless_title_nor_what_nobody_sees_hides_anything(quick: QuickMeeting) -> None:
    dictator = rule("Small repairs", script="def decide_electorate(p):\n    return ['ann']")
    pull = quick.open("ann", {"rules/typo.yaml": dictator}, "Fix a typo")
    entities = "&#66;ob wins &lt;b&gt; aGVsbG8="
    coded = quick.open("ann", {"rules/c.yaml": rule("A crow", entities)}, entities)
    hidden = {}
    for sign in ("\u200b", "\u202e", "\u2066", "\U000e0041", "\u00ad", "\ufeff"):
        inside = quick.open("ann", {"rules/a.yaml": rule("A dragon", f"Let it be{sign} so.")}, "A dragon")
        hidden[sign] = (inside, quick.open("bob", {"rules/b.yaml": rule("A bog")}, f"A{sign} bog"))
    quick.referee()
    assert "+ def decide_electorate(p):" in quick.said(pull)
    assert "+     return ['ann']" in quick.said(pull)
    assert f"+ {entities}" in quick.said(coded)
    assert "&amp;＃66;ob" in quick.said(coded) or "&amp;#66;ob" in quick.said(coded)
    for sign, pulls in hidden.items():
        for said in map(quick.said, pulls):
            assert f"{ord(sign):04X}" in said.upper()
            assert sign not in said


@pytest.mark.threat("T-17", "T-74")
def test_dates_and_messages_of_commits_prove_nothing(quick: QuickMeeting) -> None:
    """A vote that claims to be from before the deadline comes after it; a message that names approvers approves nothing."""
    pull = quick.pull(
        quick.change(
            "ann", {f"{HERE}/rules/x.yaml": rule("A dragon")}, "A dragon\n\nReviewed-by: Bob <bob@x.org>\n/vote for"
        )
    )
    quick.referee()
    quick.now += 8 * DAY
    who, now = quick.signature, quick.now
    quick.now = START + 60
    quick.approve("bob", pull)
    assert who("bob").time == START + 60
    quick.now = 253_402_300_799
    far = quick.propose("cid", "A bog")
    quick.now = now
    quick.referee()
    assert quick.proposal(302)["opened_at"] == now
    assert "E-FAULT" not in quick.said(far)
    assert quick.ballots() == {}
    assert quick.proposal(301)["outcome"] == "defeated"
    assert "bob, vote" in quick.said(pull)


@pytest.mark.threat("T-07")
def test_a_merge_smuggles_nothing_past_the_voters(quick: QuickMeeting) -> None:
    """The branch is brought up to date by a merge that changes something else on the way."""
    pull = quick.propose("ann", "A dragon")
    quick.referee()
    adopted(quick, "bob", r9=rule("A bog"))
    head, main = quick.head(pull), quick.tip()
    evil = {f"{HERE}/rules/dragon.yaml": rule("A dictatorship")}
    tree = write_tree(quick.repo, quick.repo[main].tree_id, evil)
    who = quick.signature("ann")
    quick.put(f"refs/pull/{pull}/head", make_commit(quick.repo, tree, [head, main], "Merge branch 'main'", who, who))
    quick.approve("cid", pull)
    with unchanged(quick):
        quick.referee(60)
    assert "other content" in quick.said(pull)
    quick.all_vote(pull)
    assert "A dictatorship" not in str(quick.game().load())


@pytest.mark.threat("T-35")
def test_a_clock_that_comes_to_nothing_commits_nothing(quick: QuickMeeting) -> None:
    """A hundred days of runs, under a law with a timer that strikes every day for nothing."""
    quick.referee()
    before = {name: quick.tip(name) for name in quick.repo.references}
    with Referee(quick.forge, quick.repo, lambda: quick.now) as watching:
        for _ in range(100):
            quick.now += DAY + 61
            assert watching.run().entries == 0
    assert quick.referee().entries == 0
    assert {name: quick.tip(name) for name in quick.repo.references} == before
