"""Found by fuzzing: a commit whose author nobody can read, sent as a letter or a pull request, ended every run."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.fuzz.inputs import Pull, Raw, Say, Story
from tests.fuzz.letters import BLOB, ODD_AUTHORS
from tests.fuzz.oracle import tell
from tests.fuzz.tables import LocalTable, with_secret
from tests.support.meeting import rule

LETTER = {"letter.yaml": (BLOB, b"pull: 1\nkind: comment\nbody: hello\n")}


@pytest.mark.threat("T-77")
def test_letters_without_a_readable_author_are_noted_and_the_next_one_is_read() -> None:
    odd = [Raw("Bob <bob@x.org>", "own", LETTER, raw_author=author) for author in ODD_AUTHORS]
    first = (*odd, Say("bob", 1, "/vote for"))
    tell(Story("local", (first, (Say("bob", 1, "/do give to=ann amount=0"),)), pages=False))


@pytest.mark.threat("T-77")
def test_an_unreadable_letter_swallows_none_that_came_before_it() -> None:
    """Whoever can push could have put such a commit on somebody's chain before the referee had looked at it."""
    odd = Raw("Ann <ann@x.org>", "own", LETTER, raw_author=b"Ann")
    with with_secret(), TemporaryDirectory() as folder:
        table = LocalTable(Path(folder))
        voted = table.says(Say("ann", 1, "/vote for"))
        noted = table.sends(odd)
        assert table.run(300).entries == 1
        assert table.arrived(voted)
        assert noted in table.ignored()


@pytest.mark.threat("T-77")
@pytest.mark.parametrize(("table", "below"), [("local", True), ("github", False), ("gitea", True)])
def test_a_pull_request_without_a_readable_author_is_answered(table: str, *, below: bool) -> None:
    odd = Pull("bob", "Odd", {"rules/x.yaml": rule("X")}, author=b"Bob", below=below, voted=True)
    tell(Story(table, ((odd, Say("cid", 1, "/vote for")),), pages=False))
