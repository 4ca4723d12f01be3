"""Language L7: deputies, vacancies and terms: who acts for an office is the law's to say, and offices have registers."""

from __future__ import annotations

from folkmoot.scenarios.claims import meets
from folkmoot.site.pages.players import office_page
from folkmoot.wording.game_view import GameView
from tests.support.table import START, Table, rule

OFFICES = rule(
    "10",
    """
    def do_rule_on(a):
        announce("%s as %s, whom %s holds" % (a.by, a.as_, holder("judge")))

    def do_deputise(a):
        put(office("judge"), "deputy", a.args.who)

    def do_vacate(a):
        put(office("judge"), "holder", None)

    def do_elect(a):
        put(office("judge"), "holder", a.args.who)
        put(office("judge"), "term_ends", now() + 50 * DAY)

    def do_tell(a):
        announce("%s %s" % (things("office"), get_all("office", "elective")))
        announce("%s" % get(office("warden"), "term_ends", default = 0))

    def decide_acts_for(player, office_):
        if office_ == "judge":
            if holder("judge") == None:
                return holds(player, "warden")
            return get(office("judge"), "deputy") == player

    def decide_term_over(office_):
        return now() >= get(office(office_), "term_ends", default = 0)
    """,
    defines={
        "office": {
            "term_ends": {"type": "time", "optional": True},
            "elective": {"type": "boolean", "initial": True},
            "deputy": {"type": "player", "optional": True},
        },
        "offices": {"judge": {}, "warden": {}},
    },
    actions={
        "rule_on": {"as": "judge"},
        "deputise": {"as": "judge", "arguments": {"who": {"type": "player"}}},
        "vacate": {},
        "elect": {"arguments": {"who": {"type": "player"}}},
        "tell": {},
    },
)


def seated(*rules: object) -> Table:
    return Table(OFFICES, *rules, offices={"judge": "ann", "warden": "cid"})  # type: ignore[arg-type]


def said(table: Table) -> list[str]:
    return [e["text"] for e in table.entries[-1]["effects"] if e["effect"] == "announce"]


def test_a_deputy_acts_in_the_office_and_its_holder_goes_on() -> None:
    table = seated()
    assert table.refused("bob", "rule_on") == "E-NOT-OFFICE"
    table.ok("ann", "deputise", who="bob")
    table.ok("bob", "rule_on")
    assert said(table) == ["bob as judge, whom ann holds"]
    table.ok("ann", "rule_on")
    assert table.refused("cid", "rule_on") == "E-NOT-OFFICE"
    table.replay_all()


def test_while_it_is_vacant_another_officer_stands_in() -> None:
    table = seated()
    table.ok("ann", "vacate")
    assert table.refused("ann", "rule_on") == "E-NOT-OFFICE"
    table.ok("cid", "rule_on", as_="judge")
    assert said(table) == ["cid as judge, whom None holds"]


def test_whoever_has_left_acts_for_no_office() -> None:
    table = seated(rule("11", "def do_leave(a):\n    destroy(a.by)", actions={"leave": {}}))
    table.ok("ann", "deputise", who="bob")
    table.ok("bob", "leave")
    assert table.refused("bob", "rule_on") == "E-NOT-PLAYER"


def test_nonsense_lets_nobody_act_and_is_a_failure_of_its_rule() -> None:
    table = seated(rule("5", "def decide_acts_for(player, office):\n    return 'always'"))
    outcome = table.act("bob", "rule_on")
    assert (outcome.code, [f["rule"] for f in outcome.failures]) == ("E-NOT-OFFICE", ["5"])
    table.ok("ann", "deputise", who="bob")
    assert table.act("bob", "rule_on").accepted  # rule 10 is heard


def test_a_rule_that_fails_keeps_nobody_out_who_holds_the_office() -> None:
    table = seated(rule("5", "def decide_acts_for(player, office):\n    fail('no')"))
    table.ok("ann", "rule_on")


def test_offices_have_the_registers_that_the_law_declares() -> None:
    table = seated()
    table.ok("bob", "elect", who="bob")
    ends = START + 50 * 86_400
    assert [e for e in table.entries[-1]["effects"] if e["name"] == "term_ends"] == [
        {"effect": "put", "of": "office/judge", "name": "term_ends", "from": None, "to": ends, "rule": "10"}
    ]
    table.ok("bob", "tell")
    assert said(table) == ['["judge", "warden"] {"judge": True, "warden": True}', "0"]
    assert table.kernel.ask("term_over", ["judge"], ends - 1) is False
    assert table.kernel.ask("term_over", ["judge"], ends) is True
    claim = {"office": "judge", "term_ends": "2026-02-24T12:00:00Z", "elective": True}
    assert meets(table.kernel, table.entries, claim, table.now) == ""
    assert meets(table.kernel, table.entries, {"office": "judge", "elective": False}, table.now) == "elective is true"


def test_they_are_given_at_the_founding_and_shown_on_the_page() -> None:
    table = Table(OFFICES, opening=[{"office": "judge", "holder": "ann", "term_ends": START, "deputy": "bob"}])
    documents = table.kernel.documents.everything()
    page = office_page(GameView(slug="g", documents=documents, answers={"acts_for:judge": ["bob"]}))
    text = repr(page)
    assert "Term ends" in text
    assert "acting=(Person(name='bob'" in text
