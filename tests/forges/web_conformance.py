"""What every forge with an API must do besides: labels, statements without git, comments on lines, checks and calls."""

from __future__ import annotations

from typing import Protocol

import pytest

from folkmoot.forges.cache.forge import FIRST
from folkmoot.forges.port import Answer, Call, Check
from folkmoot.forges.web.comments import call_key
from tests.forges.conformance import NOW, Conformance, Table, bodies, pull
from tests.forges.slow_git import SlowGit


class WebTable(Table, Protocol):
    """People round such a forge."""

    def state(self, person: str, title: str, body: str, *, labelled: bool = True) -> int:
        """Open an issue, with the game's label or without; return its number."""
        ...

    def label(self, number: int) -> None:
        """Give an issue or a pull request the game's label."""
        ...

    def line(self, person: str, number: int, body: str) -> str:
        """Comment on a line of a pull request; return the comment's id."""
        ...

    def rename(self, person: str, name: str) -> None:
        """Let a person who has said nothing yet take another handle."""
        ...

    def checks(self, commit: str) -> list[tuple[str, str, str]]:
        """Return what was set beside a commit, oldest first: context, state, text."""
        ...

    def spoken(self, number: int) -> list[str]:
        """Return all comments on an issue or a pull request."""
        ...


class WebConformance(Conformance):
    """The suite; a subclass in a test module gives the fixture `table`."""

    def test_nobody_is_asked_who_is_awaited_where_all_is_read(
        self, table: WebTable, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        numbers = [table.open("ann", f"A dragon {number}") for number in range(3)]
        asked: list[str] = []
        table.forge.look(NOW, lambda main: asked.append(main) or ())
        assert asked == []
        monkeypatch.setattr("folkmoot.forges.web.reading.MOST_AT_ONCE", 2)
        for number in numbers:
            table.comment("bob", number, "/vote for")
        snapshot = table.forge.look(NOW + 60, lambda main: asked.append(main) or ())
        assert asked == [snapshot.main]
        assert [bodies(snapshot, number) for number in numbers] == [["/vote for"], ["/vote for"], []]

    def test_labels_are_seen(self, table: WebTable) -> None:  # type: ignore[override]
        number = table.open("ann", "A dragon")
        assert pull(table.forge.look(NOW), number).labels == ()
        table.label(number)
        assert pull(table.forge.look(NOW + 5), number).labels == ("game",)

    def test_a_statement_without_git_is_read_answered_and_closed(self, table: WebTable) -> None:
        table.state("eve", "A bug", "/do pass", labelled=False)
        number = table.state("ann", "I pass", "### Game\n\n/do pass")
        table.comment("bob", number, "So do I.")
        snapshot = table.forge.look(NOW)
        (issue,) = snapshot.issues
        assert (issue.number, issue.title, issue.state, issue.labels) == (number, "I pass", "open", ("game",))
        assert issue.author.id == table.id_of("ann")
        assert bodies(snapshot, number) == ["### Game\n\n/do pass", "So do I."]
        assert [each.author.id for each in snapshot.remarks[number]] == [table.id_of("ann"), table.id_of("bob")]
        table.forge.answer([Answer(pull=number, text="Passed.", state="closed", settled=True)])
        assert len(table.spoken(number)) == 2
        assert table.forge.look(NOW + 9).issues == ()
        assert table.another().look(NOW + 12).issues == ()

    def test_an_issue_becomes_a_statement_by_its_label(self, table: WebTable) -> None:
        number = table.state("ann", "I pass", "/do pass", labelled=False)
        assert table.forge.look(NOW).issues == ()
        table.label(number)
        assert [issue.number for issue in table.forge.look(NOW + 5).issues] == [number]

    def test_a_comment_on_a_line_is_a_comment(self, table: WebTable) -> None:
        number = table.open("ann", "A dragon")
        name = table.line("bob", number, "/vote for")
        (seen,) = table.forge.look(NOW).remarks[number]
        assert (seen.id, seen.kind, seen.author.id, seen.body) == (name, "comment", table.id_of("bob"), "/vote for")

    def test_a_check_is_shown_and_replaced(self, table: WebTable) -> None:
        number = table.open("ann", "A dragon")
        table.forge.look(NOW)
        head = table.head(number)
        checks = [Check(commit=head, state=state, summary=f"It is {state}.") for state in ("pending", "success")]
        for check in (checks[0], checks[0], checks[1]):
            table.forge.answer([Answer(pull=number, text="Open.", check=check)])
        expected = [("folkmoot", "pending", "It is pending."), ("folkmoot", "success", "It is success.")]
        assert table.checks(head) == expected

    def test_a_call_is_said_once_to_people_as_they_are_called_today(self, table: WebTable) -> None:
        number = table.open("ann", "A dragon")
        table.forge.look(NOW)
        bob = table.id_of("bob")
        table.rename("bob", "robert")
        call = Call(key="turn-7", people=(bob, "424242"), text="It is your turn.")
        for forge in (table.forge, table.forge, table.another()):
            forge.look(NOW + 5)
            forge.answer([Answer(pull=number, text="Open.", calls=(call,))])
        (said,) = [body for body in table.spoken(number) if call_key(body) == "turn-7"]
        assert "@robert" in said
        assert "It is your turn." in said
        assert number not in table.forge.look(NOW + 9).remarks

    def test_a_head_that_takes_too_long_keeps_no_vote_from_being_read(
        self, table: WebTable, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What is said goes on to be read, whoever looks; the head is tried again later, another one at once."""
        number, new = table.open("ann", "A dragon"), table.open("ann", "A monster")
        first = table.head(number)
        table.forge.look(NOW)
        table.push("ann", number)
        later = table.open("ann", "A third")
        git = SlowGit(monkeypatch, f"refs/pull/{number}/head", f"refs/pull/{later}/head")
        for seconds in (5, 35, 65):
            git.before(forge := table.another())
            table.comment("bob", number, f"/vote for {seconds}")
            snapshot = forge.look(NOW + seconds)
        assert [each.number for each in snapshot.pulls] == [number, new]
        assert [push.commit for push in pull(snapshot, number).pushes] == [first]
        assert bodies(snapshot, number) == ["/vote for 5", "/vote for 35", "/vote for 65"]
        assert {n: (unread.commit, unread.again) for n, unread in snapshot.unread.items()} == {
            n: (table.head(n), NOW + 5 + FIRST) for n in (number, later)
        }
        forge.answer([Answer(pull=later, text="It is not here.")])
        assert any("It is not here." in body for body in table.spoken(later))
        tries = git.waited.total()
        head = table.push("ann", number)
        forge.look(NOW + 95)
        assert git.waited.total() == tries + 1
        git.stuck.clear()
        assert pull(forge.look(NOW + 95 + FIRST), number).head.commit == head
        assert pull(forge.look(NOW + 95 + 3 * FIRST), later).head.commit == table.head(later)
        assert forge.look(NOW + 96 + 3 * FIRST).unread == {}
