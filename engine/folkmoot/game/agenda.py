"""Who owes what in a game, by when, and what answers it: votes, decisions, what the rules ask for, and what waits.

Status, comments, calls and the site rest on this; its words, commands and links are added by who shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from folkmoot.core.proposal_numbers import called
from folkmoot.game.session import Document, Session

Record = Mapping[str, Any]
_ARTICLES = frozenset("a an the this that their your of".split())


# -- votes and decisions


def undecided(session: Session) -> list[Document]:
    """Return the proposals that are not resolved, oldest first."""
    return [session.proposal(identifier) for identifier in session.document("game").get("open") or ()]


def missing_votes(proposal: Record) -> list[str]:
    """Return whose ballots are missing, in the order of the electorate; nobody's unless the vote is open."""
    if proposal.get("state") != "open":
        return []
    return [voter for voter in proposal.get("electorate") or () if voter not in proposal["ballots"]]


def decider_of(session: Session, proposal: Document) -> dict[str, str] | None:
    """Return whose decision an undecided proposal awaits (`player`), in which office (`as`) and by which act (`do`).

    None where votes decide: the law says so by what it makes of the review of whoever holds an office.
    """
    if proposal["outcome"] or proposal["state"] != "pending":
        return None
    if not session.decides("review"):
        return None
    acting = [*session.offices().values(), *(player for each in session.deputies().values() for player in each)]
    for player in dict.fromkeys(player for player in acting if player):
        act = session.read_review(proposal["id"], player, "approve", "")
        if act is not None and act.get("as"):
            return {"player": player, "as": str(act["as"]), "do": act["do"]}
    return None


def deadline(documents: Record, proposal: Record) -> int | None:
    """Return when a vote is over if nobody closes it before (Unix seconds): by its timer, or by what the voters owe.

    A timer that fires again and again ends nothing.
    """
    named = (proposal["id"], proposal["number"])
    timers = [each for each in (documents.get("things/timer") or {}).values() if not each.get("period")]
    due = [t["due"] for t in timers if any(_names(v, named) for v in (t.get("payload") or {}).values())]
    owed = [
        duty["by"] for duty in duties_in(documents) if duty["what"] in _vote_on(proposal) and duty["by"] is not None
    ]
    return min(due, default=None) or min(owed, default=None)


def _names(value: Any, named: tuple[Any, ...]) -> bool:
    found = value.get("id") if isinstance(value, dict) else value
    return found is not None and found in named


def _vote_on(proposal: Record) -> tuple[str, str]:
    """Return what rules call the duty to vote on a proposal, also before it had its number."""
    return f"vote on {proposal['id'].replace('/', ' ')}", f"vote on {called(proposal)}"


# -- duties


def duties_in(documents: Record, player: str | None = None) -> list[Document]:
    """Return what players owe by the rules, or what one of them does, each with its `key`, as it was noted."""
    found = (documents.get("things/duty") or {}).items()
    return [{"key": key, **duty} for key, duty in found if player in (None, duty["player"])]


def soonest_first(duties: Iterable[Document]) -> list[Document]:
    """Return duties in the order of their deadlines; those without one come last."""
    return sorted(duties, key=lambda duty: (duty["by"] is None, duty["by"] or 0, str(duty["player"])))


def beside_votes(duties: Iterable[Document], proposals: Iterable[Record]) -> list[Document]:
    """Return the duties that are not the votes on those of some proposals that are open to votes."""
    votes = {words for each in proposals if each["state"] == "open" for words in _vote_on(each)}
    return [duty for duty in duties if duty["what"] not in votes]


def held_in(documents: Record, label: str | None = None) -> list[Document]:
    """Return the acts that wait (under a label, where one is given), in order of arrival, each with its `id`."""
    found = (documents.get("things/held") or {}).items()
    held = [{"id": int(key), **act} for key, act in found if label in (None, act["label"])]
    return sorted(held, key=lambda act: int(act["id"]))


# -- what answers a duty


def asked_of(duty: Record, actions: Record) -> list[str]:
    """Return the actions of which a duty asks for one, the likeliest first; none where its words do not tell.

    That is its key, or what its words name, or what begins with the same word. A word after an article names a thing
    and not what is to be done with it, and of "accept or decline" both will do.

    >>> duty = {"key": "x", "what": "answer the challenge: accept or decline"}
    >>> asked_of(duty, {"challenge": {}, "decline": {}, "accept": {}})
    ['accept', 'decline']
    """
    key = str(duty["key"]).partition("/")[0]
    if key in actions:
        return [key]
    words = _words(duty["what"])
    doing = [word for before, word in zip(["", *words], words, strict=False) if before not in _ARTICLES]
    either = [name for name in doing if name in actions] if "or" in words else []
    if len(either) > 1:
        return list(dict.fromkeys(either))
    said = set(doing)
    named = [name for name in actions if set(name.split("_")) <= (said if "_" not in name else set(words))]
    summed = [name for name, declared in actions.items() if len(first := _first(declared)) >= 2 and first <= set(words)]
    begun = [name for name in actions if words and name.split("_")[0] == words[0]]
    likely = max(named, key=len, default="") or next(iter(summed), "") or (begun[0] if len(begun) == 1 else "")
    return [likely] if likely else []


def _first(declared: Record | None) -> set[str]:
    """Return what the first three words of an action's summary say."""
    return set(_words((declared or {}).get("summary", ""))[:3]) - {"a", "an", "the", "of", "to"}


def _words(text: Any) -> list[str]:
    return re.findall(r"[a-z]+", str(text).lower())


def arguments_needed(do: str, actions: Record) -> list[str] | None:
    """Return what an action must be given; None where that holds rule-changes, which a pull request brings."""
    declared = (actions.get(do) or {}).get("arguments") or {}
    needed = [name for name, spec in declared.items() if not spec.get("optional") and "default" not in spec]
    return None if any(declared[name].get("type") == "changes" for name in needed) else needed
