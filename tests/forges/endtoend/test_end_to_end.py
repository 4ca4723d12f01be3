"""Ten turns of Suber's game and a week of Imperial Nomic on each forge come to the same as on the local one.

Everything goes wrong on the way: the network, the forge's answers, and the referees. What, is drawn from a seed.
FOLKMOOT_FUZZ=1 tries more seeds; FOLKMOOT_SEEDS=7 or 100-119 says which.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from folkmoot.forges.port import PullState
from folkmoot.game.verify import verify
from tests.conftest import FUZZ
from tests.forges.endtoend import a_nomic, b_nomic, games
from tests.forges.endtoend.comparing import difference, record, recorded_twice
from tests.forges.endtoend.gitea_world import GiteaWorld
from tests.forges.endtoend.github_world import GitHubWorld
from tests.forges.endtoend.local_world import LocalWorld
from tests.forges.endtoend.troubled import TroubledWorld, forked_referees
from tests.forges.endtoend.world import World, person_id, throw_alike
from tests.forges.gitea.emulator import FORGEJO
from tests.harvest.field import foreign
from tests.support.forking import Forking
from tests.support.quick import replayed


class ForgejoWorld(GiteaWorld):
    generation = FORGEJO


WORLDS: dict[str, type[TroubledWorld]] = {"github": GitHubWorld, "gitea": GiteaWorld, "forgejo": ForgejoWorld}
CALL = re.compile(r"<!-- folkmoot:call (\S+)")


class Play(Struct, frozen=True):
    """A script with what it is played by; `changed` are pull requests whose newest content is not what was adopted.

    Where it is `kept`, there is a keeper's key.
    """

    law: Mapping[str, Any]
    players: tuple[str, ...]
    script: Callable[[World], None]
    changed: tuple[str, ...]
    kept: bool = False


PLAYS = {
    "two turns": Play(games.SUBER, games.SUBER_PLAYERS, games.two_turns, ("turn 1",)),
    "four turns": Play(games.SUBER, games.SUBER_PLAYERS, games.four_turns, ("turn 1",)),
    "ten turns": Play(games.SUBER, games.SUBER_PLAYERS, games.ten_turns, ("turn 1",)),
    "one adoption": Play(games.SUBER, games.SUBER_PLAYERS, games.one_adoption, (), kept=True),
    "a round": Play(games.CONSENSUS, games.SUBER_PLAYERS, games.a_round, ()),
    "a session": Play(games.ASSEMBLY, games.IMPERIAL_PLAYERS, games.a_session, ("moat",)),
    "a harvest": Play(games.HARVEST, games.SUBER_PLAYERS, games.a_harvest, ()),
    "a dynasty": Play(games.COUNCIL, games.SUBER_PLAYERS, games.a_dynasty, ("dragon",)),
    "a week": Play(games.IMPERIAL, games.IMPERIAL_PLAYERS, games.a_week, ("chips",)),
    "two nweeks": Play(b_nomic.LAW, b_nomic.PLAYERS, b_nomic.two_nweeks, ()),
    "a parliament": Play(a_nomic.LAW, a_nomic.PLAYERS, a_nomic.two_nweeks, ("tea",), kept=True),
    "words and days": Play(b_nomic.SHORT, b_nomic.SHORT_PLAYERS, b_nomic.words_and_days, ()),
}


class End(Struct, frozen=True):
    """What a play comes to on the local forge."""

    record: dict[str, str]
    shown: dict[str, PullState]


@pytest.fixture(scope="module", autouse=True)
def alike() -> Iterator[None]:
    """Judge in this process, throw the same dice everywhere, and let nobody wait for what is late."""
    with pytest.MonkeyPatch.context() as patch:
        throw_alike(patch)
        patch.setattr("folkmoot.forges.web.client.SECONDS", 1.0)
        for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], End]:
    """Return what tells what a play comes to on the local forge; each is played once."""
    known: dict[str, End] = {}

    def end(name: str) -> End:
        if name not in known:
            play = PLAYS[name]
            world = LocalWorld(tmp_path_factory.mktemp("local"), play.law, play.players, kept=play.kept)
            play.script(world)
            known[name] = End(record(world), {word: world.shown(word) for word in world.pulls})
        return known[name]

    return end


@pytest.fixture(scope="module")
def referees() -> Iterator[Forking]:
    """Return what forks `moot referee` in a process of its own."""
    with forked_referees() as server:
        yield server


def check(world: TroubledWorld, play: Play, end: End) -> None:
    """Say whether a world came to the end that it should come to, in every respect, and rests."""
    assert difference(end.record, record(world)) == ""
    assert verify(world.game(), replayed).problems == []
    assert recorded_twice(world) == []
    for word in world.pulls:
        expected = "closed" if word in play.changed else end.shown[word]
        assert world.shown(word) == expected, word
        said = world.ours(word)
        assert sum("<!-- folkmoot:referee -->" in body for body in said) == 1, (word, said)
        calls = Counter(key for body in said for key in CALL.findall(body))
        assert all(times == 1 for times in calls.values()), (word, calls)
    at_rest(world)


def at_rest(world: TroubledWorld) -> None:
    """Say whether one more referee, elsewhere, finds nothing to do."""
    world.weather.rate = 0
    for _ in range(2):
        world.run(world.forge(world.second))
    refs, said = dict(_refs(world)), [world.ours(word) for word in world.pulls]
    report = world.run(world.forge(world.second))
    assert (report.entries, report.answers) == (0, 0)
    assert dict(_refs(world)) == refs
    assert [world.ours(word) for word in world.pulls] == said


def _refs(world: World) -> Iterator[tuple[str, str]]:
    for name in world.repo.references:
        yield name, str(world.repo.references[name].target)


def played(kind: str, name: str, folder: Path, end: End, **more: Any) -> TroubledWorld:
    """Play something in a world, and check what it comes to."""
    play = PLAYS[name]
    world = WORLDS[kind](folder, play.law, play.players, kept=play.kept, **more)
    with world.served():
        play.script(world)
        check(world, play, end)
    return world


def seeds(first: int, number: int) -> list[int]:
    """Return the seeds to be tried: some, or with FOLKMOOT_FUZZ many, or those that were asked for."""
    asked = os.environ.get("FOLKMOOT_SEEDS", "")
    if asked:
        low, _, high = asked.partition("-")
        return list(range(int(low), int(high or low) + 1))
    return list(range(first, first + (20 if FUZZ else number)))


@pytest.mark.skipif(not FUZZ, reason="of the plays that are played with FOLKMOOT_FUZZ=1 only")
def test_the_plays_have_something_of_everything(ends: Callable[[str], End]) -> None:
    suber, imperial = ends("ten turns"), ends("a week")
    assert Counter(suber.shown.values()) == {"merged": 9, "closed": 2, "open": 1}
    assert Counter(imperial.shown.values()) == {"merged": 6, "closed": 6}
    acts = Counter(
        line.partition(": ")[2]
        for end in (suber, imperial)
        for path, text in end.record.items()
        if path.startswith("journal/")
        for line in text.split("\n")
        if line.startswith(("do: ", "code: "))
    )
    wanted = {"propose", "finalise", "vote", "join", "submit_proposal", "decide", "tick", "announce_day", "subscribe"}
    assert wanted | {"E-ORDER", "E-GROUND", "E-NOT-OFFICE", "swap_accept", "rewrite"} <= acts.keys()
    assert "result:" in "".join(imperial.record.values()), "dice were thrown"


@pytest.mark.parametrize(
    ("kind", "name"), [("github", "four turns"), ("forgejo", "a week")] if FUZZ else [("forgejo", "four turns")]
)
def test_in_fair_weather(kind: str, name: str, tmp_path: Path, ends: Callable[[str], End]) -> None:
    world = played(kind, name, tmp_path, ends(name), wired=False)
    assert world.attempts == len(world.reports) - 3


@pytest.mark.parametrize("kind", ["github", "gitea"] if FUZZ else ["github"])
def test_a_session_of_the_assembly_is_played_to_its_end(kind: str, tmp_path: Path, ends: Callable[[str], End]) -> None:
    world = played(kind, "a session", tmp_path, ends("a session"), wired=False)
    held = {who: (had["laurels"], had["bought"], had["crowns"]) for who, had in world.document("things/player").items()}
    assert held == {"ann": (0, 1, 0), "bob": (0, 0, 0), "cid": (0, 0, 0), "dee": (0, 0, 1), "fay": (0, 0, 0)}
    assert world.document("things/office")["keeper"]["holder"] == "fay"
    assert {word: world.shown(word) for word in world.pulls} == {
        "bells": "merged", "moat": "closed", "wall": "closed", "hail": "merged", "rolls": "merged",
    }  # fmt: skip
    assert world.document("proposals/none/x20")["registers"]["threshold"] == 3, "the demand came by a push"
    assert world.document("proposals/000/1") == {"of": "proposal/x19"}, (
        "a draft is known by its entry, then by its number too"
    )


@pytest.mark.skipif(not FUZZ, reason="of the plays that are played with FOLKMOOT_FUZZ=1 only")
@pytest.mark.parametrize("kind", ["github", "gitea"])
def test_a_round_by_consensus_is_played_to_its_end(kind: str, tmp_path: Path, ends: Callable[[str], End]) -> None:
    world = played(kind, "a round", tmp_path, ends("a round"), wired=False)
    score = {who: (held["score"], held["rounds_won"]) for who, held in world.document("things/player").items()}
    assert score == {"ann": (0, 1), "bob": (0, 0), "cid": (3, 0), "dee": (0, 0), "eve": (0, 0)}
    assert world.document("game")["won"][0]["winner"] == ["ann"]
    assert {word: world.shown(word) for word in world.pulls} == {
        **dict.fromkeys(("eve joins", "dragon", "moat", "haste", "tower"), "merged"),
        "wyvern": "open",
        "wall": "closed",
    }


@pytest.mark.parametrize("kind", ["github", "gitea"] if FUZZ else ["gitea"])
def test_a_round_in_words_that_no_engine_guesses(kind: str, tmp_path: Path, ends: Callable[[str], End]) -> None:
    """A stranger is let in by a vote, with the account that they asked by; nobody is told anything in another game's words."""
    world = played(kind, "a harvest", tmp_path, ends("a harvest"), wired=False)
    roster = world.document("roster")
    assert roster["eve"]["handles"][kind]["id"] == person_id(kind, "eve")
    assert {word: world.shown(word) for word in world.pulls} == {
        "eve asks": "merged",
        "rain": "merged",
        "mist": "closed",
    }
    said = {word: "\n".join(world.ours(word)) for word in world.pulls}
    assert {word: found for word, text in said.items() if (found := foreign(text))} == {}
    assert "@dee your vote on" in said["rain"], "who has said nothing is reminded"
    assert world.document("things/player")["dee"]["grain"] == 1


@pytest.mark.skipif(not FUZZ, reason="of the plays that are played with FOLKMOOT_FUZZ=1 only")
@pytest.mark.parametrize("kind", ["github", "gitea"])
def test_a_dynasty_of_the_council_is_played_to_its_end(kind: str, tmp_path: Path, ends: Callable[[str], End]) -> None:
    world = played(kind, "a dynasty", tmp_path, ends("a dynasty"), wired=False)
    assert world.document("things/game")["game"]["dynasties"] == [{"monarch": "bob", "theme": "Ships."}]
    assert world.document("game")["won"][0]["winner"] == ["bob"]
    assert {word: world.shown(word) for word in world.pulls} == {
        "dragon": "closed", "moat": "merged", "king": "closed", "names": "merged", "wall": "closed", "sail": "merged",
    }  # fmt: skip
    in_force = {meta["number"] for meta in world.document("law")["rules"].values() if meta["in_force"]}
    assert in_force == {*(str(number) for number in range(1, 16)), "19"}, (
        "dynastic rules are gone, numbers are not reused"
    )


def test_days_of_b_nomic_are_played_to_their_end(tmp_path: Path, ends: Callable[[str], End]) -> None:
    """A cut of the two nweeks: what was done while the Clock was Off is carried out later, whoever leaves has no vote."""
    play = PLAYS["words and days"]
    world = GiteaWorld(tmp_path, play.law, play.players, wired=False)
    play.script(world)
    if FUZZ:
        check(world, play, ends("words and days"))
    assert verify(world.game(), replayed).problems == []
    assert recorded_twice(world) == []
    assert {word: world.shown(word) for word in world.pulls} == {"tea": "merged", "slip": "merged", "late": "closed"}
    assert [issue["state"] for issue in world.gitea.issues.values() if issue["title"] == "A gift"] == ["closed"]
    ballots = b_nomic.motion(world, "tea")["ballots"]
    assert {who: ballot["choice"] for who, ballot in ballots.items() if ballot["counts"]} == {
        "ann": "MAYBE NOT", "dee": "FOR", "eve": "FOR", "gremlin": "MAYBE"
    }  # fmt: skip
    assert "did you mean /vote?" in "\n".join(world.ours("late"))


@pytest.mark.skipif(not FUZZ, reason="of the plays that are played with FOLKMOOT_FUZZ=1 only")
@pytest.mark.parametrize("kind", ["github", "gitea"])
def test_two_nweeks_of_b_nomic_are_played_to_their_end(kind: str, tmp_path: Path, ends: Callable[[str], End]) -> None:
    world = played(kind, "two nweeks", tmp_path, ends("two nweeks"), wired=False)
    merged = ("rings", "vat", "tea", "oops", "tidy", "moat", "inquiry")
    closed = ("king", "slip", "late", "free", "worse", "bell")
    assert {word: world.shown(word) for word in world.pulls} == {
        **dict.fromkeys(merged, "merged"), **dict.fromkeys(closed, "closed"), "none": "open"
    }  # fmt: skip
    assert world.document("things/office")["arcana"]["holder"] == "dee"
    souls = {soul: had["state"] for soul, had in world.document("things/soul").items()}
    assert (souls["soul-fay"], souls["soul-gus"]) == ("Bound", "Found")
    assert world.document("things/talisman")["talisman-1"]["holder"] == "fay"
    assert world.document("game")["settings"]["B-I33"] == "boundaries", "the CFI passed"
    players = world.document("things/player")
    assert "gus" not in players or not players["gus"]["playing_tiles"]
    assert players["dee"]["class"] == "Senator"
    assert players["eve"]["suck_points"] > 0


@pytest.mark.skipif(not FUZZ, reason="of the plays that are played with FOLKMOOT_FUZZ=1 only")
@pytest.mark.parametrize("kind", ["github", "gitea", "forgejo"] if FUZZ else ["github", "gitea"])
def test_two_nweeks_of_a_nomic_are_played_to_their_end(kind: str, tmp_path: Path, ends: Callable[[str], End]) -> None:
    parliament_has_sat(played(kind, "a parliament", tmp_path, ends("a parliament"), wired=False))


def test_two_nweeks_of_a_nomic_are_played_on_the_local_forge(tmp_path: Path) -> None:
    play = PLAYS["a parliament"]
    world = LocalWorld(tmp_path, play.law, play.players, kept=play.kept)
    play.script(world)
    parliament_has_sat(world)
    assert verify(world.game(), replayed).problems == []
    assert recorded_twice(world) == []


def parliament_has_sat(world: World) -> None:
    """Say whether two nweeks of A Nomic came to their end."""
    assert {word: world.shown(word) for word in world.pulls} == {
        **dict.fromkeys(("fog", "first", "second", "typo", "wall", "frown", "cards"), "merged"),
        **dict.fromkeys(("king", "milk", "worse", "moat"), "closed"),
        "tea": "merged" if world.kind == "local" else "closed",  # its newest content is not what was adopted
    }
    assert "eve" in world.document("roster"), "nobody objected to the Motion to Add"
    offices = {name: office.get("holder") for name, office in world.document("things/office").items()}
    assert (offices["tribune"], offices["dealer"]) == (None, "fay"), "a Tribune's term is one nweek"
    stones = world.document("things/stone").values()
    assert len(stones) == 10
    assert sorted(stone["state"] for stone in stones).count("captured") == 1
    assert "@hal" not in world.ours("moat")[0], "a vetoed Proposal asks nobody for a vote"


@pytest.mark.skipif(not FUZZ, reason="of the long proofs, which FOLKMOOT_FUZZ=1 tries")
@pytest.mark.parametrize("seed", seeds(1, 1))
@pytest.mark.parametrize(("kind", "name"), [("github", "ten turns" if FUZZ else "two turns")])
def test_over_a_network_in_all_weathers(
    kind: str, name: str, seed: int, tmp_path: Path, ends: Callable[[str], End]
) -> None:
    world = played(kind, name, tmp_path, ends(name), seed=seed, rough=1)
    _was_rough(world, 60 if FUZZ else 10)


LONG = ("ten turns", "a week")
SOME = [("gitea", "two turns")]  # on GitHub the play over a network has the same weathers


@pytest.mark.parametrize("seed", seeds(2, 1))
@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in WORLDS for name in LONG] if FUZZ else SOME)
def test_in_all_weathers(kind: str, name: str, seed: int, tmp_path: Path, ends: Callable[[str], End]) -> None:
    _was_rough(played(kind, name, tmp_path, ends(name), seed=seed, rough=1, wired=False), 60 if name in LONG else 10)


def _was_rough(world: TroubledWorld, least: int = 60) -> None:
    """Say whether enough went wrong for a play to prove anything."""
    met = world.met
    assert sum(met.values()) > least
    assert {"killed", "another referee", "a push", "shuffled"} <= met.keys(), met
    assert met["done, but failed"] + met["lost"] + met["late"] + met["truncated"] > 4, met
    print(f"\n{world.kind}: {world.attempts} attempts, {dict(met)}")


@pytest.mark.skipif(not FUZZ, reason="of the plays that are played with FOLKMOOT_FUZZ=1 only")
@pytest.mark.skipif(os.name != "posix", reason="kills processes")
def test_referees_in_processes_of_their_own_are_killed(
    tmp_path: Path, ends: Callable[[str], End], referees: Forking
) -> None:
    """Two turns by `moot referee`: killed at points, at a moment, two at once; then the rest of the game."""
    play = PLAYS["two turns"]
    world = GitHubWorld(tmp_path, play.law, play.players)
    world.referees = referees
    usual, done = world._settle, [0]
    killed = []

    def settle() -> None:
        done[0] += 1
        way = {
            1: partial(world.killed, kill_at=9),
            2: partial(world.killed, kill_at=27),
            3: partial(world.killed, seconds=1.1),
            **({4: partial(world.killed, kill_at=18)} if FUZZ else {}),
        }.get(done[0])
        if way is not None:
            killed.append(way())
        if done[0] == 2 or (FUZZ and done[0] == 4):
            both = [world.process(), world.process()]
            for process in both:
                process.communicate(timeout=300)
            assert 0 in [process.returncode for process in both]
        usual()

    world._settle = settle  # type: ignore[method-assign]
    with world.served():
        play.script(world)
        check(world, play, ends("two turns"))
    assert killed.count(True) >= (3 if FUZZ else 2)


@pytest.mark.skipif(os.name != "posix", reason="starts processes as a job does")
def test_the_command_referees_on_gitea_as_a_process_of_its_own(
    tmp_path: Path, ends: Callable[[str], End], referees: Forking
) -> None:
    """Each run is `moot referee` in a new clone, over HTTP, with its judge behind the border; both say what they did.

    The keeper's key is a secret of the job: it is told to nobody, and stands in nothing that the forge keeps.
    """
    play = PLAYS["one adoption"]
    world = GiteaWorld(tmp_path, play.law, play.players, kept=play.kept)
    world.referees = referees
    told: list[str] = []

    def settle() -> None:
        process = world.process()
        told.append(process.communicate(timeout=120)[0].decode())
        assert process.returncode == 0, told[-1]

    world._settle = settle  # type: ignore[method-assign]
    with world.served():
        play.script(world)
        check(world, play, ends("one adoption"))
    assert world.shown("turn 1") == "merged"
    assert len(told) == 2
    assert all(re.search(r"[1-9][0-9]* (?:entry|entries) recorded, [1-9]", text) for text in told)
    secret = world.secrets["FOLKMOOT_SEALING"].partition(":")[2]
    public = [text.encode() for text in told] + [world.repo.get(each).read_raw() for each in world.repo]
    assert [data for data in public if secret.encode() in data] == []
