"""Acts, proposals, talk and seats by forms: each field of an action, what is refused at it, and a form sent twice."""

from __future__ import annotations

import re

import pytest

from folkmoot.cli.play.commands import Answer, outcome_of
from folkmoot.core.keys import proposal_key
from folkmoot.game import secret_store
from folkmoot.game.keeper import keeper_word
from folkmoot.game.rulesets import founding
from folkmoot.sealing.keys import make_key
from tests.play.conftest import ISLAND, OWN, Evening
from tests.support.meeting import GAME, rule

PAGE = f"/{GAME}"
LANTERNS = founding("lanterns")
ISLANDS = {**LANTERNS, "rules": [*LANTERNS["rules"], ISLAND], "settings": {}, "ruleset": "lanterns"}
TRICKS = {**founding("tricks"), "settings": {}, "ruleset": "tricks"}


def test_an_act_is_listed_tried_and_recorded(evening: Evening) -> None:
    ann, bob = evening.browser("ann"), evening.browser("bob")
    assert f'href="{OWN}/do?action=pass"' in ann.get(f"{PAGE}/index.html").body
    assert "it is ann&#x27;s turn" in bob.get(f"{PAGE}/act.html").body, "what cannot be done now says why"
    fields = bob.fields(f"{PAGE}/do?action=pass", "act")
    refused = bob.post("act", fields)
    assert (refused.status, "This would be refused." in refused.body) == (422, True)
    assert 'name="anyway"' in refused.body
    assert evening.letters("bob") == []
    passing = ann.fields(f"{PAGE}/do?action=pass", "act")
    sent, twice = ann.post("act", passing), ann.post("act", passing)
    assert (sent.status, twice.headers["location"]) == (303, f"{sent.headers['location']}&twice=1")
    assert len(evening.letters("ann")) == 1, "a second press sends nothing"
    evening.referee()
    assert "Recorded." in ann.get(sent.headers["location"]).body
    assert evening.document("things/game")["game"]["mover"] == "bob"
    assert ann.get(f"{PAGE}/do?action=%3Cscript%3E").body.count("<script>") == 0


def test_fields_are_made_from_what_an_action_declares(evening: Evening) -> None:
    script = """
def do_pay(a):
    require(a.args.amount < 5, "E-FUNDS", "you have no %d" % a.args.amount)
def do_rank(a):
    pass
"""
    blocks = b"""actions:
  pay:
    summary: Pay somebody
    arguments:
      to: {type: player, summary: Whom}
      amount: {type: integer, minimum: 1, maximum: 9}
      how: {type: choice, of: [coins, notes], default: coins}
  rank: {summary: Rank dishes, arguments: {dishes: {type: list}, gladly: {type: boolean, optional: true}}}
"""
    evening.propose("ann", pay=rule("Paying", script=script) + blocks)
    evening.referee()
    for who in ("ann", "bob", "cid"):
        evening.say(who, 1, "/vote for")
    evening.referee()
    bob = evening.browser("bob")
    page = bob.get(f"{PAGE}/do?action=pay").body
    for part in ('value="ann"', 'min="1" max="9"', 'type="number"', 'value="coins" required', "Whom"):
        assert part.removesuffix(" required") in page
    fields = bob.fields(f"{PAGE}/do?action=pay", "act") | {"a.to": "ann", "a.amount": "7", "a.how": "notes"}
    refused = bob.post("try", fields)
    assert "You have no 7" in refused.body
    assert re.search(r'name="a.amount"[^>]*value="7"', refused.body), "what was written is kept"
    wrong = bob.post("try", {**fields, "a.amount": "70"}).body
    assert re.search(r'name="a.amount"[^>]*aria-invalid="true" aria-describedby="a.amount-w"', wrong), (
        "it stands at its field"
    )
    assert bob.post("act", {**fields, "a.amount": "2"}).status == 303
    listed = bob.fields(f"{PAGE}/do?action=rank", "act") | {
        "lines": "dishes",
        "a.dishes": "soup\r\n3\r\n",
        "a.gladly": "true",
    }
    assert bob.post("act", listed).status == 303
    evening.referee()
    given = [entry["with"] for entry in evening.game().entries() if entry["do"] in ("pay", "rank")]
    assert given == [{"to": "ann", "amount": 2, "how": "notes"}, {"dishes": ["soup", 3], "gladly": True}]


def test_a_rule_is_proposed_changed_and_taken_away(evening: Evening) -> None:
    ann, bob = evening.browser("ann"), evening.browser("bob")
    written = {"title": "Tea: & more", "text": "There is tea.\r\nAnd milk.", "script": ""}
    fields = ann.fields(f"{PAGE}/propose", "propose") | written
    tried = ann.post("try", fields, Accept="text/html; part=1").body
    for part in ("<ins>", "It is proper", "If it is adopted", "If it is defeated", "Enacted rule"):
        assert part in tried
    broken = ann.post("try", {**fields, "script": "def on_x(e)"})
    assert (broken.status, "It would not work as law." in broken.body) == (422, True)
    assert "def on_x(e)</textarea>" in broken.body, "what was written is kept"
    slip = ann.post("try", {**fields, "script": "def on_joined(e):\n    award(e.player, 'lantern', 1)"})
    assert "did you mean lanterns?" in slip.body
    assert ann.post("propose", {**fields, "script": "def on_x(e)"}).status == 422
    assert ann.post("propose", {**fields, "title": ""}).status == 422
    sent = ann.post("propose", {**fields, "why": "It is cold.", "vote": "for"})
    assert sent.status == 303
    evening.referee()
    done = ann.get(sent.headers["location"]).body
    assert "Recorded." in done
    assert "voted on proposal 1: for" in done
    vote = evening.document(proposal_key("proposal/1"))
    assert vote["changes"][0]["parts"]["text"] == "There is tea.\nAnd milk.\n"
    assert "def decide_prevails" in ann.get(f"{PAGE}/propose?rule=9").body
    assert "  pass: {summary: Let your turn go by, told: let the turn go by}" in ann.get(f"{PAGE}/propose?rule=2").body
    change = bob.fields(f"{PAGE}/propose?rule=9", "propose") | {**written, "title": "What prevails"}
    refused = bob.post("propose", change)
    assert (refused.status, "E-ORDER" in refused.body or "E-QUEUE" in refused.body) == (422, True)
    taken = bob.fields(f"{PAGE}/propose?kind=repeal&rule=9", "propose")
    assert "<del>" in bob.post("try", taken, Accept="text/html; part=1").body


def test_talk_does_nothing(evening: Evening) -> None:
    evening.proposal()
    bob, ann = evening.browser("bob"), evening.browser("ann")
    talk = {"text": "Hear me:\n/vote against\n<script>x</script>"}
    said = bob.post("say", bob.fields(f"{PAGE}/proposals/1.html", "say") | talk)
    evening.referee()
    assert "Everybody can read it." in bob.get(said.headers["location"]).body
    page = ann.get(f"{PAGE}/proposals/1.html").body
    assert ["/vote against" in page, "<script>x" in page, "/-/withdraw" in page] == [True, False, False]
    bob.post("say", bob.fields(f"{PAGE}/index.html", "say") | {"text": "Good evening."})
    evening.say("cid", 0, f"/game {GAME}\nAnd to you.")
    evening.say("cid", 0, "/game other\nNot here.")
    evening.referee()
    page = evening.browser("cid").get(f"{PAGE}/index.html").body
    assert ["Good evening." in page, "And to you." in page] == [True, True], "a remark may name its game"
    assert ["/game" in page, "Not here." in page] == [False, False]


def test_a_stranger_joins_or_says_who_they_are(evening: Evening) -> None:
    eve = evening.browser("eve")
    assert "You are watching." in eve.get(f"{PAGE}/index.html").body
    fields = eve.fields(f"{PAGE}/who", "join")
    assert eve.post("join", {**fields, "id": "bob", "name": "Eve"}).status == 422
    sent = eve.post("join", {**fields, "id": "eve", "name": "Eve Ernst"})
    assert sent.status == 303
    evening.referee()
    assert "Recorded." in eve.get(sent.headers["location"]).body
    assert "You are </span><b><bdi>Eve Ernst</bdi>" in eve.get(f"{PAGE}/index.html").body
    dan = evening.browser("dan")
    there = dan.post("who", dan.fields(f"{PAGE}/who", "who") | {"player": "cid"})
    assert there.status == 303
    assert "<bdi>cid</bdi>" in dan.get(there.headers["location"]).body
    assert dan.post("who", dan.fields(f"{PAGE}/who", "who") | {"player": "nobody"}).status == 422


def test_a_hint_is_not_said_to_be_why_something_is_refused() -> None:
    refused = {"state": "refused", "code": "E-ORDER", "why": "it is the turn of ann"}
    hint = {"code": "W-SCRIPT", "message": "no rule and no timer raises the event `came_back`"}
    said = outcome_of(Answer(code=1, record={"problems": [hint], "foreseen": [refused]}))
    assert (said.code, said.why) == ("E-ORDER", "It is the turn of ann.")


# -- on a board and in a hand


@pytest.mark.parametrize("law", [ISLANDS])
def test_a_ship_sails_where_one_clicks(evening: Evening) -> None:
    bob = evening.browser("bob")
    page = bob.get(f"/{GAME}/do?action=sail").body
    squares = re.findall(r'name="a.to" value="(\w+)"', page)
    assert sorted(squares) == ["a2", "b1"], "only squares that would be taken can be chosen"
    assert 'class="squares n3"' in page
    assert "<em" in page
    assert "bob: a1" in page, "it is told in words, too"
    assert "treasure: c3" in page
    assert '<span class="z0"' in page, "a zone is seen where one clicks"
    shown = bob.get(f"/{GAME}/boards/island.html").body
    assert re.findall(r'name="a.to" value="(\w+)"', shown) == squares
    fields = bob.fields(f"/{GAME}/boards/island.html", "act")
    tried = bob.post("try", {**fields, "a.to": "a2"}).body
    assert re.search(r'value="a2"[^>]* checked', tried), "what was chosen is kept"
    far = bob.post("act", {**fields, "a.to": "c3"})
    assert (far.status, "That is not next to your ship." in far.body) == (422, True)
    assert bob.post("act", {**fields, "a.to": "a2"}).status == 303
    evening.referee()
    assert evening.document("things/player")["bob"]["at"] == "a2"


CARD = re.compile(r'name="a.card" value="([a-z]+ of [a-z]+)"')


@pytest.mark.parametrize("law", [TRICKS])
def test_a_hand_is_read_on_this_machine_alone_and_a_card_is_played(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    def at(person: str) -> None:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(evening.folder / f"settings-{person}"))

    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, keeper_word(1, make_key()))
    evening.moot("ann", "act", "open_sealing")
    evening.referee()
    for person in ("ann", "cid"):
        at(person)
        key = evening.moot(person, "key", "--sealing", "--json").record["recipient"]
        evening.moot(person, "act", "use_sealing_key", f"key={key}")
    at("bob")
    bob = evening.browser("bob")
    assert f'href="{OWN}/hand">Make one' in bob.get(f"/{GAME}/index.html").body
    assert bob.post("key", bob.fields(f"/{GAME}/hand", "key")).status == 303
    evening.referee()
    evening.moot("ann", "act", "deal")
    evening.referee()
    look = bob.fields(f"/{GAME}/index.html", "look")
    assert bob.post("look", look).status == 303
    page = bob.get(f"/{GAME}/do?action=discard")
    cards = CARD.findall(page.body)
    assert len(cards) > 5
    assert page.headers["cache-control"] == "no-store"
    assert all(card in bob.get(f"/{GAME}/hand").body for card in cards)
    for other in ("index.html", "act.html", "law/1.html"):
        assert [card for card in cards if card in bob.get(f"/{GAME}/{other}").body] == []
    fields = bob.fields(f"/{GAME}/do?action=discard", "act") | {"a.card": cards[0]}
    tried = bob.post("try", fields)
    assert tried.status == 200
    assert "depends on what is sealed" in tried.body
    assert bob.post("act", fields).status == 303
    assert cards[0] not in evening.refs() + "".join(evening.letters("bob")), "it goes out sealed"
    evening.referee()
    assert bob.post("look", look).status == 303
    assert cards[0] not in CARD.findall(bob.get(f"/{GAME}/do?action=discard").body)
