"""How a game stands, as one record, and who owes what in it, by when, and what answers it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypedDict, cast

from folkmoot.core.documents import Document, GameDocument, HeldAct, Proposal, Timer
from folkmoot.core.keys import GAME, LAW, TIMERS, claim_of, proposal_key, rule_key
from folkmoot.core.limits import WARNING, limit_of
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Arguments, Duty, Shown
from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.core.sealed_data import needs_keeper
from folkmoot.core.values import is_digits
from folkmoot.game.session import Session
from folkmoot.journal.layout import entry_time
from folkmoot.kernel.act_declarations import OPEN_SEALED, default_of
from folkmoot.kernel.arguments import is_needed
from folkmoot.kernel.ballot_words import CHOICES
from folkmoot.kernel.documents import size_in_play
from folkmoot.kernel.errors import WAKING
from folkmoot.wording.game_view import effects_in
from folkmoot.wording.law_sentence import quotation, told
from folkmoot.wording.page_links import titled

LONGEST_WHY = 200  # characters of why a rule sleeps
MOST_ASKED = 20
"""Of so many timers, the next first, the law is asked what comes with them."""


def status_of(session: Session) -> Shown:
    """Return how a game stands."""
    game, name = session.kept(GAME), session.record.name
    offices = session.offices()
    players = [_player(session, who, offices) for who in session.players()]
    return {
        "game": name,
        "title": game.get("title") or name,
        "seq": session.head.seq,
        "at": session.at,
        "over": game.get("over"),
        "next": f"moot new {next_name(name)} --from {name}" if game.get("over") else None,
        "won": game.get("won") or [],
        "paused": game.get("paused"),
        "succession": claim_of(game),
        "size": size_told(session.documents),
        "keeper_missing": not (game.get("over") or game.get("sealing"))
        and needs_keeper(cast("Iterator[Shown]", session.rules())),
        "mover": session.ask("mover"),
        "headline": told(session.ask("headline")) if session.decides("headline") else "",
        "asleep": asleep_in(session.documents),
        "open": [_open(session, proposal) for proposal in undecided(session)],
        "duties": soonest_first(duties_in(session.documents)),
        "held": [
            {key: act.get(key) for key in ("id", "do", "by", "as", "at", "label", "why", "rule")}
            for act in held_in(session.documents)
        ],
        "timers": [
            {"key": key, **{part: timer[part] for part in ("name", "due", "rule")}, "by": number, "summary": said}
            for key, timer, number, said in _coming(session)
        ],
        "currencies": _currencies(session, players),
        "offices": offices,
        "deputies": {office: players for office, players in session.deputies().items() if players},
        "players": players,
        "administrators": list(game.get("administrators") or ()),
        "actions": {name: declaration.get("summary", "") for name, declaration in session.actions().items()},
    }


def next_name(name: str) -> str:
    """Return what the next season of a game may be called.

    >>> next_name("evening"), next_name("evening-2"), next_name("evening-9")
    ('evening-2', 'evening-3', 'evening-10')
    """
    stem, _, number = name.rpartition("-")
    known = stem and is_digits(number)
    return f"{(stem if known else name)[:35]}-{int(number) + 1 if known else 2}"


def size_told(documents: Mapping[str, Document]) -> dict[str, Any]:
    """Return how large all that is in play is (`bytes`), how large it may be (`limit`), and whether to be warned."""
    size, limit = size_in_play(documents), limit_of(cast("GameDocument | None", documents.get("game")), "game_size")
    return {"bytes": size, "limit": limit, "warning": size * 100 > limit * WARNING}


class Asleep(TypedDict):
    """A rule in force whose script sleeps since an entry."""

    uid: str
    number: str
    title: str
    why: str
    since: int | None


def asleep_in(documents: Mapping[str, Document]) -> list[Asleep]:
    """Return the rules in force whose scripts sleep: `uid`, `number`, `title`, `why`, and the entry `since` which."""
    metas = (documents.get("law") or {}).get("rules") or {}
    return [
        {
            "uid": uid,
            "number": str(meta["number"]),
            "title": str((documents.get(f"rules/{uid}") or {}).get("title") or "untitled"),
            "why": str(meta["suspended"]),
            "since": meta.get("asleep_since"),
        }
        for uid, meta in metas.items()
        if meta.get("in_force") and meta.get("suspended")
    ]


def asleep_told(rule: Asleep) -> str:
    """Return of a rule of `asleep_in` in two sentences since when it sleeps and why, and how it wakes.

    >>> asleep_told({"number": "201", "title": "Turns", "why": "void", "since": 40})[:46]
    'Rule 201 (Turns) sleeps since entry 40: “void”'
    """
    since = f" since entry {rule['since']}" if rule["since"] else ""
    why = " ".join(str(rule["why"]).split())
    why = why if len(why) <= LONGEST_WHY else f"{why[:LONGEST_WHY]}…"
    said = f"Rule {rule['number']} ({rule['title']}) sleeps{since}: {quotation(why.rstrip('.'))}."
    return f"{said} Its script does nothing; {WAKING}."


def _open(session: Session, proposal: Proposal) -> dict[str, Any]:
    keys = ("id", "kind", "number", "title", "author", "state", "submitted_at", "opened_at")
    return {
        **{key: proposal.get(key) for key in keys},
        "voted": [voter for voter in proposal.get("electorate") or () if voter in proposal["ballots"]],
        "missing": missing_votes(proposal),
        "until": deadline(session.documents, proposal),
        "standing": standing_of(session, proposal),
        "decider": decider_of(session, proposal),
    }


def _coming(session: Session) -> Iterator[tuple[str, Timer, str, str]]:
    """Yield the timers to come, each with its rule's number ("" for none) and what comes with it."""
    known = session.kept(LAW).get("rules") or {}
    for place, (key, timer) in enumerate(session_timers(session)):
        said = _said(session, "coming", key) if place < MOST_ASKED else ""
        declared = session.kept(rule_key(str(timer["rule"]))).get("timers") or {}
        said = said or str((declared.get(timer["name"]) or {}).get("summary") or titled(timer["name"]))
        yield key, timer, str(known[rule]["number"]) if (rule := timer["rule"]) in known else "", said


def _player(session: Session, player: str, offices: dict[str, str | None]) -> dict[str, Any]:
    held = [office for office, holder in offices.items() if holder == player]
    return {"id": player, **session.document("things/player").get(player, {}), "offices": held}


def _currencies(session: Session, players: Sequence[Shown]) -> list[str]:
    """Return the names of the currencies by which players rank, and of the others that somebody has something of."""
    declared = session.declared("defines", "currencies")
    return [
        name
        for name in session.currencies()
        if not declared[name].get("bookkeeping") or any(player.get(name) for player in players)
    ]


def revising(actions: Mapping[str, ActionSpec]) -> str:
    """Return the action by which proponents give their proposal its final form: one that may bring rule-changes.

    >>> needed, may = {"type": "changes"}, {"type": "changes", "optional": True}
    >>> revising({"propose": {"arguments": {"c": needed}}, "end": {"arguments": {"c": may}}})
    'end'
    """
    first = default_of(actions)
    for name, declared in actions.items():
        taking = [spec for spec in (declared.get("arguments") or {}).values() if spec.get("type") == "changes"]
        if name != first and taking and all(spec.get("optional") for spec in taking):
            return name
    return ""


# -- what status, comments, calls and the site rest on; its words, commands and links are added by who shows it

Actions = Mapping[str, ActionSpec]
"""The actions of a game by their names."""
LONGEST_SAID = 300  # characters of an answer of the law
OPEN = "…"
"""What stands for what a person has to fill in."""
NAMING = ("thing", "player", "integer", "string", "rule", "office", "proposal", "choice", "any")
"""Types of arguments that can say what a duty is of."""


class KeyedDuty(Duty):
    """A duty with the key under which it is noted."""

    key: str


class WaitingAct(HeldAct):
    """An act that waits, with the number of the entry with which it came."""

    id: int


# -- votes and decisions


def choices_of(session: Session, identifier: str) -> list[str]:
    """Return the choices of a vote on a proposal, as the law stands; empty where any word may be one."""
    found = session.ask("choices", about=identifier) if session.decides("choices") else None
    return found if isinstance(found, list) and all(isinstance(choice, str) for choice in found) else CHOICES


def undecided(session: Session) -> list[Proposal]:
    """Return the proposals that are not resolved, oldest first."""
    return [session.proposal(identifier) for identifier in session.kept(GAME).get("open") or ()]


def missing_votes(proposal: Proposal) -> list[str]:
    """Return whose ballots are missing, in the order of the electorate; nobody's unless the vote is open."""
    if proposal.get("state") != "open":
        return []
    return [voter for voter in proposal.get("electorate") or () if voter not in proposal["ballots"]]


def decider_of(session: Session, proposal: Proposal) -> dict[str, str] | None:
    """Return whose review (`player`, `as` what) decides a proposal, and by which act (`do`); None where votes do."""
    if proposal["outcome"] or proposal["state"] != "pending" or not session.decides("review"):
        return None
    acting = [*session.offices().values(), *(player for each in session.deputies().values() for player in each)]
    for player in dict.fromkeys(player for player in acting if player):
        act = session.sandbox.read_review(proposal["id"], [player, "approve", ""], session.at)
        if act is not None and act.get("as"):
            return {"player": player, "as": str(act["as"]), "do": act["do"]}
    return None


def standing_of(session: Session, proposal: Proposal) -> str:
    """Return in the law's words how an open vote stands, in one line; "" where no rule says it in words, or can."""
    return _said(session, "standing", about=proposal["id"]) if proposal["state"] == "open" else ""


def _said(session: Session, question: str, *arguments: str, about: str = "") -> str:
    """Return what the law answers to a question, in one line; "" where no rule says it in words, or can."""
    try:
        said = session.ask(question, *arguments, about=about)
    except ProblemError:  # the sandbox died over it: that is no reason to say nothing of all the rest
        return ""
    return in_one_line(said)


def in_one_line(said: object) -> str:
    """Return an answer of the law as a line of a list, "" where it is no text."""
    return " ".join(said.split())[:LONGEST_SAID].rstrip(".") if isinstance(said, str) else ""


def deadline(documents: Mapping[str, Document], proposal: Proposal) -> int | None:
    """Return when a vote is over at the latest (Unix seconds), by a timer that fires once or what voters owe."""
    named = [each for each in (proposal["id"], proposal["number"]) if each is not None]
    timers = [each for each in (documents.get("things/timer") or {}).values() if not each.get("period")]
    payloads = [(timer["due"], (timer.get("payload") or {}).values()) for timer in timers]
    due = [at for at, values in payloads if any((v.get("id") if isinstance(v, dict) else v) in named for v in values)]
    owed = [duty["by"] for duty in duties_in(documents) if is_vote_on(duty, proposal) and duty["by"] is not None]
    return min(due, default=None) or min(owed, default=None)


def timers_to_come(
    documents: Mapping[str, Document],
    kinds: Sequence[str],
    vote_of: Callable[[str], Proposal | None],
    resolved: Callable[[Proposal], int | None],
    started: Callable[[str, Sequence[Proposal]], int | None],
) -> list[tuple[str, Timer]]:
    """Return the timers that can still bring anything, the next first: of no game or vote that is over.

    `kinds` are those of what is voted on, and `vote_of` returns that by its id; `resolved` says when it was, `started`
    when a timer was started last since some votes began: by time or by number of entry, None where that is not so.
    """
    if (documents.get(GAME) or {}).get("over"):
        return []
    timers = cast("Mapping[str, Timer]", documents.get(TIMERS) or {})

    def outlives_vote(key: str, payload: Arguments) -> bool:
        """Say whether all that a timer names was voted on and resolved since it was started."""
        meant = [kind for kind in kinds if payload.get("kind") in (None, kind)]
        named = [str(value.get("id") if isinstance(value, dict) else value) for value in payload.values()]
        named += [f"{kind}/{payload[name]}" for kind in meant for name in ("number", kind) if name in payload]
        votes = [vote for name in dict.fromkeys(named) if "/" in name and (vote := vote_of(name))]
        ends = [at for vote in votes if (at := resolved(vote)) is not None]
        if not votes or len(ends) < len(votes):
            return False
        at = started(key, votes)
        return at is None or at < min(ends)

    coming = sorted(timers.items(), key=lambda pair: (pair[1]["due"], pair[0]))
    return [(key, timer) for key, timer in coming if not outlives_vote(key, timer["payload"])]


def session_timers(session: Session) -> list[tuple[str, Timer]]:
    """Return the timers of a game in play that can still bring anything, the next first."""

    def started(key: str, votes: Sequence[Proposal]) -> int | None:
        entries = session.record.entries(min(vote["seq"] for vote in votes), having=["timer"])
        found = [entry for entry, effect in effects_in(entries, "timer") if effect.get("of") == key]
        return entry_time(found[-1]) if found else None

    return timers_to_come(
        session.documents, session.votable(), session.proposal, lambda vote: vote.get("resolved_at"), started
    )


# -- duties


def duties_in(documents: Mapping[str, Document], player: str | None = None) -> list[KeyedDuty]:
    """Return what players owe, or one of them, each with its `key`; nothing where game or vote is over."""
    game = documents.get(GAME) or {}
    if game.get("over"):
        return []

    def is_closed(of: str | int | None) -> bool:
        """Say whether something was voted on, and is no longer."""
        if not isinstance(of, str) or "/" not in of:
            return False
        known, listed = documents.get(proposal_key(of)), game.get("open")
        if known:
            return bool(known.get("closed_at") or known.get("outcome"))
        return listed is not None and of not in listed

    found = [cast(KeyedDuty, {"key": key, **duty}) for key, duty in (documents.get("things/duty") or {}).items()
             if player in (None, duty["player"])]  # fmt: skip
    return [duty for duty in found if not ("vote" in (duty.get("do") or ()) and is_closed(duty.get("of")))]


def soonest_first(duties: Iterable[KeyedDuty]) -> list[KeyedDuty]:
    """Return duties in the order of their deadlines; those without one come last."""
    return sorted(duties, key=lambda duty: (duty["by"] is None, duty["by"] or 0, str(duty["player"])))


def is_vote_on(duty: Duty, proposal: Proposal) -> bool:
    """Say whether a duty is the vote on a proposal."""
    return "vote" in (duty.get("do") or ()) and duty.get("of") == proposal["id"]


def beside_votes(duties: Iterable[KeyedDuty], proposals: Iterable[Proposal]) -> list[KeyedDuty]:
    """Return the duties that are not the votes on those of some proposals that are open to votes."""
    votes = {proposal["id"] for proposal in proposals if proposal["state"] == "open"}
    return [duty for duty in duties if not ("vote" in (duty.get("do") or ()) and duty.get("of") in votes)]


def held_in(documents: Mapping[str, Document]) -> list[WaitingAct]:
    """Return the acts that wait, in order of arrival, each with its `id`."""
    found = (documents.get("things/held") or {}).items()
    held = [cast(WaitingAct, {"id": int(key), **act}) for key, act in found]
    return sorted(held, key=lambda act: act["id"])


# -- what answers a duty


def asked_of(duty: Duty, actions: Actions) -> list[str]:
    """Return the actions of which a duty asks for one: those that it names and that there are.

    >>> asked_of({"do": ["accept", "decline", "dance"]}, {"challenge": {}, "decline": {}, "accept": {}})
    ['accept', 'decline']
    """
    return [do for do in duty.get("do") or () if do in actions]


def arguments_owed(duty: Duty, do: str, actions: Actions) -> dict[str, str] | None:
    """Return what an action that a duty asks for is given, `…` for what is to be filled in; None as `arguments_needed`.

    What the duty is of goes to the first argument that takes proposals where it is one, else to the first that can
    name it.

    >>> declared = {"judge": {"arguments": {"case": {"type": "integer"}, "ruling": {"type": "text"}}}}
    >>> arguments_owed({"do": ["judge"], "of": 7}, "judge", declared)
    {'case': '7', 'ruling': '…'}
    """
    needed = arguments_needed(do, actions)
    if needed is None:
        return None
    named = _named_by(duty, (actions.get(do) or {}).get("arguments") or {}, needed)
    return {**named, **dict.fromkeys((name for name in needed if name not in named), OPEN)}


def comment_line(duty: Duty, actions: Actions) -> str:
    """Return the command by which a comment does what a duty asks for, "" where it names none that a comment can do."""
    do = next(iter(asked_of(duty, actions)), "")
    given = arguments_owed(duty, do, actions) if do else None
    if given is None:
        return ""
    choice = [given.pop("choice")] if do == "vote" and "choice" in given else []
    return " ".join([f"/{do}", *choice, *_typed(given)])


def _typed(given: Mapping[str, str], sign: str = "=") -> Iterator[str]:
    """Yield names and words as a command line takes them; what is to be filled in stays as it is."""
    yield from (f"{name}{sign}{word if word == OPEN else shlex.quote(word)}" for name, word in given.items())


def command_line(duty: Duty, do: str, actions: Actions, by: str = "") -> str:
    """Return the command of a clone that does what a duty asks for; `by` says who acts, where one person records it."""
    given = arguments_owed(duty, do, actions)
    if given is None and not by:
        return "moot propose"
    words = ["--rule FILE"] if given is None else _typed({} if do == OPEN_SEALED else given)  # which that fills in
    return " ".join(["moot act", do, *words, *_typed({"--by": by} if by else {}, " ")])


def is_proposing(duty: Duty, actions: Actions) -> bool:
    """Say whether a duty asks for rule-changes, which a pull request brings."""
    do = next(iter(asked_of(duty, actions)), "")
    return bool(do) and arguments_owed(duty, do, actions) is None


def _named_by(duty: Duty, declared: Mapping[str, ArgumentSpec], needed: list[str]) -> dict[str, str]:
    """Return the argument that says what a duty is of, and its value, where there is such an argument."""
    of = duty.get("of")
    kind, _, number = str(of).rpartition("/")
    if of is None:
        return {}
    taking = [name for name, spec in declared.items() if (spec or {}).get("type") == "proposal"]
    if kind and is_digits(number) and taking:
        return {next((name for name in taking if name == kind), taking[0]): number}
    fitting = [name for name in (*needed, *declared) if (declared[name] or {}).get("type") in NAMING]
    fitting.sort(key=lambda name: not str(of).startswith(f"{(declared[name] or {}).get('kind')}-"))
    return {fitting[0]: str(of)} if fitting else {}


def arguments_needed(do: str, actions: Actions) -> list[str] | None:
    """Return what an action must be given; None where that holds rule-changes, which a pull request brings."""
    declared = (actions.get(do) or {}).get("arguments") or {}
    needed = [name for name, spec in declared.items() if is_needed(spec)]
    return None if any(declared[name].get("type") == "changes" for name in needed) else needed
