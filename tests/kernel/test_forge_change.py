"""A game goes to another forge: who is who there, what goes on where, and numbers of one forge are none of another's."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core.game_location import left_from
from folkmoot.core.keys import facts_key, forge_kind, forge_stay, place_here, pull_here
from tests.conftest import examples
from tests.support.table import VOTING, Found, Table

CODEBERG, OWN = "https://codeberg.org/ann/club", "https://git.example/ann/club"
HUB = "https://github.com/ann/club"
HEAD, DIGEST = "ab" * 20, "cd" * 32
TEA = [{"enact": {"title": "Tea", "text": "There is tea."}}]


def by_pull(table: Table, pull: int, fact: str) -> dict[str, Any]:
    """Return by which fact of a pull request something comes where the game is played now."""
    return {**place_here(table.document("game"), "local"), "pull": pull, "fact": fact, "head": HEAD, "digest": DIGEST}


def proposed(table: Table, pull: int, fact: str = "p") -> str:
    """Let ann propose by a pull request; return the proposal's id."""
    outcome = table.judge("propose", "ann", {"title": "Tea", "changes": TEA}, via=by_pull(table, pull, fact))
    assert outcome.accepted, outcome.reasons
    return str(table.document("game")["open"][-1])


def place(pull: int) -> dict[str, Any]:
    return {"pull": pull, "head": HEAD, "digest": DIGEST}


def met(found: Found) -> Table:
    """Return a game on plain git, in which ann has proposed by pull request 7 and bob has voted."""
    table = found(VOTING, forge="local")
    identifier = proposed(table, 7)
    table.ok("bob", "vote", proposal=identifier.partition("/")[2], choice="for")
    return table


def test_only_administrators_move_a_game_and_only_where_that_says_something(found: Found) -> None:
    table = found(VOTING, forge="local")
    assert table.refused("ann", "change_forge", forge="github", home=HUB) == "E-NOT-ADMINISTRATOR"
    for given_ in ({"forge": "local"}, {"forge": "github"}, {"forge": "Git!", "home": HUB}):
        assert table.refused("root", "change_forge", **given_) == "E-ARGS"
    assert table.refused("root", "rehouse", places={}) == "E-ORDER"
    table.ok("root", "change_forge", forge="github", home=HUB)
    assert table.refused("root", "change_forge", forge="github", home=HUB) == "E-DUP"
    assert found(VOTING).refused("root", "change_forge", forge="github", home=HUB) == "E-ORDER"


NO_ACCOUNTS = (
    [],
    *({"ann": each} for each in ("annabel", {"login": "annabel"}, {"id": "x" * 300}, {"id": "1", "key": "y"})),
)
NOBODY = (({"zed": {"id": "1"}}, "E-NO-SUCH"), ({"ann": {"id": "1"}, "bob": {"id": "1"}}, "E-DUP"))


@pytest.mark.parametrize(("accounts", "code"), [*((each, "E-ARGS") for each in NO_ACCOUNTS), *NOBODY])
def test_accounts_that_mean_nobody_are_refused(found: Found, accounts: Any, code: str) -> None:
    table = found(VOTING, forge="local")
    assert table.refused("root", "change_forge", forge="github", home=HUB, accounts=accounts) == code
    assert table.document("game")["forge"] == "local"


def test_each_proposal_gets_one_place_and_each_place_one_proposal(found: Found) -> None:
    table = met(found)
    proposed(table, 8, "q")
    table.ok("root", "change_forge", forge="github", home=HUB)
    one = {"proposal/901": place(1)}
    both = {**one, "proposal/902": place(2)}
    for second in ({}, {"proposal/902": place(1)}, {"proposal/902": {**place(2), "head": "HEAD"}}):
        assert table.refused("root", "rehouse", places={**one, **second}) == "E-ARGS"
    assert table.refused("root", "change_forge", forge="gitea", home=OWN) == "E-ORDER"
    table.ok("root", "rehouse", places={**both, "proposal/902": None})
    assert table.document("proposals/900/902")["via"]["forge"] == "local"
    assert table.refused("root", "rehouse", places=both) == "E-ORDER"


@pytest.mark.threat("T-99")
def test_numbers_of_accounts_mean_nobody_on_another_host(found: Found) -> None:
    table = found(VOTING, forge={"kind": "gitea", "home": CODEBERG}, maintainers=["gitea:5", "github:6", "ann"])
    for number, who in enumerate(("ann", "bob", "cid"), 1):
        table.ok("root", "identify", player=who, forge="gitea", id=str(number), login=who)
    table.judge("join", "dan", {}, via={**by_pull(table, 4, "j"), "person": {"id": "9", "login": "dan"}})
    table.ok("root", "change_forge", forge="gitea", home=OWN, accounts={"bob": {"id": "1", "login": "bobby"}})
    roster = table.document("roster")
    assert {who: entry.get("handles") for who, entry in roster.items() if entry.get("handles")} == {
        "bob": {"gitea": {"id": "1", "login": "bobby"}}
    }
    assert table.document("game")["maintainers"] == ["github:6", "ann"]
    assert forge_stay(table.document("game")) == 1


HOMES = {"local": None, "github": HUB, "gitea": CODEBERG}
STEP = st.one_of(
    st.tuples(st.just("propose"), st.integers(1, 3)),
    st.tuples(st.just("say"), st.integers(1, 3)),
    st.tuples(st.just("move"), st.sampled_from(("local", "github", "gitea"))),
)


@pytest.mark.threat("T-99")
@settings(max_examples=examples(40), deadline=None)
@given(steps=st.lists(STEP, min_size=2, max_size=9))
def test_a_number_of_one_forge_is_never_taken_for_that_of_another(steps: list[tuple[str, Any]]) -> None:
    """Whatever numbers meet: what was said and proposed in a pull request is found in that one and in no other."""
    table = Table(VOTING, forge="local")
    stay, model = 0, {}  # type: tuple[int, dict[tuple[int, int], tuple[list[str], list[str]]]]
    keys: dict[tuple[int, int], str] = {}

    def at(pull: int) -> tuple[list[str], list[str]]:
        key = facts_key({**place_here(table.document("game"), "local"), "pull": pull, "fact": "x"})
        assert keys.setdefault((stay, pull), str(key)) == key
        return model.setdefault((stay, pull), ([], []))

    for number, (what, value) in enumerate(steps):
        if what == "propose" and not at(value)[1]:
            at(value)[1].append(proposed(table, value, f"p{number}"))
            at(value)[0].append(f"p{number}")
        elif what == "say":
            table.judge("state", "bob", {"text": "hello"}, via=by_pull(table, value, f"s{number}"))
            at(value)[0].append(f"s{number}")
        elif what == "move" and not (value == "local" == forge_kind(table.document("game"))):
            home = HOMES[value] and f"{HOMES[value]}-{number}"
            table.ok("root", "change_forge", forge=value, **({"home": home} if home else {}))
            stay += 1
            moving = list(table.document("game").get("moving") or ())
            if moving:
                places = {each: place(pull) for pull, each in enumerate(reversed(moving), 1)}
                table.ok("root", "rehouse", places=places)
                for each, to in places.items():
                    at(to["pull"])[0].append(HEAD)
                    at(to["pull"])[1].append(each)
    assert len(set(keys.values())) == len(keys)
    for where, (facts, made) in model.items():
        document = table.kernel.documents.find(keys[where]) or {}
        assert (sorted(document.get("facts", {})), document.get("proposals", [])) == (sorted(facts), made)
    game = table.document("game")
    for identifier in game["open"]:
        pull = pull_here(table.document(f"proposals/900/{identifier.partition('/')[2]}"), game)
        assert identifier in model[stay, pull][1]


def test_on_the_same_host_accounts_mean_the_same_and_saying_where_a_game_lies_is_no_move(found: Found) -> None:
    table = found(VOTING, forge={"kind": "gitea", "home": CODEBERG})
    table.ok("root", "identify", player="ann", forge="gitea", id="1", login="annabel")
    table.ok("root", "change_forge", forge="gitea", home="https://codeberg.org/club/game")
    assert table.document("roster")["ann"]["handles"] == {"gitea": {"id": "1", "login": "annabel"}}
    table.ok("root", "change_forge", forge="gitea", home=OWN)
    table.ok("root", "use_forge", forge="gitea", home="https://git.example/ann/renamed")
    game = table.document("game")
    assert (forge_stay(game), len(game["left"])) == (2, 2)
    assert left_from(game, "gitea", "https://git.example/ann/renamed") is None
    assert left_from(game, "gitea", CODEBERG) is not None
    assert left_from(game, "gitea", "https://git.example/mal/club") is None
