"""The forms that `moot init` writes, and the sources of a site: written from the rules, committed, and never over what people wrote."""

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
    said = table("init")
    assert (said.code, "which kind of forge is it?" in said.err) == (1, True)
    on_github(table)
    init = ("init", "--no-commit", "--home", "https://github.com/ann/table", "--json")
    assert str(ACT) in table(*init).record["written"]
    assert "- throw_die" in ACT.read_text("utf-8")
    assert str(ACT) not in table(*init).record["written"]
    feed = {"title": "Dragon", "text": "x", "script": "def do_feed(a):\n    pass\n", "actions": {"feed": {}}}
    with Session.open(Path("state/table"), writing=True) as session:
        args = {"changes": [{"enact": feed}], "why": "a dragon came"}
        assert session.act("ann", "repair", args, at=session.at).accepted
    assert str(ACT) in table(*init).record["written"]
    assert "- feed\n" in ACT.read_text("utf-8")
    ACT.write_text("name: Mine\n", "utf-8")
    assert str(ACT) not in table(*init).record["written"]
    assert ACT.read_text("utf-8") == "name: Mine\n"


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
    assert "ci/site_pages.py" in moot(*INIT[:5], "--json").record["written"]
    assert committed() >= SOURCES
