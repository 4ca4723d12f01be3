"""Finding 3 of the first hour: `moot serve --build` before `moot init --forge` left the site's sources out of the commit."""

from __future__ import annotations

from pathlib import Path

from tests.support.meeting import git
from tests.support.moot import Moot

HOME = "https://github.com/ann/game"
INIT = ("init", "--forge", "github", "--home", HOME, "--login", "ann=annabel:1", "--login", "bob=bobby:2")
SOURCES = {"mkdocs.yml", "ci/site_pages.py", "site_src/assets/folkmoot.css"}


def committed() -> set[str]:
    return set(git(Path.cwd(), "ls-tree", "-r", "--name-only", "HEAD").splitlines())


def found(moot: Moot) -> None:
    git(Path.cwd(), "init", "--quiet", "--initial-branch", "main")
    git(Path.cwd(), "config", "user.name", "Ann")
    git(Path.cwd(), "config", "user.email", "ann@x.org")
    assert moot("new", "g", "-r", "suber", "-p", "ann", "-p", "bob").code == 0


def test_what_pages_laid_is_committed_by_init(moot: Moot) -> None:
    found(moot)
    assert moot("serve", "--build").code == 0
    said = moot(*INIT)
    assert said.code == 0, said.err
    assert committed() >= SOURCES
    assert git(Path.cwd(), "status", "--porcelain") == ""
    assert "The repository is as it must be." in moot(*INIT[:5]).out


def test_a_repository_that_lacks_them_gets_them_from_a_second_init(moot: Moot) -> None:
    """The clone of one that was broken: its configuration is committed, and what that names is not."""
    found(moot)
    assert moot(*INIT).code == 0
    git(Path.cwd(), "rm", "-r", "--quiet", "ci", "site_src")
    git(Path.cwd(), "commit", "--quiet", "-m", "Lose them")
    said = moot(*INIT[:5])
    assert "Wrote ci/site_pages.py" in said.out
    assert committed() >= SOURCES


def test_a_guide_that_somebody_took_away_stays_away(moot: Moot) -> None:
    found(moot)
    assert moot(*INIT).code == 0
    git(Path.cwd(), "rm", "--quiet", "site_src/guides/play.md")
    git(Path.cwd(), "commit", "--quiet", "-m", "We need no guide")
    assert "The repository is as it must be." in moot(*INIT[:5]).out
