"""A remote that may have come with a clone: nothing is sent there, because its hooks would run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from folkmoot.cli.repositories import address_of
from folkmoot.core.problems import ProblemError
from folkmoot.journal.repositories import open_repository
from folkmoot.ops.table import lay
from tests.support.meeting import git

WITHIN = (
    *("./hub.git", "./hub", "hub", "x/../hub.git", "../clone/hub.git", "../elsewhere", "~/clone/hub.git"),
    *("/proc/self/cwd/hub.git", "/proc/thread-self/cwd/hub", "/dev/fd/../cwd/hub.git", "file:///proc/self/cwd/hub.git"),
    *("file://localhost/pro%63/self/cwd/hub.git", "./a://../hub.git", "/usr/../proc/self/cwd", "ROOT/hub.git"),
    *("ROOT/hub", "file://ROOT/hub.git"),
)
ELSEWHERE = (
    "TOP/hub.git",
    "TOP/linked/hub.git",
    "file://TOP/hub.git",
    "ann@example.invalid:hub.git",
    "https://example.invalid/a/b",
)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    root = tmp_path / "clone"
    git(tmp_path, "init", "--quiet", str(root))
    git(tmp_path, "init", "--quiet", "--bare", str(root / "hub.git"))
    git(tmp_path, "init", "--quiet", "--bare", str(tmp_path / "hub.git"))
    (tmp_path / "linked").symlink_to(tmp_path)
    (root / "a:").mkdir()
    return root


@pytest.mark.threat("T-78")
@pytest.mark.parametrize("address", WITHIN)
def test_a_remote_that_may_have_come_with_the_clone_is_refused(
    clone: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(clone)
    git(clone, "config", "remote.origin.url", address.replace("ROOT", str(clone)))
    with pytest.raises(ProblemError, match="beside this clone"):
        address_of(open_repository(clone), None)


STARTS = ("hooks/pre-receive", "hooks/reference-transaction", "hooks/post-receive", "config", "include")


@pytest.mark.threat("T-78")
@pytest.mark.parametrize("what", STARTS)
@pytest.mark.parametrize("address", ["TOP/hub.git", "TOP/hub", "file://TOP/hub.git", "TOP/linked/hub.git"])
def test_a_guessed_path_to_what_would_run_programs_is_refused_until_it_is_trusted(
    clone: Path, address: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, hub, mine = address.replace("TOP", str(clone.parent)), clone.parent / "hub.git", clone.parent / "mine"
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(mine))
    git(clone, "config", "remote.origin.url", url)
    git(hub, "config", "receive.denyNonFastForwards", "true")
    assert address_of(open_repository(clone), None)
    if "/" in what:
        (hub / what).parent.mkdir(exist_ok=True)
        (hub / what).write_text(f"#!/bin/sh\n# Written by `moot table`.\npython=/bin/sh\ntouch {clone}/ran\n", "utf-8")
        (hub / what).chmod(0o755)
    else:
        git(hub, "config", "core.alternateRefsCommand" if what == "config" else "include.path", "touch ran")
    with pytest.raises(ProblemError, match=r"would run programs of its own|includes other files"):
        address_of(open_repository(clone), None)
    assert address_of(open_repository(clone), url), "who names it means it"
    if what != "include":
        git(
            clone,
            "config",
            "--global",
            "--add",
            "safe.directory",
            str(hub.with_suffix("") if address == "TOP/hub" else hub),
        )
        assert address_of(open_repository(clone), None)


def test_the_hooks_of_a_table_are_nobodys_own_programs(clone: Path) -> None:
    table = clone.parent / "table.git"
    lay(
        table,
        lambda work: git(
            work, "-c", "user.name=a", "-c", "user.email=a@x", "commit", "-q", "--allow-empty", "-m", "One"
        ),
    )
    git(clone, "config", "remote.origin.url", str(table))
    assert address_of(open_repository(clone), None) == str(table)
    wakes = (table / "hooks/post-receive").read_text("utf-8")
    (table / "hooks/post-receive").write_text(wakes.replace(sys.executable, "/bin/sh"), "utf-8")
    with pytest.raises(ProblemError, match="post-receive"):
        address_of(open_repository(clone), None)


@pytest.mark.parametrize("address", ELSEWHERE)
def test_a_remote_elsewhere_is_taken(clone: Path, address: str) -> None:
    url = address.replace("TOP", str(clone.parent))
    git(clone, "config", "remote.origin.url", url)
    assert address_of(open_repository(clone), None) in (url, str(clone.parent / "hub.git"))
    assert address_of(open_repository(clone), url) in (url, str(clone.parent / "hub.git"))


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_in_a_file_such_as_a_bundle_nobody_meets(clone: Path, scheme: str) -> None:
    git(clone, "-c", "user.name=a", "-c", "user.email=a@x", "commit", "--quiet", "--allow-empty", "-m", "One")
    git(clone, "bundle", "create", "--quiet", str(clone.parent / "game.bundle"), "HEAD")
    git(clone, "config", "remote.origin.url", f"{scheme}{clone.parent / 'game.bundle'}")
    with pytest.raises(ProblemError, match=r"is a file .*, as a bundle is, and nobody meets there"):
        address_of(open_repository(clone), None)
