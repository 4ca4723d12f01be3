"""Acts of the journal as sentences with links; what came of them stands in `effects`, why in `reasons`."""

from __future__ import annotations

from collections.abc import Callable

from folkmoot.core.ballot_display import voted_on
from folkmoot.wording.effects import HIDDEN
from folkmoot.wording.game_view import Document, Entry
from folkmoot.wording.markup import Html, el, escape, join
from folkmoot.wording.page_links import Here, humane
from folkmoot.wording.prose import phrase

GIST = 90


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


def act(here: Here, entry: Entry) -> Html:
    """Return what somebody did as a sentence."""
    what = str(entry.get("do") or "")
    who = here.player(entry.get("by")) if entry.get("by") else Html("")
    office = f" as {humane(entry['as'])}" if entry.get("as") else ""
    known: dict[str, Callable[[Here, Entry], Html]] = {
        "vote": _vote,
        "state": _state,
        "tick": _tick,
        "clock": _clock,
        "found": _found,
    }
    if what in known and not (what in ("tick", "clock") and entry.get("by")):
        said = known[what](here, entry)
        return join([who, escape(office), " ", said]) if who else said
    if here.view.keeps_back(entry):
        return join([who, escape(office), " · ", el("span", humane(what), class_="fm-act"), " (", HIDDEN, ")"])
    given = arguments(entry)
    subject = given.get("title") or given.get("name")
    about = join([": ", el("strong", phrase(str(subject)))]) if isinstance(subject, str) else ""
    return join([who or "The game", office, " · ", el("span", humane(what), class_="fm-act"), about])


def _vote(here: Here, entry: Entry) -> Html:
    proposal = voted_on(entry)
    on = join([" on ", here.proposal(proposal)]) if proposal else ""
    if here.view.keeps_back(entry):
        return join(["voted", on, " (", HIDDEN, ")"])
    return join(["voted ", el("strong", phrase(str(arguments(entry).get("choice", "")))), on])


def _state(_here: Here, entry: Entry) -> Html:
    words = " ".join(str(arguments(entry).get("text") or "").split())
    return join(["stated: ", phrase(words if len(words) <= GIST else words[:GIST] + "…")])


def _found(_here: Here, _entry: Entry) -> Html:
    return escape("The game was founded")


def _clock(_here: Here, entry: Entry) -> Html:
    return escape(f"Time passed: {arguments(entry).get('ticks', 0):,} timers came due, and nothing came of it")


def _tick(_here: Here, entry: Entry) -> Html:
    timer = arguments(entry).get("timer") or arguments(entry).get("name") or "clock"
    return join(["Timer ", el("span", humane(timer), class_="fm-act"), " came due"])
