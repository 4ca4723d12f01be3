"""What every forge must do, written against the port alone; each adapter's tests run it with a table of their own.

A table is where people sit: it acts for them the way they would act on that forge, and lets a test make commits.
"""

from __future__ import annotations

from typing import Protocol

import pytest

from folkmoot.core.fault_points import fault_hook
from folkmoot.forges.port import Answer, Forge, Pull, Remark, RemarkKind, Snapshot
from tests.conftest import FUZZ

STOPS = range(3, 60, 14 if FUZZ else 28)  # points at which a referee is stopped
OVER_HTTP = {
    "test_an_empty_forge",
    "test_contents_are_kept_oldest_first",
    "test_text_of_any_kind_arrives_unchanged",
    "test_looking_again_changes_nothing",
    "test_publishing_moves_the_branch_and_is_known",
    "test_publishing_loses_to_a_branch_that_moved",
    "test_publishing_twice_is_publishing_once",
    "test_an_adoption_shows_as_merged",
    "test_acknowledging_loses_to_somebody_quicker",
    "test_killed_between_two_steps_and_run_again_elsewhere",
    "test_another_referee_runs_whole_between_two_steps",
    "test_another_push_between_reading_and_pushing_wins",
}
"""What is tried with git over HTTP: reading, fetching, pushing, pushing in vain, each once; with FOLKMOOT_FUZZ=1 all."""
NOW = 1_800_000_000
"""When the tests begin; each look is a little later."""


class Table(Protocol):
    """People round a forge. Persons are named by a word; commits by their hex."""

    forge: Forge

    def another(self) -> Forge:
        """Return the same forge as another process on another machine sees it."""
        ...

    def another_process(self) -> Forge:
        """Return the same forge as another process on the same machine sees it, with the same commits."""
        ...

    def id_of(self, person: str) -> str:
        """Return the id by which the forge knows a person."""
        ...

    def open(self, person: str, title: str, body: str = "") -> int:
        """Open a pull request with some content; return its number."""
        ...

    def push(self, person: str, number: int) -> str:
        """Push other content to a pull request; return its new head."""
        ...

    def head(self, number: int) -> str:
        """Return the commit that a pull request's head stands at."""
        ...

    def comment(self, person: str, number: int, body: str) -> str:
        """Comment on a pull request, or (0) in the game's own thread; return the comment's id."""
        ...

    def review(self, person: str, number: int, kind: RemarkKind, body: str = "") -> str:
        """Review a pull request as its head stands; return the review's id."""
        ...

    def edit(self, person: str, number: int, remark: str, body: str) -> None:
        """Change what was said."""
        ...

    def delete(self, person: str, number: int, remark: str) -> None:
        """Take back what was said."""
        ...

    def dismiss(self, person: str, number: int, remark: str) -> None:
        """Dismiss a review, somebody else's perhaps."""
        ...

    def close(self, person: str, number: int) -> None:
        """Close a pull request of one's own."""
        ...

    def reopen(self, person: str, number: int) -> None:
        """Open it again."""
        ...

    def played(self, parents: tuple[str, ...] = ()) -> tuple[str, str]:
        """Make a commit on top of the branch, with more parents perhaps; return the tip and the commit. Moves nothing."""
        ...

    def push_by_hand(self, parents: tuple[str, ...] = ()) -> str:
        """Push such a commit to the branch as somebody who passes the referee by; return it."""
        ...


def pull(snapshot: Snapshot, number: int) -> Pull:
    """Return the only pull request with this number."""
    (found,) = [each for each in snapshot.pulls if each.number == number]
    return found


def bodies(snapshot: Snapshot, number: int) -> list[str]:
    """Return what was said of a pull request, in order."""
    return [remark.body for remark in snapshot.remarks.get(number, ())]


def remark(snapshot: Snapshot, number: int, name: str) -> Remark:
    """Return what was said by its id."""
    (found,) = [each for each in snapshot.remarks[number] if each.id == name]
    return found


class Conformance:
    """The suite; a subclass in a test module gives the fixture `table`."""

    def test_what_is_awaited_is_read_first(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        """However much is new; a forge that reads everything at once asks nobody."""
        numbers = [table.open("ann", f"A dragon {number}") for number in range(6)]
        table.forge.look(NOW)
        monkeypatch.setattr("folkmoot.forges.web.reading.MOST_AT_ONCE", 2)
        for number in numbers:
            table.comment("bob", number, "/vote for")
        asked: list[str] = []

        def awaited(main: str) -> list[int]:
            asked.append(main)
            return [numbers[4], 4_242]

        snapshot = table.another().look(NOW + 60, awaited)
        assert bodies(snapshot, numbers[4]) == ["/vote for"]
        assert set(asked) <= {snapshot.main}
        monkeypatch.setattr("folkmoot.forges.web.reading.MOST_AT_ONCE", 150)
        snapshot = table.forge.look(NOW + 70, awaited)
        assert [bodies(snapshot, number) for number in numbers] == [["/vote for"]] * len(numbers)

    # Looking

    def test_an_empty_forge(self, table: Table) -> None:
        before, _ = table.played()
        snapshot = table.forge.look(NOW)
        assert (snapshot.main, snapshot.pulls, dict(snapshot.remarks), dict(snapshot.said)) == (before, (), {}, {})
        assert snapshot.at >= NOW

    def test_a_pull_request_is_seen(self, table: Table) -> None:
        number = table.open("ann", "A dragon", "It breathes fire.\n\nEvery day.")
        snapshot = table.forge.look(NOW)
        seen = pull(snapshot, number)
        assert (seen.title, seen.body, seen.state) == ("A dragon", "It breathes fire.\n\nEvery day.", "open")
        assert seen.author.id == table.id_of("ann")
        assert seen.head.commit == table.head(number)
        assert seen.head.at <= snapshot.at
        assert seen.opened_at <= snapshot.at
        assert not seen.author.robot

    def test_numbers_differ(self, table: Table) -> None:
        numbers = [table.open(person, "Same title") for person in ("ann", "bob", "ann")]
        assert len(set(numbers)) == 3
        assert [each.number for each in table.forge.look(NOW).pulls] == sorted(numbers)

    def test_contents_are_kept_oldest_first(self, table: Table) -> None:
        number = table.open("ann", "A dragon")
        first = table.head(number)
        table.forge.look(NOW)
        second = table.push("ann", number)
        seen = pull(table.forge.look(NOW + 5), number)
        assert [push.commit for push in seen.pushes] == [first, second]
        assert seen.pushes[0].at <= seen.pushes[1].at

    def test_what_is_said_is_seen_in_order(self, table: Table) -> None:
        number = table.open("ann", "A dragon")
        said = [table.comment("bob", number, f"No. {n}") for n in range(5)]
        snapshot = table.forge.look(NOW)
        assert [each.id for each in snapshot.remarks[number]] == said
        assert bodies(snapshot, number) == [f"No. {n}" for n in range(5)]
        assert {(each.kind, each.author.id, each.pull) for each in snapshot.remarks[number]} == {
            ("comment", table.id_of("bob"), number)
        }
        keys = [(each.at, each.order, each.id) for each in snapshot.remarks[number]]
        assert keys == sorted(keys)

    @pytest.mark.parametrize("kind", ["approve", "request_changes"])
    def test_a_review_names_what_it_was_made_on(self, table: Table, kind: RemarkKind) -> None:
        number = table.open("ann", "A dragon")
        first = table.head(number)
        name = table.review("bob", number, kind, "because")
        table.forge.look(NOW)
        table.push("ann", number)
        seen = remark(table.forge.look(NOW + 5), number, name)
        assert (seen.kind, seen.commit, seen.body) == (kind, first, "because")

    def test_text_of_any_kind_arrives_unchanged(self, table: Table) -> None:
        number = table.open("ann", "Drachen: «ß» & <b>")
        texts = ["---\nno: yaml\n", "a\n\n  b\n\tc", "/vote for", "„Grüße“ 🐉", "no", "1_000", "- x: &a *a", '"quoted"']
        for text in texts:
            table.comment("bob", number, text)
        snapshot = table.forge.look(NOW)
        assert bodies(snapshot, number) == texts
        assert pull(snapshot, number).title == "Drachen: «ß» & <b>"

    def test_looking_again_changes_nothing(self, table: Table) -> None:
        number = table.open("ann", "A dragon")
        table.comment("bob", number, "Hm.")
        table.review("cid", number, "approve")
        first = table.forge.look(NOW)
        later = table.forge.look(NOW + 500)
        assert (later.pulls, later.remarks, later.main) == (first.pulls, first.remarks, first.main)
        elsewhere = table.another().look(NOW + 900)
        assert (elsewhere.pulls, elsewhere.remarks, elsewhere.main) == (first.pulls, first.remarks, first.main)

    def test_the_games_own_thread(self, table: Table) -> None:
        name = table.comment("ann", 0, "/do state text=hello")
        snapshot = table.forge.look(NOW)
        assert [each.id for each in snapshot.remarks[0]] == [name]
        table.forge.answer([Answer(pull=0, text="", settled=True)])
        assert 0 not in table.forge.look(NOW + 5).remarks
        later = table.comment("bob", 0, "/do state text=again")
        assert [each.id for each in table.forge.look(NOW + 9).remarks[0]] == [later]

    # What becomes of what was said

    def test_an_edit_is_noted_and_the_first_words_stay(self, table: Table) -> None:
        number = table.open("ann", "A dragon")
        name = table.comment("bob", number, "/vote for")
        table.forge.look(NOW)
        table.edit("bob", number, name, "/vote against")
        seen = remark(table.forge.look(NOW + 5), number, name)
        assert (seen.body, seen.edited, seen.deleted) == ("/vote for", True, False)

    def test_a_deletion_is_noted_and_the_words_stay(self, table: Table) -> None:
        number = table.open("ann", "A dragon")
        name = table.comment("bob", number, "/vote for")
        table.forge.look(NOW)
        table.delete("bob", number, name)
        seen = remark(table.forge.look(NOW + 5), number, name)
        assert (seen.body, seen.deleted) == ("/vote for", True)

    def test_a_dismissal_names_who_dismissed(self, table: Table) -> None:
        number = table.open("ann", "A dragon")
        name = table.review("bob", number, "approve")
        table.forge.look(NOW)
        table.dismiss("cid", number, name)
        seen = remark(table.forge.look(NOW + 5), number, name)
        assert seen.dismissed_by is not None
        assert seen.dismissed_by.id == table.id_of("cid")
        assert seen.kind == "approve"

    # Closing

    def test_a_closed_pull_request_is_shown_until_it_is_settled(self, table: Table) -> None:
        number = table.open("ann", "A dragon")
        table.forge.look(NOW)
        table.close("ann", number)
        seen = pull(table.forge.look(NOW + 5), number)
        assert (seen.state, seen.closed_by and seen.closed_by.id) == ("closed", table.id_of("ann"))
        table.forge.answer([Answer(pull=number, text="Withdrawn.", settled=True)])
        assert table.forge.look(NOW + 9).pulls == ()

    def test_something_new_on_a_settled_one_shows_it_again(self, table: Table) -> None:
        number = table.open("ann", "A dragon")
        table.forge.look(NOW)
        table.forge.answer([Answer(pull=number, text="No.", state="closed", settled=True)])
        assert table.forge.look(NOW + 5).pulls == ()
        table.comment("bob", number, "Pity.")
        snapshot = table.forge.look(NOW + 9)
        assert pull(snapshot, number).state == "closed"
        assert bodies(snapshot, number) == ["Pity."]
        assert snapshot.said == {number: "No."}

    def test_what_arrives_between_look_and_answer_is_not_settled(self, table: Table) -> None:
        number = table.open("ann", "A dragon")
        table.forge.look(NOW)
        table.comment("bob", number, "Wait!")
        table.another().look(NOW + 1)
        table.forge.answer([Answer(pull=number, text="No.", state="closed", settled=True)])
        assert bodies(table.forge.look(NOW + 5), number) == ["Wait!"]

    def test_a_closed_one_can_be_reopened(self, table: Table) -> None:
        number = table.open("ann", "A dragon")
        table.close("ann", number)
        table.forge.look(NOW)
        table.reopen("ann", number)
        seen = pull(table.forge.look(NOW + 5), number)
        assert (seen.state, seen.closed_at, seen.closed_by) == ("open", None, None)

    # Answers

    def test_our_comment_is_kept_and_replaced(self, table: Table) -> None:
        number = table.open("ann", "A dragon")
        table.forge.look(NOW)
        for text in ("First.", "Second, with\n\n| a | table |\n|---|---|\n"):
            table.forge.answer([Answer(pull=number, text=text)])
            snapshot = table.forge.look(NOW + 5)
            assert snapshot.said == {number: text}
            assert snapshot.remarks.get(number, ()) == ()
        assert table.another().look(NOW + 9).said == snapshot.said

    def test_an_answer_leaves_the_state_alone(self, table: Table) -> None:
        number = table.open("ann", "A dragon")
        table.close("ann", number)
        table.forge.look(NOW)
        table.forge.answer([Answer(pull=number, text="Seen.")])
        assert pull(table.forge.look(NOW + 5), number).state == "closed"

    def test_an_answer_to_nothing_is_harmless(self, table: Table) -> None:
        table.forge.look(NOW)
        table.forge.answer([])
        assert table.forge.look(NOW + 5).pulls == ()

    # Publishing

    def test_publishing_moves_the_branch_and_is_known(self, table: Table) -> None:
        before, after = table.played()
        table.forge.look(NOW)
        assert table.forge.publish(before, after)
        snapshot = table.another().look(NOW + 5)
        assert (snapshot.main, snapshot.known) == (after, after)

    def test_what_is_published_unproved_is_not_known(self, table: Table) -> None:
        """A game that was changed by hand is not trusted because another one was played on."""
        before, after = table.played()
        table.forge.look(NOW)
        assert table.forge.publish(before, after, proved=False)
        snapshot = table.another().look(NOW + 5)
        assert (snapshot.main, snapshot.known) == (after, "")

    def test_publishing_loses_to_a_branch_that_moved(self, table: Table) -> None:
        before, after = table.played()
        table.forge.look(NOW)
        theirs = table.push_by_hand()
        assert not table.forge.publish(before, after)
        snapshot = table.forge.look(NOW + 5)
        assert (snapshot.main, snapshot.known) == (theirs, "")

    def test_publishing_wins_though_people_go_on_writing(self, table: Table) -> None:
        number = table.open("ann", "A dragon")
        before, after = table.played()
        table.forge.look(NOW)
        table.comment("bob", number, "Meanwhile.")
        table.another().look(NOW + 1)
        assert table.forge.publish(before, after)
        snapshot = table.forge.look(NOW + 5)
        assert (snapshot.main, snapshot.known) == (after, after)
        assert bodies(snapshot, number) == ["Meanwhile."]

    def test_publishing_twice_is_publishing_once(self, table: Table) -> None:
        before, after = table.played()
        table.forge.look(NOW)
        assert table.forge.publish(before, after)
        assert table.forge.publish(before, after)
        assert table.forge.look(NOW + 5).main == after

    def test_an_adoption_shows_as_merged(self, table: Table) -> None:
        number = table.open("ann", "A dragon")
        table.forge.look(NOW)
        before, after = table.played((table.head(number),))
        assert table.forge.publish(before, after)
        seen = pull(table.another().look(NOW + 5), number)
        assert (seen.state, seen.merge_commit) == ("merged", after)
        table.forge.answer([Answer(pull=number, text="Adopted.", state="merged", commit=after, settled=True)])
        assert table.forge.look(NOW + 9).pulls == ()

    def test_a_merge_by_hand_shows_as_merged(self, table: Table) -> None:
        number = table.open("ann", "A dragon")
        other = table.open("bob", "Another")
        table.forge.look(NOW)
        merge = table.push_by_hand((table.head(number),))
        snapshot = table.forge.look(NOW + 5)
        assert (pull(snapshot, number).state, pull(snapshot, number).merge_commit) == ("merged", merge)
        assert pull(snapshot, other).state == "open"
        assert (snapshot.main, snapshot.known) == (merge, "")

    def test_a_push_by_hand_is_known_once_it_is_acknowledged(self, table: Table) -> None:
        before, after = table.played()
        table.forge.look(NOW)
        assert table.forge.publish(before, after)
        theirs = table.push_by_hand()
        snapshot = table.forge.look(NOW + 5)
        assert (snapshot.main, snapshot.known) == (theirs, after)
        assert table.forge.acknowledge(theirs)
        assert table.another().look(NOW + 9).known == theirs

    def test_acknowledging_loses_to_somebody_quicker(self, table: Table) -> None:
        table.forge.look(NOW)
        first = table.push_by_hand()
        other = table.another()
        other.look(NOW + 1)
        assert other.acknowledge(first)
        second = table.push_by_hand()
        assert not table.forge.acknowledge(second)
        assert table.forge.look(NOW + 5).known == first
        assert table.forge.acknowledge(second)

    # Interrupted, and crossing

    def _lively(self, table: Table) -> tuple[int, int]:
        """Let people do something of everything; returns a pull request to be adopted, and one to be closed."""
        first, second = table.open("ann", "A dragon"), table.open("bob", "Another")
        table.comment("bob", first, "Hm.")
        table.review("cid", first, "approve")
        table.comment("bob", 0, "/do state text=hello")
        return first, second

    def _run(self, forge: Forge, before: str, after: str, first: int, second: int, now: int) -> None:
        """Do what a referee does in one run; whoever was overtaken lets it be."""
        forge.look(now)
        if forge.publish(before, after):
            forge.answer([
                Answer(pull=0, text="", settled=True),
                Answer(pull=first, text="Adopted.", state="merged", commit=after, settled=True),
                Answer(pull=second, text="No.", state="closed", settled=True),
            ])  # fmt: skip

    def _check_end(self, table: Table, after: str, first: int, second: int, stopped: int) -> None:
        snapshot = table.another().look(NOW + 500)
        assert (snapshot.main, snapshot.known, snapshot.pulls) == (after, after, ()), stopped
        table.comment("dee", first, "Well.")
        table.comment("dee", second, "Well.")
        snapshot = table.another().look(NOW + 600)
        assert [(each.number, each.state) for each in snapshot.pulls] == [(first, "merged"), (second, "closed")]
        assert dict(snapshot.said) == {first: "Adopted.", second: "No."}, stopped
        assert bodies(snapshot, first)[-1:] == bodies(snapshot, second)[-1:] == ["Well."]
        assert len({each.id for each in snapshot.remarks[first]}) == len(snapshot.remarks[first]) == 3

    @pytest.mark.parametrize("stop", STOPS)
    def test_killed_between_two_steps_and_run_again_elsewhere(self, table: Table, stop: int) -> None:
        first, second = self._lively(table)
        before, after = table.played((table.head(first),))
        passed: list[str] = []

        def die(point: str) -> None:
            passed.append(point)
            if len(passed) == stop + 1:
                raise KilledError

        try:
            with fault_hook(die):
                self._run(table.forge, before, after, first, second, NOW)
        except KilledError:
            self._run(table.forge, before, after, first, second, NOW + 50)
        self._check_end(table, after, first, second, stop)

    @pytest.mark.parametrize("stop", STOPS)
    def test_another_referee_runs_whole_between_two_steps(self, table: Table, stop: int) -> None:
        first, second = self._lively(table)
        before, after = table.played((table.head(first),))
        passed: list[str] = []
        other = table.another_process()

        def cross(point: str) -> None:
            passed.append(point)
            if len(passed) == stop + 1:
                self._run(other, before, after, first, second, NOW)

        with fault_hook(cross):
            self._run(table.forge, before, after, first, second, NOW)
        self._check_end(table, after, first, second, stop)

    def test_another_push_between_reading_and_pushing_wins(self, table: Table) -> None:
        first, second = self._lively(table)
        before, after = table.played((table.head(first),))
        table.forge.look(NOW)
        pushed: list[str] = []

        def push(point: str) -> None:
            if point == "before-push" and not pushed:
                pushed.append(table.push_by_hand())

        with fault_hook(push):
            assert not table.forge.publish(before, after)
        snapshot = table.another().look(NOW + 50)
        assert (snapshot.main, snapshot.known) == (pushed[0], "")
        assert [each.state for each in snapshot.pulls] == ["open", "open"]
        assert first != second


class FewStops(Conformance):
    """The suite where what stops a referee is no different: there it is stopped at the other points as well."""

    @pytest.mark.parametrize("stop", STOPS[::2])
    def test_killed_between_two_steps_and_run_again_elsewhere(self, table: Table, stop: int) -> None:
        super().test_killed_between_two_steps_and_run_again_elsewhere(table, stop)

    @pytest.mark.parametrize("stop", STOPS[1::2])
    def test_another_referee_runs_whole_between_two_steps(self, table: Table, stop: int) -> None:
        super().test_another_referee_runs_whole_between_two_steps(table, stop)


def goes_over_http(test: str) -> bool:
    """Say whether in a test of this name git goes over HTTP; otherwise over a path, which is the same but for the way."""
    return FUZZ or test in OVER_HTTP


def only_what_goes_over_http(suite: type[Conformance]) -> type[Conformance]:
    """Leave of a suite what is tried over HTTP."""
    for name in dir(suite):
        if name.startswith("test_") and not goes_over_http(name):
            setattr(suite, name, None)
    return suite


class KilledError(BaseException):
    """What stands for the end of a process: nothing catches it."""
