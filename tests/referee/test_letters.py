"""Letters in repositories that anybody may push to: copied, rewritten, lying about what they saw, or unreadable."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pygit2
import pytest
from msgspec.structs import replace

from folkmoot.core.digest import bytes_digest
from folkmoot.core.versions import versions
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Letter
from folkmoot.forges.local.players_repository import Author, PlayersRepository
from folkmoot.forges.port import Person
from folkmoot.game.session import Session
from folkmoot.game.verify import Report, replayed_anew, verify
from folkmoot.journal.layout import entry_name
from folkmoot.journal.record import Head, head_bytes
from folkmoot.journal.tree import GameTree, foundings
from folkmoot.referee.run import Referee
from tests.support.letters import keyed, keys, voting
from tests.support.meeting import GAME, START, git, make_commit, rule, write_tree
from tests.support.quick import MAIN, SMALL, QuickMeeting, quick, unchanged
from tests.support.seats import Seats, Sit

__all__ = ["keyed", "keys", "quick", "voting"]

ANN = Author("Ann", "ann@x.org", signs=True)


def written(quick: QuickMeeting, key: Path, letter: Letter) -> str:
    """Send a letter exactly as it is, signed, as a hand with git would."""
    seat = PlayersRepository(quick.bare)
    for name, value in (("gpg.format", "ssh"), ("user.signingkey", str(key)), ("commit.gpgsign", "true")):
        git(quick.bare, "config", name, value)
    ref = "refs/moot/letters/ann@x-org"
    tree = write_tree(quick.repo, None, {"letter.yaml": letter.as_file().encode()})
    made = seat.write(str(tree), [tip] if (tip := quick.tip(ref)) else [], "approve\n", ANN, quick.now)
    quick.put(ref, made)
    return made


def bound(quick: QuickMeeting, **fields: str) -> Letter:
    game = next(iter(foundings(quick.repo, quick.tip()).values()))
    letter = Letter(pull=1, kind="approve", head=quick.head(1), seen=quick.tip(), game=game)
    return replace(letter, **fields)  # type: ignore[arg-type]


# -- copied


@pytest.mark.threat("T-70")
def test_a_signed_review_of_a_copy_votes_in_the_copy_alone(
    keyed: QuickMeeting, keys: dict[str, Path], tmp_path: Path
) -> None:
    copy = tmp_path / "copy.git"
    shutil.copytree(keyed.bare, copy)
    PlayersRepository(copy).send(
        Letter(pull=0, kind="comment", body="We try it here."), Author("Eve", "eve@x.org"), at=keyed.now
    )
    with Referee(LocalForge(copy), pygit2.Repository(str(copy)), lambda: keyed.now + 5) as referee:
        referee.run()
    for name, value in (("gpg.format", "ssh"), ("user.signingkey", str(keys["ann"])), ("commit.gpgsign", "true")):
        git(copy, "config", name, value)
    letter = PlayersRepository(copy).send(Letter(pull=1, kind="approve", head=keyed.head(1)), ANN, at=keyed.now)
    git(keyed.bare, "fetch", "--quiet", str(copy), f"{letter}:refs/moot/letters/eve")
    with unchanged(keyed):
        keyed.referee(60)
    assert keyed.ballots() == {}
    assert "written for another table" in keyed.ignored("ann")[letter]


@pytest.mark.threat("T-70")
def test_what_is_signed_names_game_and_commit(keyed: QuickMeeting, keys: dict[str, Path]) -> None:
    gone = "is no longer on the game's branch"
    for fields, why in (
        ({"game": ""}, "no game"),
        ({"seen": ""}, "no commit"),
        ({"game": "0" * 64}, "no game"),
        ({"seen": "0" * 40}, gone),
        ({"seen": keyed.head(1)}, gone),
        ({}, ""),
    ):
        made = written(keyed, keys["ann"], bound(keyed, **fields))
        keyed.referee(60)
        assert keyed.ballots() == ({} if why else {"ann": "for"})
        assert why in keyed.ignored("ann").get(made, "")


@pytest.mark.threat("T-70")
def test_a_letter_for_another_game_of_the_repository(quick: QuickMeeting) -> None:
    record = GameTree(quick.repo, quick.tip(), "bog")
    people = [{"id": "ann", "email": "ann@x.org"}]
    given = {
        **SMALL,
        "title": "Bog",
        "players": people,
        "administrators": ["ann"],
        "forge": "local",
        "engine": versions(),
    }
    assert Session.found(record, given, START).accepted
    quick.put(MAIN, record.commit("Found\n", "Root <root@x.org>", START, committer="Root <root@x.org>"))
    body = "/game moor\n/do state text=hello"
    for game, entries in ("bog", 1), ("moor", 2):
        quick.send("ann", Letter(pull=0, kind="comment", body=body, seen=quick.tip(), game=quick.game(game).founding))
        quick.referee(60)
        assert len(quick.journal()) == entries
        assert entries == 2 or "it is signed for another game" in quick.said(0)


# -- rewritten

OWN = "refs/moot/letters/bob@x-org"


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats()


def letter(table: Seats, body: str, parents: list[str], pull: int = 0) -> str:
    """Return a letter of bob's on top of any commits."""
    tree = write_tree(table.repo, None, {"letter.yaml": f"pull: {pull}\nkind: comment\nbody: {body}\n".encode()})
    who = table.signature("bob")
    return make_commit(table.repo, tree, parents, "x\n", who, who)


@pytest.mark.threat("T-97")
def test_letters_in_the_place_of_recorded_ones_are_heard(table: Seats) -> None:
    """Also what a referee saw before whoever may push took it out; and a changed vote counts."""
    pull = table.open("ann", {"rules/x.yaml": rule("X")})
    table.put(OWN, letter(table, "/state one", []))
    table.referee(60)
    table.put(OWN, letter(table, "/state two", []))
    table.forge.look(table.now)
    table.put(OWN, letter(table, "/vote for", [], pull))
    table.referee(60)
    assert [entry["with"]["text"] for entry in table.journal() if entry["do"] == "state"] == ["one", "two"]
    assert table.ballots() == {"bob": "for"}
    table.put(OWN, letter(table, "/vote against", [], pull))
    table.referee(60)
    assert table.ballots() == {"bob": "against"}


def test_a_merge_with_main_before_the_letters_is_heard(table: Seats) -> None:
    first = letter(table, "/state one", [])
    table.put(OWN, first)
    table.referee(60)
    table.put(OWN, letter(table, "/state two", [table.tip(MAIN), first]))
    table.referee(60)
    assert "two" in str(table.journal()[-1]["with"])
    said = table.status("bob")
    assert "Ignored" not in said, "what is below the letters is nobody's letter"
    assert "Ignored" not in table.status("ann")


@pytest.mark.threat("T-16", "T-97")
@pytest.mark.parametrize("done", ["edited", "deleted", "taken back"])
def test_a_recorded_vote_stands_and_its_author_is_told(table: Seats, done: str) -> None:
    pull = table.open("ann", {"rules/x.yaml": rule("X")})
    vote = table.say("bob", pull, "", "approve")
    table.referee(60)
    bob = Person(id="bob@x.org", handle="Bob")
    table.changed_later(pull, vote, **({"dismissed_by": bob} if done == "taken back" else {done: True}))
    table.referee(60)
    assert f"bob, a remark was {done} after it counted: what was recorded stands" in table.said(pull)
    assert table.ballots() == {"bob": "for"}


# -- what their authors had seen


def send(quick: QuickMeeting, person: str, body: str, seen: str) -> None:
    """Send what a clone sends that signs: it names the game, and what its author had seen."""
    letter = Letter(pull=0, kind="comment", body=body, seen=seen, game=quick.game().founding)
    quick.seat(person).send(letter, Author(person.capitalize(), f"{person}@x.org"), at=quick.now)


def standing(quick: QuickMeeting) -> Any:
    return quick.seat("ann").refs.read()


def proof(game: GameTree) -> Report:
    return verify(game, replayed_anew(game))


def test_what_a_letter_had_seen_is_recorded_and_told(quick: QuickMeeting) -> None:
    send(quick, "ann", "/do state one", standing(quick).main)
    quick.referee(60)
    send(quick, "bob", "/do state two", standing(quick).forge)
    quick.referee(60)
    game = quick.game()
    seen = [game.entry(seq).get("via", {}).get("seen") for seq in (1, 2, 3)]
    digests = [game.entry(2)["prev"], game.entry(3)["prev"]]
    assert seen == [None, *({"seq": n, "digest": d, "unsigned": True} for n, d in enumerate(digests, 1))]
    report = proof(game)
    assert report.sound, report.problems
    said = "letters of 2 of 4 people vouch for entry 1 or later; the newest for entry 2 of 3"
    assert f"by the word of the host alone, votes, pushes and {said}" in report.facts


def test_a_record_that_another_seen_entry_contradicts_is_damaged(quick: QuickMeeting) -> None:
    send(quick, "ann", "/do state one", standing(quick).main)
    quick.referee(60)
    game = quick.game()
    text = (game.read(entry_name(2)) or b"").decode()
    digest = game.entry(2)["via"]["seen"]["digest"]
    forged = ("ab" * 32).join(text.rsplit(digest, 1)).encode()  # the first is that of the entry before
    assert forged != text.encode()
    head = head_bytes(Head(2, bytes_digest(forged), game.head.at))
    repo = pygit2.Repository(game.repo.path)
    tree = write_tree(repo, repo[game.commit_id].peel(pygit2.Tree).id,
                      {f"state/{GAME}/{entry_name(2)}": forged, f"state/{GAME}/head.yaml": head})  # fmt: skip
    who = pygit2.Signature("Host", "host@x.org", quick.now, 0)
    made = repo.create_commit(None, who, who, "x", tree, [pygit2.Oid(hex=game.commit_id)])
    report = proof(GameTree(repo, str(made), GAME))
    assert any("had seen another entry 1 than the one that stands here" in p.message for p in report.problems)


# -- without a readable author
