"""What is sealed in A Nomic stands in no byte that a forge gives out before its time, and after it what was opened does.

Hands, Trades, answers, Parties and verses are played through the local forge with a keeper's key; then every byte is
searched: the repository with its objects unpacked, comments, the built site with what its search knows, feeds,
calendars, what commands print and what is logged.
"""

from __future__ import annotations

import gzip
import logging
import os
import random
import re
import subprocess
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pygit2
import pytest

from folkmoot.core.sealed_data import read_box, write_box
from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.cache.refs import FORGE
from folkmoot.game.session import Session
from folkmoot.game.verify import verify
from folkmoot.kernel.chance import Specification
from folkmoot.kernel.sealed_data.vaults import KeptVault
from folkmoot.site.game_views import games_of, view_of
from folkmoot.site.preparation import lay_site
from folkmoot.site.publish import publish
from folkmoot.site.render import game_pages
from tests.conftest import FUZZ
from tests.forges.endtoend import a_nomic
from tests.forges.endtoend.a_nomic_sealed import CARDS, answer, challenge, deal, hand, pooker, trade
from tests.forges.endtoend.b_nomic import clock
from tests.forges.endtoend.comparing import difference, record
from tests.forges.endtoend.local_world import LocalWorld
from tests.forges.endtoend.world import World, at_hand, key_of, throw_alike
from tests.support.canaries import ways
from tests.support.meeting import git, rule
from tests.support.moot import Moot, Said
from tests.support.quick import replayed
from tests.support.site_game import render, write_pages
from tests.support.two_worlds import blank

PACK = 52
NAMED = {"Red 9 of Clubs", "Blue 9 of Clubs"}
"""Cards that the law and the manual have as examples."""
CANARY = "heartsease5f3a"
RULES, VARIABLE, VERSE = f"{CANARY}-rules-e7", f"{CANARY}-tally-c2", f"{CANARY}-verse-b9"
ANSWERS = {"bob": f"{CANARY}-answer-a1", "cid": f"{CANARY}-answer-d4"}
COMMIT = re.compile(r"\b(?:[0-9a-f]{24})?[0-9a-f]{16}\b")
WRONG = f"{CANARY}-damaged-f6"
"""What was sealed badly, for another act or by no such name: it is refused, and nobody is told of what."""
LOOK = """def on_proposal_adopted(e):
    announce("Seen: %s" % sorted(get(e.proposal, "final_votes").values()))
"""
LOOKS: tuple[tuple[str, ...], ...] = (
    ("log",), ("log", "--json"), ("status",), ("status", "--json"), ("verify",), ("verify", "--json"), ("show",),
    ("show", "rules"), ("show", "scores"), ("show", "hand", "--by", "bob"), ("show", "hand", "--by", "bob", "--json"), ("doctor",),
    *(("explain", *what, *form) for what in (("bob", "hand"), ("game", "deck"), ("action", "deal"))
      for form in ((), ("--json",))),
)  # fmt: skip


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge in this process, and have no keys on the machine that looks."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    throw_alike(monkeypatch)
    monkeypatch.setattr("folkmoot.referee.outbox.WORK_OF_PREVIEWS", 10_000)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings of nobody"))


# -- what is played


def before(world: World, secrets: tuple[str, str, str], answers: dict[str, str]) -> None:
    """Let everything be sealed that can be: Hands, a Trade that is done and one that waits, a Party, a verse, answers."""
    rules, variable, verse = secrets
    world.name_keys()
    world.open("cid", "psalm", {"rules/psalm.yaml": rule("Psalm", "Be still.", script=LOOK) + b"once: true\n"}, "Psalm")
    world.say("ann", "", world.line("ann", "create_party", name="Elders", rules=rules))
    challenge(world, "ann")
    world.settle()
    for _ in range(4):
        deal(world, "ann", "bob", "cid", "dee")
    deal(world, "ann", *["dee"] * 24)
    for who in ("bob", "cid"):
        world.say(who, "", world.line(who, "join_party", party="Elders"))
    _, number = a_nomic.item(world, "psalm")
    world.say("cid", "psalm", world.line("cid", "note_verse", proposal=number, verse=verse))
    answer(world, answers)
    world.settle()
    changes = world.line("bob", "change_party_rules", party="Elders", variables={"a": variable})
    world.say("bob", "", changes)
    trade(world, "bob", "cid")
    give, get = pooker(world, "dee")[:1], pooker(world, "bob")[:1]
    world.say("dee", "", world.line("dee", "propose_trade", partner="bob", give=give, get=get))
    world.settle()


def damaged(world: World) -> None:
    """Send what is sealed badly, in every way, and what no rule takes."""
    good = world.line("fay", "submit_answer", answer=WRONG).partition("answer=")[2].strip("'\"")
    box = read_box(good)
    assert box is not None
    commitment, inside = box["commitment"], box["box"]
    wrong = [
        write_box("0" * 64, inside), write_box(commitment, f"{inside[:-8]}AAAAAAA="), write_box(commitment, inside[:400]),
        f"{good}x", f"[{good}]",
    ]  # fmt: skip
    for each in wrong:
        world.say("fay", "", f"/submit_answer answer='{each}'")
    world.say("gus", "", f"/submit_answer answer='{good}'")
    world.say("gus", "", world.line("gus", "join_party", party=WRONG))
    world.say("bob", "", world.line("bob", "propose_trade", partner="cid", give=[WRONG], get=[WRONG]))
    count = len(list(world.game().entries()))
    world.settle()
    new = list(world.game().entries())[count:]
    assert [entry["do"] for entry in new if not entry.get("code")] == []
    assert len(new) >= 3


# -- what anybody sees


class Public:
    """Every byte that somebody without a key can get hold of."""

    def __init__(self, world: LocalWorld, moot: Moot) -> None:
        self.world, self.moot = world, moot
        self.logged: list[str] = []
        self._times = 0

    def bytes(self, *, built: bool) -> bytes:
        """Return all of it as it is now, objects unpacked; the site `built`, or else its pages."""
        self._times += 1
        parts = [
            *self._repository(),
            *self._printed(built=built),
            repr(self.world.reports).encode(),
            "\n".join(self.logged).encode(),
        ]
        return b"\n".join(parts)

    def _repository(self) -> Iterator[bytes]:
        repo = pygit2.Repository(str(self.world.hub))
        for each in repo:
            yield repo.get(each).read_raw()
        yield from self._files(self.world.hub)

    def _printed(self, *, built: bool) -> Iterator[bytes]:
        """Yield what commands print in a stranger's clone, and the site that is made there."""
        clone = self.world.folder / f"stranger {self._times}"
        git(self.world.folder, "clone", "--quiet", str(self.world.hub), str(clone))
        with at_hand({}):
            entries = len(list(self.world.game().entries()))
            looks = [*LOOKS, *(("explain", "entry", str(seq)) for seq in range(33, entries + 1, 9))]
            said = [self.moot("-C", str(clone), *words) for words in looks]
            assert [each.err for each in said if "Traceback" in each.err] == []
            assert len([each for each in said if each.code == 0 and len(each.out) > 40]) > len(LOOKS) // 2, _ends(said)
            site = self.world.folder / f"site {self._times}"
            if built:
                lay_site(clone)
                publish(clone, site)
            else:
                write_pages(games_of(clone)[0], site)
        for each in said:
            yield f"{each.out}{each.err}".encode()
        names = {path.suffix for path in site.rglob("*")}
        assert not built or {".html", ".ics", ".atom", ".pf_fragment"} <= names, names
        yield from self._files(site)

    def _files(self, folder: Path) -> Iterator[bytes]:
        for path in sorted(folder.rglob("*")):
            yield path.name.encode()
            if path.is_file():
                data = path.read_bytes()
                yield data
                yield from _unpacked(data)


def _ends(said: Iterable[Said]) -> list[tuple[int, str]]:
    return [(each.code, (each.out + each.err)[:200]) for each in said]


def _unpacked(data: bytes) -> Iterator[bytes]:
    """Yield what is inside of packed bytes."""
    if data.startswith(b"\x1f\x8b"):
        yield gzip.decompress(data)
    elif data[:1] == b"\x78":
        try:
            yield zlib.decompress(data)
        except zlib.error:
            return


def told(public: bytes, words: Iterable[str], folder: Path) -> set[str]:
    """Return which words stand in bytes, however written.

    `grep` looks for all of them at once, again without those that it found, until it finds no more: what overlaps
    another match is missed but once.
    """
    sought: dict[bytes, set[str]] = {}
    for word in words:
        for way in ways(word):
            sought.setdefault(way, set()).add(word)
    assert not [way for way in sought if b"\n" in way or not way]
    (folder / "public").write_bytes(public)
    found: set[str] = set()
    while sought:
        (folder / "ways").write_bytes(b"\n".join(sought) + b"\n")
        command = ["grep", "-a", "-o", "-h", "-F", "-f", str(folder / "ways"), str(folder / "public")]
        done = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C"})
        assert done.returncode in (0, 1), done.stderr
        seen = {way for way in set(done.stdout.splitlines()) if way in sought}
        assert bool(seen) == (done.returncode == 0)
        if not seen:
            break
        found |= {word for way in seen for word in sought[way]}
        sought = {way: named for way, named in sought.items() if not named <= found}
    return found


def test_a_word_is_found_however_it_is_written_and_wherever(tmp_path: Path) -> None:
    for way in ways(CANARY):
        assert told(b"\0\xff some" + way + b"thing\n", [CANARY, "other-word"], tmp_path) == {CANARY}
    words = ["abcdefghijkl", "cdefghijklmn", "abcdefghijklm", "xabcdefghijk"]
    assert told(b"abcdefghijklmn", words, tmp_path) == set(words[:3]), "those too that overlap others"
    assert told(b"nothing", [CANARY], tmp_path) == set()


@pytest.fixture
def world(tmp_path: Path) -> LocalWorld:
    return LocalWorld(tmp_path / "world", a_nomic.LAW, a_nomic.PLAYERS, kept=True)


@pytest.mark.threat("T-81")
def test_nothing_that_is_sealed_is_public_before_its_time(
    world: LocalWorld, moot: Moot, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="folkmoot")
    public = Public(world, moot)
    before(world, (RULES, VARIABLE, VERSE), ANSWERS)
    damaged(world)
    hands = {who: hand(world, who) for who in ("bob", "cid", "dee")}
    assert [len(each) for each in hands.values()] == [4, 4, 28]
    secret = key_of("keeper").secret
    words = [RULES, VARIABLE, VERSE, *ANSWERS.values(), CANARY, WRONG, secret, *(key_of(who).secret for who in hands)]
    public.logged.append(caplog.text)
    seen = public.bytes(built=True)
    assert told(seen, words, world.folder) == set()
    assert told(seen, CARDS, world.folder) <= NAMED
    assert b"Elders" in seen
    after(world, public, hands, words)
    assert verify(world.game(), replayed).problems == []


def after(world: LocalWorld, public: Public, hands: dict[str, list[str]], words: list[str]) -> None:
    """Show Cards, end the Challenge, claim the verse: what was opened is found, and nothing else."""
    shown = [card for card in hands["dee"] if card.startswith("Red") and card not in NAMED][:2]
    world.say("dee", "", "/declare_showdown")
    world.say("dee", "", world.line("dee", "show_hands", hands=[shown]))
    clock(world, 2, 13)
    world.settle()
    for who, choice in (("ann", "yes"), ("bob", "yes"), ("dee", "no"), ("fay", "yes")):
        world.say(who, "psalm", f"/vote {choice}")
    clock(world, 5, 2)
    world.settle()
    assert a_nomic.state(world, "psalm") == "adopted"
    said = str(list(world.game().entries())[-6:])
    assert "Seen: ['abstain', 'abstain', 'abstain', 'abstain'" in re.sub(r'\\?"', "'", said), said
    world.say("cid", "", f"/preach proposal={a_nomic.item(world, 'psalm')[1]} proof='See my note.'")
    clock(world, 10, 18)
    world.settle()
    seen = public.bytes(built=FUZZ)
    assert told(seen, words, world.folder) == {VERSE, *ANSWERS.values(), CANARY}
    assert told(seen, CARDS, world.folder) - NAMED == {*shown}


# -- two worlds


def shuffled(world: int) -> Any:
    """Return sealed draws of a world: every Deck has the same Backs in the same places, and other Cards behind them."""

    def draw(vault: KeptVault, seed: int, specification: Specification, label: str) -> Any:
        chance = random.Random(seed)
        result: Any = chance.randint(specification.low, specification.high)
        if specification.kind == "permutation":
            result = chance.sample(range(specification.high), specification.high)
            assert specification.high == len(CARDS), "nothing is shuffled again: what comes back may differ"
            result = [place // PACK * PACK + (place + 17 * world) % PACK for place in result]
        vault.records.append({"seed": seed, "spec": specification.record(), "label": label})
        return result

    return draw


def of_a_world(number: int, folder: Path) -> tuple[dict[str, str], str, str, dict[str, list[str]]]:
    """Play in a world; return its record, its pages, its comments, all blanked, and its Hands."""
    key_of.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KeptVault, "draw", shuffled(number))
        world = LocalWorld(folder / str(number), a_nomic.LAW, a_nomic.PLAYERS, kept=True)
        word = ("alpha", "omega")[number]
        answers = {who: f"{who} says {word}" for who in ANSWERS}
        before(world, (f"The {word} rules.", f"{word}-7", f"{word} 1:1"), answers)
        hands = {who: hand(world, who) for who in ("bob", "cid", "dee")}
        with at_hand({}), Session.on(world.game()) as session:
            view = view_of(session)
            pages = COMMIT.sub("#", blank("\n".join(render(page) for page in game_pages(view))))
        seen = ForgeCache(world.repo, str(world.repo.references[FORGE].target), {})
        said = COMMIT.sub("#", blank("\n".join(seen.said(number) or "" for number in (0, *world.pulls.values()))))
        assert said.count("submit_answer") >= 1, said[:2_000]
    return record(world), pages, said, hands


@pytest.mark.threat("T-82")
def test_two_worlds_with_different_deals_are_the_same_bytes_on_the_forge(tmp_path: Path) -> None:
    one, other = of_a_world(0, tmp_path), of_a_world(1, tmp_path)
    assert one[0].keys() == other[0].keys()
    assert difference(one[0], other[0]) == ""
    assert one[1] == other[1]
    assert one[2] == other[2]
    assert {who for who in one[3] if one[3][who] == other[3][who]} == set()
