"""Mistakes that people make: each gets one sentence that says what is wrong, and the command to type next.

A row is a mistake: who makes it and where, what is typed, and the words that its message must contain. After each, the
table is as it was before: nothing was sent and nothing lost.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import Struct

from tests.support.gathering import TEA, Gathering
from tests.support.meeting import GAME, git
from tests.support.moot import Moot
from tests.support.slips import tea, withdrawn

Prepare = Callable[[Gathering], object]


class Mistake(Struct, frozen=True):
    """Somebody's words, the exit code, and what must be said; `before` is what had happened."""

    what: str
    words: tuple[str, ...]
    wanted: tuple[str, ...]
    code: int = 1
    person: str = "bob"
    before: Prepare = lambda gathering: None


def broken(gathering: Gathering) -> None:
    """Write a rule whose script does not load."""
    gathering.file("broken.yaml", TEA + "script: |\n  def on_joined(e)\n      pass\n")


def nameless(gathering: Gathering) -> None:
    """Let git not know who bob is."""
    git(gathering.clone("bob"), "config", "user.email", "")


def changed(gathering: Gathering) -> None:
    """Let bob change a rule in the work tree and commit nothing."""
    path = gathering.clone("bob") / f"state/{GAME}/rules/203.yaml"
    path.write_text(path.read_text().replace("text: |\n", "text: |\n  First:\n", 1))


MISTAKES = (
    Mistake("a pull request that is none", ("vote", "7", "for"), ("no pull request 7", "1 (Tea)"), before=tea),
    Mistake("no choice", ("vote", "1"), ("PULL and CHOICE", "moot vote 1 for"), 2, before=tea),
    Mistake("two targets", ("vote", "1", "for", "--proposal", "302"), ("is proposal 301", "moot vote --proposal 302 for"),
            2, before=tea),
    Mistake("a motion that is a proposal", ("vote", "--motion", "301", "for"),
            ("no motion 301", "moot vote --proposal 301 CHOICE"), before=tea),
    Mistake("a vote on a closed pull request", ("vote", "1", "for"),
            ("closed already", "moot vote --proposal 301 for"), before=withdrawn),
    Mistake("somebody else's pull request withdrawn", ("withdraw", "1"), ("Ann's, not yours", "moot vote 1 against"),
            before=tea),
    Mistake("somebody else's pull request updated", ("propose", "--update", "1", "--repeal", "206"),
            ("Ann's, not yours", "moot propose"), before=tea),
    Mistake("a rule that is not in force", ("propose", "--repeal", "999"), ("no rule 999", "in force: ")),
    Mistake("a misspelt status", ("propose", "--transmute", "101=mutabel"), ("--transmute 101=mutable",)),
    Mistake("half a transmutation", ("propose", "--transmute", "101"), ("NAME=VALUE",), 2),
    Mistake("a script that does not load", ("propose", "--rule", "broken.yaml"),
            ("broken.yaml:6:", "Nothing was sent", "--anyway"), before=broken),
    Mistake("work that is not committed", ("propose",), ("moot propose --rule state/",), before=changed),
    Mistake("an action that is none", ("act", "finalize"), ("did you mean finalise?",)),
    Mistake("a command that is none", ("propse",), ("Did you mean `propose`?",), 2),
    Mistake("acting for somebody else", ("act", "state", "Hear me.", "--by", "ann"), ("--by has no place",), 2),
    Mistake("rule-changes by an act", ("act", "propose", "--repeal", "206"), ("moot propose --repeal",), 2),
    Mistake("joining twice", ("join",), ("you are bob in", "moot status")),
    Mistake("a taken name", ("join", "bob"), ("there is a player bob", "another name"), person="eve"),
    Mistake("an address that git does not know", ("act", "finalise"), ("git config user.",), 5, before=nameless),
    Mistake("a game that is not there", ("status", "--game", "chess"), ("no game 'chess'", "--game moor"), 2),
)  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.what)
def test_a_mistake_says_what_to_do_next_and_loses_nothing(
    gathering: Gathering, mistake: Mistake, monkeypatch: pytest.MonkeyPatch
) -> None:
    gathering.clone(mistake.person)
    mistake.before(gathering)
    monkeypatch.chdir(gathering.folder)
    before = gathering.refs()
    said = gathering.moot(mistake.person, *mistake.words, code=mistake.code)
    for words in mistake.wanted:
        assert words in said.err, (words, said.err)
    assert gathering.refs() == before


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("status",), ("there is no game", "moot new NAME")),
        (("verify",), ("there is no game", "moot new NAME")),
        (("vote", "1", "for"), ("no git repository",)),
        (("propose",), ("no git repository",)),
    ],
)
def test_the_wrong_folder(moot: Moot, words: tuple[str, ...], wanted: tuple[str, ...]) -> None:
    said = moot(*words)
    assert said.code != 0
    for each in wanted:
        assert each in said.err
