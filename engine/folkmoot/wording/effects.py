"""Effects as sentences with links: one set of words for the site, the terminal and pull requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from folkmoot.core.documents import Document
from folkmoot.core.game_location import played_at
from folkmoot.core.keys import forge_home, forge_kind, sealed_key
from folkmoot.core.limits import LIMITS
from folkmoot.core.records import Effect, Entry, PlayedAt
from folkmoot.core.values import SEALED
from folkmoot.kernel.names import shown_login
from folkmoot.wording.catalogue import hidden, keys, quoted, say
from folkmoot.wording.markup import Html, join
from folkmoot.wording.page_links import Here, humane
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import _

_PREPOSITIONS = frozenset("at by for from in of on to with".split())
_NOT_SHOWN = frozenset({"effect", "rule"})
QUIET = frozenset({"settle", "resolve", "event", "timer", "cancel", "hold", "release"})
FIRST = ("win", "enact", "amend", "repeal", "transmute", "retitle", "renumber", "award")
TRIED = cast(Entry, {})
"""What stands for the entry of what was only tried."""
ON_DICE = "{} (depends on dice: in {} of {} tries)"
MOST = 200  # sentences about what was tried
_VALUE_OF = {"create": "kind", "destroy": "kind", "notify": "to", "succession": "to"}


Chosen = tuple[str, Document]
"""The key of a sentence, and fields for it beside those of the effect."""


def effect(here: Here, entry: Entry, what: Effect) -> Html:
    """Return what one effect of an entry changed, with the rule behind it."""
    kind = str(what.get("effect") or "")
    if what.get("name") == "email" and ("from" in what or "to" in what):  # addresses stay off the site
        return say(here, "effect put address", {"register": _register(here, what)})
    key, more = SPECIAL[kind](here, entry, what) if kind in SPECIAL else _plain(here, kind, what)
    said = say(here, key, {**what, **more})
    if kind == "announce" or not what.get("rule"):  # an announcement begins with whose it is
        return said
    return say(here, "by a rule", {"said": said, "rule": what["rule"]})


def sentences(here: Here, changed: Iterable[Effect]) -> list[Html]:
    """Return what effects changed, a sentence each: winning first, then the law, then points, then the rest."""
    kept = [each for each in changed if each["effect"] not in QUIET and not here.view.is_bookkeeping(dict(each))]
    kept.sort(key=lambda effect: FIRST.index(effect["effect"]) if effect["effect"] in FIRST else len(FIRST))
    return [effect(here, TRIED, each) for each in kept[:MOST]]


def tried(
    tell: Callable[[Sequence[Effect]], list[Html]], changed: Sequence[Effect], trials: Sequence[Sequence[Effect]]
) -> list[Html]:
    """Return what is to `tell` of effects; of what dice decide over, with how often that came of tries."""
    if not trials:
        return tell(changed)
    tales = [tell(trial) for trial in trials]
    times = Counter(said for tale in tales for said in dict.fromkeys(tale))
    certain = [said for said in tales[0] if times[said] == len(tales)]
    hanging = [Html(ON_DICE.format(said, n, len(tales))) for said, n in times.items() if n < len(tales)]
    return [*certain, *hanging][:MOST]


def changes(entry: Entry) -> list[Effect]:
    """Return what an entry changed: its effects without the events by which rules told each other of it."""
    return [each for each in entry.get("effects") or () if each.get("effect") != "event"]


def events(here: Here, entry: Entry) -> Html:
    """Return the events that each rule raised in an entry, each once, as one sentence; nothing where there was none."""
    raised: dict[str | None, list[Html]] = {}
    for each in entry.get("effects") or ():
        if each.get("effect") == "event":
            names = raised.setdefault(each.get("rule"), [])
            name = quoted(here, humane(each.get("name")))
            names += [] if name in names else [name]
    by_rule = (say(here, "raised", {"rule": rule, "names": join(names, ", ")}) for rule, names in raised.items())
    return join(by_rule, "; ")


def _plain(here: Here, kind: str, what: Effect) -> Chosen:
    """Return the sentence of an effect that has one for all cases, or one for each value of a field."""
    for key in (f"effect {kind} {what.get(_VALUE_OF.get(kind, ''))}", f"effect {kind}"):
        if key in keys():
            return key, {}
    shown = (join([humane(name), " ", here.value(value)]) for name, value in what.items() if name not in _NOT_SHOWN)
    return "effect", {"fields": join(shown, ", ")}


def _put(here: Here, _entry: Entry, what: Effect) -> Chosen:
    register = _register(here, what)
    before, after = what.get("from"), what.get("to")
    if "key" in what:
        key = str(what["key"])
        sides = ({key: value} if value is not None else {} for value in (before, after))
        return "effect put differences", {"register": register, "differences": _differences(here, *sides)}
    if isinstance(before, dict) and isinstance(after, dict) and not {SEALED} & {*before, *after}:
        return "effect put differences", {"register": register, "differences": _differences(here, before, after)}
    kind = here.view.register_type(str(what.get("name")))
    shown = {"before": _side(here, before, kind), "after": _side(here, after, kind)}
    return "effect put", {"register": register, **shown}


def _side(here: Here, value: Any, kind: str) -> Html:
    """Return what a register held before, or holds now; a text of no characters is said to be empty."""
    return here.value([] if value == "" else value, kind)


def _register(here: Here, what: Effect) -> Html:
    """Return a register and whose it is; one whose name ends in a preposition takes no other behind it."""
    if what.get("of") in (None, "game"):
        return say(here, "register", what)
    open_end = humane(what.get("name")).rpartition(" ")[2] in _PREPOSITIONS
    return say(here, "register at" if open_end else "register of", what)


def _differences(here: Here, before: Document, after: Document) -> Html:
    """Return which parts of a map came, changed and went; the rest of it stays unsaid."""
    kept = {key: value for key, value in after.items() if key in before and before[key] != value}
    said = [say(here, "key turned", {"key": key, "from": before[key], "to": value}) for key, value in kept.items()]
    said += [say(here, "key came", {"key": key, "to": after[key]}) for key in after if key not in before]
    said += [say(here, "key went", {"key": key}) for key in before if key not in after]
    return join(said, ", ")


def _append(here: Here, _entry: Entry, what: Effect) -> Chosen:
    key = "register" if what.get("of") in (None, "game") else "register of"
    return "effect append", {"register": say(here, key, what)}


def _award(_here: Here, _entry: Entry, what: Effect) -> Chosen:
    asked = what.get("asked")
    return "effect award", {"turned": None if asked == what.get("applied") else asked}


def _correct(here: Here, _entry: Entry, what: Effect) -> Chosen:
    return "effect correct", {"change": say(here, "register of", what)}


def _renumber(here: Here, _entry: Entry, what: Effect) -> Chosen:
    return "effect renumber", {"former": here.rule(str(what.get("of")), say(here, "former number", what))}


def _ballot(here: Here, _entry: Entry, what: Effect) -> Chosen:
    if "sealed" in what:
        return "effect ballot sealed", {}
    if not here.view.displays(str(what.get("of"))):
        return "effect ballot kept back", {"hidden": hidden()}
    return "effect ballot idle" if what.get("counts") is False else "effect ballot", {}


def _seal(here: Here, _entry: Entry, what: Effect) -> Chosen:
    """Say who can read what is sealed, nobody where only the keeper can."""
    readers = join((here.owner(str(reader)) for reader in what.get("to") or ()), ", ")
    return f"effect {what['effect']}", {"readers": readers or say(here, "nobody yet", what)}


def _unseal(here: Here, _entry: Entry, what: Effect) -> Chosen:
    """Say what was opened with what commits to it, and where that stands."""
    of = str(what.get("of"))
    known = (here.view.document(sealed_key(int(of))) or {}).get(of) or {} if of.isdecimal() else {}
    return "effect unseal", {"sealed": known.get("seq"), "commitment": known.get("commitment")}


def _strike(_here: Here, _entry: Entry, what: Effect) -> Chosen:
    return "effect strike ballot" if what.get("counts") is False else "effect strike", {}


def _weigh(here: Here, _entry: Entry, what: Effect) -> Chosen:
    weighed = (
        join([here.player(voter), " ", here.value(weight)]) for voter, weight in (what.get("values") or {}).items()
    )
    return "effect weigh", {"weights": join(weighed, ", ")}


def _owe(_here: Here, _entry: Entry, what: Effect) -> Chosen:
    return "effect owe all" if "players" in what else "effect owe", {}


def _settle(here: Here, entry: Entry, what: Effect) -> Chosen:
    key = str(what.get("of"))
    return "effect settle", {"done": here.view.settled_as(int(entry.get("seq") or 0), key)}


def _win(_here: Here, _entry: Entry, what: Effect) -> Chosen:
    winners = list(what.get("players") or [str(what.get("of"))])
    over, more = what.get("ends"), "ends" in what and not what["ends"]
    fields = {"winners": winners, "over": over, "more": more}
    return "effect win" if len(winners) == 1 else "effect win together", fields


def _engine(_here: Here, _entry: Entry, what: Effect) -> Chosen:
    versions = what.get("to")
    named = versions.items() if isinstance(versions, dict) else [("engine", versions)]
    return "effect engine", {"versions": join((phrase(f"{n} {v}") for n, v in named), ", ")}


def _apply(here: Here, _entry: Entry, what: Effect) -> Chosen:
    return "effect apply", {"login": shown_login(str(what.get("of")), what.get("to"), here.view.outlines)}


def _identify(here: Here, _entry: Entry, what: Effect) -> Chosen:
    if not what.get("to"):
        return "effect identify nobody", {}
    return "effect identify", {"login": shown_login(str(what.get("of")), what.get("to"), here.view.outlines)}


def _forge(_here: Here, _entry: Entry, what: Effect) -> Chosen:
    said: PlayedAt = {"forge": what.get("to")}
    fields = {"kind": forge_kind(said), "home": forge_home(said)}
    if "was" in what:
        return "effect forge moved", {**fields, "before": played_at({"forge": what["was"]})}
    return "effect forge", fields


def _rehouse(_here: Here, _entry: Entry, what: Effect) -> Chosen:
    was = what.get("was") or {}
    places = {"pull": _("pull request"), "issue": _("issue")}
    place = next((f"{name} {was[key]}" for key, name in places.items() if was.get(key)), _("in the game's thread"))
    return "effect rehouse", {"before": place}


def _maintain(_here: Here, _entry: Entry, what: Effect) -> Chosen:
    return "effect maintain", {"names": ", ".join(map(str, what.get("to") or ()))}


def _limit(_here: Here, _entry: Entry, what: Effect) -> Chosen:
    name, to = str(what.get("of")), what.get("to")
    return "effect limit", {"amount": f"{to:,} {LIMITS[name].unit}" if name in LIMITS else str(to)}


SPECIAL: dict[str, Callable[[Here, Entry, Effect], Chosen]] = {
    "append": _append,
    "award": _award,
    "ballot": _ballot,
    "correct": _correct,
    "engine": _engine,
    "forge": _forge,
    "apply": _apply,
    "identify": _identify,
    "limit": _limit,
    "maintain": _maintain,
    "put": _put,
    "rehouse": _rehouse,
    "renumber": _renumber,
    "seal": _seal,
    "disclose": _seal,
    "unseal": _unseal,
    "owe": _owe,
    "settle": _settle,
    "strike": _strike,
    "weigh": _weigh,
    "win": _win,
}
"""Effects whose sentence is chosen by more than one field, or needs what they do not say themselves."""
