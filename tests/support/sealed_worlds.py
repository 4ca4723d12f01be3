"""Random laws over sealed and open registers, and games by them: two worlds differ in nothing but what is sealed.

A law is made of lines drawn at random: reading, keeping, passing on, computing, disclosing, comparing, failing. A game is
a list of acts, each with what is sealed in it for either world.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

from msgspec import Struct, field

from tests.support.table import Record, rule

PLAYERS = ("ann", "bob", "cid")
FUNCTIONS = """
def same(x):
    return x

def both(x, y):
    return [x, y]

def constant(x):
    return 7

def length(x):
    return len(x)

def inner(x):
    return x[0]

def key_of(x):
    return {"aa": 1}[x]

def loud(x):
    fail("canary %s" % x)

def busy(x):
    found = 0
    for n in range(x):
        found += n * n
    return found

def asks(x):
    if x == 10 or x == "aa":
        return get("game", "open")
    return x

def tells(x):
    if x == 10 or x == "aa":
        announce("canary")
        put("game", "open", 3)
    return x

def large(x):
    return "y" * (20000 if x == 10 or x == "aa" else 10)

def handles(x):
    return {"$sealed": 1} if x == 10 else struct(a = x)
"""
ONE = ("same", "constant", "length", "inner", "key_of", "loud", "busy", "asks", "tells", "large", "handles")
VALUES = ([10, "aa", [1, 2], None], [3, "bb", {"k": [1]}, True], ["left", "right"], [10, 9, 8, 7])
SECRETS = (
    (10, 3),
    ("aa", "bb"),
    ([1, 2], [3, 4]),
    (10, "aa"),
    ("aa", ["x"]),
    (0, 999_999),
    (None, False),
    ("a", "z" * 900),
)
"""What players seal in the one world and in the other; of a number, text or list each."""
READ = (
    'get("{p}", "hand")',
    'get("{p}", "secret")',
    'get("{q}", "hand")',
    'get("game", "vault")',
    'get_all("player", "hand")["{p}"]',
    'get_in("game", "table", "{k}")',
    '(get("game", "pile") + [None])[0]',
    "a.args.card",
    "a.args.own",
    'get("card-{n}", "face", None)',
    'get("card-{n}", "mark", None)',
)
LINES = (
    'x{i} = sealed("{f}", {h})',
    'x{i} = sealed("{f}", {h})',
    'x{i} = sealed("both", {h}, {g})',
    "x{i} = pick_sealed({v})",
    "x{i} = shuffle_sealed({v})[{n} % 2]",
    'put("{p}", "hand", {h})',
    'put("{p}", "hand", {h})',
    'put("{p}", "secret", {h})',
    'put("game", "vault", {h})',
    'put("game", "vault", [{h}, 3])',
    'put("{p}", "memo", {{"k": {h}}})',
    'put_all("hand", {{p: {h} for p in things("player")}})',
    'put_in("game", "table", "{k}", {h})',
    'append("game", "pile", {h})',
    'put("game", "pile", [])',
    'put("game", "pile", [each for each in get("game", "pile") if each != {h}])',
    'create("card", face = {h}, mark = {g})',
    'create("card", face = 10, mark = {g})',
    'give("card-{n}", "{p}")',
    'destroy(things("card")[-1])',
    'put("card-{n}", "mark", {h})',
    'disclose({h}, "{p}")',
    'disclose({h}, ["office/dealer"])',
    'put(office("dealer"), "holder", "{p}")',
    'emit("told", what = {h})',
    'later("told", what = {h})',
    'after(60, "due", key = "t{n}", what = {h})',
    'owe("{p}", "play", key = "d{n}")',
    'award("{p}", "score", 2 if {h} == {g} else 1)',
    'award("{p}", "score", 1 if {h} else 3)',
    'add("game", "open", len(get("game", "pile")))',
    'announce("%s %s %s" % ({h} == {g}, {h} in [{g}, 10, "aa"], bool({h})))',
    'announce("%s" % [{h}, {g}])',
    "announce(str({h}) + type({h}) + str(dir({h})))",
    "announce(digest({h}))",
    'announce("%s" % is_open({h}))',
    'announce("%s" % get("game", "table"))',
    'put("game", "open", declassify(sealed("constant", {h}), "always seven"))',
    'reveal(sealed("constant", {h}))',
    'put("game", "named", {{str({h}): 1}})',
    'require({h} == {g}, "E-NO", "%s is not %s" % ({h}, {g}))',
    'require({h} != 10, "E-NO", str({h}))',
    'tried = try_act("a{m}", "{p}", {{"card": {h}}})\n    announce("%s %s" % (tried.ok, tried.why))',
    'cast(proposals("open")[0], "{p}", {h})',
    'announce("%s" % [(b.player, b.choice) for p in proposals() for b in p.ballots])',
    'announce("%s" % [ballots(p, "for") for p in proposals()])',
)
FAILING = (
    "announce({h})",
    'announce("x" + {h})',
    'add("game", "open", {h})',
    'put("game", "open", {h})',
    'put("game", "named", {{{h}: 1}})',
    "x{i} = {h} + 1",
    "x{i} = sorted([{h}, {g}])",
    'award({h}, "score", 1)',
    'award("{p}", "score", {h})',
    "x{i} = [1, 2, 3][{h}]",
    "x{i} = range({h})",
    "x{i} = {h}.value",
    'get({h}, "hand")',
    'x{i} = sealed("key_of", {h})[0]',
    'fail("%s" % {h})',
    'refuse("E-NO", {h})',
)
EARLIER = "def do_deal(a):\n    for p in things('player'):\n        put(p, 'hand', pick_sealed([10, 'aa']))\n        put(p, 'secret', pick_sealed(['l', 'r']))\n    put('game', 'vault', pick_sealed([[1], {'k': 2}]))\n    for n, p in enumerate(things('player')):\n        give(create('card', 'card-%d' % (n + 1), face = 10, mark = pick_sealed(['l', 'r'])), p)\n"


class Law(Struct):
    """A rule made of random lines."""

    random: Random
    actions: dict[str, str] = field(default_factory=dict)
    hook: str = ""

    def __post_init__(self) -> None:
        self.actions = {f"a{n}": self._body(bool(n % 2)) for n in range(4)}
        self.hook = self._body(True, argument='(e.what if hasattr(e, "what") else None)')

    def _body(self, failing: bool, argument: str = "") -> str:
        lines = [self._line(LINES, place, argument) for place in range(self.random.randint(2, 7))]
        if failing and self.random.random() < 0.6:
            lines.append(self._line(FAILING, 9, argument))
        return "".join(f"    {line}\n" for line in lines)

    def _line(self, forms: tuple[str, ...], place: int, argument: str) -> str:
        pick = self.random.choice
        given = {
            "p": pick(PLAYERS), "q": pick(PLAYERS), "k": pick("kl"), "n": pick("123"), "m": pick("0123"), "f": pick(ONE),
            "v": repr(pick(VALUES)), "i": place,
        }  # fmt: skip
        for name in "hg":
            found = pick((*READ, f"x{place - 1}", f"x{place - 1}")) if place else pick(READ)
            found = argument if argument and (found.startswith("a.") or found[0] == "x") else found
            given[name] = found.format(**given)
        return pick(forms).format(**given)

    def rule(self) -> Record:
        given = "".join(f"\ndef do_{name}(a):\n{body}" for name, body in self.actions.items())
        hooks = f"\ndef on_told(e):\n{self.hook}\ndef on_due(e):\n{self.hook}"
        arguments = {"card": _sealed("nobody"), "own": _sealed("owner")}
        return rule(
            "1",
            f"{FUNCTIONS}\n{EARLIER}\n{_with_names(given)}{_with_names(hooks)}",
            sealed=dict.fromkeys((*ONE, "both"), "What it tells"),
            defines={
                "player": {"hand": _sealed("owner"), "secret": _sealed("nobody"), "memo": {"type": "map"}},
                "game": {
                    "vault": _sealed(["office/dealer", "bob"]),
                    "pile": {"type": "list"},
                    "table": {"type": "map"},
                    "named": {"type": "map"},
                    "open": {"type": "integer", "initial": 0},
                },
                "offices": {"dealer": {}},
                "currencies": {"score": {}},
                "kinds": {"card": {"registers": {"face": _sealed("owner"), "mark": _sealed("nobody")}}},
            },
            timers={"due": {"summary": "Something is due"}},
            actions={"deal": {}, **{name: {"arguments": arguments} for name in self.actions}},
        )


def _sealed(to: str | list[str]) -> Record:
    return {"type": "any", "sealed": to, "optional": True}


def _with_names(script: str) -> str:
    """Return functions in which each name that a line may use is there: None before it is made."""
    found = []
    for part in re.split(r"(?m)^(?=def )", script):
        names = sorted({*re.findall(r"\bx\d\b", part)})
        head, _, body = part.partition("\n")
        found.append("\n".join([head, *(f"    {name} = None" for name in names), body]) if names else part)
    return "".join(found)


class Act(Struct):
    """An act, and what is sealed as its arguments in either world."""

    by: str
    do: str
    sealed: dict[str, tuple[Any, Any]]
    wait: int = 0


def acts(random: Random, count: int) -> list[Act]:
    """Return random acts of a random law: with cards of either world, or votes."""
    found = []
    for _ in range(count):
        by = random.choice(PLAYERS)
        if random.random() < 0.15:
            found.append(Act(by, "vote", {"choice": random.choice((("for", "against"), ("against", "for")))}))
            continue
        names = [name for name in ("card", "own") if random.random() < 0.6]
        sealed = {name: random.choice(SECRETS) for name in names}
        found.append(Act(by, f"a{random.randrange(4)}", sealed, random.choice((0, 0, 0, 61))))
    return found
