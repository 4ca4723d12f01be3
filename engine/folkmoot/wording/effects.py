"""Effects as sentences with links: one set of words for the site, the terminal and pull requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from folkmoot.core.keys import forge_home, forge_kind
from folkmoot.core.limits import LIMITS
from folkmoot.kernel.names import shown_login
from folkmoot.wording.game_view import Document, Entry
from folkmoot.wording.markup import Html, el, escape, join
from folkmoot.wording.page_links import Here, humane, titled
from folkmoot.wording.prose import phrase

HIDDEN = "not displayed before the count"
_PREPOSITIONS = frozenset("at by for from in of on to with".split())


def effect(here: Here, entry: Entry, what: Document) -> Html:
    """Return what one effect of an entry changed, with the rule behind it."""
    kind = str(what.get("effect") or "")
    said = _settle(here, entry, what) if kind == "settle" else EFFECTS.get(kind, _other)(here, what)
    rule = what.get("rule")
    return join([said, el("span", " by ", here.rule(rule), class_="fm-by")]) if rule else said


def _settle(here: Here, entry: Entry, what: Document) -> Html:
    key = str(what.get("of"))
    return join(["Done: ", phrase(here.view.settled.get((int(entry.get("seq") or 0), key), key))])


def _of(here: Here, name: str, owner: object) -> Html:
    """Return whose a register is; one whose name ends in a preposition takes no other behind it."""
    open_end = name.rpartition(" ")[2] in _PREPOSITIONS
    return join([" (", here.owner(owner), ")"]) if open_end else join([" of ", here.owner(owner)])


def _put(here: Here, what: Document) -> Html:
    name = titled(what.get("name"))
    owner = what.get("of")
    of = "" if owner in (None, "game") else _of(here, name, owner)
    if what.get("name") == "email":  # addresses stay off the site
        return join([name, of, ": another one"])
    kind = here.view.register_type(str(what.get("name")))
    if isinstance(what.get("from"), dict) and isinstance(what.get("to"), dict):
        return join([name, of, ": ", _differences(here, what["from"], what["to"])])
    before, after = here.value(what.get("from"), kind), here.value(what.get("to"), kind)
    return join([name, of, ": ", before, " → ", el("strong", after)])


def _differences(here: Here, before: Document, after: Document) -> Html:
    """Return which parts of a map came, changed and went; the rest of it stays unsaid."""
    came = [join([here.owner(key), ": ", el("strong", here.value(after[key]))]) for key in after if key not in before]
    turned = [
        join([here.owner(key), ": ", here.value(before[key]), " → ", el("strong", here.value(after[key]))])
        for key in after
        if key in before and before[key] != after[key]
    ]
    went = [join([here.owner(key), " is gone"]) for key in before if key not in after]
    return join([*turned, *came, *went], ", ")


def _append(here: Here, what: Document) -> Html:
    owner = what.get("of")
    of = "" if owner in (None, "game") else join([" of ", here.owner(owner)])
    return join([titled(what.get("name")), of, " grows by ", el("strong", here.value(what.get("to")))])


def _award(here: Here, what: Document) -> Html:
    amount = signed(what.get("applied", 0))
    asked, applied = what.get("asked"), what.get("applied")
    turned = f" (asked: {signed(asked)})" if asked is not None and asked != applied else ""
    why = join([" for ", phrase(str(what["why"]))]) if what.get("why") else ""
    strong = el("strong", amount, " ", humane(what.get("name")))
    return join([here.owner(what.get("of")), " ", strong, turned, why])


def _because(what: Document) -> Html:
    """Return the reason that an effect itself gives."""
    return join([": ", phrase(str(what["why"]).rstrip("."))]) if what.get("why") else Html("")


def _law(verb: str) -> Callable[[Here, Document], Html]:
    def said(here: Here, what: Document) -> Html:
        target = what.get("of") or what.get("uid") or what.get("to")
        uid = str(target).removeprefix("rule/")
        return join([f"{verb} ", here.rule(uid), _because(what)])

    return said


def _transmute(here: Here, what: Document) -> Html:
    status = join([" to ", el("strong", phrase(str(what["to"])))]) if what.get("to") else ""
    return join([_law("Transmuted")(here, what), status])


def _renumber(here: Here, what: Document) -> Html:
    uid = str(what.get("of"))
    before = here.rule(uid, f"Rule {what.get('from')}")
    return join([before, " has number ", el("strong", here.value(what.get("to"))), " from now on"])


def _correct(here: Here, what: Document) -> Html:
    shown = _put(here, what) if "to" in what else join([titled(what.get("name")), " of ", here.owner(what.get("of"))])
    return join([shown, " (a correction", _because(what), ")"])


def _ballot(here: Here, what: Document) -> Html:
    proposal = str(what.get("of"))
    voter = here.player(what.get("voter") or what.get("by") or what.get("player"))
    if not here.view.displays(proposal):
        return join([voter, "’s ballot on ", here.proposal(proposal), " (", HIDDEN, ")"])
    deemed = " (deemed)" if what.get("deemed") else ""
    idle = join([" does not count: ", phrase(str(what.get("why") or ""))]) if what.get("counts") is False else ""
    choice = el("strong", phrase(str(what.get("choice") or what.get("to") or "")))
    return join([voter, "’s ballot on ", here.proposal(proposal), ": ", choice, deemed, idle])


def _life(verb: str) -> Callable[[Here, Document], Html]:
    return lambda here, what: join([here.proposal(what.get("of")), f" {verb}", _because(what)])


def _resolve(here: Here, what: Document) -> Html:
    outcome = el("strong", humane(what.get("to") or what.get("outcome")))
    return join([here.proposal(what.get("of")), " ", outcome, _because(what)])


def _announce(_here: Here, what: Document) -> Html:
    return phrase(str(what.get("why") or what.get("text") or what.get("to") or "Announced"))


def _win(here: Here, what: Document) -> Html:
    winners = list(what.get("players") or [what.get("of")])
    ends = ", and the game is over" if what.get("ends") else ", and play goes on" if "ends" in what else ""
    verb = el("strong", " wins" if len(winners) == 1 else " win")
    return join([here.players(winners), verb, ends, _because(what)])


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


def _give(here: Here, what: Document) -> Html:
    to = here.player(what["to"]) if what.get("to") is not None else "nobody"
    return join([phrase(str(what.get("of"))), " goes to ", to, ", sealed" if what.get("seal") else ""])


def _hold(here: Here, what: Document) -> Html:
    label = phrase(str(what.get("label") or ""))
    return join(["The act of entry ", _held(here, what), " waits until “", label, "” is released", _because(what)])


def _release(here: Here, what: Document) -> Html:
    return join(["The act held since entry ", _held(here, what), " is judged"])


def _held(here: Here, what: Document) -> Html:
    number = str(what.get("of"))
    return here.entry(int(number)) if number.isdecimal() else phrase(number)


def _redact(here: Here, what: Document) -> Html:
    path = el("code", str(what.get("path") or "a part"))
    return join([path, " of entry ", _held(here, what), " is replaced by its digest", _because(what)])


def _engine(_here: Here, what: Document) -> Html:
    versions = what.get("to")
    named = versions.items() if isinstance(versions, dict) else [("engine", versions)]
    return join(["From now on the game is judged by ", join((phrase(f"{n} {v}") for n, v in named), ", ")])


def _epoch(_here: Here, what: Document) -> Html:
    if what.get("lost"):
        end = " ends without its secret, so that its dice cannot be checked"
    else:
        end = " closes, and its secret is published" if what.get("secret") else " opens with a commitment"
    return join(["Chance epoch ", phrase(str(what.get("of"))), end])


def _identify(here: Here, what: Document) -> Html:
    known = what.get("to")
    login = shown_login(str(what.get("of")), known, here.view.outlines)
    forge = phrase(str(what.get("forge") or ""))
    return join([here.player(what.get("of")), " is ", el("strong", phrase(login)), " on the ", forge, " forge"])


def _key(said: str) -> Callable[[Here, Document], Html]:
    def told(here: Here, what: Document) -> Html:
        return join([here.player(what.get("of")), f" {said} the key ", el("code", "…" + str(what.get("to"))[-8:])])

    return told


def _forge(_here: Here, what: Document) -> Html:
    kind, home = forge_kind({"forge": what.get("to")}), forge_home({"forge": what.get("to")})
    if not kind:
        return escape("One person keeps the game")
    return join(["Acts come by the forge: ", phrase(kind), *([", ", el("code", home)] if home else [])])


NOTIFIED = {
    "all": " is notified of everything that awaits them",
    "reminders": " is reminded before deadlines, and notified of nothing else",
    "off": " is notified of nothing",
}


def _maintain(_here: Here, what: Document) -> Html:
    named = ", ".join(map(str, what.get("to") or ())) or "the administrators"
    return join(["Changes of the engine, the workflows and the site are approved by ", phrase(named)])


def _remind(_here: Here, what: Document) -> Html:
    hours = what.get("to")
    return (
        join([f"Who owes something is reminded {hours} hours before its deadline"])
        if hours
        else escape("Nobody is reminded of deadlines")
    )


def _limit(here: Here, what: Document) -> Html:
    name = str(what.get("of"))
    value = f"{what.get('to'):,} {LIMITS[name].unit}" if name in LIMITS else str(what.get("to"))
    return join(["The limit ", here.link(el("code", name), "settings.md"), " is ", el("strong", value)])


SUCCESSION = {
    "taken": " is an administrator from now on",
    "refused": " does not become an administrator: most of the other players object",
    "ended": " does not become an administrator: one of those there are has acted",
    "lapsed": " has not become an administrator: the claim was left lying",
}


def _succession(here: Here, what: Document) -> Html:
    who, how = here.player(what.get("of")), str(what.get("to"))
    if how == "asked":
        unless = ", unless an administrator acts until then or most of the other players object"
        return join([who, " asks to become an administrator, and can from ", here.when(what.get("due")), " on", unless])
    if how == "opposed":
        return join([here.player(what.get("by")), " objects to ", who, " as administrator"])
    return join([who, SUCCESSION.get(how, "")])


def _other(here: Here, what: Document) -> Html:
    skip = {"effect", "rule"}
    shown = (join([humane(name), " ", here.value(value)]) for name, value in what.items() if name not in skip)
    return join([titled(what.get("effect")), ": ", join(shown, ", ")])


def _act(here: Here, what: Document) -> Html:
    name = el("strong", humane(what.get("name")))
    return join([name, " in the name of ", here.player(what["of"])]) if what.get("of") else join([name, " is done"])


EFFECTS: dict[str, Callable[[Here, Document], Html]] = {
    "act": _act,
    "put": _put,
    "append": _append,
    "award": _award,
    "correct": _correct,
    "create": _create,
    "destroy": _destroy,
    "give": _give,
    "reveal": lambda _here, what: join([phrase(str(what.get("of"))), " is shown to everybody"]),
    "enact": _law("Enacted"),
    "amend": _law("Amended"),
    "repeal": _law("Repealed"),
    "transmute": _transmute,
    "retitle": _law("Retitled"),
    "renumber": _renumber,
    "label": _law("Relabelled"),
    "suspend": _law("Put to sleep"),
    "wake": _law("Woken"),
    "repair": lambda _here, what: join(["An administrator changes the law by hand", _because(what)]),
    "propose": _life("submitted"),
    "revise": _life("revised"),
    "freeze": _life("has its final wording"),
    "open": _life("is open to votes"),
    "close": lambda here, what: join(["Voting on ", here.proposal(what.get("of")), " closed", _because(what)]),
    "resolve": _resolve,
    "ballot": _ballot,
    "event": _event,
    "announce": _announce,
    "state": lambda here, what: join([here.player(what.get("of")), " put a statement on record"]),
    "owe": _owe,
    "settle": lambda _here, what: join(["Done: ", phrase(str(what.get("of")))]),
    "timer": _timer,
    "cancel": lambda _here, what: join(["Timer ", humane(what.get("of")), " stopped"]),
    "hold": _hold,
    "release": _release,
    "win": _win,
    "setting": _setting,
    "redact": _redact,
    "engine": _engine,
    "epoch": _epoch,
    "identify": _identify,
    "key": _key("signs with"),
    "revoke": _key("withdraws"),
    "forge": _forge,
    "notify": lambda here, what: join([here.player(what.get("of")), NOTIFIED.get(str(what.get("to")), "")]),
    "maintain": _maintain,
    "remind": _remind,
    "limit": _limit,
    "succession": _succession,
    "pause": lambda _here, _what: escape("The game is paused, and every timer stands still"),
    "resume": lambda _here, _what: escape("The game goes on, and every timer with it"),
}


def signed(amount: Any) -> str:
    """Return an amount with its sign, the minus as a minus.

    >>> signed(3), signed(-3), signed(0)
    ('+3', '−3', '0')
    """
    if not isinstance(amount, int):
        return str(amount)
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else "0"
