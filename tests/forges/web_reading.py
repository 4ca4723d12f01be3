"""What is read from a forge with an API, however odd: the tests that all such forges pass alike."""

from __future__ import annotations

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.port import Answer
from folkmoot.forges.web.comments import LONGEST, fitting, said, written
from tests.forges.conformance import NOW, bodies, pull, remark
from tests.forges.emulated_table import EmulatedTable
from tests.forges.local_table import git


def settle(table: EmulatedTable, seconds: int = 60) -> None:
    """Let time pass, so that what was read last is known to be all."""
    table.web.now += seconds


class WebReading:
    """The suite; a subclass, or the module that it stands in, gives the fixture `table`."""

    def test_what_happens_in_the_second_of_reading_is_not_missed(self, table: EmulatedTable) -> None:
        number = table.open("ann", "A dragon")
        table.forge.look(NOW)
        table.web.now -= 1  # the same second again
        name = table.comment("bob", number, "Quick.")
        assert remark(table.forge.look(NOW + 5), number, name).body == "Quick."

    def test_a_repository_with_a_past(self, table: EmulatedTable) -> None:
        old = table.open("ann", "Long ago")
        table.close("ann", old)
        table.web.now += 1_000
        number = table.open("bob", "Now")
        assert [each.number for each in table.forge.look(NOW).pulls] == [number]
        table.web.now += 1_000
        table.comment("ann", old, "Remember?")
        assert [each.number for each in table.forge.look(NOW + 5).pulls] == [number]

    @pytest.mark.threat("T-22")
    def test_somebody_elses_comment_with_our_mark_is_somebody_elses(self, table: EmulatedTable) -> None:
        number = table.open("ann", "A dragon")
        name = table.comment("bob", number, written("Adopted!"))
        snapshot = table.forge.look(NOW)
        assert snapshot.said == {}
        assert [each.id for each in snapshot.remarks[number]] == [name]
        table.forge.answer([Answer(pull=number, text="Open.")])
        assert table.forge.look(NOW + 5).said == {number: "Open."}
        assert said(table.web.said[int(name[1:])]["body"]) == "Adopted!"

    def test_our_comment_is_made_again_where_somebody_deleted_it(self, table: EmulatedTable) -> None:
        number = table.open("ann", "A dragon")
        table.forge.look(NOW)
        table.forge.answer([Answer(pull=number, text="Here.")])
        table.web.delete(next(iter(table.web.said)))
        table.forge.answer([Answer(pull=number, text="Here again.")])
        assert table.forge.look(NOW + 5).said == {number: "Here again."}
        table.web.delete(next(iter(table.web.said)))
        assert table.forge.look(NOW + 9).said == {number: ""}

    def test_our_comment_that_somebody_edited_is_put_right(self, table: EmulatedTable) -> None:
        number = table.open("ann", "A dragon")
        table.forge.look(NOW)
        table.forge.answer([Answer(pull=number, text="Defeated.")])
        name = next(iter(table.web.said))
        table.web.edit(name, table.web.said[name]["body"].replace("Defeated", "Adopted"))
        assert table.forge.look(NOW + 5).said == {number: "Adopted."}
        table.forge.answer([Answer(pull=number, text="Defeated.")])
        assert table.forge.look(NOW + 9).said == {number: "Defeated."}

    def test_a_text_that_is_too_long_is_cut_and_not_sent_again(self, table: EmulatedTable) -> None:
        number = table.open("ann", "A dragon")
        table.forge.look(NOW)
        text = "long " * 20_000
        table.forge.answer([Answer(pull=number, text=text)])
        (body,) = [each["body"] for each in table.web.said.values()]
        assert len(body) <= LONGEST
        assert said(body) == fitting(text)
        assert table.forge.look(NOW + 5).said == {number: text}
        table.asked()
        table.forge.answer([Answer(pull=number, text=text)])
        assert table.asked() == []

    @pytest.mark.threat("T-16")
    def test_a_comment_edited_before_it_was_seen_arrived_when_it_was_edited(self, table: EmulatedTable) -> None:
        number = table.open("ann", "A dragon")
        name = table.comment("bob", number, "Hm.")
        table.web.now += 100
        table.edit("bob", number, name, "/vote for")
        assert remark(table.forge.look(NOW), number, name).at == table.web.now

    def test_a_review_dismissed_before_it_was_seen(self, table: EmulatedTable) -> None:
        number = table.open("ann", "A dragon")
        name = table.review("bob", number, "request_changes", "no")
        table.web.dismiss(None, int(name[1:]))
        seen = remark(table.forge.look(NOW), number, name)
        assert (seen.kind, seen.dismissed_by and seen.dismissed_by.handle) == ("request_changes", "ghost")

    def test_a_review_of_a_head_that_was_never_seen_can_be_read(self, table: EmulatedTable) -> None:
        git(table.hub, "config", "uploadpack.allowAnySHA1InWant", "true")  # as GitHub does
        number = table.open("ann", "A dragon")
        reviewed = table.head(number)
        table.review("bob", number, "approve")
        table.web.push(number, table.commit(), force=True)
        table.forge.look(NOW)
        assert reviewed in table.forge.refs.repo

    def test_a_retargeted_pull_request_is_none_of_the_games(self, table: EmulatedTable) -> None:
        number = table.open("ann", "A dragon")
        other = table.web.open_pull("bob", "Elsewhere", "", table.commit(), base="next")
        assert [each.number for each in table.forge.look(NOW).pulls] == [number]
        table.web.change(number, base="next")
        table.web.change(other, base="main")
        assert [each.number for each in table.forge.look(NOW + 5).pulls] == [other]
        table.web.change(number, base="main")
        assert [each.number for each in table.forge.look(NOW + 9).pulls] == [number, other]

    @pytest.mark.threat("T-19")
    def test_a_fork_that_vanished(self, table: EmulatedTable) -> None:
        number = table.open("ann", "A dragon")
        table.web.pulls[number]["fork"] = False
        table.comment("bob", number, "Where is it?")
        seen = pull(table.forge.look(NOW), number)
        assert seen.head.commit == table.head(number)
        assert seen.head.commit in table.forge.refs.repo

    def test_a_head_that_git_does_not_show_yet_is_read_later(self, table: EmulatedTable) -> None:
        number = table.open("ann", "A dragon")
        head = table.head(number)
        table.web.repo.references[f"refs/pull/{number}/head"].delete()
        assert table.forge.look(NOW).pulls == ()
        settle(table, 600)
        table.web.repo.references.create(f"refs/pull/{number}/head", head)
        assert pull(table.forge.look(NOW + 5), number).head.commit == head

    def test_a_shallow_clone_is_deepened_to_where_the_branch_was_left(self, table: EmulatedTable) -> None:
        old = table.commit()
        for _ in range(30):
            table.push_by_hand()
        number = table.web.open_pull("ann", "An old branch", "", old)
        path = table.folder / "shallow"
        git(table.folder, "clone", "--quiet", "--bare", "--depth=1", f"file://{table.hub}", str(path))
        table.remote = f"file://{table.hub}"
        forge = table.at(path)
        snapshot = forge.look(NOW)
        assert pull(snapshot, number).head.commit == old
        assert forge.refs.repo.merge_base(snapshot.main, old) is not None

    @pytest.mark.threat("T-20")
    def test_a_clock_that_is_off_stops_everything(self, table: EmulatedTable) -> None:
        forge = table.another(skew=60)
        assert forge.look(table.web.now + 50).pulls == ()
        for off in (-70, 70):
            with pytest.raises(ProblemError, match="clock is off"):
                forge.look(table.web.now + off)

    def test_the_games_thread_by_number_and_none_at_all(self, table: EmulatedTable) -> None:
        table.web.open_issue("eve", "Talk about the game")
        table.comment("ann", 0, "Hello.")
        for thread, expected in ((table.thread, ["Hello."]), (None, [])):
            assert bodies(table.another(thread=thread).peek(NOW), 0) == expected

    @pytest.mark.threat("T-39")
    def test_what_another_kind_of_forge_wrote_is_not_read_as_ours(self, table: EmulatedTable) -> None:
        table.repo.references.create("refs/moot/forge", table.commit())
        with pytest.raises(ProblemError, match="another kind of forge"):
            table.forge.look(NOW)

    def test_peeking_writes_nothing(self, table: EmulatedTable) -> None:
        table.open("ann", "A dragon")
        before = git(table.hub, "for-each-ref")
        assert len(table.forge.peek(NOW).pulls) == 1
        assert git(table.hub, "for-each-ref") == before
