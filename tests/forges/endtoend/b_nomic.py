"""The script of two nweeks of B Nomic: all that people do on a forge, under a Clock that they stop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folkmoot.game.rulesets import founding
from tests.forges.endtoend.games import act, new_rule, players
from tests.forges.endtoend.world import START, World
from tests.support.meeting import rule

LAW: Mapping[str, Any] = {
    **founding("b-nomic"),
    "title": "Gremlins",
    "offices": {"meta": "ann", "change": "ann", "law": "bob", "banking": "cid", "grammar": "cid"},
}
SHORT: Mapping[str, Any] = {
    **LAW,
    "opening": [
        *[statement for statement in LAW["opening"] if "game" not in statement],
        {"game": True, "nweeks": 95, "ndays": 9},
        *[{"player": who, "genechips": 20} for who in ("cid", "dee")],
    ],
}
PLAYERS = ("ann", "bob", "cid", "dee", "fay", "gus", "hal")
RINGS = """def on_proposal_adopted(e):
    create("talisman_type", "ring", name = "Ring", effects = "It shines.", price = [{"sp": 90}])
    create("entry", name = "fnord", definition = "Nothing to see.")
"""
READING = """def on_proposal_adopted(e):
    put("settings", "four_nweeks_silent", "boundaries")
"""
WORDS = (
    "at an as be by do go he hi if in is it me my no of oh on or so to up us we add age air arm art ask eat ear end"
    " far few for get got had has hat her him his hot its job let lot low man may men met net new nor not now off oil"
    " old one our out own pay per put ran red rid run sat saw sea see set she sit six son sun tax tea ten the tie too"
    " top try two use van war was way who why win yes yet you"
).split()


def clock(world: World, days: int, hour: float) -> None:
    """Let time pass until an hour of a day, counted from that of the founding."""
    midnight = START - START % 86_400 + days * 86_400
    assert world.now <= midnight + hour * 3600, "it is later already"
    world.now = midnight + round(hour * 3600)


def order(title: str, script: str) -> bytes:
    """Return the file of something that a Motion does once."""
    return rule(title, "It is done once.", script=script) + b"once: true\n"


def game(world: World) -> dict[str, Any]:
    """Return the registers of the game."""
    return dict(world.document("things/game")["game"])


def serial(world: World, word: str) -> int:
    """Return the serial number of the Motion that a pull request made."""
    kept = world.document(f"pulls/{world.kind}/000/{world.pulls[word]}")["proposals"][-1]
    return int(kept.partition("/")[2])


def motion(world: World, word: str) -> dict[str, Any]:
    """Return the Motion that a pull request made."""
    return world.document(f"votes/motion/000/{serial(world, word)}")


def amended(world: World, path: str, *pairs: tuple[str, str]) -> dict[str, bytes | None]:
    """Return a rule's file with other words in it."""
    text = world.file(path)
    for old, new in pairs:
        assert old in text, (path, old)
        text = text.replace(old, new)
    return {path: text.encode()}


def two_nweeks(world: World) -> None:
    """Play nweeks 95 and 96 to their ends."""
    an_nweek(world)
    the_next(world)


def an_nweek(world: World) -> None:
    """Play from the founding to the end of nweek 95."""
    founded(world)
    emergencies(world)
    offices_and_tiles(world)
    clock_off(world)
    corrected(world)
    elected(world)
    voting_period(world)


def founded(world: World) -> None:
    """Nweek 94, nday 11: proposals for the next Voting Period, of which one is reworded, and two Tweaks beside them."""
    world.open("cid", "rings", {"rules/rings.yaml": order("Rings", RINGS)}, "Rings")
    vat = amended(
        world,
        "rules/9-3.yaml",
        ("the last four nweeks have", "the last nweek has"),
        ("SILENT, SOAKED, NWEEK = 4, 2, 12", "SILENT, SOAKED, NWEEK = 1, 2, 12"),
    )
    world.open("fay", "vat", vat, "A small Vat")
    world.open("dee", "tea", new_rule("Tea", "There is tea."), "Tea")
    world.open("bob", "king", new_rule("King", "Bob is king."), "King")
    oops = amended(world, "rules/1-4.yaml", ("text: |\n", "text: |\n  [[Tweaked.]]\n\n"))
    world.open("ann", "oops", {**oops, "inbox/tweak.yaml": act("submit_tweak", title="Oops")}, "Oops")
    world.settle()
    world.approve("gus", "tea", "I like tea.")
    world.open("dee", "slip", {**new_rule("Slip"), "inbox/tweak.yaml": act("submit_tweak", title="Slip")}, "Slip")
    world.push("dee", "tea", new_rule("Tea", "There is tea, and it is hot."))
    world.settle()


def emergencies(world: World) -> None:
    """Both Tweaks are Open: one is seconded twice, the other is objected to."""
    clock(world, 1, 14)
    world.approve("bob", "oops", "So it was meant.")
    world.say("cid", "oops", "/vote SECOND because it was a slip")
    world.say("ann", "oops", "/vote SECOND")
    world.approve("bob", "slip")
    world.approve("cid", "slip")
    world.review("fay", "slip", "request_changes", "This is no emergency.")
    world.settle()


def offices_and_tiles(world: World) -> None:
    """Nweek 95 begins: an Election is started, two begin to play Tiles, and words are laid."""
    clock(world, 2, 12)
    world.say("fay", "", "/start_election ministry=arcana")
    world.say("fay", "", "/nominate ministry=arcana player=dee\n/nominate ministry=arcana player=gus")
    world.say("dee", "", "/accept ministry=arcana\n/start_tiles")
    world.say("fay", "", "/start_tiles")
    world.say("gus", "", "/accept ministry=arcana")
    world.settle()
    lay(world, "dee", 5)
    lay(world, "fay", 4)
    world.say("dee", "", '/play_word zone=1 tiles=["tile-q-1"]')
    world.settle()


def lay(world: World, player: str, zone: int) -> None:
    """Lay some word of a player's Rack in an empty Zone."""
    tiles = world.document("things/tile")
    rack = {tile: had["letter"] for tile, had in tiles.items() if had.get("owner") == player and had.get("letter")}
    for word in WORDS:
        chosen: list[str] = []
        for letter in word:
            chosen += [tile for tile, has in rack.items() if has == letter and tile not in chosen][:1]
        if len(chosen) == len(word):
            listed = ", ".join(f'"{tile}"' for tile in chosen)
            world.say(player, "", f"/play_word zone={zone} tiles=[{listed}]")
            return
    raise AssertionError(f"no word in {rack}")


def clock_off(world: World) -> None:
    """The Clock is Off over a midnight: what is done waits, but for Tweaks and inquiries."""
    clock(world, 3, 10)
    world.say("ann", "", "/flip_key")
    world.say("bob", "", "/flip_key")
    world.settle()
    assert game(world)["clock"] == "Off"
    world.open("dee", "late", new_rule("Late", "There is no hurry."), "Late")
    world.say("gus", "", "/give_gc to=dee n=5")
    world.open("gus", "free", {**new_rule("Free"), "inbox/tweak.yaml": act("submit_tweak", title="Free")}, "Free")
    cfi = act("submit_cfi", statement="An nweek that has begun counts as one", defendant="bob")
    world.open("cid", "inquiry", {"rules/reading.yaml": order("Reading", READING), "inbox/cfi.yaml": cfi}, "Inquiry")
    world.settle()
    clock(world, 4, 9)
    assert game(world)["ndays"] == 2
    assert game(world)["wdays"] in (0, 1)
    world.say("bob", "", "/flip_key")
    world.settle()
    assert game(world)["clock"] == "On"


def corrected(world: World) -> None:
    """Referenda, of which one has two objections; votes on the CFI by review, by command, and by those who may not."""
    clock(world, 5, 12)
    words = amended(world, "rules/1-1.yaml", ("text: |\n", "text: |\n  [[Tidied.]]\n"))
    world.open("bob", "tidy", {**words, "inbox/referendum.yaml": act("submit_referendum", title="Tidy")}, "Tidy")
    words = amended(world, "rules/1-6.yaml", ("text: |\n", "text: |\n  [[Worse.]]\n"))
    world.open("cid", "worse", {**words, "inbox/referendum.yaml": act("submit_referendum", title="Worse")}, "Worse")
    world.open("hal", "none", {**words, "inbox/referendum.yaml": act("submit_referendum", title="None")}, "None")
    world.settle()
    clock(world, 6, 14)
    world.review("ann", "tidy", "request_changes", "It was tidy.")
    world.review("ann", "worse", "request_changes", "It is worse.")
    world.say("dee", "worse", "/vote OBJECT")
    world.approve("fay", "worse", "Why not.")
    world.approve("ann", "inquiry", "It does.")
    world.say("dee", "inquiry", "/vote YES because it has begun")
    world.review("fay", "inquiry", "request_changes", "It does not.")
    world.say("gus", "inquiry", "/vote refused, for who am I to judge")
    world.say("hal", "inquiry", "/vote yes")
    world.say("bob", "inquiry", "/vote NO")
    world.say("hal", "inquiry", "/vote MAYBE")
    world.say("fay", "inquiry", '/argue text="It has only begun."')
    world.settle()


def elected(world: World) -> None:
    """The Election's vote, the last of each counting."""
    clock(world, 9, 12)
    world.say("ann", "", "/vote_election ministry=arcana player=dee")
    world.say("bob", "", "/vote_election ministry=arcana player=gus")
    world.say("bob", "", "/vote_election ministry=arcana player=dee")
    world.say("cid", "", "/vote_election ministry=arcana player=gus")
    world.settle()
    clock(world, 12, 1)
    world.settle()


def voting_period(world: World) -> None:
    """All five words; one joins and one leaves in mid-vote; a bribe, a veto; what is malformed is told."""
    clock(world, 12, 12)
    world.approve("bob", "rings", "I want one.")
    world.approve("ann", "rings", "VOTE: MAYBE NOT", name="ann's maybe not")
    world.say("dee", "rings", "/vote Maybe")
    world.approve("gus", "rings")
    world.say("fay", "rings", "/vote FOR because they shine")
    world.say("ann", "tea", "/vote AGAINST")
    world.say("fay", "tea", "/vote for\n/bribe vote=FOR")
    world.approve("dee", "tea")
    world.review("ann", "king", "request_changes", "No kings.")
    world.review("cid", "king", "request_changes", "Maybe not, for he is kind")
    world.say("dee", "king", "/vote SHELVE")
    world.say("fay", "king", "/vtoe FOR\n/bribe vote")
    world.say("fay", "king", "/vote MAYBE NOT because I like him")
    world.say("fay", "king", "/bribe vote=PERHAPS")
    world.approve("bob", "king")
    world.settle()
    world.say("eve", "", "/join id=eve name=Eve")
    world.say("cid", "late", "/vote maybe")
    world.settle()
    world.approve("eve", "tea", "I am new, and thirsty.")
    world.say("eve", "late", "/vote MAYBE NOT")
    world.approve("cid", "vat")
    world.say("zed", "vat", "/vote AGAINST")
    world.settle()
    clock(world, 13, 12)
    world.say("gus", "", "/forfeit")
    world.review("eve", "vat", "request_changes", "It is too small.", name="eve against")
    world.settle()
    world.say("eve", "vat", "/vote ABSTAIN")
    world.settle()
    clock(world, 15, 1)
    world.settle()
    states = {word: motion(world, word)["state"] for word in ("rings", "tea", "king", "vat", "late")}
    assert states == {"rings": "passed", "tea": "passed", "king": "failed", "vat": "passed", "late": "failed"}, states


def the_next(world: World) -> None:
    """Play nweek 96 to its end, and into the next."""
    mystical(world)
    spelt_badly(world)
    second_vote(world)


def mystical(world: World) -> None:
    """A Talisman is to be forged of a Soul; a Lost one is taken; somebody is put In The Vat."""
    clock(world, 15, 12)
    world.say("fay", "", '/forge type=ring objects=["soul-fay"]')
    world.say("cid", "", "/take_soul soul=soul-gus")
    world.say("ann", "", "/vat player=bob\n/vat player=hal")
    world.say("dee", "", "/choose_class class=Senator")
    world.fill("dee", "A gift", "act", "/give_gc to=cid n=7", choice="give_gc", arguments="to: cid\nn: 7")
    world.settle()
    lay(world, "fay", 9)
    world.say("cid", "", "/hide period=3 unit=ndays")
    world.settle()


def spelt_badly(world: World) -> None:
    """Proposals of the next nweek; the grammar of one is reported, and corrected in part; one cannot be withdrawn."""
    clock(world, 17, 12)
    world.open("eve", "bell", new_rule("Bell", "Their is a bell, an it rings."), "Bell")
    world.open("bob", "moat", new_rule("Moat", "There is a moat."), "Moat")
    change = '[{"enact": {"title": "Fog", "text": "There is fog.\\n"}}]'
    said = f"/submit_proposal changes={change} title=Fog"
    filled = {"change": "Enact a new rule", "title": "Fog", "text": "There is fog."}
    world.fill("ann", "Fog", "propose", said, **filled)
    world.settle()
    number = serial(world, "bell")
    world.say("cid", "", f'/report_grammar as=grammar motion={number} violations=["Their", "an it"]')
    world.close("bob", "moat")
    world.settle()
    world.push("eve", "bell", new_rule("Bell", "There is a bell, an it rings."))
    world.settle()


def second_vote(world: World) -> None:
    """The second Voting Period: a veto; somebody is Smitten in the midst of it; the nweek ends with wages."""
    clock(world, 24, 12)
    world.approve("ann", "bell")
    for who in players(world):
        if who not in ("ann", "hal"):
            world.say(who, "moat", "/vote AGAINST")
    world.reopen("bob", "moat")
    world.settle()
    dictator = game(world)["stamp"]
    world.say(dictator, "", f"/veto motion={serial(world, 'bell')}")
    world.say("hal", "", "/state I am here.")
    world.settle()
    clock(world, 27, 12)
    world.settle()
    assert (game(world)["nweeks"], game(world)["ndays"]) == (97, 1)


# -- a cut of it, without proposals that change how the game runs


SHORT_PLAYERS = ("ann", "bob", "cid", "dee")


def words_and_days(world: World) -> None:
    """Play the last three ndays of an nweek: a Tweak beside a proposal, the Clock Off and On, MAYBE NOT by a review."""
    tea, slip = new_rule("Tea", "There is tea."), {**new_rule("Slip"), "inbox/tweak.yaml": act("submit_tweak")}
    world.open("dee", "tea", tea, "Tea")
    world.open("ann", "slip", slip, "Slip")
    world.say("ann", "", "/flip_key")
    world.say("bob", "", "/flip_key")
    world.open("cid", "late", new_rule("Late", "There is no hurry."), "Late")
    world.fill("cid", "A gift", "act", "/give_gc to=dee n=7", choice="give_gc", arguments="to: dee\nn: 7")
    world.settle()
    assert (game(world)["clock"], len(world.document("things/held"))) == ("Off", 2)
    clock(world, 1, 14)
    world.say("bob", "slip", "/vote SECOND")
    world.approve("cid", "slip", "It was one.")
    world.approve("dee", "slip")
    world.say("bob", "", "/flip_key")
    world.settle()
    assert (game(world)["clock"], game(world)["ndays"], world.document("things/held")) == ("On", 9, {})
    clock(world, 2, 12)
    world.approve("ann", "tea", "VOTE: MAYBE NOT")
    world.review("bob", "tea", "request_changes", "Too hot.")
    world.say("eve", "", "/join id=eve name=Eve")
    world.say("dee", "tea", "/vote SHELVE\n/vote For because it is good\n/bribe vote=MAYBE")
    world.say("cid", "late", "/vtoe FOR\n/vote maybe")
    world.approve("eve", "tea")
    world.say("eve", "late", "/vote MAYBE NOT, I fear")
    world.say("bob", "", "/forfeit")  # two others have seconded the Tweak
    world.settle()
    clock(world, 8, 1)
    world.settle()
    states = {word: motion(world, word)["state"] for word in world.pulls}
    assert states == {"tea": "passed", "slip": "passed", "late": "failed"}, states
