"""What bears on a rule beside its text: votes it decided, conflicts, what awaits it."""

from __future__ import annotations

from msgspec.structs import replace

from folkmoot.site.page_model import drawn_page
from folkmoot.site.pages.rule import Rule, awaited, decided_by, rule_page
from folkmoot.site.revisions import numbers_in
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from tests.support.site_game import game, render_game


def shown(view: GameView, uid: str) -> str:
    return drawn_page(view, of(view, uid)).body


def of(view: GameView, uid: str) -> Rule:
    page = rule_page(uid, view)
    assert isinstance(page, Rule)
    return page


def test_a_rule_says_how_many_votes_it_decided() -> None:
    view = game()
    names = view.index(decided_by)["304"]
    count = len(names)
    assert count == len([each for each in view.proposals.values() if (each.get("verdict") or {}).get("rule") == "304"])
    told = shown(view, "304")
    assert f"It decided {count} votes" in told
    assert all(f'href="../proposals/{name.partition("/")[2]}.html"' in told for name in names[:5])


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
