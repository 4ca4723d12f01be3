"""Language L13: what a proposal brings sees of its ballots what outsiders see, while it is made law or tried."""

from __future__ import annotations

from folkmoot.core.keys import proposal_key
from folkmoot.kernel.trials import locks_out
from folkmoot.scenarios.trial import rehearse
from tests.support.table import VOTING, Record, Table, rule, script

COUNTS = script("""
    def told():
        return ["%s %d" % (p.number, len([b for b in p.ballots if b.choice == "against"])) for p in BOTH()]

    def BOTH():
        return [proposal(901), proposal(902)]

    def on_rule_enacted(e):
        announce(", ".join(told()))

    def on_proposal_adopted(e):
        announce("later %d" % len(e.proposal.ballots))
""")
BRINGING = {"enact": {"title": "Gain", "text": "Each no-voter gains 1.", "script": COUNTS}}
PLAIN = {"enact": {"title": "Plain", "text": "x"}}
WATCHING = rule("5", "def on_rule_enacted(e):\n    announce('watched %d' % len(e.proposal.ballots))")


def voted(*laws: Record) -> Table:
    """Return a table at which two of three oppose 902, and one of two opposes 901, whose third vote is missing."""
    table = Table(VOTING, *laws)
    table.ok("ann", "propose", changes=[BRINGING])
    table.ok("ann", "propose", changes=[PLAIN])
    for player, choice in {"ann": "for", "bob": "against", "cid": "against"}.items():
        table.ok(player, "vote", proposal=902, choice=choice)
    table.ok("ann", "vote", proposal=901, choice="for")
    table.ok("bob", "vote", proposal=901, choice="against")
    return table


def announced(outcome: object) -> list[str]:
    """Return what was announced."""
    return [e["text"] for e in outcome.effects if e["effect"] == "announce"]  # type: ignore[attr-defined]


def test_it_sees_the_ballots_on_others_and_none_on_itself() -> None:
    """As in A Nomic: it pays the no-voters of the other item, and finds none of its own."""
    table = voted(WATCHING)
    said = announced(table.ok("cid", "vote", proposal=901, choice="for"))
    assert "901 0, 902 2" in said
    assert "watched 3" in said, "rules that it did not bring see all"
    assert "later 3" in said, "once it is law it is a rule as all are"
    table.replay_all()


def test_it_sees_them_where_the_law_displays_ballots_while_votes_run() -> None:
    table = voted(rule("5", "def decide_ballots_displayed(p):\n    return True"))
    assert "901 1, 902 2" in announced(table.ok("cid", "vote", proposal=901, choice="for"))


def test_no_trial_tells_how_anybody_voted() -> None:
    table = voted(WATCHING)
    shown = str(rehearse(table.kernel, [], "", "ann", table.now, proposal="proposal/901"))
    assert "901 0, 902 2" in shown
    assert "later 3" in shown, "all vote for it in the trial, whoever has voted how"
    document = table.kernel.documents[proposal_key("proposal/901")]
    assert table.kernel.look(lambda play: locks_out(play, document), table.now) == ""
    assert table.kernel.play.veiled is None


def test_neither_does_an_order_of_it_that_acts_once() -> None:
    order = {"enact": {"title": "Gain", "once": True, "script": script("""
        def on_proposal_adopted(e):
            announce("%d of its own, %d" % (len(e.proposal.ballots), len(proposal(e.proposal.id).ballots)))
    """)}}  # fmt: skip
    table = Table(VOTING)
    table.ok("ann", "propose", changes=[order])
    for player in ("ann", "bob"):
        table.ok(player, "vote", proposal=901, choice="for")
    assert announced(table.ok("cid", "vote", proposal=901, choice="for")) == ["0 of its own, 0"]


def test_neither_does_a_rule_that_loads_what_it_brings() -> None:
    peek = "def peek(p):\n    return 'peeked %d' % len(p.ballots)\n"
    loading = 'load("rule/{}", "peek", here = "peek")\ndef on_rule_amended(e):\n    announce(peek(e.proposal))\n'
    table = Table(
        VOTING,
        rule("5", loading.format(6)),
        rule("6", 'load("rule/7", f = "peek")\ndef peek(p):\n    return f(p)\n'),
        rule("7", peek),
    )
    table.ok("ann", "propose", changes=[{"amend": "7", "script": peek.replace("peeked", "peeks at")}])
    for player in ("ann", "bob"):
        table.ok(player, "vote", proposal=901, choice="for")
    assert announced(table.ok("cid", "vote", proposal=901, choice="for")) == ["peeks at 0"]
    table.ok("ann", "propose", changes=[{"amend": "900", "text": "Voting."}])
    for player in ("ann", "bob"):
        table.ok(player, "vote", proposal=902, choice="for")
    assert announced(table.ok("cid", "vote", proposal=902, choice="for")) == ["peeks at 3"]
    table.replay_all()
