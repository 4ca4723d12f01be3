"""Previews: a pull request's redline, what the law says of it, and what it would do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from folkmoot.game.session import Session
from folkmoot.referee.comment import as_voted
from folkmoot.referee.content import GameContent, read_content
from folkmoot.referee.preview import Preview, check_changes, preview, proposed
from folkmoot.sandbox.client import Sandbox
from tests.support.bench import found
from tests.support.forest import Files, Forest, with_files
from tests.support.table import START, VOTING, rule

TAXES = rule(
    "7",
    """
    def on_proposal_adopted(e):
        award(e.proposal.author, "score", 10)
    def decide_may_change(p, c):
        if c.rule != None and c.rule.uid == "900":
            return refuse("E-TARGET", "voting stays")
    """,
    labels={"status": "mutable"},
    defines={"currencies": {"score": {}}},
)
GIVEN = {
    "title": "Toy", "rules": [VOTING, TAXES], "players": [{"id": "ann"}, {"id": "bob"}], "administrators": ["root"],
}  # fmt: skip
RULES = "state/toy/rules"
Sees = Callable[..., Preview]


def files_of(folder: Path) -> Files:
    return {path.name.encode(): files_of(path) if path.is_dir() else path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[Session]:
    folder = tmp_path / "state" / "toy"
    assert Session.found(folder, GIVEN, START).accepted
    with Session.open(folder) as session:
        yield session


@pytest.fixture
def sees(toy: Session, tmp_path: Path) -> Sees:
    """Preview a pull request that brings files."""
    forest = Forest(tmp_path / "repo.git")
    base = {b"state": {b"toy": files_of(tmp_path / "state" / "toy")}}
    main = forest.commit(base)

    def see(added: dict[str, Any], author: str | None = "ann", at: int = START) -> Preview:
        content = read_content(forest.repo, main, forest.commit(with_files(base, added), main))
        assert content.problems == ()
        before = dict(toy.sandbox.documents())
        seen = preview(toy, content.games[0], "A title", author, at)
        assert dict(toy.sandbox.documents()) == before
        return seen

    return see


def test_a_preview_shows_redline_law_and_effects(sees: Sees) -> None:
    seen = sees(
        {
            f"{RULES}/dragon.yaml": "title: Dragon\ntext: |\n  Roar.\nactions: {roar: {summary: Roar}}\nscript: |\n  def do_roar(a):\n      pass\n"
        }
    )
    (change,) = seen.changes
    assert (change.head, change.title, change.file) == ("enacts a new rule", "Dragon", f"{RULES}/dragon.yaml")
    assert dict(change.parts)["text"] == ("+ Roar.",)
    assert (seen.proper.ok, seen.adopted) == (True, True)
    assert seen.proposing is not None
    assert seen.proposing.ok
    assert seen.effects == ("Enacted rule 901", "ann +10 score by rule 7")
    assert (seen.new_actions, seen.failures, seen.problems, seen.locked_out, seen.died) == (("roar",), (), (), "", "")


def test_a_preview_says_why_not_and_which_rule_says_so(sees: Sees) -> None:
    seen = sees({f"{RULES}/900.yaml": None})
    assert (seen.proper.ok, seen.proper.code, seen.proper.why, seen.proper.rule) == (
        False,
        "E-TARGET",
        "voting stays",
        "7",
    )
    assert seen.remarks == (), "and says it once"
    stranger = sees({f"{RULES}/x.yaml": "title: X\n"}, author=None)
    assert (stranger.proposing, stranger.proper.ok, stranger.effects[0]) == (None, True, "Enacted rule 901")


EXAMPLES = "title: X\nscript: |\n  def on_x(e):\n      pass\nexamples:\n  - scenario: howling\n    steps: [{by: ann, do: howl}]\n"


def test_scripts_and_examples_of_the_changed_rules_are_checked_at_their_place(sees: Sees) -> None:
    seen = sees({f"{RULES}/x.yaml": EXAMPLES})
    assert [(p.code, str(p.position)) for p in seen.problems] == [
        ("W-SCRIPT", f"{RULES}/x.yaml:3:7"),
        ("E-EXAMPLE", f"{RULES}/x.yaml:6:5"),
    ]


def test_examples_may_use_what_the_same_pull_request_brings(sees: Sees) -> None:
    howl = "title: Howl\nactions: {howl: {summary: Howl}}\nscript: |\n  def do_howl(a):\n      pass\n"
    seen = sees(
        {f"{RULES}/x.yaml": EXAMPLES.replace("script: |\n  def on_x(e):\n      pass\n", ""), f"{RULES}/y.yaml": howl}
    )
    assert seen.problems == ()


@pytest.mark.process
def test_a_script_that_kills_the_judge_is_told_and_the_next_preview_works(sees: Sees) -> None:
    seen = sees(
        {
            f"{RULES}/x.yaml": "title: X\nscript: |\n  def on_rule_enacted(e):\n      x = ['a' * 100000] * 1000000 * 1000\n"
        }
    )
    assert seen.died.startswith("the sandbox ended by SIG")
    assert (seen.proper.ok, seen.proper.code, seen.effects) == (False, "E-JUDGE", ())
    assert sees({f"{RULES}/x.yaml": "title: X\n"}).adopted


def test_an_amended_rule_is_shown_against_the_one_in_force(sees: Sees, toy: Session) -> None:
    path = f"{RULES}/7.yaml"
    text = 'rule: "7"\nuid: "7"\ntitle: Taxes\nlabels: {status: immutable}\n'
    amended, transmuted = sees({path: text}).changes
    assert (amended.head, transmuted.head, amended.stale) == ("amends rule 7", "transmutes rule 7", False)
    assert dict(transmuted.parts)["labels"] == ("- status: mutable", "+ status: immutable")
    assert dict(amended.parts)["script"][0] == "- def on_proposal_adopted(e):"


# -- without files


class Shown:
    """A session as far as checks of changes ask it."""

    def law(self) -> dict[str, Any]:
        return {"rules": [{**VOTING}, rule("4", "", title="Plain")]}

    def kept(self, _key: str) -> dict[str, Any]:
        return {}


def test_every_kind_of_change_that_an_act_brings_is_checked_without_its_file() -> None:
    changes: list[dict[str, Any]] = [
        {"kind": "transmute", "rule": "4", "to": "mutable"},
        {"kind": "retitle", "rule": "4", "parts": {"title": "Plainer"}},
        {"kind": "repeal", "rule": "4"},
        {"kind": "amend", "rule": "4", "parts": {"text": "Else."}},
        {"kind": "enact", "rule": None, "parts": {"title": "New", "text": "New."}},
    ]
    with Sandbox() as judge:
        found(judge, VOTING)
        for each in changes:
            given = [(change, "as it is voted on") for change in proposed({"changes": [each]})]
            problems = check_changes(judge, Shown(), given)  # type: ignore[arg-type]
            assert [problem for problem in problems if problem.code.startswith("E-")] == []


def test_what_is_shown_is_what_is_voted_on() -> None:
    """A pull request's files may say one thing and the final form, given by an act, another."""
    new = {"title": "Toploop", "text": "x", "script": "y"}
    brought = GameContent(game="g", changes=({"enact": new},), acts=(), files=("a.yaml",), stale=(), digest="")
    same = {"outcome": None, "changes": [{"kind": "enact", "rule": None, "parts": new}]}
    other = {"outcome": None, "changes": [{"kind": "amend", "rule": "203", "parts": {"text": "All power to cid."}}]}
    for proposal in (same, None, {**other, "outcome": "adopted"}):
        assert as_voted(brought, proposal) == brought
    (shown,) = as_voted(brought, other).changes
    assert (shown["amend"], shown["text"]) == ("203", "All power to cid.")
