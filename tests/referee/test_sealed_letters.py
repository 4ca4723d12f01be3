"""What is sealed and comes by letters: nothing of it stands anywhere in clear before its time, with a keeper or without."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.keys import GAME as GAME_KEY
from folkmoot.core.problems import ProblemError
from folkmoot.game import secret_store
from folkmoot.game.keeper import keeper_word, opened_seed
from folkmoot.game.session import Session
from folkmoot.player.hand import hand_of, keep_new_key, own_key_file, own_keys
from folkmoot.player.sealing import require_open_ballots, seal_arguments
from folkmoot.player.voting import act_line
from folkmoot.sealing.keys import make_key
from tests.support.keeper import CARDS, SECRET
from tests.support.letters import LAW, Sealed
from tests.support.quick import QuickMeeting
from tests.support.table import VOTING, rule

CANARY = "heartsease"


# -- with a keeper


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sealed]:
    """Return a game of cards whose keeper has a key, dealt to ann, who has one, and to the others."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, keeper_word(1, make_key()))
    found = Sealed(tmp_path, law=LAW)
    found.say("ann", 0, "/do open_sealing")
    found.referee()
    found.say("ann", 0, f"/do use_sealing_key key={keep_new_key().recipient.text}")
    found.say("ann", 0, "/do deal")
    found.referee()
    yield found
    assert found.sound()


@pytest.mark.threat("T-81")
def test_a_card_is_played_by_a_comment_and_no_other_is_in_any_object(kept: Sealed) -> None:
    """The cards are named in the law; the pair that somebody holds is in no object, packed or not, in their order."""
    one, two = kept.hand("ann")
    assert {one, two} <= set(CARDS)
    for word in (f'["{one}","{two}"]', f'["{one}", "{two}"]', f"- {one}\n- {two}"):
        assert word.encode() not in kept.every_byte()
        assert word.encode() not in b"".join(_unpacked(path) for path in kept.bare.rglob("*") if path.is_file())
    card = one if "hearts" in one or "hearts" not in two else two
    line = kept.seal("ann", "play", card=card)
    for person, body, code in (
        ("ann", f"/do play card='{card}'", "E-SEALED"),
        ("bob", line, "E-CONTEXT"),
        ("ann", line, None),
    ):
        kept.say(person, 0, body)
        kept.referee(1)
        assert kept.journal()[-1].get("code") == code, kept.journal()[-1]
    assert "what is said in clear counts for nothing" in kept.said(0)
    assert kept.hand("ann") == [each for each in (one, two) if each != card]


def _unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    try:
        return zlib.decompress(data)
    except zlib.error:
        return data


@pytest.mark.threat("T-81")
def test_ballots_are_sealed_until_the_count(kept: Sealed) -> None:
    tea = b"title: Tea\ntext: Tea is served.\n"
    pull = kept.open("ann", {"rules/tea.yaml": tea}, "Tea")
    kept.referee()
    for person, choice in (("ann", "for"), ("bob", "against")):
        kept.say(person, pull, kept.ballot(person, 901, choice, CANARY))
    kept.say("cid", pull, CANARY.upper(), kind="approve")
    kept.referee()
    assert kept.ballots(901) == {"ann": "", "bob": ""}
    assert "are sealed until the count" in kept.said(pull)
    assert CANARY.encode() not in kept.every_byte()
    kept.say("cid", pull, kept.ballot("cid", 901, "for"))
    kept.say("dee", pull, kept.ballot("dee", 901, "for"))
    kept.referee()
    assert kept.ballots(901) == {"ann": "for", "bob": "against", "cid": "for", "dee": "for"}
    assert CANARY.encode() in kept.every_byte()
    assert kept.proposal(901)["outcome"] == "adopted"


@pytest.mark.threat("T-84")
def test_the_seed_of_a_draw_stands_in_no_object_while_what_it_dealt_is_in_hands(kept: Sealed) -> None:
    """Also where an administrator asks for it: it is refused without the seed. Who insists has it opened."""
    with kept.session() as session:
        seed = opened_seed(session.record, session.kept(GAME_KEY), 1)["seed"]
    kept.say("ann", 0, "/do open_seed draw=1")
    kept.referee(60)
    entry = kept.journal()[-1]
    assert (entry["code"], entry["with"]) == ("E-SEALED", {"draw": 1})
    assert "hand of ann, hand of bob" in kept.said(0)
    assert seed.encode() not in kept.every_byte()
    kept.say("bob", 0, "/do open_seed draw=1 insist=true")
    kept.referee(60)
    assert kept.journal()[-1]["code"] == "E-NOT-ADMINISTRATOR"
    assert seed.encode() not in kept.every_byte()
    kept.say("ann", 0, "/do open_seed draw=1 insist=true")
    kept.referee(60)
    assert kept.journal()[-1]["with"]["seed"] == seed


# -- without a keeper: players commit by letters and open by letters

TYPED: dict[str, tuple[dict[str, Any], Any]] = {
    "integer": ({"minimum": 1}, 3),
    "choice": ({"of": ["rock", "paper"]}, "rock"),
    "boolean": ({}, True),
    "list": ({}, [1]),
    "player": ({}, "bob"),
    "time": ({}, "2026-01-05T12:00:00Z"),
}
NOTES = rule(
    "1",
    """
    def do_write(a):
        put("game", "notes", get("game", "notes") | {a.by: a.args.note})
    """,
    defines={"game": {"notes": {"type": "map"}}},
    actions={"write": {"arguments": {"note": {"type": "any", "sealed": "author"}}}},
)
SORTS = rule(
    "3",
    "".join(f"def do_write_{each}(a):\n    announce('written')\n\n" for each in TYPED),
    actions={
        f"write_{kind}": {"arguments": {"note": {"type": kind, **spec, "sealed": "author"}}}
        for kind, (spec, _) in TYPED.items()
    },
)
NOTES_LAW = {"title": "Notes", "zone": "UTC", "rules": [NOTES, VOTING, SORTS]}


class Alone(QuickMeeting):
    """A meeting in which nobody keeps a key."""

    def line(self, person: str, do: str, **args: Any) -> str:
        with Session.on(self.game()) as session:
            words = seal_arguments(session, person, do, args)
            return act_line(do, words, None, session.actions())

    def notes(self, person: str) -> Any:
        with Session.on(self.game()) as session:
            return hand_of(session, person, own_keys()).shown(session.document("things/game")["game"]["notes"])

    def every_byte(self) -> bytes:
        return b"".join(self.repo.get(oid).read_raw() for oid in self.repo)


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Alone]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    found = Alone(tmp_path, law=NOTES_LAW)
    yield found
    assert found.sound()


@pytest.mark.parametrize("note", [CANARY, {"a": [1, CANARY]}, "5", None])
def test_whatever_is_sealed_is_opened_as_it_was(alone: Alone, note: Any) -> None:
    keep_new_key()
    alone.say("ann", 0, alone.line("ann", "write", note=note))
    alone.referee()
    assert CANARY.encode() not in alone.every_byte()
    assert alone.notes("ann") == {"ann": note}
    assert alone.notes("bob") == {"ann": "sealed"}
    alone.say("ann", 0, alone.line("ann", "open_sealed"))
    alone.referee()
    assert alone.journal()[-1].get("code") is None, alone.journal()[-1]
    assert alone.notes("bob") == {"ann": note}


def test_each_type_is_sealed_by_a_comment_and_opened(alone: Alone) -> None:
    keep_new_key()
    for kind, (_, note) in TYPED.items():
        alone.say("ann", 0, alone.line("ann", f"write_{kind}", note=note))
        alone.referee(1)
        alone.say("ann", 0, alone.line("ann", "open_sealed"))
        alone.referee(1)
        entry = alone.journal()[-1]
        assert (entry["do"], entry.get("code"), entry["with"]["value"]) == ("open_sealed", None, note), entry


@pytest.mark.threat("T-89")
def test_who_reads_the_letters_cannot_open_or_claim_what_is_in_them(alone: Alone) -> None:
    keep_new_key()
    line = alone.line("ann", "write", note=CANARY)
    alone.say("bob", 0, line)
    alone.say("ann", 0, line)
    alone.referee()
    opening = alone.line("ann", "open_sealed")
    alone.say("bob", 0, opening)
    swapped = opening.replace("number=1", "number=2") if "number=1" in opening else opening.replace("=2", "=1", 1)
    alone.say("bob", 0, swapped)
    alone.referee()
    assert [entry["code"] for entry in alone.journal()[-2:]] == ["E-NO-SUCH", "E-COMMITMENT"]
    assert alone.notes("bob") == {"ann": "sealed", "bob": "sealed"}


def test_without_a_key_of_ones_own_nothing_is_sealed_and_nothing_opened_that_is_not_there(alone: Alone) -> None:
    def refused(do: str, **args: Any) -> str:
        with pytest.raises(ProblemError) as caught:
            alone.line("ann", do, **args)
        return caught.value.problems[0].code

    assert refused("open_sealed") == "E-NO-SUCH"
    assert refused("write", note=CANARY) == "E-SEALED"
    keep_new_key()
    alone.say("ann", 0, alone.line("ann", "write", note=CANARY))
    alone.referee()
    own_key_file().unlink()
    assert refused("open_sealed") == "E-READER"


# -- before a vote is open

LATER = {**VOTING, "script": str(VOTING["script"]).replace("open_voting(submit(", "(submit(")}
ONLY_MOTIONS = rule("2", "def decide_ballots_sealed(p):\n    return p.kind == 'motion'\n")


@pytest.mark.parametrize(
    ("secrecy", "codes"), [([], ("", "")), ([SECRET], ("E-SEALED", "E-SEALED")), ([ONLY_MOTIONS], ("E-SEALED", ""))]
)
def test_no_choice_is_sent_on_what_may_be_sealed(tmp_path: Path, secrecy: Any, codes: tuple[str, str]) -> None:
    meeting = QuickMeeting(tmp_path, law={"title": "Tea", "zone": "UTC", "rules": [LATER, *secrecy]})
    meeting.open("ann", {"rules/tea.yaml": b"title: Tea\ntext: Tea is served.\n"}, "Tea")
    meeting.referee()
    assert meeting.proposal(901)["opened_at"] is None
    with Session.on(meeting.game()) as session:
        for proposal, code in zip((None, session.proposal("proposal/901")), codes, strict=True):
            with pytest.raises(ProblemError, match=code) if code else nullcontext():
                require_open_ballots(session, proposal)
