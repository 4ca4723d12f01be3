"""Front pages, of one game and of all: how a game stands in a sentence, what is before the players, and what comes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.core.documents import Document
from folkmoot.site.page_model import drawn_page
from folkmoot.site.pages.now import cards, example, front_of, newest, now_page, pitch_of, race_of, to_win
from folkmoot.site.pages.status import status_of, together
from folkmoot.site.polls import intent
from folkmoot.site.revisions import changed
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, strip
from folkmoot.wording.page_links import Here
from tests.support.site_game import game, view
from tests.support.table import VOTING, Table, rule
from tests.untrusted.sinks import hostile

DAY = 86_400


def here(now: GameView) -> Here:
    return Here(now, "index.md")


def told(now: GameView) -> str:
    """Return how a game stands, without markup."""
    return strip(status_of(here(now)).words)


def below(now: GameView) -> str:
    return strip(status_of(here(now)).by)


def with_answer(**answers: object) -> GameView:
    now = game()
    return replace(now, answers={**now.answers, **answers})


def with_documents(now: GameView, **documents: Any) -> GameView:
    """Return a game with other documents."""
    return replace(now, documents={**now.documents, **{key.replace("__", "/"): doc for key, doc in documents.items()}})


def drawn(now: GameView) -> str:
    return str(drawn_page(now, now_page(now)).body)


def due(player: str, what: str, by: int | None, **more: Any) -> dict[str, Any]:
    return {"player": player, "what": what, "by": by, **more}


EMPTY = GameView(slug="new", documents={"game": {"title": "New"}})


def test_an_open_vote_says_for_whom_it_waits_and_until_when() -> None:
    assert told(game()) == (
        "Proposal 311 by Ann Abel is before the players. It waits for Ann Abel, Cid Castro, Eve Ekström and Zed Zhou."
    )
    assert "Until Sun 15 Feb, 19:00" in below(game())
    (vote,) = now_page(game()).votes
    assert [(each.count, each.words) for each in vote.choices] == [(2, "voted"), (4, "not yet")], "not what they voted"
    assert [who.name for who in vote.missing][:2] == ["Ann Abel", "Cid Castro"]


def test_without_a_vote_the_most_pressing_is_said_first_and_what_several_owe_once() -> None:
    now = game()
    decided = {key: {**each, "state": "pending"} for key, each in now.documents.items()
               if isinstance(each, dict) and each.get("state") == "open"}  # fmt: skip
    quiet = replace(now, documents={**now.documents, **decided})
    soon, late = due("ann", "propose", 9 * DAY), due("bob", "roll", 12 * DAY)
    for duties, words in (
        ([late, soon], "Ann Abel must “propose”."),
        ([late, {**soon, "overdue": True}], "Bob Baker must “roll”."),
        ([due("bob", "roll", None)], "It is Ann Abel’s turn."),
    ):
        assert told(with_documents(quiet, things__duty={str(n): each for n, each in enumerate(duties)})) == words
    same = [due(player, "vote", 5) for player in ("ann", "bob", "cid")]
    groups = together([*same, due("ann", "vote", 6)])
    assert [[each["player"] for each in group] for group in groups] == [["ann", "bob", "cid"], ["ann"]]


def test_what_the_law_says_of_the_game_stands_below_in_quotation_marks() -> None:
    said = with_answer(headline=" The  moon is\nfull <b>. ")
    assert "The law says: “The moon is full <b>.”" in below(said)
    assert "<b>" not in status_of(here(said)).by.replace("<bdi>", "")
    over = {**said.document("game"), "over": {"winner": ["bob"], "at": 5 * DAY, "why": "most", "rule": "202"}}
    won = with_documents(said, game=over)
    assert told(won) == "Bob Baker won."
    assert "“most” (rule 202)" in below(won)
    parts = ["Turn 3 of", "ann", ":", "rule 203", "<i>is</i>", "asleep", "."]
    said = with_answer(headline=parts)
    assert "The law says: “Turn 3 of Ann Abel: rule 203 <i>is</i> asleep.”" in below(said)
    shown = status_of(here(said)).by
    assert [words in shown for words in ('href="players/ann.html"', 'href="law/203.html"', "<i>")] == [
        True,
        True,
        False,
    ]
    assert len(below(with_answer(headline=["word " * 100, "ann"]))) <= 300


@pytest.mark.parametrize("answer", [None, "", "  ", 7, [], [["x"]], [""], {"a": 1}])
def test_an_answer_that_is_no_sentence_is_not_said(answer: object) -> None:
    assert "The law says" not in below(with_answer(headline=answer))


def test_a_game_in_which_nothing_happens_says_so() -> None:
    assert told(EMPTY) == "Nothing is before the players."
    page = now_page(EMPTY)
    assert (page.race, page.votes, page.newest, page.board_link, page.pitch) == (None, (), None, None, "")
    assert re.findall(r"<h2>(.*?)</h2>", drawn(EMPTY)) == ["What happened", "New here?"]
    nobody = now_page(view(Table(VOTING, rule("2", defines={"currencies": {"gold": {"initial": 0}}})), "tea"))
    assert (nobody.race, strip(nobody.leader)) == (None, "Nobody has any gold yet.")


@pytest.mark.parametrize(("changes", "words"), [
    ([], "Ann Abel proposed something that changes no rule."),
    ([{"enact": {"title": "x"}}], "Ann Abel wants to make a new rule."),
    ([{"kind": "enact"}, {"kind": "enact"}], "Ann Abel wants to make 2 new rules."),
    ([{"kind": "amend", "rule": "202"}], "Ann Abel wants to amend rule 202, Points and turns."),
    ([{"kind": "repeal", "rule": r} for r in ("202", "206")], "Ann Abel wants to repeal rule 202 and rule 206."),
    ([{"kind": "repeal", "rule": "202"}, {"kind": "amend", "rule": "206"}],
     "Ann Abel wants to repeal rule 202 and amend rule 206."),
])  # fmt: skip
def test_what_is_proposed_is_said_in_a_sentence(changes: list[Document], words: str) -> None:
    proposal: Any = {"author": "ann", "changes": changes}
    assert strip(intent(here(game()), proposal)) == words


def test_who_leads_is_drawn_against_what_wins() -> None:
    now = with_answer(to_win="40 points")
    race = race_of(here(now))
    assert race is not None
    first = race.racers[0]
    assert (race.goal, first.who.name, first.amount, first.part) == (40, "Cid Castro", 33, 82)
    assert strip(now_page(now).leader) == "Cid Castro leads with 33 of the 40 that win, eight more than Bob Baker."
    assert "<b>To win:</b>" in drawn(now)


def test_what_the_ruleset_says_of_winning_holds_as_long_as_its_rule_is_as_founded() -> None:
    """A page that names an old goal would be false."""
    now = game()
    uid = next(uid for uid in now.ranked if now.law[uid]["seq"] == 1)
    to = f"50 points, by rule {now.number(uid)}"
    said = with_documents(now, game={**now.document("game"), "to_win": to, "pitch": "Mail."})
    assert (strip(to_win(here(said))[0]), to_win(here(said))[1], pitch_of(said)) == ("50 points", 50, "Mail.")
    since = {**now.documents["law"], "rules": {**now.law, uid: {**now.law[uid], "seq": 9}}}
    assert to_win(here(with_documents(said, law=since))) == ("", 0)


def _newest(uid: str) -> str:
    """Return what is told of the last change of the law where that of one rule was the last."""
    now = game()
    documents: dict[str, Any] = dict(now.documents)
    if now.law[uid]["in_force"]:
        documents["law"] = {**documents["law"], "rules": {**now.law, uid: {**now.law[uid], "seq": 9999}}}
    else:
        *earlier, last = documents[f"history/{uid}"]["revisions"]
        documents[f"history/{uid}"] = {"revisions": [*earlier, {**last, "seq": 9999}]}
    found = newest(here(replace(now, documents=documents)))
    assert found is not None
    return found.words


def test_a_law_is_told_by_the_words_that_changed() -> None:
    assert "<ins>Whoever posts" in _newest("310")
    marks = {uid: ["<ins>" in _newest(uid), "<del>" in _newest(uid)] for uid in ("206", "203")}
    assert marks == {"206": [True, True], "203": [False, True]}, "amended, and repealed"
    assert len(strip(Html(_newest("206")))) < 400
    assert changed({"text": "same"}, {"text": "same", "title": "T"})


def test_alike_timers_of_a_day_stand_once_with_the_first_and_the_last_time() -> None:
    now, at = game(), game().now or 0
    bell = {"name": "bell", "rule": "", "payload": {}, "period": None}
    timers = {f"bell/{n}": {**bell, "due": at + 3600 * n} for n in (1, 2, 3)}
    shown = now_page(with_documents(now, things__timer=timers))
    assert [strip(each.words) for each in shown.coming] == ["21:00 to 23:00: “Bell”"]


def test_of_many_votes_the_first_have_their_words_and_what_waits_for_one_is_no_open_vote() -> None:
    now = game()
    vote = now.proposals["proposal/311"]
    others = {key: found for key, found in now.documents.items() if found is not vote}
    page = drawn(replace(now, documents=others))
    assert "Chequers for all" in page
    assert "<h2>Not voted on yet</h2>" in page
    voters = [f"v{n}" for n in range(20)]
    votes = {f"proposals/{n}": {**vote, "id": f"proposal/{n}", "number": n, "electorate": voters, "ballots": {}}
             for n in range(900, 905)}  # fmt: skip
    page = drawn(replace(now, documents={**others, **votes}))
    assert page.count('class="card stack vote"') == 5
    assert page.count('<div class="words"><p>') == 4, "three votes in their words, and the newest rule"
    assert page.count("and 8 more") == 5


# -- the page in front of all games


def card(now: GameView) -> str:
    return cards([front_of(now)])


def test_a_card_says_how_a_game_stands_who_leads_and_what_is_voted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    said = " ".join(strip(Html(card(game()))).split())
    for words in (
        "is before the players. It waits for ",
        "Cid Castro 33, Bob Baker 25, Eve Ekström 19",
        "6 players · 11 rules",
    ):
        assert words in said
    assert front_of(game()).vote is not None
    assert "No game is kept here yet." in cards([])
    monkeypatch.setattr("folkmoot.site.pages.now.small_board", lambda *_: 1 / 0)
    assert front_of(game()).board == "", "a board that cannot be drawn leaves the page as it is"
    assert 'id="latest"' in drawn(game())


def test_every_link_of_a_card_leads_below_the_folder_of_its_game_and_no_markup_of_players_is_on_it() -> None:
    for now in (game("tea"), hostile(every=3)):
        found = re.findall(r'href="([^"]*)"', card(now) + example([front_of(now)]))
        assert found
        assert all(address.startswith((f"{now.slug}/", "https://")) for address in found), found
        assert not any(address.startswith(f"{now.slug}/{now.slug}/") for address in found), found
        assert "<script" not in card(now).lower()


def test_the_example_is_an_amendment_that_was_adopted_with_who_voted_for_it() -> None:
    found = front_of(game()).example
    assert found is not None
    assert "<del>" in found.words
    assert "<ins>" in found.words
    assert len(found.voters) == found.yes > found.no
    assert "It is law" in strip(Html(example([front_of(game())])))
    assert example([front_of(EMPTY)]) == ""
