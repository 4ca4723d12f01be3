"""`moot init --forms`, and the sources of a site: written from the rules, committed, and never over what people wrote."""

from __future__ import annotations

from pathlib import Path

from folkmoot.game.session import Session
from tests.support.meeting import git
from tests.support.moot import Moot

ACT = Path(".github/ISSUE_TEMPLATE/act.yml")


def on_github(moot: Moot) -> None:
    home = "home=https://github.com/ann/table"
    assert moot("act", "use_forge", "--by", "ann", "forge=github", home).code == 0


def test_forms_follow_the_rules_and_leave_alone_what_is_ones_own(table: Moot) -> None:
    said = table("init", "--forms")
    assert (said.code, "no game here is played on a forge that has forms" in said.err) == (1, True)
    on_github(table)
    assert table("init", "--forms", "--check").code == 1
    assert not ACT.exists()
    assert str(ACT) in table("init", "--forms", "--json").record["written"]
    assert "- throw_die" in ACT.read_text("utf-8")
    assert table("init", "--forms", "--check").code == 0
    assert table("init", "--forms", "--json").record == {"forge": "github", "written": [], "kept": []}
    feed = {"title": "Dragon", "text": "x", "script": "def do_feed(a):\n    pass\n", "actions": {"feed": {}}}
    with Session.open(Path("state/table"), writing=True) as session:
        args = {"changes": [{"enact": feed}], "why": "a dragon came"}
        assert session.act("ann", "repair", args, at=session.at).accepted
    assert table("init", "--forms", "--check", "--json").record == {"forge": "github", "stale": [str(ACT)]}
    assert table("init", "--forms", "--json").record["written"] == [str(ACT)]
    assert "- feed\n" in ACT.read_text("utf-8")
    ACT.write_text("name: Mine\n", "utf-8")
    said = table("init", "--forms")
    assert (said.code, "written by hand" in said.err + said.out) == (0, True)
    assert ACT.read_text("utf-8") == "name: Mine\n"
    assert table("init", "--forms", "--check").code == 0


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


def test_what_somebody_lost_is_written_again_and_a_guide_that_they_took_away_is_not(moot: Moot) -> None:
    found(moot)
    assert moot(*INIT).code == 0
    git(Path.cwd(), "rm", "--quiet", "site_src/guides/play.md")
    git(Path.cwd(), "commit", "--quiet", "-m", "We need no guide")
    assert "The repository is as it must be." in moot(*INIT[:5]).out
    git(Path.cwd(), "rm", "-r", "--quiet", "ci", "site_src")
    git(Path.cwd(), "commit", "--quiet", "-m", "Lose them")
    assert "Wrote ci/site_pages.py" in moot(*INIT[:5]).out
    assert committed() >= SOURCES
