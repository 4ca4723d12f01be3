"""The content of a pull request: what it proposes, and when it is the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygit2
import pytest

from folkmoot.referee.content import Content, acts_apart, read_content
from tests.support.forest import LAW, Forest, game, with_files

DRAGON = "title: Dragon\ntext: |\n  There is a dragon.\n"


@pytest.fixture
def forest(tmp_path: Path) -> Forest:
    return Forest(tmp_path / "repo.git")


@pytest.fixture
def reads(forest: Forest) -> Callable[..., Content]:
    """Read a pull request that brings files (by path; None takes one away) to a small game."""

    def read(added: dict[str, Any] | None = None, **rules: str | None) -> Content:
        main = forest.commit(game())
        head = forest.commit(with_files(game(**rules), added or {}), main)
        return read_content(forest.repo, main, head)

    return read


def only(content: Content) -> Any:
    assert content.problems == ()
    (one,) = content.games
    return one


# -- what it proposes


def test_a_new_file_enacts_under_any_name_and_whatever_its_line_ends(reads: Callable[..., Content]) -> None:
    found = only(reads({"state/toy/rules/sub/my dragon.yaml": DRAGON}))
    assert found.game == "toy"
    assert found.changes == ({"enact": {"title": "Dragon", "text": "There is a dragon.\n", "source": DRAGON}},)
    assert found.files == ("state/toy/rules/sub/my dragon.yaml",)
    other = only(reads({"state/toy/rules/x.yaml": DRAGON.replace("\n", "\r\n")}))
    assert (other.digest, other.changes) == (found.digest, found.changes)


VOTES, OLDEST = LAW["203"], LAW["101"]
CHANGED: dict[str, tuple[str, dict[str, Any]]] = {
    "a word": (VOTES.replace("has a", "has half a"), {"amend": "203", "text": "Everybody has half a vote.\n"}),
    "a part less": (VOTES.partition("script:")[0], {"amend": "203", "script": ""}),
    "its status": (VOTES.replace("mutable", "immutable"), {"transmute": "203", "to": "immutable"}),
    "its title": (VOTES.replace("Votes", "Suffrage"), {"retitle": "203", "to": "Suffrage"}),
    "a comment": (OLDEST.replace("the oldest", "the very oldest"), {"amend": "101"}),
}


@pytest.mark.parametrize("what", CHANGED)
def test_a_changed_file_changes_only_what_differs(reads: Callable[..., Content], what: str) -> None:
    text, change = CHANGED[what]
    assert only(reads(**{"101" if text[7:10] == "101" else "203": text})).changes == ({**change, "source": text},)


def test_nobody_transmutes_by_amending(reads: Callable[..., Content]) -> None:
    text = VOTES.replace("{status: mutable}", "{status: immutable, power: '2'}").replace("has a", "has no")
    found = only(reads(**{"203": text}))
    labels = {"power": "2", "status": "mutable"}
    amended = {"amend": "203", "labels": labels, "text": "Everybody has no vote.\n", "source": text}
    assert found.changes == (amended, {"transmute": "203", "to": "immutable", "source": text})
    assert len(found.files) == 2


def test_a_file_taken_away_repeals_and_an_act_taken_away_is_none(reads: Callable[..., Content], forest: Forest) -> None:
    assert only(reads(**{"203": None})).changes == ({"repeal": "203"},)
    main = forest.commit(with_files(game(), {"state/toy/inbox/1.yaml": "do: move\n"}))
    content = read_content(forest.repo, main, forest.commit(game(), main))
    assert (content.games, content.problems) == ((), ())


def test_changes_stand_in_the_order_of_their_files_as_people_count(reads: Callable[..., Content]) -> None:
    files = {f"state/toy/rules/{name}.yaml": DRAGON for name in ("n-10", "n-9", "9", "10")}
    assert [Path(file).stem for file in only(reads(files)).files] == ["9", "10", "n-9", "n-10"]


def test_files_of_the_inbox_are_acts_of_whoever_opens_the_pull_request(reads: Callable[..., Content]) -> None:
    inbox = {"1": "do: move\nargs: {to: c4}\nas: scribe\n", "2": "vote: for\nproposal: 305\n"}
    found = only(reads({f"state/toy/inbox/{name}.yaml": text for name, text in inbox.items()}))
    voted = ("vote", {"choice": "for", "proposal": 305}, None)
    assert [(act.do, act.args, act.as_) for act in found.acts] == [("move", {"to": "c4"}, "scribe"), voted]
    (problem,) = reads({"state/toy/inbox/1.yaml": "do: move\nby: bob\n"}).problems
    assert str(problem).startswith("state/toy/inbox/1.yaml:2:1: E-CONFLICT: whoever opens the pull request acts")


def test_requests_travel_only_with_changes_and_in_nobodys_office(reads: Callable[..., Content]) -> None:
    acts = {
        "state/toy/inbox/1.yaml": "do: retool\nargs: {section: 1}\n",
        "state/toy/inbox/2.yaml": "do: retool\nas: tie\n",
        "state/toy/inbox/3.yaml": "do: move\n",
    }
    declared: Any = {"retool": {"travels": "with_proposal"}, "move": {}}
    requests, rest = acts_apart(only(reads({**acts, "state/toy/rules/x.yaml": DRAGON})), declared)
    assert requests == [{"name": "retool", "args": {"section": 1}}]
    assert [act.file for act in rest] == ["state/toy/inbox/2.yaml", "state/toy/inbox/3.yaml"]
    requests, rest = acts_apart(only(reads(acts)), declared)
    assert (requests, len(rest)) == ([], 3)


def test_several_games_are_told_apart(forest: Forest) -> None:
    two = with_files(
        game(), {"state/other/head.yaml": "seq: 1\n", "state/other/rules/7.yaml": 'rule: "7"\nuid: "7"\ntitle: X\n'}
    )
    main = forest.commit(two)
    head = forest.commit(with_files(two, {"state/other/rules/7.yaml": None, "state/toy/rules/x.yaml": DRAGON}), main)
    content = read_content(forest.repo, main, head)
    assert [(g.game, [next(iter(c)) for c in g.changes]) for g in content.games] == [
        ("other", ["repeal"]),
        ("toy", ["enact"]),
    ]
    assert len({g.digest for g in content.games} | {content.digest}) == 3


def test_every_problem_of_every_file_is_told_at_once(reads: Callable[..., Content]) -> None:
    content = reads({
        "state/toy/rules/a.yaml": "titel: X\nlabels: 7\n",
        "state/toy/rules/b.yaml": "title: [unclosed\n",
        "state/toy/inbox/c.yaml": "args: {}\n",
        "state/toy/rules/good.yaml": DRAGON,
    })  # fmt: skip
    assert [str(problem.position) for problem in content.problems] == [
        "state/toy/inbox/c.yaml:1:1", "state/toy/rules/a.yaml:1:1", "state/toy/rules/a.yaml:1:1",
        "state/toy/rules/a.yaml:2:9", "state/toy/rules/b.yaml:2:1",
    ]  # fmt: skip
    assert content.games == ()


# -- what the engine gives is not for others to give


def test_number_and_uid_are_the_engines(reads: Callable[..., Content]) -> None:
    for old, new, place, hint in (
        ('rule: "203"', 'rule: "204"', 1, 'write `rule: "203"` again'),
        ('uid: "203"', 'uid: "101"', 2, 'write `uid: "203"` again'),
        ('uid: "203"\n', "", 1, 'write `uid: "203"` again'),
    ):
        (problem,) = reads(**{"203": VOTES.replace(old, new)}).problems
        where = f"state/toy/rules/203.yaml:{place}:1"
        assert (problem.code, str(problem.position), problem.hint) == ("E-CONFLICT", where, hint)
    moved = "state/toy/rules/moved.yaml"  # or copied
    problems = reads({moved: VOTES}, **{"203": None}).problems
    assert [(p.code, str(p.position)) for p in problems] == [("E-CONFLICT", f"{moved}:{n}:1") for n in (1, 2)]


def test_a_branch_of_anothers_branch_may_not_change_what_is_no_rule_yet(forest: Forest) -> None:
    root = forest.commit(game())
    first = forest.commit(with_files(game(), {"state/toy/rules/dragon.yaml": DRAGON}), root)
    adopted = 'rule: "301"\nuid: "301"\n' + DRAGON
    main = forest.commit(with_files(game(), {"state/toy/rules/301.yaml": adopted}), root, first)
    changed = with_files(game(), {"state/toy/rules/dragon.yaml": DRAGON.replace("a dragon", "no dragon")})
    (problem,) = read_content(forest.repo, main, forest.commit(changed, first)).problems
    assert (problem.code, problem.hint) == ("E-TARGET", "merge the game's branch into yours")
    content = read_content(forest.repo, main, forest.commit(game(), first))
    assert (content.base, content.games, content.problems) == (first, (), ())


# -- rules that the game has changed since


def test_a_change_stays_relative_to_where_the_branch_left_and_says_that_the_rule_moved_on(forest: Forest) -> None:
    base = forest.commit(game())
    text = VOTES.replace("Everybody", "Nobody")
    main = forest.commit(game(**{"203": VOTES.replace("Votes", "Suffrage")}), base)
    found = only(read_content(forest.repo, main, forest.commit(game(**{"203": text}), base)))
    assert found.changes == ({"amend": "203", "text": "Nobody has a vote.\n", "source": text},)
    assert found.stale == ("203",)
    repealed = forest.commit(game(**{"203": None}), base)
    head = forest.commit(game(**{"203": None, "101": OLDEST.replace("obeys", "obey")}), base)
    found = only(read_content(forest.repo, repealed, head))
    assert (found.changes[1], found.stale) == ({"repeal": "203"}, ("203",))


# -- the digest


def test_the_digest_is_that_of_the_content_and_outlives_a_merge_and_a_rebase(forest: Forest) -> None:
    """The branch has gone on, in another part of the very rule that the head changes."""
    base = forest.commit(game())
    elsewhere = {
        "203": VOTES.replace("title: Votes", "title: Suffrage"),
        "302": 'rule: "302"\nuid: "302"\ntitle: New\n',
    }
    main = forest.commit(with_files(game(**elsewhere), {"README.md": "Goodbye\n"}), base, at=9)
    added = {"state/toy/rules/x.yaml": DRAGON, "state/toy/inbox/1.yaml": "do: go\n"}
    changed = with_files(game(**{"203": VOTES.replace("return 1", "return 2  # twice")}), added)
    head = forest.commit(changed, base)
    before = read_content(forest.repo, main, head)
    index = forest.repo.merge_trees(*(forest.repo[pygit2.Oid(hex=name)].tree for name in (base, main, head)))
    assert not index.conflicts
    tree = index.write_tree(forest.repo)
    for after in (forest.commit(tree, head, main, at=20), forest.commit(tree, main, at=20)):
        content = read_content(forest.repo, main, after)
        assert content.base == main
        assert (content.digest, content.games[0].digest) == (before.digest, before.games[0].digest)
        assert content.games[0].changes != before.games[0].changes  # the file's text holds the new title now
        assert (before.games[0].stale, content.games[0].stale) == (("203",), ())
    twice = forest.commit(changed, forest.commit(game(), base, at=3), at=4)
    assert read_content(forest.repo, main, twice).digest == before.digest


DIGESTED: list[dict[str, Any]] = [
    {},
    {"state/toy/rules/x.yaml": DRAGON},
    {"state/toy/rules/x.yaml": DRAGON + "# a comment\n"},
    {"state/toy/rules/203.yaml": None},
    {"state/toy/rules/203.yaml": VOTES.replace("title: Votes", "title: Suffrage")},
    {"state/toy/rules/203.yaml": VOTES.replace("title: Votes", "title: Suffrage  # so called")},
    {"state/toy/rules/203.yaml": VOTES.replace("status: mutable", "status: immutable")},
    {"state/toy/rules/203.yaml": VOTES.replace("status: mutable}", "status: immutable}  # for ever")},
    {"state/toy/rules/203.yaml": VOTES + "# hidden\n"},
    {"state/toy/rules/203.yaml": VOTES.replace("script:", "# hidden\nscript:")},
    {"state/toy/inbox/1.yaml": "do: go\n"},
    {"state/toy/inbox/1.yaml": "do: go\nas: scribe\n"},
    {"state/toy/inbox/1.yaml": "do: go\n", "state/toy/rules/x.yaml": DRAGON},
]


def test_every_other_content_has_another_digest(reads: Callable[..., Content]) -> None:
    contents = [reads(files) for files in DIGESTED]
    assert not [content.problems for content in contents if content.problems]
    assert len({content.digest for content in contents}) == len(DIGESTED)
    lines = reads(**{"203": VOTES.replace("\n", "\r\n")})  # whose ends alone change nothing
    assert (lines.touches_game, lines.games, lines.problems) == (True, (), ())
