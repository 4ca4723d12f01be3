"""The scripts: ten turns of Suber's game and a week of Imperial Nomic, with all that people do on a forge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folkmoot.game.rulesets import founding
from tests.forges.endtoend.world import World
from tests.harvest.field import law
from tests.support.meeting import rule

SUBER: Mapping[str, Any] = {**founding("suber"), "title": "Dragons", "settings": {"mode": "mail"}}
IMPERIAL: Mapping[str, Any] = {
    **founding("imperial"),
    "title": "Planks",
    "settings": {},
    "opening": [],
    "offices": {"tie": "ann", "ths": "bob"},
}
CONSENSUS: Mapping[str, Any] = {
    **founding("consensus"),
    "title": "Dragons",
    "settings": {},
    "opening": [{"player": "ann", "score": 14}],
}
ASSEMBLY: Mapping[str, Any] = {
    **founding("assembly"),
    "title": "The Moot",
    "settings": {"voting_days": "3", "count_days": "1"},
    "offices": {"herald": "ann", "teller": "bob"},
}
HARVEST: Mapping[str, Any] = {**law(), "settings": {}, "reminders": 24}
COUNCIL: Mapping[str, Any] = {
    **founding("council"),
    "title": "The Hall",
    "settings": {},
    "offices": {"monarch": "ann"},
    "opening": [{"player": "bob", "seals": 4}],
}
SUBER_PLAYERS = ("ann", "bob", "cid", "dee")
IMPERIAL_PLAYERS = ("ann", "bob", "cid", "dee", "fay")


def act(do: str, **args: Any) -> bytes:
    """Return a file of the inbox."""
    lines = "".join(f"  {name}: {value}\n" for name, value in args.items())
    return f"do: {do}\n{'args:' if args else ''}\n{lines}".encode()


def mover(world: World) -> str:
    """Return whose turn it is in Suber's game."""
    return str(world.document("things/game")["game"]["mover"])


def players(world: World) -> list[str]:
    """Return who plays now."""
    return [who for who, entry in world.document("roster").items() if entry["until"] is None]


def two_turns(world: World) -> None:
    """Play the first two of ten turns: votes of every kind, other content, a defeat."""
    turns(world, 2)


def four_turns(world: World) -> None:
    """Play the first four of ten turns: votes of every kind, a defeat, other content, somebody new."""
    turns(world, 4)


def ten_turns(world: World) -> None:
    """Play ten turns; each has something that the others have not."""
    turns(world, 10)


def turns(world: World, most: int) -> None:
    """Play some of the ten turns."""
    for number, turn in enumerate((one, two, three, four, five, six, seven, eight, nine, ten)[:most], 1):
        assert world.document("things/game")["game"]["turn_no"] == number
        turn(world, mover(world), f"turn {number}")
        world.wait(hours=20)


def one_adoption(world: World) -> None:
    """Play the first turn with nothing odd in it: proposed, made final, adopted."""
    who = mover(world)
    world.open(who, "turn 1", new_rule("A dragon"), "A dragon")
    world.say(who, "turn 1", "/finalise")
    world.settle()
    everybody(world, "turn 1")
    world.settle()


def everybody(world: World, word: str, but: tuple[str, ...] = ()) -> None:
    """Let everybody vote for a proposal, by turns with a review and with a comment."""
    for number, who in enumerate(players(world)):
        if who not in but:
            world.approve(who, word) if number % 2 else world.say(who, word, "/vote for")


def new_rule(title: str, text: str = "Let it be so.") -> dict[str, bytes | None]:
    """Return the files of a pull request with a new rule."""
    return {f"rules/{title.lower().replace(' ', '-')}.yaml": rule(title, text)}


def one(world: World, who: str, word: str) -> None:
    """Votes of every kind; what is edited or deleted after it counted, stays; what is pushed later, does not count."""
    world.open(who, word, new_rule("A dragon"), "A dragon")
    world.settle()
    world.say(who, word, "I am done.\n\n/finalise")
    world.approve("bob", word, "I like dragons.")
    world.say("cid", word, "/vote against", name="cid against")
    world.settle()
    world.edit("cid", word, "cid against", "/vote for")
    world.say("zed", word, "/vote against")
    world.say("bob", "", "/do state text=hello")
    world.say("dee", "", "/vtoe for\n/do staet text=hello")
    world.push(who, word, new_rule("A dragon", "Ann is the dictator."))
    world.approve("dee", word, name="dee on another text")
    world.settle()
    world.delete("cid", word, "cid against")
    world.say(who, word, "/vote for")
    world.say("cid", word, "/vote for")
    world.say("dee", word, "/vote for because the first one is good")
    world.settle()


def two(world: World, who: str, word: str) -> None:
    """A defeat, with a proposal of somebody whose turn it is not, and an act in a file."""
    world.open(who, word, new_rule("A king"), "A king")
    world.open("dee", "too early", new_rule("A moat"), "A moat")
    world.open("cid", "by file", {"inbox/hello.yaml": act("state", text="by file")})
    world.settle()
    world.say(who, word, "/finalise")
    world.review("cid", word, "request_changes", "No kings.")
    everybody(world, word, but=("cid",))
    world.settle()


def three(world: World, who: str, word: str) -> None:
    """The final form comes with the end of the debate; an approval of the older text does not count for it."""
    world.open(who, word, new_rule("A bridge", "There is a bridge."), "A bridge")
    world.approve("bob", word, "Early.", name="bob on the first text")
    world.settle()
    world.push(who, word, new_rule("A bridge", "There is a bridge, and a toll."))
    world.settle()
    world.say(who, word, "/finalise")
    world.approve("ann", word, "of the older text", of=0)
    world.settle()
    everybody(world, word)
    world.settle()


def four(world: World, who: str, word: str) -> None:
    """A stranger joins and votes; the proposal that came too early is proposed again by whose turn it is now."""
    world.say("eve", "", "/join surname=Eve id=eve")
    world.say(who, "too early", "/propose")
    world.settle()
    world.say(who, "too early", "/finalise")
    world.say("eve", "too early", "/vote for")
    everybody(world, "too early", but=("eve",))
    world.settle()


def five(world: World, who: str, word: str) -> None:
    """The newcomer's turn: an amendment; a review is dismissed by somebody else after it counted."""
    text = world.file("rules/206.yaml").replace("loses 10 points", "loses ten points")
    world.open(who, word, {"rules/206.yaml": text.encode()}, "Words for numbers")
    world.settle()
    world.say(who, word, "/finalise")
    world.approve("cid", word, name="cid's approval")
    world.settle()
    world.dismiss("mal", word, "cid's approval")
    everybody(world, word, but=("cid",))
    world.settle()


def six(world: World, who: str, word: str) -> None:
    """A rule is transmuted; a pull request is closed by its author and opened again."""
    text = world.file("rules/115.yaml").replace("status: immutable", "status: mutable")
    world.open(who, word, {"rules/115.yaml": text.encode()}, "Loosen 115")
    world.settle()
    world.close(who, word)
    world.settle()
    world.reopen(who, word)
    world.settle()
    world.say(who, word, "/finalise")
    everybody(world, word)
    world.settle()


def seven(world: World, who: str, word: str) -> None:
    """A rule is repealed; a pull request that mixes the game with other things is refused."""
    uid = next(key for key, meta in world.document("law")["rules"].items() if meta["number"] == "301")
    world.open(who, word, {f"rules/{uid}.yaml": None}, "No dragons")
    world.open("mal", "mixed", {**new_rule("Mine"), "game.yaml": b"title: Mine\n"}, "Mixed")
    world.settle()
    world.say(who, word, "/finalise")
    everybody(world, word)
    world.settle()


def eight(world: World, who: str, word: str) -> None:
    """Two of those who never vote are waited for."""
    world.open(who, word, new_rule("A bell"), "A bell")
    world.settle()
    world.say(who, word, "/finalise")
    everybody(world, word, but=("ann", "eve"))
    world.settle()
    world.wait(hours=5)
    world.approve("eve", word)
    world.settle()
    world.say("ann", word, "/vote for because it rings")
    world.settle()


def nine(world: World, who: str, word: str) -> None:
    """Another defeat, with words that only look like commands."""
    world.open(who, word, new_rule("A wall"), "A wall")
    world.say("bob", word, "> /vote for\n\n```\n/vote for\n```\n<!--\n/vote for\n-->")
    world.settle()
    world.say(who, word, "/finalise")
    for voter in players(world):
        world.review(voter, word, "request_changes")
    world.settle()


def ten(world: World, who: str, word: str) -> None:
    """A turn that everything comes to at once."""
    world.open(who, word, new_rule("A harbour"), "A harbour")
    world.say(who, word, "/finalise")
    everybody(world, word)
    world.settle()


# -- the Imperial week


def a_week(world: World) -> None:
    """Play seven game days before the throne of ann, who judges by reviews; bob writes down."""
    for number, day in enumerate((monday, tuesday, wednesday, thursday, friday, saturday, sunday), 1):
        assert world.document("things/game")["game"]["day"] == number
        started = world.now
        day(world)
        world.now = started + 25 * 3600
        world.say("ann", "", "/do announce_day as=tie")
        world.settle()


def wish(title: str, **requests: bytes) -> dict[str, bytes | None]:
    """Return the files of a proposal with requests that travel with it."""
    return {**new_rule(title), **{f"inbox/{name}.yaml": data for name, data in requests.items()}}


def monday(world: World) -> None:
    """Two proposals with requests; one is accepted, one rejected; opinions of others."""
    world.open("cid", "polish", wish("Polish", retool=act("retool", section=1, to="depressed")), "Polish")
    world.open("dee", "tie a knot", wish("A knot", rotate=act("rotate", direction="left")), "A knot")
    world.settle()
    world.approve("dee", "polish", "Shiny.")
    world.approve("ann", "polish", "So be it.")
    world.review("fay", "tie a knot", "request_changes", "It itches.")
    world.review("ann", "tie a knot", "request_changes", "No.")
    world.settle()


def tuesday(world: World) -> None:
    """Ignoring needs a ground; a third proposal is one too many; somebody joins."""
    world.say("eve", "", "/join id=eve email=eve@orchard.example")
    world.open("fay", "f1", new_rule("First"), "First")
    world.open("fay", "f2", new_rule("Second"), "Second")
    world.open("fay", "f3", new_rule("Third"), "Third")
    world.settle()
    world.say("ann", "f1", "/ignore 999 for no reason")
    world.say("dee", "f1", "/ignore 3")
    world.say("ann", "f3", "/ignore 4 one too many")
    world.settle()
    world.approve("ann", "f1")
    world.review("ann", "f2", "request_changes")
    world.settle()


def wednesday(world: World) -> None:
    """A Directive, a proposal that is reworded by the scribe, a swap of bits, an approval that is dismissed too late."""
    world.say("ann", "", '/do direct as=tie area="weather"')
    world.say("cid", "", "/do swap_offer partner=dee start_own=1 start_other=5")
    world.open("dee", "rain", wish("Rain", defend=act("defend")), "Rain")
    world.settle()
    number = world.document("proposals/000/{}".format(proposal_number(world, "rain")))["number"]
    world.say("dee", "", "/do swap_accept")
    world.say("bob", "", f'/do rewrite as=ths number={number} text="It rains, if at all, at night."')
    world.settle()
    world.approve("ann", "rain", "At night only.", name="accepted rain")
    world.settle()
    world.dismiss("fay", "rain", "accepted rain")
    world.settle()


def thursday(world: World) -> None:
    """A Point of Order, a Proclamation, and a proposal whose content changes before it is judged."""
    world.open("cid", "chips", wish("Chips", retool=act("retool", section=2, to="raised")), "Chips")
    world.settle()
    world.push("cid", "chips", new_rule("Chips", "Everything is the Emperor's."))
    world.approve("ann", "chips", "of another text", name="on other chips")
    world.say("fay", "", '/do point_of_order text="Is a plank a plank?"')
    world.settle()
    world.approve("ann", "chips", "as it was", of=0)
    world.say("ann", "", "/do proclaim as=tie title=Weather")
    world.settle()


def friday(world: World) -> None:
    """Vandals; a newcomer's first proposal; one is closed by its author before it is judged."""
    world.open("fay", "splinters", wish("Splinters", v=act("vandalise", player="cid", section=3)), "Splinters")
    world.open("eve", "apples", new_rule("Apples"), "Apples")
    world.settle()
    world.close("fay", "splinters")
    world.settle()
    world.approve("ann", "apples", "Welcome.")
    world.settle()


def saturday(world: World) -> None:
    """An act that opens nothing: hearing the chimes, by file and by comment; a day when nobody proposes."""
    world.open("dee", "chimes", {"inbox/chimes.yaml": act("subscribe")})
    world.say("mal", "", "/do subscribe")
    world.say("cid", "", "/do announce_day as=tie")
    world.settle()


def sunday(world: World) -> None:
    """Two in a row are rejected; everything at once."""
    world.open("dee", "d1", new_rule("Sleep"), "Sleep")
    world.review("ann", "d1", "request_changes")
    world.open("dee", "d2", new_rule("More sleep"), "More sleep")
    world.review("ann", "d2", "request_changes", "Get up.")
    world.approve("cid", "d2")
    world.settle()


# -- a round by consensus


def a_round(world: World) -> None:
    """Play a round of the consensus game from a newcomer to the winner, and on into the next."""
    world.open("eve", "eve joins", {"inbox/join.yaml": act("join")})
    world.settle()
    for part in (better_by_review, without_one, won):
        part(world)
        world.wait(hours=24)


def better_by_review(world: World) -> None:
    """Changes are requested, and made: approvals of the older text fall, and who asked for them gets a point."""
    world.open("ann", "dragon", new_rule("A dragon", "There is a dragon."), "A dragon")
    world.settle()
    world.approve("bob", "dragon", "Fine.", name="bob on the first dragon")
    world.review("cid", "dragon", "request_changes", "Make it kind.")
    world.open("bob", "wyvern", new_rule("A wyvern", "There is a dragon."), "A wyvern")
    world.settle()
    world.push("ann", "dragon", new_rule("A dragon", "There is a kind dragon."))
    world.settle()
    world.approve("dee", "dragon", "of the older text", of=0)
    world.say("dee", "dragon", "/vote Stand aside because I know nothing of dragons")
    world.approve("cid", "dragon", "Thank you.")
    world.say("eve", "dragon", "/vote approve")
    world.settle()
    assert world.document("proposals/000/1")["state"] == "open", "bob approved of another text"
    world.approve("bob", "dragon", "Still fine.")
    world.settle()


def without_one(world: World) -> None:
    """One is missing, which is enough after two days; another title costs no approval; one is closed by its author."""
    world.open("eve", "moat", new_rule("A moat", "There is a moat."), "A moat")
    world.open("bob", "wall", new_rule("A wall", "There is a wall."), "A wall")
    world.settle()
    for who in ("ann", "bob", "cid"):
        world.approve(who, "moat")
    world.close("bob", "wall")
    world.settle()
    world.push("eve", "moat", {"rules/a-moat.yaml": rule("The moat", "There is a moat.")})
    world.wait(hours=45)
    world.settle()
    assert world.document("proposals/000/2")["state"] == "open"
    world.wait(hours=3)
    world.settle()


def won(world: World) -> None:
    """The table of rule 7 is amended, which wins the round; in the next one a player leaves, and play goes on."""
    table = world.file("rules/7.yaml").replace("[2, 1]", "[1, 1]").replace("| 2 | 1 |", "| 1 | 1 |")
    world.open("ann", "haste", {"rules/7.yaml": table.encode()}, "Haste")
    world.settle()
    for who in ("bob", "cid", "dee", "eve"):
        world.approve(who, "haste")
    world.open("cid", "tower", new_rule("A tower"), "A tower")
    world.settle()
    world.approve("bob", "tower")
    world.say("dee", "", "/leave")
    world.review("eve", "tower", "request_changes", "Too high.", name="eve objects")
    world.wait(hours=25)
    world.settle()
    world.dismiss("cid", "tower", "eve objects")
    world.say("ann", "tower", "/vote approve")
    world.say("eve", "tower", "/vote stand aside")
    world.settle()


# -- a session of the Assembly


def a_session(world: World) -> None:
    """Play from the first draft to the next round of the Assembly: two voting periods, and what goes on beside."""
    first_period(world)
    second_period(world)
    assert world.document("things/game")["game"]["round"] == 2
    assert world.document("things/player")["dee"]["crowns"] == 1


def first_period(world: World) -> None:
    """Drafts are reworded, taken back and distributed; ballots endorse others, and change; the Teller counts."""
    world.open("cid", "bells", wish("Bells", demand=act("demand", threshold=2)), "Bells")
    world.open("dee", "moat", new_rule("A moat"), "A moat")
    world.open("fay", "wall", new_rule("A wall"), "A wall")
    world.say("bob", "bells", "/do distribute as=herald")
    world.settle()
    bridge = {**new_rule("A moat", "There is a moat, and a bridge."), "inbox/demand.yaml": act("demand", threshold=3)}
    world.push("dee", "moat", bridge)
    world.close("fay", "wall")
    world.say("fay", "", "/do intend what=take_office of=keeper")
    world.settle()
    world.say("ann", "", "/do distribute as=herald")
    world.settle()
    world.approve("bob", "bells", "I like bells.")
    world.approve("dee", "bells", "Endorse cid, who hears well.")
    world.say("fay", "bells", "/vote endorse dee")
    world.say("cid", "bells", "/vote For because they ring")
    world.say("ann", "bells", "/vote present")
    world.say("mal", "bells", "/vote against")
    world.approve("cid", "moat")
    world.say("ann", "moat", "/vote endorse zed")
    world.say("bob", "moat", "/vote endorse cid")
    world.settle()
    world.review("cid", "moat", "request_changes", "Too wet.")
    world.push("dee", "moat", new_rule("A moat", "Dee is the Herald for ever."))
    world.settle()
    world.wait(hours=72)
    world.say("dee", "bells", "/vote against")
    world.say("bob", "bells", "/do count as=teller")
    world.settle()


def second_period(world: World) -> None:
    """An office is taken without objection, a report is ratified; the votes are counted by the rules: a Champion wins."""
    world.wait(hours=24)
    world.say("fay", "", "/do carry_out intent=intent-1")
    world.open("fay", "hail", wish("Hail", champion=act("champion", player="dee")), "Hail")
    world.settle()
    told = b"do: report\nas: keeper\nargs: {text: Ann was forgotten., laurels: {ann: 5}}\n"
    world.open("fay", "rolls", {"inbox/report.yaml": told}, "The rolls")
    world.say("ann", "", "/do name_deputy office=herald player=bob")
    world.say("bob", "hail", "/do distribute as=herald")
    world.settle()
    world.say("ann", "", "/do intend what=ratify of=report-1")
    world.approve("ann", "hail")
    world.approve("cid", "hail", "endorse ann")
    world.say("dee", "hail", "/vote endorse dee")
    world.settle()
    world.wait(hours=97)
    world.say("ann", "", "/do carry_out intent=intent-2")
    world.say("ann", "", "/do raise_voice")
    world.settle()


# -- a dynasty of the Council


def a_dynasty(world: World) -> None:
    """Play from the first proposals of a dynasty to its end, and on into the next."""
    for part in (in_line, judged, won_and_succeeded):
        part(world)


def in_line(world: World) -> None:
    """Matters wait for the oldest, which some leave to the Monarch; a newcomer votes, a text is reworded, one is vetoed."""
    world.open("bob", "dragon", new_rule("A dragon"), "A dragon")
    world.open("cid", "moat", new_rule("A moat"), "A moat")
    world.open("dee", "king", new_rule("A king"), "A king")
    world.settle()
    world.push("bob", "dragon", new_rule("A dragon", "There is a kind dragon."))
    world.say("eve", "", "/join id=eve")
    world.settle()
    world.approve("eve", "dragon", "Deferential: I am new here.")
    world.say("cid", "dragon", "/vote deferential")
    world.approve("bob", "moat")
    world.say("dee", "moat", "/vote for because it is wet")
    world.review("ann", "king", "request_changes", "Veto! One is enough.")
    world.say("bob", "king", "/vote veto")
    world.approve("cid", "king")
    world.settle()
    world.push("bob", "dragon", new_rule("A dragon", "Bob is the Monarch for ever."))
    world.wait(hours=13)
    world.settle()
    assert [world.document(f"proposals/000/{number}")["state"] for number in (1, 2, 3)] == ["open"] * 3
    world.approve("ann", "dragon", "Kind is good.", of=1)
    world.settle()


def judged(world: World) -> None:
    """A judgement that changes a rule comes by pull request; somebody goes idle, and nobody waits for them."""
    fair = world.file("rules/15.yaml").replace("Fair play", "Fair play for all")
    call = act("call_judgement", question="Is it for all?", answer="It is.")
    world.open("cid", "names", {"rules/15.yaml": fair.encode(), "inbox/call.yaml": call}, "Names")
    world.say("dee", "", "/go_idle")
    world.settle()
    world.say("dee", "names", "/vote against")
    world.say("bob", "names", "/vote DEFERENTIAL because ann knows")
    world.approve("ann", "names")
    world.wait(hours=13)
    world.settle()


def won_and_succeeded(world: World) -> None:
    """Victory is declared and upheld; the Address begins the next dynasty, without the rules of the last."""
    world.open("cid", "wall", new_rule("A wall"), "A wall")
    world.say("bob", "", '/do declare_victory because="I have five seals."')
    world.settle()
    world.say("ann", "", "/vote for declaration=6 because bob has")
    world.say("cid", "", "/vote for declaration=6")
    world.approve("ann", "wall")
    world.approve("bob", "wall")
    world.wait(hours=13)
    world.settle()
    world.say("cid", "", '/do ascend as=monarch theme="Walls."')
    world.say("bob", "", '/do ascend as=monarch theme="Ships."')
    world.settle()
    world.open("eve", "sail", new_rule("A sail"), "A sail")
    world.settle()
    world.say("ann", "sail", "/vote deferential")
    world.approve("bob", "sail")
    world.wait(hours=13)
    world.settle()


def proposal_number(world: World, word: str) -> int:
    """Return the number of the proposal that a pull request made."""
    kept = world.document(f"pulls/{world.kind}/000/{world.pulls[word]}")["proposals"][-1]
    return int(kept.partition("/")[2])


# -- a round in words that no engine guesses


def a_harvest(world: World) -> None:
    """A stranger asks to come in and is let in by a vote; what is sown is ripe, is blessed, and the stranger sows too."""
    world.open("eve", "eve asks", {"inbox/join.yaml": act("join", plea="Let me in.")})
    world.open("ann", "rain", new_rule("Rain"), "Rain")
    world.settle()
    world.approve("bob", "rain", "Rain is good.")
    world.say("cid", "rain", "/vote Pull it out because it is wet")
    for who in ("ann", "bob", "cid"):
        world.say(who, "eve asks", "/vote let it grow welcome=1")
    world.say("ann", "rain", "/vote Let it grow")
    world.say("mal", "rain", "/vote let it grow")
    world.settle()
    world.wait(hours=52)  # those are reminded who have said nothing
    world.say("dee", "eve asks", "/vote wait a moon welcome=1")
    world.settle()
    world.wait(hours=24)
    world.say("dee", "rain", "/do bless furrow=571 as=beadle")
    world.settle()
    world.open("eve", "mist", new_rule("Mist"), "Mist")
    world.settle()
    world.review("bob", "mist", "request_changes", "It is wet.")
    world.close("eve", "mist")
    world.settle()
