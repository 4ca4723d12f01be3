"""A game's front page: how the game stands in a sentence, what is before the players, and what comes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.core.documents import Document
from folkmoot.site.page_model import drawn_page
from folkmoot.site.pages.now import newest, now_page, pitch_of, race_of, to_win
from folkmoot.site.pages.status import status_of, together
from folkmoot.site.polls import intent
from folkmoot.site.revisions import changed
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from tests.support.site_game import game, view
from tests.support.table import VOTING, Table, rule

DAY = 86_400


def told(now: GameView) -> str:
    """Return how a game stands, without markup."""
    return strip(status_of(Here(now, "index.md")).words)


def below(now: GameView) -> str:
    return strip(status_of(Here(now, "index.md")).by)


def with_documents(now: GameView | None = None, **documents: Any) -> GameView:
    """Return the game with other documents."""
    now = now or game()
    return replace(
        now, documents={**now.documents, **{key.replace("__", "/"): each for key, each in documents.items()}}
    )


def quiet() -> GameView:
    """Return the game without open votes."""
    now = game()
    decided = {key: {**each, "state": "pending"} if each.get("state") == "open" else each
               for key, each in now.documents.items() if isinstance(each, dict)}  # fmt: skip
    return replace(now, documents={**now.documents, **decided})


def _due(player: str, what: str, by: int | None, **more: Any) -> dict[str, Any]:
    return {"player": player, "what": what, "by": by, **more}


def test_an_open_vote_says_for_whom_it_waits_and_until_when() -> None:
    assert told(game()) == (
        "Proposal 311 by Ann Abel is before the players. It waits for Ann Abel, Cid Castro, Eve Ekström and Zed Zhou."
    )
    assert "Until Sun 15 Feb, 19:00" in below(game())


def test_without_a_vote_the_most_pressing_is_said_first() -> None:
    soon, late = _due("ann", "propose", 9 * DAY), _due("bob", "roll", 12 * DAY)
    assert told(with_documents(quiet(), things__duty={"a": late, "b": soon})) == "Ann Abel must “propose”."
    overdue = {**soon, "overdue": True}
    assert told(with_documents(quiet(), things__duty={"a": late, "b": overdue})) == "Bob Baker must “roll”."
    assert told(with_documents(quiet(), things__duty={"a": _due("bob", "roll", None)})) == "It is Ann Abel’s turn."


def test_what_the_law_says_of_the_game_stands_below_in_quotation_marks() -> None:
    now = game()
    said = replace(now, answers={**now.answers, "headline": " The  moon is\nfull <b>. "})
    assert "The law says: “The moon is full <b>.”" in below(said)
    assert "<b>" not in status_of(Here(said, "index.md")).by.replace("<bdi>", "")
    over = {**now.document("game"), "over": {"winner": ["bob"], "at": 5 * DAY, "why": "most", "rule": "202"}}
    won = replace(said, documents={**now.documents, "game": over})
    assert told(won) == "Bob Baker won."
    assert "“most” (rule 202)" in below(won)


@pytest.mark.parametrize("answer", [None, "", "  ", 7, [], [["x"]], [""], {"a": 1}])
def test_an_answer_that_is_no_sentence_is_not_said(answer: object) -> None:
    now = game()
    assert "The law says" not in below(replace(now, answers={**now.answers, "headline": answer}))


def test_a_list_is_put_together_and_what_it_names_is_a_link() -> None:
    now = game()
    parts = ["Turn 3 of", "ann", ":", "rule 203", "<i>is</i>", "asleep", "."]
    said = replace(now, answers={**now.answers, "headline": parts})
    assert "The law says: “Turn 3 of Ann Abel: rule 203 <i>is</i> asleep.”" in below(said)
    shown = status_of(Here(said, "index.md")).by
    assert 'href="players/ann.html"' in shown
    assert 'href="law/203.html"' in shown
    assert "<i>" not in shown
    long = replace(now, answers={**now.answers, "headline": ["word " * 100, "ann"]})
    assert len(below(long)) <= 300


def test_a_game_in_which_nothing_happens_says_so() -> None:
    empty = GameView(slug="new", documents={"game": {"title": "New"}})
    assert told(empty) == "Nothing is before the players."
    page = now_page(empty)
    assert (page.race, page.votes, page.newest, page.board_link, page.pitch) == (None, (), None, None, "")
    assert drawn_page(empty, page).body.count("<h1") == 1


def test_what_several_owe_alike_is_said_once() -> None:
    same = [_due(player, "vote", 5) for player in ("ann", "bob", "cid")]
    assert [[each["player"] for each in group] for group in together([*same, _due("ann", "vote", 6)])] == [
        ["ann", "bob", "cid"], ["ann"],
    ]  # fmt: skip


def test_a_hidden_ballot_is_counted_and_not_told() -> None:
    (vote,) = now_page(game()).votes
    assert [(each.count, each.words) for each in vote.choices] == [(2, "voted"), (4, "not yet")]
    assert [who.name for who in vote.missing][:2] == ["Ann Abel", "Cid Castro"]


@pytest.mark.parametrize(("changes", "words"), [
    ([], "Ann Abel proposed something that changes no rule."),
    ([{"enact": {"title": "x"}}], "Ann Abel wants to make a new rule."),
    ([{"kind": "enact"}, {"kind": "enact"}], "Ann Abel wants to make 2 new rules."),
    ([{"kind": "amend", "rule": "202"}], "Ann Abel wants to amend rule 202, Points and turns."),
    ([{"kind": "repeal", "rule": r} for r in ("202", "206")], "Ann Abel wants to repeal rule 202 and rule 206."),
    ([{"kind": "repeal", "rule": "202"}, {"kind": "amend", "rule": "206"}],
     "Ann Abel wants to repeal rule 202 and amend rule 206."),
    ([{"kind": "enact"}, {"kind": "amend", "rule": "206"}], "Ann Abel wants to make a new rule and amend rule 206."),
])  # fmt: skip
def test_what_is_proposed_is_said_in_a_sentence(changes: list[Document], words: str) -> None:
    proposal: Any = {"author": "ann", "changes": changes}
    assert strip(intent(Here(game(), "index.md"), proposal)) == words


def test_who_leads_is_drawn_against_what_wins() -> None:
    now = replace(game(), answers={**game().answers, "to_win": "40 points"})
    race = race_of(Here(now, "index.md"))
    assert race is not None
    assert (race.goal, race.racers[0].who.name, race.racers[0].amount, race.racers[0].part) == (
        40,
        "Cid Castro",
        33,
        82,
    )
    assert strip(now_page(now).leader) == "Cid Castro leads with 33 of the 40 that win, eight more than Bob Baker."
    assert "<b>To win:</b>" in drawn_page(now, now_page(now)).body


def test_what_the_ruleset_says_of_winning_holds_as_long_as_its_rule_is_as_founded() -> None:
    """A page that names an old goal would be false."""
    now = game()
    uid = next(uid for uid in now.ranked if now.law[uid]["seq"] == 1)
    to = f"50 points, by rule {now.number(uid)}"
    said = with_documents(game={**now.document("game"), "to_win": to, "pitch": "Mail."})
    assert (strip(to_win(Here(said, "index.md"))[0]), to_win(Here(said, "index.md"))[1]) == ("50 points", 50)
    changed_since = {**now.law, uid: {**now.law[uid], "seq": 9}}
    law = {**said.documents["law"], "rules": changed_since}
    assert to_win(Here(replace(said, documents={**said.documents, "law": law}), "index.md")) == ("", 0)
    assert pitch_of(said) == "Mail."


def _newest(uid: str) -> Any:
    """Return what is told of the last change of the law where that of one rule was the last."""
    now = game()
    documents: dict[str, Any] = dict(now.documents)
    if now.law[uid]["in_force"]:
        rules = {**now.law, uid: {**now.law[uid], "seq": 9999}}
        documents["law"] = {**documents["law"], "rules": rules}
    else:
        *earlier, last = documents[f"history/{uid}"]["revisions"]
        documents[f"history/{uid}"] = {"revisions": [*earlier, {**last, "seq": 9999}]}
    return newest(Here(replace(now, documents=documents), "index.md"))


def test_a_law_is_told_by_the_words_that_changed() -> None:
    now = newest(Here(game(), "index.md"))
    assert now is not None
    assert "<ins>Whoever posts" in now.words
    amended = _newest("206").words
    assert "<ins>" in amended
    assert "<del>" in amended
    assert len(strip(amended)) < 400
    repealed = _newest("203").words
    assert "<del>" in repealed
    assert "<ins>" not in repealed
    assert changed({"text": "same"}, {"text": "same", "title": "T"})


def test_a_law_that_never_changed_has_no_newest_rule() -> None:
    assert newest(Here(GameView(slug="new", documents={}), "index.md")) is None


def test_alike_timers_of_a_day_stand_once_with_the_first_and_the_last_time() -> None:
    now, at = game(), game().now or 0
    soon = {"name": "bell", "rule": "", "payload": {}, "period": None}
    timers = {f"bell/{n}": {**soon, "due": at + 3600 * n} for n in (1, 2, 3)}
    shown = now_page(replace(now, documents={**now.documents, "things/timer": timers}))
    assert [strip(each.words) for each in shown.coming] == ["21:00 to 23:00: “Bell”"]


def test_where_nobody_has_anything_no_bars_stand_beside_the_sentence() -> None:
    table = Table(VOTING, rule("2", defines={"currencies": {"gold": {"initial": 0}}}))
    shown = now_page(view(table, "tea"))
    assert (shown.race, strip(shown.leader)) == (None, "Nobody has any gold yet.")
