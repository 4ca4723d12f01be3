"""Attack 7: a signed review from a copy of the table voted in the original."""

from __future__ import annotations

import shutil
from pathlib import Path

import pygit2
import pytest
from msgspec.structs import replace

from folkmoot.core.digest import bytes_digest
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import KINDS, MOST_STEPS, Letter, NoLetterError, parse
from folkmoot.forges.local.players_repository import Author, PlayersRepository
from folkmoot.journal.layout import entry_name
from folkmoot.journal.tree import foundings
from folkmoot.referee.run import Referee
from tests.support.abuse import quick, unchanged
from tests.support.meeting import git
from tests.support.quick import QuickMeeting
from tests.support.signed_letters import keyed, keys, voting

__all__ = ["keyed", "keys", "quick", "voting"]
ANN = Author("Ann", "ann@x.org", signs=True)


def written(quick: QuickMeeting, key: Path, letter: Letter) -> str:
    """Send a letter exactly as it is, signed, as a hand with git would."""
    seat = PlayersRepository(quick.bare)
    for name, value in (("gpg.format", "ssh"), ("user.signingkey", str(key)), ("commit.gpgsign", "true")):
        git(quick.bare, "config", name, value)
    ref = "refs/moot/letters/ann@x-org"
    made = seat._write(letter, ANN, quick.now, quick.tip(ref))
    quick.put(ref, made)
    return made


def bound(quick: QuickMeeting, **fields: str) -> Letter:
    game = next(iter(foundings(quick.repo, quick.tip()).values()))
    letter = Letter(pull=1, kind="approve", head=quick.head(1), seen=quick.tip(), game=game)
    return replace(letter, **fields)  # type: ignore[arg-type]


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
    assert "written for another table" in "".join(note.why for note in keyed.forge.ignored())


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
        assert why in "".join(note.why for note in keyed.forge.ignored() if note.commit == made)


@pytest.mark.threat("T-70")
def test_every_kind_of_signed_letter_is_bound(keyed: QuickMeeting, keys: dict[str, Path]) -> None:
    letters = [
        Letter(
            pull=1,
            kind=kind,
            body="/vote for",
            head=keyed.head(1) if kind in ("approve", "request_changes") else "",
            of=keyed.head(1) if kind in ("edit", "delete", "dismiss") else "",
        )
        for kind in KINDS
    ]
    made = [written(keyed, keys["ann"], letter) for letter in letters]
    keyed.referee(60)
    ignored = {note.commit: note.why for note in keyed.forge.ignored()}
    assert all("names no game" in ignored[name] for name in made)
    for letter in letters:
        sent = PlayersRepository(keyed.bare)._bound(letter, PlayersRepository(keyed.bare).refs.read())
        assert bytes_digest(keyed.game().read(entry_name(1)) or b"") == sent.game
        assert sent.seen == keyed.tip("refs/moot/forge")


@pytest.mark.threat("T-70")
def test_fields_of_an_unsigned_letter_hold_too(voting: QuickMeeting) -> None:
    voting.send("ann", bound(voting, game="0" * 64))
    voting.send("bob", bound(voting, seen=voting.head(1)))
    voting.send("cid", bound(voting))
    voting.referee(60)
    assert voting.ballots() == {"cid": "for"}


@pytest.mark.threat("T-70")
def test_a_letter_for_another_game_of_the_repository(tmp_path: Path) -> None:
    quick = QuickMeeting(tmp_path, games=("one", "two"))
    digests = foundings(quick.repo, quick.tip())
    before = {name: len(list(quick.game(name).entries())) for name in digests}
    letter = Letter(
        pull=0, kind="comment", body="/game one\n/do state text=hello", seen=quick.tip(), game=digests["two"]
    )
    quick.send("ann", letter)
    quick.referee(60)
    assert digests["one"] == digests["two"] or {n: len(list(quick.game(n).entries())) for n in digests} == before
    quick.send("ann", replace(letter, game=digests["one"]))
    quick.referee(60)
    assert len(list(quick.game("one").entries())) > before["one"]


def test_a_name_of_a_game_that_is_none() -> None:
    for name in ("", "x", "0" * 63, "A" * 64):
        with pytest.raises(NoLetterError, match="64 hexadecimal"):
            parse(f"kind: comment\npull: 0\nbody: x\ngame: {name!r}\n")
    assert MOST_STEPS > 10_000
