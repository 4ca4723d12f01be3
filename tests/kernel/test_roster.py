"""People as forges know them: joining without a rule for it, handles, keys, and the facts recorded of a forge."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.core.keys import forge_home, forge_kind
from tests.support.table import Found, Table, rule

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 43
OTHER = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "B" * 43


def by_forge(pull: int = 7, fact: str = "f1", **more: Any) -> dict[str, Any]:
    return {"forge": "local", "pull": pull, "fact": fact, **more}


def test_anybody_joins_where_no_rule_says_how(found: Found) -> None:
    table = found(rule("1"))
    person = {"id": "dan@x.org", "login": "Dan"}
    outcome = table.judge("join", "dan", {"name": "Dan D."}, via=by_forge(person=person))
    assert outcome.accepted
    assert table.document("roster")["dan"]["name"] == "Dan D."
    assert table.document("roster")["dan"]["handles"] == {"local": person}
    assert table.refused("dan", "join") == "E-DUP"


def test_a_rule_on_joining_takes_the_place_of_the_kernels(found: Found) -> None:
    law = rule(
        "1", 'def do_join(a):\n    require(False, "E-STATUS", "we are full")', actions={"join": {"who": "anyone"}}
    )
    assert found(law).refused("dan", "join") == "E-STATUS"


def test_a_closed_game_is_joined_through_administrators(found: Found) -> None:
    table = found(rule("1"), joining="closed")
    assert table.refused("dan", "join") == "E-STATUS"
    assert table.refused("ann", "admit", player="dan") == "E-NOT-ADMINISTRATOR"
    table.ok("root", "admit", player="dan", forge="github", id="12", login="dd", key=KEY)
    assert table.document("roster")["dan"]["handles"] == {"github": {"id": "12", "login": "dd"}}
    assert [key["until"] for key in table.document("roster")["dan"]["keys"]] == [None]


@pytest.mark.parametrize("attribute", ["handles", "keys", "since", "until"])
def test_nobody_joins_with_what_the_engine_keeps(found: Found, attribute: str) -> None:
    assert found(rule("1")).refused("dan", "join", attributes={attribute: "x"}) == "E-ARGS"


def test_only_administrators_say_who_is_who(found: Found) -> None:
    table = found(rule("1"))
    assert table.refused("ann", "identify", player="ann", forge="github", id="1") == "E-NOT-ADMINISTRATOR"
    table.ok("root", "identify", player="ann", forge="github", id="1", login="ann-x")
    assert table.refused("root", "identify", player="bob", forge="github", id="1") == "E-DUP"


def test_keys_are_dated_and_belong_to_one(found: Found) -> None:
    table = found(rule("1"))
    table.ok("ann", "add_key", key=f"{KEY} ann@laptop")
    assert table.refused("bob", "add_key", key=KEY) == "E-DUP"
    assert table.refused("bob", "revoke_key", key=KEY, player="ann") == "E-NOT-ADMINISTRATOR"
    assert table.refused("bob", "add_key", key="-----BEGIN OPENSSH PRIVATE KEY-----") == "E-ARGS"
    table.now += 60
    table.ok("root", "revoke_key", key=KEY, player="ann")
    kept = table.document("roster")["ann"]["keys"]
    assert kept == [{"key": KEY, "since": table.now - 60, "until": table.now}]
    assert table.refused("ann", "revoke_key", key=KEY) == "E-NO-SUCH"
    table.ok("ann", "add_key", key=OTHER)


def recorded(table: Table, key: str) -> dict[str, Any]:
    return dict(table.kernel.documents.find(key) or {})


def test_facts_of_a_forge_are_kept_accepted_or_refused(found: Found) -> None:
    table = found(rule("1"))
    assert table.judge("state", "ann", {"text": "hello"}, via=by_forge()).accepted
    assert not table.judge("state", "zed", {"text": "hello"}, via=by_forge(fact="f2")).accepted
    assert recorded(table, "pulls/local/000/7")["facts"] == {"f1": 2, "f2": 3}
    assert recorded(table, f"pulls/local/refused/{table.now // 86_400}") == {"zed": 1}


def test_the_games_own_thread_is_kept_by_day(found: Found) -> None:
    table = found(rule("1"))
    table.judge("state", "ann", {"text": "hello"}, via=by_forge(0, arrived=table.now))
    assert recorded(table, f"pulls/local/thread/{table.now // 86_400}")["facts"] == {"f1": 2}


def test_where_acts_come_from_is_for_administrators(found: Found) -> None:
    table = found(rule("1"))
    assert table.refused("root", "use_forge", forge="Local!") == "E-ARGS"
    table.ok("root", "use_forge", forge="local")
    assert table.document("game")["forge"] == "local"
    table.ok("root", "use_forge")
    assert table.document("game")["forge"] is None


@pytest.mark.parametrize(
    "home",
    [
        "github.com/ann/game",
        "https://github.com/ann",
        "https://ann:secret@github.com/ann/game",
        "https://github.com/ann/game/",
        "https://github.com/ann/../game",
        "https://github.com/ann/game?x=1",
        "https://github.com/ann/game)[x](https://elsewhere.example/a/b",
        "https://github.com/ann/ga me",
        "https://gіthub.com/ann/game",
        "ssh://git@github.com/ann/game",
        "https://github.com/" + "a" * 200 + "/game",
    ],
)
def test_a_home_is_the_plain_address_of_a_repository(found: Found, home: str) -> None:
    table = found(rule("1"))
    assert table.refused("root", "use_forge", forge="github", home=home) == "E-ARGS"


def test_a_game_may_say_where_it_lies_on_its_forge(found: Found) -> None:
    table = found(rule("1"))
    home = "https://git.example:3000/group/ann/game.2"
    table.ok("root", "use_forge", forge="gitea", home=home)
    assert table.document("game")["forge"] == {"kind": "gitea", "home": home}
    assert (forge_kind(table.document("game")), forge_home(table.document("game"))) == ("gitea", home)
    assert table.refused("root", "use_forge", home=home) == "E-ARGS"
    table.ok("root", "use_forge", forge="github")
    assert table.document("game")["forge"] == "github"
    table.ok("root", "use_forge")
    assert table.document("game")["forge"] is None


def test_administrators_repair_the_law_with_a_reason(found: Found) -> None:
    table = found(rule("1"), rule("2", "def forbid(a):\n    return refuse('E-STATUS', 'nobody may do anything')"))
    assert table.refused("ann", "state", text="help") == "E-STATUS"
    assert table.refused("ann", "repair", changes=[{"repeal": "2"}], why="it blocks all") == "E-NOT-ADMINISTRATOR"
    assert table.refused("root", "repair", changes=[{"repeal": "9"}], why="x") == "E-NO-SUCH"
    assert table.refused("root", "repair", changes=[{"repeal": "2"}]) == "E-ARGS"
    outcome = table.ok("root", "repair", changes=[{"repeal": "2"}, {"enact": {"title": "Peace"}}], why="it blocks all")
    assert [effect["effect"] for effect in outcome.effects][:2] == ["repair", "repeal"]
    table.ok("ann", "state", text="thank you")
