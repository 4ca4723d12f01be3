"""Settings that a clone brings along: no program that they name is started, and nothing is led elsewhere by them."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.git_transport import Git, Move
from folkmoot.journal.commit import commit_folder
from folkmoot.journal.git_programs import HARMLESS, not_followed
from folkmoot.journal.repositories import open_repository, remote_addresses
from tests.support.meeting import git

NAMES_A_PROGRAM = (
    *("core.fsmonitor", "core.sshCommand", "core.gitProxy", "core.askPass", "core.editor", "core.pager"),
    *("core.alternateRefsCommand", "credential.helper", "diff.external", "gpg.program", "gpg.ssh.program"),
    *("gpg.ssh.defaultKeyCommand", "remote.origin.uploadpack", "remote.origin.receivepack", "sequence.editor"),
    *("filter.trap.clean", "filter.trap.smudge", "filter.trap.process", "diff.trap.command", "diff.trap.textconv"),
    *("merge.trap.driver", "pager.log", "pager.config", "trailer.x.command", "uploadpack.packObjectsHook"),
    *("browser.x.cmd", "man.x.cmd", "interactive.diffFilter", "tar.tar.command", "log.showSignature"),
)
ALIASES = ("status", "fetch", "push", "log", "rev-parse", "ls-remote", "update-ref")
LEADS_ELSEWHERE = (
    *("http.proxy", "remote.origin.proxy", "http.https://example.invalid/.proxy", "core.worktree", "core.hooksPath"),
    *("include.path", "includeIf.gitdir:/.path", "url.http://127.0.0.1/.insteadOf", "url.x.pushInsteadOf"),
    *("http.extraHeader", "http.cookieFile", "http.sslVerify", "http.sslCAInfo", "core.excludesFile"),
    *("core.attributesFile", "protocol.ext.allow", "remote.origin.vcs", "submodule.x.url", "submodule.recurse"),
    *("extensions.worktreeConfig", "safe.directory", "core.gitdir", "transfer.fsckObjects", "init.templateDir"),
)
ADDRESSES = (
    *("ssh://nowhere.invalid/game.git", "nowhere.invalid:game.git", "git://127.0.0.1:1/game.git"),
    *("http://user@127.0.0.1:1/game.git", "ext::touch ran", "fd::7", "trap::game"),
)


class Clone:
    """A clone with a program that leaves its name when it runs."""

    def __init__(self, folder: Path) -> None:
        self.hub, self.root, self.decoy = folder / "hub.git", folder / "clone", folder / "ran"
        self.program = folder / "program"
        self.program.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{self.decoy}'\ncat\n")
        self.program.chmod(0o755)
        git(folder, "init", "--quiet", "--bare", "--initial-branch=main", str(self.hub))
        git(folder, "init", "--quiet", "--initial-branch=main", str(self.root))
        git(self.root, "config", "user.name", "Ann")
        git(self.root, "config", "user.email", "ann@example.org")
        (self.root / "file").write_text("one\n")
        git(self.root, "add", "file")
        git(self.root, "commit", "--quiet", "--message", "One")
        git(self.root, "remote", "add", "origin", str(self.hub))
        git(self.root, "push", "--quiet", "origin", "main")
        (self.root / "file").write_text("two\n")
        (self.root / ".gitattributes").write_text("* filter=trap diff=trap merge=trap\n")
        self.head = git(self.root, "rev-parse", "HEAD")

    def plant(self) -> None:
        config = self.root / ".git/config"
        for name in NAMES_A_PROGRAM:
            git(self.root, "config", "--file", str(config), name, str(self.program))
        for name in ALIASES:
            git(self.root, "config", "--file", str(config), f"alias.{name}", f"!{self.program}")
        git(self.root, "config", "--file", str(config), "protocol.ext.allow", "always")
        for hook in ("pre-push", "reference-transaction", "post-index-change", "post-checkout", "pre-commit"):
            (self.root / ".git/hooks").mkdir(exist_ok=True)
            (self.root / ".git/hooks" / hook).symlink_to(self.program)

    def use_all(self, address: str) -> None:
        """Do by git all that commands do, with what is at an address."""
        own = Git(self.root, 10)
        doings: tuple[Callable[[], object], ...] = (
            lambda: own.listing(address),
            lambda: own.fetch(address, [("refs/heads/main", "refs/seen/main")]),
            lambda: own.push(address, [Move("refs/heads/new", "", self.head)]),
            lambda: own.transact([Move("refs/heads/own", "", self.head)]),
            lambda: own.look(["status", "--porcelain"]),
            lambda: own.look(["diff", "--name-only", "HEAD"]),
            lambda: own.look(["diff", "HEAD"]),
            lambda: own.ask(["log", "-p", "--max-count=1"]),
            lambda: own.ask(["commit-tree", f"{self.head}^{{tree}}"], b"x"),
            lambda: own.ask(["config", "--list"]),
        )
        for do in doings:
            with suppress(ProblemError):
                do()


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "settings"))
    return Clone(tmp_path)


@pytest.mark.threat("T-78")
@pytest.mark.parametrize("address", ["", *ADDRESSES])
def test_no_program_that_a_clone_names_is_started(clone: Clone, address: str) -> None:
    clone.plant()
    clone.use_all(address or str(clone.hub))
    assert not clone.decoy.exists(), clone.decoy.read_text()
    assert not (clone.root / "ran").exists()


@pytest.mark.threat("T-78")
def test_what_a_person_has_set_for_all_repositories_is_followed(clone: Clone) -> None:
    command = f"{clone.program} </dev/null"  # which ends at once
    git(clone.root, "config", "--file", str(clone.root.parent / "settings"), "core.sshCommand", command)
    clone.use_all("ssh://nowhere.invalid/game.git")
    assert "nowhere.invalid" in clone.decoy.read_text()


@pytest.fixture
def proxy() -> Iterator[tuple[str, list[str]]]:
    """Return the address of a proxy on this machine, and what it is asked."""
    lines: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            lines.append(self.requestline)
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", lines
        server.shutdown()


@pytest.mark.threat("T-78")
def test_nothing_is_led_elsewhere(clone: Clone, proxy: tuple[str, list[str]]) -> None:
    address, lines = proxy
    git(clone.root, "config", "http.proxy", address)
    git(clone.root, "config", f"url.{address}/.insteadOf", f"{clone.hub}")
    git(clone.root, "config", f"url.{address}/push.pushInsteadOf", f"{clone.hub}")
    clone.use_all("http://nowhere.invalid/game.git")
    assert Git(clone.root).listing(str(clone.hub)).refs == {"refs/heads/main": clone.head}
    assert remote_addresses(open_repository(clone.root)) == {"origin": str(clone.hub)}
    assert lines == []
    assert set(not_followed(clone.root)) == {
        "http.proxy", f"url.{address}/.insteadof", f"url.{address}/push.pushinsteadof"
    }  # fmt: skip


@pytest.mark.threat("T-78")
@pytest.mark.parametrize("whose", ["the clone's own", "somebody's for all repositories"])
def test_nothing_that_is_missing_is_fetched_unasked(clone: Clone, proxy: tuple[str, list[str]], whose: str) -> None:
    """Where a clone says that a remote has promised what it lacks, git would ask that remote whenever it reads."""
    address, lines = proxy
    file = clone.root / ".git/config" if whose == "the clone's own" else clone.root.parent / "settings"
    git(clone.root, "config", "core.repositoryformatversion", "1")
    for name, value in (
        ("remote.far.url", f"{address}/x.git"), ("remote.far.promisor", "true")
    ):  # fmt: skip
        git(clone.root, "config", "--file", str(file), name, value)
    blob = git(clone.root, "rev-parse", "HEAD:file")
    (clone.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(ProblemError):
        Git(clone.root).look(["cat-file", "-p", blob])
    clone.use_all(str(clone.hub))
    (clone.root / "state/game").mkdir(parents=True)
    (clone.root / "state/game/head.yaml").write_text("seq: 0\n")
    with suppress(ProblemError):  # a clone that says so itself is refused
        commit_folder(clone.root / "state/game", set(), "Two", None, 0)
    assert lines == []


def test_settings_that_start_programs_or_lead_elsewhere_are_not_among_the_harmless() -> None:
    for name in (*NAMES_A_PROGRAM, *LEADS_ELSEWHERE):
        first, _, rest = name.partition(".")
        section, dot, key = rest.rpartition(".")
        assert not HARMLESS.fullmatch(f"{first.lower()}.{section}{dot}{key.lower()}"), name


def test_what_git_changes_is_changed_in_the_repository_itself(clone: Clone) -> None:
    own, before = Git(clone.root), sorted((clone.root / ".git").iterdir())
    assert own.fetch(str(clone.hub), [("refs/heads/main", "refs/seen/main")]) == ""
    assert own.transact([Move("refs/heads/b", "", clone.head)]) == ""
    own.ask(["update-ref", "-m", "note", "HEAD", clone.head])
    own.configure("moot.known", "yes")
    assert git(clone.root, "for-each-ref", "--format=%(refname)").split() == [
        *("refs/heads/b", "refs/heads/main", "refs/remotes/origin/main", "refs/seen/main")
    ]
    assert git(clone.root, "config", "moot.known") == "yes"
    assert sorted((clone.root / ".git").iterdir()) == before
    lock = clone.root / ".git/refs/heads/b.lock"
    lock.touch()
    assert str(lock) in own.transact([Move("refs/heads/b", clone.head, clone.head)])


def test_a_linked_work_tree_is_worked_in(clone: Clone) -> None:
    tree = clone.root.parent / "tree"
    git(clone.root, "worktree", "add", "--quiet", str(tree), "-b", "other")
    own = Git(tree)
    assert own.look(["status", "--porcelain"]) == ""
    own.ask(["update-ref", "-m", "note", "HEAD", clone.head])
    assert own.fetch(str(clone.hub), [("refs/heads/main", "refs/seen/tree")]) == ""
    assert "note" in git(tree, "reflog", "HEAD")
    assert git(clone.root, "rev-parse", "refs/seen/tree") == clone.head
