"""Every way in which games of this kind were broken, tried through the whole referee: each fails, and says why.

The numbers are those of the list of abuses that the engine was designed against.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.digest import event_digest
from folkmoot.core.fault_points import fault_hook
from folkmoot.forges.local.letters import Letter
from folkmoot.journal.git_objects import make_commit, write_tree
from folkmoot.kernel.chance import commitment, open_chance, secret_chance, subkey
from folkmoot.referee.run import Referee
from tests.support.abuse import DAY, HERE, adopted, quick, unchanged
from tests.support.meeting import GAME, PLAYERS, START, rule
from tests.support.quick import SMALL, QuickMeeting

__all__ = ["quick"]


@contextmanager
def unmoved(meeting: QuickMeeting) -> Iterator[None]:
    """Make sure that refusals are recorded at most: everything but the journal and the list of facts stays."""

    def documents() -> dict[str, Any]:
        return {key: value for key, value in meeting.game().load().items() if key != "head"}

    before = documents()
    yield
    assert documents() == before


@pytest.mark.parametrize(
    "act", ["/give bob 5", "/give to=bob amount=5", "/give to=bob amount=-5", "/give to=mallory amount=0"]
)
def test_01_a_transfer_makes_neither_points_nor_players(quick: QuickMeeting, act: str) -> None:
    adopted(quick, "ann")
    quick.say("bob", 0, act)
    with unmoved(quick):
        quick.referee(60)
    assert quick.scores() == {"ann": 1, "bob": 0, "cid": 0, "dee": 0}
    assert "Was refused" in quick.said(0) or "Has no effect" in quick.said(0)


@pytest.mark.threat("T-23")
def test_02_dice_cannot_be_ground_out_by_commits(quick: QuickMeeting) -> None:
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


@pytest.mark.threat("T-26")
def test_03_a_hundred_pull_requests_with_the_same_file(quick: QuickMeeting) -> None:
    """Each is a proposal with a number of its own, and pays what one adoption pays, once."""
    for _ in range(100):
        quick.now += 1
        quick.propose("ann", "A dragon")
    quick.referee(60)
    numbers = [entry["effects"][0]["of"] for entry in quick.journal() if entry["do"] == "propose"]
    assert numbers == [f"proposal/{number}" for number in range(301, 401)]
    for voter in PLAYERS:
        quick.say(voter, 1, "/vote for")
        quick.say(voter, 2, "/vote for")
    quick.referee(60)
    quick.referee(60)
    assert quick.scores()["ann"] == 2
    metas = quick.document("law")["rules"]
    assert len(metas) == len({meta["number"] for meta in metas.values()}) == 5
    assert not quick.tip("refs/heads/x")


@pytest.mark.threat("T-15")
def test_04_a_push_wipes_no_vote_and_is_not_merged_unseen(quick: QuickMeeting) -> None:
    pull = quick.propose("ann", "A dragon")
    quick.referee()
    seen = quick.head(pull)
    quick.say("bob", pull, "", "request_changes")
    quick.approve("cid", pull)
    quick.referee(60)
    pushed = quick.change("ann", {f"{HERE}/rules/dragon.yaml": rule("A dictatorship")})
    quick.put(f"refs/pull/{pull}/head", pushed)
    quick.referee(60)
    assert quick.ballots() == {"bob": "against", "cid": "for"}
    assert "newer content is not" in quick.said(pull)
    for voter in ("ann", "dee"):
        quick.say(voter, pull, "/vote for")
    quick.referee(60)
    assert quick.document("rules/301")["title"] == "A dragon"
    parents = [str(each) for each in quick.repo[quick.tip()].parent_ids]
    assert seen in parents
    assert pushed not in parents


@pytest.mark.threat("T-07")
def test_04_a_push_between_the_last_look_and_the_merge(quick: QuickMeeting) -> None:
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
def test_05_a_harmless_title_hides_nothing(quick: QuickMeeting) -> None:
    dictator = rule("Small repairs", script="def decide_electorate(p):\n    return ['ann']")
    pull = quick.open("ann", {"rules/typo.yaml": dictator}, "Fix a typo")
    quick.referee()
    said = quick.said(pull)
    assert "+ def decide_electorate(p):" in said
    assert "+     return ['ann']" in said


@pytest.mark.threat("T-14")
def test_06_several_accounts_for_one_person_are_no_players(quick: QuickMeeting) -> None:
    pull = quick.propose("ann")
    quick.referee()
    for number in range(9):
        quick.approve(f"Ann <ann{number}@x.org>", pull)
        quick.approve(f"ann@x.org <sock{number}@x.org>", pull)
    with unchanged(quick):
        quick.referee(60)
    assert re.search(r"Ann \(\S+\), vote: Ann \(\S+\) is no player of this game", quick.said(pull))


@pytest.mark.threat("T-06")
def test_07_08_nothing_of_a_pull_request_is_run(quick: QuickMeeting, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    run = f"touch {trace}"
    hostile = {
        ".github/workflows/judge.yaml": f"on: pull_request_target\njobs: {{a: {{steps: [{{run: {run}}}]}}}}\n".encode(),
        "requirements.txt": f"./evil; $({run})\n".encode(),
        ".gitattributes": b"* filter=evil diff=evil merge=evil\n",
        ".gitmodules": f'[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "{run}"\n'.encode(),
        "setup.py": f"import os; os.system({run!r})\n".encode(),
        f"{HERE}/rules/dragon.yaml": rule(f"$({run})", f"`{run}`"),
    }
    pull = quick.pull(quick.change("ann", hostile, f"$({run}) `{run}`; {run}"))
    with unchanged(quick):
        quick.referee()
    assert not trace.exists()
    said = quick.said(pull)
    assert "This cannot be taken" in said
    assert all(f"`{name}`" in said for name in hostile if not name.startswith("state/"))
    assert not any(name.startswith(".git") for name in (entry.name for entry in quick.repo[quick.tip()].tree))


@pytest.mark.threat("T-17")
def test_09_dates_and_messages_of_commits_prove_nothing(quick: QuickMeeting) -> None:
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
    quick.now = now
    quick.referee()
    assert quick.ballots() == {}
    assert quick.proposal(301)["outcome"] == "defeated"
    assert "bob, vote" in quick.said(pull)


def test_10_hundreds_of_votes_are_all_counted(tmp_path: Path) -> None:
    people = [{"id": f"p{n}", "email": f"p{n}@x.org"} for n in range(250)]
    quick = QuickMeeting(tmp_path, law={**SMALL, "players": people, "administrators": ["p0"]})
    pull = quick.propose("p0")
    quick.referee()
    for person in people:
        quick.say(person["id"], pull, "/vote against" if int(person["id"][1:]) % 5 == 0 else "/vote for")
    quick.referee(60)
    tally = list(quick.ballots().values())
    assert (tally.count("for"), tally.count("against")) == (200, 50)
    assert quick.proposal(301)["outcome"] == "adopted"


@pytest.mark.threat("T-16")
def test_10_a_dismissed_review_is_no_veto_and_revives_no_older_one(quick: QuickMeeting) -> None:
    pull = quick.propose("ann")
    quick.referee()
    quick.approve("bob", pull)
    quick.referee(60)
    veto = quick.say("bob", pull, "No!", "request_changes")
    unseen = quick.say("cid", pull, "No!", "request_changes")
    quick.send("dee", Letter(pull=pull, kind="dismiss", of=unseen))
    quick.referee(60)
    assert quick.ballots() == {"bob": "against"}
    assert "taken back by dee before it was recorded" in quick.said(pull)
    quick.send("ann", Letter(pull=pull, kind="dismiss", of=veto))
    with unchanged(quick):
        quick.referee(60)
    assert "bob, a remark was taken back after it counted: what was recorded stands" in quick.said(pull)


@pytest.mark.threat("T-07")
def test_11_a_merge_smuggles_nothing_past_the_voters(quick: QuickMeeting) -> None:
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
    for voter in PLAYERS:
        quick.say(voter, pull, "/vote for")
    quick.referee(60)
    assert "A dictatorship" not in str(quick.game().load())


@pytest.mark.threat("T-35")
def test_12_a_clock_that_comes_to_nothing_commits_nothing(quick: QuickMeeting) -> None:
    """23 months of runs, under a law with a timer that strikes every day for nothing."""
    quick.referee()
    before = {name: quick.tip(name) for name in quick.repo.references}
    with Referee(quick.forge, quick.repo, lambda: quick.now) as watching:
        for _ in range(23 * 30):
            quick.now += DAY + 61
            assert watching.run().entries == 0
    assert quick.referee().entries == 0
    assert {name: quick.tip(name) for name in quick.repo.references} == before


@pytest.mark.threat("T-12")
def test_13_what_is_no_player_s_counts_for_nothing(quick: QuickMeeting) -> None:
    mine = quick.propose("ann")
    quick.referee()
    theirs = quick.propose("eve", "Eve plays")
    quick.approve("eve", mine)
    quick.say("eve", mine, "/vote against")
    quick.say("eve", 0, "/do give to=eve amount=1")
    quick.say("eve", 0, "/withdraw")
    with unchanged(quick):
        quick.referee(60)
    for number in (mine, theirs, 0):
        assert "Eve is no player of this game" in quick.said(number)


@pytest.mark.threat("T-22")
def test_14_what_anybody_may_set_holds_nothing(quick: QuickMeeting) -> None:
    pull = quick.propose("ann")
    quick.referee()
    head = quick.head(pull)
    for ref in (
        "refs/heads/adopted",
        "refs/tags/adopted",
        f"refs/pull/{pull}/merge",
        "refs/notes/commits",
        "refs/moot/said",
    ):
        quick.put(ref, head)
    quick.send("eve", Letter(pull=pull, kind="close"))
    quick.send("eve", Letter(pull=pull, kind="describe", body="ADOPTED"))
    with unchanged(quick):
        quick.referee(60)
    assert quick.proposal(301)["state"] == "open"
    assert "ADOPTED" not in quick.said(pull)
    whys = [note.why for note in quick.forge.ignored()]
    assert "only Ann may close that" in whys
    assert "only Ann may describe that" in whys


ECHOES = {
    "quoted": "> /vote for",
    "code": "```\n/vote for\n```",
    "indented": "    /vote for",
    "in a sentence": "You agree by sending /vote for",
    "in a comment of HTML": "<!--\n/vote for\n-->",
    "in a comment of HTML on one line": "<!-- /vote for -->",
    "in a comment of HTML that is not closed": "<!-- a\n\n/vote for",
    "in a comment of HTML inside of a sentence": "Hello <!-- a\n/vote for\n--> there",
    "in a comment of HTML after another": "<!-- a --> <!-- b\n/vote for\n-->",
    "in a details block of a quotation": "> <details>\n> /vote for",
}


@pytest.mark.threat("T-18")
@pytest.mark.parametrize("echo", ECHOES)
def test_15_an_echo_agrees_to_nothing(quick: QuickMeeting, echo: str) -> None:
    pull = quick.propose("ann")
    quick.referee()
    quick.say("bob", pull, ECHOES[echo])
    with unchanged(quick):
        quick.referee(60)


@pytest.mark.threat("T-07")
def test_16_nobody_acts_between_a_decision_and_its_effect(quick: QuickMeeting) -> None:
    """While one referee decides, another records: the first loses the race, and judges anew what it finds."""
    pull = quick.propose("ann")
    quick.referee()
    for voter in PLAYERS:
        quick.say(voter, pull, "/vote for")
    slow: list[str] = []

    def meddle(point: str) -> None:
        if point == "before-push" and len(slow) < 2 and slow.append(point) is None and len(slow) == 2:
            quick.say("dee", 0, "/do state text=meanwhile")
            quick.referee(1)

    with fault_hook(meddle):
        quick.referee(60)
    assert len(slow) == 2
    quick.referee(60)
    done = [(entry["do"], entry.get("by")) for entry in quick.journal()][2:]
    assert done == [("vote", "ann"), ("vote", "bob"), ("vote", "cid"), ("vote", "dee"), ("state", "dee")]
    assert quick.scores()["ann"] == 1
    assert quick.sound()


@pytest.mark.threat("T-05")
def test_17_nobody_is_deregistered_by_hand_or_by_file(quick: QuickMeeting) -> None:
    """The roster is no file of a pull request, and who could vote when it opened is who is asked."""
    pull = quick.open("ann", {"roster.yaml": b"ann: {name: ann, since: 0, until: null, handles: {}}\n"})
    with unchanged(quick):
        quick.referee()
    assert "roster.yaml" in quick.said(pull)
    assert "This cannot be taken" in quick.said(pull)


@pytest.mark.threat("T-21")
@pytest.mark.parametrize("hidden", ["\u200b", "\u202e", "\u2066", "\U000e0041", "\u00ad", "\ufeff"])
def test_18_what_nobody_sees_is_refused_or_shown(quick: QuickMeeting, hidden: str) -> None:
    inside = quick.open("ann", {"rules/a.yaml": rule("A dragon", f"Let it be{hidden} so.")}, "A dragon")
    title = quick.open("bob", {"rules/b.yaml": rule("A bog")}, f"A{hidden} bog")
    quick.referee()
    code = f"{ord(hidden):04X}"
    assert code in quick.said(inside).upper()
    assert hidden not in quick.said(inside)
    assert hidden not in quick.said(title)
    assert code in quick.said(title).upper()


@pytest.mark.threat("T-21")
def test_18_entities_and_encodings_are_shown_as_they_are(quick: QuickMeeting) -> None:
    told = "&#66;ob wins &lt;b&gt; aGVsbG8="
    pull = quick.open("ann", {"rules/a.yaml": rule("A dragon", told)}, told)
    quick.referee()
    said = quick.said(pull)
    assert f"+ {told}" in said
    assert "&amp;＃66;ob" in said or "&amp;#66;ob" in said


@pytest.mark.parametrize(
    ("file", "data", "why"),
    [
        ("rules/a.yaml", rule("A dragon") + b"scirpt: |\n  pass\n", "did you mean"),
        ("rules/a.yaml", rule("A dragon") + b"labels: {status: mutable, script: x, forbid: [1]}\n", "forbid"),
        ("rules/a.yaml", rule("A dragon") + b"title: Another\n", "title"),
        ("inbox/a.yaml", b"do: state\nargs: {text: hello}\nby: bob\n", "by"),
        ("inbox/a.yaml", b"do: state\nargs: {txet: hello}\n", "txet"),
    ],
)
def test_19_a_key_in_the_wrong_place_is_not_ignored(quick: QuickMeeting, file: str, data: bytes, why: str) -> None:
    pull = quick.open("ann", {file: data})
    with unmoved(quick):
        quick.referee()
    assert why in quick.said(pull)
    assert any(word in quick.said(pull) for word in ("This cannot be taken", "Was refused", "Has no effect"))


@pytest.mark.parametrize(
    ("votes", "outcome"), [("ff", "defeated"), ("fff", "adopted"), ("ffaa", "defeated"), ("fffa", "adopted")]
)
def test_20_ties_and_exact_thresholds_are_exact(quick: QuickMeeting, votes: str, outcome: str) -> None:
    pull = quick.propose("ann")
    quick.referee()
    for voter, vote in zip(PLAYERS, votes, strict=False):
        quick.say(voter, pull, "/vote for" if vote == "f" else "/vote against")
    quick.referee(60)
    quick.referee(8 * DAY)
    assert quick.proposal(301)["outcome"] == outcome
    assert outcome in quick.said(pull)
