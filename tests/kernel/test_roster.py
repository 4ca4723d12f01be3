"""People as forges know them: joining without a rule for it, names, handles, keys, notices, and the facts recorded of a forge."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.core.keys import forge_home, forge_kind
from folkmoot.kernel.names import called, outline
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


def test_a_closed_game_is_joined_through_administrators(found: Found) -> None:
    table = found(rule("1"), joining="closed")
    assert table.refused("dan", "join") == "E-STATUS"
    assert table.refused("ann", "admit", player="dan") == "E-NOT-ADMINISTRATOR"
    table.ok("root", "admit", player="dan", forge="github", id="12", login="dd", key=KEY)
    assert table.document("roster")["dan"]["handles"] == {"github": {"id": "12", "login": "dd"}}
    assert [key["until"] for key in table.document("roster")["dan"]["keys"]] == [None]


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


HUB = "https://github.com/ann"
NO_HOMES = ["github.com/ann/game", HUB, "https://ann:secret@github.com/ann/game", "https://gіthub.com/ann/game",
            "ssh://git@github.com/ann/game", f"{HUB}{'a' * 200}/game"]  # fmt: skip
ODD = ["game/", "../game", "game?x=1", "game)[x](https://elsewhere.example/a/b", "ga me"]


@pytest.mark.parametrize("home", [*NO_HOMES, *(f"{HUB}/{each}" for each in ODD)])
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


def test_facts_of_a_forge_are_kept_accepted_or_refused_and_of_the_games_thread_by_day(found: Found) -> None:
    table = found(rule("1"))
    assert table.judge("state", "ann", {"text": "hello"}, via=by_forge()).accepted
    assert not table.judge("state", "zed", {"text": "hello"}, via=by_forge(fact="f2")).accepted
    table.judge("state", "ann", {"text": "hello"}, via=by_forge(0, arrived=table.now))
    assert recorded(table, "pulls/local/000/7")["facts"] == {"f1": 2, "f2": 3}
    assert recorded(table, f"pulls/local/refused/{table.now // 86_400}") == {"zed": 1}
    assert recorded(table, f"pulls/local/thread/{table.now // 86_400}")["facts"] == {"f1": 4}


@pytest.mark.parametrize("attribute", ["handles", "keys", "since", "until", "mentions"])
def test_nobody_joins_with_what_the_engine_keeps(found: Found, attribute: str) -> None:
    full = rule("1", 'def do_join(a):\n    require(False, "E-STATUS", "full")', actions={"join": {"who": "anyone"}})
    assert found(rule("1")).refused("dan", "join", attributes={attribute: "x"}) == "E-ARGS"
    assert found(full).refused("dan", "join") == "E-STATUS", "a rule on joining takes the place of the kernel's"


# -- names


@pytest.mark.parametrize(("name", "code"), [("Elisabeth", "E-DUP"), ("E1isabeth", "E-DUP"), ("Elisabetta", "")])
def test_a_name_like_anothers_name(found: Found, name: str, code: str) -> None:
    """Also that of somebody who has left, and by name and surname together."""
    table = found(rule("1", "def do_go(a):\n    destroy(a.by)", actions={"go": {}}))
    table.ok("beth", "join", name="Elisabeth")
    table.ok("beth", "go")
    if code:
        assert table.refused("dan", "join", name=name) == code
        assert table.refused("dan", "join", attributes={"name": name[:4], "surname": name[4:]}) == code
    else:
        table.ok("dan", "join", name=name)


def test_what_people_are_called() -> None:
    assert called("ann", {}) == called("ann", {"name": "ann", "surname": "Lee"}) == "ann"
    assert called("ann", {"name": "Ann", "surname": "Lee"}) == "Ann Lee"
    assert outline("Corn") == outline("Com")
    assert outline("Ann") != outline("Anne")


LOOKS_LIKE_ANN = ["ANN", "\u0410nn", "A\u200bnn", "a\u0301nn", "\uff41nn", " Ann. ", "aɴn", "𝐀𝐧𝐧", "An-n", "Αnn"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        *((name, "E-DUP") for name in [*LOOKS_LIKE_ANN, "R00T"]),
        *((name, "E-ARGS") for name in (" ", "\u200b", "\u3164", "…")),
        *((name, "") for name in ("Zoë", "Зоя", "慧", "🐉", "Ann-Marie", "O'Neil")),
    ],
)
def test_which_names_are_taken_and_which_nobody_can_read(found: Found, name: str, code: str) -> None:
    take = {"take": {"arguments": {"name": {"type": "text"}}}}
    table = found(rule("1", 'def do_take(a):\n    create("player", "dan", name = a.args.name)', actions=take))
    if not code:
        table.ok("dan", "join", name=name)
        assert table.document("roster")["dan"]["name"] == name
        return
    assert table.refused("dan", "join", name=name) == code
    assert table.refused("root", "admit", player="dan", attributes={"name": name}) == code
    assert not table.act("ann", "take", name=name).accepted, "a rule that takes somebody in is held to it"
    assert table.refused("dan", "join", attributes={"name": [name]}) == "E-ARGS"


# -- notices


def test_a_player_says_of_what_e_is_notified(found: Found) -> None:
    table = found(rule("1"))
    for word in ("off", "reminders", "all"):
        outcome = table.ok("ann", "notify", mentions=word)
        assert table.document("roster")["ann"]["mentions"] == word
        assert outcome.effects == [{"effect": "notify", "of": "ann", "to": word}]
    assert table.refused("ann", "notify", mentions="never") == "E-ARGS"
    assert table.refused("ann", "notify") == "E-ARGS"
    assert table.refused("zed", "notify", mentions="off") == "E-NOT-PLAYER"


def test_administrators_name_maintainers_and_reminders(found: Found) -> None:
    table = found(rule("1"))
    table.ok("root", "maintain", maintainers="ann, github:12,ann")
    assert table.document("game")["maintainers"] == ["ann", "github:12"]
    table.ok("root", "maintain")
    assert table.document("game")["maintainers"] is None
    assert table.refused("ann", "maintain", maintainers=["ann"]) == "E-NOT-ADMINISTRATOR"
    assert table.refused("root", "maintain", maintainers=["nobody"]) == "E-NO-SUCH"
    table.ok("root", "remind", hours=0)
    assert table.document("game")["reminders"] == 0
    assert table.refused("root", "remind", hours=-1) == table.refused("root", "remind", hours=721) == "E-ARGS"


def test_a_founding_may_say_both_and_no_nonsense(found: Found) -> None:
    table = found(rule("1"), maintainers=["root", "bob"], reminders=6)
    assert (table.document("game")["maintainers"], table.document("game")["reminders"]) == (["root", "bob"], 6)
    for given in ({"maintainers": ["nobody"]}, {"reminders": "soon"}, {"reminders": 10_000}):
        assert not Table(rule("1"), **given).founded.accepted
