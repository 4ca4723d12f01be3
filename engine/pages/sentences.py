"""Acts, effects and reasons of the journal as sentences with links."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.pages.here import Here, humane, titled
from engine.pages.markup import Html, el, escape, items, join
from engine.pages.prose import phrase
from engine.pages.view import Document, Entry

GIST = 90
HIDDEN = "not shown before the count"


def arguments(entry: Entry) -> Document:
    """Return what an act was done with."""
    given = entry.get("with") or {}
    inner = given.get("args")
    return {**{k: v for k, v in given.items() if k != "args"}, **inner} if isinstance(inner, dict) else dict(given)


def refused(entry: Entry) -> bool:
    """Whether an act was refused: it has no effects and a reason that says why."""
    return bool(entry.get("by")) and not entry.get("effects") and bool(refusal(entry))


def refusal(entry: Entry) -> Document:
    """Return the reason with the code under which an act was refused, empty if it was not."""
    if entry.get("code") or entry.get("refused"):
        return {"code": entry.get("code") or entry.get("refused")}
    found = [r for r in entry.get("reasons") or () if str(r.get("code", "")).startswith("E-")]
    return found[0] if found else {}


def voted_on(entry: Entry) -> str:
    """Return the id of the proposal or motion that an entry votes on, or an empty text."""
    if entry.get("do") != "vote":
        return ""
    kinds = {k: v for k, v in arguments(entry).items() if k not in ("choice", "reason")}
    return next((f"{kind}/{number}" for kind, number in kinds.items() if isinstance(number, int)), "")


def act(here: Here, entry: Entry) -> Html:
    """Return what somebody did as a sentence."""
    what = str(entry.get("do") or "")
    who = here.player(entry.get("by")) if entry.get("by") else Html("")
    office = f" as {humane(entry['as'])}" if entry.get("as") else ""
    known: dict[str, Callable[[Here, Entry], Html]] = {"vote": _vote, "state": _state, "tick": _tick, "found": _found}
    if what in known:
        said = known[what](here, entry)
        return join([who, escape(office), " ", said]) if who else said
    given = arguments(entry)
    subject = given.get("title") or given.get("name")
    about = join([": ", el("strong", phrase(str(subject)))]) if isinstance(subject, str) else ""
    return join([who or "The game", office, " · ", el("span", humane(what), class_="fm-act"), about])


def _vote(here: Here, entry: Entry) -> Html:
    proposal, given = voted_on(entry), arguments(entry)
    if here.view.secret(proposal):
        return join(["voted on ", here.proposal(proposal), " (", HIDDEN, ")"])
    return join(["voted ", el("strong", phrase(str(given.get("choice", "")))), " on ", here.proposal(proposal)])


def _state(_here: Here, entry: Entry) -> Html:
    words = " ".join(str(arguments(entry).get("text") or "").split())
    return join(["stated: ", phrase(words if len(words) <= GIST else words[:GIST] + "…")])


def _found(_here: Here, _entry: Entry) -> Html:
    return escape("The game was founded")


def _tick(_here: Here, entry: Entry) -> Html:
    timer = arguments(entry).get("timer") or arguments(entry).get("name") or "clock"
    return join(["Timer ", el("span", humane(timer), class_="fm-act"), " came due"])


def effect(here: Here, entry: Entry, what: Document) -> Html:
    """Return what one effect of an entry changed, with the rule behind it."""
    kind = str(what.get("effect") or "")
    said = _settle(here, entry, what) if kind == "settle" else _EFFECTS.get(kind, _other)(here, what)
    rule = what.get("rule")
    return join([said, el("span", " by ", here.rule(rule), class_="fm-by")]) if rule else said


def _settle(here: Here, entry: Entry, what: Document) -> Html:
    key = str(what.get("of"))
    return join(["Done: ", phrase(here.view.settled.get((int(entry.get("seq") or 0), key), key))])


def _put(here: Here, what: Document) -> Html:
    name = titled(what.get("name"))
    owner = what.get("of")
    of = "" if owner in (None, "game") else join([" of ", here.owner(owner)])
    kind = here.view.register_type(str(what.get("name")))
    before, after = here.value(what.get("from"), kind), here.value(what.get("to"), kind)
    return join([name, of, ": ", before, " → ", el("strong", after)])


def _append(here: Here, what: Document) -> Html:
    return join([titled(what.get("name")), ": ", here.value(what.get("to"))])


def _award(here: Here, what: Document) -> Html:
    amount = signed(what.get("applied", 0))
    asked, applied = what.get("asked"), what.get("applied")
    turned = f" (asked: {signed(asked)})" if asked is not None and asked != applied else ""
    why = join([" for ", phrase(str(what["why"]))]) if what.get("why") else ""
    strong = el("strong", amount, " ", humane(what.get("name")))
    return join([here.owner(what.get("of")), " ", strong, turned, why])


def _law(verb: str) -> Callable[[Here, Document], Html]:
    def said(here: Here, what: Document) -> Html:
        target = what.get("of") or what.get("uid") or what.get("to")
        uid = str(target).removeprefix("rule/")
        return join([f"{verb} ", here.rule(uid)])

    return said


def _ballot(here: Here, what: Document) -> Html:
    proposal = str(what.get("of"))
    voter = here.player(what.get("voter") or what.get("by") or what.get("player"))
    if here.view.secret(proposal):
        return join([voter, "’s ballot on ", here.proposal(proposal), " (", HIDDEN, ")"])
    deemed = " (deemed)" if what.get("deemed") else ""
    idle = join([" does not count: ", phrase(str(what.get("why") or ""))]) if what.get("counts") is False else ""
    choice = el("strong", phrase(str(what.get("choice") or what.get("to") or "")))
    return join([voter, "’s ballot on ", here.proposal(proposal), ": ", choice, deemed, idle])


def _life(verb: str) -> Callable[[Here, Document], Html]:
    return lambda _here, what: join([titled(str(what.get("of")).replace("/", " ")), " ", verb])


def _resolve(here: Here, what: Document) -> Html:
    why = join([": ", phrase(str(what["why"]))]) if what.get("why") else ""
    outcome = el("strong", humane(what.get("to") or what.get("outcome")))
    return join([here.proposal(what.get("of")), " ", outcome, why])


def _announce(_here: Here, what: Document) -> Html:
    return phrase(str(what.get("why") or what.get("text") or what.get("to") or ""))


def _win(here: Here, what: Document) -> Html:
    why = join([": ", phrase(str(what["why"]))]) if what.get("why") else ""
    return join([here.players(what.get("players") or [what.get("of")]), el("strong", " wins"), why])


def _owe(here: Here, what: Document) -> Html:
    by = what.get("by") if what.get("by") is not None else what.get("at")
    due = join([" by ", here.when(by)]) if by else ""
    task = what.get("what") or what.get("why") or what.get("name")
    return join([here.player(what.get("of") or what.get("player")), " owes: ", phrase(str(task or "")), due])


def _timer(here: Here, what: Document) -> Html:
    due = what.get("at") or what.get("due") or what.get("to")
    shown = here.when(due) if due else Html("stopped")
    return join(["Timer ", humane(what.get("name") or what.get("of") or what.get("key")), ": ", shown])


def _setting(here: Here, what: Document) -> Html:
    link = here.link(phrase(str(what.get("name"))), "settings.md")
    change = [here.value(what.get("from")), " → ", el("strong", here.value(what.get("to")))]
    return join(["Setting ", link, ": ", *change])


def _create(here: Here, what: Document) -> Html:
    if what.get("kind") == "player":
        return join([here.player(what.get("of")), " joined"])
    return join([phrase(str(what.get("of"))), " came into being (", humane(what.get("kind")), ")"])


def _destroy(here: Here, what: Document) -> Html:
    if what.get("kind") == "player":
        return join([here.player(what.get("of")), " left the game"])
    return join([phrase(str(what.get("of"))), " is gone (", humane(what.get("kind")), ")"])


def _event(_here: Here, what: Document) -> Html:
    return join(["Event ", el("span", humane(what.get("name") or what.get("of")), class_="fm-act")])


def _other(here: Here, what: Document) -> Html:
    skip = {"effect", "rule"}
    shown = (join([humane(name), " ", here.value(value)]) for name, value in what.items() if name not in skip)
    return join([titled(what.get("effect")), ": ", join(shown, ", ")])


_EFFECTS: dict[str, Callable[[Here, Document], Html]] = {
    "put": _put,
    "append": _append,
    "award": _award,
    "correct": _put,
    "enact": _law("Enacted"),
    "amend": _law("Amended"),
    "repeal": _law("Repealed"),
    "transmute": _law("Transmuted"),
    "retitle": _law("Retitled"),
    "renumber": _law("Renumbered"),
    "label": _law("Relabelled"),
    "ballot": _ballot,
    "propose": lambda here, what: join([here.proposal(what.get("of")), " submitted"]),
    "revise": lambda here, what: join([here.proposal(what.get("of")), " revised"]),
    "freeze": lambda here, what: join([here.proposal(what.get("of")), " has its final wording"]),
    "open": lambda here, what: join([here.proposal(what.get("of")), " is open to votes"]),
    "close": lambda here, what: join(["Voting on ", here.proposal(what.get("of")), " closed"]),
    "resolve": _resolve,
    "announce": _announce,
    "win": _win,
    "owe": _owe,
    "cancel": lambda _here, what: join(["Timer ", humane(what.get("of")), " stopped"]),
    "state": lambda here, what: join([here.player(what.get("of")), " put a statement on record"]),
    "timer": _timer,
    "setting": _setting,
    "create": _create,
    "destroy": _destroy,
    "event": _event,
}


def reason(here: Here, why: Document) -> Html:
    """Return one reason with those below it: its sentence, its code and the rule it rests on."""
    given = why.get("args") or {}
    known = next((given[name] for name in ("why", "message", "text") if given.get(name)), None)
    said = phrase(str(known)) if known else _spelt(here, given)
    rule = join([" (", here.rule(why["rule"]), ")"]) if why.get("rule") else ""
    below = items(reason(here, each) for each in why["of"]) if why.get("of") else ""
    return join([el("code", str(why.get("code", ""))), " ", said, rule, below])


def _spelt(here: Here, given: Document) -> Html:
    shown = (join([humane(name), " ", here.value(value)]) for name, value in given.items())
    return join(shown, ", ")


def signed(amount: Any) -> str:
    """Return an amount with its sign, the minus as a minus.

    >>> signed(3), signed(-3), signed(0)
    ('+3', '−3', '0')
    """
    if not isinstance(amount, int):
        return str(amount)
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else "0"
