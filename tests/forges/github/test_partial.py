"""The referee on a bare, shallow, partial clone: everything holds there too, and what is not read is not fetched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygit2
import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.github import GitHubForge
from folkmoot.forges.port import Answer
from folkmoot.journal.partial_clone import PartialRepository, bring, open_repository, parents_of
from folkmoot.journal.tree import GameTree
from folkmoot.referee.content import read_content
from tests.forges.conformance import NOW, FewStops, pull
from tests.forges.github.emulator import API, TOKEN
from tests.forges.github.github_table import GitHubTable
from tests.forges.github.long_game import LongGame, counting, long_game
from tests.forges.local_table import bare, git
from tests.forges.smart_http import Server, serving
from tests.referee.meeting import GAME, rule

ENTRIES = 3_000
OLD = f"state/{GAME}/journal/001"


def allow(hub: Path) -> None:
    """Let a repository give what GitHub gives."""
    for name in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        git(hub, "config", name, "true")
    git(hub, "config", "receive.hideRefs", "refs/pull")


class PartialTable(GitHubTable):
    """People round the emulated GitHub, each of whose referees has a partial clone."""

    def another(self) -> GitHubForge:
        self._clones += 1
        path = self.folder / f"clone-{self._clones}.git"
        allow(self.hub)
        git(self.folder, "clone", "--quiet", "--bare", "--depth=1", "--filter=tree:0", self.remote, str(path))
        return self.at(path)

    def played(self, parents: tuple[str, ...] = ()) -> tuple[str, str]:
        """Play on the branch: what is needed comes as it comes to a referee, for git refuses to fetch all but that."""
        repo, before = self.forge.refs.repo, self.main()
        assert isinstance(repo, PartialRepository)
        repo.bring([before, *parents])
        return before, self._commit(repo, "Play", (before, *parents))


class TestInAPartialClone(FewStops):
    @pytest.fixture
    def table(self, tmp_path: Path) -> PartialTable:
        """Return a table; git gives parts by a `file:` address as it does by HTTP, which is tried below."""
        hub = bare(tmp_path)
        return PartialTable(tmp_path, hub.as_uri(), hub)


# -- a long game


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with counting(tmp_path_factory.mktemp("long")) as found:
        yield found


@pytest.fixture(scope="module")
def begun(server: Server) -> LongGame:
    made = long_game(server.root, server.address, ENTRIES)
    made.run(made.clone())
    return made


@pytest.fixture
def game(begun: LongGame) -> Iterator[LongGame]:
    with begun.undone():
        yield begun


def is_here(folder: Path, game: LongGame, path: str) -> bool:
    """Say whether a file or folder of the branch is in a clone."""
    wanted = git(game.bare, "rev-parse", f"main:{path}")
    return wanted in pygit2.Repository(str(folder))


def test_an_act_is_recorded_and_the_past_is_not_fetched(game: LongGame, server: Server) -> None:
    before = game.record().head.seq
    game.github.comment("bob", game.thread, "/do state text=hello")
    server.sent = 0  # type: ignore[attr-defined]
    folder = game.clone()
    report = game.run(folder)
    assert [done.entry["do"] for each in report.games for done in each.done] == ["state"]
    assert game.record().head.seq == before + 1
    assert not is_here(folder, game, OLD)
    assert is_here(folder, game, f"state/{GAME}/rules")
    assert int(git(folder, "rev-list", "--count", "--all")) < 20
    assert server.sent < 60_000  # type: ignore[attr-defined]
    repo = pygit2.Repository(str(folder))
    assert repo.is_bare
    assert repo.workdir is None
    assert not (folder / "index").exists()


def test_a_game_goes_on_from_one_partial_clone_to_the_next(game: LongGame) -> None:
    number = game.open("ann", {"rules/dragon.yaml": rule("A dragon")}, "A dragon")
    assert game.run(game.clone()).entries
    game.say("ann", number, "/finalise")
    for who in game.players:
        game.say(who, number, "/vote for")
    for _ in range(3):
        report = game.run(game.clone())
    assert game.github.pulls[number]["merged_at"]
    assert game.record().archive("rules/301")["title"] == "A dragon"  # type: ignore[index]
    assert (report.entries, report.answers) == (0, 0)


def test_a_branch_from_long_ago_is_read_without_the_history_between(game: LongGame, server: Server) -> None:
    old = git(game.bare, "rev-parse", "main~2500")
    commit = game.fetched(game.change("bob", {f"state/{GAME}/rules/old.yaml": rule("Old")}, base=old), "bob")
    game.github.open_pull("bob", "Old", "", commit)
    server.sent = 0  # type: ignore[attr-defined]
    folder = game.clone()
    game.run(folder)
    assert int(git(folder, "rev-list", "--count", "--all")) < 20
    assert server.sent < 150_000  # type: ignore[attr-defined]
    repo = open_repository(folder)
    assert parents_of(repo, commit) == [old]


@pytest.mark.parametrize(
    ("left", "merged", "sent"),
    [(900, (0,), 130_000), (60, (7,), 130_000), (60, (30, 7), 130_000), (900, (400,), 250_000)],
)
@pytest.mark.sampled(2)
def test_a_branch_that_merged_the_games_is_read(
    game: LongGame, server: Server, left: int, merged: tuple[int, ...], sent: int
) -> None:
    """The forge's button that brings a branch up to date: with the tip, or what was the tip so many commits ago."""
    hub = pygit2.Repository(str(game.bare))
    old = git(game.bare, "rev-parse", f"main~{left}")
    head = game.fetched(game.change("cid", {f"state/{GAME}/rules/two.yaml": rule("Two")}, base=old), "cid")
    main = git(game.bare, "rev-parse", "main")
    tips = [git(game.bare, "rev-parse", f"main~{ago}") for ago in merged]
    for tip in tips:
        head = merge(hub, head, tip, game.now)
    game.github.open_pull("cid", "Two", "", head)
    whole = read_content(hub, main, head)
    server.sent = 0  # type: ignore[attr-defined]
    folder = game.clone()
    game.run(folder)
    assert server.sent < sent  # type: ignore[attr-defined]
    forge = game.seen_from(folder)
    assert isinstance(forge.refs.repo, PartialRepository)
    forge.refs.read()
    part = read_content(forge.refs.repo, main, head)
    assert (part.base, part.digest, part.problems) == (whole.base, whole.digest, ())
    assert part.base == tips[-1]
    assert [each.files for each in part.games] == [(f"state/{GAME}/rules/two.yaml",)]


def test_a_branch_from_too_long_ago_stops_nobody_else(game: LongGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.forges.cache.lazy_fetch._DEPTHS", (2, 4))
    hub, old = pygit2.Repository(str(game.bare)), git(game.bare, "rev-parse", "main~60")
    head = game.fetched(game.change("cid", {f"state/{GAME}/rules/two.yaml": rule("Two")}, base=old), "cid")
    head = merge(hub, head, git(game.bare, "rev-parse", "main~30"), game.now)
    late = game.github.open_pull("cid", "Two", "", head)
    other = game.open("ann", {"rules/dragon.yaml": rule("A dragon")}, "A dragon")
    assert game.run(game.clone()).entries
    assert "E-GIT" in game.said(late)
    assert "E-GIT" not in game.said(other)


def merge(hub: pygit2.Repository, head: str, other: str, at: int) -> str:
    """Merge a commit of the game's branch into somebody's."""
    who = pygit2.Signature("Cid", "cid@x.org", at, 0)
    tree = hub.merge_commits(head, other).write_tree(hub)
    return str(hub.create_commit(None, who, who, "Merge", tree, [head, other]))


def test_a_file_that_is_too_large_is_refused_and_not_fetched(game: LongGame, server: Server) -> None:
    big = b"title: Big\ntext: |\n" + b"".join(b"  %032x\n" % (n * 7919**9) for n in range(60_000))
    number = game.open("dee", {"rules/big.yaml": big, "rules/small.yaml": rule("Small")}, "Big")
    server.sent = 0  # type: ignore[attr-defined]
    folder = game.clone()
    game.run(folder)
    assert server.sent < 150_000  # type: ignore[attr-defined]
    assert "too large" in game.said(number)
    assert "E-SIZE" in game.said(number)


def test_a_push_by_hand_is_proved_from_what_is_known(game: LongGame, server: Server) -> None:
    bad = game.change("ann", {f"state/{GAME}/things/player/ann.yaml": b"score: 1000\n"}, "By hand")
    git(game.bare, "update-ref", "refs/heads/main", game.fetched(bad, "ann"))
    server.sent = 0  # type: ignore[attr-defined]
    folder = game.clone()
    report = game.run(folder)
    (stopped,) = [each.stopped for each in report.games]
    assert stopped
    assert not is_here(folder, game, OLD)
    assert server.sent < 150_000  # type: ignore[attr-defined]


# -- the pieces


def test_what_is_not_there_is_not_there(tmp_path: Path) -> None:
    hub = bare(tmp_path)
    with serving(tmp_path) as server:
        table = PartialTable(tmp_path, f"{server.address}/hub.git", hub)
        repo = table.forge.refs.repo
        assert isinstance(repo, PartialRepository)
        assert "0" * 39 + "1" not in repo
        with pytest.raises(KeyError):
            repo["0" * 39 + "1"]
        table.forge.look(NOW)
        bring(repo, [(repo[table.main()].peel(pygit2.Commit).tree_id, ["nothing/here", "*", "file-1"])])
        assert repo[repo[table.main()].peel(pygit2.Tree)["file-1"].id].data == b"1\n"  # type: ignore[attr-defined]
    with pytest.raises(ProblemError, match="E-FORGE"):  # the server is gone, which is not to say that there is nothing
        repo.found("0" * 39 + "1")


def test_an_old_server_gives_whole_trees(tmp_path: Path) -> None:
    hub = bare(tmp_path)
    with serving(tmp_path) as server:
        table = PartialTable(tmp_path, f"{server.address}/hub.git", hub)
        git(hub, "config", "uploadpackfilter.tree.allow", "false")
        number = table.open("ann", "A dragon")
        assert pull(table.forge.look(NOW), number).head.commit == table.head(number)


def test_a_head_that_is_in_the_branch_brings_no_history(tmp_path: Path) -> None:
    hub = bare(tmp_path)
    with serving(tmp_path) as server:
        table = PartialTable(tmp_path, f"{server.address}/hub.git", hub)
        for _ in range(30):
            table.push_by_hand()
        old = git(hub, "rev-parse", "main~5")
        table.github.follows = False
        inside = table.github.open_pull("ann", "Nothing", "", old)
        other = table.open("bob", "Something")
        forge = table.another()
        assert [each.number for each in forge.look(NOW).pulls] == [inside, other]
        assert int(git(forge.refs.git.path, "rev-list", "--count", "--all")) < 10
        forge.answer([Answer(pull=other, text="Seen.")])
        assert forge.refs.promises is not None
        assert forge.refs.promises.departures(table.main(), table.head(other)) == (1, [table.main()])
        assert forge.refs.promises.departures(table.main(), old) == (0, [old])


def test_a_branch_that_was_set_back_is_read(tmp_path: Path) -> None:
    hub = bare(tmp_path)
    with serving(tmp_path) as server:
        table = PartialTable(tmp_path, f"{server.address}/hub.git", hub)
        known = [table.push_by_hand() for _ in range(3)][-1]
        git(hub, "update-ref", "refs/moot/refereed", known)
        git(hub, "update-ref", "refs/heads/main", f"{known}~2")
        forge = table.another()
        snapshot = forge.look(NOW)
        assert (snapshot.main, snapshot.known) == (table.main(), known)
        assert forge.refs.promises is not None
        assert forge.refs.promises.departures(table.main(), table.main()) == (0, [table.main()])


def test_a_whole_repository_is_left_alone(tmp_path: Path) -> None:
    hub = bare(tmp_path)
    table = GitHubTable(tmp_path, str(hub), hub)
    assert not isinstance(table.forge.refs.repo, PartialRepository)
    GameTree(table.repo, table.main(), "none").expect(["**"])
    assert GitHubForge(table.forge.refs.git.path, str(hub), "moot/game", TOKEN, api=API).refs.promises is None
