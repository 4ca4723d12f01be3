"""The script of two nweeks of A Nomic: all that people do on a forge for a parliament, its courts, its Bank and its Go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folkmoot.game.rulesets import founding
from tests.forges.endtoend.a_nomic_sealed import answer, challenge, deal, show_hand, trade
from tests.forges.endtoend.b_nomic import amended, clock
from tests.forges.endtoend.games import act, new_rule
from tests.forges.endtoend.world import START, World

DAY = 86_400
EPOCH = START - START % DAY - 5 * DAY - 30 * 10 * DAY
"""The founding is on the sixth nday of nweek 31, about noon."""
LAW: Mapping[str, Any] = {
    **founding("a-nomic"),
    "title": "Parliament",
    "offices": {"administrator": "ann", "osj": "bob", "banker": "bob", "tax_collector": "cid", "obc": "dee"},
    "opening": [
        {"game": True, "epoch": EPOCH},
        {"kind": "bank", "id": "bank", "points": 500},
        *[{"player": who, "points": 60} for who in ("ann", "bob", "cid", "dee", "fay", "gus", "hal")],
    ],
}
PLAYERS = ("ann", "bob", "cid", "dee", "fay", "gus", "hal")


def game(world: World) -> dict[str, Any]:
    """Return the registers of the game."""
    return dict(world.document("things/game")["game"])


def item(world: World, word: str) -> tuple[str, int]:
    """Return the kind and the number of the Proposal or Motion that a pull request made."""
    kept = world.document(f"pulls/{world.kind}/000/{world.pulls[word]}")["proposals"][-1]
    kind, _, number = kept.partition("/")
    return kind, int(number)


def state(world: World, word: str) -> str:
    """Return what became of the Proposal or Motion that a pull request made."""
    kind, number = item(world, word)
    key = f"proposals/{number // 100 * 100}/{number}" if kind == "proposal" else f"votes/{kind}/000/{number}"
    return str(world.document(key)["state"])


def two_nweeks(world: World) -> None:
    """Play nweeks 31 and 32 to their ends."""
    before_the_vote(world)
    consent_is_over(world)
    voting(world)
    the_courts(world)
    stones(world)
    cards(world)
    the_contest(world)
    the_second_vote(world)
    the_showdown(world)


def asking(world: World) -> list[dict[str, Any]]:
    """Return the registers of the Motions to Add."""
    motions = [world.document(f"votes/motion/000/{number}") for number in (36, 37)]
    return [motion["registers"] for motion in motions]


def before_the_vote(world: World) -> None:
    """Proposals that compete and depend, trivial motions, candidates, a duty that a Deputy does, a debt, a contest."""
    world.name_keys()
    world.open("cid", "tea", new_rule("Tea", "There is tea."), "Tea")
    world.open("dee", "king", new_rule("King", "Dee is king."), "King")
    world.open("fay", "fog", new_rule("Fog", "There is fog."), "Fog")
    first = amended(world, "rules/301.yaml", ("text: |\n", "text: |\n  [[Tidied.]]\n\n"))
    world.open("gus", "first", first, "First wording")
    second = amended(world, "rules/301.yaml", ("text: |\n", "text: |\n  [[Tidied better.]]\n\n"))
    world.open("hal", "second", second, "Second wording")
    world.settle()
    _, number = item(world, "king")
    milk = {**new_rule("Milk", "There is milk."), "inbox/milk.yaml": act("submit_proposal", title="Milk")}
    world.open("bob", "milk", milk, "Milk")
    world.settle()
    world.say(
        "bob",
        "milk",
        f'/set_condition proposal={item(world, "milk")[1]} condition={{"proposal": {number}, "is": "adopted"}}',
    )
    typo = amended(world, "rules/303.yaml", ("text: |\n", "text: |\n  [[Checked.]]\n\n"))
    world.open("dee", "typo", {**typo, "inbox/typo.yaml": act("motion_amend_trivially")}, "A slip")
    worse = amended(world, "rules/305.yaml", ("text: |\n", "text: |\n  [[Worse.]]\n\n"))
    world.open("gus", "worse", {**worse, "inbox/worse.yaml": act("motion_amend_trivially")}, "No slip")
    world.say("fay", "", "/nominate office=tribune player=hal\n/nominate office=tribune player=gus")
    nominated = "office: dealer\nplayer: fay"
    world.fill(
        "cid", "A candidate", "act", "/nominate office=dealer player=fay", choice="nominate", arguments=nominated
    )
    world.say("eve", "", "/join id=eve name=Eve")
    world.fill("zed", "Zed joins", "join", "/join id=zed name=Zed", id="zed", name="Zed")
    world.say("dee", "", "/create_debt amount=7")
    world.say("gus", "", '/rfj statement="Bob is a pineapple." defendant=bob')
    world.settle()
    world.say("hal", "worse", "/object motion=35")
    assert [data["data"]["id"] for data in asking(world)] == ["eve", "zed"]
    world.say("hal", "", "/object motion=37")
    world.say("ann", "", "/deputise as=administrator office=osj duty=draw_judge")
    world.say("ann", "", "/draw_judge as=osj rfj=1")
    challenge(world, "ann")
    world.say("dee", "", "/transfer_debt debt=debt-1 to=gus")
    world.settle()


def consent_is_over(world: World) -> None:
    """Two days without objection: the slip is mended, and Eve plays; then voting starts."""
    answer(world, {"bob": "They are green.", "cid": "They are green and grow.", "gus": "Four letters."}, by_form="gus")
    world.settle()
    assert len(contest(world)["entries"]) == 3
    clock(world, 2, 13)
    world.settle()


def voting(world: World) -> None:
    """Votes by review, comment and form; a veto is not for everybody; elections; what is too late is told."""
    for who in ("ann", "bob", "fay"):
        world.approve(who, "tea")
    world.review("hal", "tea", "request_changes", "Too hot.")
    world.say("gus", "tea", "/vote abstain")
    for who in ("cid", "gus", "hal", "bob"):
        world.review(who, "king", "request_changes", "No kings.")
    for word in ("fog", "first", "second", "milk"):
        for who in ("ann", "bob", "cid", "dee", "gus"):
            world.say(who, word, "/vote yes because why not")
    world.say("fay", "fog", "/veto")
    world.say("cid", "", "/vote yes motion=37")
    world.say("hal", "", "/vote no motion=37")
    world.say("ann", "", "/vote_election office=tribune candidate=hal\n/vote_election office=dealer candidate=fay")
    chosen = "office: tribune\ncandidate: hal"
    said = "/vote_election office=tribune candidate=hal"
    world.fill("bob", "An election", "act", said, choice="vote_election", arguments=chosen)
    world.say("cid", "", "/vote_election office=tribune candidate=gus")
    world.say("cid", "", "/vote_election office=tribune candidate=zed")
    world.push("cid", "tea", new_rule("Tea", "There is tea, and it is hot."))
    world.settle()
    clock(world, 5, 1)
    world.settle()
    states = {word: state(world, word) for word in world.pulls}
    assert states == {
        "tea": "adopted", "king": "failed", "fog": "adopted", "first": "adopted", "second": "adopted",
        "milk": "failed_by_dependence", "typo": "adopted", "worse": "failed",
    }, states  # fmt: skip
    assert world.document("things/office")["tribune"]["holder"] == "hal"
    assert [who in world.document("things/player") for who in ("eve", "zed")] == [True, False]


def the_courts(world: World) -> None:
    """The Judge gives judgement and an order, which is obeyed; the Judge is owed a salary that the Banker has set."""
    clock(world, 5, 12)
    world.say("bob", "", "/set_salaries as=banker official=3 judicial=5\n/set_awards as=banker adopted=4 opposed=2")
    world.say("cid", "", "/set_fine as=tax_collector value=6")
    world.settle()
    judge = world.document("things/rfj")["rfj-1"]["judge"]
    world.say(judge, "", '/verdict rfj=1 verdict=FALSE reasons="No pineapple votes."')
    world.settle()
    world.say(judge, "", '/judicial_order rfj=1 order="Bob says so publicly." executor=bob')
    world.say("ann", "", "/set_away")
    world.settle()
    world.say("bob", "", '/report_duty_done duty=order/rfj-1/1 message="I am no pineapple."')
    world.settle()
    (order,) = world.document("things/rfj")["rfj-1"]["orders"]
    assert (order["executor"], game(world)["assigned"].get("order/rfj-1/1")) == ("bob", None)


def stones(world: World) -> None:
    """Ten Stones are bought and placed, and one is captured; an alliance is offered and accepted."""
    for who in ("cid", "dee", "bob", "gus"):
        world.say(who, "", "/buy_stone")
        world.say(who, "", "/buy_stone")
    for who in ("fay", "hal"):
        world.say(who, "", "/buy_stone")
    world.settle()
    for hour, *placed in (
        (20, ("cid", "a1"), ("dee", "a2"), ("bob", "c3"), ("gus", "q16"), ("hal", "d16")),
        (40, ("cid", "k10"), ("dee", "b1"), ("bob", "c4"), ("gus", "q15"), ("fay", "q4")),
    ):
        clock(world, 5, hour)
        for who, vertex in placed:
            world.say(who, "", f"/go_place vertex={vertex}")
        world.settle()
    states = [stone["state"] for stone in world.document("things/stone").values()]
    assert (states.count("in-play"), states.count("captured")) == (9, 1), states
    world.say("dee", "", "/go_offer other=fay")
    world.settle()
    clock(world, 7, 15)
    world.say("dee", "", "/go_offer other=fay")
    world.settle()
    world.say("fay", "", "/go_accept")
    world.settle()


def cards(world: World) -> None:
    """The Dealer deals Cards that nobody else sees; two exchange some, and somebody moves that Cards be shown."""
    for _ in range(3):
        deal(world, "fay", "bob", "cid", "dee", "gus", "hal", "dee", "dee")
    world.say("bob", "", world.line("bob", "create_party", name="Elders", rules="Elders speak last."))
    world.settle()
    world.say("bob", "", world.line("bob", "join_party", party="Elders"))
    trade(world, "bob", "cid")
    world.open("dee", "cards", {"inbox/show.yaml": act("motion_show_cards")}, "Show cards")
    world.settle()


def contest(world: World) -> dict[str, Any]:
    """Return the Similarity Game."""
    return dict(world.document("things/contest")["contest-similarity"])


def the_contest(world: World) -> None:
    """The period is over: all answers are open, and the Similarity Officer judges them, who is another from then on."""
    clock(world, 10, 18)
    world.settle()
    assert contest(world)["answers"] != {}
    world.say("ann", "", "/judge game=similarity winner=cid")
    world.settle()
    assert contest(world)["results"][-1]["winner"] == "cid"
    assert "They are green and grow." in str(contest(world)["results"])
    assert contest(world)["master"] == "cid"


def the_showdown(world: World) -> None:
    """The motion is adopted: who wants shows Cards for three days, and the best hands are paid."""
    for who in ("bob", "dee"):
        show_hand(world, who, 2)
    world.settle()
    assert sorted(game(world)["showdown"]["shown"]) == ["bob", "dee"]
    clock(world, 18, 3)
    world.settle()
    assert game(world)["showdown"] == {}
    assert sorted(game(world)["showdowns"][-1]["shown"]) == ["bob", "dee"]
    assert game(world)["showdowns"][-1]["prize"] > 0


def the_second_vote(world: World) -> None:
    """A vetoed proposal, a motion of no confidence, a payment that is overdue, awards, fines and salaries."""
    world.open("gus", "moat", new_rule("Moat", "There is a moat."), "Moat")
    world.open("fay", "wall", new_rule("Wall", "There is a wall."), "Wall")
    world.open("cid", "frown", {"inbox/frown.yaml": act("motion_no_confidence", office="banker")}, "No confidence")
    world.settle()
    world.say("hal", "moat", "/veto as=tribune")
    world.say("dee", "frown", "/vote yes")
    world.settle()
    assert "it is counted when it opens" in world.ours("frown")[0], "its act is recorded, and the vote is to come"
    clock(world, 12, 12)
    world.settle()
    assert "The vote is **open**" in world.ours("frown")[0]
    kind, number = item(world, "frown")
    assert world.document(f"votes/{kind}/000/{number}")["ballots"]["dee"]["choice"] == "yes"
    for word in ("moat", "wall"):
        for who in ("bob", "cid", "dee"):
            world.approve(who, word)
    for who in ("bob", "cid", "dee", "gus", "eve"):
        world.approve(who, "cards")
    world.review("hal", "wall", "request_changes", "It is high.")
    world.settle()
    clock(world, 15, 1)
    world.settle()
    assert {word: state(world, word) for word in ("moat", "wall")} == {"moat": "failed", "wall": "adopted"}
    clock(world, 15, 12)
    world.say("gus", "", "/motion_payment debt=debt-1")
    world.settle()
    assert world.document("votes/motion/000/40")["state"] == "pending", "the debt is overdue"
