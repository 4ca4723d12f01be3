"""Who somebody on a forge is in a game, how they are shown, and whether what arrives is believed, by account and key."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from folkmoot.forges.local.letters import Letter
from folkmoot.forges.port import Person
from folkmoot.kernel.names import outlines_of, shown_login
from folkmoot.referee.people import distrust, new_id, player_of, plays, whose
from tests.support.letters import keyed, keys, public, signed, voting
from tests.support.meeting import rule
from tests.support.quick import HERE, SMALL, QuickMeeting, quick, unchanged

__all__ = ["keyed", "keys", "quick", "voting"]

ROSTER: dict[str, Any] = {
    "ann": {"since": 10, "until": None, "email": "Ann@X.org", "handles": {"github": {"id": "12", "login": "annie"}}},
    "bob": {"since": 10, "until": 50, "handles": {"local": {"id": "bob@x.org", "login": "Bob"}}, "email": "old@x.org"},
    "cid": {"since": 70, "until": None, "earlier": [{"since": 10, "until": 20}]},
}


def person(identifier: str) -> Person:
    return Person(id=identifier, handle=identifier)


@pytest.mark.parametrize(
    ("forge", "identifier", "player"),
    [
        ("local", "ann@x.org", "ann"),
        ("local", "bob@x.org", "bob"),
        ("local", "old@x.org", None),  # a handle takes the place of the address
        ("github", "12", "ann"),
        ("github", "annie", None),  # a login may be given up and taken by others
        ("github", "ann@x.org", None),
        ("local", "", None),
    ],
)
def test_who_is_who(forge: str, identifier: str, player: str | None) -> None:
    assert player_of(ROSTER, forge, person(identifier)) == player


@pytest.mark.parametrize(
    ("player", "at", "played"),
    [("ann", 9, False), ("ann", 10, True), ("bob", 50, True), ("bob", 51, False), ("cid", 15, True), ("cid", 30, False),
     ("cid", 70, True), ("zed", 70, False), (None, 70, False)],
)  # fmt: skip
def test_a_stranger_of_then_stays_one(player: str | None, at: int, played: bool) -> None:
    assert plays(ROSTER, player, at) is played


KEYS = {
    "ann": {"keys": [{"key": "K1", "since": 10, "until": 30}, {"key": "K2", "since": 20, "until": None}]},
    "bob": {},
}


@pytest.mark.parametrize(
    ("player", "key", "at", "believed"),
    [
        ("bob", "", 15, True),  # a group that trusts itself
        ("bob", "K9", 15, True),
        ("ann", "", 9, True),  # they had named no key then
        ("ann", "", 10, False),
        ("ann", "K1", 29, True),
        ("ann", "K1", 30, False),  # withdrawn, whatever date the commit claims
        ("ann", "K2", 19, False),
        ("ann", "K2", 20, True),
        ("ann", "K9", 25, False),
    ],
)
def test_signatures_are_judged_by_the_time_of_arrival(player: str, key: str, at: int, believed: bool) -> None:
    assert (distrust(KEYS, player, key, at) == "") is believed


@pytest.mark.parametrize(
    ("handle", "asked", "expected"),
    [("Dan D.", "", "Dan-D"), ("ann", "", "ann-2"), ("ANN", "", "ANN-2"), ("7up", "", "player-7up"), ("Ünal", "", "nal"),
     ("…", "", "player"), ("x" * 90, "", "x" * 30), ("dan", "dd", "dd")],
)  # fmt: skip
def test_ids_of_newcomers(handle: str, asked: str, expected: str) -> None:
    assert new_id(ROSTER, handle, asked) == expected


# -- accounts that look like a player's

ALIKE: dict[str, Any] = {
    "ann": {"name": "Ann", "surname": "Abel", "handles": {"gitea": {"id": "7", "login": "tea-time"}}},
    "ANN-2": {"handles": {"gitea": {"id": "8", "login": "\u0430nn"}}},
    "bob": {"handles": {"gitea": {"id": "1", "login": "bob"}}},
}


def test_a_strangers_account_is_never_taken_for_a_player() -> None:
    """By id, by what they are called, and by the name of their account: other capitals, other scripts."""
    for login in ("ann", "Ann", "\u0430nn", "\u1d00nn", "Ann Abel", "TEA-TIME", "tea-t\u0456me", "b0b", "ANN-2"):
        assert whose(Person(id="99", handle=login), ALIKE, "gitea") == f"{login} (99)"
        assert whose(Person(id="99", handle=login), {}, "gitea", ALIKE) == f"{login} (99)"
        assert whose(Person(id="7", handle=login), ALIKE, "gitea") == "ann"
    assert whose(Person(id="99", handle="Eve"), ALIKE, "gitea") == "Eve"
    assert whose(Person(id="bob", handle="bob"), ALIKE, "local") == "bob", "where accounts have no other number"


def test_nor_is_a_players_own_account() -> None:
    outlines = outlines_of(ALIKE)
    for player, handle, shown in (
        ("ANN-2", ALIKE["ANN-2"]["handles"]["gitea"], "\u0430nn (account 8)"),
        ("ann", {"id": "7", "login": "tea-time"}, "tea-time"),
        ("bob", {"id": "1", "login": "bob"}, "bob"),
        ("ann", {"id": "7", "login": "B0B"}, "B0B (account 7)"),
    ):
        assert shown_login(player, handle, outlines) == shown


def test_every_sentence_tells_a_second_ann_apart(quick: QuickMeeting) -> None:
    """Refused, joined, pushing: be it on a pull request, in the thread, or where no game is meant."""
    false = "Ann <eve@x.org>"
    pull = quick.open("ann", {"rules/x.yaml": rule("X")})
    nowhere = quick.pull(quick.change(false, {"engine/x.py": b"x"}))
    quick.referee(60)
    for place in (pull, nowhere, 0):
        quick.say(false, place, "/vote for")
    quick.approve(false, nowhere)
    quick.referee(60)
    for place in (pull, nowhere, 0):
        assert "Ann (eve" in quick.said(place).replace("\\", ""), quick.said(place)
    quick.say(false, 0, "/join id=Ann")
    quick.say(false, 0, "/join name='Ann'")
    quick.referee(60)
    joined = set(quick.document("roster")) - {"ann", "bob", "cid", "dee"}
    assert [quick.document("roster")[player].get("name") == "Ann" for player in joined] in ([], [False])


def test_nobody_takes_an_administrator_s_name(tmp_path: Path) -> None:
    """Root keeps the game and does not play; a stranger who calls themselves so is a stranger."""
    quick = QuickMeeting(tmp_path, law={**SMALL, "administrators": ["root"]})
    for ask in ("/join id=root", f'/do add_key player=bob key="ssh-ed25519 {"A" * 68}"', "/join id=Root"):
        quick.say("root <eve@x.org>", 0, ask)
        quick.referee(60)
        roster = quick.document("roster")
        assert "root" not in {player.lower() for player in roster}
        assert not roster["bob"].get("keys")
        assert "root" in quick.said(0)


# -- signatures


@pytest.mark.threat("T-17")
def test_a_forged_author_has_no_signature(keyed: QuickMeeting, keys: dict[str, Path]) -> None:
    """Eve writes as Ann: without a signature, and with one of her own."""
    keyed.say("ann", 1, "/vote against")
    signed(keyed, keys["eve"], Letter(pull=1, kind="comment", body="/vote against"))
    keyed.say("ann", 0, f'/do revoke_key key="{public(keys["ann"])}"')
    keyed.say("ann", 0, "/leave")
    keyed.say("ann", 0, "/join")
    forged = keyed.propose("ann", "Ann resigns")
    with unchanged(keyed):
        keyed.referee()
    assert "it carries no good signature, and ann signs what they send" in keyed.said(1)
    assert "it is signed with a key that is not ann's" in keyed.said(1)
    assert "no good signature" in keyed.said(0)
    assert "no good signature" in keyed.said(forged)
    signed(keyed, keys["ann"], Letter(pull=1, kind="comment", body="/vote for"))
    keyed.referee(60)
    assert keyed.ballots() == {"ann": "for"}


def test_a_key_that_was_withdrawn(keyed: QuickMeeting, keys: dict[str, Path]) -> None:
    """What was signed with it counts until it was withdrawn, whatever date a commit claims."""
    signed(keyed, keys["ann"], Letter(pull=1, kind="comment", body="/vote for"))
    keyed.referee()
    signed(keyed, keys["ann"], Letter(pull=0, kind="comment", body=f'/do add_key key="{public(keys["new"])}"'))
    signed(keyed, keys["ann"], Letter(pull=0, kind="comment", body=f'/do revoke_key key="{public(keys["ann"])}"'))
    keyed.referee(60)
    keyed.now -= 1_000
    signed(keyed, keys["ann"], Letter(pull=1, kind="comment", body="/vote against"))
    keyed.now += 2_000
    with unchanged(keyed):
        keyed.referee()
    assert "its key was withdrawn by ann before it arrived" in keyed.said(1)
    assert keyed.ballots() == {"ann": "for"}
    signed(keyed, keys["new"], Letter(pull=1, kind="comment", body="/vote against"))
    keyed.referee(60)
    assert keyed.ballots() == {"ann": "against"}


def test_a_letter_that_is_sent_again_by_somebody_else(keyed: QuickMeeting, keys: dict[str, Path]) -> None:
    """Eve pushes Ann's old signed letter under a name of her own, alone and inside of a chain."""
    old = signed(keyed, keys["ann"], Letter(pull=1, kind="comment", body="/vote for"))
    signed(keyed, keys["ann"], Letter(pull=1, kind="comment", body="/vote against"))
    keyed.referee()
    keyed.put("refs/moot/letters/eve", old)
    with unchanged(keyed):
        keyed.referee(60)
        keyed.send("eve", Letter(pull=1, kind="comment", body="hello"), chain="eve")
        keyed.referee(60)
    assert keyed.ballots() == {"ann": "against"}
    signed(keyed, keys["ann"], Letter(pull=0, kind="comment", body="/leave"))
    keyed.referee(60)
    keyed.now += 60
    keyed.say("ann", 0, "/join")
    with unchanged(keyed):
        keyed.referee()
    assert "it carries no good signature" in keyed.said(0), "they come back with their own key only"


def test_a_pull_request_signed_by_its_author_is_closed_by_them_alone(
    keyed: QuickMeeting, keys: dict[str, Path]
) -> None:
    who = {"GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@x.org"}
    content = keyed.change("ann", {f"{HERE}/rules/x.yaml": rule("Signed")}, "Signed")
    words = ["-c", "gpg.format=ssh", "-c", f"user.signingkey={keys['ann']}", "commit-tree", "-S", f"{content}^{{tree}}"]
    command = ["git", "-C", str(keyed.bare), *words, "-p", keyed.tip(), "-m", "Signed"]
    environment = {**who, "GIT_COMMITTER_NAME": "Ann", "GIT_COMMITTER_EMAIL": "ann@x.org", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    pull = keyed.pull(done.stdout.strip())
    keyed.referee(60)
    assert keyed.proposal(302)["author"] == "ann"
    keyed.send("ann", Letter(pull=pull, kind="close"))
    with unchanged(keyed):
        keyed.referee(60)
    signed(keyed, keys["ann"], Letter(pull=1, kind="comment", body="/withdraw"))
    signed(keyed, keys["ann"], Letter(pull=pull, kind="close"))
    keyed.referee(60)
    assert keyed.proposal(302)["outcome"] == "withdrawn"
