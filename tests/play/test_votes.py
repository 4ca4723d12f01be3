"""A vote by the form on a proposal's page: first what comes of it, then it is sent, then how far it has come."""

from __future__ import annotations

import json

import pytest

from folkmoot.core.keys import proposal_key
from folkmoot.game.rulesets import founding
from folkmoot.wording.page_links import proposal_path
from tests.play.conftest import OWN, Evening
from tests.support.meeting import GAME, rule

PROPOSAL = f"/{GAME}/proposals/1.html"
EMPIRE = {**founding("imperial"), "settings": {}, "opening": [], "offices": {"tie": "ann", "ths": "bob"}}


def test_a_vote_is_tried_sent_followed_and_recorded(evening: Evening) -> None:
    evening.proposal()
    browser = evening.browser("bob")
    page = browser.get(f"/{GAME}/index.html").body
    assert "<title>(1) index" in page
    assert f'href="{OWN}/proposals/1.html#my-vote"' in page
    fields = browser.fields(PROPOSAL, "vote") | {"choice": "for", "reason": "It is late.\nTea!"}
    tried = browser.post("try", fields)
    assert (tried.status, "ballot on proposal 1: for" in tried.body) == (200, True)
    assert "Tea!</textarea>" in tried.body, "what was written is kept"
    assert browser.post("try", fields, Accept="text/html; part=1").body.startswith('<div class="comes">')
    assert evening.letters("bob") == []
    sent = browser.post("vote", fields)
    assert sent.status == 303
    assert len(evening.letters("bob")) == 1
    twice = browser.post("vote", fields)
    assert (twice.status, twice.headers["location"]) == (303, f"{sent.headers['location']}&twice=1")
    assert len(evening.letters("bob")) == 1, "a second press sends nothing"
    waits = browser.get(sent.headers["location"])
    assert "the referee looks" in waits.body
    assert "data-done" not in waits.body
    assert "Already sent" in browser.get(twice.headers["location"]).body
    assert "on its way" in browser.get(PROPOSAL).body
    evening.referee()
    done = browser.get(sent.headers["location"], Accept="text/html; part=1").body
    assert "data-done" in done
    assert "Recorded." in done
    assert "You voted for" in browser.get(PROPOSAL).body
    assert evening.document(proposal_key("proposal/1"))["ballots"]["bob"]["reason"] == "It is late.\nTea!"


def test_a_page_whose_vote_has_ended_says_so_and_what_was_written(evening: Evening) -> None:
    evening.proposal()
    bob = evening.browser("bob")
    late = {**bob.fields(PROPOSAL, "vote"), "choice": "for", "reason": "It is <late>."}
    said = {**bob.fields(PROPOSAL, "say"), "text": ""}
    assert f'<head><base href="{OWN}/proposals/1.html">' in bob.post("say", said).body, "where its links lie"
    for person in ("ann", "bob", "cid"):
        evening.say(person, 1, "/vote for")
    evening.referee()
    assert bob.post("look", late).status == 303
    refused = bob.post("vote", late)
    assert refused.status == 422
    assert "This is not voted on any more." in refused.body
    assert "It is &lt;late&gt;." in refused.body


@pytest.mark.parametrize("law", [{**founding("suber"), "settings": {}, "ruleset": "suber"}])
def test_one_talks_about_what_is_debated_before_its_vote(evening: Evening) -> None:
    evening.propose("ann", tea=rule("Tea") + b"labels: {status: mutable}\n")
    evening.referee()
    page = f"/{GAME}/" + proposal_path(evening.document(proposal_key("proposal/301"))).replace(".md", ".html")
    bob = evening.browser("bob")
    (bob.seat.root.parent / "site-bob" / page[1:]).write_text(
        "<html><head></head><main><!-- play: vote --></main></html>"
    )
    shown = bob.get(page).body
    assert ("/-/vote" in shown, "/-/say" in shown) == (False, True)
    assert bob.post("say", {**bob.fields(page, "say"), "text": "Why tea?"}).status == 303
    evening.referee()
    assert bob.post("look", bob.fields(page, "say")).status == 303
    assert "Why tea?" in bob.get(page).body


@pytest.mark.parametrize("law", [{**founding("consensus"), "settings": {}, "ruleset": "consensus"}])
def test_who_proposed_takes_it_back_by_a_form_and_is_told_what_came_of_it(evening: Evening) -> None:
    evening.proposal()
    ann = evening.browser("ann")
    assert "/-/withdraw" not in evening.browser("bob").get(PROPOSAL).body
    assert "<details><summary>Take this" in ann.get(PROPOSAL).body
    fields = {**ann.fields(PROPOSAL, "withdraw"), "reason": "/vote for"}
    refused = ann.post("withdraw", fields).body
    assert "<details open><summary>Take this" in refused, "its refusal is seen"
    assert 'value="/vote for"' in refused, "what was written is kept"
    sent = ann.post("withdraw", {**fields, "reason": "Too much tea."})
    evening.referee()
    done = ann.get(sent.headers["location"]).body
    assert "data-done" in done
    assert "Recorded." in done
    empty = ann.post("say", {**ann.fields(f"/{GAME}/index.html", "say"), "text": ""})
    assert (empty.status, "<details open><summary>Say something" in empty.body) == (422, True)


@pytest.mark.threat("T-152")
def test_what_cannot_be_is_said_and_not_sent_and_words_are_shown_as_words(evening: Evening) -> None:
    evening.proposal()
    bob = evening.browser("bob")
    fields = bob.fields(PROPOSAL, "vote")
    for choice, said in (("", "Choose how you vote."), ("perhaps", "no choice of vote here")):
        answer = bob.post("vote", {**fields, "choice": choice})
        assert (answer.status, said in answer.body, 'role="alert"' in answer.body) == (422, True, True)
    assert bob.post("vote", {**fields, "choice": "for", "about": "proposal/7"}).status == 422
    given = '"><script>alert(1)</script>'
    page = bob.post("try", {**fields, "choice": given, "reason": f"{given}</textarea>"}).body
    assert ("<script>alert" in page, "alert(1)" in page) == (False, True)
    read = bob.post("vote", {**fields, "choice": "for", "text-read": "of-yesterday"})
    assert (read.status, "was changed since you read it" in read.body) == (409, True), "it is read again first"
    assert evening.letters("bob") == []
    page = evening.browser("eve").get(PROPOSAL).body
    assert ("You are watching." in page, "/-/vote" in page) == (True, False), "who has no vote gets no form"
    against = bob.post("try", {**fields, "choice": "against"}, Accept="application/json")
    command = evening.moot("bob", "vote", "1", "against", "--dry-run", "--json")
    assert json.loads(against.body) == command.record, "a program gets the record of the command"


@pytest.mark.parametrize("law", [EMPIRE])
def test_whoever_alone_decides_does_so_where_others_vote(evening: Evening) -> None:
    evening.propose("cid", tea=rule("Tea", "There is tea."))
    evening.referee()
    emperor = evening.browser("ann")
    assert "Decide on “" in emperor.get(f"/{GAME}/index.html").body
    assert "awaits your decision alone" in emperor.get(PROPOSAL).body
    assert 'action="/a-place/-/vote"' not in evening.browser("cid").get(PROPOSAL).body, "it is nobody else's"
    fields = emperor.fields(PROPOSAL, "vote") | {"choice": "for", "reason": "Warm."}
    assert "Enacted rule 23" in emperor.post("try", fields).body
    assert emperor.post("vote", fields).status == 303
    evening.referee()
    assert evening.document(proposal_key("proposal/1"))["outcome"] == "accepted"
