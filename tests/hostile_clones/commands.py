"""How each command of `moot` is tried: in a form that looks, one that acts, or both."""

from __future__ import annotations

from msgspec import Struct

from folkmoot.cli.exit_codes import Exit


class Form(Struct, frozen=True):
    """A way to run a command: its words, where, and what it may change.

    `place` is a game kept by hand, a player's seat at a table, or the bare repository of one. `looks`: it may change
    nothing in the clone but below `.git`. `makes`: what it makes beside the clone. `until`: a word after which it is
    interrupted, because it would go on. `asked`: the person names the listener. `usual`: how it ends in a sound clone.
    `completing`: a shell asks what may stand for the last of the words, as at each press of a key.
    """

    words: tuple[str, ...]
    place: str = "hand"
    looks: bool = False
    makes: tuple[str, ...] = ()
    until: str = ""
    asked: bool = False
    slow: bool = False
    usual: int = 0
    completing: bool = False


def look(*words: str, place: str = "hand", usual: int = 0) -> Form:
    """Return a form that looks."""
    return Form(words, place, looks=True, usual=usual)


def complete(*words: str, place: str = "hand") -> Form:
    """Return a form in which a shell completes the last word."""
    return Form(words, place, looks=True, completing=True)


def act(*words: str, place: str = "hand", **more: object) -> Form:
    """Return a form that acts."""
    return Form(words, place, **more)  # type: ignore[arg-type]


AT = ("--forge", "github", "--home", "https://127.0.0.1:9/ann/game")
LOGINS = ("--login", "ann=ann:1", "--login", "bob=bob:2", "--login", "cid=cid:3")
FORMS: dict[str, tuple[Form, ...]] = {
    "new": (
        act("new", "second", "-r", "suber", "-p", "ann", "-p", "bob"),
        act("new", "third", "-p", "ann", "-r", "./tea"),
    ),
    "table": (act("table", "inner.git", "-r", "suber", "-p", "ann", "-p", "bob", slow=True),),
    "init": (
        act("init", *AT, *LOGINS),
        act("init", "--pin"),
    ),
    "begin": (act("begin", "third", *AT, "--founder", "ann", usual=5),),
    "doctor": (look("doctor", usual=1), look("doctor", place="seat"), look("doctor", place="table")),
    "demo": (act("demo", "--play"), act("demo", "--no-serve", slow=True)),
    "join": (
        act("join", "eve", "--name", "Eve", place="seat", usual=3),
        look("join", "eve", "--dry-run", place="seat", usual=3),
    ),
    "status": (
        look("status"),
        look("status", "--json", place="seat"),
        look("status", "--wait", "--timeout", "0", usual=1),
        look("status", "--wait", "--timeout", "0", place="seat"),
    ),
    "show": (
        complete("show", "rule", ""),
        look("show"),
        look("show", "rule", "205", place="seat"),
        look("show", "1", place="seat"),
        look("show", "hand", usual=2),
        look("show", "hand", place="seat"),
    ),
    "log": (look("log"), look("log", "--json", place="seat")),
    "propose": (
        act("propose", "--rule", "tea.yaml", "--anyway", place="seat"),
        look("propose", "--repeal", "206", "--dry-run", place="seat", usual=3),
        act("propose", "--update", "1", "--repeal", "206", "--anyway", place="seat"),
    ),
    "vote": (
        act("vote", "1", "for", "--anyway", place="seat"),
        complete("vote", "", place="seat"),
        look("vote", "1", "against", "--dry-run", place="seat"),
    ),
    "act": (
        act("act", "state", "--by", "ann", "Hello."),
        act("act", "state", "Hello.", place="seat"),
        look("act", "--list", place="seat"),
        complete("act", "", place="seat"),
        complete("act", "state", ""),
        look("act", "state", "Hello.", "--dry-run", usual=2),
    ),
    "comment": (act("comment", "--on", "1", "Why?", place="seat"), look("comment", "Why?", "--dry-run", place="seat")),
    "withdraw": (act("withdraw", "1", place="seat"), look("withdraw", "1", "--dry-run", place="seat")),
    "key": (
        look("key", usual=1),
        look("key", "--dice"),
        act("key", "--sealing"),
        act("key", "--keeper"),
        look("key", place="seat"),
    ),
    "referee": (
        act("referee"),
        act("referee", "--until", "+72h"),
        act("referee", place="seat"),
        act("referee", place="table"),
        act("referee", "--dry-run", place="table"),
        act("-C", "../table.git", "referee", place="seat"),
    ),
    "check": (
        look("check"),
        look("check", "."),
        look("check", "state", "tea.yaml", place="seat"),
        act("check", "--schemas", "schemas"),
    ),
    "try": (
        look("try", "tea.yaml"),
        look("try", "--repeal", "206", place="seat"),
        look("try", "1", place="seat"),
        look("try", "--comment", "tea.yaml", usual=1),
        look("try", "--said", "1", place="seat"),
    ),
    "verify": (
        look("verify"),
        look("verify", place="seat"),
        look("verify", place="table", usual=2),
        look("verify", "--repair", place="seat"),
        act("verify", "--repair", "revert", "--by", "ann", place="seat"),
        look("verify", "--repair"),
    ),
    "explain": (
        complete("explain", "entry", "", place="seat"),
        look("explain", "ann", "score"),
        look("explain", "rule", "205", place="seat"),
        look("explain", "entry", "2"),
        look("explain", "digest", '["a", 1]'),
    ),
    "serve": (
        act("serve", "--build", slow=True),
        act("serve", "--port", "0", until="127.0.0.1", slow=True),
    ),
}

NAMED, ITS_OWN = "tea.yaml", (Exit.PROBLEMS, Exit.USAGE)
"""A file that the person names is theirs to name: commands say what is wrong with it, as with any other."""
LISTS = frozenset({"check", "doctor", "verify"})
"""Commands that are there to list all that is wrong; every other one says what stops it in one sentence."""
