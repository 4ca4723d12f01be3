"""A remote that may have come with a clone: nothing is sent there, because its hooks would run."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.cli.repositories import address_of
from folkmoot.core.problems import ProblemError
from folkmoot.journal.partial_clone import open_repository
from tests.referee.meeting import git

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


@pytest.mark.parametrize("address", ELSEWHERE)
def test_a_remote_elsewhere_is_taken(clone: Path, address: str) -> None:
    url = address.replace("TOP", str(clone.parent))
    git(clone, "config", "remote.origin.url", url)
    assert address_of(open_repository(clone), None) in (url, str(clone.parent / "hub.git"))
    assert address_of(open_repository(clone), url) in (url, str(clone.parent / "hub.git"))
