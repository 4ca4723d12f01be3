"""Rules say who plays, never who somebody is, nor do they act in anybody's name."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from folkmoot.kernel.act_declarations import ADMINISTRATIVE, KERNEL_DECLARATIONS
from folkmoot.kernel.host import HOST
from tests.conftest import examples
from tests.support.table import START, VOTING, Found, Record, Table, effects, reasons, rule, said

GO = {"actions": {"go": {}}}
KEY, OTHER = "ssh-ed25519 " + "A" * 68, "ssh-ed25519 " + "B" * 68
MALLORY = {"github": {"id": "666", "login": "mallory"}}


def people(table: Table) -> Record:
    """Return who everybody is, without when they came and went."""
    dates = ("since", "until", "earlier")
    roster = table.document("roster")
    return {who: {k: v for k, v in entry.items() if k not in dates} for who, entry in roster.items()}


def kept(table: Table) -> Record:
    """Return what only administrators decide."""
    game = table.document("game")
    return {
        k: game.get(k) for k in ("administrators", "maintainers", "chance", "forge", "paused", "engine", "reminders")
    }


@pytest.mark.threat("T-68")
def test_an_account_does_not_join_as_somebody_who_was_here(found: Found) -> None:
    """The seat of whoever left was to be had by `/join id=…`, and of a player whom the forge does not know yet too."""
    table = found(rule("1", "def do_go(a):\n    destroy(a.by)", **GO))
    table.ok("root", "identify", player="ann", forge="github", id="1")
    table.ok("ann", "go")
    table.ok("bob", "go")
    for former, person in (("ann", "666"), ("bob", "666")):
        via = {"forge": "github", "pull": 0, "fact": person, "arrived": 0, "person": {"id": person, "login": "mallory"}}
        outcome = table.judge("join", former, {}, via=via)
        assert (outcome.accepted, outcome.code) == (False, "E-PERSONAL")
    via = {"forge": "github", "pull": 0, "fact": "1", "arrived": 0, "person": {"id": "1", "login": "anna"}}
    assert table.judge("join", "ann", {}, via=via).accepted
    assert people(table)["ann"]["handles"]["github"]["id"] == "1"


@pytest.mark.threat("T-69")
@pytest.mark.parametrize("do", sorted(KERNEL_DECLARATIONS))
def test_a_rule_does_no_act_of_the_kernel_in_anybodys_name(found: Found, do: str) -> None:
    """Every act of the kernel, so that a new one is refused too until somebody decides otherwise."""
    given_ = {
        "add_key": {"key": OTHER, "player": "bob"},
        "revoke_key": {"key": KEY, "player": "bob"},
        "vote": {"proposal": 901, "choice": "for"},
        "state": {"text": "I resign."},
        "join": {},
        "notify": {"mentions": "off"},
    }.get(do, {})
    script = "".join(f"    announce(try_act('{do}', {by!r}, {given_}).code)\n" for by in ("bob", "root", None))
    table = found(VOTING, rule("1", f"def do_go(a):\n{script}", **GO))
    table.ok("bob", "add_key", key=KEY)
    table.propose("ann")
    before = people(table), kept(table)
    wanted = "E-NOT-ADMINISTRATOR" if do in ADMINISTRATIVE else "E-PERSONAL"
    outcome = table.ok("ann", "go")
    assert said(outcome) == [wanted] * 3
    assert effects(outcome, "act") == []
    assert (people(table), kept(table)) == before
    assert table.proposal(901)["ballots"] == {}


@pytest.mark.threat("T-69")
def test_a_ballot_that_a_rule_enters_is_deemed(found: Found) -> None:
    law = rule("1", "def do_go(a):\n    for p in ['ann', 'bob']:\n        cast(proposal(901), p, 'for')\n"
                    "def on_stated(e):\n    cast(proposal(901), e.player, 'against')", **GO)  # fmt: skip
    table = found(VOTING, law)
    table.propose("ann")
    told = []
    for do, given_ in (("go", {}), ("state", {"text": "hear me"})):
        table.ok("ann", do, **given_)
        told.append({who: (b["choice"], b["deemed"]) for who, b in table.proposal(901)["ballots"].items()})
    assert [each["ann"] for each in told] == [("for", False), ("against", True)]
    assert told[0]["bob"] == ("for", True)


WHO = st.sampled_from(["ann", "bob", "cid", "root", "dan", "game", "ball-1"])
FIELD = st.sampled_from(
    ["handles", "keys", "since", "until", "earlier", "mentions", "name", "surname", "email", "id", "x"]
)
VALUE = st.sampled_from(
    [repr(MALLORY), "'Mallory'", "0", "None", "[]", "'m@x.org'", repr([{"key": OTHER, "since": 0, "until": None}])]
)
DO = st.sampled_from(sorted(KERNEL_DECLARATIONS))
ARGUMENTS = st.sampled_from([
    "{}", repr({"key": OTHER, "player": "bob"}), repr({"key": KEY}), "{'choice': 'for', 'proposal': 901}", "{'text': 'x'}",
    "{'mentions': 'off'}", "{'player': 'ann', 'forge': 'github', 'id': '666'}", "{'maintainers': ['bob']}", "{'why': 'x'}",
    "{'rule': '900'}", "{'name': 'Ann B'}", "{'attributes': {'handles': {}}}", f"{{'commitment': '{'0' * 64}'}}",
])  # fmt: skip
STATEMENT = st.one_of(
    st.builds("destroy({!r})".format, WHO),
    st.builds("create('player', {!r}, {} = {})".format, WHO, FIELD, VALUE),
    st.builds("create('player', {!r})".format, WHO),
    st.builds("create('Player', {!r}, {} = {})".format, WHO, FIELD, VALUE),
    st.builds("create({!r}, {!r})".format, st.sampled_from(["roster", "office", "held", "timer", "ball"]), WHO),
    st.builds("put({!r}, {!r}, {})".format, WHO, FIELD, VALUE),
    st.builds("append({!r}, {!r}, {})".format, WHO, FIELD, VALUE),
    st.builds("put_in({!r}, {!r}, 'x', {})".format, WHO, FIELD, VALUE),
    st.builds("put_all({!r}, {{{!r}: {}}})".format, FIELD, WHO, VALUE),
    st.builds("reset({!r})".format, WHO),
    st.builds("add({!r}, {!r}, 1)".format, WHO, FIELD),
    st.builds("award({!r}, {!r}, 1)".format, WHO, FIELD),
    st.builds("put('settings', {!r}, {})".format, FIELD, VALUE),
    st.builds("try_act({!r}, {!r}, {})".format, DO, WHO, ARGUMENTS),
    st.builds("try_act('leave', {!r})".format, WHO),
    st.builds("emit({!r}, player = {!r})".format, st.sampled_from(["joined", "left", "acted", "created"]), WHO),
    st.builds("later('joined', player = {!r})".format, WHO),
    st.builds("cast(proposal(901), {!r}, 'for')".format, WHO),
    st.builds(
        "amend(me(), script = {!r})".format, st.just("def on_acted(e):\n    create('player', 'ann', name = 'x')\n")
    ),
    st.builds("enact('x', 'x', script = {!r})".format, st.just("def on_joined(e):\n    destroy(e.player)\n")),
    st.builds("after(1, 'bell', by = {!r})".format, WHO),
    st.just("repeal(me())"),
    st.just("win('bob', play_on = True)"),
    st.sampled_from([each.body.replace("\n", "\n    ") for each in HOST.words.values()]),
)
DEFINES = {
    "player": {name: {"type": "any", "optional": True} for name in ("handles", "keys", "email", "until")},
    "kinds": {"ball": {}, "Player": {"registers": {"handles": {"type": "any"}}}},
    "currencies": {"since": {}},
}


@pytest.mark.threat("T-68")
@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.sampled_from(["do_go(a)", "on_acted(a)", "on_joined(a)", "on_bell(a)", "on_left(a)"]), STATEMENT),
                min_size=1, max_size=12))  # fmt: skip
def test_whatever_rules_do_everybody_stays_who_they_are(hooks: list[tuple[str, str]]) -> None:
    """Each statement is a rule of its own, so that one that fails undoes no other."""
    laws = [rule(str(n), f"def {hook}:\n    {words}\n", **GO) for n, (hook, words) in enumerate(hooks, 1)]
    leave = rule("800", "def do_leave(a):\n    destroy(a.by)\ndef do_rest(a):\n    after(1, 'bell')",
                 defines=DEFINES, actions={"leave": {}, "rest": {}}, timers={"bell": {}})  # fmt: skip
    table = Table(VOTING, leave, *laws, administrators=["root", "ann"])
    assume(table.founded.accepted)  # a rule may have brought somebody in under a name that is to be founded
    table.judge("identify", "root", {"player": "ann", "forge": "github", "id": "1"})
    table.judge("add_key", "bob", {"key": KEY})
    table.judge("propose", "cid", {"title": "x", "changes": []})
    before, settled, spans = people(table), kept(table), dates(table)
    for by, do in (("bob", "rest"), ("bob", "go"), ("cid", "go"), ("bob", "state"), ("cid", "leave")):
        table.now += 2
        table.pass_time(0)
        table.judge(do, by, {"text": "hello"} if do == "state" else {})
    assert {who: entry for who, entry in people(table).items() if who in before} == before
    assert kept(table) == settled
    newcomers = {who: entry for who, entry in people(table).items() if who not in before}
    assert not any({"handles", "keys", "mentions", "email"} & set(entry) for entry in newcomers.values())
    assert "root" not in newcomers
    for who, known in spans.items():
        assert dates(table)[who][: len(known) - 1] == known[:-1]
        assert dates(table)[who][len(known) - 1][0] == known[-1][0]


def dates(table: Table) -> dict[str, list[tuple[Any, Any]]]:
    """Return when everybody came and went, the latest last."""
    roster = table.document("roster")
    return {who: [(s["since"], s["until"]) for s in (*e.get("earlier", ()), e)] for who, e in roster.items()}


@pytest.mark.threat("T-68")
@pytest.mark.parametrize(
    ("given_", "code"),
    [
        *((f"{field} = {MALLORY}", "") for field in ("handles", "keys", "mentions", "since", "until", "earlier")),
        *((each, "E-PERSONAL") for each in ("name = 'Anna'", "surname = 'Smith'", "email = 'm@x.org'", "club = 'red'")),
    ],
)
def test_no_rule_gives_anybody_a_handle_a_key_a_date_or_a_name(found: Found, given_: str, code: str) -> None:
    law = rule("1", f"def do_go(a):\n    destroy('ann')\n    create('player', id = 'ann', {given_})", **GO)
    table = found(law, administrators=["ann"])
    before = table.document("roster")
    outcome = table.act("bob", "go")
    assert not outcome.accepted
    assert code in ("", outcome.failures[0].get("code"))
    assert table.document("roster") == before


@pytest.mark.threat("T-68")
def test_whoever_is_sent_away_and_brought_back_is_the_same_person(found: Found) -> None:
    bring = "def do_go(a):\n    destroy('ann')\n    create('player', id = 'ann')\n\ndef do_root(a):\n    create('player', id = 'root')"
    table = found(rule("1", bring, actions={"go": {}, "root": {}}))
    table.ok("root", "identify", player="ann", forge="github", id="1")
    table.ok("ann", "add_key", key=KEY)
    before = people(table)
    table.now += 60
    table.ok("bob", "go")
    assert people(table) == before
    assert table.document("roster")["ann"]["earlier"] == [{"since": START, "until": START + 60}]
    assert table.refused("bob", "root") == "E-SCRIPT", "an administrator who does not play is not brought in"
    assert people(table) == before


@pytest.mark.threat("T-69")
def test_what_a_rule_does_is_on_record_as_its_act_and_what_was_held_as_the_persons_own(found: Found) -> None:
    law = """
    def forbid_vote(a):
        return hold("clock") if get("game", "shut") else None

    def do_go(a):
        put("game", "shut", False)
        release("clock")
        try_act("nod", "bob")
        try_act("no", "bob")
        announce(try_act("join", "dan").code or "done")

    def do_nod(a):
        pass

    def do_no(a):
        require(False, "E-STATUS")

    def do_join(a):
        create("player", a.by)
    """
    shut = {"game": {"shut": {"type": "boolean", "initial": True}}}
    offered: Record = {"go": {}, "nod": {}, "no": {}, "join": {"who": "anyone"}}
    table = found(VOTING, rule("1", law, defines=shut, actions=offered))
    table.propose("ann")
    assert table.act("bob", "vote", proposal=901, choice="for").code == "HELD"
    outcome = table.ok("ann", "go")
    assert table.proposal(901)["ballots"]["bob"]["deemed"] is False
    assert reasons(outcome, "E-PERSONAL") == []
    acts = [(e["of"], e["name"], e["rule"]) for e in effects(outcome, "act")]
    assert acts == [("bob", "nod", "1"), ("dan", "join", "1")]
    assert said(outcome) == ["done"], "the law may name an action as the kernel names its own"
