"""Tricks played by four clones to a winner: what is in a hand is in no object, page, log or screen before it is played."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from folkmoot.game import secret_store
from folkmoot.game.keeper import keeper_word
from folkmoot.game.verify import verify
from folkmoot.referee.report import Report
from folkmoot.sealing.keys import make_key
from tests.cli.conftest import Moot, Said
from tests.cli.gathering import Gathering
from tests.cli.test_sealed_canaries import ways
from tests.conftest import FUZZ
from tests.referee.meeting import Meeting, git
from tests.referee.quick import replayed
from tests.referee.test_tricks_by_letters import DECK, NAMES, law

PEOPLE = ("ann", "bob", "cid", "dee")
POINTS = 12 if FUZZ else 2
"""How many win: one of four has two of the first five tricks."""
LOOKS: tuple[tuple[str, ...], ...] = (
    ("log",), ("log", "--json"), ("status",), ("status", "--json"), ("verify",), ("show", "rules"), ("show", "hand", "--by", "ann"),
    ("show",), ("explain", "ann", "hand"), ("explain", "game", "discards", "--json"),
)  # fmt: skip


class Clones(Gathering):
    """Four people at clones of their own, with settings and so a key of their own; and a stranger who looks."""

    def __init__(self, folder: Path, moot: Moot, patch: pytest.MonkeyPatch) -> None:
        given = {**law(), "ruleset": "tricks", "settings": {"pace": "1440"}}
        for rule in given["rules"]:
            rule["script"] = rule["script"].replace(">= 12", f">= {POINTS}")
        Meeting.__init__(self, folder, law=given, players=PEOPLE)
        self._moot, self._patch = moot, patch
        self._shown: set[str] = set()
        self._read: set[str] = set()

    def moot(self, person: str, *words: str, code: int = 0) -> Said:
        """Run `moot` in somebody's clone, with their settings."""
        self._patch.setenv("XDG_CONFIG_HOME", str(self.folder / f"settings of {person}"))
        return super().moot(person, *words, code=code)

    def hand(self, person: str) -> list[str]:
        """Return somebody's cards, as they see them."""
        found = self.moot(person, "show", "hand", "--json").record["registers"]
        return next((each["value"] for each in found if each["owner"] == person and each["register"] == "hand"), [])

    def act(self, person: str, do: str, *words: str) -> Said:
        said = self.moot(person, "act", do, *words)
        assert not re.search(r"sealed\.[0-9a-f]{64}", said.out), "nobody can read a box of a thousand letters"
        self.note([f"{said.out}{said.err}".encode()] if do != "discard" else [])
        return said

    def game_of(self, name: str) -> Any:
        return self.document("things/game")["game"].get(name)

    # -- what everybody can see

    def referee(self, seconds: int = 0, **given: Any) -> Report:
        """Let the referee run; what it could tell whoever reads its job's log is public."""
        report = super().referee(seconds, **given)
        self.note([repr(report).encode()])
        return report

    def note(self, told: Iterable[bytes]) -> None:
        """Note which cards public bytes name, those of the law left out, which names all of them."""
        for data in told:
            if not all(name.encode() in data for name in NAMES):
                self._shown |= {card for card in DECK if any(way in data for way in ways(card.split()[0]))}

    def shown(self) -> set[str]:
        """Return the cards that anything in the shared repository names: in each object, unpacked, and each ref's name."""
        known = git(self.bare, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
        new = [each for each in known if each not in self._read]
        self._read |= {*new}
        repo = self.repository()
        self.note(repo.get(each).read_raw() for each in new)
        self.note([self.refs().encode()])
        return self._shown

    def repository(self) -> Any:
        import pygit2

        return pygit2.Repository(str(self.bare))

    def looked(self) -> set[str]:
        """Return the cards that pages, logs and screens of a stranger name, beside those in the repository."""
        git(self.clone("stranger"), "pull", "-q")
        self._patch.setenv("XDG_CONFIG_HOME", str(self.folder / "settings of a stranger"))
        said = [
            self._moot("-C", str(self.clone("stranger")), *words)
            for words in (
                *LOOKS,
                (
                    "serve",
                    "--build",
                ),
            )
        ]
        assert [each.err for each in said if "Traceback" in each.err] == []
        self.note(f"{each.out}{each.err}".encode() for each in said)
        pages = [path for path in (self.clone("stranger") / "site").rglob("*") if path.is_file()]
        assert pages
        self.note(path.read_bytes() for path in pages)
        return self.shown()


@pytest.fixture
def clones(moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clones]:
    for name in ("MOOT_REMOTE", "VISUAL", "EDITOR", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, keeper_word(1, make_key()))
    found = Clones(tmp_path, moot, monkeypatch)
    found.act("ann", "open_sealing")
    found.referee()
    for person in PEOPLE:
        assert "`moot key --sealing` says how" in found.moot(person, "status").out
        key = found.moot(person, "key", "--sealing", "--json").record["recipient"]
        found.act(person, "use_sealing_key", f"key={key}")
    found.referee()
    assert "key --sealing" not in found.moot("ann", "status").out
    yield found
    assert verify(found.game(), replayed).problems == []


def discards(clones: Clones, hands: dict[str, list[str]]) -> set[str]:
    """Let all discard at the same time, and return what they did: nobody sees any of it until the last has."""
    assert "Something is sealed to you" not in clones.moot("bob", "status").out
    clones.act("ann", "deal")
    clones.referee()
    assert "Something is sealed to you: `moot show hand` shows it." in clones.moot("bob", "status").out
    hands |= {person: clones.hand(person) for person in PEOPLE}
    assert sorted(card for hand in hands.values() for card in hand) == sorted(DECK)
    before = set(clones.shown())
    for person in PEOPLE:
        assert clones.shown() == before
        said = clones.act(person, "discard", f"card={hands[person][0]}")
        assert "depends on what is sealed" in said.out
    assert clones.looked() == before
    clones.referee()
    return before | {hands[person].pop(0) for person in PEOPLE}


def trick(clones: Clones, hands: dict[str, list[str]], out: set[str], refused: Callable[[str, str], None]) -> None:
    """Let four play a card each, openly; who could cheat tries before."""
    led = ""
    for _ in PEOPLE:
        person = clones.game_of("turn")
        fitting = [card for card in hands[person] if card.endswith(led)]
        if led and fitting and len(fitting) < len(hands[person]):
            refused(person, next(card for card in hands[person] if card not in fitting))
        card = (fitting or hands[person])[0]
        clones.act(person, "play", f"card={card}")
        clones.referee()
        assert list(clones.game().entries())[-1].get("code") is None
        hands[person].remove(card)
        led = led or card.split()[-1]
        out.add(card)
        assert clones.shown() == out


@pytest.mark.threat("T-81")
def test_tricks_are_played_by_four_clones_to_a_winner(clones: Clones) -> None:
    """Whoever plays a card that does not follow suit is refused; this card is then known, because they said it."""
    tried: list[str] = []

    def refused(person: str, card: str) -> None:
        if tried:
            return
        tried.append(card)
        said = clones.moot(person, "act", "play", f"card={card}")
        clones.note([f"{said.out}{said.err}".encode()])
        clones.referee()
        assert list(clones.game().entries())[-1]["code"] == "E-SUIT"
        out.add(card)

    hands: dict[str, list[str]] = {}
    out: set[str] = set()
    for _ in range(20):
        known = discards(clones, hands)
        assert clones.looked() == known
        out.clear()
        out |= known
        for _ in range(7):
            trick(clones, hands, out, refused)
            if clones.document("game").get("over"):
                break
            assert [clones.hand(person) for person in PEOPLE] == [hands[person] for person in PEOPLE]
        assert clones.looked() == out
        if clones.document("game").get("over"):
            break
    assert tried
    winners = [
        each
        for each in itertools.chain(*(entry.get("effects") or () for entry in list(clones.game().entries())))
        if each["effect"] == "win"
    ]
    points = {player: values.get("points", 0) for player, values in clones.document("things/player").items()}
    assert winners
    assert max(points.values()) == POINTS


@pytest.mark.threat("T-81")
def test_waiting_names_nothing_that_is_sealed(clones: Clones) -> None:
    """Whoever has what came sent by mail sends nothing of their hand with it, nor the referee who calls people."""
    hands: dict[str, list[str]] = {}
    known = discards(clones, hands)
    told = ""
    for person in [clones.game_of("turn"), *PEOPLE]:
        git(clones.clone(person), "pull", "-q")
        said = clones._moot("-C", str(clones.clone(person)), "status", "--wait", "--timeout", "0")
        clones.note([f"{said.out}{said.err}".encode()])
        told += said.out
    assert "play a card" in told
    assert clones.shown() == known


def test_a_hand_is_shown_in_words(clones: Clones) -> None:
    clones.act("ann", "deal")
    clones.referee()
    cards = clones.hand("ann")
    assert f"hand of ann: {', '.join(cards)}\n" in clones.moot("ann", "show", "hand").out
    assert "named no key" not in clones.moot("ann", "show", "hand").err


@pytest.mark.threat("T-81")
def test_what_is_misspelt_of_a_sealed_card_is_not_sent(clones: Clones) -> None:
    clones.act("ann", "deal")
    clones.referee()
    card = clones.hand("ann")[0]
    for words in ((f"crad={card}",), (f"card={card}", f"not={card}")):
        for more in ((), ("--anyway",)):
            said = clones._moot("-C", str(clones.clone("ann")), "act", "discard", *words, *more)
            assert said.code
            assert "nothing was sent" in said.err
    clones.referee()
    assert card not in clones.shown()
