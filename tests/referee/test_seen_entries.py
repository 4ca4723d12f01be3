"""What the author of a letter had seen is on record: it is held against the chain, and no stranger's word spoils it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygit2
import pytest

from folkmoot.forges.local.letters import Letter
from folkmoot.forges.local.players_repository import Author
from folkmoot.game.verify import Report, replayed_anew, verify
from folkmoot.journal.git_objects import write_tree
from folkmoot.journal.layout import entry_name
from folkmoot.journal.record import Head, head_bytes
from folkmoot.journal.tree import GameTree
from tests.support.meeting import GAME
from tests.support.quick import QuickMeeting
from tests.support.signed_letters import keys, public, signed

__all__ = ["keys"]


@pytest.fixture
def meeting(tmp_path: Path) -> QuickMeeting:
    return QuickMeeting(tmp_path)


def send(meeting: QuickMeeting, person: str, body: str, seen: str) -> None:
    """Send what a clone sends that signs: it names the game, and what its author had seen."""
    letter = Letter(pull=0, kind="comment", body=body, seen=seen, game=meeting.game().founding)
    meeting.seat(person).send(letter, Author(person.capitalize(), f"{person}@x.org"), at=meeting.now)


def standing(meeting: QuickMeeting) -> Any:
    return meeting.seat("ann").standing()


def proof(game: GameTree) -> Report:
    return verify(game, replayed_anew(game))


def test_what_a_letter_had_seen_is_recorded_and_told(meeting: QuickMeeting) -> None:
    send(meeting, "ann", "/do state one", standing(meeting).main)
    meeting.referee(60)
    send(meeting, "bob", "/do state two", standing(meeting).forge)
    meeting.referee(60)
    game = meeting.game()
    seen = [game.entry(seq).get("via", {}).get("seen") for seq in (1, 2, 3)]
    digests = [game.entry(2)["prev"], game.entry(3)["prev"]]
    assert seen == [None, *({"seq": n, "digest": d, "unsigned": True} for n, d in enumerate(digests, 1))]
    report = proof(game)
    assert report.sound, report.problems
    said = "letters of 2 of 4 people vouch for entry 1 or later; the newest for entry 2 of 3"
    assert f"by the word of the host alone, votes, pushes and {said}" in report.facts


def test_what_is_signed_is_told_apart(meeting: QuickMeeting, keys: dict[str, Path]) -> None:
    meeting.say("ann", 0, f'/do add_key key="{public(keys["ann"])}"')
    meeting.referee(60)
    signed(meeting, keys["ann"], Letter(pull=0, kind="comment", body="/do state one"))
    meeting.referee(60)
    game = meeting.game()
    assert game.entry(3)["via"]["seen"] == {"seq": 2, "digest": game.entry(3)["prev"]}
    report = proof(game)
    assert report.sound, report.problems
    assert "letters of 1 of 4 people vouch for entry 2 or later; the newest for entry 2 of 3" in report.facts


@pytest.mark.parametrize("seen", ["0" * 40, "letter"])
def test_a_letter_that_lies_about_it_is_not_recorded(meeting: QuickMeeting, seen: str) -> None:
    refs = standing(meeting).refs
    own = meeting.change("cid", {"state/x": b"x"})
    send(meeting, "cid", "/do state lie", own if seen == "letter" else seen)
    meeting.referee(60)
    assert meeting.game().head.seq == 1, refs
    assert proof(meeting.game()).sound


def test_a_record_that_another_seen_entry_contradicts_is_damaged(meeting: QuickMeeting) -> None:
    send(meeting, "ann", "/do state one", standing(meeting).main)
    meeting.referee(60)
    game = meeting.game()
    text = (game.read(entry_name(2)) or b"").decode()
    digest = game.entry(2)["via"]["seen"]["digest"]
    forged = text.replace(f"digest: {digest}", f"digest: {'ab' * 32}").encode()
    assert forged != text.encode()
    from folkmoot.core.digest import bytes_digest

    head = head_bytes(Head(2, bytes_digest(forged), game.head.at))
    repo = pygit2.Repository(game.repo.path)
    tree = write_tree(repo, repo[game.commit_id].peel(pygit2.Tree).id,
                      {f"state/{GAME}/{entry_name(2)}": forged, f"state/{GAME}/head.yaml": head})  # fmt: skip
    who = pygit2.Signature("Host", "host@x.org", meeting.now, 0)
    made = repo.create_commit(None, who, who, "x", tree, [pygit2.Oid(hex=game.commit_id)])
    report = proof(GameTree(repo, str(made), GAME))
    assert any("had seen another entry 1 than the one that stands here" in p.message for p in report.problems)
