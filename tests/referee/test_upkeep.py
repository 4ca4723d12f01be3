"""Pull requests that touch no game: nothing of them is run, and a maintainer approves their present head; pins of the engine."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import pygit2
import pytest

from folkmoot import __version__
from folkmoot.forges.engine_pin import faults
from folkmoot.forges.local.letters import Letter
from folkmoot.forges.port import Person
from folkmoot.forges.workflows import LOCK, WHEELS
from tests.support.meeting import GAME
from tests.support.moot import Moot
from tests.support.town import Town
from tests.workflows.wheels import wheel

ENGINE: dict[str, bytes | None] = {"engine/x.py": b"import os\nos.system('touch /tmp/pwned')\n"}
WORKFLOW: dict[str, bytes | None] = {".github/workflows/referee.yml": b"on: push\n"}


@pytest.fixture
def town(tmp_path: Path) -> Town:
    return Town(tmp_path, maintainers=["ann", "bob", "town:eve@x.org"])


def opened(town: Town, person: str = "dee", files: dict[str, bytes | None] | None = None) -> int:
    return town.pull(town.change(person, files or ENGINE, "Mend the engine"))


def test_it_waits_for_a_maintainer_and_says_who_could_approve(town: Town) -> None:
    pull, other = opened(town, files=WORKFLOW), opened(town)
    town.referee()
    who = "ann, bob, town:eve@x.org"
    assert town.check(pull) == ("pending", f"Of no game; it needs the approval of a maintainer: {who}")
    assert "nothing in it is run by the referee" in town.said(pull)
    town.approve("cid", pull)
    town.approve("eve", other)
    town.referee(60)
    assert town.check(pull)[0] == "pending"
    assert "no maintainer or the author: the review of cid" in town.said(pull)
    assert town.check(other)[0] == "success", "who is no player may be a maintainer by account"
    town.approve("bob", pull)
    town.referee(60)
    assert town.check(pull) == ("success", "Of no game; approved by bob, a maintainer")
    assert not town.document("game")["open"]
    assert town.journal()[-1]["do"] == "identify"


def test_an_approval_counts_for_the_head_that_it_was_made_on(town: Town) -> None:
    pull = opened(town)
    town.approve("ann", pull)
    town.referee()
    assert town.check(pull)[0] == "success"
    town.put(f"refs/pull/{pull}/head", town.change("dee", {"engine/x.py": b"worse\n"}))
    town.referee(60)
    assert town.check(pull)[0] == "pending"
    town.approve("ann", pull)
    town.referee(60)
    assert town.check(pull)[0] == "success"


def test_who_requests_changes_stands_in_the_way_and_what_is_taken_back_revives_nothing_older(town: Town) -> None:
    pull = opened(town)
    town.approve("ann", pull)
    against = town.say("ann", pull, "no", "request_changes")
    town.say("bob", pull, "no", "request_changes")
    town.referee()
    assert town.check(pull) == ("pending", "Of no game; ann, bob requests changes")
    cid = Person(id="cid@x.org", handle="Cid")
    town.changed_later(pull, against, dismissed_by=cid)
    town.referee(60)
    assert town.check(pull) == ("pending", "Of no game; bob requests changes")
    approval = town.approve("bob", pull)
    town.referee(60)
    assert town.check(pull)[0] == "success"
    town.changed_later(pull, approval, dismissed_by=cid)
    town.referee(60)
    assert town.check(pull)[0] == "pending"
    assert "it needs the approval of a maintainer" in town.check(pull)[1]


@pytest.mark.threat("T-06")
def test_nobody_approves_their_own(tmp_path: Path) -> None:
    town = Town(tmp_path)  # ann alone administers, and so maintains
    pull = opened(town, "ann")
    town.approve("ann", pull)
    town.referee()
    assert town.check(pull)[0] == "pending"
    assert "its author is the only one" in town.check(pull)[1]
    town.order("maintain", maintainers="ann,cid")
    town.approve("cid", pull)
    town.referee(60)
    assert town.check(pull)[0] == "success"


@pytest.mark.threat("T-06")
def test_robots_and_comments_approve_nothing(town: Town) -> None:
    pull = opened(town)
    town.board.robots = {"ann@x.org"}
    town.approve("ann", pull)
    town.say("bob", pull, "LGTM\n\n/vote for\n\n/approve")
    town.referee()
    assert town.check(pull)[0] == "pending"
    sent = len(town.board.sent)
    town.say("ann", pull, "I am a robot")
    town.referee(60)
    assert len(town.board.sent) == sent


def test_a_draft_is_not_done_and_one_that_is_closed_is_forgotten(town: Town) -> None:
    pull = opened(town)
    town.board.drafts = {pull}
    town.approve("bob", pull)
    town.referee()
    assert (town.check(pull)[0], "draft" in town.check(pull)[1]) == ("pending", True)
    town.board.drafts = set()
    town.referee(60)
    assert town.check(pull)[0] == "success"
    town.send("dee", Letter(pull=pull, kind="close"))
    town.referee(60)
    assert pull not in [each.number for each in town.forge.look(town.now).pulls]
    sent = len(town.board.sent)
    town.referee(60)
    assert len(town.board.sent) == sent


@pytest.mark.threat("T-05")
def test_a_mixture_is_refused_whoever_approves(town: Town) -> None:
    mixed = {**ENGINE, f"state/{GAME}/rules/x.yaml": b"title: X\ntext: X.\n"}
    pull = opened(town, files=mixed)
    for maintainer in ("ann", "bob", "eve"):
        town.approve(maintainer, pull)
    town.referee()
    assert town.check(pull)[0] == "failure"


def test_the_maintainers_of_all_games_count(tmp_path: Path) -> None:
    town = Town(tmp_path, games=("moor", "fen"))
    town.order("maintain", "fen", maintainers=["cid"])
    pull = opened(town)
    town.referee()
    assert town.check(pull)[1].endswith(": cid, ann")
    town.approve("cid", pull)
    town.referee(60)
    assert town.check(pull)[0] == "success"


def test_maintainers_are_people_of_the_game_or_accounts(town: Town) -> None:
    for given, code in ("zed", "E-NO-SUCH"), (["ann", "zed"], "E-NO-SUCH"), ([1], "E-ARGS"), ({"a": 1}, "E-ARGS"):
        with pytest.raises(AssertionError, match=code):
            town.order("maintain", maintainers=given)


# -- strangers who join and play in one go


def test_a_stranger_joins_and_proposes_in_one_pull_request(tmp_path: Path) -> None:
    town = Town(tmp_path)
    files = {"inbox/zed.yaml": b"do: join\nargs: {id: zed, name: Zed Z.}\n", "rules/x.yaml": b"title: X\ntext: X.\n"}
    pull = town.open("zed", files)
    town.referee()
    assert town.document("roster")["zed"]["handles"][town.forge.name]["id"] == "zed@x.org"
    proposal = town.proposal(301)
    assert (proposal["author"], proposal["state"]) == ("zed", "open")
    assert "zed" in proposal["electorate"]
    assert "join id: zed" in town.said(pull)


def test_a_stranger_joins_and_moves_in_one_pull_request(tmp_path: Path) -> None:
    town = Town(tmp_path)
    for who, move in ("yan", "a-move"), ("zed", "zz-move"):
        join = f"do: join\nargs: {{id: {who}}}\n".encode()
        pull = town.open(who, {f"inbox/{move}.yaml": b"do: roll\n", "inbox/m.yaml": join})
        town.referee(60)
        assert (town.journal()[-1]["do"], town.journal()[-1]["by"]) == ("roll", who)
        assert town.check(pull)[0] == "success"


def test_where_the_rules_let_nobody_in_it_is_said(tmp_path: Path) -> None:
    town = Town(tmp_path, joining="closed")
    files = {"inbox/zed.yaml": b"do: join\nargs: {id: zed}\n", "rules/x.yaml": b"title: X\ntext: X.\n"}
    pull = town.open("zed", files)
    town.referee()
    assert "zed" not in town.document("roster")
    assert "closed to newcomers" in town.said(pull)
    assert town.check(pull)[0] == "pending"


# -- pins of the engine that somebody changed, in a pull request and in a clone


A, B = "a" * 64, "b" * 64
CLICK = f"click==8.2.1 \\\n    --hash=sha256:{A}\n"
Files = dict[str, bytes | None]


def lock(version: str = __version__, digest: str = A, rest: str = CLICK) -> bytes:
    return f"folkmoot=={version} \\\n    --hash=sha256:{digest}\n{rest}".encode()


def named(version: str) -> str:
    return f"{WHEELS}/folkmoot-{version}-py3-none-any.whl"


NEXT = "99.0"
PULLS: Mapping[str, tuple[Files, str, tuple[str, ...]]] = {
    "a new engine": ({LOCK: lock(NEXT)}, "pending", (f"It pins Folkmoot {NEXT} instead of {__version__}.",)),
    "with its wheel": ({LOCK: lock(NEXT), named(NEXT): b"x", named(__version__): None}, "pending", (NEXT,)),
    "another file": ({LOCK: lock(digest=B)}, "pending", ("It pins another file as Folkmoot", "where it comes from")),
    "another package": ({LOCK: lock(NEXT, rest=CLICK.replace("8.2.1", "8.2.0"))}, "pending", ("changes too: click",)),
    "no pin": ({LOCK: None}, "failure", ("folkmoot itself is not pinned",)),
    "no engine": ({LOCK: CLICK.encode()}, "failure", ("folkmoot itself is not pinned",)),
    "an address": ({LOCK: lock() + b"--index-url https://evil.example\n"}, "failure", (f"{LOCK}:5: ", "no pinned pack")),
    "no hash": ({LOCK: b"folkmoot==1.0\n"}, "failure", (f"{LOCK}:1: ", "no pinned package")),
    "bytes": ({LOCK: bytes(range(256))}, "failure", (LOCK, "no pinned package")),
    "a mountain": ({LOCK: b"x" * 1_000_001}, "failure", (f"{LOCK}:1: ", "no pinned package: no plain file")),
    "an older engine": ({LOCK: lock("0.0.1")}, "failure", ("the pin goes back to Folkmoot 0.0.1, which is older",)),
    "a wheel of another version": ({named("1.0"): b"x"}, "pending", ("folkmoot-1.0-py3-none-any.whl is no wheel of",)),
    "a wheel of something else": ({f"{WHEELS}/click-8.2.1-py3-none-any.whl": b"x"}, "pending", ("is no wheel of",)),
    "the jobs": ({".github/workflows/referee.yml": b"on: push\n"}, "pending",
                 ("It changes the jobs themselves: .github/workflows/referee.yml.",)),
    "new jobs elsewhere": ({f".gitea/workflows/{n}.yml": b"on: push\n" for n in range(9)}, "pending",
                           ("the jobs themselves: .gitea/workflows/0.yml, ", "4.yml and 4 more.")),
    "neither": ({"ci/notes.md": b"x", "README.md": b"x"}, "pending", ()),
}  # fmt: skip


@pytest.mark.threat("T-79")
def test_whoever_changes_the_pin_changes_the_referee_and_each_change_is_a_sentence(tmp_path: Path) -> None:
    town = Town(tmp_path, maintainers=["ann"])
    town.put("refs/heads/main", town.change("ann", {LOCK: lock(), named(__version__): b"x"}))
    pulls = {name: town.pull(town.change("dee", files, name)) for name, (files, _, _) in PULLS.items()}
    base = town.repo[town.tip()].peel(pygit2.Tree)
    linked = town.repo.TreeBuilder(base["ci"])
    linked.insert("engine.lock", town.repo.create_blob(b"../LICENSE"), pygit2.enums.FileMode.LINK)
    root = town.repo.TreeBuilder(base)
    root.insert("ci", linked.write(), pygit2.enums.FileMode.TREE)
    who = town.signature("dee")
    link = town.pull(str(town.repo.create_commit(None, who, who, "A link", root.write(), [town.tip()])))
    town.referee()
    for name, (_, state, words) in PULLS.items():
        said, check = town.said(pulls[name]), town.check(pulls[name])
        assert check[0] == state, (name, check)
        assert ("What it would change of the referee" in said) == bool(words), name
        for each in words:
            assert each in said, (name, each, said)
        assert ("Must not be merged" in check[1]) == (state == "failure"), (name, check)
        assert said.count("Must not be merged") == (state == "failure"), (name, said)
    assert "no plain file" in town.said(link)
    for pull in (pulls["an older engine"], pulls["a new engine"]):
        town.approve("ann", pull)
    town.referee(60)
    assert town.check(pulls["an older engine"])[0] == "failure", "nobody's approval makes a broken pin good"
    assert town.check(pulls["a new engine"])[0] == "success"
    assert town.referee(60).answers == 0


@pytest.mark.threat("T-79")
def test_a_pin_is_held_against_the_wheel_beside_it_and_the_games(table: Moot, tmp_path: Path) -> None:
    built = wheel(tmp_path / "built", NEXT)
    assert table("init", "--pin", str(built)).code == 0
    assert faults(tmp_path) == []
    kept = tmp_path / WHEELS / built.name
    good, written = kept.read_bytes(), (tmp_path / LOCK).read_text()
    digest = hashlib.sha256(good).hexdigest()

    def refused(*words: str) -> None:
        said = [str(problem) for problem in faults(tmp_path)]
        assert len(said) == 1
        for each in words:
            assert each in said[0], (each, said)

    kept.write_bytes(good + b"x")
    refused("folkmoot-99.0-py3-none-any.whl is another file than", "moot init --pin")
    kept.write_bytes(good)
    kept.rename(other := kept.with_name("folkmoot-98.0-py3-none-any.whl"))
    refused("folkmoot-98.0-py3-none-any.whl is no wheel of Folkmoot 99.0")
    other.rename(kept)
    (tmp_path / LOCK).write_text(written.replace("folkmoot==99.0", "folkmoot==0.0.1"))
    kept.rename(old := kept.with_name("folkmoot-0.0.1-py3-none-any.whl"))
    refused("goes back to Folkmoot 0.0.1", "that judges table")
    old.rename(kept)
    (tmp_path / LOCK).write_text(written.replace(digest, "c" * 64))
    refused("another file")
    (tmp_path / LOCK).write_text(written)
    assert faults(tmp_path) == []


def test_no_older_engine_is_pinned_for_a_game_that_a_newer_one_judges(table: Moot, tmp_path: Path) -> None:
    said = table("init", "--pin", str(wheel(tmp_path / "built", "0.0.1")))
    assert said.code == 1
    assert f"Folkmoot 0.0.1, which is older than {__version__}, and that judges table" in said.err
    assert not (tmp_path / LOCK).exists()
