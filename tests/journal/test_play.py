"""What became of a game between two commits is play, or it is said which file is not and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygit2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core.digest import bytes_digest
from folkmoot.core.problems import Problem
from folkmoot.game.epoch_secrets import make_secret, read_secret
from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session
from folkmoot.game.verify import validate_advance
from folkmoot.journal import Head, entry_bytes
from folkmoot.journal.git_objects import write_tree
from folkmoot.journal.layout import entry_name, entry_time
from folkmoot.journal.record import head_bytes
from folkmoot.journal.tree import GameTree
from tests.conftest import FUZZ
from tests.support.toy_game import START

ME = "Ann Abel <ann@example.org>"
DAY = 86_400
DICE = {
    "rule": "900", "uid": "900", "title": "Dice", "labels": {"status": "mutable"}, "text": "Throw.",
    "actions": {"throw": {"summary": "Throw"}},
    "timers": {"nap": {"every": "day", "time": "03:00", "summary": "Nothing happens at night"},
               "gong": {"every": "week", "weekday": "sunday", "time": "12:00", "summary": "A gong sounds"}},
    "script": 'def on_gong(e):\n    announce("Gong")\n\n\ndef do_throw(a):\n    announce("got %d" % roll(6, "throw"))\n',
}  # fmt: skip


class Game:
    """Suber's game with dice and a timer that does nothing, played in git alone."""

    def __init__(self, path: Path) -> None:
        self.repo = pygit2.init_repository(path, bare=True)
        tree = GameTree(self.repo, "", "real")
        law = founding("suber")
        given = {**law, "title": "Real", "players": [{"id": name} for name in ("ann", "bob", "cid")]}
        given |= {"administrators": ["ann"], "settings": {"mode": "mail"}, "rules": [*law["rules"], dict(DICE)]}
        assert Session.found(tree, given, START).accepted
        self.founded = tree.commit("Found", ME, START)
        self.base = self.played(self.founded, [("ann", "state", {"text": "Hello"}), ("bob", "throw", {})])

    def at(self, commit: str) -> GameTree:
        return GameTree(self.repo, commit, "real")

    def played(self, commit: str, acts: list[tuple[str, str, dict[str, Any]]], wait: int = 60) -> str:
        """Return the commit of a game that goes on with these acts."""
        tree = self.at(commit)
        with Session.on(tree) as session:
            for by, do, with_ in acts:
                session.act(by, do, with_, at=session.at + wait)
        return tree.commit("Play", ME, START)

    def by_hand(self, commit: str, changes: dict[str, bytes | None]) -> str:
        """Return a commit in which files of the game were changed by hand."""
        root = self.repo[commit].peel(pygit2.Tree).id
        made = write_tree(self.repo, root, {f"state/real/{name}": data for name, data in changes.items()})
        who = pygit2.Signature("Hand", "hand@example.org", START, 0)
        return str(self.repo.create_commit(None, who, who, "By hand", made, [commit]))

    def extended(self, commit: str, entry: dict[str, Any]) -> str:
        """Return a commit to which an entry was added by hand so that it chains."""
        head = self.at(commit).head
        numbered = {"seq": head.seq + 1, "prev": head.digest, "at": (head.at or 0) + 1, **entry}
        data = entry_bytes(numbered)
        after = Head(head.seq + 1, bytes_digest(data), entry_time(numbered))
        return self.by_hand(commit, {entry_name(after.seq): data, "head.yaml": head_bytes(after)})

    def read(self, commit: str, name: str) -> bytes:
        found = self.at(commit).read(name)
        assert found is not None
        return found

    def judged(self, base: str, tip: str) -> list[tuple[str, str, str]]:
        """Return what is said of a commit: codes, files and reasons."""
        return [told(problem) for problem in validate_advance(self.at(base), self.at(tip))]


def told(problem: Problem) -> tuple[str, str, str]:
    place = problem.position.file.removeprefix("state/real/") if problem.position else ""
    return problem.code, place, problem.message


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return Game(tmp_path_factory.mktemp("play") / "bare")


@pytest.fixture(scope="module")
def tip(game: Game) -> str:
    """Return a commit of an honest continuation: a proposal, a refused act, dice, and days of silence between them."""
    changes = [{"enact": {"title": "Dragon", "text": "There is a dragon."}}]
    acts = [
        ("ann", "propose", {"title": "Dragon", "changes": changes}),
        ("zed", "state", {"text": "I am nobody."}),
        ("cid", "throw", {}),
        ("bob", "state", {"text": "Good morning."}),
    ]
    return game.played(game.base, acts, wait=2 * DAY)


def test_an_honest_continuation_is_play(game: Game, tip: str) -> None:
    assert game.at(tip).head.seq >= game.at(game.base).head.seq + 4
    assert game.judged(game.base, tip) == []


def test_silent_timers_fire_again(game: Game, tip: str) -> None:
    """A statement says nothing of the timers that came to nothing before it, but its commit has them moved."""
    later = game.played(tip, [("bob", "state", {"text": "Two days later."})], wait=2 * DAY)
    before, after = (game.at(commit).archive("things/timer") for commit in (tip, later))
    assert before != after
    assert game.judged(tip, later) == []
    unmoved = game.by_hand(later, {"things/timer.yaml": game.read(tip, "things/timer.yaml")})
    [(code, name, _)] = game.judged(tip, unmoved)
    assert (code, name) == ("E-DERIVED", "things/timer.yaml")


def test_a_resolved_proposal_is_derived_though_it_is_put_away(game: Game, tmp_path: Path) -> None:
    """What play puts into the archive between two commits is compared, and what was there before is read from base."""
    tree = game.at(game.base)
    with Session.on(tree) as session:
        mover = session.ask("mover")
        session.act(
            mover, "propose", {"title": "A", "changes": [{"enact": {"title": "A", "text": "A."}}]}, at=session.at + 1
        )
        number = session.document("game")["open"][0]
        session.act(mover, "finalise", {}, at=session.at + 1)
        for voter in session.players():
            session.act(voter, "vote", {"proposal": int(number.rpartition("/")[2]), "choice": "for"}, at=session.at + 1)
        key = f"proposals/300/{number.rpartition('/')[2]}"
        session.tick(session.at + 60 * DAY)
        session.act("bob", "state", {"text": "Later."}, at=session.at + 60 * DAY)
    commit = tree.commit("Adopt", ME, START)
    assert key in tree.archived_keys()
    assert game.judged(game.base, commit) == []
    assert [line[:2] for line in game.judged(game.base, game.by_hand(commit, {f"{key}.yaml": b"id: x\n"}))] == [
        ("E-DERIVED", f"{key}.yaml")
    ]


# -- what is not play


@pytest.mark.parametrize("name", ["things/player.yaml", "rules/101.yaml"])
def test_a_changed_derived_file(game: Game, tip: str, name: str) -> None:
    """Whether play changed it too or not."""
    changed = game.by_hand(tip, {name: game.read(tip, name) + b"more: true\n"})
    [(code, found, reason)] = game.judged(game.base, changed)
    assert (code, found) == ("E-DERIVED", name)
    assert "nothing that was recorded does so" in reason or "where the replay gives" in reason
    assert game.judged(tip, changed) == [
        ("E-DERIVED", name, "the file was changed, but nothing that was recorded does so")
    ]


def test_files_that_play_should_have_changed_or_never_made(game: Game, tip: str) -> None:
    [proposal] = (f"{key}.yaml" for key in game.at(tip).load() if key.startswith("proposals/"))
    unrecorded = "but nothing that was recorded does so"
    for name, data, code, words in (
        ("game.yaml", game.read(game.base, "game.yaml"), "E-DERIVED", "where the replay gives"),
        ("rules/103.yaml", None, "E-DERIVED", f"the file was removed, {unrecorded}"),
        (proposal, None, "E-DERIVED", "the file is missing"),
        ("stray.yaml", b"a: 1\n", "E-DERIVED", f"the file was added, {unrecorded}"),
        ("deep/er/file.txt", b"a: 1\n", "E-DERIVED", f"the file was added, {unrecorded}"),
        (".hidden", b"a: 1\n", "E-DERIVED", f"the file was added, {unrecorded}"),
        ("journal/000/7.yaml", b"a: 1\n", "E-STRAY", entry_name(7)),
    ):
        [(found, place, reason)] = game.judged(game.base, game.by_hand(tip, {name: data}))
        assert (found, place) == (code, name)
        assert words in reason


@pytest.mark.parametrize("mode", [pygit2.enums.FileMode.LINK, pygit2.enums.FileMode.BLOB_EXECUTABLE])
def test_no_plain_file(game: Game, tip: str, mode: pygit2.enums.FileMode) -> None:
    """The bytes are right, but it is a link or a program."""
    inner = game.at(tip).tree_id
    assert inner is not None
    blob = game.repo.create_blob(game.read(tip, "roster.yaml"))
    tree = inner
    for name, what, kind in (("roster.yaml", blob, mode), ("real", None, None), ("state", None, None)):
        builder = game.repo.TreeBuilder(game.repo[inner]) if name == "roster.yaml" else game.repo.TreeBuilder()
        builder.insert(name, what or tree, kind or pygit2.enums.FileMode.TREE)
        tree = builder.write()
    who = pygit2.Signature("Hand", "hand@example.org", START, 0)
    commit = str(game.repo.create_commit(None, who, who, "Odd", tree, [tip]))
    assert game.judged(game.base, commit) == [("E-STRAY", "roster.yaml", "this is not a plain file")]


@pytest.mark.threat("T-24")
def test_an_entry_of_the_past_that_was_changed(game: Game, tip: str) -> None:
    name = entry_name(2)
    changed = game.by_hand(tip, {name: game.read(tip, name).replace(b"Hello", b"Hullo")})
    assert game.judged(game.base, changed) == [("E-CHAIN", name, "the entry was changed after it was recorded")]
    assert game.judged(game.base, game.by_hand(tip, {name: None})) == [("E-CHAIN", name, "the entry was removed")]


@pytest.mark.threat("T-24")
def test_a_new_entry_that_was_changed(game: Game, tip: str) -> None:
    """One in the middle does not fit the one after it, the last one not the head."""
    first, last = game.at(game.base).head.seq + 1, game.at(tip).head.seq
    for seq in (first, first + 1, last):
        name = entry_name(seq)
        problems = game.judged(game.base, game.by_hand(tip, {name: game.read(tip, name) + b"code: E-ARGS\n"}))
        assert problems
        assert {code for code, *_ in problems} == {"E-CHAIN"}
        assert {found for _, found, _ in problems} <= {name, entry_name(seq + 1), "head.yaml"}


def test_a_new_entry_that_is_missing(game: Game, tip: str) -> None:
    missing = game.at(game.base).head.seq + 2
    problems = game.judged(game.base, game.by_hand(tip, {entry_name(missing): None}))
    assert ("E-CHAIN", entry_name(missing), "the entry is missing") in problems
    last = game.at(tip).head.seq
    [(code, name, _)] = game.judged(game.base, game.by_hand(tip, {entry_name(last): None}))
    assert (code, name) == ("E-CHAIN", "head.yaml")


def test_a_game_that_went_back(game: Game, tip: str) -> None:
    first, last = game.at(game.base).head.seq + 1, game.at(tip).head.seq
    assert game.judged(tip, game.base) == [
        ("E-CHAIN", entry_name(n), "the entry was removed") for n in range(first, last + 1)
    ]
    emptied = game.by_hand(tip, {name: None for name, _ in game.at(tip).walk()})
    assert game.judged(tip, emptied) == [("E-CHAIN", "", "the game in state/real was removed")]


def test_a_head_that_was_changed(game: Game, tip: str) -> None:
    moved = game.by_hand(tip, {"head.yaml": head_bytes(Head(2, "0" * 64, START))})
    for base in (game.base, tip):
        [(code, name, _)] = game.judged(base, moved)
        assert (code, name) == ("E-CHAIN", "head.yaml")


@pytest.mark.threat("T-08")
def test_an_entry_that_chains_but_does_not_replay(game: Game, tip: str) -> None:
    """Somebody gives himself points, as if a statement did that."""
    effect = {"effect": "award", "of": "bob", "name": "score", "from": 0, "to": 100, "asked": 100, "applied": 100}
    forged = game.extended(tip, {"by": "bob", "do": "state", "with": {"text": "Mine"}, "effects": [effect]})
    [(code, name, reason)] = game.judged(game.base, forged)
    assert (code, name) == ("E-REPLAY", entry_name(game.at(forged).head.seq))
    assert "effects" in reason


def test_a_timer_that_was_due_is_not_left_out(game: Game, tip: str) -> None:
    """The gong is an entry of its own; whoever writes past it is found."""
    acts = [("bob", "state", {"text": "Late"})]
    honest = game.played(tip, acts, wait=8 * DAY)
    first, last = game.at(tip).head.seq + 1, game.at(honest).head.seq
    assert [entry["do"] for entry in game.at(honest).entries(first)] == ["tick", "state"]
    assert game.judged(tip, honest) == []
    late = game.at(honest).entry(last)
    [(code, name, reason)] = game.judged(
        tip, game.extended(tip, {key: late[key] for key in ("at", "by", "do", "with", "effects")})
    )
    assert (code, name) == ("E-REPLAY", entry_name(first))
    assert "'gong' was due" in reason


@pytest.mark.threat("T-08")
def test_dice_that_were_chosen(game: Game, tip: str) -> None:
    """Open dice are worked out anew; a chosen roll replays, but it is not the one that was due."""
    tree = game.at(tip)
    with Session.on(tree) as session:
        session.act("bob", "throw", {}, at=session.at + 60)
    [draw] = tree.entry(tree.head.seq)["draws"]
    chosen = {**draw, "result": draw["result"] % 6 + 1}
    event = {"by": "bob", "do": "throw", "at": tree.head.at, "draws": [chosen]}
    effects = [{**effect, "text": f"got {chosen['result']}"} for effect in tree.entry(tree.head.seq)["effects"]]
    forged = game.extended(tip, {**event, "effects": effects})
    assert [line[0] for line in game.judged(tip, forged)] == ["E-DRAW"]
    assert game.judged(tip, tree.commit("Throw", ME, START)) == []


def test_dice_of_an_epoch(game: Game, tip: str) -> None:
    """While the epoch is open its draws cannot be proved; they must come from it all the same."""
    tree = game.at(tip)
    with Session.on(tree) as session:
        session.act("ann", "open_epoch", {"commitment": make_secret(tree)}, at=session.at + 60)
        opened = tree.commit("Open", ME, START)
        session.act("bob", "throw", {}, at=session.at + 60)
        thrown = tree.commit("Throw", ME, START)
        secret = read_secret(tree, 1, session.document("game")["chance"]["commitment"])
        assert secret is not None
        session.act("ann", "close_epoch", {"secret": secret.hex()}, at=session.at + 60)
        closed = tree.commit("Close", ME, START)
    for base, later in ((tip, opened), (opened, thrown), (thrown, closed), (tip, closed)):
        assert game.judged(base, later) == []
    entry = game.at(thrown).entry(game.at(thrown).head.seq)
    elsewhere = {**entry, "draws": [{**draw, "source": "open"} for draw in entry["draws"]]}
    forged = game.extended(opened, {key: elsewhere[key] for key in ("at", "by", "do", "draws", "effects")})
    assert {code for code, *_ in game.judged(opened, forged)} == {"E-DRAW"}


# -- redactions


@pytest.fixture(scope="module")
def redacted(game: Game, tip: str) -> str:
    """Return a commit in which a statement of the past is redacted."""
    return game.played(
        tip, [("ann", "redact", {"seq": 2, "path": "with.text", "why": "private"}), ("bob", "throw", {})]
    )


def test_a_redaction_is_play(game: Game, tip: str, redacted: str) -> None:
    assert game.read(tip, entry_name(2)) != game.read(redacted, entry_name(2))
    assert game.judged(tip, redacted) == []
    assert game.judged(game.base, redacted) == []
    later = game.played(redacted, [("bob", "state", {"text": "On."})])
    assert game.judged(redacted, later) == []


def test_a_redaction_covers_no_other_change(game: Game, tip: str, redacted: str) -> None:
    name = entry_name(3)
    changed = game.by_hand(redacted, {name: game.read(redacted, name) + b"code: E-ARGS\n"})
    assert game.judged(tip, changed) == [("E-CHAIN", name, "the entry was changed after it was recorded")]
    kept = game.by_hand(redacted, {entry_name(2): game.read(tip, entry_name(2))})
    assert [line[:2] for line in game.judged(tip, kept)] == [("E-REDACTION", entry_name(2))]
    [(code, stray, _)] = game.judged(tip, game.by_hand(redacted, {"stray.yaml": b"a: 1\n"}))
    assert (code, stray) == ("E-STRAY", "stray.yaml")


@pytest.mark.parametrize(
    "with_", [{}, {"seq": "2", "path": 3}, {"seq": 2}, {"seq": 2, "path": "with.nothing"}, {"seq": [2]}]
)
def test_a_redaction_that_makes_no_sense(game: Game, tip: str, with_: dict[str, Any]) -> None:
    forged = game.extended(tip, {"by": "ann", "do": "redact", "with": with_})
    assert game.judged(tip, forged)
    changed = game.by_hand(forged, {entry_name(2): b"seq: 2\n"})
    assert game.judged(tip, changed)


# -- whatever else somebody writes

values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 10**20) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
parts = st.sampled_from("by as via do with code draws effects reasons failures deaths left_out redacted more".split())


@pytest.mark.process
@settings(max_examples=25 if FUZZ else 10)
@given(st.dictionaries(parts, values, min_size=1, max_size=3))
def test_whatever_stands_in_an_entry_something_is_said(game: Game, tip: str, forged: dict[str, Any]) -> None:
    """An entry is refused with a reason, never with a crash, unless it is what play would have written."""
    extended = game.extended(tip, {"do": "state", "by": "bob", "with": {"text": "I say"}, **forged})
    assert game.judged(tip, extended)


# -- its price


def test_only_what_changed_is_read(game: Game, tip: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    before = GameTree._committed
    monkeypatch.setattr(GameTree, "_committed", lambda tree, name: (read.append(name), before(tree, name))[1])
    assert game.judged(game.base, tip) == []
    entries = {name for name in read if name.startswith("journal/")}
    first, last = game.at(game.base).head.seq, game.at(tip).head.seq
    assert entries <= {entry_name(seq) for seq in range(first, last + 2)}
