"""What was written and is not sent: drafts, what waits for the place where the players meet, and what came between."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from folkmoot.cli.play import seat as seats
from folkmoot.cli.play import web
from folkmoot.cli.play.drafts import parts_of
from folkmoot.core.keys import proposal_key
from tests.play.conftest import OWN, Browser, Evening
from tests.support.meeting import GAME, git

PAGE, PROPOSAL, PROPOSE = f"/{GAME}/index.html", f"/{GAME}/proposals/1.html", f"/{GAME}/propose"
PARTS = {
    "title": 'Tea: "now"',
    "text": "There is tea.\n\nAlways.",
    "script": "def on_joined(e):\n    pass",
    "more": "labels: {a: [",
}


@contextmanager
def silence(evening: Evening, person: str) -> Iterator[None]:
    """Let somebody's clone meet the others where nobody answers."""
    clone = evening.clone(person)
    address = git(clone, "remote", "get-url", "origin")
    with socket.create_server(("127.0.0.1", 0)) as server:
        git(clone, "remote", "set-url", "origin", f"git://127.0.0.1:{server.getsockname()[1]}/x.git")
        try:
            yield
        finally:
            git(clone, "remote", "set-url", "origin", address)


def until(browser: Browser, page: str, words: str) -> str:
    """Return a page as soon as it says something."""
    end = time.monotonic() + 60
    while words not in (body := browser.get(page).body):
        assert time.monotonic() < end, body
        time.sleep(0.2)
    return body


def test_what_cannot_be_sent_is_said_at_once_kept_and_sent_by_one_button(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.proposal()
    bob = evening.browser("bob")
    fields = bob.fields(PROPOSAL, "vote") | {"choice": "for", "reason": "It is late."}
    monkeypatch.setattr(web, "ANSWERED", 0.3)
    monkeypatch.setattr(seats, "SECONDS", 2)
    with silence(evening, "bob"):
        began = time.monotonic()
        sent = bob.post("vote", fields)
        assert (sent.status, "parcel=" in sent.headers["location"]) == (303, True)
        assert time.monotonic() - began < 2, "nobody waits for who does not answer"
        until(bob, sent.headers["location"], "It waits on this machine")
        assert "of yours is only here" in bob.get(PAGE).body
        assert bob.post("vote", fields).headers["location"].endswith("&twice=1")
    assert evening.letters("bob") == []
    later = evening.browser("bob")
    assert "of yours is only here" in later.get(PAGE).body, "another start of the server has it, too"
    assert evening.letters("bob") == [], "it is not sent unasked"
    assert later.post("later", later.fields(PAGE, "later")).status == 303
    until(later, sent.headers["location"], '<li class="done">sent</li>')
    assert len(evening.letters("bob")) == 1
    assert "only here" not in later.get(PAGE).body
    evening.referee()
    assert evening.document(proposal_key("proposal/1"))["ballots"]["bob"]["reason"] == "It is late."


def test_what_waits_is_taken_back_and_what_is_refused_later_comes_back_filled_in(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.proposal()
    bob = evening.browser("bob")
    fields = bob.fields(PROPOSAL, "vote") | {"choice": "for"}
    monkeypatch.setattr(seats, "SECONDS", 1)
    with silence(evening, "bob"):
        waits = [bob.post("vote", {**fields, "reason": reason}).headers["location"] for reason in ("One", "Two")]
        drop = bob.fields(waits[0], "drop")
        assert bob.post("drop", drop).status == 303
        assert "One thing of yours" in bob.get(PAGE).body
    for person in ("ann", "bob", "cid"):
        evening.say(person, 1, "/vote for")
    evening.referee()
    assert bob.post("later", bob.fields(PAGE, "later")).status == 303
    page = until(bob, waits[1], "Write it anew")
    assert "Two" in page, "what was written is there to be copied"
    assert "is only here" in page
    assert "Send it" not in page, "no button sends again what was refused"
    assert evening.letters("bob")[1:] == []


def test_what_is_refused_late_is_written_anew_in_its_form_also_after_another_start(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.proposal()
    bob = evening.browser("bob")
    monkeypatch.setattr(web, "ANSWERED", 0)
    given = {**bob.fields(PROPOSAL, "vote"), "choice": "perhaps", "reason": "It is late."}
    place = bob.post("vote", given).headers["location"]
    until(bob, place, "Write it anew")
    for browser in (bob, evening.browser("bob")):
        assert "Send it now" not in browser.get(place).body
        page = browser.get(f"{place}&anew=1").body
        assert "It is late.</textarea>" in page
        assert f'<head><base href="{OWN}/proposals/1.html">' in page


def test_a_draft_outlives_the_server_and_is_the_file_that_is_proposed(evening: Evening) -> None:
    ann = evening.browser("ann")
    fields = ann.fields(PROPOSE, "propose")
    assert ann.post("draft", {**fields, **PARTS}, Accept="text/html; part=1").body == "Kept on this machine."
    file = evening.clone("ann") / ".git" / "folkmoot" / "drafts" / f"{GAME}-new.yaml"
    assert {name: text.rstrip("\n") for name, text in parts_of(file.read_text("utf-8")).items()} == PARTS
    again = evening.browser("ann")
    page = again.get(PROPOSE).body
    assert "There is tea.\n\nAlways." in page
    assert "labels: {a: [" in page, "also what nobody could read"
    good = {**PARTS, "more": "labels: {status: mutable}", "title": "Tea"}
    assert again.post("draft", {**again.fields(PROPOSE, "propose"), **good}).status == 303
    assert evening.moot("ann", "propose", "--rule", str(file), "--dry-run", "--json").code == 0
    assert again.post("propose", {**again.fields(PROPOSE, "propose"), **good}).status == 303
    assert not file.exists(), "what is sent is no draft any more"


def test_a_change_has_a_draft_of_its_own_and_is_begun_anew(evening: Evening) -> None:
    ann, place = evening.browser("ann"), f"{PROPOSE}?rule=2"
    changed = {**ann.fields(place, "propose"), "title": "Turns", "text": "Everybody at once."}
    assert ann.post("draft", changed).status == 303
    text = (evening.clone("ann") / ".git" / "folkmoot" / "drafts" / f"{GAME}-2.yaml").read_text("utf-8")
    assert text.startswith("rule: ")
    assert "Everybody at once." in ann.get(place).body
    assert f'href="{OWN}/propose?rule=2"' in ann.get(PROPOSE).body
    assert "Everybody at once." not in ann.get(PROPOSE).body
    assert ann.post("draft", ann.fields(place, "draft")).status == 303
    assert "Everybody at once." not in ann.get(place).body
    for hostile in ("../../config", "x" * 300):
        assert ann.post("draft", {**changed, "rule": hostile}).status == 303
    assert sorted(each.name for each in (evening.clone("ann") / ".git" / "folkmoot" / "drafts").iterdir()) == [
        f"{GAME}-new.yaml"
    ]


def test_an_idea_that_is_chosen_wins_over_a_draft_which_is_kept(evening: Evening) -> None:
    ann, chosen = evening.browser("ann"), f"{PROPOSE}?from=market"
    own = {**ann.fields(PROPOSE, "propose"), "title": "Tea", "text": "There is tea."}
    assert ann.post("draft", own).status == 303
    page = ann.get(chosen).body
    assert "There is tea." not in page
    assert "examples:" not in page, "where another rule acts, too, they need not hold"
    assert "lanterns" in re.findall(r'<textarea name="text".*?</textarea>', page, re.DOTALL)[0]
    assert f'href="{OWN}/propose">A new rule<' in page, "the way back to it"
    assert ann.get(f"{PROPOSE}?from=../evil").status == 200
    fair = {**ann.fields(chosen, "propose"), "title": "The fair"}
    assert ann.post("draft", fair).status == 303, "what becomes of the idea is a draft of its own"
    assert 'value="The fair"' in ann.get(chosen).body
    assert "There is tea." in ann.get(PROPOSE).body
    assert f'href="{OWN}/propose?from=market"' in ann.get(PROPOSE).body
    assert ann.post("propose", fair).status == 303
    drafts = evening.clone("ann") / ".git" / "folkmoot" / "drafts"
    assert [each.name for each in drafts.iterdir()] == [f"{GAME}-new.yaml"], "sent is what was written of the idea"


def test_what_others_did_since_is_told_until_one_has_seen_it(evening: Evening) -> None:
    bob = evening.browser("bob")
    first = bob.fields(PAGE, "seen")
    assert bob.post("seen", first).status == 303
    assert "Since you were here" not in bob.get(PAGE).body
    evening.now += 60
    evening.proposal()
    evening.say("bob", 1, "/vote for")
    evening.referee()
    bob.post("look", bob.fields(PAGE, "look"))
    page = bob.get(PAGE).body
    assert "Since you were here" in page
    news = page.partition("Since you were here")[2].partition("</ul>")[0]
    assert ("A dragon" in news, "for on proposal" in news) == (True, False), "what others did, and not one's own"
    assert bob.post("seen", first).status == 303
    assert "Since you were here" in bob.get(PAGE).body, "a page from before says nothing of what came later"
    assert bob.post("seen", bob.fields(PAGE, "seen")).status == 303
    assert "Since you were here" not in bob.get(PAGE).body


def test_a_form_of_an_older_state_says_what_came_between(evening: Evening) -> None:
    evening.proposal()
    bob = evening.browser("bob")
    written = {"choice": "for", "reason": "Before you all."}
    fields = bob.fields(PROPOSAL, "vote") | written
    tried = re.findall(r'name="foreseen" value="(\w+)"', bob.post("try", fields, Accept="text/html; part=1").body)
    for person in ("ann", "cid"):
        evening.say(person, 1, "/vote for")
    evening.referee()
    bob.post("look", bob.fields(PAGE, "look"))
    for seen in ({}, {"foreseen": tried[0]}):
        moved = bob.post("vote", {**fields, **seen, "once": str(seen)})
        assert moved.status == 409
        assert "something has happened" in moved.body
        assert "cid" in moved.body
        assert "That decides it" in moved.body
        assert "Before you all.</textarea>" in moved.body
    assert evening.letters("bob") == []
    assert bob.post("say", bob.fields(PROPOSAL, "say") | {"text": "Hear me.", "seen": fields["seen"]}).status == 303
    now = re.findall(r'name="foreseen" value="(\w+)"', moved.body)[-1]
    assert bob.post("vote", {**fields, "foreseen": now}).status == 303, "who was told what comes of it now may send it"
    assert len(evening.letters("bob")) == 2
