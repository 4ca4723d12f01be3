"""What Forgejo and Gitea do as no other forge does, each of their generations for itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pygit2
import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.gitea import GiteaForge
from folkmoot.forges.port import Answer
from folkmoot.referee.facts import facts_of
from folkmoot.referee.recorder import COMMITTER
from tests.forges.conformance import NOW, bodies, pull, remark
from tests.forges.emulated_table import GiteaTable
from tests.forges.gitea.emulator import API, FORGEJO, GENERATIONS, HOME, PLACE, TOKEN, Generation, address_of
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.local_table import bare
from tests.forges.tables import on, web_meeting
from tests.forges.web_faults import relisted
from tests.forges.web_meeting import WebMeeting

FORGES = tuple(GENERATIONS)


# -- what is read


@on("gitea")
def test_what_was_merely_answered_is_read_again_by_half_and_hides_nothing(table: GiteaTable) -> None:
    """Whoever says something in the second of the answer must be heard, so what was said is asked for once more."""
    numbers = [table.open("ann", f"No. {n}") for n in range(3)]
    for number in numbers:
        table.review("bob", number, "approve")
    table.wait()
    table.forge.look(NOW)
    table.forge.answer([Answer(pull=number, text="Counted.") for number in numbers])
    late = table.comment("cid", numbers[0], "/vote for")
    table.asked()
    assert remark(table.forge.look(NOW + 5), numbers[0], late)
    asked = [path.rpartition("/")[2] for path in table.asked()]
    assert "timeline" not in asked
    assert sum(path in ("reviews", "comments") for path in asked) == 2 * len(numbers) + 1
    table.wait()
    said, pushed = table.review("dee", numbers[1], "approve"), table.push("ann", numbers[2])
    seen = table.forge.look(NOW + 10)
    assert remark(seen, numbers[1], said).at == table.web.now - 1
    assert pull(seen, numbers[2]).head.commit == pushed
    assert sum(path.endswith("/timeline") for path in table.asked()) >= 2


@pytest.mark.parametrize("lag", [10, 28])
@on("gitea")
def test_an_issue_that_the_list_shows_late_is_read_all_the_same(table: GiteaTable, lag: int) -> None:
    number = table.open("ann", "A dragon")
    table.wait()
    table.forge.look(NOW)
    table.web.index_lag = lag
    stated = table.state("bob", "Hear me", "Hear me.")
    for step in range(lag + 2):
        table.comment("cid", number, f"No. {step}")  # which moves on up to when all was seen
        seen = table.forge.look(NOW + step)
    assert [issue.number for issue in seen.issues] == [stated]


@pytest.mark.parametrize("hidden", [{0, 3}, {3, 4, 5}])
@pytest.mark.parametrize("shows_gaps", [True, False])
def test_a_page_that_is_short_because_something_is_hidden_is_not_the_last(
    table: GiteaTable, hidden: set[int], shows_gaps: bool
) -> None:
    table.web.pages = 3
    number = table.open("ann", "A dragon")
    for n in range(9):
        name = table.web.begin(f"voter-{n}", number)
        if n not in hidden:
            table.web.submit(name, "APPROVED")
    if not shows_gaps:
        table.web.faults = [relisted(lambda items: [each for each in items if each is not None])]
    assert len(table.forge.look(NOW).remarks[number]) == 9 - len(hidden)


def test_items_that_the_server_cannot_show_are_passed_over(table: GiteaTable) -> None:
    number = table.open("ann", "A dragon")
    table.web.faults = [relisted(lambda items: [None, *items])]
    assert [each.number for each in table.forge.look(NOW).pulls] == [number]


@on("gitea")
def test_comments_on_lines_do_not_hide_what_follows(table: GiteaTable) -> None:
    table.web.pages = 3
    number = table.open("ann", "A dragon")
    name = table.web.begin("bob", number)
    for n in range(7):
        table.web.remark_on_line("bob", name, f"Line {n}")
    table.wait(900)
    table.web.submit(name, "REQUEST_CHANGES", "no")
    late = table.web.now
    table.comment("cid", number, "/vote for")
    snapshot = table.forge.look(NOW)
    assert {each.body: each.id[0] for each in snapshot.remarks[number]} == {
        **{f"Line {n}": "l" for n in range(7)}, "/vote for": "c", "no": "r"
    }  # fmt: skip
    assert remark(snapshot, number, f"r{name}").at == late


def test_comments_on_lines_are_read_also_answers_to_them(table: GiteaTable) -> None:
    number = table.open("ann", "A dragon")
    name = table.web.begin("bob", number)
    table.web.remark_on_line("bob", name, "/vote for")
    table.web.submit(name, "COMMENT")
    table.wait()
    assert bodies(table.forge.look(NOW), number) == ["/vote for"]
    table.wait(600)
    table.web.remark_on_line("cid", name, "/vote against")
    snapshot = table.forge.look(NOW + 5)
    said = [(one.body, one.author.handle) for one in snapshot.remarks[number]]
    assert said == [("/vote for", "bob"), ("/vote against", "cid")]
    table.wait(600)
    table.comment("dee", number, "Hm.")
    table.asked()
    snapshot = table.forge.look(NOW + 9)
    assert bodies(snapshot, number) == ["/vote for", "/vote against", "Hm."]
    assert not any(one.deleted or one.edited for one in snapshot.remarks[number])
    assert not any("/reviews/" in path for path in table.asked())


def test_a_pull_request_that_the_queue_has_not_come_to_is_waited_for_or_read_by_the_next_look(
    table: GiteaTable,
) -> None:
    slow, quick = table.open("ann", "Slow"), table.open("bob", "Quick")
    table.web.slow = {quick: 2, slow: 50}
    assert [found.number for found in table.forge.look(NOW).pulls] == [quick]
    assert {0.1, 0.4} <= set(table.slept)
    table.web.slow[slow] = 0
    table.wait(600)
    assert [found.number for found in table.forge.look(NOW + 5).pulls] == [slow, quick]


@on("gitea")
def test_whether_a_server_has_a_timeline_is_found_out_by_trying(table: GiteaTable) -> None:
    """An update of the server is noticed."""
    for generation, told in ((Generation("main-nightly", "gitea", new=False), False), (FORGEJO, True)):
        table.web.generation = generation
        number = table.open("ann", "A dragon")
        name = table.review("bob", number, "approve")
        table.dismiss("cid", number, name)
        table.comment("cid", number, "Hm.")
        snapshot = table.forge.look(NOW)
        by = remark(snapshot, number, name).dismissed_by
        assert (by and by.handle) == ("cid" if told else "ghost")
        assert bodies(snapshot, number)[-1] == "Hm."
        table.wait(600)


@on("gitea-1.15")
def test_words_that_were_brought_from_another_forge_are_nobodys(table: GiteaTable) -> None:
    number = table.open("ann", "A dragon")
    name = table.web.comment("keeper", number, "/vote for")
    table.web.said[name]["original_author"] = "somebody"
    stated = table.web.open_issue("keeper", "I pass", ("game",), "/do pass")
    table.web.issues[stated]["original_author"] = "somebody"
    snapshot = table.forge.look(NOW)
    assert remark(snapshot, number, f"c{name}").author.id == snapshot.remarks[stated][0].author.id == ""


@pytest.mark.parametrize(
    ("title", "draft"), [("WIP: a dragon", True), ("[wip] a dragon", True), ("A WIP: dragon", False), ("Wipe", False)]
)
def test_drafts_are_known_by_their_titles(table: GiteaTable, title: str, *, draft: bool) -> None:
    number = table.web.open_pull("ann", title, "", table.commit(), labels=("colour", "game"))
    seen = pull(table.forge.look(NOW), number)
    assert (seen.draft, seen.body) == (draft, "")
    assert seen.link == f"{HOME}/moot/game/pulls/{number}"


@on("gitea", "forgejo")
def test_drafts_are_known_by_what_todays_servers_say(table: GiteaTable) -> None:
    number = table.web.open_pull("ann", "Brouillon : un dragon", "", table.commit(), draft=True)
    assert pull(table.forge.look(NOW), number).draft


def test_a_label_that_the_repository_lacks_makes_no_statement_of_all_issues(table: GiteaTable) -> None:
    table.web.issues[table.thread]["labels"] = ()
    table.web.open_issue("eve", "A bug", (), "/do pass")
    snapshot = table.forge.look(NOW)
    assert (snapshot.issues, dict(snapshot.remarks)) == ((), {})


def test_an_issue_that_is_labelled_later_was_stated_then(table: GiteaTable) -> None:
    number = table.web.open_issue("ann", "I pass", (), "/do pass")
    table.forge.look(NOW)
    table.wait(600)
    table.web.label(number, "game")
    snapshot = table.forge.look(NOW + 5)
    assert snapshot.remarks[number][0].at == table.web.now
    assert snapshot.issues[0].opened_at == (table.web.now if table.tells_who else table.web.now - 601)


@pytest.mark.parametrize(
    "name", ["moot", "moot/game/more", "../game", "moot/..", "moot/game?x=1", "moot/ga me", "/game"]
)
def test_odd_names_of_repositories_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ProblemError, match="no name of a repository"):
        GiteaForge(bare(tmp_path), HOME, name, TOKEN, API)


# -- what counts when


@on("gitea")
def test_a_review_that_was_begun_long_before_came_when_it_was_submitted(table: GiteaTable) -> None:
    """A vote prepared before the deadline and sent after it is late, whatever the server's stamp of it says."""
    number = table.open("ann", "A dragon")
    begun = table.web.begin("bob", number)
    table.wait(5_000)
    table.web.submit(begun, "APPROVED")
    assert remark(table.forge.look(NOW), number, f"r{begun}").at == table.web.now
    assert table.web.reviews[begun]["submitted_at"] < table.web.now - 4_000


@on("gitea")
def test_a_review_that_cannot_be_found_in_the_timeline_counts_as_late(table: GiteaTable) -> None:
    table.web.pages = 1
    number = table.open("ann", "A dragon")
    name = table.web.begin("bob", number)
    for n in range(30):
        table.web.remark_on_line("bob", name, f"Line {n}")
    table.web.submit(name, "APPROVED")
    table.wait(900)
    table.comment("cid", number, "Hm.")
    assert remark(table.forge.look(NOW), number, f"r{name}").at == table.web.now


@pytest.mark.parametrize("seen", [True, False])
@on("gitea-1.15")
def test_on_an_old_server_too_as_far_as_it_tells(table: GiteaTable, *, seen: bool) -> None:
    number = table.open("ann", "A dragon")
    begun = table.web.begin("bob", number)
    table.wait(5_000)
    table.comment("cid", number, "Nobody has voted yet.")
    if seen:
        table.forge.look(NOW)
    said = table.web.now
    table.wait(500)
    table.web.submit(begun, "APPROVED")
    at = remark(table.forge.look(NOW + 5), number, f"r{begun}").at
    assert at == (table.web.now if seen else said)


def test_what_came_in_the_same_second_is_in_order(table: GiteaTable) -> None:
    """A comment after a review is newer, though both have the same stamp: the latest of somebody's votes counts."""
    number = table.open("ann", "A dragon")
    review = table.review("bob", number, "approve")
    table.wait(-1)
    comment = table.comment("bob", number, "/vote against")
    table.wait(-1)
    again = table.review("bob", number, "approve")
    found = table.forge.look(NOW).remarks[number]
    assert [one.id for one in found] == [review, comment, again]
    assert len({one.at for one in found}) == 1


def test_what_came_in_the_same_second_in_several_places_is_in_order(table: GiteaTable) -> None:
    """The server numbers comments and reviews of all pull requests in one row."""
    one, two = table.open("ann", "A dragon"), table.open("bob", "Two dragons")
    table.forge.look(NOW)
    said = []
    for number in (two, one, two):
        said.append(table.comment("cid", number, "/vote for"))
        table.wait(-1)
    said.append(table.review("dee", one, "approve"))
    found = [fact for fact in facts_of(table.forge.look(NOW + 60), NOW + 600) if fact.kind == "remark"]
    assert [fact.id for fact in found] == said
    assert len({fact.at for fact in found}) == 1


def test_content_that_nobody_touched_since_counts_from_the_opening(table: GiteaTable) -> None:
    number = table.open("ann", "A dragon")
    opened = table.web.now
    table.comment("bob", number, "/vote for")
    table.review("cid", number, "approve")
    assert pull(table.forge.look(NOW), number).head.at == opened


@on("gitea-1.15")
def test_a_fork_that_vanished_from_an_old_server_proves_nothing(table: GiteaTable) -> None:
    number = table.open("ann", "A dragon")
    vote = table.comment("bob", number, "/vote for")
    table.web.pulls[number]["fork"] = False
    snapshot = table.forge.look(NOW)
    assert pull(snapshot, number).head.at > remark(snapshot, number, vote).at


@on("gitea")
def test_a_head_that_came_back_arrived_when_it_came_back(table: GiteaTable) -> None:
    number = table.open("ann", "A dragon")
    first, other = table.head(number), table.commit()
    table.web.push(number, other, force=True)
    table.wait(100)
    table.web.push(number, first, force=True)
    assert pull(table.forge.look(NOW), number).head.at == table.web.now


# -- whole games


def test_what_a_purged_account_left_open_stops_nobody(tmp_path: Path) -> None:
    """A real server keeps its pull requests, by Ghost, with no repository behind their heads."""
    meeting = GiteaMeeting(tmp_path)
    left = meeting.propose("cid", "A bog")
    meeting.gitea.purge("cid")
    request = httpx.Request("GET", f"{API}{PLACE}/pulls/{left}", headers={"Authorization": f"token {TOKEN}"})
    shown = meeting.gitea.handle(request).json()
    assert (shown["user"]["login"], shown["head"]["repo"]) == ("Ghost", None)
    assert meeting.referee().entries == 0
    meeting.propose("ann", "A dragon")
    assert meeting.referee().entries == 1


def adopted(meeting: WebMeeting) -> tuple[int, pygit2.Commit]:
    """Have a proposal adopted; return its pull request, and the commit that merged it."""
    number = meeting.propose("ann", "A dragon")
    meeting.referee()
    meeting.say("ann", number, "/finalise")
    meeting.referee()
    for who in ("ann", "bob", "cid", "dee"):
        meeting.say(who, number, "/vote for")
    assert meeting.referee().entries
    merge = next(each for each in meeting.repo.walk(meeting.game().commit_id) if len(each.parents) == 2)
    assert str(merge.parent_ids[1]) == meeting.head(number)
    return number, merge


@pytest.mark.parametrize("kind", GENERATIONS)
@pytest.mark.sampled(2)
def test_a_merge_is_put_down_to_the_referees_account_and_the_record_is_the_same(kind: str, tmp_path: Path) -> None:
    """A pushed merge is put down to whoever the address of the commit's author belongs to."""
    trees = set()
    for robot in ("referee", "another"):
        meeting = web_meeting(kind, tmp_path / robot)
        meeting.web.robot = robot
        meeting.say("ann", 0, "/do state text=hello")
        meeting.referee()
        tip = meeting.repo[meeting.game().commit_id].peel(pygit2.Commit)
        assert tip.author.email == tip.committer.email, "only what merges names it"
        number, merge = adopted(meeting)
        shown = meeting.web.pulls[number]
        assert (shown["merged_by"], merge.author.email) == (robot, address_of(robot))
        assert (shown["merge_commit_sha"], meeting.slept) == (str(merge.id), [])
        assert merge.author.name == merge.committer.name == "Folkmoot"  # jobs that wake look at that name
        assert f"{merge.committer.name} <{merge.committer.email}>" == COMMITTER
        trees.add(meeting.game().tree_id)
    assert len(trees) == 1


@pytest.mark.parametrize("kind", ["gitea", "github"])
def test_without_a_name_of_its_own_the_referee_merges_too(kind: str, tmp_path: Path) -> None:
    """As where a token may not ask who it is; on GitHub it is whoever pushed."""
    meeting = web_meeting(kind, tmp_path)
    meeting.web.may_ask_who = False
    _, merge = adopted(meeting)
    assert f"{merge.author.name} <{merge.author.email}>" == COMMITTER


@pytest.mark.parametrize("address", ["", "no address", "a@b\n<c@d>", "a@b> 0 +0000\nparent x", None, "ä@x.org", "a@\0"])
def test_an_address_that_is_none_is_not_taken(address: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forge = GiteaMeeting(tmp_path).forge
    assert forge.author() == f"Folkmoot <{address_of('moot')}>"
    monkeypatch.setattr("tests.forges.gitea.emulator.address_of", lambda person: address)
    assert forge.author() == ""
