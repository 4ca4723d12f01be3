"""The content of a pull request: what it proposes, and what nobody may bring."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.referee.content import Content, read_content, split_requests
from tests.referee.forest import LAW, Forest, game, with_files

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


def test_a_new_file_enacts_under_any_name(reads: Callable[..., Content]) -> None:
    found = only(reads({"state/toy/rules/sub/my dragon.yaml": DRAGON}))
    assert found.game == "toy"
    assert found.changes == ({"enact": {"title": "Dragon", "text": "There is a dragon.\n", "source": DRAGON}},)
    assert found.files == ("state/toy/rules/sub/my dragon.yaml",)


def test_a_changed_file_amends_only_what_differs(reads: Callable[..., Content]) -> None:
    text = LAW["203"].replace("Everybody has", "Everybody has half")
    (change,) = only(reads(**{"203": text})).changes
    assert change == {"amend": "203", "text": "Everybody has half a vote.\n", "source": text}


def test_a_part_that_its_author_took_away_is_amended_to_nothing(reads: Callable[..., Content]) -> None:
    text = LAW["203"].partition("script:")[0]
    (change,) = only(reads(**{"203": text})).changes
    assert change == {"amend": "203", "script": "", "source": text}


def test_another_status_alone_transmutes(reads: Callable[..., Content]) -> None:
    text = LAW["203"].replace("mutable", "immutable")
    (change,) = only(reads(**{"203": text})).changes
    assert change == {"transmute": "203", "to": "immutable", "source": text}


def test_another_title_alone_retitles(reads: Callable[..., Content]) -> None:
    text = LAW["203"].replace("Votes", "Suffrage")
    assert only(reads(**{"203": text})).changes == ({"retitle": "203", "to": "Suffrage", "source": text},)


def test_nobody_transmutes_by_amending(reads: Callable[..., Content]) -> None:
    text = LAW["203"].replace("{status: mutable}", "{status: immutable, power: '2'}").replace("has a", "has no")
    found = only(reads(**{"203": text}))
    assert found.changes == (
        {
            "amend": "203",
            "labels": {"power": "2", "status": "mutable"},
            "text": "Everybody has no vote.\n",
            "source": text,
        },
        {"transmute": "203", "to": "immutable", "source": text},
    )
    assert len(found.files) == 2


def test_a_file_taken_away_repeals(reads: Callable[..., Content]) -> None:
    assert only(reads(**{"203": None})).changes == ({"repeal": "203"},)


def test_a_comment_alone_is_an_amendment(reads: Callable[..., Content]) -> None:
    text = LAW["101"].replace("the oldest", "the very oldest")
    assert only(reads(**{"101": text})).changes == ({"amend": "101", "source": text},)


def test_changes_stand_in_the_order_of_their_files_as_people_count(reads: Callable[..., Content]) -> None:
    files = {f"state/toy/rules/{name}.yaml": DRAGON for name in ("n-10", "n-9", "9", "10")}
    assert [Path(file).stem for file in only(reads(files)).files] == ["9", "10", "n-9", "n-10"]


def test_files_of_the_inbox_are_acts(reads: Callable[..., Content]) -> None:
    found = only(
        reads(
            {
                "state/toy/inbox/1.yaml": "do: move\nargs: {to: c4}\nas: scribe\n",
                "state/toy/inbox/2.yaml": "vote: for\nproposal: 305\n",
            }
        )
    )
    assert [(act.do, act.args, act.as_) for act in found.acts] == [
        ("move", {"to": "c4"}, "scribe"), ("vote", {"choice": "for", "proposal": 305}, None)
    ]  # fmt: skip


def test_requests_travel_only_with_changes_and_in_nobodys_office(reads: Callable[..., Content]) -> None:
    acts = {
        "state/toy/inbox/1.yaml": "do: retool\nargs: {section: 1}\n",
        "state/toy/inbox/2.yaml": "do: retool\nas: tie\n",
        "state/toy/inbox/3.yaml": "do: move\n",
    }
    declared = {"retool": {"travels": "with_proposal"}, "move": {}}
    requests, rest = split_requests(only(reads({**acts, "state/toy/rules/x.yaml": DRAGON})), declared)
    assert requests == [{"name": "retool", "args": {"section": 1}}]
    assert [act.file for act in rest] == ["state/toy/inbox/2.yaml", "state/toy/inbox/3.yaml"]
    requests, rest = split_requests(only(reads(acts)), declared)
    assert (requests, len(rest)) == ([], 3)
