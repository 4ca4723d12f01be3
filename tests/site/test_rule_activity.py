"""What bears on a rule beside its text: votes it decided, conflicts, acts that name it, what awaits it; and its terms."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.site.citations import linked, numbers_in, terms
from folkmoot.site.page_model import drawn_page
from folkmoot.site.pages.rule import Rule, acts_naming, awaited, decided_by, rule_page
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from folkmoot.wording.prose import prose
from tests.site.game import game, render_game
from tests.site.test_pages_rules import with_text


def shown(view: GameView, uid: str) -> str:
    return drawn_page(view, of(view, uid)).body


def of(view: GameView, uid: str) -> Rule:
    page = rule_page(uid, view)
    assert isinstance(page, Rule)
    return page


def with_entries(view: GameView, *added: dict[str, Any]) -> GameView:
    first = len(view.entries) + 1
    new = [{"seq": first + n, "at": "2026-03-01T00:00:00Z", **entry} for n, entry in enumerate(added)]
    return replace(view, entries=[*view.entries, *new])


def test_a_rule_says_how_many_votes_it_decided() -> None:
    view = game()
    names = view.index(decided_by)["304"]
    count = len(names)
    assert count == len([each for each in view.proposals.values() if (each.get("verdict") or {}).get("rule") == "304"])
    told = shown(view, "304")
    assert f"It decided {count} votes" in told
    assert all(f'href="../proposals/{name.partition("/")[2]}.html"' in told for name in names[:5])


def test_an_act_that_names_a_rule_stands_beside_it_by_whatever_number() -> None:
    acts = [{"by": "ann", "do": "judge", "with": {"ruling": f"Rule {number} means what it says."}}
            for number in ("302", "304", "206")]  # fmt: skip
    view = with_entries(game(), *acts)
    told = shown(view, "304")
    assert "Rule 304 means what it says." in told
    assert "Rule 302 means what it says." in told
    assert "Rule 206 means" not in told


@pytest.mark.parametrize(
    "entry",
    [
        {"by": "ann", "do": "vote", "with": {"choice": "for", "reason": "as rule 110 says"}},
        {"by": "ann", "do": "say", "code": "E-ORDER", "with": {"text": "as rule 110 says"}},
        {"by": "ann", "do": "propose", "with": {"title": "rule 110", "changes": []}},
        {"do": "tick", "with": {"text": "rule 110"}},
    ],
)
def test_ballots_refused_acts_and_proposals_are_not_quoted(entry: dict[str, Any]) -> None:
    """What a ballot says may not be displayed yet; what was refused was not done."""
    before = len(game().index(acts_naming).get("110", ()))
    assert len(with_entries(game(), entry).index(acts_naming).get("110", ())) == before


def test_a_rule_says_what_would_change_it() -> None:
    view = game()
    waiting = [name for name, each in view.proposals.items() if not each.get("outcome")]
    assert waiting
    assert set(view.index(awaited)[""]) == set(waiting)
    assert "A change is on its way." in shown(view, "312")
    assert "A change is on its way." not in shown(view, "101")
    page = render_game(view)["law-time/index.md"]
    assert all(f"proposals/{name.partition('/')[2]}.html" in page for name in waiting)


def test_what_is_adopted_without_effect_yet_is_not_in_force() -> None:
    view = game()
    name, found = next((n, p) for n, p in view.proposals.items() if p.get("outcome") == "adopted")
    assert name not in view.index(awaited)[""]
    waits = replace(view, documents={**view.documents, **{
        key: {**each, "waits": True} for key, each in view.documents.items() if each is found}})  # fmt: skip
    assert name in waits.index(awaited)[""]


def links(view: GameView, text: str, own: str = "") -> dict[str, str]:
    markup = linked(Here(view, "law/x.md"), prose(text), own)
    assert strip(markup).split() == strip(prose(text)).split(), "what stands there stays"
    return {words: uid for uid, words in re.findall(r'href="(\w+)\.html"[^>]*fm-term[^>]*>([^<]*)', markup)}


def test_terms_are_linked_to_the_rule_that_defines_them() -> None:
    view = with_text(game(), "110", "An **Active Player** is one who has moved. **not** so a **x**.")
    assert links(view, "The Scribe pays each Active\nPlayer two zoids; `Scribe`, scribes, Active Player.") == {
        "Scribe": "303", "Active&#10;Player": "110", "zoids": "202",
    }  # fmt: skip
    assert links(view, "Two Active Players, and not Inactive Player-ones.") == {"Active Players": "110"}
    assert links(view, "The Scribe.", own="303") == {}
    assert links(view, "[the Scribe](https://a.example) and no Scribes’ guild").keys() <= {"Scribes"}
    assert links(view, "Poems & poem") == {"Poems": "310"}


def test_terms_are_those_of_rules_in_force_and_highest_rank_first() -> None:
    text = "The **Grand Tally** is kept."
    view = with_text(with_text(game(), "110", text), "202", text)
    first = next(uid for uid in view.ranked if uid in ("110", "202"))
    assert ("Grand Tally", first) in view.index(terms)["grand"]
    assert {uid for each in view.index(terms).values() for _, uid in each} <= set(view.ranked)
    now = game()
    gone = replace(now, documents={**now.documents, "rules/203": {"uid": "203", "text": text}})
    assert "203" in gone.repealed
    assert "grand" not in gone.index(terms)


@pytest.mark.parametrize(
    "term", ["<b>Evil</b>", "A" * 300 + " B", "[x](y) Z", "Ω" * 4, "A&B Co", "1 of 6 and more words"]
)
def test_no_term_can_break_a_page(term: str) -> None:
    text = f"**{term}** is what it is. {term}s too."
    view = with_text(game(), "110", text)
    markup = linked(Here(view, "law/x.md"), prose(text))
    assert strip(markup) == strip(prose(text))
    assert "<b>" not in markup.replace("<b></b>", "")


def test_numbers_are_found_in_prose_alone() -> None:
    assert [*numbers_in("Rule 1, rules 2-3 and rule\n4; ruler 5, rule x, Rule 6.1.")] == ["1", "2-3", "4", "6.1"]


def test_a_rule_says_which_of_its_answers_nobody_hears() -> None:
    view = replace(game(), answers={**game().answers, "overruled:206": [["adopted", "304"]]})
    (said_of_it,) = of(view, "206").overruled
    assert "In part not followed." in shown(view, "206")
    said = strip(said_of_it)
    assert (
        said
        == "This rule and rule 302 both say whether a proposal is adopted; rule 302 goes before it, and always answers."
    )
    assert of(view, "304").overruled == ()
