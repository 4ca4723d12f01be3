"""What every forge must do, written against the port alone and tried on all of them."""

from __future__ import annotations

import pytest

from folkmoot.core.fault_points import fault_hook
from folkmoot.forges.port import Answer, RemarkKind
from tests.forges.conformance import NOW, Table, bodies, pull, remark
from tests.forges.tables import ALL, WEB, on

FORGES = ALL
"""Points at which a referee is stopped."""


# Looking


def test_what_is_awaited_is_read_first(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much is new, and whatever was answered before; a forge that reads everything at once asks nobody."""
    numbers = [table.open("ann", f"A dragon {number}") for number in range(6)]
    table.forge.look(NOW)
    monkeypatch.setattr("folkmoot.forges.web.reading.MOST_AT_ONCE", 2)
    for number in numbers:
        table.comment("bob", number, "/vote for")
    asked: list[str] = []

    def awaited(main: str) -> list[int]:
        asked.append(main)
        return [numbers[4], 4_242]

    another = table.another()
    another.awaited = awaited
    snapshot = another.look(NOW + 60)
    assert bodies(snapshot, numbers[4]) == ["/vote for"]
    assert set(asked) <= {snapshot.main}
    monkeypatch.setattr("folkmoot.forges.web.reading.MOST_AT_ONCE", 150)
    snapshot = table.forge.look(NOW + 70)
    assert [bodies(snapshot, number) for number in numbers] == [["/vote for"]] * len(numbers)


def test_an_empty_forge(table: Table) -> None:
    before, _ = table.played()
    snapshot = table.forge.look(NOW)
    assert (snapshot.main, snapshot.pulls, dict(snapshot.remarks), dict(snapshot.said)) == (before, (), {}, {})
    assert snapshot.at >= NOW


def test_a_pull_request_is_seen(table: Table) -> None:
    number = table.open("ann", "A dragon", "It breathes fire.\n\nEvery day.")
    snapshot = table.forge.look(NOW)
    seen = pull(snapshot, number)
    assert (seen.title, seen.body, seen.state) == ("A dragon", "It breathes fire.\n\nEvery day.", "open")
    assert seen.author.id == table.id_of("ann")
    assert seen.head.commit == table.head(number)
    assert seen.head.at <= snapshot.at
    assert seen.opened_at <= snapshot.at
    assert not seen.author.robot


def test_contents_are_kept_oldest_first(table: Table) -> None:
    number = table.open("ann", "A dragon")
    first = table.head(number)
    table.forge.look(NOW)
    second = table.push("ann", number)
    seen = pull(table.forge.look(NOW + 5), number)
    assert [push.commit for push in seen.pushes] == [first, second]
    assert seen.pushes[0].at <= seen.pushes[1].at


def test_what_is_said_is_seen_in_order(table: Table) -> None:
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
def test_a_review_names_what_it_was_made_on(table: Table, kind: RemarkKind) -> None:
    number = table.open("ann", "A dragon")
    first = table.head(number)
    name = table.review("bob", number, kind, "because")
    table.forge.look(NOW)
    table.push("ann", number)
    seen = remark(table.forge.look(NOW + 5), number, name)
    assert (seen.kind, seen.commit, seen.body) == (kind, first, "because")


def test_text_of_any_kind_arrives_unchanged(table: Table) -> None:
    number = table.open("ann", "Drachen: «ß» & <b>")
    texts = ["---\nno: yaml\n", "a\n\n  b\n\tc", "/vote for", "„Grüße“ 🐉", "no", "1_000", "- x: &a *a", '"quoted"']
    for text in texts:
        table.comment("bob", number, text)
    snapshot = table.forge.look(NOW)
    assert bodies(snapshot, number) == texts
    assert pull(snapshot, number).title == "Drachen: «ß» & <b>"


def test_looking_again_changes_nothing(table: Table) -> None:
    number = table.open("ann", "A dragon")
    table.comment("bob", number, "Hm.")
    table.review("cid", number, "approve")
    first = table.forge.look(NOW)
    later = table.forge.look(NOW + 500)
    assert (later.pulls, later.remarks, later.main) == (first.pulls, first.remarks, first.main)
    elsewhere = table.another().look(NOW + 900)
    assert (elsewhere.pulls, elsewhere.remarks, elsewhere.main) == (first.pulls, first.remarks, first.main)


def test_the_games_own_thread(table: Table) -> None:
    name = table.comment("ann", 0, "/do state text=hello")
    snapshot = table.forge.look(NOW)
    assert [each.id for each in snapshot.remarks[0]] == [name]
    table.forge.answer([Answer(pull=0, text="", settled=True)])
    assert 0 not in table.forge.look(NOW + 5).remarks
    later = table.comment("bob", 0, "/do state text=again")
    assert [each.id for each in table.forge.look(NOW + 9).remarks[0]] == [later]


# What becomes of what was said


@on(*WEB)
def test_an_edit_is_noted_and_the_first_words_stay(table: Table) -> None:
    number = table.open("ann", "A dragon")
    name = table.comment("bob", number, "/vote for")
    table.forge.look(NOW)
    table.edit("bob", number, name, "/vote against")
    seen = remark(table.forge.look(NOW + 5), number, name)
    assert (seen.body, seen.edited, seen.deleted) == ("/vote for", True, False)


@on(*WEB)
def test_a_deletion_is_noted_and_the_words_stay(table: Table) -> None:
    number = table.open("ann", "A dragon")
    name = table.comment("bob", number, "/vote for")
    table.forge.look(NOW)
    table.delete("bob", number, name)
    seen = remark(table.forge.look(NOW + 5), number, name)
    assert (seen.body, seen.deleted) == ("/vote for", True)


@on(*WEB)
def test_a_dismissal_names_who_dismissed(table: Table) -> None:
    number = table.open("ann", "A dragon")
    name = table.review("bob", number, "approve")
    table.forge.look(NOW)
    table.dismiss("cid", number, name)
    seen = remark(table.forge.look(NOW + 5), number, name)
    assert seen.dismissed_by is not None
    assert seen.dismissed_by.id == (table.id_of("cid") if table.tells_who else "")
    assert seen.kind == "approve"


# Closing


def test_a_closed_pull_request_is_shown_until_it_is_settled(table: Table) -> None:
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    table.close("ann", number)
    table.forge.answer([Answer(pull=number, text="Seen.")])  # which leaves the state alone
    seen = pull(table.forge.look(NOW + 5), number)
    assert seen.closed_by is not None
    assert (seen.state, seen.closed_by.id) == ("closed", table.id_of("ann") if table.tells_who else "")
    table.forge.answer([Answer(pull=number, text="Withdrawn.", settled=True)])
    assert table.forge.look(NOW + 9).pulls == ()


def test_something_new_on_a_settled_one_shows_it_again(table: Table) -> None:
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    table.forge.answer([Answer(pull=number, text="No.", state="closed", settled=True)])
    assert table.forge.look(NOW + 5).pulls == ()
    table.comment("bob", number, "Pity.")
    snapshot = table.forge.look(NOW + 9)
    assert pull(snapshot, number).state == "closed"
    assert bodies(snapshot, number) == ["Pity."]
    assert snapshot.said == {number: "No."}


def test_what_arrives_between_look_and_answer_is_not_settled(table: Table) -> None:
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    table.comment("bob", number, "Wait!")
    table.another().look(NOW + 1)
    table.forge.answer([Answer(pull=number, text="No.", state="closed", settled=True)])
    assert bodies(table.forge.look(NOW + 5), number) == ["Wait!"]


@on(*WEB)
def test_a_closed_one_can_be_reopened(table: Table) -> None:
    number = table.open("ann", "A dragon")
    table.close("ann", number)
    table.forge.look(NOW)
    table.reopen("ann", number)
    seen = pull(table.forge.look(NOW + 5), number)
    assert (seen.state, seen.closed_at, seen.closed_by) == ("open", None, None)


# Answers


def test_our_comment_is_kept_and_replaced(table: Table) -> None:
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    for text in ("First.", "Second, with\n\n| a | table |\n|---|---|\n"):
        table.forge.answer([Answer(pull=number, text=text)])
        snapshot = table.forge.look(NOW + 5)
        assert snapshot.said == {number: text}
        assert snapshot.remarks.get(number, ()) == ()
    assert table.another().look(NOW + 9).said == snapshot.said


# Publishing


def test_publishing_moves_the_branch_and_is_known(table: Table) -> None:
    before, after = table.played()
    table.forge.look(NOW)
    for _ in range(2):  # doing it twice is doing it once
        assert table.forge.publish(before, after)
    snapshot = table.another().look(NOW + 5)
    assert (snapshot.main, snapshot.known) == (after, after)


def test_what_is_published_unproved_is_not_known(table: Table) -> None:
    """A game that was changed by hand is not trusted because another one was played on."""
    before, after = table.played()
    table.forge.look(NOW)
    assert table.forge.publish(before, after, proved=False)
    snapshot = table.another().look(NOW + 5)
    assert (snapshot.main, snapshot.known) == (after, "")


def test_publishing_loses_to_a_branch_that_moved(table: Table) -> None:
    before, after = table.played()
    table.forge.look(NOW)
    theirs = table.push_by_hand()
    assert not table.forge.publish(before, after)
    snapshot = table.forge.look(NOW + 5)
    assert (snapshot.main, snapshot.known) == (theirs, "")


def test_publishing_loses_to_a_push_between_reading_and_pushing(table: Table) -> None:
    before, after = table.played()
    table.forge.look(NOW)
    pushed: list[str] = []

    def push(point: str) -> None:
        if point == "before-push" and not pushed:
            pushed.append(table.push_by_hand())

    with fault_hook(push):
        assert not table.forge.publish(before, after)
    snapshot = table.another().look(NOW + 5)
    assert (snapshot.main, snapshot.known) == (pushed[0], "")


def test_publishing_wins_though_people_go_on_writing(table: Table) -> None:
    number = table.open("ann", "A dragon")
    before, after = table.played()
    table.forge.look(NOW)
    table.comment("bob", number, "Meanwhile.")
    table.another().look(NOW + 1)
    assert table.forge.publish(before, after)
    snapshot = table.forge.look(NOW + 5)
    assert (snapshot.main, snapshot.known) == (after, after)
    assert bodies(snapshot, number) == ["Meanwhile."]


def test_an_adoption_shows_as_merged(table: Table) -> None:
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    before, after = table.played((table.head(number),))
    assert table.forge.publish(before, after)
    seen = pull(table.another().look(NOW + 5), number)
    assert (seen.state, seen.merge_commit) == ("merged", after)
    table.forge.answer([Answer(pull=number, text="Adopted.", state="merged", commit=after, settled=True)])
    assert table.forge.look(NOW + 9).pulls == ()


def test_a_merge_by_hand_shows_as_merged(table: Table) -> None:
    number = table.open("ann", "A dragon")
    other = table.open("bob", "Another")
    table.forge.look(NOW)
    merge = table.push_by_hand((table.head(number),))
    snapshot = table.forge.look(NOW + 5)
    assert (pull(snapshot, number).state, pull(snapshot, number).merge_commit) == ("merged", merge)
    assert pull(snapshot, other).state == "open"
    assert (snapshot.main, snapshot.known) == (merge, "")


def test_a_push_by_hand_is_known_once_it_is_acknowledged(table: Table) -> None:
    before, after = table.played()
    table.forge.look(NOW)
    assert table.forge.publish(before, after)
    theirs = table.push_by_hand()
    snapshot = table.forge.look(NOW + 5)
    assert (snapshot.main, snapshot.known) == (theirs, after)
    assert table.forge.acknowledge(theirs)
    assert table.another().look(NOW + 9).known == theirs


def test_acknowledging_loses_to_somebody_quicker(table: Table) -> None:
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
