"""What becomes of the oddities of Forgejo and Gitea, and how many requests it takes."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from folkmoot.core.problems import ProblemError
from folkmoot.forges.gitea import GiteaForge
from folkmoot.forges.port import Answer, Call, Check
from folkmoot.forges.web.comments import call_key, said, written
from folkmoot.referee.facts import facts_of
from tests.forges.conformance import NOW, bodies, pull, remark
from tests.forges.gitea.emulator import API, FORGEJO, GENERATIONS, GITEA, GITEA_1_15, HOME, PLACE, TOKEN, Generation
from tests.forges.gitea.gitea_table import GiteaTable
from tests.forges.gitea.judge import MisfitError, check_answer, check_request
from tests.forges.local_table import bare, git
from tests.forges.web_reading import WebReading, settle


def table_of(folder: Path, generation: Generation) -> GiteaTable:
    hub = bare(folder)
    return GiteaTable(folder, str(hub), hub, generation)


@pytest.fixture
def table(tmp_path: Path) -> GiteaTable:
    return table_of(tmp_path, GITEA)


@pytest.fixture
def old(tmp_path: Path) -> GiteaTable:
    return table_of(tmp_path, GITEA_1_15)


pytestmark = pytest.mark.sampled(3)  # on one of the three generations


@pytest.fixture(params=GENERATIONS)
def each(request: pytest.FixtureRequest, tmp_path: Path) -> GiteaTable:
    return table_of(tmp_path, GENERATIONS[request.param])


class TestReadingOfGitea(WebReading):
    """What is read alike everywhere."""

    @pytest.fixture
    def table(self, each: GiteaTable) -> GiteaTable:
        """Return a table of each generation."""
        return each


# -- the judge


@pytest.mark.parametrize("forge", ["gitea", "forgejo"])
def test_the_judge_knows_what_the_servers_do_not_take(forge) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(MisfitError, match="no DELETE"):
        check_request(forge, "DELETE", f"{PLACE}/pulls/1", {}, None)
    with pytest.raises(MisfitError, match="takes no per_page"):
        check_request(forge, "GET", f"{PLACE}/pulls", {"per_page": "5"}, None)
    with pytest.raises(MisfitError, match="no number"):
        check_request(forge, "GET", f"{PLACE}/pulls", {"limit": "all"}, None)
    with pytest.raises(MisfitError, match="state_reason"):
        check_request(forge, "PATCH", f"{PLACE}/issues/1", {}, {"state": "closed", "state_reason": "completed"})
    with pytest.raises(MisfitError, match="'text' was unexpected"):
        check_request(forge, "POST", f"{PLACE}/issues/1/comments", {}, {"text": "hello"})
    with pytest.raises(MisfitError, match="does not answer 204"):
        check_answer(forge, "GET", f"{PLACE}/pulls", 204, [])
    with pytest.raises(MisfitError):
        check_answer(forge, "GET", f"{PLACE}/pulls", 200, [{"number": "1"}])


# -- requests


def test_nothing_to_do_takes_three_requests(each: GiteaTable) -> None:
    for n in range(3):
        each.review("bob", each.open("ann", f"No. {n}"), "approve")
        each.comment("bob", n + 2, "Hm.")
    settle(each)
    each.forge.look(NOW)
    settle(each)
    each.asked()
    refs = git(each.hub, "for-each-ref")
    each.forge.look(NOW + 500)
    assert each.asked() == ["GET /pulls", "GET /issues", "GET /issues/comments"]
    each.another().look(NOW + 1_500)
    assert len(each.asked()) == 3
    assert git(each.hub, "for-each-ref") == refs


def test_only_what_changed_is_read(each: GiteaTable) -> None:
    numbers = [each.open("ann", f"No. {n}") for n in range(5)]
    settle(each)
    each.forge.look(NOW)
    settle(each, 600)
    each.review("bob", numbers[2], "approve")
    settle(each)
    each.asked()
    each.forge.look(NOW + 5)
    asked = [path for path in each.asked() if f"/{numbers[2]}/" in path or "s/" in path]
    assert {path for path in asked if path.rpartition("/")[2] in ("reviews", "timeline")} <= set(asked)
    assert all(f"/{numbers[2]}/" in path for path in asked if path not in ("GET /issues/comments", "GET /settings/api"))


def test_six_requests_for_a_pull_request_that_changed_and_is_closed(each: GiteaTable) -> None:
    """And the pages of the timeline, of which no server says how many there are; and once, which server it is."""
    numbers = [each.open("ann", f"No. {n}") for n in range(4)]
    settle(each)
    each.forge.look(NOW)
    settle(each, 600)
    for number in numbers:
        each.push("ann", number)
        for n in range(20):
            each.review(f"voter-{n}", number, "approve")
    settle(each)
    each.asked()
    each.forge.look(NOW + 5)
    check = {n: Check(commit=each.head(n), state="failure", summary="No.") for n in numbers}
    each.forge.answer([Answer(pull=n, text="No.", state="closed", settled=True, check=check[n]) for n in numbers])
    asked = each.asked()
    pages = len(numbers) if each.gitea.generation.new else 0
    assert len(set(asked)) <= len(asked) <= 3 + 2 + 6 * len(numbers) + pages
    assert len(set(asked)) <= 3 + 2 + 6 * len(numbers)
    assert sum(path.startswith(("POST", "PATCH")) for path in asked) == 3 * len(numbers)


def test_what_was_merely_answered_is_read_again_by_half_and_hides_nothing(table: GiteaTable) -> None:
    """Whoever says something in the second of the answer must be heard, so what was said is asked for once more."""
    numbers = [table.open("ann", f"No. {n}") for n in range(3)]
    for number in numbers:
        table.review("bob", number, "approve")
    settle(table)
    table.forge.look(NOW)
    table.forge.answer([Answer(pull=number, text="Counted.") for number in numbers])
    late = table.comment("cid", numbers[0], "/vote for")
    table.asked()
    assert remark(table.forge.look(NOW + 5), numbers[0], late)
    asked = [path for path in table.asked() if path.rpartition("/")[2] in ("reviews", "timeline", "comments")]
    assert not any(path.endswith("/timeline") for path in asked)
    assert len(asked) == 2 * len(numbers) + 1
    settle(table)
    said, pushed = table.review("dee", numbers[1], "approve"), table.push("ann", numbers[2])
    seen = table.forge.look(NOW + 10)
    assert remark(seen, numbers[1], said).at == table.gitea.now - 1
    assert pull(seen, numbers[2]).pushes[-1].commit == table.head(numbers[2]), pushed
    assert sum(path.endswith("/timeline") for path in table.asked()) >= 2


@pytest.mark.parametrize("lag", [0, 10, 28])
def test_an_issue_that_the_list_shows_late_is_read_all_the_same(table: GiteaTable, lag: int) -> None:
    number = table.open("ann", "A dragon")
    settle(table)
    table.forge.look(NOW)
    table.gitea.index_lag = lag
    stated = table.state("bob", "Hear me", "Hear me.")
    for step in range(lag + 2):
        table.comment("cid", number, f"No. {step}")  # which moves on up to when all was seen
        seen = table.forge.look(NOW + step)
    assert [issue.number for issue in seen.issues] == [stated]


def test_two_hundred_open_ones_cost_pages_only_at_first(table: GiteaTable) -> None:
    for n in range(120):
        table.open("ann", f"No. {n}")
    settle(table)
    assert len(table.forge.look(NOW).pulls) == 120
    settle(table, 600)
    table.asked()
    table.forge.look(NOW + 900)
    assert table.asked() == ["GET /pulls", "GET /issues", "GET /issues/comments"]


@pytest.mark.parametrize("size", [1, 3, 50])
def test_long_lists_are_read_to_the_end(each: GiteaTable, size: int) -> None:
    each.gitea.pages = size  # whatever is asked for
    numbers = [each.open("ann", f"No. {n}") for n in range(8)]
    texts = [f"Remark {n}" for n in range(10)]
    for text in texts:
        each.comment("bob", numbers[0], text)
    for n in range(7):
        each.review(f"voter-{n}", numbers[1], "approve")
    for n in range(5):
        each.comment("bob", 0, f"Word {n}")
    snapshot = each.forge.look(NOW)
    assert [found.number for found in snapshot.pulls] == numbers
    assert bodies(snapshot, numbers[0]) == texts
    assert len(snapshot.remarks[numbers[1]]) == 7
    assert len(snapshot.remarks[0]) == 5


def test_a_page_that_is_short_because_something_is_hidden_is_not_the_last(each: GiteaTable) -> None:
    each.gitea.pages = 3
    number = each.open("ann", "A dragon")
    for n in range(9):
        name = each.gitea.begin(f"voter-{n}", number)
        if n % 3 or n == 6:
            each.gitea.submit(name, "APPROVED")
    assert len(each.forge.look(NOW).remarks[number]) == 7


def test_comments_on_lines_do_not_hide_what_follows(table: GiteaTable) -> None:
    table.gitea.pages = 3
    number = table.open("ann", "A dragon")
    name = table.gitea.begin("bob", number)
    for n in range(7):
        table.gitea.remark_on_line("bob", name, f"Line {n}")
    table.gitea.now += 900
    table.gitea.submit(name, "REQUEST_CHANGES", "no")
    late = table.gitea.now
    table.comment("cid", number, "/vote for")
    found = table.forge.look(NOW).remarks[number]
    assert {each.body: each.id[0] for each in found} == {
        **{f"Line {n}": "l" for n in range(7)},
        "/vote for": "c",
        "no": "r",
    }
    assert remark(table.forge.look(NOW), number, f"r{name}").at == late


def test_a_review_that_cannot_be_found_in_the_timeline_counts_as_late(table: GiteaTable) -> None:
    table.gitea.pages = 1
    number = table.open("ann", "A dragon")
    name = table.gitea.begin("bob", number)
    for n in range(30):
        table.gitea.remark_on_line("bob", name, f"Line {n}")
    table.gitea.submit(name, "APPROVED")
    table.gitea.now += 900
    table.comment("cid", number, "Hm.")
    assert remark(table.forge.look(NOW), number, f"r{name}").at == table.gitea.now


def test_items_that_the_server_cannot_show_are_passed_over(table: GiteaTable) -> None:
    number = table.open("ann", "A dragon")

    def holes(request: httpx.Request, answering) -> httpx.Response | None:  # type: ignore[no-untyped-def]
        answer = answering()
        if not isinstance(answer.json(), list):
            return None
        headers = {k: v for k, v in answer.headers.items() if k not in ("content-length", "content-type")}
        return httpx.Response(200, headers=headers, json=[None, *answer.json()])

    table.gitea.faults = [holes]
    assert [each.number for each in table.forge.look(NOW).pulls] == [number]


def test_a_deleted_comment_is_noticed_though_it_touches_nothing(each: GiteaTable) -> None:
    number = each.open("ann", "A dragon")
    name = each.comment("bob", number, "/vote for")
    settle(each)
    each.forge.look(NOW)
    settle(each, 600)
    each.delete("bob", number, name)
    assert remark(each.forge.look(NOW + 5), number, name).deleted


def test_an_edited_comment_is_noticed_though_it_touches_nothing_else(each: GiteaTable) -> None:
    number = each.open("ann", "A dragon")
    name = each.comment("bob", number, "/vote for")
    settle(each)
    each.forge.look(NOW)
    settle(each, 600)
    each.edit("bob", number, name, "/vote against")
    seen = remark(each.forge.look(NOW + 5), number, name)
    assert (seen.body, seen.edited) == ("/vote for", True)


def test_a_pull_request_that_the_queue_has_not_come_to_is_waited_for(each: GiteaTable) -> None:
    number = each.open("ann", "A dragon")
    each.gitea.slow[number] = 2
    assert [found.number for found in each.forge.look(NOW).pulls] == [number]
    assert each.slept == [0.1, 0.4]


def test_one_that_takes_longer_is_read_by_the_next_look(each: GiteaTable) -> None:
    slow, quick = each.open("ann", "Slow"), each.open("bob", "Quick")
    each.gitea.slow[slow] = 50
    assert [found.number for found in each.forge.look(NOW).pulls] == [quick]
    each.gitea.slow[slow] = 0
    settle(each, 600)
    assert [found.number for found in each.forge.look(NOW + 5).pulls] == [slow, quick]


@pytest.mark.parametrize(
    ("version", "has"),
    [
        ("1.15.9", False),
        ("1.16.0", True),
        ("1.27.3", True),
        ("7.0.5+gitea-1.21.11", True),
        ("13.0.1", True),
        ("main-nightly", True),
        ("main-nightly", False),
    ],
)
def test_versions(table: GiteaTable, version: str, *, has: bool) -> None:
    """A version that says nothing is found out by trying."""
    table.gitea.generation = Generation(version, "gitea", new=has)
    number = table.open("ann", "A dragon")
    name = table.review("bob", number, "approve")
    table.dismiss("cid", number, name)
    table.comment("cid", number, "Hm.")
    snapshot = table.forge.look(NOW)
    by = remark(snapshot, number, name).dismissed_by
    assert (by and by.handle) == ("cid" if has else "ghost")
    assert bodies(snapshot, number)[-1] == "Hm."
    assert any(path.endswith("/timeline") for path in table.asked()) == (has or version == "main-nightly")


def test_an_update_of_the_server_is_noticed(old: GiteaTable) -> None:
    old.open("ann", "A dragon")
    old.forge.look(NOW)
    old.gitea.generation = FORGEJO
    settle(old, 600)
    number = old.open("bob", "Another")
    name = old.review("cid", number, "approve")
    old.dismiss("dee", number, name)
    by = remark(old.forge.look(NOW + 5), number, name).dismissed_by
    assert by
    assert by.handle == "dee"


# -- people


def test_deleted_accounts_are_nobody(each: GiteaTable) -> None:
    number = each.gitea.open_pull(None, "Mine", "", each.commit())
    each.gitea.comment(None, number, "/vote for")
    each.gitea.review(None, number, "APPROVED")
    snapshot = each.forge.look(NOW)
    people = {pull(snapshot, number).author, *(found.author for found in snapshot.remarks[number])}
    assert {(who.id, who.handle, who.robot) for who in people} == {("", "ghost", False)}


def test_a_renamed_account_stays_the_same_person(each: GiteaTable) -> None:
    number = each.open("ann", "A dragon")
    each.comment("bob", number, "One.")
    each.id_of("bob")
    each.gitea.accounts["robert"] = each.gitea.accounts.pop("bob")
    for event in each.gitea.timeline[number]:
        event["person"] = "robert"
    each.comment("robert", number, "Two.")
    ids = {found.author.id for found in each.forge.look(NOW).remarks[number]}
    assert ids == {each.id_of("robert")}


@pytest.mark.threat("T-13")
def test_a_login_that_somebody_else_took_over_is_somebody_else(each: GiteaTable) -> None:
    number = each.open("ann", "A dragon")
    first = each.comment("bob", number, "One.")
    each.forge.look(NOW)
    each.gitea.accounts["gone"] = each.gitea.accounts.pop("bob")
    each.gitea.said[int(first[1:])]["person"] = "gone"
    second = each.comment("bob", number, "Two.")
    snapshot = each.forge.look(NOW + 5)
    authors = [remark(snapshot, number, name).author for name in (first, second)]
    assert [who.handle for who in authors] == ["bob", "bob"]
    assert authors[0].id != authors[1].id


def test_jobs_are_robots(each: GiteaTable) -> None:
    each.gitea.accounts["forgejo-actions"] = -2
    number = each.open("ann", "Newer things")
    each.comment("forgejo-actions", number, "/vote for")
    (seen,) = each.forge.look(NOW).remarks[number]
    assert seen.author.robot


def test_words_that_were_brought_from_another_forge_are_nobodys(old: GiteaTable) -> None:
    number = old.open("ann", "A dragon")
    name = old.gitea.comment("keeper", number, "/vote for")
    old.gitea.said[name]["original_author"] = "somebody"
    assert remark(old.forge.look(NOW), number, f"c{name}").author.id == ""


# -- our comment, our check, our calls


@pytest.mark.parametrize(("may_ask", "refusal"), [(True, 0), (False, 403), (False, 401)])
def test_our_comment_is_found_by_mark_and_author(table: GiteaTable, refusal: int, *, may_ask: bool) -> None:
    table.gitea.may_ask_who = may_ask
    table.gitea.robot = "keeper" if may_ask else "gitea-actions"
    table.gitea.accounts["gitea-actions"] = -2
    table.gitea.faults = [lambda r, _: httpx.Response(refusal) if refusal and r.url.path.endswith("/user") else None]
    number = table.open("ann", "A dragon")
    table.gitea.comment(table.gitea.robot, number, written("From another time."))
    table.gitea.comment(table.gitea.robot, number, "And a word of my own.")
    snapshot = table.forge.look(NOW)
    assert snapshot.said == {number: "From another time."}
    assert bodies(snapshot, number) == ["And a word of my own."]
    table.forge.answer([Answer(pull=number, text="Now.")])
    assert len(table.gitea.said) == 2


def test_a_check_is_shown_once(each: GiteaTable) -> None:
    number = each.open("ann", "A dragon")
    each.forge.look(NOW)
    check = Check(commit=each.head(number), state="pending", summary="Two votes are missing.")
    answer = Answer(pull=number, text="Open.", check=check)
    each.forge.answer([answer])
    each.forge.answer([answer])
    (status,) = each.gitea.statuses
    assert (status["context"], status["state"], status["description"]) == ("folkmoot", "pending", check.summary)
    assert status["commit"] == each.head(number)
    assert status["target_url"].startswith(f"{HOME}/moot/game/pulls/{number}")


def test_a_check_whose_answer_is_lost_is_not_set_twice(each: GiteaTable) -> None:
    number = each.open("ann", "A dragon")
    each.forge.look(NOW)
    check = Check(commit=each.head(number), state="success", summary="Adopted.")

    def late(request: httpx.Request, answering) -> httpx.Response | None:  # type: ignore[no-untyped-def]
        if "/statuses/" not in request.url.path or request.method != "POST":
            return None
        answering()
        raise httpx.ReadTimeout("late", request=request)

    each.gitea.faults = [late]
    each.forge.answer([Answer(pull=number, text="Adopted.", check=check)])
    assert len(each.gitea.statuses) == 1
    assert any(path.endswith("/statuses") for path in each.asked())


def test_a_call_names_people_as_they_are_called_today_and_is_said_once(each: GiteaTable) -> None:
    number = each.open("ann", "A dragon")
    each.comment("bob", number, "Hm.")
    each.forge.look(NOW)
    bob = each.id_of("bob")
    each.gitea.accounts["robert"] = each.gitea.accounts.pop("bob")
    answer = Answer(pull=number, text="Open.", calls=(Call(key="turn-7", people=(bob, "424242"), text="Your turn."),))
    each.forge.answer([answer])
    each.another().look(NOW + 5)
    each.forge.answer([answer])
    calls = [found["body"] for found in each.gitea.said.values() if call_key(found["body"]) == "turn-7"]
    assert len(calls) == 1
    assert "@robert" in calls[0]
    assert bodies(each.forge.look(NOW + 9), number) == ["Hm."]


# -- what counts when


def test_no_review_of_a_closed_pull_request_can_be_dismissed(table: GiteaTable) -> None:
    number = table.open("ann", "A dragon")
    name = table.review("bob", number, "approve")
    place = f"{API}{PLACE}/pulls/{number}/reviews/{name[1:]}/dismissals"
    with httpx.Client(transport=table.gitea.transport(), headers={"Authorization": f"token {TOKEN}"}) as client:
        assert remark(table.forge.look(NOW), number, name).dismissed_by is None
        table.gitea.close("ann", number)
        assert client.post(place, json={"message": "no"}).status_code == 403
        assert remark(table.forge.look(NOW + 1), number, name).dismissed_by is None
        table.gitea.reopen("ann", number)
        assert client.post(place, json={"message": "no"}).status_code == 200
        assert remark(table.forge.look(NOW + 5), number, name).dismissed_by


@pytest.mark.parametrize("admin", [True, False])
def test_a_pending_review_a_request_and_an_empty_one_are_nothing(each: GiteaTable, *, admin: bool) -> None:
    each.gitea.is_admin = admin  # who sees what is pending
    number = each.open("ann", "A dragon")
    for state, body in (("PENDING", "half"), ("REQUEST_REVIEW", ""), ("COMMENT", ""), ("APPROVE", "a wrong word")):
        each.gitea.review("bob", number, state, body)
    assert number not in each.forge.look(NOW).remarks


def test_a_review_that_was_begun_long_before_came_when_it_was_submitted(table: GiteaTable) -> None:
    """A vote prepared before the deadline and sent after it is late, whatever the server's stamp of it says."""
    number = table.open("ann", "A dragon")
    begun = table.gitea.begin("bob", number)
    table.gitea.now += 5_000
    table.gitea.submit(begun, "APPROVED")
    assert remark(table.forge.look(NOW), number, f"r{begun}").at == table.gitea.now
    assert table.gitea.reviews[begun]["submitted_at"] < table.gitea.now - 4_000


@pytest.mark.parametrize("seen", [True, False])
def test_on_an_old_server_too_as_far_as_it_tells(old: GiteaTable, *, seen: bool) -> None:
    number = old.open("ann", "A dragon")
    begun = old.gitea.begin("bob", number)
    old.gitea.now += 5_000
    old.comment("cid", number, "Nobody has voted yet.")
    if seen:
        old.forge.look(NOW)
    said = old.gitea.now
    old.gitea.now += 500
    old.gitea.submit(begun, "APPROVED")
    at = remark(old.forge.look(NOW + 5), number, f"r{begun}").at
    assert at == (old.gitea.now if seen else said)


def test_what_came_in_the_same_second_is_in_order(each: GiteaTable) -> None:
    """A comment after a review is newer, though both have the same stamp: the latest of somebody's votes counts."""
    number = each.open("ann", "A dragon")
    review = each.review("bob", number, "approve")
    each.gitea.now -= 1
    comment = each.comment("bob", number, "/vote against")
    each.gitea.now -= 1
    again = each.review("bob", number, "approve")
    found = each.forge.look(NOW).remarks[number]
    assert [one.id for one in found] == [review, comment, again]
    assert len({one.at for one in found}) == 1


def test_what_came_in_the_same_second_in_several_places_is_in_order(each: GiteaTable) -> None:
    """The server numbers comments and reviews of all pull requests in one row."""
    one, two = each.open("ann", "A dragon"), each.open("bob", "Two dragons")
    each.forge.look(NOW)
    said = []
    for number in (two, one, two):
        said.append(each.comment("cid", number, "/vote for"))
        each.gitea.now -= 1
    said.append(each.review("dee", one, "approve"))
    found = [fact for fact in facts_of(each.forge.look(NOW + 60), NOW + 600) if fact.kind == "remark"]
    assert [fact.id for fact in found] == said
    assert len({fact.at for fact in found}) == 1


def test_content_pushed_after_a_vote_came_after_it(each: GiteaTable) -> None:
    """Though nobody looked in between: who voted had the other content before them."""
    number = each.open("ann", "A dragon")
    vote = each.comment("bob", number, "/vote for")
    second = each.push("ann", number)
    after = each.comment("cid", number, "/vote for")
    snapshot = each.forge.look(NOW)
    head = pull(snapshot, number).head
    assert head.commit == second
    assert remark(snapshot, number, vote).at < head.at
    if each.gitea.generation.new:
        assert head.at <= remark(snapshot, number, after).at


def test_content_that_nobody_touched_since_counts_from_the_opening(each: GiteaTable) -> None:
    number = each.open("ann", "A dragon")
    opened = each.gitea.now
    each.comment("bob", number, "/vote for")
    each.review("cid", number, "approve")
    assert pull(each.forge.look(NOW), number).head.at == opened


def test_a_fork_that_vanished_from_an_old_server_proves_nothing(old: GiteaTable) -> None:
    number = old.open("ann", "A dragon")
    vote = old.comment("bob", number, "/vote for")
    old.gitea.pulls[number]["fork"] = False
    snapshot = old.forge.look(NOW)
    assert pull(snapshot, number).head.at > remark(snapshot, number, vote).at


@pytest.mark.parametrize("force", [True, False])
def test_a_push_has_a_stamp_and_the_old_head_is_kept(table: GiteaTable, *, force: bool) -> None:
    number = table.open("ann", "A dragon")
    first = table.head(number)
    table.forge.look(NOW)
    other = table.commit() if force else table.commit(first)
    table.gitea.push(number, other, force=force)
    pushed = table.gitea.now
    table.gitea.now += 50
    table.comment("bob", number, "Hm.")
    seen = pull(table.forge.look(NOW + 5), number)
    assert [push.commit for push in seen.pushes] == [first, other]
    assert seen.head.at == pushed
    git(table.hub, "reflog", "expire", "--expire=now", "--all")
    git(table.hub, "gc", "--quiet", "--prune=now")
    fresh = table.another()
    fresh.look(NOW + 9)
    assert first in fresh.refs.repo


def test_a_head_that_came_back_arrived_when_it_came_back(table: GiteaTable) -> None:
    number = table.open("ann", "A dragon")
    first, other = table.head(number), table.commit()
    table.gitea.push(number, other, force=True)
    table.gitea.now += 100
    table.gitea.push(number, first, force=True)
    assert pull(table.forge.look(NOW), number).head.at == table.gitea.now


def test_comments_on_lines_are_read_also_answers_to_them(each: GiteaTable) -> None:
    number = each.open("ann", "A dragon")
    name = each.gitea.begin("bob", number)
    each.gitea.remark_on_line("bob", name, "/vote for")
    each.gitea.submit(name, "COMMENT")
    settle(each)
    assert bodies(each.forge.look(NOW), number) == ["/vote for"]
    settle(each, 600)
    each.gitea.remark_on_line("cid", name, "/vote against")
    snapshot = each.forge.look(NOW + 5)
    assert [(one.body, one.author.handle) for one in snapshot.remarks[number]] == [
        ("/vote for", "bob"),
        ("/vote against", "cid"),
    ]
    settle(each, 600)
    each.comment("dee", number, "Hm.")
    each.asked()
    snapshot = each.forge.look(NOW + 9)
    assert bodies(snapshot, number) == ["/vote for", "/vote against", "Hm."]
    assert not any(one.deleted or one.edited for one in snapshot.remarks[number])
    assert not any("/reviews/" in path for path in each.asked())


# -- what becomes of pull requests


@pytest.mark.parametrize(
    ("title", "draft"), [("WIP: a dragon", True), ("[wip] a dragon", True), ("A WIP: dragon", False), ("Wipe", False)]
)
def test_drafts_are_known_by_their_titles(each: GiteaTable, title: str, *, draft: bool) -> None:
    number = each.gitea.open_pull("ann", title, "", each.commit(), labels=("colour", "game"))
    seen = pull(each.forge.look(NOW), number)
    assert (seen.draft, seen.body, seen.labels) == (draft, "", ("colour", "game"))
    assert seen.link == f"{HOME}/moot/game/pulls/{number}"
    each.gitea.change(number, title="Now", body="Ready.")
    seen = pull(each.forge.look(NOW + 5), number)
    assert (seen.draft, seen.title, seen.body) == (False, "Now", "Ready.")


def test_drafts_are_known_by_what_todays_servers_say(table: GiteaTable) -> None:
    number = table.gitea.open_pull("ann", "Brouillon : un dragon", "", table.commit(), draft=True)
    assert pull(table.forge.look(NOW), number).draft


def adopted(table: GiteaTable) -> tuple[int, Answer]:
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    head = table.head(number)
    before, after = table.played((head,))
    assert table.forge.publish(before, after)
    return number, Answer(pull=number, text="Adopted.", state="merged", commit=after, head=head, settled=True)


def test_a_pushed_merge_is_shown_as_one_after_a_while(each: GiteaTable) -> None:
    each.gitea.lag = 3
    number, answer = adopted(each)
    each.forge.answer([answer])
    assert each.gitea.pulls[number]["merged_at"]
    assert each.slept
    assert each.forge.look(NOW + 5).pulls == ()


def test_where_the_server_does_not_follow_it_is_closed_and_says_why(each: GiteaTable) -> None:
    each.gitea.settings |= {"autodetect_manual_merge": False, "allow_manual_merge": False}
    number, answer = adopted(each)
    each.forge.answer([answer])
    waits = [] if each.gitea.generation is GITEA else [0.5, 1.0, 2.0, 4.0]  # the only one that tells its settings
    assert each.slept == waits
    assert each.gitea.pulls[number]["state"] == "closed"
    assert not each.gitea.pulls[number]["merged_at"]
    (body,) = [found["body"] for found in each.gitea.said.values()]
    assert said(body) == "Adopted."
    assert f"{HOME}/moot/game/commit/{answer.commit}" in body
    assert each.forge.look(NOW + 5).pulls == ()
    each.asked()
    each.forge.answer([answer])
    assert each.asked() == []
    later = replace(answer, text="Adopted, and somebody took back their vote.")
    for forge in (each.another(), each.forge):  # whoever edits it, the link stays
        forge.answer([later])
        (body,) = [found["body"] for found in each.gitea.said.values()]
        assert said(body) == later.text
        assert f"{HOME}/moot/game/commit/{answer.commit}" in body


def test_where_the_server_does_not_notice_a_merge_it_is_told(each: GiteaTable) -> None:
    """As where its database was busy when the branch was pushed: it was shown as closed, though it was adopted."""
    each.gitea.settings["autodetect_manual_merge"] = False
    number, answer = adopted(each)
    each.forge.answer([answer])
    pull = each.gitea.pulls[number]
    assert (bool(pull["merged_at"]), pull["merge_commit_sha"]) == (True, answer.commit)
    (body,) = [found["body"] for found in each.gitea.said.values()]
    assert said(body) == "Adopted."
    assert "Merged by" not in body
    each.asked()
    each.forge.answer([answer])
    assert each.asked() == []
    assert each.forge.look(NOW + 5).pulls == ()


def test_settings_take_effect_only_together(table: GiteaTable) -> None:
    """The recorded trap: without `has_pull_requests` in the same request the other two are ignored."""
    off = {"allow_manual_merge": False, "autodetect_manual_merge": False}
    table.gitea.settings |= off
    on = {"allow_manual_merge": True, "autodetect_manual_merge": True}
    place = "repos/moot/game"
    table.forge.client.write("PATCH", place, on)
    assert table.gitea.settings == off
    assert not table.forge.reading.follows()
    table.forge.client.write("PATCH", place, {"has_pull_requests": True, **on})
    table.forge.look(NOW)
    assert table.forge.reading.follows()


def test_one_that_is_merged_while_we_close_it(each: GiteaTable) -> None:
    """The server refuses to close it, and it is closed: nothing is wrong."""
    number = each.open("ann", "A dragon")
    each.forge.look(NOW)
    each.gitea.pulls[number] |= {"state": "closed", "merged_at": each.gitea.now}
    each.forge.answer([Answer(pull=number, text="No.", state="closed", settled=True)])


# -- issues


def test_statements_without_git(each: GiteaTable) -> None:
    each.gitea.open_issue("eve", "A bug")
    number = each.gitea.open_issue("ann", "I pass", ("game",), "/do pass")
    each.comment("bob", number, "So do I.")
    (issue,) = each.forge.look(NOW).issues
    assert (issue.number, issue.title, issue.author.handle) == (number, "I pass", "ann")
    assert bodies(each.forge.look(NOW + 5), number) == ["/do pass", "So do I."]
    each.forge.answer([Answer(pull=number, text="Passed.", state="closed", settled=True)])
    assert each.gitea.issues[number]["state"] == "closed"
    assert each.forge.look(NOW + 9).issues == ()


def test_a_label_that_the_repository_lacks_makes_no_statement_of_all_issues(each: GiteaTable) -> None:
    each.gitea.issues[each.thread]["labels"] = ()
    each.gitea.open_issue("eve", "A bug", (), "/do pass")
    snapshot = each.forge.look(NOW)
    assert (snapshot.issues, dict(snapshot.remarks)) == ((), {})


def test_an_issue_that_is_labelled_later_was_stated_then(each: GiteaTable) -> None:
    number = each.gitea.open_issue("ann", "I pass", (), "/do pass")
    each.forge.look(NOW)
    settle(each, 600)
    each.gitea.label(number, "game")
    snapshot = each.forge.look(NOW + 5)
    assert snapshot.remarks[number][0].at == each.gitea.now
    assert snapshot.issues[0].opened_at == (each.gitea.now if each.gitea.generation.new else each.gitea.now - 601)


# -- the forge


@pytest.mark.parametrize(
    "name", ["moot", "moot/game/more", "../game", "moot/..", "moot/game?x=1", "moot/ga me", "/game"]
)
def test_odd_names_of_repositories_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ProblemError, match="no name of a repository"):
        GiteaForge(bare(tmp_path), API, HOME, name, TOKEN)
