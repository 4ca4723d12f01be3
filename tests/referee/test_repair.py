"""Games that were changed by hand: the referee says so, leaves that game alone, and it can be put right."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pygit2
import pytest

from folkmoot.cli.main import main
from folkmoot.core.problems import ProblemError
from folkmoot.referee.hand_edits import keep, revert
from tests.support.meeting import GAME, git, rule
from tests.support.quick import MAIN, QuickMeeting

OTHER = "marsh"
HERE = f"state/{GAME}"
Files = Mapping[str, bytes | None]
STILL = "The game stands still"


class Hands(QuickMeeting):
    """A meeting of two games in one repository, of which somebody changes the first by hand."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, games=(GAME, OTHER))

    def hand(self, person: str, files: Files, message: str = "By hand") -> str:
        """Push changed files straight to the branch."""
        made = self.change(person, files, message)
        self.put(MAIN, made)
        return made

    def merge(self, person: str, pull: int) -> str:
        """Merge a pull request as git does, and push."""
        ours, theirs = self.tip(), self.head(pull)
        tree = self.repo.merge_commits(ours, theirs).write_tree(self.repo)
        who = self.signature(person)
        made = str(self.repo.create_commit(None, who, who, f"Merge pull request {pull}", tree, [ours, theirs]))
        self.put(MAIN, made)
        return made

    def known(self) -> str:
        """Return what a referee knows as the last sound commit."""
        return self.forge.look(self.now).known

    def revert(self, game: str = GAME) -> None:
        """Take back what was done to a game by hand, as `moot verify --repair revert` does."""
        made = revert(self.repo, self.known(), self.tip(), game, self.now)
        assert self.forge.publish(self.tip(), made, proved=False)

    def other(self, person: str, title: str) -> int:
        """Propose something in the second game."""
        return self.pull(self.change(person, {f"state/{OTHER}/rules/x.yaml": rule(title)}, title))


@pytest.fixture
def hands(tmp_path: Path) -> Hands:
    """Return a meeting of which a referee has seen both games, with a proposal that is voted on in the first."""
    hands = Hands(tmp_path)
    assert hands.propose("ann", "A dragon") == 1
    assert hands.referee().entries == 1
    return hands


def edited(hands: Hands, path: str, old: bytes, new: bytes) -> Files:
    """Return a file of the first game with something replaced."""
    data = hands.repo[hands.tip()].peel(pygit2.Tree)[f"{HERE}/{path}"].data  # type: ignore[union-attr]
    assert old in data
    return {f"{HERE}/{path}": data.replace(old, new)}


FORGED = b'seq: 3\nprev: "00"\nat: 2026-01-05T12:00:00Z\nby: bob\ndo: state\nwith:\n  text: hello\n'
WAYS: dict[str, tuple[Callable[[Hands], Files], str]] = {
    "a_score": (lambda h: edited(h, "things/player.yaml", b"score: 0", b"score: 99"), "things/player.yaml"),
    "a_rule": (lambda h: edited(h, "rules/2.yaml", b'"score", 1)', b'"score", 50)'), "rules/2.yaml"),
    "an_entry": (lambda _: {f"{HERE}/journal/000/000003.yaml": FORGED}, "journal/000/000003.yaml"),
    "an_old_entry": (
        lambda h: edited(h, "journal/000/000002.yaml", b"by: ann", b"by: bob"),
        "the entry was changed after it was recorded",
    ),
    "a_shorter_journal": (lambda _: {f"{HERE}/journal/000/000002.yaml": None}, "the entry was removed"),
    "no_game": (lambda _: {f"{HERE}/head.yaml": None}, "head.yaml"),  # by which a game is found
    "no_forge": (lambda h: edited(h, "game.yaml", b"forge: local", b"forge: github"), "game.yaml"),
}


@pytest.mark.threat("T-08")
@pytest.mark.parametrize("way", WAYS)
def test_what_is_pushed_by_hand_stops_that_game_alone(hands: Hands, way: str) -> None:
    change, why = WAYS[way]
    sound, pushed = hands.tip(), hands.hand("bob", change(hands))
    assert hands.other("cid", "A bog") == 2
    hands.approve("bob", 1)
    report = hands.referee(60)
    assert [bool(game.stopped) for game in report.games] == [False, True]
    for place, part in (1, STILL), (1, why), (1, "moot verify --repair"), (0, STILL), (0, why):
        assert part in hands.said(place), "the game's own thread says it, too"
    assert hands.document("proposals/300/301") == {} or not hands.ballots()
    assert hands.game().tree_id == pygit2.Repository(str(hands.bare))[pushed].peel(pygit2.Tree)[HERE].id
    assert hands.game(OTHER).archive("proposals/300/301")["author"] == "cid"  # type: ignore[index]
    assert STILL not in hands.said(2)
    hands.revert()
    assert hands.game().tree_id == hands.repo[sound].peel(pygit2.Tree)[HERE].id
    assert hands.referee(60).entries == 1
    assert hands.ballots() == {"bob": "for"}
    assert STILL not in hands.said(0) + hands.said(1)
    assert hands.sound()
    assert hands.sound(OTHER)


@pytest.mark.threat("T-08")
def test_a_merge_by_a_button_is_no_adoption(hands: Hands) -> None:
    """The pull request shows as merged, and its content counts for nothing until it is put right."""
    hands.merge("bob", 1)
    hands.referee(60)
    assert STILL in hands.said(1)
    assert "rules/dragon.yaml" in hands.said(1)
    assert not hands.proposal(301)["outcome"]
    hands.revert()
    hands.say("ann", 1, "/vote for")
    hands.referee(60)
    assert "#### What it would change" in hands.said(1), "whoever votes sees on what"
    assert "**It enacts a new rule** · A dragon" in hands.said(1)
    for voter in ("bob", "cid", "dee"):
        hands.say(voter, 1, "/vote for")
    hands.referee(60)
    assert hands.proposal(301)["outcome"] == "adopted"
    assert hands.document("rules/301")["title"] == "A dragon"
    assert hands.sound()


def test_the_branch_forced_back_is_play_taken_away(hands: Hands) -> None:
    """It comes back by being put right, or by who pushes the same play: entries that chain need no referee of ours."""
    played, founding = hands.tip(), str(hands.repo[hands.tip()].parent_ids[0])
    hands.put(MAIN, founding)
    hands.approve("bob", 1)
    hands.referee(60)
    assert STILL in hands.said(1)
    assert "the entry was removed" in hands.said(1)
    assert hands.tip() == founding
    hands.revert()
    hands.referee(60)
    assert hands.ballots() == {"bob": "for"}
    voted = hands.tip()
    hands.put(MAIN, played)
    assert any(game.stopped for game in hands.referee(60).games)
    hands.put(MAIN, voted)
    number = hands.pull(hands.change("eve", {"docs/readme.md": b"Hello.\n"}, "Say hello"))
    hands.merge("ann", number)  # what is of no game is merged by whoever may
    assert not any(game.stopped for game in hands.referee(60).games)
    assert hands.said(number) == ""
    assert hands.known() == hands.tip()
    assert hands.sound()


def test_a_branch_begun_anew_can_still_be_put_right_elsewhere(hands: Hands, tmp_path: Path) -> None:
    """The commit that a referee knows is found in what was seen, also by one who never had it."""
    sound = hands.tip()
    empty = hands.repo.TreeBuilder().write()
    who = hands.signature("bob")
    hands.put(MAIN, str(hands.repo.create_commit(None, who, who, "Begin anew", empty, [])))
    git(tmp_path, "init", "--quiet", "--bare", "clone.git")
    git(tmp_path / "clone.git", "fetch", "--quiet", str(hands.bare), "refs/heads/main", "refs/moot/forge")
    clone = pygit2.Repository(str(tmp_path / "clone.git"))
    back = revert(clone, sound, hands.tip(), GAME, hands.now)
    assert clone[back].peel(pygit2.Tree)[HERE].id == clone[sound].peel(pygit2.Tree)[HERE].id
    hands.referee(60)
    assert "the game in state/moor was removed" in hands.said(1)


def test_two_games_that_were_changed_are_put_right_one_after_the_other(hands: Hands) -> None:
    hands.hand("bob", WAYS["a_score"][0](hands))
    hands.hand("bob", {f"state/{OTHER}/rules/9.yaml": rule("Bob rules")})
    assert [game.game for game in hands.referee(60).games if game.stopped] == [OTHER, GAME]
    known = hands.known()
    hands.revert()
    assert [game.game for game in hands.referee(60).games if game.stopped] == [OTHER]
    assert hands.known() == known
    hands.revert(OTHER)
    assert [game.game for game in hands.referee(60).games if game.stopped] == []
    assert hands.known() == hands.tip()


def test_what_is_said_to_a_game_that_stands_still_waits_for_it(hands: Hands) -> None:
    hands.hand("bob", WAYS["a_score"][0](hands))
    hands.say("cid", 0, f"/game {GAME}\n/do state text=hello")
    hands.say("cid", 0, f"/game {OTHER}\n/do state text=hi")
    assert hands.referee(60).entries == 1
    assert hands.referee(60).entries == 0
    hands.revert()
    assert hands.referee(60).entries == 1
    assert [entry["with"]["text"] for entry in hands.journal() if entry["do"] == "state"] == ["hello"]
    assert [entry["with"]["text"] for entry in hands.journal(OTHER) if entry["do"] == "state"] == ["hi"]


# -- putting on record


def test_rules_changed_or_merged_by_hand_can_be_put_on_record(hands: Hands) -> None:
    hands.hand("bob", WAYS["a_rule"][0](hands))
    hands.merge("bob", 1)
    hands.other("cid", "A bog")
    hands.referee(60)
    given = (hands.repo, hands.known(), hands.tip(), GAME)
    _, done = keep(*given, by="bob", why="I like it", now=hands.now)
    assert (done.accepted, done.code) == (False, "E-NOT-ADMINISTRATOR")
    made, done = keep(*given, by="ann", why="Bob was quick", now=hands.now)
    assert (done.accepted, done.entry["do"], done.entry["by"]) == (True, "repair", "ann")
    assert done.entry["with"]["why"] == "Bob was quick"
    assert hands.forge.publish(hands.tip(), made, proved=False)
    assert not any(game.stopped for game in hands.referee(60).games)
    assert '"score", 50)' in hands.document("rules/2")["script"]
    assert [r["title"] for r in map(hands.document, ("rules/301", "rules/4")) if r] == ["A dragon"]
    assert hands.sound()


@pytest.mark.parametrize("way", ["a_score", "an_entry"])
def test_only_rules_can_be_put_on_record(hands: Hands, way: str) -> None:
    hands.hand("bob", WAYS[way][0](hands))
    with pytest.raises(ProblemError) as raised:
        keep(hands.repo, hands.known(), hands.tip(), GAME, by="ann", why="Because", now=hands.now)
    assert raised.value.problems[0].code == "E-FOREIGN"


# -- the command


def test_moot_repair_tells_takes_back_and_records(hands: Hands, capsys: pytest.CaptureFixture[str]) -> None:
    def moot(*words: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main(["-C", str(hands.bare), *words])
        told = capsys.readouterr()
        return int(ended.value.code or 0), told.out + told.err

    code, told = moot("verify", "--repair", "-g", GAME)
    assert (code, "nothing to repair" in told) == (0, True)
    hands.hand("bob", WAYS["a_rule"][0](hands))
    code, told = moot("referee")
    assert (code, "changed by hand" in told, "moot verify --repair" in told) == (4, True, True)
    code, told = moot("verify", "--repair", "--game", GAME)
    assert (code, "rules/2.yaml" in told, "--repair revert" in told) == (4, True, True)
    code, told = moot("verify", "-g", GAME, "--repair", "record", "--by", "bob", "--why", "mine")
    assert (code, "E-NOT-ADMINISTRATOR" in told) == (3, True)
    assert any(game.stopped for game in hands.referee().games)
    code, told = moot("verify", "-g", GAME, "--repair", "record", "--by", "ann", "--why", "It was agreed.")
    assert (code, "Next: `moot referee`" in told) == (0, True)
    assert moot("referee")[0] == 0
    assert hands.journal()[-1]["do"] == "repair"
    hands.hand("bob", {f"{HERE}/head.yaml": None})
    code, told = moot("verify", "-g", GAME, "--repair", "revert", "--json")
    assert (code, json.loads(told)["game"]) == (0, GAME)
    assert moot("referee")[0] == 0
    assert moot("verify", "--repair", "-g", GAME)[0] == 0
    assert hands.sound()


def test_moot_repair_used_wrongly(hands: Hands, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["all"], ["record"], ["record", "--by", "ann"]):
        with pytest.raises(SystemExit) as ended:
            main(["-C", str(hands.bare), "verify", "-g", GAME, "--repair", *words])
        assert ended.value.code == 2
        assert "record" in capsys.readouterr().err
