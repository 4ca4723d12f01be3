"""Mistakes of those who walk through the docs for the first time, found by typing them at a table that was laid so.

Each is told with what is wrong and the command to type; nothing is sent, and no file of the person's is changed.
"""

from __future__ import annotations

import pytest

from tests.support.gathering import TEA, Gathering
from tests.support.meeting import GAME, git
from tests.support.moot import Moot
from tests.support.slips import Slip, files

FILES = {
    "curly.yaml": TEA + "script: |\n  def on_joined(e):\n      award(e.player, “score”, 5)\n",
    "tabs.yaml": TEA + "script: |\n  def on_joined(e):\n  \tpass\n",
    "colon.yaml": "title: Tea\ntext: Tea: for all\n",
}


SLIPS = {
    "a rule file without its option": Slip(("propose", "tea.yaml"), ("`moot propose --rule tea.yaml`",)),
    "a second rule without its option": Slip(("propose", "--repeal", "201", "202"), ("`--repeal 202`",)),
    "a number for the log": Slip(("log", "3"), ("`moot log --pull-request 3`",)),
    "a player for the log": Slip(("log", "bob"), ("`moot log --by bob`",)),
    "seconds to wait": Slip(("status", "60"), ("`moot status --wait --timeout 60`",)),
    "a game without its option": Slip(("verify", GAME), (f"`moot verify --game {GAME}`",)),
    "a player for the status": Slip(("status", "bob"), ("`moot status --by bob`",)),
    "players without their options": Slip(("table", "t.git", "-r", "suber", "-p", "ann", "bob"), ("`moot table FOLDER -p ann -p bob`",)),
    "players in one option": Slip(("table", "t.git", "-r", "suber", "-p", "ann,bob"), ("`-p ann -p bob`",)),
    "nothing to withdraw": Slip(("withdraw",), ("Missing argument", "`moot withdraw 7 ")),
    "nothing said": Slip(("comment",), ("`moot comment --on 7 ",)),
    "an action for a command": Slip(("throw-die",), ("an action of the game: `moot act throw_die`",)),
    "a page for a command": Slip(("scores",), ("`moot show scores`",)),
    "a command of git's": Slip(("pull", "--rebase"), ("`git pull --rebase`",)),
    "help, as elsewhere": Slip(("help", "vote"), ("`moot vote --help`",)),
    "a game, as elsewhere": Slip(("play",), ("`moot demo --play`", "`moot table`")),
    "a number before a comment": Slip(("comment", "1", "Nice", "rule"), ("`moot comment --on 1 'Nice rule'`", "quotation")),
    "the choice before its number": Slip(("vote", "for", "1"), ("The number stands first: `moot vote 1 for`",)),
    "fro": Slip(("vote", "1", "fro"), ("choose for, against, abstain", "did you mean for?"), 1),
    "a thumb": Slip(("vote", "1", "\N{THUMBS DOWN SIGN}"), ("did you mean against?",), 1),
    "a vote by an act": Slip(("act", "vote", "for"), ("`moot act vote choice=for`",)),
    "blanks around a sign": Slip(("act", "vote", "choice", "=", "for"), ("`moot act vote choice=for`",)),
    "a proposal by an act": Slip(("act", "propose", "tea"), ("`moot propose --rule FILE`",)),
    "more than nothing": Slip(("act", "throw_die", "6"), ("`moot act throw_die`",)),
    "a rule by its number alone": Slip(("explain", "201"), ("`moot explain rule 201`",)),
    "a register alone": Slip(("explain", "score"), ("`moot explain ann score`",)),
    "a player alone": Slip(("explain", "bob"), ("`moot explain bob ", "score")),
    "a vote of nobody": Slip(("explain", "vote", "301"), ("`moot explain ballot 301 ann`",)),
    "a rule by its title": Slip(("propose", "--repeal", "penalty for defeats"), ("did you mean 206, “Penalty for defeat”?",), 1),
    "quotation marks of an office": Slip(("check", "curly.yaml"), ("curly.yaml:7:", "straight quotation marks"), 1),
    "a tab in a script": Slip(("check", "tabs.yaml"), ("tabs.yaml:", "write blanks"), 1),
    "a colon in a text": Slip(("check", "colon.yaml"), ("colon.yaml:2:", "below `text: |`"), 1),
    "a key that is not there": Slip(("key", "add", "lost.pub"), ("no file", "lost.pub", "`ssh-keygen -t ed25519`"), 1),
    "a key of the table that is not there": Slip(("table", "t.git", "-r", "suber", "-p", "ann", "-k", "ann=lost.pub"), ("`ssh-keygen",), 1),
    "a name for an id": Slip(("new", "x", "-r", "suber", "-p", "Ann Abel"), ("cannot be a player's id", "`-p ann,name='Ann Abel'`"), 1),
}  # fmt: skip


def test_each_slip_of_a_walk_is_told_with_what_to_type(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    gathering.tea()
    gathering.referee()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    for name, text in FILES.items():
        gathering.file(name, text)
    git(gathering.clone("bob"), "pull", "--quiet")
    monkeypatch.chdir(gathering.folder)
    before, kept = gathering.refs(), files(gathering.folder)
    for what, slip in SLIPS.items():
        said = gathering.moot("bob", *slip.words, code=slip.code)
        for words in slip.wanted:
            assert words in said.err, (what, words, said.err)
        assert (gathering.refs(), files(gathering.folder)) == (before, kept), what


@pytest.mark.parametrize("words", [("status",), ("show", "scores"), ("log",), ("explain", "rule", "201")])
def test_whom_git_does_not_know_may_look(gathering: Gathering, words: tuple[str, ...]) -> None:
    clone = gathering.clone("bob")
    for name in ("user.name", "user.email"):
        git(clone, "config", name, "")
    said = gathering.moot("bob", *words)
    assert said.out
    if words == ("status",):
        assert "git does not know who you are, so nothing here is said of you" in said.out
        assert "`git config user.email ADDRESS`" in said.out
        assert "It is ann's turn." in said.out
    assert "git config user.name" in gathering.moot("bob", "join", code=5).err


def test_above_and_beside_the_clones_their_names_are_told(
    gathering: Gathering, moot: Moot, monkeypatch: pytest.MonkeyPatch
) -> None:
    gathering.clone("ann")
    gathering.clone("bob")
    monkeypatch.chdir(gathering.folder)
    for words in (("status",), ("vote", "for")):
        said = moot(*words)
        assert "`cd ann` (or bob)" in said.err, said.err
    (gathering.folder / "empty").mkdir()
    monkeypatch.chdir(gathering.folder / "empty")
    assert "`git clone ADDRESS`" in moot("vote", "for").err


def test_a_clone_of_somebody_elses_names_the_way_to_trust_it(gathering: Gathering) -> None:
    clone = gathering.clone("bob")
    refused = "repository path '/srv/club/' is not owned by current user"

    def foreign(*_: object, **__: object) -> None:
        import pygit2

        raise pygit2.GitError(refused)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("folkmoot.journal.repositories.pygit2.Repository", foreign)
        said = gathering._moot("-C", str(clone), "vote", "1", "for")
    assert said.code == 5
    assert "`git config --global --add safe.directory /srv/club`" in said.err


def test_a_branch_with_commits_of_its_own_is_told_how_it_is_brought_up(gathering: Gathering) -> None:
    clone = gathering.clone("bob")
    git(clone, "commit", "--quiet", "--allow-empty", "--message", "Mine")
    gathering.tea()
    gathering.referee()
    said = gathering.moot("bob", "status").out
    assert "and has 1 commit of its own: `git pull --rebase`" in said
    git(clone, "reset", "--quiet", "--hard", "HEAD~")
    assert "behind: `git pull`." in gathering.moot("bob", "status").out


def test_what_the_walk_found_ugly_is_drawn_readably(gathering: Gathering) -> None:
    limits = gathering.moot("bob", "explain", "limits").out
    assert "timer_period: 60 seconds (1 to 604,800)\n  The smallest period" in limits
    tabbed = gathering.file("tabbed.yaml", "title: Tea\nlabels: {status: mutable}\ntext: |\n  Tea.\n  \tHot.\n")
    gathering.moot("ann", "propose", "--rule", tabbed)
    gathering.referee()
    gathering.moot("ann", "act", "finalise")
    gathering.moot("bob", "vote", "1", "for")
    gathering.referee()
    shown = gathering.moot("bob", "show", "1").out
    assert "Hot." in shown
    assert "…" not in shown
    said = gathering.moot("bob", "try", "1", "--said").out
    assert "|" not in said
    assert "bob voted on proposal 301" in gathering.moot("bob", "log").out
