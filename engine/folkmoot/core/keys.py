"""Where the documents of a game lie, and in which order rules stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast

from folkmoot.core.documents import (
    Claim,
    Document,
    FactsDocument,
    GameDocument,
    HeldAct,
    HistoryDocument,
    LawDocument,
    Proposal,
    Roster,
    RuleDocument,
    SealedValue,
    Timer,
)
from folkmoot.core.portable_names import folded
from folkmoot.core.records import Duty, KeptAct, PlayedAt, Registers, Via, Written
from folkmoot.core.values import is_digits

Kept = TypeVar("Kept", bound=Document)
Kept_co = TypeVar("Kept_co", bound=Document, covariant=True)


class Key(str, Generic[Kept_co]):
    """The key of a document of a known type; when the program runs, any text."""

    __slots__ = ()


GAME = cast("Key[GameDocument]", "game")
ROSTER = cast("Key[Roster]", "roster")
LAW = cast("Key[LawDocument]", "law")
PLAYERS = cast("Key[dict[str, Registers]]", "things/player")
OFFICES = cast("Key[dict[str, Registers]]", "things/office")
TIMERS = cast("Key[dict[str, Timer]]", "things/timer")
DUTIES = cast("Key[dict[str, Duty]]", "things/duty")
HELD = cast("Key[dict[str, HeldAct]]", "things/held")

NEW = "new"
ON_TRIAL = ("probe", NEW)
"""What the uids begin with of rules that are only tried."""
NO_RULES = ("library", "*")
"""What stands for a rule where scripts of no rule of its own, or of all, are meant."""
DAY = 86_400  # seconds
FORGE = re.compile(r"[a-z][a-z0-9]{0,19}")
HOME = re.compile(
    r"https?://(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9a-f:]+\])(?::[0-9]{1,5})?"
    r"(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*){2,}",
    re.ASCII,
)
MENTIONS = ("all", "reminders", "off")
"""Of what a player lets a forge notify them."""
LONGEST_REMINDER = 720  # hours
REMINDED = 24
"""How many hours before a deadline those are reminded who still owe something, where the game does not say."""


def claim_of(game: Document) -> Claim | None:
    """Return the claim to become an administrator that runs: `by`, `at`, `due`, `until` (seconds), and `against`."""
    claim: Claim | None = (game.get("succession") or {}).get("claim")
    return claim


def forge_kind(game: PlayedAt) -> str:
    """Return the kind of forge by which the acts of a game come (`game` is its game.yaml), "" for none.

    >>> forge_kind({"forge": "local"}), forge_kind({"forge": {"kind": "gitea"}}), forge_kind({})
    ('local', 'gitea', '')
    """
    forge = game.get("forge")
    return str((forge.get("kind") if isinstance(forge, Mapping) else forge) or "")


def forge_home(game: PlayedAt) -> str:
    """Return the address of the repository on its forge, "" where the game does not say.

    >>> forge_home({"forge": {"kind": "github", "home": "https://github.com/ann/game"}}), forge_home({"forge": "local"})
    ('https://github.com/ann/game', '')
    """
    forge = game.get("forge")
    return str(forge.get("home") or "") if isinstance(forge, Mapping) else ""


def forge_stay(game: PlayedAt) -> int:
    """Return on how many forges of its kind a game was before, 0 where this is the first.

    >>> forge_stay({"forge": {"kind": "gitea", "stay": 1}}), forge_stay({"forge": "local"})
    (1, 0)
    """
    forge = game.get("forge")
    return int(forge.get("stay") or 0) if isinstance(forge, Mapping) else 0


def came_here(via: Via, game: PlayedAt) -> bool:
    """Say whether an act came by the forge on which a game is played now: numbers of another one are none of its own.

    >>> came_here({"forge": "gitea", "pull": 3}, {"forge": {"kind": "gitea", "stay": 1}})
    False
    """
    return via.get("forge") == forge_kind(game) and int(via.get("stay") or 0) == forge_stay(game)


def pull_here(proposal: Proposal, game: PlayedAt) -> int:
    """Return in which pull request a proposal is met on the forge of a game, 0 where it is met in none there.

    >>> pull_here({"via": {"forge": "local", "pull": 3}}, {"forge": "local"}), pull_here({}, {"forge": "local"})
    (3, 0)
    """
    via = proposal.get("via") or {}
    return int(via.get("pull") or 0) if came_here(via, game) else 0


def place_here(game: PlayedAt, kind: str = "") -> Via:
    """Return by which forge acts come to a game now, as the record names it; `kind` where the game does not say.

    >>> place_here({"forge": {"kind": "gitea", "stay": 1}}), place_here({}, "local")
    ({'forge': 'gitea', 'stay': 1}, {'forge': 'local'})
    """
    stay = forge_stay(game)
    return {"forge": forge_kind(game) or kind, **({"stay": stay} if stay else {})}


@lru_cache(maxsize=1024)
def proposal_key(identifier: str) -> Key[Proposal]:
    """Return the document key of a proposal's or motion's id.

    Numbers that differ in capitals only have one: on some systems their files would be one too.

    >>> proposal_key("proposal/305"), proposal_key("motion/34"), proposal_key("proposal/X12")
    ('proposals/300/305', 'votes/motion/000/34', 'proposals/none/x12')
    """
    kind, _, number = identifier.partition("/")
    number = folded(number)
    bucket = f"{int(number) // 100 * 100:03d}" if is_digits(number) else "none"
    key = f"proposals/{bucket}/{number}" if kind == "proposal" else f"votes/{kind}/{bucket}/{number}"
    named: Any = key
    proposal: Key[Proposal] = named
    return proposal


def rule_key(uid: str) -> Key[RuleDocument]:
    """Return the document key of a rule in force."""
    return cast("Key[RuleDocument]", f"rules/{uid}")


def history_key(uid: str) -> Key[HistoryDocument]:
    """Return the document key of what a rule was."""
    return cast("Key[HistoryDocument]", f"history/{uid}")


def acts_key(seq: int) -> Key[KeptAct]:
    """Return the document key of what an act changed, by the entry that brought it.

    >>> acts_key(17), acts_key(1234)
    ('acts/000/17', 'acts/1200/1234')
    """
    return cast("Key[KeptAct]", f"acts/{seq // 100 * 100:03d}/{seq}")


SEALED_BLOCK = 20
"""How many sealed values one document holds: few, because each that is new has all of it written and read back."""


def sealed_key(number: int) -> Key[dict[str, SealedValue]]:
    """Return the document key of what is known of a sealed value.

    >>> sealed_key(17), sealed_key(217)
    ('sealed/000', 'sealed/200')
    """
    return cast("Key[dict[str, SealedValue]]", f"sealed/{number // SEALED_BLOCK * SEALED_BLOCK:03d}")


def sealed_keys(last: int) -> list[Key[dict[str, SealedValue]]]:
    """Return the document keys of the sealed values up to a number, in order.

    >>> sealed_keys(25)
    ['sealed/000', 'sealed/020']
    """
    return [sealed_key(first) for first in range(0, last + 1, SEALED_BLOCK)]


def boxes_key(commitment: str) -> Key[dict[str, int]]:
    """Return the document key of the entries by which sealed values came, by the commitment to each.

    >>> boxes_key("3fa0")
    'boxes/3f'
    """
    return cast("Key[dict[str, int]]", f"boxes/{commitment[:2]}")


def things_key(kind: str) -> Key[dict[str, Registers]]:
    """Return the document key of the things of a kind."""
    key: Any = f"things/{kind}"  # no cast, which is a call
    things: Key[dict[str, Registers]] = key
    return things


@lru_cache(maxsize=4096)  # a law is ordered by it at each change
def number_key(number: str | None) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts numbers of rules as people count: 9 before 10, 2-9 before 2-10.

    >>> sorted(["10", "9", "2-10", "2-9"], key=number_key)
    ['2-9', '2-10', '9', '10']
    """
    parts = (number or "").replace(".", "-").split("-")
    return tuple((0, int(part), "") if is_digits(part) else (1, 0, part) for part in parts)


def facts_key(via: Via) -> Key[FactsDocument] | None:
    """Return the document key of the facts recorded of what an act came by; None where it came by no forge.

    Those of the game's own thread (pull request 0) are kept by day of arrival, so that no file grows with the game;
    those of a statement that was made without git under the number of its issue. Of each forge of a kind on which the
    game was, one after the other, they are kept apart: the same number is another pull request there.

    >>> facts_key({"forge": "local", "pull": 107, "fact": "ab", "arrived": 0})
    'pulls/local/100/107'
    >>> facts_key({"forge": "local", "pull": 0, "fact": "ab", "arrived": 86400 * 40 + 5})
    'pulls/local/thread/40'
    >>> facts_key({"forge": "local", "issue": 107, "fact": "ab", "arrived": 0})
    'issues/local/100/107'
    >>> facts_key({"forge": "local", "stay": 2, "pull": 107, "fact": "ab", "arrived": 0})
    'pulls/local-2/100/107'
    """
    forge, pull, arrived, issue = via.get("forge"), via.get("pull"), via.get("arrived"), via.get("issue")
    stay = via.get("stay") or 0
    if not (isinstance(forge, str) and FORGE.fullmatch(forge) and via.get("fact") and type(stay) is int):
        return None
    forge = f"{forge}-{stay}" if stay else forge
    if type(issue) is int and pull is None:
        key = f"issues/{forge}/{issue // 100 * 100:03d}/{issue}"
    elif type(pull) is not int:
        return None
    elif pull == 0:
        key = f"pulls/{forge}/thread/{arrived // DAY if type(arrived) is int else 0}"
    else:
        key = f"pulls/{forge}/{pull // 100 * 100:03d}/{pull}"
    return cast("Key[FactsDocument]", key)


def refusals_key(forge: str, at: int) -> Key[dict[str, int]]:
    """Return the document key of how many acts of each player were refused on the day (UTC) of a time (Unix seconds).

    >>> refusals_key("local", 86400 * 40 + 5)
    'pulls/local/refused/40'
    """
    return cast("Key[dict[str, int]]", f"pulls/{forge}/refused/{at // DAY}")


def accepted_key(forge: str, at: int) -> Key[dict[str, int]]:
    """Return the document key of how many acts of each player were accepted on the day (UTC) of a time (Unix seconds).

    >>> accepted_key("local", 86400 * 40 + 5)
    'pulls/local/accepted/40'
    """
    return cast("Key[dict[str, int]]", f"pulls/{forge}/accepted/{at // DAY}")


def rule_in_words(uid: str, number: Callable[[str], str] = str) -> str:
    """Return how a rule is called in a sentence, by its uid; one that is only tried has no number yet.

    >>> rule_in_words("206"), rule_in_words("probe"), rule_in_words("new-0"), rule_in_words("")
    ('rule 206', 'a rule that this would make', 'a rule that this would make', 'the scripts of the law')
    """
    if "/" in uid:
        return f"the order of {uid.replace('/', ' ')}"
    if not uid or uid in NO_RULES:
        return "the scripts of the law"
    if uid.partition("-")[0] in ON_TRIAL:
        return "a rule that this would make"
    return f"rule {number(uid)}"


def in_sorted_maps(document: Document) -> Written:
    """Return a document with its own keys as they are, and all maps inside of it sorted by key.

    >>> in_sorted_maps({"text": "", "labels": {"b": [{"z": 1, "a": 2}], "a": 1}})
    {'text': '', 'labels': {'a': 1, 'b': [{'a': 2, 'z': 1}]}}
    """
    return {key: _sorted(value) for key, value in document.items()}


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list | tuple) else value
